//! Layers of ASTRA-sim 1, whose number of ranks comes from the job.

use crate::common::OPTIONS;
use crate::formats::run;
use philae_trace::{TraceError, TraceFile, TraceFormat, TraceOptions, TraceSchedule, import};
use philae_workload::Recording;

fn layers(text: &str, ranks: Option<u32>) -> Result<TraceSchedule, TraceError> {
    assert_eq!(TraceFormat::detect("workload.txt", text.as_bytes()), Some(TraceFormat::SimAi), "{text}");
    let file = TraceFile { name: "workload.txt".to_owned(), bytes: text.into() };
    import(TraceFormat::SimAi, &[file], &TraceOptions { ranks, ..OPTIONS })
}

/// The bytes that each rank sends.
fn sent(text: &str, ranks: u32) -> Vec<u64> {
    let schedule = layers(text, Some(ranks)).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!((schedule.ranks(), schedule.is_sized()), (ranks, false));
    run(&schedule).iter().map(|rank| rank.sent.0).collect()
}

const LAYER: &str = "conv1\t-1\t13003\tALLREDUCE\t4096\t12864\tNONE\t0\t32291\tALLREDUCE\t8192\t3229";

#[test]
fn the_jobs_ranks_share_data_or_tensors_as_the_first_line_says() {
    // WORKED: an allreduce of n bytes among two ranks sends n from each.
    for (head, bytes) in [("DATA", 8_192), ("MICRO", 8_192), ("MODEL", 4_096), ("HYBRID_DLRM 0", 4_096 + 8_192)] {
        assert_eq!(sent(&format!("{head}\n1\n{LAYER}\n"), 2), [bytes; 2], "{head}");
    }
    let customized = format!("HYBRID_CUSTOMIZED\t\t\n2\n{LAYER} MODEL\n{LAYER}\t DATA \n");
    assert_eq!(sent(&customized, 2), [4_096 + 8_192; 2]);
    // Two groups of two share tensors; two of two share data.
    assert_eq!(sent(&format!("HYBRID_TRANSFORMER\tmodel_parallel_NPU_group: 2\n1\n{LAYER}\n"), 4), [4_096 + 8_192; 4]);
    let listed =
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 checkpoints: 2 2 11 checkpoint_initiates: 1 19";
    let text = format!("{listed}\n1\n{LAYER}\n");
    assert_eq!(layers(&text, Some(4)).expect("lists of layers").warnings().len(), 2, "recomputation is left out");
    assert_eq!(sent(&text, 4), [4_096 + 8_192; 4]);
}

#[test]
fn what_the_job_cannot_know_is_refused() {
    for (head, ranks, words) in [
        ("DATA", None, "a job that has them"),
        ("HYBRID_DATA_MODEL", Some(4), "a dimension of ASTRA-sim's network"),
        ("HYBRID_TRANSFORMER model_parallel_NPU_group: 3", Some(4), "both together divide"),
        ("HYBRID_CUSTOMIZED", Some(4), "DATA or MODEL"),
    ] {
        let error = layers(&format!("{head}\n1\n{LAYER}\n"), ranks).expect_err(head).to_string();
        assert!(error.contains(words), "{head}: {error}");
    }
}
