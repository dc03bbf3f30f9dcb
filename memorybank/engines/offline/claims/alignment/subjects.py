"""How two clauses are known to speak of one thing: by a name both write, or by one that is carried to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from memorybank.engines.offline.claims.alignment.frames import Atom, Frame
from memorybank.engines.offline.claims.alignment.names import is_spelt, same_name
from memorybank.engines.offline.claims.alignment.words import GENERIC, GENERIC_HAN
from memorybank.engines.offline.claims.phrases import is_han

_NEAREST = 3
"""Names carried to a clause that are asked when neither side writes one."""
_RUN_ENDS_RE = re.compile(r"[^\u3400-\u9fff·]|[的从在于由被把为有是]|不能|可以|无法|没有")
_LEANS_RE = re.compile(r"\b(?:[Tt]he|[Tt]his|[Tt]hat|its|each)\s+(?:[a-z]+\s+)?(?P<noun>[a-z]+)|[该这其它]")


def relation(left: Frame, right: Frame, shared: int) -> Literal["named", "carried", ""]:
    """How the two are known to speak of one thing; empty if they are not. `shared` atoms stand in both."""
    if any(same_name(one.name, other.name) for one in left.names for other in right.names):
        return "named"
    if left.names and right.names and not any(is_spelt(one, other) for one, other in _crossed(left, right)):
        return ""
    if is_han(left.sentence) and is_han(right.sentence) and _shared_run(left, right):
        return "named"
    return "carried" if _carried(left, right, shared) else ""


def _carried(left: Frame, right: Frame, shared: int) -> bool:
    if bool(left.names) != bool(right.names):
        named, plain = (left, right) if left.names else (right, left)
        return plain.points_back and any(same_name(named.names[0].name, units) for units in plain.carried[:1])
    if left.points_back and right.points_back:
        same = bool(left.carried and right.carried) and same_name(left.carried[0], right.carried[0])
        return same and not (left.names or right.names)
    if left.names or right.names or shared < 3 or is_han(left.sentence) or _opened_apart(left, right):
        return False
    return any(same_name(one, other) for one in left.carried[:_NEAREST] for other in right.carried[:_NEAREST])


def _opened_apart(left: Frame, right: Frame) -> bool:
    """Whether the sentences themselves name different things before: "When X unfolded, all 80 segments fell"."""
    opened = [
        name
        for frame in (left, right)
        for name in frame.carried[:1]
        if " ".join(name) in frame.sentence[: frame.start].lower()
    ]
    return len(opened) == 2 and not same_name(*opened)


def _crossed(left: Frame, right: Frame) -> Iterator[tuple[Atom, Frame]]:
    yield from ((atom, right) for atom in left.names)
    yield from ((atom, left) for atom in right.names)


def lean_apart(left: Frame, right: Frame) -> bool:
    """Whether both also point back ("X put 105 qubits on the chip"), to what the texts name differently."""
    if not all(any(_points(match) for match in _LEANS_RE.finditer(frame.clause)) for frame in (left, right)):
        return False
    own = [atom.name for atom in (*left.names, *right.names)]
    one, other = (
        [name for name in frame.carried if not any(same_name(name, known) for known in own)][:2]
        for frame in (left, right)
    )
    return bool(one and other) and not any(same_name(name, against) for name in one for against in other)


def _points(match: re.Match[str]) -> bool:
    return not match["noun"] or match["noun"].lower() in GENERIC


def _shared_run(left: Frame, right: Frame) -> bool:
    """Whether two Chinese clauses write one unquoted name: a long common run that is more than generic words."""
    if left.points_back != right.points_back or (left.points_back and (left.carried or right.carried)):
        return False  # "this bowl" is another one in another text, unless neither text names anything
    best = _longest_shared(runs(left), runs(right))
    bare = best
    for word in GENERIC_HAN:
        bare = bare.replace(word, "")
    return len(best) >= 3 and len(bare) >= 2


def _longest_shared(one: list[str], other: list[str]) -> str:
    best = ""
    for run in one:
        for at in range(len(run)):
            for end in range(at + 3, len(run) + 1):
                if end - at > len(best) and any(run[at:end] in against for against in other):
                    best = run[at:end]
    return best


def runs(frame: Frame) -> list[str]:
    """The stretches of a Chinese clause in which a name may stand: before the value, up to 的 and prepositions."""
    stop = frame.start if frame.kind != "negation" else frame.end
    begin = min((atom.start for atom in frame.atoms), default=stop)
    if frame.kind == "place" or (frame.kind == "date" and not frame.after):
        text = frame.sentence[begin:]
    else:
        text = frame.sentence[begin:stop]
    return [run for run in _RUN_ENDS_RE.split(text) if len(run) > 1]
