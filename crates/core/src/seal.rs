//! Sealing: AES-256-GCM, bound to the place a value belongs. A blob moved to another space, row, generation or field
//! does not open.

use aes_gcm::{
    Aes256Gcm, KeyInit,
    aead::{Aead, Payload as AeadPayload},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::{
    fault::{Code, Fault},
    ids::TurnId,
    ports::Entropy,
    scope::Scope,
};

/// A 256-bit key, wiped when dropped. Never printed.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Key([u8; 32]);

impl Key {
    /// From bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// From 64 hexadecimal digits, as key files hold it; `None` if it is anything else.
    pub fn from_hex(text: &str) -> Option<Self> {
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// A new random key.
    pub fn random(entropy: &dyn Entropy) -> Self {
        let mut bytes = [0; 32];
        entropy.fill(&mut bytes);
        Self(bytes)
    }

    /// The bytes, for wrapping and keyed hashing.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Encrypts: nonce, ciphertext and tag in one run of bytes. `bound` must be given again to decrypt.
    pub fn encrypt(&self, bound: &[u8], plain: &[u8], entropy: &dyn Entropy) -> Vec<u8> {
        let mut nonce = [0; 12];
        entropy.fill(&mut nonce);
        let cipher = Aes256Gcm::new(&self.0.into());
        // The only error is a plaintext beyond 64 GiB.
        let body = cipher
            .encrypt(&nonce.into(), AeadPayload { msg: plain, aad: bound })
            .expect("limits keep every plaintext far below the cipher's bound");
        let mut out = Vec::with_capacity(12 + body.len());
        out.extend_from_slice(&nonce);
        out.extend_from_slice(&body);
        out
    }

    /// Decrypts what [`Key::encrypt`] made; `None` if the key, the bytes or `bound` differ.
    pub fn decrypt(&self, bound: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, body) = sealed.split_at_checked(12)?;
        let nonce: [u8; 12] = nonce.try_into().ok()?;
        Aes256Gcm::new(&self.0.into()).decrypt(&nonce.into(), AeadPayload { msg: body, aad: bound }).ok()
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

/// Which key of a space sealed a blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum KeyId {
    /// The space's own key.
    Space {
        /// Counts rotations.
        version: u32,
        /// Tells apart keys made at the same time by processes that did not know of each other. All of them stand.
        attempt: u32,
    },
    /// The key of one turn.
    Turn {
        /// The turn.
        turn: TurnId,
        /// 0 for the turn as it was said, else [`crate::position::Position::stamp`] of what sealed it anew: a try that
        /// crashed and its repeat make keys of one version.
        version: u64,
        /// Tells apart keys made for the same version by tries that crashed.
        attempt: u32,
    },
}

/// The keys of a turn that a newer one replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Replaced {
    /// The turn.
    pub turn: TurnId,
    /// Keys with a lower version than this, every attempt.
    pub below: u64,
}

/// A key and its id.
#[derive(Debug, Clone)]
pub struct NamedKey {
    /// The id that blobs carry.
    pub id: KeyId,
    /// The key.
    pub key: Key,
}

/// What a blob holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Field {
    /// A turn, on the head log and in its row.
    Turn = 1,
    /// A command.
    Command = 2,
    /// Nothing: a record that only moves the position on.
    Progress = 3,
    /// A turn with its candidates.
    Candidates = 4,
    /// A turn's grounded items.
    Grounded = 5,
    /// A turn's embedded items.
    Embedded = 6,
    /// An observation without its vector.
    Observation = 7,
    /// An observation's vector.
    Vector = 8,
    /// What a turn's extraction let go.
    Drops = 9,
    /// What a request to forget took, to be read once.
    ReadBack = 10,
    /// A question that waits for review.
    Review = 12,
    /// The vectors of a turn's passages.
    Passages = 11,
}

/// One pinned extractor + rules + embedder. 0 is outside generations: turns, commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Generation(pub u32);

impl Generation {
    /// What belongs to every generation.
    pub const ALL: Generation = Generation(0);
}

/// Where a blob belongs.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The space.
    pub scope: &'a Scope,
    /// The row.
    pub id: [u8; 16],
    /// The generation.
    pub generation: Generation,
    /// The field.
    pub field: Field,
}

impl Place<'_> {
    fn bound(&self) -> [u8; 53] {
        let (tenant, space) = self.scope.key();
        let mut out = [0; 53];
        out[..16].copy_from_slice(tenant.as_bytes());
        out[16..32].copy_from_slice(space.as_bytes());
        out[32..48].copy_from_slice(&self.id);
        out[48..52].copy_from_slice(&self.generation.0.to_be_bytes());
        out[52] = self.field as u8;
        out
    }
}

/// A sealed value and the id of its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    /// Which key opens it.
    pub key: KeyId,
    /// Nonce, ciphertext, tag.
    pub bytes: Vec<u8>,
}

/// What can be sealed. The wire form is private to this crate where opening must be the only way to get a value.
pub trait Payload: Sized {
    /// The serialised form.
    #[doc(hidden)]
    type Wire: Serialize + DeserializeOwned;
    /// To the serialised form.
    #[doc(hidden)]
    fn to_wire(&self, _: private::Within) -> Self::Wire;
    /// From the serialised form.
    #[doc(hidden)]
    fn from_wire(wire: Self::Wire, _: private::Within) -> Self;
}

pub(crate) mod private {
    /// Proof that the call comes from this module.
    #[derive(Debug)]
    pub struct Within(pub(in crate::seal) ());
}

/// Seals a value for its place.
pub fn seal<T: Payload>(key: &NamedKey, place: Place<'_>, value: &T, entropy: &dyn Entropy) -> Sealed {
    let mut plain = postcard::to_stdvec(&value.to_wire(private::Within(())))
        .expect("every payload is made of types that always serialise");
    let bytes = key.key.encrypt(&place.bound(), &plain, entropy);
    plain.zeroize();
    Sealed { key: key.id, bytes }
}

/// Opens a value at its place. A blob that was sealed for elsewhere, with another key, or damaged is a dead letter.
pub fn open<T: Payload>(key: &Key, place: Place<'_>, sealed: &Sealed) -> Result<T, Fault> {
    let refused =
        |what: &str| Fault::dead_letter(Code::Undecodable, format!("opened a sealed {:?}: {what}", place.field));
    let mut plain = key
        .decrypt(&place.bound(), &sealed.bytes)
        .ok_or_else(|| refused("it was not sealed with this key for this place"))?;
    let wire = match postcard::take_from_bytes::<T::Wire>(&plain) {
        Ok((wire, [])) => Ok(wire),
        Ok(_) => Err(refused("bytes are left over")),
        Err(_) => Err(refused("the bytes are not of this type")),
    };
    plain.zeroize();
    Ok(T::from_wire(wire?, private::Within(())))
}
