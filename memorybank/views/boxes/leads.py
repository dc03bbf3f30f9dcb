"""Words that lead somewhere: to a moment, a call, whatever a link names."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.memory.types import Lang
from memorybank.views.box import Box, box
from memorybank.views.i18n import t
from memorybank.views.link import link


def go(words: str, target: str, *, title: str = "") -> Box:
    """Words that lead somewhere."""
    return box("span", "leads", words, choose=target, title=title)


def go_moment(seq: int, lang: Lang) -> Box:
    return go(t("conflicts.go_moment", lang), link("moment", seq), title=t("conflicts.go_moment_help", lang))


def go_call(seq: int, lang: Lang) -> Box:
    return go(t("conflicts.go_call", lang), link("call", seq), title=t("conflicts.go_call_help", lang))


def gos(*pieces: Box | None) -> Box | None:
    """Links beside each other; None when there is none."""
    links: Iterable[Box] = [piece for piece in pieces if piece is not None]
    return box("div", "leads-row", *links) if links else None
