from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from memorybank.embedding.frames import read_frame, write_frame


@given(st.lists(st.text()), st.binary(max_size=200), st.integers(0, 300))
def test_a_frame_comes_back_whole_or_not_at_all(texts: list[str], body: bytes, cut_at: int) -> None:
    stream = io.BytesIO()
    write_frame(stream, {"texts": texts}, body)
    write_frame(stream, {"texts": []}, b"")
    whole = stream.getvalue()
    stream.seek(0)
    assert read_frame(stream) == ({"texts": texts}, body)
    assert read_frame(stream) == ({"texts": []}, b"")
    assert read_frame(stream) is None
    first = len(whole) - len(b"\0" * 8 + b'{"texts": []}')
    assert read_frame(io.BytesIO(whole[: min(cut_at, first - 1)])) is None
