"""Numbers that make no sense are refused with their name, and numbers of numpy are numbers."""

import signal
import subprocess
import sys

import pytest

import saavedra as chess
from saavedra import minds, pgn, stats

GAME = b"1. e4 e5 *"


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: chess.Board().perft(-1), "-1 is out of range: expected a whole number from 0 to 100"),
        (lambda: chess.Board().is_repetition(-1), "-1 is out of range"),
        (lambda: setattr(chess.Board(), "halfmove_clock", -1), "-1 is out of range"),
        (lambda: setattr(chess.Board(), "fullmove_number", 10**6), "1000000 is out of range"),
        (lambda: chess.Board.from_chess960_pos(-1), "Chess960 has positions 0 to 959, not -1"),
        (lambda: chess.Positions.from_pgn(GAME, limit=-1), "limit is a whole number, 0 or more, not -1"),
        (lambda: chess.policy_move(-1), "the number of a move is a whole number, 0 or more, not -1"),
        (lambda: pgn.to_arrow(GAME, batch_size=0), "batch_size is a whole number, 1 or more, not 0"),
        (lambda: pgn.to_arrow(GAME, threads=-1), "threads is a whole number from 1 to 1024, not -1"),
        (lambda: pgn.decode_moves([-1]), "a move is a whole number from 0 to 65535, not -1"),
        (lambda: chess.review(GAME.decode(), nodes=-1), "nodes is a whole number, 1 or more, not -1"),
        (lambda: minds.match("random", "random", seed=-1), "seed is a whole number, 0 or more, not -1"),
        (lambda: minds.match("random", "random", plies=-1), "plies is a whole number, 0 or more, not -1"),
        (lambda: minds.match("random", "random", longest=0), "longest is a whole number, 1 or more, not 0"),
        (lambda: minds.match("random", "random", concurrency=0), "concurrency is a whole number from 1 to 1024, not 0"),
        (lambda: stats.elo(-1, 2, 3), "a count of results is a whole number, 0 or more, not -1"),
        (lambda: stats.sprt([1, -2, 3], 0, 5), "a count of results is a whole number, 0 or more, not -2"),
        (lambda: chess.Engine(seed=-1), "seed is a whole number, 0 or more, not -1"),
    ],
)
def test_numbers_out_of_range_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_what_is_no_number_is_refused():
    with pytest.raises(TypeError, match="threads is a whole number, not 'two'"):
        pgn.to_arrow(GAME, threads="two")
    assert len(list(chess.read_pgn(b'[WhiteElo "1"]\n[BlackElo "1"]\n\n*', min_elo=-5))) == 1


def test_numbers_of_numpy_are_numbers():
    numpy = pytest.importorskip("numpy")
    assert stats.elo(*map(numpy.int64, (10, 7, 3))) == stats.elo(10, 7, 3)
    assert stats.elo(numpy.array([40, 310, 790, 390, 62])) == stats.elo([40, 310, 790, 390, 62])
    with chess.Engine(hash=numpy.int64(8), threads=numpy.int32(1)) as engine:
        assert engine.analyse(chess.Board(), chess.Limit(depth=numpy.int64(3)))["depth"] == 3
    assert chess.Board().perft(numpy.uint8(2)) == 400


def test_a_column_may_be_one_name_and_there_may_be_none():
    pytest.importorskip("numpy")
    assert pgn.to_arrow(GAME, "White").columns == ["White"]
    assert pgn.to_numpy(GAME, "plies")["plies"].tolist() == [2]
    nothing = pgn.to_numpy(GAME * 3, [])
    assert list(nothing) == [] and nothing.games == 3


def test_a_game_that_is_over_has_chances():
    with chess.Engine() as engine:
        for fen, chances in (("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", (0, 0, 1000)), ("k7/2Q5/2K5/8/8/8/8/8 b - - 0 1", (0, 1000, 0))):
            assert engine.analyse(chess.Board(fen), chess.Limit(depth=1))["wdl"].relative == chances


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there are no pipes with names")
def test_an_interrupt_is_heard_while_a_pipe_waits_for_its_writer(tmp_path):
    import os

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    script = """if True:
        import signal, sys
        import saavedra as chess
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)
        try:
            chess.read_pgn(sys.argv[1])
        except KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, 0)
            print("heard")
    """
    run = subprocess.run([sys.executable, "-c", script, str(pipe)], capture_output=True, text=True, timeout=60)
    assert run.stdout == "heard\n", run.stderr
