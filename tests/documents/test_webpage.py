"""HTML pages: the main text stays, the rest goes, and no page takes long."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.documents import page_text
from memorybank.documents.html_tree import parse_html

NEWS = """<!DOCTYPE html>
<html lang="zh"><head><meta charset="utf-8"><title>谷歌发布 Willow — 科技新闻</title>
<style>p { color: red }</style><script>var p = "<p>不是文字</p>";</script></head>
<body class="nav-open">
<!-- <p>注释</p> -->
<nav><ul><li><a href="/">首页</a></li><li><a href="/tech">科技</a></li></ul></nav>
<div id="cookie-banner">本站使用 cookie，继续浏览即表示同意。</div>
<div class="wrap"><div class="content">
  <h1>谷歌发布 Willow 芯片</h1>
  <p>2024 年 12 月 9 日，谷歌发布了量子芯片 <b>Willow</b>，<br>它有 105 个量子比特。
  <p>错误率随码距增大而下降，研究人员称之为“低于阈值”。</p>
  <h2>要点</h2>
  <ul><li>制造地：<a href="x">圣巴巴拉</a><li>码距：3、5、7</ul>
  <ol><li>先测量<li>再纠错</ol>
  <table><caption>参数</caption><tr><th>项目<th>数值<tr><td>量子比特<td>105<tr><td>T1 | 平均<td>68 µs</table>
  <pre>def f(x):
    return x &lt; 3</pre>
</div>
<div class="relatedPosts"><p>相关阅读：某某、某某、某某。</p></div></div>
<aside><p>广告，广告，广告。</p></aside>
<form><p>订阅，请输入邮箱。</p><textarea>别看我</textarea></form>
<p style="display: none">隐藏，隐藏。</p>
<footer><p>© 2024 版权所有，转载请注明。</p></footer>
</body></html>"""


def test_a_news_page_becomes_its_text() -> None:
    assert page_text(NEWS) == (
        "# 谷歌发布 Willow 芯片\n\n"
        "2024 年 12 月 9 日，谷歌发布了量子芯片 Willow，\n它有 105 个量子比特。\n\n"
        "错误率随码距增大而下降，研究人员称之为“低于阈值”。\n\n"
        "## 要点\n\n"
        "- 制造地：圣巴巴拉\n- 码距：3、5、7\n\n"
        "1. 先测量\n2. 再纠错\n\n"
        "参数\n| 项目 | 数值 |\n| 量子比特 | 105 |\n| T1 \\| 平均 | 68 µs |\n\n"
        "```\ndef f(x):\n    return x < 3\n```\n"
    ).rstrip("\n")


def test_a_plain_page_is_kept_whole() -> None:
    page = "<h1>Notes</h1><p>First.<p>Second, longer.<div>Third</div><table><tr><td>a<td>b</table>text &amp; more &lt;3"
    assert page_text(page) == "# Notes\n\nFirst.\n\nSecond, longer.\n\nThird\n\n| a | b |\n\ntext & more <3"
    assert page_text("just words, no tags") == "just words, no tags"
    assert page_text("<p>3 < 5 and 7 > 2</p>") == "3 < 5 and 7 > 2"


def test_the_title_stands_in_for_a_missing_heading() -> None:
    assert page_text("<title>On Qubits</title><p>Text, here.</p>") == "# On Qubits\n\nText, here."
    assert page_text("<title>Only a title</title>") == ""
    assert page_text("<script>x</script><nav>menu</nav>") == ""


def test_boilerplate_names_do_not_take_the_main_text_away() -> None:
    page = '<div class="comments ad"><p>All of the text, which is long, is in here.</p></div><div class="ad">Buy!</div>'
    assert page_text(page) == "All of the text, which is long, is in here."
    whole_in_form = "<form><p>One, two, three.</p><div>Four.</div></form>"
    assert page_text(whole_in_form) == "One, two, three.\n\nFour."


def test_a_table_that_lays_out_a_page_is_not_data() -> None:
    page = "<table><tr><td><h1>Title</h1><p>Text, one.</p></td><td><table><tr><td>a<td>b</table></td></tr></table>"
    assert page_text(page) == "# Title\n\nText, one.\n\n| a | b |"


def test_tags_that_cross_or_are_left_open_lose_no_text() -> None:
    assert page_text("<p>a <b>bold <i>both</b> it</i> end<div>next</p> last") == "a bold both it end\n\nnext last"
    assert page_text("<ul><li>one<ul><li>inner</ul><li>two</ul>") == "- one\n\n- inner\n\n- two"
    assert page_text('<p title="a > b">x</p><p title=it\'s>y</p><a href="q">z') == "x\n\ny\n\nz"


HOSTILE = {
    "comments": "<!--" * 50_000,
    "open tags": "<a " * 50_000,
    "quotes": '<a b="' * 50_000,
    "angle brackets": "<" * 200_000,
    "deep": "<div>" * 20_000 + "x",
    "deep inline": "<b>" * 20_000 + "x",
    "deep tables": "<table><tr><td>x" * 5_000,
    "unmatched ends": "<p>" * 20_000 + "</x>" * 20_000,
    "entities": "&#x" * 50_000 + "&" * 100_000,
    "scripts": "<script>" * 50_000,
    "declarations": "<!" * 50_000 + "<?" * 50_000,
}


@pytest.mark.parametrize("page", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_pages_take_seconds_at_most(page: str) -> None:
    started = time.process_time()
    page_text(page)
    assert time.process_time() - started < 5


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from([*"<>/!-\"'= ab&;#", "<p", "</p>", "<li>", "<td>", "<!--", "-->", "<ul>", "</ul>"])))
def test_any_string_is_a_page(parts: list[str]) -> None:
    page = "".join(parts)
    text = page_text(page)
    assert text == page_text(page)
    root = parse_html(page)
    assert all(
        child.parent is element
        for element in root.elements()
        for child in element.children
        if not isinstance(child, str)
    )
