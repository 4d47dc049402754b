//! A tuning by matches of the emulated kernels: the same seed finds the same numbers, in one go or in several.

use arena::statistics::{Pentanomial, Tally};
use arena::tune::{Parameter, Rounds, Tuning};
use nnue::{Architecture, Network};

use super::emulation::play;
use super::{Capacity, Conditions, SearchParameters};

/// A tuning of numbers that matter at once, far enough apart that games differ.
fn rounds() -> Rounds {
    let parameter = |name: &str, step| {
        let tunable =
            SearchParameters::TUNABLES.iter().find(|tunable| tunable.name == name).expect("a number of the search");
        let (start, min, max) = (f64::from(tunable.default), tunable.min.into(), tunable.max.into());
        Parameter { name: name.to_owned(), start, min, max, step }
    };
    let parameters = vec![parameter("quiescence_futility_margin", 60.0), parameter("lmp_base", 5.0)];
    Rounds::new(Tuning { parameters, iterations: 2, seed: 3, rate: 1.0, lag: 1 }).expect("it can be tuned")
}

/// The next round: a pair of games on each of two warps. None where there is no compiler.
fn next_round(rounds: &mut Rounds) -> Option<()> {
    let sides = rounds.next().expect("a round is left").map(|values| {
        let mut parameters = SearchParameters { nodes: 20, ..SearchParameters::default() };
        for (parameter, value) in rounds.tuning().parameters.iter().zip(values) {
            assert!(parameters.set(&parameter.name, value as i32));
        }
        parameters
    });
    assert_ne!(sides[0], sides[1]);
    let network = Network::random(3, Architecture::new(64).expect("a width that is allowed"));
    let conditions = Conditions { seed: rounds.results().len() as u64 + 1, longest: 60, ..Conditions::default() };
    let room = Capacity { records: 1 << 20, games: 2, ..Capacity::default() };
    // A match writes no records, so that it needs no room for them: they are only counted.
    let emulated = play(&sides.map(|parameters| (&network, parameters)), conditions, 2, room)?;
    let mut pairs = Pentanomial::default();
    for pair in emulated.outcomes.chunks(2) {
        pairs.0[usize::from(pair[0] + pair[1])] += 1;
    }
    assert_eq!(pairs.games(), 4);
    rounds.add(pairs);
    Some(())
}

#[test]
fn the_same_seed_tunes_to_the_same_numbers_in_one_go_or_in_two() {
    let mut whole = rounds();
    let Some(()) = next_round(&mut whole) else { return };
    let kept = serde_json::to_string(&whole).expect("numbers can be written");
    next_round(&mut whole).expect("there was a compiler before");
    assert_eq!(whole.next(), None);
    let mut resumed: Rounds = serde_json::from_str(&kept).expect("what was written can be read");
    next_round(&mut resumed).expect("there was a compiler before");
    assert_eq!((resumed.values(), resumed.results()), (whole.values(), whole.results()));
    let mut again = rounds();
    next_round(&mut again).expect("there was a compiler before");
    assert_eq!(again.results()[0], whole.results()[0]);
}
