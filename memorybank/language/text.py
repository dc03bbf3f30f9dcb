"""Plain facts about a text that every layer may need: its language, its sentences, its blocks. No model, no state.

Offsets are in characters of the text given; joined pieces always equal it, so nothing is lost by cutting. Everything
here takes time linear in the text, on any text: no pattern can go back over a long run of spaces, dots or brackets.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, wraps
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

if TYPE_CHECKING:
    from memorybank.memory.types import Lang


HAN: Final = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
"""The Han characters, for use inside a character class."""
UNSPACED: Final = f"{HAN}\u3040-\u30ff\uac00-\ud7af"
"""The characters of scripts without spaces (Han, kana and hangul), for use inside a character class."""
HAN_RE: Final = re.compile(f"[{HAN}]")
_RADICALS: Final = (
    "⺀厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵⺚旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀聿"
    "肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟"
)
RADICALS: Final = {chr(0x2E80 + at): ideograph for at, ideograph in enumerate(_RADICALS)}
"""Radicals of the supplement (U+2E80 to U+2EF3) as the characters that people write: Unicode's property
Equivalent_Unified_Ideograph (EquivalentUnifiedIdeograph.txt, 14.0). NFKC knows but two of them."""


def is_han(text: str) -> bool:
    """Whether a text has a Han character."""
    return HAN_RE.search(text) is not None


TURN_RE = re.compile(
    r"^\s*+\[?(?P<before>\d[\d.:/,\sTZ+-]*\d(?:Z|\s?[ap]\.?m\.?)?)?\]?\s*(?:-\s)?(?P<speaker>[^\W\d][^:：()（）\n]{0,30}?)"
    rf"\s*(?:[(（](?P<time>[^)）\n]{{1,60}})[)）])?\s*(?::\s+|：\s*|:(?=[{HAN}]))(?=\S)"
    r"|^(?P<who>[^\W\d][^\s:：]{0,30})\s+(?P<at>\d[\d./-]+,?\s+\d{1,2}:\d{2}(?::\d{2})?)$",
    re.IGNORECASE,
)
"""The head of a turn: who, and when, before the colon or before the name, or on a line of their own."""
_LETTER_RE = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_SPACE_RE = re.compile(r"\s+")
_ENGLISH: Final = "not never nor cannot without hardly barely scarcely no neither nobody nothing none nowhere"
_HAN: Final = (
    "不(?![仅但过断久锈丹])|没|未(?!来|婚|央)|非(?!洲|常|凡)|无(?!锡|线|论|数|疑)|勿|莫(?!斯科|扎特|桑比克|奈)"
)
"""A character that denies; 莫斯科, 非洲 and 未来 deny nothing."""
NEGATION_RE: Final = re.compile(rf"\b(?:{_ENGLISH.replace(' ', '|')})\b|n['’]t\b|{_HAN}", re.IGNORECASE)


class Piece(NamedTuple):
    """`text[start:end]` of the text it was cut from."""

    start: int
    end: int


def cjk_share(text: str) -> float:
    """Return Han characters as a share of Han characters and Latin words, in [0, 1]; 0 for a text with neither."""
    han = len(HAN_RE.findall(text))
    words = len(_LETTER_RE.findall(text))
    return han / (han + words) if han + words else 0.0


def detect_lang(text: str) -> Lang:
    """Return `zh` when at least three of ten units (Han characters, Latin words) are Han, else `en`."""
    return "zh" if cjk_share(text[:20_000]) >= 0.3 else "en"


_FOREIGN = frozenset(
    """
    der die das und ist nicht ein eine den mit von le la les des une est et du que dans el los una para por il di che
    per non não com uma um o de het een van en zijn och att som på är og er det til w nie się na że jest je se az és
    hogy ja ei oli ve bir bu için yang dan untuk của là và
""".split()
)
"""The commonest words of other languages in Latin letters: one of them is in any text of theirs."""


def is_known_language(text: str) -> bool:
    """Whether a text is in English or Chinese, as far as its letters and its commonest words tell."""
    text = text[:20_000]
    words = [word.lower() for word in _LETTER_RE.findall(text)]
    others = _LETTER_RE.sub("", re.sub(r"[\x00-\x7f]+", "", text))  # few in most texts, and slower to look through
    han = len(HAN_RE.findall(others))
    if 4 * (sum(map(str.isalpha, others)) - han) > sum(map(len, words)) + han:
        return False
    foreign, familiar = (sum(map(listed.__contains__, words)) for listed in (_FOREIGN, FUNCTION_WORDS))
    return 7 * han >= 3 * len(words) or 12 * foreign < len(words) or foreign <= familiar


def covered(length: int, spans: Iterable[tuple[int, int]]) -> bytearray:
    """Return a byte for each character of a text of that length: 1 within one of the spans, else 0."""
    mask = bytearray(length)
    for start, end in spans:
        mask[start:end] = b"\1" * (end - start)
    return mask


def one_line(text: str) -> str:
    """Return the text as it is, on one line with single spaces."""
    return " ".join(text.split())


def fold_space(text: str) -> str:
    """Return the text on one line and in one form (`one_form`), for whatever is compared."""
    return one_line(one_form(text))


def encodable(text: str) -> str:
    """Return the text as UTF-8 can hold it: half a surrogate pair, which JSON can spell, becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def encodable_values(value: Any) -> Any:
    """Return JSON values with every text in them made encodable; the value itself where all of them are."""
    written = json.dumps(value, ensure_ascii=False)
    return value if encodable(written) == written else json.loads(encodable(written))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def source_key(source: str) -> str:
    """Return one name for one source: encryption, `www.`, a final slash or a fragment make no other page."""
    scheme, separator, rest = source.partition("://")
    if not separator or scheme.lower() not in ("http", "https"):
        return source
    return rest.partition("#")[0].removeprefix("www.").rstrip("/")


T = TypeVar("T")
SHORT: Final = 1_000
"""Characters up to which a text is remembered; a longer one is no sentence, and would only fill the memory."""


def remembered(read: Callable[[str], T]) -> Callable[[str], T]:
    """Give a function of one text a memory for short ones. Callers must not change what it returns."""
    known = lru_cache(maxsize=8_192)(read)
    return wraps(read)(lambda text: known(text) if len(text) <= SHORT else read(text))


# -- one form ---------------------------------------------------------------------------------------------------------

_ODD_RE = re.compile(
    "[\u00a0\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u2e80-\u2fd5\uf900-\ufaff\ufb00-\ufb06"
    "\ufe00-\ufe0f\ufeff\U0002f800-\U0002fa1f\U000e0100-\U000e01ef]"
)
_JOINERS = "\u200b\u200c\u200d"
_JOINED_RE = re.compile(
    "[\u0590-\u10ff\u1200-\u1cff\u2190-\u2bff\ua800-\uabff\ufb50-\ufdff\ufe0f\ufe70-\ufefc"
    "\U00010a00-\U00011fff\U0001f000-\U0001faff]"
)
"""Scripts from Hebrew to Khmer, and emoji: a joiner or a space without width tells something after one of these."""


def one_form(text: str) -> str:
    """Return the text as people write it, to be compared, searched or summarised: radicals, compatibility ideographs
    and ligatures are the characters that they stand for, and what has no width (soft hyphens, too) is gone."""
    return text if text.isascii() else _ODD_RE.sub(_usual, text)


def form_and_places(text: str) -> tuple[str, Sequence[int]]:
    """The text in one form, and where each of its characters stands in the text; last, where the text ends."""
    form = one_form(text)
    if form == text:
        return form, range(len(text) + 1)
    places: list[int] = []
    at = 0
    for match in _ODD_RE.finditer(text):
        places += range(at, match.start())
        places += [match.start()] * len(_usual(match))
        at = match.end()
    return form, [*places, *range(at, len(text) + 1)]


def _usual(match: re.Match[str]) -> str:
    char, before = match[0], match.string[max(0, match.start() - 1) : match.start()]
    category = unicodedata.category(char)
    if category == "Cf":
        return char if char in _JOINERS and _JOINED_RE.match(before) else ""
    if category == "Mn":  # what selects a variant: an emoji is not to become plain text
        return "" if is_han(before) else char
    return RADICALS.get(char) or unicodedata.normalize("NFKC", char)


# -- sentences --------------------------------------------------------------------------------------------------------


FUNCTION_WORDS = frozenset((files(__package__) / "function_words.txt").read_text("utf-8").split())
_TITLES = frozenset("mr mrs ms messrs dr prof gen col lt sgt capt rev hon gov sen rep st mt".split())
"""A name follows: a full stop after these never ends a sentence."""
_BEFORE_NUMBERS = frozenset("no nos vol pp p fig figs eq eqs sec ch art para ver".split())
"""A full stop after these is no end when a digit follows: `No. 5`, but `He said no. Then`."""
_ABBREVIATIONS = frozenset(
    "vs etc inc ltd co corp jr sr ed eds dept est cf al bros approx ca e.g i.e u.s u.k a.m p.m ph.d d.c b.c a.d "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
"""A full stop after these ends a sentence only before a word that opens one."""
_END_RE = re.compile(
    r"""
    # full-width ends, with what closes after them; U+FF0E is an end in old Chinese files, a decimal point in new ones
    (?P<cjk>(?:[。！？｡…؟।]|(?<![0-9０-９A-Za-z])．)++(?:\.{3,}+)?+[”’」』）\)"']*+)
  | (?P<latin>(?<![.!?])[.!?]++[”’"'\)\]]*+)(?=\s|$|[HAN])  # ASCII ends, before a space, the end or a Han character
  | (?P<line>\n\s*+)  # a line break ends a sentence unless it only wraps a long line
    # brackets, not the mouth of a face: what ends in them ends no sentence around them, （岚、Hey! Say! JUMP）
  | (?P<aside>(?<![:;=：-])[（(《〈][^（(《〈）)》〉\n]{0,120}
       (?:(?<![.!?。！？…])(?<![.!?。！？…][”’"'])[）)》〉]|[）)》〉](?=[，。HAN])))
    """.replace("HAN", HAN),
    re.VERBOSE,
)
# 73岁的J. Smith: no space parts them
_WORD_BEFORE_RE = re.compile(rf"[^\s(\[“\"‘'（，。、；：？！）《》「」『』{HAN}]*\Z")
_WORD_AFTER_RE = re.compile(r"\s*[“\"‘'(\[]*([A-Za-z\u00c0-\u024f]+|\d)?")
_LINE_OPENER_RE = re.compile(r"\s*(?:[-*•#|>]|\d{1,2}[.)、](?!\d)|```|[^\s:：]{1,20}[ ]?[^\s:：]{0,20}[:：])")


def sentences(text: str) -> list[Piece]:
    """Cut into sentences. Trailing white space stays with its sentence; the pieces joined equal the text."""
    pieces: list[Piece] = []
    start = at = 0
    while match := _END_RE.search(text, at):
        at = match.end()
        if match["aside"] is not None:
            if not (match[0][0] in "《〈" or text[max(start, match.start() - 120) : match.start()].strip()):
                at = match.start() + 1  # brackets around whole sentences
            continue
        if not _is_end(text, match):
            continue
        space = _SPACE_RE.match(text, match.end())
        end = space.end() if space else match.end()
        if pieces and not text[start : match.end()].strip():
            pieces[-1] = Piece(pieces[-1].start, end)
        elif text[start:end].strip() or end == len(text):
            pieces.append(Piece(start, end))
        else:  # white space before the first sentence goes with it
            continue
        start = at = end
    if start < len(text):
        pieces.append(Piece(start, len(text)))
    return pieces


def _is_end(text: str, match: re.Match[str]) -> bool:
    if match["line"] is not None:
        return match["line"].count("\n") > 1 or not _only_wraps(text, match)
    after = _WORD_AFTER_RE.match(text, match.end())
    follower = (after[1] or "") if after else ""
    if match["cjk"] is not None:  # an ellipsis may stand inside a sentence
        return match["cjk"][0] != "…" or not follower[:1].islower()
    marks = match["latin"].rstrip("”’\"')]")
    if follower[:1].islower() and (len(marks) > 1 or (marks != "." and marks != match["latin"])):
        return False  # "Well... maybe", "'Why?' he asked"
    return marks != "." or _stop_ends(text, match.start(), follower)


def _stop_ends(text: str, at: int, follower: str) -> bool:
    """Whether the single full stop at `at` ends a sentence, by the word before it and the word after it."""
    before = _WORD_BEFORE_RE.search(text, max(0, at - 16), at)
    word = before[0].lstrip("*_") if before else ""
    opens = follower[:1].isupper() and follower.lower() in FUNCTION_WORDS
    lower = word.lower()
    if lower in _TITLES or (lower in _BEFORE_NUMBERS and follower.isdigit()):
        return False
    if lower in _ABBREVIATIONS:
        return opens or (not follower and not text[at + 1 : at + 3].strip())
    if re.fullmatch(r"(?:[A-Za-z]\.)*[A-Za-z]", word):  # an initial: "J. Smith"; but "vitamin C. It" ends
        named = "." in word and HAN_RE.match(text, at + 1)  # "S.K.母亲"
        return opens or (not follower and not named) or word == "I"
    # "1. First item": the number of a list is not a sentence.
    return not (re.fullmatch(r"\d{1,2}", word) and not text[_line_start(text, at) : at - len(word)].strip())


def _line_start(text: str, at: int) -> int:
    """Return where the line that holds `at` begins, looked for in the 200 characters before it (to bound the work)."""
    return max(text.rfind("\n", max(0, at - 200), at) + 1, at - 200, 0)


def _only_wraps(text: str, match: re.Match[str]) -> bool:
    """Whether a line break stands inside a hard-wrapped sentence: a long line goes on in a line of plain prose."""
    line = text[_line_start(text, match.start()) : match.start()]
    following = text[match.end() : match.end() + 60]
    wide = sum(2 if HAN_RE.match(char) else 1 for char in line[:60])
    if wide < 50 or not following or _LINE_OPENER_RE.match(following) or _line_kind(line) != "prose":
        return False
    return line.rstrip()[-1:] not in ".!?。！？：:"


# -- blocks -----------------------------------------------------------------------------------------------------------

BlockKind = Literal["prose", "heading", "table", "code", "list"]


class Block(NamedTuple):
    """A paragraph or the like: `text[start:end]`, blank lines after it included."""

    start: int
    end: int
    kind: BlockKind


_FENCE_RE = re.compile(r"^\s{0,8}(```|~~~)")
_ROW_RE = re.compile(r"^\s{0,8}\|[^\n]*\|\s*$|^[^\t\n]+(?:\t[^\t\n]*){2,}$|^[^|\n]+\|[^|\n]+\|[^\n]*$")
_HEADING_RE = re.compile(
    r"^\s{0,3}#{1,6}\s+\S|^\s{0,8}第[一二三四五六七八九十百千零〇0-9]{1,7}[章回节卷部][^。！？，；\n]{0,40}$"
)
_UNDERLINE_RE = re.compile(r"^\s{0,3}(?:={3,}|-{3,})\s*$")
_LIST_RE = re.compile(r"^\s{0,12}(?:[-*•]|\d{1,2}[.)、](?!\d))\s*\S")
_CODE_LINE_RE = re.compile(
    r"""
    ^\s*(?:(?:async\ )?def\ \w+\(|class\ \w+\s*[:({]|import\ [\w.]+\s*(?:;|$|as\ )|from\ [\w.]+\ import\ |\#include\b
      |function\s*\w*\s*\(|(?:const|let|var|val)\ \w+\s*[=:]|(?:public|private|protected|static)\ [\w<>\[\]]+\ \w+
      |return\b[^.]*[;)]\s*$|[})\]]+[;,)]*\s*$|//|/\*|SELECT\ |INSERT\ INTO\ |"[^"]+"\s*:\s)
  | ^(?:\ {4}|\t)\s*[^\s*•-][^\n]*[=({<>;][^\n]*(?<![.!?])$
    """,
    re.VERBOSE,
)
_CODE_END_RE = re.compile(r"[=(][^\n]*;\s*$|[)\w]\s*\{\s*$")
_END_MARK_RE = re.compile(r"[.!?,;:。！？，；：、…|]$")
_SPEAKER_RE = re.compile(r"^\s*[^\s:：][^:：\n]{0,30}[:：]\s*\S")


def _is_row(line: str) -> bool:
    """Whether a line is a table's: between pipes, with several tabs or pipes, or the rule under a header."""
    if "|" not in line:
        return "\t" in line and bool(_ROW_RE.match(line))
    return bool(_ROW_RE.match(line)) or ("--" in line and not line.strip("-|: \t\r\n"))


def _line_kind(line: str) -> BlockKind:
    if _is_row(line):
        return "table"
    if _HEADING_RE.match(line):
        return "heading"
    if _LIST_RE.match(line):
        return "list"
    line = line[:400].rstrip("\r\n")
    if _CODE_LINE_RE.match(line) or (line.rstrip()[-1:] in (";", "{") and _CODE_END_RE.search(line)):
        return "code"
    return "prose"


def blocks(text: str) -> list[Block]:
    """Cut at blank lines, headings, code fences, and where a table begins or ends. The blocks joined equal the text.

    A short line alone between blank lines, without an end mark and with prose after it, counts as a heading.
    """
    collected: list[Block] = []
    titles: list[int] = []  # places of blocks that look like a plain-text heading, with nothing else seen since
    for start, end, lines in _raw_blocks(text):
        kind = _block_kind(lines)
        if kind in ("prose", "list") and _is_title(lines):
            titles.append(len(collected))
        else:
            if len(titles) <= 2 and kind != "code":  # three in a row are lines of a poem or a menu, not headings
                for at in titles:
                    collected[at] = collected[at]._replace(kind="heading")
            titles = []
        collected.append(Block(start, end, kind))
    return collected


def _block_kind(lines: list[str]) -> BlockKind:
    written = [line for line in lines if line.strip()]
    if lines and _FENCE_RE.match(lines[0]) and len(lines) > 1:
        return "code"
    if len(written) == 2 and _UNDERLINE_RE.match(written[1]):
        return "heading"
    kinds = [_line_kind(line) for line in written]
    order: tuple[BlockKind, ...] = ("table", "code", "heading", "list")
    return next((kind for kind in order if kinds.count(kind) * 2 > len(kinds)), "prose")  # most of its lines


def _is_title(lines: list[str]) -> bool:
    written = [line.strip() for line in lines if line.strip()]
    if len(written) != 1 or lines[-1].strip() or _END_MARK_RE.search(written[0]) or _SPEAKER_RE.match(written[0]):
        return False
    return len(written[0]) + len(HAN_RE.findall(written[0])) <= 80 and written[0][0] not in "-*•"


def _raw_blocks(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield runs of lines that belong together: (start, end, the lines)."""
    rows = text.splitlines(keepends=True)
    fences = [at for at, line in enumerate(rows) if _FENCE_RE.match(line)]
    if len(fences) % 2:  # a fence that never closes is none: it would swallow the rest
        fences.pop()
    opening, closing = set(fences[::2]), set(fences[1::2])
    start = at = 0
    lines: list[str] = []
    fenced = parted = in_table = False
    for number, line in enumerate(rows):
        written = bool(line.strip())
        if not fenced:
            heading = bool(_HEADING_RE.match(line))
            is_row = written and _is_row(line)
            cuts = parted or heading or number in opening or is_row != in_table
            if written and cuts and any(part.strip() for part in lines):
                yield start, at, lines
                start, lines = at, []
            underlined = bool(_UNDERLINE_RE.match(line)) and sum(bool(part.strip()) for part in lines[:3]) == 1
            parted = heading or underlined or not written
            in_table = is_row or (in_table and not written)
            fenced = number in opening
        elif number in closing:
            fenced, parted, in_table = False, True, False
        lines.append(line)
        at += len(line)
    if lines:
        yield start, at, lines
