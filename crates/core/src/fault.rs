//! A fault says what to do about itself. The remedy is chosen where the fault is made; the loop that meets it
//! has one `match` and reads no message.

use std::fmt;

/// What the one who meets a fault does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Transient (a model or the store is away): hold the partition, back off, try the same input again.
    Retry,
    /// This input can never succeed: set it aside with the code, go on with the next.
    DeadLetter,
    /// The lease is gone: drop what is in flight and ask for work again. Nothing was written.
    Yield,
    /// Going on would harm data (wrong key, other rules, recreated topic): stop the process and say why.
    Stop,
}

/// The closed set of causes. Also the value of the metric label `code`, so it never carries text from a customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// The store or log could not be read or written just now.
    StoreUnavailable,
    /// The disk refused a write (full, read-only).
    Disk,
    /// Stored bytes are not what was written.
    Damaged,
    /// The key-encryption key does not open this data.
    WrongKey,
    /// The key of a record was destroyed.
    KeyGone,
    /// A record or row could not be decoded, or was not sealed for where it was found.
    Undecodable,
    /// A value is outside its limit.
    Limit,
    /// A model did not answer just now.
    ModelUnavailable,
    /// A model answered something unusable.
    ModelOutput,
    /// The generation on disk was made by another extractor, rules or embedder.
    Generation,
    /// The lease died before the commit.
    LeaseLost,
    /// Another process holds the data folder.
    Held,
    /// A stage failed on the same record time after time.
    Poison,
    /// The data was written by another version, mostly a newer one.
    NewerFormat,
}

impl Code {
    /// The label as metrics and dead letters carry it.
    pub fn label(self) -> &'static str {
        match self {
            Code::StoreUnavailable => "store_unavailable",
            Code::Disk => "disk",
            Code::Damaged => "damaged",
            Code::WrongKey => "wrong_key",
            Code::KeyGone => "key_gone",
            Code::Undecodable => "undecodable",
            Code::Limit => "limit",
            Code::ModelUnavailable => "model_unavailable",
            Code::ModelOutput => "model_output",
            Code::Generation => "generation",
            Code::LeaseLost => "lease_lost",
            Code::Held => "held",
            Code::Poison => "poison",
            Code::NewerFormat => "newer_format",
        }
    }
}

/// A failure, its cause as a code, and what to do about it.
///
/// The message says what was tried, what was found and what to do. It never contains a customer's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What the one who meets it does next.
    pub remedy: Remedy,
    /// The cause, from the closed set.
    pub code: Code,
    /// For an operator: tried, found, to do.
    pub message: String,
}

impl Fault {
    /// A transient fault.
    pub fn retry(code: Code, message: impl Into<String>) -> Self {
        Self { remedy: Remedy::Retry, code, message: message.into() }
    }

    /// A fault of this one input.
    pub fn dead_letter(code: Code, message: impl Into<String>) -> Self {
        Self { remedy: Remedy::DeadLetter, code, message: message.into() }
    }

    /// The lease is gone.
    pub fn lease_lost() -> Self {
        Self { remedy: Remedy::Yield, code: Code::LeaseLost, message: "the lease ended before the commit".into() }
    }

    /// A fault after which the process must not go on.
    pub fn stop(code: Code, message: impl Into<String>) -> Self {
        Self { remedy: Remedy::Stop, code, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code.label())
    }
}

impl std::error::Error for Fault {}
