"""What a board promises beyond python-chess's names: errors, copies, pickles, subclasses, threads, memory."""

import copy
import gc
import multiprocessing
import pickle
import subprocess
import sys
import threading

import pytest

import saavedra as chess


def rss_kib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def played():
    board = chess.Board()
    for san in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"]:
        if san == "O-O":
            board.push_san("Ba4")
            board.push_san("Nf6")
        board.push_san(san)
    return board


def test_an_illegal_move_changes_nothing():
    board = chess.Board()
    with pytest.raises(chess.IllegalMoveError, match="illegal move: e2e5 in rnbqkbnr"):
        board.push(chess.Move.from_uci("e2e5"))
    assert board == chess.Board() and not board.move_stack


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: chess.Board("8/8"), "ranks"),
        (lambda: chess.Board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w - - 0 1"), "unexpected 'X'"),
        (lambda: chess.Board().piece_at(64), "64 is not a square"),
        (lambda: chess.Board().pieces(7, True), "7 is not a piece type"),
        (lambda: chess.Board().parse_san("Nf9"), "invalid san"),
        (lambda: chess.Board().parse_san("Nd5"), "illegal san"),
        (lambda: chess.Move.from_uci("e9e4"), "not a UCI move"),
        (lambda: chess.parse_square("i1"), "'i1' is not a square"),
        (lambda: chess.Board.empty().zobrist(), "white has no king|White has no king"),
        (lambda: chess.Board().fen(en_passant="maybe"), "expected"),
    ],
)
def test_errors_say_what_was_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_copies_and_pickles_are_equal_and_independent():
    board = played()
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert twin == board and twin.move_stack == board.move_stack
        twin.pop()
        assert twin != board
    assert board.copy(stack=2).move_stack == board.move_stack[-2:]
    assert board.root() == chess.Board()
    for value in (chess.Move.from_uci("e7e8q"), chess.Piece.from_symbol("n"), chess.SquareSet(0xFF)):
        assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)


def test_boards_are_not_hashable_and_moves_are():
    with pytest.raises(TypeError):
        hash(chess.Board())
    assert len({chess.Move.from_uci("e2e4"), chess.Board().parse_san("e4")}) == 1


class Annotated(chess.Board):
    def __init__(self, fen=chess.STARTING_FEN, *, note="", chess960=False):
        super().__init__(fen, chess960=chess960)
        self.note = note


def test_subclasses_keep_their_type_and_attributes():
    board = Annotated(note="mine")
    board.push_san("e4")
    assert type(board.copy()) is Annotated
    again = pickle.loads(pickle.dumps(board))
    assert type(again) is Annotated and again.note == "mine" and again == board


def test_generated_moves_are_the_same_objects():
    one, other = list(chess.Board().legal_moves), list(chess.Board().legal_moves)
    assert all(a is b for a, b in zip(one, other))


def test_perft_see_and_keys():
    board = chess.Board()
    assert [board.perft(depth) for depth in range(6)] == [1, 20, 400, 8902, 197281, 4865609]
    guarded = chess.Board("4k3/8/2n5/4p3/6N1/8/8/4K3 w - - 0 1")
    assert guarded.see(guarded.parse_san("Nxe5")) == -200
    key = board.zobrist()
    board.push_san("Nf3")
    assert board.zobrist() != key
    for san in ("Nf6", "Ng1", "Ng8"):
        board.push_san(san)
    assert board.zobrist() == key


def test_threads_may_use_boards_of_their_own():
    results = []

    def work():
        board = chess.Board()
        results.append(sum(board.perft(3) for _ in range(5)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [5 * 8902] * 4


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_forked_process_goes_on():
    board = played()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(len, (list(board.legal_moves),)) == board.legal_moves.count()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_stays_flat():
    board = chess.Board()

    def work(rounds):
        for _ in range(rounds):
            for move in board.legal_moves:
                board.push(move)
                board.fen()
                board.piece_map()
                board.pop()

    work(200)
    gc.collect()
    before = rss_kib()
    work(2000)
    gc.collect()
    assert rss_kib() - before < 1024


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_control_c_stops_perft():
    code = "import saavedra, signal; signal.setitimer(signal.ITIMER_REAL, 0.2); signal.signal(signal.SIGALRM, "
    code += "signal.default_int_handler); saavedra.Board().perft(12)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "KeyboardInterrupt" in done.stderr


def test_pictures():
    board = played()
    assert board._repr_svg_().startswith("<svg") and board._repr_svg_().endswith("</svg>")
    assert "♜ ♞" in chess.Board().unicode()
    assert repr(chess.Board()) == f"Board('{chess.STARTING_FEN}')"


def test_a_perft_that_nobody_could_wait_for_is_refused():
    for depth in 101, 20_000, 1_000_000_000:
        with pytest.raises(ValueError, match="expected a whole number from 0 to 100"):
            chess.Board("8/8/8/8/8/4k3/8/4K3 w - - 0 1").perft(depth)
