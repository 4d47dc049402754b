"""Squares, colors, piece types and masks under the names of python-chess."""

from __future__ import annotations

from typing import Iterator, List, Optional, SupportsInt

Color = bool
WHITE: Color = True
BLACK: Color = False
COLORS = [WHITE, BLACK]
COLOR_NAMES = ["black", "white"]

PieceType = int
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = PIECE_TYPES = range(1, 7)
PIECE_SYMBOLS: List[Optional[str]] = [None, "p", "n", "b", "r", "q", "k"]
PIECE_NAMES: List[Optional[str]] = [None, "pawn", "knight", "bishop", "rook", "queen", "king"]
UNICODE_PIECE_SYMBOLS = {
    "R": "♖", "r": "♜",
    "N": "♘", "n": "♞",
    "B": "♗", "b": "♝",
    "Q": "♕", "q": "♛",
    "K": "♔", "k": "♚",
    "P": "♙", "p": "♟",
}
FILE_NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"]
RANK_NAMES = ["1", "2", "3", "4", "5", "6", "7", "8"]
STARTING_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STARTING_BOARD_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

Square = int
A1, B1, C1, D1, E1, F1, G1, H1 = range(0, 8)
A2, B2, C2, D2, E2, F2, G2, H2 = range(8, 16)
A3, B3, C3, D3, E3, F3, G3, H3 = range(16, 24)
A4, B4, C4, D4, E4, F4, G4, H4 = range(24, 32)
A5, B5, C5, D5, E5, F5, G5, H5 = range(32, 40)
A6, B6, C6, D6, E6, F6, G6, H6 = range(40, 48)
A7, B7, C7, D7, E7, F7, G7, H7 = range(48, 56)
A8, B8, C8, D8, E8, F8, G8, H8 = range(56, 64)
SQUARES = range(64)
SQUARES_180 = [square ^ 56 for square in SQUARES]
SQUARE_NAMES = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]

Bitboard = int
BB_EMPTY: Bitboard = 0
BB_ALL: Bitboard = 0xffff_ffff_ffff_ffff
BB_SQUARES = [1 << square for square in SQUARES]
BB_A1, BB_B1, BB_C1, BB_D1, BB_E1, BB_F1, BB_G1, BB_H1 = BB_SQUARES[0:8]
BB_A2, BB_B2, BB_C2, BB_D2, BB_E2, BB_F2, BB_G2, BB_H2 = BB_SQUARES[8:16]
BB_A3, BB_B3, BB_C3, BB_D3, BB_E3, BB_F3, BB_G3, BB_H3 = BB_SQUARES[16:24]
BB_A4, BB_B4, BB_C4, BB_D4, BB_E4, BB_F4, BB_G4, BB_H4 = BB_SQUARES[24:32]
BB_A5, BB_B5, BB_C5, BB_D5, BB_E5, BB_F5, BB_G5, BB_H5 = BB_SQUARES[32:40]
BB_A6, BB_B6, BB_C6, BB_D6, BB_E6, BB_F6, BB_G6, BB_H6 = BB_SQUARES[40:48]
BB_A7, BB_B7, BB_C7, BB_D7, BB_E7, BB_F7, BB_G7, BB_H7 = BB_SQUARES[48:56]
BB_A8, BB_B8, BB_C8, BB_D8, BB_E8, BB_F8, BB_G8, BB_H8 = BB_SQUARES[56:64]
BB_FILES = [0x0101_0101_0101_0101 << file for file in range(8)]
BB_FILE_A, BB_FILE_B, BB_FILE_C, BB_FILE_D, BB_FILE_E, BB_FILE_F, BB_FILE_G, BB_FILE_H = BB_FILES
BB_RANKS = [0xff << 8 * rank for rank in range(8)]
BB_RANK_1, BB_RANK_2, BB_RANK_3, BB_RANK_4, BB_RANK_5, BB_RANK_6, BB_RANK_7, BB_RANK_8 = BB_RANKS
BB_BACKRANKS = BB_RANK_1 | BB_RANK_8
BB_CORNERS = BB_A1 | BB_H1 | BB_A8 | BB_H8
BB_CENTER = BB_D4 | BB_E4 | BB_D5 | BB_E5
BB_LIGHT_SQUARES: Bitboard = 0x55aa_55aa_55aa_55aa
BB_DARK_SQUARES: Bitboard = 0xaa55_aa55_aa55_aa55


def square(file_index: int, rank_index: int) -> Square:
    """The square on a file and a rank, both counted from 0."""
    return rank_index * 8 + file_index


def parse_square(name: str) -> Square:
    """The square with a name such as ``e4``."""
    try:
        return SQUARE_NAMES.index(name)
    except ValueError:
        raise ValueError(f"{name!r} is not a square: expected a letter from a to h and a digit from 1 to 8") from None


def square_name(square: Square) -> str:
    """The name of a square."""
    return SQUARE_NAMES[square]


def square_file(square: Square) -> int:
    """The file of a square: 0 is the a-file."""
    return square & 7


def square_rank(square: Square) -> int:
    """The rank of a square: 0 is the first rank."""
    return square >> 3


def square_distance(a: Square, b: Square) -> int:
    """The moves that a king needs on an empty board."""
    return max(abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3)))


def square_manhattan_distance(a: Square, b: Square) -> int:
    """The steps along files and ranks."""
    return abs((a & 7) - (b & 7)) + abs((a >> 3) - (b >> 3))


def square_knight_distance(a: Square, b: Square) -> int:
    """The moves that a knight needs on an empty board."""
    reached, moves = {a}, 0
    while b not in reached:
        reached |= {
            (rank + up) * 8 + file + right
            for file, rank in [(square & 7, square >> 3) for square in reached]
            for right, up in [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
            if 0 <= file + right < 8 and 0 <= rank + up < 8
        }
        moves += 1
    return moves


def square_mirror(square: Square) -> Square:
    """The square as the other player sees it."""
    return square ^ 56


def piece_symbol(piece_type: PieceType) -> str:
    """The letter of a piece type."""
    return "pnbrqk"[piece_type - 1]


def piece_name(piece_type: PieceType) -> str:
    """The English name of a piece type."""
    return ["pawn", "knight", "bishop", "rook", "queen", "king"][piece_type - 1]


def popcount(bb: SupportsInt) -> int:
    """How many squares a mask holds."""
    return bin(int(bb)).count("1")


def lsb(bb: SupportsInt) -> int:
    """The lowest square of a mask."""
    mask = int(bb)
    return (mask & -mask).bit_length() - 1


def msb(bb: SupportsInt) -> int:
    """The highest square of a mask."""
    return int(bb).bit_length() - 1


def scan_forward(bb: SupportsInt) -> Iterator[Square]:
    """The squares of a mask, a1 first."""
    mask = int(bb)
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def scan_reversed(bb: SupportsInt) -> Iterator[Square]:
    """The squares of a mask, h8 first."""
    mask = int(bb)
    while mask:
        highest = mask.bit_length() - 1
        yield highest
        mask ^= 1 << highest


def _moved(mask: int, right: int, up: int) -> int:
    """A mask moved; what would leave the board is lost."""
    for _ in range(abs(right)):
        mask = mask << 1 & ~BB_FILE_A if right > 0 else mask >> 1 & ~BB_FILE_H
    return (mask << 8 * up if up > 0 else mask >> -8 * up) & BB_ALL


def shift_down(b: Bitboard) -> Bitboard:
    """One rank towards White."""
    return _moved(int(b), 0, -1)


def shift_2_down(b: Bitboard) -> Bitboard:
    """Two ranks towards White."""
    return _moved(int(b), 0, -2)


def shift_up(b: Bitboard) -> Bitboard:
    """One rank towards Black."""
    return _moved(int(b), 0, 1)


def shift_2_up(b: Bitboard) -> Bitboard:
    """Two ranks towards Black."""
    return _moved(int(b), 0, 2)


def shift_right(b: Bitboard) -> Bitboard:
    """One file towards the h-file."""
    return _moved(int(b), 1, 0)


def shift_2_right(b: Bitboard) -> Bitboard:
    """Two files towards the h-file."""
    return _moved(int(b), 2, 0)


def shift_left(b: Bitboard) -> Bitboard:
    """One file towards the a-file."""
    return _moved(int(b), -1, 0)


def shift_2_left(b: Bitboard) -> Bitboard:
    """Two files towards the a-file."""
    return _moved(int(b), -2, 0)


def shift_up_left(b: Bitboard) -> Bitboard:
    """One square along the diagonal."""
    return _moved(int(b), -1, 1)


def shift_up_right(b: Bitboard) -> Bitboard:
    """One square along the diagonal."""
    return _moved(int(b), 1, 1)


def shift_down_left(b: Bitboard) -> Bitboard:
    """One square along the diagonal."""
    return _moved(int(b), -1, -1)


def shift_down_right(b: Bitboard) -> Bitboard:
    """One square along the diagonal."""
    return _moved(int(b), 1, -1)


def _rearranged(bb: SupportsInt, place: "list[Square]") -> Bitboard:
    return sum(1 << place[square] for square in scan_forward(bb))


_DIAGONAL = [square >> 3 | (square & 7) << 3 for square in SQUARES]
_ANTI_DIAGONAL = [63 - place for place in _DIAGONAL]
_HORIZONTAL = [square ^ 7 for square in SQUARES]


def flip_vertical(bb: SupportsInt) -> Bitboard:
    """Swaps ranks: the first and the eighth, and so on."""
    return int.from_bytes(int(bb).to_bytes(8, "little"), "big")


def flip_horizontal(bb: SupportsInt) -> Bitboard:
    """Swaps files: a and h, and so on."""
    return _rearranged(bb, _HORIZONTAL)


def flip_diagonal(bb: SupportsInt) -> Bitboard:
    """Mirrors at the diagonal from a1 to h8."""
    return _rearranged(bb, _DIAGONAL)


def flip_anti_diagonal(bb: SupportsInt) -> Bitboard:
    """Mirrors at the diagonal from a8 to h1."""
    return _rearranged(bb, _ANTI_DIAGONAL)
