"""Who and what a passage of a draft is about: whom it names or means by a pronoun, and who is there from before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memorybank.language.tokens import query_tokens, tokenize
from memorybank.narrative.continuity.passages import Passage
from memorybank.narrative.continuity.scene import Scene
from memorybank.narrative.reading.mentions import Named
from memorybank.narrative.reading.short_names import with_short_names
from memorybank.narrative.types import EntityKey, EntityKind

MOST_CARRIED: Final = 4
"""People of the passage before who may still be there."""
SHARE: Final = 0.6
"""Of the words of an event's or a hook's name that a passage which speaks of it has."""


@dataclass(frozen=True, slots=True)
class Present:
    """One passage's people and things, each once, in the order in which they come."""

    named: tuple[EntityKey, ...]
    carried: tuple[EntityKey, ...]
    """People of the passage before that this one does not name."""
    told_of: tuple[EntityKey, ...]
    """Events and hooks, by the words of their names."""


def present(drafted: Scene, cut: Sequence[Passage]) -> tuple[Present, ...]:
    """For each passage. Raises StoreUnavailableError."""
    names = with_short_names(drafted.names, ())
    meant = _by_passage(cut, ((mention.start, mention.named) for all_ in drafted.encoded for mention in all_.mentions))
    topics = _topics(drafted)
    carried: tuple[EntityKey, ...] = ()
    made = []
    for passage, pronouns in zip(cut, meant, strict=True):
        text = drafted.text[passage.start : passage.end]
        named = [*(mention.named for mention in names.find(text)), *pronouns]
        people = tuple(dict.fromkeys(one.key for one in named if one.kind is EntityKind.CHARACTER))
        keys = tuple(dict.fromkeys(one.key for one in named))
        others = tuple(key for key in carried if key not in keys)
        made.append(Present(keys, others, tuple(_told_of(text, topics))))
        carried = (people or carried)[-MOST_CARRIED:]
    return tuple(made)


def _by_passage(cut: Sequence[Passage], mentions: Iterable[tuple[int, Named]]) -> list[list[Named]]:
    """Mentions, in the order of the text, by the passage in which they stand."""
    sorted_: list[list[Named]] = [[] for _ in cut]
    at = 0
    for start, named in sorted(mentions, key=lambda mention: mention[0]):
        while at < len(cut) and cut[at].end <= start:
            at += 1
        if at < len(cut):
            sorted_[at].append(named)
    return sorted_


def _topics(drafted: Scene) -> Mapping[EntityKey, frozenset[str]]:
    """Events and hooks, which are told in words of their own, with the words of their names."""
    names = drafted.record.facts.names((EntityKind.EVENT, EntityKind.HOOK))
    return {key: frozenset(query_tokens(name)) for name, key in names.items()}


def _told_of(text: str, topics: Mapping[EntityKey, frozenset[str]]) -> Iterator[EntityKey]:
    words = frozenset(tokenize(text))
    for key, own in topics.items():
        if own and len(own & words) >= SHARE * len(own):
            yield key
