//! The bitboard, as one witness among four.
//!
//! The product plays with [`rules::Position`], and this module only lets it take the stand beside the classic boards.
//! The idea of a bitboard is that a chess board has as many squares as a machine word has bits. A set of squares is one
//! number; "all pawns that can step ahead" is a shift and an *and* instead of a loop; and the squares a rook reaches
//! are looked up by the pattern of what stands in its way. Where the other boards ask a question square by square, the
//! bitboard asks it for all squares at once.
//!
//! Two more habits set it apart. Moves are generated legal at once, from the pieces that give check and the pieces that
//! are pinned, so that nothing has to be tried and taken back; and there is nothing to take back, because a position is
//! two cache lines and is simply copied. This adapter keeps the copies in a list, which gives it an
//! [`unmake`](Board::unmake) like the others'.
//!
//! A position knows an en-passant square only where some pawn may legally use it, and so does its
//! [key](Board::key): this is what the rules of repetition ask.

use std::ops::ControlFlow;

use rules::{Bitboard, CastlingSide, Color, Move, MoveKind, Perft, Position, Setup, Square};

use crate::{Board, Counters, IllegalMove, PlayedKind, PlayedMove, StandardSetup, UciMove};

/// A bitboard position with the moves that led to it.
#[derive(Clone, PartialEq, Debug)]
pub struct BitboardBoard {
    position: Position,
    /// The moves made, each with the position it was made in.
    history: Vec<(Position, Move)>,
}

impl BitboardBoard {
    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves made, each with the position it was made in.
    pub(crate) fn history(&self) -> &[(Position, Move)] {
        &self.history
    }

    fn push(&mut self, mv: Move) {
        self.history.push((self.position, mv));
        self.position = self.position.play_unchecked(mv);
    }
}

/// The side to which a castling move goes.
fn castling_side(mv: Move) -> Option<CastlingSide> {
    (mv.kind() == MoveKind::Castle).then(|| CastlingSide::of(mv.from(), mv.to()))
}

fn plain(mv: Move) -> UciMove {
    let to = castling_side(mv).map_or(mv.to(), |side| Square::new(side.king_file(), mv.from().rank()));
    UciMove { from: mv.from(), to, promotion: mv.promotion_role() }
}

impl Board for BitboardBoard {
    fn from_standard(start: &StandardSetup) -> BitboardBoard {
        let position = start.setup().position().expect("a standard set-up is a legal position");
        BitboardBoard { position, history: Vec::new() }
    }

    fn setup(&self) -> Setup {
        self.position.setup()
    }

    fn turn(&self) -> Color {
        self.position.turn()
    }

    fn king(&self, color: Color) -> Square {
        self.position.king(color)
    }

    fn attackers(&self, square: Square, by: Color) -> Bitboard {
        self.position.attackers(square) & self.position.by_color(by)
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn last_move(&self) -> Option<PlayedMove> {
        let &(before, mv) = self.history.last()?;
        let kind = match (mv.kind(), castling_side(mv)) {
            (_, Some(side)) => PlayedKind::Castle(side),
            (MoveKind::EnPassant, None) => PlayedKind::EnPassant,
            _ => PlayedKind::Ordinary,
        };
        Some(PlayedMove { mv: plain(mv), captured: before.captured(mv).map(|(role, _)| role), kind })
    }

    fn make(&mut self, mv: UciMove) -> Result<(), IllegalMove> {
        let legal = self.position.legal_moves().into_iter().find(|&legal| plain(legal) == mv);
        self.push(legal.ok_or(IllegalMove(mv))?);
        Ok(())
    }

    fn unmake(&mut self) -> Option<UciMove> {
        let (before, mv) = self.history.pop()?;
        self.position = before;
        Some(plain(mv))
    }

    fn visit_moves(&mut self, mut visit: impl FnMut(&mut Self) -> ControlFlow<()>) -> ControlFlow<()> {
        for mv in self.position.legal_moves() {
            self.push(mv);
            let flow = visit(self);
            self.unmake();
            flow?;
        }
        ControlFlow::Continue(())
    }

    fn legal_move_count(&mut self) -> u64 {
        self.position.legal_move_count() as u64
    }

    fn has_legal_move(&mut self) -> bool {
        self.position.has_legal_moves()
    }

    /// The rules crate has a perft of its own, which never lists the moves next to the leaves.
    fn perft(&mut self, depth: u32) -> u64 {
        Perft::new().count(&self.position, depth).expect("without a table there is always room for it")
    }

    fn counters(&mut self, depth: u32) -> Counters {
        Perft::new().counters(&self.position, depth).expect("without a table there is always room for it")
    }
}
