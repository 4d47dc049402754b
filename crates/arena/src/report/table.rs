//! Tables as text.

use std::fmt::Write;

use super::Tallies;
use crate::event::EventLog;
use crate::schedule::{Format, Standing};
use crate::statistics::{Rated, RatingKind, Tally};

/// Beyond so many players a cross table is too wide to read, and only totals are shown.
const WIDEST: usize = 12;

/// Who stands where, and who scored what against whom: points of each player against each other.
///
/// The Elo is the most likely one by all results together, with a mean of zero. Points and score are of games; what
/// byes add, in a Swiss, stands in a column of its own.
pub fn cross_table(log: &EventLog) -> String {
    let (plan, tallies) = (log.plan(), Tallies::of(log.scores()));
    let standings = plan.schedule.standings(plan.players.len(), log.scores());
    let ratings = tallies.ratings(plan.players.len());
    let is_swiss = matches!(plan.schedule, Format::Swiss { .. });
    let has_byes = standings.iter().any(|standing| standing.bye_half_points > 0);
    let mut rows = vec![header(&standings, is_swiss, has_byes)];
    for (rank, standing) in standings.iter().enumerate() {
        let score = tallies.total(standing.player);
        let rated = ratings.as_ref().map(|ratings| ratings.players[standing.player]);
        let mut row = vec![
            (rank + 1).to_string(),
            plan.players[standing.player].name.clone(),
            rated.map_or("-".to_owned(), |rated| elo(&rated)),
            rated.and_then(|rated| rated.error).map_or("-".to_owned(), |error| format!("{error:.0}")),
            score.games.games().to_string(),
            points(standing.half_points - standing.bye_half_points),
            score.games.score().map_or("-".to_owned(), |score| format!("{:.1}%", 100.0 * score)),
        ];
        row.extend(has_byes.then(|| match standing.bye_half_points {
            0 => String::new(),
            given => format!("+{}", points(given)),
        }));
        row.extend(is_swiss.then(|| points(standing.buchholz)));
        if standings.len() <= WIDEST {
            row.extend(standings.iter().map(|other| {
                let score = tallies.between(standing.player, other.player);
                score.map_or(String::new(), |score| points(2 * score.games.wins + score.games.draws))
            }));
        }
        rows.push(row);
    }
    lay_out(&rows)
}

/// A rating, with a sign before what is only a limit.
fn elo(rated: &Rated) -> String {
    let sign = match rated.standing {
        RatingKind::Rated => "",
        RatingKind::AtLeast => ">",
        RatingKind::AtMost => "<",
        RatingKind::Apart => "?",
    };
    format!("{sign}{:.0}", rated.rating)
}

fn header(standings: &[Standing], is_swiss: bool, has_byes: bool) -> Vec<String> {
    let mut header = ["#", "player", "Elo", "+/-", "games", "points", "score"].map(str::to_owned).to_vec();
    header.extend(has_byes.then(|| "byes".to_owned()));
    header.extend(is_swiss.then(|| "Buchholz".to_owned()));
    if standings.len() <= WIDEST {
        header.extend((1..=standings.len()).map(|rank| rank.to_string()));
    }
    header
}

pub(super) fn points(half_points: u64) -> String {
    format!("{}.{}", half_points / 2, half_points % 2 * 5)
}

/// Columns side by side, the second to the left, all others to the right.
fn lay_out(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let gap = if column == 0 { "" } else { "  " };
            let _ = match column {
                1 => write!(line, "{gap}{cell:<width$}"),
                _ => write!(line, "{gap}{cell:>width$}"),
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// What players did wrong, a line for each player and kind.
pub fn fault_lines(log: &EventLog) -> Vec<String> {
    let faults = log.faults().iter().map(|(&(player, reason), faults)| {
        let name = &log.plan().players[player].name;
        let (count, game) = (faults.count, format!("{}.{}", faults.last.pair + 1, faults.last.leg + 1));
        let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
        format!("{name} lost {times} by {reason}, last in game {game}: {}", faults.text)
    });
    faults.collect()
}
