//! What goes over the wire: Avro, one schema per kind of record (`schemas/` at the root of the tree), compiled in.
//!
//! A value on a topic is a frame: which schema wrote it, then the Avro bytes. With a schema registry the frame is
//! Confluent's (a zero byte, the schema's number in the registry, four bytes, big-endian), without one it is Avro's own
//! single-object encoding (`C3 01`, the schema's CRC-64-AVRO fingerprint, eight bytes, little-endian). A [`Codec`] with a
//! registry reads both, so a running system may get one; a codec without one reads the second only.

mod avro;
mod codec;
mod messages;
mod registry;
mod schemas;

pub use codec::Codec;
pub use registry::{Credentials, Registry};
