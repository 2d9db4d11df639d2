/* Order and plenty: messages of all sizes keep their order, and floods of them lose nothing. */
#include "p2p.h"

/* Sizes on both sides of every border between protocols. */
static const size_t MIXED[] = { 0, 8, 192, 193, 2048, 2049, 4096, 4097, 16384, 16385, 50000, 200000 };
enum { MIXED_COUNT = 12 };

static size_t mixed_size(uint64_t number)
{
	return MIXED[mix(me.seed * 31 + number) % MIXED_COUNT];
}

#define VARIANT(kind, is_late) ((kind) | (is_late) << 4)

/* One tag, sizes at random: the i-th receive gets the i-th message. */
static void same_tag(long variant)
{
	enum { COUNT = 300, WINDOW = 16 };
	enum kind kind = variant & 15;
	bool is_late = variant >> 4;
	struct node node;
	struct buffer buffers[WINDOW];

	node_open(&node, WISH(.caps = kind_caps(kind), .msg_order = FI_ORDER_SAS));
	for (int i = 0; i < WINDOW; i++)
		buffers[i] = buffer_new(200000);
	if (me.rank == 0) {
		for (uint64_t i = 0; i < COUNT; i++) {
			struct buffer *buffer = &buffers[i % WINDOW];

			if (i >= WINDOW)
				DONE(&node, TX, i - WINDOW);
			pattern(buffer->bytes, mixed_size(i), 0, i, 0);
			send_by(&node, kind, PLAIN, 1, buffer->bytes, mixed_size(i), 4, i);
		}
		for (uint64_t i = COUNT - WINDOW; i < COUNT; i++)
			DONE(&node, TX, i);
	} else {
		uint64_t posted = 0;

		for (uint64_t i = 0; i < COUNT; i++) {
			uint64_t ahead = is_late ? 1 : WINDOW;

			/* Late: the messages are there before their receives, as far as the sender's window goes. */
			if (is_late && i % WINDOW == 0)
				QUIET(&node, 2);
			for (; posted < COUNT && posted < i + ahead; posted++) {
				buffer_clear(&buffers[posted % WINDOW]);
				recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, buffers[posted % WINDOW].bytes, 200000, 4, 0, posted);
			}
			RECEIVED(&node, kind, i, mixed_size(i), 4);
			HOLDS(&buffers[i % WINDOW], mixed_size(i), 0, i);
		}
	}
	for (int i = 0; i < WINDOW; i++)
		buffer_free(&buffers[i]);
	node_close(&node);
}

/* Completions of receives that are posted in order with FI_ORDER_STRICT on both sides come in order, where promised. */
static void completion_order(long unused)
{
	enum { COUNT = 200 };
	struct node node;
	uint8_t bytes[COUNT];

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG, .msg_order = FI_ORDER_SAS));
	bool is_strict = node.info->rx_attr->comp_order & FI_ORDER_STRICT;
	if (node.info->rx_attr->size < COUNT)
		skip("rx_attr.size is %zu", node.info->rx_attr->size);
	if (me.rank == 1) {
		for (uint64_t i = 0; i < COUNT; i++)
			recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &bytes[i], 1, 0, 0, i);
		barrier(&node);
		for (uint64_t i = 0; i < COUNT; i++) {
			struct done done = NEXT(&node, RX);

			if (is_strict)
				EQUAL(done.number, i);
		}
		for (uint64_t i = 0; i < COUNT; i++)
			EQUAL(bytes[i], i);
	} else {
		barrier(&node);
		for (uint64_t i = 0; i < COUNT; i++) {
			uint8_t byte = (uint8_t)i;

			send_by(&node, MSG, PLAIN, 1, &byte, 1, 0, 1);
			DONE(&node, TX, 1);
		}
	}
	node_close(&node);
	if (!is_strict)
		note("the provider does not promise FI_ORDER_STRICT for receives: their order was not checked");
}

/* Thousands of messages to a rank that does not receive yet; then in order. The sender is told to try again, or not. */
static void flood(long size)
{
	struct node node;
	uint64_t count = size > 1000 ? 1000 : 4000, window = 512;
	struct buffer buffer = buffer_new((size_t)size), *out;

	node_open(&node, WISH(.caps = FI_TAGGED, .msg_order = FI_ORDER_SAS));
	out = calloc(window, sizeof *out);
	if (me.rank == 0) {
		uint64_t ended = 0;

		for (uint64_t i = 0; i < window; i++)
			out[i] = buffer_new((size_t)size);
		for (uint64_t i = 0; i < count; i++) {
			if (i >= window)
				DONE(&node, TX, ended++);
			pattern(out[i % window].bytes, (size_t)size, 0, i, 0);
			send_by(&node, TAGGED, PLAIN, 1, out[i % window].bytes, (size_t)size, i, i);
		}
		while (ended < count)
			DONE(&node, TX, ended++);
	} else {
		QUIET(&node, 300);
		for (uint64_t i = 0; i < count; i++) {
			buffer_clear(&buffer);
			recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, (size_t)size, i, 0, i);
			RECEIVED(&node, TAGGED, i, (size_t)size, i);
			HOLDS(&buffer, (size_t)size, 0, i);
		}
	}
	node_close(&node);
}

/* Eager messages complete at their sender though no receive is posted: more than the NIC has memory for, of lengths that go
 * different paths. Only then are they received. */
static void without_receive(long argument)
{
	static const size_t LENS[] = { 8, 250, 2000, 4000, 4097, 9000, 16384 };
	enum { KINDS = 2, MESSAGES = 700, LENS_COUNT = sizeof LENS / sizeof LENS[0], LONGEST = 16384 };
	enum kind kind = argument % KINDS ? TAGGED : MSG;
	int to = argument / KINDS ? 0 : 1;
	struct node node;
	struct buffer in = buffer_new(LONGEST), out = buffer_new(LONGEST);

	node_open(&node, WISH(.caps = kind_caps(kind), .msg_order = FI_ORDER_SAS));
	if (me.rank == 0)
		for (uint64_t i = 0; i < MESSAGES; i++) {
			size_t len = LENS[i % LENS_COUNT];

			pattern(out.bytes, len, 0, i, 0);
			send_by(&node, kind, PLAIN, to, out.bytes, len, 5, i);
			DONE(&node, TX, i);
		}
	barrier(&node);
	if (me.rank == to)
		for (uint64_t i = 0; i < MESSAGES; i++) {
			size_t len = LENS[i % LENS_COUNT];

			buffer_clear(&in);
			recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, in.bytes, LONGEST, 5, 0, 1);
			RECEIVED(&node, kind, 1, len, 5);
			HOLDS(&in, len, 0, i);
		}
	node_close(&node);
}

/* A number of unexpected messages that are all in flight, received last first. */
static void reverse(long size)
{
	struct node node;
	struct buffer buffer = buffer_new((size_t)size);

	node_open(&node, WISH(.caps = FI_TAGGED));
	uint64_t count = node.info->tx_attr->size / 2 < 400 ? node.info->tx_attr->size / 2 : 400;
	struct buffer *out = calloc(count, sizeof *out);
	if (me.rank == 0) {
		for (uint64_t i = 0; i < count; i++) {
			out[i] = buffer_new((size_t)size);
			pattern(out[i].bytes, (size_t)size, 0, i, 0);
			send_by(&node, TAGGED, PLAIN, 1, out[i].bytes, (size_t)size, i, i);
		}
		barrier(&node);
		for (uint64_t i = 0; i < count; i++)
			DONE(&node, TX, i);
	} else {
		barrier(&node);
		for (uint64_t i = count; i-- > 0;) {
			buffer_clear(&buffer);
			recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, (size_t)size, i, 0, i);
			RECEIVED(&node, TAGGED, i, (size_t)size, i);
			HOLDS(&buffer, (size_t)size, 0, i);
		}
	}
	node_close(&node);
}

/* Each rank sends more long messages than a queue has places before it receives any, last first. An
 * MPI program may do so: its sends return immediately, whatever waits. */
static void both_directions(long size)
{
	enum { SOURCES = 8 };
	struct node node;
	struct buffer in = buffer_new((size_t)size), out[SOURCES];
	int peer = 1 - me.rank;

	node_open(&node, WISH(.caps = FI_TAGGED));
	uint64_t count = 2 * node.info->tx_attr->size + 100;
	for (uint64_t i = 0; i < SOURCES; i++) {
		out[i] = buffer_new((size_t)size);
		pattern(out[i].bytes, (size_t)size, me.rank, i, 0);
	}
	for (uint64_t i = 0; i < count; i++)
		send_by(&node, TAGGED, PLAIN, peer, out[i % SOURCES].bytes, (size_t)size, i, i);
	for (uint64_t i = count; i-- > 0;) {
		buffer_clear(&in);
		recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in.bytes, (size_t)size, i, 0, count + i);
		RECEIVED(&node, TAGGED, count + i, (size_t)size, i);
		HOLDS(&in, (size_t)size, peer, i % SOURCES);
	}
	for (uint64_t i = 0; i < count; i++)
		DONE(&node, TX, i);
	node_close(&node);
}

/* All ranks to all ranks, tagged by message; sizes at random; receives half before, half after. */
static void all_to_all(long unused)
{
	enum { EACH = 12 };
	struct node node;
	struct buffer in[RANKS_MAX * EACH], out[RANKS_MAX * EACH];

	(void)unused;
	node_open(&node, WISH(.caps = FI_TAGGED | FI_SOURCE));
	for (int late = 0; late < 2; late++) {
		for (int peer = 0; peer < me.ranks; peer++)
			for (int i = late; i < EACH; i += 2) {
				uint64_t number = (uint64_t)(peer * EACH + i);
				uint64_t tag = (uint64_t)peer << 16 | (uint64_t)i;

				in[number] = buffer_new(mixed_size((uint64_t)i));
				recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in[number].bytes, in[number].size, tag, 0, number);
			}
		barrier(&node);
		if (late)
			break;
		for (int peer = 0; peer < me.ranks; peer++)
			for (int i = 0; i < EACH; i++) {
				int to = (me.rank + peer) % me.ranks;
				uint64_t number = (uint64_t)(to * EACH + i);

				out[number] = buffer_new(mixed_size((uint64_t)i));
				pattern(out[number].bytes, out[number].size, me.rank, (uint64_t)(to * 1000 + i), 0);
				send_by(&node, TAGGED, PLAIN, to, out[number].bytes, out[number].size, (uint64_t)me.rank << 16 | (uint64_t)i,
					number);
			}
	}
	for (int peer = 0; peer < me.ranks; peer++)
		for (int i = 0; i < EACH; i++) {
			uint64_t number = (uint64_t)(peer * EACH + i);
			struct done done = RECEIVED(&node, TAGGED, number, in[number].size, (uint64_t)peer << 16 | (uint64_t)i);

			EQUAL(done.source, node.peers[peer]);
			HOLDS(&in[number], in[number].size, peer, (uint64_t)(me.rank * 1000 + i));
			DONE(&node, TX, number);
		}
	node_close(&node);
}

/* Messages from several senders to one receiver keep the order of each sender. */
static void many_to_one(long kind)
{
	enum { EACH = 150 };
	struct node node;
	struct buffer buffer = buffer_new(20000);

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind) | FI_SOURCE, .msg_order = FI_ORDER_SAS));
	if (me.rank == 0) {
		uint64_t seen[RANKS_MAX] = { 0 };

		for (int i = 0; i < EACH * (me.ranks - 1); i++) {
			int sender = 1;

			buffer_clear(&buffer);
			recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, 20000, 1, 0, 1);
			struct done done = DONE(&node, RX, 1);
			while (sender < me.ranks && node.peers[sender] != done.source)
				sender++;
			if (sender == me.ranks)
				FAIL("source 0x%llx is the address of no rank", (unsigned long long)done.source);
			EQUAL(done.len, mixed_size(seen[sender]) % 20000);
			HOLDS(&buffer, done.len, sender, seen[sender]);
			seen[sender]++;
		}
	} else {
		for (uint64_t i = 0; i < EACH; i++) {
			size_t len = mixed_size(i) % 20000;

			pattern(buffer.bytes, len, me.rank, i, 0);
			send_by(&node, kind, PLAIN, 0, buffer.bytes, len, 1, 1);
			DONE(&node, TX, 1);
		}
	}
	node_close(&node);
}

const struct test order_tests[] = {
	{ "order.tagged", "messages with the same tag keep their order over all sizes", same_tag, VARIANT(TAGGED, 0), 2, 2, 0 },
	{ "order.tagged_unexpected", "the same where receives come late", same_tag, VARIANT(TAGGED, 1), 2, 2, 0 },
	{ "order.msg", "messages keep their order over all sizes", same_tag, VARIANT(MSG, 0), 2, 2, 0 },
	{ "order.msg_unexpected", "the same where receives come late", same_tag, VARIANT(MSG, 1), 2, 2, 0 },
	{ "order.completions", "receives complete in order where FI_ORDER_STRICT is promised", completion_order, 0, 2, 2, 0 },
	{ "order.many_to_one", "each sender's messages keep their order", many_to_one, TAGGED, 2, 4, 0 },
	{ "order.many_to_one_msg", "each sender's messages keep their order", many_to_one, MSG, 2, 4, 0 },
	{ "order.all_to_all", "all ranks to all ranks, sizes at random", all_to_all, 0, 2, 16, 0 },
	{ "flood.small", "4000 unexpected messages of 64 bytes, received later", flood, 64, 2, 2, 0 },
	{ "flood.medium", "1000 unexpected messages of 4 KiB, received later", flood, 4096, 2, 2, 0 },
	{ "flood.large", "1000 unexpected messages of 64 KiB, received later", flood, 65536, 2, 2, TEST_LONG },
	{ "flood.completes", "eager messages complete though no receive is posted", without_receive, 0, 2, 2, TEST_OURS },
	{ "flood.completes_tagged", "the same with tags", without_receive, 1, 2, 2, TEST_OURS },
	{ "flood.completes_to_itself", "the same of a process to itself", without_receive, 2, 2, 2, TEST_OURS },
	{ "flood.completes_tagged_to_itself", "the same with tags", without_receive, 3, 2, 2, TEST_OURS },
	{ "flood.both_directions", "more long messages than tx_attr.size, in both directions, before any is received", both_directions, 20000, 2, 2, TEST_OURS },
	{ "flood.reverse_small", "unexpected messages of 64 bytes, the last received first", reverse, 64, 2, 2, 0 },
	{ "flood.reverse_medium", "unexpected messages of 4 KiB, the last received first", reverse, 4096, 2, 2, 0 },
	{ "flood.reverse_large", "unexpected messages of 64 KiB, the last received first", reverse, 65536, 2, 2, 0 },
	{ 0 },
};
