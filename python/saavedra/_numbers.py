"""Whole numbers that were given as arguments."""

from __future__ import annotations

import operator
from typing import Any

#: More than anything is counted to.
MOST = (1 << 63) - 1


def whole(name: str, number: Any, least: int = 0, most: int = MOST) -> int:
    """An argument as ``int``, of any type that is a whole number; an error that names it if it is none, or out of range."""
    try:
        value = operator.index(number)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {number!r}") from None
    if not least <= value <= most:
        bounds = f", {least} or more," if most == MOST else f" from {least} to {most},"
        raise ValueError(f"{name} is a whole number{bounds} not {value}")
    return value
