//! Function words: they carry grammar, not content. Negations are never among them.

use std::{collections::HashSet, sync::LazyLock};

type Words = LazyLock<HashSet<&'static str>>;

fn set(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

/// English function words.
pub(super) static EN: Words = LazyLock::new(|| {
    set("a an the this that these those some any each every all both such same own other another
        i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself
        she her hers herself it its itself they them their theirs themselves one ones
        am is are was were be been being do does did doing done have has had having
        will would shall should can could may might must ought
        and or but if then else so as than because while until though although since whether
        of at by for with about against between into through during before after above below to from up down in out
        on off over under again further once onto upon per via
        what which who whom whose when where why how there here
        just only too very also quite really actually even still yet already ever much many more most
        few lot lots well oh hi hello hey ok okay yes yeah yep please thanks thank
        i'm im i've ive i'd i'll it's he's she's that's there's what's who's let's we're we've we'd we'll
        you're you've you'd you'll they're they've they'd they'll he'd he'll she'd she'll it'll here's how's where's
        get got gets getting let")
});

/// Spanish function words; they count only where the text is not English.
pub(super) static ES: Words = LazyLock::new(|| {
    set("el la los las lo un una unos unas de del al a ante bajo con contra desde en entre hacia hasta para por
        según sobre tras y e o u pero mas si que qué como cómo cuando cuándo donde dónde quien quién cual cuál porque
        yo tú tu tus él ella ello nosotros nosotras vosotros ustedes ellos ellas usted me te se nos os le les mi mis
        mí su sus nuestro nuestra nuestros nuestras este esta esto estos estas ese esa eso esos esas aquel aquella
        ser es soy eres somos son era eran fue fueron sido siendo estar estoy estás está estamos están estaba
        haber he has ha hemos han había hay tener tengo tienes tiene tenemos tienen tenía
        muy más menos ya también tan tanto todo toda todos todas otro otra otros otras algo alguno alguna mucho mucha
        muchos muchas sí así aquí ahí allí hola gracias")
});

/// Russian function words, with `е` for `ё`.
pub(super) static RU: Words = LazyLock::new(|| {
    set("и а но да или либо то же ли бы б ведь вот ну уж уже еще лишь только даже тоже также как так что чтобы если
        когда пока хотя потому поэтому зато однако чем
        в во на с со к ко у о об обо от ото до из изо за по под подо над надо при про для через между перед после около
        против ради кроме среди вместо
        я меня мне мной мною мы нас нам нами ты тебя тебе тобой вы вас вам вами он его него ему нему им ним нем
        она ее нее ей ней ею нею оно они их них ими ними себя себе собой
        мой моя мое мои моего моей моему моим моем моих моими мою наш наша наше наши нашего нашей нашему нашим нашем
        наших нашими нашу твой твоя твое твои твоего твоей твоих ваш ваша ваше ваши вашего вашей вашему вашим вашем
        ваших вашими вашу свой своя свое свои своего своей своему своим своем своих своими свою
        этот эта это эти этого этой этому этим этом этих этими эту тот та те того той тому тем том тех теми ту
        такой такая такое такие такого такую таких сам сама само сами самого самой весь вся все всё всего всей всем
        всех всеми всю каждый каждая каждое другой другая другое другие
        кто кого кому кем ком чего чему какой какая какое какие какого каких который которая которое которые которого
        которой которых где куда откуда там тут здесь туда сюда
        быть был была было были буду будет будем будете будут есть суть
        очень просто почти совсем именно прямо вообще конечно значит кстати вроде типа
        привет здравствуйте спасибо пожалуйста ага угу ок")
});

/// Chinese function characters.
pub(super) fn zh(c: char) -> bool {
    "我你您他她它们的了吗呢吧啊呀哦嘛这那个是在也都就很和与".contains(c)
}
