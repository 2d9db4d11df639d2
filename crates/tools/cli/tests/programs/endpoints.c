/* Two ranks over libfabric alone, which trade their first addresses by files. The argument says what they do. */
#include <fcntl.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_tagged.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#define CHECK(call) do { long code = (call); if (code < 0) { fprintf(stderr, "%s: %s\n", #call, fi_strerror((int)-code)); exit(1); } } while (0)
enum { NAME = 256, LONG = 1 << 20 };
static struct fi_info *info;
static struct fid_domain *domain;
static struct fid_av *av;
static struct fid_cq *cq;
static char data[LONG];
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
static struct fid_ep *opened(char *name) {
	struct fid_ep *ep;
	size_t length = NAME;
	CHECK(fi_endpoint(domain, info, &ep, NULL));
	CHECK(fi_ep_bind(ep, &av->fid, 0));
	CHECK(fi_ep_bind(ep, &cq->fid, FI_TRANSMIT | FI_RECV));
	CHECK(fi_enable(ep));
	CHECK(fi_getname(&ep->fid, name, &length));
	return ep;
}
static fi_addr_t known(const char *name) {
	fi_addr_t peer;
	CHECK(fi_av_insert(av, name, 1, &peer, 0, NULL));
	return peer;
}
/* Waits for one completion. Returns whether that is an error. */
static int completed(void) {
	struct fi_cq_tagged_entry entry;
	for (;;) {
		ssize_t got = fi_cq_read(cq, &entry, 1);
		if (got == 1) return 0;
		if (got == -FI_EAVAIL) {
			struct fi_cq_err_entry error = { 0 };
			CHECK(fi_cq_readerr(cq, &error, 0));
			return 1;
		}
	}
}
static void send_matched(struct fid_ep *ep, fi_addr_t peer, size_t length, uint64_t tag) {
	struct iovec iov = { .iov_base = data, .iov_len = length };
	struct fi_msg_tagged message = { .msg_iov = &iov, .iov_count = 1, .addr = peer, .tag = tag };
	CHECK(fi_tsendmsg(ep, &message, FI_COMPLETION | FI_MATCH_COMPLETE));
}
/* Areas of endpoints that the process of the simulator has mapped. */
static int mapped(void) {
	char path[64], line[512];
	int count = 0;
	snprintf(path, sizeof path, "/proc/%d/maps", (int)getppid());
	FILE *maps = fopen(path, "r");
	while (maps && fgets(line, sizeof line, maps)) count += strstr(line, "/philae-") && !strstr(line, "/philae-run-");
	if (maps) fclose(maps);
	return count;
}
/* The most memory that this process has had, in MiB. */
static int peak(void) {
	char path[64], line[512];
	int kib = 0;
	snprintf(path, sizeof path, "/proc/%d/status", (int)getppid());
	FILE *status = fopen(path, "r");
	while (status && fgets(line, sizeof line, status)) sscanf(line, "VmHWM: %d", &kib);
	if (status) fclose(status);
	return kib / 1024;
}
int main(int argc, char **argv) {
	const char *what = argc > 1 ? argv[1] : "";
	int me = atoi(getenv("PHILAE_RANK")), turns = argc > 2 ? atoi(argv[2]) : 1;
	struct fi_info *hints = fi_allocinfo();
	hints->ep_attr->type = FI_EP_RDM;
	hints->caps = FI_MSG | FI_TAGGED;
	hints->domain_attr->mr_mode = FI_MR_ENDPOINT | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
	hints->mode = 0;
	CHECK(fi_getinfo(FI_VERSION(1, 15), NULL, NULL, 0, hints, &info));
	struct fid_fabric *fabric;
	CHECK(fi_fabric(info->fabric_attr, &fabric, NULL));
	CHECK(fi_domain(fabric, info, &domain, NULL));
	struct fi_av_attr av_attr = { .type = FI_AV_TABLE };
	CHECK(fi_av_open(domain, &av_attr, &av, NULL));
	struct fi_cq_attr cq_attr = { .format = FI_CQ_FORMAT_TAGGED };
	CHECK(fi_cq_open(domain, &cq_attr, &cq, NULL));
	char own[NAME] = { 0 }, other[NAME] = { 0 };
	struct fid_ep *ep = opened(own);
	trade(me, own, other, NAME);
	fi_addr_t peer = known(other);
	if (!strcmp(what, "gone")) {
		/* The target leaves with messages that nothing has received: one has a sender that waits for its match,
		 * the data of another one were never fetched. */
		char go[8];
		if (me == 0) {
			CHECK(fi_trecv(ep, go, 8, NULL, peer, 1, 0, NULL));
			if (completed()) return 3;
			double begin = ns();
			send_matched(ep, peer, 8, 2);
			CHECK(fi_tsend(ep, data, LONG, NULL, peer, 3, NULL));
			int errors = completed() + completed();
			fprintf(stderr, "errors %d\nafter %.0f\n", errors, ns() - begin);
		} else {
			CHECK(fi_tinject(ep, data, 8, peer, 1));
			usleep(500);
		}
	}
	if (!strcmp(what, "many")) {
		/* Endpoints come and go, and each pair has a message. */
		int early = 0;
		for (int turn = 0; turn < turns; turn++) {
			char mine[NAME] = { 0 }, theirs[NAME], got[8];
			struct fid_ep *another = opened(mine);
			CHECK(fi_trecv(ep, theirs, NAME, NULL, peer, 1, 0, NULL));
			CHECK(fi_tsend(ep, mine, NAME, NULL, peer, 1, NULL));
			if (completed() + completed()) return 3;
			fi_addr_t there = known(theirs);
			CHECK(fi_trecv(another, got, 8, NULL, there, 2, 0, NULL));
			CHECK(fi_tsend(another, data, 8, NULL, there, 2, NULL));
			if (completed() + completed()) return 3;
			CHECK(fi_close(&another->fid));
			CHECK(fi_av_remove(av, &there, 1, 0));
			if (turn == 9) early = mapped();
		}
		if (me == 0) fprintf(stderr, "early %d\nlate %d\n", early, mapped());
	}
	if (!strcmp(what, "long")) {
		/* A message that is long beside the simulator itself. */
		size_t length = (size_t)turns << 20;
		char *bytes = malloc(length);
		int before = peak();
		memset(bytes, me + 1, length);
		if (me == 0) CHECK(fi_tsend(ep, bytes, length, NULL, peer, 1, NULL));
		else CHECK(fi_trecv(ep, bytes, length, NULL, peer, 1, 0, NULL));
		if (completed()) return 3;
		for (size_t i = 0; i < length; i++) if (bytes[i] != 1) return 4;
		if (me == 1) fprintf(stderr, "more %d\n", peak() - before);
	}
	fi_close(&ep->fid); fi_close(&cq->fid); fi_close(&av->fid); fi_close(&domain->fid); fi_close(&fabric->fid);
	return 0;
}
