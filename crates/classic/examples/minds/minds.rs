//! Four ways to choose a move: at random, a capture if there is one, by minimax, by alpha-beta.

use saavedra_classic::services::{Move, Services};

/// A mind: new run, act, end run. A run of these begins when they are made and ends when they are dropped.
pub(crate) enum Mind {
    /// Any legal move. The number is the state of its random numbers.
    Random(u64),
    /// Any capture, or any legal move if there is none.
    Capture(u64),
    /// Looks at every line, so many plies below each of its moves.
    Minimax(u32),
    /// Leaves out the lines that cannot matter.
    AlphaBeta(u32),
}

/// More than any evaluation. A mate is worth less the further away it is.
const MATE: i32 = 1_000_000;

impl Mind {
    /// The mind with this name, as deep as the document has it.
    pub(crate) fn named(name: &str) -> Option<Mind> {
        let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |time| time.as_nanos());
        Some(match name {
            "random" => Mind::Random(seed as u64),
            "capture" => Mind::Capture(seed as u64),
            "minimax" => Mind::Minimax(2),
            "alphabeta" => Mind::AlphaBeta(4),
            _ => return None,
        })
    }

    /// The move to play, if there is one.
    pub(crate) fn choose(&mut self, world: &mut Services) -> Option<Move> {
        let moves = world.legal_moves();
        match self {
            Mind::Random(state) => draw(state, &moves),
            Mind::Capture(state) => {
                let mut captures = world.pseudo_legal_captures();
                world.remove_illegal(&mut captures);
                draw(state, if captures.is_empty() { &moves } else { &captures })
            }
            Mind::Minimax(depth) => {
                let depth = *depth;
                best(world, &moves, |node, _| node.minimax(depth, 1))
            }
            Mind::AlphaBeta(depth) => {
                let depth = *depth;
                best(world, &moves, |node, most| node.alpha_beta(depth, 1, -2 * MATE, -most))
            }
        }
    }
}

/// One of the moves, by Marsaglia's xorshift.
fn draw(state: &mut u64, moves: &[Move]) -> Option<Move> {
    *state = (*state).max(1);
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    moves.get((*state % moves.len().max(1) as u64) as usize).copied()
}

/// The first of the best moves. The value of a move is told for the opponent, and the best so far is told to what looks
/// for it.
fn best(world: &mut Services, moves: &[Move], mut value: impl FnMut(&mut Node, i32) -> i32) -> Option<Move> {
    let (mut best, mut most) = (None, -2 * MATE);
    let mut node = Node { world, castled: 0 };
    for &mv in moves {
        let found = -node.after(mv, |node| value(node, most));
        if found > most {
            (best, most) = (Some(mv), found);
        }
    }
    best
}

/// A position of the tree.
struct Node<'a> {
    world: &'a mut Services,
    /// What castling on the way here is worth to White.
    castled: i32,
}

impl Node<'_> {
    /// Makes a legal move, looks, and takes the move back.
    fn after<T>(&mut self, mv: Move, look: impl FnOnce(&mut Node) -> T) -> T {
        let bonus = match self.world.piece(mv.from) {
            1 if mv.from.abs_diff(mv.to) == 2 => CASTLED,
            7 if mv.from.abs_diff(mv.to) == 2 => -CASTLED,
            _ => 0,
        };
        let undo = self.world.make_move(mv).expect("a legal move");
        self.castled += bonus;
        let seen = look(self);
        self.castled -= bonus;
        self.world.unmake_move(mv, undo).expect("the last move");
        seen
    }

    /// The position's value to the player to move, if there is no move: mate or stalemate.
    fn value_without_moves(&self, ply: i32) -> i32 {
        if self.world.in_check() { ply - MATE } else { 0 }
    }

    fn minimax(&mut self, depth: u32, ply: i32) -> i32 {
        if depth == 0 {
            return self.evaluate();
        }
        let moves = self.world.legal_moves();
        let values = moves.into_iter().map(|mv| -self.after(mv, |node| node.minimax(depth - 1, ply + 1)));
        values.max().unwrap_or_else(|| self.value_without_moves(ply))
    }

    fn alpha_beta(&mut self, depth: u32, ply: i32, mut alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            return self.evaluate();
        }
        // The services offer captures by themselves, and to try them first saves most of the tree.
        let mut moves = self.world.pseudo_legal_captures();
        let quiets = self.world.pseudo_legal_moves();
        let captures = moves.clone();
        moves.extend(quiets.into_iter().filter(|mv| !captures.contains(mv)));
        self.world.remove_illegal(&mut moves);
        if moves.is_empty() {
            return self.value_without_moves(ply);
        }
        for mv in moves {
            let value = -self.after(mv, |node| node.alpha_beta(depth - 1, ply + 1, -beta, -alpha));
            if value >= beta {
                return beta;
            }
            alpha = alpha.max(value);
        }
        alpha
    }

    /// Material, piece-square tables and castling, for the player to move.
    fn evaluate(&self) -> i32 {
        let white: i32 = (0..64).zip(self.world.pieces()).map(|(square, code)| worth(code, square)).sum();
        let white = white + self.castled;
        if self.world.white_to_move() { white } else { -white }
    }
}

/// What a piece on a square is worth to White.
fn worth(code: u8, square: usize) -> i32 {
    match code {
        0 => 0,
        // The tables are Black's, a1 first; White's have the ranks exchanged.
        1..=6 => MATERIAL[usize::from(code) - 1] + TABLES[usize::from(code) - 1][square ^ 56],
        _ => -MATERIAL[usize::from(code) - 7] - TABLES[usize::from(code) - 7][square],
    }
}

const CASTLED: i32 = 30;

/// King, queen, rook, bishop, knight, pawn: the order of the codes.
const MATERIAL: [i32; 6] = [0, 900, 500, 325, 320, 100];

/// The document's piece-square tables.
#[rustfmt::skip]
const TABLES: [[i32; 64]; 6] = [
    [
        -30, -40, -40, -50, -50, -40, -40, -30,
        -30, -40, -40, -50, -50, -40, -40, -30,
        -30, -40, -40, -50, -50, -40, -40, -30,
        -30, -40, -40, -50, -50, -40, -40, -30,
        -20, -30, -30, -40, -40, -30, -30, -20,
        -10, -20, -20, -20, -20, -20, -20, -10,
         20,  20,   0,   0,   0,   0,  20,  20,
         20,  30,  10,   0,   0,  10,  30,  20,
    ],
    [
        -20, -10, -10,  -5,  -5, -10, -10, -20,
        -10,   0,   0,   0,   0,   0,   0, -10,
        -10,   0,   5,   5,   5,   5,   0, -10,
         -5,   0,   5,   5,   5,   5,   0,  -5,
          0,   0,   5,   5,   5,   5,   0,  -5,
        -10,   5,   5,   5,   5,   5,   0, -10,
        -10,   0,   5,   0,   0,   0,   0, -10,
        -20, -10, -10,  -5,  -5, -10, -10, -20,
    ],
    [
          0,   0,   0,   0,   0,   0,   0,   0,
          5,  10,  10,  10,  10,  10,  10,   5,
         -5,   0,   0,   0,   0,   0,   0,  -5,
         -5,   0,   0,   0,   0,   0,   0,  -5,
         -5,   0,   0,   0,   0,   0,   0,  -5,
         -5,   0,   0,   0,   0,   0,   0,  -5,
         -5,   0,   0,   0,   0,   0,   0,  -5,
          0,   0,   0,   5,   5,   0,   0,   0,
    ],
    [
        -20, -10, -10, -10, -10, -10, -10, -20,
        -10,   0,   0,   0,   0,   0,   0, -10,
        -10,   0,   5,  10,  10,   5,   0, -10,
        -10,   5,   5,  10,  10,   5,   5, -10,
        -10,   0,  10,  10,  10,  10,   0, -10,
        -10,  10,  10,  10,  10,  10,  10, -10,
        -10,   5,   0,   0,   0,   0,   5, -10,
        -20, -10, -10, -10, -10, -10, -10, -20,
    ],
    [
        -50, -40, -30, -30, -30, -30, -40, -50,
        -40, -20,   0,   0,   0,   0, -20, -40,
        -30,   0,  10,  15,  15,  10,   0, -30,
        -30,   5,  15,  20,  20,  15,   5, -30,
        -30,   0,  15,  20,  20,  15,   0, -30,
        -30,   5,  10,  15,  15,  10,   5, -30,
        -40, -20,   0,   5,   5,   0, -20, -40,
        -50, -40, -30, -30, -30, -30, -40, -50,
    ],
    [
          0,   0,   0,   0,   0,   0,   0,   0,
         50,  50,  50,  50,  50,  50,  50,  50,
         10,  10,  20,  30,  30,  20,  10,  10,
          5,   5,  10,  25,  25,  10,   5,   5,
          0,   0,   0,  20,  20,   0,   0,   0,
          5,  -5, -10,   0,   0, -10,  -5,   5,
          5,  10,  10, -20, -20,  10,  10,   5,
          0,   0,   0,   0,   0,   0,   0,   0,
    ],
];
