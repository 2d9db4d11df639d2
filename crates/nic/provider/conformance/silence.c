/* Hosts that say nothing any more: who waits for them by name gets an error, and who computes is not taken for one of them.
 * Between hosts, or what is reached as if it were: these tests see to that. */
#include "vendor.h"

#include <signal.h>
#include <unistd.h>

/* Milliseconds of silence until a host is given up. Until the error it may take some seconds more: the host is asked after a
 * second, and is asked again. */
enum { TIMEOUT_MS = 1000, SOON = 10 };

static void open_by_datagrams(struct node *node)
{
	setenv("FI_PHILAE_WIRES", "udp", 1);
	setenv("FI_PHILAE_UDP_TIMEOUT_MS", "1000", 1);
	node_open(node, WISH(.caps = FI_MSG | FI_TAGGED | FI_DIRECTED_RECV));
}

/* This rank stands still from now on, as one whose host is cut off, and is killed after some seconds. */
static void fall_silent(int seconds)
{
	pid_t self = getpid();

	rank_will_die();
	if (fork() == 0) {
		sleep_ms(seconds * 1000);
		kill(self, SIGKILL);
		_exit(0);
	}
	raise(SIGSTOP);
	FAIL("it went on");
}

enum { KNOWN, UNKNOWN };

/* Rank 1 stands still while rank 0 waits for its messages: both receives end with an error, and rank 2 is heard. */
static void cut_off(long is_unknown)
{
	struct node node;
	uint32_t in[3] = { 0 }, out = 7;

	open_by_datagrams(&node);
	if (!is_unknown && me.rank < 2) {
		recv_by(&node, TAGGED, PLAIN, node.peers[1 - me.rank], &in[0], 4, 1, 0, 1);
		send_by(&node, TAGGED, PLAIN, 1 - me.rank, &out, 4, 1, 2);
		RECEIVED(&node, TAGGED, 1, 4, 1);
		DONE(&node, TX, 2);
	}
	barrier(&node);
	if (me.rank == 1)
		fall_silent(2 * SOON + 2);
	if (me.rank == 0) {
		double begin = now();

		recv_by(&node, TAGGED, PLAIN, node.peers[1], &in[1], 4, 5, 0, 5);
		recv_by(&node, MSG, PLAIN, node.peers[1], &in[2], 4, 0, 0, 6);
		recv_by(&node, TAGGED, PLAIN, node.peers[2], &in[0], 4, 9, 0, 9);
		CHECK(FAULT(&node, RX, 5).err > 0);
		CHECK(FAULT(&node, RX, 6).err > 0);
		note("errors after %.1f s", now() - begin);
		CHECK(now() - begin < 2 * SOON);
		send_by(&node, TAGGED, PLAIN, 2, &out, 4, 8, 8);
		DONE(&node, TX, 8);
		RECEIVED(&node, TAGGED, 9, 4, 9);
	} else if (me.rank == 2) {
		recv_by(&node, TAGGED, PLAIN, node.peers[0], &in[0], 4, 8, 0, 8);
		RECEIVED(&node, TAGGED, 8, 4, 8);
		send_by(&node, TAGGED, PLAIN, 0, &out, 4, 9, 9);
		DONE(&node, TX, 9);
	}
	node_close(&node);
}

/* Rank 1 computes for several times as long as a silent host has, without a call; rank 0 waits, and gets its message. */
static void busy(long unused)
{
	struct node node;
	uint32_t in = 0, out = 7;

	(void)unused;
	open_by_datagrams(&node);
	if (me.rank == 0) {
		recv_by(&node, TAGGED, PLAIN, node.peers[1], &in, 4, 5, 0, 5);
		RECEIVED(&node, TAGGED, 5, 4, 5);
	} else {
		/* Its NIC is known to the other one from here on. */
		recv_by(&node, TAGGED, PLAIN, node.peers[0], &in, 4, 6, 0, 6);
		for (int turn = 0; turn < 20; turn++) {
			progress(&node);
			sleep_ms(1);
		}
		sleep_ms(5 * TIMEOUT_MS);
		send_by(&node, TAGGED, PLAIN, 0, &out, 4, 5, 1);
		DONE(&node, TX, 1);
	}
	barrier(&node);
	if (me.rank == 0) {
		send_by(&node, TAGGED, PLAIN, 1, &out, 4, 6, 1);
		DONE(&node, TX, 1);
	} else
		RECEIVED(&node, TAGGED, 6, 4, 6);
	node_close(&node);
}

/* Who waits for a host asks whether it lives; who does not wait sends no question. */
static void probes(long unused)
{
	struct node node;
	uint32_t in = 0, out = 7;

	(void)unused;
	open_by_datagrams(&node);
	if (me.rank == 0) {
		uint64_t asked = counted_by(&node, "probes_sent");

		recv_by(&node, TAGGED, PLAIN, node.peers[1], &in, 4, 5, 0, 5);
		QUIET(&node, 2500);
		CHECK(counted_by(&node, "probes_sent") > asked);
		barrier(&node);
		RECEIVED(&node, TAGGED, 5, 4, 5);
		/* What was in flight, and the poll that finds nothing that waits. */
		QUIET(&node, 1500);
		asked = counted_by(&node, "probes_sent");
		QUIET(&node, 3000);
		EQUAL(counted_by(&node, "probes_sent"), asked);
	} else {
		barrier(&node);
		send_by(&node, TAGGED, PLAIN, 0, &out, 4, 5, 1);
		DONE(&node, TX, 1);
	}
	barrier(&node);
	node_close(&node);
}

#define SILENT (TEST_OURS | TEST_DEATH | TEST_LONG)

const struct test silence_tests[] = {
	{ "silence.cut_off", "receives from a host that says nothing any more end with an error", cut_off, KNOWN, 3, 3, SILENT },
	{ "silence.unknown", "the same where nothing was ever heard of it", cut_off, UNKNOWN, 3, 3, SILENT },
	{ "silence.busy", "who computes for long is not taken for dead", busy, 0, 2, 2, TEST_OURS | TEST_LONG },
	{ "silence.probes", "a host is asked whether it lives only while something waits for it", probes, 0, 2, 2, TEST_OURS | TEST_LONG },
	{ 0 },
};
