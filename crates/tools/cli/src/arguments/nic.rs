//! The command lines of `nic`.

use clap::{Args, Subcommand, ValueEnum};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae nic stat
  philae nic stat --clean
  philae nic bench send --compare shm")]
pub struct NicArguments {
    #[command(subcommand)]
    pub what: NicCommand,
}

#[derive(Debug, Subcommand)]
pub enum NicCommand {
    /// List the NICs of this host with their virtual networks and endpoints: owners, memory,
    /// transports to their peers, and the remains of dead processes.
    #[command(after_help = "\
Examples:
  philae nic stat
  philae nic stat --clean
      free the memory of endpoints whose processes have died")]
    Stat(StatArguments),
    /// Measure an operation between two processes of this host: latency, bandwidth and rate by size.
    Bench(NicBenchArguments),
    /// One of the two processes of a measurement.
    #[command(hide = true)]
    BenchWorker(WorkerArguments),
}

#[derive(Args, Debug)]
pub struct StatArguments {
    /// Free the memory of endpoints whose processes have died.
    #[arg(long)]
    pub clean: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae nic bench send  latency, bandwidth and rate by size
  philae nic bench write latency --size 8:64K
  philae nic bench tsend --compare shm --compare 'tcp;ofi_rxm'
      with ratios to other providers, in alternating runs
  philae nic bench tsend --compare philae/udp
      the transport between hosts, on this host
  philae nic bench tsend overlap --size 64K:4M
      cost of a computation during a message
  philae nic bench atomic --json

Latency is half of a message's round trip; of one-sided operations, the time until the completion. Bandwidth and rate are with 16
operations in flight. Overlap is the part of a message's time that is hidden behind a computation as long as the message, with no call
of the library in it: 100 % if it costs nothing, 0 % if one follows the other. libfabric is opened at run time (libfabric.so.1; Debian's package libfabric1).")]
pub struct NicBenchArguments {
    /// What is measured.
    #[arg(value_enum, value_name = "OPERATION")]
    pub operation: OperationName,
    /// Columns of the table, or `overlap`. Default: all columns.
    #[arg(value_enum, value_name = "METRIC")]
    pub metric: Option<Metric>,
    /// Sizes in bytes: a range by powers of two, 8:4M, or a list, 8,1K,64K. Default: 8:4M, and 8 for atomic.
    #[arg(long, value_name = "SIZES", value_parser = sizes)]
    pub size: Option<MessageSizes>,
    /// The provider, by its libfabric name; philae/udp is Philae's transport between hosts.
    #[arg(long, value_name = "NAME", default_value = "philae")]
    pub provider: String,
    /// Another provider, measured in alternating runs. Can be repeated.
    #[arg(long, value_name = "NAME")]
    pub compare: Vec<String>,
}

#[derive(Args, Debug)]
pub struct WorkerArguments {
    #[arg(value_enum)]
    pub operation: OperationName,
    pub provider: String,
    pub bytes: usize,
    /// Whether it is the one that measures.
    #[arg(long)]
    pub first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OperationName {
    Send,
    Tsend,
    Write,
    Read,
    Atomic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Metric {
    Latency,
    Bandwidth,
    Rate,
    /// What a computation beside a message costs its receiver and its sender.
    Overlap,
}

#[derive(Clone, Debug)]
pub struct MessageSizes(pub Vec<usize>);

/// Largest message. Source: ours. Status: assumed.
pub const BYTES_MAX: usize = 256 << 20;

pub fn sizes(text: &str) -> Result<MessageSizes, String> {
    let one = |word: &str| {
        let word = word.trim();
        let (digits, unit) = match word.chars().last() {
            Some('K' | 'k') => (&word[..word.len() - 1], 1 << 10),
            Some('M' | 'm') => (&word[..word.len() - 1], 1 << 20),
            _ => (word, 1),
        };
        let size = philae_units::scaled_integer(digits, unit).ok().and_then(|bytes| usize::try_from(bytes).ok());
        size.filter(|size| (1..=BYTES_MAX).contains(size))
            .ok_or_else(|| "1 to 256M would work: 8:4M or 8,1K,64K".to_owned())
    };
    if let Some((from, to)) = text.split_once(':') {
        let (from, to) = (one(from)?, one(to)?);
        let list: Vec<usize> =
            std::iter::successors(Some(from), |size| Some(size * 2)).take_while(|&size| size <= to).collect();
        return if list.is_empty() {
            Err(format!("{to} is less than {from}: 8:4M would work"))
        } else {
            Ok(MessageSizes(list))
        };
    }
    text.split(',').map(one).collect::<Result<_, _>>().map(MessageSizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_ranges_or_lists() {
        let of = |text: &str| sizes(text).map(|sizes| sizes.0);
        assert_eq!(of("8:64"), Ok(vec![8, 16, 32, 64]));
        assert_eq!(of("1K,3,2M"), Ok(vec![1_024, 3, 2 << 20]));
        for wrong in ["0", "x", "64:8", "1G", "", "8:"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
