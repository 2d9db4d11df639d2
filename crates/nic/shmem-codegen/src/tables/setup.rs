//! Setup, exit, queries, threads, profiling.

use crate::page::{ApiPart, CallPrototype, ManualPage};

/// The pages of this part.
pub const PAGES: &[ManualPage] = &[
    ManualPage {
        name: "shmem_init",
        group: ApiPart::Setup,
        since: "1.2",
        summary: "start SHMEM",
        calls: &[CallPrototype::new(
            "void shmem_init(void)",
            "(void)philae_shmem_init({what}, SHMEM_THREAD_SINGLE, 0);",
        )],
        description: "Every PE calls it before any other routine. It maps the symmetric heap, makes the program's static \
                      and global data symmetric, and waits until all PEs have come. Since 1.6 it can be called again: \
                      each call needs a shmem_finalize of its own, and after the last of them SHMEM can start again.",
        notes: "It asks for the level SHMEM_THREAD_SINGLE. A process that no launcher started is a job of one PE.",
        example: "#include <shmem.h>\n#include <stdio.h>\n\nint main(void)\n{\n    shmem_init();\n    printf(\"PE %d of %d\\n\", \
                  shmem_my_pe(), shmem_n_pes());\n    shmem_finalize();\n    return 0;\n}\n",
        see: &["shmem_init_thread", "shmem_finalize", "shmem_query_initialized"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_finalize",
        group: ApiPart::Setup,
        since: "1.2",
        summary: "end the use of SHMEM",
        calls: &[CallPrototype::new("void shmem_finalize(void)", "philae_shmem_finalize({what});")],
        description: "All PEs call it. It completes what is in flight, waits until all PEs have come, and gives back the \
                      symmetric heap, the contexts and the teams. Where SHMEM was initialised several times, only the \
                      last call ends it.",
        notes: "The process continues. A call of SHMEM after the last finalize, other than shmem_init, ends the job with a \
                message.",
        see: &["shmem_init", "shmem_global_exit"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_query_initialized",
        group: ApiPart::Setup,
        since: "1.6",
        summary: "ask whether SHMEM is initialised",
        calls: &[CallPrototype::new(
            "void shmem_query_initialized(int *initialized)",
            "*initialized = philae_shmem_initialized() != 0;",
        )],
        arguments: &[("initialized", "Where 1 is put if SHMEM is initialised, 0 if not.")],
        description: "It can be called at any time, before shmem_init and after shmem_finalize too.",
        see: &["shmem_init"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_global_exit",
        group: ApiPart::Setup,
        since: "1.2",
        summary: "end the program on all PEs",
        calls: &[CallPrototype::new("void shmem_global_exit(int status)", "philae_shmem_global_exit({what}, status);")],
        arguments: &[("status", "The exit status of the job.")],
        description: "One PE is enough. All PEs end, whatever they are doing, and the launcher gives the status. Output \
                      that is buffered is written; pending operations are not completed.",
        returns: "It does not return.",
        see: &["shmem_finalize"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_my_pe",
        group: ApiPart::Setup,
        summary: "the number of this PE",
        calls: &[CallPrototype::new(
            "int shmem_my_pe(void)",
            "int me = philae_shmem_here.me; return PHILAE_SHMEM_LIKELY(me >= 0) ? me : philae_shmem_my_pe({what});",
        )
        .inlined()],
        description: "PEs are numbered from 0 to shmem_n_pes() - 1.",
        returns: "The number.",
        see: &["shmem_n_pes", "shmem_team_my_pe"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_n_pes",
        group: ApiPart::Setup,
        summary: "how many PEs there are",
        calls: &[CallPrototype::new(
            "int shmem_n_pes(void)",
            "int n = philae_shmem_here.n_pes; return PHILAE_SHMEM_LIKELY(n >= 0) ? n : philae_shmem_n_pes({what});",
        )
        .inlined()],
        description: "The number of PEs stays the same while the program runs.",
        returns: "The number.",
        see: &["shmem_my_pe", "shmem_team_n_pes"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_pe_accessible",
        group: ApiPart::Setup,
        summary: "ask whether a PE can be reached",
        calls: &[CallPrototype::new(
            "int shmem_pe_accessible(int pe)",
            "return philae_shmem_pe_accessible({what}, pe);",
        )],
        arguments: &[("pe", "A number; it need not be that of a PE.")],
        description: "It answers whether routines of SHMEM can be used with that PE.",
        returns: "1 if so, 0 if not.",
        see: &["shmem_addr_accessible", "shmem_ptr"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_addr_accessible",
        group: ApiPart::Setup,
        summary: "ask whether an address is symmetric",
        calls: &[CallPrototype::new(
            "int shmem_addr_accessible(const void *addr, int pe)",
            "return philae_shmem_addr_accessible({what}, addr, pe);",
        )],
        arguments: &[("addr", "A local address."), ("pe", "The PE that it is asked for.")],
        description: "Symmetric are the symmetric heap and the static and global data of the program; the stack, malloc's \
                      memory and the data of shared libraries are not.",
        returns: "1 if routines of SHMEM can use the address with that PE, 0 if not.",
        see: &["shmem_pe_accessible", "shmem_ptr"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_ptr",
        group: ApiPart::Setup,
        summary: "the local address of another PE's object",
        calls: &[CallPrototype::new(
            "void *shmem_ptr(const void *dest, int pe)",
            "return philae_shmem_local_ptr({what}, dest, pe);",
        )
        .inlined()],
        arguments: &[("dest", "The symmetric address of the object."), ("pe", "The PE, numbered in the world.")],
        description: "PEs of one host map each other's symmetric memory, so ordinary loads and stores reach the object by \
                      this address.",
        returns: "The address, or a null pointer where the PE's memory cannot be mapped: it is on another host.",
        example: "long *theirs = (long *)shmem_ptr(&counter, pe);\nif (theirs != NULL)\n    printf(\"%ld\\n\", *theirs);\n",
        see: &["shmem_team_ptr"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_team_ptr",
        group: ApiPart::Setup,
        since: "1.6",
        summary: "the local address of an object of a team's PE",
        calls: &[CallPrototype::new(
            "void *shmem_team_ptr(shmem_team_t team, const void *dest, int pe)",
            "return philae_shmem_ptr({what}, team, dest, pe);",
        )],
        arguments: &[
            ("team", "The team that numbers the PE."),
            ("dest", "The symmetric address of the object."),
            ("pe", "The PE, numbered in the team."),
        ],
        description: "As shmem_ptr, with the PE numbered in the team.",
        returns: "The address, or a null pointer where the PE's memory cannot be mapped or the team is \
                  SHMEM_TEAM_INVALID.",
        see: &["shmem_ptr"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_info_get_version",
        group: ApiPart::Setup,
        since: "1.2",
        summary: "the version of the standard",
        calls: &[CallPrototype::new(
            "void shmem_info_get_version(int *major, int *minor)",
            "*major = SHMEM_MAJOR_VERSION; *minor = SHMEM_MINOR_VERSION;",
        )],
        arguments: &[("major", "Where the major version is put."), ("minor", "Where the minor version is put.")],
        description: "The numbers are those of SHMEM_MAJOR_VERSION and SHMEM_MINOR_VERSION when the library was built. It \
                      can be called before shmem_init.",
        see: &["shmem_info_get_name"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_info_get_name",
        group: ApiPart::Setup,
        since: "1.2",
        summary: "the name of the library",
        calls: &[CallPrototype::new(
            "void shmem_info_get_name(char *name)",
            "__builtin_memcpy(name, SHMEM_VENDOR_STRING, sizeof SHMEM_VENDOR_STRING);",
        )],
        arguments: &[("name", "Room for SHMEM_MAX_NAME_LEN characters.")],
        description: "It puts SHMEM_VENDOR_STRING there, with its closing null. It can be called before shmem_init.",
        see: &["shmem_info_get_version"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_init_thread",
        group: ApiPart::Threads,
        since: "1.4",
        summary: "start SHMEM for several threads",
        calls: &[CallPrototype::new(
            "int shmem_init_thread(int requested, int *provided)",
            "return philae_shmem_init({what}, requested, provided);",
        )],
        arguments: &[
            (
                "requested",
                "SHMEM_THREAD_SINGLE: there is one thread. SHMEM_THREAD_FUNNELED: only the thread that initialises \
                 calls. SHMEM_THREAD_SERIALIZED: one thread at a time calls. SHMEM_THREAD_MULTIPLE: any thread calls at \
                 any time.",
            ),
            ("provided", "Where the level that is given is put."),
        ],
        description: "As shmem_init, with a level of thread support. All levels are supported.",
        returns: "0, or another value where the level is none of the four.",
        see: &["shmem_init", "shmem_query_thread"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_query_thread",
        group: ApiPart::Threads,
        since: "1.4",
        summary: "the level of thread support",
        calls: &[CallPrototype::new(
            "void shmem_query_thread(int *provided)",
            "*provided = philae_shmem_thread_level({what});",
        )],
        arguments: &[("provided", "Where the level is put.")],
        description: "It says which level shmem_init or shmem_init_thread gave.",
        see: &["shmem_init_thread"],
        ..ManualPage::EMPTY
    },
    ManualPage {
        name: "shmem_pcontrol",
        group: ApiPart::Profiling,
        since: "1.5",
        summary: "a word to a profiler",
        calls: &[CallPrototype::new("void shmem_pcontrol(int level, ...)", "(void)level;")],
        arguments: &[("level", "0: off; 1: on; 2: on, and write out what there is; more: as the profiler has it.")],
        description: "The library does nothing. A profiler that has its own shmem_pcontrol hears it. Every function has a \
                      second name that begins with pshmem_, declared in pshmem.h, which a profiler's function of the \
                      usual name goes on to.",
        notes: "The header inlines the local path, which no profiler sees: programs to be profiled are compiled with \
                -DPHILAE_SHMEM_NO_INLINE.",
        ..ManualPage::EMPTY
    },
];
