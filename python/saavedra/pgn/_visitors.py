"""Visitors that are told games, and those that write them."""

from __future__ import annotations

import enum
from typing import IO, TYPE_CHECKING, Any, Generic, List, Optional, Tuple, TypeVar

from .._board import Board
from .._saavedra import Move
from ._headers import Headers

if TYPE_CHECKING:
    from ._nodes import ChildNode, Game, GameNode

T = TypeVar("T")


class SkipType(enum.Enum):
    """What a visitor returns where it does not want to be told more."""

    SKIP = None


SKIP = SkipType.SKIP


class BaseVisitor(Generic[T]):
    """Is told a game part by part. Every method may be left as it is but ``result``."""

    def begin_game(self) -> Optional[SkipType]:
        """A game begins."""
        return None

    def begin_headers(self) -> Optional[Headers]:
        """Its headers begin."""
        return None

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """A header."""

    def end_headers(self) -> Optional[SkipType]:
        """The headers are over; ``SKIP`` passes the moves over."""
        return None

    def visit_board(self, board: Board) -> None:
        """The start, and the position after each move of the main line and the variations."""

    def visit_move(self, board: Board, move: Move) -> None:
        """A move is played on this board."""

    def visit_comment(self, comment: str) -> None:
        """A comment."""

    def visit_nag(self, nag: int) -> None:
        """A glyph for the last move."""

    def begin_variation(self) -> Optional[SkipType]:
        """Other moves instead of the last one begin; ``SKIP`` passes them over."""
        return None

    def end_variation(self) -> None:
        """The variation is over."""

    def visit_result(self, result: str) -> None:
        """The moves end with a result."""

    def end_game(self) -> None:
        """The game is over."""

    def result(self) -> T:
        """What the visitor has made of it."""
        raise NotImplementedError

    def handle_error(self, error: Exception) -> None:
        """Something was wrong with the game where it was read."""


def tell_game(game: "Game", visitor: BaseVisitor[T]) -> T:
    """Tells a whole game."""
    if visitor.begin_game() is not SKIP:
        for name, value in _headers_of(game, visitor):
            visitor.visit_header(name, value)
        if visitor.end_headers() is not SKIP:
            board = game._start()
            visitor.visit_board(board)
            if game.comment:
                visitor.visit_comment(game.comment)
            _tell_after(game, board, visitor, True)
            for error in game.errors:
                visitor.handle_error(error)
            visitor.visit_result(game.headers.get("Result", "*"))
    visitor.end_game()
    return visitor.result()


def _headers_of(game: "Game", visitor: BaseVisitor[Any]) -> List[Tuple[str, str]]:
    visitor.begin_headers()
    return list(game.headers.items())


def tell_subgame(node: "GameNode", visitor: BaseVisitor[T]) -> T:
    """Tells what follows a place as a game that starts there."""
    if visitor.begin_game() is not SKIP:
        game, board = node.game(), node.board().copy(stack=False)
        start = type(game)(game.headers)
        start.setup(board)
        for name, value in _headers_of(start, visitor):
            visitor.visit_header(name, value)
        if visitor.end_headers() is not SKIP:
            visitor.visit_board(board)
            _tell_after(node, board, visitor, True)
            visitor.visit_result(game.headers.get("Result", "*"))
    visitor.end_game()
    return visitor.result()


def tell_move(node: "ChildNode", visitor: BaseVisitor[T]) -> T:
    """Tells a move and what follows it, and nothing else of the game."""
    board = node.parent.board().copy(stack=False)
    _tell_move(node, board, visitor)
    _tell_after(node, board, visitor, True)
    return visitor.result()


def tell_mainline(node: "GameNode", visitor: BaseVisitor[T]) -> T:
    """Tells the moves that follow a place, without variations and without anything else of the game."""
    _tell_after(node, node.board().copy(stack=False), visitor, False)
    return visitor.result()


def _tell_move(node: "ChildNode", board: Board, visitor: BaseVisitor[Any]) -> None:
    """Tells a move with what is said about it, and plays it."""
    if node.starting_comment:
        visitor.visit_comment(node.starting_comment)
    visitor.visit_move(board, node.move)
    board.push(node.move)
    visitor.visit_board(board)
    for nag in sorted(node.nags):
        visitor.visit_nag(nag)
    if node.comment:
        visitor.visit_comment(node.comment)


def _tell_after(node: "GameNode", board: Board, visitor: BaseVisitor[Any], sidelines: bool) -> None:
    """Tells all moves after a place. What is still to be told is a list, so that the depth does not matter."""
    tasks: List[Tuple[str, Any, Any]] = [("follow", node, board)]
    while tasks:
        task, node, board = tasks.pop()
        if task == "end":
            visitor.end_variation()
        elif task == "branch":
            if visitor.begin_variation() is not SKIP:
                _tell_move(node, board, visitor)  # type: ignore
                tasks += [("end", None, None), ("follow", node, board)]
            else:
                visitor.end_variation()
        elif node.variations:
            main, *others = node.variations
            before = board.copy(stack=False) if others and sidelines else board
            _tell_move(main, board, visitor)
            tasks.append(("follow", main, board))
            if sidelines:
                tasks += [("branch", other, before.copy(stack=False)) for other in reversed(others)]


class SkipVisitor(BaseVisitor[bool]):
    """Passes everything over."""

    def begin_game(self) -> SkipType:
        return SKIP

    def result(self) -> bool:
        return True


class BoardBuilder(BaseVisitor[Board]):
    """Makes the board at the end of the main line."""

    def __init__(self) -> None:
        self.board = Board()

    def begin_variation(self) -> SkipType:
        return SKIP

    def visit_board(self, board: Board) -> None:
        self.board = board

    def result(self) -> Board:
        return self.board


class _Exporter:
    """Words in lines of limited width."""

    def __init__(
        self, *, columns: Optional[int] = 80, headers: bool = True, comments: bool = True, variations: bool = True
    ) -> None:
        self.columns = columns
        self.headers = headers
        self.comments = comments
        self.variations = variations
        self.line = ""
        self.has_headers = False
        self.needs_number = True
        self.depth = 0

    def write_line(self, line: str = "") -> None:
        """Takes a finished line."""
        raise NotImplementedError

    def _flush(self) -> None:
        if self.line:
            self.write_line(self.line)
            self.line = ""

    def _word(self, word: str) -> None:
        # A line is shorter than the columns, because a blank ends every word.
        if self.line and self.columns is not None and len(self.line) + 1 + len(word) >= self.columns:
            self._flush()
        self.line += f" {word}" if self.line else word

    def begin_game(self) -> None:
        self.needs_number = True
        self.has_headers = False
        self.depth = 0

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        if self.headers:
            self.has_headers = True
            value = tagvalue.replace("\\", "\\\\").replace('"', '\\"')
            self.write_line(f'[{tagname} "{value}"]')

    def end_headers(self) -> None:
        if self.has_headers:
            self.write_line()

    def begin_variation(self) -> Optional[SkipType]:
        if not self.variations:
            return SKIP
        self.depth += 1
        self._word("(")
        self.needs_number = True
        return None

    def end_variation(self) -> None:
        if self.variations:
            self.depth -= 1
            self._word(")")
            self.needs_number = True

    def visit_comment(self, comment: str) -> None:
        if self.comments:
            self._word("{ " + comment.replace("}", "").strip() + " }")
            self.needs_number = True

    def visit_nag(self, nag: int) -> None:
        if self.comments:
            self._word(f"${nag}")

    def visit_move(self, board: Board, move: Move) -> None:
        if board.turn:
            self._word(f"{board.fullmove_number}.")
        elif self.needs_number:
            self._word(f"{board.fullmove_number}...")
        self._word(board.san(move))
        self.needs_number = False

    def visit_result(self, result: str) -> None:
        self._word(result)

    def end_game(self) -> None:
        self._flush()


class StringExporter(_Exporter, BaseVisitor[str]):
    """Writes a game as text: ``game.accept(StringExporter(columns=None, headers=False))``."""

    def __init__(
        self, *, columns: Optional[int] = 80, headers: bool = True, comments: bool = True, variations: bool = True
    ) -> None:
        super().__init__(columns=columns, headers=headers, comments=comments, variations=variations)
        self.lines: List[str] = []

    def write_line(self, line: str = "") -> None:
        self.lines.append(line.rstrip())

    def result(self) -> str:
        self._flush()
        return "\n".join(self.lines).rstrip()

    def __str__(self) -> str:
        return self.result()


class FileExporter(_Exporter, BaseVisitor[int]):
    """Writes games to a file object, with an empty line behind each. The result is the number of letters."""

    def __init__(
        self,
        handle: IO[str],
        *,
        columns: Optional[int] = 80,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        super().__init__(columns=columns, headers=headers, comments=comments, variations=variations)
        self.handle = handle
        self.written = 0

    def begin_game(self) -> None:
        super().begin_game()
        self.written = 0

    def write_line(self, line: str = "") -> None:
        self.written += self.handle.write(line.rstrip() + "\n")

    def end_game(self) -> None:
        super().end_game()
        self.write_line()

    def result(self) -> int:
        self._flush()
        return self.written
