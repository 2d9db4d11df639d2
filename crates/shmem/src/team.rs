//! Teams: ordered sets of PEs.

use std::ptr::NonNull;
use std::sync::atomic::Ordering;

use crate::abi::{CTX_DEFAULT, FAR, TeamHandle, Way};
use crate::error::Error;
use crate::memory::Memory;
use crate::runtime::{Runtime, runtime};

/// PEs of the world, by their number in a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members {
    world: Box<[u32]>,
    /// The difference of neighbours, where it is the same between all.
    stride: Option<i64>,
}

impl Members {
    /// In this order.
    #[must_use]
    pub fn new(world: Vec<u32>) -> Self {
        let step = |pair: &[u32]| i64::from(pair[1]) - i64::from(pair[0]);
        let stride = world.get(..2).map_or(1, step);
        let is_even = world.windows(2).all(|pair| step(pair) == stride);
        Self { world: world.into(), stride: is_even.then_some(stride) }
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.world.len() as u32
    }

    /// Whether there is nobody, which no team is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.world.is_empty()
    }

    /// The PE of the world that has this number in the team.
    #[must_use]
    pub fn world(&self, number: u32) -> Option<u32> {
        self.world.get(number as usize).copied()
    }

    /// All, in their order.
    #[must_use]
    pub fn all(&self) -> &[u32] {
        &self.world
    }

    /// The number in the team of a PE of the world.
    #[must_use]
    pub fn number(&self, world: u32) -> Option<u32> {
        let first = *self.world.first()?;
        if let Some(stride) = self.stride {
            let away = i64::from(world) - i64::from(first);
            let number = if stride == 0 { i64::from(away != 0) } else { away / stride };
            let number = u32::try_from(number).ok()?;
            return (self.world(number)? == world).then_some(number);
        }
        self.world.iter().position(|&member| member == world).map(|number| number as u32)
    }
}

/// `shmem_team_config_t`. Source: OpenSHMEM 1.6. Status: published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct TeamConfig {
    /// How many contexts the program means to make of it: advice.
    pub num_contexts: i32,
}

/// A team, as a PE that is in it has it.
#[derive(Debug)]
pub struct Team {
    /// Who is in it.
    pub members: Members,
    /// This PE's number in it.
    pub me: u32,
    /// Where the members' memory lies here, by their number in the team.
    pub ways: Box<[Way]>,
    /// The slot in the collective area of every member, the same with all.
    pub slot: u32,
    /// What the program said about contexts; see [`TeamConfig`].
    pub config: TeamConfig,
    /// What programs hold.
    pub handle: NonNull<TeamHandle>,
}
