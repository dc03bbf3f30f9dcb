"""Who speaks in an English book, or bears a title: "said Ann", "Ann asked", "Mr. Reed".

Names are what the offline engine's `salience` takes for one; a name of these is a person when it stands beside a verb
of speech or behind a title. Mr., Mrs. and Miss Reed are three people, "Ann" and "Ann Reed" are one when only one bears
that first name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from memorybank.engines.offline.salience import mentions
from memorybank.text import fold_space

_LEAST = 3
"""Times a name must stand in the book; and at least once as a person's."""
_MOST_WORDS = 4

_LONGEST_TITLE = 16
"""Characters before a name in which its title, or the verb, is looked for."""

_VERBS = (
    "said|says|asked|replied|answered|cried|whispered|shouted|muttered|murmured|called|exclaimed|added|returned|went on"
    "|continued|repeated|told|laughed|smiled|sighed|nodded|interrupted|remarked|observed|began|thought|declared"
)
_TITLE = (
    "Mr|Mrs|Ms|Miss|Dr|Doctor|Sir|Lady|Lord|Captain|Capt|Colonel|Col|Major|General|Professor|Prof|Aunt|Uncle|King|Queen"
    "|Prince|Princess|Father|Mother|Sister|Brother|Master|Madame|Monsieur|Count|Countess|Duke|Duchess|Baron|Saint|St"
)
_TITLE_RE = re.compile(rf"(?:{_TITLE})\.?")
_TITLE_BEFORE_RE = re.compile(rf"\b(?:{_TITLE})\.?\s\Z")
_SPOKE_BEFORE_RE = re.compile(rf"\b(?:{_VERBS})\s\Z")
_SPOKE_AFTER_RE = re.compile(rf"\s(?:(?:had|then|only|quietly|softly)\s)?(?:{_VERBS})\b")
_POSSESSIVE_RE = re.compile(r"['’]s\Z")


def speakers(texts: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Names with their other forms."""
    counts: Counter[str] = Counter()
    persons: Counter[str] = Counter()
    for text in texts:
        for name, is_person in _names(text):
            counts[name] += 1
            persons[name] += is_person
    known = [name for name in persons if persons[name] and counts[name] >= _LEAST]
    return _grouped(known, counts)


def _names(text: str) -> Iterable[tuple[str, bool]]:
    """Each name as it stands, its title before it, and whether it stands there as a person's."""
    for mention in mentions(text):
        if mention.kind != "name":
            continue
        before = text[max(0, mention.start - _LONGEST_TITLE) : mention.start]
        title = _TITLE_BEFORE_RE.search(before)
        name = fold_space((title[0] if title else "") + _POSSESSIVE_RE.sub("", text[mention.start : mention.end]))
        words = name.split(" ")
        if len(words) > _MOST_WORDS or not words[-1][:1].isupper() or _TITLE_RE.fullmatch(words[-1]):
            continue
        titled = len(words) > 1 and bool(_TITLE_RE.fullmatch(words[0]))
        speaks = bool(_SPOKE_BEFORE_RE.search(before)) or bool(_SPOKE_AFTER_RE.match(text, mention.end))
        if mention.certain or titled or speaks:
            yield name, titled or speaks


def _grouped(known: Sequence[str], counts: Counter[str]) -> dict[str, tuple[str, ...]]:
    """A lone first or last name joins the whole name that alone has it; where several have it, it stands by itself
    unless it is the family's."""
    whole: dict[str, list[str]] = defaultdict(list)
    for name in known:
        words = name.split(" ")
        if len(words) > 1:
            for word in {words[-1], *(() if _TITLE_RE.fullmatch(words[0]) else (words[0],))}:
                whole[word].append(name)
    groups: dict[str, list[str]] = {name: [] for name in known if " " in name}
    for name in known:
        if " " in name:
            continue
        bearers = whole[name]
        if len(bearers) == 1:
            groups[bearers[0]].append(name)
        elif not any(bearer.endswith(f" {name}") for bearer in bearers):
            groups[name] = []
    made = {}
    for name, others in groups.items():
        forms = [name, *others]
        shown = max(forms, key=lambda form: (counts[form], len(form), form))
        made[shown] = tuple(sorted(set(forms) - {shown}))
    return made
