"""Games in PGN: beside python-chess, and what is promised beyond its names."""

import copy
import gzip
import io
import os
import pathlib
import pickle
import random
import subprocess
import sys
import threading

import pytest

import saavedra
from saavedra import pgn

ANNOTATED = """[Event "An event"]
[Site "?"]
[Date "2024.05.01"]
[Round "1"]
[White "Doe, Jane"]
[Black "Roe, Richard"]
[Result "1-0"]
[WhiteElo "2510"]
[BlackElo "2440"]
[ECO "C65"]

{ Before the first move. } 1. e4 $1 { [%eval 0.31,20] [%clk 0:03:00] best by test }
e5 { [%clk 0:02:58.5] } ( { or } 1... c5 $5 2. Nf3 ( 2. c3 { Alapin } d5 )
2... d6 ) ( 1... e6 ) 2. Nf3 Nc6 3. Bb5 Nf6 $6 { [%csl Rf7,Gb5][%cal Ge2e4] arrows }
4. O-O Nxe4 5. d4 {two} {comments} 1-0

[Event "?"]
[White "Chess960"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]
[Result "*"]

9. Nf3 Ng4 *

[Event "No moves"]
[Result "1/2-1/2"]

1/2-1/2
"""


def data_folder():
    for folder in (os.environ.get("SAAVEDRA_DATA"), pathlib.Path(__file__).parents[2] / "../shared/data"):
        if folder and (pathlib.Path(folder) / "pgn").is_dir():
            return pathlib.Path(folder) / "pgn"
    return None


def texts():
    """Files to read: our own, and those of the shared folder where there is one."""
    yield "annotated", ANNOTATED
    folder = data_folder()
    for path in sorted(folder.glob("*.pgn")) if folder else []:
        yield path.name, path.read_text(encoding="utf-8-sig", errors="surrogateescape")


TEXTS = dict(texts())

#: Where we differ from python-chess on purpose, and why.
DIFFERENT = {"anastasian-lewis.pgn": "a player passes in the game itself, which ends it here"}


def their_games(text):
    chess_pgn = pytest.importorskip("chess.pgn")
    handle, games = io.StringIO(text), []
    while True:
        game = chess_pgn.read_game(handle)
        if game is None:
            return games
        games.append(game)


def compare(ours, theirs):
    """Compares two places and all that follows, comments included."""
    pairs = [(ours, theirs)]
    while pairs:
        one, other = pairs.pop()
        assert (one.move and one.move.uci()) == (other.move and other.move.uci())
        assert one.comment.split() == other.comment.split()
        assert one.starting_comment.split() == other.starting_comment.split()
        assert one.nags == other.nags
        assert (one.ply(), one.turn(), one.clock(), one.emt()) == (other.ply(), other.turn(), other.clock(), other.emt())
        assert one.eval_depth() == other.eval_depth()
        assert str(one.eval() and one.eval().white()) == str(other.eval() and other.eval().white())
        assert [arrow.pgn() for arrow in one.arrows()] == [arrow.pgn() for arrow in other.arrows()]
        assert one.is_mainline() == other.is_mainline()
        assert one.starts_variation() == other.starts_variation()
        if one.parent is not None:
            assert one.san() == other.san()
        assert len(one.variations) == len(other.variations)
        pairs += zip(one.variations, other.variations)


@pytest.mark.parametrize("name", TEXTS)
def test_games_are_those_of_python_chess(name):
    if name in DIFFERENT:
        pytest.skip(DIFFERENT[name])
    ours, theirs = list(pgn.read_pgn(TEXTS[name].encode("utf-8", "surrogateescape"))), their_games(TEXTS[name])
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs):
        assert dict(one.headers) == dict(other.headers)
        assert list(one.headers) == list(other.headers)
        assert bool(one.errors) == bool(other.errors), (one.errors, other.errors)
        assert [move.uci() for move in one.mainline_moves()] == [move.uci() for move in other.mainline_moves()]
        assert one.end().board().fen() == other.end().board().fen()
        compare(one, other)
        assert str(one) == str(other)
        assert str(one.mainline()) == str(other.mainline())


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_written_is_read_back(name):
    for game in pgn.read_pgn(TEXTS[name].encode("utf-8", "surrogateescape")):
        again = next(pgn.read_pgn(str(game).encode("utf-8", "surrogateescape")))
        assert str(again) == str(game)
        compare(again, game)


@pytest.mark.parametrize("name", TEXTS)
def test_one_game_at_a_time_reads_no_further_than_its_last_line(name):
    if name in DIFFERENT:
        pytest.skip(DIFFERENT[name])
    chess_pgn = pytest.importorskip("chess.pgn")
    ours, theirs = io.StringIO(TEXTS[name]), io.StringIO(TEXTS[name])
    while True:
        one, other = pgn.read_game(ours), chess_pgn.read_game(theirs)
        assert (one is None) == (other is None)
        if one is None:
            break
        assert str(one) == str(other)
    ours.seek(0)
    count = sum(1 for _ in iter(lambda: pgn.read_headers(ours), None))
    assert count == len(their_games(TEXTS[name]))


def test_games_can_be_found_again_by_their_place():
    handle, places = io.StringIO(ANNOTATED), []
    while True:
        place = handle.tell()
        if pgn.read_headers(handle) is None:
            break
        places.append(place)
    names = []
    for place in reversed(places):
        handle.seek(place)
        names.append(pgn.read_game(handle).headers["White"])
    assert names == ["?", "Chess960", "Doe, Jane"]


def test_games_without_results_are_told_apart_one_by_one():
    handle = io.StringIO('[Event "a"]\n\n1. e4 e5\n\n[Event "b"]\n\n1. d4\n')
    games = list(iter(lambda: pgn.read_game(handle), None))
    assert [(game.headers["Event"], len(list(game.mainline_moves()))) for game in games] == [("a", 2), ("b", 1)]


def test_comments_to_the_end_of_a_line_are_kept():
    (game,) = pgn.read_pgn(b"1. e4 ; solid\n1... e5 *")
    assert game.next().comment == "solid" and game.end().ply() == 2


def test_quotation_marks_in_headers_are_themselves():
    (game,) = pgn.read_pgn(b'[Event "A \\"quoted\\" event"]\n\n*')
    assert game.headers["Event"] == 'A "quoted" event'
    assert str(game).startswith('[Event "A \\"quoted\\" event"]')


def test_a_broken_game_is_kept_up_to_its_fault():
    text = b"1. e4 e5 2. Ke3 Nc6 0-1\n\n1. d4 *\n"
    first, second = pgn.read_pgn(text)
    assert [move.uci() for move in first.mainline_moves()] == ["e2e4", "e7e5"]
    (error,) = first.errors
    assert isinstance(error, saavedra.IllegalMoveError) and str(error) == "game 1, line 1: Ke3 is not a legal move here"
    assert not second.errors
    with pytest.raises(ValueError, match="Ke3 is not a legal move here"):
        list(pgn.read_pgn(text, strict=True))
    (other,) = pgn.read_pgn(b'[FEN "nonsense"]\n\n1. e4 *')
    assert "the tag FEN is" in str(other.errors[0])


def test_a_tree_can_be_made_and_changed():
    game = pgn.Game()
    e4 = game.add_variation(saavedra.Move.from_uci("e2e4"), comment="best", nags=[1])
    d4 = game.add_main_variation(saavedra.Move.from_uci("d2d4"))
    c4 = game.add_variation(saavedra.Move.from_uci("c2c4"))
    assert [node.san() for node in game.variations] == ["d4", "e4", "c4"]
    game.promote(c4)
    game.demote(d4)
    game.promote_to_main(e4.move)
    assert [node.san() for node in game.variations] == ["e4", "c4", "d4"]
    assert game.next() is e4 and c4.move in game and game[2] is d4 and game.has_variation(d4)
    game.remove_variation(c4)
    e4.add_line([saavedra.Move.from_uci("c7c5"), saavedra.Move.from_uci("g1f3")], comment="open")
    assert str(game.mainline()) == "1. e4 $1 { best } 1... c5 2. Nf3 { open }"
    assert game.accept(pgn.StringExporter(headers=False)) == "1. e4 $1 { best } ( 1. d4 ) 1... c5 2. Nf3 { open } *"
    assert game.end().ply() == 3 and game.end().root() is game and game.end().game() is game
    assert str(e4.variations[0]).endswith("1... c5 2. Nf3 { open }")


def test_values_in_comments_can_be_set_and_removed():
    node = pgn.Game().add_variation(saavedra.Move.from_uci("e2e4"), comment="good")
    node.set_clock(3723.5)
    node.set_emt(2)
    node.set_eval(pgn._annotations.PovScore(pgn._annotations.Cp(-31), True), 20)
    assert node.comment == "good [%clk 1:02:03.5] [%emt 0:00:02] [%eval -0.31,20]"
    node.set_clock(60)
    assert (node.clock(), node.emt(), node.eval_depth()) == (60, 2, 20)
    assert node.eval().white().score() == -31
    node.set_arrows([(saavedra.E2, saavedra.E4), saavedra.svg.Arrow(5, 5, color="red")])
    assert node.comment.startswith("[%csl Rf1][%cal Ge2e4] good")
    for remove in (node.set_clock, node.set_emt, node.set_eval):
        remove(None)
    node.set_arrows([])
    assert node.comment == "good"


def test_a_board_becomes_a_game_and_a_file():
    board = saavedra.Board()
    for san in ["f3", "e5", "g4", "Qh4#"]:
        board.push_san(san)
    game = pgn.Game.from_board(board)
    assert game.headers["Result"] == "0-1" and game.end().board() == board
    late = saavedra.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    late.push_san("e4")
    assert 'SetUp "1"' in str(pgn.Game.from_board(late)) and pgn.Game.from_board(late).end().board() == late


def test_games_are_written_and_appended(tmp_path):
    path = tmp_path / "games.pgn"
    games = list(pgn.read_pgn(ANNOTATED.encode()))
    games[0].write(path, append=False)
    for game in games[1:]:
        game.write(path)
    assert [str(game) for game in pgn.read_pgn(path)] == [str(game) for game in games]
    text = io.StringIO()
    for game in games:
        game.accept(pgn.FileExporter(text))
    assert text.getvalue() == path.read_text()


@pytest.mark.parametrize("name", ["plain", "gzip", "text", "binary", "bytes", "bytearray"])
def test_every_kind_of_source_is_read(name, tmp_path):
    path = tmp_path / "games"
    path.write_bytes(gzip.compress(ANNOTATED.encode()) if name == "gzip" else ANNOTATED.encode())
    sources = {"text": io.StringIO(ANNOTATED), "binary": io.BytesIO(gzip.compress(ANNOTATED.encode()))}
    sources.update({"bytes": ANNOTATED.encode(), "bytearray": bytearray(ANNOTATED.encode())})
    assert sum(1 for _ in pgn.read_pgn(sources.get(name, str(path)))) == 3


@pytest.mark.parametrize(
    "source, kind, message",
    [
        ("/no/such.pgn", FileNotFoundError, "cannot read /no/such.pgn"),
        (3, TypeError, "expected a path, bytes or a file object, not int"),
        (gzip.compress(ANNOTATED.encode())[:-9], (OSError, EOFError), "cannot read the bytes given"),
    ],
)
def test_what_cannot_be_read_is_named(source, kind, message):
    with pytest.raises(kind, match=message):
        list(pgn.read_pgn(source))


def test_an_error_of_a_file_object_comes_through():
    class Broken:
        def read(self, size):
            raise RuntimeError("out of paper")

    with pytest.raises(RuntimeError, match="out of paper"):
        list(pgn.read_pgn(Broken()))


def many_games(count):
    source = random.Random(7)
    for number in range(count):
        elo, result = source.randrange(1000, 2800), source.choice(["1-0", "0-1", "1/2-1/2"])
        eco, year = source.choice(["A00", "B90", "B97", "C65", "E60"]), source.randrange(1990, 2025)
        name = source.choice(["Petra", "Ólafur", "Kim"])
        yield f'[White "{name} {number}"]\n[WhiteElo "{elo}"]\n[BlackElo "{elo - 9}"]\n[Result "{result}"]\n'
        yield f'[ECO "{eco}"]\n[Date "{year}.05.??"]\n\n1. e4 e5 2. Nf3 {result}\n\n'


@pytest.mark.parametrize(
    "bounds, wanted",
    [
        ({"min_elo": 2000}, lambda h: int(h["BlackElo"]) >= 2000),
        ({"max_elo": 1500, "result": "1-0"}, lambda h: int(h["WhiteElo"]) <= 1500 and h["Result"] == "1-0"),
        ({"result": ["1-0", "0-1"]}, lambda h: h["Result"] != "1/2-1/2"),
        ({"eco": "B9"}, lambda h: h["ECO"][:2] == "B9"),
        ({"eco": ["A", "E60"], "since": "2000.06.01"}, lambda h: h["ECO"] in ("A00", "E60") and h["Date"] >= "2000.06"),
        ({"until": "1999.12.31"}, lambda h: h["Date"] < "2000"),
        ({"player": "óLAFUR"}, lambda h: h["White"].startswith("Ólafur")),
        ({"filter": lambda h: h["White"].endswith("7")}, lambda h: h["White"].endswith("7")),
    ],
)
def test_filters_choose_by_headers(bounds, wanted):
    text = "".join(many_games(400)).encode()
    everything = list(pgn.read_pgn(text))
    chosen = [game.headers["White"] for game in pgn.read_pgn(text, **bounds)]
    assert chosen == [game.headers["White"] for game in everything if wanted(game.headers)]
    assert 0 < len(chosen) < 400


def test_filters_that_make_no_sense_are_named():
    for bounds, message in [
        ({"result": "2-0"}, "'2-0' is not a result|\"2-0\" is not a result"),
        ({"since": "yesterday"}, "is not a date"),
        ({"filter": 3}, "must be a function"),
    ]:
        with pytest.raises((ValueError, TypeError), match=message):
            pgn.read_pgn(b"", **bounds)
    with pytest.raises(ZeroDivisionError):
        list(pgn.read_pgn(b"1. e4 *", filter=lambda headers: 1 / 0))


class Mine(pgn.Game):
    stars = 0


def test_games_can_be_copied_pickled_and_subclassed():
    for game in pgn.read_pgn(ANNOTATED.encode(), Game=Mine):
        game.stars = 5
        for twin in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            assert type(twin) is Mine and twin.stars == 5 and str(twin) == str(game)
            twin.add_variation(next(iter(twin.board().legal_moves)))
            twin.headers["White"] = "other"
            assert str(twin) != str(game)


def test_a_game_may_be_as_deep_as_memory_allows():
    game = pgn.Game()
    moves = [saavedra.Move.from_uci(uci) for uci in ("g1f3", "g8f6", "f3g1", "f6g8")] * 2000
    end = game.add_line(moves)
    assert end.ply() == 8000 and pickle.loads(pickle.dumps(game)).end().ply() == 8000
    assert len(list(next(pgn.read_pgn(str(game).encode())).mainline_moves())) == 8000


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no /dev/zero")
def test_control_c_stops_reading():
    code = "import saavedra.pgn, signal; signal.signal(signal.SIGALRM, signal.default_int_handler); "
    code += "signal.setitimer(signal.ITIMER_REAL, 0.2); list(saavedra.pgn.read_pgn('/dev/zero'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "KeyboardInterrupt" in done.stderr


def rss_kib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_stays_flat_however_long_the_stream():
    class Endless:
        """As many games as are asked for, without holding them."""

        # SAAVEDRA_GAMES=10000000 is the long form.
        left, piece = int(os.environ.get("SAAVEDRA_GAMES", "30000")), "".join(many_games(100)).encode()

        def read(self, size):
            self.left -= 100
            return self.piece if self.left >= 0 else b""

    def walk():
        for game in pgn.read_pgn(Endless()):
            if int(game.headers["WhiteElo"]) > 2700:
                str(game)

    walk()
    before = rss_kib()
    walk()
    assert rss_kib() - before < 2048


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_small_file_that_unpacks_to_zeros_takes_little_memory():
    bomb = gzip.compress(bytes(1 << 25))
    before = rss_kib()
    assert list(pgn.read_pgn(bomb)) == []
    assert rss_kib() - before < 8 << 10


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_forked_process_reads_on():
    import multiprocessing

    games = pgn.read_pgn("".join(many_games(9)).encode())
    first = next(games).headers["White"]
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(count_games, ("".join(many_games(500)),)) == 500
    assert [first, *(game.headers["White"] for game in games)] == [
        game.headers["White"] for game in pgn.read_pgn("".join(many_games(9)).encode())
    ]


def count_games(text):
    return sum(1 for _ in pgn.read_pgn(text.encode()))


def test_threads_may_read_files_of_their_own():
    results = []
    text = "".join(many_games(500)).encode()
    threads = [threading.Thread(target=lambda: results.append(sum(1 for _ in pgn.read_pgn(text)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [500] * 4


def test_a_filter_that_closes_its_reader_is_refused():
    games = saavedra.read_pgn(b"1. e4 *", filter=lambda headers: games.close())
    with pytest.raises(RuntimeError, match="their own filter"):
        list(games)


TREE = "{start} 1. e4 {c} e5 $1 (1... c5 {s} 2. Nf3 (2. c3 d5) d6) 2. Nf3 Nc6 (2... d6) 3. Bb5 1-0\n"


def told(module):
    """What is told of each place of a game: as text, and to visitors."""
    game = module.read_game(io.StringIO(f'[White "A"]\n\n{TREE}'))
    first = game.next()
    texts = []
    for node in (first, first.next(), first.variations[1], game.end()):
        texts += [str(node), str(node.mainline()), str(node.mainline_moves())]
        for tell in (node.accept, node.accept_subgame, node.mainline().accept):
            texts += [tell(module.StringExporter(columns=None)), tell(module.StringExporter(columns=9, headers=False))]
    return texts + [game.accept_subgame(module.StringExporter())]


def test_places_in_a_game_are_told_as_python_chess_tells_them():
    assert told(pgn) == told(pytest.importorskip("chess.pgn"))
