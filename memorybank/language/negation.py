"""Words that deny what they stand with, once for all readers. How far a denial reaches is the affair of each reader."""

from __future__ import annotations

import re
from typing import Final

_ADVERBS: Final = "not never nor cannot without hardly barely scarcely".split()
_NOUNS: Final = "no neither nobody nothing none nowhere".split()
NEGATIVE_ADVERBS: Final = frozenset({*_ADVERBS, "n't"})
"""They deny the verb beside them."""
NEGATIVES: Final = NEGATIVE_ADVERBS | {*_NOUNS}
ALMOST: Final = frozenset({"almost", "nearly"})
"""What was almost done was not done."""

NEGATION_EN: Final = rf"\b(?:{'|'.join((*_ADVERBS, *_NOUNS))})\b|n['’]t\b"
"""A pattern for one of them."""
NEGATION_HAN: Final = (
    "不(?![仅但过断久锈丹])|没|未(?!来|婚|央)|非(?!洲|常|凡)|无(?!锡|线|论|数|疑)|勿|莫(?!斯科|扎特|桑比克|奈)"
)
"""A pattern for a character that denies; 莫斯科, 非洲 and 未来 deny nothing."""
NEGATION_RE: Final = re.compile(f"{NEGATION_EN}|{NEGATION_HAN}", re.IGNORECASE)
