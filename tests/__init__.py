"""Tests of the package, folder by folder as in `memorybank/`."""
