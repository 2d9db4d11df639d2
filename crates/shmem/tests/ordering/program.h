/*
 * A random program of ordering and completion, and what it must leave in every PE's memory: the same from the same seed with every PE.
 *
 * A program is a row of phases with barriers between them. Within a phase each cell of memory belongs to one strand, a short row of
 * operations that one thread of one PE does in this order, with a fence or a quiet wherever the standard leaves the order open otherwise; or
 * it is only read; or it is changed by atomic operations whose order does not matter; or it is mail: data and then, ordered behind it, a
 * flag that its receiver waits for. So the outcome is defined, while strands are interleaved at random.
 */
#ifndef ORDERING_PROGRAM_H
#define ORDERING_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PES_MAX = 8, THREADS_MAX = 2, CELLS = 96, ATOMICS = 8, MAILS = 16, LETTER = 8, OPS_MAX = 8192, EXPECTED_MAX = 65536 };

/* By which context; TEAM_CONTEXT is of the team of all PEs but 0. */
enum context { DEFAULT_CONTEXT, PRIVATE_CONTEXT, SERIALIZED_CONTEXT, TEAM_CONTEXT, CONTEXTS };

enum kind {
	/* Values to a target's cells. */
	P, PUT, PUT_NBI, PUT_AND_SCRIBBLE, IPUT, STORE, SET,
	/* Values of a target's cells, which must be these. */
	G, GET, GET_NBI, IGET, FETCH,
	/* Order. */
	FENCE, QUIET, PE_QUIET,
	/* On a target's cell for atomic operations. */
	CHANGE, FETCHING_CHANGE, CHANGE_NBI,
	/* Letters. */
	LETTER_PUT, LETTER_PUT_NBI, LETTER_WITH_SIGNAL, LETTER_WITH_SIGNAL_NBI, FLAG_P, FLAG_SET, FLAG_ADD,
};

/* What an atomic cell is changed by in a phase. */
enum change { ADD, INC, OR, AND, XOR, CHANGES };

struct op {
	uint8_t kind, context;
	uint16_t at, count;
	int16_t target;
	/* Which values: value_of(number, index). Of a flag: what it is set to, or what is added. */
	uint64_t number;
	/* Of a read: where in `expected`. Of a letter: its mail. */
	uint32_t expected;
};

struct strand {
	int pe, thread;
	uint32_t first, count;
};

struct mail {
	bool used;
	/* Who waits, and where the letter lies. */
	int receiver, holder;
	uint64_t flag, number;
};

struct phase {
	struct op ops[OPS_MAX];
	struct strand strands[OPS_MAX];
	uint32_t op_count, strand_count, expected_count;
	uint64_t expected[EXPECTED_MAX];
	struct mail mails[MAILS];
	/* Of each PE's atomic cells: how they change, from what, to what. */
	enum change changes[PES_MAX][ATOMICS];
	uint64_t before[PES_MAX][ATOMICS];
	/* All are quiet and meet by a sync, and not by a barrier. */
	bool ends_by_sync;
	/* Contexts are in sessions. */
	bool in_sessions;
};

/* All PEs' memory. */
struct model {
	uint64_t cells[PES_MAX][CELLS];
	uint64_t atomics[PES_MAX][ATOMICS];
	uint64_t letters[PES_MAX][MAILS * LETTER];
	uint64_t flags[PES_MAX][MAILS];
};

/* Random numbers of a stream (splitmix64). */
uint64_t next_random(uint64_t *stream);
uint64_t below(uint64_t *stream, uint64_t end);

/* The values that an operation writes. */
uint64_t value_of(uint64_t number, uint64_t index);

/* Makes the next phase, and changes the model to what it leaves. */
void make_phase(uint64_t *stream, int pes, int threads, struct model *model, struct phase *phase);

#endif
