//! What a score means in wins, draws and losses.

use rules::{Position, Role};

use crate::Score;
use crate::evaluation::{OPENING, PHASE};

/// Two logistic curves over the score, one for winning and its mirror image for losing; what is left is drawn.
///
/// Each number is given with all pieces on the board and with none left, and blended in between.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// The advantage in centipawns that wins every other game.
    pub even: [f64; 2],
    /// How gradually the chances change around that advantage.
    pub slope: [f64; 2],
}

impl WdlModel {
    /// The maximum-likelihood fit to games of the search with its network against itself. `cargo xtask adopt` fits it
    /// again when the network changes, and rewrites the next two lines; docs/engine.md tells how well it fits.
    #[rustfmt::skip]
    pub const FITTED: WdlModel = WdlModel {
        even: [118.0, 377.0],
        slope: [108.0, 94.0],
    };

    /// The chances to win, draw and lose with a score in centipawns, if this part of the pieces is left (0 to 1).
    pub fn chances(&self, centipawns: f64, pieces_left: f64) -> [f64; 3] {
        let blend = |[all, none]: [f64; 2]| all * pieces_left + none * (1.0 - pieces_left);
        let (even, slope) = (blend(self.even), blend(self.slope));
        let chance = |centipawns: f64| 1.0 / (1.0 + ((even - centipawns) / slope).exp());
        let (win, loss) = (chance(centipawns), chance(-centipawns));
        [win, 1.0 - win - loss, loss]
    }
}

/// The chances of the player to move to win, draw and lose, in thousandths.
///
/// ```
/// use saavedra_search::rules::Position;
/// use saavedra_search::{Score, win_draw_loss};
///
/// let position = Position::initial();
/// let [win, draw, loss] = win_draw_loss(Score::new(200), &position);
/// assert!(win > draw && draw > loss && win + draw + loss == 1000);
/// assert_eq!(win_draw_loss(Score::mate_in(5), &position), [1000, 0, 0]);
/// ```
pub fn win_draw_loss(score: Score, position: &Position) -> [u32; 3] {
    let (win, loss) = match score {
        score if score.is_win() => (1000, 0),
        score if score.is_loss() => (0, 1000),
        score => {
            let [win, _, loss] = WdlModel::FITTED.chances(f64::from(score.value()), pieces_left(position));
            ((1000.0 * win).round() as u32, (1000.0 * loss).round() as u32)
        }
    };
    [win, 1000 - win - loss, loss]
}

/// The part of the start position's pieces that are left, pawns apart, 0 to 1.
pub fn pieces_left(position: &Position) -> f64 {
    let left: i32 =
        Role::ALL.into_iter().map(|role| PHASE[role as usize] * position.by_role(role).count() as i32).sum();
    f64::from(left.min(OPENING)) / f64::from(OPENING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        let scores = (-3000..=3000).map(Score::new).chain([Score::mate_in(3), Score::mated_in(4), -Score::MATE]);
        let endgame = "8/5k2/8/8/8/2K5/4P3/8 w - - 0 1".parse().expect("a position");
        for score in scores {
            for position in [Position::initial(), endgame] {
                let [win, draw, loss] = win_draw_loss(score, &position);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(win_draw_loss(-score, &position), [loss, draw, win]);
            }
        }
    }

    #[test]
    fn an_advantage_is_worth_more_with_pieces_on_the_board() {
        let endgame = "8/5k2/8/8/8/2K5/4P3/8 w - - 0 1".parse().expect("a position");
        let score = Score::new(100);
        assert!(win_draw_loss(score, &Position::initial())[0] > win_draw_loss(score, &endgame)[0]);
    }
}
