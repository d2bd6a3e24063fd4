//! The bearer tokens: those of the configuration, and the development token in the data folder.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use saidso_core::access::{Token, Tokens};

use crate::{
    config::{Config, DEFAULT_TENANT},
    entropy::{SystemEntropy, secret},
    failure::Failure,
    problem::Problem,
};

/// The development token, for tenant `default`.
pub struct Development {
    /// The token.
    pub secret: String,
    /// Where it is written.
    pub path: PathBuf,
    /// It was made just now.
    pub new: bool,
}

/// Where a data folder keeps its development token.
pub fn development_path(data: &Path) -> PathBuf {
    data.join("dev-token")
}

/// Whether there is a development token: always beside a data folder; on a distributed backend, whose processes would
/// each make another, only until a tenant is configured.
fn developing(config: &Config) -> bool {
    config.distributed.is_none() || config.tenants.is_empty()
}

/// The tenants there are.
pub fn tenants(config: &Config) -> BTreeSet<String> {
    let default = developing(config).then(|| DEFAULT_TENANT.to_owned());
    config.tenants.keys().cloned().chain(default).collect()
}

/// Every token that is known, and the development token if there is one, made at the first start.
pub fn known(config: &Config) -> Result<(Tokens, Option<Development>), Failure> {
    let development = developing(config).then(|| development(&config.data)).transpose()?;
    let mut tokens = Tokens::default();
    if let Some(development) = &development {
        tokens.add(&development.secret, DEFAULT_TENANT);
    }
    for (name, tenant) in &config.tenants {
        tenant.tokens.iter().for_each(|token| tokens.add(token, name));
    }
    Ok((tokens, development))
}

/// The token in a file, if there is one.
pub fn read(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(path) {
        Ok(text) if text.trim().is_empty() => Ok(None),
        Ok(text) => Ok(Some(text.trim().to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(found) => Err(Failure::File { tried: "read the token in", path: path.to_owned(), found }),
    }
}

fn development(data: &Path) -> Result<Development, Failure> {
    let path = development_path(data);
    if let Some(secret) = read(&path)? {
        return Ok(Development { secret, path, new: false });
    }
    let secret = secret(&SystemEntropy);
    write(data, &path, &secret).map_err(|found| Failure::File {
        tried: "wrote the development token to",
        path: path.clone(),
        found,
    })?;
    Ok(Development { secret, path, new: true })
}

/// Whole or not at all, and never readable by others.
fn write(data: &Path, path: &Path, secret: &str) -> io::Result<()> {
    fs::create_dir_all(data)?;
    let part = data.join("dev-token.part");
    match fs::remove_file(&part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
    file.write_all(secret.as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    fs::rename(&part, path)
}

/// A token to act for a tenant in this process, for who has opened its data folder.
pub fn for_tenant(tenant: &str) -> Result<Token, Failure> {
    let secret = secret(&SystemEntropy);
    let mut tokens = Tokens::default();
    tokens.add(&secret, tenant);
    Ok(tokens.verify(&secret).map_err(Problem::from)?)
}
