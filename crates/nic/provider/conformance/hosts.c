/* Ranks on other hosts. A host keeps one TCP connection to the coordinator; told to run a test, it forks a rank that uses
 * this connection, and comes again with a new one when the rank has ended. When the coordinator closes the connection
 * first, the host ends the rank. */
#include "hosts.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a host is told. */
struct order {
	char provider[64], test[96];
	int32_t ranks;
	uint64_t seed;
	double patience;
};

static int listener = -1;
static int streams[RANKS_MAX];

/* The address of --server. */
static struct addrinfo *resolve(const char *server, bool is_passive)
{
	struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = is_passive ? AI_PASSIVE : 0 };
	struct addrinfo *found = NULL;
	char host[256];
	const char *colon = strrchr(server, ':');
	size_t length = colon ? (size_t)(colon - server) : 0;

	if (!colon || length >= sizeof host) {
		fprintf(stderr, "--server %s: expected ADDRESS:PORT, such as 10.0.0.1:7471\n", server);
		exit(2);
	}
	memcpy(host, server, length);
	host[length] = 0;
	int code = getaddrinfo(host, colon + 1, &hints, &found);
	if (code != 0) {
		fprintf(stderr, "--server %s: %s\n", server, gai_strerror(code));
		exit(2);
	}
	return found;
}

static void no_delay(int fd)
{
	int on = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* Takes one host that says its rank. */
static void take_host(const struct options *options)
{
	struct frame head;
	int32_t rank;
	int fd = accept(listener, NULL, NULL);

	if (fd < 0)
		return;
	no_delay(fd);
	if (!stream_read(fd, &head, sizeof head) || head.kind != FRAME_HELLO || head.size != sizeof rank ||
	    !stream_read(fd, &rank, sizeof rank) || rank < 1 || rank >= options->ranks || streams[rank] >= 0) {
		fprintf(stderr, "a connection that is no rank from 1 to %d, or a rank that is here already: closed\n", options->ranks - 1);
		close(fd);
		return;
	}
	streams[rank] = fd;
}

void hosts_open(const struct options *options)
{
	struct addrinfo *address = resolve(options->server, true);
	int on = 1;

	for (int rank = 0; rank < RANKS_MAX; rank++)
		streams[rank] = -1;
	listener = socket(address->ai_family, SOCK_STREAM, 0);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (listener < 0 || bind(listener, address->ai_addr, address->ai_addrlen) != 0 || listen(listener, RANKS_MAX) != 0) {
		fprintf(stderr, "--server %s: %s\n", options->server, strerror(errno));
		exit(2);
	}
	freeaddrinfo(address);
	fprintf(stderr, "waits for ranks 1 to %d at %s\n", options->ranks - 1, options->server);
}

int hosts_start(const struct options *options, const struct test *test, int rank, int ranks, double patience)
{
	struct order order = { .ranks = ranks, .seed = options->seed, .patience = patience };
	int fd;

	while (streams[rank] < 0)
		take_host(options);
	snprintf(order.provider, sizeof order.provider, "%s", options->provider);
	snprintf(order.test, sizeof order.test, "%s", test->name);
	fd = streams[rank];
	streams[rank] = -1;
	frame_send(fd, FRAME_RUN, &order, sizeof order);
	return fd;
}

void hosts_close(const struct options *options)
{
	for (int rank = 1; rank < options->ranks; rank++) {
		while (streams[rank] < 0)
			take_host(options);
		frame_send(streams[rank], FRAME_END, NULL, 0);
		close(streams[rank]);
	}
	close(listener);
}

/* A connection to the coordinator, which may not have begun to listen. */
static int join_run(const struct options *options)
{
	int32_t rank = options->rank;
	double end = now() + 60;

	for (;;) {
		struct addrinfo *address = resolve(options->server, false);
		int fd = socket(address->ai_family, SOCK_STREAM, 0);

		if (fd >= 0 && connect(fd, address->ai_addr, address->ai_addrlen) == 0) {
			freeaddrinfo(address);
			no_delay(fd);
			frame_send(fd, FRAME_HELLO, &rank, sizeof rank);
			return fd;
		}
		close(fd);
		freeaddrinfo(address);
		if (now() > end) {
			fprintf(stderr, "--server %s: no server listens there after 60 s: %s\n", options->server, strerror(errno));
			exit(2);
		}
		sleep_ms(200);
	}
}

/* Waits for the rank's end, or ends it when the coordinator has closed the stream. */
static int watch(int fd, pid_t pid)
{
	for (;;) {
		struct pollfd poll_fd = { fd, POLLRDHUP, 0 };
		int status = 0;

		if (waitpid(pid, &status, WNOHANG) == pid)
			return status;
		if (poll(&poll_fd, 1, 20) > 0 && poll_fd.revents & (POLLRDHUP | POLLHUP | POLLERR))
			kill(pid, SIGKILL);
	}
}

int host_serve(const struct options *options)
{
	struct place *place = mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (place == MAP_FAILED)
		return 2;
	for (;;) {
		int fd = join_run(options);
		struct frame head;
		struct order order;
		const struct test *test;
		char text[512];

		if (!stream_read(fd, &head, sizeof head) || head.kind == FRAME_END)
			return 0;
		if (head.kind != FRAME_RUN || head.size != sizeof order || !stream_read(fd, &order, sizeof order))
			return 2;
		test = test_find(order.test);
		if (!test) {
			snprintf(text, sizeof text, "rank %d knows no test %s: is it the same fi-conformance?", options->rank, order.test);
			frame_send(fd, FRAME_FAIL, text, strlen(text));
			close(fd);
			continue;
		}
		memset(place, 0, sizeof *place);
		fflush(NULL);
		pid_t pid = fork();
		if (pid == 0) {
			struct rank as = { .is_spread = true, .rank = options->rank, .ranks = order.ranks, .seed = order.seed, .provider = order.provider,
					   .patience = order.patience, .fd = fd, .place = place };
			rank_run(test, &as);
		}
		int status = watch(fd, pid);
		if (WIFSIGNALED(status) && !(test->flags & TEST_DEATH)) {
			snprintf(text, sizeof text, "rank %d ended by signal %d at %s:%d (%s)", options->rank, WTERMSIG(status),
				 place->file ? place->file : "its start", place->line, place->text);
			frame_send(fd, FRAME_FAIL, text, strlen(text));
		}
		close(fd);
	}
}
