//! Atomics.

use super::arguments::PE;
use crate::page::{ApiPart, CallPrototype, ManualPage, Selected};
use crate::types::{AMO, AMO_BITWISE, AMO_EXTENDED};

const DEST: (&str, &str) = ("dest", "The symmetric address of the value on the PE, aligned for its type.");
const SOURCE: (&str, &str) = ("source", "The symmetric address of the value on the PE, aligned for its type.");
const FETCH: (&str, &str) = ("fetch", "The local address where the old value is put.");

/// The pages of this part. Atomics are atomic with each other, whatever PE they come from. They are
/// not atomic with ordinary loads, stores, puts and gets at the same address.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmem_atomic_fetch",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "read a value as one",
        calls: &[CallPrototype::new(
            "{T} shmem_{N}_atomic_fetch(const {T} *source, int pe)",
            "PHILAE_SHMEM_AMO_FETCHED({what}, {ctx}, {T}, {K}, source, pe)",
        )
        .types(AMO_EXTENDED)
        .ctx()
        .generic("shmem_atomic_fetch", Selected::FirstConst)
        .inlined()],
        arguments: &[SOURCE, PE],
        description: "It reads the value as one, never half before and half after another atomic.",
        returns: "What was there before.",
        see: &["shmem_atomic_set", "shmem_atomic_fetch_nbi"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_set",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "write a value as one",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_set({T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_AMO_STORED({what}, {ctx}, {T}, {K}, dest, value, pe)",
        )
        .types(AMO_EXTENDED)
        .ctx()
        .generic("shmem_atomic_set", Selected::First)
        .inlined()],
        arguments: &[DEST, ("value", "The value."), PE],
        description: "It writes the value as one. It may come later than the call; shmem_quiet completes it.",
        returns: "",
        see: &["shmem_atomic_fetch"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_compare_swap",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "replace a value if it is the expected one",
        calls: &[CallPrototype::new(
            "{T} shmem_{N}_atomic_compare_swap({T} *dest, {T} cond, {T} value, int pe)",
            "PHILAE_SHMEM_AMO_COMPARED({what}, {ctx}, {T}, {K}, dest, cond, value, pe)",
        )
        .types(AMO)
        .ctx()
        .generic("shmem_atomic_compare_swap", Selected::First)
        .inlined()],
        arguments: &[DEST, ("cond", "The value that is expected."), ("value", "The value that is written if so."), PE],
        description: "If the value there equals cond, it becomes value. Look and change are one.",
        returns: "What was there before.",
        see: &["shmem_atomic_swap", "shmem_atomic_compare_swap_nbi"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_swap",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "replace a value",
        calls: &[CallPrototype::new(
            "{T} shmem_{N}_atomic_swap({T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_AMO_SWAPPED({what}, {ctx}, {T}, {K}, dest, value, pe)",
        )
        .types(AMO_EXTENDED)
        .ctx()
        .generic("shmem_atomic_swap", Selected::First)
        .inlined()],
        arguments: &[DEST, ("value", "The new value."), PE],
        description: "It writes the value and gives the old one, as one.",
        returns: "What was there before.",
        see: &["shmem_atomic_compare_swap", "shmem_atomic_swap_nbi"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_fetch_inc",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "add one to a value and give the old one",
        calls: &[CallPrototype::new(
            "{T} shmem_{N}_atomic_fetch_inc({T} *dest, int pe)",
            "PHILAE_SHMEM_AMO_FETCH_CHANGED({what}, {ctx}, {T}, {K}, add, ADD, dest, 1, pe)",
        )
        .types(AMO)
        .ctx()
        .generic("shmem_atomic_fetch_inc", Selected::First)
        .inlined()],
        arguments: &[DEST, PE],
        description: "It adds 1, as one.",
        returns: "What was there before.",
        see: &["shmem_atomic_inc", "shmem_atomic_fetch_add", "shmem_atomic_fetch_inc_nbi"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_inc",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "add one to a value",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_inc({T} *dest, int pe)",
            "PHILAE_SHMEM_AMO_CHANGED({what}, {ctx}, {T}, {K}, add, ADD, dest, 1, pe)",
        )
        .types(AMO)
        .ctx()
        .generic("shmem_atomic_inc", Selected::First)
        .inlined()],
        arguments: &[DEST, PE],
        description: "It adds 1, as one. It may come later than the call; shmem_quiet completes it.",
        returns: "",
        see: &["shmem_atomic_fetch_inc", "shmem_atomic_add"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_fetch_add",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "add to a value and give the old one",
        calls: &[CallPrototype::new(
            "{T} shmem_{N}_atomic_fetch_add({T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_AMO_FETCH_CHANGED({what}, {ctx}, {T}, {K}, add, ADD, dest, value, pe)",
        )
        .types(AMO)
        .ctx()
        .generic("shmem_atomic_fetch_add", Selected::First)
        .inlined()],
        arguments: &[DEST, ("value", "What is added."), PE],
        description: "It adds, as one. Sums that are too large wrap around.",
        returns: "What was there before.",
        see: &["shmem_atomic_add", "shmem_atomic_fetch_add_nbi"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_add",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "add to a value",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_add({T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_AMO_CHANGED({what}, {ctx}, {T}, {K}, add, ADD, dest, value, pe)",
        )
        .types(AMO)
        .ctx()
        .generic("shmem_atomic_add", Selected::First)
        .inlined()],
        arguments: &[DEST, ("value", "What is added."), PE],
        description: "It adds, as one. It may come later than the call; shmem_quiet completes it. Sums that are too large wrap around.",
        returns: "",
        see: &["shmem_atomic_fetch_add"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_fetch_and",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "combine a value by bitwise and and give the old one",
        calls: &[CallPrototype::new(
            "{T} shmem_{N}_atomic_fetch_and({T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_AMO_FETCH_CHANGED({what}, {ctx}, {T}, {K}, and, AND, dest, value, pe)",
        )
        .types(AMO_BITWISE)
        .ctx()
        .generic("shmem_atomic_fetch_and", Selected::First)
        .inlined()],
        arguments: &[DEST, ("value", "What it is combined with."), PE],
        description: "It makes the bitwise and of what is there and value, as one.",
        returns: "What was there before.",
        see: &["shmem_atomic_and", "shmem_atomic_fetch_and_nbi"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_and",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "combine a value by bitwise and",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_and({T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_AMO_CHANGED({what}, {ctx}, {T}, {K}, and, AND, dest, value, pe)",
        )
        .types(AMO_BITWISE)
        .ctx()
        .generic("shmem_atomic_and", Selected::First)
        .inlined()],
        arguments: &[DEST, ("value", "What it is combined with."), PE],
        description: "It makes the bitwise and of what is there and value, as one. It may come later than the call; shmem_quiet completes it.",
        returns: "",
        see: &["shmem_atomic_fetch_and"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_fetch_or",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "combine a value by bitwise or and give the old one",
        calls: &[CallPrototype::new(
            "{T} shmem_{N}_atomic_fetch_or({T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_AMO_FETCH_CHANGED({what}, {ctx}, {T}, {K}, or, OR, dest, value, pe)",
        )
        .types(AMO_BITWISE)
        .ctx()
        .generic("shmem_atomic_fetch_or", Selected::First)
        .inlined()],
        arguments: &[DEST, ("value", "What it is combined with."), PE],
        description: "It makes the bitwise or of what is there and value, as one.",
        returns: "What was there before.",
        see: &["shmem_atomic_or", "shmem_atomic_fetch_or_nbi"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_or",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "combine a value by bitwise or",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_or({T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_AMO_CHANGED({what}, {ctx}, {T}, {K}, or, OR, dest, value, pe)",
        )
        .types(AMO_BITWISE)
        .ctx()
        .generic("shmem_atomic_or", Selected::First)
        .inlined()],
        arguments: &[DEST, ("value", "What it is combined with."), PE],
        description: "It makes the bitwise or of what is there and value, as one. It may come later than the call; shmem_quiet completes it.",
        returns: "",
        see: &["shmem_atomic_fetch_or"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_fetch_xor",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "combine a value by bitwise xor and give the old one",
        calls: &[CallPrototype::new(
            "{T} shmem_{N}_atomic_fetch_xor({T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_AMO_FETCH_CHANGED({what}, {ctx}, {T}, {K}, xor, XOR, dest, value, pe)",
        )
        .types(AMO_BITWISE)
        .ctx()
        .generic("shmem_atomic_fetch_xor", Selected::First)
        .inlined()],
        arguments: &[DEST, ("value", "What it is combined with."), PE],
        description: "It makes the bitwise xor of what is there and value, as one.",
        returns: "What was there before.",
        see: &["shmem_atomic_xor", "shmem_atomic_fetch_xor_nbi"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_xor",
        group: ApiPart::Amo,
        since: "1.4",
        summary: "combine a value by bitwise xor",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_xor({T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_AMO_CHANGED({what}, {ctx}, {T}, {K}, xor, XOR, dest, value, pe)",
        )
        .types(AMO_BITWISE)
        .ctx()
        .generic("shmem_atomic_xor", Selected::First)
        .inlined()],
        arguments: &[DEST, ("value", "What it is combined with."), PE],
        description: "It makes the bitwise xor of what is there and value, as one. It may come later than the call; shmem_quiet completes it.",
        returns: "",
        see: &["shmem_atomic_fetch_xor"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_fetch_nbi",
        group: ApiPart::AmoNonblocking,
        since: "1.5",
        summary: "begin to read a value as one",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_fetch_nbi({T} *fetch, const {T} *source, int pe)",
            "PHILAE_SHMEM_NBI_FETCHED({what}, {ctx}, {T}, {K}, fetch, source, pe)",
        )
        .types(AMO_EXTENDED)
        .ctx()
        .generic("shmem_atomic_fetch_nbi", Selected::First)
        .inlined()],
        arguments: &[FETCH, SOURCE, PE],
        description: "It returns immediately. After the next shmem_quiet on the context it is done, and what was there before is in fetch.",
        returns: "",
        see: &["shmem_atomic_fetch"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_compare_swap_nbi",
        group: ApiPart::AmoNonblocking,
        since: "1.5",
        summary: "begin to replace a value if it is the expected one",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_compare_swap_nbi({T} *fetch, {T} *dest, {T} cond, {T} value, int pe)",
            "PHILAE_SHMEM_NBI_COMPARED({what}, {ctx}, {T}, {K}, fetch, dest, cond, value, pe)",
        )
        .types(AMO)
        .ctx()
        .generic("shmem_atomic_compare_swap_nbi", Selected::First)
        .inlined()],
        arguments: &[
            FETCH,
            DEST,
            ("cond", "The value that is expected."),
            ("value", "The value that is written if so."),
            PE,
        ],
        description: "It returns immediately. After the next shmem_quiet on the context it is done, and what was there before is in fetch.",
        returns: "",
        see: &["shmem_atomic_compare_swap"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_swap_nbi",
        group: ApiPart::AmoNonblocking,
        since: "1.5",
        summary: "begin to replace a value",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_swap_nbi({T} *fetch, {T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_NBI_SWAPPED({what}, {ctx}, {T}, {K}, fetch, dest, value, pe)",
        )
        .types(AMO_EXTENDED)
        .ctx()
        .generic("shmem_atomic_swap_nbi", Selected::First)
        .inlined()],
        arguments: &[FETCH, DEST, ("value", "The new value."), PE],
        description: "It returns immediately. After the next shmem_quiet on the context it is done, and what was there before is in fetch.",
        returns: "",
        see: &["shmem_atomic_swap"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_fetch_inc_nbi",
        group: ApiPart::AmoNonblocking,
        since: "1.5",
        summary: "begin to add one to a value and give the old one",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_fetch_inc_nbi({T} *fetch, {T} *dest, int pe)",
            "PHILAE_SHMEM_NBI_FETCH_CHANGED({what}, {ctx}, {T}, {K}, add, ADD, fetch, dest, 1, pe)",
        )
        .types(AMO)
        .ctx()
        .generic("shmem_atomic_fetch_inc_nbi", Selected::First)
        .inlined()],
        arguments: &[FETCH, DEST, PE],
        description: "It returns immediately. After the next shmem_quiet on the context it is done, and what was there before is in fetch.",
        returns: "",
        see: &["shmem_atomic_fetch_inc"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_fetch_add_nbi",
        group: ApiPart::AmoNonblocking,
        since: "1.5",
        summary: "begin to add to a value and give the old one",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_fetch_add_nbi({T} *fetch, {T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_NBI_FETCH_CHANGED({what}, {ctx}, {T}, {K}, add, ADD, fetch, dest, value, pe)",
        )
        .types(AMO)
        .ctx()
        .generic("shmem_atomic_fetch_add_nbi", Selected::First)
        .inlined()],
        arguments: &[FETCH, DEST, ("value", "What is added."), PE],
        description: "It returns immediately. After the next shmem_quiet on the context it is done, and what was there before is in fetch.",
        returns: "",
        see: &["shmem_atomic_fetch_add"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_fetch_and_nbi",
        group: ApiPart::AmoNonblocking,
        since: "1.5",
        summary: "begin to combine a value by bitwise and and give the old one",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_fetch_and_nbi({T} *fetch, {T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_NBI_FETCH_CHANGED({what}, {ctx}, {T}, {K}, and, AND, fetch, dest, value, pe)",
        )
        .types(AMO_BITWISE)
        .ctx()
        .generic("shmem_atomic_fetch_and_nbi", Selected::First)
        .inlined()],
        arguments: &[FETCH, DEST, ("value", "What it is combined with."), PE],
        description: "It returns immediately. After the next shmem_quiet on the context it is done, and what was there before is in fetch.",
        returns: "",
        see: &["shmem_atomic_fetch_and"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_fetch_or_nbi",
        group: ApiPart::AmoNonblocking,
        since: "1.5",
        summary: "begin to combine a value by bitwise or and give the old one",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_fetch_or_nbi({T} *fetch, {T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_NBI_FETCH_CHANGED({what}, {ctx}, {T}, {K}, or, OR, fetch, dest, value, pe)",
        )
        .types(AMO_BITWISE)
        .ctx()
        .generic("shmem_atomic_fetch_or_nbi", Selected::First)
        .inlined()],
        arguments: &[FETCH, DEST, ("value", "What it is combined with."), PE],
        description: "It returns immediately. After the next shmem_quiet on the context it is done, and what was there before is in fetch.",
        returns: "",
        see: &["shmem_atomic_fetch_or"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_atomic_fetch_xor_nbi",
        group: ApiPart::AmoNonblocking,
        since: "1.5",
        summary: "begin to combine a value by bitwise xor and give the old one",
        calls: &[CallPrototype::new(
            "void shmem_{N}_atomic_fetch_xor_nbi({T} *fetch, {T} *dest, {T} value, int pe)",
            "PHILAE_SHMEM_NBI_FETCH_CHANGED({what}, {ctx}, {T}, {K}, xor, XOR, fetch, dest, value, pe)",
        )
        .types(AMO_BITWISE)
        .ctx()
        .generic("shmem_atomic_fetch_xor_nbi", Selected::First)
        .inlined()],
        arguments: &[FETCH, DEST, ("value", "What it is combined with."), PE],
        description: "It returns immediately. After the next shmem_quiet on the context it is done, and what was there before is in fetch.",
        returns: "",
        see: &["shmem_atomic_fetch_xor"],
        ..ManualPage::EMPTY
    },
];
