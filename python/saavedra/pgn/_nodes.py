"""Games as trees of moves."""

from __future__ import annotations

from typing import Any, Callable, Dict, Generic, Iterable, Iterator, List, Mapping, Optional, Set, Tuple, TypeVar, Union

from .._board import Board
from .._saavedra import GameRecord, Move
from .._squares import STARTING_FEN
from . import _visitors
from ._annotations import Annotated
from ._headers import Headers
from ._time_control import TimeControl, parse_time_control

G = TypeVar("G", bound="Game")
T = TypeVar("T")
Which = Union[int, Move, "GameNode"]


class GameNode(Annotated):
    """A place in a game: the start, or what is reached by a move."""

    parent: "Optional[GameNode]" = None
    move: Optional[Move] = None
    variations: "List[ChildNode]"
    comment: str
    starting_comment: str
    nags: Set[int]

    def __init__(self, *, comment: str = "") -> None:
        self.variations = []
        self.comment = comment
        self.starting_comment = ""
        self.nags = set()

    def board(self) -> Board:
        """A board of its own with the position of this place and the moves that led to it."""
        moves: List[Move] = []
        node: GameNode = self
        while node.parent is not None and node.move is not None:
            moves.append(node.move)
            node = node.parent
        board = node._start()
        for move in reversed(moves):
            board.push(move)
        return board

    def _start(self) -> Board:
        return Board()

    def ply(self) -> int:
        """Half-moves up to here, by the number of the first move."""
        count, node = 0, self
        while node.parent is not None:
            count, node = count + 1, node.parent
        return count + node._start().ply()

    def turn(self) -> bool:
        """The player to move."""
        return self.ply() % 2 == 0

    def root(self) -> "GameNode":
        """Where the moves start."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def game(self) -> "Game":
        """The game that this place belongs to."""
        root = self.root()
        if not isinstance(root, Game):
            raise ValueError("the node belongs to no game")
        return root

    def end(self) -> "GameNode":
        """The last place of the main line from here."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def is_end(self) -> bool:
        """Whether no move follows."""
        return not self.variations

    def starts_variation(self) -> bool:
        """Whether this is the first move of a variation."""
        siblings = self.parent.variations if self.parent is not None else []
        return bool(siblings) and siblings[0] is not self

    def is_main_variation(self) -> bool:
        """Whether this is what was played after the place before."""
        return not self.starts_variation()

    def is_mainline(self) -> bool:
        """Whether this belongs to the moves that were played."""
        node = self
        while node.parent is not None:
            if not node.parent.variations or node.parent.variations[0] is not node:
                return False
            node = node.parent
        return True

    def __getitem__(self, move: Which) -> "ChildNode":
        if isinstance(move, int):
            return self.variations[move]
        for child in self.variations:
            if child is move or child.move == move:
                return child
        raise KeyError(move)

    def __contains__(self, move: Which) -> bool:
        if isinstance(move, int):
            return -len(self.variations) <= move < len(self.variations)
        return any(child is move or child.move == move for child in self.variations)

    def variation(self, move: Which) -> "ChildNode":
        """What follows by a move, or by its number."""
        return self[move]

    def has_variation(self, move: Which) -> bool:
        """Whether the move is one of those that follow."""
        return move in self

    def _shift(self, move: Which, place: Callable[[int], int]) -> None:
        child = self[move]
        index = next(index for index, other in enumerate(self.variations) if other is child)
        self.variations.insert(max(place(index), 0), self.variations.pop(index))

    def promote_to_main(self, move: Which) -> None:
        """Makes a move the one that was played."""
        self._shift(move, lambda index: 0)

    def promote(self, move: Which) -> None:
        """Moves a variation one place up."""
        self._shift(move, lambda index: index - 1)

    def demote(self, move: Which) -> None:
        """Moves a variation one place down."""
        self._shift(move, lambda index: index + 1)

    def remove_variation(self, move: Which) -> None:
        """Removes a move and all that follows it."""
        child = self[move]
        self.variations[:] = [other for other in self.variations if other is not child]

    def add_variation(
        self, move: Move, *, comment: str = "", starting_comment: str = "", nags: Iterable[int] = ()
    ) -> "ChildNode":
        """Adds a move: as the one that was played if it is the first here, else as a variation."""
        return ChildNode(self, move, comment=comment, starting_comment=starting_comment, nags=nags)

    def add_main_variation(self, move: Move, *, comment: str = "", nags: Iterable[int] = ()) -> "ChildNode":
        """Adds a move as the one that was played."""
        node = self.add_variation(move, comment=comment, nags=nags)
        self.variations.insert(0, self.variations.pop())
        return node

    def add_line(
        self, moves: Iterable[Move], *, comment: str = "", starting_comment: str = "", nags: Iterable[int] = ()
    ) -> "GameNode":
        """Adds moves one after the other and returns the last place, which gets the comment and the glyphs."""
        node = self
        for move in moves:
            node = node.add_variation(move, starting_comment=starting_comment)
            starting_comment = ""
        if comment:
            node.comment = f"{node.comment} {comment}" if node.comment else comment
        node.nags.update(nags)
        return node

    def next(self) -> "Optional[ChildNode]":
        """What was played here."""
        return self.variations[0] if self.variations else None

    def mainline(self) -> "Mainline[ChildNode]":
        """The places of the main line after this one."""
        return Mainline(self, lambda node: node)

    def mainline_moves(self) -> "Mainline[Move]":
        """The moves of the main line after this place."""
        return Mainline(self, lambda node: node.move)

    def accept(self, visitor: "_visitors.BaseVisitor[T]") -> T:
        """Tells a visitor what follows, and returns its result."""
        raise NotImplementedError

    def accept_subgame(self, visitor: "_visitors.BaseVisitor[T]") -> T:
        """Tells a visitor what follows as a game of its own."""
        return _visitors.tell_subgame(self, visitor)

    def __str__(self) -> str:
        return self.accept(_visitors.StringExporter(columns=None))


class ChildNode(GameNode):
    """A move of a game or of a variation, and the place that it leads to."""

    parent: GameNode
    move: Move

    def __init__(
        self,
        parent: GameNode,
        move: Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> None:
        self.parent = parent
        self.move = move
        self.variations = []
        self.comment = comment
        self.starting_comment = starting_comment
        self.nags = set(nags)
        parent.variations.append(self)

    def san(self) -> str:
        """The move in standard notation."""
        return self.parent.board().san(self.move)

    def uci(self, *, chess960: Optional[bool] = None) -> str:
        """The move as UCI writes it."""
        return self.parent.board().uci(self.move, chess960=chess960)

    def end(self) -> "ChildNode":
        """The last place of the main line from here."""
        return super().end()  # type: ignore

    def accept(self, visitor: "_visitors.BaseVisitor[T]") -> T:
        """Tells a visitor this move and what follows, and returns its result."""
        return _visitors.tell_move(self, visitor)

    def __repr__(self) -> str:
        board = self.parent.board()
        number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
        return f"<{type(self).__name__} at {id(self):#x} ({number} {board.san(self.move)} ...)>"


class Game(GameNode):
    """A game: its headers, and its moves as a tree. Both are made when they are first looked at."""

    headers: Headers
    #: What was wrong with the game where it was read; the moves before that are there.
    errors: List[Exception]

    def __init__(self, headers: Optional[Union[Mapping[str, str], Iterable[Tuple[str, str]]]] = None) -> None:
        super().__init__()
        self.headers = Headers(headers)
        self.errors = []

    @classmethod
    def _of(cls: "type[G]", record: GameRecord) -> G:
        """The game of a record, whose moves stay there for now."""
        game = cls.__new__(cls)
        problem = record.problem
        game.errors = [problem] if problem is not None else []
        game.starting_comment = ""
        game.nags = set()
        game._record = record
        return game

    _record: Optional[GameRecord]

    def __getattr__(self, name: str) -> Any:
        record = self.__dict__.get("_record")
        if record is not None and name == "headers":
            self.headers = Headers._of(record.headers, roster=True)
            return self.headers
        if record is not None and name in ("variations", "comment"):
            self._load()
            return self.__dict__[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("variations", "comment") and self.__dict__.get("_record") is not None:
            self._load()
        object.__setattr__(self, name, value)

    def _load(self) -> None:
        """Makes the tree."""
        _ = self.headers
        record = self.__dict__.pop("_record")
        self.variations, self.comment = [], ""
        _grow(self, record.events())

    def _start(self) -> Board:
        return self.headers.board()

    def _moves_read(self) -> Optional[List[Move]]:
        """The moves that were played, if the tree has not been made."""
        record = self.__dict__.get("_record")
        return record.mainline_moves() if record is not None else None

    def setup(self, board: Union[Board, str]) -> None:
        """Lets the game start from a position."""
        if isinstance(board, str):
            board = Board(board, chess960=self.headers.is_chess960())
        fen = board.fen()
        for name, value in (("FEN", fen), ("SetUp", "1")):
            if fen == STARTING_FEN:
                self.headers.pop(name, None)
            else:
                self.headers[name] = value
        if board.chess960:
            self.headers["Variant"] = "Chess960"
        elif self.headers.is_chess960():
            del self.headers["Variant"]

    def accept(self, visitor: "_visitors.BaseVisitor[T]") -> T:
        """Tells a visitor the game, and returns its result."""
        return _visitors.tell_game(self, visitor)

    def time_control(self) -> TimeControl:
        """The tag ``TimeControl`` as numbers."""
        return parse_time_control(self.headers.get("TimeControl", ""))

    @classmethod
    def from_board(cls: "type[G]", board: Board) -> G:
        """The game whose moves were played on a board."""
        game = cls()
        game.setup(board.root())
        game.add_line(board.move_stack)
        game.headers["Result"] = board.result()
        return game

    @classmethod
    def without_tag_roster(cls: "type[G]") -> G:
        """A game without any tag."""
        return cls(headers={})

    def write(self, path: Any, *, append: bool = True) -> None:
        """Writes the game to the end of a file, or as a file of its own with ``append=False``."""
        mode = "a" if append else "w"
        with open(path, mode, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            self.accept(_visitors.FileExporter(file))

    def __repr__(self) -> str:
        names = [self.headers.get(name, "?") for name in ("White", "Black", "Date", "Site")]
        return f"<{type(self).__name__} at {id(self):#x} ({names[0]!r} vs. {names[1]!r}, {names[2]!r} at {names[3]!r})>"

    def __reduce__(self) -> Any:
        _ = self.variations
        attributes = {name: value for name, value in self.__dict__.items() if name != "variations"}
        return _remembered, (type(self), list(_flat(self)), attributes)

    def __deepcopy__(self: G, memo: Dict[int, Any]) -> G:
        import copy

        _, (kind, flat, attributes) = self.__reduce__()
        game: G = _remembered(kind, flat, copy.deepcopy(attributes, memo))
        memo[id(self)] = game
        return game


def _grow(game: Game, events: List[Any]) -> None:
    """Adds what a record tells to a game. A variation replaces the move before it."""
    node: GameNode = game
    around: List[GameNode] = []
    opening: Optional[str] = None
    for event in events:
        if isinstance(event, Move):
            node = node.add_variation(event, starting_comment=opening or "")
            opening = None
        elif isinstance(event, str):
            comment = event.strip()
            if opening is not None:
                opening = f"{opening} {comment}".strip()
            else:
                node.comment = f"{node.comment} {comment}".strip()
        elif event is True:
            around.append(node)
            node, opening = node.parent, ""  # type: ignore
        elif event is ...:
            node, opening = around.pop(), None
        elif opening is None:
            node.nags.add(event)


def _flat(game: Game) -> Iterator[Any]:
    """The tree as a list, so that its depth does not matter: each node with the number of its parent before it."""
    nodes: List[Tuple[GameNode, int]] = [(game, -1)]
    for number, (node, parent) in enumerate(nodes):
        nodes.extend((child, number) for child in node.variations)
        if parent >= 0:
            attributes = {name: value for name, value in node.__dict__.items() if name not in ("parent", "variations")}
            yield parent, attributes


def _remembered(kind: "type[G]", flat: List[Tuple[int, Dict[str, Any]]], attributes: Dict[str, Any]) -> G:
    """A game from its pickle."""
    game = kind.__new__(kind)
    game.variations = []
    game.__dict__.update(attributes)
    nodes: List[GameNode] = [game]
    for parent, values in flat:
        node = nodes[parent].add_variation(values["move"])
        node.__dict__.update(values, nags=set(values["nags"]))
        nodes.append(node)
    return game


class Mainline(Generic[T]):
    """The places or moves of a main line. It can be walked from either end, and is text as ``str``."""

    def __init__(self, start: GameNode, f: "Callable[[ChildNode], T]") -> None:
        self._node = start
        self._f = f

    def _read(self) -> Optional[List[Any]]:
        """Moves that can be told without a tree."""
        is_moves = isinstance(self._node, Game) and self._f.__code__ is _MOVES
        return self._node._moves_read() if is_moves else None  # type: ignore

    def __bool__(self) -> bool:
        read = self._read()
        return bool(read) if read is not None else bool(self._node.variations)

    def __iter__(self) -> Iterator[T]:
        read = self._read()
        return iter(read) if read is not None else self._walk()

    def _walk(self) -> Iterator[T]:
        node = self._node
        while node.variations:
            node = node.variations[0]
            yield self._f(node)

    def __reversed__(self) -> Iterator[T]:
        return reversed(list(self))

    def accept(self, visitor: "_visitors.BaseVisitor[Any]") -> Any:
        """Tells a visitor the moves, without the variations."""
        return _visitors.tell_mainline(self._node, visitor)

    def __str__(self) -> str:
        return self.accept(_visitors.StringExporter(columns=None))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {id(self):#x} ({self})>"


_MOVES = Mainline(Game(), GameNode().mainline_moves()._f)._f.__code__
