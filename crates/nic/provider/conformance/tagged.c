/* Tagged receives: which message a receive takes, cancelled receives, and searches of what has come (PEEK, CLAIM, DISCARD). */
#include "p2p.h"

/* Small and large: the two paths of messages. */
static const size_t LENGTHS[] = { 24, 6000, 100000 };
enum { LENGTHS_COUNT = 3 };

static uint64_t tag_mask(const struct node *node)
{
	uint64_t format = node->info->ep_attr->mem_tag_format;
	int bits = 0;

	while (bits < 64 && format >> bits)
		bits++;
	return bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
}

/* Every bit of a tag counts, unless the receive ignores it. */
static void masks(long unused)
{
	struct node node;
	uint8_t out[8];
	int bits = 0;

	(void)unused;
	node_open(&node, WISH(.caps = FI_TAGGED));
	uint64_t mask = tag_mask(&node), base = 0x123456789abcdef0 & mask;
	if (strcmp(me.provider, "cxi") == 0)
		EQUAL(mask, 0xffffffffffff);
	while (bits < 64 && mask >> bits)
		bits++;
	pattern(out, 8, 0, 1, 0);
	/* The receives: one for each bit that ignores this bit alone; then the messages, each with this bit turned. */
	if (me.rank == 1) {
		struct buffer in = buffer_new(8 * 64);

		recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in.bytes, 8, base, 0, 100);
		barrier(&node);
		barrier(&node);
		/* All messages are there; receives by exact tag find theirs among them, the last first. */
		for (int bit = bits - 1; bit >= 0; bit--) {
			recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in.bytes, 8, base ^ 1ull << bit, 0, (uint64_t)bit);
			RECEIVED(&node, TAGGED, (uint64_t)bit, 8, base ^ 1ull << bit);
		}
		barrier(&node);
		/* The same again, by a receive of the base tag that ignores one bit. */
		barrier(&node);
		for (int bit = 0; bit < bits; bit++) {
			recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in.bytes, 8, base, 1ull << bit, (uint64_t)bit);
			RECEIVED(&node, TAGGED, (uint64_t)bit, 8, base ^ 1ull << bit);
		}
		barrier(&node);
		RECEIVED(&node, TAGGED, 100, 8, base);
		/* Bits that are ignored may have any value in the receive's tag. */
		recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in.bytes, 8, base ^ 0xff, 0xff, 101);
		RECEIVED(&node, TAGGED, 101, 8, base);
		recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in.bytes, 8, 0, mask, 102);
		RECEIVED(&node, TAGGED, 102, 8, base ^ 5);
		buffer_free(&in);
	} else {
		barrier(&node);
		for (int round = 0; round < 2; round++) {
			for (int bit = 0; bit < bits; bit++)
				send_by(&node, TAGGED, PLAIN, 1, out, 8, base ^ 1ull << bit, (uint64_t)bit);
			for (int bit = 0; bit < bits; bit++)
				DONE(&node, TX, (uint64_t)bit);
			barrier(&node);
			barrier(&node);
		}
		send_by(&node, TAGGED, PLAIN, 1, out, 8, base, 100);
		send_by(&node, TAGGED, PLAIN, 1, out, 8, base, 101);
		send_by(&node, TAGGED, PLAIN, 1, out, 8, base ^ 5, 102);
		for (uint64_t number = 100; number <= 102; number++)
			DONE(&node, TX, number);
	}
	node_close(&node);
}

/* Of several receives that fit, the one posted first takes the message; of several messages, the one sent first is taken. */
static void first_fits(long is_late)
{
	enum { COUNT = 6 };
	struct node node;
	/* Tag and bits to ignore; the messages have tags 0, 1, 2, ... */
	static const uint64_t RECEIVES[COUNT][2] = { { 2, 0 }, { 0, 0xf }, { 1, 0 }, { 0, 0xf }, { 5, 0 }, { 0, ~0ull >> 16 } };
	/* Which message each gets, with messages sent in order 0..5. */
	static const int EXPECTED[COUNT] = { 2, 0, 1, 3, 5, 4 };

	node_open(&node, WISH(.caps = FI_TAGGED, .msg_order = FI_ORDER_SAS));
	for (int index = 0; index < LENGTHS_COUNT; index++) {
		size_t len = LENGTHS[index];
		struct buffer buffers[COUNT];

		for (int i = 0; i < COUNT; i++)
			buffers[i] = buffer_new(len);
		if (me.rank == 0) {
			if (!is_late)
				barrier(&node);
			for (int i = 0; i < COUNT; i++) {
				pattern(buffers[i].bytes, len, 0, (uint64_t)i, 0);
				send_by(&node, TAGGED, PLAIN, 1, buffers[i].bytes, len, (uint64_t)i, (uint64_t)i);
			}
			if (is_late)
				barrier(&node);
			for (int i = 0; i < COUNT; i++)
				DONE(&node, TX, (uint64_t)i);
		} else {
			if (is_late)
				barrier(&node);
			for (int i = 0; i < COUNT; i++)
				recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, buffers[i].bytes, len, RECEIVES[i][0], RECEIVES[i][1], (uint64_t)i);
			if (!is_late)
				barrier(&node);
			for (int i = 0; i < COUNT; i++) {
				RECEIVED(&node, TAGGED, (uint64_t)i, len, (uint64_t)EXPECTED[i]);
				HOLDS(&buffers[i], len, 0, (uint64_t)EXPECTED[i]);
			}
		}
		for (int i = 0; i < COUNT; i++)
			buffer_free(&buffers[i]);
		barrier(&node);
	}
	node_close(&node);
}

/* Messages with and without tags do not take each other's receives. */
static void apart(long unused)
{
	struct node node;
	uint8_t out[16];

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED));
	struct buffer plain = buffer_new(16), tagged = buffer_new(16);
	for (uint64_t round = 0; round < 2; round++) {
		if (me.rank == 0) {
			barrier(&node);
			pattern(out, 16, 0, 50, 0);
			send_by(&node, round ? MSG : TAGGED, PLAIN, 1, out, 16, 0, 1);
			DONE(&node, TX, 1);
			barrier(&node);
			pattern(out, 16, 0, 51, 0);
			send_by(&node, round ? TAGGED : MSG, PLAIN, 1, out, 16, 0, 1);
			DONE(&node, TX, 1);
		} else {
			buffer_clear(&plain);
			buffer_clear(&tagged);
			recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, plain.bytes, 16, 0, 0, 1);
			recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, tagged.bytes, 16, 0, ~0ull >> 16, 2);
			barrier(&node);
			RECEIVED(&node, round ? MSG : TAGGED, round ? 1 : 2, 16, 0);
			HOLDS(round ? &plain : &tagged, 16, 0, 50);
			UNTOUCHED_YET(round ? &tagged : &plain);
			barrier(&node);
			RECEIVED(&node, round ? TAGGED : MSG, round ? 2 : 1, 16, 0);
			HOLDS(round ? &tagged : &plain, 16, 0, 51);
		}
		barrier(&node);
	}
	node_close(&node);
}

/* A receive that is cancelled ends with FI_ECANCELED and takes nothing; the next one gets the message. */
static void cancel(long kind)
{
	struct node node;

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind)));
	for (int index = 0; index < LENGTHS_COUNT; index++) {
		size_t len = LENGTHS[index];
		struct buffer first = buffer_new(len), second = buffer_new(len);

		if (me.rank == 0) {
			pattern(first.bytes, len, 0, 7, 0);
			barrier(&node);
			send_by(&node, kind, PLAIN, 1, first.bytes, len, 7, 1);
			DONE(&node, TX, 1);
		} else {
			recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, first.bytes, len, 7, 0, 1);
			recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, second.bytes, len, 7, 0, 2);
			OK(fi_cancel(&node.ep->fid, ctx(&node, 1)));
			struct done done = FAULT(&node, RX, 1);
			EQUAL(done.err, FI_ECANCELED);
			barrier(&node);
			RECEIVED(&node, kind, 2, len, 7);
			HOLDS(&second, len, 0, 7);
			UNTOUCHED_YET(&first);
		}
		buffer_free(&first);
		buffer_free(&second);
		barrier(&node);
	}
	node_close(&node);
}

/* A cancel that finds nothing changes nothing. */
static void cancel_miss(long kind)
{
	struct node node;
	struct buffer in = buffer_new(16);
	uint8_t out[16];

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind)));
	for (int round = 0; round < 2; round++) {
		pattern(out, 16, me.rank, (uint64_t)round, 0);
		buffer_clear(&in);
		recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, in.bytes, 16, 7, 0, 1);
		long code = fi_cancel(&node.ep->fid, ctx(&node, 99));
		if (code != 0 && code != -FI_ENOENT)
			FAIL("fi_cancel of nothing: expected 0 or -FI_ENOENT, found %ld (%s)", code, code_text(code));
		barrier(&node);
		send_by(&node, kind, PLAIN, 1 - me.rank, out, 16, 7, 2);
		RECEIVED(&node, kind, 1, 16, 7);
		HOLDS(&in, 16, 1 - me.rank, (uint64_t)round);
		DONE(&node, TX, 2);
		/* What has completed cannot be cancelled any more. */
		code = fi_cancel(&node.ep->fid, ctx(&node, 1));
		if (code != 0 && code != -FI_ENOENT)
			FAIL("fi_cancel of what is over: expected 0 or -FI_ENOENT, found %ld (%s)", code, code_text(code));
		QUIET(&node, 20);
		barrier(&node);
	}
	buffer_free(&in);
	node_close(&node);
}

/* Hundreds of receives, every second one cancelled, in random order. */
static void cancel_many(long kind)
{
	enum { COUNT = 200 };
	struct node node;
	uint64_t stream = me.seed;
	struct buffer buffers[COUNT];
	int order[COUNT];

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind), .msg_order = FI_ORDER_SAS));
	if (node.info->rx_attr->size < COUNT)
		skip("rx_attr.size is %zu", node.info->rx_attr->size);
	if (me.rank == 0) {
		uint8_t out[16];

		barrier(&node);
		for (uint64_t i = 1; i < COUNT; i += 2) {
			pattern(out, 16, 0, i, 0);
			send_by(&node, kind, PLAIN, 1, out, 16, 7, 1);
			DONE(&node, TX, 1);
		}
	} else {
		for (int i = 0; i < COUNT; i++) {
			buffers[i] = buffer_new(16);
			recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, buffers[i].bytes, 16, 7, 0, (uint64_t)i);
			order[i] = i;
		}
		for (int i = COUNT - 1; i > 0; i--) {
			int other = (int)(draw(&stream) % (uint64_t)(i + 1)), kept = order[i];

			order[i] = order[other];
			order[other] = kept;
		}
		for (int i = 0; i < COUNT; i++)
			if (order[i] % 2 == 0)
				OK(fi_cancel(&node.ep->fid, ctx(&node, (uint64_t)order[i])));
		for (uint64_t i = 0; i < COUNT; i += 2)
			EQUAL(FAULT(&node, RX, i).err, FI_ECANCELED);
		barrier(&node);
		for (uint64_t i = 0; i < COUNT; i++) {
			if (i % 2) {
				RECEIVED(&node, kind, i, 16, 7);
				HOLDS(&buffers[i], 16, 0, i);
			} else {
				UNTOUCHED_YET(&buffers[i]);
			}
			buffer_free(&buffers[i]);
		}
	}
	node_close(&node);
}

/* The highest tag that the format admits arrives whole. */
static void widest(long unused)
{
	struct node node;
	uint8_t byte = 9;

	(void)unused;
	node_open(&node, WISH(.caps = FI_TAGGED));
	uint64_t mask = tag_mask(&node);
	recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, &byte, 1, mask, 0, 1);
	barrier(&node);
	send_by(&node, TAGGED, PLAIN, 1 - me.rank, &byte, 1, mask, 2);
	RECEIVED(&node, TAGGED, 1, 1, mask);
	DONE(&node, TX, 2);
	node_close(&node);
}

const struct test tagged_tests[] = {
	{ "tagged.masks", "every bit of the tag is compared unless it is ignored", masks, 0, 2, 2, 0 },
	{ "tagged.first_fits", "the oldest receive that fits takes a message", first_fits, 0, 2, 2, 0 },
	{ "tagged.first_fits_unexpected", "a receive takes the oldest message that fits", first_fits, 1, 2, 2, 0 },
	{ "tagged.apart_from_msg", "messages with and without tags have receives of their own", apart, 0, 2, 2, 0 },
	{ "tagged.widest_tag", "all bits of mem_tag_format arrive", widest, 0, 2, 2, 0 },
	{ "tagged.cancel", "a cancelled receive ends with FI_ECANCELED and takes nothing", cancel, TAGGED, 2, 2, 0 },
	{ "msg.cancel", "a cancelled receive ends with FI_ECANCELED and takes nothing", cancel, MSG, 2, 2, 0 },
	{ "tagged.cancel_miss", "a cancel that finds nothing changes nothing", cancel_miss, TAGGED, 2, 2, 0 },
	{ "msg.cancel_miss", "a cancel that finds nothing changes nothing", cancel_miss, MSG, 2, 2, 0 },
	{ "tagged.cancel_many", "of many receives exactly the cancelled ones are gone", cancel_many, TAGGED, 2, 2, 0 },
	{ "msg.cancel_many", "of many receives exactly the cancelled ones are gone", cancel_many, MSG, 2, 2, 0 },
	{ 0 },
};
