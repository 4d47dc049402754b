//! What the clocks of a game say of each move.

use std::time::Duration;

use records::pgn::GameTree;

/// The time of a move, as far as the game tells it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TimeUse {
    /// How long it took.
    pub spent: Option<Duration>,
    /// What was left on the player's clock after it.
    pub left: Option<Duration>,
}

impl TimeUse {
    /// The times of the moves that were played. Where a game does not say how long a move took, it is what the player's
    /// clock lost since their last move, which with an increment is less.
    pub fn of_game(game: &GameTree) -> Vec<TimeUse> {
        let nodes: Vec<_> = game.mainline().map(|id| game.node(id)).collect();
        let times = nodes.iter().enumerate().map(|(ply, node)| {
            let before = ply.checked_sub(2).and_then(|earlier| nodes[earlier].clock);
            let spent = node.elapsed.or_else(|| Some(before?.saturating_sub(node.clock?)));
            TimeUse { spent, left: node.clock }
        });
        times.collect()
    }
}
