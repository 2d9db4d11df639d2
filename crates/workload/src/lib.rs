//! Rank programs, patterns, collectives, motifs and placement.
