//! From the words of `go` to the limits of a search.

use std::time::Duration;

use rules::{Color, Move, Position};
use search::{Clock, Limits, MAX_PLY};
use uci::Go;

/// What a `go` asks for.
pub(crate) struct Request {
    pub(crate) limits: Limits,
    /// Whether the answer must wait for `stop`.
    pub(crate) is_infinite: bool,
    /// What in it cannot be done, for people to read.
    pub(crate) complaints: Vec<String>,
}

/// Longer than any game; more would overflow sums of times.
const LONGEST_TIME: i64 = 10_000_000_000;

fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(number.clamp(0, LONGEST_TIME).unsigned_abs())
}

impl Request {
    pub(crate) fn new(go: &Go, position: &Position) -> Request {
        let mut complaints = Vec::new();
        let limits = Limits {
            depth: go.depth.map(|depth| depth.clamp(1, MAX_PLY as u64) as usize),
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            soft_nodes: None,
            mate: go.mate.map(|mate| mate.clamp(1, MAX_PLY as u64) as u32),
            move_time: go.move_time.map(milliseconds),
            clock: clock(go, position.turn()),
            opponent_clock: None,
            moves: moves(go, position, &mut complaints),
        };
        let is_infinite = go.infinite || limits.is_infinite();
        Request { limits, is_infinite, complaints }
    }
}

/// The clock of the player to move. If only the opponent's is told, ours is taken to show the same.
fn clock(go: &Go, us: Color) -> Option<Clock> {
    let ours = |white: Option<i64>, black: Option<i64>| match us {
        Color::White => white.or(black),
        Color::Black => black.or(white),
    };
    let time = ours(go.white_time, go.black_time);
    let increment = ours(go.white_increment, go.black_increment);
    if time.is_none() && increment.is_none() {
        return None;
    }
    let moves_to_go = go.moves_to_go.filter(|&moves| moves > 0).map(|moves| u32::try_from(moves).unwrap_or(u32::MAX));
    Some(Clock {
        remaining: time.map_or(Duration::ZERO, milliseconds),
        increment: increment.map_or(Duration::ZERO, milliseconds),
        moves_to_go,
    })
}

/// The moves to choose from. Those that are not legal are left out; if none is left, all are searched.
fn moves(go: &Go, position: &Position, complaints: &mut Vec<String>) -> Option<Vec<Move>> {
    let mut moves: Vec<Move> = Vec::new();
    for text in &go.search_moves {
        match position.parse_uci(text) {
            Ok(mv) if !moves.contains(&mv) => moves.push(mv),
            Ok(_) => {}
            Err(error) => complaints.push(format!("go searchmoves: {error}")),
        }
    }
    (!moves.is_empty()).then_some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> Request {
        let Some(uci::Command::Go(go)) = uci::Command::read(line).map(|reading| reading.value) else {
            panic!("{line} is a go")
        };
        Request::new(&go, &Position::initial())
    }

    #[test]
    fn without_a_limit_the_search_is_infinite() {
        for line in ["go", "go infinite", "go infinite depth 4", "go searchmoves e2e4", "go depth x"] {
            assert!(request(line).is_infinite, "{line}");
        }
        for line in ["go depth 4", "go nodes 1", "go mate 3", "go movetime -1", "go wtime 0", "go binc 5"] {
            assert!(!request(line).is_infinite, "{line}");
        }
    }

    #[test]
    fn no_clock_is_too_odd() {
        let clock = |line: &str| request(line).limits.clock.expect("there is a clock");
        assert_eq!(clock("go wtime -500 btime 9").remaining, Duration::ZERO);
        assert_eq!(clock("go btime 900").remaining, Duration::from_millis(900));
        assert_eq!(clock("go wtime 5 movestogo 0").moves_to_go, None);
        assert_eq!(clock("go wtime 5 movestogo 99999999999").moves_to_go, Some(u32::MAX));
        let huge = clock("go wtime 99999999999999999999 winc 99999999999999999999");
        assert!(huge.remaining + huge.increment * 1000 < Duration::from_secs(1 << 40));
    }

    #[test]
    fn moves_that_cannot_be_played_are_not_searched() {
        let request = request("go searchmoves e2e4 e2e5 e2e4 xyz depth 3");
        assert_eq!(request.limits.moves.map(|moves| moves.len()), Some(1));
        assert_eq!(request.complaints.len(), 2);
    }
}
