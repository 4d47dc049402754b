//! Finding the reasons: which of the claims that can be made about a bad move are true.
//!
//! An exchange or a fork wins material on the board, and yet the search may know why it does not matter. So a claim
//! about material is made only if the lines that the search gives for the move and for the best move bear it out.

use rules::{Color, Game, Move, Outcome, Position};
use search::{Score, Tablebase, TablebaseResult, UciScore};

use crate::exchange::{WORTH_TELLING, gain, material, settled_material, value_of};
use crate::tactic::WORTH_A_NAME;
use crate::{
    Alternative, Chances, EndgameResults, Exchange, Hanging, HangingCause, Mate, Outlook, Reason, Tactic, Variation,
};

/// A move, what the search would have played, and what it says of both.
pub(crate) struct Case<'c> {
    /// The game, with the move as its last.
    pub(crate) played: &'c Game,
    pub(crate) before: &'c Position,
    pub(crate) best: &'c Variation,
    pub(crate) reply: &'c Variation,
    /// What the best line is worth to the player.
    pub(crate) best_score: Score,
    /// What the game is worth to the opponent after the move.
    pub(crate) reply_score: Score,
    pub(crate) chances_before: Chances,
    pub(crate) tablebase: Option<&'c dyn Tablebase>,
}

impl Case<'_> {
    /// All reasons that hold, those first that explain most; last of all, what the search prefers.
    pub(crate) fn reasons(&self) -> Vec<Reason> {
        let mut reasons = Vec::new();
        reasons.extend(self.allowed_mate().map(Reason::AllowsMate));
        reasons.extend(self.missed_mate().map(Reason::MissesMate));
        reasons.extend(self.draw().or_else(|| self.allowed_stalemate()));
        reasons.extend(self.spoiled_endgame());
        reasons.extend(self.missed_zugzwang());
        if reasons.is_empty() {
            reasons.extend(self.allowed_loss().or_else(|| self.allowed_promotion()));
            reasons.extend(self.missed_gain().or_else(|| self.missed_promotion()));
        }
        // A mate that was missed is the better line.
        if !reasons.iter().any(|reason| matches!(reason, Reason::MissesMate(_))) {
            let outlook = Outlook::of(self.best_score, self.before.turn());
            reasons.push(Reason::BetterLine(Alternative { line: self.best.clone(), outlook }));
        }
        reasons
    }

    /// A mate that was missed, and nothing else, of a move that is good all the same.
    pub(crate) fn missed_mate(&self) -> Option<Mate> {
        match self.best_score.to_uci() {
            UciScore::MateIn(moves) if !self.reply_score.is_loss() => Mate::at_the_end_of(self.best.clone(), moves),
            _ => None,
        }
    }

    fn allowed_mate(&self) -> Option<Mate> {
        match self.reply_score.to_uci() {
            UciScore::MateIn(moves) if !self.best_score.is_loss() => Mate::at_the_end_of(self.reply.clone(), moves),
            _ => None,
        }
    }

    /// The game is drawn by the rules, or will be if the opponent says so.
    fn draw(&self) -> Option<Reason> {
        let after = self.played.position();
        if after.is_stalemate() {
            return (self.chances_before >= Chances::NOT_WINNING).then_some(Reason::Stalemates);
        }
        let drawn = match self.played.outcome() {
            Some(Outcome::Draw(reason)) => Some(reason),
            Some(Outcome::Checkmate { .. }) => None,
            None => self.played.claimable_draw(),
        };
        drawn.filter(|_| self.chances_before >= Chances::WON).map(Reason::DrawsWonGame)
    }

    /// A stalemate at the end of the opponent's line, and not of the best line.
    fn allowed_stalemate(&self) -> Option<Reason> {
        let is_better = self.chances_before >= Chances::NOT_WINNING;
        let is_allowed = self.reply.end().is_stalemate() && !self.best.end().is_stalemate();
        (is_better && is_allowed).then(|| Reason::AllowsStalemate(self.reply.clone()))
    }

    /// What the tablebases say of the endgame with the best move and with the one that was played.
    fn spoiled_endgame(&self) -> Option<Reason> {
        let mv = *self.played.moves().last()?;
        let ranked = self.tablebase?.rank_moves(self.before, true)?;
        let before = ranked.iter().map(|ranked| ranked.result).max()?;
        let after = ranked.iter().find(|ranked| ranked.mv == mv)?.result;
        let results = EndgameResults { before, after };
        results.differ().then_some(Reason::SpoilsEndgame(results))
    }

    /// A best move after which the opponent is lost, and would not be if they could pass, by the tablebases.
    fn missed_zugzwang(&self) -> Option<Reason> {
        let tablebase = self.tablebase?;
        let after = self.before.play_unchecked(self.best.first()?);
        let result = |position: &Position| {
            let ranked = tablebase.rank_moves(position, true)?;
            ranked.iter().map(|ranked| ranked.result).max()
        };
        let passed = after.null_move()?;
        let is_zugzwang = result(&after)? == TablebaseResult::Loss && result(&passed)? <= TablebaseResult::CursedWin;
        is_zugzwang.then(|| Reason::MissesZugzwang(self.best.cut_to(1)))
    }

    /// Material for the player at the end of the line that was played, and of the best line, beyond what there was
    /// before the move.
    fn material_won(&self) -> (i32, i32) {
        let color = self.before.turn();
        let before = material(self.before, color);
        (settled_material(self.reply.end(), color) - before, settled_material(self.best.end(), color) - before)
    }

    /// What the opponent's best reply wins, if that can be proven and the line does not give it back.
    fn allowed_loss(&self) -> Option<Reason> {
        let (played, best) = self.material_won();
        if played > -WORTH_TELLING || best - played < WORTH_TELLING {
            return None;
        }
        let mv = *self.played.moves().last()?;
        let reply = self.reply.first()?;
        if let Some(hanging) = Hanging::after(self.before, mv, reply) {
            return (!self.hangs_anyway(&hanging, reply)).then_some(Reason::Hangs(hanging));
        }
        let tactic = Tactic::of(self.played.position(), reply)?;
        (tactic.wins - gain(self.before, mv) >= WORTH_A_NAME).then_some(Reason::AllowsTactic(tactic))
    }

    /// A promotion in the opponent's line, if there is none in the best line.
    fn allowed_promotion(&self) -> Option<Reason> {
        let them = !self.before.turn();
        let promotes = promotes(self.reply, them) && !promotes(self.best, them);
        promotes.then(|| Reason::AllowsPromotion(self.reply.clone()))
    }

    /// A promotion in the best line, if there is none after the move that was played.
    fn missed_promotion(&self) -> Option<Reason> {
        let us = self.before.turn();
        let has_promoted = self.played.moves().last().is_some_and(|mv| mv.promotion_role().is_some());
        let promotes = promotes(self.best, us) && !promotes(self.reply, us) && !has_promoted;
        promotes.then(|| Reason::MissesPromotion(self.best.clone()))
    }

    /// Whether a piece that was left hanging would hang just as well after the best move: then it is no reason.
    fn hangs_anyway(&self, hanging: &Hanging, reply: Move) -> bool {
        let after_best = self.best.first().map(|best| self.before.play_unchecked(best));
        let still = after_best.filter(|after| after.is_legal(reply) && after.is_capture(reply));
        let value = still.and_then(|after| value_of(&after, reply));
        hanging.cause == HangingCause::Left && value >= Some(hanging.exchange.value)
    }

    /// What the best move would have won, if that can be proven, the line does not give it back, and the move played
    /// did not win as much.
    fn missed_gain(&self) -> Option<Reason> {
        let (played, best) = self.material_won();
        if best < WORTH_TELLING || best - played < WORTH_TELLING {
            return None;
        }
        let mv = *self.played.moves().last()?;
        let best = self.best.first()?;
        let won = value_of(self.before, mv)?.max(0);
        if let Some(exchange) = Exchange::opened_by(self.before, best) {
            return (exchange.value - won >= WORTH_TELLING).then_some(Reason::MissesCapture(exchange));
        }
        let tactic = Tactic::of(self.before, best)?;
        (tactic.wins - won >= WORTH_A_NAME).then_some(Reason::MissesTactic(tactic))
    }
}

/// How soon a promotion has to come to be a reason, in plies.
const SOON: usize = 6;

/// Whether a player promotes a pawn soon, and the new piece is not taken at once.
fn promotes(line: &Variation, color: Color) -> bool {
    let mut position = *line.start();
    let mut moves = line.moves().iter().take(SOON).peekable();
    while let Some(&mv) = moves.next() {
        let is_promotion = position.turn() == color && mv.promotion_role().is_some();
        if is_promotion && moves.peek().is_none_or(|reply| reply.to() != mv.to()) {
            return true;
        }
        position = position.play_unchecked(mv);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rook_that_gives_itself_up_for_stalemate_is_told() {
        let before: Position = "k7/8/2K5/8/8/8/7Q/3r4 w - - 0 1".parse().expect("a legal position");
        let line = |start: Position, names: &[&str]| {
            let mut position = start;
            let moves = names.iter().map(|name| {
                let mv = position.parse_san(name).expect("a legal move");
                position = position.play_unchecked(mv);
                mv
            });
            Variation::new(start, moves.collect::<Vec<_>>())
        };
        let mut played = Game::new(before);
        played.play(before.parse_san("Kb6").expect("a legal move")).expect("a legal move");
        let case = Case {
            played: &played,
            before: &before,
            best: &line(before, &["Qa2+", "Kb8"]),
            reply: &line(*played.position(), &["Rd6+", "Qxd6"]),
            best_score: Score::new(900),
            reply_score: Score::DRAW,
            chances_before: Chances::WON,
            tablebase: None,
        };
        assert_eq!(case.reasons()[0].to_string(), "allows a stalemate (1... Rd6+ 2. Qxd6)");
    }
}
