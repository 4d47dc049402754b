//! Claims of forced mates, and how they are proven.

use rules::{Color, Move, Position, Rank, Role, attacks};

use crate::Variation;

/// A forced mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// In so many moves of the player who mates.
    pub moves: u32,
    /// Best play for both, to the mate on the board.
    pub line: Variation,
    /// How it is known.
    pub proof: Proof,
}

/// How a mate is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Every legal reply was tried.
    AllReplies,
    /// The search says so, and its line ends in mate.
    Search,
}

/// Positions that a proof may look at. A mate in two takes some thousands.
const PATIENCE: u32 = 200_000;

impl Mate {
    /// The mate at the end of a line that a search found for the player to move. None, if the line does not end in mate
    /// in so many moves: then there is nothing to show.
    pub fn at_the_end_of(line: Variation, moves: u32) -> Option<Mate> {
        let is_whole = line.end().is_checkmate() && line.moves().len() as u32 == 2 * moves - 1;
        let proof = |first| match prove(line.start(), first, moves, PATIENCE) {
            Some(true) => Proof::AllReplies,
            Some(false) | None => Proof::Search,
        };
        is_whole.then(|| line.first().map(proof)).flatten().map(|proof| Mate { moves, line, proof })
    }
}

impl Mate {
    /// Whether the king is mated on its own back rank by a rook or a queen on that rank, shut in by its own pieces.
    pub fn is_on_back_rank(&self) -> bool {
        let end = self.line.end();
        let (loser, king) = (end.turn(), end.king(end.turn()));
        let (back, front) = match loser {
            Color::White => (Rank::First, Rank::Second),
            Color::Black => (Rank::Eighth, Rank::Seventh),
        };
        let heavy = end.pieces(Role::Rook, !loser) | end.pieces(Role::Queen, !loser);
        let flights = attacks::of(Role::King, loser, king, end.occupied()) & front.squares();
        king.rank() == back
            && (end.checkers() & heavy).intersects(back.squares())
            && flights.intersects(end.by_color(loser))
    }
}

/// Whether a move mates in so many moves, whatever the replies, by trying them all. None, if that takes too long.
pub(crate) fn prove(position: &Position, first: Move, moves: u32, patience: u32) -> Option<bool> {
    // The fifty-move rule would have a say.
    if u32::from(position.halfmove_clock()) + 2 * moves >= 100 {
        return None;
    }
    Prover { left: patience }.mates_by(position, first, moves)
}

/// Tries everything, as long as there is patience left.
struct Prover {
    left: u32,
}

impl Prover {
    /// Whether the player to move mates in so many moves.
    fn mates(&mut self, position: &Position, moves: u32) -> Option<bool> {
        let all = position.legal_moves();
        // Checks are the likeliest; and the last move has to be one.
        let checks = all.iter().filter(|&&mv| position.gives_check(mv));
        let quiet = all.iter().filter(|&&mv| moves > 1 && !position.gives_check(mv));
        for &mv in checks.chain(quiet) {
            if self.mates_by(position, mv, moves)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether a move is the first of a mate in so many moves.
    fn mates_by(&mut self, position: &Position, mv: Move, moves: u32) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        let next = position.play_unchecked(mv);
        let replies = next.legal_moves();
        if replies.is_empty() {
            return Some(next.is_check());
        }
        if moves <= 1 || next.is_insufficient_material() {
            return Some(false);
        }
        for &reply in &replies {
            if !self.mates(&next.play_unchecked(reply), moves - 1)? {
                return Some(false);
            }
        }
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().expect("a legal position")
    }

    #[test]
    fn a_mate_in_two_is_proven_by_its_first_moves_and_by_no_others() {
        // Two rooks drive the king to the edge, by a check or by waiting for it in the corner.
        let position = position("8/7k/R7/1R6/8/8/8/4K3 w - - 0 1");
        let proven: Vec<String> = position
            .legal_moves()
            .iter()
            .filter(|&&mv| prove(&position, mv, 2, PATIENCE) == Some(true))
            .map(|&mv| position.san(mv))
            .collect();
        assert_eq!(proven, ["Rg5", "Rb7+"]);
        assert_eq!(prove(&position, position.parse_san("Rb7").expect("legal"), 1, PATIENCE), Some(false));
        assert_eq!(prove(&position, position.parse_san("Rb7").expect("legal"), 2, 3), None, "patience may end");
    }

    #[test]
    fn a_line_that_does_not_end_in_mate_shows_none() {
        let position = position("8/7k/R7/1R6/8/8/8/4K3 w - - 0 1");
        let line = |moves: &str| {
            let mut at = position;
            let moves: Vec<Move> = moves
                .split(' ')
                .map(|san| {
                    let mv = at.parse_san(san).expect("a legal move");
                    at = at.play(mv).expect("a legal move");
                    mv
                })
                .collect();
            Variation::new(position, moves)
        };
        assert_eq!(Mate::at_the_end_of(line("Rb7 Kg8"), 2), None);
        let mate = Mate::at_the_end_of(line("Rb7 Kg8 Ra8"), 2).expect("it is mate");
        assert_eq!(mate.proof, Proof::AllReplies);
    }
}
