//! The keys of a recipe: one line of meaning each, and how a value is read and printed.

use std::ops::Bound;

use interface::{parse_count, parse_within};
use nnue::{Architecture, Layers};

use super::{Recipe, RecipeError, StartingWeights};
use crate::{Precision, parse_king_buckets};

/// One of the things that a recipe says.
pub struct Key {
    /// How it is written, as in `epochs=8` or `--epochs 8`.
    pub name: &'static str,
    /// What its value is called; empty for a switch, whose value is yes or no.
    pub value: &'static str,
    /// What it means, in a sentence.
    pub help: &'static str,
    set: fn(&mut Recipe, &str) -> Result<(), String>,
    get: fn(&Recipe) -> Option<String>,
}

impl Key {
    /// The key of a name, or of the name that an earlier version had for it.
    pub fn named(name: &str) -> Option<&'static Key> {
        Recipe::KEYS.iter().find(|key| key.name == name || key.old_name() == Some(name))
    }

    /// What an earlier version called it: ledgers and scripts may still do so.
    pub fn old_name(&self) -> Option<&'static str> {
        match self.name {
            "init-scale" => Some("rows"),
            "validation" => Some("held-out"),
            _ => None,
        }
    }

    /// Whether the value is yes or no. On a command line it may be left out, and is yes then.
    pub fn is_switch(&self) -> bool {
        self.value.is_empty()
    }

    /// The value that a recipe has, as it is written; none if there is nothing to write.
    pub fn value_in(&self, recipe: &Recipe) -> Option<String> {
        (self.get)(recipe)
    }
}

impl Recipe {
    /// All keys, in the order in which a recipe prints them.
    #[rustfmt::skip]
    pub const KEYS: &[Key] = &[
        Key {
            name: "from", value: "START",
            help: "Initial weights: random, champion (in evolve), or a file of float weights (.trunk) or of a network (.nnue); with a larger width or more buckets it is extended without changing its evaluations [default: random]",
            set: |recipe, text| {
                recipe.from = match text {
                    // The word of earlier versions.
                    "random" | "chance" => StartingWeights::Random,
                    "champion" => StartingWeights::Champion,
                    file => StartingWeights::File(file.into()),
                };
                Ok(())
            },
            get: |recipe| Some(match &recipe.from {
                StartingWeights::Random => "random".to_owned(),
                StartingWeights::Champion => "champion".to_owned(),
                StartingWeights::File(file) => file.display().to_string(),
            }),
        },
        Key {
            name: "width", value: "N",
            help: "Neurons of each accumulator: a multiple of 32, or of 128 if pairwise [default: 256, or those of --from]",
            set: |recipe, text| {
                let width = parse_count(text, 32..)?;
                Architecture::new(width).map_err(|error| error.to_string())?;
                recipe.width = Some(width);
                Ok(())
            },
            get: |recipe| recipe.width.map(|width| width.to_string()),
        },
        Key {
            name: "layers", value: "LAYERS",
            help: "What follows the accumulators: straight (SCReLU, then the output) or pairwise (products of CReLU pairs, then two SCReLU layers of 16 and 32) [default: straight]",
            set: |recipe, text| put(&mut recipe.layers, parse_layers(text)),
            get: |recipe| Some(recipe.layers.to_string()),
        },
        Key {
            name: "king-buckets", value: "LAYOUT",
            help: "King buckets: 1, 2, 4, 8, 16 or 32; or the bucket of each of 32 squares, e1 to h1 first, as in 0123/4444/5555/5555/6666/6666/6666/6666 [default: 1, or those of --from]",
            set: |recipe, text| {
                let buckets = parse_king_buckets(text).map_err(|error| error.to_string())?;
                recipe.king_buckets = Some((text.to_owned(), buckets));
                Ok(())
            },
            get: |recipe| recipe.king_buckets.as_ref().map(|(text, _)| text.clone()),
        },
        Key {
            name: "output-buckets", value: "N",
            help: "Output buckets, chosen by the number of pieces [default: 1, or those of --from]",
            set: |recipe, text| {
                let buckets = parse_count(text, 1..=64)?;
                let usual = Architecture::new(256).and_then(|usual| usual.with_output_buckets(buckets));
                usual.map_err(|error| error.to_string())?;
                recipe.output_buckets = Some(buckets);
                Ok(())
            },
            get: |recipe| recipe.output_buckets.map(|buckets| buckets.to_string()),
        },
        Key {
            name: "no-factoriser", value: "",
            help: "Train king buckets without a factoriser (weights shared by all buckets)",
            set: |recipe, text| put(&mut recipe.has_factoriser, parse_switch(text).map(|is_on| !is_on)),
            get: |recipe| Some(switch(!recipe.has_factoriser)),
        },
        Key {
            name: "init-scale", value: "FACTOR",
            help: "Scale of the random initial feature weights [default: 1]",
            set: |recipe, text| put(&mut recipe.init_scale, parse_within(text, (Bound::Excluded(0.0), Bound::Included(10.0)))),
            get: |recipe| Some(recipe.init_scale.to_string()),
        },
        Key {
            name: "lambda", value: "FIRST:LAST",
            help: "Weight of the game result (WDL) against the score, in the first and the last epoch; one number for both [default: 0.2:0.5, in evolve --gpu 0.1:0.3]",
            set: |recipe, text| {
                (recipe.settings.lambda, recipe.settings.last_lambda) = parse_lambda(text)?;
                Ok(())
            },
            get: |recipe| Some(format!("{}:{}", recipe.settings.lambda, recipe.settings.last_lambda)),
        },
        Key {
            name: "epochs", value: "N",
            help: "Epochs [default: 8]",
            set: |recipe, text| put(&mut recipe.settings.epochs, parse_count(text, 1..=10_000)),
            get: |recipe| Some(recipe.settings.epochs.to_string()),
        },
        Key {
            name: "keep", value: "N",
            help: "Train on the positions of this many generations, the newest included [default: 3]",
            set: |recipe, text| put(&mut recipe.keep, parse_count(text, 1..=1_000)),
            get: |recipe| Some(recipe.keep.to_string()),
        },
        Key {
            name: "epoch-size", value: "N",
            help: "Positions of an epoch, such as 1e8 [default: all]",
            set: |recipe, text| put(&mut recipe.settings.epoch_size, parse_samples(text).map(Some)),
            get: |recipe| recipe.settings.epoch_size.map(|size| size.to_string()),
        },
        Key {
            name: "rate", value: "RATE",
            help: "Learning rate, before the cosine decay [default: 1e-3]",
            set: |recipe, text| put(&mut recipe.settings.rate, parse_rate(text)),
            get: |recipe| Some(format!("{:e}", recipe.settings.rate)),
        },
        Key {
            name: "penalty", value: "PENALTY",
            help: "L1 penalty on the products of a pairwise network, such as 1e-5: the engine skips products that are zero [default: 0]",
            set: |recipe, text| put(&mut recipe.settings.penalty, parse_within(text, 0.0..=1.0)),
            get: |recipe| Some(format!("{:e}", recipe.settings.penalty)),
        },
        Key {
            name: "batch", value: "N",
            help: "Batch size [default: 16384]",
            set: |recipe, text| put(&mut recipe.settings.batch, parse_count(text, 1..=(1 << 20))),
            get: |recipe| Some(recipe.settings.batch.to_string()),
        },
        Key {
            name: "average", value: "N",
            help: "Average the weights of this many last epochs; the mean is exported if its validation loss is the lowest [default: 3]",
            set: |recipe, text| put(&mut recipe.settings.averaged, parse_count(text, 1..=100)),
            get: |recipe| Some(recipe.settings.averaged.to_string()),
        },
        Key {
            name: "last-rate", value: "RATE",
            help: "Final learning rate [default: 0.24 % of --rate]",
            set: |recipe, text| put(&mut recipe.last_rate, parse_rate(text).map(Some)),
            get: |recipe| recipe.last_rate.map(|rate| format!("{rate:e}")),
        },
        Key {
            name: "final-epochs", value: "N",
            help: "Last epochs at the final learning rate [default: 0]",
            set: |recipe, text| put(&mut recipe.settings.final_epochs, parse_count(text, 0..=10_000)),
            get: |recipe| Some(recipe.settings.final_epochs.to_string()),
        },
        Key {
            name: "warm-up", value: "STEPS",
            help: "Warm-up steps of the learning rate, at most a tenth of all [default: 200]",
            set: |recipe, text| put(&mut recipe.settings.warm_up, parse_count(text, 0..)),
            get: |recipe| Some(recipe.settings.warm_up.to_string()),
        },
        Key {
            name: "validation", value: "SHARE",
            help: "Fraction of games kept for validation [default: 0.01]",
            set: |recipe, text| put(&mut recipe.validation, parse_within(text, 0.0..=1.0)),
            get: |recipe| Some(recipe.validation.to_string()),
        },
        Key {
            name: "skip", value: "PLIES",
            help: "Plies to skip at the start of each game [default: 16]",
            set: |recipe, text| put(&mut recipe.filter.opening, parse_count(text, 0..)),
            get: |recipe| Some(recipe.filter.opening.to_string()),
        },
        Key {
            name: "max-score", value: "CENTIPAWNS",
            help: "Skip positions with scores above this [default: 10000]",
            set: |recipe, text| put(&mut recipe.filter.most_score, parse_count(text, 0..=u16::MAX)),
            get: |recipe| Some(recipe.filter.most_score.to_string()),
        },
        Key {
            name: "keep-checks", value: "",
            help: "Keep positions in check",
            set: |recipe, text| put(&mut recipe.filter.keeps_checks, parse_switch(text)),
            get: |recipe| Some(switch(recipe.filter.keeps_checks)),
        },
        Key {
            name: "keep-captures", value: "",
            help: "Keep positions in which a capture or a promotion was played",
            set: |recipe, text| put(&mut recipe.filter.keeps_tactics, parse_switch(text)),
            get: |recipe| Some(switch(recipe.filter.keeps_tactics)),
        },
        Key {
            name: "half", value: "",
            help: "Half precision on a GPU: gather weights and gradients in 16 bits, update weights in 32",
            set: |recipe, text| {
                let precision = |is_half| if is_half { Precision::Half } else { Precision::Single };
                put(&mut recipe.precision, parse_switch(text).map(precision))
            },
            get: |recipe| Some(switch(recipe.precision == Precision::Half)),
        },
        Key {
            name: "seed", value: "N",
            help: "Seed; the same seed gives the same network on any CPU, and on GPUs of the same kind [default: 1]",
            set: |recipe, text| put(&mut recipe.settings.seed, parse_count(text, 0..)),
            get: |recipe| Some(recipe.settings.seed.to_string()),
        },
    ];

    /// Changes one of the things that a recipe says.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), RecipeError> {
        let known = Key::named(key).ok_or_else(|| RecipeError::Key(key.to_owned()))?;
        let set = if value.is_empty() { Err("a value is required".to_owned()) } else { (known.set)(self, value) };
        set.map_err(|reason| RecipeError::Value { key: known.name.to_owned(), reason })
    }

    /// The names of all keys, with commas between.
    pub(super) fn names() -> String {
        Recipe::KEYS.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")
    }
}

fn put<T>(place: &mut T, value: Result<T, String>) -> Result<(), String> {
    *place = value?;
    Ok(())
}

fn parse_switch(text: &str) -> Result<bool, String> {
    match text {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err(format!("{text} is neither yes nor no")),
    }
}

fn switch(is_on: bool) -> String {
    if is_on { "yes" } else { "no" }.to_owned()
}

/// What follows the hidden layer, by its name.
pub fn parse_layers(text: &str) -> Result<Layers, String> {
    let all = [Layers::Straight, Layers::Pairwise];
    all.into_iter().find(|layers| layers.to_string() == text).ok_or_else(|| "expected straight or pairwise".to_owned())
}

/// Two shares with a colon between, or a comma, as earlier versions wrote them.
fn parse_lambda(text: &str) -> Result<(f64, f64), String> {
    let (first, last) = text.split_once([':', ',']).unwrap_or((text, text));
    Ok((parse_within(first, 0.0..=1.0)?, parse_within(last, 0.0..=1.0)?))
}

fn parse_rate(text: &str) -> Result<f64, String> {
    parse_within(text, (Bound::Excluded(0.0), Bound::Included(1.0)))
}

/// A number of positions, such as 50000000 or 5e7.
pub fn parse_positions(text: &str) -> Result<u64, String> {
    parse_count(text, ..).map_err(|_| "expected a number of positions, such as 5e7".to_owned())
}

/// At least one position.
fn parse_samples(text: &str) -> Result<usize, String> {
    match parse_positions(text)? {
        0 => Err("an epoch needs at least one position".to_owned()),
        positions => usize::try_from(positions).map_err(|error| error.to_string()),
    }
}
