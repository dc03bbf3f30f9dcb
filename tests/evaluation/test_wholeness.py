from __future__ import annotations

from memorybank.evaluation.wholeness import cut_sentences, verbatim_share


def test_a_sentence_cut_in_half_is_found() -> None:
    source = "Willow has 105 qubits and a long name. It was shown in December. It is small"
    assert cut_sentences("Willow has 105 qubits and a long name. It is small", source) == []
    assert cut_sentences("Willow has 105 qubits.", source) == ["Willow has 105 qubits."]
    assert cut_sentences("has 105 qubits and a long name.", source) == ["has 105 qubits and a long name."]
    assert cut_sentences("第二句话，很长。", "第一句话。第二句话，很长。") == []
    assert cut_sentences("很长。", "第一句话。第二句话，很长。") == ["很长。"]
    lines = "First line of a list\nsecond line of a list\nthird line of a list"
    assert cut_sentences("First line of a list\nthird line of a list", lines) == []


def test_a_sentence_without_whole_clauses_is_not_cut() -> None:
    source = "Willow (a chip) has 105 qubits, which are cold, and it was shown in December. It is small."
    for said in (
        "Willow has 105 qubits.",
        "Willow (a chip) has 105 qubits, and it was shown in December.",
        "Willow has 105 qubits, which are cold. It is small.",
    ):
        assert cut_sentences(said, source) == [], said
        assert verbatim_share(said, source) < 1.0
    for said in ("Willow has 105.", "Willow has 105 qubits, which are.", "It was shown in December."):
        assert cut_sentences(said, source) == [said]
    chinese = "悟空芯于2024年上线，是一台超导计算机，有72个比特；它在合肥。"
    assert cut_sentences("悟空芯于2024年上线，有72个比特。", chinese) == []
    assert cut_sentences("悟空芯于2024年上线，有72个。", chinese) != []
    assert cut_sentences("有72个比特。", chinese) != []
    abbreviated = "现由索尼（Sony Music (Japan) Inc.）发行；台湾由爱贝克思代理。"  # the stop of Inc. is no end mark
    assert cut_sentences("现由索尼（Sony Music (Japan) Inc.）发行。", abbreviated) == []
    assert cut_sentences("现由索尼（Sony (Japan) Inc.）发行。", abbreviated) != []
    assert verbatim_share("It is small.", source) == 1.0
    assert verbatim_share("", source) == 1.0
