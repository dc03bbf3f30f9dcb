"""What is disputed, in the words a person would use: "when Willow was announced", "the diameter of Hubble".

A claim carries its subject and one word of its sentence (or, from a language model, a phrase of its own). Out of both a
name of the matter is made in the language of the claims; where the word says nothing that the values do not, or no rule
knows how to join it, the subject stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memorybank.contradiction import words_en, words_zh
from memorybank.language.han import is_han
from memorybank.language.inflection import is_past, is_plural, lemma_of
from memorybank.language.text import detect_lang, fold_space
from memorybank.memory.types import Claim, Lang
from memorybank.prompts import say

LONGEST = 60
"""Characters of a subject; of a statement three times as many."""
LONGEST_LISTED = 40
"""Characters of values that stand behind each other with commas; longer ones have the word between all of them."""

_OPENERS = "The|An?|This|That|These|Those|Its|His|Her|Their|Our|When|Where|Whether|By whom|Who|How"
_OPENING_RE = re.compile(rf"(?:{_OPENERS})(?=\s+[a-zA-Z\d“])")
_ARTICLE_RE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_REPORTED_RE = re.compile(
    r"^[^“”《》，,的]{1,6}?(?<![小传学解演据])(?:介绍说|介绍|说|称|表示|写道|写着|记载|提到|指出|认为)[，,：:]?(?=..)"
)
"""Who says so, where no rule has parted it from what is spoken of: 导游说…"""
_BRACKETS_RE = re.compile(r"\s*[(（][^()（）]*[)）]\s*")
_ASKING = r"(?:(?:at|by|from|in|of|on|to|with) )?(?:who|whom|whose|what|where|when|whether|which|why|how)"
_CLAUSE_RE = re.compile(
    rf"\b{_ASKING}(?: \S+){{3}}|[^\W\d_](?:何时|何处|何人|谁|哪|是否|能否|可否|有没有|能不能)", re.IGNORECASE
)
"""Makes a clause of an attribute, which has a subject of its own: "whether the beetle can fly", 鱼能否过坝."""
_NAME_RE = re.compile(r"[^\W\d_a-z]\w+|\d\w+|“[^“”]+”")
"""What may be a name in a phrase: a word with a capital, a number, what stands in quotation marks."""


def matter(subject: str, attribute: str, claims: Iterable[Claim] = ()) -> str:
    """What these claims are on, as it stands within a sentence, in their own language; empty where nothing names it."""
    stated = tuple(claims)
    if {claim.kind for claim in stated} <= {"negation", "text"} and (whether := _whether(stated)):
        return whether
    attribute = _BRACKETS_RE.sub(" ", fold_space(attribute)).strip() or fold_space(attribute).strip("()（） ")
    if clause := _CLAUSE_RE.search(attribute):
        return _with_article(attribute) if clause.start() else attribute
    written, subject = subject, _named(subject, stated)
    if not subject or not attribute:
        return subject or attribute
    if "的" not in attribute and attribute.casefold() in subject.casefold():
        return subject
    if _names(attribute, written):
        return _with_article(attribute)
    tell = _chinese if detect_lang(attribute) == "zh" else _english
    return tell(subject, attribute, stated)


def foreign_matter(subject: str, attribute: str, claims: Iterable[Claim], lang: Lang) -> str:
    """The same for a reader of another language than the claims': their words quoted, those between in `lang`."""
    stated = tuple(claims)
    if {claim.kind for claim in stated} <= {"negation", "text"} and (statement := _denied(stated)):
        return say("matter_whether", lang, statement=quoted(short(statement, LONGEST)))
    kind = stated[0].kind if stated else "text"
    name = _ARTICLE_RE.sub("", _named(subject, stated))
    name = quoted(name) if " " in name else name
    if not name or not attribute or kind in ("negation", "text") or attribute.casefold() in subject.casefold():
        return name or attribute
    form = {"date": "matter_date", "place": "matter_place"}.get(kind, "matter_of")
    return say(form, lang, subject=name, attribute=quoted(attribute))


def opened(words: str) -> str:
    """Words that begin a line: what this module put first gets its capital, a name stays as it is written."""
    first = words[:1].upper() + words[1:]
    return first if _OPENING_RE.match(first) or words.startswith("whether ") else words


def listed(values: Sequence[str], about: str, lang: Lang) -> str:
    """Values that stand against each other, behind the matter: Willow: 105 qubits or 98 qubits."""
    joined = alternatives(values, lang)
    return say("dispute", lang, about=opened(about), values=joined) if about else joined


def alternatives(values: Sequence[str], lang: Lang) -> str:
    """A, B or C."""
    between = say("dispute_between", lang)
    if len(values) < 3 or max(map(len, values)) > LONGEST_LISTED:
        return between.join(values)
    return between.join([say("sources_between", lang).join(values[:-1]), values[-1]])


_WHOLLY_QUOTED_RE = re.compile(r"“[^“”]*”")


def quoted(text: str) -> str:
    """In quotation marks; those inside become single ones, in both languages (GB/T 15834 for Chinese)."""
    if _WHOLLY_QUOTED_RE.fullmatch(text):
        return text
    return f"“{text.replace('“', '‘').replace('”', '’')}”"


def short(text: str, longest: int = 120) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


# -- the subject ------------------------------------------------------------------------------------------------------


def _named(subject: str, claims: Sequence[Claim]) -> str:
    """Without who says so, with the article it is written with; as a quotation where it reads as a sentence itself.

    A name of one word may be a part of the name that the article belongs to: the Hubble telescope.
    """
    name = _lowered(_REPORTED_RE.sub("", fold_space(subject)).strip(" ,，:：;；."))
    cut = short(name, LONGEST)
    if cut != name or re.search(r"[:：;；]", name):
        return quoted(cut)
    if " " not in name:
        return name
    pattern = rf"(the )?\b{re.escape(name)}\b"
    articles = [article for claim in claims for article in re.findall(pattern, claim.text, re.IGNORECASE)]
    return f"the {name}" if articles and all(articles) else name


def _lowered(words: str) -> str:
    """An article that opened a sentence, within one."""
    return _OPENING_RE.sub(lambda match: match[0].lower(), words, count=1) if _OPENING_RE.match(words) else words


def _names(attribute: str, subject: str) -> bool:
    """Whether an attribute says itself whose it is: "number of qubits of Willow", 九章的发布时间."""
    if any(name in subject for name in _NAME_RE.findall(attribute)):
        return True
    owner = attribute.rpartition("的")[0].strip("“” ")
    return len(owner) > 1 and owner in subject


def _with_article(attribute: str) -> str:
    """ "number of qubits of Willow" needs one."""
    is_bare = attribute[:1].islower() and attribute.partition(" ")[0] not in words_en.DETERMINERS
    return f"the {attribute}" if is_bare and (" of " in attribute or _CLAUSE_RE.search(attribute)) else attribute


# -- by language ------------------------------------------------------------------------------------------------------


def _denied(claims: Sequence[Claim]) -> str:
    """Of statements of which one denies the other: the one that is denied."""
    claim = next((claim for claim in claims if claim.polarity), None)
    if claim is None or all(claim.polarity for claim in claims):
        return ""
    is_clause = len(claim.value.split()) > 3 or (is_han(claim.value) and len(claim.value) > 5)
    clause = claim.value if is_clause else claim.text
    return short(fold_space(clause).rstrip(".。!！;； "), 3 * LONGEST)


def _whether(claims: Sequence[Claim]) -> str:
    """Of statements of which one denies the other: whether it is so."""
    statement = _denied(claims)
    if not statement:
        return ""
    if detect_lang(statement) == "zh":
        return f"“{statement}”是否属实" if "“" not in statement else f"{statement}，是否属实"
    return f"whether {_lowered(statement)}"


def _english(subject: str, attribute: str, claims: Sequence[Claim]) -> str:
    low = attribute.casefold()
    lemma = lemma_of(low)
    kind = claims[0].kind if claims else "text"
    quantity = words_en.ATTRIBUTE_OF.get(low) or words_en.ATTRIBUTE_OF.get(lemma)
    if kind == "number" and quantity:
        return f"the {quantity} of {subject}"
    is_verb = low.isalpha() and low not in words_en.NOMINAL and (is_past(low) or lemma in words_en.VERB_CLASS)
    if is_verb and is_past(low):
        return _when_it_was(subject, low, lemma, kind, claims)
    if is_verb or kind in ("negation", "text"):
        return subject
    counted = "number of " if kind == "number" and is_plural(low) else ""
    return f"the {counted}{_lower_first(attribute)} of {subject}"


def _lower_first(attribute: str) -> str:
    """A noun that opened its sentence; a name or an abbreviation keeps its capitals."""
    return attribute if attribute[1:2].isupper() else attribute[:1].lower() + attribute[1:]


def _when_it_was(subject: str, verb: str, lemma: str, kind: str, claims: Sequence[Claim]) -> str:
    """ "when Willow was announced", as far as the sentences or the verb tell that it is done to the subject."""
    texts = " ".join(claim.text.casefold() for claim in claims)
    question = {"date": "when", "place": "where"}.get(kind)
    if kind == "name" and re.search(rf"\b{verb}\s+by\b", texts):
        question = "by whom"
    if question is None:
        return subject
    passive = re.search(rf"\b(was|were)\s+(?:\w+ly\s+)?{verb}\b", texts)
    was = f"{passive[1]} " if passive else "" if lemma in words_en.INTRANSITIVE else "was "
    return f"{question} {subject} {was}{verb}"


def _chinese(subject: str, attribute: str, claims: Sequence[Claim]) -> str:
    kind = claims[0].kind if claims else "text"
    is_verb = attribute in words_zh.VERB_CLASS
    has_question = is_verb and attribute[-1] not in "于在自"
    question = {"date": "何时", "place": "在何处"}.get(kind, "") if has_question else ""
    return f"{subject}{'' if is_verb or len(attribute) < 2 else '的'}{question}{attribute}"
