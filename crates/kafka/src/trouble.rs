//! What a client's error means for the one who meets it.

use rdkafka::error::{KafkaError, RDKafkaErrorCode as Rd};
use saidso_core::fault::{Code, Fault};

/// What went wrong while something was tried. Without better knowledge it is the broker's absence: it comes back.
pub(crate) fn fault(tried: &str, error: &KafkaError) -> Fault {
    let code = error.rdkafka_error_code();
    match (error, code) {
        (KafkaError::ClientConfig(..) | KafkaError::ClientCreation(_) | KafkaError::Nul(_), _) => {
            Fault::stop(Code::StoreUnavailable, format!("{tried}: {error}. Correct the settings of the Kafka client"))
        }
        (_, Some(code)) if refused(code) => Fault::stop(
            Code::StoreUnavailable,
            format!("{tried}: the broker refused: {error}. Check the credentials and what they allow"),
        ),
        _ => Fault::retry(Code::StoreUnavailable, format!("{tried}: {error}")),
    }
}

/// Who may not, may not a second later either.
fn refused(code: Rd) -> bool {
    matches!(
        code,
        Rd::TopicAuthorizationFailed
            | Rd::GroupAuthorizationFailed
            | Rd::ClusterAuthorizationFailed
            | Rd::TransactionalIdAuthorizationFailed
            | Rd::SaslAuthenticationFailed
            | Rd::UnsupportedSASLMechanism
    )
}

/// The partition is no longer this process's to commit.
pub(crate) fn lost(code: Rd) -> bool {
    matches!(
        code,
        Rd::IllegalGeneration
            | Rd::UnknownMemberId
            | Rd::RebalanceInProgress
            | Rd::FencedInstanceId
            | Rd::Fenced
            | Rd::ProducerFenced
            | Rd::InvalidProducerEpoch
            | Rd::TransactionCoordinatorFenced
            | Rd::AssignmentLost
    )
}

/// What a client says of itself while the broker is away, and stops saying when it is back.
pub(crate) fn passing(code: Rd) -> bool {
    matches!(
        code,
        Rd::BrokerTransportFailure
            | Rd::AllBrokersDown
            | Rd::Resolve
            | Rd::OperationTimedOut
            | Rd::RequestTimedOut
            | Rd::CoordinatorNotAvailable
            | Rd::NotCoordinator
            | Rd::CoordinatorLoadInProgress
            | Rd::PollExceeded
    )
}

/// Another process has this one's name.
pub(crate) fn fenced(instance: &str, group: &str) -> Fault {
    let message = format!(
        "read as {instance:?} in the group {group}: another process of that name took over. Give each process its own \
         `instance`"
    );
    Fault::stop(Code::Held, message)
}

/// Records that were not read are gone.
pub(crate) fn out_of_range(topic: &str, reason: &str) -> Fault {
    let message = format!(
        "read {topic}: what comes next is not there any more ({reason}). Either its retention ate records that were not \
         processed, or the topic was made again under its old name. Keep internal topics longer than any outage; to go \
         on, replay into a new log epoch"
    );
    Fault::stop(Code::Damaged, message)
}
