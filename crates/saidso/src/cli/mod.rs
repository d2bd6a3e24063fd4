//! The commands that ask a server or a data folder.

mod dead_letters;
mod forget;
mod memories;
mod publish;
mod recall;
mod review;
mod sessions;
pub mod show;
mod target;

pub use dead_letters::dead_letters;
pub use forget::forget;
pub use memories::memories;
pub use publish::{publish, send};
pub use recall::recall;
pub use review::review;
pub use sessions::sessions;
pub use target::Target;
