//! Scope: the right to touch one space. A capability, not a name: it cannot be built from ids.

use crate::ids::{SpaceId, TenantId};

/// The right to touch one space of one tenant.
///
/// Only [`crate::access::admit`], [`crate::access::admit_to`] and [`crate::access::admit_by`] (for a caller with a token),
/// and [`crate::record::open`], [`crate::record::open_turns`] and [`crate::review::open`] (for what was sealed under a key
/// of the space) return one. No port takes a tenant or space id, and no method takes two scopes.
///
/// ```compile_fail
/// use saidso_core::{ids::{SpaceId, TenantId}, scope::Scope};
/// let forged = Scope { tenant: TenantId::from_bytes([0; 16]), space: SpaceId::from_bytes([0; 16]) };
/// ```
///
/// ```compile_fail
/// use saidso_core::{ids::{SpaceId, TenantId}, scope::Scope};
/// let forged = Scope::new(TenantId::from_bytes([0; 16]), SpaceId::from_bytes([0; 16]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scope {
    tenant: TenantId,
    space: SpaceId,
}

impl Scope {
    pub(crate) fn new(tenant: TenantId, space: SpaceId) -> Self {
        Self { tenant, space }
    }

    /// The ids, to address rows and entries with. They grant nothing.
    pub fn key(&self) -> (TenantId, SpaceId) {
        (self.tenant, self.space)
    }
}
