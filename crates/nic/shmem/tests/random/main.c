/* random COUNT [FIRST]: runs the programs of this many seeds, and compares results and final memory
   with the model. On a difference it names the seed and ends with 1. */
#include "random.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct program program;
static uint64_t data[WORDS], data_flags[FLAGS], *memory, *flags;
static uint64_t in_data[POOL], *pools[2], *pool; /* sources and results: symmetric, and the process's own */
static uint64_t seed, first_seed, n_seeds;
static int me, n_pes, failures;
static shmem_team_t others;
static pthread_barrier_t all_threads;

/* Deliberate faults. The library may delay nonblocking puts until something orders or completes
   them, which the standard permits. The model has to detect what the standard does not permit: then
   leaving out a fence, a wrong value, a signal before its data. */
static const char *const faults[] = {"", "late", "late and without fences", "value", "signal first"};
static enum { NOTHING, LATE_PUTS, LATE_PUTS_UNFENCED, WRONG_VALUE, SIGNAL_FIRST } fault;

struct agent {
    int number;
    shmem_ctx_t contexts[CONTEXTS];
    struct step *open[CONTEXTS][STEPS]; /* steps whose results are in flight, or whose sources are lent */
    int n_open[CONTEXTS];
    struct step *late[CONTEXTS][STEPS];
    int n_late[CONTEXTS];
};

static void differs(const struct step *step, int i, uint64_t found)
{
    if (__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) > 5) return;
    uint64_t wanted = step->operation == WAIT ? step->compare : step->known == EXACT ? program.expected[step->slot + i] : step->after;
    fprintf(stderr, "PE %d: seed %llu: step %d (operation %d, context %d, PE %d, word %d + %d): found %llx instead of %llx; again: random 1 %llu\n",
            me, (unsigned long long)seed, (int)(step - program.steps), step->operation, step->context, step->pe, step->word, i,
            (unsigned long long)found, (unsigned long long)wanted, (unsigned long long)seed);
}

/* Whether a shared word can have had this value. */
static int is_within(const struct step *step, uint64_t found)
{
    uint64_t before = step->before, after = step->after;
    switch (step->known) {
    case WITHIN_SUM: return found - before <= after - before - step->value;
    case WITHIN_OR: return (before & ~found) == 0 && (found & ~after) == 0;
    case WITHIN_AND: return (after & ~found) == 0 && (found & ~before) == 0;
    default: return 1;
    }
}

static void compare(const struct step *step)
{
    if (step->known == NOTHING_KNOWN) return;
    if (step->known != EXACT) {
        if (!is_within(step, ((volatile uint64_t *)pool)[step->slot])) differs(step, 0, ((volatile uint64_t *)pool)[step->slot]);
        return;
    }
    for (int i = 0; i < step->count; i++) {
        int at = step->slot + (step->operation == IGET ? 2 * i : i);
        if (step->operation == IGET && 2 * i >= step->count) return;
        uint64_t found = ((volatile uint64_t *)pool)[at], wanted = program.expected[step->slot + i];
        if (found != wanted) differs(step, i, found);
    }
}

/* Checks results and overwrites sources. */
static void ended(struct agent *agent, int context, int pe, int only_sources)
{
    int kept = 0;
    for (int i = 0; i < agent->n_open[context]; i++) {
        struct step *step = agent->open[context][i];
        int is_source = step->operation == PUT_NBI || step->operation == SEND;
        if ((pe >= 0 && step->pe != pe) || (only_sources && !is_source)) {
            agent->open[context][kept++] = step;
        } else if (is_source) {
            memset(&pool[step->slot], 0xee, (size_t)step->count * 8);
        } else {
            compare(step);
        }
    }
    agent->n_open[context] = kept;
}

static void opened(struct agent *agent, struct step *step)
{
    agent->open[step->context][agent->n_open[step->context]++] = step;
}

static void wait_for(const struct step *step)
{
    uint64_t *flag = &flags[step->flag], value = step->compare;
    size_t indices[1];
    switch (step->form) {
    case 0: shmem_uint64_wait_until(flag, SHMEM_CMP_NE, 0); break;
    case 1: shmem_uint64_wait_until(flag, SHMEM_CMP_EQ, value); break;
    case 2: shmem_uint64_wait_until_all(flag, 1, NULL, SHMEM_CMP_GE, value); break;
    case 3: shmem_uint64_wait_until_any(flag, 1, NULL, SHMEM_CMP_GT, 0); break;
    case 4: while (shmem_uint64_wait_until_some(flag, 1, indices, NULL, SHMEM_CMP_EQ, value) != 1) continue; break;
    case 5: while (!shmem_uint64_test(flag, SHMEM_CMP_EQ, value)) continue; break;
    default: {
        uint64_t found = shmem_signal_wait_until(flag, SHMEM_CMP_EQ, value);
        if (found != value) differs(step, 0, found);
    }
    }
}

static void send(struct agent *agent, struct step *step, shmem_ctx_t ctx, int pe)
{
    uint64_t *flag = &flags[step->flag], *source = &pool[step->slot], *dest = &memory[step->word], value = step->compare;
    size_t count = (size_t)step->count;
    if (fault == SIGNAL_FIRST && step->form >= 8) {
        shmem_uint64_p(flag, value, step->pe);
        shmem_quiet();
        usleep(1000);
        shmem_uint64_put(dest, source, count, step->pe);
        return;
    }
    switch (step->form) {
    case 0: shmem_ctx_uint64_p(ctx, flag, value, pe); break;
    case 1: source[count] = value; shmem_ctx_uint64_put(ctx, flag, &source[count], 1, pe); break;
    case 2: shmem_ctx_uint64_atomic_set(ctx, flag, value, pe); break;
    case 3: shmem_ctx_uint64_atomic_add(ctx, flag, value, pe); break;
    case 4: shmem_ctx_uint64_atomic_inc(ctx, flag, pe); break;
    case 5: (void)shmem_ctx_uint64_atomic_swap(ctx, flag, value, pe); break;
    case 8: shmem_ctx_uint64_put_signal(ctx, dest, source, count, flag, value, SHMEM_SIGNAL_SET, pe); break;
    case 9: shmem_ctx_uint64_put_signal(ctx, dest, source, count, flag, value, SHMEM_SIGNAL_ADD, pe); break;
    case 10: shmem_ctx_uint64_put_signal_nbi(ctx, dest, source, count, flag, value, SHMEM_SIGNAL_SET, pe); break;
    default: shmem_ctx_uint64_put_signal_nbi(ctx, dest, source, count, flag, value, SHMEM_SIGNAL_ADD, pe);
    }
    if (step->form >= 10) opened(agent, step);
    else memset(source, 0xee, (count + 1) * 8);
}

static void put_nbi(struct agent *agent, const struct step *step)
{
    int pe = step->context == BY_TEAM ? step->pe - 1 : step->pe;
    shmem_ctx_uint64_put_nbi(agent->contexts[step->context], &memory[step->word], &pool[step->slot], (size_t)step->count, pe);
}

static void put_what_is_late(struct agent *agent, int context)
{
    for (int i = 0; i < agent->n_late[context]; i++) put_nbi(agent, agent->late[context][i]);
    agent->n_late[context] = 0;
}

static void perform(struct agent *agent, struct step *step)
{
    if ((step->operation >= FENCE && step->operation <= LOCAL_COMPLETE && (step->operation != FENCE || fault == LATE_PUTS))
        || step->operation == BARRIER) put_what_is_late(agent, step->context);
    shmem_ctx_t ctx = agent->contexts[step->context];
    int pe = step->context == BY_TEAM ? step->pe - 1 : step->pe;
    uint64_t *dest = &memory[step->word], *slot = &pool[step->slot], value = step->value;
    size_t count = (size_t)step->count;
    if (step->operation <= P || step->operation == SEND) {
        for (int i = 0; i < step->count; i++) slot[i] = nth(value, i);
        if (fault == WRONG_VALUE && step->operation == PUT && seed % 4 == 3) slot[0] ^= 1;
    }
    switch (step->operation) {
    case PUT: shmem_ctx_uint64_put(ctx, dest, slot, count, pe); break;
    case PUT_NBI:
        if (fault != LATE_PUTS && fault != LATE_PUTS_UNFENCED) put_nbi(agent, step);
        else agent->late[step->context][agent->n_late[step->context]++] = step;
        break;
    case IPUT: shmem_ctx_uint64_iput(ctx, dest, slot, step->stride, 1, count, pe); break;
    case P: shmem_ctx_uint64_p(ctx, dest, value, pe); break;
    case THERE: {
        uint64_t *local = shmem_ptr(dest, step->pe);
        if (local) *(volatile uint64_t *)local = value;
        else shmem_ctx_uint64_p(ctx, dest, value, pe);
        break;
    }
    case STORE: *(volatile uint64_t *)dest = value; break;
    case GET: shmem_ctx_uint64_get(ctx, slot, dest, count, pe); break;
    case GET_NBI: shmem_ctx_uint64_get_nbi(ctx, slot, dest, count, pe); break;
    case IGET: shmem_ctx_uint64_iget(ctx, slot, dest, 2, step->stride, (count + 1) / 2, pe); break;
    case G: *slot = shmem_ctx_uint64_g(ctx, dest, pe); break;
    case LOAD: *slot = *(volatile uint64_t *)dest; break;
    case SET: shmem_ctx_uint64_atomic_set(ctx, dest, value, pe); break;
    case ADD: shmem_ctx_uint64_atomic_add(ctx, dest, value, pe); break;
    case INC: shmem_ctx_uint64_atomic_inc(ctx, dest, pe); break;
    case AND: shmem_ctx_uint64_atomic_and(ctx, dest, value, pe); break;
    case OR: shmem_ctx_uint64_atomic_or(ctx, dest, value, pe); break;
    case XOR: shmem_ctx_uint64_atomic_xor(ctx, dest, value, pe); break;
    case FETCH: *slot = shmem_ctx_uint64_atomic_fetch(ctx, dest, pe); break;
    case SWAP: *slot = shmem_ctx_uint64_atomic_swap(ctx, dest, value, pe); break;
    case CSWAP: *slot = shmem_ctx_uint64_atomic_compare_swap(ctx, dest, step->compare, value, pe); break;
    case FETCH_ADD: *slot = shmem_ctx_uint64_atomic_fetch_add(ctx, dest, value, pe); break;
    case FETCH_INC: *slot = shmem_ctx_uint64_atomic_fetch_inc(ctx, dest, pe); break;
    case FETCH_AND: *slot = shmem_ctx_uint64_atomic_fetch_and(ctx, dest, value, pe); break;
    case FETCH_OR: *slot = shmem_ctx_uint64_atomic_fetch_or(ctx, dest, value, pe); break;
    case FETCH_XOR: *slot = shmem_ctx_uint64_atomic_fetch_xor(ctx, dest, value, pe); break;
    case SWAP_NBI: shmem_ctx_uint64_atomic_swap_nbi(ctx, slot, dest, value, pe); break;
    case FETCH_ADD_NBI: shmem_ctx_uint64_atomic_fetch_add_nbi(ctx, slot, dest, value, pe); break;
    case FETCH_INC_NBI: shmem_ctx_uint64_atomic_fetch_inc_nbi(ctx, slot, dest, pe); break;
    case FETCH_AND_NBI: shmem_ctx_uint64_atomic_fetch_and_nbi(ctx, slot, dest, value, pe); break;
    case FETCH_OR_NBI: shmem_ctx_uint64_atomic_fetch_or_nbi(ctx, slot, dest, value, pe); break;
    case FETCH_XOR_NBI: shmem_ctx_uint64_atomic_fetch_xor_nbi(ctx, slot, dest, value, pe); break;
    case FETCH_NBI: shmem_ctx_uint64_atomic_fetch_nbi(ctx, slot, dest, pe); break;
    case CSWAP_NBI: shmem_ctx_uint64_atomic_compare_swap_nbi(ctx, slot, dest, step->compare, value, pe); break;
    case FENCE: shmem_ctx_fence(ctx); break;
    case QUIET: shmem_ctx_quiet(ctx); ended(agent, step->context, -1, 0); break;
    case PE_QUIET: shmem_ctx_pe_quiet(ctx, &pe, 1); ended(agent, step->context, step->pe, 0); break;
    case LOCAL_COMPLETE: shmemx_ctx_local_complete(ctx); ended(agent, step->context, -1, 1); break;
    case SESSION_START:
        if (step->form == VENDOR) shmemx_session_start(ctx, (long)value);
        else shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);
        break;
    case SESSION_STOP:
        if (step->form == VENDOR) shmemx_session_stop(ctx);
        else shmem_ctx_session_stop(ctx);
        break;
    case SEND: send(agent, step, ctx, pe); break;
    case WAIT: wait_for(step); break;
    case BARRIER: case SYNC:
        pthread_barrier_wait(&all_threads);
        if (agent->number % THREADS == 0 && step->operation == BARRIER) shmem_barrier_all();
        else if (agent->number % THREADS == 0) shmem_team_sync(SHMEM_TEAM_WORLD);
        pthread_barrier_wait(&all_threads);
        ended(agent, DEFAULT, -1, 0);
    }
    if (step->operation == PUT || step->operation == IPUT) memset(slot, 0xee, count * 8);
    if ((step->operation >= GET && step->operation <= LOAD && step->operation != GET_NBI)
        || (step->operation >= FETCH && step->operation < SWAP_NBI)) compare(step);
    if (step->operation == PUT_NBI || step->operation == GET_NBI
        || (step->operation >= SWAP_NBI && step->operation <= CSWAP_NBI)) opened(agent, step);
}

/* The first thread of a PE makes the program and clears memory, and checks the final memory. */
static void prepare(void)
{
    memory = seed & 1 ? data : pools[1] + POOL;
    flags = seed & 1 ? data_flags : memory + WORDS;
    pool = seed & 2 ? in_data : pools[0];
    make_program(&program, seed, n_pes);
    memset(memory, 0, WORDS * 8);
    memset(flags, 0, FLAGS * 8);
    memset(pool, 0xdd, POOL * 8);
    shmem_barrier_all();
}

static void look(void)
{
    for (int i = 0; i < WORDS; i++) {
        if (memory[i] == program.memory[me][i] || failures++ > 5) continue;
        fprintf(stderr, "PE %d: seed %llu: word %d is %llx in the end instead of %llx; again: random 1 %llu\n", me, (unsigned long long)seed, i,
                (unsigned long long)memory[i], (unsigned long long)program.memory[me][i], (unsigned long long)seed);
    }
    for (int i = 0; i < FLAGS; i++) {
        if (flags[i] == program.flags[me][i] || failures++ > 5) continue;
        fprintf(stderr, "PE %d: seed %llu: flag %d is %llx in the end instead of %llx; again: random 1 %llu\n", me, (unsigned long long)seed, i,
                (unsigned long long)flags[i], (unsigned long long)program.flags[me][i], (unsigned long long)seed);
    }
    shmem_barrier_all();
}

static void *run(void *argument)
{
    static struct agent agents[THREADS];
    struct agent *agent = &agents[(intptr_t)argument];
    int is_first = argument == NULL;
    agent->number = me * THREADS + (int)(intptr_t)argument;
    agent->contexts[DEFAULT] = SHMEM_CTX_DEFAULT;
    int made = shmem_ctx_create(SHMEM_CTX_PRIVATE, &agent->contexts[PRIVATE]) | shmem_ctx_create(SHMEM_CTX_SERIALIZED, &agent->contexts[SERIALIZED])
        | shmem_ctx_create(SHMEM_CTX_NOSTORE, &agent->contexts[NOSTORE]);
    if (me > 0) made |= shmem_team_create_ctx(others, 0, &agent->contexts[BY_TEAM]);
    if (made != 0) {
        fprintf(stderr, "PE %d: no contexts\n", me);
        shmem_global_exit(1);
    }
    for (uint64_t i = 0; i < n_seeds; i++) {
        if (is_first) {
            seed = first_seed + i;
            prepare();
        }
        pthread_barrier_wait(&all_threads);
        for (int s = 0; s < program.n_steps; s++) {
            if (program.steps[s].agent == agent->number) perform(agent, &program.steps[s]);
        }
        pthread_barrier_wait(&all_threads);
        if (is_first) look();
    }
    for (int i = PRIVATE; i < (me > 0 ? CONTEXTS : BY_TEAM); i++) shmem_ctx_destroy(agent->contexts[i]);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided = 0;
    pthread_t thread;
    n_seeds = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    first_seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    while (argc > 3 && strcmp(argv[3], faults[fault]) != 0) {
        if (++fault > SIGNAL_FIRST) return 2;
    }
    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0 || provided != SHMEM_THREAD_MULTIPLE) return 2;
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    pools[0] = malloc(POOL * 8);
    pools[1] = shmem_malloc((POOL + WORDS + FLAGS) * 8);
    if (n_pes > MAX_PES || !pools[0] || !pools[1]) return 2;
    if (n_pes > 1) shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, n_pes - 1, NULL, 0, &others);
    pthread_barrier_init(&all_threads, NULL, THREADS);
    pthread_create(&thread, NULL, run, (void *)1);
    run(NULL);
    pthread_join(thread, NULL);
    shmem_barrier_all();
    free(pools[0]);
    shmem_finalize();
    return failures != 0;
}
