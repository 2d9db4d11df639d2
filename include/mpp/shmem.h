/* Written by philae-shmem-tables from the tables of crates/shmem-api: do not edit. */
#include <shmem.h>
