//! Every metric there is: its name, kind and meaning. Labels are closed sets; none carries a text, or a name but a
//! configured tenant's.

/// How a metric moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Only grows.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Counts by size.
    Histogram,
}

/// A metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// How it moves.
    pub kind: Kind,
    /// What it means.
    pub help: &'static str,
}

const fn metric(name: &'static str, kind: Kind, help: &'static str) -> Metric {
    Metric { name, kind, help }
}

/// Label `version`.
pub const BUILD: Metric = metric("saidso_build_info", Kind::Gauge, "Always 1; which version runs.");
/// No label.
pub const READY: Metric = metric("saidso_ready", Kind::Gauge, "1 while the stages run.");
/// Labels `route`, `status`.
pub const REQUESTS: Metric = metric("saidso_http_requests_total", Kind::Counter, "HTTP requests answered.");
/// Label `route`.
pub const REQUEST_SECONDS: Metric =
    metric("saidso_http_request_seconds", Kind::Histogram, "Time from a request's head to its answer's head.");
/// Label `result`: new, known, refused.
pub const TURNS: Metric = metric("saidso_turns_total", Kind::Counter, "Turns received over HTTP.");
/// Label `result`: found, empty, refused.
pub const RECALLS: Metric = metric("saidso_recalls_total", Kind::Counter, "Recalls received over HTTP.");
/// Label `topic`: what the stage reads.
pub const STAGE_RECORDS: Metric = metric("saidso_stage_records_total", Kind::Counter, "Records handled and committed.");
/// Label `topic`.
pub const STAGE_BATCHES: Metric = metric("saidso_stage_batches_total", Kind::Counter, "Commits of a stage.");
/// Label `topic`.
pub const STAGE_BUSY: Metric =
    metric("saidso_stage_busy_seconds_total", Kind::Counter, "Time spent on the records themselves.");
/// Label `topic`.
pub const STAGE_COMMITTING: Metric =
    metric("saidso_stage_committing_seconds_total", Kind::Counter, "Time spent waiting for commits.");
/// Labels `topic`, `code`.
pub const STAGE_RETRIES: Metric =
    metric("saidso_stage_retries_total", Kind::Counter, "Batches that came again after a transient fault.");
/// Labels `topic`, `code`.
pub const DEAD_LETTERS: Metric = metric("saidso_dead_letters_total", Kind::Counter, "Records set aside.");
/// Label `topic`.
pub const STAGE_LAG: Metric = metric("saidso_stage_lag_records", Kind::Gauge, "Records that wait before a stage.");
/// No label.
pub const OBSERVATIONS: Metric = metric("saidso_observations_total", Kind::Counter, "Observations written.");
/// Label `reason`.
pub const DROPS: Metric = metric("saidso_drops_total", Kind::Counter, "Items let go.");
/// No label.
pub const RECALL_BYTES: Metric =
    metric("saidso_recall_bytes", Kind::Gauge, "Bytes of the spaces that recall has loaded.");
/// No label.
pub const RECALL_EVICTIONS: Metric = metric(
    "saidso_recall_evictions_total",
    Kind::Counter,
    "Spaces that recall let go of, for others to fit into its memory.",
);
/// No label; left out while nobody can say.
pub const RECALL_BEHIND: Metric = metric(
    "saidso_recall_behind_changes",
    Kind::Gauge,
    "Changes of spaces that recall had not heard of when it last looked.",
);

/// No label.
pub const VISIBLE_SECONDS: Metric = metric(
    "saidso_visible_seconds",
    Kind::Histogram,
    "Time from when intake took a turn to when this process recalls from it.",
);

/// Labels `tenant`, `status`.
pub const MEMORIES: Metric =
    metric("saidso_memories", Kind::Gauge, "Memories of the spaces that recall has loaded, by how they stand.");
/// Label `tenant`.
pub const EFFECTIVE_SHARE: Metric = metric(
    "saidso_effective_share",
    Kind::Gauge,
    "Share of those memories that is active and not expired, history included.",
);
/// Label `to`: the new status.
pub const TRANSITIONS: Metric = metric(
    "saidso_memory_transitions_total",
    Kind::Counter,
    "Loaded memories whose status changed because time passed.",
);

/// Label `lane`: query, live, replay.
pub const EMBEDDER_WAIT: Metric = metric(
    "saidso_embedder_wait_seconds",
    Kind::Histogram,
    "Time that a slice of texts waited for its turn at the embedder.",
);
/// Label `lane`.
pub const EMBEDDER_WAITING: Metric =
    metric("saidso_embedder_waiting_slices", Kind::Gauge, "Slices of texts that wait for their turn at the embedder.");
/// Label `lane`.
pub const EMBEDDER_BEHIND: Metric = metric(
    "saidso_embedder_behind_slices",
    Kind::Gauge,
    "The most slices of later lanes that one slice waited for, since the start.",
);

/// All of them, in the order they are shown.
pub const ALL: [Metric; 25] = [
    BUILD,
    READY,
    REQUESTS,
    REQUEST_SECONDS,
    TURNS,
    RECALLS,
    STAGE_RECORDS,
    STAGE_BATCHES,
    STAGE_BUSY,
    STAGE_COMMITTING,
    STAGE_RETRIES,
    DEAD_LETTERS,
    STAGE_LAG,
    OBSERVATIONS,
    DROPS,
    RECALL_BYTES,
    RECALL_EVICTIONS,
    RECALL_BEHIND,
    VISIBLE_SECONDS,
    MEMORIES,
    EFFECTIVE_SHARE,
    TRANSITIONS,
    EMBEDDER_WAIT,
    EMBEDDER_WAITING,
    EMBEDDER_BEHIND,
];
