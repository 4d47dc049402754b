"""Games in PGN, with the names of ``chess.pgn``.

>>> import saavedra as chess
>>> for game in chess.pgn.read_pgn(b"1. e4 e5 2. Nf3 *"):
...     print(game.headers["Result"], [move.uci() for move in game.mainline_moves()])
* ['e2e4', 'e7e5', 'g1f3']

``read_pgn`` reads files of any size, packed or not, one game at a time; ``to_arrow`` and ``to_numpy`` read them into
columns on several threads.
"""

from .._saavedra import GameRecord, PgnError
from ._nags import *  # noqa: F403
from ._columns import ArrowStream, Columns, Lists, decode_moves, to_arrow, to_numpy
from ._headers import Headers
from ._nodes import ChildNode, Game, GameNode, Mainline
from ._reading import Games, read_game, read_headers, read_pgn, skip_game
from ._time_control import TimeControl, TimeControlPart, TimeControlType, parse_time_control
from ._visitors import BaseVisitor, BoardBuilder, FileExporter, SkipType, SkipVisitor, StringExporter
