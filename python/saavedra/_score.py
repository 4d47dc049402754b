"""What a position is worth: ``Cp``, ``Mate`` and ``PovScore``, with the names of ``chess.engine``."""

from __future__ import annotations

from functools import total_ordering
from typing import Any, Optional, Tuple


@total_ordering
class Score:
    """A score as one player sees it: ``Cp(20)``, ``Mate(3)`` (wins in three), ``Mate(-2)`` (loses in two)."""

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        """Centipawns; a mate counts as so many fewer than ``mate_score``, or is ``None``."""
        raise NotImplementedError

    def mate(self) -> Optional[int]:
        """The moves to mate, negative if it is against the player, or ``None``."""
        raise NotImplementedError

    def is_mate(self) -> bool:
        """Whether it is a mate."""
        return self.mate() is not None

    def _order(self) -> Tuple[int, int]:
        raise NotImplementedError

    def __neg__(self) -> "Score":
        raise NotImplementedError

    def __pos__(self) -> "Score":
        return self

    def __abs__(self) -> "Score":
        return max(self, -self)

    def __eq__(self, other: object) -> bool:
        return self._order() == other._order() if isinstance(other, Score) else NotImplemented

    def __lt__(self, other: Any) -> bool:
        return self._order() < other._order() if isinstance(other, Score) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._order())


class Cp(Score):
    """Hundredths of a pawn."""

    def __init__(self, cp: int) -> None:
        self.cp = cp

    def score(self, *, mate_score: Optional[int] = None) -> int:
        return self.cp

    def mate(self) -> None:
        return None

    def _order(self) -> Tuple[int, int]:
        return (0, self.cp)

    def __neg__(self) -> "Cp":
        return Cp(-self.cp)

    def __str__(self) -> str:
        return f"{self.cp:+d}" if self.cp else "0"

    def __repr__(self) -> str:
        return f"Cp({self})"


class Mate(Score):
    """Mate in so many moves; ``Mate(0)`` and negative numbers are the player's own."""

    def __init__(self, moves: int) -> None:
        self.moves = moves

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        if mate_score is None:
            return None
        return mate_score - self.moves if self.moves > 0 else -mate_score - self.moves

    def mate(self) -> int:
        return self.moves

    def _order(self) -> Tuple[int, int]:
        return (1, -self.moves) if self.moves > 0 else (-1, -self.moves)

    def __neg__(self) -> Score:
        return MateGiven if self.moves == 0 else Mate(-self.moves)

    def __str__(self) -> str:
        return f"#{self.moves:+d}" if self.moves else "#-0"

    def __repr__(self) -> str:
        return f"Mate({self.moves:+d})" if self.moves else "Mate(-0)"


class _MateGiven(Score):
    """The other side of ``Mate(0)``: the player has mated."""

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        return mate_score

    def mate(self) -> int:
        return 0

    def _order(self) -> Tuple[int, int]:
        return (2, 0)

    def __neg__(self) -> Mate:
        return Mate(0)

    def __str__(self) -> str:
        return "#+0"

    def __repr__(self) -> str:
        return "MateGiven"


MateGiven = _MateGiven()


class PovScore:
    """A score and the player who sees it so."""

    def __init__(self, relative: Score, turn: bool) -> None:
        self.relative = relative
        self.turn = turn

    def white(self) -> Score:
        """The score as White sees it."""
        return self.pov(True)

    def black(self) -> Score:
        """The score as Black sees it."""
        return self.pov(False)

    def pov(self, color: bool) -> Score:
        """The score as a player sees it."""
        return self.relative if self.turn == color else -self.relative

    def is_mate(self) -> bool:
        """Whether it is a mate."""
        return self.relative.is_mate()

    def __eq__(self, other: object) -> bool:
        return self.white() == other.white() if isinstance(other, PovScore) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.white())

    def __repr__(self) -> str:
        return f"PovScore({self.relative!r}, {'WHITE' if self.turn else 'BLACK'})"
