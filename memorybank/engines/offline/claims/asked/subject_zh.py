"""What a Chinese question is about, and whether a sentence speaks of it or of something that bears its name.

A name has no border in Chinese: it is cut out of the question at words that no name has, and found in a text as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memorybank.engines.offline.claims.asked.patterns import pattern
from memorybank.engines.offline.claims.lexicon import lexicon

_LISTS = lexicon("asked").lists
_TITLE_RE = re.compile(r"《([^》]{1,40})》|“([^”]{2,12})”")
_ASKING_RE = re.compile(rf"[？?！!，,。：:“”\s]|{pattern(_LISTS['asking_zh']).pattern}")
_ENDS_RE = pattern(_LISTS["ends_zh"])
_KIND_RE = pattern(_LISTS["kind_zh"])
_GOES_ON_RE = pattern(_LISTS["goes_on_zh"])
_PLAIN_RE = pattern(_LISTS["plain_zh"])
_BEFORE = tuple("拟假类副次新小老旧准亚")
"""Before a name, these make another one of it: 拟紫纹黏盖菇."""
_TOKEN_RE = re.compile(r"[A-Za-z][A-Za-z0-9.+-]*[A-Za-z0-9]")
_WITH_TOKEN_RE = re.compile(r"[\u3400-\u9fff]{0,6}[A-Za-z0-9][A-Za-z0-9.+-]*")
"""澜星K3 of 澜星K3相机."""
_LONG, _LEAST = 8, 5
"""Of so long a run, which may have more in it than the name, so many characters are enough."""
_IS_OF_RE = re.compile(r"^[^，。；]{2,14}?(?:是|为|属于?|作为)[^，。；是]{0,6}$")
_NEAR_RE = re.compile(r"[\u3400-\u9fff].*(?:[与和跟距]|毗邻|紧邻|靠近|紧挨|对面是)$")
"""乌石洗煤厂与乌石煤矿隔河相望."""
_CLAUSE_RE = re.compile("[，。；：！？,;:]")
_HAN_RE = re.compile("[\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class ChineseSubject:
    text: str
    """As the question writes it."""
    names: tuple[str, ...]
    """As texts may write it."""
    question: str

    def names_own(self, sentence: str) -> bool | None:
        """Whether a sentence names it; False: only something else by a name with its name in it; None: neither."""
        if any(re.search(rf"{re.escape(token)}[-－]\w", sentence) for token in self._tokens):
            return False
        found = None
        for name in self.names:
            for match in re.finditer(re.escape(name), sentence, re.IGNORECASE):
                if not _is_of_another(sentence, match):
                    return True
                found = False
        return found

    def is_anothers(self, sentence: str, told_from: int, *, strictly: bool = False) -> bool:
        """Whether a clause tells the attribute of something that it names itself: 控制台默认端口为…

        `strictly`: by one character already, where parts of the thing may be meant: 盒体, 盒盖.
        """
        own = [token for token in self._tokens if not any(token in name for name in self.names)]
        if any(token in sentence for token in own):
            return False
        clause = _CLAUSE_RE.split(sentence[:told_from])[-1]
        named = next((name for name in self.names if name in clause), None)
        if named is not None:
            owned = re.match("的(.*)", clause[clause.rfind(named) + len(named) :])
            if owned is None:
                return False
            clause = owned[1]
        left = "".join(" " if char in self.question else char for char in _PLAIN_RE.sub(" ", clause))
        return any(strictly or len(run) > 1 for run in _HAN_RE.findall(left))

    def is_extended(self, named: str) -> bool:
        """Told by `names_own`: a Chinese name goes on in too many ways to be judged without its attribute."""
        return False

    def is_stood_by(self, sentence: str) -> bool:
        """See `is_extended`."""
        return False

    def is_placed_by(self, sentence: str) -> bool:
        """Whether a sentence is about something that lies there: 白鹭桥下游的新白鹭桥2009年通车."""
        return self.names_own(sentence) is False and any(
            (more := _GOES_ON_RE.match(sentence, match.end())) and sentence.startswith("的", more.end())
            for name in self.names
            for match in re.finditer(re.escape(name), sentence)
        )

    @property
    def _tokens(self) -> list[str]:
        """The Latin words of the question."""
        return _TOKEN_RE.findall(self.question)


def _is_of_another(sentence: str, name: re.Match[str]) -> bool:
    """拟紫纹黏盖菇; 白芷滩二号站; 东干渠是白芷滩电灌站的配套渠道."""
    before = sentence[: name.start()]
    if before.endswith(_BEFORE) or _GOES_ON_RE.match(sentence, name.end()) or _NEAR_RE.search(before):
        return True
    return sentence[name.end() : name.end() + 1] == "的" and _IS_OF_RE.match(before) is not None


def read(question: str, asking: tuple[str, ...]) -> ChineseSubject | None:
    """The title or the quoted name of the question; else its first run without words of asking."""
    if title := _TITLE_RE.search(question):
        name = title[1] or title[2]
        return ChineseSubject(name, (name, name[3:]) if len(name) > _LONG else (name,), question)
    plain = question
    for words in sorted(asking, key=len, reverse=True):
        plain = plain.replace(words, " ")
    parts = [run for part in _ASKING_RE.sub(" ", plain).split() for run in _ENDS_RE.split(part)]
    text = next((run for run in parts if len(run) > 1 and any(char.isalnum() for char in run)), "")
    if not text:
        return None
    token = _WITH_TOKEN_RE.match(text)
    core = token[0] if token else _KIND_RE.sub("", text)
    starts = [text[:end] for end in range(len(text) - 1, _LEAST - 1, -1)] if len(text) >= _LONG else []
    return ChineseSubject(text, tuple(dict.fromkeys((text, core if len(core) > 1 else text, *starts))), question)
