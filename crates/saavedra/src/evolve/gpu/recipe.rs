//! How a candidate is trained, as a line of words: `name key=value …`.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use forge::Precision;
use nnue::{Architecture, KingBuckets, Layers, Network};
use train::{Settings, Shape, Weights};

use crate::failure::Failure;
use crate::train::options::{parse_lambda, parse_layers, parse_positions, parse_rate, parse_rows};

/// What a candidate starts from instead of chance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum From {
    Champion,
    File(PathBuf),
}

/// How a candidate is trained.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Recipe {
    pub(super) name: String,
    pub(super) width: usize,
    pub(super) layers: Layers,
    /// The buckets as they were written, and what they mean.
    king_buckets: Option<(String, KingBuckets)>,
    output_buckets: Option<usize>,
    /// How large rows are at the start, times the usual.
    rows: f32,
    lambda: (f64, f64),
    pub(super) epochs: u32,
    epoch_size: Option<usize>,
    average: usize,
    /// How many generations of samples it learns from.
    pub(super) keep: usize,
    rate: f64,
    last_rate: Option<f64>,
    final_epochs: u32,
    batch: usize,
    pub(super) precision: Precision,
    from: Option<From>,
    seed: u64,
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe {
            name: "usual".to_owned(),
            width: 256,
            layers: Layers::Straight,
            king_buckets: None,
            output_buckets: None,
            rows: 1.0,
            lambda: (0.1, 0.3),
            epochs: 8,
            epoch_size: None,
            average: 3,
            keep: 3,
            rate: 1e-3,
            last_rate: None,
            final_epochs: 0,
            batch: 16_384,
            precision: Precision::Single,
            from: None,
            seed: 1,
        }
    }
}

const KEYS: &str = "width, layers, king-buckets, output-buckets, rows, lambda, epochs, epoch-size, average, keep, rate, last-rate, \
                    final-epochs, batch, half, from, seed";

fn number<T: std::str::FromStr + PartialOrd>(text: &str, least: T, most: T) -> Result<T, String> {
    text.parse()
        .ok()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| format!("{text} is not a number that makes sense here"))
}

impl Recipe {
    /// Changes one of the numbers.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "width" => {
                let width = number(value, 32, forge::WIDEST)?;
                Architecture::new(width).map_err(|error| error.to_string())?;
                self.width = width;
            }
            "layers" => self.layers = parse_layers(value)?,
            "king-buckets" => {
                let buckets = train::parse_king_buckets(value).map_err(|error| error.to_string())?;
                self.king_buckets = Some((value.to_owned(), buckets));
            }
            "output-buckets" => {
                let buckets = number(value, 1, 64)?;
                let usual = Architecture::new(256).and_then(|usual| usual.with_output_buckets(buckets));
                usual.map_err(|error| error.to_string())?;
                self.output_buckets = Some(buckets);
            }
            "rows" => self.rows = parse_rows(value)?,
            "lambda" => self.lambda = parse_lambda(&value.replace(':', ","))?,
            "epochs" => self.epochs = number(value, 1, 10_000)?,
            "epoch-size" => self.epoch_size = Some(parse_positions(value)?),
            "average" => self.average = number(value, 1, 100)?,
            "keep" => self.keep = number(value, 1, 1000)?,
            "rate" => self.rate = parse_rate(value)?,
            "last-rate" => self.last_rate = Some(parse_rate(value)?),
            "final-epochs" => self.final_epochs = number(value, 0, 10_000)?,
            "batch" => self.batch = number(value, 256, 1 << 20)?,
            "half" => {
                self.precision = match value {
                    "yes" | "true" | "1" => Precision::Half,
                    "no" | "false" | "0" => Precision::Single,
                    _ => return Err(format!("{value} is neither yes nor no")),
                }
            }
            "from" => {
                self.from = match value {
                    "chance" => None,
                    "champion" => Some(From::Champion),
                    file => Some(From::File(PathBuf::from(file))),
                }
            }
            "seed" => self.seed = number(value, 0, u64::MAX)?,
            _ => return Err(format!("there is no {key}; there are {KEYS}")),
        }
        Ok(())
    }

    /// Reads `name key=value …`; what is not said is as usual.
    fn read(line: &str, usual: &Recipe) -> Result<Recipe, String> {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        if name.contains('=') {
            return Err(format!("{name}: a candidate begins with its name"));
        }
        let mut recipe = Recipe { name: name.to_owned(), ..usual.clone() };
        for word in words {
            let (key, value) = word.split_once('=').ok_or_else(|| format!("{word}: expected key=value"))?;
            recipe.set(key, value).map_err(|error| format!("{key}: {error}"))?;
        }
        Ok(recipe)
    }

    /// Reads a list of candidates, one a line. Empty lines and what follows a # are left out.
    pub(super) fn read_list(text: &str, usual: &Recipe) -> Result<Vec<Recipe>, String> {
        let mut recipes: Vec<Recipe> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let recipe = Recipe::read(line, usual).map_err(|error| format!("line {}: {error}", number + 1))?;
            if recipes.iter().any(|other| other.name == recipe.name) {
                return Err(format!("line {}: there are two candidates called {}", number + 1, recipe.name));
            }
            recipes.push(recipe);
        }
        if recipes.is_empty() { Err("it lists no candidate".to_owned()) } else { Ok(recipes) }
    }

    /// Reads the file of candidates.
    pub(super) fn read_file(path: &Path, usual: &Recipe) -> Result<Vec<Recipe>, Failure> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Recipe::read_list(&text, usual).map_err(|error| Failure::Usage(format!("{}, {error}", path.display())))
    }

    /// The numbers of the training.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            epochs: self.epochs,
            epoch_size: self.epoch_size,
            batch: self.batch,
            rate: self.rate,
            last_rate: self.last_rate.unwrap_or(self.rate * 2.4e-3),
            final_epochs: self.final_epochs,
            lambda: self.lambda.0,
            last_lambda: self.lambda.1,
            averaged: self.average,
            seed: self.seed,
            ..Settings::default()
        }
    }

    /// The network that it starts from, if it is one of a file.
    fn source(&self) -> Result<Option<Network>, Failure> {
        match &self.from {
            Some(From::File(file)) => Ok(Some(engine::load_network(file).map_err(anyhow::Error::from)?)),
            Some(From::Champion) | None => Ok(None),
        }
    }

    /// What will be trained; complains about what cannot be, before any game is played.
    pub(super) fn examine(&self, champion: &Network) -> Result<Architecture, Failure> {
        self.start(champion).map(|(architecture, _)| architecture)
    }

    /// What the training starts from.
    pub(super) fn start(&self, champion: &Network) -> Result<(Architecture, Weights), Failure> {
        let usage = |error: nnue::ArchitectureError| Failure::Usage(format!("{}: {error}", self.name));
        let with_buckets = |architecture: Architecture| {
            let kings = self.king_buckets.as_ref().map_or(*architecture.king_buckets(), |(_, buckets)| *buckets);
            let outputs = self.output_buckets.unwrap_or(architecture.output_buckets());
            architecture.with_king_buckets(kings).with_output_buckets(outputs).map_err(usage)
        };
        let file = self.source()?;
        let source = if self.from == Some(From::Champion) { Some(champion) } else { file.as_ref() };
        let Some(network) = source else {
            let architecture = Architecture::new(self.width).and_then(|straight| straight.with_layers(self.layers));
            let architecture = with_buckets(architecture.map_err(usage)?)?;
            let weights = Weights::random(Shape::of(&architecture), self.seed).with_rows_times(self.rows);
            return Ok((architecture, weights.with_equal_buckets()));
        };
        let (old, new) = (network.architecture(), with_buckets(*network.architecture())?);
        let weights = train::in_other_buckets(&train::dequantise(network), old, &new);
        Ok((new, weights.expect("both have the same width and layers")))
    }

    /// How much there is to compute for each sample: the neurons, times how often each sample is seen. Pairs and what follows them
    /// take half as much again, about.
    pub(super) fn work(&self, samples: usize) -> f64 {
        let per_epoch = self.epoch_size.unwrap_or(samples);
        let layers = if self.layers == Layers::Pairwise { 1.5 } else { 1.0 };
        layers * self.width as f64 * f64::from(self.epochs) * per_epoch as f64
    }
}

/// The numbers as they would be written in a list, without the name.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.from {
            Some(From::Champion) => f.write_str("from=champion")?,
            Some(From::File(file)) => write!(f, "from={}", file.display())?,
            None => write!(f, "width={}", self.width)?,
        }
        if self.layers == Layers::Pairwise {
            write!(f, " layers={}", self.layers)?;
        }
        if let Some((text, _)) = &self.king_buckets {
            write!(f, " king-buckets={text}")?;
        }
        if let Some(buckets) = self.output_buckets {
            write!(f, " output-buckets={buckets}")?;
        }
        if self.rows != 1.0 {
            write!(f, " rows={}", self.rows)?;
        }
        write!(f, " lambda={}:{} epochs={} keep={}", self.lambda.0, self.lambda.1, self.epochs, self.keep)?;
        if let Some(size) = self.epoch_size {
            write!(f, " epoch-size={size}")?;
        }
        write!(f, " rate={:e} batch={} average={}", self.rate, self.batch, self.average)?;
        if let Some(rate) = self.last_rate {
            write!(f, " last-rate={rate:e}")?;
        }
        if self.final_epochs > 0 {
            write!(f, " final-epochs={}", self.final_epochs)?;
        }
        if self.precision == Precision::Half {
            f.write_str(" half=yes")?;
        }
        write!(f, " seed={}", self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_candidates_says_only_what_differs() {
        let usual = Recipe { epochs: 5, ..Recipe::default() };
        let list = "# width against speed\nnarrow width=128 lambda=0:0.3\n\nwide width=512 king-buckets=4 output-buckets=8 rows=0.25 half=yes keep=1 # curious\ndeep layers=pairwise\n";
        let recipes = Recipe::read_list(list, &usual).expect("three candidates");
        let [narrow, wide, deep] = &recipes[..] else { panic!("{recipes:?}") };
        assert_eq!((narrow.width, narrow.lambda, narrow.epochs), (128, (0.0, 0.3), 5));
        assert_eq!((wide.width, wide.keep, wide.precision), (512, 1, Precision::Half));
        assert_eq!([narrow, wide, deep].map(|recipe| recipe.layers == Layers::Pairwise), [false, false, true]);
        for recipe in &recipes {
            let line = format!("{} {recipe}", recipe.name);
            assert_eq!(Recipe::read(&line, &Recipe::default()).as_ref(), Ok(recipe), "{line}");
        }
    }

    #[test]
    fn a_slip_in_a_list_is_told_with_its_line() {
        for (list, expected) in [
            ("", "it lists no candidate"),
            ("a width=100", "line 1: width: "),
            ("a\nb epochs=0", "line 2: epochs: 0 is not a number that makes sense here"),
            ("a half=maybe", "maybe is neither yes nor no"),
            ("a lambda=2:3", "expected a number from 0 to 1"),
            ("a colour=red", "there is no colour; there are width, "),
            ("a width", "width: expected key=value"),
            ("width=64", "a candidate begins with its name"),
            ("a\na width=64", "line 2: there are two candidates called a"),
            ("a output-buckets=50", "line 1: output-buckets: "),
            ("a layers=deep", "line 1: layers: expected straight or pairwise"),
            ("a king-buckets=3", "line 1: king-buckets: "),
        ] {
            let error = Recipe::read_list(list, &Recipe::default()).expect_err(list);
            assert!(error.contains(expected), "{list:?}: {error}");
        }
    }

    #[test]
    fn a_candidate_starts_from_chance_or_from_a_network_with_other_buckets() {
        let champion = Network::random(1, Architecture::new(64).expect("a width"));
        let mut recipe = Recipe::default();
        recipe.set("width", "32").expect("a width");
        recipe.set("king-buckets", "4").expect("buckets");
        assert_eq!(recipe.start(&champion).expect("chance").0.to_string(), "(768x4 -> 32)x2 -> 1");
        recipe.set("layers", "pairwise").expect("layers");
        assert!(recipe.examine(&champion).is_err(), "32 neurons are too few for pairs");
        recipe.set("width", "128").expect("a width");
        assert_eq!(recipe.start(&champion).expect("chance").0.layers(), Layers::Pairwise);
        recipe.set("from", "champion").expect("a start");
        assert_eq!(recipe.start(&champion).expect("the champion").0.to_string(), "(768x4 -> 64)x2 -> 1");
        recipe.set("from", "/nowhere/net.nnue").expect("a start");
        assert!(recipe.examine(&champion).is_err());
    }
}
