/* Deferred work: operations that the provider begins by itself when a counter reaches a threshold. */
#include "rma.h"

#include <rdma/fi_trigger.h>

/* Memory that all works act on, and the counters that start and end them. */
struct stage {
	struct node node;
	struct buffer own, local;
	struct region region;
	struct target targets[RANKS_MAX];
	struct fid_cntr *trigger, *ended;
};

static struct fid_cntr *open_counter(struct node *node)
{
	struct fi_cntr_attr attr = { .events = FI_CNTR_EVENTS_COMP, .wait_obj = FI_WAIT_UNSPEC };
	struct fid_cntr *counter = NULL;

	OK(fi_cntr_open(node->domain, &attr, &counter, NULL));
	return counter;
}

/* A byte that a peer may be writing. */
static uint8_t byte_now(const struct buffer *buffer, size_t at)
{
	uint8_t byte;

	watched_bytes(&byte, buffer->bytes + at, 1);
	return byte;
}

static void open_stage(struct stage *stage, uint64_t caps)
{
	node_open(&stage->node, WISH(.caps = FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC | FI_TRIGGER | caps, .tx_bind = FI_SELECTIVE_COMPLETION));
	stage->own = buffer_new(65536);
	stage->local = buffer_new(65536);
	stage->region = region_open(&stage->node, stage->own.bytes, stage->own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&stage->node, &stage->region, stage->own.size, stage->targets);
	stage->trigger = open_counter(&stage->node);
	stage->ended = open_counter(&stage->node);
}

static void close_stage(struct stage *stage)
{
	barrier(&stage->node);
	/* Whether work leaves completions in the queue is the provider's choice. */
	progress(&stage->node);
	stage->node.done[TX].count = 0;
	region_close(&stage->region);
	OK(fi_close(&stage->trigger->fid));
	OK(fi_close(&stage->ended->fid));
	node_close(&stage->node);
}

static void queue(struct stage *stage, struct fi_deferred_work *work)
{
	int code = fi_control(&stage->node.domain->fid, FI_QUEUE_WORK, work);

	if (code == -FI_ENOSYS && !is_ours())
		skip("FI_QUEUE_WORK is not there");
	if (code == -FI_EAGAIN)
		FAIL("FI_QUEUE_WORK: no room");
	RETURNS(code, 0);
}

/* The vendor's provider, and ours, copy a description when it is queued: programs exist that use it again. */
#define SPOIL(object) \
	do { \
		if (is_ours()) \
			memset(&(object), 0xff, sizeof(object)); \
	} while (0)

/* A write of `len` bytes of `local` to the peer, as work. */
struct write_work {
	struct fi_deferred_work work;
	struct fi_op_rma op;
	struct iovec iov;
	struct fi_rma_iov remote;
};

static void make_rma(struct stage *stage, struct write_work *write, enum fi_op_type type, int peer, uint64_t place, size_t len,
		     struct fid_cntr *trigger, uint64_t threshold, struct fid_cntr *ended)
{
	memset(write, 0, sizeof *write);
	write->iov = (struct iovec){ stage->local.bytes + place, len };
	write->remote = (struct fi_rma_iov){ stage->targets[peer].address + place, len, stage->targets[peer].key };
	write->op.ep = stage->node.ep;
	write->op.msg = (struct fi_msg_rma){ .msg_iov = &write->iov, .iov_count = 1, .addr = stage->node.peers[peer],
					     .rma_iov = &write->remote, .rma_iov_count = 1, .context = &write->work.context };
	write->work.threshold = threshold;
	write->work.triggering_cntr = trigger;
	write->work.completion_cntr = ended;
	write->work.op_type = type;
	write->work.op.rma = &write->op;
}

/* Nothing happens below the threshold, and once at it. */
static void fire(struct stage *stage, uint64_t threshold)
{
	double end = now() + 0.04;

	while (now() < end)
		progress(&stage->node);
	EQUAL(fi_cntr_read(stage->ended), 0);
	if (threshold > 1)
		OK(fi_cntr_add(stage->trigger, threshold - 1));
	end = now() + 0.04;
	while (now() < end)
		progress(&stage->node);
	EQUAL(fi_cntr_read(stage->ended), 0);
	OK(fi_cntr_add(stage->trigger, 1));
	REACHES(&stage->node, stage->ended, 1);
}

static void one_sided(long type)
{
	static const size_t LENGTHS[] = { 8, 1000, 60000 };
	int peer = 1 - me.rank;

	for (int index = 0; index < 3; index++) {
		struct stage stage;
		struct write_work write;
		size_t len = LENGTHS[index];

		open_stage(&stage, 0);
		pattern(type == FI_OP_WRITE ? stage.local.bytes : stage.own.bytes, len, me.rank, 3, 0);
		barrier(&stage.node);
		make_rma(&stage, &write, (enum fi_op_type)type, peer, 0, len, stage.trigger, 3, stage.ended);
		queue(&stage, &write.work);
		SPOIL(write);
		fire(&stage, 3);
		if (type == FI_OP_READ)
			HOLDS(&stage.local, len, peer, 3);
		else
			UNTIL_LANDED(&stage.node, stage.own.bytes, len, peer, 3, 0);
		close_stage(&stage);
	}
}

static void message(long kind)
{
	struct stage stage;
	struct fi_deferred_work work = { 0 };
	struct fi_op_msg plain = { 0 };
	struct fi_op_tagged tagged = { 0 };
	int peer = 1 - me.rank;

	open_stage(&stage, 0);
	struct iovec iov = { stage.local.bytes, 3000 };
	pattern(stage.local.bytes, 3000, me.rank, 4, 0);
	recv_by(&stage.node, kind, PLAIN, FI_ADDR_UNSPEC, stage.own.bytes, 3000, 8, 0, 1);
	barrier(&stage.node);
	plain.ep = tagged.ep = stage.node.ep;
	plain.msg = (struct fi_msg){ .msg_iov = &iov, .iov_count = 1, .addr = stage.node.peers[peer], .context = &work.context };
	tagged.msg = (struct fi_msg_tagged){ .msg_iov = &iov, .iov_count = 1, .addr = stage.node.peers[peer], .tag = 8, .context = &work.context };
	work.threshold = 2;
	work.triggering_cntr = stage.trigger;
	work.completion_cntr = stage.ended;
	work.op_type = kind == MSG ? FI_OP_SEND : FI_OP_TSEND;
	if (kind == MSG)
		work.op.msg = &plain;
	else
		work.op.tagged = &tagged;
	queue(&stage, &work);
	SPOIL(work);
	SPOIL(plain);
	SPOIL(tagged);
	SPOIL(iov);
	fire(&stage, 2);
	RECEIVED(&stage.node, kind, 1, 3000, 8);
	HOLDS(&stage.own, 3000, peer, 4);
	close_stage(&stage);
}

static void atomic(long type)
{
	struct stage stage;
	struct fi_deferred_work work = { 0 };
	struct fi_op_atomic plain = { 0 };
	struct fi_op_fetch_atomic fetch = { 0 };
	struct fi_op_compare_atomic compare = { 0 };
	uint64_t operand = 5, result = 0, compared = 7;
	struct fi_ioc ioc = { &operand, 1 }, result_ioc = { &result, 1 }, compare_ioc = { &compared, 1 };
	int peer = 1 - me.rank;

	open_stage(&stage, 0);
	volatile uint64_t *word = (volatile uint64_t *)stage.own.bytes;
	*word = 7;
	barrier(&stage.node);
	struct fi_rma_ioc remote = { stage.targets[peer].address, 1, stage.targets[peer].key };
	struct fi_msg_atomic msg = { .msg_iov = &ioc, .iov_count = 1, .addr = stage.node.peers[peer], .rma_iov = &remote, .rma_iov_count = 1,
				     .datatype = FI_UINT64, .op = type == FI_OP_COMPARE_ATOMIC ? FI_CSWAP : FI_SUM, .context = &work.context };
	plain.ep = fetch.ep = compare.ep = stage.node.ep;
	plain.msg = fetch.msg = compare.msg = msg;
	fetch.fetch = compare.fetch = (struct fi_msg_fetch){ .msg_iov = &result_ioc, .iov_count = 1 };
	compare.compare = (struct fi_msg_compare){ .msg_iov = &compare_ioc, .iov_count = 1 };
	work.threshold = 1;
	work.triggering_cntr = stage.trigger;
	work.completion_cntr = stage.ended;
	work.op_type = (enum fi_op_type)type;
	if (type == FI_OP_ATOMIC)
		work.op.atomic = &plain;
	else if (type == FI_OP_FETCH_ATOMIC)
		work.op.fetch_atomic = &fetch;
	else
		work.op.compare_atomic = &compare;
	queue(&stage, &work);
	SPOIL(work);
	SPOIL(plain);
	SPOIL(fetch);
	SPOIL(compare);
	SPOIL(ioc);
	SPOIL(result_ioc);
	SPOIL(compare_ioc);
	SPOIL(remote);
	fire(&stage, 1);
	UNTIL(&stage.node, watched(word) == (type == FI_OP_COMPARE_ATOMIC ? 5 : 12));
	if (type != FI_OP_ATOMIC)
		EQUAL(result, 7);
	close_stage(&stage);
}

/* Work that sets or adds to another counter. */
static void counter(long type)
{
	struct stage stage;
	struct fi_deferred_work work = { 0 };
	struct fi_op_cntr op = { 0 };

	open_stage(&stage, 0);
	struct fid_cntr *other = open_counter(&stage.node);
	OK(fi_cntr_set(other, 100));
	op.cntr = other;
	op.value = 11;
	work.threshold = 4;
	work.triggering_cntr = stage.trigger;
	work.op_type = (enum fi_op_type)type;
	work.op.cntr = &op;
	queue(&stage, &work);
	SPOIL(work);
	SPOIL(op);
	OK(fi_cntr_add(stage.trigger, 3));
	QUIET(&stage.node, 40);
	EQUAL(fi_cntr_read(other), 100);
	OK(fi_cntr_add(stage.trigger, 1));
	UNTIL(&stage.node, fi_cntr_read(other) == (type == FI_OP_CNTR_SET ? 11 : 111));
	OK(fi_close(&other->fid));
	close_stage(&stage);
}

/* Each work's end starts the next one. */
static void chain(long unused)
{
	enum { COUNT = 10, LEN = 2000 };
	struct stage stage;
	static struct write_work writes[COUNT];
	struct fid_cntr *links[COUNT + 1];
	int peer = 1 - me.rank;

	(void)unused;
	open_stage(&stage, 0);
	for (int i = 0; i <= COUNT; i++)
		links[i] = open_counter(&stage.node);
	for (int i = 0; i < COUNT; i++)
		pattern(stage.local.bytes + i * LEN, LEN, me.rank, (uint64_t)i, 0);
	for (int i = COUNT - 1; i >= 0; i--) {
		make_rma(&stage, &writes[i], FI_OP_WRITE, peer, (uint64_t)i * LEN, LEN, links[i], 1, links[i + 1]);
		queue(&stage, &writes[i].work);
	}
	barrier(&stage.node);
	QUIET(&stage.node, 30);
	for (int i = 1; i <= COUNT; i++)
		EQUAL(fi_cntr_read(links[i]), 0);
	barrier(&stage.node);
	OK(fi_cntr_add(links[0], 1));
	REACHES(&stage.node, links[COUNT], 1);
	for (uint64_t i = 0; i < COUNT; i++)
		UNTIL_LANDED(&stage.node, stage.own.bytes + i * LEN, LEN, peer, i, 0);
	for (int i = 0; i <= COUNT; i++)
		OK(fi_close(&links[i]->fid));
	close_stage(&stage);
}

/* Many works on one counter, with thresholds in random order: each goes when it is its turn. */
static void thresholds(long unused)
{
	enum { COUNT = 64, LEN = 512 };
	struct stage stage;
	static struct write_work writes[COUNT];
	int peer = 1 - me.rank;

	(void)unused;
	open_stage(&stage, 0);
	for (uint64_t i = 0; i < COUNT; i++) {
		/* 37 has no factor in common with 64: every threshold once. */
		uint64_t place = i * 37 % COUNT;

		pattern(stage.local.bytes + place * LEN, LEN, me.rank, place, 0);
		make_rma(&stage, &writes[i], FI_OP_WRITE, peer, place * LEN, LEN, stage.trigger, place + 1, stage.ended);
		queue(&stage, &writes[i].work);
	}
	barrier(&stage.node);
	for (uint64_t step = 0; step < COUNT; step++) {
		OK(fi_cntr_add(stage.trigger, 1));
		REACHES(&stage.node, stage.ended, step + 1);
	}
	barrier(&stage.node);
	for (uint64_t i = 0; i < COUNT; i++)
		UNTIL_LANDED(&stage.node, stage.own.bytes + i * LEN, LEN, peer, i, 0);
	close_stage(&stage);
}

/* Work whose threshold is reached already begins immediately. */
static void already_reached(long unused)
{
	struct stage stage;
	struct write_work write;
	int peer = 1 - me.rank;

	(void)unused;
	open_stage(&stage, 0);
	pattern(stage.local.bytes, 100, me.rank, 1, 0);
	OK(fi_cntr_add(stage.trigger, 5));
	UNTIL(&stage.node, fi_cntr_read(stage.trigger) == 5);
	barrier(&stage.node);
	make_rma(&stage, &write, FI_OP_WRITE, peer, 0, 100, stage.trigger, 5, stage.ended);
	queue(&stage, &write.work);
	REACHES(&stage.node, stage.ended, 1);
	UNTIL_LANDED(&stage.node, stage.own.bytes, 100, peer, 1, 0);
	close_stage(&stage);
}

/* Work that was cancelled, or flushed, is never done. */
static void cancelled(long is_flush)
{
	struct stage stage;
	struct write_work writes[3];
	int peer = 1 - me.rank;

	open_stage(&stage, 0);
	pattern(stage.local.bytes, 3000, me.rank, 1, 0);
	for (int i = 0; i < 3; i++) {
		make_rma(&stage, &writes[i], FI_OP_WRITE, peer, (uint64_t)i * 1000, 1000, stage.trigger, 2, stage.ended);
		queue(&stage, &writes[i].work);
	}
	int code = fi_control(&stage.node.domain->fid, is_flush ? FI_FLUSH_WORK : FI_CANCEL_WORK, is_flush ? NULL : &writes[1].work);
	if (code == -FI_ENOSYS && !is_ours())
		skip("%s is not there", is_flush ? "FI_FLUSH_WORK" : "FI_CANCEL_WORK");
	RETURNS(code, 0);
	barrier(&stage.node);
	OK(fi_cntr_add(stage.trigger, 2));
	if (!is_flush)
		REACHES(&stage.node, stage.ended, 2);
	barrier(&stage.node);
	QUIET(&stage.node, 60);
	EQUAL(fi_cntr_read(stage.ended), is_flush ? 0 : 2);
	barrier(&stage.node);
	for (int i = 0; i < 3; i++) {
		bool is_written = !is_flush && i != 1;

		if (is_written)
			UNTIL(&stage.node, byte_now(&stage.own, i * 1000 + 999) != UNTOUCHED || byte_now(&stage.own, i * 1000) != UNTOUCHED);
		else
			for (int byte = 0; byte < 1000; byte++)
				EQUAL(stage.own.bytes[i * 1000 + byte], UNTOUCHED);
	}
	close_stage(&stage);
}

/* Round the ranks without a call between: what arrives starts what is sent on. */
static void ring(long unused)
{
	struct stage stage;
	struct write_work write;
	int next = (me.rank + 1) % me.ranks;
	struct fid_cntr *arrived;

	(void)unused;
	open_stage(&stage, FI_RMA_EVENT);
	region_close(&stage.region);
	arrived = open_counter(&stage.node);
	stage.region = region_open_counted(&stage.node, stage.own.bytes, stage.own.size, FI_REMOTE_READ | FI_REMOTE_WRITE, arrived);
	region_share(&stage.node, &stage.region, stage.own.size, stage.targets);
	/* What arrives at byte 0 is sent on from there. */
	make_rma(&stage, &write, FI_OP_WRITE, next, 0, 4000, me.rank == 0 ? stage.trigger : arrived, 1, stage.ended);
	write.iov.iov_base = me.rank == 0 ? stage.local.bytes : stage.own.bytes;
	if (me.rank == 0)
		pattern(stage.local.bytes, 4000, 0, 9, 0);
	queue(&stage, &write.work);
	barrier(&stage.node);
	if (me.rank == 0)
		OK(fi_cntr_add(stage.trigger, 1));
	if (me.rank == 0)
		REACHES(&stage.node, arrived, 1);
	barrier(&stage.node);
	REACHES(&stage.node, stage.ended, 1);
	UNTIL_LANDED(&stage.node, stage.own.bytes, 4000, 0, 9, 0);
	barrier(&stage.node);
	region_close(&stage.region);
	stage.region = region_open(&stage.node, stage.own.bytes, 64, FI_REMOTE_READ);
	OK(fi_close(&arrived->fid));
	close_stage(&stage);
}

const struct test deferred_tests[] = {
	{ "deferred.write", "a deferred write goes at its threshold, not before", one_sided, FI_OP_WRITE, 2, 2, 0 },
	{ "deferred.read", "a deferred read goes at its threshold, not before", one_sided, FI_OP_READ, 2, 2, 0 },
	{ "deferred.send", "a deferred message goes at its threshold, not before", message, MSG, 2, 2, 0 },
	{ "deferred.tsend", "a deferred tagged message goes at its threshold, not before", message, TAGGED, 2, 2, 0 },
	{ "deferred.atomic", "a deferred atomic goes at its threshold, not before", atomic, FI_OP_ATOMIC, 2, 2, 0 },
	{ "deferred.fetch_atomic", "a deferred fetching atomic goes at its threshold", atomic, FI_OP_FETCH_ATOMIC, 2, 2, 0 },
	{ "deferred.compare_atomic", "a deferred comparing atomic goes at its threshold", atomic, FI_OP_COMPARE_ATOMIC, 2, 2, 0 },
	{ "deferred.counter_set", "deferred work sets a counter", counter, FI_OP_CNTR_SET, 1, 1, 0 },
	{ "deferred.counter_add", "deferred work adds to a counter", counter, FI_OP_CNTR_ADD, 1, 1, 0 },
	{ "deferred.chain", "each work's end starts the next", chain, 0, 2, 2, 0 },
	{ "deferred.thresholds", "many works on one counter go one by one", thresholds, 0, 2, 2, 0 },
	{ "deferred.already_reached", "work whose threshold is reached begins immediately", already_reached, 0, 2, 2, 0 },
	{ "deferred.cancel", "cancelled work is never done, the rest is", cancelled, 0, 2, 2, 0 },
	{ "deferred.flush", "flushed work is never done", cancelled, 1, 2, 2, 0 },
	{ "deferred.ring", "what arrives starts what is sent on, all round the ranks", ring, 0, 2, 4, 0 },
	{ 0 },
};
