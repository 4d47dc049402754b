//! What stands on a board: a legal position, or a board on which something is wrong.

use pyo3::PyErr;
use rules::{Bitboard, CastlingSide, Color, Move, Piece, Position, Role, Setup, Square};

use crate::errors::IllegalPositionError;
use crate::loose::Loose;
use crate::moves::PyMove;

/// What stands on a board.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// A position that can be played, by the fast rules.
    Legal {
        position: Position,
        /// The square that a pawn has just passed, whether or not it can be taken there, as python-chess tells it.
        passed: Option<Square>,
    },
    /// Anything else.
    Loose(Box<Loose>),
}

impl From<Position> for State {
    fn from(position: Position) -> State {
        State::Legal { position, passed: position.en_passant() }
    }
}

impl State {
    /// The state that a set-up describes.
    pub(crate) fn of(setup: Setup, chess960: bool) -> State {
        let loose = Loose { setup };
        let is_clean = loose.clean_castling(chess960) == loose.setup.castling
            && loose.valid_en_passant() == loose.setup.en_passant;
        match loose.setup.playable_position() {
            Ok(position) if is_clean => State::Legal { position, passed: loose.setup.en_passant },
            _ => State::Loose(Box::new(loose)),
        }
    }

    /// The same as a board that can be changed.
    pub(crate) fn setup(&self) -> Setup {
        match self {
            State::Legal { position, passed } => Setup { en_passant: *passed, ..position.setup() },
            State::Loose(loose) => loose.setup.clone(),
        }
    }

    pub(crate) fn loose(&self) -> Loose {
        Loose { setup: self.setup() }
    }

    /// The position, for what only knows legal ones.
    pub(crate) fn position(&self, chess960: bool) -> Result<Position, PyErr> {
        match self {
            State::Legal { position, .. } => Ok(*position),
            State::Loose(loose) => loose
                .position(chess960)
                .map_err(|problems| IllegalPositionError::new_err(format!("illegal position: {problems}"))),
        }
    }

    pub(crate) fn turn(&self) -> Color {
        match self {
            State::Legal { position, .. } => position.turn(),
            State::Loose(loose) => loose.setup.turn,
        }
    }

    pub(crate) fn piece_at(&self, square: Square) -> Option<Piece> {
        match self {
            State::Legal { position, .. } => position.piece_at(square),
            State::Loose(loose) => loose.setup.pieces[square.index()],
        }
    }

    pub(crate) fn role(&self, role: Role) -> Bitboard {
        match self {
            State::Legal { position, .. } => position.by_role(role),
            State::Loose(loose) => loose.role(role),
        }
    }

    pub(crate) fn color(&self, color: Color) -> Bitboard {
        match self {
            State::Legal { position, .. } => position.by_color(color),
            State::Loose(loose) => loose.color(color),
        }
    }

    pub(crate) fn pieces(&self, role: Role, color: Color) -> Bitboard {
        self.role(role) & self.color(color)
    }

    pub(crate) fn occupied(&self) -> Bitboard {
        self.color(Color::White) | self.color(Color::Black)
    }

    /// The king of a player who has just one.
    pub(crate) fn king(&self, color: Color) -> Option<Square> {
        match self {
            State::Legal { position, .. } => Some(position.king(color)),
            State::Loose(loose) => loose.king(color),
        }
    }

    pub(crate) fn attackers(&self, color: Color, square: Square) -> Bitboard {
        match self {
            State::Legal { position, .. } => position.attackers(square) & position.by_color(color),
            State::Loose(loose) => loose.attackers(color, square, loose.occupied()),
        }
    }

    /// The pieces that give check to a player.
    pub(crate) fn checkers(&self, color: Color) -> Bitboard {
        self.king(color).map_or(Bitboard::EMPTY, |king| self.attackers(!color, king))
    }

    /// The rights to castle as they were set.
    pub(crate) fn castling(&self) -> Bitboard {
        match self {
            State::Legal { position, .. } => position.castling_rights().rooks(),
            State::Loose(loose) => loose.setup.castling,
        }
    }

    /// The rights to castle that mean something.
    pub(crate) fn clean_castling(&self, chess960: bool) -> Bitboard {
        match self {
            State::Legal { position, .. } => position.castling_rights().rooks(),
            State::Loose(loose) => loose.clean_castling(chess960),
        }
    }

    /// The square that a pawn has just passed.
    pub(crate) fn passed(&self) -> Option<Square> {
        match self {
            State::Legal { passed, .. } => *passed,
            State::Loose(loose) => loose.setup.en_passant,
        }
    }

    pub(crate) fn halfmove_clock(&self) -> u16 {
        match self {
            State::Legal { position, .. } => position.halfmove_clock(),
            State::Loose(loose) => loose.setup.halfmove_clock,
        }
    }

    pub(crate) fn fullmove_number(&self) -> u16 {
        match self {
            State::Legal { position, .. } => position.fullmove_number(),
            State::Loose(loose) => loose.setup.fullmove_number,
        }
    }

    /// The legal moves from and to these squares. Castling goes to the rook.
    pub(crate) fn legal_moves(&self, chess960: bool, from_mask: Bitboard, to_mask: Bitboard) -> Vec<Move> {
        match self {
            State::Legal { position, .. } => {
                let is_wanted = |mv: &Move| from_mask.contains(mv.from()) && to_mask.contains(mv.to());
                position.legal_moves().into_iter().filter(is_wanted).collect()
            }
            State::Loose(loose) => loose.legal(chess960, from_mask, to_mask),
        }
    }

    pub(crate) fn has_legal_moves(&self, chess960: bool) -> bool {
        match self {
            State::Legal { position, .. } => position.has_legal_moves(),
            State::Loose(_) => !self.legal_moves(chess960, Bitboard::ALL, Bitboard::ALL).is_empty(),
        }
    }

    /// The move of the rules that two squares and a promotion spell here, legal or not. Castling has two spellings.
    fn spelled(&self, mv: PyMove) -> Option<Move> {
        let PyMove { from, to, promotion, .. } = mv;
        let piece = self.piece_at(from).filter(|piece| piece.color == self.turn() && from != to && !mv.is_drop())?;
        if let Some(role) = promotion {
            let is_possible = piece.role == Role::Pawn && Role::PROMOTIONS.contains(&role);
            return is_possible.then(|| Move::promotion(from, to, role));
        }
        match piece.role {
            Role::King => {
                if self.pieces(Role::Rook, piece.color).contains(to) {
                    return Some(Move::castle(from, to));
                }
                let is_leap = from.rank() == to.rank() && from.index().abs_diff(to.index()) > 1;
                let side = CastlingSide::of(from, to);
                if is_leap && side.king_file() == to.file() {
                    let rights = rules::CastlingRights::new(self.castling());
                    return rights.rook(piece.color, side, from).map(|rook| Move::castle(from, rook));
                }
                Some(Move::normal(from, to))
            }
            Role::Pawn if from.file() != to.file() && self.passed() == Some(to) => Some(Move::en_passant(from, to)),
            _ => Some(Move::normal(from, to)),
        }
    }

    /// The legal move that two squares and a promotion spell.
    #[inline]
    pub(crate) fn resolve(&self, mv: PyMove, chess960: bool) -> Option<Move> {
        let mv = self.spelled(mv)?;
        let is_legal = match self {
            State::Legal { position, .. } => position.is_legal(mv),
            State::Loose(loose) => is_among(loose, mv, chess960) && loose.is_safe(mv),
        };
        is_legal.then_some(mv)
    }

    /// The move that two squares and a promotion spell, if it is legal apart from the king's safety.
    pub(crate) fn resolve_pseudo_legal(&self, mv: PyMove, chess960: bool) -> Option<Move> {
        let mv = self.spelled(mv)?;
        is_among(&self.loose(), mv, chess960).then_some(mv)
    }

    /// The state after a legal move.
    #[inline]
    pub(crate) fn play(&self, mv: Move, chess960: bool) -> State {
        match self {
            State::Legal { position, .. } => State::Legal {
                position: position.play_unchecked(mv),
                passed: passed_by(mv, position.role_at(mv.from())),
            },
            State::Loose(loose) => State::of(loose.play(mv).setup, chess960),
        }
    }

    /// The state after the turn was passed, which cannot be done in check.
    pub(crate) fn pass(&self, chess960: bool) -> Option<State> {
        match self {
            State::Legal { position, .. } => Some(State::from(position.null_move()?)),
            State::Loose(loose) => Some(State::of(loose.pass().setup, chess960)),
        }
    }

    /// Whether two states are the same by the rules of repetition.
    pub(crate) fn repeats(&self, other: &State) -> bool {
        match (self, other) {
            (State::Legal { position, .. }, State::Legal { position: other, .. }) => position.is_repetition_of(other),
            (State::Loose(loose), State::Loose(other)) => {
                let (one, other) = (&loose.setup, &other.setup);
                one.pieces == other.pieces
                    && (one.turn, one.castling, one.en_passant) == (other.turn, other.castling, other.en_passant)
            }
            _ => false,
        }
    }
}

fn is_among(loose: &Loose, mv: Move, chess960: bool) -> bool {
    loose.pseudo_legal(chess960, mv.from().bitboard(), mv.to().bitboard()).contains(&mv)
}

/// The square that a pawn passes with a double step.
#[inline]
fn passed_by(mv: Move, role: Option<Role>) -> Option<Square> {
    let (from, to) = (mv.from().index(), mv.to().index());
    (role == Some(Role::Pawn) && from.abs_diff(to) == 16).then(|| Square::ALL[(from + to) / 2])
}
