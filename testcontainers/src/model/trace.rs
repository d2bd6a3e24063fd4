//! What a walk did, a line of JSON for each step, kept if the walk fails.

use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    thread,
    time::Instant,
};

use serde_json::{Value, json};

/// The file of one walk. If the walk panics, it says how to walk the same way again.
pub struct Trace {
    path: PathBuf,
    file: File,
    seed: u64,
    step: usize,
    begun: Instant,
}

impl Trace {
    /// A new file in a folder.
    pub fn begin(folder: &Path, site: &str, seed: u64) -> Self {
        fs::create_dir_all(folder).expect("the folder for traces is made");
        let path = folder.join(format!("model-{site}-{seed}.jsonl"));
        let file = File::create(&path).expect("the trace is made");
        Self { path, file, seed, step: 0, begun: Instant::now() }
    }

    /// What the next step does.
    pub fn step(&mut self, does: &str, with: Value) {
        self.step += 1;
        self.write(json!({ "step": self.step, "do": does, "with": with }));
    }

    /// What else the step does.
    pub fn note(&mut self, what: Value) {
        self.write(json!({ "step": self.step, "note": what }));
    }

    fn write(&mut self, mut line: Value) {
        line["seed"] = json!(self.seed);
        line["at_ms"] = json!(self.begun.elapsed().as_millis() as u64);
        writeln!(self.file, "{line}").expect("the trace takes a line");
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!(
                "the walk failed in step {}. The same again: SAIDSO_MODEL_SEED={} SAIDSO_MODEL_STEPS={}. What it did: {}",
                self.step,
                self.seed,
                self.step,
                self.path.display()
            );
        } else if let Err(error) = fs::remove_file(&self.path) {
            eprintln!("{} stays: {error}", self.path.display());
        }
    }
}
