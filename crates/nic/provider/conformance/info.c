/* fi_getinfo: what is offered, what is refused, and that an answer keeps to what was asked. */
#include "node.h"

/* Asks with the given version; the code. */
static int get(uint32_t version, uint64_t flags, struct fi_info *hints, struct fi_info **info)
{
	AT("fi_getinfo");
	*info = NULL;
	return fi_getinfo(version, NULL, NULL, flags, hints, info);
}

#define NOW FI_VERSION(1, 17)

/* What holds of every answer. */
static void obeys(const struct fi_info *info, const struct fi_info *hints)
{
	CHECK((info->caps & hints->caps) == hints->caps);
	CHECK((info->mode & ~hints->mode) == 0);
	CHECK((info->domain_attr->mr_mode & ~hints->domain_attr->mr_mode) == 0);
	if (hints->ep_attr->type)
		EQUAL(info->ep_attr->type, hints->ep_attr->type);
	CHECK((info->tx_attr->msg_order & hints->tx_attr->msg_order) == hints->tx_attr->msg_order);
	CHECK((info->rx_attr->msg_order & hints->rx_attr->msg_order) == hints->rx_attr->msg_order);
	CHECK(info->tx_attr->inject_size >= hints->tx_attr->inject_size);
	CHECK(info->tx_attr->size >= hints->tx_attr->size);
	CHECK(info->tx_attr->iov_limit >= hints->tx_attr->iov_limit);
	CHECK(info->rx_attr->size >= hints->rx_attr->size);
	CHECK(info->ep_attr->max_msg_size >= hints->ep_attr->max_msg_size);
	CHECK(info->domain_attr->cq_data_size >= hints->domain_attr->cq_data_size);
	CHECK(info->fabric_attr->name != NULL);
	CHECK(info->fabric_attr->prov_name != NULL);
	CHECK(info->domain_attr->name != NULL);
	CHECK(strcmp(info->fabric_attr->prov_name, me.provider) == 0);
}

/* Every version that a client may come with. */
static void versions(long unused)
{
	(void)unused;
	for (uint32_t minor = 9; minor <= 17; minor++) {
		struct fi_info *hints = hints_for(WISH(.caps = FI_MSG | FI_TAGGED)), *info;

		OK(get(FI_VERSION(1, minor), 0, hints, &info));
		obeys(info, hints);
		EQUAL(info->fabric_attr->api_version, FI_VERSION(1, minor));
		fi_freeinfo(info);
		fi_freeinfo(hints);
	}
}

/* Each capability alone: offered, or refused; never left out silently. */
static void capabilities(long unused)
{
	(void)unused;
	for (int bit = 1; bit < 60; bit++) {
		struct fi_info *hints = hints_for(WISH(.caps = 1ull << bit)), *info;
		int code = get(NOW, 0, hints, &info);

		if (code == -FI_ENODATA || code == -FI_EBADFLAGS) {
			fi_freeinfo(hints);
			continue;
		}
		RETURNS(code, 0);
		for (const struct fi_info *each = info; each; each = each->next)
			obeys(each, hints);
		fi_freeinfo(info);
		fi_freeinfo(hints);
	}
}

/* All of what clients ask of ours, together. */
static void everything(long unused)
{
	uint64_t caps = FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC | FI_SEND | FI_RECV | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE |
			FI_MULTI_RECV | FI_DIRECTED_RECV | FI_SOURCE | FI_RMA_EVENT | FI_FENCE | FI_TRIGGER | FI_LOCAL_COMM | FI_REMOTE_COMM;
	uint64_t order = FI_ORDER_SAS | FI_ORDER_WAW | FI_ORDER_RMA_WAW | FI_ORDER_ATOMIC_WAW | FI_ORDER_ATOMIC_RAR | FI_ORDER_ATOMIC_RAW | FI_ORDER_ATOMIC_WAR;
	struct fi_info *hints = hints_for(WISH(.caps = caps, .msg_order = order)), *info;

	(void)unused;
	OK(get(NOW, 0, hints, &info));
	obeys(info, hints);
	fi_freeinfo(info);
	fi_freeinfo(hints);
}

/* The limits of the hardware. */
static void limits(long unused)
{
	struct fi_info *hints = hints_for(WISH(.caps = FI_MSG | FI_TAGGED | FI_RMA)), *info;
	uint64_t mask = 0;

	(void)unused;
	OK(get(NOW, 0, hints, &info));
	EQUAL(info->tx_attr->inject_size, 192);
	EQUAL(info->tx_attr->iov_limit, 1);
	EQUAL(info->tx_attr->rma_iov_limit, 1);
	EQUAL(info->rx_attr->iov_limit, 1);
	EQUAL(info->tx_attr->size, 1024);
	EQUAL(info->rx_attr->size, 1024);
	EQUAL(info->ep_attr->max_msg_size, 0xffffffffull);
	EQUAL(info->domain_attr->cq_data_size, 8);
	while (mask < info->ep_attr->mem_tag_format)
		mask = mask << 1 | 1;
	/* Under its own name philae takes tags of 64 bits by default: MPI libraries know the 48 by the name of cxi. */
	if (strcmp(me.provider, "cxi") == 0)
		EQUAL(mask, 0xffffffffffffull);
	else
		CHECK(mask >= 0xffffffffffffull);
	EQUAL(info->ep_attr->type, FI_EP_RDM);
	CHECK(info->domain_attr->mr_mode & FI_MR_ENDPOINT);
	EQUAL(info->domain_attr->mr_key_size, info->domain_attr->mr_mode & FI_MR_PROV_KEY ? 8 : 4);
	fi_freeinfo(info);
	fi_freeinfo(hints);
}

/* Other types of endpoints are refused, so that no layer of the library builds upon this provider. */
static void other_types(long type)
{
	struct fi_info *hints = hints_for(WISH(.caps = FI_MSG)), *info;

	hints->ep_attr->type = (enum fi_ep_type)type;
	RETURNS(get(NOW, 0, hints, &info), -FI_ENODATA);
	fi_freeinfo(hints);
}

/* No answer comes from a layer above this provider. */
static void no_layers(long unused)
{
	struct fi_info *hints = hints_for(WISH(.caps = FI_MSG)), *info;
	char layered[100];

	(void)unused;
	free(hints->fabric_attr->prov_name);
	hints->fabric_attr->prov_name = NULL;
	hints->ep_attr->type = FI_EP_UNSPEC;
	OK(get(NOW, 0, hints, &info));
	snprintf(layered, sizeof layered, "%s;", me.provider);
	for (const struct fi_info *each = info; each; each = each->next)
		if (strncmp(each->fabric_attr->prov_name, layered, strlen(layered)) == 0)
			FAIL("fi_getinfo offers %s", each->fabric_attr->prov_name);
	fi_freeinfo(info);
	fi_freeinfo(hints);
}

/* More than there is: refused, or given; never less than asked. */
static void too_much(long unused)
{
	struct fi_info *plain, *info;
	struct fi_info *hints = hints_for(WISH(.caps = FI_MSG | FI_RMA));

	(void)unused;
	OK(get(NOW, 0, hints, &plain));
	for (int what = 0; what < 8; what++) {
		struct fi_info *more = hints_for(WISH(.caps = FI_MSG | FI_RMA));

		switch (what) {
		case 0:
			more->tx_attr->inject_size = plain->tx_attr->inject_size + 1;
			break;
		case 1:
			more->tx_attr->iov_limit = plain->tx_attr->iov_limit + 1;
			break;
		case 2:
			more->rx_attr->iov_limit = plain->rx_attr->iov_limit + 1;
			break;
		case 3:
			more->tx_attr->size = 1 << 26;
			break;
		case 4:
			more->rx_attr->size = 1 << 26;
			break;
		case 5:
			more->domain_attr->cq_data_size = 9;
			break;
		case 6:
			more->tx_attr->rma_iov_limit = plain->tx_attr->rma_iov_limit + 1;
			break;
		default:
			if (plain->ep_attr->max_msg_size == SIZE_MAX)
				continue;
			more->ep_attr->max_msg_size = plain->ep_attr->max_msg_size + 1;
		}
		int code = get(NOW, 0, more, &info);
		if (is_ours())
			RETURNS(code, -FI_ENODATA);
		if (code == 0) {
			obeys(info, more);
			fi_freeinfo(info);
		} else {
			RETURNS(code, -FI_ENODATA);
		}
		fi_freeinfo(more);
	}
	fi_freeinfo(plain);
	fi_freeinfo(hints);
}

/* Sizes of queues that ours can be asked for. */
static void queue_sizes(long unused)
{
	static const size_t TX[] = { 1, 16, 1024, 16384 }, RX[] = { 1, 16, 1024, 15360 };

	(void)unused;
	for (int index = 0; index < 4; index++) {
		struct fi_info *hints = hints_for(WISH(.caps = FI_MSG, .tx_size = TX[index], .rx_size = RX[index])), *info;

		OK(get(NOW, 0, hints, &info));
		obeys(info, hints);
		fi_freeinfo(info);
		fi_freeinfo(hints);
	}
}

/* Names that are none. */
static void wrong_names(long which)
{
	struct fi_info *hints = hints_for(WISH(.caps = FI_MSG)), *info;

	if (which == 0)
		hints->fabric_attr->name = strdup("no-such-fabric");
	else
		hints->domain_attr->name = strdup("no-such-domain");
	RETURNS(get(NOW, 0, hints, &info), -FI_ENODATA);
	fi_freeinfo(hints);
}

/* The right names, taken from an answer, get the same answer. */
static void right_names(long unused)
{
	struct fi_info *hints = hints_for(WISH(.caps = FI_MSG)), *first, *second;

	(void)unused;
	OK(get(NOW, 0, hints, &first));
	hints->fabric_attr->name = strdup(first->fabric_attr->name);
	hints->domain_attr->name = strdup(first->domain_attr->name);
	OK(get(NOW, 0, hints, &second));
	EQUAL(strcmp(first->fabric_attr->name, second->fabric_attr->name), 0);
	EQUAL(strcmp(first->domain_attr->name, second->domain_attr->name), 0);
	fi_freeinfo(second);
	/* An answer is a hint that is answered. */
	struct fi_info *copy = fi_dupinfo(first);
	CHECK(copy != NULL);
	OK(get(NOW, 0, copy, &second));
	fi_freeinfo(second);
	fi_freeinfo(copy);
	fi_freeinfo(first);
	fi_freeinfo(hints);
}

/* All modes of registering memory that a client may bring. */
static void mr_modes(long unused)
{
	static const int MODES[] = { FI_MR_LOCAL, FI_MR_VIRT_ADDR, FI_MR_ALLOCATED, FI_MR_PROV_KEY, FI_MR_RMA_EVENT, FI_MR_ENDPOINT };
	int answered = 0;

	(void)unused;
	for (int set = 0; set < 64; set++) {
		struct fi_info *hints = hints_for(WISH(.caps = FI_MSG | FI_RMA)), *info;

		hints->domain_attr->mr_mode = 0;
		for (int bit = 0; bit < 6; bit++)
			if (set >> bit & 1)
				hints->domain_attr->mr_mode |= MODES[bit];
		int code = get(NOW, 0, hints, &info);
		if (code == 0) {
			answered++;
			for (const struct fi_info *each = info; each; each = each->next)
				obeys(each, hints);
			fi_freeinfo(info);
		} else {
			RETURNS(code, -FI_ENODATA);
			if (is_ours() && (hints->domain_attr->mr_mode & (FI_MR_ENDPOINT | FI_MR_ALLOCATED)) == (FI_MR_ENDPOINT | FI_MR_ALLOCATED))
				FAIL("mr_mode 0x%x is refused", hints->domain_attr->mr_mode);
		}
		fi_freeinfo(hints);
	}
	CHECK(answered > 0);
}

/* Without hints the provider is among the answers. */
static void no_hints(long flags)
{
	struct fi_info *info;
	bool is_found = false;

	OK(get(NOW, (uint64_t)flags, NULL, &info));
	for (const struct fi_info *each = info; each; each = each->next)
		is_found |= each->fabric_attr->prov_name && strcmp(each->fabric_attr->prov_name, me.provider) == 0;
	fi_freeinfo(info);
	if (!is_found && flags & FI_PROV_ATTR_ONLY && strchr(me.provider, ';'))
		skip("providers in layers are listed by their parts");
	CHECK(is_found);
}

/* What the clients ask for, in their own shape. */
enum client { MPICH, MPICH_SMALL, OPEN_MPI, SHMEM, SHMEM_CLIENT_KEYS, BENCHMARK };

static void client(long which)
{
	struct fi_info *hints = hints_for(WISH(.caps = FI_MSG)), *info;
	uint32_t version = NOW;

	switch (which) {
	case MPICH:
		hints->mode = FI_CONTEXT | FI_CONTEXT2 | FI_ASYNC_IOV | FI_RX_CQ_DATA;
		hints->caps = FI_RMA | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE | FI_ATOMICS | FI_TAGGED | FI_DIRECTED_RECV | FI_MSG | FI_MULTI_RECV;
		hints->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
		hints->domain_attr->control_progress = hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
		hints->domain_attr->cq_data_size = 4;
		hints->tx_attr->op_flags = FI_COMPLETION | FI_DELIVERY_COMPLETE;
		hints->tx_attr->msg_order = hints->rx_attr->msg_order =
			FI_ORDER_SAS | FI_ORDER_ATOMIC_RAR | FI_ORDER_ATOMIC_RAW | FI_ORDER_ATOMIC_WAR | FI_ORDER_ATOMIC_WAW;
		break;
	case MPICH_SMALL:
		hints->caps = FI_MSG | FI_MULTI_RECV | FI_RMA | FI_READ | FI_REMOTE_READ;
		hints->domain_attr->control_progress = hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
		hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
		break;
	case OPEN_MPI:
		version = FI_VERSION(1, 9);
		hints->caps = FI_TAGGED | FI_LOCAL_COMM | FI_REMOTE_COMM | FI_DIRECTED_RECV;
		hints->mode = FI_CONTEXT | FI_CONTEXT2;
		hints->domain_attr->threading = FI_THREAD_UNSPEC;
		hints->domain_attr->control_progress = FI_PROGRESS_UNSPEC;
		hints->domain_attr->av_type = FI_AV_MAP;
		hints->domain_attr->cq_data_size = sizeof(int);
		hints->domain_attr->mr_mode = FI_MR_BASIC == 1 ? FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT : 0;
		hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
		hints->rx_attr->op_flags = FI_COMPLETION;
		hints->tx_attr->op_flags = FI_COMPLETION;
		break;
	case SHMEM:
	case SHMEM_CLIENT_KEYS:
		hints->caps = FI_RMA | FI_ATOMIC | FI_RMA_EVENT;
		hints->mode = 0;
		hints->domain_attr->mr_mode = which == SHMEM ? FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT : FI_MR_ALLOCATED | FI_MR_ENDPOINT;
		hints->domain_attr->threading = FI_THREAD_SAFE;
		hints->tx_attr->op_flags = FI_DELIVERY_COMPLETE;
		hints->tx_attr->inject_size = 8;
		break;
	default:
		hints->caps = FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC;
		hints->mode = FI_CONTEXT;
		hints->domain_attr->threading = FI_THREAD_DOMAIN;
		hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
	}
	int code = get(version, 0, hints, &info);
	if (code == -FI_ENODATA && !is_ours())
		skip("fi_getinfo has no answer for this client");
	RETURNS(code, 0);
	obeys(info, hints);
	fi_freeinfo(info);
	fi_freeinfo(hints);
}

/* Levels of threads, kinds of progress, address vectors, classes of traffic: those that ours has to take. */
static void choices(long unused)
{
	static const enum fi_threading THREADS[] = { FI_THREAD_SAFE, FI_THREAD_COMPLETION, FI_THREAD_DOMAIN, FI_THREAD_ENDPOINT, FI_THREAD_FID };
	static const uint32_t CLASSES[] = { FI_TC_UNSPEC, FI_TC_BEST_EFFORT, FI_TC_LOW_LATENCY, FI_TC_DEDICATED_ACCESS, FI_TC_BULK_DATA };
	struct fi_info *info;

	(void)unused;
	for (int index = 0; index < 5; index++) {
		struct fi_info *hints = hints_for(WISH(.caps = FI_MSG));

		hints->domain_attr->threading = THREADS[index];
		hints->tx_attr->tclass = CLASSES[index];
		hints->domain_attr->av_type = index % 2 ? FI_AV_MAP : FI_AV_TABLE;
		OK(get(NOW, 0, hints, &info));
		obeys(info, hints);
		fi_freeinfo(info);
		fi_freeinfo(hints);
	}
}

/* Flags that are none. */
static void wrong_flags(long unused)
{
	struct fi_info *hints = hints_for(WISH(.caps = FI_MSG)), *info;

	(void)unused;
	hints->tx_attr->op_flags = 1ull << 55;
	RETURNS(get(NOW, 0, hints, &info), -FI_ENODATA);
	fi_freeinfo(hints);
}

/* Whether two texts say the same and are two. */
static void copied(const char *one, const char *other)
{
	if (!one && !other)
		return;
	CHECK(one && other);
	CHECK(one != other);
	CHECK(strcmp(one, other) == 0);
}

/* The description of the NIC: complete, printed, and copied with all that hangs on it. */
static void nic(long unused)
{
	struct fi_info *hints = hints_for(WISH(.caps = FI_MSG)), *info;

	(void)unused;
	OK(get(NOW, 0, hints, &info));
	if (!info->nic && !is_ours())
		skip("fi_info.nic is not there");
	for (struct fi_info *each = info; each; each = each->next) {
		const struct fid_nic *nic = each->nic;

		CHECK(nic != NULL);
		EQUAL(nic->fid.fclass, FI_CLASS_NIC);
		CHECK(nic->device_attr && nic->bus_attr && nic->link_attr);
		if (is_ours()) {
			CHECK(strcmp(nic->device_attr->name, each->domain_attr->name) == 0);
			CHECK(nic->device_attr->vendor_id && nic->device_attr->device_id && nic->device_attr->driver);
			EQUAL(nic->link_attr->state, FI_LINK_UP);
			CHECK(nic->link_attr->mtu > 0 && nic->link_attr->speed > 0);
			CHECK(nic->link_attr->address && nic->link_attr->network_type);
		}
		const char *text = fi_tostr(each, FI_TYPE_INFO);
		CHECK(text != NULL);
		if (nic->device_attr->name)
			CHECK(strstr(text, nic->device_attr->name) != NULL);
		if (nic->link_attr->network_type)
			CHECK(strstr(text, nic->link_attr->network_type) != NULL);

		/* A copy, and a copy of it after the first has gone. */
		struct fi_info *copy = fi_dupinfo(each);
		CHECK(copy && copy->nic && copy->nic != nic);
		struct fi_info *again = fi_dupinfo(copy);
		fi_freeinfo(copy);
		copied(nic->device_attr->name, again->nic->device_attr->name);
		copied(nic->device_attr->device_id, again->nic->device_attr->device_id);
		copied(nic->device_attr->vendor_id, again->nic->device_attr->vendor_id);
		copied(nic->device_attr->driver, again->nic->device_attr->driver);
		copied(nic->link_attr->address, again->nic->link_attr->address);
		copied(nic->link_attr->network_type, again->nic->link_attr->network_type);
		EQUAL(again->nic->bus_attr->bus_type, nic->bus_attr->bus_type);
		EQUAL(again->nic->link_attr->speed, nic->link_attr->speed);
		EQUAL(again->nic->link_attr->mtu, nic->link_attr->mtu);
		/* Hints with a description are as good as those without. */
		struct fi_info *found = NULL;
		OK(fi_getinfo(NOW, NULL, NULL, 0, again, &found));
		fi_freeinfo(found);
		/* A text that a program exchanges is freed like the others. */
		free(again->nic->device_attr->firmware);
		again->nic->device_attr->firmware = strdup("of a program's own");
		fi_freeinfo(again);
	}
	fi_freeinfo(info);
	fi_freeinfo(hints);
}

/* Where an endpoint will be, and where names lead. What is wrong has no answer: libfabric itself says -FI_ENODATA then,
 * whatever the provider says. */
static void addresses(long unused)
{
	static const struct {
		const char *node, *service;
		uint64_t flags;
		/* Process numbers of source and destination; 511: none is asked for; -1: no destination. -2: no answer. */
		int source, destination;
	} CASES[] = {
		{ NULL, NULL, 0, 511, -1 },          { "cxi0", NULL, FI_SOURCE, 511, -1 }, { NULL, "0x10", FI_SOURCE, 16, -1 },
		{ "cxi0", "5", FI_SOURCE, 5, -1 },   { "cxi0", "5", 0, 511, 5 },           { "cxi0", "017", 0, 511, 15 },
		{ "cxi0", NULL, 0, 511, 0 },         { "0", "3", 0, 511, 3 },              { NULL, NULL, FI_SOURCE, -2, 0 },
		{ NULL, "9228", FI_SOURCE, -2, 0 },  { NULL, "x", FI_SOURCE, -2, 0 },      { NULL, "5x", FI_SOURCE, -2, 0 },
		{ "cxi0", "600", 0, -2, 0 },         { "cxi99", "5", 0, -2, 0 },           { "cxi7", NULL, FI_SOURCE, -2, 0 },
		{ "no such host.invalid", "5", 0, -2, 0 },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
		struct fi_info *hints = hints_for(WISH(.caps = FI_MSG | FI_TAGGED, .addr_format = FI_ADDR_CXI)), *info = NULL;
		int code = fi_getinfo(NOW, CASES[i].node, CASES[i].service, CASES[i].flags, hints, &info);

		if (CASES[i].source == -2) {
			RETURNS(code, -FI_ENODATA);
		} else {
			RETURNS(code, 0);
			EQUAL(info->addr_format, FI_ADDR_CXI);
			EQUAL(info->src_addrlen, 4);
			EQUAL(*(uint32_t *)info->src_addr & 511, CASES[i].source);
			EQUAL(info->dest_addrlen, CASES[i].destination < 0 ? 0 : 4);
			if (info->dest_addr)
				EQUAL(*(uint32_t *)info->dest_addr & 511, CASES[i].destination);
			fi_freeinfo(info);
		}
		fi_freeinfo(hints);
	}
}

/* Capabilities are of the side that they are about. */
static void sides(long unused)
{
	struct fi_info *hints = hints_for(WISH(.caps = 0)), *info;

	(void)unused;
	OK(get(NOW, 0, hints, &info));
	EQUAL(info->tx_attr->caps & (FI_RMA_EVENT | FI_RECV | FI_REMOTE_READ | FI_REMOTE_WRITE | FI_SOURCE | FI_MULTI_RECV), 0);
	EQUAL(info->rx_attr->caps & (FI_SEND | FI_READ | FI_WRITE | FI_NAMED_RX_CTX | FI_FENCE), 0);
	CHECK(info->tx_attr->caps & FI_NAMED_RX_CTX);
	CHECK(info->rx_attr->caps & FI_RMA_EVENT);
	CHECK(info->src_addr != NULL && info->src_addrlen > 0);
	fi_freeinfo(info);
	fi_freeinfo(hints);
}

const struct test info_tests[] = {
	{ "info.versions", "clients of every version from 1.9 on get an answer in their version", versions, 0, 1, 1, 0 },
	{ "info.capabilities", "each capability alone is offered or refused", capabilities, 0, 1, 1, 0 },
	{ "info.everything", "all capabilities and orders that clients use, together", everything, 0, 1, 1, TEST_OURS },
	{ "info.limits", "the limits of the hardware", limits, 0, 1, 1, TEST_OURS },
	{ "info.no_msg_endpoints", "FI_EP_MSG is refused with FI_ENODATA", other_types, FI_EP_MSG, 1, 1, TEST_OURS },
	{ "info.no_dgram_endpoints", "FI_EP_DGRAM is refused with FI_ENODATA", other_types, FI_EP_DGRAM, 1, 1, TEST_OURS },
	{ "info.no_layers", "no other provider layers itself above", no_layers, 0, 1, 1, TEST_OURS },
	{ "info.too_much", "a hint for more than there is, is refused or kept", too_much, 0, 1, 1, 0 },
	{ "info.queue_sizes", "sizes of queues up to the hardware's are given", queue_sizes, 0, 1, 1, TEST_OURS },
	{ "info.addresses", "names and process numbers lead where they say, or there is no answer", addresses, 0, 1, 1, TEST_OURS },
	{ "info.sides", "capabilities are of the side that they are about", sides, 0, 1, 1, TEST_OURS },
	{ "info.wrong_fabric", "a fabric that is none is refused", wrong_names, 0, 1, 1, TEST_OURS },
	{ "info.wrong_domain", "a domain that is none is refused", wrong_names, 1, 1, 1, TEST_OURS },
	{ "info.right_names", "an answer used as a hint is answered again", right_names, 0, 1, 1, 0 },
	{ "info.mr_modes", "no answer asks for more of the client than it offered in mr_mode", mr_modes, 0, 1, 1, 0 },
	{ "info.no_hints", "without hints the provider is among the answers", no_hints, 0, 1, 1, 0 },
	{ "info.provider_only", "FI_PROV_ATTR_ONLY lists the provider", no_hints, FI_PROV_ATTR_ONLY, 1, 1, 0 },
	{ "info.client_mpich", "the hints of MPICH, all capabilities", client, MPICH, 1, 1, 0 },
	{ "info.client_mpich_minimal", "the hints of MPICH, least capabilities", client, MPICH_SMALL, 1, 1, 0 },
	{ "info.client_open_mpi", "the hints of Open MPI's matching layer", client, OPEN_MPI, 1, 1, 0 },
	{ "info.client_shmem", "the hints of OpenSHMEM with the provider's keys", client, SHMEM, 1, 1, 0 },
	{ "info.client_shmem_keys", "the hints of OpenSHMEM with its own keys", client, SHMEM_CLIENT_KEYS, 1, 1, 0 },
	{ "info.client_benchmark", "the hints of benchmarks", client, BENCHMARK, 1, 1, 0 },
	{ "info.choices", "levels of threads, address vectors and traffic classes", choices, 0, 1, 1, TEST_OURS },
	{ "info.wrong_flags", "op_flags that mean nothing are refused", wrong_flags, 0, 1, 1, 0 },
	{ "info.nic", "the NIC is described, and the description is copied, printed and freed", nic, 0, 1, 1, 0 },
	{ 0 },
};
