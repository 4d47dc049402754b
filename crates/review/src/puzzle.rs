//! Puzzles from the mistakes of a game: positions in which one move is much better than all others.

use rules::{Game, Move, Position};

use crate::analysis::{Analysis, Interrupted};
use crate::effort::{Budget, Look};
use crate::judgement::thresholds;
use crate::{Chances, Mate, MoveReview, Phase, Reason, TacticKind};

/// A puzzle: the move that was not found, and how it goes on as long as there is one right move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The position before the opponent's last move.
    pub before: Position,
    /// The opponent's move that leads to the puzzle.
    pub lead: Move,
    /// The moves of the solver and the replies, in turns. The first and the last are the solver's.
    pub solution: Vec<Move>,
    /// What it is about, in the words of the puzzle database of lichess.
    pub themes: Vec<String>,
    /// How many moves of the game were played before the mistake.
    pub ply: usize,
}

/// A solver makes no more moves than this.
const LONGEST: usize = 6;

/// From these points on the solver is winning, or at least better.
const CRUSHING: f64 = 0.9;
const ADVANTAGE: f64 = 0.65;

/// The moves that were right where others were wrong.
struct Solution {
    moves: Vec<Move>,
    /// What the solver can expect in the end.
    expected: f64,
    /// The moves to mate, if it ends in one.
    mate: Option<Mate>,
}

impl Puzzle {
    /// The puzzle in which a mistake is to be avoided, if there was one good move. The game ends before the mistake.
    pub(crate) fn of(
        analysis: &mut Analysis<'_>,
        game: &Game,
        mistake: &MoveReview,
        budget: Budget,
    ) -> Result<Option<Puzzle>, Interrupted> {
        let Some(&lead) = game.moves().last() else { return Ok(None) };
        analysis.clear();
        let solution = solve(analysis, game.clone(), budget)?;
        let Some(first) = solution.moves.first() else { return Ok(None) };
        // Taking back is no riddle.
        if solution.moves.len() == 1 && first.to() == lead.to() {
            return Ok(None);
        }
        let positions = game.positions();
        Ok(Some(Puzzle {
            before: positions[positions.len() - 2],
            lead,
            themes: themes(mistake, &solution),
            solution: solution.moves,
            ply: mistake.ply,
        }))
    }

    /// The position that is to be solved.
    pub fn position(&self) -> Position {
        self.before.play_unchecked(self.lead)
    }
}

/// Follows the best line as long as the solver has one good move.
fn solve(analysis: &mut Analysis<'_>, mut game: Game, budget: Budget) -> Result<Solution, Interrupted> {
    let mut solution = Solution { moves: Vec::new(), expected: 0.0, mate: None };
    let mut reply = None;
    while solution.moves.len() < 2 * LONGEST {
        let position = *game.position();
        let Some(two) = analysis.best_two(&game, budget.limits(Look::Choice))? else { break };
        let expected = Chances::of(two.better.score, &position);
        let is_only_mate = two.better.score.is_mate() && two.better.score.is_win() && !two.worse.score.is_win();
        let is_unique =
            expected.lost_to(Chances::of(two.worse.score, &position)) >= thresholds::BLUNDER || is_only_mate;
        let Some(mv) = two.better.first().filter(|_| is_unique) else { break };
        solution.moves.extend(reply);
        solution.moves.push(mv);
        solution.expected = expected.points();
        if solution.mate.is_none() {
            solution.mate = two.better.mate(&position);
        }
        reply = two.better.moves.get(1).copied();
        let is_played = game.play(mv).is_ok() && reply.is_some_and(|reply| game.play(reply).is_ok());
        if !is_played || game.outcome().is_some() {
            break;
        }
    }
    Ok(solution)
}

fn themes(mistake: &MoveReview, solution: &Solution) -> Vec<String> {
    let mut themes = Vec::new();
    let mut add = |theme: &str| {
        if !themes.iter().any(|known| known == theme) {
            themes.push(theme.to_owned());
        }
    };
    match &solution.mate {
        Some(mate) => {
            add("mate");
            add(&format!("mateIn{}", mate.moves));
            if mate.is_on_back_rank() {
                add("backRankMate");
            }
        }
        None if solution.expected >= CRUSHING => add("crushing"),
        None if solution.expected >= ADVANTAGE => add("advantage"),
        None => add("equality"),
    }
    for reason in &mistake.reasons {
        match reason {
            Reason::MissesCapture(_) => add("hangingPiece"),
            Reason::MissesPromotion(_) => add("promotion"),
            Reason::MissesTactic(tactic) => add(match tactic.kind {
                TacticKind::Fork => "fork",
                TacticKind::Pin => "pin",
                TacticKind::Skewer => "skewer",
                TacticKind::DiscoveredAttack => "discoveredAttack",
                TacticKind::Trap => "trappedPiece",
            }),
            _ => {}
        }
    }
    add(match mistake.phase {
        Phase::Opening => "opening",
        Phase::Middlegame => "middlegame",
        Phase::Endgame => "endgame",
    });
    add(match solution.moves.len().div_ceil(2) {
        1 => "oneMove",
        2 => "short",
        3 => "long",
        _ => "veryLong",
    });
    themes
}
