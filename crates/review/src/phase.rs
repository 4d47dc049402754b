//! Opening, middlegame and endgame.

use rules::{Bitboard, Color, Position, Rank, Role};
use serde::{Deserialize, Serialize};

/// A phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Pieces are being developed.
    Opening,
    /// Most pieces are in play.
    Middlegame,
    /// Few pieces are left.
    Endgame,
}

/// The endgame begins with so many knights, bishops, rooks and queens of both players.
const ENDGAME_PIECES: u32 = 6;

/// The opening ends with so many of them.
const MIDDLEGAME_PIECES: u32 = 10;

/// The opening ends when a player has so few pieces on the back rank.
const DEVELOPED: u32 = 3;

/// However little happens, the opening is over after so many half-moves.
const LONGEST_OPENING: usize = 30;

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// The phases of a game, whose positions are given in order. A game never returns to an earlier phase.
    pub(crate) fn of_game<'a>(positions: impl IntoIterator<Item = &'a Position>) -> Vec<Phase> {
        let mut phase = Phase::Opening;
        positions
            .into_iter()
            .enumerate()
            .map(|(ply, position)| {
                phase = phase.max(Phase::of(position, ply));
                phase
            })
            .collect()
    }

    fn of(position: &Position, ply: usize) -> Phase {
        let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
            .into_iter()
            .fold(Bitboard::EMPTY, |all, role| all | position.by_role(role));
        let is_developed =
            |(color, rank): (Color, Rank)| (position.by_color(color) & rank.squares()).count() <= DEVELOPED;
        let is_over = pieces.count() <= MIDDLEGAME_PIECES
            || ply >= LONGEST_OPENING
            || [(Color::White, Rank::First), (Color::Black, Rank::Eighth)].into_iter().any(is_developed);
        match pieces.count() {
            count if count <= ENDGAME_PIECES => Phase::Endgame,
            _ if is_over => Phase::Middlegame,
            _ => Phase::Opening,
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        }
    }
}
