/* What every atomic operation does, in plain C: the yardstick of the atomic tests. */
#ifndef ATOMIC_MODEL_H
#define ATOMIC_MODEL_H

#include "conformance.h"

enum {
	/* Operations and types that the model knows: those of libfabric 1. */
	MODEL_OPS = FI_MSWAP + 1,
	MODEL_TYPES = FI_LONG_DOUBLE_COMPLEX + 1,
};

/* Bytes of one value. */
size_t model_size(enum fi_datatype type);
/* Names for reports. */
const char *model_op_name(enum fi_op op);
const char *model_type_name(enum fi_datatype type);
/* True of FI_CSWAP and its like, and FI_MSWAP. */
bool model_compares(enum fi_op op);
/* What `op` makes of `target`; false where the operation does not exist for the type. */
bool model_apply(enum fi_op op, enum fi_datatype type, void *target, const void *operand, const void *compare);
/* True when both values are the same; padding does not count. */
bool model_same(enum fi_datatype type, const void *left, const void *right);
/* A value from a random stream: whole and small where the type is a floating one, so that every result is exact. */
void model_value(enum fi_datatype type, uint64_t *stream, void *value);
/* The value as text. */
const char *model_text(enum fi_datatype type, const void *value, char *text, size_t size);

#endif
