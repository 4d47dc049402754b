"""Engines: Saavedra's own in this process, and UCI engines outside, with the names of ``chess.engine``.

>>> import saavedra as chess
>>> with chess.Engine() as engine:
...     info = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), chess.Limit(depth=6))
...     print(info["score"].white(), info["pv"][0])
#+1 d1d8
"""

from __future__ import annotations

import os
import weakref
from typing import Any, List, Optional, Sequence, Union

from ._board import Board
from ._failures import EngineBusyError, EngineError, EngineTerminatedError, EngineTimeoutError
from ._numbers import whole
from ._results import (
    INFO_ALL,
    INFO_BASIC,
    INFO_CURRLINE,
    INFO_NONE,
    INFO_PV,
    INFO_REFUTATION,
    INFO_SCORE,
    BestMove,
    Info,
    InfoDict,
    Limit,
    Option,
    PlayResult,
    PovWdl,
    Wdl,
)
from ._saavedra import EngineCore
from ._score import Cp, Mate, MateGiven, PovScore, Score
from ._searching import AnalysisResult, AsyncAnalysis, ConfigValue, Searching

__all__ = [
    "AnalysisResult",
    "AsyncAnalysis",
    "BestMove",
    "ConfigValue",
    "Cp",
    "Engine",
    "EngineBusyError",
    "EngineError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "INFO_ALL",
    "INFO_BASIC",
    "INFO_CURRLINE",
    "INFO_NONE",
    "INFO_PV",
    "INFO_REFUTATION",
    "INFO_SCORE",
    "Info",
    "InfoDict",
    "Limit",
    "Mate",
    "MateGiven",
    "Option",
    "PlayResult",
    "PovScore",
    "PovWdl",
    "Score",
    "SimpleEngine",
    "UciEngine",
    "Wdl",
]


class Engine(Searching):
    """Saavedra's search in this process, with the network that is inside the package.

    ``hash`` is the size of its table in MiB. ``network`` is another network file, ``syzygy`` a folder of tablebases.
    ``elo`` (500 to 2800) or ``level`` (0 to 20, which is full strength) make it play worse, the way people do; ``seed``
    repeats its mistakes. Other options are set by ``configure``.
    """

    def __init__(
        self,
        hash: int = 16,
        threads: int = 1,
        network: "Union[str, os.PathLike[str], None]" = None,
        syzygy: "Union[str, os.PathLike[str], None]" = None,
        *,
        elo: Optional[int] = None,
        level: Optional[int] = None,
        seed: Optional[int] = None,
    ) -> None:
        if elo is not None and level is not None:
            raise ValueError("elo and level are two words for the same: give one of them")
        self._core = EngineCore.own(None if seed is None else whole("seed", seed))
        if hash != 16:
            self.configure({"Hash": hash})
        if threads != 1:
            self.configure({"Threads": threads})
        if network is not None:
            self.configure({"EvalFile": os.fspath(network)})
        if syzygy is not None:
            self.configure({"SyzygyPath": os.fspath(syzygy)})
        if elo is not None:
            self.configure({"UCI_LimitStrength": True, "UCI_Elo": elo})
        if level is not None:
            self.configure({"Skill Level": level})

    def evaluate(self, board: Board) -> PovScore:
        """What the network says of a position without looking ahead. In check it says little."""
        return PovScore(Cp(self._core.evaluate(board)), board.turn)

    def __repr__(self) -> str:
        return f"<Engine in this process{', closed' if self._core.ended() else ''}>"


#: Programs that are ended with this process, at the latest.
_running: "weakref.WeakSet[UciEngine]" = weakref.WeakSet()


class UciEngine(Searching):
    """A UCI engine in another process.

    ``command`` is a program with arguments, as a list or in one line. ``timeout`` is how many seconds the engine gets
    to start, to answer, and to stop beyond the time of its limit; ``longest_search`` is the time of a search whose
    limit has none, with ``None`` for as long as it takes. An engine that is late is ended, with everything it has started.
    """

    def __init__(
        self,
        command: "Union[str, os.PathLike[str], Sequence[Union[str, os.PathLike[str]]]]",
        options: Optional[dict] = None,
        *,
        timeout: float = 10.0,
        longest_search: Optional[float] = 600.0,
        cwd: "Union[str, os.PathLike[str], None]" = None,
    ) -> None:
        self.command = _words(command)
        self._core = EngineCore.outside(self.command, cwd, timeout, longest_search)
        _running.add(self)
        if options:
            try:
                self.configure(options)
            except BaseException:
                self.close()
                raise

    @classmethod
    def popen_uci(cls, command: Any, *, timeout: float = 10.0, setpgrp: bool = False, **keywords: Any) -> "UciEngine":
        """The engine, by the name that python-chess has for this. ``setpgrp`` changes nothing: see docs/python.md."""
        return cls(command, timeout=timeout, **keywords)

    def __repr__(self) -> str:
        return f"<UciEngine {' '.join(self.command)!r}{', ended' if self._core.ended() else ''}>"


#: The class of python-chess that blocks.
SimpleEngine = UciEngine


def _words(command: Any) -> List[str]:
    if isinstance(command, str):
        return EngineCore.words(command)
    if isinstance(command, os.PathLike):
        return [os.fspath(command)]
    return [os.fspath(word) for word in command]


def _end_all() -> None:
    for engine in list(_running):
        engine.close()


import atexit  # noqa: E402

atexit.register(_end_all)
