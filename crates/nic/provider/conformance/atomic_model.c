/* What every atomic operation does, in plain C. */
#include "atomic_model.h"

#include <complex.h>

static const char *const OPS[MODEL_OPS] = { "MIN",  "MAX",	    "SUM",	    "PROD",  "LOR",	 "LAND",     "BOR",
					    "BAND", "LXOR",	    "BXOR",	    "READ",  "WRITE",	 "CSWAP",    "CSWAP_NE",
					    "CSWAP_LE", "CSWAP_LT", "CSWAP_GE", "CSWAP_GT", "MSWAP" };
static const char *const TYPES[MODEL_TYPES] = { "INT8",	  "UINT8",  "INT16", "UINT16",	      "INT32",		"UINT32",      "INT64",
						"UINT64", "FLOAT",  "DOUBLE", "FLOAT_COMPLEX", "DOUBLE_COMPLEX", "LONG_DOUBLE", "LONG_DOUBLE_COMPLEX" };
static const size_t SIZES_OF[MODEL_TYPES] = { 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, 16, sizeof(long double), sizeof(long double complex) };

size_t model_size(enum fi_datatype type)
{
	return SIZES_OF[type];
}

const char *model_op_name(enum fi_op op)
{
	return OPS[op];
}

const char *model_type_name(enum fi_datatype type)
{
	return TYPES[type];
}

bool model_compares(enum fi_op op)
{
	return op >= FI_CSWAP && op <= FI_MSWAP;
}

/* What all types have; `t`, `o` and `c` are pointers to target, operand and compared value. */
#define COMMON(T) \
	case FI_SUM: \
		*t = (T)(*t + *o); \
		return true; \
	case FI_PROD: \
		*t = (T)(*t * *o); \
		return true; \
	case FI_LOR: \
		*t = (T)(*t != 0 || *o != 0); \
		return true; \
	case FI_LAND: \
		*t = (T)(*t != 0 && *o != 0); \
		return true; \
	case FI_LXOR: \
		*t = (T)((*t != 0) != (*o != 0)); \
		return true; \
	case FI_ATOMIC_READ: \
		return true; \
	case FI_ATOMIC_WRITE: \
		*t = *o; \
		return true; \
	case FI_CSWAP: \
		if (memcmp(c, t, sizeof(T)) == 0) \
			*t = *o; \
		return true; \
	case FI_CSWAP_NE: \
		if (memcmp(c, t, sizeof(T)) != 0) \
			*t = *o; \
		return true;

/* What types with an order have. */
#define ORDERED \
	case FI_MIN: \
		if (*o < *t) \
			*t = *o; \
		return true; \
	case FI_MAX: \
		if (*o > *t) \
			*t = *o; \
		return true; \
	case FI_CSWAP_LE: \
		if (*c <= *t) \
			*t = *o; \
		return true; \
	case FI_CSWAP_LT: \
		if (*c < *t) \
			*t = *o; \
		return true; \
	case FI_CSWAP_GE: \
		if (*c >= *t) \
			*t = *o; \
		return true; \
	case FI_CSWAP_GT: \
		if (*c > *t) \
			*t = *o; \
		return true;

/* What whole numbers have. */
#define BITS(T) \
	case FI_BOR: \
		*t = (T)(*t | *o); \
		return true; \
	case FI_BAND: \
		*t = (T)(*t & *o); \
		return true; \
	case FI_BXOR: \
		*t = (T)(*t ^ *o); \
		return true; \
	case FI_MSWAP: \
		*t = (T)((*o & *c) | (*t & ~*c)); \
		return true;

#define MODEL(name, T, BODY) \
	static bool name(enum fi_op op, T *t, const T *o, const T *c) \
	{ \
		switch ((int)op) { \
			BODY default : return false; \
		} \
	}

MODEL(apply_i8, int8_t, COMMON(int8_t) ORDERED BITS(int8_t))
MODEL(apply_u8, uint8_t, COMMON(uint8_t) ORDERED BITS(uint8_t))
MODEL(apply_i16, int16_t, COMMON(int16_t) ORDERED BITS(int16_t))
MODEL(apply_u16, uint16_t, COMMON(uint16_t) ORDERED BITS(uint16_t))
MODEL(apply_i32, int32_t, COMMON(int32_t) ORDERED BITS(int32_t))
MODEL(apply_u32, uint32_t, COMMON(uint32_t) ORDERED BITS(uint32_t))
MODEL(apply_i64, int64_t, COMMON(int64_t) ORDERED BITS(int64_t))
MODEL(apply_u64, uint64_t, COMMON(uint64_t) ORDERED BITS(uint64_t))
MODEL(apply_f, float, COMMON(float) ORDERED)
MODEL(apply_d, double, COMMON(double) ORDERED)
MODEL(apply_l, long double, COMMON(long double) ORDERED)
MODEL(apply_fc, float complex, COMMON(float complex))
MODEL(apply_dc, double complex, COMMON(double complex))
MODEL(apply_lc, long double complex, COMMON(long double complex))

bool model_apply(enum fi_op op, enum fi_datatype type, void *target, const void *operand, const void *compare)
{
	switch ((int)type) {
	case FI_INT8:
		return apply_i8(op, target, operand, compare);
	case FI_UINT8:
		return apply_u8(op, target, operand, compare);
	case FI_INT16:
		return apply_i16(op, target, operand, compare);
	case FI_UINT16:
		return apply_u16(op, target, operand, compare);
	case FI_INT32:
		return apply_i32(op, target, operand, compare);
	case FI_UINT32:
		return apply_u32(op, target, operand, compare);
	case FI_INT64:
		return apply_i64(op, target, operand, compare);
	case FI_UINT64:
		return apply_u64(op, target, operand, compare);
	case FI_FLOAT:
		return apply_f(op, target, operand, compare);
	case FI_DOUBLE:
		return apply_d(op, target, operand, compare);
	case FI_LONG_DOUBLE:
		return apply_l(op, target, operand, compare);
	case FI_FLOAT_COMPLEX:
		return apply_fc(op, target, operand, compare);
	case FI_DOUBLE_COMPLEX:
		return apply_dc(op, target, operand, compare);
	case FI_LONG_DOUBLE_COMPLEX:
		return apply_lc(op, target, operand, compare);
	default:
		return false;
	}
}

bool model_same(enum fi_datatype type, const void *left, const void *right)
{
	if (type == FI_LONG_DOUBLE)
		return *(const long double *)left == *(const long double *)right;
	if (type == FI_LONG_DOUBLE_COMPLEX)
		return *(const long double complex *)left == *(const long double complex *)right;
	return memcmp(left, right, model_size(type)) == 0;
}

void model_value(enum fi_datatype type, uint64_t *stream, void *value)
{
	uint64_t bits = draw(stream);
	/* Often 0, and often the same value again, so that comparisons have both results. */
	int small = (int)(bits % 5), other = (int)((bits >> 8) % 5);

	memset(value, 0, model_size(type));
	switch ((int)type) {
	case FI_FLOAT:
		*(float *)value = (float)small;
		break;
	case FI_DOUBLE:
		*(double *)value = small;
		break;
	case FI_LONG_DOUBLE:
		*(long double *)value = small;
		break;
	case FI_FLOAT_COMPLEX:
		((float *)value)[0] = (float)small;
		((float *)value)[1] = (float)other;
		break;
	case FI_DOUBLE_COMPLEX:
		((double *)value)[0] = small;
		((double *)value)[1] = other;
		break;
	case FI_LONG_DOUBLE_COMPLEX:
		((long double *)value)[0] = small;
		((long double *)value)[1] = other;
		break;
	default:
		if (bits >> 16 & 1) {
			uint64_t low = (uint64_t)small;

			memcpy(value, &low, model_size(type));
		} else {
			bits = mix(bits);
			/* Half the range, so that products and sums stay within what C lays down for signed types. */
			memcpy(value, &bits, model_size(type));
			if (model_size(type) >= 4)
				memset((uint8_t *)value + model_size(type) / 2 - 1, 0, model_size(type) / 2 + 1);
		}
	}
}

const char *model_text(enum fi_datatype type, const void *value, char *text, size_t size)
{
	uint64_t bits = 0;

	switch ((int)type) {
	case FI_FLOAT:
		snprintf(text, size, "%g", (double)*(const float *)value);
		break;
	case FI_DOUBLE:
		snprintf(text, size, "%g", *(const double *)value);
		break;
	case FI_LONG_DOUBLE:
		snprintf(text, size, "%Lg", *(const long double *)value);
		break;
	case FI_FLOAT_COMPLEX:
		snprintf(text, size, "%g + %gi", (double)((const float *)value)[0], (double)((const float *)value)[1]);
		break;
	case FI_DOUBLE_COMPLEX:
		snprintf(text, size, "%g + %gi", ((const double *)value)[0], ((const double *)value)[1]);
		break;
	case FI_LONG_DOUBLE_COMPLEX:
		snprintf(text, size, "%Lg + %Lgi", ((const long double *)value)[0], ((const long double *)value)[1]);
		break;
	default:
		memcpy(&bits, value, model_size(type));
		snprintf(text, size, "0x%llx", (unsigned long long)bits);
	}
	return text;
}
