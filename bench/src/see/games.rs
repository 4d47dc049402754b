//! Games that look like games: quick, sensible and different each time, from a seed.
//!
//! A random walk leaves pieces hanging everywhere, and its exchanges look like those of no real game. These players
//! develop, castle, take what is free and do not give pieces away, with enough noise that no two games are alike.

use rules::see::{SeeContext, Values, swap};
use rules::{Color, Game, Move, MoveKind, Position, Role, Square};
use testkit::Random;

/// Openings are played at random for this many moves, so that games differ.
const RANDOM_PLIES: usize = 6;

/// A game is given up after this many moves.
const LONGEST: usize = 200;

/// Choices worth this much less than the best may still be made.
const NOISE: usize = 70;

/// The positions of one game, the first moves left out.
pub fn positions(seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut game = Game::default();
    for _ in 0..RANDOM_PLIES {
        let moves = game.position().legal_moves();
        if game.outcome().is_none() {
            game.play(moves[random.below(moves.len())]).expect("legal moves can be played");
        }
    }
    let game = play_on(game, &mut random);
    game.positions()[RANDOM_PLIES.min(game.moves().len())..].to_vec()
}

/// Plays a game to its end, or until it is given up.
pub fn play_on(mut game: Game, random: &mut Random) -> Game {
    while game.outcome().is_none() && game.moves().len() < LONGEST {
        let position = game.position();
        let moves = position.legal_moves();
        let scored = moves.iter().map(|&mv| (judge(position, mv) + random.below(NOISE) as i32, mv));
        let chosen = scored.max_by_key(|&(score, _)| score).expect("the game is not over").1;
        game.play(chosen).expect("legal moves can be played");
    }
    game
}

/// What a move seems worth: what it takes, less the best that the opponent can take then, and a sense of place.
fn judge(position: &Position, mv: Move) -> i32 {
    let values = Values::default();
    let next = position.play_unchecked(mv);
    if !next.has_legal_moves() {
        return if next.is_check() { 10_000 } else { -500 };
    }
    let taken = position.captured(mv).map_or(0, |(role, _)| values.of(role));
    let promoted = mv.promotion_role().map_or(0, |role| values.promotion(role));
    let context = SeeContext::new(&next);
    let lost = next.captures().iter().map(|&reply| swap::value(&context, reply, &values)).max().unwrap_or(0).max(0);
    taken + promoted - lost + place(position, mv)
}

/// A few centipawns for what people are told to do.
fn place(position: &Position, mv: Move) -> i32 {
    if mv.kind() == MoveKind::Castle {
        return 80;
    }
    let Some(role) = position.role_at(mv.from()) else { return 0 };
    let us = position.turn();
    let ahead = |square: Square| square.relative_to(us).rank().index() as i32;
    let centre = |square: Square| {
        let off = |line: usize| (2 * line as i32 - 7).abs();
        14 - off(square.file().index()) - off(square.rank().index())
    };
    let better = |measure: &dyn Fn(Square) -> i32| measure(mv.to()) - measure(mv.from());
    let is_ending = position.occupied().count() <= 12;
    match role {
        Role::Pawn if is_ending => 25 * better(&ahead),
        Role::Pawn => 3 * better(&ahead) + 4 * better(&centre),
        Role::Knight | Role::Bishop => 4 * better(&centre) + if ahead(mv.from()) == 0 { 20 } else { 0 },
        Role::Rook | Role::Queen => better(&centre) + check_bonus(position, mv),
        Role::King if is_ending => 4 * better(&centre),
        Role::King => -30,
    }
}

fn check_bonus(position: &Position, mv: Move) -> i32 {
    if position.gives_check(mv) && position.turn() == Color::White { 10 } else { 0 }
}
