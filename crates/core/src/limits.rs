//! Every limit, in one place. Each has a test at, under and over.

/// Bytes of a tenant's, space's, session's, turn's or message's name.
pub const NAME_BYTES: usize = 256;
/// Bytes of one message's or attachment's text.
pub const MESSAGE_BYTES: usize = 256 * 1024;
/// Messages and attachments in one turn.
pub const TURN_MESSAGES: usize = 512;
/// Bytes of all texts of one turn.
pub const TURN_BYTES: usize = 512 * 1024;
/// Milliseconds a turn may be dated ahead of the server's clock.
pub const AHEAD_MS: i64 = 24 * 60 * 60 * 1000;
/// Recalled memory ids a turn may name.
pub const TURN_RECALLED: usize = 64;
/// Items one turn may yield; surplus ones are dropped as invalid.
pub const TURN_ITEMS: usize = 24;
/// Bytes of a quote, and of an item's wording.
pub const QUOTE_BYTES: usize = 1_000;
/// Keywords of an item, and likely questions of an item.
pub const ITEM_KEYWORDS: usize = 12;
/// Passages of one turn that get a vector, the first ones.
pub const TURN_PASSAGES: usize = 8;
/// Sealed bytes of the items and passages one turn may yield, so that a turn is one batch for any store; surplus items
/// are dropped as invalid.
pub const TURN_SEALED_BYTES: usize = 32 * 1024;
/// Drops kept per turn.
pub const TURN_DROPS: usize = 64;
/// Memories, the newest ones, whose wording the fold compares with a statement's for each of its telling words.
pub const FOLD_CANDIDATES: usize = 256;
/// Pieces of evidence a memory lists (all are counted).
pub const MEMORY_EVIDENCE: usize = 64;
/// Things one request to forget may take, each with its history.
pub const FORGET_MOST: usize = 3;
/// Sentences of which nothing is remembered that one request to forget may take, the newest ones.
pub const FORGET_SENTENCES: usize = 32;
/// Bytes of a request to forget that comes by its own door: all of it is one quote.
pub const FORGET_BYTES: usize = QUOTE_BYTES;
/// Turns whose words one command lets go.
pub const LET_GO_TURNS: usize = 32;
/// Bytes of a recall's query.
pub const QUERY_BYTES: usize = 8 * 1024;
/// Questions in one query that are looked for each by itself; of more, the query is one.
pub const QUERY_PARTS: usize = 4;
/// Results of a recall, unless asked otherwise.
pub const RECALL_RESULTS: usize = 5;
/// Results of a recall, at most.
pub const RECALL_RESULTS_MAX: usize = 50;
/// Milliseconds a recall waits for a position, at most.
pub const POSITION_WAIT_MS: u64 = 5_000;
/// Bytes of one HTTP body.
pub const BODY_BYTES: usize = 64 * 1024 * 1024;
/// Records a stage takes at once.
pub const BATCH_RECORDS: usize = 256;
/// Records the write stage takes at once: each costs it little, and what a commit costs besides is shared by all.
pub const WRITE_RECORDS: usize = 1_024;
/// Dead letters, the newest, that are listed and may be driven again.
pub const DEAD_LETTERS: usize = 1_000;
/// Questions of a space, the newest, that wait for review.
pub const REVIEWS: usize = 100;
/// Days that a question waits for review.
pub const REVIEW_DAYS: i64 = 30;
/// Questions of a tenant, the newest, that are listed for review.
pub const REVIEWS_LISTED: usize = 100;
/// Questions of all spaces that a process holds for review until it writes them; of more it lets some go.
pub const REVIEWS_UNWRITTEN: usize = 1_000;
/// Milliseconds after a turn was completed for which its conversation counts as going on: what is older is backlog.
pub const LIVE_MS: i64 = 60_000;
/// Times a record may fail alone before it is set aside as poison.
pub const POISON_TRIES: u32 = 5;
/// Sessions, the newest, whose words are at hand.
pub const SESSIONS: usize = 10;
/// Sentences of an answer in sentences.
pub const SYNTHESIS_SENTENCES: usize = 10;
/// Memories that a conversation starts with.
pub const HOT_MEMORIES: usize = 10;
/// Sessions shown, unless asked otherwise.
pub const SESSIONS_SHOWN: usize = 3;
/// Turns of a session, the newest, that its summary and anchors are made of.
pub const SESSION_TURNS: usize = 64;
/// Bytes of words of a session, the newest messages, that its summary and anchors are made of.
pub const SESSION_BYTES: usize = 32 * 1024;
/// Words of a session's summary, or characters where it is Chinese.
pub const SESSION_SUMMARY: usize = 50;
/// Anchors of a session.
pub const SESSION_ANCHORS: usize = 24;
