"""Games as columns: for Arrow, and for numpy."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from .._numbers import whole
from .._saavedra import ArrowStream, Move, moves_from_bits
from ._headers import Headers

#: What is read unless other columns are named.
COLUMNS = ("White", "Black", "Result", "Date", "ECO", "white_elo", "black_elo", "plies", "moves", "clocks", "evals")


def to_arrow(
    source: Any,
    columns: Union[str, Sequence[str]] = COLUMNS,
    *,
    filter: Optional[Callable[[Headers], Any]] = None,
    batch_size: int = 65_536,
    threads: Optional[int] = None,
    **bounds: Any,
) -> ArrowStream:
    """The games of a file as a stream of Arrow record batches, read on several threads as they are asked for.

    ``pyarrow.RecordBatchReader.from_stream(stream)``, ``polars.from_arrow(stream)`` and other libraries that know
    Arrow's C stream interface read it. Names with a capital letter are tags, as text; the others are

    * ``moves``: a list of ``uint16``, see ``decode_moves``; ``plies``: how many they are,
    * ``clocks``: seconds after each move; ``evals``: centipawns from White's side, where a mate in *n* is 32000 − *n*;
      null where there are none,
    * ``score``: 1, 0, −1 as White won, drew, lost; ``white_elo``, ``black_elo``: numbers, or null,
    * ``start``: the FEN of a game that starts elsewhere; ``problem``: what was wrong with a game, whose moves up to
      there are given.

    ``filter`` and the bounds are those of ``read_pgn``. All moves are checked.
    """
    names = [columns] if isinstance(columns, str) else list(columns)
    wanted = os.cpu_count() or 1 if threads is None else whole("threads", threads, 1, 1024)
    return ArrowStream(source, names, filter, bounds, whole("batch_size", batch_size, 1), wanted)


class Lists(Sequence[Any]):
    """Lists of different lengths: all ``values`` in one array, and ``offsets`` where each list begins and ends."""

    def __init__(self, values: Any, offsets: Any) -> None:
        self.values = values
        self.offsets = offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: Any) -> Any:
        """The array of one row; nothing is copied."""
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        row = range(len(self))[index]
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    def __repr__(self) -> str:
        return f"<{len(self)} lists of {len(self.values)} values>"


class Columns(Mapping[str, Any]):
    """Columns by name: numpy arrays, ``Lists`` of them, or lists of text."""

    def __init__(self, columns: Dict[str, Any], length: int) -> None:
        self._columns = columns
        #: How many games there are.
        self.games = length

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<{self.games} games: {', '.join(self)}>"


def to_numpy(
    source: Any,
    columns: Union[str, Sequence[str]] = COLUMNS,
    *,
    filter: Optional[Callable[[Headers], Any]] = None,
    threads: Optional[int] = None,
    **bounds: Any,
) -> Columns:
    """The games of a file as numpy arrays, read on several threads.

    The columns are those of ``to_arrow``. Lists of numbers are ``Lists``, with NaN for a clock or an evaluation that is
    missing; tags are lists of ``str`` or ``None``; numbers that may be missing are masked arrays.
    """
    names = [columns] if isinstance(columns, str) else list(columns)
    # Without a column to ask how many games there are, there is one more.
    stream = to_arrow(source, names or ["plies"], filter=filter, threads=threads, **bounds)
    batches: List[List[Any]] = list(iter(stream._next_buffers, None))
    joined = {name: _join([batch[at] for batch in batches], name) for at, name in enumerate(stream.columns)}
    games = len(next(iter(joined.values())))
    return Columns({name: joined[name] for name in names}, games)


def _join(pieces: List[Any], name: str) -> Any:
    """One column from its batches."""
    import numpy

    if not pieces or isinstance(pieces[0], list):
        return [text for piece in pieces for text in piece]
    kind = pieces[0][0]
    values = numpy.concatenate([numpy.frombuffer(values, kind) for _, values, _, _ in pieces])
    if pieces[0][3] is not None:
        offsets, total = [numpy.zeros(1, "i8")], 0
        for _, part, _, ends in pieces:
            offsets.append(numpy.frombuffer(ends, "i8")[1:] + total)
            total += len(part) // values.itemsize
        return Lists(values, numpy.concatenate(offsets))
    if name == "plies":
        return values
    present = numpy.concatenate([numpy.frombuffer(present, "?") for _, _, present, _ in pieces])
    return numpy.ma.masked_array(values, ~present)


def decode_moves(bits: Any, *, chess960: bool = False) -> List[Move]:
    """The moves of one game from its column: bits 0–5 from, 6–11 to, 12–13 promotion (knight, bishop, rook, queen),
    14–15 kind (ordinary, promotion, en passant, castling, which goes from the king to the rook)."""
    return moves_from_bits([whole("a move", each, 0, 0xFFFF) for each in bits], chess960)
