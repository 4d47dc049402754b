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
