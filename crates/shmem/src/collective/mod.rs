//! What all members of a team do together.
//!
//! `team.rs`, `lifecycle.rs` and `memory/` call two of its functions: `barrier(team)` (all memory operations of the default
//! context done before, as `shmem_barrier`), and `agree(team, words)`: the bitwise AND of every member's words, with all.
