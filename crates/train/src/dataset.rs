//! From packed games to samples: which positions are worth learning from, and which games are kept for the examination.

use std::path::Path;

use chance::Chance;
use records::packed::{Moment, PackedError, PackedGame, Reader};
use rules::Color;

use crate::{Ending, Sample};

/// Which positions are left out. A network is to judge quiet positions; the search takes care of the others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// How many plies at the beginning of a game are left out: much alike, or random.
    pub opening: usize,
    /// Whether positions in check stay in.
    pub keeps_checks: bool,
    /// Whether positions stay in from which a capture or a promotion was played.
    pub keeps_tactics: bool,
    /// The largest score either way; those of mates lie far above.
    pub most_score: u16,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { opening: 16, keeps_checks: false, keeps_tactics: false, most_score: 10_000 }
    }
}

/// Why a position was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Keep,
    Opening,
    Check,
    Tactics,
    Score,
}

impl Filter {
    fn judge(&self, moment: &Moment) -> Verdict {
        let Moment { position, mv, .. } = moment;
        if moment.ply < self.opening {
            Verdict::Opening
        } else if moment.score.unsigned_abs() > self.most_score {
            Verdict::Score
        } else if !self.keeps_tactics && (position.is_capture(*mv) || mv.promotion_role().is_some()) {
            Verdict::Tactics
        } else if !self.keeps_checks && position.is_check() {
            Verdict::Check
        } else {
            Verdict::Keep
        }
    }
}

/// How many games and positions were read, and how many were left out for which reason.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// All games.
    pub games: u64,
    /// Those among them whose positions are held out.
    pub held_out_games: u64,
    /// All positions.
    pub positions: u64,
    /// Left out: at the beginning of a game.
    pub opening: u64,
    /// Left out: in check.
    pub checks: u64,
    /// Left out: a capture or a promotion was played.
    pub tactics: u64,
    /// Left out: a score too large to learn from.
    pub scores: u64,
}

/// Samples to learn from, and samples of other games to be examined with.
#[derive(Clone, PartialEq, Debug)]
pub struct DataSet {
    filter: Filter,
    seed: u64,
    held_out_share: f64,
    samples: Vec<Sample>,
    held_out: Vec<Sample>,
    counts: Counts,
}

impl DataSet {
    /// No samples yet. Of all games a share is held out, drawn by the seed: the positions of one game are too much alike to
    /// be on both sides.
    pub fn new(filter: Filter, held_out_share: f64, seed: u64) -> DataSet {
        DataSet { filter, seed, held_out_share, samples: Vec::new(), held_out: Vec::new(), counts: Counts::default() }
    }

    /// Adds the positions of a game that pass the filter.
    pub fn add_game(&mut self, game: &PackedGame) {
        let is_held_out = Chance::numbered(self.seed, self.counts.games).part() < self.held_out_share;
        self.counts.games += 1;
        self.counts.held_out_games += u64::from(is_held_out);
        let samples = if is_held_out { &mut self.held_out } else { &mut self.samples };
        for moment in game.moments() {
            self.counts.positions += 1;
            match self.filter.judge(&moment) {
                Verdict::Keep => samples.push(sample(&moment)),
                Verdict::Opening => self.counts.opening += 1,
                Verdict::Check => self.counts.checks += 1,
                Verdict::Tactics => self.counts.tactics += 1,
                Verdict::Score => self.counts.scores += 1,
            }
        }
    }

    /// Adds the games of a file. Damage in it is stepped over and told to `complain`; what is no file of games is an error.
    /// After every game `progress` hears how many positions have been read.
    pub fn add_file(
        &mut self,
        path: &Path,
        mut complain: impl FnMut(&PackedError),
        mut progress: impl FnMut(u64),
    ) -> Result<(), PackedError> {
        for game in Reader::open(path)? {
            match game {
                Ok(game) => self.add_game(&game),
                Err(error @ PackedError::Io(_)) => return Err(error),
                Err(error) => complain(&error),
            }
            progress(self.counts.positions);
        }
        Ok(())
    }

    /// What there is to learn from.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// What nobody may learn from.
    pub fn held_out(&self) -> &[Sample] {
        &self.held_out
    }

    /// What was read and left out.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

fn sample(moment: &Moment) -> Sample {
    let player = moment.position.turn();
    let score = match player {
        Color::White => moment.score,
        Color::Black => moment.score.saturating_neg(),
    };
    Sample::new(&moment.position, score, Ending::for_player(player, moment.result.winner()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::GameResult;
    use records::packed::Ply;
    use rules::Position;

    /// A game of chance in which every score is the number of the ply.
    fn random_game(seed: u64) -> PackedGame {
        let mut chance = Chance::new(seed);
        let start = Position::initial();
        let mut position = start;
        let mut plies = Vec::new();
        while let (true, Some(mv)) = (plies.len() < 120, chance.pick(&position.legal_moves())) {
            plies.push(Ply { mv, score: plies.len() as i16 });
            position = position.play_unchecked(mv);
        }
        PackedGame::new(start, plies, GameResult::WhiteWins).expect("the moves are legal")
    }

    #[test]
    fn loud_positions_and_openings_are_left_out() {
        let filter = Filter { most_score: 100, ..Filter::default() };
        let mut data = DataSet::new(filter, 0.0, 1);
        (0..50).for_each(|seed| data.add_game(&random_game(seed)));
        let counts = data.counts();
        let Counts { opening, checks, tactics, scores, .. } = counts;
        assert_eq!(data.samples().len() as u64, counts.positions - opening - checks - tactics - scores);
        assert!(opening == 50 * 16 && checks > 20 && tactics > 200 && scores > 200, "{counts:?}");
        let everything = Filter { opening: 0, keeps_checks: true, keeps_tactics: true, most_score: u16::MAX };
        let mut data = DataSet::new(everything, 0.0, 1);
        (0..50).for_each(|seed| data.add_game(&random_game(seed)));
        assert_eq!(data.samples().len() as u64, counts.positions);
    }

    #[test]
    fn scores_and_results_are_turned_to_the_player_to_move() {
        let everything = Filter { opening: 0, keeps_checks: true, keeps_tactics: true, most_score: u16::MAX };
        let mut data = DataSet::new(everything, 0.0, 1);
        data.add_game(&random_game(3));
        for (ply, sample) in data.samples().iter().enumerate() {
            let (score, ending) = if ply % 2 == 0 { (ply as i16, Ending::Win) } else { (-(ply as i16), Ending::Loss) };
            assert_eq!((sample.score(), sample.ending()), (score, ending), "ply {ply}");
        }
    }

    #[test]
    fn whole_games_are_held_out_and_the_same_ones_again() {
        let read = |share| {
            let mut data = DataSet::new(Filter::default(), share, 7);
            (0..300).for_each(|seed| data.add_game(&random_game(seed % 10)));
            data
        };
        let data = read(0.1);
        assert!((15..50).contains(&data.counts().held_out_games), "{:?}", data.counts());
        assert!(!data.held_out().is_empty() && data.held_out().len() < data.samples().len() / 4);
        assert_eq!(data, read(0.1));
        assert!(read(0.0).held_out().is_empty());
        assert_eq!(data.samples().len() + data.held_out().len(), read(0.0).samples().len());
    }
}
