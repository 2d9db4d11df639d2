//! The switch: input buffers, virtual output queues, request and grant, credits.
