//! What differs between the servers, as data: where each comes from, how it starts, and how one sees that it answers.

use std::{ffi::OsString, io, ops::RangeInclusive, path::PathBuf};

use super::jars::Jars;

/// How one kind of server is had.
#[derive(Debug)]
pub(super) struct Recipe {
    /// What it is called on a command line.
    pub name: &'static str,
    /// The environment variable that names one which runs already.
    pub variable: &'static str,
    /// What clients are told, for a server on this loopback port.
    pub address: fn(port: u16) -> String,
    /// Asks the server at an address something in its own protocol; the error says what came instead.
    pub probe: fn(address: &str) -> Result<(), String>,
    /// The arguments of `docker run` that start it with its clients' port published at `port`.
    pub container: fn(port: u16) -> Vec<String>,
    /// The program for a process of its own.
    pub jars: Jars,
    /// The releases of Java it runs on.
    pub java: RangeInclusive<u32>,
    /// The Debian package with such a Java.
    pub java_package: &'static str,
    /// Whether it waits for the disk so often that its folder had better be in memory.
    pub syncs_often: bool,
    /// Writes its settings, at the first start alone, and gives Java's arguments.
    pub launch: fn(&Place) -> io::Result<Vec<OsString>>,
}

/// Where a process of its own lives.
#[derive(Debug)]
pub(super) struct Place {
    /// The program.
    pub jars: PathBuf,
    /// Settings, data and log; removed at the end.
    pub folder: PathBuf,
    /// The loopback port for clients.
    pub port: u16,
    /// One for what the server keeps to itself.
    pub inner_port: u16,
}
