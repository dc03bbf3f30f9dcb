"""Options without a language model: filled from the story's own material, scored with reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import AgentError
from memorybank.memory.types import Lang
from memorybank.narrative.creativity.allowance import Allowance
from memorybank.narrative.creativity.evidence import evidence
from memorybank.narrative.creativity.judges import FindingsJudge, RulePanel, StyleJudge
from memorybank.narrative.creativity.lookups import MOST_FACTS, Lookups
from memorybank.narrative.creativity.model import BRIEFS
from memorybank.narrative.creativity.offline import PatternGenerator, missing_places, patterns
from memorybank.narrative.creativity.options import Criterion, Draft, Option, Request, Score
from memorybank.narrative.creativity.workshop import Workshop
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.studio import made_workshop, rule_panel
from memorybank.narrative.types import HAS_STATUS, EntityKind
from tests.narrative.creativity.conftest import CHAPTER, DEAD, GATE, HOOK, LIN, OPEN, RAO, STEP, entity, fact
from tests.narrative.hub.in_memory import FactsInMemory, PlansInMemory


def test_at_least_three_options_from_the_authors_own_material(stores: Stores, request_: Request) -> None:
    options = made_workshop(stores, HashedNgrams(), None).options(request_)
    assert len(options) >= 3
    assert {option.draft.brief for option in options} == set(BRIEFS)
    assert [option.total for option in options] == sorted((option.total for option in options), reverse=True)
    for option in options:
        assert option.draft.made_by.startswith("offline pattern ")
        assert {score.criterion for score in option.scores} == set(Criterion)
        assert all(0 <= score.value <= 1 and score.reasons for score in option.scores)
        assert "{" not in option.draft.text
        assert option.draft.lookups  # it looked up who takes part
    assert any("Lin" in option.draft.text for option in options)
    assert any(STEP.title in option.draft.text for option in options)


def test_who_is_dead_takes_no_part(stores: Stores, request_: Request) -> None:
    options = made_workshop(stores, HashedNgrams(), None).options(replace(request_, asked="What does Wen do to Lin?"))
    assert all("Wen" not in option.draft.text for option in options)
    earlier = replace(request_, asked="What does Wen do to Lin?", chapter=2)
    assert any("Wen" in option.draft.text for option in made_workshop(stores, HashedNgrams(), None).options(earlier))


LAMP = entity(EntityKind.ITEM, "Moon Lamp")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nobody_is_given_what_another_owns(stores: Stores, request_: Request, lang: Lang) -> None:
    stores.facts.apply([LAMP], [fact(RAO, "OWNS", LAMP)])
    asked = replace(request_, asked="Rao, the Frost Sword, the Moon Lamp, Lin", lang=lang)
    drafts = _more(stores, asked, "pressure")
    lost = [one.text for one in drafts if one.made_by.endswith(("the loss", "失灵", "wrong hands", "落入他手"))]
    assert lost
    for text in lost:
        hero = min((name for name in ("Rao", "Lin") if name in text), key=text.index)
        assert ("Moon Lamp" if hero == "Rao" else "Frost Sword") in text
        assert ("Frost Sword" if hero == "Rao" else "Moon Lamp") not in text
    quiet = PatternGenerator("quiet", stores).drafts(asked)
    assert any("Frost Sword" in draft.text for draft in quiet), "a thing of somebody else's may pass by"


def _more(stores: Stores, request: Request, brief: str) -> list[Draft]:
    found: list[Draft] = []
    while new := PatternGenerator(brief, stores).drafts(replace(request, before=tuple(one.text for one in found))):
        found += new
    return found


def test_what_nobody_owns_may_be_anyones(stores: Stores, request_: Request) -> None:
    stores.facts.apply([LAMP], [])
    asked = replace(request_, asked="Rao and the Moon Lamp")
    texts = [draft.text for draft in PatternGenerator("pressure", stores).drafts(asked)]
    assert any("Rao relies on Moon Lamp" in text for text in texts)


def test_a_hub_without_material_says_what_is_missing(stores: Stores, request_: Request) -> None:
    empty = replace(stores, facts=FactsInMemory(), plans=PlansInMemory())
    with pytest.raises(AgentError, match="name a character"):
        made_workshop(empty, HashedNgrams(), None).options(request_)


@pytest.mark.parametrize(("lang", "status"), [("en", "killed"), ("en", "deceased"), ("zh", "阵亡"), ("zh", "下落不明")])
def test_who_is_gone_by_any_word_of_the_continuity_check_takes_no_part(
    stores: Stores, request_: Request, lang: Lang, status: str
) -> None:
    state = entity(EntityKind.STATUS, status)
    stores.facts.apply([state], [fact(RAO, HAS_STATUS, state, since=2)])
    drafts = PatternGenerator("pressure", stores).drafts(replace(request_, lang=lang))
    assert drafts
    assert all("Rao" not in draft.text for draft in drafts)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_names_of_which_nothing_else_is_known_are_material(stores: Stores, request_: Request, lang: Lang) -> None:
    bare = FactsInMemory()
    bare.apply([LIN, RAO, GATE, HOOK, OPEN], [fact(HOOK, HAS_STATUS, OPEN)])
    only = replace(stores, facts=bare, plans=PlansInMemory())
    asked = replace(request_, asked="What next?", lang=lang)
    options = made_workshop(only, HashedNgrams(), None).options(asked)
    assert len(options) >= 3
    assert {name for name in ("Lin", "Rao", "North Gate") if any(name in one.draft.text for one in options)} == {
        "Lin",
        "Rao",
        "North Gate",
    }


def test_what_can_be_filled_is_offered_and_what_is_missing_is_known(stores: Stores, request_: Request) -> None:
    bare = FactsInMemory()
    bare.apply([LIN], [])
    only = replace(stores, facts=bare, plans=PlansInMemory())
    (option,) = made_workshop(only, HashedNgrams(), None).options(request_)
    assert "Lin" in option.draft.text
    assert set(missing_places(request_, only)) == {"other", "item", "place", "hook", "step"}


def test_a_look_up_shows_statuses_first_and_then_what_came_last(stores: Stores) -> None:
    coins = [entity(EntityKind.ITEM, f"coin {number}") for number in range(MOST_FACTS + 3)]
    ring = entity(EntityKind.ITEM, "the last ring")
    stores.facts.apply([*coins, ring], [fact(LIN, "OWNS", coin) for coin in coins])
    stores.facts.apply([], [fact(LIN, HAS_STATUS, DEAD, since=2), fact(LIN, "OWNS", ring, since=3)])
    lines = Lookups(stores, CHAPTER, "en").facts("Lin").splitlines()
    assert len(lines) == MOST_FACTS
    assert lines[0].startswith("Lin is dead")
    assert "the last ring" in lines[1]
    draft = Draft(brief="quiet", text="Lin smiles.", made_by="test")
    request = Request(asked="?", prompt="", chapter=CHAPTER, lang="en")
    shown = {one.kind: [line for _, line in one.lines] for one in evidence([draft], request, stores)}
    assert shown["facts"][0].startswith("Lin is dead")
    assert "the last ring" in shown["facts"][1]


def test_every_pattern_can_be_filled_in_both_languages() -> None:
    for lang in ("en", "zh"):
        made = patterns(lang)
        assert {pattern.brief for pattern in made} == set(BRIEFS)
        assert all(set(pattern.places) <= {"hero", "other", "item", "place", "hook", "step"} for pattern in made)
    assert {one.brief for one in patterns("en")} == {one.brief for one in patterns("zh")}


def test_names_with_braces_stay_names(stores: Stores, request_: Request) -> None:
    generated = PatternGenerator("quiet", stores).drafts(replace(request_, asked="{hero} {0.__class__} and Lin"))
    assert generated
    assert all("__class__" not in draft.text for draft in generated)


def test_lookups_are_kept_and_hold_as_of_the_chapter(stores: Stores) -> None:
    lookups = Lookups(stores, CHAPTER, "en")
    assert "Lin owns Frost Sword" in lookups.facts("Lin")
    assert lookups.setting("frost sword") == "Frost Sword: It burns whoever lies."
    assert "Lin opens the gate" in lookups.plans("Lin")
    assert lookups.scenes("snow at the gate").startswith("[3] Lin stood")
    assert lookups.facts("nobody") == ""
    assert [one.source for one in lookups.made] == ["facts", "settings", "plans", "scenes", "facts"]
    assert "dead" not in Lookups(stores, 2, "en").facts("Wen")
    assert "dead" in Lookups(stores, CHAPTER, "en").facts("Wen")


def test_a_draft_that_breaks_a_fact_is_no_better_than_that(stores: Stores, request_: Request) -> None:
    draft = Draft(brief="own", text="Wen drew his knife and ran to the gate.", made_by="author")
    panel = rule_panel(stores, HashedNgrams())
    judges = RulePanel(tuple(judge for judge in panel.judges if isinstance(judge, FindingsJudge)))
    (own,) = judges.scores([draft], request_)
    scores = {score.criterion: score for score in own}
    assert scores[Criterion.CONSISTENCY].value < 1
    assert "Wen" in scores[Criterion.CONSISTENCY].reasons[0]
    fine = Score(criterion=Criterion.GOAL, value=1.0, reasons=("near",))
    assert Option(draft=draft, scores=(*scores.values(), fine)).total == scores[Criterion.CONSISTENCY].value


def test_style_is_measured_against_the_chapters_before(stores: Stores, request_: Request) -> None:
    judge = StyleJudge(stores.archive)
    like = Draft(
        brief="b", text="Rao stood at the North Gate. “Close it,” said Lin. Snow fell on the wall.", made_by="m"
    )
    other = Draft(brief="b", text="zzz " * 200, made_by="m")
    assert judge.score(like, request_).value > judge.score(other, request_).value + 0.2
    unknown = judge.score(like, replace(request_, chapter=1))
    assert unknown.value == 0.5
    assert "no earlier chapter" in unknown.reasons[0]


def test_a_generator_that_fails_is_left_out_while_others_suffice(stores: Stores, request_: Request) -> None:
    class Broken:
        brief = "broken"

        def drafts(self, request: Request, calls: Allowance) -> tuple[Draft, ...]:
            raise AgentError("the model is away")

    good = [PatternGenerator(brief, stores) for brief in BRIEFS]
    assert len(Workshop([Broken(), *good], RulePanel(()), HashedNgrams()).options(request_)) >= 3
    with pytest.raises(AgentError, match="broken: the model is away"):
        Workshop([Broken()], RulePanel(()), HashedNgrams()).options(request_)
