"""``Board``: the compiled board, and what of python-chess's names is better written in Python."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, Mapping, Optional, Tuple, TypeVar, Union

from . import _epd, _squares
from ._outcome import Outcome, Status, Termination
from ._saavedra import BaseBoard, Move, Piece, SquareSet

B = TypeVar("B", bound="Board")


class Board(BaseBoard):
    """A board with the moves that led to it.

    Starts a game by default; ``Board(fen)`` sets a position up and ``Board(None)`` is empty. With ``chess960=True``
    castling is the king taking its rook.
    """

    aliases = ["Standard", "Chess", "Classical", "Normal", "Illegal", "From Position"]
    uci_variant: Optional[str] = "chess"
    starting_fen = _squares.STARTING_FEN
    #: Which pieces were pawns once is not kept.
    promoted = 0

    @classmethod
    def empty(cls: "type[B]", *, chess960: bool = False) -> B:
        """A board without pieces."""
        return cls(None, chess960=chess960)

    @classmethod
    def from_epd(cls: "type[B]", epd: str, *, chess960: bool = False) -> "Tuple[B, Dict[str, Any]]":
        """A board and the operations of an EPD line."""
        board = cls.empty(chess960=chess960)
        return board, board.set_epd(epd)

    @classmethod
    def from_chess960_pos(cls: "type[B]", scharnagl: int) -> B:
        """The start of a game of Chess960 by its number, 0 to 959."""
        board = cls.empty(chess960=True)
        board.set_chess960_pos(scharnagl)
        return board

    def status(self) -> Status:
        """What is wrong with the board; ``STATUS_VALID`` if nothing."""
        return Status(self._status())

    def outcome(self, *, claim_draw: bool = False) -> Optional[Outcome]:
        """How the game has ended, if it has; with ``claim_draw``, draws that may be claimed count."""
        if self.is_checkmate():
            return Outcome(Termination.CHECKMATE, not self.turn)
        if self.is_insufficient_material():
            return Outcome(Termination.INSUFFICIENT_MATERIAL, None)
        if not self.legal_moves:
            return Outcome(Termination.STALEMATE, None)
        if self.is_seventyfive_moves():
            return Outcome(Termination.SEVENTYFIVE_MOVES, None)
        if self.is_fivefold_repetition():
            return Outcome(Termination.FIVEFOLD_REPETITION, None)
        if claim_draw and self.can_claim_fifty_moves():
            return Outcome(Termination.FIFTY_MOVES, None)
        if claim_draw and self.can_claim_threefold_repetition():
            return Outcome(Termination.THREEFOLD_REPETITION, None)
        return None

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Whether the game has ended."""
        return self.outcome(claim_draw=claim_draw) is not None

    def result(self, *, claim_draw: bool = False) -> str:
        """``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` if the game goes on."""
        outcome = self.outcome(claim_draw=claim_draw)
        return outcome.result() if outcome else "*"

    def is_variant_end(self) -> bool:
        """Never: there are no variants here."""
        return False

    is_variant_win = is_variant_loss = is_variant_draw = is_variant_end

    def copy(self: B, *, stack: Union[bool, int] = True) -> B:
        """A board of its own with the same position, and with the moves that led to it or the last few of them."""
        board = type(self)(None)
        plies = stack if not isinstance(stack, bool) else (1 << 62 if stack else 0)
        board._become(self, max(plies, 0))
        return board

    def root(self: B) -> B:
        """A board with the position in which the moves of this one started."""
        board = self.copy()
        board._rewind()
        return board

    def mirror(self: B) -> B:
        """A board with colors and ranks swapped: the position as the other player sees it."""
        board = self.copy(stack=False)
        board.apply_mirror()
        return board

    def transform(self: B, f: Callable[[int], int]) -> B:
        """A board with the squares rearranged by a function from masks to masks, such as ``flip_vertical``."""
        board = self.copy(stack=False)
        board.apply_transform(f)
        return board

    def epd(self, *, shredder: bool = False, en_passant: str = "legal", **operations: Any) -> str:
        """The board as an EPD line with operations, such as ``bm=move`` or ``id="name"``."""
        fields = self.fen(shredder=shredder, en_passant=en_passant).split(" ")
        return " ".join(fields[:4]) + _epd.write(self, operations)

    def set_epd(self, epd: str) -> Dict[str, Any]:
        """Sets the board by an EPD line and returns its operations."""
        fields = epd.strip().rstrip(";").split(None, 4)
        if len(fields) < 4:
            raise ValueError(f"an EPD line starts with four fields: {epd!r}")
        self.set_fen(" ".join(fields[:4]))
        operations = _epd.read(self, fields[4]) if len(fields) > 4 else {}
        for name, attribute in (("hmvc", "halfmove_clock"), ("fmvn", "fullmove_number")):
            if name in operations:
                setattr(self, attribute, int(operations[name]))
        return operations

    def unicode(
        self,
        *,
        invert_color: bool = False,
        borders: bool = False,
        empty_square: str = "⭘",
        orientation: bool = True,
    ) -> str:
        """The board in Unicode characters."""
        ranks = range(7, -1, -1) if orientation else range(8)
        files = range(8) if orientation else range(7, -1, -1)
        line = "  " + "-" * 17
        lines = [line] if borders else []
        for rank in ranks:
            pieces = [self.piece_at(rank * 8 + file) for file in files]
            squares = [piece.unicode_symbol(invert_color=invert_color) if piece else empty_square for piece in pieces]
            lines += [f"{rank + 1} |" + "|".join(squares) + "|", line] if borders else [" ".join(squares)]
        if borders:
            lines.append("   " + " ".join(_squares.FILE_NAMES[file] for file in files))
        return "\n".join(lines)

    def svg(self, **options: Any) -> str:
        """The board as a picture; see ``saavedra.svg.board``."""
        from . import svg

        return svg.board(self, **options)

    def _repr_svg_(self) -> str:
        last = self.peek() if self.move_stack else None
        check = self.king(self.turn) if self.is_check() else None
        return self.svg(size=390, lastmove=last, check=check)

    def __repr__(self) -> str:
        chess960 = ", chess960=True" if self.chess960 else ""
        return f"{type(self).__name__}({self.fen()!r}{chess960})"

    def __copy__(self: B) -> B:
        return self.copy()

    def __deepcopy__(self: B, memo: Dict[int, Any]) -> B:
        board = self.copy()
        memo[id(self)] = board
        return board

    def __reduce__(self) -> Any:
        return _remembered, (type(self), self._memory(), getattr(self, "__dict__", None))


def _remembered(kind: "type[B]", memory: Any, attributes: Optional[Dict[str, Any]]) -> B:
    """A board from its pickle."""
    board = kind.__new__(kind)
    board._remember(memory)
    if attributes:
        board.__dict__.update(attributes)
    return board


__all__ = ["Board", "Iterable", "Mapping", "Move", "Piece", "SquareSet"]
