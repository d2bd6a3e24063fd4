//! Log lines: to stderr, lower case, one event and its fields a line. Never a customer's text, a query or a token.

use std::fmt::Display;

/// A field of a log line.
pub type Field<'a> = (&'static str, &'a dyn Display);

/// Something happened that an operator may want to know.
pub fn info(event: &str, fields: &[Field<'_>]) {
    eprintln!("{}", line("info", event, fields));
}

/// Something may be about to go wrong.
pub fn warn(event: &str, fields: &[Field<'_>]) {
    eprintln!("{}", line("warn", event, fields));
}

/// Takes on what the libraries log; call it once.
pub fn take_on_libraries() {
    // Somebody else took it on already: a test that calls the program twice.
    let _ = log::set_logger(&Libraries);
    log::set_max_level(log::LevelFilter::Warn);
}

/// What a library says of connections and servers; none logs a record's bytes or a query's values.
struct Libraries;

impl log::Log for Libraries {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() <= log::Level::Warn
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            let say = if record.level() == log::Level::Error { error } else { warn };
            say("library", &[("name", &record.target()), ("message", record.args())]);
        }
    }

    fn flush(&self) {}
}

/// Something is wrong.
pub fn error(event: &str, fields: &[Field<'_>]) {
    eprintln!("{}", line("error", event, fields));
}

/// `level event key=value …`; a value with a space, quote or control character stands in quotes, so that one event is
/// always one line.
fn line(level: &str, event: &str, fields: &[Field<'_>]) -> String {
    let mut line = format!("{level} {event}");
    for (key, value) in fields {
        let value = value.to_string();
        let plain = !value.is_empty() && value.chars().all(|c| !c.is_whitespace() && !c.is_control() && c != '"');
        line.push_str(&if plain { format!(" {key}={value}") } else { format!(" {key}={value:?}") });
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_event_is_one_line() {
        let line = line("error", "stage ended", &[("code", &"disk"), ("message", &"wrote the log:\nno space")]);
        assert_eq!(line, r#"error stage ended code=disk message="wrote the log:\nno space""#);
    }
}
