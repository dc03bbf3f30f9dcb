"""Known relations: who directed it, who won it, when it came out, in loose prose.

Headlines and snippets of pages say who won, who directed, when it came out in a hundred shapes, and break off in
mid-sentence. What they say of a relation is found beside the words that tell it (after Hearst 1992, "Automatic
acquisition of hyponyms from large text corpora": lexical patterns), and two texts are held against each other only
where each knows nothing of the other's value: whoever writes both tells them apart. What both speak of is known by the
names that both write.
"""

from __future__ import annotations

from memorybank.engines.offline.claims.slots.comparing import filled
from memorybank.engines.offline.claims.slots.siding import disputed, filled_alike, stance, writes
from memorybank.engines.offline.claims.slots.topics import mentions

__all__ = ["disputed", "filled", "filled_alike", "mentions", "stance", "writes"]
