//! From the words of `go` to the limits of a search, and back.

use std::time::Duration;

use interface::{Clock, Limits, MAX_PLY};
use rules::{Color, Move, Position};

use crate::words::Reading;
use crate::{Castling, Go};

/// Longer than any game; more would overflow sums of times.
const LONGEST_TIME: i64 = 10_000_000_000;

fn duration(milliseconds: i64) -> Duration {
    Duration::from_millis(milliseconds.clamp(0, LONGEST_TIME).unsigned_abs())
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

impl Go {
    /// The limits that are meant in a position.
    ///
    /// Moves that cannot be played are complained about and left out; if none is left, all are searched. If only the
    /// opponent's clock is told, ours is taken to show the same, and zero moves to go are none.
    pub fn limits(&self, position: &Position) -> Reading<Limits> {
        let (own, opponent) = (position.turn(), !position.turn());
        let mut complaints = Vec::new();
        let limits = Limits {
            depth: self.depth.map(|depth| depth.clamp(1, MAX_PLY as u64) as usize),
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            soft_nodes: None,
            mate: self.mate.map(|mate| mate.clamp(1, MAX_PLY as u64) as u32),
            move_time: self.move_time.map(duration),
            clock: self.clock(own, Some(opponent)),
            opponent_clock: self.clock(opponent, None),
            moves: self.moves(position, &mut complaints),
        };
        Reading { value: limits, complaints }
    }

    /// The command that asks for these limits.
    pub fn new(limits: &Limits, position: &Position, castling: Castling) -> Go {
        let times = |clock: Option<Clock>| {
            // An engine that is told of no time would take itself to have all of it.
            (clock.map(|clock| milliseconds(clock.remaining).max(1)), clock.map(|clock| milliseconds(clock.increment)))
        };
        let (own, other) = (times(limits.clock), times(limits.clock.and(limits.opponent_clock)));
        let (white, black) = if position.turn() == Color::White { (own, other) } else { (other, own) };
        Go {
            search_moves: limits.moves.iter().flatten().map(|&mv| castling.write(position, mv)).collect(),
            white_time: white.0,
            white_increment: white.1,
            black_time: black.0,
            black_increment: black.1,
            moves_to_go: limits.clock.and_then(|clock| clock.moves_to_go).map(u64::from),
            depth: limits.depth.map(|depth| depth as u64),
            nodes: limits.nodes.or(limits.soft_nodes),
            mate: limits.mate.map(u64::from),
            move_time: limits.move_time.map(milliseconds),
            infinite: limits.is_infinite(),
            ..Go::default()
        }
    }

    /// The clock of a player, or else that of another.
    fn clock(&self, player: Color, or: Option<Color>) -> Option<Clock> {
        let of = |color: Color| match color {
            Color::White => (self.white_time, self.white_increment),
            Color::Black => (self.black_time, self.black_increment),
        };
        let (own, other) = (of(player), or.map(of).unwrap_or_default());
        let (time, increment) = (own.0.or(other.0), own.1.or(other.1));
        if time.is_none() && increment.is_none() {
            return None;
        }
        let moves_to_go = self.moves_to_go.filter(|&moves| moves > 0);
        Some(Clock {
            remaining: time.map_or(Duration::ZERO, duration),
            increment: increment.map_or(Duration::ZERO, duration),
            moves_to_go: moves_to_go.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        })
    }

    fn moves(&self, position: &Position, complaints: &mut Vec<String>) -> Option<Vec<Move>> {
        let mut moves: Vec<Move> = Vec::new();
        for text in &self.search_moves {
            match position.parse_uci(text) {
                Ok(mv) if !moves.contains(&mv) => moves.push(mv),
                Ok(_) => {}
                Err(error) => complaints.push(format!("go searchmoves: {error}")),
            }
        }
        (!moves.is_empty()).then_some(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Command;

    fn read(line: &str) -> Reading<Limits> {
        let Some(Command::Go(go)) = Command::read(line).map(|reading| reading.value) else { panic!("{line} is a go") };
        go.limits(&Position::initial())
    }

    #[test]
    fn without_a_limit_the_search_is_infinite() {
        for line in ["go", "go infinite", "go searchmoves e2e4", "go depth x"] {
            assert!(read(line).value.is_infinite(), "{line}");
        }
        for line in ["go depth 4", "go nodes 1", "go mate 3", "go movetime -1", "go wtime 0", "go binc 5"] {
            assert!(!read(line).value.is_infinite(), "{line}");
        }
    }

    #[test]
    fn no_clock_is_too_odd() {
        let clock = |line: &str| read(line).value.clock.expect("there is a clock");
        assert_eq!(clock("go wtime -500 btime 9").remaining, Duration::ZERO);
        assert_eq!(clock("go btime 900").remaining, Duration::from_millis(900));
        assert_eq!(clock("go wtime 5 movestogo 0").moves_to_go, None);
        assert_eq!(clock("go wtime 5 movestogo 99999999999").moves_to_go, Some(u32::MAX));
        let huge = clock("go wtime 99999999999999999999 winc 99999999999999999999");
        assert!(huge.remaining + huge.increment * 1000 < Duration::from_secs(1 << 40));
    }

    #[test]
    fn each_player_has_a_clock() {
        let limits = read("go wtime 500 btime 900 winc 0 binc 10 movestogo 4").value;
        let clock = |remaining, increment| {
            let (remaining, increment) = (Duration::from_millis(remaining), Duration::from_millis(increment));
            Some(Clock { remaining, increment, moves_to_go: Some(4) })
        };
        assert_eq!((limits.clock, limits.opponent_clock), (clock(500, 0), clock(900, 10)));
        assert_eq!(read("go wtime 500").value.opponent_clock, None);
    }

    #[test]
    fn moves_that_cannot_be_played_are_not_searched() {
        let reading = read("go searchmoves e2e4 e2e5 e2e4 xyz depth 3");
        assert_eq!(reading.value.moves.map(|moves| moves.len()), Some(1));
        assert_eq!(reading.complaints.len(), 2);
    }

    #[test]
    fn limits_that_are_written_are_read_again() {
        let position = Position::initial();
        for line in
            ["go depth 7", "go nodes 9 searchmoves e2e4", "go wtime 9 btime 8 winc 1 binc 0 movestogo 3", "go mate 2"]
        {
            let limits = read(line).value;
            let written = Go::new(&limits, &position, Castling::default());
            assert_eq!(written.limits(&position).value, limits, "{line}");
        }
    }
}
