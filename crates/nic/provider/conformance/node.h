/* A rank's objects of the library: one endpoint with its queues, the addresses of all ranks, buffers and regions. */
#ifndef NODE_H
#define NODE_H

#include "conformance.h"

/* The modes of memory registration that these tests can serve. */
#define MR_MODES (FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT | FI_MR_RMA_EVENT)

/* What every RDM test needs at least. */
#define MSG_TAGGED (FI_MSG | FI_TAGGED)

enum {
	/* Contexts that a node can have in flight. */
	CONTEXTS = 32768,
	/* Guard bytes on either side of a buffer. */
	GUARD = 64,
};

/* The number of a completion whose context is none of the node's. */
#define NO_NUMBER UINT64_MAX

/* What a test asks fi_getinfo and the queues for. */
struct wish {
	uint64_t caps;
	/* 0: all of MR_MODES. NO_MR_MODE: none. */
	uint64_t mr_mode;
	uint64_t msg_order;
	/* Flags of fi_info's tx_attr and rx_attr. */
	uint64_t tx_flags, rx_flags;
	/* In addition to FI_TRANSMIT and FI_RECV, when a queue is bound: FI_SELECTIVE_COMPLETION. */
	uint64_t tx_bind, rx_bind;
	/* FI_CQ_FORMAT_UNSPEC: tagged. */
	enum fi_cq_format format;
	enum fi_av_type av_type;
	/* FI_FORMAT_UNSPEC: the provider's own. */
	uint32_t addr_format;
	enum fi_wait_obj wait;
	/* FI_THREAD_UNSPEC: FI_THREAD_DOMAIN. */
	enum fi_threading threading;
	size_t cq_size, tx_size, rx_size;
	/* One queue for both directions. */
	bool is_one_queue;
	/* Counters for both directions and for what others do to this rank. */
	bool has_counters;
	/* Do not enable: the test does. */
	bool is_not_enabled;
};
#define NO_MR_MODE (1ull << 62)
#define WISH(...) (&(struct wish){ __VA_ARGS__ })

/* One completion, whatever the format of its queue. */
struct done {
	uint64_t number;
	void *context;
	uint64_t flags, data, tag;
	size_t len, olen;
	void *buf;
	fi_addr_t source;
	/* 0 or a positive error. */
	int err, prov_errno;
};

/* Completions that were read and not yet asked for. */
struct done_list {
	struct done *items;
	size_t count, room;
};

enum side { TX, RX };

struct node {
	struct fi_info *info;
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_eq *eq;
	struct fid_av *av;
	struct fid_cq *cq[2];
	struct fid_cntr *tx_cntr, *rx_cntr, *target_cntr;
	struct fid_ep *ep;
	enum fi_cq_format format;
	bool is_one_queue;
	/* By rank, this one included. */
	fi_addr_t peers[RANKS_MAX];
	struct done_list done[2];
	struct fi_context2 *contexts;
};

/* A name of an endpoint, as it is passed on. */
struct name {
	uint32_t size;
	uint8_t bytes[252];
};

/* Hints for `wish`; the caller frees them. */
struct fi_info *hints_for(const struct wish *wish);
/* fi_getinfo with the version that these tests are written for. */
int ask(const struct fi_info *hints, struct fi_info **info);
/* The first answer to `wish`, or a skip. */
struct fi_info *info_for(const struct wish *wish);
/* Opens everything, exchanges addresses with all ranks and returns when all are ready. */
void node_open(struct node *node, const struct wish *wish);
/* Without addresses of others: no exchange. */
void node_open_alone(struct node *node, const struct wish *wish);
/* The endpoint's own name. */
struct name node_name(struct node *node);
/* Waits for all ranks, checks that no completion is left over, and closes everything. */
void node_close(struct node *node);
/* As node_close, without waiting for others. */
void node_close_alone(struct node *node);
/* Reads what is ready on both queues. */
void progress(struct node *node);
/* All ranks come here; the queues are read meanwhile. */
void barrier(struct node *node);
/* As barrier, but the library is not called meanwhile. */
void barrier_still(void);
/* True where `philae` reaches other ranks by datagrams: they are on other hosts, it was told to, or not to copy memory. */
bool is_by_datagrams(void);
/* The context of `number`. */
void *ctx(struct node *node, uint64_t number);

/* One turn of a loop that waits: reads the queues, yields; fails when the patience is at its end. */
void wait_turn(struct node *node, const char *file, int line, const char *what);
/* Waits for the completion of `number`; an error fails. */
struct done done_of(struct node *node, enum side side, uint64_t number, const char *file, int line);
/* Waits for the next completion. */
struct done done_next(struct node *node, enum side side, const char *file, int line);
/* Waits for the completion of `number`, which has to carry an error. */
struct done fault_of(struct node *node, enum side side, uint64_t number, const char *file, int line);
/* Reads the queues for a while; a completion fails. */
void quiet(struct node *node, int milliseconds, const char *file, int line);
/* Completions of one side that were read and not taken. */
size_t waiting(const struct node *node, enum side side);
/* Waits until a counter has this value; more fails. */
void counter_reaches(struct node *node, struct fid_cntr *counter, uint64_t value, const char *file, int line);

#define DONE(node, side, number) done_of(node, side, number, __FILE__, __LINE__)
#define NEXT(node, side) done_next(node, side, __FILE__, __LINE__)
#define FAULT(node, side, number) fault_of(node, side, number, __FILE__, __LINE__)
#define QUIET(node, milliseconds) quiet(node, milliseconds, __FILE__, __LINE__)
#define REACHES(node, counter, value) counter_reaches(node, counter, value, __FILE__, __LINE__)
#define UNTIL(node, condition) \
	while (!(condition)) \
	wait_turn(node, __FILE__, __LINE__, #condition)
/*
 * Waits until bytes that a peer writes are there. A call into the library follows, as in a program that wants an order between what it
 * saw and what it reads next: the thread that wrote them gives its lock to it.
 */
#define UNTIL_LANDED(node, ...) \
	do { \
		UNTIL(node, has_landed(__VA_ARGS__)); \
		wait_turn(node, __FILE__, __LINE__, "bytes that have landed"); \
	} while (0)

/* A call that begins an operation: again and again while the provider has no room, reading the queues. */
#define POST(node, call) \
	do { \
		long long posted_; \
		AT(#call); \
		while ((posted_ = (long long)(call)) == -FI_EAGAIN) \
			wait_turn(node, __FILE__, __LINE__, #call); \
		if (posted_ != 0) \
			FAIL("%s: expected 0, found %lld (%s)", #call, posted_, code_text(posted_)); \
	} while (0)

/* A buffer between guards. */
struct buffer {
	uint8_t *bytes;
	size_t size;
};
/* The byte that an untouched buffer is full of. */
enum { UNTOUCHED = 0xa5 };
struct buffer buffer_new(size_t size);
void buffer_free(struct buffer *buffer);
/* Fills with UNTOUCHED and sets the guards. */
void buffer_clear(struct buffer *buffer);
/* The bytes that `sender` puts in its message `number`, from `offset` of the message on. */
void pattern(void *bytes, size_t len, int sender, uint64_t number, size_t offset);
/* The first byte that is not the pattern's; `len` when all are. */
size_t pattern_differs(const void *bytes, size_t len, int sender, uint64_t number, size_t offset);
/* True when a message of a peer's is all there, where nothing else says so. */
bool has_landed(const void *bytes, size_t len, int sender, uint64_t number, size_t offset);
/* The first `len` bytes are the message; the rest and the guards are untouched. */
void buffer_holds(const struct buffer *buffer, size_t len, int sender, uint64_t number, const char *file, int line);
/* Nothing was written. */
void buffer_is_untouched(const struct buffer *buffer, const char *file, int line);
/* The bytes before `start` and from `start + len` on are untouched, and those between are the message. */
void buffer_holds_at(const struct buffer *buffer, size_t start, size_t len, int sender, uint64_t number, const char *file, int line);
#define HOLDS(buffer, len, sender, number) buffer_holds(buffer, len, sender, number, __FILE__, __LINE__)
#define HOLDS_AT(buffer, start, len, sender, number) buffer_holds_at(buffer, start, len, sender, number, __FILE__, __LINE__)
#define UNTOUCHED_YET(buffer) buffer_is_untouched(buffer, __FILE__, __LINE__)

/* Memory that others may reach. */
struct region {
	struct fid_mr *mr;
	uint64_t key, address;
};
/* What another rank needs to reach it. */
struct target {
	uint64_t key, address, len;
};
/* Registers, binds to the endpoint and enables, as the mr_mode asks. */
struct region region_open(struct node *node, void *bytes, size_t len, uint64_t access);
/* As region_open with a counter for what others do to it. */
struct region region_open_counted(struct node *node, void *bytes, size_t len, uint64_t access, struct fid_cntr *counter);
void region_close(struct region *region);
/* Gives this rank's region to all and gets theirs. */
void region_share(struct node *node, const struct region *region, size_t len, struct target *targets);

/* Message sizes at which protocols change. */
extern const size_t SIZES[];
extern const int SIZES_COUNT;

#endif
