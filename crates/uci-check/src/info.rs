//! What an engine tells while it thinks: scores, lines, numbers, and how much of it.

use std::time::Duration;

use uci::{Bound, Info, Message, UciScore};

use crate::behaviour::Behaviour;
use crate::engine::{EngineUnderTest, Outcome, ReceivedLine, board, fail, skip};
use crate::search::{Search, follow};

const MIDDLE: &str = "fen r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
const MATE_IN_ONE: &str = "fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
const MATED_IN_ONE: &str = "fen 7k/8/5K2/8/8/8/8/6Q1 b - - 0 1";

pub(crate) fn behaviours() -> Vec<Behaviour> {
    let behaviour = |number, title, why, check| Behaviour { number, group: "info", title, why, check };
    vec![
        behaviour(
            27,
            "tells a score and a line before `bestmove`, in whole numbers, mates in moves with the right sign",
            "GUIs adjudicate games by these numbers.",
            scores,
        ),
        behaviour(
            28,
            "plays the first move of its last exact line; lines are legal, end with the game, and mates are complete",
            "The line is what the user sees, and what other programs learn from.",
            lines,
        ),
        behaviour(
            29,
            "shows several lines in order, of one depth, without gaps or doubles, and no more than there are moves",
            "GUIs put line k into row k.",
            several_lines,
        ),
        behaviour(
            30,
            "tells `seldepth nodes nps hashfull tbhits time`, and they never fall; `currmove` only after a while",
            "Charts and speed displays are drawn from them.",
            numbers,
        ),
        behaviour(
            31,
            "tells `wdl` that sums to 1000, from the side to move",
            "Half of all misread evaluations are a matter of whose view it is.",
            chances,
        ),
        behaviour(
            32,
            "tells whole lines at once and while it thinks, fewer than about 100 a second",
            "A GUI draws every line, and a slow one falls behind.",
            rate,
        ),
        behaviour(
            33,
            "says nothing but the protocol on its output",
            "What is not protocol is a riddle to a program; errors and debugging have their own pipe.",
            only_protocol,
        ),
    ]
}

fn scores(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    for position in ["startpos", MIDDLE, MATE_IN_ONE, MATED_IN_ONE] {
        let search = engine.search(position, "go depth 5")?;
        if search.last_exact().is_none() {
            return fail(format!("no `info … score … pv` before `bestmove`: position {position}"));
        }
        for (line, info) in search.infos() {
            let words: Vec<&str> =
                line.text.split_whitespace().take_while(|&word| word != "string" && word != "pv").collect();
            if let Some(word) = words.iter().find(|word| word.parse::<f64>().is_ok() && word.parse::<i64>().is_err()) {
                return fail(format!("{word} is no whole number: {}", line.text));
            }
            if words.contains(&"score") && info.score.is_none() {
                return fail(format!("the score is neither cp nor mate: {}", line.text));
            }
        }
    }
    for (position, expected) in [(MATE_IN_ONE, UciScore::MateIn(1)), (MATED_IN_ONE, UciScore::MatedIn(1))] {
        let search = engine.search(position, "go movetime 500")?;
        if search.score() != Some(expected) {
            let score = search.score().map_or("nothing".to_owned(), |score| score.to_string());
            return fail(format!("it tells {score} where it is {expected}: position {position}"));
        }
    }
    Ok(())
}

fn lines(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    for position in [
        "startpos",
        MIDDLE,
        "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "fen 8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
        "fen 8/8/8/8/3k4/3p4/8/3K4 w - - 0 1",
        // The same position for the second time: a line that repeats it again has ended.
        "startpos moves g1f3 g8f6 f3g1 f6g8",
        MATE_IN_ONE,
        MATED_IN_ONE,
        // Mates in two.
        "fen 6k1/5ppp/8/8/8/8/1r4PP/R5K1 w - - 0 1",
        "fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1",
        "fen k7/8/2K5/8/8/8/8/7R w - - 0 1",
    ] {
        for go in ["go depth 5", "go movetime 200"] {
            let search = engine.search(position, go)?;
            search.is_legal_in(position)?;
            let Some((line, info)) = search.last_exact() else { continue };
            if search.best.as_deref() != info.pv.first().map(String::as_str) {
                let best = search.best.as_deref().unwrap_or("0000");
                return fail(format!("bestmove {best} does not begin its last line: {}", line.text));
            }
            check_lines(position, &search)?;
        }
    }
    Ok(())
}

fn check_lines(position: &str, search: &Search) -> Outcome {
    let last = search.last_exact().map(|(line, _)| line.at);
    for (line, info) in search.infos().filter(|(_, info)| !info.pv.is_empty()) {
        let end = follow(position, &info.pv)?;
        let Some(score) = info.score.filter(|_| last == Some(line.at)) else { continue };
        let plies = match score {
            UciScore::MateIn(moves) => 2 * moves - 1,
            UciScore::MatedIn(moves) => 2 * moves,
            UciScore::Centipawns(_) => continue,
        };
        if info.pv.len() != plies as usize || !end.is_checkmate() {
            let end = if end.is_checkmate() { "mate" } else { "no mate" };
            return fail(format!(
                "{score} takes {plies} plies, but the line has {} and ends with {end}: {} (position {position})",
                info.pv.len(),
                line.text
            ));
        }
    }
    Ok(())
}

fn several_lines(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    let Some((_, max)) = engine.range("MultiPV") else { return skip("it does not advertise MultiPV") };
    let wanted = max.clamp(1, 4) as usize;
    engine.set("MultiPV", &wanted.to_string())?;
    for position in ["startpos", MIDDLE, MATED_IN_ONE, "fen 7k/8/8/8/8/8/8/K7 b - - 0 1"] {
        let search = engine.search(position, "go depth 5")?;
        // What may still change is told as a bound, one line at a time.
        let is_exact = |info: &&Info| !info.pv.is_empty() && info.score.is_some() && info.bound == Bound::Exact;
        let told: Vec<&Info> = search.infos().map(|(_, info)| info).filter(is_exact).collect();
        let ranks: Vec<usize> = told.iter().map(|info| info.multi_pv.unwrap_or(1) as usize).collect();
        let legal = board(position)?.legal_moves().len();
        let count = wanted.min(legal);
        if let Some(rank) = ranks.iter().find(|&&rank| rank == 0 || rank > count) {
            return fail(format!("line {rank} where there are {count} to show: position {position}"));
        }
        if told.is_empty() || !told.len().is_multiple_of(count) {
            return fail(format!("{} lines are not sets of {count}: position {position}", told.len()));
        }
        for (set, ranks) in told.chunks(count).zip(ranks.chunks(count)) {
            let depth = set[0].depth.unwrap_or_default();
            if !ranks.iter().copied().eq(1..=count) {
                return fail(format!("the lines of depth {depth} have the ranks {ranks:?}: position {position}"));
            }
            if set.iter().any(|info| info.depth != set[0].depth) {
                return fail(format!(
                    "a set of lines begins at depth {depth} and ends at another: position {position}"
                ));
            }
            let mut first: Vec<&String> = set.iter().filter_map(|info| info.pv.first()).collect();
            first.sort();
            first.dedup();
            if first.len() != count {
                return fail(format!("two lines of depth {depth} begin with the same move: position {position}"));
            }
        }
    }
    Ok(())
}

fn numbers(engine: &mut EngineUnderTest) -> Outcome {
    /// A search that is younger tells no `currmove`, or the display flickers.
    const A_WHILE: Duration = Duration::from_millis(900);
    engine.open()?;
    let has_tables = engine.settings().iter().any(|setting| {
        let name = setting.name.to_lowercase();
        name.contains("syzygy") || name.contains("nalimov") || name.contains("gaviota")
    });
    let search = engine.search(MIDDLE, "go movetime 1500")?;
    let is_told = |number: fn(&Info) -> bool| search.infos().any(|(_, info)| number(info));
    let mut told = vec![
        ("depth", is_told(|info| info.depth.is_some())),
        ("seldepth", is_told(|info| info.selective_depth.is_some())),
        ("nodes", is_told(|info| info.nodes.is_some())),
        ("nps", is_told(|info| info.nps.is_some())),
        ("hashfull", is_told(|info| info.hash_full.is_some())),
        ("time", is_told(|info| info.time.is_some())),
    ];
    // Without tables there is nothing to hit.
    if has_tables {
        told.push(("tbhits", is_told(|info| info.tablebase_hits.is_some())));
    }
    let missing: Vec<&str> = told.into_iter().filter(|(_, is_told)| !is_told).map(|(name, _)| name).collect();
    if !missing.is_empty() {
        return fail(format!("it never tells {}", missing.join(", ")));
    }
    type Field = fn(&Info) -> Option<u64>;
    let fields: [(&str, Field); 3] = [
        ("nodes", |info| info.nodes),
        ("time", |info| info.time),
        ("depth", |info| info.depth.map(u64::from).filter(|_| !info.pv.is_empty())),
    ];
    for (name, field) in fields {
        let mut highest = 0;
        for (line, info) in search.infos() {
            match field(info) {
                Some(number) if number < highest => {
                    return fail(format!("{name} falls from {highest} to {number}: {}", line.text));
                }
                Some(number) => highest = number,
                None => {}
            }
        }
    }
    if let Some((line, _)) =
        search.infos().find(|(line, info)| info.current_move.is_some() && line.at < search.started + A_WHILE)
    {
        return fail(format!("currmove within the first second: {}", line.text));
    }
    for go in ["go depth 1", "go movetime 1"] {
        let search = engine.search(MIDDLE, go)?;
        for (line, info) in search.infos() {
            // A division by nothing makes something enormous, or no number at all.
            if info.nps.is_some_and(|nps| nps > 1_000_000_000_000)
                || line.text.contains("nan")
                || line.text.contains("inf ")
            {
                return fail(format!("nps makes no sense: {}", line.text));
            }
        }
    }
    Ok(())
}

fn chances(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    if !engine.set("UCI_ShowWDL", "true")? {
        return skip("it does not advertise UCI_ShowWDL");
    }
    // White is winning in both.
    for (position, is_winning) in
        [("fen 4k3/8/8/8/8/8/QR6/4K3 w - - 0 1", true), ("fen 4k3/8/8/8/8/8/QR6/4K3 b - - 0 1", false)]
    {
        let search = engine.search(position, "go depth 4")?;
        let mut last = None;
        for (line, info) in search.infos() {
            let Some(wdl) = info.wdl else { continue };
            if wdl.iter().sum::<u32>() != 1000 {
                return fail(format!("wdl does not sum to 1000: {}", line.text));
            }
            last = Some((line, wdl));
        }
        match last {
            None => return fail("UCI_ShowWDL shows no wdl"),
            Some((line, [win, _, loss])) if (win > loss) != is_winning => {
                return fail(format!("wdl is not from the side to move: {} (position {position})", line.text));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn rate(engine: &mut EngineUnderTest) -> Outcome {
    /// What is over at once may be told at once.
    const START: Duration = Duration::from_millis(100);
    const MOST_A_SECOND: usize = 100;
    engine.open()?;
    if engine.range("Threads").is_some_and(|(_, max)| max >= 2) {
        engine.set("Threads", "2")?;
        engine.ready()?;
    }
    for position in ["startpos", MIDDLE] {
        let search = engine.search(position, "go movetime 1000")?;
        let told = search.received.iter().filter(|line| line.at > search.started + START).count();
        let time = search.took().saturating_sub(START).as_secs_f64().max(0.9);
        if told as f64 / time > MOST_A_SECOND as f64 {
            return fail(format!("{told} lines in {time:.1} s: position {position}"));
        }
        for line in &search.received {
            if let (Message::Unknown(text), false) = (line.message(), line.text.trim().is_empty()) {
                return fail(format!("this is no whole line of the protocol: {text}"));
            }
        }
        let is_held_back = |line: &ReceivedLine| line.at + Duration::from_millis(50) > search.ended;
        if search.took() > Duration::from_millis(500) && search.received.iter().all(is_held_back) {
            return fail(format!("nothing is told before the search ends: position {position}"));
        }
    }
    Ok(())
}

fn only_protocol(engine: &mut EngineUnderTest) -> Outcome {
    engine.start()?;
    // What is said before `uci` is another behaviour's business, and it may come late.
    engine.listen(Duration::from_millis(200))?;
    let mut received = engine.greet()?;
    let is_name = |line: &ReceivedLine| matches!(line.message(), Message::Name(_) | Message::Author(_));
    received.drain(..received.iter().position(is_name).unwrap_or(0));
    if engine.setting("Hash").is_some() {
        engine.set("Hash", "16")?;
    }
    received.extend(engine.ready()?);
    engine.send("ucinewgame")?;
    received.extend(engine.ready()?);
    for (position, go) in [("startpos", "go depth 6"), (MIDDLE, "go movetime 200"), (MATE_IN_ONE, "go depth 3")] {
        received.extend(engine.search(position, go)?.received);
    }
    engine.go(MIDDLE, "go infinite")?;
    received.extend(engine.listen(Duration::from_millis(200))?);
    received.extend(engine.stop()?.received);
    received.extend(engine.ready()?);
    for line in received.iter().filter(|line| !line.text.trim().is_empty()) {
        if let Message::Unknown(text) = line.message() {
            return fail(format!("this is not protocol: {text}"));
        }
        if let Some(complaint) = line.reading.as_ref().and_then(|reading| reading.complaints.first()) {
            return fail(format!("{complaint}: {}", line.text.trim()));
        }
    }
    Ok(())
}
