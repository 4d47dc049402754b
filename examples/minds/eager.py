#!/usr/bin/env python3
"""Takes the most valuable piece it can, or else gives check, or else plays any move: with the package saavedra."""

import random

import saavedra as chess
from saavedra import minds

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


def eager(board):
    def worth(move):
        captured = board.piece_type_at(move.to_square) if board.is_capture(move) else None
        return VALUES.get(captured, 0), board.gives_check(move), random.random()

    return max(board.legal_moves, key=worth)


if __name__ == "__main__":
    minds.run(eager)
