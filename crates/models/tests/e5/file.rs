//! A weights file is foreign input: whatever is wrong with it is an error, and never a panic.

use saidso_core::{
    fault::{Code, Remedy},
    ports::{Embedder, Purpose},
};
use saidso_models::e5::E5;

use crate::synthetic::Synthetic;

fn small() -> Synthetic {
    Synthetic::new(32, 1, 32)
}

#[test]
fn a_good_file_is_a_model_named_by_its_hash() {
    let bytes = small().bytes();
    let model = E5::from_bytes(bytes.clone()).unwrap();
    assert_eq!(model.dimension(), 32);
    let (name, version) = model.id().split_once('/').unwrap();
    assert_eq!((name, version.len()), ("multilingual-e5-small-q4", 8));
    let mut other = bytes;
    *other.last_mut().unwrap() ^= 1;
    assert_ne!(E5::from_bytes(other).unwrap().id(), model.id());
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let bytes = small().bytes();
    for len in 0..bytes.len() {
        assert!(E5::from_bytes(bytes[..len].to_vec()).is_err(), "{len} of {} bytes were taken", bytes.len());
    }
}

#[test]
fn a_changed_byte_is_an_error_or_another_model() {
    let file = small();
    let bytes = file.bytes();
    let (mut refused, mut taken) = (0, 0);
    for at in 0..file.head_len() {
        for flip in [0x01, 0x80, 0xff, bytes[at]] {
            let mut changed = bytes.clone();
            changed[at] ^= flip;
            match E5::from_bytes(changed) {
                Ok(model) => {
                    taken += 1;
                    // Scores, ids and pieces may be any; an answer or a fault is fine, a panic is not.
                    let _ = model.embed(Purpose::Query, &["ab Zcd A\u{200b}x", ""]);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 0 && taken > 0, "{refused} refused, {taken} taken: this looked at one kind only");
}

#[test]
fn each_broken_rule_is_named() {
    type Break = fn(&mut Synthetic);
    let cases: &[(&str, Break)] = &[
        ("format version 2", |f| f.version = 2),
        ("unusable shape", |f| f.hidden = 0),
        ("unusable shape", |f| f.hidden = 33),
        ("unusable shape", |f| f.heads = 0),
        ("unusable shape", |f| f.heads = 4),
        ("unusable shape", |f| f.layers = 0),
        ("unusable shape", |f| f.feed_forward = 48),
        ("unusable shape", |f| f.max_positions = 2),
        ("unusable shape", |f| f.types = 0),
        ("unusable shape", |f| f.block = 64),
        ("epsilon", |f| f.epsilon = f32::NAN),
        ("epsilon", |f| f.epsilon = 0.0),
        ("do not fit a vocabulary", |f| f.vocabulary = 3),
        ("do not fit a vocabulary", |f| f.specials[3] = 1000),
        ("table of pieces", |f| f.pieces[5].0 = vec![0xff]),
        ("table of pieces", |f| f.pieces[5].1 = f32::INFINITY),
        ("no character", |f| f.replacements[0].0 = 0xd800),
        ("no character", |f| f.replacements[0].1 = vec![0x11_0000]),
        ("twice", |f| f.replacements[1].0 = f.replacements[0].0),
        ("normaliser table takes", |f| f.table_slack = 1),
        ("not UTF-8", |f| f.tensor("emb.pos").name = vec![0xc3]),
        ("`l0.v.w` is missing", |f| f.tensor("l0.v.w").name = b"l0.w.w".to_vec()),
        ("`emb.pos` is there twice", |f| f.tensor("emb.type").name = b"emb.pos".to_vec()),
        ("unknown type 2", |f| f.tensor("l0.q.w").kind = 2),
        ("`l0.q.w` claims", |f| f.tensor("l0.q.w").kind = 0),
        ("`l0.q.b` claims", |f| f.tensor("l0.q.b").elements += 1),
        ("`l0.q.b` claims", |f| f.tensor("l0.q.b").slack = 4),
        ("`l0.q.b` claims", |f| f.tensor("l0.q.b").shift = 4),
        ("`l0.q.b` claims", |f| f.tensor("l0.q.b").shift = 1 << 40),
        ("`l0.q.b` claims", |f| f.tensor("l0.q.b").shift = -(1 << 20)),
        ("`emb.word` claims", |f| f.tensor("emb.word").shift = -64),
        ("`l0.aln.w` has 64 elements", |f| {
            let tensor = f.tensor("l0.aln.w");
            tensor.elements = 64;
            tensor.bytes = vec![0; 256];
        }),
        ("`l0.fo.b` holds", |f| f.tensor("l0.fo.b").bytes[..4].copy_from_slice(&f32::NAN.to_le_bytes())),
        ("`l0.fo.w` holds", |f| f.tensor("l0.fo.w").bytes[18..20].copy_from_slice(&0x7c00u16.to_le_bytes())),
        ("`emb.word` holds", |f| f.tensor("emb.word").bytes[..2].copy_from_slice(&0xfe00u16.to_le_bytes())),
    ];
    for (i, (said, broken)) in cases.iter().enumerate() {
        let mut file = small();
        broken(&mut file);
        let error = E5::from_bytes(file.bytes()).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains(said), "case {i}: expected {said:?}, was told {error:?}");
    }
}

#[test]
fn a_bad_or_missing_file_stops_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.bin");
    let fault = E5::load(&path).err().unwrap();
    assert_eq!((fault.remedy, fault.code), (Remedy::Stop, Code::ModelUnavailable));
    std::fs::write(&path, b"E5S1, but no more").unwrap();
    let fault = E5::load(&path).err().unwrap();
    assert_eq!((fault.remedy, fault.code), (Remedy::Stop, Code::Damaged));
    assert!(fault.message.contains("weights.bin"), "{fault}");
}
