/* A rank: its checks, its end and its exchange with the others through the coordinator. */
#include "conformance.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct rank me;

double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void sleep_ms(int milliseconds)
{
	struct timespec time = { milliseconds / 1000, (long)(milliseconds % 1000) * 1000000 };

	while (nanosleep(&time, &time) != 0 && errno == EINTR)
		;
}

uint64_t mix(uint64_t value)
{
	value += 0x9e3779b97f4a7c15;
	value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
	value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
	return value ^ (value >> 31);
}

uint64_t draw(uint64_t *stream)
{
	*stream += 0x9e3779b97f4a7c15;
	return mix(*stream);
}

bool is_ours(void)
{
	return strcmp(me.provider, "philae") == 0 || strcmp(me.provider, "cxi") == 0;
}

const char *code_text(long long code)
{
	if (code == 0)
		return "success";
	if (code > 0)
		return "a count";
	return fi_strerror((int)-code);
}

void at(const char *file, int line, const char *text)
{
	if (!me.place)
		return;
	me.place->file = file;
	me.place->line = line;
	strncpy(me.place->text, text, sizeof me.place->text - 1);
}

void moves(void)
{
	if (me.place)
		__atomic_fetch_add(&me.place->moves, 1, __ATOMIC_RELAXED);
}

uint64_t moves_of(const struct place *places, int count)
{
	uint64_t all = 0;

	for (int rank = 0; rank < count; rank++)
		all += __atomic_load_n(&places[rank].moves, __ATOMIC_RELAXED);
	return all;
}

bool is_in_vain(void)
{
	/* The places of ranks on one host are adjacent. */
	uint64_t moves = me.is_spread ? moves_of(me.place, 1) : moves_of(me.place - me.rank, me.ranks);

	if (moves != me.moves) {
		me.moves = moves;
		me.moved = now();
	}
	return now() > me.moved + me.patience || now() > me.began + PATIENCES_MAX * me.patience;
}

bool frame_send(int fd, enum frame_kind kind, const void *data, size_t size)
{
	struct frame head = { kind, (uint32_t)size };
	const char *parts[2] = { (const char *)&head, data };
	size_t sizes[2] = { sizeof head, size };

	for (int part = 0; part < 2; part++) {
		size_t sent = 0;

		while (sent < sizes[part]) {
			ssize_t count = write(fd, parts[part] + sent, sizes[part] - sent);

			if (count < 0 && errno == EINTR)
				continue;
			if (count <= 0)
				return false;
			sent += (size_t)count;
		}
	}
	return true;
}

bool stream_read(int fd, void *data, size_t size)
{
	size_t got = 0;

	while (got < size) {
		ssize_t count = read(fd, (char *)data + got, size - got);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		got += (size_t)count;
	}
	return true;
}

static void say(enum frame_kind kind, const char *before, const char *format, va_list arguments)
{
	char text[900];
	int length = snprintf(text, sizeof text, "%s", before);

	vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
	frame_send(me.fd, kind, text, strlen(text));
}

void fail(const char *file, int line, const char *format, ...)
{
	char before[160];
	va_list arguments;

	snprintf(before, sizeof before, "rank %d, %s:%d: ", me.rank, file, line);
	va_start(arguments, format);
	say(FRAME_FAIL, before, format, arguments);
	va_end(arguments);
	_exit(1);
}

void skip(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(FRAME_SKIP, "", format, arguments);
	va_end(arguments);
	_exit(0);
}

void note(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(FRAME_NOTE, "", format, arguments);
	va_end(arguments);
}

void rank_will_die(void)
{
	frame_send(me.fd, FRAME_DYING, NULL, 0);
}

/* Ranks are ordered by an exchange, and so is what the provider's thread does for one of them with what the others do around
 * it. The thread sanitizer sees one process only: to it, all sockets are one place where threads meet, so a datagram to oneself
 * tells it. */
static void order_threads(void)
{
#ifdef __SANITIZE_THREAD__
	static int fd = -1;
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof address;
	char byte = 0;

	if (fd < 0) {
		fd = socket(AF_INET, SOCK_DGRAM, 0);
		if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) != 0 || getsockname(fd, (struct sockaddr *)&address, &size) != 0 ||
		    connect(fd, (struct sockaddr *)&address, size) != 0)
			FAIL("no datagram to oneself: %s", strerror(errno));
	}
	if (send(fd, &byte, 1, 0) != 1 || recv(fd, &byte, 1, 0) != 1)
		FAIL("no datagram to oneself: %s", strerror(errno));
#endif
}

#ifdef __SANITIZE_THREAD__
/* Watching memory that a NIC writes is a race, and meant to be one. */
__attribute__((no_sanitize("thread"), noinline))
#endif
static uint64_t word_at(const volatile void *word)
{
	return __atomic_load_n((const volatile uint64_t *)word, __ATOMIC_ACQUIRE);
}

#ifdef __SANITIZE_THREAD__
__attribute__((no_sanitize("thread"), noinline))
#endif
static void bytes_at(volatile uint8_t *to, const volatile uint8_t *from, size_t len)
{
	for (size_t at = 0; at < len; at++)
		to[at] = from[at];
}

void watched_bytes(void *to, const volatile void *from, size_t len)
{
	bytes_at(to, from, len);
	order_threads();
}

uint64_t watched(const volatile void *word)
{
	uint64_t found = word_at(word);

	order_threads();
	return found;
}

void exchange(const void *mine, size_t size, void *all, progress_fn progress, void *argument)
{
	struct frame head;

	order_threads();
	if (!frame_send(me.fd, FRAME_EXCHANGE, mine, size))
		_exit(1);
	while (progress) {
		struct pollfd poll_fd = { me.fd, POLLIN, 0 };

		if (poll(&poll_fd, 1, 0) != 0)
			break;
		progress(argument);
		sched_yield();
	}
	if (!stream_read(me.fd, &head, sizeof head) || head.kind != FRAME_EXCHANGE)
		_exit(1);
	if (head.size != size * (size_t)me.ranks)
		FAIL("the ranks do not agree on what they exchange: expected %zu bytes, found %u", size * (size_t)me.ranks,
		     head.size);
	if (head.size && !stream_read(me.fd, all, head.size))
		_exit(1);
	moves();
	order_threads();
}

void rank_run(const struct test *test, const struct rank *as)
{
	me = *as;
	me.began = me.moved = now();
	test->run(test->argument);
	frame_send(me.fd, FRAME_PASS, NULL, 0);
	exit(0);
}
