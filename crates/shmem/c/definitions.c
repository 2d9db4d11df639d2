/* Written by philae-shmem-tables from the tables of crates/shmem-api: do not edit. */
#define PHILAE_SHMEM_NO_INLINE
#include <pshmem.h>
#include <philae/shmem_inline.h>

#define ALIAS(name, of) extern __typeof__(of) name __attribute__((__weak__, __alias__(#of)))

void pshmem_init(void)
{ (void)philae_shmem_init("shmem_init", SHMEM_THREAD_SINGLE, 0); }
ALIAS(shmem_init, pshmem_init);
void pshmem_finalize(void)
{ philae_shmem_finalize("shmem_finalize"); }
ALIAS(shmem_finalize, pshmem_finalize);
void pshmem_query_initialized(int *initialized)
{ *initialized = philae_shmem_initialized() != 0; }
ALIAS(shmem_query_initialized, pshmem_query_initialized);
void pshmem_global_exit(int status)
{ philae_shmem_global_exit("shmem_global_exit", status); }
ALIAS(shmem_global_exit, pshmem_global_exit);
int pshmem_my_pe(void)
{ int me = philae_shmem_here.me; return PHILAE_SHMEM_LIKELY(me >= 0) ? me : philae_shmem_my_pe("shmem_my_pe"); }
ALIAS(shmem_my_pe, pshmem_my_pe);
int pshmem_n_pes(void)
{ int n = philae_shmem_here.n_pes; return PHILAE_SHMEM_LIKELY(n >= 0) ? n : philae_shmem_n_pes("shmem_n_pes"); }
ALIAS(shmem_n_pes, pshmem_n_pes);
int pshmem_pe_accessible(int pe)
{ return philae_shmem_pe_accessible("shmem_pe_accessible", pe); }
ALIAS(shmem_pe_accessible, pshmem_pe_accessible);
int pshmem_addr_accessible(const void *addr, int pe)
{ return philae_shmem_addr_accessible("shmem_addr_accessible", addr, pe); }
ALIAS(shmem_addr_accessible, pshmem_addr_accessible);
void *pshmem_ptr(const void *dest, int pe)
{ return philae_shmem_near_ptr("shmem_ptr", dest, pe); }
ALIAS(shmem_ptr, pshmem_ptr);
void *pshmem_team_ptr(shmem_team_t team, const void *dest, int pe)
{ return philae_shmem_ptr("shmem_team_ptr", team, dest, pe); }
ALIAS(shmem_team_ptr, pshmem_team_ptr);
void pshmem_info_get_version(int *major, int *minor)
{ *major = SHMEM_MAJOR_VERSION; *minor = SHMEM_MINOR_VERSION; }
ALIAS(shmem_info_get_version, pshmem_info_get_version);
void pshmem_info_get_name(char *name)
{ __builtin_memcpy(name, SHMEM_VENDOR_STRING, sizeof SHMEM_VENDOR_STRING); }
ALIAS(shmem_info_get_name, pshmem_info_get_name);
int pshmem_init_thread(int requested, int *provided)
{ return philae_shmem_init("shmem_init_thread", requested, provided); }
ALIAS(shmem_init_thread, pshmem_init_thread);
void pshmem_query_thread(int *provided)
{ *provided = philae_shmem_thread_level("shmem_query_thread"); }
ALIAS(shmem_query_thread, pshmem_query_thread);
void *pshmem_malloc(size_t size)
{ return philae_shmem_malloc("shmem_malloc", size, 0); }
ALIAS(shmem_malloc, pshmem_malloc);
void pshmem_free(void *ptr)
{ philae_shmem_free("shmem_free", ptr); }
ALIAS(shmem_free, pshmem_free);
void *pshmem_realloc(void *ptr, size_t size)
{ return philae_shmem_realloc("shmem_realloc", ptr, size); }
ALIAS(shmem_realloc, pshmem_realloc);
void *pshmem_align(size_t alignment, size_t size)
{ return philae_shmem_align("shmem_align", alignment, size); }
ALIAS(shmem_align, pshmem_align);
void *pshmem_malloc_with_hints(size_t size, long hints)
{ return philae_shmem_malloc("shmem_malloc_with_hints", size, hints); }
ALIAS(shmem_malloc_with_hints, pshmem_malloc_with_hints);
void *pshmem_calloc(size_t count, size_t size)
{ return philae_shmem_calloc("shmem_calloc", count, size); }
ALIAS(shmem_calloc, pshmem_calloc);
int pshmem_team_my_pe(shmem_team_t team)
{ return team ? team->me : -1; }
ALIAS(shmem_team_my_pe, pshmem_team_my_pe);
int pshmem_team_n_pes(shmem_team_t team)
{ return team ? team->n_pes : -1; }
ALIAS(shmem_team_n_pes, pshmem_team_n_pes);
int pshmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config)
{ return philae_shmem_team_get_config("shmem_team_get_config", team, config_mask, config); }
ALIAS(shmem_team_get_config, pshmem_team_get_config);
int pshmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)
{ return philae_shmem_team_translate_pe("shmem_team_translate_pe", src_team, src_pe, dest_team); }
ALIAS(shmem_team_translate_pe, pshmem_team_translate_pe);
int pshmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team)
{ return philae_shmem_team_split_strided("shmem_team_split_strided", parent_team, start, stride, size, config, config_mask, new_team); }
ALIAS(shmem_team_split_strided, pshmem_team_split_strided);
int pshmem_team_split_2d(shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team)
{ return philae_shmem_team_split_2d("shmem_team_split_2d", parent_team, xrange, xaxis_config, xaxis_mask, xaxis_team, yaxis_config, yaxis_mask, yaxis_team); }
ALIAS(shmem_team_split_2d, pshmem_team_split_2d);
void pshmem_team_destroy(shmem_team_t team)
{ philae_shmem_team_destroy("shmem_team_destroy", team); }
ALIAS(shmem_team_destroy, pshmem_team_destroy);
int pshmem_ctx_create(long options, shmem_ctx_t *ctx)
{ return philae_shmem_ctx_create("shmem_ctx_create", SHMEM_TEAM_WORLD, options, ctx); }
ALIAS(shmem_ctx_create, pshmem_ctx_create);
int pshmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx)
{ return philae_shmem_ctx_create("shmem_team_create_ctx", team, options, ctx); }
ALIAS(shmem_team_create_ctx, pshmem_team_create_ctx);
void pshmem_ctx_destroy(shmem_ctx_t ctx)
{ philae_shmem_ctx_destroy("shmem_ctx_destroy", ctx); }
ALIAS(shmem_ctx_destroy, pshmem_ctx_destroy);
int pshmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team)
{ return philae_shmem_ctx_get_team("shmem_ctx_get_team", ctx, team); }
ALIAS(shmem_ctx_get_team, pshmem_ctx_get_team);
void pshmem_ctx_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask)
{ philae_shmem_ctx_session_start("shmem_ctx_session_start", ctx, options, config, config_mask); }
ALIAS(shmem_ctx_session_start, pshmem_ctx_session_start);
void pshmem_ctx_session_stop(shmem_ctx_t ctx)
{ philae_shmem_ctx_session_stop("shmem_ctx_session_stop", ctx); }
ALIAS(shmem_ctx_session_stop, pshmem_ctx_session_stop);
void pshmem_float_put(float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_float_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), pe, 0); }
ALIAS(shmem_float_put, pshmem_float_put);
void pshmem_double_put(double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_double_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), pe, 0); }
ALIAS(shmem_double_put, pshmem_double_put);
void pshmem_longdouble_put(long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_longdouble_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), pe, 0); }
ALIAS(shmem_longdouble_put, pshmem_longdouble_put);
void pshmem_char_put(char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_char_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), pe, 0); }
ALIAS(shmem_char_put, pshmem_char_put);
void pshmem_schar_put(signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_schar_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), pe, 0); }
ALIAS(shmem_schar_put, pshmem_schar_put);
void pshmem_short_put(short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_short_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), pe, 0); }
ALIAS(shmem_short_put, pshmem_short_put);
void pshmem_int_put(int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_int_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), pe, 0); }
ALIAS(shmem_int_put, pshmem_int_put);
void pshmem_long_put(long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_long_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), pe, 0); }
ALIAS(shmem_long_put, pshmem_long_put);
void pshmem_longlong_put(long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_longlong_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), pe, 0); }
ALIAS(shmem_longlong_put, pshmem_longlong_put);
void pshmem_uchar_put(unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_uchar_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), pe, 0); }
ALIAS(shmem_uchar_put, pshmem_uchar_put);
void pshmem_ushort_put(unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ushort_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), pe, 0); }
ALIAS(shmem_ushort_put, pshmem_ushort_put);
void pshmem_uint_put(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_uint_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), pe, 0); }
ALIAS(shmem_uint_put, pshmem_uint_put);
void pshmem_ulong_put(unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ulong_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), pe, 0); }
ALIAS(shmem_ulong_put, pshmem_ulong_put);
void pshmem_ulonglong_put(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ulonglong_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), pe, 0); }
ALIAS(shmem_ulonglong_put, pshmem_ulonglong_put);
void pshmem_int8_put(int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_int8_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), pe, 0); }
ALIAS(shmem_int8_put, pshmem_int8_put);
void pshmem_int16_put(int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_int16_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), pe, 0); }
ALIAS(shmem_int16_put, pshmem_int16_put);
void pshmem_int32_put(int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_int32_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), pe, 0); }
ALIAS(shmem_int32_put, pshmem_int32_put);
void pshmem_int64_put(int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_int64_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), pe, 0); }
ALIAS(shmem_int64_put, pshmem_int64_put);
void pshmem_uint8_put(uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_uint8_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), pe, 0); }
ALIAS(shmem_uint8_put, pshmem_uint8_put);
void pshmem_uint16_put(uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_uint16_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), pe, 0); }
ALIAS(shmem_uint16_put, pshmem_uint16_put);
void pshmem_uint32_put(uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_uint32_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), pe, 0); }
ALIAS(shmem_uint32_put, pshmem_uint32_put);
void pshmem_uint64_put(uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_uint64_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), pe, 0); }
ALIAS(shmem_uint64_put, pshmem_uint64_put);
void pshmem_size_put(size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_size_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), pe, 0); }
ALIAS(shmem_size_put, pshmem_size_put);
void pshmem_ptrdiff_put(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ptrdiff_put", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), pe, 0); }
ALIAS(shmem_ptrdiff_put, pshmem_ptrdiff_put);
void pshmem_ctx_float_put(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_float_put", ctx, dest, source, nelems, sizeof(float), pe, 0); }
ALIAS(shmem_ctx_float_put, pshmem_ctx_float_put);
void pshmem_ctx_double_put(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_double_put", ctx, dest, source, nelems, sizeof(double), pe, 0); }
ALIAS(shmem_ctx_double_put, pshmem_ctx_double_put);
void pshmem_ctx_longdouble_put(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_longdouble_put", ctx, dest, source, nelems, sizeof(long double), pe, 0); }
ALIAS(shmem_ctx_longdouble_put, pshmem_ctx_longdouble_put);
void pshmem_ctx_char_put(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_char_put", ctx, dest, source, nelems, sizeof(char), pe, 0); }
ALIAS(shmem_ctx_char_put, pshmem_ctx_char_put);
void pshmem_ctx_schar_put(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_schar_put", ctx, dest, source, nelems, sizeof(signed char), pe, 0); }
ALIAS(shmem_ctx_schar_put, pshmem_ctx_schar_put);
void pshmem_ctx_short_put(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_short_put", ctx, dest, source, nelems, sizeof(short), pe, 0); }
ALIAS(shmem_ctx_short_put, pshmem_ctx_short_put);
void pshmem_ctx_int_put(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_int_put", ctx, dest, source, nelems, sizeof(int), pe, 0); }
ALIAS(shmem_ctx_int_put, pshmem_ctx_int_put);
void pshmem_ctx_long_put(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_long_put", ctx, dest, source, nelems, sizeof(long), pe, 0); }
ALIAS(shmem_ctx_long_put, pshmem_ctx_long_put);
void pshmem_ctx_longlong_put(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_longlong_put", ctx, dest, source, nelems, sizeof(long long), pe, 0); }
ALIAS(shmem_ctx_longlong_put, pshmem_ctx_longlong_put);
void pshmem_ctx_uchar_put(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_uchar_put", ctx, dest, source, nelems, sizeof(unsigned char), pe, 0); }
ALIAS(shmem_ctx_uchar_put, pshmem_ctx_uchar_put);
void pshmem_ctx_ushort_put(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_ushort_put", ctx, dest, source, nelems, sizeof(unsigned short), pe, 0); }
ALIAS(shmem_ctx_ushort_put, pshmem_ctx_ushort_put);
void pshmem_ctx_uint_put(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_uint_put", ctx, dest, source, nelems, sizeof(unsigned int), pe, 0); }
ALIAS(shmem_ctx_uint_put, pshmem_ctx_uint_put);
void pshmem_ctx_ulong_put(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_ulong_put", ctx, dest, source, nelems, sizeof(unsigned long), pe, 0); }
ALIAS(shmem_ctx_ulong_put, pshmem_ctx_ulong_put);
void pshmem_ctx_ulonglong_put(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_ulonglong_put", ctx, dest, source, nelems, sizeof(unsigned long long), pe, 0); }
ALIAS(shmem_ctx_ulonglong_put, pshmem_ctx_ulonglong_put);
void pshmem_ctx_int8_put(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_int8_put", ctx, dest, source, nelems, sizeof(int8_t), pe, 0); }
ALIAS(shmem_ctx_int8_put, pshmem_ctx_int8_put);
void pshmem_ctx_int16_put(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_int16_put", ctx, dest, source, nelems, sizeof(int16_t), pe, 0); }
ALIAS(shmem_ctx_int16_put, pshmem_ctx_int16_put);
void pshmem_ctx_int32_put(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_int32_put", ctx, dest, source, nelems, sizeof(int32_t), pe, 0); }
ALIAS(shmem_ctx_int32_put, pshmem_ctx_int32_put);
void pshmem_ctx_int64_put(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_int64_put", ctx, dest, source, nelems, sizeof(int64_t), pe, 0); }
ALIAS(shmem_ctx_int64_put, pshmem_ctx_int64_put);
void pshmem_ctx_uint8_put(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_uint8_put", ctx, dest, source, nelems, sizeof(uint8_t), pe, 0); }
ALIAS(shmem_ctx_uint8_put, pshmem_ctx_uint8_put);
void pshmem_ctx_uint16_put(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_uint16_put", ctx, dest, source, nelems, sizeof(uint16_t), pe, 0); }
ALIAS(shmem_ctx_uint16_put, pshmem_ctx_uint16_put);
void pshmem_ctx_uint32_put(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_uint32_put", ctx, dest, source, nelems, sizeof(uint32_t), pe, 0); }
ALIAS(shmem_ctx_uint32_put, pshmem_ctx_uint32_put);
void pshmem_ctx_uint64_put(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_uint64_put", ctx, dest, source, nelems, sizeof(uint64_t), pe, 0); }
ALIAS(shmem_ctx_uint64_put, pshmem_ctx_uint64_put);
void pshmem_ctx_size_put(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_size_put", ctx, dest, source, nelems, sizeof(size_t), pe, 0); }
ALIAS(shmem_ctx_size_put, pshmem_ctx_size_put);
void pshmem_ctx_ptrdiff_put(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_ptrdiff_put", ctx, dest, source, nelems, sizeof(ptrdiff_t), pe, 0); }
ALIAS(shmem_ctx_ptrdiff_put, pshmem_ctx_ptrdiff_put);
void pshmem_put8(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_put8", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, 0); }
ALIAS(shmem_put8, pshmem_put8);
void pshmem_put16(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_put16", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, pe, 0); }
ALIAS(shmem_put16, pshmem_put16);
void pshmem_put32(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_put32", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, pe, 0); }
ALIAS(shmem_put32, pshmem_put32);
void pshmem_put64(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_put64", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, pe, 0); }
ALIAS(shmem_put64, pshmem_put64);
void pshmem_put128(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_put128", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, pe, 0); }
ALIAS(shmem_put128, pshmem_put128);
void pshmem_ctx_put8(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_put8", ctx, dest, source, nelems, 1, pe, 0); }
ALIAS(shmem_ctx_put8, pshmem_ctx_put8);
void pshmem_ctx_put16(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_put16", ctx, dest, source, nelems, 2, pe, 0); }
ALIAS(shmem_ctx_put16, pshmem_ctx_put16);
void pshmem_ctx_put32(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_put32", ctx, dest, source, nelems, 4, pe, 0); }
ALIAS(shmem_ctx_put32, pshmem_ctx_put32);
void pshmem_ctx_put64(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_put64", ctx, dest, source, nelems, 8, pe, 0); }
ALIAS(shmem_ctx_put64, pshmem_ctx_put64);
void pshmem_ctx_put128(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_put128", ctx, dest, source, nelems, 16, pe, 0); }
ALIAS(shmem_ctx_put128, pshmem_ctx_put128);
void pshmem_putmem(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_putmem", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, 0); }
ALIAS(shmem_putmem, pshmem_putmem);
void pshmem_ctx_putmem(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_putmem", ctx, dest, source, nelems, 1, pe, 0); }
ALIAS(shmem_ctx_putmem, pshmem_ctx_putmem);
void pshmem_float_p(float *dest, float value, int pe)
PHILAE_SHMEM_P("shmem_float_p", SHMEM_CTX_DEFAULT, float, dest, value, pe)
ALIAS(shmem_float_p, pshmem_float_p);
void pshmem_double_p(double *dest, double value, int pe)
PHILAE_SHMEM_P("shmem_double_p", SHMEM_CTX_DEFAULT, double, dest, value, pe)
ALIAS(shmem_double_p, pshmem_double_p);
void pshmem_longdouble_p(long double *dest, long double value, int pe)
PHILAE_SHMEM_P("shmem_longdouble_p", SHMEM_CTX_DEFAULT, long double, dest, value, pe)
ALIAS(shmem_longdouble_p, pshmem_longdouble_p);
void pshmem_char_p(char *dest, char value, int pe)
PHILAE_SHMEM_P("shmem_char_p", SHMEM_CTX_DEFAULT, char, dest, value, pe)
ALIAS(shmem_char_p, pshmem_char_p);
void pshmem_schar_p(signed char *dest, signed char value, int pe)
PHILAE_SHMEM_P("shmem_schar_p", SHMEM_CTX_DEFAULT, signed char, dest, value, pe)
ALIAS(shmem_schar_p, pshmem_schar_p);
void pshmem_short_p(short *dest, short value, int pe)
PHILAE_SHMEM_P("shmem_short_p", SHMEM_CTX_DEFAULT, short, dest, value, pe)
ALIAS(shmem_short_p, pshmem_short_p);
void pshmem_int_p(int *dest, int value, int pe)
PHILAE_SHMEM_P("shmem_int_p", SHMEM_CTX_DEFAULT, int, dest, value, pe)
ALIAS(shmem_int_p, pshmem_int_p);
void pshmem_long_p(long *dest, long value, int pe)
PHILAE_SHMEM_P("shmem_long_p", SHMEM_CTX_DEFAULT, long, dest, value, pe)
ALIAS(shmem_long_p, pshmem_long_p);
void pshmem_longlong_p(long long *dest, long long value, int pe)
PHILAE_SHMEM_P("shmem_longlong_p", SHMEM_CTX_DEFAULT, long long, dest, value, pe)
ALIAS(shmem_longlong_p, pshmem_longlong_p);
void pshmem_uchar_p(unsigned char *dest, unsigned char value, int pe)
PHILAE_SHMEM_P("shmem_uchar_p", SHMEM_CTX_DEFAULT, unsigned char, dest, value, pe)
ALIAS(shmem_uchar_p, pshmem_uchar_p);
void pshmem_ushort_p(unsigned short *dest, unsigned short value, int pe)
PHILAE_SHMEM_P("shmem_ushort_p", SHMEM_CTX_DEFAULT, unsigned short, dest, value, pe)
ALIAS(shmem_ushort_p, pshmem_ushort_p);
void pshmem_uint_p(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_P("shmem_uint_p", SHMEM_CTX_DEFAULT, unsigned int, dest, value, pe)
ALIAS(shmem_uint_p, pshmem_uint_p);
void pshmem_ulong_p(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_P("shmem_ulong_p", SHMEM_CTX_DEFAULT, unsigned long, dest, value, pe)
ALIAS(shmem_ulong_p, pshmem_ulong_p);
void pshmem_ulonglong_p(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_P("shmem_ulonglong_p", SHMEM_CTX_DEFAULT, unsigned long long, dest, value, pe)
ALIAS(shmem_ulonglong_p, pshmem_ulonglong_p);
void pshmem_int8_p(int8_t *dest, int8_t value, int pe)
PHILAE_SHMEM_P("shmem_int8_p", SHMEM_CTX_DEFAULT, int8_t, dest, value, pe)
ALIAS(shmem_int8_p, pshmem_int8_p);
void pshmem_int16_p(int16_t *dest, int16_t value, int pe)
PHILAE_SHMEM_P("shmem_int16_p", SHMEM_CTX_DEFAULT, int16_t, dest, value, pe)
ALIAS(shmem_int16_p, pshmem_int16_p);
void pshmem_int32_p(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_P("shmem_int32_p", SHMEM_CTX_DEFAULT, int32_t, dest, value, pe)
ALIAS(shmem_int32_p, pshmem_int32_p);
void pshmem_int64_p(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_P("shmem_int64_p", SHMEM_CTX_DEFAULT, int64_t, dest, value, pe)
ALIAS(shmem_int64_p, pshmem_int64_p);
void pshmem_uint8_p(uint8_t *dest, uint8_t value, int pe)
PHILAE_SHMEM_P("shmem_uint8_p", SHMEM_CTX_DEFAULT, uint8_t, dest, value, pe)
ALIAS(shmem_uint8_p, pshmem_uint8_p);
void pshmem_uint16_p(uint16_t *dest, uint16_t value, int pe)
PHILAE_SHMEM_P("shmem_uint16_p", SHMEM_CTX_DEFAULT, uint16_t, dest, value, pe)
ALIAS(shmem_uint16_p, pshmem_uint16_p);
void pshmem_uint32_p(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_P("shmem_uint32_p", SHMEM_CTX_DEFAULT, uint32_t, dest, value, pe)
ALIAS(shmem_uint32_p, pshmem_uint32_p);
void pshmem_uint64_p(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_P("shmem_uint64_p", SHMEM_CTX_DEFAULT, uint64_t, dest, value, pe)
ALIAS(shmem_uint64_p, pshmem_uint64_p);
void pshmem_size_p(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_P("shmem_size_p", SHMEM_CTX_DEFAULT, size_t, dest, value, pe)
ALIAS(shmem_size_p, pshmem_size_p);
void pshmem_ptrdiff_p(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_P("shmem_ptrdiff_p", SHMEM_CTX_DEFAULT, ptrdiff_t, dest, value, pe)
ALIAS(shmem_ptrdiff_p, pshmem_ptrdiff_p);
void pshmem_ctx_float_p(shmem_ctx_t ctx, float *dest, float value, int pe)
PHILAE_SHMEM_P("shmem_ctx_float_p", ctx, float, dest, value, pe)
ALIAS(shmem_ctx_float_p, pshmem_ctx_float_p);
void pshmem_ctx_double_p(shmem_ctx_t ctx, double *dest, double value, int pe)
PHILAE_SHMEM_P("shmem_ctx_double_p", ctx, double, dest, value, pe)
ALIAS(shmem_ctx_double_p, pshmem_ctx_double_p);
void pshmem_ctx_longdouble_p(shmem_ctx_t ctx, long double *dest, long double value, int pe)
PHILAE_SHMEM_P("shmem_ctx_longdouble_p", ctx, long double, dest, value, pe)
ALIAS(shmem_ctx_longdouble_p, pshmem_ctx_longdouble_p);
void pshmem_ctx_char_p(shmem_ctx_t ctx, char *dest, char value, int pe)
PHILAE_SHMEM_P("shmem_ctx_char_p", ctx, char, dest, value, pe)
ALIAS(shmem_ctx_char_p, pshmem_ctx_char_p);
void pshmem_ctx_schar_p(shmem_ctx_t ctx, signed char *dest, signed char value, int pe)
PHILAE_SHMEM_P("shmem_ctx_schar_p", ctx, signed char, dest, value, pe)
ALIAS(shmem_ctx_schar_p, pshmem_ctx_schar_p);
void pshmem_ctx_short_p(shmem_ctx_t ctx, short *dest, short value, int pe)
PHILAE_SHMEM_P("shmem_ctx_short_p", ctx, short, dest, value, pe)
ALIAS(shmem_ctx_short_p, pshmem_ctx_short_p);
void pshmem_ctx_int_p(shmem_ctx_t ctx, int *dest, int value, int pe)
PHILAE_SHMEM_P("shmem_ctx_int_p", ctx, int, dest, value, pe)
ALIAS(shmem_ctx_int_p, pshmem_ctx_int_p);
void pshmem_ctx_long_p(shmem_ctx_t ctx, long *dest, long value, int pe)
PHILAE_SHMEM_P("shmem_ctx_long_p", ctx, long, dest, value, pe)
ALIAS(shmem_ctx_long_p, pshmem_ctx_long_p);
void pshmem_ctx_longlong_p(shmem_ctx_t ctx, long long *dest, long long value, int pe)
PHILAE_SHMEM_P("shmem_ctx_longlong_p", ctx, long long, dest, value, pe)
ALIAS(shmem_ctx_longlong_p, pshmem_ctx_longlong_p);
void pshmem_ctx_uchar_p(shmem_ctx_t ctx, unsigned char *dest, unsigned char value, int pe)
PHILAE_SHMEM_P("shmem_ctx_uchar_p", ctx, unsigned char, dest, value, pe)
ALIAS(shmem_ctx_uchar_p, pshmem_ctx_uchar_p);
void pshmem_ctx_ushort_p(shmem_ctx_t ctx, unsigned short *dest, unsigned short value, int pe)
PHILAE_SHMEM_P("shmem_ctx_ushort_p", ctx, unsigned short, dest, value, pe)
ALIAS(shmem_ctx_ushort_p, pshmem_ctx_ushort_p);
void pshmem_ctx_uint_p(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_P("shmem_ctx_uint_p", ctx, unsigned int, dest, value, pe)
ALIAS(shmem_ctx_uint_p, pshmem_ctx_uint_p);
void pshmem_ctx_ulong_p(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_P("shmem_ctx_ulong_p", ctx, unsigned long, dest, value, pe)
ALIAS(shmem_ctx_ulong_p, pshmem_ctx_ulong_p);
void pshmem_ctx_ulonglong_p(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_P("shmem_ctx_ulonglong_p", ctx, unsigned long long, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_p, pshmem_ctx_ulonglong_p);
void pshmem_ctx_int8_p(shmem_ctx_t ctx, int8_t *dest, int8_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_int8_p", ctx, int8_t, dest, value, pe)
ALIAS(shmem_ctx_int8_p, pshmem_ctx_int8_p);
void pshmem_ctx_int16_p(shmem_ctx_t ctx, int16_t *dest, int16_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_int16_p", ctx, int16_t, dest, value, pe)
ALIAS(shmem_ctx_int16_p, pshmem_ctx_int16_p);
void pshmem_ctx_int32_p(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_int32_p", ctx, int32_t, dest, value, pe)
ALIAS(shmem_ctx_int32_p, pshmem_ctx_int32_p);
void pshmem_ctx_int64_p(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_int64_p", ctx, int64_t, dest, value, pe)
ALIAS(shmem_ctx_int64_p, pshmem_ctx_int64_p);
void pshmem_ctx_uint8_p(shmem_ctx_t ctx, uint8_t *dest, uint8_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_uint8_p", ctx, uint8_t, dest, value, pe)
ALIAS(shmem_ctx_uint8_p, pshmem_ctx_uint8_p);
void pshmem_ctx_uint16_p(shmem_ctx_t ctx, uint16_t *dest, uint16_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_uint16_p", ctx, uint16_t, dest, value, pe)
ALIAS(shmem_ctx_uint16_p, pshmem_ctx_uint16_p);
void pshmem_ctx_uint32_p(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_uint32_p", ctx, uint32_t, dest, value, pe)
ALIAS(shmem_ctx_uint32_p, pshmem_ctx_uint32_p);
void pshmem_ctx_uint64_p(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_uint64_p", ctx, uint64_t, dest, value, pe)
ALIAS(shmem_ctx_uint64_p, pshmem_ctx_uint64_p);
void pshmem_ctx_size_p(shmem_ctx_t ctx, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_size_p", ctx, size_t, dest, value, pe)
ALIAS(shmem_ctx_size_p, pshmem_ctx_size_p);
void pshmem_ctx_ptrdiff_p(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_P("shmem_ctx_ptrdiff_p", ctx, ptrdiff_t, dest, value, pe)
ALIAS(shmem_ctx_ptrdiff_p, pshmem_ctx_ptrdiff_p);
void pshmem_float_get(float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_float_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), pe, 0); }
ALIAS(shmem_float_get, pshmem_float_get);
void pshmem_double_get(double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_double_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), pe, 0); }
ALIAS(shmem_double_get, pshmem_double_get);
void pshmem_longdouble_get(long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_longdouble_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), pe, 0); }
ALIAS(shmem_longdouble_get, pshmem_longdouble_get);
void pshmem_char_get(char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_char_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), pe, 0); }
ALIAS(shmem_char_get, pshmem_char_get);
void pshmem_schar_get(signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_schar_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), pe, 0); }
ALIAS(shmem_schar_get, pshmem_schar_get);
void pshmem_short_get(short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_short_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), pe, 0); }
ALIAS(shmem_short_get, pshmem_short_get);
void pshmem_int_get(int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_int_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), pe, 0); }
ALIAS(shmem_int_get, pshmem_int_get);
void pshmem_long_get(long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_long_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), pe, 0); }
ALIAS(shmem_long_get, pshmem_long_get);
void pshmem_longlong_get(long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_longlong_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), pe, 0); }
ALIAS(shmem_longlong_get, pshmem_longlong_get);
void pshmem_uchar_get(unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_uchar_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), pe, 0); }
ALIAS(shmem_uchar_get, pshmem_uchar_get);
void pshmem_ushort_get(unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ushort_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), pe, 0); }
ALIAS(shmem_ushort_get, pshmem_ushort_get);
void pshmem_uint_get(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_uint_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), pe, 0); }
ALIAS(shmem_uint_get, pshmem_uint_get);
void pshmem_ulong_get(unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ulong_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), pe, 0); }
ALIAS(shmem_ulong_get, pshmem_ulong_get);
void pshmem_ulonglong_get(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ulonglong_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), pe, 0); }
ALIAS(shmem_ulonglong_get, pshmem_ulonglong_get);
void pshmem_int8_get(int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_int8_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), pe, 0); }
ALIAS(shmem_int8_get, pshmem_int8_get);
void pshmem_int16_get(int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_int16_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), pe, 0); }
ALIAS(shmem_int16_get, pshmem_int16_get);
void pshmem_int32_get(int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_int32_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), pe, 0); }
ALIAS(shmem_int32_get, pshmem_int32_get);
void pshmem_int64_get(int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_int64_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), pe, 0); }
ALIAS(shmem_int64_get, pshmem_int64_get);
void pshmem_uint8_get(uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_uint8_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), pe, 0); }
ALIAS(shmem_uint8_get, pshmem_uint8_get);
void pshmem_uint16_get(uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_uint16_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), pe, 0); }
ALIAS(shmem_uint16_get, pshmem_uint16_get);
void pshmem_uint32_get(uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_uint32_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), pe, 0); }
ALIAS(shmem_uint32_get, pshmem_uint32_get);
void pshmem_uint64_get(uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_uint64_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), pe, 0); }
ALIAS(shmem_uint64_get, pshmem_uint64_get);
void pshmem_size_get(size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_size_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), pe, 0); }
ALIAS(shmem_size_get, pshmem_size_get);
void pshmem_ptrdiff_get(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ptrdiff_get", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), pe, 0); }
ALIAS(shmem_ptrdiff_get, pshmem_ptrdiff_get);
void pshmem_ctx_float_get(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_float_get", ctx, dest, source, nelems, sizeof(float), pe, 0); }
ALIAS(shmem_ctx_float_get, pshmem_ctx_float_get);
void pshmem_ctx_double_get(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_double_get", ctx, dest, source, nelems, sizeof(double), pe, 0); }
ALIAS(shmem_ctx_double_get, pshmem_ctx_double_get);
void pshmem_ctx_longdouble_get(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_longdouble_get", ctx, dest, source, nelems, sizeof(long double), pe, 0); }
ALIAS(shmem_ctx_longdouble_get, pshmem_ctx_longdouble_get);
void pshmem_ctx_char_get(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_char_get", ctx, dest, source, nelems, sizeof(char), pe, 0); }
ALIAS(shmem_ctx_char_get, pshmem_ctx_char_get);
void pshmem_ctx_schar_get(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_schar_get", ctx, dest, source, nelems, sizeof(signed char), pe, 0); }
ALIAS(shmem_ctx_schar_get, pshmem_ctx_schar_get);
void pshmem_ctx_short_get(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_short_get", ctx, dest, source, nelems, sizeof(short), pe, 0); }
ALIAS(shmem_ctx_short_get, pshmem_ctx_short_get);
void pshmem_ctx_int_get(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_int_get", ctx, dest, source, nelems, sizeof(int), pe, 0); }
ALIAS(shmem_ctx_int_get, pshmem_ctx_int_get);
void pshmem_ctx_long_get(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_long_get", ctx, dest, source, nelems, sizeof(long), pe, 0); }
ALIAS(shmem_ctx_long_get, pshmem_ctx_long_get);
void pshmem_ctx_longlong_get(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_longlong_get", ctx, dest, source, nelems, sizeof(long long), pe, 0); }
ALIAS(shmem_ctx_longlong_get, pshmem_ctx_longlong_get);
void pshmem_ctx_uchar_get(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_uchar_get", ctx, dest, source, nelems, sizeof(unsigned char), pe, 0); }
ALIAS(shmem_ctx_uchar_get, pshmem_ctx_uchar_get);
void pshmem_ctx_ushort_get(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_ushort_get", ctx, dest, source, nelems, sizeof(unsigned short), pe, 0); }
ALIAS(shmem_ctx_ushort_get, pshmem_ctx_ushort_get);
void pshmem_ctx_uint_get(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_uint_get", ctx, dest, source, nelems, sizeof(unsigned int), pe, 0); }
ALIAS(shmem_ctx_uint_get, pshmem_ctx_uint_get);
void pshmem_ctx_ulong_get(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_ulong_get", ctx, dest, source, nelems, sizeof(unsigned long), pe, 0); }
ALIAS(shmem_ctx_ulong_get, pshmem_ctx_ulong_get);
void pshmem_ctx_ulonglong_get(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_ulonglong_get", ctx, dest, source, nelems, sizeof(unsigned long long), pe, 0); }
ALIAS(shmem_ctx_ulonglong_get, pshmem_ctx_ulonglong_get);
void pshmem_ctx_int8_get(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_int8_get", ctx, dest, source, nelems, sizeof(int8_t), pe, 0); }
ALIAS(shmem_ctx_int8_get, pshmem_ctx_int8_get);
void pshmem_ctx_int16_get(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_int16_get", ctx, dest, source, nelems, sizeof(int16_t), pe, 0); }
ALIAS(shmem_ctx_int16_get, pshmem_ctx_int16_get);
void pshmem_ctx_int32_get(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_int32_get", ctx, dest, source, nelems, sizeof(int32_t), pe, 0); }
ALIAS(shmem_ctx_int32_get, pshmem_ctx_int32_get);
void pshmem_ctx_int64_get(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_int64_get", ctx, dest, source, nelems, sizeof(int64_t), pe, 0); }
ALIAS(shmem_ctx_int64_get, pshmem_ctx_int64_get);
void pshmem_ctx_uint8_get(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_uint8_get", ctx, dest, source, nelems, sizeof(uint8_t), pe, 0); }
ALIAS(shmem_ctx_uint8_get, pshmem_ctx_uint8_get);
void pshmem_ctx_uint16_get(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_uint16_get", ctx, dest, source, nelems, sizeof(uint16_t), pe, 0); }
ALIAS(shmem_ctx_uint16_get, pshmem_ctx_uint16_get);
void pshmem_ctx_uint32_get(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_uint32_get", ctx, dest, source, nelems, sizeof(uint32_t), pe, 0); }
ALIAS(shmem_ctx_uint32_get, pshmem_ctx_uint32_get);
void pshmem_ctx_uint64_get(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_uint64_get", ctx, dest, source, nelems, sizeof(uint64_t), pe, 0); }
ALIAS(shmem_ctx_uint64_get, pshmem_ctx_uint64_get);
void pshmem_ctx_size_get(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_size_get", ctx, dest, source, nelems, sizeof(size_t), pe, 0); }
ALIAS(shmem_ctx_size_get, pshmem_ctx_size_get);
void pshmem_ctx_ptrdiff_get(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_ptrdiff_get", ctx, dest, source, nelems, sizeof(ptrdiff_t), pe, 0); }
ALIAS(shmem_ctx_ptrdiff_get, pshmem_ctx_ptrdiff_get);
void pshmem_get8(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_get8", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, 0); }
ALIAS(shmem_get8, pshmem_get8);
void pshmem_get16(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_get16", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, pe, 0); }
ALIAS(shmem_get16, pshmem_get16);
void pshmem_get32(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_get32", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, pe, 0); }
ALIAS(shmem_get32, pshmem_get32);
void pshmem_get64(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_get64", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, pe, 0); }
ALIAS(shmem_get64, pshmem_get64);
void pshmem_get128(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_get128", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, pe, 0); }
ALIAS(shmem_get128, pshmem_get128);
void pshmem_ctx_get8(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_get8", ctx, dest, source, nelems, 1, pe, 0); }
ALIAS(shmem_ctx_get8, pshmem_ctx_get8);
void pshmem_ctx_get16(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_get16", ctx, dest, source, nelems, 2, pe, 0); }
ALIAS(shmem_ctx_get16, pshmem_ctx_get16);
void pshmem_ctx_get32(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_get32", ctx, dest, source, nelems, 4, pe, 0); }
ALIAS(shmem_ctx_get32, pshmem_ctx_get32);
void pshmem_ctx_get64(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_get64", ctx, dest, source, nelems, 8, pe, 0); }
ALIAS(shmem_ctx_get64, pshmem_ctx_get64);
void pshmem_ctx_get128(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_get128", ctx, dest, source, nelems, 16, pe, 0); }
ALIAS(shmem_ctx_get128, pshmem_ctx_get128);
void pshmem_getmem(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_getmem", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, 0); }
ALIAS(shmem_getmem, pshmem_getmem);
void pshmem_ctx_getmem(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_getmem", ctx, dest, source, nelems, 1, pe, 0); }
ALIAS(shmem_ctx_getmem, pshmem_ctx_getmem);
float pshmem_float_g(const float *source, int pe)
PHILAE_SHMEM_G("shmem_float_g", SHMEM_CTX_DEFAULT, float, source, pe)
ALIAS(shmem_float_g, pshmem_float_g);
double pshmem_double_g(const double *source, int pe)
PHILAE_SHMEM_G("shmem_double_g", SHMEM_CTX_DEFAULT, double, source, pe)
ALIAS(shmem_double_g, pshmem_double_g);
long double pshmem_longdouble_g(const long double *source, int pe)
PHILAE_SHMEM_G("shmem_longdouble_g", SHMEM_CTX_DEFAULT, long double, source, pe)
ALIAS(shmem_longdouble_g, pshmem_longdouble_g);
char pshmem_char_g(const char *source, int pe)
PHILAE_SHMEM_G("shmem_char_g", SHMEM_CTX_DEFAULT, char, source, pe)
ALIAS(shmem_char_g, pshmem_char_g);
signed char pshmem_schar_g(const signed char *source, int pe)
PHILAE_SHMEM_G("shmem_schar_g", SHMEM_CTX_DEFAULT, signed char, source, pe)
ALIAS(shmem_schar_g, pshmem_schar_g);
short pshmem_short_g(const short *source, int pe)
PHILAE_SHMEM_G("shmem_short_g", SHMEM_CTX_DEFAULT, short, source, pe)
ALIAS(shmem_short_g, pshmem_short_g);
int pshmem_int_g(const int *source, int pe)
PHILAE_SHMEM_G("shmem_int_g", SHMEM_CTX_DEFAULT, int, source, pe)
ALIAS(shmem_int_g, pshmem_int_g);
long pshmem_long_g(const long *source, int pe)
PHILAE_SHMEM_G("shmem_long_g", SHMEM_CTX_DEFAULT, long, source, pe)
ALIAS(shmem_long_g, pshmem_long_g);
long long pshmem_longlong_g(const long long *source, int pe)
PHILAE_SHMEM_G("shmem_longlong_g", SHMEM_CTX_DEFAULT, long long, source, pe)
ALIAS(shmem_longlong_g, pshmem_longlong_g);
unsigned char pshmem_uchar_g(const unsigned char *source, int pe)
PHILAE_SHMEM_G("shmem_uchar_g", SHMEM_CTX_DEFAULT, unsigned char, source, pe)
ALIAS(shmem_uchar_g, pshmem_uchar_g);
unsigned short pshmem_ushort_g(const unsigned short *source, int pe)
PHILAE_SHMEM_G("shmem_ushort_g", SHMEM_CTX_DEFAULT, unsigned short, source, pe)
ALIAS(shmem_ushort_g, pshmem_ushort_g);
unsigned int pshmem_uint_g(const unsigned int *source, int pe)
PHILAE_SHMEM_G("shmem_uint_g", SHMEM_CTX_DEFAULT, unsigned int, source, pe)
ALIAS(shmem_uint_g, pshmem_uint_g);
unsigned long pshmem_ulong_g(const unsigned long *source, int pe)
PHILAE_SHMEM_G("shmem_ulong_g", SHMEM_CTX_DEFAULT, unsigned long, source, pe)
ALIAS(shmem_ulong_g, pshmem_ulong_g);
unsigned long long pshmem_ulonglong_g(const unsigned long long *source, int pe)
PHILAE_SHMEM_G("shmem_ulonglong_g", SHMEM_CTX_DEFAULT, unsigned long long, source, pe)
ALIAS(shmem_ulonglong_g, pshmem_ulonglong_g);
int8_t pshmem_int8_g(const int8_t *source, int pe)
PHILAE_SHMEM_G("shmem_int8_g", SHMEM_CTX_DEFAULT, int8_t, source, pe)
ALIAS(shmem_int8_g, pshmem_int8_g);
int16_t pshmem_int16_g(const int16_t *source, int pe)
PHILAE_SHMEM_G("shmem_int16_g", SHMEM_CTX_DEFAULT, int16_t, source, pe)
ALIAS(shmem_int16_g, pshmem_int16_g);
int32_t pshmem_int32_g(const int32_t *source, int pe)
PHILAE_SHMEM_G("shmem_int32_g", SHMEM_CTX_DEFAULT, int32_t, source, pe)
ALIAS(shmem_int32_g, pshmem_int32_g);
int64_t pshmem_int64_g(const int64_t *source, int pe)
PHILAE_SHMEM_G("shmem_int64_g", SHMEM_CTX_DEFAULT, int64_t, source, pe)
ALIAS(shmem_int64_g, pshmem_int64_g);
uint8_t pshmem_uint8_g(const uint8_t *source, int pe)
PHILAE_SHMEM_G("shmem_uint8_g", SHMEM_CTX_DEFAULT, uint8_t, source, pe)
ALIAS(shmem_uint8_g, pshmem_uint8_g);
uint16_t pshmem_uint16_g(const uint16_t *source, int pe)
PHILAE_SHMEM_G("shmem_uint16_g", SHMEM_CTX_DEFAULT, uint16_t, source, pe)
ALIAS(shmem_uint16_g, pshmem_uint16_g);
uint32_t pshmem_uint32_g(const uint32_t *source, int pe)
PHILAE_SHMEM_G("shmem_uint32_g", SHMEM_CTX_DEFAULT, uint32_t, source, pe)
ALIAS(shmem_uint32_g, pshmem_uint32_g);
uint64_t pshmem_uint64_g(const uint64_t *source, int pe)
PHILAE_SHMEM_G("shmem_uint64_g", SHMEM_CTX_DEFAULT, uint64_t, source, pe)
ALIAS(shmem_uint64_g, pshmem_uint64_g);
size_t pshmem_size_g(const size_t *source, int pe)
PHILAE_SHMEM_G("shmem_size_g", SHMEM_CTX_DEFAULT, size_t, source, pe)
ALIAS(shmem_size_g, pshmem_size_g);
ptrdiff_t pshmem_ptrdiff_g(const ptrdiff_t *source, int pe)
PHILAE_SHMEM_G("shmem_ptrdiff_g", SHMEM_CTX_DEFAULT, ptrdiff_t, source, pe)
ALIAS(shmem_ptrdiff_g, pshmem_ptrdiff_g);
float pshmem_ctx_float_g(shmem_ctx_t ctx, const float *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_float_g", ctx, float, source, pe)
ALIAS(shmem_ctx_float_g, pshmem_ctx_float_g);
double pshmem_ctx_double_g(shmem_ctx_t ctx, const double *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_double_g", ctx, double, source, pe)
ALIAS(shmem_ctx_double_g, pshmem_ctx_double_g);
long double pshmem_ctx_longdouble_g(shmem_ctx_t ctx, const long double *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_longdouble_g", ctx, long double, source, pe)
ALIAS(shmem_ctx_longdouble_g, pshmem_ctx_longdouble_g);
char pshmem_ctx_char_g(shmem_ctx_t ctx, const char *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_char_g", ctx, char, source, pe)
ALIAS(shmem_ctx_char_g, pshmem_ctx_char_g);
signed char pshmem_ctx_schar_g(shmem_ctx_t ctx, const signed char *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_schar_g", ctx, signed char, source, pe)
ALIAS(shmem_ctx_schar_g, pshmem_ctx_schar_g);
short pshmem_ctx_short_g(shmem_ctx_t ctx, const short *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_short_g", ctx, short, source, pe)
ALIAS(shmem_ctx_short_g, pshmem_ctx_short_g);
int pshmem_ctx_int_g(shmem_ctx_t ctx, const int *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_int_g", ctx, int, source, pe)
ALIAS(shmem_ctx_int_g, pshmem_ctx_int_g);
long pshmem_ctx_long_g(shmem_ctx_t ctx, const long *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_long_g", ctx, long, source, pe)
ALIAS(shmem_ctx_long_g, pshmem_ctx_long_g);
long long pshmem_ctx_longlong_g(shmem_ctx_t ctx, const long long *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_longlong_g", ctx, long long, source, pe)
ALIAS(shmem_ctx_longlong_g, pshmem_ctx_longlong_g);
unsigned char pshmem_ctx_uchar_g(shmem_ctx_t ctx, const unsigned char *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_uchar_g", ctx, unsigned char, source, pe)
ALIAS(shmem_ctx_uchar_g, pshmem_ctx_uchar_g);
unsigned short pshmem_ctx_ushort_g(shmem_ctx_t ctx, const unsigned short *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_ushort_g", ctx, unsigned short, source, pe)
ALIAS(shmem_ctx_ushort_g, pshmem_ctx_ushort_g);
unsigned int pshmem_ctx_uint_g(shmem_ctx_t ctx, const unsigned int *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_uint_g", ctx, unsigned int, source, pe)
ALIAS(shmem_ctx_uint_g, pshmem_ctx_uint_g);
unsigned long pshmem_ctx_ulong_g(shmem_ctx_t ctx, const unsigned long *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_ulong_g", ctx, unsigned long, source, pe)
ALIAS(shmem_ctx_ulong_g, pshmem_ctx_ulong_g);
unsigned long long pshmem_ctx_ulonglong_g(shmem_ctx_t ctx, const unsigned long long *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_ulonglong_g", ctx, unsigned long long, source, pe)
ALIAS(shmem_ctx_ulonglong_g, pshmem_ctx_ulonglong_g);
int8_t pshmem_ctx_int8_g(shmem_ctx_t ctx, const int8_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_int8_g", ctx, int8_t, source, pe)
ALIAS(shmem_ctx_int8_g, pshmem_ctx_int8_g);
int16_t pshmem_ctx_int16_g(shmem_ctx_t ctx, const int16_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_int16_g", ctx, int16_t, source, pe)
ALIAS(shmem_ctx_int16_g, pshmem_ctx_int16_g);
int32_t pshmem_ctx_int32_g(shmem_ctx_t ctx, const int32_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_int32_g", ctx, int32_t, source, pe)
ALIAS(shmem_ctx_int32_g, pshmem_ctx_int32_g);
int64_t pshmem_ctx_int64_g(shmem_ctx_t ctx, const int64_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_int64_g", ctx, int64_t, source, pe)
ALIAS(shmem_ctx_int64_g, pshmem_ctx_int64_g);
uint8_t pshmem_ctx_uint8_g(shmem_ctx_t ctx, const uint8_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_uint8_g", ctx, uint8_t, source, pe)
ALIAS(shmem_ctx_uint8_g, pshmem_ctx_uint8_g);
uint16_t pshmem_ctx_uint16_g(shmem_ctx_t ctx, const uint16_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_uint16_g", ctx, uint16_t, source, pe)
ALIAS(shmem_ctx_uint16_g, pshmem_ctx_uint16_g);
uint32_t pshmem_ctx_uint32_g(shmem_ctx_t ctx, const uint32_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_uint32_g", ctx, uint32_t, source, pe)
ALIAS(shmem_ctx_uint32_g, pshmem_ctx_uint32_g);
uint64_t pshmem_ctx_uint64_g(shmem_ctx_t ctx, const uint64_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_uint64_g", ctx, uint64_t, source, pe)
ALIAS(shmem_ctx_uint64_g, pshmem_ctx_uint64_g);
size_t pshmem_ctx_size_g(shmem_ctx_t ctx, const size_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_size_g", ctx, size_t, source, pe)
ALIAS(shmem_ctx_size_g, pshmem_ctx_size_g);
ptrdiff_t pshmem_ctx_ptrdiff_g(shmem_ctx_t ctx, const ptrdiff_t *source, int pe)
PHILAE_SHMEM_G("shmem_ctx_ptrdiff_g", ctx, ptrdiff_t, source, pe)
ALIAS(shmem_ctx_ptrdiff_g, pshmem_ctx_ptrdiff_g);
void pshmem_float_iput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_float_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(float), pe); }
ALIAS(shmem_float_iput, pshmem_float_iput);
void pshmem_double_iput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_double_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(double), pe); }
ALIAS(shmem_double_iput, pshmem_double_iput);
void pshmem_longdouble_iput(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_longdouble_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(long double), pe); }
ALIAS(shmem_longdouble_iput, pshmem_longdouble_iput);
void pshmem_char_iput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_char_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(char), pe); }
ALIAS(shmem_char_iput, pshmem_char_iput);
void pshmem_schar_iput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_schar_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(signed char), pe); }
ALIAS(shmem_schar_iput, pshmem_schar_iput);
void pshmem_short_iput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_short_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(short), pe); }
ALIAS(shmem_short_iput, pshmem_short_iput);
void pshmem_int_iput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_int_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int), pe); }
ALIAS(shmem_int_iput, pshmem_int_iput);
void pshmem_long_iput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_long_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(long), pe); }
ALIAS(shmem_long_iput, pshmem_long_iput);
void pshmem_longlong_iput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_longlong_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(long long), pe); }
ALIAS(shmem_longlong_iput, pshmem_longlong_iput);
void pshmem_uchar_iput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_uchar_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned char), pe); }
ALIAS(shmem_uchar_iput, pshmem_uchar_iput);
void pshmem_ushort_iput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ushort_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned short), pe); }
ALIAS(shmem_ushort_iput, pshmem_ushort_iput);
void pshmem_uint_iput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_uint_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned int), pe); }
ALIAS(shmem_uint_iput, pshmem_uint_iput);
void pshmem_ulong_iput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ulong_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned long), pe); }
ALIAS(shmem_ulong_iput, pshmem_ulong_iput);
void pshmem_ulonglong_iput(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ulonglong_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned long long), pe); }
ALIAS(shmem_ulonglong_iput, pshmem_ulonglong_iput);
void pshmem_int8_iput(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_int8_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int8_t), pe); }
ALIAS(shmem_int8_iput, pshmem_int8_iput);
void pshmem_int16_iput(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_int16_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int16_t), pe); }
ALIAS(shmem_int16_iput, pshmem_int16_iput);
void pshmem_int32_iput(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_int32_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int32_t), pe); }
ALIAS(shmem_int32_iput, pshmem_int32_iput);
void pshmem_int64_iput(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_int64_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int64_t), pe); }
ALIAS(shmem_int64_iput, pshmem_int64_iput);
void pshmem_uint8_iput(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_uint8_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint8_t), pe); }
ALIAS(shmem_uint8_iput, pshmem_uint8_iput);
void pshmem_uint16_iput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_uint16_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint16_t), pe); }
ALIAS(shmem_uint16_iput, pshmem_uint16_iput);
void pshmem_uint32_iput(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_uint32_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint32_t), pe); }
ALIAS(shmem_uint32_iput, pshmem_uint32_iput);
void pshmem_uint64_iput(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_uint64_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint64_t), pe); }
ALIAS(shmem_uint64_iput, pshmem_uint64_iput);
void pshmem_size_iput(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_size_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(size_t), pe); }
ALIAS(shmem_size_iput, pshmem_size_iput);
void pshmem_ptrdiff_iput(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ptrdiff_iput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(ptrdiff_t), pe); }
ALIAS(shmem_ptrdiff_iput, pshmem_ptrdiff_iput);
void pshmem_ctx_float_iput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_float_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(float), pe); }
ALIAS(shmem_ctx_float_iput, pshmem_ctx_float_iput);
void pshmem_ctx_double_iput(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_double_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(double), pe); }
ALIAS(shmem_ctx_double_iput, pshmem_ctx_double_iput);
void pshmem_ctx_longdouble_iput(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_longdouble_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(long double), pe); }
ALIAS(shmem_ctx_longdouble_iput, pshmem_ctx_longdouble_iput);
void pshmem_ctx_char_iput(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_char_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(char), pe); }
ALIAS(shmem_ctx_char_iput, pshmem_ctx_char_iput);
void pshmem_ctx_schar_iput(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_schar_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(signed char), pe); }
ALIAS(shmem_ctx_schar_iput, pshmem_ctx_schar_iput);
void pshmem_ctx_short_iput(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_short_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(short), pe); }
ALIAS(shmem_ctx_short_iput, pshmem_ctx_short_iput);
void pshmem_ctx_int_iput(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_int_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(int), pe); }
ALIAS(shmem_ctx_int_iput, pshmem_ctx_int_iput);
void pshmem_ctx_long_iput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_long_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(long), pe); }
ALIAS(shmem_ctx_long_iput, pshmem_ctx_long_iput);
void pshmem_ctx_longlong_iput(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_longlong_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(long long), pe); }
ALIAS(shmem_ctx_longlong_iput, pshmem_ctx_longlong_iput);
void pshmem_ctx_uchar_iput(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_uchar_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned char), pe); }
ALIAS(shmem_ctx_uchar_iput, pshmem_ctx_uchar_iput);
void pshmem_ctx_ushort_iput(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ushort_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned short), pe); }
ALIAS(shmem_ctx_ushort_iput, pshmem_ctx_ushort_iput);
void pshmem_ctx_uint_iput(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_uint_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned int), pe); }
ALIAS(shmem_ctx_uint_iput, pshmem_ctx_uint_iput);
void pshmem_ctx_ulong_iput(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ulong_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned long), pe); }
ALIAS(shmem_ctx_ulong_iput, pshmem_ctx_ulong_iput);
void pshmem_ctx_ulonglong_iput(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ulonglong_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned long long), pe); }
ALIAS(shmem_ctx_ulonglong_iput, pshmem_ctx_ulonglong_iput);
void pshmem_ctx_int8_iput(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_int8_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(int8_t), pe); }
ALIAS(shmem_ctx_int8_iput, pshmem_ctx_int8_iput);
void pshmem_ctx_int16_iput(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_int16_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(int16_t), pe); }
ALIAS(shmem_ctx_int16_iput, pshmem_ctx_int16_iput);
void pshmem_ctx_int32_iput(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_int32_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(int32_t), pe); }
ALIAS(shmem_ctx_int32_iput, pshmem_ctx_int32_iput);
void pshmem_ctx_int64_iput(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_int64_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(int64_t), pe); }
ALIAS(shmem_ctx_int64_iput, pshmem_ctx_int64_iput);
void pshmem_ctx_uint8_iput(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_uint8_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint8_t), pe); }
ALIAS(shmem_ctx_uint8_iput, pshmem_ctx_uint8_iput);
void pshmem_ctx_uint16_iput(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_uint16_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint16_t), pe); }
ALIAS(shmem_ctx_uint16_iput, pshmem_ctx_uint16_iput);
void pshmem_ctx_uint32_iput(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_uint32_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint32_t), pe); }
ALIAS(shmem_ctx_uint32_iput, pshmem_ctx_uint32_iput);
void pshmem_ctx_uint64_iput(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_uint64_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint64_t), pe); }
ALIAS(shmem_ctx_uint64_iput, pshmem_ctx_uint64_iput);
void pshmem_ctx_size_iput(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_size_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(size_t), pe); }
ALIAS(shmem_ctx_size_iput, pshmem_ctx_size_iput);
void pshmem_ctx_ptrdiff_iput(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ptrdiff_iput", ctx, dest, source, dst, sst, 1, nelems, sizeof(ptrdiff_t), pe); }
ALIAS(shmem_ctx_ptrdiff_iput, pshmem_ctx_ptrdiff_iput);
void pshmem_iput8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_iput8", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 1, pe); }
ALIAS(shmem_iput8, pshmem_iput8);
void pshmem_iput16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_iput16", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 2, pe); }
ALIAS(shmem_iput16, pshmem_iput16);
void pshmem_iput32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_iput32", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 4, pe); }
ALIAS(shmem_iput32, pshmem_iput32);
void pshmem_iput64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_iput64", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 8, pe); }
ALIAS(shmem_iput64, pshmem_iput64);
void pshmem_iput128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_iput128", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 16, pe); }
ALIAS(shmem_iput128, pshmem_iput128);
void pshmem_ctx_iput8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_iput8", ctx, dest, source, dst, sst, 1, nelems, 1, pe); }
ALIAS(shmem_ctx_iput8, pshmem_ctx_iput8);
void pshmem_ctx_iput16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_iput16", ctx, dest, source, dst, sst, 1, nelems, 2, pe); }
ALIAS(shmem_ctx_iput16, pshmem_ctx_iput16);
void pshmem_ctx_iput32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_iput32", ctx, dest, source, dst, sst, 1, nelems, 4, pe); }
ALIAS(shmem_ctx_iput32, pshmem_ctx_iput32);
void pshmem_ctx_iput64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_iput64", ctx, dest, source, dst, sst, 1, nelems, 8, pe); }
ALIAS(shmem_ctx_iput64, pshmem_ctx_iput64);
void pshmem_ctx_iput128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_iput128", ctx, dest, source, dst, sst, 1, nelems, 16, pe); }
ALIAS(shmem_ctx_iput128, pshmem_ctx_iput128);
void pshmem_float_iget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_float_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(float), pe); }
ALIAS(shmem_float_iget, pshmem_float_iget);
void pshmem_double_iget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_double_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(double), pe); }
ALIAS(shmem_double_iget, pshmem_double_iget);
void pshmem_longdouble_iget(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_longdouble_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(long double), pe); }
ALIAS(shmem_longdouble_iget, pshmem_longdouble_iget);
void pshmem_char_iget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_char_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(char), pe); }
ALIAS(shmem_char_iget, pshmem_char_iget);
void pshmem_schar_iget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_schar_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(signed char), pe); }
ALIAS(shmem_schar_iget, pshmem_schar_iget);
void pshmem_short_iget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_short_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(short), pe); }
ALIAS(shmem_short_iget, pshmem_short_iget);
void pshmem_int_iget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_int_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int), pe); }
ALIAS(shmem_int_iget, pshmem_int_iget);
void pshmem_long_iget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_long_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(long), pe); }
ALIAS(shmem_long_iget, pshmem_long_iget);
void pshmem_longlong_iget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_longlong_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(long long), pe); }
ALIAS(shmem_longlong_iget, pshmem_longlong_iget);
void pshmem_uchar_iget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_uchar_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned char), pe); }
ALIAS(shmem_uchar_iget, pshmem_uchar_iget);
void pshmem_ushort_iget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ushort_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned short), pe); }
ALIAS(shmem_ushort_iget, pshmem_ushort_iget);
void pshmem_uint_iget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_uint_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned int), pe); }
ALIAS(shmem_uint_iget, pshmem_uint_iget);
void pshmem_ulong_iget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ulong_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned long), pe); }
ALIAS(shmem_ulong_iget, pshmem_ulong_iget);
void pshmem_ulonglong_iget(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ulonglong_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(unsigned long long), pe); }
ALIAS(shmem_ulonglong_iget, pshmem_ulonglong_iget);
void pshmem_int8_iget(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_int8_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int8_t), pe); }
ALIAS(shmem_int8_iget, pshmem_int8_iget);
void pshmem_int16_iget(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_int16_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int16_t), pe); }
ALIAS(shmem_int16_iget, pshmem_int16_iget);
void pshmem_int32_iget(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_int32_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int32_t), pe); }
ALIAS(shmem_int32_iget, pshmem_int32_iget);
void pshmem_int64_iget(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_int64_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(int64_t), pe); }
ALIAS(shmem_int64_iget, pshmem_int64_iget);
void pshmem_uint8_iget(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_uint8_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint8_t), pe); }
ALIAS(shmem_uint8_iget, pshmem_uint8_iget);
void pshmem_uint16_iget(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_uint16_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint16_t), pe); }
ALIAS(shmem_uint16_iget, pshmem_uint16_iget);
void pshmem_uint32_iget(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_uint32_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint32_t), pe); }
ALIAS(shmem_uint32_iget, pshmem_uint32_iget);
void pshmem_uint64_iget(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_uint64_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(uint64_t), pe); }
ALIAS(shmem_uint64_iget, pshmem_uint64_iget);
void pshmem_size_iget(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_size_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(size_t), pe); }
ALIAS(shmem_size_iget, pshmem_size_iget);
void pshmem_ptrdiff_iget(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ptrdiff_iget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, sizeof(ptrdiff_t), pe); }
ALIAS(shmem_ptrdiff_iget, pshmem_ptrdiff_iget);
void pshmem_ctx_float_iget(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_float_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(float), pe); }
ALIAS(shmem_ctx_float_iget, pshmem_ctx_float_iget);
void pshmem_ctx_double_iget(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_double_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(double), pe); }
ALIAS(shmem_ctx_double_iget, pshmem_ctx_double_iget);
void pshmem_ctx_longdouble_iget(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_longdouble_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(long double), pe); }
ALIAS(shmem_ctx_longdouble_iget, pshmem_ctx_longdouble_iget);
void pshmem_ctx_char_iget(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_char_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(char), pe); }
ALIAS(shmem_ctx_char_iget, pshmem_ctx_char_iget);
void pshmem_ctx_schar_iget(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_schar_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(signed char), pe); }
ALIAS(shmem_ctx_schar_iget, pshmem_ctx_schar_iget);
void pshmem_ctx_short_iget(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_short_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(short), pe); }
ALIAS(shmem_ctx_short_iget, pshmem_ctx_short_iget);
void pshmem_ctx_int_iget(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_int_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(int), pe); }
ALIAS(shmem_ctx_int_iget, pshmem_ctx_int_iget);
void pshmem_ctx_long_iget(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_long_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(long), pe); }
ALIAS(shmem_ctx_long_iget, pshmem_ctx_long_iget);
void pshmem_ctx_longlong_iget(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_longlong_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(long long), pe); }
ALIAS(shmem_ctx_longlong_iget, pshmem_ctx_longlong_iget);
void pshmem_ctx_uchar_iget(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_uchar_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned char), pe); }
ALIAS(shmem_ctx_uchar_iget, pshmem_ctx_uchar_iget);
void pshmem_ctx_ushort_iget(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ushort_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned short), pe); }
ALIAS(shmem_ctx_ushort_iget, pshmem_ctx_ushort_iget);
void pshmem_ctx_uint_iget(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_uint_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned int), pe); }
ALIAS(shmem_ctx_uint_iget, pshmem_ctx_uint_iget);
void pshmem_ctx_ulong_iget(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ulong_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned long), pe); }
ALIAS(shmem_ctx_ulong_iget, pshmem_ctx_ulong_iget);
void pshmem_ctx_ulonglong_iget(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ulonglong_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(unsigned long long), pe); }
ALIAS(shmem_ctx_ulonglong_iget, pshmem_ctx_ulonglong_iget);
void pshmem_ctx_int8_iget(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_int8_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(int8_t), pe); }
ALIAS(shmem_ctx_int8_iget, pshmem_ctx_int8_iget);
void pshmem_ctx_int16_iget(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_int16_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(int16_t), pe); }
ALIAS(shmem_ctx_int16_iget, pshmem_ctx_int16_iget);
void pshmem_ctx_int32_iget(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_int32_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(int32_t), pe); }
ALIAS(shmem_ctx_int32_iget, pshmem_ctx_int32_iget);
void pshmem_ctx_int64_iget(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_int64_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(int64_t), pe); }
ALIAS(shmem_ctx_int64_iget, pshmem_ctx_int64_iget);
void pshmem_ctx_uint8_iget(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_uint8_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint8_t), pe); }
ALIAS(shmem_ctx_uint8_iget, pshmem_ctx_uint8_iget);
void pshmem_ctx_uint16_iget(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_uint16_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint16_t), pe); }
ALIAS(shmem_ctx_uint16_iget, pshmem_ctx_uint16_iget);
void pshmem_ctx_uint32_iget(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_uint32_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint32_t), pe); }
ALIAS(shmem_ctx_uint32_iget, pshmem_ctx_uint32_iget);
void pshmem_ctx_uint64_iget(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_uint64_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(uint64_t), pe); }
ALIAS(shmem_ctx_uint64_iget, pshmem_ctx_uint64_iget);
void pshmem_ctx_size_iget(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_size_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(size_t), pe); }
ALIAS(shmem_ctx_size_iget, pshmem_ctx_size_iget);
void pshmem_ctx_ptrdiff_iget(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ptrdiff_iget", ctx, dest, source, dst, sst, 1, nelems, sizeof(ptrdiff_t), pe); }
ALIAS(shmem_ctx_ptrdiff_iget, pshmem_ctx_ptrdiff_iget);
void pshmem_iget8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_iget8", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 1, pe); }
ALIAS(shmem_iget8, pshmem_iget8);
void pshmem_iget16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_iget16", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 2, pe); }
ALIAS(shmem_iget16, pshmem_iget16);
void pshmem_iget32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_iget32", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 4, pe); }
ALIAS(shmem_iget32, pshmem_iget32);
void pshmem_iget64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_iget64", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 8, pe); }
ALIAS(shmem_iget64, pshmem_iget64);
void pshmem_iget128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_iget128", SHMEM_CTX_DEFAULT, dest, source, dst, sst, 1, nelems, 16, pe); }
ALIAS(shmem_iget128, pshmem_iget128);
void pshmem_ctx_iget8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_iget8", ctx, dest, source, dst, sst, 1, nelems, 1, pe); }
ALIAS(shmem_ctx_iget8, pshmem_ctx_iget8);
void pshmem_ctx_iget16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_iget16", ctx, dest, source, dst, sst, 1, nelems, 2, pe); }
ALIAS(shmem_ctx_iget16, pshmem_ctx_iget16);
void pshmem_ctx_iget32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_iget32", ctx, dest, source, dst, sst, 1, nelems, 4, pe); }
ALIAS(shmem_ctx_iget32, pshmem_ctx_iget32);
void pshmem_ctx_iget64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_iget64", ctx, dest, source, dst, sst, 1, nelems, 8, pe); }
ALIAS(shmem_ctx_iget64, pshmem_ctx_iget64);
void pshmem_ctx_iget128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_iget128", ctx, dest, source, dst, sst, 1, nelems, 16, pe); }
ALIAS(shmem_ctx_iget128, pshmem_ctx_iget128);
void pshmem_float_ibput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_float_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(float), pe); }
ALIAS(shmem_float_ibput, pshmem_float_ibput);
void pshmem_double_ibput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_double_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(double), pe); }
ALIAS(shmem_double_ibput, pshmem_double_ibput);
void pshmem_longdouble_ibput(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_longdouble_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(long double), pe); }
ALIAS(shmem_longdouble_ibput, pshmem_longdouble_ibput);
void pshmem_char_ibput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_char_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(char), pe); }
ALIAS(shmem_char_ibput, pshmem_char_ibput);
void pshmem_schar_ibput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_schar_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(signed char), pe); }
ALIAS(shmem_schar_ibput, pshmem_schar_ibput);
void pshmem_short_ibput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_short_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(short), pe); }
ALIAS(shmem_short_ibput, pshmem_short_ibput);
void pshmem_int_ibput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_int_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int), pe); }
ALIAS(shmem_int_ibput, pshmem_int_ibput);
void pshmem_long_ibput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_long_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(long), pe); }
ALIAS(shmem_long_ibput, pshmem_long_ibput);
void pshmem_longlong_ibput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_longlong_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(long long), pe); }
ALIAS(shmem_longlong_ibput, pshmem_longlong_ibput);
void pshmem_uchar_ibput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_uchar_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned char), pe); }
ALIAS(shmem_uchar_ibput, pshmem_uchar_ibput);
void pshmem_ushort_ibput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ushort_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned short), pe); }
ALIAS(shmem_ushort_ibput, pshmem_ushort_ibput);
void pshmem_uint_ibput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_uint_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned int), pe); }
ALIAS(shmem_uint_ibput, pshmem_uint_ibput);
void pshmem_ulong_ibput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ulong_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long), pe); }
ALIAS(shmem_ulong_ibput, pshmem_ulong_ibput);
void pshmem_ulonglong_ibput(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ulonglong_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long long), pe); }
ALIAS(shmem_ulonglong_ibput, pshmem_ulonglong_ibput);
void pshmem_int8_ibput(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_int8_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int8_t), pe); }
ALIAS(shmem_int8_ibput, pshmem_int8_ibput);
void pshmem_int16_ibput(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_int16_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int16_t), pe); }
ALIAS(shmem_int16_ibput, pshmem_int16_ibput);
void pshmem_int32_ibput(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_int32_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int32_t), pe); }
ALIAS(shmem_int32_ibput, pshmem_int32_ibput);
void pshmem_int64_ibput(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_int64_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int64_t), pe); }
ALIAS(shmem_int64_ibput, pshmem_int64_ibput);
void pshmem_uint8_ibput(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_uint8_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint8_t), pe); }
ALIAS(shmem_uint8_ibput, pshmem_uint8_ibput);
void pshmem_uint16_ibput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_uint16_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint16_t), pe); }
ALIAS(shmem_uint16_ibput, pshmem_uint16_ibput);
void pshmem_uint32_ibput(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_uint32_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint32_t), pe); }
ALIAS(shmem_uint32_ibput, pshmem_uint32_ibput);
void pshmem_uint64_ibput(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_uint64_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint64_t), pe); }
ALIAS(shmem_uint64_ibput, pshmem_uint64_ibput);
void pshmem_size_ibput(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_size_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(size_t), pe); }
ALIAS(shmem_size_ibput, pshmem_size_ibput);
void pshmem_ptrdiff_ibput(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ptrdiff_ibput", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(ptrdiff_t), pe); }
ALIAS(shmem_ptrdiff_ibput, pshmem_ptrdiff_ibput);
void pshmem_ctx_float_ibput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_float_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(float), pe); }
ALIAS(shmem_ctx_float_ibput, pshmem_ctx_float_ibput);
void pshmem_ctx_double_ibput(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_double_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(double), pe); }
ALIAS(shmem_ctx_double_ibput, pshmem_ctx_double_ibput);
void pshmem_ctx_longdouble_ibput(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_longdouble_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(long double), pe); }
ALIAS(shmem_ctx_longdouble_ibput, pshmem_ctx_longdouble_ibput);
void pshmem_ctx_char_ibput(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_char_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(char), pe); }
ALIAS(shmem_ctx_char_ibput, pshmem_ctx_char_ibput);
void pshmem_ctx_schar_ibput(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_schar_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(signed char), pe); }
ALIAS(shmem_ctx_schar_ibput, pshmem_ctx_schar_ibput);
void pshmem_ctx_short_ibput(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_short_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(short), pe); }
ALIAS(shmem_ctx_short_ibput, pshmem_ctx_short_ibput);
void pshmem_ctx_int_ibput(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_int_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int), pe); }
ALIAS(shmem_ctx_int_ibput, pshmem_ctx_int_ibput);
void pshmem_ctx_long_ibput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_long_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(long), pe); }
ALIAS(shmem_ctx_long_ibput, pshmem_ctx_long_ibput);
void pshmem_ctx_longlong_ibput(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_longlong_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(long long), pe); }
ALIAS(shmem_ctx_longlong_ibput, pshmem_ctx_longlong_ibput);
void pshmem_ctx_uchar_ibput(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_uchar_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned char), pe); }
ALIAS(shmem_ctx_uchar_ibput, pshmem_ctx_uchar_ibput);
void pshmem_ctx_ushort_ibput(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ushort_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned short), pe); }
ALIAS(shmem_ctx_ushort_ibput, pshmem_ctx_ushort_ibput);
void pshmem_ctx_uint_ibput(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_uint_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned int), pe); }
ALIAS(shmem_ctx_uint_ibput, pshmem_ctx_uint_ibput);
void pshmem_ctx_ulong_ibput(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ulong_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long), pe); }
ALIAS(shmem_ctx_ulong_ibput, pshmem_ctx_ulong_ibput);
void pshmem_ctx_ulonglong_ibput(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ulonglong_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long long), pe); }
ALIAS(shmem_ctx_ulonglong_ibput, pshmem_ctx_ulonglong_ibput);
void pshmem_ctx_int8_ibput(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_int8_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int8_t), pe); }
ALIAS(shmem_ctx_int8_ibput, pshmem_ctx_int8_ibput);
void pshmem_ctx_int16_ibput(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_int16_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int16_t), pe); }
ALIAS(shmem_ctx_int16_ibput, pshmem_ctx_int16_ibput);
void pshmem_ctx_int32_ibput(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_int32_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int32_t), pe); }
ALIAS(shmem_ctx_int32_ibput, pshmem_ctx_int32_ibput);
void pshmem_ctx_int64_ibput(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_int64_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int64_t), pe); }
ALIAS(shmem_ctx_int64_ibput, pshmem_ctx_int64_ibput);
void pshmem_ctx_uint8_ibput(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_uint8_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint8_t), pe); }
ALIAS(shmem_ctx_uint8_ibput, pshmem_ctx_uint8_ibput);
void pshmem_ctx_uint16_ibput(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_uint16_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint16_t), pe); }
ALIAS(shmem_ctx_uint16_ibput, pshmem_ctx_uint16_ibput);
void pshmem_ctx_uint32_ibput(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_uint32_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint32_t), pe); }
ALIAS(shmem_ctx_uint32_ibput, pshmem_ctx_uint32_ibput);
void pshmem_ctx_uint64_ibput(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_uint64_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint64_t), pe); }
ALIAS(shmem_ctx_uint64_ibput, pshmem_ctx_uint64_ibput);
void pshmem_ctx_size_ibput(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_size_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(size_t), pe); }
ALIAS(shmem_ctx_size_ibput, pshmem_ctx_size_ibput);
void pshmem_ctx_ptrdiff_ibput(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ptrdiff_ibput", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(ptrdiff_t), pe); }
ALIAS(shmem_ctx_ptrdiff_ibput, pshmem_ctx_ptrdiff_ibput);
void pshmem_ibput8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ibput8", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 1, pe); }
ALIAS(shmem_ibput8, pshmem_ibput8);
void pshmem_ibput16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ibput16", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 2, pe); }
ALIAS(shmem_ibput16, pshmem_ibput16);
void pshmem_ibput32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ibput32", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 4, pe); }
ALIAS(shmem_ibput32, pshmem_ibput32);
void pshmem_ibput64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ibput64", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 8, pe); }
ALIAS(shmem_ibput64, pshmem_ibput64);
void pshmem_ibput128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ibput128", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 16, pe); }
ALIAS(shmem_ibput128, pshmem_ibput128);
void pshmem_ctx_ibput8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ibput8", ctx, dest, source, dst, sst, bsize, nblocks, 1, pe); }
ALIAS(shmem_ctx_ibput8, pshmem_ctx_ibput8);
void pshmem_ctx_ibput16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ibput16", ctx, dest, source, dst, sst, bsize, nblocks, 2, pe); }
ALIAS(shmem_ctx_ibput16, pshmem_ctx_ibput16);
void pshmem_ctx_ibput32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ibput32", ctx, dest, source, dst, sst, bsize, nblocks, 4, pe); }
ALIAS(shmem_ctx_ibput32, pshmem_ctx_ibput32);
void pshmem_ctx_ibput64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ibput64", ctx, dest, source, dst, sst, bsize, nblocks, 8, pe); }
ALIAS(shmem_ctx_ibput64, pshmem_ctx_ibput64);
void pshmem_ctx_ibput128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_put_strided("shmem_ctx_ibput128", ctx, dest, source, dst, sst, bsize, nblocks, 16, pe); }
ALIAS(shmem_ctx_ibput128, pshmem_ctx_ibput128);
void pshmem_float_ibget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_float_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(float), pe); }
ALIAS(shmem_float_ibget, pshmem_float_ibget);
void pshmem_double_ibget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_double_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(double), pe); }
ALIAS(shmem_double_ibget, pshmem_double_ibget);
void pshmem_longdouble_ibget(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_longdouble_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(long double), pe); }
ALIAS(shmem_longdouble_ibget, pshmem_longdouble_ibget);
void pshmem_char_ibget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_char_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(char), pe); }
ALIAS(shmem_char_ibget, pshmem_char_ibget);
void pshmem_schar_ibget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_schar_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(signed char), pe); }
ALIAS(shmem_schar_ibget, pshmem_schar_ibget);
void pshmem_short_ibget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_short_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(short), pe); }
ALIAS(shmem_short_ibget, pshmem_short_ibget);
void pshmem_int_ibget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_int_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int), pe); }
ALIAS(shmem_int_ibget, pshmem_int_ibget);
void pshmem_long_ibget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_long_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(long), pe); }
ALIAS(shmem_long_ibget, pshmem_long_ibget);
void pshmem_longlong_ibget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_longlong_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(long long), pe); }
ALIAS(shmem_longlong_ibget, pshmem_longlong_ibget);
void pshmem_uchar_ibget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_uchar_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned char), pe); }
ALIAS(shmem_uchar_ibget, pshmem_uchar_ibget);
void pshmem_ushort_ibget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ushort_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned short), pe); }
ALIAS(shmem_ushort_ibget, pshmem_ushort_ibget);
void pshmem_uint_ibget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_uint_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned int), pe); }
ALIAS(shmem_uint_ibget, pshmem_uint_ibget);
void pshmem_ulong_ibget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ulong_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long), pe); }
ALIAS(shmem_ulong_ibget, pshmem_ulong_ibget);
void pshmem_ulonglong_ibget(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ulonglong_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long long), pe); }
ALIAS(shmem_ulonglong_ibget, pshmem_ulonglong_ibget);
void pshmem_int8_ibget(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_int8_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int8_t), pe); }
ALIAS(shmem_int8_ibget, pshmem_int8_ibget);
void pshmem_int16_ibget(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_int16_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int16_t), pe); }
ALIAS(shmem_int16_ibget, pshmem_int16_ibget);
void pshmem_int32_ibget(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_int32_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int32_t), pe); }
ALIAS(shmem_int32_ibget, pshmem_int32_ibget);
void pshmem_int64_ibget(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_int64_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(int64_t), pe); }
ALIAS(shmem_int64_ibget, pshmem_int64_ibget);
void pshmem_uint8_ibget(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_uint8_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint8_t), pe); }
ALIAS(shmem_uint8_ibget, pshmem_uint8_ibget);
void pshmem_uint16_ibget(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_uint16_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint16_t), pe); }
ALIAS(shmem_uint16_ibget, pshmem_uint16_ibget);
void pshmem_uint32_ibget(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_uint32_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint32_t), pe); }
ALIAS(shmem_uint32_ibget, pshmem_uint32_ibget);
void pshmem_uint64_ibget(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_uint64_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(uint64_t), pe); }
ALIAS(shmem_uint64_ibget, pshmem_uint64_ibget);
void pshmem_size_ibget(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_size_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(size_t), pe); }
ALIAS(shmem_size_ibget, pshmem_size_ibget);
void pshmem_ptrdiff_ibget(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ptrdiff_ibget", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, sizeof(ptrdiff_t), pe); }
ALIAS(shmem_ptrdiff_ibget, pshmem_ptrdiff_ibget);
void pshmem_ctx_float_ibget(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_float_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(float), pe); }
ALIAS(shmem_ctx_float_ibget, pshmem_ctx_float_ibget);
void pshmem_ctx_double_ibget(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_double_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(double), pe); }
ALIAS(shmem_ctx_double_ibget, pshmem_ctx_double_ibget);
void pshmem_ctx_longdouble_ibget(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_longdouble_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(long double), pe); }
ALIAS(shmem_ctx_longdouble_ibget, pshmem_ctx_longdouble_ibget);
void pshmem_ctx_char_ibget(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_char_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(char), pe); }
ALIAS(shmem_ctx_char_ibget, pshmem_ctx_char_ibget);
void pshmem_ctx_schar_ibget(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_schar_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(signed char), pe); }
ALIAS(shmem_ctx_schar_ibget, pshmem_ctx_schar_ibget);
void pshmem_ctx_short_ibget(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_short_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(short), pe); }
ALIAS(shmem_ctx_short_ibget, pshmem_ctx_short_ibget);
void pshmem_ctx_int_ibget(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_int_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int), pe); }
ALIAS(shmem_ctx_int_ibget, pshmem_ctx_int_ibget);
void pshmem_ctx_long_ibget(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_long_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(long), pe); }
ALIAS(shmem_ctx_long_ibget, pshmem_ctx_long_ibget);
void pshmem_ctx_longlong_ibget(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_longlong_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(long long), pe); }
ALIAS(shmem_ctx_longlong_ibget, pshmem_ctx_longlong_ibget);
void pshmem_ctx_uchar_ibget(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_uchar_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned char), pe); }
ALIAS(shmem_ctx_uchar_ibget, pshmem_ctx_uchar_ibget);
void pshmem_ctx_ushort_ibget(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ushort_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned short), pe); }
ALIAS(shmem_ctx_ushort_ibget, pshmem_ctx_ushort_ibget);
void pshmem_ctx_uint_ibget(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_uint_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned int), pe); }
ALIAS(shmem_ctx_uint_ibget, pshmem_ctx_uint_ibget);
void pshmem_ctx_ulong_ibget(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ulong_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long), pe); }
ALIAS(shmem_ctx_ulong_ibget, pshmem_ctx_ulong_ibget);
void pshmem_ctx_ulonglong_ibget(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ulonglong_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(unsigned long long), pe); }
ALIAS(shmem_ctx_ulonglong_ibget, pshmem_ctx_ulonglong_ibget);
void pshmem_ctx_int8_ibget(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_int8_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int8_t), pe); }
ALIAS(shmem_ctx_int8_ibget, pshmem_ctx_int8_ibget);
void pshmem_ctx_int16_ibget(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_int16_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int16_t), pe); }
ALIAS(shmem_ctx_int16_ibget, pshmem_ctx_int16_ibget);
void pshmem_ctx_int32_ibget(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_int32_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int32_t), pe); }
ALIAS(shmem_ctx_int32_ibget, pshmem_ctx_int32_ibget);
void pshmem_ctx_int64_ibget(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_int64_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(int64_t), pe); }
ALIAS(shmem_ctx_int64_ibget, pshmem_ctx_int64_ibget);
void pshmem_ctx_uint8_ibget(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_uint8_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint8_t), pe); }
ALIAS(shmem_ctx_uint8_ibget, pshmem_ctx_uint8_ibget);
void pshmem_ctx_uint16_ibget(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_uint16_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint16_t), pe); }
ALIAS(shmem_ctx_uint16_ibget, pshmem_ctx_uint16_ibget);
void pshmem_ctx_uint32_ibget(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_uint32_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint32_t), pe); }
ALIAS(shmem_ctx_uint32_ibget, pshmem_ctx_uint32_ibget);
void pshmem_ctx_uint64_ibget(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_uint64_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(uint64_t), pe); }
ALIAS(shmem_ctx_uint64_ibget, pshmem_ctx_uint64_ibget);
void pshmem_ctx_size_ibget(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_size_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(size_t), pe); }
ALIAS(shmem_ctx_size_ibget, pshmem_ctx_size_ibget);
void pshmem_ctx_ptrdiff_ibget(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ptrdiff_ibget", ctx, dest, source, dst, sst, bsize, nblocks, sizeof(ptrdiff_t), pe); }
ALIAS(shmem_ctx_ptrdiff_ibget, pshmem_ctx_ptrdiff_ibget);
void pshmem_ibget8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ibget8", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 1, pe); }
ALIAS(shmem_ibget8, pshmem_ibget8);
void pshmem_ibget16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ibget16", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 2, pe); }
ALIAS(shmem_ibget16, pshmem_ibget16);
void pshmem_ibget32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ibget32", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 4, pe); }
ALIAS(shmem_ibget32, pshmem_ibget32);
void pshmem_ibget64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ibget64", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 8, pe); }
ALIAS(shmem_ibget64, pshmem_ibget64);
void pshmem_ibget128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ibget128", SHMEM_CTX_DEFAULT, dest, source, dst, sst, bsize, nblocks, 16, pe); }
ALIAS(shmem_ibget128, pshmem_ibget128);
void pshmem_ctx_ibget8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ibget8", ctx, dest, source, dst, sst, bsize, nblocks, 1, pe); }
ALIAS(shmem_ctx_ibget8, pshmem_ctx_ibget8);
void pshmem_ctx_ibget16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ibget16", ctx, dest, source, dst, sst, bsize, nblocks, 2, pe); }
ALIAS(shmem_ctx_ibget16, pshmem_ctx_ibget16);
void pshmem_ctx_ibget32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ibget32", ctx, dest, source, dst, sst, bsize, nblocks, 4, pe); }
ALIAS(shmem_ctx_ibget32, pshmem_ctx_ibget32);
void pshmem_ctx_ibget64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ibget64", ctx, dest, source, dst, sst, bsize, nblocks, 8, pe); }
ALIAS(shmem_ctx_ibget64, pshmem_ctx_ibget64);
void pshmem_ctx_ibget128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
{ philae_shmem_near_get_strided("shmem_ctx_ibget128", ctx, dest, source, dst, sst, bsize, nblocks, 16, pe); }
ALIAS(shmem_ctx_ibget128, pshmem_ctx_ibget128);
void pshmem_float_put_nbi(float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_float_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_float_put_nbi, pshmem_float_put_nbi);
void pshmem_double_put_nbi(double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_double_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_double_put_nbi, pshmem_double_put_nbi);
void pshmem_longdouble_put_nbi(long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_longdouble_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_longdouble_put_nbi, pshmem_longdouble_put_nbi);
void pshmem_char_put_nbi(char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_char_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_char_put_nbi, pshmem_char_put_nbi);
void pshmem_schar_put_nbi(signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_schar_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_schar_put_nbi, pshmem_schar_put_nbi);
void pshmem_short_put_nbi(short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_short_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_short_put_nbi, pshmem_short_put_nbi);
void pshmem_int_put_nbi(int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_int_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int_put_nbi, pshmem_int_put_nbi);
void pshmem_long_put_nbi(long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_long_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_long_put_nbi, pshmem_long_put_nbi);
void pshmem_longlong_put_nbi(long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_longlong_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_longlong_put_nbi, pshmem_longlong_put_nbi);
void pshmem_uchar_put_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_uchar_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uchar_put_nbi, pshmem_uchar_put_nbi);
void pshmem_ushort_put_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ushort_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ushort_put_nbi, pshmem_ushort_put_nbi);
void pshmem_uint_put_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_uint_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint_put_nbi, pshmem_uint_put_nbi);
void pshmem_ulong_put_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ulong_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ulong_put_nbi, pshmem_ulong_put_nbi);
void pshmem_ulonglong_put_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ulonglong_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ulonglong_put_nbi, pshmem_ulonglong_put_nbi);
void pshmem_int8_put_nbi(int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_int8_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int8_put_nbi, pshmem_int8_put_nbi);
void pshmem_int16_put_nbi(int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_int16_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int16_put_nbi, pshmem_int16_put_nbi);
void pshmem_int32_put_nbi(int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_int32_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int32_put_nbi, pshmem_int32_put_nbi);
void pshmem_int64_put_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_int64_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int64_put_nbi, pshmem_int64_put_nbi);
void pshmem_uint8_put_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_uint8_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint8_put_nbi, pshmem_uint8_put_nbi);
void pshmem_uint16_put_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_uint16_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint16_put_nbi, pshmem_uint16_put_nbi);
void pshmem_uint32_put_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_uint32_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint32_put_nbi, pshmem_uint32_put_nbi);
void pshmem_uint64_put_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_uint64_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint64_put_nbi, pshmem_uint64_put_nbi);
void pshmem_size_put_nbi(size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_size_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_size_put_nbi, pshmem_size_put_nbi);
void pshmem_ptrdiff_put_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ptrdiff_put_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ptrdiff_put_nbi, pshmem_ptrdiff_put_nbi);
void pshmem_ctx_float_put_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_float_put_nbi", ctx, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_float_put_nbi, pshmem_ctx_float_put_nbi);
void pshmem_ctx_double_put_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_double_put_nbi", ctx, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_double_put_nbi, pshmem_ctx_double_put_nbi);
void pshmem_ctx_longdouble_put_nbi(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_longdouble_put_nbi", ctx, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_longdouble_put_nbi, pshmem_ctx_longdouble_put_nbi);
void pshmem_ctx_char_put_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_char_put_nbi", ctx, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_char_put_nbi, pshmem_ctx_char_put_nbi);
void pshmem_ctx_schar_put_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_schar_put_nbi", ctx, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_schar_put_nbi, pshmem_ctx_schar_put_nbi);
void pshmem_ctx_short_put_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_short_put_nbi", ctx, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_short_put_nbi, pshmem_ctx_short_put_nbi);
void pshmem_ctx_int_put_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_int_put_nbi", ctx, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int_put_nbi, pshmem_ctx_int_put_nbi);
void pshmem_ctx_long_put_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_long_put_nbi", ctx, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_long_put_nbi, pshmem_ctx_long_put_nbi);
void pshmem_ctx_longlong_put_nbi(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_longlong_put_nbi", ctx, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_longlong_put_nbi, pshmem_ctx_longlong_put_nbi);
void pshmem_ctx_uchar_put_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_uchar_put_nbi", ctx, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uchar_put_nbi, pshmem_ctx_uchar_put_nbi);
void pshmem_ctx_ushort_put_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_ushort_put_nbi", ctx, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_ushort_put_nbi, pshmem_ctx_ushort_put_nbi);
void pshmem_ctx_uint_put_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_uint_put_nbi", ctx, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint_put_nbi, pshmem_ctx_uint_put_nbi);
void pshmem_ctx_ulong_put_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_ulong_put_nbi", ctx, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_ulong_put_nbi, pshmem_ctx_ulong_put_nbi);
void pshmem_ctx_ulonglong_put_nbi(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_ulonglong_put_nbi", ctx, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_ulonglong_put_nbi, pshmem_ctx_ulonglong_put_nbi);
void pshmem_ctx_int8_put_nbi(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_int8_put_nbi", ctx, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int8_put_nbi, pshmem_ctx_int8_put_nbi);
void pshmem_ctx_int16_put_nbi(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_int16_put_nbi", ctx, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int16_put_nbi, pshmem_ctx_int16_put_nbi);
void pshmem_ctx_int32_put_nbi(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_int32_put_nbi", ctx, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int32_put_nbi, pshmem_ctx_int32_put_nbi);
void pshmem_ctx_int64_put_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_int64_put_nbi", ctx, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int64_put_nbi, pshmem_ctx_int64_put_nbi);
void pshmem_ctx_uint8_put_nbi(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_uint8_put_nbi", ctx, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint8_put_nbi, pshmem_ctx_uint8_put_nbi);
void pshmem_ctx_uint16_put_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_uint16_put_nbi", ctx, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint16_put_nbi, pshmem_ctx_uint16_put_nbi);
void pshmem_ctx_uint32_put_nbi(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_uint32_put_nbi", ctx, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint32_put_nbi, pshmem_ctx_uint32_put_nbi);
void pshmem_ctx_uint64_put_nbi(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_uint64_put_nbi", ctx, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint64_put_nbi, pshmem_ctx_uint64_put_nbi);
void pshmem_ctx_size_put_nbi(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_size_put_nbi", ctx, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_size_put_nbi, pshmem_ctx_size_put_nbi);
void pshmem_ctx_ptrdiff_put_nbi(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_ptrdiff_put_nbi", ctx, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_ptrdiff_put_nbi, pshmem_ctx_ptrdiff_put_nbi);
void pshmem_put8_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_put8_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_put8_nbi, pshmem_put8_nbi);
void pshmem_put16_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_put16_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_put16_nbi, pshmem_put16_nbi);
void pshmem_put32_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_put32_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_put32_nbi, pshmem_put32_nbi);
void pshmem_put64_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_put64_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_put64_nbi, pshmem_put64_nbi);
void pshmem_put128_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_put128_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_put128_nbi, pshmem_put128_nbi);
void pshmem_ctx_put8_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_put8_nbi", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_put8_nbi, pshmem_ctx_put8_nbi);
void pshmem_ctx_put16_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_put16_nbi", ctx, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_put16_nbi, pshmem_ctx_put16_nbi);
void pshmem_ctx_put32_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_put32_nbi", ctx, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_put32_nbi, pshmem_ctx_put32_nbi);
void pshmem_ctx_put64_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_put64_nbi", ctx, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_put64_nbi, pshmem_ctx_put64_nbi);
void pshmem_ctx_put128_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_put128_nbi", ctx, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_put128_nbi, pshmem_ctx_put128_nbi);
void pshmem_putmem_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_putmem_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_putmem_nbi, pshmem_putmem_nbi);
void pshmem_ctx_putmem_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmem_ctx_putmem_nbi", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_putmem_nbi, pshmem_ctx_putmem_nbi);
void pshmem_float_get_nbi(float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_float_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_float_get_nbi, pshmem_float_get_nbi);
void pshmem_double_get_nbi(double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_double_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_double_get_nbi, pshmem_double_get_nbi);
void pshmem_longdouble_get_nbi(long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_longdouble_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_longdouble_get_nbi, pshmem_longdouble_get_nbi);
void pshmem_char_get_nbi(char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_char_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_char_get_nbi, pshmem_char_get_nbi);
void pshmem_schar_get_nbi(signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_schar_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_schar_get_nbi, pshmem_schar_get_nbi);
void pshmem_short_get_nbi(short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_short_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_short_get_nbi, pshmem_short_get_nbi);
void pshmem_int_get_nbi(int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_int_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int_get_nbi, pshmem_int_get_nbi);
void pshmem_long_get_nbi(long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_long_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_long_get_nbi, pshmem_long_get_nbi);
void pshmem_longlong_get_nbi(long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_longlong_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_longlong_get_nbi, pshmem_longlong_get_nbi);
void pshmem_uchar_get_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_uchar_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uchar_get_nbi, pshmem_uchar_get_nbi);
void pshmem_ushort_get_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ushort_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ushort_get_nbi, pshmem_ushort_get_nbi);
void pshmem_uint_get_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_uint_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint_get_nbi, pshmem_uint_get_nbi);
void pshmem_ulong_get_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ulong_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ulong_get_nbi, pshmem_ulong_get_nbi);
void pshmem_ulonglong_get_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ulonglong_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ulonglong_get_nbi, pshmem_ulonglong_get_nbi);
void pshmem_int8_get_nbi(int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_int8_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int8_get_nbi, pshmem_int8_get_nbi);
void pshmem_int16_get_nbi(int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_int16_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int16_get_nbi, pshmem_int16_get_nbi);
void pshmem_int32_get_nbi(int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_int32_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int32_get_nbi, pshmem_int32_get_nbi);
void pshmem_int64_get_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_int64_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int64_get_nbi, pshmem_int64_get_nbi);
void pshmem_uint8_get_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_uint8_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint8_get_nbi, pshmem_uint8_get_nbi);
void pshmem_uint16_get_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_uint16_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint16_get_nbi, pshmem_uint16_get_nbi);
void pshmem_uint32_get_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_uint32_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint32_get_nbi, pshmem_uint32_get_nbi);
void pshmem_uint64_get_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_uint64_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint64_get_nbi, pshmem_uint64_get_nbi);
void pshmem_size_get_nbi(size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_size_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_size_get_nbi, pshmem_size_get_nbi);
void pshmem_ptrdiff_get_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ptrdiff_get_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ptrdiff_get_nbi, pshmem_ptrdiff_get_nbi);
void pshmem_ctx_float_get_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_float_get_nbi", ctx, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_float_get_nbi, pshmem_ctx_float_get_nbi);
void pshmem_ctx_double_get_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_double_get_nbi", ctx, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_double_get_nbi, pshmem_ctx_double_get_nbi);
void pshmem_ctx_longdouble_get_nbi(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_longdouble_get_nbi", ctx, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_longdouble_get_nbi, pshmem_ctx_longdouble_get_nbi);
void pshmem_ctx_char_get_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_char_get_nbi", ctx, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_char_get_nbi, pshmem_ctx_char_get_nbi);
void pshmem_ctx_schar_get_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_schar_get_nbi", ctx, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_schar_get_nbi, pshmem_ctx_schar_get_nbi);
void pshmem_ctx_short_get_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_short_get_nbi", ctx, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_short_get_nbi, pshmem_ctx_short_get_nbi);
void pshmem_ctx_int_get_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_int_get_nbi", ctx, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int_get_nbi, pshmem_ctx_int_get_nbi);
void pshmem_ctx_long_get_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_long_get_nbi", ctx, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_long_get_nbi, pshmem_ctx_long_get_nbi);
void pshmem_ctx_longlong_get_nbi(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_longlong_get_nbi", ctx, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_longlong_get_nbi, pshmem_ctx_longlong_get_nbi);
void pshmem_ctx_uchar_get_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_uchar_get_nbi", ctx, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uchar_get_nbi, pshmem_ctx_uchar_get_nbi);
void pshmem_ctx_ushort_get_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_ushort_get_nbi", ctx, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_ushort_get_nbi, pshmem_ctx_ushort_get_nbi);
void pshmem_ctx_uint_get_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_uint_get_nbi", ctx, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint_get_nbi, pshmem_ctx_uint_get_nbi);
void pshmem_ctx_ulong_get_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_ulong_get_nbi", ctx, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_ulong_get_nbi, pshmem_ctx_ulong_get_nbi);
void pshmem_ctx_ulonglong_get_nbi(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_ulonglong_get_nbi", ctx, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_ulonglong_get_nbi, pshmem_ctx_ulonglong_get_nbi);
void pshmem_ctx_int8_get_nbi(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_int8_get_nbi", ctx, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int8_get_nbi, pshmem_ctx_int8_get_nbi);
void pshmem_ctx_int16_get_nbi(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_int16_get_nbi", ctx, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int16_get_nbi, pshmem_ctx_int16_get_nbi);
void pshmem_ctx_int32_get_nbi(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_int32_get_nbi", ctx, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int32_get_nbi, pshmem_ctx_int32_get_nbi);
void pshmem_ctx_int64_get_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_int64_get_nbi", ctx, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int64_get_nbi, pshmem_ctx_int64_get_nbi);
void pshmem_ctx_uint8_get_nbi(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_uint8_get_nbi", ctx, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint8_get_nbi, pshmem_ctx_uint8_get_nbi);
void pshmem_ctx_uint16_get_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_uint16_get_nbi", ctx, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint16_get_nbi, pshmem_ctx_uint16_get_nbi);
void pshmem_ctx_uint32_get_nbi(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_uint32_get_nbi", ctx, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint32_get_nbi, pshmem_ctx_uint32_get_nbi);
void pshmem_ctx_uint64_get_nbi(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_uint64_get_nbi", ctx, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint64_get_nbi, pshmem_ctx_uint64_get_nbi);
void pshmem_ctx_size_get_nbi(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_size_get_nbi", ctx, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_size_get_nbi, pshmem_ctx_size_get_nbi);
void pshmem_ctx_ptrdiff_get_nbi(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_ptrdiff_get_nbi", ctx, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_ptrdiff_get_nbi, pshmem_ctx_ptrdiff_get_nbi);
void pshmem_get8_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_get8_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_get8_nbi, pshmem_get8_nbi);
void pshmem_get16_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_get16_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_get16_nbi, pshmem_get16_nbi);
void pshmem_get32_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_get32_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_get32_nbi, pshmem_get32_nbi);
void pshmem_get64_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_get64_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_get64_nbi, pshmem_get64_nbi);
void pshmem_get128_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_get128_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_get128_nbi, pshmem_get128_nbi);
void pshmem_ctx_get8_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_get8_nbi", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_get8_nbi, pshmem_ctx_get8_nbi);
void pshmem_ctx_get16_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_get16_nbi", ctx, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_get16_nbi, pshmem_ctx_get16_nbi);
void pshmem_ctx_get32_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_get32_nbi", ctx, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_get32_nbi, pshmem_ctx_get32_nbi);
void pshmem_ctx_get64_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_get64_nbi", ctx, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_get64_nbi, pshmem_ctx_get64_nbi);
void pshmem_ctx_get128_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_get128_nbi", ctx, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_get128_nbi, pshmem_ctx_get128_nbi);
void pshmem_getmem_nbi(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_getmem_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_getmem_nbi, pshmem_getmem_nbi);
void pshmem_ctx_getmem_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmem_ctx_getmem_nbi", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_getmem_nbi, pshmem_ctx_getmem_nbi);
float pshmem_float_atomic_fetch(const float *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_float_atomic_fetch", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, source, pe)
ALIAS(shmem_float_atomic_fetch, pshmem_float_atomic_fetch);
double pshmem_double_atomic_fetch(const double *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_double_atomic_fetch", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, source, pe)
ALIAS(shmem_double_atomic_fetch, pshmem_double_atomic_fetch);
int pshmem_int_atomic_fetch(const int *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_int_atomic_fetch", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), source, pe)
ALIAS(shmem_int_atomic_fetch, pshmem_int_atomic_fetch);
long pshmem_long_atomic_fetch(const long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_long_atomic_fetch", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), source, pe)
ALIAS(shmem_long_atomic_fetch, pshmem_long_atomic_fetch);
long long pshmem_longlong_atomic_fetch(const long long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_longlong_atomic_fetch", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), source, pe)
ALIAS(shmem_longlong_atomic_fetch, pshmem_longlong_atomic_fetch);
unsigned int pshmem_uint_atomic_fetch(const unsigned int *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_uint_atomic_fetch", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), source, pe)
ALIAS(shmem_uint_atomic_fetch, pshmem_uint_atomic_fetch);
unsigned long pshmem_ulong_atomic_fetch(const unsigned long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ulong_atomic_fetch", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), source, pe)
ALIAS(shmem_ulong_atomic_fetch, pshmem_ulong_atomic_fetch);
unsigned long long pshmem_ulonglong_atomic_fetch(const unsigned long long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ulonglong_atomic_fetch", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), source, pe)
ALIAS(shmem_ulonglong_atomic_fetch, pshmem_ulonglong_atomic_fetch);
int32_t pshmem_int32_atomic_fetch(const int32_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_int32_atomic_fetch", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), source, pe)
ALIAS(shmem_int32_atomic_fetch, pshmem_int32_atomic_fetch);
int64_t pshmem_int64_atomic_fetch(const int64_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_int64_atomic_fetch", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), source, pe)
ALIAS(shmem_int64_atomic_fetch, pshmem_int64_atomic_fetch);
uint32_t pshmem_uint32_atomic_fetch(const uint32_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_uint32_atomic_fetch", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), source, pe)
ALIAS(shmem_uint32_atomic_fetch, pshmem_uint32_atomic_fetch);
uint64_t pshmem_uint64_atomic_fetch(const uint64_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_uint64_atomic_fetch", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), source, pe)
ALIAS(shmem_uint64_atomic_fetch, pshmem_uint64_atomic_fetch);
size_t pshmem_size_atomic_fetch(const size_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_size_atomic_fetch", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), source, pe)
ALIAS(shmem_size_atomic_fetch, pshmem_size_atomic_fetch);
ptrdiff_t pshmem_ptrdiff_atomic_fetch(const ptrdiff_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ptrdiff_atomic_fetch", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), source, pe)
ALIAS(shmem_ptrdiff_atomic_fetch, pshmem_ptrdiff_atomic_fetch);
float pshmem_ctx_float_atomic_fetch(shmem_ctx_t ctx, const float *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_float_atomic_fetch", ctx, float, PHILAE_SHMEM_F32, source, pe)
ALIAS(shmem_ctx_float_atomic_fetch, pshmem_ctx_float_atomic_fetch);
double pshmem_ctx_double_atomic_fetch(shmem_ctx_t ctx, const double *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_double_atomic_fetch", ctx, double, PHILAE_SHMEM_F64, source, pe)
ALIAS(shmem_ctx_double_atomic_fetch, pshmem_ctx_double_atomic_fetch);
int pshmem_ctx_int_atomic_fetch(shmem_ctx_t ctx, const int *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_int_atomic_fetch", ctx, int, PHILAE_SHMEM_SIGNED(int), source, pe)
ALIAS(shmem_ctx_int_atomic_fetch, pshmem_ctx_int_atomic_fetch);
long pshmem_ctx_long_atomic_fetch(shmem_ctx_t ctx, const long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_long_atomic_fetch", ctx, long, PHILAE_SHMEM_SIGNED(long), source, pe)
ALIAS(shmem_ctx_long_atomic_fetch, pshmem_ctx_long_atomic_fetch);
long long pshmem_ctx_longlong_atomic_fetch(shmem_ctx_t ctx, const long long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_longlong_atomic_fetch", ctx, long long, PHILAE_SHMEM_SIGNED(long long), source, pe)
ALIAS(shmem_ctx_longlong_atomic_fetch, pshmem_ctx_longlong_atomic_fetch);
unsigned int pshmem_ctx_uint_atomic_fetch(shmem_ctx_t ctx, const unsigned int *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_uint_atomic_fetch", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), source, pe)
ALIAS(shmem_ctx_uint_atomic_fetch, pshmem_ctx_uint_atomic_fetch);
unsigned long pshmem_ctx_ulong_atomic_fetch(shmem_ctx_t ctx, const unsigned long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_ulong_atomic_fetch", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), source, pe)
ALIAS(shmem_ctx_ulong_atomic_fetch, pshmem_ctx_ulong_atomic_fetch);
unsigned long long pshmem_ctx_ulonglong_atomic_fetch(shmem_ctx_t ctx, const unsigned long long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_ulonglong_atomic_fetch", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), source, pe)
ALIAS(shmem_ctx_ulonglong_atomic_fetch, pshmem_ctx_ulonglong_atomic_fetch);
int32_t pshmem_ctx_int32_atomic_fetch(shmem_ctx_t ctx, const int32_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_int32_atomic_fetch", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), source, pe)
ALIAS(shmem_ctx_int32_atomic_fetch, pshmem_ctx_int32_atomic_fetch);
int64_t pshmem_ctx_int64_atomic_fetch(shmem_ctx_t ctx, const int64_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_int64_atomic_fetch", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), source, pe)
ALIAS(shmem_ctx_int64_atomic_fetch, pshmem_ctx_int64_atomic_fetch);
uint32_t pshmem_ctx_uint32_atomic_fetch(shmem_ctx_t ctx, const uint32_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_uint32_atomic_fetch", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), source, pe)
ALIAS(shmem_ctx_uint32_atomic_fetch, pshmem_ctx_uint32_atomic_fetch);
uint64_t pshmem_ctx_uint64_atomic_fetch(shmem_ctx_t ctx, const uint64_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_uint64_atomic_fetch", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), source, pe)
ALIAS(shmem_ctx_uint64_atomic_fetch, pshmem_ctx_uint64_atomic_fetch);
size_t pshmem_ctx_size_atomic_fetch(shmem_ctx_t ctx, const size_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_size_atomic_fetch", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), source, pe)
ALIAS(shmem_ctx_size_atomic_fetch, pshmem_ctx_size_atomic_fetch);
ptrdiff_t pshmem_ctx_ptrdiff_atomic_fetch(shmem_ctx_t ctx, const ptrdiff_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ctx_ptrdiff_atomic_fetch", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), source, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_fetch, pshmem_ctx_ptrdiff_atomic_fetch);
void pshmem_float_atomic_set(float *dest, float value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_float_atomic_set", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, dest, value, pe)
ALIAS(shmem_float_atomic_set, pshmem_float_atomic_set);
void pshmem_double_atomic_set(double *dest, double value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_double_atomic_set", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, dest, value, pe)
ALIAS(shmem_double_atomic_set, pshmem_double_atomic_set);
void pshmem_int_atomic_set(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_int_atomic_set", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), dest, value, pe)
ALIAS(shmem_int_atomic_set, pshmem_int_atomic_set);
void pshmem_long_atomic_set(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_long_atomic_set", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), dest, value, pe)
ALIAS(shmem_long_atomic_set, pshmem_long_atomic_set);
void pshmem_longlong_atomic_set(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_longlong_atomic_set", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), dest, value, pe)
ALIAS(shmem_longlong_atomic_set, pshmem_longlong_atomic_set);
void pshmem_uint_atomic_set(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_uint_atomic_set", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, value, pe)
ALIAS(shmem_uint_atomic_set, pshmem_uint_atomic_set);
void pshmem_ulong_atomic_set(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ulong_atomic_set", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, value, pe)
ALIAS(shmem_ulong_atomic_set, pshmem_ulong_atomic_set);
void pshmem_ulonglong_atomic_set(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ulonglong_atomic_set", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, value, pe)
ALIAS(shmem_ulonglong_atomic_set, pshmem_ulonglong_atomic_set);
void pshmem_int32_atomic_set(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_int32_atomic_set", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, value, pe)
ALIAS(shmem_int32_atomic_set, pshmem_int32_atomic_set);
void pshmem_int64_atomic_set(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_int64_atomic_set", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, value, pe)
ALIAS(shmem_int64_atomic_set, pshmem_int64_atomic_set);
void pshmem_uint32_atomic_set(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_uint32_atomic_set", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, value, pe)
ALIAS(shmem_uint32_atomic_set, pshmem_uint32_atomic_set);
void pshmem_uint64_atomic_set(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_uint64_atomic_set", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, value, pe)
ALIAS(shmem_uint64_atomic_set, pshmem_uint64_atomic_set);
void pshmem_size_atomic_set(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_size_atomic_set", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, value, pe)
ALIAS(shmem_size_atomic_set, pshmem_size_atomic_set);
void pshmem_ptrdiff_atomic_set(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ptrdiff_atomic_set", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, value, pe)
ALIAS(shmem_ptrdiff_atomic_set, pshmem_ptrdiff_atomic_set);
void pshmem_ctx_float_atomic_set(shmem_ctx_t ctx, float *dest, float value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_float_atomic_set", ctx, float, PHILAE_SHMEM_F32, dest, value, pe)
ALIAS(shmem_ctx_float_atomic_set, pshmem_ctx_float_atomic_set);
void pshmem_ctx_double_atomic_set(shmem_ctx_t ctx, double *dest, double value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_double_atomic_set", ctx, double, PHILAE_SHMEM_F64, dest, value, pe)
ALIAS(shmem_ctx_double_atomic_set, pshmem_ctx_double_atomic_set);
void pshmem_ctx_int_atomic_set(shmem_ctx_t ctx, int *dest, int value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_int_atomic_set", ctx, int, PHILAE_SHMEM_SIGNED(int), dest, value, pe)
ALIAS(shmem_ctx_int_atomic_set, pshmem_ctx_int_atomic_set);
void pshmem_ctx_long_atomic_set(shmem_ctx_t ctx, long *dest, long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_long_atomic_set", ctx, long, PHILAE_SHMEM_SIGNED(long), dest, value, pe)
ALIAS(shmem_ctx_long_atomic_set, pshmem_ctx_long_atomic_set);
void pshmem_ctx_longlong_atomic_set(shmem_ctx_t ctx, long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_longlong_atomic_set", ctx, long long, PHILAE_SHMEM_SIGNED(long long), dest, value, pe)
ALIAS(shmem_ctx_longlong_atomic_set, pshmem_ctx_longlong_atomic_set);
void pshmem_ctx_uint_atomic_set(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_uint_atomic_set", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_set, pshmem_ctx_uint_atomic_set);
void pshmem_ctx_ulong_atomic_set(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_ulong_atomic_set", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_set, pshmem_ctx_ulong_atomic_set);
void pshmem_ctx_ulonglong_atomic_set(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_ulonglong_atomic_set", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_set, pshmem_ctx_ulonglong_atomic_set);
void pshmem_ctx_int32_atomic_set(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_int32_atomic_set", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_set, pshmem_ctx_int32_atomic_set);
void pshmem_ctx_int64_atomic_set(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_int64_atomic_set", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_set, pshmem_ctx_int64_atomic_set);
void pshmem_ctx_uint32_atomic_set(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_uint32_atomic_set", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_set, pshmem_ctx_uint32_atomic_set);
void pshmem_ctx_uint64_atomic_set(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_uint64_atomic_set", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_set, pshmem_ctx_uint64_atomic_set);
void pshmem_ctx_size_atomic_set(shmem_ctx_t ctx, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_size_atomic_set", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, value, pe)
ALIAS(shmem_ctx_size_atomic_set, pshmem_ctx_size_atomic_set);
void pshmem_ctx_ptrdiff_atomic_set(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_ptrdiff_atomic_set", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, value, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_set, pshmem_ctx_ptrdiff_atomic_set);
int pshmem_int_atomic_compare_swap(int *dest, int cond, int value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_int_atomic_compare_swap", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), dest, cond, value, pe)
ALIAS(shmem_int_atomic_compare_swap, pshmem_int_atomic_compare_swap);
long pshmem_long_atomic_compare_swap(long *dest, long cond, long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_long_atomic_compare_swap", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), dest, cond, value, pe)
ALIAS(shmem_long_atomic_compare_swap, pshmem_long_atomic_compare_swap);
long long pshmem_longlong_atomic_compare_swap(long long *dest, long long cond, long long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_longlong_atomic_compare_swap", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), dest, cond, value, pe)
ALIAS(shmem_longlong_atomic_compare_swap, pshmem_longlong_atomic_compare_swap);
unsigned int pshmem_uint_atomic_compare_swap(unsigned int *dest, unsigned int cond, unsigned int value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_uint_atomic_compare_swap", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, cond, value, pe)
ALIAS(shmem_uint_atomic_compare_swap, pshmem_uint_atomic_compare_swap);
unsigned long pshmem_ulong_atomic_compare_swap(unsigned long *dest, unsigned long cond, unsigned long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ulong_atomic_compare_swap", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, cond, value, pe)
ALIAS(shmem_ulong_atomic_compare_swap, pshmem_ulong_atomic_compare_swap);
unsigned long long pshmem_ulonglong_atomic_compare_swap(unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ulonglong_atomic_compare_swap", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, cond, value, pe)
ALIAS(shmem_ulonglong_atomic_compare_swap, pshmem_ulonglong_atomic_compare_swap);
int32_t pshmem_int32_atomic_compare_swap(int32_t *dest, int32_t cond, int32_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_int32_atomic_compare_swap", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, cond, value, pe)
ALIAS(shmem_int32_atomic_compare_swap, pshmem_int32_atomic_compare_swap);
int64_t pshmem_int64_atomic_compare_swap(int64_t *dest, int64_t cond, int64_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_int64_atomic_compare_swap", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, cond, value, pe)
ALIAS(shmem_int64_atomic_compare_swap, pshmem_int64_atomic_compare_swap);
uint32_t pshmem_uint32_atomic_compare_swap(uint32_t *dest, uint32_t cond, uint32_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_uint32_atomic_compare_swap", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, cond, value, pe)
ALIAS(shmem_uint32_atomic_compare_swap, pshmem_uint32_atomic_compare_swap);
uint64_t pshmem_uint64_atomic_compare_swap(uint64_t *dest, uint64_t cond, uint64_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_uint64_atomic_compare_swap", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, cond, value, pe)
ALIAS(shmem_uint64_atomic_compare_swap, pshmem_uint64_atomic_compare_swap);
size_t pshmem_size_atomic_compare_swap(size_t *dest, size_t cond, size_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_size_atomic_compare_swap", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, cond, value, pe)
ALIAS(shmem_size_atomic_compare_swap, pshmem_size_atomic_compare_swap);
ptrdiff_t pshmem_ptrdiff_atomic_compare_swap(ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ptrdiff_atomic_compare_swap", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, cond, value, pe)
ALIAS(shmem_ptrdiff_atomic_compare_swap, pshmem_ptrdiff_atomic_compare_swap);
int pshmem_ctx_int_atomic_compare_swap(shmem_ctx_t ctx, int *dest, int cond, int value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_int_atomic_compare_swap", ctx, int, PHILAE_SHMEM_SIGNED(int), dest, cond, value, pe)
ALIAS(shmem_ctx_int_atomic_compare_swap, pshmem_ctx_int_atomic_compare_swap);
long pshmem_ctx_long_atomic_compare_swap(shmem_ctx_t ctx, long *dest, long cond, long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_long_atomic_compare_swap", ctx, long, PHILAE_SHMEM_SIGNED(long), dest, cond, value, pe)
ALIAS(shmem_ctx_long_atomic_compare_swap, pshmem_ctx_long_atomic_compare_swap);
long long pshmem_ctx_longlong_atomic_compare_swap(shmem_ctx_t ctx, long long *dest, long long cond, long long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_longlong_atomic_compare_swap", ctx, long long, PHILAE_SHMEM_SIGNED(long long), dest, cond, value, pe)
ALIAS(shmem_ctx_longlong_atomic_compare_swap, pshmem_ctx_longlong_atomic_compare_swap);
unsigned int pshmem_ctx_uint_atomic_compare_swap(shmem_ctx_t ctx, unsigned int *dest, unsigned int cond, unsigned int value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_uint_atomic_compare_swap", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, cond, value, pe)
ALIAS(shmem_ctx_uint_atomic_compare_swap, pshmem_ctx_uint_atomic_compare_swap);
unsigned long pshmem_ctx_ulong_atomic_compare_swap(shmem_ctx_t ctx, unsigned long *dest, unsigned long cond, unsigned long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_ulong_atomic_compare_swap", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, cond, value, pe)
ALIAS(shmem_ctx_ulong_atomic_compare_swap, pshmem_ctx_ulong_atomic_compare_swap);
unsigned long long pshmem_ctx_ulonglong_atomic_compare_swap(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_ulonglong_atomic_compare_swap", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, cond, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_compare_swap, pshmem_ctx_ulonglong_atomic_compare_swap);
int32_t pshmem_ctx_int32_atomic_compare_swap(shmem_ctx_t ctx, int32_t *dest, int32_t cond, int32_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_int32_atomic_compare_swap", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, cond, value, pe)
ALIAS(shmem_ctx_int32_atomic_compare_swap, pshmem_ctx_int32_atomic_compare_swap);
int64_t pshmem_ctx_int64_atomic_compare_swap(shmem_ctx_t ctx, int64_t *dest, int64_t cond, int64_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_int64_atomic_compare_swap", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, cond, value, pe)
ALIAS(shmem_ctx_int64_atomic_compare_swap, pshmem_ctx_int64_atomic_compare_swap);
uint32_t pshmem_ctx_uint32_atomic_compare_swap(shmem_ctx_t ctx, uint32_t *dest, uint32_t cond, uint32_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_uint32_atomic_compare_swap", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, cond, value, pe)
ALIAS(shmem_ctx_uint32_atomic_compare_swap, pshmem_ctx_uint32_atomic_compare_swap);
uint64_t pshmem_ctx_uint64_atomic_compare_swap(shmem_ctx_t ctx, uint64_t *dest, uint64_t cond, uint64_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_uint64_atomic_compare_swap", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, cond, value, pe)
ALIAS(shmem_ctx_uint64_atomic_compare_swap, pshmem_ctx_uint64_atomic_compare_swap);
size_t pshmem_ctx_size_atomic_compare_swap(shmem_ctx_t ctx, size_t *dest, size_t cond, size_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_size_atomic_compare_swap", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, cond, value, pe)
ALIAS(shmem_ctx_size_atomic_compare_swap, pshmem_ctx_size_atomic_compare_swap);
ptrdiff_t pshmem_ctx_ptrdiff_atomic_compare_swap(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ctx_ptrdiff_atomic_compare_swap", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, cond, value, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_compare_swap, pshmem_ctx_ptrdiff_atomic_compare_swap);
float pshmem_float_atomic_swap(float *dest, float value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_float_atomic_swap", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, dest, value, pe)
ALIAS(shmem_float_atomic_swap, pshmem_float_atomic_swap);
double pshmem_double_atomic_swap(double *dest, double value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_double_atomic_swap", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, dest, value, pe)
ALIAS(shmem_double_atomic_swap, pshmem_double_atomic_swap);
int pshmem_int_atomic_swap(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_int_atomic_swap", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), dest, value, pe)
ALIAS(shmem_int_atomic_swap, pshmem_int_atomic_swap);
long pshmem_long_atomic_swap(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_long_atomic_swap", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), dest, value, pe)
ALIAS(shmem_long_atomic_swap, pshmem_long_atomic_swap);
long long pshmem_longlong_atomic_swap(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_longlong_atomic_swap", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), dest, value, pe)
ALIAS(shmem_longlong_atomic_swap, pshmem_longlong_atomic_swap);
unsigned int pshmem_uint_atomic_swap(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_uint_atomic_swap", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, value, pe)
ALIAS(shmem_uint_atomic_swap, pshmem_uint_atomic_swap);
unsigned long pshmem_ulong_atomic_swap(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ulong_atomic_swap", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, value, pe)
ALIAS(shmem_ulong_atomic_swap, pshmem_ulong_atomic_swap);
unsigned long long pshmem_ulonglong_atomic_swap(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ulonglong_atomic_swap", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, value, pe)
ALIAS(shmem_ulonglong_atomic_swap, pshmem_ulonglong_atomic_swap);
int32_t pshmem_int32_atomic_swap(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_int32_atomic_swap", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, value, pe)
ALIAS(shmem_int32_atomic_swap, pshmem_int32_atomic_swap);
int64_t pshmem_int64_atomic_swap(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_int64_atomic_swap", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, value, pe)
ALIAS(shmem_int64_atomic_swap, pshmem_int64_atomic_swap);
uint32_t pshmem_uint32_atomic_swap(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_uint32_atomic_swap", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, value, pe)
ALIAS(shmem_uint32_atomic_swap, pshmem_uint32_atomic_swap);
uint64_t pshmem_uint64_atomic_swap(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_uint64_atomic_swap", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, value, pe)
ALIAS(shmem_uint64_atomic_swap, pshmem_uint64_atomic_swap);
size_t pshmem_size_atomic_swap(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_size_atomic_swap", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, value, pe)
ALIAS(shmem_size_atomic_swap, pshmem_size_atomic_swap);
ptrdiff_t pshmem_ptrdiff_atomic_swap(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ptrdiff_atomic_swap", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, value, pe)
ALIAS(shmem_ptrdiff_atomic_swap, pshmem_ptrdiff_atomic_swap);
float pshmem_ctx_float_atomic_swap(shmem_ctx_t ctx, float *dest, float value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_float_atomic_swap", ctx, float, PHILAE_SHMEM_F32, dest, value, pe)
ALIAS(shmem_ctx_float_atomic_swap, pshmem_ctx_float_atomic_swap);
double pshmem_ctx_double_atomic_swap(shmem_ctx_t ctx, double *dest, double value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_double_atomic_swap", ctx, double, PHILAE_SHMEM_F64, dest, value, pe)
ALIAS(shmem_ctx_double_atomic_swap, pshmem_ctx_double_atomic_swap);
int pshmem_ctx_int_atomic_swap(shmem_ctx_t ctx, int *dest, int value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_int_atomic_swap", ctx, int, PHILAE_SHMEM_SIGNED(int), dest, value, pe)
ALIAS(shmem_ctx_int_atomic_swap, pshmem_ctx_int_atomic_swap);
long pshmem_ctx_long_atomic_swap(shmem_ctx_t ctx, long *dest, long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_long_atomic_swap", ctx, long, PHILAE_SHMEM_SIGNED(long), dest, value, pe)
ALIAS(shmem_ctx_long_atomic_swap, pshmem_ctx_long_atomic_swap);
long long pshmem_ctx_longlong_atomic_swap(shmem_ctx_t ctx, long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_longlong_atomic_swap", ctx, long long, PHILAE_SHMEM_SIGNED(long long), dest, value, pe)
ALIAS(shmem_ctx_longlong_atomic_swap, pshmem_ctx_longlong_atomic_swap);
unsigned int pshmem_ctx_uint_atomic_swap(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_uint_atomic_swap", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_swap, pshmem_ctx_uint_atomic_swap);
unsigned long pshmem_ctx_ulong_atomic_swap(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_ulong_atomic_swap", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_swap, pshmem_ctx_ulong_atomic_swap);
unsigned long long pshmem_ctx_ulonglong_atomic_swap(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_ulonglong_atomic_swap", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_swap, pshmem_ctx_ulonglong_atomic_swap);
int32_t pshmem_ctx_int32_atomic_swap(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_int32_atomic_swap", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_swap, pshmem_ctx_int32_atomic_swap);
int64_t pshmem_ctx_int64_atomic_swap(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_int64_atomic_swap", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_swap, pshmem_ctx_int64_atomic_swap);
uint32_t pshmem_ctx_uint32_atomic_swap(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_uint32_atomic_swap", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_swap, pshmem_ctx_uint32_atomic_swap);
uint64_t pshmem_ctx_uint64_atomic_swap(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_uint64_atomic_swap", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_swap, pshmem_ctx_uint64_atomic_swap);
size_t pshmem_ctx_size_atomic_swap(shmem_ctx_t ctx, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_size_atomic_swap", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, value, pe)
ALIAS(shmem_ctx_size_atomic_swap, pshmem_ctx_size_atomic_swap);
ptrdiff_t pshmem_ctx_ptrdiff_atomic_swap(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ctx_ptrdiff_atomic_swap", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, value, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_swap, pshmem_ctx_ptrdiff_atomic_swap);
int pshmem_int_atomic_fetch_inc(int *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int_atomic_fetch_inc", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, 1, pe)
ALIAS(shmem_int_atomic_fetch_inc, pshmem_int_atomic_fetch_inc);
long pshmem_long_atomic_fetch_inc(long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_long_atomic_fetch_inc", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, 1, pe)
ALIAS(shmem_long_atomic_fetch_inc, pshmem_long_atomic_fetch_inc);
long long pshmem_longlong_atomic_fetch_inc(long long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_longlong_atomic_fetch_inc", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, 1, pe)
ALIAS(shmem_longlong_atomic_fetch_inc, pshmem_longlong_atomic_fetch_inc);
unsigned int pshmem_uint_atomic_fetch_inc(unsigned int *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_atomic_fetch_inc", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, 1, pe)
ALIAS(shmem_uint_atomic_fetch_inc, pshmem_uint_atomic_fetch_inc);
unsigned long pshmem_ulong_atomic_fetch_inc(unsigned long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_atomic_fetch_inc", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, 1, pe)
ALIAS(shmem_ulong_atomic_fetch_inc, pshmem_ulong_atomic_fetch_inc);
unsigned long long pshmem_ulonglong_atomic_fetch_inc(unsigned long long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_inc", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, 1, pe)
ALIAS(shmem_ulonglong_atomic_fetch_inc, pshmem_ulonglong_atomic_fetch_inc);
int32_t pshmem_int32_atomic_fetch_inc(int32_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_atomic_fetch_inc", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, 1, pe)
ALIAS(shmem_int32_atomic_fetch_inc, pshmem_int32_atomic_fetch_inc);
int64_t pshmem_int64_atomic_fetch_inc(int64_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_atomic_fetch_inc", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, 1, pe)
ALIAS(shmem_int64_atomic_fetch_inc, pshmem_int64_atomic_fetch_inc);
uint32_t pshmem_uint32_atomic_fetch_inc(uint32_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_atomic_fetch_inc", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, 1, pe)
ALIAS(shmem_uint32_atomic_fetch_inc, pshmem_uint32_atomic_fetch_inc);
uint64_t pshmem_uint64_atomic_fetch_inc(uint64_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_atomic_fetch_inc", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, 1, pe)
ALIAS(shmem_uint64_atomic_fetch_inc, pshmem_uint64_atomic_fetch_inc);
size_t pshmem_size_atomic_fetch_inc(size_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_size_atomic_fetch_inc", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, 1, pe)
ALIAS(shmem_size_atomic_fetch_inc, pshmem_size_atomic_fetch_inc);
ptrdiff_t pshmem_ptrdiff_atomic_fetch_inc(ptrdiff_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ptrdiff_atomic_fetch_inc", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ptrdiff_atomic_fetch_inc, pshmem_ptrdiff_atomic_fetch_inc);
int pshmem_ctx_int_atomic_fetch_inc(shmem_ctx_t ctx, int *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int_atomic_fetch_inc", ctx, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_int_atomic_fetch_inc, pshmem_ctx_int_atomic_fetch_inc);
long pshmem_ctx_long_atomic_fetch_inc(shmem_ctx_t ctx, long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_long_atomic_fetch_inc", ctx, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_long_atomic_fetch_inc, pshmem_ctx_long_atomic_fetch_inc);
long long pshmem_ctx_longlong_atomic_fetch_inc(shmem_ctx_t ctx, long long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_longlong_atomic_fetch_inc", ctx, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_longlong_atomic_fetch_inc, pshmem_ctx_longlong_atomic_fetch_inc);
unsigned int pshmem_ctx_uint_atomic_fetch_inc(shmem_ctx_t ctx, unsigned int *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_inc", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_uint_atomic_fetch_inc, pshmem_ctx_uint_atomic_fetch_inc);
unsigned long pshmem_ctx_ulong_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_inc", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_ulong_atomic_fetch_inc, pshmem_ctx_ulong_atomic_fetch_inc);
unsigned long long pshmem_ctx_ulonglong_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_inc", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_ulonglong_atomic_fetch_inc, pshmem_ctx_ulonglong_atomic_fetch_inc);
int32_t pshmem_ctx_int32_atomic_fetch_inc(shmem_ctx_t ctx, int32_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_inc", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_int32_atomic_fetch_inc, pshmem_ctx_int32_atomic_fetch_inc);
int64_t pshmem_ctx_int64_atomic_fetch_inc(shmem_ctx_t ctx, int64_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_inc", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_int64_atomic_fetch_inc, pshmem_ctx_int64_atomic_fetch_inc);
uint32_t pshmem_ctx_uint32_atomic_fetch_inc(shmem_ctx_t ctx, uint32_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_inc", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_uint32_atomic_fetch_inc, pshmem_ctx_uint32_atomic_fetch_inc);
uint64_t pshmem_ctx_uint64_atomic_fetch_inc(shmem_ctx_t ctx, uint64_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_inc", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_uint64_atomic_fetch_inc, pshmem_ctx_uint64_atomic_fetch_inc);
size_t pshmem_ctx_size_atomic_fetch_inc(shmem_ctx_t ctx, size_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_size_atomic_fetch_inc", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_size_atomic_fetch_inc, pshmem_ctx_size_atomic_fetch_inc);
ptrdiff_t pshmem_ctx_ptrdiff_atomic_fetch_inc(shmem_ctx_t ctx, ptrdiff_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ptrdiff_atomic_fetch_inc", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_fetch_inc, pshmem_ctx_ptrdiff_atomic_fetch_inc);
void pshmem_int_atomic_inc(int *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int_atomic_inc", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, 1, pe)
ALIAS(shmem_int_atomic_inc, pshmem_int_atomic_inc);
void pshmem_long_atomic_inc(long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_long_atomic_inc", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, 1, pe)
ALIAS(shmem_long_atomic_inc, pshmem_long_atomic_inc);
void pshmem_longlong_atomic_inc(long long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_longlong_atomic_inc", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, 1, pe)
ALIAS(shmem_longlong_atomic_inc, pshmem_longlong_atomic_inc);
void pshmem_uint_atomic_inc(unsigned int *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_atomic_inc", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, 1, pe)
ALIAS(shmem_uint_atomic_inc, pshmem_uint_atomic_inc);
void pshmem_ulong_atomic_inc(unsigned long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_atomic_inc", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, 1, pe)
ALIAS(shmem_ulong_atomic_inc, pshmem_ulong_atomic_inc);
void pshmem_ulonglong_atomic_inc(unsigned long long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_atomic_inc", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, 1, pe)
ALIAS(shmem_ulonglong_atomic_inc, pshmem_ulonglong_atomic_inc);
void pshmem_int32_atomic_inc(int32_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_atomic_inc", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, 1, pe)
ALIAS(shmem_int32_atomic_inc, pshmem_int32_atomic_inc);
void pshmem_int64_atomic_inc(int64_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_atomic_inc", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, 1, pe)
ALIAS(shmem_int64_atomic_inc, pshmem_int64_atomic_inc);
void pshmem_uint32_atomic_inc(uint32_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_atomic_inc", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, 1, pe)
ALIAS(shmem_uint32_atomic_inc, pshmem_uint32_atomic_inc);
void pshmem_uint64_atomic_inc(uint64_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_atomic_inc", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, 1, pe)
ALIAS(shmem_uint64_atomic_inc, pshmem_uint64_atomic_inc);
void pshmem_size_atomic_inc(size_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_size_atomic_inc", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, 1, pe)
ALIAS(shmem_size_atomic_inc, pshmem_size_atomic_inc);
void pshmem_ptrdiff_atomic_inc(ptrdiff_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ptrdiff_atomic_inc", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ptrdiff_atomic_inc, pshmem_ptrdiff_atomic_inc);
void pshmem_ctx_int_atomic_inc(shmem_ctx_t ctx, int *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int_atomic_inc", ctx, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_int_atomic_inc, pshmem_ctx_int_atomic_inc);
void pshmem_ctx_long_atomic_inc(shmem_ctx_t ctx, long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_long_atomic_inc", ctx, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_long_atomic_inc, pshmem_ctx_long_atomic_inc);
void pshmem_ctx_longlong_atomic_inc(shmem_ctx_t ctx, long long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_longlong_atomic_inc", ctx, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_longlong_atomic_inc, pshmem_ctx_longlong_atomic_inc);
void pshmem_ctx_uint_atomic_inc(shmem_ctx_t ctx, unsigned int *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint_atomic_inc", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_uint_atomic_inc, pshmem_ctx_uint_atomic_inc);
void pshmem_ctx_ulong_atomic_inc(shmem_ctx_t ctx, unsigned long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulong_atomic_inc", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_ulong_atomic_inc, pshmem_ctx_ulong_atomic_inc);
void pshmem_ctx_ulonglong_atomic_inc(shmem_ctx_t ctx, unsigned long long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulonglong_atomic_inc", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_ulonglong_atomic_inc, pshmem_ctx_ulonglong_atomic_inc);
void pshmem_ctx_int32_atomic_inc(shmem_ctx_t ctx, int32_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int32_atomic_inc", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_int32_atomic_inc, pshmem_ctx_int32_atomic_inc);
void pshmem_ctx_int64_atomic_inc(shmem_ctx_t ctx, int64_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int64_atomic_inc", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_int64_atomic_inc, pshmem_ctx_int64_atomic_inc);
void pshmem_ctx_uint32_atomic_inc(shmem_ctx_t ctx, uint32_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint32_atomic_inc", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_uint32_atomic_inc, pshmem_ctx_uint32_atomic_inc);
void pshmem_ctx_uint64_atomic_inc(shmem_ctx_t ctx, uint64_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint64_atomic_inc", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_uint64_atomic_inc, pshmem_ctx_uint64_atomic_inc);
void pshmem_ctx_size_atomic_inc(shmem_ctx_t ctx, size_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_size_atomic_inc", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_size_atomic_inc, pshmem_ctx_size_atomic_inc);
void pshmem_ctx_ptrdiff_atomic_inc(shmem_ctx_t ctx, ptrdiff_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ptrdiff_atomic_inc", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_inc, pshmem_ctx_ptrdiff_atomic_inc);
int pshmem_int_atomic_fetch_add(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int_atomic_fetch_add", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, value, pe)
ALIAS(shmem_int_atomic_fetch_add, pshmem_int_atomic_fetch_add);
long pshmem_long_atomic_fetch_add(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_long_atomic_fetch_add", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, value, pe)
ALIAS(shmem_long_atomic_fetch_add, pshmem_long_atomic_fetch_add);
long long pshmem_longlong_atomic_fetch_add(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_longlong_atomic_fetch_add", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, value, pe)
ALIAS(shmem_longlong_atomic_fetch_add, pshmem_longlong_atomic_fetch_add);
unsigned int pshmem_uint_atomic_fetch_add(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_atomic_fetch_add", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, value, pe)
ALIAS(shmem_uint_atomic_fetch_add, pshmem_uint_atomic_fetch_add);
unsigned long pshmem_ulong_atomic_fetch_add(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_atomic_fetch_add", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, value, pe)
ALIAS(shmem_ulong_atomic_fetch_add, pshmem_ulong_atomic_fetch_add);
unsigned long long pshmem_ulonglong_atomic_fetch_add(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_add", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_fetch_add, pshmem_ulonglong_atomic_fetch_add);
int32_t pshmem_int32_atomic_fetch_add(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_atomic_fetch_add", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, value, pe)
ALIAS(shmem_int32_atomic_fetch_add, pshmem_int32_atomic_fetch_add);
int64_t pshmem_int64_atomic_fetch_add(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_atomic_fetch_add", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, value, pe)
ALIAS(shmem_int64_atomic_fetch_add, pshmem_int64_atomic_fetch_add);
uint32_t pshmem_uint32_atomic_fetch_add(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_atomic_fetch_add", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, value, pe)
ALIAS(shmem_uint32_atomic_fetch_add, pshmem_uint32_atomic_fetch_add);
uint64_t pshmem_uint64_atomic_fetch_add(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_atomic_fetch_add", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, value, pe)
ALIAS(shmem_uint64_atomic_fetch_add, pshmem_uint64_atomic_fetch_add);
size_t pshmem_size_atomic_fetch_add(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_size_atomic_fetch_add", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, value, pe)
ALIAS(shmem_size_atomic_fetch_add, pshmem_size_atomic_fetch_add);
ptrdiff_t pshmem_ptrdiff_atomic_fetch_add(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ptrdiff_atomic_fetch_add", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, value, pe)
ALIAS(shmem_ptrdiff_atomic_fetch_add, pshmem_ptrdiff_atomic_fetch_add);
int pshmem_ctx_int_atomic_fetch_add(shmem_ctx_t ctx, int *dest, int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int_atomic_fetch_add", ctx, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_int_atomic_fetch_add, pshmem_ctx_int_atomic_fetch_add);
long pshmem_ctx_long_atomic_fetch_add(shmem_ctx_t ctx, long *dest, long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_long_atomic_fetch_add", ctx, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_long_atomic_fetch_add, pshmem_ctx_long_atomic_fetch_add);
long long pshmem_ctx_longlong_atomic_fetch_add(shmem_ctx_t ctx, long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_longlong_atomic_fetch_add", ctx, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_longlong_atomic_fetch_add, pshmem_ctx_longlong_atomic_fetch_add);
unsigned int pshmem_ctx_uint_atomic_fetch_add(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_add", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_fetch_add, pshmem_ctx_uint_atomic_fetch_add);
unsigned long pshmem_ctx_ulong_atomic_fetch_add(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_add", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_fetch_add, pshmem_ctx_ulong_atomic_fetch_add);
unsigned long long pshmem_ctx_ulonglong_atomic_fetch_add(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_add", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_fetch_add, pshmem_ctx_ulonglong_atomic_fetch_add);
int32_t pshmem_ctx_int32_atomic_fetch_add(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_add", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_fetch_add, pshmem_ctx_int32_atomic_fetch_add);
int64_t pshmem_ctx_int64_atomic_fetch_add(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_add", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_fetch_add, pshmem_ctx_int64_atomic_fetch_add);
uint32_t pshmem_ctx_uint32_atomic_fetch_add(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_add", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_fetch_add, pshmem_ctx_uint32_atomic_fetch_add);
uint64_t pshmem_ctx_uint64_atomic_fetch_add(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_add", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_fetch_add, pshmem_ctx_uint64_atomic_fetch_add);
size_t pshmem_ctx_size_atomic_fetch_add(shmem_ctx_t ctx, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_size_atomic_fetch_add", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_size_atomic_fetch_add, pshmem_ctx_size_atomic_fetch_add);
ptrdiff_t pshmem_ctx_ptrdiff_atomic_fetch_add(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ptrdiff_atomic_fetch_add", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_fetch_add, pshmem_ctx_ptrdiff_atomic_fetch_add);
void pshmem_int_atomic_add(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int_atomic_add", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, value, pe)
ALIAS(shmem_int_atomic_add, pshmem_int_atomic_add);
void pshmem_long_atomic_add(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_long_atomic_add", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, value, pe)
ALIAS(shmem_long_atomic_add, pshmem_long_atomic_add);
void pshmem_longlong_atomic_add(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_longlong_atomic_add", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, value, pe)
ALIAS(shmem_longlong_atomic_add, pshmem_longlong_atomic_add);
void pshmem_uint_atomic_add(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_atomic_add", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, value, pe)
ALIAS(shmem_uint_atomic_add, pshmem_uint_atomic_add);
void pshmem_ulong_atomic_add(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_atomic_add", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, value, pe)
ALIAS(shmem_ulong_atomic_add, pshmem_ulong_atomic_add);
void pshmem_ulonglong_atomic_add(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_atomic_add", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_add, pshmem_ulonglong_atomic_add);
void pshmem_int32_atomic_add(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_atomic_add", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, value, pe)
ALIAS(shmem_int32_atomic_add, pshmem_int32_atomic_add);
void pshmem_int64_atomic_add(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_atomic_add", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, value, pe)
ALIAS(shmem_int64_atomic_add, pshmem_int64_atomic_add);
void pshmem_uint32_atomic_add(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_atomic_add", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, value, pe)
ALIAS(shmem_uint32_atomic_add, pshmem_uint32_atomic_add);
void pshmem_uint64_atomic_add(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_atomic_add", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, value, pe)
ALIAS(shmem_uint64_atomic_add, pshmem_uint64_atomic_add);
void pshmem_size_atomic_add(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_size_atomic_add", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, value, pe)
ALIAS(shmem_size_atomic_add, pshmem_size_atomic_add);
void pshmem_ptrdiff_atomic_add(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ptrdiff_atomic_add", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, value, pe)
ALIAS(shmem_ptrdiff_atomic_add, pshmem_ptrdiff_atomic_add);
void pshmem_ctx_int_atomic_add(shmem_ctx_t ctx, int *dest, int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int_atomic_add", ctx, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_int_atomic_add, pshmem_ctx_int_atomic_add);
void pshmem_ctx_long_atomic_add(shmem_ctx_t ctx, long *dest, long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_long_atomic_add", ctx, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_long_atomic_add, pshmem_ctx_long_atomic_add);
void pshmem_ctx_longlong_atomic_add(shmem_ctx_t ctx, long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_longlong_atomic_add", ctx, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_longlong_atomic_add, pshmem_ctx_longlong_atomic_add);
void pshmem_ctx_uint_atomic_add(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint_atomic_add", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_add, pshmem_ctx_uint_atomic_add);
void pshmem_ctx_ulong_atomic_add(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulong_atomic_add", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_add, pshmem_ctx_ulong_atomic_add);
void pshmem_ctx_ulonglong_atomic_add(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulonglong_atomic_add", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_add, pshmem_ctx_ulonglong_atomic_add);
void pshmem_ctx_int32_atomic_add(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int32_atomic_add", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_add, pshmem_ctx_int32_atomic_add);
void pshmem_ctx_int64_atomic_add(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int64_atomic_add", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_add, pshmem_ctx_int64_atomic_add);
void pshmem_ctx_uint32_atomic_add(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint32_atomic_add", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_add, pshmem_ctx_uint32_atomic_add);
void pshmem_ctx_uint64_atomic_add(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint64_atomic_add", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_add, pshmem_ctx_uint64_atomic_add);
void pshmem_ctx_size_atomic_add(shmem_ctx_t ctx, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_size_atomic_add", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_size_atomic_add, pshmem_ctx_size_atomic_add);
void pshmem_ctx_ptrdiff_atomic_add(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ptrdiff_atomic_add", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, value, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_add, pshmem_ctx_ptrdiff_atomic_add);
unsigned int pshmem_uint_atomic_fetch_and(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_atomic_fetch_and", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), and, AND, dest, value, pe)
ALIAS(shmem_uint_atomic_fetch_and, pshmem_uint_atomic_fetch_and);
unsigned long pshmem_ulong_atomic_fetch_and(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_atomic_fetch_and", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), and, AND, dest, value, pe)
ALIAS(shmem_ulong_atomic_fetch_and, pshmem_ulong_atomic_fetch_and);
unsigned long long pshmem_ulonglong_atomic_fetch_and(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_and", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), and, AND, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_fetch_and, pshmem_ulonglong_atomic_fetch_and);
int32_t pshmem_int32_atomic_fetch_and(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_atomic_fetch_and", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), and, AND, dest, value, pe)
ALIAS(shmem_int32_atomic_fetch_and, pshmem_int32_atomic_fetch_and);
int64_t pshmem_int64_atomic_fetch_and(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_atomic_fetch_and", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), and, AND, dest, value, pe)
ALIAS(shmem_int64_atomic_fetch_and, pshmem_int64_atomic_fetch_and);
uint32_t pshmem_uint32_atomic_fetch_and(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_atomic_fetch_and", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), and, AND, dest, value, pe)
ALIAS(shmem_uint32_atomic_fetch_and, pshmem_uint32_atomic_fetch_and);
uint64_t pshmem_uint64_atomic_fetch_and(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_atomic_fetch_and", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), and, AND, dest, value, pe)
ALIAS(shmem_uint64_atomic_fetch_and, pshmem_uint64_atomic_fetch_and);
unsigned int pshmem_ctx_uint_atomic_fetch_and(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_and", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), and, AND, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_fetch_and, pshmem_ctx_uint_atomic_fetch_and);
unsigned long pshmem_ctx_ulong_atomic_fetch_and(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_and", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), and, AND, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_fetch_and, pshmem_ctx_ulong_atomic_fetch_and);
unsigned long long pshmem_ctx_ulonglong_atomic_fetch_and(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_and", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), and, AND, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_fetch_and, pshmem_ctx_ulonglong_atomic_fetch_and);
int32_t pshmem_ctx_int32_atomic_fetch_and(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_and", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), and, AND, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_fetch_and, pshmem_ctx_int32_atomic_fetch_and);
int64_t pshmem_ctx_int64_atomic_fetch_and(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_and", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), and, AND, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_fetch_and, pshmem_ctx_int64_atomic_fetch_and);
uint32_t pshmem_ctx_uint32_atomic_fetch_and(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_and", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), and, AND, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_fetch_and, pshmem_ctx_uint32_atomic_fetch_and);
uint64_t pshmem_ctx_uint64_atomic_fetch_and(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_and", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), and, AND, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_fetch_and, pshmem_ctx_uint64_atomic_fetch_and);
void pshmem_uint_atomic_and(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_atomic_and", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), and, AND, dest, value, pe)
ALIAS(shmem_uint_atomic_and, pshmem_uint_atomic_and);
void pshmem_ulong_atomic_and(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_atomic_and", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), and, AND, dest, value, pe)
ALIAS(shmem_ulong_atomic_and, pshmem_ulong_atomic_and);
void pshmem_ulonglong_atomic_and(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_atomic_and", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), and, AND, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_and, pshmem_ulonglong_atomic_and);
void pshmem_int32_atomic_and(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_atomic_and", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), and, AND, dest, value, pe)
ALIAS(shmem_int32_atomic_and, pshmem_int32_atomic_and);
void pshmem_int64_atomic_and(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_atomic_and", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), and, AND, dest, value, pe)
ALIAS(shmem_int64_atomic_and, pshmem_int64_atomic_and);
void pshmem_uint32_atomic_and(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_atomic_and", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), and, AND, dest, value, pe)
ALIAS(shmem_uint32_atomic_and, pshmem_uint32_atomic_and);
void pshmem_uint64_atomic_and(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_atomic_and", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), and, AND, dest, value, pe)
ALIAS(shmem_uint64_atomic_and, pshmem_uint64_atomic_and);
void pshmem_ctx_uint_atomic_and(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint_atomic_and", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), and, AND, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_and, pshmem_ctx_uint_atomic_and);
void pshmem_ctx_ulong_atomic_and(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulong_atomic_and", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), and, AND, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_and, pshmem_ctx_ulong_atomic_and);
void pshmem_ctx_ulonglong_atomic_and(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulonglong_atomic_and", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), and, AND, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_and, pshmem_ctx_ulonglong_atomic_and);
void pshmem_ctx_int32_atomic_and(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int32_atomic_and", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), and, AND, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_and, pshmem_ctx_int32_atomic_and);
void pshmem_ctx_int64_atomic_and(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int64_atomic_and", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), and, AND, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_and, pshmem_ctx_int64_atomic_and);
void pshmem_ctx_uint32_atomic_and(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint32_atomic_and", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), and, AND, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_and, pshmem_ctx_uint32_atomic_and);
void pshmem_ctx_uint64_atomic_and(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint64_atomic_and", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), and, AND, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_and, pshmem_ctx_uint64_atomic_and);
unsigned int pshmem_uint_atomic_fetch_or(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_atomic_fetch_or", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), or, OR, dest, value, pe)
ALIAS(shmem_uint_atomic_fetch_or, pshmem_uint_atomic_fetch_or);
unsigned long pshmem_ulong_atomic_fetch_or(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_atomic_fetch_or", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), or, OR, dest, value, pe)
ALIAS(shmem_ulong_atomic_fetch_or, pshmem_ulong_atomic_fetch_or);
unsigned long long pshmem_ulonglong_atomic_fetch_or(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_or", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), or, OR, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_fetch_or, pshmem_ulonglong_atomic_fetch_or);
int32_t pshmem_int32_atomic_fetch_or(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_atomic_fetch_or", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), or, OR, dest, value, pe)
ALIAS(shmem_int32_atomic_fetch_or, pshmem_int32_atomic_fetch_or);
int64_t pshmem_int64_atomic_fetch_or(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_atomic_fetch_or", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), or, OR, dest, value, pe)
ALIAS(shmem_int64_atomic_fetch_or, pshmem_int64_atomic_fetch_or);
uint32_t pshmem_uint32_atomic_fetch_or(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_atomic_fetch_or", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), or, OR, dest, value, pe)
ALIAS(shmem_uint32_atomic_fetch_or, pshmem_uint32_atomic_fetch_or);
uint64_t pshmem_uint64_atomic_fetch_or(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_atomic_fetch_or", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), or, OR, dest, value, pe)
ALIAS(shmem_uint64_atomic_fetch_or, pshmem_uint64_atomic_fetch_or);
unsigned int pshmem_ctx_uint_atomic_fetch_or(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_or", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), or, OR, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_fetch_or, pshmem_ctx_uint_atomic_fetch_or);
unsigned long pshmem_ctx_ulong_atomic_fetch_or(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_or", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), or, OR, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_fetch_or, pshmem_ctx_ulong_atomic_fetch_or);
unsigned long long pshmem_ctx_ulonglong_atomic_fetch_or(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_or", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), or, OR, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_fetch_or, pshmem_ctx_ulonglong_atomic_fetch_or);
int32_t pshmem_ctx_int32_atomic_fetch_or(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_or", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), or, OR, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_fetch_or, pshmem_ctx_int32_atomic_fetch_or);
int64_t pshmem_ctx_int64_atomic_fetch_or(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_or", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), or, OR, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_fetch_or, pshmem_ctx_int64_atomic_fetch_or);
uint32_t pshmem_ctx_uint32_atomic_fetch_or(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_or", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), or, OR, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_fetch_or, pshmem_ctx_uint32_atomic_fetch_or);
uint64_t pshmem_ctx_uint64_atomic_fetch_or(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_or", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), or, OR, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_fetch_or, pshmem_ctx_uint64_atomic_fetch_or);
void pshmem_uint_atomic_or(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_atomic_or", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), or, OR, dest, value, pe)
ALIAS(shmem_uint_atomic_or, pshmem_uint_atomic_or);
void pshmem_ulong_atomic_or(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_atomic_or", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), or, OR, dest, value, pe)
ALIAS(shmem_ulong_atomic_or, pshmem_ulong_atomic_or);
void pshmem_ulonglong_atomic_or(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_atomic_or", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), or, OR, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_or, pshmem_ulonglong_atomic_or);
void pshmem_int32_atomic_or(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_atomic_or", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), or, OR, dest, value, pe)
ALIAS(shmem_int32_atomic_or, pshmem_int32_atomic_or);
void pshmem_int64_atomic_or(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_atomic_or", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), or, OR, dest, value, pe)
ALIAS(shmem_int64_atomic_or, pshmem_int64_atomic_or);
void pshmem_uint32_atomic_or(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_atomic_or", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), or, OR, dest, value, pe)
ALIAS(shmem_uint32_atomic_or, pshmem_uint32_atomic_or);
void pshmem_uint64_atomic_or(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_atomic_or", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), or, OR, dest, value, pe)
ALIAS(shmem_uint64_atomic_or, pshmem_uint64_atomic_or);
void pshmem_ctx_uint_atomic_or(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint_atomic_or", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), or, OR, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_or, pshmem_ctx_uint_atomic_or);
void pshmem_ctx_ulong_atomic_or(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulong_atomic_or", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), or, OR, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_or, pshmem_ctx_ulong_atomic_or);
void pshmem_ctx_ulonglong_atomic_or(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulonglong_atomic_or", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), or, OR, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_or, pshmem_ctx_ulonglong_atomic_or);
void pshmem_ctx_int32_atomic_or(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int32_atomic_or", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), or, OR, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_or, pshmem_ctx_int32_atomic_or);
void pshmem_ctx_int64_atomic_or(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int64_atomic_or", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), or, OR, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_or, pshmem_ctx_int64_atomic_or);
void pshmem_ctx_uint32_atomic_or(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint32_atomic_or", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), or, OR, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_or, pshmem_ctx_uint32_atomic_or);
void pshmem_ctx_uint64_atomic_or(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint64_atomic_or", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), or, OR, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_or, pshmem_ctx_uint64_atomic_or);
unsigned int pshmem_uint_atomic_fetch_xor(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_atomic_fetch_xor", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), xor, XOR, dest, value, pe)
ALIAS(shmem_uint_atomic_fetch_xor, pshmem_uint_atomic_fetch_xor);
unsigned long pshmem_ulong_atomic_fetch_xor(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_atomic_fetch_xor", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), xor, XOR, dest, value, pe)
ALIAS(shmem_ulong_atomic_fetch_xor, pshmem_ulong_atomic_fetch_xor);
unsigned long long pshmem_ulonglong_atomic_fetch_xor(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_xor", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), xor, XOR, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_fetch_xor, pshmem_ulonglong_atomic_fetch_xor);
int32_t pshmem_int32_atomic_fetch_xor(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_atomic_fetch_xor", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), xor, XOR, dest, value, pe)
ALIAS(shmem_int32_atomic_fetch_xor, pshmem_int32_atomic_fetch_xor);
int64_t pshmem_int64_atomic_fetch_xor(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_atomic_fetch_xor", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), xor, XOR, dest, value, pe)
ALIAS(shmem_int64_atomic_fetch_xor, pshmem_int64_atomic_fetch_xor);
uint32_t pshmem_uint32_atomic_fetch_xor(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_atomic_fetch_xor", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), xor, XOR, dest, value, pe)
ALIAS(shmem_uint32_atomic_fetch_xor, pshmem_uint32_atomic_fetch_xor);
uint64_t pshmem_uint64_atomic_fetch_xor(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_atomic_fetch_xor", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), xor, XOR, dest, value, pe)
ALIAS(shmem_uint64_atomic_fetch_xor, pshmem_uint64_atomic_fetch_xor);
unsigned int pshmem_ctx_uint_atomic_fetch_xor(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_xor", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_fetch_xor, pshmem_ctx_uint_atomic_fetch_xor);
unsigned long pshmem_ctx_ulong_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_xor", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_fetch_xor, pshmem_ctx_ulong_atomic_fetch_xor);
unsigned long long pshmem_ctx_ulonglong_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_xor", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_fetch_xor, pshmem_ctx_ulonglong_atomic_fetch_xor);
int32_t pshmem_ctx_int32_atomic_fetch_xor(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_xor", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_fetch_xor, pshmem_ctx_int32_atomic_fetch_xor);
int64_t pshmem_ctx_int64_atomic_fetch_xor(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_xor", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_fetch_xor, pshmem_ctx_int64_atomic_fetch_xor);
uint32_t pshmem_ctx_uint32_atomic_fetch_xor(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_xor", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_fetch_xor, pshmem_ctx_uint32_atomic_fetch_xor);
uint64_t pshmem_ctx_uint64_atomic_fetch_xor(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_xor", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_fetch_xor, pshmem_ctx_uint64_atomic_fetch_xor);
void pshmem_uint_atomic_xor(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_atomic_xor", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), xor, XOR, dest, value, pe)
ALIAS(shmem_uint_atomic_xor, pshmem_uint_atomic_xor);
void pshmem_ulong_atomic_xor(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_atomic_xor", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), xor, XOR, dest, value, pe)
ALIAS(shmem_ulong_atomic_xor, pshmem_ulong_atomic_xor);
void pshmem_ulonglong_atomic_xor(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_atomic_xor", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), xor, XOR, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_xor, pshmem_ulonglong_atomic_xor);
void pshmem_int32_atomic_xor(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_atomic_xor", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), xor, XOR, dest, value, pe)
ALIAS(shmem_int32_atomic_xor, pshmem_int32_atomic_xor);
void pshmem_int64_atomic_xor(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_atomic_xor", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), xor, XOR, dest, value, pe)
ALIAS(shmem_int64_atomic_xor, pshmem_int64_atomic_xor);
void pshmem_uint32_atomic_xor(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_atomic_xor", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), xor, XOR, dest, value, pe)
ALIAS(shmem_uint32_atomic_xor, pshmem_uint32_atomic_xor);
void pshmem_uint64_atomic_xor(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_atomic_xor", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), xor, XOR, dest, value, pe)
ALIAS(shmem_uint64_atomic_xor, pshmem_uint64_atomic_xor);
void pshmem_ctx_uint_atomic_xor(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint_atomic_xor", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_xor, pshmem_ctx_uint_atomic_xor);
void pshmem_ctx_ulong_atomic_xor(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulong_atomic_xor", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_xor, pshmem_ctx_ulong_atomic_xor);
void pshmem_ctx_ulonglong_atomic_xor(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_ulonglong_atomic_xor", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_xor, pshmem_ctx_ulonglong_atomic_xor);
void pshmem_ctx_int32_atomic_xor(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int32_atomic_xor", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_xor, pshmem_ctx_int32_atomic_xor);
void pshmem_ctx_int64_atomic_xor(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_int64_atomic_xor", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_xor, pshmem_ctx_int64_atomic_xor);
void pshmem_ctx_uint32_atomic_xor(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint32_atomic_xor", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_xor, pshmem_ctx_uint32_atomic_xor);
void pshmem_ctx_uint64_atomic_xor(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_uint64_atomic_xor", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), xor, XOR, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_xor, pshmem_ctx_uint64_atomic_xor);
void pshmem_float_atomic_fetch_nbi(float *fetch, const float *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_float_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, fetch, source, pe)
ALIAS(shmem_float_atomic_fetch_nbi, pshmem_float_atomic_fetch_nbi);
void pshmem_double_atomic_fetch_nbi(double *fetch, const double *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_double_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, fetch, source, pe)
ALIAS(shmem_double_atomic_fetch_nbi, pshmem_double_atomic_fetch_nbi);
void pshmem_int_atomic_fetch_nbi(int *fetch, const int *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_int_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), fetch, source, pe)
ALIAS(shmem_int_atomic_fetch_nbi, pshmem_int_atomic_fetch_nbi);
void pshmem_long_atomic_fetch_nbi(long *fetch, const long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_long_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), fetch, source, pe)
ALIAS(shmem_long_atomic_fetch_nbi, pshmem_long_atomic_fetch_nbi);
void pshmem_longlong_atomic_fetch_nbi(long long *fetch, const long long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_longlong_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), fetch, source, pe)
ALIAS(shmem_longlong_atomic_fetch_nbi, pshmem_longlong_atomic_fetch_nbi);
void pshmem_uint_atomic_fetch_nbi(unsigned int *fetch, const unsigned int *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_uint_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), fetch, source, pe)
ALIAS(shmem_uint_atomic_fetch_nbi, pshmem_uint_atomic_fetch_nbi);
void pshmem_ulong_atomic_fetch_nbi(unsigned long *fetch, const unsigned long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ulong_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), fetch, source, pe)
ALIAS(shmem_ulong_atomic_fetch_nbi, pshmem_ulong_atomic_fetch_nbi);
void pshmem_ulonglong_atomic_fetch_nbi(unsigned long long *fetch, const unsigned long long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ulonglong_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), fetch, source, pe)
ALIAS(shmem_ulonglong_atomic_fetch_nbi, pshmem_ulonglong_atomic_fetch_nbi);
void pshmem_int32_atomic_fetch_nbi(int32_t *fetch, const int32_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_int32_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), fetch, source, pe)
ALIAS(shmem_int32_atomic_fetch_nbi, pshmem_int32_atomic_fetch_nbi);
void pshmem_int64_atomic_fetch_nbi(int64_t *fetch, const int64_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_int64_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), fetch, source, pe)
ALIAS(shmem_int64_atomic_fetch_nbi, pshmem_int64_atomic_fetch_nbi);
void pshmem_uint32_atomic_fetch_nbi(uint32_t *fetch, const uint32_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_uint32_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), fetch, source, pe)
ALIAS(shmem_uint32_atomic_fetch_nbi, pshmem_uint32_atomic_fetch_nbi);
void pshmem_uint64_atomic_fetch_nbi(uint64_t *fetch, const uint64_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_uint64_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), fetch, source, pe)
ALIAS(shmem_uint64_atomic_fetch_nbi, pshmem_uint64_atomic_fetch_nbi);
void pshmem_size_atomic_fetch_nbi(size_t *fetch, const size_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_size_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), fetch, source, pe)
ALIAS(shmem_size_atomic_fetch_nbi, pshmem_size_atomic_fetch_nbi);
void pshmem_ptrdiff_atomic_fetch_nbi(ptrdiff_t *fetch, const ptrdiff_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ptrdiff_atomic_fetch_nbi", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), fetch, source, pe)
ALIAS(shmem_ptrdiff_atomic_fetch_nbi, pshmem_ptrdiff_atomic_fetch_nbi);
void pshmem_ctx_float_atomic_fetch_nbi(shmem_ctx_t ctx, float *fetch, const float *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_float_atomic_fetch_nbi", ctx, float, PHILAE_SHMEM_F32, fetch, source, pe)
ALIAS(shmem_ctx_float_atomic_fetch_nbi, pshmem_ctx_float_atomic_fetch_nbi);
void pshmem_ctx_double_atomic_fetch_nbi(shmem_ctx_t ctx, double *fetch, const double *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_double_atomic_fetch_nbi", ctx, double, PHILAE_SHMEM_F64, fetch, source, pe)
ALIAS(shmem_ctx_double_atomic_fetch_nbi, pshmem_ctx_double_atomic_fetch_nbi);
void pshmem_ctx_int_atomic_fetch_nbi(shmem_ctx_t ctx, int *fetch, const int *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_int_atomic_fetch_nbi", ctx, int, PHILAE_SHMEM_SIGNED(int), fetch, source, pe)
ALIAS(shmem_ctx_int_atomic_fetch_nbi, pshmem_ctx_int_atomic_fetch_nbi);
void pshmem_ctx_long_atomic_fetch_nbi(shmem_ctx_t ctx, long *fetch, const long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_long_atomic_fetch_nbi", ctx, long, PHILAE_SHMEM_SIGNED(long), fetch, source, pe)
ALIAS(shmem_ctx_long_atomic_fetch_nbi, pshmem_ctx_long_atomic_fetch_nbi);
void pshmem_ctx_longlong_atomic_fetch_nbi(shmem_ctx_t ctx, long long *fetch, const long long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_longlong_atomic_fetch_nbi", ctx, long long, PHILAE_SHMEM_SIGNED(long long), fetch, source, pe)
ALIAS(shmem_ctx_longlong_atomic_fetch_nbi, pshmem_ctx_longlong_atomic_fetch_nbi);
void pshmem_ctx_uint_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned int *fetch, const unsigned int *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_uint_atomic_fetch_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), fetch, source, pe)
ALIAS(shmem_ctx_uint_atomic_fetch_nbi, pshmem_ctx_uint_atomic_fetch_nbi);
void pshmem_ctx_ulong_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long *fetch, const unsigned long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_ulong_atomic_fetch_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), fetch, source, pe)
ALIAS(shmem_ctx_ulong_atomic_fetch_nbi, pshmem_ctx_ulong_atomic_fetch_nbi);
void pshmem_ctx_ulonglong_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long long *fetch, const unsigned long long *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_ulonglong_atomic_fetch_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), fetch, source, pe)
ALIAS(shmem_ctx_ulonglong_atomic_fetch_nbi, pshmem_ctx_ulonglong_atomic_fetch_nbi);
void pshmem_ctx_int32_atomic_fetch_nbi(shmem_ctx_t ctx, int32_t *fetch, const int32_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_int32_atomic_fetch_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), fetch, source, pe)
ALIAS(shmem_ctx_int32_atomic_fetch_nbi, pshmem_ctx_int32_atomic_fetch_nbi);
void pshmem_ctx_int64_atomic_fetch_nbi(shmem_ctx_t ctx, int64_t *fetch, const int64_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_int64_atomic_fetch_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), fetch, source, pe)
ALIAS(shmem_ctx_int64_atomic_fetch_nbi, pshmem_ctx_int64_atomic_fetch_nbi);
void pshmem_ctx_uint32_atomic_fetch_nbi(shmem_ctx_t ctx, uint32_t *fetch, const uint32_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_uint32_atomic_fetch_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), fetch, source, pe)
ALIAS(shmem_ctx_uint32_atomic_fetch_nbi, pshmem_ctx_uint32_atomic_fetch_nbi);
void pshmem_ctx_uint64_atomic_fetch_nbi(shmem_ctx_t ctx, uint64_t *fetch, const uint64_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_uint64_atomic_fetch_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), fetch, source, pe)
ALIAS(shmem_ctx_uint64_atomic_fetch_nbi, pshmem_ctx_uint64_atomic_fetch_nbi);
void pshmem_ctx_size_atomic_fetch_nbi(shmem_ctx_t ctx, size_t *fetch, const size_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_size_atomic_fetch_nbi", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), fetch, source, pe)
ALIAS(shmem_ctx_size_atomic_fetch_nbi, pshmem_ctx_size_atomic_fetch_nbi);
void pshmem_ctx_ptrdiff_atomic_fetch_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, const ptrdiff_t *source, int pe)
PHILAE_SHMEM_NBI_FETCHED("shmem_ctx_ptrdiff_atomic_fetch_nbi", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), fetch, source, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_fetch_nbi, pshmem_ctx_ptrdiff_atomic_fetch_nbi);
void pshmem_int_atomic_compare_swap_nbi(int *fetch, int *dest, int cond, int value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_int_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), fetch, dest, cond, value, pe)
ALIAS(shmem_int_atomic_compare_swap_nbi, pshmem_int_atomic_compare_swap_nbi);
void pshmem_long_atomic_compare_swap_nbi(long *fetch, long *dest, long cond, long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_long_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), fetch, dest, cond, value, pe)
ALIAS(shmem_long_atomic_compare_swap_nbi, pshmem_long_atomic_compare_swap_nbi);
void pshmem_longlong_atomic_compare_swap_nbi(long long *fetch, long long *dest, long long cond, long long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_longlong_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), fetch, dest, cond, value, pe)
ALIAS(shmem_longlong_atomic_compare_swap_nbi, pshmem_longlong_atomic_compare_swap_nbi);
void pshmem_uint_atomic_compare_swap_nbi(unsigned int *fetch, unsigned int *dest, unsigned int cond, unsigned int value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_uint_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), fetch, dest, cond, value, pe)
ALIAS(shmem_uint_atomic_compare_swap_nbi, pshmem_uint_atomic_compare_swap_nbi);
void pshmem_ulong_atomic_compare_swap_nbi(unsigned long *fetch, unsigned long *dest, unsigned long cond, unsigned long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ulong_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), fetch, dest, cond, value, pe)
ALIAS(shmem_ulong_atomic_compare_swap_nbi, pshmem_ulong_atomic_compare_swap_nbi);
void pshmem_ulonglong_atomic_compare_swap_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ulonglong_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), fetch, dest, cond, value, pe)
ALIAS(shmem_ulonglong_atomic_compare_swap_nbi, pshmem_ulonglong_atomic_compare_swap_nbi);
void pshmem_int32_atomic_compare_swap_nbi(int32_t *fetch, int32_t *dest, int32_t cond, int32_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_int32_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), fetch, dest, cond, value, pe)
ALIAS(shmem_int32_atomic_compare_swap_nbi, pshmem_int32_atomic_compare_swap_nbi);
void pshmem_int64_atomic_compare_swap_nbi(int64_t *fetch, int64_t *dest, int64_t cond, int64_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_int64_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), fetch, dest, cond, value, pe)
ALIAS(shmem_int64_atomic_compare_swap_nbi, pshmem_int64_atomic_compare_swap_nbi);
void pshmem_uint32_atomic_compare_swap_nbi(uint32_t *fetch, uint32_t *dest, uint32_t cond, uint32_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_uint32_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), fetch, dest, cond, value, pe)
ALIAS(shmem_uint32_atomic_compare_swap_nbi, pshmem_uint32_atomic_compare_swap_nbi);
void pshmem_uint64_atomic_compare_swap_nbi(uint64_t *fetch, uint64_t *dest, uint64_t cond, uint64_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_uint64_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), fetch, dest, cond, value, pe)
ALIAS(shmem_uint64_atomic_compare_swap_nbi, pshmem_uint64_atomic_compare_swap_nbi);
void pshmem_size_atomic_compare_swap_nbi(size_t *fetch, size_t *dest, size_t cond, size_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_size_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), fetch, dest, cond, value, pe)
ALIAS(shmem_size_atomic_compare_swap_nbi, pshmem_size_atomic_compare_swap_nbi);
void pshmem_ptrdiff_atomic_compare_swap_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ptrdiff_atomic_compare_swap_nbi", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), fetch, dest, cond, value, pe)
ALIAS(shmem_ptrdiff_atomic_compare_swap_nbi, pshmem_ptrdiff_atomic_compare_swap_nbi);
void pshmem_ctx_int_atomic_compare_swap_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int cond, int value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_int_atomic_compare_swap_nbi", ctx, int, PHILAE_SHMEM_SIGNED(int), fetch, dest, cond, value, pe)
ALIAS(shmem_ctx_int_atomic_compare_swap_nbi, pshmem_ctx_int_atomic_compare_swap_nbi);
void pshmem_ctx_long_atomic_compare_swap_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long cond, long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_long_atomic_compare_swap_nbi", ctx, long, PHILAE_SHMEM_SIGNED(long), fetch, dest, cond, value, pe)
ALIAS(shmem_ctx_long_atomic_compare_swap_nbi, pshmem_ctx_long_atomic_compare_swap_nbi);
void pshmem_ctx_longlong_atomic_compare_swap_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, long long cond, long long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_longlong_atomic_compare_swap_nbi", ctx, long long, PHILAE_SHMEM_SIGNED(long long), fetch, dest, cond, value, pe)
ALIAS(shmem_ctx_longlong_atomic_compare_swap_nbi, pshmem_ctx_longlong_atomic_compare_swap_nbi);
void pshmem_ctx_uint_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int cond, unsigned int value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_uint_atomic_compare_swap_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), fetch, dest, cond, value, pe)
ALIAS(shmem_ctx_uint_atomic_compare_swap_nbi, pshmem_ctx_uint_atomic_compare_swap_nbi);
void pshmem_ctx_ulong_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long cond, unsigned long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_ulong_atomic_compare_swap_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), fetch, dest, cond, value, pe)
ALIAS(shmem_ctx_ulong_atomic_compare_swap_nbi, pshmem_ctx_ulong_atomic_compare_swap_nbi);
void pshmem_ctx_ulonglong_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_ulonglong_atomic_compare_swap_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), fetch, dest, cond, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_compare_swap_nbi, pshmem_ctx_ulonglong_atomic_compare_swap_nbi);
void pshmem_ctx_int32_atomic_compare_swap_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t cond, int32_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_int32_atomic_compare_swap_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), fetch, dest, cond, value, pe)
ALIAS(shmem_ctx_int32_atomic_compare_swap_nbi, pshmem_ctx_int32_atomic_compare_swap_nbi);
void pshmem_ctx_int64_atomic_compare_swap_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t cond, int64_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_int64_atomic_compare_swap_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), fetch, dest, cond, value, pe)
ALIAS(shmem_ctx_int64_atomic_compare_swap_nbi, pshmem_ctx_int64_atomic_compare_swap_nbi);
void pshmem_ctx_uint32_atomic_compare_swap_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t cond, uint32_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_uint32_atomic_compare_swap_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), fetch, dest, cond, value, pe)
ALIAS(shmem_ctx_uint32_atomic_compare_swap_nbi, pshmem_ctx_uint32_atomic_compare_swap_nbi);
void pshmem_ctx_uint64_atomic_compare_swap_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t cond, uint64_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_uint64_atomic_compare_swap_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), fetch, dest, cond, value, pe)
ALIAS(shmem_ctx_uint64_atomic_compare_swap_nbi, pshmem_ctx_uint64_atomic_compare_swap_nbi);
void pshmem_ctx_size_atomic_compare_swap_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t cond, size_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_size_atomic_compare_swap_nbi", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), fetch, dest, cond, value, pe)
ALIAS(shmem_ctx_size_atomic_compare_swap_nbi, pshmem_ctx_size_atomic_compare_swap_nbi);
void pshmem_ctx_ptrdiff_atomic_compare_swap_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe)
PHILAE_SHMEM_NBI_COMPARED("shmem_ctx_ptrdiff_atomic_compare_swap_nbi", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), fetch, dest, cond, value, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_compare_swap_nbi, pshmem_ctx_ptrdiff_atomic_compare_swap_nbi);
void pshmem_float_atomic_swap_nbi(float *fetch, float *dest, float value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_float_atomic_swap_nbi", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, fetch, dest, value, pe)
ALIAS(shmem_float_atomic_swap_nbi, pshmem_float_atomic_swap_nbi);
void pshmem_double_atomic_swap_nbi(double *fetch, double *dest, double value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_double_atomic_swap_nbi", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, fetch, dest, value, pe)
ALIAS(shmem_double_atomic_swap_nbi, pshmem_double_atomic_swap_nbi);
void pshmem_int_atomic_swap_nbi(int *fetch, int *dest, int value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_int_atomic_swap_nbi", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), fetch, dest, value, pe)
ALIAS(shmem_int_atomic_swap_nbi, pshmem_int_atomic_swap_nbi);
void pshmem_long_atomic_swap_nbi(long *fetch, long *dest, long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_long_atomic_swap_nbi", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), fetch, dest, value, pe)
ALIAS(shmem_long_atomic_swap_nbi, pshmem_long_atomic_swap_nbi);
void pshmem_longlong_atomic_swap_nbi(long long *fetch, long long *dest, long long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_longlong_atomic_swap_nbi", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), fetch, dest, value, pe)
ALIAS(shmem_longlong_atomic_swap_nbi, pshmem_longlong_atomic_swap_nbi);
void pshmem_uint_atomic_swap_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_uint_atomic_swap_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), fetch, dest, value, pe)
ALIAS(shmem_uint_atomic_swap_nbi, pshmem_uint_atomic_swap_nbi);
void pshmem_ulong_atomic_swap_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ulong_atomic_swap_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), fetch, dest, value, pe)
ALIAS(shmem_ulong_atomic_swap_nbi, pshmem_ulong_atomic_swap_nbi);
void pshmem_ulonglong_atomic_swap_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ulonglong_atomic_swap_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), fetch, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_swap_nbi, pshmem_ulonglong_atomic_swap_nbi);
void pshmem_int32_atomic_swap_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_int32_atomic_swap_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), fetch, dest, value, pe)
ALIAS(shmem_int32_atomic_swap_nbi, pshmem_int32_atomic_swap_nbi);
void pshmem_int64_atomic_swap_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_int64_atomic_swap_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), fetch, dest, value, pe)
ALIAS(shmem_int64_atomic_swap_nbi, pshmem_int64_atomic_swap_nbi);
void pshmem_uint32_atomic_swap_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_uint32_atomic_swap_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), fetch, dest, value, pe)
ALIAS(shmem_uint32_atomic_swap_nbi, pshmem_uint32_atomic_swap_nbi);
void pshmem_uint64_atomic_swap_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_uint64_atomic_swap_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), fetch, dest, value, pe)
ALIAS(shmem_uint64_atomic_swap_nbi, pshmem_uint64_atomic_swap_nbi);
void pshmem_size_atomic_swap_nbi(size_t *fetch, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_size_atomic_swap_nbi", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), fetch, dest, value, pe)
ALIAS(shmem_size_atomic_swap_nbi, pshmem_size_atomic_swap_nbi);
void pshmem_ptrdiff_atomic_swap_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ptrdiff_atomic_swap_nbi", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), fetch, dest, value, pe)
ALIAS(shmem_ptrdiff_atomic_swap_nbi, pshmem_ptrdiff_atomic_swap_nbi);
void pshmem_ctx_float_atomic_swap_nbi(shmem_ctx_t ctx, float *fetch, float *dest, float value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_float_atomic_swap_nbi", ctx, float, PHILAE_SHMEM_F32, fetch, dest, value, pe)
ALIAS(shmem_ctx_float_atomic_swap_nbi, pshmem_ctx_float_atomic_swap_nbi);
void pshmem_ctx_double_atomic_swap_nbi(shmem_ctx_t ctx, double *fetch, double *dest, double value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_double_atomic_swap_nbi", ctx, double, PHILAE_SHMEM_F64, fetch, dest, value, pe)
ALIAS(shmem_ctx_double_atomic_swap_nbi, pshmem_ctx_double_atomic_swap_nbi);
void pshmem_ctx_int_atomic_swap_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_int_atomic_swap_nbi", ctx, int, PHILAE_SHMEM_SIGNED(int), fetch, dest, value, pe)
ALIAS(shmem_ctx_int_atomic_swap_nbi, pshmem_ctx_int_atomic_swap_nbi);
void pshmem_ctx_long_atomic_swap_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_long_atomic_swap_nbi", ctx, long, PHILAE_SHMEM_SIGNED(long), fetch, dest, value, pe)
ALIAS(shmem_ctx_long_atomic_swap_nbi, pshmem_ctx_long_atomic_swap_nbi);
void pshmem_ctx_longlong_atomic_swap_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, long long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_longlong_atomic_swap_nbi", ctx, long long, PHILAE_SHMEM_SIGNED(long long), fetch, dest, value, pe)
ALIAS(shmem_ctx_longlong_atomic_swap_nbi, pshmem_ctx_longlong_atomic_swap_nbi);
void pshmem_ctx_uint_atomic_swap_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_uint_atomic_swap_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), fetch, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_swap_nbi, pshmem_ctx_uint_atomic_swap_nbi);
void pshmem_ctx_ulong_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_ulong_atomic_swap_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), fetch, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_swap_nbi, pshmem_ctx_ulong_atomic_swap_nbi);
void pshmem_ctx_ulonglong_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_ulonglong_atomic_swap_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), fetch, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_swap_nbi, pshmem_ctx_ulonglong_atomic_swap_nbi);
void pshmem_ctx_int32_atomic_swap_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_int32_atomic_swap_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), fetch, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_swap_nbi, pshmem_ctx_int32_atomic_swap_nbi);
void pshmem_ctx_int64_atomic_swap_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_int64_atomic_swap_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), fetch, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_swap_nbi, pshmem_ctx_int64_atomic_swap_nbi);
void pshmem_ctx_uint32_atomic_swap_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_uint32_atomic_swap_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), fetch, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_swap_nbi, pshmem_ctx_uint32_atomic_swap_nbi);
void pshmem_ctx_uint64_atomic_swap_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_uint64_atomic_swap_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), fetch, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_swap_nbi, pshmem_ctx_uint64_atomic_swap_nbi);
void pshmem_ctx_size_atomic_swap_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_size_atomic_swap_nbi", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), fetch, dest, value, pe)
ALIAS(shmem_ctx_size_atomic_swap_nbi, pshmem_ctx_size_atomic_swap_nbi);
void pshmem_ctx_ptrdiff_atomic_swap_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_NBI_SWAPPED("shmem_ctx_ptrdiff_atomic_swap_nbi", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), fetch, dest, value, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_swap_nbi, pshmem_ctx_ptrdiff_atomic_swap_nbi);
void pshmem_int_atomic_fetch_inc_nbi(int *fetch, int *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_int_atomic_fetch_inc_nbi, pshmem_int_atomic_fetch_inc_nbi);
void pshmem_long_atomic_fetch_inc_nbi(long *fetch, long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_long_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_long_atomic_fetch_inc_nbi, pshmem_long_atomic_fetch_inc_nbi);
void pshmem_longlong_atomic_fetch_inc_nbi(long long *fetch, long long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_longlong_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_longlong_atomic_fetch_inc_nbi, pshmem_longlong_atomic_fetch_inc_nbi);
void pshmem_uint_atomic_fetch_inc_nbi(unsigned int *fetch, unsigned int *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_uint_atomic_fetch_inc_nbi, pshmem_uint_atomic_fetch_inc_nbi);
void pshmem_ulong_atomic_fetch_inc_nbi(unsigned long *fetch, unsigned long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulong_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ulong_atomic_fetch_inc_nbi, pshmem_ulong_atomic_fetch_inc_nbi);
void pshmem_ulonglong_atomic_fetch_inc_nbi(unsigned long long *fetch, unsigned long long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ulonglong_atomic_fetch_inc_nbi, pshmem_ulonglong_atomic_fetch_inc_nbi);
void pshmem_int32_atomic_fetch_inc_nbi(int32_t *fetch, int32_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int32_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_int32_atomic_fetch_inc_nbi, pshmem_int32_atomic_fetch_inc_nbi);
void pshmem_int64_atomic_fetch_inc_nbi(int64_t *fetch, int64_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int64_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_int64_atomic_fetch_inc_nbi, pshmem_int64_atomic_fetch_inc_nbi);
void pshmem_uint32_atomic_fetch_inc_nbi(uint32_t *fetch, uint32_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint32_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_uint32_atomic_fetch_inc_nbi, pshmem_uint32_atomic_fetch_inc_nbi);
void pshmem_uint64_atomic_fetch_inc_nbi(uint64_t *fetch, uint64_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint64_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_uint64_atomic_fetch_inc_nbi, pshmem_uint64_atomic_fetch_inc_nbi);
void pshmem_size_atomic_fetch_inc_nbi(size_t *fetch, size_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_size_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_size_atomic_fetch_inc_nbi, pshmem_size_atomic_fetch_inc_nbi);
void pshmem_ptrdiff_atomic_fetch_inc_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ptrdiff_atomic_fetch_inc_nbi", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ptrdiff_atomic_fetch_inc_nbi, pshmem_ptrdiff_atomic_fetch_inc_nbi);
void pshmem_ctx_int_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int_atomic_fetch_inc_nbi", ctx, int, PHILAE_SHMEM_SIGNED(int), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ctx_int_atomic_fetch_inc_nbi, pshmem_ctx_int_atomic_fetch_inc_nbi);
void pshmem_ctx_long_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long *fetch, long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_long_atomic_fetch_inc_nbi", ctx, long, PHILAE_SHMEM_SIGNED(long), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ctx_long_atomic_fetch_inc_nbi, pshmem_ctx_long_atomic_fetch_inc_nbi);
void pshmem_ctx_longlong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_longlong_atomic_fetch_inc_nbi", ctx, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ctx_longlong_atomic_fetch_inc_nbi, pshmem_ctx_longlong_atomic_fetch_inc_nbi);
void pshmem_ctx_uint_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_inc_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ctx_uint_atomic_fetch_inc_nbi, pshmem_ctx_uint_atomic_fetch_inc_nbi);
void pshmem_ctx_ulong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_inc_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ctx_ulong_atomic_fetch_inc_nbi, pshmem_ctx_ulong_atomic_fetch_inc_nbi);
void pshmem_ctx_ulonglong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_inc_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ctx_ulonglong_atomic_fetch_inc_nbi, pshmem_ctx_ulonglong_atomic_fetch_inc_nbi);
void pshmem_ctx_int32_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_inc_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ctx_int32_atomic_fetch_inc_nbi, pshmem_ctx_int32_atomic_fetch_inc_nbi);
void pshmem_ctx_int64_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_inc_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ctx_int64_atomic_fetch_inc_nbi, pshmem_ctx_int64_atomic_fetch_inc_nbi);
void pshmem_ctx_uint32_atomic_fetch_inc_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_inc_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ctx_uint32_atomic_fetch_inc_nbi, pshmem_ctx_uint32_atomic_fetch_inc_nbi);
void pshmem_ctx_uint64_atomic_fetch_inc_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_inc_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ctx_uint64_atomic_fetch_inc_nbi, pshmem_ctx_uint64_atomic_fetch_inc_nbi);
void pshmem_ctx_size_atomic_fetch_inc_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_size_atomic_fetch_inc_nbi", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ctx_size_atomic_fetch_inc_nbi, pshmem_ctx_size_atomic_fetch_inc_nbi);
void pshmem_ctx_ptrdiff_atomic_fetch_inc_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ptrdiff_atomic_fetch_inc_nbi", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, fetch, dest, 1, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_fetch_inc_nbi, pshmem_ctx_ptrdiff_atomic_fetch_inc_nbi);
void pshmem_int_atomic_fetch_add_nbi(int *fetch, int *dest, int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_int_atomic_fetch_add_nbi, pshmem_int_atomic_fetch_add_nbi);
void pshmem_long_atomic_fetch_add_nbi(long *fetch, long *dest, long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_long_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_long_atomic_fetch_add_nbi, pshmem_long_atomic_fetch_add_nbi);
void pshmem_longlong_atomic_fetch_add_nbi(long long *fetch, long long *dest, long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_longlong_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_longlong_atomic_fetch_add_nbi, pshmem_longlong_atomic_fetch_add_nbi);
void pshmem_uint_atomic_fetch_add_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_uint_atomic_fetch_add_nbi, pshmem_uint_atomic_fetch_add_nbi);
void pshmem_ulong_atomic_fetch_add_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulong_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ulong_atomic_fetch_add_nbi, pshmem_ulong_atomic_fetch_add_nbi);
void pshmem_ulonglong_atomic_fetch_add_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_fetch_add_nbi, pshmem_ulonglong_atomic_fetch_add_nbi);
void pshmem_int32_atomic_fetch_add_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int32_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_int32_atomic_fetch_add_nbi, pshmem_int32_atomic_fetch_add_nbi);
void pshmem_int64_atomic_fetch_add_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int64_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_int64_atomic_fetch_add_nbi, pshmem_int64_atomic_fetch_add_nbi);
void pshmem_uint32_atomic_fetch_add_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint32_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_uint32_atomic_fetch_add_nbi, pshmem_uint32_atomic_fetch_add_nbi);
void pshmem_uint64_atomic_fetch_add_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint64_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_uint64_atomic_fetch_add_nbi, pshmem_uint64_atomic_fetch_add_nbi);
void pshmem_size_atomic_fetch_add_nbi(size_t *fetch, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_size_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_size_atomic_fetch_add_nbi, pshmem_size_atomic_fetch_add_nbi);
void pshmem_ptrdiff_atomic_fetch_add_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ptrdiff_atomic_fetch_add_nbi", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ptrdiff_atomic_fetch_add_nbi, pshmem_ptrdiff_atomic_fetch_add_nbi);
void pshmem_ctx_int_atomic_fetch_add_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int_atomic_fetch_add_nbi", ctx, int, PHILAE_SHMEM_SIGNED(int), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ctx_int_atomic_fetch_add_nbi, pshmem_ctx_int_atomic_fetch_add_nbi);
void pshmem_ctx_long_atomic_fetch_add_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_long_atomic_fetch_add_nbi", ctx, long, PHILAE_SHMEM_SIGNED(long), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ctx_long_atomic_fetch_add_nbi, pshmem_ctx_long_atomic_fetch_add_nbi);
void pshmem_ctx_longlong_atomic_fetch_add_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_longlong_atomic_fetch_add_nbi", ctx, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ctx_longlong_atomic_fetch_add_nbi, pshmem_ctx_longlong_atomic_fetch_add_nbi);
void pshmem_ctx_uint_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_add_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_fetch_add_nbi, pshmem_ctx_uint_atomic_fetch_add_nbi);
void pshmem_ctx_ulong_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_add_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_fetch_add_nbi, pshmem_ctx_ulong_atomic_fetch_add_nbi);
void pshmem_ctx_ulonglong_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_add_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_fetch_add_nbi, pshmem_ctx_ulonglong_atomic_fetch_add_nbi);
void pshmem_ctx_int32_atomic_fetch_add_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_add_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_fetch_add_nbi, pshmem_ctx_int32_atomic_fetch_add_nbi);
void pshmem_ctx_int64_atomic_fetch_add_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_add_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_fetch_add_nbi, pshmem_ctx_int64_atomic_fetch_add_nbi);
void pshmem_ctx_uint32_atomic_fetch_add_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_add_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_fetch_add_nbi, pshmem_ctx_uint32_atomic_fetch_add_nbi);
void pshmem_ctx_uint64_atomic_fetch_add_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_add_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_fetch_add_nbi, pshmem_ctx_uint64_atomic_fetch_add_nbi);
void pshmem_ctx_size_atomic_fetch_add_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_size_atomic_fetch_add_nbi", ctx, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ctx_size_atomic_fetch_add_nbi, pshmem_ctx_size_atomic_fetch_add_nbi);
void pshmem_ctx_ptrdiff_atomic_fetch_add_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ptrdiff_atomic_fetch_add_nbi", ctx, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, fetch, dest, value, pe)
ALIAS(shmem_ctx_ptrdiff_atomic_fetch_add_nbi, pshmem_ctx_ptrdiff_atomic_fetch_add_nbi);
void pshmem_uint_atomic_fetch_and_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), and, AND, fetch, dest, value, pe)
ALIAS(shmem_uint_atomic_fetch_and_nbi, pshmem_uint_atomic_fetch_and_nbi);
void pshmem_ulong_atomic_fetch_and_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulong_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), and, AND, fetch, dest, value, pe)
ALIAS(shmem_ulong_atomic_fetch_and_nbi, pshmem_ulong_atomic_fetch_and_nbi);
void pshmem_ulonglong_atomic_fetch_and_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), and, AND, fetch, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_fetch_and_nbi, pshmem_ulonglong_atomic_fetch_and_nbi);
void pshmem_int32_atomic_fetch_and_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int32_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), and, AND, fetch, dest, value, pe)
ALIAS(shmem_int32_atomic_fetch_and_nbi, pshmem_int32_atomic_fetch_and_nbi);
void pshmem_int64_atomic_fetch_and_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int64_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), and, AND, fetch, dest, value, pe)
ALIAS(shmem_int64_atomic_fetch_and_nbi, pshmem_int64_atomic_fetch_and_nbi);
void pshmem_uint32_atomic_fetch_and_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint32_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), and, AND, fetch, dest, value, pe)
ALIAS(shmem_uint32_atomic_fetch_and_nbi, pshmem_uint32_atomic_fetch_and_nbi);
void pshmem_uint64_atomic_fetch_and_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint64_atomic_fetch_and_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), and, AND, fetch, dest, value, pe)
ALIAS(shmem_uint64_atomic_fetch_and_nbi, pshmem_uint64_atomic_fetch_and_nbi);
void pshmem_ctx_uint_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_and_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), and, AND, fetch, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_fetch_and_nbi, pshmem_ctx_uint_atomic_fetch_and_nbi);
void pshmem_ctx_ulong_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_and_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), and, AND, fetch, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_fetch_and_nbi, pshmem_ctx_ulong_atomic_fetch_and_nbi);
void pshmem_ctx_ulonglong_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_and_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), and, AND, fetch, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_fetch_and_nbi, pshmem_ctx_ulonglong_atomic_fetch_and_nbi);
void pshmem_ctx_int32_atomic_fetch_and_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_and_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), and, AND, fetch, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_fetch_and_nbi, pshmem_ctx_int32_atomic_fetch_and_nbi);
void pshmem_ctx_int64_atomic_fetch_and_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_and_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), and, AND, fetch, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_fetch_and_nbi, pshmem_ctx_int64_atomic_fetch_and_nbi);
void pshmem_ctx_uint32_atomic_fetch_and_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_and_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), and, AND, fetch, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_fetch_and_nbi, pshmem_ctx_uint32_atomic_fetch_and_nbi);
void pshmem_ctx_uint64_atomic_fetch_and_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_and_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), and, AND, fetch, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_fetch_and_nbi, pshmem_ctx_uint64_atomic_fetch_and_nbi);
void pshmem_uint_atomic_fetch_or_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), or, OR, fetch, dest, value, pe)
ALIAS(shmem_uint_atomic_fetch_or_nbi, pshmem_uint_atomic_fetch_or_nbi);
void pshmem_ulong_atomic_fetch_or_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulong_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), or, OR, fetch, dest, value, pe)
ALIAS(shmem_ulong_atomic_fetch_or_nbi, pshmem_ulong_atomic_fetch_or_nbi);
void pshmem_ulonglong_atomic_fetch_or_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), or, OR, fetch, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_fetch_or_nbi, pshmem_ulonglong_atomic_fetch_or_nbi);
void pshmem_int32_atomic_fetch_or_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int32_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), or, OR, fetch, dest, value, pe)
ALIAS(shmem_int32_atomic_fetch_or_nbi, pshmem_int32_atomic_fetch_or_nbi);
void pshmem_int64_atomic_fetch_or_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int64_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), or, OR, fetch, dest, value, pe)
ALIAS(shmem_int64_atomic_fetch_or_nbi, pshmem_int64_atomic_fetch_or_nbi);
void pshmem_uint32_atomic_fetch_or_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint32_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), or, OR, fetch, dest, value, pe)
ALIAS(shmem_uint32_atomic_fetch_or_nbi, pshmem_uint32_atomic_fetch_or_nbi);
void pshmem_uint64_atomic_fetch_or_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint64_atomic_fetch_or_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), or, OR, fetch, dest, value, pe)
ALIAS(shmem_uint64_atomic_fetch_or_nbi, pshmem_uint64_atomic_fetch_or_nbi);
void pshmem_ctx_uint_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_or_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), or, OR, fetch, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_fetch_or_nbi, pshmem_ctx_uint_atomic_fetch_or_nbi);
void pshmem_ctx_ulong_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_or_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), or, OR, fetch, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_fetch_or_nbi, pshmem_ctx_ulong_atomic_fetch_or_nbi);
void pshmem_ctx_ulonglong_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_or_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), or, OR, fetch, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_fetch_or_nbi, pshmem_ctx_ulonglong_atomic_fetch_or_nbi);
void pshmem_ctx_int32_atomic_fetch_or_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_or_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), or, OR, fetch, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_fetch_or_nbi, pshmem_ctx_int32_atomic_fetch_or_nbi);
void pshmem_ctx_int64_atomic_fetch_or_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_or_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), or, OR, fetch, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_fetch_or_nbi, pshmem_ctx_int64_atomic_fetch_or_nbi);
void pshmem_ctx_uint32_atomic_fetch_or_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_or_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), or, OR, fetch, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_fetch_or_nbi, pshmem_ctx_uint32_atomic_fetch_or_nbi);
void pshmem_ctx_uint64_atomic_fetch_or_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_or_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), or, OR, fetch, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_fetch_or_nbi, pshmem_ctx_uint64_atomic_fetch_or_nbi);
void pshmem_uint_atomic_fetch_xor_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_uint_atomic_fetch_xor_nbi, pshmem_uint_atomic_fetch_xor_nbi);
void pshmem_ulong_atomic_fetch_xor_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulong_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_ulong_atomic_fetch_xor_nbi, pshmem_ulong_atomic_fetch_xor_nbi);
void pshmem_ulonglong_atomic_fetch_xor_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ulonglong_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_ulonglong_atomic_fetch_xor_nbi, pshmem_ulonglong_atomic_fetch_xor_nbi);
void pshmem_int32_atomic_fetch_xor_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int32_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_int32_atomic_fetch_xor_nbi, pshmem_int32_atomic_fetch_xor_nbi);
void pshmem_int64_atomic_fetch_xor_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_int64_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_int64_atomic_fetch_xor_nbi, pshmem_int64_atomic_fetch_xor_nbi);
void pshmem_uint32_atomic_fetch_xor_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint32_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_uint32_atomic_fetch_xor_nbi, pshmem_uint32_atomic_fetch_xor_nbi);
void pshmem_uint64_atomic_fetch_xor_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_uint64_atomic_fetch_xor_nbi", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_uint64_atomic_fetch_xor_nbi, pshmem_uint64_atomic_fetch_xor_nbi);
void pshmem_ctx_uint_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint_atomic_fetch_xor_nbi", ctx, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_ctx_uint_atomic_fetch_xor_nbi, pshmem_ctx_uint_atomic_fetch_xor_nbi);
void pshmem_ctx_ulong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulong_atomic_fetch_xor_nbi", ctx, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_ctx_ulong_atomic_fetch_xor_nbi, pshmem_ctx_ulong_atomic_fetch_xor_nbi);
void pshmem_ctx_ulonglong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_ulonglong_atomic_fetch_xor_nbi", ctx, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_ctx_ulonglong_atomic_fetch_xor_nbi, pshmem_ctx_ulonglong_atomic_fetch_xor_nbi);
void pshmem_ctx_int32_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int32_atomic_fetch_xor_nbi", ctx, int32_t, PHILAE_SHMEM_SIGNED(int32_t), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_ctx_int32_atomic_fetch_xor_nbi, pshmem_ctx_int32_atomic_fetch_xor_nbi);
void pshmem_ctx_int64_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_int64_atomic_fetch_xor_nbi", ctx, int64_t, PHILAE_SHMEM_SIGNED(int64_t), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_ctx_int64_atomic_fetch_xor_nbi, pshmem_ctx_int64_atomic_fetch_xor_nbi);
void pshmem_ctx_uint32_atomic_fetch_xor_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint32_atomic_fetch_xor_nbi", ctx, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_ctx_uint32_atomic_fetch_xor_nbi, pshmem_ctx_uint32_atomic_fetch_xor_nbi);
void pshmem_ctx_uint64_atomic_fetch_xor_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_NBI_FETCH_CHANGED("shmem_ctx_uint64_atomic_fetch_xor_nbi", ctx, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), xor, XOR, fetch, dest, value, pe)
ALIAS(shmem_ctx_uint64_atomic_fetch_xor_nbi, pshmem_ctx_uint64_atomic_fetch_xor_nbi);
void pshmem_float_put_signal(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_float_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_float_put_signal, pshmem_float_put_signal);
void pshmem_double_put_signal(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_double_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_double_put_signal, pshmem_double_put_signal);
void pshmem_longdouble_put_signal(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_longdouble_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_longdouble_put_signal, pshmem_longdouble_put_signal);
void pshmem_char_put_signal(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_char_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_char_put_signal, pshmem_char_put_signal);
void pshmem_schar_put_signal(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_schar_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_schar_put_signal, pshmem_schar_put_signal);
void pshmem_short_put_signal(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_short_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_short_put_signal, pshmem_short_put_signal);
void pshmem_int_put_signal(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_int_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_int_put_signal, pshmem_int_put_signal);
void pshmem_long_put_signal(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_long_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_long_put_signal, pshmem_long_put_signal);
void pshmem_longlong_put_signal(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_longlong_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_longlong_put_signal, pshmem_longlong_put_signal);
void pshmem_uchar_put_signal(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_uchar_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_uchar_put_signal, pshmem_uchar_put_signal);
void pshmem_ushort_put_signal(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ushort_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ushort_put_signal, pshmem_ushort_put_signal);
void pshmem_uint_put_signal(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_uint_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_uint_put_signal, pshmem_uint_put_signal);
void pshmem_ulong_put_signal(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ulong_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ulong_put_signal, pshmem_ulong_put_signal);
void pshmem_ulonglong_put_signal(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ulonglong_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ulonglong_put_signal, pshmem_ulonglong_put_signal);
void pshmem_int8_put_signal(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_int8_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_int8_put_signal, pshmem_int8_put_signal);
void pshmem_int16_put_signal(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_int16_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_int16_put_signal, pshmem_int16_put_signal);
void pshmem_int32_put_signal(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_int32_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_int32_put_signal, pshmem_int32_put_signal);
void pshmem_int64_put_signal(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_int64_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_int64_put_signal, pshmem_int64_put_signal);
void pshmem_uint8_put_signal(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_uint8_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_uint8_put_signal, pshmem_uint8_put_signal);
void pshmem_uint16_put_signal(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_uint16_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_uint16_put_signal, pshmem_uint16_put_signal);
void pshmem_uint32_put_signal(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_uint32_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_uint32_put_signal, pshmem_uint32_put_signal);
void pshmem_uint64_put_signal(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_uint64_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_uint64_put_signal, pshmem_uint64_put_signal);
void pshmem_size_put_signal(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_size_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_size_put_signal, pshmem_size_put_signal);
void pshmem_ptrdiff_put_signal(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ptrdiff_put_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ptrdiff_put_signal, pshmem_ptrdiff_put_signal);
void pshmem_ctx_float_put_signal(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_float_put_signal", ctx, dest, source, nelems, sizeof(float), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_float_put_signal, pshmem_ctx_float_put_signal);
void pshmem_ctx_double_put_signal(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_double_put_signal", ctx, dest, source, nelems, sizeof(double), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_double_put_signal, pshmem_ctx_double_put_signal);
void pshmem_ctx_longdouble_put_signal(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_longdouble_put_signal", ctx, dest, source, nelems, sizeof(long double), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_longdouble_put_signal, pshmem_ctx_longdouble_put_signal);
void pshmem_ctx_char_put_signal(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_char_put_signal", ctx, dest, source, nelems, sizeof(char), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_char_put_signal, pshmem_ctx_char_put_signal);
void pshmem_ctx_schar_put_signal(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_schar_put_signal", ctx, dest, source, nelems, sizeof(signed char), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_schar_put_signal, pshmem_ctx_schar_put_signal);
void pshmem_ctx_short_put_signal(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_short_put_signal", ctx, dest, source, nelems, sizeof(short), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_short_put_signal, pshmem_ctx_short_put_signal);
void pshmem_ctx_int_put_signal(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_int_put_signal", ctx, dest, source, nelems, sizeof(int), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_int_put_signal, pshmem_ctx_int_put_signal);
void pshmem_ctx_long_put_signal(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_long_put_signal", ctx, dest, source, nelems, sizeof(long), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_long_put_signal, pshmem_ctx_long_put_signal);
void pshmem_ctx_longlong_put_signal(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_longlong_put_signal", ctx, dest, source, nelems, sizeof(long long), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_longlong_put_signal, pshmem_ctx_longlong_put_signal);
void pshmem_ctx_uchar_put_signal(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_uchar_put_signal", ctx, dest, source, nelems, sizeof(unsigned char), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_uchar_put_signal, pshmem_ctx_uchar_put_signal);
void pshmem_ctx_ushort_put_signal(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_ushort_put_signal", ctx, dest, source, nelems, sizeof(unsigned short), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_ushort_put_signal, pshmem_ctx_ushort_put_signal);
void pshmem_ctx_uint_put_signal(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_uint_put_signal", ctx, dest, source, nelems, sizeof(unsigned int), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_uint_put_signal, pshmem_ctx_uint_put_signal);
void pshmem_ctx_ulong_put_signal(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_ulong_put_signal", ctx, dest, source, nelems, sizeof(unsigned long), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_ulong_put_signal, pshmem_ctx_ulong_put_signal);
void pshmem_ctx_ulonglong_put_signal(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_ulonglong_put_signal", ctx, dest, source, nelems, sizeof(unsigned long long), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_ulonglong_put_signal, pshmem_ctx_ulonglong_put_signal);
void pshmem_ctx_int8_put_signal(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_int8_put_signal", ctx, dest, source, nelems, sizeof(int8_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_int8_put_signal, pshmem_ctx_int8_put_signal);
void pshmem_ctx_int16_put_signal(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_int16_put_signal", ctx, dest, source, nelems, sizeof(int16_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_int16_put_signal, pshmem_ctx_int16_put_signal);
void pshmem_ctx_int32_put_signal(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_int32_put_signal", ctx, dest, source, nelems, sizeof(int32_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_int32_put_signal, pshmem_ctx_int32_put_signal);
void pshmem_ctx_int64_put_signal(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_int64_put_signal", ctx, dest, source, nelems, sizeof(int64_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_int64_put_signal, pshmem_ctx_int64_put_signal);
void pshmem_ctx_uint8_put_signal(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_uint8_put_signal", ctx, dest, source, nelems, sizeof(uint8_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_uint8_put_signal, pshmem_ctx_uint8_put_signal);
void pshmem_ctx_uint16_put_signal(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_uint16_put_signal", ctx, dest, source, nelems, sizeof(uint16_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_uint16_put_signal, pshmem_ctx_uint16_put_signal);
void pshmem_ctx_uint32_put_signal(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_uint32_put_signal", ctx, dest, source, nelems, sizeof(uint32_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_uint32_put_signal, pshmem_ctx_uint32_put_signal);
void pshmem_ctx_uint64_put_signal(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_uint64_put_signal", ctx, dest, source, nelems, sizeof(uint64_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_uint64_put_signal, pshmem_ctx_uint64_put_signal);
void pshmem_ctx_size_put_signal(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_size_put_signal", ctx, dest, source, nelems, sizeof(size_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_size_put_signal, pshmem_ctx_size_put_signal);
void pshmem_ctx_ptrdiff_put_signal(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_ptrdiff_put_signal", ctx, dest, source, nelems, sizeof(ptrdiff_t), sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_ptrdiff_put_signal, pshmem_ctx_ptrdiff_put_signal);
void pshmem_put8_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_put8_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_put8_signal, pshmem_put8_signal);
void pshmem_put16_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_put16_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_put16_signal, pshmem_put16_signal);
void pshmem_put32_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_put32_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_put32_signal, pshmem_put32_signal);
void pshmem_put64_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_put64_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_put64_signal, pshmem_put64_signal);
void pshmem_put128_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_put128_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_put128_signal, pshmem_put128_signal);
void pshmem_ctx_put8_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_put8_signal", ctx, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_put8_signal, pshmem_ctx_put8_signal);
void pshmem_ctx_put16_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_put16_signal", ctx, dest, source, nelems, 2, sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_put16_signal, pshmem_ctx_put16_signal);
void pshmem_ctx_put32_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_put32_signal", ctx, dest, source, nelems, 4, sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_put32_signal, pshmem_ctx_put32_signal);
void pshmem_ctx_put64_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_put64_signal", ctx, dest, source, nelems, 8, sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_put64_signal, pshmem_ctx_put64_signal);
void pshmem_ctx_put128_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_put128_signal", ctx, dest, source, nelems, 16, sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_put128_signal, pshmem_ctx_put128_signal);
void pshmem_putmem_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_putmem_signal", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_putmem_signal, pshmem_putmem_signal);
void pshmem_ctx_putmem_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_putmem_signal", ctx, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, 0); }
ALIAS(shmem_ctx_putmem_signal, pshmem_ctx_putmem_signal);
void pshmem_float_put_signal_nbi(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_float_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_float_put_signal_nbi, pshmem_float_put_signal_nbi);
void pshmem_double_put_signal_nbi(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_double_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_double_put_signal_nbi, pshmem_double_put_signal_nbi);
void pshmem_longdouble_put_signal_nbi(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_longdouble_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_longdouble_put_signal_nbi, pshmem_longdouble_put_signal_nbi);
void pshmem_char_put_signal_nbi(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_char_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_char_put_signal_nbi, pshmem_char_put_signal_nbi);
void pshmem_schar_put_signal_nbi(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_schar_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_schar_put_signal_nbi, pshmem_schar_put_signal_nbi);
void pshmem_short_put_signal_nbi(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_short_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_short_put_signal_nbi, pshmem_short_put_signal_nbi);
void pshmem_int_put_signal_nbi(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_int_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int_put_signal_nbi, pshmem_int_put_signal_nbi);
void pshmem_long_put_signal_nbi(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_long_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_long_put_signal_nbi, pshmem_long_put_signal_nbi);
void pshmem_longlong_put_signal_nbi(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_longlong_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_longlong_put_signal_nbi, pshmem_longlong_put_signal_nbi);
void pshmem_uchar_put_signal_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_uchar_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uchar_put_signal_nbi, pshmem_uchar_put_signal_nbi);
void pshmem_ushort_put_signal_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ushort_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ushort_put_signal_nbi, pshmem_ushort_put_signal_nbi);
void pshmem_uint_put_signal_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_uint_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint_put_signal_nbi, pshmem_uint_put_signal_nbi);
void pshmem_ulong_put_signal_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ulong_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ulong_put_signal_nbi, pshmem_ulong_put_signal_nbi);
void pshmem_ulonglong_put_signal_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ulonglong_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ulonglong_put_signal_nbi, pshmem_ulonglong_put_signal_nbi);
void pshmem_int8_put_signal_nbi(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_int8_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int8_put_signal_nbi, pshmem_int8_put_signal_nbi);
void pshmem_int16_put_signal_nbi(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_int16_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int16_put_signal_nbi, pshmem_int16_put_signal_nbi);
void pshmem_int32_put_signal_nbi(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_int32_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int32_put_signal_nbi, pshmem_int32_put_signal_nbi);
void pshmem_int64_put_signal_nbi(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_int64_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_int64_put_signal_nbi, pshmem_int64_put_signal_nbi);
void pshmem_uint8_put_signal_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_uint8_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint8_put_signal_nbi, pshmem_uint8_put_signal_nbi);
void pshmem_uint16_put_signal_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_uint16_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint16_put_signal_nbi, pshmem_uint16_put_signal_nbi);
void pshmem_uint32_put_signal_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_uint32_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint32_put_signal_nbi, pshmem_uint32_put_signal_nbi);
void pshmem_uint64_put_signal_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_uint64_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_uint64_put_signal_nbi, pshmem_uint64_put_signal_nbi);
void pshmem_size_put_signal_nbi(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_size_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_size_put_signal_nbi, pshmem_size_put_signal_nbi);
void pshmem_ptrdiff_put_signal_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ptrdiff_put_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ptrdiff_put_signal_nbi, pshmem_ptrdiff_put_signal_nbi);
void pshmem_ctx_float_put_signal_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_float_put_signal_nbi", ctx, dest, source, nelems, sizeof(float), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_float_put_signal_nbi, pshmem_ctx_float_put_signal_nbi);
void pshmem_ctx_double_put_signal_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_double_put_signal_nbi", ctx, dest, source, nelems, sizeof(double), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_double_put_signal_nbi, pshmem_ctx_double_put_signal_nbi);
void pshmem_ctx_longdouble_put_signal_nbi(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_longdouble_put_signal_nbi", ctx, dest, source, nelems, sizeof(long double), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_longdouble_put_signal_nbi, pshmem_ctx_longdouble_put_signal_nbi);
void pshmem_ctx_char_put_signal_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_char_put_signal_nbi", ctx, dest, source, nelems, sizeof(char), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_char_put_signal_nbi, pshmem_ctx_char_put_signal_nbi);
void pshmem_ctx_schar_put_signal_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_schar_put_signal_nbi", ctx, dest, source, nelems, sizeof(signed char), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_schar_put_signal_nbi, pshmem_ctx_schar_put_signal_nbi);
void pshmem_ctx_short_put_signal_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_short_put_signal_nbi", ctx, dest, source, nelems, sizeof(short), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_short_put_signal_nbi, pshmem_ctx_short_put_signal_nbi);
void pshmem_ctx_int_put_signal_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_int_put_signal_nbi", ctx, dest, source, nelems, sizeof(int), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int_put_signal_nbi, pshmem_ctx_int_put_signal_nbi);
void pshmem_ctx_long_put_signal_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_long_put_signal_nbi", ctx, dest, source, nelems, sizeof(long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_long_put_signal_nbi, pshmem_ctx_long_put_signal_nbi);
void pshmem_ctx_longlong_put_signal_nbi(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_longlong_put_signal_nbi", ctx, dest, source, nelems, sizeof(long long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_longlong_put_signal_nbi, pshmem_ctx_longlong_put_signal_nbi);
void pshmem_ctx_uchar_put_signal_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_uchar_put_signal_nbi", ctx, dest, source, nelems, sizeof(unsigned char), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uchar_put_signal_nbi, pshmem_ctx_uchar_put_signal_nbi);
void pshmem_ctx_ushort_put_signal_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_ushort_put_signal_nbi", ctx, dest, source, nelems, sizeof(unsigned short), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_ushort_put_signal_nbi, pshmem_ctx_ushort_put_signal_nbi);
void pshmem_ctx_uint_put_signal_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_uint_put_signal_nbi", ctx, dest, source, nelems, sizeof(unsigned int), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint_put_signal_nbi, pshmem_ctx_uint_put_signal_nbi);
void pshmem_ctx_ulong_put_signal_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_ulong_put_signal_nbi", ctx, dest, source, nelems, sizeof(unsigned long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_ulong_put_signal_nbi, pshmem_ctx_ulong_put_signal_nbi);
void pshmem_ctx_ulonglong_put_signal_nbi(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_ulonglong_put_signal_nbi", ctx, dest, source, nelems, sizeof(unsigned long long), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_ulonglong_put_signal_nbi, pshmem_ctx_ulonglong_put_signal_nbi);
void pshmem_ctx_int8_put_signal_nbi(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_int8_put_signal_nbi", ctx, dest, source, nelems, sizeof(int8_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int8_put_signal_nbi, pshmem_ctx_int8_put_signal_nbi);
void pshmem_ctx_int16_put_signal_nbi(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_int16_put_signal_nbi", ctx, dest, source, nelems, sizeof(int16_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int16_put_signal_nbi, pshmem_ctx_int16_put_signal_nbi);
void pshmem_ctx_int32_put_signal_nbi(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_int32_put_signal_nbi", ctx, dest, source, nelems, sizeof(int32_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int32_put_signal_nbi, pshmem_ctx_int32_put_signal_nbi);
void pshmem_ctx_int64_put_signal_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_int64_put_signal_nbi", ctx, dest, source, nelems, sizeof(int64_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_int64_put_signal_nbi, pshmem_ctx_int64_put_signal_nbi);
void pshmem_ctx_uint8_put_signal_nbi(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_uint8_put_signal_nbi", ctx, dest, source, nelems, sizeof(uint8_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint8_put_signal_nbi, pshmem_ctx_uint8_put_signal_nbi);
void pshmem_ctx_uint16_put_signal_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_uint16_put_signal_nbi", ctx, dest, source, nelems, sizeof(uint16_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint16_put_signal_nbi, pshmem_ctx_uint16_put_signal_nbi);
void pshmem_ctx_uint32_put_signal_nbi(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_uint32_put_signal_nbi", ctx, dest, source, nelems, sizeof(uint32_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint32_put_signal_nbi, pshmem_ctx_uint32_put_signal_nbi);
void pshmem_ctx_uint64_put_signal_nbi(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_uint64_put_signal_nbi", ctx, dest, source, nelems, sizeof(uint64_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_uint64_put_signal_nbi, pshmem_ctx_uint64_put_signal_nbi);
void pshmem_ctx_size_put_signal_nbi(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_size_put_signal_nbi", ctx, dest, source, nelems, sizeof(size_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_size_put_signal_nbi, pshmem_ctx_size_put_signal_nbi);
void pshmem_ctx_ptrdiff_put_signal_nbi(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_ptrdiff_put_signal_nbi", ctx, dest, source, nelems, sizeof(ptrdiff_t), sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_ptrdiff_put_signal_nbi, pshmem_ctx_ptrdiff_put_signal_nbi);
void pshmem_put8_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_put8_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_put8_signal_nbi, pshmem_put8_signal_nbi);
void pshmem_put16_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_put16_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_put16_signal_nbi, pshmem_put16_signal_nbi);
void pshmem_put32_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_put32_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_put32_signal_nbi, pshmem_put32_signal_nbi);
void pshmem_put64_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_put64_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_put64_signal_nbi, pshmem_put64_signal_nbi);
void pshmem_put128_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_put128_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_put128_signal_nbi, pshmem_put128_signal_nbi);
void pshmem_ctx_put8_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_put8_signal_nbi", ctx, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_put8_signal_nbi, pshmem_ctx_put8_signal_nbi);
void pshmem_ctx_put16_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_put16_signal_nbi", ctx, dest, source, nelems, 2, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_put16_signal_nbi, pshmem_ctx_put16_signal_nbi);
void pshmem_ctx_put32_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_put32_signal_nbi", ctx, dest, source, nelems, 4, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_put32_signal_nbi, pshmem_ctx_put32_signal_nbi);
void pshmem_ctx_put64_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_put64_signal_nbi", ctx, dest, source, nelems, 8, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_put64_signal_nbi, pshmem_ctx_put64_signal_nbi);
void pshmem_ctx_put128_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_put128_signal_nbi", ctx, dest, source, nelems, 16, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_put128_signal_nbi, pshmem_ctx_put128_signal_nbi);
void pshmem_putmem_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_putmem_signal_nbi", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_putmem_signal_nbi, pshmem_putmem_signal_nbi);
void pshmem_ctx_putmem_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
{ philae_shmem_near_put_signal("shmem_ctx_putmem_signal_nbi", ctx, dest, source, nelems, 1, sig_addr, signal, sig_op, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmem_ctx_putmem_signal_nbi, pshmem_ctx_putmem_signal_nbi);
uint64_t pshmem_signal_fetch(const uint64_t *sig_addr)
{ return philae_shmem_near_signal_fetch(sig_addr); }
ALIAS(shmem_signal_fetch, pshmem_signal_fetch);
void pshmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_signal_set", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_U64, sig_addr, signal, pe)
ALIAS(shmem_signal_set, pshmem_signal_set);
void pshmem_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ctx_signal_set", ctx, uint64_t, PHILAE_SHMEM_U64, sig_addr, signal, pe)
ALIAS(shmem_ctx_signal_set, pshmem_ctx_signal_set);
void pshmem_signal_add(uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_signal_add", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_U64, add, ADD, sig_addr, signal, pe)
ALIAS(shmem_signal_add, pshmem_signal_add);
void pshmem_ctx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ctx_signal_add", ctx, uint64_t, PHILAE_SHMEM_U64, add, ADD, sig_addr, signal, pe)
ALIAS(shmem_ctx_signal_add, pshmem_ctx_signal_add);
void pshmem_fence(void)
{ philae_shmem_near_fence("shmem_fence", SHMEM_CTX_DEFAULT); }
ALIAS(shmem_fence, pshmem_fence);
void pshmem_ctx_fence(shmem_ctx_t ctx)
{ philae_shmem_near_fence("shmem_ctx_fence", ctx); }
ALIAS(shmem_ctx_fence, pshmem_ctx_fence);
void pshmem_quiet(void)
{ philae_shmem_near_quiet("shmem_quiet", SHMEM_CTX_DEFAULT); }
ALIAS(shmem_quiet, pshmem_quiet);
void pshmem_ctx_quiet(shmem_ctx_t ctx)
{ philae_shmem_near_quiet("shmem_ctx_quiet", ctx); }
ALIAS(shmem_ctx_quiet, pshmem_ctx_quiet);
void pshmem_pe_quiet(const int *target_pes, size_t npes)
{ philae_shmem_pe_quiet("shmem_pe_quiet", SHMEM_CTX_DEFAULT, target_pes, npes); }
ALIAS(shmem_pe_quiet, pshmem_pe_quiet);
void pshmem_ctx_pe_quiet(shmem_ctx_t ctx, const int *target_pes, size_t npes)
{ philae_shmem_pe_quiet("shmem_ctx_pe_quiet", ctx, target_pes, npes); }
ALIAS(shmem_ctx_pe_quiet, pshmem_ctx_pe_quiet);
void pshmem_short_wait_until(short *ivar, int cmp, short cmp_value)
PHILAE_SHMEM_WAITED("shmem_short_wait_until", short, PHILAE_SHMEM_SIGNED(short), ivar, cmp, cmp_value)
ALIAS(shmem_short_wait_until, pshmem_short_wait_until);
void pshmem_ushort_wait_until(unsigned short *ivar, int cmp, unsigned short cmp_value)
PHILAE_SHMEM_WAITED("shmem_ushort_wait_until", unsigned short, PHILAE_SHMEM_UNSIGNED(unsigned short), ivar, cmp, cmp_value)
ALIAS(shmem_ushort_wait_until, pshmem_ushort_wait_until);
void pshmem_int_wait_until(int *ivar, int cmp, int cmp_value)
PHILAE_SHMEM_WAITED("shmem_int_wait_until", int, PHILAE_SHMEM_SIGNED(int), ivar, cmp, cmp_value)
ALIAS(shmem_int_wait_until, pshmem_int_wait_until);
void pshmem_long_wait_until(long *ivar, int cmp, long cmp_value)
PHILAE_SHMEM_WAITED("shmem_long_wait_until", long, PHILAE_SHMEM_SIGNED(long), ivar, cmp, cmp_value)
ALIAS(shmem_long_wait_until, pshmem_long_wait_until);
void pshmem_longlong_wait_until(long long *ivar, int cmp, long long cmp_value)
PHILAE_SHMEM_WAITED("shmem_longlong_wait_until", long long, PHILAE_SHMEM_SIGNED(long long), ivar, cmp, cmp_value)
ALIAS(shmem_longlong_wait_until, pshmem_longlong_wait_until);
void pshmem_uint_wait_until(unsigned int *ivar, int cmp, unsigned int cmp_value)
PHILAE_SHMEM_WAITED("shmem_uint_wait_until", unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), ivar, cmp, cmp_value)
ALIAS(shmem_uint_wait_until, pshmem_uint_wait_until);
void pshmem_ulong_wait_until(unsigned long *ivar, int cmp, unsigned long cmp_value)
PHILAE_SHMEM_WAITED("shmem_ulong_wait_until", unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), ivar, cmp, cmp_value)
ALIAS(shmem_ulong_wait_until, pshmem_ulong_wait_until);
void pshmem_ulonglong_wait_until(unsigned long long *ivar, int cmp, unsigned long long cmp_value)
PHILAE_SHMEM_WAITED("shmem_ulonglong_wait_until", unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivar, cmp, cmp_value)
ALIAS(shmem_ulonglong_wait_until, pshmem_ulonglong_wait_until);
void pshmem_int32_wait_until(int32_t *ivar, int cmp, int32_t cmp_value)
PHILAE_SHMEM_WAITED("shmem_int32_wait_until", int32_t, PHILAE_SHMEM_SIGNED(int32_t), ivar, cmp, cmp_value)
ALIAS(shmem_int32_wait_until, pshmem_int32_wait_until);
void pshmem_int64_wait_until(int64_t *ivar, int cmp, int64_t cmp_value)
PHILAE_SHMEM_WAITED("shmem_int64_wait_until", int64_t, PHILAE_SHMEM_SIGNED(int64_t), ivar, cmp, cmp_value)
ALIAS(shmem_int64_wait_until, pshmem_int64_wait_until);
void pshmem_uint32_wait_until(uint32_t *ivar, int cmp, uint32_t cmp_value)
PHILAE_SHMEM_WAITED("shmem_uint32_wait_until", uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), ivar, cmp, cmp_value)
ALIAS(shmem_uint32_wait_until, pshmem_uint32_wait_until);
void pshmem_uint64_wait_until(uint64_t *ivar, int cmp, uint64_t cmp_value)
PHILAE_SHMEM_WAITED("shmem_uint64_wait_until", uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), ivar, cmp, cmp_value)
ALIAS(shmem_uint64_wait_until, pshmem_uint64_wait_until);
void pshmem_size_wait_until(size_t *ivar, int cmp, size_t cmp_value)
PHILAE_SHMEM_WAITED("shmem_size_wait_until", size_t, PHILAE_SHMEM_UNSIGNED(size_t), ivar, cmp, cmp_value)
ALIAS(shmem_size_wait_until, pshmem_size_wait_until);
void pshmem_ptrdiff_wait_until(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value)
PHILAE_SHMEM_WAITED("shmem_ptrdiff_wait_until", ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivar, cmp, cmp_value)
ALIAS(shmem_ptrdiff_wait_until, pshmem_ptrdiff_wait_until);
int pshmem_short_test(short *ivar, int cmp, short cmp_value)
PHILAE_SHMEM_TESTED("shmem_short_test", short, PHILAE_SHMEM_SIGNED(short), ivar, cmp, cmp_value)
ALIAS(shmem_short_test, pshmem_short_test);
int pshmem_ushort_test(unsigned short *ivar, int cmp, unsigned short cmp_value)
PHILAE_SHMEM_TESTED("shmem_ushort_test", unsigned short, PHILAE_SHMEM_UNSIGNED(unsigned short), ivar, cmp, cmp_value)
ALIAS(shmem_ushort_test, pshmem_ushort_test);
int pshmem_int_test(int *ivar, int cmp, int cmp_value)
PHILAE_SHMEM_TESTED("shmem_int_test", int, PHILAE_SHMEM_SIGNED(int), ivar, cmp, cmp_value)
ALIAS(shmem_int_test, pshmem_int_test);
int pshmem_long_test(long *ivar, int cmp, long cmp_value)
PHILAE_SHMEM_TESTED("shmem_long_test", long, PHILAE_SHMEM_SIGNED(long), ivar, cmp, cmp_value)
ALIAS(shmem_long_test, pshmem_long_test);
int pshmem_longlong_test(long long *ivar, int cmp, long long cmp_value)
PHILAE_SHMEM_TESTED("shmem_longlong_test", long long, PHILAE_SHMEM_SIGNED(long long), ivar, cmp, cmp_value)
ALIAS(shmem_longlong_test, pshmem_longlong_test);
int pshmem_uint_test(unsigned int *ivar, int cmp, unsigned int cmp_value)
PHILAE_SHMEM_TESTED("shmem_uint_test", unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), ivar, cmp, cmp_value)
ALIAS(shmem_uint_test, pshmem_uint_test);
int pshmem_ulong_test(unsigned long *ivar, int cmp, unsigned long cmp_value)
PHILAE_SHMEM_TESTED("shmem_ulong_test", unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), ivar, cmp, cmp_value)
ALIAS(shmem_ulong_test, pshmem_ulong_test);
int pshmem_ulonglong_test(unsigned long long *ivar, int cmp, unsigned long long cmp_value)
PHILAE_SHMEM_TESTED("shmem_ulonglong_test", unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivar, cmp, cmp_value)
ALIAS(shmem_ulonglong_test, pshmem_ulonglong_test);
int pshmem_int32_test(int32_t *ivar, int cmp, int32_t cmp_value)
PHILAE_SHMEM_TESTED("shmem_int32_test", int32_t, PHILAE_SHMEM_SIGNED(int32_t), ivar, cmp, cmp_value)
ALIAS(shmem_int32_test, pshmem_int32_test);
int pshmem_int64_test(int64_t *ivar, int cmp, int64_t cmp_value)
PHILAE_SHMEM_TESTED("shmem_int64_test", int64_t, PHILAE_SHMEM_SIGNED(int64_t), ivar, cmp, cmp_value)
ALIAS(shmem_int64_test, pshmem_int64_test);
int pshmem_uint32_test(uint32_t *ivar, int cmp, uint32_t cmp_value)
PHILAE_SHMEM_TESTED("shmem_uint32_test", uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), ivar, cmp, cmp_value)
ALIAS(shmem_uint32_test, pshmem_uint32_test);
int pshmem_uint64_test(uint64_t *ivar, int cmp, uint64_t cmp_value)
PHILAE_SHMEM_TESTED("shmem_uint64_test", uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), ivar, cmp, cmp_value)
ALIAS(shmem_uint64_test, pshmem_uint64_test);
int pshmem_size_test(size_t *ivar, int cmp, size_t cmp_value)
PHILAE_SHMEM_TESTED("shmem_size_test", size_t, PHILAE_SHMEM_UNSIGNED(size_t), ivar, cmp, cmp_value)
ALIAS(shmem_size_test, pshmem_size_test);
int pshmem_ptrdiff_test(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value)
PHILAE_SHMEM_TESTED("shmem_ptrdiff_test", ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivar, cmp, cmp_value)
ALIAS(shmem_ptrdiff_test, pshmem_ptrdiff_test);
void pshmem_int_wait_until_all(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value)
{ (void)philae_shmem_wait("shmem_int_wait_until_all", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_SIGNED(int), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_int_wait_until_all, pshmem_int_wait_until_all);
void pshmem_long_wait_until_all(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value)
{ (void)philae_shmem_wait("shmem_long_wait_until_all", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_SIGNED(long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_long_wait_until_all, pshmem_long_wait_until_all);
void pshmem_longlong_wait_until_all(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value)
{ (void)philae_shmem_wait("shmem_longlong_wait_until_all", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_SIGNED(long long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_longlong_wait_until_all, pshmem_longlong_wait_until_all);
void pshmem_uint_wait_until_all(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value)
{ (void)philae_shmem_wait("shmem_uint_wait_until_all", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_UNSIGNED(unsigned int), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_uint_wait_until_all, pshmem_uint_wait_until_all);
void pshmem_ulong_wait_until_all(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value)
{ (void)philae_shmem_wait("shmem_ulong_wait_until_all", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_UNSIGNED(unsigned long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_ulong_wait_until_all, pshmem_ulong_wait_until_all);
void pshmem_ulonglong_wait_until_all(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value)
{ (void)philae_shmem_wait("shmem_ulonglong_wait_until_all", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_ulonglong_wait_until_all, pshmem_ulonglong_wait_until_all);
void pshmem_int32_wait_until_all(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value)
{ (void)philae_shmem_wait("shmem_int32_wait_until_all", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_SIGNED(int32_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_int32_wait_until_all, pshmem_int32_wait_until_all);
void pshmem_int64_wait_until_all(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value)
{ (void)philae_shmem_wait("shmem_int64_wait_until_all", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_SIGNED(int64_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_int64_wait_until_all, pshmem_int64_wait_until_all);
void pshmem_uint32_wait_until_all(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value)
{ (void)philae_shmem_wait("shmem_uint32_wait_until_all", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_UNSIGNED(uint32_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_uint32_wait_until_all, pshmem_uint32_wait_until_all);
void pshmem_uint64_wait_until_all(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value)
{ (void)philae_shmem_wait("shmem_uint64_wait_until_all", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_UNSIGNED(uint64_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_uint64_wait_until_all, pshmem_uint64_wait_until_all);
void pshmem_size_wait_until_all(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value)
{ (void)philae_shmem_wait("shmem_size_wait_until_all", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_UNSIGNED(size_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_size_wait_until_all, pshmem_size_wait_until_all);
void pshmem_ptrdiff_wait_until_all(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value)
{ (void)philae_shmem_wait("shmem_ptrdiff_wait_until_all", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_ptrdiff_wait_until_all, pshmem_ptrdiff_wait_until_all);
size_t pshmem_int_wait_until_any(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value)
{ return philae_shmem_wait("shmem_int_wait_until_any", PHILAE_SHMEM_WAIT_ANY, PHILAE_SHMEM_SIGNED(int), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_int_wait_until_any, pshmem_int_wait_until_any);
size_t pshmem_long_wait_until_any(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value)
{ return philae_shmem_wait("shmem_long_wait_until_any", PHILAE_SHMEM_WAIT_ANY, PHILAE_SHMEM_SIGNED(long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_long_wait_until_any, pshmem_long_wait_until_any);
size_t pshmem_longlong_wait_until_any(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value)
{ return philae_shmem_wait("shmem_longlong_wait_until_any", PHILAE_SHMEM_WAIT_ANY, PHILAE_SHMEM_SIGNED(long long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_longlong_wait_until_any, pshmem_longlong_wait_until_any);
size_t pshmem_uint_wait_until_any(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value)
{ return philae_shmem_wait("shmem_uint_wait_until_any", PHILAE_SHMEM_WAIT_ANY, PHILAE_SHMEM_UNSIGNED(unsigned int), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_uint_wait_until_any, pshmem_uint_wait_until_any);
size_t pshmem_ulong_wait_until_any(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value)
{ return philae_shmem_wait("shmem_ulong_wait_until_any", PHILAE_SHMEM_WAIT_ANY, PHILAE_SHMEM_UNSIGNED(unsigned long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_ulong_wait_until_any, pshmem_ulong_wait_until_any);
size_t pshmem_ulonglong_wait_until_any(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value)
{ return philae_shmem_wait("shmem_ulonglong_wait_until_any", PHILAE_SHMEM_WAIT_ANY, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_ulonglong_wait_until_any, pshmem_ulonglong_wait_until_any);
size_t pshmem_int32_wait_until_any(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value)
{ return philae_shmem_wait("shmem_int32_wait_until_any", PHILAE_SHMEM_WAIT_ANY, PHILAE_SHMEM_SIGNED(int32_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_int32_wait_until_any, pshmem_int32_wait_until_any);
size_t pshmem_int64_wait_until_any(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value)
{ return philae_shmem_wait("shmem_int64_wait_until_any", PHILAE_SHMEM_WAIT_ANY, PHILAE_SHMEM_SIGNED(int64_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_int64_wait_until_any, pshmem_int64_wait_until_any);
size_t pshmem_uint32_wait_until_any(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value)
{ return philae_shmem_wait("shmem_uint32_wait_until_any", PHILAE_SHMEM_WAIT_ANY, PHILAE_SHMEM_UNSIGNED(uint32_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_uint32_wait_until_any, pshmem_uint32_wait_until_any);
size_t pshmem_uint64_wait_until_any(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value)
{ return philae_shmem_wait("shmem_uint64_wait_until_any", PHILAE_SHMEM_WAIT_ANY, PHILAE_SHMEM_UNSIGNED(uint64_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_uint64_wait_until_any, pshmem_uint64_wait_until_any);
size_t pshmem_size_wait_until_any(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value)
{ return philae_shmem_wait("shmem_size_wait_until_any", PHILAE_SHMEM_WAIT_ANY, PHILAE_SHMEM_UNSIGNED(size_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_size_wait_until_any, pshmem_size_wait_until_any);
size_t pshmem_ptrdiff_wait_until_any(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value)
{ return philae_shmem_wait("shmem_ptrdiff_wait_until_any", PHILAE_SHMEM_WAIT_ANY, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_ptrdiff_wait_until_any, pshmem_ptrdiff_wait_until_any);
size_t pshmem_int_wait_until_some(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int cmp_value)
{ return philae_shmem_wait("shmem_int_wait_until_some", PHILAE_SHMEM_WAIT_SOME, PHILAE_SHMEM_SIGNED(int), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_int_wait_until_some, pshmem_int_wait_until_some);
size_t pshmem_long_wait_until_some(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value)
{ return philae_shmem_wait("shmem_long_wait_until_some", PHILAE_SHMEM_WAIT_SOME, PHILAE_SHMEM_SIGNED(long), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_long_wait_until_some, pshmem_long_wait_until_some);
size_t pshmem_longlong_wait_until_some(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long long cmp_value)
{ return philae_shmem_wait("shmem_longlong_wait_until_some", PHILAE_SHMEM_WAIT_SOME, PHILAE_SHMEM_SIGNED(long long), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_longlong_wait_until_some, pshmem_longlong_wait_until_some);
size_t pshmem_uint_wait_until_some(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned int cmp_value)
{ return philae_shmem_wait("shmem_uint_wait_until_some", PHILAE_SHMEM_WAIT_SOME, PHILAE_SHMEM_UNSIGNED(unsigned int), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_uint_wait_until_some, pshmem_uint_wait_until_some);
size_t pshmem_ulong_wait_until_some(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long cmp_value)
{ return philae_shmem_wait("shmem_ulong_wait_until_some", PHILAE_SHMEM_WAIT_SOME, PHILAE_SHMEM_UNSIGNED(unsigned long), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_ulong_wait_until_some, pshmem_ulong_wait_until_some);
size_t pshmem_ulonglong_wait_until_some(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long long cmp_value)
{ return philae_shmem_wait("shmem_ulonglong_wait_until_some", PHILAE_SHMEM_WAIT_SOME, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_ulonglong_wait_until_some, pshmem_ulonglong_wait_until_some);
size_t pshmem_int32_wait_until_some(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value)
{ return philae_shmem_wait("shmem_int32_wait_until_some", PHILAE_SHMEM_WAIT_SOME, PHILAE_SHMEM_SIGNED(int32_t), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_int32_wait_until_some, pshmem_int32_wait_until_some);
size_t pshmem_int64_wait_until_some(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value)
{ return philae_shmem_wait("shmem_int64_wait_until_some", PHILAE_SHMEM_WAIT_SOME, PHILAE_SHMEM_SIGNED(int64_t), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_int64_wait_until_some, pshmem_int64_wait_until_some);
size_t pshmem_uint32_wait_until_some(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value)
{ return philae_shmem_wait("shmem_uint32_wait_until_some", PHILAE_SHMEM_WAIT_SOME, PHILAE_SHMEM_UNSIGNED(uint32_t), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_uint32_wait_until_some, pshmem_uint32_wait_until_some);
size_t pshmem_uint64_wait_until_some(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value)
{ return philae_shmem_wait("shmem_uint64_wait_until_some", PHILAE_SHMEM_WAIT_SOME, PHILAE_SHMEM_UNSIGNED(uint64_t), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_uint64_wait_until_some, pshmem_uint64_wait_until_some);
size_t pshmem_size_wait_until_some(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, size_t cmp_value)
{ return philae_shmem_wait("shmem_size_wait_until_some", PHILAE_SHMEM_WAIT_SOME, PHILAE_SHMEM_UNSIGNED(size_t), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_size_wait_until_some, pshmem_size_wait_until_some);
size_t pshmem_ptrdiff_wait_until_some(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, ptrdiff_t cmp_value)
{ return philae_shmem_wait("shmem_ptrdiff_wait_until_some", PHILAE_SHMEM_WAIT_SOME, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_ptrdiff_wait_until_some, pshmem_ptrdiff_wait_until_some);
int pshmem_int_test_all(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value)
{ return (int)philae_shmem_wait("shmem_int_test_all", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(int), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_int_test_all, pshmem_int_test_all);
int pshmem_long_test_all(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value)
{ return (int)philae_shmem_wait("shmem_long_test_all", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_long_test_all, pshmem_long_test_all);
int pshmem_longlong_test_all(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value)
{ return (int)philae_shmem_wait("shmem_longlong_test_all", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(long long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_longlong_test_all, pshmem_longlong_test_all);
int pshmem_uint_test_all(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value)
{ return (int)philae_shmem_wait("shmem_uint_test_all", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(unsigned int), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_uint_test_all, pshmem_uint_test_all);
int pshmem_ulong_test_all(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value)
{ return (int)philae_shmem_wait("shmem_ulong_test_all", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(unsigned long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_ulong_test_all, pshmem_ulong_test_all);
int pshmem_ulonglong_test_all(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value)
{ return (int)philae_shmem_wait("shmem_ulonglong_test_all", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_ulonglong_test_all, pshmem_ulonglong_test_all);
int pshmem_int32_test_all(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value)
{ return (int)philae_shmem_wait("shmem_int32_test_all", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(int32_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_int32_test_all, pshmem_int32_test_all);
int pshmem_int64_test_all(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value)
{ return (int)philae_shmem_wait("shmem_int64_test_all", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(int64_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_int64_test_all, pshmem_int64_test_all);
int pshmem_uint32_test_all(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value)
{ return (int)philae_shmem_wait("shmem_uint32_test_all", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(uint32_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_uint32_test_all, pshmem_uint32_test_all);
int pshmem_uint64_test_all(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value)
{ return (int)philae_shmem_wait("shmem_uint64_test_all", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(uint64_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_uint64_test_all, pshmem_uint64_test_all);
int pshmem_size_test_all(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value)
{ return (int)philae_shmem_wait("shmem_size_test_all", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(size_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_size_test_all, pshmem_size_test_all);
int pshmem_ptrdiff_test_all(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value)
{ return (int)philae_shmem_wait("shmem_ptrdiff_test_all", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_ptrdiff_test_all, pshmem_ptrdiff_test_all);
size_t pshmem_int_test_any(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value)
{ return philae_shmem_wait("shmem_int_test_any", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(int), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_int_test_any, pshmem_int_test_any);
size_t pshmem_long_test_any(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value)
{ return philae_shmem_wait("shmem_long_test_any", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_long_test_any, pshmem_long_test_any);
size_t pshmem_longlong_test_any(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value)
{ return philae_shmem_wait("shmem_longlong_test_any", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(long long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_longlong_test_any, pshmem_longlong_test_any);
size_t pshmem_uint_test_any(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value)
{ return philae_shmem_wait("shmem_uint_test_any", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(unsigned int), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_uint_test_any, pshmem_uint_test_any);
size_t pshmem_ulong_test_any(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value)
{ return philae_shmem_wait("shmem_ulong_test_any", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(unsigned long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_ulong_test_any, pshmem_ulong_test_any);
size_t pshmem_ulonglong_test_any(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value)
{ return philae_shmem_wait("shmem_ulonglong_test_any", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_ulonglong_test_any, pshmem_ulonglong_test_any);
size_t pshmem_int32_test_any(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value)
{ return philae_shmem_wait("shmem_int32_test_any", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(int32_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_int32_test_any, pshmem_int32_test_any);
size_t pshmem_int64_test_any(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value)
{ return philae_shmem_wait("shmem_int64_test_any", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(int64_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_int64_test_any, pshmem_int64_test_any);
size_t pshmem_uint32_test_any(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value)
{ return philae_shmem_wait("shmem_uint32_test_any", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(uint32_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_uint32_test_any, pshmem_uint32_test_any);
size_t pshmem_uint64_test_any(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value)
{ return philae_shmem_wait("shmem_uint64_test_any", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(uint64_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_uint64_test_any, pshmem_uint64_test_any);
size_t pshmem_size_test_any(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value)
{ return philae_shmem_wait("shmem_size_test_any", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(size_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_size_test_any, pshmem_size_test_any);
size_t pshmem_ptrdiff_test_any(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value)
{ return philae_shmem_wait("shmem_ptrdiff_test_any", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivars, nelems, 0, status, cmp, &cmp_value); }
ALIAS(shmem_ptrdiff_test_any, pshmem_ptrdiff_test_any);
size_t pshmem_int_test_some(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int cmp_value)
{ return philae_shmem_wait("shmem_int_test_some", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(int), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_int_test_some, pshmem_int_test_some);
size_t pshmem_long_test_some(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value)
{ return philae_shmem_wait("shmem_long_test_some", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(long), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_long_test_some, pshmem_long_test_some);
size_t pshmem_longlong_test_some(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long long cmp_value)
{ return philae_shmem_wait("shmem_longlong_test_some", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(long long), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_longlong_test_some, pshmem_longlong_test_some);
size_t pshmem_uint_test_some(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned int cmp_value)
{ return philae_shmem_wait("shmem_uint_test_some", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(unsigned int), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_uint_test_some, pshmem_uint_test_some);
size_t pshmem_ulong_test_some(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long cmp_value)
{ return philae_shmem_wait("shmem_ulong_test_some", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(unsigned long), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_ulong_test_some, pshmem_ulong_test_some);
size_t pshmem_ulonglong_test_some(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long long cmp_value)
{ return philae_shmem_wait("shmem_ulonglong_test_some", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_ulonglong_test_some, pshmem_ulonglong_test_some);
size_t pshmem_int32_test_some(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value)
{ return philae_shmem_wait("shmem_int32_test_some", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(int32_t), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_int32_test_some, pshmem_int32_test_some);
size_t pshmem_int64_test_some(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value)
{ return philae_shmem_wait("shmem_int64_test_some", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(int64_t), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_int64_test_some, pshmem_int64_test_some);
size_t pshmem_uint32_test_some(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value)
{ return philae_shmem_wait("shmem_uint32_test_some", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(uint32_t), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_uint32_test_some, pshmem_uint32_test_some);
size_t pshmem_uint64_test_some(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value)
{ return philae_shmem_wait("shmem_uint64_test_some", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(uint64_t), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_uint64_test_some, pshmem_uint64_test_some);
size_t pshmem_size_test_some(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, size_t cmp_value)
{ return philae_shmem_wait("shmem_size_test_some", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_UNSIGNED(size_t), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_size_test_some, pshmem_size_test_some);
size_t pshmem_ptrdiff_test_some(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, ptrdiff_t cmp_value)
{ return philae_shmem_wait("shmem_ptrdiff_test_some", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivars, nelems, indices, status, cmp, &cmp_value); }
ALIAS(shmem_ptrdiff_test_some, pshmem_ptrdiff_test_some);
void pshmem_int_wait_until_all_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values)
{ (void)philae_shmem_wait("shmem_int_wait_until_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_int_wait_until_all_vector, pshmem_int_wait_until_all_vector);
void pshmem_long_wait_until_all_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values)
{ (void)philae_shmem_wait("shmem_long_wait_until_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_long_wait_until_all_vector, pshmem_long_wait_until_all_vector);
void pshmem_longlong_wait_until_all_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values)
{ (void)philae_shmem_wait("shmem_longlong_wait_until_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(long long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_longlong_wait_until_all_vector, pshmem_longlong_wait_until_all_vector);
void pshmem_uint_wait_until_all_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values)
{ (void)philae_shmem_wait("shmem_uint_wait_until_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned int), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_uint_wait_until_all_vector, pshmem_uint_wait_until_all_vector);
void pshmem_ulong_wait_until_all_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values)
{ (void)philae_shmem_wait("shmem_ulong_wait_until_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_ulong_wait_until_all_vector, pshmem_ulong_wait_until_all_vector);
void pshmem_ulonglong_wait_until_all_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values)
{ (void)philae_shmem_wait("shmem_ulonglong_wait_until_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_ulonglong_wait_until_all_vector, pshmem_ulonglong_wait_until_all_vector);
void pshmem_int32_wait_until_all_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values)
{ (void)philae_shmem_wait("shmem_int32_wait_until_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int32_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_int32_wait_until_all_vector, pshmem_int32_wait_until_all_vector);
void pshmem_int64_wait_until_all_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values)
{ (void)philae_shmem_wait("shmem_int64_wait_until_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int64_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_int64_wait_until_all_vector, pshmem_int64_wait_until_all_vector);
void pshmem_uint32_wait_until_all_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values)
{ (void)philae_shmem_wait("shmem_uint32_wait_until_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(uint32_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_uint32_wait_until_all_vector, pshmem_uint32_wait_until_all_vector);
void pshmem_uint64_wait_until_all_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values)
{ (void)philae_shmem_wait("shmem_uint64_wait_until_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(uint64_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_uint64_wait_until_all_vector, pshmem_uint64_wait_until_all_vector);
void pshmem_size_wait_until_all_vector(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values)
{ (void)philae_shmem_wait("shmem_size_wait_until_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(size_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_size_wait_until_all_vector, pshmem_size_wait_until_all_vector);
void pshmem_ptrdiff_wait_until_all_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values)
{ (void)philae_shmem_wait("shmem_ptrdiff_wait_until_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_ptrdiff_wait_until_all_vector, pshmem_ptrdiff_wait_until_all_vector);
size_t pshmem_int_wait_until_any_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values)
{ return philae_shmem_wait("shmem_int_wait_until_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_int_wait_until_any_vector, pshmem_int_wait_until_any_vector);
size_t pshmem_long_wait_until_any_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values)
{ return philae_shmem_wait("shmem_long_wait_until_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_long_wait_until_any_vector, pshmem_long_wait_until_any_vector);
size_t pshmem_longlong_wait_until_any_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values)
{ return philae_shmem_wait("shmem_longlong_wait_until_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(long long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_longlong_wait_until_any_vector, pshmem_longlong_wait_until_any_vector);
size_t pshmem_uint_wait_until_any_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values)
{ return philae_shmem_wait("shmem_uint_wait_until_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned int), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_uint_wait_until_any_vector, pshmem_uint_wait_until_any_vector);
size_t pshmem_ulong_wait_until_any_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values)
{ return philae_shmem_wait("shmem_ulong_wait_until_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_ulong_wait_until_any_vector, pshmem_ulong_wait_until_any_vector);
size_t pshmem_ulonglong_wait_until_any_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values)
{ return philae_shmem_wait("shmem_ulonglong_wait_until_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_ulonglong_wait_until_any_vector, pshmem_ulonglong_wait_until_any_vector);
size_t pshmem_int32_wait_until_any_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values)
{ return philae_shmem_wait("shmem_int32_wait_until_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int32_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_int32_wait_until_any_vector, pshmem_int32_wait_until_any_vector);
size_t pshmem_int64_wait_until_any_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values)
{ return philae_shmem_wait("shmem_int64_wait_until_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int64_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_int64_wait_until_any_vector, pshmem_int64_wait_until_any_vector);
size_t pshmem_uint32_wait_until_any_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values)
{ return philae_shmem_wait("shmem_uint32_wait_until_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(uint32_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_uint32_wait_until_any_vector, pshmem_uint32_wait_until_any_vector);
size_t pshmem_uint64_wait_until_any_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values)
{ return philae_shmem_wait("shmem_uint64_wait_until_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(uint64_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_uint64_wait_until_any_vector, pshmem_uint64_wait_until_any_vector);
size_t pshmem_size_wait_until_any_vector(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values)
{ return philae_shmem_wait("shmem_size_wait_until_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(size_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_size_wait_until_any_vector, pshmem_size_wait_until_any_vector);
size_t pshmem_ptrdiff_wait_until_any_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values)
{ return philae_shmem_wait("shmem_ptrdiff_wait_until_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_ptrdiff_wait_until_any_vector, pshmem_ptrdiff_wait_until_any_vector);
size_t pshmem_int_wait_until_some_vector(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int *cmp_values)
{ return philae_shmem_wait("shmem_int_wait_until_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_int_wait_until_some_vector, pshmem_int_wait_until_some_vector);
size_t pshmem_long_wait_until_some_vector(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long *cmp_values)
{ return philae_shmem_wait("shmem_long_wait_until_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(long), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_long_wait_until_some_vector, pshmem_long_wait_until_some_vector);
size_t pshmem_longlong_wait_until_some_vector(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long long *cmp_values)
{ return philae_shmem_wait("shmem_longlong_wait_until_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(long long), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_longlong_wait_until_some_vector, pshmem_longlong_wait_until_some_vector);
size_t pshmem_uint_wait_until_some_vector(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned int *cmp_values)
{ return philae_shmem_wait("shmem_uint_wait_until_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned int), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_uint_wait_until_some_vector, pshmem_uint_wait_until_some_vector);
size_t pshmem_ulong_wait_until_some_vector(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long *cmp_values)
{ return philae_shmem_wait("shmem_ulong_wait_until_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned long), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_ulong_wait_until_some_vector, pshmem_ulong_wait_until_some_vector);
size_t pshmem_ulonglong_wait_until_some_vector(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long long *cmp_values)
{ return philae_shmem_wait("shmem_ulonglong_wait_until_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_ulonglong_wait_until_some_vector, pshmem_ulonglong_wait_until_some_vector);
size_t pshmem_int32_wait_until_some_vector(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int32_t *cmp_values)
{ return philae_shmem_wait("shmem_int32_wait_until_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int32_t), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_int32_wait_until_some_vector, pshmem_int32_wait_until_some_vector);
size_t pshmem_int64_wait_until_some_vector(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int64_t *cmp_values)
{ return philae_shmem_wait("shmem_int64_wait_until_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int64_t), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_int64_wait_until_some_vector, pshmem_int64_wait_until_some_vector);
size_t pshmem_uint32_wait_until_some_vector(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint32_t *cmp_values)
{ return philae_shmem_wait("shmem_uint32_wait_until_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(uint32_t), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_uint32_wait_until_some_vector, pshmem_uint32_wait_until_some_vector);
size_t pshmem_uint64_wait_until_some_vector(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint64_t *cmp_values)
{ return philae_shmem_wait("shmem_uint64_wait_until_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(uint64_t), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_uint64_wait_until_some_vector, pshmem_uint64_wait_until_some_vector);
size_t pshmem_size_wait_until_some_vector(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const size_t *cmp_values)
{ return philae_shmem_wait("shmem_size_wait_until_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(size_t), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_size_wait_until_some_vector, pshmem_size_wait_until_some_vector);
size_t pshmem_ptrdiff_wait_until_some_vector(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const ptrdiff_t *cmp_values)
{ return philae_shmem_wait("shmem_ptrdiff_wait_until_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_ptrdiff_wait_until_some_vector, pshmem_ptrdiff_wait_until_some_vector);
int pshmem_int_test_all_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values)
{ return (int)philae_shmem_wait("shmem_int_test_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_int_test_all_vector, pshmem_int_test_all_vector);
int pshmem_long_test_all_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values)
{ return (int)philae_shmem_wait("shmem_long_test_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_long_test_all_vector, pshmem_long_test_all_vector);
int pshmem_longlong_test_all_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values)
{ return (int)philae_shmem_wait("shmem_longlong_test_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(long long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_longlong_test_all_vector, pshmem_longlong_test_all_vector);
int pshmem_uint_test_all_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values)
{ return (int)philae_shmem_wait("shmem_uint_test_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned int), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_uint_test_all_vector, pshmem_uint_test_all_vector);
int pshmem_ulong_test_all_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values)
{ return (int)philae_shmem_wait("shmem_ulong_test_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_ulong_test_all_vector, pshmem_ulong_test_all_vector);
int pshmem_ulonglong_test_all_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values)
{ return (int)philae_shmem_wait("shmem_ulonglong_test_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_ulonglong_test_all_vector, pshmem_ulonglong_test_all_vector);
int pshmem_int32_test_all_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values)
{ return (int)philae_shmem_wait("shmem_int32_test_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int32_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_int32_test_all_vector, pshmem_int32_test_all_vector);
int pshmem_int64_test_all_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values)
{ return (int)philae_shmem_wait("shmem_int64_test_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int64_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_int64_test_all_vector, pshmem_int64_test_all_vector);
int pshmem_uint32_test_all_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values)
{ return (int)philae_shmem_wait("shmem_uint32_test_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(uint32_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_uint32_test_all_vector, pshmem_uint32_test_all_vector);
int pshmem_uint64_test_all_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values)
{ return (int)philae_shmem_wait("shmem_uint64_test_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(uint64_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_uint64_test_all_vector, pshmem_uint64_test_all_vector);
int pshmem_size_test_all_vector(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values)
{ return (int)philae_shmem_wait("shmem_size_test_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(size_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_size_test_all_vector, pshmem_size_test_all_vector);
int pshmem_ptrdiff_test_all_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values)
{ return (int)philae_shmem_wait("shmem_ptrdiff_test_all_vector", PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_ptrdiff_test_all_vector, pshmem_ptrdiff_test_all_vector);
size_t pshmem_int_test_any_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values)
{ return philae_shmem_wait("shmem_int_test_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_int_test_any_vector, pshmem_int_test_any_vector);
size_t pshmem_long_test_any_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values)
{ return philae_shmem_wait("shmem_long_test_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_long_test_any_vector, pshmem_long_test_any_vector);
size_t pshmem_longlong_test_any_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values)
{ return philae_shmem_wait("shmem_longlong_test_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(long long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_longlong_test_any_vector, pshmem_longlong_test_any_vector);
size_t pshmem_uint_test_any_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values)
{ return philae_shmem_wait("shmem_uint_test_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned int), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_uint_test_any_vector, pshmem_uint_test_any_vector);
size_t pshmem_ulong_test_any_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values)
{ return philae_shmem_wait("shmem_ulong_test_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_ulong_test_any_vector, pshmem_ulong_test_any_vector);
size_t pshmem_ulonglong_test_any_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values)
{ return philae_shmem_wait("shmem_ulonglong_test_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_ulonglong_test_any_vector, pshmem_ulonglong_test_any_vector);
size_t pshmem_int32_test_any_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values)
{ return philae_shmem_wait("shmem_int32_test_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int32_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_int32_test_any_vector, pshmem_int32_test_any_vector);
size_t pshmem_int64_test_any_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values)
{ return philae_shmem_wait("shmem_int64_test_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int64_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_int64_test_any_vector, pshmem_int64_test_any_vector);
size_t pshmem_uint32_test_any_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values)
{ return philae_shmem_wait("shmem_uint32_test_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(uint32_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_uint32_test_any_vector, pshmem_uint32_test_any_vector);
size_t pshmem_uint64_test_any_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values)
{ return philae_shmem_wait("shmem_uint64_test_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(uint64_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_uint64_test_any_vector, pshmem_uint64_test_any_vector);
size_t pshmem_size_test_any_vector(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values)
{ return philae_shmem_wait("shmem_size_test_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(size_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_size_test_any_vector, pshmem_size_test_any_vector);
size_t pshmem_ptrdiff_test_any_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values)
{ return philae_shmem_wait("shmem_ptrdiff_test_any_vector", PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivars, nelems, 0, status, cmp, cmp_values); }
ALIAS(shmem_ptrdiff_test_any_vector, pshmem_ptrdiff_test_any_vector);
size_t pshmem_int_test_some_vector(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int *cmp_values)
{ return philae_shmem_wait("shmem_int_test_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_int_test_some_vector, pshmem_int_test_some_vector);
size_t pshmem_long_test_some_vector(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long *cmp_values)
{ return philae_shmem_wait("shmem_long_test_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(long), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_long_test_some_vector, pshmem_long_test_some_vector);
size_t pshmem_longlong_test_some_vector(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long long *cmp_values)
{ return philae_shmem_wait("shmem_longlong_test_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(long long), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_longlong_test_some_vector, pshmem_longlong_test_some_vector);
size_t pshmem_uint_test_some_vector(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned int *cmp_values)
{ return philae_shmem_wait("shmem_uint_test_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned int), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_uint_test_some_vector, pshmem_uint_test_some_vector);
size_t pshmem_ulong_test_some_vector(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long *cmp_values)
{ return philae_shmem_wait("shmem_ulong_test_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned long), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_ulong_test_some_vector, pshmem_ulong_test_some_vector);
size_t pshmem_ulonglong_test_some_vector(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long long *cmp_values)
{ return philae_shmem_wait("shmem_ulonglong_test_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(unsigned long long), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_ulonglong_test_some_vector, pshmem_ulonglong_test_some_vector);
size_t pshmem_int32_test_some_vector(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int32_t *cmp_values)
{ return philae_shmem_wait("shmem_int32_test_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int32_t), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_int32_test_some_vector, pshmem_int32_test_some_vector);
size_t pshmem_int64_test_some_vector(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int64_t *cmp_values)
{ return philae_shmem_wait("shmem_int64_test_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(int64_t), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_int64_test_some_vector, pshmem_int64_test_some_vector);
size_t pshmem_uint32_test_some_vector(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint32_t *cmp_values)
{ return philae_shmem_wait("shmem_uint32_test_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(uint32_t), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_uint32_test_some_vector, pshmem_uint32_test_some_vector);
size_t pshmem_uint64_test_some_vector(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint64_t *cmp_values)
{ return philae_shmem_wait("shmem_uint64_test_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(uint64_t), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_uint64_test_some_vector, pshmem_uint64_test_some_vector);
size_t pshmem_size_test_some_vector(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const size_t *cmp_values)
{ return philae_shmem_wait("shmem_size_test_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_UNSIGNED(size_t), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_size_test_some_vector, pshmem_size_test_some_vector);
size_t pshmem_ptrdiff_test_some_vector(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const ptrdiff_t *cmp_values)
{ return philae_shmem_wait("shmem_ptrdiff_test_some_vector", PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, PHILAE_SHMEM_SIGNED(ptrdiff_t), ivars, nelems, indices, status, cmp, cmp_values); }
ALIAS(shmem_ptrdiff_test_some_vector, pshmem_ptrdiff_test_some_vector);
uint64_t pshmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value)
{ for (;;) { if (sig_addr != 0) { uint64_t value = philae_shmem_near_signal_fetch(sig_addr); if (PHILAE_SHMEM_HOLDS(value, cmp, cmp_value)) return value; } (void)philae_shmem_wait("shmem_signal_wait_until", PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_U64, sig_addr, 1, 0, 0, cmp, &cmp_value); } }
ALIAS(shmem_signal_wait_until, pshmem_signal_wait_until);
void pshmem_barrier_all(void)
{ philae_shmem_barrier_all("shmem_barrier_all"); }
ALIAS(shmem_barrier_all, pshmem_barrier_all);
void pshmem_sync_all(void)
{ philae_shmem_sync_all("shmem_sync_all"); }
ALIAS(shmem_sync_all, pshmem_sync_all);
int pshmem_team_sync(shmem_team_t team)
{ return philae_shmem_team_sync("shmem_team_sync", team); }
ALIAS(shmem_team_sync, pshmem_team_sync);
int pshmem_float_alltoall(shmem_team_t team, float *dest, const float *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_float_alltoall", team, dest, source, nelems, sizeof(float)); }
ALIAS(shmem_float_alltoall, pshmem_float_alltoall);
int pshmem_double_alltoall(shmem_team_t team, double *dest, const double *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_double_alltoall", team, dest, source, nelems, sizeof(double)); }
ALIAS(shmem_double_alltoall, pshmem_double_alltoall);
int pshmem_longdouble_alltoall(shmem_team_t team, long double *dest, const long double *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_longdouble_alltoall", team, dest, source, nelems, sizeof(long double)); }
ALIAS(shmem_longdouble_alltoall, pshmem_longdouble_alltoall);
int pshmem_char_alltoall(shmem_team_t team, char *dest, const char *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_char_alltoall", team, dest, source, nelems, sizeof(char)); }
ALIAS(shmem_char_alltoall, pshmem_char_alltoall);
int pshmem_schar_alltoall(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_schar_alltoall", team, dest, source, nelems, sizeof(signed char)); }
ALIAS(shmem_schar_alltoall, pshmem_schar_alltoall);
int pshmem_short_alltoall(shmem_team_t team, short *dest, const short *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_short_alltoall", team, dest, source, nelems, sizeof(short)); }
ALIAS(shmem_short_alltoall, pshmem_short_alltoall);
int pshmem_int_alltoall(shmem_team_t team, int *dest, const int *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_int_alltoall", team, dest, source, nelems, sizeof(int)); }
ALIAS(shmem_int_alltoall, pshmem_int_alltoall);
int pshmem_long_alltoall(shmem_team_t team, long *dest, const long *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_long_alltoall", team, dest, source, nelems, sizeof(long)); }
ALIAS(shmem_long_alltoall, pshmem_long_alltoall);
int pshmem_longlong_alltoall(shmem_team_t team, long long *dest, const long long *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_longlong_alltoall", team, dest, source, nelems, sizeof(long long)); }
ALIAS(shmem_longlong_alltoall, pshmem_longlong_alltoall);
int pshmem_uchar_alltoall(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_uchar_alltoall", team, dest, source, nelems, sizeof(unsigned char)); }
ALIAS(shmem_uchar_alltoall, pshmem_uchar_alltoall);
int pshmem_ushort_alltoall(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_ushort_alltoall", team, dest, source, nelems, sizeof(unsigned short)); }
ALIAS(shmem_ushort_alltoall, pshmem_ushort_alltoall);
int pshmem_uint_alltoall(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_uint_alltoall", team, dest, source, nelems, sizeof(unsigned int)); }
ALIAS(shmem_uint_alltoall, pshmem_uint_alltoall);
int pshmem_ulong_alltoall(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_ulong_alltoall", team, dest, source, nelems, sizeof(unsigned long)); }
ALIAS(shmem_ulong_alltoall, pshmem_ulong_alltoall);
int pshmem_ulonglong_alltoall(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_ulonglong_alltoall", team, dest, source, nelems, sizeof(unsigned long long)); }
ALIAS(shmem_ulonglong_alltoall, pshmem_ulonglong_alltoall);
int pshmem_int8_alltoall(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_int8_alltoall", team, dest, source, nelems, sizeof(int8_t)); }
ALIAS(shmem_int8_alltoall, pshmem_int8_alltoall);
int pshmem_int16_alltoall(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_int16_alltoall", team, dest, source, nelems, sizeof(int16_t)); }
ALIAS(shmem_int16_alltoall, pshmem_int16_alltoall);
int pshmem_int32_alltoall(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_int32_alltoall", team, dest, source, nelems, sizeof(int32_t)); }
ALIAS(shmem_int32_alltoall, pshmem_int32_alltoall);
int pshmem_int64_alltoall(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_int64_alltoall", team, dest, source, nelems, sizeof(int64_t)); }
ALIAS(shmem_int64_alltoall, pshmem_int64_alltoall);
int pshmem_uint8_alltoall(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_uint8_alltoall", team, dest, source, nelems, sizeof(uint8_t)); }
ALIAS(shmem_uint8_alltoall, pshmem_uint8_alltoall);
int pshmem_uint16_alltoall(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_uint16_alltoall", team, dest, source, nelems, sizeof(uint16_t)); }
ALIAS(shmem_uint16_alltoall, pshmem_uint16_alltoall);
int pshmem_uint32_alltoall(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_uint32_alltoall", team, dest, source, nelems, sizeof(uint32_t)); }
ALIAS(shmem_uint32_alltoall, pshmem_uint32_alltoall);
int pshmem_uint64_alltoall(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_uint64_alltoall", team, dest, source, nelems, sizeof(uint64_t)); }
ALIAS(shmem_uint64_alltoall, pshmem_uint64_alltoall);
int pshmem_size_alltoall(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_size_alltoall", team, dest, source, nelems, sizeof(size_t)); }
ALIAS(shmem_size_alltoall, pshmem_size_alltoall);
int pshmem_ptrdiff_alltoall(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_ptrdiff_alltoall", team, dest, source, nelems, sizeof(ptrdiff_t)); }
ALIAS(shmem_ptrdiff_alltoall, pshmem_ptrdiff_alltoall);
int pshmem_alltoallmem(shmem_team_t team, void *dest, const void *source, size_t nelems)
{ return philae_shmem_alltoall("shmem_alltoallmem", team, dest, source, nelems, 1); }
ALIAS(shmem_alltoallmem, pshmem_alltoallmem);
int pshmem_float_alltoalls(shmem_team_t team, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_float_alltoalls", team, dest, source, dst, sst, nelems, sizeof(float)); }
ALIAS(shmem_float_alltoalls, pshmem_float_alltoalls);
int pshmem_double_alltoalls(shmem_team_t team, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_double_alltoalls", team, dest, source, dst, sst, nelems, sizeof(double)); }
ALIAS(shmem_double_alltoalls, pshmem_double_alltoalls);
int pshmem_longdouble_alltoalls(shmem_team_t team, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_longdouble_alltoalls", team, dest, source, dst, sst, nelems, sizeof(long double)); }
ALIAS(shmem_longdouble_alltoalls, pshmem_longdouble_alltoalls);
int pshmem_char_alltoalls(shmem_team_t team, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_char_alltoalls", team, dest, source, dst, sst, nelems, sizeof(char)); }
ALIAS(shmem_char_alltoalls, pshmem_char_alltoalls);
int pshmem_schar_alltoalls(shmem_team_t team, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_schar_alltoalls", team, dest, source, dst, sst, nelems, sizeof(signed char)); }
ALIAS(shmem_schar_alltoalls, pshmem_schar_alltoalls);
int pshmem_short_alltoalls(shmem_team_t team, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_short_alltoalls", team, dest, source, dst, sst, nelems, sizeof(short)); }
ALIAS(shmem_short_alltoalls, pshmem_short_alltoalls);
int pshmem_int_alltoalls(shmem_team_t team, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_int_alltoalls", team, dest, source, dst, sst, nelems, sizeof(int)); }
ALIAS(shmem_int_alltoalls, pshmem_int_alltoalls);
int pshmem_long_alltoalls(shmem_team_t team, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_long_alltoalls", team, dest, source, dst, sst, nelems, sizeof(long)); }
ALIAS(shmem_long_alltoalls, pshmem_long_alltoalls);
int pshmem_longlong_alltoalls(shmem_team_t team, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_longlong_alltoalls", team, dest, source, dst, sst, nelems, sizeof(long long)); }
ALIAS(shmem_longlong_alltoalls, pshmem_longlong_alltoalls);
int pshmem_uchar_alltoalls(shmem_team_t team, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_uchar_alltoalls", team, dest, source, dst, sst, nelems, sizeof(unsigned char)); }
ALIAS(shmem_uchar_alltoalls, pshmem_uchar_alltoalls);
int pshmem_ushort_alltoalls(shmem_team_t team, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_ushort_alltoalls", team, dest, source, dst, sst, nelems, sizeof(unsigned short)); }
ALIAS(shmem_ushort_alltoalls, pshmem_ushort_alltoalls);
int pshmem_uint_alltoalls(shmem_team_t team, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_uint_alltoalls", team, dest, source, dst, sst, nelems, sizeof(unsigned int)); }
ALIAS(shmem_uint_alltoalls, pshmem_uint_alltoalls);
int pshmem_ulong_alltoalls(shmem_team_t team, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_ulong_alltoalls", team, dest, source, dst, sst, nelems, sizeof(unsigned long)); }
ALIAS(shmem_ulong_alltoalls, pshmem_ulong_alltoalls);
int pshmem_ulonglong_alltoalls(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_ulonglong_alltoalls", team, dest, source, dst, sst, nelems, sizeof(unsigned long long)); }
ALIAS(shmem_ulonglong_alltoalls, pshmem_ulonglong_alltoalls);
int pshmem_int8_alltoalls(shmem_team_t team, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_int8_alltoalls", team, dest, source, dst, sst, nelems, sizeof(int8_t)); }
ALIAS(shmem_int8_alltoalls, pshmem_int8_alltoalls);
int pshmem_int16_alltoalls(shmem_team_t team, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_int16_alltoalls", team, dest, source, dst, sst, nelems, sizeof(int16_t)); }
ALIAS(shmem_int16_alltoalls, pshmem_int16_alltoalls);
int pshmem_int32_alltoalls(shmem_team_t team, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_int32_alltoalls", team, dest, source, dst, sst, nelems, sizeof(int32_t)); }
ALIAS(shmem_int32_alltoalls, pshmem_int32_alltoalls);
int pshmem_int64_alltoalls(shmem_team_t team, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_int64_alltoalls", team, dest, source, dst, sst, nelems, sizeof(int64_t)); }
ALIAS(shmem_int64_alltoalls, pshmem_int64_alltoalls);
int pshmem_uint8_alltoalls(shmem_team_t team, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_uint8_alltoalls", team, dest, source, dst, sst, nelems, sizeof(uint8_t)); }
ALIAS(shmem_uint8_alltoalls, pshmem_uint8_alltoalls);
int pshmem_uint16_alltoalls(shmem_team_t team, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_uint16_alltoalls", team, dest, source, dst, sst, nelems, sizeof(uint16_t)); }
ALIAS(shmem_uint16_alltoalls, pshmem_uint16_alltoalls);
int pshmem_uint32_alltoalls(shmem_team_t team, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_uint32_alltoalls", team, dest, source, dst, sst, nelems, sizeof(uint32_t)); }
ALIAS(shmem_uint32_alltoalls, pshmem_uint32_alltoalls);
int pshmem_uint64_alltoalls(shmem_team_t team, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_uint64_alltoalls", team, dest, source, dst, sst, nelems, sizeof(uint64_t)); }
ALIAS(shmem_uint64_alltoalls, pshmem_uint64_alltoalls);
int pshmem_size_alltoalls(shmem_team_t team, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_size_alltoalls", team, dest, source, dst, sst, nelems, sizeof(size_t)); }
ALIAS(shmem_size_alltoalls, pshmem_size_alltoalls);
int pshmem_ptrdiff_alltoalls(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_ptrdiff_alltoalls", team, dest, source, dst, sst, nelems, sizeof(ptrdiff_t)); }
ALIAS(shmem_ptrdiff_alltoalls, pshmem_ptrdiff_alltoalls);
int pshmem_alltoallsmem(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{ return philae_shmem_alltoalls("shmem_alltoallsmem", team, dest, source, dst, sst, nelems, 1); }
ALIAS(shmem_alltoallsmem, pshmem_alltoallsmem);
int pshmem_float_broadcast(shmem_team_t team, float *dest, const float *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_float_broadcast", team, dest, source, nelems, sizeof(float), PE_root); }
ALIAS(shmem_float_broadcast, pshmem_float_broadcast);
int pshmem_double_broadcast(shmem_team_t team, double *dest, const double *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_double_broadcast", team, dest, source, nelems, sizeof(double), PE_root); }
ALIAS(shmem_double_broadcast, pshmem_double_broadcast);
int pshmem_longdouble_broadcast(shmem_team_t team, long double *dest, const long double *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_longdouble_broadcast", team, dest, source, nelems, sizeof(long double), PE_root); }
ALIAS(shmem_longdouble_broadcast, pshmem_longdouble_broadcast);
int pshmem_char_broadcast(shmem_team_t team, char *dest, const char *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_char_broadcast", team, dest, source, nelems, sizeof(char), PE_root); }
ALIAS(shmem_char_broadcast, pshmem_char_broadcast);
int pshmem_schar_broadcast(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_schar_broadcast", team, dest, source, nelems, sizeof(signed char), PE_root); }
ALIAS(shmem_schar_broadcast, pshmem_schar_broadcast);
int pshmem_short_broadcast(shmem_team_t team, short *dest, const short *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_short_broadcast", team, dest, source, nelems, sizeof(short), PE_root); }
ALIAS(shmem_short_broadcast, pshmem_short_broadcast);
int pshmem_int_broadcast(shmem_team_t team, int *dest, const int *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_int_broadcast", team, dest, source, nelems, sizeof(int), PE_root); }
ALIAS(shmem_int_broadcast, pshmem_int_broadcast);
int pshmem_long_broadcast(shmem_team_t team, long *dest, const long *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_long_broadcast", team, dest, source, nelems, sizeof(long), PE_root); }
ALIAS(shmem_long_broadcast, pshmem_long_broadcast);
int pshmem_longlong_broadcast(shmem_team_t team, long long *dest, const long long *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_longlong_broadcast", team, dest, source, nelems, sizeof(long long), PE_root); }
ALIAS(shmem_longlong_broadcast, pshmem_longlong_broadcast);
int pshmem_uchar_broadcast(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_uchar_broadcast", team, dest, source, nelems, sizeof(unsigned char), PE_root); }
ALIAS(shmem_uchar_broadcast, pshmem_uchar_broadcast);
int pshmem_ushort_broadcast(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_ushort_broadcast", team, dest, source, nelems, sizeof(unsigned short), PE_root); }
ALIAS(shmem_ushort_broadcast, pshmem_ushort_broadcast);
int pshmem_uint_broadcast(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_uint_broadcast", team, dest, source, nelems, sizeof(unsigned int), PE_root); }
ALIAS(shmem_uint_broadcast, pshmem_uint_broadcast);
int pshmem_ulong_broadcast(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_ulong_broadcast", team, dest, source, nelems, sizeof(unsigned long), PE_root); }
ALIAS(shmem_ulong_broadcast, pshmem_ulong_broadcast);
int pshmem_ulonglong_broadcast(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_ulonglong_broadcast", team, dest, source, nelems, sizeof(unsigned long long), PE_root); }
ALIAS(shmem_ulonglong_broadcast, pshmem_ulonglong_broadcast);
int pshmem_int8_broadcast(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_int8_broadcast", team, dest, source, nelems, sizeof(int8_t), PE_root); }
ALIAS(shmem_int8_broadcast, pshmem_int8_broadcast);
int pshmem_int16_broadcast(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_int16_broadcast", team, dest, source, nelems, sizeof(int16_t), PE_root); }
ALIAS(shmem_int16_broadcast, pshmem_int16_broadcast);
int pshmem_int32_broadcast(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_int32_broadcast", team, dest, source, nelems, sizeof(int32_t), PE_root); }
ALIAS(shmem_int32_broadcast, pshmem_int32_broadcast);
int pshmem_int64_broadcast(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_int64_broadcast", team, dest, source, nelems, sizeof(int64_t), PE_root); }
ALIAS(shmem_int64_broadcast, pshmem_int64_broadcast);
int pshmem_uint8_broadcast(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_uint8_broadcast", team, dest, source, nelems, sizeof(uint8_t), PE_root); }
ALIAS(shmem_uint8_broadcast, pshmem_uint8_broadcast);
int pshmem_uint16_broadcast(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_uint16_broadcast", team, dest, source, nelems, sizeof(uint16_t), PE_root); }
ALIAS(shmem_uint16_broadcast, pshmem_uint16_broadcast);
int pshmem_uint32_broadcast(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_uint32_broadcast", team, dest, source, nelems, sizeof(uint32_t), PE_root); }
ALIAS(shmem_uint32_broadcast, pshmem_uint32_broadcast);
int pshmem_uint64_broadcast(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_uint64_broadcast", team, dest, source, nelems, sizeof(uint64_t), PE_root); }
ALIAS(shmem_uint64_broadcast, pshmem_uint64_broadcast);
int pshmem_size_broadcast(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_size_broadcast", team, dest, source, nelems, sizeof(size_t), PE_root); }
ALIAS(shmem_size_broadcast, pshmem_size_broadcast);
int pshmem_ptrdiff_broadcast(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_ptrdiff_broadcast", team, dest, source, nelems, sizeof(ptrdiff_t), PE_root); }
ALIAS(shmem_ptrdiff_broadcast, pshmem_ptrdiff_broadcast);
int pshmem_broadcastmem(shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root)
{ return philae_shmem_broadcast("shmem_broadcastmem", team, dest, source, nelems, 1, PE_root); }
ALIAS(shmem_broadcastmem, pshmem_broadcastmem);
int pshmem_float_collect(shmem_team_t team, float *dest, const float *source, size_t nelems)
{ return philae_shmem_collect("shmem_float_collect", team, dest, source, nelems, sizeof(float)); }
ALIAS(shmem_float_collect, pshmem_float_collect);
int pshmem_double_collect(shmem_team_t team, double *dest, const double *source, size_t nelems)
{ return philae_shmem_collect("shmem_double_collect", team, dest, source, nelems, sizeof(double)); }
ALIAS(shmem_double_collect, pshmem_double_collect);
int pshmem_longdouble_collect(shmem_team_t team, long double *dest, const long double *source, size_t nelems)
{ return philae_shmem_collect("shmem_longdouble_collect", team, dest, source, nelems, sizeof(long double)); }
ALIAS(shmem_longdouble_collect, pshmem_longdouble_collect);
int pshmem_char_collect(shmem_team_t team, char *dest, const char *source, size_t nelems)
{ return philae_shmem_collect("shmem_char_collect", team, dest, source, nelems, sizeof(char)); }
ALIAS(shmem_char_collect, pshmem_char_collect);
int pshmem_schar_collect(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems)
{ return philae_shmem_collect("shmem_schar_collect", team, dest, source, nelems, sizeof(signed char)); }
ALIAS(shmem_schar_collect, pshmem_schar_collect);
int pshmem_short_collect(shmem_team_t team, short *dest, const short *source, size_t nelems)
{ return philae_shmem_collect("shmem_short_collect", team, dest, source, nelems, sizeof(short)); }
ALIAS(shmem_short_collect, pshmem_short_collect);
int pshmem_int_collect(shmem_team_t team, int *dest, const int *source, size_t nelems)
{ return philae_shmem_collect("shmem_int_collect", team, dest, source, nelems, sizeof(int)); }
ALIAS(shmem_int_collect, pshmem_int_collect);
int pshmem_long_collect(shmem_team_t team, long *dest, const long *source, size_t nelems)
{ return philae_shmem_collect("shmem_long_collect", team, dest, source, nelems, sizeof(long)); }
ALIAS(shmem_long_collect, pshmem_long_collect);
int pshmem_longlong_collect(shmem_team_t team, long long *dest, const long long *source, size_t nelems)
{ return philae_shmem_collect("shmem_longlong_collect", team, dest, source, nelems, sizeof(long long)); }
ALIAS(shmem_longlong_collect, pshmem_longlong_collect);
int pshmem_uchar_collect(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems)
{ return philae_shmem_collect("shmem_uchar_collect", team, dest, source, nelems, sizeof(unsigned char)); }
ALIAS(shmem_uchar_collect, pshmem_uchar_collect);
int pshmem_ushort_collect(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems)
{ return philae_shmem_collect("shmem_ushort_collect", team, dest, source, nelems, sizeof(unsigned short)); }
ALIAS(shmem_ushort_collect, pshmem_ushort_collect);
int pshmem_uint_collect(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems)
{ return philae_shmem_collect("shmem_uint_collect", team, dest, source, nelems, sizeof(unsigned int)); }
ALIAS(shmem_uint_collect, pshmem_uint_collect);
int pshmem_ulong_collect(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems)
{ return philae_shmem_collect("shmem_ulong_collect", team, dest, source, nelems, sizeof(unsigned long)); }
ALIAS(shmem_ulong_collect, pshmem_ulong_collect);
int pshmem_ulonglong_collect(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems)
{ return philae_shmem_collect("shmem_ulonglong_collect", team, dest, source, nelems, sizeof(unsigned long long)); }
ALIAS(shmem_ulonglong_collect, pshmem_ulonglong_collect);
int pshmem_int8_collect(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems)
{ return philae_shmem_collect("shmem_int8_collect", team, dest, source, nelems, sizeof(int8_t)); }
ALIAS(shmem_int8_collect, pshmem_int8_collect);
int pshmem_int16_collect(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems)
{ return philae_shmem_collect("shmem_int16_collect", team, dest, source, nelems, sizeof(int16_t)); }
ALIAS(shmem_int16_collect, pshmem_int16_collect);
int pshmem_int32_collect(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems)
{ return philae_shmem_collect("shmem_int32_collect", team, dest, source, nelems, sizeof(int32_t)); }
ALIAS(shmem_int32_collect, pshmem_int32_collect);
int pshmem_int64_collect(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems)
{ return philae_shmem_collect("shmem_int64_collect", team, dest, source, nelems, sizeof(int64_t)); }
ALIAS(shmem_int64_collect, pshmem_int64_collect);
int pshmem_uint8_collect(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems)
{ return philae_shmem_collect("shmem_uint8_collect", team, dest, source, nelems, sizeof(uint8_t)); }
ALIAS(shmem_uint8_collect, pshmem_uint8_collect);
int pshmem_uint16_collect(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems)
{ return philae_shmem_collect("shmem_uint16_collect", team, dest, source, nelems, sizeof(uint16_t)); }
ALIAS(shmem_uint16_collect, pshmem_uint16_collect);
int pshmem_uint32_collect(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems)
{ return philae_shmem_collect("shmem_uint32_collect", team, dest, source, nelems, sizeof(uint32_t)); }
ALIAS(shmem_uint32_collect, pshmem_uint32_collect);
int pshmem_uint64_collect(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems)
{ return philae_shmem_collect("shmem_uint64_collect", team, dest, source, nelems, sizeof(uint64_t)); }
ALIAS(shmem_uint64_collect, pshmem_uint64_collect);
int pshmem_size_collect(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems)
{ return philae_shmem_collect("shmem_size_collect", team, dest, source, nelems, sizeof(size_t)); }
ALIAS(shmem_size_collect, pshmem_size_collect);
int pshmem_ptrdiff_collect(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems)
{ return philae_shmem_collect("shmem_ptrdiff_collect", team, dest, source, nelems, sizeof(ptrdiff_t)); }
ALIAS(shmem_ptrdiff_collect, pshmem_ptrdiff_collect);
int pshmem_collectmem(shmem_team_t team, void *dest, const void *source, size_t nelems)
{ return philae_shmem_collect("shmem_collectmem", team, dest, source, nelems, 1); }
ALIAS(shmem_collectmem, pshmem_collectmem);
int pshmem_float_fcollect(shmem_team_t team, float *dest, const float *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_float_fcollect", team, dest, source, nelems, sizeof(float)); }
ALIAS(shmem_float_fcollect, pshmem_float_fcollect);
int pshmem_double_fcollect(shmem_team_t team, double *dest, const double *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_double_fcollect", team, dest, source, nelems, sizeof(double)); }
ALIAS(shmem_double_fcollect, pshmem_double_fcollect);
int pshmem_longdouble_fcollect(shmem_team_t team, long double *dest, const long double *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_longdouble_fcollect", team, dest, source, nelems, sizeof(long double)); }
ALIAS(shmem_longdouble_fcollect, pshmem_longdouble_fcollect);
int pshmem_char_fcollect(shmem_team_t team, char *dest, const char *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_char_fcollect", team, dest, source, nelems, sizeof(char)); }
ALIAS(shmem_char_fcollect, pshmem_char_fcollect);
int pshmem_schar_fcollect(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_schar_fcollect", team, dest, source, nelems, sizeof(signed char)); }
ALIAS(shmem_schar_fcollect, pshmem_schar_fcollect);
int pshmem_short_fcollect(shmem_team_t team, short *dest, const short *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_short_fcollect", team, dest, source, nelems, sizeof(short)); }
ALIAS(shmem_short_fcollect, pshmem_short_fcollect);
int pshmem_int_fcollect(shmem_team_t team, int *dest, const int *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_int_fcollect", team, dest, source, nelems, sizeof(int)); }
ALIAS(shmem_int_fcollect, pshmem_int_fcollect);
int pshmem_long_fcollect(shmem_team_t team, long *dest, const long *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_long_fcollect", team, dest, source, nelems, sizeof(long)); }
ALIAS(shmem_long_fcollect, pshmem_long_fcollect);
int pshmem_longlong_fcollect(shmem_team_t team, long long *dest, const long long *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_longlong_fcollect", team, dest, source, nelems, sizeof(long long)); }
ALIAS(shmem_longlong_fcollect, pshmem_longlong_fcollect);
int pshmem_uchar_fcollect(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_uchar_fcollect", team, dest, source, nelems, sizeof(unsigned char)); }
ALIAS(shmem_uchar_fcollect, pshmem_uchar_fcollect);
int pshmem_ushort_fcollect(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_ushort_fcollect", team, dest, source, nelems, sizeof(unsigned short)); }
ALIAS(shmem_ushort_fcollect, pshmem_ushort_fcollect);
int pshmem_uint_fcollect(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_uint_fcollect", team, dest, source, nelems, sizeof(unsigned int)); }
ALIAS(shmem_uint_fcollect, pshmem_uint_fcollect);
int pshmem_ulong_fcollect(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_ulong_fcollect", team, dest, source, nelems, sizeof(unsigned long)); }
ALIAS(shmem_ulong_fcollect, pshmem_ulong_fcollect);
int pshmem_ulonglong_fcollect(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_ulonglong_fcollect", team, dest, source, nelems, sizeof(unsigned long long)); }
ALIAS(shmem_ulonglong_fcollect, pshmem_ulonglong_fcollect);
int pshmem_int8_fcollect(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_int8_fcollect", team, dest, source, nelems, sizeof(int8_t)); }
ALIAS(shmem_int8_fcollect, pshmem_int8_fcollect);
int pshmem_int16_fcollect(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_int16_fcollect", team, dest, source, nelems, sizeof(int16_t)); }
ALIAS(shmem_int16_fcollect, pshmem_int16_fcollect);
int pshmem_int32_fcollect(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_int32_fcollect", team, dest, source, nelems, sizeof(int32_t)); }
ALIAS(shmem_int32_fcollect, pshmem_int32_fcollect);
int pshmem_int64_fcollect(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_int64_fcollect", team, dest, source, nelems, sizeof(int64_t)); }
ALIAS(shmem_int64_fcollect, pshmem_int64_fcollect);
int pshmem_uint8_fcollect(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_uint8_fcollect", team, dest, source, nelems, sizeof(uint8_t)); }
ALIAS(shmem_uint8_fcollect, pshmem_uint8_fcollect);
int pshmem_uint16_fcollect(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_uint16_fcollect", team, dest, source, nelems, sizeof(uint16_t)); }
ALIAS(shmem_uint16_fcollect, pshmem_uint16_fcollect);
int pshmem_uint32_fcollect(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_uint32_fcollect", team, dest, source, nelems, sizeof(uint32_t)); }
ALIAS(shmem_uint32_fcollect, pshmem_uint32_fcollect);
int pshmem_uint64_fcollect(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_uint64_fcollect", team, dest, source, nelems, sizeof(uint64_t)); }
ALIAS(shmem_uint64_fcollect, pshmem_uint64_fcollect);
int pshmem_size_fcollect(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_size_fcollect", team, dest, source, nelems, sizeof(size_t)); }
ALIAS(shmem_size_fcollect, pshmem_size_fcollect);
int pshmem_ptrdiff_fcollect(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_ptrdiff_fcollect", team, dest, source, nelems, sizeof(ptrdiff_t)); }
ALIAS(shmem_ptrdiff_fcollect, pshmem_ptrdiff_fcollect);
int pshmem_fcollectmem(shmem_team_t team, void *dest, const void *source, size_t nelems)
{ return philae_shmem_fcollect("shmem_fcollectmem", team, dest, source, nelems, 1); }
ALIAS(shmem_fcollectmem, pshmem_fcollectmem);
int pshmem_uchar_and_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uchar_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned char), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_uchar_and_reduce, pshmem_uchar_and_reduce);
int pshmem_ushort_and_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ushort_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned short), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_ushort_and_reduce, pshmem_ushort_and_reduce);
int pshmem_uint_and_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned int), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_uint_and_reduce, pshmem_uint_and_reduce);
int pshmem_ulong_and_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulong_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_ulong_and_reduce, pshmem_ulong_and_reduce);
int pshmem_ulonglong_and_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulonglong_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long long), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_ulonglong_and_reduce, pshmem_ulonglong_and_reduce);
int pshmem_int8_and_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int8_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int8_t), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_int8_and_reduce, pshmem_int8_and_reduce);
int pshmem_int16_and_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int16_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int16_t), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_int16_and_reduce, pshmem_int16_and_reduce);
int pshmem_int32_and_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int32_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int32_t), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_int32_and_reduce, pshmem_int32_and_reduce);
int pshmem_int64_and_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int64_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int64_t), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_int64_and_reduce, pshmem_int64_and_reduce);
int pshmem_uint8_and_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint8_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint8_t), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_uint8_and_reduce, pshmem_uint8_and_reduce);
int pshmem_uint16_and_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint16_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint16_t), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_uint16_and_reduce, pshmem_uint16_and_reduce);
int pshmem_uint32_and_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint32_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint32_t), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_uint32_and_reduce, pshmem_uint32_and_reduce);
int pshmem_uint64_and_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint64_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint64_t), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_uint64_and_reduce, pshmem_uint64_and_reduce);
int pshmem_size_and_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_size_and_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(size_t), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmem_size_and_reduce, pshmem_size_and_reduce);
int pshmem_uchar_or_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uchar_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned char), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_uchar_or_reduce, pshmem_uchar_or_reduce);
int pshmem_ushort_or_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ushort_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned short), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_ushort_or_reduce, pshmem_ushort_or_reduce);
int pshmem_uint_or_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned int), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_uint_or_reduce, pshmem_uint_or_reduce);
int pshmem_ulong_or_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulong_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_ulong_or_reduce, pshmem_ulong_or_reduce);
int pshmem_ulonglong_or_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulonglong_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long long), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_ulonglong_or_reduce, pshmem_ulonglong_or_reduce);
int pshmem_int8_or_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int8_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int8_t), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_int8_or_reduce, pshmem_int8_or_reduce);
int pshmem_int16_or_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int16_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int16_t), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_int16_or_reduce, pshmem_int16_or_reduce);
int pshmem_int32_or_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int32_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int32_t), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_int32_or_reduce, pshmem_int32_or_reduce);
int pshmem_int64_or_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int64_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int64_t), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_int64_or_reduce, pshmem_int64_or_reduce);
int pshmem_uint8_or_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint8_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint8_t), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_uint8_or_reduce, pshmem_uint8_or_reduce);
int pshmem_uint16_or_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint16_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint16_t), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_uint16_or_reduce, pshmem_uint16_or_reduce);
int pshmem_uint32_or_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint32_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint32_t), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_uint32_or_reduce, pshmem_uint32_or_reduce);
int pshmem_uint64_or_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint64_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint64_t), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_uint64_or_reduce, pshmem_uint64_or_reduce);
int pshmem_size_or_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_size_or_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(size_t), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmem_size_or_reduce, pshmem_size_or_reduce);
int pshmem_uchar_xor_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uchar_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned char), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_uchar_xor_reduce, pshmem_uchar_xor_reduce);
int pshmem_ushort_xor_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ushort_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned short), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_ushort_xor_reduce, pshmem_ushort_xor_reduce);
int pshmem_uint_xor_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned int), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_uint_xor_reduce, pshmem_uint_xor_reduce);
int pshmem_ulong_xor_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulong_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_ulong_xor_reduce, pshmem_ulong_xor_reduce);
int pshmem_ulonglong_xor_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulonglong_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long long), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_ulonglong_xor_reduce, pshmem_ulonglong_xor_reduce);
int pshmem_int8_xor_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int8_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int8_t), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_int8_xor_reduce, pshmem_int8_xor_reduce);
int pshmem_int16_xor_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int16_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int16_t), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_int16_xor_reduce, pshmem_int16_xor_reduce);
int pshmem_int32_xor_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int32_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int32_t), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_int32_xor_reduce, pshmem_int32_xor_reduce);
int pshmem_int64_xor_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int64_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int64_t), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_int64_xor_reduce, pshmem_int64_xor_reduce);
int pshmem_uint8_xor_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint8_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint8_t), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_uint8_xor_reduce, pshmem_uint8_xor_reduce);
int pshmem_uint16_xor_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint16_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint16_t), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_uint16_xor_reduce, pshmem_uint16_xor_reduce);
int pshmem_uint32_xor_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint32_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint32_t), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_uint32_xor_reduce, pshmem_uint32_xor_reduce);
int pshmem_uint64_xor_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint64_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint64_t), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_uint64_xor_reduce, pshmem_uint64_xor_reduce);
int pshmem_size_xor_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_size_xor_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(size_t), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmem_size_xor_reduce, pshmem_size_xor_reduce);
int pshmem_float_max_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_float_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_float_max_reduce, pshmem_float_max_reduce);
int pshmem_double_max_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_double_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_double_max_reduce, pshmem_double_max_reduce);
int pshmem_longdouble_max_reduce(shmem_team_t team, long double *dest, const long double *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_longdouble_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_longdouble_max_reduce, pshmem_longdouble_max_reduce);
int pshmem_char_max_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_char_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_CHAR, PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_char_max_reduce, pshmem_char_max_reduce);
int pshmem_schar_max_reduce(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_schar_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(signed char), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_schar_max_reduce, pshmem_schar_max_reduce);
int pshmem_short_max_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_short_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_short_max_reduce, pshmem_short_max_reduce);
int pshmem_int_max_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_int_max_reduce, pshmem_int_max_reduce);
int pshmem_long_max_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_long_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_long_max_reduce, pshmem_long_max_reduce);
int pshmem_longlong_max_reduce(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_longlong_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_longlong_max_reduce, pshmem_longlong_max_reduce);
int pshmem_uchar_max_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uchar_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned char), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_uchar_max_reduce, pshmem_uchar_max_reduce);
int pshmem_ushort_max_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ushort_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned short), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_ushort_max_reduce, pshmem_ushort_max_reduce);
int pshmem_uint_max_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned int), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_uint_max_reduce, pshmem_uint_max_reduce);
int pshmem_ulong_max_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulong_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_ulong_max_reduce, pshmem_ulong_max_reduce);
int pshmem_ulonglong_max_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulonglong_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long long), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_ulonglong_max_reduce, pshmem_ulonglong_max_reduce);
int pshmem_int8_max_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int8_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int8_t), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_int8_max_reduce, pshmem_int8_max_reduce);
int pshmem_int16_max_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int16_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int16_t), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_int16_max_reduce, pshmem_int16_max_reduce);
int pshmem_int32_max_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int32_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int32_t), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_int32_max_reduce, pshmem_int32_max_reduce);
int pshmem_int64_max_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int64_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int64_t), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_int64_max_reduce, pshmem_int64_max_reduce);
int pshmem_uint8_max_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint8_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint8_t), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_uint8_max_reduce, pshmem_uint8_max_reduce);
int pshmem_uint16_max_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint16_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint16_t), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_uint16_max_reduce, pshmem_uint16_max_reduce);
int pshmem_uint32_max_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint32_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint32_t), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_uint32_max_reduce, pshmem_uint32_max_reduce);
int pshmem_uint64_max_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint64_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint64_t), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_uint64_max_reduce, pshmem_uint64_max_reduce);
int pshmem_size_max_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_size_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(size_t), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_size_max_reduce, pshmem_size_max_reduce);
int pshmem_ptrdiff_max_reduce(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ptrdiff_max_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(ptrdiff_t), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmem_ptrdiff_max_reduce, pshmem_ptrdiff_max_reduce);
int pshmem_float_min_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_float_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_float_min_reduce, pshmem_float_min_reduce);
int pshmem_double_min_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_double_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_double_min_reduce, pshmem_double_min_reduce);
int pshmem_longdouble_min_reduce(shmem_team_t team, long double *dest, const long double *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_longdouble_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_longdouble_min_reduce, pshmem_longdouble_min_reduce);
int pshmem_char_min_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_char_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_CHAR, PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_char_min_reduce, pshmem_char_min_reduce);
int pshmem_schar_min_reduce(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_schar_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(signed char), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_schar_min_reduce, pshmem_schar_min_reduce);
int pshmem_short_min_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_short_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_short_min_reduce, pshmem_short_min_reduce);
int pshmem_int_min_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_int_min_reduce, pshmem_int_min_reduce);
int pshmem_long_min_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_long_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_long_min_reduce, pshmem_long_min_reduce);
int pshmem_longlong_min_reduce(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_longlong_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_longlong_min_reduce, pshmem_longlong_min_reduce);
int pshmem_uchar_min_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uchar_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned char), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_uchar_min_reduce, pshmem_uchar_min_reduce);
int pshmem_ushort_min_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ushort_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned short), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_ushort_min_reduce, pshmem_ushort_min_reduce);
int pshmem_uint_min_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned int), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_uint_min_reduce, pshmem_uint_min_reduce);
int pshmem_ulong_min_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulong_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_ulong_min_reduce, pshmem_ulong_min_reduce);
int pshmem_ulonglong_min_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulonglong_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long long), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_ulonglong_min_reduce, pshmem_ulonglong_min_reduce);
int pshmem_int8_min_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int8_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int8_t), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_int8_min_reduce, pshmem_int8_min_reduce);
int pshmem_int16_min_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int16_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int16_t), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_int16_min_reduce, pshmem_int16_min_reduce);
int pshmem_int32_min_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int32_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int32_t), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_int32_min_reduce, pshmem_int32_min_reduce);
int pshmem_int64_min_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int64_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int64_t), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_int64_min_reduce, pshmem_int64_min_reduce);
int pshmem_uint8_min_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint8_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint8_t), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_uint8_min_reduce, pshmem_uint8_min_reduce);
int pshmem_uint16_min_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint16_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint16_t), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_uint16_min_reduce, pshmem_uint16_min_reduce);
int pshmem_uint32_min_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint32_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint32_t), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_uint32_min_reduce, pshmem_uint32_min_reduce);
int pshmem_uint64_min_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint64_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint64_t), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_uint64_min_reduce, pshmem_uint64_min_reduce);
int pshmem_size_min_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_size_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(size_t), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_size_min_reduce, pshmem_size_min_reduce);
int pshmem_ptrdiff_min_reduce(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ptrdiff_min_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(ptrdiff_t), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmem_ptrdiff_min_reduce, pshmem_ptrdiff_min_reduce);
int pshmem_float_sum_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_float_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_float_sum_reduce, pshmem_float_sum_reduce);
int pshmem_double_sum_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_double_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_double_sum_reduce, pshmem_double_sum_reduce);
int pshmem_longdouble_sum_reduce(shmem_team_t team, long double *dest, const long double *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_longdouble_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_longdouble_sum_reduce, pshmem_longdouble_sum_reduce);
int pshmem_char_sum_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_char_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_CHAR, PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_char_sum_reduce, pshmem_char_sum_reduce);
int pshmem_schar_sum_reduce(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_schar_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(signed char), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_schar_sum_reduce, pshmem_schar_sum_reduce);
int pshmem_short_sum_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_short_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_short_sum_reduce, pshmem_short_sum_reduce);
int pshmem_int_sum_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_int_sum_reduce, pshmem_int_sum_reduce);
int pshmem_long_sum_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_long_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_long_sum_reduce, pshmem_long_sum_reduce);
int pshmem_longlong_sum_reduce(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_longlong_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_longlong_sum_reduce, pshmem_longlong_sum_reduce);
int pshmem_uchar_sum_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uchar_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned char), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_uchar_sum_reduce, pshmem_uchar_sum_reduce);
int pshmem_ushort_sum_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ushort_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned short), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_ushort_sum_reduce, pshmem_ushort_sum_reduce);
int pshmem_uint_sum_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned int), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_uint_sum_reduce, pshmem_uint_sum_reduce);
int pshmem_ulong_sum_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulong_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_ulong_sum_reduce, pshmem_ulong_sum_reduce);
int pshmem_ulonglong_sum_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulonglong_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long long), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_ulonglong_sum_reduce, pshmem_ulonglong_sum_reduce);
int pshmem_int8_sum_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int8_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int8_t), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_int8_sum_reduce, pshmem_int8_sum_reduce);
int pshmem_int16_sum_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int16_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int16_t), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_int16_sum_reduce, pshmem_int16_sum_reduce);
int pshmem_int32_sum_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int32_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int32_t), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_int32_sum_reduce, pshmem_int32_sum_reduce);
int pshmem_int64_sum_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int64_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int64_t), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_int64_sum_reduce, pshmem_int64_sum_reduce);
int pshmem_uint8_sum_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint8_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint8_t), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_uint8_sum_reduce, pshmem_uint8_sum_reduce);
int pshmem_uint16_sum_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint16_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint16_t), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_uint16_sum_reduce, pshmem_uint16_sum_reduce);
int pshmem_uint32_sum_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint32_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint32_t), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_uint32_sum_reduce, pshmem_uint32_sum_reduce);
int pshmem_uint64_sum_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint64_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint64_t), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_uint64_sum_reduce, pshmem_uint64_sum_reduce);
int pshmem_size_sum_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_size_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(size_t), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_size_sum_reduce, pshmem_size_sum_reduce);
int pshmem_ptrdiff_sum_reduce(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ptrdiff_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(ptrdiff_t), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_ptrdiff_sum_reduce, pshmem_ptrdiff_sum_reduce);
int pshmem_complexd_sum_reduce(shmem_team_t team, philae_shmem_complexd *dest, const philae_shmem_complexd *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_complexd_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_C64, PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_complexd_sum_reduce, pshmem_complexd_sum_reduce);
int pshmem_complexf_sum_reduce(shmem_team_t team, philae_shmem_complexf *dest, const philae_shmem_complexf *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_complexf_sum_reduce", team, dest, source, nreduce, PHILAE_SHMEM_C32, PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmem_complexf_sum_reduce, pshmem_complexf_sum_reduce);
int pshmem_float_prod_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_float_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_float_prod_reduce, pshmem_float_prod_reduce);
int pshmem_double_prod_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_double_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_double_prod_reduce, pshmem_double_prod_reduce);
int pshmem_longdouble_prod_reduce(shmem_team_t team, long double *dest, const long double *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_longdouble_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_longdouble_prod_reduce, pshmem_longdouble_prod_reduce);
int pshmem_char_prod_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_char_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_CHAR, PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_char_prod_reduce, pshmem_char_prod_reduce);
int pshmem_schar_prod_reduce(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_schar_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(signed char), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_schar_prod_reduce, pshmem_schar_prod_reduce);
int pshmem_short_prod_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_short_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_short_prod_reduce, pshmem_short_prod_reduce);
int pshmem_int_prod_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_int_prod_reduce, pshmem_int_prod_reduce);
int pshmem_long_prod_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_long_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_long_prod_reduce, pshmem_long_prod_reduce);
int pshmem_longlong_prod_reduce(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_longlong_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_longlong_prod_reduce, pshmem_longlong_prod_reduce);
int pshmem_uchar_prod_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uchar_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned char), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_uchar_prod_reduce, pshmem_uchar_prod_reduce);
int pshmem_ushort_prod_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ushort_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned short), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_ushort_prod_reduce, pshmem_ushort_prod_reduce);
int pshmem_uint_prod_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned int), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_uint_prod_reduce, pshmem_uint_prod_reduce);
int pshmem_ulong_prod_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulong_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_ulong_prod_reduce, pshmem_ulong_prod_reduce);
int pshmem_ulonglong_prod_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ulonglong_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long long), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_ulonglong_prod_reduce, pshmem_ulonglong_prod_reduce);
int pshmem_int8_prod_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int8_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int8_t), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_int8_prod_reduce, pshmem_int8_prod_reduce);
int pshmem_int16_prod_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int16_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int16_t), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_int16_prod_reduce, pshmem_int16_prod_reduce);
int pshmem_int32_prod_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int32_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int32_t), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_int32_prod_reduce, pshmem_int32_prod_reduce);
int pshmem_int64_prod_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_int64_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int64_t), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_int64_prod_reduce, pshmem_int64_prod_reduce);
int pshmem_uint8_prod_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint8_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint8_t), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_uint8_prod_reduce, pshmem_uint8_prod_reduce);
int pshmem_uint16_prod_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint16_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint16_t), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_uint16_prod_reduce, pshmem_uint16_prod_reduce);
int pshmem_uint32_prod_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint32_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint32_t), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_uint32_prod_reduce, pshmem_uint32_prod_reduce);
int pshmem_uint64_prod_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_uint64_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint64_t), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_uint64_prod_reduce, pshmem_uint64_prod_reduce);
int pshmem_size_prod_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_size_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(size_t), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_size_prod_reduce, pshmem_size_prod_reduce);
int pshmem_ptrdiff_prod_reduce(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_ptrdiff_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(ptrdiff_t), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_ptrdiff_prod_reduce, pshmem_ptrdiff_prod_reduce);
int pshmem_complexd_prod_reduce(shmem_team_t team, philae_shmem_complexd *dest, const philae_shmem_complexd *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_complexd_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_C64, PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_complexd_prod_reduce, pshmem_complexd_prod_reduce);
int pshmem_complexf_prod_reduce(shmem_team_t team, philae_shmem_complexf *dest, const philae_shmem_complexf *source, size_t nreduce)
{ return philae_shmem_reduce("shmem_complexf_prod_reduce", team, dest, source, nreduce, PHILAE_SHMEM_C32, PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmem_complexf_prod_reduce, pshmem_complexf_prod_reduce);
int pshmem_float_sum_inscan(shmem_team_t team, float *dest, const float *source, size_t nreduce)
{ return philae_shmem_scan("shmem_float_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_float_sum_inscan, pshmem_float_sum_inscan);
int pshmem_double_sum_inscan(shmem_team_t team, double *dest, const double *source, size_t nreduce)
{ return philae_shmem_scan("shmem_double_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_double_sum_inscan, pshmem_double_sum_inscan);
int pshmem_longdouble_sum_inscan(shmem_team_t team, long double *dest, const long double *source, size_t nreduce)
{ return philae_shmem_scan("shmem_longdouble_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_longdouble_sum_inscan, pshmem_longdouble_sum_inscan);
int pshmem_char_sum_inscan(shmem_team_t team, char *dest, const char *source, size_t nreduce)
{ return philae_shmem_scan("shmem_char_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_CHAR, PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_char_sum_inscan, pshmem_char_sum_inscan);
int pshmem_schar_sum_inscan(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce)
{ return philae_shmem_scan("shmem_schar_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(signed char), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_schar_sum_inscan, pshmem_schar_sum_inscan);
int pshmem_short_sum_inscan(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_scan("shmem_short_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_short_sum_inscan, pshmem_short_sum_inscan);
int pshmem_int_sum_inscan(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_scan("shmem_int_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_int_sum_inscan, pshmem_int_sum_inscan);
int pshmem_long_sum_inscan(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_scan("shmem_long_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_long_sum_inscan, pshmem_long_sum_inscan);
int pshmem_longlong_sum_inscan(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_scan("shmem_longlong_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_longlong_sum_inscan, pshmem_longlong_sum_inscan);
int pshmem_uchar_sum_inscan(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce)
{ return philae_shmem_scan("shmem_uchar_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned char), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_uchar_sum_inscan, pshmem_uchar_sum_inscan);
int pshmem_ushort_sum_inscan(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce)
{ return philae_shmem_scan("shmem_ushort_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned short), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_ushort_sum_inscan, pshmem_ushort_sum_inscan);
int pshmem_uint_sum_inscan(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce)
{ return philae_shmem_scan("shmem_uint_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned int), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_uint_sum_inscan, pshmem_uint_sum_inscan);
int pshmem_ulong_sum_inscan(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce)
{ return philae_shmem_scan("shmem_ulong_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_ulong_sum_inscan, pshmem_ulong_sum_inscan);
int pshmem_ulonglong_sum_inscan(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce)
{ return philae_shmem_scan("shmem_ulonglong_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long long), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_ulonglong_sum_inscan, pshmem_ulonglong_sum_inscan);
int pshmem_int8_sum_inscan(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_int8_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int8_t), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_int8_sum_inscan, pshmem_int8_sum_inscan);
int pshmem_int16_sum_inscan(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_int16_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int16_t), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_int16_sum_inscan, pshmem_int16_sum_inscan);
int pshmem_int32_sum_inscan(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_int32_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int32_t), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_int32_sum_inscan, pshmem_int32_sum_inscan);
int pshmem_int64_sum_inscan(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_int64_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int64_t), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_int64_sum_inscan, pshmem_int64_sum_inscan);
int pshmem_uint8_sum_inscan(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_uint8_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint8_t), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_uint8_sum_inscan, pshmem_uint8_sum_inscan);
int pshmem_uint16_sum_inscan(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_uint16_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint16_t), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_uint16_sum_inscan, pshmem_uint16_sum_inscan);
int pshmem_uint32_sum_inscan(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_uint32_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint32_t), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_uint32_sum_inscan, pshmem_uint32_sum_inscan);
int pshmem_uint64_sum_inscan(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_uint64_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint64_t), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_uint64_sum_inscan, pshmem_uint64_sum_inscan);
int pshmem_size_sum_inscan(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_size_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(size_t), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_size_sum_inscan, pshmem_size_sum_inscan);
int pshmem_ptrdiff_sum_inscan(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_ptrdiff_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(ptrdiff_t), PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_ptrdiff_sum_inscan, pshmem_ptrdiff_sum_inscan);
int pshmem_complexd_sum_inscan(shmem_team_t team, philae_shmem_complexd *dest, const philae_shmem_complexd *source, size_t nreduce)
{ return philae_shmem_scan("shmem_complexd_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_C64, PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_complexd_sum_inscan, pshmem_complexd_sum_inscan);
int pshmem_complexf_sum_inscan(shmem_team_t team, philae_shmem_complexf *dest, const philae_shmem_complexf *source, size_t nreduce)
{ return philae_shmem_scan("shmem_complexf_sum_inscan", team, dest, source, nreduce, PHILAE_SHMEM_C32, PHILAE_SHMEM_REDUCE_SUM, 0); }
ALIAS(shmem_complexf_sum_inscan, pshmem_complexf_sum_inscan);
int pshmem_float_sum_exscan(shmem_team_t team, float *dest, const float *source, size_t nreduce)
{ return philae_shmem_scan("shmem_float_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_float_sum_exscan, pshmem_float_sum_exscan);
int pshmem_double_sum_exscan(shmem_team_t team, double *dest, const double *source, size_t nreduce)
{ return philae_shmem_scan("shmem_double_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_double_sum_exscan, pshmem_double_sum_exscan);
int pshmem_longdouble_sum_exscan(shmem_team_t team, long double *dest, const long double *source, size_t nreduce)
{ return philae_shmem_scan("shmem_longdouble_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_longdouble_sum_exscan, pshmem_longdouble_sum_exscan);
int pshmem_char_sum_exscan(shmem_team_t team, char *dest, const char *source, size_t nreduce)
{ return philae_shmem_scan("shmem_char_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_CHAR, PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_char_sum_exscan, pshmem_char_sum_exscan);
int pshmem_schar_sum_exscan(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce)
{ return philae_shmem_scan("shmem_schar_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(signed char), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_schar_sum_exscan, pshmem_schar_sum_exscan);
int pshmem_short_sum_exscan(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_scan("shmem_short_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_short_sum_exscan, pshmem_short_sum_exscan);
int pshmem_int_sum_exscan(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_scan("shmem_int_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_int_sum_exscan, pshmem_int_sum_exscan);
int pshmem_long_sum_exscan(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_scan("shmem_long_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_long_sum_exscan, pshmem_long_sum_exscan);
int pshmem_longlong_sum_exscan(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_scan("shmem_longlong_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_longlong_sum_exscan, pshmem_longlong_sum_exscan);
int pshmem_uchar_sum_exscan(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce)
{ return philae_shmem_scan("shmem_uchar_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned char), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_uchar_sum_exscan, pshmem_uchar_sum_exscan);
int pshmem_ushort_sum_exscan(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce)
{ return philae_shmem_scan("shmem_ushort_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned short), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_ushort_sum_exscan, pshmem_ushort_sum_exscan);
int pshmem_uint_sum_exscan(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce)
{ return philae_shmem_scan("shmem_uint_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned int), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_uint_sum_exscan, pshmem_uint_sum_exscan);
int pshmem_ulong_sum_exscan(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce)
{ return philae_shmem_scan("shmem_ulong_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_ulong_sum_exscan, pshmem_ulong_sum_exscan);
int pshmem_ulonglong_sum_exscan(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce)
{ return philae_shmem_scan("shmem_ulonglong_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(unsigned long long), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_ulonglong_sum_exscan, pshmem_ulonglong_sum_exscan);
int pshmem_int8_sum_exscan(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_int8_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int8_t), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_int8_sum_exscan, pshmem_int8_sum_exscan);
int pshmem_int16_sum_exscan(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_int16_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int16_t), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_int16_sum_exscan, pshmem_int16_sum_exscan);
int pshmem_int32_sum_exscan(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_int32_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int32_t), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_int32_sum_exscan, pshmem_int32_sum_exscan);
int pshmem_int64_sum_exscan(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_int64_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int64_t), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_int64_sum_exscan, pshmem_int64_sum_exscan);
int pshmem_uint8_sum_exscan(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_uint8_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint8_t), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_uint8_sum_exscan, pshmem_uint8_sum_exscan);
int pshmem_uint16_sum_exscan(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_uint16_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint16_t), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_uint16_sum_exscan, pshmem_uint16_sum_exscan);
int pshmem_uint32_sum_exscan(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_uint32_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint32_t), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_uint32_sum_exscan, pshmem_uint32_sum_exscan);
int pshmem_uint64_sum_exscan(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_uint64_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(uint64_t), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_uint64_sum_exscan, pshmem_uint64_sum_exscan);
int pshmem_size_sum_exscan(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_size_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_UNSIGNED(size_t), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_size_sum_exscan, pshmem_size_sum_exscan);
int pshmem_ptrdiff_sum_exscan(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce)
{ return philae_shmem_scan("shmem_ptrdiff_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(ptrdiff_t), PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_ptrdiff_sum_exscan, pshmem_ptrdiff_sum_exscan);
int pshmem_complexd_sum_exscan(shmem_team_t team, philae_shmem_complexd *dest, const philae_shmem_complexd *source, size_t nreduce)
{ return philae_shmem_scan("shmem_complexd_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_C64, PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_complexd_sum_exscan, pshmem_complexd_sum_exscan);
int pshmem_complexf_sum_exscan(shmem_team_t team, philae_shmem_complexf *dest, const philae_shmem_complexf *source, size_t nreduce)
{ return philae_shmem_scan("shmem_complexf_sum_exscan", team, dest, source, nreduce, PHILAE_SHMEM_C32, PHILAE_SHMEM_REDUCE_SUM, 1); }
ALIAS(shmem_complexf_sum_exscan, pshmem_complexf_sum_exscan);
void pshmem_set_lock(long *lock)
{ philae_shmem_set_lock("shmem_set_lock", lock); }
ALIAS(shmem_set_lock, pshmem_set_lock);
void pshmem_clear_lock(long *lock)
{ philae_shmem_clear_lock("shmem_clear_lock", lock); }
ALIAS(shmem_clear_lock, pshmem_clear_lock);
int pshmem_test_lock(long *lock)
{ return philae_shmem_test_lock("shmem_test_lock", lock); }
ALIAS(shmem_test_lock, pshmem_test_lock);
void pshmem_pcontrol(int level, ...)
{ (void)level; }
ALIAS(shmem_pcontrol, pshmem_pcontrol);
void start_pes(int npes)
{ (void)npes; philae_shmem_start_pes("start_pes"); }
int _my_pe(void)
{ return shmem_my_pe(); }
int _num_pes(void)
{ return shmem_n_pes(); }
void *shmalloc(size_t size)
{ return philae_shmem_malloc("shmalloc", size, 0); }
void shfree(void *ptr)
{ philae_shmem_free("shfree", ptr); }
void *shrealloc(void *ptr, size_t size)
{ return philae_shmem_realloc("shrealloc", ptr, size); }
void *shmemalign(size_t alignment, size_t size)
{ return philae_shmem_align("shmemalign", alignment, size); }
void pshmem_clear_cache_inv(void)
{  }
ALIAS(shmem_clear_cache_inv, pshmem_clear_cache_inv);
void pshmem_set_cache_inv(void)
{  }
ALIAS(shmem_set_cache_inv, pshmem_set_cache_inv);
void pshmem_clear_cache_line_inv(void *dest)
{ (void)dest; }
ALIAS(shmem_clear_cache_line_inv, pshmem_clear_cache_line_inv);
void pshmem_set_cache_line_inv(void *dest)
{ (void)dest; }
ALIAS(shmem_set_cache_line_inv, pshmem_set_cache_line_inv);
void pshmem_udcflush(void)
{  }
ALIAS(shmem_udcflush, pshmem_udcflush);
void pshmem_udcflush_line(void *dest)
{ (void)dest; }
ALIAS(shmem_udcflush_line, pshmem_udcflush_line);
float pshmem_float_fetch(const float *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_float_fetch", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, source, pe)
ALIAS(shmem_float_fetch, pshmem_float_fetch);
double pshmem_double_fetch(const double *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_double_fetch", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, source, pe)
ALIAS(shmem_double_fetch, pshmem_double_fetch);
int pshmem_int_fetch(const int *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_int_fetch", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), source, pe)
ALIAS(shmem_int_fetch, pshmem_int_fetch);
long pshmem_long_fetch(const long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_long_fetch", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), source, pe)
ALIAS(shmem_long_fetch, pshmem_long_fetch);
long long pshmem_longlong_fetch(const long long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_longlong_fetch", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), source, pe)
ALIAS(shmem_longlong_fetch, pshmem_longlong_fetch);
unsigned int pshmem_uint_fetch(const unsigned int *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_uint_fetch", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), source, pe)
ALIAS(shmem_uint_fetch, pshmem_uint_fetch);
unsigned long pshmem_ulong_fetch(const unsigned long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ulong_fetch", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), source, pe)
ALIAS(shmem_ulong_fetch, pshmem_ulong_fetch);
unsigned long long pshmem_ulonglong_fetch(const unsigned long long *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ulonglong_fetch", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), source, pe)
ALIAS(shmem_ulonglong_fetch, pshmem_ulonglong_fetch);
int32_t pshmem_int32_fetch(const int32_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_int32_fetch", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), source, pe)
ALIAS(shmem_int32_fetch, pshmem_int32_fetch);
int64_t pshmem_int64_fetch(const int64_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_int64_fetch", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), source, pe)
ALIAS(shmem_int64_fetch, pshmem_int64_fetch);
uint32_t pshmem_uint32_fetch(const uint32_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_uint32_fetch", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), source, pe)
ALIAS(shmem_uint32_fetch, pshmem_uint32_fetch);
uint64_t pshmem_uint64_fetch(const uint64_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_uint64_fetch", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), source, pe)
ALIAS(shmem_uint64_fetch, pshmem_uint64_fetch);
size_t pshmem_size_fetch(const size_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_size_fetch", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), source, pe)
ALIAS(shmem_size_fetch, pshmem_size_fetch);
ptrdiff_t pshmem_ptrdiff_fetch(const ptrdiff_t *source, int pe)
PHILAE_SHMEM_AMO_FETCHED("shmem_ptrdiff_fetch", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), source, pe)
ALIAS(shmem_ptrdiff_fetch, pshmem_ptrdiff_fetch);
void pshmem_float_set(float *dest, float value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_float_set", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, dest, value, pe)
ALIAS(shmem_float_set, pshmem_float_set);
void pshmem_double_set(double *dest, double value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_double_set", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, dest, value, pe)
ALIAS(shmem_double_set, pshmem_double_set);
void pshmem_int_set(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_int_set", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), dest, value, pe)
ALIAS(shmem_int_set, pshmem_int_set);
void pshmem_long_set(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_long_set", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), dest, value, pe)
ALIAS(shmem_long_set, pshmem_long_set);
void pshmem_longlong_set(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_longlong_set", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), dest, value, pe)
ALIAS(shmem_longlong_set, pshmem_longlong_set);
void pshmem_uint_set(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_uint_set", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, value, pe)
ALIAS(shmem_uint_set, pshmem_uint_set);
void pshmem_ulong_set(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ulong_set", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, value, pe)
ALIAS(shmem_ulong_set, pshmem_ulong_set);
void pshmem_ulonglong_set(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ulonglong_set", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, value, pe)
ALIAS(shmem_ulonglong_set, pshmem_ulonglong_set);
void pshmem_int32_set(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_int32_set", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, value, pe)
ALIAS(shmem_int32_set, pshmem_int32_set);
void pshmem_int64_set(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_int64_set", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, value, pe)
ALIAS(shmem_int64_set, pshmem_int64_set);
void pshmem_uint32_set(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_uint32_set", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, value, pe)
ALIAS(shmem_uint32_set, pshmem_uint32_set);
void pshmem_uint64_set(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_uint64_set", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, value, pe)
ALIAS(shmem_uint64_set, pshmem_uint64_set);
void pshmem_size_set(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_size_set", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, value, pe)
ALIAS(shmem_size_set, pshmem_size_set);
void pshmem_ptrdiff_set(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_STORED("shmem_ptrdiff_set", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, value, pe)
ALIAS(shmem_ptrdiff_set, pshmem_ptrdiff_set);
int pshmem_int_cswap(int *dest, int cond, int value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_int_cswap", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), dest, cond, value, pe)
ALIAS(shmem_int_cswap, pshmem_int_cswap);
long pshmem_long_cswap(long *dest, long cond, long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_long_cswap", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), dest, cond, value, pe)
ALIAS(shmem_long_cswap, pshmem_long_cswap);
long long pshmem_longlong_cswap(long long *dest, long long cond, long long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_longlong_cswap", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), dest, cond, value, pe)
ALIAS(shmem_longlong_cswap, pshmem_longlong_cswap);
unsigned int pshmem_uint_cswap(unsigned int *dest, unsigned int cond, unsigned int value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_uint_cswap", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, cond, value, pe)
ALIAS(shmem_uint_cswap, pshmem_uint_cswap);
unsigned long pshmem_ulong_cswap(unsigned long *dest, unsigned long cond, unsigned long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ulong_cswap", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, cond, value, pe)
ALIAS(shmem_ulong_cswap, pshmem_ulong_cswap);
unsigned long long pshmem_ulonglong_cswap(unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ulonglong_cswap", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, cond, value, pe)
ALIAS(shmem_ulonglong_cswap, pshmem_ulonglong_cswap);
int32_t pshmem_int32_cswap(int32_t *dest, int32_t cond, int32_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_int32_cswap", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, cond, value, pe)
ALIAS(shmem_int32_cswap, pshmem_int32_cswap);
int64_t pshmem_int64_cswap(int64_t *dest, int64_t cond, int64_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_int64_cswap", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, cond, value, pe)
ALIAS(shmem_int64_cswap, pshmem_int64_cswap);
uint32_t pshmem_uint32_cswap(uint32_t *dest, uint32_t cond, uint32_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_uint32_cswap", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, cond, value, pe)
ALIAS(shmem_uint32_cswap, pshmem_uint32_cswap);
uint64_t pshmem_uint64_cswap(uint64_t *dest, uint64_t cond, uint64_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_uint64_cswap", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, cond, value, pe)
ALIAS(shmem_uint64_cswap, pshmem_uint64_cswap);
size_t pshmem_size_cswap(size_t *dest, size_t cond, size_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_size_cswap", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, cond, value, pe)
ALIAS(shmem_size_cswap, pshmem_size_cswap);
ptrdiff_t pshmem_ptrdiff_cswap(ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmem_ptrdiff_cswap", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, cond, value, pe)
ALIAS(shmem_ptrdiff_cswap, pshmem_ptrdiff_cswap);
float pshmem_float_swap(float *dest, float value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_float_swap", SHMEM_CTX_DEFAULT, float, PHILAE_SHMEM_F32, dest, value, pe)
ALIAS(shmem_float_swap, pshmem_float_swap);
double pshmem_double_swap(double *dest, double value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_double_swap", SHMEM_CTX_DEFAULT, double, PHILAE_SHMEM_F64, dest, value, pe)
ALIAS(shmem_double_swap, pshmem_double_swap);
int pshmem_int_swap(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_int_swap", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), dest, value, pe)
ALIAS(shmem_int_swap, pshmem_int_swap);
long pshmem_long_swap(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_long_swap", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), dest, value, pe)
ALIAS(shmem_long_swap, pshmem_long_swap);
long long pshmem_longlong_swap(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_longlong_swap", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), dest, value, pe)
ALIAS(shmem_longlong_swap, pshmem_longlong_swap);
unsigned int pshmem_uint_swap(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_uint_swap", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), dest, value, pe)
ALIAS(shmem_uint_swap, pshmem_uint_swap);
unsigned long pshmem_ulong_swap(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ulong_swap", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), dest, value, pe)
ALIAS(shmem_ulong_swap, pshmem_ulong_swap);
unsigned long long pshmem_ulonglong_swap(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ulonglong_swap", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), dest, value, pe)
ALIAS(shmem_ulonglong_swap, pshmem_ulonglong_swap);
int32_t pshmem_int32_swap(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_int32_swap", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), dest, value, pe)
ALIAS(shmem_int32_swap, pshmem_int32_swap);
int64_t pshmem_int64_swap(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_int64_swap", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), dest, value, pe)
ALIAS(shmem_int64_swap, pshmem_int64_swap);
uint32_t pshmem_uint32_swap(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_uint32_swap", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), dest, value, pe)
ALIAS(shmem_uint32_swap, pshmem_uint32_swap);
uint64_t pshmem_uint64_swap(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_uint64_swap", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), dest, value, pe)
ALIAS(shmem_uint64_swap, pshmem_uint64_swap);
size_t pshmem_size_swap(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_size_swap", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), dest, value, pe)
ALIAS(shmem_size_swap, pshmem_size_swap);
ptrdiff_t pshmem_ptrdiff_swap(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmem_ptrdiff_swap", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), dest, value, pe)
ALIAS(shmem_ptrdiff_swap, pshmem_ptrdiff_swap);
int pshmem_int_finc(int *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int_finc", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, 1, pe)
ALIAS(shmem_int_finc, pshmem_int_finc);
long pshmem_long_finc(long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_long_finc", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, 1, pe)
ALIAS(shmem_long_finc, pshmem_long_finc);
long long pshmem_longlong_finc(long long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_longlong_finc", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, 1, pe)
ALIAS(shmem_longlong_finc, pshmem_longlong_finc);
unsigned int pshmem_uint_finc(unsigned int *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_finc", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, 1, pe)
ALIAS(shmem_uint_finc, pshmem_uint_finc);
unsigned long pshmem_ulong_finc(unsigned long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_finc", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, 1, pe)
ALIAS(shmem_ulong_finc, pshmem_ulong_finc);
unsigned long long pshmem_ulonglong_finc(unsigned long long *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_finc", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, 1, pe)
ALIAS(shmem_ulonglong_finc, pshmem_ulonglong_finc);
int32_t pshmem_int32_finc(int32_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_finc", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, 1, pe)
ALIAS(shmem_int32_finc, pshmem_int32_finc);
int64_t pshmem_int64_finc(int64_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_finc", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, 1, pe)
ALIAS(shmem_int64_finc, pshmem_int64_finc);
uint32_t pshmem_uint32_finc(uint32_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_finc", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, 1, pe)
ALIAS(shmem_uint32_finc, pshmem_uint32_finc);
uint64_t pshmem_uint64_finc(uint64_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_finc", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, 1, pe)
ALIAS(shmem_uint64_finc, pshmem_uint64_finc);
size_t pshmem_size_finc(size_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_size_finc", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, 1, pe)
ALIAS(shmem_size_finc, pshmem_size_finc);
ptrdiff_t pshmem_ptrdiff_finc(ptrdiff_t *dest, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ptrdiff_finc", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ptrdiff_finc, pshmem_ptrdiff_finc);
void pshmem_int_inc(int *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int_inc", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, 1, pe)
ALIAS(shmem_int_inc, pshmem_int_inc);
void pshmem_long_inc(long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_long_inc", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, 1, pe)
ALIAS(shmem_long_inc, pshmem_long_inc);
void pshmem_longlong_inc(long long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_longlong_inc", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, 1, pe)
ALIAS(shmem_longlong_inc, pshmem_longlong_inc);
void pshmem_uint_inc(unsigned int *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_inc", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, 1, pe)
ALIAS(shmem_uint_inc, pshmem_uint_inc);
void pshmem_ulong_inc(unsigned long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_inc", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, 1, pe)
ALIAS(shmem_ulong_inc, pshmem_ulong_inc);
void pshmem_ulonglong_inc(unsigned long long *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_inc", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, 1, pe)
ALIAS(shmem_ulonglong_inc, pshmem_ulonglong_inc);
void pshmem_int32_inc(int32_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_inc", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, 1, pe)
ALIAS(shmem_int32_inc, pshmem_int32_inc);
void pshmem_int64_inc(int64_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_inc", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, 1, pe)
ALIAS(shmem_int64_inc, pshmem_int64_inc);
void pshmem_uint32_inc(uint32_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_inc", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, 1, pe)
ALIAS(shmem_uint32_inc, pshmem_uint32_inc);
void pshmem_uint64_inc(uint64_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_inc", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, 1, pe)
ALIAS(shmem_uint64_inc, pshmem_uint64_inc);
void pshmem_size_inc(size_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_size_inc", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, 1, pe)
ALIAS(shmem_size_inc, pshmem_size_inc);
void pshmem_ptrdiff_inc(ptrdiff_t *dest, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ptrdiff_inc", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, 1, pe)
ALIAS(shmem_ptrdiff_inc, pshmem_ptrdiff_inc);
int pshmem_int_fadd(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int_fadd", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, value, pe)
ALIAS(shmem_int_fadd, pshmem_int_fadd);
long pshmem_long_fadd(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_long_fadd", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, value, pe)
ALIAS(shmem_long_fadd, pshmem_long_fadd);
long long pshmem_longlong_fadd(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_longlong_fadd", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, value, pe)
ALIAS(shmem_longlong_fadd, pshmem_longlong_fadd);
unsigned int pshmem_uint_fadd(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint_fadd", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, value, pe)
ALIAS(shmem_uint_fadd, pshmem_uint_fadd);
unsigned long pshmem_ulong_fadd(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulong_fadd", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, value, pe)
ALIAS(shmem_ulong_fadd, pshmem_ulong_fadd);
unsigned long long pshmem_ulonglong_fadd(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ulonglong_fadd", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, value, pe)
ALIAS(shmem_ulonglong_fadd, pshmem_ulonglong_fadd);
int32_t pshmem_int32_fadd(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int32_fadd", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, value, pe)
ALIAS(shmem_int32_fadd, pshmem_int32_fadd);
int64_t pshmem_int64_fadd(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_int64_fadd", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, value, pe)
ALIAS(shmem_int64_fadd, pshmem_int64_fadd);
uint32_t pshmem_uint32_fadd(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint32_fadd", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, value, pe)
ALIAS(shmem_uint32_fadd, pshmem_uint32_fadd);
uint64_t pshmem_uint64_fadd(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_uint64_fadd", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, value, pe)
ALIAS(shmem_uint64_fadd, pshmem_uint64_fadd);
size_t pshmem_size_fadd(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_size_fadd", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, value, pe)
ALIAS(shmem_size_fadd, pshmem_size_fadd);
ptrdiff_t pshmem_ptrdiff_fadd(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmem_ptrdiff_fadd", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, value, pe)
ALIAS(shmem_ptrdiff_fadd, pshmem_ptrdiff_fadd);
void pshmem_int_add(int *dest, int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int_add", SHMEM_CTX_DEFAULT, int, PHILAE_SHMEM_SIGNED(int), add, ADD, dest, value, pe)
ALIAS(shmem_int_add, pshmem_int_add);
void pshmem_long_add(long *dest, long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_long_add", SHMEM_CTX_DEFAULT, long, PHILAE_SHMEM_SIGNED(long), add, ADD, dest, value, pe)
ALIAS(shmem_long_add, pshmem_long_add);
void pshmem_longlong_add(long long *dest, long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_longlong_add", SHMEM_CTX_DEFAULT, long long, PHILAE_SHMEM_SIGNED(long long), add, ADD, dest, value, pe)
ALIAS(shmem_longlong_add, pshmem_longlong_add);
void pshmem_uint_add(unsigned int *dest, unsigned int value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint_add", SHMEM_CTX_DEFAULT, unsigned int, PHILAE_SHMEM_UNSIGNED(unsigned int), add, ADD, dest, value, pe)
ALIAS(shmem_uint_add, pshmem_uint_add);
void pshmem_ulong_add(unsigned long *dest, unsigned long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulong_add", SHMEM_CTX_DEFAULT, unsigned long, PHILAE_SHMEM_UNSIGNED(unsigned long), add, ADD, dest, value, pe)
ALIAS(shmem_ulong_add, pshmem_ulong_add);
void pshmem_ulonglong_add(unsigned long long *dest, unsigned long long value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ulonglong_add", SHMEM_CTX_DEFAULT, unsigned long long, PHILAE_SHMEM_UNSIGNED(unsigned long long), add, ADD, dest, value, pe)
ALIAS(shmem_ulonglong_add, pshmem_ulonglong_add);
void pshmem_int32_add(int32_t *dest, int32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int32_add", SHMEM_CTX_DEFAULT, int32_t, PHILAE_SHMEM_SIGNED(int32_t), add, ADD, dest, value, pe)
ALIAS(shmem_int32_add, pshmem_int32_add);
void pshmem_int64_add(int64_t *dest, int64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_int64_add", SHMEM_CTX_DEFAULT, int64_t, PHILAE_SHMEM_SIGNED(int64_t), add, ADD, dest, value, pe)
ALIAS(shmem_int64_add, pshmem_int64_add);
void pshmem_uint32_add(uint32_t *dest, uint32_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint32_add", SHMEM_CTX_DEFAULT, uint32_t, PHILAE_SHMEM_UNSIGNED(uint32_t), add, ADD, dest, value, pe)
ALIAS(shmem_uint32_add, pshmem_uint32_add);
void pshmem_uint64_add(uint64_t *dest, uint64_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_uint64_add", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_UNSIGNED(uint64_t), add, ADD, dest, value, pe)
ALIAS(shmem_uint64_add, pshmem_uint64_add);
void pshmem_size_add(size_t *dest, size_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_size_add", SHMEM_CTX_DEFAULT, size_t, PHILAE_SHMEM_UNSIGNED(size_t), add, ADD, dest, value, pe)
ALIAS(shmem_size_add, pshmem_size_add);
void pshmem_ptrdiff_add(ptrdiff_t *dest, ptrdiff_t value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmem_ptrdiff_add", SHMEM_CTX_DEFAULT, ptrdiff_t, PHILAE_SHMEM_SIGNED(ptrdiff_t), add, ADD, dest, value, pe)
ALIAS(shmem_ptrdiff_add, pshmem_ptrdiff_add);
void pshmem_wait(long *ivar, long cmp_value)
PHILAE_SHMEM_WAITED("shmem_wait", long, PHILAE_SHMEM_SIGNED(long), ivar, PHILAE_SHMEM_CMP_NE, cmp_value)
ALIAS(shmem_wait, pshmem_wait);
void pshmem_short_wait(short *ivar, short cmp_value)
PHILAE_SHMEM_WAITED("shmem_short_wait", short, PHILAE_SHMEM_SIGNED(short), ivar, PHILAE_SHMEM_CMP_NE, cmp_value)
ALIAS(shmem_short_wait, pshmem_short_wait);
void pshmem_int_wait(int *ivar, int cmp_value)
PHILAE_SHMEM_WAITED("shmem_int_wait", int, PHILAE_SHMEM_SIGNED(int), ivar, PHILAE_SHMEM_CMP_NE, cmp_value)
ALIAS(shmem_int_wait, pshmem_int_wait);
void pshmem_long_wait(long *ivar, long cmp_value)
PHILAE_SHMEM_WAITED("shmem_long_wait", long, PHILAE_SHMEM_SIGNED(long), ivar, PHILAE_SHMEM_CMP_NE, cmp_value)
ALIAS(shmem_long_wait, pshmem_long_wait);
void pshmem_longlong_wait(long long *ivar, long long cmp_value)
PHILAE_SHMEM_WAITED("shmem_longlong_wait", long long, PHILAE_SHMEM_SIGNED(long long), ivar, PHILAE_SHMEM_CMP_NE, cmp_value)
ALIAS(shmem_longlong_wait, pshmem_longlong_wait);
void pshmem_wait_until(long *ivar, int cmp, long cmp_value)
PHILAE_SHMEM_WAITED("shmem_wait_until", long, PHILAE_SHMEM_SIGNED(long), ivar, cmp, cmp_value)
ALIAS(shmem_wait_until, pshmem_wait_until);
void pshmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_sync("shmem_barrier", set, pSync, 1); }
ALIAS(shmem_barrier, pshmem_barrier);
void pshmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_sync("shmem_sync", set, pSync, 0); }
ALIAS(shmem_sync, pshmem_sync);
void pshmem_alltoall32(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_alltoall("shmem_alltoall32", set, dest, source, nelems, 4, pSync); }
ALIAS(shmem_alltoall32, pshmem_alltoall32);
void pshmem_alltoall64(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_alltoall("shmem_alltoall64", set, dest, source, nelems, 8, pSync); }
ALIAS(shmem_alltoall64, pshmem_alltoall64);
void pshmem_alltoalls32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_alltoalls("shmem_alltoalls32", set, dest, source, dst, sst, nelems, 4, pSync); }
ALIAS(shmem_alltoalls32, pshmem_alltoalls32);
void pshmem_alltoalls64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_alltoalls("shmem_alltoalls64", set, dest, source, dst, sst, nelems, 8, pSync); }
ALIAS(shmem_alltoalls64, pshmem_alltoalls64);
void pshmem_broadcast32(void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_broadcast("shmem_broadcast32", set, dest, source, nelems, 4, PE_root, pSync); }
ALIAS(shmem_broadcast32, pshmem_broadcast32);
void pshmem_broadcast64(void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_broadcast("shmem_broadcast64", set, dest, source, nelems, 8, PE_root, pSync); }
ALIAS(shmem_broadcast64, pshmem_broadcast64);
void pshmem_collect32(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_collect("shmem_collect32", set, dest, source, nelems, 4, pSync); }
ALIAS(shmem_collect32, pshmem_collect32);
void pshmem_collect64(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_collect("shmem_collect64", set, dest, source, nelems, 8, pSync); }
ALIAS(shmem_collect64, pshmem_collect64);
void pshmem_fcollect32(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_fcollect("shmem_fcollect32", set, dest, source, nelems, 4, pSync); }
ALIAS(shmem_fcollect32, pshmem_fcollect32);
void pshmem_fcollect64(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_fcollect("shmem_fcollect64", set, dest, source, nelems, 8, pSync); }
ALIAS(shmem_fcollect64, pshmem_fcollect64);
void pshmem_short_and_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_short_and_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_AND, pSync); }
ALIAS(shmem_short_and_to_all, pshmem_short_and_to_all);
void pshmem_int_and_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_int_and_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_AND, pSync); }
ALIAS(shmem_int_and_to_all, pshmem_int_and_to_all);
void pshmem_long_and_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_long_and_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_AND, pSync); }
ALIAS(shmem_long_and_to_all, pshmem_long_and_to_all);
void pshmem_longlong_and_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_longlong_and_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_AND, pSync); }
ALIAS(shmem_longlong_and_to_all, pshmem_longlong_and_to_all);
void pshmem_short_or_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_short_or_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_OR, pSync); }
ALIAS(shmem_short_or_to_all, pshmem_short_or_to_all);
void pshmem_int_or_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_int_or_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_OR, pSync); }
ALIAS(shmem_int_or_to_all, pshmem_int_or_to_all);
void pshmem_long_or_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_long_or_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_OR, pSync); }
ALIAS(shmem_long_or_to_all, pshmem_long_or_to_all);
void pshmem_longlong_or_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_longlong_or_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_OR, pSync); }
ALIAS(shmem_longlong_or_to_all, pshmem_longlong_or_to_all);
void pshmem_short_xor_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_short_xor_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_XOR, pSync); }
ALIAS(shmem_short_xor_to_all, pshmem_short_xor_to_all);
void pshmem_int_xor_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_int_xor_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_XOR, pSync); }
ALIAS(shmem_int_xor_to_all, pshmem_int_xor_to_all);
void pshmem_long_xor_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_long_xor_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_XOR, pSync); }
ALIAS(shmem_long_xor_to_all, pshmem_long_xor_to_all);
void pshmem_longlong_xor_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_longlong_xor_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_XOR, pSync); }
ALIAS(shmem_longlong_xor_to_all, pshmem_longlong_xor_to_all);
void pshmem_short_max_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_short_max_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_MAX, pSync); }
ALIAS(shmem_short_max_to_all, pshmem_short_max_to_all);
void pshmem_int_max_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_int_max_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_MAX, pSync); }
ALIAS(shmem_int_max_to_all, pshmem_int_max_to_all);
void pshmem_long_max_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_long_max_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_MAX, pSync); }
ALIAS(shmem_long_max_to_all, pshmem_long_max_to_all);
void pshmem_longlong_max_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_longlong_max_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_MAX, pSync); }
ALIAS(shmem_longlong_max_to_all, pshmem_longlong_max_to_all);
void pshmem_float_max_to_all(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_float_max_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_MAX, pSync); }
ALIAS(shmem_float_max_to_all, pshmem_float_max_to_all);
void pshmem_double_max_to_all(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_double_max_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_MAX, pSync); }
ALIAS(shmem_double_max_to_all, pshmem_double_max_to_all);
void pshmem_longdouble_max_to_all(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_longdouble_max_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_MAX, pSync); }
ALIAS(shmem_longdouble_max_to_all, pshmem_longdouble_max_to_all);
void pshmem_short_min_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_short_min_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_MIN, pSync); }
ALIAS(shmem_short_min_to_all, pshmem_short_min_to_all);
void pshmem_int_min_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_int_min_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_MIN, pSync); }
ALIAS(shmem_int_min_to_all, pshmem_int_min_to_all);
void pshmem_long_min_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_long_min_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_MIN, pSync); }
ALIAS(shmem_long_min_to_all, pshmem_long_min_to_all);
void pshmem_longlong_min_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_longlong_min_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_MIN, pSync); }
ALIAS(shmem_longlong_min_to_all, pshmem_longlong_min_to_all);
void pshmem_float_min_to_all(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_float_min_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_MIN, pSync); }
ALIAS(shmem_float_min_to_all, pshmem_float_min_to_all);
void pshmem_double_min_to_all(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_double_min_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_MIN, pSync); }
ALIAS(shmem_double_min_to_all, pshmem_double_min_to_all);
void pshmem_longdouble_min_to_all(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_longdouble_min_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_MIN, pSync); }
ALIAS(shmem_longdouble_min_to_all, pshmem_longdouble_min_to_all);
void pshmem_short_sum_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_short_sum_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_SUM, pSync); }
ALIAS(shmem_short_sum_to_all, pshmem_short_sum_to_all);
void pshmem_int_sum_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_int_sum_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_SUM, pSync); }
ALIAS(shmem_int_sum_to_all, pshmem_int_sum_to_all);
void pshmem_long_sum_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_long_sum_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_SUM, pSync); }
ALIAS(shmem_long_sum_to_all, pshmem_long_sum_to_all);
void pshmem_longlong_sum_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_longlong_sum_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_SUM, pSync); }
ALIAS(shmem_longlong_sum_to_all, pshmem_longlong_sum_to_all);
void pshmem_float_sum_to_all(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_float_sum_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_SUM, pSync); }
ALIAS(shmem_float_sum_to_all, pshmem_float_sum_to_all);
void pshmem_double_sum_to_all(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_double_sum_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_SUM, pSync); }
ALIAS(shmem_double_sum_to_all, pshmem_double_sum_to_all);
void pshmem_longdouble_sum_to_all(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_longdouble_sum_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_SUM, pSync); }
ALIAS(shmem_longdouble_sum_to_all, pshmem_longdouble_sum_to_all);
void pshmem_complexd_sum_to_all(philae_shmem_complexd *dest, const philae_shmem_complexd *source, int nreduce, int PE_start, int logPE_stride, int PE_size, philae_shmem_complexd *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_complexd_sum_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_C64, PHILAE_SHMEM_REDUCE_SUM, pSync); }
ALIAS(shmem_complexd_sum_to_all, pshmem_complexd_sum_to_all);
void pshmem_complexf_sum_to_all(philae_shmem_complexf *dest, const philae_shmem_complexf *source, int nreduce, int PE_start, int logPE_stride, int PE_size, philae_shmem_complexf *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_complexf_sum_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_C32, PHILAE_SHMEM_REDUCE_SUM, pSync); }
ALIAS(shmem_complexf_sum_to_all, pshmem_complexf_sum_to_all);
void pshmem_short_prod_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_short_prod_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_PROD, pSync); }
ALIAS(shmem_short_prod_to_all, pshmem_short_prod_to_all);
void pshmem_int_prod_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_int_prod_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_PROD, pSync); }
ALIAS(shmem_int_prod_to_all, pshmem_int_prod_to_all);
void pshmem_long_prod_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_long_prod_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_PROD, pSync); }
ALIAS(shmem_long_prod_to_all, pshmem_long_prod_to_all);
void pshmem_longlong_prod_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_longlong_prod_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_PROD, pSync); }
ALIAS(shmem_longlong_prod_to_all, pshmem_longlong_prod_to_all);
void pshmem_float_prod_to_all(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_float_prod_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_PROD, pSync); }
ALIAS(shmem_float_prod_to_all, pshmem_float_prod_to_all);
void pshmem_double_prod_to_all(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_double_prod_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_PROD, pSync); }
ALIAS(shmem_double_prod_to_all, pshmem_double_prod_to_all);
void pshmem_longdouble_prod_to_all(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_longdouble_prod_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_PROD, pSync); }
ALIAS(shmem_longdouble_prod_to_all, pshmem_longdouble_prod_to_all);
void pshmem_complexd_prod_to_all(philae_shmem_complexd *dest, const philae_shmem_complexd *source, int nreduce, int PE_start, int logPE_stride, int PE_size, philae_shmem_complexd *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_complexd_prod_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_C64, PHILAE_SHMEM_REDUCE_PROD, pSync); }
ALIAS(shmem_complexd_prod_to_all, pshmem_complexd_prod_to_all);
void pshmem_complexf_prod_to_all(philae_shmem_complexf *dest, const philae_shmem_complexf *source, int nreduce, int PE_start, int logPE_stride, int PE_size, philae_shmem_complexf *pWrk, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; (void)pWrk; philae_shmem_set_reduce("shmem_complexf_prod_to_all", set, dest, source, (size_t)nreduce, PHILAE_SHMEM_C32, PHILAE_SHMEM_REDUCE_PROD, pSync); }
ALIAS(shmem_complexf_prod_to_all, pshmem_complexf_prod_to_all);
void pshmemx_session_start(shmem_ctx_t ctx, long options)
{ philae_shmem_ctx_session_start("shmemx_session_start", ctx, options, 0, 0); }
ALIAS(shmemx_session_start, pshmemx_session_start);
void pshmemx_ctx_session_start(shmem_ctx_t ctx, int options)
{ philae_shmem_ctx_session_start("shmemx_ctx_session_start", ctx, options, 0, 0); }
ALIAS(shmemx_ctx_session_start, pshmemx_ctx_session_start);
void pshmemx_session_stop(shmem_ctx_t ctx)
{ philae_shmem_ctx_session_stop("shmemx_session_stop", ctx); }
ALIAS(shmemx_session_stop, pshmemx_session_stop);
void pshmemx_ctx_session_stop(shmem_ctx_t ctx)
{ philae_shmem_ctx_session_stop("shmemx_ctx_session_stop", ctx); }
ALIAS(shmemx_ctx_session_stop, pshmemx_ctx_session_stop);
void pshmemx_local_complete(void)
{ philae_shmem_local_complete("shmemx_local_complete", SHMEM_CTX_DEFAULT); }
ALIAS(shmemx_local_complete, pshmemx_local_complete);
void pshmemx_ctx_local_complete(shmem_ctx_t ctx)
{ philae_shmem_local_complete("shmemx_ctx_local_complete", ctx); }
ALIAS(shmemx_ctx_local_complete, pshmemx_ctx_local_complete);
void pshmemx_pe_quiet(int pe)
{ philae_shmem_pe_quiet("shmemx_pe_quiet", SHMEM_CTX_DEFAULT, &pe, 1); }
ALIAS(shmemx_pe_quiet, pshmemx_pe_quiet);
int pshmemx_init_thread(int requested)
{ int provided = -1; (void)philae_shmem_init("shmemx_init_thread", requested, &provided); return provided; }
ALIAS(shmemx_init_thread, pshmemx_init_thread);
int pshmemx_query_thread(void)
{ return philae_shmem_thread_level("shmemx_query_thread"); }
ALIAS(shmemx_query_thread, pshmemx_query_thread);
void pshmemx_thread_register(void)
{ philae_shmem_thread_register("shmemx_thread_register"); }
ALIAS(shmemx_thread_register, pshmemx_thread_register);
void pshmemx_thread_unregister(void)
{ philae_shmem_thread_unregister("shmemx_thread_unregister"); }
ALIAS(shmemx_thread_unregister, pshmemx_thread_unregister);
void pshmemx_thread_quiet(void)
{ philae_shmem_thread_quiet("shmemx_thread_quiet"); }
ALIAS(shmemx_thread_quiet, pshmemx_thread_quiet);
void pshmemx_thread_fence(void)
{ philae_shmem_thread_fence("shmemx_thread_fence"); }
ALIAS(shmemx_thread_fence, pshmemx_thread_fence);
short pshmemx_short_fadd(short *target, short value, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmemx_short_fadd", SHMEM_CTX_DEFAULT, short, PHILAE_SHMEM_I16, add, ADD, target, value, pe)
ALIAS(shmemx_short_fadd, pshmemx_short_fadd);
void pshmemx_short_add(short *target, short value, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmemx_short_add", SHMEM_CTX_DEFAULT, short, PHILAE_SHMEM_I16, add, ADD, target, value, pe)
ALIAS(shmemx_short_add, pshmemx_short_add);
short pshmemx_short_finc(short *target, int pe)
PHILAE_SHMEM_AMO_FETCH_CHANGED("shmemx_short_finc", SHMEM_CTX_DEFAULT, short, PHILAE_SHMEM_I16, add, ADD, target, 1, pe)
ALIAS(shmemx_short_finc, pshmemx_short_finc);
void pshmemx_short_inc(short *target, int pe)
PHILAE_SHMEM_AMO_CHANGED("shmemx_short_inc", SHMEM_CTX_DEFAULT, short, PHILAE_SHMEM_I16, add, ADD, target, 1, pe)
ALIAS(shmemx_short_inc, pshmemx_short_inc);
short pshmemx_short_swap(short *target, short value, int pe)
PHILAE_SHMEM_AMO_SWAPPED("shmemx_short_swap", SHMEM_CTX_DEFAULT, short, PHILAE_SHMEM_I16, target, value, pe)
ALIAS(shmemx_short_swap, pshmemx_short_swap);
short pshmemx_short_cswap(short *target, short cond, short value, int pe)
PHILAE_SHMEM_AMO_COMPARED("shmemx_short_cswap", SHMEM_CTX_DEFAULT, short, PHILAE_SHMEM_I16, target, cond, value, pe)
ALIAS(shmemx_short_cswap, pshmemx_short_cswap);
void pshmemx_int_fadd_nb(int *fetch, int *target, int value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_int_fadd_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(int), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_int_fadd_nb, pshmemx_int_fadd_nb);
void pshmemx_long_fadd_nb(long *fetch, long *target, long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_long_fadd_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(long), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_long_fadd_nb, pshmemx_long_fadd_nb);
void pshmemx_longlong_fadd_nb(long long *fetch, long long *target, long long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_longlong_fadd_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(long long), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_longlong_fadd_nb, pshmemx_longlong_fadd_nb);
void pshmemx_uint_fadd_nb(unsigned int *fetch, unsigned int *target, unsigned int value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_uint_fadd_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(unsigned int), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_uint_fadd_nb, pshmemx_uint_fadd_nb);
void pshmemx_ulong_fadd_nb(unsigned long *fetch, unsigned long *target, unsigned long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_ulong_fadd_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(unsigned long), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_ulong_fadd_nb, pshmemx_ulong_fadd_nb);
void pshmemx_ulonglong_fadd_nb(unsigned long long *fetch, unsigned long long *target, unsigned long long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_ulonglong_fadd_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(unsigned long long), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_ulonglong_fadd_nb, pshmemx_ulonglong_fadd_nb);
void pshmemx_int32_fadd_nb(int32_t *fetch, int32_t *target, int32_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_int32_fadd_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(int32_t), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_int32_fadd_nb, pshmemx_int32_fadd_nb);
void pshmemx_int64_fadd_nb(int64_t *fetch, int64_t *target, int64_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_int64_fadd_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(int64_t), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_int64_fadd_nb, pshmemx_int64_fadd_nb);
void pshmemx_uint32_fadd_nb(uint32_t *fetch, uint32_t *target, uint32_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_uint32_fadd_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(uint32_t), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_uint32_fadd_nb, pshmemx_uint32_fadd_nb);
void pshmemx_uint64_fadd_nb(uint64_t *fetch, uint64_t *target, uint64_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_uint64_fadd_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(uint64_t), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_uint64_fadd_nb, pshmemx_uint64_fadd_nb);
void pshmemx_size_fadd_nb(size_t *fetch, size_t *target, size_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_size_fadd_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(size_t), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_size_fadd_nb, pshmemx_size_fadd_nb);
void pshmemx_ptrdiff_fadd_nb(ptrdiff_t *fetch, ptrdiff_t *target, ptrdiff_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_ptrdiff_fadd_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(ptrdiff_t), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_ptrdiff_fadd_nb, pshmemx_ptrdiff_fadd_nb);
void pshmemx_int_finc_nb(int *fetch, int *target, int pe, void **transfer_handle)
{ const int philae_one = 1; philae_shmem_amo_handle("shmemx_int_finc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(int), target, &philae_one, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_int_finc_nb, pshmemx_int_finc_nb);
void pshmemx_long_finc_nb(long *fetch, long *target, int pe, void **transfer_handle)
{ const long philae_one = 1; philae_shmem_amo_handle("shmemx_long_finc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(long), target, &philae_one, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_long_finc_nb, pshmemx_long_finc_nb);
void pshmemx_longlong_finc_nb(long long *fetch, long long *target, int pe, void **transfer_handle)
{ const long long philae_one = 1; philae_shmem_amo_handle("shmemx_longlong_finc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(long long), target, &philae_one, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_longlong_finc_nb, pshmemx_longlong_finc_nb);
void pshmemx_uint_finc_nb(unsigned int *fetch, unsigned int *target, int pe, void **transfer_handle)
{ const unsigned int philae_one = 1; philae_shmem_amo_handle("shmemx_uint_finc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(unsigned int), target, &philae_one, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_uint_finc_nb, pshmemx_uint_finc_nb);
void pshmemx_ulong_finc_nb(unsigned long *fetch, unsigned long *target, int pe, void **transfer_handle)
{ const unsigned long philae_one = 1; philae_shmem_amo_handle("shmemx_ulong_finc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(unsigned long), target, &philae_one, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_ulong_finc_nb, pshmemx_ulong_finc_nb);
void pshmemx_ulonglong_finc_nb(unsigned long long *fetch, unsigned long long *target, int pe, void **transfer_handle)
{ const unsigned long long philae_one = 1; philae_shmem_amo_handle("shmemx_ulonglong_finc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(unsigned long long), target, &philae_one, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_ulonglong_finc_nb, pshmemx_ulonglong_finc_nb);
void pshmemx_int32_finc_nb(int32_t *fetch, int32_t *target, int pe, void **transfer_handle)
{ const int32_t philae_one = 1; philae_shmem_amo_handle("shmemx_int32_finc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(int32_t), target, &philae_one, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_int32_finc_nb, pshmemx_int32_finc_nb);
void pshmemx_int64_finc_nb(int64_t *fetch, int64_t *target, int pe, void **transfer_handle)
{ const int64_t philae_one = 1; philae_shmem_amo_handle("shmemx_int64_finc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(int64_t), target, &philae_one, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_int64_finc_nb, pshmemx_int64_finc_nb);
void pshmemx_uint32_finc_nb(uint32_t *fetch, uint32_t *target, int pe, void **transfer_handle)
{ const uint32_t philae_one = 1; philae_shmem_amo_handle("shmemx_uint32_finc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(uint32_t), target, &philae_one, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_uint32_finc_nb, pshmemx_uint32_finc_nb);
void pshmemx_uint64_finc_nb(uint64_t *fetch, uint64_t *target, int pe, void **transfer_handle)
{ const uint64_t philae_one = 1; philae_shmem_amo_handle("shmemx_uint64_finc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(uint64_t), target, &philae_one, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_uint64_finc_nb, pshmemx_uint64_finc_nb);
void pshmemx_size_finc_nb(size_t *fetch, size_t *target, int pe, void **transfer_handle)
{ const size_t philae_one = 1; philae_shmem_amo_handle("shmemx_size_finc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(size_t), target, &philae_one, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_size_finc_nb, pshmemx_size_finc_nb);
void pshmemx_ptrdiff_finc_nb(ptrdiff_t *fetch, ptrdiff_t *target, int pe, void **transfer_handle)
{ const ptrdiff_t philae_one = 1; philae_shmem_amo_handle("shmemx_ptrdiff_finc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(ptrdiff_t), target, &philae_one, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_ptrdiff_finc_nb, pshmemx_ptrdiff_finc_nb);
void pshmemx_int_swap_nb(int *fetch, int *target, int value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_int_swap_nb", PHILAE_SHMEM_AMO_SET, PHILAE_SHMEM_SIGNED(int), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_int_swap_nb, pshmemx_int_swap_nb);
void pshmemx_long_swap_nb(long *fetch, long *target, long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_long_swap_nb", PHILAE_SHMEM_AMO_SET, PHILAE_SHMEM_SIGNED(long), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_long_swap_nb, pshmemx_long_swap_nb);
void pshmemx_longlong_swap_nb(long long *fetch, long long *target, long long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_longlong_swap_nb", PHILAE_SHMEM_AMO_SET, PHILAE_SHMEM_SIGNED(long long), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_longlong_swap_nb, pshmemx_longlong_swap_nb);
void pshmemx_uint_swap_nb(unsigned int *fetch, unsigned int *target, unsigned int value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_uint_swap_nb", PHILAE_SHMEM_AMO_SET, PHILAE_SHMEM_UNSIGNED(unsigned int), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_uint_swap_nb, pshmemx_uint_swap_nb);
void pshmemx_ulong_swap_nb(unsigned long *fetch, unsigned long *target, unsigned long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_ulong_swap_nb", PHILAE_SHMEM_AMO_SET, PHILAE_SHMEM_UNSIGNED(unsigned long), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_ulong_swap_nb, pshmemx_ulong_swap_nb);
void pshmemx_ulonglong_swap_nb(unsigned long long *fetch, unsigned long long *target, unsigned long long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_ulonglong_swap_nb", PHILAE_SHMEM_AMO_SET, PHILAE_SHMEM_UNSIGNED(unsigned long long), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_ulonglong_swap_nb, pshmemx_ulonglong_swap_nb);
void pshmemx_int32_swap_nb(int32_t *fetch, int32_t *target, int32_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_int32_swap_nb", PHILAE_SHMEM_AMO_SET, PHILAE_SHMEM_SIGNED(int32_t), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_int32_swap_nb, pshmemx_int32_swap_nb);
void pshmemx_int64_swap_nb(int64_t *fetch, int64_t *target, int64_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_int64_swap_nb", PHILAE_SHMEM_AMO_SET, PHILAE_SHMEM_SIGNED(int64_t), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_int64_swap_nb, pshmemx_int64_swap_nb);
void pshmemx_uint32_swap_nb(uint32_t *fetch, uint32_t *target, uint32_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_uint32_swap_nb", PHILAE_SHMEM_AMO_SET, PHILAE_SHMEM_UNSIGNED(uint32_t), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_uint32_swap_nb, pshmemx_uint32_swap_nb);
void pshmemx_uint64_swap_nb(uint64_t *fetch, uint64_t *target, uint64_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_uint64_swap_nb", PHILAE_SHMEM_AMO_SET, PHILAE_SHMEM_UNSIGNED(uint64_t), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_uint64_swap_nb, pshmemx_uint64_swap_nb);
void pshmemx_size_swap_nb(size_t *fetch, size_t *target, size_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_size_swap_nb", PHILAE_SHMEM_AMO_SET, PHILAE_SHMEM_UNSIGNED(size_t), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_size_swap_nb, pshmemx_size_swap_nb);
void pshmemx_ptrdiff_swap_nb(ptrdiff_t *fetch, ptrdiff_t *target, ptrdiff_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_ptrdiff_swap_nb", PHILAE_SHMEM_AMO_SET, PHILAE_SHMEM_SIGNED(ptrdiff_t), target, &value, 0, fetch, pe, transfer_handle); }
ALIAS(shmemx_ptrdiff_swap_nb, pshmemx_ptrdiff_swap_nb);
void pshmemx_int_cswap_nb(int *fetch, int *target, int cond, int value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_int_cswap_nb", PHILAE_SHMEM_AMO_COMPARE_SWAP, PHILAE_SHMEM_SIGNED(int), target, &value, &cond, fetch, pe, transfer_handle); }
ALIAS(shmemx_int_cswap_nb, pshmemx_int_cswap_nb);
void pshmemx_long_cswap_nb(long *fetch, long *target, long cond, long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_long_cswap_nb", PHILAE_SHMEM_AMO_COMPARE_SWAP, PHILAE_SHMEM_SIGNED(long), target, &value, &cond, fetch, pe, transfer_handle); }
ALIAS(shmemx_long_cswap_nb, pshmemx_long_cswap_nb);
void pshmemx_longlong_cswap_nb(long long *fetch, long long *target, long long cond, long long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_longlong_cswap_nb", PHILAE_SHMEM_AMO_COMPARE_SWAP, PHILAE_SHMEM_SIGNED(long long), target, &value, &cond, fetch, pe, transfer_handle); }
ALIAS(shmemx_longlong_cswap_nb, pshmemx_longlong_cswap_nb);
void pshmemx_uint_cswap_nb(unsigned int *fetch, unsigned int *target, unsigned int cond, unsigned int value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_uint_cswap_nb", PHILAE_SHMEM_AMO_COMPARE_SWAP, PHILAE_SHMEM_UNSIGNED(unsigned int), target, &value, &cond, fetch, pe, transfer_handle); }
ALIAS(shmemx_uint_cswap_nb, pshmemx_uint_cswap_nb);
void pshmemx_ulong_cswap_nb(unsigned long *fetch, unsigned long *target, unsigned long cond, unsigned long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_ulong_cswap_nb", PHILAE_SHMEM_AMO_COMPARE_SWAP, PHILAE_SHMEM_UNSIGNED(unsigned long), target, &value, &cond, fetch, pe, transfer_handle); }
ALIAS(shmemx_ulong_cswap_nb, pshmemx_ulong_cswap_nb);
void pshmemx_ulonglong_cswap_nb(unsigned long long *fetch, unsigned long long *target, unsigned long long cond, unsigned long long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_ulonglong_cswap_nb", PHILAE_SHMEM_AMO_COMPARE_SWAP, PHILAE_SHMEM_UNSIGNED(unsigned long long), target, &value, &cond, fetch, pe, transfer_handle); }
ALIAS(shmemx_ulonglong_cswap_nb, pshmemx_ulonglong_cswap_nb);
void pshmemx_int32_cswap_nb(int32_t *fetch, int32_t *target, int32_t cond, int32_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_int32_cswap_nb", PHILAE_SHMEM_AMO_COMPARE_SWAP, PHILAE_SHMEM_SIGNED(int32_t), target, &value, &cond, fetch, pe, transfer_handle); }
ALIAS(shmemx_int32_cswap_nb, pshmemx_int32_cswap_nb);
void pshmemx_int64_cswap_nb(int64_t *fetch, int64_t *target, int64_t cond, int64_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_int64_cswap_nb", PHILAE_SHMEM_AMO_COMPARE_SWAP, PHILAE_SHMEM_SIGNED(int64_t), target, &value, &cond, fetch, pe, transfer_handle); }
ALIAS(shmemx_int64_cswap_nb, pshmemx_int64_cswap_nb);
void pshmemx_uint32_cswap_nb(uint32_t *fetch, uint32_t *target, uint32_t cond, uint32_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_uint32_cswap_nb", PHILAE_SHMEM_AMO_COMPARE_SWAP, PHILAE_SHMEM_UNSIGNED(uint32_t), target, &value, &cond, fetch, pe, transfer_handle); }
ALIAS(shmemx_uint32_cswap_nb, pshmemx_uint32_cswap_nb);
void pshmemx_uint64_cswap_nb(uint64_t *fetch, uint64_t *target, uint64_t cond, uint64_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_uint64_cswap_nb", PHILAE_SHMEM_AMO_COMPARE_SWAP, PHILAE_SHMEM_UNSIGNED(uint64_t), target, &value, &cond, fetch, pe, transfer_handle); }
ALIAS(shmemx_uint64_cswap_nb, pshmemx_uint64_cswap_nb);
void pshmemx_size_cswap_nb(size_t *fetch, size_t *target, size_t cond, size_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_size_cswap_nb", PHILAE_SHMEM_AMO_COMPARE_SWAP, PHILAE_SHMEM_UNSIGNED(size_t), target, &value, &cond, fetch, pe, transfer_handle); }
ALIAS(shmemx_size_cswap_nb, pshmemx_size_cswap_nb);
void pshmemx_ptrdiff_cswap_nb(ptrdiff_t *fetch, ptrdiff_t *target, ptrdiff_t cond, ptrdiff_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_ptrdiff_cswap_nb", PHILAE_SHMEM_AMO_COMPARE_SWAP, PHILAE_SHMEM_SIGNED(ptrdiff_t), target, &value, &cond, fetch, pe, transfer_handle); }
ALIAS(shmemx_ptrdiff_cswap_nb, pshmemx_ptrdiff_cswap_nb);
void pshmemx_int_add_nb(int *target, int value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_int_add_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(int), target, &value, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_int_add_nb, pshmemx_int_add_nb);
void pshmemx_long_add_nb(long *target, long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_long_add_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(long), target, &value, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_long_add_nb, pshmemx_long_add_nb);
void pshmemx_longlong_add_nb(long long *target, long long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_longlong_add_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(long long), target, &value, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_longlong_add_nb, pshmemx_longlong_add_nb);
void pshmemx_uint_add_nb(unsigned int *target, unsigned int value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_uint_add_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(unsigned int), target, &value, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_uint_add_nb, pshmemx_uint_add_nb);
void pshmemx_ulong_add_nb(unsigned long *target, unsigned long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_ulong_add_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(unsigned long), target, &value, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_ulong_add_nb, pshmemx_ulong_add_nb);
void pshmemx_ulonglong_add_nb(unsigned long long *target, unsigned long long value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_ulonglong_add_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(unsigned long long), target, &value, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_ulonglong_add_nb, pshmemx_ulonglong_add_nb);
void pshmemx_int32_add_nb(int32_t *target, int32_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_int32_add_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(int32_t), target, &value, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_int32_add_nb, pshmemx_int32_add_nb);
void pshmemx_int64_add_nb(int64_t *target, int64_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_int64_add_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(int64_t), target, &value, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_int64_add_nb, pshmemx_int64_add_nb);
void pshmemx_uint32_add_nb(uint32_t *target, uint32_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_uint32_add_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(uint32_t), target, &value, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_uint32_add_nb, pshmemx_uint32_add_nb);
void pshmemx_uint64_add_nb(uint64_t *target, uint64_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_uint64_add_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(uint64_t), target, &value, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_uint64_add_nb, pshmemx_uint64_add_nb);
void pshmemx_size_add_nb(size_t *target, size_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_size_add_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(size_t), target, &value, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_size_add_nb, pshmemx_size_add_nb);
void pshmemx_ptrdiff_add_nb(ptrdiff_t *target, ptrdiff_t value, int pe, void **transfer_handle)
{ philae_shmem_amo_handle("shmemx_ptrdiff_add_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(ptrdiff_t), target, &value, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_ptrdiff_add_nb, pshmemx_ptrdiff_add_nb);
void pshmemx_int_inc_nb(int *target, int pe, void **transfer_handle)
{ const int philae_one = 1; philae_shmem_amo_handle("shmemx_int_inc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(int), target, &philae_one, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_int_inc_nb, pshmemx_int_inc_nb);
void pshmemx_long_inc_nb(long *target, int pe, void **transfer_handle)
{ const long philae_one = 1; philae_shmem_amo_handle("shmemx_long_inc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(long), target, &philae_one, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_long_inc_nb, pshmemx_long_inc_nb);
void pshmemx_longlong_inc_nb(long long *target, int pe, void **transfer_handle)
{ const long long philae_one = 1; philae_shmem_amo_handle("shmemx_longlong_inc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(long long), target, &philae_one, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_longlong_inc_nb, pshmemx_longlong_inc_nb);
void pshmemx_uint_inc_nb(unsigned int *target, int pe, void **transfer_handle)
{ const unsigned int philae_one = 1; philae_shmem_amo_handle("shmemx_uint_inc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(unsigned int), target, &philae_one, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_uint_inc_nb, pshmemx_uint_inc_nb);
void pshmemx_ulong_inc_nb(unsigned long *target, int pe, void **transfer_handle)
{ const unsigned long philae_one = 1; philae_shmem_amo_handle("shmemx_ulong_inc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(unsigned long), target, &philae_one, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_ulong_inc_nb, pshmemx_ulong_inc_nb);
void pshmemx_ulonglong_inc_nb(unsigned long long *target, int pe, void **transfer_handle)
{ const unsigned long long philae_one = 1; philae_shmem_amo_handle("shmemx_ulonglong_inc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(unsigned long long), target, &philae_one, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_ulonglong_inc_nb, pshmemx_ulonglong_inc_nb);
void pshmemx_int32_inc_nb(int32_t *target, int pe, void **transfer_handle)
{ const int32_t philae_one = 1; philae_shmem_amo_handle("shmemx_int32_inc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(int32_t), target, &philae_one, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_int32_inc_nb, pshmemx_int32_inc_nb);
void pshmemx_int64_inc_nb(int64_t *target, int pe, void **transfer_handle)
{ const int64_t philae_one = 1; philae_shmem_amo_handle("shmemx_int64_inc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(int64_t), target, &philae_one, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_int64_inc_nb, pshmemx_int64_inc_nb);
void pshmemx_uint32_inc_nb(uint32_t *target, int pe, void **transfer_handle)
{ const uint32_t philae_one = 1; philae_shmem_amo_handle("shmemx_uint32_inc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(uint32_t), target, &philae_one, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_uint32_inc_nb, pshmemx_uint32_inc_nb);
void pshmemx_uint64_inc_nb(uint64_t *target, int pe, void **transfer_handle)
{ const uint64_t philae_one = 1; philae_shmem_amo_handle("shmemx_uint64_inc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(uint64_t), target, &philae_one, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_uint64_inc_nb, pshmemx_uint64_inc_nb);
void pshmemx_size_inc_nb(size_t *target, int pe, void **transfer_handle)
{ const size_t philae_one = 1; philae_shmem_amo_handle("shmemx_size_inc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_UNSIGNED(size_t), target, &philae_one, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_size_inc_nb, pshmemx_size_inc_nb);
void pshmemx_ptrdiff_inc_nb(ptrdiff_t *target, int pe, void **transfer_handle)
{ const ptrdiff_t philae_one = 1; philae_shmem_amo_handle("shmemx_ptrdiff_inc_nb", PHILAE_SHMEM_AMO_ADD, PHILAE_SHMEM_SIGNED(ptrdiff_t), target, &philae_one, 0, 0, pe, transfer_handle); }
ALIAS(shmemx_ptrdiff_inc_nb, pshmemx_ptrdiff_inc_nb);
void pshmemx_wait_nb(void **transfer_handle)
{ philae_shmem_handle_wait("shmemx_wait_nb", transfer_handle); }
ALIAS(shmemx_wait_nb, pshmemx_wait_nb);
int pshmemx_test_nb(void **transfer_handle)
{ return philae_shmem_handle_test("shmemx_test_nb", transfer_handle); }
ALIAS(shmemx_test_nb, pshmemx_test_nb);
void pshmemx_float_put_nb(float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_float_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_float_put_nb, pshmemx_float_put_nb);
void pshmemx_double_put_nb(double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_double_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_double_put_nb, pshmemx_double_put_nb);
void pshmemx_longdouble_put_nb(long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_longdouble_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_longdouble_put_nb, pshmemx_longdouble_put_nb);
void pshmemx_char_put_nb(char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_char_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_char_put_nb, pshmemx_char_put_nb);
void pshmemx_schar_put_nb(signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_schar_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_schar_put_nb, pshmemx_schar_put_nb);
void pshmemx_short_put_nb(short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_short_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_short_put_nb, pshmemx_short_put_nb);
void pshmemx_int_put_nb(int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_int_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_int_put_nb, pshmemx_int_put_nb);
void pshmemx_long_put_nb(long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_long_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_long_put_nb, pshmemx_long_put_nb);
void pshmemx_longlong_put_nb(long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_longlong_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_longlong_put_nb, pshmemx_longlong_put_nb);
void pshmemx_uchar_put_nb(unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_uchar_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_uchar_put_nb, pshmemx_uchar_put_nb);
void pshmemx_ushort_put_nb(unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ushort_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ushort_put_nb, pshmemx_ushort_put_nb);
void pshmemx_uint_put_nb(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_uint_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_uint_put_nb, pshmemx_uint_put_nb);
void pshmemx_ulong_put_nb(unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ulong_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ulong_put_nb, pshmemx_ulong_put_nb);
void pshmemx_ulonglong_put_nb(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ulonglong_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ulonglong_put_nb, pshmemx_ulonglong_put_nb);
void pshmemx_int8_put_nb(int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_int8_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_int8_put_nb, pshmemx_int8_put_nb);
void pshmemx_int16_put_nb(int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_int16_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_int16_put_nb, pshmemx_int16_put_nb);
void pshmemx_int32_put_nb(int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_int32_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_int32_put_nb, pshmemx_int32_put_nb);
void pshmemx_int64_put_nb(int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_int64_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_int64_put_nb, pshmemx_int64_put_nb);
void pshmemx_uint8_put_nb(uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_uint8_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_uint8_put_nb, pshmemx_uint8_put_nb);
void pshmemx_uint16_put_nb(uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_uint16_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_uint16_put_nb, pshmemx_uint16_put_nb);
void pshmemx_uint32_put_nb(uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_uint32_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_uint32_put_nb, pshmemx_uint32_put_nb);
void pshmemx_uint64_put_nb(uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_uint64_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_uint64_put_nb, pshmemx_uint64_put_nb);
void pshmemx_size_put_nb(size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_size_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_size_put_nb, pshmemx_size_put_nb);
void pshmemx_ptrdiff_put_nb(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ptrdiff_put_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ptrdiff_put_nb, pshmemx_ptrdiff_put_nb);
void pshmemx_ctx_float_put_nb(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_float_put_nb", ctx, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_float_put_nb, pshmemx_ctx_float_put_nb);
void pshmemx_ctx_double_put_nb(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_double_put_nb", ctx, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_double_put_nb, pshmemx_ctx_double_put_nb);
void pshmemx_ctx_longdouble_put_nb(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_longdouble_put_nb", ctx, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_longdouble_put_nb, pshmemx_ctx_longdouble_put_nb);
void pshmemx_ctx_char_put_nb(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_char_put_nb", ctx, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_char_put_nb, pshmemx_ctx_char_put_nb);
void pshmemx_ctx_schar_put_nb(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_schar_put_nb", ctx, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_schar_put_nb, pshmemx_ctx_schar_put_nb);
void pshmemx_ctx_short_put_nb(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_short_put_nb", ctx, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_short_put_nb, pshmemx_ctx_short_put_nb);
void pshmemx_ctx_int_put_nb(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_int_put_nb", ctx, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_int_put_nb, pshmemx_ctx_int_put_nb);
void pshmemx_ctx_long_put_nb(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_long_put_nb", ctx, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_long_put_nb, pshmemx_ctx_long_put_nb);
void pshmemx_ctx_longlong_put_nb(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_longlong_put_nb", ctx, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_longlong_put_nb, pshmemx_ctx_longlong_put_nb);
void pshmemx_ctx_uchar_put_nb(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_uchar_put_nb", ctx, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_uchar_put_nb, pshmemx_ctx_uchar_put_nb);
void pshmemx_ctx_ushort_put_nb(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_ushort_put_nb", ctx, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_ushort_put_nb, pshmemx_ctx_ushort_put_nb);
void pshmemx_ctx_uint_put_nb(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_uint_put_nb", ctx, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_uint_put_nb, pshmemx_ctx_uint_put_nb);
void pshmemx_ctx_ulong_put_nb(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_ulong_put_nb", ctx, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_ulong_put_nb, pshmemx_ctx_ulong_put_nb);
void pshmemx_ctx_ulonglong_put_nb(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_ulonglong_put_nb", ctx, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_ulonglong_put_nb, pshmemx_ctx_ulonglong_put_nb);
void pshmemx_ctx_int8_put_nb(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_int8_put_nb", ctx, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_int8_put_nb, pshmemx_ctx_int8_put_nb);
void pshmemx_ctx_int16_put_nb(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_int16_put_nb", ctx, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_int16_put_nb, pshmemx_ctx_int16_put_nb);
void pshmemx_ctx_int32_put_nb(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_int32_put_nb", ctx, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_int32_put_nb, pshmemx_ctx_int32_put_nb);
void pshmemx_ctx_int64_put_nb(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_int64_put_nb", ctx, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_int64_put_nb, pshmemx_ctx_int64_put_nb);
void pshmemx_ctx_uint8_put_nb(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_uint8_put_nb", ctx, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_uint8_put_nb, pshmemx_ctx_uint8_put_nb);
void pshmemx_ctx_uint16_put_nb(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_uint16_put_nb", ctx, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_uint16_put_nb, pshmemx_ctx_uint16_put_nb);
void pshmemx_ctx_uint32_put_nb(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_uint32_put_nb", ctx, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_uint32_put_nb, pshmemx_ctx_uint32_put_nb);
void pshmemx_ctx_uint64_put_nb(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_uint64_put_nb", ctx, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_uint64_put_nb, pshmemx_ctx_uint64_put_nb);
void pshmemx_ctx_size_put_nb(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_size_put_nb", ctx, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_size_put_nb, pshmemx_ctx_size_put_nb);
void pshmemx_ctx_ptrdiff_put_nb(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_ptrdiff_put_nb", ctx, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_ptrdiff_put_nb, pshmemx_ctx_ptrdiff_put_nb);
void pshmemx_put8_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_put8_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_put8_nb, pshmemx_put8_nb);
void pshmemx_put16_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_put16_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_put16_nb, pshmemx_put16_nb);
void pshmemx_put32_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_put32_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_put32_nb, pshmemx_put32_nb);
void pshmemx_put64_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_put64_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_put64_nb, pshmemx_put64_nb);
void pshmemx_put128_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_put128_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_put128_nb, pshmemx_put128_nb);
void pshmemx_ctx_put8_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_put8_nb", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_put8_nb, pshmemx_ctx_put8_nb);
void pshmemx_ctx_put16_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_put16_nb", ctx, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_put16_nb, pshmemx_ctx_put16_nb);
void pshmemx_ctx_put32_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_put32_nb", ctx, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_put32_nb, pshmemx_ctx_put32_nb);
void pshmemx_ctx_put64_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_put64_nb", ctx, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_put64_nb, pshmemx_ctx_put64_nb);
void pshmemx_ctx_put128_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_put128_nb", ctx, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_put128_nb, pshmemx_ctx_put128_nb);
void pshmemx_putmem_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_putmem_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_putmem_nb, pshmemx_putmem_nb);
void pshmemx_ctx_putmem_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_put("shmemx_ctx_putmem_nb", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_putmem_nb, pshmemx_ctx_putmem_nb);
void pshmemx_float_get_nb(float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_float_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_float_get_nb, pshmemx_float_get_nb);
void pshmemx_double_get_nb(double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_double_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_double_get_nb, pshmemx_double_get_nb);
void pshmemx_longdouble_get_nb(long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_longdouble_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_longdouble_get_nb, pshmemx_longdouble_get_nb);
void pshmemx_char_get_nb(char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_char_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_char_get_nb, pshmemx_char_get_nb);
void pshmemx_schar_get_nb(signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_schar_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_schar_get_nb, pshmemx_schar_get_nb);
void pshmemx_short_get_nb(short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_short_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_short_get_nb, pshmemx_short_get_nb);
void pshmemx_int_get_nb(int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_int_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_int_get_nb, pshmemx_int_get_nb);
void pshmemx_long_get_nb(long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_long_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_long_get_nb, pshmemx_long_get_nb);
void pshmemx_longlong_get_nb(long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_longlong_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_longlong_get_nb, pshmemx_longlong_get_nb);
void pshmemx_uchar_get_nb(unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_uchar_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_uchar_get_nb, pshmemx_uchar_get_nb);
void pshmemx_ushort_get_nb(unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ushort_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ushort_get_nb, pshmemx_ushort_get_nb);
void pshmemx_uint_get_nb(unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_uint_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_uint_get_nb, pshmemx_uint_get_nb);
void pshmemx_ulong_get_nb(unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ulong_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ulong_get_nb, pshmemx_ulong_get_nb);
void pshmemx_ulonglong_get_nb(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ulonglong_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ulonglong_get_nb, pshmemx_ulonglong_get_nb);
void pshmemx_int8_get_nb(int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_int8_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_int8_get_nb, pshmemx_int8_get_nb);
void pshmemx_int16_get_nb(int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_int16_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_int16_get_nb, pshmemx_int16_get_nb);
void pshmemx_int32_get_nb(int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_int32_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_int32_get_nb, pshmemx_int32_get_nb);
void pshmemx_int64_get_nb(int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_int64_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_int64_get_nb, pshmemx_int64_get_nb);
void pshmemx_uint8_get_nb(uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_uint8_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_uint8_get_nb, pshmemx_uint8_get_nb);
void pshmemx_uint16_get_nb(uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_uint16_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_uint16_get_nb, pshmemx_uint16_get_nb);
void pshmemx_uint32_get_nb(uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_uint32_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_uint32_get_nb, pshmemx_uint32_get_nb);
void pshmemx_uint64_get_nb(uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_uint64_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_uint64_get_nb, pshmemx_uint64_get_nb);
void pshmemx_size_get_nb(size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_size_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_size_get_nb, pshmemx_size_get_nb);
void pshmemx_ptrdiff_get_nb(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ptrdiff_get_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ptrdiff_get_nb, pshmemx_ptrdiff_get_nb);
void pshmemx_ctx_float_get_nb(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_float_get_nb", ctx, dest, source, nelems, sizeof(float), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_float_get_nb, pshmemx_ctx_float_get_nb);
void pshmemx_ctx_double_get_nb(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_double_get_nb", ctx, dest, source, nelems, sizeof(double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_double_get_nb, pshmemx_ctx_double_get_nb);
void pshmemx_ctx_longdouble_get_nb(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_longdouble_get_nb", ctx, dest, source, nelems, sizeof(long double), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_longdouble_get_nb, pshmemx_ctx_longdouble_get_nb);
void pshmemx_ctx_char_get_nb(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_char_get_nb", ctx, dest, source, nelems, sizeof(char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_char_get_nb, pshmemx_ctx_char_get_nb);
void pshmemx_ctx_schar_get_nb(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_schar_get_nb", ctx, dest, source, nelems, sizeof(signed char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_schar_get_nb, pshmemx_ctx_schar_get_nb);
void pshmemx_ctx_short_get_nb(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_short_get_nb", ctx, dest, source, nelems, sizeof(short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_short_get_nb, pshmemx_ctx_short_get_nb);
void pshmemx_ctx_int_get_nb(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_int_get_nb", ctx, dest, source, nelems, sizeof(int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_int_get_nb, pshmemx_ctx_int_get_nb);
void pshmemx_ctx_long_get_nb(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_long_get_nb", ctx, dest, source, nelems, sizeof(long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_long_get_nb, pshmemx_ctx_long_get_nb);
void pshmemx_ctx_longlong_get_nb(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_longlong_get_nb", ctx, dest, source, nelems, sizeof(long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_longlong_get_nb, pshmemx_ctx_longlong_get_nb);
void pshmemx_ctx_uchar_get_nb(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_uchar_get_nb", ctx, dest, source, nelems, sizeof(unsigned char), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_uchar_get_nb, pshmemx_ctx_uchar_get_nb);
void pshmemx_ctx_ushort_get_nb(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_ushort_get_nb", ctx, dest, source, nelems, sizeof(unsigned short), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_ushort_get_nb, pshmemx_ctx_ushort_get_nb);
void pshmemx_ctx_uint_get_nb(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_uint_get_nb", ctx, dest, source, nelems, sizeof(unsigned int), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_uint_get_nb, pshmemx_ctx_uint_get_nb);
void pshmemx_ctx_ulong_get_nb(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_ulong_get_nb", ctx, dest, source, nelems, sizeof(unsigned long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_ulong_get_nb, pshmemx_ctx_ulong_get_nb);
void pshmemx_ctx_ulonglong_get_nb(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_ulonglong_get_nb", ctx, dest, source, nelems, sizeof(unsigned long long), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_ulonglong_get_nb, pshmemx_ctx_ulonglong_get_nb);
void pshmemx_ctx_int8_get_nb(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_int8_get_nb", ctx, dest, source, nelems, sizeof(int8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_int8_get_nb, pshmemx_ctx_int8_get_nb);
void pshmemx_ctx_int16_get_nb(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_int16_get_nb", ctx, dest, source, nelems, sizeof(int16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_int16_get_nb, pshmemx_ctx_int16_get_nb);
void pshmemx_ctx_int32_get_nb(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_int32_get_nb", ctx, dest, source, nelems, sizeof(int32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_int32_get_nb, pshmemx_ctx_int32_get_nb);
void pshmemx_ctx_int64_get_nb(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_int64_get_nb", ctx, dest, source, nelems, sizeof(int64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_int64_get_nb, pshmemx_ctx_int64_get_nb);
void pshmemx_ctx_uint8_get_nb(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_uint8_get_nb", ctx, dest, source, nelems, sizeof(uint8_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_uint8_get_nb, pshmemx_ctx_uint8_get_nb);
void pshmemx_ctx_uint16_get_nb(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_uint16_get_nb", ctx, dest, source, nelems, sizeof(uint16_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_uint16_get_nb, pshmemx_ctx_uint16_get_nb);
void pshmemx_ctx_uint32_get_nb(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_uint32_get_nb", ctx, dest, source, nelems, sizeof(uint32_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_uint32_get_nb, pshmemx_ctx_uint32_get_nb);
void pshmemx_ctx_uint64_get_nb(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_uint64_get_nb", ctx, dest, source, nelems, sizeof(uint64_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_uint64_get_nb, pshmemx_ctx_uint64_get_nb);
void pshmemx_ctx_size_get_nb(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_size_get_nb", ctx, dest, source, nelems, sizeof(size_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_size_get_nb, pshmemx_ctx_size_get_nb);
void pshmemx_ctx_ptrdiff_get_nb(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_ptrdiff_get_nb", ctx, dest, source, nelems, sizeof(ptrdiff_t), pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_ptrdiff_get_nb, pshmemx_ctx_ptrdiff_get_nb);
void pshmemx_get8_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_get8_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_get8_nb, pshmemx_get8_nb);
void pshmemx_get16_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_get16_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_get16_nb, pshmemx_get16_nb);
void pshmemx_get32_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_get32_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_get32_nb, pshmemx_get32_nb);
void pshmemx_get64_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_get64_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_get64_nb, pshmemx_get64_nb);
void pshmemx_get128_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_get128_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_get128_nb, pshmemx_get128_nb);
void pshmemx_ctx_get8_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_get8_nb", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_get8_nb, pshmemx_ctx_get8_nb);
void pshmemx_ctx_get16_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_get16_nb", ctx, dest, source, nelems, 2, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_get16_nb, pshmemx_ctx_get16_nb);
void pshmemx_ctx_get32_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_get32_nb", ctx, dest, source, nelems, 4, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_get32_nb, pshmemx_ctx_get32_nb);
void pshmemx_ctx_get64_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_get64_nb", ctx, dest, source, nelems, 8, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_get64_nb, pshmemx_ctx_get64_nb);
void pshmemx_ctx_get128_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_get128_nb", ctx, dest, source, nelems, 16, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_get128_nb, pshmemx_ctx_get128_nb);
void pshmemx_getmem_nb(void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_getmem_nb", SHMEM_CTX_DEFAULT, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_getmem_nb, pshmemx_getmem_nb);
void pshmemx_ctx_getmem_nb(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe)
{ philae_shmem_near_get("shmemx_ctx_getmem_nb", ctx, dest, source, nelems, 1, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_ctx_getmem_nb, pshmemx_ctx_getmem_nb);
void pshmemx_float_put_signal(float *target, const float *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_float_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(float), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_float_put_signal, pshmemx_float_put_signal);
void pshmemx_double_put_signal(double *target, const double *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_double_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(double), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_double_put_signal, pshmemx_double_put_signal);
void pshmemx_longdouble_put_signal(long double *target, const long double *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_longdouble_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(long double), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_longdouble_put_signal, pshmemx_longdouble_put_signal);
void pshmemx_char_put_signal(char *target, const char *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_char_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(char), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_char_put_signal, pshmemx_char_put_signal);
void pshmemx_int_put_signal(int *target, const int *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_int_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(int), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_int_put_signal, pshmemx_int_put_signal);
void pshmemx_long_put_signal(long *target, const long *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_long_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(long), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_long_put_signal, pshmemx_long_put_signal);
void pshmemx_longlong_put_signal(long long *target, const long long *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_longlong_put_signal", SHMEM_CTX_DEFAULT, target, source, len, sizeof(long long), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_longlong_put_signal, pshmemx_longlong_put_signal);
void pshmemx_put8_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put8_signal", SHMEM_CTX_DEFAULT, target, source, len, 1, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_put8_signal, pshmemx_put8_signal);
void pshmemx_put16_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put16_signal", SHMEM_CTX_DEFAULT, target, source, len, 2, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_put16_signal, pshmemx_put16_signal);
void pshmemx_put32_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put32_signal", SHMEM_CTX_DEFAULT, target, source, len, 4, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_put32_signal, pshmemx_put32_signal);
void pshmemx_put64_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put64_signal", SHMEM_CTX_DEFAULT, target, source, len, 8, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_put64_signal, pshmemx_put64_signal);
void pshmemx_put128_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put128_signal", SHMEM_CTX_DEFAULT, target, source, len, 16, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_put128_signal, pshmemx_put128_signal);
void pshmemx_putmem_signal(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_putmem_signal", SHMEM_CTX_DEFAULT, target, source, len, 1, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, 0); }
ALIAS(shmemx_putmem_signal, pshmemx_putmem_signal);
void pshmemx_float_put_signal_nb(float *target, const float *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_float_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(float), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_float_put_signal_nb, pshmemx_float_put_signal_nb);
void pshmemx_double_put_signal_nb(double *target, const double *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_double_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(double), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_double_put_signal_nb, pshmemx_double_put_signal_nb);
void pshmemx_longdouble_put_signal_nb(long double *target, const long double *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_longdouble_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(long double), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_longdouble_put_signal_nb, pshmemx_longdouble_put_signal_nb);
void pshmemx_char_put_signal_nb(char *target, const char *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_char_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(char), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_char_put_signal_nb, pshmemx_char_put_signal_nb);
void pshmemx_int_put_signal_nb(int *target, const int *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_int_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(int), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_int_put_signal_nb, pshmemx_int_put_signal_nb);
void pshmemx_long_put_signal_nb(long *target, const long *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_long_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(long), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_long_put_signal_nb, pshmemx_long_put_signal_nb);
void pshmemx_longlong_put_signal_nb(long long *target, const long long *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_longlong_put_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, sizeof(long long), sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_longlong_put_signal_nb, pshmemx_longlong_put_signal_nb);
void pshmemx_put8_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put8_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, 1, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_put8_signal_nb, pshmemx_put8_signal_nb);
void pshmemx_put16_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put16_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, 2, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_put16_signal_nb, pshmemx_put16_signal_nb);
void pshmemx_put32_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put32_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, 4, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_put32_signal_nb, pshmemx_put32_signal_nb);
void pshmemx_put64_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put64_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, 8, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_put64_signal_nb, pshmemx_put64_signal_nb);
void pshmemx_put128_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_put128_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, 16, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_put128_signal_nb, pshmemx_put128_signal_nb);
void pshmemx_putmem_signal_nb(void *target, const void *source, size_t len, uint64_t *sig_addr, uint64_t signal, int pe)
{ philae_shmem_near_put_signal("shmemx_putmem_signal_nb", SHMEM_CTX_DEFAULT, target, source, len, 1, sig_addr, signal, PHILAE_SHMEM_SIGNAL_SET, pe, PHILAE_SHMEM_NBI); }
ALIAS(shmemx_putmem_signal_nb, pshmemx_putmem_signal_nb);
void pshmemx_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_STORED("shmemx_signal_set", SHMEM_CTX_DEFAULT, uint64_t, PHILAE_SHMEM_U64, sig_addr, signal, pe)
ALIAS(shmemx_signal_set, pshmemx_signal_set);
void pshmemx_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
PHILAE_SHMEM_AMO_STORED("shmemx_ctx_signal_set", ctx, uint64_t, PHILAE_SHMEM_U64, sig_addr, signal, pe)
ALIAS(shmemx_ctx_signal_set, pshmemx_ctx_signal_set);
void pshmemx_alltoallv(void *target, size_t *t_offsets, size_t *t_sizes, const void *source, size_t *s_offsets, size_t *s_sizes, int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_alltoallv("shmemx_alltoallv", set, target, t_offsets, t_sizes, source, s_offsets, s_sizes, pSync); }
ALIAS(shmemx_alltoallv, pshmemx_alltoallv);
int pshmemx_team_alltoallv(shmem_team_t team, void *target, size_t *t_offsets, size_t *t_sizes, const void *source, size_t *s_offsets, size_t *s_sizes)
{ return philae_shmem_alltoallv("shmemx_team_alltoallv", team, target, t_offsets, t_sizes, source, s_offsets, s_sizes); }
ALIAS(shmemx_team_alltoallv, pshmemx_team_alltoallv);
void pshmemx_alltoallv_packed(void *target, size_t target_len, size_t *t_size, const void *source, size_t *s_offsets, size_t *s_sizes, int PE_start, int logPE_stride, int PE_size, long *pSync)
{ struct philae_shmem_set set = { PE_start, logPE_stride, PE_size }; philae_shmem_set_alltoallv_packed("shmemx_alltoallv_packed", set, target, target_len, t_size, source, s_offsets, s_sizes, pSync); }
ALIAS(shmemx_alltoallv_packed, pshmemx_alltoallv_packed);
int pshmemx_team_alltoallv_packed(shmem_team_t team, void *target, size_t target_len, size_t *t_size, const void *source, size_t *s_offsets, size_t *s_sizes)
{ return philae_shmem_alltoallv_packed("shmemx_team_alltoallv_packed", team, target, target_len, t_size, source, s_offsets, s_sizes); }
ALIAS(shmemx_team_alltoallv_packed, pshmemx_team_alltoallv_packed);
void pshmemx_team_split_strided(shmem_team_t parent_team, int PE_start, int PE_stride, int PE_size, shmem_team_t *newteam)
{ (void)philae_shmem_team_split_strided("shmemx_team_split_strided", parent_team, PE_start, PE_stride, PE_size, 0, 0, newteam); }
ALIAS(shmemx_team_split_strided, pshmemx_team_split_strided);
void pshmemx_team_split_2d(shmem_team_t parent_team, int xrange, int yrange, shmem_team_t *xaxis_team, shmem_team_t *yaxis_team)
{ (void)yrange; (void)philae_shmem_team_split_2d("shmemx_team_split_2d", parent_team, xrange, 0, 0, xaxis_team, 0, 0, yaxis_team); }
ALIAS(shmemx_team_split_2d, pshmemx_team_split_2d);
void pshmemx_team_split_3d(shmem_team_t parent_team, int xrange, int yrange, int zrange, shmem_team_t *xaxis_team, shmem_team_t *yaxis_team, shmem_team_t *zaxis_team)
{ philae_shmem_team_split_3d("shmemx_team_split_3d", parent_team, xrange, yrange, zrange, xaxis_team, yaxis_team, zaxis_team); }
ALIAS(shmemx_team_split_3d, pshmemx_team_split_3d);
void pshmemx_team_split_color(shmem_team_t parent_team, int color, int key, shmem_team_t *newteam)
{ philae_shmem_team_split_color("shmemx_team_split_color", parent_team, color, key, newteam); }
ALIAS(shmemx_team_split_color, pshmemx_team_split_color);
void pshmemx_team_split(shmem_team_t parent_team, int color, int key, shmem_team_t *newteam)
{ philae_shmem_team_split_color("shmemx_team_split", parent_team, color, key, newteam); }
ALIAS(shmemx_team_split, pshmemx_team_split);
int pshmemx_team_my_pe(shmem_team_t team)
{ return team ? team->me : -1; }
ALIAS(shmemx_team_my_pe, pshmemx_team_my_pe);
int pshmemx_team_n_pes(shmem_team_t team)
{ return team ? team->n_pes : -1; }
ALIAS(shmemx_team_n_pes, pshmemx_team_n_pes);
int pshmemx_team_translate_pe(shmem_team_t team1, int team1_pe, shmem_team_t team2)
{ return philae_shmem_team_translate_pe("shmemx_team_translate_pe", team1, team1_pe, team2); }
ALIAS(shmemx_team_translate_pe, pshmemx_team_translate_pe);
int pshmemx_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config)
{ return philae_shmem_team_get_config("shmemx_team_get_config", team, config_mask, config); }
ALIAS(shmemx_team_get_config, pshmemx_team_get_config);
int pshmemx_team_ctx_create(shmem_team_t team, long options, shmem_ctx_t *ctx)
{ return philae_shmem_ctx_create("shmemx_team_ctx_create", team, options, ctx); }
ALIAS(shmemx_team_ctx_create, pshmemx_team_ctx_create);
int pshmemx_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team)
{ return philae_shmem_ctx_get_team("shmemx_ctx_get_team", ctx, team); }
ALIAS(shmemx_ctx_get_team, pshmemx_ctx_get_team);
void pshmemx_team_destroy(shmem_team_t team)
{ philae_shmem_team_destroy("shmemx_team_destroy", team); }
ALIAS(shmemx_team_destroy, pshmemx_team_destroy);
void pshmemx_team_barrier(shmem_team_t team)
{ philae_shmem_quiet("shmemx_team_barrier", SHMEM_CTX_DEFAULT); (void)philae_shmem_team_sync("shmemx_team_barrier", team); }
ALIAS(shmemx_team_barrier, pshmemx_team_barrier);
int pshmemx_team_alltoall(shmem_team_t team, void *target, const void *source, size_t len)
{ return philae_shmem_alltoall("shmemx_team_alltoall", team, target, source, len, 1); }
ALIAS(shmemx_team_alltoall, pshmemx_team_alltoall);
int pshmemx_team_short_and_to_all(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_short_and_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmemx_team_short_and_to_all, pshmemx_team_short_and_to_all);
int pshmemx_team_int_and_to_all(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_int_and_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmemx_team_int_and_to_all, pshmemx_team_int_and_to_all);
int pshmemx_team_long_and_to_all(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_long_and_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmemx_team_long_and_to_all, pshmemx_team_long_and_to_all);
int pshmemx_team_longlong_and_to_all(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_longlong_and_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_AND); }
ALIAS(shmemx_team_longlong_and_to_all, pshmemx_team_longlong_and_to_all);
int pshmemx_team_short_or_to_all(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_short_or_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmemx_team_short_or_to_all, pshmemx_team_short_or_to_all);
int pshmemx_team_int_or_to_all(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_int_or_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmemx_team_int_or_to_all, pshmemx_team_int_or_to_all);
int pshmemx_team_long_or_to_all(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_long_or_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmemx_team_long_or_to_all, pshmemx_team_long_or_to_all);
int pshmemx_team_longlong_or_to_all(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_longlong_or_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_OR); }
ALIAS(shmemx_team_longlong_or_to_all, pshmemx_team_longlong_or_to_all);
int pshmemx_team_short_xor_to_all(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_short_xor_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmemx_team_short_xor_to_all, pshmemx_team_short_xor_to_all);
int pshmemx_team_int_xor_to_all(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_int_xor_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmemx_team_int_xor_to_all, pshmemx_team_int_xor_to_all);
int pshmemx_team_long_xor_to_all(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_long_xor_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmemx_team_long_xor_to_all, pshmemx_team_long_xor_to_all);
int pshmemx_team_longlong_xor_to_all(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_longlong_xor_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_XOR); }
ALIAS(shmemx_team_longlong_xor_to_all, pshmemx_team_longlong_xor_to_all);
int pshmemx_team_short_max_to_all(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_short_max_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmemx_team_short_max_to_all, pshmemx_team_short_max_to_all);
int pshmemx_team_int_max_to_all(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_int_max_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmemx_team_int_max_to_all, pshmemx_team_int_max_to_all);
int pshmemx_team_long_max_to_all(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_long_max_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmemx_team_long_max_to_all, pshmemx_team_long_max_to_all);
int pshmemx_team_longlong_max_to_all(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_longlong_max_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmemx_team_longlong_max_to_all, pshmemx_team_longlong_max_to_all);
int pshmemx_team_float_max_to_all(shmem_team_t team, float *dest, const float *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_float_max_to_all", team, dest, source, nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmemx_team_float_max_to_all, pshmemx_team_float_max_to_all);
int pshmemx_team_double_max_to_all(shmem_team_t team, double *dest, const double *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_double_max_to_all", team, dest, source, nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmemx_team_double_max_to_all, pshmemx_team_double_max_to_all);
int pshmemx_team_longdouble_max_to_all(shmem_team_t team, long double *dest, const long double *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_longdouble_max_to_all", team, dest, source, nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_MAX); }
ALIAS(shmemx_team_longdouble_max_to_all, pshmemx_team_longdouble_max_to_all);
int pshmemx_team_short_min_to_all(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_short_min_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmemx_team_short_min_to_all, pshmemx_team_short_min_to_all);
int pshmemx_team_int_min_to_all(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_int_min_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmemx_team_int_min_to_all, pshmemx_team_int_min_to_all);
int pshmemx_team_long_min_to_all(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_long_min_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmemx_team_long_min_to_all, pshmemx_team_long_min_to_all);
int pshmemx_team_longlong_min_to_all(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_longlong_min_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmemx_team_longlong_min_to_all, pshmemx_team_longlong_min_to_all);
int pshmemx_team_float_min_to_all(shmem_team_t team, float *dest, const float *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_float_min_to_all", team, dest, source, nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmemx_team_float_min_to_all, pshmemx_team_float_min_to_all);
int pshmemx_team_double_min_to_all(shmem_team_t team, double *dest, const double *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_double_min_to_all", team, dest, source, nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmemx_team_double_min_to_all, pshmemx_team_double_min_to_all);
int pshmemx_team_longdouble_min_to_all(shmem_team_t team, long double *dest, const long double *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_longdouble_min_to_all", team, dest, source, nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_MIN); }
ALIAS(shmemx_team_longdouble_min_to_all, pshmemx_team_longdouble_min_to_all);
int pshmemx_team_short_sum_to_all(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_short_sum_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmemx_team_short_sum_to_all, pshmemx_team_short_sum_to_all);
int pshmemx_team_int_sum_to_all(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_int_sum_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmemx_team_int_sum_to_all, pshmemx_team_int_sum_to_all);
int pshmemx_team_long_sum_to_all(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_long_sum_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmemx_team_long_sum_to_all, pshmemx_team_long_sum_to_all);
int pshmemx_team_longlong_sum_to_all(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_longlong_sum_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmemx_team_longlong_sum_to_all, pshmemx_team_longlong_sum_to_all);
int pshmemx_team_float_sum_to_all(shmem_team_t team, float *dest, const float *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_float_sum_to_all", team, dest, source, nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmemx_team_float_sum_to_all, pshmemx_team_float_sum_to_all);
int pshmemx_team_double_sum_to_all(shmem_team_t team, double *dest, const double *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_double_sum_to_all", team, dest, source, nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmemx_team_double_sum_to_all, pshmemx_team_double_sum_to_all);
int pshmemx_team_longdouble_sum_to_all(shmem_team_t team, long double *dest, const long double *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_longdouble_sum_to_all", team, dest, source, nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmemx_team_longdouble_sum_to_all, pshmemx_team_longdouble_sum_to_all);
int pshmemx_team_complexd_sum_to_all(shmem_team_t team, philae_shmem_complexd *dest, const philae_shmem_complexd *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_complexd_sum_to_all", team, dest, source, nreduce, PHILAE_SHMEM_C64, PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmemx_team_complexd_sum_to_all, pshmemx_team_complexd_sum_to_all);
int pshmemx_team_complexf_sum_to_all(shmem_team_t team, philae_shmem_complexf *dest, const philae_shmem_complexf *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_complexf_sum_to_all", team, dest, source, nreduce, PHILAE_SHMEM_C32, PHILAE_SHMEM_REDUCE_SUM); }
ALIAS(shmemx_team_complexf_sum_to_all, pshmemx_team_complexf_sum_to_all);
int pshmemx_team_short_prod_to_all(shmem_team_t team, short *dest, const short *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_short_prod_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(short), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmemx_team_short_prod_to_all, pshmemx_team_short_prod_to_all);
int pshmemx_team_int_prod_to_all(shmem_team_t team, int *dest, const int *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_int_prod_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(int), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmemx_team_int_prod_to_all, pshmemx_team_int_prod_to_all);
int pshmemx_team_long_prod_to_all(shmem_team_t team, long *dest, const long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_long_prod_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmemx_team_long_prod_to_all, pshmemx_team_long_prod_to_all);
int pshmemx_team_longlong_prod_to_all(shmem_team_t team, long long *dest, const long long *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_longlong_prod_to_all", team, dest, source, nreduce, PHILAE_SHMEM_SIGNED(long long), PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmemx_team_longlong_prod_to_all, pshmemx_team_longlong_prod_to_all);
int pshmemx_team_float_prod_to_all(shmem_team_t team, float *dest, const float *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_float_prod_to_all", team, dest, source, nreduce, PHILAE_SHMEM_F32, PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmemx_team_float_prod_to_all, pshmemx_team_float_prod_to_all);
int pshmemx_team_double_prod_to_all(shmem_team_t team, double *dest, const double *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_double_prod_to_all", team, dest, source, nreduce, PHILAE_SHMEM_F64, PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmemx_team_double_prod_to_all, pshmemx_team_double_prod_to_all);
int pshmemx_team_longdouble_prod_to_all(shmem_team_t team, long double *dest, const long double *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_longdouble_prod_to_all", team, dest, source, nreduce, PHILAE_SHMEM_LONG_DOUBLE, PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmemx_team_longdouble_prod_to_all, pshmemx_team_longdouble_prod_to_all);
int pshmemx_team_complexd_prod_to_all(shmem_team_t team, philae_shmem_complexd *dest, const philae_shmem_complexd *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_complexd_prod_to_all", team, dest, source, nreduce, PHILAE_SHMEM_C64, PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmemx_team_complexd_prod_to_all, pshmemx_team_complexd_prod_to_all);
int pshmemx_team_complexf_prod_to_all(shmem_team_t team, philae_shmem_complexf *dest, const philae_shmem_complexf *source, size_t nreduce)
{ return philae_shmem_reduce("shmemx_team_complexf_prod_to_all", team, dest, source, nreduce, PHILAE_SHMEM_C32, PHILAE_SHMEM_REDUCE_PROD); }
ALIAS(shmemx_team_complexf_prod_to_all, pshmemx_team_complexf_prod_to_all);
