"""``Positions``: many positions at once, as numpy arrays."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Iterator, List, Optional, Sequence, Union

from ._board import Board
from ._numbers import MOST, whole
from ._saavedra import POLICY_SIZE, Move, Network, _policy_move, _Positions, policy_index

#: The planes of ``Positions.planes`` in their order.
PLANES = (
    *(f"white {name}" for name in ("pawns", "knights", "bishops", "rooks", "queens", "kings")),
    *(f"black {name}" for name in ("pawns", "knights", "bishops", "rooks", "queens", "kings")),
    "white to move",
    "white may castle to the king's side",
    "white may castle to the queen's side",
    "black may castle to the king's side",
    "black may castle to the queen's side",
    "en passant",
)


def policy_move(index: int, board: Optional[Board] = None, *, mirror: bool = False) -> Move:
    """The move with a number of ``policy_index``.

    Numbers are ``from * 64 + to``; from 4096 on they are promotions to a knight, bishop or rook. That a pawn becomes a
    queen only a board tells.
    """
    index = whole("the number of a move", index)
    move = _policy_move(index, False, mirror)
    is_pawn = board is not None and board.piece_type_at(move.from_square) == 1
    return _policy_move(index, is_pawn, mirror) if is_pawn and move.promotion is None else move


class Positions(Sequence[Any]):
    """Positions, one behind the other.

    ``Positions(["fen", …])`` takes FENs or boards. Single ones are boards, slices are ``Positions``, and ``a + b`` is
    all of both. Every method that tells something of all of them returns a numpy array that has a row for each and
    owns its memory, so ``torch.from_numpy`` and ``jax.numpy.asarray`` take it as it is.
    """

    def __init__(self, positions: Iterable[Union[str, Board]] = (), *, chess960: bool = False) -> None:
        given = list(positions)
        if all(isinstance(position, str) for position in given):
            self._core = _Positions.from_fens(given, chess960)
        else:
            boards = [Board(one, chess960=chess960) if isinstance(one, str) else one for one in given]
            is_chess960 = chess960 or any(board.chess960 for board in boards)
            self._core = _Positions.from_boards(boards, is_chess960)

    @classmethod
    def _of(cls, core: Any) -> "Positions":
        positions = cls.__new__(cls)
        positions._core = core
        return positions

    @classmethod
    def from_game(cls, game: Any) -> "Positions":
        """The positions of a game's main line, from its start on."""
        record = game.__dict__.get("_record")
        if record is not None:
            return cls._of(_Positions.from_record(record))
        board = game.board()
        boards = [board.copy(stack=False)]
        for move in game.mainline_moves():
            board.push(move)
            boards.append(board.copy(stack=False))
        return cls(boards)

    @classmethod
    def from_pgn(
        cls,
        source: Any,
        filter: Optional[Callable[[Any], Any]] = None,
        *,
        limit: Optional[int] = None,
        chess960: bool = False,
        **bounds: Any,
    ) -> "Positions":
        """The positions of all main lines of a file, up to a number of them. The filters are those of ``read_pgn``."""
        most = MOST if limit is None else whole("limit", limit)
        return cls._of(_Positions.from_pgn(source, filter, bounds, most, chess960))

    @classmethod
    def from_packed(cls, packed: Any, *, chess960: bool = False) -> "Positions":
        """Positions from an array of 32 bytes each, as ``packed`` and training games have them."""
        return cls._of(_Positions.from_packed(bytes(packed), chess960))

    @classmethod
    def concat(cls, parts: "Iterable[Positions]") -> "Positions":
        """All positions of several, one behind the other."""
        return cls._of(_Positions.joined([part._core for part in parts]))

    @property
    def chess960(self) -> bool:
        """Whether castling is the king taking its rook in all of them."""
        return self._core.chess960

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, index: Any) -> Any:
        """The board of a row, or the positions of a slice, of a list of rows, or of a mask."""
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            core = self._core.range(start, stop) if step == 1 else self._core.rows(list(range(start, stop, step)))
            return self._of(core)
        if not hasattr(index, "__index__") or getattr(index, "ndim", False):
            return self._of(self._core.rows(self._row_numbers(index)))
        try:
            row = range(len(self))[index]
        except IndexError:
            raise IndexError(f"there is no position {index}: there are {len(self)}") from None
        fen, chess960 = self._core.fen(row)
        return Board(fen, chess960=chess960)

    def _row_numbers(self, index: Any) -> List[int]:
        import numpy

        rows = numpy.asarray(index)
        if rows.dtype == bool:
            if len(rows) != len(self):
                raise IndexError(f"a mask of {len(rows)} for {len(self)} positions")
            rows = numpy.flatnonzero(rows)
        return numpy.arange(len(self))[rows].tolist() if len(rows) else []

    def __iter__(self) -> Iterator[Board]:
        return (self[row] for row in range(len(self)))

    def __add__(self, other: "Positions") -> "Positions":
        return self.concat([self, other]) if isinstance(other, Positions) else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Positions):
            return NotImplemented
        return len(self) == len(other) and self._core.packed() == other._core.packed()

    __hash__ = None  # type: ignore

    def __repr__(self) -> str:
        return f"<{len(self)} positions>"

    def __reduce__(self) -> Any:
        return _remembered, (type(self), bytes(self._core.packed()), self.chess960)

    def fens(self) -> List[str]:
        """The FEN of each."""
        return [self._core.fen(row)[0] for row in range(len(self))]

    def _array(self, data: Any, kind: str, *shape: int) -> Any:
        import numpy

        return numpy.frombuffer(data, kind).reshape(len(self), *shape)

    def packed(self) -> Any:
        """``(n, 32)`` of ``uint8``: the positions as training games hold them."""
        return self._array(self._core.packed(), "u1", 32)

    def bitboards(self, *, relative: bool = False) -> Any:
        """``(n, 12)`` of ``uint64``: pawns, knights, bishops, rooks, queens, king of White, then of Black; bit 0 is a1.

        With ``relative``, the side to move comes first and has its first rank at the bottom.
        """
        return self._array(self._core.bitboards(relative), "u8", 12)

    def planes(self, dtype: Any = "float32", *, relative: bool = False) -> Any:
        """``(n, 18, 8, 8)`` of zeros and ones, ranks from the first and files from a on: see ``PLANES``.

        ``dtype`` is ``float32`` or ``uint8``. With ``relative``, "White" is the side to move and the board is turned.
        """
        import numpy

        name = numpy.dtype(dtype).name
        if name not in ("float32", "uint8"):
            raise ValueError(f"planes are of float32 or uint8, not {name}")
        return self._array(self._core.planes(name == "float32", relative), name, 18, 8, 8)

    def legal_masks(self, *, relative: bool = False) -> Any:
        """``(n, 4480)`` of ``bool``: which moves are legal, by their numbers: see ``policy_index``."""
        return self._array(self._core.legal_masks(relative), "?", POLICY_SIZE)

    def legal_moves(self) -> Any:
        """The legal moves of each as ``pgn.Lists`` of ``uint16``: see ``pgn.decode_moves``."""
        import numpy

        from .pgn import Lists

        moves, ends = self._core.legal_moves()
        return Lists(numpy.frombuffer(moves, "u2"), numpy.frombuffer(ends, "i8"))

    def legal_move_counts(self) -> Any:
        """``(n,)`` of ``uint16``: how many legal moves there are."""
        return self._array(self._core.legal_move_counts(), "u2")

    def turns(self) -> Any:
        """``(n,)`` of ``bool``: whether White is to move."""
        return self._array(self._core.turns(), "?")

    def checks(self) -> Any:
        """``(n,)`` of ``bool``: whether the player to move is in check."""
        return self._array(self._core.checks(), "?")

    def castling(self) -> Any:
        """``(n,)`` of ``uint8``: 1 and 2 if White may castle to the king's and the queen's side, 4 and 8 if Black may."""
        return self._array(self._core.castling(), "u1")

    def ep_squares(self) -> Any:
        """``(n,)`` of ``int8``: the square on which a pawn may be taken en passant, or −1."""
        return self._array(self._core.en_passant(), "i1")

    def halfmove_clocks(self) -> Any:
        """``(n,)`` of ``uint16``: half-moves since a capture or a pawn's move."""
        return self._array(self._core.counters(), "u2", 2)[:, 0].copy()

    def fullmove_numbers(self) -> Any:
        """``(n,)`` of ``uint16``: the number of the move."""
        return self._array(self._core.counters(), "u2", 2)[:, 1].copy()

    def zobrist(self) -> Any:
        """``(n,)`` of ``uint64``: the same for positions that are the same by the rules of repetition."""
        return self._array(self._core.zobrist(), "u8")

    def evaluate(self, network: Any = None, *, threads: int = 1) -> Any:
        """``(n,)`` of ``int32``: what the network says of each, in centipawns from the side of the player to move.

        ``network`` is a ``Network`` or the path of one; by default it is the engine's. Positions of one game in their
        order are evaluated faster than others.
        """
        net = network if isinstance(network, Network) else Network(network)
        return self._array(net._evaluate(self._core, whole("threads", threads, 1, 1024)), "i4")

    def features(self, network: Any = None) -> Any:
        """``(n, 2, 32)`` of ``int32``: the inputs of a network that are set, for the player to move and the other one.

        Numbers are below ``network.inputs``; −1 fills the rest. An ``EmbeddingBag`` of torch takes them so, with the
        −1 masked out.
        """
        net = network if isinstance(network, Network) else Network(network)
        return self._array(net._features(self._core), "i4", 2, 32)

    def see(self, moves: Any) -> Any:
        """``(n,)`` of ``int32``: what a move of each wins in centipawns if both players capture on its square as long
        as it pays. ``moves`` are numbers as in ``legal_moves``, one for each position."""
        return self._array(self._core.see([int(move) for move in moves]), "i4")


def _remembered(kind: Any, packed: bytes, chess960: bool) -> Positions:
    """Positions from their pickle."""
    positions: Positions = kind.from_packed(packed, chess960=chess960)
    return positions


__all__ = ["PLANES", "POLICY_SIZE", "Network", "Positions", "policy_index", "policy_move"]
