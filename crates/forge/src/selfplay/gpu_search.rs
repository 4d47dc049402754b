//! The GPU searches the positions of many games of the host at once, one move of each at a time.
//!
//! It is the kernel of self-play that thinks, stopped after its first record: what was proved of one holds for the
//! other. Before that the host sets up the board, and what the search wants to know of the moves before.

use rules::{Game, Move, Position};

use super::games::{Capacity, GpuGames, GpuPlayer, Kernels};
use super::layout::{GameState, KEYS, NO_PIECE_TO, king_steps_to};
use super::tables::tables;
use super::{Conditions, Record, Stored};
use crate::{Gpu, GpuError};

/// What a search has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FoundMove {
    /// The best move.
    pub mv: Move,
    /// What it is worth to its player, in centipawns.
    pub score: i32,
    /// How many positions were looked at.
    pub nodes: u64,
    /// The last depth that was searched to its end.
    pub depth: u32,
}

/// Searches many games at once, one at each board.
pub trait GameSearcher {
    /// Finds a move for each board that shows a game, and remembers what it learnt for the board's next move.
    fn think(&mut self, games: &[Option<&Game>]) -> Result<Vec<Option<FoundMove>>, GpuError>;

    /// A new game begins at a board: forgets what was learnt there.
    fn forget(&mut self, board: usize) -> Result<(), GpuError>;
}

/// A search of many games on the GPU, a warp to each board.
pub struct GpuSearch {
    gpu_games: GpuGames,
    boards: Boards,
}

impl GpuSearch {
    /// Sets up so many boards for a player.
    pub fn new(gpu: &Gpu, player: GpuPlayer, boards: usize) -> Result<GpuSearch, GpuError> {
        let kernels = Kernels::of([player.network.architecture()]);
        GpuSearch::with_kernels(gpu, kernels, player, boards)
    }

    /// With kernels that the player may not need, but can play with.
    pub(super) fn with_kernels(
        gpu: &Gpu,
        kernels: Kernels,
        player: GpuPlayer,
        boards: usize,
    ) -> Result<GpuSearch, GpuError> {
        let mut gpu_games =
            GpuGames::with_kernels(gpu, kernels, &[player], Conditions::default(), Boards::room(boards))?;
        gpu_games.begin(Conditions::default().seed)?;
        Ok(GpuSearch { gpu_games, boards: Boards::new(boards) })
    }
}

impl GameSearcher for GpuSearch {
    fn think(&mut self, games: &[Option<&Game>]) -> Result<Vec<Option<FoundMove>>, GpuError> {
        self.boards.write(games)?;
        self.gpu_games.set_up(&self.boards.states, &self.boards.keys)?;
        self.gpu_games.play(1, usize::MAX >> 32)?;
        self.boards.states = self.gpu_games.states()?;
        self.boards.read(games, &self.gpu_games.all_records()?)
    }

    fn forget(&mut self, board: usize) -> Result<(), GpuError> {
        self.gpu_games.forget(board)
    }
}

/// What goes to the warps and comes back, in the memory of the host.
pub(super) struct Boards {
    tables: Vec<u64>,
    pub(super) states: Vec<GameState>,
    /// The keys of the last positions of each game, by ply.
    pub(super) keys: Vec<u64>,
}

impl Boards {
    /// The room that warps need to think about one move each.
    pub(super) fn room(boards: usize) -> Capacity {
        Capacity { warps: Some(boards), records: 1, ..Capacity::default() }
    }

    pub(super) fn new(boards: usize) -> Boards {
        Boards { tables: tables(), states: vec![GameState::default(); boards], keys: vec![0; boards * KEYS] }
    }

    /// Writes down which games are to be thought about.
    pub(super) fn write(&mut self, games: &[Option<&Game>]) -> Result<(), GpuError> {
        assert_eq!(games.len(), self.states.len(), "there is a place for every board");
        for (board, game) in games.iter().enumerate() {
            let age = self.states[board].age;
            // A warp that has a record already does not think.
            self.states[board] = GameState { records: 1, age, ..GameState::default() };
            if let Some(game) = game {
                self.states[board] = self.asked(board, game, age)?;
            }
        }
        Ok(())
    }

    /// The state of a warp that is to think about a game. Its keys go into their places.
    fn asked(&mut self, board: usize, game: &Game, age: u32) -> Result<GameState, GpuError> {
        let ply = game.moves().len();
        let tables = &self.tables;
        let stored = |position: &Position| match Stored::new(position) {
            Some(stored) => Ok(stored.with_key(tables)),
            None => Err(GpuError::NotChess(position.to_string())),
        };
        // No earlier position can come again.
        let reach = usize::from(game.position().halfmove_clock()).min(ply).min(KEYS - 1);
        for past in ply - reach..=ply {
            self.keys[board * KEYS + past % KEYS] = stored(&game.positions()[past])?.key;
        }
        let piece_to = |plies_ago: usize| {
            let index = ply.checked_sub(plies_ago)?;
            piece_to_of(&game.positions()[index], game.moves()[index])
        };
        let [last, own_last] = [1, 2].map(|plies_ago| piece_to(plies_ago).unwrap_or(NO_PIECE_TO as u32));
        Ok(GameState {
            position: stored(game.position())?,
            is_going: 1,
            ply: ply as u32,
            // No opening is to be thrown away because it is decided.
            opening_plies: u32::MAX,
            last,
            own_last,
            age,
            ..GameState::default()
        })
    }

    /// What the warps have found, by their states and records.
    pub(super) fn read(&self, games: &[Option<&Game>], records: &[Record]) -> Result<Vec<Option<FoundMove>>, GpuError> {
        let read = |((game, state), record): ((&Option<&Game>, &GameState), &Record)| {
            let Some(game) = game else { return Ok(None) };
            let mv = record.best_move(game.position()).filter(|_| state.searches == 1);
            let mv = mv.ok_or_else(|| GpuError::NoMove(game.position().to_string()))?;
            let score = i32::from(record.sample().score());
            Ok(Some(FoundMove { mv, score, nodes: u64::from(record.nodes()), depth: state.depths as u32 }))
        };
        games.iter().zip(&self.states).zip(records).map(read).collect()
    }
}

/// Which man a move lets arrive where, as the histories know it.
fn piece_to_of(position: &Position, mv: Move) -> Option<u32> {
    let man = position.piece_at(mv.from())?;
    Some(((man.color as u32 * 6) + man.role as u32) * 64 + king_steps_to(mv) as u32)
}
