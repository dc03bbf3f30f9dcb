"""Robustness: metamorphic relations on unseen text (Chen, Cheung, Yiu 1998), and texts nobody would write.

Sentences of public passages are taken as they are, and a value in them is written in another form (the verdict must
stay) or changed (the conflict must be found), each pair decided as `contradiction` decides it. Whole sessions are run
again with their documents reordered, and with an unrelated document added: what was raised, and how it ended, must
stay. Random texts go through filing: nothing may fail, take long, or lose a character. Journals and memory files with
one thing changed are refused in one line, or read by all that read them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from time import perf_counter

from memorybank.embedding.base import Embedder
from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline import OfflineEngine
from memorybank.lab.evaluation import borders, pairs, wikipedia
from memorybank.lab.evaluation.contradiction import Judge
from memorybank.lab.evaluation.data import sampled
from memorybank.lab.evaluation.pairs import Pair
from memorybank.lab.evaluation.report import Report, Score, mean_score
from memorybank.lab.evaluation.rewording import Rewording, rewordings
from memorybank.lab.evaluation.sessions import held_session
from memorybank.lab.evaluation.settlement import ROUNDS, SettlementCase, majorities, ties
from memorybank.language.text import detect_lang
from memorybank.memory.contracts import ClassificationInput, StructureInput
from memorybank.memory.types import Lang
from memorybank.session.assembly import offline_parts
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings

REWORDINGS = 200
"""Of a language and form."""
SESSIONS = 12
RANDOM_TEXTS = {False: 1_000, True: 10_000}
"""Sampled, and full."""
CHANGED_FILES = {False: 400, True: 10_000}
"""Journals and memory files with one thing changed: sampled, and full."""
REPORTED = 500
"""Of them, between two words of how far it is."""
LONG_LINE = 1_000_000
SLOW = 2.0
"""Seconds a random text of everyday length may take."""

Verdicts = frozenset[tuple[frozenset[str], str, str]]
"""What a session raised and settled: the two values, how it ended, the value that holds."""


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    examples: list[Mapping[str, str]] = []
    scores = [
        *_rewordings(data, embedder, full, progress, examples),
        *_sessions(data, embedder, full, progress, examples),
        *_random_texts(full, progress, examples),
        *_changed_files(full, progress, examples),
    ]
    return Report(
        name="robustness",
        scores=tuple(scores),
        examples=tuple(examples),
        settings={"embedding": embedder.name, "embedding of the random texts": "hashed character n-grams"},
    )


# -- another form, another value --------------------------------------------------------------------------------------


def _rewordings(
    data: Path, embedder: Embedder, full: bool, progress: Callable[[str], None], examples: list[Mapping[str, str]]
) -> Iterator[Score]:
    judge = Judge(embedder)
    languages: tuple[tuple[Lang, Callable[[Path], Iterator[str]]], ...] = (
        ("en", wikipedia.english),
        ("zh", wikipedia.chinese),
    )
    for lang, read in languages:
        every = [one for sentence in read(data) for one in rewordings(sentence, lang)]
        kept: list[bool] = []
        found: list[bool] = []
        for form in dict.fromkeys(one.form for one in every):
            taken = sampled([one for one in every if one.form == form], full, REWORDINGS)
            progress(f"robustness: {lang}, {form}, {len(taken)} sentences")
            outcomes = [decided(one, judge) for one in taken]
            kept += [stays for stays, _ in outcomes]
            found += [raised for _, raised in outcomes]
            yield mean_score(f"{form}, {lang}", "verdict stays", "engine", [stays for stays, _ in outcomes])
            yield mean_score(f"{form}, {lang}", "changed value found", "engine", [raised for _, raised in outcomes])
            examples += _exceptions(taken, outcomes)
        yield mean_score(f"all forms, {lang}", "verdict stays", "engine", kept, goal=0.99)
        yield mean_score(f"all forms, {lang}", "changed value found", "engine", found, goal=0.95)


def decided(one: Rewording, judge: Judge) -> tuple[bool, bool]:
    """Whether the verdicts on the sentence stay when a value is written otherwise (none against itself, and the same
    one against the changed copy), and whether the changed copy is a conflict."""
    same = _raised(judge, one.sentence, one.restated, one.lang)
    changed = _raised(judge, one.sentence, one.changed, one.lang)
    changed_restated = _raised(judge, one.sentence, one.changed_restated, one.lang)
    return not same and changed == changed_restated, changed


def _raised(judge: Judge, left: str, right: str, lang: Lang) -> bool:
    return judge(Pair(left=left, right=right, contradicts=False, lang=lang)) is not None


def _exceptions(taken: Sequence[Rewording], outcomes: Sequence[tuple[bool, bool]]) -> Iterator[Mapping[str, str]]:
    moved = [one for one, (stays, _) in zip(taken, outcomes, strict=True) if not stays]
    missed = [one for one, (_, raised) in zip(taken, outcomes, strict=True) if not raised]
    for expected, found in (("verdict stays", moved), ("changed value found", missed)):
        for one in found:
            other = one.restated if expected == "verdict stays" else one.changed
            yield {"data": f"{one.form}, {one.lang}", "asked": f"{one.sentence} | {other}", "expected": expected,
                   "found": "it does not" if expected == "verdict stays" else "nothing raised"}  # fmt: skip


# -- whole sessions ---------------------------------------------------------------------------------------------------


def _sessions(
    data: Path, embedder: Embedder, full: bool, progress: Callable[[str], None], examples: list[Mapping[str, str]]
) -> Iterator[Score]:
    languages: tuple[Lang, ...] = ("en", "zh")
    for lang in languages:
        questions = list(pairs.rgb(data, lang))
        cases = sampled([*majorities(questions), *ties(questions)], full, SESSIONS)
        progress(f"robustness: sessions, {lang}, {len(cases)} cases of RGB, three times each")
        stray = unrelated(data, lang)
        reordered: list[bool] = []
        extended: list[bool] = []
        for case in cases:
            sources = case.sources()
            before = verdicts(case, sources, embedder)
            for outcomes, change, other in (
                (reordered, "documents reordered", sources[::-1]),
                (extended, "unrelated document added", [*sources, stray]),
            ):
                after = verdicts(case, other, embedder)
                outcomes += stayed(before, after)
                if before != after:
                    examples.append(
                        {"data": f"sessions, {lang}", "asked": f"{case.question.query}: {change}",
                         "expected": _listed(before - after), "found": _listed(after - before)}
                    )  # fmt: skip
        yield mean_score(f"sessions, {lang}", "verdicts stay, documents reordered", "engine", reordered, goal=0.95)
        yield mean_score(f"sessions, {lang}", "verdicts stay, unrelated document added", "engine", extended, goal=0.95)


def verdicts(case: SettlementCase, sources: Sequence[Source], embedder: Embedder) -> Verdicts:
    """What a session on these sources raised, without the order of its sides."""
    parts = offline_parts(Settings(max_rounds=ROUNDS), case.question.lang, embedder)
    with held_session(parts, goal=case.question.query, sources=sources) as session:
        session.run()
        return frozenset(
            (
                frozenset({one.contradictions[0].left.value, one.contradictions[0].right.value}),
                one.status.value,
                one.value,
            )
            for one in session.bank.conflicts.all.values()
            if one.contradictions
        )


def stayed(before: Verdicts, after: Verdicts) -> list[bool]:
    """One a verdict of either session: whether the other has it. Where neither raised anything, that is one that
    stayed."""
    return [one in before and one in after for one in sorted(before | after, key=_key)] or [True]


def _key(verdict: tuple[frozenset[str], str, str]) -> tuple[list[str], str, str]:
    return sorted(verdict[0]), verdict[1], verdict[2]


def _listed(found: Verdicts) -> str:
    return "; ".join(f"{' / '.join(values)}: {status} {value}" for values, status, value in map(_key, found)) or "none"


def unrelated(data: Path, lang: Lang) -> Source:
    """The first passages of another set, on other things."""
    return Source(name="unrelated", text=" ".join(islice(wikipedia.READ[lang](data), 6)), kind="document")


# -- random texts -----------------------------------------------------------------------------------------------------


def _random_texts(full: bool, progress: Callable[[str], None], examples: list[Mapping[str, str]]) -> Iterator[Score]:
    count = RANDOM_TEXTS[full]
    progress(f"robustness: {count} random texts")
    engine = OfflineEngine(HashedNgrams())
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


# -- changed journals and memory files --------------------------------------------------------------------------------


def _changed_files(full: bool, progress: Callable[[str], None], examples: list[Mapping[str, str]]) -> Iterator[Score]:
    """The pages are the app's: where it is not installed, this is left out."""
    if find_spec("streamlit") is None:
        progress("robustness: journals and memory files are left out, for the app is not installed")
        return
    count = CHANGED_FILES[full]
    progress(f"robustness: {count} changed journals and memory files")
    holds: list[bool] = []
    refused: list[bool] = []
    for one in borders.outcomes(count):
        holds.append(one.holds)
        refused.append(bool(one.refused))
        if not one.holds:
            examples.append({"data": one.case.specimen, "asked": one.case.what, "expected": "refused, or read",
                             "found": "; ".join(one.faults) or one.refused})  # fmt: skip
        if len(holds) % REPORTED == 0:
            progress(f"robustness: {len(holds)} of {count}, {len(holds) - sum(holds)} failed")
    name = "changed journals and memory files"
    yield mean_score(name, "refused in one line, or read by all", "engine", holds, goal=1.0)
    yield mean_score(name, "refused", "engine", refused)
