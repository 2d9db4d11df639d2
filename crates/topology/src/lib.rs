//! Who is wired to whom: dragonfly, fat tree, any graph; built-in systems.
