/* Searches of the messages that have come and that no receive took: FI_PEEK, with FI_CLAIM and FI_DISCARD. */
#include "p2p.h"

static const size_t LENGTHS[] = { 0, 24, 3000, 20000, 1 << 20 };
enum { LENGTHS_COUNT = 5 };

/* Posts a search, or a receive of what was claimed. */
static void search(struct node *node, void *bytes, size_t len, uint64_t tag, uint64_t ignore, uint64_t number, uint64_t flags)
{
	struct iovec iov = { bytes, len };
	struct fi_msg_tagged msg = { .msg_iov = bytes ? &iov : NULL, .iov_count = bytes ? 1 : 0, .addr = FI_ADDR_UNSPEC,
				     .tag = tag, .ignore = ignore, .context = ctx(node, number) };
	long long code;

	while ((code = fi_trecvmsg(node->ep, &msg, flags | FI_COMPLETION)) == -FI_EAGAIN)
		wait_turn(node, __FILE__, __LINE__, "fi_trecvmsg with FI_PEEK");
	if (code == -FI_ENOSYS || code == -FI_EOPNOTSUPP || code == -FI_EBADFLAGS) {
		if (is_ours())
			FAIL("fi_trecvmsg with flags 0x%llx: expected success, found %s", (unsigned long long)flags, code_text(code));
		skip("fi_trecvmsg with flags 0x%llx: %s", (unsigned long long)flags, code_text(code));
	}
	RETURNS(code, 0);
}

/* The answer of a search: the message's length, or -1 where there is none. */
static long answer(struct node *node, uint64_t number, uint64_t tag)
{
	UNTIL(node, waiting(node, RX) > 0);
	struct done first = node->done[RX].items[0];
	if (first.err) {
		EQUAL(first.number, number);
		EQUAL(FAULT(node, RX, number).err, FI_ENOMSG);
		return -1;
	}
	struct done done = DONE(node, RX, number);
	EQUAL(done.tag, tag);
	return (long)done.len;
}

/* Searches until the message is there: it is in flight. */
static void find(struct node *node, uint64_t tag, uint64_t ignore, size_t len, uint64_t flags)
{
	for (long found = -1; found < 0;) {
		search(node, NULL, 0, tag & ~ignore, ignore, 50, FI_PEEK | flags);
		found = answer(node, 50, tag);
		/* What is thrown away as it is found need not tell its length. */
		if (found >= 0 && (!(flags & FI_DISCARD) || is_ours()))
			EQUAL(found, len);
		wait_turn(node, __FILE__, __LINE__, "a search that finds the message");
	}
}

static void miss(long flags)
{
	struct node node;
	uint8_t byte = 1;

	node_open(&node, WISH(.caps = FI_TAGGED));
	search(&node, NULL, 0, 5, 0, 1, FI_PEEK | (uint64_t)flags);
	EQUAL(FAULT(&node, RX, 1).err, FI_ENOMSG);
	/* A message of another tag is none. */
	send_by(&node, TAGGED, PLAIN, 1 - me.rank, &byte, 1, 6, 2);
	DONE(&node, TX, 2);
	barrier(&node);
	search(&node, NULL, 0, 5, 0, 1, FI_PEEK | (uint64_t)flags);
	EQUAL(FAULT(&node, RX, 1).err, FI_ENOMSG);
	recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, &byte, 1, 6, 0, 3);
	RECEIVED(&node, TAGGED, 3, 1, 6);
	node_close(&node);
}

/* One message, found by one kind of search, and its result. */
enum fate { LEFT, CLAIMED, CLAIMED_DISCARDED, DISCARDED };

static void hit(long fate)
{
	struct node node;

	node_open(&node, WISH(.caps = FI_TAGGED, .msg_order = FI_ORDER_SAS));
	for (int index = 0; index < LENGTHS_COUNT; index++) {
		size_t len = LENGTHS[index];
		struct buffer buffer = buffer_new(len), next = buffer_new(8);
		uint64_t number = 10 + (uint64_t)index;

		if (me.rank == 0) {
			pattern(buffer.bytes, len, 0, number, 0);
			pattern(next.bytes, 8, 0, 99, 0);
			send_by(&node, TAGGED, PLAIN, 1, buffer.bytes, len, 0x71, 1);
			send_by(&node, TAGGED, PLAIN, 1, next.bytes, 8, 0x72, 2);
			DONE(&node, TX, 1);
			DONE(&node, TX, 2);
		} else {
			/* The search ignores bits that the second message would also fit: the first is found. */
			find(&node, 0x71, fate == LEFT ? 0 : 0xf, len,
			     fate == CLAIMED || fate == CLAIMED_DISCARDED ? FI_CLAIM : fate == DISCARDED ? FI_DISCARD : 0);
			switch (fate) {
			case LEFT:
				/* It is still there, as often as one looks. */
				find(&node, 0x71, 0, len, 0);
				recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, len, 0x71, 0, 51);
				RECEIVED(&node, TAGGED, 51, len, 0x71);
				HOLDS(&buffer, len, 0, number);
				break;
			case CLAIMED:
				/* It is kept for its context: a receive of the same tag does not get it. */
				recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, next.bytes, 8, 0x72, 0xf, 52);
				RECEIVED(&node, TAGGED, 52, 8, 0x72);
				HOLDS(&next, 8, 0, 99);
				search(&node, buffer.bytes ? buffer.bytes : NULL, len, 0x71, 0, 50, FI_CLAIM);
				RECEIVED(&node, TAGGED, 50, len, 0x71);
				HOLDS(&buffer, len, 0, number);
				break;
			case CLAIMED_DISCARDED:
				search(&node, NULL, 0, 0x71, 0, 50, FI_CLAIM | FI_DISCARD);
				DONE(&node, RX, 50);
				break;
			default:
				break;
			}
			if (fate != CLAIMED) {
				recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, next.bytes, 8, 0x70, fate == LEFT ? 2 : 0xf, 52);
				RECEIVED(&node, TAGGED, 52, 8, 0x72);
				HOLDS(&next, 8, 0, 99);
			}
			if (fate != LEFT) {
				search(&node, NULL, 0, 0x71, 0, 53, FI_PEEK);
				EQUAL(FAULT(&node, RX, 53).err, FI_ENOMSG);
			}
		}
		buffer_free(&buffer);
		buffer_free(&next);
		barrier(&node);
	}
	node_close(&node);
}

/* Many messages, claimed by random tags out of the middle, the rest received in order. */
static void claim_many(long unused)
{
	enum { COUNT = 60 };
	struct node node;
	struct buffer buffers[COUNT];
	uint64_t stream = me.seed + 1;

	(void)unused;
	node_open(&node, WISH(.caps = FI_TAGGED, .msg_order = FI_ORDER_SAS));
	for (uint64_t i = 0; i < COUNT; i++)
		buffers[i] = buffer_new(i % 3 ? 40 : 4000);
	if (me.rank == 0) {
		for (uint64_t i = 0; i < COUNT; i++) {
			pattern(buffers[i].bytes, buffers[i].size, 0, i, 0);
			send_by(&node, TAGGED, PLAIN, 1, buffers[i].bytes, buffers[i].size, i, i);
		}
		for (uint64_t i = 0; i < COUNT; i++)
			DONE(&node, TX, i);
	} else {
		bool is_claimed[COUNT] = { false };

		for (int i = 0; i < COUNT / 3; i++) {
			uint64_t tag = draw(&stream) % COUNT;

			if (is_claimed[tag])
				continue;
			is_claimed[tag] = true;
			for (long found = -1; found < 0;) {
				search(&node, NULL, 0, tag, 0, tag, FI_PEEK | FI_CLAIM);
				found = answer(&node, tag, tag);
				if (found < 0)
					wait_turn(&node, __FILE__, __LINE__, "a claim");
			}
		}
		for (uint64_t i = 0; i < COUNT; i++) {
			if (is_claimed[i])
				continue;
			recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, buffers[i].bytes, buffers[i].size, 0, 0xff, i);
			RECEIVED(&node, TAGGED, i, buffers[i].size, i);
			HOLDS(&buffers[i], buffers[i].size, 0, i);
		}
		for (uint64_t i = COUNT; i-- > 0;) {
			if (!is_claimed[i])
				continue;
			search(&node, buffers[i].bytes, buffers[i].size, i, 0, i, FI_CLAIM);
			RECEIVED(&node, TAGGED, i, buffers[i].size, i);
			HOLDS(&buffers[i], buffers[i].size, 0, i);
		}
	}
	node_close(&node);
}

const struct test peek_tests[] = {
	{ "peek.miss", "a search that finds nothing ends with FI_ENOMSG", miss, 0, 2, 2, 0 },
	{ "peek.claim_miss", "a claim that finds nothing ends with FI_ENOMSG", miss, FI_CLAIM, 2, 2, 0 },
	{ "peek.discard_miss", "a discard that finds nothing ends with FI_ENOMSG", miss, FI_DISCARD, 2, 2, 0 },
	{ "peek.hit", "a search tells tag and length and leaves the message where it is", hit, LEFT, 2, 2, 0 },
	{ "peek.claim", "a claimed message is kept for the context that claimed it", hit, CLAIMED, 2, 2, 0 },
	{ "peek.claim_discard", "a claimed message can be thrown away", hit, CLAIMED_DISCARDED, 2, 2, 0 },
	{ "peek.discard", "a message can be thrown away as it is found", hit, DISCARDED, 2, 2, 0 },
	{ "peek.claim_many", "claims out of the middle of many messages", claim_many, 0, 2, 2, 0 },
	{ 0 },
};
