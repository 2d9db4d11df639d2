//! Teams.

use super::arguments::TEAM;
use crate::page::{ApiPart, CallPrototype, ManualPage};

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmem_team_my_pe",
        group: ApiPart::Teams,
        since: "1.5",
        summary: "the number of this PE in a team",
        calls: &[
            CallPrototype::new("int shmem_team_my_pe(shmem_team_t team)", "return team ? team->me : -1;").inlined()
        ],
        arguments: &[("team", "The team.")],
        description: "PEs of a team are numbered from 0 to shmem_team_n_pes(team) - 1.",
        returns: "The number; -1 for SHMEM_TEAM_INVALID, or where this PE is not in the team.",
        see: &["shmem_team_n_pes", "shmem_team_translate_pe"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_team_n_pes",
        group: ApiPart::Teams,
        since: "1.5",
        summary: "how many PEs a team has",
        calls: &[
            CallPrototype::new("int shmem_team_n_pes(shmem_team_t team)", "return team ? team->n_pes : -1;").inlined()
        ],
        arguments: &[("team", "The team.")],
        description: "The number of PEs of a team stays the same while the team exists.",
        returns: "The number; -1 for SHMEM_TEAM_INVALID, or where this PE is not in the team.",
        see: &["shmem_team_my_pe"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_team_get_config",
        group: ApiPart::Teams,
        since: "1.5",
        summary: "the configuration of a team",
        calls: &[CallPrototype::new(
            "int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config)",
            "return philae_shmem_team_get_config({what}, team, config_mask, config);",
        )],
        arguments: &[
            ("team", "The team."),
            ("config_mask", "Which members to give: 0, or SHMEM_TEAM_NUM_CONTEXTS."),
            ("config", "Where they are put; ignored if the mask is 0."),
        ],
        description: "It gives the values as they are now, which may differ from those that the team was made with.",
        returns: "0; another value where the team is SHMEM_TEAM_INVALID or config is null with a mask that is not 0.",
        see: &["shmem_team_split_strided"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_team_translate_pe",
        group: ApiPart::Teams,
        since: "1.5",
        summary: "the number of a PE in another team",
        calls: &[CallPrototype::new(
            "int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)",
            "return philae_shmem_team_translate_pe({what}, src_team, src_pe, dest_team);",
        )],
        arguments: &[
            ("src_team", "The team that numbers the PE."),
            ("src_pe", "The PE in that team."),
            ("dest_team", "The team in which its number is wanted."),
        ],
        description: "It is local. Both teams have this PE in them, or are SHMEM_TEAM_INVALID.",
        returns: "The number; -1 where a team is SHMEM_TEAM_INVALID, the PE is not in the first team, or it is not in the \
                  second.",
        see: &["shmem_team_my_pe"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_team_split_strided",
        group: ApiPart::Teams,
        since: "1.5",
        summary: "make a team of evenly spaced PEs",
        calls: &[CallPrototype::new(
            "int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size, const \
             shmem_team_config_t *config, long config_mask, shmem_team_t *new_team)",
            "return philae_shmem_team_split_strided({what}, parent_team, start, stride, size, config, config_mask, \
             new_team);",
        )],
        arguments: &[
            ("parent_team", "The team that is split. Every PE of it calls."),
            ("start", "The first PE, numbered in the parent."),
            ("stride", "From one PE to the next, in the parent; negative counts down; 0 only where size is 1."),
            ("size", "How many PEs the new team has; at least 1."),
            ("config", "The configuration; ignored if the mask is 0."),
            ("config_mask", "0, or SHMEM_TEAM_NUM_CONTEXTS: num_contexts says how many contexts will be made."),
            ("new_team", "Where the team is put: SHMEM_TEAM_INVALID on PEs that are not in it."),
        ],
        description: "All PEs of the parent call it with the same arguments. The PEs start, start + stride and so on make \
                      up the new team, in this order. A sequence that leaves the parent's numbers is invalid: no team is \
                      made.",
        returns: "0, or another value where no team was made; always another value where the parent is \
                  SHMEM_TEAM_INVALID.",
        example: "shmem_team_t even;\nint n = shmem_n_pes();\nshmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, \
                  NULL, 0, &even);\nif (even != SHMEM_TEAM_INVALID)\n    shmem_team_sync(even);\n",
        see: &["shmem_team_split_2d", "shmem_team_destroy"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_team_split_2d",
        group: ApiPart::Teams,
        since: "1.5",
        summary: "split a team into rows and columns",
        calls: &[CallPrototype::new(
            "int shmem_team_split_2d(shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long \
             xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t \
             *yaxis_team)",
            "return philae_shmem_team_split_2d({what}, parent_team, xrange, xaxis_config, xaxis_mask, xaxis_team, \
             yaxis_config, yaxis_mask, yaxis_team);",
        )],
        arguments: &[
            ("parent_team", "The team that is split. Every PE of it calls."),
            ("xrange", "How many PEs a row has; at least 1."),
            ("xaxis_config", "The configuration of the row's team."),
            ("xaxis_mask", "Its mask, as for shmem_team_split_strided."),
            ("xaxis_team", "Where the team of this PE's row is put."),
            ("yaxis_config", "The configuration of the column's team."),
            ("yaxis_mask", "Its mask."),
            ("yaxis_team", "Where the team of this PE's column is put."),
        ],
        description: "PE i of the parent is in row i / xrange and in column i % xrange. The last row may be shorter. Where \
                      xrange is larger than the parent, there is one row.",
        returns: "0, or another value where no team was made.",
        see: &["shmem_team_split_strided"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_team_destroy",
        group: ApiPart::Teams,
        since: "1.5",
        summary: "give a team back",
        calls: &[CallPrototype::new(
            "void shmem_team_destroy(shmem_team_t team)",
            "philae_shmem_team_destroy({what}, team);",
        )],
        arguments: &[TEAM],
        description: "All PEs of the team call it. Contexts that were made from the team and can be shared are destroyed \
                      too; private ones have to be destroyed before. With SHMEM_TEAM_INVALID it does nothing. The \
                      predefined teams cannot be destroyed.",
        see: &["shmem_team_split_strided"],
        ..ManualPage::EMPTY
    },
];
