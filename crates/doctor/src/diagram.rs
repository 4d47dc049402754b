//! A position as a program is told it, with the en-passant square that a [`Position`] would leave out.

use std::fmt;
use std::str::FromStr;

use rules::{FenError, Move, Position, Role, Setup, Square, attacks};

/// A legal position together with what its FEN says about en passant.
///
/// A [`Position`] drops an en-passant square on which no pawn may legally take. A doctor must not: whether a program
/// sees that taking there would expose its king is one of the things to find out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    setup: Setup,
    position: Position,
}

impl Diagram {
    /// The diagram of a set-up, if that is a legal position. Counters are of no concern to moves and start anew.
    pub fn new(mut setup: Setup) -> Option<Diagram> {
        setup.halfmove_clock = 0;
        setup.fullmove_number = 1;
        let position = setup.position().ok()?;
        Some(Diagram { setup, position })
    }

    /// The position, as the rules see it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The set-up, with the en-passant square as told.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The square that a pawn has just passed, whether or not another may take it.
    pub fn passed_square(&self) -> Option<Square> {
        self.setup.en_passant
    }

    /// The diagram after a legal move.
    pub fn after(&self, mv: Move) -> Diagram {
        let position = self.position.play_unchecked(mv);
        let mut setup = position.setup();
        setup.en_passant = passed_square(&self.position, mv).filter(|&square| {
            // As most programs do, the square is told only if a pawn stands ready to take.
            let ready = attacks::pawn(self.position.turn(), square) & position.pieces(Role::Pawn, position.turn());
            !ready.is_empty()
        });
        Diagram::new(setup).expect("a legal move leads to a legal position")
    }
}

/// The square that a double push passes.
pub(crate) fn passed_square(before: &Position, mv: Move) -> Option<Square> {
    let (from, to) = (mv.from(), mv.to());
    let is_double = before.role_at(from) == Some(Role::Pawn) && from.index().abs_diff(to.index()) == 16;
    if is_double { Square::from_index(from.index().midpoint(to.index())) } else { None }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.setup.fmt(f)
    }
}

impl FromStr for Diagram {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Diagram, FenError> {
        let setup: Setup = fen.parse()?;
        setup.position()?;
        Ok(Diagram::new(setup).expect("it was just found to be legal"))
    }
}
