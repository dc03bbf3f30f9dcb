"""Texts to vectors.

`models.resolve` says which model of this machine serves and `process.shared` gives it as a `base.Embedder`;
`endpoint.endpoint_embedder` gives one that is served somewhere else, over the OpenAI protocol.
"""
