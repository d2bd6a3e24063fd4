//! What is found, what is not, and how a result explains itself.

#![allow(clippy::unwrap_used)]

mod common;

use std::sync::atomic::Ordering;

use common::{
    Item, Said, World, day,
    embedders::{Away, Concepts, Constant},
};
use saidso_core::{fold::Status, item::Kind, limits, scope::Scope};
use saidso_recall::{Answer, AsOf, Question, Recall, RecallError, Source};

fn asked(query: &str) -> Question {
    Question { query: query.into(), ..Question::default() }
}

fn answer(recall: &Recall, scope: &Scope, query: &str) -> Answer {
    recall.answer(scope, &asked(query)).unwrap()
}

fn texts(answer: &Answer) -> Vec<&str> {
    answer.memories.iter().map(|memory| memory.text.as_str()).collect()
}

/// Ann has said a few things about herself.
fn ann(world: &World) -> Scope {
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "I am vegetarian.", "diet", "vegetarian").named("turn-7"));
    world.say(&scope, &Said::fact(2, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    world.say(&scope, &Said::fact(3, "I take insulin every morning.", "medication", "insulin"));
    scope
}

#[test]
fn a_result_explains_itself() {
    let world = World::new();
    let scope = ann(&world);
    let recall = world.recall(Concepts::default());
    let answer = answer(&recall, &scope, "Is the customer still vegetarian?");
    assert!(!answer.empty);
    let first = &answer.memories[0];
    assert_eq!((first.source, first.kind), (Source::Memory, Some(Kind::Fact)));
    assert_eq!((first.text.as_str(), first.quote.as_str()), ("I am vegetarian.", "I am vegetarian."));
    assert_eq!(first.said_at, day(1).to_string());
    assert_eq!(first.turn, "turn-7");
    assert_eq!(first.extractor.as_deref(), Some("extractor/1"));
    assert_eq!(first.embedder, "concepts/1");
    assert!(first.score > 0.0 && first.score <= 1.0);
    let facts = first.memory.as_ref().unwrap();
    assert_eq!((facts.status, facts.mentions, facts.evidence.len()), (Status::Active, 1, 1));
    assert_eq!(answer.memory_since, Some(day(1).to_string()));
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(json["memories"][0]["status"], "active");
    assert_eq!(json["memories"][0]["topic_key"]["attribute"], "diet");
}

#[test]
fn a_question_about_something_never_said_is_empty() {
    let world = World::new();
    let scope = ann(&world);
    let alone = world.scope("bob");
    world.say(&alone, &Said::fact(1, "I am vegetarian.", "diet", "vegetarian"));
    let recall = world.recall(Concepts::default());
    for scope in [&scope, &alone] {
        for query in
            ["What is my blood type?", "Wo ist mein Hut?", "我是什么血型？", "Какая у меня группа крови?", "🤷"]
        {
            let answer = answer(&recall, scope, query);
            assert!(answer.empty && answer.memories.is_empty(), "{query}: {:?}", texts(&answer));
            assert_eq!(answer.memory_since, Some(day(1).to_string()));
        }
    }
}

#[test]
fn meaning_finds_what_shares_no_word() {
    let world = World::new();
    let scope = ann(&world);
    let recall = world.recall(Concepts::default());
    assert_eq!(texts(&answer(&recall, &scope, "What should I cook tonight?")), ["I am vegetarian."]);
    assert_eq!(texts(&answer(&recall, &scope, "Do you know about my diabetes?")), ["I take insulin every morning."]);
}

#[test]
fn vectors_that_are_all_alike_decide_nothing() {
    let world = World::new();
    let scope = ann(&world);
    let recall = world.recall(Constant);
    assert_eq!(texts(&answer(&recall, &scope, "Where is our warehouse?")), ["Our warehouse is in Lyon."]);
    assert!(answer(&recall, &scope, "What should I cook tonight?").empty);
}

#[test]
fn a_general_word_in_common_is_no_answer() {
    let world = World::new();
    let (few, many) = (world.scope("few"), world.scope("many"));
    for n in 0..60 {
        let mut said = Said::fact(n, &format!("We like pump {n}."), &format!("pump {n}"), "liked");
        said.items[0].many = true;
        world.say(&many, &said);
        if n == 0 {
            world.say(&few, &said);
        }
    }
    let recall = world.recall(Constant);
    for scope in [&few, &many] {
        let found = answer(&recall, scope, "Do we like the opera?");
        assert!(found.empty, "{:?}", texts(&found));
    }
    assert_eq!(texts(&answer(&recall, &many, "Do we like pump 17?"))[0], "We like pump 17.");
}

#[test]
fn a_chance_likeness_is_an_answer_among_few_and_none_among_many() {
    let world = World::new();
    let (few, many) = (world.scope("few"), world.scope("many"));
    for n in 0..400 {
        let said = Said::fact(n % 300, &format!("Part {n} is a gasket."), &format!("part {n}"), &n.to_string());
        world.say(&many, &said);
        if n == 7 {
            world.say(&few, &said);
        }
    }
    let recall = world.recall(Constant);
    let query = "Did the plumber, the tiler or the roofer order part 7?";
    assert_eq!(texts(&answer(&recall, &few, query)), ["Part 7 is a gasket."]);
    assert!(answer(&recall, &many, query).empty);
}

#[test]
fn a_new_customer_gets_an_empty_answer_and_costs_no_model_call() {
    let world = World::new();
    let embedder = Concepts::default();
    let queries = embedder.queries.clone();
    let recall = world.recall(embedder);
    let answer = answer(&recall, &world.scope("nobody"), "Where do I live?");
    assert_eq!((answer.empty, answer.memory_since), (true, None));
    assert_eq!(queries.load(Ordering::Relaxed), 0);
}

#[test]
fn the_same_question_is_embedded_once() {
    let world = World::new();
    let scope = ann(&world);
    let embedder = Concepts::default();
    let queries = embedder.queries.clone();
    let recall = world.recall(embedder);
    let first = answer(&recall, &scope, "Where is our warehouse?");
    assert_eq!(texts(&first), texts(&answer(&recall, &scope, "Where is our warehouse?")));
    assert_eq!(queries.load(Ordering::Relaxed), 1);
}

#[test]
fn an_embedder_that_is_away_is_a_fault_and_not_an_empty_answer() {
    let world = World::new();
    let scope = ann(&world);
    let recall = world.recall(Away);
    assert!(matches!(recall.answer(&scope, &asked("Where is our warehouse?")), Err(RecallError::Fault(_))));
    assert_eq!(recall.memories(&scope, false).unwrap().len(), 3);
}

#[test]
fn superseded_memories_come_back_only_when_asked_for() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    world.say(&scope, &Said::fact(5, "Our warehouse is in Turin now.", "warehouse", "turin"));
    let recall = world.recall(Concepts::default());
    assert_eq!(texts(&answer(&recall, &scope, "Where is the warehouse?")), ["Our warehouse is in Turin now."]);
    // Not by its own words either, nor as a raw message.
    assert!(!texts(&answer(&recall, &scope, "warehouse in Lyon")).contains(&"Our warehouse is in Lyon."));
    let history = Question { history: true, ..asked("Where is the warehouse?") };
    let history = recall.answer(&scope, &history).unwrap();
    assert_eq!(texts(&history), ["Our warehouse is in Turin now.", "Our warehouse is in Lyon."]);
    assert_eq!(history.memories[1].memory.as_ref().unwrap().status, Status::Superseded);
    assert_eq!(recall.memories(&scope, false).unwrap().len(), 1);
    assert_eq!(recall.memories(&scope, true).unwrap().len(), 2);
}

#[test]
fn recall_as_of_a_time_or_position_believes_what_was_believed_then() {
    let world = World::new();
    let scope = world.scope("ann");
    let before = world.say(&scope, &Said::fact(1, "Our warehouse is in Lyon.", "warehouse", "lyon"));
    world.say(&scope, &Said::fact(5, "Our warehouse is in Turin now.", "warehouse", "turin"));
    let recall = world.recall(Concepts::default());
    for as_of in [AsOf::Time(day(3).ms()), AsOf::Position(before.position)] {
        let question = Question { as_of: Some(as_of), ..asked("Where is the warehouse?") };
        let answer = recall.answer(&scope, &question).unwrap();
        assert_eq!(texts(&answer), ["Our warehouse is in Lyon."]);
        assert_eq!(answer.memories[0].memory.as_ref().unwrap().status, Status::Active);
    }
    let question = Question { as_of: Some(AsOf::Time(day(0).ms())), ..asked("Where is the warehouse?") };
    assert!(recall.answer(&scope, &question).unwrap().empty);
    assert_eq!(texts(&answer(&recall, &scope, "Where is the warehouse?")), ["Our warehouse is in Turin now."]);
}

#[test]
fn raw_messages_answer_where_nothing_was_extracted() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::only(4, "The courier left the parcel with the baker.").named("turn-9"));
    let recall = world.recall(Concepts::default());
    let answer = answer(&recall, &scope, "Where did the courier leave the parcel?");
    let found = &answer.memories[0];
    assert_eq!(found.source, Source::Message);
    assert_eq!((found.kind, &found.memory, &found.extractor), (None, &None, &None));
    assert_eq!(found.quote, "The courier left the parcel with the baker.");
    assert_eq!((found.said_at.as_str(), found.turn.as_str()), (day(4).to_string().as_str(), "turn-9"));
}

#[test]
fn a_message_that_supports_a_result_is_not_shown_again() {
    let world = World::new();
    let scope = ann(&world);
    let recall = world.recall(Concepts::default());
    let answer = answer(&recall, &scope, "Is our warehouse in Lyon?");
    assert_eq!(texts(&answer), ["Our warehouse is in Lyon."]);
    assert_eq!(answer.memories[0].source, Source::Memory);
}

#[test]
fn no_two_results_say_the_same_or_rest_on_the_same_words() {
    let world = World::new();
    let scope = world.scope("ann");
    let text = "I play the violin in an orchestra in Leeds.";
    let mut said = Said::fact(1, text, "instrument", "violin");
    said.items.push(Item { kind: Kind::Topic, ..Item::new("violin in an orchestra", "music", "orchestra") });
    world.say(&scope, &said);
    for n in 2..5 {
        let mut said =
            Said::fact(n, &format!("Told you {n} times: the violin is my instrument."), "instrument", "violin");
        said.items[0].kind = Kind::Event;
        world.say(&scope, &said);
    }
    let recall = world.recall(Concepts::default());
    let answer = answer(&recall, &scope, "Do I play the violin in an orchestra?");
    assert_eq!(answer.memories.len(), 1, "{:?}", texts(&answer));
}

#[test]
fn the_customers_own_memory_comes_before_somebody_elses() {
    let world = World::new();
    let scope = world.scope("ann");
    let mut friend = Said::fact(3, "My friend Bo hates football.", "opinion of football", "hates");
    friend.items[0].subject = "friend bo".into();
    world.say(&scope, &friend);
    world.say(&scope, &Said::fact(1, "I like watching football.", "opinion of football", "likes"));
    let recall = world.recall(Concepts::default());
    assert_eq!(texts(&answer(&recall, &scope, "Do I like football?"))[0], "I like watching football.");
    assert_eq!(
        texts(&answer(&recall, &scope, "What does my friend Bo say of football?"))[0],
        "My friend Bo hates football."
    );
}

#[test]
fn a_question_about_one_person_is_not_answered_with_another() {
    let world = World::new();
    let scope = world.scope("ann");
    let mut wife = Said::fact(1, "My wife is called Irina.", "name", "irina");
    wife.items[0].subject = "wife".into();
    world.say(&scope, &wife);
    world.say(&scope, &Said::only(2, "My colleague is called Bo, by the way."));
    let recall = world.recall(Concepts::default());
    for query in ["What is my neighbour called?", "How is my boss called?", "我邻居叫什么？", "Как зовут моего соседа?"]
    {
        let answer = answer(&recall, &scope, query);
        assert!(answer.empty, "{query}: {:?}", texts(&answer));
    }
    assert_eq!(texts(&answer(&recall, &scope, "How is my spouse called?"))[0], "My wife is called Irina.");
    let raw = answer(&recall, &scope, "How is my colleague called?");
    assert_eq!(texts(&raw)[0], "My colleague is called Bo, by the way.");
}

#[test]
fn words_that_name_the_customer_do_not_count() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "我住在厦门。", "home city", "厦门"));
    world.say(&scope, &Said::fact(2, "我们的客户都在国外。", "clients", "国外"));
    let recall = world.recall(Constant);
    assert_eq!(texts(&answer(&recall, &scope, "客户住在哪里？")), ["我住在厦门。"]);
    assert_eq!(texts(&answer(&recall, &scope, "我们的客户在国外吗？"))[0], "我们的客户都在国外。");
}

#[test]
fn a_task_of_another_session_ranks_lower() {
    let world = World::new();
    let scope = world.scope("ann");
    let task = |day, session: &str, text: &str| {
        let mut said = Said::fact(day, text, "task", text);
        said.session = session.into();
        said.items[0].kind = Kind::Task;
        said
    };
    world.say(&scope, &task(1, "old", "Compare the pump offers for me."));
    world.say(&scope, &task(1, "new", "Compare pump offers from Leeds."));
    // Neither has timed out.
    world.clock.0.store(day(1).ms(), Ordering::Relaxed);
    let recall = world.recall(Concepts::default());
    for (session, first) in [("old", "Compare the pump offers for me."), ("new", "Compare pump offers from Leeds.")] {
        let question = Question { session: Some(session.into()), ..asked("compare pump offers") };
        assert_eq!(texts(&recall.answer(&scope, &question).unwrap())[0], first);
    }
    world.end_session(&scope, "new", day(9).ms());
    let question = Question { session: None, ..asked("compare pump offers") };
    let is_old_first = || texts(&recall.answer(&scope, &question).unwrap())[0] == "Compare the pump offers for me.";
    while !is_old_first() {
        std::thread::yield_now();
    }
}

#[test]
fn five_results_unless_asked_otherwise() {
    let world = World::new();
    let scope = world.scope("ann");
    for n in 0..60 {
        let mut said = Said::fact(n, &format!("Our warehouse {n} stores pumps."), &format!("warehouse {n}"), "pumps");
        said.items[0].many = true;
        said.items[0].value = format!("pumps {n}");
        world.say(&scope, &said);
    }
    let recall = world.recall(Constant);
    let count = |limit| {
        let question = Question { limit, ..asked("Which warehouse stores pumps?") };
        recall.answer(&scope, &question).map(|answer| answer.memories.len())
    };
    assert_eq!(count(None), Ok(limits::RECALL_RESULTS));
    assert_eq!(count(Some(1)), Ok(1));
    assert_eq!(count(Some(limits::RECALL_RESULTS_MAX)), Ok(limits::RECALL_RESULTS_MAX));
    assert_eq!(count(Some(0)), Err(RecallError::Limit { limit: 0 }));
    let over = limits::RECALL_RESULTS_MAX + 1;
    assert_eq!(count(Some(over)), Err(RecallError::Limit { limit: over }));
}

#[test]
fn the_query_has_a_limit_and_must_say_something() {
    let world = World::new();
    let scope = ann(&world);
    let recall = world.recall(Concepts::default());
    let of = |bytes: usize| recall.answer(&scope, &asked(&"a".repeat(bytes)));
    assert!(of(limits::QUERY_BYTES).is_ok());
    assert_eq!(of(limits::QUERY_BYTES + 1), Err(RecallError::QueryTooLong { bytes: limits::QUERY_BYTES + 1 }));
    assert_eq!(recall.answer(&scope, &asked(" \n")), Err(RecallError::QueryEmpty));
    assert!(recall.answer(&scope, &asked("\u{0}\u{202e}?!")).unwrap().empty);
}

#[test]
fn words_find_across_languages_and_spellings() {
    let world = World::new();
    let scope = world.scope("ann");
    world.say(&scope, &Said::fact(1, "我们的仓库在杭州。", "仓库", "杭州"));
    world.say(&scope, &Said::fact(2, "Моя ёлка стоит в сарае.", "ёлка", "сарай"));
    world.say(&scope, &Said::fact(3, "我用 MySQL 8.0。", "数据库", "mysql"));
    let recall = world.recall(Constant);
    assert_eq!(texts(&answer(&recall, &scope, "仓库在哪里？")), ["我们的仓库在杭州。"]);
    assert_eq!(texts(&answer(&recall, &scope, "Где елки?")), ["Моя ёлка стоит в сарае."]);
    assert_eq!(texts(&answer(&recall, &scope, "MySQL ８.０")), ["我用 MySQL 8.0。"]);
}
