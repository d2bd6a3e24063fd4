//! The schemas compiled in: those in use, and those of every release, so that records on a log outlive an upgrade.

use std::sync::OnceLock;

use apache_avro::AvroResult;
use saidso_core::fault::{Code, Fault};

use super::avro::Format;

/// One format for each kind of record.
pub(super) struct Schemas {
    /// The public record that gateways write.
    pub turn: Format,
    /// What the internal topics carry.
    pub record: Format,
    /// That a space moved on.
    pub change: Format,
    /// That something was set aside.
    pub dead_letter: Format,
}

macro_rules! compiled {
    ($name:literal, $($version:literal),+) => {
        Format::new(
            $name,
            include_str!(concat!("../../../../schemas/", $name, ".avsc")),
            &[$(include_str!(concat!("../../../../schemas/released/", $version, "/", $name, ".avsc"))),+],
        )
    };
}

impl Schemas {
    /// The ones of this build.
    pub(super) fn compiled() -> Result<&'static Self, Fault> {
        static COMPILED: OnceLock<AvroResult<Schemas>> = OnceLock::new();
        COMPILED.get_or_init(Self::parse).as_ref().map_err(|error| {
            Fault::stop(
                Code::Undecodable,
                format!("a schema compiled in does not parse, this build is broken: {error}"),
            )
        })
    }

    fn parse() -> AvroResult<Self> {
        Ok(Self {
            turn: compiled!("turn_completed", "0.1.0")?,
            record: compiled!("record", "0.1.0")?,
            change: compiled!("change", "0.1.0")?,
            dead_letter: compiled!("dead_letter", "0.1.0")?,
        })
    }
}
