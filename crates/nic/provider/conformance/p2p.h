/* Messages with and without tags, by every function that sends or receives them. */
#ifndef P2P_H
#define P2P_H

#include "node.h"

enum kind { MSG, TAGGED };
/* Which function. A receive has the first three. */
enum how { PLAIN, VECTOR, MESSAGE, INJECT, DATA, INJECT_DATA, HOWS };

/* The immediate data of message `number`. */
#define IMMEDIATE(number) (0x1122334455660000ull + (number))

/* Sends; an inject has no completion. Repeats until the provider takes it. */
void send_by(struct node *node, enum kind kind, enum how how, int to, const void *bytes, size_t len, uint64_t tag, uint64_t number);
/* Sends by fi_sendmsg or fi_tsendmsg with flags. */
void send_with(struct node *node, enum kind kind, int to, const void *bytes, size_t len, uint64_t tag, uint64_t number, uint64_t flags);
/* Receives from `from`, an address or FI_ADDR_UNSPEC. */
void recv_by(struct node *node, enum kind kind, enum how how, fi_addr_t from, void *bytes, size_t len, uint64_t tag, uint64_t ignore, uint64_t number);
/* True when the function tells the sender of its end. */
bool completes(enum how how);
/* True when it carries immediate data. */
bool has_data(enum how how);
/* The longest message that this function may carry. */
size_t longest(const struct node *node, enum how how);
/* Waits for the receive `number` and checks all that its completion says. */
struct done received(struct node *node, enum kind kind, uint64_t number, size_t len, uint64_t tag, const char *file, int line);
#define RECEIVED(node, kind, number, len, tag) received(node, kind, number, len, tag, __FILE__, __LINE__)
/* The caps of this kind. */
uint64_t kind_caps(enum kind kind);

#endif
