//! What a Chinese yes/no question asks to confirm.

use saidso_core::text::Normalised;

/// The statement a yes/no question asks to confirm, in the customer's words; `None` for offers, requests and open
/// questions.
pub(super) fn asked(question: &str) -> Option<String> {
    let normalised = Normalised::new(question);
    let asked = super::tidy::clause(normalised.text());
    let asked = asked.trim_end_matches(['?', '？', '.', '!']);
    let open = ["什么", "怎么", "哪", "谁", "几", "多少", "多大", "为什么", "如何", "还是", "何时"];
    let offer = [
        "需要",
        "要不要",
        "能不能",
        "可以",
        "可不可以",
        "介意",
        "方便",
        "想不想",
        "愿意",
        "希望",
        "我帮",
        "帮您",
        "帮你",
        "想要",
        "请",
    ];
    if open.iter().chain(&offer).any(|word| asked.contains(word)) {
        return None;
    }
    let statement = ["吗", "对吗", "对吧", "是吗", "是吧", "吧", "没有", "对不对", "是不是"]
        .iter()
        .find_map(|tail| asked.strip_suffix(tail).map(|rest| rest.trim_end_matches(['对', '是', ','])))
        .map(str::to_owned);
    let choice = ["是不是", "有没有", "会不会", "喜不喜欢", "用不用"].iter().find_map(|choice| {
        let affirmed: String = choice.chars().skip_while(|c| *c != '不' && *c != '没').skip(1).collect();
        asked.contains(choice).then(|| asked.replace(choice, &affirmed))
    });
    let statement = choice.or(statement)?;
    let own = statement
        .replace("你们", "我们")
        .replace("您", "我")
        .replace('你', "我")
        .replace("贵公司", "我们公司")
        .replace("贵司", "我们公司");
    // "您是开面包店的吗": "是…的" around a verb only stresses it.
    let stressed = own.strip_prefix("我是").and_then(|rest| rest.strip_suffix('的'));
    let own = match stressed.filter(|rest| rest.starts_with(['开', '住', '做', '养', '用', '卖', '学'])) {
        Some(stressed) => format!("我{stressed}"),
        None => own,
    };
    own.contains('我').then(|| format!("{own}。"))
}
