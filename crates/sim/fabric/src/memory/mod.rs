//! Memory: slabs, tables with stable slots, and prefetching, which only reads ahead.
//!
//! Containers here know nothing of the model. The prefetcher may import `model` to find the memory
//! that an event names, and never changes a state.

pub mod hash_table;
pub mod keyed;
pub mod prefetch;
pub mod prefetch_queue;
pub mod slab;
