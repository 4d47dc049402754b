//! Searches: when they end, and when they must not end.

use std::time::{Duration, Instant};

use uci::Message;

use crate::behaviour::Behaviour;
use crate::engine::{EngineUnderTest, Outcome, PATIENCE, PROMPT, ReceivedLine, fail, milliseconds, seconds, skip};

/// Many moves, nothing forced.
pub(crate) const MIDDLE: &str = "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// Few moves: even a slow engine looks deep.
pub(crate) const ENDING: &str = "fen 8/8/4k3/8/8/4K3/4P3/8 w - - 0 1";
pub(crate) const MATE_IN_ONE: &str = "fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
pub(crate) const MATED: &str = "fen 7k/6Q1/5K2/8/8/8/8/8 b - - 0 1";
pub(crate) const STALEMATE: &str = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

pub(crate) fn behaviours() -> Vec<Behaviour> {
    let behaviour = |number, title, why, check| Behaviour { number, group: "go", title, why, check };
    vec![
        behaviour(
            15,
            "obeys all limits of `go`, in any order and together; a bare `go` is infinite",
            "Match runners combine limits, and each puts them in another order.",
            limits_together,
        ),
        behaviour(
            16,
            "reaches the depth it is asked for, stops at its nodes, and has a move after one node",
            "Tests of strength and of speed compare searches of the same size.",
            depth_and_nodes,
        ),
        behaviour(
            17,
            "moves in time with `movestogo 1`, without time, with one clock, with a huge increment",
            "Clocks run down in every long match, and a move that comes late is a lost game.",
            strange_clocks,
        ),
        behaviour(
            18,
            "never answers `go infinite` or `go ponder` before `stop` or `ponderhit`",
            "A `bestmove` that was not asked for is taken for the answer to the next search.",
            patience,
        ),
        behaviour(
            19,
            "goes on with the same search after `ponderhit`, and answers `stop` while pondering",
            "Pondering is worth nothing if the search starts again, and worse if the answer is lost.",
            pondering,
        ),
    ]
}

fn limits_together(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    let all = "wtime 60000 btime 60000 winc 100 binc 100 movestogo 20 nodes 5000000 movetime 5000 mate 9";
    for go in [
        format!("go depth 3 {all} searchmoves a2a3 h2h4"),
        format!("go searchmoves a2a3 h2h4 depth 3 {all}"),
        format!("go {all} searchmoves a2a3 h2h4 depth 3"),
    ] {
        let search = engine.search("startpos", &go)?;
        if !search.best.as_deref().is_some_and(|best| ["a2a3", "h2h4"].contains(&best)) {
            return fail(format!("`{go}` is answered with {}", search.best.unwrap_or_default()));
        }
        if search.took() > PROMPT {
            return fail(format!("`{go}` took {}: the depth did not stop it", milliseconds(search.took())));
        }
    }
    for go in [
        "go movetime 60000 depth 2",
        "go depth 99 nodes 5000",
        "go nodes 2000000000 movetime 100",
        "go movetime 60000 wtime 100 btime 100 depth 2",
    ] {
        let search = engine.search_within(MIDDLE, go, PATIENCE);
        let search = search.map_err(|error| error.if_late(format!("the first limit does not stop `{go}`")))?;
        search.is_legal_in(MIDDLE)?;
    }
    engine.go(MIDDLE, "go")?;
    if engine.listen(Duration::from_millis(500))?.iter().any(|line| line.is_best_move()) {
        return fail("a bare `go` ends by itself");
    }
    engine.stop()?.is_legal_in(MIDDLE)
}

fn depth_and_nodes(engine: &mut EngineUnderTest) -> Outcome {
    /// What may be looked at beyond a limit. Engines look at the limit now and then, not at every node.
    const INTERVAL: u64 = 20_000;
    engine.open()?;
    let search = engine.search_within(ENDING, "go depth 10", Duration::from_secs(25))?;
    match search.depth() {
        Some(10) => {}
        depth => {
            return fail(format!(
                "`go depth 10` told depth {} last",
                depth.map_or("none".to_owned(), |depth| depth.to_string())
            ));
        }
    }
    for limit in [1, 1000, 50_000] {
        let go = format!("go nodes {limit}");
        let search = engine.search(MIDDLE, &go).map_err(|error| error.if_late(format!("`{go}` does not end")))?;
        search.is_legal_in(MIDDLE)?;
        if let Some(nodes) = search.nodes().filter(|&nodes| nodes > limit + INTERVAL) {
            return fail(format!("`{go}` looked at {nodes}"));
        }
    }
    Ok(())
}

fn strange_clocks(engine: &mut EngineUnderTest) -> Outcome {
    const TRIES: usize = 3;
    /// The time on the clock, or a moment's grace where there is none.
    const LIMIT: Duration = Duration::from_secs(1);
    engine.open()?;
    for go in [
        "go wtime 1000 btime 1000 movestogo 1",
        "go wtime 0 btime 0",
        "go wtime -500 btime -500",
        "go wtime 1 btime 1 winc 0 binc 0",
        "go wtime 1000",
        "go wtime 1000 btime 1000 winc 10000000 binc 10000000",
        "go wtime 1000 btime 1000 movestogo 0",
    ] {
        let mut best = PATIENCE;
        for _ in 0..TRIES {
            let late = format!("no move within {} after `{go}`", seconds(PROMPT * 2));
            let search = engine.search_within(MIDDLE, go, PROMPT * 2).map_err(|error| error.if_late(late))?;
            search.is_legal_in(MIDDLE)?;
            best = best.min(search.took());
            if best < LIMIT {
                break;
            }
        }
        if best >= LIMIT {
            return fail(format!("`{go}` took {} in the best of {TRIES} tries", milliseconds(best)));
        }
    }
    Ok(())
}

/// That a search does not end by itself, although there is nothing more to think about.
fn waits(engine: &mut EngineUnderTest, position: &str, go: &str) -> Outcome {
    engine.go(position, go)?;
    if engine.listen(Duration::from_millis(600))?.iter().any(|line| line.is_best_move()) {
        return fail(format!("`{go}` ends by itself: position {position}"));
    }
    // What it answers where there is no move is another behaviour's business.
    engine.stop().map(|_| ())
}

fn patience(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    let can_ponder = engine.setting("Ponder").is_some();
    for position in [MATE_IN_ONE, ENDING, MATED, STALEMATE] {
        waits(engine, position, "go infinite")?;
    }
    if can_ponder {
        for position in [MATE_IN_ONE, MATED] {
            waits(engine, position, "go ponder wtime 1000 btime 1000")?;
        }
        waits(engine, MIDDLE, "go ponder wtime 100 btime 100")?;
    }
    Ok(())
}

fn pondering(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    if !engine.set("Ponder", "true")? {
        return skip("it does not advertise Ponder");
    }
    let depth = |line: &ReceivedLine| match line.message() {
        Message::Info(info) => info.depth.filter(|_| !info.pv.is_empty()),
        _ => None,
    };
    engine.go(MIDDLE, "go ponder wtime 3000 btime 3000 winc 0 binc 0")?;
    let before = engine.listen(Duration::from_millis(500))?;
    if before.iter().any(|line| line.is_best_move()) {
        return fail("`go ponder` ends by itself");
    }
    let hit = Instant::now();
    engine.send("ponderhit")?;
    let search = engine.best_move(hit, Duration::from_secs(4))?;
    search.is_legal_in(MIDDLE)?;
    if search.took() > Duration::from_secs(3) {
        return fail(format!("with 3 s on the clock it took {} after `ponderhit`", milliseconds(search.took())));
    }
    let (before, after) = (before.iter().filter_map(depth).max(), search.received.iter().find_map(depth));
    if let (Some(before), Some(after)) = (before, after)
        && after + 1 < before
    {
        return fail(format!("it was at depth {before} before `ponderhit`, and at depth {after} after it"));
    }
    // A clock that has run out while pondering is not an excuse for silence.
    engine.go(MIDDLE, "go ponder wtime 200 btime 200 winc 0 binc 0")?;
    engine.listen(Duration::from_millis(300))?;
    let hit = Instant::now();
    engine.send("ponderhit")?;
    engine.best_move(hit, PROMPT)?.is_legal_in(MIDDLE)?;
    engine.go(MIDDLE, "go ponder wtime 60000 btime 60000")?;
    engine.listen(Duration::from_millis(100))?;
    engine.stop()?.is_legal_in(MIDDLE)
}
