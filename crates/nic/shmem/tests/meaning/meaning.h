/* What the programs share: the standard's types, written out here again so that the tables are not
   tested against themselves, and checks that report where they fail. Each PE works on the next
   one's memory. */
#ifndef MEANING_H
#define MEANING_H

#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AMO_TYPES(X) \
    X(int, int) X(long, long) X(longlong, long long) X(uint, unsigned int) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long) X(int32, int32_t) X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t) \
    X(size, size_t) X(ptrdiff, ptrdiff_t)
#define AMO_FLOATS(X) X(float, float) X(double, double)
#define BITWISE_TYPES(X) \
    X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int32, int32_t) X(int64, int64_t) \
    X(uint32, uint32_t) X(uint64, uint64_t)
#define REDUCE_BITWISE_TYPES(X) \
    X(uchar, unsigned char) X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long) X(int8, int8_t) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t) \
    X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t)
#define STANDARD_TYPES(X) \
    X(longdouble, long double) X(char, char) X(schar, signed char) X(short, short) X(uchar, unsigned char) \
    X(ushort, unsigned short) X(int8, int8_t) X(int16, int16_t) X(uint8, uint8_t) X(uint16, uint16_t) \
    AMO_FLOATS(X) AMO_TYPES(X)
#define COMPLEX_TYPES(X) X(complexf, float _Complex) X(complexd, double _Complex)
#define SIZES(X) X(8) X(16) X(32) X(64) X(128)

extern int me, n, next, previous, failures;
extern shmem_ctx_t ctx; /* a context other than the default one */

#define CHECK(condition)                                                                         \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            if (failures++ < 10) fprintf(stderr, "PE %d: %s:%d: %s: %s\n", me, __FILE__, __LINE__, __func__, #condition); \
        }                                                                                        \
    } while (0)

void rma(void);
void atomics(void);
void signals(void);
void waits(void);
void collectives(void);
void reductions(void);
void active_sets(void);
void setup(void);
void vendor(void);
void sandia(void);

#endif
