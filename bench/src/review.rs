//! Reviews beside the opinion of another engine: are the moves that a review criticises really bad, and does it find
//! the blunders?

use anyhow::Result;
use review::{Judgement, MoveReview, Outlook, Reason, Review};
use rules::{Game, Move, Outcome, Position};

use crate::oracle::Oracle;

/// Nodes of the oracle for the first look at each position.
const FIRST_NODES: u64 = 100_000;

/// A first difference that is looked at closely.
const SUSPICIOUS: f64 = 0.12;

/// The loss by the oracle that confirms a criticism.
pub const CONFIRMS: f64 = 0.05;

/// The loss by the oracle that makes a blunder.
pub const BLUNDER: f64 = 0.20;

/// A move that the review criticises, and what the oracle says.
pub struct Criticism {
    /// Before the move.
    pub position: Position,
    /// The move.
    pub mv: Move,
    /// The move that the review prefers.
    pub best: Move,
    /// What the review calls it.
    pub judgement: Judgement,
    /// The kind of its first reason.
    pub reason: &'static str,
    /// What it lost by the review.
    pub lost: f64,
    /// Where the best move and the move lead, by the review.
    pub outlooks: [Outlook; 2],
    /// What the player could expect with the best move and with the move, by the oracle.
    pub expected: [f64; 2],
}

impl Criticism {
    /// What the move lost by the oracle, less than nothing if the oracle prefers it.
    pub fn lost_by_oracle(&self) -> f64 {
        self.expected[0] - self.expected[1]
    }

    /// Whether the oracle agrees that the move is bad.
    pub fn is_confirmed(&self) -> bool {
        self.lost_by_oracle() >= CONFIRMS
    }
}

/// A blunder by the oracle, and what the review calls it.
pub struct Blunder {
    /// Before the move.
    pub position: Position,
    /// The move.
    pub mv: Move,
    /// What it lost by the oracle.
    pub lost: f64,
    /// What the review calls it.
    pub judgement: Judgement,
    /// The kind of the review's first reason.
    pub reason: &'static str,
    /// What it lost by the review.
    pub lost_by_review: f64,
    /// The move that the review prefers, which may be the same.
    pub best: Option<Move>,
    /// Where the best move and the move lead, by the review.
    pub outlooks: [Outlook; 2],
}

/// Lets the oracle compare every criticised move with the one that the review prefers.
pub fn criticisms(oracle: &mut Oracle, review: &Review, nodes: u64) -> Result<Vec<Criticism>> {
    let mut found = Vec::new();
    for judged in review.moves.iter().filter(|judged| judged.judgement.is_error()) {
        let Some(best) = judged.best.first() else { continue };
        let expected = both(oracle, &judged.position, [best, judged.mv], nodes)?;
        found.push(Criticism {
            position: judged.position,
            mv: judged.mv,
            best,
            judgement: judged.judgement,
            reason: first_reason(judged),
            lost: judged.lost,
            outlooks: [judged.outlook_best, judged.outlook],
            expected,
        });
    }
    Ok(found)
}

/// Finds the blunders of a game by the oracle alone.
pub fn blunders(oracle: &mut Oracle, game: &Game, review: &Review, nodes: u64) -> Result<Vec<Blunder>> {
    let mut found = Vec::new();
    let mut before = expected(oracle, &game.positions()[0])?;
    for ((position, next), judged) in game.positions().iter().zip(&game.positions()[1..]).zip(&review.moves) {
        let after = 1.0 - expected(oracle, next)?;
        if before - after >= SUSPICIOUS
            && let Some(best) = oracle.ask(position, None, FIRST_NODES)?.best.filter(|&best| best != judged.mv)
        {
            let [with, without] = both(oracle, position, [best, judged.mv], nodes)?;
            let lost = with - without;
            if lost >= BLUNDER {
                found.push(Blunder {
                    position: *position,
                    mv: judged.mv,
                    lost,
                    judgement: judged.judgement,
                    reason: first_reason(judged),
                    lost_by_review: judged.lost,
                    best: judged.best.first(),
                    outlooks: [judged.outlook_best, judged.outlook],
                });
            }
        }
        before = 1.0 - after;
    }
    Ok(found)
}

/// What kind of reason the review gives first, if it gives one.
fn first_reason(judged: &MoveReview) -> &'static str {
    judged.reasons.first().map_or("none", Reason::kind)
}

/// What the player can expect with the best move and with another.
fn both(oracle: &mut Oracle, position: &Position, [best, mv]: [Move; 2], nodes: u64) -> Result<[f64; 2]> {
    Ok([oracle.ask(position, Some(best), nodes)?.expected, oracle.ask(position, Some(mv), nodes)?.expected])
}

/// What the player to move can expect.
fn expected(oracle: &mut Oracle, position: &Position) -> Result<f64> {
    match position.outcome() {
        Some(Outcome::Checkmate { .. }) => Ok(0.0),
        Some(Outcome::Draw(_)) => Ok(0.5),
        None => Ok(oracle.ask(position, None, FIRST_NODES)?.expected),
    }
}
