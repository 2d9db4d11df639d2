//! Why another manager cannot be followed.

use philae_store::StoreError;

/// Why a manager cannot follow another one.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The leader cannot be reached.
    #[error("{leader} cannot be reached: {problem}")]
    Unreached {
        /// The leader's address.
        leader: String,
        /// The reason.
        problem: String,
    },
    /// The leader refused.
    #[error("{leader} says {status}: {problem}")]
    Refused {
        /// The leader's address.
        leader: String,
        /// The status of its answer.
        status: u16,
        /// The problem's code, for programs.
        code: String,
        /// The problem's detail.
        problem: String,
    },
    /// The leader's answer is not a log.
    #[error("{leader} does not send its log: {problem}")]
    Unreadable {
        /// The leader's address.
        leader: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The roots that verify the leader cannot be used.
    #[error("{0}")]
    Roots(String),
    /// An error of the store.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// An error of the state directory.
    #[error("the state directory: {0}")]
    State(#[source] std::io::Error),
}
