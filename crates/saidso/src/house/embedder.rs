//! The embedder that was asked for, with its weights brought here if need be.

use std::{path::PathBuf, sync::Arc};

use indicatif::{ProgressBar, ProgressStyle};
use saidso_models::{
    ConstantEmbedder, WordsEmbedder,
    e5::E5,
    lanes::{Lanes, Settings, estimate},
    remote::Remote,
    weights::{self, Progress},
};

use super::backend::patiently;
use crate::{
    config::{Config, Embedder},
    failure::Failure,
};

/// Components of the constant embedder's vector: as many as e5 has, so that everything else costs the same.
const CONSTANT_DIMENSION: usize = 384;

/// Loads it, behind its lanes. Weights that are neither named nor cached are fetched, with progress on stderr; an endpoint
/// that is away is waited for.
pub fn load(config: &Config) -> Result<Arc<Lanes>, Failure> {
    let here = Settings::in_process(config.slice_tokens, config.threads);
    match &config.embedder {
        Embedder::Words => Ok(Lanes::new(Arc::new(WordsEmbedder::new()), estimate, here)),
        Embedder::Constant => Ok(Lanes::new(Arc::new(ConstantEmbedder::new(CONSTANT_DIMENSION)), estimate, here)),
        Embedder::Remote(options) => {
            let remote = Arc::new(Remote::new(options.clone()));
            patiently(&format!("the embedder at {}", options.url), || remote.check())?;
            Ok(Lanes::new(remote, estimate, Settings::remote(config.slice_tokens)))
        }
        Embedder::E5 { weights: named } => {
            let cache = cache(config);
            let path = match weights::locate(named.as_deref(), &cache) {
                Some(path) => path,
                None => {
                    let bar = Bar::default();
                    let fetched = weights::fetch(&cache, &mut |progress| bar.show(progress));
                    bar.0.finish_and_clear();
                    fetched.map_err(Failure::Weights)?
                }
            };
            Ok(Lanes::built_in(E5::load(&path)?, here))
        }
    }
}

/// The user's cache folder, shared by every data folder.
fn cache(config: &Config) -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let xdg = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    xdg.or_else(home).map_or_else(|| config.data.join("cache"), |cache| cache.join("saidso"))
}

struct Bar(ProgressBar);

impl Default for Bar {
    fn default() -> Self {
        Self(ProgressBar::new(0))
    }
}

impl Bar {
    fn show(&self, progress: Progress) {
        match progress {
            Progress::Waiting => self.say("waiting for another process that fetches the embedder's weights"),
            Progress::Started { command } => {
                self.say(&format!("fetching the embedder's weights, once: {command}"));
                if let Ok(style) = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}") {
                    self.0.set_style(style);
                }
            }
            Progress::Downloading { bytes, total } => {
                self.0.set_length(total);
                self.0.set_position(bytes);
            }
            Progress::Unpacking => self.say("unpacking and checking them"),
        }
    }

    /// Above the bar, and where there is no terminal to draw one on too.
    fn say(&self, what: &str) {
        self.0.suspend(|| eprintln!("{what}"));
    }
}
