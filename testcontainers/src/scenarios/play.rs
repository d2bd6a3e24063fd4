//! All scenarios together, in rounds: each publishes up to its next expectation while the stages stand still, so that what
//! comes right after a turn comes while it is still being extracted; then everything goes through; then each looks.

use std::{collections::HashMap, thread};

use saidso_core::turn::{Role, SubmittedMessage, SubmittedTurn};
use saidso_pipeline::{Receipt, Refused};
use toml::Spanned;

use super::{
    check,
    format::{Scenario, Step, Words},
    house::{House, Model},
    time::Time,
};
use crate::stand::Site;

/// The customer's own space, in a scenario.
const OWN: &str = "own";

/// Plays them, and says of each that failed where and how.
pub fn all(site: &dyn Site, model: Model, scenarios: &[&Scenario]) -> Vec<String> {
    let house = House::open(site, model).expect("the stand opens");
    let mut plays: Vec<Play<'_>> = scenarios.iter().map(|scenario| Play::of(scenario)).collect();
    while plays.iter().any(|play| !play.over()) {
        plays.iter_mut().for_each(|play| play.publish(&house));
        house.settle();
        plays.iter_mut().for_each(|play| play.look(&house));
    }
    let mut failures: Vec<String> = plays.into_iter().filter_map(|play| play.failure).collect();
    let dead = house.stand.ports.dead.list(10).expect("the dead letters read");
    if !dead.is_empty() {
        failures.push(format!("something was set aside that no scenario speaks of: {dead:?}"));
    }
    failures
}

/// A scenario being played.
pub struct Play<'a> {
    /// Which.
    pub scenario: &'a Scenario,
    next: usize,
    time: Option<Time>,
    /// Milliseconds since 1970: the latest time of any step so far.
    now_ms: i64,
    /// Memories and results that steps gave names to, by id.
    pub called: HashMap<String, String>,
    /// Turns that steps gave names to.
    turns: HashMap<String, SubmittedTurn>,
    /// Exports that are kept, by name.
    pub exports: HashMap<String, Vec<String>>,
    failure: Option<String>,
}

impl<'a> Play<'a> {
    fn of(scenario: &'a Scenario) -> Self {
        Self {
            scenario,
            next: 0,
            time: None,
            now_ms: i64::MIN,
            called: HashMap::new(),
            turns: HashMap::new(),
            exports: HashMap::new(),
            failure: None,
        }
    }

    fn over(&self) -> bool {
        self.failure.is_some() || self.next == self.scenario.steps.len()
    }

    /// The name of the space a step is about.
    pub fn space(&self, step: &Step) -> String {
        // Readable where a fault is traced; within a space's name limit.
        format!("{} / {}", self.scenario.name, step.space.as_deref().unwrap_or(OWN))
    }

    /// Does what happens up to the next expectation.
    fn publish(&mut self, house: &House) {
        while !self.over() {
            let step = &self.scenario.steps[self.next];
            match self.act(house, step.get_ref()) {
                Ok(()) if step.get_ref().expects() => return,
                Ok(()) => self.next += 1,
                Err(wrong) => self.fail(step, &[wrong]),
            }
        }
    }

    /// Checks what is expected of the step that was published last, and of those behind it in which nothing happens.
    fn look(&mut self, house: &House) {
        while !self.over() {
            let step = &self.scenario.steps[self.next];
            house.stand.clock.set(self.now_ms);
            let wrong = check::step(house, self, step.get_ref());
            if !wrong.is_empty() {
                return self.fail(step, &wrong);
            }
            self.next += 1;
            match self.scenario.steps.get(self.next).map(Spanned::get_ref) {
                Some(next) if !next.acts() => match self.tick(next) {
                    Ok(_) => {}
                    Err(wrong) => return self.fail(&self.scenario.steps[self.next], &[wrong]),
                },
                _ => return,
            }
        }
    }

    fn fail(&mut self, step: &Spanned<Step>, wrong: &[String]) {
        let Scenario { name, about, .. } = self.scenario;
        let wrong = wrong.join("\n  ");
        self.failure = Some(format!("{}: {name}: {about}\n  {wrong}", self.scenario.place(step)));
    }

    /// Moves the clock to a step's time, never back; answers how the time is written in a turn.
    fn tick(&mut self, step: &Step) -> Result<String, String> {
        let (time, written) = Time::of(step, self.time)?;
        if let Some(time) = time {
            self.time = Some(time);
            self.now_ms = self.now_ms.max(time.instant.as_millisecond());
        }
        Ok(written)
    }

    fn act(&mut self, house: &House, step: &Step) -> Result<(), String> {
        let occurred_at = self.tick(step)?;
        house.stand.clock.set(self.now_ms);
        let intake = house.intake();
        let scope = house.scope(self.scenario, &self.space(step));
        if step.is_turn() {
            let turn = self.turn(step, occurred_at.clone())?;
            if let Some(name) = &step.turn {
                self.turns.insert(name.clone(), turn.clone());
            }
            self.submit(house, &turn, step)?;
            for _ in 1..step.turns.unwrap_or(1) {
                let occurred_at = self.tick(&Step::default())?;
                self.submit(house, &self.turn(step, occurred_at)?, step)?;
            }
        }
        if let Some(name) = &step.again {
            let turn = self.turns.get(name).ok_or_else(|| format!("no turn before this is named {name:?}"))?;
            self.submit(house, turn, step)?;
        }
        if let Some(name) = &step.forget {
            let id = self.id(name)?.parse().map_err(|_| format!("what is called {name:?} is no memory"))?;
            let known = intake.forget(&scope, id).map_err(|fault| fault.to_string())?;
            known.ok_or_else(|| format!("the memory called {name:?} is not there to be forgotten"))?;
        }
        if let Some(words) = &step.forget_about {
            let asked = Step { customer: Some(Words::One(words.clone())), ..Step::default() };
            let turn = SubmittedTurn { space: self.space(step), ..self.turn(&asked, occurred_at)? };
            house.door.request(&house.token(self.scenario), turn).map_err(|refused| refused.to_string())?;
        }
        if let Some(session) = &step.ends {
            intake.end_session(&scope, session).map_err(|fault| fault.to_string())?;
        }
        Ok(())
    }

    fn id(&self, name: &str) -> Result<&str, String> {
        self.called.get(name).map(String::as_str).ok_or_else(|| format!("nothing before this is called {name:?}"))
    }

    fn turn(&self, step: &Step, occurred_at: String) -> Result<SubmittedTurn, String> {
        let message = |role, text: &String| SubmittedMessage { role, text: text.clone(), id: None };
        let question = step.agent.iter().map(|text| message(Role::Agent, text));
        let said = step.customer.iter().flat_map(Words::all).map(|text| message(Role::Customer, text));
        Ok(SubmittedTurn {
            tenant: None,
            space: self.space(step),
            session: step.session.clone(),
            turn: step.turn.clone(),
            occurred_at,
            zone: step.zone.clone(),
            messages: question.chain(said).collect(),
            recalled: step.recalled.iter().map(|name| self.id(name).map(str::to_owned)).collect::<Result<_, _>>()?,
            attachments: step.attachments.clone(),
        })
    }

    /// Publishes a turn, as often as the step says at once.
    fn submit(&self, house: &House, turn: &SubmittedTurn, step: &Step) -> Result<(), String> {
        let (intake, token) = (house.intake(), house.token(self.scenario));
        let submit = || intake.submit(&token, vec![turn.clone()]).remove(0);
        let results: Vec<Result<Receipt, Refused>> = thread::scope(|scope| {
            let threads: Vec<_> = (0..step.copies.unwrap_or(1)).map(|_| scope.spawn(submit)).collect();
            threads.into_iter().map(|thread| thread.join().expect("publishing does not panic")).collect()
        });
        for result in results {
            let found = match result {
                Ok(_) => None,
                Err(Refused::Turn(refusal)) => Some(refusal.code()),
                Err(other) => return Err(other.to_string()),
            };
            if found != step.refused.as_deref() {
                return Err(format!("the turn is refused for {found:?} and not for {:?}", step.refused));
            }
        }
        Ok(())
    }
}
