//! What a score means in wins, draws and losses.

use rules::{Position, Role};

use crate::Score;

/// With an advantage of so many centipawns every other game is won: with all pieces on the board, and with none left.
const EVEN: [f64; 2] = [151.0, 336.0];

/// How gradually the chances change around that advantage.
const SLOPE: [f64; 2] = [207.0, 72.0];

/// The chances of the player to move to win, draw and lose, in thousandths.
///
/// Two logistic curves, one for winning and its mirror image for losing; what is left is drawn. They depend on how many
/// pieces are left. The four constants are the maximum-likelihood fit to 61,760 positions of 520 games that the search with
/// its network played against itself from unbalanced openings, 12,000 nodes a move. In those games a score between 50 and
/// 150 won 31 % and lost 12 %; the model says 30 % and 13 %.
///
/// ```
/// use rules::Position;
/// use saavedra_search::{Score, win_draw_loss};
///
/// let position = Position::initial();
/// let [win, draw, loss] = win_draw_loss(Score::new(200), &position);
/// assert!(win > draw && draw > loss && win + draw + loss == 1000);
/// assert_eq!(win_draw_loss(Score::mate_in(5), &position), [1000, 0, 0]);
/// ```
pub fn win_draw_loss(score: Score, position: &Position) -> [u32; 3] {
    let opening = pieces_left(position);
    let blend = |[opening_value, endgame_value]: [f64; 2]| opening_value * opening + endgame_value * (1.0 - opening);
    let (even, slope) = (blend(EVEN), blend(SLOPE));
    let chance = |centipawns: i32| (1000.0 / (1.0 + ((even - f64::from(centipawns)) / slope).exp())).round() as u32;
    let (win, loss) = match score {
        score if score.is_win() => (1000, 0),
        score if score.is_loss() => (0, 1000),
        score => (chance(score.value()), chance(-score.value())),
    };
    [win, 1000 - win - loss, loss]
}

/// The part of the start position's pieces that are left, pawns apart, 0 to 1.
fn pieces_left(position: &Position) -> f64 {
    const WEIGHTS: [(Role, u32); 4] = [(Role::Knight, 1), (Role::Bishop, 1), (Role::Rook, 2), (Role::Queen, 4)];
    const ALL: u32 = 24;
    let left: u32 = WEIGHTS.into_iter().map(|(role, weight)| weight * position.by_role(role).count()).sum();
    f64::from(left.min(ALL)) / f64::from(ALL)
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
