"""The narrative memory hub: two graph layers that never mix, and a semantic layer of settings and chapters."""
