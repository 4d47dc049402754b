//! Checks of the exercises about the mailbox.

use std::ops::ControlFlow;

use rules::Square;
use saavedra_classic::mailbox::{Cell, Content, Mailbox};
use saavedra_classic::{Board, PlayedMove};

use super::{Answers, Cases, walk};

/// The fields of a mailbox move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fields {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) captured: u32,
    pub(super) is_en_passant: bool,
    pub(super) is_pawn_start: bool,
    pub(super) promoted: u32,
    pub(super) is_castle: bool,
}

pub(super) fn cells<A: Answers>(cases: &mut Cases) {
    for square in Square::ALL {
        let answer = A::mailbox_cell(square.file() as u8, square.rank() as u8);
        cases.expect(|| square.to_string(), answer, Cell::of(square).index() as u8);
    }
}

pub(super) fn fields<A: Answers>(cases: &mut Cases) {
    walk(20, |board: &mut Mailbox, _| {
        board.generate();
        for mv in board.moves_of(board.ply()).unwrap_or_default() {
            let truth = Fields {
                from: mv.from().index() as u32,
                to: mv.to().index() as u32,
                captured: mv.captured().code().into(),
                is_en_passant: mv.is_en_passant(),
                is_pawn_start: mv.is_pawn_start(),
                promoted: mv.promoted().code().into(),
                is_castle: mv.is_castle(),
            };
            cases.expect(|| format!("move {:#x}", mv.bits()), A::mailbox_fields(mv.bits()), truth);
        }
    });
}

/// The list of the pieces that stand on a cell's square, as numbers of cells.
fn list_of(board: &Mailbox, content: Content) -> Vec<u8> {
    let cells = content.piece().map(|piece| board.squares_of(piece)).unwrap_or_default();
    cells.iter().map(|cell| cell.index() as u8).collect()
}

pub(super) fn lists<A: Answers>(cases: &mut Cases) {
    walk(40, |board: &mut Mailbox, mv| {
        let (cell, fen) = (Cell::of(mv.to), board.fen());
        let captured = board.content(cell);
        if captured == Content::EMPTY {
            return;
        }
        let before = list_of(board, captured);
        board.make(mv).expect("a legal move");
        let after = list_of(board, captured);
        board.unmake();
        let answer = A::piece_list_without(before.clone(), cell.index() as u8);
        cases.expect(|| format!("{mv} in {fen}: {before:?} without {}", cell.index()), answer, after);
    });
}

pub(super) fn permissions<A: Answers>(cases: &mut Cases) {
    walk(20, |board: &mut Mailbox, _| {
        let before = board.castling_permission();
        let _ = board.visit_moves(|next| {
            let Some(PlayedMove { mv, .. }) = next.last_move() else { return ControlFlow::Break(()) };
            let [from, to] = [mv.from, mv.to].map(|square| Cell::of(square).index() as u8);
            let answer = A::permission_after(before, from, to);
            cases.expect(|| format!("{mv} with {before:#06b}"), answer, next.castling_permission());
            ControlFlow::Continue(())
        });
    });
}
