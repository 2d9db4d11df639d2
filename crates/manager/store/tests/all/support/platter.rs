//! A disk in memory with realistic faults: full, faulty, power cuts with partial writes.

use super::random::Random;
use philae_store::{StorageBackend, StorageMedium};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

const SECTOR: usize = 512;

#[derive(Clone, Debug)]
enum Operation {
    Write(u64, Vec<u8>),
    Length(u64),
}

impl Operation {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Length(length) => bytes.resize(*length as usize, 0),
            Self::Write(offset, data) => {
                let end = *offset as usize + data.len();
                if bytes.len() < end {
                    bytes.resize(end, 0);
                }
                bytes[*offset as usize..end].copy_from_slice(data);
            }
        }
    }
}

#[derive(Debug)]
struct State {
    /// The durable content of the disk.
    durable: Vec<u8>,
    /// The content that reads see: the system's cache.
    cached: Vec<u8>,
    /// Written and not yet synced.
    pending: Vec<Operation>,
    random: Random,
    /// Probabilities as "one in this many"; 0 for never.
    full_one_in: u64,
    fault_one_in: u64,
    sync_fault_one_in: u64,
    open_fault_one_in: u64,
    /// The capacity in bytes. The file may be longer if it has holes, but nothing is written
    /// beyond.
    capacity: Option<u64>,
    /// Operations until the power is cut.
    power_left: Option<u64>,
    is_off: bool,
    /// Counts handles: those from before a power cut are invalid.
    life: u64,
    syncs: u64,
}

/// The disk. Clones are the same disk.
#[derive(Clone, Debug)]
pub struct Platter(Arc<Mutex<State>>);

impl Platter {
    pub fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(State {
            durable: Vec::new(),
            cached: Vec::new(),
            pending: Vec::new(),
            random: Random(seed),
            full_one_in: 0,
            fault_one_in: 0,
            sync_fault_one_in: 0,
            open_fault_one_in: 0,
            capacity: None,
            power_left: None,
            is_off: false,
            life: 0,
            syncs: 0,
        })))
    }

    pub fn faults(&self, full: u64, fault: u64, sync_fault: u64, open_fault: u64) {
        let mut state = self.0.lock().unwrap();
        state.full_one_in = full;
        state.fault_one_in = fault;
        state.sync_fault_one_in = sync_fault;
        state.open_fault_one_in = open_fault;
    }

    pub fn capacity(&self, bytes: Option<u64>) {
        self.0.lock().unwrap().capacity = bytes;
    }

    pub fn length(&self) -> u64 {
        self.0.lock().unwrap().cached.len() as u64
    }

    pub fn syncs(&self) -> u64 {
        self.0.lock().unwrap().syncs
    }

    /// Blocks every operation until the returned value is dropped.
    pub fn hold(&self) -> impl Drop + '_ {
        self.0.lock().unwrap()
    }

    /// Cuts the power after this many more writes and syncs.
    pub fn cut_power_after(&self, operations: u64) {
        self.0.lock().unwrap().power_left = Some(operations);
    }

    /// Cuts the power if it is still on, then switches it on again. Any part of the unsynced data
    /// may be there.
    pub fn restart(&self) {
        let mut state = self.0.lock().unwrap();
        state.life += 1;
        state.is_off = false;
        state.power_left = None;
        let pending = std::mem::take(&mut state.pending);
        let mut durable = std::mem::take(&mut state.durable);
        // The system may have written all of it in time, none of it, or some.
        let fate = state.random.below(3);
        for operation in pending {
            match operation {
                whole if fate == 0 => whole.apply(&mut durable),
                _ if fate == 1 || state.random.one_in(2) => {}
                Operation::Write(offset, data) if state.random.one_in(3) => {
                    for (place, sector) in data.chunks(SECTOR).enumerate() {
                        if state.random.one_in(2) {
                            Operation::Write(offset + (place * SECTOR) as u64, sector.to_vec()).apply(&mut durable);
                        }
                    }
                }
                whole => whole.apply(&mut durable),
            }
        }
        state.cached.clone_from(&durable);
        state.durable = durable;
    }
}

fn fault() -> io::Error {
    io::Error::other("the disk reports a fault")
}

impl State {
    /// Whether the power is still on for one more operation of a handle of `life`.
    fn spend(&mut self, life: u64) -> io::Result<()> {
        if self.power_left == Some(0) {
            self.is_off = true;
        }
        if self.is_off || life != self.life {
            return Err(fault());
        }
        if let Some(left) = &mut self.power_left {
            *left -= 1;
        }
        Ok(())
    }
}

impl StorageMedium for Platter {
    fn open(&self) -> io::Result<Box<dyn StorageBackend>> {
        let mut state = self.0.lock().unwrap();
        let one_in = state.open_fault_one_in;
        if state.is_off || state.random.one_in(one_in) {
            return Err(fault());
        }
        Ok(Box::new(Handle { platter: self.clone(), life: state.life }))
    }

    fn forget_cached(&self) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        let mut bytes = state.durable.clone();
        state.pending.iter().for_each(|operation| operation.apply(&mut bytes));
        state.cached = bytes;
        Ok(())
    }

    fn path(&self) -> &Path {
        Path::new("platter")
    }
}

#[derive(Debug)]
struct Handle {
    platter: Platter,
    life: u64,
}

impl StorageBackend for Handle {
    fn len(&self) -> io::Result<u64> {
        Ok(self.platter.length())
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let state = self.platter.0.lock().unwrap();
        if state.is_off || self.life != state.life {
            return Err(fault());
        }
        let start = offset as usize;
        let part = state.cached.get(start..start + out.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        out.copy_from_slice(part);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut state = self.platter.0.lock().unwrap();
        state.spend(self.life)?;
        let operation = Operation::Length(length);
        operation.apply(&mut state.cached);
        state.pending.push(operation);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut state = self.platter.0.lock().unwrap();
        state.spend(self.life)?;
        state.syncs += 1;
        let pending = std::mem::take(&mut state.pending);
        let mut durable = std::mem::take(&mut state.durable);
        let one_in = state.sync_fault_one_in;
        let is_faulty = state.random.one_in(one_in);
        for operation in pending {
            // After a failed sync the system counts data as written that may be lost, and never
            // writes it again.
            if !is_faulty || state.random.one_in(2) {
                operation.apply(&mut durable);
            }
        }
        state.durable = durable;
        if is_faulty { Err(fault()) } else { Ok(()) }
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut state = self.platter.0.lock().unwrap();
        state.spend(self.life)?;
        let (full, faulty) = (state.full_one_in, state.fault_one_in);
        let is_beyond = state.capacity.is_some_and(|capacity| offset + data.len() as u64 > capacity);
        let error = if is_beyond || state.random.one_in(full) {
            Some(io::Error::from(io::ErrorKind::StorageFull))
        } else if state.random.one_in(faulty) {
            Some(fault())
        } else {
            None
        };
        // A failing write may have written a part.
        let length = if error.is_some() { state.random.below(data.len() as u64) as usize } else { data.len() };
        if length > 0 {
            let operation = Operation::Write(offset, data[..length].to_vec());
            operation.apply(&mut state.cached);
            state.pending.push(operation);
        }
        error.map_or(Ok(()), Err)
    }
}
