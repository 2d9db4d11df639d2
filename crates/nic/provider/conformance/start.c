/* What libfabric asks of the kernel when it starts, answered with nothing.
 *
 * Its provider for verbs reads all symbols of the kernel, twice, to learn whether network cards may reach the memory of graphics cards. Each
 * rank of each test is a process of its own that starts libfabric: 240,000 lines for each, nine tenths of what a short test takes. No test
 * has a graphics card. */
#include "conformance.h"

#include <dlfcn.h>

/* Instead of the C library's own, for libfabric too. */
FILE *fopen(const char *restrict name, const char *restrict mode)
{
	FILE *(*next)(const char *, const char *);

	*(void **)&next = dlsym(RTLD_NEXT, "fopen");
	return next(strcmp(name, "/proc/kallsyms") == 0 ? "/dev/null" : name, mode);
}
