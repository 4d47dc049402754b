"""Matches with Python functions as players, and Python scripts as engines."""

import pathlib
import subprocess
import sys
import time

import pytest

import saavedra as chess
from saavedra import minds
from saavedra.engine import Engine, Limit, UciEngine

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "minds" / "eager.py"


def first(board):
    return next(iter(board.legal_moves))


def captures(board):
    """A move as text, as people write it."""
    moves = list(board.legal_moves)
    return board.san(next((move for move in moves if board.is_capture(move)), moves[0]))


def test_a_function_plays_a_mind_in_pairs_of_games():
    match = minds.match(first, "random", games=6, seed=3)
    assert match.is_over and len(match.games) == 6 == sum(match.wdl) and sum(match.pentanomial) == 3
    assert match.names == ("first", "random") and not match.faults and not match.errors
    assert [game.white for game in match.games] == ["first", "random"] * 3
    assert match.points == match.wdl[0] + match.wdl[1] / 2
    again = minds.match(first, "random", games=6, seed=3, concurrency=3)
    assert [game.result for game in again.games] == [game.result for game in match.games]


def test_functions_engines_and_text_are_players(tmp_path):
    pgn = tmp_path / "games.pgn"
    with Engine() as engine:
        match = minds.match(captures, engine, games=2, time="nodes=300", seed=1, pgn=pgn, names=("C", "E"), plies=0)
    assert match.wdl[2] == 2 and match.elo.elo.value < 0
    assert pgn.read_text().count('[Result "') == 2 and '[White "C"]' in match.pgn
    first_board = []
    minds.match(lambda board: first_board.append(board) or first(board), "random", games=2, plies=4, longest=5, seed=1)
    assert isinstance(first_board[0], chess.Board) and len(first_board[0].move_stack) in (4, 5)


def test_limits_reach_a_player_that_wants_them():
    seen = []

    class Clocked:
        def play(self, board, limit):
            seen.append(limit)
            return chess.engine.PlayResult(first(board), None)

    minds.match(Clocked(), "random", games=2, time=("60+1", "nodes=10"), longest=5, seed=1)
    assert seen[0].white_clock == 60 and seen[0].white_inc == 1 and seen[0].nodes is None


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda board: 1 / 0, "it raised ZeroDivisionError: division by zero"),
        (lambda board: "e2e5", "answered \"'e2e5'\", which is not a legal move"),
        (lambda board: None, 'answered "None"'),
        (lambda board: chess.Move.null(), "Move.from_uci"),
    ],
)
def test_an_exception_or_an_illegal_move_forfeits_the_game_and_is_told(answer, message):
    match = minds.match(answer, "random", games=2, seed=1, plies=0, names=("wrong", "random"))
    assert match.wdl == (0, 0, 2) and all(message in fault for fault in match.faults), match.faults
    assert len(match.faults) == 2 and match.faults[0].startswith("wrong ")


def test_a_function_that_is_late_loses_on_time():
    def slow(board):
        time.sleep(0.05)
        return first(board)

    match = minds.match(slow, "random", games=2, time=("move=0.001", "nodes=1"), seed=1)
    assert [game.reason for game in match.games] == ["time forfeit"] * 2 and "its flag fell" in match.faults[0]


def test_the_exceptions_of_a_function_are_kept():
    match = minds.match(lambda board: {}["e4"], "random", games=2, seed=1)
    assert [type(error) for error in match.errors] == [KeyError, KeyError]


def test_a_player_may_resign():
    match = minds.match(lambda board: "resign", "random", games=2, seed=1, names=("a", "b"))
    assert [game.reason for game in match.games] == ["resignation"] * 2 and not match.faults


def test_ctrl_c_ends_a_match_with_what_was_played():
    games = []

    def interrupted(board):
        if len(games) == 2:
            raise KeyboardInterrupt
        return first(board)

    with pytest.raises(minds.MatchInterrupted, match="stopped after 2 games") as caught:
        minds.match(interrupted, "random", games=100, seed=1, progress=games.append)
    match = caught.value.match
    assert len(match.games) == 2 and not match.is_over and not match.faults
    assert isinstance(caught.value, KeyboardInterrupt)


def test_what_progress_raises_ends_the_match():
    def enough(games):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        minds.match("random", "random", games=100, progress=enough)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: minds.match("randm", "random"), 'there is no mind "randm" .did you mean "random"'),
        (lambda: minds.match("random", "random", games=3), "games are played in pairs"),
        (lambda: minds.match("random", "random", time="soon"), "is no time control"),
        (lambda: minds.match("random", "random", openings="/no/such.pgn"), "/no/such.pgn"),
        (lambda: minds.match("uci:/no/such/engine", "random"), "cannot play: .*did not start"),
    ],
)
def test_a_match_that_cannot_be_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
    with pytest.raises(TypeError, match="expected the name of a mind"):
        minds.match(7, "random")


def test_a_script_is_an_engine():
    with UciEngine([sys.executable, EXAMPLE]) as engine:
        assert engine.id["name"].startswith("eager")
        board = chess.Board("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
        assert engine.play(board, Limit(time=0.1)).move.uci() == "e4d5"
    match = minds.match(f"uci:{sys.executable} {EXAMPLE}", "random", games=2, seed=2)
    assert match.is_over and not match.faults


def test_a_script_whose_function_raises_is_a_program_that_ends(tmp_path):
    script = tmp_path / "broken.py"
    script.write_text(
        "from saavedra import minds\ndef f(board):\n    print('hello')\n    return {}['e4']\nminds.run(f)\n"
    )
    told = "position startpos\ngo depth 1\n"
    run = subprocess.run([sys.executable, script], input=told, capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout) == (1, "") and "KeyError: 'e4'" in run.stderr and "hello" in run.stderr
    match = minds.match(f"uci:{sys.executable} {script}", "random", games=2, seed=2, plies=0)
    assert match.wdl == (0, 0, 2) and "left the game" in match.faults[0]
