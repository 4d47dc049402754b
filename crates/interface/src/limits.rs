//! What ends a search.

use std::time::Duration;

use rules::{Move, MoveList, Position};

use crate::Clock;

/// Limits of one search. The first that is reached ends it; without any, it goes on until it is stopped.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// The last depth to search.
    pub depth: Option<usize>,
    /// Positions to look at, all threads together.
    pub nodes: Option<u64>,
    /// Positions after which no new depth is begun.
    pub soft_nodes: Option<u64>,
    /// Stop once a mate in so many moves is found.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the player to move, which has to last for the moves to come.
    pub clock: Option<Clock>,
    /// The clock of the other player. It ends no search, but some engines want to know it.
    pub opponent_clock: Option<Clock>,
    /// The moves to choose from, if not all.
    pub moves: Option<Vec<Move>>,
}

impl Limits {
    /// A depth to search to.
    pub fn depth(depth: usize) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A number of positions to look at.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A time for the move.
    pub fn move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }

    /// Two clocks, that of the player to move first.
    pub fn clocks(own: Clock, opponent: Clock) -> Limits {
        Limits { clock: Some(own), opponent_clock: Some(opponent), ..Limits::default() }
    }

    /// Whether nothing but a stop ends the search.
    pub fn is_infinite(&self) -> bool {
        let has_count =
            self.depth.is_some() || self.nodes.is_some() || self.soft_nodes.is_some() || self.mate.is_some();
        !has_count && self.move_time.is_none() && self.clock.is_none()
    }

    /// The legal moves of a position among which to choose.
    pub fn moves_of(&self, position: &Position) -> MoveList {
        let mut moves = position.legal_moves();
        if let Some(chosen) = &self.moves {
            moves.retain(|mv| chosen.contains(&mv));
        }
        moves
    }
}
