"""The lab measures the product and is no part of it: evaluations, benchmarks, and a scripted model server.

Nothing of the product imports it, but for the commands `eval` and `bench`, which load it when they run. The wheel
leaves it out; a checkout of the sources has it (`pip install -e ".[lab]"`).
"""
