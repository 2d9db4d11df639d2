/* The objects that programs reach by name. C defines them, because a program may hold copies of
   them (copy relocations), and only references through the global offset table follow these. */
#include <philae/shmem_abi.h>

struct philae_shmem_here philae_shmem_here = { .me = -1, .n_pes = -1 };
struct philae_shmem_ctx philae_shmem_ctx_default;
struct philae_shmem_ctx philae_shmem_ctx_invalid;
struct philae_shmem_team philae_shmem_team_world = { .me = -1, .n_pes = -1 };
struct philae_shmem_team philae_shmem_team_shared = { .me = -1, .n_pes = -1 };
