//! What switches are to have: sections and trees that follow from documents, and the orders that
//! roll them out.

pub mod item;
pub mod rollout;
pub mod sections;
pub mod trees;
