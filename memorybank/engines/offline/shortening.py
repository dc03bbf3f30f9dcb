"""Shorter forms of a sentence: the main clause with more or fewer of the clauses after it. English and Chinese.

Clause deletion as in extractive compression (Knight and Marcu 2002; Berg-Kirkpatrick, Gillick and Klein 2011), by
rules on commas and brackets in place of a parse, and only where the rest is sure to be a sentence. Every word left is
the sentence's own and in its order, and what a number is said of stands before it as in the whole. May go:

- an aside in brackets or between two dashes, when it has no number, date or name;
- English, from the end on: after a comma a relative clause, a reason, a participle with its object, "and it …"; after a
  semicolon anything; and a relative clause between two commas before the verb of the main clause, when it has no fact;
- Chinese, from the end on: clauses after a comma or semicolon, as long as those before them are complete; a clause
  without a fact that begins with its verb, so that the subject before it and after it is the same.

What denies, restricts, contrasts or quotes stays (not, only, unless, but; 不, 只, 除非, 但), and so does what another
part needs: the second half of 因为…所以, what 他认为 is followed by.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from memorybank.engines.offline.salience import keys, mentions
from memorybank.text import CJK, cjk_share, sentences

MOST_TAILS: Final = 4
"""Clauses that may go from the end of one sentence."""
FEWEST_WORDS: Final = 4
"""Words that are left of an English sentence, at least."""
FEWEST_HAN: Final = 6
"""Characters that are left of a Chinese one."""

Span = tuple[int, int]

_END_RE: Final = re.compile(r"\s*[.。．｡]+\s*\Z")
"""Only plain statements are shortened: no question, no exclamation, nothing that ends in a quotation."""
_STAYS_RE: Final = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|hardly|only|unless|until|if|but|though|although|however|yet"
    r"|except|instead|fail\w*)\b|n['’]t\b|[不没未非无勿莫别但却仅只除若]|然而|如果|否则|而是|假如|直到|[\"“”:：]|``|''",
    re.IGNORECASE,
)
_ASIDE_RE: Final = re.compile(
    rf"\s\([^()\n]{{3,200}}\)(?=[\s.,;:!?])|(?<=[{CJK}])[（(][^（）()\n]{{2,100}}[）)]"
    r"|\s(?:—|–|--)\s[^—–\n]{3,200}?\s(?:—|–|--)(?=\s)"
)
_LABEL_RE: Final = re.compile(r"\W*\w\W*\Z")
"""(A), （1）"""
_OPEN_RE: Final = re.compile(r"[(（\[「『《]")
_CLOSE_RE: Final = re.compile(r"[)）\]」』》]")


def forms(sentence: str) -> tuple[str, ...]:
    """From the shortest form to the sentence itself, each a part of the next; alone, when nothing can go.

    No form states a number, date or name that the sentence does not.
    """
    final = _END_RE.search(sentence)
    if not final or len(sentences(sentence)) != 1:
        return (sentence,)
    facts = [(one.start, one.end) for one in mentions(sentence)]
    tails, inner = (_han_parts if cjk_share(sentence) >= 0.3 else _latin_parts)(sentence, final.start(), facts)
    inner = [*_asides(sentence, facts), *inner]
    cuts = [(start, final.start()) for start in sorted(tails)[:MOST_TAILS]]
    found = [_without(sentence, [*inner, cut]) for cut in cuts]
    known = keys(sentence)
    shorter = [form for form in (*found, _without(sentence, inner)) if form != sentence and keys(form) <= known]
    return (*dict.fromkeys(shorter), sentence)


def _without(sentence: str, spans: Sequence[Span]) -> str:
    parts, at = list[str](), 0
    for start, end in sorted(spans):
        parts.append(sentence[at : max(at, start)])
        at = max(at, end)
    return "".join([*parts, sentence[at:]])


def _stays(sentence: str, start: int, end: int) -> bool:
    return bool(_STAYS_RE.search(sentence, start, end))


def _tells(sentence: str, start: int, end: int, facts: Sequence[Span]) -> bool:
    """Whether a part has a fact, or has to stay."""
    return any(first < end and start < last for first, last in facts) or _stays(sentence, start, end)


def _asides(sentence: str, facts: Sequence[Span]) -> list[Span]:
    return [
        match.span()
        for match in _ASIDE_RE.finditer(sentence)
        if not _LABEL_RE.match(match[0]) and not _tells(sentence, *match.span(), facts)
    ]


def _commas(sentence: str, mark: re.Pattern[str], end: int) -> list[Span]:
    """Marks that part clauses: outside brackets."""
    depth = at = 0
    found: list[Span] = []
    for match in mark.finditer(sentence, 0, end):
        between = sentence[at : match.start()]
        depth += len(_OPEN_RE.findall(between)) - len(_CLOSE_RE.findall(between))
        at = match.end()
        if depth == 0:
            found.append(match.span())
    return found


# -- English ----------------------------------------------------------------------------------------------------------

_COMMA_RE: Final = re.compile(r"\s?[,;](?:\s?[,;])*\s+")
_RELATIVE: Final = (
    r"(?:(?:(?:some|many|most|all|both|each|several|one|two) of|in|on|at|from|by|with|for|to|through) )?"
    r"(?:which|who|whom|whose|where)\b"
)
_RELATIVE_RE: Final = re.compile(_RELATIVE)
_TRAILING_RE: Final = re.compile(
    rf"""
    {_RELATIVE.replace(" ", "[ ]")}
  | (?:because|since|as[ ]well[ ]as|as[ ](?:it|he|she|they|we)\b|so[ ]that[ ]|thus[ ]|thereby[ ])
  | (?:\w+ly[ ])?(?!(?:dur|accord|regard|concern|be|k|br|spr|even|morn)ing\b)\w{{2,}}ing[ ]
    (?:the|an?|its?|them|their|his|her|him|this|that|these|those|to|in|on|for|into|up|out|as|by|with|from|more|both|each
      |us|you|all|any|at|over|through|under|about)\b
  | and[ ](?:it|he|she|they|we|you|I|this|that|there)[ ](?!who\b|which\b)\w
  | (?:with|including|such[ ]as|along|together|like|unlike|while|when|after|before|during|in|on|at|from|for|by|to|under
      |over|among|across|about|around|near|especially|particularly|often|usually|mainly|mostly|perhaps)\b(?![ ]?,)
    """,
    re.VERBOSE,
)
_SECOND_RE: Final = re.compile(
    r"(?:and|then)\b|(?:\w+ly )?(?:\w{2,}ed|built|known|made|born|led|held|given|taken|written|seen|won|run|set|put)"
    r" (?:in|on|at|to|as|by|for|from|with|after|before|under|of|out|up|into)\b"
)
"""Begins what may go after the only comma of a sentence; after a second one it may end a list, or be the verb."""
_FINITE_RE: Final = re.compile(
    r"(?:also |now |then |later |still )?(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should"
    r"|does|did|do)\b"
)
_OPENER_RE: Final = re.compile(
    r"\W*(?:when|if|although|though|while|as|since|because|after|before|unless|until|once|whereas|whether|what|how|in|on"
    r"|at|by|for|from|with|to|\w+ing|\w+ed)\b",
    re.IGNORECASE,
)
"""Begins a sentence whose main clause may stand after the first comma."""


def _latin_parts(sentence: str, end: int, facts: Sequence[Span]) -> tuple[list[int], list[Span]]:
    """Where clauses at the end begin that may go, and clauses within that say nothing."""
    commas = _commas(sentence, _COMMA_RE, end)
    tails: list[int] = []
    while commas and _may_go(sentence, commas, end):
        end = commas.pop()[0]
        tails.append(end)
    inner = [
        (start, after - 1)
        for (start, opens), (closes, after) in pairwise(commas)
        if _RELATIVE_RE.match(sentence, opens)
        and _FINITE_RE.match(sentence, after)
        and not _tells(sentence, opens, closes, facts)
    ]
    return tails, inner


def _may_go(sentence: str, commas: Sequence[Span], end: int) -> bool:
    """Whether what stands after the last comma can be taken out and leaves a main clause before it."""
    start, opens = commas[-1]
    head = sentence[:start]
    return (
        (
            (";" in sentence[start:opens] and ":" not in head)
            or bool(_TRAILING_RE.match(sentence, opens))
            or (len(commas) == 1 and bool(_SECOND_RE.match(sentence, opens)))
        )
        and not _stays(sentence, opens, end)
        and ":" not in head  # what follows may be a list
        and len(head.split()) >= FEWEST_WORDS
        and not head.endswith(".")
        and not (_OPENER_RE.match(head) and len(commas) < 2)
    )


# -- Chinese ----------------------------------------------------------------------------------------------------------

_HAN_COMMA_RE: Final = re.compile(r"[，,；;](?!\d)")
_HALF_RE: Final = re.compile(
    r"虽然|尽管|由于|因为|如果|假如|倘若|要是|若|即使|即便|无论|不论|不管|只要|只有|一旦|与其|不但|不仅|一方面|一面|一则|一来|为了|随着|每当|当"
)
"""Stands in a clause that the next one completes."""
_DEPENDENT_RE: Final = re.compile(
    r"\s*(?:在|除|对于|对|关于|根据|按照|依|据|经|从|自|通过|作为|与|同|和|及|既|直至|此外|另外|其中|首先|例如|比如|所谓|如|凡|每|到|虽|因)"
)
_UNFINISHED_RE: Final = re.compile(
    r"(?:时|后|前|时候|之际|以来|期间|阶段|中|下|上|里|内|起|的|者|地|认为|以为|表示|指出|宣布|声称|说|称|道|问|想|觉得|知道|发现|证明|表明|显示|规定|要求|决定|希望|相信"
    r"|主张|强调|透露|报道|建议|看到|看见|听说|得知|意味着|包括|例如|如|即|是|为|及|和|与|或|其)\s*\Z"
)
"""Ends a clause that what follows completes."""
_DATE_END_RE: Final = re.compile(r"[年月日号]\s*\Z")
_AT_DATE_RE: Final = re.compile(r"[于至到在][^，；]{1,14}\Z")
_SAYS_RE: Final = re.compile(r"认为|以为|指出|表示|表明|显示|证明|规定|相信|主张|意味着|发现")
_PREDICATE_RE: Final = re.compile(
    r"[是有为了被由将使让]|位于|于|成立|建立|属于|担任|毕业|出生|开始|进行|获得|参加|成为|发表|出版|设立|使用|开通|启用"
)
_VERB_FIRST_RE: Final = re.compile(
    r"\s*(?!.[将把被对向与从在])(?:是|有|为|被|由|使|让|令|并|并且|还|又|都|更|而且|且|以便|以|从而|可以|可|能够|能|会|曾经|曾|已经|已|主要|非常|十分|相当|极为|具有|属于"
    r"|拥有|成为|受到|得到|进行|开始|继续|负责|用于|用来|提供|包含|位于|深受|深得|备受|广受)(?!时|期|年|前|后|来)"
)


def _han_parts(sentence: str, end: int, facts: Sequence[Span]) -> tuple[list[int], list[Span]]:
    """Where clauses at the end begin that may go, and clauses within that say nothing."""
    commas = _commas(sentence, _HAN_COMMA_RE, end)
    tails: list[int] = []
    for start, opens in reversed(commas):
        if _stays(sentence, opens, end):
            break
        if _is_complete(sentence[:start], sentence[opens:end]):
            tails.append(start)
        end = start
    inner = [
        (start, closes)
        for (start, opens), (closes, _) in pairwise(commas)
        if sentence[start] in "，,"
        and _VERB_FIRST_RE.match(sentence, opens)
        and not _UNFINISHED_RE.search(sentence, opens, closes)
        and not _tells(sentence, opens, closes, facts)
        and _is_complete(sentence[:start], sentence[opens:closes])
    ]
    return tails, inner


def _is_complete(head: str, rest: str) -> bool:
    """Whether the clauses before a cut can end there: the last one has a verb, and waits for nothing.

    `rest`: the clause after it, which may go on with a list.
    """
    clauses = _HAN_COMMA_RE.split(head)
    last = clauses[-1]
    return (
        len(head.strip()) >= FEWEST_HAN
        and "：" not in head
        and not ("、" in last and "、" in rest)
        and not (_DATE_END_RE.search(last) and not _AT_DATE_RE.search(last))
        and not any(_HALF_RE.search(clause) for clause in clauses[-2:])
        and not _DEPENDENT_RE.match(last)
        and not _UNFINISHED_RE.search(last)
        and not _SAYS_RE.search(last)
        and bool(_PREDICATE_RE.search(last))
    )
