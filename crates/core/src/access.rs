//! Who may touch which space.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::{ids::Names, limits, record::About, review::Ticket, scope::Scope};

/// Why a caller was not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// No token, or one that is not known.
    #[error("the bearer token is missing or not known")]
    Unknown,
    /// The request names a tenant that is not the token's.
    #[error("the token is for another tenant than the request names")]
    OtherTenant,
    /// No tenant of that name is configured.
    #[error("the turn names a tenant that is not configured")]
    NoTenant,
    /// A turn on the public topic names no tenant, and there is not exactly one.
    #[error("the turn names no tenant, and there is more than one")]
    Unnamed,
    /// The space's name is empty or too long.
    #[error("a space's name has 1 to {max} bytes", max = limits::NAME_BYTES)]
    SpaceName,
}

impl Denied {
    /// The cause, from a closed set.
    pub fn code(&self) -> &'static str {
        match self {
            Denied::Unknown => "unauthorized",
            Denied::OtherTenant => "other_tenant",
            Denied::NoTenant => "no_such_tenant",
            Denied::Unnamed => "no_tenant_named",
            Denied::SpaceName => "space_name",
        }
    }
}

/// A verified token: its bearer acts for this tenant. Made only by [`Tokens::verify`] and [`Gateways::token`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    tenant: String,
}

impl Token {
    /// The tenant's name.
    pub fn tenant(&self) -> &str {
        &self.tenant
    }
}

/// The tokens that are known, by hash.
#[derive(Default)]
pub struct Tokens {
    known: Vec<([u8; 32], String)>,
}

impl Tokens {
    /// Makes a token known, for a tenant.
    pub fn add(&mut self, secret: &str, tenant: &str) {
        self.known.push((Sha256::digest(secret.as_bytes()).into(), tenant.to_owned()));
    }

    /// Compares in constant time with every known token, so that the time taken tells nothing.
    pub fn verify(&self, secret: &str) -> Result<Token, Denied> {
        let given: [u8; 32] = Sha256::digest(secret.as_bytes()).into();
        let mut found = None;
        for (hash, tenant) in &self.known {
            if bool::from(hash.ct_eq(&given)) {
                found = Some(tenant);
            }
        }
        found.map(|tenant| Token { tenant: tenant.clone() }).ok_or(Denied::Unknown)
    }
}

/// The tenants that gateways may write for.
#[derive(Debug, Clone, Default)]
pub struct Gateways {
    tenants: Vec<String>,
}

impl Gateways {
    /// Of the tenants that are configured.
    pub fn new(tenants: impl IntoIterator<Item = String>) -> Self {
        Self { tenants: tenants.into_iter().collect() }
    }

    /// The right of a turn on the public topic. Who may write there is the broker's to say; a turn names its tenant, or
    /// leaves it out where there is but one.
    pub fn token(&self, tenant: Option<&str>) -> Result<Token, Denied> {
        let tenant = match (tenant, &*self.tenants) {
            (Some(tenant), tenants) => tenants.iter().find(|known| *known == tenant).ok_or(Denied::NoTenant)?,
            (None, [only]) => only,
            (None, _) => return Err(Denied::Unnamed),
        };
        Ok(Token { tenant: tenant.clone() })
    }
}

/// What a request asks to touch.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The tenant, if the request names one. It must be the token's.
    pub tenant: Option<&'a str>,
    /// The space's name.
    pub space: &'a str,
}

/// Lets a caller into the space that a dead letter is about, if it is of the token's tenant, whose spaces the caller may
/// name anyway.
pub fn admit_to(names: &Names, token: &Token, about: &About) -> Result<Scope, Denied> {
    match names.tenant(&token.tenant) == about.tenant {
        true => Ok(Scope::new(about.tenant, about.space)),
        false => Err(Denied::OtherTenant),
    }
}

/// Lets a caller into the space of a question that waits for review: one of the token's tenant, whatever the ticket says,
/// and its bearer may name every space of that anyway.
pub fn admit_by(names: &Names, token: &Token, ticket: &Ticket) -> Scope {
    Scope::new(names.tenant(&token.tenant), ticket.space)
}

/// Lets a caller into one space.
pub fn admit(names: &Names, token: &Token, request: Request<'_>) -> Result<Scope, Denied> {
    if request.tenant.is_some_and(|tenant| tenant != token.tenant) {
        return Err(Denied::OtherTenant);
    }
    if request.space.is_empty() || request.space.len() > limits::NAME_BYTES {
        return Err(Denied::SpaceName);
    }
    let tenant = names.tenant(&token.tenant);
    Ok(Scope::new(tenant, names.space(tenant, request.space)))
}
