"""Chess at the speed of Rust, with the names of python-chess.

>>> import saavedra as chess
>>> board = chess.Board()
>>> board.push_san("e4")
Move.from_uci('e2e4')
>>> board.legal_moves.count()
20
"""

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


#: What most programs do not need is loaded when it is asked for: the name, and the module it is in.
_LATER = {
    "read_pgn": "pgn",
    "Positions": "_positions",
    "PLANES": "_positions",
    "policy_move": "_positions",
    "Data": "_data",
    "TrainingGame": "_data",
}


def __getattr__(name: str) -> object:
    import importlib

    if name in ("pgn", "svg"):
        return importlib.import_module(f".{name}", __name__)
    if name in _LATER:
        return getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
