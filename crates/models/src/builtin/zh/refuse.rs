//! What a Chinese clause must not be to be kept: a request, a supposition, a passing moment.

use super::super::table::{cut, pattern};

pattern!(
    REQUEST,
    "帮我|帮忙|帮帮|帮查|帮找|给我(?:推荐|找|查|订|预订|发|介绍|说|看|讲|个|一个)|给推荐|推荐(?:一|个|下|几|给|吧)|请问|请你|请您|麻烦(?:你|您|帮|再|把|给)|\
     告诉我|告知|查一下|查询|搜索|看看有|看一下|找(?:一|个|家|间|到|下)|订(?:一|个|张|间|票|房|餐)|预订|预定|预约|能不能|可不可以|可以(?:给|帮|把)|能(?:给|帮|把)|\
     我想(?:问|知道|了解|咨询|请|查|找|订|去|吃|看|听|买|再|要|在|从|坐|把|跟|让|您|你|退|换|办|开|改|取消|看看|试试)|我要(?:找|订|去|查|买|退|换|办|投诉|吃|住|从|打|咨询|一)|\
     我需要(?:找|一|去|订|查|你|您|预|在|再)|想(?:问|咨询|了解)一?下|打算(?:去|找|住|在|从|坐|游|呼叫|订|乘)|咨询|给个|来(?:一|个|份)|发我|发给我|出发"
);
pattern!(
    SUPPOSES,
    "^(?:但|不过|那|所以|而且)?(?:如果|要是|假如|假设|倘若|若是|若|万一|除非|假使|要不是|即使|就算|哪怕|只要|一旦)|(?:的话)$"
);
pattern!(
    OCCASION,
    "^(?:当|每当|等|在|自从|自)?.{1,16}(?:时|的时候|之前|之后|以后|以前|以来|期间)$|^(?:当|每当).{1,24}时?$"
);
pattern!(
    MOCKS,
    "^(?:呵呵|是是是|好好好|可不是嘛?|那可不|好家伙|真行啊?|哦?当然了?啊?[,，]我(?:可|最|超)|[^。，,]{0,2}我可(?:真|太|最))"
);
pattern!(JOKES, "(?:^|[^不没])(?:开(?:个|了个)?玩笑的?|逗你的?|骗你的|说着玩的?)(?:[啦呢哈吧]|[。！!.~,，]|$)");
// What only wishes or weighs what stands behind it.
pattern!(
    WEIGHS,
    "^(?:正?在)?(?:希望|但愿|想要?|想着|考虑|打算|可能|也许|或许|说不定|好像|似乎|应该)(?:要|能|能够|会|在|着|过|以后|将来|未来|有一天)*"
);
// "管理员", "你们的VIP客户": a claim over the system. "数据库管理员" is an occupation.
pattern!(
    RANK,
    "^(?:就)?(?:是|有|拥有)(?:一个|一名|一位)?(?:你们?|您|贵司|系统|平台)?(?:的)?(?:超级|最高|高级|授权|尊贵的?|内部)?\
     (?:管理员|管理者|root|admin|vip|svip|开发者|开发人员|超级用户|授权用户|内部人员)(?:用户|客户|会员|账号|账户|权限|身份)?(?:了)?$"
);
pattern!(
    AHEAD,
    "明天|明早|后天|明年|后年|下{1,2}个?(?:周|星期|礼拜|月|季度)|今年年?底|月底|年底|即将|快要|就要|将要|将会|过(?:几|两)天|很快(?:就|会|要)|要(?:搬|换|结婚|离婚|退休)|快(?:搬|结婚|退休)"
);
// A month without its year is ahead, unless something is done by then ("五月迁移到…" beside "五月迁移到…了").
pattern!(MONTH, "(?:^|[^年0-9])(?:[0-9]{1,2}|十?[一二三四五六七八九]|十)月");
pattern!(GOING_ON, "目前正在|现在正在|正在|现在正");
pattern!(
    PASSING,
    "暂时|这周|本周|这个?(?:星期|礼拜|周末)|这几天|^(?:我|我们)?(?:现在|目前|正|刚|刚刚|刚才|这会儿|今天|今晚|马上|要|得|该)*(?:在|正在|正|要|得|该|刚)(?:吃|喝|看|听|玩|做饭|等|找|赶|开会|路上|忙|家呢|写作业|回家|准备(?:去|睡|吃|出)|去|走|睡|休息|放松|下班|上班)(?:.{0,10})$|\
     (?:迟到|来不及|快到了|马上到)|^(?:我)?(?:很|非常|真|好|挺|太|还)?(?:好|不错|可以|行|高兴|开心|累|忙|饿|困|抱歉|遗憾|同意|明白|知道|理解|确定)(?:了|的|啊)?$"
);

/// Asks for something to be done now.
pub(super) fn request(clause: &str) -> bool {
    // "请不要给我打电话", "以后请用中文回复": a standing wish is no request.
    REQUEST.is_match(clause)
        && !["以后", "今后", "不要给我", "别给我", "每次", "从现在起"].iter().any(|standing| clause.contains(standing))
}

/// Supposes: what follows holds only if it does.
pub(super) fn supposes(clause: &str) -> bool {
    SUPPOSES.is_match(clause)
}

/// Only says when: what follows holds then.
pub(super) fn occasion(clause: &str) -> bool {
    // "超时", "平时" and the like are no occasion.
    let word = ["超时", "平时", "小时", "同时", "及时", "准时", "按时", "临时", "实时", "延时", "随时"]
        .iter()
        .any(|word| clause.ends_with(word));
    !word && OCCASION.is_match(clause)
}

/// Whether a sentence is not meant as said: sarcasm, or a message that says it was a joke.
pub(super) fn mocks(message: &str, sentence: &str) -> bool {
    MOCKS.is_match(sentence.trim_start()) || JOKES.is_match(message)
}

/// Whether a clause asks for every time from now on: no task, but an instruction.
pub(super) fn standing(clause: &str) -> bool {
    ["以后", "今后", "每次", "从现在起", "始终", "一律", "不要", "别给", "不用"]
        .iter()
        .any(|word| clause.contains(word))
}

/// A predicate without the words that only wish or weigh it.
pub(super) fn weighed(predicate: &str) -> Option<String> {
    cut(&WEIGHS, predicate).map(str::to_owned)
}

/// Whether a predicate claims a privilege over the system.
pub(super) fn rank(predicate: &str) -> bool {
    RANK.is_match(predicate)
}

/// What is still to come.
pub(super) fn ahead(clause: &str) -> bool {
    let done = ['了', '过', '从', '自'].iter().any(|word| clause.contains(*word));
    AHEAD.is_match(clause) || !done && MONTH.is_match(clause)
}

/// What is going on right now.
pub(super) fn passing(clause: &str) -> bool {
    PASSING.is_match(clause)
}

/// The clause without "正在": what a project or a study is in the middle of lasts all the same.
pub(super) fn steady(clause: &str) -> String {
    GOING_ON.replace_all(clause, "").into_owned()
}
