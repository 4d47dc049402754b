//! The reader of the tables is pyrrhic-rs; this is how it sees our board.

use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TableBases, WdlProbeResult};
use rules::{Bitboard, Color, Move, Position, Role, Square, attacks};
use search::TablebaseResult;

/// Our tables of attacks, for the reader's own move generator.
#[derive(Clone)]
pub(crate) struct Attacks;

/// The reader numbers squares as we do.
fn square(index: u64) -> Square {
    Square::ALL[index as usize % 64]
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        attacks::pawn(color, square(from)).0
    }

    fn knight_attacks(from: u64) -> u64 {
        attacks::knight(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        attacks::bishop(square(from), Bitboard(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        attacks::rook(square(from), Bitboard(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        attacks::queen(square(from), Bitboard(occupied)).0
    }

    fn king_attacks(from: u64) -> u64 {
        attacks::king(square(from)).0
    }
}

/// The result of a position that is known to be in the tables.
pub(crate) fn result(tables: &TableBases<Attacks>, position: &Position) -> Option<TablebaseResult> {
    let role = |role| position.by_role(role).0;
    let probe = tables.probe_wdl(
        position.by_color(Color::White).0,
        position.by_color(Color::Black).0,
        role(Role::King),
        role(Role::Queen),
        role(Role::Rook),
        role(Role::Bishop),
        role(Role::Knight),
        role(Role::Pawn),
        en_passant(position),
        position.turn() == Color::White,
    );
    Some(match probe.ok()? {
        WdlProbeResult::Loss => TablebaseResult::Loss,
        WdlProbeResult::BlessedLoss => TablebaseResult::BlessedLoss,
        WdlProbeResult::Draw => TablebaseResult::Draw,
        WdlProbeResult::CursedWin => TablebaseResult::CursedWin,
        WdlProbeResult::Win => TablebaseResult::Win,
    })
}

/// Each legal move with the number of plies until a capture, a pawn move or mate, this move included: positive if the
/// player to move wins, negative if he loses, none at all in a draw. Not to be called by two threads at once.
pub(crate) fn distances(tables: &TableBases<Attacks>, position: &Position) -> Option<Vec<(Move, Option<i32>)>> {
    let role = |role| position.by_role(role).0;
    // The counter is ours to reckon with: the reader wants it for its summary only, and has eight bits for it.
    let halfmove_clock = 0;
    let probe = tables.probe_root(
        position.by_color(Color::White).0,
        position.by_color(Color::Black).0,
        role(Role::King),
        role(Role::Queen),
        role(Role::Rook),
        role(Role::Bishop),
        role(Role::Knight),
        role(Role::Pawn),
        halfmove_clock,
        en_passant(position),
        position.turn() == Color::White,
    );
    let probe = probe.ok()?;
    let legal = position.legal_moves();
    let mut found = Vec::with_capacity(legal.len());
    for value in &probe.moves[..probe.num_moves] {
        let DtzProbeValue::DtzResult(told) = value else { return None };
        let promotion = match told.promotion {
            pyrrhic_rs::Piece::Queen => Some(Role::Queen),
            pyrrhic_rs::Piece::Rook => Some(Role::Rook),
            pyrrhic_rs::Piece::Bishop => Some(Role::Bishop),
            pyrrhic_rs::Piece::Knight => Some(Role::Knight),
            pyrrhic_rs::Piece::Pawn | pyrrhic_rs::Piece::King => None,
        };
        let (from, to) = (square(told.from_square.into()), square(told.to_square.into()));
        let is_told = |mv: &&Move| mv.from() == from && mv.to() == to && mv.promotion_role() == promotion;
        let mv = *legal.iter().find(is_told)?;
        let plies = i32::from(told.dtz);
        found.push((
            mv,
            match told.wdl {
                WdlProbeResult::Draw => None,
                WdlProbeResult::Win | WdlProbeResult::CursedWin => Some(plies),
                WdlProbeResult::Loss | WdlProbeResult::BlessedLoss => Some(-plies),
            },
        ));
    }
    (found.len() == legal.len()).then_some(found)
}

/// The reader's word for "none" is a1, where no pawn can capture.
fn en_passant(position: &Position) -> u32 {
    position.en_passant().map_or(0, |square| square.index() as u32)
}
