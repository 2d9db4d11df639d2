/* Counters: set, add, wait, errors, and what operations count. */
#include "rma.h"

static struct fid_cntr *open_counter(struct node *node, enum fi_wait_obj wait)
{
	struct fi_cntr_attr attr = { .events = FI_CNTR_EVENTS_COMP, .wait_obj = wait };
	struct fid_cntr *counter = NULL;
	int code = fi_cntr_open(node->domain, &attr, &counter, NULL);

	if (code == -FI_ENOSYS && !is_ours())
		skip("fi_cntr_open is not there for wait object %d", (int)wait);
	RETURNS(code, 0);
	return counter;
}

/* What a caller does to a counter it can read back. Counters that hardware holds may need a moment. */
static void values(long unused)
{
	struct node node;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	struct fid_cntr *counter = open_counter(&node, FI_WAIT_UNSPEC);
	EQUAL(fi_cntr_read(counter), 0);
	EQUAL(fi_cntr_readerr(counter), 0);
	OK(fi_cntr_add(counter, 5));
	UNTIL(&node, fi_cntr_read(counter) == 5);
	OK(fi_cntr_add(counter, 1ull << 24));
	UNTIL(&node, fi_cntr_read(counter) == (1ull << 24) + 5);
	OK(fi_cntr_set(counter, 9));
	UNTIL(&node, fi_cntr_read(counter) == 9);
	OK(fi_cntr_adderr(counter, 2));
	UNTIL(&node, fi_cntr_readerr(counter) == 2);
	EQUAL(fi_cntr_read(counter), 9);
	OK(fi_cntr_seterr(counter, 7));
	UNTIL(&node, fi_cntr_readerr(counter) == 7);
	OK(fi_cntr_seterr(counter, 0));
	UNTIL(&node, fi_cntr_readerr(counter) == 0);
	OK(fi_cntr_set(counter, 0));
	UNTIL(&node, fi_cntr_read(counter) == 0);
	OK(fi_close(&counter->fid));
	node_close_alone(&node);
}

/* The end of the range: 48 bits of successes and 7 of failures, as the hardware has them. */
static void range(long unused)
{
	struct node node;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	struct fid_cntr *counter = open_counter(&node, FI_WAIT_UNSPEC);
	OK(fi_cntr_set(counter, (1ull << 48) - 2));
	OK(fi_cntr_add(counter, 1));
	UNTIL(&node, fi_cntr_read(counter) == (1ull << 48) - 1);
	OK(fi_cntr_seterr(counter, 126));
	OK(fi_cntr_adderr(counter, 1));
	UNTIL(&node, fi_cntr_readerr(counter) == 127);
	OK(fi_close(&counter->fid));
	node_close_alone(&node);
}

/* Waits that end immediately, when the value is reached, and without a result. */
static void waits(long unused)
{
	struct node node;
	double began;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	struct fid_cntr *counter = open_counter(&node, FI_WAIT_UNSPEC);
	int code = fi_cntr_wait(counter, 0, 100);
	if (code == -FI_ENOSYS && !is_ours())
		skip("fi_cntr_wait is not there");
	RETURNS(code, 0);
	OK(fi_cntr_add(counter, 3));
	RETURNS(fi_cntr_wait(counter, 3, 5000), 0);
	RETURNS(fi_cntr_wait(counter, 2, -1), 0);
	began = now();
	RETURNS(fi_cntr_wait(counter, 4, 60), -FI_ETIMEDOUT);
	CHECK(now() - began > 0.05);
	OK(fi_close(&counter->fid));
	node_close_alone(&node);
}

/* A wait that an error ends. */
static void wait_error(long unused)
{
	struct node node;
	uint8_t small, big[64] = { 0 };

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG, .has_counters = true));
	if (me.rank == 1) {
		recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &small, 1, 0, 0, 1);
		barrier(&node);
		int code = fi_cntr_wait(node.rx_cntr, 1, 8000);
		if (code == -FI_ENOSYS && !is_ours())
			skip("fi_cntr_wait is not there");
		RETURNS(code, -FI_EAVAIL);
		EQUAL(fi_cntr_readerr(node.rx_cntr), 1);
		EQUAL(fi_cntr_read(node.rx_cntr), 0);
		EQUAL(FAULT(&node, RX, 1).err, FI_ETRUNC);
	} else {
		barrier(&node);
		send_by(&node, MSG, PLAIN, 1, big, 64, 0, 1);
		UNTIL(&node, waiting(&node, TX) > 0);
		node.done[TX].count = 0;
	}
	node_close(&node);
}

/* A wait that messages end. */
static void wait_messages(long unused)
{
	enum { COUNT = 20 };
	struct node node;
	uint8_t bytes[COUNT];

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG, .has_counters = true));
	if (me.rank == 1) {
		for (uint64_t i = 0; i < COUNT; i++)
			recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &bytes[i], 1, 0, 0, i);
		barrier(&node);
		for (uint64_t i = 1; i <= COUNT; i++)
			RETURNS(fi_cntr_wait(node.rx_cntr, i, 8000), 0);
		for (uint64_t i = 0; i < COUNT; i++)
			RECEIVED(&node, MSG, i, 1, 0);
	} else {
		barrier(&node);
		for (uint64_t i = 0; i < COUNT; i++) {
			sleep_ms(5);
			send_by(&node, MSG, PLAIN, 1, &bytes[0], 1, 0, 1);
			DONE(&node, TX, 1);
		}
		EQUAL(fi_cntr_read(node.tx_cntr), COUNT);
	}
	node_close(&node);
}

/* Every message counts once on either side, by whatever function and size; so do injects. */
static void messages(long kind)
{
	struct node node;
	uint64_t count = 0;
	static const size_t LENGTHS[] = { 8, 5000, 100000 };
	struct buffer buffer = buffer_new(100000);

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind), .has_counters = true));
	for (int index = 0; index < 3; index++)
		for (int how = 0; how < HOWS; how++) {
			if (LENGTHS[index] > longest(&node, (enum how)how))
				continue;
			count++;
			if (me.rank == 0) {
				send_by(&node, kind, (enum how)how, 1, buffer.bytes, LENGTHS[index], 6, 1);
				if (completes((enum how)how))
					DONE(&node, TX, 1);
			} else {
				recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, LENGTHS[index], 6, 0, 1);
				RECEIVED(&node, kind, 1, LENGTHS[index], 6);
			}
		}
	REACHES(&node, me.rank == 0 ? node.tx_cntr : node.rx_cntr, count);
	QUIET(&node, 20);
	EQUAL(fi_cntr_read(node.tx_cntr), me.rank == 0 ? count : 0);
	EQUAL(fi_cntr_read(node.rx_cntr), me.rank == 0 ? 0 : count);
	EQUAL(fi_cntr_readerr(node.tx_cntr), 0);
	EQUAL(fi_cntr_readerr(node.rx_cntr), 0);
	node_close(&node);
}

/* Every one-sided operation counts once at its initiator, and a refused one as an error. */
static void one_sided(long unused)
{
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(4096), local = buffer_new(4096);
	uint64_t count = 0;
	int peer = 1 - me.rank;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA, .has_counters = true));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	for (int how = READ; how <= WRITE_INJECT; how++) {
		size_t len = rma_completes((enum rma_how)how) ? 4096 : node.info->tx_attr->inject_size < 64 ? node.info->tx_attr->inject_size : 64;

		if (len == 0)
			continue;
		rma_by(&node, (enum rma_how)how, peer, local.bytes, len, &targets[peer], 0, 1);
		if (rma_completes((enum rma_how)how))
			DONE(&node, TX, 1);
		count++;
	}
	REACHES(&node, node.tx_cntr, count);
	EQUAL(fi_cntr_readerr(node.tx_cntr), 0);
	barrier(&node);
	if (is_ours()) {
		struct target wrong = targets[peer];

		wrong.key ^= 0x5a;
		rma_by(&node, WRITE, peer, local.bytes, 64, &wrong, 0, 1);
		FAULT(&node, TX, 1);
		UNTIL(&node, fi_cntr_readerr(node.tx_cntr) == 1);
		EQUAL(fi_cntr_read(node.tx_cntr), count);
	}
	barrier(&node);
	EQUAL(fi_cntr_read(node.rx_cntr), 0);
	region_close(&region);
	node_close(&node);
}

/* Counters count what selective completion leaves out of the queue. */
static void without_completions(long unused)
{
	enum { COUNT = 50 };
	struct node node;
	uint8_t bytes[COUNT] = { 0 };

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG, .has_counters = true, .tx_bind = FI_SELECTIVE_COMPLETION, .rx_bind = FI_SELECTIVE_COMPLETION));
	if (me.rank == 1)
		for (uint64_t i = 0; i < COUNT; i++)
			POST(&node, fi_recv(node.ep, &bytes[i], 1, NULL, FI_ADDR_UNSPEC, ctx(&node, i)));
	barrier(&node);
	if (me.rank == 0)
		for (uint64_t i = 0; i < COUNT; i++)
			POST(&node, fi_send(node.ep, &bytes[i], 1, NULL, node.peers[1], ctx(&node, i)));
	REACHES(&node, me.rank == 0 ? node.tx_cntr : node.rx_cntr, COUNT);
	QUIET(&node, 20);
	node_close(&node);
}

/* Hundreds of counters count separately. */
static void plenty(long unused)
{
	enum { COUNT = 200 };
	struct node node;
	static struct fid_cntr *counters[COUNT];

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	for (int i = 0; i < COUNT; i++)
		counters[i] = open_counter(&node, FI_WAIT_UNSPEC);
	for (int i = 0; i < COUNT; i++)
		OK(fi_cntr_add(counters[i], (uint64_t)i));
	for (int i = 0; i < COUNT; i++)
		UNTIL(&node, fi_cntr_read(counters[i]) == (uint64_t)i);
	for (int i = 0; i < COUNT; i++)
		OK(fi_close(&counters[i]->fid));
	node_close_alone(&node);
}

const struct test counter_tests[] = {
	{ "counter.values", "a counter holds what it is set to and what is added", values, 0, 1, 1, 0 },
	{ "counter.range", "a counter holds 48 bits of successes and 7 of failures", range, 0, 1, 1, TEST_OURS },
	{ "counter.wait", "waits end at the threshold or at the time", waits, 0, 1, 1, 0 },
	{ "counter.wait_error", "a wait ends with -FI_EAVAIL when an error is counted", wait_error, 0, 2, 2, 0 },
	{ "counter.wait_messages", "a wait ends when messages have come", wait_messages, 0, 2, 2, 0 },
	{ "counter.msg", "each message counts once on either side", messages, MSG, 2, 2, 0 },
	{ "counter.tagged", "each tagged message counts once on either side", messages, TAGGED, 2, 2, 0 },
	{ "counter.rma", "each one-sided operation counts once at its initiator", one_sided, 0, 2, 2, 0 },
	{ "counter.selective", "operations without completion count all the same", without_completions, 0, 2, 2, 0 },
	{ "counter.plenty", "hundreds of counters keep apart", plenty, 0, 1, 1, 0 },
	{ 0 },
};
