/* Counters of what others do to this rank's memory: of each kind apart, of an endpoint and of a region. */
#include "rma.h"

#define BOTH (FI_REMOTE_READ | FI_REMOTE_WRITE)

enum { WRITES = 7, READS = 5, ATOMICS = 3, FETCHES = 2, REGION = 40000 };

static struct fid_cntr *open_counter(struct node *node)
{
	struct fi_cntr_attr attr = { .events = FI_CNTR_EVENTS_COMP, .wait_obj = FI_WAIT_UNSPEC };
	struct fid_cntr *counter = NULL;

	OK(fi_cntr_open(node->domain, &attr, &counter, NULL));
	return counter;
}

/* A node whose endpoint counts with these. */
static void open_counting(struct node *node, uint64_t caps, bool is_of_endpoint, struct fid_cntr **writes, struct fid_cntr **reads)
{
	struct name mine, all[RANKS_MAX];

	node_open_alone(node, WISH(.caps = caps | FI_RMA_EVENT, .is_not_enabled = true));
	*writes = open_counter(node);
	*reads = open_counter(node);
	if (is_of_endpoint) {
		if (node->info->domain_attr->mr_mode & FI_MR_RMA_EVENT)
			skip("mr_mode has FI_MR_RMA_EVENT: counters belong to regions");
		OK(fi_ep_bind(node->ep, &(*writes)->fid, FI_REMOTE_WRITE));
		OK(fi_ep_bind(node->ep, &(*reads)->fid, FI_REMOTE_READ));
	}
	OK(fi_enable(node->ep));
	mine = node_name(node);
	exchange(&mine, sizeof mine, all, NULL, NULL);
	for (int rank = 0; rank < me.ranks; rank++)
		RETURNS(fi_av_insert(node->av, all[rank].bytes, 1, &node->peers[rank], 0, NULL), 1);
	barrier(node);
}

/* Registers with counters for what others do; any of them may be NULL. */
static struct region open_region(struct node *node, void *bytes, size_t len, struct fid_cntr *writes, struct fid_cntr *reads)
{
	struct region region = { 0 };
	int modes = node->info->domain_attr->mr_mode;
	uint64_t flags = (writes || reads) && modes & FI_MR_RMA_EVENT ? FI_RMA_EVENT : 0;

	OK(fi_mr_reg(node->domain, bytes, len, BOTH, 0, 0x300, flags, &region.mr, NULL));
	if (modes & FI_MR_ENDPOINT)
		OK(fi_mr_bind(region.mr, &node->ep->fid, 0));
	if (writes && writes == reads) {
		OK(fi_mr_bind(region.mr, &writes->fid, BOTH));
	} else {
		if (writes)
			OK(fi_mr_bind(region.mr, &writes->fid, FI_REMOTE_WRITE));
		if (reads)
			OK(fi_mr_bind(region.mr, &reads->fid, FI_REMOTE_READ));
	}
	if (modes & FI_MR_ENDPOINT || flags)
		OK(fi_mr_enable(region.mr));
	region.key = fi_mr_key(region.mr);
	region.address = modes & FI_MR_VIRT_ADDR ? (uint64_t)(uintptr_t)bytes : 0;
	return region;
}

/* Writes, reads and atomics of every length, alternating. */
static void work(struct node *node, int peer, struct buffer *local, const struct target *target)
{
	static const size_t LENGTHS[] = { 8, 2000, 30000, 0, 192 };
	uint64_t one = 1, found = 0;
	size_t count = 0;

	for (int i = 0; i < WRITES; i++) {
		rma_by(node, i % 2 ? WRITE_MESSAGE : WRITE, peer, local->bytes, LENGTHS[i % 5], target, 64, 1);
		DONE(node, TX, 1);
	}
	for (int i = 0; i < READS; i++) {
		rma_by(node, i % 2 ? READ_MESSAGE : READ, peer, local->bytes, LENGTHS[i % 5], target, 64, 1);
		DONE(node, TX, 1);
	}
	OK(fi_fetch_atomicvalid(node->ep, FI_UINT64, FI_SUM, &count));
	for (int i = 0; i < ATOMICS; i++) {
		POST(node, fi_atomic(node->ep, &one, 1, NULL, node->peers[peer], target->address, target->key, FI_UINT64, FI_SUM, ctx(node, 1)));
		DONE(node, TX, 1);
	}
	for (int i = 0; i < FETCHES; i++) {
		POST(node, fi_fetch_atomic(node->ep, &one, 1, NULL, &found, NULL, node->peers[peer], target->address, target->key, FI_UINT64,
					   FI_SUM, ctx(node, 1)));
		DONE(node, TX, 1);
	}
}

/* Each kind counts where it is asked to; atomics that fetch and change count in both. */
static void kinds(long is_region)
{
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(REGION), local = buffer_new(REGION);
	struct fid_cntr *writes, *reads;
	int peer = 1 - me.rank;

	open_counting(&node, FI_MSG | FI_RMA | FI_ATOMIC, !is_region, &writes, &reads);
	memset(own.bytes, 0, 8);
	struct region region = open_region(&node, own.bytes, REGION, is_region ? writes : NULL, is_region ? reads : NULL);
	region_share(&node, &region, REGION, targets);
	work(&node, peer, &local, &targets[peer]);
	REACHES(&node, writes, WRITES + ATOMICS + FETCHES);
	REACHES(&node, reads, READS + FETCHES);
	barrier(&node);
	QUIET(&node, 20);
	EQUAL(fi_cntr_read(writes), WRITES + ATOMICS + FETCHES);
	EQUAL(fi_cntr_read(reads), READS + FETCHES);
	EQUAL(fi_cntr_readerr(writes), 0);
	EQUAL(fi_cntr_readerr(reads), 0);
	region_close(&region);
	/* What was counted stays when the region has gone. */
	EQUAL(fi_cntr_read(writes), WRITES + ATOMICS + FETCHES);
	barrier(&node);
	OK(fi_close(&node.ep->fid));
	node.ep = NULL;
	EQUAL(fi_cntr_read(reads), READS + FETCHES);
	OK(fi_close(&writes->fid));
	OK(fi_close(&reads->fid));
	node_close_alone(&node);
}

/* A counter that is bound twice counts each operation once: to both kinds, or to the endpoint and the region. */
static void once(long is_of_endpoint)
{
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(REGION), local = buffer_new(REGION);
	struct fid_cntr *writes, *reads;
	int peer = 1 - me.rank;

	open_counting(&node, FI_MSG | FI_RMA | FI_ATOMIC, is_of_endpoint, &writes, &reads);
	memset(own.bytes, 0, 8);
	struct region region = open_region(&node, own.bytes, REGION, writes, is_of_endpoint ? NULL : writes);
	region_share(&node, &region, REGION, targets);
	work(&node, peer, &local, &targets[peer]);
	uint64_t expected = WRITES + ATOMICS + FETCHES + (is_of_endpoint ? 0 : READS);
	REACHES(&node, writes, expected);
	barrier(&node);
	QUIET(&node, 20);
	EQUAL(fi_cntr_read(writes), expected);
	EQUAL(fi_cntr_read(reads), is_of_endpoint ? READS + FETCHES : 0);
	region_close(&region);
	barrier(&node);
	OK(fi_close(&node.ep->fid));
	node.ep = NULL;
	OK(fi_close(&writes->fid));
	OK(fi_close(&reads->fid));
	node_close_alone(&node);
}

/* Who waits for a counter of others' work is woken by it, and does nothing else meanwhile. */
static void waits(long kind)
{
	enum { COUNT = 10 };
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(4096), local = buffer_new(4096);
	struct fid_cntr *writes, *reads;

	open_counting(&node, FI_MSG | FI_RMA, true, &writes, &reads);
	struct region region = open_region(&node, own.bytes, 4096, NULL, NULL);
	region_share(&node, &region, 4096, targets);
	if (me.rank == 1) {
		for (uint64_t i = 1; i <= COUNT; i++)
			RETURNS(fi_cntr_wait(kind == READ ? reads : writes, i, 8000), 0);
	} else {
		for (int i = 0; i < COUNT; i++) {
			sleep_ms(5);
			rma_by(&node, (enum rma_how)kind, 1, local.bytes, 100, &targets[1], 0, 1);
			DONE(&node, TX, 1);
		}
	}
	barrier(&node);
	region_close(&region);
	barrier(&node);
	OK(fi_close(&node.ep->fid));
	node.ep = NULL;
	OK(fi_close(&writes->fid));
	OK(fi_close(&reads->fid));
	node_close_alone(&node);
}

/* What a counter cannot be bound for is refused. */
static void refused(long unused)
{
	struct node node;
	uint8_t bytes[64];
	struct fid_mr *mr;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG | FI_RMA | FI_RMA_EVENT));
	struct fid_cntr *one = open_counter(&node), *other = open_counter(&node);
	OK(fi_mr_reg(node.domain, bytes, 64, BOTH, 0, 0x301, 0, &mr, NULL));
	CHECK(fi_mr_bind(mr, &one->fid, FI_SEND) < 0);
	CHECK(fi_mr_bind(mr, &one->fid, 0) < 0);
	OK(fi_mr_bind(mr, &one->fid, FI_REMOTE_READ));
	/* The other kind is still free, this one is not. */
	CHECK(fi_mr_bind(mr, &other->fid, BOTH) < 0);
	OK(fi_mr_bind(mr, &other->fid, FI_REMOTE_WRITE));
	RETURNS(fi_close(&one->fid), -FI_EBUSY);
	OK(fi_close(&mr->fid));
	OK(fi_close(&one->fid));
	OK(fi_close(&other->fid));
	node_close_alone(&node);
}

const struct test remote_counter_tests[] = {
	{ "regions.counts_by_kind", "an endpoint's counters count writes, reads and atomics of others apart", kinds, 0, 2, 2, TEST_OURS },
	{ "regions.counts_by_kind_of_region", "a region's counters do", kinds, 1, 2, 2, TEST_OURS },
	{ "regions.counts_once", "a counter of both kinds counts each operation once", once, 0, 2, 2, TEST_OURS },
	{ "regions.counts_once_with_endpoint", "a counter of the endpoint and the region counts each once", once, 1, 2, 2, TEST_OURS },
	{ "regions.count_wakes", "a wait for a counter of writes ends with them", waits, WRITE, 2, 2, TEST_OURS },
	{ "regions.count_wakes_for_reads", "a wait for a counter of reads ends with them", waits, READ, 2, 2, TEST_OURS },
	{ "regions.count_refused", "bindings of counters that mean nothing are refused", refused, 0, 1, 1, TEST_OURS },
	{ 0 },
};
