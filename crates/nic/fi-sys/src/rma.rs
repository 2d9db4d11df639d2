//! One-sided operations: `rdma/fi_rma.h`.

use crate::*;
use std::ffi::c_void;

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_rma_iov {
    pub addr: u64,
    pub len: usize,
    pub key: u64,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_rma_ioc {
    pub addr: u64,
    pub count: usize,
    pub key: u64,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_msg_rma {
    pub msg_iov: *const libc::iovec,
    pub desc: *mut *mut c_void,
    pub iov_count: usize,
    pub addr: fi_addr_t,
    pub rma_iov: *const fi_rma_iov,
    pub rma_iov_count: usize,
    pub context: *mut c_void,
    pub data: u64,
}

functions! {
    pub struct fi_ops_rma as RmaCalls {
        pub size: usize,
        pub read: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *mut c_void,
                len: usize,
                desc: *mut c_void,
                src_addr: fi_addr_t,
                addr: u64,
                key: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub readv: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                iov: *const libc::iovec,
                desc: *mut *mut c_void,
                count: usize,
                src_addr: fi_addr_t,
                addr: u64,
                key: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub readmsg: Option<unsafe extern "C" fn(ep: *mut fid_ep, msg: *const fi_msg_rma, flags: u64) -> isize>,
        pub write: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                len: usize,
                desc: *mut c_void,
                dest_addr: fi_addr_t,
                addr: u64,
                key: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub writev: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                iov: *const libc::iovec,
                desc: *mut *mut c_void,
                count: usize,
                dest_addr: fi_addr_t,
                addr: u64,
                key: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub writemsg: Option<unsafe extern "C" fn(ep: *mut fid_ep, msg: *const fi_msg_rma, flags: u64) -> isize>,
        pub inject: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                len: usize,
                dest_addr: fi_addr_t,
                addr: u64,
                key: u64,
            ) -> isize,
        >,
        pub writedata: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                len: usize,
                desc: *mut c_void,
                data: u64,
                dest_addr: fi_addr_t,
                addr: u64,
                key: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub injectdata: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                len: usize,
                data: u64,
                dest_addr: fi_addr_t,
                addr: u64,
                key: u64,
            ) -> isize,
        >,
    }
}
