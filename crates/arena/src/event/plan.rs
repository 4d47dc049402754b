//! What an event is: everything that decides its games, as the first line of its journal says it.

use minds::MindSpec;
use records::openings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::schedule::Format;
use crate::statistics::Sprt;
use crate::{Adjudication, Participant};

/// Everything that decides the games of an event, except how many are played at once.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventPlan {
    /// What the event is called.
    pub name: String,
    /// The seed of everything random.
    pub seed: u64,
    /// Who meets whom.
    pub schedule: Format,
    /// Who takes part.
    pub players: Vec<Participant>,
    /// Where games begin.
    pub openings: OpeningPlan,
    /// When games are ended from outside.
    pub adjudication: Adjudication,
    /// The folder of the tablebases that end games, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<String>,
    /// How many milliseconds too late a move may come.
    #[serde(default)]
    pub time_margin: u64,
    /// When the event is decided before its end, if it can be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

/// Where the games of an event begin.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningPlan {
    /// The book, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// How many openings there are in it, and their checksum: another book makes another event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The most plies that are played of an opening; without a book, so many random plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// In which order openings are played.
    #[serde(default)]
    pub order: OpeningOrder,
}

/// In which order openings are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningOrder {
    /// Shuffled by the seed of the event.
    #[default]
    Random,
    /// As in the book.
    Sequential,
}

impl From<OpeningOrder> for openings::Order {
    fn from(order: OpeningOrder) -> openings::Order {
        match order {
            OpeningOrder::Random => openings::Order::Random,
            OpeningOrder::Sequential => openings::Order::Sequential,
        }
    }
}

impl EventPlan {
    /// How many threads think at once in a game: those of the player who has the most; where a player ponders,
    /// those of the two who have the most.
    pub fn threads(&self) -> usize {
        threads_at_once(self.players.iter().map(|player| &player.mind))
    }

    /// The first setting in which two plans differ: its name, and what it is in this plan and in the other.
    ///
    /// More pairs or rounds than before do not count, since they only lengthen an event.
    pub fn difference(&self, longer: &EventPlan) -> Option<Difference> {
        let mut lengthened = self.clone();
        if self.schedule.is_lengthened_by(&longer.schedule) {
            lengthened.schedule = longer.schedule.clone();
        }
        difference(&lengthened, longer)
    }
}

/// How many threads think at once in a game between two of these.
pub(super) fn threads_at_once<'a>(minds: impl Iterator<Item = &'a MindSpec> + Clone) -> usize {
    let mut threads: Vec<usize> = minds.clone().map(threads).collect();
    threads.sort_unstable_by(|one, other| other.cmp(one));
    let at_once = if minds.into_iter().any(ponders) { 2 } else { 1 };
    threads.iter().take(at_once).sum::<usize>().max(1)
}

/// How many threads a mind thinks with.
fn threads(mind: &MindSpec) -> usize {
    let threads = match mind {
        MindSpec::Search(search) => search.threads,
        mind => option(mind, "threads").and_then(|value| value.parse().ok()),
    };
    threads.unwrap_or(1).max(1)
}

/// Whether a mind thinks while its opponent does.
fn ponders(mind: &MindSpec) -> bool {
    option(mind, "ponder").is_some_and(|value| value == "true")
}

/// An option of an outside program, as it was asked for.
fn option<'a>(mind: &'a MindSpec, wanted: &str) -> Option<&'a str> {
    let MindSpec::Program(program) = mind else { return None };
    program.options.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.as_str())
}

/// A setting that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Which one, such as `players[1].time`.
    pub setting: String,
    /// What it was.
    pub was: String,
    /// What it is now.
    pub is: String,
}

/// The first setting in which two things differ that are written in the same way.
pub fn difference<T: Serialize>(one: &T, other: &T) -> Option<Difference> {
    let value = |thing: &T| serde_json::to_value(thing).unwrap_or_default();
    first_difference("", &value(one), &value(other))
}

fn first_difference(path: &str, one: &Value, other: &Value) -> Option<Difference> {
    match (one, other) {
        _ if one == other => None,
        (Value::Object(fields), Value::Object(others)) => {
            let names = fields.keys().chain(others.keys().filter(|name| !fields.contains_key(*name)));
            let dot = if path.is_empty() { "" } else { "." };
            let field = |map: &serde_json::Map<String, Value>, name: &str| map.get(name).cloned().unwrap_or_default();
            names.into_iter().find_map(|name| {
                first_difference(&format!("{path}{dot}{name}"), &field(fields, name), &field(others, name))
            })
        }
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => (items.iter().zip(others))
            .enumerate()
            .find_map(|(index, (item, other))| first_difference(&format!("{path}[{index}]"), item, other)),
        _ => {
            let shown = |value: &Value| match value {
                Value::Null => "nothing".to_owned(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            Some(Difference { setting: path.to_owned(), was: shown(one), is: shown(other) })
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn plan(pairs: u64, players: &[&str]) -> EventPlan {
        let player = |text: &&str| Participant {
            name: (*text).to_owned(),
            mind: text.parse().expect("a mind"),
            time: "nodes=1000".parse().expect("a time control"),
        };
        EventPlan {
            name: "a test".to_owned(),
            seed: 1,
            schedule: Format::RoundRobin { pairs },
            players: players.iter().map(player).collect(),
            openings: OpeningPlan { plies: Some(4), ..OpeningPlan::default() },
            adjudication: Adjudication::default(),
            tablebase: None,
            time_margin: 0,
            sprt: None,
        }
    }

    #[test]
    fn a_plan_is_written_and_read() {
        let plan = plan(2, &["random", "capture"]);
        let text = serde_json::to_string(&plan).expect("JSON");
        assert_eq!(serde_json::from_str::<EventPlan>(&text).expect("a plan"), plan, "{text}");
    }

    #[test]
    fn two_plans_differ_in_a_setting_that_has_a_name() {
        let one = plan(2, &["random", "capture"]);
        assert_eq!(one.difference(&one), None);
        assert_eq!(one.difference(&plan(3, &["random", "capture"])), None, "a longer event is the same event");
        let difference = |other: &EventPlan| {
            one.difference(other).map(|Difference { setting, was, is }| format!("{setting}: {was}, {is}"))
        };
        assert_eq!(difference(&plan(1, &["random", "capture"])).as_deref(), Some("schedule.pairs: 2, 1"));
        assert_eq!(
            difference(&plan(2, &["random", "capture:seed=1"])).as_deref(),
            Some("players[1].mind: capture, capture:seed=1")
        );
        let other = EventPlan { tablebase: Some("x".to_owned()), ..one.clone() };
        assert_eq!(difference(&other).as_deref(), Some("tablebase: nothing, x"));
    }
}
