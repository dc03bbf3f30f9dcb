from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.classification import OfflineClassification
from memorybank.engines.offline.naming import name_of_topic, size, spoken_in
from memorybank.engines.offline.units import units
from memorybank.language.parse import Parsed
from memorybank.language.text import detect_lang
from memorybank.memory.contracts import ClassificationInput, ClassificationOutput
from memorybank.memory.types import Lang
from tests.tables import tables

TABLES = tables(__file__)

PARSE = HashedNgrams().parse
AGENT = OfflineClassification(HashedNgrams(), PARSE)


def classify(text: str, *, lang: Lang = "en", dialogue: bool = False) -> ClassificationOutput:
    found = AGENT.run(ClassificationInput(text=text, lang=lang, dialogue=dialogue))
    assert_covers(text, found)
    return found


def assert_covers(text: str, found: ClassificationOutput) -> None:
    spans = sorted(span for cluster in found.clusters for span in cluster.spans)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(left[1] == right[0] for left, right in pairwise(spans))
    assert all(list(cluster.spans) == sorted(cluster.spans) for cluster in found.clusters)
    assert found.should_cluster == (len(found.clusters) > 1)
    assert found.clusters


ENGLISH = TABLES["english"]

CHINESE = TABLES["chinese"]


def test_english_document() -> None:
    found = classify(ENGLISH)
    contexts = [cluster.context for cluster in found.clusters]
    assert len(contexts) == 3
    assert contexts[0] == "The harbour of Rotterdam: largest port"
    assert contexts[1].startswith("Tulips: ")
    assert all(2 <= size(context) <= 6 for context in contexts)
    assert "Rotterdam" in " ".join(found.clusters[0].keywords)
    assert all(3 <= len(cluster.keywords) <= 8 for cluster in found.clusters)
    table = next(cluster for cluster in found.clusters if "Fares" in cluster.context)
    assert len(table.spans) == 1
    (start, end) = table.spans[0]
    assert ENGLISH[start:end].count("|") == 12, "the table is whole"
    assert ENGLISH[start:end].startswith("## Fares"), "a heading goes with what follows"


def test_chinese_document() -> None:
    found = classify(CHINESE, lang="zh")
    assert len(found.clusters) == 2
    assert found.clusters[0].context == "北京天文馆：位于西城区"
    assert found.clusters[1].context.startswith("烤鸭的做法：")
    assert all(2 <= size(cluster.context) <= 6 for cluster in found.clusters)
    assert "天文馆" in "".join(found.clusters[0].keywords)
    assert "烤鸭" in found.clusters[1].keywords


def test_one_topic_is_one_cluster() -> None:
    text = (
        "The Atacama is the driest desert of the world. Some places in the desert have had no rain for centuries. The "
        "desert lies in Chile, between the Andes and the sea. Astronomers like the desert for its clear sky."
    )
    found = classify(text)
    assert not found.should_cluster
    assert found.clusters[0].spans == ((0, len(text)),)
    assert found.clusters[0].context == "Atacama: driest desert"


DIALOGUE = TABLES["dialogue"]


def test_dialogue_is_grouped_by_turns() -> None:
    found = classify(DIALOGUE, dialogue=True)
    assert len(found.clusters) == 2
    assert found.clusters[0].spans == ((0, DIALOGUE.index("Ann (8 May, 9:05)")),)
    assert "fence" in " ".join(found.clusters[0].keywords)
    assert "Vienna" in " ".join(found.clusters[1].keywords)
    assert not any("9:0" in keyword for cluster in found.clusters for keyword in cluster.keywords)
    assert found.clusters[0].context == "garden fence, green paint"


def test_code_is_not_cut() -> None:
    code = "```python\ndef area(side):\n    return side * side\n\n\nprint(area(3))\n```\n"
    text = f"The script computes areas.\n\n{code}\nIt prints nine.\n"
    at = text.index(code)
    for cluster in classify(text).clusters:
        for start, end in cluster.spans:
            assert end <= at or start >= at + len(code) or (start <= at and end >= at + len(code))


TUPLE = TABLES["tuple"]


def test_hardly_any_text_and_odd_text() -> None:
    for text in ("x", "。", "# Only a heading", "a\n" * 50, "。" * 100, "词\n" * 400, TUPLE):
        classify(text)
    for blank in ("", " ", "\n\n \t"):
        assert [cluster.keywords for cluster in classify(blank).clusters] == [()]


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        st.text(alphabet=st.characters(codec="utf-8"), max_size=400),
        st.text(alphabet=" \n.。?|#-:`\t\x0b\u2028abc中文字1\r", max_size=400),
    ),
    st.booleans(),
)
@example("-\t", False)
def test_every_character_is_in_one_span(text: str, dialogue: bool) -> None:
    first = classify(text, dialogue=dialogue)
    assert first == classify(text, dialogue=dialogue), "deterministic"
    for cluster in first.clusters:
        assert cluster.context or not text.strip()


def long_text(paragraphs: int) -> str:
    topics = [
        "The boat left the harbour with {n} sailors. Wind filled the sail. The captain of boat {n} knew the harbour.",
        "The baker sold {n} loaves. Flour and yeast make the dough rise. The oven of the baker was hot by {n}.",
        "Court {n} heard the case. The judge asked the witness twice. A lawyer read the contract of {n} to the judge.",
    ]
    return "\n\n".join(topics[n // 4 % 3].format(n=1000 + n) for n in range(paragraphs)) + "\n"


def test_long_text_is_cut_without_a_call_of_the_model() -> None:
    class Counting(HashedNgrams):
        texts = 0

        def documents(self, texts):  # type: ignore[no-untyped-def]
            self.texts += len(texts)
            return super().documents(texts)

    embedder = Counting()
    agent = OfflineClassification(embedder, HashedNgrams().parse)
    text = long_text(200)
    found = agent.run(ClassificationInput(text=text))
    assert_covers(text, found)
    assert len(text) / 1500 <= len(found.clusters) <= len(text) / 200
    assert embedder.texts == 0


@pytest.mark.parametrize(("heading", "text", "expected"), TABLES["names"])
def test_a_name_is_the_subject_and_what_is_said_of_it(heading: str, text: str, expected: str) -> None:
    spoken = [each for part in units(text) for each in spoken_in(part, PARSE)]
    name = name_of_topic([heading] if heading else [], spoken, (), PARSE)
    assert name.startswith(expected)
    assert not name.endswith(("?", "？", "…"))


def test_without_parsers_the_heading_or_the_keywords_name_a_topic() -> None:
    def unparsed(texts: Sequence[str]) -> list[Parsed]:
        return [Parsed(text, detect_lang(text)) for text in texts]

    agent = OfflineClassification(HashedNgrams(), unparsed)
    headed = agent.run(ClassificationInput(text="# The harbour\n\nShips unload containers in Rotterdam."))
    bare = agent.run(ClassificationInput(text="Ships unload containers in Rotterdam."))
    assert headed.clusters[0].context.startswith("The harbour: ")
    assert "Rotterdam" in bare.clusters[0].context
