"""The answer's first lines: the values that were asked for, each with who states it, and whether it was checked.

A value is given for a part of the goal when a dispute or a statement is on what that part names and asks. What was
checked comes first, then what is not settled, then what was not disputed. Values are verbatim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memorybank.contradiction.describe import shown
from memorybank.contradiction.disputes import Dispute, StatedValue, label
from memorybank.contradiction.entity_names import same_name
from memorybank.contradiction.matter import matter, opened
from memorybank.contradiction.same_value import same_value
from memorybank.contradiction.stance import frame_of
from memorybank.engines.offline.asking import Question, question_of
from memorybank.engines.offline.quotable import Passage
from memorybank.engines.offline.stated import Stated, stated
from memorybank.language.han import is_han
from memorybank.language.tokens import tokenize
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.prompts import say

BEARING = 0.4
"""Share of a question's words in a disputed statement, where the question names nothing to go by."""


def value_lines(
    parts: Sequence[str], disputes: Sequence[Dispute], passages: Sequence[Passage], lang: Lang
) -> tuple[str, ...]:
    """Writes one line for each value, the checked ones first."""
    questions = [question_of(part) for part in parts]
    bearing = [
        dispute for dispute in disputes if dispute.values and any(bears_on(dispute, question) for question in questions)
    ]
    decided = [dispute for dispute in bearing if dispute.holds is not None]
    undecided = [dispute for dispute in bearing if dispute.status in (ConflictStatus.INCONCLUSIVE, ConflictStatus.OPEN)]
    both_hold = [dispute for dispute in bearing if dispute.status is ConflictStatus.FALSE_ALARM]
    lines = [
        *(_decided(dispute, lang) for dispute in decided),
        *(_listed(dispute, "answer_undecided", lang) for dispute in undecided),
        *(_listed(dispute, "answer_both_hold", lang) for dispute in both_hold),
        *_undisputed(questions, bearing, passages, lang),
    ]
    return tuple(dict.fromkeys(lines))


def bears_on(dispute: Dispute, question: Question) -> bool:
    """Whether a dispute is on what a question asks."""
    facts = [fact for claim in dispute.claims if (fact := frame_of(claim)) is not None]
    if any(question.is_answered_by(fact) for fact in facts):
        return True
    if question.names and not (dispute.entity and question.is_about(dispute.entity)):
        return False
    if not question.names:
        claim_words = [set(tokenize(claim.text)) for claim in dispute.claims]
        return any(len(question.words & words) >= BEARING * len(question.words) for words in claim_words)
    named = {token for claim in dispute.claims for token in tokenize(f"{claim.attribute} {claim.unit}")}
    asked_for = {token for word in (*question.aspect, question.counted) for token in tokenize(word)}
    return bool(named & asked_for)


# -- lines ------------------------------------------------------------------------------------------------------------


def _decided(dispute: Dispute, lang: Lang) -> str:
    """The value that holds, who states it, and what the others have."""
    holds, between = dispute.values[0], say("sources_between", lang)
    rivals = [
        say("answer_rival", lang, count=len(value.sources), value=value.text, sources=between.join(value.sources))
        for value in dispute.values[1:]
        if value.sources
    ]
    key = "answer_checked_value" if holds.sources else "answer_decided_value"
    line = say(key, lang, about=opened(label(dispute)), value=_cited(holds, lang), count=len(holds.sources))
    return line + say("answer_rivals", lang, rivals=say("rivals_between", lang).join(rivals)) if rivals else line


def _listed(dispute: Dispute, key: str, lang: Lang) -> str:
    values = say("dispute_between" if key == "answer_undecided" else "answer_between", lang).join(
        _cited(value, lang) for value in dispute.values
    )
    return say(key, lang, about=opened(label(dispute)), values=values)


def _cited(value: StatedValue, lang: Lang) -> str:
    if not value.sources:
        return value.text
    node = value.node_ids[0] if value.node_ids else ""
    sources = say("sources_between", lang).join(value.sources)
    return say("answer_cited" if node else "dispute_value", lang, value=value.text, node=node, sources=sources)


def _undisputed(
    questions: Sequence[Question], bearing: Sequence[Dispute], passages: Sequence[Passage], lang: Lang
) -> Iterator[str]:
    """Writes the values that were read and are in no dispute."""
    for question in questions:
        if not question.wanted or not question.names:
            continue
        undisputed = [
            candidate
            for candidate in stated(question, passages)
            if not any(_is_of(candidate, dispute) for dispute in bearing)
        ]
        for name in question.names:
            values = [candidate for candidate in undisputed if candidate.name == name]
            if values:
                cited = say("answer_between", lang).join(_stated(value, lang) for value in values)
                attribute = values[0].claim.attribute
                if values[0].claim.kind == "number" and question.aspect and not question.counted:
                    attribute = ("" if is_han(name) else " ").join(question.aspect)
                stated_already = any(attribute in shown(value.claim) for value in values)
                about = matter(name, "" if stated_already else attribute, (value.claim for value in values))
                yield say("answer_value", lang, about=opened(about), value=cited)


def _is_of(value: Stated, dispute: Dispute) -> bool:
    """Whether a dispute has the value already, or has decided against it."""
    return any(same_value(value.claim, claim) for claim in dispute.claims) or (
        dispute.holds is not None
        and same_name(value.name, dispute.entity)
        and value.claim.kind == dispute.claims[0].kind
    )


def _stated(value: Stated, lang: Lang) -> str:
    """Cites a value with the memory and the documents that it stands in."""
    node, _, source = value.sources[0].partition(": ")
    others = [source.partition(": ")[2] or source for source in value.sources[1:]]
    sources = say("sources_between", lang).join(dict.fromkeys([source, *others]))
    return say("answer_cited", lang, value=shown(value.claim), node=node, sources=sources)
