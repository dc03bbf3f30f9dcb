"""A bar on a terminal, plain lines otherwise: what every progress on standard error is drawn with."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Self, TextIO

from tqdm import tqdm


class BarOrLines:
    def __init__(self, stream: TextIO | None, form: str, total: int | None = None) -> None:
        """`form`: tqdm's. A bar of a `total` of 0 is none."""
        self._stream = stream or sys.stderr
        self._bar: Any = None
        if self._stream.isatty() and total != 0:
            self._bar = tqdm(total=total, file=self._stream, bar_format=form, dynamic_ncols=total is not None)

    def say(self, line: str) -> None:
        """Write a line, above the bar where there is one."""
        if self._bar is not None:
            self._bar.write(line, file=self._stream)
        else:
            print(line, file=self._stream, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
