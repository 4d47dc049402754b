"""Operations of EPD lines: ``bm Nf3; id "position 1"; ce 35;``."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Tuple

from ._saavedra import Move

# Operations whose moves are alternatives, and those whose moves are a line.
_SETS = ("am", "bm")
_LINES = ("pv",)


def write(board: Any, operations: Dict[str, Any]) -> str:
    """The operations as text, each after a blank."""
    return "".join(f" {opcode}{_operand(board, opcode, value)};" for opcode, value in operations.items())


def _operand(board: Any, opcode: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Move):
        return " " + board.san(value)
    if isinstance(value, (int, float)):
        return f" {value}"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f' "{escaped}"'
    if opcode in _LINES:
        board = board.copy(stack=False)
        words = []
        for move in value:
            words.append(board.san(move))
            board.push(move)
        return " " + " ".join(words)
    return " " + " ".join(sorted(board.san(move) for move in value))


def read(board: Any, text: str) -> Dict[str, Any]:
    """The operations of a text, moves read as those of the board."""
    return {opcode: _value(board, opcode, words, quoted) for opcode, words, quoted in _split(text)}


def _split(text: str) -> Iterator[Tuple[str, List[str], List[str]]]:
    """Opcodes with their words and their quoted strings."""
    words: List[str] = []
    quoted: List[str] = []
    word, position = "", 0
    while position <= len(text):
        letter = text[position] if position < len(text) else ";"
        position += 1
        if letter == '"':
            string = ""
            while position < len(text) and text[position] != '"':
                if text[position] == "\\" and position + 1 < len(text):
                    position += 1
                string += text[position]
                position += 1
            # A string that is not closed ends with the line.
            position = min(position + 1, len(text))
            quoted.append(string)
        elif letter == ";" or letter.isspace():
            words += [word] if word else []
            word = ""
            if letter == ";":
                # Some collections have a dash too many.
                opcode, *rest = [word for word in words if word != "-"] or [""]
                if opcode:
                    if not (opcode[0].isalpha() and opcode.replace("_", "").isalnum()):
                        raise ValueError(f"{opcode!r} is not an EPD opcode: expected a letter first")
                    yield opcode, rest, quoted
                words, quoted = [], []
        else:
            word += letter


def _value(board: Any, opcode: str, words: List[str], quoted: List[str]) -> Any:
    if quoted:
        return quoted[0]
    if not words:
        return None
    if opcode in _LINES:
        board = board.copy(stack=False)
        return [board.push_xboard(word) for word in words]
    if opcode in _SETS:
        return [board.parse_xboard(word) for word in words]
    for number in (int, float):
        try:
            return number(words[0])
        except ValueError:
            pass
    try:
        return board.parse_xboard(words[0])
    except ValueError:
        return " ".join(words)
