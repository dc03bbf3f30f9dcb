"""What a cross-validation reads is memory like any other: filed after its verdict, and never disputed again by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.language.quotation import place
from memorybank.language.text import one_form
from memorybank.memory.events import ContextIntercepted, StageFinished
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.session.assembly import offline_parts
from memorybank.session.checks import standing_summary
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank.tools.corpus import Corpus

GOAL: dict[Lang, str] = {
    "en": "How many turbines has the Kelda Wind Farm?",
    "zh": "凌云风电场有多少台风机？",
}
GIVEN: dict[Lang, dict[str, str]] = {
    "en": {
        "operator.md": "The Kelda Wind Farm has 18 turbines. It was built by Kelda Energy in 2019.",
        "herald.md": "The Kelda Wind Farm has 24 turbines. Fishermen had asked for fewer.",
    },
    "zh": {
        "运营方.md": "凌云风电场有18台风机。风电场由凌云能源在2019年建成。",
        "晚报.md": "凌云风电场有24台风机。渔民曾要求减少数量。",
    },
}
RIGHT: dict[Lang, dict[str, str]] = {
    "en": {
        "register.md": "The Kelda Wind Farm has 18 turbines. Its licence runs until 2044 and allows 30 machines.",
        "survey.md": "The Kelda Wind Farm has 18 turbines. Northern Isles Network made the survey in spring.",
    },
    "zh": {
        "登记册.md": "凌云风电场有18台风机。许可证有效期到2044年，最多可装30台机组。",
        "勘察.md": "凌云风电场有18台风机。勘察由北岛电网公司在春天完成。",
    },
}
WRONG: dict[Lang, str] = {
    "en": "The Kelda Wind Farm has 24 turbines. Visitor number {n} came by the ferry of {year} from Port {name}.",
    "zh": "凌云风电场有24台风机。第{n}位游客在{year}年乘船从{name}港来到这里。",
}
PRINTED: dict[Lang, dict[int, str]] = {
    "en": {ord("l"): "l\u00ad", ord("d"): "d\u200b", ord(" "): "\u00a0"} | {ord("f"): "\u2060f"},
    "zh": str.maketrans({"风": "⻛", "用": "⽤", "方": "⽅", "长": "⻓", "见": "⻅", "有": "有\u200b", "力": "⼒"}),
}
"""What stands in a page or a PDF for some characters."""
NAMES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gorse", "Hazel")


def repeats(lang: Lang, count: int) -> dict[str, str]:
    """Documents that say the wrong value, each with something of its own."""
    return {
        f"repeat{n}.md": WRONG[lang].format(n=100 + n, year=1990 + n, name=name) for n, name in enumerate(NAMES[:count])
    }


def research(folder: Path, lang: Lang, corpus: Mapping[str, str]) -> Session:
    read = Corpus.from_bytes({name: text.encode() for name, text in corpus.items()})
    sources = [Source(name=name, text=text, kind="document") for name, text in GIVEN[lang].items()]
    with Session.start(
        folder / "run", offline_parts(Settings(), lang, HashedNgrams(), read), goal=GOAL[lang], sources=sources
    ) as session:
        session.run()
    return session


def routes(session: Session) -> Counter[str]:
    return Counter(record.event.route for record in session.records if isinstance(record.event, ContextIntercepted))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_is_filed_after_the_verdict_and_not_disputed_again(lang: Lang, tmp_path: Path) -> None:
    session = research(tmp_path, lang, RIGHT[lang] | repeats(lang, 1))
    bank = session.bank
    assert not bank.tree.unfiled(live=bank.graph.nodes)
    stages = [record.event.stage for record in session.records if isinstance(record.event, StageFinished)]
    after = stages[stages.index("resolve") + 1 :]
    assert after[:4] == ["classify", "structure", "file", "analyse"], "compared with what the verdict made"
    first, *others = bank.conflicts.all.values()
    assert first.status is ConflictStatus.RESOLVED
    assert others, "with the document that repeats the value"
    for conflict in others:
        assert conflict.status is ConflictStatus.RESOLVED
        assert first.id in conflict.reason
        assert {item.supports for item in conflict.evidence} == {"left", "right"}
    assert routes(session)["cross_validate"] == 1
    facts = " ".join(standing_summary(node) for node in bank.graph.nodes.values())
    assert "2044" in facts, "beside the verdict"
    assert "24" not in facts


@pytest.mark.parametrize("count", [3, 8])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_session_ends_however_often_the_wrong_value_is_repeated(lang: Lang, count: int, tmp_path: Path) -> None:
    session = research(tmp_path, lang, RIGHT[lang] | repeats(lang, count))
    assert session.result.result == "complete"
    assert routes(session)["cross_validate"] <= 2
    assert not session.bank.conflicts.open()


@pytest.mark.parametrize("printed", ["what was read", "what was given"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_a_pdf_writes_in_other_characters_counts(
    lang: Lang, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its vote settles the dispute, memory has the usual characters, and what leads to the raw text finds it there."""
    texts = {"what was read": RIGHT, "what was given": GIVEN}[printed][lang]
    odd = {name: text.translate(PRINTED[lang]) for name, text in texts.items()}
    assert all(odd[name] != text == one_form(odd[name]) for name, text in texts.items())
    if printed == "what was given":
        monkeypatch.setitem(GIVEN, lang, odd)
    session = research(tmp_path, lang, odd if printed == "what was read" else RIGHT[lang])
    bank = session.bank
    (conflict,) = bank.conflicts.all.values()
    assert conflict.status is ConflictStatus.RESOLVED
    for evidence in conflict.evidence:
        assert evidence.entry_id is not None
        raw = bank.tree.entries[evidence.entry_id].text
        assert raw == odd.get(evidence.source, raw), "the raw text as it came"
        at = place(raw, evidence.quote)
        assert at is not None
        assert one_form(raw[slice(*at)]) == evidence.quote
    for node in bank.graph.nodes.values():
        assert node.summary == one_form(node.summary)
        assert (node.context, *node.keywords) == tuple(map(one_form, (node.context, *node.keywords)))
    assert not bank.tree.unfiled(live=bank.graph.nodes)
    assert "18" in bank.progress.answer
