/* Atomic operations of several ranks on the same words: nothing is lost, and what order is promised holds. */
#include "node.h"

/* The words that all work on, at rank 0. */
enum { WORDS = 8 };

struct shared {
	struct node node;
	struct region region;
	struct target targets[RANKS_MAX];
	uint64_t *words;
};

static void open_shared(struct shared *shared, uint64_t msg_order)
{
	node_open(&shared->node, WISH(.caps = FI_MSG | FI_ATOMIC, .msg_order = msg_order));
	shared->words = aligned_alloc(4096, 4096);
	memset(shared->words, 0, 4096);
	shared->region = region_open(&shared->node, shared->words, 4096, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&shared->node, &shared->region, 4096, shared->targets);
}

static void close_shared(struct shared *shared)
{
	barrier(&shared->node);
	region_close(&shared->region);
	node_close(&shared->node);
	free(shared->words);
}

static void change(struct shared *shared, int word, enum fi_op op, const uint64_t *value, uint64_t number)
{
	struct node *node = &shared->node;

	POST(node, fi_atomic(node->ep, value, 1, NULL, node->peers[0], shared->targets[0].address + (uint64_t)word * 8, shared->targets[0].key,
			     FI_UINT64, op, ctx(node, number)));
}

static void fetch(struct shared *shared, int word, enum fi_op op, const uint64_t *value, uint64_t *result, uint64_t number)
{
	struct node *node = &shared->node;

	POST(node, fi_fetch_atomic(node->ep, op == FI_ATOMIC_READ ? NULL : value, 1, NULL, result, NULL, node->peers[0],
				   shared->targets[0].address + (uint64_t)word * 8, shared->targets[0].key, FI_UINT64, op, ctx(node, number)));
}

static uint64_t swap_if(struct shared *shared, int word, uint64_t expected, uint64_t value)
{
	struct node *node = &shared->node;
	uint64_t result = 0;

	POST(node, fi_compare_atomic(node->ep, &value, 1, NULL, &expected, NULL, &result, NULL, node->peers[0],
				     shared->targets[0].address + (uint64_t)word * 8, shared->targets[0].key, FI_UINT64, FI_CSWAP, ctx(node, 1)));
	DONE(node, TX, 1);
	return result;
}

/* Fetched sums are all different and leave none out. */
static void fetch_add(long window)
{
	enum { EACH = 100 };
	struct shared shared;
	static uint64_t results[EACH], all[RANKS_MAX * EACH];
	static bool seen[RANKS_MAX * EACH];
	uint64_t one = 1;

	open_shared(&shared, 0);
	for (uint64_t i = 0; i < EACH; i++) {
		if (i >= (uint64_t)window)
			DONE(&shared.node, TX, i - (uint64_t)window);
		fetch(&shared, 0, FI_SUM, &one, &results[i], i);
	}
	for (uint64_t i = EACH - (uint64_t)window; i < EACH; i++)
		DONE(&shared.node, TX, i);
	barrier(&shared.node);
	exchange(results, sizeof results, all, NULL, NULL);
	for (int i = 0; i < me.ranks * EACH; i++) {
		if (all[i] >= (uint64_t)(me.ranks * EACH) || seen[all[i]])
			FAIL("%llu was fetched %s", (unsigned long long)all[i], all[i] >= (uint64_t)(me.ranks * EACH) ? "from nowhere" : "twice");
		seen[all[i]] = true;
	}
	if (me.rank == 0)
		EQUAL(shared.words[0], me.ranks * EACH);
	close_shared(&shared);
}

/* Sums without fetching, on several words. */
static void sums(long unused)
{
	enum { EACH = 800, WINDOW = 32 };
	struct shared shared;
	uint64_t values[WINDOW], expected[WORDS] = { 0 };

	(void)unused;
	open_shared(&shared, 0);
	for (uint64_t i = 0; i < EACH; i++) {
		if (i >= WINDOW)
			DONE(&shared.node, TX, i - WINDOW);
		values[i % WINDOW] = (uint64_t)(me.rank + 1) * (i + 1);
		change(&shared, (int)(i % WORDS), FI_SUM, &values[i % WINDOW], i);
	}
	for (uint64_t i = EACH - WINDOW; i < EACH; i++)
		DONE(&shared.node, TX, i);
	barrier(&shared.node);
	for (int rank = 0; rank < me.ranks; rank++)
		for (uint64_t i = 0; i < EACH; i++)
			expected[i % WORDS] += (uint64_t)(rank + 1) * (i + 1);
	if (me.rank == 0)
		for (int word = 0; word < WORDS; word++)
			UNTIL(&shared.node, watched(&shared.words[word]) == expected[word]);
	close_shared(&shared);
}

/* Swapped values: each is fetched once, or is the last. */
static void swap_chain(long unused)
{
	enum { EACH = 100 };
	struct shared shared;
	static uint64_t results[EACH], all[RANKS_MAX * EACH + 1];
	static int seen[RANKS_MAX * EACH + 1];
	uint64_t last = 0, lasts[RANKS_MAX];

	(void)unused;
	open_shared(&shared, 0);
	for (uint64_t i = 0; i < EACH; i++) {
		uint64_t mine = (uint64_t)me.rank * EACH + i + 1;

		fetch(&shared, 0, FI_ATOMIC_WRITE, &mine, &results[i], 1);
		DONE(&shared.node, TX, 1);
	}
	barrier(&shared.node);
	exchange(results, sizeof results, all, NULL, NULL);
	last = shared.words[0];
	exchange(&last, sizeof last, lasts, NULL, NULL);
	all[me.ranks * EACH] = lasts[0];
	for (int i = 0; i <= me.ranks * EACH; i++) {
		CHECK(all[i] <= (uint64_t)(me.ranks * EACH));
		if (seen[all[i]]++)
			FAIL("the value %llu was fetched twice", (unsigned long long)all[i]);
	}
	close_shared(&shared);
}

/* A lock by compare and swap guards a plain counter. */
static void lock(long unused)
{
	enum { EACH = 20 };
	struct shared shared;

	(void)unused;
	open_shared(&shared, 0);
	for (int i = 0; i < EACH; i++) {
		uint64_t value = 0, zero = 0;

		while (swap_if(&shared, 0, 0, (uint64_t)me.rank + 1) != 0)
			wait_turn(&shared.node, __FILE__, __LINE__, "a lock by FI_CSWAP");
		fetch(&shared, 1, FI_ATOMIC_READ, NULL, &value, 1);
		DONE(&shared.node, TX, 1);
		value++;
		/* A write that fetches is at the target when it has completed. */
		fetch(&shared, 1, FI_ATOMIC_WRITE, &value, &zero, 2);
		DONE(&shared.node, TX, 2);
		EQUAL(zero, value - 1);
		EQUAL(swap_if(&shared, 0, (uint64_t)me.rank + 1, 0), me.rank + 1);
	}
	barrier(&shared.node);
	if (me.rank == 0)
		EQUAL(shared.words[1], me.ranks * EACH);
	close_shared(&shared);
}

/* Bits set by all ranks, none lost. */
static void bits(long unused)
{
	struct shared shared;
	uint64_t result, all = 0;

	(void)unused;
	open_shared(&shared, 0);
	for (int bit = me.rank; bit < 64; bit += me.ranks) {
		uint64_t value = 1ull << bit;

		fetch(&shared, 2, FI_BOR, &value, &result, 1);
		DONE(&shared.node, TX, 1);
		EQUAL(result & value, 0);
	}
	barrier(&shared.node);
	fetch(&shared, 2, FI_ATOMIC_READ, NULL, &all, 1);
	DONE(&shared.node, TX, 1);
	EQUAL(all, -1);
	close_shared(&shared);
}

/* What is promised about one rank's atomics to one word. */
static void promised(long order)
{
	enum { ROUNDS = 60, STEPS = 5 };
	struct shared shared;
	int word;

	open_shared(&shared, (uint64_t)order);
	word = me.rank;
	for (uint64_t round = 0; round < ROUNDS; round++) {
		uint64_t base = round * 100 + 1, values[STEPS], seen[STEPS] = { 0 }, final = 0;
		uint64_t number = 0;

		for (uint64_t step = 0; step < STEPS; step++) {
			values[step] = base + step;
			if (order == FI_ORDER_ATOMIC_WAR)
				fetch(&shared, word, FI_ATOMIC_READ, NULL, &seen[step], number++);
			change(&shared, word, FI_ATOMIC_WRITE, &values[step], number++);
			if (order == FI_ORDER_ATOMIC_RAW)
				fetch(&shared, word, FI_ATOMIC_READ, NULL, &seen[step], number++);
		}
		while (number > 0)
			DONE(&shared.node, TX, --number);
		for (uint64_t step = 0; step < STEPS; step++) {
			/* A read after a write sees this write, or a later one; a read before a write never sees that write. */
			if (order == FI_ORDER_ATOMIC_RAW && seen[step] < values[step])
				FAIL("a read after the write of %llu saw %llu", (unsigned long long)values[step], (unsigned long long)seen[step]);
			if (order == FI_ORDER_ATOMIC_WAR && seen[step] >= values[step])
				FAIL("a read before the write of %llu saw %llu", (unsigned long long)values[step], (unsigned long long)seen[step]);
		}
		if (order == FI_ORDER_ATOMIC_WAW) {
			barrier(&shared.node);
			for (bool is_there = false; !is_there;) {
				fetch(&shared, word, FI_ATOMIC_READ, NULL, &final, 0);
				DONE(&shared.node, TX, 0);
				is_there = final == values[STEPS - 1];
				if (!is_there)
					wait_turn(&shared.node, __FILE__, __LINE__, "the last of several writes to stay");
			}
		}
	}
	close_shared(&shared);
}

/* The target does not call the library. */
static void still_target(long unused)
{
	struct shared shared;
	uint64_t value = 3, result = 0;

	(void)unused;
	open_shared(&shared, 0);
	if (shared.node.info->domain_attr->data_progress != FI_PROGRESS_AUTO && !is_ours())
		skip("data_progress is FI_PROGRESS_MANUAL");
	barrier(&shared.node);
	if (me.rank > 0)
		for (uint64_t i = 0; i < 100; i++) {
			change(&shared, 0, FI_SUM, &value, 1);
			DONE(&shared.node, TX, 1);
			fetch(&shared, 1, FI_SUM, &value, &result, 1);
			DONE(&shared.node, TX, 1);
		}
	barrier_still();
	if (me.rank == 0) {
		UNTIL(&shared.node, watched(&shared.words[0]) == 300u * ((uint64_t)me.ranks - 1));
		EQUAL(watched(&shared.words[1]), 300 * (me.ranks - 1));
	}
	close_shared(&shared);
}

const struct test atomic_order_tests[] = {
	{ "atomic.fetch_add_one_by_one", "ranks draw numbers from one word: none twice, none left out", fetch_add, 1, 2, 4, 0 },
	{ "atomic.fetch_add_many", "the same with 16 in flight", fetch_add, 16, 2, 4, 0 },
	{ "atomic.sums", "sums of all ranks on the same words are exact", sums, 0, 2, 4, 0 },
	{ "atomic.swap_chain", "swapped values are each fetched once", swap_chain, 0, 2, 4, 0 },
	{ "atomic.lock", "a lock by compare and swap excludes", lock, 0, 2, 4, 0 },
	{ "atomic.bits", "bits set by all ranks, none lost", bits, 0, 2, 4, 0 },
	{ "atomic.write_after_write", "the last write stays, where FI_ORDER_ATOMIC_WAW is promised", promised, FI_ORDER_ATOMIC_WAW, 2, 2, 0 },
	{ "atomic.read_after_write", "a read sees the write before it, where FI_ORDER_ATOMIC_RAW is promised", promised, FI_ORDER_ATOMIC_RAW, 2, 2, 0 },
	{ "atomic.write_after_read", "a read does not see the write after it, where FI_ORDER_ATOMIC_WAR is promised", promised,
	  FI_ORDER_ATOMIC_WAR, 2, 2, 0 },
	{ "atomic.still_target", "atomics end while the target does not call the library", still_target, 0, 2, 2, 0 },
	{ 0 },
};
