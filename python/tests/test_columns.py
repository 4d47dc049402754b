"""Games as columns, beside the games read one by one."""

import gzip
import os
import subprocess
import sys

import pytest

import saavedra
from saavedra import pgn

from test_pgn import ANNOTATED, TEXTS, many_games

numpy = pytest.importorskip("numpy")


def annotated(count, event="Event"):
    for number in range(count):
        yield f'[{event} "{number}"]\n[White "Wö {number}"]\n[WhiteElo "{number if number % 3 else "?"}"]\n[Result "1-0"]\n\n'
        yield "1. e4 { [%eval 0.2] [%clk 0:10:00] } ( 1. d4 { [%clk 0:00:01] } ) e5 2. Nf3 { [%eval #-3] }"
        yield " Nc6 3. Zz9 *\n\n" if number % 7 == 5 else " Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O 1-0\n\n"


ALL = ("Event", "White", "Result", "white_elo", "black_elo", "plies", "moves", "clocks", "evals", "score", "start", "problem")


def check(columns, text):
    games = list(pgn.read_pgn(text))
    assert columns.games == len(games)
    for row, game in enumerate(games):
        moves = pgn.decode_moves(columns["moves"][row], chess960=game.headers.is_chess960())
        assert moves == list(game.mainline_moves())
        assert columns["plies"][row] == len(moves)
        assert (columns["White"][row] or "?") == game.headers["White"]
        clocks = [node.clock() for node in game.mainline()]
        expected = clocks if any(clock is not None for clock in clocks) else []
        assert [None if numpy.isnan(value) else value for value in columns["clocks"][row]] == expected
        assert columns["problem"][row] == (str(game.errors[0]) if game.errors else None)
        elo = game.headers.get("WhiteElo", "?")
        assert columns["white_elo"][row] is numpy.ma.masked if elo in ("?", "") else columns["white_elo"][row] == int(elo)


@pytest.mark.parametrize("name", TEXTS)
def test_columns_say_what_the_games_say(name):
    text = TEXTS[name].encode("utf-8", "surrogateescape")
    check(pgn.to_numpy(text, ALL), text)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_make_no_difference(threads):
    # Several pieces, with faults in them whose place in the file is told.
    text = "".join(annotated(4000)).encode()
    assert len(text) > 2 << 18
    columns = pgn.to_numpy(text, ALL, threads=threads)
    check(columns, text)
    assert columns["evals"][0][[0, 2]].tolist() == [20, -31997] and numpy.isnan(columns["evals"][0][1])


@pytest.mark.parametrize(
    "text",
    [
        # A cut would go through a comment, a variation is never closed, there are no tags to cut at, or no empty lines.
        "".join(annotated(2000)) + '1. e4 { \n\n[Event "in a comment"]\n\n } e5 *\n\n' + "".join(annotated(4000)),
        ("".join(annotated(2000)) + '[Event "open"]\n\n1. e4 ( 1. d4 d5\n\n') + "".join(annotated(2000)),
        "".join(annotated(3000, event="Site")),
        "".join(annotated(3000)).replace("\n\n[", "\n["),
        "1. e4 { " + "".join(annotated(5000)),
    ],
    ids=["comment", "variation", "no events", "no empty lines", "never closed"],
)
def test_cuts_change_nothing(text):
    text = text.encode()
    check(pgn.to_numpy(text, ALL, threads=3), text)


def test_filters_are_those_of_read_pgn():
    text = "".join(many_games(3000)).encode()
    for bounds in ({"min_elo": 2500}, {"filter": lambda headers: headers["ECO"] == "B97"}):
        names = pgn.to_numpy(text, ["White"], threads=3, **bounds)["White"]
        assert names == [game.headers["White"] for game in pgn.read_pgn(text, **bounds)] and names


def test_batches_have_the_size_asked_for():
    pyarrow = pytest.importorskip("pyarrow")
    text = "".join(annotated(2500)).encode()
    reader = pyarrow.RecordBatchReader.from_stream(pgn.to_arrow(text, ALL, batch_size=1000, threads=2))
    assert [batch.num_rows for batch in reader] == [1000, 1000, 500]


def test_pyarrow_reads_every_column():
    pyarrow = pytest.importorskip("pyarrow")
    text = "".join(annotated(100)).encode() + ANNOTATED.encode()
    table = pyarrow.table(pgn.to_arrow(text, ALL, batch_size=64))
    table.validate(full=True)
    columns = pgn.to_numpy(text, ALL)
    assert table["moves"].to_pylist() == [moves.tolist() for moves in columns["moves"]]
    assert table["problem"].to_pylist() == columns["problem"]
    assert table["white_elo"].to_pylist() == columns["white_elo"].tolist()
    assert table["start"].to_pylist() == columns["start"]
    assert table["score"].to_pylist() == columns["score"].tolist()
    first = table["evals"][0].as_py()
    assert first[:4] == [20, None, -31997, None]
    assert table["clocks"][100 + 1].as_py() is None, "a game without clocks"
    assert str(table.schema.field("moves").type) == "list<item: uint16>"


def test_polars_reads_it_too():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(pgn.to_arrow("".join(annotated(10)).encode(), ["White", "plies"]))
    assert frame["White"].to_list()[1] == "Wö 1" and frame["plies"].to_list()[:6] == [9, 9, 9, 9, 9, 4]


def test_a_stream_is_read_once_and_says_so():
    stream = pgn.to_arrow(b"1. e4 *")
    stream.__arrow_c_stream__()
    with pytest.raises(ValueError, match="have been read"):
        stream.__arrow_c_stream__()
    with pytest.raises(ValueError, match="'Moves2' is not|\"moves2\" is not a column"):
        pgn.to_arrow(b"", ["moves2"])


def test_a_damaged_file_gives_what_was_read_and_then_the_error():
    pyarrow = pytest.importorskip("pyarrow")
    packed = gzip.compress("".join(annotated(20000)).encode())[:-4000]
    reader = pyarrow.RecordBatchReader.from_stream(pgn.to_arrow(packed, ["White"], batch_size=100))
    count = 0
    with pytest.raises(Exception, match="cannot read the bytes given"):
        for batch in reader:
            count += batch.num_rows
    assert count > 5000
    with pytest.raises(OSError, match="cannot read the bytes given"):
        pgn.to_numpy(packed, ["White"])


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no /dev/zero")
@pytest.mark.parametrize("call", ["to_numpy('/dev/zero')", "to_numpy(b'1. e4 { ' * 10**6 + b'}', filter=stop)"])
def test_control_c_stops_columns(call):
    code = "import saavedra.pgn, signal\nsignal.signal(signal.SIGALRM, signal.default_int_handler)\n"
    code += "def stop(headers):\n    raise KeyboardInterrupt\n"
    code += f"signal.setitimer(signal.ITIMER_REAL, 0.3)\nsaavedra.pgn.{call}\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "KeyboardInterrupt" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_forked_process_reads_columns_too():
    import multiprocessing

    stream = pgn.to_arrow("".join(annotated(2000)).encode(), ["White"], batch_size=10, threads=2)
    next(iter(stream._next_buffers, None))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(count_rows, (2000,)) == 2000


def count_rows(count):
    return pgn.to_numpy("".join(annotated(count)).encode(), ["White"], threads=3).games


def test_columns_of_nothing_are_empty():
    for nothing in (b"", b"\n\n", bytes(1 << 20)):
        columns = pgn.to_numpy(nothing, ALL)
        assert columns.games == 0 and list(columns) == list(ALL)


def test_batches_may_be_forgotten_halfway():
    text = "".join(annotated(3000)).encode()
    for _ in range(20):
        next(iter(pgn.to_arrow(text, ALL, batch_size=10)._next_buffers, None))
        pgn.to_arrow(text, ALL).__arrow_c_stream__()
        pgn.to_arrow(text, ALL).__arrow_c_schema__()
    assert saavedra.Board().legal_moves.count() == 20
