/* Completion queues: formats, sizes, waits, wait objects, errors. */
#include "p2p.h"

#include <poll.h>

/* Messages under each format say what this format says. */
static void formats(long format)
{
	struct node node;
	uint8_t out[100] = { 0 }, in[100];

	node_open(&node, WISH(.caps = FI_MSG | FI_TAGGED, .format = (enum fi_cq_format)format));
	for (int kind = MSG; kind <= TAGGED; kind++)
		for (uint64_t i = 0; i < 30; i++) {
			recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, in, 100, 40 + i, 0, 1);
			barrier(&node);
			send_by(&node, kind, i % 2 ? DATA : PLAIN, 1 - me.rank, out, (size_t)i * 3, 40 + i, 2);
			struct done done = RECEIVED(&node, kind, 1, (size_t)i * 3, 40 + i);
			if (format == FI_CQ_FORMAT_DATA && i % 2)
				EQUAL(done.data & 0xffffffff, IMMEDIATE(2) & 0xffffffff);
			DONE(&node, TX, 2);
		}
	node_close(&node);
}

/* Several in one call: as many as are there, in order, each once. */
static void several(long unused)
{
	enum { COUNT = 100 };
	struct node node;
	uint8_t in[COUNT];
	struct fi_cq_tagged_entry entries[16];
	uint64_t seen = 0;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG, .msg_order = FI_ORDER_SAS));
	if (me.rank == 1) {
		bool has[COUNT] = { false };

		for (uint64_t i = 0; i < COUNT; i++)
			recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in[i], 1, 0, 0, i);
		barrier_still();
		while (seen < COUNT) {
			ssize_t count = fi_cq_read(node.cq[RX], entries, 16);

			CHECK(count == -FI_EAGAIN || (count > 0 && count <= 16));
			for (ssize_t i = 0; i < count; i++) {
				uint64_t number = (uint64_t)((struct fi_context2 *)entries[i].op_context - node.contexts);

				CHECK(number < COUNT && !has[number]);
				has[number] = true;
				EQUAL(entries[i].len, 1);
				seen++;
			}
			if (count < 0)
				wait_turn(&node, __FILE__, __LINE__, "completions by sixteens");
			for (size_t i = 0; i < node.done[RX].count; i++) {
				CHECK(!has[node.done[RX].items[i].number]);
				has[node.done[RX].items[i].number] = true;
				seen++;
			}
			node.done[RX].count = 0;
		}
	} else {
		barrier_still();
		for (uint64_t i = 0; i < COUNT; i++) {
			uint8_t byte = (uint8_t)i;

			send_by(&node, MSG, PLAIN, 1, &byte, 1, 0, 1);
			DONE(&node, TX, 1);
		}
	}
	node_close(&node);
}

/* An empty queue. */
static void empty(long unused)
{
	struct node node;
	struct fi_cq_tagged_entry entry;
	struct fi_cq_err_entry error = { 0 };
	fi_addr_t source;
	char text[100];

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	RETURNS(fi_cq_read(node.cq[RX], &entry, 1), -FI_EAGAIN);
	RETURNS(fi_cq_readfrom(node.cq[RX], &entry, 1, &source), -FI_EAGAIN);
	RETURNS(fi_cq_readerr(node.cq[RX], &error, 0), -FI_EAGAIN);
	CHECK(fi_cq_strerror(node.cq[RX], 1, NULL, text, sizeof text) != NULL);
	node_close_alone(&node);
}

/* While an error is first, reads say so; it is read once; what comes after it is there. */
static void error_first(long unused)
{
	struct node node;
	struct fi_cq_tagged_entry entries[4];
	struct fi_cq_err_entry error = { 0 };
	uint8_t byte;
	double end = now() + 5;

	(void)unused;
	node_open(&node, WISH(.caps = FI_TAGGED));
	recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, &byte, 1, 5, 0, 1);
	OK(fi_cancel(&node.ep->fid, ctx(&node, 1)));
	ssize_t count;
	while ((count = fi_cq_read(node.cq[RX], entries, 4)) == -FI_EAGAIN && now() < end)
		;
	RETURNS(count, -FI_EAVAIL);
	RETURNS(fi_cq_read(node.cq[RX], entries, 4), -FI_EAVAIL);
	RETURNS(fi_cq_readerr(node.cq[RX], &error, 0), 1);
	EQUAL(error.err, FI_ECANCELED);
	CHECK(error.op_context == ctx(&node, 1));
	RETURNS(fi_cq_readerr(node.cq[RX], &error, 0), -FI_EAGAIN);
	RETURNS(fi_cq_read(node.cq[RX], entries, 4), -FI_EAGAIN);
	node_close(&node);
}

/* Waits in vain last as long as they say. */
static void wait_in_vain(long wait)
{
	struct node node;
	struct fi_cq_tagged_entry entry;

	node_open_alone(&node, WISH(.caps = FI_MSG, .wait = (enum fi_wait_obj)wait));
	double began = now();
	RETURNS(fi_cq_sread(node.cq[RX], &entry, 1, NULL, 60), -FI_EAGAIN);
	CHECK(now() - began > 0.05);
	RETURNS(fi_cq_sread(node.cq[RX], &entry, 1, NULL, 0), -FI_EAGAIN);
	node_close_alone(&node);
}

/* A wait that a message ends, again and again. */
static void wait_message(long wait)
{
	enum { COUNT = 20 };
	struct node node;
	uint8_t byte = 1;

	node_open(&node, WISH(.caps = FI_MSG, .wait = (enum fi_wait_obj)wait));
	for (uint64_t i = 0; i < COUNT; i++) {
		if (me.rank == 1) {
			struct fi_cq_tagged_entry entry;
			ssize_t count = -FI_EAGAIN;

			recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &byte, 1, 0, 0, i);
			barrier_still();
			for (int tries = 0; count == -FI_EAGAIN && tries < 100; tries++) {
				AT("fi_cq_sread");
				count = fi_cq_sread(node.cq[RX], &entry, 1, NULL, 500);
			}
			RETURNS(count, 1);
			CHECK(entry.op_context == ctx(&node, i));
		} else {
			barrier_still();
			sleep_ms(4);
			send_by(&node, MSG, PLAIN, 1, &byte, 1, 0, i);
			DONE(&node, TX, i);
		}
		barrier(&node);
	}
	node_close(&node);
}

/* fi_cq_signal ends a wait: given before it, it ends the next one. */
static void signalled(long wait)
{
	struct node node;
	struct fi_cq_tagged_entry entry;

	node_open_alone(&node, WISH(.caps = FI_MSG, .wait = (enum fi_wait_obj)wait));
	int code = fi_cq_signal(node.cq[RX]);
	if (code == -FI_ENOSYS && !is_ours())
		skip("fi_cq_signal is not there");
	RETURNS(code, 0);
	double began = now();
	ssize_t count = fi_cq_sread(node.cq[RX], &entry, 1, NULL, 5000);
	CHECK(count == -FI_EAGAIN || count == -FI_ECANCELED);
	CHECK(now() - began < 4.5);
	node_close_alone(&node);
}

/* The file of a queue is readable when there is something to read, as fi_trywait demands it. */
static void file(long unused)
{
	enum { COUNT = 10 };
	struct node node;
	uint8_t byte = 1;
	int fd = -1;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG, .wait = FI_WAIT_FD));
	OK(fi_control(&node.cq[RX]->fid, FI_GETWAIT, &fd));
	CHECK(fd >= 0);
	for (uint64_t i = 0; i < COUNT; i++) {
		if (me.rank == 1) {
			struct fid *fids[1] = { &node.cq[RX]->fid };

			recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &byte, 1, 0, 0, i);
			barrier_still();
			while (waiting(&node, RX) == 0) {
				struct pollfd poll_fd = { fd, POLLIN, 0 };
				int code = fi_trywait(node.fabric, fids, 1);

				if (code == 0) {
					AT("poll of the queue's file");
					int ready = poll(&poll_fd, 1, 3000);

					if (ready == 0)
						FAIL("fi_trywait said to wait; the file was not readable for 3 s, and a message comes");
				} else {
					RETURNS(code, -FI_EAGAIN);
				}
				wait_turn(&node, __FILE__, __LINE__, "a message by the queue's file");
			}
			DONE(&node, RX, i);
		} else {
			barrier_still();
			sleep_ms(5);
			send_by(&node, MSG, PLAIN, 1, &byte, 1, 0, i);
			DONE(&node, TX, i);
		}
		barrier(&node);
	}
	node_close(&node);
}

/* One queue for both directions. */
static void one_queue(long unused)
{
	struct node node;
	uint8_t out = 5, in = 0;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG, .is_one_queue = true));
	for (uint64_t i = 0; i < 50; i++) {
		recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 1);
		barrier(&node);
		send_by(&node, MSG, PLAIN, 1 - me.rank, &out, 1, 0, 2);
		struct done sent = DONE(&node, TX, 2), got = DONE(&node, RX, 1);
		CHECK(sent.flags & FI_SEND && !(sent.flags & FI_RECV));
		CHECK(got.flags & FI_RECV && !(got.flags & FI_SEND));
		barrier(&node);
	}
	node_close(&node);
}

/* A queue smaller than what comes: nothing is lost while the reader rests. */
static void small(long unused)
{
	enum { COUNT = 300 };
	struct node node;
	static uint8_t in[COUNT];

	(void)unused;
	node_open(&node, WISH(.caps = FI_TAGGED, .cq_size = 16));
	if (me.rank == 1) {
		/* As many as the provider takes; the others later, when messages have rested for a while. */
		uint64_t posted = 0, got = 0;
		bool has_rested = false;

		while (got < COUNT) {
			while (posted < COUNT && fi_trecv(node.ep, &in[posted], 1, NULL, FI_ADDR_UNSPEC, posted, 0, ctx(&node, posted)) == 0)
				posted++;
			CHECK(posted > 0);
			if (!has_rested) {
				barrier_still();
				sleep_ms(100);
				has_rested = true;
			}
			if (waiting(&node, RX) == 0) {
				wait_turn(&node, __FILE__, __LINE__, "completions of a small queue");
				continue;
			}
			NEXT(&node, RX);
			got++;
		}
		for (int i = 0; i < COUNT; i++)
			EQUAL(in[i], (uint8_t)i);
	} else {
		barrier_still();
		for (uint64_t i = 0; i < COUNT; i++) {
			uint8_t byte = (uint8_t)i;

			send_by(&node, TAGGED, PLAIN, 1, &byte, 1, i, 1);
			DONE(&node, TX, 1);
		}
	}
	node_close(&node);
}

const struct test cq_tests[] = {
	{ "cq.context", "FI_CQ_FORMAT_CONTEXT", formats, FI_CQ_FORMAT_CONTEXT, 2, 2, 0 },
	{ "cq.msg", "FI_CQ_FORMAT_MSG", formats, FI_CQ_FORMAT_MSG, 2, 2, 0 },
	{ "cq.data", "FI_CQ_FORMAT_DATA", formats, FI_CQ_FORMAT_DATA, 2, 2, 0 },
	{ "cq.tagged", "FI_CQ_FORMAT_TAGGED", formats, FI_CQ_FORMAT_TAGGED, 2, 2, 0 },
	{ "cq.several", "many completions in one read, each once", several, 0, 2, 2, 0 },
	{ "cq.empty", "an empty queue says -FI_EAGAIN", empty, 0, 1, 1, 0 },
	{ "cq.error_first", "an error holds reads up until it is read", error_first, 0, 2, 2, 0 },
	{ "cq.wait_in_vain", "fi_cq_sread ends at its time", wait_in_vain, FI_WAIT_UNSPEC, 1, 1, 0 },
	{ "cq.wait_in_vain_fd", "fi_cq_sread ends at its time, with FI_WAIT_FD", wait_in_vain, FI_WAIT_FD, 1, 1, 0 },
	{ "cq.wait_message", "fi_cq_sread ends when a message comes", wait_message, FI_WAIT_UNSPEC, 2, 2, 0 },
	{ "cq.wait_message_fd", "fi_cq_sread ends when a message comes, with FI_WAIT_FD", wait_message, FI_WAIT_FD, 2, 2, 0 },
	{ "cq.signal", "fi_cq_signal ends a wait", signalled, FI_WAIT_FD, 1, 1, 0 },
	{ "cq.file", "fi_trywait and the queue's file", file, 0, 2, 2, 0 },
	{ "cq.one_queue", "one queue for both directions", one_queue, 0, 2, 2, 0 },
	{ "cq.small", "a queue smaller than what comes loses nothing", small, 0, 2, 2, 0 },
	{ 0 },
};
