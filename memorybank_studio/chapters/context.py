"""The prompts about a chapter for a language model: first what stays the same from call to call, then what has changed.

    task, style, outlines, steps, facts, settings, plan      the same for every piece: servers keep such a beginning
    pieces so far in short, running state, the last words    of this piece

Everything comes from outside and stands in blocks; parts of which there is nothing are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memorybank.language.text import sentences
from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import load
from memorybank.prompts.tags import block
from memorybank_studio.chapters.manuscript import Manuscript, PassageOrder, Piece, StateKind, StateLine, pieces_for
from memorybank_studio.counting import words_in
from memorybank_studio.creativity.evidence import STYLE_CHAPTERS, STYLE_CHARS, setting_lines, style_samples
from memorybank_studio.hub.stores import Stores, foremost
from memorybank_studio.hub.verbalisation import tell_fact, tell_note
from memorybank_studio.names import cast_from, stands_in
from memorybank_studio.reading.mentions import names_to_look_up
from memorybank_studio.types import BEFORE_THE_STORY, TOOK_PART_IN, Entity, EntityKey, EntityKind, Plan, normal
from memorybank_studio.wording import say

MOST_CAST: Final = 12
"""Entities that the model is told of, as they are first named."""
FACTS_EACH: Final = 10
MOST_HOOKS: Final = 8
ENDING_CHARS: Final = 1_200
"""The most characters of the text before that are shown, in whole sentences."""
AROUND_CHARS: Final = 600
"""The characters that are shown before and after a passage that is rewritten."""
UNREAD_CHARS: Final = 3_000
"""The most characters that are shown of a piece without a summary, as the author wrote it."""


def words_for(lang: Lang) -> Mapping[str, str]:
    return load(__package__, f"prompts.{lang}")


def system_prompt(role: str, lang: Lang) -> str:
    words = words_for(lang)
    return words[role].format(data=words["data"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterContext:
    """One chapter as it stands. `style_chars`: of each of the chapters before; 0: none of them."""

    chapter: Manuscript
    stores: Stores
    lang: Lang
    style_chars: int = STYLE_CHARS

    def to_plan(self) -> str:
        count = pieces_for(self.chapter.length, len(plans_of(self.chapter, self.stores)), self.lang)
        key = "plan_now" if count > 1 else "plan_now_one"
        now = self._say(key, count=count, length=self.chapter.length)
        return _joined([*self._shared(), self._part("hooks", self._hooks()), self._ending_before(), now])

    def to_write(self) -> str:
        """Return the prompt for the next piece."""
        pieces, count = self.chapter.pieces, len(self.chapter.beats)
        number = len(pieces) + 1
        now = self._say(
            "write_last" if number == count else "write_now",
            number=number,
            count=count,
            length=next_length(self.chapter),
        )
        ending = self._part("ending", [ending_of(pieces[-1].text)]) if pieces else self._ending_before()
        so_far = self._part("summaries", summaries_of(pieces)), self._part("state", state_of(pieces, self.lang))
        return _joined([*self._shared(), *so_far, ending, now])

    def to_revise(self, passage: PassageOrder) -> str:
        piece = self.chapter.pieces[passage.piece - 1]
        before, after = piece.text[: passage.start], piece.text[passage.end :]
        return _joined(
            [
                *self._shared(),
                self._part("summaries", summaries_of(self.chapter.pieces[: passage.piece])),
                self._part("state_then", state_of(self.chapter.pieces[: passage.piece - 1], self.lang)),
                self._part("passage_before", [ending_of(before, AROUND_CHARS)]),
                self._part("passage", [passage.text]),
                self._part("passage_after", [beginning_of(after, AROUND_CHARS)]),
                f"{self._say('order')}\n{block('task', passage.order)}",
                self._say("revise_now"),
            ]
        )

    def _say(self, key: str, **values: object) -> str:
        return words_for(self.lang)[key].format_map(values)

    def _part(self, key: str, lines: Iterable[str]) -> str:
        text = "\n".join(lines).strip()
        return f"{self._say(key)}\n{block('memory', text)}" if text else ""

    def _shared(self) -> list[str]:
        own = (self._part(kind, lines) for kind, lines in self.material().items())
        return [block("task", self._task()), *own, self._beats()]

    def material(self) -> dict[str, tuple[str, ...]]:
        """Return what the chapter stands on, by kind: the heading is the prompts' sentence of this name."""
        steps = plans_of(self.chapter, self.stores)
        cast = self._cast(steps)
        kinds: dict[str, Iterable[str]] = {
            "style": self._style(),
            "above": map(_told, self.stores.plans.parents(steps[0].key) if steps else ()),
            "steps": (f"S{number}. {_told(step)}" for number, step in enumerate(steps, start=1)),
            "next_step": map(_told, _next_step(steps, self.stores)),
            "facts": (*self._notes(cast), *self._facts(cast, self.chapter.number - 1)),
            # What was settled of this chapter before it is written does not hold when the chapter begins.
            "comes": self._facts(cast, self.chapter.number, self.chapter.number),
            "settings": setting_lines(self.stores, cast, self.chapter.number),
        }
        return {kind: tuple(lines) for kind, lines in kinds.items()}

    def _task(self) -> str:
        head = self._say("chapter", number=self.chapter.number, title=self.chapter.title).strip()
        return f"{head}\n{self._say('author_asks')}\n{self.chapter.outline}" if self.chapter.outline else head

    def _style(self) -> Iterable[str]:
        if not self.style_chars:
            return ()
        chunks = self.stores.archive.before(self.chapter.number, chapters=STYLE_CHAPTERS)
        return style_samples(chunks, self.style_chars)

    def _cast(self, steps: Sequence[Plan]) -> list[Entity]:
        """Return whom and what the plan names, the first named first, and what is theirs, which may be lost by now."""
        texts = [self.chapter.title, self.chapter.outline, *map(_told, steps)]
        for beat in self.chapter.beats:
            texts += [beat.title, beat.happens, beat.outcome, *beat.cast]
        facts = self.stores.facts
        named = [EntityKey(key) for key in cast_from(names_to_look_up(facts)).names_in("\n".join(texts))]
        named += self._in_events(named)
        has = ((key, predicate) for key in named for predicate in ("OWNS", "HAS_ABILITY"))
        had = (fact.object for each in has for fact in facts.matching(*each, chapter=self.chapter.number))
        keys = tuple(dict.fromkeys([*named, *had]))[:MOST_CAST]
        entities = facts.entities(keys)
        return [entities[key] for key in keys if key in entities]

    def _in_events(self, keys: Sequence[EntityKey]) -> list[EntityKey]:
        """Return who takes part in the events among these: an event's name is mostly a sentence that names them."""
        facts = self.stores.facts
        events = (entity for entity in facts.entities(keys).values() if entity.kind is EntityKind.EVENT)
        about = (fact for event in events for fact in facts.about(event.key, chapter=self.chapter.number))
        return [fact.subject for fact in about if fact.predicate == TOOK_PART_IN]

    def _notes(self, cast: Sequence[Entity]) -> Iterator[str]:
        for entity in cast:
            note = tell_note(entity, self.lang)
            if note and entity.kind is not EntityKind.EVENT:  # a named event is mostly the chapter's own
                yield say("noted", self.lang, name=entity.name, note=note)

    def _facts(self, cast: Sequence[Entity], chapter: int, since: int = BEFORE_THE_STORY) -> Iterator[str]:
        facts = self.stores.facts
        told = (
            tell_fact(fact, facts.entity, self.lang)
            for entity in cast
            for fact in foremost(
                [fact for fact in facts.about(entity.key, chapter=chapter) if fact.since >= since], FACTS_EACH
            )
        )
        yield from dict.fromkeys(told)

    def _hooks(self) -> Iterator[str]:
        hooks = self.stores.facts.hooks(resolved=False, chapter=self.chapter.number)
        yield from (hook.name for hook, _ in hooks[-MOST_HOOKS:] if hook.kind is EntityKind.HOOK)

    def _ending_before(self) -> str:
        before = "".join(chunk.text for chunk in self.stores.archive.before(self.chapter.number, chapters=1))
        return self._part("ending_before", [ending_of(before)])

    def _beats(self) -> str:
        lines: list[str] = []
        for number, beat in enumerate(self.chapter.beats, start=1):
            lines.append(self._say("beat", number=number, title=beat.title, happens=beat.happens))
            if beat.outcome:
                lines.append(self._say("beat_outcome", outcome=beat.outcome))
        return self._part("beats", lines)


def summaries_of(pieces: Iterable[Piece]) -> list[str]:
    return [f"{piece.number}. {in_short(piece)}" for piece in pieces]


def state_of(pieces: Iterable[Piece], lang: Lang) -> list[str]:
    """Return the running state after these pieces, told."""
    words = words_for(lang)
    return [
        words[f"state_{line.kind}"].format(id=line.id, who=line.who, what=line.what) for line in running_state(pieces)
    ]


def plans_of(chapter: Manuscript, stores: Stores) -> list[Plan]:
    """Return the steps that the chapter is to bring about, as the plan has them now; one that is gone is left out."""
    return [plan for key in chapter.plans if (plan := stores.plans.plan(key)) is not None]


def next_length(chapter: Manuscript) -> int:
    """Return the next piece's length: a share of what is left of the chapter's, never far from an even one."""
    left = max(1, len(chapter.beats) - len(chapter.pieces))
    even = chapter.length / max(1, len(chapter.beats))
    share = (chapter.length - sum(words_in(piece.text) for piece in chapter.pieces)) / left
    return max(10, 10 * round(min(max(share, even / 2), even * 1.5) / 10))


def in_short(piece: Piece) -> str:
    """Return the piece's summary; of a text that has none its beginning and its end."""
    if piece.summary:
        return piece.summary
    if len(piece.text) <= UNREAD_CHARS:
        return piece.text.strip()
    return f"{piece.text[: UNREAD_CHARS // 2].strip()} … {ending_of(piece.text, UNREAD_CHARS // 2)}"


def ending_of(text: str, most: int = ENDING_CHARS) -> str:
    """Return the text's last sentences, whole: as many as are within the size, one at least."""
    start = len(text)
    for piece in reversed(sentences(text)):
        if start < len(text) and len(text) - piece.start > most:
            break
        start = piece.start
    return text[start:].strip()


def beginning_of(text: str, most: int) -> str:
    """Return the text's first sentences, whole: as many as are within the size, one at least."""
    end = 0
    for piece in sentences(text):
        if end and piece.end > most:
            break
        end = piece.end
    return text[:end].strip()


def _told(plan: Plan) -> str:
    return f"{plan.title}: {plan.text}" if plan.text else plan.title


def _next_step(steps: Sequence[Plan], stores: Stores) -> Sequence[Plan]:
    """Return the step behind the last of these, of the same outline."""
    if not steps:
        return ()
    siblings = stores.plans.children(steps[-1].parent)
    places = [place for place, plan in enumerate(siblings) if plan.key == steps[-1].key]
    return siblings[places[0] + 1 : places[0] + 2] if places else ()


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(filter(None, parts))


def running_state(pieces: Iterable[Piece]) -> tuple[StateLine, ...]:
    """Return the lines that hold after the pieces, oldest first. A line whose quote is not in its piece holds never."""
    held: dict[str, StateLine] = {}
    for piece in pieces:
        for id_ in piece.ended:
            held.pop(id_, None)
        for line in (line for line in piece.state if stands_in(line.quote, piece.text)):
            held = {id_: earlier for id_, earlier in held.items() if _topic(earlier) != _topic(line)}
            held[line.id] = line
    return tuple(held.values())


def unfounded(pieces: Sequence[Piece]) -> tuple[StateLine, ...]:
    """Return lines that a model gave, and whose quote is not in the text, be it that the text was changed since."""
    return tuple(line for piece in pieces for line in piece.state if not stands_in(line.quote, piece.text))


def _topic(line: StateLine) -> tuple[str, ...]:
    """Return what a line settles in one way only: where one is, who has a thing, who knows a thing."""
    match line.kind:
        case StateKind.PLACE:
            return line.kind, normal(line.who)
        case StateKind.POSSESSION:
            return line.kind, normal(line.what)
        case StateKind.KNOWLEDGE:
            return line.kind, normal(line.who), normal(line.what)
