//! What the tablebases promise, in one program, because linking is what takes long.

mod damage;
mod endgames;

use rules::{Color, Position, Role, Setup, Square};
use testkit::Random;

/// Positions with these pieces on random squares, the first player to move or not.
fn random_positions(seed: u64, pieces: &[(Color, Role)], count: usize) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut setup = Setup::empty();
        for &(color, role) in pieces {
            setup.pieces[random.pick(&Square::ALL).index()] = Some(role.of(color));
        }
        setup.turn = *random.pick(&Color::ALL);
        let position = setup.position().ok();
        found.extend(position.filter(|position| position.occupied().count() as usize == pieces.len()));
    }
    found
}
