//! Sizes, offsets and numbers against the installed headers (`libfabric-dev`), as the C compiler
//! sees them.

use philae_fi_sys::*;
use std::fmt::Write as _;
use std::mem::offset_of;
use std::path::PathBuf;
use std::process::Command;

/// A structure: its size and the offsets of its fields.
struct Layout {
    name: &'static str,
    size: usize,
    fields: Vec<(&'static str, usize)>,
}

macro_rules! layouts {
    ($($name:ident: $($field:ident),*;)*) => {
        vec![$(Layout {
            name: stringify!($name),
            size: size_of::<$name>(),
            fields: vec![$((stringify!($field).trim_start_matches("r#"), offset_of!($name, $field))),*],
        }),*]
    };
}

macro_rules! numbers {
    ($($name:ident),*) => { vec![$((stringify!($name), $name as u64)),*] };
}

/// Structures that are longer from libfabric 2 on: what this border knows of them is their
/// beginning.
const GROWN: [&str; 4] = ["fi_domain_attr", "fi_ops_av", "fi_ops_domain", "fi_cq_err_entry"];

fn layouts() -> Vec<Layout> {
    layouts! {
        fi_ioc: addr, count;
        fi_tx_attr: caps, mode, op_flags, msg_order, comp_order, inject_size, size, iov_limit, rma_iov_limit, tclass;
        fi_rx_attr: caps, mode, op_flags, msg_order, comp_order, total_buffered_recv, size, iov_limit;
        fi_ep_attr: r#type, protocol, protocol_version, max_msg_size, msg_prefix_size, max_order_raw_size, max_order_war_size, max_order_waw_size, mem_tag_format, tx_ctx_cnt, rx_ctx_cnt, auth_key_size, auth_key;
        fi_domain_attr: domain, name, threading, control_progress, data_progress, resource_mgmt, av_type, mr_mode, mr_key_size, cq_data_size, cq_cnt, ep_cnt, tx_ctx_cnt, rx_ctx_cnt, max_ep_tx_ctx, max_ep_rx_ctx, max_ep_stx_ctx, max_ep_srx_ctx, cntr_cnt, mr_iov_limit, caps, mode, auth_key, auth_key_size, max_err_data, mr_cnt, tclass;
        fi_fabric_attr: fabric, name, prov_name, prov_version, api_version;
        fi_info: next, caps, mode, addr_format, src_addrlen, dest_addrlen, src_addr, dest_addr, handle, tx_attr, rx_attr, ep_attr, domain_attr, fabric_attr, nic;
        fi_device_attr: name, device_id, device_version, vendor_id, driver, firmware;
        fi_pci_attr: domain_id, bus_id, device_id, function_id;
        fi_bus_attr: bus_type, attr;
        fi_link_attr: address, mtu, speed, state, network_type;
        fi_ops: size, close, bind, control, ops_open, tostr, ops_set;
        fid: fclass, context, ops;
        fi_ops_fabric: size, domain, passive_ep, eq_open, wait_open, trywait, domain2;
        fid_fabric: fid, ops, api_version;
        fid_nic: fid, device_attr, bus_attr, link_attr, prov_attr;
        fi_alias: fid, flags;
        fi_mr_raw_attr: flags, base_addr, raw_key, key_size;
        fi_mr_map_raw: flags, base_addr, raw_key, key_size, key;
        fi_context: internal;
        fi_context2: internal;
        fi_av_attr: r#type, rx_ctx_bits, count, ep_per_node, name, map_addr, flags;
        fi_av_set_attr: count, start_addr, end_addr, stride, comm_key_size, comm_key, flags;
        fi_ops_av: size, insert, insertsvc, insertsym, remove, lookup, straddr, av_set;
        fid_av: fid, ops;
        fid_mr: fid, mem_desc, key;
        fi_mr_attr: mr_iov, iov_count, access, offset, requested_key, context, auth_key_size, auth_key, iface, device;
        fi_ops_domain: size, av_open, cq_open, endpoint, scalable_ep, cntr_open, poll_open, stx_ctx, srx_ctx, query_atomic, query_collective, endpoint2;
        fi_ops_mr: size, reg, regv, regattr;
        fid_domain: fid, ops, mr;
        fi_ops_collective: size, barrier, broadcast, alltoall, allreduce, allgather, reduce_scatter, reduce, scatter, gather, msg, barrier2;
        fi_msg: msg_iov, desc, iov_count, addr, context, data;
        fi_ops_ep: size, cancel, getopt, setopt, tx_ctx, rx_ctx, rx_size_left, tx_size_left;
        fi_ops_msg: size, recv, recvv, recvmsg, send, sendv, sendmsg, inject, senddata, injectdata;
        fid_ep: fid, ops, cm, msg, rma, tagged, atomic, collective;
        fid_pep: fid, ops, cm;
        fid_stx: fid, ops;
        fi_wait_attr: wait_obj, flags;
        fi_ops_wait: size, wait;
        fid_wait: fid, ops;
        fi_wait_pollfd: change_index, nfds, fd;
        fi_poll_attr: flags;
        fi_ops_poll: size, poll, poll_add, poll_del;
        fid_poll: fid, ops;
        fi_eq_attr: size, flags, wait_obj, signaling_vector, wait_set;
        fi_eq_entry: fid, context, data;
        fi_eq_err_entry: fid, context, data, err, prov_errno, err_data, err_data_size;
        fi_ops_eq: size, read, readerr, write, sread, strerror;
        fid_eq: fid, ops;
        fi_cq_entry: op_context;
        fi_cq_msg_entry: op_context, flags, len;
        fi_cq_data_entry: op_context, flags, len, buf, data;
        fi_cq_tagged_entry: op_context, flags, len, buf, data, tag;
        fi_cq_err_entry: op_context, flags, len, buf, data, tag, olen, err, prov_errno, err_data, err_data_size;
        fi_cq_attr: size, flags, format, wait_obj, signaling_vector, wait_cond, wait_set;
        fi_ops_cq: size, read, readfrom, readerr, sread, sreadfrom, signal, strerror;
        fid_cq: fid, ops;
        fi_cntr_attr: events, wait_obj, wait_set, flags;
        fi_ops_cntr: size, read, readerr, add, set, wait, adderr, seterr;
        fid_cntr: fid, ops;
        fi_rma_iov: addr, len, key;
        fi_rma_ioc: addr, count, key;
        fi_msg_rma: msg_iov, desc, iov_count, addr, rma_iov, rma_iov_count, context, data;
        fi_ops_rma: size, read, readv, readmsg, write, writev, writemsg, inject, writedata, injectdata;
        fi_msg_tagged: msg_iov, desc, iov_count, addr, tag, ignore, context, data;
        fi_ops_tagged: size, recv, recvv, recvmsg, send, sendv, sendmsg, inject, senddata, injectdata;
        fi_atomic_attr: count, size;
        fi_msg_atomic: msg_iov, desc, iov_count, addr, rma_iov, rma_iov_count, datatype, op, context, data;
        fi_msg_fetch: msg_iov, desc, iov_count;
        fi_msg_compare: msg_iov, desc, iov_count;
        fi_ops_atomic: size, write, writev, writemsg, inject, readwrite, readwritev, readwritemsg, compwrite, compwritev, compwritemsg, writevalid, readwritevalid, compwritevalid;
        fid_mc: fid, fi_addr;
        fi_ops_cm: size, setname, getname, getpeer, connect, listen, accept, reject, shutdown, join;
        fi_trigger_threshold: cntr, threshold;
        fi_op_msg: ep, msg, flags;
        fi_op_tagged: ep, msg, flags;
        fi_op_rma: ep, msg, flags;
        fi_op_atomic: ep, msg, flags;
        fi_op_fetch_atomic: ep, msg, fetch, flags;
        fi_op_compare_atomic: ep, msg, fetch, compare, flags;
        fi_op_cntr: cntr, value;
        fi_deferred_work: context, threshold, triggering_cntr, completion_cntr, op_type, op;
        fi_provider: version, fi_version, context, name, getinfo, fabric, cleanup;
    }
}

fn numbers() -> Vec<(&'static str, u64)> {
    numbers![
        FI_ADDR_BGQ,
        FI_ADDR_CXI,
        FI_ADDR_EFA,
        FI_ADDR_GNI,
        FI_ADDR_IB_UD,
        FI_ADDR_MLX,
        FI_ADDR_OPX,
        FI_ADDR_PSMX,
        FI_ADDR_PSMX2,
        FI_ADDR_PSMX3,
        FI_ADDR_STR,
        FI_AFFINITY,
        FI_ALIAS,
        FI_ALLGATHER,
        FI_ALLGATHER_SET,
        FI_ALLREDUCE,
        FI_ALLREDUCE_SET,
        FI_ALLTOALL,
        FI_ALLTOALL_SET,
        FI_ASYNC_IOV,
        FI_ATOMIC,
        FI_ATOMIC_READ,
        FI_ATOMIC_WRITE,
        FI_AV_COMPLETE,
        FI_AV_MAP,
        FI_AV_TABLE,
        FI_AV_UNSPEC,
        FI_AV_USER_ID,
        FI_BACKLOG,
        FI_BAND,
        FI_BARRIER,
        FI_BARRIER_SET,
        FI_BOR,
        FI_BROADCAST,
        FI_BROADCAST_SET,
        FI_BUFFERED_RECV,
        FI_BUS_PCI,
        FI_BUS_UNKNOWN,
        FI_BUS_UNSPEC,
        FI_BXOR,
        FI_CANCEL_WORK,
        FI_CLAIM,
        FI_CLASS_AV,
        FI_CLASS_AV_SET,
        FI_CLASS_CNTR,
        FI_CLASS_CONNREQ,
        FI_CLASS_CQ,
        FI_CLASS_DOMAIN,
        FI_CLASS_EP,
        FI_CLASS_EQ,
        FI_CLASS_FABRIC,
        FI_CLASS_INTERFACE,
        FI_CLASS_LOG,
        FI_CLASS_MC,
        FI_CLASS_MEM_MONITOR,
        FI_CLASS_MR,
        FI_CLASS_MR_CACHE,
        FI_CLASS_NIC,
        FI_CLASS_PEER_AV,
        FI_CLASS_PEER_AV_SET,
        FI_CLASS_PEER_CQ,
        FI_CLASS_PEER_SRX,
        FI_CLASS_PEP,
        FI_CLASS_POLL,
        FI_CLASS_RX_CTX,
        FI_CLASS_SEP,
        FI_CLASS_SRX_CTX,
        FI_CLASS_STX_CTX,
        FI_CLASS_TX_CTX,
        FI_CLASS_UNSPEC,
        FI_CLASS_WAIT,
        FI_CNTR_EVENTS_COMP,
        FI_COLLECTIVE,
        FI_COMMIT_COMPLETE,
        FI_COMPARE_ATOMIC,
        FI_COMPLETION,
        FI_CONNECTED,
        FI_CONNREQ,
        FI_CONTEXT,
        FI_CONTEXT2,
        FI_CQ_COND_NONE,
        FI_CQ_COND_THRESHOLD,
        FI_CQ_FORMAT_CONTEXT,
        FI_CQ_FORMAT_DATA,
        FI_CQ_FORMAT_MSG,
        FI_CQ_FORMAT_TAGGED,
        FI_CQ_FORMAT_UNSPEC,
        FI_CSWAP,
        FI_CSWAP_GE,
        FI_CSWAP_GT,
        FI_CSWAP_LE,
        FI_CSWAP_LT,
        FI_CSWAP_NE,
        FI_DELIVERY_COMPLETE,
        FI_DIRECTED_RECV,
        FI_DISCARD,
        FI_DOUBLE,
        FI_DOUBLE_COMPLEX,
        FI_DUP,
        FI_ENABLE,
        FI_EP_DGRAM,
        FI_EP_MSG,
        FI_EP_RDM,
        FI_EP_SOCK_DGRAM,
        FI_EP_SOCK_STREAM,
        FI_EP_UNSPEC,
        FI_EXPORT_FID,
        FI_FENCE,
        FI_FETCH_ATOMIC,
        FI_FLOAT,
        FI_FLOAT_COMPLEX,
        FI_FLUSH_WORK,
        FI_FORMAT_UNSPEC,
        FI_GATHER,
        FI_GATHER_SET,
        FI_GETFIDFLAG,
        FI_GETOPSFLAG,
        FI_GETWAIT,
        FI_GETWAITOBJ,
        FI_GET_RAW_MR,
        FI_GET_VAL,
        FI_HMEM,
        FI_HMEM_CUDA,
        FI_HMEM_DEVICE_ONLY,
        FI_HMEM_HOST_ALLOC,
        FI_HMEM_NEURON,
        FI_HMEM_ROCR,
        FI_HMEM_SYNAPSEAI,
        FI_HMEM_SYSTEM,
        FI_HMEM_ZE,
        FI_INJECT,
        FI_INJECT_COMPLETE,
        FI_INT128,
        FI_INT16,
        FI_INT32,
        FI_INT64,
        FI_INT8,
        FI_JOIN_COMPLETE,
        FI_LAND,
        FI_LINK_DOWN,
        FI_LINK_UNKNOWN,
        FI_LINK_UP,
        FI_LOCAL_COMM,
        FI_LOCAL_MR,
        FI_LONG_DOUBLE,
        FI_LONG_DOUBLE_COMPLEX,
        FI_LOR,
        FI_LXOR,
        FI_MAP_RAW_MR,
        FI_MATCH_COMPLETE,
        FI_MAX,
        FI_MIN,
        FI_MORE,
        FI_MR_ALLOCATED,
        FI_MR_BASIC,
        FI_MR_COLLECTIVE,
        FI_MR_COMPLETE,
        FI_MR_ENDPOINT,
        FI_MR_HMEM,
        FI_MR_LOCAL,
        FI_MR_MMU_NOTIFY,
        FI_MR_PROV_KEY,
        FI_MR_RAW,
        FI_MR_RMA_EVENT,
        FI_MR_SCALABLE,
        FI_MR_UNSPEC,
        FI_MR_VIRT_ADDR,
        FI_MSG,
        FI_MSG_PREFIX,
        FI_MSWAP,
        FI_MULTICAST,
        FI_MULTI_RECV,
        FI_NAMED_RX_CTX,
        FI_NAME_MAX,
        FI_NOOP,
        FI_NOTIFY,
        FI_NOTIFY_FLAGS_ONLY,
        FI_NUMERICHOST,
        FI_OPT_BUFFERED_LIMIT,
        FI_OPT_BUFFERED_MIN,
        FI_OPT_CM_DATA_SIZE,
        FI_OPT_ENDPOINT,
        FI_OPT_FI_HMEM_P2P,
        FI_OPT_MIN_MULTI_RECV,
        FI_OPT_RECV_BUF_SIZE,
        FI_OPT_RX_SIZE,
        FI_OPT_SEND_BUF_SIZE,
        FI_OPT_TX_SIZE,
        FI_OPT_XPU_TRIGGER,
        FI_OP_ATOMIC,
        FI_OP_CNTR_ADD,
        FI_OP_CNTR_SET,
        FI_OP_COMPARE_ATOMIC,
        FI_OP_FETCH_ATOMIC,
        FI_OP_READ,
        FI_OP_RECV,
        FI_OP_SEND,
        FI_OP_TRECV,
        FI_OP_TSEND,
        FI_OP_WRITE,
        FI_ORDER_ATOMIC_RAR,
        FI_ORDER_ATOMIC_RAW,
        FI_ORDER_ATOMIC_WAR,
        FI_ORDER_ATOMIC_WAW,
        FI_ORDER_DATA,
        FI_ORDER_NONE,
        FI_ORDER_RAR,
        FI_ORDER_RAS,
        FI_ORDER_RAW,
        FI_ORDER_RMA_RAR,
        FI_ORDER_RMA_RAW,
        FI_ORDER_RMA_WAR,
        FI_ORDER_RMA_WAW,
        FI_ORDER_SAR,
        FI_ORDER_SAS,
        FI_ORDER_SAW,
        FI_ORDER_STRICT,
        FI_ORDER_WAR,
        FI_ORDER_WAS,
        FI_ORDER_WAW,
        FI_PARAM_BOOL,
        FI_PARAM_INT,
        FI_PARAM_SIZE_T,
        FI_PARAM_STRING,
        FI_PATH_MAX,
        FI_PEEK,
        FI_PEER,
        FI_PEER_TRANSFER,
        FI_PRIORITY,
        FI_PROD,
        FI_PROGRESS_AUTO,
        FI_PROGRESS_MANUAL,
        FI_PROGRESS_UNSPEC,
        FI_PROTO_CXI,
        FI_PROTO_EFA,
        FI_PROTO_GNI,
        FI_PROTO_IB_RDM,
        FI_PROTO_IB_UD,
        FI_PROTO_IWARP,
        FI_PROTO_IWARP_RDM,
        FI_PROTO_MLX,
        FI_PROTO_MRAIL,
        FI_PROTO_MXM,
        FI_PROTO_NETWORKDIRECT,
        FI_PROTO_OPX,
        FI_PROTO_PSMX,
        FI_PROTO_PSMX2,
        FI_PROTO_PSMX3,
        FI_PROTO_RDMA_CM_IB_RC,
        FI_PROTO_RDMA_CM_IB_XRC,
        FI_PROTO_RSTREAM,
        FI_PROTO_RXD,
        FI_PROTO_RXM,
        FI_PROTO_RXM_TCP,
        FI_PROTO_SHM,
        FI_PROTO_SOCK_TCP,
        FI_PROTO_UDP,
        FI_PROTO_UNSPEC,
        FI_PROTO_XNET,
        FI_PROV_ATTR_ONLY,
        FI_QUEUE_WORK,
        FI_READ,
        FI_RECV,
        FI_REDUCE,
        FI_REDUCE_SCATTER,
        FI_REDUCE_SCATTER_SET,
        FI_REDUCE_SET,
        FI_REFRESH,
        FI_REG_MR,
        FI_REMOTE_COMM,
        FI_REMOTE_CQ_DATA,
        FI_REMOTE_READ,
        FI_REMOTE_WRITE,
        FI_RESTRICTED_COMP,
        FI_RMA,
        FI_RMA_EVENT,
        FI_RMA_PMEM,
        FI_RM_DISABLED,
        FI_RM_ENABLED,
        FI_RM_UNSPEC,
        FI_RX_CQ_DATA,
        FI_SCATTER,
        FI_SCATTER_SET,
        FI_SELECTIVE_COMPLETION,
        FI_SEND,
        FI_SETFIDFLAG,
        FI_SETOPSFLAG,
        FI_SET_VAL,
        FI_SHARED_AV,
        FI_SHUTDOWN,
        FI_SOCKADDR,
        FI_SOCKADDR_IB,
        FI_SOCKADDR_IN,
        FI_SOCKADDR_IN6,
        FI_SOURCE,
        FI_SOURCE_ERR,
        FI_SUM,
        FI_SYMMETRIC,
        FI_SYNC_ERR,
        FI_TAGGED,
        FI_TC_BEST_EFFORT,
        FI_TC_BULK_DATA,
        FI_TC_DEDICATED_ACCESS,
        FI_TC_DSCP,
        FI_TC_LABEL,
        FI_TC_LOW_LATENCY,
        FI_TC_NETWORK_CTRL,
        FI_TC_SCAVENGER,
        FI_TC_UNSPEC,
        FI_THREAD_COMPLETION,
        FI_THREAD_DOMAIN,
        FI_THREAD_ENDPOINT,
        FI_THREAD_FID,
        FI_THREAD_SAFE,
        FI_THREAD_UNSPEC,
        FI_TRANSMIT_COMPLETE,
        FI_TRIGGER,
        FI_TRIGGER_THRESHOLD,
        FI_TRIGGER_XPU,
        FI_TYPE_ADDR_FORMAT,
        FI_TYPE_ATOMIC_OP,
        FI_TYPE_ATOMIC_TYPE,
        FI_TYPE_AV_TYPE,
        FI_TYPE_CAPS,
        FI_TYPE_COLLECTIVE_OP,
        FI_TYPE_CQ_EVENT_FLAGS,
        FI_TYPE_CQ_FORMAT,
        FI_TYPE_DOMAIN_ATTR,
        FI_TYPE_EP_ATTR,
        FI_TYPE_EP_TYPE,
        FI_TYPE_EQ_EVENT,
        FI_TYPE_FABRIC_ATTR,
        FI_TYPE_FID,
        FI_TYPE_HMEM_IFACE,
        FI_TYPE_INFO,
        FI_TYPE_LOG_LEVEL,
        FI_TYPE_LOG_SUBSYS,
        FI_TYPE_MODE,
        FI_TYPE_MR_MODE,
        FI_TYPE_MSG_ORDER,
        FI_TYPE_OP_FLAGS,
        FI_TYPE_OP_TYPE,
        FI_TYPE_PROGRESS,
        FI_TYPE_PROTOCOL,
        FI_TYPE_RX_ATTR,
        FI_TYPE_THREADING,
        FI_TYPE_TX_ATTR,
        FI_TYPE_VERSION,
        FI_UINT128,
        FI_UINT16,
        FI_UINT32,
        FI_UINT64,
        FI_UINT8,
        FI_UNIVERSE,
        FI_UNMAP_KEY,
        FI_VARIABLE_MSG,
        FI_VERSION_MAX,
        FI_VOID,
        FI_WAIT_FD,
        FI_WAIT_MUTEX_COND,
        FI_WAIT_NONE,
        FI_WAIT_POLLFD,
        FI_WAIT_SET,
        FI_WAIT_UNSPEC,
        FI_WAIT_YIELD,
        FI_WRITE,
        FI_XPU_TRIGGER,
        FI_EOTHER,
        FI_ETOOSMALL,
        FI_EOPBADSTATE,
        FI_EAVAIL,
        FI_EBADFLAGS,
        FI_ENOEQ,
        FI_EDOMAIN,
        FI_ENOCQ,
        FI_ECRC,
        FI_ETRUNC,
        FI_ENOKEY,
        FI_ENOAV,
        FI_EOVERRUN,
        FI_ENORX
    ]
}

/// A program that prints what the compiler knows, one `name value` in a line.
fn program() -> String {
    let mut text = "#include <stdio.h>\n#include <stddef.h>\n".to_owned();
    for header in [
        "fabric",
        "fi_domain",
        "fi_endpoint",
        "fi_eq",
        "fi_rma",
        "fi_tagged",
        "fi_atomic",
        "fi_cm",
        "fi_trigger",
        "fi_collective",
    ] {
        let _ = writeln!(text, "#include <rdma/{header}.h>");
    }
    text += "#include <rdma/fi_errno.h>\n#include <rdma/providers/fi_prov.h>\nint main(void) {\n";
    for layout in layouts() {
        let name = layout.name;
        let _ = writeln!(text, "printf(\"{name} %zu\\n\", sizeof(struct {name}));");
        for (field, _) in &layout.fields {
            let _ = writeln!(text, "printf(\"{name}.{field} %zu\\n\", offsetof(struct {name}, {field}));");
        }
    }
    for (name, _) in numbers() {
        let _ = writeln!(text, "printf(\"{name} %llu\\n\", (unsigned long long)({name}));");
    }
    text + "return 0; }\n"
}

fn headers_are_installed() -> bool {
    ["/usr/include", "/usr/local/include"].iter().any(|folder| PathBuf::from(folder).join("rdma/fabric.h").is_file())
}

#[test]
fn layouts_and_numbers_are_those_of_the_headers() {
    if !headers_are_installed() {
        println!("libfabric-dev is not installed: left out, as scripts/setup says");
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, binary) = (folder.join("layout.c"), folder.join("layout"));
    std::fs::write(&source, program()).expect("the folder can be written");
    let compiled = Command::new("cc").arg("-w").arg(&source).arg("-o").arg(&binary).output().expect("a C compiler");
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{errors}");
    let output = Command::new(&binary).output().expect("what was compiled runs");
    let known: std::collections::BTreeMap<String, u64> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| line.split_once(' ').expect("two words"))
        .map(|(name, value)| (name.to_owned(), value.parse().expect("a number")))
        .collect();
    let mut wrong = Vec::new();
    let mut compare = |name: String, ours: u64| {
        let theirs = known[&name];
        if theirs != ours {
            wrong.push(format!("{name} is {ours}, in C {theirs}"));
        }
    };
    for layout in layouts() {
        let name = layout.name;
        if !GROWN.contains(&name) {
            compare(name.to_owned(), layout.size as u64);
        }
        for (field, offset) in layout.fields {
            compare(format!("{name}.{field}"), offset as u64);
        }
    }
    for (name, value) in numbers() {
        compare(name.to_owned(), value);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(known.len() > 500, "{} facts were compared", known.len());
}
