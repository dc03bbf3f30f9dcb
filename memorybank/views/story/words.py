"""A scene in words: its one sentence, and how long it takes to read."""

from __future__ import annotations

from memorybank.contradiction.words import opened, quoted
from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank.views.story.scene import Scene
from memorybank.views.story.sides import matter_of
from memorybank.views.text.display import clip, columns

VALUE, TALLIED, DESCRIPTION = 60, 40, 160
"""Columns."""
SHORTEST, LONGEST = 2.5, 4.5
"""Seconds of a scene."""


def scene_sentence(scene: Scene, lang: Lang) -> str:
    if scene.dispute is None:
        return t(f"story.{scene.words}", lang, **scene.values)
    matter, values = opened(matter_of(scene.dispute, lang)), _values(scene, lang)
    held = next((side for side in scene.sides if side.holds), None)
    votes = len(held.sources) if held is not None else 0
    sentence = t(
        f"story.{scene.words}",
        lang,
        **scene.values,
        matter=matter,
        values=values,
        tally=_tally(scene, lang),
        value=quoted(clip(held.value, VALUE)) if held is not None else "",
        votes=votes,
        independent=sum(source.is_new for source in held.sources) if held is not None else 0,
        against=sum(len(side.sources) for side in scene.sides) - votes,
    )
    if not scene.values.get("is_short"):
        return sentence
    key = "story.short" if matter else "story.short_unnamed"
    return t(key, lang, matter=matter, values=values, sentence=sentence)


def scene_seconds(scene: Scene, lang: Lang) -> float:
    """The time in which its sentence is read, and the graph looked at."""
    width = sum(map(columns, scene_sentence(scene, lang)))
    return max(SHORTEST, min(LONGEST, 1.0 + width / 40))


def _values(scene: Scene, lang: Lang) -> str:
    assert scene.dispute is not None
    if not scene.dispute.values:
        return clip(scene.dispute.description, DESCRIPTION)
    return t("punctuation.or", lang).join(quoted(clip(side.value, VALUE)) for side in scene.sides)


def _tally(scene: Scene, lang: Lang) -> str:
    counts = (
        t("story.count", lang, value=quoted(clip(side.value, TALLIED)), count=len(side.sources)) for side in scene.sides
    )
    return t("punctuation.list", lang).join(counts)
