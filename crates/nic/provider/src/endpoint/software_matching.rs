//! An endpoint's software matching at work: it pairs messages and receives that software keeps, and
//! fetches messages whose bytes are still with their sender.

use std::sync::atomic::Ordering;

use philae_nic_core::nic::{PortalKind, Posted, Receive, ReturnCode, UnexpectedMessage};

use super::fi_endpoint::FiEndpoint;
use super::software::{Searched, Task};
use crate::abi::Errno;
use crate::operation::{PostedReceive, UnexpectedSearch};
use crate::shm::area::Entered;

impl FiEndpoint {
    /// Does all pending work of software; returns the locked state after it.
    ///
    /// # Errors
    /// As [`FiEndpoint::enter`].
    pub(super) fn match_software(&self) -> Result<Entered<'_>, Errno> {
        loop {
            let mut entered = self.enter()?;
            match self.software.next(&mut entered, &self.traffic.matches) {
                None => return Ok(entered),
                Some(Task::Take(kind, arrival, landing)) => self.take(entered, kind, &arrival, &landing)?,
                Some(Task::Fetch(kind, index, arrival)) => {
                    drop(entered);
                    self.fetch_early(kind, index, &arrival);
                }
            }
        }
    }

    /// Fetches an eager message for which the NIC had no block, before a receive matches it, so
    /// that its sender's completion does not wait for a receive. If the fetch fails, the receive
    /// that takes it reports the error.
    fn fetch_early(&self, kind: PortalKind, index: u32, arrival: &UnexpectedMessage) {
        let mut bytes = vec![0; arrival.length as usize];
        let code = self.fetch(arrival, &mut bytes);
        if code == ReturnCode::Ok && self.software.keep_fetched(kind, index, arrival, &bytes) {
            self.tell_taken(arrival.source, arrival.handle, code);
        }
    }

    /// Posts a receive while software has entries. Returns the rest of a receive that has taken a
    /// message, or one to post in the NIC. A receive whose sender has left ends with an error if no
    /// message waits for it.
    ///
    /// # Errors
    /// `EAGAIN`: the event queue or the list is full.
    pub(super) fn post_with_software(
        &self,
        kind: PortalKind,
        mut receive: Receive,
        has_left: bool,
    ) -> Result<Option<Receive>, Errno> {
        let mut entered = self.match_software()?;
        let taken = {
            let mut kept = self.software.kept();
            let lists = kept.of(kind);
            let found = lists.arrivals(|arrivals| arrivals.find(&receive.criteria));
            match found {
                Some(index) => {
                    entered.process.expect_event().map_err(|_| libc::EAGAIN)?;
                    let arrival = lists.arrivals(|arrivals| arrivals.remove(index));
                    self.traffic.matches.matched.fetch_add(1, Ordering::Relaxed);
                    Some((arrival, receive.landing(arrival.length)))
                }
                None => match entered.process.take_waiting(kind, receive).map_err(|_| libc::EAGAIN)? {
                    Some(Posted::Takes { arrival, landing }) => Some((arrival, landing)),
                    _ => None,
                },
            }
        };
        if let Some((arrival, landing)) = taken {
            self.take(entered, kind, &arrival, &landing)?;
            if landing.is_last {
                return Ok(None);
            }
            receive.used += arrival.length.min(landing.room);
            return Ok(Some(receive));
        }
        if has_left && self.ends_in_vain(&mut entered, kind, receive.criteria.source) {
            Self::end_in_vain(&mut entered, kind, &receive);
            drop(entered);
            self.wake();
            return Ok(None);
        }
        let mut kept = self.software.kept();
        if kept.of(kind).has_no_receive() && entered.process.admits_receive(kind) {
            // There is room, as was just checked.
            let posted = entered.process.portal(kind).receives.post(receive);
            return posted.map(|_| None).map_err(|_| libc::EAGAIN);
        }
        self.software.begin();
        if entered.process.matching.is_software() {
            // The NIC's receives come before it.
            kept.take_over_receives(&mut entered.process, kind);
        }
        let added = kept.of(kind).add_receive(receive);
        added.map(|_| None).map_err(|_| libc::EAGAIN)
    }

    /// Searches among the messages that wait in software; returns the result, removed if the search
    /// takes it.
    ///
    /// # Errors
    /// `EAGAIN`: the event queue is full.
    pub(super) fn search_software(
        &self,
        entered: &mut Entered<'_>,
        incoming: &PostedReceive,
        receive: &Receive,
        search: UnexpectedSearch,
    ) -> Result<Option<Searched>, Errno> {
        let mut kept = self.software.kept();
        let lists = kept.of(incoming.kind);
        let is_claimed = matches!(search, UnexpectedSearch::Claimed | UnexpectedSearch::DiscardClaimed);
        let found = lists.arrivals(|arrivals| {
            if is_claimed { arrivals.find_claimed(incoming.context) } else { arrivals.find(&receive.criteria) }
        });
        let Some(index) = found else { return Ok(None) };
        if search == UnexpectedSearch::Claimed {
            entered.process.expect_event().map_err(|_| libc::EAGAIN)?;
            let arrival = lists.arrivals(|arrivals| arrivals.remove(index));
            return Ok(Some(Searched::Takes(arrival, receive.landing(arrival.length))));
        }
        let arrival = lists.arrivals(|arrivals| match search {
            UnexpectedSearch::PeekAndDiscard | UnexpectedSearch::DiscardClaimed => arrivals.remove(index),
            _ => {
                let arrival = *arrivals.get(index);
                if search == UnexpectedSearch::PeekAndClaim {
                    arrivals.claim(index, incoming.context);
                }
                arrival
            }
        });
        Ok(Some(Searched::Found(arrival)))
    }
}
