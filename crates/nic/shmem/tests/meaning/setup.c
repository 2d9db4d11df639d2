/* Queries, memory, teams, contexts, sessions, ordering, locks, and their old names. */
#include "meaning.h"

static long word, locked, total;

static void queries(void)
{
    char name[SHMEM_MAX_NAME_LEN];
    int major, minor, provided, on_stack = 0;
    long *there;

    CHECK(n >= 1 && me >= 0 && me < n);
    CHECK(_my_pe() == me && _num_pes() == n);
    CHECK(shmem_pe_accessible(next) == 1 && shmem_pe_accessible(n) == 0 && shmem_pe_accessible(-1) == 0);
    CHECK(shmem_addr_accessible(&word, next) == 1 && shmem_addr_accessible(&on_stack, next) == 0);
    shmem_info_get_version(&major, &minor);
    CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION && major == 1 && minor == 6);
    shmem_info_get_name(name);
    CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0);
    shmem_query_thread(&provided);
    CHECK(provided == SHMEM_THREAD_MULTIPLE);
    word = me + 50;
    shmem_barrier_all();
    there = shmem_ptr(&word, next);
    CHECK(there == NULL || *there == next + 50);
    CHECK(shmem_ptr(&word, me) == &word);
    CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, &word, next) == there);
    CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, &word, next) == NULL);
    shmem_pcontrol(1);
    shmem_pcontrol(3, "more", 4);
    start_pes(0); /* a second call does nothing */
    CHECK(shmem_my_pe() == me);
    shmem_clear_cache_inv();
    shmem_set_cache_inv();
    shmem_clear_cache_line_inv(&word);
    shmem_set_cache_line_inv(&word);
    shmem_udcflush();
    shmem_udcflush_line(&word);
}

/* A block is symmetric: the next PE writes its number into ours. */
static void symmetric(long *block, size_t longs)
{
    CHECK(block != NULL);
    if (block == NULL) return;
    shmem_long_p(&block[0], me + 1, next);
    shmem_long_p(&block[longs - 1], me + 2, next);
    shmem_barrier_all();
    CHECK(block[0] == (longs == 1 ? previous + 2 : previous + 1) && block[longs - 1] == previous + 2);
    shmem_barrier_all();
}

static void memory(void)
{
    size_t alignment;
    long *block = shmem_malloc(100 * sizeof(long));
    symmetric(block, 100);
    block[7] = 77;
    block = shmem_realloc(block, 1000 * sizeof(long));
    CHECK(block[7] == 77);
    symmetric(block, 1000);
    shmem_free(block);
    block = shmem_calloc(10, sizeof(long));
    CHECK(block[0] == 0 && block[9] == 0);
    shmem_barrier_all();
    symmetric(block, 10);
    shmem_free(block);
    for (alignment = 1; alignment <= 8 << 20; alignment *= 2) {
        block = shmem_align(alignment, 64);
        CHECK((uintptr_t)block % alignment == 0);
        symmetric(block, 8);
        shmem_free(block);
    }
    CHECK(shmem_align(0, 64) == NULL && shmem_align(24, 64) == NULL && shmem_align((size_t)1 << 60, 64) == NULL);
    block = shmem_malloc_with_hints(64, SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE);
    symmetric(block, 8);
    shmem_free(block);
    CHECK(shmem_malloc(0) == NULL && shmem_calloc(0, 8) == NULL && shmem_malloc_with_hints(0, 0) == NULL);
    CHECK(shmem_malloc(SIZE_MAX / 2) == NULL && shmem_calloc(SIZE_MAX / 2, 4) == NULL);
    shmem_free(NULL);
    block = shmalloc(64);
    symmetric(block, 8);
    block = shrealloc(block, 128);
    symmetric(block, 16);
    shfree(block);
    block = shmemalign(256, 64);
    CHECK((uintptr_t)block % 256 == 0);
    symmetric(block, 8);
    shfree(block);
}

static void teams(void)
{
    shmem_team_t back, row, column, of_ctx;
    shmem_team_config_t config = {3};
    shmem_ctx_t on_team;

    CHECK(shmem_team_my_pe(SHMEM_TEAM_WORLD) == me && shmem_team_n_pes(SHMEM_TEAM_WORLD) == n);
    CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1 && shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1);
    CHECK(shmem_team_n_pes(SHMEM_TEAM_SHARED) >= 1);
    CHECK(shmem_team_get_config(SHMEM_TEAM_WORLD, 0, NULL) == 0);
    CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, 0, NULL) != 0);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, &config, SHMEM_TEAM_NUM_CONTEXTS, &back) == 0);
    CHECK(shmem_team_my_pe(back) == n - 1 - me && shmem_team_n_pes(back) == n);
    CHECK(shmem_team_translate_pe(back, 0, SHMEM_TEAM_WORLD) == n - 1);
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, n, back) == -1);
    config.num_contexts = 0;
    CHECK(shmem_team_get_config(back, SHMEM_TEAM_NUM_CONTEXTS, &config) == 0 && config.num_contexts == 3);
    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column) == 0);
    CHECK(shmem_team_my_pe(row) == me % 2 && shmem_team_my_pe(column) == me / 2);
    CHECK(shmem_team_sync(row) == 0 && shmem_team_sync(column) == 0 && shmem_team_sync(SHMEM_TEAM_INVALID) != 0);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &of_ctx) != 0);

    /* A context of a team numbers the PEs of the team: the world's last one is 0. */
    CHECK(shmem_team_create_ctx(back, 0, &on_team) == 0);
    CHECK(shmem_ctx_get_team(on_team, &of_ctx) == 0 && of_ctx == back);
    CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &of_ctx) == 0 && of_ctx == SHMEM_TEAM_WORLD);
    CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &of_ctx) != 0 && of_ctx == SHMEM_TEAM_INVALID);
    word = 0;
    shmem_barrier_all();
    shmem_ctx_long_atomic_add(on_team, &word, 1, 0);
    shmem_ctx_quiet(on_team);
    shmem_barrier_all();
    CHECK(word == (me == n - 1 ? n : 0));
    shmem_ctx_destroy(on_team);
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_ctx_fence(SHMEM_CTX_INVALID);
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
    shmem_team_destroy(row);
    shmem_team_destroy(column);
    shmem_team_destroy(back);
    shmem_team_destroy(SHMEM_TEAM_INVALID);
    shmem_barrier_all();
}

static void ordering(void)
{
    static long data[64], flag;
    shmem_ctx_session_config_t config = {100};
    int i;

    for (i = 0; i < 64; i++) data[i] = 0;
    flag = 0;
    shmem_barrier_all();
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    shmem_ctx_session_start(SHMEM_CTX_INVALID, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    for (i = 0; i < 32; i++) shmem_long_p(&data[i], me + i + 1, next);
    for (i = 32; i < 64; i++) shmem_ctx_long_p(ctx, &data[i], me + i + 1, next);
    shmem_ctx_session_stop(ctx);
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    shmem_ctx_session_stop(SHMEM_CTX_INVALID);
    shmem_ctx_fence(ctx);
    shmem_ctx_pe_quiet(ctx, &next, 1);
    shmem_pe_quiet(&next, 1);
    shmem_pe_quiet(NULL, 0);
    shmem_fence();
    shmem_long_atomic_set(&flag, 1, next);
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    for (i = 0; i < 64; i++) CHECK(data[i] == previous + i + 1);
    shmem_quiet();
    shmem_sync_all();
}

static void locks(void)
{
    int i;

    locked = total = 0;
    shmem_barrier_all();
    for (i = 0; i < 20; i++) {
        if (i % 2 == 0)
            shmem_set_lock(&locked);
        else
            while (shmem_test_lock(&locked) != 0) continue;
        shmem_long_p(&total, shmem_long_g(&total, 0) + 1, 0);
        shmem_clear_lock(&locked);
    }
    shmem_barrier_all();
    CHECK(me != 0 || total == 20 * n);
    if (me == 0) shmem_set_lock(&locked);
    shmem_barrier_all();
    CHECK(me == 0 || shmem_test_lock(&locked) == 1);
    shmem_barrier_all();
    if (me == 0) shmem_clear_lock(&locked);
    shmem_barrier_all();
}

/* 1.6: initialised and finalised equally often; the library runs until the last finalisation. */
static void again(void)
{
    int initialized;

    shmem_init();
    shmem_finalize();
    shmem_query_initialized(&initialized);
    CHECK(initialized != 0 && shmem_my_pe() == me);
    if (failures < 0) shmem_global_exit(3); /* another test covers its effect: it ends the job */
}

void setup(void)
{
    queries();
    memory();
    teams();
    ordering();
    locks();
    again();
}
