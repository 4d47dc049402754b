//! The win/draw/loss model of the search, fitted to games by maximum likelihood.

use std::path::Path;

use anyhow::{Result, ensure};
use records::GameResult;
use records::packed::Reader;
use rules::Color;
use search::{WdlModel, pieces_left};

/// Scores beyond this say nothing about the curve: such games are won.
const HIGHEST_SCORE: i16 = 1500;

/// The bounds of the rows of the table that compares the model with the games.
const ROWS: [f64; 7] = [-300.0, -150.0, -50.0, 50.0, 150.0, 300.0, 600.0];

/// A position of a game, as the player to move saw it.
#[derive(Clone, Copy)]
pub struct Sample {
    /// The score in centipawns.
    pub score: f64,
    /// The part of the pieces that are left.
    pub pieces_left: f64,
    /// What became of the game: 0 for a win, 1 for a draw, 2 for a loss.
    pub outcome: usize,
}

/// The positions of a file of packed games, and how many games it holds.
pub fn read(file: &Path) -> Result<(Vec<Sample>, usize)> {
    let (mut samples, mut games) = (Vec::new(), 0);
    for game in Reader::open(file)? {
        let game = game?;
        games += 1;
        for moment in game.moments().filter(|moment| moment.score.abs() <= HIGHEST_SCORE) {
            let turn = moment.position.turn();
            let sign = if turn == Color::White { 1.0 } else { -1.0 };
            let outcome = match (moment.result, turn) {
                (GameResult::Draw, _) => 1,
                (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => 0,
                _ => 2,
            };
            let pieces_left = pieces_left(&moment.position);
            samples.push(Sample { score: sign * f64::from(moment.score), pieces_left, outcome });
        }
    }
    ensure!(!samples.is_empty(), "there are no positions in {}", file.display());
    Ok((samples, games))
}

/// The model under which the games are most likely, in whole centipawns.
///
/// Each of the four numbers is moved up and down as long as that helps, by ever smaller steps.
pub fn fit(samples: &[Sample]) -> WdlModel {
    let mut numbers = [200.0, 200.0, 100.0, 100.0];
    let mut best = surprise(&model(numbers), samples);
    let mut step = 64.0;
    while step >= 1.0 {
        let mut has_improved = false;
        for index in 0..numbers.len() {
            for change in [step, -step] {
                let mut trial = numbers;
                trial[index] = f64::max(trial[index] + change, 1.0);
                let outcome = surprise(&model(trial), samples);
                if outcome < best {
                    (numbers, best, has_improved) = (trial, outcome, true);
                }
            }
        }
        if !has_improved {
            step /= 2.0;
        }
    }
    model(numbers)
}

fn model([even_all, even_none, slope_all, slope_none]: [f64; 4]) -> WdlModel {
    WdlModel { even: [even_all, even_none], slope: [slope_all, slope_none] }
}

/// The negative logarithm of the likelihood, per position.
fn surprise(model: &WdlModel, samples: &[Sample]) -> f64 {
    const LEAST: f64 = 1e-6;
    let total: f64 = samples
        .iter()
        .map(|sample| -model.chances(sample.score, sample.pieces_left)[sample.outcome].max(LEAST).ln())
        .sum();
    total / samples.len() as f64
}

/// The games beside the model, as a table in Markdown.
pub fn table(model: &WdlModel, samples: &[Sample]) -> String {
    let mut text = String::from("| score | positions | won, games and model | drawn | lost |\n|---|---|---|---|---|\n");
    for bounds in ROWS.windows(2) {
        let row: Vec<&Sample> =
            samples.iter().filter(|sample| (bounds[0]..bounds[1]).contains(&sample.score)).collect();
        let count = row.len().max(1) as f64;
        let cells = [0, 1, 2].map(|outcome| {
            let games = row.iter().filter(|sample| sample.outcome == outcome).count() as f64;
            let predicted: f64 =
                row.iter().map(|sample| model.chances(sample.score, sample.pieces_left)[outcome]).sum();
            format!("{:.1} %, {:.1} %", 100.0 * games / count, 100.0 * predicted / count)
        });
        text += &format!("| {} to {} | {} | {} |\n", bounds[0], bounds[1], row.len(), cells.join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_that_made_the_games_is_found_again() {
        let made_by = WdlModel { even: [150.0, 300.0], slope: [120.0, 80.0] };
        let mut random = testkit::Random::new(1);
        let mut part = || random.next_u64() as f64 / u64::MAX as f64;
        let samples: Vec<Sample> = (0..200_000)
            .map(|_| {
                let (score, pieces_left) = (1200.0 * part() - 600.0, part());
                let [win, draw, _] = made_by.chances(score, pieces_left);
                let drawn_number = part();
                let outcome = usize::from(drawn_number > win) + usize::from(drawn_number > win + draw);
                Sample { score, pieces_left, outcome }
            })
            .collect();
        let found = fit(&samples);
        let pairs = [(found.even, made_by.even), (found.slope, made_by.slope)];
        for (found, made_by) in pairs.into_iter().flat_map(|(a, b)| [(a[0], b[0]), (a[1], b[1])]) {
            assert!((found - made_by).abs() < 6.0, "{found} is far from {made_by}");
        }
    }
}
