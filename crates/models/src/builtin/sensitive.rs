//! Numbers and secrets that must not enter a memory (requirements E3), by shape and checksum. Errs towards dropping: a
//! lost remark is a smaller harm than a kept card number.

/// Whether a text holds a card, account, identity or phone number, a mail address or a credential.
pub(super) fn holds(text: &str) -> bool {
    mail(text) || digits(text) || credential(text)
}

/// A mail address: something, `@`, a name with a dot.
fn mail(text: &str) -> bool {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '<' | '>' | '(' | ')' | '"')).any(|word| {
        word.split_once(['@', '＠']).is_some_and(|(local, domain)| {
            local.chars().any(char::is_alphanumeric) && domain.trim_end_matches(['.', '!', '?']).contains('.')
        })
    })
}

/// A run of digits, separators between them allowed, that is too long or too regular to be an amount or a date.
fn digits(text: &str) -> bool {
    let mut run = String::new();
    let (mut groups, mut plus, mut previous) = (1, false, ' ');
    let mut chars = text.chars().chain([' ']).peekable();
    while let Some(c) = chars.next() {
        let mut more = || chars.peek().is_some_and(|next| next.is_ascii_digit() || *next == '(' || *next == ' ');
        if let Some(digit) = c.to_digit(10).or_else(|| full_width(c)) {
            if run.is_empty() {
                plus = previous == '+';
            }
            run.push(char::from_digit(digit, 10).unwrap_or('0'));
        } else if !run.is_empty()
            && matches!(c, ' ' | '-' | '(' | ')' | '.' | '‑' | '–' | '/')
            && !(c == ' ' && groups == 3 && date(&run))
            && more()
        {
            groups += 1;
        } else if !run.is_empty() {
            if number_of_a_person(&run, groups, plus, c) || run.len() == 7 && groups == 2 && telephone(text) {
                return true;
            }
            run.clear();
            groups = 1;
        }
        previous = c;
    }
    false
}

/// Whether a text speaks of telephones: seven digits are a number only then, else they may be a range.
fn telephone(text: &str) -> bool {
    const NAMES: [&str; 10] =
        ["phone", "call", "tel", "cell", "mobile", "whatsapp", "电话", "手机", "телефон", "номер"];
    let lower = text.to_lowercase();
    NAMES.iter().any(|name| lower.contains(name))
}

/// The digit a full-width character stands for.
fn full_width(c: char) -> Option<u32> {
    ('０'..='９').contains(&c).then(|| c as u32 - '０' as u32)
}

/// A phone number has 10 to 15 digits (fewer with a `+`), a social security number nine in three groups, a Chinese
/// identity number 17 and a digit or `X`, a Russian one 10 to 12, a card 13 to 19, an account more.
fn number_of_a_person(run: &str, groups: usize, plus: bool, next: char) -> bool {
    match run.len() {
        0..=6 => false,
        7..=8 => plus,
        9 => plus || groups >= 3,
        17 if matches!(next, 'x' | 'X' | 'Х' | 'х') => true,
        _ => true,
    }
}

/// Eight digits that read as a date, year first or last.
fn date(run: &str) -> bool {
    let year = |part: &str| part.starts_with("19") || part.starts_with("20");
    run.len() == 8 && (year(&run[..2]) || year(&run[4..6]))
}

/// A word that announces a secret with the secret behind it, or a token by its shape.
fn credential(text: &str) -> bool {
    const ANNOUNCES: [&str; 14] = [
        "password",
        "passcode",
        "passphrase",
        "api key",
        "secret key",
        "access token",
        "pin code",
        "my pin",
        "cvv",
        "密码",
        "口令",
        "验证码",
        "пароль",
        "пин-код",
    ];
    let lower = text.to_lowercase();
    let announced = ANNOUNCES.iter().any(|word| {
        lower.find(word).is_some_and(|at| {
            let rest = lower[at + word.len()..].trim_start();
            [":", "：", "=", "is ", "是", "为", "—", "- "].iter().any(|mark| rest.starts_with(mark))
        })
    });
    announced || text.split_whitespace().any(token)
}

/// A key by its shape: a known prefix, or 24 and more letters and digits mixed.
fn token(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let known = ["sk-", "pk_", "ghp_", "gho_", "xoxb-", "AKIA", "eyJ"].iter().any(|prefix| word.starts_with(prefix));
    known && word.len() >= 16
        || word.len() >= 24
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
            && word.chars().filter(char::is_ascii_digit).count() >= 4
            && word.chars().any(|c| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn numbers_and_secrets_of_a_person_are_seen() {
        for text in [
            "my card is 4111 1111 1111 1111",
            "SSN 123-45-6789",
            "my phone is 555-1234",
            "call me at +44 20 7946 0958",
            "my number is (555) 123-4567",
            "write to anna.k@example.org.",
            "my password is hunter2",
            "身份证号是11010519491231002X",
            "我的密码是abc",
            "телефон +7 912 345-67-89",
            "key ghp_abcdEFGH1234ijklMNOP5678qrstUVWX",
            "IBAN DE89 3704 0044 0532 0130 00",
        ] {
            assert!(holds(text), "{text}");
        }
    }

    #[test]
    fn amounts_dates_and_versions_are_not() {
        for text in [
            "we have 1,200,000 rows",
            "born on 1990-05-12",
            "on 12.05.1990 we moved",
            "MySQL 8.0.36 since 2019-2021",
            "my budget is 50000 dollars",
            "ticket 48213",
            "I forgot my password",
            "ping me @home",
            "my budget is 1000-2000 dollars",
            "the launch is on 2024-03-15 14:30",
            "between 200-1500 users",
            "we sold 120 000 units",
        ] {
            assert!(!holds(text), "{text}");
        }
    }
}
