/* Written by philae-shmem-tables from the tables of crates/nic/shmem-codegen: do not edit. */
#include <shmem.h>
