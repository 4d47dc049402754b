"""What engines are asked and what they answer, with the names of ``chess.engine``."""

from __future__ import annotations

import enum
from typing import Any, Dict, List, NamedTuple, Optional, Union

from ._saavedra import Move
from ._score import Cp, Mate, PovScore

#: What an engine told: see ``docs/python.md`` for the keys.
InfoDict = Dict[str, Any]


class Limit:
    """What ends a search. The first limit that is reached counts; without any, it goes on until it is stopped.

    Times are in seconds. ``time`` is for this move; clocks and increments are of the whole game.
    """

    __slots__ = (
        "time",
        "depth",
        "nodes",
        "mate",
        "white_clock",
        "black_clock",
        "white_inc",
        "black_inc",
        "remaining_moves",
    )

    def __init__(
        self,
        time: Optional[float] = None,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        mate: Optional[int] = None,
        white_clock: Optional[float] = None,
        black_clock: Optional[float] = None,
        white_inc: Optional[float] = None,
        black_inc: Optional[float] = None,
        remaining_moves: Optional[int] = None,
    ) -> None:
        self.time = time
        self.depth = depth
        self.nodes = nodes
        self.mate = mate
        self.white_clock = white_clock
        self.black_clock = black_clock
        self.white_inc = white_inc
        self.black_inc = black_inc
        self.remaining_moves = remaining_moves

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Limit):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __repr__(self) -> str:
        known = ((name, getattr(self, name)) for name in self.__slots__)
        return f"Limit({', '.join(f'{name}={value!r}' for name, value in known if value is not None)})"


class Info(enum.IntFlag):
    """Which parts of what an engine tells are wanted."""

    NONE = 0
    BASIC = 1
    SCORE = 2
    PV = 4
    REFUTATION = 8
    CURRLINE = 16
    ALL = 31


INFO_NONE, INFO_BASIC, INFO_SCORE, INFO_PV = Info.NONE, Info.BASIC, Info.SCORE, Info.PV
INFO_REFUTATION, INFO_CURRLINE, INFO_ALL = Info.REFUTATION, Info.CURRLINE, Info.ALL

#: The part that a key belongs to; all others are basic.
_PARTS = {
    "score": Info.SCORE,
    "lowerbound": Info.SCORE,
    "upperbound": Info.SCORE,
    "wdl": Info.SCORE,
    "pv": Info.PV,
    "refutation": Info.REFUTATION,
}


class Wdl(NamedTuple):
    """The chances to win, draw and lose, in thousandths, as one player sees them."""

    wins: int
    draws: int
    losses: int

    def total(self) -> int:
        """Their sum, a thousand."""
        return self.wins + self.draws + self.losses

    def winning_chance(self) -> float:
        """The part of games won."""
        return self.wins / self.total()

    def drawing_chance(self) -> float:
        """The part of games drawn."""
        return self.draws / self.total()

    def losing_chance(self) -> float:
        """The part of games lost."""
        return self.losses / self.total()

    def expectation(self) -> float:
        """The points to expect of a game, from 0 to 1."""
        return (self.wins + self.draws / 2) / self.total()

    def __neg__(self) -> "Wdl":
        return Wdl(self.losses, self.draws, self.wins)


class PovWdl:
    """Chances and the player who sees them so."""

    def __init__(self, relative: Wdl, turn: bool) -> None:
        self.relative = relative
        self.turn = turn

    def white(self) -> Wdl:
        """The chances of White."""
        return self.pov(True)

    def black(self) -> Wdl:
        """The chances of Black."""
        return self.pov(False)

    def pov(self, color: bool) -> Wdl:
        """The chances of a player."""
        return self.relative if self.turn == color else -self.relative

    def __eq__(self, other: object) -> bool:
        return self.white() == other.white() if isinstance(other, PovWdl) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.white())

    def __repr__(self) -> str:
        return f"PovWdl({self.relative!r}, {'WHITE' if self.turn else 'BLACK'})"


class PlayResult:
    """The move that an engine plays, the reply it expects, and what it told on the way."""

    def __init__(self, move: Optional[Move], ponder: Optional[Move], info: Optional[InfoDict] = None) -> None:
        self.move = move
        self.ponder = ponder
        self.info: InfoDict = info or {}
        #: No engine here offers draws or resigns.
        self.draw_offered = False
        self.resigned = False

    def __repr__(self) -> str:
        return f"PlayResult(move={self.move!r}, ponder={self.ponder!r}, info={self.info!r})"


class BestMove(NamedTuple):
    """How an analysis ended: the best move and the reply to it."""

    move: Optional[Move]
    ponder: Optional[Move]


class Option(NamedTuple):
    """An option of an engine."""

    name: str
    #: ``check``, ``spin``, ``combo``, ``button`` or ``string``.
    type: str
    default: Union[bool, int, str, None] = None
    min: Optional[int] = None
    max: Optional[int] = None
    var: List[str] = []

    def is_managed(self) -> bool:
        """Whether the package sets it by itself."""
        return self.name.lower() in ("multipv", "uci_chess960", "ponder")


def info_of(told: Dict[str, Any], turn: bool, wanted: int) -> InfoDict:
    """An info with the classes of this module, and only with what is wanted."""
    if "score" in told:
        centipawns, mate = told["score"]
        told["score"] = PovScore(Cp(centipawns) if mate is None else Mate(mate), turn)
    if "wdl" in told:
        told["wdl"] = PovWdl(Wdl(*told["wdl"]), turn)
    if wanted == Info.ALL:
        return told
    return {name: value for name, value in told.items() if _PARTS.get(name, Info.BASIC) & wanted}
