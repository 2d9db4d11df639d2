//! Authorisation keys.

use crate::abi::Errno;
use crate::limits::AUTH_KEY_BYTES;
use crate::settings::ProviderSettings;

/// The virtual network of an authorisation key, which has the number of a service and of the
/// network. `None` if there is no key.
///
/// # Errors
/// The key's length is wrong, or this process may not use the network.
///
/// # Safety
/// The key is as long as it says.
pub(crate) unsafe fn vni_of(key: *const u8, bytes: usize, settings: &ProviderSettings) -> Result<Option<u16>, Errno> {
    if bytes == 0 || key.is_null() {
        return Ok(None);
    }
    if bytes != AUTH_KEY_BYTES {
        return Err(libc::EINVAL);
    }
    // SAFETY: as the caller promises.
    let key = unsafe { std::slice::from_raw_parts(key, bytes) };
    let vni = u16::from_ne_bytes([key[4], key[5]]);
    if settings.vnis.contains(&vni) { Ok(Some(vni)) } else { Err(libc::EACCES) }
}
