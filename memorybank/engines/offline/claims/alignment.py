"""A second look at two texts, without lists of verbs: clauses that say the same in the same words, but for one value.

`compare` takes clauses apart by the verbs and frames it knows. Loose prose has others. Here two clauses are laid side by
side: their names and content words (Chinese: characters in shared pairs) must cover each other, so that nothing is left
but a number, a date, a place, a person or a negation that differs. What is left over on both sides means that they speak
of different things; what is left over on one side may stand only where it narrows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from memorybank.engines.offline.claims import dates, values, words_en, words_zh
from memorybank.engines.offline.claims.dates import Date
from memorybank.engines.offline.claims.describe import is_chinese
from memorybank.engines.offline.claims.entity import is_region
from memorybank.engines.offline.claims.phrases import Units, is_han, match_units
from memorybank.engines.offline.claims.values import Quantity
from memorybank.retrieval.tokens import tokenize
from memorybank.text import sentences
from memorybank.types import Claim, Contradiction

Kind = Literal["number", "date", "name", "place", "negation"]

CONFIDENCE = 0.6
"""Below that of a clash of parsed facts (0.9): the wording is compared, not understood."""
MOST = 4
"""Contradictions told of one pair of texts."""
_CACHE_SIZE = 4096
_LONGEST_SENTENCE = 400
"""Characters; anything longer is a table or a dump and is left alone."""
_LARGER_COVER = 0.34
"""Share of the longer clause that the shorter one must cover."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """A name, a content word, or a Han character at `start` of the sentence."""

    start: int
    end: int
    key: str
    name: Units = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A clause with one value taken out. `start` to `end` is the value in the sentence; a negation has none."""

    kind: Kind
    sentence: str
    start: int
    end: int
    atoms: tuple[Atom, ...]
    clause: str = ""
    keys: frozenset[str] = frozenset()
    """Content words, and pairs of neighbouring Han characters; names left out."""
    names: tuple[Atom, ...] = ()
    carried: tuple[Units, ...] = ()
    """Names that a clause without one may speak of, nearest first."""
    years: tuple[Date, ...] = ()
    before: str = ""
    """The content word (or Han character) next to the value."""
    after: str = ""
    """The counted noun, or the event, that follows the value directly."""
    quantity: Quantity | None = None
    date: Date | None = None
    place: tuple[Units, ...] = ()
    person: Units = ()
    definite: bool = False
    negated: bool = False
    mood: str = ""
    points_back: bool = False

    @property
    def value(self) -> str:
        return self.sentence[self.start : self.end]


def aligned(left: str, right: str, left_topic: str = "", right_topic: str = "") -> tuple[Contradiction, ...]:
    """What two texts contradict each other in by wording alone, in the order of the left text; symmetric in its verdict.

    `left_topic` and `right_topic` name what a text is about, for texts that only say "it".
    """
    one, other = read(left, left_topic), read(right, right_topic)
    found: dict[tuple[str, str], Contradiction] = {}
    for frame in one:
        for against in other:
            if frame.kind != against.kind or (frame.sentence, against.sentence) in found or not _clash(frame, against):
                continue
            if _restated(frame, other, against) or _restated(against, one, frame):
                continue
            found[frame.sentence, against.sentence] = _told(frame, against)
    return tuple(found.values())[:MOST]


# -- names ----------------------------------------------------------------------------------------------------------

_QUOTED_RE = re.compile(
    r"[“「『《](?P<name>[^”」』》“「]{2,12})[”」』》](?P<mark>[一二三四五六七八九十\d]+(?:号|代|期|\.\d+)|[号]|[A-Z0-9][\w-]*)?"
)
_LATIN_RE = re.compile(r"[A-Z][\w’'-]*(?:\.\d+)*(?: (?:[A-Z][\w-]*|r?\d[\w-]*(?:\.\d+)*)(?![,.]\d))*|[a-z]+[A-Z]\w*")
_WORD_RE = re.compile(r"[A-Za-zÀ-ɏ][\w’'-]*|[\u3400-\u9fff]|\d(?:[0-9A-Za-z.,%-]*[0-9A-Za-z])?")
_NOT_NAMES = words_en.FUNCTION | words_en.MONTHS_AND_DAYS | words_en.DEMONYMS
_GENERIC_EN = frozenset(words_en.GENERIC_NOUNS)
_LIGHT_EN = words_en.FUNCTION | frozenset(
    [
        "have",
        "has",
        "had",
        "having",
        "carry",
        "carries",
        "carried",
        "contain",
        "contains",
        "contained",
        "include",
        "includes",
        "included",
        "feature",
        "features",
        "comprise",
        "comprises",
        "possess",
        "possesses",
        "boast",
        "boasts",
        "say",
        "says",
        "said",
        "report",
        "reports",
        "reported",
        "total",
        "about",
        "still",
        "also",
        "just",
        "only",
        "finally",
        "originally",
    ]
)
_LIGHT_STEMS = frozenset(token for word in _LIGHT_EN for token in tokenize(word))
_GENERIC_STEMS = frozenset(token for word in _GENERIC_EN for token in tokenize(word))
_SCOPE_STEMS = frozenset(token for word in words_en.SCOPE for token in tokenize(word))
_SHOWN = frozenset("shown seen sold sung taught screen given sent".split())
_VARYING = frozenset(token for word in words_en.VARYING for token in tokenize(word))
_REPEATABLE = frozenset(token for word in words_en.REPEATABLE for token in tokenize(word)) | frozenset(
    [
        "updat",
        "upgrad",
        "revis",
        "renov",
        "restor",
        "repair",
        "rebuilt",
        "expand",
        "visit",
        "play",
        "award",
        "held",
        "follow",
        "praise",
        "review",
        "use",
        "inspir",
        "influenc",
        "attend",
        "sign",
        "support",
        "sponsor",
        "join",
        "serv",
        "fund",
        "back",
        "describ",
        "quot",
        "cit",
        "acquir",
    ]
)
_GENERIC_HAN = tuple(sorted((word for word in words_zh.GENERIC if len(word) > 1), key=lambda word: (-len(word), word)))
_LIGHT_HAN = frozenset(
    "一的了是在于由被把将和与及也都就还又能会可共约为有它该这那其他她们地得着过而则从自对向之所以并且后时上中里下到达成个次并曾已经再很更最用给让使去来说等时候项只台座颗条块根枚"
)


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    found = tokenize(word.partition("’")[0].partition("'")[0])
    return found[0] if found else word.lower()


def _keys(atoms: tuple[Atom, ...]) -> frozenset[str]:
    words = (atom.key for atom in atoms if not atom.name and not is_han(atom.key))
    pairs = (one.key + other.key for one, other in pairwise(atoms) if one.end == other.start and is_han(one.key))
    return frozenset((*words, *pairs))


def _names(text: str, known: frozenset[str]) -> Iterator[tuple[int, int, Units]]:
    """Names by their form: quoted or dotted Chinese, capitals and codes in Latin script."""
    taken: list[tuple[int, int]] = []
    for match in _QUOTED_RE.finditer(text):
        if is_han(match["name"]) or len(match["name"].split()) < 4:
            taken.append(match.span())
            yield *match.span(), _units(match["name"] + (match["mark"] or ""))
    for match in _LATIN_RE.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        start, end = match.span()
        while (first := re.match(r"[\w’'-]+ ?", text[start:end])) and first[0].strip().lower() in _NOT_NAMES:
            start += first.end()
        piece = re.sub(r"['’]s?$", "", text[start:end])
        if len(piece) > 1 and piece[0].isalpha() and not _plain_opening(text, start, piece, known):
            yield start, start + len(piece), _units(piece)


def _units(name: str) -> Units:
    return tuple(name) if is_han(name) else tuple(name.lower().replace("’s", "").replace("'s", "").split())


def _plain_opening(text: str, start: int, piece: str, known: frozenset[str]) -> bool:
    """Whether a capital only opens the sentence: "Engineers built", but not "Willow has"."""
    if " " in piece or re.search(r"\d|[A-Z].*[A-Z]|[a-z][A-Z]", piece) or text[:start].strip(" “\"'(#*-"):
        return False
    low = piece.lower()
    if low in known:
        return False
    return len(piece) < 3 or low in _GENERIC_EN or low.endswith(("s", "ing", "ly", "ed"))


# -- reading --------------------------------------------------------------------------------------------------------

_CUT_RE = re.compile(
    r"[，；：。！？;:!?]|,(?!\d{3})\s|\s[-–—]+\s|——|[()（）]|(?:,\s|\s)(?:and|but|while|whereas|which|who|because)\s(?=[^,;]*\b(?:was|were|is|are|has|had|have|could|can|did|does|not|[a-z]+ed)\b)"
)
_PLACE_TAIL_RE = re.compile(r"\b(?:in|at|from|near|of)\s+[A-ZÀ-Þ][\w’'.-]*(?:\s+[A-ZÀ-Þ][\w’'.-]*)*\s*$")
_BACK_EN_RE = re.compile(r"^\W*(?:[a-z]+\s+)?(?:it|its|he|his|she|her|they|their|the|this)\b", re.IGNORECASE)
_BACK_ZH_RE = re.compile(r"^\W*(?:它|其|该|这|他|她|一共|共|总共|目前|如今)")


@lru_cache(maxsize=_CACHE_SIZE)
def read(text: str, topic: str = "") -> tuple[Frame, ...]:
    """The frames of a text, in order."""
    known = frozenset(match[1].lower() for match in re.finditer(r"(?<=[a-z,;)\d] )([A-Z][\w-]+)", text))
    carried: tuple[Units, ...] = ()
    topics = tuple(units for _, _, units in _names(topic, known | frozenset(topic.lower().split()))) or (
        (_units(topic),) if topic else ()
    )
    frames: list[Frame] = []
    heading = ""
    for piece in sentences(text):
        sentence = text[piece.start : piece.end].strip()
        if not sentence or len(sentence) > _LONGEST_SENTENCE:
            continue
        names = tuple(_names(sentence, known))
        if (
            not frames
            and not heading
            and (sentence.startswith("#") or (len(sentence) < 60 and sentence[-1] not in ".。!！?？"))
        ):
            heading = sentence
        elif not sentence.endswith(("?", "？")):
            frames += (
                frame
                for frame in _frames(sentence, names, carried, topics)
                if not (frame.kind == "place" and frame.value[:2] in heading)
            )
        own = tuple(units for _, _, units in names)
        carried = own or carried
    return tuple(frames)


def _frames(
    sentence: str, names: tuple[tuple[int, int, Units], ...], carried: tuple[Units, ...], topics: tuple[Units, ...]
) -> Iterator[Frame]:
    days = dates.scan(sentence)
    inside = tuple(units for start, end, units in names)
    for start, end in _clauses(sentence):
        own = [name for name in names if start <= name[0] < end]
        earlier = tuple(units for at, _, units in names if at < start)
        clause = Clause(
            sentence=sentence, start=start, end=end, names=tuple(own), days=days,
            carried=tuple(dict.fromkeys((*reversed(earlier), *(carried if not earlier else ()), *topics, *(() if earlier else inside)))),
        )  # fmt: skip
        yield from clause.frames()


def _clauses(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _CUT_RE.finditer(sentence):
        if match[0].startswith(",") and _is_place_comma(sentence, match):
            continue
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < len(sentence):
        yield start, len(sentence)


def _is_place_comma(sentence: str, match: re.Match[str]) -> bool:
    """The comma in "near Kourou, French Guiana", "9 May, 2020": it parts no clauses."""
    follower = sentence[match.end() : match.end() + 1]
    return (follower.isupper() and bool(_PLACE_TAIL_RE.search(sentence[: match.start()]))) or follower.isdigit()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    sentence: str
    start: int
    end: int
    names: tuple[tuple[int, int, Units], ...]
    days: tuple[Date, ...]
    carried: tuple[Units, ...]

    @property
    def text(self) -> str:
        return self.sentence[self.start : self.end]

    def frames(self) -> Iterator[Frame]:
        chinese = is_chinese(self.text)
        if _unsure(self.text, chinese):
            return
        yield from self._negations(chinese)
        if _NEGATION_RE.search(self.text):
            return
        yield from self._numbers(chinese)
        yield from self._dates(chinese)
        yield from self._places(chinese)
        yield from self._persons(chinese)

    def _frame(self, kind: Kind, start: int, end: int, chinese: bool, drop: tuple[tuple[int, int], ...] = ()) -> Frame:
        days = [(day.start, day.end) for day in self.days]
        atoms = tuple(self._atoms([(start, end), *days, *drop], chinese))
        back = (_BACK_ZH_RE if chinese else _BACK_EN_RE).search(self.text)
        return Frame(
            kind=kind, sentence=self.sentence, start=start, end=end, atoms=atoms, clause=self.text, keys=_keys(atoms), carried=self.carried,
            names=tuple(atom for atom in atoms if atom.name),
            years=tuple(day for day in self.days if not (day.start <= start < day.end)), points_back=bool(back),
        )  # fmt: skip

    def _atoms(self, holes: list[tuple[int, int]], chinese: bool) -> Iterator[Atom]:
        found: list[Atom] = []
        blocked = list(holes)
        for start, end, units in self.names:
            if not any(low < end and start < high for low, high in holes):
                found.append(Atom(start=start, end=end, key=" ".join(units), name=units))
                blocked.append((start, end))
        for match in _WORD_RE.finditer(self.sentence, self.start, self.end):
            if any(low < match.end() and match.start() < high for low, high in blocked):
                continue
            key = match[0] if is_han(match[0]) else _stem(match[0])
            if is_han(key) or key not in _LIGHT_STEMS:
                found.append(Atom(start=match.start(), end=match.end(), key=key))
        return iter(sorted(found, key=lambda atom: atom.start))

    # -- numbers, dates

    def _numbers(self, chinese: bool) -> Iterator[Frame]:
        found = [
            quantity
            for quantity in values.scan(self.sentence, dates=self.days)
            if self.start <= quantity.start < self.end
            and not any(start < quantity.end and quantity.start < end for start, end, _ in self.names)
        ]
        for quantity in found:
            after = self._after(quantity.end, chinese)
            if not quantity.dimension and not after:
                continue
            if sum(other.dimension == quantity.dimension for other in found) > 1 and quantity.dimension:
                continue
            if not quantity.dimension and sum(self._after(other.end, chinese) == after for other in found) > 1:
                continue
            frame = self._frame("number", quantity.start, quantity.end, chinese)
            yield replace(frame, quantity=quantity, before=self._before(quantity.start, chinese), after=after)

    def _dates(self, chinese: bool) -> Iterator[Frame]:
        own = [day for day in self.days if self.start <= day.start < self.end]
        if len(own) != 1 or own[0].range or not own[0].year:
            return
        day = own[0]
        if not chinese and not re.search(
            r"\b(?:was|were)\s+(?:\w+ly\s+)?\w+(?:ed|en|wn|lt|nt|ught|de|nd)\b", self.text
        ):
            return
        if day.bare and not chinese and not re.search(r"\b(?:in|of|since)\s$", self.sentence[: day.start]):
            return
        after = self._after(day.end, chinese)
        if chinese and (
            len(after) < 2 or after[0] in "的有共约" or after in _REPEATED_ZH or values.scan(self.text, dates=self.days)
        ):
            return
        frame = self._frame("date", day.start, day.end, chinese)
        yield replace(frame, date=day, before=self._before(day.start, chinese) if not chinese else "", after=after)

    def _before(self, at: int, chinese: bool) -> str:
        """The content word nearest before the value, in Chinese the last character of the verb or attribute; no name."""
        text = self.sentence[self.start : at]
        if chinese:
            bare = _LEAD_IN_RE.sub("", text)
            return bare[-1:] if is_han(bare[-1:]) and not self._names_at(self.start + len(bare) - 1) else ""
        for match in reversed(list(_WORD_RE.finditer(text))):
            if self._names_at(self.start + match.start()):
                return ""
            if any(day.start <= self.start + match.start() < day.end for day in self.days):
                continue
            if (key := _stem(match[0])) not in _LIGHT_STEMS and not match[0][0].isdigit() and key not in _HEDGING:
                return key
        return ""

    def _after(self, at: int, chinese: bool) -> str:
        """The words that follow the value directly, up to the next function word."""
        rest = self.sentence[at : self.end]
        if chinese:
            match = re.match(
                r"[多余]?[个台座条辆枚颗部本家所篇项款种层间张艘架只名位人件栋块片套根扇级次根支]?(?P<noun>[\u3400-\u9fff]{1,12})",
                rest,
            )
            if not match:
                return ""
            return re.split(r"[的和与及在，是由为了同来从以组拼时]", match["noun"])[0] or match[0][:1]
        found: list[str] = []
        for match in re.finditer(r"\s?-?([A-Za-zÀ-ɏ][\w’'-]*)|\S", rest):
            word = match[1] or ""
            if not word or word.lower() in words_en.FUNCTION or self._names_at(at + match.start(1)) or len(found) == 4:
                break
            found.append(_stem(word))
        return " ".join(found)

    def _names_at(self, at: int) -> bool:
        return any(start <= at < end for start, end, _ in self.names)

    # -- places, persons, negations

    def _places(self, chinese: bool) -> Iterator[Frame]:
        for match in (_PLACE_ZH_RE if chinese else _PLACE_EN_RE).finditer(self.text):
            start, end = match.start("place") + self.start, match.end("place") + self.start
            if any(day.start < end and start < day.end for day in self.days) or not self._is_act(match, chinese):
                continue
            levels = (
                (_units(match["place"]),)
                if chinese
                else tuple(_units(part) for part in re.split(r",\s*|\s+in\s+", match["place"]))
            )
            if not chinese and any(set(level) <= _NOT_NAMES for level in levels):
                continue
            frame = self._frame("place", start, end, chinese)
            before = (match["verb"] or match["stay"] or "") if chinese else self._before(start, chinese)
            if before and before not in _REPEATABLE | _SHOWN:
                yield replace(frame, place=levels, before=before)

    def _is_act(self, match: re.Match[str], chinese: bool) -> bool:
        """Whether a verb stands by the place: before it in English ("was launched from"), after it in Chinese."""
        if chinese:
            whole = match["place"] + match["verb"]
            relative = self.text[match.end() : match.end() + 1] == "的"
            opens = all(char in _LIGHT_HAN for char in re.sub(r"例如|比如|其中", "", self.text[: match.start()]))
            plain = not any(whole.endswith(word) for word in words_zh.GENERIC if len(word) > 1) and not re.search(
                r"[年月日的了一二三四五六七八九十]", whole
            )
            return plain and (opens or not relative) and match["verb"] not in _REPEATED_ZH
        days = [day for day in self.days if self.start <= day.start and day.end <= self.start + match.start()]
        stretch = self.text[: (days[-1].start - self.start if days else match.start())]
        stretch = re.sub(r"\s*\b(?:on|in|at|of)?\s*$", "", stretch)
        return bool(_ACT_EN_RE.search(stretch))

    def _persons(self, chinese: bool) -> Iterator[Frame]:
        for pattern, definite in _PERSON_ZH if chinese else _PERSON_EN:
            for match in pattern.finditer(self.text):
                start, end = match.start("who") + self.start, match.end("who") + self.start
                act = match["act"] if chinese else _act(match["act"])
                who = match["who"].strip()
                if not act or act in _REPEATABLE or (act != "由" and not _is_person(who, chinese)):
                    continue
                hole = (match.start("act") + self.start, match.end("act") + self.start)
                frame = self._frame("name", start, end, chinese, (hole,))
                yield replace(frame, person=_units(who), before=act, definite=definite)

    def _negations(self, chinese: bool) -> Iterator[Frame]:
        negations = list(_NEGATION_RE.finditer(self.text))
        if len(negations) > 1 or _CONTRAST_RE.search(self.text) or _CONDITION_RE.search(self.sentence[: self.end]):
            return
        spans = tuple((self.start + match.start(), self.start + match.end()) for match in negations)
        modals = tuple(
            (self.start + match.start(), self.start + match.end()) for match in _MODAL_RE.finditer(self.text)
        )
        frame = self._frame("negation", self.start, self.start, chinese, spans + modals)
        if len(frame.atoms) < 2 or values.scan(self.text, dates=self.days):
            return
        body = self.text.strip()
        start = self.start + self.text.index(body)
        yield replace(frame, start=start, end=start + len(body), negated=bool(negations), mood=_mood(self.text))


_LEAD_IN_RE = re.compile(r"(?:大约|约|将近|近|接近|超过|至少|最多|总共|一共|共|仅|只|为|有|达到|达|是|了|\s)+$")
_HEDGING = frozenset(
    _stem(word)
    for word in [
        "about",
        "around",
        "approximately",
        "roughly",
        "nearly",
        "almost",
        "over",
        "least",
        "most",
        "than",
        "some",
        "up",
        "total",
    ]
)
_UNSURE_EN_RE = re.compile(
    r"\bmay\b|(?i:\b(?:might|possibly|perhaps|plans?|planned|expected|likely|rumou?r\w*|alleged\w*|proposed to|myth|instead of|rather than|we|us|I)\b)"
)
_UNSURE_ZH_RE = re.compile(
    r"可能|或许|也许|计划|预计|预期|打算|希望|据传|传言|有望|拟|误以为|曾以为|而不是|而非|我们|咱们"
)
_NEGATION_RE = re.compile(
    r"\b(?:not|never|cannot|can't|couldn't|wasn't|weren't|isn't|aren't|don't|doesn't|didn't|hasn't|haven't|won't|without|no longer|no)\b"
    r"|从来没有|从来不|从未|从不|未曾|未能|并未|尚未|并不是|并非|不是|不再|不能够?|不可以|不可(?!思|或)|不会|无法|没有|没能|无须|无需|不必|不需要"
    r"|(?<![时无])不(?![同少过仅断久锈错管论如可止足到得变])|(?<!从)未(?=[\u4e00-\u9fff])(?!来)",
    re.IGNORECASE,
)
_MODAL_RE = re.compile(r"\b(?:can|could|be|been|ever|part)\b|可以|能够|能|可(?=[被由])|一直|始终|确实", re.IGNORECASE)
_CONTRAST_RE = re.compile(
    r"\b(?:unless|only|until|yet|fully|always|all|every|entirely|necessarily|enough|too|before|initially|first|later|now|then|originally|longer than|more|less)\b"
    r"|除非|以前|之前|后来|此前|最初|起初|原本|本来|完全|总是|一定|所有|全部|只有|仅|才|几乎|太|足够|现在|如今|比|像|目前|暂时",
    re.IGNORECASE,
)
_CONDITION_RE = re.compile(
    r"\b(?:if|unless|when|whenever|once)\b|如果|若是|假如|除非|一旦|否则|要是|时$|[的之]时|当.{1,12}时", re.IGNORECASE
)
_PAST_RE = re.compile(r"\b(?:was|were|did|had|didn't|wasn't|weren't)\b", re.IGNORECASE)
_PRESENT_RE = re.compile(r"\b(?:is|are|does|do|has|have|isn't|aren't|doesn't|don't)\b", re.IGNORECASE)
_ABLE_RE = re.compile(r"\bcan(?:not|'t)?\b|\bcould(?:n't)?\b|可以|能|无法|不可", re.IGNORECASE)
_PLACE_EN_RE = re.compile(
    r"\b(?:from|in|at|near)\s+(?P<place>[A-ZÀ-Þ][\w’'-]*(?:\s+(?:of\s+)?[A-ZÀ-Þ][\w’'-]*)*(?:(?:,\s*|\s+in\s+)[A-ZÀ-Þ][\w’'-]*(?:\s+[A-ZÀ-Þ][\w’'-]*)*)*)"
)
_PLACE_ZH_RE = re.compile(
    r"(?:[从在](?P<place>[\u4e00-\u9fff]{2,12}?)(?P<verb>[\u4e00-\u9fff]{2})(?=的|了|$|[，。；、])(?P<stay>(?!))?)"
)
_ACT_EN_RE = re.compile(
    r"\b(?:was|were|is|are|been|be)\s+(?:\w+ly\s+)?[a-z]+(?:ed|en|lt|wn|rn|ld|nd|ut)(?:\s+\w+ly)?$|\b(?:lies|stands|sits)$"
)
_REPEATED_ZH = frozenset(
    [
        "举行",
        "召开",
        "更新",
        "升级",
        "改版",
        "扩建",
        "重建",
        "修复",
        "访问",
        "获奖",
        "演出",
        "参加",
        "出现",
        "工作",
        "任教",
        "展出",
        "使用",
        "旅行",
        "参观",
        "会面",
        "比赛",
        "训练",
        "上课",
        "学习",
        "生活",
        "待了",
        "运行",
        "飞行",
        "进行",
    ]
)
_CAPITALS = r"[A-ZÀ-Þ][\w’'.-]*(?:\s+(?:de |van |von |der |bin |al-)?[A-ZÀ-Þ][\w’'.-]*){1,3}"
_PERSON_EN: tuple[tuple[re.Pattern[str], bool], ...] = (
    (re.compile(rf"\b(?:was|were|is|are|been)\s+(?:\w+ly\s+)?(?P<act>[a-z]+(?:ed|en|wn|lt))\s+by\s+(?P<who>{_CAPITALS})"), True),
    (re.compile(rf"\b(?:the|The|its|Its)\s+(?P<act>[a-z]+(?:er|or|ist|ect|ain|ent|ef|man|ad))\s+of\s+.{{2,60}}?\s(?:was|is)\s+(?P<who>{_CAPITALS})"), True),
    (re.compile(rf"(?P<who>{_CAPITALS})\s+(?:was|is)\s+the\s+(?P<act>[a-z]+(?:er|or|ist|ect|ain|ent|ef|man|ad))\s+of\b"), True),
    (re.compile(rf"(?P<who>{_CAPITALS})\s+(?P<act>[a-z]+ed)\s+(?=the\s|[A-Z])"), False),
)  # fmt: skip
_ROLE_ZH = r"(?P<act>[\u4e00-\u9fff]{0,4}(?:科学家|设计师|工程师|建筑师|指挥|创始人|负责人|教练|导演|作者|主编|队长|船长|院长|校长|馆长|总裁|主席|主任|经理))"
_WHO_ZH = r"(?P<who>[\u4e00-\u9fff]{2,4}|[\u4e00-\u9fff]{1,6}(?:·[\u4e00-\u9fff]{1,8})+)"
_PERSON_ZH: tuple[tuple[re.Pattern[str], bool], ...] = (
    (re.compile(rf"的{_ROLE_ZH}(?:是|为){_WHO_ZH}$"), True),
    (re.compile(rf"由{_WHO_ZH}担任{_ROLE_ZH}"), True),
    (re.compile(r"(?P<act>由)(?P<who>[\u4e00-\u9fff]{4,8})(?=的|$)"), True),
)
_ORGANISATION_EN = frozenset(
    [
        "university",
        "company",
        "inc",
        "ltd",
        "corporation",
        "corp",
        "institute",
        "center",
        "centre",
        "agency",
        "group",
        "laboratory",
        "labs",
        "laboratories",
        "studio",
        "studios",
        "association",
        "society",
        "ministry",
        "department",
        "committee",
        "council",
        "team",
        "airlines",
        "motors",
        "press",
        "bank",
        "museum",
    ]
)


def _unsure(text: str, chinese: bool) -> bool:
    return bool((_UNSURE_ZH_RE if chinese else _UNSURE_EN_RE).search(text))


def _mood(text: str) -> str:
    """Able, past or present; what was not done may well be possible, and what is not so may have been so."""
    if _ABLE_RE.search(text):
        return "able"
    past, present = _PAST_RE.search(text), _PRESENT_RE.search(text)
    return "past" if past and not present else "present" if present and not past else ""


@lru_cache(maxsize=4096)
def _act(word: str) -> str:
    """What a regular verb and its agent noun share: command in commanded and commander."""
    bare = re.sub(r"(?:ed|er|or|ist|ing|s)$", "", word)
    bare = bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2:-1] and bare[-1] not in "lsz" else bare
    return bare.rstrip("e")


def _is_person(name: str, chinese: bool) -> bool:
    if chinese:
        return len(name) > 1 and (
            "·" in name or (name[0] in words_zh.SURNAMES and len(name) <= 3 and name not in words_zh.PLAIN)
        )
    parts = name.lower().split()
    return (
        2 <= len(parts) <= 4 and not set(parts) & (_ORGANISATION_EN | words_en.DEMONYMS) and not is_region(tuple(parts))
    )


# -- comparing ------------------------------------------------------------------------------------------------------


def _clash(left: Frame, right: Frame) -> bool:
    """Whether two frames of one kind say the same of the same thing, with values that cannot both hold."""
    if left.kind == "negation" and (left.negated == right.negated or len(left.keys & right.keys) < 2):
        return False
    return (
        _values_differ(left, right)
        and not _times_differ(left, right)
        and not _scopes_differ(left, right)
        and _fit(left, right)
    )


def _values_differ(left: Frame, right: Frame) -> bool:
    if left.quantity is not None and right.quantity is not None:
        return _numbers_differ(left, right, left.quantity, right.quantity)
    if left.date is not None and right.date is not None:
        anchored = left.before == right.before and (left.before or left.after == right.after != "")
        return bool(anchored) and left.before not in _REPEATABLE and dates.relate(left.date, right.date) == "different"
    if left.kind == "place":
        return left.before == right.before and _places_differ(left.place, right.place)
    if left.kind == "name":
        if left.before == right.before == "由":
            left, right = _told_apart(left, right)
            if (
                not all(_is_person("".join(frame.person), True) for frame in (left, right))
                or left.before in _REPEATED_ZH
            ):
                return False
        return (
            left.before == right.before
            and (left.definite or right.definite)
            and not set(left.person) & set(right.person)
            and _same_form(left, right)
        )
    return left.negated != right.negated and _moods_meet(left, right)


def _numbers_differ(left: Frame, right: Frame, one: Quantity, other: Quantity) -> bool:
    if not _apart(one, other) or (left.before != right.before and left.before and right.before):
        return False
    if not one.dimension:
        if left.after != right.after:
            return False
    elif (
        left.after and right.after and left.after.split()[0][:2] != right.after.split()[0][:2]
    ) or left.before != right.before:
        return False
    return bool(left.before or left.after) and not (
        _VARYING & {*left.after.split(), left.before} and not (left.years and right.years)
    )


def _apart(one: Quantity, other: Quantity) -> bool:
    """As `values.relate`; but of two hedged values told to the same digit neither may reach the other alone."""
    verdict = values.relate(one, other)
    if (
        verdict == "compatible"
        and one.approximate
        and other.approximate
        and one.bound == other.bound == "exact"
        and one.unit == other.unit
    ):
        gap = abs(one.low - other.low)
        return (
            one.step == other.step
            and one.low == one.high
            and other.low == other.high
            and gap > max(2 * one.step, values.ABOUT_TOLERANCE * max(one.low, other.low))
        )
    return verdict == "different"


def _told_apart(left: Frame, right: Frame) -> tuple[Frame, Frame]:
    """Two runs 由 + person + verb, cut where they begin to be the same: 由周启明设计, 由冯立群设计."""
    tail = 0
    while tail < min(len(left.person), len(right.person)) and left.person[-1 - tail] == right.person[-1 - tail]:
        tail += 1
    if tail < 2:
        return replace(left, person=()), replace(right, person=())
    act = "".join(left.person[-tail:])
    one, other = (
        replace(frame, person=frame.person[:-tail], end=frame.end - tail, before=act) for frame in (left, right)
    )
    return one, other


def _same_form(left: Frame, right: Frame) -> bool:
    return is_han("".join(left.person)) == is_han("".join(right.person))


def _moods_meet(left: Frame, right: Frame) -> bool:
    denied, affirmed = (left, right) if left.negated else (right, left)
    if denied.mood != "able" and affirmed.mood == "able":
        return is_han(denied.sentence)
    return {denied.mood, affirmed.mood} != {"past", "present"}


def _places_differ(left: tuple[Units, ...], right: tuple[Units, ...]) -> bool:
    """Whether neither place can lie in the other: unlike at every level they share, and equally wide."""
    if any(_alike(one, other) for one in left for other in right):
        return False
    if is_region(left[0]) != is_region(right[0]):
        return False
    if len(left) > 1 and len(right) > 1:
        return True
    if len(left) == len(right):
        return _width(left[0]) == _width(right[0])
    return False


def _alike(one: Units, other: Units) -> bool:
    if is_han("".join(one)):
        short, long = sorted(("".join(one), "".join(other)), key=len)
        return short in long or short[:2] == long[:2]
    return bool(
        set(one)
        & set(other) - {"of", "space", "center", "centre", "cape", "port", "saint", "san", "new", "university", "city"}
    )


def _width(units: Units) -> str:
    if is_han(units[0]):
        if len(units) < 3:
            return ""
        found = re.search(
            r"(?:中心|基地|大学|研究[院所]|公司|博物馆|厂|省|市|县|区|镇|村|州|山|岛|馆|院)$", "".join(units)
        )
        return found[0] if found else ""
    return (
        "site"
        if units[-1] in words_en.SITES
        else "region"
        if is_region(units) or units[-1] in words_en.WIDE_PLACES
        else ""
    )


_SCOPE_RE = re.compile(
    r"\b(?:each|every|per|both|average|mean|total|first|last|former|current|new|old|original)\b|每|平均|各|其中|另|首批|首任|现任|前任|新|旧|改",
    re.IGNORECASE,
)


def _scopes_differ(left: Frame, right: Frame) -> bool:
    return {match.lower() for match in _SCOPE_RE.findall(left.clause)} != {
        match.lower() for match in _SCOPE_RE.findall(right.clause)
    }


def _times_differ(left: Frame, right: Frame) -> bool:
    """Whether the sentences state other times than the disputed one, and none of them fits."""
    if not left.years or not right.years:
        return False
    return all(dates.relate(one, other) == "different" for one in left.years for other in right.years)


def _fit(left: Frame, right: Frame) -> bool:
    """Whether the two clauses cover each other and speak of the same."""
    rest_left, rest_right = _uncovered(left, right), _uncovered(right, left)
    shared_left, shared_right = len(left.atoms) - len(rest_left), len(right.atoms) - len(rest_right)
    subject = _subject(left, right, min(shared_left, shared_right))
    if not subject or (subject == "named" and _lean_apart(left, right)):
        return False
    if subject == "carried":
        rest_left = [atom for atom in rest_left if not atom.name]
        rest_right = [atom for atom in rest_right if not atom.name]
    heavy_left, heavy_right = _heavy(rest_left, left), _heavy(rest_right, right)
    if heavy_left and heavy_right:
        return False
    lone, frame = (heavy_left, left) if heavy_left else (heavy_right, right)
    if lone and _narrows(lone, frame):
        return False
    weight = 4 if is_han(left.sentence) and is_han(right.sentence) else 2
    known = 0 if left.kind not in ("negation",) else weight
    if min(shared_left, shared_right) < known:
        return False
    larger = max(
        len(left.atoms) - len(rest_left) + len(heavy_left), len(right.atoms) - len(rest_right) + len(heavy_right)
    )
    return (
        left.kind == "name"
        or larger == 0
        or 1 - max(len(heavy_left), len(heavy_right)) / max(larger, 1) >= _LARGER_COVER
    )


def _uncovered(frame: Frame, other: Frame) -> list[Atom]:
    """The atoms of a frame that the other does not have: names without a match, words, characters outside shared pairs."""
    keys = pairs = other.keys
    own = frame.atoms
    rest: list[Atom] = []
    for at, atom in enumerate(own):
        if atom.name:
            known = len(atom.name) == 1 and _stem(atom.key) in keys  # a capital that only opens the sentence
            if (
                not known
                and not any(_same_name(atom.name, against.name) for against in other.names)
                and not _spelt(atom, other)
            ):
                rest.append(atom)
        elif is_han(atom.key):
            back = at > 0 and own[at - 1].end == atom.start and own[at - 1].key + atom.key in pairs
            onward = at + 1 < len(own) and own[at + 1].start == atom.end and atom.key + own[at + 1].key in pairs
            if not back and not onward and not _in_names(frame, at, own, other):
                rest.append(atom)
        elif atom.key not in keys and not any(
            name.name == (name.key,) and _stem(name.key) == atom.key for name in other.names
        ):
            rest.append(atom)
    return rest


def _spelt(atom: Atom, other: Frame) -> bool:
    """Whether a quoted name of one side is written without quotes in the other, and does not go on there."""
    spelt = "".join(atom.name)
    at = other.sentence.find(spelt) if is_han(spelt) else -1
    return at >= 0 and not re.match(r"[一二三四五六七八九十\d]+[号代期.]|[A-Z\d]|号", other.sentence[at + len(spelt) :])


def _in_names(frame: Frame, at: int, own: tuple[Atom, ...], other: Frame) -> bool:
    """Whether a character stands in a name that the other side quotes."""
    for name in other.names:
        spelt = "".join(name.name)
        begin = frame.sentence.find(spelt) if is_han(spelt) else -1
        if begin >= 0 and begin <= own[at].start < begin + len(spelt):
            return True
    return False


@lru_cache(maxsize=65_536)
def _same_name(left: Units, right: Units) -> bool:
    """One name, perhaps shortened or with a generic word; not one that goes on (Hubble, Hubble Deep Field)."""
    if left == right:
        return True
    if match_units(left, right, _GENERIC_EN) != "same":
        return False
    short, long = sorted((left, right), key=lambda units: (len(units), units))
    for at in range(len(long) - len(short) + 1):
        if long[at : at + len(short)] == short:
            return all(unit in _GENERIC_EN or unit in ("space", "号") for unit in long[at + len(short) :])
    return True


def _heavy(rest: list[Atom], frame: Frame) -> list[Atom]:
    """What is left over and tells something: no light word, no generic noun."""
    generic: set[int] = set()
    for word in _GENERIC_HAN if any(is_han(atom.key) for atom in rest) else ():
        begin = frame.sentence.find(word)
        if begin >= 0:
            generic.update(range(begin, begin + len(word)))
    return [atom for atom in rest if atom.name or not (atom.start in generic or _is_light(atom, frame))]


def _is_light(atom: Atom, frame: Frame) -> bool:
    if is_han(atom.key):
        return atom.key in _LIGHT_HAN
    return atom.key in _GENERIC_STEMS or frame.sentence[atom.start : atom.end].endswith("ly")


def _narrows(rest: list[Atom], frame: Frame) -> bool:
    """Whether what only one side says may restrict its statement: in a denial anywhere, else between name and value."""
    if frame.kind == "negation":
        return frame.negated or any(atom.key in _SCOPE_STEMS for atom in rest)
    if frame.kind == "name":
        return any(
            atom.key in _SCOPE_STEMS or atom.key in ("first", "second", "current", "former", "later") for atom in rest
        )
    if any(atom.key in _SCOPE_STEMS for atom in rest):
        return True
    first = min((atom.start for atom in frame.atoms if atom not in rest), default=-1)
    return any(first < atom.start < frame.start and not atom.name for atom in rest)


def _subject(left: Frame, right: Frame, shared: int) -> str:
    """How the two are known to speak of one thing: a name both write, a name carried to one, or nothing."""
    if any(_same_name(one.name, other.name) for one in left.names for other in right.names):
        return "named"
    if left.names and right.names and not any(_spelt(one, other) for one, other in _crossed(left, right)):
        return ""
    if is_han(left.sentence) and is_han(right.sentence) and _shared_run(left, right):
        return "named"
    if bool(left.names) != bool(right.names):
        named, plain = (left, right) if left.names else (right, left)
        if not plain.points_back:
            return ""
        first = named.names[0].name
        return "carried" if any(_same_name(first, units) for units in plain.carried[:1]) else ""
    if left.points_back and right.points_back:
        same = left.carried and right.carried and _same_name(left.carried[0], right.carried[0])
        return "carried" if same and not (left.names or right.names) else ""
    if not left.names and not right.names and shared >= 3 and not is_han(left.sentence):
        return (
            "carried" if any(_same_name(one, other) for one in left.carried[:3] for other in right.carried[:3]) else ""
        )
    return ""


_LEANS_RE = re.compile(r"\b(?:[Tt]he|[Tt]his|[Tt]hat|its|each)\s+(?:[a-z]+\s+)?(?P<noun>[a-z]+)|[该这其它]")


def _lean_apart(left: Frame, right: Frame) -> bool:
    """Whether both also point back ("X put 105 qubits on the chip"), to what the texts name differently."""
    if not all(any(_points(match) for match in _LEANS_RE.finditer(frame.clause)) for frame in (left, right)):
        return False
    own = [atom.name for atom in (*left.names, *right.names)]
    one, other = (
        [name for name in frame.carried if not any(_same_name(name, known) for known in own)][:2]
        for frame in (left, right)
    )
    return bool(one and other) and not any(_same_name(name, against) for name in one for against in other)


def _points(match: re.Match[str]) -> bool:
    return not match["noun"] or match["noun"].lower() in _GENERIC_EN


def _crossed(left: Frame, right: Frame) -> Iterator[tuple[Atom, Frame]]:
    yield from ((atom, right) for atom in left.names)
    yield from ((atom, left) for atom in right.names)


def _shared_run(left: Frame, right: Frame) -> bool:
    """Whether two Chinese clauses write one unquoted name: a long common run that is more than generic words."""
    if left.points_back or right.points_back:
        return False
    runs_left, runs_right = _runs(left), _runs(right)
    best = ""
    for run in runs_left:
        for at in range(len(run)):
            for end in range(at + 3, len(run) + 1):
                if end - at > len(best) and any(run[at:end] in other for other in runs_right):
                    best = run[at:end]
    bare = best
    for word in _GENERIC_HAN:
        bare = bare.replace(word, "")
    return len(best) >= 3 and len(bare) >= 2


def _runs(frame: Frame) -> list[str]:
    """The stretches of a Chinese clause in which a name may stand: before the value, up to 的 and prepositions."""
    stop = frame.start if frame.kind != "negation" else frame.end
    begin = min((atom.start for atom in frame.atoms), default=stop)
    text = frame.sentence[begin:stop] if frame.kind != "place" else frame.sentence[begin:]
    return [
        run for run in re.split(r"[^\u3400-\u9fff·]|[的从在于由被把为有是]|不能|可以|无法|没有", text) if len(run) > 1
    ]


def _restated(frame: Frame, frames: tuple[Frame, ...], against: Frame) -> bool:
    """Whether the other text also states this value: it knows both, and tells them apart."""
    for candidate in frames:
        if candidate is against or candidate.kind != frame.kind:
            continue
        if frame.quantity is not None and candidate.quantity is not None:
            if candidate.after[:2] == frame.after[:2] and values.relate(frame.quantity, candidate.quantity) == "equal":
                return True
        elif frame.date is not None and candidate.date is not None:
            if dates.relate(frame.date, candidate.date) == "equal" and candidate.before == frame.before:
                return True
        elif (
            frame.kind == "place" and any(_alike(one, other) for one in frame.place for other in candidate.place)
        ) or (frame.kind == "name" and set(frame.person) & set(candidate.person) and frame.before == candidate.before):
            return True
    return False


# -- telling --------------------------------------------------------------------------------------------------------


def _told(left: Frame, right: Frame) -> Contradiction:
    if left.before == right.before == "由":
        left, right = _told_apart(left, right)
    chinese = is_chinese(left.sentence)
    subject = _subject_text(left) or _subject_text(right) or left.value
    if left.kind == "negation":
        reason = (
            f"关于“{subject}”，一方说“{left.value}”，另一方说“{right.value}”"
            if chinese
            else f"one says “{left.value}”, the other “{right.value}”, of {subject}"
        )
    elif chinese:
        reason = f"“{subject}”的{_attribute(left)}：一方为“{left.value}”，另一方为“{right.value}”"
    else:
        reason = f"“{left.value}” against “{right.value}” for the {_attribute(left)} of {subject}"
    return Contradiction(left=_claim(left, subject), right=_claim(right, subject), reason=reason, confidence=CONFIDENCE)


def _subject_text(frame: Frame) -> str:
    if frame.names:
        return frame.sentence[frame.names[0].start : frame.names[0].end].strip("“”「」《》")
    if frame.carried and not is_han("".join(frame.carried[0])):
        return " ".join(unit if any(map(str.isdigit, unit)) else unit.capitalize() for unit in frame.carried[0])
    if is_han(frame.sentence):
        return next(iter(_runs(frame)), "")
    return ""


def _attribute(frame: Frame) -> str:
    chinese = is_chinese(frame.sentence)
    if frame.quantity is not None:
        word = frame.after or frame.before
        return (f"{word}的数量" if chinese else f"number of {word}") if not frame.quantity.dimension else word
    word = frame.before or frame.after
    names = {
        "date": ("日期", "date"),
        "place": ("地点", "place"),
        "name": ("人", "name"),
        "negation": ("状态", "state"),
        "number": ("", ""),
    }
    zh, en = names[frame.kind]
    return f"{zh}（{word}）" if chinese else f"{en} ({word})"


def _claim(frame: Frame, subject: str) -> Claim:
    return Claim(
        text=frame.sentence, kind=frame.kind, subject=_subject_text(frame) or subject, attribute=_attribute(frame), value=frame.value,
        unit=frame.quantity.unit.name if frame.quantity and frame.quantity.unit else frame.after if frame.quantity else "",
        polarity=not frame.negated,
    )  # fmt: skip
