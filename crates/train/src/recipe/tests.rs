//! Recipes are read and printed in one syntax, and start from random weights or from a network.

use nnue::Network;

use super::*;

fn read(text: &str) -> Result<Recipe, String> {
    let mut recipe = Recipe::default();
    recipe.read(text).map(|()| recipe).map_err(|error| error.to_string())
}

#[test]
fn a_recipe_says_only_what_differs_and_reads_what_it_prints() {
    let narrow = read("width=128 lambda=0:0.3").expect("a recipe");
    assert_eq!((narrow.width, narrow.settings.lambda, narrow.settings.last_lambda), (Some(128), 0.0, 0.3));
    assert_eq!(
        narrow.to_string(),
        "width=128 lambda=0:0.3 epochs=8 keep=3 rate=1e-3 batch=16384 average=3 seed=1",
        "what is usual and of no interest is left out"
    );
    for text in [
        "",
        "width=512 king-buckets=4 output-buckets=8 init-scale=0.25 half=yes keep=1",
        "layers=pairwise epoch-size=1e8 last-rate=1e-5 final-epochs=2 warm-up=10 average=1",
        "from=champion king-buckets=0011/2222/3333/3333/3333/3333/3333/3333 no-factoriser=yes",
        "from=a/file.trunk width=1024 penalty=3e-7 rate=4e-4",
        "from=a/file.nnue skip=8 max-score=2000 keep-checks=yes keep-captures=1 validation=0.05 seed=7",
    ] {
        let recipe = read(text).expect(text);
        assert_eq!(read(&recipe.to_string()).as_ref(), Ok(&recipe), "{recipe}");
    }
}

#[test]
fn every_key_prints_what_it_reads() {
    let mut recipe = read("width=64 king-buckets=2 output-buckets=2 epoch-size=100 last-rate=1e-4").expect("a recipe");
    for key in Recipe::KEYS {
        let value = key.value_in(&recipe).expect("it has a value");
        let before = recipe.clone();
        recipe.set(key.name, &value).expect(key.name);
        assert_eq!(recipe, before, "{}", key.name);
    }
}

#[test]
fn options_of_a_command_line_are_the_same_recipe() {
    let words = read("width=32 epochs=2 half=yes lambda=0:0.5 rate=5e-3").expect("words");
    assert_eq!(read("--width 32 --epochs=2 --half --lambda 0,0.5 --rate 5e-3"), Ok(words));
    assert_eq!(read("from=chance"), read("from=random"), "the word of earlier versions");
    assert_eq!(read("rows=0.5 held-out=0.1"), read("init-scale=0.5 validation=0.1"), "the keys of earlier versions");
}

#[test]
fn a_slip_is_told_with_its_key() {
    for (text, expected) in [
        ("width=100", "width: "),
        ("width", "width: expected key=value"),
        ("--width", "width: a value is required"),
        ("penalty=-1", "penalty: expected a number from 0 to 1, found \"-1\""),
        ("penalty=nan", "penalty: expected a number from 0 to 1"),
        ("epochs=0", "epochs: expected a whole number from 1 to 10000, found \"0\""),
        ("rate=0", "rate: expected a number above 0 and up to 1, found \"0\""),
        ("held-out=2", "validation: expected a number from 0 to 1"),
        ("half=maybe", "half: maybe is neither yes nor no"),
        ("lambda=2:3", "lambda: expected a number from 0 to 1"),
        ("colour=red", "there is no colour; there are from, width, "),
        ("output-buckets=50", "output-buckets: "),
        ("layers=deep", "layers: expected straight or pairwise"),
        ("king-buckets=3", "king-buckets: "),
        ("epoch-size=0", "epoch-size: an epoch needs at least one position"),
        ("epoch-size=many", "epoch-size: expected a number of positions, such as 5e7"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

#[test]
fn positions_may_be_counted_in_powers_of_ten() {
    assert_eq!(parse_positions("1e8"), Ok(100_000_000));
    assert_eq!(parse_positions("16384"), Ok(16_384));
    for nonsense in ["", "-5", "many", "nan", "1.5"] {
        assert!(parse_positions(nonsense).is_err(), "{nonsense}");
    }
}

#[test]
fn a_training_starts_at_random_or_from_a_network_with_other_buckets() {
    let network = FloatNetwork::of(&Network::random(1, Architecture::new(64).expect("a width")));
    let mut recipe = read("width=32 king-buckets=4").expect("a recipe");
    assert_eq!(recipe.start(None).expect("random weights").0.to_string(), "(768x4 -> 32)x2 -> 1");
    recipe.read("layers=pairwise").expect("layers");
    assert!(recipe.start(None).is_err(), "32 neurons are too few for pairs");
    recipe.read("width=128").expect("a width");
    assert_eq!(recipe.start(None).expect("random weights").0.layers(), Layers::Pairwise);
    assert_eq!(recipe.start(Some(&network)).expect("it grows").0.to_string(), "(768x4 -> 128)x2 -> 1");
    recipe.read("width=32").expect("a width");
    let narrower = recipe.start(Some(&network)).expect_err("it does not shrink").to_string();
    assert_eq!(narrower, "width 32: the network it starts from has 64 neurons and cannot become narrower");
    let same = read("from=a.trunk").expect("a recipe").start(Some(&network)).expect("the same network");
    assert_eq!(same, (*network.architecture(), network.weights().clone()), "exactly where it ended");
}

#[test]
fn layers_have_names() {
    assert_eq!(["straight", "pairwise"].map(parse_layers), [Ok(Layers::Straight), Ok(Layers::Pairwise)]);
    assert_eq!(parse_layers("many"), Err("expected straight or pairwise".to_owned()));
}
