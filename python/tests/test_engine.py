"""The engine in this process: what it finds, and what happens around it."""

import asyncio
import multiprocessing
import signal
import subprocess
import sys
import threading

import pytest

import saavedra as chess
from saavedra.engine import Cp, Engine, EngineBusyError, EngineError, EngineTerminatedError, Limit, Mate, PovScore, Wdl

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


@pytest.fixture(scope="module")
def engine():
    with Engine() as engine:
        yield engine


def test_an_analysis_tells_score_line_and_work(engine):
    info = engine.analyse(chess.Board(), Limit(depth=7))
    assert info["depth"] == 7 and info["nodes"] > 100 and info["time"] >= 0
    assert abs(info["score"].white().score()) < 100 and info["score"].turn == chess.WHITE
    assert info["wdl"].white().total() == 1000
    board = chess.Board()
    for move in info["pv"]:
        board.push(move)


def test_a_mate_is_told_from_each_side(engine):
    info = engine.analyse(chess.Board(MATE_IN_ONE), Limit(depth=5))
    assert info["score"].white() == Mate(1) and info["score"].black() == Mate(-1) and info["score"].is_mate()
    assert info["wdl"].white() == Wdl(1000, 0, 0)
    assert [move.uci() for move in info["pv"]] == ["d1d8"]
    board = chess.Board(MATE_IN_ONE)
    board.push_san("Rd8#")
    over = engine.analyse(board, Limit(depth=5))
    assert over["score"] == PovScore(Mate(0), chess.BLACK) and "pv" not in over
    assert engine.play(board, Limit(depth=5)).move is None


def test_lines_are_ranked_and_root_moves_are_kept_to(engine):
    lines = engine.analyse(chess.Board(), Limit(depth=5), multipv=3)
    assert [info["multipv"] for info in lines] == [1, 2, 3]
    assert len({info["pv"][0] for info in lines}) == 3
    scores = [info["score"].relative for info in lines]
    assert scores == sorted(scores, reverse=True)
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    assert engine.play(chess.Board(), Limit(depth=4), root_moves=only).move in only
    assert len(engine.analyse(chess.Board(), Limit(depth=3), multipv=3, root_moves=only)) == 2


def test_scores_are_ordered_as_in_python_chess():
    row = [Mate(0), Mate(-1), Mate(-8), Cp(-500), Cp(0), Cp(20), Mate(8), Mate(1)]
    assert row == sorted(reversed(row))
    witness = pytest.importorskip("chess.engine")
    board = chess.Board()
    for one in row:
        theirs = eval(repr(one), {"Cp": witness.Cp, "Mate": witness.Mate})
        assert (str(one), one.score(mate_score=9999), one.mate()) == (
            str(theirs),
            theirs.score(mate_score=9999),
            theirs.mate(),
        )
    # Its own limits are understood.
    with Engine() as engine:
        assert engine.play(board, witness.Limit(depth=1)).move in board.legal_moves


def test_repetitions_in_the_history_count(engine):
    # Black is lost, except where the position has been on the board before.
    board = chess.Board("5rk1/8/8/8/8/8/8/Q5K1 w - - 0 1")
    for san in ["Qa2+", "Kg7", "Qa1+", "Kg8", "Qa2+", "Kg7", "Qa1+"]:
        board.push_san(san)
    kg8 = [chess.Move.from_uci("g7g8")]
    drawn = engine.analyse(board, Limit(depth=1), root_moves=kg8)
    assert drawn["score"].relative == Cp(0)
    fresh = engine.analyse(chess.Board(board.fen()), Limit(depth=1), root_moves=kg8)
    assert fresh["score"].relative < Cp(0)


def test_levels_play_and_their_bounds_are_told():
    with Engine(elo=500, seed=1) as weak, Engine(elo=500, seed=1) as same, Engine(level=0) as least:
        board = chess.Board()
        assert weak.play(board, Limit(nodes=5000)).move == same.play(board, Limit(nodes=5000)).move
        assert least.play(board, Limit(nodes=5000)).move in board.legal_moves
    with pytest.raises(EngineError, match="UCI_Elo is between 500 and 2800, not 100"):
        Engine(elo=100)
    with pytest.raises(ValueError, match="two words"):
        Engine(elo=1500, level=3)


def test_the_static_evaluation_is_the_networks(engine):
    score = engine.evaluate(chess.Board("k7/8/8/8/8/8/8/KQ6 b - - 0 1"))
    assert score.turn == chess.BLACK and score.white() > Cp(300)


def test_chess960_castles_by_taking_the_rook(engine):
    board = chess.Board("7k/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", chess960=True)
    castling = [move for move in board.legal_moves if board.is_castling(move)]
    assert engine.play(board, Limit(depth=2), root_moves=castling).move in castling


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda e: e.play(chess.Board(), Limit()), ValueError, "would never end"),
        (
            lambda e: e.play(chess.Board(), Limit(time=-1)),
            ValueError,
            "time is a time in seconds, zero or more, not -1",
        ),
        (lambda e: e.play(chess.Board(), Limit(time=float("nan"))), ValueError, "not NaN"),
        (lambda e: e.play(chess.Board(), Limit(time=float("inf"))), ValueError, "not inf"),
        (lambda e: e.play(chess.Board(), Limit(mate=0)), ValueError, "mate is a whole number, 1 or more, not 0"),
        (lambda e: e.play(chess.Board(), Limit(nodes=-5)), ValueError, "nodes is a whole number, 1 or more, not -5"),
        (lambda e: e.play(chess.Board.empty(), Limit(depth=1)), ValueError, "illegal position"),
        (lambda e: e.play(chess.Board(), Limit(depth=1), root_moves=[]), ValueError, "root_moves is empty"),
        (lambda e: e.analyse(chess.Board(), Limit(depth=1), multipv=0), ValueError, "multipv is a whole number from 1 to 256, not 0"),
        (
            lambda e: e.analyse(chess.Board(), Limit(depth=1), root_moves=[chess.Move.null()]),
            ValueError,
            "illegal move",
        ),
        (lambda e: e.configure({"Hsah": 1}), EngineError, 'no option "Hsah" .did you mean "Hash"'),
        (lambda e: e.configure({"Hash": 0}), EngineError, "Hash is between 1 and"),
        (lambda e: e.configure({"MultiPV": 2}), EngineError, "is set by the package"),
        (lambda e: Engine(network="/no/such/file"), EngineError, "cannot be read"),
        (lambda e: Engine(syzygy="/no/such/folder"), EngineError, "there is no folder"),
        (lambda e: e.play("e4", Limit(depth=1)), TypeError, "Board"),
    ],
)
def test_errors_say_what_was_wrong(engine, call, kind, message):
    with pytest.raises(kind, match=message):
        call(engine)
    assert engine.play(chess.Board(), Limit(depth=1)).move


def test_an_analysis_goes_on_until_it_is_stopped(engine):
    with engine.analysis(chess.Board(), multipv=2) as analysis:
        depths = [info["depth"] for info, _ in zip(analysis, range(12))]
        assert depths == sorted(depths) and depths[-1] >= 3
        with pytest.raises(EngineBusyError, match="an analysis of this engine is open"):
            engine.play(chess.Board(), Limit(depth=1))
    assert analysis.wait().move in chess.Board().legal_moves
    assert len(analysis.multipv) == 2 and analysis.info == analysis.multipv[0]
    # What was told and not read can be read; then the iteration ends.
    assert all("score" in info for info in analysis)
    assert analysis.next() is None


def test_an_analysis_that_is_not_held_ends():
    with Engine() as engine:
        for _ in engine.analysis(chess.Board()):
            break
        assert engine.play(chess.Board(), Limit(depth=1)).move


def test_an_analysis_with_a_limit_ends_by_itself(engine):
    infos = list(engine.analysis(chess.Board(), Limit(depth=6)))
    assert infos[-1]["depth"] == 6


def test_a_closed_engine_is_an_error_and_ends_what_runs():
    engine = Engine()
    analysis = engine.analysis(chess.Board())
    told = []

    def watch():
        try:
            told.extend(analysis)
        except EngineTerminatedError as error:
            told.append(error)

    waiting = threading.Thread(target=watch)
    waiting.start()
    engine.close()
    waiting.join()
    assert isinstance(told[-1], EngineTerminatedError), "what was broken off is not taken for a result"
    engine.close()
    with pytest.raises(EngineTerminatedError, match="the engine is closed"):
        engine.play(chess.Board(), Limit(depth=1))
    with pytest.raises(EngineTerminatedError, match="closed"):
        engine.evaluate(chess.Board())


def test_threads_take_turns():
    with Engine() as engine:
        failures = []

        def hammer(number):
            board = chess.Board()
            try:
                for _ in range(25):
                    move = engine.play(board, Limit(nodes=200 + number)).move
                    assert move in board.legal_moves
                    engine.evaluate(board)
                    if board.is_game_over():
                        board = chess.Board()
                    else:
                        board.push(move)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=hammer, args=(number,)) for number in range(8)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert not failures


def test_awaited_searches_wait_for_each_other_and_can_be_cancelled():
    async def scenario():
        with Engine() as engine:
            board = chess.Board()
            plays = [engine.play_async(board, Limit(nodes=500)) for _ in range(3)]
            assert all(result.move for result in await asyncio.gather(*plays))
            depth = 0
            async with engine.analysis_async(board) as analysis:
                async for info in analysis:
                    depth = max(depth, info.get("depth", 0))
                    if depth >= 4:
                        break
            endless = asyncio.ensure_future(engine.analyse_async(board, Limit(depth=200)))
            await asyncio.sleep(0.05)
            endless.cancel()
            with pytest.raises(asyncio.CancelledError):
                await endless
            lines = await engine.analyse_async(board, Limit(depth=3), multipv=2)
            assert len(lines) == 2

    asyncio.run(scenario())


INTERRUPTED = """
import _thread, signal, sys, threading, time
import saavedra as chess
# What runs in the background of a shell ignores interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
engine = chess.Engine()
def interrupt(main):
    called = lambda code: code.co_filename.endswith("_searching.py") and code.co_name in ("play", "next", "wait")
    while not called(sys._current_frames()[main].f_code):
        time.sleep(0.01)
    _thread.interrupt_main()
threading.Thread(target=interrupt, args=(threading.get_ident(),), daemon=True).start()
try:
    {call}
except KeyboardInterrupt:
    print("stopped", engine.play(chess.Board(), chess.Limit(depth=1)).move is not None)
"""


@pytest.mark.parametrize(
    "call",
    [
        "engine.play(chess.Board(), chess.Limit(depth=200))",
        "with engine.analysis(chess.Board()) as analysis: list(analysis)",
        "with engine.analysis(chess.Board()) as analysis: analysis.wait()",
    ],
)
def test_an_interrupt_stops_a_search_and_leaves_the_engine_usable(call):
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(call=call)], capture_output=True, text=True, timeout=60
    )
    assert run.stdout.strip() == "stopped True", run.stderr


def use_in_fork(engine, answers):
    try:
        engine.play(chess.Board(), Limit(depth=1))
        answers.put("played")
    except EngineError as error:
        answers.put(str(error))
    own = Engine()
    answers.put(own.play(chess.Board(), Limit(depth=1)).move is not None)
    engine.close()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_makes_an_engine_of_its_own(engine):
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    fork = context.Process(target=use_in_fork, args=(engine, answers))
    fork.start()
    assert "belongs to process" in answers.get(timeout=60) and answers.get(timeout=60)
    fork.join()
    assert fork.exitcode == 0
    assert engine.play(chess.Board(), Limit(depth=1)).move


def rss_kib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is measured by /proc")
def test_memory_stays_flat(engine):
    def work(times):
        for _ in range(times):
            engine.play(chess.Board(), Limit(nodes=20))
            engine.evaluate(chess.Board())
            next(engine.analysis(chess.Board(), Limit(nodes=20)))
        for _ in range(times // 50):
            Engine(hash=1).play(chess.Board(), Limit(nodes=20))

    work(500)
    before = rss_kib()
    work(1000)
    assert rss_kib() - before < 2048


def test_an_engine_that_is_dropped_while_it_searches_goes_quietly():
    code = "import saavedra as c; e = c.Engine(); a = e.analysis(c.Board()); next(a)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
