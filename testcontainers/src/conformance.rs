//! What every backend does, as cases that any backend can be put through.
//!
//! A backend joins by a [`Backend`] and one line, [`conformance_suite!`](crate::conformance_suite). A case knows no
//! backend; where one differs, the exception is named and reasoned at the suite, never in a case.

use std::sync::Arc;

use saidso_core::{
    ids::Names,
    ports::{Changes, Commits, DeadLetters, Generations, HeadLog, Hits, Keys, Reviews, Store, Topics},
};

pub mod commits;
mod desk;
pub mod head;
pub mod keys;
pub mod reviews;
pub mod spaces;
pub mod topics;

pub use desk::{Desk, Seeded, after, destroyed, take};

/// Every port that keeps something, of one open backend.
pub struct Ports {
    /// The maker of ids.
    pub names: Names,
    /// Key material.
    pub keys: Arc<dyn Keys>,
    /// What is stored.
    pub store: Arc<dyn Store>,
    /// How often memories were surfaced.
    pub hits: Arc<dyn Hits>,
    /// What waits for review, and the verdicts.
    pub reviews: Arc<dyn Reviews>,
    /// What generations pin.
    pub generations: Arc<dyn Generations>,
    /// The head log's writer.
    pub head: Arc<dyn HeadLog>,
    /// Where stages read.
    pub topics: Arc<dyn Topics>,
    /// Where stages commit.
    pub commits: Arc<dyn Commits>,
    /// Where changes are followed.
    pub changes: Arc<dyn Changes>,
    /// What was set aside.
    pub dead: Arc<dyn DeadLetters>,
}

impl Ports {
    /// Of a backend that is all of them.
    pub fn of<B>(names: Names, backend: Arc<B>) -> Self
    where
        B: Keys + Store + Hits + Reviews + Generations + HeadLog + Topics + Commits + Changes + DeadLetters + 'static,
    {
        Self {
            names,
            keys: backend.clone(),
            store: backend.clone(),
            hits: backend.clone(),
            reviews: backend.clone(),
            generations: backend.clone(),
            head: backend.clone(),
            topics: backend.clone(),
            commits: backend.clone(),
            changes: backend.clone(),
            dead: backend,
        }
    }
}

/// A backend with data of its own.
pub trait Backend {
    /// Opens it on the same data as before; whatever an earlier call returned has been dropped by then.
    fn open(&self) -> Ports;
}

/// One test per case, each on a new backend made by the expression.
#[macro_export]
macro_rules! conformance_suite {
    ($make:expr) => {
        $crate::conformance_suite!(@cases $make;
            head {
                publish_answers_positions_in_order
                publish_twice_keeps_the_first_position
                publish_twice_in_one_call_is_once
                publish_at_the_same_time_is_once
                positions_go_on_after_a_restart
                marks_bind_at_once
                a_known_turn_still_gets_its_marks
            }
            topics {
                records_of_a_space_keep_their_order
                a_record_comes_as_it_was_put
                a_poll_wakes_for_a_publish
                a_rewind_starts_from_the_last_commit
                restart_replays_what_was_not_committed
                what_was_committed_does_not_come_again
                a_new_consumer_takes_over
                lag_counts_what_is_not_committed
            }
            commits {
                offsets_and_outputs_are_one
                outputs_keep_position_and_partition
                a_dead_lease_commits_nothing
                a_lease_of_before_a_rewind_is_dead
                applied_moves_with_its_writes
                a_read_sees_a_section_whole
                a_stale_section_writes_nothing_but_destroys_keys_again
                a_stale_section_spares_the_key_a_turn_stands_under
                changes_reach_every_follower
                dead_letters_are_listed_newest_first
            }
            spaces {
                no_space_sees_another
                generations_are_apart
                a_generation_is_pinned
                an_observation_is_replaced_and_removed
                a_turn_sealed_anew_keeps_its_position
                what_a_request_took_is_kept_until_it_is_let_go
                the_vectors_of_passages_are_set_and_cleared
                the_latest_end_of_a_session_counts
                the_last_hit_counts
                every_space_with_a_turn_is_visited_once
                everything_is_there_after_a_restart
            }
            reviews {
                a_question_waits_once_until_it_is_let_go
                every_queue_is_visited_once
                a_verdict_is_kept_until_its_result_goes
            }
            keys {
                a_turns_key_is_there_with_its_record
                a_destroyed_key_stays_destroyed
                a_spaces_key_stays_the_same
                a_key_is_found_only_in_its_space
                a_record_of_another_tenant_is_refused
                names_stay_the_same
            }
        );
    };
    (@cases $make:expr; $($room:ident { $($case:ident)+ })+) => {
        $(mod $room {
            #[allow(unused_imports)]
            use super::*;
            $(
                #[test]
                fn $case() {
                    $crate::conformance::$room::$case(&$make);
                }
            )+
        })+
    };
}
