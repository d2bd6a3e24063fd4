//! What of `[memory]` says how memories fade, how long history is shown and messages are kept.

use saidso_core::decay::Rules;

use super::{ConfigError, RawMemory, within};

const DAYS_MAX: usize = 36_500;
/// History is shown for so many days at least.
const HISTORY_DAYS_MIN: usize = 30;
/// By e to the first power a day: a dealing of the day before is as good as gone.
const FADING_MAX: usize = 100;

/// What memories fade by.
pub(super) fn rules(raw: &RawMemory) -> Result<Rules, ConfigError> {
    let default = Rules::default();
    let number = |key, value, default: u16, max| {
        within(key, value, usize::from(default), max).map(|number| u16::try_from(number).unwrap_or(u16::MAX))
    };
    let days = |key, value, default| number(key, value, default, DAYS_MAX);
    let (confirm, invalid) = (raw.to_confirm_days, raw.invalid_days);
    let fading = ("memory.fading_hundredths", raw.fading_hundredths, default.fading_hundredths, FADING_MAX);
    let rules = Rules {
        to_confirm_days: days("memory.to_confirm_days", confirm, default.to_confirm_days)?,
        invalid_days: days("memory.invalid_days", invalid, default.invalid_days)?,
        unhit_days: days("memory.unhit_days", raw.unhit_days, default.unhit_days)?,
        fading_hundredths: number(fading.0, fading.1, fading.2, fading.3)?,
    };
    if rules.invalid_days <= rules.to_confirm_days {
        let (invalid, confirm) = (rules.invalid_days, rules.to_confirm_days);
        let found = format!("is {invalid}; give more than `memory.to_confirm_days`, which is {confirm}");
        return Err(ConfigError::Value { key: "memory.invalid_days".into(), found });
    }
    Ok(rules)
}

/// Days for which a superseded memory is shown as history; `None`: for good.
pub(super) fn history_days(raw: &RawMemory) -> Result<Option<u16>, ConfigError> {
    match raw.history_days {
        None => Ok(None),
        Some(days) if (HISTORY_DAYS_MIN..=DAYS_MAX).contains(&days) => Ok(u16::try_from(days).ok()),
        Some(days) => {
            let found = format!("is {days}; give {HISTORY_DAYS_MIN} to {DAYS_MAX}, or leave it out to show all");
            Err(ConfigError::Value { key: "memory.history_days".into(), found })
        }
    }
}

/// Days for which the customer's messages are kept, as the table `of` says; `None`: it does not; 0: not at all.
pub(super) fn keep_messages_days(of: &str, days: Option<usize>) -> Result<Option<u16>, ConfigError> {
    match days {
        Some(days) if days > DAYS_MAX => {
            let found = format!("is {days}; give 0 to {DAYS_MAX}, or leave it out");
            Err(ConfigError::Value { key: format!("{of}.keep_messages_days"), found })
        }
        days => Ok(days.and_then(|days| u16::try_from(days).ok())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> RawMemory {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn every_key_is_taken() {
        let all =
            raw("to_confirm_days = 10\ninvalid_days = 11\nunhit_days = 12\nfading_hundredths = 13\nhistory_days = 30");
        let due = Rules { to_confirm_days: 10, invalid_days: 11, unhit_days: 12, fading_hundredths: 13 };
        assert_eq!((rules(&all).unwrap(), history_days(&all).unwrap()), (due, Some(30)));
        assert_eq!((rules(&raw("")).unwrap(), history_days(&raw("")).unwrap()), (Rules::default(), None));
    }

    #[test]
    fn an_error_names_the_key() {
        for (text, key) in [
            ("to_confirm_days = 0", "`memory.to_confirm_days`"),
            ("to_confirm_days = 36501", "`memory.to_confirm_days`"),
            ("to_confirm_days = 60", "`memory.invalid_days`"),
            ("unhit_days = 0", "`memory.unhit_days`"),
            ("fading_hundredths = 101", "`memory.fading_hundredths`"),
        ] {
            let error = rules(&raw(text)).unwrap_err().to_string();
            assert!(error.contains(key), "{text}: {error}");
        }
        let error = history_days(&raw("history_days = 29")).unwrap_err().to_string();
        assert!(error.contains("`memory.history_days` is 29"), "{error}");
        let error = keep_messages_days("tenants.acme", Some(36_501)).unwrap_err().to_string();
        assert!(error.contains("`tenants.acme.keep_messages_days` is 36501"), "{error}");
    }

    #[test]
    fn messages_are_kept_for_good_for_days_or_not_at_all() {
        for days in [None, Some(0), Some(1), Some(36_500)] {
            assert_eq!(keep_messages_days("memory", days).unwrap().map(usize::from), days);
        }
    }
}
