/* Messages with and without tags, by every function that sends or receives them. */
#include "p2p.h"

bool completes(enum how how)
{
	return how != INJECT && how != INJECT_DATA;
}

bool has_data(enum how how)
{
	return how == DATA || how == INJECT_DATA;
}

size_t longest(const struct node *node, enum how how)
{
	return completes(how) ? node->info->ep_attr->max_msg_size : node->info->tx_attr->inject_size;
}

uint64_t kind_caps(enum kind kind)
{
	return kind == MSG ? FI_MSG : FI_TAGGED;
}

void send_by(struct node *node, enum kind kind, enum how how, int to, const void *bytes, size_t len, uint64_t tag, uint64_t number)
{
	fi_addr_t peer = node->peers[to];
	struct iovec iov = { (void *)(uintptr_t)bytes, len };
	void *context = ctx(node, number);
	uint64_t data = IMMEDIATE(number);

	if (kind == MSG) {
		switch (how) {
		case PLAIN:
			POST(node, fi_send(node->ep, bytes, len, NULL, peer, context));
			break;
		case VECTOR:
			POST(node, fi_sendv(node->ep, &iov, NULL, 1, peer, context));
			break;
		case MESSAGE:
			send_with(node, kind, to, bytes, len, tag, number, FI_COMPLETION);
			break;
		case INJECT:
			POST(node, fi_inject(node->ep, bytes, len, peer));
			break;
		case DATA:
			POST(node, fi_senddata(node->ep, bytes, len, NULL, data, peer, context));
			break;
		default:
			POST(node, fi_injectdata(node->ep, bytes, len, data, peer));
		}
		return;
	}
	switch (how) {
	case PLAIN:
		POST(node, fi_tsend(node->ep, bytes, len, NULL, peer, tag, context));
		break;
	case VECTOR:
		POST(node, fi_tsendv(node->ep, &iov, NULL, 1, peer, tag, context));
		break;
	case MESSAGE:
		send_with(node, kind, to, bytes, len, tag, number, FI_COMPLETION);
		break;
	case INJECT:
		POST(node, fi_tinject(node->ep, bytes, len, peer, tag));
		break;
	case DATA:
		POST(node, fi_tsenddata(node->ep, bytes, len, NULL, data, peer, tag, context));
		break;
	default:
		POST(node, fi_tinjectdata(node->ep, bytes, len, data, peer, tag));
	}
}

void send_with(struct node *node, enum kind kind, int to, const void *bytes, size_t len, uint64_t tag, uint64_t number, uint64_t flags)
{
	struct iovec iov = { (void *)(uintptr_t)bytes, len };

	if (kind == MSG) {
		struct fi_msg msg = { .msg_iov = &iov, .iov_count = 1, .addr = node->peers[to], .context = ctx(node, number),
				      .data = IMMEDIATE(number) };

		POST(node, fi_sendmsg(node->ep, &msg, flags));
	} else {
		struct fi_msg_tagged msg = { .msg_iov = &iov, .iov_count = 1, .addr = node->peers[to], .tag = tag,
					     .context = ctx(node, number), .data = IMMEDIATE(number) };

		POST(node, fi_tsendmsg(node->ep, &msg, flags));
	}
}

void recv_by(struct node *node, enum kind kind, enum how how, fi_addr_t from, void *bytes, size_t len, uint64_t tag, uint64_t ignore, uint64_t number)
{
	struct iovec iov = { bytes, len };
	void *context = ctx(node, number);

	if (kind == MSG) {
		struct fi_msg msg = { .msg_iov = &iov, .iov_count = 1, .addr = from, .context = context };

		if (how == VECTOR)
			POST(node, fi_recvv(node->ep, &iov, NULL, 1, from, context));
		else if (how == MESSAGE)
			POST(node, fi_recvmsg(node->ep, &msg, FI_COMPLETION));
		else
			POST(node, fi_recv(node->ep, bytes, len, NULL, from, context));
	} else {
		struct fi_msg_tagged msg = { .msg_iov = &iov, .iov_count = 1, .addr = from, .tag = tag, .ignore = ignore, .context = context };

		if (how == VECTOR)
			POST(node, fi_trecvv(node->ep, &iov, NULL, 1, from, tag, ignore, context));
		else if (how == MESSAGE)
			POST(node, fi_trecvmsg(node->ep, &msg, FI_COMPLETION));
		else
			POST(node, fi_trecv(node->ep, bytes, len, NULL, from, tag, ignore, context));
	}
}

struct done received(struct node *node, enum kind kind, uint64_t number, size_t len, uint64_t tag, const char *file, int line)
{
	struct done done = done_of(node, RX, number, file, line);
	uint64_t wanted = FI_RECV | (kind == MSG ? FI_MSG : FI_TAGGED);

	if (node->format != FI_CQ_FORMAT_CONTEXT) {
		if ((done.flags & wanted) != wanted)
			fail(file, line, "flags of a receive: expected 0x%llx among them, found 0x%llx", (unsigned long long)wanted,
			     (unsigned long long)done.flags);
		if (done.len != len)
			fail(file, line, "length of receive %llu: expected %zu, found %zu", (unsigned long long)number, len, done.len);
	}
	if (node->format == FI_CQ_FORMAT_TAGGED && kind == TAGGED && done.tag != tag)
		fail(file, line, "tag of receive %llu: expected 0x%llx, found 0x%llx", (unsigned long long)number,
		     (unsigned long long)tag, (unsigned long long)done.tag);
	return done;
}
