"""What a draft says that someone does, and what is done with a thing, whatever the verb.

The patterns of `extraction.statements` know the relations that a story settles (gives, dies, is whose brother). To see
that a dead person acts, the verb does not matter: what matters is that the name is the subject of a deed that the
narrator tells as going on. So these rules ask by grammar, and list what may be said of the dead and of lost things
instead of what may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import yaml

from memorybank.narrative.extraction.mentions import Named
from memorybank.narrative.extraction.narration import Story
from memorybank.narrative.extraction.statements import Encoded, Statement, told_at
from memorybank.types import Lang

DOES: Final = "does"
"""The subject acts, or is met with."""
KIN_DOES: Final = "kin_does"
"""The object's relative of the kind in `word` acts."""
HANDLED: Final = "handled"
"""The object, a thing, is in use or lies at hand."""


USES: Final = "use"
"""The subject uses the object, a thing: the name of a pattern of `extraction.statements`, which knows fewer verbs."""


PERFORMS: Final = "perform"
"""The subject makes use of the object, an ability; a pattern of `extraction.statements` too."""


class Deed(NamedTuple):
    """A deed in an encoded sentence: offsets are of its characters."""

    event: str
    named: Named
    start: int
    end: int
    at: int
    """Where the deed is told: its verb."""
    word: str
    thing: Named | None = None
    """What is used, of `USES` and `PERFORMS`."""


@cache
def deed_words(lang: Lang) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((files(__package__) / f"deeds.{lang}.yaml").read_text("utf-8"))
    return loaded


def deeds(story: Story, sentences: Iterable[Encoded]) -> Iterator[Statement]:
    """The deeds of all sentences, as statements."""
    # The readers of the two languages need the words of this module.
    from memorybank.narrative.continuity import deeds_en, deeds_zh

    read = deeds_zh.deeds if story.lang == "zh" else deeds_en.deeds
    return (one for encoded in sentences for one in _statements(story, encoded, read(encoded)))


def _statements(story: Story, encoded: Encoded, found: Iterable[Deed]) -> Iterator[Statement]:
    for one in found:
        place = encoded.places[one.at]
        told = told_at(story, place)
        if told is None:
            continue
        yield Statement(
            event=one.event,
            subject=one.named if one.thing is not None or one.event == DOES else None,
            object=one.thing or (None if one.event == DOES else one.named),
            to=None,
            word=one.word,
            denied=False,
            telling=told.telling_at(place - told.clause.start),
            mark=told.mark,
            sentence=encoded.piece,
            start=encoded.places[one.start],
            end=max(encoded.places[one.end - 1], encoded.places[one.start]) + 1,
        )
