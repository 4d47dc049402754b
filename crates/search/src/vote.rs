//! Which thread's line is played when they disagree.

use rules::Move;

use crate::tunables::*;
use crate::{Limits, Line, Score};

/// The thread whose line is played, and the line.
///
/// Every thread votes for its move, with a weight that grows with its depth and score. The first thread decides alone
/// where an exact depth or several lines are asked for.
pub(crate) fn elect<'l>(lines: &'l [Option<Line>], limits: &Limits, told: usize) -> Option<(usize, &'l Line)> {
    let first = (0, lines.first()?.as_ref()?);
    if told > 1 || limits.depth.is_some() || limits.mate.is_some() {
        return Some(first);
    }
    let candidates = || lines.iter().enumerate().filter_map(|(thread, line)| Some((thread, line.as_ref()?)));
    let lowest = candidates().map(|(_, line)| line.score).min().unwrap_or(Score::DRAW);
    let weight = |line: &Line| (i64::from(line.score - lowest) + i64::from(vote_base())) * line.depth as i64;
    let votes = |mv: Move| -> i64 {
        candidates().filter(|(_, line)| line.moves.first() == Some(&mv)).map(|(_, line)| weight(line)).sum()
    };
    let rank = |line: &Line| {
        // A forced win needs no majority.
        let certain = if line.score.is_win() { line.score } else { Score::DRAW };
        (certain, line.moves.first().copied().map_or(0, votes), weight(line))
    };
    let mut elected = first;
    for candidate in candidates() {
        if rank(candidate.1) > rank(elected.1) {
            elected = candidate;
        }
    }
    Some(elected)
}

#[cfg(test)]
mod tests {
    use rules::Square;

    use super::*;
    use crate::Bound;

    fn line(to: Square, depth: usize, score: Score) -> Option<Line> {
        let moves = vec![Move::normal(Square::A1, to)];
        Some(Line { depth, selective_depth: depth, rank: 1, score, bound: Bound::Exact, moves })
    }

    fn elected(lines: &[Option<Line>]) -> usize {
        elect(lines, &Limits::default(), 1).expect("a thread has a line").0
    }

    #[test]
    fn the_first_thread_decides_if_no_other_is_better() {
        let same = line(Square::A2, 10, Score::new(20));
        assert_eq!(elected(&[same.clone(), same.clone(), None]), 0);
        assert_eq!(elect(&[None], &Limits::default(), 1), None::<(usize, &Line)>);
    }

    #[test]
    fn a_deeper_and_better_line_or_a_majority_wins() {
        let plain = line(Square::A2, 10, Score::new(20));
        assert_eq!(elected(&[plain.clone(), line(Square::A3, 12, Score::new(60))]), 1);
        let other = line(Square::A3, 10, Score::new(19));
        assert_eq!(elected(&[plain.clone(), other.clone(), other.clone()]), 1);
        assert_eq!(elected(&[plain, line(Square::A4, 5, Score::mate_in(5)), other.clone(), other]), 1);
    }
}
