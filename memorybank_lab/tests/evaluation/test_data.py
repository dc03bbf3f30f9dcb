from __future__ import annotations

import json
from pathlib import Path

from memorybank_lab.evaluation import data


def test_the_sets_are_read_in_their_form(tmp_path: Path) -> None:
    for name in ("choi/1/3-5", "zh_novel", "memorybank", "cmrc2018"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "choi/1/3-5/0.ref").write_text("==========\nA one .\nB .\n==========\nC .\n==========\n", "utf-8")
    (tmp_path / "zh_novel/a.txt").write_text("\ufeff站头\n第一回 开头\n正文甲。\n第二回 又\n正文乙。\n", "utf-8")
    history = {"王": {"history": {"2023-05-01": [{"query": "你好", "response": "早"}]}}}
    (tmp_path / "memorybank/memory_bank_cn_dev.json").write_text(json.dumps(history), "utf-8")
    paragraph = {"title": "湖", "paragraphs": [{"context": "湖很大。", "qas": []}]}
    (tmp_path / "cmrc2018/cmrc2018_trial.json").write_text(json.dumps({"data": [paragraph]}), "utf-8")
    assert [text.text for text in data.choi(tmp_path)] == ["A one .\nB .\n\nC ."]
    assert [text.text for text in data.novels(tmp_path)] == ["第一回 开头\n正文甲。", "第二回 又\n正文乙。"]
    assert [(one.text, one.kind) for one in data.dialogues(tmp_path)] == [("王: 你好\nAI: 早", "dialogue")]
    assert [text.text for text in data.cmrc(tmp_path)] == ["湖很大。"]
