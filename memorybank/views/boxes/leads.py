"""Words that lead somewhere: to a moment, a call, whatever a link names."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.memory.types import Lang, Node
from memorybank.views.box import Box, box
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.text.passages import address


def go(words: str, target: str, *, title: str = "") -> Box:
    """Words that lead somewhere."""
    return box("span", "leads", words, choose=target, title=title)


def go_moment(seq: int, lang: Lang) -> Box:
    return go(t("conflicts.go_moment", lang), link("moment", seq), title=t("conflicts.go_moment_help", lang))


def go_call(seq: int, lang: Lang) -> Box:
    return go(t("conflicts.go_call", lang), link("call", seq), title=t("conflicts.go_call_help", lang))


def go_value(node: Node, value: str, lang: Lang) -> Box:
    """To where a value of a memory came from; to all of its values, where it does not say this one in these words."""
    at = node.summary.find(value) if value else -1
    place = address(node.id, at, at + len(value)) if at >= 0 else node.id
    return go(t("value.follow", lang), link("value", place), title=t("value.follow_help", lang))


def gos(*pieces: Box | None) -> Box | None:
    """Links beside each other; None when there is none."""
    links: Iterable[Box] = [piece for piece in pieces if piece is not None]
    return box("div", "leads-row", *links) if links else None
