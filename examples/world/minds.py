#!/usr/bin/env python3
"""The founding document's four minds, written with nothing but the position services.

The program speaks the document's world protocol: a FEN a line in, two square numbers out, 0,0 for what cannot be read. The
services are another program, `saavedra world --services`, which is asked through a pipe. The variable SAAVEDRA may say where it is.

    echo "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1" | python3 examples/world/minds.py minimax
    saavedra match minimax "world:python3 examples/world/minds.py minimax"
"""
import os
import random
import subprocess
import sys

CASTLED = 30
# King, queen, rook, bishop, knight, pawn: the order of the codes, 1 to 6 for White and 7 to 12 for Black.
MATERIAL = [0, 900, 500, 325, 320, 100]
# The document's tables for Black, a1 first; White's have the ranks exchanged.
TABLES = [
    [
        -30, -40, -40, -50, -50, -40, -40, -30,
        -30, -40, -40, -50, -50, -40, -40, -30,
        -30, -40, -40, -50, -50, -40, -40, -30,
        -30, -40, -40, -50, -50, -40, -40, -30,
        -20, -30, -30, -40, -40, -30, -30, -20,
        -10, -20, -20, -20, -20, -20, -20, -10,
         20,  20,   0,   0,   0,   0,  20,  20,
         20,  30,  10,   0,   0,  10,  30,  20,
    ],
    [
        -20, -10, -10,  -5,  -5, -10, -10, -20,
        -10,   0,   0,   0,   0,   0,   0, -10,
        -10,   0,   5,   5,   5,   5,   0, -10,
         -5,   0,   5,   5,   5,   5,   0,  -5,
          0,   0,   5,   5,   5,   5,   0,  -5,
        -10,   5,   5,   5,   5,   5,   0, -10,
        -10,   0,   5,   0,   0,   0,   0, -10,
        -20, -10, -10,  -5,  -5, -10, -10, -20,
    ],
    [
          0,   0,   0,   0,   0,   0,   0,   0,
          5,  10,  10,  10,  10,  10,  10,   5,
         -5,   0,   0,   0,   0,   0,   0,  -5,
         -5,   0,   0,   0,   0,   0,   0,  -5,
         -5,   0,   0,   0,   0,   0,   0,  -5,
         -5,   0,   0,   0,   0,   0,   0,  -5,
         -5,   0,   0,   0,   0,   0,   0,  -5,
          0,   0,   0,   5,   5,   0,   0,   0,
    ],
    [
        -20, -10, -10, -10, -10, -10, -10, -20,
        -10,   0,   0,   0,   0,   0,   0, -10,
        -10,   0,   5,  10,  10,   5,   0, -10,
        -10,   5,   5,  10,  10,   5,   5, -10,
        -10,   0,  10,  10,  10,  10,   0, -10,
        -10,  10,  10,  10,  10,  10,  10, -10,
        -10,   5,   0,   0,   0,   0,   5, -10,
        -20, -10, -10, -10, -10, -10, -10, -20,
    ],
    [
        -50, -40, -30, -30, -30, -30, -40, -50,
        -40, -20,   0,   0,   0,   0, -20, -40,
        -30,   0,  10,  15,  15,  10,   0, -30,
        -30,   5,  15,  20,  20,  15,   5, -30,
        -30,   0,  15,  20,  20,  15,   0, -30,
        -30,   5,  10,  15,  15,  10,   5, -30,
        -40, -20,   0,   5,   5,   0, -20, -40,
        -50, -40, -30, -30, -30, -30, -40, -50,
    ],
    [
          0,   0,   0,   0,   0,   0,   0,   0,
         50,  50,  50,  50,  50,  50,  50,  50,
         10,  10,  20,  30,  30,  20,  10,  10,
          5,   5,  10,  25,  25,  10,   5,   5,
          0,   0,   0,  20,  20,   0,   0,   0,
          5,  -5, -10,   0,   0, -10,  -5,   5,
          5,  10,  10, -20, -20,  10,  10,   5,
          0,   0,   0,   0,   0,   0,   0,   0,
    ],
]
MATE = 1_000_000


class Services:
    """Asks the position services. Several questions at once cost one trip through the pipe."""

    def __init__(self):
        command = [os.environ.get("SAAVEDRA", "saavedra"), "world", "--services"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *questions):
        self.process.stdin.write("".join(f"{question}\n" for question in questions))
        self.process.stdin.flush()
        answers = [self.process.stdout.readline().split() for _ in questions]
        for question, answer in zip(questions, answers):
            if not answer or answer[0] != "ok":
                raise ValueError(f"{question}: {' '.join(answer)}")
        return [answer[1:] for answer in answers]


def worth(code, square):
    """What a piece on a square is worth to White."""
    if code == 0:
        return 0
    if code <= 6:
        return MATERIAL[code - 1] + TABLES[code - 1][square ^ 56]
    return -MATERIAL[code - 7] - TABLES[code - 7][square]


def evaluate(pieces, castled, white_to_move):
    white = castled + sum(worth(int(code), square) for square, code in enumerate(pieces))
    return white if white_to_move else -white


class Tree:
    """A tree of moves below a position. `castled` is what castling on the way is worth to White."""

    def __init__(self, world):
        self.world = world
        self.white_to_move = world.ask("turn")[0] == ["white"]
        self.castled = 0

    def bonus(self, move, mover):
        start, end = (int(number) for number in move.split(",")[:2])
        if abs(start - end) != 2 or mover not in ("1", "7"):
            return 0
        return CASTLED if mover == "1" else -CASTLED

    def after(self, move, value):
        """What a move leads to, for the opponent, by a function that is called after it."""
        (mover,), _ = self.world.ask(f"piece {move.split(',')[0]}", f"make {move}")
        bonus = self.bonus(move, mover)
        self.castled += bonus
        self.white_to_move = not self.white_to_move
        found = value()
        self.white_to_move = not self.white_to_move
        self.castled -= bonus
        self.world.ask("unmake")
        return found

    def leaf(self, move):
        """What a move on the last ply leads to, for the opponent: all questions in one trip."""
        (mover,), _, pieces, _ = self.world.ask(f"piece {move.split(',')[0]}", f"make {move}", "pieces", "unmake")
        return evaluate(pieces, self.castled + self.bonus(move, mover), not self.white_to_move)

    def without_moves(self, ply):
        return ply - MATE if self.world.ask("check")[0] == ["yes"] else 0

    def minimax(self, depth, ply):
        moves, = self.world.ask("legal")
        if not moves:
            return self.without_moves(ply)
        if depth == 1:
            return max(-self.leaf(move) for move in moves)
        return max(-self.after(move, lambda: self.minimax(depth - 1, ply + 1)) for move in moves)

    def alpha_beta(self, depth, ply, alpha, beta):
        captures, moves = self.world.ask("captures", "legal")
        if not moves:
            return self.without_moves(ply)
        # To try captures first saves most of the tree.
        moves.sort(key=lambda move: move not in captures)
        for move in moves:
            if depth == 1:
                value = -self.leaf(move)
            else:
                value = -self.after(move, lambda: self.alpha_beta(depth - 1, ply + 1, -beta, -alpha))
            if value >= beta:
                return beta
            alpha = max(alpha, value)
        return alpha

    def best(self, moves, value):
        """The first of the best moves. The function is told the best value so far."""
        best, most = None, -2 * MATE
        for move in moves:
            found = -self.after(move, lambda: value(most))
            if found > most:
                best, most = move, found
        return best


def choose(name, depth, world, fen):
    world.ask(f"position {fen}")
    moves, captures = world.ask("legal", "captures")
    if name == "random":
        return random.choice(moves)
    if name == "capture":
        captures = world.ask("remove-illegal " + " ".join(captures))[0] if captures else []
        return random.choice(captures or moves)
    tree = Tree(world)
    if name == "minimax":
        return tree.best(moves, lambda most: tree.minimax(depth or 2, 1))
    return tree.best(moves, lambda most: tree.alpha_beta(depth or 4, 1, -2 * MATE, -most))


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    depth = int(sys.argv[2]) if len(sys.argv) > 2 else None
    if name not in ("random", "capture", "minimax", "alphabeta"):
        sys.exit("expected random, capture, minimax or alphabeta, and perhaps a depth from 1 on")
    world = Services()
    for line in sys.stdin:
        try:
            move = choose(name, depth, world, line.strip())
        except (ValueError, IndexError):
            move = None
        print(",".join(move.split(",")[:2]) if move else "0,0", flush=True)


main()
