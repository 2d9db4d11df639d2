//! `barrier`, `broadcast`.

use philae_units::{Bytes, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{boxed, fits_switch, has_root, root_text, rules_choose};
use crate::collective::{BarrierAlgorithm, BroadcastAlgorithm, Case, Collective, SelectionTable};
use crate::error::{WorkloadError, message_size};
use crate::program::RankProgram;
use crate::quantity::{Size, Span};
use crate::workload::{Workload, iterations_text};

/// `barrier`: no rank continues before all have arrived (MPI_Barrier).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Barrier {
    /// Default `auto`.
    pub algorithm: BarrierAlgorithm,
    /// Rules for `auto`; MPICH's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionTable>,
    /// Computation before each. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Barrier {
    /// The collective with its algorithm chosen for `ranks`.
    #[must_use]
    pub fn collective(&self, ranks: u32) -> Collective {
        let algorithm = match self.algorithm {
            BarrierAlgorithm::Auto => {
                SelectionTable::or_mpich(self.selection.as_ref()).barrier(&Case::whole(ranks, Bytes::ZERO, 0))
            }
            chosen => chosen,
        };
        Collective::Barrier { algorithm }
    }
}

impl Workload for Barrier {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        rules_choose("barrier", self.selection.as_ref(), self.algorithm)?;
        if self.collective(ranks).is_offloaded() { fits_switch("barrier", Bytes::ZERO, ranks) } else { Ok(()) }
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        boxed(self.collective(ranks), rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        format!("barrier, {}", iterations_text(self.iterations))
    }

    fn offloads(&self, ranks: u32) -> bool {
        self.collective(ranks).is_offloaded()
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// `broadcast`: one rank's message reaches all ranks (MPI_Bcast).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Broadcast {
    /// The message. Default 8 B. Source: ours. Status: assumed, any size is sensible.
    pub bytes: Size,
    /// The root: the rank that has the message. Default 0.
    pub root: u32,
    /// Default `auto`.
    pub algorithm: BroadcastAlgorithm,
    /// Rules for `auto`; MPICH's when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionTable>,
    /// Computation before each. Default 0.
    pub compute: Span,
    /// Endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Broadcast {
    fn default() -> Self {
        Self {
            bytes: Size::bytes(8),
            root: 0,
            algorithm: BroadcastAlgorithm::Auto,
            selection: None,
            compute: Span::default(),
            iterations: None,
        }
    }
}

impl Broadcast {
    /// The collective with its algorithm chosen for `ranks`.
    #[must_use]
    pub fn collective(&self, ranks: u32) -> Collective {
        let bytes = self.bytes.0;
        let algorithm = match self.algorithm {
            BroadcastAlgorithm::Auto => {
                SelectionTable::or_mpich(self.selection.as_ref()).broadcast(&Case::whole(ranks, bytes, bytes.0))
            }
            chosen => chosen,
        };
        Collective::Broadcast { algorithm, bytes, root: self.root }
    }
}

impl Workload for Broadcast {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        has_root("broadcast", self.root, ranks)?;
        rules_choose("broadcast", self.selection.as_ref(), self.algorithm)?;
        message_size("broadcast", "bytes", self.bytes.0)?;
        if !self.collective(ranks).is_offloaded() {
            return Ok(());
        }
        if self.root != 0 {
            return Err(WorkloadError::OutOfRange {
                workload: "broadcast",
                key: "root",
                found: self.root.into(),
                allowed: "0 with the algorithm switch-offloaded, whose tree has rank 0 as its root".to_owned(),
            });
        }
        fits_switch("broadcast", self.bytes.0, ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        boxed(self.collective(ranks), rank, ranks, self.compute, self.iterations)
    }

    fn describe(&self) -> String {
        let root = root_text("from", self.root);
        format!("broadcast {}{root}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn offloads(&self, ranks: u32) -> bool {
        self.collective(ranks).is_offloaded()
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}
