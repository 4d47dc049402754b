//! What all events have in common on the command line: how games are played, and where they are kept.

use std::path::{Path, PathBuf};

use anyhow::Context;
use arena::event::{EventInputs, EventPlan, Functions, OpeningOrder, OpeningPlan, Venue};
use arena::schedule::Format;
use arena::statistics::Sprt;
use arena::{Adjudication, DrawRule, ResignClaim, ResignRule, Terms, TimeControl};
use clap::{Args, ValueEnum};
use records::openings::Openings;
use records::source::is_standard_input;
use search::Tablebase;
use syzygy::Syzygy;

use super::entrant::{self, Entrant};
use crate::failure::Failure;
use crate::hub::Via;
use crate::numbers::{whole, within};

/// How games are played.
#[derive(Args)]
#[command(next_help_heading = "How games are played")]
pub(super) struct Conditions {
    /// Time control of players without one of their own: 2+0.02 (seconds), 5m+3s, 40/60+0.5, hourglass=30, move=0.1,
    /// nodes=5000 or depth=8.
    #[arg(long, value_name = "TIME", default_value = "1+0.01", conflicts_with = "resume")]
    time: TimeControl,
    /// A book of openings: EPD, FEN or PGN, plain or compressed as .gz, .zst or .zip. Each is played with both colors.
    #[arg(long, value_name = "FILE", conflicts_with = "resume", value_parser = book)]
    openings: Option<PathBuf>,
    /// The most plies of an opening; without a book, that many random plies (8 if not given, 0 for none).
    #[arg(long, value_name = "N", conflicts_with = "resume", value_parser = within::<u16>(0..=200))]
    plies: Option<u16>,
    /// In which order the book is played.
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = BookOrder::Random, conflicts_with = "resume")]
    order: BookOrder,
    /// Adjudicate a draw when both players see one: usual, or as in from=40,moves=8,within=10 (moves, moves,
    /// centipawns).
    #[arg(long, value_name = "RULE", value_parser = draw_rule, conflicts_with = "resume")]
    draw: Option<DrawRule>,
    /// Adjudicate a win when both players see one: usual, or as in moves=4,beyond=600,by=both (or by=loser).
    #[arg(long, value_name = "RULE", value_parser = win_rule, conflicts_with = "resume")]
    resign: Option<ResignRule>,
    /// Call a draw after so many moves of each player.
    #[arg(long, value_name = "MOVES", conflicts_with = "resume", value_parser = within::<u16>(1..))]
    longest: Option<u16>,
    /// End games by the Syzygy tablebases in this folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "resume")]
    tablebase: Option<String>,
    /// Forgive a move that comes so many milliseconds after the flag has fallen.
    #[arg(long, value_name = "MS", default_value_t = 0, conflicts_with = "resume", value_parser = whole::<u64>)]
    time_margin: u64,
    /// The seed of openings and of our engines' random choices.
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume", value_parser = whole::<u64>)]
    pub(super) seed: Option<u64>,
    /// What the event is called in the games.
    #[arg(long, value_name = "NAME", conflicts_with = "resume")]
    event: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum BookOrder {
    Random,
    Sequential,
}

/// Where games are kept, and what is told.
#[derive(Args)]
#[command(next_help_heading = "Where games are kept")]
pub(super) struct Keeping {
    /// The journal file. A journal of the same event that is already there is resumed.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(super) journal: Option<PathBuf>,
    /// Write no journal.
    #[arg(long, conflicts_with_all = ["journal", "resume"])]
    pub(super) no_journal: bool,
    /// Resume the event of this journal, with its settings. More pairs or rounds make it longer.
    #[arg(long, value_name = "FILE")]
    pub(super) resume: Option<PathBuf>,
    /// Write all games to this file, in place of what is there.
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Games at once; as many as there are cores for if not given.
    #[arg(long, value_name = "N", value_parser = within::<u16>(1..=4096))]
    pub(super) concurrency: Option<u16>,
    /// Print a line of JSON for each finished game, and one for the whole event at the end.
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) via: Via,
}

/// Random plies with which games start by default.
const USUAL_PLIES: usize = 8;

impl Conditions {
    /// The plan of an event.
    pub(super) fn plan(
        &self,
        name: &str,
        entrants: &[Entrant],
        schedule: Format,
        sprt: Option<Sprt>,
    ) -> Result<EventPlan, Failure> {
        let adjudication = Adjudication {
            draw: self.draw,
            win: self.resign,
            tablebase_pieces: None,
            longest: self.longest.map(usize::from),
        };
        let openings = OpeningPlan {
            file: self.openings.as_deref().map(absolute).transpose()?,
            content: None,
            plies: self.plies.map(usize::from).or(self.openings.is_none().then_some(USUAL_PLIES)),
            order: match self.order {
                BookOrder::Random => OpeningOrder::Random,
                BookOrder::Sequential => OpeningOrder::Sequential,
            },
        };
        Ok(EventPlan {
            name: self.event.clone().unwrap_or_else(|| name.to_owned()),
            seed: self.seed.unwrap_or_else(new_seed),
            schedule,
            players: entrant::players(entrants, self.time),
            openings,
            adjudication,
            tablebase: self.tablebase.as_deref().map(|folder| absolute(Path::new(folder))).transpose()?,
            time_margin: self.time_margin,
            sprt,
        })
    }
}

/// A book of openings, which is read again when the event is resumed.
fn book(text: &str) -> Result<PathBuf, String> {
    match is_standard_input(Path::new(text)) {
        true => Err("a book of openings must be a file, because it is read again when the event is resumed".to_owned()),
        false => Ok(text.into()),
    }
}

/// Reads the files that a plan names, and notes in it what was found in the book.
pub(super) fn setting(plan: &mut EventPlan, venue: Venue) -> Result<EventInputs, Failure> {
    let OpeningPlan { file, plies, order, .. } = &plan.openings;
    let openings = match (file, plies) {
        (Some(file), Some(plies)) => Openings::read_plies(file, *plies),
        (Some(file), None) => Openings::read(file),
        (None, plies) => Ok(Openings::random_plies(plies.unwrap_or(0))),
    };
    let openings = openings.map_err(|error| Failure::Failed(error.into()))?.in_order((*order).into());
    plan.openings.content = openings.count().map(|count| fingerprint(&openings, count));
    let tablebase = match &plan.tablebase {
        Some(folder) => {
            let tables = Syzygy::open(folder).map_err(|error| Failure::Failed(error.into()))?;
            Some(std::sync::Arc::new(tables) as std::sync::Arc<dyn Tablebase>)
        }
        None => None,
    };
    let terms = Terms {
        adjudication: plan.adjudication.clone(),
        tablebase,
        time_margin: std::time::Duration::from_millis(plan.time_margin),
        ..Terms::default()
    };
    Ok(EventInputs { openings, terms, functions: Functions::new(), venue })
}

/// How many openings there are and a checksum of some of them: another book is another event.
fn fingerprint(openings: &Openings, count: usize) -> String {
    const SAMPLES: u64 = 1000;
    let mut sum = 0;
    for pair in 0..SAMPLES.min(count as u64) {
        let opening = openings.opening(1, pair);
        for part in std::iter::once(opening.start.key()).chain(opening.moves.iter().map(|mv| u64::from(mv.bits()))) {
            sum = random::Random::numbered(sum, part).next_u64();
        }
    }
    format!("{count} openings, {:08x}", sum >> 32)
}

/// A path that means the same from everywhere.
fn absolute(path: &Path) -> Result<String, Failure> {
    let path = std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))?;
    Ok(path.display().to_string())
}

fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    // Short enough to be typed again.
    random::Random::new(now.map_or(0, |time| time.as_nanos() as u64)).next_u64() >> 40
}

/// Reads settings such as `moves=4,beyond=600`, or `usual` for none.
fn settings<'a>(text: &'a str, known: &[&str]) -> Result<Vec<(&'a str, &'a str)>, String> {
    if text == "usual" {
        return Ok(Vec::new());
    }
    let read = |setting: &'a str| match setting.split_once('=') {
        Some((name, value)) if known.contains(&name) => Ok((name, value)),
        _ => Err(format!("expected usual, or settings from {} with commas between", known.join("=, ") + "=")),
    };
    text.split(',').map(read).collect()
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{name}={value}: expected a whole number"))
}

fn draw_rule(text: &str) -> Result<DrawRule, String> {
    let mut rule = DrawRule { from_move: 40, moves: 8, within: 10 };
    for (name, value) in settings(text, &["from", "moves", "within"])? {
        match name {
            "from" => rule.from_move = number(name, value)?,
            "moves" => rule.moves = number(name, value)?,
            _ => rule.within = number(name, value)?,
        }
    }
    Ok(rule)
}

fn win_rule(text: &str) -> Result<ResignRule, String> {
    let mut rule = ResignRule { moves: 4, beyond: 600, claimed_by: ResignClaim::Both };
    for (name, value) in settings(text, &["moves", "beyond", "by"])? {
        match (name, value) {
            ("moves", _) => rule.moves = number(name, value)?,
            ("beyond", _) => rule.beyond = number(name, value)?,
            (_, "both") => rule.claimed_by = ResignClaim::Both,
            (_, "loser") => rule.claimed_by = ResignClaim::Loser,
            _ => return Err(format!("by={value}: expected both or loser")),
        }
    }
    Ok(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_usual_values_that_can_be_changed_one_by_one() {
        assert_eq!(draw_rule("usual"), Ok(DrawRule { from_move: 40, moves: 8, within: 10 }));
        assert_eq!(draw_rule("moves=5,from=30"), Ok(DrawRule { from_move: 30, moves: 5, within: 10 }));
        assert_eq!(
            win_rule("by=loser,beyond=800"),
            Ok(ResignRule { moves: 4, beyond: 800, claimed_by: ResignClaim::Loser })
        );
        assert_eq!(win_rule("by=me"), Err("by=me: expected both or loser".to_owned()));
        assert_eq!(draw_rule("moves=x"), Err("moves=x: expected a whole number".to_owned()));
        assert_eq!(
            draw_rule("score=1"),
            Err("expected usual, or settings from from=, moves=, within= with commas between".to_owned())
        );
    }
}
