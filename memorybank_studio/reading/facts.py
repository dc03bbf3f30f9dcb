"""Facts that an author settles in the form's own words: a name on record, a relation, a name on record.

    Settled: In chapter 3 Mara owns the Moon Lantern.      事实：林霜拥有玉佩。

The relation is written as the studio itself tells it (`hub/words.*.yaml`). Words that tell two relations
("belongs to") are read by the kinds that these lead from and to; whatever is written otherwise is not read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from memorybank.memory.types import Lang
from memorybank_studio.hub.verbalisation import tell_predicate
from memorybank_studio.reading.dating import without_chapter_ahead
from memorybank_studio.reading.mentions import Named, Names
from memorybank_studio.reading.source import Source
from memorybank_studio.relations import RELATIONS, Relation
from memorybank_studio.types import Fact, normal

_ARTICLE_AHEAD_RE: Final = re.compile(r"^(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_ARTICLE_BEHIND_RE: Final = re.compile(r"\s+(?:the|an?)$", re.IGNORECASE)
_END: Final = " \t\n。.！!；;"


def settled_fact(sentence: str, names: Names, source: Source) -> Fact | None:
    """The fact that a settled sentence is; None where it is written in other words."""
    text = _ARTICLE_AHEAD_RE.sub("", without_chapter_ahead(sentence.strip()).strip(_END))
    mentions = names.find(text)
    if len(mentions) != 2 or mentions[0].start != 0 or mentions[1].end != len(text):
        return None
    subject, object_ = (mention.named for mention in mentions)
    between = _ARTICLE_BEHIND_RE.sub("", text[mentions[0].end : mentions[1].start].strip())
    relations = _by_words(source.lang).get(normal(between), ())
    fitting = [relation.name for relation in relations if _fits(relation, subject, object_)]
    if len(fitting) != 1 or subject.key == object_.key:
        return None
    return Fact(
        subject=subject.key,
        predicate=fitting[0],
        object=object_.key,
        since=source.since,
        origin=source.origin(sentence.strip()),
    )


def _fits(relation: Relation, subject: Named, object_: Named) -> bool:
    return subject.kind in relation.subjects and object_.kind in relation.objects


@cache
def _by_words(lang: Lang) -> Mapping[str, Sequence[Relation]]:
    relations: dict[str, list[Relation]] = defaultdict(list)
    for relation in RELATIONS.values():
        relations[normal(tell_predicate(relation.name, lang))].append(relation)
    return relations
