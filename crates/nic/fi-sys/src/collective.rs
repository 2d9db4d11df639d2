//! Collectives on the network: `rdma/fi_collective.h`. Their structures are opaque here.

use crate::*;
use std::ffi::{c_uint, c_void};

/// Attributes of a network's collectives; opaque.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_collective_attr {
    opaque: [u8; 0],
}

/// A collective as one structure; opaque.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_msg_collective {
    opaque: [u8; 0],
}

functions! {
    pub struct fi_ops_collective {
        pub size: usize,
        pub barrier: Option<unsafe extern "C" fn(ep: *mut fid_ep, coll_addr: fi_addr_t, context: *mut c_void) -> isize>,
        pub broadcast: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *mut c_void,
                count: usize,
                desc: *mut c_void,
                coll_addr: fi_addr_t,
                root_addr: fi_addr_t,
                datatype: c_uint,
                flags: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub alltoall: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                count: usize,
                desc: *mut c_void,
                result: *mut c_void,
                result_desc: *mut c_void,
                coll_addr: fi_addr_t,
                datatype: c_uint,
                flags: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub allreduce: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                count: usize,
                desc: *mut c_void,
                result: *mut c_void,
                result_desc: *mut c_void,
                coll_addr: fi_addr_t,
                datatype: c_uint,
                op: c_uint,
                flags: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub allgather: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                count: usize,
                desc: *mut c_void,
                result: *mut c_void,
                result_desc: *mut c_void,
                coll_addr: fi_addr_t,
                datatype: c_uint,
                flags: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub reduce_scatter: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                count: usize,
                desc: *mut c_void,
                result: *mut c_void,
                result_desc: *mut c_void,
                coll_addr: fi_addr_t,
                datatype: c_uint,
                op: c_uint,
                flags: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub reduce: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                count: usize,
                desc: *mut c_void,
                result: *mut c_void,
                result_desc: *mut c_void,
                coll_addr: fi_addr_t,
                root_addr: fi_addr_t,
                datatype: c_uint,
                op: c_uint,
                flags: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub scatter: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                count: usize,
                desc: *mut c_void,
                result: *mut c_void,
                result_desc: *mut c_void,
                coll_addr: fi_addr_t,
                root_addr: fi_addr_t,
                datatype: c_uint,
                flags: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub gather: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                buf: *const c_void,
                count: usize,
                desc: *mut c_void,
                result: *mut c_void,
                result_desc: *mut c_void,
                coll_addr: fi_addr_t,
                root_addr: fi_addr_t,
                datatype: c_uint,
                flags: u64,
                context: *mut c_void,
            ) -> isize,
        >,
        pub msg: Option<
            unsafe extern "C" fn(
                ep: *mut fid_ep,
                msg: *const fi_msg_collective,
                resultv: *mut fi_ioc,
                result_desc: *mut *mut c_void,
                result_count: usize,
                flags: u64,
            ) -> isize,
        >,
        pub barrier2: Option<
            unsafe extern "C" fn(ep: *mut fid_ep, coll_addr: fi_addr_t, flags: u64, context: *mut c_void) -> isize,
        >,
    }
}
