//! The format of datagrams: bytes to values and back. Network byte order throughout;
//! `docs/nic/transport.md` has the pictures.

/// First bytes of each datagram. Source: ours, "PHNW". Status: assumed.
const MAGIC: u16 = 0x5048;
/// The format that this file describes. Source: ours. Status: assumed.
const VERSION: u8 = 1;
/// Bytes of the common part, before the part that depends on the kind.
const COMMON_BYTES: usize = 20;
/// Bytes of an opening or acceptance: the common part and the greeting.
const GREETING_BYTES: usize = COMMON_BYTES + FROM_BYTES;
/// Bytes of traffic without its optional parts. Source: the format below. Status: derived.
pub const TRAFFIC_BYTES: usize = COMMON_BYTES + 8;
/// Bytes of the part that identifies the sender. Source: the format below. Status: derived.
pub const FROM_BYTES: usize = 20;
/// Bytes of an acknowledgement without its ranges. Source: the format below. Status: derived.
pub const ACK_BYTES: usize = 24;
/// Bytes of one range. Source: the format below. Status: derived.
pub const RANGE_BYTES: usize = 8;
/// Bytes before those of a segment. Source: the format below. Status: derived.
pub const DATA_BYTES: usize = 8;
/// Bytes before a message that is sent once. Source: the format below. Status: derived.
pub const ONCE_BYTES: usize = 4;
/// Most ranges in one acknowledgement. Source: ours. Status: assumed.
pub const RANGES_MAX: usize = 32;
/// The index of a connection that the far end does not know yet. Source: ours. Status: assumed.
pub const UNKNOWN_INDEX: u32 = u32::MAX;

const KIND_OPEN: u8 = 1;
const KIND_ACCEPT: u8 = 2;
const KIND_TRAFFIC: u8 = 3;
const KIND_UNKNOWN: u8 = 4;

const FLAG_FROM: u8 = 1;
const FLAG_ACK: u8 = 1 << 1;
const FLAG_ECHO: u8 = 1 << 2;
const FLAG_ASK: u8 = 1 << 3;
const FLAG_BYE: u8 = 1 << 4;
const FLAG_DATA: u8 = 1 << 5;
const FLAG_ONCE: u8 = 1 << 6;
const FLAGS: u8 = (1 << 7) - 1;

/// Why bytes are not a datagram of this transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// Fewer or more bytes than the kind has.
    #[error("{0} B is no length of a datagram of its kind")]
    Length(usize),
    /// Not a datagram of this transport.
    #[error("not a datagram of this transport")]
    Magic,
    /// Another version.
    #[error("the datagram has version {0}; this NIC reads version 1")]
    Version(u8),
    /// The check sum is wrong: bytes changed in transit.
    #[error("the checksum is wrong: bytes changed in transit")]
    Damaged,
    /// A kind, flag or number without a meaning.
    #[error("the field `{0}` has an undefined value")]
    Field(&'static str),
}

/// One end of a connection: the number by which its NIC knows it, and the key that only the two
/// ends know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionEnd {
    /// The NIC's number for the connection, or [`UNKNOWN_INDEX`].
    pub index: u32,
    /// The key; never 0.
    pub key: u64,
}

/// The state that an end reports of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The sender's end.
    pub from: ConnectionEnd,
    pub lane: u8,
    /// Bytes that may at first be sent to it.
    pub window: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datagram<'d> {
    /// Requests a key.
    Open(Greeting),
    /// Gives the key for the rest of the connection; it changes no state at its sender.
    Accept {
        /// The end that asked.
        to: ConnectionEnd,
        /// The end that answers, as it will be.
        from: Greeting,
    },
    /// Traffic of a connection.
    Traffic(ConnectionTraffic<'d>),
    /// The answer to traffic whose key is unknown here.
    Unknown {
        /// The identity that the traffic named.
        refused: ConnectionEnd,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionTraffic<'d> {
    /// The receiver's end.
    pub to: ConnectionEnd,
    /// When it was sent, by the sender's clock, in units of 1024 ns; wraps.
    pub stamp: u32,
    /// Requests an immediate acknowledgement.
    pub ask: bool,
    /// The sender closes.
    pub bye: bool,
    /// The sender, for as long as the far end may not know it.
    pub from: Option<Greeting>,
    /// What the sender has received.
    pub acknowledgement: Option<Acknowledgement<'d>>,
    /// A segment: its position in the byte stream, and its bytes (at least one).
    pub data: Option<(u64, &'d [u8])>,
    /// A message that is sent once and is not part of the stream: its number, and its bytes (at
    /// least one).
    pub once: Option<(u32, &'d [u8])>,
}

/// What an end has received of the other end's byte stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acknowledgement<'d> {
    /// The handler has taken all bytes below this.
    pub cumulative: u64,
    /// How many bytes beyond may be sent.
    pub window: u32,
    /// The stamp of a segment, and how long ago it arrived, in units of the stamp.
    pub echo: Option<(u32, u32)>,
    /// Datagrams that arrived with the network's mark of congestion; wraps.
    pub marks: u32,
    /// Ranges beyond `cumulative`, as in the datagram; see [`Acknowledgement::ranges`].
    pub raw_ranges: &'d [u8],
}

impl Acknowledgement<'_> {
    /// The ranges kept beyond `cumulative`, as first byte and end, in order and disjoint.
    pub fn ranges(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.raw_ranges.chunks_exact(RANGE_BYTES).map(|range| {
            let start = self.cumulative + u64::from(u32_at(range, 0));
            (start, start + u64::from(u32_at(range, 4)))
        })
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4].iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) << 32 | u64::from(u32_at(bytes, at + 4))
}

fn check_sum(datagram: &[u8], rest: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&datagram[..4]);
    hasher.update(&datagram[8..]);
    hasher.update(rest);
    hasher.finalize()
}

/// Writes the check sum into an otherwise complete datagram.
///
/// # Panics
/// If it is shorter than any datagram.
pub fn seal(datagram: &mut [u8]) {
    seal_with(datagram, &[]);
}

/// Like [`seal`], but the datagram's last bytes lie elsewhere.
pub(super) fn seal_with(datagram: &mut [u8], rest: &[u8]) {
    let sum = check_sum(datagram, rest);
    datagram[4..8].copy_from_slice(&sum.to_be_bytes());
}

fn greeting(bytes: &[u8]) -> Result<Greeting, HeaderError> {
    let from = ConnectionEnd { index: u32_at(bytes, 0), key: u64_at(bytes, 4) };
    match bytes {
        _ if from.key == 0 => Err(HeaderError::Field("key")),
        [.., 0, 0, 0, _, _, _, _] => Ok(Greeting { from, lane: bytes[12], window: u32_at(bytes, 16) }),
        _ => Err(HeaderError::Field("reserved")),
    }
}

/// Splits `bytes` off the front.
fn split<'d>(rest: &mut &'d [u8], bytes: usize, whole: usize) -> Result<&'d [u8], HeaderError> {
    let (part, left) = rest.split_at_checked(bytes).ok_or(HeaderError::Length(whole))?;
    *rest = left;
    Ok(part)
}

impl<'d> Datagram<'d> {
    /// Reads a datagram.
    ///
    /// # Errors
    /// [`HeaderError`], for any bytes that [`Datagram::write`] and [`seal`] do not produce.
    pub fn parse(bytes: &'d [u8]) -> Result<Self, HeaderError> {
        let whole = bytes.len();
        if whole < COMMON_BYTES {
            return Err(HeaderError::Length(whole));
        }
        if bytes[..2] != MAGIC.to_be_bytes() {
            return Err(HeaderError::Magic);
        }
        if bytes[2] != VERSION {
            return Err(HeaderError::Version(bytes[2]));
        }
        if u32_at(bytes, 4) != check_sum(bytes, &[]) {
            return Err(HeaderError::Damaged);
        }
        let to = ConnectionEnd { index: u32_at(bytes, 8), key: u64_at(bytes, 12) };
        let rest = &bytes[COMMON_BYTES..];
        let exactly = |wanted: usize| if whole == wanted { Ok(()) } else { Err(HeaderError::Length(whole)) };
        match bytes[3] {
            KIND_OPEN => {
                exactly(GREETING_BYTES)?;
                let unknown = ConnectionEnd { index: UNKNOWN_INDEX, key: 0 };
                if to == unknown { greeting(rest).map(Self::Open) } else { Err(HeaderError::Field("to")) }
            }
            _ if to.key == 0 => Err(HeaderError::Field("key")),
            KIND_ACCEPT => {
                exactly(GREETING_BYTES)?;
                Ok(Self::Accept { to, from: greeting(rest)? })
            }
            KIND_UNKNOWN => {
                exactly(COMMON_BYTES)?;
                Ok(Self::Unknown { refused: to })
            }
            KIND_TRAFFIC => ConnectionTraffic::parse(to, rest, whole).map(Self::Traffic),
            _ => Err(HeaderError::Field("kind")),
        }
    }

    /// Writes a datagram, except for the bytes of a segment and the check sum. Returns the length
    /// written.
    ///
    /// # Panics
    /// If `out` is too short.
    pub fn write(&self, out: &mut [u8]) -> usize {
        let mut writer = Writer { out, at: 0 };
        let (kind, to) = match self {
            Self::Open(_) => (KIND_OPEN, ConnectionEnd { index: UNKNOWN_INDEX, key: 0 }),
            Self::Accept { to, .. } => (KIND_ACCEPT, *to),
            Self::Traffic(traffic) => (KIND_TRAFFIC, traffic.to),
            Self::Unknown { refused } => (KIND_UNKNOWN, *refused),
        };
        writer.put(&MAGIC.to_be_bytes());
        writer.put(&[VERSION, kind, 0, 0, 0, 0]);
        writer.identity(to);
        match self {
            Self::Open(from) | Self::Accept { from, .. } => writer.greeting(from),
            Self::Traffic(traffic) => traffic.write(&mut writer),
            Self::Unknown { .. } => {}
        }
        writer.at
    }
}

impl<'d> ConnectionTraffic<'d> {
    fn parse(to: ConnectionEnd, mut rest: &'d [u8], whole: usize) -> Result<Self, HeaderError> {
        let fixed = split(&mut rest, TRAFFIC_BYTES - COMMON_BYTES, whole)?;
        let (flags, count) = (fixed[0], usize::from(fixed[1]));
        let has = |flag| flags & flag != 0;
        if flags & !FLAGS != 0 || fixed[2..4] != [0, 0] {
            return Err(HeaderError::Field("flags"));
        }
        if count > RANGES_MAX || (!has(FLAG_ACK) && (count > 0 || has(FLAG_ECHO))) {
            return Err(HeaderError::Field("ranges"));
        }
        let from = if has(FLAG_FROM) { Some(greeting(split(&mut rest, FROM_BYTES, whole)?)?) } else { None };
        let acknowledgement = if has(FLAG_ACK) {
            let part = split(&mut rest, ACK_BYTES, whole)?;
            let echo = (u32_at(part, 12), u32_at(part, 16));
            if !has(FLAG_ECHO) && echo != (0, 0) {
                return Err(HeaderError::Field("echo"));
            }
            let cumulative = u64_at(part, 0);
            let raw_ranges = split(&mut rest, count * RANGE_BYTES, whole)?;
            let acknowledgement = Acknowledgement {
                cumulative,
                window: u32_at(part, 8),
                echo: has(FLAG_ECHO).then_some(echo),
                marks: u32_at(part, 20),
                raw_ranges,
            };
            let mut end = cumulative;
            if cumulative >> 63 != 0 {
                return Err(HeaderError::Field("cumulative"));
            }
            for (index, (first, last)) in acknowledgement.ranges().enumerate() {
                // The first range may begin at `cumulative`: it is the rest of a segment of which
                // the handler has a part.
                if last == first || first < end || (index > 0 && first == end) {
                    return Err(HeaderError::Field("ranges"));
                }
                end = last;
            }
            Some(acknowledgement)
        } else {
            None
        };
        let data = if has(FLAG_DATA) {
            let offset = u64_at(split(&mut rest, DATA_BYTES, whole)?, 0);
            if offset >> 63 != 0 || rest.is_empty() {
                return Err(HeaderError::Field("segment"));
            }
            Some((offset, rest))
        } else if rest.is_empty() || has(FLAG_ONCE) {
            None
        } else {
            return Err(HeaderError::Length(whole));
        };
        let once = if has(FLAG_ONCE) {
            let number = u32_at(split(&mut rest, ONCE_BYTES, whole)?, 0);
            if has(FLAG_DATA) || rest.is_empty() {
                return Err(HeaderError::Field("once"));
            }
            Some((number, rest))
        } else {
            None
        };
        let (ask, bye) = (has(FLAG_ASK), has(FLAG_BYE));
        Ok(Self { to, stamp: u32_at(fixed, 4), ask, bye, from, acknowledgement, data, once })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        let acknowledgement = self.acknowledgement.as_ref();
        let flags = [
            (FLAG_FROM, self.from.is_some()),
            (FLAG_ACK, acknowledgement.is_some()),
            (FLAG_ECHO, acknowledgement.is_some_and(|part| part.echo.is_some())),
            (FLAG_ASK, self.ask),
            (FLAG_BYE, self.bye),
            (FLAG_DATA, self.data.is_some()),
            (FLAG_ONCE, self.once.is_some()),
        ];
        let flags = flags.iter().filter(|(_, set)| *set).fold(0, |all, (flag, _)| all | flag);
        let count = acknowledgement.map_or(0, |part| part.raw_ranges.len() / RANGE_BYTES) as u8;
        writer.put(&[flags, count, 0, 0]);
        writer.put(&self.stamp.to_be_bytes());
        if let Some(from) = &self.from {
            writer.greeting(from);
        }
        if let Some(part) = acknowledgement {
            let (stamp, held) = part.echo.unwrap_or((0, 0));
            writer.put(&part.cumulative.to_be_bytes());
            writer.put(&part.window.to_be_bytes());
            writer.put(&stamp.to_be_bytes());
            writer.put(&held.to_be_bytes());
            writer.put(&part.marks.to_be_bytes());
            writer.put(part.raw_ranges);
        }
        if let Some((offset, _)) = self.data {
            writer.put(&offset.to_be_bytes());
        }
        if let Some((number, _)) = self.once {
            writer.put(&number.to_be_bytes());
        }
    }
}

struct Writer<'o> {
    out: &'o mut [u8],
    at: usize,
}

impl Writer<'_> {
    fn put(&mut self, bytes: &[u8]) {
        self.out[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    fn identity(&mut self, identity: ConnectionEnd) {
        self.put(&identity.index.to_be_bytes());
        self.put(&identity.key.to_be_bytes());
    }

    fn greeting(&mut self, greeting: &Greeting) {
        self.identity(greeting.from);
        self.put(&[greeting.lane, 0, 0, 0]);
        self.put(&greeting.window.to_be_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn identity() -> impl Strategy<Value = ConnectionEnd> {
        (any::<u32>(), 1_u64..).prop_map(|(index, key)| ConnectionEnd { index, key })
    }

    fn greetings() -> impl Strategy<Value = Greeting> {
        (identity(), any::<u8>(), any::<u32>()).prop_map(|(from, lane, window)| Greeting { from, lane, window })
    }

    fn raw_ranges() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec((1_u32..1_000_000, 1_u32..1_000_000), 0..=RANGES_MAX).prop_map(|parts| {
            let mut at = 0;
            let mut raw = Vec::new();
            for (gap, bytes) in parts {
                at += gap;
                raw.extend(at.to_be_bytes());
                raw.extend(bytes.to_be_bytes());
                at += bytes;
            }
            raw
        })
    }

    fn written(datagram: &Datagram<'_>, data: &[u8]) -> Vec<u8> {
        let mut out = vec![0; 2_000];
        let bytes = datagram.write(&mut out);
        out.truncate(bytes);
        out.extend(data);
        seal(&mut out);
        out
    }

    proptest! {
        #[test]
        fn written_files_are_read_back(
            to in identity(), from in prop::option::of(greetings()), stamp in any::<u32>(), ask in any::<bool>(),
            bye in any::<bool>(), cumulative in 0..1_u64 << 63, window in any::<u32>(), marks in any::<u32>(),
            echo in prop::option::of(any::<(u32, u32)>()), raw in raw_ranges(), has_ack in any::<bool>(),
            data in prop::collection::vec(any::<u8>(), 0..50), offset in 0..1_u64 << 63, is_once in any::<bool>(),
        ) {
            let ack = Acknowledgement { cumulative, window, echo, marks, raw_ranges: &raw };
            let acknowledgement = has_ack.then_some(ack);
            let (segment, once) = match (data.is_empty(), is_once) {
                (true, _) => (None, None),
                (false, false) => (Some((offset, data.as_slice())), None),
                (false, true) => (None, Some((marks, data.as_slice()))),
            };
            let traffic = ConnectionTraffic { to, stamp, ask, bye, from, acknowledgement, data: segment, once };
            let traffic = Datagram::Traffic(traffic);
            let bytes = written(&traffic, &data);
            prop_assert_eq!(Datagram::parse(&bytes), Ok(traffic));
            for cut in 0..bytes.len() {
                prop_assert!(Datagram::parse(&bytes[..cut]).is_err());
            }
            let others = from.map(|from| [Datagram::Open(from), Datagram::Accept { to, from }]);
            for other in others.into_iter().flatten().chain([Datagram::Unknown { refused: to }]) {
                let bytes = written(&other, &[]);
                prop_assert_eq!(Datagram::parse(&bytes), Ok(other));
                let longer = written(&other, &[0]);
                prop_assert_eq!(Datagram::parse(&longer), Err(HeaderError::Length(longer.len())));
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused_and_what_is_read_is_written_back(
            mut bytes in prop::collection::vec(any::<u8>(), 20..200), kind in 0_u8..6, flags in 0_u8..140, count in 0_u8..4,
        ) {
            prop_assert!(Datagram::parse(&bytes).is_err(), "no check sum fits by chance");
            // Bytes that satisfy everything except what the parser checks last.
            bytes[..4].copy_from_slice(&[0x50, 0x48, 1, kind]);
            if bytes.len() > 23 {
                bytes[20..24].copy_from_slice(&[flags, count, 0, 0]);
            }
            seal(&mut bytes);
            if let Ok(datagram) = Datagram::parse(&bytes) {
                let data = match &datagram {
                    Datagram::Traffic(ConnectionTraffic { data: Some((_, data)), .. } | ConnectionTraffic { once: Some((_, data)), .. }) => data,
                    _ => [].as_slice(),
                };
                prop_assert_eq!(written(&datagram, data), bytes);
            }
        }

        #[test]
        fn a_changed_bit_is_noticed(bit in 0..60_usize * 8) {
            let from = Greeting { from: ConnectionEnd { index: 1, key: 2 }, lane: 3, window: 4 };
            let to = ConnectionEnd { index: 5, key: 6 };
            let mut bytes = written(&Datagram::Accept { to, from }, &[]);
            bytes.resize(60, 7);
            let bit = bit % (40 * 8);
            bytes.truncate(40);
            bytes[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(Datagram::parse(&bytes).is_err());
        }
    }

    #[test]
    fn each_refusal_says_why() {
        let open = Datagram::Open(Greeting { from: ConnectionEnd { index: 1, key: 2 }, lane: 0, window: 9 });
        let good = written(&open, &[]);
        let with = |at: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[at] = value;
            seal(&mut bytes);
            Datagram::parse(&bytes).map(|_| ())
        };
        assert_eq!(with(0, 0), Err(HeaderError::Magic));
        assert_eq!(with(2, 9), Err(HeaderError::Version(9)));
        assert_eq!(with(3, 0), Err(HeaderError::Field("key")));
        assert_eq!(with(8, 0), Err(HeaderError::Field("to")));
        assert_eq!(with(31, 0), Err(HeaderError::Field("key")));
        assert_eq!(with(33, 1), Err(HeaderError::Field("reserved")));
        let mut damaged = good.clone();
        damaged[39] ^= 1;
        assert_eq!(Datagram::parse(&damaged), Err(HeaderError::Damaged));
        assert_eq!(Datagram::parse(&[]), Err(HeaderError::Length(0)));
    }
}
