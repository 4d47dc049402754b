//! The games of an event as PGN, in the order of their numbers, with what the players thought: `{+0.35/12 0.045s}`.
//!
//! The file follows from the journal: it is written anew when an event is taken up, and while an event goes on it grows
//! by the games before the first one that is still being played.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use records::pgn::{GameTree, NodeId, date_of, utc};
use rules::Color;

use crate::event::{EventError, EventLog, EventPlan, GameEntry, GameId};
use crate::{EndReason, GameRecord, MoveInfo};

/// A file of games that follows an event.
pub struct PgnFile {
    path: PathBuf,
    out: BufWriter<File>,
    /// The next game to be written.
    next: GameId,
}

impl PgnFile {
    /// Writes what has been played so far to a file, in place of what is there.
    pub fn create(path: &Path, log: &mut EventLog) -> Result<PgnFile, EventError> {
        let error = |reason| EventError::Output { what: path.display().to_string(), reason };
        let out = BufWriter::new(File::create(path).map_err(error)?);
        let mut file = PgnFile { path: path.to_owned(), out, next: GameId { pair: 0, leg: 0 } };
        file.catch_up(log)?;
        Ok(file)
    }

    /// Writes all games that count up to the first one that has not been played.
    pub fn catch_up(&mut self, log: &mut EventLog) -> Result<(), EventError> {
        while self.next.pair < log.counted()
            && let Some(entry) = log.entry(self.next)?
        {
            self.write(log.plan(), &entry)?;
            self.next = self.next.next();
        }
        self.flush()
    }

    /// Writes the games after gaps too, when an event is interrupted.
    pub fn finish(mut self, log: &mut EventLog) -> Result<(), EventError> {
        self.catch_up(log)?;
        let counted = log.counted();
        let rest: Vec<GameId> = log.ids().filter(|id| *id >= self.next && id.pair < counted).collect();
        for id in rest {
            if let Some(entry) = log.entry(id)? {
                self.write(log.plan(), &entry)?;
            }
        }
        self.flush()
    }

    fn write(&mut self, plan: &EventPlan, entry: &GameEntry) -> Result<(), EventError> {
        let written = writeln!(self.out, "{}", game_tree(plan, entry));
        written.map_err(|reason| EventError::Output { what: self.path.display().to_string(), reason })
    }

    fn flush(&mut self) -> Result<(), EventError> {
        let flushed = self.out.flush();
        flushed.map_err(|reason| EventError::Output { what: self.path.display().to_string(), reason })
    }
}

/// A game with its tags and what was thought of its moves.
pub fn game_tree(plan: &EventPlan, entry: &GameEntry) -> GameTree {
    let record = &entry.game;
    let mut tree = GameTree::from(&record.game());
    set_tags(&mut tree, plan, entry);
    let line: Vec<NodeId> = tree.mainline().collect();
    for (ply, &node) in line.iter().enumerate() {
        if let Some(thought) = record.thought(ply) {
            tree.node_mut(node).add_comment(&comment(thought));
        }
    }
    let last = line.last().copied().unwrap_or(NodeId::ROOT);
    tree.node_mut(last).add_comment(&conclusion(record));
    tree
}

fn set_tags(tree: &mut GameTree, plan: &EventPlan, entry: &GameEntry) {
    let [white, black] = [entry.white, entry.black].map(|index| &plan.players[index]);
    let tags = &mut tree.tags;
    tags.set("Event", &plan.name);
    tags.set("Date", &date_of(entry.started));
    tags.set("Round", &format!("{}.{}", entry.round, entry.leg + 1));
    tags.set("White", &white.name);
    tags.set("Black", &black.name);
    tags.set("Result", entry.game.ending.score());
    if white.time == black.time {
        tags.set("TimeControl", &white.time.to_string());
    } else {
        tags.set("WhiteTimeControl", &white.time.to_string());
        tags.set("BlackTimeControl", &black.time.to_string());
    }
    tags.set("Termination", termination(entry.game.reason));
    tags.set("PlyCount", &entry.game.moves.len().to_string());
    tags.set("GameStartTime", &utc(entry.started, "%Y-%m-%dT%H:%M:%S +0000"));
}

/// The word that the standard has for the way a game ended.
fn termination(reason: EndReason) -> &'static str {
    match reason {
        EndReason::OutOfTime => "time forfeit",
        EndReason::IllegalMove | EndReason::WrongClaim => "rules infraction",
        EndReason::DidNotStart | EndReason::Crashed | EndReason::Refused | EndReason::Forfeited => "abandoned",
        EndReason::AdjudicatedWin | EndReason::AdjudicatedDraw | EndReason::Tablebase | EndReason::TooLong => {
            "adjudication"
        }
        _ => "normal",
    }
}

/// A thought as match runners write it: score, depth, and seconds.
fn comment(thought: &MoveInfo) -> String {
    let time = format!("{:.3}s", thought.time.as_secs_f64());
    let Some(score) = thought.score else { return time };
    format!("{}/{} {time}", score.to_uci().in_pawns("+M", "-M"), thought.depth)
}

/// Why the game ended, in words.
fn conclusion(record: &GameRecord) -> String {
    let result = match record.winner() {
        Some(Color::White) => "White wins",
        Some(Color::Black) => "Black wins",
        None => "Draw",
    };
    let fault = record.fault.as_ref().map(|fault| format!(": {fault}")).unwrap_or_default();
    format!("{result} by {}{fault}", record.reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_tells_who_played_how_long_they_thought_and_why_it_ended() {
        let plan = crate::event::tests::plan(1, &["random", "minimax"]);
        let game = concat!(
            r#"{"moves":"f2f3 e7e5 g2g4 d8h4","book":1,"scores":[35,null,"M1"],"depths":[9,0,1],"nodes":[1200,0,30],"#,
            r#""times":[1500,20,0],"result":"0-1","reason":"checkmate"}"#
        );
        let game = serde_json::from_str(game).expect("a game");
        let entry = GameEntry { pair: 4, leg: 1, round: 3, white: 1, black: 0, started: 951_827_696, game };
        let text = game_tree(&plan, &entry).to_string();
        for tag in [
            "[Event \"a test\"]",
            "[Date \"2000.02.29\"]",
            "[Round \"3.2\"]",
            "[White \"minimax\"]",
            "[Black \"random\"]",
            "[Result \"0-1\"]",
            "[TimeControl \"nodes=1000\"]",
            "[Termination \"normal\"]",
            "[GameStartTime \"2000-02-29T12:34:56 +0000\"]",
        ] {
            assert!(text.contains(tag), "{tag} in {text}");
        }
        let moves = text.split_once("\n\n").expect("tags and moves").1.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            moves,
            "1. f3 e5 {+0.35/9 0.002s} 2. g4 {0.000s} 2... Qh4# {+M1/1 0.000s} {Black wins by checkmate} 0-1"
        );
    }
}
