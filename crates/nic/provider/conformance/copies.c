/* Ranks that the system does not let copy each other's memory: what needs a copy takes another path. */
#include "rma.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* From now on the system refuses this process the two calls, as containers do. */
static void forbid_copies(void)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof steps / sizeof steps[0], steps };
	int here = 1, there = 0;
	struct iovec local = { &there, sizeof there }, remote = { &here, sizeof here };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
		skip("this system has no filters of system calls: %s", strerror(errno));
	CHECK(process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == -1 && errno == EPERM);
}

enum { TO_ALL, TO_ONE, CLOSED_ONE };

enum { LONGEST = (1 << 20) + 1, TAG = 0x40 };

/* Every rank sends to every other, in order; receives are posted by address, before and after the messages come. */
static void all_pairs(struct node *node)
{
	static const size_t LENS[] = { 0, 1, 192, 2049, 8193, 16384, 16385, LONGEST };
	enum { COUNT = sizeof LENS / sizeof LENS[0] };
	struct buffer out[COUNT], in[COUNT];

	for (int i = 0; i < COUNT; i++) {
		out[i] = buffer_new(LENS[i]);
		in[i] = buffer_new(LENS[i]);
		pattern(out[i].bytes, LENS[i], me.rank, (uint64_t)i, 0);
	}
	for (int distance = 1; distance < me.ranks; distance++) {
		int to = (me.rank + distance) % me.ranks, from = (me.rank + me.ranks - distance) % me.ranks;

		for (int i = 0; i < COUNT; i++)
			buffer_clear(&in[i]);
		barrier(node);
		for (int i = 0; i < COUNT; i += 2)
			recv_by(node, TAGGED, PLAIN, node->peers[from], in[i].bytes, LENS[i], TAG + (uint64_t)i, 0, 100 + (uint64_t)i);
		for (int i = 0; i < COUNT; i++)
			send_by(node, TAGGED, PLAIN, to, out[i].bytes, LENS[i], TAG + (uint64_t)i, 200 + (uint64_t)i);
		sleep_ms(20);
		for (int i = 1; i < COUNT; i += 2)
			recv_by(node, TAGGED, PLAIN, node->peers[from], in[i].bytes, LENS[i], TAG + (uint64_t)i, 0, 100 + (uint64_t)i);
		for (int i = 0; i < COUNT; i++) {
			RECEIVED(node, TAGGED, 100 + (uint64_t)i, LENS[i], TAG + (uint64_t)i);
			HOLDS(&in[i], LENS[i], from, (uint64_t)i);
		}
		for (int i = 0; i < COUNT; i++)
			DONE(node, TX, 200 + (uint64_t)i);
	}
	for (int i = 0; i < COUNT; i++) {
		buffer_free(&out[i]);
		buffer_free(&in[i]);
	}
}

static void without_copies(long who)
{
	struct node node;
	struct target targets[RANKS_MAX];
	uint64_t one = 1;

	/* Both wires, whatever the suite runs over: which one a peer goes by is the matter here. */
	setenv("FI_PHILAE_WIRES", "shm,udp", 1);
	if (who == TO_ALL || (who == TO_ONE && me.rank == 1))
		forbid_copies();
	if (who == CLOSED_ONE && me.rank == 1)
		CHECK(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0);
	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC | FI_DIRECTED_RECV));
	/* For each rank one part that it writes, and a word that all add to. */
	struct buffer own = buffer_new((size_t)me.ranks * LONGEST + 8), local = buffer_new(LONGEST);
	uint64_t *word = (uint64_t *)(void *)own.bytes;

	*word = 0;
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	all_pairs(&node);
	barrier(&node);
	for (int peer = 0; peer < me.ranks; peer++) {
		uint64_t place = 8 + (uint64_t)me.rank * LONGEST;

		if (peer == me.rank)
			continue;
		pattern(local.bytes, LONGEST, me.rank, (uint64_t)peer, 0);
		rma_by(&node, WRITE, peer, local.bytes, LONGEST, &targets[peer], place, 1);
		DONE(&node, TX, 1);
		buffer_clear(&local);
		rma_by(&node, READ, peer, local.bytes, LONGEST, &targets[peer], place, 2);
		DONE(&node, TX, 2);
		HOLDS(&local, LONGEST, me.rank, (uint64_t)peer);
		POST(&node, fi_atomic(node.ep, &one, 1, NULL, node.peers[peer], targets[peer].address, targets[peer].key, FI_UINT64,
				      FI_SUM, ctx(&node, 3)));
		DONE(&node, TX, 3);
	}
	barrier(&node);
	CHECK(*(volatile uint64_t *)word == (uint64_t)me.ranks - 1);
	region_close(&region);
	node_close(&node);
	buffer_free(&own);
	buffer_free(&local);
}

const struct test copies_tests[] = {
	{ "copies.forbidden_to_all", "no rank may copy another's memory, and all reach each other", without_copies, TO_ALL, 3, 3, TEST_OURS },
	{ "copies.forbidden_to_one", "one rank may not copy others' memory, and all reach each other", without_copies, TO_ONE, 3, 3, TEST_OURS },
	{ "copies.closed_one", "one rank is closed to others, and all reach each other", without_copies, CLOSED_ONE, 3, 3, TEST_OURS },
	{ 0 },
};
