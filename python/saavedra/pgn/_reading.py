"""Reading games from files."""

from __future__ import annotations

import weakref
from typing import Any, Callable, Generic, Iterator, Optional, Sequence, Tuple, Type, TypeVar, Union

from .._saavedra import PgnReader, read_one_game
from ._headers import Headers
from ._nodes import Game
from ._visitors import BaseVisitor

G = TypeVar("G", bound=Game)


class Games(Generic[G]):
    """The games of a file, one by one. It can be closed, and used with ``with``."""

    def __init__(self, reader: PgnReader, kind: "Type[G]", is_strict: bool) -> None:
        self._reader = reader
        self._kind = kind
        self._is_strict = is_strict

    def __iter__(self) -> "Iterator[G]":
        return self

    def __next__(self) -> G:
        record = next(self._reader)
        if self._is_strict and record.problem is not None:
            raise record.problem
        return self._kind._of(record)

    def close(self) -> None:
        """Closes the file; there are no more games."""
        self._reader.close()

    def __enter__(self) -> "Games[G]":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def read_pgn(
    source: Any,
    filter: Optional[Callable[[Headers], Any]] = None,
    *,
    min_elo: Optional[int] = None,
    max_elo: Optional[int] = None,
    player: Optional[str] = None,
    white: Optional[str] = None,
    black: Optional[str] = None,
    event: Optional[str] = None,
    site: Optional[str] = None,
    result: Union[str, Sequence[str], None] = None,
    eco: Union[str, Sequence[str], None] = None,
    since: Any = None,
    until: Any = None,
    strict: bool = False,
    Game: "Type[G]" = Game,  # type: ignore
) -> "Games[G]":
    """The games of a file, one by one: plain, gzip, Zstandard or ZIP, of any size.

    ``source`` is a path, bytes, or an object with a method ``read``. ``filter`` is a function of the headers; the
    bounds are quicker. The moves of a game that is not wanted are passed over without a look at them.

    * ``min_elo``, ``max_elo``: bounds of both ratings.
    * ``player``, ``white``, ``black``, ``event``, ``site``: a part of the name, in any case.
    * ``result``: one or several of ``1-0``, ``0-1``, ``1/2-1/2``, ``*``.
    * ``eco``: how the code begins, or several beginnings: ``eco=["B9", "C65"]``.
    * ``since``, ``until``: dates, as ``2024.12.31`` or a ``datetime.date``.

    A game in which something is wrong is given up to there, and ``game.errors`` says what it was; with
    ``strict=True`` it is raised.
    """
    bounds = {
        "min_elo": min_elo,
        "max_elo": max_elo,
        "player": player,
        "white": white,
        "black": black,
        "event": event,
        "site": site,
        "result": result,
        "eco": eco,
        "since": since,
        "until": until,
    }
    return Games(PgnReader(source, filter, bounds), Game, strict)


#: What was taken from a file object and belongs to its next game, and where the file stood then.
_LEFT: "weakref.WeakKeyDictionary[Any, Tuple[bytes, Any]]" = weakref.WeakKeyDictionary()


def _place(handle: Any) -> Any:
    try:
        return handle.tell()
    except (AttributeError, OSError):
        return None


def _next_record(handle: Any, only_headers: bool) -> Any:
    try:
        left, place = _LEFT.pop(handle, (b"", None))
    except TypeError:
        # An object that cannot be remembered.
        left, place = b"", None
    if left and place != _place(handle):
        left = b""
    record, left = read_one_game(handle, left, only_headers)
    if left.strip():
        try:
            _LEFT[handle] = (left, _place(handle))
        except TypeError:
            raise TypeError("games without results can be read one by one only from objects with weak references") from None
    return record


def read_game(handle: Any, *, Visitor: Optional[Callable[[], BaseVisitor[Any]]] = None) -> Any:
    """Reads one game of a file object, and no line behind it; ``None`` if there is no more.

    For whole files ``read_pgn`` is many times as fast.
    """
    record = _next_record(handle, False)
    if record is None:
        return None
    game = Game._of(record)
    return game if Visitor is None else game.accept(Visitor())


def read_headers(handle: Any) -> Optional[Headers]:
    """Reads the headers of a game of a file object and passes its moves over."""
    record = _next_record(handle, True)
    return None if record is None else Headers._of(record.headers)


def skip_game(handle: Any) -> bool:
    """Passes over a game of a file object; false if there is no more."""
    return _next_record(handle, True) is not None
