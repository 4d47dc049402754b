"""What results say: Elo with its error, sequential tests, ratings of many players.

>>> from saavedra import stats
>>> print(stats.elo(10, 7, 3))
126.97 +/- 134.80
>>> stats.sprt([40, 310, 790, 390, 62], elo0=0, elo1=5).llr
2.696...
"""

from __future__ import annotations

from typing import Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, SupportsIndex, Tuple, Union

from ._numbers import whole
from ._saavedra import elo_of_score, expected_score, performance_of, rate, sprt_of

__all__ = [
    "Elo",
    "Estimate",
    "Rating",
    "Sprt",
    "elo",
    "elo_of_score",
    "expected_score",
    "performance",
    "ratings",
    "sprt",
]

#: Wins, draws and losses, or pairs of games by their points: 0, ½, 1, 1½ and 2.
Counts = Sequence[SupportsIndex]


class Estimate(NamedTuple):
    """A number that is known up to chance: 95 of 100 times the truth lies between the limits."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the distance of the limits."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.value:.2f} +/- {self.error:.2f}"


class Elo(NamedTuple):
    """What results say of two players."""

    #: By how much the first is stronger, by the logistic curve.
    elo: Estimate
    #: The same in standard deviations of a game (nElo).
    nelo: Estimate
    #: How likely it is that the first is stronger at all (LOS), from 0 to 1.
    los: float
    #: The mean score, from 0 to 1.
    score: float

    def __str__(self) -> str:
        return str(self.elo)


class Sprt(NamedTuple):
    """A sequential test of results."""

    #: The log-likelihood ratio.
    llr: float
    #: Where the first hypothesis is accepted, and where the second.
    lower: float
    upper: float
    #: ``H0``, ``H1``, or ``None`` if more games are needed.
    decision: Optional[str]


class Rating(NamedTuple):
    """The rating of a player."""

    name: str
    rating: float
    #: 95 of 100 times the truth is not farther off; ``None`` unless the kind is ``rated``.
    error: Optional[float]
    #: ``rated``, ``at least`` (never lost points), ``at most`` (never made any), or ``apart`` (met nobody rated).
    kind: str
    games: int
    points: float


def elo(wins: Union[SupportsIndex, Counts], draws: SupportsIndex = 0, losses: SupportsIndex = 0) -> Elo:
    """By how much a player is stronger, from wins, draws and losses, or from five counts of pairs of games.

    Pairs that share an opening with colors reversed make the errors smaller and honest: ``elo([0, 3, 10, 7, 0])``.
    The numbers are those of fastchess, to the last digit.
    """
    given = list(wins) if isinstance(wins, Iterable) else [wins, draws, losses]
    score, by_score, normalised, los = performance_of(_counts(given))
    return Elo(Estimate(*by_score), Estimate(*normalised), los, score)


def sprt(
    results: Counts,
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    *,
    model: str = "normalised",
) -> Sprt:
    """Whether results decide between two hypotheses: the player is stronger by ``elo0``, or by ``elo1``.

    ``results`` are three counts of games or five of pairs; ``model`` is the scale of the hypotheses, ``normalised`` or
    ``logistic``.
    """
    return Sprt(*sprt_of(_counts(results), model, elo0, elo1, alpha, beta))


#: White, Black, and the result as PGN writes it or as White's points.
Result = Tuple[str, str, Union[str, float]]


def ratings(
    games: Iterable[object],
    *,
    anchors: Optional[Mapping[str, float]] = None,
    white: Optional[float] = 0.0,
) -> List[Rating]:
    """The most likely ratings of many players, the best first: Elo's model, with a draw as half a win, as in Ordo.

    A game is ``(white, black, result)`` with a result such as ``"1-0"`` or White's points, or anything with
    ``headers``, such as a game of ``saavedra.pgn``; games without a result are left out. ``anchors`` are known ratings
    by name; without them the mean is zero. ``white`` is what the first move is worth, ``None`` to estimate it.
    """
    numbers: Dict[str, int] = {}
    meetings: Dict[Tuple[int, int], List[int]] = {}
    for game in games:
        named = _named(game)
        if named is not None:
            one, other, outcome = named
            pair = (numbers.setdefault(one, len(numbers)), numbers.setdefault(other, len(numbers)))
            meetings.setdefault(pair, [0, 0, 0])[outcome] += 1
    fixed = [(numbers.setdefault(name, len(numbers)), rating, None) for name, rating in (anchors or {}).items()]
    rated, _, _ = rate(len(numbers), [(*pair, counts) for pair, counts in meetings.items()], fixed, white)
    found = [Rating(name, *rated[number]) for name, number in numbers.items()]
    return sorted(found, key=lambda rating: -rating.rating)


def performance(results: Iterable[Tuple[float, float]]) -> Rating:
    """The rating that a player's results show: pairs of an opponent's rating and the points made against it."""
    meetings, anchors = [], []
    for number, (rating, points) in enumerate(results, 1):
        counts = [0, 0, 0]
        counts[_outcome(points)] = 1
        meetings.append((0, number, counts))
        anchors.append((number, rating, None))
    if not meetings:
        raise ValueError("there are no games to judge by")
    rated, _, _ = rate(len(anchors) + 1, meetings, anchors, 0.0)
    return Rating("", *rated[0])


def _counts(results: Iterable[SupportsIndex]) -> List[int]:
    return [whole("a count of results", count) for count in results]


def _named(game: object) -> Optional[Tuple[str, str, int]]:
    headers = getattr(game, "headers", None)
    if headers is not None:
        white, black, result = headers.get("White", "?"), headers.get("Black", "?"), headers.get("Result", "*")
        return None if result == "*" else (white, black, _outcome(result))
    white, black, result = game  # type: ignore[misc]
    return None if result == "*" else (white, black, _outcome(result))


def _outcome(result: Union[str, float]) -> int:
    """The place among wins, draws and losses."""
    for place, (text, points) in enumerate((("1-0", 1), ("1/2-1/2", 0.5), ("0-1", 0))):
        if result == text or result == points:
            return place
    raise ValueError(f"{result!r} is not a result: expected 1-0, 1/2-1/2, 0-1 or *, or points 1, 0.5 or 0")
