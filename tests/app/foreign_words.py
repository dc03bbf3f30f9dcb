"""Words of the other language on a page: in its texts, and in names and hints for a pointer or a screen reader."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from playwright.sync_api import Page

from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder, load, state_at
from tests.tables import tables

LATIN = re.compile(r"[A-Za-z](?:[A-Za-z'’-]*[A-Za-z])")
HAN = re.compile(r"[\u4e00-\u9fff]+")
ALLOWED: dict[Lang, dict[str, str]] = tables(__file__)
"""Words of the other language that may stand, and what they are."""
EACH = {
    "zh": (
        # Abbreviations, formats, variables: LLM_API_KEY, PDF, BM25
        re.compile(r"(?<![A-Za-z])[A-Z][A-Z0-9]*(?:_[A-Z0-9*]+)*(?![A-Za-z])"),
        re.compile(r"[\w./-]*\.(?:env|jsonl?|html|md|py|png|pdf|txt|toml|zip)\b"),  # files
        re.compile(r"\b[0-9a-f]{6,}\b"),  # fingerprints and ids
        re.compile(r"\w+/[\w.+-]+"),  # media types, paths
        re.compile(r"[\w-]*\d[\w-]*"),  # n12, i1, 10MB
        re.compile(r"\w+…"),  # a word of a source that is cut short
    ),
    "en": (),
}
READ = Path(__file__).with_suffix(".js").read_text("utf-8")


def words_given(folder: RunFolder) -> frozenset[str]:
    """The words of a run that are its reader's own: of the task, the sources and their names."""
    records = load(folder.path)
    bank = state_at(records)
    entries = [one for one in bank.tree.entries.values() if one.kind not in ("transcript", "answer")]
    texts = [str(bank.progress.prompt), *(one.text for one in entries), *(one.source for one in entries)]
    return frozenset(word for text in texts for word in LATIN.findall(text))


def foreign_words(page: Page, lang: Lang, given: Iterable[str] = ()) -> list[str]:
    """Each with the words that it stands in, and the part of the page."""
    return sorted(
        {
            one
            for words, part in page.evaluate(READ, (LATIN if lang == "zh" else HAN).pattern)
            for one in _foreign(words, part, lang, given)
        }
    )


def _foreign(words: str, part: str, lang: Lang, given: Iterable[str]) -> list[str]:
    left = words
    for pattern in EACH[lang]:
        left = pattern.sub(" ", left)
    allowed = {word for several in ALLOWED[lang] for word in several.split()}.union(given)
    found = [word for word in (LATIN if lang == "zh" else HAN).findall(left) if word not in allowed]
    return [f"{' '.join(found)} in {words[:80]!r} ({part})"] if found else []
