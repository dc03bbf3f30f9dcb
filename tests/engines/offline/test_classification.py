from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.classification import OfflineClassification
from memorybank.engines.offline.topic_line import WIDEST, topic_line, trimmed
from memorybank.engines.offline.units import units, width
from memorybank.memory.contracts import ClassificationInput, ClassificationOutput
from memorybank.memory.types import Lang

AGENT = OfflineClassification(HashedNgrams(), HashedNgrams().parse)


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


ENGLISH = """# The harbour of Rotterdam

Rotterdam has the largest port of Europe. Ships from all over the world unload containers there. The port handled 438
million tonnes of goods in 2023. Most containers go on by barge on the Rhine.

## Tulips

Tulips came to the Netherlands from Turkey in the sixteenth century. In 1637 the price of a single tulip bulb rose above
that of a house. Today growers in Lisse sell two billion tulip bulbs a year.

## Fares on the metro

| Line | Fare |
|------|------|
| A | 4.50 |
| B | 5.00 |

Children under four travel free on the metro.
"""

CHINESE = """# 北京天文馆

北京天文馆位于西城区，1957年9月29日对公众开放。天文馆里有四个剧场，最大的剧场可以坐四百人。天文馆每周一闭馆。

# 烤鸭的做法

烤鸭要先把鸭子吹气、烫皮、挂糖色，再放进炉里烤一个小时。烤鸭用的果木以枣木为好。师傅要把烤鸭片成一百零八片。
"""


def test_english_document() -> None:
    found = classify(ENGLISH)
    contexts = [cluster.context for cluster in found.clusters]
    assert len(contexts) == 3
    assert contexts[0].startswith("The harbour of Rotterdam: ")
    assert contexts[1].startswith("The harbour of Rotterdam – Tulips: ")
    assert all(width(context) <= WIDEST for context in contexts)
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
    assert found.clusters[0].context == "北京天文馆位于西城区，1957年9月29日对公众开放。"
    assert found.clusters[1].context.startswith("烤鸭的做法：")
    assert all(width(cluster.context) <= WIDEST for cluster in found.clusters)
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
    assert found.clusters[0].context == "The Atacama is the driest desert of the world."


DIALOGUE = (
    "Ann (8 May, 9:00): Did you paint the garden fence green yesterday?\n"
    "Bob (8 May, 9:01): Yes, I painted the garden fence, but the green paint ran out.\n"
    "Ann (8 May, 9:02): I can bring more green paint for the fence tomorrow.\n"
    "Bob (8 May, 9:03): Great, the garden fence needs one more coat of paint.\n"
    "Ann (8 May, 9:05): By the way, my train to Vienna leaves at seven.\n"
    "Bob (8 May, 9:06): Which station does the train to Vienna leave from?\n"
    "Ann (8 May, 9:07): The train leaves from the central station, platform nine.\n"
    "Bob (8 May, 9:08): I will take you to the station for the Vienna train.\n"
)


def test_dialogue_is_grouped_by_turns() -> None:
    found = classify(DIALOGUE, dialogue=True)
    assert len(found.clusters) == 2
    assert found.clusters[0].spans == ((0, DIALOGUE.index("Ann (8 May, 9:05)")),)
    assert "fence" in " ".join(found.clusters[0].keywords)
    assert "Vienna" in " ".join(found.clusters[1].keywords)
    assert not any("9:0" in keyword for cluster in found.clusters for keyword in cluster.keywords)
    assert all(cluster.context.startswith(("Ann (", "Bob (")) for cluster in found.clusters)


def test_code_is_not_cut() -> None:
    code = "```python\ndef area(side):\n    return side * side\n\n\nprint(area(3))\n```\n"
    text = f"The script computes areas.\n\n{code}\nIt prints nine.\n"
    at = text.index(code)
    for cluster in classify(text).clusters:
        for start, end in cluster.spans:
            assert end <= at or start >= at + len(code) or (start <= at and end >= at + len(code))


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n \t", "x", "。", "# Only a heading", "a\n" * 50, "。" * 100, "词\n" * 400]
)
def test_hardly_any_text(text: str) -> None:
    found = classify(text)
    if not text.strip():
        assert len(found.clusters) == 1
        assert found.clusters[0].keywords == ()


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        st.text(alphabet=st.characters(codec="utf-8"), max_size=400),
        st.text(alphabet=" \n.。?|#-:`\t\x0b\u2028abc中文字1\r", max_size=400),
    ),
    st.booleans(),
)
def test_every_character_is_in_one_span(text: str, dialogue: bool) -> None:
    first = classify(text, dialogue=dialogue)
    assert first == classify(text, dialogue=dialogue), "deterministic"
    for cluster in first.clusters:
        assert width(cluster.context) <= WIDEST
        assert cluster.context or not text.strip()


def long_text(paragraphs: int) -> str:
    topics = [
        "The boat left the harbour with {n} sailors. Wind filled the sail. The captain of boat {n} knew the harbour.",
        "The baker sold {n} loaves. Flour and yeast make the dough rise. The oven of the baker was hot by {n}.",
        "Court {n} heard the case. The judge asked the witness twice. A lawyer read the contract of {n} to the judge.",
    ]
    return "\n\n".join(topics[n // 4 % 3].format(n=1000 + n) for n in range(paragraphs)) + "\n"


def test_long_text_without_a_call_of_the_model_in_linear_time() -> None:
    class Counting(HashedNgrams):
        texts = 0

        def documents(self, texts):  # type: ignore[no-untyped-def]
            self.texts += len(texts)
            return super().documents(texts)

    embedder = Counting()
    agent = OfflineClassification(embedder, HashedNgrams().parse)
    seconds = []
    for paragraphs in (300, 600):
        text = long_text(paragraphs)
        agent.run(ClassificationInput(text=text))  # caches warm
        started = time.process_time()
        found = agent.run(ClassificationInput(text=text))
        seconds.append(time.process_time() - started)
        assert_covers(text, found)
        assert len(text) / 1500 <= len(found.clusters) <= len(text) / 200
    assert embedder.texts == 0
    assert seconds[1] <= 2.3 * seconds[0] + 0.2


def test_a_line_without_an_end_is_cut_all_the_same() -> None:
    text = "alpha beta gamma delta " * 4000
    found = classify(text)
    assert len(found.clusters) > 10
    assert max(end - start for cluster in found.clusters for start, end in cluster.spans) < 20_000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("short", "short"),
        ("one two three four five six", "one two three…"),
        ("first part here, then more of it", "first part here…"),
        ("这是一个很长的句子没有标点符号可以断开", "这是一个很长的…"),
        ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmno…"),
    ],
)
def test_trimmed(text: str, expected: str) -> None:
    assert trimmed(text, 16) == expected


def test_topic_line_prefers_the_central_sentence() -> None:
    text = "Hi there. The new bridge over the Danube opened in June. Fine."
    parts = units(text)
    assert (
        topic_line(text, parts, (0.2, 0.9, 0.1), ("bridge", "Danube"))
        == "The new bridge over the Danube opened in June."
    )
