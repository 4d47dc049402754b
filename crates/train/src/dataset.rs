//! From packed games to samples: which positions are trained on, and which games are kept for validation.

use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use random::Random;
use records::packed::{Moment, PackedError, PackedGame, Reader};
use records::source;
use rules::Color;

use crate::{Sample, Wdl};

/// Which positions are left out. A network evaluates quiet positions; the search resolves the others.
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
enum Filtered {
    Keep,
    Opening,
    Check,
    Tactics,
    Score,
}

impl Filter {
    /// Whether a position is learned from.
    pub fn keeps(&self, moment: &Moment) -> bool {
        self.judge(moment) == Filtered::Keep
    }

    fn judge(&self, moment: &Moment) -> Filtered {
        let Moment { position, mv, .. } = moment;
        if moment.ply < self.opening {
            Filtered::Opening
        } else if moment.score.unsigned_abs() > self.most_score {
            Filtered::Score
        } else if !self.keeps_tactics && (position.is_capture(*mv) || mv.promotion_role().is_some()) {
            Filtered::Tactics
        } else if !self.keeps_checks && position.is_check() {
            Filtered::Check
        } else {
            Filtered::Keep
        }
    }
}

/// How many games and positions were read, and how many were left out for which reason.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DatasetCounts {
    /// All games.
    pub games: u64,
    /// Those among them that are kept for validation.
    pub validation_games: u64,
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

/// Is told how the reading of files goes, from several threads.
pub trait ReadWatcher {
    /// A game of a file was read; so many positions were read in all.
    fn progress(&self, file: usize, positions: u64);

    /// Something in a file is damaged and was stepped over.
    fn damage(&self, file: usize, error: &PackedError);
}

/// Samples to train on, and samples of other games for validation.
#[derive(Clone, PartialEq, Debug)]
pub struct DataSet {
    filter: Filter,
    seed: u64,
    validation_share: f64,
    samples: Vec<Sample>,
    validation: Vec<Sample>,
    counts: DatasetCounts,
}

impl DataSet {
    /// No samples yet. Of all games a share is kept for validation, drawn by the seed: positions of one game are too
    /// much alike to be on both sides.
    pub fn new(filter: Filter, validation_share: f64, seed: u64) -> DataSet {
        DataSet {
            filter,
            seed,
            validation_share,
            samples: Vec::new(),
            validation: Vec::new(),
            counts: DatasetCounts::default(),
        }
    }

    /// Adds the positions of a game that pass the filter.
    pub fn add_game(&mut self, game: &PackedGame) {
        let is_validation = Random::numbered(self.seed, self.counts.games).fraction() < self.validation_share;
        self.counts.games += 1;
        self.counts.validation_games += u64::from(is_validation);
        let samples = if is_validation { &mut self.validation } else { &mut self.samples };
        for moment in game.moments() {
            self.counts.positions += 1;
            match self.filter.judge(&moment) {
                Filtered::Keep => samples.push(sample(&moment)),
                Filtered::Opening => self.counts.opening += 1,
                Filtered::Check => self.counts.checks += 1,
                Filtered::Tactics => self.counts.tactics += 1,
                Filtered::Score => self.counts.scores += 1,
            }
        }
    }

    /// The samples of files, read by several threads, which changes the time and nothing else.
    ///
    /// Damage in a file is stepped over and told to the watcher; what is no file of games, or one that is damaged for
    /// more than half, is an error, with the number of the file.
    pub fn read(
        files: &[impl AsRef<Path> + Sync],
        filter: Filter,
        validation_share: f64,
        seed: u64,
        threads: usize,
        watcher: &(dyn ReadWatcher + Sync),
    ) -> Result<DataSet, (usize, PackedError)> {
        let (next, positions) = (AtomicUsize::new(0), AtomicU64::new(0));
        let parts: Vec<Mutex<Option<Result<DataSet, PackedError>>>> = files.iter().map(|_| Mutex::new(None)).collect();
        thread::scope(|scope| {
            for _ in 0..threads.clamp(1, files.len().max(1)) {
                scope.spawn(|| {
                    while let Some(number) =
                        Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&file| file < files.len())
                    {
                        // Every file draws its own games to hold out.
                        let seed = Random::numbered(seed, number as u64).next_u64();
                        let mut part = DataSet::new(filter, validation_share, seed);
                        let read = part.add_file(files[number].as_ref(), |event| match event {
                            Ok(added) => {
                                watcher.progress(number, positions.fetch_add(added, Ordering::Relaxed) + added)
                            }
                            Err(error) => watcher.damage(number, error),
                        });
                        *parts[number].lock().expect("no thread panics while it holds a part") =
                            Some(read.map(|()| part));
                    }
                });
            }
        });
        let mut whole = DataSet::new(filter, validation_share, seed);
        for (number, part) in parts.into_iter().enumerate() {
            let part = part.into_inner().expect("no thread panics while it holds a part");
            whole.append(part.expect("every file is read").map_err(|error| (number, error))?);
        }
        Ok(whole)
    }

    /// Adds the games of a file, and tells how many positions each had, or what is wrong with it.
    fn add_file(&mut self, path: &Path, mut tell: impl FnMut(Result<u64, &PackedError>)) -> Result<(), PackedError> {
        let mut reader = Reader::new(source::open_input(path).map_err(io::Error::from)?)?;
        let mut damaged = 0;
        for game in reader.by_ref() {
            match game {
                Ok(game) => {
                    self.add_game(&game);
                    tell(Ok(game.plies().len() as u64));
                }
                Err(error @ PackedError::Io(_)) => return Err(error),
                Err(error) => {
                    damaged += if let PackedError::Damaged { bytes, .. } = error { bytes } else { 0 };
                    tell(Err(&error));
                }
            }
        }
        // What an interruption has left at the end is damage, too.
        let (bytes, length) = (reader.torn_tail(), reader.length());
        if bytes > 0 {
            tell(Err(&PackedError::Damaged { offset: length.saturating_sub(bytes), bytes }));
            damaged += bytes;
        }
        // A few lost games do not matter. A file that is mostly lost is another file than the one that was meant.
        if damaged > length / 2 { Err(PackedError::MostlyDamaged { damaged, bytes: length }) } else { Ok(()) }
    }

    fn append(&mut self, mut other: DataSet) {
        self.samples.append(&mut other.samples);
        self.validation.append(&mut other.validation);
        let DatasetCounts { games, validation_games, positions, opening, checks, tactics, scores } = other.counts;
        self.counts.games += games;
        self.counts.validation_games += validation_games;
        self.counts.positions += positions;
        self.counts.opening += opening;
        self.counts.checks += checks;
        self.counts.tactics += tactics;
        self.counts.scores += scores;
    }

    /// What there is to learn from.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The samples for validation.
    pub fn validation(&self) -> &[Sample] {
        &self.validation
    }

    /// What was read and left out.
    pub fn counts(&self) -> DatasetCounts {
        self.counts
    }
}

fn sample(moment: &Moment) -> Sample {
    let player = moment.position.turn();
    let score = match player {
        Color::White => moment.score,
        Color::Black => moment.score.saturating_neg(),
    };
    Sample::new(&moment.position, score, Wdl::for_player(player, moment.result.winner()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::GameResult;
    use records::packed::{Ply, Writer};
    use rules::Position;

    /// A random game in which every score is the number of the ply.
    fn random_game(seed: u64) -> PackedGame {
        let mut random = Random::new(seed);
        let start = Position::initial();
        let mut position = start;
        let mut plies = Vec::new();
        while let (true, Some(mv)) = (plies.len() < 120, random.choose(&position.legal_moves())) {
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
        let DatasetCounts { opening, checks, tactics, scores, .. } = counts;
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
            let (score, wdl) = if ply % 2 == 0 { (ply as i16, Wdl::Win) } else { (-(ply as i16), Wdl::Loss) };
            assert_eq!((sample.score(), sample.wdl()), (score, wdl), "ply {ply}");
        }
    }

    /// Counts what was read.
    #[derive(Default)]
    struct ReadCounter {
        damage: AtomicUsize,
        positions: AtomicU64,
    }

    impl ReadWatcher for ReadCounter {
        fn progress(&self, _: usize, positions: u64) {
            self.positions.fetch_max(positions, Ordering::Relaxed);
        }

        fn damage(&self, _: usize, _: &PackedError) {
            self.damage.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn files_are_read_alike_by_any_number_of_threads_and_damage_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = ["a", "b", "c"].map(|name| folder.path().join(name));
        for (number, file) in files.iter().enumerate() {
            let mut bytes = Vec::new();
            let mut writer = Writer::new(&mut bytes).expect("memory can be written");
            for seed in 0..40 {
                writer.write(&random_game(100 * number as u64 + seed)).expect("memory can be written");
                // Ten games to a block.
                if seed % 10 == 9 {
                    writer.flush().expect("memory can be written");
                }
            }
            drop(writer);
            if number == 1 {
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
            }
            std::fs::write(file, bytes).expect("the file can be written");
        }
        let read = |threads, counter: &ReadCounter| DataSet::read(&files, Filter::default(), 0.2, 5, threads, counter);
        let counter = ReadCounter::default();
        let data = read(1, &counter).expect("the files can be read");
        assert_eq!(counter.damage.into_inner(), 1);
        assert_eq!(counter.positions.into_inner(), data.counts().positions);
        assert!(data.counts().games >= 80 && data.counts().validation_games > 5, "{:?}", data.counts());
        assert_eq!(read(3, &ReadCounter::default()).expect("the files can be read"), data);
        folder.close().expect("it can be removed");
        let missing = read(2, &ReadCounter::default()).expect_err("they are gone");
        assert!(matches!(missing, (0, PackedError::Io(_))), "{missing:?}");
    }

    #[test]
    fn a_file_that_is_mostly_damaged_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games");
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes).expect("memory can be written");
        (0..40).for_each(|seed| writer.write(&random_game(seed)).expect("memory can be written"));
        drop(writer);
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&file, &bytes).expect("the file can be written");
        let refused = DataSet::read(&[file], Filter::default(), 0.2, 5, 1, &ReadCounter::default());
        let (number, error) = refused.expect_err("its only block is damaged");
        assert!(matches!(error, PackedError::MostlyDamaged { .. }) && number == 0, "{error}");
        let all = interface::counted(bytes.len() as u64, "byte");
        assert!(error.to_string().ends_with(&format!("of {all} are damaged")), "{error}");
    }

    #[test]
    fn whole_games_are_held_out_and_the_same_ones_again() {
        let read = |share| {
            let mut data = DataSet::new(Filter::default(), share, 7);
            (0..300).for_each(|seed| data.add_game(&random_game(seed % 10)));
            data
        };
        let data = read(0.1);
        assert!((15..50).contains(&data.counts().validation_games), "{:?}", data.counts());
        assert!(!data.validation().is_empty() && data.validation().len() < data.samples().len() / 4);
        assert_eq!(data, read(0.1));
        assert!(read(0.0).validation().is_empty());
        assert_eq!(data.samples().len() + data.validation().len(), read(0.0).samples().len());
    }
}
