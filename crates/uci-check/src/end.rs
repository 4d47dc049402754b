//! How an engine ends, and whether it does the same thing twice.

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use crate::behaviour::Behaviour;
use crate::engine::{CheckError, EngineUnderTest, Outcome, PROMPT, fail, milliseconds};

const MIDDLE: &str = "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

pub(crate) fn behaviours() -> Vec<Behaviour> {
    let behaviour = |number, title, why, check| Behaviour { number, group: "end", title, why, check };
    vec![
        behaviour(
            34,
            "takes the end of its input for `quit`, even during a search; a broken output pipe ends it quietly",
            "When a GUI crashes, engines that stay behind eat the processor for days.",
            end_of_input,
        ),
        behaviour(
            35,
            "ends within a second of `quit` or an interrupt during a search",
            "A match runner that has to kill its engines does not know what else they left behind.",
            quit,
        ),
        behaviour(
            36,
            "searches the same nodes and finds the same move again, with one thread and a fresh table",
            "What cannot be repeated cannot be debugged.",
            repeatable,
        ),
    ]
}

/// Starts an engine and lets it think.
fn thinking(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    engine.go(MIDDLE, "go infinite")?;
    engine.listen(Duration::from_millis(100)).map(|_| ())
}

fn end_of_input(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    engine.program()?.close_input();
    if engine.program()?.wait(Instant::now() + PROMPT).is_none() {
        return fail("it stays when its input ends");
    }
    thinking(engine)?;
    engine.program()?.close_input();
    if engine.program()?.wait(Instant::now() + PROMPT).is_none() {
        return fail("it stays when its input ends during a search");
    }

    thinking(engine)?;
    let complaints = engine.program()?.complaints().len();
    engine.program()?.close_output();
    // It notices at the latest when it has something to say, unless the pipe is broken for our words, too.
    for word in ["stop", "isready", "isready"] {
        if engine.send(word).is_err() {
            break;
        }
    }
    let status = engine.program()?.wait(Instant::now() + Duration::from_secs(1));
    engine.program()?.close_input();
    let Some(status) = status.or(engine.program()?.wait(Instant::now() + PROMPT)) else {
        return fail("it stays when its output pipe is broken and its input has ended");
    };
    let complaint = engine.program()?.complaints().into_iter().nth(complaints);
    match (is_crash(status), complaint) {
        (true, complaint) => {
            fail(format!("a broken output pipe makes it crash: {status} {}", complaint.unwrap_or_default()))
        }
        (false, Some(complaint)) if complaint.contains("panic") => {
            fail(format!("a broken output pipe makes it panic: {complaint}"))
        }
        (false, _) => Ok(()),
    }
}

/// Whether a program was ended by something worse than a broken pipe.
fn is_crash(status: ExitStatus) -> bool {
    #[cfg(unix)]
    {
        const BROKEN_PIPE: i32 = 13;
        use std::os::unix::process::ExitStatusExt;
        status.signal().is_some_and(|signal| signal != BROKEN_PIPE)
    }
    #[cfg(not(unix))]
    {
        let _ = status;
        false
    }
}

fn quit(engine: &mut EngineUnderTest) -> Outcome {
    const TRIES: usize = 3;
    const LIMIT: Duration = Duration::from_secs(1);
    for what in ["`quit`", "an interrupt"] {
        let mut best = None;
        for _ in 0..TRIES {
            thinking(engine)?;
            let asked = Instant::now();
            if what == "`quit`" {
                engine.send("quit")?;
            } else if !engine.program()?.interrupt() {
                return Ok(());
            }
            if engine.program()?.wait(asked + PROMPT).is_some() {
                best = Some(asked.elapsed());
            }
            if best.is_some_and(|best| best < LIMIT) {
                break;
            }
        }
        match best {
            Some(best) if best < LIMIT => {}
            Some(best) => {
                return fail(format!("{what} during a search took {}, tried {TRIES} times", milliseconds(best)));
            }
            None => return fail(format!("it stays after {what} during a search")),
        }
    }
    Ok(())
}

fn repeatable(engine: &mut EngineUnderTest) -> Outcome {
    const LONG: Duration = Duration::from_secs(15);
    for go in ["go depth 5", "go nodes 20000"] {
        let mut runs = Vec::new();
        for is_fresh in [true, true, false] {
            if is_fresh {
                engine.open()?;
                engine.set("Threads", "1")?;
            } else {
                engine.send("ucinewgame")?;
                if let Some(name) = engine.setting("Clear Hash").map(|setting| setting.name.clone()) {
                    engine.send(&format!("setoption name {name}"))?;
                }
            }
            engine.ready()?;
            let limit = if go.contains("nodes") { PROMPT * 2 } else { LONG };
            match engine.search_within(MIDDLE, go, limit) {
                Ok(search) => runs.push((search.best.clone().unwrap_or_default(), search.nodes())),
                // Whether nodes are a limit at all is another behaviour's business.
                Err(CheckError::Late(_)) if go.contains("nodes") && engine.stop().is_ok() => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        for (run, how) in runs[1..].iter().zip(["started again", "after ucinewgame"]) {
            if *run != runs[0] {
                let told =
                    |(best, nodes): &(String, Option<u64>)| format!("{best} with {} nodes", nodes.unwrap_or_default());
                return fail(format!("`{go}` gives {}, and {how} {}", told(&runs[0]), told(run)));
            }
        }
    }
    Ok(())
}
