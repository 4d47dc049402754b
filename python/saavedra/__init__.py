"""Chess at the speed of Rust, with the names of python-chess.

>>> import saavedra as chess
>>> board = chess.Board()
>>> board.push_san("e4")
Move.from_uci('e2e4')
>>> board.legal_moves.count()
20
"""

from typing import TYPE_CHECKING

from ._saavedra import (
    AmbiguousMoveError,
    DamagedFileError,
    IllegalMoveError,
    IllegalPositionError,
    InvalidMoveError,
    Move,
    MoveGenerator,
    Network,
    PgnError,
    Piece,
    POLICY_SIZE,
    SquareSet,
    __version__,
    policy_index,
)
from ._board import Board
from ._outcome import *  # noqa: F403
from ._squares import *  # noqa: F403

LegalMoveGenerator = PseudoLegalMoveGenerator = MoveGenerator


if TYPE_CHECKING:
    from . import engine, minds, pgn, stats, svg
    from ._data import Data, TrainingGame
    from ._positions import PLANES, Positions, policy_move
    from ._review import Review, review
    from .engine import Engine, Limit, UciEngine
    from .pgn import read_pgn

#: What is loaded when it is first asked for, by the module that has it.
_LATER = {
    "read_pgn": "pgn",
    "Positions": "_positions",
    "PLANES": "_positions",
    "policy_move": "_positions",
    "Data": "_data",
    "TrainingGame": "_data",
    "Engine": "engine",
    "UciEngine": "engine",
    "Limit": "engine",
    "review": "_review",
    "Review": "_review",
}
_MODULES = ("engine", "minds", "pgn", "stats", "svg")


def __getattr__(name: str) -> object:
    import importlib

    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name in _LATER:
        return getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
