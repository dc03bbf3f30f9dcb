"""What the continuity check marks in drafts of fresh prose: errors by their kind, marks by the kind of finding.

A mark is right when it lies in the sentence that contradicts the record; in a near miss, or elsewhere, it is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memorybank.lab.evaluation.fresh.stories import LANGS, DraftPassage, stories
from memorybank.lab.evaluation.report import Score, mean_score
from memorybank.memory.types import Lang
from memorybank.narrative.continuity.check import check
from memorybank.narrative.continuity.findings import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedDraft:
    lang: Lang
    draft: DraftPassage
    findings: tuple[Finding, ...]

    def right(self, finding: Finding) -> bool:
        start = self.draft.text.index(self.draft.sentence)
        return self.draft.error and start <= finding.start < start + len(self.draft.sentence)

    @property
    def caught(self) -> bool:
        return any(self.right(finding) for finding in self.findings)


def checked(lang: Lang) -> Iterator[CheckedDraft]:
    for story in stories(lang):
        hub = story.hub_of_record()
        for draft in story.drafts:
            yield CheckedDraft(
                lang=lang, draft=draft, findings=tuple(check(draft.text, draft.chapter, lang, hub.facts))
            )


def scored() -> tuple[list[Score], list[str], list[dict[str, str]]]:
    """Scores, notes with the counts of each kind and rule, and the drafts that were judged wrongly."""
    scores: list[Score] = []
    notes: list[str] = []
    rows: list[dict[str, str]] = []
    for lang in LANGS:
        found = list(checked(lang))
        data = f"fresh prose {lang}"
        scores += [
            mean_score(data, "precision of marks", "engine", _rights(found)),
            mean_score(data, "recall, all kinds", "engine", [one.caught for one in found if one.draft.error]),
            mean_score(
                data, "near misses marked", "engine", [bool(one.findings) for one in found if not one.draft.error]
            ),
        ]
        notes += [f"{data}: {_by_kind(found)}", f"{data}: {_by_rule(found)}"]
        rows += [_row(one) for one in found if one.draft.error != one.caught or not all(map(one.right, one.findings))]
    return scores, notes, rows


def _rights(found: Sequence[CheckedDraft]) -> list[bool]:
    return [one.right(finding) for one in found for finding in one.findings]


def _by_kind(found: Sequence[CheckedDraft]) -> str:
    kinds: dict[str, Counter[str]] = {}
    for one in found:
        counts = kinds.setdefault(one.draft.kind, Counter())
        counts["false"] += any(not one.right(finding) for finding in one.findings)
        if one.draft.error:
            counts["true" if one.caught else "missed"] += 1
    listed = "; ".join(
        f"{kind} {counts['true']}/{counts['false']}/{counts['missed']}" for kind, counts in kinds.items()
    )
    return f"true/false/missed by kind: {listed}"


def _by_rule(found: Sequence[CheckedDraft]) -> str:
    rules: dict[str, Counter[bool]] = {}
    for one in found:
        for finding in one.findings:
            rules.setdefault(finding.kind, Counter())[one.right(finding)] += 1
    listed = "; ".join(f"{rule} {counts[True]}/{counts[False]}" for rule, counts in sorted(rules.items()))
    return f"true/false by kind of finding: {listed or 'none'}"


def _row(one: CheckedDraft) -> dict[str, str]:
    return {
        "kind": one.draft.kind,
        "draft": one.draft.text,
        "expected": one.draft.against or "no mark",
        "engine": one.findings[0].reason if one.findings else "no mark",
        "": "fresh prose",
    }
