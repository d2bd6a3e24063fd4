//! Check digits of numbers that identify a person or a card.

/// Whether the digits are a number whose check digit says what it is.
pub(super) fn known(digits: &[u32]) -> bool {
    match digits.len() {
        10 => inn(digits, &[2, 4, 10, 3, 5, 9, 4, 6, 8]) || nhs(digits),
        11 => snils(digits) || fodselsnummer(digits),
        12 => inn(&digits[..11], &[7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) && inn(digits, &[3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]),
        13..=19 => luhn(digits) || digits.len() == 18 && resident(digits),
        _ => false,
    }
}

/// Cards: ISO/IEC 7812-1, annex B.
fn luhn(digits: &[u32]) -> bool {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let sum: u32 =
        digits.iter().rev().enumerate().map(|(at, &digit)| if at % 2 == 1 { doubled(digit) } else { digit }).sum();
    sum.is_multiple_of(10)
}

/// 居民身份证: GB 11643-1999. An `X` at the end counts as 10.
fn resident(digits: &[u32]) -> bool {
    const WEIGHTS: [u32; 18] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2, 1];
    weighted(digits, &WEIGHTS) % 11 == 1
}

/// ИНН: the last digit is the weighted sum of those before it, modulo 11, modulo 10.
fn inn(digits: &[u32], weights: &[u32]) -> bool {
    digits.last() == Some(&(weighted(digits, weights) % 11 % 10))
}

/// СНИЛС: the last two digits are the weighted sum of the nine before them, modulo 101, modulo 100.
fn snils(digits: &[u32]) -> bool {
    weighted(digits, &[9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101 % 100 == digits[9] * 10 + digits[10]
}

/// NHS number: modulo 11.
fn nhs(digits: &[u32]) -> bool {
    weighted(digits, &[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
}

/// Fødselsnummer: two check digits, both modulo 11.
fn fodselsnummer(digits: &[u32]) -> bool {
    weighted(digits, &[3, 7, 6, 1, 8, 9, 4, 5, 2, 1]).is_multiple_of(11)
        && weighted(digits, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
}

fn weighted(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum()
}

/// IBAN: ISO 13616, the country and check digits moved to the end, letters as 10 to 35, modulo 97.
pub(super) fn iban(account: &[char]) -> bool {
    let value = |rest: u32, c: &char| match c.to_digit(36) {
        Some(value) if value > 9 => (rest * 100 + value) % 97,
        Some(value) => (rest * 10 + value) % 97,
        None => 0,
    };
    account.len() > 4 && account[4..].iter().chain(&account[..4]).fold(0, value) == 1
}
