"""Run folders on storage that several machines share, so that who takes a lost task over goes on from there.

storage    a place by path or URL, through fsspec: list, read, write, nothing else
claims     who holds a run: numbered claims in its place; a worker that was cut off but lives overwrites nothing
parts      what a run wrote since the last stage, as one object, and a run's folder made of such parts
syncing    a worker's side: claim a run, fetch it, send a part at the end of each stage
"""
