/* Random programs with one outcome by the standard's rules, and the memory that they must leave.
   Every PE makes the same program from a seed; one or two threads of each PE are its agents. A word
   belongs to one agent at a time, or takes atomic changes of all whose order does not matter. A
   message, a barrier or a sync passes it on. A program never relies on an order that the standard
   leaves open: it has a fence or quiet there. */
#ifndef RANDOM_H
#define RANDOM_H

#include <shmem.h>
#include <shmemx.h>
#include <stdint.h>

enum { THREADS = 2, MAX_PES = 4, MAX_AGENTS = THREADS * MAX_PES, WORDS = 768, FLAGS = 64, STEPS = 1024, POOL = 32768 };

/* Contexts of an agent. BY_TEAM names the PEs of a team that lacks PE 0. */
enum { DEFAULT, PRIVATE, SERIALIZED, NOSTORE, BY_TEAM, CONTEXTS };

enum operation {
    PUT, PUT_NBI, IPUT, P, THERE /* a store by shmem_ptr, if any */, STORE, GET, GET_NBI, IGET, G, LOAD,
    SET, ADD, INC, AND, OR, XOR, FETCH, SWAP, CSWAP, FETCH_ADD, FETCH_INC, FETCH_AND, FETCH_OR, FETCH_XOR,
    SWAP_NBI, FETCH_ADD_NBI, FETCH_INC_NBI, FETCH_AND_NBI, FETCH_OR_NBI, FETCH_XOR_NBI, FETCH_NBI, CSWAP_NBI,
    FENCE, QUIET, PE_QUIET, LOCAL_COMPLETE, SESSION_START, SESSION_STOP, SEND, WAIT, BARRIER, SYNC
};

/* Whose functions begin and end a session. */
enum spelling { NO_SESSION, STANDARD, VENDOR };

/* What is known of results in advance. Those of a shared word lie between its old and its new
   value. */
enum known { NOTHING_KNOWN, EXACT, WITHIN_SUM, WITHIN_OR, WITHIN_AND };

struct step {
    enum operation operation;
    int agent, context, pe, word, count, stride, form, flag;
    uint64_t value, compare; /* of the first word; see nth() */
    int slot;                /* where its results or sources lie */
    enum known known;        /* of its results */
    uint64_t before, after;  /* of a shared word: its value before and after all changes of the time */
};

struct program {
    int n_steps, n_slots;
    struct step steps[STEPS];
    uint64_t expected[POOL];             /* results */
    uint64_t memory[MAX_PES][WORDS], flags[MAX_PES][FLAGS]; /* at the end */
};

/* The value of a step's word number i. */
static inline uint64_t nth(uint64_t value, int i) { return value + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15); }

void make_program(struct program *program, uint64_t seed, int n_pes);

#endif
