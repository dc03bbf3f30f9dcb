"""Retrieval: BM25 and vectors, fused by the specification's formula; documents and raw passages behind the nodes."""
