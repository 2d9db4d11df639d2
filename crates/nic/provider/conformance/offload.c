/* What the NIC does while its process computes: no call of the library, on the side that is reached, from the barrier on
 * until it has seen what it waits for. */
#include "p2p.h"

enum { LEN = 300000, ADDITIONS = 500 };

/* Computes, with an eye on one word of memory, until it is `wanted`. */
static void compute_until(const volatile uint64_t *word, uint64_t wanted, const char *file, int line, const char *what)
{
	double end = now() + me.patience;

	at(file, line, what);
	while (watched(word) != wanted)
		if (now() > end)
			fail(file, line, "computed until %.1f s after the start without a call, in vain: %s", now() - me.began, what);
}
#define COMPUTE_UNTIL(word, wanted) compute_until(word, wanted, __FILE__, __LINE__, #word " is " #wanted)

/* A buffer of `len` bytes, and the word behind it. */
static volatile uint64_t *word_behind(const struct buffer *buffer)
{
	return (volatile uint64_t *)(buffer->bytes + LEN);
}

/* Rank 0 writes bytes, then a word that says so; rank 1 computes and finds the bytes when it sees the word. */
static void puts_land(long unused)
{
	struct node node;
	struct target targets[RANKS_MAX];
	struct buffer own = buffer_new(LEN + 8), local = buffer_new(LEN + 8);
	uint64_t word = 0;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	*word_behind(&own) = 0;
	for (uint64_t round = 1; round <= 5; round++) {
		size_t len = round == 1 ? 8 : LEN / 5 * round;

		barrier(&node);
		if (me.rank == 0) {
			pattern(local.bytes, len, 0, round, 0);
			POST(&node, fi_write(node.ep, local.bytes, len, NULL, node.peers[1], targets[1].address, targets[1].key, ctx(&node, 1)));
			DONE(&node, TX, 1);
			word = round;
			POST(&node, fi_write(node.ep, &word, 8, NULL, node.peers[1], targets[1].address + LEN, targets[1].key, ctx(&node, 2)));
			DONE(&node, TX, 2);
		} else {
			COMPUTE_UNTIL(word_behind(&own), round);
			EQUAL(pattern_differs(own.bytes, len, 0, round, 0), len);
		}
	}
	barrier(&node);
	region_close(&region);
	node_close(&node);
}

/* Stores a word that a peer's gets read meanwhile: the race is what the test is about, and the thread sanitizer is not asked. */
#ifdef __SANITIZE_THREAD__
__attribute__((no_sanitize("thread"), noinline))
#endif
static void store_while_read(volatile uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* Rank 1 changes its memory by plain stores and computes; rank 0 reads until it sees the change, and says so by a write. */
static void gets_see(long unused)
{
	struct node node;
	struct target targets[RANKS_MAX];
	struct buffer own = buffer_new(LEN + 16), local = buffer_new(LEN + 16);

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	volatile uint64_t *answered = word_behind(&own) + 1;
	word_behind(&own)[0] = *answered = 0;
	for (uint64_t round = 1; round <= 5; round++) {
		barrier(&node);
		if (me.rank == 1) {
			pattern(own.bytes, LEN, 1, round, 0);
			store_while_read(word_behind(&own), round);
			COMPUTE_UNTIL(answered, round);
			continue;
		}
		uint64_t seen = 0;
		while (seen != round) {
			POST(&node, fi_read(node.ep, &seen, 8, NULL, node.peers[1], targets[1].address + LEN, targets[1].key, ctx(&node, 1)));
			DONE(&node, TX, 1);
		}
		POST(&node, fi_read(node.ep, local.bytes, LEN, NULL, node.peers[1], targets[1].address, targets[1].key, ctx(&node, 2)));
		DONE(&node, TX, 2);
		EQUAL(pattern_differs(local.bytes, LEN, 1, round, 0), (size_t)LEN);
		POST(&node, fi_write(node.ep, &seen, 8, NULL, node.peers[1], targets[1].address + LEN + 8, targets[1].key, ctx(&node, 3)));
		DONE(&node, TX, 3);
	}
	barrier(&node);
	region_close(&region);
	node_close(&node);
}

/* Rank 0 adds; rank 1 computes and sees the sum grow to what it has to be. */
static void additions_land(long unused)
{
	struct node node;
	struct target targets[RANKS_MAX];
	static uint64_t sums[2];
	uint64_t one = 1, before = 0, previous = 0;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA | FI_ATOMIC));
	sums[0] = 0;
	struct region region = region_open(&node, sums, sizeof sums, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, sizeof sums, targets);
	barrier(&node);
	if (me.rank == 1) {
		COMPUTE_UNTIL(&sums[0], ADDITIONS);
	} else {
		for (uint64_t addition = 0; addition < ADDITIONS; addition++) {
			POST(&node, fi_fetch_atomic(node.ep, &one, 1, NULL, &before, NULL, node.peers[1], targets[1].address, targets[1].key,
						    FI_UINT64, FI_SUM, ctx(&node, addition)));
			DONE(&node, TX, addition);
			EQUAL(before, previous);
			previous = before + 1;
		}
	}
	barrier(&node);
	region_close(&region);
	node_close(&node);
}

/* Rank 1 has posted a receive and computes; a long message lands in it, by the NICs alone. */
static void messages_land(long unused)
{
	struct node node;
	struct buffer own = buffer_new(LEN + 8), local = buffer_new(LEN + 8);

	(void)unused;
	if (!is_ours())
		skip("libfabric promises it with the completion only");
	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED));
	*word_behind(&own) = 0;
	if (me.rank == 1)
		POST(&node, fi_trecv(node.ep, own.bytes, LEN + 8, NULL, node.peers[0], 7, 0, ctx(&node, 1)));
	barrier(&node);
	if (me.rank == 1) {
		COMPUTE_UNTIL(word_behind(&own), 99);
		/* Across hosts a message's parts may come in any order; the completion says that all are there. */
		DONE(&node, RX, 1);
		EQUAL(pattern_differs(own.bytes, LEN, 0, 3, 0), (size_t)LEN);
	} else {
		pattern(local.bytes, LEN, 0, 3, 0);
		*word_behind(&local) = 99;
		POST(&node, fi_tsend(node.ep, local.bytes, LEN + 8, NULL, node.peers[1], 7, ctx(&node, 2)));
		DONE(&node, TX, 2);
	}
	barrier(&node);
	node_close(&node);
}

/* Rank 0 has sent a long message for which no receive waits, and computes; rank 1 fetches it meanwhile. */
static void senders_may_compute(long unused)
{
	struct node node;
	struct target targets[RANKS_MAX];
	struct buffer own = buffer_new(LEN + 8), local = buffer_new(LEN + 8);
	uint64_t word = 1;

	(void)unused;
	if (!is_ours())
		skip("libfabric promises it with FI_PROGRESS_AUTO only");
	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED | FI_RMA));
	*word_behind(&own) = 0;
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	if (me.rank == 0) {
		pattern(local.bytes, LEN, 0, 5, 0);
		POST(&node, fi_tsend(node.ep, local.bytes, LEN, NULL, node.peers[1], 7, ctx(&node, 1)));
	}
	barrier(&node);
	if (me.rank == 0) {
		COMPUTE_UNTIL(word_behind(&own), 1);
		DONE(&node, TX, 1);
	} else {
		POST(&node, fi_trecv(node.ep, local.bytes, LEN, NULL, node.peers[0], 7, 0, ctx(&node, 2)));
		DONE(&node, RX, 2);
		EQUAL(pattern_differs(local.bytes, LEN, 0, 5, 0), (size_t)LEN);
		POST(&node, fi_write(node.ep, &word, 8, NULL, node.peers[0], targets[0].address + LEN, targets[0].key, ctx(&node, 3)));
		DONE(&node, TX, 3);
	}
	barrier(&node);
	region_close(&region);
	node_close(&node);
}

const struct test offload_tests[] = {
	{ "offload.puts", "what is written is there when a target that computes looks", puts_land, 0, 2, 2, 0 },
	{ "offload.gets", "what a target that computes has stored is what is read", gets_see, 0, 2, 2, 0 },
	{ "offload.additions", "what is added is there when a target that computes looks", additions_land, 0, 2, 2, 0 },
	{ "offload.message", "a long message lands in a posted receive of a process that computes", messages_land, 0, 2, 2, 0 },
	{ "offload.sender", "a long message is fetched from a process that computes", senders_may_compute, 0, 2, 2, 0 },
	{ 0 },
};
