#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t next_random(uint64_t *stream)
{
	uint64_t mixed = *stream += 0x9e3779b97f4a7c15;

	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
	return mixed ^ mixed >> 31;
}

uint64_t below(uint64_t *stream, uint64_t end)
{
	return next_random(stream) % end;
}

uint64_t value_of(uint64_t number, uint64_t index)
{
	uint64_t stream = number * 1000003 + index;

	return next_random(&stream);
}

static void full(const char *what)
{
	fprintf(stderr, "a phase has too many %s\n", what);
	abort();
}

static struct op *add(struct phase *phase, enum kind kind, enum context context, int target)
{
	if (phase->op_count == OPS_MAX)
		full("operations");
	struct op *op = &phase->ops[phase->op_count++];

	*op = (struct op){ .kind = (uint8_t)kind, .context = (uint8_t)context, .target = (int16_t)target };
	phase->strands[phase->strand_count - 1].count++;
	return op;
}

static void begin(uint64_t *stream, struct phase *phase, int pes, int threads)
{
	struct strand *strand = &phase->strands[phase->strand_count++];

	*strand = (struct strand){ .pe = (int)below(stream, (uint64_t)pes), .thread = (int)below(stream, (uint64_t)threads),
		.first = phase->op_count };
}

/* A context that the strand's PE has and that reaches the target. */
static enum context any_context(uint64_t *stream, const struct phase *phase, int target)
{
	enum context context = below(stream, CONTEXTS);
	int pe = phase->strands[phase->strand_count - 1].pe;

	return context == TEAM_CONTEXT && (pe == 0 || target == 0) ? PRIVATE_CONTEXT : context;
}

/* What makes earlier writes come before later ones. */
static void order(uint64_t *stream, struct phase *phase, enum context context, int target)
{
	enum kind kinds[] = { FENCE, FENCE, QUIET, PE_QUIET };

	add(phase, kinds[below(stream, 4)], context, target);
}

static void complete(uint64_t *stream, struct phase *phase, enum context context, int target)
{
	add(phase, below(stream, 2) ? QUIET : PE_QUIET, context, target);
}

static void expect(struct phase *phase, struct op *op, const uint64_t *values, size_t stride)
{
	if (phase->expected_count + op->count > EXPECTED_MAX)
		full("values");
	op->expected = phase->expected_count;
	for (size_t i = 0; i < op->count; i++)
		phase->expected[phase->expected_count++] = values[i * stride];
}

static void read_strand(uint64_t *stream, struct phase *phase, enum context context, int target, size_t at, size_t count, uint64_t *cells)
{
	enum kind kind = G + below(stream, 5);
	bool one = kind == G || kind == FETCH, strided = kind == IGET;
	struct op *op = add(phase, kind, context, target);

	op->at = (uint16_t)at;
	op->count = (uint16_t)(one ? 1 : strided ? (count + 1) / 2 : count);
	expect(phase, op, cells + at, strided ? 2 : 1);
}

/* Writes a run of cells once or more, now and then reading what it wrote. */
static void write_strand(uint64_t *stream, struct phase *phase, uint64_t *number, int target, size_t at, size_t count, uint64_t *cells)
{
	enum context context = any_context(stream, phase, target);
	size_t writes = 1 + below(stream, 3);

	for (size_t write = 0; write < writes; write++) {
		enum kind kind = P + below(stream, 7);
		bool one = kind == P || kind == SET || kind == STORE, strided = kind == IPUT;
		size_t start = below(stream, count), room = count - start;

		if (write > 0)
			order(stream, phase, context, target);
		struct op *op = add(phase, kind, context, target);
		op->at = (uint16_t)(at + start);
		op->count = (uint16_t)(one ? 1 : strided ? (room + 1) / 2 : 1 + below(stream, room));
		op->number = ++*number;
		for (size_t i = 0; i < op->count; i++)
			cells[op->at + i * (strided ? 2 : 1)] = value_of(op->number, i);
		if (below(stream, 3) == 0) {
			complete(stream, phase, context, target);
			read_strand(stream, phase, context, target, at, count, cells);
		}
	}
}

static void changes(uint64_t *stream, struct phase *phase, int pes, int threads, struct model *model)
{
	for (int pe = 0; pe < pes; pe++)
		for (int cell = 0; cell < ATOMICS; cell++) {
			phase->changes[pe][cell] = below(stream, CHANGES);
			phase->before[pe][cell] = model->atomics[pe][cell];
		}
	for (uint64_t left = 2 + below(stream, 10); left > 0; left--) {
		int target = (int)below(stream, (uint64_t)pes);
		size_t cell = below(stream, ATOMICS);
		uint64_t *value = &model->atomics[target][cell];

		begin(stream, phase, pes, threads);
		for (uint64_t more = 1 + below(stream, 4); more > 0; more--) {
			struct op *op = add(phase, CHANGE + below(stream, 3), any_context(stream, phase, target), target);

			op->at = (uint16_t)cell;
			switch (phase->changes[target][cell]) {
			case ADD: *value += op->number = below(stream, 1000); break;
			case INC: *value += op->number = 1; break;
			case OR: *value |= op->number = UINT64_C(1) << below(stream, 48); break;
			case AND: *value &= op->number = ~(UINT64_C(1) << below(stream, 48)); break;
			default: *value ^= op->number = below(stream, UINT64_C(1) << 48); break;
			}
		}
	}
}

/* Data, and then a flag that says that it is there: to the one who waits, or to one who is asked for it. */
static void letters(uint64_t *stream, struct phase *phase, uint64_t *number, int pes, int threads, struct model *model)
{
	memset(phase->mails, 0, sizeof phase->mails);
	for (size_t slot = 0; slot < MAILS; slot++) {
		if (below(stream, 2))
			continue;
		struct mail *mail = &phase->mails[slot];
		int receiver = (int)below(stream, (uint64_t)pes), holder = below(stream, 3) ? receiver : (int)below(stream, (uint64_t)pes);
		uint64_t *flag = &model->flags[receiver][slot], more = 1 + below(stream, 1000);

		begin(stream, phase, pes, threads);
		enum context context = any_context(stream, phase, holder);
		bool with_signal = holder == receiver && below(stream, 2), adds = below(stream, 2);
		*mail = (struct mail){ .used = true, .receiver = receiver, .holder = holder, .number = ++*number, .flag = *flag + more };
		struct op *op = add(phase, (with_signal ? LETTER_WITH_SIGNAL : LETTER_PUT) + below(stream, 2), context, holder);
		*op = (struct op){ .kind = op->kind, .context = op->context, .target = op->target, .expected = (uint32_t)slot,
			.count = LETTER, .at = adds, .number = *number };
		if (!with_signal) {
			/* A fence orders what goes to one PE; to be seen by way of another, the letter must have come. */
			if (holder == receiver)
				order(stream, phase, context, holder);
			else
				complete(stream, phase, context, holder);
			enum context other = holder == receiver ? context : any_context(stream, phase, receiver);
			op = add(phase, FLAG_P + below(stream, 3), other, receiver);
			op->expected = (uint32_t)slot;
			op->number = op->kind == FLAG_ADD ? more : mail->flag;
		}
		*flag = mail->flag;
		for (uint64_t i = 0; i < LETTER; i++)
			model->letters[holder][slot * LETTER + i] = value_of(mail->number, i);
	}
}

void make_phase(uint64_t *stream, int pes, int threads, struct model *model, struct phase *phase)
{
	/* Numbers of values are the stream's own: no two programs have the same. */
	uint64_t number = next_random(stream) >> 20;

	phase->op_count = phase->strand_count = phase->expected_count = 0;
	phase->ends_by_sync = below(stream, 3) == 0;
	phase->in_sessions = below(stream, 3) == 0;
	for (int target = 0; target < pes; target++)
		for (size_t at = 0; at < CELLS;) {
			size_t count = 1 + below(stream, 12);

			count = count < CELLS - at ? count : CELLS - at;
			switch (below(stream, 4)) {
			case 0:
				for (uint64_t reads = 1 + below(stream, 2); reads > 0; reads--) {
					begin(stream, phase, pes, threads);
					read_strand(stream, phase, any_context(stream, phase, target), target, at, count, model->cells[target]);
				}
				break;
			case 1: break;
			default:
				begin(stream, phase, pes, threads);
				write_strand(stream, phase, &number, target, at, count, model->cells[target]);
			}
			at += count;
		}
	changes(stream, phase, pes, threads, model);
	letters(stream, phase, &number, pes, threads, model);
}
