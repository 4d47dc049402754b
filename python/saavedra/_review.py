"""``review``: every move of a game rated, with reasons."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Union

from ._numbers import whole
from ._saavedra import Move, review_game
from ._score import Cp, Mate, Score

#: Judgements that are criticism.
_ERRORS = ("inaccuracy", "miss", "mistake", "blunder")


class Reason:
    """Why a move is judged so: a sentence, and the facts that it is made of."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self._told = told

    @property
    def kind(self) -> str:
        """What kind of reason it is, such as ``misses-mate``."""
        return self._told["kind"]

    @property
    def text(self) -> str:
        """The reason as a sentence."""
        return self._told["text"]

    @property
    def facts(self) -> Any:
        """The facts, as ``saavedra review --json`` has them."""
        return self._told["facts"]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Reason({self.kind}: {self.text})"


class MoveReview:
    """What a review says of a move."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self._told = told

    @property
    def ply(self) -> int:
        """How many moves were played before it."""
        return self._told["ply"]

    @property
    def color(self) -> bool:
        """Who played it: ``WHITE`` is ``True``."""
        return self._told["color"] == "white"

    @property
    def fen(self) -> str:
        """The position before the move."""
        return self._told["fen"]

    @property
    def move(self) -> Move:
        """The move."""
        return Move.from_uci(self._told["uci"])

    @property
    def san(self) -> str:
        """The move as people write it."""
        return self._told["san"]

    @property
    def label(self) -> str:
        """What it is called: ``best``, ``good``, ``inaccuracy``, ``mistake``, ``blunder``, …"""
        return self._told["judgement"]

    @property
    def is_error(self) -> bool:
        """Whether it is criticised."""
        return self.label in _ERRORS

    @property
    def phase(self) -> str:
        """``opening``, ``middlegame`` or ``endgame``."""
        return self._told["phase"]

    @property
    def lost(self) -> float:
        """The points that the move lost, of the one that a game is worth."""
        return self._told["lost"]

    @property
    def accuracy(self) -> Optional[float]:
        """How accurate it was, 0 to 100; ``None`` for the only legal move."""
        return self._told["accuracy"]

    @property
    def score(self) -> Optional[Score]:
        """The position after the move as White sees it; ``None`` if the game is over."""
        return _score(self._told["eval"])

    @property
    def best(self) -> Optional[Move]:
        """The best move, which may be the one that was played."""
        line = self.best_line
        return line[0] if line else None

    @property
    def best_line(self) -> List[Move]:
        """The best line instead."""
        return [Move.from_uci(uci) for uci in self._told["best"]["uci"]]

    @property
    def best_san(self) -> List[str]:
        """The same as people write it."""
        return self._told["best"]["san"]

    @property
    def reasons(self) -> List[Reason]:
        """Why it is judged so."""
        return [Reason(told) for told in self._told["reasons"]]

    def to_dict(self) -> Dict[str, Any]:
        """The same as ``saavedra review --json`` has it."""
        return dict(self._told)

    def __repr__(self) -> str:
        dots = "." if self.color else "..."
        return f"<{self._told['number']}{dots} {self.san}: {self.label}>"


class Review:
    """What a review says of a game."""

    def __init__(self, text: str, annotated: str) -> None:
        self._json = text
        self._told = json.loads(text)
        #: The game with the review written into it, as PGN.
        self.annotated = annotated

    @property
    def moves(self) -> List[MoveReview]:
        """Each move."""
        return [MoveReview(told) for told in self._told["moves"]]

    @property
    def errors(self) -> List[MoveReview]:
        """The moves that are criticised."""
        return [move for move in self.moves if move.is_error]

    @property
    def turning_points(self) -> List[MoveReview]:
        """The moves that decided the game, at most three."""
        moves = self.moves
        return [moves[ply] for ply in self._told["turning_points"]]

    @property
    def opening(self) -> Optional[Dict[str, Any]]:
        """The opening's ``eco``, ``name`` and ``book``, the number of half-moves that are theory."""
        return self._told["opening"]

    def accuracy(self, color: bool, phase: Optional[str] = None) -> Optional[float]:
        """How accurate a player was, 0 to 100, in the game or in one phase; ``None`` without a choice of moves."""
        player = self.player(color)
        return player["accuracy"] if phase is None else player["phases"][phase]

    def player(self, color: bool) -> Dict[str, Any]:
        """A player's moves taken together: accuracy, and how many there were of each kind."""
        return self._told["white" if color else "black"]

    def to_dict(self) -> Dict[str, Any]:
        """The review as ``saavedra review --json`` has it."""
        return json.loads(self._json)

    def to_json(self) -> str:
        """The same as text."""
        return self._json

    def __repr__(self) -> str:
        def shown(color: bool) -> str:
            accuracy = self.accuracy(color)
            return "-" if accuracy is None else f"{accuracy:.1f} %"

        return f"<Review of {len(self._told['moves'])} moves, accuracy {shown(True)} and {shown(False)}>"


def review(
    game: object,
    effort: str = "normal",
    *,
    time: Optional[float] = None,
    nodes: Optional[int] = None,
    threads: Optional[int] = None,
    hash: int = 32,
    network: "Union[str, os.PathLike[str], None]" = None,
    syzygy: "Union[str, os.PathLike[str], None]" = None,
    progress: Optional[Callable[[int, int], object]] = None,
) -> Review:
    """Rates every move of a game and gives reasons that can be checked on the board.

    ``game`` is a board with its moves, a PGN text, or anything whose ``str()`` is one. ``effort`` is ``quick``,
    ``normal`` or ``deep``; instead of it, ``nodes`` searches that many for a first look at each position, and ``time``
    gives the game so many seconds. The same number of nodes gives the same review, whatever the threads; without
    ``threads`` all cores are used. ``progress(done, total)`` is told how far it has come. Ctrl-C stops it.
    """
    settings = {
        "effort": effort,
        "time": time,
        "nodes": None if nodes is None else whole("nodes", nodes, 1),
        "threads": None if threads is None else whole("threads", threads, 1, 1024),
        "hash": whole("hash", hash, 1, 1 << 20),
        "network": network,
        "syzygy": None if syzygy is None else os.fspath(syzygy),
    }
    return Review(*review_game(game, settings, progress))


def _score(told: Mapping[str, Any]) -> Optional[Score]:
    if told["kind"] == "cp":
        return Cp(told["value"])
    return Mate(told["value"]) if told["kind"] == "mate" else None
