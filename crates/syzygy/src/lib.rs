#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod folder;
mod material;
mod reader;

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyrrhic_rs::TableBases;
use rules::{Move, Position};
use search::{RankedMove, Tablebase, TablebaseResult};

pub use folder::OpenError;

/// The search, whose trait the tables implement.
pub use search;

use folder::{Inventory, Known};
use material::Material;
use reader::Attacks;

/// An open set of tables. Clones share it.
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

struct Tables {
    reader: TableBases<Attacks>,
    inventory: Inventory,
    /// The reader looks up distances for one caller at a time.
    distances: Mutex<()>,
    /// Set once the reader has panicked: a table is damaged, and nothing it says counts any more.
    is_broken: AtomicBool,
}

/// The one set of tables a process can have. It stays here when it is not used, until another takes its place.
static OPEN: Mutex<Option<Syzygy>> = Mutex::new(None);

/// The plies after which the fifty-move rule ends a game.
const FIFTY_MOVES: i32 = 100;

impl Syzygy {
    /// Opens the tables in one or several folders, separated as the platform separates paths.
    ///
    /// If the same folders are already open, they are shared. Others must have been dropped everywhere.
    pub fn open(path: &str) -> Result<Syzygy, OpenError> {
        let inventory = Inventory::take(path)?;
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(current) = open.as_mut() {
            if current.0.inventory == inventory {
                return Ok(current.clone());
            }
            if Arc::get_mut(&mut current.0).is_none() {
                return Err(OpenError::InUse(current.0.inventory.path()));
            }
        }
        // The old tables are closed before the new ones are opened.
        *open = None;
        // The reader separates folders by colons everywhere.
        let reader = TableBases::new(inventory.folders.join(":")).map_err(|_| OpenError::Refused(path.to_owned()))?;
        let tables = Tables { reader, inventory, distances: Mutex::new(()), is_broken: AtomicBool::new(false) };
        let syzygy = Syzygy(Arc::new(tables));
        *open = Some(syzygy.clone());
        Ok(syzygy)
    }

    /// How many tables of results can be used.
    pub fn tables(&self) -> usize {
        self.0.inventory.tables()
    }

    /// What is known about the material of a position, if all of it can be looked up.
    fn known(&self, position: &Position) -> Option<Known> {
        let may_be_known = position.castling_rights().rooks().is_empty()
            && position.occupied().count() as usize <= self.0.inventory.most_pieces;
        if !may_be_known || self.0.is_broken.load(Ordering::Relaxed) {
            return None;
        }
        self.0.inventory.known(Material::of(position))
    }

    /// Asks the reader, and survives its assertions.
    fn ask<T>(&self, question: impl FnOnce(&TableBases<Attacks>) -> Option<T>) -> Option<T> {
        let answer = panic::catch_unwind(AssertUnwindSafe(|| question(&self.0.reader)));
        answer.unwrap_or_else(|_| {
            self.0.is_broken.store(true, Ordering::Relaxed);
            None
        })
    }

    /// The moves ranked by distances.
    fn rank_by_distance(&self, position: &Position, respects_fifty_moves: bool) -> Option<Vec<RankedMove>> {
        let distances = {
            let _one_at_a_time = self.0.distances.lock().unwrap_or_else(PoisonError::into_inner);
            self.ask(|reader| reader::distances(reader, position))?
        };
        let clock = if respects_fifty_moves { i32::from(position.halfmove_clock()) } else { 0 };
        let is_too_long = |plies: i32| respects_fifty_moves && plies.abs() + clock > FIFTY_MOVES;
        let ranked = distances.into_iter().map(|(mv, plies)| {
            let result = match plies {
                None => TablebaseResult::Draw,
                Some(plies) if plies > 0 && is_too_long(plies) => TablebaseResult::CursedWin,
                Some(plies) if plies > 0 => TablebaseResult::Win,
                Some(plies) if is_too_long(plies) => TablebaseResult::BlessedLoss,
                Some(_) => TablebaseResult::Loss,
            };
            // Winners hurry; losers, whose plies are negative, play for time.
            RankedMove { mv, result, rank: base_rank(result) - plies.unwrap_or(0) }
        });
        Some(ranked.collect())
    }

    /// The moves ranked by results alone: which win is the faster one is not known, but mates, captures and pawn moves
    /// cannot be mere shuffling.
    fn rank_by_result(&self, position: &Position, respects_fifty_moves: bool) -> Option<Vec<RankedMove>> {
        let rank = |mv: Move| {
            let next = position.play_unchecked(mv);
            let (result, progress) = if next.is_checkmate() {
                (TablebaseResult::Win, 2)
            } else {
                (flip(self.result(&next)?, respects_fifty_moves), i32::from(next.halfmove_clock() == 0))
            };
            let progress = if result > TablebaseResult::Draw { progress } else { 0 };
            Some(RankedMove { mv, result, rank: base_rank(result) + progress })
        };
        position.legal_moves().into_iter().map(rank).collect()
    }
}

impl Tablebase for Syzygy {
    fn most_pieces(&self) -> usize {
        self.0.inventory.most_pieces
    }

    fn result(&self, position: &Position) -> Option<TablebaseResult> {
        self.known(position)?;
        self.ask(|reader| reader::result(reader, position))
    }

    fn rank_moves(&self, position: &Position, respects_fifty_moves: bool) -> Option<Vec<RankedMove>> {
        let known = self.known(position)?;
        let by_distance = known.has_distances.then(|| self.rank_by_distance(position, respects_fifty_moves)).flatten();
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

/// The result for the other player.
fn flip(result: TablebaseResult, respects_fifty_moves: bool) -> TablebaseResult {
    match result {
        TablebaseResult::Loss => TablebaseResult::Win,
        TablebaseResult::BlessedLoss if respects_fifty_moves => TablebaseResult::CursedWin,
        TablebaseResult::BlessedLoss => TablebaseResult::Win,
        TablebaseResult::Draw => TablebaseResult::Draw,
        TablebaseResult::CursedWin if respects_fifty_moves => TablebaseResult::BlessedLoss,
        TablebaseResult::CursedWin => TablebaseResult::Loss,
        TablebaseResult::Win => TablebaseResult::Loss,
    }
}
