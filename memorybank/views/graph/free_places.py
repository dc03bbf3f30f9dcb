"""Where on the map a node may lie: a raster that knows which places keep clear of all nodes."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

APART: Final = 1.01
"""In cells; a hair over one, because places are rounded to whole pixels."""
NEAR: Final = 4.0
"""Cells in which a node looks first for a place that suits it."""
_RASTER = 0.5
"""Between two places, in cells."""
_NEAR_PLACES = round(NEAR / _RASTER)


class FreePlaces:
    """A raster of places, half a cell apart: which of them keep clear of all nodes. It grows with the map."""

    def __init__(self) -> None:
        self._reach = 32
        self._is_free = np.ones((2 * self._reach + 1,) * 2, dtype=bool)
        """Around the origin, x before y."""

    def take(self, cell: Floats) -> None:
        """A node lies here now."""
        self._grow(cell, 4)
        window, squared = self._around(cell, 4)
        self._is_free[window] &= squared >= APART**2

    def nearest(self, target: Floats) -> Floats:
        """The free place nearest to `target`."""
        reach = _NEAR_PLACES
        while True:
            self._grow(target, reach)
            if not self._is_free[self._window(target, reach)].any():
                reach *= 2
                continue
            window, squared = self._around(target, reach)
            squared[~self._is_free[window]] = np.inf
            best = np.unravel_index(int(np.argmin(squared)), squared.shape)
            if squared[best] <= ((reach - 1) * _RASTER) ** 2:  # beyond, a corner could hide a nearer one
                first = np.array([window[0].start, window[1].start]) - self._reach
                cell: Floats = np.asarray(first + best, dtype=np.float64) * _RASTER
                return cell
            reach *= 2

    def _around(self, cell: Floats, reach: int) -> tuple[tuple[slice, slice], Floats]:
        """The window so many places around, and the squared distance of each in it, in cells²."""
        steps = np.arange(-reach, reach + 1) * _RASTER
        x, y = (round(float(along) / _RASTER) * _RASTER - float(along) + steps for along in cell)
        squared: Floats = (x * x)[:, None] + (y * y)[None, :]
        return self._window(cell, reach), squared

    def _window(self, cell: Floats, reach: int) -> tuple[slice, slice]:
        left, top = (round(float(along) / _RASTER) + self._reach - reach for along in cell)
        return slice(left, left + 2 * reach + 1), slice(top, top + 2 * reach + 1)

    def _grow(self, cell: Floats, reach: int) -> None:
        while np.abs(cell).max() / _RASTER + reach + 1 > self._reach:
            self._is_free = np.pad(self._is_free, self._reach, constant_values=True)
            self._reach *= 2
