//! Scores: centipawns for the player to move, with room at both ends for mates and tablebase results.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The deepest line that is searched, in plies from the root.
pub const MAX_PLY: usize = 240;

/// What a position is worth to the player to move, in centipawns.
///
/// A forced mate is worth almost [`Score::MATE`], less one for every ply until it is on the board, so that quicker
/// mates are worth more. Wins known from tablebases come next, then everything an evaluation may say.
///
/// ```
/// use saavedra_interface::{Score, UciScore};
///
/// assert!(Score::mate_in(3) > Score::mate_in(5));
/// assert_eq!(Score::mate_in(3).to_uci(), UciScore::MateIn(2));
/// assert_eq!((-Score::mate_in(4)).to_uci(), UciScore::MatedIn(2));
/// assert_eq!(Score::new(35).to_uci(), UciScore::Centipawns(35));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Score(i32);

/// A score as a reader wants it told. It prints itself as protocols write it, `cp 35` or `mate -2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UciScore {
    /// So many hundredths of a pawn.
    Centipawns(i32),
    /// The player to move mates in so many moves, counting their own.
    MateIn(u32),
    /// The player to move is mated in so many moves of theirs; zero if it has happened.
    MatedIn(u32),
}

impl UciScore {
    /// The score in pawns, as people read it: `+0.35`, `-1.20`. A mate is one of two signs and the number of moves.
    ///
    /// ```
    /// use saavedra_interface::UciScore;
    ///
    /// assert_eq!(UciScore::Centipawns(35).in_pawns("+M", "-M"), "+0.35");
    /// assert_eq!(UciScore::MateIn(3).in_pawns("+M", "-M"), "+M3");
    /// assert_eq!(UciScore::MatedIn(2).in_pawns("#", "#-"), "#-2");
    /// ```
    pub fn in_pawns(self, mate: &str, mated: &str) -> String {
        match self {
            UciScore::Centipawns(centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
            UciScore::MateIn(moves) => format!("{mate}{moves}"),
            UciScore::MatedIn(moves) => format!("{mated}{moves}"),
        }
    }

    /// A mate in so many moves; zero or less if the player to move is mated.
    pub const fn mate(moves: i32) -> UciScore {
        if moves > 0 { UciScore::MateIn(moves.unsigned_abs()) } else { UciScore::MatedIn(moves.unsigned_abs()) }
    }
}

impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciScore::Centipawns(centipawns) => write!(f, "cp {centipawns}"),
            UciScore::MateIn(moves) | UciScore::MatedIn(moves @ 0) => write!(f, "mate {moves}"),
            UciScore::MatedIn(moves) => write!(f, "mate -{moves}"),
        }
    }
}

/// What others tell, cut to what a score can say.
impl From<UciScore> for Score {
    fn from(verdict: UciScore) -> Score {
        let plies = |moves: u32| (moves as usize).saturating_mul(2).min(MAX_PLY);
        match verdict {
            UciScore::Centipawns(centipawns) => Score::new(centipawns),
            UciScore::MateIn(moves) => Score::mate_in(plies(moves).saturating_sub(1)),
            UciScore::MatedIn(moves) => Score::mated_in(plies(moves)),
        }
    }
}

impl Score {
    /// Neither player is better.
    pub const DRAW: Score = Score(0);

    /// Beyond every score that occurs.
    pub const INFINITE: Score = Score(32_001);

    /// The opponent is mated.
    pub const MATE: Score = Score(32_000);

    /// The least score of a forced mate.
    const LEAST_MATE: Score = Score(Score::MATE.0 - MAX_PLY as i32 - 1);

    /// Won by a tablebase that is looked at right now.
    const TABLEBASE_WIN: Score = Score(Score::LEAST_MATE.0 - 1);

    /// The least score of a win that is known for certain.
    const LEAST_WIN: Score = Score(Score::TABLEBASE_WIN.0 - MAX_PLY as i32 - 1);

    /// The most an evaluation may say without being taken for knowledge.
    pub const GREATEST_EVALUATION: Score = Score(Score::LEAST_WIN.0 - 1);

    /// A number of centipawns, cut to what an evaluation may say.
    #[inline]
    pub const fn new(centipawns: i32) -> Score {
        let most = Score::GREATEST_EVALUATION.0;
        Score(if centipawns > most {
            most
        } else if centipawns < -most {
            -most
        } else {
            centipawns
        })
    }

    /// The opponent is mated after so many plies.
    #[inline]
    pub const fn mate_in(plies: usize) -> Score {
        Score(Score::MATE.0 - plies as i32)
    }

    /// The player to move is mated after so many plies.
    #[inline]
    pub const fn mated_in(plies: usize) -> Score {
        Score(plies as i32 - Score::MATE.0)
    }

    /// A tablebase win is reached after so many plies.
    #[inline]
    pub const fn tablebase_win_in(plies: usize) -> Score {
        Score(Score::TABLEBASE_WIN.0 - plies as i32)
    }

    /// The bare number.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Whether this is a forced mate, for either player.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Score::LEAST_MATE.0
    }

    /// Whether the game is known to be won or lost, by a mate or a tablebase.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.0.abs() >= Score::LEAST_WIN.0
    }

    /// Whether the player to move is known to win.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::LEAST_WIN.0
    }

    /// Whether the player to move is known to lose.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Score::LEAST_WIN.0
    }

    /// The score as seen from a node `ply` below the root, for a table in which nodes meet at different plies:
    /// distances to a mate count from the node, not from the root.
    #[inline]
    pub const fn seen_from_node(self, ply: usize) -> Score {
        if self.is_win() {
            Score(self.0 + ply as i32)
        } else if self.is_loss() {
            Score(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The reverse of [`seen_from_node`](Score::seen_from_node).
    #[inline]
    pub const fn seen_from_root(self, ply: usize) -> Score {
        if self.is_win() {
            Score(self.0 - ply as i32)
        } else if self.is_loss() {
            Score(self.0 + ply as i32)
        } else {
            self
        }
    }

    /// The score in 16 bits, which hold them all.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0 as i16 as u16
    }

    /// A score from 16 bits. Bits that no score has are cut to the ends of the scale.
    #[inline]
    pub const fn from_bits(bits: u16) -> Score {
        let value = bits as i16 as i32;
        let most = Score::MATE.0;
        Score(if value > most {
            most
        } else if value < -most {
            -most
        } else {
            value
        })
    }

    /// A point between two scores, `part` of `whole` on the way from this one to the other.
    #[inline]
    pub const fn towards(self, other: Score, part: i32, whole: i32) -> Score {
        Score((self.0 * (whole - part) + other.0 * part) / whole)
    }

    /// The score as a reader wants it told.
    ///
    /// A tablebase win is a number of centipawns beyond every evaluation, as in other engines: tables of results know
    /// that it is won and not in how many moves, and `mate` would promise a number of them.
    pub const fn to_uci(self) -> UciScore {
        let plies = (Score::MATE.0 - self.0.abs()) as u32;
        match self.is_mate() {
            true if self.0 > 0 => UciScore::MateIn(plies.div_ceil(2)),
            true => UciScore::MatedIn(plies / 2),
            false => UciScore::Centipawns(self.0),
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline]
    fn add(self, centipawns: i32) -> Score {
        Score(self.0 + centipawns)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, centipawns: i32) -> Score {
        Score(self.0 - centipawns)
    }
}

impl Sub for Score {
    type Output = i32;

    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_uci())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_keep_their_order_from_lost_to_won() {
        let order = [
            -Score::INFINITE,
            Score::mated_in(0),
            Score::mated_in(MAX_PLY),
            -Score::tablebase_win_in(0),
            -Score::tablebase_win_in(MAX_PLY),
            -Score::GREATEST_EVALUATION,
            Score::DRAW,
            Score::GREATEST_EVALUATION,
            Score::tablebase_win_in(MAX_PLY),
            Score::tablebase_win_in(0),
            Score::mate_in(MAX_PLY),
            Score::mate_in(0),
            Score::INFINITE,
        ];
        assert!(order.is_sorted_by(|a, b| a < b));
        assert!(Score::mated_in(MAX_PLY).is_mate() && !Score::tablebase_win_in(0).is_mate());
        assert!(Score::tablebase_win_in(MAX_PLY).is_win() && !Score::GREATEST_EVALUATION.is_decided());
    }

    #[test]
    fn a_verdict_gives_its_score_back_as_far_as_a_score_goes() {
        for score in [Score::mate_in(7), Score::mated_in(8), Score::mated_in(0), Score::new(-123), Score::DRAW] {
            assert_eq!(Score::from(score.to_uci()), score);
        }
        assert_eq!(Score::from(UciScore::MateIn(u32::MAX)), Score::mate_in(MAX_PLY - 1));
        assert_eq!(Score::from(UciScore::mate(i32::MIN)), Score::mated_in(MAX_PLY));
        let told = [UciScore::Centipawns(-3), UciScore::mate(2), UciScore::mate(0), UciScore::mate(-2)];
        assert_eq!(told.map(|verdict| verdict.to_string()), ["cp -3", "mate 2", "mate 0", "mate -2"]);
    }

    #[test]
    fn sixteen_bits_and_another_ply_give_the_score_back() {
        for score in [Score::mate_in(7), Score::mated_in(8), Score::tablebase_win_in(9), Score::new(-123), Score::DRAW]
        {
            let kept = Score::from_bits(score.seen_from_node(5).to_bits());
            assert_eq!(kept.seen_from_root(5), score);
        }
    }

    #[test]
    fn any_sixteen_bits_are_a_score_within_the_scale() {
        assert!((0..=u16::MAX).all(|bits| Score::from_bits(bits) < Score::INFINITE));
    }
}
