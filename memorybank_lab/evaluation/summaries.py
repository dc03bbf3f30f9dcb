"""Summaries of nodes: how short they are, which of the source's numbers, dates and names they keep, and what they mean.

Texts are ingested by a session; each topic it finds has a source text and a summary. What stays whole by rule (texts
under three sentences, 200 Han characters or 600 letters, topics with tables or code) is left out, and counted in the
notes.

Length: the mean over topics of the summary's characters over the source's, so that the limit holds for the set and a
text full of facts may take more. Kept: the mean over topics of the share of the source's distinct mentions that the
summary has. Near in meaning: the cosine of the session's embedding model, between the summary and its whole source.
Beside these stands the lead of equal length, the baseline of extractive summarisation (Nenkova and McKeown 2011,
section 1.3). Word for word: each sentence stands whole in the source (`verbatim`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memorybank.embedding.base import Embedder
from memorybank.engines.offline.salience import mentions
from memorybank.engines.offline.structure import FEWEST_SENTENCES, is_short
from memorybank.language.text import blocks, detect_lang, fold_space, sentences
from memorybank.session.assembly import offline_parts
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank_lab.evaluation.data import SETS, Text, embedder_for, sampled
from memorybank_lab.evaluation.report import Report, Score, mean_score
from memorybank_lab.evaluation.verbatim import held_session, not_verbatim

LONGEST = 0.5
"""Share of the source's characters that a summary may have."""
KEPT = 0.85
"""Share of the source's numbers, dates and names that it must have."""
SAMPLES: Final = {
    "Choi": 25,
    "web_en": 30,
    "MemoryBank": 40,
    "novels": 8,
    "CMRC2018": 500,
    "demo en": 60,
    "demo zh": 60,
}
"""Texts of a set that are taken unless everything is asked for; one text has several topics."""
EMBEDDED = 20
"""Topics of a set whose similarity is measured unless everything is asked for: every extract has to be embedded."""
EXAMPLES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryTopic:
    """The source that one node stands on, and its summary."""

    name: str
    source: str
    summary: str

    @property
    def whole(self) -> bool:
        """Say whether it stays as it is by rule, or has parts that do."""
        parts = blocks(self.source)
        prose = sum(len(sentences(self.source[part.start : part.end])) for part in parts if part.kind != "heading")
        return (
            prose < FEWEST_SENTENCES or is_short(self.source) or any(part.kind in ("table", "code") for part in parts)
        )


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    scores: list[Score] = []
    notes: list[str] = []
    examples: list[Mapping[str, str]] = []
    for name, read in SETS.items():
        texts = sampled(list(read(data)), full, SAMPLES[name])
        progress(f"summaries: {name}, {len(texts)} texts")
        chosen = embedder_for([text.text[:2_000] for text in texts], embedder)
        found = topics(texts, chosen)
        given = [topic for topic in found if not topic.whole]
        notes.append(f"{name}: {len(found)} topics; {len(found) - len(given)} stay whole, {len(given)} are judged.")
        scores += judged(name, given)
        scores += similarities(name, sampled(given, full, EMBEDDED), chosen)
        examples += _losses(name, given)
    return Report(name="summaries", scores=tuple(scores), notes=tuple(notes), examples=tuple(examples[:EXAMPLES]))


def topics(texts: Sequence[Text], embedder: Embedder) -> list[SummaryTopic]:
    """Return the topics and summaries that a session makes of texts; it stops before it compares them."""
    sources = [Source(name=text.name, text=text.text, kind=text.kind) for text in texts]
    lang = detect_lang(texts[0].text)
    with held_session(offline_parts(Settings(), lang, embedder), sources=sources) as session:
        session.run_until(lambda report: report.stage == "structure")
        tree = session.bank.tree
        return [
            SummaryTopic(
                name=tree.entries[cluster.spans[0].entry_id].source,
                source="".join(tree.text(span) for span in cluster.spans),
                summary=cluster.summary,
            )
            for cluster in session.bank.progress.clusters
        ]


def judged(data: str, given: Sequence[SummaryTopic]) -> list[Score]:
    """Score length, whole sentences and facts of summaries, and facts of leads of that length; nothing for none."""
    if not given:
        return []
    ratios = [len(topic.summary.strip()) / len(topic.source.strip()) for topic in given]
    whole = [not not_verbatim(topic.summary, topic.source) for topic in given]
    scores = [
        mean_score(data, "length over the source's", "engine", ratios, goal=LONGEST, at_most=True),
        mean_score(data, "summaries word for word", "engine", whole, goal=1.0),
    ]
    for system, extract in SYSTEMS.items():
        shares = kept_shares((topic.source, extract(topic)) for topic in given)
        goal = KEPT if system == "engine" else None
        scores.append(mean_score(data, "numbers, dates and names kept", system, shares, goal=goal))
    return scores


def similarities(data: str, given: Sequence[SummaryTopic], embedder: Embedder) -> list[Score]:
    """Score the cosine of each extract with its source."""
    if not given:
        return []
    known = embedder.documents([topic.source for topic in given])
    scores = []
    for system, extract in SYSTEMS.items():
        found = embedder.documents([extract(topic) for topic in given])
        scores.append(mean_score(data, "similarity to the source", system, (known * found).sum(axis=1).tolist()))
    return scores


def kept_shares(pairs: Iterable[tuple[str, str]]) -> list[float]:
    """Return of each source's facts the share that its extract states; sources without any are left out."""
    known = ((facts(source), stated(text)) for source, text in pairs)
    return [len(wanted & said) / len(wanted) for wanted, said in known if wanted]


def facts(text: str) -> frozenset[str]:
    """Return numbers, dates and names, ready to compare. A capital that only ever opens a sentence makes no name."""
    return frozenset(mention.key for mention in mentions(text) if mention.certain)


def stated(text: str) -> frozenset[str]:
    """Return the facts, and names that open a sentence: where an extract puts one first it is there all the same."""
    return frozenset(mention.key for mention in mentions(text))


def lead(source: str, length: int) -> str:
    """Return the first sentences, as near to so many characters as whole sentences come."""
    taken: list[str] = []
    used = 0
    for start, end in sentences(source):
        sentence = fold_space(source[start:end])
        if taken and used + len(sentence) - length > length - used:
            break
        if sentence:
            taken.append(sentence)
            used += len(sentence)
    return "\n".join(taken)


SYSTEMS: Final[dict[str, Callable[[SummaryTopic], str]]] = {
    "engine": lambda topic: topic.summary,
    "lead of equal length": lambda topic: lead(topic.source, len(topic.summary)),
}


def _losses(data: str, given: Sequence[SummaryTopic]) -> list[Mapping[str, str]]:
    """Return the topic that lost the largest share of its facts."""
    lost = [(len(facts(topic.source) - stated(topic.summary)), topic) for topic in given if facts(topic.source)]
    if not lost:
        return []
    count, topic = max(lost, key=lambda pair: pair[0] / len(facts(pair[1].source)))
    gone = sorted(facts(topic.source) - stated(topic.summary))
    told = f"{count} of {len(facts(topic.source))}: {', '.join(gone[:6])}"
    return [{"set": data, "text": topic.name, "lost": told, "summary": fold_space(topic.summary)[:120]}]
