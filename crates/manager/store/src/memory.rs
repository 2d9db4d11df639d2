//! A medium in memory that ends with its last user, for a manager that stores nothing but otherwise
//! behaves the same.

use crate::disk::StorageMedium;
use redb::StorageBackend;
use redb::backends::InMemoryBackend;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Bytes in memory.
#[derive(Debug, Default)]
pub(crate) struct MemoryMedium(Arc<InMemoryBackend>);

impl StorageMedium for MemoryMedium {
    fn open(&self) -> io::Result<Box<dyn StorageBackend>> {
        Ok(Box::new(Shared(Arc::clone(&self.0))))
    }

    fn forget_cached(&self) -> io::Result<()> {
        // There is no cache in front of a disk.
        Ok(())
    }

    fn path(&self) -> &Path {
        Path::new("memory")
    }
}

/// The bytes during one opening: closing it does not remove them.
#[derive(Debug)]
struct Shared(Arc<InMemoryBackend>);

impl StorageBackend for Shared {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.write(offset, data)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Change, DocumentKey, Expect, Store, StoreOptions};

    #[test]
    fn a_store_in_memory_is_a_store() {
        let store = Store::in_memory(StoreOptions::default()).unwrap();
        let key = DocumentKey::new("vlan", "one").unwrap();
        let first = store.commit(Change::new("a", 1).put(key.clone(), Expect::Absent, b"1")).unwrap();
        let second = store.commit(Change::new("a", 2).put(key.clone(), Expect::At(first.revision), b"2")).unwrap();
        assert_eq!(store.at(first.revision).unwrap().get(&key).unwrap().value.as_ref(), b"1");
        assert_eq!(store.snapshot().revision(), second.revision);
        assert!(Store::in_memory(StoreOptions::default()).unwrap().snapshot().is_empty(), "each has its own bytes");
    }
}
