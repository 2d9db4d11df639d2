//! The shape of the tables: pages, each with its calls and its document.

use crate::types::TypeSet;

/// A part of the API, with the number of C functions that OpenSHMEM 1.6 has in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Setup, exit, and questions about PEs and memory.
    Setup,
    /// Thread support.
    Threads,
    /// The symmetric heap.
    Memory,
    /// Teams.
    Teams,
    /// Contexts.
    Contexts,
    /// Blocking put and get.
    Rma,
    /// Strided put and get.
    RmaStrided,
    /// Nonblocking put and get.
    RmaNonblocking,
    /// Blocking atomics.
    Amo,
    /// Nonblocking atomics.
    AmoNonblocking,
    /// Put with signal.
    Signals,
    /// Sessions.
    Sessions,
    /// Barriers and synchronisation.
    Synchronisation,
    /// Collectives that move data.
    Collectives,
    /// Reductions.
    Reductions,
    /// Prefix sums.
    Scans,
    /// Waits and tests.
    Waits,
    /// Fence and quiet.
    Ordering,
    /// Locks.
    Locks,
    /// The profiling interface.
    Profiling,
    /// Deprecated names.
    Deprecated,
    /// `shmemx_`: what the standard does not have.
    Extensions,
}

impl Group {
    /// All groups, in the order of the header.
    pub const ALL: [Self; 22] = [
        Self::Setup,
        Self::Threads,
        Self::Memory,
        Self::Teams,
        Self::Contexts,
        Self::Sessions,
        Self::Rma,
        Self::RmaStrided,
        Self::RmaNonblocking,
        Self::Amo,
        Self::AmoNonblocking,
        Self::Signals,
        Self::Ordering,
        Self::Waits,
        Self::Synchronisation,
        Self::Collectives,
        Self::Reductions,
        Self::Scans,
        Self::Locks,
        Self::Profiling,
        Self::Deprecated,
        Self::Extensions,
    ];

    /// What the group is about, as a heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Setup => "Setup, exit and queries",
            Self::Threads => "Threads",
            Self::Memory => "Symmetric heap",
            Self::Teams => "Teams",
            Self::Contexts => "Contexts",
            Self::Rma => "Blocking put and get",
            Self::RmaStrided => "Strided put and get",
            Self::RmaNonblocking => "Nonblocking put and get",
            Self::Amo => "Blocking atomics",
            Self::AmoNonblocking => "Nonblocking atomics",
            Self::Signals => "Signals",
            Self::Sessions => "Sessions",
            Self::Synchronisation => "Barriers",
            Self::Collectives => "Collectives that move data",
            Self::Reductions => "Reductions",
            Self::Scans => "Scans",
            Self::Waits => "Waits and tests",
            Self::Ordering => "Ordering and completion",
            Self::Locks => "Locks",
            Self::Profiling => "Profiling",
            Self::Deprecated => "Deprecated names",
            Self::Extensions => "Extensions (shmemx.h)",
        }
    }
}

/// What a call is expanded over.
#[derive(Clone, Copy, Debug)]
pub enum Over {
    /// It is one function.
    Once,
    /// `{T}` is the C type and `{N}` its name.
    Types(TypeSet),
    /// `{S}` is the size in bits.
    Sizes(&'static [u32]),
}

/// Which argument says the type in a generic call, and with which qualifiers it is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selected {
    /// The first, a pointer to what is changed.
    First,
    /// The first, a pointer that may be to constant data.
    FirstConst,
    /// The second: a team comes first.
    Second,
}

/// One prototype, with what it is expanded over.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The prototype in C, without the semicolon; `{T}`, `{N}`, `{S}` are filled in.
    pub prototype: &'static str,
    /// What it is expanded over.
    pub over: Over,
    /// There is a form that takes a context first.
    pub ctx: bool,
    /// The generic name, and what selects.
    pub generic: Option<(&'static str, Selected)>,
    /// The body in C: `{what}` is the function's name as a string, `{ctx}` its context, `{K}` the core's type, `{B}` the
    /// size of an element.
    pub body: &'static str,
    /// Programs inline it.
    pub inlined: bool,
}

impl Call {
    /// A function that is not inlined.
    #[must_use]
    pub const fn new(prototype: &'static str, body: &'static str) -> Self {
        Self { prototype, over: Over::Once, ctx: false, generic: None, body, inlined: false }
    }
    /// For each of the types.
    #[must_use]
    pub const fn types(mut self, types: TypeSet) -> Self {
        self.over = Over::Types(types);
        self
    }
    /// For each of the sizes.
    #[must_use]
    pub const fn sizes(mut self, sizes: &'static [u32]) -> Self {
        self.over = Over::Sizes(sizes);
        self
    }
    /// With a form that takes a context.
    #[must_use]
    pub const fn ctx(mut self) -> Self {
        self.ctx = true;
        self
    }
    /// With a generic name.
    #[must_use]
    pub const fn generic(mut self, name: &'static str, selected: Selected) -> Self {
        self.generic = Some((name, selected));
        self
    }
    /// Inlined by programs.
    #[must_use]
    pub const fn inlined(mut self) -> Self {
        self.inlined = true;
        self
    }
}

/// A page: calls that belong together, and their document.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Its name, which is that of a function or a generic name.
    pub name: &'static str,
    /// Where it belongs.
    pub group: Group,
    /// The version of the standard that has it first; empty: an extension.
    pub since: &'static str,
    /// The version of the standard that deprecates it; empty: none.
    pub deprecated: &'static str,
    /// What it is for, in a line.
    pub summary: &'static str,
    /// Its calls.
    pub calls: &'static [Call],
    /// Each argument, and what it is.
    pub arguments: &'static [(&'static str, &'static str)],
    /// What it does.
    pub description: &'static str,
    /// What it returns.
    pub returns: &'static str,
    /// What else there is to know.
    pub notes: &'static str,
    /// A program or a piece of one.
    pub example: &'static str,
    /// Pages to go on with.
    pub see: &'static [&'static str],
}

impl Page {
    /// A page with nothing in it, to be completed with `..Page::EMPTY`.
    pub const EMPTY: Self = Self {
        name: "",
        group: Group::Setup,
        since: "1.0",
        deprecated: "",
        summary: "",
        calls: &[],
        arguments: &[],
        description: "",
        returns: "",
        notes: "",
        example: "",
        see: &[],
    };
}
