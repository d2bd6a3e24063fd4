//! What holds for every text's vector, whatever the weights.

use saidso_core::{
    ports::{Embedder, Purpose},
    vector::Vector,
};
use saidso_models::{
    e5::{E5, Kernel},
    lanes::{Lane, Lanes, Settings},
};

use crate::synthetic::Synthetic;

fn model() -> E5 {
    E5::from_bytes(Synthetic::new(64, 2, 96).bytes()).unwrap()
}

fn one(model: &E5, text: &str) -> Vector {
    model.embed(Purpose::Passage, &[text]).unwrap().remove(0)
}

/// Texts of 0 to 70 words: every remainder of the kernels' groups of tokens, and up to five windows.
fn texts() -> Vec<String> {
    let words = ["ab", "cd", "abcd", "h", "xyz", "gfe", "Ab"];
    (0..70).map(|n| (0..n).map(|i| words[(i * 3 + n) % words.len()]).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn every_kernel_gives_the_same_bits() {
    let texts = texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let kernels = Kernel::all();
    assert_eq!(kernels[0].name(), "portable");
    #[cfg(target_arch = "x86_64")]
    assert_eq!(kernels.len() > 1, std::arch::is_x86_feature_detected!("avx2"));
    let expected = model().with_kernel(kernels[0]).embed(Purpose::Passage, &texts).unwrap();
    for kernel in kernels {
        let vectors = model().with_kernel(kernel).embed(Purpose::Passage, &texts).unwrap();
        assert!(vectors == expected, "{} differs", kernel.name());
    }
}

#[test]
fn a_text_does_not_depend_on_its_batch() {
    let texts = texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let alone: Vec<Vector> = texts.iter().map(|t| one(&model(), t)).collect();
    assert!(model().embed(Purpose::Passage, &texts).unwrap() == alone);
    assert!(model().embed(Purpose::Passage, &[]).unwrap().is_empty());
}

#[test]
fn slices_on_several_threads_give_the_same_bits() {
    let texts = texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for purpose in [Purpose::Passage, Purpose::Query] {
        let whole = model().embed(purpose, &texts).unwrap();
        for (slice_tokens, threads) in [(1, 1), (7, 2), (64, 3), (256, 100), (1_000_000, 1)] {
            let lanes = Lanes::built_in(model(), Settings::in_process(slice_tokens, threads));
            let sliced = lanes.lane(Lane::Live).embed(purpose, &texts).unwrap();
            assert!(sliced == whole, "slices of {slice_tokens} tokens on {threads} threads");
        }
    }
}

/// Field case 17.
#[test]
fn one_text_too_long_leaves_the_other_twenty_nine_alone() {
    let model = model();
    let long = "ab cdh ".repeat(1000);
    let mut batch: Vec<String> = texts().split_off(1);
    batch.truncate(30);
    batch[17] = long;
    let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
    let vectors = model.embed(Purpose::Passage, &batch).unwrap();
    for (text, vector) in batch.iter().zip(&vectors) {
        assert_eq!(one(&model, text), *vector, "a text of {} bytes", text.len());
    }
}

#[test]
fn texts_are_told_apart_and_so_are_their_purposes() {
    let model = model();
    assert_ne!(one(&model, "ab"), one(&model, "cd"));
    assert_ne!(one(&model, "ab cd"), one(&model, "cd ab"));
    assert_ne!(model.embed(Purpose::Query, &["ab"]).unwrap()[0], one(&model, "ab"));
}

#[test]
fn text_is_normalised_by_the_files_table() {
    let model = model();
    for (written, meant) in
        [("A", "a"), ("cZ", "c ab"), ("c\u{200b}d", "cd"), ("a   b", "a b"), ("  ab", "ab"), ("ж", "字")]
    {
        assert_eq!(one(&model, written), one(&model, meant), "{written:?} and {meant:?}");
    }
    assert_ne!(one(&model, "ж"), one(&model, "a"));
}

#[test]
fn a_long_text_is_the_average_of_its_windows() {
    let mut file = Synthetic::new(64, 2, 96);
    // The prefix is dropped, so that a window of 14 words is just that.
    file.replacements = "pasge: ".chars().map(|c| (c as u32, vec![])).collect();
    file.replacements.push(('w' as u32, vec![' ' as u32, 'c' as u32, 'd' as u32]));
    let model = E5::from_bytes(file.bytes()).unwrap();
    let full = one(&model, &"w".repeat(14));
    assert_eq!(one(&model, &"w".repeat(28)), full);
    assert_eq!(one(&model, &"w".repeat(14 * 60)), full);
    // Fourteen pieces of one kind and two of another: near the first, but not it.
    let mixed = one(&model, &format!("{}hh", "w".repeat(14)));
    let short = one(&model, "hh");
    assert_ne!(mixed, full);
    assert!(mixed.cosine(&full).unwrap() > mixed.cosine(&short).unwrap());
}
