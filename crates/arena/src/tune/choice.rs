//! What to tune: parameters chosen among the options of an engine.

use std::str::FromStr;

use thiserror::Error;
use uci::{EngineOption, OptionKind, suggest};

use super::Parameter;

/// A parameter as people ask for it: `NAME`, `NAME=START`, `NAME=START+-STEP` or `NAME=+-STEP`. The older
/// `START..STEP` is still read.
#[derive(Clone, PartialEq, Debug)]
pub struct ParameterSpec {
    /// The option.
    pub name: String,
    /// The value to begin with, if not the engine's.
    pub start: Option<f64>,
    /// How far to move it, if not as far as usual.
    pub step: Option<f64>,
}

/// Why a parameter cannot be chosen.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// It is not written as one.
    #[error("{0:?} is no parameter: expected NAME, NAME=START or NAME=START+-STEP")]
    Syntax(String),
    /// The engine has no such option.
    #[error("the engine has no option {name:?}{}", hint.as_ref().map_or(String::new(), |close| format!(" (did you mean {close:?}?)")))]
    Unknown {
        /// The name.
        name: String,
        /// The option that was probably meant.
        hint: Option<String>,
    },
    /// The option is no number.
    #[error("the option {0:?} of the engine is no number within a range")]
    NoNumber(String),
}

impl FromStr for ParameterSpec {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<ParameterSpec, ChoiceError> {
        let bad = || ChoiceError::Syntax(text.to_owned());
        let number = |part: &str| match part.trim() {
            "" => Ok(None),
            part => part.parse().ok().filter(|number: &f64| number.is_finite()).map(Some).ok_or_else(bad),
        };
        let (name, numbers) = text.split_once('=').map_or((text, None), |(name, numbers)| (name, Some(numbers)));
        let name = name.trim().to_owned();
        let (start, step) = match numbers {
            None => ("", ""),
            Some(numbers) if numbers.trim().is_empty() => return Err(bad()),
            Some(numbers) => numbers.split_once("+-").or_else(|| numbers.split_once("..")).unwrap_or((numbers, "")),
        };
        if name.is_empty() {
            Err(bad())
        } else {
            Ok(ParameterSpec { name, start: number(start)?, step: number(step)? })
        }
    }
}

/// Chooses the parameters that are asked for. Steps are this part of a range unless it is given.
pub fn choose_by_name(
    specs: &[ParameterSpec],
    settings: &[EngineOption],
    set: &[(String, String)],
    part: f64,
) -> Result<Vec<Parameter>, ChoiceError> {
    let choose = |spec: &ParameterSpec| {
        let Some(setting) = settings.iter().find(|setting| setting.name.eq_ignore_ascii_case(&spec.name)) else {
            let names = settings.iter().map(|setting| setting.name.as_str());
            let hint = suggest(&spec.name, names).map(str::to_owned);
            return Err(ChoiceError::Unknown { name: spec.name.clone(), hint });
        };
        let usual = parameter(setting, set, part).ok_or_else(|| ChoiceError::NoNumber(setting.name.clone()))?;
        Ok(Parameter { start: spec.start.unwrap_or(usual.start), step: spec.step.unwrap_or(usual.step), ..usual })
    };
    specs.iter().map(choose).collect()
}

/// Chooses every number of an engine that says how it plays, and none that says with what or how long.
pub fn choose_all(settings: &[EngineOption], set: &[(String, String)], part: f64) -> Vec<Parameter> {
    settings.iter().filter(|setting| is_about_play(&setting.name)).filter_map(|one| parameter(one, set, part)).collect()
}

/// Options of many engines that are no matter of taste: tuning them would find more memory, more time or full strength.
const NOT_ABOUT_PLAY: [&str; 14] = [
    "hash",
    "threads",
    "multipv",
    "move overhead",
    "moveoverhead",
    "skill level",
    "slow mover",
    "minimum thinking time",
    "nodestime",
    "cores",
    "contempt",
    "debug log level",
    "probelimit",
    "ponder",
];

fn is_about_play(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let belongs_to_gui = ["uci_", "syzygy", "hash", "tablebase"].iter().any(|start| name.starts_with(start));
    !belongs_to_gui && !NOT_ABOUT_PLAY.contains(&name.as_str())
}

/// A number of an engine, from its own value or the one it is set to.
fn parameter(setting: &EngineOption, set: &[(String, String)], part: f64) -> Option<Parameter> {
    /// A step of less than half moves a whole number by random rounding only.
    const LEAST_STEP: f64 = 0.5;
    let OptionKind::Spin { default, min, max } = setting.kind else { return None };
    if min >= max {
        return None;
    }
    let own = set.iter().rfind(|(name, _)| name.eq_ignore_ascii_case(&setting.name));
    let start = own.and_then(|(_, value)| value.trim().parse().ok()).unwrap_or(default as f64);
    let step = ((max as f64 - min as f64) * part).max(LEAST_STEP);
    Some(Parameter { name: setting.name.clone(), start, min, max, step })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Vec<EngineOption> {
        let spin = |name: &str, default, min, max| EngineOption {
            name: name.to_owned(),
            kind: OptionKind::Spin { default, min, max },
        };
        let check = EngineOption { name: "Ponder".to_owned(), kind: OptionKind::Check { default: false } };
        vec![
            spin("Hash", 16, 1, 1024),
            check,
            spin("margin", 100, 0, 200),
            spin("depth", 3, 1, 9),
            spin("one", 1, 1, 1),
        ]
    }

    #[test]
    fn parameters_are_chosen_by_name_with_ranges_of_the_engine() {
        let specs: Vec<ParameterSpec> =
            ["Margin", "depth=4+-1.5"].iter().map(|text| text.parse().expect("a parameter")).collect();
        let set = [("margin".to_owned(), "90".to_owned())];
        let chosen = choose_by_name(&specs, &settings(), &set, 0.05).expect("both are there");
        let expected = [("margin", 90.0, 0, 200, 10.0), ("depth", 4.0, 1, 9, 1.5)];
        let expected =
            expected.map(|(name, start, min, max, step)| Parameter { name: name.to_owned(), start, min, max, step });
        assert_eq!(chosen, expected);
        let error = |text: &str| choose_by_name(&[text.parse().expect("a parameter")], &settings(), &[], 0.05);
        assert_eq!(
            error("margn").expect_err("a slip").to_string(),
            "the engine has no option \"margn\" (did you mean \"margin\"?)"
        );
        assert_eq!(
            error("Ponder").expect_err("no number").to_string(),
            "the option \"Ponder\" of the engine is no number within a range"
        );
    }

    #[test]
    fn all_that_is_about_play_can_be_chosen_at_once() {
        let chosen = choose_all(&settings(), &[], 0.05);
        let names: Vec<_> = chosen.iter().map(|parameter| (parameter.name.as_str(), parameter.step)).collect();
        assert_eq!(names, [("margin", 10.0), ("depth", 0.5)]);
    }

    #[test]
    fn parameters_are_written_in_four_ways() {
        let spec = |text: &str| text.parse::<ParameterSpec>().map(|spec| (spec.name, spec.start, spec.step));
        assert_eq!(spec(" a b "), Ok(("a b".to_owned(), None, None)));
        assert_eq!(spec("a=-3"), Ok(("a".to_owned(), Some(-3.0), None)));
        for text in ["a=3+-0.5", " a = 3 +- 0.5", "a=3..0.5"] {
            assert_eq!(spec(text), Ok(("a".to_owned(), Some(3.0), Some(0.5))), "{text}");
        }
        assert_eq!(spec("a=-3+-2"), Ok(("a".to_owned(), Some(-3.0), Some(2.0))));
        assert_eq!(spec("a=+-2"), Ok(("a".to_owned(), None, Some(2.0))));
        assert_eq!(spec("a=..2"), Ok(("a".to_owned(), None, Some(2.0))));
        for text in ["", "=3", "a=", "a=x", "a=1..x", "a=1+-x", "a=inf"] {
            assert_eq!(spec(text), Err(ChoiceError::Syntax(text.to_owned())), "{text}");
        }
    }
}
