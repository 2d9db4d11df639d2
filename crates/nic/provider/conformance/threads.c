/* Several threads of each rank on one endpoint, as FI_THREAD_SAFE allows: a thread that reads a queue may find what another began.
 * Checks here do without CHECK and AT, which write where the rank is: that is one place for all threads. */
#include "node.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum {
	THREADS = 4,
	/* Bytes of the place that a thread owns in the peer's region, and the longest message. */
	PLACE = 70000,
	/* What each thread does. */
	ROUNDS = 150,
};

/* One operation; its completion has its address. */
struct op {
	struct fi_context2 context;
	atomic_int is_done;
	int err;
	size_t len;
};

/* What one thread works with. */
struct worker {
	struct node *node;
	struct target *target;
	int number, peer;
	/* How many others still work. */
	atomic_int *busy;
};

#define MUST(condition, ...) \
	do { \
		if (!(condition)) \
			FAIL(__VA_ARGS__); \
	} while (0)

/* Reads what is ready on one queue, whosever it is. */
static void look_at(struct fid_cq *queue)
{
	struct fi_cq_tagged_entry entries[4];
	ssize_t count = fi_cq_read(queue, entries, 4);

	if (count == -FI_EAVAIL) {
		struct fi_cq_err_entry fault = { 0 };
		ssize_t code = fi_cq_readerr(queue, &fault, 0);

		/* Another thread may have been first. */
		if (code == -FI_EAGAIN)
			return;
		MUST(code == 1, "fi_cq_readerr: expected 1 or -FI_EAGAIN, found %zd (%s)", code, code_text(code));
		struct op *op = fault.op_context;
		op->err = fault.err;
		atomic_store(&op->is_done, 1);
		return;
	}
	MUST(count > 0 || count == -FI_EAGAIN, "fi_cq_read: found %zd (%s)", count, code_text(count));
	for (ssize_t index = 0; index < count; index++) {
		struct op *op = entries[index].op_context;

		op->err = 0;
		op->len = entries[index].len;
		atomic_store(&op->is_done, 1);
	}
}

static void look(struct node *node)
{
	look_at(node->cq[TX]);
	look_at(node->cq[RX]);
}

/* One turn of waiting until `deadline`. */
static void turn(struct node *node, double deadline, const char *what)
{
	look(node);
	sched_yield();
	MUST(now() < deadline, "waited in vain for %s", what);
}

static void await(struct worker *worker, struct op *op, const char *what)
{
	double deadline = now() + me.patience;

	while (!atomic_load(&op->is_done))
		turn(worker->node, deadline, what);
	MUST(op->err == 0, "%s: expected no error, found %d (%s)", what, op->err, fi_strerror(op->err));
	atomic_store(&op->is_done, 0);
}

/* A call that begins an operation, again while there is no room. */
#define BEGIN(worker, call) \
	do { \
		double deadline_ = now() + me.patience; \
		ssize_t code_; \
		while ((code_ = (ssize_t)(call)) == -FI_EAGAIN) \
			turn((worker)->node, deadline_, #call); \
		MUST(code_ == 0, "%s: expected 0, found %zd (%s)", #call, code_, code_text(code_)); \
	} while (0)

static size_t length_of(int number, int round)
{
	uint64_t value = mix(me.seed ^ (uint64_t)number << 32 ^ (uint64_t)round);

	return value % 4 == 0 ? value / 4 % PLACE : value % 4 == 1 ? value / 4 % 5000 : value / 4 % 200;
}

static uint8_t *bytes_new(size_t size)
{
	uint8_t *bytes = malloc(size);

	MUST(bytes != NULL, "no memory");
	return bytes;
}

/* Messages to and from the thread of the same number. */
static void *exchange_messages(void *argument)
{
	struct worker *worker = argument;
	struct node *node = worker->node;
	uint8_t *out = bytes_new(PLACE), *in = bytes_new(PLACE);
	struct op sent = { 0 }, got = { 0 };
	uint64_t number = (uint64_t)worker->number;

	for (int round = 0; round < ROUNDS; round++) {
		size_t len = length_of(worker->number, round);
		uint64_t tag = number << 24 | (uint64_t)round;

		pattern(out, len, me.rank, tag, 0);
		BEGIN(worker, fi_trecv(node->ep, in, PLACE, NULL, node->peers[worker->peer], tag, 0, &got.context));
		BEGIN(worker, fi_tsend(node->ep, out, len, NULL, node->peers[worker->peer], tag, &sent.context));
		await(worker, &sent, "the end of a send");
		await(worker, &got, "a message of the peer's thread");
		MUST(got.len == len, "message %d of thread %d: expected %zu bytes, found %zu", round, worker->number, len, got.len);
		size_t good = pattern_differs(in, len, worker->peer, tag, 0);
		MUST(good == len, "message %d of thread %d: byte %zu of %zu is wrong", round, worker->number, good, len);
	}
	free(out);
	free(in);
	if (worker->busy)
		atomic_fetch_sub(worker->busy, 1);
	return NULL;
}

/* Writes to a place of its own at the peer, reads it again, and adds to a word of all. */
static void *reach_memory(void *argument)
{
	static const uint64_t ONE = 1;
	struct worker *worker = argument;
	struct node *node = worker->node;
	fi_addr_t peer = node->peers[worker->peer];
	uint8_t *out = bytes_new(PLACE), *in = bytes_new(PLACE);
	uint64_t place = worker->target->address + 64 + (uint64_t)worker->number * PLACE, before = 0;
	struct op op = { 0 };

	for (int round = 0; round < ROUNDS; round++) {
		size_t len = 1 + length_of(worker->number, round) % (PLACE - 1);
		uint64_t number = (uint64_t)worker->number << 24 | (uint64_t)round;

		pattern(out, len, me.rank, number, 0);
		memset(in, UNTOUCHED, len);
		BEGIN(worker, fi_write(node->ep, out, len, NULL, peer, place, worker->target->key, &op.context));
		await(worker, &op, "the end of a write");
		BEGIN(worker, fi_read(node->ep, in, len, NULL, peer, place, worker->target->key, &op.context));
		await(worker, &op, "the end of a read");
		size_t good = pattern_differs(in, len, me.rank, number, 0);
		MUST(good == len, "round %d of thread %d: byte %zu of %zu that were written is read wrong", round, worker->number, good, len);
		BEGIN(worker, fi_fetch_atomic(node->ep, &ONE, 1, NULL, &before, NULL, peer, worker->target->address, worker->target->key,
					      FI_UINT64, FI_SUM, &op.context));
		await(worker, &op, "the end of an addition");
		MUST(before < (uint64_t)THREADS * ROUNDS, "an addition found %llu", (unsigned long long)before);
	}
	free(out);
	free(in);
	return NULL;
}

/* Opens and closes endpoints, queues, counters and regions while `busy` others exchange messages. */
static void *open_and_close(void *argument)
{
	struct worker *worker = argument;
	struct node *node = worker->node;
	uint8_t *bytes = bytes_new(PLACE);
	uint64_t key = 0x10000 + (uint64_t)worker->number * 0x100000;

	do {
		struct fi_cq_attr form = { .format = FI_CQ_FORMAT_CONTEXT };
		struct fi_cntr_attr counting = { .events = FI_CNTR_EVENTS_COMP };
		struct fid_cq *queue;
		struct fid_cntr *counter;
		struct fid_ep *endpoint;
		struct fid_mr *region;

#define DO(call) \
	do { \
		int code_ = (int)(call); \
		MUST(code_ == 0, "%s next to others: expected 0, found %d (%s)", #call, code_, code_text(code_)); \
	} while (0)
		DO(fi_cq_open(node->domain, &form, &queue, NULL));
		DO(fi_cntr_open(node->domain, &counting, &counter, NULL));
		DO(fi_endpoint(node->domain, node->info, &endpoint, NULL));
		DO(fi_ep_bind(endpoint, &node->av->fid, 0));
		DO(fi_ep_bind(endpoint, &queue->fid, FI_TRANSMIT | FI_RECV));
		DO(fi_ep_bind(endpoint, &counter->fid, FI_SEND));
		DO(fi_enable(endpoint));
		DO(fi_mr_reg(node->domain, bytes, PLACE, FI_REMOTE_READ | FI_REMOTE_WRITE, 0, key++, 0, &region, NULL));
		if (node->info->domain_attr->mr_mode & FI_MR_ENDPOINT) {
			DO(fi_mr_bind(region, &endpoint->fid, 0));
			DO(fi_mr_enable(region));
		}
		DO(fi_close(&region->fid));
		DO(fi_close(&endpoint->fid));
		DO(fi_close(&counter->fid));
		DO(fi_close(&queue->fid));
	} while (atomic_load(worker->busy) > 0);
	free(bytes);
	return NULL;
}

typedef void *(*work)(void *);

/* Runs one thread for each of `works`, and waits for them. */
static void together(struct worker *workers, const work *works, int count)
{
	pthread_t threads[THREADS];

	for (int index = 0; index < count; index++)
		OK(pthread_create(&threads[index], NULL, works[index], &workers[index]));
	for (int index = 0; index < count; index++)
		OK(pthread_join(threads[index], NULL));
}

static void open_threaded(struct node *node, struct worker *workers, struct target *target)
{
	node_open(node, WISH(.caps = FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC, .threading = FI_THREAD_SAFE,
			     .tx_flags = is_ours() ? FI_DELIVERY_COMPLETE : 0));
	for (int index = 0; index < THREADS; index++)
		workers[index] = (struct worker){ .node = node, .target = target, .number = index, .peer = 1 - me.rank };
}

static void messages(long with_others)
{
	static const work ALL[] = { exchange_messages, exchange_messages, exchange_messages, exchange_messages };
	static const work MIXED[] = { exchange_messages, exchange_messages, open_and_close, open_and_close };
	struct node node;
	struct worker workers[THREADS];
	atomic_int busy = 2;

	open_threaded(&node, workers, NULL);
	for (int index = 0; index < THREADS; index++)
		workers[index].busy = with_others ? &busy : NULL;
	together(workers, with_others ? MIXED : ALL, THREADS);
	node_close(&node);
}

static void memory(long unused)
{
	static const work ALL[] = { reach_memory, reach_memory, reach_memory, reach_memory };
	struct node node;
	struct worker workers[THREADS];
	struct target targets[RANKS_MAX];
	size_t size = 64 + (size_t)THREADS * PLACE;
	uint64_t *bytes = calloc(1, size);

	(void)unused;
	CHECK(bytes != NULL);
	open_threaded(&node, workers, &targets[1 - me.rank]);
	struct region region = region_open(&node, bytes, size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, size, targets);
	together(workers, ALL, THREADS);
	barrier(&node);
	EQUAL(*(volatile uint64_t *)bytes, THREADS * ROUNDS);
	region_close(&region);
	free(bytes);
	node_close(&node);
}

/* What those who sleep in the library share. */
struct sleepers {
	struct node *node;
	struct fid_cq *queue;
	struct fid_cntr *counter;
	atomic_int taken;
};

/* Sleeps until a message comes, and again. */
static void *sleep_on_queue(void *argument)
{
	struct sleepers *all = argument;
	double deadline = now() + me.patience;

	while (atomic_load(&all->taken) < ROUNDS) {
		struct fi_cq_tagged_entry entry;
		ssize_t count = fi_cq_sread(all->queue, &entry, 1, NULL, 20);

		MUST(count == 1 || count == -FI_EAGAIN, "fi_cq_sread: found %zd (%s)", count, code_text(count));
		if (count == 1)
			atomic_fetch_add(&all->taken, 1);
		MUST(now() < deadline, "slept in vain for message %d", atomic_load(&all->taken));
	}
	return NULL;
}

/* Sleeps until the counter of receives has them all. */
static void *sleep_on_counter(void *argument)
{
	struct sleepers *all = argument;
	int code = fi_cntr_wait(all->counter, ROUNDS, (int)(me.patience * 1000));

	MUST(code == 0, "fi_cntr_wait for %d receives: expected 0, found %d (%s), at %llu", ROUNDS, code, code_text(code),
	     (unsigned long long)fi_cntr_read(all->counter));
	return NULL;
}

/* Two threads sleep on one queue, one on a counter, while the fourth sends to the peer's. */
static void sleeps(long unused)
{
	static const work ALL[] = { sleep_on_queue, sleep_on_queue, sleep_on_counter };
	struct node node;
	struct sleepers all = { .node = &node };
	pthread_t threads[3];
	uint64_t bytes = 0;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED, .threading = FI_THREAD_SAFE, .wait = FI_WAIT_UNSPEC, .has_counters = true));
	all.queue = node.cq[RX];
	all.counter = node.rx_cntr;
	for (uint64_t number = 0; number < ROUNDS; number++)
		OK(fi_trecv(node.ep, &bytes, sizeof bytes, NULL, FI_ADDR_UNSPEC, 0, ~0ull >> 16, ctx(&node, number)));
	barrier_still();
	for (int index = 0; index < 3; index++)
		OK(pthread_create(&threads[index], NULL, ALL[index], &all));
	for (uint64_t number = 0; number < ROUNDS; number++) {
		uint64_t none = 0;
		ssize_t code;
		double deadline = now() + me.patience;

		while ((code = fi_tinject(node.ep, &none, sizeof none, node.peers[1 - me.rank], number)) == -FI_EAGAIN)
			MUST(now() < deadline, "no room for message %llu", (unsigned long long)number);
		MUST(code == 0, "fi_tinject: found %zd (%s)", code, code_text(code));
		if (number % 16 == 0)
			sleep_ms(1);
	}
	for (int index = 0; index < 3; index++)
		OK(pthread_join(threads[index], NULL));
	node_close(&node);
}

const struct test thread_tests[] = {
	{ "threads.messages", "four threads exchange messages over one endpoint", messages, 0, 2, 2, 0 },
	{ "threads.memory", "four threads write, read and add over one endpoint", memory, 0, 2, 2, 0 },
	{ "threads.objects", "two threads exchange messages while two open and close objects", messages, 1, 2, 2, 0 },
	{ "threads.sleeps", "threads sleep on a queue and a counter while another sends", sleeps, 0, 2, 2, 0 },
	{ 0 },
};
