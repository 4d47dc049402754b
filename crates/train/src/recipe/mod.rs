//! How a network is trained, in one syntax: words `key=value`, or on a command line `--key value`.
//!
//! [`Recipe::KEYS`] lists all keys. A recipe prints itself as words that give the same recipe when they are read again.

mod keys;

use std::fmt;
use std::path::PathBuf;

use nnue::{Architecture, ArchitectureError, KingBuckets, Layers};
use thiserror::Error;

pub use keys::{Key, parse_layers, parse_positions};

use crate::{Filter, FloatNetwork, Growth, Hyperparameters, Precision, Shape, Weights};

/// Where the weights of a training come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum StartingWeights {
    /// Random weights.
    #[default]
    Random,
    /// The champion of a run of `evolve`.
    Champion,
    /// A file of float weights or of a network.
    File(PathBuf),
}

/// How a network is trained.
#[derive(Clone, PartialEq, Debug)]
pub struct Recipe {
    /// The width of the hidden layer; none for that of the network it starts from, which may only become wider.
    pub width: Option<usize>,
    /// What follows the hidden layer, if the weights start at random.
    pub layers: Layers,
    /// The king buckets as they were written, and what they mean; none for those of the network it starts from.
    pub king_buckets: Option<(String, KingBuckets)>,
    /// How many output buckets there are; none for as many as the network has that it starts from.
    pub output_buckets: Option<usize>,
    /// Whether king buckets learn what they have in common from all positions.
    pub has_factoriser: bool,
    /// Where the weights come from.
    pub from: StartingWeights,
    /// Scale of the random initial feature weights, and of those of neurons that are added.
    pub init_scale: f32,
    /// Rates, epochs, the weight of the result.
    pub settings: Hyperparameters,
    /// The learning rate at the end; none for a fixed part of the first.
    pub last_rate: Option<f64>,
    /// How gathered numbers are stored on a GPU.
    pub precision: Precision,
    /// Which positions are learned from.
    pub filter: Filter,
    /// The share of games that are kept for validation.
    pub validation: f64,
    /// How many generations of samples are learned from, the newest included, where there are generations.
    pub keep: usize,
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe {
            width: None,
            layers: Layers::Straight,
            king_buckets: None,
            output_buckets: None,
            has_factoriser: true,
            from: StartingWeights::Random,
            init_scale: 1.0,
            settings: Hyperparameters::default(),
            last_rate: None,
            precision: Precision::Single,
            filter: Filter::default(),
            validation: 0.01,
            keep: 3,
        }
    }
}

/// What is wrong with a recipe.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecipeError {
    /// There is no such key.
    #[error("there is no {0}; there are {all}", all = Recipe::names())]
    Key(String),
    /// A word is no `key=value`.
    #[error("{0}: expected key=value")]
    Word(String),
    /// The value of a key makes no sense.
    #[error("{key}: {reason}")]
    Value {
        /// The key.
        key: String,
        /// Why not.
        reason: String,
    },
}

/// Why a recipe cannot start from what it names.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StartingWeightsError {
    /// There is no such architecture.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// A network only grows.
    #[error("width {width}: the network it starts from has {has} neurons and cannot become narrower")]
    Narrower {
        /// The width of the recipe.
        width: usize,
        /// The width of what it starts from.
        has: usize,
    },
}

/// The width of a hidden layer of random weights, if nothing is said.
const WIDTH: usize = 256;

/// The part of the learning rate that is left at the end, if nothing else is said.
const LAST_RATE: f64 = 2.4e-3;

impl Recipe {
    /// Reads words `key=value`; what is not said stays as it is. Options of a command line, `--key value` and
    /// `--key=value`, are understood as well.
    pub fn read(&mut self, text: &str) -> Result<(), RecipeError> {
        Recipe::words(text)?.iter().try_for_each(|(key, value)| self.set(key, value))
    }

    /// The keys and values of a text, whether there are such keys or not.
    pub fn words(text: &str) -> Result<Vec<(String, String)>, RecipeError> {
        let mut words = text.split_whitespace();
        let mut pairs = Vec::new();
        while let Some(word) = words.next() {
            let (key, value) = match (word.split_once('='), word.strip_prefix("--")) {
                (Some((key, value)), _) => (key.strip_prefix("--").unwrap_or(key), value),
                (None, Some(key)) if Key::named(key).is_some_and(Key::is_switch) => (key, "yes"),
                (None, Some(key)) => (key, words.next().unwrap_or_default()),
                (None, None) => return Err(RecipeError::Word(word.to_owned())),
            };
            pairs.push((key.to_owned(), value.to_owned()));
        }
        Ok(pairs)
    }

    /// The numbers of the training.
    pub fn settings(&self) -> Hyperparameters {
        let last_rate = self.last_rate.unwrap_or(self.settings.rate * LAST_RATE);
        Hyperparameters { last_rate, ..self.settings }
    }

    /// What is trained, and the weights it starts from: random ones, or exactly those that [`Recipe::from`] names,
    /// extended if the recipe asks for more neurons or buckets.
    pub fn start(&self, from: Option<&FloatNetwork>) -> Result<(Architecture, Weights), StartingWeightsError> {
        let with_buckets = |architecture: Architecture| {
            let kings = self.king_buckets.as_ref().map_or(*architecture.king_buckets(), |(_, buckets)| *buckets);
            let outputs = self.output_buckets.unwrap_or(architecture.output_buckets());
            architecture.with_king_buckets(kings).with_output_buckets(outputs)
        };
        let Some(from) = from else {
            let width = self.width.unwrap_or(WIDTH);
            let architecture = with_buckets(Architecture::new(width)?.with_layers(self.layers)?)?;
            let weights =
                Weights::random(Shape::of(&architecture), self.settings.seed).with_rows_times(self.init_scale);
            return Ok((architecture, weights.with_equal_buckets()));
        };
        let old = from.architecture();
        let (has, width) = (old.hidden(), self.width.unwrap_or(old.hidden()));
        let wide = Architecture::new(width)?.with_layers(old.layers())?.with_output_buckets(old.output_buckets())?;
        let new = with_buckets(wide.with_king_buckets(*old.king_buckets()))?;
        let growth = Growth { seed: self.settings.seed, rows: self.init_scale };
        let weights = growth.grow(from.weights(), old, &new).ok_or(StartingWeightsError::Narrower { width, has })?;
        Ok((new, weights))
    }

    /// How much there is to compute: the neurons, times how often each sample is seen. Pairs and the layers behind them
    /// take half as much again.
    pub fn work(&self, architecture: &Architecture, samples: usize) -> f64 {
        let per_epoch = self.settings.epoch_size.unwrap_or(samples);
        let layers = if architecture.layers() == Layers::Pairwise { 1.5 } else { 1.0 };
        layers * architecture.hidden() as f64 * f64::from(self.settings.epochs) * per_epoch as f64
    }
}

/// The words of the recipe: those that are always of interest, and all that differ from the default.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Recipe::default();
        let words = Recipe::KEYS.iter().filter_map(|key| {
            let is_always_told =
                matches!(key.name, "lambda" | "epochs" | "keep" | "rate" | "batch" | "average" | "seed");
            let value = key.value_in(self)?;
            let is_told = is_always_told || key.value_in(&usual).as_ref() != Some(&value);
            is_told.then(|| format!("{}={value}", key.name))
        });
        f.write_str(&words.collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests;
