"""The narrative memory hub: two graph layers that never mix, and a semantic layer of settings and chapters.

connection.py           the graph: a server by its address, or the embedded engine in a process of its own
labels.py               the disjoint label sets, what a graph can hold, and the guard at every write
facts.py                what has happened: fact_queries.py, fact_records.py
plans.py                what is to happen: plan_records.py, plan_rules.py
collection.py           the semantic layer, in Chroma: settings; archive.py: chapters
stores.py               the four stores as one value; shared.py: one lock for all who read and write them
verbalisation.py        facts, plans and names as sentences in both languages
"""
