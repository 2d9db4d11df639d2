/* Two ranks over libfabric alone, which trade their addresses by files. Rank 1 queues an answer that its NIC
 * sends by itself when a message has arrived, and sleeps meanwhile. Rank 0 prints how long the answer took. */
#include <fcntl.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>
#include <rdma/fi_trigger.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#define CHECK(call) do { long code = (call); if (code < 0) { fprintf(stderr, "%s: %s\n", #call, fi_strerror((int)-code)); exit(1); } } while (0)
static double ns(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
static void trade(int me, const void *own, void *other, size_t length) {
	char name[64], ready[80];
	snprintf(name, sizeof name, "address.%d", me);
	snprintf(ready, sizeof ready, "%s.new", name);
	int file = open(ready, O_CREAT | O_WRONLY | O_TRUNC, 0600);
	if (file < 0 || write(file, own, length) != (ssize_t)length || close(file) || rename(ready, name)) exit(2);
	snprintf(name, sizeof name, "address.%d", 1 - me);
	while ((file = open(name, O_RDONLY)) < 0) usleep(1000);
	if (read(file, other, length) != (ssize_t)length) exit(2);
	close(file);
}
int main(void) {
	int me = atoi(getenv("PHILAE_RANK"));
	struct fi_info *hints = fi_allocinfo(), *info;
	hints->ep_attr->type = FI_EP_RDM;
	hints->caps = FI_MSG | FI_TAGGED | FI_TRIGGER;
	hints->domain_attr->mr_mode = FI_MR_ENDPOINT | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
	hints->mode = 0;
	CHECK(fi_getinfo(FI_VERSION(1, 15), NULL, NULL, 0, hints, &info));
	struct fid_fabric *fabric; struct fid_domain *domain; struct fid_av *av; struct fid_cq *cq; struct fid_ep *ep; struct fid_cntr *arrived, *sent;
	CHECK(fi_fabric(info->fabric_attr, &fabric, NULL));
	CHECK(fi_domain(fabric, info, &domain, NULL));
	struct fi_av_attr av_attr = { .type = FI_AV_TABLE };
	CHECK(fi_av_open(domain, &av_attr, &av, NULL));
	struct fi_cq_attr cq_attr = { .format = FI_CQ_FORMAT_TAGGED };
	CHECK(fi_cq_open(domain, &cq_attr, &cq, NULL));
	struct fi_cntr_attr cntr_attr = { .events = FI_CNTR_EVENTS_COMP };
	CHECK(fi_cntr_open(domain, &cntr_attr, &arrived, NULL));
	CHECK(fi_cntr_open(domain, &cntr_attr, &sent, NULL));
	CHECK(fi_endpoint(domain, info, &ep, NULL));
	CHECK(fi_ep_bind(ep, &av->fid, 0));
	CHECK(fi_ep_bind(ep, &cq->fid, FI_TRANSMIT | FI_RECV));
	CHECK(fi_ep_bind(ep, &arrived->fid, FI_RECV));
	CHECK(fi_enable(ep));
	char own[256] = {0}, other[256] = {0};
	size_t length = sizeof own;
	CHECK(fi_getname(&ep->fid, own, &length));
	trade(me, own, other, sizeof own);
	fi_addr_t peer;
	CHECK(fi_av_insert(av, other, 1, &peer, 0, NULL));
	char data[8] = {0}, back[8] = {0};
	struct fi_cq_tagged_entry entry;
	CHECK(fi_trecv(ep, data, 8, NULL, peer, 1, 0, NULL));
	if (me == 1) {
		/* Its NIC answers while it sleeps. */
		static struct fi_deferred_work work; static struct fi_op_tagged op; static struct iovec iov;
		iov.iov_base = back; iov.iov_len = 8;
		op.ep = ep; op.msg.msg_iov = &iov; op.msg.iov_count = 1; op.msg.addr = peer; op.msg.tag = 1;
		work.threshold = 1; work.triggering_cntr = arrived; work.completion_cntr = sent; work.op_type = FI_OP_TSEND; work.op.tagged = &op;
		CHECK(fi_control(&domain->fid, FI_QUEUE_WORK, &work));
		CHECK(fi_tsend(ep, back, 8, NULL, peer, 2, NULL));
		usleep(500);
		while (fi_cq_read(cq, &entry, 1) != 1) { }
	} else {
		char go[8];
		CHECK(fi_trecv(ep, go, 8, NULL, peer, 2, 0, NULL));
		while (fi_cq_read(cq, &entry, 1) != 1) { }
		double begin = ns();
		CHECK(fi_tinject(ep, data, 8, peer, 1));
		while (fi_cq_read(cq, &entry, 1) != 1) { }
		fprintf(stderr, "answer %.0f\n", ns() - begin);
	}
	fi_close(&ep->fid); fi_close(&sent->fid); fi_close(&arrived->fid); fi_close(&cq->fid); fi_close(&av->fid); fi_close(&domain->fid); fi_close(&fabric->fid);
	return 0;
}
