//! What a move is called.

use serde::{Deserialize, Serialize};

/// What a move is called. [`docs/review.md`] has the definitions in one table.
///
/// [`docs/review.md`]: https://github.com/saavedra-chess/saavedra/blob/main/docs/review.md
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// There was no other legal move.
    Forced,
    /// The position after it is known opening theory, and it loses less than an inaccuracy does.
    Book,
    /// A sacrifice that is the only good move, or the only way to force mate.
    Brilliant,
    /// Nothing better was found.
    Best,
    /// It loses next to nothing.
    Excellent,
    /// It loses less than an inaccuracy does.
    Good,
    /// It loses a little.
    Inaccuracy,
    /// It loses as much as a mistake or a blunder, but only what the opponent's last error had given.
    Miss,
    /// It loses a good part of a point.
    Mistake,
    /// It loses a large part of a point; or it is a mistake that allows or misses a forced mate.
    Blunder,
}

/// The least loss, in expected points, for each name. docs/review.md has the measurements behind them.
pub(crate) mod thresholds {
    pub(crate) const GOOD: f64 = 0.02;
    pub(crate) const INACCURACY: f64 = 0.08;
    pub(crate) const MISTAKE: f64 = 0.25;
    pub(crate) const BLUNDER: f64 = 0.30;
}

impl Judgement {
    /// Every name, the best first.
    pub const ALL: [Judgement; 10] = [
        Judgement::Brilliant,
        Judgement::Best,
        Judgement::Book,
        Judgement::Forced,
        Judgement::Excellent,
        Judgement::Good,
        Judgement::Inaccuracy,
        Judgement::Miss,
        Judgement::Mistake,
        Judgement::Blunder,
    ];

    /// What a move is called that lost so many points, by that number alone.
    pub fn of_lost(lost: f64) -> Judgement {
        match lost {
            lost if lost >= thresholds::BLUNDER => Judgement::Blunder,
            lost if lost >= thresholds::MISTAKE => Judgement::Mistake,
            lost if lost >= thresholds::INACCURACY => Judgement::Inaccuracy,
            lost if lost >= thresholds::GOOD => Judgement::Good,
            lost if lost > 0.0 => Judgement::Excellent,
            _ => Judgement::Best,
        }
    }

    /// What a move is called that lost nothing, though another was better.
    pub(crate) fn or_excellent(self) -> Judgement {
        if self == Judgement::Best { Judgement::Excellent } else { self }
    }

    /// Whether the move is criticised: from an inaccuracy on.
    pub fn is_error(self) -> bool {
        matches!(self, Judgement::Inaccuracy) || self.is_serious()
    }

    /// Whether it is a mistake, a blunder, or a miss, which loses as much.
    pub fn is_serious(self) -> bool {
        matches!(self, Judgement::Miss | Judgement::Mistake | Judgement::Blunder)
    }

    /// The glyph of a game score: `!!` is 3, `?!` is 6, `?` is 2, `??` is 4. A miss is a `?`.
    pub fn nag(self) -> Option<u8> {
        match self {
            Judgement::Brilliant => Some(3),
            Judgement::Inaccuracy => Some(6),
            Judgement::Miss | Judgement::Mistake => Some(2),
            Judgement::Blunder => Some(4),
            _ => None,
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Forced => "forced",
            Judgement::Book => "book",
            Judgement::Brilliant => "brilliant",
            Judgement::Best => "best",
            Judgement::Excellent => "excellent",
            Judgement::Good => "good",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Miss => "miss",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::Position;
    use search::Score;

    use super::*;
    use crate::Chances;

    #[test]
    fn an_even_game_goes_from_best_to_blunder_within_three_pawns() {
        let start = Position::initial();
        let even = Chances::of(Score::DRAW, &start);
        let judged = |centipawns: i32| Judgement::of_lost(even.lost_to(Chances::of(Score::new(-centipawns), &start)));
        assert_eq!(
            [0, 20, 60, 100, 140, 300].map(judged),
            [
                Judgement::Best,
                Judgement::Excellent,
                Judgement::Good,
                Judgement::Inaccuracy,
                Judgement::Mistake,
                Judgement::Blunder
            ]
        );
    }
}
