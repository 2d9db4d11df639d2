/* Written by philae-shmem-tables from the tables of crates/nic/shmem-codegen: do not edit. */
/* shmem.h includes it. A pointer to one of these functions, and a call that is not inlined, is the library's. */
#ifndef PHILAE_SHMEM_BODIES_H
#define PHILAE_SHMEM_BODIES_H

#include <philae/shmem_inline.h>

#ifdef __cplusplus
extern "C" {
#endif

PHILAE_SHMEM_INLINE int shmem_my_pe(void)
{ int me = philae_shmem_here.me; return PHILAE_SHMEM_LIKELY(me >= 0) ? me : philae_shmem_my_pe("shmem_my_pe"); }
PHILAE_SHMEM_INLINE int shmem_n_pes(void)
{ int n = philae_shmem_here.n_pes; return PHILAE_SHMEM_LIKELY(n >= 0) ? n : philae_shmem_n_pes("shmem_n_pes"); }
PHILAE_SHMEM_INLINE void *shmem_ptr(const void *dest, int pe)
{ return philae_shmem_local_ptr("shmem_ptr", dest, pe); }
PHILAE_SHMEM_INLINE int shmem_team_my_pe(shmem_team_t team)
{ return team ? team->me : -1; }
PHILAE_SHMEM_INLINE int shmem_team_n_pes(shmem_team_t team)
{ return team ? team->n_pes : -1; }
PHILAE_SHMEM_INLINE void shmem_float_put(float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_float_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_double_put(double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_double_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_longdouble_put(long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_longdouble_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_char_put(char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_char_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_schar_put(signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_schar_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_short_put(short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_short_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int_put(int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_int_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_long_put(long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_long_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_longlong_put(long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_longlong_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uchar_put(unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_uchar_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ushort_put(unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ushort_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint_put(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_uint_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ulong_put(unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ulong_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ulonglong_put(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ulonglong_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int8_put(int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_int8_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int16_put(int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_int16_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int32_put(int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_int32_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int64_put(int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_int64_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint8_put(uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_uint8_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint16_put(uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_uint16_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint32_put(uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_uint32_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint64_put(uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_uint64_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_size_put(size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_size_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ptrdiff_put(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ptrdiff_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_float_put(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_float_put", ctx, dest, source, nelems, sizeof(float), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_double_put(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_double_put", ctx, dest, source, nelems, sizeof(double), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_longdouble_put(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_longdouble_put", ctx, dest, source, nelems, sizeof(long double), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_char_put(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_char_put", ctx, dest, source, nelems, sizeof(char), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_schar_put(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_schar_put", ctx, dest, source, nelems, sizeof(signed char), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_short_put(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_short_put", ctx, dest, source, nelems, sizeof(short), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int_put(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_int_put", ctx, dest, source, nelems, sizeof(int), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_long_put(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_long_put", ctx, dest, source, nelems, sizeof(long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_put(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_longlong_put", ctx, dest, source, nelems, sizeof(long long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uchar_put(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_uchar_put", ctx, dest, source, nelems, sizeof(unsigned char), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_ushort_put(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_ushort_put", ctx, dest, source, nelems, sizeof(unsigned short), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint_put(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_uint_put", ctx, dest, source, nelems, sizeof(unsigned int), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_put(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_ulong_put", ctx, dest, source, nelems, sizeof(unsigned long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_put(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_ulonglong_put", ctx, dest, source, nelems, sizeof(unsigned long long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int8_put(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_int8_put", ctx, dest, source, nelems, sizeof(int8_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int16_put(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_int16_put", ctx, dest, source, nelems, sizeof(int16_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int32_put(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_int32_put", ctx, dest, source, nelems, sizeof(int32_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int64_put(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_int64_put", ctx, dest, source, nelems, sizeof(int64_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint8_put(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_uint8_put", ctx, dest, source, nelems, sizeof(uint8_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint16_put(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_uint16_put", ctx, dest, source, nelems, sizeof(uint16_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_put(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_uint32_put", ctx, dest, source, nelems, sizeof(uint32_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_put(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_uint64_put", ctx, dest, source, nelems, sizeof(uint64_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_size_put(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_size_put", ctx, dest, source, nelems, sizeof(size_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_put(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_ptrdiff_put", ctx, dest, source, nelems, sizeof(ptrdiff_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_put8(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_put8", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_put16(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_put16", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_put32(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_put32", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_put64(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_put64", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_put128(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_put128", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_put8(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_put8", ctx, dest, source, nelems, 1, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_put16(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_put16", ctx, dest, source, nelems, 2, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_put32(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_put32", ctx, dest, source, nelems, 4, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_put64(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_put64", ctx, dest, source, nelems, 8, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_put128(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_put128", ctx, dest, source, nelems, 16, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_putmem(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_putmem", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_putmem(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_putmem", ctx, dest, source, nelems, 1, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_float_p(float *dest, float value, int pe)
PHILAE_SHMEM_P("shmem_float_p", SHMEM_CTX_DEFAULT, float, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_double_p(double *dest, double value, int pe)
PHILAE_SHMEM_P("shmem_double_p", SHMEM_CTX_DEFAULT, double, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_longdouble_p(long double *dest, long double value, int pe)
PHILAE_SHMEM_P("shmem_longdouble_p", SHMEM_CTX_DEFAULT, long double, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_char_p(char *dest, char value, int pe)
PHILAE_SHMEM_P("shmem_char_p", SHMEM_CTX_DEFAULT, char, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_schar_p(signed char *dest, signed char value, int pe)
PHILAE_SHMEM_P("shmem_schar_p", SHMEM_CTX_DEFAULT, signed char, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_short_p(short *dest, short value, int pe)
PHILAE_SHMEM_P("shmem_short_p", SHMEM_CTX_DEFAULT, short, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int_p(int *dest, int value, int pe)
PHILAE_SHMEM_P("shmem_int_p", SHMEM_CTX_DEFAULT, int, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_long_p(long *dest, long value, int pe)
PHILAE_SHMEM_P("shmem_long_p", SHMEM_CTX_DEFAULT, long, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_longlong_p(long long *dest, long long value, int pe)
PHILAE_SHMEM_P("shmem_longlong_p", SHMEM_CTX_DEFAULT, long long, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uchar_p(unsigned char *dest, unsigned char value, int pe)
PHILAE_SHMEM_P("shmem_uchar_p", SHMEM_CTX_DEFAULT, unsigned char, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ushort_p(unsigned short *dest, unsigned short value, int pe)
PHILAE_SHMEM_P("shmem_ushort_p", SHMEM_CTX_DEFAULT, unsigned short, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_p(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_P("shmem_uint_p", SHMEM_CTX_DEFAULT, unsigned int, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_p(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_P("shmem_ulong_p", SHMEM_CTX_DEFAULT, unsigned long, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_p(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_P("shmem_ulonglong_p", SHMEM_CTX_DEFAULT, unsigned long long, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int8_p(int8_t *dest, int8_t value, int pe)
PHILAE_SHMEM_P("shmem_int8_p", SHMEM_CTX_DEFAULT, int8_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int16_p(int16_t *dest, int16_t value, int pe)
PHILAE_SHMEM_P("shmem_int16_p", SHMEM_CTX_DEFAULT, int16_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_p(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_P("shmem_int32_p", SHMEM_CTX_DEFAULT, int32_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_p(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_P("shmem_int64_p", SHMEM_CTX_DEFAULT, int64_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint8_p(uint8_t *dest, uint8_t value, int pe)
PHILAE_SHMEM_P("shmem_uint8_p", SHMEM_CTX_DEFAULT, uint8_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint16_p(uint16_t *dest, uint16_t value, int pe)
PHILAE_SHMEM_P("shmem_uint16_p", SHMEM_CTX_DEFAULT, uint16_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_p(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_P("shmem_uint32_p", SHMEM_CTX_DEFAULT, uint32_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_p(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_P("shmem_uint64_p", SHMEM_CTX_DEFAULT, uint64_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_size_p(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_P("shmem_size_p", SHMEM_CTX_DEFAULT, size_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_p(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_P("shmem_ptrdiff_p", SHMEM_CTX_DEFAULT, ptrdiff_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_float_p(shmem_ctx_t ctx, float *dest, float value, int pe)
PHILAE_SHMEM_P("shmem_ctx_float_p", ctx, float, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_double_p(shmem_ctx_t ctx, double *dest, double value, int pe)
PHILAE_SHMEM_P("shmem_ctx_double_p", ctx, double, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_longdouble_p(shmem_ctx_t ctx, long double *dest, long double value, int pe)
PHILAE_SHMEM_P("shmem_ctx_longdouble_p", ctx, long double, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_char_p(shmem_ctx_t ctx, char *dest, char value, int pe)
PHILAE_SHMEM_P("shmem_ctx_char_p", ctx, char, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_schar_p(shmem_ctx_t ctx, signed char *dest, signed char value, int pe)
PHILAE_SHMEM_P("shmem_ctx_schar_p", ctx, signed char, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_short_p(shmem_ctx_t ctx, short *dest, short value, int pe)
PHILAE_SHMEM_P("shmem_ctx_short_p", ctx, short, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int_p(shmem_ctx_t ctx, int *dest, int value, int pe)
PHILAE_SHMEM_P("shmem_ctx_int_p", ctx, int, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_long_p(shmem_ctx_t ctx, long *dest, long value, int pe)
PHILAE_SHMEM_P("shmem_ctx_long_p", ctx, long, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_p(shmem_ctx_t ctx, long long *dest, long long value, int pe)
PHILAE_SHMEM_P("shmem_ctx_longlong_p", ctx, long long, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uchar_p(shmem_ctx_t ctx, unsigned char *dest, unsigned char value, int pe)
PHILAE_SHMEM_P("shmem_ctx_uchar_p", ctx, unsigned char, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ushort_p(shmem_ctx_t ctx, unsigned short *dest, unsigned short value, int pe)
PHILAE_SHMEM_P("shmem_ctx_ushort_p", ctx, unsigned short, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_p(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_P("shmem_ctx_uint_p", ctx, unsigned int, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_p(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_P("shmem_ctx_ulong_p", ctx, unsigned long, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_p(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_P("shmem_ctx_ulonglong_p", ctx, unsigned long long, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int8_p(shmem_ctx_t ctx, int8_t *dest, int8_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_int8_p", ctx, int8_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int16_p(shmem_ctx_t ctx, int16_t *dest, int16_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_int16_p", ctx, int16_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_p(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_int32_p", ctx, int32_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_p(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_int64_p", ctx, int64_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint8_p(shmem_ctx_t ctx, uint8_t *dest, uint8_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_uint8_p", ctx, uint8_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint16_p(shmem_ctx_t ctx, uint16_t *dest, uint16_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_uint16_p", ctx, uint16_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_p(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_uint32_p", ctx, uint32_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_p(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_uint64_p", ctx, uint64_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_size_p(shmem_ctx_t ctx, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_size_p", ctx, size_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_p(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_ptrdiff_p", ctx, ptrdiff_t, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_float_get(float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_float_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_double_get(double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_double_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_longdouble_get(long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_longdouble_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_char_get(char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_char_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_schar_get(signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_schar_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_short_get(short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_short_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int_get(int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_int_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_long_get(long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_long_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_longlong_get(long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_longlong_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uchar_get(unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_uchar_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ushort_get(unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ushort_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint_get(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_uint_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ulong_get(unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ulong_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ulonglong_get(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ulonglong_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int8_get(int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_int8_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int16_get(int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_int16_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int32_get(int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_int32_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int64_get(int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_int64_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint8_get(uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_uint8_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint16_get(uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_uint16_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint32_get(uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_uint32_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint64_get(uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_uint64_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_size_get(size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_size_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ptrdiff_get(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ptrdiff_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_float_get(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_float_get", ctx, dest, source, nelems, sizeof(float), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_double_get(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_double_get", ctx, dest, source, nelems, sizeof(double), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_longdouble_get(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_longdouble_get", ctx, dest, source, nelems, sizeof(long double), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_char_get(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_char_get", ctx, dest, source, nelems, sizeof(char), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_schar_get(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_schar_get", ctx, dest, source, nelems, sizeof(signed char), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_short_get(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_short_get", ctx, dest, source, nelems, sizeof(short), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int_get(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_int_get", ctx, dest, source, nelems, sizeof(int), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_long_get(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_long_get", ctx, dest, source, nelems, sizeof(long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_get(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_longlong_get", ctx, dest, source, nelems, sizeof(long long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uchar_get(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_uchar_get", ctx, dest, source, nelems, sizeof(unsigned char), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_ushort_get(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_ushort_get", ctx, dest, source, nelems, sizeof(unsigned short), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint_get(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_uint_get", ctx, dest, source, nelems, sizeof(unsigned int), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_get(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_ulong_get", ctx, dest, source, nelems, sizeof(unsigned long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_get(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_ulonglong_get", ctx, dest, source, nelems, sizeof(unsigned long long), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int8_get(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_int8_get", ctx, dest, source, nelems, sizeof(int8_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int16_get(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_int16_get", ctx, dest, source, nelems, sizeof(int16_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int32_get(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_int32_get", ctx, dest, source, nelems, sizeof(int32_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int64_get(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_int64_get", ctx, dest, source, nelems, sizeof(int64_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint8_get(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_uint8_get", ctx, dest, source, nelems, sizeof(uint8_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint16_get(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_uint16_get", ctx, dest, source, nelems, sizeof(uint16_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_get(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_uint32_get", ctx, dest, source, nelems, sizeof(uint32_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_get(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_uint64_get", ctx, dest, source, nelems, sizeof(uint64_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_size_get(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_size_get", ctx, dest, source, nelems, sizeof(size_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_get(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_ptrdiff_get", ctx, dest, source, nelems, sizeof(ptrdiff_t), pe, 0); }
PHILAE_SHMEM_INLINE void shmem_get8(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_get8", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_get16(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_get16", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_get32(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_get32", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_get64(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_get64", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_get128(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_get128", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_get8(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_get8", ctx, dest, source, nelems, 1, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_get16(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_get16", ctx, dest, source, nelems, 2, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_get32(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_get32", ctx, dest, source, nelems, 4, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_get64(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_get64", ctx, dest, source, nelems, 8, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_get128(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_get128", ctx, dest, source, nelems, 16, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_getmem(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_getmem", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_getmem(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_getmem", ctx, dest, source, nelems, 1, pe, 0); }
PHILAE_SHMEM_INLINE float shmem_float_g(const float *source, int pe)
PHILAE_SHMEM_G("shmem_float_g", SHMEM_CTX_DEFAULT, float, source, pe)
PHILAE_SHMEM_INLINE double shmem_double_g(const double *source, int pe)
PHILAE_SHMEM_G("shmem_double_g", SHMEM_CTX_DEFAULT, double, source, pe)
PHILAE_SHMEM_INLINE long double shmem_longdouble_g(const long double *source, int pe)
PHILAE_SHMEM_G("shmem_longdouble_g", SHMEM_CTX_DEFAULT, long double, source, pe)
PHILAE_SHMEM_INLINE char shmem_char_g(const char *source, int pe)
PHILAE_SHMEM_G("shmem_char_g", SHMEM_CTX_DEFAULT, char, source, pe)
PHILAE_SHMEM_INLINE signed char shmem_schar_g(const signed char *source, int pe)
PHILAE_SHMEM_G("shmem_schar_g", SHMEM_CTX_DEFAULT, signed char, source, pe)
PHILAE_SHMEM_INLINE short shmem_short_g(const short *source, int pe)
PHILAE_SHMEM_G("shmem_short_g", SHMEM_CTX_DEFAULT, short, source, pe)
PHILAE_SHMEM_INLINE int shmem_int_g(const int *source, int pe)
PHILAE_SHMEM_G("shmem_int_g", SHMEM_CTX_DEFAULT, int, source, pe)
PHILAE_SHMEM_INLINE long shmem_long_g(const long *source, int pe)
PHILAE_SHMEM_G("shmem_long_g", SHMEM_CTX_DEFAULT, long, source, pe)
PHILAE_SHMEM_INLINE long long shmem_longlong_g(const long long *source, int pe)
PHILAE_SHMEM_G("shmem_longlong_g", SHMEM_CTX_DEFAULT, long long, source, pe)
PHILAE_SHMEM_INLINE unsigned char shmem_uchar_g(const unsigned char *source, int pe)
PHILAE_SHMEM_G("shmem_uchar_g", SHMEM_CTX_DEFAULT, unsigned char, source, pe)
PHILAE_SHMEM_INLINE unsigned short shmem_ushort_g(const unsigned short *source, int pe)
PHILAE_SHMEM_G("shmem_ushort_g", SHMEM_CTX_DEFAULT, unsigned short, source, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_g(const unsigned int *source, int pe)
PHILAE_SHMEM_G("shmem_uint_g", SHMEM_CTX_DEFAULT, unsigned int, source, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_g(const unsigned long *source, int pe)
PHILAE_SHMEM_G("shmem_ulong_g", SHMEM_CTX_DEFAULT, unsigned long, source, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_g(const unsigned long long *source, int pe)
PHILAE_SHMEM_G("shmem_ulonglong_g", SHMEM_CTX_DEFAULT, unsigned long long, source, pe)
PHILAE_SHMEM_INLINE int8_t shmem_int8_g(const int8_t *source, int pe)
PHILAE_SHMEM_G("shmem_int8_g", SHMEM_CTX_DEFAULT, int8_t, source, pe)
PHILAE_SHMEM_INLINE int16_t shmem_int16_g(const int16_t *source, int pe)
PHILAE_SHMEM_G("shmem_int16_g", SHMEM_CTX_DEFAULT, int16_t, source, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_g(const int32_t *source, int pe)
PHILAE_SHMEM_G("shmem_int32_g", SHMEM_CTX_DEFAULT, int32_t, source, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_g(const int64_t *source, int pe)
PHILAE_SHMEM_G("shmem_int64_g", SHMEM_CTX_DEFAULT, int64_t, source, pe)
PHILAE_SHMEM_INLINE uint8_t shmem_uint8_g(const uint8_t *source, int pe)
PHILAE_SHMEM_G("shmem_uint8_g", SHMEM_CTX_DEFAULT, uint8_t, source, pe)
PHILAE_SHMEM_INLINE uint16_t shmem_uint16_g(const uint16_t *source, int pe)
PHILAE_SHMEM_G("shmem_uint16_g", SHMEM_CTX_DEFAULT, uint16_t, source, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_g(const uint32_t *source, int pe)
PHILAE_SHMEM_G("shmem_uint32_g", SHMEM_CTX_DEFAULT, uint32_t, source, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_g(const uint64_t *source, int pe)
PHILAE_SHMEM_G("shmem_uint64_g", SHMEM_CTX_DEFAULT, uint64_t, source, pe)
PHILAE_SHMEM_INLINE size_t shmem_size_g(const size_t *source, int pe)
PHILAE_SHMEM_G("shmem_size_g", SHMEM_CTX_DEFAULT, size_t, source, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ptrdiff_g(const ptrdiff_t *source, int pe)
PHILAE_SHMEM_G("shmem_ptrdiff_g", SHMEM_CTX_DEFAULT, ptrdiff_t, source, pe)
PHILAE_SHMEM_INLINE float shmem_ctx_float_g(shmem_ctx_t ctx, const float *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_float_g", ctx, float, source, pe)
PHILAE_SHMEM_INLINE double shmem_ctx_double_g(shmem_ctx_t ctx, const double *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_double_g", ctx, double, source, pe)
PHILAE_SHMEM_INLINE long double shmem_ctx_longdouble_g(shmem_ctx_t ctx, const long double *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_longdouble_g", ctx, long double, source, pe)
PHILAE_SHMEM_INLINE char shmem_ctx_char_g(shmem_ctx_t ctx, const char *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_char_g", ctx, char, source, pe)
PHILAE_SHMEM_INLINE signed char shmem_ctx_schar_g(shmem_ctx_t ctx, const signed char *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_schar_g", ctx, signed char, source, pe)
PHILAE_SHMEM_INLINE short shmem_ctx_short_g(shmem_ctx_t ctx, const short *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_short_g", ctx, short, source, pe)
PHILAE_SHMEM_INLINE int shmem_ctx_int_g(shmem_ctx_t ctx, const int *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_int_g", ctx, int, source, pe)
PHILAE_SHMEM_INLINE long shmem_ctx_long_g(shmem_ctx_t ctx, const long *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_long_g", ctx, long, source, pe)
PHILAE_SHMEM_INLINE long long shmem_ctx_longlong_g(shmem_ctx_t ctx, const long long *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_longlong_g", ctx, long long, source, pe)
PHILAE_SHMEM_INLINE unsigned char shmem_ctx_uchar_g(shmem_ctx_t ctx, const unsigned char *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_uchar_g", ctx, unsigned char, source, pe)
PHILAE_SHMEM_INLINE unsigned short shmem_ctx_ushort_g(shmem_ctx_t ctx, const unsigned short *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_ushort_g", ctx, unsigned short, source, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_ctx_uint_g(shmem_ctx_t ctx, const unsigned int *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_uint_g", ctx, unsigned int, source, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ctx_ulong_g(shmem_ctx_t ctx, const unsigned long *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_ulong_g", ctx, unsigned long, source, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ctx_ulonglong_g(shmem_ctx_t ctx, const unsigned long long *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_ulonglong_g", ctx, unsigned long long, source, pe)
PHILAE_SHMEM_INLINE int8_t shmem_ctx_int8_g(shmem_ctx_t ctx, const int8_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_int8_g", ctx, int8_t, source, pe)
PHILAE_SHMEM_INLINE int16_t shmem_ctx_int16_g(shmem_ctx_t ctx, const int16_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_int16_g", ctx, int16_t, source, pe)
PHILAE_SHMEM_INLINE int32_t shmem_ctx_int32_g(shmem_ctx_t ctx, const int32_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_int32_g", ctx, int32_t, source, pe)
PHILAE_SHMEM_INLINE int64_t shmem_ctx_int64_g(shmem_ctx_t ctx, const int64_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_int64_g", ctx, int64_t, source, pe)
PHILAE_SHMEM_INLINE uint8_t shmem_ctx_uint8_g(shmem_ctx_t ctx, const uint8_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_uint8_g", ctx, uint8_t, source, pe)
PHILAE_SHMEM_INLINE uint16_t shmem_ctx_uint16_g(shmem_ctx_t ctx, const uint16_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_uint16_g", ctx, uint16_t, source, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_ctx_uint32_g(shmem_ctx_t ctx, const uint32_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_uint32_g", ctx, uint32_t, source, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_ctx_uint64_g(shmem_ctx_t ctx, const uint64_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_uint64_g", ctx, uint64_t, source, pe)
PHILAE_SHMEM_INLINE size_t shmem_ctx_size_g(shmem_ctx_t ctx, const size_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_size_g", ctx, size_t, source, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ctx_ptrdiff_g(shmem_ctx_t ctx, const ptrdiff_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_ptrdiff_g", ctx, ptrdiff_t, source, pe)
PHILAE_SHMEM_INLINE void shmem_float_iput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_float_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(float), pe); }
PHILAE_SHMEM_INLINE void shmem_double_iput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_double_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(double), pe); }
PHILAE_SHMEM_INLINE void shmem_longdouble_iput(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_longdouble_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(long double), pe); }
PHILAE_SHMEM_INLINE void shmem_char_iput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_char_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(char), pe); }
PHILAE_SHMEM_INLINE void shmem_schar_iput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_schar_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(signed char), pe); }
PHILAE_SHMEM_INLINE void shmem_short_iput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_short_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(short), pe); }
PHILAE_SHMEM_INLINE void shmem_int_iput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_int_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int), pe); }
PHILAE_SHMEM_INLINE void shmem_long_iput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_long_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(long), pe); }
PHILAE_SHMEM_INLINE void shmem_longlong_iput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_longlong_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(long long), pe); }
PHILAE_SHMEM_INLINE void shmem_uchar_iput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_uchar_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned char), pe); }
PHILAE_SHMEM_INLINE void shmem_ushort_iput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ushort_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned short), pe); }
PHILAE_SHMEM_INLINE void shmem_uint_iput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_uint_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned int), pe); }
PHILAE_SHMEM_INLINE void shmem_ulong_iput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ulong_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned long), pe); }
PHILAE_SHMEM_INLINE void shmem_ulonglong_iput(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ulonglong_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned long long), pe); }
PHILAE_SHMEM_INLINE void shmem_int8_iput(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_int8_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_int16_iput(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_int16_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_int32_iput(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_int32_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_int64_iput(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_int64_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint8_iput(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_uint8_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint16_iput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_uint16_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint32_iput(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_uint32_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint64_iput(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_uint64_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_size_iput(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_size_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(size_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ptrdiff_iput(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ptrdiff_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(ptrdiff_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_float_iput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_float_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(float), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_double_iput(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_double_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(double), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_longdouble_iput(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_longdouble_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(long double), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_char_iput(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_char_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(char), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_schar_iput(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_schar_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(signed char), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_short_iput(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_short_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(short), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int_iput(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_int_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(int), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_long_iput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_long_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_iput(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_longlong_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(long long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uchar_iput(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_uchar_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned char), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ushort_iput(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ushort_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned short), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint_iput(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_uint_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned int), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_iput(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ulong_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_iput(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ulonglong_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned long long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int8_iput(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_int8_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(int8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int16_iput(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_int16_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(int16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int32_iput(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_int32_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(int32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int64_iput(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_int64_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(int64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint8_iput(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_uint8_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint16_iput(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_uint16_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_iput(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_uint32_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_iput(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_uint64_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_size_iput(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_size_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(size_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_iput(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ptrdiff_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(ptrdiff_t), pe); }
PHILAE_SHMEM_INLINE void shmem_iput8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_iput8", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 1, pe); }
PHILAE_SHMEM_INLINE void shmem_iput16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_iput16", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 2, pe); }
PHILAE_SHMEM_INLINE void shmem_iput32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_iput32", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 4, pe); }
PHILAE_SHMEM_INLINE void shmem_iput64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_iput64", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 8, pe); }
PHILAE_SHMEM_INLINE void shmem_iput128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_iput128", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 16, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_iput8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_iput8", ctx, dest, source, dst, sst, 1, nelems, 1, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_iput16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_iput16", ctx, dest, source, dst, sst, 1, nelems, 2, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_iput32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_iput32", ctx, dest, source, dst, sst, 1, nelems, 4, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_iput64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_iput64", ctx, dest, source, dst, sst, 1, nelems, 8, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_iput128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_iput128", ctx, dest, source, dst, sst, 1, nelems, 16, pe); }
PHILAE_SHMEM_INLINE void shmem_float_iget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_float_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(float), pe); }
PHILAE_SHMEM_INLINE void shmem_double_iget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_double_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(double), pe); }
PHILAE_SHMEM_INLINE void shmem_longdouble_iget(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_longdouble_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(long double), pe); }
PHILAE_SHMEM_INLINE void shmem_char_iget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_char_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(char), pe); }
PHILAE_SHMEM_INLINE void shmem_schar_iget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_schar_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(signed char), pe); }
PHILAE_SHMEM_INLINE void shmem_short_iget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_short_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(short), pe); }
PHILAE_SHMEM_INLINE void shmem_int_iget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_int_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int), pe); }
PHILAE_SHMEM_INLINE void shmem_long_iget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_long_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(long), pe); }
PHILAE_SHMEM_INLINE void shmem_longlong_iget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_longlong_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(long long), pe); }
PHILAE_SHMEM_INLINE void shmem_uchar_iget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_uchar_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned char), pe); }
PHILAE_SHMEM_INLINE void shmem_ushort_iget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ushort_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned short), pe); }
PHILAE_SHMEM_INLINE void shmem_uint_iget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_uint_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned int), pe); }
PHILAE_SHMEM_INLINE void shmem_ulong_iget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ulong_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned long), pe); }
PHILAE_SHMEM_INLINE void shmem_ulonglong_iget(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ulonglong_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned long long), pe); }
PHILAE_SHMEM_INLINE void shmem_int8_iget(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_int8_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_int16_iget(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_int16_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_int32_iget(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_int32_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_int64_iget(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_int64_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint8_iget(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_uint8_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint16_iget(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_uint16_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint32_iget(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_uint32_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint64_iget(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_uint64_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_size_iget(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_size_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(size_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ptrdiff_iget(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ptrdiff_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(ptrdiff_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_float_iget(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_float_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(float), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_double_iget(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_double_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(double), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_longdouble_iget(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_longdouble_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(long double), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_char_iget(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_char_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(char), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_schar_iget(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_schar_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(signed char), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_short_iget(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_short_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(short), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int_iget(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_int_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(int), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_long_iget(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_long_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_iget(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_longlong_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(long long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uchar_iget(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_uchar_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned char), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ushort_iget(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ushort_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned short), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint_iget(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_uint_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned int), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_iget(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ulong_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_iget(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ulonglong_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned long long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int8_iget(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_int8_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(int8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int16_iget(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_int16_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(int16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int32_iget(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_int32_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(int32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int64_iget(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_int64_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(int64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint8_iget(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_uint8_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint16_iget(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_uint16_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_iget(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_uint32_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_iget(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_uint64_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_size_iget(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_size_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(size_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_iget(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ptrdiff_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(ptrdiff_t), pe); }
PHILAE_SHMEM_INLINE void shmem_iget8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_iget8", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 1, pe); }
PHILAE_SHMEM_INLINE void shmem_iget16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_iget16", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 2, pe); }
PHILAE_SHMEM_INLINE void shmem_iget32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_iget32", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 4, pe); }
PHILAE_SHMEM_INLINE void shmem_iget64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_iget64", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 8, pe); }
PHILAE_SHMEM_INLINE void shmem_iget128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_iget128", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 16, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_iget8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_iget8", ctx, dest, source, dst, sst, 1, nelems, 1, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_iget16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_iget16", ctx, dest, source, dst, sst, 1, nelems, 2, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_iget32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_iget32", ctx, dest, source, dst, sst, 1, nelems, 4, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_iget64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_iget64", ctx, dest, source, dst, sst, 1, nelems, 8, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_iget128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_iget128", ctx, dest, source, dst, sst, 1, nelems, 16, pe); }
PHILAE_SHMEM_INLINE void shmem_float_ibput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_float_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(float), pe); }
PHILAE_SHMEM_INLINE void shmem_double_ibput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_double_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(double), pe); }
PHILAE_SHMEM_INLINE void shmem_longdouble_ibput(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_longdouble_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(long double), pe); }
PHILAE_SHMEM_INLINE void shmem_char_ibput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_char_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(char), pe); }
PHILAE_SHMEM_INLINE void shmem_schar_ibput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_schar_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(signed char), pe); }
PHILAE_SHMEM_INLINE void shmem_short_ibput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_short_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(short), pe); }
PHILAE_SHMEM_INLINE void shmem_int_ibput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_int_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int), pe); }
PHILAE_SHMEM_INLINE void shmem_long_ibput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_long_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(long), pe); }
PHILAE_SHMEM_INLINE void shmem_longlong_ibput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_longlong_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(long long), pe); }
PHILAE_SHMEM_INLINE void shmem_uchar_ibput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_uchar_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned char), pe); }
PHILAE_SHMEM_INLINE void shmem_ushort_ibput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ushort_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned short), pe); }
PHILAE_SHMEM_INLINE void shmem_uint_ibput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_uint_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned int), pe); }
PHILAE_SHMEM_INLINE void shmem_ulong_ibput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ulong_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long), pe); }
PHILAE_SHMEM_INLINE void shmem_ulonglong_ibput(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ulonglong_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long long), pe); }
PHILAE_SHMEM_INLINE void shmem_int8_ibput(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_int8_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_int16_ibput(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_int16_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_int32_ibput(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_int32_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_int64_ibput(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_int64_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint8_ibput(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_uint8_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint16_ibput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_uint16_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint32_ibput(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_uint32_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint64_ibput(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_uint64_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_size_ibput(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_size_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(size_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ptrdiff_ibput(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ptrdiff_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(ptrdiff_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_float_ibput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_float_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(float), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_double_ibput(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_double_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(double), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_longdouble_ibput(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_longdouble_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(long double), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_char_ibput(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_char_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(char), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_schar_ibput(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_schar_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(signed char), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_short_ibput(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_short_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(short), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int_ibput(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_int_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_long_ibput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_long_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_ibput(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_longlong_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(long long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uchar_ibput(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_uchar_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned char), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ushort_ibput(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ushort_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned short), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint_ibput(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_uint_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned int), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_ibput(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ulong_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_ibput(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ulonglong_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int8_ibput(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_int8_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int16_ibput(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_int16_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int32_ibput(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_int32_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int64_ibput(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_int64_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint8_ibput(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_uint8_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint16_ibput(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_uint16_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_ibput(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_uint32_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_ibput(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_uint64_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_size_ibput(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_size_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(size_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_ibput(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ptrdiff_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(ptrdiff_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ibput8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ibput8", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 1, pe); }
PHILAE_SHMEM_INLINE void shmem_ibput16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ibput16", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 2, pe); }
PHILAE_SHMEM_INLINE void shmem_ibput32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ibput32", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 4, pe); }
PHILAE_SHMEM_INLINE void shmem_ibput64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ibput64", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 8, pe); }
PHILAE_SHMEM_INLINE void shmem_ibput128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ibput128", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 16, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ibput8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ibput8", ctx, dest, source, dst, sst, bsize, nblocks, 1, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ibput16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ibput16", ctx, dest, source, dst, sst, bsize, nblocks, 2, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ibput32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ibput32", ctx, dest, source, dst, sst, bsize, nblocks, 4, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ibput64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ibput64", ctx, dest, source, dst, sst, bsize, nblocks, 8, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ibput128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_put_strided("shmem_ctx_ibput128", ctx, dest, source, dst, sst, bsize, nblocks, 16, pe); }
PHILAE_SHMEM_INLINE void shmem_float_ibget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_float_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(float), pe); }
PHILAE_SHMEM_INLINE void shmem_double_ibget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_double_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(double), pe); }
PHILAE_SHMEM_INLINE void shmem_longdouble_ibget(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_longdouble_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(long double), pe); }
PHILAE_SHMEM_INLINE void shmem_char_ibget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_char_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(char), pe); }
PHILAE_SHMEM_INLINE void shmem_schar_ibget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_schar_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(signed char), pe); }
PHILAE_SHMEM_INLINE void shmem_short_ibget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_short_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(short), pe); }
PHILAE_SHMEM_INLINE void shmem_int_ibget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_int_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int), pe); }
PHILAE_SHMEM_INLINE void shmem_long_ibget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_long_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(long), pe); }
PHILAE_SHMEM_INLINE void shmem_longlong_ibget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_longlong_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(long long), pe); }
PHILAE_SHMEM_INLINE void shmem_uchar_ibget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_uchar_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned char), pe); }
PHILAE_SHMEM_INLINE void shmem_ushort_ibget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ushort_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned short), pe); }
PHILAE_SHMEM_INLINE void shmem_uint_ibget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_uint_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned int), pe); }
PHILAE_SHMEM_INLINE void shmem_ulong_ibget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ulong_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long), pe); }
PHILAE_SHMEM_INLINE void shmem_ulonglong_ibget(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ulonglong_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long long), pe); }
PHILAE_SHMEM_INLINE void shmem_int8_ibget(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_int8_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_int16_ibget(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_int16_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_int32_ibget(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_int32_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_int64_ibget(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_int64_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint8_ibget(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_uint8_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint16_ibget(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_uint16_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint32_ibget(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_uint32_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_uint64_ibget(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_uint64_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_size_ibget(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_size_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(size_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ptrdiff_ibget(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ptrdiff_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(ptrdiff_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_float_ibget(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_float_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(float), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_double_ibget(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_double_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(double), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_longdouble_ibget(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_longdouble_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(long double), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_char_ibget(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_char_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(char), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_schar_ibget(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_schar_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(signed char), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_short_ibget(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_short_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(short), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int_ibget(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_int_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_long_ibget(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_long_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_ibget(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_longlong_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(long long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uchar_ibget(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_uchar_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned char), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ushort_ibget(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ushort_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned short), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint_ibget(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_uint_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned int), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_ibget(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ulong_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_ibget(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ulonglong_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long long), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int8_ibget(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_int8_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int16_ibget(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_int16_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int32_ibget(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_int32_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_int64_ibget(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_int64_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint8_ibget(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_uint8_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint8_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint16_ibget(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_uint16_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint16_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_ibget(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_uint32_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint32_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_ibget(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_uint64_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint64_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_size_ibget(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_size_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(size_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_ibget(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ptrdiff_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(ptrdiff_t), pe); }
PHILAE_SHMEM_INLINE void shmem_ibget8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ibget8", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 1, pe); }
PHILAE_SHMEM_INLINE void shmem_ibget16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ibget16", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 2, pe); }
PHILAE_SHMEM_INLINE void shmem_ibget32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ibget32", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 4, pe); }
PHILAE_SHMEM_INLINE void shmem_ibget64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ibget64", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 8, pe); }
PHILAE_SHMEM_INLINE void shmem_ibget128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ibget128", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 16, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ibget8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ibget8", ctx, dest, source, dst, sst, bsize, nblocks, 1, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ibget16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ibget16", ctx, dest, source, dst, sst, bsize, nblocks, 2, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ibget32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ibget32", ctx, dest, source, dst, sst, bsize, nblocks, 4, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ibget64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ibget64", ctx, dest, source, dst, sst, bsize, nblocks, 8, pe); }
PHILAE_SHMEM_INLINE void shmem_ctx_ibget128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_local_get_strided("shmem_ctx_ibget128", ctx, dest, source, dst, sst, bsize, nblocks, 16, pe); }
PHILAE_SHMEM_INLINE void shmem_float_put_nbi(float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_float_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_double_put_nbi(double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_double_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_longdouble_put_nbi(long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_longdouble_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_char_put_nbi(char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_char_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_schar_put_nbi(signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_schar_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_short_put_nbi(short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_short_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int_put_nbi(int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_int_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_long_put_nbi(long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_long_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_longlong_put_nbi(long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_longlong_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uchar_put_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_uchar_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ushort_put_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ushort_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint_put_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_uint_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ulong_put_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ulong_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ulonglong_put_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ulonglong_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int8_put_nbi(int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_int8_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int16_put_nbi(int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_int16_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int32_put_nbi(int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_int32_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int64_put_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_int64_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint8_put_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_uint8_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint16_put_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_uint16_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint32_put_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_uint32_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint64_put_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_uint64_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_size_put_nbi(size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_size_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ptrdiff_put_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ptrdiff_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_float_put_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_float_put_nbi", ctx, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_double_put_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_double_put_nbi", ctx, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_longdouble_put_nbi(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_longdouble_put_nbi", ctx, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_char_put_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_char_put_nbi", ctx, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_schar_put_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_schar_put_nbi", ctx, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_short_put_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_short_put_nbi", ctx, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int_put_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_int_put_nbi", ctx, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_long_put_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_long_put_nbi", ctx, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_put_nbi(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_longlong_put_nbi", ctx, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uchar_put_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_uchar_put_nbi", ctx, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_ushort_put_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_ushort_put_nbi", ctx, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint_put_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_uint_put_nbi", ctx, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_put_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_ulong_put_nbi", ctx, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_put_nbi(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_ulonglong_put_nbi", ctx, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int8_put_nbi(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_int8_put_nbi", ctx, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int16_put_nbi(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_int16_put_nbi", ctx, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int32_put_nbi(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_int32_put_nbi", ctx, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int64_put_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_int64_put_nbi", ctx, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint8_put_nbi(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_uint8_put_nbi", ctx, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint16_put_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_uint16_put_nbi", ctx, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_put_nbi(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_uint32_put_nbi", ctx, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_put_nbi(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_uint64_put_nbi", ctx, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_size_put_nbi(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_size_put_nbi", ctx, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_put_nbi(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_ptrdiff_put_nbi", ctx, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_put8_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_put8_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_put16_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_put16_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_put32_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_put32_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_put64_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_put64_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_put128_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_put128_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_put8_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_put8_nbi", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_put16_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_put16_nbi", ctx, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_put32_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_put32_nbi", ctx, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_put64_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_put64_nbi", ctx, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_put128_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_put128_nbi", ctx, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_putmem_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_putmem_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_putmem_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_put("shmem_ctx_putmem_nbi", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_float_get_nbi(float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_float_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_double_get_nbi(double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_double_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_longdouble_get_nbi(long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_longdouble_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_char_get_nbi(char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_char_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_schar_get_nbi(signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_schar_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_short_get_nbi(short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_short_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int_get_nbi(int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_int_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_long_get_nbi(long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_long_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_longlong_get_nbi(long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_longlong_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uchar_get_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_uchar_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ushort_get_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ushort_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint_get_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_uint_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ulong_get_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ulong_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ulonglong_get_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ulonglong_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int8_get_nbi(int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_int8_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int16_get_nbi(int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_int16_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int32_get_nbi(int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_int32_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int64_get_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_int64_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint8_get_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_uint8_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint16_get_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_uint16_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint32_get_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_uint32_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint64_get_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_uint64_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_size_get_nbi(size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_size_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ptrdiff_get_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ptrdiff_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_float_get_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_float_get_nbi", ctx, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_double_get_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_double_get_nbi", ctx, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_longdouble_get_nbi(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_longdouble_get_nbi", ctx, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_char_get_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_char_get_nbi", ctx, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_schar_get_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_schar_get_nbi", ctx, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_short_get_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_short_get_nbi", ctx, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int_get_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_int_get_nbi", ctx, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_long_get_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_long_get_nbi", ctx, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_get_nbi(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_longlong_get_nbi", ctx, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uchar_get_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_uchar_get_nbi", ctx, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_ushort_get_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_ushort_get_nbi", ctx, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint_get_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_uint_get_nbi", ctx, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_get_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_ulong_get_nbi", ctx, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_get_nbi(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_ulonglong_get_nbi", ctx, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int8_get_nbi(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_int8_get_nbi", ctx, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int16_get_nbi(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_int16_get_nbi", ctx, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int32_get_nbi(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_int32_get_nbi", ctx, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int64_get_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_int64_get_nbi", ctx, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint8_get_nbi(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_uint8_get_nbi", ctx, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint16_get_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_uint16_get_nbi", ctx, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_get_nbi(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_uint32_get_nbi", ctx, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_get_nbi(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_uint64_get_nbi", ctx, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_size_get_nbi(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_size_get_nbi", ctx, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_get_nbi(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_ptrdiff_get_nbi", ctx, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_get8_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_get8_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_get16_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_get16_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_get32_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_get32_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_get64_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_get64_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_get128_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_get128_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_get8_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_get8_nbi", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_get16_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_get16_nbi", ctx, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_get32_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_get32_nbi", ctx, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_get64_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_get64_nbi", ctx, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_get128_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_get128_nbi", ctx, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_getmem_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_getmem_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_getmem_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_local_get("shmem_ctx_getmem_nbi", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE float shmem_float_atomic_fetch(const float *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_float_atomic_fetch", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, source, pe)
PHILAE_SHMEM_INLINE double shmem_double_atomic_fetch(const double *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_double_atomic_fetch", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, source, pe)
PHILAE_SHMEM_INLINE int shmem_int_atomic_fetch(const int *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_int_atomic_fetch", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), source, pe)
PHILAE_SHMEM_INLINE long shmem_long_atomic_fetch(const long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_long_atomic_fetch", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), source, pe)
PHILAE_SHMEM_INLINE long long shmem_longlong_atomic_fetch(const long long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_longlong_atomic_fetch", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), source, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_atomic_fetch(const unsigned int *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_uint_atomic_fetch", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), source, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_atomic_fetch(const unsigned long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ulong_atomic_fetch", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), source, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_atomic_fetch(const unsigned long long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ulonglong_atomic_fetch", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), source, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_atomic_fetch(const int32_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_int32_atomic_fetch", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), source, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_atomic_fetch(const int64_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_int64_atomic_fetch", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), source, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_atomic_fetch(const uint32_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_uint32_atomic_fetch", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), source, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_atomic_fetch(const uint64_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_uint64_atomic_fetch", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), source, pe)
PHILAE_SHMEM_INLINE size_t shmem_size_atomic_fetch(const size_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_size_atomic_fetch", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), source, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ptrdiff_atomic_fetch(const ptrdiff_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ptrdiff_atomic_fetch", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), source, pe)
PHILAE_SHMEM_INLINE float shmem_ctx_float_atomic_fetch(shmem_ctx_t ctx, const float *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_float_atomic_fetch", ctx, float, PHILAE_SHMEM_F32, source, pe)
PHILAE_SHMEM_INLINE double shmem_ctx_double_atomic_fetch(shmem_ctx_t ctx, const double *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_double_atomic_fetch", ctx, double, PHILAE_SHMEM_F64, source, pe)
PHILAE_SHMEM_INLINE int shmem_ctx_int_atomic_fetch(shmem_ctx_t ctx, const int *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_int_atomic_fetch", ctx, int, PHILAE_SHMEM_SIGNED(int), source, pe)
PHILAE_SHMEM_INLINE long shmem_ctx_long_atomic_fetch(shmem_ctx_t ctx, const long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_long_atomic_fetch", ctx, long, PHILAE_SHMEM_SIGNED(long), source, pe)
PHILAE_SHMEM_INLINE long long shmem_ctx_longlong_atomic_fetch(shmem_ctx_t ctx, const long long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_longlong_atomic_fetch", ctx, long long, PHILAE_SHMEM_SIGNED(long long), source, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_ctx_uint_atomic_fetch(shmem_ctx_t ctx, const unsigned int *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_uint_atomic_fetch", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), source, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ctx_ulong_atomic_fetch(shmem_ctx_t ctx, const unsigned long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_ulong_atomic_fetch", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), source, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ctx_ulonglong_atomic_fetch(shmem_ctx_t ctx, const unsigned long long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_ulonglong_atomic_fetch", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), source, pe)
PHILAE_SHMEM_INLINE int32_t shmem_ctx_int32_atomic_fetch(shmem_ctx_t ctx, const int32_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_int32_atomic_fetch", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), source, pe)
PHILAE_SHMEM_INLINE int64_t shmem_ctx_int64_atomic_fetch(shmem_ctx_t ctx, const int64_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_int64_atomic_fetch", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), source, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_ctx_uint32_atomic_fetch(shmem_ctx_t ctx, const uint32_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_uint32_atomic_fetch", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), source, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_ctx_uint64_atomic_fetch(shmem_ctx_t ctx, const uint64_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_uint64_atomic_fetch", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), source, pe)
PHILAE_SHMEM_INLINE size_t shmem_ctx_size_atomic_fetch(shmem_ctx_t ctx, const size_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_size_atomic_fetch", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), source, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch(shmem_ctx_t ctx, const ptrdiff_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_ptrdiff_atomic_fetch", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), source, pe)
PHILAE_SHMEM_INLINE void shmem_float_atomic_set(float *dest, float value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_float_atomic_set", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_double_atomic_set(double *dest, double value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_double_atomic_set", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int_atomic_set(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_int_atomic_set", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_long_atomic_set(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_long_atomic_set", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_longlong_atomic_set(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_longlong_atomic_set", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_set(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_uint_atomic_set", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_set(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ulong_atomic_set", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_set(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ulonglong_atomic_set", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_set(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_int32_atomic_set", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_set(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_int64_atomic_set", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_set(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_uint32_atomic_set", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_set(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_uint64_atomic_set", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_size_atomic_set(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_size_atomic_set", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_atomic_set(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ptrdiff_atomic_set", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_float_atomic_set(shmem_ctx_t ctx, float *dest, float value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_float_atomic_set", ctx, float, PHILAE_SHMEM_F32, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_double_atomic_set(shmem_ctx_t ctx, double *dest, double value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_double_atomic_set", ctx, double, PHILAE_SHMEM_F64, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int_atomic_set(shmem_ctx_t ctx, int *dest, int value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_int_atomic_set", ctx, int, PHILAE_SHMEM_SIGNED(int), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_long_atomic_set(shmem_ctx_t ctx, long *dest, long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_long_atomic_set", ctx, long, PHILAE_SHMEM_SIGNED(long), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_atomic_set(shmem_ctx_t ctx, long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_longlong_atomic_set", ctx, long long, PHILAE_SHMEM_SIGNED(long long), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_set(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_uint_atomic_set", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_set(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_ulong_atomic_set", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_set(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_ulonglong_atomic_set", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_set(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_int32_atomic_set", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_set(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_int64_atomic_set", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_set(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_uint32_atomic_set", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_set(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_uint64_atomic_set", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_size_atomic_set(shmem_ctx_t ctx, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_size_atomic_set", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_atomic_set(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_ptrdiff_atomic_set", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, value, pe)
PHILAE_SHMEM_INLINE int shmem_int_atomic_compare_swap(int *dest, int cond, int value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_int_atomic_compare_swap", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), dest, cond, value, pe)
PHILAE_SHMEM_INLINE long shmem_long_atomic_compare_swap(long *dest, long cond, long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_long_atomic_compare_swap", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), dest, cond, value, pe)
PHILAE_SHMEM_INLINE long long shmem_longlong_atomic_compare_swap(long long *dest, long long cond, long long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_longlong_atomic_compare_swap", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), dest, cond, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_atomic_compare_swap(unsigned int *dest, unsigned int cond, unsigned int value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_uint_atomic_compare_swap", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, cond, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_atomic_compare_swap(unsigned long *dest, unsigned long cond, unsigned long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ulong_atomic_compare_swap", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, cond, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_atomic_compare_swap(unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ulonglong_atomic_compare_swap", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, cond, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_atomic_compare_swap(int32_t *dest, int32_t cond, int32_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_int32_atomic_compare_swap", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_atomic_compare_swap(int64_t *dest, int64_t cond, int64_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_int64_atomic_compare_swap", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_atomic_compare_swap(uint32_t *dest, uint32_t cond, uint32_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_uint32_atomic_compare_swap", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_atomic_compare_swap(uint64_t *dest, uint64_t cond, uint64_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_uint64_atomic_compare_swap", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE size_t shmem_size_atomic_compare_swap(size_t *dest, size_t cond, size_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_size_atomic_compare_swap", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ptrdiff_atomic_compare_swap(ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ptrdiff_atomic_compare_swap", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE int shmem_ctx_int_atomic_compare_swap(shmem_ctx_t ctx, int *dest, int cond, int value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_int_atomic_compare_swap", ctx, int, PHILAE_SHMEM_SIGNED(int), dest, cond, value, pe)
PHILAE_SHMEM_INLINE long shmem_ctx_long_atomic_compare_swap(shmem_ctx_t ctx, long *dest, long cond, long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_long_atomic_compare_swap", ctx, long, PHILAE_SHMEM_SIGNED(long), dest, cond, value, pe)
PHILAE_SHMEM_INLINE long long shmem_ctx_longlong_atomic_compare_swap(shmem_ctx_t ctx, long long *dest, long long cond, long long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_longlong_atomic_compare_swap", ctx, long long, PHILAE_SHMEM_SIGNED(long long), dest, cond, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_ctx_uint_atomic_compare_swap(shmem_ctx_t ctx, unsigned int *dest, unsigned int cond, unsigned int value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_uint_atomic_compare_swap", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, cond, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ctx_ulong_atomic_compare_swap(shmem_ctx_t ctx, unsigned long *dest, unsigned long cond, unsigned long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_ulong_atomic_compare_swap", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, cond, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ctx_ulonglong_atomic_compare_swap(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_ulonglong_atomic_compare_swap", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, cond, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_ctx_int32_atomic_compare_swap(shmem_ctx_t ctx, int32_t *dest, int32_t cond, int32_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_int32_atomic_compare_swap", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_ctx_int64_atomic_compare_swap(shmem_ctx_t ctx, int64_t *dest, int64_t cond, int64_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_int64_atomic_compare_swap", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_ctx_uint32_atomic_compare_swap(shmem_ctx_t ctx, uint32_t *dest, uint32_t cond, uint32_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_uint32_atomic_compare_swap", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_ctx_uint64_atomic_compare_swap(shmem_ctx_t ctx, uint64_t *dest, uint64_t cond, uint64_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_uint64_atomic_compare_swap", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE size_t shmem_ctx_size_atomic_compare_swap(shmem_ctx_t ctx, size_t *dest, size_t cond, size_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_size_atomic_compare_swap", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ctx_ptrdiff_atomic_compare_swap(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_ptrdiff_atomic_compare_swap", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE float shmem_float_atomic_swap(float *dest, float value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_float_atomic_swap", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, dest, value, pe)
PHILAE_SHMEM_INLINE double shmem_double_atomic_swap(double *dest, double value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_double_atomic_swap", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, dest, value, pe)
PHILAE_SHMEM_INLINE int shmem_int_atomic_swap(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_int_atomic_swap", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), dest, value, pe)
PHILAE_SHMEM_INLINE long shmem_long_atomic_swap(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_long_atomic_swap", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), dest, value, pe)
PHILAE_SHMEM_INLINE long long shmem_longlong_atomic_swap(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_longlong_atomic_swap", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), dest, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_atomic_swap(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_uint_atomic_swap", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_atomic_swap(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ulong_atomic_swap", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_atomic_swap(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ulonglong_atomic_swap", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_atomic_swap(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_int32_atomic_swap", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_atomic_swap(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_int64_atomic_swap", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_atomic_swap(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_uint32_atomic_swap", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_atomic_swap(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_uint64_atomic_swap", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, value, pe)
PHILAE_SHMEM_INLINE size_t shmem_size_atomic_swap(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_size_atomic_swap", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, value, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ptrdiff_atomic_swap(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ptrdiff_atomic_swap", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, value, pe)
PHILAE_SHMEM_INLINE float shmem_ctx_float_atomic_swap(shmem_ctx_t ctx, float *dest, float value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_float_atomic_swap", ctx, float, PHILAE_SHMEM_F32, dest, value, pe)
PHILAE_SHMEM_INLINE double shmem_ctx_double_atomic_swap(shmem_ctx_t ctx, double *dest, double value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_double_atomic_swap", ctx, double, PHILAE_SHMEM_F64, dest, value, pe)
PHILAE_SHMEM_INLINE int shmem_ctx_int_atomic_swap(shmem_ctx_t ctx, int *dest, int value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_int_atomic_swap", ctx, int, PHILAE_SHMEM_SIGNED(int), dest, value, pe)
PHILAE_SHMEM_INLINE long shmem_ctx_long_atomic_swap(shmem_ctx_t ctx, long *dest, long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_long_atomic_swap", ctx, long, PHILAE_SHMEM_SIGNED(long), dest, value, pe)
PHILAE_SHMEM_INLINE long long shmem_ctx_longlong_atomic_swap(shmem_ctx_t ctx, long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_longlong_atomic_swap", ctx, long long, PHILAE_SHMEM_SIGNED(long long), dest, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_ctx_uint_atomic_swap(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_uint_atomic_swap", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ctx_ulong_atomic_swap(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_ulong_atomic_swap", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ctx_ulonglong_atomic_swap(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_ulonglong_atomic_swap", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_ctx_int32_atomic_swap(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_int32_atomic_swap", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_ctx_int64_atomic_swap(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_int64_atomic_swap", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_ctx_uint32_atomic_swap(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_uint32_atomic_swap", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_ctx_uint64_atomic_swap(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_uint64_atomic_swap", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, value, pe)
PHILAE_SHMEM_INLINE size_t shmem_ctx_size_atomic_swap(shmem_ctx_t ctx, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_size_atomic_swap", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, value, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ctx_ptrdiff_atomic_swap(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_ptrdiff_atomic_swap", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, value, pe)
PHILAE_SHMEM_INLINE int shmem_int_atomic_fetch_inc(int *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int_atomic_fetch_inc", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE long shmem_long_atomic_fetch_inc(long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_long_atomic_fetch_inc", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE long long shmem_longlong_atomic_fetch_inc(long long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_longlong_atomic_fetch_inc", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_atomic_fetch_inc(unsigned int *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_atomic_fetch_inc", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_atomic_fetch_inc(unsigned long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_atomic_fetch_inc", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_atomic_fetch_inc(unsigned long long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_inc", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_atomic_fetch_inc(int32_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_atomic_fetch_inc", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_atomic_fetch_inc(int64_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_atomic_fetch_inc", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_atomic_fetch_inc(uint32_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_atomic_fetch_inc", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_atomic_fetch_inc(uint64_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_atomic_fetch_inc", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE size_t shmem_size_atomic_fetch_inc(size_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_size_atomic_fetch_inc", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ptrdiff_atomic_fetch_inc(ptrdiff_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ptrdiff_atomic_fetch_inc", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE int shmem_ctx_int_atomic_fetch_inc(shmem_ctx_t ctx, int *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int_atomic_fetch_inc", ctx, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE long shmem_ctx_long_atomic_fetch_inc(shmem_ctx_t ctx, long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_long_atomic_fetch_inc", ctx, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE long long shmem_ctx_longlong_atomic_fetch_inc(shmem_ctx_t ctx, long long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_longlong_atomic_fetch_inc", ctx, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_ctx_uint_atomic_fetch_inc(shmem_ctx_t ctx, unsigned int *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_inc", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ctx_ulong_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_inc", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ctx_ulonglong_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_inc", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE int32_t shmem_ctx_int32_atomic_fetch_inc(shmem_ctx_t ctx, int32_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_inc", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE int64_t shmem_ctx_int64_atomic_fetch_inc(shmem_ctx_t ctx, int64_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_inc", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_ctx_uint32_atomic_fetch_inc(shmem_ctx_t ctx, uint32_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_inc", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_ctx_uint64_atomic_fetch_inc(shmem_ctx_t ctx, uint64_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_inc", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE size_t shmem_ctx_size_atomic_fetch_inc(shmem_ctx_t ctx, size_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_size_atomic_fetch_inc", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch_inc(shmem_ctx_t ctx, ptrdiff_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ptrdiff_atomic_fetch_inc", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_int_atomic_inc(int *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int_atomic_inc", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_long_atomic_inc(long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_long_atomic_inc", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_longlong_atomic_inc(long long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_longlong_atomic_inc", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_inc(unsigned int *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_atomic_inc", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_inc(unsigned long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_atomic_inc", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_inc(unsigned long long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_atomic_inc", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_inc(int32_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_atomic_inc", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_inc(int64_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_atomic_inc", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_inc(uint32_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_atomic_inc", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_inc(uint64_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_atomic_inc", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_size_atomic_inc(size_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_size_atomic_inc", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_atomic_inc(ptrdiff_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ptrdiff_atomic_inc", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int_atomic_inc(shmem_ctx_t ctx, int *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int_atomic_inc", ctx, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_long_atomic_inc(shmem_ctx_t ctx, long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_long_atomic_inc", ctx, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_atomic_inc(shmem_ctx_t ctx, long long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_longlong_atomic_inc", ctx, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_inc(shmem_ctx_t ctx, unsigned int *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint_atomic_inc", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_inc(shmem_ctx_t ctx, unsigned long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulong_atomic_inc", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_inc(shmem_ctx_t ctx, unsigned long long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulonglong_atomic_inc", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_inc(shmem_ctx_t ctx, int32_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int32_atomic_inc", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_inc(shmem_ctx_t ctx, int64_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int64_atomic_inc", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_inc(shmem_ctx_t ctx, uint32_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint32_atomic_inc", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_inc(shmem_ctx_t ctx, uint64_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint64_atomic_inc", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_size_atomic_inc(shmem_ctx_t ctx, size_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_size_atomic_inc", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_atomic_inc(shmem_ctx_t ctx, ptrdiff_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ptrdiff_atomic_inc", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE int shmem_int_atomic_fetch_add(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int_atomic_fetch_add", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE long shmem_long_atomic_fetch_add(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_long_atomic_fetch_add", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE long long shmem_longlong_atomic_fetch_add(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_longlong_atomic_fetch_add", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_atomic_fetch_add(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_atomic_fetch_add", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_atomic_fetch_add(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_atomic_fetch_add", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_atomic_fetch_add(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_add", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_atomic_fetch_add(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_atomic_fetch_add", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_atomic_fetch_add(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_atomic_fetch_add", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_atomic_fetch_add(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_atomic_fetch_add", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_atomic_fetch_add(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_atomic_fetch_add", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE size_t shmem_size_atomic_fetch_add(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_size_atomic_fetch_add", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ptrdiff_atomic_fetch_add(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ptrdiff_atomic_fetch_add", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE int shmem_ctx_int_atomic_fetch_add(shmem_ctx_t ctx, int *dest, int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int_atomic_fetch_add", ctx, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE long shmem_ctx_long_atomic_fetch_add(shmem_ctx_t ctx, long *dest, long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_long_atomic_fetch_add", ctx, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE long long shmem_ctx_longlong_atomic_fetch_add(shmem_ctx_t ctx, long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_longlong_atomic_fetch_add", ctx, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_ctx_uint_atomic_fetch_add(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_add", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ctx_ulong_atomic_fetch_add(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_add", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ctx_ulonglong_atomic_fetch_add(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_add", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_ctx_int32_atomic_fetch_add(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_add", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_ctx_int64_atomic_fetch_add(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_add", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_ctx_uint32_atomic_fetch_add(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_add", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_ctx_uint64_atomic_fetch_add(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_add", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE size_t shmem_ctx_size_atomic_fetch_add(shmem_ctx_t ctx, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_size_atomic_fetch_add", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch_add(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ptrdiff_atomic_fetch_add", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int_atomic_add(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int_atomic_add", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_long_atomic_add(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_long_atomic_add", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_longlong_atomic_add(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_longlong_atomic_add", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_add(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_atomic_add", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_add(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_atomic_add", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_add(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_atomic_add", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_add(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_atomic_add", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_add(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_atomic_add", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_add(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_atomic_add", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_add(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_atomic_add", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_size_atomic_add(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_size_atomic_add", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_atomic_add(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ptrdiff_atomic_add", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int_atomic_add(shmem_ctx_t ctx, int *dest, int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int_atomic_add", ctx, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_long_atomic_add(shmem_ctx_t ctx, long *dest, long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_long_atomic_add", ctx, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_atomic_add(shmem_ctx_t ctx, long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_longlong_atomic_add", ctx, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_add(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint_atomic_add", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_add(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulong_atomic_add", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_add(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulonglong_atomic_add", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_add(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int32_atomic_add", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_add(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int64_atomic_add", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_add(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint32_atomic_add", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_add(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint64_atomic_add", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_size_atomic_add(shmem_ctx_t ctx, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_size_atomic_add", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_atomic_add(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ptrdiff_atomic_add", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_atomic_fetch_and(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_atomic_fetch_and", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_atomic_fetch_and(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_atomic_fetch_and", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_atomic_fetch_and(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_and", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_atomic_fetch_and(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_atomic_fetch_and", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_atomic_fetch_and(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_atomic_fetch_and", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_atomic_fetch_and(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_atomic_fetch_and", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_atomic_fetch_and(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_atomic_fetch_and", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_ctx_uint_atomic_fetch_and(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_and", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ctx_ulong_atomic_fetch_and(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_and", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ctx_ulonglong_atomic_fetch_and(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_and", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_ctx_int32_atomic_fetch_and(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_and", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_ctx_int64_atomic_fetch_and(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_and", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_ctx_uint32_atomic_fetch_and(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_and", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_ctx_uint64_atomic_fetch_and(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_and", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_and(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_atomic_and", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_and(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_atomic_and", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_and(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_atomic_and", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_and(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_atomic_and", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_and(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_atomic_and", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_and(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_atomic_and", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_and(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_atomic_and", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_and(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint_atomic_and", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_and(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulong_atomic_and", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_and(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulonglong_atomic_and", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_and(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int32_atomic_and", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_and(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int64_atomic_and", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_and(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint32_atomic_and", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_and(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint64_atomic_and", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), and, AND, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_atomic_fetch_or(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_atomic_fetch_or", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_atomic_fetch_or(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_atomic_fetch_or", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_atomic_fetch_or(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_or", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_atomic_fetch_or(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_atomic_fetch_or", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_atomic_fetch_or(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_atomic_fetch_or", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_atomic_fetch_or(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_atomic_fetch_or", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_atomic_fetch_or(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_atomic_fetch_or", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_ctx_uint_atomic_fetch_or(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_or", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ctx_ulong_atomic_fetch_or(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_or", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ctx_ulonglong_atomic_fetch_or(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_or", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_ctx_int32_atomic_fetch_or(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_or", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_ctx_int64_atomic_fetch_or(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_or", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_ctx_uint32_atomic_fetch_or(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_or", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_ctx_uint64_atomic_fetch_or(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_or", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_or(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_atomic_or", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_or(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_atomic_or", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_or(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_atomic_or", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_or(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_atomic_or", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_or(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_atomic_or", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_or(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_atomic_or", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_or(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_atomic_or", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_or(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint_atomic_or", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_or(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulong_atomic_or", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_or(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulonglong_atomic_or", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_or(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int32_atomic_or", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_or(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int64_atomic_or", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_or(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint32_atomic_or", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_or(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint64_atomic_or", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), or, OR, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_atomic_fetch_xor(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_atomic_fetch_xor", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_atomic_fetch_xor(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_atomic_fetch_xor", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_atomic_fetch_xor(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_xor", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_atomic_fetch_xor(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_atomic_fetch_xor", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_atomic_fetch_xor(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_atomic_fetch_xor", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_atomic_fetch_xor(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_atomic_fetch_xor", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_atomic_fetch_xor(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_atomic_fetch_xor", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_ctx_uint_atomic_fetch_xor(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_xor", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ctx_ulong_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_xor", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ctx_ulonglong_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_xor", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_ctx_int32_atomic_fetch_xor(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_xor", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_ctx_int64_atomic_fetch_xor(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_xor", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_ctx_uint32_atomic_fetch_xor(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_xor", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_ctx_uint64_atomic_fetch_xor(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_xor", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_xor(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_atomic_xor", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_xor(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_atomic_xor", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_xor(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_atomic_xor", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_xor(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_atomic_xor", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_xor(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_atomic_xor", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_xor(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_atomic_xor", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_xor(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_atomic_xor", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_xor(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint_atomic_xor", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_xor(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulong_atomic_xor", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_xor(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulonglong_atomic_xor", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_xor(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int32_atomic_xor", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_xor(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int64_atomic_xor", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_xor(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint32_atomic_xor", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_xor(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint64_atomic_xor", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), xor, XOR, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_float_atomic_fetch_nbi(float *fetch, const float *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_float_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_double_atomic_fetch_nbi(double *fetch, const double *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_double_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_int_atomic_fetch_nbi(int *fetch, const int *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_int_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_long_atomic_fetch_nbi(long *fetch, const long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_long_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_longlong_atomic_fetch_nbi(long long *fetch, const long long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_longlong_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_fetch_nbi(unsigned int *fetch, const unsigned int *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_uint_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_fetch_nbi(unsigned long *fetch, const unsigned long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ulong_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_fetch_nbi(unsigned long long *fetch, const unsigned long long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ulonglong_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_fetch_nbi(int32_t *fetch, const int32_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_int32_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_fetch_nbi(int64_t *fetch, const int64_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_int64_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_fetch_nbi(uint32_t *fetch, const uint32_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_uint32_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_fetch_nbi(uint64_t *fetch, const uint64_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_uint64_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_size_atomic_fetch_nbi(size_t *fetch, const size_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_size_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_atomic_fetch_nbi(ptrdiff_t *fetch, const ptrdiff_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ptrdiff_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_float_atomic_fetch_nbi(shmem_ctx_t ctx, float *fetch, const float *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_float_atomic_fetch_nbi", ctx, float, PHILAE_SHMEM_F32, fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_double_atomic_fetch_nbi(shmem_ctx_t ctx, double *fetch, const double *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_double_atomic_fetch_nbi", ctx, double, PHILAE_SHMEM_F64, fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int_atomic_fetch_nbi(shmem_ctx_t ctx, int *fetch, const int *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_int_atomic_fetch_nbi", ctx, int, PHILAE_SHMEM_SIGNED(int), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_long_atomic_fetch_nbi(shmem_ctx_t ctx, long *fetch, const long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_long_atomic_fetch_nbi", ctx, long, PHILAE_SHMEM_SIGNED(long), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_atomic_fetch_nbi(shmem_ctx_t ctx, long long *fetch, const long long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_longlong_atomic_fetch_nbi", ctx, long long, PHILAE_SHMEM_SIGNED(long long), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned int *fetch, const unsigned int *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_uint_atomic_fetch_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long *fetch, const unsigned long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_ulong_atomic_fetch_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long long *fetch, const unsigned long long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_ulonglong_atomic_fetch_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_fetch_nbi(shmem_ctx_t ctx, int32_t *fetch, const int32_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_int32_atomic_fetch_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_fetch_nbi(shmem_ctx_t ctx, int64_t *fetch, const int64_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_int64_atomic_fetch_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_fetch_nbi(shmem_ctx_t ctx, uint32_t *fetch, const uint32_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_uint32_atomic_fetch_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_fetch_nbi(shmem_ctx_t ctx, uint64_t *fetch, const uint64_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_uint64_atomic_fetch_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_size_atomic_fetch_nbi(shmem_ctx_t ctx, size_t *fetch, const size_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_size_atomic_fetch_nbi", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_atomic_fetch_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, const ptrdiff_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_ptrdiff_atomic_fetch_nbi", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), fetch, source, pe)
PHILAE_SHMEM_INLINE void shmem_int_atomic_compare_swap_nbi(int *fetch, int *dest, int cond, int value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_int_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_long_atomic_compare_swap_nbi(long *fetch, long *dest, long cond, long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_long_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_longlong_atomic_compare_swap_nbi(long long *fetch, long long *dest, long long cond, long long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_longlong_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_compare_swap_nbi(unsigned int *fetch, unsigned int *dest, unsigned int cond, unsigned int value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_uint_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_compare_swap_nbi(unsigned long *fetch, unsigned long *dest, unsigned long cond, unsigned long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ulong_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_compare_swap_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ulonglong_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_compare_swap_nbi(int32_t *fetch, int32_t *dest, int32_t cond, int32_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_int32_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_compare_swap_nbi(int64_t *fetch, int64_t *dest, int64_t cond, int64_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_int64_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_compare_swap_nbi(uint32_t *fetch, uint32_t *dest, uint32_t cond, uint32_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_uint32_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_compare_swap_nbi(uint64_t *fetch, uint64_t *dest, uint64_t cond, uint64_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_uint64_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_size_atomic_compare_swap_nbi(size_t *fetch, size_t *dest, size_t cond, size_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_size_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_atomic_compare_swap_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ptrdiff_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int_atomic_compare_swap_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int cond, int value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_int_atomic_compare_swap_nbi", ctx, int, PHILAE_SHMEM_SIGNED(int), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_long_atomic_compare_swap_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long cond, long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_long_atomic_compare_swap_nbi", ctx, long, PHILAE_SHMEM_SIGNED(long), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_atomic_compare_swap_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, long long cond, long long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_longlong_atomic_compare_swap_nbi", ctx, long long, PHILAE_SHMEM_SIGNED(long long), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int cond, unsigned int value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_uint_atomic_compare_swap_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long cond, unsigned long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_ulong_atomic_compare_swap_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_ulonglong_atomic_compare_swap_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_compare_swap_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t cond, int32_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_int32_atomic_compare_swap_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_compare_swap_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t cond, int64_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_int64_atomic_compare_swap_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_compare_swap_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t cond, uint32_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_uint32_atomic_compare_swap_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_compare_swap_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t cond, uint64_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_uint64_atomic_compare_swap_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_size_atomic_compare_swap_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t cond, size_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_size_atomic_compare_swap_nbi", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_atomic_compare_swap_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_ptrdiff_atomic_compare_swap_nbi", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), fetch, dest, cond, value, pe)
PHILAE_SHMEM_INLINE void shmem_float_atomic_swap_nbi(float *fetch, float *dest, float value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_float_atomic_swap_nbi", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_double_atomic_swap_nbi(double *fetch, double *dest, double value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_double_atomic_swap_nbi", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int_atomic_swap_nbi(int *fetch, int *dest, int value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_int_atomic_swap_nbi", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_long_atomic_swap_nbi(long *fetch, long *dest, long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_long_atomic_swap_nbi", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_longlong_atomic_swap_nbi(long long *fetch, long long *dest, long long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_longlong_atomic_swap_nbi", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_swap_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_uint_atomic_swap_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_swap_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ulong_atomic_swap_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_swap_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ulonglong_atomic_swap_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_swap_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_int32_atomic_swap_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_swap_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_int64_atomic_swap_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_swap_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_uint32_atomic_swap_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_swap_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_uint64_atomic_swap_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_size_atomic_swap_nbi(size_t *fetch, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_size_atomic_swap_nbi", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_atomic_swap_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ptrdiff_atomic_swap_nbi", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_float_atomic_swap_nbi(shmem_ctx_t ctx, float *fetch, float *dest, float value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_float_atomic_swap_nbi", ctx, float, PHILAE_SHMEM_F32, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_double_atomic_swap_nbi(shmem_ctx_t ctx, double *fetch, double *dest, double value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_double_atomic_swap_nbi", ctx, double, PHILAE_SHMEM_F64, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int_atomic_swap_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_int_atomic_swap_nbi", ctx, int, PHILAE_SHMEM_SIGNED(int), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_long_atomic_swap_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_long_atomic_swap_nbi", ctx, long, PHILAE_SHMEM_SIGNED(long), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_atomic_swap_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, long long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_longlong_atomic_swap_nbi", ctx, long long, PHILAE_SHMEM_SIGNED(long long), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_swap_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_uint_atomic_swap_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_ulong_atomic_swap_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_ulonglong_atomic_swap_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_swap_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_int32_atomic_swap_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_swap_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_int64_atomic_swap_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_swap_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_uint32_atomic_swap_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_swap_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_uint64_atomic_swap_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_size_atomic_swap_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_size_atomic_swap_nbi", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_atomic_swap_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_ptrdiff_atomic_swap_nbi", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int_atomic_fetch_inc_nbi(int *fetch, int *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_long_atomic_fetch_inc_nbi(long *fetch, long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_long_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_longlong_atomic_fetch_inc_nbi(long long *fetch, long long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_longlong_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_fetch_inc_nbi(unsigned int *fetch, unsigned int *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_fetch_inc_nbi(unsigned long *fetch, unsigned long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulong_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_fetch_inc_nbi(unsigned long long *fetch, unsigned long long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_fetch_inc_nbi(int32_t *fetch, int32_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int32_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_fetch_inc_nbi(int64_t *fetch, int64_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int64_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_fetch_inc_nbi(uint32_t *fetch, uint32_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint32_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_fetch_inc_nbi(uint64_t *fetch, uint64_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint64_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_size_atomic_fetch_inc_nbi(size_t *fetch, size_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_size_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_atomic_fetch_inc_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ptrdiff_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int_atomic_fetch_inc_nbi", ctx, int, PHILAE_SHMEM_SIGNED(int), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_long_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long *fetch, long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_long_atomic_fetch_inc_nbi", ctx, long, PHILAE_SHMEM_SIGNED(long), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_longlong_atomic_fetch_inc_nbi", ctx, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_inc_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_inc_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_inc_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_inc_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_inc_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_fetch_inc_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_inc_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_fetch_inc_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_inc_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_size_atomic_fetch_inc_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_size_atomic_fetch_inc_nbi", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_atomic_fetch_inc_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ptrdiff_atomic_fetch_inc_nbi", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, fetch, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_int_atomic_fetch_add_nbi(int *fetch, int *dest, int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_long_atomic_fetch_add_nbi(long *fetch, long *dest, long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_long_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_longlong_atomic_fetch_add_nbi(long long *fetch, long long *dest, long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_longlong_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_fetch_add_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_fetch_add_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulong_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_fetch_add_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_fetch_add_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int32_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_fetch_add_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int64_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_fetch_add_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint32_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_fetch_add_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint64_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_size_atomic_fetch_add_nbi(size_t *fetch, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_size_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_atomic_fetch_add_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ptrdiff_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int_atomic_fetch_add_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int_atomic_fetch_add_nbi", ctx, int, PHILAE_SHMEM_SIGNED(int), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_long_atomic_fetch_add_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_long_atomic_fetch_add_nbi", ctx, long, PHILAE_SHMEM_SIGNED(long), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_atomic_fetch_add_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_longlong_atomic_fetch_add_nbi", ctx, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_add_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_add_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_add_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_fetch_add_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_add_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_fetch_add_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_add_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_fetch_add_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_add_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_fetch_add_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_add_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_size_atomic_fetch_add_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_size_atomic_fetch_add_nbi", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_atomic_fetch_add_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ptrdiff_atomic_fetch_add_nbi", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_fetch_and_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_fetch_and_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulong_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_fetch_and_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_fetch_and_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int32_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_fetch_and_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int64_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_fetch_and_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint32_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_fetch_and_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint64_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_and_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_and_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_and_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_fetch_and_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_and_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_fetch_and_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_and_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_fetch_and_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_and_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_fetch_and_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_and_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), and, AND, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_fetch_or_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_fetch_or_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulong_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_fetch_or_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_fetch_or_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int32_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_fetch_or_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int64_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_fetch_or_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint32_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_fetch_or_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint64_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_or_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_or_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_or_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_fetch_or_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_or_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_fetch_or_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_or_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_fetch_or_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_or_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_fetch_or_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_or_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), or, OR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_atomic_fetch_xor_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_atomic_fetch_xor_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulong_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_atomic_fetch_xor_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_atomic_fetch_xor_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int32_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_atomic_fetch_xor_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int64_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_atomic_fetch_xor_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint32_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_atomic_fetch_xor_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint64_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_xor_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_xor_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_xor_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int32_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_xor_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_int64_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_xor_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_atomic_fetch_xor_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_xor_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_atomic_fetch_xor_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_xor_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), xor, XOR, fetch, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_float_put_signal(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_float_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_double_put_signal(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_double_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_longdouble_put_signal(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_longdouble_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_char_put_signal(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_char_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_schar_put_signal(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_schar_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_short_put_signal(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_short_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int_put_signal(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_int_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_long_put_signal(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_long_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_longlong_put_signal(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_longlong_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uchar_put_signal(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_uchar_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ushort_put_signal(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ushort_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint_put_signal(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_uint_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ulong_put_signal(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ulong_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ulonglong_put_signal(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ulonglong_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int8_put_signal(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_int8_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int16_put_signal(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_int16_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int32_put_signal(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_int32_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_int64_put_signal(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_int64_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint8_put_signal(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_uint8_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint16_put_signal(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_uint16_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint32_put_signal(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_uint32_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_uint64_put_signal(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_uint64_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_size_put_signal(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_size_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ptrdiff_put_signal(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ptrdiff_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_float_put_signal(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_float_put_signal", ctx, dest, source, nelems, sizeof(float), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_double_put_signal(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_double_put_signal", ctx, dest, source, nelems, sizeof(double), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_longdouble_put_signal(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_longdouble_put_signal", ctx, dest, source, nelems, sizeof(long double), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_char_put_signal(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_char_put_signal", ctx, dest, source, nelems, sizeof(char), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_schar_put_signal(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_schar_put_signal", ctx, dest, source, nelems, sizeof(signed char), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_short_put_signal(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_short_put_signal", ctx, dest, source, nelems, sizeof(short), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int_put_signal(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_int_put_signal", ctx, dest, source, nelems, sizeof(int), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_long_put_signal(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_long_put_signal", ctx, dest, source, nelems, sizeof(long), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_put_signal(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_longlong_put_signal", ctx, dest, source, nelems, sizeof(long long), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uchar_put_signal(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_uchar_put_signal", ctx, dest, source, nelems, sizeof(unsigned char), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_ushort_put_signal(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_ushort_put_signal", ctx, dest, source, nelems, sizeof(unsigned short), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint_put_signal(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_uint_put_signal", ctx, dest, source, nelems, sizeof(unsigned int), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_put_signal(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_ulong_put_signal", ctx, dest, source, nelems, sizeof(unsigned long), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_put_signal(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_ulonglong_put_signal", ctx, dest, source, nelems, sizeof(unsigned long long), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int8_put_signal(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_int8_put_signal", ctx, dest, source, nelems, sizeof(int8_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int16_put_signal(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_int16_put_signal", ctx, dest, source, nelems, sizeof(int16_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int32_put_signal(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_int32_put_signal", ctx, dest, source, nelems, sizeof(int32_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_int64_put_signal(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_int64_put_signal", ctx, dest, source, nelems, sizeof(int64_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint8_put_signal(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_uint8_put_signal", ctx, dest, source, nelems, sizeof(uint8_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint16_put_signal(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_uint16_put_signal", ctx, dest, source, nelems, sizeof(uint16_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_put_signal(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_uint32_put_signal", ctx, dest, source, nelems, sizeof(uint32_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_put_signal(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_uint64_put_signal", ctx, dest, source, nelems, sizeof(uint64_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_size_put_signal(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_size_put_signal", ctx, dest, source, nelems, sizeof(size_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_put_signal(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_ptrdiff_put_signal", ctx, dest, source, nelems, sizeof(ptrdiff_t), sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_put8_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_put8_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_put16_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_put16_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_put32_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_put32_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_put64_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_put64_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_put128_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_put128_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_put8_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_put8_signal", ctx, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_put16_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_put16_signal", ctx, dest, source, nelems, 2, sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_put32_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_put32_signal", ctx, dest, source, nelems, 4, sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_put64_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_put64_signal", ctx, dest, source, nelems, 8, sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_put128_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_put128_signal", ctx, dest, source, nelems, 16, sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_putmem_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_putmem_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_ctx_putmem_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_putmem_signal", ctx, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, 0); }
PHILAE_SHMEM_INLINE void shmem_float_put_signal_nbi(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_float_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_double_put_signal_nbi(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_double_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_longdouble_put_signal_nbi(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_longdouble_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_char_put_signal_nbi(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_char_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_schar_put_signal_nbi(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_schar_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_short_put_signal_nbi(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_short_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int_put_signal_nbi(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_int_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_long_put_signal_nbi(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_long_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_longlong_put_signal_nbi(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_longlong_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uchar_put_signal_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_uchar_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ushort_put_signal_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ushort_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint_put_signal_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_uint_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ulong_put_signal_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ulong_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ulonglong_put_signal_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ulonglong_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int8_put_signal_nbi(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_int8_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int16_put_signal_nbi(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_int16_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int32_put_signal_nbi(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_int32_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_int64_put_signal_nbi(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_int64_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint8_put_signal_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_uint8_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint16_put_signal_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_uint16_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint32_put_signal_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_uint32_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_uint64_put_signal_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_uint64_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_size_put_signal_nbi(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_size_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ptrdiff_put_signal_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ptrdiff_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_float_put_signal_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_float_put_signal_nbi", ctx, dest, source, nelems, sizeof(float), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_double_put_signal_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_double_put_signal_nbi", ctx, dest, source, nelems, sizeof(double), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_longdouble_put_signal_nbi(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_longdouble_put_signal_nbi", ctx, dest, source, nelems, sizeof(long double), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_char_put_signal_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_char_put_signal_nbi", ctx, dest, source, nelems, sizeof(char), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_schar_put_signal_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_schar_put_signal_nbi", ctx, dest, source, nelems, sizeof(signed char), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_short_put_signal_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_short_put_signal_nbi", ctx, dest, source, nelems, sizeof(short), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int_put_signal_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_int_put_signal_nbi", ctx, dest, source, nelems, sizeof(int), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_long_put_signal_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_long_put_signal_nbi", ctx, dest, source, nelems, sizeof(long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_longlong_put_signal_nbi(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_longlong_put_signal_nbi", ctx, dest, source, nelems, sizeof(long long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uchar_put_signal_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_uchar_put_signal_nbi", ctx, dest, source, nelems, sizeof(unsigned char), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_ushort_put_signal_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_ushort_put_signal_nbi", ctx, dest, source, nelems, sizeof(unsigned short), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint_put_signal_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_uint_put_signal_nbi", ctx, dest, source, nelems, sizeof(unsigned int), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulong_put_signal_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_ulong_put_signal_nbi", ctx, dest, source, nelems, sizeof(unsigned long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_ulonglong_put_signal_nbi(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_ulonglong_put_signal_nbi", ctx, dest, source, nelems, sizeof(unsigned long long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int8_put_signal_nbi(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_int8_put_signal_nbi", ctx, dest, source, nelems, sizeof(int8_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int16_put_signal_nbi(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_int16_put_signal_nbi", ctx, dest, source, nelems, sizeof(int16_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int32_put_signal_nbi(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_int32_put_signal_nbi", ctx, dest, source, nelems, sizeof(int32_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_int64_put_signal_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_int64_put_signal_nbi", ctx, dest, source, nelems, sizeof(int64_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint8_put_signal_nbi(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_uint8_put_signal_nbi", ctx, dest, source, nelems, sizeof(uint8_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint16_put_signal_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_uint16_put_signal_nbi", ctx, dest, source, nelems, sizeof(uint16_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint32_put_signal_nbi(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_uint32_put_signal_nbi", ctx, dest, source, nelems, sizeof(uint32_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_uint64_put_signal_nbi(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_uint64_put_signal_nbi", ctx, dest, source, nelems, sizeof(uint64_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_size_put_signal_nbi(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_size_put_signal_nbi", ctx, dest, source, nelems, sizeof(size_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_ptrdiff_put_signal_nbi(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_ptrdiff_put_signal_nbi", ctx, dest, source, nelems, sizeof(ptrdiff_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_put8_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_put8_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_put16_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_put16_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_put32_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_put32_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_put64_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_put64_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_put128_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_put128_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_put8_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_put8_signal_nbi", ctx, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_put16_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_put16_signal_nbi", ctx, dest, source, nelems, 2, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_put32_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_put32_signal_nbi", ctx, dest, source, nelems, 4, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_put64_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_put64_signal_nbi", ctx, dest, source, nelems, 8, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_put128_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_put128_signal_nbi", ctx, dest, source, nelems, 16, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_putmem_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_putmem_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE void shmem_ctx_putmem_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_local_put_signal("shmem_ctx_putmem_signal_nbi", ctx, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
PHILAE_SHMEM_INLINE uint64_t shmem_signal_fetch(const uint64_t *sig_addr)
{ return philae_shmem_local_signal_fetch(sig_addr); }
PHILAE_SHMEM_INLINE void shmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_signal_set", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_U64, sig_addr, signal, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_signal_set", ctx, uint64_t, PHILAE_SHMEM_U64, sig_addr, signal, pe)
PHILAE_SHMEM_INLINE void shmem_signal_add(uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_signal_add", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_U64, add, ADD, sig_addr, signal, pe)
PHILAE_SHMEM_INLINE void shmem_ctx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_signal_add", ctx, uint64_t, PHILAE_SHMEM_U64, add, ADD, sig_addr, signal, pe)
PHILAE_SHMEM_INLINE void shmem_fence(void)
{ philae_shmem_local_fence("shmem_fence", SHMEM_CTX_DEFAULT); }
PHILAE_SHMEM_INLINE void shmem_ctx_fence(shmem_ctx_t ctx)
{ philae_shmem_local_fence("shmem_ctx_fence", ctx); }
PHILAE_SHMEM_INLINE void shmem_quiet(void)
{ philae_shmem_local_quiet("shmem_quiet", SHMEM_CTX_DEFAULT); }
PHILAE_SHMEM_INLINE void shmem_ctx_quiet(shmem_ctx_t ctx)
{ philae_shmem_local_quiet("shmem_ctx_quiet", ctx); }
PHILAE_SHMEM_INLINE void shmem_short_wait_until(short *ivar, int cmp, short cmp_value)
PHILAE_SHMEM_WAITED("shmem_short_wait_until", short, PHILAE_SHMEM_SIGNED(short), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_ushort_wait_until(unsigned short *ivar, int cmp, unsigned short cmp_value)
PHILAE_SHMEM_WAITED("shmem_ushort_wait_until", unsigned short, PHILAE_SHMEM_UNSIGNED(unsigned short), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_int_wait_until(int *ivar, int cmp, int cmp_value)
PHILAE_SHMEM_WAITED("shmem_int_wait_until", int, PHILAE_SHMEM_SIGNED(int), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_long_wait_until(long *ivar, int cmp, long cmp_value)
PHILAE_SHMEM_WAITED("shmem_long_wait_until", long, PHILAE_SHMEM_SIGNED(long), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_longlong_wait_until(long long *ivar, int cmp, long long cmp_value)
PHILAE_SHMEM_WAITED("shmem_longlong_wait_until", long long, PHILAE_SHMEM_SIGNED(long long), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_uint_wait_until(unsigned int *ivar, int cmp, unsigned int cmp_value)
PHILAE_SHMEM_WAITED("shmem_uint_wait_until", unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_ulong_wait_until(unsigned long *ivar, int cmp, unsigned long cmp_value)
PHILAE_SHMEM_WAITED("shmem_ulong_wait_until", unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_ulonglong_wait_until(unsigned long long *ivar, int cmp, unsigned long long cmp_value)
PHILAE_SHMEM_WAITED("shmem_ulonglong_wait_until", unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_int32_wait_until(int32_t *ivar, int cmp, int32_t cmp_value)
PHILAE_SHMEM_WAITED("shmem_int32_wait_until", int32_t, PHILAE_SHMEM_SIGNED(int32_t), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_int64_wait_until(int64_t *ivar, int cmp, int64_t cmp_value)
PHILAE_SHMEM_WAITED("shmem_int64_wait_until", int64_t, PHILAE_SHMEM_SIGNED(int64_t), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_uint32_wait_until(uint32_t *ivar, int cmp, uint32_t cmp_value)
PHILAE_SHMEM_WAITED("shmem_uint32_wait_until", uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_uint64_wait_until(uint64_t *ivar, int cmp, uint64_t cmp_value)
PHILAE_SHMEM_WAITED("shmem_uint64_wait_until", uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_size_wait_until(size_t *ivar, int cmp, size_t cmp_value)
PHILAE_SHMEM_WAITED("shmem_size_wait_until", size_t, PHILAE_SHMEM_UNSIGNED(size_t), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_wait_until(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value)
PHILAE_SHMEM_WAITED("shmem_ptrdiff_wait_until", ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_short_test(short *ivar, int cmp, short cmp_value)
PHILAE_SHMEM_TESTED("shmem_short_test", short, PHILAE_SHMEM_SIGNED(short), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_ushort_test(unsigned short *ivar, int cmp, unsigned short cmp_value)
PHILAE_SHMEM_TESTED("shmem_ushort_test", unsigned short, PHILAE_SHMEM_UNSIGNED(unsigned short), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_int_test(int *ivar, int cmp, int cmp_value)
PHILAE_SHMEM_TESTED("shmem_int_test", int, PHILAE_SHMEM_SIGNED(int), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_long_test(long *ivar, int cmp, long cmp_value)
PHILAE_SHMEM_TESTED("shmem_long_test", long, PHILAE_SHMEM_SIGNED(long), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_longlong_test(long long *ivar, int cmp, long long cmp_value)
PHILAE_SHMEM_TESTED("shmem_longlong_test", long long, PHILAE_SHMEM_SIGNED(long long), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_uint_test(unsigned int *ivar, int cmp, unsigned int cmp_value)
PHILAE_SHMEM_TESTED("shmem_uint_test", unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_ulong_test(unsigned long *ivar, int cmp, unsigned long cmp_value)
PHILAE_SHMEM_TESTED("shmem_ulong_test", unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_ulonglong_test(unsigned long long *ivar, int cmp, unsigned long long cmp_value)
PHILAE_SHMEM_TESTED("shmem_ulonglong_test", unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_int32_test(int32_t *ivar, int cmp, int32_t cmp_value)
PHILAE_SHMEM_TESTED("shmem_int32_test", int32_t, PHILAE_SHMEM_SIGNED(int32_t), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_int64_test(int64_t *ivar, int cmp, int64_t cmp_value)
PHILAE_SHMEM_TESTED("shmem_int64_test", int64_t, PHILAE_SHMEM_SIGNED(int64_t), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_uint32_test(uint32_t *ivar, int cmp, uint32_t cmp_value)
PHILAE_SHMEM_TESTED("shmem_uint32_test", uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_uint64_test(uint64_t *ivar, int cmp, uint64_t cmp_value)
PHILAE_SHMEM_TESTED("shmem_uint64_test", uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_size_test(size_t *ivar, int cmp, size_t cmp_value)
PHILAE_SHMEM_TESTED("shmem_size_test", size_t, PHILAE_SHMEM_UNSIGNED(size_t), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE int shmem_ptrdiff_test(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value)
PHILAE_SHMEM_TESTED("shmem_ptrdiff_test", ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivar, cmp, cmp_value)
PHILAE_SHMEM_INLINE void shmem_clear_cache_inv(void)
{  }
PHILAE_SHMEM_INLINE void shmem_set_cache_inv(void)
{  }
PHILAE_SHMEM_INLINE void shmem_clear_cache_line_inv(void *dest)
{ (void)dest; }
PHILAE_SHMEM_INLINE void shmem_set_cache_line_inv(void *dest)
{ (void)dest; }
PHILAE_SHMEM_INLINE void shmem_udcflush(void)
{  }
PHILAE_SHMEM_INLINE void shmem_udcflush_line(void *dest)
{ (void)dest; }
PHILAE_SHMEM_INLINE float shmem_float_fetch(const float *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_float_fetch", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, source, pe)
PHILAE_SHMEM_INLINE double shmem_double_fetch(const double *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_double_fetch", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, source, pe)
PHILAE_SHMEM_INLINE int shmem_int_fetch(const int *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_int_fetch", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), source, pe)
PHILAE_SHMEM_INLINE long shmem_long_fetch(const long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_long_fetch", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), source, pe)
PHILAE_SHMEM_INLINE long long shmem_longlong_fetch(const long long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_longlong_fetch", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), source, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_fetch(const unsigned int *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_uint_fetch", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), source, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_fetch(const unsigned long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ulong_fetch", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), source, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_fetch(const unsigned long long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ulonglong_fetch", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), source, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_fetch(const int32_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_int32_fetch", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), source, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_fetch(const int64_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_int64_fetch", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), source, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_fetch(const uint32_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_uint32_fetch", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), source, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_fetch(const uint64_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_uint64_fetch", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), source, pe)
PHILAE_SHMEM_INLINE size_t shmem_size_fetch(const size_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_size_fetch", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), source, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ptrdiff_fetch(const ptrdiff_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ptrdiff_fetch", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), source, pe)
PHILAE_SHMEM_INLINE void shmem_float_set(float *dest, float value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_float_set", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_double_set(double *dest, double value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_double_set", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int_set(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_int_set", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_long_set(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_long_set", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_longlong_set(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_longlong_set", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_set(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_uint_set", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_set(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ulong_set", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_set(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ulonglong_set", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_set(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_int32_set", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_set(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_int64_set", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_set(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_uint32_set", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_set(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_uint64_set", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_size_set(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_size_set", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_set(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ptrdiff_set", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, value, pe)
PHILAE_SHMEM_INLINE int shmem_int_cswap(int *dest, int cond, int value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_int_cswap", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), dest, cond, value, pe)
PHILAE_SHMEM_INLINE long shmem_long_cswap(long *dest, long cond, long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_long_cswap", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), dest, cond, value, pe)
PHILAE_SHMEM_INLINE long long shmem_longlong_cswap(long long *dest, long long cond, long long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_longlong_cswap", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), dest, cond, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_cswap(unsigned int *dest, unsigned int cond, unsigned int value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_uint_cswap", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, cond, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_cswap(unsigned long *dest, unsigned long cond, unsigned long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ulong_cswap", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, cond, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_cswap(unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ulonglong_cswap", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, cond, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_cswap(int32_t *dest, int32_t cond, int32_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_int32_cswap", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_cswap(int64_t *dest, int64_t cond, int64_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_int64_cswap", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_cswap(uint32_t *dest, uint32_t cond, uint32_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_uint32_cswap", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_cswap(uint64_t *dest, uint64_t cond, uint64_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_uint64_cswap", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE size_t shmem_size_cswap(size_t *dest, size_t cond, size_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_size_cswap", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ptrdiff_cswap(ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ptrdiff_cswap", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, cond, value, pe)
PHILAE_SHMEM_INLINE float shmem_float_swap(float *dest, float value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_float_swap", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, dest, value, pe)
PHILAE_SHMEM_INLINE double shmem_double_swap(double *dest, double value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_double_swap", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, dest, value, pe)
PHILAE_SHMEM_INLINE int shmem_int_swap(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_int_swap", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), dest, value, pe)
PHILAE_SHMEM_INLINE long shmem_long_swap(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_long_swap", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), dest, value, pe)
PHILAE_SHMEM_INLINE long long shmem_longlong_swap(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_longlong_swap", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), dest, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_swap(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_uint_swap", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_swap(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ulong_swap", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_swap(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ulonglong_swap", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_swap(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_int32_swap", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_swap(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_int64_swap", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_swap(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_uint32_swap", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_swap(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_uint64_swap", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, value, pe)
PHILAE_SHMEM_INLINE size_t shmem_size_swap(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_size_swap", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, value, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ptrdiff_swap(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ptrdiff_swap", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, value, pe)
PHILAE_SHMEM_INLINE int shmem_int_finc(int *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int_finc", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE long shmem_long_finc(long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_long_finc", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE long long shmem_longlong_finc(long long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_longlong_finc", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_finc(unsigned int *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_finc", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_finc(unsigned long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_finc", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_finc(unsigned long long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_finc", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_finc(int32_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_finc", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_finc(int64_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_finc", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_finc(uint32_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_finc", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_finc(uint64_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_finc", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE size_t shmem_size_finc(size_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_size_finc", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ptrdiff_finc(ptrdiff_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ptrdiff_finc", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_int_inc(int *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int_inc", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_long_inc(long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_long_inc", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_longlong_inc(long long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_longlong_inc", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_uint_inc(unsigned int *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_inc", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_inc(unsigned long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_inc", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_inc(unsigned long long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_inc", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_int32_inc(int32_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_inc", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_int64_inc(int64_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_inc", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_inc(uint32_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_inc", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_inc(uint64_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_inc", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_size_inc(size_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_size_inc", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_inc(ptrdiff_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ptrdiff_inc", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, 1, pe)
PHILAE_SHMEM_INLINE int shmem_int_fadd(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int_fadd", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE long shmem_long_fadd(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_long_fadd", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE long long shmem_longlong_fadd(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_longlong_fadd", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned int shmem_uint_fadd(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_fadd", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long shmem_ulong_fadd(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_fadd", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE unsigned long long shmem_ulonglong_fadd(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_fadd", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE int32_t shmem_int32_fadd(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_fadd", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE int64_t shmem_int64_fadd(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_fadd", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE uint32_t shmem_uint32_fadd(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_fadd", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE uint64_t shmem_uint64_fadd(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_fadd", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE size_t shmem_size_fadd(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_size_fadd", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE ptrdiff_t shmem_ptrdiff_fadd(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ptrdiff_fadd", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int_add(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int_add", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_long_add(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_long_add", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_longlong_add(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_longlong_add", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint_add(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_add", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulong_add(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_add", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ulonglong_add(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_add", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int32_add(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_add", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_int64_add(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_add", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint32_add(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_add", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_uint64_add(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_add", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_size_add(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_size_add", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, value, pe)
PHILAE_SHMEM_INLINE void shmem_ptrdiff_add(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ptrdiff_add", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, value, pe)

#ifdef __cplusplus
}
#endif

#endif
