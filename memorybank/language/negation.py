"""Words that deny what they stand with. How far a denial reaches is the affair of each reader."""

from __future__ import annotations

import re
from typing import Final

_ENGLISH: Final = "not never nor cannot without hardly barely scarcely no neither nobody nothing none nowhere"
_HAN: Final = (
    "不(?![仅但过断久锈丹])|没|未(?!来|婚|央)|非(?!洲|常|凡)|无(?!锡|线|论|数|疑)|勿|莫(?!斯科|扎特|桑比克|奈)"
)
"""A character that denies; 莫斯科, 非洲 and 未来 deny nothing."""
NEGATION_RE: Final = re.compile(rf"\b(?:{_ENGLISH.replace(' ', '|')})\b|n['’]t\b|{_HAN}", re.IGNORECASE)
