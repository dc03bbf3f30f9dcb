"""The badge on every result: what made it, as a value and as a chip. The first page has one, so it needs no events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memorybank.memory.types import Lang
from memorybank.settings.llm import HAND, RECORDING
from memorybank.views.box import Box, box, chip
from memorybank.views.i18n import t

Cached = Literal["no", "some", "all"]

OFFLINE = "offline"
USER = "user"
"""The `closed_by` of a verdict that a person stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    engine: str
    """The engine: `offline`, `llm`, `user`, or an outside framework's name; empty when nothing has been made yet."""
    model: str = ""
    """The name of the language model."""
    cached: Cached = "no"
    """Whether the answer cache served it, in part or whole."""
    recorded: bool = False
    """Whether it is of a run that comes with the app."""


def chip_of(origin: Origin, lang: Lang, *, replay: bool = False) -> Box:
    words, help_ = words_of(origin, lang)
    chips = [box("span", "chip origin", words, title=help_)] if words else []
    if origin.cached != "no":
        key = "badge.cache" if origin.cached == "all" else "session.origin.cache_some"
        chips.append(box("span", "chip origin", t(key, lang), title=t("session.origin.cache_help", lang)))
    if replay:
        chips.append(chip(t("badge.replay", lang), "origin"))
    return box("span", "origins", *chips)


def words_of(origin: Origin, lang: Lang) -> tuple[str, str]:
    """Return the words and their explanation; empty when nothing has been made yet."""
    if not origin.engine:
        return "", ""
    if origin.engine == OFFLINE:
        words = t("session.origin.part_by_hand" if origin.model else "badge.offline", lang)
        return words, t("badge.offline_help", lang)
    if origin.engine == USER:
        return t("session.origin.user", lang), t("session.origin.user_help", lang)
    if origin.engine == "llm":
        if not origin.model:
            return t("session.origin.model", lang), t("badge.llm_help", lang)
        if origin.recorded or origin.model.startswith(f"{RECORDING}:"):
            return t("session.origin.recorded", lang), t("session.origin.recorded_help", lang)
        if origin.model == HAND:
            return t("session.origin.by_hand", lang), t("session.origin.by_hand_help", lang)
        return t("badge.llm", lang, model=origin.model), t("badge.llm_help", lang)
    return t("session.origin.other", lang, name=origin.engine), t("session.origin.other_help", lang)
