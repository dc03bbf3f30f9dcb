"""Holds a saved run against its documents: `python -m tests.truth RUN DOCUMENTS`, for runs that no test can make anew.

Prints how many statements that name a source were held, and each one that its source does not hold; exits with 1 then.
"""

from __future__ import annotations

import sys
from pathlib import Path

from memorybank.runs.run_folder import load
from tests.truth.table import Table

if __name__ == "__main__":
    run, documents = Path(sys.argv[1]), Path(sys.argv[2])
    table = Table()
    texts = {path.name: path.read_text("utf-8") for path in documents.iterdir() if path.suffix in (".md", ".txt")}
    table.add(run.name, load(run), folder=run, documents=texts)
    print(f"{run.name}: {len(table.wrong)} wrong of {table.held.total()}", *table.wrong, sep="\n  ")
    sys.exit(bool(table.wrong))
