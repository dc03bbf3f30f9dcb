from __future__ import annotations

from collections import Counter
from pathlib import Path

from memorybank.embedding.hashed import HashedNgrams
from memorybank_lab.evaluation.pairs import cases, run


def test_every_kind_stands_in_both_languages() -> None:
    kinds = Counter((case["kind"], case["contradicts"]) for case in cases())
    assert set(kinds.values()) == {2}
    assert {case["lang"] for case in cases()} == {"en", "zh"}


def test_the_report_says_what_the_engine_does_with_each() -> None:
    report = run(Path(), HashedNgrams(), full=False, progress=lambda line: None)
    assert len(report.examples) == len(cases())
    assert report.scores[0].n == len(cases())
    wrong = [row for row in report.examples if row["expected"] != row["engine"]]
    assert [row for row in report.examples if row[""]] == wrong
    plain = [row for row in report.examples if row["kind"] == "plain value"]
    assert all(row["engine"] == "conflict" for row in plain), "what is plain must be found"
