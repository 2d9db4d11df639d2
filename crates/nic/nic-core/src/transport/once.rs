//! Messages that are sent once: outside the stream, without order, acknowledgement or
//! retransmission. The transport does not recover a lost one, and it accepts a duplicated one once.

use std::collections::VecDeque;

/// The most messages to one peer that wait to be sent. Source: ours. Status: assumed.
const QUEUE_MAX: usize = 1_024;
/// How many numbers before the greatest received one are remembered. Source: ours. Status: assumed.
const REMEMBERED: u32 = 64;

/// Both ends of one connection.
#[derive(Debug, Default)]
pub struct OnceOnly {
    queue: VecDeque<Vec<u8>>,
    /// The number of the next message to send.
    next: u32,
    /// The greatest number received, and whether those before it were received: bit *n* stands for
    /// the number *n* before it.
    greatest: Option<u32>,
    came: u64,
}

impl OnceOnly {
    /// Queues a message, and returns whether there was room.
    pub fn push(&mut self, message: &[&[u8]]) -> bool {
        let has_room = self.queue.len() < QUEUE_MAX;
        if has_room {
            self.queue.push_back(message.concat());
        }
        has_room
    }

    /// Whether a message waits to be sent.
    pub fn is_waiting(&self) -> bool {
        !self.queue.is_empty()
    }

    /// The next message to send, with its number.
    pub fn pop(&mut self) -> Option<(u32, Vec<u8>)> {
        let message = self.queue.pop_front()?;
        let number = self.next;
        self.next = self.next.wrapping_add(1);
        Some((number, message))
    }

    /// Whether to accept a message with this number: it has not been received before, and is not
    /// too old to tell.
    pub fn takes(&mut self, number: u32) -> bool {
        let Some(greatest) = self.greatest else {
            (self.greatest, self.came) = (Some(number), 1);
            return true;
        };
        let ahead = number.wrapping_sub(greatest);
        if ahead == 0 {
            return false;
        }
        if ahead < 1 << 31 {
            self.came = if ahead < REMEMBERED { self.came << ahead | 1 } else { 1 };
            self.greatest = Some(number);
            return true;
        }
        let behind = greatest.wrapping_sub(number);
        let is_new = behind < REMEMBERED && self.came & 1 << behind == 0;
        if is_new {
            self.came |= 1 << behind;
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_taken_once_in_whatever_order_it_comes() {
        let mut once = OnceOnly::default();
        let order = [5, 5, 4, 7, 6, 6, 4, 0, 70, 5, 7, 68, 70, 6, u32::MAX];
        let taken: Vec<bool> = order.into_iter().map(|number| once.takes(number)).collect();
        let expected =
            [true, false, true, true, true, false, false, true, true, false, false, true, false, false, false];
        assert_eq!(taken, expected, "what is 64 or more behind the greatest is too old to know");
        let mut wraps = OnceOnly::default();
        assert!(wraps.takes(u32::MAX) && wraps.takes(1) && wraps.takes(0) && !wraps.takes(u32::MAX));
    }

    #[test]
    fn the_queue_is_bounded_and_numbers_go_up() {
        let mut once = OnceOnly::default();
        assert_eq!((0..2_000).filter(|_| once.push(&[b"a", b"b"])).count(), QUEUE_MAX);
        assert_eq!((once.pop(), once.pop()), (Some((0, b"ab".to_vec())), Some((1, b"ab".to_vec()))));
        assert!(once.is_waiting() && once.push(&[b"c"]));
    }
}
