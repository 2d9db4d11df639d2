/* Operations of all kinds at random among all ranks, against a model of what each has done. */
#include "rma.h"

enum {
	/* Bytes of the place that a rank owns in each other rank's region. */
	PLACE = 20000,
	/* The longest message. */
	LONGEST = 50000,
	/* Receives kept posted, and operations in flight. */
	POOL = 16,
	SLOTS = 24,
};

enum task { IDLE, SEND_TAGGED, WRITE_PLACE, READ_PLACE, ADD_WORD };

/* One operation in flight. */
struct slot {
	enum task task;
	int peer;
	size_t len;
	uint64_t version, result;
	struct buffer buffer;
};

/* What this rank has done to one other. */
struct peer_state {
	/* Messages, and additions of 1 to its word. */
	uint64_t sent, added, completed_adds;
	/* What lies in our place there: version and length; a write or read is in flight. */
	uint64_t version;
	size_t len;
	bool is_busy;
	/* Messages from there: how many, and by number which receive took each, 0 for none yet. */
	uint64_t received, room;
	uint64_t *taken_by;
};

struct stress {
	struct node node;
	struct region region;
	struct target targets[RANKS_MAX];
	struct buffer own;
	struct slot slots[SLOTS];
	struct peer_state peers[RANKS_MAX];
	struct buffer pool[POOL];
	/* Which receive, counted from 1, each buffer of the pool is posted as. */
	uint64_t posted_as[POOL], posted;
	uint64_t stream, received;
};

/* Before the places: one word for each rank. */
static uint64_t place_of(int rank)
{
	return RANKS_MAX * 8 + (uint64_t)rank * PLACE;
}

static void post_pool(struct stress *stress, uint64_t index)
{
	stress->posted_as[index] = ++stress->posted;
	recv_by(&stress->node, TAGGED, PLAIN, FI_ADDR_UNSPEC, stress->pool[index].bytes, LONGEST, 0, ~0ull >> 16, 1000 + index);
}

/* The tag says sender and number, the length follows from both. */
static size_t length_of(int sender, int receiver, uint64_t number)
{
	uint64_t value = mix(me.seed ^ (uint64_t)sender << 40 ^ (uint64_t)receiver << 32 ^ number);

	return value % 4 == 0 ? value / 4 % LONGEST : value % 4 == 1 ? value / 4 % 3000 : value / 4 % 200;
}

/* Notes which receive took a message; ends may pass each other, but each message comes once. */
static void take(struct peer_state *peer, uint64_t number, uint64_t receive)
{
	if (number >= peer->room) {
		uint64_t room = (number + 1) * 2;

		peer->taken_by = realloc(peer->taken_by, room * sizeof *peer->taken_by);
		CHECK(peer->taken_by != NULL);
		memset(peer->taken_by + peer->room, 0, (room - peer->room) * sizeof *peer->taken_by);
		peer->room = room;
	}
	if (peer->taken_by[number])
		FAIL("message %llu came twice", (unsigned long long)number);
	peer->taken_by[number] = receive;
	peer->received++;
}

static void take_messages(struct stress *stress)
{
	struct done_list *list = &stress->node.done[RX];

	while (list->count) {
		struct done done = NEXT(&stress->node, RX);
		uint64_t index = done.number - 1000, number = done.tag & 0xffffffff;
		int sender = (int)(done.tag >> 32);

		CHECK(done.number >= 1000 && index < POOL);
		CHECK(sender < me.ranks);
		EQUAL(done.len, length_of(sender, me.rank, number));
		size_t good = pattern_differs(stress->pool[index].bytes, done.len, sender, number << 8 | (uint64_t)me.rank, 0);
		if (good != done.len)
			FAIL("message %llu of rank %d, %zu bytes: byte %zu is wrong", (unsigned long long)number, sender, done.len, good);
		take(&stress->peers[sender], number, stress->posted_as[index]);
		stress->received++;
		post_pool(stress, index);
	}
}

static void end_slot(struct stress *stress, struct slot *slot)
{
	struct peer_state *peer = &stress->peers[slot->peer];

	switch (slot->task) {
	case WRITE_PLACE:
		peer->version = slot->version;
		peer->len = slot->len;
		peer->is_busy = false;
		break;
	case READ_PLACE: {
		size_t good = pattern_differs(slot->buffer.bytes, slot->len, me.rank, peer->version, 0);

		if (good != slot->len)
			FAIL("a read of what rank %d holds, %zu bytes of version %llu: byte %zu is wrong", slot->peer, slot->len,
			     (unsigned long long)peer->version, good);
		peer->is_busy = false;
		break;
	}
	case ADD_WORD:
		/* Only this rank adds to this word; additions may pass each other. */
		CHECK(slot->result < peer->added);
		peer->completed_adds++;
		break;
	default:
		break;
	}
	slot->task = IDLE;
}

static void take_ends(struct stress *stress)
{
	while (stress->node.done[TX].count) {
		struct done done = NEXT(&stress->node, TX);

		CHECK(done.number < SLOTS);
		CHECK(stress->slots[done.number].task != IDLE);
		end_slot(stress, &stress->slots[done.number]);
	}
}

/* Begins one operation at random; without room or reason it begins none. */
static void begin(struct stress *stress, uint64_t index)
{
	static const uint64_t ONE = 1;
	struct node *node = &stress->node;
	struct slot *slot = &stress->slots[index];
	uint64_t choice = draw(&stress->stream);
	int to = (int)(choice % (uint64_t)me.ranks);
	struct peer_state *peer = &stress->peers[to];
	struct target *target = &stress->targets[to];
	ssize_t code = 0;

	slot->peer = to;
	switch (choice >> 8 & 3) {
	case 0:
		slot->len = length_of(me.rank, to, peer->sent);
		pattern(slot->buffer.bytes, slot->len, me.rank, peer->sent << 8 | (uint64_t)to, 0);
		code = fi_tsend(node->ep, slot->buffer.bytes, slot->len, NULL, node->peers[to], (uint64_t)me.rank << 32 | peer->sent, ctx(node, index));
		if (code == 0) {
			slot->task = SEND_TAGGED;
			peer->sent++;
		}
		break;
	case 1:
		if (peer->is_busy)
			return;
		slot->len = draw(&stress->stream) % (choice >> 12 & 1 ? PLACE : 300);
		slot->version = draw(&stress->stream) >> 32;
		pattern(slot->buffer.bytes, slot->len, me.rank, slot->version, 0);
		code = fi_write(node->ep, slot->buffer.bytes, slot->len, NULL, node->peers[to], target->address + place_of(me.rank), target->key,
				ctx(node, index));
		if (code == 0) {
			slot->task = WRITE_PLACE;
			peer->is_busy = true;
		}
		break;
	case 2:
		/* What is read back was written and completed, and lies there when the provider keeps reads behind writes. */
		if (peer->is_busy || peer->len == 0)
			return;
		slot->len = peer->len;
		memset(slot->buffer.bytes, UNTOUCHED, slot->len);
		code = fi_read(node->ep, slot->buffer.bytes, slot->len, NULL, node->peers[to], target->address + place_of(me.rank), target->key,
			       ctx(node, index));
		if (code == 0) {
			slot->task = READ_PLACE;
			peer->is_busy = true;
		}
		break;
	default:
		if (!(node->info->caps & FI_ATOMIC))
			return;
		code = fi_fetch_atomic(node->ep, &ONE, 1, NULL, &slot->result, NULL, node->peers[to], target->address + (uint64_t)me.rank * 8,
				       target->key, FI_UINT64, FI_SUM, ctx(node, index));
		if (code == 0) {
			slot->task = ADD_WORD;
			peer->added++;
		}
	}
	if (code != 0 && code != -FI_EAGAIN)
		FAIL("operation %d at random: expected 0 or -FI_EAGAIN, found %zd (%s)", (int)(choice >> 8 & 3), code, code_text(code));
}

static void serve(void *stress)
{
	progress(&((struct stress *)stress)->node);
	take_messages(stress);
	take_ends(stress);
}

/* The ranks agree on what was sent and added, and each checks what came. */
static void complete_all(struct stress *stress)
{
	uint64_t sent[RANKS_MAX], added[RANKS_MAX], all_sent[RANKS_MAX * RANKS_MAX], all_added[RANKS_MAX * RANKS_MAX];

	for (int rank = 0; rank < me.ranks; rank++) {
		sent[rank] = stress->peers[rank].sent;
		added[rank] = stress->peers[rank].added;
	}
	exchange(sent, sizeof sent, all_sent, serve, stress);
	exchange(added, sizeof added, all_added, serve, stress);
	for (int rank = 0; rank < me.ranks; rank++)
		while (stress->peers[rank].received < all_sent[rank * RANKS_MAX + me.rank]) {
			wait_turn(&stress->node, __FILE__, __LINE__, "the messages that the others say they sent");
			take_messages(stress);
			take_ends(stress);
		}
	/* Of one sender, the earlier message was taken by the receive that was posted earlier. */
	for (int rank = 0; rank < me.ranks; rank++)
		for (uint64_t number = 1; number < stress->peers[rank].received; number++)
			if (stress->peers[rank].taken_by[number] <= stress->peers[rank].taken_by[number - 1])
				FAIL("messages %llu and %llu of rank %d passed each other", (unsigned long long)number - 1,
				     (unsigned long long)number, rank);
	for (int index = 0; index < SLOTS; index++)
		while (stress->slots[index].task != IDLE) {
			wait_turn(&stress->node, __FILE__, __LINE__, "the ends of all operations");
			take_messages(stress);
			take_ends(stress);
		}
	exchange(NULL, 0, NULL, serve, stress);
	for (int rank = 0; rank < me.ranks; rank++)
		UNTIL(&stress->node, watched(stress->own.bytes + 8 * rank) == all_added[rank * RANKS_MAX + me.rank]);
	exchange(NULL, 0, NULL, serve, stress);
}

static void mixed(long caps)
{
	static struct stress stress;
	double end;
	uint64_t steps = 0;

	node_open(&stress.node, WISH(.caps = FI_MSG | FI_TAGGED | FI_RMA | (uint64_t)caps, .msg_order = FI_ORDER_SAS,
				     .tx_flags = is_ours() ? FI_DELIVERY_COMPLETE : 0));
	stress.own = buffer_new(RANKS_MAX * 8 + RANKS_MAX * PLACE);
	memset(stress.own.bytes, 0, RANKS_MAX * 8);
	stress.region = region_open(&stress.node, stress.own.bytes, stress.own.size, FI_REMOTE_READ | FI_REMOTE_WRITE);
	region_share(&stress.node, &stress.region, stress.own.size, stress.targets);
	stress.stream = mix(me.seed) + (uint64_t)me.rank * 7919;
	for (int index = 0; index < SLOTS; index++)
		stress.slots[index].buffer = buffer_new(LONGEST);
	for (uint64_t index = 0; index < POOL; index++) {
		stress.pool[index] = buffer_new(LONGEST);
		post_pool(&stress, index);
	}
	barrier(&stress.node);
	end = now() + (me.patience < 12 ? me.patience / 4 : 3);
	while (now() < end) {
		uint64_t index = draw(&stress.stream) % SLOTS;

		if (stress.slots[index].task == IDLE)
			begin(&stress, index);
		serve(&stress);
		steps++;
	}
	complete_all(&stress);
	for (uint64_t index = 0; index < POOL; index++)
		OK(fi_cancel(&stress.node.ep->fid, ctx(&stress.node, 1000 + index)));
	for (uint64_t index = 0; index < POOL; index++)
		EQUAL(FAULT(&stress.node, RX, 1000 + index).err, FI_ECANCELED);
	if (me.rank == 0)
		note("rank 0 received %llu messages in %llu turns", (unsigned long long)stress.received, (unsigned long long)steps);
	region_close(&stress.region);
	node_close(&stress.node);
}

const struct test stress_tests[] = {
	{ "stress.mixed", "messages, reads, writes and atomics at random among all ranks", mixed, FI_ATOMIC, 2, 16, TEST_LONG },
	{ "stress.mixed_plain", "messages, reads and writes at random among all ranks", mixed, 0, 2, 16, TEST_LONG },
	{ 0 },
};
