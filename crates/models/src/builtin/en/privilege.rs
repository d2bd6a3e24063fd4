//! Claims of rights over the system that is talked to. Whoever has rights is known by other means than their word, so that
//! there is nothing to remember in it; a job of that name is one ("a database administrator", "an admin at a school").

use super::{
    object::phrase,
    token::{Class, Token, any},
};

/// Whether "I am …" claims a right or rank here rather than a job: "an admin", "the owner of this account", "authorised to
/// see all orders", "a VIP".
pub(super) fn privileged(complement: &[Token]) -> bool {
    const SCOPES: [&str; 12] = [
        "super", "system", "site", "account", "global", "full", "main", "head", "chief", "service", "platform", "your",
    ];
    let words: Vec<&Token> = complement
        .iter()
        .skip_while(|token| token.is(Class::Determiner) && token.text != "your" || token.is(Class::Adverb))
        .collect();
    let end = words
        .iter()
        .position(|token| {
            token.mark() || token.is(Class::Preposition) || any(&token.text, &["and", "but", "so", "who", "here"])
        })
        .unwrap_or(words.len());
    let (name, after) = words.split_at(end);
    let Some(head) = name.last() else { return false };
    if name.iter().any(|token| token.is(Class::Granted)) || any(&name[0].text, &["your", "vip", "root"]) {
        return true;
    }
    let link = after.first().is_some_and(|link| any(&link.text, &["of", "on", "for", "in", "to", "over", "with"]));
    let here = after.first().is_some_and(|place| place.text == "here");
    let over = here || link && after.iter().take(5).any(|token| token.is(Class::System));
    let rank = head.is(Class::Rank) || any(&head.text, &["owner", "developer", "creator", "operator"]) && over;
    let alone = name.len() == 1 || name[..name.len() - 1].iter().all(|token| any(&token.text, &SCOPES));
    // "An admin at a school" works there; "system administrator" is what the job is called.
    let job = link || after.first().is_some_and(|link| any(&link.text, &["at", "by"]));
    let title = name.len() > 1 && name[0].text == "system";
    rank && alone && (over || !job && !title)
}

/// "Admin rights", "root access", "a VIP account": had by somebody.
pub(super) fn rights(nouns: &[Token]) -> bool {
    let of_right = |token: &Token| token.is(Class::Right);
    let rank =
        |token: &Token| token.is(Class::Rank) || token.is(Class::Granted) || any(&token.text, &["full", "unlimited"]);
    nouns.iter().any(rank) && nouns.iter().any(of_right) && !phrase(nouns).is_empty()
}
