//! Who attacks a cell: the rays and jumps are followed backwards, from the cell to the pieces.

use rules::{Bitboard, Color, Role};

use super::Mailbox;
use super::cells::{ALL_STEPS, Cell, Content, DIAGONAL_STEPS, KNIGHT_STEPS, STRAIGHT_STEPS, forward};

impl Mailbox {
    /// Whether a player attacks a cell.
    #[inline]
    pub(super) fn is_attacked(&self, cell: Cell, by: Color) -> bool {
        let back = -forward(by);
        let holds = |offset: i8, role: Role| self.cells[cell.step(offset).index()] == Content::of(role.of(by));
        holds(back - 1, Role::Pawn)
            || holds(back + 1, Role::Pawn)
            || KNIGHT_STEPS.into_iter().any(|step| holds(step, Role::Knight))
            || ALL_STEPS.into_iter().any(|step| holds(step, Role::King))
            || self.is_attacked_along(cell, by, STRAIGHT_STEPS, Role::Rook)
            || self.is_attacked_along(cell, by, DIAGONAL_STEPS, Role::Bishop)
    }

    #[inline]
    fn is_attacked_along(&self, cell: Cell, by: Color, steps: [i8; 4], slider: Role) -> bool {
        let (slider, queen) = (Content::of(slider.of(by)), Content::of(Role::Queen.of(by)));
        steps.into_iter().any(|step| {
            let (_, first) = self.first_on_ray(cell, step);
            first == slider || first == queen
        })
    }

    /// The first cell on a ray that is not empty, and what it holds: a piece or the rim.
    #[inline]
    fn first_on_ray(&self, cell: Cell, step: i8) -> (Cell, Content) {
        let mut cell = cell.step(step);
        while self.cells[cell.index()] == Content::EMPTY {
            cell = cell.step(step);
        }
        (cell, self.cells[cell.index()])
    }

    /// All pieces of a player that attack a cell.
    pub(super) fn attackers_of(&self, cell: Cell, by: Color) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        let mut add = |cell: Cell, roles: &[Role]| {
            let piece = self.cells[cell.index()].piece();
            if piece.is_some_and(|piece| piece.color == by && roles.contains(&piece.role)) {
                found = found.with(cell.inner_square());
            }
        };
        for side in [-1, 1] {
            add(cell.step(side - forward(by)), &[Role::Pawn]);
        }
        for step in KNIGHT_STEPS {
            add(cell.step(step), &[Role::Knight]);
        }
        for step in ALL_STEPS {
            add(cell.step(step), &[Role::King]);
        }
        for step in STRAIGHT_STEPS {
            add(self.first_on_ray(cell, step).0, &[Role::Rook, Role::Queen]);
        }
        for step in DIAGONAL_STEPS {
            add(self.first_on_ray(cell, step).0, &[Role::Bishop, Role::Queen]);
        }
        found
    }
}
