//! A game in JSON: one string of moves, and arrays side by side.

use std::time::Duration;

use minds::{GameEnd, Score};
use rules::{Color, Position};
use search::UciScore;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{EndReason, GameRecord, MoveInfo};

/// What is written. The start is left out where it is the starting position, and so is what neither player has.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Form {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    moves: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    book: usize,
    scores: Vec<Option<ScoreText>>,
    depths: Vec<usize>,
    nodes: Vec<u64>,
    /// Microseconds.
    times: Vec<u64>,
    result: String,
    reason: EndReason,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A score: a number of centipawns, or a text such as `M3` or `-M2` for a mate.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum ScoreText {
    Centipawns(i32),
    Mate(String),
}

/// Why a JSON object is no game.
#[derive(Debug, Error)]
pub(super) enum FormError {
    #[error("the start {0:?} is no position")]
    Start(String),
    #[error("{text:?} is no legal move at ply {ply}")]
    Move { text: String, ply: usize },
    #[error("{played} moves were played after the book, but there are {thoughts} thoughts")]
    Thoughts { played: usize, thoughts: usize },
    #[error("{0:?} is no score")]
    Score(String),
    #[error("{0:?} is no result of a game")]
    Result(String),
}

impl From<GameRecord> for Form {
    fn from(record: GameRecord) -> Form {
        let mut moves = String::with_capacity(record.moves.len() * 5);
        let mut position = record.start;
        for &mv in &record.moves {
            if !moves.is_empty() {
                moves.push(' ');
            }
            moves += &position.uci(mv);
            position = position.play_unchecked(mv);
        }
        let thoughts = &record.thoughts;
        Form {
            start: (record.start != Position::initial()).then(|| record.start.shredder_fen()),
            moves,
            book: record.book_plies,
            scores: thoughts.iter().map(|thought| thought.score.map(score_text)).collect(),
            depths: thoughts.iter().map(|thought| thought.depth).collect(),
            nodes: thoughts.iter().map(|thought| thought.nodes).collect(),
            times: thoughts.iter().map(|thought| thought.time.as_micros() as u64).collect(),
            result: record.ending.score().to_owned(),
            reason: record.reason,
            fault: record.fault,
        }
    }
}

impl TryFrom<Form> for GameRecord {
    type Error = FormError;

    fn try_from(form: Form) -> Result<GameRecord, FormError> {
        let start = match form.start {
            Some(fen) => fen.parse().map_err(|_| FormError::Start(fen))?,
            None => Position::initial(),
        };
        let mut position: Position = start;
        let mut moves = Vec::with_capacity(form.moves.len() / 5 + 1);
        for (ply, text) in form.moves.split_whitespace().enumerate() {
            let mv = position.parse_uci(text).map_err(|_| FormError::Move { text: text.to_owned(), ply })?;
            position = position.play_unchecked(mv);
            moves.push(mv);
        }
        let played = moves.len().saturating_sub(form.book);
        let lengths = [form.scores.len(), form.depths.len(), form.nodes.len(), form.times.len()];
        if form.book > moves.len() || lengths.iter().any(|&length| length != played) {
            return Err(FormError::Thoughts { played, thoughts: lengths.into_iter().min().unwrap_or(0) });
        }
        let scores = form.scores.into_iter().map(|score| score.map(parse_score).transpose());
        let rest = form.depths.into_iter().zip(form.nodes).zip(form.times);
        let thoughts = scores.zip(rest).map(|(score, ((depth, nodes), time))| {
            Ok(MoveInfo { score: score?, depth, nodes, time: Duration::from_micros(time) })
        });
        Ok(GameRecord {
            start,
            moves,
            book_plies: form.book,
            thoughts: thoughts.collect::<Result<_, _>>()?,
            ending: read_result(&form.result).ok_or(FormError::Result(form.result))?,
            reason: form.reason,
            fault: form.fault,
        })
    }
}

fn read_result(text: &str) -> Option<GameEnd> {
    let endings = [GameEnd::Won(Color::White), GameEnd::Won(Color::Black), GameEnd::Drawn];
    endings.into_iter().find(|ending| ending.score() == text)
}

fn score_text(score: Score) -> ScoreText {
    match score.to_uci() {
        UciScore::Centipawns(value) => ScoreText::Centipawns(value),
        mate => ScoreText::Mate(mate.in_pawns("M", "-M")),
    }
}

fn parse_score(text: ScoreText) -> Result<Score, FormError> {
    let text = match text {
        ScoreText::Centipawns(value) => return Ok(Score::new(value)),
        ScoreText::Mate(text) => text,
    };
    let score = match text.strip_prefix("-M") {
        Some(moves) => moves.parse().ok().map(UciScore::MatedIn),
        None => text.strip_prefix('M').and_then(|moves| moves.parse().ok()).map(UciScore::MateIn),
    };
    score.map(Score::from).ok_or(FormError::Score(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = concat!(
        r#"{"moves":"f2f3 e7e5 g2g4 d8h4","book":1,"scores":[35,null,"M1"],"depths":[9,0,1],"nodes":[1200,0,30],"#,
        r#""times":[1500,20,0],"result":"0-1","reason":"checkmate"}"#
    );

    #[test]
    fn a_game_is_one_line_that_reads_back() {
        let record: GameRecord = serde_json::from_str(GAME).expect("a game");
        assert_eq!(record.winner(), Some(Color::Black));
        assert_eq!(record.thought(0), None, "the book does not think");
        assert_eq!(record.thought(1).map(|thought| thought.nodes), Some(1200));
        assert_eq!(record.thought(3).and_then(|thought| thought.score), Some(Score::mate_in(1)));
        assert_eq!(serde_json::to_string(&record).expect("it can be written"), GAME);
        assert!(record.game().position().is_checkmate());
    }

    #[test]
    fn a_game_from_another_start_keeps_it_in_chess960_too() {
        let start = Position::double_chess960(7, 300).expect("a line-up");
        let mut record: GameRecord = serde_json::from_str(GAME).expect("a game");
        record = GameRecord { start, moves: vec![start.legal_moves()[0]], thoughts: Vec::new(), ..record };
        let text = serde_json::to_string(&record).expect("it can be written");
        assert_eq!(serde_json::from_str::<GameRecord>(&text).expect("a game"), record);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for (right, wrong, error) in [
            ("d8h4", "d8h5", "\"d8h5\" is no legal move at ply 3"),
            ("[9,0,1]", "[9,0]", "3 moves were played after the book, but there are 2 thoughts"),
            ("\"book\":1", "\"book\":9", "0 moves were played after the book, but there are 3 thoughts"),
            ("0-1", "0-2", "\"0-2\" is no result of a game"),
            ("M1", "Q1", "\"Q1\" is no score"),
            ("{\"moves\"", "{\"start\":\"x\",\"moves\"", "the start \"x\" is no position"),
        ] {
            let refusal = serde_json::from_str::<GameRecord>(&GAME.replace(right, wrong)).expect_err("no game");
            assert!(refusal.to_string().contains(error), "{refusal}");
        }
    }
}
