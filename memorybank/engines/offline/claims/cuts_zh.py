"""Chinese sentences cut into clauses: at commas, brackets, and where a speaker is named; and what hedges a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memorybank.engines.offline.claims.kinds_zh import Token

_CLAUSE_ENDS = frozenset("，；。！？,;!?…")
_OPEN, _CLOSE = frozenset("（([【"), frozenset("）)]】")


def clauses(tokens: Sequence[Token]) -> Iterator[tuple[list[Token], bool]]:
    """Cut at commas; what stands in brackets is a clause after the one it stands in, an aside (True).

    A date alone joins the next clause.
    """
    clause: list[Token] = []
    inner: list[list[Token]] = []
    depth = 0
    for token in tokens:
        if token.text in _OPEN and token.kind == "punct":
            depth += 1
            inner.append([])
        elif token.text in _CLOSE and token.kind == "punct":
            depth = max(0, depth - 1)
        elif depth:
            inner[-1].append(token)
        elif token.kind == "punct" and token.text in _CLAUSE_ENDS:
            if not _only_adverbial(clause):
                yield from _close(clause, inner)
                clause, inner = [], []
        else:
            clause.append(token)
    yield from _close(clause, inner)


_SAYS_RE = re.compile(r"(?<![小传学据听解演名简俗通])(?:说|称|表示|介绍|指出|透露|写道|告诉记者|回忆)$")


def after_speaker(clause: list[Token]) -> list[Token]:
    """主人说这里占地230亩: what is said, where it begins with a word that refers back."""
    for at, token in enumerate(clause[:4]):
        if token.kind not in ("han", "role", "latin", "title", "adverb"):
            break
        if at + 2 < len(clause) and clause[at + 1].kind == "back" and _SAYS_RE.search(token.text):
            return clause[at + 1 :]
    return clause


def _only_adverbial(clause: Sequence[Token]) -> bool:
    return (
        bool(clause)
        and clause[-1].text not in _CLAUSE_ENDS
        and all(token.kind in ("date", "adverb", "prep", "hedge") for token in clause)
    )


def _close(clause: list[Token], inner: list[list[Token]]) -> Iterator[tuple[list[Token], bool]]:
    if clause:
        yield clause, False
    yield from ((piece, True) for piece in inner if piece)


_PLAN_NOUNS = frozenset({"计划", "希望", "目标", "预测", "估计", "建议"})


def is_hedge(tokens: Sequence[Token], at: int) -> bool:
    """计划 hedges before a verb; in 这项计划 it is a noun."""
    if tokens[at].text not in _PLAN_NOUNS:
        return True
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    noun = (
        following is None
        or following.kind in ("de", "punct", "conj")
        or following.text in ("是", "为", "由", "于", "在")
    )
    return not noun and (at == 0 or tokens[at - 1].kind not in ("back", "de", "verb"))
