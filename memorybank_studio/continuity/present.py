"""Who and what a passage of a draft is about: whom it names, and who is there from before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memorybank.language.tokens import query_tokens, tokenize
from memorybank_studio.continuity.passages import Passage
from memorybank_studio.hub.contracts import FactLayer
from memorybank_studio.reading.mentions import Names
from memorybank_studio.types import EntityKey, EntityKind

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


def present(text: str, cut: Sequence[Passage], names: Names, facts: FactLayer) -> tuple[Present, ...]:
    """For each passage. Raises StoreUnavailableError."""
    names, topics = names.with_short(), _topics(facts)
    carried: tuple[EntityKey, ...] = ()
    made = []
    for passage in cut:
        words = text[passage.start : passage.end]
        named = [mention.named for mention in names.find(words)]
        people = tuple(dict.fromkeys(one.key for one in named if one.kind is EntityKind.CHARACTER))
        keys = tuple(dict.fromkeys(one.key for one in named))
        others = tuple(key for key in carried if key not in keys)
        made.append(Present(keys, others, tuple(_told_of(words, topics))))
        carried = (people or carried)[-MOST_CARRIED:]
    return tuple(made)


def _topics(facts: FactLayer) -> Mapping[EntityKey, frozenset[str]]:
    """Events and hooks, which are told in words of their own, with the words of their names."""
    names = facts.names((EntityKind.EVENT, EntityKind.HOOK))
    return {key: frozenset(query_tokens(name)) for name, key in names.items()}


def _told_of(text: str, topics: Mapping[EntityKey, frozenset[str]]) -> Iterator[EntityKey]:
    words = frozenset(tokenize(text))
    for key, own in topics.items():
        if own and len(own & words) >= SHARE * len(own):
            yield key
