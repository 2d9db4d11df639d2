//! The scheduler: partitions, blocks, mail between them, deferred requests and returning credits.
//!
//! Nothing here shows in a result. `blocks`, `deferred`, `outbox` and `returning` define what a
//! partition keeps for it; all else works on partitions.

pub mod blocks;
pub mod deferred;
pub mod division;
pub mod event_loop;
pub mod inbox;
pub mod outbox;
pub mod parallel;
pub mod reference;
pub mod returning_credits;
