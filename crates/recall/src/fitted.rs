//! Every number of recall that was fitted to data, and how.

/// Reciprocal-rank fusion: a channel adds `weight / (RANK_OFFSET + rank)`, rank from 0.
pub const RANK_OFFSET: f32 = 20.0;
/// Weight of BM25 over memories.
pub const WORDS: f32 = 1.0;
/// Weight of agreement with a memory's topic key.
pub const TOPIC: f32 = 0.5;
/// Weight of nearness of vectors.
pub const VECTOR: f32 = 1.0;
/// Weight of BM25 over raw messages.
pub const RAW: f32 = 1.0;

/// Fields of a memory's document: its wording counts 1.
pub const KEYWORD_FIELD: f32 = 0.5;
/// Questions a memory likely answers.
pub const QUESTION_FIELD: f32 = 0.5;
/// Subject and attribute of the topic key.
pub const TOPIC_FIELD: f32 = 0.5;

/// Log odds that a memory and a question belong together: `MEANING` times how far the cosine stands out, plus
/// `COVERED` times the share of the question's weight that the memory's words cover, less `UNRELATED`.
pub const MEANING: f32 = 0.9;
/// See [`MEANING`].
pub const COVERED: f32 = 8.0;
/// See [`MEANING`].
pub const UNRELATED: f32 = 2.8;
/// What a cosine would stand out by where there is no vector to tell (raw messages, tasks).
pub const NO_VECTOR: f32 = 1.0;

/// Log odds from which a memory may be in an answer at all.
pub const RELATED: f32 = 0.5;
/// Log odds that the best of an answer must reach in a space of one; nothing reaches it: the answer is empty.
pub const FOUND: f32 = 0.7;
/// What every e-fold of memories adds to it: more memories bring more chance likenesses.
pub const FOUND_GROWTH: f32 = 0.6;

/// Weight of a memory about somebody else than the question asks about.
pub const ANOTHER_SUBJECT: f32 = 0.7;
