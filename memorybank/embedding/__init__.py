"""Texts to vectors: `models.resolve` says which model serves, `process.shared` gives it as a `base.Embedder`."""
