//! What an event has come to: for people in the form that match runners have made usual, for programs as JSON.

use std::io::{self, Write};

use anstyle::Style;
use arena::event::{EventLog, EventPlan, Finish};
use arena::report::{Bracket, PlayerScore, Tallies, cross_table, fault_lines};
use arena::schedule::Standing;
use arena::statistics::{Decision, Pentanomial, Performance, Trinomial};
use serde::Serialize;

use crate::color::{self, BAD, GOOD, paint};
use crate::failure::Failure;

/// Tells what an event has come to, on standard output.
pub(super) fn teller(as_json: bool) -> impl Fn(&EventLog, Finish) -> Result<(), Failure> {
    move |log, finish| {
        let mut out = color::out();
        if as_json {
            print_json(&mut out, log, finish)?;
        } else {
            print(&mut out, log)?;
        }
        Ok(out.flush()?)
    }
}

fn print(out: &mut impl Write, log: &EventLog) -> io::Result<()> {
    let plan = log.plan();
    if plan.players.len() > 2 {
        write!(out, "{}", cross_table(log))?;
        if let Some(bracket) = Bracket::of(log) {
            write!(out, "\n{bracket}")?;
        }
    } else {
        let score = Tallies::of(log.scores()).between(0, 1).unwrap_or_default();
        print_score(out, plan, &score)?;
    }
    if let Some(trial) = log.trial() {
        writeln!(out, "LLR: {:.2} {}", trial.llr(), trial.sprt())?;
        let style = match trial.decision() {
            Decision::GoOn => Style::new(),
            Decision::H0 => BAD,
            Decision::H1 => GOOD,
        };
        writeln!(out, "SPRT: {}", paint(style, verdict(trial.decision())))?;
    }
    print_faults(out, log)
}

/// What players did wrong, if they did.
pub(super) fn print_faults(out: &mut impl Write, log: &EventLog) -> io::Result<()> {
    let faults = fault_lines(log);
    if !faults.is_empty() {
        writeln!(out)?;
    }
    faults.iter().try_for_each(|line| writeln!(out, "{}", paint(BAD, line)))
}

fn print_score(out: &mut impl Write, plan: &EventPlan, score: &PlayerScore) -> io::Result<()> {
    let [one, other] = [&plan.players[0], &plan.players[1]];
    let time = match one.time == other.time {
        true => one.time.to_string(),
        false => format!("{} - {}", one.time, other.time),
    };
    writeln!(out, "Results of {} vs {} ({time}, {}):", one.name, other.name, openings(plan))?;
    let Some(performance) = Performance::of(&score.pairs) else {
        return writeln!(out, "No pair of games was finished.");
    };
    let percent = |part: Option<f64>| part.map_or("-".to_owned(), |part| format!("{:.2} %", 100.0 * part));
    // Only what is beyond the error is good or bad.
    let style = match &performance.elo {
        elo if elo.low > 0.0 => GOOD,
        elo if elo.high < 0.0 => BAD,
        _ => Style::new(),
    };
    let elo = paint(style, performance.elo);
    writeln!(out, "Elo: {elo}, nElo: {}", performance.normalised_elo)?;
    writeln!(
        out,
        "LOS: {}, DrawRatio: {}, PairsRatio: {}",
        percent(Some(performance.superiority)),
        percent(score.pairs.draw_ratio()),
        score.pairs.pairs_ratio().map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
    )?;
    let Trinomial { wins, draws, losses } = score.games;
    writeln!(
        out,
        "Games: {}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {:.1} ({})",
        wins + draws + losses,
        score.games.points(),
        percent(Some(performance.score)),
    )?;
    writeln!(out, "Ptnml(0-2): {}", score.pairs)
}

/// The openings in a word.
fn openings(plan: &EventPlan) -> String {
    match (&plan.openings.file, plan.openings.plies) {
        (Some(file), _) => {
            let file = std::path::Path::new(file);
            file.file_name().map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into_owned())
        }
        (None, Some(plies)) if plies > 0 => format!("{plies} random plies"),
        _ => "from the start position".to_owned(),
    }
}

fn verdict(decision: Decision) -> &'static str {
    match decision {
        Decision::GoOn => "not decided",
        Decision::H0 => "H0 was accepted",
        Decision::H1 => "H1 was accepted",
    }
}

/// The whole event for a program.
#[derive(Serialize)]
struct Summary<'a> {
    event: &'a str,
    finish: &'static str,
    games: u64,
    pairs: usize,
    players: Vec<Row<'a>>,
    /// The rounds of a knockout.
    #[serde(skip_serializing_if = "Option::is_none")]
    bracket: Option<Bracket<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Test>,
    faults: Vec<Fault<'a>>,
}

/// A player, the best first.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    mind: String,
    time: String,
    points: f64,
    /// Points of byes, in a Swiss, beside those of games.
    #[serde(skip_serializing_if = "is_zero")]
    bye_points: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    pentanomial: Pentanomial,
    /// Against all opponents together; null where there is no number.
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    normalised_elo: Option<f64>,
    los: Option<f64>,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

#[derive(Serialize)]
struct Test {
    llr: f64,
    lower: f64,
    upper: f64,
    elo0: f64,
    elo1: f64,
    scale: String,
    decision: Option<&'static str>,
}

#[derive(Serialize)]
struct Fault<'a> {
    player: &'a str,
    reason: String,
    count: u64,
    last: &'a str,
}

fn print_json(out: &mut impl Write, log: &EventLog, finish: Finish) -> io::Result<()> {
    let plan = log.plan();
    let tallies = Tallies::of(log.scores());
    let standings = plan.schedule.standings(plan.players.len(), log.scores());
    let row = |standing: &Standing| {
        let player = standing.player;
        let score = tallies.total(player);
        let performance = Performance::of(&score.pairs);
        Row {
            name: &plan.players[player].name,
            mind: plan.players[player].mind.to_string(),
            time: plan.players[player].time.to_string(),
            points: score.games.points(),
            bye_points: standing.bye_half_points as f64 / 2.0,
            wins: score.games.wins,
            draws: score.games.draws,
            losses: score.games.losses,
            pentanomial: score.pairs,
            elo: performance.map(|performance| performance.elo.value),
            elo_low: performance.map(|performance| performance.elo.low),
            elo_high: performance.map(|performance| performance.elo.high),
            normalised_elo: performance.map(|performance| performance.normalised_elo.value),
            los: performance.map(|performance| performance.superiority),
        }
    };
    let summary = Summary {
        event: &plan.name,
        finish: match finish {
            Finish::Over => "over",
            Finish::Decided => "decided",
            Finish::Stopped => "stopped",
        },
        games: log.results().games(),
        pairs: log.scores().count(),
        players: standings.iter().map(row).collect(),
        bracket: Bracket::of(log),
        sprt: log.trial().map(|trial| {
            let [elo0, elo1] = trial.sprt().hypotheses();
            Test {
                llr: trial.llr(),
                lower: trial.sprt().lower(),
                upper: trial.sprt().upper(),
                elo0,
                elo1,
                scale: trial.sprt().scale().to_string(),
                decision: match trial.decision() {
                    Decision::GoOn => None,
                    Decision::H0 => Some("H0"),
                    Decision::H1 => Some("H1"),
                },
            }
        }),
        faults: (log.faults().iter())
            .map(|(&(player, reason), faults)| Fault {
                player: &plan.players[player].name,
                reason: reason.to_string(),
                count: faults.count,
                last: &faults.text,
            })
            .collect(),
    };
    serde_json::to_writer(&mut *out, &summary)?;
    writeln!(out)
}
