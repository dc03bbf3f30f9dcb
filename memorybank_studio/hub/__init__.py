"""The narrative memory hub: two graph layers that never mix, and a semantic layer of settings and chapters.

contracts.py            what the rest of the studio asks of the four stores
connection.py           the graph: a server by its address, or the embedded engine; two databases or one
embedded.py, embedded_process.py    the engine's process, from its parent's side and from inside
labels.py               the disjoint label sets, and the guard at every write
facts.py                what has happened: fact_queries.py, fact_records.py, fact_writes.py
plans.py                what is to happen: plan_queries.py, plan_records.py, plan_rules.py, plan_order.py
settings.py, archive.py the semantic layer, in chroma.py
stores.py               the four stores as one value; shared.py: one lock for all who read and write them
verbalisation.py        facts, plans and names as sentences in both languages
"""
