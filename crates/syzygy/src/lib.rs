#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]
#![cfg_attr(not(feature = "mmap"), forbid(unsafe_code))]

mod checksum;
mod cursor;
mod distances;
mod error;
mod folder;
mod layout;
#[cfg(feature = "mmap")]
#[allow(unsafe_code, reason = "mapping a file into memory")]
mod mapping;
mod material;
mod numbering;
mod pairs;
mod probe;
mod symbols;
mod table;
mod table_bytes;
mod tables;

use std::path::Path;
use std::sync::Arc;

use rules::{Move, Position};
use search::{RankedMove, Tablebase, TablebaseResult};

pub use checksum::checksum;
pub use error::{Damage, DamagedTable, OpenError, Part};

/// The search, whose trait the tables implement.
pub use search;

use probe::flipped;
use table_bytes::TableBytes;
use tables::{TableFile, Tables};

/// An open set of tables. Clones share it; other sets may be open at the same time.
///
/// ```no_run
/// use saavedra_syzygy::Syzygy;
/// use saavedra_syzygy::search::{Tablebase, TablebaseResult};
///
/// let tables = Syzygy::open("/tables/syzygy")?;
/// let position = "8/8/8/8/8/4k3/8/4K2R w - - 0 1".parse()?;
/// assert_eq!(tables.result(&position), Some(TablebaseResult::Win));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Syzygy(Arc<Tables>);

/// The plies after which the fifty-move rule ends a game.
const FIFTY_MOVES: i32 = 100;

impl Syzygy {
    /// Opens the tables in one or several folders, separated as the platform separates paths.
    ///
    /// Files are mapped into memory, and must not be changed while they are open.
    pub fn open(path: &str) -> Result<Syzygy, OpenError> {
        Syzygy::of_files(folder::files(path)?, path)
    }

    /// Tables from memory, each with the name of its file, such as `KQvK.rtbw`. Other names are passed over.
    ///
    /// This is how tables are read where there are no files.
    pub fn from_buffers(
        buffers: impl IntoIterator<Item = (impl AsRef<str>, impl Into<Arc<[u8]>>)>,
    ) -> Result<Syzygy, OpenError> {
        let mut files = Vec::new();
        for (name, bytes) in buffers {
            let path = Path::new(name.as_ref());
            if let Some((material, kind)) = folder::named(path) {
                files.push(TableFile::new(path, material, kind, TableBytes::Buffer(bytes.into()))?);
            }
        }
        Syzygy::of_files(files, "memory")
    }

    fn of_files(files: Vec<TableFile>, from: &str) -> Result<Syzygy, OpenError> {
        let tables = Tables::new(files);
        if tables.is_empty() {
            return Err(OpenError::NoTables(from.to_owned()));
        }
        Ok(Syzygy(Arc::new(tables)))
    }

    /// How many tables of results can be used.
    pub fn tables(&self) -> usize {
        self.0.count()
    }

    /// Reads all tables whole, compares each with its checksum, and tells which are damaged.
    ///
    /// Files of up to a mebibyte were already compared when they were opened. For larger ones this takes about as long
    /// as reading them does.
    pub fn verify(&self) -> Vec<DamagedTable> {
        self.0.verify()
    }

    /// The plies until a capture, a pawn move or mate if both players play best: positive if the player to move wins,
    /// negative if he loses, zero in a draw. Beyond 100 the fifty-move rule makes it a draw.
    ///
    /// Some tables count moves, not plies: the distance may be one ply longer than the truth.
    pub fn distance(&self, position: &Position) -> Option<i32> {
        if self.0.may_know(position) { self.0.distance(position) } else { None }
    }

    /// The moves ranked by distances.
    fn rank_by_distance(&self, position: &Position, respects_fifty_moves: bool) -> Option<Vec<RankedMove>> {
        let clock = if respects_fifty_moves { i32::from(position.halfmove_clock()) } else { 0 };
        let is_too_long = |plies: i32| respects_fifty_moves && plies.abs() + clock > FIFTY_MOVES;
        let rank = |mv: Move| {
            let plies = self.0.distance_after(position, mv)?;
            let result = match plies {
                0 => TablebaseResult::Draw,
                1.. if is_too_long(plies) => TablebaseResult::CursedWin,
                1.. => TablebaseResult::Win,
                _ if is_too_long(plies) => TablebaseResult::BlessedLoss,
                _ => TablebaseResult::Loss,
            };
            // Winners hurry; losers, whose plies are negative, play for time.
            Some(RankedMove { mv, result, rank: base_rank(result) - plies })
        };
        position.legal_moves().into_iter().map(rank).collect()
    }

    /// The moves ranked by results alone: which win is the faster one is not known, but mates, captures and pawn moves
    /// cannot be mere shuffling.
    fn rank_by_result(&self, position: &Position, respects_fifty_moves: bool) -> Option<Vec<RankedMove>> {
        let rank = |mv: Move| {
            let next = position.play_unchecked(mv);
            let (result, progress) = if next.is_checkmate() {
                (TablebaseResult::Win, 2)
            } else {
                let result = without_fifty_moves(flipped(self.result(&next)?), respects_fifty_moves);
                (result, i32::from(next.halfmove_clock() == 0))
            };
            let progress = if result > TablebaseResult::Draw { progress } else { 0 };
            Some(RankedMove { mv, result, rank: base_rank(result) + progress })
        };
        position.legal_moves().into_iter().map(rank).collect()
    }
}

impl Tablebase for Syzygy {
    fn most_pieces(&self) -> usize {
        self.0.most_pieces
    }

    fn result(&self, position: &Position) -> Option<TablebaseResult> {
        if self.0.may_know(position) { self.0.result(position) } else { None }
    }

    fn rank_moves(&self, position: &Position, respects_fifty_moves: bool) -> Option<Vec<RankedMove>> {
        if !self.0.may_know(position) {
            return None;
        }
        let by_distance = self.rank_by_distance(position, respects_fifty_moves);
        let mut moves = by_distance.or_else(|| self.rank_by_result(position, respects_fifty_moves))?;
        moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
        Some(moves)
    }
}

/// Where the ranks of a result begin. No distance is as long as the steps between them.
fn base_rank(result: TablebaseResult) -> i32 {
    match result {
        TablebaseResult::Loss => -20_000,
        TablebaseResult::BlessedLoss => -10_000,
        TablebaseResult::Draw => 0,
        TablebaseResult::CursedWin => 10_000,
        TablebaseResult::Win => 20_000,
    }
}

/// Counts a win that the fifty-move rule spoils as a win, if the rule is not respected.
fn without_fifty_moves(result: TablebaseResult, respects_fifty_moves: bool) -> TablebaseResult {
    match result {
        TablebaseResult::CursedWin if !respects_fifty_moves => TablebaseResult::Win,
        TablebaseResult::BlessedLoss if !respects_fifty_moves => TablebaseResult::Loss,
        result => result,
    }
}
