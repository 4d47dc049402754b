"""Values that programs write into comments: evaluations, clocks, arrows."""

from __future__ import annotations

import re
from typing import Any, Callable, Iterable, List, Optional, Tuple, Union

from .._score import Cp, Mate, PovScore, Score
from ..svg import Arrow

_TIME = r"(\d+):(\d+):(\d+(?:\.\d*)?)"
_EVAL = r"(?:#(?P<mate>[+-]?\d+)|(?P<pawns>[+-]?(?:\d{1,10}(?:\.\d{0,2})?|\.\d{1,2})))(?:,(?P<depth>\d+))?"
_MARK = r"[RGYB][a-h][1-8](?:[a-h][1-8])?"


class Directive:
    """``[%name value]`` in a comment, where the value has a certain form."""

    def __init__(self, names: str, value: str) -> None:
        self.pattern = re.compile(rf"\[%(?:{names})\s(?P<value>{value})\]")

    def find(self, comment: str) -> Optional[Any]:
        """The first one, as a match."""
        return self.pattern.search(comment)

    def put(self, comment: str, text: str) -> str:
        """The comment with the text in place of the first one, or at its end."""
        found = self.find(comment)
        if found:
            return _joined(comment[: found.start()], text, comment[found.end() :])
        if text and comment and not comment[-1].isspace():
            comment += " "
        return comment + text

    def without(self, comment: str) -> str:
        """The comment without any of them."""
        while True:
            found = self.find(comment)
            if not found:
                return comment
            comment = _joined(comment[: found.start()], "", comment[found.end() :])


def _joined(before: str, text: str, after: str) -> str:
    """Three pieces in a row. Where the middle one is gone, one blank is left of those around it."""
    if text:
        return before + text + after
    if before[-1:].isspace() and after[:1].isspace():
        after = after[1:]
    return before.rstrip() if not after else before + (after if before else after.lstrip())


CLOCK = Directive("clk", _TIME)
EMT = Directive("emt", _TIME)
EVAL = Directive("eval", _EVAL)
ARROWS = Directive("csl|cal", rf"{_MARK}(?:,{_MARK})*")


def _seconds(directive: Directive, comment: str) -> Optional[float]:
    found = directive.find(comment)
    if not found:
        return None
    hours, minutes, seconds = found.group("value").split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def _time(name: str, seconds: Optional[float]) -> str:
    if seconds is None:
        return ""
    thousandths = round(max(seconds, 0) * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    text = f"{rest / 1000:06.3f}".rstrip("0").rstrip(".")
    return f"[%{name} {minutes // 60}:{minutes % 60:02}:{text}]"


class Annotated:
    """What a node's comment says to programs."""

    comment: str
    turn: Callable[[], bool]

    def eval(self) -> Optional[PovScore]:
        """The evaluation ``[%eval …]`` of the comment, from the side of the player to move."""
        found = EVAL.find(self.comment)
        if not found:
            return None
        turn = self.turn()
        if found.group("mate"):
            score: Score = Mate(int(found.group("mate")))
            if score == Mate(0):
                # The player to move has been mated.
                return PovScore(score, turn)
        else:
            score = Cp(round(float(found.group("pawns")) * 100))
        return PovScore(score if turn else -score, turn)

    def eval_depth(self) -> Optional[int]:
        """The depth of the evaluation, if it tells one."""
        found = EVAL.find(self.comment)
        return int(found.group("depth")) if found and found.group("depth") else None

    def set_eval(self, score: Optional[PovScore], depth: Optional[int] = None) -> None:
        """Writes an evaluation into the comment in place of the one there, or removes it."""
        text = ""
        if score is not None:
            white = score.white()
            centipawns, mate = white.score(), white.mate()
            value = f"#{mate}" if centipawns is None else f"{centipawns / 100:.2f}"
            if mate != 0:
                text = f"[%eval {value}{'' if depth is None else f',{max(depth, 0)}'}]"
        self.comment = EVAL.put(self.comment, text)

    def clock(self) -> Optional[float]:
        """The seconds that the player's clock shows after the move: ``[%clk …]``."""
        return _seconds(CLOCK, self.comment)

    def set_clock(self, seconds: Optional[float]) -> None:
        """Writes the clock into the comment, or removes it."""
        self.comment = CLOCK.put(self.comment, _time("clk", seconds))

    def emt(self) -> Optional[float]:
        """The seconds that the move took: ``[%emt …]``."""
        return _seconds(EMT, self.comment)

    def set_emt(self, seconds: Optional[float]) -> None:
        """Writes the time of the move into the comment, or removes it."""
        self.comment = EMT.put(self.comment, _time("emt", seconds))

    def arrows(self) -> List[Arrow]:
        """The arrows and marked squares of the comment: ``[%cal …]`` and ``[%csl …]``."""
        found = ARROWS.pattern.finditer(self.comment)
        return [Arrow.from_pgn(mark) for match in found for mark in match.group("value").split(",")]

    def set_arrows(self, arrows: Iterable[Union[Arrow, Tuple[int, int]]]) -> None:
        """Writes arrows and marked squares at the front of the comment in place of those there."""
        all_arrows = [arrow if isinstance(arrow, Arrow) else Arrow(*arrow) for arrow in arrows]
        front = ""
        for name, is_mark in (("csl", True), ("cal", False)):
            marks = [arrow.pgn() for arrow in all_arrows if (arrow.tail == arrow.head) == is_mark]
            front += f"[%{name} {','.join(marks)}]" if marks else ""
        rest = ARROWS.without(self.comment)
        self.comment = front + (" " if front and rest and not rest[0].isspace() else "") + rest
