//! The options of the search, each declared once: its name, its range, and what setting it does.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use minds::cached_network;
use search::{AnyEvaluator, OutOfMemory, Strength};
use syzygy::Syzygy;
use uci::{EngineOption, OptionKind};

use crate::search_engine::State;
use crate::{OptionValue, memory};

/// What the options say, apart from what the searcher itself keeps.
#[derive(Clone)]
pub(crate) struct SearchSettings {
    search: search::Options,
    pub(crate) shows_wdl: bool,
    limits_strength: bool,
    elo: u32,
    skill: u32,
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            search: search::Options::default(),
            shows_wdl: false,
            limits_strength: false,
            elo: *Strength::ELO.end(),
            skill: Strength::FULL_SKILL,
        }
    }
}

impl SearchSettings {
    /// How to search, with a seed for the mistakes of a lower strength.
    pub(crate) fn search_options(&self, seed: u64) -> search::Options {
        search::Options { strength: self.strength(), seed, ..self.search.clone() }
    }

    /// How well to play, if not as well as possible.
    fn strength(&self) -> Option<Strength> {
        if self.limits_strength { Some(Strength::of_elo(self.elo)) } else { Strength::of_skill(self.skill) }
    }
}

/// An option: what is advertised, and what setting it does.
pub(crate) struct Declaration {
    pub(crate) option: EngineOption,
    setter: Setter,
}

enum Setter {
    Check(SetTo<bool>),
    Spin(SetTo<i64>),
    Text(SetTo<str>),
    Button(SetTo<()>),
}

/// What setting an option to a value does, or why it is refused.
type SetTo<T> = Box<dyn Fn(&mut State, &T) -> Outcome + Send>;

type Outcome = Result<(), String>;

impl Declaration {
    /// Sets the option. A value of another kind is ignored, because the session has checked the kind.
    pub(crate) fn set(&self, state: &mut State, value: OptionValue) -> Outcome {
        match (&self.setter, value) {
            (Setter::Check(set), OptionValue::Check(is_set)) => set(state, &is_set),
            (Setter::Spin(set), OptionValue::Spin(number)) => set(state, &number),
            (Setter::Text(set), OptionValue::Text(text)) => set(state, &text),
            (Setter::Button(set), OptionValue::Button) => set(state, &()),
            _ => Ok(()),
        }
    }
}

/// A tebibyte: more would be a typing error.
const MOST_HASH: i64 = 1 << 20;

/// More threads than the machine can run at a time are allowed, for tests, but not so many that their memory fills it.
fn most_threads() -> i64 {
    let at_a_time = std::thread::available_parallelism().map_or(1, |count| count.get());
    (8 * at_a_time).clamp(32, 1024) as i64
}

/// All options, in the order in which they are advertised.
pub(crate) fn declarations() -> Vec<Declaration> {
    let default = SearchSettings::default();
    let elo = [default.elo, *Strength::ELO.start(), *Strength::ELO.end()].map(i64::from);
    let overhead = default.search.move_overhead.as_millis() as i64;
    let mut declarations = vec![
        spin("Hash", [search::DEFAULT_HASH as i64, 1, MOST_HASH], resize_table),
        button("Clear Hash", |state| {
            state.searcher.clear_hash();
            Ok(())
        }),
        spin("Threads", [1, 1, most_threads()], |state, count| {
            state.searcher.set_threads(count as usize);
            Ok(())
        }),
        spin("MultiPV", [1, 1, 256], |state, lines| set(&mut state.settings.search.lines, lines as usize)),
        // Whether to ponder is up to the GUI; the option tells it that we can.
        check("Ponder", false, |_, _| Ok(())),
        spin("Move Overhead", [overhead, 0, 10_000], |state, milliseconds| {
            set(&mut state.settings.search.move_overhead, Duration::from_millis(milliseconds.unsigned_abs()))
        }),
        check("UCI_ShowWDL", default.shows_wdl, |state, is_set| set(&mut state.settings.shows_wdl, is_set)),
        check("UCI_AnalyseMode", default.search.spares_checks, |state, is_set| {
            set(&mut state.settings.search.spares_checks, is_set)
        }),
        check("UCI_LimitStrength", default.limits_strength, |state, is_set| {
            set(&mut state.settings.limits_strength, is_set)
        }),
        spin("UCI_Elo", elo, |state, elo| set(&mut state.settings.elo, elo as u32)),
        spin("Skill Level", [default.skill.into(), 0, Strength::FULL_SKILL.into()], |state, level| {
            set(&mut state.settings.skill, level as u32)
        }),
        text("EvalFile", change_evaluation),
        text("SyzygyPath", open_tablebases),
        spin("SyzygyProbeDepth", [default.search.tablebase_depth as i64, 1, 100], |state, depth| {
            set(&mut state.settings.search.tablebase_depth, depth as usize)
        }),
        check("Syzygy50MoveRule", default.search.respects_fifty_moves, |state, is_set| {
            set(&mut state.settings.search.respects_fifty_moves, is_set)
        }),
        spin("SyzygyProbeLimit", [default.search.tablebase_pieces as i64, 0, 7], |state, pieces| {
            set(&mut state.settings.search.tablebase_pieces, pieces as usize)
        }),
    ];
    declarations.extend(tunables());
    declarations
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
fn resize_table(state: &mut State, mebibytes: i64) -> Outcome {
    let refuse = |error: OutOfMemory| format!("{error}: the old one stays");
    let wanted = mebibytes as usize;
    if memory::available_mebibytes().is_some_and(|available| available < wanted as u64) {
        return Err(refuse(OutOfMemory { mebibytes: wanted }));
    }
    state.searcher.set_hash(wanted).map_err(refuse)
}

/// Judges by the network in a file from now on; an empty path brings back what the engine starts with.
fn change_evaluation(state: &mut State, path: &str) -> Outcome {
    let evaluator = if path.is_empty() {
        AnyEvaluator::default()
    } else {
        let refuse = |error| format!("{error}: the old evaluation stays");
        cached_network(Path::new(path)).map_err(refuse)?.into()
    };
    state.searcher.set_evaluator(evaluator);
    Ok(())
}

/// Opens other tables. An empty path, or one that cannot be opened, leaves none.
fn open_tablebases(state: &mut State, path: &str) -> Outcome {
    state.settings.search.tablebase = None;
    if !path.is_empty() {
        let tables = Syzygy::open(path).map_err(|error| error.to_string())?;
        state.settings.search.tablebase = Some(Arc::new(tables));
    }
    Ok(())
}

fn declare(name: &str, kind: OptionKind, setter: Setter) -> Declaration {
    Declaration { option: EngineOption { name: name.to_owned(), kind }, setter }
}

fn check(name: &str, default: bool, set: impl Fn(&mut State, bool) -> Outcome + Send + 'static) -> Declaration {
    declare(name, OptionKind::Check { default }, Setter::Check(Box::new(move |state, &is_set| set(state, is_set))))
}

/// A number with its default, least and greatest value.
fn spin(
    name: &str,
    [default, min, max]: [i64; 3],
    set: impl Fn(&mut State, i64) -> Outcome + Send + 'static,
) -> Declaration {
    let kind = OptionKind::Spin { default, min, max };
    declare(name, kind, Setter::Spin(Box::new(move |state, &number| set(state, number))))
}

fn text(name: &str, set: impl Fn(&mut State, &str) -> Outcome + Send + 'static) -> Declaration {
    declare(name, OptionKind::Text { default: String::new() }, Setter::Text(Box::new(set)))
}

fn button(name: &str, press: impl Fn(&mut State) -> Outcome + Send + 'static) -> Declaration {
    declare(name, OptionKind::Button, Setter::Button(Box::new(move |state, ()| press(state))))
}
