/* The vendor's extensions: tables of functions by name, options by number, counters that show their value in memory. */
#include "vendor.h"

#include <unistd.h>

static void *table(struct fid *fid, const char *name)
{
	void *ops = NULL;
	int code = fi_open_ops(fid, name, 0, &ops, NULL);

	if (code < 0 && !is_ours())
		skip("fi_open_ops has no %s", name);
	RETURNS(code, 0);
	CHECK(ops != NULL);
	return ops;
}

struct counter_ops *counter_ops_of(struct fid_cntr *counter)
{
	return table(&counter->fid, "cxi_counter_ops");
}

struct domain_ops *domain_ops_of(struct node *node)
{
	return table(&node->domain->fid, "dom_ops_v6");
}

uint64_t counted_by(struct node *node, const char *name)
{
	struct count_ops *ops = table(&node->domain->fid, "philae_counts_1");
	uint64_t value = UINT64_MAX;

	RETURNS(ops->read(&node->domain->fid, name, &value), 0);
	return value;
}

static struct fid_cntr *open_counter(struct node *node)
{
	struct fi_cntr_attr attr = { .events = FI_CNTR_EVENTS_COMP, .wait_obj = FI_WAIT_UNSPEC };
	struct fid_cntr *counter = NULL;

	OK(fi_cntr_open(node->domain, &attr, &counter, NULL));
	return counter;
}

/* Every name of every object; what is none, and what belongs to another object, is refused. */
static void names(long unused)
{
	struct node node;
	void *ops = NULL;
	char name[32];

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	struct fid_cntr *counter = open_counter(&node);
	for (int version = 1; version <= 6; version++) {
		snprintf(name, sizeof name, "dom_ops_v%d", version);
		ops = NULL;
		OK(fi_open_ops(&node.domain->fid, name, 0, &ops, NULL));
		CHECK(ops == (void *)domain_ops_of(&node));
	}
	struct domain_ops *of_domain = domain_ops_of(&node);
	CHECK(of_domain->cntr_read && of_domain->topology && of_domain->enable_hybrid_mr_desc && of_domain->ep_get_unexp_msgs);
	CHECK(of_domain->get_dwq_depth && of_domain->enable_mr_match_events && of_domain->enable_optimized_mrs);
	CHECK(counter_ops_of(counter)->set_wb_buffer && counter_ops_of(counter)->get_mmio_addr);
	CHECK(fi_open_ops(&node.domain->fid, "dom_ops_v7", 0, &ops, NULL) < 0);
	CHECK(fi_open_ops(&node.domain->fid, "cxi_counter_ops", 0, &ops, NULL) < 0);
	CHECK(fi_open_ops(&counter->fid, "dom_ops_v1", 0, &ops, NULL) < 0);
	CHECK(fi_open_ops(&node.ep->fid, "dom_ops_v1", 0, &ops, NULL) < 0);
	OK(fi_close(&counter->fid));
	node_close_alone(&node);
}

/* A counter's value in the program's memory, in the vendor's form, whatever changes it. */
static void shown(long unused)
{
	struct node node;
	_Alignas(8) volatile uint64_t place[2] = { 0, 77 };
	void *address = NULL;
	size_t length = 0;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	struct fid_cntr *counter = open_counter(&node);
	struct counter_ops *ops = counter_ops_of(counter);
	OK(fi_cntr_add(counter, 3));
	RETURNS(ops->set_wb_buffer(&counter->fid, (void *)place, 4), -FI_EINVAL);
	RETURNS(ops->set_wb_buffer(&counter->fid, NULL, 8), -FI_EINVAL);
	RETURNS(ops->set_wb_buffer(&node.domain->fid, (void *)place, 8), -FI_EINVAL);
	EQUAL(place[0], 0);
	OK(ops->set_wb_buffer(&counter->fid, (void *)place, 8));
	EQUAL(place[0], WRITTEN(3, 0));
	OK(fi_cntr_add(counter, 5));
	UNTIL(&node, watched(&place[0]) == WRITTEN(8, 0));
	OK(fi_cntr_adderr(counter, 2));
	UNTIL(&node, watched(&place[0]) == WRITTEN(8, 2));
	OK(fi_cntr_set(counter, (1ull << 48) - 1));
	UNTIL(&node, watched(&place[0]) == WRITTEN((1ull << 48) - 1, 2));
	OK(fi_cntr_seterr(counter, 127));
	UNTIL(&node, watched(&place[0]) == WRITTEN((1ull << 48) - 1, 127));
	/* To another place: the first is left alone. */
	OK(ops->set_wb_buffer(&counter->fid, (void *)&place[1], 8));
	EQUAL(place[1], WRITTEN((1ull << 48) - 1, 127));
	OK(fi_cntr_set(counter, 1));
	OK(fi_cntr_seterr(counter, 0));
	UNTIL(&node, watched(&place[1]) == WRITTEN(1, 0));
	EQUAL(place[0], WRITTEN((1ull << 48) - 1, 127));
	/* What cannot be done is not claimed. */
	if (is_ours())
		RETURNS(ops->get_mmio_addr(&counter->fid, &address, &length), -FI_ENOSYS);
	OK(fi_close(&counter->fid));
	EQUAL(place[1], WRITTEN(1, 0));
	node_close_alone(&node);
}

/* The same while operations count: its own at the initiator, others' at the target. */
static void shown_counting(long is_target)
{
	enum { COUNT = 40 };
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(30000), local = buffer_new(30000);
	static volatile uint64_t place;

	node_open(&node, WISH(.caps = FI_MSG | FI_RMA | FI_RMA_EVENT, .has_counters = true));
	struct fid_cntr *counter = is_target ? node.target_cntr : node.tx_cntr;
	if (!counter)
		skip("mr_mode has FI_MR_RMA_EVENT: counters belong to regions");
	OK(counter_ops_of(counter)->set_wb_buffer(&counter->fid, (void *)&place, 8));
	EQUAL(place, WRITTEN(0, 0));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	int peer = 1 - me.rank;
	for (uint64_t i = 0; i < COUNT; i++) {
		rma_by(&node, i % 2 ? WRITE : READ, peer, local.bytes, i % 4 ? 100 : 30000, &targets[peer], 0, 1);
		DONE(&node, TX, 1);
		if (!is_target)
			UNTIL(&node, watched(&place) == WRITTEN(i + 1, 0));
	}
	/* Reading queues is enough: the counter is never read. */
	UNTIL(&node, watched(&place) == WRITTEN(COUNT, 0));
	barrier(&node);
	QUIET(&node, 20);
	EQUAL(place, WRITTEN(COUNT, 0));
	EQUAL(fi_cntr_read(counter), COUNT);
	region_close(&region);
	node_close(&node);
}

/* Deferred work that asks for its counter to be shown. */
static void shown_deferred(long unused)
{
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(64), local = buffer_new(64);
	static volatile uint64_t place;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA | FI_TRIGGER));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	if (me.rank == 0) {
		struct fid_cntr *first = open_counter(&node), *second = open_counter(&node);
		struct iovec range = { local.bytes, 64 };
		struct fi_rma_iov target = { targets[1].address, 64, targets[1].key };
		struct fi_op_rma rma = { .ep = node.ep, .flags = COUNTER_WRITEBACK };
		struct fi_deferred_work work = { .threshold = 2, .triggering_cntr = first, .completion_cntr = second, .op_type = FI_OP_WRITE, .op.rma = &rma };

		rma.msg = (struct fi_msg_rma){ .msg_iov = &range, .iov_count = 1, .addr = node.peers[1], .rma_iov = &target, .rma_iov_count = 1 };
		OK(counter_ops_of(second)->set_wb_buffer(&second->fid, (void *)&place, 8));
		pattern(local.bytes, 64, 0, 1, 0);
		OK(fi_control(&node.domain->fid, FI_QUEUE_WORK, &work));
		OK(fi_cntr_add(first, 1));
		QUIET(&node, 20);
		EQUAL(place, WRITTEN(0, 0));
		OK(fi_cntr_add(first, 1));
		UNTIL(&node, watched(&place) == WRITTEN(1, 0));
		OK(fi_close(&first->fid));
		OK(fi_close(&second->fid));
	}
	barrier(&node);
	if (me.rank == 1)
		HOLDS(&own, 64, 0, 1);
	region_close(&region);
	node_close(&node);
}

/* The NIC's address: as the settings say, in parts, and the same wherever it is told. */
static void topology(long unused)
{
	struct node node;
	unsigned group = 0, in_group = 0, port = 0;
	size_t depth = 0;
	uint64_t value;

	(void)unused;
	setenv("FI_PHILAE_NIC_ADDRESS", "0xcafe5", 1);
	setenv("FI_PHILAE_PCI", "0001:81:1f.3", 1);
	setenv("SLINGSHOT_SVC_IDS", "17", 1);
	node_open_alone(&node, WISH(.caps = FI_MSG));
	struct domain_ops *ops = domain_ops_of(&node);
	OK(ops->topology(&node.domain->fid, &group, &in_group, &port));
	if (is_ours()) {
		const struct fid_nic *nic = node.info->nic;
		const struct nic_attr *attr = nic->prov_attr;

		EQUAL(group << 11 | in_group << 6 | port, 0xcafe5);
		EQUAL(group, 0x195);
		EQUAL(in_group, 31);
		EQUAL(port, 0x25);
		CHECK(strcmp(nic->link_attr->address, "0xcafe5") == 0);
		EQUAL(nic->bus_attr->bus_type, FI_BUS_PCI);
		EQUAL(nic->bus_attr->attr.pci.domain_id, 1);
		EQUAL(nic->bus_attr->attr.pci.bus_id, 0x81);
		EQUAL(nic->bus_attr->attr.pci.device_id, 0x1f);
		EQUAL(nic->bus_attr->attr.pci.function_id, 3);
		EQUAL(attr->version, 1);
		EQUAL(attr->address, 0xcafe5);
		EQUAL(attr->service, 17);
		CHECK(attr->vni > 0);
		OK(fi_control(&node.info->nic->fid, NIC_REFRESH, NULL));
		RETURNS(ops->cntr_read(&node.domain->fid, 0, &value, NULL), -FI_EOPNOTSUPP);
	}
	OK(ops->topology(&node.domain->fid, NULL, NULL, &port));
	RETURNS(ops->topology(&node.ep->fid, &group, &in_group, &port), -FI_EINVAL);
	OK(ops->get_dwq_depth(&node.domain->fid, &depth));
	CHECK(depth > 0);
	OK(ops->enable_hybrid_mr_desc(&node.domain->fid, true));
	OK(ops->enable_hybrid_mr_desc(&node.domain->fid, false));
	node_close_alone(&node);
}

/* As much deferred work as the depth says, and no more. */
static void depth(long unused)
{
	struct node node;
	size_t depth = 0;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG | FI_TRIGGER));
	OK(domain_ops_of(&node)->get_dwq_depth(&node.domain->fid, &depth));
	CHECK(depth > 0 && depth < 100000);
	struct fid_cntr *first = open_counter(&node), *second = open_counter(&node);
	struct fi_deferred_work *work = calloc(depth + 1, sizeof *work);
	struct fi_op_cntr op = { .cntr = second, .value = 1 };
	for (size_t i = 0; i <= depth; i++) {
		work[i] = (struct fi_deferred_work){ .threshold = 1, .triggering_cntr = first, .op_type = FI_OP_CNTR_ADD, .op.cntr = &op };
		int code = fi_control(&node.domain->fid, FI_QUEUE_WORK, &work[i]);
		if (i < depth)
			RETURNS(code, 0);
		else if (is_ours())
			CHECK(code < 0);
	}
	OK(fi_cntr_add(first, 1));
	UNTIL(&node, fi_cntr_read(second) == depth);
	OK(fi_close(&first->fid));
	OK(fi_close(&second->fid));
	free(work);
	node_close_alone(&node);
}

/* Messages that wait for a receive are listed, and are received afterwards. */
static void waiting_messages(long unused)
{
	static const size_t LENGTHS[] = { 0, 100, 60000 };
	struct node node;
	struct buffer buffer = buffer_new(60000);
	struct fi_cq_tagged_entry entries[8];
	fi_addr_t sources[8];
	size_t count = 99;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED | FI_SOURCE));
	struct domain_ops *ops = domain_ops_of(&node);
	EQUAL(ops->ep_get_unexp_msgs(node.ep, entries, 8, sources, &count), 0);
	EQUAL(count, 0);
	barrier(&node);
	if (me.rank == 0) {
		for (int i = 0; i < 3; i++)
			POST(&node, fi_tsend(node.ep, buffer.bytes, LENGTHS[i], NULL, node.peers[1], 40 + (uint64_t)i, ctx(&node, (uint64_t)i)));
		POST(&node, fi_senddata(node.ep, buffer.bytes, 7, NULL, 1234, node.peers[1], ctx(&node, 3)));
	} else {
		struct domain_ops *of = ops;

		while (count != 4) {
			of->ep_get_unexp_msgs(node.ep, NULL, 0, NULL, &count);
			wait_turn(&node, __FILE__, __LINE__, "four messages wait");
		}
		EQUAL(of->ep_get_unexp_msgs(node.ep, entries, 8, sources, &count), 4);
		EQUAL(count, 4);
		int tagged = 0;
		for (int i = 0; i < 4; i++) {
			EQUAL(sources[i], node.peers[0]);
			CHECK(entries[i].op_context == NULL && entries[i].buf == NULL);
			if (entries[i].flags & FI_TAGGED) {
				EQUAL(entries[i].flags, FI_TAGGED | FI_RECV);
				EQUAL(entries[i].tag, 40 + tagged);
				EQUAL(entries[i].len, LENGTHS[tagged]);
				tagged++;
			} else {
				EQUAL(entries[i].flags, FI_MSG | FI_RECV | FI_REMOTE_CQ_DATA);
				EQUAL(entries[i].data, 1234);
				EQUAL(entries[i].len, 7);
			}
		}
		EQUAL(tagged, 3);
		/* Two of them, and how many there are. */
		entries[2].len = 555;
		EQUAL(of->ep_get_unexp_msgs(node.ep, entries, 2, sources, &count), 2);
		EQUAL(count, 4);
		EQUAL(entries[2].len, 555);
		CHECK((ssize_t)of->ep_get_unexp_msgs(node.ep, entries, 2, sources, NULL) < 0);
		for (int i = 0; i < 3; i++) {
			POST(&node, fi_trecv(node.ep, buffer.bytes, 60000, NULL, FI_ADDR_UNSPEC, 40 + (uint64_t)i, 0, ctx(&node, (uint64_t)i)));
			EQUAL(DONE(&node, RX, (uint64_t)i).len, LENGTHS[i]);
		}
		POST(&node, fi_recv(node.ep, buffer.bytes, 60000, NULL, FI_ADDR_UNSPEC, ctx(&node, 3)));
		EQUAL(DONE(&node, RX, 3).data, 1234);
		EQUAL(of->ep_get_unexp_msgs(node.ep, entries, 8, sources, &count), 0);
		EQUAL(count, 0);
	}
	if (me.rank == 0)
		for (uint64_t i = 0; i < 4; i++)
			DONE(&node, TX, i);
	node_close(&node);
}

/* Options: what is set is what is got; what is none, or of another object, is refused. */
static void options(long unused)
{
	struct node node;
	struct fid_ep *alias = NULL;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG | FI_RMA));
	static const int PAIRS[][2] = { { SET_MATCH_EVENTS, GET_MATCH_EVENTS }, { SET_OPTIMIZED_MRS, GET_OPTIMIZED_MRS }, { SET_KEY_CACHE, GET_KEY_CACHE } };
	for (int i = 0; i < 3; i++)
		for (int turn = 0; turn < 2; turn++) {
			bool wanted = turn == 1, found = !wanted;

			OK(fi_set_val(&node.domain->fid, PAIRS[i][0], &wanted));
			OK(fi_get_val(&node.domain->fid, PAIRS[i][1], &found));
			EQUAL(found, wanted);
		}
	bool value = true;
	CHECK(fi_set_val(&node.domain->fid, GET_OPTIMIZED_MRS, &value) < 0);
	CHECK(fi_get_val(&node.domain->fid, SET_OPTIMIZED_MRS, &value) < 0);
	CHECK(fi_set_val(&node.domain->fid, SET_OPTIMIZED_MRS, NULL) < 0);
	CHECK(fi_set_val(&node.domain->fid, VENDOR_OPTIONS + 77, &value) < 0);
	OK(fi_ep_alias(node.ep, &alias, FI_TRANSMIT | FI_COMPLETION));
	static const struct { uint32_t class; bool is_good; } CLASSES[] = {
		{ FI_TC_UNSPEC, true }, { FI_TC_BEST_EFFORT, true }, { FI_TC_LOW_LATENCY, true }, { FI_TC_DEDICATED_ACCESS, true },
		{ FI_TC_BULK_DATA, true }, { FI_TC_SCAVENGER, true }, { FI_TC_DSCP, false }, { FI_TC_NETWORK_CTRL, false }, { 7777, false },
	};
	for (size_t i = 0; i < sizeof CLASSES / sizeof CLASSES[0]; i++) {
		uint32_t class = CLASSES[i].class;

		RETURNS(fi_set_val(&alias->fid, SET_TCLASS, &class), CLASSES[i].is_good ? 0 : -FI_EINVAL);
		RETURNS(fi_set_val(&node.ep->fid, SET_TCLASS, &class), CLASSES[i].is_good ? 0 : -FI_EINVAL);
	}
	uint64_t order = FI_ORDER_RMA_WAW, wrong = 1ull << 60;
	OK(fi_set_val(&alias->fid, SET_MSG_ORDER, &order));
	RETURNS(fi_set_val(&alias->fid, SET_MSG_ORDER, &wrong), -FI_EINVAL);
	CHECK(fi_set_val(&node.ep->fid, SET_RNR_TIME, &order) < 0);
	CHECK(fi_set_val(&node.ep->fid, SET_OPTIMIZED_MRS, &value) < 0);
	OK(fi_close(&alias->fid));
	node_close_alone(&node);
}

/* Counts of ours, by name: all are there, each once, and they count. */
static void counts(long unused)
{
	struct node node;
	char names[100][40];
	size_t known = 0;
	void *found = NULL;
	uint8_t byte = 1, in = 0;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG));
	OK(fi_open_ops(&node.domain->fid, "philae_counts_1", 0, &found, NULL));
	struct count_ops *ops = found;
	EQUAL(ops->size, sizeof *ops);
	while (known < 100 && ops->name(&node.domain->fid, known, names[known], sizeof names[0]) == 0)
		known++;
	CHECK(known > 10 && known < 100);
	RETURNS(ops->name(&node.domain->fid, known, names[0], sizeof names[0]), -FI_ENOENT);
	CHECK(ops->name(&node.domain->fid, 0, names[99], 1) < 0);
	for (size_t i = 0; i < known; i++)
		for (size_t j = 0; j < i; j++)
			CHECK(strcmp(names[i], names[j]) != 0);
	uint64_t value = 5;
	RETURNS(ops->read(&node.domain->fid, "no such count", &value), -FI_ENOENT);
	uint64_t sends = counted_by(&node, "sends"), bytes = counted_by(&node, "sent_bytes");
	recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 1);
	barrier(&node);
	send_by(&node, MSG, PLAIN, 1 - me.rank, &byte, 1, 0, 2);
	DONE(&node, RX, 1);
	DONE(&node, TX, 2);
	EQUAL(counted_by(&node, "sends"), sends + 1);
	EQUAL(counted_by(&node, "sent_bytes"), bytes + 1);
	node_close(&node);
}

/* Variables: how long messages are that wait to be fetched. */
static void threshold(long unused)
{
	struct node node;
	static uint8_t out[1025], in[1025];

	(void)unused;
	setenv("FI_CXI_RDZV_THRESHOLD", "1000", 1);
	setenv("FI_CXI_RDZV_GET_MIN", "24", 1);
	node_open(&node, WISH(.caps = FI_MSG));
	for (size_t len = 1024; len <= 1025; len++) {
		uint64_t before = counted_by(&node, "rendezvous");

		pattern(out, len, me.rank, len, 0);
		send_by(&node, MSG, PLAIN, 1 - me.rank, out, len, 0, 1);
		/* Short enough: it is over before anybody wants it. */
		if (len == 1024)
			DONE(&node, TX, 1);
		EQUAL(counted_by(&node, "rendezvous") - before, len == 1025);
		barrier(&node);
		recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, in, sizeof in, 0, 0, 2);
		EQUAL(DONE(&node, RX, 2).len, len);
		EQUAL(pattern_differs(in, len, 1 - me.rank, len, 0), len);
		if (len == 1025)
			DONE(&node, TX, 1);
		barrier(&node);
	}
	node_close(&node);
}

/* Variables: what is switched off is refused, waits that count their looks end all the same. */
static void switches(long unused)
{
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(64);

	(void)unused;
	setenv("FI_CXI_ENABLE_WRITEDATA", "0", 1);
	setenv("FI_CXI_CNTR_SPIN_BEFORE_YIELD", "100000000", 1);
	setenv("FI_CXI_OPTIMIZED_MRS", "false", 1);
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	const struct target *target = &targets[1 - me.rank];
	RETURNS(fi_writedata(node.ep, own.bytes, 8, NULL, 5, node.peers[1 - me.rank], target->address, target->key, ctx(&node, 1)), -FI_EOPNOTSUPP);
	RETURNS(fi_inject_writedata(node.ep, own.bytes, 8, 5, node.peers[1 - me.rank], target->address, target->key), -FI_EOPNOTSUPP);
	POST(&node, fi_write(node.ep, own.bytes, 8, NULL, node.peers[1 - me.rank], target->address, target->key, ctx(&node, 1)));
	DONE(&node, TX, 1);
	bool found = true;
	OK(fi_get_val(&node.domain->fid, GET_OPTIMIZED_MRS, &found));
	EQUAL(found, false);
	struct fid_cntr *counter = open_counter(&node);
	double began = now();
	RETURNS(fi_cntr_wait(counter, 1, 50), -FI_ETIMEDOUT);
	CHECK(now() - began > 0.04);
	OK(fi_cntr_add(counter, 1));
	OK(fi_cntr_wait(counter, 1, 50));
	OK(fi_close(&counter->fid));
	region_close(&region);
	node_close(&node);
}

/* Variables: a value that means nothing is no value; the provider is not there, and says why. */
static void wrong_variable(long unused)
{
	struct fi_info *hints = hints_for(WISH(.caps = FI_MSG)), *info = NULL;

	(void)unused;
	setenv("FI_CXI_CQ_POLICY", "sometimes", 1);
	RETURNS(fi_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, &info), -FI_ENODATA);
	fi_freeinfo(hints);
}

/* A number in a document, behind a name, from a place on; -1 where it is not there. */
static long long number_behind(const char *text, const char *name)
{
	char quoted[64];

	snprintf(quoted, sizeof quoted, "\"%s\":", name);
	const char *found = text ? strstr(text, quoted) : NULL;
	return found ? atoll(found + strlen(quoted)) : -1;
}

/* What is written down of the peer when the endpoint closes: operations, bytes, and the paths that bytes took. */
static void peers(long unused)
{
	static const size_t LENGTHS[] = { 8, 5000, 60000, 60000 };
	struct node node;
	struct buffer buffer = buffer_new(60000);
	char folder[] = "philae-conformance-XXXXXX", path[128], text[16384] = "";
	bool is_udp = is_by_datagrams();

	(void)unused;
	CHECK(mkdtemp(folder) != NULL);
	setenv("FI_PHILAE_TRAFFIC", folder, 1);
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	struct target targets[2];
	struct region region = region_open(&node, buffer.bytes, buffer.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, buffer.size, targets);
	for (int i = 0; i < 4; i++) {
		/* The last finds no receive. */
		if (me.rank == 1 && i < 3)
			recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, 60000, 0, 0, 1);
		barrier(&node);
		if (me.rank == 0)
			POST(&node, fi_send(node.ep, buffer.bytes, LENGTHS[i], NULL, node.peers[1], ctx(&node, 2)));
		if (i == 3)
			barrier(&node);
		if (me.rank == 1 && i == 3)
			recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, 60000, 0, 0, 1);
		DONE(&node, me.rank == 0 ? TX : RX, me.rank == 0 ? 2 : 1);
	}
	barrier(&node);
	if (me.rank == 0) {
		rma_by(&node, WRITE, 1, buffer.bytes, 1000, &targets[1], 0, 1);
		DONE(&node, TX, 1);
		rma_by(&node, READ, 1, buffer.bytes, 2000, &targets[1], 0, 1);
		DONE(&node, TX, 1);
	}
	struct name name = node_name(&node);
	char address[200];
	size_t size = sizeof address;
	int pid = -1;
	CHECK(fi_av_straddr(node.av, name.bytes, address, &size) != NULL);
	EQUAL(sscanf(strstr(address, "?pid="), "?pid=%d", &pid), 1);
	barrier(&node);
	region_close(&region);
	node_close(&node);
	snprintf(path, sizeof path, "%s/%d-%d.json", folder, (int)getpid(), pid);
	FILE *file = fopen(path, "r");
	CHECK(file != NULL);
	text[fread(text, 1, sizeof text - 1, file)] = 0;
	fclose(file);
	CHECK(remove(path) == 0 && rmdir(folder) == 0);
	const char *of_peers = strstr(text, "\"peers\":[");
	CHECK(of_peers != NULL);
	if (me.rank == 0) {
		EQUAL(number_behind(of_peers, "sends"), 4);
		EQUAL(number_behind(of_peers, "sent_bytes"), 125008);
		EQUAL(number_behind(of_peers, "inline"), 1);
		EQUAL(number_behind(of_peers, "eager"), 1);
		EQUAL(number_behind(of_peers, "rendezvous"), is_udp ? 2 : 1);
		/* A message that meets its receive, a write and a read. */
		EQUAL(number_behind(of_peers, "one_copy"), is_udp ? -1 : 3);
		EQUAL(number_behind(of_peers, "writes"), 1);
		EQUAL(number_behind(of_peers, "written_bytes"), 1000);
		EQUAL(number_behind(of_peers, "reads"), 1);
		EQUAL(number_behind(of_peers, "read_bytes"), 2000);
		if (is_udp)
			CHECK(number_behind(of_peers, "datagrams_sent") > 0);
	} else {
		EQUAL(number_behind(of_peers, "receives"), 4);
		EQUAL(number_behind(of_peers, "received_bytes"), 125008);
		EQUAL(number_behind(of_peers, "inline"), -1);
	}
	CHECK(number_behind(of_peers, "pid") >= 0 && number_behind(of_peers, "pid") != pid);
}

const struct test vendor_tests[] = {
	{ "vendor.names", "tables of functions by name, of the object that they belong to", names, 0, 1, 1, TEST_OURS },
	{ "vendor.writeback", "a counter shows its value in the program's memory", shown, 0, 1, 1, TEST_OURS },
	{ "vendor.writeback_own", "it does while operations of this rank count", shown_counting, 0, 2, 2, TEST_OURS },
	{ "vendor.writeback_others", "it does while operations of others count", shown_counting, 1, 2, 2, TEST_OURS },
	{ "vendor.writeback_deferred", "it does when deferred work ends", shown_deferred, 0, 2, 2, TEST_OURS },
	{ "vendor.topology", "the NIC's address in parts, and the same wherever it is told", topology, 0, 1, 1, TEST_OURS },
	{ "vendor.depth", "as much deferred work as the depth says", depth, 0, 1, 1, TEST_OURS },
	{ "vendor.waiting", "messages that wait for a receive are listed", waiting_messages, 0, 2, 2, TEST_OURS },
	{ "vendor.options", "options of domains and endpoints", options, 0, 1, 1, TEST_OURS },
	{ "vendor.counts", "counts by name", counts, 0, 2, 2, TEST_OURS },
	{ "vendor.threshold", "the longest message that is not fetched is as the variables say", threshold, 0, 2, 2, TEST_OURS },
	{ "vendor.switches", "variables that switch something off", switches, 0, 2, 2, TEST_OURS },
	{ "vendor.wrong_variable", "a variable that means nothing is refused", wrong_variable, 0, 1, 1, TEST_OURS },
	{ "vendor.peers", "what went to a peer and came from it is written down when the endpoint closes", peers, 0, 2, 2, TEST_OURS },
	{ 0 },
};
