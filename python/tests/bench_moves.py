"""Perft with lists of moves, side by side in one run: `python tests/bench_moves.py`.

Each library walks the same tree with its own lists; the best of several rounds counts.
"""

import importlib
import time

DEPTH, ROUNDS, LEAVES = 4, 5, 197281


def with_names(board, depth):
    moves = list(board.legal_moves)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        board.push(move)
        total += with_names(board, depth - 1)
        board.pop()
    return total


def bulletchess(board, depth):
    moves = board.legal_moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        board.apply(move)
        total += bulletchess(board, depth - 1)
        board.undo()
    return total


def rust_chess(board, depth):
    moves = board.generate_legal_moves()
    moves = list(moves)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        total += rust_chess(board.make_move_new(move), depth - 1)
    return total


def main():
    speeds = {}
    for name, walk in (("saavedra", with_names), ("chess", with_names), ("bulletchess", bulletchess), ("rust_chess", rust_chess)):
        try:
            library = importlib.import_module(name)
            rounds = 1 if name == "chess" else ROUNDS
            best = float("inf")
            for _ in range(rounds):
                board = library.Board()
                started = time.perf_counter()
                count = walk(board, DEPTH)
                best = min(best, time.perf_counter() - started)
            assert count == LEAVES, count
        except Exception as error:
            print(f"{name:12} not measured: {type(error).__name__}: {error}")
            continue
        speeds[name] = LEAVES / best / 1e6
        print(f"{name:12} {speeds[name]:8.2f} million moves a second, saavedra is {speeds['saavedra'] / speeds[name]:.1f} times as fast")


if __name__ == "__main__":
    main()
