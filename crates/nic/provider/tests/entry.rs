//! The provider's own `getinfo`, without the `fi_getinfo` of libfabric above it, which turns every
//! error of a provider into `-FI_ENODATA`.

#![expect(unsafe_code, reason = "the entry is C's")]

use std::ffi::{CStr, c_int};
use std::ptr;

use philae_fi_sys::{FI_SOURCE, FiLibrary, fi_info, fi_provider};

/// The version of the interface that the vendor's clients ask for: 1.15.
const VERSION: u32 = 1 << 16 | 15;

/// The answer of the provider's own entry.
fn answer(provider: &fi_provider, node: Option<&CStr>, service: Option<&CStr>, flags: u64) -> c_int {
    let mut found: *mut fi_info = ptr::null_mut();
    let text = |text: Option<&CStr>| text.map_or(ptr::null(), CStr::as_ptr);
    let getinfo = provider.getinfo.expect("the table is complete");
    // SAFETY: strings or null, no hints, and room for the answer.
    let code = unsafe { getinfo(VERSION, text(node), text(service), flags, ptr::null(), &raw mut found) };
    assert_eq!(code == 0, !found.is_null(), "an answer comes without an error, {node:?} {service:?}");
    code
}

#[test]
fn what_names_no_endpoint_is_invalid_at_the_provider_s_own_entry() {
    let _library = match FiLibrary::open() {
        Ok(library) => library,
        Err(why) => {
            println!("libfabric is not installed: left out, as scripts/setup says ({why})");
            return;
        }
    };
    // SAFETY: it is called once in this process, as libfabric does.
    let provider = unsafe { philae_provider::fi_prov_ini().as_ref() }.expect("libfabric is open");
    let answers = [
        (None, None, 0),
        (Some(c"cxi0"), None, FI_SOURCE),
        (None, Some(c"0x10"), FI_SOURCE),
        (Some(c"cxi0"), Some(c"5"), 0),
        (Some(c"cxi0"), None, 0),
    ];
    for (node, service, flags) in answers {
        assert_eq!(answer(provider, node, service, flags), 0, "{node:?} {service:?} {flags:#x}");
    }
    let none = [
        (None, None, FI_SOURCE),
        (None, Some(c"9228"), FI_SOURCE),
        (None, Some(c"x"), FI_SOURCE),
        (None, Some(c"-1"), FI_SOURCE),
        (None, Some(c"511"), 0),
        (Some(c"no such host.invalid"), Some(c"5"), 0),
        (Some(c"cxi99"), Some(c"5"), 0),
        (Some(c"cxi0"), Some(c"600"), 0),
        (Some(c"cxi\xff"), None, FI_SOURCE),
        (Some(c"cxi0"), Some(c"\xff"), 0),
    ];
    for (node, service, flags) in none {
        assert_eq!(answer(provider, node, service, flags), -libc::EINVAL, "{node:?} {service:?} {flags:#x}");
    }
}
