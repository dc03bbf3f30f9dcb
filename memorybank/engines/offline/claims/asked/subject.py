"""What a question is about, in either language."""

from __future__ import annotations

import re
from functools import lru_cache

from memorybank.engines.offline.claims.asked import subject_en, subject_zh
from memorybank.engines.offline.claims.asked.subject_en import EnglishSubject
from memorybank.engines.offline.claims.asked.subject_zh import ChineseSubject
from memorybank.engines.offline.claims.describe import is_chinese

Subject = EnglishSubject | ChineseSubject

_UP = "A-ZÀ-ÖØ-Þ"
_OPENS_RE = re.compile(rf"^\W*[{_UP}][\w’'-]+(?:\s(?:[{_UP}][\w’'-]+|the|of|de|van|von))*\s[{_UP}][\w’'-]+\b")


@lru_cache(maxsize=256)
def subject_of(question: str, asking: tuple[str, ...] = ()) -> Subject | None:
    """`asking`: the words by which an attribute was asked for, which are no part of the name."""
    if is_chinese(question):
        return subject_zh.read(question, asking)
    return subject_en.read(question, asking)


def opens_with_another(sentence: str) -> bool:
    """Whether a sentence that does not name the subject begins with a name of its own."""
    return _OPENS_RE.match(sentence) is not None
