"""Summaries of nodes: how short they are, which of the source's numbers, dates and names they keep, and what they mean.

Texts are ingested by a session; each topic it finds has a source text and a summary. What stays whole by rule (texts
under three sentences, 200 Han characters or 600 letters, topics with tables or code) is left out, and counted in the
notes.

Length: the mean over topics of the summary's characters over the source's, so that the limit holds for the set and a
text full of facts may take more; the notes give the ratio of the sums beside it.

Kept: the mean over topics of the share of the source's distinct mentions that the summary has. Numbers in digits are
counted again by a plain pattern that knows nothing of the engine's. Beside the baselines of equal length stands what
whole sentences can hold in half of each source when they are chosen for exactly this measure (`extracts.most_facts`):
a ceiling for whole sentences, not a competitor. Near in meaning: the cosine of the session's embedding model, between
the summary and its whole source, above extracts of equal length: the lead, and sentences at random (the baselines of
extractive summarisation; Nenkova and McKeown 2011, section 1.3). Word for word: each sentence stands whole in the
source (`verbatim`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memorybank.embedding.base import Embedder
from memorybank.engines.offline.salience import MentionKind, mentions
from memorybank.engines.offline.structure import FEWEST_SENTENCES, is_short
from memorybank.language.text import blocks, detect_lang, fold_space, sentences
from memorybank.session.assembly import offline_parts
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank_lab.evaluation.data import embedder_for, sampled
from memorybank_lab.evaluation.extracts import Found, at_random, lead, most_facts
from memorybank_lab.evaluation.report import Report, Score, mean_score
from memorybank_lab.evaluation.sessions import held_session
from memorybank_lab.evaluation.texts import SETS, Text
from memorybank_lab.evaluation.verbatim import not_verbatim

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

KINDS: Final[tuple[MentionKind, ...]] = ("number", "date", "name")
_DIGITS_RE: Final = re.compile(r"\d+(?:[.,]\d+)*")
EVERY: Final = "numbers, dates and names kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryTopic:
    """What one node stands on, and its summary."""

    name: str
    source: str
    summary: str

    @property
    def whole(self) -> bool:
        """It stays as it is by rule, or has parts that do."""
        parts = blocks(self.source)
        prose = sum(len(sentences(self.source[part.start : part.end])) for part in parts if part.kind != "heading")
        return (
            prose < FEWEST_SENTENCES or is_short(self.source) or any(part.kind in ("table", "code") for part in parts)
        )


def run(
    data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None], sets: Iterable[str] = SETS
) -> Report:
    scores: list[Score] = []
    notes: list[str] = []
    examples: list[Mapping[str, str]] = []
    for name in sets:
        texts = sampled(list(SETS[name](data)), full, SAMPLES[name])
        progress(f"summaries: {name}, {len(texts)} texts")
        chosen = embedder_for([text.text[:2_000] for text in texts], embedder)
        found = topics(texts, chosen)
        given = [topic for topic in found if not topic.whole]
        kinds = f"{len(found) - len(given)} stay whole, {len(given)} are judged{_in_all(given)}"
        notes.append(f"{name}: {len(found)} topics; {kinds}.")
        scores += judged(name, given)
        scores += similarities(name, sampled(given, full, EMBEDDED), chosen)
        examples += _losses(name, given)
    return Report(name="summaries", scores=tuple(scores), notes=tuple(notes), examples=tuple(examples[:EXAMPLES]))


def topics(texts: Sequence[Text], embedder: Embedder) -> list[SummaryTopic]:
    """The topics and summaries that a session makes of texts; it stops before it compares them."""
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
    """Length, whole sentences and facts of the summaries; facts of extracts of their length. Nothing for no topics."""
    if not given:
        return []
    scores = [_shortness(data, given), *whole_sentences(data, given)]
    for system, extract in SYSTEMS.items():
        scores += _kept_scores(data, system, given, [extract(topic) for topic in given])
    most = [most_facts(topic.source, int(LONGEST * len(topic.source.strip())), facts, stated) for topic in given]
    shares = kept_shares(_pairs(given, most), facts, stated)
    return [*scores, mean_score(data, EVERY, "ceiling: most facts in whole sentences at 50 %", shares)]


def similarities(data: str, given: Sequence[SummaryTopic], embedder: Embedder) -> list[Score]:
    """The cosine of each extract with its source."""
    if not given:
        return []
    known = embedder.documents([topic.source for topic in given])
    scores = []
    for system, extract in SYSTEMS.items():
        found = embedder.documents([extract(topic) for topic in given])
        cosines = (known * found).sum(axis=1).tolist()
        scores.append(mean_score(data, "similarity to the source", system, cosines))
    return scores


# -- length and sentences ---------------------------------------------------------------------------------------------


def _shortness(data: str, given: Sequence[SummaryTopic]) -> Score:
    ratios = [len(topic.summary.strip()) / len(topic.source.strip()) for topic in given]
    return mean_score(data, "length over the source's", "engine", ratios, goal=LONGEST, at_most=True)


def _in_all(given: Sequence[SummaryTopic]) -> str:
    """All characters of the summaries over all of the sources'."""
    total = sum(len(topic.source.strip()) for topic in given)
    return f", {sum(len(topic.summary.strip()) for topic in given) / total:.3f} of their length in all" if total else ""


def whole_sentences(data: str, given: Sequence[SummaryTopic]) -> list[Score]:
    """The share of topics whose summary says every sentence word for word."""
    whole = [float(not not_verbatim(topic.summary, topic.source)) for topic in given]
    return [mean_score(data, "summaries word for word", "engine", whole, goal=1.0)]


# -- facts ------------------------------------------------------------------------------------------------------------


def _kept_scores(data: str, system: str, given: Sequence[SummaryTopic], extracts: Sequence[str]) -> list[Score]:
    goal = KEPT if system == "engine" else None
    named: list[tuple[str, Found, Found]] = [
        (EVERY, facts, stated),
        *((f"{kind}s kept", _of_kind(kind), stated) for kind in KINDS),
        ("numbers in digits kept", digits, digits),
    ]
    pairs = _pairs(given, extracts)
    return [
        mean_score(data, measure, system, kept_shares(pairs, wanted, said), goal=goal if measure == EVERY else None)
        for measure, wanted, said in named
    ]


def _pairs(given: Sequence[SummaryTopic], extracts: Sequence[str]) -> list[tuple[str, str]]:
    return [(topic.source, text) for topic, text in zip(given, extracts, strict=True)]


def kept_shares(pairs: Iterable[tuple[str, str]], wanted: Found, said: Found) -> list[float]:
    """Of what is wanted of each source, the share that its extract says; sources without any are left out."""
    known = ((wanted(source), said(text)) for source, text in pairs)
    return [len(facts_ & found) / len(facts_) for facts_, found in known if facts_]


def facts(text: str) -> frozenset[str]:
    """Numbers, dates and names, ready to compare. A capital that only ever opens a sentence makes no name."""
    return frozenset(mention.key for mention in mentions(text) if mention.certain)


def stated(text: str) -> frozenset[str]:
    """The same, and names that open a sentence: where an extract puts one first it is there all the same."""
    return frozenset(mention.key for mention in mentions(text))


def _of_kind(kind: MentionKind) -> Found:
    return lambda text: frozenset(mention.key for mention in mentions(text) if mention.certain and mention.kind == kind)


def digits(text: str) -> frozenset[str]:
    """Runs of digits, thousands separators left out."""
    return frozenset(found.replace(",", "") for found in _DIGITS_RE.findall(unicodedata.normalize("NFKC", text)))


# -- systems ----------------------------------------------------------------------------------------------------------

SYSTEMS: Final[dict[str, Callable[[SummaryTopic], str]]] = {
    "engine": lambda topic: topic.summary,
    "lead of equal length": lambda topic: lead(topic.source, len(topic.summary)),
    "random sentences of equal length": lambda topic: at_random(topic.source, len(topic.summary)),
}


# -- failures ---------------------------------------------------------------------------------------------------------


def _losses(data: str, given: Sequence[SummaryTopic]) -> list[Mapping[str, str]]:
    """The topic that lost the largest share of its facts."""
    lost = [(len(facts(topic.source) - stated(topic.summary)), topic) for topic in given if facts(topic.source)]
    if not lost:
        return []
    count, topic = max(lost, key=lambda pair: pair[0] / len(facts(pair[1].source)))
    gone = sorted(facts(topic.source) - stated(topic.summary))
    return [
        {
            "set": data,
            "text": topic.name,
            "lost": f"{count} of {len(facts(topic.source))}: {', '.join(gone[:6])}",
            "summary": fold_space(topic.summary)[:120],
        }
    ]
