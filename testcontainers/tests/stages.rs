//! What the stages do when a model or a record misbehaves (requirements A5, A7, G1; field cases 8, 17, 18). Models are
//! named by how they fail.

use std::{
    collections::BTreeSet,
    path::Path,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use saidso_core::{
    access::admit_to,
    calibration::Calibration,
    fault::{Code, Fault},
    ids::{TenantId, TurnId},
    item::{Candidate, DropReason, Evidence, Extraction, Kind, Span, TopicKey, Unit},
    limits,
    marks::Mark,
    ports::{
        Commits, Effects, Embedder, Extractor, Lease, Purpose, ReadBackRow, SpaceRows, SpaceTurns, Store, TurnRow,
    },
    position::Position,
    record::{Origin, Topic},
    scope::Scope,
    seal::Generation,
    text::Language,
    turn::{Role, SubmittedMessage, SubmittedTurn, TurnBody},
    vector::Vector,
};
use saidso_models::{Builtin, ConstantEmbedder};
use saidso_testcontainers::stand::{GENERATION, Stand, rules, rules_with};

fn turn(space: &str, minute: usize, text: &str) -> SubmittedTurn {
    SubmittedTurn {
        tenant: None,
        space: space.into(),
        session: None,
        turn: None,
        occurred_at: format!("2026-03-01T09:{minute:02}:00+01:00"),
        zone: None,
        messages: vec![SubmittedMessage { role: Role::Customer, text: text.into(), id: None }],
        recalled: Vec::new(),
        attachments: Vec::new(),
    }
}

fn stand(folder: &Path) -> Stand {
    Stand::embedded(folder).expect("a new folder opens")
}

fn builtin() -> Arc<dyn Extractor> {
    Arc::new(Builtin::new(None, None).expect("without slots nothing is asked of a model"))
}

/// What becomes of the right vectors.
type Answer = fn(Vec<Vector>) -> Result<Vec<Vector>, Fault>;

/// What an extractor does instead of extracting.
type Extract = fn() -> Result<Extraction, Fault>;

/// An embedder that misbehaves in one way, as often as `left` says, then works.
struct Misbehaving {
    left: AtomicUsize,
    asked: AtomicUsize,
    how: Answer,
}

impl Misbehaving {
    fn times(left: usize, how: Answer) -> Arc<Self> {
        Arc::new(Self { left: AtomicUsize::new(left), asked: AtomicUsize::new(0), how })
    }
}

impl Embedder for Misbehaving {
    fn id(&self) -> &str {
        "constant/1"
    }
    fn dimension(&self) -> usize {
        8
    }
    fn calibration(&self) -> Calibration {
        ConstantEmbedder::new(8).calibration()
    }
    fn embed(&self, purpose: Purpose, texts: &[&str]) -> Result<Vec<Vector>, Fault> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let vectors = ConstantEmbedder::new(8).embed(purpose, texts)?;
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)) {
            Ok(_) => (self.how)(vectors),
            Err(_) => Ok(vectors),
        }
    }
}

#[test]
fn a_model_that_is_away_or_answers_nonsense_is_asked_again_and_nothing_is_lost_or_invented() {
    let ways: [Answer; 4] = [
        |_| Err(Fault::retry(Code::ModelUnavailable, "the endpoint answered 429")),
        |mut vectors| {
            vectors.pop();
            Ok(vectors)
        },
        |vectors| Ok([vectors.clone(), vectors].concat()),
        |vectors| Ok(vectors.iter().map(|_| Vector::new(&[1.0; 3]).expect("it is finite")).collect()),
    ];
    let said = [turn("ann", 1, "I live in Oslo. I have a dog."), turn("bob", 2, "We use MySQL.")];
    let expected = {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let stand = stand(folder.path());
        stand.publish(said.to_vec());
        stand.settle(rules());
        (stand.export("ann"), stand.export("bob"))
    };
    assert!(!expected.0.is_empty() && !expected.1.is_empty());
    for how in ways {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let stand = stand(folder.path());
        stand.publish(said.to_vec());
        let embedder = Misbehaving::times(3, how);
        stand.settle(rules_with(builtin(), embedder.clone()));
        assert!(embedder.asked.load(Ordering::Relaxed) > 3, "it was asked again");
        assert_eq!((stand.export("ann"), stand.export("bob")), expected);
        assert!(stand.ports.dead.list(10).expect("it reads").is_empty());
    }
}

/// An extractor that panics or refuses on one word, and works otherwise.
struct FailsOn {
    word: &'static str,
    inner: Arc<dyn Extractor>,
    how: Extract,
}

impl Extractor for FailsOn {
    fn id(&self) -> &str {
        self.inner.id()
    }
    fn extract(&self, turn: &TurnBody) -> Result<Extraction, Fault> {
        if turn.messages.iter().any(|message| message.text.contains(self.word)) {
            return (self.how)();
        }
        self.inner.extract(turn)
    }
}

#[test]
fn a_poisoned_record_is_set_aside_and_its_neighbours_are_not() {
    let ways: [(Extract, &str); 3] = [
        (|| panic!("a defect"), "poison"),
        (|| Err(Fault::dead_letter(Code::ModelOutput, "not JSON, twice")), "model_output"),
        (|| Err(Fault::retry(Code::ModelUnavailable, "hangs on this one alone")), "model_unavailable"),
    ];
    for (how, code) in ways {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let stand = stand(folder.path());
        let receipts = stand.publish(vec![
            turn("ann", 1, "I live in Oslo."),
            turn("ann", 2, "I have a parrot."),
            turn("ann", 3, "I have a dog."),
        ]);
        stand
            .settle(rules_with(Arc::new(FailsOn { word: "parrot", inner: builtin(), how }), Misbehaving::times(0, Ok)));
        let dead = stand.ports.dead.list(10).expect("it reads");
        assert_eq!(dead.len(), 1, "{code}");
        assert_eq!(
            (dead[0].code.as_str(), dead[0].origin, dead[0].about.map(|about| about.position)),
            (code, Origin::Topic(Topic::Turns), Some(receipts[1].position))
        );
        let export = stand.export("ann");
        assert!(export.len() == 2 && export[0].contains("Oslo") && export[1].contains("dog"), "{export:?}");
        // The position still arrives: who waits for the turn is answered.
        let applied = stand.ports.store.applied(&stand.scope("ann"), saidso_testcontainers::stand::GENERATION);
        assert_eq!(applied.expect("it reads"), Some(receipts[2].position));

        // Once its cause is mended it is driven again, as often as one likes.
        let about = dead[0].about.expect("it was readable");
        let scope = admit_to(&stand.ports.names, &stand.token(), &about).expect("it is the token's tenant's");
        for _ in 0..2 {
            let position = stand.intake().redrive(&scope, receipts[1].turn).expect("it is stored");
            assert!(position > Some(receipts[2].position));
            stand.settle(rules());
            let export = stand.export("ann");
            assert!(export.len() == 3 && export[1].contains("parrot"), "{export:?}");
        }
    }
}

/// An extractor that answers what a careless model would.
struct Careless;

impl Extractor for Careless {
    fn id(&self) -> &str {
        "careless/1"
    }
    fn extract(&self, turn: &TurnBody) -> Result<Extraction, Fault> {
        let text = &turn.messages[0].text;
        let item = |wording: &str, quote: &str, message, start, end| Candidate {
            kind: Kind::Fact,
            text: wording.into(),
            evidence: Evidence { message, span: Span { start, end }, quote: quote.into() },
            question: None,
            topic_key: TopicKey { subject: "customer".into(), attribute: wording.into(), many: true },
            value: "value".into(),
            negated: false,
            qualifier: None,
            slot: None,
            changed: false,
            importance: Unit::hundredths(50),
            confidence: Unit::hundredths(90),
            keywords: vec!["invented".into()],
            questions: Vec::new(),
            language: Language::En,
        };
        let all = text.len() as u32;
        Ok(Extraction {
            retractions: Vec::new(),
            candidates: vec![
                item(text, text, 0, 0, all),
                item("I own a bakery", "I own a bakery", 0, 0, 14),
                item("I live in Rome", text, 0, 0, all - 1),
                item(text, text, 7, 0, all),
                item(text, "", 0, 0, 0),
                item("", &text[..6], 0, 0, 6),
            ],
            drops: Vec::new(),
        })
    }
}

#[test]
fn what_a_careless_model_invents_is_dropped_with_its_reason() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stand = stand(folder.path());
    stand.publish(vec![turn("ann", 1, "I live in Oslo")]);
    let running = stand.start(rules_with(Arc::new(Careless), Misbehaving::times(0, Ok))).expect("the stages start");
    assert!(running.idle(Duration::from_secs(60)));
    let drops = running.counts().drops;
    running.stop();
    assert_eq!(drops.get(&DropReason::NoEvidence), Some(&3), "{drops:?}");
    assert_eq!(drops.get(&DropReason::Unsupported), Some(&1), "{drops:?}");
    assert_eq!(drops.get(&DropReason::Invalid), Some(&1), "{drops:?}");
    let folded = stand.folded("ann");
    assert_eq!(folded.memories.len(), 1);
    assert_eq!(folded.memories[0].evidence[0].quote, "I live in Oslo");
    assert!(folded.memories[0].keywords.is_empty(), "an invented keyword is no way to find it");
}

#[test]
fn another_embedder_or_extractor_on_the_same_data_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stand = stand(folder.path());
    stand.settle(rules());
    let wider = rules_with(builtin(), Arc::new(ConstantEmbedder::new(768)));
    let fault = stand.start(wider).err().expect("it is refused");
    assert_eq!(fault.code, Code::Generation);
    assert!(fault.message.contains("8 components") && fault.message.contains("768 components"), "{fault}");
    let other = rules_with(Arc::new(Careless), Arc::new(ConstantEmbedder::new(8)));
    assert!(stand.start(other).err().expect("it is refused").message.contains("careless/1"));
    stand.settle(rules());
}

/// An extractor that counts turns.
struct Counting {
    turns: Mutex<usize>,
    more: Condvar,
}

impl Extractor for Counting {
    fn id(&self) -> &str {
        "builtin/counted"
    }
    fn extract(&self, turn: &TurnBody) -> Result<Extraction, Fault> {
        *self.turns.lock().expect("nobody panicked") += 1;
        self.more.notify_all();
        builtin().extract(turn)
    }
}

/// What becomes of a commit.
type Commit = fn(&dyn Commits, &Lease, Effects) -> Result<(), Fault>;

/// The first commit of extract ends in this way, once turns of the batch after it have been looked at.
struct Meanwhile {
    inner: Arc<dyn Commits>,
    counting: Arc<Counting>,
    how: Commit,
    struck: AtomicBool,
}

impl Commits for Meanwhile {
    fn commit(&self, lease: &Lease, effects: Effects) -> Result<(), Fault> {
        if lease.topic != Topic::Turns || self.struck.swap(true, Ordering::SeqCst) {
            return self.inner.commit(lease, effects);
        }
        let turns = self.counting.turns.lock().expect("nobody panicked");
        let patience = Duration::from_secs(60);
        let few = |turns: &mut usize| *turns <= limits::BATCH_RECORDS;
        let (turns, waited) = self.counting.more.wait_timeout_while(turns, patience, few).expect("nobody panicked");
        drop(turns);
        assert!(!waited.timed_out(), "the next batch is handled while this one is committed");
        (self.how)(self.inner.as_ref(), lease, effects)
    }
}

#[test]
fn a_commit_that_fails_while_the_next_batch_is_handled_loses_and_doubles_nothing() {
    let ways: [Commit; 3] = [
        |_, _, _| Err(Fault::retry(Code::StoreUnavailable, "it did not come about")),
        |_, _, _| Err(Fault::lease_lost()),
        |inner, lease, effects| {
            inner.commit(lease, effects)?;
            Err(Fault::retry(Code::StoreUnavailable, "it came about, and the answer is lost"))
        },
    ];
    let said = 2 * limits::BATCH_RECORDS + 50;
    let space = |number: usize| format!("customer {}", number / 50);
    for how in ways {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut stand = stand(folder.path());
        stand.publish((0..said).map(|n| turn(&space(n), n % 50, &format!("I have {n} dogs."))).collect());
        let counting = Arc::new(Counting { turns: Mutex::new(0), more: Condvar::new() });
        let (inner, struck) = (stand.ports.commits.clone(), AtomicBool::new(false));
        stand.ports.commits = Arc::new(Meanwhile { inner, counting: counting.clone(), how, struck });
        let running = stand.start(rules_with(counting, Arc::new(ConstantEmbedder::new(8)))).expect("the stages start");
        assert!(running.idle(Duration::from_secs(120)), "{:?}", running.fault());
        let counts = running.counts();
        running.stop();
        for topic in [Topic::Candidates, Topic::Grounded, Topic::Embedded] {
            assert_eq!(counts.stages[&Origin::Topic(topic)].records, said as u64, "{topic:?}");
        }
        let spaces: BTreeSet<String> = (0..said).map(space).collect();
        let kept = |space: &String| stand.ports.store.rows(&stand.scope(space), GENERATION).expect("a read");
        let kept: usize = spaces.iter().map(|space| kept(space).observations.len()).sum();
        assert_eq!(kept, said);
        assert_eq!(stand.ports.dead.list(1).expect("a list"), []);
    }
}

/// A store with a defect that only the write stage meets: no other stage reads.
struct Defective;

impl Store for Defective {
    fn turn(&self, _: &Scope, _: TurnId) -> Result<Option<TurnRow>, Fault> {
        panic!("a defect")
    }
    fn turns(&self, _: &Scope) -> Result<Vec<TurnRow>, Fault> {
        panic!("a defect")
    }
    fn each_space(
        &self,
        _: &dyn Fn(TenantId) -> bool,
        _: &mut dyn FnMut(SpaceTurns) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        panic!("a defect")
    }

    fn rows(&self, _: &Scope, _: Generation) -> Result<SpaceRows, Fault> {
        panic!("a defect")
    }
    fn applied(&self, _: &Scope, _: Generation) -> Result<Option<Position>, Fault> {
        panic!("a defect")
    }
    fn marks(&self, _: &Scope) -> Result<Vec<Mark>, Fault> {
        panic!("a defect")
    }
    fn read_backs(&self, _: &Scope) -> Result<Vec<ReadBackRow>, Fault> {
        panic!("a defect")
    }
}

#[test]
fn a_stage_that_panics_ends_the_others_and_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut stand = stand(folder.path());
    stand.publish(vec![turn("ann", 1, "I live in Oslo.")]);
    stand.settle(rules());
    let memory = stand.folded("ann").memories[0].id;
    stand.intake().forget(&stand.scope("ann"), memory).expect("it is taken");
    let sound = std::mem::replace(&mut stand.ports.store, Arc::new(Defective));
    let running = stand.start(rules()).expect("the stages start");
    assert!(!running.idle(Duration::from_secs(60)));
    let fault = running.fault().expect("it is not silent");
    assert_eq!(fault.code, Code::Poison);
    running.stop();
    // Nothing was lost: the forget takes effect once the defect is gone.
    stand.ports.store = sound;
    stand.settle(rules());
    assert!(stand.export("ann").is_empty());
}
