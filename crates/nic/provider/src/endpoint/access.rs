//! One-sided operations: the initiator reads, writes and changes registered memory without the
//! target's help.

use std::sync::Arc;

use philae_fi_sys::*;
use philae_nic_core::nic::ReturnCode;

use super::fi_endpoint::FiEndpoint;
use super::peer::EndpointPeer;
use crate::abi::Errno;
use crate::operation::{AtomicAccess, RemoteAccess, TransferBytes};
use crate::peers::BytePath;
use crate::target::LocalTarget;

impl FiEndpoint {
    /// Reads or writes registered memory of another endpoint.
    ///
    /// # Errors
    /// `EAGAIN`: there is no room for its completion, or for an event at the target.
    pub fn access(&self, mut access: RemoteAccess<'_>) -> Result<(), Errno> {
        self.check_room()?;
        let mut state = self.state();
        let peer = self.peer(&mut state, access.to)?.clone();
        let (area, process, is_here) = match peer {
            EndpointPeer::Neighbour { area, process, is_here, .. } => (area, process, is_here),
            EndpointPeer::Remote { socket, .. } => {
                drop(state);
                let (is_read, length) = (matches!(access.bytes, TransferBytes::Read(_)), access.bytes.len() as u64);
                self.with_remote(|remote| remote.access(self, socket, &mut access))?;
                self.traffic.command(access.flags);
                self.traffic.accessed(is_read, length);
                self.traffic.carried(access.class);
                self.count_access(&access, BytePath::Segments);
                return Ok(());
            }
            EndpointPeer::Simulated { to, .. } => {
                let (is_read, length) = (matches!(access.bytes, TransferBytes::Read(_)), access.bytes.len() as u64);
                self.access_simulated(&mut state, &mut access, to)?;
                self.traffic.command(access.flags);
                self.traffic.accessed(is_read, length);
                self.traffic.carried(access.class);
                self.count_access(&access, BytePath::OneCopy);
                return Ok(());
            }
            EndpointPeer::Gone { .. } => {
                drop(state);
                self.ended(&access.reply, ReturnCode::Undeliverable);
                return Ok(());
            }
        };
        let target = LocalTarget { area: &area, process, is_here };
        let source = self.address().ok_or(FI_EOPBADSTATE)?.source();
        let code = target.access(self.vni, source, &mut access)?.code;
        let is_read = matches!(access.bytes, TransferBytes::Read(_));
        self.traffic.command(access.flags);
        self.traffic.accessed(is_read, access.bytes.len() as u64);
        self.traffic.carried(access.class);
        self.count_access(&access, BytePath::OneCopy);
        if access.data.is_some() || state.unrung.iter().any(|deferred| Arc::ptr_eq(deferred, &area)) {
            self.ring(&mut state, &area, access.flags, false);
        }
        drop(state);
        self.ended(&access.reply, code);
        Ok(())
    }

    /// Counts a read or a write for its peer, if such counting is on.
    fn count_access(&self, access: &RemoteAccess<'_>, path: BytePath) {
        let Some(peers) = &self.traffic.peers else { return };
        let (is_read, bytes) = (matches!(access.bytes, TransferBytes::Read(_)), access.bytes.len());
        let path =
            if is_read { path } else { path.or_inline(bytes, access.flags, self.domain.settings.messages.inline[1]) };
        peers.count(access.to, |peer| peer.accessed(is_read, bytes as u64, path));
    }

    /// The same for an atomic operation.
    fn count_amo(&self, amo: &AtomicAccess<'_>, path: BytePath) {
        let Some(peers) = &self.traffic.peers else { return };
        let path = path.or_inline(amo.length, amo.flags, self.domain.settings.messages.inline[2]);
        peers.count(amo.to, |peer| peer.changed(amo.length, path));
    }

    /// Changes registered memory of another endpoint, atomically with respect to all such
    /// operations.
    ///
    /// # Errors
    /// `EAGAIN`: there is no room for its completion.
    pub fn amo(&self, amo: &mut AtomicAccess<'_>) -> Result<(), Errno> {
        self.check_room()?;
        let mut state = self.state();
        let peer = self.peer(&mut state, amo.to)?.clone();
        if let EndpointPeer::Simulated { to, .. } = peer {
            self.amo_simulated(&mut state, amo, to)?;
            self.traffic.command(amo.flags);
            self.traffic.changed(amo.length as u64);
            self.traffic.carried_amo(amo.class, amo.is_unreliable, amo.flags);
            self.count_amo(amo, BytePath::OneCopy);
            return Ok(());
        }
        drop(state);
        let code = match peer {
            EndpointPeer::Neighbour { area, process, is_here, .. } => {
                let code = LocalTarget { area: &area, process, is_here }.amo(self.vni, amo).code;
                self.traffic.command(amo.flags);
                self.traffic.changed(amo.length as u64);
                self.traffic.carried_amo(amo.class, amo.is_unreliable, amo.flags);
                self.count_amo(amo, BytePath::OneCopy);
                code
            }
            EndpointPeer::Remote { socket, .. } => {
                self.with_remote(|remote| remote.amo(self, socket, amo))?;
                self.traffic.command(amo.flags);
                self.traffic.changed(amo.length as u64);
                self.traffic.carried_amo(amo.class, amo.is_unreliable, amo.flags);
                self.count_amo(amo, BytePath::Segments);
                return Ok(());
            }
            EndpointPeer::Simulated { .. } | EndpointPeer::Gone { .. } => ReturnCode::Undeliverable,
        };
        self.ended(&amo.reply, code);
        Ok(())
    }
}
