//! Waits for and tests of variables of this PE that other PEs change.

use crate::page::{ApiPart, CallPrototype, ManualPage, Selected};
use crate::types::{AMO, WAIT};

const CMP: (&str, &str) = (
    "cmp",
    "SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT or SHMEM_CMP_LE: the variable is on the left.",
);
const IVAR: (&str, &str) =
    ("ivar", "The local address of a symmetric variable, which other PEs change by atomics or signals.");
const IVARS: (&str, &str) =
    ("ivars", "The local address of an array of symmetric variables, which other PEs change by atomics or signals.");
const NELEMS: (&str, &str) = ("nelems", "How many variables.");
const STATUS: (&str, &str) =
    ("status", "An int each: a variable whose int is not 0 is left out. A null pointer leaves none out.");
const INDICES: (&str, &str) = ("indices", "Room for nelems places, where those that compare true are put.");
const VALUE: (&str, &str) = ("cmp_value", "What they are compared with.");
const VALUES: (&str, &str) = ("cmp_values", "What each is compared with.");

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmem_wait_until",
        group: ApiPart::Waits,
        summary: "wait until a variable compares true",
        calls: &[CallPrototype::new(
            "void shmem_{N}_wait_until({T} *ivar, int cmp, {T} cmp_value)",
            "PHILAE_SHMEM_WAITED({what}, {T}, {K}, ivar, cmp, cmp_value)",
        )
        .types(WAIT)
        .generic("shmem_wait_until", Selected::First)
        .inlined()],
        arguments: &[IVAR, CMP, VALUE],
        description: "It looks, first immediately, then again and again, then gives the processor to others, and at last \
                      sleeps until a PE of the host or the NIC has changed memory. The PE sees everything that came before \
                      what it waited for.",
        notes: "The forms for short and unsigned short are deprecated since 1.5.",
        example: "static int flag;\nif (shmem_my_pe() == 1)\n    shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);\nelse if \
                  (shmem_my_pe() == 0)\n    shmem_int_atomic_set(&flag, 1, 1);\n",
        see: &["shmem_test", "shmem_signal_wait_until"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_test",
        group: ApiPart::Waits,
        since: "1.4",
        summary: "look whether a variable compares true",
        calls: &[CallPrototype::new(
            "int shmem_{N}_test({T} *ivar, int cmp, {T} cmp_value)",
            "PHILAE_SHMEM_TESTED({what}, {T}, {K}, ivar, cmp, cmp_value)",
        )
        .types(WAIT)
        .generic("shmem_test", Selected::First)
        .inlined()],
        arguments: &[IVAR, CMP, VALUE],
        description: "It looks once. Where the answer is 1, the PE sees everything that came before what made it so.",
        returns: "1 if it compares true, 0 if not.",
        notes: "The forms for short and unsigned short are deprecated since 1.5.",
        see: &["shmem_wait_until"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_wait_until_all",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "wait until all variables compare true",
        calls: &[CallPrototype::new(
            "void shmem_{N}_wait_until_all({T} *ivars, size_t nelems, const int *status, int cmp, {T} cmp_value)",
            "(void)philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_ALL, {K}, ivars, nelems, 0, status, cmp, &cmp_value);",
        )
        .types(AMO)
        .generic("shmem_wait_until_all", Selected::First)],
        arguments: &[IVARS, NELEMS, STATUS, CMP, VALUE],
        description: "It returns when all of them compare true; variables that status leaves out do not count. Where none is to be checked it returns immediately. The PE sees everything that came before what made them true.",
        returns: "",
        see: &["shmem_test_all", "shmem_wait_until"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_wait_until_any",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "wait until a variable compares true",
        calls: &[CallPrototype::new(
            "size_t shmem_{N}_wait_until_any({T} *ivars, size_t nelems, const int *status, int cmp, {T} cmp_value)",
            "return philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_ANY, {K}, ivars, nelems, 0, status, cmp, &cmp_value);",
        )
        .types(AMO)
        .generic("shmem_wait_until_any", Selected::First)],
        arguments: &[IVARS, NELEMS, STATUS, CMP, VALUE],
        description: "It returns when one of them compares true; variables that status leaves out do not count. Where none is to be checked it returns immediately. The PE sees everything that came before what made them true.",
        returns: "The place of one that compares true; SIZE_MAX where none is to be checked.",
        see: &["shmem_test_any", "shmem_wait_until"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_wait_until_some",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "wait until variables compare true",
        calls: &[CallPrototype::new(
            "size_t shmem_{N}_wait_until_some({T} *ivars, size_t nelems, size_t *indices, const int *status, int cmp, {T} cmp_value)",
            "return philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_SOME, {K}, ivars, nelems, indices, status, cmp, &cmp_value);",
        )
        .types(AMO)
        .generic("shmem_wait_until_some", Selected::First)],
        arguments: &[IVARS, NELEMS, INDICES, STATUS, CMP, VALUE],
        description: "It returns when at least one of them compares true; variables that status leaves out do not count. Where none is to be checked it returns immediately. The PE sees everything that came before what made them true.",
        returns: "How many places were put into indices; 0 where none is to be checked.",
        see: &["shmem_test_some", "shmem_wait_until"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_test_all",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "look whether all variables compare true",
        calls: &[CallPrototype::new(
            "int shmem_{N}_test_all({T} *ivars, size_t nelems, const int *status, int cmp, {T} cmp_value)",
            "return (int)philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST, {K}, ivars, nelems, 0, status, cmp, &cmp_value);",
        )
        .types(AMO)
        .generic("shmem_test_all", Selected::First)],
        arguments: &[IVARS, NELEMS, STATUS, CMP, VALUE],
        description: "It looks once. The PE sees everything that came before what made them true.",
        returns: "1 where all that are checked compare true, or none is checked; else 0.",
        see: &["shmem_wait_until_all", "shmem_test"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_test_any",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "look whether a variable compares true",
        calls: &[CallPrototype::new(
            "size_t shmem_{N}_test_any({T} *ivars, size_t nelems, const int *status, int cmp, {T} cmp_value)",
            "return philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST, {K}, ivars, nelems, 0, status, cmp, &cmp_value);",
        )
        .types(AMO)
        .generic("shmem_test_any", Selected::First)],
        arguments: &[IVARS, NELEMS, STATUS, CMP, VALUE],
        description: "It looks once. The PE sees everything that came before what made them true.",
        returns: "The place of one that compares true; SIZE_MAX where there is none.",
        see: &["shmem_wait_until_any", "shmem_test"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_test_some",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "look whether variables compare true",
        calls: &[CallPrototype::new(
            "size_t shmem_{N}_test_some({T} *ivars, size_t nelems, size_t *indices, const int *status, int cmp, {T} cmp_value)",
            "return philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST, {K}, ivars, nelems, indices, status, cmp, &cmp_value);",
        )
        .types(AMO)
        .generic("shmem_test_some", Selected::First)],
        arguments: &[IVARS, NELEMS, INDICES, STATUS, CMP, VALUE],
        description: "It looks once. The PE sees everything that came before what made them true.",
        returns: "How many places were put into indices; 0 where there is none.",
        see: &["shmem_wait_until_some", "shmem_test"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_wait_until_all_vector",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "wait until all variables compare true, each with a value of its own",
        calls: &[CallPrototype::new(
            "void shmem_{N}_wait_until_all_vector({T} *ivars, size_t nelems, const int *status, int cmp, const {T} *cmp_values)",
            "(void)philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_VECTOR, {K}, ivars, nelems, 0, status, cmp, cmp_values);",
        )
        .types(AMO)
        .generic("shmem_wait_until_all_vector", Selected::First)],
        arguments: &[IVARS, NELEMS, STATUS, CMP, VALUES],
        description: "It returns when all of them compare true; variables that status leaves out do not count. Where none is to be checked it returns immediately. The PE sees everything that came before what made them true.",
        returns: "",
        see: &["shmem_test_all_vector", "shmem_wait_until"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_wait_until_any_vector",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "wait until a variable compares true, each with a value of its own",
        calls: &[CallPrototype::new(
            "size_t shmem_{N}_wait_until_any_vector({T} *ivars, size_t nelems, const int *status, int cmp, const {T} *cmp_values)",
            "return philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_VECTOR, {K}, ivars, nelems, 0, status, cmp, cmp_values);",
        )
        .types(AMO)
        .generic("shmem_wait_until_any_vector", Selected::First)],
        arguments: &[IVARS, NELEMS, STATUS, CMP, VALUES],
        description: "It returns when one of them compares true; variables that status leaves out do not count. Where none is to be checked it returns immediately. The PE sees everything that came before what made them true.",
        returns: "The place of one that compares true; SIZE_MAX where none is to be checked.",
        see: &["shmem_test_any_vector", "shmem_wait_until"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_wait_until_some_vector",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "wait until variables compare true, each with a value of its own",
        calls: &[CallPrototype::new(
            "size_t shmem_{N}_wait_until_some_vector({T} *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const {T} *cmp_values)",
            "return philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_VECTOR, {K}, ivars, nelems, indices, status, cmp, cmp_values);",
        )
        .types(AMO)
        .generic("shmem_wait_until_some_vector", Selected::First)],
        arguments: &[IVARS, NELEMS, INDICES, STATUS, CMP, VALUES],
        description: "It returns when at least one of them compares true; variables that status leaves out do not count. Where none is to be checked it returns immediately. The PE sees everything that came before what made them true.",
        returns: "How many places were put into indices; 0 where none is to be checked.",
        see: &["shmem_test_some_vector", "shmem_wait_until"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_test_all_vector",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "look whether all variables compare true, each with a value of its own",
        calls: &[CallPrototype::new(
            "int shmem_{N}_test_all_vector({T} *ivars, size_t nelems, const int *status, int cmp, const {T} *cmp_values)",
            "return (int)philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_ALL | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, {K}, ivars, nelems, 0, status, cmp, cmp_values);",
        )
        .types(AMO)
        .generic("shmem_test_all_vector", Selected::First)],
        arguments: &[IVARS, NELEMS, STATUS, CMP, VALUES],
        description: "It looks once. The PE sees everything that came before what made them true.",
        returns: "1 where all that are checked compare true, or none is checked; else 0.",
        see: &["shmem_wait_until_all_vector", "shmem_test"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_test_any_vector",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "look whether a variable compares true, each with a value of its own",
        calls: &[CallPrototype::new(
            "size_t shmem_{N}_test_any_vector({T} *ivars, size_t nelems, const int *status, int cmp, const {T} *cmp_values)",
            "return philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_ANY | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, {K}, ivars, nelems, 0, status, cmp, cmp_values);",
        )
        .types(AMO)
        .generic("shmem_test_any_vector", Selected::First)],
        arguments: &[IVARS, NELEMS, STATUS, CMP, VALUES],
        description: "It looks once. The PE sees everything that came before what made them true.",
        returns: "The place of one that compares true; SIZE_MAX where there is none.",
        see: &["shmem_wait_until_any_vector", "shmem_test"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_test_some_vector",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "look whether variables compare true, each with a value of its own",
        calls: &[CallPrototype::new(
            "size_t shmem_{N}_test_some_vector({T} *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const {T} *cmp_values)",
            "return philae_shmem_wait({what}, PHILAE_SHMEM_WAIT_SOME | PHILAE_SHMEM_WAIT_TEST | PHILAE_SHMEM_WAIT_VECTOR, {K}, ivars, nelems, indices, status, cmp, cmp_values);",
        )
        .types(AMO)
        .generic("shmem_test_some_vector", Selected::First)],
        arguments: &[IVARS, NELEMS, INDICES, STATUS, CMP, VALUES],
        description: "It looks once. The PE sees everything that came before what made them true.",
        returns: "How many places were put into indices; 0 where there is none.",
        see: &["shmem_wait_until_some_vector", "shmem_test"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_signal_wait_until",
        group: ApiPart::Waits,
        since: "1.5",
        summary: "wait until a signal compares true",
        calls: &[CallPrototype::new(
            "uint64_t shmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value)",
            "for (;;) { if (sig_addr != 0) { uint64_t value = philae_shmem_local_signal_fetch(sig_addr); if \
             (PHILAE_SHMEM_HOLDS(value, cmp, cmp_value)) return value; } (void)philae_shmem_wait({what}, \
             PHILAE_SHMEM_WAIT_ALL, PHILAE_SHMEM_U64, sig_addr, 1, 0, 0, cmp, &cmp_value); }",
        )],
        arguments: &[("sig_addr", "The local address of the signal."), CMP, VALUE],
        description: "As shmem_wait_until, for a signal. The data that came with the signal is there when it returns.",
        returns: "The value of the signal that compares true.",
        see: &["shmem_put_signal", "shmem_signal_fetch"],
        ..ManualPage::EMPTY
    },
];
