//! What librdkafka can and its wrapper does not offer, with a safe face: all unsafe code of the crate is here.

mod describe;
mod events;

pub(crate) use describe::{Described, describe};
pub(crate) use events::{Event, Events, Raw};
