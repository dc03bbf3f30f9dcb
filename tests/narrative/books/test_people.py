from __future__ import annotations

from collections.abc import Mapping

from memorybank.narrative.books.chapters import chapters
from memorybank.narrative.books.people import Person, characters, people
from memorybank.narrative.types import EntityKind, TaskId

ZH = """第一回 山中
只见林远忙笑道：“苏青，你来了。”苏青冷笑道：“谁要你等。”众人道：“坐罢。”那周婆婆便问道：“吃了饭没有？”林远说：“没有。”
苏青向林远道：“你且听我说。”林远听了道：“好。”一面说道：“走罢。”周婆婆笑道：“慢走。”婆子道：“茶好了。”
第二回 水边
林远闻言道：“是他。”白苏青叹道：“不是。”苏青问林远：“你见了周婆婆么？”苏青道：“我见了。”周婆婆道：“见了苏青，也见了林远。”
白苏青笑道：“婆婆好。”众人见了周婆婆都道：“好。”一面道：“请。”婆子道：“请。”众人笑道：“请。”一面道：“坐。”婆子道：“坐。”
第三回 雨
白苏青与林远走了。周婆婆叫苏青，苏青道：“来了。”有人看见白苏青和周婆婆。林远闻言道：“走了。”林远道：“走了。”
林远道：“雨大。”林远道：“风也大。”林远道：“回去罢。”林远道：“好冷。”林远道：“是。”林远道：“快些。”林远闻言道：“嗯。”
"""
EN = """Chapter 1

"You are late," said Ann. Mr. Reed looked at the rain. "It rained," Tom Hill answered. Mrs. Reed said nothing.
The house in Dover was old. Ann asked Tom to sit down. "In Dover it always rains," said Ann.

Chapter 2

In Dover nothing moved. "Come," said Tom Hill, and Ann smiled. Mr. Reed sent Tom away; Mrs. Reed told Tom Hill to stay.
On Monday Mr. Reed left Dover. On Monday Mrs. Reed cried. "On Monday!" said Tom. However, Ann stayed with Mrs. Reed.
"""


def named(text: str) -> Mapping[str, Person]:
    return {person.name: person for person in people(chapters(text))}


def test_who_speaks_in_a_chinese_book() -> None:
    found = named(ZH)
    assert set(found) == {"林远", "苏青", "周婆婆"}, "not 众人, 一面, 婆子, 林远闻言"
    assert found["苏青"].aliases == ("白苏青",)
    assert found["周婆婆"].chapters == (1, 2, 3)
    assert found["林远"].count == ZH.count("林远")


def test_who_speaks_in_an_english_book() -> None:
    found = named(EN)
    assert set(found) == {"Ann", "Tom Hill", "Mr. Reed", "Mrs. Reed"}, "not Dover, Monday, However"
    tom = found["Tom Hill"]
    assert tom.aliases == ("Tom",)
    assert tom.count == EN.count("Tom")


def test_the_most_spoken_of_come_first_and_are_proposed_as_characters() -> None:
    found = people(chapters(ZH))
    assert [person.count for person in found] == sorted((person.count for person in found), reverse=True)
    entities = characters(found, TaskId("import"))
    assert {entity.kind for entity in entities} == {EntityKind.CHARACTER}
    assert entities[0].name == found[0].name
    assert entities[0].origin.chapter == 1


def test_a_text_without_people() -> None:
    assert people(()) == ()
    assert people(chapters("山高水长。" * 50)) == people(chapters("It rained. " * 50)) == ()
