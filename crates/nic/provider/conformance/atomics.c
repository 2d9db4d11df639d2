/* Atomic operations: every operation on every type that the provider admits, by every function, against a model. */
#include "atomic_model.h"
#include "node.h"

enum form { PLAIN_FORM, VECTOR_FORM, MESSAGE_FORM, INJECT_FORM };
enum family { CHANGE, FETCH, COMPARE };
#define VARIANT(family, form) ((family) | (form) << 4)

enum {
	/* Bytes of one operation's values. Each operation has a place of its own: one that comes late harms no other. */
	SPACE = 8192,
	/* Operations with one value and with many. */
	PLACES = MODEL_OPS * MODEL_TYPES * 2 + 2,
};

/* One operation on one type: whether it is admitted, and for how many values. */
static bool is_valid(struct node *node, enum family family, enum fi_op op, enum fi_datatype type, size_t *count)
{
	int code;

	*count = 0;
	if (family == CHANGE)
		code = fi_atomicvalid(node->ep, type, op, count);
	else if (family == FETCH)
		code = fi_fetch_atomicvalid(node->ep, type, op, count);
	else
		code = fi_compare_atomicvalid(node->ep, type, op, count);
	if (code != 0) {
		if (is_ours())
			RETURNS(code, -FI_EOPNOTSUPP);
		CHECK(code < 0);
		return false;
	}
	CHECK(*count > 0);
	if (model_compares(op) != (family == COMPARE))
		FAIL("%s on %s is admitted in the wrong family", model_op_name(op), model_type_name(type));
	return true;
}

struct operands {
	uint8_t target[SPACE], operand[SPACE], compare[SPACE], result[SPACE + 16];
};

static void perform(struct node *node, long variant, enum fi_op op, enum fi_datatype type, size_t count, struct operands *values,
		    const struct target *target, uint64_t offset)
{
	enum family family = variant & 15;
	enum form form = variant >> 4;
	fi_addr_t peer = node->peers[1 - me.rank];
	uint64_t address = target->address + offset;
	struct fi_ioc operand = { values->operand, count }, result = { values->result, count }, compare = { values->compare, count };
	struct fi_rma_ioc remote = { address, count, target->key };
	struct fi_msg_atomic msg = { .msg_iov = &operand, .iov_count = 1, .addr = peer, .rma_iov = &remote, .rma_iov_count = 1,
				     .datatype = type, .op = op, .context = ctx(node, 1) };
	void *context = ctx(node, 1);

	/* A read has no operand; what this means for calls with pieces, only ours has to know. */
	bool is_bare = op == FI_ATOMIC_READ && is_ours();
	if (is_bare)
		msg.iov_count = 0, msg.msg_iov = NULL;
	switch (family) {
	case CHANGE:
		if (form == PLAIN_FORM)
			POST(node, fi_atomic(node->ep, values->operand, count, NULL, peer, address, target->key, type, op, context));
		else if (form == VECTOR_FORM)
			POST(node, fi_atomicv(node->ep, &operand, NULL, 1, peer, address, target->key, type, op, context));
		else if (form == MESSAGE_FORM)
			POST(node, fi_atomicmsg(node->ep, &msg, FI_COMPLETION));
		else
			POST(node, fi_inject_atomic(node->ep, values->operand, count, peer, address, target->key, type, op));
		break;
	case FETCH:
		if (form == PLAIN_FORM)
			POST(node, fi_fetch_atomic(node->ep, op == FI_ATOMIC_READ ? NULL : values->operand, count, NULL, values->result, NULL,
						   peer, address, target->key, type, op, context));
		else if (form == VECTOR_FORM)
			POST(node, fi_fetch_atomicv(node->ep, is_bare ? NULL : &operand, NULL, is_bare ? 0 : 1, &result, NULL, 1,
						    peer, address, target->key, type, op, context));
		else
			POST(node, fi_fetch_atomicmsg(node->ep, &msg, &result, NULL, 1, FI_COMPLETION));
		break;
	case COMPARE:
		if (form == PLAIN_FORM)
			POST(node, fi_compare_atomic(node->ep, values->operand, count, NULL, values->compare, NULL, values->result, NULL, peer,
						     address, target->key, type, op, context));
		else if (form == VECTOR_FORM)
			POST(node, fi_compare_atomicv(node->ep, &operand, NULL, 1, &compare, NULL, 1, &result, NULL, 1, peer, address,
						      target->key, type, op, context));
		else
			POST(node, fi_compare_atomicmsg(node->ep, &msg, &compare, NULL, 1, &result, NULL, 1, FI_COMPLETION));
	}
}

/* The values that `rank` begins with, as target and as initiator. */
static void prepare(struct operands *values, enum fi_datatype type, size_t count, int rank, uint64_t number)
{
	uint64_t stream = mix(me.seed ^ number << 8 ^ (uint64_t)rank);
	size_t size = model_size(type);

	for (size_t i = 0; i < count; i++) {
		model_value(type, &stream, values->target + i * size);
		model_value(type, &stream, values->operand + i * size);
		/* Equal to the target's value, every second time, as far as this rank can know: the tests use both ranks' streams. */
		model_value(type, &stream, values->compare + i * size);
	}
}

static void differ(enum fi_op op, enum fi_datatype type, size_t index, size_t count, const char *what, const void *expected, const void *found)
{
	char texts[2][100];

	FAIL("%s on %s, value %zu of %zu: %s: expected %s, found %s", model_op_name(op), model_type_name(type), index, count, what,
	     model_text(type, expected, texts[0], sizeof texts[0]), model_text(type, found, texts[1], sizeof texts[1]));
}

/* True when the region holds what the model says the peer's operation made of it. */
static bool is_changed(const uint8_t *region, const struct operands *own, const struct operands *peer, enum fi_op op, enum fi_datatype type,
		       size_t count, size_t *index)
{
	size_t size = model_size(type);

	for (size_t i = 0; i < count; i++) {
		uint8_t value[32] __attribute__((aligned(16))), found[32] __attribute__((aligned(16)));

		memcpy(value, own->target + i * size, size);
		model_apply(op, type, value, peer->operand + i * size, peer->compare + i * size);
		watched_bytes(found, region + i * size, size);
		if (!model_same(type, value, found)) {
			*index = i;
			return false;
		}
	}
	return true;
}

/* One operation of both ranks on each other's memory. */
static void one(struct node *node, long variant, enum fi_op op, enum fi_datatype type, size_t count, struct buffer *region,
		const struct target *targets, uint64_t number)
{
	static struct operands own __attribute__((aligned(16))), peer __attribute__((aligned(16)));
	enum family family = variant & 15;
	size_t size = model_size(type), index = 0;
	char what[200];

	prepare(&own, type, count, me.rank, number);
	prepare(&peer, type, count, 1 - me.rank, number);
	/* Every second comparison is with what the peer's memory holds. */
	for (size_t i = 0; i < count; i += 2) {
		memcpy(own.compare + i * size, peer.target + i * size, size);
		memcpy(peer.compare + i * size, own.target + i * size, size);
	}
	uint8_t *place = region->bytes + number * SPACE;
	memcpy(place, own.target, count * size);
	memset(own.result, UNTOUCHED, count * size + 16);
	snprintf(what, sizeof what, "%s on %s, %zu values", model_op_name(op), model_type_name(type), count);
	barrier(node);
	perform(node, variant, op, type, count, &own, &targets[1 - me.rank], number * SPACE);
	if (variant >> 4 != INJECT_FORM) {
		struct done done;

		while (node->done[TX].count == 0)
			wait_turn(node, __FILE__, __LINE__, what);
		if (node->done[TX].items[0].err)
			FAIL("%s: expected success, found %s", what, fi_strerror(node->done[TX].items[0].err));
		done = DONE(node, TX, 1);
		CHECK(done.flags & FI_ATOMIC);
	} else {
		memset(own.operand, 0xee, count * size);
		prepare(&own, type, count, me.rank, number);
	}
	if (family != CHANGE) {
		for (size_t i = 0; i < count; i++)
			if (!model_same(type, peer.target + i * size, own.result + i * size))
				differ(op, type, i, count, "the value fetched", peer.target + i * size, own.result + i * size);
		EQUAL(own.result[count * size], UNTOUCHED);
	}
	while (!is_changed(place, &own, &peer, op, type, count, &index)) {
		uint8_t value[32] __attribute__((aligned(16)));

		if (is_in_vain()) {
			memcpy(value, own.target + index * size, size);
			model_apply(op, type, value, peer.operand + index * size, peer.compare + index * size);
			differ(op, type, index, count, "the target's value", value, place + index * size);
		}
		at(__FILE__, __LINE__, what);
		progress(node);
	}
	for (size_t i = count * size; i < SPACE && i < count * size + 256; i++)
		EQUAL(place[i], UNTOUCHED);
	barrier(node);
}

/* All operations on all types. */
static void matrix(long variant)
{
	enum family family = variant & 15;
	bool is_inject = variant >> 4 == INJECT_FORM;
	struct node node;
	struct target targets[2];
	/* Guards leave the values aligned. */
	struct buffer own = buffer_new((size_t)SPACE * PLACES);
	uint64_t number = 0;
	int admitted = 0;

	node_open(&node, WISH(.caps = FI_MSG | FI_ATOMIC));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	for (int op = 0; op < MODEL_OPS; op++) {
		for (int type = 0; type < MODEL_TYPES; type++) {
			uint8_t scratch[32] __attribute__((aligned(16))) = { 0 }, zero[32] __attribute__((aligned(16))) = { 0 };
			size_t count;

			number = ((uint64_t)op * MODEL_TYPES + (uint64_t)type) * 2;
			if (!is_valid(&node, family, op, type, &count))
				continue;
			if (!model_apply(op, type, scratch, zero, zero))
				FAIL("%s on %s is admitted, and means nothing", model_op_name(op), model_type_name(type));
			admitted++;
			if (is_inject) {
				size_t most = node.info->tx_attr->inject_size / model_size(type);

				count = count < most ? count : most;
				if (count == 0)
					continue;
			}
			size_t most = SPACE / model_size(type);
			count = count > most ? most : count;
			one(&node, variant, op, type, 1, &own, targets, number);
			if (count > 1)
				one(&node, variant, op, type, count, &own, targets, number + 1);
		}
	}
	if (me.rank == 0)
		note("%d pairs of operation and type admitted", admitted);
	CHECK(admitted > 0);
	region_close(&region);
	node_close(&node);
}

/* What every client of ours uses is admitted, and what a caller may ask, agrees. */
static void admitted(long unused)
{
	static const enum fi_datatype WHOLE[] = { FI_INT32, FI_UINT32, FI_INT64, FI_UINT64 };
	static const enum fi_op PLAIN_OPS[] = { FI_MIN, FI_MAX, FI_SUM, FI_BOR, FI_BAND, FI_BXOR, FI_LOR, FI_LAND, FI_LXOR, FI_ATOMIC_WRITE };
	struct node node;
	size_t count;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_ATOMIC));
	for (int type = 0; type < 4; type++) {
		for (int op = 0; op < 10; op++) {
			OK(fi_atomicvalid(node.ep, WHOLE[type], PLAIN_OPS[op], &count));
			OK(fi_fetch_atomicvalid(node.ep, WHOLE[type], PLAIN_OPS[op], &count));
		}
		OK(fi_fetch_atomicvalid(node.ep, WHOLE[type], FI_ATOMIC_READ, &count));
		for (int op = FI_CSWAP; op <= FI_MSWAP; op++)
			OK(fi_compare_atomicvalid(node.ep, WHOLE[type], (enum fi_op)op, &count));
	}
	OK(fi_atomicvalid(node.ep, FI_FLOAT, FI_SUM, &count));
	OK(fi_atomicvalid(node.ep, FI_DOUBLE, FI_SUM, &count));
	node_close(&node);
}

/* fi_query_atomic says the same as the three valid calls. */
static void queried(long unused)
{
	static const uint64_t FLAGS[] = { 0, FI_FETCH_ATOMIC, FI_COMPARE_ATOMIC };
	struct node node;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_ATOMIC));
	for (int family = CHANGE; family <= COMPARE; family++)
		for (int op = 0; op < MODEL_OPS; op++)
			for (int type = 0; type < MODEL_TYPES; type++) {
				struct fi_atomic_attr attr = { 0 };
				size_t count;
				int code = fi_query_atomic(node.domain, type, op, &attr, FLAGS[family]);

				if (code == -FI_ENOSYS)
					skip("fi_query_atomic is not there");
				if (is_valid(&node, family, op, type, &count)) {
					RETURNS(code, 0);
					EQUAL(attr.count, count);
					EQUAL(attr.size, model_size(type));
				} else {
					CHECK(code < 0);
				}
			}
	node_close(&node);
}

/* Atomics that are no access: wrong key, no right, beyond the region. */
static void refused(long wrong)
{
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(64);
	uint64_t operand = 5, result = 77;

	node_open(&node, WISH(.caps = FI_MSG | FI_ATOMIC));
	struct region region = region_open(&node, own.bytes, 64, wrong == 2 ? FI_REMOTE_READ : FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, 64, targets);
	if (me.rank == 0) {
		struct target target = targets[1];

		if (wrong == 0)
			target.key ^= 0x5a;
		if (wrong == 1)
			target.address += 64;
		POST(&node, fi_atomic(node.ep, &operand, 1, NULL, node.peers[1], target.address, target.key, FI_UINT64, FI_SUM, ctx(&node, 1)));
		FAULT(&node, TX, 1);
		POST(&node, fi_fetch_atomic(node.ep, &operand, 1, NULL, &result, NULL, node.peers[1], target.address, target.key, FI_UINT64,
					    FI_SUM, ctx(&node, 2)));
		FAULT(&node, TX, 2);
		EQUAL(result, 77);
	}
	barrier(&node);
	UNTOUCHED_YET(&own);
	region_close(&region);
	node_close(&node);
}

#define FORMS(name, family) \
	{ "atomic." name, "every admitted operation on every type does what the model says", matrix, VARIANT(family, PLAIN_FORM), 2, 2, 0 }, \
		{ "atomic." name "v", "the same by the call with pieces", matrix, VARIANT(family, VECTOR_FORM), 2, 2, 0 }, \
		{ "atomic." name "msg", "the same by the call with a message", matrix, VARIANT(family, MESSAGE_FORM), 2, 2, 0 }

const struct test atomic_tests[] = {
	FORMS("change", CHANGE),
	{ "atomic.inject", "the same by fi_inject_atomic", matrix, VARIANT(CHANGE, INJECT_FORM), 2, 2, 0 },
	FORMS("fetch", FETCH),
	FORMS("compare", COMPARE),
	{ "atomic.admitted", "what MPI and SHMEM use is admitted", admitted, 0, 2, 2, TEST_OURS },
	{ "atomic.query", "fi_query_atomic agrees with the calls that ask for validity", queried, 0, 2, 2, 0 },
	{ "atomic.wrong_key", "an atomic by a key that is none changes nothing", refused, 0, 2, 2, 0 },
	{ "atomic.beyond", "an atomic beyond the region changes nothing", refused, 1, 2, 2, 0 },
	{ "atomic.no_right", "an atomic on a region without the right changes nothing", refused, 2, 2, 2, 0 },
	{ 0 },
};
