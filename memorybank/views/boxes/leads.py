"""Words that lead somewhere: to a moment, a call, whatever a link names."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.memory.types import Lang, Node
from memorybank.views.box import Box, box
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.text.passages import address
from memorybank.views.text.stating import Statement, where_stated


def go(words: str, target: str, *, title: str = "") -> Box:
    """Words that lead somewhere."""
    return box("span", "leads", words, choose=target, title=title)


def go_moment(seq: int, lang: Lang) -> Box:
    return go(t("conflicts.go_moment", lang), link("moment", seq), title=t("conflicts.go_moment_help", lang))


def go_call(seq: int, lang: Lang) -> Box:
    return go(t("conflicts.go_call", lang), link("call", seq), title=t("conflicts.go_call_help", lang))


def go_value(node: Node, value: str, lang: Lang) -> Box:
    """Return the lead to where a value of a memory came from; to all its values, where it does not say this one."""
    at = node.summary.find(value) if value else -1
    stated = where_stated(Statement(value, value), node.summary) if value and at < 0 else None
    places = [(at, at + len(value))] if at >= 0 else stated.marks if stated else ()
    to = address(node.id, *places[0]) if places else node.id
    return go(t("value.follow", lang), link("value", to), title=t("value.follow_help", lang))


def gos(*pieces: Box | None) -> Box | None:
    """Links beside each other; None when there is none."""
    links: Iterable[Box] = [piece for piece in pieces if piece is not None]
    return box("div", "leads-row", *links) if links else None
