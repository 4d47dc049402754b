//! Options as an engine advertises them.

use std::fmt;

use crate::words::{Words, one_line};

/// An option an engine has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    /// What it is called. Letter case does not matter.
    pub name: String,
    /// What it may be set to.
    pub kind: OptionKind,
}

/// What an option may be set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// Yes or no.
    Check {
        /// What it is without being set.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// What it is without being set.
        default: i64,
        /// The least it may be.
        min: i64,
        /// The most it may be.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// What it is without being set.
        default: String,
        /// The words.
        choices: Vec<String>,
    },
    /// Something to press.
    Button,
    /// Any text.
    Text {
        /// What it is without being set; it may be empty.
        default: String,
    },
}

impl EngineOption {
    /// Reads what follows the word `option`. Without a name, a type, or what the type needs, it is no option.
    pub(crate) fn read(words: &mut Words) -> Option<EngineOption> {
        let opens = |word: &str| matches!(word, "default" | "min" | "max" | "var");
        if words.next() != Some("name") {
            words.complain("option lacks its name");
            return None;
        }
        let name = words.until(|word| word == "type").join(" ");
        words.next();
        let kind = words.next().unwrap_or_default();
        if kind == "string" {
            // A text may contain any word, so it is the rest of the line.
            let default = match words.next() {
                Some("default") => words.text(),
                _ => "",
            };
            return Some(EngineOption { name, kind: OptionKind::Text { default: nonempty(default) } });
        }
        let (mut default, mut min, mut max, mut choices) = (None, None, None, Vec::new());
        while let Some(word) = words.next() {
            match word {
                "default" => default = Some(words.until(opens).join(" ")),
                "min" => min = words.number("option min", opens),
                "max" => max = words.number("option max", opens),
                "var" => choices.push(words.until(opens).join(" ")),
                _ => words.complain(format!("option knows no {word:?}")),
            }
        }
        let kind = match (kind, default) {
            ("button", _) => Some(OptionKind::Button),
            ("check", Some(default)) if default == "true" => Some(OptionKind::Check { default: true }),
            ("check", Some(default)) if default == "false" => Some(OptionKind::Check { default: false }),
            ("combo", Some(default)) => Some(OptionKind::Combo { default: nonempty(&default), choices }),
            ("spin", Some(default)) => {
                let default = Words::new(&default).number("option default", opens);
                default.zip(min).zip(max).map(|((default, min), max)| OptionKind::Spin { default, min, max })
            }
            _ => None,
        };
        if kind.is_none() {
            words.complain(format!("option {name} lacks a known type or what that type needs"));
        }
        kind.map(|kind| EngineOption { name, kind })
    }
}

/// A text as told: `<empty>` stands for none.
fn nonempty(text: &str) -> String {
    if text == "<empty>" { String::new() } else { text.to_owned() }
}

fn or_empty(text: &str) -> &str {
    if text.is_empty() { "<empty>" } else { text }
}

impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", one_line(&self.name))?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {}", or_empty(default))?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } => write!(f, "string default {}", or_empty(&one_line(default))),
        }
    }
}
