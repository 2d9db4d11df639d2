//! One UDP socket: the system's options for it, and batches of datagrams in one call.

use std::io;
use std::mem::{size_of, zeroed};
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use super::address::{SYSTEM_ADDRESS_BYTES, SystemAddress};

/// Buffers that one call fills. Source: ours; together they fit a cache of the second level.
/// Status: assumed.
const INBOX_COUNT: usize = 4;
/// Bytes of each buffer: the most that the system joins datagrams to.
const INBOX_BYTES: usize = 1 << 16;
/// Groups that one call sends. Source: ours. Status: assumed.
pub const GROUPS_MAX: usize = 64;
/// Datagrams that the system cuts from one buffer. Source: linux/udp.h, UDP_MAX_SEGMENTS of old
/// kernels. Status: published.
pub const SEGMENTS_MAX: usize = 64;
/// ECN: capable transport (0), and congestion experienced. Source: RFC 3168. Status: published.
const ECT: libc::c_int = 2;
const CONGESTION_EXPERIENCED: u8 = 3;

/// Room for the system's control data of a datagram, with its alignment.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Control([u8; 128]);

/// One UDP socket that never blocks.
#[derive(Debug)]
pub struct Socket {
    fd: OwnedFd,
    is_v6: bool,
    /// Whether the system cuts buffers into datagrams.
    pub cuts: bool,
}

/// Consecutive datagrams to one destination, all of `size` bytes except the last.
#[derive(Clone, Copy, Debug)]
pub struct DatagramGroup {
    pub to: SocketAddr,
    pub start: usize,
    pub bytes: usize,
    pub size: usize,
    pub is_marked: bool,
}

/// Bytes of a datagram that are sent from their own place, instead of those at `at`.
#[derive(Clone, Copy, Debug)]
pub struct Lent {
    pub at: usize,
    pub address: u64,
    pub bytes: usize,
}

fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

impl Socket {
    /// Opens a socket at an address. With `shared`, other sockets of this process can have the same
    /// address.
    pub fn open(bind: &SocketAddr, shared: bool, buffer_bytes: usize, offload: bool, marks: bool) -> io::Result<Self> {
        let family = if bind.is_ipv6() { libc::AF_INET6 } else { libc::AF_INET };
        // SAFETY: makes a new descriptor, which has no other owner.
        let fd = unsafe {
            let kind = libc::SOCK_DGRAM | libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC;
            OwnedFd::from_raw_fd(checked(libc::socket(family, kind, 0))?)
        };
        let mut socket = Self { fd, is_v6: bind.is_ipv6(), cuts: false };
        if shared {
            socket.share()?;
        }
        let (address, length) = SystemAddress::of(bind);
        // SAFETY: the address has the given length.
        checked(unsafe { libc::bind(socket.raw(), (&raw const address).cast(), length) })?;
        let buffer = libc::c_int::try_from(buffer_bytes).unwrap_or(libc::c_int::MAX);
        // The system grants as much as its limits allow: see `buffer_bytes`.
        socket.set(libc::SOL_SOCKET, libc::SO_RCVBUF, buffer)?;
        socket.set(libc::SOL_SOCKET, libc::SO_SNDBUF, buffer)?;
        if socket.is_v6 {
            socket.set(libc::IPPROTO_IPV6, libc::IPV6_RECVERR, 1)?;
            socket.set(libc::IPPROTO_IPV6, libc::IPV6_MTU_DISCOVER, libc::IP_PMTUDISC_WANT)?;
        } else {
            socket.set(libc::IPPROTO_IP, libc::IP_RECVERR, 1)?;
            socket.set(libc::IPPROTO_IP, libc::IP_MTU_DISCOVER, libc::IP_PMTUDISC_WANT)?;
        }
        if marks && socket.is_v6 {
            socket.set(libc::IPPROTO_IPV6, libc::IPV6_TCLASS, ECT)?;
            socket.set(libc::IPPROTO_IPV6, libc::IPV6_RECVTCLASS, 1)?;
        } else if marks {
            socket.set(libc::IPPROTO_IP, libc::IP_TOS, ECT)?;
            socket.set(libc::IPPROTO_IP, libc::IP_RECVTOS, 1)?;
        }
        if offload {
            // Either may be missing: then each datagram takes a call, or a buffer.
            socket.cuts = socket.set(libc::SOL_UDP, libc::UDP_SEGMENT, 0).is_ok();
            let _ = socket.set(libc::SOL_UDP, libc::UDP_GRO, 1);
        }
        Ok(socket)
    }

    /// Lets further sockets have the same address.
    pub fn share(&self) -> io::Result<()> {
        self.set(libc::SOL_SOCKET, libc::SO_REUSEPORT, 1)
    }

    pub fn raw(&self) -> RawFd {
        self.fd.as_raw_fd()
    }

    fn set(&self, level: libc::c_int, name: libc::c_int, value: libc::c_int) -> io::Result<()> {
        let length = size_of::<libc::c_int>() as libc::socklen_t;
        // SAFETY: the value has the given length.
        checked(unsafe { libc::setsockopt(self.raw(), level, name, (&raw const value).cast(), length) }).map(drop)
    }

    fn get(&self, level: libc::c_int, name: libc::c_int) -> io::Result<libc::c_int> {
        let mut value: libc::c_int = 0;
        let mut length = size_of::<libc::c_int>() as libc::socklen_t;
        // SAFETY: there is room of the given length.
        checked(unsafe { libc::getsockopt(self.raw(), level, name, (&raw mut value).cast(), &raw mut length) })?;
        Ok(value)
    }

    /// Bytes of datagrams that wait here before the system drops them. The system counts them
    /// double, for its own overhead.
    pub fn buffer_bytes(&self) -> io::Result<usize> {
        Ok(self.get(libc::SOL_SOCKET, libc::SO_RCVBUF)? as usize / 2)
    }

    /// The socket's address.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        let mut address = SystemAddress::none();
        let mut length: libc::socklen_t = SYSTEM_ADDRESS_BYTES;
        // SAFETY: there is room of the given length.
        checked(unsafe { libc::getsockname(self.raw(), (&raw mut address).cast(), &raw mut length) })?;
        address.read().ok_or_else(|| io::Error::from(io::ErrorKind::Unsupported))
    }

    /// Sends groups of datagrams from `bytes`, except for lent parts; returns how many groups were
    /// sent. Lent parts stay readable until this returns.
    pub fn send<'g>(
        &self,
        bytes: &[u8],
        lent: &[Lent],
        groups: impl Iterator<Item = &'g DatagramGroup>,
        outbox: &mut SendArguments,
    ) -> io::Result<usize> {
        let SendArguments { names, controls, headers, vectors } = outbox;
        let mut count = 0;
        vectors.clear();
        for (index, group) in groups.take(GROUPS_MAX).enumerate() {
            count = index + 1;
            let first = vectors.len();
            let (mut at, end) = (group.start, group.start + group.bytes);
            let of_group = lent.partition_point(|lent| lent.at < at);
            for part in lent[of_group..].iter().take_while(|part| part.at < end) {
                vectors.push(vector(&bytes[at..part.at]));
                vectors.push(libc::iovec { iov_base: part.address as usize as *mut _, iov_len: part.bytes });
                at = part.at + part.bytes;
            }
            if at < end {
                vectors.push(vector(&bytes[at..end]));
            }
            let (name, name_bytes) = SystemAddress::of(&group.to);
            names[index] = name;
            let header = &mut headers[index].msg_hdr;
            header.msg_name = (&raw mut names[index]).cast();
            header.msg_namelen = name_bytes;
            // The vectors may move until all exist, so their addresses are set here.
            header.msg_iov = first as *mut libc::iovec;
            header.msg_iovlen = (vectors.len() - first) as _;
            let mut used = 0;
            if group.bytes > group.size {
                used += put_control(
                    &mut controls[index],
                    used,
                    libc::SOL_UDP,
                    libc::UDP_SEGMENT,
                    &(group.size as u16).to_ne_bytes(),
                );
            }
            if group.is_marked {
                let (level, kind) =
                    if self.is_v6 { (libc::IPPROTO_IPV6, libc::IPV6_TCLASS) } else { (libc::IPPROTO_IP, libc::IP_TOS) };
                let value = libc::c_int::from(CONGESTION_EXPERIENCED).to_ne_bytes();
                used += put_control(&mut controls[index], used, level, kind, &value);
            }
            header.msg_control = if used > 0 { (&raw mut controls[index]).cast() } else { std::ptr::null_mut() };
            header.msg_controllen = used as _;
        }
        for header in &mut headers[..count] {
            header.msg_hdr.msg_iov = &raw mut vectors[header.msg_hdr.msg_iov as usize];
        }
        // SAFETY: the headers point to data that outlives the call; the system only reads it.
        let sent = checked(unsafe { libc::sendmmsg(self.raw(), headers.as_mut_ptr(), count as u32, 0) })?;
        Ok(sent as usize)
    }

    /// Receives datagrams, as far as the inbox has room; returns how many buffers were filled.
    pub fn receive(&self, inbox: &mut ReceiveBuffers) -> io::Result<usize> {
        let ReceiveBuffers { bytes, names, controls, headers, vectors, wanted } = inbox;
        for index in 0..*wanted {
            let base = bytes[index * INBOX_BYTES..].as_mut_ptr();
            vectors[index] = libc::iovec { iov_base: base.cast(), iov_len: INBOX_BYTES };
            let header = &mut headers[index].msg_hdr;
            header.msg_name = (&raw mut names[index]).cast();
            header.msg_namelen = SYSTEM_ADDRESS_BYTES;
            header.msg_iov = &raw mut vectors[index];
            header.msg_iovlen = 1;
            header.msg_control = (&raw mut controls[index]).cast();
            header.msg_controllen = size_of::<Control>() as _;
        }
        let (flags, no_address) = (libc::MSG_DONTWAIT, std::ptr::null_mut());
        // SAFETY: the headers point to room in the inbox, of the given lengths, which outlives the
        // call.
        let count = unsafe { libc::recvmmsg(self.raw(), headers.as_mut_ptr(), *wanted as u32, flags, no_address) };
        Ok(checked(count)? as usize)
    }

    /// The next destination whose host reports that no process listens there. The outer `None`:
    /// nothing more to read.
    pub fn next_refusal(&self) -> Option<Option<SocketAddr>> {
        let (mut byte, mut name, mut control) = ([0_u8; 1], SystemAddress::none(), Control([0; 128]));
        let mut vector = libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: byte.len() };
        // SAFETY: all zeroes are a value of this plain structure.
        let mut header: libc::msghdr = unsafe { zeroed() };
        header.msg_name = (&raw mut name).cast();
        header.msg_namelen = SYSTEM_ADDRESS_BYTES;
        header.msg_iov = &raw mut vector;
        header.msg_iovlen = 1;
        header.msg_control = (&raw mut control).cast();
        header.msg_controllen = size_of::<Control>() as _;
        let flags = libc::MSG_ERRQUEUE | libc::MSG_DONTWAIT;
        // SAFETY: the header points to room of the given lengths.
        checked(unsafe { libc::recvmsg(self.raw(), &raw mut header, flags) } as libc::c_int).ok()?;
        let mut is_refused = false;
        each_control(&header, |level, kind, data| {
            let is_error = (level, kind) == (libc::IPPROTO_IP, libc::IP_RECVERR)
                || (level, kind) == (libc::IPPROTO_IPV6, libc::IPV6_RECVERR);
            // The report begins with the error number.
            if is_error && data.len() >= 4 {
                let number = i32::from_ne_bytes([data[0], data[1], data[2], data[3]]);
                is_refused |= number == libc::ECONNREFUSED;
            }
        });
        Some(if is_refused { name.read() } else { None })
    }
}

fn vector(bytes: &[u8]) -> libc::iovec {
    libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() }
}

/// Adds one control message at `used`; returns the room that it takes.
fn put_control(control: &mut Control, used: usize, level: libc::c_int, kind: libc::c_int, data: &[u8]) -> usize {
    // SAFETY: these calls compute sizes.
    let (length, space) =
        unsafe { (libc::CMSG_LEN(data.len() as u32) as usize, libc::CMSG_SPACE(data.len() as u32) as usize) };
    // SAFETY: all zeroes are a value of this plain structure.
    let mut header: libc::cmsghdr = unsafe { zeroed() };
    header.cmsg_len = length as _;
    header.cmsg_level = level;
    header.cmsg_type = kind;
    let place = &mut control.0[used..used + space];
    let head = size_of::<libc::cmsghdr>();
    // SAFETY: the place has room for the header, which is plain bytes.
    unsafe { std::ptr::write_unaligned(place.as_mut_ptr().cast(), header) };
    place[head..head + data.len()].copy_from_slice(data);
    space
}

/// Calls `call` for each control message of a header that the system filled in.
fn each_control(header: &libc::msghdr, mut call: impl FnMut(libc::c_int, libc::c_int, &[u8])) {
    // SAFETY: the system filled the control part of this header, which is still where the header
    // says.
    unsafe {
        let mut next = libc::CMSG_FIRSTHDR(header);
        while !next.is_null() {
            let length = (*next).cmsg_len as usize - libc::CMSG_LEN(0) as usize;
            call((*next).cmsg_level, (*next).cmsg_type, std::slice::from_raw_parts(libc::CMSG_DATA(next), length));
            next = libc::CMSG_NXTHDR(header, next);
        }
    }
}

/// The arguments of one sending call.
pub struct SendArguments {
    names: Vec<SystemAddress>,
    controls: Vec<Control>,
    headers: Vec<libc::mmsghdr>,
    vectors: Vec<libc::iovec>,
}

// SAFETY: its pointers are set again before each use.
unsafe impl Send for SendArguments {}

impl SendArguments {
    pub fn new() -> Self {
        // SAFETY: all zeroes are a value of this plain structure.
        let header: libc::mmsghdr = unsafe { zeroed() };
        Self {
            names: vec![SystemAddress::none(); GROUPS_MAX],
            controls: vec![Control([0; 128]); GROUPS_MAX],
            headers: vec![header; GROUPS_MAX],
            vectors: Vec::new(),
        }
    }
}

/// The buffers of one receiving call.
pub struct ReceiveBuffers {
    bytes: Vec<u8>,
    names: Vec<SystemAddress>,
    controls: Vec<Control>,
    headers: Vec<libc::mmsghdr>,
    vectors: Vec<libc::iovec>,
    /// Buffers that the next call offers.
    wanted: usize,
}

// SAFETY: its pointers lead into its own vectors, and are set again before each use.
unsafe impl Send for ReceiveBuffers {}

/// Datagrams from one source, all of `size` bytes except the last.
pub struct Arrived<'i> {
    pub from: SocketAddr,
    pub bytes: &'i [u8],
    pub size: usize,
    pub is_marked: bool,
}

impl ReceiveBuffers {
    pub fn new() -> Self {
        // SAFETY: all zeroes are a value of each of these plain structures.
        let (header, vector): (libc::mmsghdr, libc::iovec) = unsafe { (zeroed(), zeroed()) };
        Self {
            bytes: vec![0; INBOX_COUNT * INBOX_BYTES],
            names: vec![SystemAddress::none(); INBOX_COUNT],
            controls: vec![Control([0; 128]); INBOX_COUNT],
            headers: vec![header; INBOX_COUNT],
            vectors: vec![vector; INBOX_COUNT],
            wanted: 1,
        }
    }

    /// Whether more datagrams may wait, after `count` buffers were filled. While datagrams come one
    /// at a time, one buffer is offered at a time, because each further one costs the system a
    /// check.
    pub fn expects_more(&mut self, count: usize) -> bool {
        let (is_full, was_alone) = (count == self.wanted, self.wanted == 1);
        self.wanted = if is_full { (2 * count).min(INBOX_COUNT) } else { count.max(1) };
        is_full && !was_alone
    }

    /// The contents of buffer `index` after the last call; `None` if they were longer than the
    /// buffer or had no source.
    pub fn arrived(&self, index: usize) -> Option<Arrived<'_>> {
        let header = &self.headers[index];
        if header.msg_hdr.msg_flags & libc::MSG_TRUNC != 0 {
            return None;
        }
        let bytes = &self.bytes[index * INBOX_BYTES..][..header.msg_len as usize];
        let (mut size, mut is_marked) = (bytes.len(), false);
        each_control(&header.msg_hdr, |level, kind, data| match (level, kind, data) {
            (libc::SOL_UDP, libc::UDP_GRO, [a, b, c, d, ..]) => {
                size = i32::from_ne_bytes([*a, *b, *c, *d]).max(1) as usize;
            }
            (libc::IPPROTO_IP, libc::IP_TOS, [tos, ..]) => is_marked = tos & 3 == CONGESTION_EXPERIENCED,
            (libc::IPPROTO_IPV6, libc::IPV6_TCLASS, [a, b, c, d, ..]) => {
                is_marked = i32::from_ne_bytes([*a, *b, *c, *d]) & 3 == i32::from(CONGESTION_EXPERIENCED);
            }
            _ => {}
        });
        Some(Arrived { from: self.names[index].read()?, bytes, size, is_marked })
    }
}

/// The most bytes of a datagram on the route to an address, including IP headers.
pub fn route_mtu(bind: &SocketAddr, to: &SocketAddr) -> io::Result<usize> {
    let local = SocketAddr::new(bind.ip(), 0);
    let probe = Socket::open(&local, false, 0, false, false)?;
    let (address, length) = SystemAddress::of(to);
    // SAFETY: the address has the given length. The call sends nothing.
    checked(unsafe { libc::connect(probe.raw(), (&raw const address).cast(), length) })?;
    let (level, name) =
        if to.is_ipv6() { (libc::IPPROTO_IPV6, libc::IPV6_MTU) } else { (libc::IPPROTO_IP, libc::IP_MTU) };
    Ok(probe.get(level, name)? as usize)
}
