/* Makes a race on purpose: one thread has the library send a word that another thread writes at the same time. Under the thread
 * sanitizer this has to be found, with the provider's reading on one side; otherwise a clean run says nothing.
 *
 * usage: fi-race PROVIDER */
#include <pthread.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 2000 };

static uint64_t word;

#define MUST(call) \
	do { \
		int code_ = (int)(call); \
		if (code_ != 0) { \
			fprintf(stderr, "fi-race: %s: %s\n", #call, fi_strerror(-code_)); \
			exit(2); \
		} \
	} while (0)

static void *scribble(void *unused)
{
	(void)unused;
	for (int time = 0; time < 50 * TIMES; time++)
		*(volatile uint64_t *)&word = (uint64_t)time;
	return NULL;
}

int main(int count, char **words)
{
	struct fi_info *hints = fi_allocinfo(), *info;
	struct fi_cq_attr form = { .format = FI_CQ_FORMAT_TAGGED };
	struct fi_av_attr table = { .type = FI_AV_TABLE };
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_av *av;
	struct fid_cq *queue;
	struct fid_ep *endpoint;
	fi_addr_t self;
	char name[256];
	size_t size = sizeof name;
	pthread_t thread;

	if (count != 2) {
		fprintf(stderr, "usage: fi-race PROVIDER\n");
		return 2;
	}
	hints->caps = FI_TAGGED;
	hints->mode = FI_CONTEXT | FI_CONTEXT2;
	hints->ep_attr->type = FI_EP_RDM;
	hints->domain_attr->threading = FI_THREAD_SAFE;
	hints->fabric_attr->prov_name = strdup(words[1]);
	MUST(fi_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, &info));
	MUST(fi_fabric(info->fabric_attr, &fabric, NULL));
	MUST(fi_domain(fabric, info, &domain, NULL));
	MUST(fi_av_open(domain, &table, &av, NULL));
	MUST(fi_cq_open(domain, &form, &queue, NULL));
	MUST(fi_endpoint(domain, info, &endpoint, NULL));
	MUST(fi_ep_bind(endpoint, &av->fid, 0));
	MUST(fi_ep_bind(endpoint, &queue->fid, FI_TRANSMIT | FI_RECV));
	MUST(fi_enable(endpoint));
	MUST(fi_getname(&endpoint->fid, name, &size));
	if (fi_av_insert(av, name, 1, &self, 0, NULL) != 1)
		return 2;
	MUST(pthread_create(&thread, NULL, scribble, NULL));
	for (int time = 0; time < TIMES; time++) {
		struct fi_context2 context;
		struct fi_cq_tagged_entry entry;
		uint64_t got;

		/* Without a receive it is kept by the provider's own hand; what meets its receive the system may copy, unseen. */
		while (fi_tinject(endpoint, &word, sizeof word, self, 1) == -FI_EAGAIN)
			fi_cq_read(queue, NULL, 0);
		MUST(fi_trecv(endpoint, &got, sizeof got, NULL, self, 1, 0, &context));
		while (fi_cq_read(queue, &entry, 1) != 1)
			;
	}
	MUST(pthread_join(thread, NULL));
	return 0;
}
