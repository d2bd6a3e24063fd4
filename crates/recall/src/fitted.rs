//! Every number of recall that was fitted to data, and how.
//!
//! Fitted with `benches/src/bin/recall_quality.rs` on spaces of 1 to 500 documents: chats, preferences, day notes and
//! paragraphs in English, Chinese and Russian, and pairs of our own writing that share no word; half the questions of
//! each set nothing answers. The form came first: of a dozen features only two told answers from chance in every set
//! (area under the curve .87–.99), how far a cosine stands out and what share of the question is covered. One pair of
//! weights was then fitted over all sets at once, each set counting the same, and rounded. Nothing here is per set.

/// Reciprocal-rank fusion: a channel adds `weight / (RANK_OFFSET + rank)`, rank from 0. Anything from 5 to 60 does.
pub const RANK_OFFSET: f32 = 10.0;
/// Weight of BM25 over memories.
pub const WORDS: f32 = 1.0;
/// Weight of agreement with a memory's topic key.
pub const TOPIC: f32 = 0.5;
/// Weight of nearness of vectors. From 0.6 to 1.5 it makes no difference.
pub const VECTOR: f32 = 1.0;
/// Weight of BM25 over raw messages: less, since a memory's words are mostly the message's words again.
pub const RAW: f32 = 0.5;
/// Weight of BM25 for a raw message itself.
pub const RAW_WORDS: f32 = 1.0;
/// Weight of nearness of vectors for a raw message itself.
pub const RAW_VECTOR: f32 = 1.0;
/// Share of a raw message's score that what was said next to it gains: talk stays on its matter. From 0.1 to 0.5 it
/// makes little difference.
pub const NEIGHBOUR: f32 = 0.25;
/// Milliseconds between messages that stand next to each other.
pub const NEIGHBOUR_MS: i64 = 60 * 60 * 1000;
/// Weight of what is said of the thing that the best raw message names. From 0.5 to 2 it makes little difference.
pub const HOP: f32 = 0.5;
/// Raw messages of a space beyond which nobody looks for that: it costs two more passes over their words.
pub const HOP_MOST: usize = 20_000;
/// Log odds by which a memory may fall short of the raw message it rests on and still speak for it.
pub const SPEAKS_FOR: f32 = 1.0;
/// Log odds at which an item's ranks count half: what is first by chance is not carried up by its rank. From 2 to 4 it
/// makes no difference.
pub const DOUBT: f32 = 3.0;

/// Fields of a memory's document: its wording counts 1.
pub const KEYWORD_FIELD: f32 = 0.5;
/// Questions a memory likely answers.
pub const QUESTION_FIELD: f32 = 0.5;
/// Subject and attribute of the topic key.
pub const TOPIC_FIELD: f32 = 0.5;
/// The agent's question that a raw message answers. From 0.2 to 1 it makes little difference.
pub const ANSWERED_FIELD: f32 = 0.5;

/// Log odds that a memory and a question belong together: `MEANING` times how far the cosine stands out, plus
/// `COVERED` times the share of the question's weight that the memory's words cover, less `UNRELATED`.
pub const MEANING: f32 = 0.9;
/// See [`MEANING`].
pub const COVERED: f32 = 8.0;
/// See [`MEANING`].
pub const UNRELATED: f32 = 2.8;
/// What a cosine is taken to stand out by where there is no vector to tell (raw messages, tasks).
pub const NO_VECTOR: f32 = 1.2;

/// Log odds from which an item may be in an answer that is not empty: who asks for more gets what comes next.
pub const RELATED: f32 = -3.0;
/// Log odds that the best of an answer must reach in a space of one; nothing reaches it: the answer is empty. Chosen
/// so that in a space of one about one unrelated question in fifty finds something.
pub const FOUND: f32 = -0.5;
/// What every e-fold of items adds to it: more items bring more chance likenesses.
pub const FOUND_GROWTH: f32 = 0.2;
/// The same for raw messages, by what their vectors say alone.
pub const FOUND_GROWTH_RAW: f32 = 0.2;
/// The same for raw messages, words and vectors together: a memory was picked out for what it states, a message is any talk,
/// and words meet there by chance.
pub const FOUND_GROWTH_RAW_WORDS: f32 = 0.75;
/// How far a raw message may fall short of that in an answer that is not empty.
pub const ALONG_RAW: f32 = 3.0;
/// Log odds by which a memory may fall short of the best of an answer and still answer the question, so that a conflict
/// it is in is asked about. Chosen, not fitted.
pub const ANSWERS_TOO: f32 = 2.0;
/// Probability that a result belongs to the question from which on nobody has to look at it (requirements B4). Given, not
/// fitted.
pub const SURE: f32 = 0.7;

/// Weight of a memory about something else than the question asks about. This and the four below are chosen, not
/// fitted: no set says whom its statements are about.
pub const ANOTHER_SUBJECT: f32 = 0.7;
/// Log odds for a memory about the person asked about, whatever either is called ("spouse", "wife").
pub const THE_PERSON: f32 = 2.0;
/// Log odds against a memory about one person for a question about another.
pub const ANOTHER_PERSON: f32 = 6.0;
/// Log odds against a memory about another person for a question about nobody but the customer.
pub const NOT_ASKED_FOR: f32 = 1.5;
/// Log odds against anything that does not mention the person whom the question is about.
pub const UNMENTIONED: f32 = 1.0;
