"""What a draft says that someone does, and what is done with a thing, whatever the verb.

The patterns of `reading.statements` know the relations that a story settles. To see that a dead person acts, the
verb does not matter: what matters is that the name is the subject of a deed that the narrator tells as going on. So
this is read by grammar, with lists of what may be said of the dead and of lost things.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memorybank.narrative.continuity import deeds_en, deeds_zh
from memorybank.narrative.continuity.deed import DOES, Deed
from memorybank.narrative.reading.narration import Story
from memorybank.narrative.reading.statements import Encoded, Statement, clause_at


def deeds(story: Story, sentences: Iterable[Encoded]) -> Iterator[Statement]:
    """The deeds of all sentences, as statements."""
    read = deeds_zh.deeds if story.lang == "zh" else deeds_en.deeds
    return (
        statement
        for encoded in sentences
        for deed in read(encoded)
        if (statement := _statement(story, encoded, deed)) is not None
    )


def _statement(story: Story, encoded: Encoded, deed: Deed) -> Statement | None:
    place = encoded.places[deed.at]
    judged = clause_at(story, place)
    if judged is None:
        return None
    return Statement(
        event=deed.event,
        subject=deed.named if deed.event == DOES else None,
        object=None if deed.event == DOES else deed.named,
        to=None,
        word="",
        denied=False,
        modality=judged.modality_at(place - judged.clause.start),
        mark=judged.mark,
        sentence=encoded.piece,
        start=encoded.places[deed.start],
        end=max(encoded.places[deed.end - 1], encoded.places[deed.start]) + 1,
    )
