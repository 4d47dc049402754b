"""``Data``: files of packed training games, as games and as numpy arrays."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._board import Board
from ._numbers import whole
from ._positions import Positions
from ._saavedra import DataReader, DataWriter, Move, _TrainingGame

_RESULTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}


class TrainingGame:
    """A finished game with a score for every position in which a move was played, from White's side."""

    def __init__(
        self, start: Union[Board, str], moves: Iterable[Move], scores: Iterable[int], result: Union[str, int]
    ) -> None:
        board = Board(start) if isinstance(start, str) else start
        if isinstance(result, str) and result not in _RESULTS:
            raise ValueError(f"{result!r} is not the result of a finished game: they are 1-0, 0-1 and 1/2-1/2")
        number = _RESULTS[result] if isinstance(result, str) else result
        self._game = _TrainingGame(board, list(moves), list(scores), number)

    @classmethod
    def _of(cls, game: Any) -> "TrainingGame":
        made = cls.__new__(cls)
        made._game = game
        return made

    @property
    def moves(self) -> List[Move]:
        """The moves that were played."""
        return self._game.moves()

    @property
    def scores(self) -> List[int]:
        """The score of the position before each move, from White's side."""
        return self._game.scores()

    @property
    def result(self) -> str:
        """``1-0``, ``0-1`` or ``1/2-1/2``."""
        return next(text for text, number in _RESULTS.items() if number == self._game.result)

    def board(self) -> Board:
        """The position in which the game starts."""
        fen, chess960 = self._game.start
        return Board(fen, chess960=chess960)

    def to_pgn(self) -> Any:
        """The game as a ``pgn.Game``; a score is the evaluation after the move before."""
        from ._score import Cp, PovScore
        from .pgn import Game

        game = Game()
        game.setup(self.board())
        game.headers["Result"] = self.result
        node: Any = game
        for move, score in zip(self.moves, self.scores):
            node.set_eval(PovScore(Cp(score), True))
            node = node.add_variation(move)
        return game

    def __len__(self) -> int:
        return len(self._game)

    def __eq__(self, other: object) -> bool:
        return self._game == other._game if isinstance(other, TrainingGame) else NotImplemented

    __hash__ = None  # type: ignore

    def __repr__(self) -> str:
        return f"<TrainingGame of {len(self)} moves, {self.result}>"

    def __reduce__(self) -> Any:
        return type(self), (self.board(), self.moves, self.scores, self.result)


class Samples(NamedTuple):
    """Positions to learn from, as arrays with a row for each."""

    #: ``Positions``: ask them for planes, features, masks.
    positions: Positions
    #: The moves that were played, as ``uint16``: see ``pgn.decode_moves``.
    moves: Any
    #: ``int16``, from White's side.
    scores: Any
    #: ``int8``: 1, 0, −1 as White won, drew, lost.
    results: Any
    #: ``uint32``: half-moves of the game that were played before.
    plies: Any

    def targets(self) -> Tuple[Any, Any]:
        """Scores and results from the side of the player to move, as ``float32``, for ``torch.from_numpy``."""
        import numpy

        side = numpy.where(self.positions.turns(), numpy.float32(1), numpy.float32(-1))
        return self.scores * side, self.results * side


class Data:
    """A file of packed training games, as ``saavedra datagen`` writes them.

    Iterating gives the games; ``batches`` and ``to_numpy`` give arrays. Damage raises ``DamagedFileError``, which says
    where it is; asking for the next one goes on behind it. With ``skip_damage=True`` it is left out, and listed in
    ``damage`` of what reads.
    """

    def __init__(self, path: Any, *, skip_damage: bool = False) -> None:
        self.path = path
        self.skip_damage = skip_damage

    def __iter__(self) -> "Games":
        return Games(DataReader(self.path, self.skip_damage))

    def batches(self, size: int = 65_536) -> "Batches":
        """All positions in the order of the file, so many at a time."""
        return Batches(DataReader(self.path, self.skip_damage), whole("size", size, 1))

    def to_numpy(self) -> Samples:
        """All positions at once."""
        import numpy

        parts = list(self.batches(1 << 20))
        if not parts:
            return Samples(Positions(), *(numpy.zeros(0, kind) for kind in ("u2", "i2", "i1", "u4")))
        arrays = [numpy.concatenate([part[field] for part in parts]) for field in range(1, 5)]
        return Samples(Positions.concat(part.positions for part in parts), *arrays)

    @staticmethod
    def write(path: Any, games: Iterable[TrainingGame], *, append: bool = False) -> int:
        """Writes games to a file, or behind those in it, and returns how many they were."""
        writer, count = DataWriter(path, append), 0
        try:
            for game in games:
                writer.write(game._game)
                count += 1
        finally:
            writer.close()
        return count

    def __repr__(self) -> str:
        return f"Data({self.path!r})"


class _Reading:
    def __init__(self, reader: DataReader) -> None:
        self._reader = reader

    @property
    def damage(self) -> Sequence[str]:
        """What was left out so far."""
        return self._reader.damage


class Games(_Reading, Iterator[TrainingGame]):
    """The games of a file, one by one."""

    def __next__(self) -> TrainingGame:
        game = self._reader.next_one()
        if game is None:
            raise StopIteration
        return TrainingGame._of(game)


class Batches(_Reading, Iterator[Samples]):
    """The positions of a file, so many at a time."""

    def __init__(self, reader: DataReader, size: int) -> None:
        super().__init__(reader)
        self._size = size

    def __next__(self) -> Samples:
        import numpy

        arrays: Optional[Any] = self._reader.next_arrays(self._size)
        if arrays is None:
            raise StopIteration
        boards, *others = arrays
        kinds = ("u2", "i2", "i1", "u4")
        positions = Positions.from_packed(boards)
        return Samples(positions, *(numpy.frombuffer(data, kind) for data, kind in zip(others, kinds)))
