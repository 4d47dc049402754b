"""Prints the games of a PGN file as python-chess reads them, one line for each thing that is told."""

import re
import sys

import chess.pgn

DIRECTIVE = re.compile(r"\[%(clk|emt|eval)\s[^\]]*\]")


def text(comment):
    comments = comment if isinstance(comment, list) else [comment]
    return " ".join(DIRECTIVE.sub(" ", " ".join(comments)).split())


def evaluation(node):
    found = node.eval()
    if found is None:
        return None
    score = found.white()
    return f"#{score.mate()}" if score.is_mate() else str(score.score())


def milliseconds(seconds):
    return None if seconds is None else round(seconds * 1000)


def show(node, depth):
    """Tells a line and its variations, as far as nobody passes, and returns the last node of the line."""
    while node.variations:
        main = node.variations[0]
        if not tell(main, depth):
            return node
        for variation in node.variations[1:]:
            if tell(variation, depth + 1):
                show(variation, depth + 1)
        node = main
    return node


def tell(node, depth):
    if not node.move:
        return False
    print("move", depth, node.san(), sorted(node.nags), milliseconds(node.clock()), milliseconds(node.emt()), evaluation(node))
    print("before", text(node.starting_comment))
    print("after", text(node.comment))
    return True


with open(sys.argv[1], encoding="utf-8-sig") as file:
    while (game := chess.pgn.read_game(file)) is not None:
        print("game")
        for name, value in game.headers.items():
            if name not in ("FEN", "SetUp"):
                # python-chess leaves the escapes of the file as they are.
                print("tag", name, re.sub(r'\\(["\\])', r"\1", value))
        print("root", text(game.comment))
        print("end", show(game, 0).board().fen())
