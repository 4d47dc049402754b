"""Random positions beside python-chess: moves, SAN, FEN and outcome must be the same.

python-chess is an oracle here and nothing else: the package never imports it. SAAVEDRA_POSITIONS sets how many
positions are compared; 100000 is the long form.
"""

import os
import random

import pytest

import saavedra

chess = pytest.importorskip("chess")

POSITIONS = int(os.environ.get("SAAVEDRA_POSITIONS", "2000"))


def compare(ours, theirs):
    moves = sorted(move.uci() for move in ours.legal_moves)
    assert moves == sorted(move.uci() for move in theirs.legal_moves), theirs.fen()
    for uci in moves:
        san = theirs.san(chess.Move.from_uci(uci))
        assert ours.san(saavedra.Move.from_uci(uci)) == san
        assert ours.parse_san(san).uci() == uci
    for en_passant in ("legal", "fen", "xfen"):
        assert ours.fen(en_passant=en_passant) == theirs.fen(en_passant=en_passant)
    assert ours.shredder_fen() == theirs.shredder_fen()
    for claim_draw in (False, True):
        assert ours.result(claim_draw=claim_draw) == theirs.result(claim_draw=claim_draw)
        one, other = ours.outcome(claim_draw=claim_draw), theirs.outcome(claim_draw=claim_draw)
        assert (one and one.termination.name) == (other and other.termination.name)
    assert ours.status() == theirs.status()
    assert int(ours.checkers()) == int(theirs.checkers())
    return moves


@pytest.mark.parametrize("chess960", [False, True])
def test_random_games_agree(chess960):
    source = random.Random(1895)
    compared = 0
    while compared < POSITIONS // 2:
        number = source.randrange(960) if chess960 else 518
        theirs = chess.Board.from_chess960_pos(number) if chess960 else chess.Board()
        ours = saavedra.Board(theirs.fen(), chess960=chess960)
        for _ in range(200):
            moves = compare(ours, theirs)
            compared += 1
            if not moves or compared >= POSITIONS // 2:
                break
            uci = source.choice(moves)
            ours.push_uci(uci)
            theirs.push_uci(uci)
        while theirs.move_stack:
            assert ours.pop().uci() == theirs.pop().uci()
        assert ours.fen() == theirs.fen()
