//! What all boards have in common.

use std::fmt;
use std::ops::ControlFlow;

use rules::{Bitboard, Color, Counters, Setup, Square};

use crate::{BoardError, IllegalMove, PlayedKind, PlayedMove, StandardSetup, UciMove};

/// A board that knows the rules of chess by itself, and remembers the moves made on it.
///
/// Whatever the board looks like inside, all the rest follows from one question, [`visit_moves`](Board::visit_moves):
/// what are the boards one legal move further on?
///
/// ```
/// use saavedra_classic::{Board, mailbox::Mailbox};
///
/// let mut board = Mailbox::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
/// board.make("e1g1".parse()?)?;
/// assert_eq!(board.fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
/// board.unmake();
/// assert_eq!(board.perft(3), 1_197);
/// assert_eq!(
///     board.make("e1e3".parse()?).expect_err("kings do not jump").to_string(),
///     "e1e3 is not a legal move here"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Board: Clone + PartialEq + fmt::Debug {
    /// The board with this position on it, and no moves made.
    fn from_standard(start: &StandardSetup) -> Self;

    /// What stands where, and all that goes with it. The en-passant square is told as the board keeps it: some know
    /// one after every double push, some only where a pawn may use it.
    fn setup(&self) -> Setup;

    /// The player to move.
    fn turn(&self) -> Color;

    /// Where a player's king stands.
    fn king(&self, color: Color) -> Square;

    /// The pieces of `by` that attack a square.
    fn attackers(&self, square: Square, by: Color) -> Bitboard;

    /// A number that stands for the position: alike for positions that are the same, whatever their clocks say. Where
    /// a board has its own idea of when en passant makes a difference, its module says so.
    fn key(&self) -> u64;

    /// The move that was made last and not taken back.
    fn last_move(&self) -> Option<PlayedMove>;

    /// Makes a move if it is legal; if not, the board stays as it is.
    fn make(&mut self, mv: UciMove) -> Result<(), IllegalMove>;

    /// Takes the last move back and tells which it was; does nothing if there is none.
    fn unmake(&mut self) -> Option<UciMove>;

    /// Makes each legal move in turn, shows the board to `visit`, and takes the move back. The visitor leaves the
    /// board as it found it, and may end the tour, which is what the answer says.
    fn visit_moves(&mut self, visit: impl FnMut(&mut Self) -> ControlFlow<()>) -> ControlFlow<()>;

    /// The board with the position that a FEN describes.
    fn from_fen(fen: &str) -> Result<Self, BoardError> {
        Ok(Self::from_standard(&fen.parse()?))
    }

    /// The position as text.
    fn fen(&self) -> String {
        self.setup().to_string()
    }

    /// The pieces that give check to the player to move.
    fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn()), !self.turn())
    }

    /// Whether the player to move is in check. Boards that can tell so without finding every checker do so here.
    fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// All legal moves, sorted by squares and promotion so that lists can be compared.
    fn legal_moves(&mut self) -> Vec<UciMove> {
        let mut moves = Vec::new();
        let _ = self.visit_moves(|board| {
            moves.extend(board.last_move().map(|played| played.mv));
            ControlFlow::Continue(())
        });
        moves.sort_unstable();
        moves
    }

    /// How many legal moves there are. Boards that can count moves without making them do so here.
    fn legal_move_count(&mut self) -> u64 {
        let mut count = 0;
        let _ = self.visit_moves(|_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether there is any legal move. Boards that can stop at the first before they have generated the rest do so
    /// here.
    fn has_legal_move(&mut self) -> bool {
        self.visit_moves(|_| ControlFlow::Break(())).is_break()
    }

    /// How many leaves the tree of legal moves has at a depth.
    fn perft(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_move_count(),
            _ => {
                let mut count = 0;
                let _ = self.visit_moves(|board| {
                    count += board.perft(depth - 1);
                    ControlFlow::Continue(())
                });
                count
            }
        }
    }

    /// The leaf count below each legal move, sorted like [`legal_moves`](Board::legal_moves).
    fn divide(&mut self, depth: u32) -> Vec<(UciMove, u64)> {
        let mut counts = Vec::new();
        if depth > 0 {
            let _ = self.visit_moves(|board| {
                let count = board.perft(depth - 1);
                counts.extend(board.last_move().map(|played| (played.mv, count)));
                ControlFlow::Continue(())
            });
        }
        counts.sort_unstable();
        counts
    }

    /// What the moves to the leaves are: captures, checks, mates and so on, by the definitions of [`Counters`].
    fn counters(&mut self, depth: u32) -> Counters {
        let mut counters = Counters { nodes: u64::from(depth == 0), ..Counters::default() };
        if depth > 0 {
            let _ = self.visit_moves(|board| {
                board.count_below_last_move(depth, &mut counters);
                ControlFlow::Continue(())
            });
        }
        counters
    }

    /// Counts the tree below the move that was made last. With a depth of one, that move is the leaf.
    fn count_below_last_move(&mut self, depth: u32, counters: &mut Counters) {
        if depth == 1 {
            return count_leaf(self, counters);
        }
        let _ = self.visit_moves(|next| {
            next.count_below_last_move(depth - 1, counters);
            ControlFlow::Continue(())
        });
    }
}

/// Counts the move that led to this board.
fn count_leaf<B: Board>(board: &mut B, counters: &mut Counters) {
    let Some(played) = board.last_move() else { return };
    counters.nodes += 1;
    counters.captures += u64::from(played.captured.is_some());
    counters.en_passant += u64::from(played.kind == PlayedKind::EnPassant);
    counters.castles += u64::from(matches!(played.kind, PlayedKind::Castle(_)));
    counters.promotions += u64::from(played.mv.promotion.is_some());

    let is_check = board.is_check();
    if is_check {
        let checkers = board.checkers();
        counters.checks += 1;
        counters.discovered_checks += u64::from(!checkers.contains(played.checking_square()));
        counters.double_checks += u64::from(checkers.more_than_one());
    }
    if !board.has_legal_move() {
        counters.checkmates += u64::from(is_check);
        counters.stalemates += u64::from(!is_check);
    }
}
