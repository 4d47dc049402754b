//! `saavedra.stats`: the statistics of the arena as functions of counts.

use arena::statistics::{
    self, Anchor, Decision, EloScale, Estimate, FirstMove, League, Meeting, Pentanomial, Performance, RatingKind, Sprt,
    Trinomial,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Value, lower and upper limit.
type Limits = (f64, f64, f64);

/// More results of one kind than were ever counted; sums of them fit.
const MOST: u64 = 1 << 50;

/// Games by wins, draws and losses, or pairs of games by their points.
enum Counts {
    Games(Trinomial),
    Pairs(Pentanomial),
}

impl Counts {
    fn of(counts: &[u64]) -> PyResult<Counts> {
        if let Some(count) = counts.iter().find(|&&count| count > MOST) {
            return Err(PyValueError::new_err(format!("{count} results of one kind are too many to count")));
        }
        match *counts {
            [wins, draws, losses] => Ok(Counts::Games(Trinomial::new(wins, draws, losses))),
            [a, b, c, d, e] => Ok(Counts::Pairs(Pentanomial([a, b, c, d, e]))),
            _ => Err(PyValueError::new_err(format!(
                "expected wins, draws and losses, or five counts of pairs, not {} numbers",
                counts.len()
            ))),
        }
    }
}

fn limits(Estimate { value, low, high }: Estimate) -> Limits {
    (value, low, high)
}

/// What results say of two players: score, Elo, normalised Elo, and how likely the first is stronger.
#[pyfunction]
pub(crate) fn performance_of(counts: Vec<u64>) -> PyResult<(f64, Limits, Limits, f64)> {
    let performance = match Counts::of(&counts)? {
        Counts::Games(games) => Performance::of(&games),
        Counts::Pairs(pairs) => Performance::of(&pairs),
    };
    let none = || PyValueError::new_err("there are no games to judge by");
    let Performance { score, elo, normalised_elo, superiority } = performance.ok_or_else(none)?;
    Ok((score, limits(elo), limits(normalised_elo), superiority))
}

/// A sequential test of results: the log-likelihood ratio, its limits, and the hypothesis that is accepted, if one is.
#[pyfunction]
pub(crate) fn sprt_of(
    counts: Vec<u64>,
    model: &str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
) -> PyResult<(f64, f64, f64, Option<&'static str>)> {
    let wrong = |text: String| PyValueError::new_err(text);
    let scale: EloScale = model.parse().map_err(|error: statistics::UnknownScale| wrong(error.to_string()))?;
    let sprt = Sprt::new(scale, elo0, elo1, alpha, beta).map_err(|error| wrong(error.to_string()))?;
    let llr = match Counts::of(&counts)? {
        Counts::Games(games) => sprt.llr(&games),
        Counts::Pairs(pairs) => sprt.llr(&pairs),
    };
    let decision = match sprt.decide(llr) {
        Decision::GoOn => None,
        Decision::H0 => Some("H0"),
        Decision::H1 => Some("H1"),
    };
    Ok((llr, sprt.lower(), sprt.upper(), decision))
}

/// A player: rating, error, what it means, games, points.
type RatedPlayer = (f64, Option<f64>, &'static str, u64, f64);

/// The ratings of players by number, and what it is worth to have White with its error.
type Rated = (Vec<RatedPlayer>, f64, Option<f64>);

/// Ratings of many players. Meetings are White, Black, and White's wins, draws and losses; anchors are a player, a
/// rating, and how uncertain it is. The worth of White is estimated if it is not given.
#[pyfunction]
pub(crate) fn rate(
    py: Python<'_>,
    players: usize,
    meetings: Vec<(usize, usize, [u64; 3])>,
    anchors: Vec<(usize, f64, Option<f64>)>,
    white: Option<f64>,
) -> PyResult<Rated> {
    let meeting = |(white, black, counts): (usize, usize, [u64; 3])| match Counts::of(&counts)? {
        Counts::Games(results) => Ok(Meeting { white, black, results }),
        Counts::Pairs(_) => Err(PyValueError::new_err("a meeting has three counts")),
    };
    let anchor = |(player, rating, uncertainty)| Anchor { player, rating, uncertainty };
    let league = League {
        players,
        meetings: meetings.into_iter().map(meeting).collect::<PyResult<_>>()?,
        anchors: anchors.into_iter().map(anchor).collect(),
        first_move: white.map_or(FirstMove::Estimated, FirstMove::Worth),
    };
    let ratings = py.detach(|| league.rate()).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let player = |rated: &statistics::Rated| {
        let kind = match rated.standing {
            RatingKind::Rated => "rated",
            RatingKind::AtLeast => "at least",
            RatingKind::AtMost => "at most",
            RatingKind::Apart => "apart",
        };
        (rated.rating, rated.error, kind, rated.games, rated.points)
    };
    Ok((ratings.players.iter().map(player).collect(), ratings.first_move.0, ratings.first_move.1))
}

/// The score that a player stronger by so many Elo is expected to make, from 0 to 1.
#[pyfunction]
pub(crate) fn expected_score(difference: f64) -> f64 {
    statistics::expected_score(difference)
}

/// By how many Elo a player is stronger who scores so much, from 0 to 1.
#[pyfunction]
pub(crate) fn elo_of_score(score: f64) -> f64 {
    statistics::elo_of_score(score)
}
