//! Moves that follow each other from a position.

use std::fmt;

use records::pgn::movetext;
use rules::{Game, Move, Position};
use serde::{Serialize, Serializer};

use crate::json::VariationJson;

/// A line of legal moves from a position. It is shown as in a game score, `12. Nxe5 dxe5`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    game: Game,
}

impl Variation {
    /// The moves, as far as they are legal one after the other.
    pub fn new(start: Position, moves: impl IntoIterator<Item = Move>) -> Variation {
        let mut game = Game::new(start);
        for mv in moves {
            if game.play(mv).is_err() {
                break;
            }
        }
        Variation { game }
    }

    /// Where the line starts.
    pub fn start(&self) -> &Position {
        self.game.start()
    }

    /// Where it ends.
    pub fn end(&self) -> &Position {
        self.game.position()
    }

    /// Its moves.
    pub fn moves(&self) -> &[Move] {
        self.game.moves()
    }

    /// The first move.
    pub fn first(&self) -> Option<Move> {
        self.moves().first().copied()
    }

    /// No more than so many of its moves.
    #[must_use]
    pub fn cut_to(&self, plies: usize) -> Variation {
        Variation::new(*self.start(), self.moves().iter().copied().take(plies))
    }

    pub(crate) fn names(&self, name: impl Fn(&Position, Move) -> String) -> Vec<String> {
        self.game.positions().iter().zip(self.moves()).map(|(position, &mv)| name(position, mv)).collect()
    }
}

impl fmt::Display for Variation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&movetext(&self.game).join(" "))
    }
}

impl Serialize for Variation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        VariationJson::from(self).serialize(serializer)
    }
}
