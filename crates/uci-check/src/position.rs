//! Positions: how they are written, which are refused, and what their history means.

use uci::UciScore;

use crate::behaviour::Behaviour;
use crate::engine::{CheckError, EngineUnderTest, Outcome, PROMPT, board, fail};
use uci::Message;

pub(crate) fn behaviours() -> Vec<Behaviour> {
    let behaviour = |number, title, why, check| Behaviour { number, group: "position", title, why, check };
    vec![
        behaviour(
            9,
            "reads \\r\\n, tabs, trailing blanks, a last line without end, and more than 64 KiB of moves",
            "Windows writes other line ends than Unix, and long games exceed the buffers of the past.",
            line_shapes,
        ),
        behaviour(
            10,
            "takes `position` as absolute, and reads FENs of four fields, X-FEN and Shredder-FEN",
            "A GUI sends the whole game every time, from whatever source the position came.",
            notations,
        ),
        behaviour(
            11,
            "survives a bad FEN or an illegal move, says so, and answers `go` with `bestmove 0000`",
            "An engine that exits forfeits; one that plays on from another position plays nonsense.",
            bad_positions,
        ),
        behaviour(
            12,
            "refuses impossible positions, and forgives castling rights and en-passant squares that are not real",
            "Users set up boards by hand, and a crash is all they see of the mistake.",
            impossible_positions,
        ),
        behaviour(
            13,
            "counts repetitions in `moves`, takes the fifty-move counter from the FEN, and lets mate win over it",
            "Games are drawn or won on the history that the GUI sent.",
            history_counts,
        ),
        behaviour(
            14,
            "castles as `e1g1` in standard chess and as king takes rook in Chess960, and reads both",
            "A move that the other side spells differently is an illegal move, and a lost game.",
            castling,
        ),
    ]
}

fn line_shapes(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    let after = "startpos moves e2e4";
    let shapes = [
        ("\\r\\n", "position startpos moves e2e4\r\ngo depth 3\r\n"),
        ("tabs", "position\tstartpos\tmoves\te2e4\ngo\tdepth\t3\n"),
        ("blanks", "  position  startpos  moves  e2e4   \n go  depth  3  \n"),
    ];
    for (name, text) in shapes {
        engine.send_bytes(b"position startpos\n")?;
        let started = std::time::Instant::now();
        engine.send_bytes(text.as_bytes())?;
        let search = engine.best_move(started, PROMPT * 2).map_err(|error| error.about(name))?;
        search.is_legal_in(after).map_err(|error| error.about(name))?;
    }
    // The last pawn move makes a position that has not been there before.
    let game = format!("startpos moves{} e2e4", " g1f3 g8f6 f3g1 f6g8".repeat(3400));
    let search = engine.search(&game, "go depth 3").map_err(|error| error.about("a list of 13601 moves"))?;
    search.is_legal_in(after).map_err(|error| error.about("a list of 13601 moves"))?;

    engine.start()?;
    engine.send_bytes(b"uci\nisready")?;
    engine.program()?.close_input();
    let received = engine.receive_until(PROMPT * 2, |message| *message == Message::ReadyOk);
    received.map(|_| ()).map_err(|error| error.about("the last line, which has no end, is not read"))
}

fn notations(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    let mut positions = vec![
        ("an earlier position shines through", "startpos moves e2e4 e7e5"),
        ("an earlier position shines through", "startpos moves e2e4"),
        ("an earlier position shines through", "fen 8/8/8/8/8/4k3/4p3/4K3 b - - 0 1 moves e3d3"),
        ("a FEN of four fields", "fen 4k3/8/8/8/8/8/8/4K2R w K - moves e1g1"),
        ("a FEN of four fields", "fen 4k3/8/8/8/8/8/4P3/4K3 b - -"),
    ];
    if engine.setting("UCI_Chess960").is_some() {
        positions.extend([
            ("Shredder-FEN", "fen 4k3/8/8/8/8/8/8/RK4R1 w GA - 0 1 moves b1g1"),
            ("X-FEN", "fen 4k3/8/8/8/8/8/8/RK4R1 w KQ - 0 1 moves b1a1"),
            ("X-FEN with an inner rook", "fen 4k3/8/8/8/8/8/8/1K3R1R w F - 0 1 moves b1f1"),
        ]);
    }
    for (what, position) in positions {
        if what.contains("FEN") && !what.starts_with('a') {
            engine.set("UCI_Chess960", "true")?;
        }
        let search = engine.search(position, "go depth 3").map_err(|error| error.about(what))?;
        search.is_legal_in(position).map_err(|error| error.about(what))?;
    }
    Ok(())
}

/// Asks for a move in something that is no position.
fn refuses(engine: &mut EngineUnderTest, position: &str) -> Outcome {
    engine.open()?;
    engine.send("position startpos")?;
    engine.ready()?;
    let asked = format!("`position {position}`");
    engine.send(&format!("position {position}"))?;
    let mut said = engine.survives(&asked)?;
    // The game it was in is no answer either.
    engine.send("go depth 3")?;
    let search = engine.best_move(std::time::Instant::now(), PROMPT * 2).map_err(|error| error.about(&asked))?;
    if let Some(best) = search.best {
        return fail(format!("{asked} is answered with bestmove {best}"));
    }
    said.extend(search.received);
    let explains = |text: &str| {
        !text.trim().is_empty() && !matches!(Message::read(text), Some(reading) if reading.value == Message::ReadyOk)
    };
    if !said.iter().any(|line| explains(&line.text) && !line.text.contains(" score ")) {
        return fail(format!("{asked} is refused without a word"));
    }
    let search = engine.search("startpos", "go depth 3").map_err(|error| error.about(&format!("after {asked}")))?;
    search.is_legal_in("startpos")
}

/// Asks for a move in each of several things that are no positions, and tells about all that is wrong.
fn refuses_all(engine: &mut EngineUnderTest, positions: &[&str]) -> Outcome {
    let mut reasons = Vec::new();
    for position in positions {
        match refuses(engine, position) {
            Err(CheckError::Failed(reason) | CheckError::Late(reason)) => reasons.push(reason),
            result => result?,
        }
    }
    if reasons.is_empty() { Ok(()) } else { fail(reasons.join("; ")) }
}

fn bad_positions(engine: &mut EngineUnderTest) -> Outcome {
    refuses_all(
        engine,
        &[
            "startpos moves e2e4 e2e4",
            "startpos moves e2e5",
            "startpos moves e2e4 xyzzy",
            "fen banana",
            "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
            "fen",
        ],
    )
}

fn impossible_positions(engine: &mut EngineUnderTest) -> Outcome {
    // A pawn that cannot be taken en passant makes no difference: the third time is a draw.
    draws_by_repetition(engine, "fen 7k/8/8/p7/8/8/8/KQ6 w - a6 0 1")?;
    // Forgiven: what is not there cannot be used. A refusal will do as well.
    for position in [
        "fen 4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1",
        "fen 4k3/8/8/8/8/8/4P3/R3K2R w KQkq - 0 1",
        "fen 4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1",
    ] {
        engine.open()?;
        let search = engine.search(position, "go depth 5").map_err(|error| error.about(position))?;
        if let Some(best) = &search.best
            && strict_board(position)?.parse_uci(best).is_err()
        {
            return fail(format!("bestmove {best} is not legal: position {position}"));
        }
    }
    refuses_all(
        engine,
        &[
            "fen 8/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "fen 4k3/8/8/8/8/8/4P3/3KK3 w - - 0 1",
            "fen 4k2R/8/8/8/8/8/8/4K3 w - - 0 1",
            "fen P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "fen 4k3/8/8/8/8/8/8/4K2p w - - 0 1",
        ],
    )
}

/// The position without the rights and the square that are not real.
fn strict_board(position: &str) -> Outcome<rules::Position> {
    let fields: Vec<&str> = position.split(' ').collect();
    let rights = if fields[1].ends_with("R3K2R") { "KQ" } else { "-" };
    board(&format!("fen {} {} {rights} - 0 1", fields[1], fields[2]))
}

/// How far from nothing a draw may be told: some engines despise draws a little.
const ALMOST_NOTHING: i32 = 100;

/// Black, who is lost, can make the position that was there twice before: it must see the draw.
fn draws_by_repetition(engine: &mut EngineUnderTest, start: &str) -> Outcome {
    engine.open()?;
    let position = format!("{start} moves b1c1 h8g8 c1b1 g8h8 b1c1 h8g8 c1b1");
    let search = engine.search(&position, "go depth 5")?;
    match search.score() {
        Some(UciScore::Centipawns(score)) if score.abs() <= ALMOST_NOTHING => Ok(()),
        None => fail("no line with a score to see a draw by"),
        Some(score) => fail(format!("g8h8 would be the third time, but it tells {score}: position {position}")),
    }
}

fn history_counts(engine: &mut EngineUnderTest) -> Outcome {
    draws_by_repetition(engine, "fen 7k/8/8/8/8/8/8/KQ6 w - - 0 1")?;
    // No mate in one, and the fiftieth move is the next.
    let position = "fen 8/8/8/4k3/8/8/8/KQ6 w - - 99 80";
    let search = engine.search(position, "go depth 5")?;
    match search.score() {
        Some(UciScore::Centipawns(score)) if score.abs() <= ALMOST_NOTHING => {}
        None => return fail("no line with a score to see a draw by"),
        Some(score) => {
            return fail(format!("the fifty moves are over, but it tells {score}: position {position}"));
        }
    }
    let position = "fen k7/8/1K6/8/8/8/8/7R w - - 99 80";
    let search = engine.search(position, "go depth 5")?;
    match (search.score(), search.best.as_deref()) {
        (Some(UciScore::MateIn(1)), Some("h1h8")) => Ok(()),
        (score, best) => {
            let (score, best) = (score.map(|score| score.to_string()).unwrap_or_default(), best.unwrap_or("nothing"));
            fail(format!(
                "h1h8 mates with the fiftieth move, but it plays {best} and tells {score}: position {position}"
            ))
        }
    }
}

fn castling(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    const START: &str = "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    // What is played and whether the engine plays Chess960.
    let mut modes = vec![("false", "e1g1")];
    if engine.set("UCI_Chess960", "true")? {
        modes.push(("true", "e1h1"));
    }
    for (is_chess960, written) in modes {
        engine.set("UCI_Chess960", is_chess960)?;
        let search = engine.search(START, &format!("go depth 3 searchmoves {written}"))?;
        search.is_legal_in(START)?;
        // An engine that does not know `searchmoves` may play something else; that is not this check's business.
        if let Some(best) = search.best.as_deref().filter(|best| ["e1g1", "e1h1"].contains(best) && *best != written) {
            return fail(format!("with UCI_Chess960 {is_chess960} it castles as {best}"));
        }
        for read in ["e1g1", "e1h1"] {
            let position = format!("{START} moves {read}");
            let what = format!("with UCI_Chess960 {is_chess960}, castling as {read} is not read");
            let search = engine.search(&position, "go depth 3").map_err(|error| error.about(&what))?;
            search.is_legal_in(&position).map_err(|error| error.about(&what))?;
        }
    }
    Ok(())
}
