//! Queues and counters: `rdma/fi_eq.h`.

use crate::*;
use std::ffi::{c_char, c_int, c_uint, c_void};

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_wait_attr {
    pub wait_obj: c_uint,
    pub flags: u64,
}

functions! {
    pub struct fi_ops_wait {
        pub size: usize,
        pub wait: Option<unsafe extern "C" fn(waitset: *mut fid_wait, timeout: c_int) -> c_int>,
    }
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fid_wait {
    pub fid: fid,
    pub ops: *mut fi_ops_wait,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_wait_pollfd {
    pub change_index: u64,
    pub nfds: usize,
    pub fd: *mut libc::pollfd,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_poll_attr {
    pub flags: u64,
}

functions! {
    pub struct fi_ops_poll {
        pub size: usize,
        pub poll: Option<unsafe extern "C" fn(pollset: *mut fid_poll, context: *mut *mut c_void, count: c_int) -> c_int>,
        pub poll_add: Option<unsafe extern "C" fn(pollset: *mut fid_poll, event_fid: *mut fid, flags: u64) -> c_int>,
        pub poll_del: Option<unsafe extern "C" fn(pollset: *mut fid_poll, event_fid: *mut fid, flags: u64) -> c_int>,
    }
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fid_poll {
    pub fid: fid,
    pub ops: *mut fi_ops_poll,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_eq_attr {
    pub size: usize,
    pub flags: u64,
    pub wait_obj: c_uint,
    pub signaling_vector: c_int,
    pub wait_set: *mut fid_wait,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_eq_entry {
    pub fid: *mut fid,
    pub context: *mut c_void,
    pub data: u64,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_eq_err_entry {
    pub fid: *mut fid,
    pub context: *mut c_void,
    pub data: u64,
    pub err: c_int,
    pub prov_errno: c_int,
    pub err_data: *mut c_void,
    pub err_data_size: usize,
}

functions! {
    pub struct fi_ops_eq as EventQueueCalls {
        pub size: usize,
        pub read: Option<
            unsafe extern "C" fn(eq: *mut fid_eq, event: *mut u32, buf: *mut c_void, len: usize, flags: u64) -> isize,
        >,
        pub readerr: Option<unsafe extern "C" fn(eq: *mut fid_eq, buf: *mut fi_eq_err_entry, flags: u64) -> isize>,
        pub write:
            Option<unsafe extern "C" fn(eq: *mut fid_eq, event: u32, buf: *const c_void, len: usize, flags: u64) -> isize>,
        pub sread: Option<
            unsafe extern "C" fn(
                eq: *mut fid_eq,
                event: *mut u32,
                buf: *mut c_void,
                len: usize,
                timeout: c_int,
                flags: u64,
            ) -> isize,
        >,
        pub strerror: Option<
            unsafe extern "C" fn(
                eq: *mut fid_eq,
                prov_errno: c_int,
                err_data: *const c_void,
                buf: *mut c_char,
                len: usize,
            ) -> *const c_char,
        >,
    }
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fid_eq {
    pub fid: fid,
    pub ops: *mut fi_ops_eq,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_cq_entry {
    pub op_context: *mut c_void,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_cq_msg_entry {
    pub op_context: *mut c_void,
    pub flags: u64,
    pub len: usize,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_cq_data_entry {
    pub op_context: *mut c_void,
    pub flags: u64,
    pub len: usize,
    pub buf: *mut c_void,
    pub data: u64,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_cq_tagged_entry {
    pub op_context: *mut c_void,
    pub flags: u64,
    pub len: usize,
    pub buf: *mut c_void,
    pub data: u64,
    pub tag: u64,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_cq_err_entry {
    pub op_context: *mut c_void,
    pub flags: u64,
    pub len: usize,
    pub buf: *mut c_void,
    pub data: u64,
    pub tag: u64,
    pub olen: usize,
    pub err: c_int,
    pub prov_errno: c_int,
    pub err_data: *mut c_void,
    pub err_data_size: usize,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_cq_attr {
    pub size: usize,
    pub flags: u64,
    pub format: c_uint,
    pub wait_obj: c_uint,
    pub signaling_vector: c_int,
    pub wait_cond: c_uint,
    pub wait_set: *mut fid_wait,
}

functions! {
    pub struct fi_ops_cq as CompletionQueueCalls {
        pub size: usize,
        pub read: Option<unsafe extern "C" fn(cq: *mut fid_cq, buf: *mut c_void, count: usize) -> isize>,
        pub readfrom: Option<
            unsafe extern "C" fn(cq: *mut fid_cq, buf: *mut c_void, count: usize, src_addr: *mut fi_addr_t) -> isize,
        >,
        pub readerr: Option<unsafe extern "C" fn(cq: *mut fid_cq, buf: *mut fi_cq_err_entry, flags: u64) -> isize>,
        pub sread: Option<
            unsafe extern "C" fn(
                cq: *mut fid_cq,
                buf: *mut c_void,
                count: usize,
                cond: *const c_void,
                timeout: c_int,
            ) -> isize,
        >,
        pub sreadfrom: Option<
            unsafe extern "C" fn(
                cq: *mut fid_cq,
                buf: *mut c_void,
                count: usize,
                src_addr: *mut fi_addr_t,
                cond: *const c_void,
                timeout: c_int,
            ) -> isize,
        >,
        pub signal: Option<unsafe extern "C" fn(cq: *mut fid_cq) -> c_int>,
        pub strerror: Option<
            unsafe extern "C" fn(
                cq: *mut fid_cq,
                prov_errno: c_int,
                err_data: *const c_void,
                buf: *mut c_char,
                len: usize,
            ) -> *const c_char,
        >,
    }
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fid_cq {
    pub fid: fid,
    pub ops: *mut fi_ops_cq,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fi_cntr_attr {
    pub events: c_uint,
    pub wait_obj: c_uint,
    pub wait_set: *mut fid_wait,
    pub flags: u64,
}

functions! {
    pub struct fi_ops_cntr as CounterCalls {
        pub size: usize,
        pub read: Option<unsafe extern "C" fn(cntr: *mut fid_cntr) -> u64>,
        pub readerr: Option<unsafe extern "C" fn(cntr: *mut fid_cntr) -> u64>,
        pub add: Option<unsafe extern "C" fn(cntr: *mut fid_cntr, value: u64) -> c_int>,
        pub set: Option<unsafe extern "C" fn(cntr: *mut fid_cntr, value: u64) -> c_int>,
        pub wait: Option<unsafe extern "C" fn(cntr: *mut fid_cntr, threshold: u64, timeout: c_int) -> c_int>,
        pub adderr: Option<unsafe extern "C" fn(cntr: *mut fid_cntr, value: u64) -> c_int>,
        pub seterr: Option<unsafe extern "C" fn(cntr: *mut fid_cntr, value: u64) -> c_int>,
    }
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct fid_cntr {
    pub fid: fid,
    pub ops: *mut fi_ops_cntr,
}
