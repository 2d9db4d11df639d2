//! An endpoint as the objects below it see it.

use std::time::Duration;

use super::fi_endpoint::FiEndpoint;
use crate::address_vector::PeerListener;
use crate::counter::RemoteCounts;
use crate::wait::Pollable;

impl Pollable for FiEndpoint {
    fn progress(&self) {
        Self::progress(self);
    }

    fn watch(&self) {
        Self::watch(self);
    }

    fn is_awaited_at(&self) -> bool {
        Self::is_awaited_at(self)
    }

    fn has_news(&self) -> bool {
        Self::has_news(self)
    }

    fn sleep(&self, at_most: Duration) {
        Self::sleep(self, at_most);
    }

    fn wake(&self) {
        Self::wake(self);
    }
}

impl RemoteCounts for FiEndpoint {
    fn counted(&self, number: u32) -> (u64, u64) {
        Self::counted(self, number)
    }
}

impl PeerListener for FiEndpoint {
    fn expect_remote(&self) {
        Self::expect_remote(self);
    }
}
