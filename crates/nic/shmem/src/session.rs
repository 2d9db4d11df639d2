//! Sessions: what a program announces of its coming operations on a context, and how the library
//! uses it.
//!
//! Sessions are hints. They change neither what is in memory after a quiet nor the order that a
//! fence gives. Without a NIC on the path they change nothing. The three spellings (the standard's,
//! the vendor's of 2022 and the vendor's of today) have bits of their own, so that one word has
//! them all.

/// Bits of the options, as `shmem_core.h` has them. Source: the names are those of OpenSHMEM 1.6
/// (the first) and of the vendor's manual; status: published. The numbers are ours: none are
/// published.
pub mod option {
    /// SHMEM_SESSION_BUNDLE, and the standard's SHMEM_CTX_SESSION_BATCH: more operations follow,
    /// which may be bundled.
    pub const BUNDLE: i64 = 0x1;
    /// SHMEM_SESSION_HRP: puts at the high rate.
    pub const HRP: i64 = 0x2;
    /// SHMEM_SESSION_STAMO: the NIC sends atomic operations only once. A lost one is an error.
    pub const STAMO: i64 = 0x4;
    /// SHMEM_SESSION_DC: puts complete when they are in memory, not when the target's NIC has them.
    pub const DC: i64 = 0x8;
    /// SHMEM_SESSION_NO_CNCR_TACCESS: no other operations change the targets of atomic operations
    /// during the session. If the NIC carries out those on PEs of this host, so that they are
    /// atomic with all others, the processor now does it.
    pub const NO_CNCR_TACCESS: i64 = 0x10;
    /// SHMEM_SESSION_UNIFORM_AMO, which the manual's example has and its table lacks: atomic
    /// operations of one kind. Those that fetch nothing go in bundles.
    pub const UNIFORM_AMO: i64 = 0x20;
    /// SHMEM_SESSION_OP_PUT: the session has puts.
    pub const OP_PUT: i64 = 0x100;
    /// SHMEM_SESSION_OP_AMO: atomic operations that fetch nothing.
    pub const OP_AMO: i64 = 0x200;
    /// SHMEM_SESSION_OP_FAMO: atomic operations that fetch.
    pub const OP_FAMO: i64 = 0x400;
    /// SHMEM_SESSION_OP_PWS: puts with a signal.
    pub const OP_PWS: i64 = 0x800;
    /// The kinds of operations.
    pub const KINDS: i64 = OP_PUT | OP_AMO | OP_FAMO | OP_PWS;
    /// All options.
    pub const ALL: i64 = KINDS | BUNDLE | HRP | STAMO | DC | NO_CNCR_TACCESS | UNIFORM_AMO;
}

/// Kinds of operations that a session distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionOperation {
    Put,
    /// Gets: no hint names them; a session that names no kind means them, too.
    Get,
    /// Atomic operations that fetch nothing.
    Amo,
    /// Atomic operations that fetch.
    FetchingAmo,
    PutSignal,
}

/// The session of a context; empty unless one is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextSession {
    options: i64,
    /// Operations that the program expects to begin in it; `usize::MAX`: unknown.
    pub total_ops: usize,
}

impl Default for ContextSession {
    fn default() -> Self {
        Self { options: 0, total_ops: usize::MAX }
    }
}

impl ContextSession {
    /// This session with more options: a start within a session adds to it. Unknown bits are
    /// ignored.
    #[must_use]
    pub fn with(self, options: i64, total_ops: Option<usize>) -> Self {
        Self { options: self.options | options & option::ALL, total_ops: total_ops.unwrap_or(self.total_ops) }
    }

    /// The options as one word.
    #[must_use]
    pub const fn options(&self) -> i64 {
        self.options
    }

    const fn has(&self, option: i64) -> bool {
        self.options & option != 0
    }

    /// Whether the session's hints apply to operations of this kind. A session that names no kind
    /// means all.
    const fn means(&self, kind: SessionOperation) -> bool {
        let bit = match kind {
            SessionOperation::Put => option::OP_PUT,
            SessionOperation::Amo => option::OP_AMO,
            SessionOperation::FetchingAmo => option::OP_FAMO,
            SessionOperation::PutSignal => option::OP_PWS,
            SessionOperation::Get => 0,
        };
        !self.has(option::KINDS) || self.has(bit)
    }

    /// Whether operations of a kind are issued in bundles, each with one doorbell.
    #[must_use]
    pub const fn bundles(&self, kind: SessionOperation) -> bool {
        self.has(option::BUNDLE) && self.means(kind)
            || self.has(option::UNIFORM_AMO) && matches!(kind, SessionOperation::Amo)
    }

    /// Whether operations of a kind go at the high rate: packets without order and without an
    /// acknowledgement of their own. Atomic operations do so only if they are also sent once.
    #[must_use]
    pub const fn is_high_rate(&self, kind: SessionOperation) -> bool {
        let fits = match kind {
            SessionOperation::Put => true,
            SessionOperation::Amo => self.has(option::STAMO),
            SessionOperation::Get | SessionOperation::FetchingAmo | SessionOperation::PutSignal => false,
        };
        self.has(option::HRP) && fits && self.means(kind)
    }

    /// Whether no other operations change the targets of this context's atomic operations.
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.has(option::NO_CNCR_TACCESS)
    }

    /// Whether atomic operations that fetch nothing are sent once.
    #[must_use]
    pub const fn is_sent_once(&self) -> bool {
        self.has(option::STAMO) && self.means(SessionOperation::Amo)
    }

    /// Whether operations of a kind complete when they are in memory, whatever else is set.
    #[must_use]
    pub const fn delivers(&self, kind: SessionOperation) -> bool {
        self.has(option::DC) && self.means(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [SessionOperation; 5] = [
        SessionOperation::Put,
        SessionOperation::Get,
        SessionOperation::Amo,
        SessionOperation::FetchingAmo,
        SessionOperation::PutSignal,
    ];

    fn of(options: i64) -> ContextSession {
        ContextSession::default().with(options, None)
    }

    #[test]
    fn without_a_session_nothing_is_hinted() {
        let none = ContextSession::default();
        assert!(!none.is_sent_once());
        for kind in KINDS {
            assert!(!none.bundles(kind) && !none.is_high_rate(kind) && !none.delivers(kind));
        }
    }

    #[test]
    fn kinds_select_and_no_kind_means_all() {
        let bundled = |options| KINDS.map(|kind| of(options).bundles(kind));
        assert_eq!(bundled(option::BUNDLE), [true; 5]);
        assert_eq!(bundled(option::BUNDLE | option::OP_PUT), [true, false, false, false, false]);
        assert_eq!(bundled(option::BUNDLE | option::OP_AMO | option::OP_PWS), [false, false, true, false, true]);
        let fast = |options| KINDS.map(|kind| of(options).is_high_rate(kind));
        assert_eq!(fast(option::HRP), [true, false, false, false, false]);
        assert_eq!(fast(option::HRP | option::STAMO), [true, false, true, false, false]);
        assert_eq!(fast(option::HRP | option::OP_AMO), [false; 5]);
        assert_eq!(bundled(option::UNIFORM_AMO), [false, false, true, false, false]);
        assert!(of(option::NO_CNCR_TACCESS).is_alone() && !of(option::UNIFORM_AMO).is_alone());
        assert!(of(option::STAMO).is_sent_once() && !of(option::STAMO | option::OP_PUT).is_sent_once());
    }

    #[test]
    fn a_start_within_a_session_adds() {
        let first = ContextSession::default().with(option::BUNDLE, Some(100));
        let both = first.with(option::DC, None);
        assert_eq!((both.options(), both.total_ops), (option::BUNDLE | option::DC, 100));
        assert_eq!(both.with(0, Some(5)).total_ops, 5);
        assert_eq!(first.with(1 << 20 | option::DC, None), both, "an unknown hint changes nothing");
    }
}
