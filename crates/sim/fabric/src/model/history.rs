//! The inputs of a rank's program so far, which bring a fresh program to the same point.
//!
//! Programs are of many kinds and keep their state to themselves. But their behaviour follows from
//! their inputs, and they see no time. A step usually takes one to three bytes: a completion is its
//! handle, which programs use again.

use std::collections::BTreeSet;

use philae_workload::{Action, OpHandle, RankProgram};
use serde::{Deserialize, Serialize};

/// Codes of steps: the start, a fall-back from the switches, and from here on completions.
const START: u64 = 0;
const FALL_BACK: u64 = 1;
const COMPLETED: u64 = 2;

/// The steps of a program, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// Codes, 7 bits a byte, low ones first; the top bit says that more follow.
    #[serde(with = "serde_bytes_of")]
    steps: Vec<u8>,
    /// Number of its actions, to check that the fresh program does the same.
    actions: u64,
}

/// Bytes as one run of bytes.
mod serde_bytes_of {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(bytes)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        <&[u8]>::deserialize(from).map(<[u8]>::to_vec)
    }
}

impl History {
    /// The program has started, or an operation has completed. The program answered with `actions`
    /// actions.
    pub fn advanced(&mut self, completed: Option<OpHandle>, actions: usize) {
        self.push(completed.map_or(START, |handle| COMPLETED + u64::from(handle.0)));
        self.actions += actions as u64;
    }

    /// The switches have given up its operation.
    pub fn fell_back(&mut self) {
        self.push(FALL_BACK);
    }

    /// Memory held in addition to `Self`, in bytes.
    pub const fn memory_bytes(&self) -> usize {
        self.steps.capacity()
    }

    fn push(&mut self, mut code: u64) {
        while code >= 0x80 {
            self.steps.push(code as u8 | 0x80);
            code >>= 7;
        }
        self.steps.push(code as u8);
    }

    fn codes(&self) -> impl Iterator<Item = u64> + '_ {
        let mut bytes = self.steps.iter();
        std::iter::from_fn(move || {
            let (mut code, mut shift) = (0_u64, 0);
            loop {
                let byte = *bytes.next()?;
                code |= u64::from(byte & 0x7f).wrapping_shl(shift);
                shift += 7;
                if byte & 0x80 == 0 {
                    return Some(code);
                }
            }
        })
    }

    /// Brings a fresh program to the same point.
    ///
    /// # Errors
    /// The difference, if the program does not do what the recorded one did.
    pub fn replay(&self, program: &mut dyn RankProgram) -> Result<(), String> {
        let (mut answers, mut actions) = (Vec::new(), 0_u64);
        // Programs trust their driver: to give them another program's completions would be our
        // mistake.
        let mut outstanding = BTreeSet::new();
        for code in self.codes() {
            let completed =
                match code {
                    START => None,
                    FALL_BACK => {
                        program.fall_back();
                        continue;
                    }
                    completed => {
                        let handle = u32::try_from(completed - COMPLETED).ok().map(OpHandle);
                        let known = handle.filter(|handle| outstanding.remove(handle));
                        Some(known.ok_or_else(|| {
                            format!("operation {} completes, which it has not begun", code - COMPLETED)
                        })?)
                    }
                };
            program.advance(completed, &mut answers);
            actions += answers.len() as u64;
            outstanding.extend(answers.drain(..).filter_map(|answer| match answer {
                Action::Start(handle, _) => Some(handle),
                Action::IterationStart(_) | Action::IterationEnd(_) | Action::Due(_) | Action::Doorbell => None,
            }));
        }
        if actions == self.actions {
            return Ok(());
        }
        Err(format!("it answers with {actions} actions where the one before answered with {}", self.actions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_units::RankId;
    use philae_workload::{Workload, WorkloadSpec};

    fn program(text: &str) -> Box<dyn RankProgram> {
        let spec: WorkloadSpec = toml::from_str(text).expect("a workload");
        spec.program(RankId(1), 4, 7)
    }

    #[test]
    fn a_fresh_program_continues_from_a_saved_history() {
        let text = "kind = 'uniform-random'\nbytes = '20KiB'\niterations = 50";
        let (mut one, mut history, mut pending) = (program(text), History::default(), Vec::new());
        let mut completed = None;
        for _ in 0..20 {
            let mut actions = Vec::new();
            one.advance(completed, &mut actions);
            history.advanced(completed, actions.len());
            pending.extend(actions.iter().filter_map(|action| match action {
                Action::Start(handle, _) => Some(*handle),
                _ => None,
            }));
            completed = Some(pending.remove(pending.len() / 2));
        }
        let mut other = program(text);
        history.replay(other.as_mut()).expect("it is the same");
        while let Some(handle) = completed {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            assert_eq!(one.advance(Some(handle), &mut ours), other.advance(Some(handle), &mut theirs));
            assert_eq!(ours, theirs);
            pending.extend(ours.iter().filter_map(|action| match action {
                Action::Start(handle, _) => Some(*handle),
                _ => None,
            }));
            completed = pending.pop();
        }
        let mut another = program("kind = 'uniform-random'\nbytes = '20KiB'\niterations = 3");
        let error = history.replay(another.as_mut()).expect_err("it ends earlier");
        assert!(error.contains("which it has not begun") || error.contains("actions where"), "{error}");
    }

    #[test]
    fn steps_of_any_size_are_restored() {
        let mut history = History::default();
        let handles = [0, 1, 125, 126, 127, 16_381, 16_382, u32::MAX];
        history.advanced(None, 1);
        handles.iter().for_each(|&handle| history.advanced(Some(OpHandle(handle)), 0));
        history.fell_back();
        let codes: Vec<u64> = history.codes().collect();
        let expected =
            [START].into_iter().chain(handles.map(|handle| COMPLETED + u64::from(handle))).chain([FALL_BACK]);
        assert_eq!(codes, expected.collect::<Vec<_>>());
        assert_eq!(history.steps.len(), 1 + 1 + 1 + 1 + 2 + 2 + 2 + 3 + 5 + 1);
    }
}
