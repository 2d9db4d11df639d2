/* A rank's objects of the library, from hints to an endpoint that knows all ranks. */
#include "node.h"

#include <signal.h>

struct fi_info *hints_for(const struct wish *wish)
{
	struct fi_info *hints = fi_allocinfo();

	CHECK(hints != NULL);
	hints->caps = wish->caps;
	hints->mode = FI_CONTEXT | FI_CONTEXT2;
	hints->ep_attr->type = FI_EP_RDM;
	hints->domain_attr->threading = wish->threading ? wish->threading : FI_THREAD_DOMAIN;
	hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
	hints->domain_attr->av_type = wish->av_type ? wish->av_type : FI_AV_TABLE;
	hints->domain_attr->mr_mode = wish->mr_mode == NO_MR_MODE ? 0 : (int)(wish->mr_mode ? wish->mr_mode : MR_MODES);
	hints->tx_attr->op_flags = wish->tx_flags;
	hints->rx_attr->op_flags = wish->rx_flags;
	hints->addr_format = wish->addr_format;
	hints->tx_attr->msg_order = wish->msg_order;
	hints->rx_attr->msg_order = wish->msg_order;
	hints->tx_attr->size = wish->tx_size;
	hints->rx_attr->size = wish->rx_size;
	hints->fabric_attr->prov_name = strdup(me.provider);
	return hints;
}

/* What philae and cxi have to offer. */
#define OUR_CAPS \
	(FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC | FI_READ | FI_WRITE | FI_SEND | FI_RECV | FI_REMOTE_READ | FI_REMOTE_WRITE | \
	 FI_MULTI_RECV | FI_DIRECTED_RECV | FI_SOURCE | FI_RMA_EVENT | FI_FENCE | FI_TRIGGER)

int ask(const struct fi_info *hints, struct fi_info **info)
{
	static const int SIGNALS[] = { SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE };
	struct sigaction before[5];
	int code;

	/* Some provider's library catches crashes as it is loaded, and turns them into an exit. */
	for (int i = 0; i < 5; i++)
		sigaction(SIGNALS[i], NULL, &before[i]);
	code = fi_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, info);
	for (int i = 0; i < 5; i++)
		sigaction(SIGNALS[i], &before[i], NULL);
	return code;
}

struct fi_info *info_for(const struct wish *wish)
{
	struct fi_info *hints = hints_for(wish), *info = NULL;
	char caps[600], order[300], modes[200];
	int code;

	AT("fi_getinfo");
	code = ask(hints, &info);
	snprintf(caps, sizeof caps, "%s", fi_tostr(&wish->caps, FI_TYPE_CAPS));
	if (code == -FI_ENODATA) {
		struct fi_info *any = NULL;

		fi_freeinfo(hints);
		hints = hints_for(WISH(.caps = 0));
		if (ask(hints, &any) != 0)
			FAIL("fi_getinfo knows no provider %s for FI_EP_RDM: is FI_PROVIDER_PATH set, and right?", me.provider);
		if (is_ours() && (wish->caps & ~OUR_CAPS) == 0 && !wish->mr_mode)
			FAIL("fi_getinfo refuses caps %s, order 0x%llx, flags 0x%llx: %s has to offer them", caps,
			     (unsigned long long)wish->msg_order, (unsigned long long)wish->tx_flags, me.provider);
		snprintf(order, sizeof order, "%s", wish->msg_order ? fi_tostr(&wish->msg_order, FI_TYPE_MSG_ORDER) : "any");
		int mr_mode = hints->domain_attr->mr_mode;
		if (wish->mr_mode)
			mr_mode = wish->mr_mode == NO_MR_MODE ? 0 : (int)wish->mr_mode;
		snprintf(modes, sizeof modes, "%s", fi_tostr(&mr_mode, FI_TYPE_MR_MODE));
		skip("fi_getinfo has no answer for caps %s, order %s, op_flags 0x%llx, mr_mode %s", caps, order,
		     (unsigned long long)wish->tx_flags, modes);
	}
	RETURNS(code, 0);
	fi_freeinfo(hints);
	return info;
}

static struct fid_cq *queue_open(struct node *node, const struct wish *wish)
{
	struct fi_cq_attr attr = {
		.size = wish->cq_size,
		.format = wish->format ? wish->format : FI_CQ_FORMAT_TAGGED,
		.wait_obj = wish->wait ? wish->wait : FI_WAIT_NONE,
	};
	struct fid_cq *queue = NULL;

	int code = fi_cq_open(node->domain, &attr, &queue, NULL);
	if (code == -FI_ENOSYS && wish->wait)
		skip("fi_cq_open has no wait object %d", (int)wish->wait);
	RETURNS(code, 0);
	return queue;
}

static struct fid_cntr *counter_open(struct node *node)
{
	struct fi_cntr_attr attr = { .events = FI_CNTR_EVENTS_COMP, .wait_obj = FI_WAIT_UNSPEC };
	struct fid_cntr *counter = NULL;

	OK(fi_cntr_open(node->domain, &attr, &counter, NULL));
	return counter;
}

void node_open_alone(struct node *node, const struct wish *wish)
{
	struct fi_av_attr av = { .type = wish->av_type ? wish->av_type : FI_AV_TABLE };

	memset(node, 0, sizeof *node);
	node->info = info_for(wish);
	node->format = wish->format ? wish->format : FI_CQ_FORMAT_TAGGED;
	node->is_one_queue = wish->is_one_queue;
	node->contexts = calloc(CONTEXTS, sizeof *node->contexts);
	CHECK(node->contexts != NULL);
	OK(fi_fabric(node->info->fabric_attr, &node->fabric, NULL));
	OK(fi_domain(node->fabric, node->info, &node->domain, NULL));
	OK(fi_av_open(node->domain, &av, &node->av, NULL));
	node->cq[TX] = queue_open(node, wish);
	if (!wish->is_one_queue)
		node->cq[RX] = queue_open(node, wish);
	OK(fi_endpoint(node->domain, node->info, &node->ep, NULL));
	OK(fi_ep_bind(node->ep, &node->av->fid, 0));
	if (wish->is_one_queue) {
		OK(fi_ep_bind(node->ep, &node->cq[TX]->fid, FI_TRANSMIT | FI_RECV | wish->tx_bind | wish->rx_bind));
	} else {
		OK(fi_ep_bind(node->ep, &node->cq[TX]->fid, FI_TRANSMIT | wish->tx_bind));
		OK(fi_ep_bind(node->ep, &node->cq[RX]->fid, FI_RECV | wish->rx_bind));
	}
	if (wish->has_counters) {
		bool is_rma = wish->caps & (FI_RMA | FI_ATOMIC);

		node->tx_cntr = counter_open(node);
		node->rx_cntr = counter_open(node);
		OK(fi_ep_bind(node->ep, &node->tx_cntr->fid, FI_SEND | (is_rma ? FI_READ | FI_WRITE : 0)));
		OK(fi_ep_bind(node->ep, &node->rx_cntr->fid, FI_RECV));
		if (wish->caps & FI_RMA_EVENT && !(node->info->domain_attr->mr_mode & FI_MR_RMA_EVENT)) {
			node->target_cntr = counter_open(node);
			OK(fi_ep_bind(node->ep, &node->target_cntr->fid, FI_REMOTE_READ | FI_REMOTE_WRITE));
		}
	}
	if (!wish->is_not_enabled)
		OK(fi_enable(node->ep));
}

struct name node_name(struct node *node)
{
	struct name name = { 0 };
	size_t size = sizeof name.bytes;

	OK(fi_getname(&node->ep->fid, name.bytes, &size));
	CHECK(size > 0 && size <= sizeof name.bytes);
	name.size = (uint32_t)size;
	return name;
}

void node_open(struct node *node, const struct wish *wish)
{
	struct name mine, all[RANKS_MAX];

	node_open_alone(node, wish);
	mine = node_name(node);
	exchange(&mine, sizeof mine, all, NULL, NULL);
	for (int rank = 0; rank < me.ranks; rank++)
		RETURNS(fi_av_insert(node->av, all[rank].bytes, 1, &node->peers[rank], 0, NULL), 1);
	barrier(node);
}

static void close_fid(struct fid *fid)
{
	if (fid)
		OK(fi_close(fid));
}

void node_close_alone(struct node *node)
{
	progress(node);
	for (int side = TX; side <= RX; side++)
		if (node->done[side].count)
			FAIL("%zu completions that were not requested on the %s queue, the first of operation %llu, flags 0x%llx, length %zu, error %d",
			     node->done[side].count, side == TX ? "transmit" : "receive",
			     (unsigned long long)node->done[side].items[0].number, (unsigned long long)node->done[side].items[0].flags,
			     node->done[side].items[0].len, node->done[side].items[0].err);
	if (node->ep)
		close_fid(&node->ep->fid);
	for (int side = TX; side <= RX; side++) {
		if (node->cq[side])
			close_fid(&node->cq[side]->fid);
		free(node->done[side].items);
	}
	if (node->tx_cntr)
		close_fid(&node->tx_cntr->fid);
	if (node->rx_cntr)
		close_fid(&node->rx_cntr->fid);
	if (node->target_cntr)
		close_fid(&node->target_cntr->fid);
	close_fid(&node->av->fid);
	if (node->eq)
		close_fid(&node->eq->fid);
	close_fid(&node->domain->fid);
	close_fid(&node->fabric->fid);
	fi_freeinfo(node->info);
	free(node->contexts);
	memset(node, 0, sizeof *node);
}

void node_close(struct node *node)
{
	barrier(node);
	node_close_alone(node);
}

struct region region_open_counted(struct node *node, void *bytes, size_t len, uint64_t access, struct fid_cntr *counter)
{
	static uint64_t next_key = 0x100;
	struct region region = { 0 };
	int modes = node->info->domain_attr->mr_mode;
	uint64_t flags = counter && modes & FI_MR_RMA_EVENT ? FI_RMA_EVENT : 0;

	OK(fi_mr_reg(node->domain, bytes, len, access, 0, next_key++, flags, &region.mr, NULL));
	if (modes & FI_MR_ENDPOINT)
		OK(fi_mr_bind(region.mr, &node->ep->fid, 0));
	if (counter) {
		int code = fi_mr_bind(region.mr, &counter->fid, FI_REMOTE_WRITE);

		if (code == -FI_ENOSYS && !is_ours())
			skip("fi_mr_bind takes no counter: %s", code_text(code));
		RETURNS(code, 0);
	}
	if (modes & FI_MR_ENDPOINT || flags)
		OK(fi_mr_enable(region.mr));
	region.key = fi_mr_key(region.mr);
	if (!(modes & FI_MR_PROV_KEY))
		EQUAL(region.key, next_key - 1);
	region.address = modes & FI_MR_VIRT_ADDR ? (uint64_t)(uintptr_t)bytes : 0;
	return region;
}

struct region region_open(struct node *node, void *bytes, size_t len, uint64_t access)
{
	return region_open_counted(node, bytes, len, access, NULL);
}

void region_close(struct region *region)
{
	OK(fi_close(&region->mr->fid));
	region->mr = NULL;
}

static void progress_node(void *node)
{
	progress(node);
}

void region_share(struct node *node, const struct region *region, size_t len, struct target *targets)
{
	struct target mine = { region->key, region->address, len };

	exchange(&mine, sizeof mine, targets, progress_node, node);
}

void barrier(struct node *node)
{
	exchange(NULL, 0, NULL, progress_node, node);
}

void barrier_still(void)
{
	exchange(NULL, 0, NULL, NULL, NULL);
}

bool is_by_datagrams(void)
{
	const char *wires = getenv("FI_PHILAE_WIRES"), *copy = getenv("FI_PHILAE_COPY");

	return me.is_spread || (wires && strcmp(wires, "udp") == 0) || (copy && strcmp(copy, "off") == 0);
}
