//! Searches: how they are stopped, disturbed and answered.

use std::time::{Duration, Instant};

use uci::Message;

use crate::behaviour::Behaviour;
use crate::engine::{EngineUnderTest, Outcome, PATIENCE, PROMPT, ReceivedLine, fail, milliseconds, seconds};
use crate::go::{ENDING, MATE_IN_ONE, MATED, MIDDLE, STALEMATE};

pub(crate) fn behaviours() -> Vec<Behaviour> {
    let behaviour = |number, title, why, check| Behaviour { number, group: "go", title, why, check };
    vec![
        behaviour(
            20,
            "ignores `stop` when idle, and does not remember it",
            "GUIs send `stop` to be on the safe side, and it crosses with `bestmove` in the pipe.",
            idle_stop,
        ),
        behaviour(
            21,
            "answers `stop` within milliseconds, at every depth",
            "The user's click, the opponent's unexpected move and the end of the game all wait for it.",
            quick_stop,
        ),
        behaviour(
            22,
            "answers `isready` at once during a search",
            "That is how a GUI finds out whether an engine that is silent is still alive.",
            ready_while_searching,
        ),
        behaviour(
            23,
            "obeys `ucinewgame`, `position` and `go` during a search, after answering the old one",
            "A GUI whose user jumps through a game does not always wait.",
            interrupted_search,
        ),
        behaviour(
            24,
            "answers every `go` with exactly one `bestmove`",
            "With one too many or too few, engine and GUI are out of step for ever.",
            one_answer,
        ),
        behaviour(
            25,
            "tells `mate 0` or `cp 0` and `bestmove 0000` where there is no legal move",
            "Users look at final positions, too.",
            no_moves,
        ),
        behaviour(
            26,
            "names a legal move to ponder on, or none",
            "The GUI plays it on the board in front of the user.",
            legal_ponder_moves,
        ),
    ]
}

fn idle_stop(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    for round in ["before the first search", "after a search"] {
        for _ in 0..2 {
            engine.send("stop")?;
        }
        let received = engine.ready()?;
        if let Some(line) =
            received.iter().find(|line| !line.text.trim().is_empty() && *line.message() != Message::ReadyOk)
        {
            return fail(format!("`stop` {round} is answered with {:?}", line.text.trim()));
        }
        engine.go(MIDDLE, "go infinite")?;
        if engine.listen(Duration::from_millis(300))?.iter().any(|line| line.is_best_move()) {
            return fail(format!("a `stop` {round} stops the next one"));
        }
        engine.stop()?;
    }
    Ok(())
}

fn quick_stop(engine: &mut EngineUnderTest) -> Outcome {
    const TRIES: usize = 5;
    const QUICK: Duration = Duration::from_millis(100);
    engine.open()?;
    for age in [0, 20, 100, 400, 1000] {
        let mut best = PATIENCE;
        for _ in 0..TRIES {
            engine.go(MIDDLE, "go infinite")?;
            if engine.listen(Duration::from_millis(age))?.iter().any(|line| line.is_best_move()) {
                return fail("`go infinite` ends by itself");
            }
            let search = engine.stop().map_err(|error| {
                error.if_late(format!("no answer to `stop` within {}, {age} ms into a search", seconds(PROMPT)))
            })?;
            search.is_legal_in(MIDDLE)?;
            best = best.min(search.took());
            if best < QUICK {
                break;
            }
        }
        if best >= QUICK {
            return fail(format!(
                "{age} ms into a search, `stop` took {} in the best of {TRIES} tries",
                milliseconds(best)
            ));
        }
    }
    Ok(())
}

fn ready_while_searching(engine: &mut EngineUnderTest) -> Outcome {
    const TRIES: usize = 3;
    const AT_ONCE: Duration = Duration::from_millis(500);
    engine.open()?;
    engine.go(MIDDLE, "go infinite")?;
    let mut best = PATIENCE;
    for _ in 0..TRIES {
        if engine.listen(Duration::from_millis(100))?.iter().any(|line| line.is_best_move()) {
            return fail("`go infinite` ends by itself");
        }
        let asked = Instant::now();
        engine.send("isready")?;
        let received = engine.receive_until(PROMPT, |message| *message == Message::ReadyOk);
        let received = received
            .map_err(|error| error.if_late(format!("no `readyok` within {} during a search", seconds(PROMPT))))?;
        if received.iter().any(|line| line.is_best_move()) {
            return fail("`isready` ends the search");
        }
        best = best.min(received.last().map_or(PATIENCE, |line| line.at - asked));
    }
    engine.stop()?;
    if best < AT_ONCE {
        Ok(())
    } else {
        fail(format!("`readyok` took {} in the best of {TRIES} tries", milliseconds(best)))
    }
}

fn interrupted_search(engine: &mut EngineUnderTest) -> Outcome {
    let unanswered = |what: &str| format!("{what} during a search leaves it without an answer");
    let after = "startpos moves e2e4";
    engine.open()?;
    let started = engine.go("startpos", "go infinite")?;
    engine.listen(Duration::from_millis(100))?;
    engine.send(&format!("position {after}"))?;
    engine.send("go depth 3")?;
    let old =
        engine.best_move(started, PROMPT * 2).map_err(|error| error.if_late(unanswered("`position` and `go`")))?;
    old.is_legal_in("startpos")?;
    let new = engine.best_move(started, PROMPT * 2);
    let new = new.map_err(|error| error.if_late("a `go` that comes during a search is not obeyed"))?;
    new.is_legal_in(after)?;

    engine.open()?;
    let started = engine.go("startpos", "go infinite")?;
    engine.listen(Duration::from_millis(100))?;
    engine.send("ucinewgame")?;
    engine
        .best_move(started, PROMPT * 2)
        .map_err(|error| error.if_late(unanswered("`ucinewgame`")))?
        .is_legal_in("startpos")?;
    engine.ready()?;
    engine.search(after, "go depth 3")?.is_legal_in(after)
}

fn one_answer(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    let count = |received: &[ReceivedLine]| received.iter().filter(|line| line.is_best_move()).count();
    let mut answers = 0;
    const ROUNDS: usize = 10;
    for _ in 0..ROUNDS {
        engine.search("startpos", "go depth 1")?;
        answers += 1;
    }
    answers += count(&engine.listen(Duration::from_millis(200))?);
    if answers != ROUNDS {
        return fail(format!("{ROUNDS} searches to depth 1 were answered {answers} times"));
    }
    for (go, words) in [("go infinite", &["stop", "stop"][..]), ("go depth 1", &["stop"]), ("go movetime 100", &[])] {
        engine.go(MIDDLE, go)?;
        for word in words {
            engine.send(word)?;
        }
        let mut received = engine.listen(Duration::from_millis(300))?;
        if count(&received) == 0 {
            received.extend(engine.best_move(Instant::now(), PROMPT)?.received);
        } else if count(&received) > 1 {
            return fail(format!("`{go}` is answered {} times", count(&received)));
        }
        received = engine.ready()?;
        received.extend(engine.listen(Duration::from_millis(100))?);
        if count(&received) > 0 {
            return fail(format!("`{go}` is answered twice"));
        }
    }
    Ok(())
}

fn no_moves(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    for (position, expected) in [(MATED, "mate 0"), (STALEMATE, "cp 0")] {
        let search = engine.search(position, "go depth 5")?;
        if let Some(best) = &search.best {
            return fail(format!("bestmove {best} where there is no move: position {position}"));
        }
        let told: Vec<String> =
            search.infos().filter_map(|(_, info)| info.score).map(|score| score.to_string()).collect();
        if !told.iter().any(|score| score == expected) {
            let told = told.last().map_or("no score", String::as_str);
            return fail(format!("it tells {told} instead of {expected}: position {position}"));
        }
    }
    Ok(())
}

fn legal_ponder_moves(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    // After a mate, a stalemate or the last piece there is nothing to ponder on.
    let positions = [
        "startpos",
        MIDDLE,
        ENDING,
        MATE_IN_ONE,
        "fen 7k/8/6KP/8/8/8/8/5B2 w - - 0 1",
        "fen k7/8/KP6/8/8/8/8/8 w - - 0 1",
        "fen 8/8/8/8/3k4/3p4/8/3K4 w - - 0 1",
    ];
    for position in positions {
        for go in ["go depth 1", "go depth 4", "go movetime 50"] {
            let search = engine.search(position, go)?;
            search.is_legal_in(position)?;
            search.ponders_legally_in(position)?;
        }
    }
    Ok(())
}
