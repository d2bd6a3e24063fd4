//! A consumer's queue as one sequence of events.
//!
//! The wrapper's own poll turns rebalances into callbacks and forgets at which offset a partition ended. Here both are
//! events like records: whoever polls decides when to take partitions up and let them go.

use std::{
    ffi::{CStr, c_char},
    ptr::{self, NonNull},
    slice,
    sync::Arc,
    time::Duration,
};

use rdkafka::{
    bindings as rd,
    consumer::{BaseConsumer, Consumer as _},
    types::RDKafkaErrorCode,
};

/// What a consumer has to say.
#[derive(Debug)]
pub(crate) enum Event {
    /// A record.
    Record(Raw),
    /// Everything below the offset came.
    End { partition: u32, offset: u64 },
    /// These partitions are ours, once they are assigned.
    Assigned(Vec<u32>),
    /// All partitions are to be let go.
    Revoked,
    Error {
        code: RDKafkaErrorCode,
        /// The consumer is of no use any more.
        fatal: bool,
        reason: String,
    },
}

/// A record as it came.
#[derive(Debug)]
pub(crate) struct Raw {
    pub partition: u32,
    pub offset: u64,
    pub bytes: Vec<u8>,
}

/// The events of a consumer with a group.
pub(crate) struct Events {
    consumer: Arc<BaseConsumer>,
    queue: NonNull<rd::rd_kafka_queue_t>,
}

// SAFETY: librdkafka's queues may be used from any thread.
unsafe impl Send for Events {}

impl Events {
    /// `None` for a consumer without a group.
    pub fn of(consumer: Arc<BaseConsumer>) -> Option<Self> {
        // SAFETY: the client lives as long as the consumer, which is kept. The queue is a new reference to it.
        let queue = unsafe { rd::rd_kafka_queue_get_consumer(consumer.client().native_ptr()) };
        NonNull::new(queue).map(|queue| Self { consumer, queue })
    }

    /// The consumer.
    pub fn consumer(&self) -> &Arc<BaseConsumer> {
        &self.consumer
    }

    /// The next event; `None` if none came in time, or one that is of no interest.
    pub fn next(&self, wait: Duration) -> Option<Event> {
        let wait = i32::try_from(wait.as_millis()).unwrap_or(i32::MAX);
        // SAFETY: the queue is valid until it is dropped. A null event is a timeout.
        let event = unsafe { rd::rd_kafka_queue_poll(self.queue.as_ptr(), wait) };
        let event = NativeEvent(NonNull::new(event)?);
        // SAFETY: the event is valid, and so is all that is read from it until it is dropped.
        unsafe {
            match rd::rd_kafka_event_type(event.0.as_ptr()) {
                rd::RD_KAFKA_EVENT_FETCH => event.record(),
                rd::RD_KAFKA_EVENT_ERROR => event.error(),
                rd::RD_KAFKA_EVENT_REBALANCE => Some(event.rebalance()),
                rd::RD_KAFKA_EVENT_LOG => {
                    event.log();
                    None
                }
                _ => None,
            }
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        // SAFETY: the reference was made in `of` and is given back once, before the consumer goes.
        unsafe { rd::rd_kafka_queue_destroy(self.queue.as_ptr()) }
    }
}

struct NativeEvent(NonNull<rd::rd_kafka_event_t>);

impl Drop for NativeEvent {
    fn drop(&mut self) {
        // SAFETY: an event that was polled is the caller's to destroy.
        unsafe { rd::rd_kafka_event_destroy(self.0.as_ptr()) }
    }
}

/// Each is to be called on a valid event of its kind.
impl NativeEvent {
    /// A consumer's fetch event holds one message.
    unsafe fn record(&self) -> Option<Event> {
        // SAFETY: the message lives as long as the event; its payload is null or `len` bytes.
        unsafe {
            let message = rd::rd_kafka_event_message_next(self.0.as_ptr()).as_ref()?;
            let bytes = match NonNull::new(message.payload.cast::<u8>()) {
                Some(payload) => slice::from_raw_parts(payload.as_ptr(), message.len).to_vec(),
                None => Vec::new(),
            };
            let partition = u32::try_from(message.partition).ok()?;
            let offset = u64::try_from(message.offset).ok()?;
            Some(Event::Record(Raw { partition, offset, bytes }))
        }
    }

    unsafe fn error(&self) -> Option<Event> {
        let event = self.0.as_ptr();
        // SAFETY: the topic partition is the caller's to destroy; the reason lives as long as the event.
        unsafe {
            let code = rd::rd_kafka_event_error(event);
            if code == rd::rd_kafka_resp_err_t::RD_KAFKA_RESP_ERR__PARTITION_EOF {
                let place = NonNull::new(rd::rd_kafka_event_topic_partition(event))?;
                let (partition, offset) = (place.as_ref().partition, place.as_ref().offset);
                rd::rd_kafka_topic_partition_destroy(place.as_ptr());
                let (partition, offset) = (u32::try_from(partition).ok()?, u64::try_from(offset).ok()?);
                return Some(Event::End { partition, offset });
            }
            let fatal = rd::rd_kafka_event_error_is_fatal(event) != 0;
            let reason = text(rd::rd_kafka_event_error_string(event));
            Some(Event::Error { code: code.into(), fatal, reason })
        }
    }

    unsafe fn rebalance(&self) -> Event {
        let event = self.0.as_ptr();
        // SAFETY: the list is the event's, null or `cnt` valid elements.
        unsafe {
            if rd::rd_kafka_event_error(event) != rd::rd_kafka_resp_err_t::RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS {
                return Event::Revoked;
            }
            let list = rd::rd_kafka_event_topic_partition_list(event).as_ref();
            let places = list.filter(|list| !list.elems.is_null()).map_or(&[][..], |list| {
                slice::from_raw_parts(list.elems, usize::try_from(list.cnt).unwrap_or_default())
            });
            Event::Assigned(places.iter().filter_map(|place| u32::try_from(place.partition).ok()).collect())
        }
    }

    unsafe fn log(&self) {
        let (mut facility, mut line, mut level) = (ptr::null(), ptr::null(), 0);
        // SAFETY: on success both texts are set and live as long as the event.
        unsafe {
            if rd::rd_kafka_event_log(self.0.as_ptr(), &mut facility, &mut line, &mut level) != 0 {
                return;
            }
            let level = match level {
                ..=3 => log::Level::Error,
                4 => log::Level::Warn,
                5..=6 => log::Level::Info,
                _ => log::Level::Debug,
            };
            log::log!(target: "librdkafka", level, "{} {}", text(facility), text(line));
        }
    }
}

/// A C string, or nothing.
///
/// # Safety
/// Null, or ended by a zero byte and alive during the call.
unsafe fn text(chars: *const c_char) -> String {
    match chars.is_null() {
        true => String::new(),
        // SAFETY: as the caller promises.
        false => unsafe { CStr::from_ptr(chars) }.to_string_lossy().into_owned(),
    }
}
