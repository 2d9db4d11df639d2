//! Which way a packet goes: minimal, Valiant, adaptive; deadlock freedom by channel classes.
