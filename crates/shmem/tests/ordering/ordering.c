/*
 * Runs random programs (program.h) and checks what they leave: ordering FIRST COUNT THREADS [SABOTAGE]
 *
 * SABOTAGE makes it do something wrong, which it must then find: `value`, another value than the program's; `order`, a flag before its letter.
 */
#include "program.h"

#include <pthread.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All that is symmetric. */
static uint64_t cells[CELLS], atomics[ATOMICS], mailed[MAILS * LETTER], flags[MAILS];

static int me, n_pes, n_threads;
static const char *sabotage = "";
static uint64_t seed;
static int phase_number;
static struct model model;
static struct phase phase;
static shmem_team_t team = SHMEM_TEAM_INVALID;
static pthread_barrier_t meeting;

struct actor {
	int thread;
	shmem_ctx_t contexts[CONTEXTS];
	/* Sources and destinations of operations that may still be under way. */
	uint64_t *space;
	size_t used;
};

enum { SPACE = 1 << 16 };

static void wrong(const char *what, int pe, size_t at, uint64_t expected, uint64_t found)
{
	fprintf(stderr, "seed %llu, phase %d, PE %d: %s %zu of PE %d: expected %llx, found %llx\n", (unsigned long long)seed, phase_number, me,
		what, at, pe, (unsigned long long)expected, (unsigned long long)found);
	shmem_global_exit(1);
	abort();
}

static void check(const char *what, int pe, size_t at, uint64_t expected, uint64_t found)
{
	if (expected != found)
		wrong(what, pe, at, expected, found);
}

static uint64_t *space(struct actor *actor, size_t count)
{
	if (actor->used + count > SPACE) {
		fprintf(stderr, "a phase has too much under way\n");
		abort();
	}
	actor->used += count;
	return actor->space + actor->used - count;
}

static int in_context(int context, int pe)
{
	return context == TEAM_CONTEXT ? pe - 1 : pe;
}

static uint64_t *values(struct actor *actor, const struct op *op)
{
	uint64_t *source = space(actor, op->count * 2u);

	for (size_t i = 0; i < op->count; i++)
		source[i] = value_of(op->number, i);
	if (strcmp(sabotage, "value") == 0 && seed % 4 == 3)
		source[0] ^= 1;
	return source;
}

static void write_values(struct actor *actor, const struct op *op, shmem_ctx_t ctx, int pe)
{
	uint64_t *source = values(actor, op), *dest = cells + op->at;

	switch (op->kind) {
	case P: shmem_ctx_uint64_p(ctx, dest, source[0], pe); break;
	case PUT: shmem_ctx_uint64_put(ctx, dest, source, op->count, pe); break;
	case PUT_NBI: shmem_ctx_uint64_put_nbi(ctx, dest, source, op->count, pe); break;
	case PUT_AND_SCRIBBLE:
		shmem_ctx_uint64_put_nbi(ctx, dest, source, op->count, pe);
		shmemx_ctx_local_complete(ctx);
		memset(source, 0xee, op->count * sizeof *source);
		break;
	case IPUT: shmem_ctx_uint64_iput(ctx, dest, source, 2, 1, op->count, pe); break;
	case SET: shmem_ctx_uint64_atomic_set(ctx, dest, source[0], pe); break;
	case STORE: {
		uint64_t *near = shmem_ptr(dest, op->target);

		if (near)
			*(volatile uint64_t *)near = source[0];
		else
			shmem_ctx_uint64_p(ctx, dest, source[0], pe);
	}
	}
}

static void read_values(struct actor *actor, const struct op *op, shmem_ctx_t ctx, int pe)
{
	uint64_t *dest = space(actor, op->count), *source = cells + op->at;
	const uint64_t *expected = phase.expected + op->expected;

	switch (op->kind) {
	case G: dest[0] = shmem_ctx_uint64_g(ctx, source, pe); break;
	case GET: shmem_ctx_uint64_get(ctx, dest, source, op->count, pe); break;
	case GET_NBI:
		shmem_ctx_uint64_get_nbi(ctx, dest, source, op->count, pe);
		shmem_ctx_quiet(ctx);
		break;
	case IGET: shmem_ctx_uint64_iget(ctx, dest, source, 1, 2, op->count, pe); break;
	default: dest[0] = shmem_ctx_uint64_atomic_fetch(ctx, source, pe);
	}
	for (size_t i = 0; i < op->count; i++)
		check("read cell", op->target, op->at + i * (op->kind == IGET ? 2 : 1), expected[i], dest[i]);
}

/* What a changing operation may have found. */
static void may_be(const struct op *op, uint64_t found)
{
	uint64_t before = phase.before[op->target][op->at], after = model.atomics[op->target][op->at];
	bool fits = true;

	switch (phase.changes[op->target][op->at]) {
	case ADD:
	case INC: fits = before <= found && found + op->number <= after; break;
	case OR: fits = (before & ~found) == 0 && (found & ~after) == 0; break;
	case AND: fits = (after & ~found) == 0 && (found & ~before) == 0; break;
	default: break;
	}
	if (!fits)
		wrong("fetched atomic cell", op->target, op->at, after, found);
}

static void change(struct actor *actor, const struct op *op, shmem_ctx_t ctx, int pe)
{
	uint64_t *at = atomics + op->at, found;

	if (op->kind == CHANGE) {
		switch (phase.changes[op->target][op->at]) {
		case ADD: shmem_ctx_uint64_atomic_add(ctx, at, op->number, pe); break;
		case INC: shmem_ctx_uint64_atomic_inc(ctx, at, pe); break;
		case OR: shmem_ctx_uint64_atomic_or(ctx, at, op->number, pe); break;
		case AND: shmem_ctx_uint64_atomic_and(ctx, at, op->number, pe); break;
		default: shmem_ctx_uint64_atomic_xor(ctx, at, op->number, pe);
		}
	} else if (op->kind == CHANGE_NBI) {
		uint64_t *fetched = space(actor, 1);

		switch (phase.changes[op->target][op->at]) {
		case ADD: shmem_ctx_uint64_atomic_fetch_add_nbi(ctx, fetched, at, op->number, pe); break;
		case INC: shmem_ctx_uint64_atomic_fetch_inc_nbi(ctx, fetched, at, pe); break;
		case OR: shmem_ctx_uint64_atomic_fetch_or_nbi(ctx, fetched, at, op->number, pe); break;
		case AND: shmem_ctx_uint64_atomic_fetch_and_nbi(ctx, fetched, at, op->number, pe); break;
		default: shmem_ctx_uint64_atomic_fetch_xor_nbi(ctx, fetched, at, op->number, pe);
		}
		shmem_ctx_quiet(ctx);
		may_be(op, *fetched);
	} else {
		switch (phase.changes[op->target][op->at]) {
		case ADD: found = shmem_ctx_uint64_atomic_fetch_add(ctx, at, op->number, pe); break;
		case INC: found = shmem_ctx_uint64_atomic_fetch_inc(ctx, at, pe); break;
		case OR: found = shmem_ctx_uint64_atomic_fetch_or(ctx, at, op->number, pe); break;
		case AND: found = shmem_ctx_uint64_atomic_fetch_and(ctx, at, op->number, pe); break;
		default: found = shmem_ctx_uint64_atomic_fetch_xor(ctx, at, op->number, pe);
		}
		may_be(op, found);
	}
}

static void post(struct actor *actor, const struct op *op, shmem_ctx_t ctx, int pe)
{
	const struct mail *mail = &phase.mails[op->expected];
	uint64_t *letter = mailed + op->expected * LETTER, *flag = flags + op->expected, *source;
	/* Of a signal: set, or what is missing added. */
	bool adds = op->at;
	uint64_t signal = mail->flag;

	bool early = strcmp(sabotage, "order") == 0;

	if (early && op->kind >= FLAG_P)
		return;
	switch (op->kind) {
	case FLAG_P: shmem_ctx_uint64_p(ctx, flag, op->number, pe); return;
	case FLAG_SET: shmem_ctx_uint64_atomic_set(ctx, flag, op->number, pe); return;
	case FLAG_ADD: shmem_ctx_uint64_atomic_add(ctx, flag, op->number, pe); return;
	default: break;
	}
	if (early) {
		shmem_uint64_p(flag, mail->flag, mail->receiver);
		shmem_quiet();
		adds = false;
		usleep(1000);
	}
	source = values(actor, op);
	if (adds && (op->kind == LETTER_WITH_SIGNAL || op->kind == LETTER_WITH_SIGNAL_NBI))
		signal = mail->flag - shmem_ctx_uint64_atomic_fetch(ctx, flag, pe);
	switch (op->kind) {
	case LETTER_PUT: shmem_ctx_uint64_put(ctx, letter, source, LETTER, pe); break;
	case LETTER_PUT_NBI: shmem_ctx_uint64_put_nbi(ctx, letter, source, LETTER, pe); break;
	case LETTER_WITH_SIGNAL:
		shmem_ctx_uint64_put_signal(ctx, letter, source, LETTER, flag, signal, adds ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET, pe);
		break;
	default:
		shmem_ctx_uint64_put_signal_nbi(ctx, letter, source, LETTER, flag, signal, adds ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET, pe);
	}
}

static void act(struct actor *actor, const struct op *op)
{
	shmem_ctx_t ctx = actor->contexts[op->context];
	int pe = in_context(op->context, op->target);

	if (op->kind <= SET)
		write_values(actor, op, ctx, pe);
	else if (op->kind <= FETCH)
		read_values(actor, op, ctx, pe);
	else if (op->kind == FENCE)
		shmem_ctx_fence(ctx);
	else if (op->kind == QUIET)
		shmem_ctx_quiet(ctx);
	else if (op->kind == PE_QUIET)
		shmem_ctx_pe_quiet(ctx, &pe, 1);
	else if (op->kind <= CHANGE_NBI)
		change(actor, op, ctx, pe);
	else
		post(actor, op, ctx, pe);
}

/* Does this actor's strands, interleaved. */
static void do_strands(struct actor *actor)
{
	uint64_t stream = seed * 31 + (uint64_t)phase_number * 7 + (uint64_t)(me * THREADS_MAX + actor->thread);
	struct strand mine[OPS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < phase.strand_count; i++)
		if (phase.strands[i].pe == me && phase.strands[i].thread == actor->thread)
			mine[count++] = phase.strands[i];
	while (count > 0) {
		size_t which = below(&stream, count);
		struct strand *strand = &mine[which];

		act(actor, &phase.ops[strand->first++]);
		if (--strand->count == 0)
			*strand = mine[--count];
	}
}

static void wait_for(size_t slot, uint64_t how)
{
	uint64_t *flag = flags + slot, wanted = phase.mails[slot].flag;

	switch (how) {
	case 0: shmem_uint64_wait_until(flag, SHMEM_CMP_EQ, wanted); break;
	case 1: check("signal", me, slot, wanted, shmem_signal_wait_until(flag, SHMEM_CMP_GE, wanted)); break;
	case 2: check("any of one", me, slot, 0, shmem_uint64_wait_until_any(flag, 1, NULL, SHMEM_CMP_EQ, wanted)); break;
	case 3: shmem_uint64_wait_until_all(flag, 1, NULL, SHMEM_CMP_GE, wanted); break;
	default:
		while (!shmem_uint64_test(flag, SHMEM_CMP_EQ, wanted))
			;
	}
}

static void take_letters(void)
{
	uint64_t stream = seed * 17 + (uint64_t)phase_number * 3 + (uint64_t)me;

	for (size_t slot = 0; slot < MAILS; slot++) {
		const struct mail *mail = &phase.mails[slot];
		uint64_t letter[LETTER];

		if (!mail->used || mail->receiver != me)
			continue;
		wait_for(slot, below(&stream, 5));
		if (mail->holder == me)
			memcpy(letter, mailed + slot * LETTER, sizeof letter);
		else
			shmem_uint64_get(letter, mailed + slot * LETTER, LETTER, mail->holder);
		for (uint64_t i = 0; i < LETTER; i++)
			check("letter", mail->holder, slot * LETTER + i, value_of(mail->number, i), letter[i]);
	}
}

static void check_memory(void)
{
	for (size_t i = 0; i < CELLS; i++)
		check("cell", me, i, model.cells[me][i], cells[i]);
	for (size_t i = 0; i < ATOMICS; i++)
		check("atomic cell", me, i, model.atomics[me][i], atomics[i]);
	for (size_t i = 0; i < MAILS * LETTER; i++)
		check("letter", me, i, model.letters[me][i], mailed[i]);
	for (size_t i = 0; i < MAILS; i++)
		check("flag", me, i, model.flags[me][i], flags[i]);
}

static bool has(const struct actor *actor, int context)
{
	return actor->contexts[context] != SHMEM_CTX_INVALID;
}

static void run_phase(struct actor *actor)
{
	pthread_barrier_wait(&meeting);
	actor->used = 0;
	for (int i = PRIVATE_CONTEXT; i < CONTEXTS && phase.in_sessions; i++)
		if (has(actor, i))
			shmem_ctx_session_start(actor->contexts[i], SHMEM_CTX_SESSION_BATCH, NULL, 0);
	do_strands(actor);
	for (int i = DEFAULT_CONTEXT; i < CONTEXTS; i++) {
		if (!has(actor, i))
			continue;
		if (i != DEFAULT_CONTEXT && phase.in_sessions)
			shmem_ctx_session_stop(actor->contexts[i]);
		shmem_ctx_quiet(actor->contexts[i]);
	}
	if (actor->thread == 0)
		take_letters();
	pthread_barrier_wait(&meeting);
	if (actor->thread != 0)
		return;
	if (phase.ends_by_sync)
		shmem_team_sync(SHMEM_TEAM_WORLD);
	else
		shmem_barrier_all();
	check_memory();
	shmem_barrier_all();
}

static void open_actor(struct actor *actor, int thread)
{
	*actor = (struct actor){ .thread = thread, .contexts = { SHMEM_CTX_DEFAULT, SHMEM_CTX_INVALID, SHMEM_CTX_INVALID, SHMEM_CTX_INVALID } };
	actor->space = malloc(SPACE * sizeof *actor->space);
	if (!actor->space || shmem_ctx_create(SHMEM_CTX_PRIVATE, &actor->contexts[PRIVATE_CONTEXT]) != 0 ||
		shmem_ctx_create(SHMEM_CTX_SERIALIZED, &actor->contexts[SERIALIZED_CONTEXT]) != 0 ||
		(team != SHMEM_TEAM_INVALID && shmem_team_create_ctx(team, 0, &actor->contexts[TEAM_CONTEXT]) != 0)) {
		fprintf(stderr, "PE %d: a context was not made\n", me);
		shmem_global_exit(1);
	}
}

static void close_actor(struct actor *actor)
{
	for (int i = PRIVATE_CONTEXT; i < CONTEXTS; i++)
		if (has(actor, i))
			shmem_ctx_destroy(actor->contexts[i]);
	free(actor->space);
}

static unsigned long long first, count;

static void run_programs(struct actor *actor)
{
	static uint64_t stream;
	static int phases;

	for (unsigned long long program = first; program < first + count; program++) {
		if (actor->thread == 0) {
			seed = program;
			stream = program;
			phases = 1 + (int)below(&stream, 3);
		}
		pthread_barrier_wait(&meeting);
		for (int i = 0, all = phases; i < all; i++) {
			if (actor->thread == 0) {
				phase_number = i;
				make_phase(&stream, n_pes, n_threads, &model, &phase);
			}
			run_phase(actor);
		}
	}
}

static void *second_thread(void *unused)
{
	struct actor actor;

	(void)unused;
	open_actor(&actor, 1);
	run_programs(&actor);
	close_actor(&actor);
	return NULL;
}

int main(int arguments, char **words)
{
	int provided;
	struct actor actor;
	pthread_t second;

	if (arguments < 4)
		return fprintf(stderr, "usage: ordering FIRST COUNT THREADS [value|order]\n"), 2;
	first = strtoull(words[1], NULL, 10);
	count = strtoull(words[2], NULL, 10);
	n_threads = atoi(words[3]);
	sabotage = arguments > 4 ? words[4] : "";
	if (n_threads < 1 || n_threads > THREADS_MAX)
		return fprintf(stderr, "THREADS: 1 or 2\n"), 2;
	if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0 || provided != SHMEM_THREAD_MULTIPLE)
		return fprintf(stderr, "SHMEM_THREAD_MULTIPLE is not there\n"), 2;
	me = shmem_my_pe();
	n_pes = shmem_n_pes();
	if (n_pes > PES_MAX)
		return fprintf(stderr, "%d PEs at most\n", PES_MAX), 2;
	if (n_pes > 1)
		shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, n_pes - 1, NULL, 0, &team);
	pthread_barrier_init(&meeting, NULL, (unsigned)n_threads);
	open_actor(&actor, 0);
	if (n_threads > 1 && pthread_create(&second, NULL, second_thread, NULL) != 0)
		return fprintf(stderr, "no second thread\n"), 2;
	run_programs(&actor);
	if (n_threads > 1)
		pthread_join(second, NULL);
	close_actor(&actor);
	shmem_barrier_all();
	if (me == 0)
		printf("%llu programs from %llu on, %d PEs, %d threads\n", count, first, n_pes, n_threads);
	shmem_finalize();
	return 0;
}
