/* The vendor's flags of operations: packets without order, the high rate, operations that are sent once, and those by the
 * processor's bus. What they change is seen in counts, in completions, and in what a bad network makes of them. */
#include "vendor.h"

enum { FAST_KEY = 7, SLOW_KEY = 1007, LEN = 4096 };

/* A node with a fast region, of a low key, and another; those of the peer. */
struct pair {
	struct node node;
	struct fid_mr *fast, *slow;
	struct buffer own, local;
	struct target of_fast[2], of_slow[2];
	int peer;
};

static struct fid_mr *open_region(struct node *node, void *bytes, uint64_t key)
{
	struct fid_mr *mr;

	OK(fi_mr_reg(node->domain, bytes, LEN, FI_REMOTE_READ | FI_REMOTE_WRITE, 0, key, 0, &mr, NULL));
	if (node->info->domain_attr->mr_mode & FI_MR_ENDPOINT) {
		OK(fi_mr_bind(mr, &node->ep->fid, 0));
		OK(fi_mr_enable(mr));
	}
	return mr;
}

static void pair_open(struct pair *pair, uint64_t caps)
{
	struct target mine;

	memset(pair, 0, sizeof *pair);
	pair->own = buffer_new(2 * LEN);
	pair->local = buffer_new(2 * LEN);
	memset(pair->own.bytes, 0, 2 * LEN);
	pair->peer = 1 - me.rank;
	node_open(&pair->node, WISH(.caps = caps));
	pair->fast = open_region(&pair->node, pair->own.bytes, FAST_KEY);
	pair->slow = open_region(&pair->node, pair->own.bytes + LEN, SLOW_KEY);
	bool is_virtual = pair->node.info->domain_attr->mr_mode & FI_MR_VIRT_ADDR;
	mine = (struct target){ fi_mr_key(pair->fast), is_virtual ? (uint64_t)(uintptr_t)pair->own.bytes : 0, LEN };
	exchange(&mine, sizeof mine, pair->of_fast, NULL, NULL);
	mine = (struct target){ fi_mr_key(pair->slow), is_virtual ? (uint64_t)(uintptr_t)pair->own.bytes + LEN : 0, LEN };
	exchange(&mine, sizeof mine, pair->of_slow, NULL, NULL);
}

static void pair_close(struct pair *pair)
{
	barrier(&pair->node);
	OK(fi_close(&pair->fast->fid));
	OK(fi_close(&pair->slow->fid));
	node_close(&pair->node);
}

static bool has_own_keys(const struct pair *pair)
{
	return !(pair->node.info->domain_attr->mr_mode & FI_MR_PROV_KEY);
}

/* A write with flags; the call's code. */
static ssize_t write_with(struct pair *pair, struct fid_ep *ep, const struct target *target, size_t len, uint64_t flags, bool is_read)
{
	struct iovec range = { pair->local.bytes, len };
	struct fi_rma_iov there = { target->address, len, target->key };
	struct fi_msg_rma msg = { .msg_iov = &range, .iov_count = 1, .addr = pair->node.peers[pair->peer], .rma_iov = &there, .rma_iov_count = 1, .context = ctx(&pair->node, 1) };

	return is_read ? fi_readmsg(ep, &msg, flags) : fi_writemsg(ep, &msg, flags);
}

/* An addition of `count` ones with flags; the call's code. */
static ssize_t add_with(struct pair *pair, const struct target *target, size_t count, uint64_t flags, uint64_t number)
{
	static uint64_t ones[64];
	struct fi_ioc range = { ones, count };
	struct fi_rma_ioc there = { target->address, count, target->key };
	struct fi_msg_atomic msg = { .msg_iov = &range, .iov_count = 1, .addr = pair->node.peers[pair->peer], .rma_iov = &there, .rma_iov_count = 1,
				     .datatype = FI_UINT64, .op = FI_SUM, .context = ctx(&pair->node, number) };

	for (int i = 0; i < 64; i++)
		ones[i] = 1;
	return fi_atomicmsg(pair->node.ep, &msg, flags);
}

static bool is_between_hosts(void)
{
	const char *wires = getenv("FI_PHILAE_WIRES");

	return wires && strcmp(wires, "udp") == 0;
}

/* Writes at the high rate: they arrive and complete, and are counted where they target a fast region. */
static void high_rate(long unused)
{
	static const size_t LENGTHS[] = { 0, 8, 192, 1024, 1025, LEN };
	struct pair pair;
	uint64_t expected = 0;

	(void)unused;
	pair_open(&pair, FI_MSG | FI_RMA);
	for (int i = 0; i < 6; i++) {
		pattern(pair.local.bytes, LENGTHS[i], me.rank, (uint64_t)i, 0);
		POST(&pair.node, write_with(&pair, pair.node.ep, &pair.of_fast[pair.peer], LENGTHS[i], HIGH_RATE_PUT | FI_COMPLETION, false));
		EQUAL(DONE(&pair.node, TX, 1).flags & (FI_RMA | FI_WRITE), FI_RMA | FI_WRITE);
		EQUAL(counted_by(&pair.node, "high_rate"), ++expected);
		/* What was delivered is there, whatever the answer: a read behind it sees it. */
		struct buffer back = buffer_new(LEN);
		POST(&pair.node, fi_read(pair.node.ep, back.bytes, LENGTHS[i], NULL, pair.node.peers[pair.peer], pair.of_fast[pair.peer].address,
					 pair.of_fast[pair.peer].key, ctx(&pair.node, 2)));
		DONE(&pair.node, TX, 2);
		EQUAL(pattern_differs(back.bytes, LENGTHS[i], me.rank, (uint64_t)i, 0), LENGTHS[i]);
		buffer_free(&back);
		POST(&pair.node, write_with(&pair, pair.node.ep, &pair.of_fast[pair.peer], LENGTHS[i], FI_COMPLETION, false));
		DONE(&pair.node, TX, 1);
		EQUAL(counted_by(&pair.node, "high_rate"), expected);
	}
	EQUAL(counted_by(&pair.node, "restricted"), expected);
	if (has_own_keys(&pair)) {
		POST(&pair.node, write_with(&pair, pair.node.ep, &pair.of_slow[pair.peer], 64, HIGH_RATE_PUT | FI_COMPLETION, false));
		DONE(&pair.node, TX, 1);
		EQUAL(counted_by(&pair.node, "high_rate"), expected);
	}
	RETURNS(write_with(&pair, pair.node.ep, &pair.of_fast[pair.peer], 64, HIGH_RATE_PUT | FI_COMPLETION, true), -FI_EINVAL);
	pair_close(&pair);
}

/* Writes that ask for no order go in packets without it, to fast regions. */
static void restricted(long unused)
{
	struct pair pair;
	struct fid_ep *alias = NULL;
	uint64_t order = 0;
	bool off = false;

	(void)unused;
	pair_open(&pair, FI_MSG | FI_RMA);
	OK(fi_ep_alias(pair.node.ep, &alias, FI_TRANSMIT | FI_COMPLETION));
	POST(&pair.node, write_with(&pair, alias, &pair.of_fast[pair.peer], 64, FI_COMPLETION, false));
	DONE(&pair.node, TX, 1);
	EQUAL(counted_by(&pair.node, "restricted"), 0);
	OK(fi_set_val(&alias->fid, SET_MSG_ORDER, &order));
	POST(&pair.node, write_with(&pair, alias, &pair.of_fast[pair.peer], 64, FI_COMPLETION, false));
	DONE(&pair.node, TX, 1);
	EQUAL(counted_by(&pair.node, "restricted"), 1);
	EQUAL(counted_by(&pair.node, "high_rate"), 0);
	/* The endpoint itself keeps its order. */
	POST(&pair.node, write_with(&pair, pair.node.ep, &pair.of_fast[pair.peer], 64, FI_COMPLETION, false));
	DONE(&pair.node, TX, 1);
	EQUAL(counted_by(&pair.node, "restricted"), 1);
	/* Without fast regions there are no such packets. */
	OK(fi_set_val(&pair.node.domain->fid, SET_OPTIMIZED_MRS, &off));
	POST(&pair.node, write_with(&pair, alias, &pair.of_fast[pair.peer], 64, FI_COMPLETION, false));
	DONE(&pair.node, TX, 1);
	EQUAL(counted_by(&pair.node, "restricted"), 1);
	OK(fi_close(&alias->fid));
	pair_close(&pair);
}

/* Operations that are sent once: on a good network all of them work; what they cannot be is refused. */
static void unreliable(long unused)
{
	enum { COUNT = 100 };
	struct pair pair;
	const struct target *fast;
	uint64_t rate = 0;

	(void)unused;
	pair_open(&pair, FI_MSG | FI_RMA | FI_ATOMIC);
	fast = &pair.of_fast[pair.peer];
	for (uint64_t i = 0; i < COUNT; i++) {
		POST(&pair.node, add_with(&pair, fast, 1, UNRELIABLE | FI_COMPLETION, 1));
		DONE(&pair.node, TX, 1);
	}
	barrier(&pair.node);
	EQUAL(*(volatile uint64_t *)pair.own.bytes, COUNT);
	barrier(&pair.node);
	EQUAL(counted_by(&pair.node, "unreliable"), COUNT);
	EQUAL(counted_by(&pair.node, "unreliable_lost"), 0);
	EQUAL(counted_by(&pair.node, "restricted"), COUNT);
	if (is_between_hosts()) {
		EQUAL(counted_by(&pair.node, "once_sent"), COUNT);
		EQUAL(counted_by(&pair.node, "once_received"), COUNT);
	}
	/* Both have looked before more comes. */
	barrier(&pair.node);
	/* At the high rate it is over when it has left, and comes a little later. */
	for (uint64_t i = 0; i < COUNT; i++) {
		POST(&pair.node, add_with(&pair, fast, 1, UNRELIABLE | HIGH_RATE_PUT | FI_COMPLETION, 1));
		DONE(&pair.node, TX, 1);
		rate++;
	}
	UNTIL(&pair.node, watched(pair.own.bytes) == 2 * COUNT);
	barrier(&pair.node);
	EQUAL(counted_by(&pair.node, "high_rate"), rate);
	/* The greatest packet, and one beyond. */
	POST(&pair.node, add_with(&pair, fast, 28, UNRELIABLE | FI_COMPLETION, 1));
	DONE(&pair.node, TX, 1);
	RETURNS(add_with(&pair, fast, 29, UNRELIABLE, 1), -FI_EMSGSIZE);
	RETURNS(add_with(&pair, fast, 1, HIGH_RATE_PUT, 1), -FI_EINVAL);
	if (has_own_keys(&pair))
		RETURNS(add_with(&pair, &pair.of_slow[pair.peer], 1, UNRELIABLE, 1), -FI_EINVAL);
	uint64_t one = 1, found = 0;
	struct fi_ioc range = { &one, 1 }, result = { &found, 1 };
	struct fi_rma_ioc there = { fast->address, 1, fast->key };
	struct fi_msg_atomic msg = { .msg_iov = &range, .iov_count = 1, .addr = pair.node.peers[pair.peer], .rma_iov = &there, .rma_iov_count = 1, .datatype = FI_UINT64, .op = FI_SUM };
	RETURNS(fi_fetch_atomicmsg(pair.node.ep, &msg, &result, NULL, 1, UNRELIABLE), -FI_EINVAL);
	CHECK(write_with(&pair, pair.node.ep, fast, 8, UNRELIABLE, false) < 0);
	struct iovec bytes = { &one, 8 };
	struct fi_msg message = { .msg_iov = &bytes, .iov_count = 1, .addr = pair.node.peers[pair.peer] };
	CHECK(fi_sendmsg(pair.node.ep, &message, UNRELIABLE) < 0);
	CHECK(fi_sendmsg(pair.node.ep, &message, HIGH_RATE_PUT) < 0);
	/* A wrong key is an error, as for any other. */
	struct target wrong = *fast;
	wrong.key = has_own_keys(&pair) ? 55 : fast->key ^ 1;
	POST(&pair.node, add_with(&pair, &wrong, 1, UNRELIABLE | FI_COMPLETION, 3));
	FAULT(&pair.node, TX, 3);
	pair_close(&pair);
}

/* On a bad network each ends once, well or with an error; none is done twice, and none that ended well is missing. */
static void lossy(long unused)
{
	enum { COUNT = 150 };
	struct pair pair;
	uint64_t counts[RANKS_MAX][2], mine[2], good = 0, bad = 0;

	(void)unused;
	setenv("FI_PHILAE_FAULTS", "seed=5,drop=15%,dup=15%,reorder=10%", 1);
	pair_open(&pair, FI_MSG | FI_RMA | FI_ATOMIC);
	for (uint64_t i = 0; i < COUNT; i++)
		POST(&pair.node, add_with(&pair, &pair.of_fast[pair.peer], 1, UNRELIABLE | FI_COMPLETION, i));
	while (good + bad < COUNT) {
		UNTIL(&pair.node, waiting(&pair.node, TX) > 0);
		for (size_t i = 0; i < pair.node.done[TX].count; i++)
			*(pair.node.done[TX].items[i].err ? &bad : &good) += 1;
		pair.node.done[TX].count = 0;
	}
	EQUAL(good + bad, COUNT);
	EQUAL(counted_by(&pair.node, "unreliable_lost"), bad);
	mine[0] = good;
	mine[1] = bad;
	barrier(&pair.node);
	exchange(mine, sizeof mine, counts, NULL, NULL);
	uint64_t sum = *(volatile uint64_t *)pair.own.bytes;
	barrier(&pair.node);
	note("%llu of %d additions ended well, %llu of the peer's are here", (unsigned long long)good, COUNT, (unsigned long long)sum);
	CHECK(sum >= counts[pair.peer][0]);
	CHECK(sum <= COUNT);
	if (is_by_datagrams())
		CHECK(bad > 0 && sum < COUNT);
	else
		EQUAL(bad, 0);
	/* Others are sent again, and all of them work. */
	for (uint64_t i = 0; i < 20; i++) {
		POST(&pair.node, add_with(&pair, &pair.of_fast[pair.peer], 1, FI_COMPLETION, 1));
		DONE(&pair.node, TX, 1);
	}
	barrier(&pair.node);
	EQUAL(*(volatile uint64_t *)pair.own.bytes, sum + 20);
	pair_close(&pair);
}

/* Additions by the processor's bus are one step with the processor's own, where they are to be had. */
static void by_bus(long unused)
{
	enum { COUNT = 2000 };
	struct pair pair;
	struct fi_atomic_attr attr;
	uint64_t one = 1, found = 0, done = 0;

	(void)unused;
	pair_open(&pair, FI_MSG | FI_RMA | FI_ATOMIC);
	struct fi_ioc range = { &one, 1 }, result = { &found, 1 };
	const struct target *fast = &pair.of_fast[pair.peer];
	struct fi_rma_ioc there = { fast->address, 1, fast->key };
	struct fi_msg_atomic msg = { .msg_iov = &range, .iov_count = 1, .addr = pair.node.peers[pair.peer], .rma_iov = &there, .rma_iov_count = 1,
				     .datatype = FI_UINT64, .op = FI_SUM, .context = ctx(&pair.node, 1) };
	int code = fi_query_atomic(pair.node.domain, FI_UINT64, FI_SUM, &attr, FI_FETCH_ATOMIC | PCIE_AMO);
	RETURNS(fi_query_atomic(pair.node.domain, FI_UINT64, FI_SUM, &attr, PCIE_AMO), -FI_EOPNOTSUPP);
	RETURNS(fi_query_atomic(pair.node.domain, FI_DOUBLE, FI_SUM, &attr, FI_FETCH_ATOMIC | PCIE_AMO), -FI_EOPNOTSUPP);
	RETURNS(fi_query_atomic(pair.node.domain, FI_UINT64, FI_MAX, &attr, FI_FETCH_ATOMIC | PCIE_AMO), -FI_EOPNOTSUPP);
	if (!is_between_hosts()) {
		RETURNS(code, -FI_EOPNOTSUPP);
		RETURNS(fi_fetch_atomicmsg(pair.node.ep, &msg, &result, NULL, 1, PCIE_AMO | FI_COMPLETION), -FI_EOPNOTSUPP);
		pair_close(&pair);
		return;
	}
	RETURNS(code, 0);
	EQUAL(attr.count, 1);
	uint64_t *place = (uint64_t *)pair.own.bytes, last = 0;
	for (int i = 0; i < COUNT; i++) {
		POST(&pair.node, fi_fetch_atomicmsg(pair.node.ep, &msg, &result, NULL, 1, PCIE_AMO | FI_COMPLETION));
		while (waiting(&pair.node, TX) == 0) {
			__atomic_fetch_add(place, 1, __ATOMIC_SEQ_CST);
			done++;
			wait_turn(&pair.node, __FILE__, __LINE__, "an addition by the bus");
		}
		DONE(&pair.node, TX, 1);
		CHECK(i == 0 || found > last);
		last = found;
	}
	barrier(&pair.node);
	EQUAL(__atomic_load_n(place, __ATOMIC_SEQ_CST), done + COUNT);
	EQUAL(counted_by(&pair.node, "by_bus"), COUNT);
	/* Not aligned: refused by the target. */
	there.addr = fast->address + 1;
	POST(&pair.node, fi_fetch_atomicmsg(pair.node.ep, &msg, &result, NULL, 1, PCIE_AMO | FI_COMPLETION));
	FAULT(&pair.node, TX, 1);
	pair_close(&pair);
}

const struct test vendor_flag_tests[] = {
	{ "vendor.high_rate", "writes at the high rate arrive, complete and are counted", high_rate, 0, 2, 2, TEST_OURS },
	{ "vendor.restricted", "writes without order go in packets without order", restricted, 0, 2, 2, TEST_OURS },
	{ "vendor.unreliable", "atomic operations that are sent once", unreliable, 0, 2, 2, TEST_OURS },
	{ "vendor.unreliable_lossy", "those end once each on a bad network, and none is done twice", lossy, 0, 2, 2, TEST_OURS },
	{ "vendor.by_bus", "additions by the processor's bus are one step with its own", by_bus, 0, 2, 2, TEST_OURS },
	{ 0 },
};
