"""Acts that break a trait, and acts that a bodily state rules out. The groups are in `extraction/traits.yaml`, families
of opposite acts in `opposites.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml

from memorybank.narrative.continuity.deeds_zh import is_subject
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene
from memorybank.narrative.extraction.lists import any_of, lists
from memorybank.narrative.extraction.mentions import Mention
from memorybank.narrative.extraction.narration import Telling
from memorybank.narrative.extraction.statements import Encoded
from memorybank.narrative.types import HAS_STATUS, HAS_TRAIT, EntityKind, Fact
from memorybank.types import Lang

_DENIED_RE: Final = re.compile(r"[不没未别莫非]|从不|\b(?:not|never|no|without|hardly)\b|n['’]t\b", re.IGNORECASE)
_ANOTHER: Final = "\ue000"
"""A character of somebody else's name."""
_BEYOND: Final = 60
"""Characters after the name within which an act is theirs, up to the next person."""


_BREAKS: Final = '，,；;：:。．.！!？?“”‘’"「」『』…—\n'
_UNDERGOES_RE: Final = re.compile(
    r"\b(?:was|were|is|are|been|being|be|got|gets)\s+(?:\w+\s+){0,2}\Z|[被遭挨受][^，。；]{0,6}\Z",
    re.IGNORECASE,
)
"""Before the act: it is done to them."""
_ANOTHERS_EN_RE: Final = re.compile(
    r"\b(?:as|while|when|that|who|which|until|because|if|before|after|where|how|whether|whose)\b"
    r"|(?<!\bto )(?<!\bat )(?<!\bby )(?<!\bwith )(?<!\bfrom )(?<!\bpast )(?<!\band )(?<!\bfor )\ue000"
    r"|(?:[,;]|\b(?:and|but|so))\s+(?:the|a|an|his|her|their|its|some\w*|every\w*|nobody|others?|they|two|three)\b",
    re.IGNORECASE,
)
_ANOTHERS_ZH_RE: Final = re.compile(
    r"看见|看到|见到|听见|听到|听说|发现|得知|知道|想起|想到|梦见|以为|让|叫|命|派|令|劝|教|求|请|的(?!话)|如果|要是|(?<![对向跟朝冲和与把给替\ue000])\ue000"
)
"""Between the name and the act: somebody else's, or one only thought of."""
_FRONT_EN_RE: Final = re.compile(
    r"\s*(?:(?:and|but|then|so|when|while|as|because|suddenly|once|later|again|now|until|yet|or|old|young|poor|the|good"
    r"|\d+|[a-z]+ly)\s+)*|\s*(?:in|at|on|after|before|that|this|one|all|during|by|without|with|under|behind|near)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_FRONT_ZH_RE: Final = re.compile(
    r"(?:[也又就便却竟还更再]|然后|接着|忽然|突然|猛地|立刻|随即|一把|竟然|居然|终于|最后|于是|但|可|而|并|反而|当众|亲手|一边|独自|转身|上前|[^，。；的]{1,4}地|[对向跟朝冲]\ue000+)*"
)
"""What may stand between a comma and an act whose subject is still the one named before."""


@cache
def _groups(lang: Lang, which: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """For each group: what the trait or state is called, and the acts that break it."""
    return tuple(
        (_named(group[lang]["is"], lang), re.compile(any_of(group[lang]["acts"], lang), re.IGNORECASE))
        for group in lists("traits")[which].values()
    )


@cache
def _families(lang: Lang) -> tuple[tuple[tuple[re.Pattern[str], ...], re.Pattern[str]], ...]:
    """For each family of acts: what the traits are called that it breaks, and the acts."""
    loaded: dict[str, Any] = yaml.safe_load((files(__package__) / "opposites.yaml").read_text("utf-8"))
    groups = lists("traits")["traits"]
    return tuple(
        (
            tuple(
                _named(one["is"], lang) for one in (family[lang], *(groups[name][lang] for name in family["groups"]))
            ),
            re.compile("|".join(family[lang]["acts"]).replace("{ONE}", loaded["one"][lang]), re.IGNORECASE),
        )
        for family in loaded["families"].values()
    )


def _named(listed: str | list[str], lang: Lang) -> re.Pattern[str]:
    return re.compile(any_of(listed, lang), re.IGNORECASE)


def out_of_character(scene: Scene) -> Iterator[Finding]:
    yield from _broken(scene, "traits", HAS_TRAIT, FindingKind.OUT_OF_CHARACTER, "trait")


def against_condition(scene: Scene) -> Iterator[Finding]:
    yield from _broken(scene, "conditions", HAS_STATUS, FindingKind.CONTRADICTS, "condition")


def _broken(scene: Scene, which: str, predicate: str, kind: FindingKind, reason: str) -> Iterator[Finding]:
    for encoded in scene.encoded:
        if scene.has("back", encoded.piece):
            continue
        for place, mention in enumerate(encoded.mentions):
            if mention.named.kind is not EntityKind.CHARACTER:
                continue
            for fact in scene.record.of(mention.named.key, predicate):
                act = _act(scene, encoded, place, fact, which)
                if act:
                    yield scene.finding(kind, encoded.piece, fact, reason, name=mention.named.name, word=act)


def _act(scene: Scene, encoded: Encoded, place: int, fact: Fact, which: str) -> str:
    """What the person does against the trait, told as happened; empty when there is nothing."""
    name = scene.record.name(fact.object)
    mention = encoded.mentions[place]
    if scene.lang == "zh" and scene.text[max(0, mention.start - 1) : mention.start] in tuple("对向冲朝把将给替"):
        return ""
    others = [
        one.start
        for one in encoded.mentions[place + 1 :]
        if one.named.kind is EntityKind.CHARACTER and one.named.key != mention.named.key
    ]
    end = min(mention.end + _BEYOND, encoded.piece.end, *others)
    if scene.text[mention.end : mention.end + 2] in ("'s", "’s") or scene.text[mention.end : mention.end + 1] == "的":
        return ""
    for names, acts in _groups(scene.lang, which):
        match = acts.search(scene.text, mention.end, end) if names.search(name) else None
        if match and _happened(scene, encoded, mention.end, match) and _own(scene, mention, match.start(), scene.text):
            return match[0]
    return _opposite(scene, encoded, mention, name) if which == "traits" else ""


def _opposite(scene: Scene, encoded: Encoded, mention: Mention, name: str) -> str:
    """An act of a family that breaks the trait; whom it is done to may have a name."""
    if not _opens(scene, encoded, mention.start):
        return ""
    text = scene.text
    for one in encoded.mentions:
        if one.named.kind is EntityKind.CHARACTER and one.named.key != mention.named.key and one.start >= mention.end:
            text = text[: one.start] + _ANOTHER * (one.end - one.start) + text[one.end :]
    end = min(mention.end + _BEYOND, encoded.piece.end)
    for traits, acts in _families(scene.lang):
        match = acts.search(text, mention.end, end) if any(one.search(name) for one in traits) else None
        if match and _own(scene, mention, match.start(), text) and _happened(scene, encoded, mention.end, match):
            return scene.text[match.start() : match.end()]
    return ""


def _happened(scene: Scene, encoded: Encoded, start: int, act: re.Match[str]) -> bool:
    """Told as happened: not denied, and nothing that is done to them."""
    before = scene.text[start : act.start()]
    if _DENIED_RE.search(before[-12:]) or _UNDERGOES_RE.search(before):
        return False
    told = next((one for one in scene.story.within(encoded.piece) if one.clause.end > act.start()), None)
    return told is not None and told.telling_at(act.start() - told.clause.start) is Telling.HAPPENED


def _opens(scene: Scene, encoded: Encoded, start: int) -> bool:
    """Whether the name is the subject of its clause."""
    first = max((scene.text.rfind(mark, encoded.piece.start, start) for mark in _BREAKS), default=-1) + 1
    before = scene.text[max(first, encoded.piece.start) : start]
    return is_subject(before.strip()) if scene.lang == "zh" else _FRONT_EN_RE.fullmatch(before) is not None


def _own(scene: Scene, mention: Mention, act: int, text: str) -> bool:
    """Whether what lies between the name and the act brings in nobody else as the one who acts."""
    between = text[mention.end : act]
    if scene.lang == "en":
        return _ANOTHERS_EN_RE.search(between) is None
    if _ANOTHERS_ZH_RE.search(between):
        return False
    last = max(between.rfind(mark) for mark in "，、；：")
    if last < 0 and mention.start < mention.end:
        return True
    return _FRONT_ZH_RE.fullmatch(between[last + 1 :]) is not None
