/* Ranks that leave: what they sent before is received, also by a late receive that names the sender; who asks for more gets an
 * error. */
#include "rma.h"

#include <signal.h>
#include <unistd.h>

/* How a rank leaves: it closes its endpoint and lives on, it closes it and ends, or it is killed. */
enum departure { CLOSED, EXITED, KILLED, DEPARTURES };
static const char *const MODES[] = { "hardware", "hybrid", "software" };
/* What a test's argument is made of. */
#define CASE(departure, mode, is_still) ((departure) + DEPARTURES * (mode) + 3 * DEPARTURES * (is_still))
#define DEPARTURE(argument) ((int)((argument) % DEPARTURES))
#define MODE(argument) ((int)((argument) / DEPARTURES % 3))
#define IS_STILL(argument) ((argument) / (3 * DEPARTURES) != 0)

/* Of no length, inline, in an inbox, and in a block. All complete at their sender without a receive. */
static const size_t LENS[] = { 0, 8, 192, 193, 4096, 4097, 16384 };
enum { COUNT = sizeof LENS / sizeof LENS[0], LONGEST = 16384 };

static void open_with(struct node *node, long argument, const char *entries, uint64_t caps)
{
	setenv("FI_CXI_RX_MATCH_MODE", MODES[MODE(argument)], 1);
	setenv("FI_PHILAE_LIST_ENTRIES", entries, 1);
	setenv("FI_PHILAE_UDP_TIMEOUT_MS", "1000", 1);
	node_open(node, WISH(.caps = caps | FI_DIRECTED_RECV, .msg_order = FI_ORDER_SAS));
}

/* This rank leaves; it returns only where its process lives on. */
static void leave(struct node *node, int departure)
{
	if (departure != CLOSED)
		rank_will_die();
	if (departure == KILLED)
		raise(SIGKILL);
	node_close_alone(node);
	if (departure == EXITED)
		_exit(0);
}

/* Until the other rank has left; with calls meanwhile or without. */
static void wait_for_end(struct node *node, bool is_still)
{
	if (me.rank == 1 || is_still) {
		barrier_still();
		return;
	}
	barrier(node);
	/* The last word of rank 1 has come by now, but not been read: the wire is polled once in a millisecond. A receive that
	 * is posted before it is read waits forever, as one does that was posted before rank 1 left. */
	for (double end = now() + 0.005; now() < end;)
		progress(node);
}

/* A receive from one who has left and of whom nothing waits. */
static void in_vain(struct node *node, enum kind kind, uint64_t tag)
{
	uint8_t byte;

	recv_by(node, kind, PLAIN, node->peers[1], &byte, 1, tag, 0, 900);
	EQUAL(FAULT(node, RX, 900).err, FI_EHOSTUNREACH);
}

static void search(struct node *node, void *bytes, size_t len, uint64_t tag, uint64_t number, uint64_t flags)
{
	struct iovec iov = { bytes, len };
	struct fi_msg_tagged msg = { .msg_iov = bytes ? &iov : NULL, .iov_count = bytes != NULL, .addr = node->peers[1], .tag = tag,
				     .context = ctx(node, number) };

	POST(node, fi_trecvmsg(node->ep, &msg, flags | FI_COMPLETION));
}

/* Messages of all lengths, sent and complete; then their sender leaves, and only then the other asks for them by name. Those
 * with tags the last first. */
static void sent(long argument)
{
	struct node node;
	struct buffer in = buffer_new(LONGEST), out = buffer_new(LONGEST);

	/* So few entries that software takes over, where the receiver makes calls. */
	open_with(&node, argument, IS_STILL(argument) ? "16384" : "8", FI_MSG | FI_TAGGED);
	if (me.rank == 1) {
		for (uint64_t i = 0; i < 2 * COUNT; i++) {
			pattern(out.bytes, LENS[i / 2], 1, i, 0);
			send_by(&node, i % 2 ? TAGGED : MSG, PLAIN, 0, out.bytes, LENS[i / 2], i, i);
			DONE(&node, TX, i);
		}
		leave(&node, DEPARTURE(argument));
	}
	wait_for_end(&node, IS_STILL(argument));
	if (me.rank == 1)
		return;
	for (uint64_t i = 2 * COUNT; i-- > 0;) {
		uint64_t number = i % 2 ? i : 2 * COUNT - 2 - i;
		size_t len = LENS[number / 2];

		buffer_clear(&in);
		recv_by(&node, i % 2 ? TAGGED : MSG, PLAIN, node.peers[1], in.bytes, LONGEST, number, 0, number);
		RECEIVED(&node, i % 2 ? TAGGED : MSG, number, len, number);
		HOLDS(&in, len, 1, number);
	}
	search(&node, NULL, 0, 1, 901, FI_PEEK);
	EQUAL(FAULT(&node, RX, 901).err, FI_ENOMSG);
	in_vain(&node, TAGGED, 1);
	in_vain(&node, MSG, 0);
	node_close_alone(&node);
}

/* More than the NIC has blocks for: short ones, some of which wait in the inbox when their sender leaves, or long ones. */
static void backlog(long argument)
{
	enum { MESSAGES = 600 };
	const size_t LEN = IS_STILL(argument) ? 16000 : 4000;
	struct node node;
	struct buffer in = buffer_new(LEN), out = buffer_new(MESSAGES * LEN);

	open_with(&node, argument, "16384", FI_TAGGED);
	if (me.rank == 1) {
		for (uint64_t i = 0; i < MESSAGES; i++) {
			pattern(out.bytes + i * LEN, LEN, 1, i, 0);
			send_by(&node, TAGGED, PLAIN, 0, out.bytes + i * LEN, LEN, i % 3, i);
		}
		for (uint64_t i = 0; i < MESSAGES; i++)
			DONE(&node, TX, i);
		leave(&node, DEPARTURE(argument));
	}
	wait_for_end(&node, false);
	if (me.rank == 1)
		return;
	for (uint64_t tag = 3; tag-- > 0;)
		for (uint64_t i = tag; i < MESSAGES; i += 3) {
			buffer_clear(&in);
			recv_by(&node, TAGGED, PLAIN, node.peers[1], in.bytes, LEN, tag, 0, 1);
			RECEIVED(&node, TAGGED, 1, LEN, tag);
			HOLDS(&in, LEN, 1, i);
		}
	in_vain(&node, TAGGED, 1);
	node_close_alone(&node);
}

/* Two receives are posted, one gets its message, and its sender leaves: that one is received. The other ends with an error where
 * the sender died. Where it closed in order, there may never have been a message: the receive waits until it is taken back. */
static void posted_before(long argument)
{
	struct node node;
	struct buffer in[2] = { buffer_new(LONGEST), buffer_new(LONGEST) }, out = buffer_new(LONGEST);

	open_with(&node, argument, "16384", FI_TAGGED);
	if (me.rank == 0)
		for (uint64_t i = 0; i < 2; i++)
			recv_by(&node, TAGGED, PLAIN, node.peers[1], in[i].bytes, LONGEST, i, 0, i);
	barrier(&node);
	if (me.rank == 1) {
		pattern(out.bytes, LONGEST, 1, 1, 0);
		send_by(&node, TAGGED, PLAIN, 0, out.bytes, IS_STILL(argument) ? 8 : LONGEST, 1, 1);
		DONE(&node, TX, 1);
		leave(&node, DEPARTURE(argument));
	}
	wait_for_end(&node, IS_STILL(argument));
	if (me.rank == 1)
		return;
	/* Longer than it takes to be seen that it has left. */
	sleep_ms(100);
	RECEIVED(&node, TAGGED, 1, IS_STILL(argument) ? 8 : LONGEST, 1);
	HOLDS(&in[1], IS_STILL(argument) ? 8 : LONGEST, 1, 1);
	if (DEPARTURE(argument) != KILLED) {
		QUIET(&node, 150);
		OK(fi_cancel(&node.ep->fid, ctx(&node, 0)));
		EQUAL(FAULT(&node, RX, 0).err, FI_ECANCELED);
	} else
		EQUAL(FAULT(&node, RX, 0).err, FI_EHOSTUNREACH);
	node_close_alone(&node);
}

/* A receive waits for one who is killed, and it is a send that finds that out: the receive ends all the same. */
static void found_by_send(long argument)
{
	struct node node;
	static uint8_t long_message[100000];
	uint8_t byte;

	open_with(&node, argument, "16384", FI_TAGGED);
	if (me.rank == 0) {
		send_by(&node, TAGGED, PLAIN, 1, &byte, 1, 9, 2);
		DONE(&node, TX, 2);
		recv_by(&node, TAGGED, PLAIN, node.peers[1], &byte, 1, 1, 0, 1);
	}
	barrier(&node);
	if (me.rank == 1)
		leave(&node, KILLED);
	wait_for_end(&node, true);
	sleep_ms(100);
	send_by(&node, TAGGED, PLAIN, 1, long_message, sizeof long_message, 5, 3);
	FAULT(&node, TX, 3);
	EQUAL(FAULT(&node, RX, 1).err, FI_EHOSTUNREACH);
	node_close_alone(&node);
}

/* A long message whose sender leaves before it is fetched: its receive gets all of it, or an error. */
static void unfinished(long argument)
{
	enum { LEN = 1 << 20 };
	struct node node;
	struct buffer buffer = buffer_new(LEN);

	open_with(&node, argument, "16384", FI_TAGGED);
	if (me.rank == 1) {
		pattern(buffer.bytes, LEN, 1, 3, 0);
		send_by(&node, TAGGED, PLAIN, 0, buffer.bytes, LEN, 3, 3);
	} else
		for (bool is_there = false; !is_there;) {
			search(&node, NULL, 0, 3, 50, FI_PEEK);
			UNTIL(&node, waiting(&node, RX) > 0);
			is_there = node.done[RX].items[0].err == 0;
			node.done[RX].count = 0;
			wait_turn(&node, __FILE__, __LINE__, "a search that finds the message");
		}
	barrier(&node);
	if (me.rank == 1)
		leave(&node, DEPARTURE(argument));
	wait_for_end(&node, IS_STILL(argument));
	if (me.rank == 1)
		return;
	recv_by(&node, TAGGED, PLAIN, node.peers[1], buffer.bytes, LEN, 3, 0, 1);
	UNTIL(&node, waiting(&node, RX) > 0);
	if (node.done[RX].items[0].err == 0)
		HOLDS(&buffer, LEN, 1, 3);
	node.done[RX].count = 0;
	in_vain(&node, TAGGED, 3);
	node_close_alone(&node);
}

/* A message is found and claimed by name after its sender has left, and then received; another is found and thrown away. */
static void claimed(long argument)
{
	struct node node;
	struct buffer in = buffer_new(LONGEST), out = buffer_new(LONGEST);

	open_with(&node, argument, "16384", FI_TAGGED);
	if (me.rank == 1) {
		for (uint64_t i = 0; i < COUNT; i++) {
			pattern(out.bytes, LENS[i], 1, i, 0);
			send_by(&node, TAGGED, PLAIN, 0, out.bytes, LENS[i], i, i);
			DONE(&node, TX, i);
		}
		leave(&node, DEPARTURE(argument));
	}
	wait_for_end(&node, IS_STILL(argument));
	if (me.rank == 1)
		return;
	for (uint64_t i = 0; i < COUNT; i++) {
		uint64_t fate = i % 2 ? FI_CLAIM : FI_DISCARD;

		search(&node, NULL, 0, i, i, FI_PEEK | fate);
		EQUAL(DONE(&node, RX, i).len, LENS[i]);
		if (fate == FI_CLAIM) {
			buffer_clear(&in);
			search(&node, in.bytes, LONGEST, i, i, FI_CLAIM);
			RECEIVED(&node, TAGGED, i, LENS[i], i);
			HOLDS(&in, LENS[i], 1, i);
		}
		search(&node, NULL, 0, i, i, FI_PEEK);
		EQUAL(FAULT(&node, RX, i).err, FI_ENOMSG);
	}
	node_close_alone(&node);
}

/* A buffer for many messages, asked for by name after the sender has left: it gets them in their order, and comes back with an
 * error. */
static void multi(long argument)
{
	struct node node;
	struct buffer in = buffer_new(1 << 16), out = buffer_new(LONGEST);
	uint8_t *end = in.bytes;

	open_with(&node, argument, "16384", FI_MSG | FI_MULTI_RECV);
	if (me.rank == 1) {
		for (uint64_t i = 0; i < COUNT; i++) {
			pattern(out.bytes, LENS[i], 1, i, 0);
			send_by(&node, MSG, PLAIN, 0, out.bytes, LENS[i], 0, i);
			DONE(&node, TX, i);
		}
		leave(&node, DEPARTURE(argument));
	}
	wait_for_end(&node, IS_STILL(argument));
	if (me.rank == 1)
		return;
	struct iovec iov = { in.bytes, in.size };
	struct fi_msg msg = { .msg_iov = &iov, .iov_count = 1, .addr = node.peers[1], .context = ctx(&node, 1) };

	POST(&node, fi_recvmsg(node.ep, &msg, FI_MULTI_RECV | FI_COMPLETION));
	for (uint64_t i = 0; i < COUNT; i++) {
		struct done done = DONE(&node, RX, 1);

		EQUAL(done.len, LENS[i]);
		CHECK(!(done.flags & FI_MULTI_RECV) && (!done.len || (uint8_t *)done.buf == end));
		EQUAL(pattern_differs(end, LENS[i], 1, i, 0), LENS[i]);
		end += LENS[i];
	}
	struct done last = FAULT(&node, RX, 1);

	EQUAL(last.err, FI_EHOSTUNREACH);
	CHECK(last.flags & FI_MULTI_RECV);
	node_close_alone(&node);
}

/* The part of an address that says the process number, where the provider has one. */
static uint16_t number_of(const struct name *name)
{
	uint16_t number;

	memcpy(&number, name->bytes + 6, sizeof number);
	return number;
}

/* An endpoint closes and another is opened, with the same process number: each one's messages are its own. */
static void reused(long unused)
{
	struct node node;
	struct name names[2][2];
	uint32_t value = 1, in = 0;
	fi_addr_t second;

	(void)unused;
	open_with(&node, CASE(CLOSED, 0, false), "16384", FI_TAGGED | FI_SOURCE);
	names[1][0] = node_name(&node);
	exchange(&names[1][0], sizeof names[1][0], names[0], NULL, NULL);
	if (me.rank == 1) {
		for (value = 1; value <= 2; value++) {
			send_by(&node, TAGGED, PLAIN, 0, &value, 4, 7, 1);
			DONE(&node, TX, 1);
		}
		node_close_alone(&node);
		node_open_alone(&node, WISH(.caps = FI_TAGGED | FI_DIRECTED_RECV | FI_SOURCE));
		RETURNS(fi_av_insert(node.av, names[0][0].bytes, 1, &node.peers[0], 0, NULL), 1);
	}
	struct name mine = node_name(&node);

	exchange(&mine, sizeof mine, names[1], NULL, NULL);
	if (me.rank == 1) {
		if (!is_by_datagrams() && is_ours())
			EQUAL(number_of(&names[1][1]), number_of(&names[0][1]));
		for (value = 3; value <= 4; value++) {
			send_by(&node, TAGGED, PLAIN, 0, &value, 4, 7, 1);
			DONE(&node, TX, 1);
		}
		barrier(&node);
		/* A long one from the second endpoint, while the first one's messages wait. */
		struct buffer out = buffer_new(100000);

		pattern(out.bytes, out.size, 1, 5, 0);
		send_by(&node, TAGGED, PLAIN, 0, out.bytes, out.size, 8, 2);
		DONE(&node, TX, 2);
		barrier(&node);
		node_close_alone(&node);
		return;
	}
	RETURNS(fi_av_insert(node.av, names[1][1].bytes, 1, &second, 0, NULL), 1);
	barrier(&node);
	struct buffer buffer = buffer_new(100000);

	recv_by(&node, TAGGED, PLAIN, second, buffer.bytes, buffer.size, 8, 0, 2);
	RECEIVED(&node, TAGGED, 2, buffer.size, 8);
	HOLDS(&buffer, buffer.size, 1, 5);
	/* By name the last first: 3, 1, 4, 2. */
	for (uint32_t i = 0; i < 4; i++) {
		fi_addr_t from = i % 2 ? node.peers[1] : second;

		recv_by(&node, TAGGED, PLAIN, from, &in, 4, 7, 0, 1);
		struct done done = DONE(&node, RX, 1);

		EQUAL(in, (i % 2 ? 1 : 3) + i / 2);
		EQUAL(done.source, from);
	}
	in_vain(&node, TAGGED, 7);
	barrier(&node);
	node_close_alone(&node);
}

/* Memory of one who has left: an error, as ever. */
static void access_fails(long argument)
{
	struct node node;
	struct target targets[RANKS_MAX];
	struct buffer own = buffer_new(8000);
	uint64_t one = 1, before = 0;

	open_with(&node, argument, "16384", FI_RMA | FI_ATOMIC | FI_MSG);
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);

	region_share(&node, &region, own.size, targets);
	if (me.rank == 1) {
		if (DEPARTURE(argument) != KILLED)
			region_close(&region);
		leave(&node, DEPARTURE(argument));
	}
	wait_for_end(&node, true);
	if (me.rank == 1)
		return;
	sleep_ms(100);
	rma_by(&node, WRITE, 1, own.bytes, 5000, &targets[1], 0, 1);
	FAULT(&node, TX, 1);
	rma_by(&node, READ, 1, own.bytes, 5000, &targets[1], 0, 2);
	FAULT(&node, TX, 2);
	POST(&node, fi_atomic(node.ep, &one, 1, NULL, node.peers[1], targets[1].address, targets[1].key, FI_UINT64, FI_SUM, ctx(&node, 3)));
	FAULT(&node, TX, 3);
	POST(&node, fi_fetch_atomic(node.ep, &one, 1, NULL, &before, NULL, node.peers[1], targets[1].address, targets[1].key, FI_UINT64,
				    FI_SUM, ctx(&node, 4)));
	FAULT(&node, TX, 4);
	region_close(&region);
	node_close_alone(&node);
}

#define LEAVES (TEST_OURS | TEST_DEATH)
#define BY_DEPARTURE(name, about, run, mode, is_still) \
	{ "gone." name "_closed", about ": its endpoint is closed", run, CASE(CLOSED, mode, is_still), 2, 2, LEAVES }, \
	{ "gone." name "_exited", about ": it has closed and ended", run, CASE(EXITED, mode, is_still), 2, 2, LEAVES }, \
	{ "gone." name "_killed", about ": it was killed", run, CASE(KILLED, mode, is_still), 2, 2, LEAVES }
#define BY_MODE(name, about, run, is_still) \
	BY_DEPARTURE(name "_hardware", about, run, 0, is_still), BY_DEPARTURE(name "_hybrid", about, run, 1, is_still), \
	BY_DEPARTURE(name "_software", about, run, 2, is_still)

const struct test departure_tests[] = {
	BY_MODE("sent", "what a rank sent before it left is received by its name", sent, false),
	BY_MODE("still", "the same by the first call of all after that", sent, true),
	BY_MODE("backlog", "the same where more was sent than the NIC has room for", backlog, false),
	BY_MODE("backlog_long", "the same of messages that no inbox takes", backlog, true),
	BY_MODE("posted", "a receive that was posted before gets its message", posted_before, false),
	BY_MODE("posted_still", "the same without a poll meanwhile", posted_before, true),
	BY_DEPARTURE("unfinished", "a long message that was not fetched ends its receive", unfinished, 0, true),
	BY_DEPARTURE("unfinished_software", "the same where software matches", unfinished, 2, false),
	BY_DEPARTURE("claimed", "messages of a rank that has left are found, claimed, thrown away", claimed, 0, true),
	BY_DEPARTURE("claimed_software", "the same where software matches", claimed, 2, false),
	BY_DEPARTURE("multi", "a buffer for many takes what waits and comes back with an error", multi, 0, true),
	BY_DEPARTURE("multi_software", "the same where software matches", multi, 2, false),
	BY_DEPARTURE("access", "reads, writes and atomics of a rank that has left end with an error", access_fails, 0, true),
	{ "gone.found_by_send", "a receive ends though it was a send that found the rank dead", found_by_send, CASE(KILLED, 0, true), 2, 2, LEAVES },
	{ "gone.reused", "of two endpoints with the same process number in turn, each is received from by name", reused, 0, 2, 2, TEST_OURS },
	{ 0 },
};
