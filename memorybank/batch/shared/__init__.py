"""Run folders on storage that several machines share, so that who takes a lost task over goes on from there.

storage    a place by path or URL, through fsspec: list, read, write, remove
syncing    a worker's side: fetch a run, and send what is new at the end of each stage, in a folder of this attempt
"""
