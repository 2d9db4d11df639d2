//! Contexts and sessions.

use crate::page::{ApiPart, CallPrototype, ManualPage};

const OPTIONS: (&str, &str) = (
    "options",
    "0, or a sum of SHMEM_CTX_SERIALIZED (one thread at a time uses it), SHMEM_CTX_PRIVATE (only the thread that makes \
     it uses it) and SHMEM_CTX_NOSTORE (its quiet and fence need not look after ordinary stores).",
);

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmem_ctx_create",
        group: ApiPart::Contexts,
        since: "1.4",
        summary: "make a context",
        calls: &[CallPrototype::new(
            "int shmem_ctx_create(long options, shmem_ctx_t *ctx)",
            "return philae_shmem_ctx_create({what}, SHMEM_TEAM_WORLD, options, ctx);",
        )],
        arguments: &[OPTIONS, ("ctx", "Where the context is put.")],
        description: "A context has an order and a completion of its own: fence and quiet on it concern only what was \
                      issued on it. It is local; other PEs need not call.",
        returns: "0; another value where it could not be made, and then the context is SHMEM_CTX_INVALID.",
        example: "shmem_ctx_t ctx;\nif (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0) {\n    shmem_ctx_long_put_nbi(ctx, \
                  dest, source, 100, pe);\n    shmem_ctx_quiet(ctx);\n    shmem_ctx_destroy(ctx);\n}\n",
        see: &["shmem_team_create_ctx", "shmem_ctx_destroy"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_team_create_ctx",
        group: ApiPart::Contexts,
        since: "1.5",
        summary: "make a context that numbers PEs as a team does",
        calls: &[CallPrototype::new(
            "int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx)",
            "return philae_shmem_ctx_create({what}, team, options, ctx);",
        )],
        arguments: &[
            ("team", "The team whose PEs the context reaches."),
            OPTIONS,
            ("ctx", "Where the context is put."),
        ],
        description: "As shmem_ctx_create. PE numbers given with the context are those of the team.",
        returns: "0; another value where it could not be made or the team is SHMEM_TEAM_INVALID.",
        see: &["shmem_ctx_create", "shmem_ctx_get_team"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_ctx_destroy",
        group: ApiPart::Contexts,
        since: "1.4",
        summary: "give a context back",
        calls: &[CallPrototype::new(
            "void shmem_ctx_destroy(shmem_ctx_t ctx)",
            "philae_shmem_ctx_destroy({what}, ctx);",
        )],
        arguments: &[("ctx", "The context.")],
        description: "It completes what is pending on the context first. With SHMEM_CTX_INVALID it does nothing. The \
                      default context cannot be destroyed.",
        see: &["shmem_ctx_create"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_ctx_get_team",
        group: ApiPart::Contexts,
        since: "1.5",
        summary: "the team of a context",
        calls: &[CallPrototype::new(
            "int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team)",
            "return philae_shmem_ctx_get_team({what}, ctx, team);",
        )],
        arguments: &[("ctx", "The context."), ("team", "Where its team is put.")],
        description: "The default context and those of shmem_ctx_create belong to SHMEM_TEAM_WORLD.",
        returns: "0; another value for SHMEM_CTX_INVALID, and then the team is SHMEM_TEAM_INVALID.",
        see: &["shmem_team_create_ctx"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_ctx_session_start",
        group: ApiPart::Sessions,
        since: "1.6",
        summary: "say what the next operations on a context will be like",
        calls: &[CallPrototype::new(
            "void shmem_ctx_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long \
             config_mask)",
            "philae_shmem_ctx_session_start({what}, ctx, options, config, config_mask);",
        )],
        arguments: &[
            ("ctx", "The context."),
            (
                "options",
                "0, or SHMEM_CTX_SESSION_BATCH: many small operations follow, and each may come later so that all \
                 together come sooner. The SHMEM_SESSION_ hints of shmemx.h are accepted too.",
            ),
            ("config", "The configuration; ignored if the mask is 0."),
            (
                "config_mask",
                "0, or SHMEM_CTX_SESSION_TOTAL_OPS: total_ops says how many operations there will be at most.",
            ),
        ],
        description: "A session changes how operations go out, never when they are complete or in which order. On the NIC, \
                      a batch puts several commands into the queue and rings the doorbell once for all. A start on a \
                      session that is open adds its options. On SHMEM_CTX_INVALID nothing happens.",
        notes: "PEs of the same host are reached by the processor, which needs no doorbell: there a session changes \
                nothing.",
        example: "shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);\nfor (int i = 0; i < n; i++)\n    \
                  shmem_ctx_long_atomic_xor(ctx, &table[place[i]], value[i], home[i]);\nshmem_ctx_session_stop(ctx);\n\
                  shmem_ctx_quiet(ctx);\n",
        see: &["shmem_ctx_session_stop", "shmemx_session_start"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_ctx_session_stop",
        group: ApiPart::Sessions,
        since: "1.6",
        summary: "end the session on a context",
        calls: &[CallPrototype::new(
            "void shmem_ctx_session_stop(shmem_ctx_t ctx)",
            "philae_shmem_ctx_session_stop({what}, ctx);",
        )],
        arguments: &[("ctx", "The context.")],
        description: "Deferred operations of the session are sent. It does not wait for completion: that is what shmem_ctx_quiet \
                      is for. Without an open session, and on SHMEM_CTX_INVALID, nothing happens.",
        see: &["shmem_ctx_session_start"],
        ..ManualPage::EMPTY
    },
];
