//! Playing worse on purpose, the way people do: less foresight, moves that are overlooked, judgement that errs.
//!
//! A weak player looks at fewer positions, does not see every move, and misjudges what it sees by some amount. All
//! three shrink as the rating grows, along one table. What even beginners know is kept: a mate in one or two that was
//! seen is played, and a won endgame is won, because nothing feels less human than an opponent who cannot mate with a
//! rook.

use std::ops::RangeInclusive;

use random::Random;
use rules::{Position, Role};

use crate::{
    Answer, Bound, Control, Evaluator, Limits, Line, Options, Reporter, Request, SearchStats, Searcher, UciScore,
};

/// How well to play, in rating points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    elo: u32,
}

/// What a rating comes to.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Level {
    elo: u32,
    /// Positions to look at.
    nodes: f64,
    /// Plies to look ahead.
    depth: f64,
    /// Moves to choose from.
    candidates: f64,
    /// By how many centipawns a judgement errs, as a standard deviation.
    error: f64,
    /// How likely a move is overlooked.
    blindness: f64,
}

/// From a rating to what it comes to; between two rows, what lies between.
///
/// They were chosen with an earlier network so that each row scores against the one before what their difference
/// promises. What each scores since stands in docs/engine.md with the signature of the engine that played, and is
/// measured by `cargo xtask adopt --only levels`. How the scale compares with people's ratings has not been measured.
const LEVELS: [Level; 9] = [
    level(500, 100.0, 1.0, 12.0, 260.0, 0.30),
    level(800, 450.0, 2.6, 9.0, 140.0, 0.15),
    level(1100, 1_200.0, 3.7, 7.0, 91.0, 0.085),
    level(1400, 2_500.0, 5.0, 5.0, 62.0, 0.05),
    level(1700, 5_000.0, 6.2, 4.0, 45.0, 0.034),
    level(2000, 10_000.0, 7.3, 4.0, 32.0, 0.022),
    level(2300, 16_000.0, 8.4, 3.0, 25.0, 0.016),
    level(2600, 27_000.0, 9.8, 3.0, 18.5, 0.011),
    level(2800, 35_000.0, 10.6, 3.0, 15.5, 0.0085),
];

const fn level(elo: u32, nodes: f64, depth: f64, candidates: f64, error: f64, blindness: f64) -> Level {
    Level { elo, nodes, depth, candidates, error, blindness }
}

impl Level {
    fn of(elo: u32) -> Level {
        let above = LEVELS.iter().position(|level| level.elo >= elo).unwrap_or(LEVELS.len() - 1).max(1);
        let (low, high) = (LEVELS[above - 1], LEVELS[above]);
        let part = ((f64::from(elo) - f64::from(low.elo)) / f64::from(high.elo - low.elo)).clamp(0.0, 1.0);
        let between = |low: f64, high: f64| low + (high - low) * part;
        Level {
            elo,
            nodes: between(low.nodes.ln(), high.nodes.ln()).exp(),
            depth: between(low.depth, high.depth),
            candidates: between(low.candidates, high.candidates),
            error: between(low.error, high.error),
            blindness: between(low.blindness, high.blindness),
        }
    }
}

impl Strength {
    /// The ratings that can be asked for.
    pub const ELO: RangeInclusive<u32> = LEVELS[0].elo..=LEVELS[LEVELS.len() - 1].elo;

    /// The skill level of full strength; the least is zero.
    pub const FULL_SKILL: u32 = 20;

    /// The strength of a rating, cut to what can be had.
    pub fn of_elo(elo: u32) -> Strength {
        Strength { elo: elo.clamp(*Strength::ELO.start(), *Strength::ELO.end()) }
    }

    /// The strength of a skill level; none is full strength.
    pub fn of_skill(level: u32) -> Option<Strength> {
        let (least, most) = (*Strength::ELO.start(), *Strength::ELO.end());
        (level < Strength::FULL_SKILL).then(|| Strength::of_elo(least + (most - least) * level / Strength::FULL_SKILL))
    }

    /// The rating.
    pub fn elo(self) -> u32 {
        self.elo
    }

    /// Chooses a move of this strength. What is seen on the way is better than what is played, so that only the
    /// conclusion is told.
    pub(crate) fn search<E: Evaluator>(
        self,
        searcher: &mut Searcher<E>,
        request: &Request,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Answer {
        let position = request.game.position();
        let mut level = Level::of(self.elo);
        let mut random = Random::new(request.options.seed ^ position.key());
        // Of 2.6 plies, six times of ten the third is looked at.
        let mut depth = Some((level.depth + random.fraction()) as usize);
        match Endgame::of(position) {
            Endgame::MateBareKing => {
                level = Level {
                    nodes: level.nodes.max(NODES_TO_MATE),
                    candidates: 1.0,
                    error: 0.0,
                    blindness: 0.0,
                    ..level
                };
                depth = None;
            }
            Endgame::HuntPawns => {
                level = Level { error: level.error / 3.0, blindness: level.blindness / 3.0, ..level };
            }
            Endgame::Play => {}
        }
        let limits = lowered(&request.limits, level.nodes as u64, depth);
        let options = Options { lines: level.candidates.round() as usize, ..request.options.clone() };
        let mut candidates = Candidates::default();
        let weakened = Request { limits, options, ..*request };
        let mut answer = E::search(searcher, &weakened, control, &mut candidates);
        if let Some(line) = choose(candidates.lines(), &level, &mut random) {
            answer.best = line.moves.first().copied();
            answer.ponder = line.moves.get(1).copied();
            answer.line = Line { rank: 1, ..line.clone() };
        }
        if answer.best.is_some() {
            reporter.line(&answer.line, &answer.stats);
        }
        answer
    }
}

/// What it takes to mate a bare king without knowing how: the search finds the way if it looks at so many positions.
const NODES_TO_MATE: f64 = 25_000.0;

/// How hard it is not to spoil a position.
enum Endgame {
    /// The opponent has nothing left, and the player to move enough to mate.
    MateBareKing,
    /// The opponent has only pawns left against a rook or a queen.
    HuntPawns,
    /// Anything else.
    Play,
}

impl Endgame {
    fn of(position: &Position) -> Endgame {
        let us = position.turn();
        let has = |role: Role| !position.pieces(role, us).is_empty();
        let (has_major, theirs) = (has(Role::Rook) || has(Role::Queen), position.by_color(!us));
        if theirs.count() == 1 && (has_major || has(Role::Pawn) || position.by_color(us).count() >= 3) {
            Endgame::MateBareKing
        } else if has_major && theirs.count() == 1 + position.pieces(Role::Pawn, !us).count() {
            Endgame::HuntPawns
        } else {
            Endgame::Play
        }
    }
}

/// Limits that end a search after some work, but not before the first depth, however many moves are compared.
fn lowered(limits: &Limits, nodes: u64, depth: Option<usize>) -> Limits {
    Limits { soft_nodes: Some(nodes), depth: limits.depth.into_iter().chain(depth).min(), ..limits.clone() }
}

/// The line a player of some level settles on.
fn choose<'a>(lines: &'a [Line], level: &Level, random: &mut Random) -> Option<&'a Line> {
    /// Beyond this, better is not better: a mate in five is won, and so is a queen ahead.
    const PLAINLY_WON: i32 = 1_500;
    let best = lines.first()?;
    if matches!(best.score.to_uci(), UciScore::MateIn(1 | 2)) {
        return Some(best);
    }
    let mut favourite: Option<(f64, &Line)> = None;
    for line in lines {
        if random.fraction() < level.blindness {
            continue;
        }
        let value = line.score.value().clamp(-PLAINLY_WON, PLAINLY_WON);
        let value = f64::from(value) + level.error * random.normal();
        if favourite.is_none_or(|(most, _)| value > most) {
            favourite = Some((value, line));
        }
    }
    // Who overlooks every move plays the most natural one.
    Some(favourite.map_or(best, |(_, line)| line))
}

/// Keeps the lines of the last depth that was searched as broadly as the one before.
#[derive(Default)]
struct Candidates {
    last: Vec<Line>,
    under_way: Vec<Line>,
}

impl Reporter for Candidates {
    fn line(&mut self, line: &Line, _stats: &SearchStats) {
        if line.bound != Bound::Exact || line.moves.is_empty() {
            return;
        }
        if line.rank == 1 {
            if self.under_way.len() >= self.last.len() {
                std::mem::swap(&mut self.last, &mut self.under_way);
            }
            self.under_way.clear();
        }
        self.under_way.push(line.clone());
    }
}

impl Candidates {
    fn lines(&self) -> &[Line] {
        if self.under_way.len() >= self.last.len() { &self.under_way } else { &self.last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page is not in the package that is published.
    #[test]
    fn the_table_in_the_documentation_has_these_levels() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/engine.md");
        let Ok(page) = std::fs::read_to_string(page) else { return };
        let table = page.split("adopt:levels").nth(1).expect("docs/engine.md has a table of levels");
        let table = table.split("adopt -->").next().unwrap_or_default();
        let rows = table.lines().filter_map(|line| {
            let mut cells = line.split('|').skip(1).map(str::trim);
            Some((cells.next()?.parse().ok()?, cells.next()?.parse().ok()?))
        });
        let pairs: Vec<(u32, u32)> = LEVELS.windows(2).map(|two| (two[1].elo, two[0].elo)).collect();
        assert_eq!(rows.collect::<Vec<_>>(), pairs);
        let range = format!("| `UCI_Elo` | {} to {} |", Strength::ELO.start(), Strength::ELO.end());
        assert!(page.contains(&range), "{range}");
    }
}
