"""Pages through Jina Reader (https://r.jina.ai): it fetches and renders the page, and answers with Markdown.

Images are named in that Markdown; they are taken out of the text and fetched directly (pages.py).

The guard looks at the target as for a direct visit, redirects apart (those are Jina's): an address of this machine's
network is neither visited nor told to somebody else. robots.txt is asked by Jina, for the name we go by (its
`X-Robots-Txt` header).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from memorybank.documents.shown_images import decorative, shown_in_markdown, without_images
from memorybank.errors import ToolError
from memorybank.language.text import fold_space
from memorybank.tools.web.exchange import USER_AGENT
from memorybank.tools.web.guard import Guard
from memorybank.tools.web.reading_process import PageText, ReadingLimits
from memorybank.tools.web.service import Service, text_of
from memorybank.tools.web.urls import parse_url

BASE_URL: Final = "https://r.jina.ai"


class JinaReader:
    """Reads one URL; the key is optional for Jina, a setting for us."""

    def __init__(
        self,
        key: str = "",
        *,
        guard: Guard | None = None,
        base_url: str = BASE_URL,
        limits: ReadingLimits | None = None,
        seconds: float = 45.0,
        trust: str = "",
    ) -> None:
        self._guard = guard or Guard()
        self._limits = limits or ReadingLimits()
        self._service = Service(
            name="the reader service",
            key_name="JINA_API_KEY",
            base_url=base_url,
            headers={"X-Robots-Txt": USER_AGENT, **({"Authorization": f"Bearer {key}"} if key else {})},
            seconds=seconds,
            trust=trust,
        )

    def read(self, url: str) -> PageText:
        """Raises ToolError, InputError for a URL that may not be visited, Cancelled when the call was stopped."""
        target = parse_url(url)
        answer = self._service.ask(target.url, leads_to=target.url, guard=self._guard)
        data = answer.get("data") if isinstance(answer, dict) else None
        content = text_of(data, "content")
        text = without_images(content).strip()
        if not text:
            raise ToolError("web.reader_found_nothing", url=target.url[:200])
        title = fold_space(text_of(data, "title"))[:300]
        published = fold_space(text_of(data, "publishedTime"))[:100]
        images = tuple(name for name in shown_in_markdown(content) if not decorative(name))
        page = PageText.cut(text, self._limits, url=target.url, title=title)
        return replace(page, origin=published, images=images)
