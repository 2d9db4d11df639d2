/* Receives of many messages into one buffer: FI_MULTI_RECV. */
#include "p2p.h"

enum { SPACE = 65536 };

/* Posts one buffer for many messages. */
static void post(struct node *node, void *bytes, size_t len, uint64_t number)
{
	struct iovec iov = { bytes, len };
	struct fi_msg msg = { .msg_iov = &iov, .iov_count = 1, .addr = FI_ADDR_UNSPEC, .context = ctx(node, number) };

	POST(node, fi_recvmsg(node->ep, &msg, FI_MULTI_RECV | FI_COMPLETION));
}

static void least(struct node *node, size_t size)
{
	OK(fi_setopt(&node->ep->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &size, sizeof size));
}

/* Sizes that fill a buffer unevenly, the large ones over protocol borders when `is_large`. The first bytes say which
 * message it is. */
static size_t size_of(uint64_t number, bool is_large)
{
	return 8 + mix(me.seed + number) % (is_large ? 30000 : 3000);
}

static void write_message(uint8_t *bytes, uint64_t number, bool is_large)
{
	memcpy(bytes, &number, 8);
	pattern(bytes + 8, size_of(number, is_large) - 8, 0, number, 0);
}

enum { COUNT = 400, WINDOW = 8 };

/* What lies in one buffer since it was posted. */
struct space {
	struct buffer buffer;
	size_t starts[COUNT], ends[COUNT];
	bool has[COUNT];
};

/* A buffer has come back: its messages lie in their order, one behind the other. */
static void check_space(struct space *space, size_t most)
{
	size_t end = 0;

	for (int i = 0; i < COUNT; i++) {
		if (!space->has[i])
			continue;
		if (space->starts[i] < end)
			FAIL("message %d begins at %zu, and the one before it ends at %zu", i, space->starts[i], end);
		end = space->ends[i];
		space->has[i] = false;
	}
	/* It comes back only when less than the least is left; a provider may align messages. */
	if (SPACE - end >= most + 64)
		FAIL("the buffer came back with %zu bytes left, although the least is %zu", SPACE - end, most);
}

/* A stream of messages into two buffers in turn. Each message lies whole in a buffer, in order, without overlap; the
 * buffer comes back once. */
static void stream(long variant)
{
	bool is_large = variant & 1, is_late = variant & 2, seen[COUNT] = { false };
	size_t most = is_large ? 30008 : 3008;
	struct node node;
	static struct space spaces[2];

	node_open(&node, WISH(.caps = FI_MSG | FI_MULTI_RECV, .msg_order = FI_ORDER_SAS));
	least(&node, most);
	if (me.rank == 0) {
		struct buffer out[WINDOW];

		for (int i = 0; i < WINDOW; i++)
			out[i] = buffer_new(most);
		if (!is_late)
			barrier(&node);
		for (uint64_t i = 0; i < COUNT; i++) {
			if (i >= WINDOW)
				DONE(&node, TX, i - WINDOW);
			write_message(out[i % WINDOW].bytes, i, is_large);
			send_by(&node, MSG, PLAIN, 1, out[i % WINDOW].bytes, size_of(i, is_large), 0, i);
		}
		for (uint64_t i = COUNT - WINDOW; i < COUNT; i++)
			DONE(&node, TX, i);
	} else {
		int releases = 0;

		if (is_late)
			QUIET(&node, 100);
		for (uint64_t i = 0; i < 2; i++) {
			spaces[i].buffer = buffer_new(SPACE);
			post(&node, spaces[i].buffer.bytes, SPACE, i);
		}
		if (!is_late)
			barrier(&node);
		for (int count = 0; count < COUNT;) {
			struct done done = NEXT(&node, RX);
			CHECK(done.number < 2);
			struct space *space = &spaces[done.number];

			if (done.flags & FI_RECV) {
				size_t start = (size_t)((uint8_t *)done.buf - space->buffer.bytes);
				uint64_t number;

				CHECK(start < SPACE && done.len >= 8 && start + done.len <= SPACE);
				memcpy(&number, done.buf, 8);
				CHECK(number < COUNT && !seen[number]);
				EQUAL(done.len, size_of(number, is_large));
				if (pattern_differs((uint8_t *)done.buf + 8, done.len - 8, 0, number, 0) != done.len - 8)
					FAIL("message %llu at byte %zu of buffer %llu is wrong", (unsigned long long)number, start,
					     (unsigned long long)done.number);
				seen[number] = space->has[number] = true;
				space->starts[number] = start;
				space->ends[number] = start + done.len;
				count++;
			} else {
				CHECK(done.flags & FI_MULTI_RECV);
			}
			if (done.flags & FI_MULTI_RECV) {
				releases++;
				check_space(space, most);
				buffer_clear(&space->buffer);
				post(&node, space->buffer.bytes, SPACE, done.number);
			}
		}
		CHECK(releases > 0);
		/* A buffer that is still posted can be cancelled; it may also just have come back. */
		for (uint64_t i = 0; i < 2; i++)
			fi_cancel(&node.ep->fid, ctx(&node, i));
		for (double end = now() + 0.1; now() < end;)
			progress(&node);
		for (size_t i = 0; i < node.done[RX].count; i++) {
			struct done *done = &node.done[RX].items[i];

			CHECK(!(done->flags & FI_RECV) || done->err == FI_ECANCELED);
		}
		node.done[RX].count = 0;
	}
	node_close(&node);
}

/* The last flag comes with the message that leaves less than the least, or alone, and only once. */
static void released_once(long unused)
{
	struct node node;
	struct buffer space = buffer_new(1000), next = buffer_new(100);
	uint8_t out[100];

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_MULTI_RECV, .msg_order = FI_ORDER_SAS));
	least(&node, 150);
	if (me.rank == 0) {
		barrier(&node);
		/* 100 each: nine leave 100, which is less than 150; the tenth goes to the next buffer. */
		for (uint64_t i = 0; i < 10; i++) {
			pattern(out, 100, 0, i, 0);
			send_by(&node, MSG, PLAIN, 1, out, 100, 0, 1);
			DONE(&node, TX, 1);
		}
	} else {
		bool is_released = false;
		uint64_t seen = 0;

		post(&node, space.bytes, 1000, 1);
		recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, next.bytes, 100, 0, 0, 2);
		barrier(&node);
		while (seen < 9 || !is_released) {
			struct done done = DONE(&node, RX, 1);

			if (done.flags & FI_RECV) {
				EQUAL(done.len, 100);
				EQUAL(pattern_differs(done.buf, 100, 0, seen, 0), 100);
				seen++;
			}
			if (done.flags & FI_MULTI_RECV) {
				CHECK(!is_released);
				is_released = true;
				EQUAL(seen, 9);
			}
		}
		RECEIVED(&node, MSG, 2, 100, 0);
		HOLDS(&next, 100, 0, 9);
		QUIET(&node, 20);
	}
	node_close(&node);
}

/* FI_OPT_MIN_MULTI_RECV can be read back. */
static void option(long unused)
{
	struct node node;
	size_t value = 0, size = sizeof value;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_MULTI_RECV));
	OK(fi_getopt(&node.ep->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &value, &size));
	EQUAL(size, sizeof value);
	CHECK(value > 0);
	if (is_ours())
		EQUAL(value, 64);
	value = 4321;
	OK(fi_setopt(&node.ep->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &value, sizeof value));
	value = 0;
	OK(fi_getopt(&node.ep->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &value, &size));
	EQUAL(value, 4321);
	if (is_ours()) {
		size = 2;
		RETURNS(fi_getopt(&node.ep->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &value, &size), -FI_ETOOSMALL);
	}
	node_close(&node);
}

/* A message longer than what is left is cut, and said to be. */
static void cut(long unused)
{
	struct node node;
	struct buffer space = buffer_new(500);
	uint8_t out[600];

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_MULTI_RECV));
	least(&node, 1);
	if (me.rank == 0) {
		barrier(&node);
		pattern(out, 600, 0, 1, 0);
		send_by(&node, MSG, PLAIN, 1, out, 600, 0, 1);
		UNTIL(&node, waiting(&node, TX) == 1);
		node.done[TX].count = 0;
	} else {
		post(&node, space.bytes, 500, 1);
		barrier(&node);
		struct done done = FAULT(&node, RX, 1);
		EQUAL(done.err, FI_ETRUNC);
		EQUAL(done.olen, 100);
		EQUAL(space.bytes[499] == UNTOUCHED || pattern_differs(space.bytes, 500, 0, 1, 0) == 500, 1);
		EQUAL(space.bytes[500], 0x5c);
		/* The buffer may have come back with the error, or with an entry of its own, or still be posted. */
		progress(&node);
		node.done[RX].count = 0;
		fi_cancel(&node.ep->fid, ctx(&node, 1));
		progress(&node);
		node.done[RX].count = 0;
	}
	node_close(&node);
}

const struct test multi_recv_tests[] = {
	{ "multi_recv.option", "FI_OPT_MIN_MULTI_RECV can be read and set", option, 0, 2, 2, 0 },
	{ "multi_recv.stream", "messages up to 3 KB fill buffers in order", stream, 0, 2, 2, 0 },
	{ "multi_recv.stream_large", "messages up to 30 KB fill buffers in order", stream, 1, 2, 2, 0 },
	{ "multi_recv.stream_unexpected", "the same where messages come first", stream, 2, 2, 2, 0 },
	{ "multi_recv.stream_large_unexpected", "the same where messages come first", stream, 3, 2, 2, 0 },
	{ "multi_recv.released_once", "a buffer comes back once, when less than the least is left", released_once, 0, 2, 2, 0 },
	{ "multi_recv.truncated", "a message longer than the space is cut and said to be", cut, 0, 2, 2, 0 },
	{ 0 },
};
