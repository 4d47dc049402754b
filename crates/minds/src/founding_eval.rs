//! The founding document's evaluation of a position by its [numbers](crate::founding).
//!
//! The document means to give the bonus to each player who has castled, but its code asks for castling *rights*, and in
//! a chain that gives it to one player at most. Here a player has the bonus from the move on which they castle. Who
//! castled before is read from the moves of the game; in a position that was set up, neither player has castled.

use rules::{CastlingSide, Color, Game, Move, MoveKind, Piece, Position, Role, Square};
use search::Score;

use crate::founding::{self, CASTLED};

/// What each piece on each square adds to White's balance.
static PARTS: [[i32; 64]; Piece::COUNT] = {
    let mut parts = [[0; 64]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT * 64 {
        let (piece, square) = (Piece::ALL[index / 64], Square::ALL[index % 64]);
        let value = founding::value(piece, square);
        parts[index / 64][index % 64] = if matches!(piece.color, Color::White) { value } else { -value };
        index += 1;
    }
    parts
};

fn part(piece: Piece, square: Square) -> i32 {
    PARTS[piece.index()][square as usize]
}

fn castled_part(color: Color) -> i32 {
    if color == Color::White { CASTLED } else { -CASTLED }
}

/// A position with its evaluation, which moves keep up to date.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EvaluatedPosition {
    pub(crate) position: Position,
    /// By how much White is better.
    balance: i32,
}

impl EvaluatedPosition {
    /// The last position of a game.
    pub(crate) fn of(game: &Game) -> EvaluatedPosition {
        let position = *game.position();
        let pieces = position.occupied().into_iter();
        let pieces = pieces.filter_map(|square| position.piece_at(square).map(|piece| part(piece, square)));
        let castled = game.moves().iter().zip(game.positions()).filter(|(mv, _)| mv.kind() == MoveKind::Castle);
        let castled = castled.map(|(_, before)| castled_part(before.turn()));
        EvaluatedPosition { position, balance: pieces.sum::<i32>() + castled.sum::<i32>() }
    }

    /// What the position is worth to the player to move.
    pub(crate) fn value(&self) -> Score {
        worth_to(self.position.turn(), self.balance)
    }

    /// What the position after a legal move is worth to the opponent, without setting it up.
    pub(crate) fn value_after(&self, mv: Move) -> Score {
        worth_to(!self.position.turn(), self.balance_after(mv))
    }

    /// The position after a legal move.
    pub(crate) fn after(&self, mv: Move) -> EvaluatedPosition {
        EvaluatedPosition { position: self.position.play_unchecked(mv), balance: self.balance_after(mv) }
    }

    fn balance_after(&self, mv: Move) -> i32 {
        let us = self.position.turn();
        let (from, to) = (mv.from(), mv.to());
        if mv.kind() == MoveKind::Castle {
            let side = CastlingSide::of(from, to);
            let goes = |role: Role, from: Square, to: Square| part(role.of(us), to) - part(role.of(us), from);
            return self.balance
                + goes(Role::King, from, Square::new(side.king_file(), from.rank()))
                + goes(Role::Rook, to, Square::new(side.rook_file(), to.rank()))
                + castled_part(us);
        }
        let before = self.position.role_at(from).unwrap_or(Role::Pawn);
        let after = mv.promotion_role().unwrap_or(before);
        let taken = self.position.captured(mv).map_or(0, |(role, square)| part(role.of(!us), square));
        self.balance + part(after.of(us), to) - part(before.of(us), from) - taken
    }
}

fn worth_to(color: Color, balance: i32) -> Score {
    Score::new(if color == Color::White { balance } else { -balance })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game_of(start: &str, moves: &str) -> Game {
        let mut game = Game::new(start.parse().expect("a legal position"));
        for san in moves.split_whitespace() {
            let mv = game.position().parse_san(san).expect("a legal move");
            game.play(mv).expect("a legal move");
        }
        game
    }

    #[test]
    fn a_balance_kept_by_moves_is_the_one_counted_afresh() {
        testkit::random_walks(11, 60, testkit::Variants::All, |position| {
            let game = Game::new(*position);
            let standing = EvaluatedPosition::of(&game);
            for mv in position.legal_moves() {
                let mut next = game.clone();
                next.play(mv).expect("a legal move");
                let counted = EvaluatedPosition::of(&next);
                assert_eq!(standing.after(mv).value(), counted.value(), "{mv:?} in {position}");
                assert_eq!(standing.value_after(mv), counted.value(), "{mv:?} in {position}");
            }
        });
    }

    #[test]
    fn each_player_who_castled_has_thirty_more_and_keeps_them() {
        let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let by_castling = game_of(start, "O-O Ke7 Kg2");
        // The same position, set up: it does not tell how the king got there.
        let bare = Game::new(*by_castling.position());
        assert_eq!(EvaluatedPosition::of(&by_castling).value() - EvaluatedPosition::of(&bare).value(), -CASTLED);
        let both = game_of(start, "O-O O-O-O");
        let neither = Game::new(*both.position());
        assert_eq!(EvaluatedPosition::of(&both).value(), EvaluatedPosition::of(&neither).value());
    }
}
