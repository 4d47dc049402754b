"""What every engine can be asked, in this process or outside: searches that wait, that go on, and that are awaited."""

from __future__ import annotations

import operator
from typing import Any, AsyncIterator, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, TypeVar, Union
from typing import SupportsIndex, overload

from ._board import Board
from ._failures import EngineError
from ._numbers import whole
from ._results import BestMove, Info, InfoDict, Limit, Option, PlayResult, info_of
from ._saavedra import EngineCore, Move, Search

E = TypeVar("E", bound="Searching")
T = TypeVar("T")
#: The value of an option.
ConfigValue = Union[str, int, bool, None]


class AnalysisResult:
    """An analysis under way: an iterator of what the engine tells, with the latest of each line at hand.

    It ends when a limit is reached, by ``stop()``, at the end of a ``with`` block, or when nothing refers to it any
    more. Infos that are not read in time are dropped, the oldest first; ``multipv`` always has the latest.
    """

    def __init__(self, engine: "Searching", search: Search, turn: bool, wanted: int) -> None:
        # The engine must live as long as its analysis.
        self._engine, self._search, self._turn, self._wanted = engine, search, turn, wanted

    @property
    def multipv(self) -> List[InfoDict]:
        """What is known of each line, the best first."""
        return [info_of(told, self._turn, self._wanted) for told in self._search.lines()]

    @property
    def info(self) -> InfoDict:
        """What is known of the best line."""
        lines = self.multipv
        return lines[0] if lines else {}

    def stop(self) -> None:
        """Ends the analysis soon. What it has told so far can still be read."""
        self._search.stop()

    def wait(self) -> BestMove:
        """Waits for the end. An analysis without limits has to be stopped first."""
        return BestMove(*self._search.wait())

    def would_block(self) -> bool:
        """Whether the next info would have to be waited for."""
        return not self._search.is_ready()

    def empty(self) -> bool:
        """The same as ``would_block()``."""
        return self.would_block()

    def next(self, timeout: Optional[float] = None) -> Optional[InfoDict]:
        """The next info; ``None`` if the analysis is over, or none came within so many seconds."""
        told = self._search.next(timeout)
        if told is None and self._search.is_over():
            # What ended the engine is told here.
            self._search.wait()
        return None if told is None else info_of(told, self._turn, self._wanted)

    def __iter__(self) -> Iterator[InfoDict]:
        return self

    def __next__(self) -> InfoDict:
        info = self.next()
        if info is None:
            raise StopIteration
        return info

    def __enter__(self) -> "AnalysisResult":
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()


class AsyncAnalysis:
    """The same for ``async for``: see ``AnalysisResult``."""

    def __init__(self, begin: Callable[[], AnalysisResult]) -> None:
        self._begin = begin
        self._result: Optional[AnalysisResult] = None
        self._is_stopped = False

    async def _analysis(self) -> AnalysisResult:
        if self._result is None:
            self._result = await _elsewhere(self._begin)
            if self._is_stopped:
                self._result.stop()
        return self._result

    @property
    def multipv(self) -> List[InfoDict]:
        """What is known of each line, the best first."""
        return self._result.multipv if self._result else []

    @property
    def info(self) -> InfoDict:
        """What is known of the best line."""
        return self._result.info if self._result else {}

    def stop(self) -> None:
        """Ends the analysis soon."""
        self._is_stopped = True
        if self._result:
            self._result.stop()

    async def wait(self) -> BestMove:
        """Waits for the end."""
        analysis = await self._analysis()
        return await _elsewhere(analysis.wait, analysis.stop)

    def __aiter__(self) -> AsyncIterator[InfoDict]:
        return self

    async def __anext__(self) -> InfoDict:
        analysis = await self._analysis()
        info = await _elsewhere(analysis.next, analysis.stop)
        if info is None:
            raise StopAsyncIteration
        return info

    async def __aenter__(self) -> "AsyncAnalysis":
        await self._analysis()
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.stop()


async def _elsewhere(work: Callable[[], T], stop: Optional[Callable[[], None]] = None) -> T:
    """Does what waits on a thread of the loop; if the task is cancelled, it is stopped."""
    import asyncio

    try:
        return await asyncio.get_running_loop().run_in_executor(None, work)
    except asyncio.CancelledError:
        if stop:
            stop()
        raise


class Searching:
    """An engine: the base of ``Engine`` and ``UciEngine``.

    It does one thing at a time. Calls from several threads wait for each other; while an ``analysis`` is open, they
    raise ``EngineBusyError``. After ``close()``, or after it has ended, they raise ``EngineTerminatedError``. In a fork
    they raise ``EngineError``: each process makes an engine of its own.
    """

    _core: EngineCore
    _game: object = None

    @property
    def id(self) -> Dict[str, str]:
        """``name`` and ``author``."""
        name, author = self._core.id()
        return {"name": name, "author": author}

    @property
    def options(self) -> Dict[str, Option]:
        """The options by name."""
        return {told[0]: Option(*told) for told in self._core.options()}

    def configure(self, options: Mapping[str, ConfigValue]) -> None:
        """Sets options. An unknown name, or a value that an option cannot have, is an error that says so."""
        known = {name.lower(): option for name, option in self.options.items()}
        for name, value in options.items():
            option = known.get(name.lower())
            if option and option.is_managed():
                raise EngineError(f"{option.name} is set by the package: multipv=…, or a board of Chess960")
            if option:
                _check(option, value)
            text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
            self._core.set_option(name, text)

    def ping(self) -> None:
        """Waits until the engine has done everything so far."""
        self._core.ping()

    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        game: object = None,
        info: int = Info.NONE,
        root_moves: Optional[Iterable[Move]] = None,
        options: Mapping[str, ConfigValue] = {},
    ) -> PlayResult:
        """The move to play. Another ``game`` object than the last time begins a new game."""
        if options:
            self.configure(options)
        search = self._core.run(board, _limited(limit), 1, _listed(root_moves), self._is_new(game))
        return self._played(search, board.turn, info)

    @overload
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int,
        game: object = ...,
        info: int = ...,
        root_moves: Optional[Iterable[Move]] = ...,
        options: Mapping[str, ConfigValue] = ...,
    ) -> List[InfoDict]: ...

    @overload
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: None = ...,
        game: object = ...,
        info: int = ...,
        root_moves: Optional[Iterable[Move]] = ...,
        options: Mapping[str, ConfigValue] = ...,
    ) -> InfoDict: ...

    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: int = Info.ALL,
        root_moves: Optional[Iterable[Move]] = None,
        options: Mapping[str, ConfigValue] = {},
    ) -> Union[InfoDict, List[InfoDict]]:
        """What the engine finds within a limit; with ``multipv``, a list of that many lines, the best first."""
        if options:
            self.configure(options)
        search = self._core.run(board, _limited(limit), _lines(multipv), _listed(root_moves), self._is_new(game))
        return self._analysed(search, board.turn, multipv, info)

    def analysis(
        self,
        board: Board,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: int = Info.ALL,
        root_moves: Optional[Iterable[Move]] = None,
        options: Mapping[str, ConfigValue] = {},
    ) -> AnalysisResult:
        """Begins an analysis; without a limit it goes on until it is stopped.

        >>> with engine.analysis(board) as analysis:  # doctest: +SKIP
        ...     for info in analysis:
        ...         if info.get("depth", 0) >= 12:
        ...             break
        """
        if options:
            self.configure(options)
        search = self._core.start(board, limit, _lines(multipv), _listed(root_moves), self._is_new(game), True)
        return AnalysisResult(self, search, board.turn, info)

    async def play_async(self, board: Board, limit: Limit, *, info: int = Info.NONE, **keywords: Any) -> PlayResult:
        """The same as ``play`` for asyncio. Cancelling the task stops the search."""
        search = await self._awaited(board, limit, None, keywords)
        return self._played(search, board.turn, info)

    async def analyse_async(
        self, board: Board, limit: Limit, *, multipv: Optional[int] = None, info: int = Info.ALL, **keywords: Any
    ) -> Union[InfoDict, List[InfoDict]]:
        """The same as ``analyse`` for asyncio. Cancelling the task stops the search."""
        search = await self._awaited(board, limit, multipv, keywords)
        return self._analysed(search, board.turn, multipv, info)

    def analysis_async(self, board: Board, limit: Optional[Limit] = None, **keywords: Any) -> AsyncAnalysis:
        """The same as ``analysis`` for ``async for``. It begins when it is first waited for."""
        own = board.copy()
        return AsyncAnalysis(lambda: self.analysis(own, limit, **keywords))

    def close(self) -> None:
        """Ends the engine and what it is doing. Closing it again does nothing."""
        self._core.close()

    def quit(self) -> None:
        """The same as ``close()``."""
        self.close()

    def __enter__(self: E) -> E:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    async def _awaited(self, board: Board, limit: Limit, multipv: Optional[int], keywords: Dict[str, Any]) -> Search:
        own, is_new = board.copy(), self._is_new(keywords.pop("game", None))
        moves, options = _listed(keywords.pop("root_moves", None)), keywords.pop("options", None)
        if keywords:
            raise TypeError(f"there is no argument {next(iter(keywords))!r}")
        if options:
            await _elsewhere(lambda: self.configure(options))
        lines = _lines(multipv)
        search = await _elsewhere(lambda: self._core.start(own, _limited(limit), lines, moves, is_new, False))
        await _elsewhere(search.wait, search.stop)
        return search

    def _played(self, search: Search, turn: bool, wanted: int) -> PlayResult:
        (move, ponder), lines = search.wait(), search.lines()
        return PlayResult(move, ponder, info_of(lines[0], turn, wanted) if lines and wanted else None)

    def _analysed(
        self, search: Search, turn: bool, multipv: Optional[int], wanted: int
    ) -> Union[InfoDict, List[InfoDict]]:
        lines = [info_of(told, turn, wanted) for told in search.lines()]
        if multipv is not None:
            return lines
        return lines[0] if lines else {}

    def _is_new(self, game: object) -> bool:
        is_new, self._game = game is not None and game != self._game, game if game is not None else self._game
        return is_new


def _limited(limit: Optional[Limit]) -> Limit:
    """A search that is waited for has to end by itself."""
    names = ("time", "depth", "nodes", "mate", "white_clock", "black_clock")
    if all(getattr(limit, name, None) is None for name in names):
        raise ValueError("the search would never end: expected a Limit with a time, depth, nodes, mate or clock")
    return limit  # type: ignore[return-value]


def _lines(multipv: Optional[int]) -> int:
    return 1 if multipv is None else whole("multipv", multipv, 1, 256)


def _listed(moves: Optional[Iterable[Move]]) -> Optional[List[Move]]:
    return None if moves is None else list(moves)


def _index(value: Any) -> Optional[int]:
    return operator.index(value) if isinstance(value, SupportsIndex) else None


def _check(option: Option, value: ConfigValue) -> None:
    """Refuses a value that is not of the option's kind or range."""
    if option.type == "spin":
        number = None if isinstance(value, (bool, str)) else _index(value)
        if isinstance(value, str) and value.lstrip("-").isdigit():
            number = int(value)
        if number is None:
            raise EngineError(f"{option.name} is a whole number, not {value!r}")
        if (option.min is not None and number < option.min) or (option.max is not None and number > option.max):
            raise EngineError(f"{option.name} is between {option.min} and {option.max}, not {number}")
    elif option.type == "check" and str(value).lower() not in ("true", "false"):
        raise EngineError(f"{option.name} is True or False, not {value!r}")
    elif option.type == "combo" and str(value).lower() not in (choice.lower() for choice in option.var):
        raise EngineError(f"{option.name} is one of {', '.join(option.var)}, not {value!r}")
