//! Conversations of our own making, from a seed: customers who state, repeat, correct and deny things, guess, ask and
//! chat, in three languages. Equal seeds give equal turns.

use saidso_core::turn::{Role, SubmittedMessage, SubmittedTurn};

/// A small deterministic generator (xorshift64*, Vigna 2016): tests print its seed and nothing else is random.
pub struct Dice(u64);

impl Dice {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % sides
    }

    /// One of several.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.roll(from.len())]
    }

    /// The same things in another order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in (1..things.len()).rev() {
            things.swap(at, self.roll(at + 1));
        }
    }
}

const DATABASES: [&str; 4] = ["PostgreSQL", "MySQL", "Cassandra", "SQLite"];
const CITIES: [[&str; 4]; 3] = [
    ["Oslo", "Lisbon", "Toronto", "Nairobi"],
    ["上海", "成都", "广州", "西安"],
    ["Казани", "Твери", "Омске", "Пскове"],
];
const PETS: [[&str; 3]; 3] = [["dog", "cat", "parrot"], ["狗", "猫", "鹦鹉"], ["собака", "кошка", "черепаха"]];

/// One sentence of a customer of a language (0 English, 1 Chinese, 2 Russian).
fn sentence(dice: &mut Dice, language: usize) -> String {
    let (database, other) = (dice.pick(&DATABASES), dice.pick(&DATABASES));
    let city = dice.pick(&CITIES[language]);
    let pet = dice.pick(&PETS[language]);
    let number = 2 + dice.roll(30);
    let lines: [String; 12] = match language {
        0 => [
            format!("We use {database} for our invoices."),
            format!("We've moved to {other} now."),
            format!("I live in {city} with my family."),
            format!("I have a {pet} and my wife is a nurse."),
            format!("I don't have a {pet} any more."),
            format!("Our company has {number} employees in {city}."),
            "I'm allergic to peanuts.".into(),
            "I prefer short answers in bullet points.".into(),
            "Maybe we will look at something else next year.".into(),
            "Could you check the status of my order?".into(),
            "Thanks, that's great!".into(),
            "My friend hates football.".into(),
        ],
        1 => [
            format!("我们的计费系统用的是 {database}。"),
            format!("我们现在已经换成 {other} 了。"),
            format!("我和家人住在{city}。"),
            format!("我养了一只{pet}，我妻子是护士。"),
            format!("我已经没有{pet}了。"),
            format!("我们公司在{city}有{number}名员工。"),
            "我对花生过敏。".into(),
            "我喜欢简短的回答。".into(),
            "也许明年我们会看看别的。".into(),
            "能帮我查一下订单状态吗？".into(),
            "谢谢，太好了！".into(),
            "我朋友讨厌足球。".into(),
        ],
        _ => [
            format!("Мы используем {database} для биллинга."),
            format!("Мы перешли на {other}."),
            format!("Я живу в {city} с семьёй."),
            format!("У меня есть {pet}, а жена работает медсестрой."),
            format!("У меня больше нет животных, и {pet} не живёт с нами."),
            format!("В нашей компании {number} сотрудников в {city}."),
            "У меня аллергия на арахис.".into(),
            "Я предпочитаю короткие ответы.".into(),
            "Может быть, в следующем году посмотрим что-то другое.".into(),
            "Можете проверить статус моего заказа?".into(),
            "Спасибо, отлично!".into(),
            "Мой друг ненавидит футбол.".into(),
        ],
    };
    let at = dice.roll(lines.len());
    lines[at].clone()
}

/// Turns of some customers, in the order in which they were said. Spaces are `en-0`, `zh-1`, `ru-2`, `en-3` …
pub fn turns(seed: u64, customers: usize, turns_each: usize) -> Vec<SubmittedTurn> {
    let mut dice = Dice::new(seed);
    let mut all = Vec::new();
    for turn in 0..turns_each {
        for customer in 0..customers {
            let language = customer % 3;
            let count = 1 + dice.roll(2);
            let mut messages = Vec::new();
            if dice.roll(4) == 0 {
                messages.push((Role::Agent, "Sounds like you run a bakery?".to_owned()));
            }
            for _ in 0..count {
                messages.push((Role::Customer, sentence(&mut dice, language)));
            }
            messages.push((Role::Agent, "I have noted that you like opera.".to_owned()));
            let message = |(role, text)| SubmittedMessage { role, text, id: None };
            all.push(SubmittedTurn {
                tenant: None,
                space: space(customer),
                session: Some(format!("session {}", turn / 4)),
                turn: Some(format!("turn {turn}")),
                occurred_at: format!(
                    "2026-{:02}-{:02}T{:02}:{:02}:00+03:00",
                    1 + (turn / 28) % 12,
                    1 + turn % 28,
                    8 + dice.roll(12),
                    dice.roll(60)
                ),
                zone: None,
                messages: messages.into_iter().map(message).collect(),
                recalled: Vec::new(),
                attachments: Vec::new(),
            });
        }
    }
    all
}

/// The name of a customer's space.
pub fn space(customer: usize) -> String {
    format!("{}-{customer}", ["en", "zh", "ru"][customer % 3])
}
