//! A small valid file of each format.

use std::io::Write;

pub const GOAL: &str = "num_ranks 3\nrank 0 {\nl1: calc 100\nl2: send 16b to 1 tag 3\nl2 requires l1\n}\n\
    rank 1 {\nl1: recv 16b from 0 tag 3\nl2: calc 200\nl2 requires l1\n}\nrank 2 {\ncalc 300\n}\n";

pub const MATRIX: &str = "Nodes 4\nConnections 3\nTriggers 1\n0->1 id 1 start 0 size 20000 send_done_trigger 1\n\
    0->2 id 2 trigger 1 size 1000\n2->3 id 3 start 2000 size 500\ntrigger id 1 oneshot\n";

pub const UNCOUNTED: &str = "Nodes 4\n0->1 start 0 size 20000\n2->3 start 2000 size 500\n";

pub const SMPI: &str = "0 init\n1 init\n2 init\n0 compute 1e6\n0 send 1 0 8 6\n1 recv 0 0 8 6\n2 compute 25\n\
    0 finalize\n1 finalize\n2 finalize\n";

pub const BARE_SMPI: &str = "0 compute 1e6\n1 compute 25\n0 compute 33\n1 sleep 0.5\n";

pub const LAYERS: &str = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 4\n\
    2\none -1 1000 ALLREDUCE 64 500 NONE 0 700 ALLREDUCE 64 100\ntwo -1 2000 NONE 0 900 NONE 0 900 ALLREDUCE 64 120\n";

pub const TOPO: &str = "Nodes 16\nTiers 2\nPodsize 16\nTier 0\nDownlink_speed_Gbps 200\nRadix_Down 4\nRadix_Up 4\n\
    Downlink_Latency_ns 10\nTier 1\nDownlink_speed_Gbps 400\nBundle 2\nRadix_Down 8\nDownlink_Latency_ns 1000\n";

pub const SST: &str = "[JOB_ID] 10\n[NID_LIST] 0-3\n[NUM_CORES] 2\n[MOTIF] Init\n[MOTIF] Allreduce count=40 iterations=30\n\
    [MOTIF] Fini\n[JOB_ID] 11\n[NID_LIST] 16-19\n[MOTIF] Init\n[MOTIF] Alltoall bytes=64 iterations=12\n[MOTIF] Fini\n";

pub const CABLING: &str = "cable_id,src_conn_a,src_conn_b,dst_conn_a,dst_conn_b,stage,src_egress_a,src_egress_b,\
    dst_egress_a,dst_egress_b,link_type,src_group,dst_group,part_number,part_length,calculated_distance,route\n\
    1,x3000c0r15j13,none,x3000c0r16j13,none,1,,,,,local,0,0,P1,1.5,1.2,\"a, b\"\n\
    2,x3000c0s17b0n0h0,x3000c0s18b0n0h0,x3000c0r15j1,none,1,,,,,edge,0,0,P2,2,2.5,c\n\
    3,x3000c0r16j1,x3000c0r16j2,x3000c0s19b0n0h0,x3000c0s19b0n0h1,1,,,,,edge,0,0,P2,2,2.5,d\n";

pub const NETLIST: &str = "switchguid=0x51(51)\nSwitch\t4 \"S-51\"\t\t# \"leaf01\" base port 0 lid 1 lmc 0\n\
    [1]\t\"H-a1\"[1](a1) \t\t# \"n1 HCA-1\" lid 3 4xHDR\n[2]\t\"H-a2\"[1](a2) \t\t# \"n2 HCA-1\" lid 4 4xHDR\n\
    [4]\t\"S-52\"[4]\t\t# \"leaf02\" lid 2 4xHDR\n\n\
    switchguid=0x52(52)\nSwitch\t4 \"S-52\"\t\t# \"leaf02\" base port 0 lid 2 lmc 0\n\
    [1]\t\"H-a3\"[1](a3) \t\t# \"n3 HCA-1\" lid 5 4xHDR\n[4]\t\"S-51\"[4]\t\t# \"leaf01\" lid 1 4xHDR\n\n\
    Ca\t1 \"H-a1\"\t\t# \"n1 HCA-1\"\n[1](a1) \t\"S-51\"[1]\t\t# lid 3 lmc 0 \"leaf01\" lid 1 4xHDR\n\n\
    Ca\t1 \"H-a2\"\t\t# \"n2 HCA-1\"\n[1](a2) \t\"S-51\"[2]\t\t# lid 4 lmc 0 \"leaf01\" lid 1 4xHDR\n\n\
    Ca\t1 \"H-a3\"\t\t# \"n3 HCA-1\"\n[1](a3) \t\"S-52\"[1]\t\t# lid 5 lmc 0 \"leaf02\" lid 2 4xHDR\n";

pub const REPORT: &str = "CA     3  1 0x00000000000000a1 4x HDR - SW     1  1 0x0000000000000051 ( 'n1 HCA-1' - 'leaf01' )\n\
    CA     4  1 0x00000000000000a2 4x HDR - SW     1  2 0x0000000000000051 ( 'n2 HCA-1' - 'leaf01' )\n\
    SW     1  1 0x0000000000000051 4x HDR - CA     3  1 0x00000000000000a1 ( 'leaf01' - 'n1 HCA-1' )\n\
    SW     1  2 0x0000000000000051 4x HDR - CA     4  1 0x00000000000000a2 ( 'leaf01' - 'n2 HCA-1' )\n";

pub const IBSIM: &str = "Switch 8 \"s1\"\n[1] \"s2\"[1]\n[2] \"h1\"[1]\n[3] \"h2\"[1]\n\nSwitch 8 \"s2\"\n\nHca 1 \"h1\"\n\n\
    Hca 1 \"h2\"\n\nHca 1 \"h3\"\n[1] \"s2\"[4]\n\nHca 1 \"h4\"\n[1] \"s2\"[5]\n";

pub fn goal_binary() -> Vec<u8> {
    let file = philae_trace::TraceFile { name: "goal".to_owned(), bytes: GOAL.into() };
    let read = philae_trace::import(philae_trace::TraceFormat::Goal, &[file], &philae_trace::TraceOptions::default());
    philae_trace::goal::to_binary(&read.expect("it is right")).expect("it has words for all of it")
}

/// A schema version, and three nodes of computation in a row: id, type 4, what they depend on,
/// microseconds.
pub fn chakra() -> Vec<u8> {
    let head = [7, 10, 5].into_iter().chain(*b"0.0.4").collect::<Vec<u8>>();
    let node = |id: u8| match id {
        1 => vec![6, 8, 1, 24, 4, 56, 50],
        _ => vec![8, 8, id, 24, 4, 40, id - 1, 56, 60],
    };
    [head, node(1), node(2), node(3)].concat()
}

/// The ends of the messages of [`chakra`].
pub const CHAKRA_ENDS: [usize; 3] = [8, 15, 24];

/// One process that opens and closes an endpoint, with computation before.
pub fn provider() -> Vec<u8> {
    let mut bytes = b"PHTRACE\x01".to_vec();
    let records: [[u64; 9]; 3] = [
        [1, 0, 100, 10, 11, 12, 10, 0, 0],
        [9 | 5_000 << 8, 5, 0, 0, 0, 0, 0, 0, 0],
        [10 | 700 << 8, 9, 100, 0, 0, 0, 0, 0, 0],
    ];
    [0, 4_000, 77].iter().chain(records.iter().flatten()).for_each(|word: &u64| bytes.extend(word.to_le_bytes()));
    bytes
}

/// One member: the format does not say how many there are.
pub fn gzip() -> Vec<u8> {
    let member = |text: &[u8]| {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        writer.write_all(text).expect("memory takes it");
        writer.finish().expect("memory takes it")
    };
    member(b"0 compute 5\n1 compute 6\n")
}
