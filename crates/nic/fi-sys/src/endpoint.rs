//! Endpoints and messages: `rdma/fi_endpoint.h`.

use crate::*;
use std::ffi::{c_int, c_void};

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_msg {
    pub msg_iov: *const libc::iovec,
    pub desc: *mut *mut c_void,
    pub iov_count: usize,
    pub addr: fi_addr_t,
    pub context: *mut c_void,
    pub data: u64,
}

functions! {
    pub struct fi_ops_ep as EndpointCalls {
        pub size: usize,
        pub cancel: Option<unsafe extern "C" fn(fid: *mut fid, context: *mut c_void) -> isize>,
        pub getopt: Option<
            unsafe extern "C" fn(
                fid: *mut fid,
                level: c_int,
                optname: c_int,
                optval: *mut c_void,
                optlen: *mut usize,
            ) -> c_int,
        >,
        pub setopt: Option<
            unsafe extern "C" fn(
                fid: *mut fid,
                level: c_int,
                optname: c_int,
                optval: *const c_void,
                optlen: usize,
            ) -> c_int,
        >,
        pub tx_ctx: Option<
            unsafe extern "C" fn(
                sep: *mut fid_ep,
                index: c_int,
                attr: *mut fi_tx_attr,
                tx_ep: *mut *mut fid_ep,
                context: *mut c_void,
            ) -> c_int,
        >,
        pub rx_ctx: Option<
            unsafe extern "C" fn(
                sep: *mut fid_ep,
                index: c_int,
                attr: *mut fi_rx_attr,
                rx_ep: *mut *mut fid_ep,
                context: *mut c_void,
            ) -> c_int,
        >,
        pub rx_size_left: Option<unsafe extern "C" fn(ep: *mut fid_ep) -> isize>,
        pub tx_size_left: Option<unsafe extern "C" fn(ep: *mut fid_ep) -> isize>,
    }
}

functions! {
    pub struct fi_ops_msg as MessageCalls {
        pub size: usize,
        pub recv: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *mut c_void,
                len: usize,
                desc: *mut c_void,
                src_addr: fi_addr_t,
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
                context: *mut c_void,
            ) -> isize,
        >,
        pub recvmsg: Option<unsafe extern "C" fn(ep: *mut fid_ep, msg: *const fi_msg, flags: u64) -> isize>,
        pub send: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                len: usize,
                desc: *mut c_void,
                dest_addr: fi_addr_t,
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
                context: *mut c_void,
            ) -> isize,
        >,
        pub sendmsg: Option<unsafe extern "C" fn(ep: *mut fid_ep, msg: *const fi_msg, flags: u64) -> isize>,
        pub inject:
            Option<unsafe extern "C" fn(ep: *mut fid_ep, buf: *const c_void, len: usize, dest_addr: fi_addr_t) -> isize>,
        pub senddata: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                len: usize,
                desc: *mut c_void,
                data: u64,
                dest_addr: fi_addr_t,
                context: *mut c_void,
            ) -> isize,
        >,
        pub injectdata: Option<
            unsafe extern "C" fn(ep: *mut fid_ep, buf: *const c_void, len: usize, data: u64, dest_addr: fi_addr_t) -> isize,
        >,
    }
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fid_ep {
    pub fid: fid,
    pub ops: *mut fi_ops_ep,
    pub cm: *mut fi_ops_cm,
    pub msg: *mut fi_ops_msg,
    pub rma: *mut fi_ops_rma,
    pub tagged: *mut fi_ops_tagged,
    pub atomic: *mut fi_ops_atomic,
    pub collective: *mut fi_ops_collective,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fid_pep {
    pub fid: fid,
    pub ops: *mut fi_ops_ep,
    pub cm: *mut fi_ops_cm,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fid_stx {
    pub fid: fid,
    pub ops: *mut fi_ops_ep,
}
