"""What the build of the site does beside its plugins, for pages that there are in English alone."""

import logging
from typing import Any

logging.getLogger("jieba").setLevel(logging.WARNING)
"""It cuts Chinese into words for the search, and would tell that it has loaded its list of them."""

CHINESE_STUB = """# {title}

这一页由代码里的英文说明生成，只有英文版：<a href="{up}{here}">打开英文版</a>。
"""
REFERENCE = "reference/"


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """Among the Chinese pages an English one is not searched, or it would be found twice; the reference is one link.

    Everything else that has no translation is shown there in English.
    """
    here = page.file.src_uri
    if config.theme["language"] != "zh" or here.endswith(".zh.md"):
        return markdown
    page.meta["search"] = {"exclude": True}
    if not here.startswith(REFERENCE):
        return markdown
    title = next(line for line in markdown.splitlines() if line.startswith("# ")).removeprefix("# ")
    return CHINESE_STUB.format(title=title, up="../" * (here.count("/") + 1), here=here.removesuffix(".md") + ".html")
