"""Whether two texts speak of one thing, by the names that stand in both."""

from __future__ import annotations

import re
from functools import lru_cache

from memorybank.contradiction.describe import is_chinese
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.readers import relations_en as english
from memorybank.contradiction.relation_words import AGAIN, LISTS
from memorybank.contradiction.sources import DATELINE_ZH_RE
from memorybank.contradiction.tokens_en import capitalised
from memorybank.language import dates
from memorybank.language.han import HAN, is_han


def _listed(words: tuple[str, ...]) -> re.Pattern[str]:
    """Words of either language, an underscore for a blank; Latin ones as whole words."""
    latin = "|".join(re.escape(word).replace("_", r"\s+") for word in words if word.isascii())
    han = "|".join(re.escape(word) for word in words if not word.isascii())
    return re.compile("|".join(part for part in (rf"\b(?:{latin})\b" if latin else "", han) if part), re.IGNORECASE)


_SHARED_NAMES = 2
"""Words of names that two English texts must share."""
_SHARED_RUN = 4
"""Han characters in a row that two Chinese texts must share."""
_CACHE_SIZE = 4096
_RUN_RE = re.compile(f"[{HAN}]+")
_NAMELIKE_RE = re.compile(rf"[^\W\d_A-Za-z{''.join(sorted(LISTS.characters('not_in_names_han')))}]+")
_TITLE_RE = re.compile(r"《([^》]{1,24})》")
_DATELINE_RE = re.compile(
    r"^\W*(?:[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}|\d{4}年\d{1,2}月\d{1,2}日)\s*(?:\.\.\.|…|·|—|-)\s*"
)
"""The day a page was written, before its text."""
_OPPONENT_RE = re.compile(
    r"\b(?i:beat(?:s|ing)?|defeat(?:s|ed|ing)?|bt|over|against|vs?\.?|lost to|lose to|beaten by|defeated by)\s+"
    + rf"(?P<name>{english.NAME})"
)
"""Who was beaten: the same one may be beaten in many contests."""
_BEATEN_HAN_RE = re.compile(f"(?:击败|战胜|擊敗|戰勝)了?([{HAN}]{{2}})")
_CONTEST_MARKS_RE = _listed(LISTS.ordered("contest_marks"))
_ALONG_RE = re.compile(r"\band Paralympics?\b|[和与及、]残奥")
"""Named beside the contest itself."""
_PARTS_RE = _listed(LISTS.ordered("contest_parts"))
_CONTEST_RE = {kind: _listed(words) for kind, words in LISTS.classes("contest_kinds").items()}
_SINGLE = LISTS.words("contest_single")
_OPENER_RE = re.compile(r"(?:^|[.!?…]\s+)\W*([A-Z][\w-]+)(?=\s+[a-z])", re.MULTILINE)
"""The first word of a sentence, which has a capital for that alone."""
_DOT_RE = re.compile(f"(?<=[{HAN}])[·•・.．‧∙](?=[{HAN}])")
_NO_TOPIC = LISTS.words("contests_en") | LISTS.words("forms_en")


def of_one_thing(left_frame: Frame, right_frame: Frame, left: str, right: str) -> bool:
    """Whether two frames of one relation, each of its own text, are said of one thing at one time."""
    if _is_made_anew(left_frame, left) != _is_made_anew(right_frame, right):
        return False
    if of_other_parts(left_frame, right_frame) or _plays_another(left_frame, right_frame):
        return False
    if (is_match(left_frame) or is_match(right_frame)) and not same_opponent(left_frame, right_frame, left, right):
        return False
    return same_time(left_frame, right_frame, left, right) and (
        same_subject(left_frame, right_frame)
        or same_topic(left_frame, right_frame, left, right)
        or same_contest(left_frame, left, right)
        or opens_with_subject(left_frame, right_frame, right)
        or opens_with_subject(right_frame, left_frame, left)
    )


def _plays_another(left: Frame, right: Frame) -> bool:
    """Whether each of two sentences on a part begins with a name of its own: a film has many parts."""
    if left.relation != "play":
        return False
    values = {*left.key, *right.key}
    ours, theirs = (english.opening_name(frame.sentence) - values - _NO_TOPIC for frame in (left, right))
    return bool(ours and theirs) and not (ours <= theirs or theirs <= ours)


_ANEW_RE = re.compile(r"\b(?:remakes?|remade|reboot)\b|翻拍|重拍", re.IGNORECASE)
_ADAPTED_RE = re.compile(
    r"\badapt(?:ed|ation)\b|\b(?:stage|radio|television|musical) (?:version|production)\b|改编|同名", re.IGNORECASE
)


_SCRIPT_RE = re.compile(r"\bscreenplay|\bscreenwriter|\bscript|编剧|剧本", re.IGNORECASE)


def _is_made_anew(frame: Frame, text: str) -> bool:
    """Whether a text speaks of a remake, or a sentence of what was made after a work of the same name.

    Who wrote a book stays the same when it is adapted; who wrote the script is another matter.
    """
    if frame.relation == "write" and not _SCRIPT_RE.search(frame.sentence):
        return False
    return bool(_ANEW_RE.search(text) or _ADAPTED_RE.search(frame.sentence))


def same_subject(left: Frame, right: Frame) -> bool:
    """Whether two frames are said of one name, or of one that is part of the other.

    A run of Han may begin before the name (抵达诺里亚); of what happens again it may be another contest (女足世界杯).
    """
    return any(
        subject == against
        or (len(subject & against) > 1 and (subject <= against or against <= subject))
        or (left.relation not in AGAIN and _ends_alike(subject, against))
        for subject in left.subjects
        for against in right.subjects
    )


def _ends_alike(subject: frozenset[str], against: frozenset[str]) -> bool:
    if len(subject) != 1 or len(against) != 1:
        return False
    short, long = sorted((*subject, *against), key=len)
    return is_han(short) and len(short) > 1 and long.endswith(short)


def same_topic(left_frame: Frame, right_frame: Frame, left: str, right: str) -> bool:
    """Whether two texts share enough names, the values left out, and do not say that they speak of different things."""
    if left_frame.subjects and right_frame.subjects and not _meet(left_frame, right_frame):
        return False
    if is_chinese(left) != is_chinese(right):
        return False
    if is_chinese(left):
        return _share_runs(left_frame, right_frame, left, right)
    subjects = _spoken_of(left_frame, left), _spoken_of(right_frame, right)
    named = not all(subjects) or _written_in(right, subjects[0]) or _written_in(left, subjects[1])
    return named and _share_names(left_frame, right_frame, left, right)


def _spoken_of(frame: Frame, text: str) -> tuple[frozenset[str], ...]:
    """What a frame is said of: its subjects; without one, the name that its text opens with."""
    opening = english.opening_name(_DATELINE_RE.sub("", text)) - _NO_TOPIC
    return frame.subjects or ((opening,) if opening and not opening <= set(frame.key) else ())


def _meet(left: Frame, right: Frame) -> bool:
    """Whether a subject of one holds all of one of the other: the Ashgrove Archive is not the Kestrel Archive."""
    return any(subject <= against or against <= subject for subject in left.subjects for against in right.subjects)


def of_other_parts(left: Frame, right: Frame) -> bool:
    """Whether what is held is a part of a contest, which is held elsewhere than the others."""
    return left.relation == "host" and _parts(left.sentence) != _parts(right.sentence)


def _parts(sentence: str) -> frozenset[str]:
    return frozenset(match[0].casefold() for match in _PARTS_RE.finditer(sentence))


def is_match(frame: Frame) -> bool:
    """Whether a winner is told of by who was beaten: a contest has many matches."""
    return frame.relation == "win" and bool(_beaten(frame.sentence))


def same_opponent(left_frame: Frame, right_frame: Frame, left: str, right: str) -> bool:
    """Whether two texts name somebody else who played, too."""
    values = {*left_frame.key, *right_frame.key}
    if any(not name & values for name in _people(left) & _people(right)):
        return True
    named = _named_beside_contests(right), _named_beside_contests(left)
    return any((words & names) - values for words, names in zip((_beaten(left), _beaten(right)), named, strict=True))


@lru_cache(maxsize=_CACHE_SIZE)
def _beaten(text: str) -> frozenset[str]:
    """The words of the names of those who were beaten."""
    names = (word for match in _OPPONENT_RE.finditer(text) for word in english.words_of(match["name"]))
    return frozenset((*names, *(match[1] for match in _BEATEN_HAN_RE.finditer(text)))) - _NO_TOPIC


@lru_cache(maxsize=_CACHE_SIZE)
def _named_beside_contests(text: str) -> frozenset[str]:
    names = (word for name in english.names_in(text) for word in english.words_of(name))
    pairs = (run[at : at + 2] for run in _RUN_RE.findall(text) for at in range(len(run) - 1))
    return frozenset((*names, *pairs)) - _NO_TOPIC


def same_contest(frame: Frame, left: str, right: str) -> bool:
    """Whether two texts speak of one edition of a contest: of its place, of the same part that is won of it, or of a
    match with the same person."""
    if frame.relation not in ("host", "win") or _marks_of_contest(left) != _marks_of_contest(right):
        return False
    if not shares_contest(left, right):
        return False
    single = _contests(left) == _contests(right) <= _SINGLE
    return frame.relation == "host" or bool(_people(left) & _people(right)) or single


@lru_cache(maxsize=_CACHE_SIZE)
def _marks_of_contest(text: str) -> frozenset[str]:
    return frozenset(match[0].casefold() for match in _CONTEST_MARKS_RE.finditer(_ALONG_RE.sub(" ", text)))


@lru_cache(maxsize=_CACHE_SIZE)
def _people(text: str) -> frozenset[frozenset[str]]:
    """Names of several words without a contest's; in Chinese who was beaten."""
    names = (frozenset(english.words_of(name)) for name in english.names_in(text))
    beaten = (frozenset(match.groups()) for match in _BEATEN_HAN_RE.finditer(text))
    return frozenset((*beaten, *(name for name in names if len(name) > 1 and not name & _NO_TOPIC)))


def opens_with_subject(frame: Frame, other: Frame, text: str) -> bool:
    """Whether `other` is said of nothing by name in a text that opens with what `frame` is said of.

    "Lanternpost grew fast. Norvik bought the start-up in 2012.": a text that opens with a name goes on speaking of it.
    """
    return not other.subjects and english.opening_name(_DATELINE_RE.sub("", text)) in frame.subjects


def same_time(left_frame: Frame, right_frame: Frame, left: str, right: str) -> bool:
    """Whether the years and editions stated fit; of what happens again a year must stand in both texts."""
    if left_frame.periods and right_frame.periods and not left_frame.periods & right_frame.periods:
        return False
    if left_frame.years and right_frame.years and not left_frame.years & right_frame.years:
        return False
    if left_frame.relation not in AGAIN:
        return True
    return bool(left_frame.periods & right_frame.periods or years(left) & years(right))


@lru_cache(maxsize=_CACHE_SIZE)
def years(text: str) -> frozenset[int]:
    """The years a text states; that of its dateline only where it states no other."""
    stated = _stated_years(DATELINE_ZH_RE.sub("", _DATELINE_RE.sub("", text)))
    return stated or _stated_years(text)


def _stated_years(text: str) -> frozenset[int]:
    return frozenset(year for day in dates.scan(text) for year in (day.first[0], day.last[0]) if year)


def mentions(text: str, frame: Frame) -> bool:
    """Whether a text writes a name that a frame is said of."""
    return _written_in(text, frame.subjects)


def _written_in(text: str, names: tuple[frozenset[str], ...]) -> bool:
    words = _undotted(english.fold(text))
    return any(all(_undotted(word.casefold()) in words for word in name) for name in names)


def _undotted(text: str) -> str:
    """Without the dots in foreign names, which are written in many ways: 玛拉·埃里森, 玛拉.埃里森."""
    return _DOT_RE.sub("", text)


def shares_contest(text: str, other: str) -> bool:
    """Whether two texts speak of the same kind of contest, and of the same year of it."""
    return bool(years(text) & years(other) and _contests(text) & _contests(other))


@lru_cache(maxsize=_CACHE_SIZE)
def _contests(text: str) -> frozenset[str]:
    return frozenset(kind for kind, pattern in _CONTEST_RE.items() if pattern.search(text))


def _share_names(left_frame: Frame, right_frame: Frame, left: str, right: str) -> bool:
    return len(_names_of_both(left, right) - set(left_frame.key) - set(right_frame.key)) >= _SHARED_NAMES


def _names_of_both(left: str, right: str) -> set[str]:
    """The words of names that stand whole in a name of the other text: none of Icefall and Polynya Institute."""
    pairs = ((name, counterpart) for name in _names(left) for counterpart in _names(right))
    shared = {
        word for name, counterpart in pairs if name <= counterpart or counterpart <= name for word in name & counterpart
    }
    return shared - (_openers(left) & _openers(right))  # "Volunteers of …" in both is no name


@lru_cache(maxsize=_CACHE_SIZE)
def _openers(text: str) -> frozenset[str]:
    """Words that a text writes with a capital only where they begin a sentence."""
    return frozenset(match[1].casefold() for match in _OPENER_RE.finditer(text)) - capitalised(text)


@lru_cache(maxsize=_CACHE_SIZE)
def _names(text: str) -> frozenset[frozenset[str]]:
    names = (english.words_of(name) for name in english.names_in(_OPPONENT_RE.sub(" ", text)))
    return frozenset(kept for name in names if (kept := frozenset(w for w in name if len(w) > 2) - _NO_TOPIC))


def _named(text: str) -> frozenset[str]:
    return frozenset(word for name in _names(text) for word in name)


def _share_runs(left_frame: Frame, right_frame: Frame, left: str, right: str) -> bool:
    titles, others = set(_TITLE_RE.findall(left)), set(_TITLE_RE.findall(right))
    if titles and others and not titles & others:
        return False
    if bool(titles) != bool(others) and not any(
        title[:_SHARED_RUN] in (right if titles else left) for title in titles | others
    ):
        return False
    values = "".join(left_frame.key), "".join(right_frame.key)
    return any(
        not any(run[at : at + 2] in value for value in values for at in range(_SHARED_RUN - 1))
        and not _ends_two_names(run, left, right)
        for run in _runs(left) & _runs(right)
    )


def _ends_two_names(run: str, left: str, right: str) -> bool:
    """Whether a run goes back to where two names part: 冰芯研究所的创始人, 白鲸研究所的创始人."""
    at, against = left.find(run), right.find(run)
    while at and against and left[at - 1] == right[against - 1]:
        at, against = at - 1, against - 1
    return bool(at and against) and all(_NAMELIKE_RE.fullmatch(char) for char in (left[at - 1], right[against - 1]))


@lru_cache(maxsize=_CACHE_SIZE)
def _runs(text: str) -> frozenset[str]:
    return frozenset(
        run[at : at + _SHARED_RUN] for run in _RUN_RE.findall(text) for at in range(len(run) - _SHARED_RUN + 1)
    )


def topic_of(left_frame: Frame, right_frame: Frame, left: str, right: str) -> str:
    """What two texts speak of, as the left one writes it: a subject of both frames, a title, or a shared name."""
    if is_chinese(left):
        titles = set(_TITLE_RE.findall(right))
        title = next((title for title in _TITLE_RE.findall(left) if title in titles), "")
        return title or _longest_run(left_frame, right_frame, left, right)
    shared = [subject for subject in left_frame.subjects if any(subject & against for against in right_frame.subjects)]
    words = frozenset(word for subject in shared for word in subject) or (_named(left) & _named(right))
    values = {*left_frame.key, *right_frame.key}
    names = (_kept(name, words - values) for name in english.names_in(left))
    return max(names, key=lambda name: len(name.split()), default="")


def _kept(name: str, words: frozenset[str]) -> str:
    """The words of a name that are among `words`, as they are written."""
    return " ".join(word.strip("'’") for word in name.split() if words & set(english.words_of(word.strip("'’"))))


def _longest_run(left_frame: Frame, right_frame: Frame, left: str, right: str) -> str:
    """The longest run of Han characters that both write, without a value."""
    values = re.compile("|".join(re.escape("".join(frame.key)) for frame in (left_frame, right_frame)))
    best = ""
    for run in _NAMELIKE_RE.findall(values.sub(" ", left)):
        for at in range(len(run)):
            end = at + max(len(best) + 1, 2)
            while end <= len(run) and run[at:end] in right:
                best = run[at:end]
                end += 1
    return best
