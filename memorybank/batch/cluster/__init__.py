"""A batch on a Ray cluster (extra `ray`): the same worker as Ray tasks, runs on storage that all nodes share.

scheduler   the driver: submits tasks, takes rows and runs in
node        a task on its node: fetches its run, works on it, sends it
embedding   an actor a node, which has the embedding models for all tasks there
home        where on the storage a batch lies

What is handed to Ray is a task, the batch's plan and names of places. Keys, addresses and tools are what the
environment of each node says, and go nowhere else.
"""
