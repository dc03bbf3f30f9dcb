"""Facts, plans and hooks as sentences, in both languages: for prompts, tables and reasons."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import load
from memorybank_studio.types import Entity, EntityKey, EntityKind, Fact, Lasting, Plan, PlanKind, PlanStatus, Setting
from memorybank_studio.wording import say


def _words(lang: Lang) -> dict[str, Any]:
    return load(__package__, f"words.{lang}")


def tell_fact(fact: Fact, entity_of: Callable[[EntityKey], Entity | None], lang: Lang) -> str:
    """Return the fact as "Lin OWNS the Frost Sword (since chapter 3, until chapter 9; reason: …)"."""
    subject, object_ = _name(entity_of, fact.subject, lang), _name(entity_of, fact.object, lang)
    predicate = tell_predicate(fact.predicate, lang)
    known: dict[str, str] = _words(lang)["properties"]
    more = [say("property", lang, name=known.get(key, key), value=value) for key, value in fact.properties.items()]
    sentence = say("fact", lang, subject=subject, predicate=predicate, object=object_)
    return tell_chapters(fact, sentence, lang, *more)


def tell_chapters(lasting: Lasting, told: str, lang: Lang, *more: str) -> str:
    """Return the words with the chapters in which it holds and what `more` is said of it, in brackets behind them."""
    details = [say("since", lang, chapter=lasting.since)] if lasting.since else []
    details += [say("until", lang, chapter=lasting.until)] if lasting.until is not None else []
    joined = ("；" if lang == "zh" else "; ").join((*details, *more))
    return say("detailed", lang, told=told, details=joined) if joined else told


def tell(item: Entity | Fact | Plan | Setting, entity_of: Callable[[EntityKey], Entity | None], lang: Lang) -> str:
    """Return whatever is on record, in a sentence."""
    match item:
        case Entity():
            words, note = tell_entity(item, lang), tell_note(item, lang)
            return say("told_note", lang, told=words, note=note) if note else words
        case Fact():
            return tell_fact(item, entity_of, lang)
        case Plan():
            return tell_plan(item, lang)
        case Setting():
            return tell_chapters(item, say("told_setting", lang, key=item.key, text=item.text), lang)


def tell_predicate(predicate: str, lang: Lang) -> str:
    """Return a known relation in words; a free one as the author named it."""
    known: dict[str, str] = _words(lang)["predicates"]
    return known.get(predicate, predicate.replace("_", " ").lower() if lang == "en" else predicate)


def predicate_told_as(words: str) -> str | None:
    """Return the known relation that Chinese words tell: 拥有 is OWNS, 的特点是 and 特点 are HAS_TRAIT; else None.

    English words tell several at once ("belongs to"), and a relation's name is English itself."""
    return _predicates_by_words().get(words.strip())


@cache
def _predicates_by_words() -> dict[str, str]:
    known: dict[str, str] = _words("zh")["predicates"]
    forms = {words: predicate for predicate, words in known.items()} | dict(_words("zh")["also_told"])
    for predicate, words in known.items():
        bare = words.removeprefix("的")
        for form in (bare, bare.removesuffix("是")):
            forms.setdefault(form, predicate)
    return forms


def tell_status(status: PlanStatus, lang: Lang) -> str:
    return str(_words(lang)["statuses"][status.value])


def tell_plan_kind(kind: PlanKind, lang: Lang) -> str:
    return str(_words(lang)["plan_kinds"][kind.value])


def tell_plan(plan: Plan, lang: Lang) -> str:
    status = tell_status(plan.status, lang)
    due = say("due", lang, chapter=plan.due) if plan.due is not None else ""
    return say("plan", lang, title=plan.title, text=plan.text, status=status, due=due).strip()


def tell_entity(entity: Entity, lang: Lang) -> str:
    kinds: dict[str, str] = _words(lang)["kinds"]
    is_age = entity.kind is EntityKind.STATUS and entity.name.strip().isdecimal()  # no other status is a number
    kind = say("age", lang) if is_age else kinds[entity.kind.value]
    return say("entity", lang, name=tell_name(entity, lang), kind=kind)


def tell_note(entity: Entity, lang: Lang) -> str:
    """Return what is noted of it, and the ranks that it has, in their order."""
    ranks = say("ranks", lang, ranks=" → ".join(entity.ranks)) if entity.ranks else ""
    return (" " if lang == "en" else "").join(filter(None, (entity.note, ranks)))


def tell_name(entity: Entity, lang: Lang) -> str:
    """Return an entity's name; the status of a hook, which is a word of this program, in the language."""
    known: dict[str, str] = _words(lang)["hook_statuses"]
    return known.get(entity.name, entity.name) if entity.kind is EntityKind.STATUS else entity.name


def _name(entity_of: Callable[[EntityKey], Entity | None], key: EntityKey, lang: Lang) -> str:
    entity = entity_of(key)
    return tell_name(entity, lang) if entity else str(key)
