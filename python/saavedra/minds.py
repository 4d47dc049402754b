"""Players: matches between minds and Python functions, and Python scripts as players of their own.

>>> from saavedra import minds
>>> def first(board):
...     return next(iter(board.legal_moves))
>>> match = minds.match(first, "random", games=4, seed=1)
>>> len(match.games), sum(match.wdl)
(4, 4)
"""

from __future__ import annotations

import os
import random
import sys
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import stats
from ._board import Board
from ._numbers import MOST, whole
from ._results import Limit
from ._saavedra import Move, play_match, run_player

__all__ = ["Match", "MatchGame", "MatchInterrupted", "Player", "match", "run"]

#: The name of a mind, a function, or anything with ``play(board, limit)``, such as an engine.
Player = Union[str, Callable[[Board], Union[Move, str]], Any]


class MatchGame(NamedTuple):
    """A game of a match."""

    white: str
    black: str
    result: str
    #: Why it ended, such as ``checkmate`` or ``illegal move``.
    reason: str
    #: What the loser did wrong, if anything.
    fault: Optional[str]
    pgn: str

    def __str__(self) -> str:
        return self.pgn


class Match:
    """What a match has come to."""

    def __init__(self, names: Tuple[str, str], outcome: Dict[str, Any], errors: List[Exception]) -> None:
        self.names = names
        #: Whether all games were played.
        self.is_over: bool = outcome["finish"] == "over"
        #: Complete pairs of games by the first player's points: 0, ½, 1, 1½ and 2.
        self.pentanomial: List[int] = list(outcome["pentanomial"])
        self.games: List[MatchGame] = []
        wins, draws, losses = 0, 0, 0
        for _pair, _leg, white, result, reason, fault, pgn in outcome["games"]:
            self.games.append(MatchGame(names[white], names[1 - white], result, reason, fault, pgn))
            draws += result == "1/2-1/2"
            wins += result == ("1-0" if white == 0 else "0-1")
            losses += result == ("0-1" if white == 0 else "1-0")
        #: Wins, draws and losses of the first player.
        self.wdl: Tuple[int, int, int] = (wins, draws, losses)
        #: The exceptions that functions raised.
        self.errors = errors

    @property
    def points(self) -> float:
        """The points of the first player."""
        return self.wdl[0] + self.wdl[1] / 2

    @property
    def faults(self) -> List[str]:
        """What players did wrong, in the order of the games."""
        return [game.fault for game in self.games if game.fault]

    @property
    def elo(self) -> stats.Elo:
        """By how much the first player is stronger: by pairs, or by games while no pair is complete."""
        return stats.elo(self.pentanomial if any(self.pentanomial) else self.wdl)

    @property
    def pgn(self) -> str:
        """All games as PGN."""
        return "\n".join(game.pgn for game in self.games)

    def __repr__(self) -> str:
        state = "" if self.is_over else ", stopped"
        wins, draws, losses = self.wdl
        return f"<Match {self.names[0]} - {self.names[1]}: +{wins} ={draws} -{losses}{state}>"


class MatchInterrupted(KeyboardInterrupt):
    """Ctrl-C stopped a match. ``match`` has the games that were over by then; none is half played."""

    def __init__(self, match: Match) -> None:
        super().__init__(f"stopped after {len(match.games)} games")
        self.match = match


def match(
    a: Player,
    b: Player,
    games: int = 2,
    *,
    time: Union[str, Sequence[str]] = "nodes=5000",
    openings: "Union[str, os.PathLike[str], None]" = None,
    plies: Optional[int] = None,
    names: Optional[Tuple[str, str]] = None,
    seed: Optional[int] = None,
    concurrency: int = 1,
    longest: Optional[int] = None,
    pgn: "Union[str, os.PathLike[str], None]" = None,
    event: str = "Match",
    progress: Optional[Callable[[int], object]] = None,
) -> Match:
    """Plays games between two players, in pairs that share an opening with colors reversed.

    A player is the name of a mind as in docs/minds.md (``"random"``, ``"alphabeta"``, ``"search:elo=1200"``,
    ``"uci:stockfish"``), a function from a board to a move (a ``Move``, or a move as text, or ``"resign"``), or anything
    with ``play(board, limit)``, such as an engine. Functions are called on this thread, one at a time; an exception
    forfeits the game. ``time`` is a time control such as ``"1+0.01"``, ``"move=0.1"``, ``"nodes=5000"`` (which puts no
    clock on functions) or ``"depth=4"``, or one for each player.

    Openings come from a book (EPD, FEN or PGN), or are ``plies`` random moves, 8 without a book. ``longest`` draws a
    game after so many moves of each player. ``pgn`` is a file for the games. Ctrl-C raises ``MatchInterrupted``.
    """
    if whole("games", games, -MOST) < 2 or games % 2:
        raise ValueError(f"games are played in pairs: expected an even number of at least 2, not {games}")
    times = (time, time) if isinstance(time, str) else tuple(time)
    if len(times) != 2:
        raise ValueError(f"expected one time control or two, not {len(times)}")
    shown = _names((a, b), names)
    errors: List[Exception] = []
    settings = {
        "players": [
            (name, player if isinstance(player, str) else None, own) for name, player, own in zip(shown, (a, b), times)
        ],
        "pairs": games // 2,
        "openings": openings,
        "plies": (8 if openings is None else None) if plies is None else whole("plies", plies),
        "seed": random.getrandbits(24) if seed is None else whole("seed", seed),
        "concurrency": whole("concurrency", concurrency, 1, 1024),
        "longest": None if longest is None else whole("longest", longest, 1),
        "pgn": pgn,
        "name": event,
    }
    outcome, stopped = play_match(settings, [_asked(player, errors) for player in (a, b)], progress)
    result = Match(shown, outcome, errors)
    if isinstance(stopped, KeyboardInterrupt):
        raise MatchInterrupted(result) from stopped
    if stopped is not None:
        raise stopped
    return result


def run(player: Player, name: Optional[str] = None) -> None:
    """Makes a script a UCI engine until its input ends, for ``saavedra match``, ``play``, ``rate``, ``serve`` or any GUI.

    ``saavedra match "uci:python3 script.py" random`` then plays with it. What the function prints goes to the standard
    error; an exception ends the script.
    """
    if isinstance(player, str):
        raise TypeError(f"expected a function from a board to a move, not {player!r}")
    output, sys.stdout = sys.stdout, sys.stderr
    try:
        run_player(name or _name(player), _asked(player, None))
    finally:
        sys.stdout = output


def _asked(player: Player, errors: Optional[List[Exception]]) -> Callable[[Board, Dict[str, Any]], Any]:
    """What the match calls: with a board, and with the limits by name."""
    play: Any = getattr(player, "play", None)
    function: Any = player

    def ask(board: Board, limits: Dict[str, Any]) -> Any:
        try:
            if play is None:
                return function(board)
            result = play(board, Limit(**limits))
            return "resign" if getattr(result, "resigned", False) else result.move
        except Exception as error:
            if errors is not None:
                errors.append(error)
            raise

    if not isinstance(player, str) and play is None and not callable(player):
        expected = "expected the name of a mind, a function, or something with play(board, limit)"
        raise TypeError(f"{expected}, not {player!r}")
    return ask


def _name(player: Player) -> str:
    if isinstance(player, str):
        return player
    return getattr(player, "__name__", None) or type(player).__name__


def _names(players: Tuple[Player, Player], names: Optional[Tuple[str, str]]) -> Tuple[str, str]:
    first, second = names or (_name(players[0]), _name(players[1]))
    return (first, second) if first != second else (f"{first} 1", f"{second} 2")
