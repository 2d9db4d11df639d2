/* Ranks that are killed: who waits for them gets an error, and the others continue. */
#include "rma.h"

#include <signal.h>
#include <sched.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Ends this process as a kill from outside would. */
static _Noreturn void die(void)
{
	rank_will_die();
	raise(SIGKILL);
	_exit(9);
}

/* Ends this process by a signal at some moment within the next `microseconds`. */
static void die_soon(uint64_t microseconds)
{
	struct itimerval timer = { .it_value = { 0, (suseconds_t)(1000 + microseconds % 900000) } };

	rank_will_die();
	signal(SIGALRM, SIG_DFL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* Ranks 0 and 2 talk, 1 being dead. */
static void go_on(struct node *node)
{
	struct buffer out = buffer_new(30000), in = buffer_new(30000);

	if (me.ranks > 2 && me.rank != 1)
		for (uint64_t i = 0; i < 30; i++) {
			size_t len = (size_t)(i * 1000);

			buffer_clear(&in);
			pattern(out.bytes, len, me.rank, i, 0);
			recv_by(node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in.bytes, 30000, 0x900 + i, 0, 900);
			send_by(node, TAGGED, PLAIN, 2 - me.rank, out.bytes, len, 0x900 + i, 901);
			RECEIVED(node, TAGGED, 900, len, 0x900 + i);
			DONE(node, TX, 901);
			HOLDS(&in, len, 2 - me.rank, i);
		}
	buffer_free(&out);
	buffer_free(&in);
}

enum deed { SEND_SHORT, SEND_LONG, DO_WRITE, DO_READ, DO_ATOMIC, PENDING_LONG };

/* Rank 1 dies; what rank 0 wants of it ends with an error. */
static void target_dies(long deed)
{
	struct node node;
	struct target targets[RANKS_MAX];
	struct buffer own = buffer_new(100000), local = buffer_new(100000);
	uint64_t one = 1;

	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	if (me.rank == 0 && deed == PENDING_LONG)
		send_by(&node, TAGGED, PLAIN, 1, local.bytes, local.size, 5, 1);
	barrier(&node);
	if (me.rank == 1)
		die();
	barrier(&node);
	sleep_ms(50);
	if (me.rank == 0) {
		switch (deed) {
		case SEND_SHORT:
			/* The first ones may be thought of as sent; sooner or later one tells. */
			for (bool has_failed = false; !has_failed;) {
				send_by(&node, TAGGED, PLAIN, 1, local.bytes, 8, 5, 1);
				UNTIL(&node, waiting(&node, TX) > 0);
				has_failed = node.done[TX].items[0].err != 0;
				node.done[TX].count = 0;
				sleep_ms(5);
				wait_turn(&node, __FILE__, __LINE__, "a short message to a killed rank to end with an error");
			}
			break;
		case SEND_LONG:
			send_by(&node, TAGGED, PLAIN, 1, local.bytes, local.size, 5, 1);
			FAULT(&node, TX, 1);
			break;
		case DO_WRITE:
			rma_by(&node, WRITE, 1, local.bytes, 5000, &targets[1], 0, 1);
			FAULT(&node, TX, 1);
			break;
		case DO_READ:
			rma_by(&node, READ, 1, local.bytes, 5000, &targets[1], 0, 1);
			FAULT(&node, TX, 1);
			UNTOUCHED_YET(&local);
			break;
		case DO_ATOMIC:
			POST(&node, fi_atomic(node.ep, &one, 1, NULL, node.peers[1], targets[1].address, targets[1].key, FI_UINT64, FI_SUM,
					      ctx(&node, 1)));
			FAULT(&node, TX, 1);
			break;
		default:
			FAULT(&node, TX, 1);
		}
	}
	go_on(&node);
	region_close(&region);
	node_close(&node);
}

/* Searches until a message of this tag waits here: it has left its sender. */
static void see_waiting(struct node *node, uint64_t tag)
{
	struct fi_msg_tagged msg = { .addr = FI_ADDR_UNSPEC, .tag = tag, .context = ctx(node, 50) };

	for (bool is_there = false; !is_there;) {
		POST(node, fi_trecvmsg(node->ep, &msg, FI_PEEK | FI_COMPLETION));
		UNTIL(node, waiting(node, RX) > 0);
		is_there = node->done[RX].items[0].err == 0;
		node->done[RX].count = 0;
		wait_turn(node, __FILE__, __LINE__, "a search that finds the message");
	}
}

/* The sender of a long message dies before it is received: the receive ends with an error, or with the right bytes. */
static void source_dies(long unused)
{
	struct node node;
	struct buffer buffer = buffer_new(1 << 20);

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED));
	if (me.rank == 1) {
		pattern(buffer.bytes, buffer.size, 1, 3, 0);
		send_by(&node, TAGGED, PLAIN, 0, buffer.bytes, buffer.size, 3, 1);
		barrier(&node);
		die();
	}
	/* A receive of any source waits for a message that never left as for any other. */
	if (me.rank == 0)
		see_waiting(&node, 3);
	barrier(&node);
	sleep_ms(50);
	if (me.rank == 0) {
		recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, buffer.bytes, buffer.size, 3, 0, 1);
		UNTIL(&node, waiting(&node, RX) > 0);
		if (node.done[RX].items[0].err == 0)
			HOLDS(&buffer, buffer.size, 1, 3);
		node.done[RX].count = 0;
	}
	go_on(&node);
	node_close(&node);
}

/* Rank 1 is killed at some moment of a busy exchange with both others; these see the end of all that they began. */
static void at_any_moment(long which)
{
	enum { WINDOW = 8, LEN = 40000 };
	struct node node;
	struct target targets[RANKS_MAX];
	struct buffer own = buffer_new(LEN), out[WINDOW], in[WINDOW];
	uint64_t stream = mix(me.seed * 100 + (uint64_t)which) + (uint64_t)me.rank;
	/* Receives that are posted: so few that there is room for those of what follows. */
	size_t posted = 0;
	double end;

	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED | FI_RMA | FI_DIRECTED_RECV));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	for (int i = 0; i < WINDOW; i++) {
		out[i] = buffer_new(LEN);
		in[i] = buffer_new(LEN);
	}
	barrier(&node);
	if (me.rank == 1)
		die_soon(draw(&stream));
	end = now() + 1.2;
	/* Rank 1 sends to the others and writes to them until it dies; they send and write to it, and answer no call. */
	while (me.rank == 1 || now() < end) {
		int to = me.rank == 1 ? (int)(draw(&stream) % 2) * 2 : 1;
		size_t len = draw(&stream) % LEN;
		uint64_t number = draw(&stream) % WINDOW;
		ssize_t code;

		if (draw(&stream) % 2)
			code = fi_tsend(node.ep, out[number].bytes, len, NULL, node.peers[to], 1, ctx(&node, number));
		else
			code = fi_write(node.ep, out[number].bytes, len, NULL, node.peers[to], targets[to].address, targets[to].key,
					ctx(&node, number));
		if (code == -FI_EAGAIN)
			sched_yield();
		if (draw(&stream) % 2 && posted < 64) {
			code = fi_trecv(node.ep, in[number].bytes, LEN, NULL, FI_ADDR_UNSPEC, 1, 0, ctx(&node, 100 + number));
			if (code != 0 && code != -FI_EAGAIN)
				FAIL("fi_trecv while another rank dies: expected 0 or -FI_EAGAIN, found %zd (%s)", code, code_text(code));
			posted += code == 0;
		}
		progress(&node);
		posted -= node.done[RX].count;
		for (int side = TX; side <= RX; side++)
			node.done[side].count = 0;
	}
	barrier(&node);
	/* What is in flight at the end is cancelled by closing; what is asked of the dead from here on ends with an error. */
	rma_by(&node, WRITE, 1, out[0].bytes, 100, &targets[1], 0, 500);
	struct done done;
	do {
		UNTIL(&node, waiting(&node, TX) > 0);
		done = node.done[TX].items[0];
		memmove(&node.done[TX].items[0], &node.done[TX].items[1], --node.done[TX].count * sizeof done);
	} while (done.number != 500);
	CHECK(done.err > 0);
	go_on(&node);
	barrier(&node);
	region_close(&region);
	OK(fi_close(&node.ep->fid));
	node.ep = NULL;
	progress(&node);
	for (int side = TX; side <= RX; side++)
		node.done[side].count = 0;
	node_close(&node);
}

/* A new job after a killed one finds no trace of it. */
static void after_death(long unused)
{
	struct node node;

	(void)unused;
	for (int round = 0; round < 3; round++) {
		pid_t child = fork();

		if (child == 0) {
			struct node other;

			me.place = NULL;
			node_open_alone(&other, WISH(.caps = FI_MSG | FI_TAGGED));
			raise(SIGKILL);
		}
		int status = 0;
		CHECK(child > 0);
		while (waitpid(child, &status, 0) < 0)
			;
		CHECK(WIFSIGNALED(status));
	}
	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED));
	uint8_t out = 1, in = 0;
	recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 1);
	barrier(&node);
	send_by(&node, MSG, PLAIN, 1 - me.rank, &out, 1, 0, 2);
	DONE(&node, RX, 1);
	DONE(&node, TX, 2);
	node_close(&node);
}

#define KILLED (TEST_OURS | TEST_DEATH)

const struct test death_tests[] = {
	{ "death.send_short", "short messages to a killed rank end, with an error at last", target_dies, SEND_SHORT, 3, 3, KILLED },
	{ "death.send_long", "a long message to a killed rank ends with an error", target_dies, SEND_LONG, 3, 3, KILLED },
	{ "death.send_pending", "a long message that its target never took ends with an error", target_dies, PENDING_LONG, 3, 3, KILLED },
	{ "death.write", "a write to a killed rank ends with an error", target_dies, DO_WRITE, 3, 3, KILLED },
	{ "death.read", "a read from a killed rank ends with an error", target_dies, DO_READ, 3, 3, KILLED },
	{ "death.atomic", "an atomic on a killed rank ends with an error", target_dies, DO_ATOMIC, 3, 3, KILLED },
	{ "death.source", "a receive from a killed sender ends", source_dies, 0, 3, 3, KILLED },
	{ "death.any_moment_1", "a rank killed at any moment harms no other rank", at_any_moment, 1, 3, 3, KILLED },
	{ "death.any_moment_2", "a rank killed at any moment harms no other rank", at_any_moment, 2, 3, 3, KILLED },
	{ "death.any_moment_3", "a rank killed at any moment harms no other rank", at_any_moment, 3, 3, 3, KILLED },
	{ "death.any_moment_4", "a rank killed at any moment harms no other rank", at_any_moment, 4, 3, 3, KILLED },
	{ "death.after", "jobs after killed ones find no trace of them", after_death, 0, 2, 2, TEST_DEATH },
	{ 0 },
};
