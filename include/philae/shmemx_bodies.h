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
PHILAE_SHMEM_INLINE void shmemx_float_ibput(float *target, const float *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_float_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(float), pe); }
PHILAE_SHMEM_INLINE void shmemx_double_ibput(double *target, const double *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_double_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(double), pe); }
PHILAE_SHMEM_INLINE void shmemx_longdouble_ibput(long double *target, const long double *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_longdouble_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(long double), pe); }
PHILAE_SHMEM_INLINE void shmemx_char_ibput(char *target, const char *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_char_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(char), pe); }
PHILAE_SHMEM_INLINE void shmemx_schar_ibput(signed char *target, const signed char *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_schar_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(signed char), pe); }
PHILAE_SHMEM_INLINE void shmemx_short_ibput(short *target, const short *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_short_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(short), pe); }
PHILAE_SHMEM_INLINE void shmemx_int_ibput(int *target, const int *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_int_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(int), pe); }
PHILAE_SHMEM_INLINE void shmemx_long_ibput(long *target, const long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_long_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(long), pe); }
PHILAE_SHMEM_INLINE void shmemx_longlong_ibput(long long *target, const long long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_longlong_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(long long), pe); }
PHILAE_SHMEM_INLINE void shmemx_uchar_ibput(unsigned char *target, const unsigned char *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_uchar_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(unsigned char), pe); }
PHILAE_SHMEM_INLINE void shmemx_ushort_ibput(unsigned short *target, const unsigned short *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ushort_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(unsigned short), pe); }
PHILAE_SHMEM_INLINE void shmemx_uint_ibput(unsigned int *target, const unsigned int *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_uint_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(unsigned int), pe); }
PHILAE_SHMEM_INLINE void shmemx_ulong_ibput(unsigned long *target, const unsigned long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ulong_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(unsigned long), pe); }
PHILAE_SHMEM_INLINE void shmemx_ulonglong_ibput(unsigned long long *target, const unsigned long long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ulonglong_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(unsigned long long), pe); }
PHILAE_SHMEM_INLINE void shmemx_int8_ibput(int8_t *target, const int8_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_int8_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(int8_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_int16_ibput(int16_t *target, const int16_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_int16_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(int16_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_int32_ibput(int32_t *target, const int32_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_int32_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(int32_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_int64_ibput(int64_t *target, const int64_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_int64_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(int64_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_uint8_ibput(uint8_t *target, const uint8_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_uint8_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(uint8_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_uint16_ibput(uint16_t *target, const uint16_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_uint16_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(uint16_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_uint32_ibput(uint32_t *target, const uint32_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_uint32_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(uint32_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_uint64_ibput(uint64_t *target, const uint64_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_uint64_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(uint64_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_size_ibput(size_t *target, const size_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_size_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(size_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ptrdiff_ibput(ptrdiff_t *target, const ptrdiff_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ptrdiff_ibput", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(ptrdiff_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_float_ibput(shmem_ctx_t ctx, float *target, const float *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_float_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(float), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_double_ibput(shmem_ctx_t ctx, double *target, const double *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_double_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(double), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_longdouble_ibput(shmem_ctx_t ctx, long double *target, const long double *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_longdouble_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(long double), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_char_ibput(shmem_ctx_t ctx, char *target, const char *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_char_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(char), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_schar_ibput(shmem_ctx_t ctx, signed char *target, const signed char *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_schar_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(signed char), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_short_ibput(shmem_ctx_t ctx, short *target, const short *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_short_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(short), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int_ibput(shmem_ctx_t ctx, int *target, const int *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_int_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(int), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_long_ibput(shmem_ctx_t ctx, long *target, const long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_long_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(long), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_longlong_ibput(shmem_ctx_t ctx, long long *target, const long long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_longlong_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(long long), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uchar_ibput(shmem_ctx_t ctx, unsigned char *target, const unsigned char *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_uchar_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(unsigned char), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ushort_ibput(shmem_ctx_t ctx, unsigned short *target, const unsigned short *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_ushort_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(unsigned short), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint_ibput(shmem_ctx_t ctx, unsigned int *target, const unsigned int *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_uint_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(unsigned int), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ulong_ibput(shmem_ctx_t ctx, unsigned long *target, const unsigned long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_ulong_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(unsigned long), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ulonglong_ibput(shmem_ctx_t ctx, unsigned long long *target, const unsigned long long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_ulonglong_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(unsigned long long), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int8_ibput(shmem_ctx_t ctx, int8_t *target, const int8_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_int8_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(int8_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int16_ibput(shmem_ctx_t ctx, int16_t *target, const int16_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_int16_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(int16_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int32_ibput(shmem_ctx_t ctx, int32_t *target, const int32_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_int32_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(int32_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int64_ibput(shmem_ctx_t ctx, int64_t *target, const int64_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_int64_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(int64_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint8_ibput(shmem_ctx_t ctx, uint8_t *target, const uint8_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_uint8_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(uint8_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint16_ibput(shmem_ctx_t ctx, uint16_t *target, const uint16_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_uint16_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(uint16_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint32_ibput(shmem_ctx_t ctx, uint32_t *target, const uint32_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_uint32_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(uint32_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint64_ibput(shmem_ctx_t ctx, uint64_t *target, const uint64_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_uint64_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(uint64_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_size_ibput(shmem_ctx_t ctx, size_t *target, const size_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_size_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(size_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ptrdiff_ibput(shmem_ctx_t ctx, ptrdiff_t *target, const ptrdiff_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_ptrdiff_ibput", ctx, target, source, tst, sst, bsize, nblocks, sizeof(ptrdiff_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ibput8(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ibput8", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, 1, pe); }
PHILAE_SHMEM_INLINE void shmemx_ibput16(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ibput16", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, 2, pe); }
PHILAE_SHMEM_INLINE void shmemx_ibput32(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ibput32", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, 4, pe); }
PHILAE_SHMEM_INLINE void shmemx_ibput64(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ibput64", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, 8, pe); }
PHILAE_SHMEM_INLINE void shmemx_ibput128(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ibput128", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, 16, pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ibput8(shmem_ctx_t ctx, void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_ibput8", ctx, target, source, tst, sst, bsize, nblocks, 1, pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ibput16(shmem_ctx_t ctx, void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_ibput16", ctx, target, source, tst, sst, bsize, nblocks, 2, pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ibput32(shmem_ctx_t ctx, void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_ibput32", ctx, target, source, tst, sst, bsize, nblocks, 4, pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ibput64(shmem_ctx_t ctx, void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_ibput64", ctx, target, source, tst, sst, bsize, nblocks, 8, pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ibput128(shmem_ctx_t ctx, void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmemx_ctx_ibput128", ctx, target, source, tst, sst, bsize, nblocks, 16, pe); }
PHILAE_SHMEM_INLINE void shmemx_float_ibget(float *target, const float *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_float_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(float), pe); }
PHILAE_SHMEM_INLINE void shmemx_double_ibget(double *target, const double *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_double_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(double), pe); }
PHILAE_SHMEM_INLINE void shmemx_longdouble_ibget(long double *target, const long double *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_longdouble_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(long double), pe); }
PHILAE_SHMEM_INLINE void shmemx_char_ibget(char *target, const char *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_char_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(char), pe); }
PHILAE_SHMEM_INLINE void shmemx_schar_ibget(signed char *target, const signed char *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_schar_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(signed char), pe); }
PHILAE_SHMEM_INLINE void shmemx_short_ibget(short *target, const short *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_short_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(short), pe); }
PHILAE_SHMEM_INLINE void shmemx_int_ibget(int *target, const int *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_int_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(int), pe); }
PHILAE_SHMEM_INLINE void shmemx_long_ibget(long *target, const long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_long_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(long), pe); }
PHILAE_SHMEM_INLINE void shmemx_longlong_ibget(long long *target, const long long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_longlong_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(long long), pe); }
PHILAE_SHMEM_INLINE void shmemx_uchar_ibget(unsigned char *target, const unsigned char *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_uchar_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(unsigned char), pe); }
PHILAE_SHMEM_INLINE void shmemx_ushort_ibget(unsigned short *target, const unsigned short *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ushort_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(unsigned short), pe); }
PHILAE_SHMEM_INLINE void shmemx_uint_ibget(unsigned int *target, const unsigned int *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_uint_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(unsigned int), pe); }
PHILAE_SHMEM_INLINE void shmemx_ulong_ibget(unsigned long *target, const unsigned long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ulong_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(unsigned long), pe); }
PHILAE_SHMEM_INLINE void shmemx_ulonglong_ibget(unsigned long long *target, const unsigned long long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ulonglong_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(unsigned long long), pe); }
PHILAE_SHMEM_INLINE void shmemx_int8_ibget(int8_t *target, const int8_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_int8_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(int8_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_int16_ibget(int16_t *target, const int16_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_int16_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(int16_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_int32_ibget(int32_t *target, const int32_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_int32_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(int32_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_int64_ibget(int64_t *target, const int64_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_int64_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(int64_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_uint8_ibget(uint8_t *target, const uint8_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_uint8_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(uint8_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_uint16_ibget(uint16_t *target, const uint16_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_uint16_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(uint16_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_uint32_ibget(uint32_t *target, const uint32_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_uint32_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(uint32_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_uint64_ibget(uint64_t *target, const uint64_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_uint64_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(uint64_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_size_ibget(size_t *target, const size_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_size_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(size_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ptrdiff_ibget(ptrdiff_t *target, const ptrdiff_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ptrdiff_ibget", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, sizeof(ptrdiff_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_float_ibget(shmem_ctx_t ctx, float *target, const float *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_float_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(float), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_double_ibget(shmem_ctx_t ctx, double *target, const double *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_double_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(double), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_longdouble_ibget(shmem_ctx_t ctx, long double *target, const long double *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_longdouble_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(long double), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_char_ibget(shmem_ctx_t ctx, char *target, const char *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_char_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(char), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_schar_ibget(shmem_ctx_t ctx, signed char *target, const signed char *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_schar_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(signed char), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_short_ibget(shmem_ctx_t ctx, short *target, const short *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_short_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(short), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int_ibget(shmem_ctx_t ctx, int *target, const int *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_int_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(int), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_long_ibget(shmem_ctx_t ctx, long *target, const long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_long_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(long), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_longlong_ibget(shmem_ctx_t ctx, long long *target, const long long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_longlong_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(long long), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uchar_ibget(shmem_ctx_t ctx, unsigned char *target, const unsigned char *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_uchar_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(unsigned char), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ushort_ibget(shmem_ctx_t ctx, unsigned short *target, const unsigned short *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_ushort_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(unsigned short), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint_ibget(shmem_ctx_t ctx, unsigned int *target, const unsigned int *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_uint_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(unsigned int), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ulong_ibget(shmem_ctx_t ctx, unsigned long *target, const unsigned long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_ulong_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(unsigned long), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ulonglong_ibget(shmem_ctx_t ctx, unsigned long long *target, const unsigned long long *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_ulonglong_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(unsigned long long), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int8_ibget(shmem_ctx_t ctx, int8_t *target, const int8_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_int8_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(int8_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int16_ibget(shmem_ctx_t ctx, int16_t *target, const int16_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_int16_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(int16_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int32_ibget(shmem_ctx_t ctx, int32_t *target, const int32_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_int32_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(int32_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_int64_ibget(shmem_ctx_t ctx, int64_t *target, const int64_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_int64_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(int64_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint8_ibget(shmem_ctx_t ctx, uint8_t *target, const uint8_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_uint8_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(uint8_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint16_ibget(shmem_ctx_t ctx, uint16_t *target, const uint16_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_uint16_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(uint16_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint32_ibget(shmem_ctx_t ctx, uint32_t *target, const uint32_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_uint32_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(uint32_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_uint64_ibget(shmem_ctx_t ctx, uint64_t *target, const uint64_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_uint64_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(uint64_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_size_ibget(shmem_ctx_t ctx, size_t *target, const size_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_size_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(size_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ptrdiff_ibget(shmem_ctx_t ctx, ptrdiff_t *target, const ptrdiff_t *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_ptrdiff_ibget", ctx, target, source, tst, sst, bsize, nblocks, sizeof(ptrdiff_t), pe); }
PHILAE_SHMEM_INLINE void shmemx_ibget8(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ibget8", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, 1, pe); }
PHILAE_SHMEM_INLINE void shmemx_ibget16(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ibget16", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, 2, pe); }
PHILAE_SHMEM_INLINE void shmemx_ibget32(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ibget32", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, 4, pe); }
PHILAE_SHMEM_INLINE void shmemx_ibget64(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ibget64", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, 8, pe); }
PHILAE_SHMEM_INLINE void shmemx_ibget128(void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ibget128", SHMEM_CTX_DEFAULT, target, source, tst, sst, bsize, nblocks, 16, pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ibget8(shmem_ctx_t ctx, void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_ibget8", ctx, target, source, tst, sst, bsize, nblocks, 1, pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ibget16(shmem_ctx_t ctx, void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_ibget16", ctx, target, source, tst, sst, bsize, nblocks, 2, pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ibget32(shmem_ctx_t ctx, void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_ibget32", ctx, target, source, tst, sst, bsize, nblocks, 4, pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ibget64(shmem_ctx_t ctx, void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_ibget64", ctx, target, source, tst, sst, bsize, nblocks, 8, pe); }
PHILAE_SHMEM_INLINE void shmemx_ctx_ibget128(shmem_ctx_t ctx, void *target, const void *source, ptrdiff_t tst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmemx_ctx_ibget128", ctx, target, source, tst, sst, bsize, nblocks, 16, pe); }
PHILAE_SHMEM_INLINE void shmemx_signal_add(uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmemx_signal_add", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_U64, add, ADD, sig_addr, signal, pe)
PHILAE_SHMEM_INLINE void shmemx_ctx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmemx_ctx_signal_add", ctx, uint64_t, PHILAE_SHMEM_U64, add, ADD, sig_addr, signal, pe)

#ifdef __cplusplus
}
#endif

#endif
