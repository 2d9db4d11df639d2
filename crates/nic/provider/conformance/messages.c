/* Messages: every function that sends, every size, expected and unexpected; the same for tagged messages. */
#include "p2p.h"

/* A test's variants in one number. */
#define VARIANT(kind, how, is_late) ((kind) | (how) << 4 | (is_late) << 8)

static size_t immediate_bits(const struct node *node)
{
	size_t size = node->info->domain_attr->cq_data_size;

	return size >= 8 ? 64 : size * 8;
}

static uint64_t immediate_seen(const struct node *node, uint64_t number)
{
	size_t bits = immediate_bits(node);

	return bits == 64 ? IMMEDIATE(number) : IMMEDIATE(number) & ((1ull << bits) - 1);
}

/* One direction at one size. */
static void one_size(struct node *node, enum kind kind, enum how how, bool is_late, int from, size_t size, uint64_t number)
{
	int to = 1 - from;
	uint64_t tag = 0x1000 + number;
	struct buffer buffer = buffer_new(size + 32);

	if (me.rank == from) {
		pattern(buffer.bytes, size, from, number, 0);
		if (!is_late)
			barrier(node);
		send_by(node, kind, how, to, buffer.bytes, size, tag, number);
		if (!completes(how))
			memset(buffer.bytes, 0xee, size);
		if (is_late)
			barrier(node);
		if (completes(how)) {
			struct done done = DONE(node, TX, number);

			EQUAL(done.flags & (FI_SEND | kind_caps(kind)), FI_SEND | kind_caps(kind));
		}
	} else {
		if (is_late)
			barrier(node);
		recv_by(node, kind, how % 3, FI_ADDR_UNSPEC, buffer.bytes, buffer.size, tag, 0, number);
		if (!is_late)
			barrier(node);
		struct done done = RECEIVED(node, kind, number, size, tag);
		HOLDS(&buffer, size, from, number);
		EQUAL(!!(done.flags & FI_REMOTE_CQ_DATA), has_data(how));
		if (has_data(how))
			EQUAL(done.data, immediate_seen(node, number));
	}
	buffer_free(&buffer);
}

static void sizes(long variant)
{
	enum kind kind = variant & 15;
	enum how how = variant >> 4 & 15;
	bool is_late = variant >> 8 & 1;
	struct node node;
	uint64_t number = 1;

	node_open(&node, WISH(.caps = kind_caps(kind)));
	if (has_data(how) && node.info->domain_attr->cq_data_size == 0)
		skip("cq_data_size is 0");
	if (longest(&node, how) == 0)
		skip("inject_size is 0");
	for (int index = 0; index < SIZES_COUNT; index++) {
		if (SIZES[index] > longest(&node, how))
			break;
		for (int from = 0; from < 2; from++, number++)
			one_size(&node, kind, how, is_late, from, SIZES[index], number);
	}
	if (!completes(how) && longest(&node, how) < (1 << 20)) {
		one_size(&node, kind, how, is_late, 0, longest(&node, how), number++);
		one_size(&node, kind, how, is_late, 1, longest(&node, how) - 1, number++);
	}
	node_close(&node);
}

/* Both ranks send at the same time, several messages of each size in flight. */
static void both_directions(long kind)
{
	enum { COUNT = 8 };
	struct node node;
	struct buffer out[COUNT], in[COUNT];
	uint64_t base = 1;

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind)));
	for (int index = 0; index < SIZES_COUNT; index++) {
		size_t size = SIZES[index];

		for (int i = 0; i < COUNT; i++) {
			out[i] = buffer_new(size);
			in[i] = buffer_new(size);
			pattern(out[i].bytes, size, me.rank, base + (uint64_t)i, 0);
			recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, in[i].bytes, size, base + (uint64_t)i, 0, base + (uint64_t)i);
		}
		barrier(&node);
		for (int i = 0; i < COUNT; i++)
			send_by(&node, kind, PLAIN, 1 - me.rank, out[i].bytes, size, base + (uint64_t)i, base + (uint64_t)i);
		for (int i = 0; i < COUNT; i++) {
			RECEIVED(&node, kind, base + (uint64_t)i, size, base + (uint64_t)i);
			DONE(&node, TX, base + (uint64_t)i);
			HOLDS(&in[i], size, 1 - me.rank, base + (uint64_t)i);
			HOLDS(&out[i], size, me.rank, base + (uint64_t)i);
			buffer_free(&in[i]);
			buffer_free(&out[i]);
		}
		base += COUNT;
	}
	node_close(&node);
}

/* A rank sends to itself: the receive before and after. */
static void to_itself(long kind)
{
	struct node node;
	uint64_t number = 1;

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind)));
	for (int index = 0; index < SIZES_COUNT; index++) {
		for (int is_late = 0; is_late < 2; is_late++, number += 2) {
			struct buffer out = buffer_new(SIZES[index]), in = buffer_new(SIZES[index]);

			pattern(out.bytes, out.size, me.rank, number, 0);
			if (!is_late)
				recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, in.bytes, in.size, number, 0, number);
			send_by(&node, kind, PLAIN, me.rank, out.bytes, out.size, number, number + 1);
			if (is_late)
				recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, in.bytes, in.size, number, 0, number);
			RECEIVED(&node, kind, number, in.size, number);
			DONE(&node, TX, number + 1);
			HOLDS(&in, in.size, me.rank, number);
			buffer_free(&in);
			buffer_free(&out);
		}
	}
	node_close(&node);
}

/* Several pieces on both sides, as many as the limits allow. */
static void pieces(long kind)
{
	struct node node;
	struct iovec iov[16];
	size_t total = 0;

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind)));
	size_t limit = me.rank == 0 ? node.info->tx_attr->iov_limit : node.info->rx_attr->iov_limit;
	if (is_ours()) {
		EQUAL(limit, 1);
		/* That is the vendor's limit. Intel MPI sends in three pieces all the same, and so it may here. */
		limit = me.rank == 0 ? 8 : 1;
	}
	limit = limit > 16 ? 16 : limit;
	CHECK(limit > 0);
	for (int round = 0; round < 4; round++) {
		/* 6 KB in all fits an eager message, 60 KB in all does not. */
		size_t message = round % 2 ? 60000 : 6000;
		uint64_t number = 1 + (uint64_t)round;
		struct buffer buffer = buffer_new(message + 3 * 16);

		total = 0;
		for (size_t piece = 0; piece < limit; piece++) {
			size_t size = piece + 1 == limit ? message - total : message / limit + piece;

			/* Three bytes lie between the pieces. */
			iov[piece] = (struct iovec){ buffer.bytes + total + 3 * piece, size };
			if (me.rank == 0)
				pattern(iov[piece].iov_base, size, 0, number, total);
			total += size;
		}
		if (me.rank == 0) {
			if (round < 2)
				barrier(&node);
			struct fi_msg msg = { .msg_iov = iov, .iov_count = limit, .addr = node.peers[1], .context = ctx(&node, number) };
			struct fi_msg_tagged tagged = { .msg_iov = iov, .iov_count = limit, .addr = node.peers[1], .tag = 77,
							.context = ctx(&node, number) };

			if (kind == MSG && round % 2)
				POST(&node, fi_sendmsg(node.ep, &msg, FI_COMPLETION));
			else if (kind == MSG)
				POST(&node, fi_sendv(node.ep, iov, NULL, limit, node.peers[1], ctx(&node, number)));
			else if (round % 2)
				POST(&node, fi_tsendmsg(node.ep, &tagged, FI_COMPLETION));
			else
				POST(&node, fi_tsendv(node.ep, iov, NULL, limit, node.peers[1], 77, ctx(&node, number)));
			if (round >= 2)
				barrier(&node);
			DONE(&node, TX, number);
		} else {
			if (round >= 2)
				barrier(&node);
			if (kind == MSG)
				POST(&node, fi_recvv(node.ep, iov, NULL, limit, FI_ADDR_UNSPEC, ctx(&node, number)));
			else
				POST(&node, fi_trecvv(node.ep, iov, NULL, limit, FI_ADDR_UNSPEC, 77, 0, ctx(&node, number)));
			if (round < 2)
				barrier(&node);
			RECEIVED(&node, kind, number, message, 77);
			total = 0;
			for (size_t piece = 0; piece < limit; piece++) {
				EQUAL(pattern_differs(iov[piece].iov_base, iov[piece].iov_len, 0, number, total), iov[piece].iov_len);
				if (piece + 1 < limit)
					for (int gap = 0; gap < 3; gap++)
						EQUAL(((uint8_t *)iov[piece].iov_base)[iov[piece].iov_len + (size_t)gap], UNTOUCHED);
				total += iov[piece].iov_len;
			}
		}
		buffer_free(&buffer);
	}
	node_close(&node);
}

/* More pieces than the limit are refused, and nothing happens. */
static void too_many_pieces(long kind)
{
	struct node node;
	struct iovec iov[64];
	uint8_t bytes[64] = { 0 };

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind)));
	size_t tx = (is_ours() ? 8 : node.info->tx_attr->iov_limit) + 1, rx = node.info->rx_attr->iov_limit + 1;
	if (tx > 64 || rx > 64)
		skip("iov_limit is %zu", tx - 1);
	for (int piece = 0; piece < 64; piece++)
		iov[piece] = (struct iovec){ bytes + piece, 1 };
	if (kind == MSG) {
		CHECK(fi_sendv(node.ep, iov, NULL, tx, node.peers[1 - me.rank], ctx(&node, 1)) < 0);
		CHECK(fi_recvv(node.ep, iov, NULL, rx, FI_ADDR_UNSPEC, ctx(&node, 2)) < 0);
	} else {
		CHECK(fi_tsendv(node.ep, iov, NULL, tx, node.peers[1 - me.rank], 5, ctx(&node, 1)) < 0);
		CHECK(fi_trecvv(node.ep, iov, NULL, rx, FI_ADDR_UNSPEC, 5, 0, ctx(&node, 2)) < 0);
	}
	QUIET(&node, 30);
	node_close(&node);
}

/* A message longer than its buffer: error on the receiver, the rest cut off and counted, later messages unharmed. */
static void truncated(long variant)
{
	enum kind kind = variant & 15;
	bool is_late = variant >> 8 & 1;
	static const size_t LENGTHS[] = { 100, 3000, 20000, 200000 };
	struct node node;

	node_open(&node, WISH(.caps = kind_caps(kind)));
	for (int index = 0; index < 4; index++) {
		size_t length = LENGTHS[index], room = length - 36;
		uint64_t number = 10 + 2 * (uint64_t)index;
		struct buffer buffer = buffer_new(length);

		if (me.rank == 0) {
			pattern(buffer.bytes, length, 0, number, 0);
			if (!is_late)
				barrier(&node);
			send_by(&node, kind, PLAIN, 1, buffer.bytes, length, 9, number);
			send_by(&node, kind, PLAIN, 1, buffer.bytes, 8, 9, number + 1);
			if (is_late)
				barrier(&node);
			/* Whether the sender of a cut message succeeded is not laid down; that it ends is. */
			UNTIL(&node, waiting(&node, TX) >= 2);
			node.done[TX].count = 0;
		} else {
			struct buffer next = buffer_new(8);

			if (is_late)
				barrier(&node);
			recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, room, 9, 0, number);
			recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, next.bytes, 8, 9, 0, number + 1);
			if (!is_late)
				barrier(&node);
			struct done done = FAULT(&node, RX, number);
			EQUAL(done.err, FI_ETRUNC);
			EQUAL(done.olen, 36);
			RECEIVED(&node, kind, number + 1, 8, 9);
			EQUAL(pattern_differs(next.bytes, 8, 0, number, 0), 8);
			for (size_t byte = room; byte < length; byte++)
				EQUAL(buffer.bytes[byte], UNTOUCHED);
			buffer_free(&next);
		}
		buffer_free(&buffer);
		barrier(&node);
	}
	node_close(&node);
}

/* Receives from one source take only its messages; others pass them by. */
static void directed(long kind)
{
	struct node node;
	struct buffer buffers[6];
	uint8_t out[32];

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind) | FI_DIRECTED_RECV | FI_SOURCE));
	for (int is_late = 0; is_late < 2; is_late++) {
		uint64_t base = 100 + 50 * (uint64_t)is_late;

		if (me.rank != 0) {
			if (!is_late)
				barrier(&node);
			for (uint64_t i = 0; i < 2; i++) {
				pattern(out, sizeof out, me.rank, base + i, 0);
				send_by(&node, kind, PLAIN, 0, out, sizeof out, 3, base + i);
				DONE(&node, TX, base + i);
			}
			if (is_late)
				barrier(&node);
		} else {
			/* From 2, from 1, from any: the third of them takes the message that is left. */
			fi_addr_t from[6] = { node.peers[2], node.peers[1], node.peers[2], node.peers[1], FI_ADDR_UNSPEC, FI_ADDR_UNSPEC };
			int count = 4;

			if (is_late) {
				barrier(&node);
				from[2] = from[3] = FI_ADDR_UNSPEC;
			}
			for (int i = 0; i < count; i++) {
				buffers[i] = buffer_new(32);
				recv_by(&node, kind, PLAIN, from[i], buffers[i].bytes, 32, 3, 0, (uint64_t)i);
			}
			if (!is_late)
				barrier(&node);
			int seen[3] = { 0 };
			for (int i = 0; i < count; i++) {
				struct done done = RECEIVED(&node, kind, (uint64_t)i, 32, 3);
				int sender = done.source == node.peers[1] ? 1 : 2;

				if (from[i] != FI_ADDR_UNSPEC)
					EQUAL(done.source, from[i]);
				else
					CHECK(done.source == node.peers[1] || done.source == node.peers[2]);
				HOLDS(&buffers[i], 32, sender, base + (uint64_t)seen[sender]);
				seen[sender]++;
				buffer_free(&buffers[i]);
			}
			EQUAL(seen[1], 2);
			EQUAL(seen[2], 2);
		}
		barrier(&node);
	}
	node_close(&node);
}

/* FI_SOURCE: every completion names its sender, of many, in any order. */
static void sources(long kind)
{
	enum { EACH = 20 };
	struct node node;

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind) | FI_SOURCE));
	struct buffer buffer = buffer_new(16);
	if (me.rank == 0) {
		int seen[RANKS_MAX] = { 0 };

		for (int i = 0; i < EACH * (me.ranks - 1); i++) {
			buffer_clear(&buffer);
			recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, 16, 1, 0, 1);
			struct done done = RECEIVED(&node, kind, 1, 16, 1);
			int sender = 1;

			while (sender < me.ranks && node.peers[sender] != done.source)
				sender++;
			if (sender == me.ranks)
				FAIL("source 0x%llx is the address of no rank", (unsigned long long)done.source);
			HOLDS(&buffer, 16, sender, (uint64_t)seen[sender]++);
		}
	} else {
		for (uint64_t i = 0; i < EACH; i++) {
			pattern(buffer.bytes, 16, me.rank, i, 0);
			send_by(&node, kind, PLAIN, 0, buffer.bytes, 16, 1, i);
			DONE(&node, TX, i);
		}
	}
	buffer_free(&buffer);
	node_close(&node);
}

/* The bytes of a message may be reused after its completion, and those of an inject immediately. */
static void reuse(long how)
{
	enum { COUNT = 300 };
	struct node node;

	node_open(&node, WISH(.caps = FI_MSG));
	size_t size = how == INJECT ? node.info->tx_attr->inject_size : 6000;
	if (size == 0)
		skip("inject_size is 0");
	struct buffer buffer = buffer_new(size);
	for (uint64_t i = 0; i < COUNT; i++) {
		if (me.rank == 0) {
			pattern(buffer.bytes, size, 0, i, 0);
			send_by(&node, MSG, (enum how)how, 1, buffer.bytes, size, 0, 1);
			if (how != INJECT)
				DONE(&node, TX, 1);
			memset(buffer.bytes, 0x33, size);
		} else {
			buffer_clear(&buffer);
			recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, size, 0, 0, 2);
			RECEIVED(&node, MSG, 2, size, 0);
			HOLDS(&buffer, size, 0, i);
		}
	}
	buffer_free(&buffer);
	node_close(&node);
}

/* Longer than inject_size or max_msg_size is refused. */
static void too_long(long kind)
{
	struct node node;

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind)));
	size_t size = node.info->tx_attr->inject_size + 1;
	struct buffer buffer = buffer_new(size);
	if (kind == MSG)
		RETURNS(fi_inject(node.ep, buffer.bytes, size, node.peers[1 - me.rank]) < 0, 1);
	else
		RETURNS(fi_tinject(node.ep, buffer.bytes, size, node.peers[1 - me.rank], 4) < 0, 1);
	if (node.info->ep_attr->max_msg_size < SIZE_MAX / 4) {
		size_t over = node.info->ep_attr->max_msg_size + 1;

		if (kind == MSG)
			CHECK(fi_send(node.ep, buffer.bytes, over, NULL, node.peers[1 - me.rank], ctx(&node, 1)) < 0);
		else
			CHECK(fi_tsend(node.ep, buffer.bytes, over, NULL, node.peers[1 - me.rank], 4, ctx(&node, 1)) < 0);
	}
	QUIET(&node, 30);
	buffer_free(&buffer);
	node_close(&node);
}

#define SIZES_TESTS(prefix, kind, name, how) \
	{ prefix "." name, "every size arrives unharmed where the receive was posted before", sizes, VARIANT(kind, how, 0), 2, 2, 0 }, \
		{ prefix "." name "_unexpected", "every size arrives unharmed where the receive comes after the message", sizes, \
		  VARIANT(kind, how, 1), 2, 2, 0 }

#define KIND_TESTS(prefix, kind) \
	SIZES_TESTS(prefix, kind, "send", PLAIN), SIZES_TESTS(prefix, kind, "sendv", VECTOR), SIZES_TESTS(prefix, kind, "sendmsg", MESSAGE), \
		SIZES_TESTS(prefix, kind, "inject", INJECT), SIZES_TESTS(prefix, kind, "senddata", DATA), \
		SIZES_TESTS(prefix, kind, "injectdata", INJECT_DATA), \
		{ prefix ".both_directions", "two ranks send to each other at the same time", both_directions, kind, 2, 2, 0 }, \
		{ prefix ".to_itself", "a rank sends to its own address", to_itself, kind, 2, 2, 0 }, \
		{ prefix ".pieces", "messages in iov_limit pieces are gathered and scattered", pieces, kind, 2, 2, 0 }, \
		{ prefix ".too_many_pieces", "more than iov_limit pieces are refused", too_many_pieces, kind, 2, 2, TEST_OURS }, \
		{ prefix ".truncated", "a message too long for its receive: FI_ETRUNC, olen, no byte beyond", truncated, VARIANT(kind, 0, 0), 2, 2, 0 }, \
		{ prefix ".truncated_unexpected", "the same for a message that was there first", truncated, VARIANT(kind, 0, 1), 2, 2, 0 }, \
		{ prefix ".directed", "a receive from one source takes only its messages", directed, kind, 3, 3, 0 }, \
		{ prefix ".sources", "completions name their senders", sources, kind, 2, 4, 0 }, \
		{ prefix ".too_long", "longer than inject_size or max_msg_size is refused", too_long, kind, 2, 2, 0 }

const struct test message_tests[] = {
	KIND_TESTS("msg", MSG),
	KIND_TESTS("tagged", TAGGED),
	{ "msg.reuse_after_completion", "a buffer may be written once its send has completed", reuse, PLAIN, 2, 2, 0 },
	{ "msg.reuse_after_inject", "a buffer may be written once an inject has returned", reuse, INJECT, 2, 2, 0 },
	{ 0 },
};
