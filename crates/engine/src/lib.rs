//! Event engine: calendar, total event order, random streams, run digest, stall watchdog.
