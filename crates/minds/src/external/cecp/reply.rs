//! What an engine says while it plays.

use rules::{Color, Position};
use search::{Bound, Line, Score, SearchStats, UciScore};
use std::time::Duration;

use crate::GameEnd;

/// A line of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reply {
    /// It plays a move.
    Move(String),
    /// It gives the game up.
    Resign,
    /// It offers a draw, or accepts one.
    OfferDraw,
    /// It says that the game has ended.
    Result(GameEnd),
    /// It does not accept what it was told.
    Refusal(String),
    /// It has done everything before this ping.
    Pong(u64),
    /// It tells its features.
    Features(String),
    /// It tells a line of its search, or something without a meaning here.
    Other,
}

impl Reply {
    pub(super) fn read(line: &str) -> Reply {
        let words: Vec<&str> = line.split_whitespace().collect();
        let refusal = ["illegal move", "invalid move", "tellusererror illegal", "illegal position"];
        match words[..] {
            ["move", mv, ..] => Reply::Move(mv.to_owned()),
            // The first version of the protocol: the number of the move, dots, the move.
            [number, "...", mv, ..] if is_move_number(number) => Reply::Move(mv.to_owned()),
            ["resign", ..] => Reply::Resign,
            ["offer", "draw", ..] => Reply::OfferDraw,
            ["1-0", ..] => Reply::Result(GameEnd::Won(Color::White)),
            ["0-1", ..] => Reply::Result(GameEnd::Won(Color::Black)),
            ["1/2-1/2", ..] => Reply::Result(GameEnd::Drawn),
            ["pong", number, ..] => number.parse().map_or(Reply::Other, Reply::Pong),
            ["feature", ..] => Reply::Features(line.trim_start()["feature".len()..].to_owned()),
            _ if refusal.iter().any(|start| starts_with(line, start)) => Reply::Refusal(line.to_owned()),
            _ => Reply::Other,
        }
    }
}

fn is_move_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn starts_with(line: &str, start: &str) -> bool {
    line.get(..start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
}

/// A line of the search: depth, score, hundredths of a second, nodes, moves.
pub(super) fn read_line(line: &str, position: &Position) -> Option<(Line, SearchStats)> {
    let mut words = line.split_whitespace();
    let depth = words.next()?.trim_end_matches(|letter: char| !letter.is_ascii_digit()).parse().ok()?;
    let score: i32 = words.next()?.parse().ok()?;
    let hundredths: u64 = words.next()?.parse().ok()?;
    let nodes = words.next()?.parse().ok()?;
    let mut after = *position;
    let moves = words.filter(|word| !is_move_number(word)).map_while(|word| {
        let mv = after.parse_uci(word).ok().or_else(|| after.parse_san(word).ok())?;
        after = after.play_unchecked(mv);
        Some(mv)
    });
    let line = Line {
        depth,
        selective_depth: depth,
        rank: 1,
        score: read_score(score),
        bound: Bound::Exact,
        moves: moves.collect(),
    };
    let time = Duration::from_millis(hundredths.saturating_mul(10));
    Some((line, SearchStats { nodes, time, hash_full: 0, tablebase_hits: 0 }))
}

/// Centipawns, or a mate in so many moves beyond a hundred thousand.
fn read_score(number: i32) -> Score {
    const MATE: u32 = 100_000;
    let verdict = match number.unsigned_abs().checked_sub(MATE) {
        None => UciScore::Centipawns(number),
        Some(moves) if number > 0 => UciScore::MateIn(moves),
        Some(moves) => UciScore::MatedIn(moves),
    };
    verdict.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_found_in_both_versions_of_the_protocol() {
        assert_eq!(Reply::read("move e2e4"), Reply::Move("e2e4".to_owned()));
        assert_eq!(Reply::read("12. ... Nf6"), Reply::Move("Nf6".to_owned()));
        assert_eq!(Reply::read("1/2-1/2 {Draw by repetition}"), Reply::Result(GameEnd::Drawn));
        assert_eq!(Reply::read("Illegal move: e2e5"), Reply::Refusal("Illegal move: e2e5".to_owned()));
        assert_eq!(Reply::read("# move e2e4"), Reply::Other);
        assert_eq!(Reply::read("moved on"), Reply::Other);
    }

    #[test]
    fn lines_are_read_as_far_as_they_can_be_played() {
        let start = Position::initial();
        let (line, stats) = read_line(" 6. +31 12 3456 1. e4 e5 Ng1f3 Qxf7", &start).expect("a line");
        assert_eq!((line.depth, line.score.to_uci(), line.moves.len()), (6, UciScore::Centipawns(31), 3));
        assert_eq!((stats.nodes, stats.time), (3456, Duration::from_millis(120)));
        let verdict = |text: &str| read_line(text, &start).map(|(line, _)| line.score.to_uci());
        assert_eq!(verdict("9 100003 0 1"), Some(UciScore::MateIn(3)));
        assert_eq!(verdict("9 -100002 0 1"), Some(UciScore::MatedIn(2)));
        assert_eq!(verdict("9 -2147483648 0 1"), Some(UciScore::MatedIn(120)));
        assert_eq!(verdict("hello world"), None);
    }
}
