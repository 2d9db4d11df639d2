//! Training: programs match for any number of ranks, and send what the closed forms of their
//! sources say.

use crate::common::{COUNTS, error, read, run, sends_of};
use philae_units::Bytes;
use philae_workload::{Workload, WorkloadSpec};

#[test]
fn training_matches_up_for_any_number_of_ranks() {
    let texts = [
        "kind = 'resnet-proxy'",
        "kind = 'resnet-proxy'; model = 'resnet-50'; algorithm = 'ring'; compute_on = 'core'",
        "kind = 'dlrm'",
        "kind = 'dlrm'; algorithm = 'tree'; alltoall = 'pairwise'",
    ];
    for text in texts {
        for ranks in COUNTS {
            let summaries = run(&format!("{text}; iterations = 2"), ranks);
            assert!(summaries.iter().all(|rank| rank.iterations == 2), "{text}");
            assert!(ranks > 1 || summaries[0].sends == 0, "{text}: one rank alone sends nothing");
        }
    }
}

#[test]
fn a_resnet_sums_its_buckets_and_keeps_all_of_them_under_way() {
    // A ring of 4: each rank sends 2 * 3/4 of 229.6 MiB of gradients.
    let gradients = 60_192_808_u64;
    assert_eq!(gradients * 4 * 10 / (1 << 20), 2_296, "229.6 MiB");
    let rank = &run("kind = 'resnet-proxy'; algorithm = 'ring'; iterations = 2", 4)[1];
    assert_eq!(rank.sent, Bytes(2 * gradients * 4 * 2 * 3 / 4));
    assert_eq!((rank.sends, rank.computes), (2 * 10 * 6, 2 * 11));
    assert!(rank.outstanding_max > 4, "several sums at once: {}", rank.outstanding_max);
    // 97.5 MiB, only messages; the first bucket's gradients do not divide by 4.
    let smaller = 3_104_745 + 4_461_568 + 4_462_592 + 4_986_880 + 4_468_736 + 4_074_560_u64;
    let rank = &run("kind = 'resnet-proxy'; model = 'resnet-50'; algorithm = 'ring'; iterations = 1", 4)[1];
    assert!(rank.sent.0.abs_diff(smaller * 4 * 2 * 3 / 4) <= 8 && rank.computes == 0, "{rank:?}");
    assert_eq!(smaller * 4 * 10 / (1 << 20), 975, "97.5 MiB");
    // A thousandth: 60,197 gradients once each bucket is rounded up, in as many messages.
    let rank = &run("kind = 'resnet-proxy'; scale = 1000; algorithm = 'ring'; iterations = 1", 4)[1];
    assert!(rank.sent.0.abs_diff(60_197 * 4 * 2 * 3 / 4) <= 10 * 16, "{rank:?}");
    assert_eq!((rank.sends, rank.computes), (10 * 6, 11));
    assert!(error("kind = 'resnet-proxy'; scale = 0", 4).contains("scale"));
}

#[test]
fn a_recommendation_model_deals_out_embeddings_twice_and_sums_two_perceptrons() {
    let rank = &run("kind = 'dlrm'; algorithm = 'ring'; alltoall = 'pairwise'; iterations = 1", 4)[2];
    let (embeddings, sums) = (2 * 3 * 262_144, [49_536_u64, 728_065].map(|floats| floats * 4 * 2 * 3 / 4));
    assert!(rank.sent.0.abs_diff(embeddings + sums[0] + sums[1]) <= 8, "{rank:?}");
    assert_eq!((rank.sends, rank.computes), (2 * 3 + 2 * 6, 8));
}

/// Layers 4, width 24, sequence 6, 3 micro-batches.
const TRANSFORMER: &str =
    "kind = 'transformer'; layers = 4; hidden = 24; sequence = 6; micro_batches = 3; bucket = 1000; iterations = 2";

/// Bytes of a ring allreduce of `bytes` over `ranks`, for one rank, where the parts are equal.
fn ring(bytes: u64, ranks: u64) -> u64 {
    2 * (ranks - 1) * bytes / ranks
}

#[test]
fn a_transformer_sends_what_its_four_kinds_of_parallelism_need() {
    let (layers, width, micro, element) = (4, 24, 3, 4_u64);
    let activations = 6 * width * element;
    // Tensor groups: 4 allreduces for each layer and micro-batch.
    let rank = &run(&format!("{TRANSFORMER}; tensor = 2; pipeline = 1"), 2)[0];
    assert_eq!(rank.sent.0, 2 * layers * micro * 4 * ring(activations, 2));
    // As many bytes if each rank has a part of the sequence, in 8 collectives.
    let split = format!("{TRANSFORMER}; tensor = 2; pipeline = 1; tensor_collective = 'sequence-parallel'");
    let split = &run(&split, 2)[0];
    assert_eq!((split.sent, split.sends), (rank.sent, rank.sends));
    // Stages: activations forwards and backwards, once for each micro-batch; the ends have one
    // neighbour.
    for schedule in ["1f1b", "gpipe"] {
        let stages = run(&format!("{TRANSFORMER}; tensor = 1; pipeline = 4; schedule = '{schedule}'"), 4);
        let expected = [1, 2, 2, 1].map(|neighbours| 2 * neighbours * micro * activations);
        assert_eq!(stages.iter().map(|rank| rank.sent.0).collect::<Vec<_>>(), expected);
        assert!(stages.iter().all(|rank| rank.computes == 2 * 3 * 2 * 2), "attention and perceptron");
    }
    // Data: 12 squares of the width for each layer, in buckets; 27,648 floats in 111 buckets of
    // 250.
    for overlap in [true, false] {
        let rank = &run(&format!("{TRANSFORMER}; tensor = 1; pipeline = 1; overlap = {overlap}"), 2)[1];
        assert_eq!(rank.sent.0, 2 * ring(layers * 12 * width * width * element, 2));
        assert_eq!(rank.sends, 2 * 2 * 111);
        assert_eq!(rank.outstanding_max, if overlap { 3 } else { 2 }, "beside the backward pass or not");
    }
    // Experts: 4 alltoalls of all activations for each layer and micro-batch; attention's gradients
    // are summed over all 6 ranks, the perceptron's over the 2 that have the same expert.
    let rank = &run(&format!("{TRANSFORMER}; tensor = 1; pipeline = 1; expert = 3"), 6)[4];
    let square = width * width * element;
    let sums = ring(layers * 4 * square, 6) + ring(layers * 8 * square / 3, 2);
    let expected = 2 * (layers * micro * 4 * activations * 2 / 3 + sums);
    assert!(rank.sent.0.abs_diff(expected) <= 2 * 40 * 4, "{} instead of {expected}", rank.sent.0);
}

#[test]
fn transformers_of_every_shape_match_up() {
    let options = [
        "",
        "; tensor_collective = 'sequence-parallel'",
        "; schedule = 'gpipe'; overlap = false",
        "; algorithm = 'auto'; compute_on = 'core'",
    ];
    for (tensor, expert, data, pipeline) in
        [(1, 1, 1, 1), (2, 1, 3, 2), (2, 3, 1, 4), (1, 2, 2, 2), (3, 2, 2, 1), (4, 1, 2, 4)]
    {
        for more in options {
            let shape = format!("tensor = {tensor}; expert = {expert}; pipeline = {pipeline}{more}");
            let text = format!("{}; {shape}", TRANSFORMER.replace("sequence = 6", "sequence = 12"));
            let summaries = run(&text, tensor * expert * data * pipeline);
            assert!(summaries.iter().all(|rank| rank.iterations == 2), "{text}");
        }
    }
}

#[test]
fn gpt_3_has_the_proxys_sizes() {
    let spec = read("kind = 'transformer'; iterations = 1");
    spec.check(768).expect("twice 384 ranks");
    let sizes = sends_of(&spec, 768);
    // Rank 0 is in the first stage: it sends 96 micro-batches on, and 4 sums of 25,165,824 floats
    // over 4 ranks in rings of 6 steps.
    let activations = 25_165_824 * 4;
    assert_eq!(sizes.iter().filter(|&&size| size == activations).count(), 96);
    let parts: u64 = sizes.iter().filter(|&&size| size == activations / 4).sum();
    assert_eq!(parts, 96 * 4 * 6 * activations / 4);
    // Two replicas: half of 452,984,832 floats there and half back.
    let all: u64 = sizes.iter().sum();
    assert_eq!(all - parts - 96 * activations, 452_984_832 * 4);
}

#[test]
fn training_that_cannot_be_is_refused_with_what_would_work() {
    let text = "transformer: `ranks of the job` is 12, which is not a multiple of `tensor * expert * pipeline` (384)";
    assert_eq!(error("kind = 'transformer'", 12), text);
    assert!(error("kind = 'transformer'; layers = 7; tensor = 1; pipeline = 2", 2).contains("`layers` is 7"));
    let split = "kind = 'transformer'; sequence = 7; tensor = 2; pipeline = 1; tensor_collective = 'sequence-parallel'";
    assert!(error(split, 2).contains("`sequence` is 7"));
    assert!(error("kind = 'transformer'; bucket = 4; tensor = 1; pipeline = 1", 2).contains("buckets"));
    assert!(error("kind = 'transformer'; hidden = 2000000; pipeline = 1", 4).contains("at most 1048576"));
    assert!(error("kind = 'resnet-proxy'; algorithm = 'switch-offloaded'", 4).contains("switches reduce at most 32 B"));
    assert!(error("kind = 'dlrm'; top = 6", 4).contains("a multiple of"));
    assert!(error("kind = 'dlrm'; embeddings = 6", 8).contains("embeddings / ranks"));
    assert!(toml::from_str::<WorkloadSpec>("kind = 'transformer'\nschedule = 'dualpipe'").is_err());
}
