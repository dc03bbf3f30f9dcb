"""A BERT model's forward pass over texts of any lengths, laid end to end.

Its linear layers, nearly all of the work, take all tokens of a batch at once; only attention and the mean go text by
text, those of one length together. So no text is padded, which would change its last bits, and none goes through alone,
which takes twice the time. Each text gets the bits that sentence-transformers gives it (measured: one to four threads).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from memorybank.embedding.base import Matrix

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
