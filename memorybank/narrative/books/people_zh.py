"""Who speaks in a Chinese book: what stands before 道 and 说 where speech follows (宝玉忙笑道：“……).

How a speaker speaks is taken off (忙, 笑, 冷笑), so is what leads up to him (只见, 那). What is left is a name if it
comes again, if others speak *to* it or *of* it as well (向宝玉, 叫宝玉), and if it is no word for just anyone (众人).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from memorybank.engines.offline.wordlists import FUNCTION_HAN, WEAK_HAN
from memorybank.text import CJK

_LEAST = 3
"""Times a name must speak."""
_LONGEST = 4
_LEAST_ADDRESSED = 0.02
"""Times others turn to a name, beside the times it speaks: a way of speaking (一面, 半日) is turned to by nobody."""
_FROM_ANOTHER = 0.25
"""What begins with a name that speaks four times as often is that name and what it does (行者闻言), not a name."""
_MOST_OF_SURNAMED = 0.7
"""Share of the surnamed forms of a given name (林黛玉, 甄宝玉) that makes one of them its whole name."""

_SPEECH_RE = re.compile(rf"([{CJK}]{{1,14}})(?:道|说|說|曰)\s?(?=[：:，,。“\"「『])")
_MANNER_RE = re.compile(
    "(?:[笑冷忙又便因也就都才只且方遂乃即问答叹哭骂喝叫回说听了着点头低高急连赶先再还亦却啐嗤陪劝喊嚷应告诉向对厉淡]"
    "|拍手|摇头|含泪|悄悄|轻轻|微微|大声|大怒|大喜|大惊|诧异|近前|上前|开口|沉声|轻声|微笑|吩咐"
    "|[看写念想地]|[进出过回上下起]来|(?<!家)的)+$"
)
_LEAD_RE = re.compile(
    "^(?:[这那又只便因忙却且既是]|话说|却说|且说|只见|忽见|忽听|听得|听见|谁知|一时|此时|当下|正是|原来|只听|于是)+"
)
_ANYONE_RE = re.compile(
    r"""
    [众群各].* | 诸[位人公神天仙将臣] | [一几两二三四五六七八九十百][人个位名僧神妖怪贼鬼猴官臣将老声面时日旁下]*
  | .*(?:们|人等|家人) | [一二三四五六七八九十]+ | (?:[大小]?众|[那这]些)人?
  | 半[日晌天] | [口心嘴][里内中下上].* | [依据照][我你他].* | [向对和同][我你他].* | 自[古己言语] | 虽?[如因]此
  | 俗[语话] | 常言 | 古[人语] | 正是 | 起身 | 站起.* | 回头 | 诗.* | [门上外里]面? | 门上 | 上头
  | 大[家众] | 怎么 | 不[知觉由]
  | [小老大男女那这二三四五]?(?:丫头子?|丫鬟|婆子|媳妇|嬷嬷|小厮|和尚|道士|道人|先生|老爷|太太|奶奶|姑娘|小姐
      |公子|丫|妖|怪|魔|国王|太子|王子|女王|皇帝|老者|妇人|女子|妖精|妖怪|怪物|妖魔|妖邪|妖王|魔王|樵夫|樵子|渔人|渔翁|僧
      |僧人|尼|家|人|者|儿|爷|少年|青年|男子|女人|男人|老人|孩子|孩儿|汉子|姑子|门子|书办
      |知县|刺史|丞相|员外|驿丞|判官|先锋
      |土地|龙王|娘娘|公主|婆婆|公公|童子|仙童|仆人|店家|掌柜|医生|大夫|警察|父亲|母亲|爸爸|妈妈|哥哥|弟弟|姐姐|妹妹|爷爷
      |祖父|祖母|师父|师傅|徒弟|弟子|长老|将军|大人|夫人|家丁|侍卫|士兵|宫女|太监|驸马|娘子|相公|客人|主人|兄弟|朋友|同学
      |老师|学生)
    """,
    re.VERBOSE,
)
"""Words for just anyone, and for how something is said."""
_INSIDE_RE = re.compile(f"[{''.join(char for char in FUNCTION_HAN if char not in '来于和')}]")
_TO_ANOTHER_RE = re.compile("[问向叫命对喊骂劝]")
"""问宝玉道: not a name, but who is asked."""
_OF_A_HOUSEHOLD = "家的"
"""周瑞家的: a servant's wife is called so, though 的 stands in no other name."""
_SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏窦章云苏潘葛奚范彭郎鲁韦昌马苗凤方俞任袁柳"
    "酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐傅皮卞齐康伍余元卜顾孟平黄穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋"
    "茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞支柯昝管卢莫经房裘缪干解应宗"
    "丁宣贲邓郁杭洪包诸左石崔吉钮龚程嵇邢滑裴陆荣翁荀羊甄封芮储靳邴糜松井段富巫乌焦巴弓牧隗山谷车侯宓蓬郗班仰秋仲伊宫"
    "宁仇栾暴甘钭厉戎祖武符刘景詹束龙叶幸司韶郜黎蓟薄印宿白怀蒲邰鄂索咸籍赖卓蔺屠蒙池乔阴胥苍双闻莘党翟谭贡劳逄姬申扶堵"
    "冉宰郦雍璩桑桂濮牛寿边扈燕冀郏浦尚农温别庄晏柴瞿阎充慕连茹习宦艾鱼古易慎戈廖庾终暨居衡步耿满弘匡国文寇广禄阙"
    "殳沃利蔚越夔隆师巩厍聂晁勾敖融冷訾辛阚简饶曾沙乜养鞠须丰巢关蒯查荆红游竺权逯盖益桓公"
)
"""The Hundred Family Surnames (百家姓) of one character, less those that stand before any name (向, 和, 那)."""


def speakers(texts: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Names with their other forms: the surname before it, 儿 after it."""
    spoken = Counter(name for text in texts for name in _before_speech(text))
    plausible = {name: count for name, count in spoken.items() if count >= _LEAST and _may_be_name(name)}
    names = [name for name in plausible if not _is_longer_of(name, plausible) and not _is_asked(name, plausible)]
    turned_to = _turned_to(texts, names)
    names = [name for name in names if turned_to[name] >= max(1, _LEAST_ADDRESSED * plausible[name])]
    return _with_forms(texts, names, spoken)


def _before_speech(text: str) -> Iterable[str]:
    for match in _SPEECH_RE.finditer(text):
        name = _LEAD_RE.sub("", _MANNER_RE.sub("", match[1]))
        if 2 <= len(name) <= _LONGEST:
            yield name


def _may_be_name(name: str) -> bool:
    inside = name.removesuffix(_OF_A_HOUSEHOLD)
    return not (_ANYONE_RE.fullmatch(name) or name in WEAK_HAN or _INSIDE_RE.search(inside))


def _is_longer_of(name: str, spoken: Mapping[str, int]) -> bool:
    return any(
        spoken.get(name[:size], 0) * _FROM_ANOTHER > spoken[name] and not _is_form(name, name[:size])
        for size in range(2, len(name))
    )


def _is_asked(name: str, spoken: Mapping[str, int]) -> bool:
    return bool(_TO_ANOTHER_RE.match(name)) and name[1:] in spoken


def _is_form(longer: str, name: str) -> bool:
    return longer in (name + "儿", name + _OF_A_HOUSEHOLD)


def _turned_to(texts: Sequence[str], names: Sequence[str]) -> Counter[str]:
    """How often each name is spoken to, called, seen, or named beside another."""
    if not names:
        return Counter()
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    turning = re.compile(
        f"(?:[向对问叫命见同与和替给请唤拉找、]|见了|告诉|吩咐)({'|'.join(map(re.escape, longest_first))})"
    )
    return Counter(match[1] for text in texts for match in turning.finditer(text))


def _with_forms(texts: Sequence[str], names: Sequence[str], spoken: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
    """One entry for a person: 黛玉 with 林黛玉, 凤姐 with 凤姐儿; the form that speaks most names it."""
    surnamed = _surnamed(texts, [name for name in names if len(name) == 2])
    people = {name: {name} for name in names}
    for name in names:
        whole = surnamed.get(name, "")
        for form in (name + "儿", whole if spoken.get(whole, 0) else ""):
            if form in people or (form and form == whole):
                people[name] |= people.pop(form, {form})
    named = {max(forms, key=lambda form: (spoken.get(form, 0), form)): forms for forms in people.values()}
    return {name: tuple(sorted(forms - {name})) for name, forms in named.items()}


def _surnamed(texts: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Given names with their whole name, where one surname stands before most of those that have one."""
    if not names:
        return {}
    before = re.compile(f"([{''.join(sorted(_SURNAMES))}])({'|'.join(map(re.escape, names))})")
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    for text in texts:
        for match in before.finditer(text):
            counts[match[2]][match[1]] += 1
    whole = {}
    for name, surnames in counts.items():
        if surnames:
            surname, count = surnames.most_common(1)[0]
            if count >= _LEAST and count >= _MOST_OF_SURNAMED * surnames.total():
                whole[name] = surname + name
    return whole
