//! The order in which a pipeline stage processes micro-batches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Order of the micro-batches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PipelineSchedule {
    /// One forward, one backward: after one forward for each later stage, the two alternate.
    #[default]
    #[serde(rename = "1f1b")]
    OneForwardOneBackward,
    /// All forwards, then all backwards.
    #[serde(rename = "gpipe")]
    Gpipe,
}

/// The next work of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The forward pass of a micro-batch.
    Forward(u32),
    /// The backward pass of a micro-batch.
    Backward(u32),
    /// Messages with the neighbours, at the same time. Each is the number of a micro-batch.
    Messages(Messages),
}

/// Messages with the stages before and after, at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Messages {
    /// Activations come from the stage before.
    pub input: Option<u32>,
    /// Activations go to the stage after.
    pub output: Option<u32>,
    /// Gradients come from the stage after.
    pub gradient_in: Option<u32>,
    /// Gradients go to the stage before.
    pub gradient_out: Option<u32>,
}

impl PipelineSchedule {
    /// Forward passes before the first backward pass of a stage.
    fn ahead(self, stage: u32, stages: u32, micro_batches: u32) -> u32 {
        match self {
            Self::OneForwardOneBackward => (stages - stage - 1).min(micro_batches),
            Self::Gpipe => micro_batches,
        }
    }

    /// Slot number `number` of a step; `None` after the last.
    ///
    /// Matching sends and receives of two stages start at the same time, so that no stage waits for
    /// a buffer.
    pub(super) fn slot(self, number: u32, stage: u32, stages: u32, micro_batches: u32) -> Option<Slot> {
        let ahead = self.ahead(stage, stages, micro_batches);
        let steady = micro_batches - ahead;
        // First the forward passes, each with its messages before and after.
        if number < 3 * ahead {
            let micro = number / 3;
            return Some(match number % 3 {
                0 => Slot::Messages(Messages { input: Some(micro), ..Messages::default() }),
                1 => Slot::Forward(micro),
                _ => Slot::Messages(Messages { output: Some(micro), ..Messages::default() }),
            });
        }
        let number = number - 3 * ahead;
        // Then pairs; the first input comes before them.
        if steady > 0 && number == 0 {
            return Some(Slot::Messages(Messages { input: Some(ahead), ..Messages::default() }));
        }
        let number = number - u32::from(steady > 0);
        if number < 4 * steady {
            let pair = number / 4;
            let next = (pair + 1 < steady).then_some(ahead + pair + 1);
            return Some(match number % 4 {
                0 => Slot::Forward(ahead + pair),
                1 => Slot::Messages(Messages {
                    output: Some(ahead + pair),
                    gradient_in: Some(pair),
                    ..Messages::default()
                }),
                2 => Slot::Backward(pair),
                _ => Slot::Messages(Messages { gradient_out: Some(pair), input: next, ..Messages::default() }),
            });
        }
        // Last the remaining backward passes.
        let number = number - 4 * steady;
        let micro = steady + number / 3;
        (micro < micro_batches).then_some(match number % 3 {
            0 => Slot::Messages(Messages { gradient_in: Some(micro), ..Messages::default() }),
            1 => Slot::Backward(micro),
            _ => Slot::Messages(Messages { gradient_out: Some(micro), ..Messages::default() }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(schedule: PipelineSchedule, stage: u32, stages: u32, micro_batches: u32) -> Vec<Slot> {
        (0..).map_while(|number| schedule.slot(number, stage, stages, micro_batches)).collect()
    }

    #[test]
    fn every_micro_batch_goes_once_forwards_then_backwards_with_its_messages() {
        for schedule in [PipelineSchedule::OneForwardOneBackward, PipelineSchedule::Gpipe] {
            for (stages, micro_batches) in [(1, 1), (1, 5), (4, 1), (4, 4), (4, 9), (7, 3)] {
                for stage in 0..stages {
                    let all = slots(schedule, stage, stages, micro_batches);
                    for micro in 0..micro_batches {
                        let at = |wanted: &dyn Fn(&Slot) -> bool| {
                            let places: Vec<usize> = (0..all.len()).filter(|&place| wanted(&all[place])).collect();
                            assert_eq!(places.len(), 1, "{schedule:?}, stage {stage} of {stages}: {all:?}");
                            places[0]
                        };
                        let message = |get: fn(&Messages) -> Option<u32>| {
                            at(&move |slot| matches!(slot, Slot::Messages(messages) if get(messages) == Some(micro)))
                        };
                        let order = [
                            message(|messages| messages.input),
                            at(&|slot| *slot == Slot::Forward(micro)),
                            message(|messages| messages.output),
                            message(|messages| messages.gradient_in),
                            at(&|slot| *slot == Slot::Backward(micro)),
                            message(|messages| messages.gradient_out),
                        ];
                        assert!(order.is_sorted(), "{order:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn one_forward_one_backward_holds_as_many_micro_batches_as_stages_behind() {
        let all = slots(PipelineSchedule::OneForwardOneBackward, 1, 4, 8);
        let first_back = all.iter().position(|slot| matches!(slot, Slot::Backward(_))).expect("there is one");
        let forwards = all[..first_back].iter().filter(|slot| matches!(slot, Slot::Forward(_))).count();
        assert_eq!(forwards, 3, "two ahead for the stages behind, and its own");
    }
}
