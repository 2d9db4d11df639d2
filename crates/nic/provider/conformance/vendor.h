/* What the vendor's provider has beyond libfabric, declared here by its documentation: names, numbers and layouts of
 * fi_cxi_ext.h. And ours. */
#ifndef VENDOR_H
#define VENDOR_H

#include "rma.h"

#include <time.h>

/* Options of fi_set_val and fi_get_val. */
enum { VENDOR_OPTIONS = -(0xccc << 16) };
#define SET_TCLASS (VENDOR_OPTIONS + 0)
#define SET_MSG_ORDER (VENDOR_OPTIONS + 1)
#define NIC_REFRESH (VENDOR_OPTIONS + 2)
#define SET_MATCH_EVENTS (VENDOR_OPTIONS + 3)
#define GET_MATCH_EVENTS (VENDOR_OPTIONS + 4)
#define SET_OPTIMIZED_MRS (VENDOR_OPTIONS + 5)
#define GET_OPTIMIZED_MRS (VENDOR_OPTIONS + 6)
#define SET_KEY_CACHE (VENDOR_OPTIONS + 7)
#define GET_KEY_CACHE (VENDOR_OPTIONS + 8)
#define SET_RNR_TIME (VENDOR_OPTIONS + 9)

/* Flags of operations. */
#define PCIE_AMO (1ull << 57)
#define HIGH_RATE_PUT (1ull << 60)
#define UNRELIABLE (1ull << 61)
#define COUNTER_WRITEBACK (1ull << 62)
#define WEAK_FENCE (1ull << 63)

/* fi_open_ops(counter, "cxi_counter_ops"). */
struct counter_ops {
	int (*set_wb_buffer)(struct fid *fid, void *buffer, size_t length);
	int (*get_mmio_addr)(struct fid *fid, void **address, size_t *length);
};
/* The value in the buffer: successes in 48 bits, failures in 7 above them, and the highest bit once it was written. */
#define WRITTEN(successes, failures) (1ull << 63 | (uint64_t)(failures) << 48 | (uint64_t)(successes))

/* fi_open_ops(domain, "dom_ops_v6"); earlier versions are shorter. */
struct domain_ops {
	int (*cntr_read)(struct fid *fid, unsigned counter, uint64_t *value, struct timespec *when);
	int (*topology)(struct fid *fid, unsigned *group, unsigned *in_group, unsigned *port);
	int (*enable_hybrid_mr_desc)(struct fid *fid, bool enable);
	size_t (*ep_get_unexp_msgs)(struct fid_ep *ep, struct fi_cq_tagged_entry *entries, size_t count, fi_addr_t *sources,
				    size_t *waiting);
	int (*get_dwq_depth)(struct fid *fid, size_t *depth);
	int (*enable_mr_match_events)(struct fid *fid, bool enable);
	int (*enable_optimized_mrs)(struct fid *fid, bool enable);
};

/* fi_info.nic->prov_attr. */
struct nic_attr {
	uint32_t version;
	unsigned address, service, vni;
};

/* Ours: fi_open_ops(domain, "philae_counts_1"). */
struct count_ops {
	size_t size;
	int (*read)(struct fid *domain, const char *name, uint64_t *value);
	int (*name)(struct fid *domain, size_t index, char *text, size_t length);
};

/* The tables of a node's objects; a test of a provider without them is skipped, or fails where the provider is ours. */
struct counter_ops *counter_ops_of(struct fid_cntr *counter);
struct domain_ops *domain_ops_of(struct node *node);
/* A count of ours by its name. */
uint64_t counted_by(struct node *node, const char *name);

#endif
