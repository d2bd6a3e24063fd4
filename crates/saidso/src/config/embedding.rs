//! `embedder`, `model` and `[remote]`: what turns texts into vectors.

use std::{path::PathBuf, time::Duration};

use saidso_core::calibration::{ByLanguage, Calibration};
use saidso_models::remote::{Options, Purposes};
use serde::Deserialize;

use super::{ConfigError, within};
use crate::args::EmbedderName;

const DIMENSION_MAX: usize = 8_192;
const TIMEOUT_MS: usize = 10_000;
const TIMEOUT_MS_MAX: usize = 600_000;

/// The embedder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Embedder {
    /// The built-in one.
    E5 {
        /// Its weights, if they are not to be fetched.
        weights: Option<PathBuf>,
    },
    /// The lexical stand-in.
    Words,
    /// The one of measurements.
    Constant,
    /// An endpoint.
    Remote(Options),
}

impl Embedder {
    /// As it is typed.
    pub fn name(&self) -> &'static str {
        let name = match self {
            Embedder::E5 { .. } => EmbedderName::E5,
            Embedder::Words => EmbedderName::Words,
            Embedder::Constant => EmbedderName::Constant,
            Embedder::Remote(_) => EmbedderName::Remote,
        };
        name.name()
    }
}

/// `[remote]` as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRemote {
    url: String,
    model: String,
    dimension: Option<usize>,
    duplicate: Option<RawCosine>,
    related: Option<RawCosine>,
    key: Option<String>,
    timeout_ms: Option<usize>,
    #[serde(default)]
    input_type: bool,
    query_prefix: Option<String>,
    passage_prefix: Option<String>,
}

/// One cosine for every language, or one each.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum RawCosine {
    All(f64),
    Each { en: f64, zh: f64, ru: f64, other: f64 },
}

/// The embedder that was named.
pub(super) fn embedder(
    name: EmbedderName,
    weights: Option<PathBuf>,
    remote: Option<RawRemote>,
) -> Result<Embedder, ConfigError> {
    Ok(match (name, remote) {
        (EmbedderName::E5, _) => Embedder::E5 { weights },
        (EmbedderName::Words, _) => Embedder::Words,
        (EmbedderName::Constant, _) => Embedder::Constant,
        (EmbedderName::Remote, Some(remote)) => Embedder::Remote(options(remote)?),
        (EmbedderName::Remote, None) => {
            return Err(wrong("remote", "is missing: the embedder is \"remote\", and nothing says where it is"));
        }
    })
}

fn options(raw: RawRemote) -> Result<Options, ConfigError> {
    let tls = cfg!(feature = "tls");
    match raw.url.split_once("://") {
        Some(("http", rest)) if !rest.is_empty() => {}
        Some(("https", rest)) if !rest.is_empty() && tls => {}
        Some(("https", _)) if !tls => {
            return Err(wrong("remote.url", "is https: that takes a build with --features tls"));
        }
        _ => return Err(wrong("remote.url", "is no address like http://127.0.0.1:8000/v1")),
    }
    if raw.model.is_empty() {
        return Err(wrong("remote.model", "is empty; name the model as the endpoint does"));
    }
    let Some(dimension) = raw.dimension else {
        return Err(wrong("remote.dimension", "is missing; give the components of the model's vectors"));
    };
    let timeout = within("remote.timeout_ms", raw.timeout_ms, TIMEOUT_MS, TIMEOUT_MS_MAX)?;
    let purposes = match (raw.input_type, raw.query_prefix, raw.passage_prefix) {
        (true, None, None) => Purposes::InputType,
        (true, ..) => {
            return Err(wrong("remote.input_type", "is true: then the endpoint puts the prefixes; leave ours out"));
        }
        (false, query, passage) => {
            Purposes::Prefix { query: query.unwrap_or_default(), passage: passage.unwrap_or_default() }
        }
    };
    Ok(Options {
        url: raw.url,
        model: raw.model,
        dimension: within("remote.dimension", Some(dimension), dimension, DIMENSION_MAX)?,
        key: raw.key,
        timeout: Duration::from_millis(timeout as u64),
        calibration: Calibration {
            duplicate: cosines("remote.duplicate", raw.duplicate)?,
            related: cosines("remote.related", raw.related)?,
        },
        purposes,
    })
}

/// In ten-thousandths. There is no default: models differ too much.
fn cosines(key: &str, raw: Option<RawCosine>) -> Result<ByLanguage, ConfigError> {
    let one = |cosine: f64| match cosine {
        0.0..=1.0 => Ok((cosine * 10_000.0).round() as i32),
        _ => Err(wrong(key, "is no cosine from 0 to 1")),
    };
    match raw {
        None => Err(wrong(key, "is missing; give the model's threshold, a cosine from 0 to 1")),
        Some(RawCosine::All(all)) => one(all).map(ByLanguage::all),
        Some(RawCosine::Each { en, zh, ru, other }) => {
            Ok(ByLanguage { en: one(en)?, zh: one(zh)?, ru: one(ru)?, other: one(other)? })
        }
    }
}

fn wrong(key: &str, found: &str) -> ConfigError {
    ConfigError::Value { key: key.to_owned(), found: found.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Embedder, String> {
        let raw: RawRemote = toml::from_str(text).map_err(|error| error.to_string())?;
        embedder(EmbedderName::Remote, None, Some(raw)).map_err(|error| error.to_string())
    }

    const LEAST: &str = "url = \"http://e:1/v1\"\nmodel = \"m\"\ndimension = 3\nduplicate = 0.9\nrelated = 0.5\n";

    #[test]
    fn the_shipped_section_is_the_defaults() {
        let shipped = include_str!("../../../../deploy/saidso.toml");
        let section = shipped.split("# [remote]").nth(1).unwrap().split("\n\n").next().unwrap();
        let lines: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("# ")).collect();
        let Embedder::Remote(shipped) = read(&lines.join("\n")).unwrap() else { unreachable!("it is read as one") };
        let Embedder::Remote(least) = read(LEAST).unwrap() else { unreachable!("it is read as one") };
        assert_eq!((shipped.timeout, &shipped.purposes), (least.timeout, &least.purposes));
    }

    #[test]
    fn every_key_is_taken() {
        let text =
            format!("{LEAST}key = \"k\"\ntimeout_ms = 7\nquery_prefix = \"query: \"\npassage_prefix = \"passage: \"");
        let Embedder::Remote(options) = read(&text).unwrap() else { unreachable!("it is read as one") };
        assert_eq!((&*options.url, &*options.model, options.dimension), ("http://e:1/v1", "m", 3));
        assert_eq!((options.key.as_deref(), options.timeout.as_millis()), (Some("k"), 7));
        let calibration = Calibration { duplicate: ByLanguage::all(9_000), related: ByLanguage::all(5_000) };
        assert_eq!(options.calibration, calibration);
        assert_eq!(options.purposes, Purposes::Prefix { query: "query: ".into(), passage: "passage: ".into() });
        let each = LEAST.replace("0.9", "{ en = 0.92, zh = 0.94, ru = 0.915, other = 0.86 }") + "input_type = true";
        let Embedder::Remote(options) = read(&each).unwrap() else { unreachable!("it is read as one") };
        assert_eq!(options.calibration.duplicate, ByLanguage { en: 9_200, zh: 9_400, ru: 9_150, other: 8_600 });
        assert_eq!(options.purposes, Purposes::InputType);
    }

    #[test]
    fn an_error_names_the_key() {
        for (from, to, key) in [
            ("http://e", "ftp://e", "`remote.url`"),
            ("http://e:1/v1", "e:1/v1", "`remote.url`"),
            ("\"m\"", "\"\"", "`remote.model`"),
            ("dimension = 3", "", "`remote.dimension`"),
            ("dimension = 3", "dimension = 0", "`remote.dimension`"),
            ("dimension = 3", "dimension = 8193", "`remote.dimension`"),
            ("duplicate = 0.9", "", "`remote.duplicate`"),
            ("related = 0.5", "related = 1.5", "`remote.related`"),
            ("related = 0.5", "related = 0.5\ntimeout_ms = 600001", "`remote.timeout_ms`"),
            ("related = 0.5", "related = 0.5\ninput_type = true\nquery_prefix = \"q\"", "`remote.input_type`"),
        ] {
            let error = read(&LEAST.replace(from, to)).unwrap_err();
            assert!(error.contains(key), "{to}: {error}");
        }
        let error = embedder(EmbedderName::Remote, None, None).unwrap_err().to_string();
        assert!(error.contains("`remote`"), "{error}");
        if !cfg!(feature = "tls") {
            assert!(read(&LEAST.replace("http://", "https://")).unwrap_err().contains("tls"));
        }
    }
}
