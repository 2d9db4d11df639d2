/* What a test of the conformance suite is written with: the rank that it runs as, checks, and the table of tests.
 *
 * A test is a function that every rank runs in a fresh process. It ends by returning (pass), by a failed check or by
 * `skip`. Nothing here knows a provider: what differs between providers comes from fi_getinfo's answer. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>
#include <rdma/fi_trigger.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most ranks that a run has. */
enum { RANKS_MAX = 16 };

/* A test: its function and its description. */
enum test_flags {
	/* Only providers that promise more than the standard does (philae, cxi) have to pass. */
	TEST_OURS = 1,
	/* A rank may end by a signal, after it said so with `rank_will_die`. */
	TEST_DEATH = 2,
	/* Takes long: left out by --quick. */
	TEST_LONG = 4,
};

/* One test. */
struct test {
	/* `group.what`, as --only and --list know it. */
	const char *name;
	/* One line: what must hold. */
	const char *about;
	/* What every rank runs. */
	void (*run)(long argument);
	/* What tells variants of one function apart. */
	long argument;
	/* Ranks that take part: as many as --ranks says, within these. */
	int ranks_min, ranks_max;
	/* Of enum test_flags. */
	unsigned flags;
};

/* The tests of one file; ends with a test without name. */
extern const struct test info_tests[], object_tests[], av_tests[], cq_tests[], message_tests[], multi_recv_tests[],
	tagged_tests[], peek_tests[], order_tests[], rma_tests[], region_tests[], atomic_tests[], atomic_order_tests[],
	counter_tests[], completion_tests[], deferred_tests[], limit_tests[], error_tests[], death_tests[], offload_tests[],
	copies_tests[], stress_tests[], remote_counter_tests[], vendor_tests[], vendor_flag_tests[],
	thread_tests[], matching_tests[], silence_tests[], departure_tests[];

/* The rank that this process is. */
struct rank {
	int rank, ranks;
	/* Patterns of data and random choices come from it. */
	uint64_t seed;
	/* As --provider says. */
	const char *provider;
	/* The ranks are on several hosts. */
	bool is_spread;
	/* Seconds without progress after which a wait is given up. */
	double patience;
	/* When the test began, and when progress was last seen, on the monotonic clock; the moves by then. */
	double began, moved;
	uint64_t moves;
	/* To the coordinator. */
	int fd;
	/* Where the rank is, in memory that the coordinator sees. */
	struct place *place;
};

/* Where a rank is. */
struct place {
	const char *file;
	int line;
	char text[160];
	/* Completions that it has read, and exchanges: progress. */
	uint64_t moves;
};
/* The time that a test has in all, in times that a wait without progress has. */
enum { PATIENCES_MAX = 60 };

extern struct rank me;

/* Seconds on the monotonic clock. */
double now(void);
/* Sleeps, without the library's progress. */
void sleep_ms(int milliseconds);
/* Says where this rank is and what it does, for the report on a hang or a crash. */
void at(const char *file, int line, const char *text);
/* This rank has read a completion, or ended an exchange. */
void moves(void);
/* The moves of so many ranks. */
uint64_t moves_of(const struct place *places, int count);
/* Whether a wait is given up: no rank of this host has moved for as long as the patience is. On a busy machine a test is slow,
 * and only one that stands still fails. */
bool is_in_vain(void);
/* Ends the test of every rank: failed. */
_Noreturn void fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Ends the test of every rank: this provider does not have what it needs. */
_Noreturn void skip(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line for the report, under the test's. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* From here on the end of this process without a result is not a failure. */
void rank_will_die(void);
/* True of providers that this project answers for: they have to keep what NIC documents promise, not the standard alone. */
bool is_ours(void);

/* Calls that continue while a rank waits for others. */
typedef void (*progress_fn)(void *argument);
/* Every rank gives `size` bytes and gets those of all ranks that live, in order of ranks. */
void exchange(const void *mine, size_t size, void *all, progress_fn progress, void *argument);

/* A word that others may be writing: what it is now. What was written before it is seen by this rank afterwards. */
uint64_t watched(const volatile void *word);
/* Bytes of that kind, copied. */
void watched_bytes(void *to, const volatile void *from, size_t len);

/* A number from `seed`, the same in every rank. */
uint64_t mix(uint64_t value);
/* The next random number of a stream. */
uint64_t draw(uint64_t *stream);

#define FAIL(...) fail(__FILE__, __LINE__, __VA_ARGS__)
#define AT(text) at(__FILE__, __LINE__, text)

/* A condition that must hold. */
#define CHECK(condition) \
	do { \
		AT(#condition); \
		if (!(condition)) \
			FAIL("expected %s", #condition); \
	} while (0)

/* Two whole numbers that must be the same. */
#define EQUAL(found, expected) \
	do { \
		AT(#found); \
		long long found_ = (long long)(found), expected_ = (long long)(expected); \
		if (found_ != expected_) \
			FAIL("%s: expected %lld (0x%llx), found %lld (0x%llx)", #found, expected_, \
			     (unsigned long long)expected_, found_, (unsigned long long)found_); \
	} while (0)

/* A call that must return `code`. */
#define RETURNS(call, code) \
	do { \
		AT(#call); \
		long long found_ = (long long)(call), expected_ = (long long)(code); \
		if (found_ != expected_) \
			FAIL("%s: expected %lld (%s), found %lld (%s)", #call, expected_, code_text(expected_), \
			     found_, code_text(found_)); \
	} while (0)

/* A call that must return 0. */
#define OK(call) RETURNS(call, 0)

/* What a return code says. */
const char *code_text(long long code);

/* The coordinator's side: runs one test with all its ranks and prints its line. */
struct options {
	const char *provider, *only, *except, *server;
	int ranks, rank, timeout;
	uint64_t seed;
	bool list, verbose, quick, strict;
};
enum outcome { OUTCOME_PASS, OUTCOME_FAIL, OUTCOME_SKIP };
/* Runs `test`; `number` counts from 1. */
enum outcome run_test(const struct options *options, const struct test *test, int number);
/* Waits for the ranks of other hosts; dismisses them at the end. */
void hosts_open(const struct options *options);
void hosts_close(const struct options *options);
/* A rank on another host: runs what the coordinator says until it is dismissed; returns the exit status. */
int host_serve(const struct options *options);
/* The test of this name, or NULL. */
const struct test *test_find(const char *name);
/* Runs `test` in this process as rank `rank` and does not return. */
_Noreturn void rank_run(const struct test *test, const struct rank *as);

/* Frames between a rank and the coordinator. */
enum frame_kind { FRAME_EXCHANGE = 1, FRAME_PASS, FRAME_FAIL, FRAME_SKIP, FRAME_NOTE, FRAME_DYING, FRAME_RUN, FRAME_HELLO, FRAME_END };
struct frame {
	uint32_t kind, size;
};
bool frame_send(int fd, enum frame_kind kind, const void *data, size_t size);
/* Reads exactly `size` bytes; false at the end of the stream. */
bool stream_read(int fd, void *data, size_t size);

#endif
