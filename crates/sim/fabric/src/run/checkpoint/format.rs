//! The bytes of a checkpoint: fields with names and lengths, between a mark and a checksum.
//!
//! ```text
//! "PHILAECK" | format, 4 bytes | field | field | ... | XXH3 of all that, 8 bytes
//! field: bytes of the name, 1 | name | bytes of the value, 8 | value (postcard)
//! ```
//!
//! Numbers are little-endian. The reader verifies the checksum before it parses anything.

use std::io::{self, Read, Seek, SeekFrom, Write};

use philae_results::CHECKPOINT_MARK;
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::Xxh3;

use super::CheckpointError;

/// Layout of the bytes around the fields, and of the fields. Hash tables are saved as they are, so
/// another place of a key in a table is another format. Another division of a system is another
/// format too.
const FORMAT: u32 = 24;

/// Bytes before the first field, and those of the checksum.
const PREFIX: u64 = 12;
const SUFFIX: u64 = 8;

/// Bytes that are read at a time for the checksum.
const BLOCK: usize = 1 << 16;

/// Writes fields.
pub struct Writer<'w> {
    to: &'w mut dyn Write,
    hasher: Xxh3,
}

impl<'w> Writer<'w> {
    /// Begins a checkpoint.
    pub fn new(to: &'w mut dyn Write) -> io::Result<Self> {
        let mut writer = Self { to, hasher: Xxh3::new() };
        writer.put(&CHECKPOINT_MARK)?;
        writer.put(&FORMAT.to_le_bytes())?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.to.write_all(bytes)
    }

    /// Appends fields that another writer has written.
    pub fn append(&mut self, whole: &[u8]) -> io::Result<()> {
        self.put(&whole[PREFIX as usize..whole.len() - SUFFIX as usize])
    }

    /// Ends the checkpoint.
    pub fn finish(self) -> io::Result<()> {
        self.to.write_all(&self.hasher.digest().to_le_bytes())?;
        self.to.flush()
    }
}

impl Writer<'_> {
    /// Writes a value.
    ///
    /// # Errors
    /// [`CheckpointError`] if it cannot be written.
    pub fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), CheckpointError> {
        let bytes = postcard::to_stdvec(value)
            .map_err(|error| CheckpointError::Field { name, what: format!("it cannot be written: {error}") })?;
        let length = u8::try_from(name.len()).expect("names of fields are words");
        let parts: [&[u8]; 4] = [&[length], name.as_bytes(), &(bytes.len() as u64).to_le_bytes(), &bytes];
        parts.into_iter().try_for_each(|part| self.put(part)).map_err(CheckpointError::Write)
    }

    /// Writes a column, whose length the system determines.
    ///
    /// # Errors
    /// As [`field`](Self::field).
    pub fn column<T: Serialize>(&mut self, name: &'static str, value: &Vec<T>) -> Result<(), CheckpointError> {
        self.field(name, value)
    }
}

/// Reads fields.
pub struct Reader<R> {
    from: R,
    /// Bytes of fields that have not been read.
    left: u64,
}

impl<R: Read + Seek> Reader<R> {
    /// Verifies a whole checkpoint, and goes to its first field.
    ///
    /// # Errors
    /// [`CheckpointError`] if it is not a checkpoint, has another format, or is damaged.
    pub fn open(mut from: R) -> Result<Self, CheckpointError> {
        let length = from.seek(SeekFrom::End(0)).map_err(CheckpointError::Read)?;
        from.rewind().map_err(CheckpointError::Read)?;
        let mut mark = Vec::new();
        from.by_ref().take(CHECKPOINT_MARK.len() as u64).read_to_end(&mut mark).map_err(CheckpointError::Read)?;
        if mark != CHECKPOINT_MARK {
            return Err(CheckpointError::NoCheckpoint { found: String::from_utf8_lossy(&mark).into_owned() });
        }
        let left = length.checked_sub(PREFIX + SUFFIX).ok_or(CheckpointError::Short { bytes: length })?;
        let format = number::<4>(&mut from)?;
        if format != u64::from(FORMAT) {
            return Err(CheckpointError::Format { found: format, known: FORMAT });
        }
        let computed = checksum(&mut from, length - SUFFIX)?;
        let written = number::<8>(&mut from)?;
        if computed != written {
            return Err(CheckpointError::Damaged { found: computed, written });
        }
        from.seek(SeekFrom::Start(PREFIX)).map_err(CheckpointError::Read)?;
        Ok(Self { from, left })
    }

    /// Checks that all fields have been read.
    ///
    /// # Errors
    /// [`CheckpointError::Field`] if some have not.
    pub fn finish(self) -> Result<(), CheckpointError> {
        match self.left {
            0 => Ok(()),
            left => Err(CheckpointError::Field { name: "end", what: format!("{left} bytes are left") }),
        }
    }

    /// Skips the field `name`, and all that come before the next of that name.
    ///
    /// # Errors
    /// [`CheckpointError`] if another field is there, or something is incomplete.
    pub fn skip_until_next(&mut self, name: &'static str) -> Result<(), CheckpointError> {
        let mut is_first = true;
        while self.left > 0 {
            let before = self.left;
            let length = self.bytes(name, 1)?;
            let field_name = self.bytes(name, u64::from(length[0]))?;
            match (field_name == name.as_bytes(), is_first) {
                (false, true) => {
                    let what = format!("'{}' is in its place", String::from_utf8_lossy(&field_name));
                    return Err(CheckpointError::Field { name, what });
                }
                (true, false) => {
                    let back = (before - self.left) as i64;
                    self.from.seek_relative(-back).map_err(CheckpointError::Read)?;
                    self.left = before;
                    return Ok(());
                }
                _ => is_first = false,
            }
            let length = number::<8>(&mut self.bytes(name, 8)?.as_slice())?;
            let Some(left) = self.left.checked_sub(length) else {
                let what = format!("it takes {length} bytes, and {} are left", self.left);
                return Err(CheckpointError::Field { name, what });
            };
            self.from.seek_relative(length as i64).map_err(CheckpointError::Read)?;
            self.left = left;
        }
        Ok(())
    }

    fn bytes(&mut self, name: &'static str, count: u64) -> Result<Vec<u8>, CheckpointError> {
        let Some(left) = self.left.checked_sub(count) else {
            let what = format!("it takes {count} bytes, and {} are left", self.left);
            return Err(CheckpointError::Field { name, what });
        };
        let mut bytes = Vec::new();
        self.from.by_ref().take(count).read_to_end(&mut bytes).map_err(CheckpointError::Read)?;
        self.left = left;
        Ok(bytes)
    }
}

/// The checksum of the first `end` bytes.
fn checksum(from: &mut (impl Read + Seek), end: u64) -> Result<u64, CheckpointError> {
    from.rewind().map_err(CheckpointError::Read)?;
    let mut hasher = Xxh3::new();
    let mut block = vec![0; BLOCK];
    let mut left = end;
    while left > 0 {
        let some = left.min(BLOCK as u64) as usize;
        from.read_exact(&mut block[..some]).map_err(CheckpointError::Read)?;
        hasher.update(&block[..some]);
        left -= some as u64;
    }
    Ok(hasher.digest())
}

/// A number of `N` bytes.
fn number<const N: usize>(from: &mut impl Read) -> Result<u64, CheckpointError> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes[..N]).map_err(CheckpointError::Read)?;
    Ok(u64::from_le_bytes(bytes))
}

impl<R: Read + Seek> Reader<R> {
    /// Replaces a value by what was written.
    ///
    /// # Errors
    /// [`CheckpointError`] if it cannot be read, or if another field is there.
    pub fn field<T: DeserializeOwned>(&mut self, name: &'static str, value: &mut T) -> Result<(), CheckpointError> {
        let length = self.bytes(name, 1)?;
        let field_name = self.bytes(name, u64::from(length[0]))?;
        if field_name != name.as_bytes() {
            let what = format!("'{}' is in its place", String::from_utf8_lossy(&field_name));
            return Err(CheckpointError::Field { name, what });
        }
        let length = number::<8>(&mut self.bytes(name, 8)?.as_slice())?;
        let bytes = self.bytes(name, length)?;
        let (read, rest) = postcard::take_from_bytes(&bytes)
            .map_err(|error| CheckpointError::Field { name, what: error.to_string() })?;
        if !rest.is_empty() {
            return Err(CheckpointError::Field { name, what: format!("{} bytes of it are left", rest.len()) });
        }
        *value = read;
        Ok(())
    }

    /// Replaces a column, whose length the system determines.
    ///
    /// # Errors
    /// As [`field`](Self::field); also if it has another length.
    pub fn column<T: DeserializeOwned>(
        &mut self,
        name: &'static str,
        value: &mut Vec<T>,
    ) -> Result<(), CheckpointError> {
        let wanted = value.len();
        self.field(name, value)?;
        if value.len() == wanted {
            return Ok(());
        }
        let what = format!("{} entries, where the run that was built has {wanted}", value.len());
        Err(CheckpointError::Field { name, what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn written() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes).expect("memory takes it");
        writer.field("words", &vec!["one".to_owned(), "two".to_owned()]).expect("memory takes it");
        writer.column("numbers", &vec![7_u64; 300]).expect("memory takes it");
        writer.finish().expect("memory takes it");
        bytes
    }

    fn read(bytes: &[u8]) -> Result<(Vec<String>, Vec<u64>), CheckpointError> {
        let mut reader = Reader::open(Cursor::new(bytes))?;
        let (mut words, mut numbers) = (Vec::new(), vec![0; 300]);
        reader.field("words", &mut words)?;
        reader.column("numbers", &mut numbers)?;
        reader.finish()?;
        Ok((words, numbers))
    }

    #[test]
    fn written_fields_are_read_back() {
        let (words, numbers) = read(&written()).expect("it is whole");
        assert_eq!((words, numbers), (vec!["one".to_owned(), "two".to_owned()], vec![7; 300]));
    }

    #[test]
    fn no_bit_can_change_and_no_byte_be_missing() {
        let whole = written();
        for offset in 0..whole.len() {
            for bit in 0..8 {
                let mut damaged = whole.clone();
                damaged[offset] ^= 1 << bit;
                assert!(read(&damaged).is_err(), "bit {bit} of byte {offset}");
            }
            assert!(read(&whole[..offset]).is_err(), "cut after {offset} bytes");
        }
        assert!(read(&[whole.as_slice(), &[0]].concat()).is_err(), "one byte too many");
    }

    #[test]
    fn fields_of_other_partitions_are_skipped() {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes).expect("memory takes it");
        for part in 0..3_u32 {
            writer.field("part", &part).expect("memory takes it");
            writer.field("words", &vec![part.to_string(); 9]).expect("memory takes it");
        }
        writer.finish().expect("memory takes it");
        let mut reader = Reader::open(Cursor::new(&bytes)).expect("it is whole");
        reader.skip_until_next("part").expect("a part");
        let (mut part, mut words) = (0_u32, Vec::<String>::new());
        reader.field("part", &mut part).expect("the second");
        reader.field("words", &mut words).expect("its words");
        assert_eq!((part, words), (1, vec!["1".to_owned(); 9]));
        reader.skip_until_next("part").expect("the last");
        reader.finish().expect("nothing is left");
        let mut reader = Reader::open(Cursor::new(&bytes)).expect("it is whole");
        assert!(reader.skip_until_next("words").is_err(), "a part comes first");
    }

    #[test]
    fn a_field_of_another_name_is_refused() {
        let bytes = written();
        let mut reader = Reader::open(Cursor::new(&bytes)).expect("it is whole");
        let error = reader.field("numbers", &mut vec![0_u64]).expect_err("words come first");
        assert_eq!(error.to_string(), "'numbers' of the checkpoint cannot be read: 'words' is in its place");
        let mut reader = Reader::open(Cursor::new(&bytes)).expect("it is whole");
        reader.field("words", &mut Vec::<String>::new()).expect("words come first");
        let error = reader.column("numbers", &mut vec![0_u64; 3]).expect_err("300 of them");
        assert!(error.to_string().ends_with("300 entries, where the run that was built has 3"), "{error}");
    }
}
