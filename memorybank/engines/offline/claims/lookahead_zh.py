"""What stands around a place in a Chinese clause: is this verb a noun, this word a preposition, where does 的 end?"""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.engines.offline.claims.kinds_zh import Token


def is_preposition(tokens: Sequence[Token], at: int) -> bool:
    return (at + 1 < len(tokens) and tokens[at + 1].kind not in ("punct", "verb", "adverb", "de")) or tokens[
        at
    ].text in ("由", "被")


def verb_follows(tokens: Sequence[Token], at: int) -> bool:
    """Whether a verb follows: at once, or after 在, 对 and their object."""
    after_preposition = False
    for token in tokens[at + 1 : at + 10]:
        if token.kind == "verb":
            return True
        after_preposition |= token.kind == "prep"
        if not (
            token.kind in ("adverb", "prep") or (after_preposition and token.kind in ("han", "latin", "title", "attr"))
        ):
            return False
    return False


def acts(tokens: Sequence[Token], at: int) -> bool:
    """Whether a modal is followed by a verb that is not listed: 企鹅会飞."""
    rest = tokens[at + 1 :]
    return bool(rest) and rest[0].kind == "han" and all(token.kind in ("han", "adverb") for token in rest)


def is_nominal(tokens: Sequence[Token], at: int) -> bool:
    """A verb after 的 is a noun: 该桥的设计使用寿命."""
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if (
        following is not None
        and following.kind == "han"
        and following.text[0] in "时后前中期"
        and not following.text.startswith(("中国", "中华", "中央", "中科"))  # 是中国第五个南极考察站
    ):
        return True  # 在设计时
    while at > 0 and tokens[at - 1].kind == "verb" and tokens[at - 1].end == tokens[at].start:
        at -= 1
    return at > 0 and tokens[at - 1].kind == "de"


def number_next(tokens: Sequence[Token], at: int) -> bool:
    rest = (token.kind for token in tokens[at + 1 :] if token.kind not in ("adverb", "de"))
    return next(rest, "") == "number"


def ends_relative(tokens: Sequence[Token], at: int) -> bool:
    """Whether a verb is followed by 的 and a noun."""
    return at + 2 < len(tokens) and tokens[at + 1].text == "的" and tokens[at + 2].kind in ("han", "latin", "title")


def relative_span(tokens: Sequence[Token], at: int) -> tuple[int, int] | None:
    """For a verb whose clause ends in 的 and a noun: where the 的 stands and where the noun ends."""
    for index in range(at + 1, len(tokens)):
        token = tokens[index]
        if token.kind in ("verb", "punct", "neg"):
            return None
        if token.text == "的":
            end = index + 1
            while end < len(tokens) and tokens[end].kind not in (
                "verb",
                "prep",
                "neg",
                "punct",
                "adverb",
                "date",
            ):
                end += 1
            return (index, end) if end > index + 1 and index > at + 1 else None
    return None


def cleft_span(tokens: Sequence[Token], at: int) -> int:
    """主持设计工作的是黎晓岚: where the 的 before 是 stands; 0 if there is none."""
    for index in range(at + 2, len(tokens) - 2):
        if tokens[index].text == "的" and tokens[index + 1].text in ("是", "为"):
            return index
    return 0
