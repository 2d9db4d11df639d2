//! Assembles topology, switches, NICs, routing and congestion into one runnable model.
