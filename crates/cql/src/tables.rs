//! Every statement on the tables, prepared.

use saidso_core::fault::Fault;

use crate::link::{Link, Prepared};

macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident($prepare:ident): $what:literal = $cql:literal;)+) => {
        /// The link to the store, with every statement on it.
        pub(crate) struct Tables {
            pub(crate) link: Link,
            $($(#[$doc])* pub(crate) $name: Prepared,)+
        }

        impl Tables {
            /// Prepares them all.
            pub(crate) async fn prepare(link: Link) -> Result<Self, Fault> {
                Ok(Self { $($name: link.$prepare($what, $cql).await?,)+ link })
            }
        }
    };
}

tables! {
    check(prepare): "asked the store whether it answers" =
        "SELECT version FROM schema_version WHERE kind = 'tables' LIMIT 1";

    /// Every row with the statics; of an empty partition one row without an id.
    partition(prepare): "read a space" =
        "SELECT applied, destroy, id, kind, turn, position, event_time, sealed FROM observations \
         WHERE tenant = ? AND space = ? AND generation = ?";
    applied(prepare): "read how far a space is" =
        "SELECT applied FROM observations WHERE tenant = ? AND space = ? AND generation = ? LIMIT 1";
    put_observation(prepare): "wrote a space" =
        "INSERT INTO observations (tenant, space, generation, id, kind, turn, position, event_time, sealed) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ?";
    /// A row without a kind: the vectors of a turn's passages, under the turn's id.
    put_passages(prepare): "wrote a space" =
        "INSERT INTO observations (tenant, space, generation, id, sealed) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?";
    remove_observations(prepare): "wrote a space" =
        "DELETE FROM observations USING TIMESTAMP ? \
         WHERE tenant = ? AND space = ? AND generation = ? AND id IN ?";
    /// Only what is about to be destroyed, where a section is too large for one batch.
    doom(prepare): "wrote a space" =
        "INSERT INTO observations (tenant, space, generation, destroy) VALUES (?, ?, ?, ?) USING TIMESTAMP ?";
    move_on(prepare): "wrote a space" =
        "INSERT INTO observations (tenant, space, generation, applied, destroy) \
         VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?";

    sessions(prepare): "read a space's sessions" =
        "SELECT session, at_ms FROM sessions WHERE tenant = ? AND space = ? AND generation = ?";
    end_session(prepare): "wrote the end of a session" =
        "INSERT INTO sessions (tenant, space, generation, session, at_ms) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?";

    turn(prepare): "read a turn" =
        "SELECT turn, position, sealed, drops FROM turns WHERE tenant = ? AND space = ? AND turn = ?";
    turns(prepare_large): "read a space's turns" =
        "SELECT turn, position, sealed, drops FROM turns WHERE tenant = ? AND space = ?";
    turn_spaces(prepare): "read whose turns are stored" =
        "SELECT DISTINCT tenant, space FROM turns";
    positions(prepare): "looked up where turns stand" =
        "SELECT turn, position FROM turns WHERE tenant = ? AND space = ? AND turn IN ?";
    put_turn(prepare): "wrote a turn" =
        "INSERT INTO turns (tenant, space, turn, sealed) VALUES (?, ?, ?, ?) USING TIMESTAMP ?";
    put_drops(prepare): "wrote a turn's drops" =
        "INSERT INTO turns (tenant, space, turn, drops) VALUES (?, ?, ?, ?) USING TIMESTAMP ?";
    note(prepare): "noted a turn's position" =
        "INSERT INTO turns (tenant, space, turn, position) VALUES (?, ?, ?, ?) USING TIMESTAMP ?";

    hits(prepare): "read a space's hits" =
        "SELECT memory, count, last_ms FROM hits WHERE tenant = ? AND space = ?";
    put_hit(prepare): "wrote a space's hits" =
        "INSERT INTO hits (tenant, space, memory, count, last_ms) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?";

    reviews(prepare): "read what waits for review" =
        "SELECT row FROM review WHERE tenant = ? AND space = ?";
    review_spaces(prepare): "read where something waits for review" =
        "SELECT DISTINCT tenant, space FROM review";
    put_review(prepare): "wrote what waits for review" =
        "INSERT INTO review (tenant, space, question, row) VALUES (?, ?, ?, ?) USING TIMESTAMP ?";
    remove_review(prepare): "let go of what waits for review" =
        "DELETE FROM review USING TIMESTAMP ? WHERE tenant = ? AND space = ? AND question = ?";
    verdicts(prepare): "read a space's verdicts" =
        "SELECT result, question, asked_ms, verdict FROM verdicts WHERE tenant = ? AND space = ?";
    put_verdict(prepare): "wrote a verdict" =
        "INSERT INTO verdicts (tenant, space, result, question, asked_ms, verdict) VALUES (?, ?, ?, ?, ?, ?) \
         USING TIMESTAMP ?";
    remove_verdicts(prepare): "let go of verdicts" =
        "DELETE FROM verdicts USING TIMESTAMP ? WHERE tenant = ? AND space = ? AND result = ?";

    marks(prepare): "read a space's marks" =
        "SELECT mark FROM marks WHERE tenant = ? AND space = ?";
    put_mark(prepare): "wrote a mark" =
        "INSERT INTO marks (tenant, space, mark) VALUES (?, ?, ?) USING TIMESTAMP ?";

    read_backs(prepare): "read what requests to forget took" =
        "SELECT row FROM read_backs WHERE tenant = ? AND space = ?";
    put_read_back(prepare): "wrote what a request to forget took" =
        "INSERT INTO read_backs (tenant, space, turn, row) VALUES (?, ?, ?, ?) USING TIMESTAMP ?";
    remove_read_back(prepare): "let go of what a request to forget took" =
        "DELETE FROM read_backs USING TIMESTAMP ? WHERE tenant = ? AND space = ? AND turn = ?";

    keys(prepare): "read the keys of turns" =
        "SELECT turn, version, attempt, wrapped FROM keys WHERE tenant = ? AND space = ? AND turn IN ?";
    put_key(prepare): "wrote a turn's key" =
        "INSERT INTO keys (tenant, space, turn, version, attempt, wrapped) VALUES (?, ?, ?, ?, ?, ?) USING TIMESTAMP ?";
    destroy_keys(prepare): "destroyed the keys of a turn" =
        "DELETE FROM keys USING TIMESTAMP ? WHERE tenant = ? AND space = ? AND turn = ? AND version < ?";

    space_keys(prepare): "read a space's keys" =
        "SELECT version, attempt, wrapped FROM spaces WHERE tenant = ? AND space = ?";
    put_space_key(prepare): "wrote a space's key" =
        "INSERT INTO spaces (tenant, space, version, attempt, wrapped) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ?";
    owner(prepare): "read whose a space is" =
        "SELECT tenant FROM owners WHERE space = ?";
    put_owner(prepare): "wrote whose a space is" =
        "INSERT INTO owners (space, tenant) VALUES (?, ?) USING TIMESTAMP ?";

    secrets(prepare_serial): "read the secrets" =
        "SELECT number, value FROM secrets WHERE kind = ?";
    settle_secret(prepare): "settled a secret" =
        "INSERT INTO secrets (kind, number, value) VALUES (?, ?, ?) IF NOT EXISTS";
    pins(prepare_serial): "read what is pinned" =
        "SELECT number, value FROM pins WHERE kind = ?";
    settle_pin(prepare): "pinned what was found" =
        "INSERT INTO pins (kind, number, value) VALUES (?, ?, ?) IF NOT EXISTS";
}
