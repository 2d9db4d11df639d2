/* Misuse and misfortune that must stay where they are: bad arguments, forks, addresses that were never inserted. */
#include "rma.h"

#include <sys/wait.h>
#include <unistd.h>

/* A process that forks continues; its child does something else. */
static void forks(long unused)
{
	struct node node;
	struct target targets[2];
	struct buffer own = buffer_new(8192), local = buffer_new(8192);
	int peer = 1 - me.rank;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	for (uint64_t round = 0; round < 6; round++) {
		buffer_clear(&own);
		barrier(&node);
		pid_t child = fork();
		if (child == 0) {
			/* The child writes to its copy of everything. */
			memset(own.bytes, 0x11, own.size);
			memset(local.bytes, 0x22, local.size);
			sleep_ms(20);
			_exit(0);
		}
		CHECK(child > 0);
		pattern(local.bytes, 8192, me.rank, round, 0);
		rma_by(&node, WRITE, peer, local.bytes, 8192, &targets[peer], 0, 1);
		DONE(&node, TX, 1);
		barrier(&node);
		UNTIL_LANDED(&node, own.bytes, 8192, peer, round, 0);
		int status = 1;
		while (waitpid(child, &status, WNOHANG) == 0)
			wait_turn(&node, __FILE__, __LINE__, "the end of the child");
		EQUAL(status, 0);
		barrier(&node);
	}
	region_close(&region);
	node_close(&node);
}

/* A forked child that runs another program. */
static void fork_exec(long unused)
{
	struct node node;
	uint8_t out = 1, in = 0;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG));
	int status = system("exit 3");
	CHECK(WIFEXITED(status));
	EQUAL(WEXITSTATUS(status), 3);
	recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 1);
	barrier(&node);
	send_by(&node, MSG, PLAIN, 1 - me.rank, &out, 1, 0, 2);
	DONE(&node, RX, 1);
	DONE(&node, TX, 2);
	node_close(&node);
}

/* Addresses that were never inserted. */
static void no_address(long unused)
{
	struct node node;
	uint8_t byte = 1;
	static const fi_addr_t UNKNOWN[] = { FI_ADDR_NOTAVAIL, 77777, 1ull << 40 };

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED | FI_RMA));
	for (int i = 0; i < 3; i++) {
		CHECK(fi_send(node.ep, &byte, 1, NULL, UNKNOWN[i], ctx(&node, 1)) < 0);
		CHECK(fi_tinject(node.ep, &byte, 1, UNKNOWN[i], 5) < 0);
		CHECK(fi_write(node.ep, &byte, 1, NULL, UNKNOWN[i], 0, 0, ctx(&node, 1)) < 0);
	}
	QUIET(&node, 30);
	node_close(&node);
}

/* An endpoint that is closed: who sends to it gets an error, or no answer; others are unharmed. */
static void closed_peer(long how)
{
	struct node node, extra;
	struct name mine = { 0 }, all[RANKS_MAX];
	uint8_t byte = 1, in = 0;
	struct buffer big = buffer_new(100000);
	fi_addr_t gone;

	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	if (me.rank == 1) {
		node_open_alone(&extra, WISH(.caps = FI_MSG | FI_RMA));
		mine = node_name(&extra);
	}
	exchange(&mine, sizeof mine, all, NULL, NULL);
	if (me.rank == 1)
		node_close_alone(&extra);
	barrier(&node);
	if (me.rank == 0) {
		RETURNS(fi_av_insert(node.av, all[1].bytes, 1, &gone, 0, NULL), 1);
		if (how == 0)
			POST(&node, fi_send(node.ep, &byte, 1, NULL, gone, ctx(&node, 1)));
		else if (how == 1)
			POST(&node, fi_send(node.ep, big.bytes, big.size, NULL, gone, ctx(&node, 1)));
		else
			POST(&node, fi_write(node.ep, big.bytes, 64, NULL, gone, 0, 1, ctx(&node, 1)));
		CHECK(FAULT(&node, TX, 1).err > 0);
	}
	recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 2);
	barrier(&node);
	send_by(&node, MSG, PLAIN, 1 - me.rank, &byte, 1, 0, 3);
	DONE(&node, RX, 2);
	DONE(&node, TX, 3);
	node_close(&node);
}

/* Flags that do not belong to an operation. */
static void wrong_flags(long unused)
{
	struct node node;
	uint8_t byte = 1;
	struct iovec iov = { &byte, 1 };

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED));
	struct fi_msg msg = { .msg_iov = &iov, .iov_count = 1, .addr = node.peers[1 - me.rank], .context = ctx(&node, 1) };
	struct fi_msg_tagged tagged = { .msg_iov = &iov, .iov_count = 1, .addr = node.peers[1 - me.rank], .tag = 1, .context = ctx(&node, 1) };
	RETURNS(fi_sendmsg(node.ep, &msg, 1ull << 50), -FI_EBADFLAGS);
	RETURNS(fi_tsendmsg(node.ep, &tagged, FI_PEEK), -FI_EBADFLAGS);
	RETURNS(fi_trecvmsg(node.ep, &tagged, FI_DISCARD), -FI_EBADFLAGS);
	QUIET(&node, 20);
	node_close(&node);
}

/* Tags wider than the format are refused. */
static void wide_tag(long unused)
{
	struct node node;
	uint8_t byte = 1;

	(void)unused;
	node_open(&node, WISH(.caps = FI_TAGGED));
	if (node.info->ep_attr->mem_tag_format >> 63)
		skip("mem_tag_format has 64 bits");
	int bits = 63;
	while (!(node.info->ep_attr->mem_tag_format >> (bits - 1)))
		bits--;
	RETURNS(fi_tsend(node.ep, &byte, 1, NULL, node.peers[1 - me.rank], 1ull << bits, ctx(&node, 1)), -FI_EINVAL);
	RETURNS(fi_trecv(node.ep, &byte, 1, NULL, FI_ADDR_UNSPEC, 1ull << bits, 0, ctx(&node, 1)), -FI_EINVAL);
	QUIET(&node, 20);
	node_close(&node);
}

/* Options that are none, and too small a room for the value. */
static void options(long unused)
{
	struct node node;
	size_t value = 0, size = sizeof value;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	RETURNS(fi_getopt(&node.ep->fid, FI_OPT_ENDPOINT, 99999, &value, &size), -FI_ENOPROTOOPT);
	RETURNS(fi_setopt(&node.ep->fid, FI_OPT_ENDPOINT, 99999, &value, sizeof value), -FI_ENOPROTOOPT);
	size = sizeof value;
	int code = fi_getopt(&node.ep->fid, FI_OPT_ENDPOINT, FI_OPT_CM_DATA_SIZE, &value, &size);
	CHECK(code == 0 || code == -FI_ENOPROTOOPT || code == -FI_ENOSYS);
	node_close_alone(&node);
}

const struct test error_tests[] = {
	{ "error.fork", "a rank that forks continues, and its memory is its own", forks, 0, 2, 2, 0 },
	{ "error.fork_exec", "a rank that runs a program continues", fork_exec, 0, 2, 2, 0 },
	{ "error.no_address", "operations to addresses that were never inserted are refused", no_address, 0, 2, 2, TEST_OURS },
	{ "error.closed_peer_send", "a message to a closed endpoint ends with an error, others are unharmed", closed_peer, 0, 2, 2, TEST_OURS },
	{ "error.closed_peer_send_long", "a long message to a closed endpoint ends with an error", closed_peer, 1, 2, 2, TEST_OURS },
	{ "error.closed_peer_write", "a write to a closed endpoint ends with an error", closed_peer, 2, 2, 2, TEST_OURS },
	{ "error.wrong_flags", "flags that do not belong to an operation are refused", wrong_flags, 0, 2, 2, TEST_OURS },
	{ "error.wide_tag", "tags wider than mem_tag_format are refused", wide_tag, 0, 2, 2, TEST_OURS },
	{ "error.options", "options that are none say -FI_ENOPROTOOPT", options, 0, 1, 1, TEST_OURS },
	{ 0 },
};
