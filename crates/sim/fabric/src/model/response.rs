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
}

impl ResponseContent {
    /// The three words of a packet that carry it: `message`, `number` and `order`.
    const fn words(self) -> (u32, u32, u32) {
        match self {
            Self::Arrived => (0, 0, 0),
            Self::Ends { rank, handle } => (handle, rank, 1),
            Self::Taken { number } => (0, number, 2),
            Self::Refused { wanted, class } => (wanted, class as u32, 3),
        }
    }

    /// What the three words of a packet tell.
    fn of_words(message: u32, number: u32, order: u32) -> Self {
        match order {
            0 => Self::Arrived,
            1 => Self::Ends { rank: number, handle: message },
            2 => Self::Taken { number },
            3 => Self::Refused { wanted: message, class: number as u8 },
            other => unreachable!("a response has one of four answers, not {other}"),
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
}

/// The responses of a NIC that have not been sent.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Responses {
    /// By class, each in the order of times.
    waiting: Vec<VecDeque<Response>>,
    /// How many wait, in all classes.
    count: u32,
    /// Responses made (wrapping).
    made: u32,
}

impl Responses {
    /// None, of any of `classes` classes.
    pub fn new(classes: usize) -> Self {
        Self { waiting: vec![VecDeque::new(); classes], count: 0, made: 0 }
    }

    /// Whether none waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes the first response of a class.
    fn take(&mut self, class: u8) {
        if self.waiting[usize::from(class)].pop_front().is_some() {
            self.count -= 1;
        }
    }

    /// Adds a response behind those that are ready no later.
    fn add(&mut self, class: u8, response: Response) {
        self.count += 1;
        let waiting = &mut self.waiting[usize::from(class)];
        let later = waiting.iter().rev().take_while(|other| other.ready > response.ready).count();
        waiting.insert(waiting.len() - later, response);
    }

    /// The class of the response that has been ready for the longest time at `now`, of the classes
    /// that may send.
    fn next(&self, now: u64, may_send: impl Fn(u8) -> bool) -> Option<u8> {
        let front = |(class, waiting): (usize, &VecDeque<Response>)| Some((waiting.front()?.ready, class as u8));
        let ready = self.waiting.iter().enumerate().filter_map(front);
        ready.filter(|&(ready, class)| ready <= now && may_send(class)).min().map(|(_, class)| class)
    }

    /// When the next response gets ready that is not at `now`.
    fn next_ready(&self, now: u64) -> Option<u64> {
        self.waiting.iter().filter_map(|waiting| waiting.front()).map(|front| front.ready).filter(|&at| at > now).min()
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let waiting: usize = self.waiting.iter().map(VecDeque::capacity).sum();
        size_of::<Self>() + self.waiting.capacity() * size_of::<VecDeque<Response>>() + waiting * size_of::<Response>()
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
        ];
        for answer in answers {
            let (message, number, order) = answer.words();
            assert_eq!(ResponseContent::of_words(message, number, order), answer);
        }
    }

    #[test]
    fn responses_leave_by_time_and_no_class_blocks_another() {
        let response = |ready| Response {
            ready,
            destination: 0,
            job: JobId(0),
            answer: ResponseContent::Arrived,
            segment: SegmentHead::NONE,
            number: ready as u32,
        };
        let mut responses = Responses::new(2);
        assert!(responses.is_empty());
        for ready in [10, 30, 20, 20] {
            responses.add(0, response(ready));
        }
        responses.add(1, response(15));
        let order: Vec<u64> = responses.waiting[0].iter().map(|response| response.ready).collect();
        assert_eq!(order, [10, 20, 20, 30]);
        assert_eq!(responses.next(5, |_| true), None, "nothing is ready");
        assert_eq!(responses.next_ready(5), Some(10));
        assert_eq!(responses.next(40, |_| true), Some(0), "the older first");
        assert_eq!(responses.next(40, |class| class == 1), Some(1), "class 0 is paused");
        for _ in 0..4 {
            responses.take(0);
        }
        assert!(!responses.is_empty() && responses.next(40, |_| true) == Some(1));
        responses.take(1);
        assert!(responses.is_empty());
    }
}
