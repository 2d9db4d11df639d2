//! The structure of the tables: pages, each with its calls and its documentation.

use crate::types::TypeSet;

/// A part of the API, with the number of C functions that OpenSHMEM 1.6 has in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ApiPart {
    /// Setup, exit, and queries about PEs and memory.
    Setup,
    /// Thread support.
    Threads,
    /// The symmetric heap.
    Memory,
    Teams,
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
    Sessions,
    /// Barriers and synchronisation.
    Synchronisation,
    /// Collectives that move data.
    Collectives,
    Reductions,
    /// Prefix sums.
    Scans,
    /// Waits and tests.
    Waits,
    /// Fence and quiet.
    Ordering,
    Locks,
    /// The profiling interface.
    Profiling,
    /// Deprecated names.
    Deprecated,
    /// `shmemx_`: functions that the standard lacks.
    Extensions,
}

impl ApiPart {
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

    /// The group's heading.
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

/// The expansion of a call.
#[derive(Clone, Copy, Debug)]
pub enum Expansion {
    /// One function.
    Once,
    /// One function per type: `{T}` is the C type and `{N}` its name.
    Types(TypeSet),
    /// One function per size: `{S}` is the size in bits.
    Sizes(&'static [u32]),
}

/// The argument that selects the type in a generic call, and the accepted qualifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selected {
    /// The first, a pointer to the changed data.
    First,
    /// The first, a pointer to data that may be constant.
    FirstConst,
    /// The second: a team comes first.
    Second,
}

/// One prototype, with its expansion.
#[derive(Clone, Copy, Debug)]
pub struct CallPrototype {
    /// The prototype in C, without the semicolon, with placeholders `{T}`, `{N}`, `{S}`.
    pub prototype: &'static str,
    /// The call's expansion.
    pub over: Expansion,
    /// Whether a form exists that takes a context first.
    pub ctx: bool,
    /// The generic name, and the argument that selects the type.
    pub generic: Option<(&'static str, Selected)>,
    /// The body in C: `{what}` is the function's name as a string, `{ctx}` its context, `{K}` the
    /// core's type, `{B}` the size of an element.
    pub body: &'static str,
    /// Whether programs inline it.
    pub inlined: bool,
}

impl CallPrototype {
    /// A call that programs do not inline.
    #[must_use]
    pub const fn new(prototype: &'static str, body: &'static str) -> Self {
        Self { prototype, over: Expansion::Once, ctx: false, generic: None, body, inlined: false }
    }
    /// Expands the call over the types.
    #[must_use]
    pub const fn types(mut self, types: TypeSet) -> Self {
        self.over = Expansion::Types(types);
        self
    }
    /// Expands the call over the sizes.
    #[must_use]
    pub const fn sizes(mut self, sizes: &'static [u32]) -> Self {
        self.over = Expansion::Sizes(sizes);
        self
    }
    /// Adds a form that takes a context.
    #[must_use]
    pub const fn ctx(mut self) -> Self {
        self.ctx = true;
        self
    }
    /// Adds a generic name.
    #[must_use]
    pub const fn generic(mut self, name: &'static str, selected: Selected) -> Self {
        self.generic = Some((name, selected));
        self
    }
    /// Lets programs inline the call.
    #[must_use]
    pub const fn inlined(mut self) -> Self {
        self.inlined = true;
        self
    }
}

/// A page: related calls, and their documentation.
#[derive(Clone, Copy, Debug)]
pub struct ManualPage {
    /// Its name: that of a function, or a generic name.
    pub name: &'static str,
    /// The group that it belongs to.
    pub group: ApiPart,
    /// The first version of the standard that has it; empty: an extension.
    pub since: &'static str,
    /// The version of the standard that deprecates it; empty: none.
    pub deprecated: &'static str,
    /// Its purpose, in a line.
    pub summary: &'static str,
    /// The page's calls.
    pub calls: &'static [CallPrototype],
    /// Each argument, and its meaning.
    pub arguments: &'static [(&'static str, &'static str)],
    /// The effect of the calls.
    pub description: &'static str,
    /// The return value.
    pub returns: &'static str,
    /// Further notes.
    pub notes: &'static str,
    /// A program or a fragment.
    pub example: &'static str,
    /// Related pages.
    pub see: &'static [&'static str],
}

impl ManualPage {
    /// An empty page, to complete with `..Page::EMPTY`.
    pub const EMPTY: Self = Self {
        name: "",
        group: ApiPart::Setup,
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
