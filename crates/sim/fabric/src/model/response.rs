//! Responses of NICs: the packets with which a target's NIC tells that packets have reached it.
//!
//! A NIC answers a packet when it has accepted it, and before its data are in memory. A response
//! goes before the NIC's messages. It crosses the fabric as every packet does, in the class of its
//! request's responses. It belongs to no message and gets no response.
//!
//! In runs that cannot lose packets, the response to the packet that completes a message ends the
//! issuer's operation. In runs that may lose packets, each packet has a response, which may be lost
//! too. The source counts what has been answered, because the target no longer knows a message that
//! has arrived.
//!
//! Messages through a gateway end by the acknowledgement of their last part, without a response.

mod handlers;

use std::collections::VecDeque;

use philae_units::JobId;

use crate::model::packet::SegmentHead;

/// What a response tells the NIC that it goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ResponseContent {
    /// A packet has arrived.
    Arrived,
    /// A message has arrived in full: the operation `handle` of `rank` ends.
    Ends { rank: u32, handle: u32 },
    /// Packet `number` has arrived. In runs that may lose packets.
    Taken { number: u32 },
    /// Packet `wanted` of the connection of `class` is missing.
    Refused { wanted: u32, class: u8 },
    /// Ultra Ethernet: packet `number` of the context of `class` has arrived, and those that
    /// `others` has a bit for: bit 0 is that packet, bit 1 the one before it. `marked`: that packet
    /// was. `responds`: the response to a message rides on it. `penalty`: by how
    /// many of 128 parts the sender is to shrink its window, because the target takes data slowly.
    Received { number: u32, others: u32, class: u8, marked: bool, responds: bool, penalty: u8 },
    /// Ultra Ethernet: of packet `number` of the context of `class` only the header has arrived.
    Trimmed { number: u32, class: u8 },
    /// Ultra Ethernet: the sender of the context of `class` has no window left, and wants to know
    /// what of its packets has arrived, up to `number`.
    Probe { number: u32, class: u8 },
    /// Ultra Ethernet: the target has no receive for a message of the context of `class`, of which
    /// packet `number` has arrived.
    Deferred { message: u32, number: u32, class: u8 },
    /// Ultra Ethernet: credit of the context of `class`, in units since it began.
    Credit { units: u32, class: u8 },
    /// Ultra Ethernet: the sender of the context of `class` wants credit, in units since it began.
    /// `again`: it has heard nothing since it asked before.
    Wants { units: u32, class: u8, again: bool },
}

impl ResponseContent {
    /// The three words of a packet that carry it: `message`, `number` and `order`.
    const fn words(self) -> (u32, u32, u32) {
        match self {
            Self::Arrived => (0, 0, 0),
            Self::Ends { rank, handle } => (handle, rank, 1),
            Self::Taken { number } => (0, number, 2),
            Self::Refused { wanted, class } => (wanted, class as u32, 3),
            Self::Received { number, others, class, marked, responds, penalty } => {
                let flags = (marked as u32) << 16 | (responds as u32) << 17 | (penalty as u32) << 18;
                (others, number, 4 | (class as u32) << 8 | flags)
            }
            Self::Credit { units, class } => (units, class as u32, 5),
            Self::Wants { units, class, again } => (units, class as u32, 6 | (again as u32) << 8),
            Self::Trimmed { number, class } => (number, class as u32, 7),
            Self::Probe { number, class } => (number, class as u32, 8),
            Self::Deferred { message, number, class } => (message, number, 9 | (class as u32) << 8),
        }
    }

    /// The class of the context of Ultra Ethernet's transport that it belongs to.
    pub const fn context_class(self) -> Option<u8> {
        match self {
            Self::Refused { class, .. }
            | Self::Received { class, .. }
            | Self::Deferred { class, .. }
            | Self::Credit { class, .. }
            | Self::Wants { class, .. }
            | Self::Trimmed { class, .. }
            | Self::Probe { class, .. } => Some(class),
            Self::Arrived | Self::Ends { .. } | Self::Taken { .. } => None,
        }
    }

    /// What the three words of a packet tell.
    pub fn of_words(message: u32, number: u32, order: u32) -> Self {
        match order & 0xff {
            0 => Self::Arrived,
            1 => Self::Ends { rank: number, handle: message },
            2 => Self::Taken { number },
            3 => Self::Refused { wanted: message, class: number as u8 },
            4 => Self::Received {
                number,
                others: message,
                class: (order >> 8) as u8,
                marked: order >> 16 & 1 == 1,
                responds: order >> 17 & 1 == 1,
                penalty: (order >> 18) as u8 & 0x7f,
            },
            5 => Self::Credit { units: message, class: number as u8 },
            6 => Self::Wants { units: message, class: number as u8, again: order >> 8 & 1 == 1 },
            7 => Self::Trimmed { number: message, class: number as u8 },
            8 => Self::Probe { number: message, class: number as u8 },
            9 => Self::Deferred { message, number, class: (order >> 8) as u8 },
            other => unreachable!("a response has one of ten answers, not {other}"),
        }
    }
}

/// A response that its NIC has not sent yet.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Response {
    /// When its NIC can send it, in picoseconds.
    ready: u64,
    /// The endpoint that it goes to.
    destination: u32,
    job: JobId,
    answer: ResponseContent,
    /// Its head, if it is a segment of a TCP connection.
    segment: SegmentHead,
    /// Its number among the responses of its NIC (wrapping).
    number: u32,
    class: u8,
}

/// The responses of a NIC that have not been sent.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Responses {
    /// In the order of times, then of classes; those of one class and time in the order in which
    /// they were made.
    waiting: VecDeque<Response>,
    /// Responses made (wrapping).
    made: u32,
}

impl Responses {
    /// Whether none waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Adds a response behind those that are ready no later.
    fn add(&mut self, response: Response) {
        let order = |response: &Response| (response.ready, response.class);
        let later = self.waiting.iter().rev().take_while(|other| order(other) > order(&response)).count();
        self.waiting.insert(self.waiting.len() - later, response);
    }

    /// The place of the response that has been ready for the longest time at `now`, of the classes
    /// that may send.
    fn next(&self, now: u64, may_send: impl Fn(u8) -> bool) -> Option<usize> {
        let ready = self.waiting.iter().take_while(|response| response.ready <= now);
        ready.enumerate().find(|(_, response)| may_send(response.class)).map(|(place, _)| place)
    }

    /// When the first response of a class gets ready that has none at `now`.
    fn next_ready(&self, now: u64) -> Option<u64> {
        let mut ready = 0_u64;
        let first = self.waiting.iter().find(|response| {
            ready |= u64::from(response.ready <= now) << response.class;
            ready >> response.class & 1 == 0
        });
        first.map(|response| response.ready)
    }

    /// Prefetches the response that is first, if there is one.
    #[inline]
    pub fn prefetch(&self) {
        self.waiting.front().into_iter().for_each(philae_engine::prefetch_line);
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.waiting.capacity() * size_of::<Response>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_carries_every_answer() {
        let answers = [
            ResponseContent::Arrived,
            ResponseContent::Ends { rank: 7, handle: 9 },
            ResponseContent::Taken { number: 11 },
            ResponseContent::Refused { wanted: 13, class: 3 },
            ResponseContent::Received {
                number: 7,
                others: u32::MAX,
                class: 5,
                marked: true,
                responds: false,
                penalty: 0,
            },
            ResponseContent::Received {
                number: u32::MAX,
                others: 1,
                class: 0,
                marked: false,
                responds: true,
                penalty: 127,
            },
            ResponseContent::Credit { units: 17, class: 2 },
            ResponseContent::Wants { units: 19, class: 1, again: false },
            ResponseContent::Wants { units: 19, class: 1, again: true },
            ResponseContent::Trimmed { number: 23, class: 4 },
            ResponseContent::Probe { number: 29, class: 3 },
            ResponseContent::Deferred { message: 23, number: 29, class: 6 },
        ];
        for answer in answers {
            let (message, number, order) = answer.words();
            assert_eq!(ResponseContent::of_words(message, number, order), answer);
        }
    }

    fn response(ready: u64, class: u8) -> Response {
        Response {
            ready,
            destination: 0,
            job: JobId(0),
            answer: ResponseContent::Arrived,
            segment: SegmentHead::NONE,
            number: ready as u32,
            class,
        }
    }

    #[test]
    fn responses_leave_by_time_and_no_class_blocks_another() {
        let mut responses = Responses::default();
        assert!(responses.is_empty());
        for ready in [10, 30, 20, 20] {
            responses.add(response(ready, 0));
        }
        responses.add(response(15, 1));
        let order: Vec<u64> = responses.waiting.iter().map(|response| response.ready).collect();
        assert_eq!(order, [10, 15, 20, 20, 30]);
        assert_eq!(responses.next(5, |_| true), None, "nothing is ready");
        assert_eq!(responses.next_ready(5), Some(10));
        assert_eq!(responses.next_ready(12), Some(15), "class 0 has one already");
        assert_eq!(responses.next(40, |_| true), Some(0), "the older first");
        assert_eq!(responses.next(40, |class| class == 1), Some(1), "class 0 is paused");
        for _ in 0..5 {
            let place = responses.next(40, |_| true).expect("five of them");
            responses.waiting.remove(place);
        }
        assert!(responses.is_empty());
    }

    /// One queue does what a queue for each class does.
    #[test]
    fn one_queue_has_the_order_of_one_for_each_class() {
        let mut random = philae_engine::RandomStream::new(3, 0, 0);
        let (mut responses, mut classes) = (Responses::default(), vec![VecDeque::<Response>::new(); 4]);
        let (mut now, mut blocked) = (0, 0);
        for number in 0..50_000 {
            now += u64::from(random.below(3));
            if responses.waiting.len() < 12 && random.below(2) == 0 {
                let class = random.below(4) as u8;
                let added = Response { number, ..response(now + u64::from(random.below(9)), class) };
                responses.add(added);
                let queue = &mut classes[usize::from(class)];
                let later = queue.iter().rev().take_while(|other| other.ready > added.ready).count();
                queue.insert(queue.len() - later, added);
            }
            let may = random.below(16);
            let fronts = classes.iter().enumerate().filter_map(|(class, queue)| Some((queue.front()?.ready, class)));
            let chosen = fronts.clone().filter(|(ready, class)| *ready <= now && may >> class & 1 == 1).min();
            let place = responses.next(now, |class| may >> class & 1 == 1);
            let taken = place.and_then(|place| responses.waiting.remove(place));
            blocked += u32::from(place.is_some_and(|place| place > 0));
            if chosen.is_none() {
                let next = fronts.map(|(ready, _)| ready).filter(|ready| *ready > now).min();
                assert_eq!(responses.next_ready(now), next);
            }
            let chosen = chosen.and_then(|(_, class)| classes[class].pop_front());
            assert_eq!(taken.map(|response| response.number), chosen.map(|response| response.number));
        }
        assert!(blocked > 100, "{blocked} times a class was passed over");
    }
}
