"""Which sources a request is answered from, by rules in both languages; every route says why it was taken.

Fact-planning specification, section 3.3 E: several routes may be taken at once, the open hooks always are, and a
request that none of the rules knows is looked up everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from memorybank.memory.types import Lang
from memorybank_studio.journal.context import Route, RouteKind
from memorybank_studio.wording import joined, say

_RULES: Final[Mapping[RouteKind, re.Pattern[str]]] = {
    RouteKind.FACTS: re.compile(
        r"""
        \b(?:who|whose|whom|where|when|which|what|how\ (?:old|many|much)|is\ it\ true|facts?|check|settings?|canon
          |abilit(?:y|ies)|status|still\ (?:alive|owns?|has))\b
      | 谁|哪|什么|多大|多少|几岁|是不是|是否|有没有|吗[？?]|设定|事实|核对|核查|身份|关系|境界|功法|属于|还活着
        """,
        re.VERBOSE | re.IGNORECASE,
    ),
    RouteKind.PLANS: re.compile(
        r"""
        \b(?:plan(?:s|ned|ning)?|outlines?|plots?|plotting|storylines?|story\ arcs?|arcs?|next\ steps?|foreshadow\w*
          |hooks?|structure|ending|what\ (?:comes|happens)\ next
          |overdue|behind\ schedule|pending|(?:in\ )?progress|where\ are\ we|how\ far)\b
      | 逾期|进展|进度|进行[中到]|[待未]完成|[走写]到哪
      | 大纲|规划|计划|情节|剧情|主线|支线|故事线|走向|接下来|下一步|下一章|伏笔|铺垫|结局|推演
        """,
        re.VERBOSE | re.IGNORECASE,
    ),
    RouteKind.SCENES: re.compile(
        r"""
        \b(?:scenes?|passages?|moments?|flashbacks?|remembers?|recalls?|callback|earlier|last\ time|first\ (?:met|time)
          |back\ when|both\ present)\b
      | 场景|场面|一幕|那次|那时|当时|上次|对手戏|[一场出]戏|的戏|初次|第一次|回忆|回想|前文|原文|同时出现|重逢
        """,
        re.VERBOSE | re.IGNORECASE,
    ),
    RouteKind.STYLE: re.compile(
        r"""
        \b(?:write|writes|writing|draft(?:s|ing)?|continue\ the\ (?:chapter|scene|story)|style|tone|voice|prose|rewrite
          |polish|wording)\b
      | 续写|写[一下出成个完第]|撰写|拓写|扩写|改写|草稿|初稿|正文|文风|风格|语气|笔调|润色|文笔
        """,
        re.VERBOSE | re.IGNORECASE,
    ),
}


def routes(request: str, names: Sequence[str], lang: Lang, recalled: Sequence[str] = ()) -> tuple[Route, ...]:
    """`names`: what of the story's world the request names. `recalled`: what else the kept history of a restarted task
    does."""
    taken: list[Route] = []
    for kind, rule in _RULES.items():
        if match := rule.search(request):
            taken.append(Route(kind=kind, reason=say(f"route_{kind.value}", lang, word=match[0])))
        elif kind is RouteKind.FACTS and names:
            taken.append(Route(kind=kind, reason=say("route_named", lang, names=_listed(names, lang))))
    if not taken:
        taken = [Route(kind=kind, reason=say("route_broad", lang)) for kind in _RULES]
    if recalled and RouteKind.FACTS not in {route.kind for route in taken}:
        taken.append(Route(kind=RouteKind.FACTS, reason=say("route_recalled", lang, names=_listed(recalled, lang))))
    return (*taken, Route(kind=RouteKind.HOOKS, reason=say("route_hooks", lang)))


_MOST_NAMES: Final = 6


def _listed(names: Sequence[str], lang: Lang) -> str:
    return joined((name[:40] for name in names[:_MOST_NAMES]), lang)
