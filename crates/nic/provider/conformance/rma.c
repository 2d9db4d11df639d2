/* One-sided reads and writes: every function, size and offset; between ranks and to oneself; many at the same time; in order. */
#include "rma.h"

enum { SPACE = (4 << 20) + 65536 };

bool rma_completes(enum rma_how how)
{
	return how != WRITE_INJECT && how != WRITE_INJECT_DATA;
}

bool rma_has_data(enum rma_how how)
{
	return how == WRITE_DATA || how == WRITE_INJECT_DATA;
}

bool rma_reads(enum rma_how how)
{
	return how <= READ_MESSAGE;
}

void rma_by(struct node *node, enum rma_how how, int peer, void *bytes, size_t len, const struct target *target, uint64_t offset,
	    uint64_t number)
{
	struct iovec iov = { bytes, len };
	struct fi_rma_iov remote = { target->address + offset, len, target->key };
	struct fi_msg_rma msg = { .msg_iov = &iov, .iov_count = 1, .addr = node->peers[peer], .rma_iov = &remote, .rma_iov_count = 1,
				  .context = ctx(node, number), .data = number };
	fi_addr_t to = node->peers[peer];
	uint64_t address = remote.addr, key = remote.key;
	void *context = ctx(node, number);

	switch (how) {
	case READ:
		POST(node, fi_read(node->ep, bytes, len, NULL, to, address, key, context));
		break;
	case READ_VECTOR:
		POST(node, fi_readv(node->ep, &iov, NULL, 1, to, address, key, context));
		break;
	case READ_MESSAGE:
		POST(node, fi_readmsg(node->ep, &msg, FI_COMPLETION));
		break;
	case WRITE:
		POST(node, fi_write(node->ep, bytes, len, NULL, to, address, key, context));
		break;
	case WRITE_VECTOR:
		POST(node, fi_writev(node->ep, &iov, NULL, 1, to, address, key, context));
		break;
	case WRITE_MESSAGE:
		POST(node, fi_writemsg(node->ep, &msg, FI_COMPLETION));
		break;
	case WRITE_INJECT:
		POST(node, fi_inject_write(node->ep, bytes, len, to, address, key));
		break;
	case WRITE_DATA:
		POST(node, fi_writedata(node->ep, bytes, len, NULL, number, to, address, key, context));
		break;
	case WRITE_INJECT_DATA:
		POST(node, fi_inject_writedata(node->ep, bytes, len, number, to, address, key));
		break;
	}
}

/* The modes of registration that clients come with. */
static const uint64_t MODES[] = {
	0,
	FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT,
	FI_MR_ALLOCATED | FI_MR_ENDPOINT,
	FI_MR_ALLOCATED | FI_MR_ENDPOINT | FI_MR_PROV_KEY,
	FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_ENDPOINT,
};

#define VARIANT(how, mode) ((how) | (mode) << 8)

/* Both ranks act on each other's memory, at every size and at offsets that are not aligned. */
static void sizes(long variant)
{
	enum rma_how how = variant & 255;
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(SPACE), local = buffer_new(SPACE);
	int peer = 1 - me.rank;

	node_open(&node, WISH(.caps = FI_MSG | FI_RMA, .mr_mode = MODES[variant >> 8]));
	size_t most = rma_completes(how) ? node.info->ep_attr->max_msg_size : node.info->tx_attr->inject_size;
	if (rma_has_data(how) && node.info->domain_attr->cq_data_size == 0)
		skip("cq_data_size is 0");
	if (most == 0)
		skip("inject_size is 0");
	struct region region = region_open(&node, own.bytes, SPACE, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, SPACE, targets);
	for (int index = 0; index < SIZES_COUNT; index++) {
		size_t len = SIZES[index];
		uint64_t number = 10 + (uint64_t)index;
		uint64_t offset = index % 4 == 0 ? 0 : index % 4 == 1 ? SPACE - len : 61 * (uint64_t)index;

		if (len > most)
			break;
		/* rma.nothing has the reads of no bytes. */
		if (len == 0 && rma_reads(how))
			continue;
		buffer_clear(&own);
		buffer_clear(&local);
		/* What is read lies in the peer's memory; what is written, in one's own. */
		pattern(rma_reads(how) ? own.bytes + offset : local.bytes, len, me.rank, number, 0);
		barrier(&node);
		rma_by(&node, how, peer, local.bytes, len, &targets[peer], offset, number);
		if (rma_completes(how)) {
			struct done done = DONE(&node, TX, number);
			uint64_t wanted = FI_RMA | (rma_reads(how) ? FI_READ : FI_WRITE);

			EQUAL(done.flags & wanted, wanted);
		} else {
			memset(local.bytes, 0xee, len);
		}
		if (rma_has_data(how)) {
			struct done done = NEXT(&node, RX);

			EQUAL(done.data, number);
			EQUAL(done.flags & (FI_REMOTE_CQ_DATA | FI_REMOTE_WRITE), FI_REMOTE_CQ_DATA | FI_REMOTE_WRITE);
			/* The event says that the bytes are there. */
			HOLDS_AT(&own, offset, len, peer, number);
		}
		if (rma_reads(how)) {
			HOLDS(&local, len, peer, number);
			HOLDS_AT(&own, offset, len, me.rank, number);
		} else {
			UNTIL_LANDED(&node, own.bytes + offset, len, peer, number, 0);
			HOLDS_AT(&own, offset, len, peer, number);
		}
		barrier(&node);
	}
	region_close(&region);
	node_close(&node);
	buffer_free(&own);
	buffer_free(&local);
}

/* On one's own memory. */
static void to_itself(long unused)
{
	struct node node;
	struct target targets[RANKS_MAX];
	struct buffer own = buffer_new(200000), local = buffer_new(200000);

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	for (int index = 1; index < SIZES_COUNT && SIZES[index] <= 100000; index++) {
		size_t len = SIZES[index];

		buffer_clear(&own);
		pattern(local.bytes, len, me.rank, 1, 0);
		rma_by(&node, WRITE, me.rank, local.bytes, len, &targets[me.rank], 777, 1);
		DONE(&node, TX, 1);
		UNTIL_LANDED(&node, own.bytes + 777, len, me.rank, 1, 0);
		HOLDS_AT(&own, 777, len, me.rank, 1);
		buffer_clear(&local);
		rma_by(&node, READ, me.rank, local.bytes, len, &targets[me.rank], 777, 2);
		DONE(&node, TX, 2);
		HOLDS(&local, len, me.rank, 1);
	}
	region_close(&region);
	node_close(&node);
}

/* Several pieces here and there, as many as the limits allow. */
static void pieces(long how)
{
	enum { LEN = 12000 };
	struct node node;
	struct target targets[2];
	struct iovec iov[8];
	struct fi_rma_iov remote[8];
	struct buffer own = buffer_new(LEN * 2), local = buffer_new(LEN * 2);
	int peer = 1 - me.rank;

	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	size_t here = node.info->tx_attr->iov_limit, there = node.info->tx_attr->rma_iov_limit;
	if (is_ours()) {
		EQUAL(here, 1);
		EQUAL(there, 1);
	}
	here = here > 8 ? 8 : here;
	there = there > 8 ? 8 : there;
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	/* LEN is divided by every count up to 6, and by 8. */
	for (size_t i = 0; i < here; i++) {
		iov[i] = (struct iovec){ local.bytes + i * (LEN / here + 5), LEN / here };
		if (how == WRITE_MESSAGE)
			pattern(iov[i].iov_base, iov[i].iov_len, me.rank, 3, i * (LEN / here));
	}
	for (size_t i = 0; i < there; i++) {
		uint64_t offset = i * (LEN / there + 9);

		remote[i] = (struct fi_rma_iov){ targets[peer].address + offset, LEN / there, targets[peer].key };
		if (how == READ_MESSAGE)
			pattern(own.bytes + offset, LEN / there, me.rank, 3, i * (LEN / there));
	}
	barrier(&node);
	struct fi_msg_rma msg = { .msg_iov = iov, .iov_count = here, .addr = node.peers[peer], .rma_iov = remote, .rma_iov_count = there,
				  .context = ctx(&node, 1) };
	if (how == WRITE_MESSAGE)
		POST(&node, fi_writemsg(node.ep, &msg, FI_COMPLETION));
	else
		POST(&node, fi_readmsg(node.ep, &msg, FI_COMPLETION));
	DONE(&node, TX, 1);
	if (how == WRITE_MESSAGE) {
		for (size_t i = 0; i < there; i++)
			UNTIL_LANDED(&node, own.bytes + i * (LEN / there + 9), LEN / there, peer, 3, i * (LEN / there));
	} else {
		for (size_t i = 0; i < here; i++)
			EQUAL(pattern_differs(iov[i].iov_base, iov[i].iov_len, peer, 3, i * (LEN / here)), iov[i].iov_len);
	}
	barrier(&node);
	region_close(&region);
	node_close(&node);
}

/* Every rank writes and reads slots of every rank, many at the same time. */
static void many(long unused)
{
	enum { SLOT = 5000, SLOTS = 40 };
	struct node node;
	struct target targets[RANKS_MAX];
	size_t space = (size_t)me.ranks * SLOTS * SLOT;
	struct buffer own = buffer_new(space), out = buffer_new(space), in = buffer_new(space);

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	struct region region = region_open(&node, own.bytes, space, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, space, targets);
	/* Slot s of rank r at rank t: at (r * SLOTS + s). Its length depends on s. */
#define LENGTH(slot) (mix((uint64_t)(slot)) % SLOT + 1)
	for (int peer = 0; peer < me.ranks; peer++)
		for (int slot = 0; slot < SLOTS; slot++) {
			uint64_t number = (uint64_t)(peer * SLOTS + slot);
			uint8_t *from = out.bytes + number * SLOT;

			pattern(from, LENGTH(slot), me.rank, number, 0);
			rma_by(&node, WRITE, peer, from, LENGTH(slot), &targets[peer], (uint64_t)(me.rank * SLOTS + slot) * SLOT, number);
		}
	for (int number = 0; number < me.ranks * SLOTS; number++)
		DONE(&node, TX, (uint64_t)number);
	barrier(&node);
	for (int sender = 0; sender < me.ranks; sender++)
		for (int slot = 0; slot < SLOTS; slot++) {
			uint8_t *place = own.bytes + (size_t)(sender * SLOTS + slot) * SLOT;
			size_t len = LENGTH(slot);

			UNTIL_LANDED(&node, place, len, sender, (uint64_t)(me.rank * SLOTS + slot), 0);
			for (size_t byte = len; byte < SLOT; byte++)
				EQUAL(place[byte], UNTOUCHED);
		}
	barrier(&node);
	for (int peer = 0; peer < me.ranks; peer++)
		for (int slot = 0; slot < SLOTS; slot++) {
			uint64_t number = (uint64_t)(peer * SLOTS + slot);

			/* What the next rank wrote there. */
			rma_by(&node, READ, peer, in.bytes + number * SLOT, LENGTH(slot), &targets[peer],
			       (uint64_t)((me.rank + 1) % me.ranks * SLOTS + slot) * SLOT, number);
		}
	for (uint64_t number = 0; number < (uint64_t)(me.ranks * SLOTS); number++) {
		size_t len = LENGTH((int)(number % SLOTS));

		DONE(&node, TX, number);
		EQUAL(pattern_differs(in.bytes + number * SLOT, len, (me.rank + 1) % me.ranks, number, 0), len);
	}
	barrier(&node);
	region_close(&region);
	node_close(&node);
}

/* Immediate data without bytes, and many of them: one event each. */
static void data_events(long unused)
{
	enum { COUNT = 200 };
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(COUNT * 8), local = buffer_new(8);
	int peer = 1 - me.rank;
	uint64_t seen[COUNT] = { 0 };

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA, .cq_size = 1024));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	for (uint64_t number = 0; number < COUNT; number++) {
		size_t len = number % 2 ? 8 : 0;

		pattern(local.bytes, 8, me.rank, number, 0);
		rma_by(&node, WRITE_DATA, peer, local.bytes, len, &targets[peer], number * 8, number);
		DONE(&node, TX, number);
	}
	for (int count = 0; count < COUNT; count++) {
		struct done done = NEXT(&node, RX);

		CHECK(done.flags & FI_REMOTE_CQ_DATA);
		CHECK(done.data < COUNT);
		EQUAL(seen[done.data]++, 0);
		if (done.data % 2)
			EQUAL(pattern_differs(own.bytes + done.data * 8, 8, peer, done.data, 0), 8);
	}
	barrier(&node);
	region_close(&region);
	node_close(&node);
}

/* The target does not call the library; operations on its memory end all the same. */
static void still_target(long how)
{
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(300000), local = buffer_new(300000);
	static const size_t LENGTHS[] = { 8, 5000, 300000 };

	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	if (node.info->domain_attr->data_progress != FI_PROGRESS_AUTO && !is_ours())
		skip("data_progress is FI_PROGRESS_MANUAL");
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	if (me.rank == 1 && how == READ)
		pattern(own.bytes, own.size, 1, 5, 0);
	region_share(&node, &region, own.size, targets);
	barrier(&node);
	if (me.rank == 1) {
		/* From here on no call, until the initiator is through. */
		barrier_still();
		if (how == WRITE)
			HOLDS(&own, own.size, 0, 5);
	} else {
		for (int index = 0; index < 3; index++) {
			buffer_clear(&local);
			if (how == WRITE)
				pattern(local.bytes, LENGTHS[index], 0, 5, 0);
			rma_by(&node, (enum rma_how)how, 1, local.bytes, LENGTHS[index], &targets[1], 0, 5);
			DONE(&node, TX, 5);
			if (how == READ)
				HOLDS(&local, LENGTHS[index], 1, 5);
		}
		barrier_still();
	}
	region_close(&region);
	node_close(&node);
}

/* A later operation sees what an earlier one did, where the order is promised: write after write, read after write, and
 * a message after a write. */
static void in_order(long order)
{
	enum { ROUNDS = 60 };
	static const size_t LENGTHS[] = { 8, 192, 3000, 50000 };
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(50000), first = buffer_new(50000), second = buffer_new(50000), back = buffer_new(50000);
	int peer = 1 - me.rank;

	node_open(&node, WISH(.caps = FI_MSG | FI_RMA, .msg_order = (uint64_t)order));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	size_t most = order == FI_ORDER_WAW ? node.info->ep_attr->max_order_waw_size :
		      order == FI_ORDER_RAW ? node.info->ep_attr->max_order_raw_size :
					      SIZE_MAX;
	if (most < 8)
		skip("max_order_%s_size is %zu", order == FI_ORDER_WAW ? "waw" : "raw", most);
	for (uint64_t round = 0; round < ROUNDS; round++) {
		size_t len = LENGTHS[round % 4];
		uint8_t byte;

		if (len > most)
			continue;
		pattern(first.bytes, len, me.rank, round * 2, 0);
		pattern(second.bytes, len, me.rank, round * 2 + 1, 0);
		if (order == FI_ORDER_SAW)
			recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &byte, 1, 0, 0, 9);
		barrier(&node);
		rma_by(&node, WRITE, peer, first.bytes, len, &targets[peer], 0, 1);
		if (order == FI_ORDER_WAW)
			rma_by(&node, WRITE, peer, second.bytes, len, &targets[peer], 0, 2);
		else if (order == FI_ORDER_RAW)
			rma_by(&node, READ, peer, back.bytes, len, &targets[peer], 0, 2);
		else
			send_by(&node, MSG, PLAIN, peer, &byte, 1, 0, 2);
		if (order == FI_ORDER_SAW) {
			RECEIVED(&node, MSG, 9, 1, 0);
			EQUAL(pattern_differs(own.bytes, len, peer, round * 2, 0), len);
		}
		DONE(&node, TX, 1);
		DONE(&node, TX, 2);
		if (order == FI_ORDER_RAW)
			EQUAL(pattern_differs(back.bytes, len, me.rank, round * 2, 0), len);
		barrier(&node);
		if (order == FI_ORDER_WAW)
			UNTIL_LANDED(&node, own.bytes, len, peer, round * 2 + 1, 0);
		barrier(&node);
	}
	region_close(&region);
	node_close(&node);
}

/* Reads and writes of no bytes end well. */
static void nothing(long unused)
{
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(64);
	uint8_t local[8] = { 0 };
	int peer = 1 - me.rank;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	rma_by(&node, WRITE, peer, local, 0, &targets[peer], 0, 1);
	DONE(&node, TX, 1);
	rma_by(&node, READ, peer, local, 0, &targets[peer], 64, 2);
	DONE(&node, TX, 2);
	rma_by(&node, WRITE, peer, NULL, 0, &targets[peer], 0, 3);
	DONE(&node, TX, 3);
	barrier(&node);
	UNTOUCHED_YET(&own);
	region_close(&region);
	node_close(&node);
}

#define HOW_TESTS(name, how) \
	{ "rma." name, "every size and offset, with keys and addresses as the provider likes", sizes, VARIANT(how, 0), 2, 2, 0 }
#define MODE_TESTS(name, mode, about) \
	{ "rma.write_" name, about, sizes, VARIANT(WRITE, mode), 2, 2, 0 }, { "rma.read_" name, about, sizes, VARIANT(READ, mode), 2, 2, 0 }

const struct test rma_tests[] = {
	HOW_TESTS("read", READ),
	HOW_TESTS("readv", READ_VECTOR),
	HOW_TESTS("readmsg", READ_MESSAGE),
	HOW_TESTS("write", WRITE),
	HOW_TESTS("writev", WRITE_VECTOR),
	HOW_TESTS("writemsg", WRITE_MESSAGE),
	HOW_TESTS("inject_write", WRITE_INJECT),
	HOW_TESTS("writedata", WRITE_DATA),
	HOW_TESTS("inject_writedata", WRITE_INJECT_DATA),
	MODE_TESTS("basic", 1, "virtual addresses and the provider's keys, if it asks for them"),
	MODE_TESTS("offset", 2, "offsets and the client's keys"),
	MODE_TESTS("offset_prov_key", 3, "offsets, and the provider's keys if it asks for them"),
	MODE_TESTS("virtual", 4, "virtual addresses if it asks for them, and the client's keys"),
	{ "rma.to_itself", "a rank reads and writes its own memory", to_itself, 0, 2, 2, 0 },
	{ "rma.nothing", "operations of no bytes end well and touch nothing", nothing, 0, 2, 2, 0 },
	{ "rma.write_pieces", "writes in as many pieces as the limits say", pieces, WRITE_MESSAGE, 2, 2, 0 },
	{ "rma.read_pieces", "reads in as many pieces as the limits say", pieces, READ_MESSAGE, 2, 2, 0 },
	{ "rma.many", "all ranks write to and read from all, many at the same time", many, 0, 2, 4, 0 },
	{ "rma.data_events", "each write with data gives one event, after its bytes", data_events, 0, 2, 2, 0 },
	{ "rma.write_still_target", "writes end while the target does not call the library", still_target, WRITE, 2, 2, 0 },
	{ "rma.read_still_target", "reads end while the target does not call the library", still_target, READ, 2, 2, 0 },
	{ "rma.write_after_write", "the later write stays, where FI_ORDER_WAW is promised", in_order, FI_ORDER_WAW, 2, 2, 0 },
	{ "rma.read_after_write", "a read sees the write before it, where FI_ORDER_RAW is promised", in_order, FI_ORDER_RAW, 2, 2, 0 },
	{ "rma.send_after_write", "a message comes after the write before it, where FI_ORDER_SAW is promised", in_order, FI_ORDER_SAW, 2, 2, 0 },
	{ 0 },
};
