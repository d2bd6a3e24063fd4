//! What stands around a Chinese predicate: fillers before it, times, adverbs and negation.

use super::super::{
    stated::Manner,
    table::{cut, pattern},
};

// Words before a statement that say nothing; those of the first group need a mark behind them to be only that.
pattern!(
    FILLER,
    "^(?:(?:是的|是啊|是|对的|对啊|对|没错|好的|好吧|好啊|好|行吧|行|可以|不是的|不是|不|没有|没|没关系|没事|那么|那|嗯+|唔|同样|我也是|\
     我很好|你好啊?|您好|大家好|早上好|下午好|晚上好|谢谢你?|谢谢您|多谢|当然了?|真的吗?|太棒了|很酷|另外|此外|还有|首先|其次|最后|注意|备注|\
     记住|请记住|补充一下|对了|比如|例如|总之)[,.:!~ ]+|(?:哦+|噢|啊+|呃|额|哇塞?|哎呀?|唉|诶|哈+|嘿+|嘻+|嗨|喂|嗯+|哦了|[,.:!~\\- ]+|但是|但|不过|\
     可是|只是|然而|而且|并且|所以|因此|因为|由于|毕竟|如果|要是|假如|假设|倘若|若是|万一|即使|就算|只要|一旦|除非|顺便说一下|顺便提一下|顺便说|说实话|老实说|坦白说|坦率地说|说真的|\
     幸运的是|不幸的是|遗憾的是|众所周知|如你所知|你知道吗?|我告诉你|告诉你|跟你说一下|跟你说|需要说明的是|另外请注意|请注意|虽然|尽管|然后|\
     总的来说|一般来说|对我来说|就我而言|就我个人而言|作为补充|我想说的是|我得说|我必须说|我说过|我之前说过|我跟你说过|也许吧?|或许|大概|听说|据说|我猜|估计)[,.: ]*)"
);

// What is said behind one of these takes the place of what was said before.
pattern!(
    CORRECTS,
    "^(?:其实|实际上|事实上|准确地?说|确切地?说|更准确地说|应该说|(?:我)?(?:更正|纠正|修正)(?:一下)?|(?:我)?(?:刚才|之前)?(?:说|记|搞|弄|写)错了|不对)[,.:!~ ]*"
);

// A time before the subject or behind it.
pattern!(
    TIME,
    "^(?:从)?(?:去年|前年|今年|上{1,2}个?月(?:初|底|中旬?)?|上{1,2}个?(?:周|星期|礼拜)[一二三四五六日天末]?|昨天|前天|昨晚|前不久|不久前|几年前|前几年|前几天|前两天|前段时间|\
     (?:大约|大概|差不多)?[0-9一二两三四五六七八九十百几半多]+(?:个半)?(?:年|个月|天|周|个星期|小时)(?:多)?(?:之?前)|\
     (?:[0-9]{1,2}|十?[一二三四五六七八九]|十)月份?|在?[0-9一二三四五六七八九零〇]{4}年(?:[0-9]{1,2}月)?(?:[0-9]{1,2}[日号])?|[0-9]{1,2}月(?:[0-9]{1,2}[日号])?|\
     在?[0-9]{1,3}岁(?:那年|时|的时候|起|开始)|高中时|大学时|上学时|毕业后|婚后|退休后|年轻时|年初|年底|上半年|下半年|刚刚|刚|最近|近期|\
     近来|终于|最后|最终)(?:[,时就起开]始?)?[, ]*"
);

// A moment: it says that the rest holds only then, which is judged from the whole clause.
pattern!(
    TODAY,
    "^(?:今天|今晚|今早|今日|明天|明早|后天|这两天|这会儿|此刻|刚才|暂时|这周|本周|这个?(?:星期|礼拜|周末|月)|这几天|下{1,2}个?(?:周|星期|礼拜|月|季度)[一二三四五六日天末初底]?|明年|后年|月底|年底|今年年?底)[, ]*"
);
// Words that say nothing of the time: "now, usually, always".
pattern!(
    NOW,
    "^(?:现在|目前|如今|眼下|现今|当前|现阶段|从现在起|这些年|多年来|这几年|近几年|一直以来|自那以后|之后|后来)[, ]*"
);
pattern!(
    PAST,
    "^(?:以前|之前|曾经|曾|过去|从前|原来|原先|原本|本来|小时候|小的时候|当年|早年|年轻的时候|那时候?|当时)[, ]*"
);
pattern!(
    HABIT,
    "^(?:平时|平常|周末|工作日|节假日|平日里?|通常|一般|经常|常常|时常|常|总是|总|老是|一直|从小就?|有时候?|偶尔|每(?:周|星期|礼拜)[一二三四五六日天]|每(?:天|日|周|月|年|晚|早)(?:早上|晚上|下午|早晨|都|清晨)?|\
     每个?(?:星期[一二三四五六日天]?|周末|礼拜|月|晚上|早上|夏天|冬天|假期|周[一二三四五六日])|在周末|在?(?:业余|空闲|闲暇)时间?(?:里)?|有空的时候|\
     没事的时候|下班后|放学后|大多数时候|睡前)(?:都|也|会|就|里)?[, ]*"
);
pattern!(STRONG, "^(?:非常|特别|超级?|十分|极其|极度|绝对|完全|真心|最|严格|坚决|一定|始终|永远|实在|太|真的?)");
pattern!(
    ADVERB,
    "^(?:可能|也许|大概|或许|好像|似乎|应该|估计|恐怕|也|都|还|就|很|是真的|的确|确实|已经|早就|早已|主要|只|只是|仅|仅仅|自己|个人|本人|又|再|实际上|目前还|正好|恰好|同时|并|便|才|全家|\
     一家人|显然|几乎|基本上?|有点|有些|稍微|比较|相当|挺|蛮|更加|而且|其实|当然|自然|真是|可是|倒是|却|仍然|仍|依然|至今|终于|公司|这边|这里|这儿|\
     比较|俩|两个|两人|两口子|夫妻俩|[和跟与]我?(?:的)?(?:妻子|丈夫|老公|老婆|男朋友|女朋友|男友|女友|家人|父母|妈妈|爸爸|孩子|朋友|狗|猫|姐姐|妹妹|哥哥|弟弟|姐妹们?)(?:们)?(?:一起|都|也)?)"
);
pattern!(
    DENIED,
    "^(?:不再|从来不|从不|从来没有?|从没有?|绝不|决不|并不是?|并没有?|没有|没|未|不太|不怎么|不大|不是很|无法|不)"
);

/// Takes fillers and times off the front of a clause.
pub(super) fn before(manner: &mut Manner, mut text: &str) -> String {
    loop {
        let shorter = correction(manner, text).or_else(|| cut(&FILLER, text)).or_else(|| time(manner, text));
        match shorter {
            Some(rest) => text = rest,
            None => return text.to_owned(),
        }
    }
}

/// Takes adverbs, times and negation off the front of what follows the subject.
pub(super) fn behind(manner: &mut Manner, whole: &str) -> String {
    let mut text = whole.strip_suffix("的话").unwrap_or(whole);
    loop {
        let shorter = time(manner, text).or_else(|| {
            if let Some(rest) = cut(&STRONG, text).filter(|rest| !rest.is_empty()) {
                manner.strong = true;
                return Some(rest);
            }
            cut(&ADVERB, text).filter(|rest| !rest.is_empty())
        });
        match shorter {
            Some(rest) => text = rest,
            None => break,
        }
    }
    // "家里没有…": the denial stands behind the place.
    let home = ["家里", "家中", "家"].iter().find_map(|home| text.strip_prefix(home));
    text = home.filter(|rest| rest.starts_with('没')).unwrap_or(text);
    // "不错", "不过" and the like deny nothing.
    if [
        "不错",
        "不过",
        "不仅",
        "不但",
        "不只",
        "不得不",
        "不同",
        "不断",
        "不少",
        "没错",
        "没事",
        "没关系",
        "不管",
        "不好意思",
        "未婚",
        "未来",
    ]
    .iter()
    .any(|fixed| text.starts_with(fixed) && !text.starts_with("不过敏"))
    {
        return text.to_owned();
    }
    if let Some(found) = DENIED.find(text) {
        let word = found.as_str();
        manner.denied = !manner.denied;
        // "周末不用" denies nothing of the other days.
        manner.qualifier = manner.qualifier.or(days(whole));
        // "不在…上班了": no longer.
        manner.changed |= word == "不再" || word == "不" && text.ends_with('了');
        manner.strong |= word.contains(['从', '绝', '决']);
        let rest = &text[found.end()..];
        let rest = match word {
            _ if word.ends_with("没有") && !rest.starts_with('了') && !rest.contains('过') => {
                return format!("有{rest}");
            }
            _ if word.ends_with("不是") && !word.contains("很") => return format!("是{rest}"),
            "无法" => return format!("能{rest}"),
            "没" if !rest.starts_with('有') => return rest.to_owned(),
            _ => rest,
        };
        // Strength and more adverbs may stand behind the denial too: "不太喜欢".
        return cut(&STRONG, rest)
            .or_else(|| cut(&ADVERB, rest))
            .filter(|rest| !rest.is_empty())
            .unwrap_or(rest)
            .to_owned();
    }
    text.to_owned()
}

/// Whether a clause does no more than take back what was said.
pub(super) fn corrects(clause: &str) -> bool {
    cut(&CORRECTS, clause).is_some_and(|rest| rest.chars().all(|c| "了的啊呀吧".contains(c))) || clause == "等等"
}

/// Takes "其实", "更正一下" off the front.
fn correction<'a>(manner: &mut Manner, text: &'a str) -> Option<&'a str> {
    let rest = cut(&CORRECTS, text).filter(|rest| !rest.is_empty())?;
    manner.changed = true;
    Some(rest)
}

/// What "不是X，是Y" says.
pub(super) struct Contrast {
    /// With what holds, in the forms it may be read in.
    pub holds: [String; 2],
    /// With what does not, as if it did.
    pub denied: String,
}

/// Takes "…不是X，(而)是Y" apart.
pub(super) fn contrast(first: &str, second: &str) -> Option<Contrast> {
    let (head, denied) = first.split_once("不是")?;
    let head = head.trim_end_matches(['并', '的']);
    let holds = second.strip_prefix("而是").or_else(|| second.strip_prefix('是'))?;
    let few = |text: &str| {
        (1..=12).contains(&text.chars().count()) && !text.starts_with(['我', '说', '因', '很', '不', '没'])
    };
    let holds = holds.trim_start_matches("在用");
    (few(denied) && few(holds) && !head.is_empty()).then(|| Contrast {
        holds: [format!("{head}{holds}"), format!("{head}是{holds}")],
        denied: format!("{head}{denied}"),
    })
}

/// The days in front on which alone something is so.
fn days(text: &str) -> Option<&'static str> {
    const DAYS: [(&str, &str); 6] = [
        ("周末", "周末"),
        ("在周末", "周末"),
        ("工作日", "工作日"),
        ("节假日", "节假日"),
        ("晚上", "晚上"),
        ("早上", "早上"),
    ];
    DAYS.iter().find(|(days, _)| text.starts_with(days)).map(|(_, name)| *name)
}

/// A setting that lets other values stand elsewhere.
struct Setting {
    name: &'static str,
    /// Its words.
    words: &'static [&'static str],
    /// Words that are this setting only where one of `before` follows: "在家用Mac", but "在家附近".
    bound: &'static [&'static str],
    before: &'static [&'static str],
}

const SETTINGS: [Setting; 10] = [
    Setting {
        name: "测试环境",
        words: &["测试环境", "测试系统", "测试服务器", "测试库"],
        bound: &["测试"],
        before: &RUN,
    },
    Setting {
        name: "生产环境",
        words: &["生产环境", "正式环境", "线上环境", "生产系统", "线上系统", "生产库", "线上库"],
        bound: &["生产", "线上"],
        before: &RUN,
    },
    Setting { name: "开发环境", words: &["开发环境", "开发库"], bound: &["开发"], before: &RUN },
    Setting { name: "预发环境", words: &["预发环境", "预发布环境"], bound: &["预发"], before: &RUN },
    Setting { name: "春天", words: &["春天", "春季"], bound: &[], before: &[] },
    Setting { name: "夏天", words: &["夏天", "夏季"], bound: &[], before: &[] },
    Setting { name: "秋天", words: &["秋天", "秋季"], bound: &[], before: &[] },
    Setting { name: "冬天", words: &["冬天", "冬季"], bound: &[], before: &[] },
    Setting {
        name: "工作时",
        words: &["工作时", "工作的时候", "上班时", "上班的时候"],
        bound: &["公司", "单位", "办公室", "工作中", "工作上"],
        before: &DO,
    },
    Setting { name: "在家", words: &[], bound: &["家里", "家"], before: &DO },
];
/// What a system does in a setting.
const RUN: [&str; 12] =
    ["用", "使用", "采用", "跑", "部署", "数据库", "的数据库", "已经", "全部", "我们用", "我们使用", "我们的数据库"];
/// What somebody does in one place and another.
const DO: [&str; 12] = ["用", "使用", "我用", "我们用", "喝", "我喝", "吃", "我吃", "穿", "我穿", "讲", "说"];

/// Takes a setting off the front.
fn setting<'a>(manner: &mut Manner, text: &'a str) -> Option<&'a str> {
    let inner = text.strip_prefix('在').unwrap_or(text);
    let (setting, rest) = SETTINGS.iter().find_map(|setting| {
        let behind = |word: &&str| inner.strip_prefix(*word).map(tail).filter(|rest| !rest.is_empty());
        let bound = |rest: &&str| setting.before.iter().any(|word| rest.starts_with(word));
        let rest = setting.words.iter().find_map(behind);
        let rest = rest.or_else(|| setting.bound.iter().find_map(behind).filter(bound))?;
        Some((setting, rest))
    })?;
    manner.qualifier = Some(setting.name);
    manner.timed |= setting.name.ends_with('天');
    // "夏天去了日本" tells when, "夏天游泳" what is done every summer.
    manner.habit |= !setting.name.ends_with("环境") && !text.contains(['了', '过']);
    Some(rest)
}

/// What stands behind a setting, without "里", "的时候" and the like.
fn tail(text: &str) -> &str {
    let text = ["的时候", "里面", "那边", "里", "中", "上", "下", "时"]
        .iter()
        .find_map(|tail| text.strip_prefix(tail))
        .unwrap_or(text);
    text.strip_prefix('的').unwrap_or(text).trim_start_matches([',', ' '])
}

/// Takes a time, a setting, "now", "formerly" or a habit off the front.
fn time<'a>(manner: &mut Manner, text: &'a str) -> Option<&'a str> {
    if let Some(rest) = setting(manner, text) {
        return Some(rest);
    }
    if let Some(rest) = cut(&TODAY, text).filter(|rest| !rest.is_empty()) {
        manner.moment = true;
        return Some(rest);
    }
    let found = |pattern| {
        let rest: &str = cut(pattern, text).filter(|rest| !rest.is_empty())?;
        // "总" and "常" are adverbs, but not in "总部" and "常州".
        let adverb = text[..text.len() - rest.len()].ends_with(['总', '常']);
        let word = rest.starts_with(['部', '州', '务', '熟', '见', '共', '监', '裁', '理', '公', '用']);
        (!(adverb && word)).then_some(rest)
    };
    if let Some(rest) = found(&TIME) {
        manner.timed = true;
        // "从五月起": since then, and not before.
        manner.changed |= text[..text.len() - rest.len()].trim_end_matches([',', ' ']).ends_with(['起', '始']);
        return Some(rest);
    }
    for (pattern, flag) in [(&NOW, &mut manner.changed), (&PAST, &mut manner.past), (&HABIT, &mut manner.habit)] {
        if let Some(rest) = found(pattern) {
            *flag = true;
            return Some(rest);
        }
    }
    None
}
