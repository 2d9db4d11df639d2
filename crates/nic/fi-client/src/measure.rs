//! Measurements: the latency of an operation, and the rate with several in flight.

use std::time::{Duration, Instant};

use crate::library::{FiClient, FiClientError, IN, OUT};
use crate::post::MeasuredOperation;

/// Operations in flight when throughput is measured. Source: ours. Status: assumed.
pub const WINDOW: u64 = 16;

/// The role of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasuringRole {
    /// It measures.
    First,
    /// It answers.
    Second,
}

/// The result of a measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurement {
    /// Times of single operations in ns, in order: half the round trip of a message, or the time of
    /// a one-sided operation until its completion.
    pub latencies_ns: Vec<u64>,
    /// Operations with [`WINDOW`] in flight.
    pub operations: u64,
    /// The duration of all of them together, in ns.
    pub elapsed_ns: u64,
}

/// The cost for one process of computing during a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverlapCost {
    /// Times of the message for a process that only waits for it, in ns.
    pub alone_ns: Vec<u64>,
    /// The duration of the computation: the median of those.
    pub compute_ns: u64,
    /// Times of both together, in ns: the longer one if they overlap, their sum if they do not.
    pub both_ns: Vec<u64>,
}

impl FiClient {
    /// Measures the cost of a computation during a message from the first process to the second,
    /// whose receive is posted. The process named by `computes` computes without a library call,
    /// and only it gets times.
    ///
    /// # Errors
    /// [`FiClientError`].
    pub fn overlap(
        &mut self,
        part: MeasuringRole,
        is_tagged: bool,
        bytes: usize,
        rounds: u64,
        computes: MeasuringRole,
    ) -> Result<OverlapCost, FiClientError> {
        let mut found = OverlapCost::default();
        for round in 0..2 * rounds {
            if round == rounds {
                let mut sorted = found.alone_ns.clone();
                sorted.sort_unstable();
                found.compute_ns = sorted.get(sorted.len() / 2).copied().unwrap_or(0);
            }
            let compute = Duration::from_nanos(if part == computes { found.compute_ns } else { 0 });
            let taken = self.one_message(part, is_tagged, bytes, compute)?;
            if part == computes {
                if round < rounds { &mut found.alone_ns } else { &mut found.both_ns }.push(taken);
            }
        }
        Ok(found)
    }

    /// Transfers one message during a computation. Returns the time from when both processes were
    /// ready until both are done, in ns.
    fn one_message(
        &mut self,
        part: MeasuringRole,
        is_tagged: bool,
        bytes: usize,
        compute: Duration,
    ) -> Result<u64, FiClientError> {
        let (out, into) = (self.ended[OUT], self.ended[IN]);
        if part == MeasuringRole::Second {
            self.post_receive(is_tagged, bytes)?;
        }
        self.meet()?;
        let began = Instant::now();
        if part == MeasuringRole::First {
            self.post_send(0, is_tagged, bytes)?;
        }
        while began.elapsed() < compute {
            std::hint::spin_loop();
        }
        // The synchronisation also took one message each way.
        match part {
            MeasuringRole::First => self.wait(OUT, out + 2, "a message's end")?,
            MeasuringRole::Second => self.wait(IN, into + 2, "a message")?,
        }
        Ok(began.elapsed().as_nanos() as u64)
    }

    /// Runs one measurement, while the peer runs its part: a number of single operations, and a
    /// number of windows of them.
    ///
    /// # Errors
    /// [`FiClientError`].
    pub fn measure(
        &mut self,
        part: MeasuringRole,
        operation: MeasuredOperation,
        bytes: usize,
        singles: u64,
        windows: u64,
    ) -> Result<Measurement, FiClientError> {
        let mut measured = Measurement::default();
        let pattern = |at: usize| (at * 31 + bytes) as u8;
        if part == MeasuringRole::First {
            self.bytes(0, bytes).iter_mut().enumerate().for_each(|(at, byte)| *byte = pattern(at));
        }
        self.meet()?;
        match (operation.is_two_sided(), part) {
            (true, _) => {
                self.ping_pong(part, operation == MeasuredOperation::Tagged, bytes, singles, windows, &mut measured)?
            }
            (false, MeasuringRole::First) => self.accesses(operation, bytes, singles, windows, &mut measured)?,
            (false, MeasuringRole::Second) => {}
        }
        // The passive process polls meanwhile, because providers may need it.
        self.meet()?;
        let is_back = operation.is_two_sided() && part == MeasuringRole::First;
        if is_back && self.bytes(1, bytes).iter().enumerate().any(|(at, &byte)| byte != pattern(at)) {
            return Err(FiClientError::Damaged(bytes));
        }
        Ok(measured)
    }

    /// Synchronises the two processes.
    fn meet(&mut self) -> Result<(), FiClientError> {
        let (out, into) = (self.ended[OUT], self.ended[IN]);
        let held = self.bytes(0, 1)[0];
        let came = self.bytes(1, 1)[0];
        self.post_receive(false, 1)?;
        self.post_send(0, false, 1)?;
        self.wait(IN, into + 1, "the other process")?;
        self.wait(OUT, out + 1, "a message to the other process")?;
        (self.bytes(0, 1)[0], self.bytes(1, 1)[0]) = (held, came);
        Ok(())
    }

    fn ping_pong(
        &mut self,
        part: MeasuringRole,
        is_tagged: bool,
        bytes: usize,
        singles: u64,
        windows: u64,
        measured: &mut Measurement,
    ) -> Result<(), FiClientError> {
        for _ in 0..singles {
            let (out, into) = (self.ended[OUT], self.ended[IN]);
            let began = Instant::now();
            self.post_receive(is_tagged, bytes)?;
            if part == MeasuringRole::First {
                self.post_send(0, is_tagged, bytes)?;
            }
            self.wait(IN, into + 1, "a message")?;
            if part == MeasuringRole::Second {
                // The received message is sent back.
                self.post_send(1, is_tagged, bytes)?;
            } else {
                measured.latencies_ns.push(began.elapsed().as_nanos() as u64 / 2);
            }
            self.wait(OUT, out + 1, "a message's end")?;
        }
        let began = Instant::now();
        for _ in 0..windows {
            let (out, into) = (self.ended[OUT], self.ended[IN]);
            for _ in 0..WINDOW {
                match part {
                    MeasuringRole::First => self.post_send(0, is_tagged, bytes)?,
                    MeasuringRole::Second => self.post_receive(is_tagged, bytes)?,
                }
            }
            match part {
                MeasuringRole::First => self.wait(OUT, out + WINDOW, "a window's end")?,
                MeasuringRole::Second => self.wait(IN, into + WINDOW, "a window")?,
            }
            // An answer ends each window.
            self.meet()?;
        }
        (measured.operations, measured.elapsed_ns) = (windows * WINDOW, began.elapsed().as_nanos() as u64);
        Ok(())
    }

    fn accesses(
        &mut self,
        operation: MeasuredOperation,
        bytes: usize,
        singles: u64,
        windows: u64,
        measured: &mut Measurement,
    ) -> Result<(), FiClientError> {
        for _ in 0..singles {
            let out = self.ended[OUT];
            let began = Instant::now();
            self.post_access(operation, bytes)?;
            self.wait(OUT, out + 1, "an operation's end")?;
            measured.latencies_ns.push(began.elapsed().as_nanos() as u64);
        }
        let began = Instant::now();
        for _ in 0..windows {
            let out = self.ended[OUT];
            for _ in 0..WINDOW {
                self.post_access(operation, bytes)?;
            }
            self.wait(OUT, out + WINDOW, "a window's end")?;
        }
        (measured.operations, measured.elapsed_ns) = (windows * WINDOW, began.elapsed().as_nanos() as u64);
        Ok(())
    }
}
