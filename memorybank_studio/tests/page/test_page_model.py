"""The page with a language model: answers and settlements by it, and what is said when it fails."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_lab.scripted import Script, ScriptedServer, SeenRequest, asks, error_reply, on
from memorybank_studio.tests.creativity.judging import judged
from memorybank_studio.tests.creativity.test_model import STORIES, writes_at_once
from memorybank_studio.tests.page.conftest import Tab, use_model
from memorybank_studio.tests.page.test_chapters import wait
from memorybank_studio.tests.settlement.settling import NOTHING
from memorybank_studio.tests.tasks.asking import taken
from memorybank_studio.types import HAS_STATUS, HAS_TRAIT, Entity, EntityKind, Fact, Origin, TaskId
from tests.app.driving import keys, says, shown, texts

NAME = {"name": "Lin", "kind": "Character", "aliases": [], "note": "a smith", "sentences": [1]}
GOOD = NOTHING | {"names": [NAME]}


def test_on_a_chinese_page_it_is_said_in_chinese_why_nobody_judged_or_read(
    tabs: type[Tab], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = [
        on(asks(schema="turn"), taken("options")),
        on(asks(schema="drafts"), writes_at_once),
        on(asks(schema="judgements"), error_reply(500, "-")),
        on(asks(schema="settlement"), error_reply(500, "-")),
    ]
    with ScriptedServer(Script(rules=rules)) as server:
        use_model(server, monkeypatch)
        tab = tabs("zh").begin()
        tab.say("/新建 铁匠铺\n人物：林")
        ruled = [words for words in texts(tab.page) if "没有评价" in words]
        assert ruled
        tab.press("studio-settle-t1")
        note = shown(tab.page, "studio-settling-note")
        assert "只读了带标签的行" in note
        for words in (*ruled, note):
            assert "500" in words
            assert not re.search(r"[a-z]{3,} [a-z]{3,}", words), "why it failed too"


def test_a_model_answers_settles_fails_and_is_there_again(tabs: type[Tab], monkeypatch: pytest.MonkeyPatch) -> None:
    broken = error_reply(500, "it broke")
    script = Script(
        rules=[
            on(asks(schema="turn"), taken("options")),
            on(asks(contains="then it breaks", schema="drafts"), broken, writes_at_once),
            on(asks(schema="drafts"), writes_at_once),
            on(asks(schema="judgements"), judged),
            on(asks(schema="settlement"), "{not", "{not", GOOD),
        ]
    )
    with ScriptedServer(script) as server:
        use_model(server, monkeypatch)
        tab = tabs().begin()
        assert says(tab.page, t("studio.by_model", "en"))
        tab.say("/new Smithy\nCharacter: Lin")
        assert says(tab.page, STORIES[2]), "an option of the model's"
        assert "calls of the language model, " in shown(tab.page, "studio-spent-t1-2")
        tab.say("Plot, and then it breaks.")
        assert says(tab.page, "Only 0 of 3 options could be written"), "what failed is said"
        assert says(tab.page, t("studio.unanswered", "en")), "and the words wait"
        tab.press("studio-resume")
        assert not says(tab.page, t("studio.unanswered", "en"))

        tab.press("studio-settle-t1")
        assert "only labelled lines were read" in shown(tab.page, "studio-settling-note")
        assert [row.item.note for row in tab.rows if hasattr(row.item, "note")] == [""]
        tab.press("studio-settle-t1")
        assert not says(tab.page, "only labelled lines were read")
        assert [row.item.note for row in tab.rows] == ["a smith"], "the model's own row"
        tab.press("studio-confirm")
        assert tab.held.studio.stores.facts.count() == (1, 0)


def test_a_draft_is_read_by_the_model_and_when_it_fails_that_is_said(
    tabs: type[Tab], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(request: SeenRequest) -> dict[str, Any]:
        against = next(line.split()[0] for line in request.prompt.splitlines() if "is timid" in line)
        fields = {"sentence": "s2", "quote": "struck the table", "against": against, "kind": "against_trait"}
        return {"marks": [{**fields, "reason": "Rao is timid on record."}]}

    script = Script(rules=[on(asks(schema="continuity"), read, error_reply(500, "it broke"))])
    with ScriptedServer(script) as server:
        use_model(server, monkeypatch)
        tab = tabs().begin()
        origin = Origin(task=TaskId("t1"), chapter=1, source="word for word")
        entity = partial(Entity, origin=origin)
        lin, rao = (entity(kind=EntityKind.CHARACTER, name=name) for name in ("Lin Shuang", "Rao"))
        dead, timid = entity(kind=EntityKind.STATUS, name="dead"), entity(kind=EntityKind.TRAIT, name="timid")
        facts = [
            Fact(subject=lin.key, predicate=HAS_STATUS, object=dead.key, origin=origin),
            Fact(subject=rao.key, predicate=HAS_TRAIT, object=timid.key, origin=origin),
        ]
        with tab.held.studio.hub.changing() as stores:
            stores.facts.apply([lin, rao, dead, timid], facts)
        tab.show("write")
        tab.page.text_area(key="studio-draft").set_value("Lin Shuang came in. Rao struck the table.")
        tab.rest()
        tab.press("studio-draft-keep")
        wait(tab)
        mark = "chapter-mark-1-0"
        assert "Rao is timid on record." in shown(tab.page, mark)
        assert "Rao is timid" in shown(tab.page, mark)
        tab.press("chapter-let-stand-1-0")
        assert mark not in keys(tab.page)
        assert "Rao struck the table." in shown(tab.page, "chapter-let-mark-1-0")
        tab.press("chapter-mark-again-1-0")
        assert "Rao is timid on record." in shown(tab.page, mark)
        (chapter,) = tab.held.studio.gateway.chapters.all()
        tab.held.studio.gateway.chapters.edit(chapter.id, 1, "Lin Shuang came in. Rao went out.")
        tab.run()
        assert "500" in shown(tab.page, "chapter-piece-failure-1")
        assert t("chapter.check", "en") in [one.label for one in tab.page.button], "it can be asked for again"


@pytest.mark.parametrize(
    ("lang", "words", "why"),
    [
        ("en", "Character: Lin\nShould Lin stay?", "a question (you ask it yourself)"),
        ("zh", "人物：林\n林要留下吗？", "提问（you ask it yourself）"),
    ],
)
def test_what_the_model_read_and_did_not_take_is_listed_with_why_and_can_be_written_down(
    tabs: type[Tab], monkeypatch: pytest.MonkeyPatch, lang: Lang, words: str, why: str
) -> None:
    asked = {"sentences": [2], "why": "question", "note": "you ask it yourself"}
    name = NAME | {"name": "Lin" if lang == "en" else "林"}
    rules = [
        on(asks(schema="turn"), taken("options")),
        on(asks(schema="drafts"), writes_at_once),
        on(asks(schema="judgements"), judged),
        on(asks(schema="settlement"), NOTHING | {"names": [name], "not_taken": [asked]}),
    ]
    with ScriptedServer(Script(rules=rules)) as server:
        use_model(server, monkeypatch)
        tab = tabs(lang).begin()
        tab.say(f"/new Smithy\n{words}").press("studio-settle-t1")
        assert len(tab.rows) == 1
        assert tab.table.unread == (), "nothing is left to be dealt with"
        tab.page.session_state["studio-not-taken"] = True
        tab.run()
        line = words.split("\n")[1]
        assert says(tab.page, line)
        assert says(tab.page, why)
        tab.press(f"write-studio-unread-t1-{tab.table.turns}-0")
        tab.page.button_group(key="studio-unread-kind").set_value("entity")
        tab.run()
        next(field for field in tab.page.text_input if str(field.key).endswith("-name")).set_value("Rao")
        tab.submit(t("studio.unread_keep", lang))
        assert [row.item.name for row in tab.rows] == [name["name"], "Rao"]
        assert not says(tab.page, why), "it is a row now"


def test_a_mix_by_the_form(tabs: type[Tab], monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {
        "turn": taken("options"),
        "drafts": writes_at_once,
        "proposal": {"step": "", "event": "The gate is open.", "text": "Lin waits, and the gate opens."},
        "judgements": judged,
    }
    script = Script(rules=[on(asks(schema=schema), answer) for schema, answer in answers.items()])
    with ScriptedServer(script) as server:
        use_model(server, monkeypatch)
        tab = tabs().begin()
        tab.say("/new Gate\nWhat could go wrong?")
        tab.page.button_group(key="studio-rework-options-t1-2").set_value([1, 3])
        tab.page.text_input(key="studio-rework-words-t1-2").set_value("the beginning of 1 with the end of 3")
        tab.submit(t("studio.rework_do", "en"))
        assert says(tab.page, "Lin waits, and the gate opens.")
        assert says(tab.page, "made of proposal 1 of answer 2 (t1), proposal 3 of answer 2 (t1)")
        calls = [call.schema_name for call in server.chats]
        assert calls[-2:] == ["proposal", "judgements"]
        assert "turn" not in calls[3:], "the form says what it wants"
