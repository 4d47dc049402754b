"""Positions as arrays, beside boards and python-chess."""

import copy
import multiprocessing
import os
import pickle
import random
import subprocess
import sys

import pytest

import saavedra as chess
from saavedra import Positions, pgn

numpy = pytest.importorskip("numpy")

FENS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/P6k/8/8/8/8/1p5K/2N5 b - - 7 90",
    "4k3/8/2n5/4p3/6N1/8/8/4K3 b - - 0 1",
    "r3k3/8/8/8/8/8/8/4K2R b Kq - 3 20",
]

#: SAAVEDRA_POSITIONS=100000 is the long form.
COUNT = min(int(os.environ.get("SAAVEDRA_POSITIONS", "2000")), 100_000)


def walked(count, seed=3):
    """Boards of random games, one move after the other."""
    source, boards, board = random.Random(seed), [], chess.Board()
    while len(boards) < count:
        boards.append(board.copy(stack=False))
        moves = list(board.legal_moves)
        if not moves or board.ply() > 160:
            board = chess.Board()
        else:
            board.push(source.choice(moves))
    return boards


BOARDS = [chess.Board(fen) for fen in FENS] + walked(COUNT)
POSITIONS = Positions(BOARDS)


def test_positions_are_the_boards_they_were_made_of():
    assert len(POSITIONS) == len(BOARDS) and POSITIONS.fens() == [board.fen() for board in BOARDS]
    assert Positions(FENS).fens() == FENS and POSITIONS[1] == BOARDS[1] and POSITIONS[-1] == BOARDS[-1]
    assert list(POSITIONS[:9]) == BOARDS[:9]
    assert POSITIONS[10:2:-3].fens() == [board.fen() for board in BOARDS[10:2:-3]]
    assert POSITIONS[[5, 0, -1]].fens() == [BOARDS[row].fen() for row in (5, 0, -1)]
    assert len(POSITIONS[POSITIONS.turns()]) == sum(board.turn for board in BOARDS)
    assert POSITIONS[:4] + POSITIONS[4:] == POSITIONS and POSITIONS[:4] != POSITIONS
    assert len(Positions()) == 0 and Positions().planes().shape == (0, 18, 8, 8)
    assert Positions.concat([]) == Positions()


def test_bitboards_and_planes_show_the_pieces():
    bitboards, planes, small = POSITIONS.bitboards(), POSITIONS.planes(), POSITIONS.planes("uint8")
    assert bitboards.shape == (len(BOARDS), 12) and planes.shape == (len(BOARDS), 18, 8, 8)
    assert planes.dtype == numpy.float32 and (planes == small).all() and planes.flags.writeable
    for row, board in enumerate(BOARDS):
        expected = [int(board.pieces(role, color)) for color in (True, False) for role in range(1, 7)]
        assert bitboards[row].tolist() == expected
    bits = numpy.unpackbits(bitboards.view("u1").reshape(-1, 12, 8), axis=-1, bitorder="little").reshape(-1, 12, 8, 8)
    assert (bits == planes[:, :12]).all()
    assert (planes[:, 12].any(axis=(1, 2)) == POSITIONS.turns()).all()
    for right in range(4):
        assert (planes[:, 13 + right, 0, 0] == (POSITIONS.castling() >> right & 1)).all()
    ep = POSITIONS.ep_squares()
    assert (planes[:, 17].reshape(-1, 64).argmax(1)[ep >= 0] == ep[ep >= 0]).all() and (ep >= 0).any()


def test_relative_planes_are_those_of_the_mirrored_board():
    mirrored = Positions([board if board.turn else board.mirror() for board in BOARDS])
    assert (POSITIONS.planes(relative=True) == mirrored.planes()).all()
    assert (POSITIONS.bitboards(relative=True) == mirrored.bitboards()).all()
    assert (POSITIONS.legal_masks(relative=True) == mirrored.legal_masks()).all()


def test_scalars_are_those_of_the_boards():
    for row, board in enumerate(BOARDS):
        assert POSITIONS.turns()[row] == board.turn if row < 9 else True
    assert POSITIONS.halfmove_clocks().tolist() == [board.halfmove_clock for board in BOARDS]
    assert POSITIONS.fullmove_numbers().tolist() == [board.fullmove_number for board in BOARDS]
    assert POSITIONS.checks().tolist() == [board.is_check() for board in BOARDS]
    assert POSITIONS.zobrist().tolist() == [board.zobrist() for board in BOARDS]
    assert POSITIONS.legal_move_counts().tolist() == [board.legal_moves.count() for board in BOARDS]
    letters = "KQkq"
    for board, bits in zip(BOARDS, POSITIONS.castling().tolist()):
        assert "".join(letters[n] for n in range(4) if bits >> n & 1) == board.fen().split()[2].replace("-", "")


def test_masks_and_numbers_name_the_legal_moves():
    masks, moves = POSITIONS.legal_masks(), POSITIONS.legal_moves()
    for row, board in enumerate(BOARDS):
        legal = set(board.legal_moves)
        assert {chess.policy_move(int(index), board) for index in numpy.flatnonzero(masks[row])} == legal
        assert sorted(chess.policy_index(move) for move in legal) == numpy.flatnonzero(masks[row]).tolist()
        assert set(pgn.decode_moves(moves[row])) == legal
        for move in legal:
            assert chess.policy_move(chess.policy_index(move, mirror=True), board, mirror=True) == move
    for wrong in (4480, 10**6):
        with pytest.raises(ValueError, match="not the number of a move"):
            chess.policy_move(wrong)


def test_masks_are_those_of_python_chess():
    theirs = pytest.importorskip("chess")
    for board, mask in zip(BOARDS[:300], POSITIONS.legal_masks()):
        expected = {chess.policy_index(chess.Move.from_uci(move.uci())) for move in theirs.Board(board.fen()).legal_moves}
        assert expected == set(numpy.flatnonzero(mask).tolist())


def test_castling_in_chess960_is_the_way_to_the_rook():
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960=True)
    mask = Positions([board]).legal_masks()[0]
    assert mask[chess.policy_index(chess.Move.from_uci("e1h1"))] and not mask[chess.policy_index(chess.Move.from_uci("e1g1"))]
    assert Positions([board])[0].chess960


def test_exchanges_are_those_of_the_boards():
    rows = [(row, move) for row, board in enumerate(BOARDS[:200]) for move in list(board.legal_moves)[:3]]
    batch = POSITIONS[[row for row, _ in rows]]
    numbers = []
    for moves, (_, move) in zip(batch.legal_moves(), rows):
        numbers.append(next(int(bits) for bits in moves if pgn.decode_moves([int(bits)]) == [move]))
    assert batch.see(numbers).tolist() == [BOARDS[row].see(move) for row, move in rows]
    with pytest.raises(ValueError, match="is not a legal move of position 0"):
        Positions([chess.Board()]).see([1])
    with pytest.raises(ValueError, match="2 moves for 1 positions"):
        Positions([chess.Board()]).see([1, 2])


def test_evaluations_do_not_depend_on_what_came_before():
    values = POSITIONS.evaluate()
    alone = [int(POSITIONS[row : row + 1].evaluate()[0]) for row in range(0, len(BOARDS), 7)]
    assert values[::7].tolist() == alone and len(set(alone)) > 10
    order = list(range(len(BOARDS)))
    random.Random(1).shuffle(order)
    assert (POSITIONS[order].evaluate() == values[order]).all()
    assert (POSITIONS.evaluate(threads=3) == values).all()
    assert (Positions([board.mirror() for board in BOARDS]).evaluate() == values).all()
    with pytest.raises(FileNotFoundError, match="cannot read /no/such.nnue"):
        POSITIONS.evaluate("/no/such.nnue")


def test_a_file_that_is_no_network_is_named(tmp_path):
    path = tmp_path / "x.nnue"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="x.nnue is not a network"):
        chess.Network(path)


@pytest.mark.parametrize(
    "fen, message",
    [("8/8/8/8/8/8/8/8 w - - 0 1", "position 1: "), ("rubbish", "position 1: .*rubbish")],
)
def test_a_bad_fen_is_named_with_its_row(fen, message):
    with pytest.raises(ValueError, match=message):
        Positions([chess.STARTING_FEN, fen])


def test_packed_positions_come_back():
    packed = POSITIONS.packed()
    assert packed.shape == (len(BOARDS), 32) and Positions.from_packed(packed) == POSITIONS
    broken = packed.copy()
    broken[3, 8:24] = 0xFF
    with pytest.raises(ValueError, match="position 3: "):
        Positions.from_packed(broken)
    with pytest.raises(ValueError, match="33 bytes are not boards of 32 bytes"):
        Positions.from_packed(bytes(33))


def test_positions_are_copied_and_pickled():
    for twin in (copy.deepcopy(POSITIONS), pickle.loads(pickle.dumps(POSITIONS))):
        assert twin == POSITIONS and type(twin) is Positions


def test_games_and_files_become_positions():
    text = b"1. e4 e5 ( 1... c5 2. c3 ) 2. Nf3 1-0\n\n[White \"Kim\"]\n\n1. d4 *\n\n"
    first, second = pgn.read_pgn(text)
    assert len(Positions.from_game(first)) == 4
    first.comment = "the tree is made"
    assert Positions.from_game(first)[-1] == first.end().board()
    assert Positions.from_pgn(text) == Positions.from_game(first) + Positions.from_game(second)
    assert Positions.from_pgn(text, white="kim") == Positions.from_game(second)
    assert len(Positions.from_pgn(text, limit=3)) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_forked_process_evaluates_too():
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(evaluated, (POSITIONS[:50],)) == POSITIONS[:50].evaluate().tolist()


def evaluated(positions):
    return positions.evaluate(threads=2).tolist()


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_control_c_stops_long_work():
    code = "import saavedra, signal; signal.signal(signal.SIGALRM, signal.default_int_handler); "
    code += "p = saavedra.Positions.concat([saavedra.Positions([saavedra.STARTING_FEN])] * 3_000_000); "
    code += "signal.setitimer(signal.ITIMER_REAL, 0.02)\nfor _ in range(1000): p.evaluate()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert "KeyboardInterrupt" in done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_stays_flat():
    from test_pgn import rss_kib

    def work():
        for _ in range(20):
            part = POSITIONS[:500]
            part.planes(), part.legal_masks(), part.evaluate(), part.legal_moves(), pickle.loads(pickle.dumps(part))

    work()
    before = rss_kib()
    work()
    assert rss_kib() - before < 2048
