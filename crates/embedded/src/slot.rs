//! One slot of the key file: 128 bytes, so that no slot crosses a sector, and its checksum.
//!
//! | bytes | what |
//! |---|---|
//! | 0 | kind; an all-zero slot is free |
//! | 4–12, 12–16 | version and attempt of the key |
//! | 16–20 | version of the key that wraps it |
//! | 20–28 | number of the commit that made it; above the database's own number, the key was never acknowledged |
//! | 28–44 | space |
//! | 44–60 | tenant of a space key, turn of a turn key |
//! | 60–120 | the wrapped key: nonce, ciphertext, tag; bytes 0–60 are bound |
//! | 120–128 | XXH3 of bytes 0–120: tells damage from a wrong wrapping key |
//!
//! Numbers are big-endian; what is not named is zero.

use saidso_core::{
    ids::{SpaceId, TenantId, TurnId},
    ports::Entropy,
    seal::{Key, KeyId},
};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of a slot.
pub(crate) const SLOT_BYTES: usize = 128;

const BOUND: usize = 60;
const WRAPPED: usize = 60;
const SUM: usize = 120;

/// Whose key a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    /// The secret that turns names into ids.
    Names,
    /// A day key.
    Day { version: u32 },
    /// A space's own key.
    Space { tenant: TenantId, space: SpaceId, version: u32 },
    /// A turn's key.
    Turn { space: SpaceId, turn: TurnId, version: u64, attempt: u32 },
}

impl Holder {
    /// The holder of a space's key, by the id that blobs carry.
    pub(crate) fn of(tenant: TenantId, space: SpaceId, id: KeyId) -> Self {
        match id {
            KeyId::Space { version, attempt: _ } => Self::Space { tenant, space, version },
            KeyId::Turn { turn, version, attempt } => Self::Turn { space, turn, version, attempt },
        }
    }

    /// The space and the key's id in it; `None` for the keys above spaces.
    pub(crate) fn name(&self) -> Option<(SpaceId, KeyId)> {
        match *self {
            Self::Names | Self::Day { .. } => None,
            Self::Space { space, version, .. } => Some((space, KeyId::Space { version, attempt: 0 })),
            Self::Turn { space, turn, version, attempt } => Some((space, KeyId::Turn { turn, version, attempt })),
        }
    }
}

/// A slot in use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) holder: Holder,
    /// Version of the key that wraps it.
    pub(crate) parent: u32,
    /// The commit that made it.
    pub(crate) commit: u64,
    wrapped: [u8; WRAPPED],
}

/// What 128 bytes are.
#[derive(Debug)]
pub(crate) enum Read {
    Free,
    Used(Slot),
    Damaged,
}

impl Slot {
    /// Wraps a key.
    pub(crate) fn wrap(
        holder: Holder,
        (parent, wrapping): (u32, &Key),
        commit: u64,
        key: &Key,
        entropy: &dyn Entropy,
    ) -> Self {
        let mut slot = Self { holder, parent, commit, wrapped: [0; WRAPPED] };
        let wrapped = wrapping.encrypt(&slot.bound(), key.bytes(), entropy);
        slot.wrapped.copy_from_slice(&wrapped);
        slot
    }

    /// The key; `None` if `wrapping` is not what wrapped it.
    pub(crate) fn unwrap(&self, wrapping: &Key) -> Option<Key> {
        let plain = wrapping.decrypt(&self.bound(), &self.wrapped)?;
        Some(Key::new(plain.try_into().ok()?))
    }

    fn bound(&self) -> [u8; BOUND] {
        let (kind, version, attempt, space, subject) = match self.holder {
            Holder::Names => (1, 0, 0, [0; 16], [0; 16]),
            Holder::Day { version } => (2, u64::from(version), 0, [0; 16], [0; 16]),
            Holder::Space { tenant, space, version } => {
                (3, u64::from(version), 0, *space.as_bytes(), *tenant.as_bytes())
            }
            Holder::Turn { space, turn, version, attempt } => {
                (4, version, attempt, *space.as_bytes(), *turn.as_bytes())
            }
        };
        let mut out = [0; BOUND];
        out[0] = kind;
        out[4..12].copy_from_slice(&u64::to_be_bytes(version));
        out[12..16].copy_from_slice(&u32::to_be_bytes(attempt));
        out[16..20].copy_from_slice(&self.parent.to_be_bytes());
        out[20..28].copy_from_slice(&self.commit.to_be_bytes());
        out[28..44].copy_from_slice(&space);
        out[44..60].copy_from_slice(&subject);
        out
    }

    /// As stored.
    pub(crate) fn bytes(&self) -> [u8; SLOT_BYTES] {
        let mut out = [0; SLOT_BYTES];
        out[..BOUND].copy_from_slice(&self.bound());
        out[BOUND..BOUND + WRAPPED].copy_from_slice(&self.wrapped);
        let sum = xxh3_64(&out[..SUM]);
        out[SUM..].copy_from_slice(&sum.to_be_bytes());
        out
    }
}

impl Read {
    /// From what stands in the file.
    pub(crate) fn from(bytes: &[u8; SLOT_BYTES]) -> Self {
        if bytes.iter().all(|byte| *byte == 0) {
            return Self::Free;
        }
        if xxh3_64(&bytes[..SUM]).to_be_bytes() != bytes[SUM..] {
            return Self::Damaged;
        }
        let four = |at: usize| u32::from_be_bytes(part(bytes, at));
        let sixteen = |at: usize| part::<16>(bytes, at);
        let (version, attempt) = (u64::from_be_bytes(part(bytes, 4)), four(12));
        let space = SpaceId::from_bytes(sixteen(28));
        let holder = match (bytes[0], u32::try_from(version)) {
            (1, _) => Holder::Names,
            (2, Ok(version)) => Holder::Day { version },
            (3, Ok(version)) => Holder::Space { tenant: TenantId::from_bytes(sixteen(44)), space, version },
            (4, _) => Holder::Turn { space, turn: TurnId::from_bytes(sixteen(44)), version, attempt },
            _ => return Self::Damaged,
        };
        let commit = u64::from_be_bytes(part(bytes, 20));
        Self::Used(Slot { holder, parent: four(16), commit, wrapped: part(bytes, BOUND) })
    }
}

fn part<const N: usize>(bytes: &[u8; SLOT_BYTES], at: usize) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[at..at + N]);
    out
}
