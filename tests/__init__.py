"""Tests of the package, folder by folder as in `memorybank/`; `planted/` makes corpora with known contradictions."""
