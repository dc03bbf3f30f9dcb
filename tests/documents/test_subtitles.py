"""Subtitles: the sentences that they show, whole, and nothing of numbers, times and marks."""

import pytest

from memorybank.documents import read_bytes

SRT = """\
1\r
00:00:01,000 --> 00:00:03,000\r
<i>The mill of Olden</i>\r
was built in\r
\r
2\r
00:00:04,000 --> 00:00:06,000\r
1871.\r
\r
3\r
00:00:07,000 --> 00:00:09,000\r
{\\an8}- Who built it?\r
- Karl Berg.\r
"""
VTT = """\
WEBVTT
Kind: captions

NOTE by hand
and more

intro
00:01.000 --> 00:03.000 align:start
<v Odile>The ferry &amp; the mill

01:00:03.500 --> 01:00:05.000
<v Odile>are <b>closed</b>.

00:06.000 --> 00:08.000
<v Bram>Why?
"""
ROLLING = """\
WEBVTT

00:00.000 --> 00:02.000
so<00:00:00.500><c> the</c>

00:02.000 --> 00:02.010
so the

00:02.010 --> 00:04.000
so the
ferry<00:00:02.500><c> carries</c>

00:04.000 --> 00:06.000
ferry carries
12 cars
"""
CHINESE = "1\n00:00:01,000 --> 00:00:02,000\n奥尔登磨坊\n\n2\n00:00:02,000 --> 00:00:03,000\n建于1871年。\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (SRT, "The mill of Olden was built in 1871.\n- Who built it?\n- Karl Berg.\n"),
        (VTT, "Odile: The ferry & the mill are closed.\nBram: Why?\n"),
        (ROLLING, "so the ferry carries 12 cars\n"),
        (CHINESE, "奥尔登磨坊建于1871年。\n"),
        ("Some words\n00:00:01,000 --> 00:00:03,000\nmore", "Some words\n00:00:01,000 --> 00:00:03,000\nmore"),
    ],
    ids=["SubRip", "WebVTT", "captions of a machine", "Chinese", "another text"],
)
def test_subtitles_are_read_as_whole_sentences(text: str, shown: str) -> None:
    for name in ("a.srt", "a.vtt", "a.txt"):
        assert read_bytes(name, b"\xef\xbb\xbf" + text.encode()).text == shown
    assert read_bytes("a.srt", text.encode()).original == text.encode(), "with its times"
