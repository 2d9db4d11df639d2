//! The vendor provider's additions to libfabric. Source: fi_cxi_ext.h and fi_cxi(7): names, numbers
//! and layouts of an interface. Status: published.

use std::ffi::{c_int, c_uint, c_void};

use super::{fi_addr_t, fi_cq_tagged_entry, fid, fid_ep};

/// The first number of the vendor's options and commands.
const FI_PROV_SPECIFIC_CXI: c_int = -(0xccc << 16);

pub const FI_OPT_CXI_SET_TCLASS: c_int = FI_PROV_SPECIFIC_CXI;
pub const FI_OPT_CXI_SET_MSG_ORDER: c_int = FI_PROV_SPECIFIC_CXI + 1;
pub const FI_OPT_CXI_NIC_REFRESH_ATTR: c_int = FI_PROV_SPECIFIC_CXI + 2;
pub const FI_OPT_CXI_SET_MR_MATCH_EVENTS: c_int = FI_PROV_SPECIFIC_CXI + 3;
pub const FI_OPT_CXI_GET_MR_MATCH_EVENTS: c_int = FI_PROV_SPECIFIC_CXI + 4;
pub const FI_OPT_CXI_SET_OPTIMIZED_MRS: c_int = FI_PROV_SPECIFIC_CXI + 5;
pub const FI_OPT_CXI_GET_OPTIMIZED_MRS: c_int = FI_PROV_SPECIFIC_CXI + 6;
pub const FI_OPT_CXI_SET_PROV_KEY_CACHE: c_int = FI_PROV_SPECIFIC_CXI + 7;
pub const FI_OPT_CXI_GET_PROV_KEY_CACHE: c_int = FI_PROV_SPECIFIC_CXI + 8;
pub const FI_OPT_CXI_SET_RNR_MAX_RETRY_TIME: c_int = FI_PROV_SPECIFIC_CXI + 9;

pub const FI_CXI_PCIE_AMO: u64 = 1 << 57;
pub const FI_CXI_HRP: u64 = 1 << 60;
pub const FI_CXI_UNRELIABLE: u64 = 1 << 61;
pub const FI_CXI_CNTR_WB: u64 = 1 << 62;
pub const FI_CXI_WEAK_FENCE: u64 = 1 << 63;

#[repr(C)]
pub struct fi_cxi_cntr_ops {
    pub set_wb_buffer: unsafe extern "C" fn(fid: *mut fid, buf: *mut c_void, len: usize) -> c_int,
    pub get_mmio_addr: unsafe extern "C" fn(fid: *mut fid, addr: *mut *mut c_void, len: *mut usize) -> c_int,
}

#[repr(C)]
pub struct fi_cxi_dom_ops {
    pub cntr_read: unsafe extern "C" fn(fid: *mut fid, cntr: c_uint, value: *mut u64, ts: *mut libc::timespec) -> c_int,
    pub topology: unsafe extern "C" fn(
        fid: *mut fid,
        group_id: *mut c_uint,
        switch_id: *mut c_uint,
        port_id: *mut c_uint,
    ) -> c_int,
    pub enable_hybrid_mr_desc: unsafe extern "C" fn(fid: *mut fid, enable: bool) -> c_int,
    pub ep_get_unexp_msgs: unsafe extern "C" fn(
        fid_ep: *mut fid_ep,
        entry: *mut fi_cq_tagged_entry,
        count: usize,
        src_addr: *mut fi_addr_t,
        ux_count: *mut usize,
    ) -> usize,
    pub get_dwq_depth: unsafe extern "C" fn(fid: *mut fid, depth: *mut usize) -> c_int,
    pub enable_mr_match_events: unsafe extern "C" fn(fid: *mut fid, enable: bool) -> c_int,
    pub enable_optimized_mrs: unsafe extern "C" fn(fid: *mut fid, enable: bool) -> c_int,
}
