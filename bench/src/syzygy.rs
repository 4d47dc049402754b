//! Tablebases beside pyrrhic-rs, a port of Fathom: the same answers, and how long they take.

use std::path::Path;

use ::syzygy::Syzygy;
use anyhow::{Context, Result};
use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TableBases, WdlProbeResult};
use rules::{Bitboard, Color, Position, Rank, Role, Setup, Square, attacks};
use search::{Tablebase, TablebaseResult};

/// Our tables of attacks, for their move generator.
#[derive(Clone)]
pub struct Attacks;

/// They number squares as we do.
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

/// Their tables. A process can have one set of them.
pub struct Theirs(TableBases<Attacks>);

impl Theirs {
    /// Opens the tables of a folder.
    pub fn open(folder: &str) -> Result<Theirs> {
        TableBases::new(folder).ok().map(Theirs).context("pyrrhic-rs does not open the tables")
    }

    /// The result of a position.
    pub fn result(&self, position: &Position) -> Option<TablebaseResult> {
        let role = |role| position.by_role(role).0;
        let probe = self.0.probe_wdl(
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

    /// The distance of a position, and each move in UCI notation with the distance it leads to. A position without
    /// legal moves has neither.
    pub fn distances(&self, position: &Position) -> Option<(i32, Vec<(String, i32)>)> {
        let role = |role| position.by_role(role).0;
        let probe = self.0.probe_root(
            position.by_color(Color::White).0,
            position.by_color(Color::Black).0,
            role(Role::King),
            role(Role::Queen),
            role(Role::Rook),
            role(Role::Bishop),
            role(Role::Knight),
            role(Role::Pawn),
            0,
            en_passant(position),
            position.turn() == Color::White,
        );
        let probe = probe.ok()?;
        let signed = |told: &pyrrhic_rs::DtzResult| match told.wdl {
            WdlProbeResult::Draw => 0,
            WdlProbeResult::Win | WdlProbeResult::CursedWin => i32::from(told.dtz),
            WdlProbeResult::Loss | WdlProbeResult::BlessedLoss => -i32::from(told.dtz),
        };
        let DtzProbeValue::DtzResult(root) = &probe.root else { return None };
        let mut moves = Vec::new();
        for value in &probe.moves[..probe.num_moves] {
            let DtzProbeValue::DtzResult(told) = value else { return None };
            let promotion = match told.promotion {
                pyrrhic_rs::Piece::Queen => "q",
                pyrrhic_rs::Piece::Rook => "r",
                pyrrhic_rs::Piece::Bishop => "b",
                pyrrhic_rs::Piece::Knight => "n",
                pyrrhic_rs::Piece::Pawn | pyrrhic_rs::Piece::King => "",
            };
            let squares = [told.from_square, told.to_square].map(|index| square(index.into()).to_string());
            moves.push((format!("{}{}{promotion}", squares[0], squares[1]), signed(told)));
        }
        moves.sort();
        Some((signed(root), moves))
    }
}

/// Their word for "none" is a1, where no pawn can capture.
fn en_passant(position: &Position) -> u32 {
    position.en_passant().map_or(0, |square| square.index() as u32)
}

/// The names of all tables of results in a folder.
pub fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        names.extend(stem.filter(|_| path.extension().is_some_and(|extension| extension == "rtbw")).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

/// Shows every legal position with the pieces of a table, apart from mirror images, with both players to move and every
/// capture en passant that is possible. Of as many as `every` says, one is shown.
pub fn positions(name: &str, every: usize, visit: &mut dyn FnMut(&Position)) {
    let mut color = Color::Black;
    let mut pieces = Vec::new();
    for letter in name.chars() {
        match Role::ALL.into_iter().find(|role| role.upper_letter() == letter) {
            Some(role) => {
                color = if role == Role::King { !color } else { color };
                pieces.push(role.of(color));
            }
            None => continue,
        }
    }
    let has_pawns = pieces.iter().any(|piece| piece.role == Role::Pawn);
    // The first king stays in a quarter of the board, or in its left half if there are pawns.
    let kings_squares = Square::ALL.iter().copied().filter(|square| {
        let (file, rank) = (square.file().index(), square.rank().index());
        file < 4 && (has_pawns || rank <= file)
    });
    let mut count = 0;
    for king in kings_squares {
        let mut setup = Setup::empty();
        setup.pieces[king.index()] = Some(pieces[0]);
        place(&mut setup, &pieces[1..], &mut |setup| {
            count += 1;
            if count % every == 0 {
                for turn in Color::ALL {
                    setup.turn = turn;
                    show(setup, visit);
                }
            }
        });
    }
}

fn place(setup: &mut Setup, pieces: &[rules::Piece], visit: &mut dyn FnMut(&mut Setup)) {
    let Some((&piece, rest)) = pieces.split_first() else { return visit(setup) };
    for square in Square::ALL {
        let is_possible = piece.role != Role::Pawn || !matches!(square.rank(), Rank::First | Rank::Eighth);
        if is_possible && setup.pieces[square.index()].is_none() {
            setup.pieces[square.index()] = Some(piece);
            place(setup, rest, visit);
            setup.pieces[square.index()] = None;
        }
    }
}

/// The position, and once more for each capture en passant.
fn show(setup: &mut Setup, visit: &mut dyn FnMut(&Position)) {
    let Ok(position) = setup.position() else { return };
    visit(&position);
    let us = setup.turn;
    if position.pieces(Role::Pawn, us).is_empty() || position.pieces(Role::Pawn, !us).is_empty() {
        return;
    }
    for target in us.relative(Rank::Sixth).squares() {
        setup.en_passant = Some(target);
        // Where no pawn may take, the square is not kept.
        if let Ok(position) = setup.position()
            && position.en_passant().is_some()
        {
            visit(&position);
        }
    }
    setup.en_passant = None;
}

/// Whether a double push may be answered by taking en passant, now or after a king's move. pyrrhic-rs 0.2.0 looks for
/// the pawn that takes on the wrong side of the square that was passed, so that its distances are wrong here;
/// python-chess agrees with ours.
pub fn may_allow_en_passant(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| {
        let starts = position.pieces(Role::Pawn, color) & color.relative(Rank::Second).squares();
        let passed = starts.into_iter().filter_map(|from| from.offset(0, if color == Color::White { 1 } else { -1 }));
        passed.into_iter().any(|square| attacks::pawn(color, square).intersects(position.pieces(Role::Pawn, !color)))
    })
}

/// Compares the distance of a position and of each move.
pub fn same_distances(ours: &Syzygy, theirs: &Theirs, position: &Position) -> bool {
    let Some((distance, moves)) = theirs.distances(position) else {
        return position.legal_moves().is_empty();
    };
    // Without the rule and with the counter at zero, ranks tell distances.
    let Some(ranked) = ours.rank_moves(position, false) else { return false };
    let mut found: Vec<(String, i32)> = ranked
        .iter()
        .map(|ranked| {
            let base = match ranked.result {
                TablebaseResult::Win => 20_000,
                TablebaseResult::Loss => -20_000,
                _ => 0,
            };
            (position.uci(ranked.mv), base - ranked.rank)
        })
        .collect();
    found.sort();
    found == moves && ours.distance(position) == Some(distance)
}
