//! What switches are to have: sections and trees that follow from documents, and how they are rolled
//! out.

pub mod item;
pub mod rollout;
pub mod sections;
pub mod trees;
