//! Operations on their way.

use std::sync::{Arc, Mutex, MutexGuard};

use philae_cosim::{COPIED, PeerAddress, RankCommand};
use philae_provider::simulated::flags;
use philae_provider::simulated::nic::{
    ChangeKind, MemoryOperation, MemoryResult, MessageEnvelope, RankEndpoint, ReturnCode,
};

/// An initiator and its target.
pub type EndpointPair = (PeerAddress, PeerAddress);

/// What the target's NIC has answered.
#[derive(Debug)]
pub struct Outcome {
    /// The code of its end.
    pub code: ReturnCode,
    /// What was read, for the initiator's memory.
    pub read: Vec<u8>,
    /// Whether its initiator has been told, if it waits to be.
    is_told: bool,
    /// Whether its answer says nothing, because it has not taken effect by then: its initiator is
    /// told later.
    is_late: bool,
    /// Whether the operation has ended for the fabric.
    has_concluded: bool,
    /// Whether its endpoint has its end.
    is_finished: bool,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationKind {
    /// A message.
    Send,
    /// Writes registered memory.
    Put,
    /// Reads registered memory.
    Get,
    /// Changes registered memory.
    Amo,
    /// Tells the initiator of another operation that this has taken effect, after it was answered:
    /// the NIC of its target does that by itself.
    Reply,
}

/// An operation that a rank has issued.
#[derive(Debug)]
pub struct RankOperation {
    pub kind: OperationKind,
    pub command: RankCommand,
    /// Its bytes, if they were copied when it was issued.
    pub bytes: Option<Vec<u8>>,
    /// The endpoint that issued it.
    pub initiator: Arc<RankEndpoint>,
    /// The endpoint that it reaches.
    pub target: Arc<RankEndpoint>,
    pub outcome: Mutex<Outcome>,
    /// Its place among the operations of its initiator at its target, which take effect in order.
    pub place: Option<u64>,
    /// Whether it is a message that ends when it has matched, and says so itself.
    pub awaits_match: bool,
    /// The operation of which a reply tells.
    pub about: Option<Arc<RankOperation>>,
    /// The lock also keeps the initiator from its end while they are copied.
    payload: Mutex<Payload>,
}

/// Bytes of the initiator's memory that have not arrived.
#[derive(Debug, Default)]
struct Payload {
    bytes: PayloadBytes,
    /// Where they go, once a receive has been found for them.
    place: Option<Place>,
}

/// Where bytes of an operation are that were not copied when it was issued.
#[derive(Debug, Default)]
enum PayloadBytes {
    /// In the initiator's memory.
    #[default]
    InPlace,
    /// Here, as they were when they left it.
    Kept(Vec<u8>),
    /// In the memory of the receiver, whose receive has not ended. It is to end with this code.
    Landed(ReturnCode),
}

/// A place in the memory of an endpoint's process.
#[derive(Clone, Debug)]
struct Place {
    endpoint: Arc<RankEndpoint>,
    address: u64,
    length: u64,
}

/// A longer message is not kept when its initiator ends: it goes to its receive at once, which ends
/// when the fabric says so. Source: ours; a copy of this many bytes is nothing beside a process.
/// Status: assumed.
const KEPT_BYTES_MAX: u64 = 1 << 20;

impl RankOperation {
    pub fn new(
        (kind, command): (OperationKind, RankCommand),
        bytes: Option<Vec<u8>>,
        initiator: Arc<RankEndpoint>,
        target: Arc<RankEndpoint>,
    ) -> Self {
        let outcome = Outcome {
            code: ReturnCode::Ok,
            read: Vec::new(),
            is_told: false,
            is_late: false,
            has_concluded: false,
            is_finished: false,
        };
        let (outcome, payload) = (Mutex::new(outcome), Mutex::default());
        let (place, awaits_match, about) = (None, false, None);
        Self { kind, command, bytes, initiator, target, outcome, place, awaits_match, about, payload }
    }

    /// What tells the initiator of an operation that this has taken effect.
    pub fn reply(about: Arc<Self>) -> Self {
        let command = (OperationKind::Reply, RankCommand::default());
        let (from, to) = (Arc::clone(&about.target), Arc::clone(&about.initiator));
        Self { about: Some(about), ..Self::new(command, Some(Vec::new()), from, to) }
    }

    /// Whether its flags say this.
    pub fn is(&self, flag: u64) -> bool {
        self.command.flags & flag != 0
    }

    /// The order in which it takes effect: that of its initiator's operations at its target.
    pub fn order(&self) -> EndpointPair {
        (self.initiator.address(), self.target.address())
    }

    /// Bytes of its payload at the target.
    pub fn length(&self) -> u64 {
        match (self.kind, &self.bytes) {
            (OperationKind::Amo, _) => self.command.more[3],
            (_, Some(bytes)) => bytes.len() as u64,
            (_, None) => self.command.length,
        }
    }

    /// It as a message. `handle`: by which its target fetches it, or acknowledges its match; 0:
    /// neither.
    pub fn envelope(&self, handle: u64) -> MessageEnvelope {
        MessageEnvelope {
            flags: self.command.flags & !COPIED,
            bits: self.command.bits,
            data: self.command.data,
            source: self.initiator.source(),
            handle,
            length: self.length(),
        }
    }

    fn payload(&self) -> MutexGuard<'_, Payload> {
        self.payload.lock().expect("no panic with it")
    }

    /// The bytes in the initiator's memory.
    pub fn read(&self) -> Result<Vec<u8>, ReturnCode> {
        let mut room = vec![0; self.command.length as usize];
        match self.initiator.read(self.command.address, &mut room) {
            ReturnCode::Ok => Ok(room),
            code => Err(code),
        }
    }

    /// The first bytes of the message are fetched to this place in the memory of its target.
    pub fn goes_to(&self, address: u64, length: u64) {
        self.payload().place = Some(Place { endpoint: Arc::clone(&self.target), address, length });
    }

    /// Its bytes go nowhere.
    pub fn goes_nowhere(&self) {
        self.goes_to(0, 0);
    }

    /// Copies its first bytes to the memory of an endpoint.
    pub fn copy_to(&self, endpoint: &RankEndpoint, address: u64, length: u64) -> ReturnCode {
        let first = |bytes: &[u8]| endpoint.write(address, &bytes[..bytes.len().min(length as usize)]);
        if let Some(bytes) = &self.bytes {
            return first(bytes);
        }
        match &self.payload().bytes {
            PayloadBytes::Landed(code) => *code,
            PayloadBytes::Kept(bytes) => first(bytes),
            PayloadBytes::InPlace => endpoint.copy_from(address, &self.initiator, self.command.address, length),
        }
    }

    /// Takes the bytes of the initiator's memory, because its program may change them from now on:
    /// they have left it, and have not taken effect. Those of a long message whose receive is known
    /// go there.
    pub fn take_bytes(&self) {
        let sends = matches!(self.kind, OperationKind::Send | OperationKind::Put);
        if !sends || self.bytes.is_some() {
            return;
        }
        let mut payload = self.payload();
        if !matches!(payload.bytes, PayloadBytes::InPlace) {
            return;
        }
        payload.bytes = match payload.place.take() {
            Some(Place { length: 0, .. }) => PayloadBytes::Landed(ReturnCode::Ok),
            Some(Place { endpoint, address, length }) if self.command.length > KEPT_BYTES_MAX => {
                PayloadBytes::Landed(endpoint.copy_from(address, &self.initiator, self.command.address, length))
            }
            _ => self.read().map_or_else(PayloadBytes::Landed, PayloadBytes::Kept),
        };
    }

    /// It as an operation on memory.
    pub fn memory(&self) -> MemoryOperation {
        let RankCommand { flags, key, offset, data, .. } = self.command;
        MemoryOperation { flags, key, offset, data, source: self.initiator.source() }
    }

    /// Writes to the target's memory.
    pub fn put(&self) -> MemoryResult {
        let (memory, RankCommand { address, length, .. }) = (self.memory(), self.command);
        if let Some(bytes) = &self.bytes {
            return self.target.put(&memory, bytes);
        }
        match &self.payload().bytes {
            PayloadBytes::Kept(bytes) => self.target.put(&memory, bytes),
            PayloadBytes::Landed(code) => MemoryResult { code: *code, is_noticed: false },
            PayloadBytes::InPlace => self.target.put_from(&memory, &self.initiator, address, length),
        }
    }

    /// Reads the target's memory: what the initiator gets when the operation ends. A long read goes
    /// to its memory at once.
    pub fn get(&self) -> (MemoryResult, Option<Vec<u8>>) {
        let (memory, RankCommand { address, length, .. }) = (self.memory(), self.command);
        if length > KEPT_BYTES_MAX {
            if self.outcome.lock().expect("no panic with it").is_told {
                // It is lost, and has ended.
                return (MemoryResult { code: ReturnCode::Undeliverable, is_noticed: false }, None);
            }
            return (self.target.get_to(&memory, &self.initiator, address, length), None);
        }
        let mut room = vec![0; length as usize];
        let result = self.target.get(&memory, &mut room);
        (result, (result.code == ReturnCode::Ok).then_some(room))
    }

    /// Changes the target's memory.
    pub fn change(&self) -> (MemoryResult, Option<Vec<u8>>) {
        let [numbers, operand, ..] = self.command.more;
        let kind = ChangeKind { operation: numbers as u32, of_type: (numbers >> 32) as u32 };
        let bytes = self.bytes.as_deref().unwrap_or_default();
        let Some(operands) = usize::try_from(operand).ok().and_then(|middle| bytes.split_at_checked(middle)) else {
            return (MemoryResult { code: ReturnCode::Unsupported, is_noticed: false }, None);
        };
        self.target.change(&self.memory(), kind, operands, self.length() as usize)
    }

    /// Notes how it has ended at its target. The first failure stays.
    pub fn answered(&self, code: ReturnCode, read: Vec<u8>) {
        let mut outcome = self.outcome.lock().expect("no panic with it");
        if outcome.code == ReturnCode::Ok {
            outcome.code = code;
        }
        outcome.read = read;
    }

    /// It is lost for good, or its answer is: its initiator learns so without its target.
    pub fn lost(&self) {
        self.answered(ReturnCode::Undeliverable, Vec::new());
        self.outcome.lock().expect("no panic with it").is_told = true;
    }

    /// Whether its initiator gets a value back.
    pub fn returns_value(&self) -> bool {
        self.kind == OperationKind::Get || self.kind == OperationKind::Amo && self.is(flags::FETCHES)
    }

    /// It does not take effect when it arrives: it has come before what it follows, or waits for a
    /// receive. If its initiator waits for that, the target sends a reply.
    pub fn comes_late(&self) {
        if self.awaits_match || self.returns_value() {
            self.outcome.lock().expect("no panic with it").is_late = true;
        }
    }

    /// Whether a reply tells its initiator that it has taken effect.
    pub fn is_late(&self) -> bool {
        self.outcome.lock().expect("no panic with it").is_late
    }

    /// Its initiator learns that the message has matched, or that the operation has taken effect.
    /// Returns whether its program does.
    pub fn acknowledge(&self) -> bool {
        let mut outcome = self.outcome.lock().expect("no panic with it");
        outcome.is_told = true;
        outcome.has_concluded && self.finish(&mut outcome)
    }

    /// Its end at its initiator. Returns whether its program learns of it: of an operation that
    /// takes effect late, a reply tells it.
    pub fn end(&self) -> bool {
        let mut outcome = self.outcome.lock().expect("no panic with it");
        outcome.has_concluded = true;
        (!outcome.is_late || outcome.is_told) && self.finish(&mut outcome)
    }

    /// What was read goes to memory, and the endpoint gets its event, once. Returns whether that is
    /// news for its program: without that the program does not wake up.
    fn finish(&self, outcome: &mut Outcome) -> bool {
        if std::mem::replace(&mut outcome.is_finished, true) {
            return false;
        }
        let place = match self.kind {
            OperationKind::Get => self.command.address,
            _ => self.command.more[2],
        };
        let code = match outcome.code {
            ReturnCode::Ok if !outcome.read.is_empty() => self.initiator.write(place, &outcome.read),
            code => code,
        };
        self.initiator.end(self.command.handle, code);
        !self.is(flags::SILENT) || code != ReturnCode::Ok
    }
}
