//! What results say of all players at once, and what another game would add to it.

use crate::statistics::{CONFIDENCE_95, ELO_PER_LOGIT, League, expected_score};

/// Ratings and how uncertain they are together: a covariance matrix, in Elo squared.
pub(super) struct Knowledge {
    ratings: Vec<f64>,
    covariance: Vec<Vec<f64>>,
    /// How much of a game's deviation there is, compared with games that are never drawn.
    dispersion: f64,
}

/// Who is fixed is known this well, and who is not is known at least this well, in Elo. Neither changes a digit that
/// anybody sees, and with both the matrix can always be inverted.
const FIXED: f64 = 1e-3;
const ANYBODY: f64 = 1e4;

impl Knowledge {
    /// What a league knows; nothing if it cannot be rated.
    pub(super) fn new(league: &League) -> Option<Knowledge> {
        let ratings = league.rate().ok()?;
        let dispersion = ratings.dispersion;
        let ratings: Vec<f64> = ratings.players.iter().map(|player| player.rating).collect();
        let mut information = vec![vec![0.0; league.players]; league.players];
        let mut know = |player: usize, uncertainty: f64| information[player][player] += uncertainty.powi(-2);
        (0..league.players).for_each(|player| know(player, ANYBODY));
        league.anchors.iter().for_each(|anchor| know(anchor.player, anchor.uncertainty.unwrap_or(FIXED)));
        for meeting in &league.meetings {
            let (one, other) = (meeting.white, meeting.black);
            let games = (meeting.results.wins + meeting.results.draws + meeting.results.losses) as f64;
            let weight = games * weight_of_game(ratings[one] - ratings[other], dispersion);
            information[one][one] += weight;
            information[other][other] += weight;
            information[one][other] -= weight;
            information[other][one] -= weight;
        }
        Some(Knowledge { ratings, covariance: inverse(information), dispersion })
    }

    /// How far off a rating may be, 95 of 100 times.
    pub(super) fn error(&self, player: usize) -> f64 {
        CONFIDENCE_95 * self.covariance[player][player].max(0.0).sqrt()
    }

    /// By how much a pair of games between two players lowers the variance of a player's rating.
    pub(super) fn gain(&self, of: usize, one: usize, other: usize) -> f64 {
        let row = &self.covariance[of];
        (row[one] - row[other]).powi(2) / self.doubt(one, other)
    }

    /// Knows of a pair of games that it is played, but not how it ends.
    pub(super) fn suppose(&mut self, one: usize, other: usize) {
        let doubt = self.doubt(one, other);
        let told: Vec<f64> = self.covariance.iter().map(|row| row[one] - row[other]).collect();
        for (row, &here) in self.covariance.iter_mut().zip(&told) {
            row.iter_mut().zip(&told).for_each(|(entry, &there)| *entry -= here * there / doubt);
        }
    }

    /// The variance of the outcome of a pair, as an estimate of the difference: that of the difference and that of
    /// luck.
    fn doubt(&self, one: usize, other: usize) -> f64 {
        let matrix = &self.covariance;
        let difference = matrix[one][one] + matrix[other][other] - 2.0 * matrix[one][other];
        let weight = 2.0 * weight_of_game(self.ratings[one] - self.ratings[other], self.dispersion);
        difference + 1.0 / weight
    }
}

/// The information in a game about the difference of its players.
fn weight_of_game(difference: f64, dispersion: f64) -> f64 {
    let score = expected_score(difference);
    // A game whose end is certain tells nothing, but division by it must remain possible.
    (score * (1.0 - score) / (dispersion * ELO_PER_LOGIT * ELO_PER_LOGIT)).max(1e-30)
}

/// The inverse of a symmetric positive matrix, by elimination without pivots, which such a matrix does not need.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for pivot in 0..size {
        let scale = 1.0 / matrix[pivot][pivot];
        matrix[pivot][pivot] = 1.0;
        matrix[pivot].iter_mut().for_each(|entry| *entry *= scale);
        let pivot_row = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(number, _)| *number != pivot) {
            let factor = std::mem::replace(&mut row[pivot], 0.0);
            row.iter_mut().zip(&pivot_row).for_each(|(entry, above)| *entry -= factor * above);
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Anchor, Meeting, Trinomial};

    fn league() -> League {
        let meeting =
            |white, black, wins, draws, losses| Meeting { white, black, results: Trinomial::new(wins, draws, losses) };
        League {
            players: 4,
            meetings: vec![meeting(1, 0, 50, 20, 10), meeting(2, 1, 60, 20, 20), meeting(3, 2, 10, 4, 8)],
            anchors: vec![Anchor { player: 0, rating: 0.0, uncertainty: None }],
            ..League::default()
        }
    }

    #[test]
    fn errors_are_those_of_the_ratings() {
        let knowledge = Knowledge::new(&league()).expect("ratings");
        for (player, rated) in league().rate().expect("ratings").players.iter().enumerate() {
            assert!((knowledge.error(player) - rated.error.expect("rated")).abs() < 0.05, "{player}");
        }
    }

    #[test]
    fn what_a_pair_is_supposed_to_tell_is_what_it_gains() {
        let mut knowledge = Knowledge::new(&league()).expect("ratings");
        for (one, other) in [(3, 2), (2, 1), (3, 0)] {
            let variance = |knowledge: &Knowledge| (knowledge.error(3) / CONFIDENCE_95).powi(2);
            let (before, gain) = (variance(&knowledge), knowledge.gain(3, one, other));
            knowledge.suppose(one, other);
            assert!((before - gain - variance(&knowledge)).abs() < 1e-6 * before, "{one} {other}");
        }
    }
}
