//! The course of a tuning: round after round, each kept as soon as it is played, and a match at the end.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arena::statistics::Pentanomial;
use arena::tune::{Rounds, Tuning};
use forge::SearchParameters;
use random::Random;

use super::state::{TuningConditions, TuningState};
use crate::Failure;

/// Plays a match between two sets of parameters: so many pairs on every warp, with the openings of a seed.
pub type Play<'a> = dyn FnMut([SearchParameters; 2], usize, u64) -> Result<Pentanomial, Failure> + 'a;

/// How long a tuning is.
#[derive(Clone, Copy, Default)]
pub struct Length {
    /// So many rounds; if it is not said, as many as can be played in time.
    pub rounds: Option<u64>,
    /// When everything has to be over, the match at the end included.
    pub end: Option<Instant>,
}

/// A tuning and all that decides how it goes on.
pub struct Course<'a> {
    /// The file that it is kept in.
    pub file: &'a Path,
    /// What games are played with.
    pub setting: TuningConditions,
    /// What is tuned.
    pub tuning: Tuning,
    /// How long it is.
    pub length: Length,
    /// Pairs that each warp plays in the match at the end.
    pub confirming_pairs: usize,
    /// What searches by no other numbers.
    pub usual: SearchParameters,
    /// Set to stop after a round.
    pub stop: &'a AtomicBool,
}

/// The part of the time that rounds are planned for: some take longer than others.
const CAUTION: f64 = 0.95;

/// Which openings are drawn for the match at the end, and for the one that is only timed. Rounds count from zero.
const CONFIRMING: u64 = u64::MAX;
const TIMED: u64 = u64::MAX - 1;

impl Course<'_> {
    /// Goes on from where the tuning stood, or begins it, and tells after every round how it stands.
    pub fn run(
        &self,
        kept: Option<TuningState>,
        play: &mut Play,
        watch: &mut dyn FnMut(&TuningState),
    ) -> Result<TuningState, Failure> {
        let mut state = match kept {
            Some(state) => state,
            None => self.begin(play)?,
        };
        let mut longest = Duration::ZERO;
        while let Some(sides) = state.rounds.next() {
            if self.stop.load(Ordering::Relaxed) || self.is_late(longest) {
                return Ok(state);
            }
            let begun = Instant::now();
            let players = sides.map(|values| self.parameters(&values));
            let pairs = play(players, self.setting.pairs, self.seed(state.rounds.results().len() as u64))?;
            longest = longest.max(begun.elapsed());
            state.seconds += begun.elapsed().as_secs_f64();
            state.rounds.add(pairs);
            state.write(self.file)?;
            watch(&state);
        }
        if state.confirmed.is_none() && self.confirming_pairs > 0 && !self.stop.load(Ordering::Relaxed) {
            let found = self.parameters(&rounded(&state.rounds));
            let players = [found, self.usual];
            state.confirmed = Some(play(players, self.confirming_pairs, self.seed(CONFIRMING))?);
            state.write(self.file)?;
        }
        Ok(state)
    }

    /// A tuning with nothing played. Where the time decides how many rounds there are, a match is played to time it.
    fn begin(&self, play: &mut Play) -> Result<TuningState, Failure> {
        let iterations = match self.length {
            Length { rounds: None, end: Some(end) } => {
                let begun = Instant::now();
                play([self.usual; 2], self.setting.pairs, self.seed(TIMED))?;
                let round = begun.elapsed().as_secs_f64().max(1e-6);
                let left = end.saturating_duration_since(Instant::now()).as_secs_f64();
                ((CAUTION * left - round * self.rounds_to_confirm()) / round).max(1.0) as u64
            }
            Length { rounds, .. } => rounds.unwrap_or(self.tuning.iterations),
        };
        let rounds = Rounds::new(Tuning { iterations, ..self.tuning.clone() });
        let rounds = rounds.map_err(|error| Failure::Usage(error.to_string()))?;
        let state = TuningState { setting: self.setting.clone(), rounds, seconds: 0.0, confirmed: None };
        state.write(self.file)?;
        Ok(state)
    }

    /// How many rounds take as long as the match at the end.
    fn rounds_to_confirm(&self) -> f64 {
        self.confirming_pairs as f64 / self.setting.pairs.max(1) as f64
    }

    /// Whether a round as long as the longest, and the match at the end, cannot be played in time.
    fn is_late(&self, longest: Duration) -> bool {
        let needed = longest.mul_f64(1.0 + self.rounds_to_confirm());
        self.length.end.is_some_and(|end| Instant::now() + needed > end)
    }

    fn parameters(&self, values: &[i64]) -> SearchParameters {
        let mut parameters = self.usual;
        for (parameter, &value) in self.tuning.parameters.iter().zip(values) {
            parameters.set(&parameter.name, value as i32);
        }
        parameters
    }

    fn seed(&self, round: u64) -> u64 {
        Random::numbered(self.tuning.seed, round).next_u64()
    }
}

/// The values of a tuning as the search takes them.
fn rounded(rounds: &Rounds) -> Vec<i64> {
    rounds.values().iter().map(|value| value.round() as i64).collect()
}

#[cfg(test)]
mod tests {
    use arena::tune::Parameter;

    use super::*;

    fn tuning() -> Tuning {
        let parameter = |name: &str, start, min, max, step| Parameter { name: name.to_owned(), start, min, max, step };
        let parameters =
            vec![parameter("aspiration_window", 18.0, 5, 60, 2.75), parameter("futility_margin", 97.0, 0, 250, 12.5)];
        Tuning { parameters, iterations: 1, seed: 4, rate: Rounds::USUAL_RATE, lag: 1 }
    }

    fn rounds(rounds: u64) -> Length {
        Length { rounds: Some(rounds), end: None }
    }

    fn course<'a>(file: &'a Path, length: Length, stop: &'a AtomicBool) -> Course<'a> {
        let setting = TuningConditions { network: "a network".to_owned(), nodes: 1000, pairs: 1 };
        let usual = SearchParameters::default();
        Course { file, setting, tuning: tuning(), length, confirming_pairs: 2, usual, stop }
    }

    /// A match as if the best aspiration were 40 and nothing else mattered, the same for the same seed.
    fn play(players: [SearchParameters; 2], pairs: usize, seed: u64) -> Result<Pentanomial, Failure> {
        let merit = |player: SearchParameters| -(f64::from(player.aspiration_window - 40) / 12.0).powi(2);
        let likelihood = 1.0 / (1.0 + (merit(players[1]) - merit(players[0])).exp());
        let mut random = Random::new(seed);
        let mut counts = [0; 5];
        for _ in 0..500 * pairs {
            counts[(0..2).map(|_| 2 * usize::from(random.fraction() < likelihood)).sum::<usize>()] += 1;
        }
        Ok(Pentanomial(counts))
    }

    #[test]
    fn a_tuning_climbs_and_its_match_at_the_end_shows_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, stop) = (folder.path().join("climbs"), AtomicBool::new(false));
        let state = course(&file, rounds(120), &stop).run(None, &mut play, &mut |_| ()).expect("it goes well");
        let values = state.rounds.values();
        assert!((34.0..46.0).contains(&values[0]), "{values:?}");
        let Pentanomial(confirmed) = state.confirmed.expect("all rounds were played");
        assert!(confirmed[4] > 3 * confirmed[0], "{confirmed:?}");
        assert_eq!(TuningState::read(&file).expect("it can be read"), Some(state));
    }

    #[test]
    fn a_tuning_that_was_stopped_ends_with_the_same_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, other, stop) = (folder.path().join("whole"), folder.path().join("stopped"), AtomicBool::new(false));
        let whole = course(&file, rounds(9), &stop).run(None, &mut play, &mut |_| ()).expect("it goes well");
        let stopped = course(&other, rounds(9), &stop);
        let halt = &mut |state: &TuningState| stop.store(state.rounds.results().len() == 4, Ordering::Relaxed);
        let part = stopped.run(None, &mut play, halt).expect("it goes well");
        assert_eq!((part.rounds.results().len(), part.confirmed), (4, None));
        stop.store(false, Ordering::Relaxed);
        let kept = TuningState::read(&other).expect("it can be read");
        let state = stopped.run(kept, &mut play, &mut |_| ()).expect("it goes well");
        assert_eq!((state.rounds, state.confirmed), (whole.rounds, whole.confirmed));
    }

    #[test]
    fn time_decides_how_many_rounds_there_are_and_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, stop) = (folder.path().join("time"), AtomicBool::new(false));
        let mut slow = |players, pairs: usize, seed| {
            std::thread::sleep(Duration::from_millis(20 * pairs as u64));
            play(players, pairs, seed)
        };
        let until = |time| Length { rounds: None, end: Some(Instant::now() + time) };
        let length = until(Duration::from_millis(600));
        let state = course(&file, length, &stop).run(None, &mut slow, &mut |_| ()).expect("it goes well");
        let rounds = state.rounds.tuning().iterations;
        assert!((1..30).contains(&rounds), "{rounds} rounds of 20 ms in 600 ms");
        // What was planned stays so, however long it takes, and is not begun when it is late already.
        let kept = TuningState::read(&file).expect("it can be read").expect("it is there");
        assert_eq!(kept.rounds.tuning().iterations, rounds);
        let late = course(&file, until(Duration::ZERO), &stop);
        let unchanged = late.run(Some(kept.clone()), &mut slow, &mut |_| ()).expect("it goes well");
        assert_eq!(unchanged.rounds, kept.rounds);
    }

    #[test]
    fn another_tuning_is_not_continued() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, stop) = (folder.path().join("other"), AtomicBool::new(false));
        let course = course(&file, rounds(2), &stop);
        let state = course.run(None, &mut play, &mut |_| ()).expect("it goes well");
        assert_eq!(state.require(&course.setting, &tuning(), None), Ok(()));
        assert_eq!(state.require(&course.setting, &tuning(), Some(2)), Ok(()));
        let complaint = |setting: &TuningConditions, tuning: &Tuning, rounds| {
            state.require(setting, tuning, rounds).expect_err("another")
        };
        let other = TuningConditions { nodes: 500, ..course.setting.clone() };
        assert_eq!(complaint(&other, &tuning(), None), "it is of another tuning: --nodes was 1000, not 500");
        assert_eq!(complaint(&course.setting, &tuning(), Some(3)), "it is of another tuning: --rounds was 2, not 3");
        let fewer = Tuning { parameters: tuning().parameters[..1].to_vec(), ..tuning() };
        assert!(
            complaint(&course.setting, &fewer, None)
                .contains("--parameters was aspiration_window=18+-2.75,futility_margin=97+-12.5")
        );
    }
}
