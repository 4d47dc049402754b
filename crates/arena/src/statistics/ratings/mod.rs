//! Ratings of many players at once: those under which the results are most likely.
//!
//! The model is that of Bradley, Terry and Elo, with a draw as half a win: the rating of each player is such that the
//! points it was to be expected to make are the points it made. That is also Ordo's model (Ballicora, "Ordo", section
//! "Model for rating calculation"), but for the scale: here 400 points are odds of ten to one, as in Elo's logistic
//! curve, where Ordo sets 202 points for a score of 76 %; its ratings are larger by 0.9 %.
//!
//! Some ratings do not exist. Who won every game is stronger than any rating says, and two groups that never met cannot
//! be compared. So players are first divided into groups within which everyone has, by some chain of opponents, taken
//! points from everyone (Ford's condition); within a group the most likely ratings exist and are unique. Between groups
//! all games went one way. There, each two groups get the benefit of half a point of doubt, as if one of their games
//! had been drawn, and the ratings are marked as what they are: the least or the most that a rating might be.

mod groups;
mod rating;
mod solver;

use serde::{Deserialize, Serialize};

pub use rating::{Rated, RatingKind, Ratings};

use super::tally::Trinomial;

/// Players, known by their number, and what is known of them.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct League {
    /// How many players there are.
    pub players: usize,
    /// Their results, in any order; two players may appear several times.
    pub meetings: Vec<Meeting>,
    /// Players whose rating is known beforehand. Without any, the mean of the largest group is zero.
    pub anchors: Vec<Anchor>,
    /// What it is worth to have White.
    pub first_move: FirstMove,
}

/// Games between two players with the same colors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Meeting {
    /// Who had White.
    pub white: usize,
    /// Who had Black.
    pub black: usize,
    /// The results, as White counts them.
    pub results: Trinomial,
}

/// A player whose rating is known beforehand.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Anchor {
    /// The player.
    pub player: usize,
    /// The rating.
    pub rating: f64,
    /// How uncertain it is, as a standard deviation, if it is not fixed.
    pub uncertainty: Option<f64>,
}

/// What it is worth to have White.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum FirstMove {
    /// So many Elo.
    Worth(f64),
    /// What the results say; that needs players who met with both colors.
    Estimated,
}

/// Why there are no ratings.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RatingError {
    /// A player who does not exist.
    #[error("there is no player number {player} among {players}")]
    NoSuchPlayer {
        /// The number.
        player: usize,
        /// How many players there are.
        players: usize,
    },
    /// A player met no other player.
    #[error("player number {0} is said to have played against itself")]
    MetItself(usize),
    /// An anchor that holds nothing.
    #[error("a rating of {rating} with an uncertainty of {uncertainty:?} is no anchor")]
    BadAnchor {
        /// Its rating.
        rating: f64,
        /// Its uncertainty.
        uncertainty: Option<f64>,
    },
    /// The first move cannot be told from the players.
    #[error(
        "what White is worth cannot be estimated: it takes players who met with both colors and did not always win with one"
    )]
    FirstMoveUnknown,
    /// The iteration did not come to an end.
    #[error("ratings did not settle: a player's expected points are still {0} off")]
    NotSettled(f64),
}

impl Default for FirstMove {
    /// Nothing: colors are reversed in every pair of games.
    fn default() -> FirstMove {
        FirstMove::Worth(0.0)
    }
}

impl League {
    /// The most likely ratings.
    pub fn rate(&self) -> Result<Ratings, RatingError> {
        self.check()?;
        rating::rate(self)
    }

    fn check(&self) -> Result<(), RatingError> {
        let players = self.players;
        let named = self.meetings.iter().flat_map(|meeting| [meeting.white, meeting.black]);
        if let Some(player) = named.chain(self.anchors.iter().map(|anchor| anchor.player)).find(|&one| one >= players) {
            return Err(RatingError::NoSuchPlayer { player, players });
        }
        if let Some(meeting) = self.meetings.iter().find(|meeting| meeting.white == meeting.black) {
            return Err(RatingError::MetItself(meeting.white));
        }
        let holds = |anchor: &Anchor| {
            anchor.rating.is_finite() && anchor.uncertainty.is_none_or(|doubt| doubt.is_finite() && doubt > 0.0)
        };
        match self.anchors.iter().find(|anchor| !holds(anchor)) {
            Some(&Anchor { rating, uncertainty, .. }) => Err(RatingError::BadAnchor { rating, uncertainty }),
            None => Ok(()),
        }
    }
}
