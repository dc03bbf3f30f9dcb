"""Who or what a fact is about, and whether two facts are about the same."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memorybank.contradiction import words_en, words_zh
from memorybank.contradiction.keys import key
from memorybank.contradiction.phrases import Match, Phrase, Units, match_units
from memorybank.language.han import HAN, is_han
from memorybank.language.stemming import stem

_STRUCTURES = {key(word): kind for word, kind in words_en.STRUCTURES.items()}
_GENERIC_KEYS = frozenset(key(noun) for noun in words_en.GENERIC_NOUNS)
_GENERIC = words_en.GENERIC_NOUNS | frozenset("号市省县区州国的")

HARMLESS_SCOPE = frozenset({"total", "new", "single", "current", "record", "individual", "个", "一共"})
"""Words of scope that leave it what it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A subject as it is compared: its names, the names it stands for, and the plain nouns beside them."""

    text: str
    units: Units = ()
    carried: Units = ()
    """Names of what "it" or "the chip" stands for here; of what the text is about, where the phrase has no name."""
    nouns: frozenset[str] = frozenset()
    """Keys of its plain nouns, generic ones left out."""
    head: str = ""
    """Key of its head noun, generic or not; empty for a pronoun."""
    marks: frozenset[str] = frozenset()
    scope: frozenset[str] = frozenset()
    back: bool = False
    possessive: bool = False
    indefinite: bool = False
    proper: bool = False
    """Has a name that is certainly one."""

    @property
    def name(self) -> Units:
        return self.units or self.carried


def from_phrase(phrase: Phrase, carried: Units = ()) -> Entity:
    """The entity of a phrase. A phrase without a name takes `carried`."""
    named = bool(phrase.names)
    return Entity(
        text=phrase.text if named or not carried else spell(carried),
        units=phrase.units,
        carried=() if named else carried,
        nouns=frozenset(noun for noun in phrase.attributes if noun not in _GENERIC_KEYS),
        head=phrase.head,
        marks=phrase.marks,
        scope=phrase.scope,
        back=phrase.back or not phrase.text,
        possessive=phrase.possessive,
        indefinite=phrase.indefinite,
        proper=any(name.proper for name in phrase.names),
    )


def same(left: Entity, right: Entity) -> Match:
    """Same, different, or unknown (nothing to go by but a generic noun or a pronoun)."""
    if left.marks and right.marks and not left.marks & right.marks:
        return "different"
    if other_structures(left, right) or other_kin(left, right):
        return "different"
    if other_parts(left, right):
        return "different"
    if left.name and right.name:
        return "different" if _of_other_nouns(left, right) else _same_name(left, right)
    if bool(left.marks) != bool(right.marks):
        return "different"
    if left.name or right.name:
        named, plain = (left, right) if left.name else (right, left)
        if plain.nouns & stems(named):  # "Penicillin was …", "… discovered penicillin"
            return "same"
        return "unknown" if plain.back and not named.carried else "different"
    if left.nouns - right.nouns and right.nouns - left.nouns:  # "the north tower", "the south tower"
        return "different"
    return "unknown"


def _of_other_nouns(left: Entity, right: Entity) -> bool:
    """ "The glaze" and "the first firing" in texts on one pottery: neither is the pottery itself."""
    if left.units and right.units:
        return False
    return bool(left.nouns and right.nouns) and not left.nouns & right.nouns


_PART_ZH_RE = re.compile(
    rf"^(?P<owner>.+)[的之](?P<part>[{HAN}]{{0,4}}[房室楼馆厅堂亭塔门墙屋院库台堡棚站所碑像桥路井池坝闸厂窑仓廊舍渠堤段])$"
)


def other_parts(left: Entity, right: Entity) -> bool:
    """Whether one is a building that belongs to the other or stands by it, or as another one does: 白石闸,
    白石闸的管理房; 青溪渡槽, 渡槽旁的水电站. What ends with the same kind may be the same one: 县里的老桥, 永宁石桥;
    but not what belongs to it itself: 石梁渠, 石梁渠的东支渠.
    """
    left_part, right_part = _PART_ZH_RE.match(left.text.strip()), _PART_ZH_RE.match(right.text.strip())
    if left_part and right_part:
        return left_part["part"] != right_part["part"]
    part, whole = (left_part, right) if left_part else (right_part, left)
    if part is None or not whole.text.strip():
        return False
    return part["owner"] == whole.text.strip() or whole.text.strip()[-1] != part["part"][-1]


def other_structures(left: Entity, right: Entity) -> bool:
    """Whether two buildings or institutions are of other kinds, though both may bear the name of one place: "the Orla
    mill", "the footbridge below Orla"; 望江书院, 望江书院的藏书楼.
    """
    left_kind, right_kind = _structure(left), _structure(right)
    return bool(left_kind and right_kind) and left_kind != right_kind


def _structure(entity: Entity) -> str:
    """The kind by the head noun, or by the end of a name; empty for anything else, and for what only stands for one."""
    if is_han(entity.head or "".join(entity.units)):
        last = (entity.head or "".join(entity.units))[-1:]
        return last if last in words_zh.STRUCTURES else ""
    return _STRUCTURES.get(entity.head or (key(entity.name[-1]) if entity.name else ""), "")


_KIN_EN = "|".join(sorted(words_en.KIN, key=len, reverse=True))
_KIN_ZH = "|".join(sorted(words_zh.KIN, key=len, reverse=True))
_KIN_RE = re.compile(
    rf"['’]s?\s+(?:[a-z]+\s+){{0,3}}(?P<own>{_KIN_EN})$"
    rf"|^(?:the\s+|an?\s+)?(?:[a-z]+\s+){{0,2}}(?P<of>{_KIN_EN})\s+of\s"
    rf"|.[的之](?P<han>{_KIN_ZH})$|.之(?P<short>[子女])$",
    re.IGNORECASE,
)
_KIN_KEYS = frozenset(map(key, words_en.KIN)) | words_zh.KIN


def other_kin(left: Entity, right: Entity) -> bool:
    """Whether one is somebody's own and the other is not: "Mara Ellison's son", 柳若梅的儿子."""
    return _kin(left) != _kin(right)


def _kin(entity: Entity) -> str:
    """What somebody is to the one that is named or meant; empty where he has a name himself ("her son Tom")."""
    if not entity.units:
        return entity.head if entity.possessive and entity.head in _KIN_KEYS else ""
    match = _KIN_RE.search(entity.text.strip())
    kin = next((group for group in match.groups() if group), "") if match else ""
    return kin if is_han(kin) else key(kin.casefold())


def stems(entity: Entity) -> frozenset[str]:
    """The words of a name as keys, for where the other text writes them as plain nouns."""
    return frozenset(map(stem, entity.name))


def _same_name(left: Entity, right: Entity) -> Match:
    """Names decide; a version may stand in the name ("Python 1.0") or beside it ("version 1.0 of Python")."""
    left_name = tuple(unit for unit in left.name if unit not in right.marks) if left.units else left.name
    right_name = tuple(unit for unit in right.name if unit not in left.marks) if right.units else right.name
    verdict = match_units(left_name or left.name, right_name or right.name, _GENERIC)
    lone_mark = (
        bool(left.marks) != bool(right.marks)
        and len(left_name) == len(left.name)
        and len(right_name) == len(right.name)
    )
    if verdict == "same" and lone_mark and not (left.units and right.units):
        return "different"
    return "different" if verdict == "same" and _of_other_kinds(left, right) else verdict


def _of_other_kinds(left: Entity, right: Entity) -> bool:
    """临江天文台, 临江水文站: a name is compared without the generic word at its end (临江), and the other one goes on
    from there with a word of its own.
    """
    for entity, rival in ((left, right), (right, left)):
        name, longer = "".join(entity.name), "".join(rival.name)
        if is_han(name) and longer != name and longer.startswith(name) and entity.head.startswith(name):
            whole = rival.head if rival.head.startswith(longer) else longer
            kind, rest = entity.head.removeprefix(name), whole.removeprefix(name)
            return bool(kind) and not rest.endswith(kind) and not kind.endswith(rest)
    return False


def spell(units: Units) -> str:
    """A name as it may be shown, where only its compared form is known."""
    if any(map(is_han, units)):
        return "".join(units)
    return " ".join(unit if any(map(str.isdigit, unit)) else unit.capitalize() for unit in units)


def is_region(units: Units) -> bool:
    """A country, state or province: a place that contains other places."""
    county = bool(units) and len(units[-1]) > len("shire") and units[-1].endswith("shire")  # Yorkshire
    return county or " ".join(units) in words_en.REGIONS or "".join(units) in words_zh.REGIONS


def is_continent(units: Units) -> bool:
    return " ".join(units) in words_en.CONTINENTS or "".join(units) in words_zh.CONTINENTS
