/* The life of objects: opening, binding, options, closing in order, again and many times. */
#include "p2p.h"
#include <rdma/fi_collective.h>

/* What is in use cannot be closed; afterwards it can. */
static void busy(long unused)
{
	struct node node;
	struct fid_cq *queue[2];
	struct fid_av *av;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	RETURNS(fi_close(&node.fabric->fid), -FI_EBUSY);
	RETURNS(fi_close(&node.domain->fid), -FI_EBUSY);
	RETURNS(fi_close(&node.cq[TX]->fid), -FI_EBUSY);
	RETURNS(fi_close(&node.cq[RX]->fid), -FI_EBUSY);
	if (is_ours())
		RETURNS(fi_close(&node.av->fid), -FI_EBUSY);
	queue[TX] = node.cq[TX];
	queue[RX] = node.cq[RX];
	av = node.av;
	OK(fi_close(&node.ep->fid));
	RETURNS(fi_close(&node.domain->fid), -FI_EBUSY);
	OK(fi_close(&queue[TX]->fid));
	OK(fi_close(&queue[RX]->fid));
	OK(fi_close(&av->fid));
	RETURNS(fi_close(&node.fabric->fid), -FI_EBUSY);
	OK(fi_close(&node.domain->fid));
	OK(fi_close(&node.fabric->fid));
	fi_freeinfo(node.info);
	free(node.contexts);
}

/* A domain with a region or a counter is busy. */
static void busy_children(long unused)
{
	struct node node;
	uint8_t bytes[64];
	struct fi_cntr_attr attr = { .events = FI_CNTR_EVENTS_COMP, .wait_obj = FI_WAIT_UNSPEC };
	struct fid_cntr *counter;
	struct fid_mr *region;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG | FI_RMA));
	OK(fi_close(&node.ep->fid));
	OK(fi_close(&node.cq[TX]->fid));
	OK(fi_close(&node.cq[RX]->fid));
	OK(fi_close(&node.av->fid));
	OK(fi_cntr_open(node.domain, &attr, &counter, NULL));
	RETURNS(fi_close(&node.domain->fid), -FI_EBUSY);
	OK(fi_close(&counter->fid));
	OK(fi_mr_reg(node.domain, bytes, 64, FI_REMOTE_WRITE, 0, 3, 0, &region, NULL));
	RETURNS(fi_close(&node.domain->fid), -FI_EBUSY);
	OK(fi_close(&region->fid));
	OK(fi_close(&node.domain->fid));
	OK(fi_close(&node.fabric->fid));
	fi_freeinfo(node.info);
	free(node.contexts);
}

/* Everything opened, used and closed, many times in one process. */
static void reopen(long unused)
{
	(void)unused;
	for (int round = 0; round < 15; round++) {
		struct node node;
		uint8_t out = (uint8_t)round, in = 0xff;

		node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED));
		recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, &in, 1, (uint64_t)round, 0, 1);
		barrier(&node);
		send_by(&node, TAGGED, PLAIN, 1 - me.rank, &out, 1, (uint64_t)round, 2);
		DONE(&node, RX, 1);
		DONE(&node, TX, 2);
		EQUAL(in, round);
		node_close(&node);
	}
}

/* An endpoint closes with receives posted, and a new one takes its place. */
static void close_posted(long unused)
{
	static uint8_t bytes[50][100];

	(void)unused;
	for (int round = 0; round < 5; round++) {
		struct node node;

		node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED));
		for (uint64_t i = 0; i < 50; i++) {
			memset(bytes[i], UNTOUCHED, 100);
			if (i % 2)
				recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, bytes[i], 100, 0, 0, i);
			else
				recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, bytes[i], 100, i, 0, i);
		}
		barrier(&node);
		OK(fi_close(&node.ep->fid));
		node.ep = NULL;
		/* Completions of what was posted may come with an error, or not at all. */
		progress(&node);
		node.done[RX].count = 0;
		node_close_alone(&node);
		for (int i = 0; i < 50; i++)
			EQUAL(bytes[i][0], UNTOUCHED);
	}
}

/* Many endpoints of one domain, each with its own queues: names differ, each gets its own messages. */
static void plenty(long count)
{
	enum { MOST = 64 };
	struct node node;
	struct fid_ep *endpoints[MOST];
	struct fid_cq *queues[MOST];
	fi_addr_t addresses[MOST];
	struct name names[MOST];
	static struct fi_context2 contexts[2 * MOST];
	uint8_t in[MOST], out[MOST];
	struct fi_cq_attr attr = { .format = FI_CQ_FORMAT_TAGGED, .wait_obj = FI_WAIT_NONE, .size = 64 };

	node_open_alone(&node, WISH(.caps = FI_MSG));
	for (int i = 0; i < count; i++) {
		size_t size = sizeof names[i].bytes;

		OK(fi_endpoint(node.domain, node.info, &endpoints[i], NULL));
		OK(fi_cq_open(node.domain, &attr, &queues[i], NULL));
		OK(fi_ep_bind(endpoints[i], &node.av->fid, 0));
		OK(fi_ep_bind(endpoints[i], &queues[i]->fid, FI_TRANSMIT | FI_RECV));
		OK(fi_enable(endpoints[i]));
		memset(&names[i], 0, sizeof names[i]);
		OK(fi_getname(&endpoints[i]->fid, names[i].bytes, &size));
		RETURNS(fi_av_insert(node.av, names[i].bytes, 1, &addresses[i], 0, NULL), 1);
		for (int other = 0; other < i; other++)
			if (memcmp(names[i].bytes, names[other].bytes, sizeof names[i].bytes) == 0)
				FAIL("endpoints %d and %d have one name", other, i);
	}
	for (int i = 0; i < count; i++) {
		in[i] = 0xff;
		OK(fi_recv(endpoints[i], &in[i], 1, NULL, FI_ADDR_UNSPEC, &contexts[i]));
	}
	for (int i = 0; i < count; i++) {
		int to = (i * 7 + 3) % (int)count;

		out[i] = (uint8_t)to;
		ssize_t code;
		while ((code = fi_send(endpoints[i], &out[i], 1, NULL, addresses[to], &contexts[MOST + i])) == -FI_EAGAIN)
			for (int other = 0; other < count; other++)
				fi_cq_read(queues[other], NULL, 0);
		RETURNS(code, 0);
	}
	int sent = 0, got = 0;
	while (sent < count || got < count) {
		for (int i = 0; i < count; i++) {
			struct fi_cq_tagged_entry entry;
			ssize_t found = fi_cq_read(queues[i], &entry, 1);

			CHECK(found == 1 || found == -FI_EAGAIN);
			if (found != 1)
				continue;
			if (entry.op_context == &contexts[i])
				got++;
			else if (entry.op_context == &contexts[MOST + i])
				sent++;
			else
				FAIL("queue %d has a completion of another endpoint", i);
		}
		wait_turn(&node, __FILE__, __LINE__, "messages among many endpoints");
	}
	for (int i = 0; i < count; i++)
		EQUAL(in[i], i);
	for (int i = 0; i < count; i++) {
		OK(fi_close(&endpoints[i]->fid));
		OK(fi_close(&queues[i]->fid));
	}
	node_close_alone(&node);
}

/* What an endpoint needs before it is enabled. */
static void incomplete(long unused)
{
	struct node node;
	struct fid_ep *ep;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	OK(fi_endpoint(node.domain, node.info, &ep, NULL));
	OK(fi_ep_bind(ep, &node.cq[TX]->fid, FI_TRANSMIT));
	OK(fi_ep_bind(ep, &node.cq[RX]->fid, FI_RECV));
	int code = fi_enable(ep);
	if (is_ours())
		RETURNS(code, -FI_ENOAV);
	CHECK(code < 0);
	OK(fi_close(&ep->fid));
	OK(fi_endpoint(node.domain, node.info, &ep, NULL));
	OK(fi_ep_bind(ep, &node.av->fid, 0));
	code = fi_enable(ep);
	if (is_ours())
		RETURNS(code, -FI_ENOCQ);
	CHECK(code < 0);
	OK(fi_close(&ep->fid));
	node_close_alone(&node);
}

/* What cannot be bound is refused. */
static void wrong_binds(long unused)
{
	struct node node;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG, .is_not_enabled = true));
	CHECK(fi_ep_bind(node.ep, &node.domain->fid, 0) < 0);
	CHECK(fi_ep_bind(node.ep, &node.fabric->fid, 0) < 0);
	CHECK(fi_ep_bind(node.ep, &node.cq[TX]->fid, 1ull << 55) < 0);
	OK(fi_enable(node.ep));
	node_close_alone(&node);
}

/* Before it is enabled, an endpoint does nothing. */
static void not_enabled(long unused)
{
	struct node node;
	uint8_t byte = 0;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG | FI_TAGGED, .is_not_enabled = true));
	RETURNS(fi_recv(node.ep, &byte, 1, NULL, FI_ADDR_UNSPEC, ctx(&node, 1)), -FI_EOPBADSTATE);
	RETURNS(fi_send(node.ep, &byte, 1, NULL, 0, ctx(&node, 1)), -FI_EOPBADSTATE);
	RETURNS(fi_tinject(node.ep, &byte, 1, 0, 5), -FI_EOPBADSTATE);
	OK(fi_enable(node.ep));
	node_close_alone(&node);
}

/* Default flags of an endpoint can be read, set and take effect. */
static void flags(long unused)
{
	struct node node;
	uint64_t value = FI_TRANSMIT;
	uint8_t byte = 1, in;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG, .tx_bind = FI_SELECTIVE_COMPLETION));
	OK(fi_control(&node.ep->fid, FI_GETOPSFLAG, &value));
	EQUAL(value & FI_COMPLETION, 0);
	recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 1);
	recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 2);
	barrier(&node);
	send_by(&node, MSG, PLAIN, 1 - me.rank, &byte, 1, 0, 3);
	DONE(&node, RX, 1);
	QUIET(&node, 20);
	barrier(&node);
	value = FI_TRANSMIT | FI_COMPLETION;
	OK(fi_control(&node.ep->fid, FI_SETOPSFLAG, &value));
	value = FI_TRANSMIT;
	OK(fi_control(&node.ep->fid, FI_GETOPSFLAG, &value));
	CHECK(value & FI_COMPLETION);
	send_by(&node, MSG, PLAIN, 1 - me.rank, &byte, 1, 0, 4);
	DONE(&node, TX, 4);
	DONE(&node, RX, 2);
	node_close(&node);
}

/* A second face of an endpoint with other default flags. */
static void alias(long unused)
{
	struct node node;
	struct fid_ep *other = NULL;
	uint8_t byte = 1, in;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG));
	int code = fi_ep_alias(node.ep, &other, FI_TRANSMIT | FI_DELIVERY_COMPLETE | FI_COMPLETION);
	if (code != 0 && !is_ours())
		skip("fi_ep_alias: %s", code_text(code));
	RETURNS(code, 0);
	for (uint64_t i = 0; i < 10; i++) {
		recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 1);
		barrier(&node);
		POST(&node, fi_send(i % 2 ? other : node.ep, &byte, 1, NULL, node.peers[1 - me.rank], ctx(&node, 2)));
		DONE(&node, TX, 2);
		DONE(&node, RX, 1);
	}
	barrier(&node);
	OK(fi_close(&other->fid));
	node_close(&node);
}

/* What an RDM provider of ours does not have says so. */
static void absent(long unused)
{
	struct node node;
	struct fid_pep *passive;
	struct fid_ep *scalable, *receive;
	struct fid_stx *transmit;
	struct fid_poll *poll_set;
	struct fi_poll_attr attr = { 0 };
	void *ops = NULL;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	RETURNS(fi_passive_ep(node.fabric, node.info, &passive, NULL), -FI_ENOSYS);
	RETURNS(fi_scalable_ep(node.domain, node.info, &scalable, NULL), -FI_ENOSYS);
	RETURNS(fi_srx_context(node.domain, node.info->rx_attr, &receive, NULL), -FI_ENOSYS);
	RETURNS(fi_stx_context(node.domain, node.info->tx_attr, &transmit, NULL), -FI_ENOSYS);
	RETURNS(fi_poll_open(node.domain, &attr, &poll_set), -FI_ENOSYS);
	CHECK(fi_open_ops(&node.domain->fid, "no such operations", 0, &ops, NULL) < 0);
	CHECK(fi_control(&node.ep->fid, 12345, NULL) < 0);
	node_close_alone(&node);
}

/* A table of functions has all of them. */
static void whole(const void *table, size_t least)
{
	size_t size;

	CHECK(table != NULL);
	memcpy(&size, table, sizeof size);
	CHECK(size >= least);
	EQUAL(size % sizeof(void *), 0);
	for (size_t place = sizeof size; place < size; place += sizeof(void *)) {
		void *function;

		memcpy(&function, (const char *)table + place, sizeof function);
		CHECK(function != NULL);
	}
}

/* libfabric calls most functions of a table without a look: a null one ends the program. */
static void tables(long unused)
{
	struct node node;
	struct fi_cntr_attr counting = { .events = FI_CNTR_EVENTS_COMP };
	struct fi_eq_attr events = { .wait_obj = FI_WAIT_UNSPEC };
	struct fid_cntr *counter;
	struct fid_mr *region;
	struct fid_ep *alias = NULL;
	uint8_t bytes[8];

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC));
	OK(fi_cntr_open(node.domain, &counting, &counter, NULL));
	OK(fi_eq_open(node.fabric, &events, &node.eq, NULL));
	OK(fi_mr_reg(node.domain, bytes, sizeof bytes, FI_REMOTE_WRITE, 0, 3, 0, &region, NULL));
	OK(fi_ep_alias(node.ep, &alias, FI_TRANSMIT));
	struct fid *const objects[] = {
		&node.fabric->fid, &node.domain->fid, &node.av->fid, &node.cq[TX]->fid, &node.ep->fid,
		&alias->fid, &counter->fid, &node.eq->fid, &region->fid, &node.info->nic->fid,
	};
	for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
		whole(objects[i]->ops, sizeof(struct fi_ops));
	for (int i = 0; i < 2; i++) {
		const struct fid_ep *ep = i == 0 ? node.ep : alias;

		whole(ep->ops, sizeof(struct fi_ops_ep));
		whole(ep->cm, sizeof(struct fi_ops_cm));
		whole(ep->msg, sizeof(struct fi_ops_msg));
		whole(ep->rma, sizeof(struct fi_ops_rma));
		whole(ep->tagged, sizeof(struct fi_ops_tagged));
		whole(ep->atomic, sizeof(struct fi_ops_atomic));
		whole(ep->collective, sizeof(struct fi_ops_collective));
	}
	whole(node.fabric->ops, offsetof(struct fi_ops_fabric, trywait) + sizeof(void *));
	whole(node.domain->ops, offsetof(struct fi_ops_domain, query_collective) + sizeof(void *));
	whole(node.domain->mr, sizeof(struct fi_ops_mr));
	whole(node.av->ops, offsetof(struct fi_ops_av, straddr) + sizeof(void *));
	whole(node.cq[TX]->ops, sizeof(struct fi_ops_cq));
	whole(counter->ops, sizeof(struct fi_ops_cntr));
	whole(node.eq->ops, sizeof(struct fi_ops_eq));
	RETURNS(fi_shutdown(node.ep, 0), -FI_ENOSYS);
	RETURNS(fi_barrier(node.ep, 0, NULL), -FI_ENOSYS);
	RETURNS(fi_control(&node.fabric->fid, 12345, NULL), -FI_ENOSYS);
	OK(fi_close(&alias->fid));
	OK(fi_close(&region->fid));
	OK(fi_close(&counter->fid));
	node_close_alone(&node);
}

/* An event queue: events of the user, in order; waits end at their time. */
static void events(long unused)
{
	struct node node;
	struct fi_eq_attr attr = { .size = 16, .flags = FI_WRITE, .wait_obj = FI_WAIT_UNSPEC };
	struct fi_eq_entry entry = { 0 };
	struct fi_eq_err_entry error = { 0 };
	uint32_t event;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	OK(fi_eq_open(node.fabric, &attr, &node.eq, NULL));
	RETURNS(fi_eq_read(node.eq, &event, &entry, sizeof entry, 0), -FI_EAGAIN);
	RETURNS(fi_eq_readerr(node.eq, &error, 0), -FI_EAGAIN);
	for (uint64_t i = 0; i < 5; i++) {
		struct fi_eq_entry written = { .fid = &node.ep->fid, .context = ctx(&node, i), .data = i };

		RETURNS(fi_eq_write(node.eq, FI_NOTIFY, &written, sizeof written, 0), sizeof written);
	}
	RETURNS(fi_eq_read(node.eq, &event, &entry, sizeof entry, FI_PEEK), sizeof entry);
	EQUAL(entry.data, 0);
	for (uint64_t i = 0; i < 5; i++) {
		RETURNS(fi_eq_read(node.eq, &event, &entry, sizeof entry, 0), sizeof entry);
		EQUAL(event, FI_NOTIFY);
		EQUAL(entry.data, i);
		CHECK(entry.context == ctx(&node, i));
	}
	double began = now();
	RETURNS(fi_eq_sread(node.eq, &event, &entry, sizeof entry, 60, 0), -FI_EAGAIN);
	CHECK(now() - began > 0.05);
	node_close_alone(&node);
}

/* Two domains of one process talk. */
static void two_domains(long unused)
{
	struct node first, second;
	struct name names[2];
	fi_addr_t to_second;
	uint8_t out[64], in[64];

	(void)unused;
	node_open_alone(&first, WISH(.caps = FI_MSG));
	node_open_alone(&second, WISH(.caps = FI_MSG));
	names[0] = node_name(&first);
	names[1] = node_name(&second);
	CHECK(memcmp(&names[0], &names[1], sizeof names[0]) != 0);
	RETURNS(fi_av_insert(first.av, names[1].bytes, 1, &to_second, 0, NULL), 1);
	pattern(out, 64, 0, 1, 0);
	recv_by(&second, MSG, PLAIN, FI_ADDR_UNSPEC, in, 64, 0, 0, 1);
	ssize_t code;
	while ((code = fi_send(first.ep, out, 64, NULL, to_second, ctx(&first, 2))) == -FI_EAGAIN) {
		progress(&second);
		wait_turn(&first, __FILE__, __LINE__, "fi_send to the other domain");
	}
	RETURNS(code, 0);
	while (waiting(&second, RX) == 0) {
		progress(&first);
		wait_turn(&second, __FILE__, __LINE__, "a message from the other domain");
	}
	DONE(&second, RX, 1);
	EQUAL(pattern_differs(in, 64, 0, 1, 0), 64);
	while (waiting(&first, TX) == 0) {
		progress(&second);
		wait_turn(&first, __FILE__, __LINE__, "the end of a message to the other domain");
	}
	DONE(&first, TX, 2);
	node_close_alone(&first);
	node_close_alone(&second);
}

const struct test object_tests[] = {
	{ "object.busy", "what is in use says -FI_EBUSY, and closes afterwards", busy, 0, 1, 1, 0 },
	{ "object.busy_children", "a domain with a region or a counter is busy", busy_children, 0, 1, 1, 0 },
	{ "object.reopen", "everything opened, used and closed many times", reopen, 0, 2, 2, 0 },
	{ "object.close_posted", "an endpoint closes with receives posted", close_posted, 0, 2, 2, 0 },
	{ "object.endpoints_8", "eight endpoints in one domain", plenty, 8, 1, 1, 0 },
	{ "object.endpoints_64", "sixty-four endpoints in one domain", plenty, 64, 1, 1, 0 },
	{ "object.incomplete", "an endpoint without vector or queue is not enabled", incomplete, 0, 1, 1, 0 },
	{ "object.wrong_binds", "what cannot be bound is refused", wrong_binds, 0, 1, 1, TEST_OURS },
	{ "object.not_enabled", "before fi_enable operations say -FI_EOPBADSTATE", not_enabled, 0, 1, 1, TEST_OURS },
	{ "object.flags", "FI_GETOPSFLAG and FI_SETOPSFLAG", flags, 0, 2, 2, TEST_OURS },
	{ "object.alias", "an alias with other flags sends as its endpoint does", alias, 0, 2, 2, 0 },
	{ "object.tables", "tables of functions are whole", tables, 0, 1, 1, TEST_OURS },
	{ "object.absent", "what is not offered says so", absent, 0, 1, 1, TEST_OURS },
	{ "object.events", "an event queue keeps events and their order", events, 0, 1, 1, 0 },
	{ "object.two_domains", "two domains of one process talk", two_domains, 0, 1, 1, 0 },
	{ 0 },
};
