//! What can go wrong between this crate and the store, and which fault it is. No message holds a value that was sent.

use std::fmt::Display;

use saidso_core::fault::{Code, Fault};
use scylla::errors::{
    ConnectionError, ConnectionPoolError, ConnectionSetupRequestErrorKind, DbError, ExecutionError, MetadataError,
    NewSessionError, PrepareError, RequestAttemptError,
};

/// The store did not do it just now.
pub(crate) fn away(what: &str, error: &impl Display) -> Fault {
    Fault::retry(Code::StoreUnavailable, format!("{what}: {error}"))
}

/// The store will never do it.
fn refused(what: &str, error: &impl Display) -> Fault {
    let found = format!("the store refused ({error}); check the account's rights and the keyspace's tables");
    Fault::stop(Code::StoreUnavailable, format!("{what}: {found}"))
}

/// What was read is not what was written.
pub(crate) fn damaged(what: &str, found: impl Display) -> Fault {
    Fault::stop(
        Code::Damaged,
        format!("{what}: {found}. Restore the keyspace from a backup, or ask who else writes to it"),
    )
}

/// A request that no correct caller makes. Going on would hide the defect.
pub(crate) fn misuse(what: &str, found: impl Display) -> Fault {
    Fault::stop(Code::Undecodable, format!("{what}: {found}. This is a defect of the caller"))
}

/// A statement that was executed failed.
pub(crate) fn execution(what: &str, error: &ExecutionError) -> Fault {
    match error {
        ExecutionError::BadQuery(_) => misuse(what, error),
        ExecutionError::LastAttemptError(attempt) => self::attempt(what, attempt),
        ExecutionError::PrepareError(error) => preparation(what, error),
        _ => away(what, error),
    }
}

/// A statement that was prepared failed.
pub(crate) fn preparation(what: &str, error: &PrepareError) -> Fault {
    match error {
        PrepareError::AllAttemptsFailed { first_attempt } => attempt(what, first_attempt),
        _ => away(what, error),
    }
}

/// A session could not be opened.
pub(crate) fn connection(what: &str, error: &NewSessionError) -> Fault {
    match error {
        NewSessionError::MetadataError(MetadataError::ConnectionPoolError(ConnectionPoolError::Broken {
            last_connection_error: ConnectionError::ConnectionSetupRequestError(setup),
        })) => match &setup.error {
            ConnectionSetupRequestErrorKind::DbError(kind, _) if is_final(kind) => refused(what, error),
            ConnectionSetupRequestErrorKind::MissingAuthentication => refused(what, error),
            _ => away(what, error),
        },
        NewSessionError::EmptyKnownNodesList | NewSessionError::IllegalConfig(_) => misuse(what, error),
        _ => away(what, error),
    }
}

fn attempt(what: &str, error: &RequestAttemptError) -> Fault {
    match error {
        RequestAttemptError::DbError(kind, _) if is_final(kind) => refused(what, error),
        RequestAttemptError::SerializationError(_) => misuse(what, error),
        _ => away(what, error),
    }
}

/// Whether asking again, unchanged, must end the same way.
fn is_final(error: &DbError) -> bool {
    use DbError as Db;
    matches!(
        error,
        Db::SyntaxError
            | Db::Invalid
            | Db::AlreadyExists { .. }
            | Db::AuthenticationError
            | Db::Unauthorized
            | Db::ConfigError
    )
}
