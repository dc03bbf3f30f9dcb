"""The files of a run: prompts and answers (blobs), originals (formal store), images that wait (temp store).

Every file is named by the SHA-256 of its bytes, so a name from outside is never a path and a content is kept once.
"""
