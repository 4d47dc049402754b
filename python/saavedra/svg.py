"""Boards as pictures: an SVG that needs no other file."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple

from . import _squares

_LIGHT, _DARK, _LAST, _CHECK = "#f0d9b5", "#b58863", "#cdd26a", "#e0655a"
_SOLID = "♟♞♝♜♛♚"


class Arrow:
    """An arrow from a square to another, or the mark of one square, as PGN keeps them: ``Ge2e4``, ``Rf7``."""

    _COLORS = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}

    def __init__(self, tail: int, head: int, *, color: str = "green") -> None:
        self.tail = tail
        self.head = head
        self.color = color

    def pgn(self) -> str:
        """The arrow as PGN writes it."""
        letter = next((letter for letter, color in self._COLORS.items() if color == self.color), "G")
        tail, head = _squares.square_name(self.tail), _squares.square_name(self.head)
        return letter + tail + (head if head != tail else "")

    @classmethod
    def from_pgn(cls, pgn: str) -> "Arrow":
        """Reads an arrow, such as ``Ge2e4``, or a marked square."""
        if pgn[:1] not in cls._COLORS or len(pgn) not in (3, 5):
            raise ValueError(f"{pgn!r} is not an arrow: expected something like Ge2e4 or Rf7")
        tail = _squares.parse_square(pgn[1:3])
        return cls(tail, _squares.parse_square(pgn[3:]) if pgn[3:] else tail, color=cls._COLORS[pgn[0]])

    def __iter__(self) -> Iterator[int]:
        return iter((self.tail, self.head))

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Arrow)
        return (*self, self.color) == (*other, other.color) if same else NotImplemented  # type: ignore

    def __hash__(self) -> int:
        return hash((*self, self.color))

    def __repr__(self) -> str:
        return f"Arrow({self.tail}, {self.head}, color={self.color!r})"


def board(
    board: Any = None,
    *,
    orientation: bool = True,
    lastmove: Any = None,
    check: Optional[int] = None,
    arrows: Iterable[Tuple[int, int]] = (),
    fill: Optional[Dict[int, str]] = None,
    squares: Any = (),
    size: Optional[int] = None,
    coordinates: bool = True,
) -> str:
    """The picture of a board.

    ``lastmove`` and ``check`` are highlighted, ``arrows`` go from square to square, ``fill`` colors squares and
    ``squares`` are marked with a cross.
    """
    margin = 12 if coordinates else 0
    side = 8 * 45 + 2 * margin
    dimensions = f' width="{size}" height="{size}"' if size else ""
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}"{dimensions}>']

    def corner(square: int) -> Tuple[int, int]:
        file, rank = square & 7, square >> 3
        column, row = (file, 7 - rank) if orientation else (7 - file, rank)
        return margin + 45 * column, margin + 45 * row

    marked = {lastmove.from_square: _LAST, lastmove.to_square: _LAST} if lastmove else {}
    if check is not None:
        marked[check] = _CHECK
    marked.update(fill or {})
    for square in _squares.SQUARES:
        x, y = corner(square)
        plain = _LIGHT if _squares.BB_LIGHT_SQUARES >> square & 1 else _DARK
        color = marked.get(square, plain)
        parts.append(f'<rect x="{x}" y="{y}" width="45" height="45" fill="{color}"/>')
        piece = board.piece_at(square) if board is not None else None
        if piece:
            parts.append(_piece(x, y, piece))
    for square in squares:
        x, y = corner(square)
        parts.append(f'<path d="M{x + 8} {y + 8}l29 29m0 -29l-29 29" stroke="#c33" stroke-width="3"/>')
    parts += [_arrow(corner(tail), corner(head)) for tail, head in arrows]
    if coordinates:
        parts += _coordinates(orientation, margin)
    return "".join(parts + ["</svg>"])


def piece(piece: Any, size: Optional[int] = None) -> str:
    """The picture of a piece."""
    dimensions = f' width="{size}" height="{size}"' if size else ""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45"{dimensions}>{_piece(0, 0, piece)}</svg>'


def _piece(x: int, y: int, piece: Any) -> str:
    # The solid characters for both colors, so that white pieces cover their square.
    fill = "#fff" if piece.color else "#222"
    style = f'fill="{fill}" stroke="#000" stroke-width="0.8" font-size="40" text-anchor="middle"'
    return f'<text x="{x + 22.5}" y="{y + 36}" {style}>{_SOLID[piece.piece_type - 1]}\ufe0e</text>'


def _arrow(tail: Tuple[int, int], head: Tuple[int, int]) -> str:
    (x1, y1), (x2, y2) = ((x + 22.5, y + 22.5) for x, y in (tail, head))
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    bx, by = x2 - 16 * dx, y2 - 16 * dy
    points = f"{x2},{y2} {bx - 8 * dy:.1f},{by + 8 * dx:.1f} {bx + 8 * dy:.1f},{by - 8 * dx:.1f}"
    line = f'<line x1="{x1}" y1="{y1}" x2="{bx:.1f}" y2="{by:.1f}" stroke="#15781b" stroke-width="7"/>'
    return f'<g opacity="0.6">{line}<polygon points="{points}" fill="#15781b"/></g>'


def _coordinates(orientation: bool, margin: int) -> List[str]:
    style = 'font-size="9" fill="#555" text-anchor="middle"'
    parts = []
    for index in range(8):
        file = _squares.FILE_NAMES[index if orientation else 7 - index]
        rank = _squares.RANK_NAMES[7 - index if orientation else index]
        middle = margin + 45 * index + 22.5
        parts.append(f'<text x="{middle}" y="{margin + 369}" {style}>{file}</text>')
        parts.append(f'<text x="{margin / 2}" y="{middle + 3}" {style}>{rank}</text>')
    return parts
