//! The scenario file: one typed tree, unknown keys rejected, resolved and reproducible.
