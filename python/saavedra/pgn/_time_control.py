"""The tag ``TimeControl`` as numbers."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import List, Optional


class TimeControlType(enum.Enum):
    """Kinds of time controls."""

    UNKNOWN = 0
    UNLIMITED = 1
    STANDARD = 2
    RAPID = 3
    BLITZ = 4
    BULLET = 5


@dataclass
class TimeControlPart:
    """So much time for so many moves; without moves, for the rest of the game."""

    moves: int = 0
    time: int = 0
    increment: float = 0
    delay: float = 0


@dataclass
class TimeControl:
    """A time control in its parts, and its kind by the time for sixty moves."""

    parts: List[TimeControlPart] = field(default_factory=list)
    type: TimeControlType = TimeControlType.UNKNOWN


def _part(text: str) -> TimeControlPart:
    part = TimeControlPart()
    moves, separator, rest = text.rpartition("/")
    if separator:
        part.moves = int(moves)
    rest, separator, bonus = rest.partition("+")
    if bonus.lower().endswith("d"):
        part.delay = float(bonus[:-1])
    elif separator:
        part.increment = float(bonus)
    part.time = int(rest)
    return part


def parse_time_control(time_control: str) -> TimeControl:
    """Reads ``40/5400:1800+30`` and its like. What says nothing is ``UNKNOWN``."""
    if time_control in ("", "?"):
        return TimeControl()
    if time_control == "-":
        return TimeControl(type=TimeControlType.UNLIMITED)
    try:
        parts = [_part(text) for text in time_control.split(":")]
    except ValueError:
        raise ValueError(f"{time_control!r} is not a time control: expected something like 40/5400:1800+30") from None
    seconds = parts[0].time + parts[0].increment * 60
    limits = (
        (3 * 60, TimeControlType.BULLET),
        (15 * 60, TimeControlType.BLITZ),
        (60 * 60, TimeControlType.RAPID),
    )
    kind: Optional[TimeControlType] = next((kind for limit, kind in limits if seconds < limit), None)
    return TimeControl(parts, kind or TimeControlType.STANDARD)
