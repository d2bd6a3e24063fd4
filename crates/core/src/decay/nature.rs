//! What sort of truth a memory is, and so what time does to it.

use std::{collections::BTreeSet, sync::LazyLock};

use super::{DAY_MS, Rules};
use crate::{
    fold::{Memory, Status},
    item::{Kind, Unit},
    slots::{Decay, SlotSchema},
    text,
};

/// From this importance on a fact is a hard constraint ("no peanuts"): it holds until the customer says otherwise.
const CONSTRAINT: Unit = Unit::hundredths(85);

/// What sort of truth a memory is (requirements D4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// The value of a slot.
    Slotted {
        /// Days it lives.
        ttl_days: u16,
        /// How.
        decay: Decay,
    },
    /// A dealing that is soon over: an order, a ticket, a delivery, an appointment; a task, too.
    Transactional,
    /// A property that changes without anybody saying so: what is used, planned, liked or asked about.
    Attribute,
    /// What ends by an event and never by time: family, pets, home, work, name, origin, health, diet, hard constraints,
    /// and instructions.
    Relationship,
    /// What happened: it does not become untrue.
    Past,
}

/// What time does to a memory, counted from when it was last said or confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Life {
    /// Its weight falls from the first day.
    pub fades: bool,
    /// Milliseconds after which it should be asked about.
    pub to_confirm_ms: Option<i64>,
    /// Milliseconds after which it is over, and what it is then.
    pub ends: Option<(i64, Status)>,
    /// It is archived if nobody asks for it for long enough.
    pub archived_unhit: bool,
}

impl Nature {
    /// Of a memory, by its slot if the tenant has it still, else by its kind, its importance and its topic key.
    pub fn of(memory: &Memory, slots: Option<&SlotSchema>) -> Self {
        if let Some(slot) = memory.slot.as_deref().and_then(|name| slots?.get(name)) {
            return Self::Slotted { ttl_days: slot.ttl_days, decay: slot.decay };
        }
        let attribute = Words::of(&memory.topic_key.attribute);
        match memory.kind {
            Kind::Task => Self::Transactional,
            Kind::Instruction => Self::Relationship,
            Kind::Topic | Kind::Confirmation => Self::Attribute,
            Kind::Event if PASSING.any(&attribute) || PASSING.any(&Words::of(&memory.value)) => Self::Transactional,
            Kind::Event => Self::Past,
            Kind::Fact if PASSING.any(&attribute) || PASSING_TOPICS.any(&attribute) => Self::Transactional,
            Kind::Fact if memory.importance >= CONSTRAINT || LASTING.any(&attribute) => Self::Relationship,
            Kind::Fact => Self::Attribute,
        }
    }

    /// What time does to it.
    pub(super) fn life(self, rules: &Rules) -> Life {
        let ms = |days: u16| i64::from(days) * DAY_MS;
        let lasting = Life { fades: false, to_confirm_ms: None, ends: None, archived_unhit: false };
        let (confirm, invalid) = (ms(rules.to_confirm_days), ms(rules.invalid_days));
        match self {
            Self::Slotted { decay: Decay::ByEvent, .. } | Self::Relationship => lasting,
            Self::Slotted { ttl_days, decay } => {
                let ttl = ms(ttl_days);
                Life {
                    fades: decay == Decay::Transactional,
                    // Its last sixth: of the half year of a technology, the last month.
                    to_confirm_ms: Some(ttl - ttl / 6),
                    ends: Some((ttl, Status::Invalid)),
                    archived_unhit: true,
                }
            }
            // Nobody is asked whether a parcel is still on its way: it fades, and when an attribute would be invalid,
            // e^−6 of it is left.
            Self::Transactional => Life { fades: true, ends: Some((invalid, Status::Invalid)), ..lasting },
            Self::Attribute => Life { to_confirm_ms: Some(confirm), ends: Some((invalid, Status::Invalid)), ..lasting },
            Self::Past => Life { archived_unhit: true, ..lasting },
        }
    }
}

/// What dealings are called, whether in the name of a thing or in what happened.
static PASSING: LazyLock<Names> = LazyLock::new(|| {
    Names::new(
        "order, ordered, ticket, delivery, delivered, shipment, shipped, parcel, refund, refunded, appointment, \
         reservation, reserved, invoice, complaint, \
         订单, 下单, 工单, 快递, 包裹, 发货, 送货, 配送, 退款, 退货, 换货, 预约, 预订, 挂号, 发票, 投诉, 报修, \
         заказ, заказал, тикет, доставка, доставили, посылка, возврат, бронь, бронирование, забронировал, жалоба, \
         рекламация",
    )
});

/// The same for names of things alone: what happened may well be "returned home" or "wrote a book".
static PASSING_TOPICS: LazyLock<Names> = LazyLock::new(|| {
    Names::new(
        "return, exchange, booking, payment, claim, inquiry, \
         付款, 支付, 申请, 查询, \
         оплата, счет, запись, обмен, заявка, обращение, прием",
    )
});

/// What lasts until something happens. Of an entry of several words all must be there.
static LASTING: LazyLock<Names> = LazyLock::new(|| {
    Names::new(
        "family, child, children, kid, son, daughter, spouse, wife, husband, partner, marital, sibling, parent, mother, \
         father, brother, sister, household, pet, employer, employment, occupation, profession, job, work place, \
         workplace, home, hometown, residence, address, name, nickname, origin, birth, birthday, birthplace, \
         citizenship, nationality, raised, former, background, education, degree, language, belief, religion, health, \
         allergy, disease, illness, disability, pregnancy, blood, diet, constraint, \
         家庭, 家人, 亲属, 孩子, 子女, 儿子, 女儿, 配偶, 妻子, 丈夫, 伴侣, 婚姻, 兄弟, 姐妹, 父母, 母亲, 父亲, 宠物, \
         雇主, 单位, 职业, 工作地, 住址, 住所, 居住, 地址, 家乡, 籍贯, 姓名, 名字, 称呼, 出生, 生日, 出身, 国籍, 民族, \
         母语, 语言, 学历, 教育, 信仰, 宗教, 健康, 疾病, 病史, 过敏, 残疾, 怀孕, 血型, 饮食, 忌口, \
         семья, ребенок, дети, сын, дочь, супруг, супруга, жена, муж, партнер, семейное положение, брат, сестра, \
         родители, мать, отец, питомец, питомцы, домашнее животное, работодатель, место работы, профессия, дом, родной город, \
         место жительства, адрес, имя, прозвище, происхождение, рождение, гражданство, национальность, язык, бывший, \
         образование, вера, религия, здоровье, аллергия, болезнь, заболевание, инвалидность, беременность, группа крови, \
         диета, питание, ограничение",
    )
});

/// A text's stems, and the text where words are not set apart.
struct Words<'a> {
    stems: BTreeSet<String>,
    text: &'a str,
}

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Self {
        Self { stems: text::words(text).into_iter().map(|word| word.stem).collect(), text }
    }
}

/// A list of names of things.
struct Names {
    /// The stems of each.
    spaced: Vec<BTreeSet<String>>,
    /// Those of a script without spaces: found within the text.
    unspaced: Vec<&'static str>,
}

impl Names {
    fn new(list: &'static str) -> Self {
        let (unspaced, spaced): (Vec<_>, Vec<_>) =
            list.split(',').map(str::trim).partition(|name| name.chars().any(text::ideograph));
        Self { spaced: spaced.into_iter().map(|name| Words::of(name).stems).collect(), unspaced }
    }

    fn any(&self, words: &Words<'_>) -> bool {
        self.spaced.iter().any(|name| name.is_subset(&words.stems))
            || self.unspaced.iter().any(|name| words.text.contains(name))
    }
}
