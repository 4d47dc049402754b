//! From a line that a search tells to an `info`, and back.

use std::time::Duration;

use interface::{Line, SearchStats};
use rules::Position;

use crate::{Castling, Info};

impl Info {
    /// The `info` that tells a line of play from a position.
    pub fn of_line(line: &Line, stats: &SearchStats, position: &Position, castling: Castling) -> Info {
        let number = |count: usize| Some(u32::try_from(count).unwrap_or(u32::MAX));
        Info {
            depth: number(line.depth),
            selective_depth: number(line.selective_depth),
            multi_pv: number(line.rank),
            score: Some(line.score.to_uci()),
            bound: line.bound,
            nodes: Some(stats.nodes),
            nps: (!stats.time.is_zero()).then(|| stats.nodes_per_second()),
            hash_full: Some(stats.hash_full),
            tablebase_hits: Some(stats.tablebase_hits),
            time: Some(u64::try_from(stats.time.as_millis()).unwrap_or(u64::MAX)),
            pv: castling.write_line(position, &line.moves),
            ..Info::default()
        }
    }

    /// The line of play that is told of a position, as far as it can be played; none without a score.
    pub fn line(&self, position: &Position) -> Option<(Line, SearchStats)> {
        let score = self.score?.into();
        let mut after = *position;
        let moves = self.pv.iter().map_while(|text| {
            let mv = after.parse_uci(text).ok()?;
            after = after.play_unchecked(mv);
            Some(mv)
        });
        let depth = self.depth.unwrap_or(0) as usize;
        let line = Line {
            depth,
            selective_depth: self.selective_depth.map_or(depth, |deepest| deepest as usize),
            rank: self.multi_pv.unwrap_or(1) as usize,
            score,
            bound: self.bound,
            moves: moves.collect(),
        };
        let stats = SearchStats {
            nodes: self.nodes.unwrap_or(0),
            time: Duration::from_millis(self.time.unwrap_or(0)),
            hash_full: self.hash_full.unwrap_or(0),
            tablebase_hits: self.tablebase_hits.unwrap_or(0),
        };
        Some((line, stats))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Message;

    #[test]
    fn a_line_that_is_told_is_understood() {
        let told = "info depth 9 seldepth 14 multipv 2 score mate -3 upperbound nodes 77 hashfull 5 tbhits 1 time 20 pv e2e4 e7e5";
        let position = Position::initial();
        let Some(Message::Info(info)) = Message::read(told).map(|reading| reading.value) else { panic!("an info") };
        let (line, stats) = info.line(&position).expect("a line");
        let again = Info::of_line(&line, &stats, &position, Castling::default());
        assert_eq!(Info { nps: None, ..again }, *info);
        assert_eq!(Info { score: None, ..*info }.line(&position), None);
    }
}
