//! Samples whose truth is known: random games with a score made of material and squares. They test a trainer, or the
//! speed of one, where no games are at hand.

use random::Random;
use rules::{Position, Role, Square};

use crate::{Sample, Wdl};

/// Shows positions of random games, as many as asked for.
pub fn walk(seed: u64, count: usize, mut visit: impl FnMut(&Position)) {
    let mut random = Random::numbered(seed, 0x0073_616d_706c_6573);
    let mut shown = 0;
    while shown < count {
        let mut position = Position::initial();
        let length = 20 + random.below(120);
        for ply in 0..length {
            let Some(mv) = random.choose(&position.legal_moves()) else { break };
            position = position.play_unchecked(mv);
            if ply >= 8 && shown < count {
                visit(&position);
                shown += 1;
            }
        }
    }
}

/// Positions of random games with a score that a network can learn, and a result drawn from that score.
pub fn samples(seed: u64, count: usize) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(count);
    let mut random = Random::numbered(seed, 0x0065_6e64_696e_6773);
    walk(seed, count, |position| samples.push(sample(position, &mut random)));
    samples
}

fn sample(position: &Position, random: &mut Random) -> Sample {
    let score = score(position);
    let expected = f64::from(crate::model::sigmoid(f32::from(score) / crate::model::SCALE));
    let wdl = match random.fraction() {
        part if part < expected - 0.1 => Wdl::Win,
        part if part < expected + 0.1 => Wdl::Draw,
        _ => Wdl::Loss,
    };
    Sample::new(position, score, wdl)
}

/// Material and a reward for pieces in the centre and pawns ahead, for the player to move.
pub fn score(position: &Position) -> i16 {
    let us = position.turn();
    let mut score = 0;
    for square in position.occupied() {
        if let (Some(role), Some(color)) = (position.role_at(square), position.color_at(square)) {
            let worth = worth(role, square.relative_to(color));
            score += if color == us { worth } else { -worth };
        }
    }
    score
}

fn worth(role: Role, square: Square) -> i16 {
    let from_centre = |index: usize| (2 * index as i16 - 7).abs() / 2;
    let [file, rank] = [square.file().index(), square.rank().index()];
    let central = 6 - from_centre(file) - from_centre(rank);
    match role {
        Role::Pawn => 100 + 8 * (rank as i16 - 1),
        Role::Knight => 300 + 8 * central,
        Role::Bishop => 310 + 5 * central,
        Role::Rook => 500 + 2 * central,
        Role::Queen => 900 + 3 * central,
        Role::King => -6 * central,
    }
}
