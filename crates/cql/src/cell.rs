//! What stands in a column: a number, or the bytes of one of our own types.

use saidso_core::{
    fault::{Code, Fault},
    ids::{SpaceId, TenantId},
    position::Position,
    seal::Key,
};
use scylla::{
    deserialize::{DeserializationError, FrameSlice, TypeCheckError, value::DeserializeValue},
    frame::response::result::ColumnType,
    serialize::{
        SerializationError,
        value::SerializeValue,
        writers::{CellWriter, WrittenCellProof},
    },
};
use serde::{Serialize, de::DeserializeOwned};
use zeroize::Zeroize as _;

/// The ids that rows of a space stand under. They grant nothing.
pub(crate) type Space = (TenantId, SpaceId);

/// A blob that is the postcard form of a value; an id is just its 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed<T>(pub(crate) T);

impl<T: Serialize> SerializeValue for Packed<T> {
    fn serialize<'b>(
        &self,
        typ: &ColumnType<'_>,
        writer: CellWriter<'b>,
    ) -> Result<WrittenCellProof<'b>, SerializationError> {
        SerializeValue::serialize(&pack(&self.0), typ, writer)
    }
}

impl<'frame, 'metadata, T: DeserializeOwned> DeserializeValue<'frame, 'metadata> for Packed<T> {
    fn type_check(typ: &ColumnType<'_>) -> Result<(), TypeCheckError> {
        <&[u8]>::type_check(typ)
    }

    fn deserialize(
        typ: &'metadata ColumnType<'metadata>,
        value: Option<FrameSlice<'frame>>,
    ) -> Result<Self, DeserializationError> {
        let bytes = <&[u8]>::deserialize(typ, value)?;
        unpack(bytes).map(Self).ok_or_else(|| DeserializationError::new(NotPacked))
    }
}

/// Bytes that are no value of the type that was asked for.
#[derive(Debug, thiserror::Error)]
#[error("the bytes in a column are not what this build writes there")]
struct NotPacked;

/// A value as bytes.
pub(crate) fn pack(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).expect("everything stored is made of types that always serialise")
}

/// A value from all of the bytes.
pub(crate) fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Some(value),
        _ => None,
    }
}

/// Timestamps below this lie in the year 2005 or before, taken as microseconds: ScyllaDB refuses those in the future.
const BEYOND: u64 = 1 << 50;

/// The timestamp of what is written once, whoever comes first: never a clock's.
pub(crate) const ONCE: i64 = 0;

/// The timestamp of what destroys that.
pub(crate) const DESTROYED: i64 = 1;

/// Beyond this, log epochs do not fit a timestamp.
pub(crate) const EPOCHS: u32 = (BEYOND >> 40) as u32;

/// The timestamp of everything written at a position: a later position wins.
pub(crate) fn stamp(position: Position) -> Result<i64, Fault> {
    let fits = position.epoch < EPOCHS && position.offset < 1 << 40;
    let stamp = fits.then(|| position.stamp()).and_then(|stamp| i64::try_from(stamp).ok());
    stamp.ok_or_else(|| {
        let found = format!("{position} is past the last one that fits a timestamp");
        Fault::stop(Code::Limit, format!("wrote at a position: {found}; move to a new keyspace"))
    })
}

/// The timestamp under which, of several positions, the first wins.
pub(crate) fn first_wins(position: Position) -> Result<i64, Fault> {
    Ok(BEYOND as i64 - stamp(position)?)
}

/// Takes a key out of its wrapping; `None` if the wrapping key, the bytes or `bound` differ.
pub(crate) fn unwrap(with: &Key, bound: &[u8], wrapped: &[u8]) -> Option<Key> {
    let mut plain = with.decrypt(bound, wrapped)?;
    let key = <[u8; 32]>::try_from(plain.as_slice()).ok().map(Key::new);
    plain.zeroize();
    key
}
