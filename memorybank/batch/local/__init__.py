"""Sessions side by side on this machine, a process each, forked from one that has everything imported.

A session that waits for a model so costs the memory of what it alone has; the embedding models are a service of the
process that schedules (embedding/service.py), so no worker imports torch.

scheduler  <- socket ->  nursery   one process, one thread: forks a worker for each job, and says how it ended
scheduler  <- socket ->  worker    its job comes in, its row goes out; the end of the socket is its end
"""
