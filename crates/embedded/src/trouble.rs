//! What can go wrong between this crate and the disk, and which fault it is.

use std::{fmt::Display, io};

use saidso_core::fault::{Code, Fault};

/// An error on its way to becoming a [`Fault`]: the database's own, or one that is a fault already.
#[derive(Debug)]
pub(crate) enum Trouble {
    Database(redb::Error),
    Fault(Fault),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

macro_rules! from_redb {
    ($($error:ident),*) => {
        $(impl From<redb::$error> for Trouble {
            fn from(error: redb::$error) -> Self {
                Self::Database(error.into())
            }
        })*
    };
}

from_redb!(CommitError, DatabaseError, StorageError, TableError, TransactionError);

impl Trouble {
    /// The fault, for someone who tried `what`.
    pub(crate) fn fault(self, what: &str) -> Fault {
        match self {
            Self::Fault(fault) => fault,
            Self::Database(redb::Error::Io(error)) => disk(what, &error),
            Self::Database(redb::Error::UpgradeRequired(found)) => Fault::stop(
                Code::NewerFormat,
                format!(
                    "{what}: the database has file format {found}, which this build cannot read; use the build that wrote it"
                ),
            ),
            Self::Database(redb::Error::PreviousIo | redb::Error::DatabaseClosed) => Fault::retry(
                Code::StoreUnavailable,
                format!(
                    "{what}: the database is closed after a failed write; it opens again by itself once the disk takes writes"
                ),
            ),
            Self::Database(redb::Error::DatabaseAlreadyOpen) => {
                Fault::stop(Code::Held, format!("{what}: another process holds the database; stop it first"))
            }
            Self::Database(error) => damaged(what, error),
        }
    }
}

/// The disk refused, or gave something that cannot be right. Transient if room or permission can come back; else writing on could build on lost pages.
pub(crate) fn disk(what: &str, error: &io::Error) -> Fault {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::InvalidData | Kind::UnexpectedEof => damaged(what, error),
        Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => {
            Fault::retry(Code::Disk, format!("{what}: the disk is full ({error}); free some space"))
        }
        Kind::ReadOnlyFilesystem | Kind::PermissionDenied => {
            Fault::retry(Code::Disk, format!("{what}: the folder cannot be written ({error}); make it writable"))
        }
        _ => Fault::stop(Code::Disk, format!("{what}: the disk failed ({error}); check the disk, then start again")),
    }
}

/// The bytes are not what was written.
pub(crate) fn damaged(what: &str, found: impl Display) -> Fault {
    Fault::stop(Code::Damaged, format!("{what}: {found}. Restore the whole data folder, keys included, from one copy"))
}

/// A request that no correct caller makes. Going on would hide the defect.
pub(crate) fn misuse(what: &str, found: impl Display) -> Fault {
    Fault::stop(Code::Undecodable, format!("{what}: {found}. This is a defect of the caller; nothing was written"))
}
