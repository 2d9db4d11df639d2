/* Address vectors: insert, look up, remove, insert again; many; names as text. */
#include "p2p.h"

static void open_named(struct node *node, enum fi_av_type type, struct name *all)
{
	struct name mine;

	node_open_alone(node, WISH(.caps = FI_MSG, .av_type = type));
	mine = node_name(node);
	exchange(&mine, sizeof mine, all, NULL, NULL);
}

/* What was inserted is what is found; a table counts from 0. */
static void lookup(long type)
{
	struct node node;
	struct name all[RANKS_MAX];
	uint8_t found[256];

	open_named(&node, (enum fi_av_type)type, all);
	for (int rank = 0; rank < me.ranks; rank++) {
		size_t size = sizeof found;

		RETURNS(fi_av_insert(node.av, all[rank].bytes, 1, &node.peers[rank], 0, NULL), 1);
		if (type == FI_AV_TABLE)
			EQUAL(node.peers[rank], rank);
		OK(fi_av_lookup(node.av, node.peers[rank], found, &size));
		EQUAL(size, all[rank].size);
		EQUAL(memcmp(found, all[rank].bytes, size), 0);
		/* Too little room: as much as fits, and the size that it takes. */
		size = 2;
		memset(found, UNTOUCHED, sizeof found);
		fi_av_lookup(node.av, node.peers[rank], found, &size);
		EQUAL(size, all[rank].size);
		EQUAL(found[2], UNTOUCHED);
	}
	size_t size = sizeof found;
	if (is_ours()) {
		CHECK(fi_av_lookup(node.av, 12345678, found, &size) < 0);
	}
	node_close(&node);
}

/* Several in one call, and the number that was accepted. */
static void several(long type)
{
	struct node node;
	struct name all[RANKS_MAX];
	uint8_t packed[RANKS_MAX * 256];
	uint8_t byte = (uint8_t)me.rank, in[RANKS_MAX];

	open_named(&node, (enum fi_av_type)type, all);
	for (int rank = 0; rank < me.ranks; rank++)
		memcpy(packed + (size_t)rank * all[0].size, all[rank].bytes, all[0].size);
	RETURNS(fi_av_insert(node.av, packed, (size_t)me.ranks, node.peers, 0, NULL), me.ranks);
	for (int rank = 0; rank < me.ranks; rank++)
		for (int other = 0; other < rank; other++)
			CHECK(node.peers[rank] != node.peers[other]);
	for (int rank = 0; rank < me.ranks; rank++)
		recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in[rank], 1, 0, 0, (uint64_t)rank);
	barrier(&node);
	for (int rank = 0; rank < me.ranks; rank++)
		send_by(&node, MSG, PLAIN, rank, &byte, 1, 0, 100 + (uint64_t)rank);
	bool seen[RANKS_MAX] = { false };
	for (int rank = 0; rank < me.ranks; rank++) {
		DONE(&node, TX, 100 + (uint64_t)rank);
		DONE(&node, RX, (uint64_t)rank);
		CHECK(in[rank] < me.ranks && !seen[in[rank]]);
		seen[in[rank]] = true;
	}
	node_close(&node);
}

/* Removed, inserted again, and used in between and after. */
static void again(long type)
{
	struct node node;
	struct name all[RANKS_MAX];
	uint8_t byte = 1, in = 0;

	open_named(&node, (enum fi_av_type)type, all);
	for (int rank = 0; rank < me.ranks; rank++)
		RETURNS(fi_av_insert(node.av, all[rank].bytes, 1, &node.peers[rank], 0, NULL), 1);
	for (uint64_t round = 0; round < 5; round++) {
		int peer = 1 - me.rank;

		recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 1);
		barrier(&node);
		send_by(&node, MSG, PLAIN, peer, &byte, 1, 0, 2);
		DONE(&node, RX, 1);
		DONE(&node, TX, 2);
		barrier(&node);
		OK(fi_av_remove(node.av, &node.peers[peer], 1, 0));
		if (is_ours()) {
			uint8_t found[256];
			size_t size = sizeof found;

			CHECK(fi_av_lookup(node.av, node.peers[peer], found, &size) < 0);
		}
		RETURNS(fi_av_insert(node.av, all[peer].bytes, 1, &node.peers[peer], 0, NULL), 1);
	}
	node_close(&node);
}

/* Thousands of addresses: those of the ranks, with ports or numbers that no endpoint has, as far as the format allows. */
static void plenty(long type)
{
	enum { COUNT = 2000 };
	struct node node;
	struct name all[RANKS_MAX];
	static fi_addr_t addresses[COUNT];
	uint8_t byte = 1, in = 0;

	open_named(&node, (enum fi_av_type)type, all);
	for (int i = 0; i < COUNT; i++) {
		int code = fi_av_insert(node.av, all[i % me.ranks].bytes, 1, &addresses[i], 0, NULL);

		RETURNS(code, 1);
		CHECK(addresses[i] != FI_ADDR_NOTAVAIL);
	}
	for (int i = 0; i < COUNT; i++) {
		uint8_t found[256];
		size_t size = sizeof found;

		OK(fi_av_lookup(node.av, addresses[i], found, &size));
		EQUAL(memcmp(found, all[i % me.ranks].bytes, size), 0);
	}
	/* The last of the peer's addresses serves as well as the first. */
	node.peers[1 - me.rank] = addresses[COUNT - 2 + (1 - me.rank)];
	recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 1);
	barrier(&node);
	send_by(&node, MSG, PLAIN, 1 - me.rank, &byte, 1, 0, 2);
	DONE(&node, RX, 1);
	DONE(&node, TX, 2);
	node_close(&node);
}

/* A name as text, in a buffer that is long enough and in one that is not. */
static void text(long unused)
{
	struct node node;
	struct name name;
	char texts[2][200];
	size_t size = sizeof texts[0], need;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	name = node_name(&node);
	memset(texts, UNTOUCHED, sizeof texts);
	CHECK(fi_av_straddr(node.av, name.bytes, texts[0], &size) != NULL);
	CHECK(memchr(texts[0], 0, sizeof texts[0]) != NULL);
	need = strlen(texts[0]) + 1;
	CHECK(need > 1);
	EQUAL(size, need);
	size = 4;
	fi_av_straddr(node.av, name.bytes, texts[1], &size);
	EQUAL(size, need);
	EQUAL((uint8_t)texts[1][4], UNTOUCHED);
	EQUAL(texts[1][3], 0);
	note("an address reads %s", texts[0]);
	node_close_alone(&node);
}

/* A name does not fit a buffer that is too small; its size is told. */
static void short_name(long unused)
{
	struct node node;
	struct name name;
	uint8_t bytes[4];
	size_t size = 2;

	(void)unused;
	node_open_alone(&node, WISH(.caps = FI_MSG));
	name = node_name(&node);
	memset(bytes, UNTOUCHED, sizeof bytes);
	RETURNS(fi_getname(&node.ep->fid, bytes, &size), -FI_ETOOSMALL);
	EQUAL(size, name.size);
	EQUAL(bytes[2], UNTOUCHED);
	node_close_alone(&node);
}

/* fi_av_insert may be left without a place for the addresses in a table. */
static void no_place(long unused)
{
	struct node node;
	struct name all[RANKS_MAX];
	uint8_t byte = 1, in = 0;

	(void)unused;
	open_named(&node, FI_AV_TABLE, all);
	for (int rank = 0; rank < me.ranks; rank++) {
		RETURNS(fi_av_insert(node.av, all[rank].bytes, 1, NULL, 0, NULL), 1);
		node.peers[rank] = (fi_addr_t)rank;
	}
	recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 1);
	barrier(&node);
	send_by(&node, MSG, PLAIN, 1 - me.rank, &byte, 1, 0, 2);
	DONE(&node, RX, 1);
	DONE(&node, TX, 2);
	node_close(&node);
}

/* The process number that an endpoint's name says. */
static int process_number(struct node *node)
{
	struct name name = node_name(node);
	char text[200];
	size_t size = sizeof text;
	int pid = -1;

	CHECK(fi_av_straddr(node->av, name.bytes, text, &size) != NULL);
	CHECK(strstr(text, "?pid=") != NULL);
	EQUAL(sscanf(strstr(text, "?pid="), "?pid=%d", &pid), 1);
	return pid;
}

/* Endpoints by name: a NIC or a host, and a process number. Messages reach them, and come from them. */
static void by_name(long is_host)
{
	struct node node;
	int pids[RANKS_MAX], mine, low, high, error = -1;
	char service[16];
	uint8_t byte = 1, in = 0;
	static uint8_t out[50000], inbound[50000];
	fi_addr_t found[512], alone = 0;
	const char *where = is_host ? "127.0.0.1" : "cxi0";

	/* Before the provider reads it: other hosts, and this one over datagrams, are found by it. */
	setenv("FI_PHILAE_PORT_BASE", "21000", 1);
	node_open(&node, WISH(.caps = FI_MSG));
	mine = process_number(&node);
	exchange(&mine, sizeof mine, pids, NULL, NULL);
	int peer = 1 - me.rank;
	snprintf(service, sizeof service, "%d", pids[peer]);
	RETURNS(fi_av_insertsvc(node.av, where, service, &alone, 0, NULL), 1);
	CHECK(alone != FI_ADDR_NOTAVAIL);
	for (int turn = 0; turn < 2; turn++) {
		node.peers[peer] = alone;
		recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 1);
		recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, inbound, sizeof inbound, 0, 0, 2);
		barrier(&node);
		send_by(&node, MSG, PLAIN, peer, &byte, 1, 0, 3);
		send_by(&node, MSG, PLAIN, peer, out, sizeof out, 0, 4);
		DONE(&node, RX, 1);
		DONE(&node, TX, 3);
		DONE(&node, RX, 2);
		DONE(&node, TX, 4);
		barrier(&node);
		/* A range of services: all of it, in order. */
		low = pids[0] < pids[1] ? pids[0] : pids[1];
		high = pids[0] < pids[1] ? pids[1] : pids[0];
		snprintf(service, sizeof service, "%d", low);
		int count = high - low + 1;
		RETURNS(fi_av_insertsym(node.av, where, 1, service, (size_t)count, found, 0, NULL), count);
		alone = found[pids[peer] - low];
	}
	/* Its own, too. */
	snprintf(service, sizeof service, "%d", mine);
	RETURNS(fi_av_insertsvc(node.av, where, service, &alone, FI_SYNC_ERR, &error), 1);
	EQUAL(error, 0);
	node.peers[me.rank] = alone;
	recv_by(&node, MSG, PLAIN, FI_ADDR_UNSPEC, &in, 1, 0, 0, 1);
	send_by(&node, MSG, PLAIN, me.rank, &byte, 1, 0, 2);
	DONE(&node, RX, 1);
	DONE(&node, TX, 2);
	node_close(&node);
}

/* Addresses in the vendor's form: four bytes, with the NIC's address and the process number. */
static void vendor_form(long unused)
{
	struct node node;
	uint8_t out = 5, in = 0;
	uint32_t looked_up = 0;
	size_t size = sizeof looked_up;

	(void)unused;
	/* Over datagrams, an address that does not say where its endpoint listens is found by its number. */
	setenv("FI_PHILAE_PORT_BASE", "21000", 1);
	node_open(&node, WISH(.caps = FI_TAGGED | FI_SOURCE | FI_DIRECTED_RECV, .addr_format = FI_ADDR_CXI));
	EQUAL(node.info->addr_format, FI_ADDR_CXI);
	EQUAL(node.info->src_addrlen, 4);
	EQUAL(node_name(&node).size, 4);
	OK(fi_av_lookup(node.av, node.peers[me.rank], &looked_up, &size));
	EQUAL(size, 4);
	CHECK(memcmp(&looked_up, node_name(&node).bytes, 4) == 0);
	int peer = 1 - me.rank;
	recv_by(&node, TAGGED, PLAIN, node.peers[peer], &in, 1, 7, 0, 1);
	send_by(&node, TAGGED, PLAIN, peer, &out, 1, 7, 2);
	DONE(&node, RX, 1);
	DONE(&node, TX, 2);
	EQUAL(in, 5);
	/* One of another host's NIC. */
	uint32_t beyond = 0xfffffu << 9;
	fi_addr_t number = 0;
	RETURNS(fi_av_insert(node.av, &beyond, 1, &number, 0, NULL), 0);
	EQUAL(number, FI_ADDR_NOTAVAIL);
	node_close(&node);
}

/* Names that lead nowhere, and an answer of fi_getinfo that leads where it was asked to. */
static void wrong_names(long unused)
{
	struct node node;
	fi_addr_t found[4];
	struct fi_info *info;

	(void)unused;
	setenv("FI_PHILAE_PORT_BASE", "21000", 1);
	node_open_alone(&node, WISH(.caps = FI_MSG));
	static const char *const WRONG[][2] = { { "cxi0", "511" }, { "cxi0", "-1" }, { "cxi0", "one" }, { "cxi99", "0" }, { "", "0" } };
	for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
		found[0] = 0;
		RETURNS(fi_av_insertsvc(node.av, WRONG[i][0], WRONG[i][1], found, 0, NULL), -FI_EINVAL);
		EQUAL(found[0], FI_ADDR_NOTAVAIL);
	}
	RETURNS(fi_av_insertsvc(node.av, NULL, "0", found, 0, NULL), -FI_EINVAL);
	RETURNS(fi_av_insertsym(node.av, "cxi0", 2, "510", 2, found, 0, NULL), -FI_EINVAL);
	EQUAL(found[3], FI_ADDR_NOTAVAIL);
	RETURNS(fi_av_insertsym(node.av, "cxi0", 2, "3", 2, found, 0, NULL), 4);
	OK(fi_getinfo(FI_VERSION(1, 17), "cxi0", "7", 0, node.info, &info));
	CHECK(info->dest_addr != NULL);
	char text[200];
	size_t size = sizeof text;
	CHECK(fi_av_straddr(node.av, info->dest_addr, text, &size) != NULL);
	CHECK(strstr(text, "?pid=7&") != NULL);
	fi_freeinfo(info);
	node_close_alone(&node);
}

#define TYPES(name, about, run) \
	{ "av." name "_table", about, run, FI_AV_TABLE, 2, 2, 0 }, { "av." name "_map", about, run, FI_AV_MAP, 2, 2, 0 }

const struct test av_tests[] = {
	TYPES("lookup", "what was inserted is found, whole or as far as there is room", lookup),
	TYPES("several", "several addresses in one call, each of them good", several),
	TYPES("again", "an address removed and inserted again works", again),
	TYPES("plenty", "thousands of addresses", plenty),
	{ "av.text", "fi_av_straddr writes text, its size, and not beyond its room", text, 0, 1, 1, 0 },
	{ "av.short_name", "fi_getname without room says FI_ETOOSMALL and the size", short_name, 0, 1, 1, 0 },
	{ "av.no_place", "a table's addresses are known without being told", no_place, 0, 2, 2, 0 },
	{ "av.vendor_form", "addresses of four bytes, as the vendor's", vendor_form, 0, 2, 2, TEST_OURS },
	{ "av.by_name", "a NIC and a process number lead to the endpoint that has it", by_name, 0, 2, 2, TEST_OURS },
	{ "av.by_name_of_host", "an address and a process number do", by_name, 1, 2, 2, TEST_OURS },
	{ "av.wrong_names", "names that lead nowhere are refused", wrong_names, 0, 1, 1, TEST_OURS },
	{ 0 },
};
