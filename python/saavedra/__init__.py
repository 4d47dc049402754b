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
    IllegalMoveError,
    IllegalPositionError,
    InvalidMoveError,
    Move,
    MoveGenerator,
    Piece,
    SquareSet,
    __version__,
)
from ._board import Board
from ._outcome import *  # noqa: F403
from ._squares import *  # noqa: F403

LegalMoveGenerator = PseudoLegalMoveGenerator = MoveGenerator


def __getattr__(name: str) -> object:
    """What most programs do not need is loaded when it is asked for."""
    import importlib

    if name in ("pgn", "svg"):
        return importlib.import_module(f".{name}", __name__)
    if name == "read_pgn":
        return __getattr__("pgn").read_pgn  # type: ignore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
