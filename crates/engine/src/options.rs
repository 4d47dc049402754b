//! The options of the engine, each declared once: its name, its range, and what setting it does.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use search::{AnyEvaluator, OutOfMemory, Strength};
use syzygy::Syzygy;
use uci::{Castling, Kind, Setting};

use crate::memory;
use crate::network::load_network;
use crate::teller::Style;
use crate::thinker::{Dead, Thinker};

/// What the options say, apart from what the search itself remembers.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) search: search::Options,
    is_chess960: bool,
    shows_chances: bool,
    limits_strength: bool,
    elo: u32,
    skill: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            search: search::Options::default(),
            is_chess960: false,
            shows_chances: false,
            limits_strength: false,
            elo: *Strength::ELO.end(),
            skill: Strength::FULL_SKILL,
        }
    }
}

impl Settings {
    pub(crate) fn style(&self) -> Style {
        Style { castling: self.castling(), shows_chances: self.shows_chances }
    }

    pub(crate) fn castling(&self) -> Castling {
        if self.is_chess960 { Castling::KingTakesRook } else { Castling::KingMoves }
    }

    /// How to search, with a seed for the mistakes of a lower strength.
    pub(crate) fn search_options(&self, seed: u64) -> search::Options {
        search::Options { strength: self.strength(), seed, ..self.search.clone() }
    }

    /// How well to play, if not as well as possible.
    fn strength(&self) -> Option<Strength> {
        if self.limits_strength { Some(Strength::of_elo(self.elo)) } else { Strength::of_skill(self.skill) }
    }
}

/// What setting an option may change.
pub(crate) struct Target<'a> {
    pub(crate) settings: &'a mut Settings,
    pub(crate) thinker: &'a mut Thinker,
}

/// Why an option was not set.
pub(crate) enum Refusal {
    /// For the reason given.
    Because(String),
    /// There is nobody left to set it.
    Dead,
}

impl From<Dead> for Refusal {
    fn from(Dead: Dead) -> Refusal {
        Refusal::Dead
    }
}

type Outcome = Result<(), Refusal>;

/// An option: what is advertised, and what setting it does.
pub(crate) struct Declaration {
    pub(crate) setting: Setting,
    apply: Apply,
}

enum Apply {
    Check(Setter<bool>),
    Spin(Setter<i64>),
    Text(Setter<str>),
    Button(Setter<()>),
}

/// What setting an option to a value does.
type Setter<T> = Box<dyn Fn(&mut Target, &T) -> Outcome>;

/// A tebibyte: more would be a slip of the finger.
const MOST_HASH: i64 = 1 << 20;

/// More threads than the machine can run at a time are allowed, for tests, but not so many that their memory fills it.
fn most_threads() -> i64 {
    let at_a_time = std::thread::available_parallelism().map_or(1, |count| count.get());
    (8 * at_a_time).clamp(32, 1024) as i64
}

/// All options, in the order in which they are advertised.
pub(crate) fn table() -> Vec<Declaration> {
    let default = Settings::default();
    let elo = [default.elo, *Strength::ELO.start(), *Strength::ELO.end()].map(i64::from);
    let overhead = default.search.move_overhead.as_millis() as i64;
    let mut table = vec![
        spin("Hash", [search::DEFAULT_HASH as i64, 1, MOST_HASH], resize_table),
        button("Clear Hash", |target| Ok(target.thinker.ask(|brain| brain.clear_hash())?)),
        spin("Threads", [1, 1, most_threads()], |target, count| {
            Ok(target.thinker.ask(move |brain| brain.set_threads(count as usize))?)
        }),
        spin("MultiPV", [1, 1, 256], |target, lines| set(&mut target.settings.search.lines, lines as usize)),
        // Whether to ponder is up to the GUI; the option tells it that we can.
        check("Ponder", false, |_, _| Ok(())),
        spin("Move Overhead", [overhead, 0, 10_000], |target, milliseconds| {
            set(&mut target.settings.search.move_overhead, Duration::from_millis(milliseconds.unsigned_abs()))
        }),
        check("UCI_Chess960", default.is_chess960, |target, is_set| set(&mut target.settings.is_chess960, is_set)),
        check("UCI_ShowWDL", default.shows_chances, |target, is_set| set(&mut target.settings.shows_chances, is_set)),
        check("UCI_LimitStrength", default.limits_strength, |target, is_set| {
            set(&mut target.settings.limits_strength, is_set)
        }),
        spin("UCI_Elo", elo, |target, elo| set(&mut target.settings.elo, elo as u32)),
        spin("Skill Level", [default.skill.into(), 0, Strength::FULL_SKILL.into()], |target, level| {
            set(&mut target.settings.skill, level as u32)
        }),
        text("EvalFile", change_evaluation),
        text("SyzygyPath", open_tablebases),
        spin("SyzygyProbeDepth", [default.search.tablebase_depth as i64, 1, 100], |target, depth| {
            set(&mut target.settings.search.tablebase_depth, depth as usize)
        }),
        check("Syzygy50MoveRule", default.search.respects_fifty_moves, |target, is_set| {
            set(&mut target.settings.search.respects_fifty_moves, is_set)
        }),
        spin("SyzygyProbeLimit", [default.search.tablebase_pieces as i64, 0, 7], |target, pieces| {
            set(&mut target.settings.search.tablebase_pieces, pieces as usize)
        }),
    ];
    table.extend(tunables());
    table
}

/// The numbers of the search are constants and its heuristics are on, except in a build for tuning.
#[cfg(not(feature = "tuning"))]
fn tunables() -> std::iter::Empty<Declaration> {
    std::iter::empty()
}

#[cfg(feature = "tuning")]
fn tunables() -> impl Iterator<Item = Declaration> {
    let switches = search::SWITCHES.iter().map(|&name| {
        check(name, true, |_, is_on| {
            search::set_switch(name, is_on);
            Ok(())
        })
    });
    let numbers = search::TUNABLES.iter().map(|tunable| {
        spin(tunable.name, [tunable.default, tunable.min, tunable.max].map(i64::from), |_, value| {
            // Values are clamped to the range before, which fits.
            search::set_tunable(tunable.name, value as i32);
            Ok(())
        })
    });
    numbers.chain(switches)
}

fn set<T>(place: &mut T, value: T) -> Outcome {
    *place = value;
    Ok(())
}

/// Gives the table another size, if there is room for it beside the old one.
fn resize_table(target: &mut Target, mebibytes: i64) -> Outcome {
    let refuse = |error: OutOfMemory| Refusal::Because(format!("{error}: the old one stays"));
    let wanted = mebibytes as usize;
    if memory::available_mebibytes().is_some_and(|available| available < wanted as u64) {
        return Err(refuse(OutOfMemory { mebibytes: wanted }));
    }
    target.thinker.ask(move |brain| brain.set_hash(wanted))?.map_err(refuse)
}

/// Judges by the network in a file from now on; an empty path brings back what the engine starts with.
fn change_evaluation(target: &mut Target, path: &str) -> Outcome {
    let evaluator = if path.is_empty() {
        AnyEvaluator::default()
    } else {
        let network = load_network(Path::new(path));
        let refuse = |error| Refusal::Because(format!("{error}: the old evaluation stays"));
        Arc::new(network.map_err(refuse)?).into()
    };
    Ok(target.thinker.ask(|brain| brain.set_evaluator(evaluator))?)
}

/// Lets the old tables go and opens others; an empty path opens none.
fn open_tablebases(target: &mut Target, path: &str) -> Outcome {
    target.settings.search.tablebase = None;
    // A process can have only one set open, so that a search that uses them must have ended.
    target.thinker.finish()?;
    if !path.is_empty() {
        let tables = Syzygy::open(path).map_err(|error| Refusal::Because(error.to_string()))?;
        target.settings.search.tablebase = Some(Arc::new(tables));
    }
    Ok(())
}

fn declare(name: &str, kind: Kind, apply: Apply) -> Declaration {
    Declaration { setting: Setting { name: name.to_owned(), kind }, apply }
}

fn check(name: &str, default: bool, apply: impl Fn(&mut Target, bool) -> Outcome + 'static) -> Declaration {
    declare(name, Kind::Check { default }, Apply::Check(Box::new(move |target, &is_set| apply(target, is_set))))
}

/// A number with its default, least and greatest value.
fn spin(
    name: &str,
    [default, min, max]: [i64; 3],
    apply: impl Fn(&mut Target, i64) -> Outcome + 'static,
) -> Declaration {
    declare(name, Kind::Spin { default, min, max }, Apply::Spin(Box::new(move |target, &number| apply(target, number))))
}

fn text(name: &str, apply: impl Fn(&mut Target, &str) -> Outcome + 'static) -> Declaration {
    declare(name, Kind::Text { default: String::new() }, Apply::Text(Box::new(apply)))
}

fn button(name: &str, apply: impl Fn(&mut Target) -> Outcome + 'static) -> Declaration {
    declare(name, Kind::Button, Apply::Button(Box::new(move |target, ()| apply(target))))
}

/// Sets the option of a name. What is worth telling about it is told to `tell`.
pub(crate) fn apply(
    table: &[Declaration],
    target: &mut Target,
    name: &str,
    value: Option<&str>,
    tell: impl Fn(String),
) -> Result<(), Dead> {
    let names = || table.iter().map(|declaration| declaration.setting.name.as_str());
    let Some(declaration) = table.iter().find(|declaration| declaration.setting.name.eq_ignore_ascii_case(name)) else {
        let meant = uci::suggest(name, names()).map_or(String::new(), |name| format!(": did you mean {name}?"));
        tell(format!("there is no option {name:?}{meant}"));
        return Ok(());
    };
    let name = &declaration.setting.name;
    let value = value.unwrap_or_default().trim();
    let outcome = match (&declaration.apply, &declaration.setting.kind) {
        (Apply::Button(apply), _) => apply(target, &()),
        (Apply::Text(apply), _) => apply(target, value),
        (Apply::Check(apply), _) => match value.to_ascii_lowercase().as_str() {
            "true" | "on" | "1" | "yes" => apply(target, &true),
            "false" | "off" | "0" | "no" => apply(target, &false),
            _ => Err(Refusal::Because(format!("{name} wants true or false, not {value:?}"))),
        },
        (Apply::Spin(apply), &Kind::Spin { min, max, .. }) => match value.parse::<i128>() {
            Ok(number) => {
                let clamped = number.clamp(min.into(), max.into());
                if clamped != number {
                    tell(format!("{name} is between {min} and {max}: {number} becomes {clamped}"));
                }
                apply(target, &i64::try_from(clamped).unwrap_or(max))
            }
            Err(_) => Err(Refusal::Because(format!("{name} wants a whole number, not {value:?}"))),
        },
        (Apply::Spin(_), _) => Ok(()),
    };
    match outcome {
        Ok(()) => Ok(()),
        Err(Refusal::Because(reason)) => {
            tell(reason);
            Ok(())
        }
        Err(Refusal::Dead) => Err(Dead),
    }
}
