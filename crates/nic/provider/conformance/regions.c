/* Registered memory: what others may do to it, what they may not, and what becomes of who tries. */
#include "rma.h"

#define BOTH (FI_REMOTE_READ | FI_REMOTE_WRITE)

/* Wrong accesses. */
enum wrong { WRONG_KEY, BEYOND, FAR_BEYOND, BEFORE, NO_WRITE_RIGHT, NO_READ_RIGHT, CLOSED, NOT_ENABLED };

/* The error of an access that the target's NIC refuses. */
static bool is_refusal(int err)
{
	return err == FI_EACCES || err == FI_EPERM || err == FI_EKEYREJECTED || err == FI_ENOKEY || err == FI_EINVAL || err == FI_EFAULT ||
	       err == FI_EIO || err == FI_ETRUNC || err == FI_EREMOTEIO;
}

static void refused(long variant)
{
	enum wrong wrong = variant & 15;
	enum rma_how how = variant >> 4;
	enum { LEN = 4096 };
	static const size_t LENGTHS[] = { 8, 192, LEN, 200000 };
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(LEN), good = buffer_new(LEN), local = buffer_new(200000);

	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	uint64_t access = wrong == NO_WRITE_RIGHT ? FI_REMOTE_READ : wrong == NO_READ_RIGHT ? FI_REMOTE_WRITE : BOTH;
	struct region region = region_open(&node, own.bytes, LEN, access);
	region_share(&node, &region, LEN, targets);
	if (wrong == CLOSED && me.rank == 1)
		region_close(&region);
	barrier(&node);
	for (int index = 0; index < 4; index++) {
		size_t len = LENGTHS[index];
		uint64_t offset = 0;

		if (len > LEN && wrong != BEYOND)
			break;
		if (me.rank == 0) {
			struct target target = targets[1];

			switch (wrong) {
			case WRONG_KEY:
				target.key ^= 0x5a;
				break;
			case BEYOND:
				offset = len > LEN ? 0 : LEN - len + 1;
				break;
			case FAR_BEYOND:
				offset = 1ull << 45;
				break;
			case BEFORE:
				offset = (uint64_t)-8;
				break;
			default:
				break;
			}
			if (!rma_reads(how))
				pattern(local.bytes, len, 0, 1, 0);
			else
				buffer_clear(&local);
			rma_by(&node, how, 1, local.bytes, len, &target, offset, 1);
			struct done done = FAULT(&node, TX, 1);
			if (!is_refusal(done.err))
				FAIL("the error of a refused access: expected one of access or range, found %d (%s)", done.err, fi_strerror(done.err));
			if (rma_reads(how))
				UNTOUCHED_YET(&local);
		}
		barrier(&node);
		UNTOUCHED_YET(&own);
	}
	/* The endpoints still work. */
	if (region.mr)
		region_close(&region);
	region = region_open(&node, good.bytes, LEN, BOTH);
	region_share(&node, &region, LEN, targets);
	if (me.rank == 0) {
		pattern(local.bytes, LEN, 0, 2, 0);
		rma_by(&node, WRITE, 1, local.bytes, LEN, &targets[1], 0, 2);
		DONE(&node, TX, 2);
		barrier(&node);
	} else {
		barrier(&node);
		UNTIL_LANDED(&node, good.bytes, LEN, 0, 2, 0);
		UNTOUCHED_YET(&own);
	}
	region_close(&region);
	node_close(&node);
}

/* A region is out of reach until it is enabled, where the provider asks for that. */
static void not_enabled(long unused)
{
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(64);
	uint8_t local[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct region region = { 0 };

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	if (!(node.info->domain_attr->mr_mode & FI_MR_ENDPOINT))
		skip("mr_mode is without FI_MR_ENDPOINT");
	OK(fi_mr_reg(node.domain, own.bytes, 64, BOTH, 0, 0x77, 0, &region.mr, NULL));
	OK(fi_mr_bind(region.mr, &node.ep->fid, 0));
	/* The key of a region that the provider names is known when it is enabled. */
	region.key = node.info->domain_attr->mr_mode & FI_MR_PROV_KEY ? 0x77 : fi_mr_key(region.mr);
	region.address = node.info->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? (uint64_t)(uintptr_t)own.bytes : 0;
	region_share(&node, &region, 64, targets);
	if (me.rank == 0) {
		rma_by(&node, WRITE, 1, local, 8, &targets[1], 0, 1);
		FAULT(&node, TX, 1);
	}
	barrier(&node);
	UNTOUCHED_YET(&own);
	OK(fi_mr_enable(region.mr));
	region.key = fi_mr_key(region.mr);
	region_share(&node, &region, 64, targets);
	if (me.rank == 0) {
		rma_by(&node, WRITE, 1, local, 8, &targets[1], 0, 2);
		DONE(&node, TX, 2);
	}
	barrier(&node);
	if (me.rank == 1)
		for (uint64_t found = 0; memcmp(&found, local, 8) != 0; found = watched(own.bytes))
			wait_turn(&node, __FILE__, __LINE__, "the bytes of the last write");
	barrier(&node);
	region_close(&region);
	node_close(&node);
}

/* Hundreds of regions at the same time, each reached by its own key; every second one closed and its key used again. */
static void many(long unused)
{
	enum { COUNT = 300, LEN = 256 };
	struct node node;
	static struct region regions[COUNT];
	static struct target targets[COUNT], all[RANKS_MAX * COUNT];
	struct buffer own = buffer_new(COUNT * LEN), local = buffer_new(LEN);
	int peer = 1 - me.rank;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	for (int i = 0; i < COUNT; i++)
		regions[i] = region_open(&node, own.bytes + i * LEN, LEN, BOTH);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < COUNT; i++)
			targets[i] = (struct target){ regions[i].key, regions[i].address, LEN };
		exchange(targets, sizeof targets, all, NULL, NULL);
		for (int i = 0; i < COUNT; i++)
			for (int other = 0; other < i; other++)
				if (regions[i].key == regions[other].key)
					FAIL("regions %d and %d have the same key 0x%llx", i, other, (unsigned long long)regions[i].key);
		for (uint64_t i = 0; i < COUNT; i++) {
			pattern(local.bytes, LEN, me.rank, i, 0);
			rma_by(&node, WRITE, peer, local.bytes, LEN, &all[peer * COUNT + (int)i], 0, i);
			DONE(&node, TX, i);
		}
		barrier(&node);
		for (uint64_t i = 0; i < COUNT; i++)
			UNTIL_LANDED(&node, own.bytes + i * LEN, LEN, peer, i, 0);
		barrier(&node);
		if (round == 1)
			break;
		for (int i = 0; i < COUNT; i += 2)
			region_close(&regions[i]);
		buffer_clear(&own);
		for (int i = 0; i < COUNT; i += 2)
			regions[i] = region_open(&node, own.bytes + i * LEN, LEN, BOTH);
	}
	for (int i = 0; i < COUNT; i++)
		region_close(&regions[i]);
	node_close(&node);
}

/* A client's key that is in use is refused; after the region is closed, it is free. */
static void key_twice(long unused)
{
	struct node node;
	struct fid_mr *first, *second = NULL;
	uint8_t bytes[64];

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA, .mr_mode = FI_MR_ALLOCATED | FI_MR_ENDPOINT));
	bool has_endpoint = node.info->domain_attr->mr_mode & FI_MR_ENDPOINT;
	for (int round = 0; round < 2; round++) {
		OK(fi_mr_reg(node.domain, bytes, 64, BOTH, 0, 0x1234, 0, &first, NULL));
		if (has_endpoint) {
			OK(fi_mr_bind(first, &node.ep->fid, 0));
			OK(fi_mr_enable(first));
		}
		EQUAL(fi_mr_key(first), 0x1234);
		int code = fi_mr_reg(node.domain, bytes, 64, BOTH, 0, 0x1234, 0, &second, NULL);
		if (code == 0 && has_endpoint) {
			/* Keys belong to endpoints: the second is refused when it is bound or enabled. */
			code = fi_mr_bind(second, &node.ep->fid, 0);
			if (code == 0)
				code = fi_mr_enable(second);
			OK(fi_close(&second->fid));
		}
		RETURNS(code, -FI_ENOKEY);
		OK(fi_close(&first->fid));
	}
	node_close(&node);
}

/* A key wider than mr_key_size is refused. */
static void key_too_wide(long unused)
{
	struct node node;
	struct fid_mr *region = NULL;
	uint8_t bytes[64];

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA, .mr_mode = FI_MR_ALLOCATED | FI_MR_ENDPOINT));
	size_t size = node.info->domain_attr->mr_key_size;
	if (size >= 8)
		skip("mr_key_size is %zu: every key fits", size);
	int code = fi_mr_reg(node.domain, bytes, 64, BOTH, 0, 1ull << (8 * size), 0, &region, NULL);
	CHECK(code == -FI_EKEYREJECTED || code == -FI_EINVAL || code == -FI_ENOKEY);
	node_close(&node);
}

/* fi_mr_regv and fi_mr_regattr make the same as fi_mr_reg. */
static void registrations(long unused)
{
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(5000), local = buffer_new(5000);
	int peer = 1 - me.rank;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	int modes = node.info->domain_attr->mr_mode;
	for (int form = 0; form < 3; form++) {
		struct iovec iov = { own.bytes, 5000 };
		struct fi_mr_attr attr = { .mr_iov = &iov, .iov_count = 1, .access = BOTH, .requested_key = 0x200 + (uint64_t)form };
		struct region region = { 0 };

		buffer_clear(&own);
		if (form == 0)
			OK(fi_mr_regv(node.domain, &iov, 1, BOTH, 0, 0x200, 0, &region.mr, NULL));
		else
			OK(fi_mr_regattr(node.domain, &attr, 0, &region.mr));
		if (modes & FI_MR_ENDPOINT) {
			OK(fi_mr_bind(region.mr, &node.ep->fid, 0));
			OK(fi_mr_enable(region.mr));
		}
		region.key = fi_mr_key(region.mr);
		region.address = modes & FI_MR_VIRT_ADDR ? (uint64_t)(uintptr_t)own.bytes : 0;
		if (!(modes & FI_MR_PROV_KEY))
			EQUAL(region.key, 0x200 + form);
		region_share(&node, &region, 5000, targets);
		pattern(local.bytes, 5000, me.rank, (uint64_t)form, 0);
		/* A descriptor may be given, whether one is needed or not. */
		if (form == 2)
			POST(&node, fi_write(node.ep, local.bytes, 5000, fi_mr_desc(region.mr), node.peers[peer], targets[peer].address,
					     targets[peer].key, ctx(&node, 1)));
		else
			rma_by(&node, WRITE, peer, local.bytes, 5000, &targets[peer], 0, 1);
		DONE(&node, TX, 1);
		barrier(&node);
		UNTIL_LANDED(&node, own.bytes, 5000, peer, (uint64_t)form, 0);
		barrier(&node);
		OK(fi_close(&region.mr->fid));
	}
	node_close(&node);
}

/* Regions may lie over each other, each with its own rights. */
static void overlapping(long unused)
{
	struct node node;
	struct target writes[2], reads[2];
	struct buffer own = buffer_new(1000);
	uint8_t local[100];
	int peer = 1 - me.rank;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	struct region may_write = region_open(&node, own.bytes, 1000, FI_REMOTE_WRITE);
	struct region may_read = region_open(&node, own.bytes + 100, 100, FI_REMOTE_READ);
	region_share(&node, &may_write, 1000, writes);
	region_share(&node, &may_read, 100, reads);
	pattern(local, 100, me.rank, 1, 0);
	rma_by(&node, WRITE, peer, local, 100, &writes[peer], 100, 1);
	DONE(&node, TX, 1);
	barrier(&node);
	UNTIL_LANDED(&node, own.bytes + 100, 100, peer, 1, 0);
	barrier(&node);
	memset(local, 0, sizeof local);
	rma_by(&node, READ, peer, local, 100, &reads[peer], 0, 2);
	DONE(&node, TX, 2);
	EQUAL(pattern_differs(local, 100, me.rank, 1, 0), 100);
	barrier(&node);
	region_close(&may_write);
	region_close(&may_read);
	node_close(&node);
}

/* A counter of the target counts each write to it once. */
static void counted(long is_region)
{
	enum { COUNT = 50 };
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(50000), local = buffer_new(50000);
	struct fi_cntr_attr attr = { .events = FI_CNTR_EVENTS_COMP, .wait_obj = FI_WAIT_UNSPEC };
	struct fid_cntr *counter = NULL;
	int peer = 1 - me.rank;

	node_open(&node, WISH(.caps = FI_MSG | FI_RMA | FI_RMA_EVENT, .has_counters = !is_region));
	if (is_region)
		OK(fi_cntr_open(node.domain, &attr, &counter, NULL));
	else
		counter = node.target_cntr;
	if (!counter)
		skip("mr_mode has FI_MR_RMA_EVENT: counters belong to regions");
	struct region region = region_open_counted(&node, own.bytes, own.size, BOTH, is_region ? counter : NULL);
	region_share(&node, &region, own.size, targets);
	for (uint64_t i = 0; i < COUNT; i++) {
		size_t len = i % 5 == 4 ? 50000 : (size_t)(i * 7);

		pattern(local.bytes, len, me.rank, i, 0);
		rma_by(&node, i % 3 == 2 ? WRITE_MESSAGE : WRITE, peer, local.bytes, len, &targets[peer], 0, 1);
		DONE(&node, TX, 1);
	}
	REACHES(&node, counter, COUNT);
	barrier(&node);
	QUIET(&node, 20);
	EQUAL(fi_cntr_read(counter), COUNT);
	EQUAL(fi_cntr_readerr(counter), 0);
	EQUAL(pattern_differs(own.bytes, 50000, peer, COUNT - 1, 0), 50000);
	region_close(&region);
	if (is_region)
		OK(fi_close(&counter->fid));
	node_close(&node);
}

#define REFUSED(name, how, wrong, about) { "regions." name, about, refused, (wrong) | (how) << 4, 2, 2, 0 }

const struct test region_tests[] = {
	REFUSED("write_wrong_key", WRITE, WRONG_KEY, "a write by a key that is none ends with an error and writes nothing"),
	REFUSED("read_wrong_key", READ, WRONG_KEY, "a read by a key that is none ends with an error"),
	REFUSED("write_beyond", WRITE, BEYOND, "a write that ends one byte beyond the region is refused as a whole"),
	REFUSED("read_beyond", READ, BEYOND, "a read that ends one byte beyond the region is refused"),
	REFUSED("write_far_beyond", WRITE, FAR_BEYOND, "a write far outside is refused"),
	REFUSED("read_before", READ, BEFORE, "a read that begins before the region is refused"),
	REFUSED("write_before", WRITE, BEFORE, "a write that begins before the region is refused"),
	REFUSED("write_no_right", WRITE, NO_WRITE_RIGHT, "a region without FI_REMOTE_WRITE is not written"),
	REFUSED("read_no_right", READ, NO_READ_RIGHT, "a region without FI_REMOTE_READ is not read"),
	REFUSED("write_closed", WRITE, CLOSED, "a closed region is not written"),
	REFUSED("read_closed", READ, CLOSED, "a closed region is not read"),
	{ "regions.not_enabled", "a region is out of reach until it is enabled", not_enabled, 0, 2, 2, 0 },
	{ "regions.many", "300 regions at the same time, their keys used again", many, 0, 2, 2, 0 },
	{ "regions.key_twice", "a key in use is refused with FI_ENOKEY", key_twice, 0, 2, 2, 0 },
	{ "regions.key_too_wide", "a key wider than mr_key_size is refused", key_too_wide, 0, 2, 2, 0 },
	{ "regions.registrations", "fi_mr_regv and fi_mr_regattr serve as fi_mr_reg does; descriptors may be given", registrations, 0, 2, 2, 0 },
	{ "regions.overlapping", "regions over each other keep their own rights", overlapping, 0, 2, 2, 0 },
	{ "regions.counter_of_endpoint", "the endpoint's counter counts each write of others once", counted, 0, 2, 2, 0 },
	{ "regions.counter_of_region", "a region's counter counts each write of others once", counted, 1, 2, 2, 0 },
	{ 0 },
};
