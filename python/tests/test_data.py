"""Files of training games: read, written, damaged."""

import copy
import pickle
import random

import pytest

import saavedra as chess
from saavedra import Data, Positions, TrainingGame

numpy = pytest.importorskip("numpy")


def games(count, seed=5):
    source = random.Random(seed)
    for number in range(count):
        board = chess.Board.from_chess960_pos(source.randrange(960)) if number % 5 == 4 else chess.Board()
        start, moves = board.copy(), []
        for _ in range(source.randrange(1, 60)):
            legal = list(board.legal_moves)
            if not legal:
                break
            moves.append(source.choice(legal))
            board.push(moves[-1])
        scores = [source.randrange(-30000, 30000) for _ in moves]
        yield TrainingGame(start, moves, scores, source.choice(["1-0", "0-1", "1/2-1/2"]))


GAMES = list(games(300))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "games.svd"
    assert Data.write(path, GAMES) == len(GAMES)
    return path


def test_games_are_read_as_they_were_written(path):
    assert list(Data(path)) == GAMES and list(Data(str(path))) == GAMES
    assert Data.write(path, GAMES[:7], append=True) == 7
    assert list(Data(path)) == GAMES + GAMES[:7]
    first = next(iter(Data(path)))
    assert (first.moves, first.scores, first.result) == (GAMES[0].moves, GAMES[0].scores, GAMES[0].result)
    assert first.board() == GAMES[0].board()


def test_arrays_say_what_the_games_say(path):
    samples = Data(path).to_numpy()
    rows = [(game, ply) for game in GAMES for ply in range(len(game))]
    assert len(samples.positions) == len(rows) == len(samples.moves)
    assert samples.scores.tolist() == [game.scores[ply] for game, ply in rows]
    assert samples.plies.tolist() == [ply for _, ply in rows]
    numbers = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}
    assert samples.results.tolist() == [numbers[game.result] for game, _ in rows]
    row = 0
    for game in GAMES[:40]:
        board = game.board()
        for move in game.moves:
            assert samples.positions[row] == board
            (played,) = chess.pgn.decode_moves(samples.moves[row : row + 1], chess960=board.chess960)
            assert played == move
            board.push(move)
            row += 1
    scores, results = samples.targets()
    side = numpy.where(samples.positions.turns(), 1, -1)
    assert scores.dtype == numpy.float32 and (scores == samples.scores * side).all()
    assert (results == samples.results * side).all()


def test_batches_are_the_file_in_pieces(path):
    whole, batches = Data(path).to_numpy(), list(Data(path).batches(1000))
    assert {len(batch.moves) for batch in batches[:-1]} == {1000}
    assert Positions.concat(batch.positions for batch in batches) == whole.positions
    assert numpy.concatenate([batch.scores for batch in batches]).tolist() == whole.scores.tolist()
    with pytest.raises(ValueError, match="size is a whole number, 1 or more, not 0"):
        Data(path).batches(0)


def test_features_are_numbers_of_the_network(path):
    network, positions = chess.Network(), Data(path).to_numpy().positions[:500]
    features = positions.features(network)
    assert features.shape == (500, 2, 32) and features.max() < network.inputs
    pieces = (positions.planes("uint8")[:, :12] > 0).sum(axis=(1, 2, 3))
    assert ((features >= 0).sum(axis=2) == pieces[:, None]).all()


def test_damage_says_where_it_is(path):
    good = path.read_bytes()
    broken = bytearray(good)
    broken[200] ^= 1
    path.write_bytes(bytes(broken) + good[12:])
    with pytest.raises(chess.DamagedFileError, match=r"games.svd: [\d,]+ bytes at 12 are damaged"):
        list(Data(path))
    games = iter(Data(path))
    with pytest.raises(chess.DamagedFileError):
        next(games)
    assert next(games) == GAMES[0], "reading goes on behind the damage"
    skipping = iter(Data(path, skip_damage=True))
    assert list(skipping) == GAMES and len(skipping.damage) == 1 and "at 12" in skipping.damage[0]
    batches = Data(path, skip_damage=True).batches()
    assert sum(len(batch.moves) for batch in batches) == sum(map(len, GAMES)) and batches.damage


def test_an_interrupted_file_says_so(path):
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(chess.DamagedFileError, match=r"the last \d+ bytes are not a whole block"):
        list(Data(path))


def test_other_files_and_bad_games_are_refused(tmp_path):
    other = tmp_path / "other.svd"
    other.write_text("1. e4 e5")
    with pytest.raises(chess.DamagedFileError, match="other.svd: not a file of packed games"):
        iter(Data(other))
    with pytest.raises(FileNotFoundError, match="cannot read"):
        iter(Data(tmp_path / "none.svd"))
    e2e5 = chess.Move.from_uci("e2e5")
    for values, message in [
        ((chess.Board(), [e2e5], [0], "1-0"), "illegal move: e2e5"),
        ((chess.Board(), [], [0], "1-0"), "1 scores for 0 moves"),
        ((chess.Board(), [], [], "*"), "is not the result of a finished game"),
    ]:
        with pytest.raises(ValueError, match=message):
            TrainingGame(*values)


def test_games_are_copied_pickled_and_become_pgn():
    for game in GAMES[:20]:
        assert pickle.loads(pickle.dumps(game)) == game == copy.deepcopy(game)
        again = game.to_pgn()
        assert list(again.mainline_moves()) == game.moves and again.headers["Result"] == game.result
        assert len(game) < 2 or again.next().eval().white().score() == game.scores[1]
