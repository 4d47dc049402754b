//! How an event goes on.

use std::time::Instant;

use arena::event::EventLog;
use arena::ladder;
use arena::report::Tallies;
use arena::schedule::Format;
use arena::statistics::Performance;

use crate::numbers::hms;
use crate::progress::Bar;

pub(super) struct EventProgress {
    bar: Bar,
    began: Instant,
    shown: Option<Instant>,
    /// Games that were there before.
    before: u64,
}

impl EventProgress {
    pub(super) fn new(log: &EventLog) -> EventProgress {
        // The end of a test or a knockout is not in sight.
        let template = match total(log) {
            Some(_) => "{bar:24} {pos}/{len} games  {msg}",
            None => "{pos} games  {msg}",
        };
        let before = log.results().games();
        EventProgress { bar: Bar::new(template), began: Instant::now(), shown: None, before }
    }

    pub(super) fn show(&mut self, log: &EventLog) {
        // Figures are counted anew only when they are shown.
        if self.shown.is_some_and(|shown| shown.elapsed() < self.bar.refresh_interval()) {
            return;
        }
        self.shown = Some(Instant::now());
        let games = log.results().games();
        let total = total(log);
        let rate = (games - self.before) as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
        let mut parts = vec![figures(log), format!("{rate:.1} games/s")];
        if let Some(total) = total.filter(|_| rate > 0.0) {
            parts.push(format!("{} left", hms(total.saturating_sub(games) as f64 / rate)));
        }
        parts.retain(|part| !part.is_empty());
        self.bar.say(parts.join("  "));
        self.bar.set(games as usize, total.unwrap_or(games) as usize);
    }
}

/// How many games there will be, if that can be said.
fn total(log: &EventLog) -> Option<u64> {
    let plan = log.plan();
    let pairs = plan.schedule.total_pairs(plan.players.len())?;
    plan.sprt.is_none().then(|| pairs.saturating_mul(2))
}

/// The score of a match, or who leads a tournament.
fn figures(log: &EventLog) -> String {
    let plan = log.plan();
    if let Format::Tune(_) = plan.schedule {
        // Both players are the same engine, so that their score says nothing.
        return String::new();
    }
    if let Format::Ladder { .. } = plan.schedule {
        // The first player is the one whom everything is about.
        let ratings = ladder::ratings(plan, log.scores()).ok();
        let first = ratings.and_then(|ratings| ratings.players.first().copied());
        let error = first.and_then(|first| first.error).map_or(String::new(), |error| format!(" ± {error:.0}"));
        return first.map_or(String::new(), |first| format!("{} {:.0}{error}", plan.players[0].name, first.rating));
    }
    if plan.players.len() > 2 {
        let standings = plan.schedule.standings(plan.players.len(), log.scores());
        return standings.first().map_or(String::new(), |first| format!("{} leads", plan.players[first.player].name));
    }
    let Some(score) = Tallies::of(log.scores()).between(0, 1) else { return String::new() };
    let mut text = format!("+{} ={} -{}", score.games.wins, score.games.draws, score.games.losses);
    if let Some(performance) = Performance::of(&score.pairs) {
        text += &format!("  Elo {}", performance.elo);
    }
    if let Some(trial) = log.trial() {
        let sprt = trial.sprt();
        text += &format!("  LLR {:.2} ({:.2}, {:.2})", trial.llr(), sprt.lower(), sprt.upper());
    }
    text
}
