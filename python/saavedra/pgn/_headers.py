"""The tags of a game."""

from __future__ import annotations

import re
from typing import Dict, Iterable, Iterator, List, Mapping, MutableMapping, Optional, Tuple, TypeVar, Union

from .._board import Board
from .._squares import STARTING_FEN

H = TypeVar("H", bound="Headers")

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*\Z")
_CHESS960 = ("chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random")


class Headers(MutableMapping[str, str]):
    """The tags of a game: the seven of the roster first, then the others as they came.

    ``Headers()`` has the roster with nothing known; ``Headers({})`` is empty.
    """

    def __init__(
        self, data: Optional[Union[Mapping[str, str], Iterable[Tuple[str, str]]]] = None, **others: str
    ) -> None:
        self._tags: Dict[str, str] = dict(ROSTER) if data is None and not others else {}
        self.update(data or {}, **others)

    @classmethod
    def _of(cls: "type[H]", tags: List[Tuple[str, str]], *, roster: bool = False) -> H:
        """Tags as a reader found them; what cannot be a tag is left out."""
        headers = cls.__new__(cls)
        headers._tags = dict(ROSTER) if roster else {}
        for name, value in tags:
            if _NAME.match(name):
                headers._tags[name] = value
        return headers

    def is_chess960(self) -> bool:
        """Whether the tag ``Variant`` says Chess960."""
        return self.get("Variant", "").lower() in _CHESS960

    def board(self) -> Board:
        """The position in which the game starts."""
        return Board(self.get("FEN", STARTING_FEN), chess960=self.is_chess960())

    def __setitem__(self, name: str, value: str) -> None:
        if not _NAME.match(name):
            raise ValueError(f"{name!r} cannot be the name of a tag")
        if "\n" in value or "\r" in value:
            raise ValueError(f"the value of the tag {name} has a line break: {value!r}")
        self._tags[name] = value

    def __getitem__(self, name: str) -> str:
        return self._tags[name]

    def __delitem__(self, name: str) -> None:
        del self._tags[name]

    def __iter__(self) -> Iterator[str]:
        for name in ROSTER:
            if name in self._tags:
                yield name
        for name in self._tags:
            if name not in ROSTER:
                yield name

    def __len__(self) -> int:
        return len(self._tags)

    def copy(self: H) -> H:
        """Headers of their own with the same tags."""
        twin = type(self)({})
        twin._tags.update(self._tags)
        return twin

    __copy__ = copy

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.items())})"
