"""Words that name nothing: where a term ends, and what makes no keyphrase. Data only; English and Chinese."""

from __future__ import annotations

from memorybank.contradiction.words_zh import VERB_CLASS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS = _words("""
    a about according after all also although an and another any as at because before between both but by can could
    currently did do does during each either even every few finally first five for four from furthermore had haha has
    have he hello hence her here hey hi his hmm how however i if in indeed initially instead is it its last later let
    lol many may me meanwhile more moreover most mr mrs ms much my neither nevertheless no nor not now of often oh ok
    on once one only or other others our over overall perhaps please second she should similarly since so some soon
    still such ten than thanks that the their them then there therefore these they third this those though three
    through thus to today together two under unlike until upon was we well were what when where whereas whether which
    while who whom whose why will with within without would wow yeah yep yes yet you your
""")
"""Words that a capital at the start of a sentence does not make a name."""

WEAK_WORDS = FUNCTION_WORDS | _words("""
    able across again ago already always among announced are around away back be became become becomes been began being
    best better big called came can't cannot case come comes day days didn didn't different doesn doesn't don don't done
    down easy etc ever far found gave get gets getting give given go goes going gone good got great he's i'll i'm i've
    isn isn't it's just keep kept kind know known large launched less let let's like little long look lot made main make
    makes making maybe might mine myself need never new next off old out part people per place published put quite
    rather really released reported right said same saw say says see seem seems seen set several shall she's show shown
    shows small something sort stated sure take taken takes tell that's there's they're thing things think thought time
    times told too took toward try turn unveiled up use used uses using various very want wanted wasn way ways we're
    went what's won't work works year years you're
""")
"""Words that neither begin nor end a term."""

FUNCTION_HAN = (
    "的了是在和与或及也都就还而但为被把对从到由以于之其这那有等向将让使并不此该各某每"
    "来去说称又则着过我你您他她它们咱些吧吗呢啊呀哦嗯啦哈"
)
"""Han characters that rarely stand in a name or a term."""

WEAK_EDGE_HAN = "能会可要应像很最更再太个名只种条台座颗枚位一二两三四五六七八九十几多第"
"""Han characters that no term of three or more begins with: modals, degrees, counts, measures."""

WEAK_HAN = _words("""
    可以 没有 我们 你们 他们 她们 它们 自己 什么 怎么 如何 这个 那个 这些 那些 这样 那样 一个 一些 一种 一样 一直
    一般 一定 因为 所以 但是 不过 如果 虽然 然而 而且 并且 以及 或者 为了 由于 根据 关于 通过 进行 目前 现在 已经
    曾经 开始 之后 之前 以后 以前 其中 其他 非常 比较 更加 特别 尤其 主要 重要 许多 很多 大量 一次 第一 第二 同时
    当时 此外 另外 今天 昨天 明天 今年 去年 时候 时间 情况 问题 方面 部分 可能 应该 需要 能够 必须 认为 表示 指出
    称为 成为 得到 觉得 知道 喜欢 想要 还是 就是 只是 不是 也是 都是 哪里 那里 这里 起来 出来 下来 过来 回来 只见
    听见 笑道 说道 问道 忙道 有点 挺好 好的 谢谢 你好 今日 当日 一面 一时 如今 两个 几个 众人 只管 听得 可知 后面
    原来 不知 只得 忽然 忽见 说着 怎样 那么 这么 多么 真的 确实 其实 以来 期间 分别 包括 来自 作为 不同 相关 有关
    一下 大家 感觉 帮助 推荐
""")
"""Chinese words that are no term by themselves."""

CUTTING_HAN = frozenset(word for word in WEAK_HAN | VERB_CLASS.keys() if len(word) > 1)
"""Chinese words between which terms stand."""
