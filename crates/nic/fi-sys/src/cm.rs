//! Names of endpoints: `rdma/fi_cm.h`.

use crate::*;
use std::ffi::{c_int, c_void};

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fid_mc {
    pub fid: fid,
    pub fi_addr: fi_addr_t,
}

functions! {
    pub struct fi_ops_cm as NameCalls {
        pub size: usize,
        pub setname: Option<unsafe extern "C" fn(fid: *mut fid, addr: *mut c_void, addrlen: usize) -> c_int>,
        pub getname: Option<unsafe extern "C" fn(fid: *mut fid, addr: *mut c_void, addrlen: *mut usize) -> c_int>,
        pub getpeer: Option<unsafe extern "C" fn(ep: *mut fid_ep, addr: *mut c_void, addrlen: *mut usize) -> c_int>,
        pub connect: Option<
            unsafe extern "C" fn(ep: *mut fid_ep, addr: *const c_void, param: *const c_void, paramlen: usize) -> c_int,
        >,
        pub listen: Option<unsafe extern "C" fn(pep: *mut fid_pep) -> c_int>,
        pub accept: Option<unsafe extern "C" fn(ep: *mut fid_ep, param: *const c_void, paramlen: usize) -> c_int>,
        pub reject: Option<
            unsafe extern "C" fn(pep: *mut fid_pep, handle: *mut fid, param: *const c_void, paramlen: usize) -> c_int,
        >,
        pub shutdown: Option<unsafe extern "C" fn(ep: *mut fid_ep, flags: u64) -> c_int>,
        pub join: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                addr: *const c_void,
                flags: u64,
                mc: *mut *mut fid_mc,
                context: *mut c_void,
            ) -> c_int,
        >,
    }
}
