//! Games that need not be played to their end: both players agree who wins, a tablebase knows, or it takes too long.
//!
//! Scores are the players' own, as they tell them with their moves. A player who tells none is never taken at their
//! word, so that such games go on.

use minds::Score;
use rules::{ByColor, Color, Position};
use search::{Tablebase, TablebaseResult};
use serde::{Deserialize, Serialize};

/// When a game is ended from outside. Without any rule, never.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Adjudication {
    /// When neither side seems to win.
    pub draw: Option<DrawRule>,
    /// When one side seems to win.
    pub win: Option<ResignRule>,
    /// The most pieces, kings included, of positions that a tablebase judges, if not as many as it knows.
    pub tablebase_pieces: Option<usize>,
    /// A draw after so many moves of each player, those of the book included.
    pub longest: Option<usize>,
}

/// A draw, when both players have expected one for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before each player has made so many moves, those of the book included.
    pub from_move: usize,
    /// For how many moves in a row each player must have said so. A capture or a pawn move begins the count anew.
    pub moves: usize,
    /// The most centipawns that still mean a draw.
    pub within: i32,
}

/// A win, as if the loser resigned, when it has been expected for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResignRule {
    /// For how many moves in a row it must have been said.
    pub moves: usize,
    /// The fewest centipawns that mean a win.
    pub beyond: i32,
    /// Whose scores must say so. Journals call it `witnesses`.
    #[serde(rename = "witnesses")]
    pub claimed_by: ResignClaim,
}

/// Whose scores end a game by resignation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResignClaim {
    /// Both players.
    #[default]
    Both,
    /// The loser alone.
    Loser,
}

/// For how many moves in a row a player has expected what.
#[derive(Clone, Copy, Default)]
struct Streaks {
    draw: usize,
    win: usize,
    loss: usize,
}

/// What the scores of a game say so far.
pub(crate) struct Opinions<'a> {
    rules: &'a Adjudication,
    streaks: ByColor<Streaks>,
}

/// What the players' scores come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Consensus {
    Won(Color),
    Drawn,
}

impl<'a> Opinions<'a> {
    pub(crate) fn new(rules: &'a Adjudication) -> Opinions<'a> {
        Opinions { rules, streaks: ByColor::default() }
    }

    /// A player has moved, to this position, with this score.
    pub(crate) fn record(&mut self, mover: Color, score: Option<Score>, after: &Position) {
        let value = score.map(Score::value);
        let lengthen = |streak: &mut usize, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
        if let Some(rule) = self.rules.draw {
            if after.halfmove_clock() == 0 {
                self.streaks[!mover].draw = 0;
                self.streaks[mover].draw = 0;
            } else {
                let is_even = value.is_some_and(|value| value.abs() <= rule.within);
                lengthen(&mut self.streaks[mover].draw, is_even);
            }
        }
        if let Some(rule) = self.rules.win {
            let streaks = &mut self.streaks[mover];
            lengthen(&mut streaks.win, value.is_some_and(|value| value >= rule.beyond));
            lengthen(&mut streaks.loss, value.is_some_and(|value| value <= -rule.beyond));
        }
    }

    /// What the players agree on after so many plies, if they do.
    pub(crate) fn consensus(&self, plies: usize) -> Option<Consensus> {
        if let Some(rule) = self.rules.win {
            let wins = |winner: Color| {
                let has_said = match rule.claimed_by {
                    ResignClaim::Both => self.streaks[winner].win >= rule.moves,
                    ResignClaim::Loser => true,
                };
                has_said && self.streaks[!winner].loss >= rule.moves
            };
            if let Some(winner) = Color::ALL.into_iter().find(|&color| wins(color)) {
                return Some(Consensus::Won(winner));
            }
        }
        let rule = self.rules.draw.filter(|rule| plies >= 2 * rule.from_move)?;
        Color::ALL.into_iter().all(|color| self.streaks[color].draw >= rule.moves).then_some(Consensus::Drawn)
    }
}

/// What a tablebase says of a position, if it may be asked: a win only where the fifty-move rule cannot spoil it, which
/// it can wherever its counter runs already.
pub(crate) fn ask_tablebase(
    tablebase: &dyn Tablebase,
    rules: &Adjudication,
    position: &Position,
) -> Option<Option<Color>> {
    let most_pieces = rules.tablebase_pieces.map_or(tablebase.most_pieces(), |most| most.min(tablebase.most_pieces()));
    if position.occupied().count() as usize > most_pieces || position.castling_rights() != rules::CastlingRights::NONE {
        return None;
    }
    let us = position.turn();
    match tablebase.result(position)? {
        TablebaseResult::Draw | TablebaseResult::BlessedLoss | TablebaseResult::CursedWin => Some(None),
        TablebaseResult::Win | TablebaseResult::Loss if position.halfmove_clock() > 0 => None,
        TablebaseResult::Win => Some(Some(us)),
        TablebaseResult::Loss => Some(Some(!us)),
    }
}
