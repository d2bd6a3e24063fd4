//! What goes over HTTP and what `--json` prints: one type per body, the same for server and client.

mod answers;
mod dead_letters;
mod filter;
mod forget;
mod health;
mod memories;
mod preload;
mod recalled;
mod reviews;
mod sessions;
mod synthesis;
mod turns;

pub use answers::{Accepted, Health, Ready};
pub use dead_letters::{DeadLetter, DeadLetters, Place};
pub use filter::{Filter, Kind, Rule, Status};
pub use forget::{Forget, Forgotten, Gone, PendingReadBack, ReadBack, ReadBacks};
pub use health::SpaceHealth;
pub use memories::{Drop, Drops, Memories, Memory, Mention, Recall, Time, TopicKey, TurnDrops, name};
pub use preload::Preload;
pub use recalled::{Facts, Probe, Recalled, Recollection};
pub use reviews::{Judgement, Review, Reviewed, Reviews, Verdict};
pub use sessions::{Anchor, Awaiting, Remembered, Session, Sessions};
pub use synthesis::{Sentence, Synthesis};
pub use turns::{Attachment, Line, LineAnswer, Message, Published, Role, Turn};
