//! What host and kernels of self-play tell each other. The kernels' `layout.cuh` is written from here.

use cudarc::driver::ValidAsZeroBits;
use rules::{Bitboard, Color, Move, MoveKind, Piece, Position, Role, Setup, Square};
use train::{Filter, Sample};

use super::SearchParameters;
use super::tables::{KEY_NUMBERS, REDUCTION_DEPTHS, REDUCTION_MOVES, TABLE_WORDS};
use crate::shared::{constants, device_structs};

/// How many lanes a warp has, and so how many men a board.
pub(super) const LANES: usize = 32;

/// How many warps a block has: as many as its shared memory has room for, since they have one copy of the lines.
pub(super) const WARPS: usize = 8;

/// How many earlier positions of a game are remembered.
pub(super) const KEYS: usize = 1024;

/// How many moves all lists of a line have room for.
pub(super) const LIST_ROOM: usize = 640;

/// The longest line that is searched.
pub(super) const MAX_PLY: usize = 32;

/// How many positions a player remembers.
pub(super) const TABLE_ENTRIES: usize = 1 << 14;

/// No move, as the histories know it.
pub(super) const NO_PIECE_TO: usize = 768;

/// The size of what a player remembers: the table, the histories, the errors of the evaluation.
pub(super) const PLAYER_TABLES_BYTES: usize =
    16 * TABLE_ENTRIES + 2 * (2 * 4096 + (NO_PIECE_TO + 1) * NO_PIECE_TO + 3 * 2 * 1024);

/// In the state of a record, above the bits of the position: the player was in check, the best move was a capture or a
/// promotion, the game has come to an end.
const IN_CHECK: u32 = 1 << 24;
const TACTICAL: u32 = 1 << 25;
const FINISHED: u32 = 1 << 26;

/// The squares of the rooks that may castle, by the bit of their right.
const CASTLING_ROOKS: [Square; 4] = [Square::H1, Square::A1, Square::H8, Square::A8];

/// No square to take en passant on.
const NO_SQUARE: u32 = 64;

/// What is special about a move: promotions count from this on, knights first.
const PROMOTION: u32 = 4;

device_structs! {
    /// A position as the kernels keep it: a man for each lane, the kings in lanes 0 and 16.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) struct Stored = "Stored" {
        men: [u16; LANES],
        white: u64,
        black: u64,
        pub(super) key: u64,
        state: u32,
        padding: u32,
    }
}

impl Stored {
    /// The position for the kernels. None if they cannot play it: castling by the rules of Chess960, or more than
    /// sixteen men of a colour.
    pub(crate) fn new(position: &Position) -> Option<Stored> {
        let mut men = [0; LANES];
        let mut next = [1, 17];
        for square in position.occupied() {
            let Piece { color, role } = position.piece_at(square)?;
            let side = color as usize;
            let lane = if role == Role::King { 16 * side } else { next[side] };
            next[side] += usize::from(role != Role::King);
            if lane >= 16 * (side + 1) {
                return None;
            }
            men[lane] = (role as u16 + 1) << 6 | square.index() as u16;
        }
        let rooks = position.castling_rights().rooks();
        let castling: u32 = (0..4).map(|bit| u32::from(rooks.contains(CASTLING_ROOKS[bit as usize])) << bit).sum();
        let kings = [(Color::White, Square::E1, 3), (Color::Black, Square::E8, 12)];
        let is_standard = castling.count_ones() == rooks.count()
            && kings.into_iter().all(|(color, home, rights)| castling & rights == 0 || position.king(color) == home);
        let passed = position.en_passant().map_or(NO_SQUARE, |square| square.index() as u32);
        let clock = u32::from(position.halfmove_clock()).min(255);
        is_standard.then_some(Stored {
            men,
            white: position.by_color(Color::White).0,
            black: position.by_color(Color::Black).0,
            key: 0,
            state: position.turn() as u32 | castling << 1 | passed << 5 | clock << 12,
            padding: 0,
        })
    }

    /// The same with its key: what `key_of` in `chess.cuh` computes from the same tables.
    pub(super) fn with_key(self, tables: &[u64]) -> Stored {
        let numbers = &tables[KEY_NUMBERS..];
        let (castling, passed) = (self.state >> 1 & 15, self.state >> 5 & 127);
        let men =
            (0..LANES).filter(|&lane| self.men[lane] != 0).map(|lane| 512 * (lane / 16) + usize::from(self.men[lane]));
        let state = [2 * 8 * 64 + castling as usize, 2 * 8 * 64 + 16 + passed as usize];
        let turn = (self.state & 1 == 1).then_some(2 * 8 * 64 + 16 + 65);
        let key = men.chain(state).chain(turn).fold(0, |key, place| key ^ numbers[place]);
        Stored { key, ..self }
    }
}

device_structs! {
    /// A position of a game with what its player thought.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Record = "Record" {
        /// The board as the player to move sees it, score and result.
        sample: [u64; Sample::WORDS],
        /// The best move; its high half is how many plies the game has lasted.
        move_and_ply: u32,
        /// As the position has it, and what was noted.
        state: u32,
        nodes: u32,
        game: u32,
    }
}

impl Record {
    /// All that it says, for a checksum.
    pub(super) fn words(&self) -> [u64; 6] {
        let [a, b, c, d] = self.sample;
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        [a, b, c, d, pair(self.move_and_ply, self.state), pair(self.nodes, self.game)]
    }

    /// The position as a sample, with score and result.
    pub fn sample(&self) -> Sample {
        Sample::from_words(self.sample)
    }

    /// How many plies the game had lasted, random ones included.
    pub fn ply(&self) -> u32 {
        self.move_and_ply >> 16
    }

    /// How many positions were looked at.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Which game of its warp it belongs to.
    pub fn game(&self) -> u32 {
        self.game
    }

    /// Whether the player was in check.
    pub fn is_check(&self) -> bool {
        self.state & IN_CHECK != 0
    }

    /// Whether the best move was a capture or a promotion.
    pub fn is_tactical(&self) -> bool {
        self.state & TACTICAL != 0
    }

    /// Whether the game has come to an end.
    pub fn is_finished(&self) -> bool {
        self.state & FINISHED != 0
    }

    /// The position, unless the record is damaged.
    pub fn position(&self) -> Option<Position> {
        let turn = if self.state & 1 == 0 { Color::White } else { Color::Black };
        let mut pieces = [None; 64];
        for (piece, square) in self.sample().pieces() {
            let owner = if piece.color == Color::White { turn } else { !turn };
            pieces[square.relative_to(turn).index()] = Some(piece.role.of(owner));
        }
        let castling = (0..4).filter(|bit| self.state >> (1 + bit) & 1 == 1);
        let passed = self.state >> 5 & 127;
        let setup = Setup {
            pieces,
            turn,
            castling: castling.map(|bit| CASTLING_ROOKS[bit as usize].bitboard()).fold(Bitboard::EMPTY, |a, b| a | b),
            en_passant: Square::ALL.get(passed as usize).copied(),
            halfmove_clock: (self.state >> 12 & 255) as u16,
            fullmove_number: (self.ply() / 2 + 1) as u16,
        };
        setup.position().ok()
    }

    /// The best move in its position, unless it is not legal there.
    pub fn best_move(&self, position: &Position) -> Option<Move> {
        move_of(self.move_and_ply & 0xffff, position)
    }
}

/// The legal move that the kernels write as these bits.
pub(super) fn move_of(bits: u32, position: &Position) -> Option<Move> {
    let (from, to, special) = (bits & 63, bits >> 6 & 63, bits >> 12);
    let promotion = (special >= PROMOTION).then(|| Role::ALL[(special - PROMOTION) as usize % 4 + 1]);
    position.legal_moves().into_iter().find(|mv| {
        mv.from().index() as u32 == from && king_steps_to(*mv) as u32 == to && mv.promotion_role() == promotion
    })
}

/// Where a man ends up: a king that castles goes two files, and not onto its rook as our moves say.
pub(super) fn king_steps_to(mv: Move) -> usize {
    let (from, to) = (mv.from().index(), mv.to().index());
    match mv.kind() {
        MoveKind::Castle if to > from => from + 2,
        MoveKind::Castle => from - 2,
        _ => to,
    }
}

device_structs! {
    /// What decides the games, beside the players.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Conditions = "Conditions" {
        /// What all random moves follow from.
        pub seed: u64,
        /// How many moves are random; half of the games get one more.
        pub random_plies: u32,
        /// A random move that loses so many centipawns or more by exchange is not played.
        pub random_loss: i32,
        /// The most centipawns either player may be ahead after the random moves. Otherwise they are drawn anew.
        pub most_lead: i32,
        /// A win: so many centipawns or more.
        pub win_score: i32,
        /// A win: for so many plies in a row.
        pub win_plies: u32,
        /// A draw: so many centipawns or fewer.
        pub draw_score: i32,
        /// A draw: for so many plies in a row.
        pub draw_plies: u32,
        /// A draw: not before so many plies.
        pub draw_from: u32,
        /// A game of so many plies is a draw.
        pub longest: u32,
        /// Two players with tables of their own, which play every opening from both sides: one, otherwise zero.
        pub(super) is_match: u32,
    }
}

impl Default for Conditions {
    fn default() -> Conditions {
        Conditions {
            seed: 1,
            random_plies: 8,
            random_loss: 1000,
            most_lead: 1000,
            win_score: 1500,
            win_plies: 4,
            draw_score: 8,
            draw_plies: 10,
            draw_from: 70,
            longest: 400,
            is_match: 0,
        }
    }
}

device_structs! {
    /// A network in the memory of the GPU: addresses, and what its numbers mean.
    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct NetworkArgument = "Network" {
        /// For every feature of every king bucket 32 vectors for each chunk, and the biases.
        pub(super) rows: u64 = "const uint4*",
        /// For each output bucket the weights of the own layer, then of the other, a byte each; or a head.
        pub(super) outputs: u64 = "const uint2*",
        pub(super) output_biases: u64 = "const int*",
        /// How White and Black see the board, by the square of their king.
        pub(super) views: u64 = "const u32*",
        /// The output bucket by the number of men.
        pub(super) output_by_men: u64 = "const u8*",
        pub(super) chunks: u32,
        /// How many rows of features there are.
        pub(super) inputs: u32,
        /// Whether neurons are multiplied in pairs, and `outputs` are heads.
        pub(super) is_pairwise: u32,
        pub(super) padding: u32,
    }

    /// A player.
    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct PlayerArgument = "Player" {
        pub(super) network: NetworkArgument,
        pub(super) parameters: SearchParameters,
        /// For tactical and for quiet moves, by depth and number, in 1024ths of a ply.
        pub(super) reductions: u64 = "const s16*",
    }

    /// A game that goes on from launch to launch, and may be interrupted between two moves.
    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct GameState = "Game" {
        pub(super) position: Stored,
        pub(super) random: u64,
        pub(super) is_going: u32,
        pub(super) ply: u32,
        pub(super) opening_plies: u32,
        /// The number of the game, counted by its warp.
        pub(super) number: u32,
        /// The last move, as the histories know it.
        pub(super) last: u32,
        /// The move before.
        pub(super) own_last: u32,
        /// For how many plies White, Black and neither have seemed to win: a byte each.
        pub(super) streaks: u32,
        pub(super) first_record: u32,
        pub(super) records: u32,
        pub(super) age: u32,
        pub(super) nodes: u64,
        pub(super) depths: u64,
        pub(super) searches: u64,
        /// Of finished games, for the first player in a match, for White in self-play.
        pub(super) results: [u32; 3],
        pub(super) padding: u32,
    }

    /// All that the kernel `play` is told.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Parameters = "Parameters" {
        pub(super) tables: u64 = "const Tables*",
        pub(super) start: u64 = "const Stored*",
        pub(super) games: u64 = "Game*",
        /// One for each warp, two in a match.
        pub(super) player_tables: u64 = "PlayerTables*",
        pub(super) keys: u64 = "u64*",
        pub(super) lists: u64 = "u32*",
        pub(super) layers: u64 = "uint4*",
        /// `record_room` for each warp.
        pub(super) records: u64 = "Record*",
        /// Of the games of a match: `outcome_room` for each warp.
        pub(super) outcomes: u64 = "u8*",
        pub(super) log: u64 = "Visit*",
        pub(super) warps: u32,
        pub(super) record_room: u32,
        pub(super) outcome_room: u32,
        pub(super) log_room: u32,
        /// Vectors for each warp.
        pub(super) layer_room: u32,
        /// Play until there are so many records, ...
        pub(super) until_records: u32,
        /// ... or so many games are finished.
        pub(super) until_games: u32,
        pub(super) padding: u32,
        pub(super) players: [PlayerArgument; 2],
        pub(super) conditions: Conditions,
    }

    /// A node in the log, by which the GPU proves that it searches as the emulation does.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) struct Visit = "Visit" {
        key: u64,
        /// Evaluation and alpha.
        values: u32,
        /// Beta and depth.
        limits: u32,
        /// The ply and the move that led there.
        ply: u32,
        /// How many moves wait to be looked at.
        list: u32,
    }

    /// Which records are samples to learn from.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) struct GatherRules = "GatherRules" {
        /// The first ply of a game that counts.
        first_ply: u32,
        /// The largest score either way.
        most_score: i32,
        /// Records with any of these bits in their state are left out.
        left_out: u32,
        /// One of so many games is kept for validation; none if it is zero.
        validation_every: u32,
        /// Whether those for validation are asked for, or the others.
        is_validation: u32,
    }
}

impl GatherRules {
    /// The rules of a filter, for games of the validation or for the others.
    pub(super) fn new(filter: &Filter, validation_every: u32, is_validation: bool) -> GatherRules {
        let checks = if filter.keeps_checks { 0 } else { IN_CHECK };
        let tactics = if filter.keeps_tactics { 0 } else { TACTICAL };
        GatherRules {
            first_ply: u32::try_from(filter.opening).unwrap_or(u32::MAX),
            most_score: filter.most_score.into(),
            left_out: checks | tactics,
            validation_every,
            is_validation: is_validation.into(),
        }
    }
}

impl Visit {
    /// All that it says, for a checksum.
    pub(super) fn words(&self) -> [u64; 3] {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        [self.key, pair(self.values, self.limits), pair(self.ply, self.list)]
    }
}

/// What takes the place of `layout.cuh` in the kernels of self-play.
pub(super) fn layout() -> String {
    let signed = [
        ("LANES", LANES),
        ("WARPS", WARPS),
        ("MAX_PLY", MAX_PLY),
        ("TABLE_ENTRIES", TABLE_ENTRIES),
        ("REDUCTION_DEPTHS", REDUCTION_DEPTHS),
        ("REDUCTION_MOVES", REDUCTION_MOVES),
        ("PLAYER_TABLES_BYTES", PLAYER_TABLES_BYTES),
        ("TABLES_BYTES", 8 * TABLE_WORDS),
    ];
    let unsigned = [
        ("KEYS", KEYS),
        ("LIST_ROOM", LIST_ROOM),
        ("NO_PIECE_TO", NO_PIECE_TO),
        ("RECORD_IN_CHECK", IN_CHECK as usize),
        ("RECORD_TACTICAL", TACTICAL as usize),
        ("RECORD_FINISHED", FINISHED as usize),
    ];
    let structs = [
        Stored::declaration(),
        Record::declaration(),
        Conditions::declaration(),
        GameState::declaration(),
        Visit::declaration(),
        NetworkArgument::declaration(),
        SearchParameters::declaration(),
        PlayerArgument::declaration(),
        GatherRules::declaration(),
        Parameters::declaration(),
    ];
    constants(&signed, "") + &constants(&unsigned, "u") + "struct Tables;\nstruct PlayerTables;\n" + &structs.concat()
}

// SAFETY: plain numbers, for which any bits are a value.
unsafe impl ValidAsZeroBits for GameState {}
// SAFETY: as above.
unsafe impl ValidAsZeroBits for Record {}
// SAFETY: as above.
unsafe impl ValidAsZeroBits for Visit {}
