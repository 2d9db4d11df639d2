/* One-sided reads and writes by every function. */
#ifndef RMA_H
#define RMA_H

#include "p2p.h"

enum rma_how { READ, READ_VECTOR, READ_MESSAGE, WRITE, WRITE_VECTOR, WRITE_MESSAGE, WRITE_INJECT, WRITE_DATA, WRITE_INJECT_DATA };

/* Begins an operation on `offset` of a rank's region; immediate data is the number. */
void rma_by(struct node *node, enum rma_how how, int peer, void *bytes, size_t len, const struct target *target, uint64_t offset,
	    uint64_t number);
bool rma_completes(enum rma_how how);
bool rma_has_data(enum rma_how how);
bool rma_reads(enum rma_how how);

#endif
