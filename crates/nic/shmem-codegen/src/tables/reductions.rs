//! Reductions and scans.

use super::arguments::TEAM;
use crate::page::{ApiPart, CallPrototype, ManualPage, Selected};
use crate::types::{REDUCE_ARITHMETIC, REDUCE_BITWISE, STANDARD};

const ARGUMENTS: &[(&str, &str)] = &[
    TEAM,
    (
        "dest",
        "The symmetric address of the result. It is source itself, or does not overlap it; the same choice on all PEs.",
    ),
    ("source", "The symmetric address of this PE's elements."),
    ("nreduce", "How many elements; the same on all PEs."),
];
const RETURNS: &str = "0, or another value where the team is SHMEM_TEAM_INVALID.";
const NOTES: &str =
    "The order of floating-point operations, and with it the last digits, may depend on the number of PEs.";

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmem_and_reduce",
        group: ApiPart::Reductions,
        since: "1.5",
        summary: "the bitwise and over the PEs of a team",
        calls: &[CallPrototype::new(
            "int shmem_{N}_and_reduce(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
            "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_AND);",
        )
        .types(REDUCE_BITWISE)
        .generic("shmem_and_reduce", Selected::Second)],
        arguments: ARGUMENTS,
        description: "Element i of dest becomes the bitwise and of the elements i of all PEs' sources, on every PE of the team.",
        returns: RETURNS,
        notes: NOTES,

        see: &["shmem_sum_inscan"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_or_reduce",
        group: ApiPart::Reductions,
        since: "1.5",
        summary: "the bitwise or over the PEs of a team",
        calls: &[CallPrototype::new(
            "int shmem_{N}_or_reduce(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
            "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_OR);",
        )
        .types(REDUCE_BITWISE)
        .generic("shmem_or_reduce", Selected::Second)],
        arguments: ARGUMENTS,
        description: "Element i of dest becomes the bitwise or of the elements i of all PEs' sources, on every PE of the team.",
        returns: RETURNS,
        notes: NOTES,

        see: &["shmem_sum_inscan"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_xor_reduce",
        group: ApiPart::Reductions,
        since: "1.5",
        summary: "the bitwise exclusive or over the PEs of a team",
        calls: &[CallPrototype::new(
            "int shmem_{N}_xor_reduce(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
            "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_XOR);",
        )
        .types(REDUCE_BITWISE)
        .generic("shmem_xor_reduce", Selected::Second)],
        arguments: ARGUMENTS,
        description: "Element i of dest becomes the bitwise exclusive or of the elements i of all PEs' sources, on every PE of the team.",
        returns: RETURNS,
        notes: NOTES,

        see: &["shmem_sum_inscan"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_max_reduce",
        group: ApiPart::Reductions,
        since: "1.5",
        summary: "the maximum over the PEs of a team",
        calls: &[CallPrototype::new(
            "int shmem_{N}_max_reduce(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
            "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_MAX);",
        )
        .types(STANDARD)
        .generic("shmem_max_reduce", Selected::Second)],
        arguments: ARGUMENTS,
        description: "Element i of dest becomes the maximum of the elements i of all PEs' sources, on every PE of the team.",
        returns: RETURNS,
        notes: NOTES,

        see: &["shmem_sum_inscan"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_min_reduce",
        group: ApiPart::Reductions,
        since: "1.5",
        summary: "the minimum over the PEs of a team",
        calls: &[CallPrototype::new(
            "int shmem_{N}_min_reduce(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
            "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_MIN);",
        )
        .types(STANDARD)
        .generic("shmem_min_reduce", Selected::Second)],
        arguments: ARGUMENTS,
        description: "Element i of dest becomes the minimum of the elements i of all PEs' sources, on every PE of the team.",
        returns: RETURNS,
        notes: NOTES,

        see: &["shmem_sum_inscan"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_sum_reduce",
        group: ApiPart::Reductions,
        since: "1.5",
        summary: "the sum over the PEs of a team",
        calls: &[CallPrototype::new(
            "int shmem_{N}_sum_reduce(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
            "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_SUM);",
        )
        .types(REDUCE_ARITHMETIC)
        .generic("shmem_sum_reduce", Selected::Second)],
        arguments: ARGUMENTS,
        description: "Element i of dest becomes the sum of the elements i of all PEs' sources, on every PE of the team.",
        returns: RETURNS,
        notes: NOTES,
        example: "static long mine, all;\nmine = shmem_my_pe();\nshmem_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);\n",
        see: &["shmem_sum_inscan"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_prod_reduce",
        group: ApiPart::Reductions,
        since: "1.5",
        summary: "the product over the PEs of a team",
        calls: &[CallPrototype::new(
            "int shmem_{N}_prod_reduce(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
            "return philae_shmem_reduce({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_PROD);",
        )
        .types(REDUCE_ARITHMETIC)
        .generic("shmem_prod_reduce", Selected::Second)],
        arguments: ARGUMENTS,
        description: "Element i of dest becomes the product of the elements i of all PEs' sources, on every PE of the team.",
        returns: RETURNS,
        notes: NOTES,

        see: &["shmem_sum_inscan"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_sum_inscan",
        group: ApiPart::Scans,
        since: "1.6",
        summary: "the sum over the PEs of a team up to this one, with this PE's own",
        calls: &[CallPrototype::new(
            "int shmem_{N}_sum_inscan(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
            "return philae_shmem_scan({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_SUM, 0);",
        )
        .types(REDUCE_ARITHMETIC)
        .generic("shmem_sum_inscan", Selected::Second)],
        arguments: ARGUMENTS,
        description: "Element i of dest becomes the sum of the elements i of the sources of PEs 0 to this one, with this PE's own.",
        returns: RETURNS,
        notes: NOTES,
        see: &["shmem_sum_exscan", "shmem_sum_reduce"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_sum_exscan",
        group: ApiPart::Scans,
        since: "1.6",
        summary: "the sum over the PEs of a team up to this one, without this PE's own",
        calls: &[CallPrototype::new(
            "int shmem_{N}_sum_exscan(shmem_team_t team, {T} *dest, const {T} *source, size_t nreduce)",
            "return philae_shmem_scan({what}, team, dest, source, nreduce, {K}, PHILAE_SHMEM_REDUCE_SUM, 1);",
        )
        .types(REDUCE_ARITHMETIC)
        .generic("shmem_sum_exscan", Selected::Second)],
        arguments: ARGUMENTS,
        description: "Element i of dest becomes the sum of the elements i of the sources of PEs 0 to this one, without this PE's own. On PE 0 of the team it is 0.",
        returns: RETURNS,
        notes: NOTES,
        see: &["shmem_sum_inscan", "shmem_sum_reduce"],
        ..ManualPage::EMPTY
    },
];
