"""Outside engines: good ones, real ones where there are any, and those that misbehave."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import saavedra as chess
from saavedra.engine import (
    Cp,
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    Limit,
    Mate,
    UciEngine,
    Wdl,
)

HERE = pathlib.Path(__file__).parent


def bad(kind, **keywords):
    return UciEngine([sys.executable, HERE / "bad_engine.py", kind], **{"timeout": 5, **keywords})


def real_engines():
    """Our own binary where it was built, and what is installed."""
    names = [os.environ.get("SAAVEDRA_BINARY", ""), "stockfish", "/usr/games/stockfish", "/usr/games/fruit"]
    return [path for path in map(shutil.which, filter(None, names)) if path]


def test_what_an_engine_tells_is_what_python_reads():
    with bad("good") as engine:
        assert engine.id == {"name": "Bad one", "author": "Nobody"}
        assert engine.options["Hash"].max == 64 and engine.options["Style"].var == ["Solid", "Risky"]
        info = engine.analyse(chess.Board(), Limit(depth=3))
        assert info["score"].white() == Cp(25) and info["wdl"].white() == Wdl(300, 500, 200)
        assert (info["depth"], info["seldepth"], info["nodes"], info["time"]) == (3, 4, 77, 0.077)
        assert [move.uci() for move in info["pv"]] == ["e2e4", "e7e5"]
        result = engine.play(chess.Board(), Limit(time=0.01))
        assert (result.move.uci(), result.ponder.uci(), result.info) == ("e2e4", "e7e5", {})
        with engine.analysis(chess.Board()) as analysis:
            pass
        assert analysis.wait().move.uci() == "e2e4"
        engine.ping()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"Hsah": 1}, 'it has no option "Hsah" .did you mean "Hash"'),
        ({"Hash": 65}, "Hash is between 1 and 64, not 65"),
        ({"Hash": "many"}, "Hash is a whole number, not 'many'"),
        ({"Style": "Wild"}, "Style is one of Solid, Risky, not 'Wild'"),
    ],
)
def test_an_option_that_an_engine_does_not_have_is_refused(options, message):
    with bad("good") as engine:
        with pytest.raises(EngineError, match=message):
            engine.configure(options)
        assert engine.play(chess.Board(), Limit(depth=1)).move
    with pytest.raises(EngineError, match=message):
        bad("good", options=options)


@pytest.mark.parametrize(
    "kind, error, message",
    [
        ("illegal", EngineError, 'answered "e2e5", which is not a legal move in rnbq'),
        ("nothing", EngineError, 'answered "0000", which is not a legal move'),
        ("crash", EngineTerminatedError, "it broke"),
        ("hang", EngineTimeoutError, "did not answer within"),
        ("flood", EngineTimeoutError, "did not answer within"),
    ],
)
def test_an_engine_that_misbehaves_is_an_exception_that_says_how(kind, error, message):
    with bad(kind, timeout=1) as engine:
        with pytest.raises(error, match=message):
            engine.play(chess.Board(), Limit(time=0.05))
        if issubclass(error, EngineTerminatedError):
            with pytest.raises(EngineTerminatedError, match="the engine has ended: "):
                engine.play(chess.Board(), Limit(time=0.05))


def test_nonsense_is_passed_over():
    with bad("babble") as engine:
        result = engine.play(chess.Board(), Limit(depth=1))
        assert (result.move.uci(), result.ponder) == ("e2e4", None)


def test_an_analysis_of_an_engine_that_ends_raises():
    with bad("crash") as engine:
        analysis = engine.analysis(chess.Board())
        with pytest.raises(EngineTerminatedError, match="it broke"):
            list(analysis)


@pytest.mark.parametrize("kind, command", [("mute", None), ("", "/no/such/engine"), ("", "")])
def test_an_engine_that_does_not_start_is_told(kind, command):
    with pytest.raises((EngineError, ValueError), match="did not answer|did not start|no such|expected a program"):
        bad(kind, timeout=0.5) if command is None else UciEngine(command)


def test_an_engine_that_does_not_stop_is_ended_with_all_it_started():
    engine = bad("stubborn")
    engine.play(chess.Board(), Limit(depth=1))
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(os.getpid())], capture_output=True, text=True)
    engine.close()
    left = subprocess.run(["ps", "-o", "stat=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True)
    assert children.stdout.split() and "bad_engine" not in left.stdout and "defunct" not in left.stdout


def test_an_interrupt_ends_the_wait_for_an_engine_that_hangs():
    code = f"""
import _thread, signal, sys, threading, time
import saavedra as chess
# What runs in the background of a shell ignores interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
engine = chess.UciEngine([sys.executable, {str(HERE / "bad_engine.py")!r}, "hang"], timeout=100)
def interrupt(main):
    while not sys._current_frames()[main].f_code.co_filename.endswith("_searching.py"):
        time.sleep(0.01)
    _thread.interrupt_main()
threading.Thread(target=interrupt, args=(threading.get_ident(),), daemon=True).start()
try:
    engine.play(chess.Board(), chess.Limit(depth=1))
except KeyboardInterrupt:
    try:
        engine.ping()
    except chess.engine.EngineTerminatedError:
        print("ended")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.stdout.strip() == "ended", run.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_neither_uses_nor_ends_the_engine_of_its_parent():
    with bad("good") as engine:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                engine.ping()
            except EngineError as error:
                status = 0 if "belongs to process" in str(error) else 2
            engine.close()
            del engine
            os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
        assert engine.play(chess.Board(), Limit(depth=1)).move.uci() == "e2e4"


def test_engines_that_were_not_closed_end_with_the_process():
    code = f"""
import sys, saavedra as chess
engine = chess.UciEngine([sys.executable, {str(HERE / "bad_engine.py")!r}, "good", "marked-{os.getpid()}"])
analysis = engine.analysis(chess.Board())
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    ps = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True)
    assert not [line for line in ps.stdout.splitlines() if "bad_engine.py" in line and f"marked-{os.getpid()}" in line]


@pytest.mark.parametrize("path", real_engines() or [None])
def test_a_real_engine_finds_a_mate_and_ranks_lines(path):
    if path is None:
        pytest.skip("no UCI engine is installed; SAAVEDRA_BINARY may name one")
    with UciEngine([path]) as engine:
        info = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), Limit(depth=8))
        assert info["score"].white() == Mate(1) and info["pv"][0].uci() == "d1d8"
        if "MultiPV" in engine.options:
            lines = engine.analyse(chess.Board(), Limit(depth=5), multipv=3)
            assert len({info["pv"][0] for info in lines}) == 3
        with engine.analysis(chess.Board()) as analysis:
            next(analysis)
        assert (
            engine.play(chess.Board(), Limit(nodes=1000), root_moves=[chess.Move.from_uci("a2a3")]).move.uci() == "a2a3"
        )
        board = chess.Board("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", chess960=True)
        assert engine.play(board, Limit(depth=4)).move in board.legal_moves
