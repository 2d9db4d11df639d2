//! Matching where the NIC's list entries are few, or where software matches: what is refused, and
//! what that costs.
//!
//! The rules are those of `nic_core::nic` ([`ListEntries`], [`RefusedMessages`]); this module
//! applies them to a run. It is not used where a NIC matches and has as many entries as its
//! processes want, which is Cassini's default.
//!
//! A message that is refused leaves its receiver's NIC. The refusal travels back with the
//! acknowledgement. The sender's NIC keeps the message for `refused_retry_us` and sends all of it
//! again over the fabric. By then the sender's eager send has ended: it ended when the message had
//! been sent for the first time. Messages within a node do not pass the NIC and take no entry.

mod handlers;

use std::collections::VecDeque;

use philae_nic_core::nic::{
    Criteria, EntryOutcome, EntryPlace, ListEntries, MatchMode, Receive, RefusedMessages, SentId,
};
use philae_nic_model::{HostPath, NicParameters};

use crate::model::config::FabricConfig;
use crate::model::error::FabricError;
use crate::model::packet::Header;

/// [`Header::receive_handle`] of a message that has been sent before: its send has ended.
pub const SENT_BEFORE: u32 = u32::MAX - 1;

/// After this many refusals of one message the run fails, because its receiver will not take it.
/// Source: ours. Status: assumed; a second, with the retry time as shipped.
const REFUSALS_MAX: u32 = 1_000;

/// Location of an entry, as the lists keep it: in the NIC.
const IN_NIC: u32 = 0;

/// In the process's memory.
const IN_HOST: u32 = 1;

/// A process's entries, and the receives and messages that have none.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[serde(into = "SavedEntries", try_from = "SavedEntries")]
pub struct RankEntries {
    entries: ListEntries,
    /// Receives that wait for an entry, in the order in which they were posted.
    deferred: VecDeque<Receive>,
    refused: RefusedMessages,
    /// Refusals of messages that have not been taken yet, in order: sender, message and match bits.
    refused_so_far: Vec<(u32, SentId, u64)>,
    /// Messages that software has taken over and that still wait.
    taken_over: u32,
    /// All messages are refused until this time, in picoseconds.
    closed_until: u64,
}

impl RankEntries {
    /// The entries of a process that has not started, behind this NIC.
    pub fn new(nic: &NicParameters) -> Self {
        let capacity = if nic.match_offload { nic.list_entries } else { 0 };
        let mode = if nic.match_offload { nic.match_mode } else { MatchMode::Software };
        let entries = ListEntries::new(mode, capacity);
        Self {
            entries,
            deferred: VecDeque::new(),
            refused: RefusedMessages::default(),
            refused_so_far: Vec::new(),
            taken_over: 0,
            closed_until: 0,
        }
    }

    /// Refuses a message. Returns how often that has happened, including this time.
    fn refuse(&mut self, source: u32, sent: SentId, bits: u64) -> u32 {
        self.refused_so_far.push((source, sent, bits));
        self.refused.refuse(source, sent, bits)
    }

    /// Takes a message.
    fn take(&mut self, source: u32, sent: SentId) {
        self.refused_so_far.retain(|refused| (refused.0, refused.1) != (source, sent));
        self.refused.take(source, sent);
    }

    /// Memory held in addition to `Self`, in bytes. Refusals are not counted.
    pub fn memory_bytes(&self) -> usize {
        self.deferred.capacity() * size_of::<Receive>()
    }
}

/// A receive in a checkpoint, with the fields that a simulation sets.
#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
pub struct SavedReceive {
    bits: u64,
    ignore: u64,
    source: u32,
    context: u64,
    flags: u64,
}

impl SavedReceive {
    /// The saved form of a receive.
    pub const fn of(receive: &Receive) -> Self {
        let Criteria { bits, ignore, source } = receive.criteria;
        Self { bits, ignore, source, context: receive.context, flags: receive.flags }
    }

    /// The receive.
    pub fn restored(&self) -> Receive {
        let mut receive = Receive::new(Criteria::new(self.bits, self.ignore, self.source), 0, 0, self.context);
        receive.flags = self.flags;
        receive
    }
}

/// [`RankEntries`] in a checkpoint.
#[derive(serde::Serialize, serde::Deserialize)]
struct SavedEntries {
    mode: String,
    is_software: bool,
    capacity: u32,
    used: u32,
    deferred: Vec<SavedReceive>,
    refused: Vec<(u32, SentId, u64)>,
    taken_over: u32,
    closed_until: u64,
}

impl From<RankEntries> for SavedEntries {
    fn from(state: RankEntries) -> Self {
        Self {
            mode: state.entries.mode().as_str().to_owned(),
            is_software: state.entries.software_matches(),
            capacity: state.entries.places(),
            used: state.entries.used(),
            deferred: state.deferred.iter().map(SavedReceive::of).collect(),
            refused: state.refused_so_far,
            taken_over: state.taken_over,
            closed_until: state.closed_until,
        }
    }
}

impl TryFrom<SavedEntries> for RankEntries {
    type Error = String;

    fn try_from(saved: SavedEntries) -> Result<Self, String> {
        let mode = MatchMode::named(&saved.mode).ok_or_else(|| format!("'{}' is no mode of matching", saved.mode))?;
        let mut entries = ListEntries::new(mode, saved.capacity);
        if saved.is_software {
            entries.become_software();
        }
        // Takes the last of those in use in addition to the others.
        if let Some(others) = saved.used.checked_sub(1)
            && entries.take_beside(others) != EntryOutcome::At(EntryPlace::Nic)
        {
            return Err(format!("{} of {} list entries are in use", saved.used, saved.capacity));
        }
        let mut refused = RefusedMessages::default();
        for &(source, sent, bits) in &saved.refused {
            refused.refuse(source, sent, bits);
        }
        Ok(Self {
            entries,
            deferred: saved.deferred.iter().map(SavedReceive::restored).collect(),
            refused,
            refused_so_far: saved.refused,
            taken_over: saved.taken_over,
            closed_until: saved.closed_until,
        })
    }
}

/// Whether a process of this fabric may run out of entries, or has software that matches entry by
/// entry.
///
/// # Errors
/// [`FabricError::Parameter`] if that is asked for and the NIC does not match.
pub fn is_limited(config: &FabricConfig) -> Result<bool, FabricError> {
    let nic = &config.nic;
    let is_limited = nic.match_mode == MatchMode::Software || nic.list_entries > 0;
    let asked = if nic.list_entries > 0 { "hardware.nic.list_entries" } else { "hardware.nic.match_mode" };
    let found = if nic.list_entries > 0 { nic.list_entries.to_string() } else { nic.match_mode.as_str().to_owned() };
    if is_limited && !nic.match_offload {
        let works = "it is for a NIC that matches: hardware.nic.match_offload = true would work";
        return Err(FabricError::Parameter { what: asked, found, works });
    }
    if is_limited && config.host.path != HostPath::Messages {
        let works = "it is for data that is matched: hardware.host.path = \"messages\" would work";
        return Err(FabricError::Parameter { what: asked, found, works });
    }
    if nic.list_entries > 0 && nic.refused_retry_us == 0 {
        let works = "at least 1: what is refused is not sent again at once";
        return Err(FabricError::Parameter { what: "hardware.nic.refused_retry_us", found: "0".to_owned(), works });
    }
    let by_software = !nic.match_offload && config.host.path == HostPath::Messages && nic.match_entry_ns > 0;
    Ok(is_limited || by_software)
}

/// The key by which a receiver knows a message.
const fn sent(header: &Header) -> SentId {
    (header.issuer_handle, header.issued)
}
