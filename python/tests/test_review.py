"""Reviews: the same as the binary's, of whatever holds a game."""

import json
import os
import subprocess
import sys

import pytest

import saavedra as chess
from saavedra.engine import Cp

PGN = """[White "A"]
[Black "B"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
"""


def played(sans):
    board = chess.Board()
    for san in sans.split():
        board.push_san(san)
    return board


@pytest.fixture(scope="module")
def review():
    return chess.review(PGN, nodes=1000, threads=1)


def test_the_move_that_allows_mate_is_a_blunder_with_a_reason(review):
    blunder = review.moves[2]
    assert (blunder.san, blunder.label, blunder.is_error, blunder.color) == ("g4", "blunder", True, chess.WHITE)
    assert blunder.lost > 0.2 and blunder.best != blunder.move and blunder.best_line[0] == blunder.best
    mate = next(reason for reason in blunder.reasons if "mate" in reason.kind)
    assert "Qh4" in str(mate) and mate.facts
    assert blunder.ply in [move.ply for move in review.errors]
    assert review.moves[3].score is None and isinstance(review.moves[0].score, Cp)
    assert review.turning_points[0].ply == 2


def test_players_have_accuracies_by_phase(review):
    assert 0 <= review.accuracy(chess.WHITE) < review.accuracy(chess.BLACK) <= 100
    assert review.accuracy(chess.WHITE, "opening") is not None and review.accuracy(chess.WHITE, "endgame") is None
    assert review.player(chess.WHITE)["blunders"] == 1


def test_the_annotated_game_and_the_json_say_the_same(review):
    assert "g4 $4" in " ".join(review.annotated.split()) and '[Annotator "Saavedra"]' in review.annotated
    told = review.to_dict()
    assert told == json.loads(review.to_json()) and told["players"] == ["A", "B"] and told["result"] == "0-1"
    assert review.moves[2].to_dict() == told["moves"][2]


def test_a_board_and_anything_whose_text_is_a_pgn_are_reviewed_alike(review):
    class Game:
        def __str__(self):
            return PGN

    same = chess.review(Game(), nodes=1000, threads=2)
    assert same.to_dict() == review.to_dict()
    board = chess.review(played("f3 e5 g4 Qh4#"), nodes=1000)
    assert [move.to_dict() for move in board.moves] == [move.to_dict() for move in review.moves]


def test_the_json_is_that_of_the_binary(review, tmp_path):
    binary = os.environ.get("SAAVEDRA_BINARY")
    if not binary:
        pytest.skip("SAAVEDRA_BINARY names no binary")
    path = tmp_path / "game.pgn"
    path.write_text(PGN)
    line = subprocess.run([binary, "review", "--json", "--nodes", "1000", path], capture_output=True, check=True).stdout
    assert json.loads(line) == review.to_dict()


def test_progress_is_told_and_what_it_raises_ends_the_review():
    steps = []
    chess.review(PGN, nodes=500, progress=lambda done, total: steps.append((done, total)))
    assert steps[-1] == (9, 9) and steps == sorted(steps)

    def enough(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        chess.review(PGN, nodes=500, progress=enough)


@pytest.mark.parametrize(
    "game, keywords, message",
    [
        ("", {}, "holds no game|no moves"),
        ("1. e4 e5 2. Ke3", {}, "Ke3"),
        (chess.Board(), {}, "no moves"),
        (PGN, {"effort": "hasty"}, 'there is no effort "hasty"'),
        (PGN, {"nodes": 0}, "nodes is a whole number, 1 or more, not 0"),
        (PGN, {"nodes": 5, "time": 1}, "give one of them"),
        (PGN, {"time": -1}, "zero or more"),
        (PGN, {"threads": 0}, "threads is a whole number from 1 to 1024, not 0"),
        (PGN, {"network": "/no/such/file"}, "cannot be read"),
        (PGN, {"syzygy": "/no/such/folder"}, "there is no folder"),
    ],
)
def test_what_cannot_be_reviewed_is_told(game, keywords, message):
    with pytest.raises(ValueError, match=message):
        chess.review(game, **keywords)


def test_an_interrupt_stops_a_review():
    code = f"""
import _thread, signal, sys, threading, time
import saavedra as chess
# What runs in the background of a shell ignores interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupt(main):
    while sys._current_frames()[main].f_code.co_name != "review":
        time.sleep(0.01)
    _thread.interrupt_main()
threading.Thread(target=interrupt, args=(threading.get_ident(),), daemon=True).start()
try:
    chess.review({PGN!r}, "deep")
except KeyboardInterrupt:
    print("stopped")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.stdout.strip() == "stopped", run.stderr
