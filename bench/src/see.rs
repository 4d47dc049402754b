//! Exchanges: how right the quick methods are, and how quick, on moves from games that the program plays itself.

pub mod games;

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

use lessons::{ExchangeTable, Explanation, Rules};
use rules::see::{Lookup, SeeContext, Values, exhaustive, swap};
use rules::{Move, Position, Rank, Role};
use testkit::Random;

/// How much to measure.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The number of the first game.
    pub seed: u64,
    /// At least so many captures, and as many quiet moves.
    pub moves_of_a_kind: usize,
    /// How often the time is taken; the best counts.
    pub rounds: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { seed: 1, moves_of_a_kind: 200_000, rounds: 20 }
    }
}

/// Moves in positions from games: all captures, and as many quiet moves drawn at random.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The positions.
    pub positions: Vec<Position>,
    /// Moves, by the position they are played in.
    pub moves: Vec<(usize, Move)>,
    /// How many games were played.
    pub games: u64,
}

impl Samples {
    /// Plays games until there are enough moves.
    pub fn new(plan: &Plan) -> Samples {
        let mut samples = Samples::default();
        let (mut captures, mut quiets) = (0, 0);
        while captures < plan.moves_of_a_kind || quiets < plan.moves_of_a_kind {
            let seed = plan.seed + samples.games;
            samples.games += 1;
            let mut random = Random::new(!seed);
            for position in games::positions(seed) {
                let index = samples.positions.len();
                let (taking, calm) = (position.captures(), position.quiets());
                samples.moves.extend(taking.iter().map(|&mv| (index, mv)));
                captures += taking.len();
                if !calm.is_empty() {
                    samples.moves.extend(taking.iter().map(|_| (index, calm[random.below(calm.len())])));
                    quiets += taking.len();
                }
                samples.positions.push(position);
            }
        }
        samples
    }
}

/// Why a quick method and the exhaustive search differ. The first that applies is blamed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// A pawn may capture on the last rank.
    Promotion,
    /// A piece is pinned, or a capture opens a line to a king.
    Pin,
    /// A slider stands behind another attacker.
    Xray,
    /// More attackers of a kind than the table tells apart.
    Clamping,
    /// A king attacks the square.
    King,
    /// None of these.
    Other,
}

impl Cause {
    /// All causes, in the order in which they are blamed.
    pub const ALL: [Cause; 6] = [Cause::Promotion, Cause::Pin, Cause::Xray, Cause::Clamping, Cause::King, Cause::Other];

    fn of(position: &Position, mv: Move) -> Cause {
        let told = Explanation::new(position, mv, &Values::default());
        let count = |role: Role, color| told.attackers[color][role as usize].count() as i32;
        let difference = |role| count(role, position.turn()) - count(role, !position.turn());
        let attackers = [told.attackers.white, told.attackers.black].concat();
        let any = |role: Role| told.attackers.white[role as usize].0 | told.attackers.black[role as usize].0 != 0;
        let all = attackers.iter().fold(mv.from().bitboard(), |all, &set| all | set);
        let fronts = [position.turn(), !position.turn()].into_iter().any(|color| opens_line(position, color, all));
        if any(Role::Pawn) && [Rank::First, Rank::Eighth].contains(&told.square.rank()) {
            Cause::Promotion
        } else if !told.pins.is_empty() || fronts {
            Cause::Pin
        } else if !told.xrays.is_empty() {
            Cause::Xray
        } else if difference(Role::Queen).abs() > 1 || difference(Role::Rook).abs() > 2 {
            Cause::Clamping
        } else if any(Role::King) {
            Cause::King
        } else {
            Cause::Other
        }
    }
}

/// Whether one of these pieces stands on a line between a king and an enemy slider, alone or with one other.
fn opens_line(position: &Position, color: rules::Color, pieces: rules::Bitboard) -> bool {
    let king = position.king(color);
    let sliders = [Role::Bishop, Role::Rook, Role::Queen].map(|role| position.pieces(role, !color));
    let aligned = |role: Role, from: rules::Bitboard| {
        from.into_iter().any(|slider| {
            let between = rules::attacks::between(king, slider) & position.occupied();
            let reach = rules::attacks::of(role, color, slider, rules::Bitboard::EMPTY);
            reach.contains(king) && between.count() <= 2 && between.intersects(pieces)
        })
    };
    aligned(Role::Bishop, sliders[0]) || aligned(Role::Rook, sliders[1]) || aligned(Role::Queen, sliders[2])
}

/// How a method compares with the exhaustive search on one kind of move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agreement {
    /// Moves looked at.
    pub moves: usize,
    /// Moves with the same sign: a win, nothing, or a loss.
    pub same_sign: usize,
    /// Moves with the same value.
    pub same_value: usize,
    /// Moves with another sign, by [`Cause`].
    pub causes: [usize; 6],
}

impl Agreement {
    fn share(&self, count: usize) -> f64 {
        100.0 * count as f64 / self.moves as f64
    }

    /// Per cent of the moves with the same sign.
    pub fn sign(&self) -> f64 {
        self.share(self.same_sign)
    }

    /// Per cent of the moves with the same value.
    pub fn value(&self) -> f64 {
        self.share(self.same_value)
    }
}

/// One method's results.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What it is called.
    pub name: &'static str,
    /// Nanoseconds per call, the best of all rounds.
    pub nanoseconds: f64,
    /// On captures and on quiet moves; none for a threshold test, which has no value to compare.
    pub agreement: Option<[Agreement; 2]>,
}

/// All that was measured.
#[derive(Clone, Debug)]
pub struct Report {
    /// How many games, positions and moves it rests on.
    pub size: [usize; 3],
    /// The methods.
    pub rows: Vec<Row>,
    /// For each rule of the table, how many more signs are wrong without it.
    pub rules: Vec<(&'static str, i64)>,
}

type Method = for<'a, 'b> fn(&'a SeeContext<'b>, Move) -> i32;

/// Moves that are timed at a stretch, which is short enough that some round is not interrupted.
const STRETCH: usize = 4_000;

/// The rules of the table with one left out.
const RULES: [(&str, Rules); 6] = [
    ("x-rays", Rules { xrays: false, ..Rules::ALL }),
    ("hostile fronts", Rules { hostile_fronts: false, ..Rules::ALL }),
    ("case I", Rules { case_one: false, ..Rules::ALL }),
    ("king bar", Rules { king_bar: false, ..Rules::ALL }),
    ("rook pins", Rules { rook_pins: false, ..Rules::ALL }),
    ("other pins", Rules { other_pins: false, ..Rules::ALL }),
];

const METHODS: [(&str, Method); 4] = [
    ("swap, value", |context, mv| swap::value(context, mv, &Values::ROUND)),
    ("table, counting", |context, mv| ExchangeTable::ROUND.value_by_counting(context, mv)),
    ("table (S1)", |context, mv| ExchangeTable::ROUND.value(context, mv)),
    ("look-up", |context, mv| Lookup::ROUND.value(context, mv)),
];

/// Measures everything.
pub fn measure(plan: &Plan) -> Report {
    let samples = Samples::new(plan);
    let scenes: Vec<SeeContext> = samples.positions.iter().map(SeeContext::new).collect();
    let moves: Vec<(&SeeContext, Move)> = samples.moves.iter().map(|&(index, mv)| (&scenes[index], mv)).collect();
    let truth: Vec<i32> =
        moves.iter().map(|(context, mv)| exhaustive::value(context.position(), *mv, &Values::ROUND)).collect();
    let nanoseconds = time(&moves, plan.rounds);
    let mut rows: Vec<Row> = METHODS
        .iter()
        .zip(&nanoseconds[1..])
        .map(|(&(name, method), &nanoseconds)| Row {
            name,
            nanoseconds,
            agreement: Some(agreement(&moves, &truth, method)),
        })
        .collect();
    rows.insert(1, Row { name: "swap, threshold", nanoseconds: nanoseconds[0], agreement: None });
    let wrong = |rules| {
        let values = moves.iter().map(|&(context, mv)| ExchangeTable::ROUND.value_by(rules, context, mv));
        values.zip(&truth).filter(|(value, truth)| value.signum() != truth.signum()).count() as i64
    };
    let rules = RULES.iter().map(|&(name, without)| (name, wrong(without) - wrong(Rules::ALL))).collect();
    Report { size: [samples.games as usize, samples.positions.len(), moves.len()], rows, rules }
}

fn agreement(moves: &[(&SeeContext, Move)], truth: &[i32], method: Method) -> [Agreement; 2] {
    let mut kinds = [Agreement::default(); 2];
    for (&(context, mv), &truth) in moves.iter().zip(truth) {
        let kind = &mut kinds[usize::from(!context.position().is_capture(mv))];
        let value = method(context, mv);
        kind.moves += 1;
        kind.same_value += usize::from(value == truth);
        if value.signum() == truth.signum() {
            kind.same_sign += 1;
        } else {
            kind.causes[Cause::of(context.position(), mv) as usize] += 1;
        }
    }
    kinds
}

/// Nanoseconds per call: the threshold test first, then the methods, in turns. The best time of each stretch of moves
/// counts.
fn time(moves: &[(&SeeContext, Move)], rounds: usize) -> [f64; 5] {
    let mut best = vec![[f64::INFINITY; 5]; moves.len().div_ceil(STRETCH)];
    // A macro, so that each loop is compiled with its method in place and none through a pointer.
    macro_rules! run {
        ($index:literal, |$context:ident, $mv:ident| $call:expr) => {
            for (stretch, best) in moves.chunks(STRETCH).zip(&mut best) {
                let start = Instant::now();
                let sum: i64 = stretch.iter().map(|&($context, $mv)| i64::from($call)).sum();
                black_box(sum);
                best[$index] = best[$index].min(start.elapsed().as_nanos() as f64);
            }
        };
    }
    for _ in 0..rounds {
        run!(0, |context, mv| swap::is_at_least(context, mv, 0, &Values::ROUND));
        run!(1, |context, mv| swap::value(context, mv, &Values::ROUND));
        run!(2, |context, mv| ExchangeTable::ROUND.value_by_counting(context, mv));
        run!(3, |context, mv| ExchangeTable::ROUND.value(context, mv));
        run!(4, |context, mv| Lookup::ROUND.value(context, mv));
    }
    std::array::from_fn(|method| best.iter().map(|best| best[method]).sum::<f64>() / moves.len() as f64)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [games, positions, moves] = self.size;
        writeln!(f, "{moves} moves, half of them captures, from {positions} positions of {games} games")?;
        writeln!(f, "\n{:<18}{:>8}{:>24}{:>24}", "", "ns", "sign: captures, quiets", "value: captures, quiets")?;
        for row in &self.rows {
            write!(f, "{:<18}{:>8.1}", row.name, row.nanoseconds)?;
            if let Some([captures, quiets]) = row.agreement {
                write!(f, "{:>15.3}%{:>7.3}%", captures.sign(), quiets.sign())?;
                write!(f, "{:>15.3}%{:>7.3}%", captures.value(), quiets.value())?;
            }
            writeln!(f)?;
        }
        write!(f, "\nmoves with a wrong sign, by cause\n{:<18}", "")?;
        Cause::ALL.iter().try_for_each(|cause| write!(f, "{:>11}", format!("{cause:?}").to_lowercase()))?;
        for row in &self.rows {
            if let Some([captures, quiets]) = row.agreement {
                write!(f, "\n{:<18}", row.name)?;
                let counts = captures.causes.iter().zip(quiets.causes);
                counts.into_iter().try_for_each(|(captures, quiets)| write!(f, "{:>11}", captures + quiets))?;
            }
        }
        write!(f, "\n\nmoves with a wrong sign that a rule of the table sets right")?;
        self.rules.iter().try_for_each(|(name, worth)| write!(f, "\n{name:<18}{worth:>11}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Captures and quiet moves together, and as many as are published: the moves of a game resemble each other, so
    /// that a quarter of them can be off by five hundredths of a per cent.
    #[test]
    fn the_look_ups_agree_with_the_exhaustive_search_as_often_as_we_say() {
        let report = measure(&Plan { rounds: 1, ..Plan::default() });
        let sign = |name: &str| {
            let row = report.rows.iter().find(|row| row.name == name).expect("measured");
            let [captures, quiets] = row.agreement.expect("compared");
            100.0 * (captures.same_sign + quiets.same_sign) as f64 / (captures.moves + quiets.moves) as f64
        };
        assert!(sign("swap, value") >= 99.95, "{report}");
        assert!(sign("table (S1)") >= 99.8, "{report}");
        assert!(sign("look-up") >= 99.98, "{report}");
    }
}
