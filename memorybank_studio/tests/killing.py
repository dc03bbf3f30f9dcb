"""Kills all that is killed of a studio, one after the other: prints what was found as one JSON object.

One program, for it takes seconds to load what the hundred children share.
"""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path

import chromadb.api.rust  # noqa: F401 - loaded once, not by each of the children

from memorybank_studio.journal.events import EVENT
from memorybank_studio.tests.chapters import chapter_kill
from memorybank_studio.tests.hub.semantic import kill_put
from memorybank_studio.tests.settlement import settle_kill
from memorybank_studio.wording import say

if __name__ == "__main__":
    say("frame", "en")
    EVENT.rebuild()
    gc.collect()
    gc.freeze()  # or each child would walk over what is loaded, and copy it
    folder = Path(sys.argv[1])
    found = {
        "settlement": settle_kill.main(folder / "settlement"),
        "chapter": chapter_kill.main(folder / "chapter"),
        "archive": kill_put.main(folder / "archive"),
    }
    print(json.dumps(found))
