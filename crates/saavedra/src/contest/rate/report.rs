//! Ratings for people, for programs, and as a picture.

use std::io::{self, Write};
use std::path::Path;

use arena::event::{EventLog, Finish};
use arena::ladder::{self, Ladder};
use arena::plot::{RatingMark, rating_plot};
use arena::report::fault_lines;
use arena::schedule::Format;
use arena::statistics::{Rated, RatingError, RatingKind};
use serde::Serialize;

use super::write_plot;
use crate::failure::Failure;
use crate::numbers::counted;

/// All ratings of a climb, or those of the ladder alone.
#[derive(Serialize)]
pub(super) struct Report {
    finish: Option<&'static str>,
    games: u64,
    /// The strongest first.
    players: Vec<Row>,
    #[serde(skip)]
    faults: Vec<String>,
}

/// A player.
#[derive(Serialize)]
struct Row {
    name: String,
    mind: String,
    time: String,
    /// Whether the player is a rung of the ladder, whose rating was known before.
    is_rung: bool,
    rating: f64,
    standing: RatingKind,
    /// How far the rating may be off: of a climber from the ladder, of a rung from the lowest.
    error: Option<f64>,
    games: u64,
    points: f64,
}

impl Report {
    pub(super) fn new(log: &EventLog, finish: Finish) -> Result<Report, Failure> {
        let plan = log.plan();
        let Format::Ladder { subjects, .. } = plan.schedule else {
            return Err(Failure::Usage("the journal is of another kind of event".to_owned()));
        };
        let ratings = ladder::ratings(plan, log.scores()).map_err(failed)?.players;
        let known = ladder::known_ratings(plan).map_err(failed)?.players;
        let best = |player: usize| if player < subjects { ratings[player] } else { known[player] };
        let row = |player: usize| Row {
            rating: best(player).rating,
            error: best(player).error,
            time: plan.players[player].time.to_string(),
            ..Row::new(
                plan.players[player].name.clone(),
                plan.players[player].mind.to_string(),
                &ratings[player],
                player >= subjects,
            )
        };
        Ok(Report {
            finish: Some(match finish {
                Finish::Over | Finish::Decided => "over",
                Finish::Stopped => "stopped",
            }),
            games: log.results().games(),
            players: sorted((0..plan.players.len()).map(row).collect()),
            faults: fault_lines(log),
        })
    }

    pub(super) fn of_ladder(ladder: &Ladder) -> Result<Report, Failure> {
        let ratings = ladder.ratings().map_err(failed)?.players;
        let row = |(rung, rated): (&String, &Rated)| Row::new(rung.clone(), rung.clone(), rated, true);
        let games = ladder.results.iter().map(|meeting| arena::statistics::Tally::games(&meeting.results)).sum();
        let players = sorted(ladder.rungs.iter().zip(&ratings).map(row).collect());
        Ok(Report { finish: None, games, players, faults: Vec::new() })
    }

    pub(super) fn tell(&self, as_json: bool, plot: Option<&Path>) -> Result<(), Failure> {
        if let Some(path) = plot {
            write_plot(path, &self.plot())?;
        }
        let mut out = io::stdout().lock();
        if as_json {
            serde_json::to_writer(&mut out, self)?;
            writeln!(out)?;
        } else {
            self.print(&mut out)?;
        }
        Ok(out.flush()?)
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let width = self.players.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        writeln!(out, "  {:width$}  {:>8}  {:>6}  {:>6}  {:>7}", "", "Elo", "±", "games", "score")?;
        for row in &self.players {
            let mark = if row.is_rung { ' ' } else { '>' };
            let bound = match row.standing {
                RatingKind::Rated => ' ',
                RatingKind::AtLeast => '≥',
                RatingKind::AtMost => '≤',
                RatingKind::Apart => '?',
            };
            let error = row.error.filter(|error| *error > 0.0).map_or(String::new(), |error| format!("{error:.0}"));
            let score = (row.games > 0).then(|| format!("{:.1} %", 100.0 * row.points / row.games as f64));
            let rating = format!("{bound}{:.0}", row.rating);
            let Row { name, games, .. } = row;
            writeln!(
                out,
                "{mark} {name:width$}  {rating:>8}  {error:>6}  {games:>6}  {:>7}",
                score.unwrap_or_default()
            )?;
        }
        writeln!(out)?;
        for row in self.players.iter().filter(|row| !row.is_rung) {
            writeln!(out, "{}", self.sentence(row))?;
        }
        self.faults.iter().try_for_each(|line| writeln!(out, "{line}"))
    }

    /// What was found out about a climber.
    fn sentence(&self, row: &Row) -> String {
        let Row { name, rating, .. } = row;
        let games = counted(row.games, "game");
        match (row.standing, row.error) {
            (RatingKind::Rated, Some(error)) => {
                let nearest = self
                    .players
                    .iter()
                    .filter(|other| other.is_rung)
                    .min_by(|one, other| (one.rating - rating).abs().total_cmp(&(other.rating - rating).abs()));
                let of_ladder = nearest.and_then(|rung| rung.error).unwrap_or(0.0);
                format!(
                    "{name}: {rating:.0} ± {error:.0} after {games}; the ladder itself is known to ± {of_ladder:.0} there"
                )
            }
            (RatingKind::AtLeast, _) => format!("{name}: at least {rating:.0}; no rung is strong enough to say more"),
            (RatingKind::AtMost, _) => format!("{name}: at most {rating:.0}; no rung is weak enough to say more"),
            _ => format!("{name}: nothing is known after {games}"),
        }
    }

    fn plot(&self) -> String {
        let mark = |row: &Row| RatingMark::new(row.name.clone(), row.rating, row.error);
        rating_plot("Elo, the random mover being 0", &self.players.iter().map(mark).collect::<Vec<_>>())
    }
}

impl Row {
    fn new(name: String, mind: String, rated: &Rated, is_rung: bool) -> Row {
        let Rated { rating, error, standing, games, points } = *rated;
        Row { name, mind, time: String::new(), is_rung, rating, standing, error, games, points }
    }
}

fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by(|one, other| other.rating.total_cmp(&one.rating));
    rows
}

fn failed(error: RatingError) -> Failure {
    Failure::Failed(error.into())
}
