//! A player over many games: accuracy by phase, errors, their reasons, openings, and time.

use std::collections::BTreeMap;
use std::fmt;

use records::pgn::PgnResult;
use rules::Color;
use serde::Serialize;

use crate::chances::mean_accuracy;
use crate::digest::{DigestedMove, GameDigest};
use crate::{Judgement, Phase};

/// A player over many games.
#[derive(Clone, Default, Debug, Serialize)]
pub struct PlayerSummary {
    /// The name that was asked for.
    pub player: String,
    /// Games, and how they ended.
    pub score: GameScore,
    /// Moves of the player.
    pub moves: usize,
    /// The mean accuracy of all moves, counted as in a review.
    pub accuracy: Option<f64>,
    /// The same by phase: opening, middlegame, endgame.
    pub phases: Vec<PhaseSummary>,
    /// How many moves got which name.
    pub judgements: BTreeMap<&'static str, usize>,
    /// How many criticised moves had which reason.
    pub reasons: BTreeMap<String, usize>,
    /// The openings, the most frequent first.
    pub openings: Vec<OpeningSummary>,
    /// How time was used, if the games have clocks.
    pub time: Option<TimeSummary>,
    #[serde(skip)]
    counted: Vec<DigestedMove>,
}

/// How games ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct GameScore {
    /// All games.
    pub games: usize,
    /// Won.
    pub won: usize,
    /// Drawn.
    pub drawn: usize,
    /// Lost.
    pub lost: usize,
}

/// A phase over many games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PhaseSummary {
    /// The phase.
    pub phase: Phase,
    /// Moves in it.
    pub moves: usize,
    /// The accuracy of those with a choice.
    pub accuracy: Option<f64>,
    /// Mistakes, misses and blunders in it.
    pub serious: usize,
}

/// An opening over many games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OpeningSummary {
    /// Its code.
    pub eco: String,
    /// Its name, without the variation.
    pub name: String,
    /// White or black.
    pub color: &'static str,
    /// The games with it.
    pub score: GameScore,
    /// The accuracy of the player's moves in them.
    pub accuracy: Option<f64>,
    #[serde(skip)]
    accuracies: Vec<f64>,
}

/// How time was used, of moves whose clock is known.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub struct TimeSummary {
    /// Seconds for a move, on average.
    pub seconds: f64,
    /// Seconds for a mistake, a miss or a blunder, on average.
    pub seconds_on_serious: Option<f64>,
    /// Serious errors with less than half a minute on the clock.
    pub serious_in_time_trouble: usize,
    #[serde(skip)]
    sums: [f64; 2],
    #[serde(skip)]
    counts: [usize; 2],
}

/// Fewer seconds than this on the clock are time trouble.
const TIME_TROUBLE: f64 = 30.0;

impl GameScore {
    fn add(&mut self, color: Color, result: PgnResult) {
        self.games += 1;
        match (result, color) {
            (PgnResult::WhiteWins, Color::White) | (PgnResult::BlackWins, Color::Black) => self.won += 1,
            (PgnResult::Draw, _) => self.drawn += 1,
            (PgnResult::Unknown, _) => {}
            _ => self.lost += 1,
        }
    }
}

impl PlayerSummary {
    /// Nothing yet about a player.
    pub fn new(player: &str) -> PlayerSummary {
        PlayerSummary { player: player.to_owned(), ..PlayerSummary::default() }
    }

    /// The color a player had in a game: a name that begins as asked, whatever the case.
    fn color_in(&self, game: &GameDigest) -> Option<Color> {
        let wanted = self.player.to_lowercase();
        Color::ALL.into_iter().find(|&color| game.player(color).to_lowercase().starts_with(&wanted))
    }

    /// Adds a game, if the player is in it.
    pub fn add(&mut self, game: &GameDigest) {
        let Some(color) = self.color_in(game) else { return };
        self.score.add(color, game.result());
        let own = || game.moves(color);
        self.moves += own().count();
        for judged in own() {
            *self.judgements.entry(judged.judgement.name()).or_default() += 1;
            if let Some(reason) = &judged.reason {
                *self.reasons.entry(reason.clone()).or_default() += 1;
            }
        }
        self.counted.extend(own().cloned());
        self.accuracy = mean_accuracy(self.counted.iter().filter_map(DigestedMove::counted));
        self.phases = Phase::ALL.into_iter().map(|phase| self.phase(phase)).collect();
        self.add_opening(color, game);
        self.add_time(color, game);
    }

    fn phase(&self, phase: Phase) -> PhaseSummary {
        let inside = || self.counted.iter().filter(move |judged| judged.phase == phase);
        PhaseSummary {
            phase,
            moves: inside().count(),
            accuracy: mean_accuracy(inside().filter_map(DigestedMove::counted)),
            serious: inside().filter(|judged| judged.judgement.is_serious()).count(),
        }
    }

    fn add_opening(&mut self, color: Color, game: &GameDigest) {
        let Some(opening) = &game.opening else { return };
        let name = opening.name.split(':').next().unwrap_or_default();
        let color_name = if color == Color::White { "white" } else { "black" };
        let known = self.openings.iter_mut().find(|known| known.name == name && known.color == color_name);
        let entry = match known {
            Some(known) => known,
            None => {
                self.openings.push(OpeningSummary {
                    eco: opening.eco.clone(),
                    name: name.to_owned(),
                    color: color_name,
                    score: GameScore::default(),
                    accuracy: None,
                    accuracies: Vec::new(),
                });
                self.openings.last_mut().expect("it was just added")
            }
        };
        entry.score.add(color, game.result());
        entry.accuracies.extend(mean_accuracy(game.moves(color).filter_map(DigestedMove::counted)));
        let count = entry.accuracies.len();
        entry.accuracy = (count > 0).then(|| entry.accuracies.iter().sum::<f64>() / count as f64);
        self.openings.sort_by_key(|opening| std::cmp::Reverse(opening.score.games));
    }

    fn add_time(&mut self, color: Color, game: &GameDigest) {
        for judged in game.moves(color) {
            let time = self.time.get_or_insert_default();
            if let Some(seconds) = judged.seconds {
                for kind in 0..=usize::from(judged.judgement.is_serious()) {
                    time.sums[kind] += seconds;
                    time.counts[kind] += 1;
                }
            }
            if judged.judgement.is_serious() && judged.clock.is_some_and(|left| left < TIME_TROUBLE) {
                time.serious_in_time_trouble += 1;
            }
        }
        if let Some(time) = &mut self.time {
            let mean = |kind: usize| (time.counts[kind] > 0).then(|| time.sums[kind] / time.counts[kind] as f64);
            (time.seconds, time.seconds_on_serious) = (mean(0).unwrap_or_default(), mean(1));
        }
        self.time = self.time.filter(|time| time.counts[0] > 0);
    }
}

pub(crate) fn percent(accuracy: Option<f64>) -> String {
    accuracy.map_or("–".to_owned(), |accuracy| format!("{accuracy:.1} %"))
}

impl PlayerSummary {
    /// The reasons, the most frequent first.
    pub(crate) fn reasons_by_count(&self) -> Vec<(&str, usize)> {
        let mut reasons: Vec<_> = self.reasons.iter().map(|(kind, &count)| (kind.as_str(), count)).collect();
        reasons.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        reasons
    }

    /// How time was used, in a sentence.
    pub(crate) fn time_in_words(&self) -> Option<String> {
        let TimeSummary { seconds, seconds_on_serious, serious_in_time_trouble, .. } = self.time?;
        let on_serious =
            seconds_on_serious.map_or(String::new(), |seconds| format!(", {seconds:.1} on mistakes and blunders"));
        Some(format!(
            "{seconds:.1} seconds a move{on_serious}; {serious_in_time_trouble} of those in the last half minute."
        ))
    }
}

/// Markdown.
impl fmt::Display for PlayerSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameScore { games, won, drawn, lost } = self.score;
        writeln!(f, "# {}\n", self.player)?;
        let noun = if games == 1 { "game" } else { "games" };
        writeln!(f, "{games} {noun}: {won} won, {drawn} drawn, {lost} lost. Accuracy {}.\n", percent(self.accuracy))?;
        writeln!(f, "| phase | moves | accuracy | mistakes and blunders |\n|---|---:|---:|---:|")?;
        for PhaseSummary { phase, moves, accuracy, serious } in &self.phases {
            writeln!(f, "| {} | {moves} | {} | {serious} |", phase.name(), percent(*accuracy))?;
        }
        writeln!(f, "\n| moves | |\n|---|---:|")?;
        for judgement in Judgement::ALL {
            if let Some(count) = self.judgements.get(judgement.name()) {
                writeln!(f, "| {} | {count} |", judgement.name())?;
            }
        }
        let reasons = self.reasons_by_count();
        if !reasons.is_empty() {
            writeln!(f, "\n| what goes wrong | times |\n|---|---:|")?;
            for (kind, count) in reasons {
                writeln!(f, "| {} | {count} |", crate::Reason::fault(kind))?;
            }
        }
        if !self.openings.is_empty() {
            writeln!(
                f,
                "\n| opening | color | games | won | drawn | lost | accuracy |\n|---|---|---:|---:|---:|---:|---:|"
            )?;
            for OpeningSummary { eco, name, color, score, accuracy, .. } in &self.openings {
                let GameScore { games, won, drawn, lost } = score;
                let accuracy = percent(*accuracy);
                writeln!(f, "| {eco} {name} | {color} | {games} | {won} | {drawn} | {lost} | {accuracy} |")?;
            }
        }
        if let Some(words) = self.time_in_words() {
            writeln!(f, "\n{words}")?;
        }
        Ok(())
    }
}
