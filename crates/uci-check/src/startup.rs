//! Start-up and options: the first seconds, and what can be set.

use std::time::Duration;

use uci::{EngineOption, Message, OptionKind};

use crate::behaviour::Behaviour;
use crate::engine::{CheckError, EngineUnderTest, Outcome, PATIENCE, PROMPT, fail, seconds, skip};
use crate::search::Search;

/// Address space for the engine when it is asked for its largest table. More than enough for an engine with a small
/// table, and far less than what engines advertise: the allocation fails in the engine, which is what is examined,
/// instead of bringing down the machine.
const MEMORY: u64 = 4 << 30;

pub(crate) fn behaviours() -> Vec<Behaviour> {
    let behaviour = |number, title, why, check| Behaviour { number, group: "start-up and options", title, why, check };
    vec![
        behaviour(
            1,
            "speaks UCI without arguments, and says nothing odd before `uci`",
            "Some GUIs cannot pass arguments, and some read the first words of a program to find out what it is.",
            silent_start,
        ),
        behaviour(
            2,
            "says `uciok` promptly, also when `uci` comes twice",
            "A GUI that waits for `uciok` looks frozen, and some ask again when a new game begins.",
            prompt_greeting,
        ),
        behaviour(
            3,
            "reads option names in any case, values with blanks or none, buttons with or without `value`",
            "GUIs write options by hand, from old files and in their own way.",
            spelling_of_options,
        ),
        behaviour(
            4,
            "survives values that are out of range or no numbers",
            "A slider with other limits than the engine's must not lose a game.",
            bad_values,
        ),
        behaviour(
            5,
            "advertises only what works, and `UCI_Elo` with `UCI_LimitStrength`",
            "A GUI builds its dialogue from these lines; what is not well-formed breaks it.",
            honest_options,
        ),
        behaviour(
            6,
            "survives the largest `Hash`, options that change during a search, and an `EvalFile` that is not there",
            "Users set what the slider allows, and press the button while the engine thinks.",
            huge_hash,
        ),
        behaviour(
            7,
            "advertises `Ponder` and `UCI_Chess960`, and supports them",
            "A GUI offers neither unless it is advertised, and relies on both once they are.",
            ponder_and_chess960,
        ),
        behaviour(
            8,
            "skips unknown commands and tokens, and obeys what follows them",
            "Protocols grow: what a newer GUI says must not confuse an older engine.",
            unknown_words,
        ),
    ]
}

fn silent_start(engine: &mut EngineUnderTest) -> Outcome {
    /// A name, a version, and whom to thank.
    const BANNER: usize = 3;
    engine.start()?;
    let received = engine.listen(Duration::from_millis(400))?;
    for line in &received {
        let is_text = line.text.chars().all(|letter| letter == '\t' || !(letter.is_control() || letter == '\u{fffd}'));
        match line.message() {
            Message::Unknown(_) if is_text => {}
            Message::Info(info) if info.string.is_some() => {}
            _ => return fail(format!("it says {:?} before it is asked", line.text)),
        }
    }
    let words = received.iter().filter(|line| !line.text.trim().is_empty()).count();
    if words > BANNER {
        return fail(format!("it says {words} lines before it is asked; a banner of {BANNER} would be passed over"));
    }
    engine.greet()?;
    if engine.has_arguments() {
        skip("it was started with arguments, which hides whether it needs them")
    } else {
        Ok(())
    }
}

fn prompt_greeting(engine: &mut EngineUnderTest) -> Outcome {
    // A cold start has libraries to load.
    const COLD: Duration = Duration::from_secs(5);
    engine.start()?;
    for (question, limit) in [("the first `uci`", COLD), ("the second `uci`", PROMPT)] {
        engine.send("uci")?;
        let received = engine.receive_until(PATIENCE, |message| *message == Message::UciOk)?;
        let began = received.first().zip(received.last()).map(|(first, last)| last.at - first.at);
        if began.is_some_and(|took| took > limit) {
            return fail(format!("{question} was answered only after {}", seconds(limit)));
        }
        if !received.iter().any(|received| matches!(received.message(), Message::Name(_))) {
            return fail(format!("{question} was answered without `id name`"));
        }
    }
    engine.ready().map(|_| ())
}

fn spelling_of_options(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    let buttons: Vec<String> = named(engine, |kind| matches!(kind, OptionKind::Button));
    for name in &buttons {
        engine.send(&format!("setoption name {name}"))?;
        engine.send(&format!("setoption name {} value", name.to_uppercase()))?;
        engine.survives(&format!("pressing {name}"))?;
    }
    // Other texts name files, which an engine may well want to open or write.
    let paths: Vec<String> = named(engine, |kind| matches!(kind, OptionKind::Text { .. }));
    for name in paths.iter().filter(|name| name.to_lowercase().contains("path")) {
        for value in ["value /no such folder", "value <empty>", "value", "value ", ""] {
            engine.send(&format!("setoption name {name} {value}"))?;
            engine.survives(&format!("`setoption name {name} {value}`"))?;
        }
    }
    if engine.range("MultiPV").is_none_or(|(_, max)| max < 2) {
        return skip("no MultiPV, by which the effect of a spelling could be seen");
    }
    for spelling in ["setoption name multipv value 2", "setoption name MULTIPV value 2"] {
        engine.send("setoption name MultiPV value 1")?;
        engine.send(spelling)?;
        let search = engine.search("startpos", "go depth 3")?;
        if most_lines(&search) < 2 {
            return fail(format!("`{spelling}` has no effect"));
        }
    }
    Ok(())
}

fn named(engine: &EngineUnderTest, is_wanted: impl Fn(&OptionKind) -> bool) -> Vec<String> {
    engine.settings().iter().filter(|setting| is_wanted(&setting.kind)).map(|setting| setting.name.clone()).collect()
}

fn most_lines(search: &Search) -> u32 {
    search.infos().filter_map(|(_, info)| info.multi_pv).max().unwrap_or(1)
}

fn bad_values(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    for EngineOption { name, kind } in engine.settings().to_vec() {
        let (bad, default) = match kind {
            OptionKind::Spin { default, min, max } => {
                let mut bad = vec!["abc".to_owned(), String::new(), (i128::from(min) - 1).to_string()];
                // One who clamps would really allocate that; the largest table has a check of its own.
                if !is_expensive(&name) {
                    bad.extend([(i128::from(max) + 1).to_string(), "99999999999999999999".to_owned()]);
                }
                (bad, default.to_string())
            }
            OptionKind::Check { default } => (vec!["maybe".to_owned(), String::new()], default.to_string()),
            OptionKind::Combo { default, .. } => (vec!["nonsense".to_owned()], default),
            OptionKind::Button | OptionKind::Text { .. } => continue,
        };
        for value in bad {
            engine.send(&format!("setoption name {name} value {value}"))?;
            engine.survives(&format!("`setoption name {name} value {value}`"))?;
        }
        engine.send(&format!("setoption name {name} value {default}"))?;
    }
    engine.send("setoption name No Such Option value 1")?;
    engine.survives("`setoption name No Such Option value 1`")?;
    engine.search("startpos", "go depth 3")?.is_legal_in("startpos")
}

fn is_expensive(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("hash") || name.contains("thread") || name.contains("cache")
}

fn honest_options(engine: &mut EngineUnderTest) -> Outcome {
    engine.start()?;
    let received = engine.greet()?;
    for line in received.iter().filter(|line| line.text.trim_start().starts_with("option")) {
        if let Some(complaint) = line.reading.as_ref().and_then(|reading| reading.complaints.first()) {
            return fail(format!("{complaint}: {}", line.text.trim()));
        }
    }
    let settings = engine.settings().to_vec();
    for (index, EngineOption { name, kind }) in settings.iter().enumerate() {
        if settings[..index].iter().any(|other| other.name.eq_ignore_ascii_case(name)) {
            return fail(format!("{name} is advertised twice"));
        }
        match kind {
            OptionKind::Spin { default, min, max } if !(min..=max).contains(&default) => {
                return fail(format!("the default of {name}, {default}, is not within {min} and {max}"));
            }
            OptionKind::Combo { default, choices } if !choices.contains(default) => {
                return fail(format!("the default of {name}, {default}, is not among its choices"));
            }
            _ => {}
        }
    }
    let [strength, elo] = ["UCI_LimitStrength", "UCI_Elo"].map(|name| engine.setting(name).is_some());
    if strength != elo {
        return fail(format!("{} without its partner", if elo { "UCI_Elo" } else { "UCI_LimitStrength" }));
    }
    engine.open()?;
    if engine.range("MultiPV").is_some_and(|(_, max)| max >= 3) {
        engine.set("MultiPV", "3")?;
        if most_lines(&engine.search("startpos", "go depth 3")?) != 3 {
            return fail("MultiPV 3 does not show three lines");
        }
        engine.set("MultiPV", "1")?;
    }
    if engine.set("UCI_ShowWDL", "true")? {
        let search = engine.search("startpos", "go depth 3")?;
        if !search.infos().any(|(_, info)| info.wdl.is_some()) {
            return fail("UCI_ShowWDL shows no wdl");
        }
    }
    Ok(())
}

fn huge_hash(engine: &mut EngineUnderTest) -> Outcome {
    match engine.open_within(MEMORY) {
        Err(CheckError::Failed(_) | CheckError::Late(_)) if engine.open().is_ok() => {
            return skip(format!("it does not start within {} GiB of address space", MEMORY >> 30));
        }
        result => result?,
    }
    let Some((min, max)) = engine.range("Hash") else { return skip("no Hash") };
    engine.set("Hash", &max.to_string())?;
    let asked = format!("`setoption name Hash value {max}` within {} GiB of address space", MEMORY >> 30);
    engine.survives(&asked)?;
    engine.search("startpos", "go depth 5")?.is_legal_in("startpos")?;

    let threads = engine.range("Threads").map_or(1, |(_, max)| max.min(2));
    for (name, value) in [("Hash", min.max(max.min(16))), ("Threads", threads)] {
        engine.open()?;
        engine.go("startpos", "go infinite")?;
        engine.listen(Duration::from_millis(100))?;
        if engine.set(name, &value.to_string())? {
            // The search may end by that, or go on.
            if !engine.listen(Duration::from_millis(100))?.iter().any(|line| line.is_best_move()) {
                let stopped = engine.stop();
                let lost = format!("after setting {name} during a search, `stop` is not answered");
                stopped.map_err(|error| error.if_late(lost))?.is_legal_in("startpos")?;
            }
            engine.survives(&format!("setting {name} during a search"))?;
            engine.search("startpos", "go depth 3")?.is_legal_in("startpos")?;
        }
    }
    // A network that is not there: the old one will do.
    if engine.set("EvalFile", "no-such-file.nnue")? {
        engine.survives("`setoption name EvalFile value no-such-file.nnue`")?;
        engine.search("startpos", "go depth 3")?.is_legal_in("startpos")?;
    }
    Ok(())
}

fn ponder_and_chess960(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    let mut missing = Vec::new();
    if engine.set("Ponder", "true")? {
        engine.go("startpos moves e2e4 e7e5", "go ponder wtime 60000 btime 60000")?;
        if engine.listen(Duration::from_millis(200))?.iter().any(|line| line.is_best_move()) {
            return fail("it advertises Ponder, but answers `go ponder` by itself");
        }
        engine.stop()?.is_legal_in("startpos moves e2e4 e7e5")?;
    } else {
        missing.push("Ponder");
    }
    if engine.set("UCI_Chess960", "true")? {
        // King to g1 and rook to f1 by `b1g1`: only Chess960 knows this move.
        let position = "fen 1k6/8/8/8/8/8/P7/RK4R1 w GA - 0 1 moves b1g1";
        engine.search(position, "go depth 3")?.is_legal_in(position)?;
    } else {
        missing.push("UCI_Chess960");
    }
    if missing.is_empty() { Ok(()) } else { skip(format!("it does not advertise {}", missing.join(" and "))) }
}

fn unknown_words(engine: &mut EngineUnderTest) -> Outcome {
    engine.open()?;
    for junk in
        ["", "   ", "xyzzy", "joho debug on", "position", "setoption", "setoption name", "ponderhit", "register later"]
    {
        engine.send(junk)?;
        engine.survives(&format!("`{junk}`"))?;
    }
    engine.send("joho isready")?;
    let received = engine.receive_until(PROMPT, |message| *message == Message::ReadyOk);
    received.map_err(|error| error.if_late("junk before a command hides it: `joho isready` is not answered"))?;
    let search = engine.search("startpos", "go joho depth 3");
    search
        .map_err(|error| error.if_late("junk within a command hides the rest: `go joho depth 3` does not end"))?
        .is_legal_in("startpos")
}
