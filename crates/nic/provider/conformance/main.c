/* fi-conformance: what its command line says, and which tests there are. */
#include "conformance.h"

#include <fnmatch.h>
#include <getopt.h>
#include <signal.h>

static const struct test *const GROUPS[] = {
	info_tests, object_tests, av_tests, cq_tests, message_tests, multi_recv_tests, tagged_tests, peek_tests, order_tests,
	rma_tests, region_tests, atomic_tests, atomic_order_tests, counter_tests, completion_tests, deferred_tests,
	limit_tests, error_tests, death_tests, offload_tests, copies_tests, stress_tests, remote_counter_tests, vendor_tests,
	vendor_flag_tests, thread_tests, matching_tests, silence_tests, departure_tests,
};

enum { GROUPS_COUNT = sizeof GROUPS / sizeof GROUPS[0] };

static const char HELP[] =
	"Usage: fi-conformance --provider NAME [options]\n"
	"\n"
	"Tests a libfabric provider for reliable datagrams (FI_EP_RDM). Starts its own ranks; needs no launcher.\n"
	"What the provider does not offer, by fi_getinfo's answer, is skipped with the reason.\n"
	"\n"
	"  --provider NAME      philae, cxi, sockets, 'tcp;ofi_rxm', shm, 'udp;ofi_rxd', ...\n"
	"  --ranks N            ranks of tests that take any number of them, 2 to 16 (4)\n"
	"  --only PATTERN       tests whose name fits, such as 'tagged.*' or '*peek*'; several with commas\n"
	"  --except PATTERN     leave these out\n"
	"  --list               say the tests' names and what each holds a provider to\n"
	"  --seed S             patterns and random choices (1)\n"
	"  --timeout S          seconds without progress until a test hangs; long tests get four times this (30)\n"
	"  --quick              leave long tests out\n"
	"  --strict             run the tests too that only philae and cxi have to pass\n"
	"  --verbose            ranks and time of each test\n"
	"  --server ADDR:PORT   ranks on several hosts: where the coordinator (rank 0) listens\n"
	"  --rank R             which rank this host is: 0 coordinates and reports, the others serve it\n"
	"\n"
	"Output: TAP (one line a test: ok, not ok, ok # SKIP reason), then totals.\n"
	"Exit status: 0 without failures, 1 with, 2 when the run itself was not possible.\n"
	"\n"
	"Examples:\n"
	"  FI_PROVIDER_PATH=/opt/philae/lib fi-conformance --provider philae\n"
	"  fi-conformance --provider 'tcp;ofi_rxm' --only 'msg.*,tagged.*' --verbose\n"
	"  fi-conformance --provider sockets --only stress.mixed --seed 7 --ranks 4\n"
	"  host0$ fi-conformance --provider philae --ranks 2 --server 10.0.0.1:7471 --rank 0\n"
	"  host1$ fi-conformance --server 10.0.0.1:7471 --rank 1\n";

/* True when `name` fits one of the patterns, which commas part. */
static bool fits(const char *patterns, const char *name)
{
	char copy[512], *rest = copy;

	snprintf(copy, sizeof copy, "%s", patterns);
	for (char *pattern; (pattern = strsep(&rest, ",")) != NULL;)
		if (fnmatch(pattern, name, 0) == 0)
			return true;
	return false;
}

const struct test *test_find(const char *name)
{
	for (int group = 0; group < GROUPS_COUNT; group++)
		for (const struct test *test = GROUPS[group]; test->name; test++)
			if (strcmp(test->name, name) == 0)
				return test;
	return NULL;
}

static _Noreturn void misused(const char *format, const char *what)
{
	fprintf(stderr, "fi-conformance: ");
	fprintf(stderr, format, what);
	fprintf(stderr, "; --help says more\n");
	exit(2);
}

/* A whole number from `low` to `high`. */
static uint64_t number(const char *option, const char *text, uint64_t low, uint64_t high)
{
	char *end;
	unsigned long long value = strtoull(text, &end, 0);

	if (*end || end == text || value < low || value > high) {
		fprintf(stderr, "fi-conformance: --%s %s: expected a whole number from %llu to %llu\n", option, text,
			(unsigned long long)low, (unsigned long long)high);
		exit(2);
	}
	return value;
}

static struct options parse(int count, char **words)
{
	static const struct option LONG[] = {
		{ "provider", 1, 0, 'p' }, { "ranks", 1, 0, 'n' },   { "only", 1, 0, 'o' },    { "except", 1, 0, 'x' },
		{ "list", 0, 0, 'l' },	   { "seed", 1, 0, 's' },    { "timeout", 1, 0, 't' }, { "quick", 0, 0, 'q' },
		{ "verbose", 0, 0, 'v' },  { "server", 1, 0, 'S' },  { "rank", 1, 0, 'r' },    { "help", 0, 0, 'h' },
		{ "strict", 0, 0, 'T' },
		{ 0, 0, 0, 0 },
	};
	struct options options = { .ranks = 4, .seed = 1, .timeout = 30, .rank = -1 };

	for (int letter; (letter = getopt_long(count, words, "", LONG, NULL)) != -1;) {
		switch (letter) {
		case 'p':
			options.provider = optarg;
			break;
		case 'n':
			options.ranks = (int)number("ranks", optarg, 2, RANKS_MAX);
			break;
		case 'o':
			options.only = optarg;
			break;
		case 'x':
			options.except = optarg;
			break;
		case 'l':
			options.list = true;
			break;
		case 's':
			options.seed = number("seed", optarg, 0, UINT64_MAX);
			break;
		case 't':
			options.timeout = (int)number("timeout", optarg, 1, 100000);
			break;
		case 'q':
			options.quick = true;
			break;
		case 'T':
			options.strict = true;
			break;
		case 'v':
			options.verbose = true;
			break;
		case 'S':
			options.server = optarg;
			break;
		case 'r':
			options.rank = (int)number("rank", optarg, 0, RANKS_MAX - 1);
			break;
		case 'h':
			fputs(HELP, stdout);
			exit(0);
		default:
			exit(2);
		}
	}
	if (optind < count)
		misused("%s: not an option", words[optind]);
	if (options.server && options.rank < 0)
		misused("%s: --server needs --rank", options.server);
	if (!options.server && options.rank >= 0)
		misused("%s: --rank needs --server", "ranks on several hosts");
	if (!options.provider && !options.list && options.rank < 1)
		misused("--provider: %s", "expected the provider's name");
	return options;
}

static bool is_wanted(const struct options *options, const struct test *test)
{
	if (options->only && !fits(options->only, test->name))
		return false;
	if (options->except && fits(options->except, test->name))
		return false;
	return !(options->quick && test->flags & TEST_LONG);
}

int main(int count, char **words)
{
	struct options options = parse(count, words);
	int totals[3] = { 0 }, tests = 0;

	signal(SIGPIPE, SIG_IGN);
	/* Libraries of providers that catch crashes and leave files behind: a crash is to be seen as one. */
	setenv("IPATH_NO_BACKTRACE", "1", 0);
	setenv("HFI_NO_BACKTRACE", "1", 0);
	if (options.rank > 0)
		return host_serve(&options);
	if (options.server && !options.list)
		hosts_open(&options);
	if (!options.list)
		printf("TAP version 13\n# provider %s, seed %llu\n", options.provider, (unsigned long long)options.seed);
	for (int group = 0; group < GROUPS_COUNT; group++) {
		for (const struct test *test = GROUPS[group]; test->name; test++) {
			if (!is_wanted(&options, test))
				continue;
			tests++;
			if (options.list)
				printf("%-34s %s\n", test->name, test->about);
			else
				totals[run_test(&options, test, tests)]++;
		}
	}
	if (tests == 0)
		misused("--only %s: no test has such a name", options.only ? options.only : "*");
	if (options.list)
		return 0;
	if (options.server)
		hosts_close(&options);
	printf("1..%d\n# %d passed, %d failed, %d skipped\n", tests, totals[OUTCOME_PASS], totals[OUTCOME_FAIL],
	       totals[OUTCOME_SKIP]);
	return totals[OUTCOME_FAIL] ? 1 : 0;
}
