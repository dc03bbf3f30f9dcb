"""A fifth look: what two texts answer to the question that the session is to answer.

A question asks one attribute of one thing. Texts tell it in many words ("took effect on", "is binding from"), which the
clause reader does not take for one predicate; but where the question is known, only the words of its attribute have to
be known (`lexicon/asked.yaml`), and the value of its kind that stands beside them in a sentence on that thing. Two
texts that answer differently contradict each other, unless something sets them apart (another variant, a part, a plan
and what came of it, another year).
"""

from __future__ import annotations

from memorybank.engines.offline.claims.asked.comparing import answered, one_on_another
from memorybank.engines.offline.claims.asked.setting_apart import set_apart
from memorybank.engines.offline.claims.asked.siding import disputed, stance

__all__ = ["answered", "disputed", "one_on_another", "set_apart", "stance"]
