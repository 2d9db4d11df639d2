/* Written by philae-shmem-tables from the tables of crates/shmem-api: do not edit. */
/* shmemx.h includes it. A pointer to one of these functions, and a call that is not inlined, is the library's. */
#ifndef PHILAE_SHMEMX_BODIES_H
#define PHILAE_SHMEMX_BODIES_H

#include <philae/shmem_inline.h>

#ifdef __cplusplus
extern "C" {
#endif

PHILAE_SHMEM_INLINE short shmemx_short_fadd(short *target, short value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmemx_short_fadd", SHMEM_CTX_DEFAULT, short, PHILAE_SHMEM_I16, add, ADD, target, value, pe)
PHILAE_SHMEM_INLINE void shmemx_short_add(short *target, short value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmemx_short_add", SHMEM_CTX_DEFAULT, short, PHILAE_SHMEM_I16, add, ADD, target, value, pe)
PHILAE_SHMEM_INLINE short shmemx_short_finc(short *target, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmemx_short_finc", SHMEM_CTX_DEFAULT, short, PHILAE_SHMEM_I16, add, ADD, target, 1, pe)
PHILAE_SHMEM_INLINE void shmemx_short_inc(short *target, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmemx_short_inc", SHMEM_CTX_DEFAULT, short, PHILAE_SHMEM_I16, add, ADD, target, 1, pe)
PHILAE_SHMEM_INLINE short shmemx_short_swap(short *target, short value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmemx_short_swap", SHMEM_CTX_DEFAULT, short, PHILAE_SHMEM_I16, target, value, pe)
PHILAE_SHMEM_INLINE short shmemx_short_cswap(short *target, short cond, short value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmemx_short_cswap", SHMEM_CTX_DEFAULT, short, PHILAE_SHMEM_I16, target, cond, value, pe)
PHILAE_SHMEM_INLINE void shmemx_float_put_nb(float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_float_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_double_put_nb(double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_double_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_longdouble_put_nb(long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_longdouble_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_char_put_nb(char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_char_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_schar_put_nb(signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_schar_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_short_put_nb(short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_short_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_int_put_nb(int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_int_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_long_put_nb(long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_long_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_longlong_put_nb(long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_longlong_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_uchar_put_nb(unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_uchar_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ushort_put_nb(unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ushort_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_uint_put_nb(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_uint_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ulong_put_nb(unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ulong_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ulonglong_put_nb(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ulonglong_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_int8_put_nb(int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_int8_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_int16_put_nb(int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_int16_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_int32_put_nb(int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_int32_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_int64_put_nb(int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_int64_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_uint8_put_nb(uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_uint8_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_uint16_put_nb(uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_uint16_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_uint32_put_nb(uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_uint32_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_uint64_put_nb(uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_uint64_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_size_put_nb(size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_size_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ptrdiff_put_nb(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ptrdiff_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_float_put_nb(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_float_put_nb", ctx, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_double_put_nb(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_double_put_nb", ctx, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_longdouble_put_nb(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_longdouble_put_nb", ctx, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_char_put_nb(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_char_put_nb", ctx, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_schar_put_nb(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_schar_put_nb", ctx, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_short_put_nb(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_short_put_nb", ctx, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int_put_nb(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_int_put_nb", ctx, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_long_put_nb(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_long_put_nb", ctx, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_longlong_put_nb(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_longlong_put_nb", ctx, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uchar_put_nb(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_uchar_put_nb", ctx, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ushort_put_nb(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_ushort_put_nb", ctx, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint_put_nb(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_uint_put_nb", ctx, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ulong_put_nb(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_ulong_put_nb", ctx, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ulonglong_put_nb(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_ulonglong_put_nb", ctx, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int8_put_nb(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_int8_put_nb", ctx, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int16_put_nb(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_int16_put_nb", ctx, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int32_put_nb(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_int32_put_nb", ctx, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int64_put_nb(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_int64_put_nb", ctx, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint8_put_nb(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_uint8_put_nb", ctx, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint16_put_nb(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_uint16_put_nb", ctx, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint32_put_nb(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_uint32_put_nb", ctx, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint64_put_nb(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_uint64_put_nb", ctx, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_size_put_nb(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_size_put_nb", ctx, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ptrdiff_put_nb(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_ptrdiff_put_nb", ctx, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_put8_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_put8_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_put16_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_put16_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_put32_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_put32_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_put64_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_put64_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_put128_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_put128_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_put8_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_put8_nb", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_put16_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_put16_nb", ctx, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_put32_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_put32_nb", ctx, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_put64_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_put64_nb", ctx, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_put128_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_put128_nb", ctx, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_putmem_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_putmem_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_putmem_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_putmem_nb", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_float_get_nb(float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_float_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_double_get_nb(double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_double_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_longdouble_get_nb(long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_longdouble_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_char_get_nb(char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_char_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_schar_get_nb(signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_schar_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_short_get_nb(short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_short_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_int_get_nb(int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_int_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_long_get_nb(long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_long_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_longlong_get_nb(long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_longlong_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_uchar_get_nb(unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_uchar_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ushort_get_nb(unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ushort_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_uint_get_nb(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_uint_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ulong_get_nb(unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ulong_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ulonglong_get_nb(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ulonglong_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_int8_get_nb(int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_int8_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_int16_get_nb(int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_int16_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_int32_get_nb(int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_int32_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_int64_get_nb(int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_int64_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_uint8_get_nb(uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_uint8_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_uint16_get_nb(uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_uint16_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_uint32_get_nb(uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_uint32_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_uint64_get_nb(uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_uint64_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_size_get_nb(size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_size_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ptrdiff_get_nb(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ptrdiff_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_float_get_nb(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_float_get_nb", ctx, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_double_get_nb(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_double_get_nb", ctx, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_longdouble_get_nb(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_longdouble_get_nb", ctx, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_char_get_nb(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_char_get_nb", ctx, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_schar_get_nb(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_schar_get_nb", ctx, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_short_get_nb(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_short_get_nb", ctx, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int_get_nb(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_int_get_nb", ctx, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_long_get_nb(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_long_get_nb", ctx, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_longlong_get_nb(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_longlong_get_nb", ctx, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uchar_get_nb(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_uchar_get_nb", ctx, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ushort_get_nb(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_ushort_get_nb", ctx, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint_get_nb(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_uint_get_nb", ctx, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ulong_get_nb(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_ulong_get_nb", ctx, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ulonglong_get_nb(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_ulonglong_get_nb", ctx, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int8_get_nb(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_int8_get_nb", ctx, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int16_get_nb(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_int16_get_nb", ctx, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int32_get_nb(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_int32_get_nb", ctx, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int64_get_nb(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_int64_get_nb", ctx, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint8_get_nb(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_uint8_get_nb", ctx, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint16_get_nb(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_uint16_get_nb", ctx, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint32_get_nb(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_uint32_get_nb", ctx, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint64_get_nb(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_uint64_get_nb", ctx, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_size_get_nb(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_size_get_nb", ctx, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ptrdiff_get_nb(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_ptrdiff_get_nb", ctx, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_get8_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_get8_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_get16_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_get16_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_get32_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_get32_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_get64_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_get64_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_get128_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_get128_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_get8_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_get8_nb", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_get16_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_get16_nb", ctx, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_get32_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_get32_nb", ctx, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_get64_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_get64_nb", ctx, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_get128_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_get128_nb", ctx, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_getmem_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_getmem_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_ctx_getmem_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_getmem_nb", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_float_put_signal(float *target, const float *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_float_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(float), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_double_put_signal(double *target, const double *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_double_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(double), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_longdouble_put_signal(long double *target, const long double *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_longdouble_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(long double), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_char_put_signal(char *target, const char *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_char_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(char), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_int_put_signal(int *target, const int *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_int_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(int), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_long_put_signal(long *target, const long *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_long_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(long), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_longlong_put_signal(long long *target, const long long *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_longlong_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(long long), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_put8_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put8_signal", SHMEM_CTX_DEFAULT, target, source, len, 1, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_put16_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put16_signal", SHMEM_CTX_DEFAULT, target, source, len, 2, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_put32_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put32_signal", SHMEM_CTX_DEFAULT, target, source, len, 4, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_put64_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put64_signal", SHMEM_CTX_DEFAULT, target, source, len, 8, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_put128_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put128_signal", SHMEM_CTX_DEFAULT, target, source, len, 16, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_putmem_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_putmem_signal", SHMEM_CTX_DEFAULT, target, source, len, 1, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
PHILAE_SHMEM_INLINE void shmemx_float_put_signal_nb(float *target, const float *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_float_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(float), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_double_put_signal_nb(double *target, const double *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_double_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(double), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_longdouble_put_signal_nb(long double *target, const long double *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_longdouble_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(long double), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_char_put_signal_nb(char *target, const char *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_char_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(char), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_int_put_signal_nb(int *target, const int *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_int_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(int), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_long_put_signal_nb(long *target, const long *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_long_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(long), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_longlong_put_signal_nb(long long *target, const long long *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_longlong_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(long long), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_put8_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put8_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, 1, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_put16_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put16_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, 2, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_put32_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put32_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, 4, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_put64_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put64_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, 8, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_put128_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put128_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, 16, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_putmem_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_putmem_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, 1, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmemx_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_STORED("shmemx_signal_set", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_U64, sig_addr, signal, pe)
PHILAE_SHMEM_INLINE void shmemx_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_STORED("shmemx_ctx_signal_set", ctx, uint64_t, PHILAE_SHMEM_U64, sig_addr, signal, pe)
PHILAE_SHMEM_INLINE int shmemx_team_my_pe(shmem_team_t team)
{ return team ? team->me : -1; }
PHILAE_SHMEM_INLINE int shmemx_team_n_pes(shmem_team_t team)
{ return team ? team->n_pes : -1; }

#ifdef __cplusplus
}
#endif

#endif
