/* When and whether operations complete: selective completion, levels of completion, FI_MORE, FI_FENCE, FI_INJECT. */
#include "rma.h"

/* Tries one operation with flags; a skip where the provider does not know them. */
static void send_or_skip(struct node *node, enum kind kind, const void *bytes, size_t len, uint64_t number, uint64_t flags)
{
	struct iovec iov = { (void *)(uintptr_t)bytes, len };
	struct fi_msg msg = { .msg_iov = &iov, .iov_count = 1, .addr = node->peers[1], .context = ctx(node, number) };
	struct fi_msg_tagged tagged = { .msg_iov = &iov, .iov_count = 1, .addr = node->peers[1], .tag = 3, .context = ctx(node, number) };
	long long code;

	while ((code = kind == MSG ? fi_sendmsg(node->ep, &msg, flags) : fi_tsendmsg(node->ep, &tagged, flags)) == -FI_EAGAIN)
		wait_turn(node, __FILE__, __LINE__, "fi_sendmsg");
	if (code != 0 && !is_ours())
		skip("fi_sendmsg with flags 0x%llx: %s", (unsigned long long)flags, code_text(code));
	RETURNS(code, 0);
}

/* Only operations that ask for it complete in the queue. */
static void selective(long kind)
{
	enum { COUNT = 40 };
	struct node node;
	uint8_t bytes[COUNT] = { 0 };

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind), .tx_bind = FI_SELECTIVE_COMPLETION, .rx_bind = FI_SELECTIVE_COMPLETION,
			      .msg_order = FI_ORDER_SAS));
	if (me.rank == 1) {
		for (uint64_t i = 0; i < COUNT; i++)
			recv_by(&node, kind, i % 4 == 3 ? MESSAGE : PLAIN, FI_ADDR_UNSPEC, &bytes[i], 1, 3, 0, i);
		barrier(&node);
		for (uint64_t i = 3; i < COUNT; i += 4)
			RECEIVED(&node, kind, i, 1, 3);
		QUIET(&node, 30);
		for (int i = 0; i < COUNT; i++)
			EQUAL(bytes[i], i + 1);
		/* An error is told, asked for or not. */
		recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, bytes, 1, 3, 0, 1);
		OK(fi_cancel(&node.ep->fid, ctx(&node, 1)));
		EQUAL(FAULT(&node, RX, 1).err, FI_ECANCELED);
	} else {
		barrier(&node);
		for (uint64_t i = 0; i < COUNT; i++) {
			bytes[i] = (uint8_t)(i + 1);
			send_by(&node, kind, i % 4 == 1 ? MESSAGE : PLAIN, 1, &bytes[i], 1, 3, i);
		}
		for (uint64_t i = 1; i < COUNT; i += 4)
			DONE(&node, TX, i);
		QUIET(&node, 30);
	}
	node_close(&node);
}

/* The endpoint's default flags: FI_COMPLETION there, and every plain call completes although the queue is selective. */
static void selective_default(long unused)
{
	struct node node;
	uint8_t byte = 1;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG, .tx_flags = FI_COMPLETION, .rx_flags = FI_COMPLETION, .tx_bind = FI_SELECTIVE_COMPLETION,
			      .rx_bind = FI_SELECTIVE_COMPLETION));
	if (me.rank == 1) {
		recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &byte, 1, 0, 0, 1);
		barrier(&node);
		RECEIVED(&node, MSG, 1, 1, 0);
		recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &byte, 1, 0, 0, 2);
		barrier(&node);
		RECEIVED(&node, MSG, 2, 1, 0);
	} else {
		barrier(&node);
		send_by(&node, MSG, PLAIN, 1, &byte, 1, 0, 1);
		DONE(&node, TX, 1);
		barrier(&node);
		/* A message call's own flags stand instead of the defaults. */
		send_with(&node, MSG, 1, &byte, 1, 0, 2, 0);
		QUIET(&node, 30);
	}
	node_close(&node);
}

/* Messages under one level of completion, at sizes of every protocol. */
static void level(long which)
{
	static const uint64_t LEVELS[] = { FI_INJECT_COMPLETE, FI_TRANSMIT_COMPLETE, FI_DELIVERY_COMPLETE, FI_MATCH_COMPLETE };
	static const size_t LENGTHS[] = { 0, 8, 500, 5000, 20000, 300000 };
	uint64_t flags = LEVELS[which];
	struct node node;
	struct buffer buffer = buffer_new(300000);

	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED));
	for (int kind = MSG; kind <= TAGGED; kind++)
		for (int index = 0; index < 6; index++) {
			size_t len = LENGTHS[index];

			if (me.rank == 0) {
				pattern(buffer.bytes, len, 0, (uint64_t)index, 0);
				send_or_skip(&node, kind, buffer.bytes, len, 1, flags | FI_COMPLETION);
				if (flags == FI_MATCH_COMPLETE) {
					/* It has not been received yet. The peers that take the flag do not all keep it. */
					if (is_ours())
						QUIET(&node, 60);
					barrier(&node);
				}
				DONE(&node, TX, 1);
			} else {
				buffer_clear(&buffer);
				if (flags == FI_MATCH_COMPLETE)
					barrier(&node);
				recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, 300000, 3, 0, 1);
				RECEIVED(&node, kind, 1, len, 3);
				HOLDS(&buffer, len, 0, (uint64_t)index);
			}
		}
	node_close(&node);
}

/* The same as the endpoint's default. */
static void level_default(long which)
{
	static const uint64_t LEVELS[] = { FI_INJECT_COMPLETE, FI_TRANSMIT_COMPLETE, FI_DELIVERY_COMPLETE, FI_MATCH_COMPLETE };
	struct node node;
	struct buffer buffer = buffer_new(20000);

	node_open(&node, WISH(.caps = FI_TAGGED, .tx_flags = LEVELS[which]));
	CHECK(node.info->tx_attr->op_flags & LEVELS[which]);
	for (uint64_t i = 0; i < 20; i++) {
		size_t len = (size_t)i * 1000;

		if (me.rank == 0) {
			pattern(buffer.bytes, len, 0, i, 0);
			send_by(&node, TAGGED, PLAIN, 1, buffer.bytes, len, i, i);
			DONE(&node, TX, i);
		} else {
			buffer_clear(&buffer);
			recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, 20000, i, 0, i);
			RECEIVED(&node, TAGGED, i, len, i);
			HOLDS(&buffer, len, 0, i);
		}
	}
	node_close(&node);
}

/* A write that completes with FI_DELIVERY_COMPLETE is in the target's memory: seen without waiting. */
static void delivered(long unused)
{
	static const size_t LENGTHS[] = { 8, 192, 4096, 100000 };
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(100000), local = buffer_new(100000);

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	for (uint64_t i = 0; i < 40; i++) {
		size_t len = LENGTHS[i % 4];
		struct iovec iov = { local.bytes, len };
		struct fi_rma_iov remote = { targets[1].address, len, targets[1].key };
		struct fi_msg_rma msg = { .msg_iov = &iov, .iov_count = 1, .addr = node.peers[1], .rma_iov = &remote, .rma_iov_count = 1,
					  .context = ctx(&node, 1) };

		if (me.rank == 0) {
			long long code;

			pattern(local.bytes, len, 0, i, 0);
			while ((code = fi_writemsg(node.ep, &msg, FI_COMPLETION | FI_DELIVERY_COMPLETE)) == -FI_EAGAIN)
				wait_turn(&node, __FILE__, __LINE__, "fi_writemsg");
			if (code != 0 && !is_ours())
				skip("fi_writemsg with FI_DELIVERY_COMPLETE: %s", code_text(code));
			RETURNS(code, 0);
			DONE(&node, TX, 1);
		}
		barrier(&node);
		if (me.rank == 1)
			EQUAL(pattern_differs(own.bytes, len, 0, i, 0), len);
		barrier(&node);
	}
	region_close(&region);
	node_close(&node);
}

/* Operations that wait for more: all go with the first that does not. */
static void more(long kind)
{
	enum { COUNT = 30, BATCH = 5 };
	struct node node;
	struct buffer out[BATCH], in[COUNT];

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind), .msg_order = FI_ORDER_SAS));
	for (int i = 0; i < COUNT; i++)
		in[i] = buffer_new(5000);
	for (int i = 0; i < BATCH; i++)
		out[i] = buffer_new(5000);
	if (me.rank == 0) {
		barrier(&node);
		for (uint64_t i = 0; i < COUNT; i++) {
			struct buffer *buffer = &out[i % BATCH];

			pattern(buffer->bytes, (size_t)i * 150, 0, i, 0);
			send_with(&node, kind, 1, buffer->bytes, (size_t)i * 150, 3, i, FI_COMPLETION | (i % BATCH == BATCH - 1 ? 0 : FI_MORE));
			if (i % BATCH == BATCH - 1)
				for (uint64_t done = i + 1 - BATCH; done <= i; done++)
					DONE(&node, TX, done);
		}
	} else {
		for (uint64_t i = 0; i < COUNT; i++) {
			struct iovec iov = { in[i].bytes, 5000 };
			struct fi_msg msg = { .msg_iov = &iov, .iov_count = 1, .addr = FI_ADDR_UNSPEC, .context = ctx(&node, i) };
			struct fi_msg_tagged tagged = { .msg_iov = &iov, .iov_count = 1, .addr = FI_ADDR_UNSPEC, .tag = 3, .context = ctx(&node, i) };
			uint64_t flags = FI_COMPLETION | (i + 1 < COUNT ? FI_MORE : 0);

			if (kind == MSG)
				POST(&node, fi_recvmsg(node.ep, &msg, flags));
			else
				POST(&node, fi_trecvmsg(node.ep, &tagged, flags));
		}
		barrier(&node);
		for (uint64_t i = 0; i < COUNT; i++) {
			RECEIVED(&node, kind, i, (size_t)i * 150, 3);
			HOLDS(&in[i], (size_t)i * 150, 0, i);
		}
	}
	node_close(&node);
}

/* A message behind a fence comes when the write before it is done. */
static void fence(long unused)
{
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(200000), local = buffer_new(200000);
	uint8_t byte = 0;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA | FI_FENCE));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	for (uint64_t i = 0; i < 30; i++) {
		size_t len = i % 2 ? 200000 : 64;

		if (me.rank == 0) {
			barrier(&node);
			pattern(local.bytes, len, 0, i, 0);
			rma_by(&node, WRITE, 1, local.bytes, len, &targets[1], 0, 1);
			send_with(&node, MSG, 1, &byte, 1, 0, 2, FI_COMPLETION | FI_FENCE);
			DONE(&node, TX, 1);
			DONE(&node, TX, 2);
		} else {
			recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &byte, 1, 0, 0, 3);
			barrier(&node);
			RECEIVED(&node, MSG, 3, 1, 0);
			EQUAL(pattern_differs(own.bytes, len, 0, i, 0), len);
		}
	}
	region_close(&region);
	node_close(&node);
}

/* FI_INJECT on a message call: the buffer is free immediately, the completion comes. */
static void inject_flag(long kind)
{
	enum { COUNT = 100 };
	struct node node;

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind), .msg_order = FI_ORDER_SAS));
	size_t size = node.info->tx_attr->inject_size < 1000 ? node.info->tx_attr->inject_size : 1000;
	if (size == 0)
		skip("inject_size is 0");
	struct buffer buffer = buffer_new(size);
	for (uint64_t i = 0; i < COUNT; i++) {
		if (me.rank == 0) {
			pattern(buffer.bytes, size, 0, i, 0);
			send_or_skip(&node, kind, buffer.bytes, size, i, FI_INJECT | FI_COMPLETION);
			memset(buffer.bytes, 0x33, size);
			if (i % 8 == 7)
				for (uint64_t done = i - 7; done <= i; done++)
					DONE(&node, TX, done);
		} else {
			buffer_clear(&buffer);
			recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, size, 3, 0, 1);
			RECEIVED(&node, kind, 1, size, 3);
			HOLDS(&buffer, size, 0, i);
		}
	}
	if (me.rank == 0)
		for (uint64_t done = COUNT / 8 * 8; done < COUNT; done++)
			DONE(&node, TX, done);
	node_close(&node);
}

/* Immediate data by flag. */
static void data_flag(long kind)
{
	struct node node;
	struct buffer buffer = buffer_new(30000);

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind)));
	if (node.info->domain_attr->cq_data_size < 8)
		skip("cq_data_size is %zu", node.info->domain_attr->cq_data_size);
	for (uint64_t i = 0; i < 12; i++) {
		size_t len = (size_t)i * i * 200;

		if (me.rank == 0) {
			send_with(&node, kind, 1, buffer.bytes, len, 3, i, FI_COMPLETION | (i % 3 ? FI_REMOTE_CQ_DATA : 0));
			DONE(&node, TX, i);
		} else {
			if (i % 2)
				QUIET(&node, 10);
			recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, 30000, 3, 0, i);
			struct done done = RECEIVED(&node, kind, i, len, 3);
			EQUAL(!!(done.flags & FI_REMOTE_CQ_DATA), i % 3 != 0);
			if (i % 3)
				EQUAL(done.data, IMMEDIATE(i));
		}
	}
	node_close(&node);
}

const struct test completion_tests[] = {
	{ "completion.selective_msg", "with FI_SELECTIVE_COMPLETION only who asks gets a completion", selective, MSG, 2, 2, 0 },
	{ "completion.selective_tagged", "with FI_SELECTIVE_COMPLETION only who asks gets a completion", selective, TAGGED, 2, 2, 0 },
	{ "completion.selective_default", "FI_COMPLETION in op_flags makes plain calls complete", selective_default, 0, 2, 2, 0 },
	{ "completion.inject_level", "FI_INJECT_COMPLETE at all sizes", level, 0, 2, 2, 0 },
	{ "completion.transmit_level", "FI_TRANSMIT_COMPLETE at all sizes", level, 1, 2, 2, 0 },
	{ "completion.delivery_level", "FI_DELIVERY_COMPLETE at all sizes", level, 2, 2, 2, 0 },
	{ "completion.match_level", "FI_MATCH_COMPLETE: no completion before a receive took the message", level, 3, 2, 2, 0 },
	{ "completion.inject_default", "FI_INJECT_COMPLETE in op_flags", level_default, 0, 2, 2, 0 },
	{ "completion.transmit_default", "FI_TRANSMIT_COMPLETE in op_flags", level_default, 1, 2, 2, 0 },
	{ "completion.delivery_default", "FI_DELIVERY_COMPLETE in op_flags", level_default, 2, 2, 2, 0 },
	{ "completion.delivered", "after FI_DELIVERY_COMPLETE the target sees what was written", delivered, 0, 2, 2, 0 },
	{ "completion.more_msg", "operations with FI_MORE go with the first one without", more, MSG, 2, 2, 0 },
	{ "completion.more_tagged", "operations with FI_MORE go with the first one without", more, TAGGED, 2, 2, 0 },
	{ "completion.fence", "FI_FENCE: a message comes after the write before it", fence, 0, 2, 2, 0 },
	{ "completion.inject_flag_msg", "FI_INJECT as a flag frees the buffer immediately", inject_flag, MSG, 2, 2, 0 },
	{ "completion.inject_flag_tagged", "FI_INJECT as a flag frees the buffer immediately", inject_flag, TAGGED, 2, 2, 0 },
	{ "completion.data_flag_msg", "FI_REMOTE_CQ_DATA as a flag", data_flag, MSG, 2, 2, 0 },
	{ "completion.data_flag_tagged", "FI_REMOTE_CQ_DATA as a flag", data_flag, TAGGED, 2, 2, 0 },
	{ 0 },
};
