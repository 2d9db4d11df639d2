//! Congestion laws behind one interface: slingshot, none, aries, ecn.
