"""Reading and evaluating in bulk, side by side in one run: `python tests/bench_data.py`.

Games at random, half of them with clocks and evaluations as lichess writes them. Each side reads the same bytes from
memory, in turns; the best of several rounds counts.
"""

import os
import random
import subprocess
import sys
import time

import saavedra
from saavedra import Positions, pgn

ROUNDS = 5
#: Different games, and how often each stands in the text.
GAMES, COPIES = 1_500, 12


def game(source, number, is_annotated):
    board, words = saavedra.Board(), []
    for _ in range(source.randrange(40, 140)):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = source.choice(moves)
        words.append(f"{board.fullmove_number}." if board.turn else f"{board.fullmove_number}..." if is_annotated else "")
        words.append(board.san(move))
        board.push(move)
        if is_annotated:
            clock = f"0:{source.randrange(10):02}:{source.randrange(60):02}"
            words.append(f"{{ [%eval {source.randrange(-300, 300) / 100}] [%clk {clock}] }}")
    tags = f'[Event "Rated blitz game"]\n[Site "https://example.org/{number}"]\n[Date "2024.05.{number % 28 + 1:02}"]\n'
    tags += f'[Round "-"]\n[White "player{number}"]\n[Black "player{number + 1}"]\n[Result "1/2-1/2"]\n'
    tags += f'[WhiteElo "{1500 + number % 1000}"]\n[BlackElo "{1500 + number % 999}"]\n[ECO "C20"]\n[TimeControl "180+2"]\n'
    return f"{tags}\n{' '.join(word for word in words if word)} 1/2-1/2\n\n"


def texts():
    source = random.Random(1895)
    for name, is_annotated in (("moves only", False), ("clocks and evaluations", True)):
        yield name, "".join(game(source, number, is_annotated) for number in range(GAMES)) * COPIES


def best(function, *arguments):
    started = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - started, result


def consume(stream):
    """Takes every batch, as a consumer of Arrow does."""
    import pyarrow

    return sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(stream))


def readers(text):
    """What reads the text, by its name: a function that returns the number of games."""
    data = text.encode()
    for threads in (1, 2):
        yield f"saavedra.pgn.to_arrow, {threads} threads", lambda threads=threads: consume(pgn.to_arrow(data, threads=threads))
    try:
        import pyarrow
        import rust_pgn_reader_python_binding as binding
    except ImportError as error:
        print(f"   the binding of pgn-reader is not measured: {error}")
        return
    column = pyarrow.chunked_array([pyarrow.array(["[Event " + game for game in text.split("[Event ")[1:]])])
    for threads in (1, 2):
        yield f"pgn-reader's binding, {threads} threads", lambda threads=threads: count(
            binding.parse_games(column, num_threads=threads)
        )


def count(result):
    return getattr(result, "num_games", None) or len(result)


def bench_reading():
    for name, text in texts():
        size, times = len(text.encode()) / 1e6, {}
        sides = list(readers(text))
        for _ in range(ROUNDS):
            for side, read in sides:
                taken, games = best(read)
                assert games == GAMES * COPIES, (side, games)
                times[side] = min(times.get(side, taken), taken)
        print(f"{name}, {size:.0f} MB")
        for side, taken in times.items():
            print(f"   {side:40} {size / taken:8.0f} MB/s")


def bench_one_by_one():
    text = next(texts())[1][:4_000_000]
    size = len(text) / 1e6
    taken = min(best(lambda: sum(1 for _ in pgn.read_pgn(text.encode())))[0] for _ in range(ROUNDS))
    print(f"   {'saavedra.pgn.read_pgn, one by one':40} {size / taken:8.0f} MB/s")
    taken = min(best(lambda: [list(game.mainline_moves()) for game in pgn.read_pgn(text.encode())])[0] for _ in range(ROUNDS))
    print(f"   {'the same with lists of moves':40} {size / taken:8.0f} MB/s")
    taken, _ = best(lambda: [game.end() for game in pgn.read_pgn(text.encode())])
    print(f"   {'the same with trees':40} {size / taken:8.0f} MB/s")
    try:
        import io

        import chess.pgn
    except ImportError:
        return
    part = io.StringIO(text[: len(text) // 10])
    taken, _ = best(lambda: list(iter(lambda: chess.pgn.read_game(part), None)))
    print(f"   {'python-chess':40} {size / 10 / taken:8.1f} MB/s")


def bench_positions():
    positions = Positions.from_pgn(next(texts())[1].encode(), limit=500_000)
    rows = {
        "evaluate, games in their order": lambda: positions.evaluate(),
        "legal move counts": lambda: positions.legal_move_counts(),
        "bitboards": lambda: positions.bitboards(),
        "planes (uint8)": lambda: positions[:100_000].planes("uint8"),
        "legal masks": lambda: positions[:100_000].legal_masks(),
    }
    print(f"positions, {len(positions)} on one thread")
    for name, work in rows.items():
        taken, result = min((best(work) for _ in range(ROUNDS)), key=lambda pair: pair[0])
        print(f"   {name:40} {len(result) / taken / 1e6:8.2f} million a second")
    shuffled = positions[random.Random(2).sample(range(len(positions)), 100_000)]
    taken = min(best(shuffled.evaluate)[0] for _ in range(ROUNDS))
    print(f"   {'evaluate, positions in no order':40} {len(shuffled) / taken / 1e6:8.2f} million a second")


def bench_import():
    def run(code):
        return min(best(subprocess.run, [sys.executable, "-c", code])[0] for _ in range(2 * ROUNDS)) * 1e3

    bare = run("pass")
    print(f"import saavedra {run('import saavedra') - bare:.0f} ms, with pgn {run('import saavedra.pgn') - bare:.0f} ms")
    for path in sys.argv[1:]:
        print(f"wheel {os.path.getsize(path) / 1e6:.2f} MB: {os.path.basename(path)}")


if __name__ == "__main__":
    bench_import()
    bench_positions()
    bench_reading()
    bench_one_by_one()
