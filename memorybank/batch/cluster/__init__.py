"""A batch on a Ray cluster (extra `ray`): the same worker as Ray tasks, runs on storage that all nodes share.

scheduler   the driver, which submits tasks and takes rows and runs in; the work on a node
embedding   an actor a node, which has the embedding models for all tasks there
home        where on the storage a batch and the inputs of its tasks lie

What is handed to Ray is a task, the batch's plan and names of places. Keys, addresses and tools are what the
environment of each node says, and go nowhere else.
"""
