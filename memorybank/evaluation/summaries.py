"""Summaries of nodes: how short they are, which of the source's numbers, dates and names they keep, and what they mean.

Texts are ingested by a session; each topic it finds has a source text and a summary. What stays whole by rule (texts
under three sentences or 200 characters, topics with tables or code) is left out, and counted in the notes.

Kept: the mean over topics of the share of the source's distinct mentions that the summary has. Numbers in digits are
counted again by a plain pattern that knows nothing of the engine's. Near in meaning: the cosine of the session's
embedding model, between the summary and its whole source, above extracts of equal length: the lead, and sentences at
random (the baselines of extractive summarisation; Nenkova and McKeown 2011, section 1.3). Whole sentences: the share of
the summary's sentences that begin and end where one of the source does, told by end marks and line breaks alone.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from memorybank.assembly import offline_parts
from memorybank.config import Settings
from memorybank.embedding.base import Embedder
from memorybank.engines.offline.salience import MentionKind, mentions
from memorybank.engines.offline.structure import FEWEST_CHARACTERS, FEWEST_SENTENCES
from memorybank.evaluation.data import embedder_for, load_json, only, sampled
from memorybank.evaluation.pages import pages
from memorybank.evaluation.report import Report, Score, mean_score
from memorybank.session import Session
from memorybank.stages.recording import Source
from memorybank.text import CJK, blocks, detect_lang, fold_space, sentences
from memorybank.tools.corpus import Corpus
from memorybank.types import EntryKind, Lang

LONGEST = 0.5
"""Share of the source's characters that a summary may have."""
KEPT = 0.85
"""Share of the source's numbers, dates and names that it must have."""
SAMPLES: Final = {
    "Choi": 25,
    "web_en": 40,
    "MemoryBank": 40,
    "novels": 8,
    "CMRC2018": 100,
    "demo en": 60,
    "demo zh": 60,
}
"""Texts of a set that are taken unless everything is asked for; one text has several topics."""
SHORT_HAN, SHORT_LETTERS = 200, 600
"""Under so many Han characters, or letters, or parts of both, a text is short."""
CHAPTER = 5_000
"""Characters of a chapter that are read."""
EMBEDDED = 40
"""Topics of a set whose similarity is measured unless everything is asked for: every extract has to be embedded."""
EXAMPLES = 6

KINDS: Final[tuple[MentionKind, ...]] = ("number", "date", "name")
_DIGITS_RE: Final = re.compile(r"\d+(?:[.,]\d+)*")
_HAN_RE: Final = re.compile(f"[{CJK}]")
_END_MARKS: Final = frozenset(".!?…:;。！？：；．｡”’」』）)\"'")
_CHAPTER_RE: Final = re.compile(r"(?m)^第[一二三四五六七八九十百零〇]+回")
DEMO: Final = Path(__file__).resolve().parents[2] / "assets" / "corpus"


Found = Callable[[str], frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    name: str
    text: str
    kind: EntryKind = "document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What one node stands on, and its summary."""

    name: str
    source: str
    summary: str

    @property
    def whole(self) -> bool:
        """It stays as it is by rule, or has parts that do."""
        parts = blocks(self.source)
        prose = sum(len(sentences(self.source[part.start : part.end])) for part in parts if part.kind != "heading")
        few = prose < FEWEST_SENTENCES or len(self.source.strip()) < FEWEST_CHARACTERS
        return few or any(part.kind in ("table", "code") for part in parts)

    @property
    def short(self) -> bool:
        """Only what carries no fact is left out of it."""
        han = len(_HAN_RE.findall(self.source))
        return han + (len(self.source) - han) * SHORT_HAN / SHORT_LETTERS < SHORT_HAN


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    scores: list[Score] = []
    notes: list[str] = []
    examples: list[Mapping[str, str]] = []
    for name, read in SETS.items():
        texts = sampled(list(read(data)), full, SAMPLES[name])
        progress(f"summaries: {name}, {len(texts)} texts")
        chosen = embedder_for([text.text[:2_000] for text in texts], embedder)
        found = topics(texts, chosen)
        given = [topic for topic in found if not topic.whole and not topic.short]
        few = [topic for topic in found if not topic.whole and topic.short]
        whole = len(found) - len(given) - len(few)
        notes.append(f"{name}: {len(found)} topics; {whole} stay whole, {len(few)} are short, {len(given)} are judged.")
        scores += judged(name, given)
        scores += short_scores(f"{name}, short", few)
        scores += similarities(name, sampled(given, full, EMBEDDED), chosen)
        examples += _losses(name, given)
    return Report(name="summaries", scores=tuple(scores), notes=tuple(notes), examples=tuple(examples[:EXAMPLES]))


def topics(texts: Sequence[Text], embedder: Embedder) -> list[Topic]:
    """The topics and summaries that a session makes of texts; it stops before it compares them."""
    sources = [Source(name=text.name, text=text.text, kind=text.kind) for text in texts]
    lang = detect_lang(texts[0].text)
    with TemporaryDirectory() as folder:
        parts = offline_parts(Settings(), lang, embedder)
        with Session.start(Path(folder) / "run", parts, sources=sources) as session:
            session.run_until(lambda report: report.stage == "structure")
            tree = session.bank.tree
            return [
                Topic(
                    name=tree.entries[cluster.spans[0].entry_id].source,
                    source="".join(tree.text(span) for span in cluster.spans),
                    summary=cluster.summary,
                )
                for cluster in session.bank.progress.clusters
            ]


def judged(data: str, given: Sequence[Topic]) -> list[Score]:
    """Length, whole sentences and facts of the summaries; facts of extracts of their length. Nothing for no topics."""
    if not given:
        return []
    scores = [_shortness(data, given, LONGEST), whole_sentences(data, given)]
    for system, extract in SYSTEMS.items():
        scores += _kept_scores(data, system, given, [extract(topic) for topic in given])
    return scores


def short_scores(data: str, given: Sequence[Topic]) -> list[Score]:
    """Length and facts of the summaries of short topics, without a goal."""
    if not given:
        return []
    kept = kept_shares([(topic.source, topic.summary) for topic in given], facts, stated)
    return [
        _shortness(data, given, None),
        whole_sentences(data, given),
        mean_score(data, "numbers, dates and names kept", "engine", kept),
    ]


def similarities(data: str, given: Sequence[Topic], embedder: Embedder) -> list[Score]:
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


def _shortness(data: str, given: Sequence[Topic], goal: float | None) -> Score:
    ratios = [len(topic.summary.strip()) / len(topic.source.strip()) for topic in given]
    return mean_score(data, "length over the source's", "engine", ratios, goal=goal, at_most=True)


def whole_sentences(data: str, given: Sequence[Topic]) -> Score:
    """The share of topics whose summary has no sentence cut in half."""
    values = [float(not cut_sentences(topic)) for topic in given]
    return mean_score(data, "summaries of whole sentences", "engine", values, goal=1.0)


def cut_sentences(topic: Topic) -> list[str]:
    """Sentences of the summary that do not stand whole in the source."""
    said = [topic.summary[start:end].strip() for start, end in sentences(topic.summary)]
    return [sentence for sentence in said if sentence and not _made_of_whole_lines(sentence, topic.source)]


def _made_of_whole_lines(sentence: str, source: str) -> bool:
    """The sentence, or each of its lines: lines without end marks may have been apart in the source."""
    if _stands_whole(sentence, source):
        return True
    lines = [line.strip() for line in sentence.splitlines()]
    return len(lines) > 1 and all(_stands_whole(line, source) for line in lines)


def _stands_whole(sentence: str, source: str) -> bool:
    at = source.find(sentence)
    while at >= 0:
        before, after = source[:at], source[at + len(sentence) :]
        if _is_border(before) and (_is_border(before + sentence) or after[:1] in ("", "\n")):
            return True
        at = source.find(sentence, at + 1)
    return False


def _is_border(before: str) -> bool:
    """Whether a sentence may begin after this text: nothing, a line break, or an end mark and space."""
    line = before.rstrip(" \t\u3000")
    return not line or line.endswith("\n") or line[-1] in _END_MARKS


# -- facts ------------------------------------------------------------------------------------------------------------


def _kept_scores(data: str, system: str, given: Sequence[Topic], extracts: Sequence[str]) -> list[Score]:
    goal = KEPT if system == "engine" else None
    every = "numbers, dates and names kept"
    named: list[tuple[str, Found, Found]] = [
        (every, facts, stated),
        *((f"{kind}s kept", _of_kind(kind), stated) for kind in KINDS),
        ("numbers in digits kept", digits, digits),
    ]
    pairs = [(topic.source, text) for topic, text in zip(given, extracts, strict=True)]
    return [
        mean_score(data, measure, system, kept_shares(pairs, wanted, said), goal=goal if measure == every else None)
        for measure, wanted, said in named
    ]


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


# -- extracts of equal length -----------------------------------------------------------------------------------------


def lead(topic: Topic) -> str:
    given = _sentences(topic.source)
    return "\n".join(given[place] for place in _places(given, len(topic.summary)))


def at_random(topic: Topic) -> str:
    """Sentences drawn with a fixed seed, in the source's order."""
    given = _sentences(topic.source)
    order = random.Random(len(topic.source)).sample(range(len(given)), len(given))  # noqa: S311 - not a secret
    chosen = _places([given[place] for place in order], len(topic.summary))
    return "\n".join(given[place] for place in sorted(order[at] for at in chosen))


SYSTEMS: Final[dict[str, Callable[[Topic], str]]] = {
    "engine": lambda topic: topic.summary,
    "lead of equal length": lead,
    "random sentences of equal length": at_random,
}


def _sentences(text: str) -> list[str]:
    return [said for start, end in sentences(text) if (said := fold_space(text[start:end]))]


def _places(given: Sequence[str], length: int) -> list[int]:
    """The first sentences that are as long as asked for, together: one more where that comes nearer."""
    places: list[int] = []
    used = 0
    for place, sentence in enumerate(given):
        if places and used + len(sentence) - length > length - used:
            break
        places.append(place)
        used += len(sentence)
    return places


# -- failures ---------------------------------------------------------------------------------------------------------


def _losses(data: str, given: Sequence[Topic]) -> list[Mapping[str, str]]:
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


# -- texts ------------------------------------------------------------------------------------------------------------


def choi(data: Path) -> Iterator[Text]:
    only(data, "choi/*/*/0.ref")
    for path in sorted(data.glob("choi/*/*/*.ref")):
        parts = [part.strip() for part in path.read_text("utf-8", "replace").split("==========\n")]
        yield Text(name=f"{path.parent.name}/{path.stem}", text="\n\n".join(part for part in parts if part))


def web_en(data: Path) -> Iterator[Text]:
    for page in pages(data):
        yield Text(name=page.url, text=page.article)


def dialogues(data: Path) -> Iterator[Text]:
    for user, known in load_json(only(data, "memorybank/memory_bank_cn*.json")).items():
        for day, turns in known["history"].items():
            lines = [f"{user}: {turn['query']}\nAI: {turn['response']}" for turn in turns]
            yield Text(name=f"{user} {day}", text="\n".join(lines), kind="dialogue")


def novels(data: Path) -> Iterator[Text]:
    only(data, "zh_novel/*.txt")
    for path in sorted(data.glob("zh_novel/*.txt")):
        text = path.read_text("utf-8-sig")
        starts = [match.start() for match in _CHAPTER_RE.finditer(text)]
        for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True), start=1):
            yield Text(name=f"{path.stem} {number}", text=text[start:end].strip()[:CHAPTER])


def cmrc(data: Path) -> Iterator[Text]:
    for article in load_json(only(data, "cmrc2018/*.json"))["data"]:
        for paragraph in article["paragraphs"]:
            yield Text(name=article["title"], text=paragraph["context"])


def demo(lang: Lang) -> Iterator[Text]:
    """The project's own demo material."""
    for document in Corpus.open(DEMO / lang):
        yield Text(name=document.name, text=document.text)


SETS: Final[dict[str, Callable[[Path], Iterator[Text]]]] = {
    "Choi": choi,
    "web_en": web_en,
    "MemoryBank": dialogues,
    "novels": novels,
    "CMRC2018": cmrc,
    "demo en": lambda _: demo("en"),
    "demo zh": lambda _: demo("zh"),
}
