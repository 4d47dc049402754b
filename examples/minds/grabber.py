#!/usr/bin/env python3
"""Takes the most valuable piece it can, or else plays any legal move."""
import random
import sys

VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}


def board_of(fen):
    """The pieces by square, like {"e1": "K"}."""
    board = {}
    for rank, row in zip("87654321", fen.split()[0].split("/")):
        expanded = "".join(" " * int(c) if c.isdigit() else c for c in row)
        board.update({file + rank: piece for file, piece in zip("abcdefgh", expanded)})
    return board


for line in sys.stdin:
    fen, rest = line.removeprefix("fen ").split(" moves ")
    moves = rest.split(" time ")[0].split()
    board = board_of(fen)
    # Black's pieces are written small. Our own rook may stand on the target only when we castle in Chess960.
    theirs = str.islower if fen.split()[1] == "w" else str.isupper
    gain = {move: VALUES.get(board[move[2:4]].lower(), 0) if theirs(board[move[2:4]]) else 0 for move in moves}
    best = max(gain.values())
    print(random.choice([move for move in moves if gain[move] == best]), flush=True)
