//! From results to ratings: groups are rated within themselves, then placed beside each other.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::groups::{Groups, reachable};
use super::solver::{Edge, Prior, Problem};
use super::{FirstMove, League, RatingError};
use crate::statistics::elo::ELO_PER_LOGIT;
use crate::statistics::normal::CONFIDENCE_95;
use crate::statistics::tally::{Tally, Trinomial};

/// The ratings of a league.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// Each player by its number.
    pub players: Vec<Rated>,
    /// What it is worth to have White, in Elo, and the error of that if it was estimated.
    pub first_move: (f64, Option<f64>),
    /// How much results deviated from what was expected, as a part of what games without draws deviate. The information
    /// in a game is the larger the smaller this is.
    pub dispersion: f64,
}

/// The rating of a player.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rated {
    /// The rating, in Elo.
    pub rating: f64,
    /// How far the truth may be off, 95 of 100 times: from the anchors if there are any, or else from the mean. There
    /// is none unless the standing is that of a rated player.
    pub error: Option<f64>,
    /// What the rating means.
    pub standing: RatingKind,
    /// Games played.
    pub games: u64,
    /// Points made.
    pub points: f64,
}

/// What a rating means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RatingKind {
    /// It is the most likely one.
    Rated,
    /// No game was lost or drawn that would set a limit: the player is at least about so strong.
    AtLeast,
    /// No game was won or drawn that would set a limit: the player is at most about so strong.
    AtMost,
    /// Nothing compares the player with those who are rated, or only in both of the ways above. What the rating says
    /// counts only within the player's own group.
    Apart,
}

/// Results added up for each two players and their colors, so that neither order nor repetition of meetings matters.
type Pairings = BTreeMap<(usize, usize), Trinomial>;

pub(super) fn rate(league: &League) -> Result<Ratings, RatingError> {
    let mut pairings = Pairings::new();
    for meeting in league.meetings.iter().filter(|meeting| meeting.results.games() > 0) {
        *pairings.entry((meeting.white, meeting.black)).or_default() += meeting.results;
    }
    let groups = Groups::strong(&ties(league, &pairings));
    let members = groups.members();
    let main = main_group(league, &members);
    let inner = |group: usize| {
        let within = |&(&(white, black), _): &(&(usize, usize), &Trinomial)| {
            groups.of[white] == group && groups.of[black] == group
        };
        pairings.iter().filter(within).map(|(&pair, &results)| (pair, results)).collect::<Pairings>()
    };
    let mut players: Vec<Rated> = (0..league.players).map(|_| Rated::unknown()).collect();
    for (&(white, black), results) in &pairings {
        players[white].count(*results);
        players[black].count(results.reversed());
    }
    let Some(main) = main else {
        return Ok(Ratings { players, first_move: (known_worth(league), None), dispersion: 1.0 });
    };

    let leading = Group::new(league, &members[main], inner(main), league.first_move);
    let solution = leading.solve()?;
    let (first_move, dispersion) = (solution.first_move, solution.dispersion);
    solution.write(&leading, &mut players, RatingKind::Rated);
    for (group, players_of_group) in members.iter().enumerate() {
        if group != main && players_of_group.len() > 1 {
            let other = Group::new(league, players_of_group, inner(group), FirstMove::Worth(first_move.0));
            other.solve()?.write(&other, &mut players, RatingKind::Apart);
        }
    }
    place(&groups, main, &pairings, first_move.0, &mut players)?;
    Ok(Ratings { players, first_move, dispersion })
}

fn known_worth(league: &League) -> f64 {
    match league.first_move {
        FirstMove::Worth(worth) => worth,
        FirstMove::Estimated => 0.0,
    }
}

/// Whom each player took points from. Anchors stand beside each other already.
fn ties(league: &League, pairings: &Pairings) -> Vec<Vec<usize>> {
    let mut ties = vec![BTreeSet::new(); league.players];
    for (&(white, black), results) in pairings {
        if results.points() > 0.0 {
            ties[white].insert(black);
        }
        if results.reversed().points() > 0.0 {
            ties[black].insert(white);
        }
    }
    for anchors in league.anchors.windows(2) {
        ties[anchors[0].player].insert(anchors[1].player);
        ties[anchors[1].player].insert(anchors[0].player);
    }
    ties.into_iter().map(|ties| ties.into_iter().collect()).collect()
}

/// The group of the anchors, or the first of the largest ones.
fn main_group(league: &League, members: &[Vec<usize>]) -> Option<usize> {
    match league.anchors.first() {
        Some(anchor) => members.iter().position(|players| players.contains(&anchor.player)),
        None => (0..members.len()).min_by_key(|&group| (std::cmp::Reverse(members[group].len()), members[group][0])),
    }
}

/// Players among whom the most likely ratings exist.
struct Group<'a> {
    players: &'a [usize],
    /// The unknown of each player, by its place in the list; fixed players have none.
    unknowns: Vec<Option<usize>>,
    /// The fixed rating of each player, by its place in the list, in log odds.
    fixed: Vec<f64>,
    results: Vec<Trinomial>,
    problem: Problem,
    first_move: FirstMove,
    met_with_both_colours: bool,
}

struct Solution {
    ratings: Vec<f64>,
    errors: Vec<f64>,
    first_move: (f64, Option<f64>),
    dispersion: f64,
}

impl<'a> Group<'a> {
    fn new(league: &League, players: &'a [usize], pairings: Pairings, first_move: FirstMove) -> Group<'a> {
        let place_of: BTreeMap<usize, usize> =
            players.iter().enumerate().map(|(place, &player)| (player, place)).collect();
        let mut fixed = vec![None; players.len()];
        let mut loose = Vec::new();
        for anchor in &league.anchors {
            let Some(&place) = place_of.get(&anchor.player) else { continue };
            let rating = anchor.rating / ELO_PER_LOGIT;
            match anchor.uncertainty {
                None => fixed[place] = Some(rating),
                Some(doubt) => loose.push((place, rating, (ELO_PER_LOGIT / doubt).powi(2))),
            }
        }
        let mut problem = Problem::default();
        let mut unknowns = Vec::with_capacity(players.len());
        for fixed in &fixed {
            unknowns.push(fixed.is_none().then_some(problem.unknowns));
            problem.unknowns += usize::from(fixed.is_none());
        }
        if first_move == FirstMove::Estimated {
            problem.shift = Some(problem.unknowns);
            problem.unknowns += 1;
        }
        let worth = match first_move {
            FirstMove::Worth(worth) => worth / ELO_PER_LOGIT,
            FirstMove::Estimated => 0.0,
        };
        let fixed: Vec<f64> = fixed.into_iter().map(|rating| rating.unwrap_or(0.0)).collect();
        problem.edges = pairings
            .iter()
            .map(|((white, black), results)| {
                let (white, black) = (place_of[white], place_of[black]);
                Edge {
                    plus: unknowns[white],
                    minus: unknowns[black],
                    offset: fixed[white] - fixed[black] + worth,
                    games: results.games() as f64,
                    points: results.points(),
                }
            })
            .collect();
        let prior = |(place, mean, weight): (usize, f64, f64)| Some(Prior { unknown: unknowns[place]?, mean, weight });
        problem.priors = loose.into_iter().filter_map(prior).collect();
        let met_with_both_colours = pairings.keys().any(|&(white, black)| pairings.contains_key(&(black, white)));
        Group {
            players,
            unknowns,
            fixed,
            results: pairings.into_values().collect(),
            problem,
            first_move,
            met_with_both_colours,
        }
    }

    fn solve(&self) -> Result<Solution, RatingError> {
        /// Nothing is worth more than this; who always wins with White makes the estimate run away.
        const MOST_WORTH: f64 = 3000.0 / ELO_PER_LOGIT;
        if self.problem.shift.is_some() && !self.met_with_both_colours {
            return Err(RatingError::FirstMoveUnknown);
        }
        let settle = |problem: &Problem| problem.solve().map_err(|trouble| RatingError::NotSettled(trouble.0));
        let mut values = settle(&self.problem)?;
        // Draws make games tell more than won and lost ones would. That counts where games are weighed against what was
        // known before, and for the errors.
        let dispersion = self.dispersion(&values);
        let weighed = self.problem.weighed(1.0 / dispersion);
        if !weighed.priors.is_empty() {
            values = settle(&weighed)?;
        }
        if self.problem.shift.is_some_and(|shift| values[shift].abs() > MOST_WORTH) {
            return Err(RatingError::FirstMoveUnknown);
        }
        let mut ratings: Vec<f64> = self
            .unknowns
            .iter()
            .zip(&self.fixed)
            .map(|(unknown, fixed)| unknown.map_or(*fixed, |unknown| values[unknown]))
            .collect();
        if !self.is_anchored() {
            let mean = ratings.iter().sum::<f64>() / ratings.len() as f64;
            ratings.iter_mut().for_each(|rating| *rating -= mean);
        }
        let (errors, error_of_shift) = self.errors(&weighed, &values);
        let first_move = match (self.first_move, self.problem.shift) {
            (_, Some(shift)) => (values[shift] * ELO_PER_LOGIT, error_of_shift),
            (FirstMove::Worth(worth), None) => (worth, None),
            (FirstMove::Estimated, None) => (0.0, None),
        };
        Ok(Solution { ratings, errors, first_move, dispersion })
    }

    fn is_anchored(&self) -> bool {
        !self.problem.priors.is_empty() || self.unknowns.contains(&None)
    }

    /// The errors of the players and of the first move, in Elo.
    ///
    /// They come from the Fisher information: a variance is an entry on the diagonal of its inverse, for which one
    /// linear system per player is solved. For two players that is the error which a match prints, but for the
    /// curvature of the logistic.
    fn errors(&self, problem: &Problem, values: &[f64]) -> (Vec<f64>, Option<f64>) {
        /// A hundredth of an Elo is more than enough.
        const ACCURACY: f64 = 1e-5;
        let weights = problem.weights(values);
        let error = |wanted: &[f64]| {
            let solution = problem.conjugate_gradients(&weights, wanted, ACCURACY);
            let variance: f64 = solution.iter().zip(wanted).map(|(solution, wanted)| solution * wanted).sum();
            CONFIDENCE_95 * variance.max(0.0).sqrt() * ELO_PER_LOGIT
        };
        let free = self.unknowns.iter().flatten().count();
        let mut wanted = vec![0.0; problem.unknowns];
        let mut errors = Vec::with_capacity(self.players.len());
        for unknown in &self.unknowns {
            let Some(unknown) = *unknown else {
                errors.push(0.0);
                continue;
            };
            // Without an anchor only the distance from the mean is known.
            let share = if self.is_anchored() { 0.0 } else { 1.0 / free as f64 };
            wanted[..free].fill(-share);
            wanted[unknown] += 1.0;
            errors.push(error(&wanted));
            wanted[unknown] = 0.0;
        }
        let of_shift = problem.shift.map(|shift| {
            wanted.fill(0.0);
            wanted[shift] = 1.0;
            error(&wanted)
        });
        (errors, of_shift)
    }

    /// How much results deviated from what was expected, against games that are won or lost. One game's worth of full
    /// deviation is added to both, so that a handful of draws does not pretend to certainty.
    fn dispersion(&self, values: &[f64]) -> f64 {
        const ONE_GAME: f64 = 0.25;
        let (mut seen, mut supposed) = (ONE_GAME, ONE_GAME);
        for (edge, results) in self.problem.edges.iter().zip(&self.results) {
            let score = self.problem.score(edge, values);
            for outcome in 0..Trinomial::OUTCOMES {
                seen += results.count(outcome) as f64 * (Trinomial::score_of(outcome) - score).powi(2);
            }
            supposed += edge.games * score * (1.0 - score);
        }
        seen / supposed
    }
}

impl Solution {
    fn write(self, group: &Group<'_>, players: &mut [Rated], standing: RatingKind) {
        for ((&player, rating), error) in group.players.iter().zip(self.ratings).zip(self.errors) {
            players[player].rating = rating * ELO_PER_LOGIT;
            players[player].error = (standing == RatingKind::Rated).then_some(error);
            players[player].standing = standing;
        }
    }
}

/// Places the other groups beside the main one, as far as games connect them, each as a whole.
fn place(
    groups: &Groups,
    main: usize,
    pairings: &Pairings,
    worth: f64,
    players: &mut [Rated],
) -> Result<(), RatingError> {
    const DOUBT: f64 = 0.5;
    let mut games_between: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let (mut beaten, mut beaten_by, mut met) =
        (vec![Vec::new(); groups.count], vec![Vec::new(); groups.count], vec![Vec::new(); groups.count]);
    let sides = |white: usize, black: usize| (groups.of[white], groups.of[black]);
    for (&(white, black), results) in pairings {
        let (one, other) = sides(white, black);
        if one != other {
            let (winner, loser) = if results.points() > 0.0 { (one, other) } else { (other, one) };
            *games_between.entry((winner, loser)).or_default() += results.games() as f64;
            beaten[winner].push(loser);
            beaten_by[loser].push(winner);
            met[one].push(other);
            met[other].push(one);
        }
    }
    let connected = reachable(main, &met);
    let (below, above) = (reachable(main, &beaten), reachable(main, &beaten_by));
    let mut problem = Problem::default();
    let unknowns: Vec<Option<usize>> = (0..groups.count)
        .map(|group| {
            (group != main && connected[group]).then(|| {
                problem.unknowns += 1;
                problem.unknowns - 1
            })
        })
        .collect();
    for (&(white, black), results) in pairings {
        let (one, other) = sides(white, black);
        if one == other || !connected[one] {
            continue;
        }
        let games = results.games() as f64;
        let white_won = results.points() > 0.0;
        let pair = if white_won { (one, other) } else { (other, one) };
        let lost = games * DOUBT / games_between[&pair];
        problem.edges.push(Edge {
            plus: unknowns[one],
            minus: unknowns[other],
            offset: (players[white].rating - players[black].rating + worth) / ELO_PER_LOGIT,
            games,
            points: if white_won { games - lost } else { lost },
        });
    }
    let offsets = problem.solve().map_err(|trouble| RatingError::NotSettled(trouble.0))?;
    for (player, &group) in groups.of.iter().enumerate() {
        let Some(unknown) = unknowns[group] else { continue };
        players[player].rating += offsets[unknown] * ELO_PER_LOGIT;
        players[player].standing = match (above[group], below[group]) {
            (true, false) => RatingKind::AtLeast,
            (false, true) => RatingKind::AtMost,
            _ => RatingKind::Apart,
        };
    }
    Ok(())
}

impl Rated {
    fn unknown() -> Rated {
        Rated { rating: 0.0, error: None, standing: RatingKind::Apart, games: 0, points: 0.0 }
    }

    fn count(&mut self, results: Trinomial) {
        self.games += results.games();
        self.points += results.points();
    }
}
