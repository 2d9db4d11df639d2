/* Completions: both queues are read together, so that a provider that moves only when it is called moves. */
#include "node.h"

#include <sched.h>

void *ctx(struct node *node, uint64_t number)
{
	if (number >= CONTEXTS)
		FAIL("a test uses context %llu of %d", (unsigned long long)number, CONTEXTS);
	return &node->contexts[number];
}

static uint64_t number_of(const struct node *node, void *context)
{
	uintptr_t first = (uintptr_t)node->contexts, at = (uintptr_t)context;

	if (at < first || at >= first + CONTEXTS * sizeof *node->contexts || (at - first) % sizeof *node->contexts)
		return NO_NUMBER;
	return (at - first) / sizeof *node->contexts;
}

static void keep(struct node *node, enum side side, struct done *done)
{
	struct done_list *list = &node->done[side];

	if (list->count == list->room) {
		list->room = list->room ? list->room * 2 : 64;
		list->items = realloc(list->items, list->room * sizeof *list->items);
		if (!list->items)
			FAIL("out of memory");
	}
	done->number = number_of(node, done->context);
	list->items[list->count++] = *done;
	moves();
}

/* One completion of a queue; false when there is none. */
static bool read_one(struct node *node, enum side side)
{
	/* A format fills what it has; the rest stays. */
	struct fi_cq_tagged_entry entry = { 0 };
	struct done done = { .source = FI_ADDR_NOTAVAIL };
	ssize_t count;

	if (node->info->caps & FI_SOURCE)
		count = fi_cq_readfrom(node->cq[side], &entry, 1, &done.source);
	else
		count = fi_cq_read(node->cq[side], &entry, 1);
	if (count == -FI_EAGAIN)
		return false;
	if (count == -FI_EAVAIL) {
		struct fi_cq_err_entry error = { 0 };

		count = fi_cq_readerr(node->cq[side], &error, 0);
		if (count == -FI_EAGAIN)
			return false;
		if (count != 1)
			FAIL("fi_cq_readerr after -FI_EAVAIL: expected 1, found %zd (%s)", count, code_text(count));
		if (error.err <= 0)
			FAIL("fi_cq_readerr: expected a positive err, found %d", error.err);
		done.context = error.op_context;
		done.flags = error.flags;
		done.len = error.len;
		done.buf = error.buf;
		done.data = error.data;
		done.tag = error.tag;
		done.olen = error.olen;
		done.err = error.err;
		done.prov_errno = error.prov_errno;
		keep(node, side, &done);
		return true;
	}
	if (count != 1)
		FAIL("fi_cq_read of one entry: expected 1 or -FI_EAGAIN, found %zd (%s)", count, code_text(count));
	done.context = entry.op_context;
	done.flags = entry.flags;
	done.len = entry.len;
	done.buf = entry.buf;
	done.data = entry.data;
	done.tag = entry.tag;
	keep(node, side, &done);
	return true;
}

void progress(struct node *node)
{
	/* At most so many at a time, that a flood does not keep a rank from its own work. */
	for (int side = TX; side <= RX; side++)
		for (int count = 0; count < 64 && node->cq[side] && read_one(node, (enum side)side); count++)
			;
	if (node->tx_cntr)
		fi_cntr_read(node->tx_cntr);
}

void wait_turn(struct node *node, const char *file, int line, const char *what)
{
	at(file, line, what);
	progress(node);
	sched_yield();
	if (is_in_vain())
		fail(file, line, "waited %.1f s, the last %.1f s without progress of any rank, in vain: %s", now() - me.began,
		     now() - me.moved, what);
}

size_t waiting(const struct node *node, enum side side)
{
	return node->done[node->is_one_queue ? TX : side].count;
}

static struct done take(struct node *node, enum side side, size_t index)
{
	struct done_list *list = &node->done[side];
	struct done done = list->items[index];

	memmove(&list->items[index], &list->items[index + 1], (list->count - index - 1) * sizeof done);
	list->count--;
	return done;
}

/* Waits for the completion of `number`, or of any when it is NO_NUMBER. */
static struct done wait_for(struct node *node, enum side side, uint64_t number, const char *file, int line)
{
	char what[120];
	size_t seen = 0;

	if (node->is_one_queue)
		side = TX;
	snprintf(what, sizeof what, "completion of operation %lld on the %s queue", (long long)number, side == TX ? "transmit" : "receive");
	for (;;) {
		struct done_list *list = &node->done[side];

		for (size_t index = seen; index < list->count; index++)
			if (number == NO_NUMBER || list->items[index].number == number)
				return take(node, side, index);
		seen = list->count;
		wait_turn(node, file, line, what);
	}
}

static void not_wrong(const struct done *done, const char *file, int line)
{
	if (done->err)
		fail(file, line, "operation %lld: expected success, found error %d (%s), provider's %d, length %zu, over %zu",
		     (long long)done->number, done->err, fi_strerror(done->err), done->prov_errno, done->len, done->olen);
}

struct done done_of(struct node *node, enum side side, uint64_t number, const char *file, int line)
{
	struct done done = wait_for(node, side, number, file, line);

	not_wrong(&done, file, line);
	return done;
}

struct done done_next(struct node *node, enum side side, const char *file, int line)
{
	struct done done = wait_for(node, side, NO_NUMBER, file, line);

	not_wrong(&done, file, line);
	return done;
}

struct done fault_of(struct node *node, enum side side, uint64_t number, const char *file, int line)
{
	struct done done = wait_for(node, side, number, file, line);

	if (!done.err)
		fail(file, line, "operation %lld: expected an error, found success with %zu bytes", (long long)done.number, done.len);
	return done;
}

void quiet(struct node *node, int milliseconds, const char *file, int line)
{
	double end = now() + milliseconds * 1e-3;

	do {
		at(file, line, "a time without completions");
		progress(node);
		for (int side = TX; side <= RX; side++)
			if (node->done[side].count)
				fail(file, line, "expected no completion, found one of operation %lld on the %s queue, flags 0x%llx, error %d",
				     (long long)node->done[side].items[0].number, side == TX ? "transmit" : "receive",
				     (unsigned long long)node->done[side].items[0].flags, node->done[side].items[0].err);
		sched_yield();
	} while (now() < end);
}

void counter_reaches(struct node *node, struct fid_cntr *counter, uint64_t value, const char *file, int line)
{
	char what[120];
	uint64_t found;

	while ((found = fi_cntr_read(counter)) < value) {
		snprintf(what, sizeof what, "a counter at %llu that should reach %llu (errors: %llu)", (unsigned long long)found,
			 (unsigned long long)value, (unsigned long long)fi_cntr_readerr(counter));
		wait_turn(node, file, line, what);
	}
	if (found > value)
		fail(file, line, "counter: expected %llu, found %llu", (unsigned long long)value, (unsigned long long)found);
}
