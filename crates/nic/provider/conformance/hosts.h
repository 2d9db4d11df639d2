/* Ranks on other hosts: they come by TCP and run what the coordinator names. */
#ifndef HOSTS_H
#define HOSTS_H

#include "conformance.h"

/* Tells the host of `rank` to start the test; the stream to the rank that runs it. */
int hosts_start(const struct options *options, const struct test *test, int rank, int ranks, double patience);

#endif
