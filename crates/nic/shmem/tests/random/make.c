/* Makes a program from a seed, and tracks its memory. */
#include "random.h"
#include <string.h>

enum { FREE = -1, SHARED = -2, NONE = -1 };

struct word {
    uint64_t value;
    int owner;            /* an agent, FREE or SHARED */
    int pending;          /* the owner's context with a change of it in flight, or NONE */
    int is_fenced;        /* and a fence followed the change */
    unsigned being_read;  /* contexts on which results of it arrive */
    enum known kind;      /* of a shared word: the kind of changes that it takes */
    uint64_t before;      /* and its old value */
};

static struct program *made;
static struct word words[MAX_PES][WORDS];
static int is_dirty[MAX_AGENTS][CONTEXTS], n_pes, n_threads, n_agents, n_flags, shared_from;
static enum spelling in_session[MAX_AGENTS][CONTEXTS];
static uint64_t state;

static uint64_t draw(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
static int below(int limit) { return (int)(draw() % (uint64_t)limit); }
static int any_agent(void) { return below(n_pes) * THREADS + below(n_threads); }

static struct step *emit(enum operation operation, int agent, int context, int pe)
{
    struct step *step = &made->steps[made->n_steps++];
    memset(step, 0, sizeof *step);
    step->operation = operation;
    step->agent = agent;
    step->context = context;
    step->pe = pe;
    step->slot = made->n_slots;
    return step;
}

/* The changes on a context, to one PE or (-1) to all, are complete. */
static void completed(int agent, int context, int pe)
{
    for (int at = pe < 0 ? 0 : pe; at < (pe < 0 ? n_pes : pe + 1); at++) {
        for (int i = 0; i < WORDS; i++) {
            struct word *word = &words[at][i];
            if (word->owner != agent) continue;
            if (word->pending == context) word->pending = NONE;
            word->being_read &= ~(1u << context);
        }
    }
}

static void complete(int agent, int context, int pe)
{
    if (below(2)) {
        emit(PE_QUIET, agent, context, pe);
        completed(agent, context, pe);
    } else {
        emit(QUIET, agent, context, 0);
        completed(agent, context, -1);
        is_dirty[agent][context] = 0;
    }
}

static void fence(int agent, int context)
{
    emit(FENCE, agent, context, 0);
    for (int pe = 0; pe < n_pes; pe++) {
        for (int i = 0; i < WORDS; i++) {
            struct word *word = &words[pe][i];
            if (word->owner == agent && word->pending == context) word->is_fenced = 1;
        }
    }
}

/* Makes a word readable: its changes are complete. */
static void complete_for_reading(int agent, int pe, int i)
{
    if (words[pe][i].pending != NONE) complete(agent, words[pe][i].pending, pe);
}

/* Makes a word changeable on a context. */
static void complete_for_change(int agent, int context, int pe, int i)
{
    struct word *word = &words[pe][i];
    for (int other = 0; other < CONTEXTS; other++) {
        if (word->being_read & 1u << other) complete(agent, other, pe);
    }
    if (word->pending != NONE && word->pending != context) complete(agent, word->pending, pe);
    if (word->pending == context && !word->is_fenced) {
        if (below(3)) fence(agent, context);
        else complete(agent, context, pe);
    }
}

/* Claims words for the agent, at most `count`, `stride` apart. */
static int claim(int agent, int pe, int first, int count, int stride)
{
    int i;
    for (i = 0; i < count && first + i * stride < WORDS; i++) {
        struct word *word = &words[pe][first + i * stride];
        if (word->owner == FREE) {
            word->owner = agent;
            word->pending = NONE;
            word->being_read = 0;
        }
        if (word->owner != agent) break;
    }
    return i;
}

static int context_for(int agent, int pe, int stores)
{
    for (;;) {
        int context = below(CONTEXTS);
        if (context == NOSTORE && stores) continue;
        if (context == BY_TEAM && (agent / THREADS == 0 || pe == 0)) continue;
        return context;
    }
}

static uint64_t changed(enum operation operation, uint64_t old, uint64_t value, uint64_t compare)
{
    switch (operation) {
    case SET: case SWAP: case SWAP_NBI: return value;
    case ADD: case FETCH_ADD: case FETCH_ADD_NBI: return old + value;
    case INC: case FETCH_INC: case FETCH_INC_NBI: return old + 1;
    case AND: case FETCH_AND: case FETCH_AND_NBI: return old & value;
    case OR: case FETCH_OR: case FETCH_OR_NBI: return old | value;
    case XOR: case FETCH_XOR: case FETCH_XOR_NBI: return old ^ value;
    case CSWAP: case CSWAP_NBI: return old == compare ? value : old;
    default: return old;
    }
}

static void transfer(int agent, int pe)
{
    static const enum operation all[] = {PUT, PUT_NBI, PUT_NBI, IPUT, P, THERE, GET, GET_NBI, GET_NBI, IGET, G};
    enum operation operation = all[below(11)];
    int is_put = operation <= THERE, is_large = below(8) == 0, stride = 1, first, count, context;
    first = is_large ? below(WORDS / 2) : below(24);
    count = operation == P || operation == THERE || operation == G ? 1 : 1 + below(is_large ? WORDS / 2 : 6);
    if (operation == IPUT || operation == IGET) stride = 1 + below(3);
    context = context_for(agent, pe, is_put);
    count = claim(agent, pe, first, count, stride);
    if (count == 0) return;
    for (int i = 0; i < count; i++) {
        if (is_put) complete_for_change(agent, context, pe, first + i * stride);
        else complete_for_reading(agent, pe, first + i * stride);
    }
    struct step *step = emit(operation, agent, context, pe);
    step->word = first;
    step->count = count;
    step->stride = stride;
    step->value = draw();
    step->known = is_put ? NOTHING_KNOWN : EXACT;
    for (int i = 0; i < count; i++) {
        struct word *word = &words[pe][first + i * stride];
        if (is_put) {
            word->value = nth(step->value, i);
            word->pending = context;
            word->is_fenced = 0;
        } else {
            made->expected[made->n_slots + i] = word->value;
            if (operation == GET_NBI) word->being_read |= 1u << context;
        }
    }
    made->n_slots += count;
    is_dirty[agent][context] = 1;
}

static void change(int agent, int pe)
{
    enum operation operation = (enum operation)(SET + below(CSWAP_NBI - SET + 1));
    int fetches = operation >= FETCH, waits = fetches && operation < SWAP_NBI, i = below(24);
    int context = context_for(agent, pe, !waits || operation != FETCH);
    struct word *word = &words[pe][i];
    if (!claim(agent, pe, i, 1, 1)) return;
    if (fetches) complete_for_reading(agent, pe, i);
    if (operation == FETCH || operation == FETCH_NBI) complete_for_reading(agent, pe, i);
    else complete_for_change(agent, context, pe, i);
    struct step *step = emit(operation, agent, context, pe);
    step->word = i;
    step->count = 1;
    step->value = draw();
    step->compare = below(2) ? word->value : draw();
    step->known = fetches ? EXACT : NOTHING_KNOWN;
    made->expected[made->n_slots] = word->value;
    made->n_slots += 1;
    word->value = changed(operation, word->value, step->value, step->compare);
    if (!waits && operation != FETCH_NBI) {
        word->pending = context;
        word->is_fenced = 0;
    }
    if (fetches && !waits) word->being_read |= 1u << context;
    is_dirty[agent][context] = 1;
}

/* A change of a word that all change alike, so that the order does not matter. */
static void change_shared(int agent, int pe)
{
    static const enum operation sums[] = {ADD, INC, FETCH_ADD, FETCH_INC, FETCH_ADD_NBI, FETCH_INC_NBI},
        ors[] = {OR, FETCH_OR, FETCH_OR_NBI}, ands[] = {AND, FETCH_AND, FETCH_AND_NBI}, xors[] = {XOR, FETCH_XOR, FETCH_XOR_NBI};
    struct word *word = &words[pe][24 + below(8)];
    if (word->owner == FREE) {
        word->owner = SHARED;
        /* Exclusive or: NOTHING_KNOWN except the final value. */
        word->kind = below(2) ? WITHIN_SUM : (enum known[]){NOTHING_KNOWN, WITHIN_OR, WITHIN_AND}[below(3)];
        word->before = word->value;
    }
    if (word->owner != SHARED) return;
    int context = context_for(agent, pe, 1);
    enum operation operation = word->kind == WITHIN_SUM ? sums[below(6)] : word->kind == WITHIN_OR ? ors[below(3)]
        : word->kind == WITHIN_AND ? ands[below(3)] : xors[below(3)];
    struct step *step = emit(operation, agent, context, pe);
    step->word = (int)(word - words[pe]);
    step->count = 1;
    step->value = word->kind == WITHIN_SUM ? draw() >> 24 : word->kind == WITHIN_OR ? draw() & draw() : draw() | draw();
    if (operation == INC || operation == FETCH_INC || operation == FETCH_INC_NBI) step->value = 1;
    step->known = operation >= FETCH ? word->kind : NOTHING_KNOWN;
    step->before = word->before;
    word->value = changed(operation, word->value, step->value, 0);
    made->n_slots += 1;
    is_dirty[agent][context] = 1;
}

/* Determines the values of shared words, once all their changes have been made. */
static void know_shared(void)
{
    for (; shared_from < made->n_steps; shared_from++) {
        struct step *step = &made->steps[shared_from];
        step->after = words[step->pe][step->word].value;
    }
}

/* The agent's own PE's memory, by loads and stores. */
static void here(int agent)
{
    int pe = agent / THREADS, i = below(24), stores = below(2);
    if (!claim(agent, pe, i, 1, 1)) return;
    for (int context = 0; stores && context < CONTEXTS; context++) {
        if (words[pe][i].being_read & 1u << context) complete(agent, context, pe);
    }
    complete_for_reading(agent, pe, i);
    struct step *step = emit(stores ? STORE : LOAD, agent, DEFAULT, pe);
    step->word = i;
    step->count = 1;
    step->value = draw();
    step->known = stores ? NOTHING_KNOWN : EXACT;
    made->expected[made->n_slots] = words[pe][i].value;
    made->n_slots += 1;
    if (stores) words[pe][i].value = step->value;
}

/* Passes words to another agent: data, a fence, a flag; or data and a signal. */
static void message(int agent, int to)
{
    int pe = to / THREADS, context = context_for(agent, pe, 1), needs_fence = 0, given = 0, count = 0, first = below(24);
    static unsigned char gives[MAX_PES][WORDS];
    if (n_flags >= FLAGS || to == agent) return;
    memset(gives, 0, sizeof gives);
    int by_signal = below(3) == 0;
    if (by_signal) {
        count = claim(agent, pe, first, 1 + below(8), 1);
        for (int i = 0; i < count; i++) complete_for_change(agent, context, pe, first + i);
    }
    for (int at = 0; at < n_pes; at++) {
        for (int i = 0; i < WORDS; i++) {
            struct word *word = &words[at][i];
            if (word->owner != agent || below(4) == 0) continue;
            if (word->being_read || (word->pending != NONE && (at != pe || word->pending != context))) {
                if (below(24)) continue;
                for (int other = 0; other < CONTEXTS; other++) {
                    if (word->being_read & 1u << other || word->pending == other) complete(agent, other, at);
                }
            }
            /* A fence also orders the agent's own stores. */
            if ((word->pending != NONE && !word->is_fenced) || at == agent / THREADS) needs_fence = 1;
            gives[at][i] = 1;
            given++;
        }
    }
    if (given + count == 0) return;
    if (needs_fence) fence(agent, context);
    struct step *step = emit(SEND, agent, context, pe);
    step->form = by_signal ? 8 + below(4) : below(6);
    step->flag = n_flags;
    step->compare = 1 + draw() % 1000;
    if (step->form == 4) step->compare = 1; /* an increment */
    uint64_t flag_value = step->compare;
    step->word = first;
    step->count = count;
    step->value = draw();
    for (int i = 0; i < count; i++) {
        words[pe][first + i].value = nth(step->value, i);
        words[pe][first + i].pending = NONE;
        gives[pe][first + i] = 1;
    }
    made->n_slots += count + 1;
    is_dirty[agent][context] = 1;
    for (int at = 0; at < n_pes; at++) {
        for (int i = 0; i < WORDS; i++) {
            if (!gives[at][i]) continue;
            words[at][i].owner = to;
            words[at][i].pending = NONE;
        }
    }
    made->flags[pe][n_flags] = flag_value;
    step = emit(WAIT, to, DEFAULT, pe);
    step->form = by_signal && below(2) ? 8 : below(6);
    step->flag = n_flags++;
    step->compare = flag_value;
    /* The receiver reads the data without delay: a fence that does nothing shows here. */
    for (int i = 0; i < 32; i++) {
        if (!gives[pe][i] || made->n_steps > STEPS - 200) continue;
        step = emit(LOAD, to, DEFAULT, pe);
        step->word = i;
        step->count = 1;
        step->known = EXACT;
        made->expected[made->n_slots] = words[pe][i].value;
        made->n_slots += 1;
    }
}

static void session(int agent)
{
    static const uint64_t options[] = {SHMEM_SESSION_BUNDLE, SHMEM_SESSION_HRP, SHMEM_SESSION_DC, SHMEM_SESSION_STAMO};
    int context = below(CONTEXTS);
    if (context == DEFAULT || (context == BY_TEAM && agent / THREADS == 0)) return;
    if (in_session[agent][context] != NO_SESSION) {
        emit(SESSION_STOP, agent, context, 0)->form = in_session[agent][context];
        in_session[agent][context] = NO_SESSION;
    } else {
        struct step *step = emit(SESSION_START, agent, context, 0);
        step->form = in_session[agent][context] = below(3) ? VENDOR : STANDARD;
        step->value = SHMEM_SESSION_OP_PUT | SHMEM_SESSION_OP_AMO | SHMEM_SESSION_OP_FAMO | SHMEM_SESSION_OP_PWS;
        for (int i = 0; i < 4; i++) {
            if (below(2)) step->value |= options[i];
        }
    }
}

static void meet(void)
{
    /* Of the world or, if all is complete, a sync of its team. */
    enum operation operation = below(3) ? BARRIER : SYNC;
    for (int agent = 0; agent < n_agents; agent++) {
        for (int context = 0; context < CONTEXTS; context++) {
            /* A barrier itself completes the operations of the default context. */
            if (is_dirty[agent][context] && (operation == SYNC || context != DEFAULT || below(2))) emit(QUIET, agent, context, 0);
            is_dirty[agent][context] = 0;
        }
    }
    for (int agent = 0; agent < n_agents; agent++) emit(operation, agent, DEFAULT, 0);
    know_shared();
    for (int pe = 0; pe < n_pes; pe++) {
        for (int i = 0; i < WORDS; i++) {
            words[pe][i].owner = FREE;
            words[pe][i].pending = NONE;
            words[pe][i].being_read = 0;
        }
    }
}

void make_program(struct program *program, uint64_t seed, int pes)
{
    made = program;
    made->n_steps = made->n_slots = shared_from = 0;
    memset(made->flags, 0, sizeof made->flags);
    state = seed * UINT64_C(0xd1342543de82ef95) + (uint64_t)pes;
    n_pes = pes;
    n_agents = pes * THREADS;
    n_threads = below(3) ? THREADS : 1;
    n_flags = 0;
    memset(words, 0, sizeof words);
    memset(is_dirty, 0, sizeof is_dirty);
    memset(in_session, 0, sizeof in_session);
    for (int pe = 0; pe < n_pes; pe++) {
        for (int i = 0; i < WORDS; i++) words[pe][i].owner = FREE, words[pe][i].pending = NONE;
    }
    int wanted = 10 + below(120);
    while (wanted-- > 0 && made->n_steps < STEPS - 400 && made->n_slots < POOL - 4 * WORDS) {
        int agent = any_agent(), pe = below(n_pes), what = below(40);
        if (what < 16) transfer(agent, pe);
        else if (what < 24) change(agent, pe);
        else if (what < 28) change_shared(agent, pe);
        else if (what < 31) here(agent);
        else if (what < 36) message(agent, any_agent());
        else if (what < 37) session(agent);
        else if (what < 38) emit(LOCAL_COMPLETE, agent, PRIVATE + below(2), 0);
        else if (what < 39) complete(agent, PRIVATE + below(2), pe);
        else if (below(4) == 0) meet();
    }
    for (int agent = 0; agent < n_agents; agent++) {
        for (int context = 0; context < CONTEXTS; context++) {
            if (in_session[agent][context] != NO_SESSION) emit(SESSION_STOP, agent, context, 0)->form = in_session[agent][context];
        }
    }
    meet();
    for (int pe = 0; pe < n_pes; pe++) {
        for (int i = 0; i < WORDS; i++) made->memory[pe][i] = words[pe][i].value;
    }
}
