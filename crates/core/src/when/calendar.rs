//! What words say of the calendar, and the stretch of it they mean beside the moment they were said.
//!
//! Conventions, one for all three languages. Weeks begin on Monday. "Next Wednesday" is the Wednesday of next week (as
//! "下周三" is), "this Wednesday" that of this week, "last Wednesday" the latest before today. A name without such a word
//! is the latest one in a past sentence, else the coming one. "Last summer" is the latest that is over, "next summer"
//! the first that has not begun. Granularity follows the words: "two weeks ago" is a week, "a year ago" a year. The
//! beginning, middle and end of a month are its thirds of ten days; of a year, its first quarter, May to August and its
//! last quarter; of a week, Monday and Tuesday, Wednesday and Thursday, Friday to Sunday. Seasons are the northern ones.

use jiff::{
    Span,
    civil::{Date, DateTime, Time, Weekday},
};

/// A unit that time is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

/// Which of the days or months of one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// "This": of this week or year.
    This,
    /// "Next": of next week; the first that has not begun.
    Next,
    /// "Last": the latest that is over.
    Last,
    /// "Since May": the latest that has begun.
    Begun,
    /// "By Friday": the first that is not over.
    Coming,
}

/// What a sentence says of when it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
    Past,
    Future,
    /// "Usually", "every": what has no one time.
    Habit,
    /// "My birthday is on March 5": a date without its year is every year's.
    Yearly,
    Unmarked,
}

/// A part of a month, a year or a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Portion {
    Beginning,
    Middle,
    End,
}

impl Portion {
    fn of<T>(self, beginning: T, middle: T, end: T) -> T {
        match self {
            Self::Beginning => beginning,
            Self::Middle => middle,
            Self::End => end,
        }
    }
}

/// A part of the day: its first hour, and how many hours it lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part(i8, i8);

impl Part {
    pub(super) const SMALL_HOURS: Self = Self(0, 6);
    pub(super) const MORNING: Self = Self(6, 6);
    pub(super) const MIDDAY: Self = Self(11, 2);
    pub(super) const AFTERNOON: Self = Self(12, 6);
    pub(super) const EVENING: Self = Self(18, 6);
    /// "Last night": the evening and the small hours after it.
    pub(super) const NIGHT: Self = Self(18, 12);
}

/// A time on the clock. Without its half of the day ("half past four") it needs a part of the day beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock {
    /// 0 to 24.
    pub(super) hour: i8,
    pub(super) minute: i8,
    /// Whether the hour is one of 24.
    pub(super) exact: bool,
}

impl Clock {
    /// The hour of 24, decided by the part of the day: "3 in the afternoon" is 15, "晚上12点" is 24.
    fn hour(self, part: Option<Part>) -> Option<i8> {
        match (part, self.hour) {
            (_, hour) if self.exact => Some(hour),
            (Some(Part::SMALL_HOURS), 12) => Some(0),
            (Some(Part::SMALL_HOURS | Part::MORNING), hour @ 0..12) => Some(hour),
            (Some(Part::MIDDAY), hour @ 11..=12) => Some(hour),
            (Some(Part::MIDDAY), hour @ 1..4) => Some(hour + 12),
            (Some(Part::AFTERNOON), 12) => Some(12),
            (Some(Part::EVENING), 12) => Some(24),
            (Some(Part::NIGHT), hour @ (1..6 | 12)) => Some(24 + hour % 12),
            (Some(Part::AFTERNOON), hour @ 1..9) => Some(hour + 12),
            (Some(Part::EVENING | Part::NIGHT), hour @ 4..12) => Some(hour + 12),
            _ => None,
        }
    }
}

/// What words name: each field a word or two may set. Words that stand side by side add up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// The unit so many after the present one: "next week", "two months ago".
    pub(super) shift: Option<(Unit, i32)>,
    /// So many units up to today or from today on: "the last 3 weeks".
    pub(super) running: Option<(Unit, i32)>,
    pub(super) year: Option<i16>,
    /// 1 to 4.
    pub(super) quarter: Option<i8>,
    /// The first month of a season.
    pub(super) season: Option<i8>,
    /// 1 to 12.
    pub(super) month: Option<i8>,
    /// 1 to 31.
    pub(super) day: Option<i8>,
    pub(super) weekday: Option<Weekday>,
    pub(super) weekend: Option<()>,
    pub(super) which: Option<Which>,
    pub(super) portion: Option<Portion>,
    pub(super) part: Option<Part>,
    pub(super) clock: Option<Clock>,
}

/// A stretch of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stretch {
    Year(i16),
    /// So many months from one on.
    Months(i16, i8, i8),
    /// From one day to another, both whole.
    Days(Date, Date),
    /// A part of a day.
    Hours(DateTime, DateTime),
    /// One minute by the clock.
    Minute(DateTime),
    /// The minute so many minutes after the moment: an hour of a clock change is counted as it passes.
    Elapsed(i64),
}

impl Named {
    pub(super) fn shift(unit: Unit, by: i32) -> Self {
        Self { shift: Some((unit, by)), ..Self::default() }
    }

    pub(super) fn running(unit: Unit, by: i32) -> Self {
        Self { running: Some((unit, by)), ..Self::default() }
    }

    /// Both together, if neither says what the other says.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        fn either<T>(a: Option<T>, b: Option<T>) -> Option<Option<T>> {
            (a.is_none() || b.is_none()).then(|| a.or(b))
        }
        Some(Self {
            shift: either(self.shift, other.shift)?,
            running: either(self.running, other.running)?,
            year: either(self.year, other.year)?,
            quarter: either(self.quarter, other.quarter)?,
            season: either(self.season, other.season)?,
            month: either(self.month, other.month)?,
            day: either(self.day, other.day)?,
            weekday: either(self.weekday, other.weekday)?,
            weekend: either(self.weekend, other.weekend)?,
            which: either(self.which, other.which)?,
            portion: either(self.portion, other.portion)?,
            part: either(self.part, other.part)?,
            clock: either(self.clock, other.clock)?,
        })
    }

    /// Whether only the sentence can tell which one is meant: "on Wednesday", "at 3pm".
    pub(super) fn is_bare(&self) -> bool {
        self.shift.is_none() && self.running.is_none() && self.year.is_none() && self.which.is_none()
    }

    /// Whether nothing but a time of day is named.
    pub(super) fn is_of_clock(&self) -> bool {
        *self == Self { part: self.part, clock: self.clock, ..Self::default() }
    }

    /// The stretch named at `now` in a sentence of that tense; `None` if the words name none, or none for certain.
    pub(super) fn stretch(&self, now: DateTime, tense: Tense) -> Option<Stretch> {
        let returns = tense == Tense::Habit || tense == Tense::Yearly && self.month.is_some();
        if self.is_bare() && returns {
            return None;
        }
        let today = now.date();
        let timed = self.part.is_some() || self.clock.is_some();
        if let Some((unit, by)) = self.running {
            let alone = *self == Self::running(unit, by);
            return alone.then(|| running(unit, by, today))?;
        }
        if let Some((unit @ (Unit::Minute | Unit::Hour), by)) = self.shift {
            let minutes = i64::from(by) * if unit == Unit::Hour { 60 } else { 1 };
            return (*self == Self::shift(unit, by)).then_some(Stretch::Elapsed(minutes));
        }
        let names = [self.month, self.season, self.quarter].iter().flatten().count() + self.weekend.iter().count();
        if names > 1 || (timed && self.portion.is_some()) {
            return None;
        }
        match self.date(today, tense) {
            Some(day) if timed => self.hours(day),
            Some(day) => self.portion.is_none().then_some(Stretch::Days(day, day)),
            None if timed => {
                let told = matches!(tense, Tense::Past | Tense::Future);
                (self.is_of_clock() && told).then(|| self.hours(today))?
            }
            None if self.day.is_some() || self.weekday.is_some() => None,
            None => portion(self.block(today, tense)?, self.portion),
        }
    }

    fn which(&self, tense: Tense) -> Which {
        self.which.unwrap_or(if tense == Tense::Past { Which::Begun } else { Which::Coming })
    }

    fn year(&self, today: Date) -> Option<i16> {
        match (self.year, self.shift) {
            (year @ Some(_), None) => year,
            (None, Some((Unit::Year, by))) => Some(months_after(today.year(), 1, by.checked_mul(12)?)?.0),
            _ => None,
        }
    }

    /// The one day that is named.
    fn date(&self, today: Date, tense: Tense) -> Option<Date> {
        if self.season.is_some() || self.quarter.is_some() || self.weekend.is_some() {
            return None;
        }
        match (self.day, self.month, self.weekday, self.shift) {
            // A weekday beside a date ("Tuesday, March 5") adds nothing.
            (Some(day), Some(month), _, shift) => match self.year(today) {
                Some(year) => Date::new(year, month, day).ok(),
                None if shift.is_none() && self.year.is_none() => self.nearest_date(month, day, today, tense),
                None => None,
            },
            (Some(day), None, None, Some((Unit::Month, by))) if self.year.is_none() => {
                let (year, month) = months_after(today.year(), today.month(), by)?;
                Date::new(year, month, day).ok()
            }
            (None, None, Some(weekday), shift) if self.year.is_none() => {
                self.nearest_weekday(weekday, shift, today, tense)
            }
            (None, None, None, Some((Unit::Day, by))) if self.year.is_none() => days_after(today, by),
            _ => None,
        }
    }

    /// A date without a year; a leap day may be years away.
    fn nearest_date(&self, month: i8, day: i8, today: Date, tense: Tense) -> Option<Date> {
        let in_year = |year| Date::new(year, month, day).ok();
        let year = today.year();
        match self.which(tense) {
            Which::This => in_year(year),
            Which::Last => (year - 8..=year).rev().filter_map(in_year).find(|date| *date < today),
            Which::Begun => (year - 8..=year).rev().filter_map(in_year).find(|date| *date <= today),
            Which::Next => (year..=year + 8).filter_map(in_year).find(|date| *date > today),
            Which::Coming => (year..=year + 8).filter_map(in_year).find(|date| *date >= today),
        }
    }

    fn nearest_weekday(&self, weekday: Weekday, shift: Option<(Unit, i32)>, today: Date, tense: Tense) -> Option<Date> {
        let (at, now) = (weekday.to_monday_zero_offset().into(), today.weekday().to_monday_zero_offset().into());
        let of_week = |by: i32| days_after(monday(today)?, by.checked_mul(7)?.checked_add(at)?);
        match (shift, self.which(tense)) {
            (Some((Unit::Week, by)), _) => of_week(by),
            (Some(_), _) => None,
            (None, Which::This) => of_week(0),
            (None, Which::Next) => of_week(1),
            (None, Which::Last | Which::Begun) => of_week(if at < now { 0 } else { -1 }),
            (None, Which::Coming) => of_week(if at > now { 0 } else { 1 }),
        }
    }

    /// The part of a day.
    fn hours(&self, day: Date) -> Option<Stretch> {
        let at = |hour: i8, minute: i8| {
            let day = days_after(day, i32::from(hour / 24))?;
            Some(day.to_datetime(Time::new(hour % 24, minute, 0, 0).ok()?))
        };
        Some(match (self.clock, self.part) {
            (Some(clock), part) => Stretch::Minute(at(clock.hour(part)?, clock.minute)?),
            (None, Some(Part(from, hours))) => Stretch::Hours(at(from, 0)?, at(from + hours, 0)?),
            (None, None) => return None,
        })
    }

    /// Weeks, months and years, and what is named among them.
    fn block(&self, today: Date, tense: Tense) -> Option<Stretch> {
        let months = match *self {
            Self { month: Some(month), .. } => Some((month, 1)),
            Self { season: Some(month), .. } => Some((month, 3)),
            Self { quarter: Some(quarter), .. } => Some((quarter * 3 - 2, 3)),
            _ => None,
        };
        match (months, self.year(today)) {
            (Some((month, count)), Some(year)) => Some(Stretch::Months(year, month, count)),
            // "In summer" is every summer's.
            (Some(_), None) if self.season.is_some() && self.is_bare() => None,
            (Some((month, count)), None) if self.shift.is_none() && self.year.is_none() => {
                nearest_months(month, count, self.which(tense), today)
            }
            (Some(_), None) => None,
            (None, _) if self.weekend.is_some() => self.weekend(today, tense),
            (None, Some(year)) => Some(Stretch::Year(year)),
            (None, None) if self.year.is_none() => {
                let (unit, by) = self.shift?;
                whole(unit, by, today)
            }
            (None, None) => None,
        }
    }

    fn weekend(&self, today: Date, tense: Tense) -> Option<Stretch> {
        let saturday = |by: i32| days_after(monday(today)?, by.checked_mul(7)?.checked_add(5)?);
        let first = match (self.shift, self.which(tense)) {
            (Some((Unit::Week, by)), _) if self.year.is_none() => saturday(by),
            (None, _) if self.is_bare() && !matches!(tense, Tense::Past | Tense::Future) => None,
            (None, Which::This | Which::Coming) => saturday(0),
            (None, Which::Next) => saturday(1),
            (None, Which::Last) => saturday(-1),
            (None, Which::Begun) => saturday(if saturday(0)? <= today { 0 } else { -1 }),
            _ => None,
        }?;
        Some(Stretch::Days(first, days_after(first, 1)?))
    }
}

/// The whole unit `by` after the one that holds today.
fn whole(unit: Unit, by: i32, today: Date) -> Option<Stretch> {
    let (year, month) = (today.year(), today.month());
    Some(match unit {
        Unit::Week => {
            let first = days_after(monday(today)?, by.checked_mul(7)?)?;
            Stretch::Days(first, days_after(first, 6)?)
        }
        Unit::Month => {
            let (year, month) = months_after(year, month, by)?;
            Stretch::Months(year, month, 1)
        }
        Unit::Quarter => {
            let (year, month) = months_after(year, month - (month - 1) % 3, by.checked_mul(3)?)?;
            Stretch::Months(year, month, 3)
        }
        Unit::Year | Unit::Day | Unit::Hour | Unit::Minute => return None,
    })
}

/// The days of `by` units up to today, or from today on.
fn running(unit: Unit, by: i32, today: Date) -> Option<Stretch> {
    let span = match unit {
        Unit::Day => Span::new().try_days(by),
        Unit::Week => Span::new().try_weeks(by),
        Unit::Month => Span::new().try_months(by),
        Unit::Quarter => Span::new().try_months(by.checked_mul(3)?),
        Unit::Year => Span::new().try_years(by),
        Unit::Hour | Unit::Minute => return None,
    };
    let there = today.checked_add(span.ok()?).ok()?;
    Some(Stretch::Days(today.min(there), today.max(there)))
}

fn nearest_months(month: i8, count: i8, which: Which, today: Date) -> Option<Stretch> {
    let year = today.year();
    let block = |year: i16| {
        let (end_year, end_month) = months_after(year, month, count.into())?;
        Some((year, Date::new(year, month, 1).ok()?, Date::new(end_year, end_month, 1).ok()?))
    };
    let mut near = (year - 2..=year + 2).filter_map(block);
    let (year, ..) = match which {
        Which::This => {
            let holds = near.find(|(_, from, to)| *from <= today && today < *to);
            holds.or_else(|| block(year))
        }
        Which::Next => near.find(|(_, from, _)| *from > today),
        Which::Last => near.rfind(|(_, _, to)| *to <= today),
        Which::Begun => near.rfind(|(_, from, _)| *from <= today),
        Which::Coming => near.find(|(_, _, to)| *to > today),
    }?;
    Some(Stretch::Months(year, month, count))
}

/// The beginning, middle or end of a stretch.
fn portion(whole: Stretch, portion: Option<Portion>) -> Option<Stretch> {
    let Some(portion) = portion else { return Some(whole) };
    Some(match whole {
        Stretch::Year(year) => {
            let (month, count) = portion.of((1, 3), (5, 4), (10, 3));
            Stretch::Months(year, month, count)
        }
        Stretch::Months(year, month, 1) => {
            let last = Date::new(year, month, 1).ok()?.days_in_month();
            let (first, last) = portion.of((1, 10), (11, 20), (21, last));
            Stretch::Days(Date::new(year, month, first).ok()?, Date::new(year, month, last).ok()?)
        }
        Stretch::Months(year, month, 3) => {
            let (year, month) = months_after(year, month, portion.of(0, 1, 2))?;
            Stretch::Months(year, month, 1)
        }
        Stretch::Days(first, last) if days_after(first, 6) == Some(last) => {
            let (from, to) = portion.of((0, 1), (2, 3), (4, 6));
            Stretch::Days(days_after(first, from)?, days_after(first, to)?)
        }
        _ => return None,
    })
}

fn monday(day: Date) -> Option<Date> {
    days_after(day, -i32::from(day.weekday().to_monday_zero_offset()))
}

/// The day `by` days after one; `None` beyond the calendar.
pub(super) fn days_after(day: Date, by: i32) -> Option<Date> {
    day.checked_add(Span::new().try_days(by).ok()?).ok()
}

/// The year and month `by` months after one; `None` beyond years of four digits.
pub(super) fn months_after(year: i16, month: i8, by: i32) -> Option<(i16, i8)> {
    let months = (i32::from(year) * 12 + i32::from(month) - 1).checked_add(by)?;
    let year = i16::try_from(months.div_euclid(12)).ok().filter(|year| (0..=9999).contains(year))?;
    Some((year, i8::try_from(months.rem_euclid(12)).ok()? + 1))
}
