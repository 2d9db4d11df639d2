//! Tagged messages: `rdma/fi_tagged.h`.

use crate::*;
use std::ffi::c_void;

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_msg_tagged {
    pub msg_iov: *const libc::iovec,
    pub desc: *mut *mut c_void,
    pub iov_count: usize,
    pub addr: fi_addr_t,
    pub tag: u64,
    pub ignore: u64,
    pub context: *mut c_void,
    pub data: u64,
}

functions! {
    pub struct fi_ops_tagged as TaggedCalls {
        pub size: usize,
        pub recv: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *mut c_void,
                len: usize,
                desc: *mut c_void,
                src_addr: fi_addr_t,
                tag: u64,
                ignore: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub recvv: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                iov: *const libc::iovec,
                desc: *mut *mut c_void,
                count: usize,
                src_addr: fi_addr_t,
                tag: u64,
                ignore: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub recvmsg: Option<unsafe extern "C" fn(ep: *mut fid_ep, msg: *const fi_msg_tagged, flags: u64) -> isize>,
        pub send: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                len: usize,
                desc: *mut c_void,
                dest_addr: fi_addr_t,
                tag: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub sendv: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                iov: *const libc::iovec,
                desc: *mut *mut c_void,
                count: usize,
                dest_addr: fi_addr_t,
                tag: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub sendmsg: Option<unsafe extern "C" fn(ep: *mut fid_ep, msg: *const fi_msg_tagged, flags: u64) -> isize>,
        pub inject: Option<
            unsafe extern "C" fn(ep: *mut fid_ep, buf: *const c_void, len: usize, dest_addr: fi_addr_t, tag: u64) -> isize,
        >,
        pub senddata: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                len: usize,
                desc: *mut c_void,
                data: u64,
                dest_addr: fi_addr_t,
                tag: u64,
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
                tag: u64,
            ) -> isize,
        >,
    }
}
