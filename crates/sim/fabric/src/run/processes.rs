//! The calls that a run needs of the processes that share it: to exchange numbers, and to send each
//! other bytes.
//!
//! Every process builds the same run and has neighbouring partitions of it. All processes make the
//! same calls in the same order. The model does not know what carries the bytes (MPI, threads of a
//! test).

use serde::{Deserialize, Serialize};

pub use crate::model::error::ProcessLost;
pub use crate::model::share::ProcessShare;

/// The processes that share a run. All make the same calls in the same order.
pub trait Processes {
    /// The number of this process.
    fn share(&self) -> ProcessShare;

    /// Fills `all` with the values of every process, in the order of their numbers. Each gives the
    /// same number of values.
    ///
    /// # Errors
    /// [`ProcessLost`].
    fn all_gather(&mut self, own: &[u64], all: &mut Vec<u64>) -> Result<(), ProcessLost>;

    /// Sends bytes to each process, including itself, and returns the bytes from each.
    ///
    /// # Errors
    /// [`ProcessLost`].
    fn exchange(&mut self, to: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, ProcessLost>;
}

/// A single process, with the whole run.
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleProcess;

impl Processes for SingleProcess {
    fn share(&self) -> ProcessShare {
        ProcessShare::WHOLE
    }

    fn all_gather(&mut self, own: &[u64], all: &mut Vec<u64>) -> Result<(), ProcessLost> {
        all.clear();
        all.extend_from_slice(own);
        Ok(())
    }

    fn exchange(&mut self, to: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, ProcessLost> {
        Ok(to)
    }
}

/// Whether a step has failed in any process. Returns the error's words, the first process that
/// failed, and whether all failed alike.
///
/// # Errors
/// [`ProcessLost`].
pub fn failures(processes: &mut dyn Processes, own: Option<&str>) -> Result<Option<Failed>, ProcessLost> {
    let share = processes.share();
    let mut all = Vec::new();
    processes.all_gather(&[u64::from(own.is_some())], &mut all)?;
    let count = all.iter().sum::<u64>() as u32;
    if count == 0 {
        return Ok(None);
    }
    let words = own.unwrap_or_default().as_bytes().to_vec();
    let texts = processes.exchange(vec![words; share.count as usize])?;
    let first = all.iter().position(|&failed| failed > 0).unwrap_or(0);
    let words = String::from_utf8_lossy(&texts[first]).into_owned();
    let alike = all.iter().zip(&texts).filter(|(failed, words)| **failed > 0 && **words == texts[first]).count() as u32;
    Ok(Some(Failed { first: first as u32, words, is_everywhere: alike == share.count }))
}

/// A step that failed in one or more processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The first process in which it failed.
    pub first: u32,
    /// The error of that process.
    pub words: String,
    /// Whether it failed in all processes, with the same words.
    pub is_everywhere: bool,
}

/// Encodes a value for another process.
pub fn packed<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("plain values have bytes")
}

/// Decodes a value of another process.
///
/// # Errors
/// [`ProcessLost`] if the bytes are not such a value.
pub fn unpacked<T: for<'b> Deserialize<'b>>(from: usize, bytes: &[u8]) -> Result<T, ProcessLost> {
    postcard::from_bytes(bytes).map_err(|error| {
        ProcessLost(format!(
            "what process {from} sent cannot be read ({error}): the same program everywhere would work"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_partition_has_one_owner_and_every_process_has_a_partition() {
        for count in 1..9_u32 {
            for items in count as usize..40 {
                let mut next = 0;
                for number in 0..count {
                    let share = ProcessShare { number, count };
                    let own = share.of(items);
                    assert_eq!(own.start, next, "{items} among {count}");
                    assert!(!own.is_empty());
                    own.clone().for_each(|item| assert_eq!(share.owner(item, items), number));
                    next = own.end;
                }
                assert_eq!(next, items);
            }
        }
    }

    #[test]
    fn a_single_process_reports_its_own_failures() {
        assert_eq!(failures(&mut SingleProcess, None), Ok(None));
        let failed = Failed { first: 0, words: "no".to_owned(), is_everywhere: true };
        assert_eq!(failures(&mut SingleProcess, Some("no")), Ok(Some(failed)));
    }
}
