/* Who matches, and what happens when the NIC's list entries are used up: FI_CXI_RX_MATCH_MODE. */
#include "vendor.h"

#include <signal.h>
#include <unistd.h>

enum mode { HARDWARE, HYBRID, SOFTWARE };
static const char *const MODES[] = { "hardware", "hybrid", "software" };

enum { ENTRIES = 64, COUNT = 600, LONGEST = 70000 };

static void open_with(struct node *node, long mode, const char *entries, uint64_t caps)
{
	setenv("FI_CXI_RX_MATCH_MODE", MODES[mode], 1);
	setenv("FI_PHILAE_LIST_ENTRIES", entries, 1);
	node_open(node, WISH(.caps = caps, .msg_order = FI_ORDER_SAS));
}

/* Of no length, inline, in an inbox, in a block, and to be fetched. */
static size_t size_of(uint64_t number)
{
	static const size_t LENS[] = { 0, 8, 192, 193, 3000, 9000, 16384, 16385, LONGEST };

	return LENS[mix(me.seed + number) % 9];
}

static enum kind kind_of(uint64_t number)
{
	return number % 5 == 4 ? MSG : TAGGED;
}

/* Messages without a receive, many more than there are entries, while the target makes no call; then receives for
 * them, by tags in another order. Nothing is lost, each is whole, and those of one tag come in order. */
static void unexpected(long mode)
{
	struct node node;
	struct buffer in = buffer_new(LONGEST);
	static uint8_t *out[COUNT];
	uint64_t messages = 0;

	open_with(&node, mode, "64", FI_MSG | FI_TAGGED);
	barrier_still();
	if (me.rank == 0) {
		for (uint64_t i = 0; i < COUNT; i++) {
			out[i] = malloc(LONGEST);
			pattern(out[i], size_of(i), 0, i, 0);
			send_by(&node, kind_of(i), PLAIN, 1, out[i], size_of(i), i % 5, i);
		}
		for (uint64_t i = 0; i < COUNT; i++)
			DONE(&node, TX, i);
	} else {
		/* Computes first: there are more messages than entries then. */
		sleep_ms(100);
		for (uint64_t tag = 5; tag-- > 0;)
			for (uint64_t i = tag; i < COUNT; i += 5) {
				buffer_clear(&in);
				recv_by(&node, kind_of(i), PLAIN, FI_ADDR_UNSPEC, in.bytes, LONGEST, tag, 0, i);
				EQUAL(DONE(&node, RX, i).len, size_of(i));
				HOLDS(&in, size_of(i), 0, i);
				messages++;
			}
		uint64_t refused = counted_by(&node, "list_refused"), taken_over = counted_by(&node, "list_taken_over");
		uint64_t matched = counted_by(&node, "software_matched");

		EQUAL(messages, COUNT);
		note("%llu times refused, %llu taken over, %llu matched by software", (unsigned long long)refused,
		     (unsigned long long)taken_over, (unsigned long long)matched);
		CHECK(mode == HARDWARE ? refused > 0 : refused == 0);
		CHECK(taken_over > 0 && matched > 0);
		if (mode == SOFTWARE)
			EQUAL(matched, COUNT);
	}
	barrier(&node);
	node_close(&node);
}

/* More receives than there are entries, then their messages, the last first; of one tag, in their order. */
static void receives(long mode)
{
	enum { TAGS = 50, EACH = 6 };
	struct node node;
	static uint32_t in[TAGS][EACH];

	open_with(&node, mode, "64", FI_TAGGED);
	if (me.rank == 1) {
		for (uint64_t tag = 0; tag < TAGS; tag++)
			for (uint64_t i = 0; i < EACH; i++)
				recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, &in[tag][i], 4, tag, 0, tag * EACH + i);
		/* These will never get a message, and are taken back. */
		for (uint64_t i = 0; i < 100; i++)
			recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, &in[0][0], 4, 1000 + i, 0, 1000 + i);
		for (uint64_t i = 0; i < 100; i++) {
			OK(fi_cancel(&node.ep->fid, ctx(&node, 1000 + i)));
			EQUAL(FAULT(&node, RX, 1000 + i).err, FI_ECANCELED);
		}
	}
	barrier(&node);
	if (me.rank == 0)
		for (uint64_t i = 0; i < EACH; i++)
			for (uint64_t tag = TAGS; tag-- > 0;) {
				uint32_t value = (uint32_t)(tag * EACH + i);

				send_by(&node, TAGGED, PLAIN, 1, &value, 4, tag, 1);
				DONE(&node, TX, 1);
			}
	else {
		for (uint64_t number = 0; number < TAGS * EACH; number++)
			DONE(&node, RX, number);
		for (uint64_t tag = 0; tag < TAGS; tag++)
			for (uint64_t i = 0; i < EACH; i++)
				EQUAL(in[tag][i], tag * EACH + i);
		uint64_t matched = counted_by(&node, "software_matched");

		note("%llu matched by software", (unsigned long long)matched);
		CHECK(matched > 0 && (mode == HARDWARE || matched == TAGS * EACH));
	}
	barrier(&node);
	node_close(&node);
}

/* A long message for a receive that is posted, while its process makes no call: the NIC fetches it, software does not. */
static void compute(long mode)
{
	enum { LEN = 300000 };
	struct node node;
	struct buffer buffer = buffer_new(LEN);

	open_with(&node, mode, "16384", FI_TAGGED);
	if (me.rank == 1)
		recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, LEN, 3, 0, 1);
	barrier(&node);
	if (me.rank == 0) {
		pattern(buffer.bytes, LEN, 0, 9, 0);
		send_by(&node, TAGGED, PLAIN, 1, buffer.bytes, LEN, 3, 2);
		if (mode == SOFTWARE)
			QUIET(&node, 200);
		else
			DONE(&node, TX, 2);
	}
	barrier_still();
	if (me.rank == 1) {
		RECEIVED(&node, TAGGED, 1, LEN, 3);
		HOLDS(&buffer, LEN, 0, 9);
		EQUAL(counted_by(&node, "software_matched"), mode == SOFTWARE);
	} else if (mode == SOFTWARE)
		DONE(&node, TX, 2);
	barrier(&node);
	node_close(&node);
}

/* In hybrid mode software takes over before entries run out, where that is asked for; it does not without. */
static void early(long which)
{
	static const char *const NAMES[] = { "FI_CXI_HYBRID_POSTED_RECV_PREEMPTIVE", "FI_CXI_HYBRID_UNEXPECTED_MSG_PREEMPTIVE" };
	struct node node;
	uint32_t in[30], value = 5;

	setenv("FI_CXI_DEFAULT_RX_SIZE", "20", 1);
	if (which < 2)
		setenv(NAMES[which], "1", 1);
	open_with(&node, HYBRID, "16384", FI_TAGGED);
	if (me.rank == 1 && which != 1)
		for (uint64_t i = 0; i < 30; i++)
			recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, &in[i], 4, 3, 0, i);
	barrier(&node);
	if (me.rank == 0)
		for (int i = 0; i < 30; i++) {
			send_by(&node, TAGGED, PLAIN, 1, &value, 4, 3, 1);
			DONE(&node, TX, 1);
		}
	barrier(&node);
	if (me.rank == 1) {
		if (which == 1) {
			/* What is still in flight is there once a search has seen all of them wait. */
			struct domain_ops *ops = domain_ops_of(&node);
			size_t waits = 0;

			while (waits < 30) {
				RETURNS((ssize_t)ops->ep_get_unexp_msgs(node.ep, NULL, 0, NULL, &waits), 0);
				wait_turn(&node, __FILE__, __LINE__, "30 messages to wait");
			}
			EQUAL(waits, 30);
			for (uint64_t i = 0; i < 30; i++)
				recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, &in[i], 4, 3, 0, i);
		}
		for (uint64_t i = 0; i < 30; i++)
			DONE(&node, RX, i);
		uint64_t matched = counted_by(&node, "software_matched");

		EQUAL(matched, which < 2 ? 30 : 0);
	}
	barrier(&node);
	node_close(&node);
}

/* Software has room for few bytes: what does not fit waits at its sender, and nothing is lost. */
static void request_buffers(long unused)
{
	enum { LEN = 4000, MESSAGES = 400 };
	struct node node;
	struct buffer out = buffer_new(LEN * MESSAGES), in = buffer_new(LEN);

	(void)unused;
	setenv("FI_CXI_REQ_BUF_SIZE", "16384", 1);
	setenv("FI_CXI_REQ_BUF_MAX_CACHED", "4", 1);
	open_with(&node, SOFTWARE, "16384", FI_TAGGED);
	if (me.rank == 0) {
		/* None is waited for before all are posted: one that waits here for its receive must not hold up the next. */
		for (uint64_t i = 0; i < MESSAGES; i++) {
			uint8_t *bytes = out.bytes + i * LEN;

			pattern(bytes, LEN, 0, i, 0);
			send_by(&node, TAGGED, PLAIN, 1, bytes, LEN, 3 + i % 2, i);
		}
		for (uint64_t i = 0; i < MESSAGES; i++)
			DONE(&node, TX, i);
	}
	else {
		for (int turn = 0; turn < 50; turn++) {
			progress(&node);
			sleep_ms(1);
		}
		/* The second tag first. */
		for (uint64_t i = 0; i < MESSAGES; i++) {
			uint64_t tag = 3 + (i < MESSAGES / 2), number = i < MESSAGES / 2 ? 2 * i + 1 : 2 * i - MESSAGES;

			buffer_clear(&in);
			recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in.bytes, LEN, tag, 0, 1);
			RECEIVED(&node, TAGGED, 1, LEN, tag);
			HOLDS(&in, LEN, 0, number);
		}
	}
	barrier(&node);
	node_close(&node);
}

/* A receive that waits in software for a rank that is killed ends with an error. */
static void source_dies(long unused)
{
	struct node node;
	uint32_t value = 1;

	(void)unused;
	open_with(&node, SOFTWARE, "16384", FI_TAGGED | FI_DIRECTED_RECV);
	if (me.rank == 0)
		recv_by(&node, TAGGED, PLAIN, node.peers[1], &value, 4, 3, 0, 1);
	barrier(&node);
	if (me.rank == 1) {
		rank_will_die();
		raise(SIGKILL);
	}
	barrier(&node);
	if (me.rank == 0)
		CHECK(FAULT(&node, RX, 1).err > 0);
	node_close(&node);
}

/* Receives until so many have completed; their contents are not checked. */
static void complete(struct node *node, enum side side, size_t count)
{
	UNTIL(node, waiting(node, side) >= count);
	for (size_t i = 0; i < count; i++)
		EQUAL(node->done[side].items[i].err, 0);
	EQUAL(node->done[side].count, count);
	node->done[side].count = 0;
}

/* Receive `i` of the growth tests: as an MPI has them, for a tag or any, from one rank or any. */
static void post_like_mpi(struct node *node, uint32_t *in, uint64_t tag, uint64_t i)
{
	fi_addr_t from = i % 2 ? node->peers[1 - me.rank] : FI_ADDR_UNSPEC;

	POST(node, fi_trecv(node->ep, in, 4, NULL, from, tag, 7ull << 60, ctx(node, i)));
}

/* What a search compares for one message does not grow with the number of those that wait. Entries are counted, no time is taken. */
static void growth(long mode)
{
	static const uint64_t COUNTS[] = { 1000, 4000, 16000 };
	/* Of the most, eight entries are in one chain on average, and a search looks into one for each kind of receive. */
	enum { MOST = 64, LAST = 16000 };
	static uint32_t in[LAST], out[LAST];
	struct node node;

	open_with(&node, mode, "16384", FI_TAGGED | FI_DIRECTED_RECV);
	for (int round = 0; round < 3; round++) {
		uint64_t count = COUNTS[round], before = counted_by(&node, "match_compared"), wait = count / 2;

		/* By turns, the tags from both ends: half of the receives and half of the messages wait before the first meet. */
		for (uint64_t i = 0; i < count; i++) {
			out[i] = (uint32_t)i;
			post_like_mpi(&node, &in[i], count - 1 - i, i);
			POST(&node, fi_tsend(node.ep, &out[i], 4, NULL, node.peers[1 - me.rank], i, ctx(&node, i)));
		}
		complete(&node, TX, count);
		complete(&node, RX, count);
		for (uint64_t i = 0; i < count; i++)
			EQUAL(in[i], count - 1 - i);
		uint64_t crossing = counted_by(&node, "match_compared") - before;

		/* As many messages as can wait, then their receives, the last first. */
		barrier(&node);
		before = counted_by(&node, "match_compared");
		for (uint64_t i = 0; i < wait; i++)
			POST(&node, fi_tsend(node.ep, &out[i], 4, NULL, node.peers[1 - me.rank], i, ctx(&node, i)));
		complete(&node, TX, wait);
		barrier(&node);
		for (uint64_t i = wait; i-- > 0;)
			post_like_mpi(&node, &in[i], i, i);
		complete(&node, RX, wait);
		for (uint64_t i = 0; i < wait; i++)
			EQUAL(in[i], i);
		uint64_t unexpected = counted_by(&node, "match_compared") - before;

		/* Receives without messages are taken back, the last first. */
		before = counted_by(&node, "match_compared");
		for (uint64_t i = 0; i < count; i++)
			post_like_mpi(&node, &in[i], i, i);
		for (uint64_t i = count; i-- > 0;)
			OK(fi_cancel(&node.ep->fid, ctx(&node, i)));
		UNTIL(&node, waiting(&node, RX) >= count);
		for (uint64_t i = 0; i < count; i++)
			EQUAL(node.done[RX].items[i].err, FI_ECANCELED);
		node.done[RX].count = 0;
		uint64_t cancelled = counted_by(&node, "match_compared") - before;

		if (me.rank == 0)
			note("%llu in each direction: %.1f compared for each by turns, %.1f unexpected, %.1f taken back", (unsigned long long)count,
			     (double)crossing / (double)(2 * count), (double)unexpected / (double)(2 * wait),
			     (double)cancelled / (double)count);
		CHECK(crossing <= 2 * count * MOST && unexpected <= 2 * wait * MOST && cancelled <= count * MOST);
		barrier(&node);
	}
	node_close(&node);
}

#define IN_EACH_MODE(name, about, run, flags) \
	{ "match." name "_hardware", about, run, HARDWARE, 2, 2, flags }, { "match." name "_hybrid", about, run, HYBRID, 2, 2, flags }, \
	{ "match." name "_software", about, run, SOFTWARE, 2, 2, flags }

const struct test matching_tests[] = {
	IN_EACH_MODE("unexpected", "600 messages without a receive on 64 list entries: all arrive whole, and counts say who matched", unexpected,
		     TEST_OURS),
	IN_EACH_MODE("receives", "400 receives on 64 list entries: each gets its message, or is taken back", receives, TEST_OURS),
	IN_EACH_MODE("compute", "a long message to a process that computes is fetched by its NIC, and not by its software", compute, TEST_OURS),
	IN_EACH_MODE("growth", "what a search compares does not grow with what waits: 1,000, 4,000, 16,000 messages in each direction", growth, TEST_OURS),
	{ "match.early_receives", "hybrid: software takes over when more receives are posted than rx_attr.size", early, 0, 2, 2, TEST_OURS },
	{ "match.early_messages", "hybrid: software takes over when more messages wait than rx_attr.size", early, 1, 2, 2, TEST_OURS },
	{ "match.not_early", "hybrid: the NIC matches while it has entries", early, 2, 2, 2, TEST_OURS },
	{ "match.request_buffers", "messages for which software has no bytes left wait at their sender", request_buffers, 0, 2, 2, TEST_OURS },
	{ "match.source_dies", "a receive in software from a killed rank ends with an error", source_dies, 0, 2, 2, TEST_OURS | TEST_DEATH },
	{ 0 },
};
