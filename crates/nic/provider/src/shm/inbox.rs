//! The inbox: short messages that have arrived and are not matched yet. The next process that takes
//! the area's lock matches them first.
//!
//! A sender needs no lock and one or two cache lines. It claims the next slot, writes its message,
//! and publishes the slot. Each slot has a turn: that of the position for which it is free, or one
//! more once a message is there. A claimed slot also has its claimer's process, so that a claimer's
//! death does not block later messages.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The capacity of an inbox in messages; a power of two. Source: ours. Status: assumed.
const SLOTS: u32 = 128;
/// The most bytes of a message in an inbox: the system copies longer ones. Source: ours, `philae
/// nic bench`. Status: measured.
pub const MAIL_BYTES: usize = 4_096;

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct InboxMessage {
    pub bits: u64,
    /// Data for the receiver.
    pub data: u64,
    /// Bits of the interface's flags.
    pub flags: u64,
    /// The sender's source.
    pub source: u32,
    /// Its length in bytes.
    pub length: u32,
    /// The virtual network of its sender.
    pub vni: u16,
    /// Its bytes, followed by old contents.
    pub bytes: [u8; MAIL_BYTES],
}

#[repr(C, align(64))]
struct Slot {
    /// The turn in the lower half; the process that has claimed the slot in the upper one.
    turn: AtomicU64,
    mail: UnsafeCell<InboxMessage>,
}

/// A counter on a cache line of its own.
#[repr(C, align(64))]
struct Tail(AtomicU32);

/// The messages for one portal.
#[repr(C)]
pub struct PortalInbox {
    tail: Tail,
    slots: [Slot; SLOTS as usize],
}

/// A message without its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Envelope {
    pub bits: u64,
    /// Data for the receiver.
    pub data: u64,
    /// Bits of the interface's flags.
    pub flags: u64,
    /// The sender's source.
    pub source: u32,
    /// The virtual network of its sender.
    pub vni: u16,
}

impl PortalInbox {
    /// Empties the inbox.
    pub fn initialise(&mut self) {
        self.tail = Tail(AtomicU32::new(0));
        for (position, slot) in self.slots.iter_mut().enumerate() {
            slot.turn = AtomicU64::new(position as u64);
        }
    }

    fn slot(&self, position: u32) -> &Slot {
        &self.slots[(position % SLOTS) as usize]
    }

    /// Appends a message, for the process `me`; returns whether there was room.
    pub fn put(&self, me: u32, envelope: &Envelope, bytes: &[u8]) -> bool {
        if bytes.len() > MAIL_BYTES {
            return false;
        }
        let Some(position) = self.claim(me) else { return false };
        let slot = self.slot(position);
        let Envelope { bits, data, flags, source, vni } = *envelope;
        let mail = slot.mail.get();
        // SAFETY: the slot is claimed: until its turn is published no other process reads or writes
        // its message.
        unsafe {
            (&raw mut (*mail).bits).write(bits);
            (&raw mut (*mail).data).write(data);
            (&raw mut (*mail).flags).write(flags);
            (&raw mut (*mail).source).write(source);
            (&raw mut (*mail).length).write(bytes.len() as u32);
            (&raw mut (*mail).vni).write(vni);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), (&raw mut (*mail).bytes).cast(), bytes.len());
        }
        slot.turn.store(u64::from(position.wrapping_add(1)), Ordering::Release);
        true
    }

    /// Claims the next position; `None` if all slots are in use.
    fn claim(&self, me: u32) -> Option<u32> {
        loop {
            let position = self.tail.0.load(Ordering::Relaxed);
            let slot = self.slot(position);
            let found = slot.turn.load(Ordering::Acquire);
            let ahead = (found as u32).wrapping_sub(position).cast_signed();
            if found == u64::from(position) {
                let claimed = u64::from(me) << 32 | found;
                if slot.turn.compare_exchange(found, claimed, Ordering::Acquire, Ordering::Relaxed).is_err() {
                    continue;
                }
            } else if ahead < 0 {
                return None;
            }
            // Another process has claimed the position, and may be between its two steps: this
            // advances the tail.
            let next = position.wrapping_add(1);
            let _ = self.tail.0.compare_exchange(position, next, Ordering::Relaxed, Ordering::Relaxed);
            if found == u64::from(position) {
                return Some(position);
            }
        }
    }

    /// Whether there is a message at `head`.
    pub fn has_mail(&self, head: u32) -> bool {
        self.slot(head).turn.load(Ordering::Acquire) == u64::from(head.wrapping_add(1))
    }

    /// Whether any process has put a message in it, or is about to.
    pub fn is_in_use(&self, head: u32) -> bool {
        self.slot(head).turn.load(Ordering::Acquire) != u64::from(head)
    }

    /// The message at `head`.
    ///
    /// # Safety
    /// The caller has the area's lock, and releases the slot only after the last use of the
    /// message.
    pub unsafe fn first(&self, head: u32) -> Option<&InboxMessage> {
        // SAFETY: a published message does not change until its slot is released.
        self.has_mail(head).then(|| unsafe { &*self.slot(head).mail.get() })
    }

    /// Releases the slot of the first message.
    pub fn release(&self, head: u32) {
        self.slot(head).turn.store(u64::from(head.wrapping_add(SLOTS)), Ordering::Release);
    }

    /// Releases the first slot if the process that claimed it has died; returns whether it did. The
    /// caller has the area's lock.
    pub fn skip_dead(&self, head: u32, is_alive: impl Fn(u32) -> bool) -> bool {
        let found = self.slot(head).turn.load(Ordering::Acquire);
        let claimer = (found >> 32) as u32;
        let is_dead = found as u32 == head && claimer != 0 && !is_alive(claimer);
        if is_dead {
            self.release(head);
        }
        is_dead
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Shared(Box<PortalInbox>);

    // SAFETY: an inbox is shared; only the holder of a lock reads it, here the only reader.
    unsafe impl Sync for Shared {}

    fn inbox() -> Shared {
        let mut inbox = Box::<PortalInbox>::new_uninit();
        // SAFETY: a message may have any bits, including zeroes, and turns are written before they
        // are read.
        let mut inbox = unsafe {
            inbox.as_mut_ptr().write_bytes(0, 1);
            inbox.assume_init()
        };
        inbox.initialise();
        Shared(inbox)
    }

    fn envelope(source: u32, bits: u64) -> Envelope {
        Envelope { bits, data: !bits, flags: 5, source, vni: 10 }
    }

    #[test]
    fn what_many_put_comes_once_and_in_each_one_s_order() {
        const EACH: u64 = 30_000;
        let inbox = inbox();
        std::thread::scope(|scope| {
            for source in 0..3_u32 {
                let inbox = &inbox;
                scope.spawn(move || {
                    for number in 0..EACH {
                        let bytes = vec![number as u8; number as usize % (MAIL_BYTES + 1)];
                        while !inbox.0.put(77, &envelope(source, number), &bytes) {
                            std::thread::yield_now();
                        }
                    }
                });
            }
            // Positions wrap.
            let (mut head, mut next) = (0_u32, [0_u64; 3]);
            while next.iter().any(|&next| next < EACH) {
                // SAFETY: there is one reader.
                let Some(mail) = (unsafe { inbox.0.first(head) }) else {
                    std::thread::yield_now();
                    continue;
                };
                let expected = next[mail.source as usize];
                assert_eq!((mail.bits, mail.data, mail.vni), (expected, !expected, 10));
                assert_eq!(mail.length as usize, expected as usize % (MAIL_BYTES + 1));
                assert!(mail.bytes[..mail.length as usize].iter().all(|&byte| byte == expected as u8));
                next[mail.source as usize] += 1;
                inbox.0.release(head);
                head = head.wrapping_add(1);
            }
            assert!(!inbox.0.is_in_use(head));
        });
    }

    #[test]
    fn a_full_one_takes_nothing_and_a_dead_claimer_is_skipped() {
        let inbox = inbox();
        assert_eq!(inbox.0.claim(99), Some(0), "and it dies before it has written");
        for number in 1..u64::from(SLOTS) {
            assert!(inbox.0.put(77, &envelope(1, number), b"x"));
        }
        assert!(!inbox.0.put(77, &envelope(1, 0), b"x"), "all slots are in use");
        assert!(!inbox.0.has_mail(0) && inbox.0.is_in_use(0));
        assert!(!inbox.0.skip_dead(0, |_| true), "it may still write");
        assert!(inbox.0.skip_dead(0, |process| process != 99));
        // SAFETY: there is one reader.
        assert_eq!(unsafe { inbox.0.first(1) }.map(|mail| mail.bits), Some(1));
        assert!(inbox.0.put(77, &envelope(1, 0), b"x"), "there is room again");
        assert!(!inbox.0.put(77, &envelope(1, 0), &[0; MAIL_BYTES + 1]), "too long");
    }

    #[test]
    fn positions_may_wrap_around() {
        let mut shared = inbox();
        let begin = u32::MAX - 3;
        shared.0.tail = Tail(AtomicU32::new(begin));
        for offset in 0..SLOTS {
            let position = begin.wrapping_add(offset);
            shared.0.slots[(position % SLOTS) as usize].turn = AtomicU64::new(u64::from(position));
        }
        let mut head = begin;
        for number in 0..1_000 {
            assert!(shared.0.put(77, &envelope(1, number), b"x"));
            // SAFETY: there is one reader.
            assert_eq!(unsafe { shared.0.first(head) }.map(|mail| mail.bits), Some(number));
            shared.0.release(head);
            head = head.wrapping_add(1);
        }
    }
}
