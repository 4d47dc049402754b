//! The settings after a mind's name: `depth=3,ties=random`.

use std::fmt;
use std::ops::RangeBounds;

use interface::{parse_count, parse_mebibytes};
use search::Strength;

use super::{EvaluationSpec, SearchSpec, SpecError, Ties, TreeSpec};
use crate::TreeMind;

/// A name with settings, to be written.
pub(super) struct SpecText {
    name: &'static str,
    list: Vec<String>,
}

impl SpecText {
    pub(super) fn new(name: &'static str) -> SpecText {
        SpecText { name, list: Vec::new() }
    }

    /// Adds a setting, if it has a value.
    pub(super) fn with(mut self, name: &str, value: Option<impl fmt::Display>) -> SpecText {
        self.list.extend(value.map(|value| format!("{name}={value}")));
        self
    }
}

impl fmt::Display for SpecText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        if self.list.is_empty() { Ok(()) } else { write!(f, ":{}", self.list.join(",")) }
    }
}

/// Names and values with commas between.
pub(super) fn read_pairs(list: &str) -> Result<Vec<(String, String)>, SpecError> {
    let pairs = list.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    let read = |pair: &str| match pair.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err(SpecError::NoValue(pair.to_owned())),
    };
    pairs.map(read).collect()
}

/// A number within bounds.
fn number<N: TryFrom<u64> + PartialOrd + fmt::Display>(
    setting: &str,
    value: &str,
    bounds: impl RangeBounds<N>,
    expected: &'static str,
) -> Result<Option<N>, SpecError> {
    parse_count(value, bounds).map(Some).map_err(|_| bad_value(setting, value, expected))
}

fn bad_value(setting: &str, value: &str, expected: &'static str) -> SpecError {
    SpecError::BadValue { setting: setting.to_owned(), value: value.to_owned(), expected }
}

fn unknown<T>(mind: &'static str, setting: String, known: &'static [&'static str]) -> Result<T, SpecError> {
    Err(SpecError::UnknownSetting { mind, setting, known })
}

const A_NUMBER: &str = "a whole number";
const FROM_ONE_ON: &str = "a whole number from 1 on";
const MEBIBYTES: &str = "mebibytes, like 64, 64MiB or 2GiB";

/// The settings of a mind whose moves are random.
pub(super) fn read_seed(mind: &'static str, list: &str) -> Result<Option<u64>, SpecError> {
    let mut seed = None;
    for (name, value) in read_pairs(list)? {
        match name.as_str() {
            "seed" => seed = number(&name, &value, .., A_NUMBER)?,
            _ => return unknown(mind, name, &["seed"]),
        }
    }
    Ok(seed)
}

impl TreeSpec {
    pub(super) fn read(mind: &'static str, list: &str) -> Result<TreeSpec, SpecError> {
        let mut tree = TreeSpec::default();
        for (name, value) in read_pairs(list)? {
            match name.as_str() {
                "depth" => tree.depth = number(&name, &value, ..=TreeMind::MOST_PLIES, "a whole number from 0 to 100")?,
                // A seed is of use only where something is random.
                "seed" => (tree.seed, tree.ties) = (number(&name, &value, .., A_NUMBER)?, Ties::Random),
                "ties" => {
                    tree.ties = match value.as_str() {
                        "first" => Ties::First,
                        "random" => Ties::Random,
                        _ => return Err(SpecError::BadValue { setting: name, value, expected: "first or random" }),
                    }
                }
                _ => return unknown(mind, name, &["depth", "ties", "seed"]),
            }
        }
        Ok(tree)
    }

    pub(super) fn settings(&self, mind: &'static str) -> SpecText {
        let ties = (self.ties == Ties::Random).then_some("random");
        SpecText::new(mind).with("depth", self.depth).with("ties", ties).with("seed", self.seed)
    }
}

impl SearchSpec {
    pub(super) fn read(list: &str) -> Result<SearchSpec, SpecError> {
        let has_path = list.split(',').any(|pair| pair.trim_start().starts_with("net="));
        let pairs = read_pairs(list).map_err(|error| match error {
            SpecError::NoValue(rest) if has_path => SpecError::CommaInPath(rest),
            error => error,
        })?;
        let mut search = SearchSpec::default();
        for (name, value) in pairs {
            match name.as_str() {
                "depth" => search.depth = number(&name, &value, 1.., FROM_ONE_ON)?,
                "nodes" => search.nodes = number(&name, &value, 1.., FROM_ONE_ON)?,
                "time" => search.time = number(&name, &value, 1.., FROM_ONE_ON)?,
                "hash" => {
                    let size = parse_mebibytes(&value, 1..).map_err(|_| bad_value(&name, &value, MEBIBYTES))?;
                    search.hash = Some(size);
                }
                "threads" => search.threads = number(&name, &value, 1..=1024, "a whole number from 1 to 1024")?,
                "elo" => search.elo = number(&name, &value, Strength::ELO, "a rating from 500 to 2800")?,
                // It was called `lots` before.
                "random" | "lots" => search.random = number(&name, &value, ..=100, "a whole number from 0 to 100")?,
                "net" if value.is_empty() => {
                    return Err(SpecError::BadValue { setting: name, value, expected: "a file, or none" });
                }
                "net" => search.net = Some(EvaluationSpec::from(value.as_str())),
                _ => {
                    return unknown(
                        "search",
                        name,
                        &["nodes", "depth", "time", "hash", "threads", "elo", "random", "net"],
                    );
                }
            }
        }
        Ok(search)
    }

    pub(super) fn settings(&self) -> SpecText {
        SpecText::new("search")
            .with("nodes", self.nodes)
            .with("depth", self.depth)
            .with("time", self.time)
            .with("hash", self.hash)
            .with("threads", self.threads)
            .with("elo", self.elo)
            .with("random", self.random)
            .with("net", self.net.as_ref())
    }
}
