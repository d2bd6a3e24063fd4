//! Topics with their ids: a topic made again under its old name has another.

use std::{
    ffi::{CStr, CString, c_char},
    ptr::NonNull,
    slice,
    time::Duration,
};

use rdkafka::{
    bindings as rd,
    client::{Client, ClientContext},
    error::{KafkaError, KafkaResult},
};

/// A topic as the broker has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Described {
    pub name: String,
    pub id: String,
    pub partitions: u32,
}

/// What there is of these topics, by their ids. Blocks for `wait` at most.
pub(crate) fn describe(
    client: &Client<impl ClientContext>,
    names: &[String],
    wait: Duration,
) -> KafkaResult<Vec<Described>> {
    let names = names.iter().map(|name| CString::new(name.as_str())).collect::<Result<Vec<_>, _>>()?;
    let mut names: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
    let wait = i32::try_from(wait.as_millis()).unwrap_or(i32::MAX);
    let rk = client.native_ptr();
    let failed = || KafkaError::AdminOpCreation("DescribeTopics".to_owned());
    // SAFETY: the client lives throughout. Each value made here is destroyed once, by its guard; the collection copies the
    // names; what the result holds is read before the event that owns it goes.
    unsafe {
        let queue = Guard::new(rd::rd_kafka_queue_new(rk), rd::rd_kafka_queue_destroy).ok_or_else(failed)?;
        let topics = rd::rd_kafka_TopicCollection_of_topic_names(names.as_mut_ptr(), names.len());
        let topics = Guard::new(topics, rd::rd_kafka_TopicCollection_destroy).ok_or_else(failed)?;
        let options = rd::rd_kafka_AdminOptions_new(rk, rd::rd_kafka_admin_op_t::RD_KAFKA_ADMIN_OP_DESCRIBETOPICS);
        let options = Guard::new(options, rd::rd_kafka_AdminOptions_destroy).ok_or_else(failed)?;
        let mut said = [0; 256];
        rd::rd_kafka_AdminOptions_set_request_timeout(options.ptr(), wait, said.as_mut_ptr(), said.len());
        rd::rd_kafka_DescribeTopics(rk, topics.ptr(), options.ptr(), queue.ptr());
        // The request has its own timeout; this one only keeps a lost answer from blocking for ever.
        let event = rd::rd_kafka_queue_poll(queue.ptr(), wait.saturating_add(1000));
        let timeout = KafkaError::AdminOp(rdkafka::types::RDKafkaErrorCode::OperationTimedOut);
        let event = Guard::new(event, rd::rd_kafka_event_destroy).ok_or(timeout)?;
        let code = rd::rd_kafka_event_error(event.ptr());
        if code != rd::rd_kafka_resp_err_t::RD_KAFKA_RESP_ERR_NO_ERROR {
            return Err(KafkaError::AdminOp(code.into()));
        }
        let result = rd::rd_kafka_event_DescribeTopics_result(event.ptr());
        if result.is_null() {
            return Err(failed());
        }
        let mut count = 0;
        let found = rd::rd_kafka_DescribeTopics_result_topics(result, &mut count);
        let found = if found.is_null() { &[][..] } else { slice::from_raw_parts(found, count) };
        let mut topics = Vec::with_capacity(found.len());
        for topic in found {
            topics.extend(read(*topic)?);
        }
        Ok(topics)
    }
}

/// `None` for a topic that is not there.
///
/// # Safety
/// A description whose event is alive.
unsafe fn read(topic: *const rd::rd_kafka_TopicDescription_t) -> KafkaResult<Option<Described>> {
    use rd::rd_kafka_resp_err_t as Code;
    // SAFETY: the strings and the id belong to the description and are copied.
    unsafe {
        match rd::rd_kafka_error_code(rd::rd_kafka_TopicDescription_error(topic)) {
            Code::RD_KAFKA_RESP_ERR_NO_ERROR => {}
            Code::RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART => return Ok(None),
            code => return Err(KafkaError::AdminOp(code.into())),
        }
        let name = CStr::from_ptr(rd::rd_kafka_TopicDescription_name(topic)).to_string_lossy().into_owned();
        let id = rd::rd_kafka_Uuid_base64str(rd::rd_kafka_TopicDescription_topic_id(topic));
        let id = CStr::from_ptr(id).to_string_lossy().into_owned();
        let mut partitions = 0;
        rd::rd_kafka_TopicDescription_partitions(topic, &mut partitions);
        let partitions = u32::try_from(partitions).unwrap_or(u32::MAX);
        Ok(Some(Described { name, id, partitions }))
    }
}

/// A value of librdkafka's and how it is destroyed.
struct Guard<T> {
    value: NonNull<T>,
    destroy: unsafe extern "C" fn(*mut T),
}

impl<T> Guard<T> {
    fn new(value: *mut T, destroy: unsafe extern "C" fn(*mut T)) -> Option<Self> {
        NonNull::new(value).map(|value| Self { value, destroy })
    }

    fn ptr(&self) -> *mut T {
        self.value.as_ptr()
    }
}

impl<T> Drop for Guard<T> {
    fn drop(&mut self) {
        // SAFETY: made by the function that goes with it, and destroyed once.
        unsafe { (self.destroy)(self.value.as_ptr()) }
    }
}
