/* Limits: lists and queues filled to the brim. What does not fit is refused with -FI_EAGAIN, and nothing is lost. */
#include "rma.h"

#include <sys/mman.h>
#include <unistd.h>

/* Receives until no more are taken; as many messages; each finds its receive. */
static void receives(long kind)
{
	struct node node;
	uint64_t most = is_ours() ? 17000 : 3000, posted = 0, all[2];
	uint16_t *in = calloc(most, sizeof *in);

	node_open(&node, WISH(.caps = kind_caps((enum kind)kind), .msg_order = FI_ORDER_SAS));
	if (me.rank == 1) {
		while (posted < most) {
			ssize_t code = kind == MSG ? fi_recv(node.ep, &in[posted], 2, NULL, FI_ADDR_UNSPEC, ctx(&node, posted)) :
						     fi_trecv(node.ep, &in[posted], 2, NULL, FI_ADDR_UNSPEC, 7, 0, ctx(&node, posted));

			if (code == -FI_EAGAIN)
				break;
			RETURNS(code, 0);
			posted++;
		}
		CHECK(posted >= node.info->rx_attr->size || posted == most);
		if (posted == most)
			note("%llu receives were taken and no limit was met", (unsigned long long)posted);
		else
			note("rx_attr.size is %zu; receive %llu was refused", node.info->rx_attr->size, (unsigned long long)posted);
	}
	exchange(&posted, sizeof posted, all, NULL, NULL);
	uint64_t count = all[1];
	if (me.rank == 1) {
		for (uint64_t i = 0; i < count; i++)
			DONE(&node, RX, i);
		for (uint64_t i = 0; i < count; i++)
			EQUAL(in[i], (uint16_t)(i + 1));
	} else {
		for (uint64_t i = 0; i < count; i++) {
			uint16_t value = (uint16_t)(i + 1);

			send_by(&node, kind, PLAIN, 1, &value, 2, 7, 1);
			DONE(&node, TX, 1);
		}
	}
	/* There is room again. */
	if (me.rank == 1) {
		recv_by(&node, kind, PLAIN, FI_ADDR_UNSPEC, &in[0], 2, 7, 0, 1);
		barrier(&node);
		DONE(&node, RX, 1);
	} else {
		uint16_t value = 9;

		barrier(&node);
		send_by(&node, kind, PLAIN, 1, &value, 2, 7, 1);
		DONE(&node, TX, 1);
	}
	free(in);
	node_close(&node);
}

/* Messages until no more are taken, while nothing is read; each ends once and arrives. */
static void sends(long size)
{
	struct node node;
	uint64_t most = 1500, posted = 0, all[2];
	struct buffer *out = calloc(most, sizeof *out), in = buffer_new((size_t)size);

	node_open(&node, WISH(.caps = FI_TAGGED, .msg_order = FI_ORDER_SAS));
	if (me.rank == 0) {
		while (posted < most) {
			out[posted] = buffer_new((size_t)size);
			pattern(out[posted].bytes, (size_t)size, 0, posted, 0);
			ssize_t code = fi_tsend(node.ep, out[posted].bytes, (size_t)size, NULL, node.peers[1], 3, ctx(&node, posted));

			/* Early refusals are of a connection that is not there yet. */
			if (code == -FI_EAGAIN && posted < 16) {
				wait_turn(&node, __FILE__, __LINE__, "the first messages to be taken");
				buffer_free(&out[posted]);
				continue;
			}
			if (code == -FI_EAGAIN)
				break;
			RETURNS(code, 0);
			posted++;
		}
		note("%llu messages were taken, tx_attr.size is %zu", (unsigned long long)posted, node.info->tx_attr->size);
	} else {
		/* The sender may need this rank to reach its first messages. */
		double end = now() + 0.3;

		while (now() < end)
			progress(&node);
	}
	exchange(&posted, sizeof posted, all, NULL, NULL);
	if (me.rank == 0) {
		for (uint64_t i = 0; i < posted; i++)
			DONE(&node, TX, i);
	} else {
		for (uint64_t i = 0; i < all[0]; i++) {
			buffer_clear(&in);
			recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in.bytes, (size_t)size, 3, 0, 1);
			RECEIVED(&node, TAGGED, 1, (size_t)size, 3);
			HOLDS(&in, (size_t)size, 0, i);
		}
	}
	node_close(&node);
}

/* One-sided operations until no more are taken. */
static void writes(long unused)
{
	struct node node;
	struct target targets[2];
	uint64_t most = 20000, posted = 0;
	struct buffer own = buffer_new(most * 8);
	uint64_t *values = calloc(most, sizeof *values);
	int peer = 1 - me.rank;

	(void)unused;
	node_open(&node, WISH(.caps = FI_MSG | FI_RMA));
	struct region region = region_open(&node, own.bytes, own.size, FI_REMOTE_WRITE);
	region_share(&node, &region, own.size, targets);
	while (posted < most) {
		values[posted] = mix(posted);
		ssize_t code = fi_write(node.ep, &values[posted], 8, NULL, node.peers[peer], targets[peer].address + posted * 8, targets[peer].key,
					ctx(&node, posted));

		if (code == -FI_EAGAIN && posted < 16) {
			wait_turn(&node, __FILE__, __LINE__, "the first writes to be taken");
			continue;
		}
		if (code == -FI_EAGAIN)
			break;
		RETURNS(code, 0);
		posted++;
	}
	/* In order of their ends, whatever it is. */
	for (uint64_t i = 0; i < posted; i++)
		NEXT(&node, TX);
	uint64_t all[2];
	exchange(&posted, sizeof posted, all, (progress_fn)progress, &node);
	for (uint64_t i = 0; i < all[peer]; i++)
		UNTIL(&node, watched(own.bytes + 8 * i) == mix(i));
	barrier(&node);
	region_close(&region);
	node_close(&node);
}

/* Many long messages in flight. */
static void long_messages(long unused)
{
	enum { COUNT = 24, LEN = 1 << 20 };
	struct node node;
	struct buffer out[COUNT], in[COUNT];

	(void)unused;
	node_open(&node, WISH(.caps = FI_TAGGED));
	for (uint64_t i = 0; i < COUNT; i++) {
		in[i] = buffer_new(LEN);
		out[i] = buffer_new(LEN);
		pattern(out[i].bytes, LEN, me.rank, i, 0);
		if (i % 2)
			recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in[i].bytes, LEN, i, 0, i);
	}
	for (uint64_t i = 0; i < COUNT; i++)
		send_by(&node, TAGGED, PLAIN, 1 - me.rank, out[i].bytes, LEN, i, 100 + i);
	for (uint64_t i = 0; i < COUNT; i += 2)
		recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in[i].bytes, LEN, i, 0, i);
	for (uint64_t i = 0; i < COUNT; i++) {
		RECEIVED(&node, TAGGED, i, LEN, i);
		HOLDS(&in[i], LEN, 1 - me.rank, i);
		DONE(&node, TX, 100 + i);
	}
	node_close(&node);
}

/* A queue of every size that is asked for, from very small to very large. */
static void queue_sizes(long unused)
{
	static const size_t SIZES_ASKED[] = { 0, 1, 2, 1000, 65536, 131072 };

	(void)unused;
	for (int index = 0; index < 6; index++) {
		struct node node;
		uint8_t out = 1, in = 0;

		node_open(&node, WISH(.caps = FI_MSG, .cq_size = SIZES_ASKED[index]));
		recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 1);
		barrier(&node);
		send_by(&node, MSG, PLAIN, 1 - me.rank, &out, 1, 0, 2);
		DONE(&node, RX, 1);
		DONE(&node, TX, 2);
		node_close(&node);
	}
}

/* What this process has said on standard error since `said_from_now`. */
static int said_in = -1;

static void said_from_now(void)
{
	said_in = memfd_create("said", 0);
	CHECK(said_in >= 0 && dup2(said_in, 2) == 2);
}

/* How many lines begin with "philae: "; the last of them. */
static int said_lines(char *last, size_t size)
{
	static char text[65536];
	ssize_t length = pread(said_in, text, sizeof text - 1, 0);
	int lines = 0;

	text[length < 0 ? 0 : length] = 0;
	for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;)
		if (strncmp(line, "philae: ", 8) == 0) {
			snprintf(last, size, "%s", line);
			lines++;
		}
	return lines;
}

/* More unexpected messages than a process keeps: it says so once, with what makes the limit larger. Senders wait, and
 * nothing is lost, this time and the next. */
static void said(long is_software)
{
	enum { LEN = 4000, MESSAGES = 500 };
	const char *buffers = is_software ? "REQ" : "OFLOW";
	char name[64], line[400] = "", expected[400];
	struct node node;
	struct buffer out = buffer_new(LEN * MESSAGES), in = buffer_new(LEN);

	setenv("FI_CXI_RX_MATCH_MODE", is_software ? "software" : "hardware", 1);
	snprintf(name, sizeof name, "FI_CXI_%s_BUF_SIZE", buffers);
	setenv(name, "16384", 1);
	snprintf(name, sizeof name, "FI_CXI_%s_BUF_MAX_CACHED", buffers);
	setenv(name, "4", 1);
	node_open(&node, WISH(.caps = FI_TAGGED, .msg_order = FI_ORDER_SAS));
	if (me.rank == 1)
		said_from_now();
	for (uint64_t round = 0; round < 2; round++) {
		barrier(&node);
		for (uint64_t i = 0; me.rank == 0 && i < MESSAGES; i++) {
			uint8_t *bytes = out.bytes + i * LEN;

			pattern(bytes, LEN, 0, i + round, 0);
			send_by(&node, TAGGED, PLAIN, 1, bytes, LEN, i, i);
		}
		if (me.rank == 1)
			UNTIL(&node, said_lines(line, sizeof line) > 0);
		for (int turn = 0; turn < 50; turn++) {
			progress(&node);
			sleep_ms(1);
		}
		for (uint64_t i = 0; i < MESSAGES; i++)
			if (me.rank == 0)
				DONE(&node, TX, i);
			else {
				buffer_clear(&in);
				recv_by(&node, TAGGED, PLAIN, FI_ADDR_UNSPEC, in.bytes, LEN, i, 0, 1);
				RECEIVED(&node, TAGGED, 1, LEN, i);
				HOLDS(&in, LEN, 0, i + round);
			}
	}
	if (me.rank == 1) {
		EQUAL(said_lines(line, sizeof line), 1);
		snprintf(expected, sizeof expected,
			 "philae: process %d: messages of 65536 bytes wait here for receives that are not posted, the limit: "
			 "senders wait until some are received; FI_CXI_%s_BUF_SIZE=32768 doubles this limit",
			 (int)getpid(), buffers);
		if (strcmp(line, expected) != 0)
			FAIL("expected \"%s\", found \"%s\"", expected, line);
	}
	node_close(&node);
}

const struct test limit_tests[] = {
	{ "limit.receives_msg", "receives until -FI_EAGAIN: at least rx_attr.size, and all are served", receives, MSG, 2, 2, TEST_LONG },
	{ "limit.receives_tagged", "receives until -FI_EAGAIN: at least rx_attr.size, and all are served", receives, TAGGED, 2, 2, TEST_LONG },
	{ "limit.sends_small", "short messages until -FI_EAGAIN: all arrive", sends, 64, 2, 2, 0 },
	{ "limit.sends_medium", "messages of 4 KiB until -FI_EAGAIN: all arrive", sends, 4096, 2, 2, 0 },
	{ "limit.sends_large", "messages of 32 KiB until -FI_EAGAIN: all arrive", sends, 32768, 2, 2, 0 },
	{ "limit.writes", "writes until -FI_EAGAIN: all are done", writes, 0, 2, 2, 0 },
	{ "limit.long_messages", "24 messages of 1 MiB in each direction at the same time", long_messages, 0, 2, 2, 0 },
	{ "limit.queue_sizes", "completion queues of very different sizes", queue_sizes, 0, 2, 2, 0 },
	{ "limit.said", "a process that keeps no more unexpected messages says so once, and loses none", said, 0, 2, 2, TEST_OURS },
	{ "limit.said_software", "the same where software keeps them", said, 1, 2, 2, TEST_OURS },
	{ 0 },
};
