//! The engines that a client can play against, with their settings; and how a request names one.
//!
//! Requests may use less than a command line, because they may come from any client that can reach the server: no
//! outside programs but those that were named when the server was started, no files, one thread, and tables of the
//! default size. On the wire an engine is a `mind`, as on the command line.

use axum::Json;
use axum::extract::State;
use minds::{MindKind, MindSpec, SearchSpec};
use search::Strength;
use serde::Serialize;
use utoipa::ToSchema;

use crate::bots::{self, BOTS, Bot};
use crate::error::{ApiError, ErrorCode};
use crate::state::App;

/// No sensible name of an engine is longer.
const LONGEST_NAME: usize = 200;

/// The engines that can play.
#[derive(Serialize, ToSchema)]
pub(crate) struct Engines {
    minds: Vec<EngineView>,
    levels: Vec<Level>,
    /// The names of outside engines that may analyse.
    programs: Vec<String>,
    analysis: AnalysisLimits,
}

/// What an analysis may ask for.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalysisLimits {
    threads: usize,
    /// In MiB.
    hash: usize,
    /// The table in MiB where nothing is asked for.
    default_hash: usize,
    seconds: u64,
}

/// A kind of engine.
#[derive(Serialize, ToSchema)]
pub(crate) struct EngineView {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    settings: Vec<EngineSetting>,
}

/// A setting of an engine.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct EngineSetting {
    name: &'static str,
    kind: SettingKind,
    min: Option<u64>,
    max: Option<u64>,
    choices: Vec<&'static str>,
    default: Option<&'static str>,
    about: &'static str,
}

/// The kind of a setting's value.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SettingKind {
    Number,
    Choice,
}

/// A named strength.
#[derive(Serialize, ToSchema)]
pub(crate) struct Level {
    /// The name of the bot.
    name: &'static str,
    title: &'static str,
    elo: Option<u32>,
    mind: String,
}

fn number(name: &'static str, min: u64, max: u64, default: Option<&'static str>, about: &'static str) -> EngineSetting {
    let (kind, choices) = (SettingKind::Number, Vec::new());
    EngineSetting { name, kind, min: Some(min), max: Some(max), choices, default, about }
}

/// The greatest integer that JavaScript represents exactly.
const MOST_NUMBER: u64 = (1 << 53) - 1;

fn seed() -> EngineSetting {
    number("seed", 0, MOST_NUMBER, None, "makes its random choices repeatable")
}

fn tree_settings(depth: &'static str) -> Vec<EngineSetting> {
    let ties = EngineSetting {
        name: "ties",
        kind: SettingKind::Choice,
        min: None,
        max: None,
        choices: vec!["first", "random"],
        default: Some("first"),
        about: "which of several equal moves it plays",
    };
    vec![number("depth", 0, 8, Some(depth), "plies it searches after each of its moves"), ties, seed()]
}

fn search_settings() -> Vec<EngineSetting> {
    let (least, most) = (Strength::ELO.start(), Strength::ELO.end());
    vec![
        number("elo", (*least).into(), (*most).into(), None, "plays at this rating"),
        number("nodes", 1, MOST_NUMBER, None, "nodes per move"),
        number("depth", 1, 100, None, "maximum depth"),
        number("time", 1, 60_000, None, "milliseconds per move"),
        number("random", 0, 100, None, "percentage of random moves"),
        EngineSetting {
            name: "net",
            kind: SettingKind::Choice,
            min: None,
            max: None,
            choices: vec!["none"],
            default: None,
            about: "none: evaluates with piece-square tables instead of the network",
        },
    ]
}

impl Engines {
    fn new(programs: Vec<String>, analysis: AnalysisLimits) -> Engines {
        let view = |kind: MindKind| {
            let settings = match kind.form {
                "random" | "capture" => vec![seed()],
                "minimax" => tree_settings("2"),
                "alphabeta" => tree_settings("4"),
                "search" => search_settings(),
                _ => return None,
            };
            let title = title(&kind.form.parse().ok()?);
            Some(EngineView { name: kind.form, title, about: kind.about, settings })
        };
        let level = |bot: Bot| {
            let mind = MindSpec::Search(SearchSpec { elo: bot.elo, ..SearchSpec::default() }).to_string();
            Level { name: bot.name, title: bot.title, elo: bot.elo, mind }
        };
        let kinds = MindKind::ALL.into_iter().filter(|kind| !kind.is_outside);
        Engines { minds: kinds.filter_map(view).collect(), levels: BOTS.map(level).into(), programs, analysis }
    }
}

#[utoipa::path(get, path = "/api/minds", tag = "tools", responses((status = 200, body = Engines)))]
/// The engines that can play, the levels, and the engines that can analyse.
pub(crate) async fn minds(State(app): State<App>) -> Json<Engines> {
    let (shared, limits) = (app.shared(), app.limits());
    let analysis = AnalysisLimits {
        threads: shared.threads,
        hash: limits.analysis_hash,
        default_hash: limits.hash,
        seconds: limits.analysis_time.as_secs(),
    };
    Json(Engines::new(shared.outside.names(), analysis))
}

/// The name of an engine for players.
fn title(spec: &MindSpec) -> &'static str {
    match spec {
        MindSpec::Random { .. } => "Random",
        MindSpec::Capture { .. } => "Capture first",
        MindSpec::Minimax(_) => "Minimax",
        MindSpec::AlphaBeta(_) => "Alpha-beta",
        MindSpec::Search(_) => "Saavedra",
        MindSpec::Program(_) => "A program",
        MindSpec::Function(_) => "A function",
    }
}

/// The name of an engine with its settings: `Lena 1100`, `Saavedra (1500)`, `Alpha-beta (depth=2)`.
pub(crate) fn name(spec: &MindSpec) -> String {
    let text = spec.to_string();
    match (spec, text.split_once(':')) {
        (MindSpec::Search(search), Some(_)) if *search == (SearchSpec { elo: search.elo, ..SearchSpec::default() }) => {
            bots::name_at(search.elo)
        }
        (_, Some((_, settings))) => format!("{} ({})", title(spec), settings.replace(',', ", ")),
        (_, None) => title(spec).to_owned(),
    }
}

/// The engine that a request names, if requests may use it.
pub(crate) fn parse(text: &str) -> Result<MindSpec, ApiError> {
    let refused = |message: String| Err(ApiError::new(ErrorCode::BadMind, message));
    if text.len() > LONGEST_NAME {
        return refused(format!("the name of an engine has at most {LONGEST_NAME} letters"));
    }
    let spec: MindSpec =
        text.parse().map_err(|error: minds::SpecError| ApiError::new(ErrorCode::BadMind, error.to_string()))?;
    match &spec {
        MindSpec::Program(_) => refused("the server does not start outside programs".to_owned()),
        MindSpec::Function(_) => refused("only the program that holds a match has functions that play".to_owned()),
        MindSpec::Search(SearchSpec { net: Some(minds::EvaluationSpec::File(_)), .. }) => {
            refused("the server does not read network files: only net=none".to_owned())
        }
        MindSpec::Search(SearchSpec { hash: Some(_), .. } | SearchSpec { threads: Some(_), .. }) => {
            refused("hash and threads are set by the server".to_owned())
        }
        _ => Ok(spec),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_and_every_engine_of_the_list_can_be_used() {
        let analysis = AnalysisLimits { threads: 1, hash: 16, default_hash: 16, seconds: 600 };
        let engines = Engines::new(Vec::new(), analysis);
        assert_eq!(engines.minds.len(), 5);
        for level in &engines.levels {
            assert!(parse(&level.mind).is_ok(), "{}", level.mind);
        }
        for mind in &engines.minds {
            for setting in &mind.settings {
                let least = setting.min.map(|least| least.to_string());
                let values = least.into_iter().chain(setting.max.map(|most| most.to_string()));
                for value in values.chain(setting.choices.iter().map(|&choice| choice.to_owned())) {
                    let text = format!("{}:{}={value}", mind.name, setting.name);
                    assert!(parse(&text).is_ok(), "{text}");
                }
            }
        }
    }

    #[test]
    fn programs_and_files_cannot_be_named() {
        for text in [
            "uci:/bin/sh",
            "line:cat /etc/passwd",
            "search:net=/etc/passwd",
            "search:hash=1024",
            "search:threads=64",
            "search:elo=1500,net=../../secret",
            " uci:stockfish",
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(error.code, ErrorCode::BadMind, "{text}: {}", error.message);
        }
    }
}
