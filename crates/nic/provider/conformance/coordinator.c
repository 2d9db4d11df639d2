/* The coordinator: starts the ranks of a test, serves their exchanges, ends what hangs and says how the test went. */
#include "conformance.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hosts.h"

/* The longest message of a rank that is kept. */
enum { TEXT_MAX = 1000 };

/* What the coordinator knows of one rank. */
struct member {
	int fd;
	pid_t pid;
	bool is_over, has_passed, will_die, is_waiting;
	unsigned exchanges;
	char *data;
	size_t size;
};

struct run {
	struct member members[RANKS_MAX];
	struct place *places;
	int ranks;
	enum outcome outcome;
	bool is_decided;
	char text[TEXT_MAX + 1];
	char notes[4 * TEXT_MAX];
};

static void decide(struct run *run, enum outcome outcome, const char *text)
{
	if (run->is_decided)
		return;
	run->is_decided = true;
	run->outcome = outcome;
	snprintf(run->text, sizeof run->text, "%s", text);
}

/* What rank `rank` does, as far as it said. */
static void describe(const struct run *run, int rank, char *text, size_t size)
{
	const struct place *place = &run->places[rank];

	if (run->members[rank].is_over)
		snprintf(text, size, "rank %d is through", rank);
	else if (run->members[rank].is_waiting)
		snprintf(text, size, "rank %d waits for the others in exchange %u, after %s:%d (%s)", rank,
			 run->members[rank].exchanges, place->file ? place->file : "its start", place->line, place->text);
	else if (place->file)
		snprintf(text, size, "rank %d is at %s:%d (%s)", rank, place->file, place->line, place->text);
	else
		snprintf(text, size, "rank %d has not begun", rank);
}

/* Answers the exchange, once every rank that lives has come to it. */
static void serve_exchange(struct run *run)
{
	size_t size = 0;
	char *all;
	bool any = false;

	for (int rank = 0; rank < run->ranks; rank++) {
		struct member *member = &run->members[rank];

		if (member->is_over && member->will_die)
			continue;
		if (!member->is_waiting)
			return;
		any = true;
		size = member->size > size ? member->size : size;
	}
	if (!any)
		return;
	all = calloc((size_t)run->ranks, size ? size : 1);
	for (int rank = 0; rank < run->ranks; rank++)
		if (run->members[rank].is_waiting && run->members[rank].size)
			memcpy(all + (size_t)rank * size, run->members[rank].data, run->members[rank].size);
	for (int rank = 0; rank < run->ranks; rank++) {
		struct member *member = &run->members[rank];

		if (!member->is_waiting)
			continue;
		free(member->data);
		member->data = NULL;
		member->is_waiting = false;
		frame_send(member->fd, FRAME_EXCHANGE, all, size * (size_t)run->ranks);
	}
	free(all);
}

static void end_of_member(struct run *run, int rank)
{
	struct member *member = &run->members[rank];
	char text[TEXT_MAX], where[400];
	int status = 0;

	describe(run, rank, where, sizeof where);
	if (member->pid > 0) {
		waitpid(member->pid, &status, 0);
		member->pid = 0;
	}
	if (!member->has_passed && !member->will_die) {
		if (WIFSIGNALED(status))
			snprintf(text, sizeof text, "rank %d ended by signal %d (%s): %s", rank, WTERMSIG(status),
				 strsignal(WTERMSIG(status)), where);
		else
			snprintf(text, sizeof text, "rank %d ended without a result, status %d: %s", rank, WEXITSTATUS(status), where);
		decide(run, OUTCOME_FAIL, text);
	} else if (member->has_passed && (WIFSIGNALED(status) || WEXITSTATUS(status))) {
		snprintf(text, sizeof text, "rank %d passed and then ended badly: %s %d", rank,
			 WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		decide(run, OUTCOME_FAIL, text);
	}
	member->is_over = true;
	close(member->fd);
	member->fd = -1;
	serve_exchange(run);
}

/* One frame from `rank`, or the end of its stream. */
static void serve(struct run *run, int rank)
{
	struct member *member = &run->members[rank];
	struct frame head;
	char text[TEXT_MAX + 1];

	if (!stream_read(member->fd, &head, sizeof head)) {
		end_of_member(run, rank);
		return;
	}
	if (head.kind == FRAME_EXCHANGE) {
		member->data = malloc(head.size ? head.size : 1);
		member->size = head.size;
		if (head.size && !stream_read(member->fd, member->data, head.size)) {
			end_of_member(run, rank);
			return;
		}
		member->is_waiting = true;
		member->exchanges++;
		serve_exchange(run);
		return;
	}
	if (head.size > TEXT_MAX || (head.size && !stream_read(member->fd, text, head.size))) {
		end_of_member(run, rank);
		return;
	}
	text[head.size] = 0;
	switch (head.kind) {
	case FRAME_PASS:
		member->has_passed = true;
		break;
	case FRAME_DYING:
		member->will_die = true;
		break;
	case FRAME_FAIL:
		decide(run, OUTCOME_FAIL, text);
		break;
	case FRAME_SKIP:
		decide(run, OUTCOME_SKIP, text);
		break;
	case FRAME_NOTE:
		if (strlen(run->notes) + head.size + 8 < sizeof run->notes)
			sprintf(run->notes + strlen(run->notes), "#   %s\n", text);
		break;
	default:
		decide(run, OUTCOME_FAIL, "a rank sent what the coordinator does not know");
	}
}

static void start_local(const struct options *options, const struct test *test, struct run *run, int rank, double patience)
{
	int pair[2];
	struct rank as = { .rank = rank, .ranks = run->ranks, .seed = options->seed, .provider = options->provider, .patience = patience,
			   .is_spread = options->server != NULL };

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
		perror("socketpair");
		exit(2);
	}
	fflush(NULL);
	run->members[rank].pid = fork();
	if (run->members[rank].pid < 0) {
		perror("fork");
		exit(2);
	}
	if (run->members[rank].pid == 0) {
		for (int other = 0; other < rank; other++)
			close(run->members[other].fd);
		close(pair[0]);
		as.fd = pair[1];
		as.place = &run->places[rank];
		rank_run(test, &as);
	}
	close(pair[1]);
	run->members[rank].fd = pair[0];
}

static void hang(struct run *run, int seconds)
{
	char text[TEXT_MAX], where[400];
	size_t length = (size_t)snprintf(text, sizeof text, "hangs: no progress for %d s, or the test takes %d times this:", seconds,
					 PATIENCES_MAX);

	for (int rank = 0; rank < run->ranks && length < sizeof text; rank++) {
		describe(run, rank, where, sizeof where);
		length += (size_t)snprintf(text + length, sizeof text - length, " %s;", where);
	}
	decide(run, OUTCOME_FAIL, text);
}

static void serve_all(struct run *run, int seconds)
{
	double moved = now(), end = moved + PATIENCES_MAX * seconds, grace = 0;
	uint64_t moves = 0;

	for (;;) {
		struct pollfd fds[RANKS_MAX];
		int ranks[RANKS_MAX], count = 0;

		for (int rank = 0; rank < run->ranks; rank++) {
			if (run->members[rank].is_over)
				continue;
			fds[count] = (struct pollfd){ run->members[rank].fd, POLLIN, 0 };
			ranks[count++] = rank;
		}
		if (count == 0)
			return;
		poll(fds, (nfds_t)count, 100);
		for (int index = 0; index < count; index++)
			if (fds[index].revents && !run->members[ranks[index]].is_over)
				serve(run, ranks[index]);
		uint64_t all = moves_of(run->places, run->ranks);
		if (all != moves)
			moved = now();
		moves = all;
		if (!run->is_decided && (now() > moved + seconds || now() > end))
			hang(run, seconds);
		/* A rank waits for another that is through: they do not agree on the number of exchanges. */
		for (int rank = 0; rank < run->ranks && !run->is_decided; rank++)
			for (int other = 0; other < run->ranks; other++)
				if (run->members[rank].is_waiting && run->members[other].is_over && run->members[other].has_passed) {
					char text[TEXT_MAX];

					describe(run, rank, text, sizeof text);
					decide(run, OUTCOME_FAIL, text);
				}
		if (run->is_decided && grace == 0)
			grace = now() + 0.2;
		if (grace != 0 && now() > grace)
			for (int rank = 0; rank < run->ranks; rank++) {
				if (run->members[rank].is_over)
					continue;
				if (run->members[rank].pid > 0)
					kill(run->members[rank].pid, SIGKILL);
				else
					shutdown(run->members[rank].fd, SHUT_RDWR);
			}
	}
}

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

enum outcome run_test(const struct options *options, const struct test *test, int number)
{
	static const char *const WORDS[] = { "ok", "not ok", "ok" };
	struct run run = { .ranks = clamp(options->ranks, test->ranks_min, test->ranks_max) };
	int seconds = options->timeout * (test->flags & TEST_LONG ? 4 : 1);
	double began = now();

	run.places = mmap(NULL, sizeof(struct place) * RANKS_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (run.places == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	if (options->server && run.ranks > options->ranks) {
		run.is_decided = true;
		run.outcome = OUTCOME_SKIP;
		snprintf(run.text, sizeof run.text, "needs %d ranks, --ranks gave %d", run.ranks, options->ranks);
	} else if (test->flags & TEST_OURS && !options->strict && strcmp(options->provider, "philae") != 0 && strcmp(options->provider, "cxi") != 0) {
		run.is_decided = true;
		run.outcome = OUTCOME_SKIP;
		snprintf(run.text, sizeof run.text, "asks for more than the standard does; for philae and cxi");
	} else {
		for (int rank = 0; rank < run.ranks; rank++) {
			if (options->server && rank > 0)
				run.members[rank].fd = hosts_start(options, test, rank, run.ranks, seconds * 0.8);
			else
				start_local(options, test, &run, rank, seconds * 0.8);
		}
		serve_all(&run, seconds);
	}
	munmap(run.places, sizeof(struct place) * RANKS_MAX);
	printf("%s %d - %s", WORDS[run.outcome], number, test->name);
	if (run.outcome == OUTCOME_SKIP)
		printf(" # SKIP %s", run.text);
	printf("%s", options->verbose ? "" : "\n");
	if (options->verbose)
		printf(" (%d ranks, %.0f ms)\n", run.ranks, (now() - began) * 1000);
	if (run.outcome == OUTCOME_FAIL)
		printf("#   %s\n#   it must hold: %s\n", run.text, test->about);
	printf("%s", run.notes);
	fflush(stdout);
	return run.outcome;
}
