"""Robustness: metamorphic relations on whole sessions (Chen, Cheung, Yiu 1998), and texts nobody would write.

Corpora of invented things with planted contradictions (`planted/`) go through a session as they are, and again after a
change that says nothing new: other order, another document, one told twice, other line breaks, other forms of the same
characters. What was raised, and how it ended, must stay. Random texts go through filing: nothing may fail, take long,
or lose a character.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Final

from memorybank.embedding.base import Embedder
from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline import OfflineEngine
from memorybank.language.text import detect_lang
from memorybank.memory.contracts import ClassificationInput, StructureInput
from memorybank.memory.types import Lang
from memorybank.session.assembly import offline_parts
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank_lab.evaluation.collections import collections
from memorybank_lab.evaluation.data import embedder_for
from memorybank_lab.evaluation.planted import variants
from memorybank_lab.evaluation.report import Report, Score, mean_score
from memorybank_lab.evaluation.sessions import held_session

LANGS: Final[tuple[Lang, ...]] = ("en", "zh")
ROUNDS: Final = 20
CORPORA: Final = {False: 3, True: 12}
"""Of a language: sampled, and full."""
RANDOM_TEXTS: Final = {False: 1_000, True: 10_000}
LONG_LINE: Final = 1_000_000
SLOW: Final = 2.0
"""Seconds a random text of everyday length may take."""

GOALS: Final[Mapping[Lang, str]] = {
    "en": "What do the documents say, and what holds?",
    "zh": "这些文档说了什么，哪些成立？",
}

Verdicts = frozenset[tuple[frozenset[str], str]]
"""What a session raised: the two values, and the one that holds; where nothing was decided, how it ended. Whether the
two memories became one is no part of it."""

CHANGES: Final[Mapping[str, Callable[[Sequence[Source]], Sequence[Source]]]] = {
    "documents reordered": lambda sources: sources[::-1],
    "unrelated document added": lambda sources: [*sources, _unrelated(sources)],
    "a document twice": lambda sources: [*sources, replace(sources[0], name=f"again {sources[0].name}")],
    "line breaks of Windows": lambda sources: [replace(one, text=one.text.replace("\n", "\r\n")) for one in sources],
    "characters decomposed": lambda sources: [
        replace(one, text=unicodedata.normalize("NFD", one.text)) for one in sources
    ],
}
"""What is done to a session's documents, of which none changes what they say."""


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    """Needs no data."""
    del data
    examples: list[Mapping[str, str]] = []
    scores = [*_sessions(embedder, full, progress, examples), *_random_texts(full, progress, examples)]
    return Report(
        name="robustness",
        scores=tuple(scores),
        examples=tuple(examples),
        settings={"embedding": embedder.name, "embedding of the random texts": "hashed character n-grams"},
    )


# -- whole sessions ---------------------------------------------------------------------------------------------------


def _sessions(
    embedder: Embedder, full: bool, progress: Callable[[str], None], examples: list[Mapping[str, str]]
) -> Iterator[Score]:
    for lang in LANGS:
        progress(f"robustness: {lang}, {CORPORA[full]} corpora, {len(CHANGES) + 1} sessions each")
        outcomes: dict[str, list[bool]] = {change: [] for change in CHANGES}
        for corpus in variants(lang, CORPORA[full]):
            sources = [Source(name=name, text=text, kind="document") for name, text in corpus.documents.items()]
            before = verdicts(sources, lang, embedder)
            for change, changed in CHANGES.items():
                after = verdicts(changed(sources), lang, embedder)
                outcomes[change] += stayed(before, after)
                if before != after:
                    examples.append(
                        {"data": f"sessions, {lang}", "asked": f"corpus {corpus.seed}: {change}",
                         "expected": _listed(before - after), "found": _listed(after - before)}
                    )  # fmt: skip
        for change, stays in outcomes.items():
            yield mean_score(f"sessions, {lang}", f"verdicts stay, {change}", "engine", stays, goal=0.95)


def verdicts(sources: Sequence[Source], lang: Lang, embedder: Embedder) -> Verdicts:
    """What a session on these sources raised, without the order of its sides."""
    parts = offline_parts(Settings(max_rounds=ROUNDS), lang, embedder_for([one.text for one in sources], embedder))
    with held_session(parts, goal=GOALS[lang], sources=sources) as session:
        session.run()
        return frozenset(
            (
                frozenset(_composed(side.value) for side in (one.contradictions[0].left, one.contradictions[0].right)),
                _composed(one.value) if one.status.decides else one.status.value,
            )
            for one in session.bank.conflicts.all.values()
            if one.contradictions
        )


def _composed(value: str) -> str:
    return unicodedata.normalize("NFC", value)


def stayed(before: Verdicts, after: Verdicts) -> list[bool]:
    """One a verdict of either session: whether the other has it. Where neither raised anything, that is one that
    stayed."""
    return [one in before and one in after for one in sorted(before | after, key=_key)] or [True]


def _key(verdict: tuple[frozenset[str], str]) -> tuple[list[str], str]:
    return sorted(verdict[0]), verdict[1]


def _listed(found: Verdicts) -> str:
    return "; ".join(f"{' / '.join(values)}: {end}" for values, end in map(_key, found)) or "none"


def _unrelated(sources: Sequence[Source]) -> Source:
    """The first document of a fresh collection in the sources' language, on other things."""
    (name, text), *_ = collections(detect_lang(sources[0].text))[0].documents.items()
    return Source(name=name, text=text, kind="document")


# -- random texts -----------------------------------------------------------------------------------------------------


def _random_texts(full: bool, progress: Callable[[str], None], examples: list[Mapping[str, str]]) -> Iterator[Score]:
    count = RANDOM_TEXTS[full]
    progress(f"robustness: {count} random texts")
    engine = OfflineEngine(HashedNgrams(), HashedNgrams().parse)
    whole: list[bool] = []
    quick: list[bool] = []
    for text in random_texts(count):
        begun = perf_counter()
        whole.append(is_filed_whole(text, engine))
        quick.append(perf_counter() - begun <= SLOW)
        if not (whole[-1] and quick[-1]):
            examples.append({"data": "random texts", "asked": text[:200], "expected": "filed whole, at once",
                             "found": "slow" if whole[-1] else "a character lost"})  # fmt: skip
    lines = list(islice(long_lines(), None if full else 1))
    progress(f"robustness: {len(lines)} lines of 1 MB")
    yield mean_score("random texts", "no character lost", "engine", whole, goal=1.0)
    yield mean_score("random texts", f"filed within {SLOW:.0f} s", "engine", quick, goal=1.0)
    yield mean_score(
        "lines of 1 MB", "no character lost", "engine", [is_filed_whole(one, engine) for one in lines], goal=1
    )


def is_filed_whole(text: str, engine: OfflineEngine) -> bool:
    """Whether the clusters of a text hold every character exactly once, each cluster with a summary of it.

    A blank text is not filed by a session, and loses nothing.
    """
    if not text.strip():
        return True
    lang = detect_lang(text)
    clusters = engine.classification.run(ClassificationInput(text=text, lang=lang)).clusters
    for cluster in clusters:
        content = "".join(text[start:end] for start, end in cluster.spans)
        summary = cluster.summary or engine.structure.run(StructureInput(content=content, lang=lang)).summary
        if bool(summary.strip()) != bool(content.strip()):
            return False
    at = 0
    for start, end in sorted(span for cluster in clusters for span in cluster.spans):
        if start != at or end <= start:
            return False
        at = end
    return at == len(text)


_PIECES = (
    "The pump in Orla delivers 1,121 litres a day. ",
    "青岚隧道长5公里，于2023年12月4日开通。",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "```python\ndef f(x):\n    return x + 1\n```\n",
    "- one\n- two\n  - three\n",
    "# Heading\n\n",
    "word\n",
    "\t",
    "\r\n",
    "\n\n\n",
    "ქართული العربية ١٢٣ ",
    "日本語テキスト。한국어 문장. ",
    "🙂🙃 e\u0301\u200b \u202eRTL\u202c ",
    "\x00\x07",
    "…。。!!?? ",
    "no punctuation at all and it goes on and on ",
    "A: hello\nB: hi\n",
    "https://example.org/?q=1&x=%20 ",
    "1/2/2023 5–10 km 3:2 ",
    "\uff21\uff11\uff12\uff13\uff0c\uff14\uff15\uff16 〇一二三四五六七八九十百千万亿 ",
    "not never no 不没无未 ",
    "“quoted” «x» 《书》 ",
)


def random_texts(count: int) -> Iterator[str]:
    """Pieces of many scripts and forms, and single characters of any plane, in an order drawn with a fixed seed."""
    draw = random.Random(0)  # noqa: S311 - texts, not secrets
    for _ in range(count):
        parts: list[str] = []
        for _ in range(draw.randint(1, 12)):
            if draw.random() < 0.75:
                parts.append(draw.choice(_PIECES) * draw.choice((1, 1, 1, 2, 5)))
            else:
                parts.append("".join(_character(draw) for _ in range(draw.randint(1, 20))))
        yield "".join(parts)


def _character(draw: random.Random) -> str:
    """Any code point that is not half of a pair."""
    code = draw.choice((draw.randint(0, 0x7F), draw.randint(0x80, 0xD7FF), draw.randint(0xE000, 0x10FFFF)))
    return chr(code)


def long_lines() -> Iterator[str]:
    for piece in ("no punctuation at all ", "没有标点的一行文字", "1,121 ", "x"):
        yield (piece * (LONG_LINE // len(piece) + 1))[:LONG_LINE]
