//! What a run on the GPU is told on the command line.

use std::path::PathBuf;

use clap::Args;

use super::recipe::Recipe;
use crate::failure::Failure;
use crate::seconds::parse_minutes;

/// The whole loop on a GPU.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "On a GPU")]
pub(crate) struct Options {
    /// Play, train and match on the GPU, generation after generation, until the time is used.
    #[arg(long, requires = "minutes")]
    pub(crate) gpu: bool,
    /// How long the run may take. Nothing is begun that cannot be finished in time.
    #[arg(long, value_name = "MINUTES", requires = "gpu", value_parser = parse_minutes)]
    pub(super) minutes: Option<f64>,
    /// The most generations; left out, as many as there is time for.
    #[arg(long, value_name = "N", requires = "gpu", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) generations: Option<u32>,
    /// The network that plays the games, if not the champion: a narrower one plays more of them.
    #[arg(long, value_name = "FILE", requires = "gpu")]
    pub(super) player: Option<PathBuf>,
    /// How many generations of positions are learned from, the newest included.
    #[arg(long, value_name = "N", requires = "gpu")]
    keep: Option<String>,
    /// The width of the hidden layer.
    #[arg(long, value_name = "N", requires = "gpu")]
    width: Option<String>,
    /// What follows the hidden layer: straight or pairwise.
    #[arg(long, value_name = "LAYERS", requires = "gpu")]
    layers: Option<String>,
    /// Sets of weights by the place of the own king, as in saavedra train.
    #[arg(long, value_name = "LAYOUT", requires = "gpu")]
    king_buckets: Option<String>,
    /// Sets of output weights by the number of pieces.
    #[arg(long, value_name = "N", requires = "gpu")]
    output_buckets: Option<String>,
    /// Start with rows so many times as large as usual, as in saavedra train.
    #[arg(long, value_name = "FACTOR", requires = "gpu")]
    rows: Option<String>,
    /// The weight of the result in the first epoch and in the last.
    #[arg(long, value_name = "FIRST:LAST", requires = "gpu")]
    lambda: Option<String>,
    /// How many epochs there are.
    #[arg(long, value_name = "N", requires = "gpu")]
    epochs: Option<String>,
    /// How many positions make an epoch, instead of all.
    #[arg(long, value_name = "N", requires = "gpu")]
    epoch_size: Option<String>,
    /// The learning rate.
    #[arg(long, value_name = "RATE", requires = "gpu")]
    rate: Option<String>,
    /// Gather weights and gradients in 16 bits.
    #[arg(long, requires = "gpu")]
    half: bool,
    /// The network that trainings start from, or champion; left out, chance.
    #[arg(long, value_name = "FILE", requires = "gpu")]
    from: Option<String>,
    /// A file of candidates to train in each generation, one a line: name key=value ..., with the options above as keys.
    #[arg(long, value_name = "FILE", requires = "gpu")]
    pub(super) candidates: Option<PathBuf>,
    /// Pairs of games that each warp of the GPU plays in a match.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000), requires = "gpu")]
    pub(super) match_pairs: u16,
    /// Write the samples of each round into the folder, so that a run that is resumed has them again: 32 bytes each.
    #[arg(long, requires = "gpu")]
    pub(super) keep_samples: bool,
    /// Samples of another run to learn from, too, or with --positions 0 alone; may be given several times. They are forgotten like
    /// those of a generation.
    #[arg(long, value_name = "FILE", requires = "gpu")]
    pub(super) samples: Vec<PathBuf>,
    /// Write games of the first round into a file of packed games.
    #[arg(long, value_name = "FILE", requires = "gpu")]
    pub(super) write_games: Option<PathBuf>,
    /// The most games to write.
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "gpu")]
    pub(super) most_games: usize,
    /// Print at the end where the time went.
    #[arg(long, requires = "gpu")]
    pub(super) time_table: bool,
}

impl Options {
    /// The candidate that the options describe.
    pub(super) fn recipe(&self) -> Result<Recipe, Failure> {
        let mut recipe = Recipe::default();
        let given = [
            ("keep", &self.keep),
            ("width", &self.width),
            ("layers", &self.layers),
            ("king-buckets", &self.king_buckets),
            ("output-buckets", &self.output_buckets),
            ("rows", &self.rows),
            ("lambda", &self.lambda),
            ("epochs", &self.epochs),
            ("epoch-size", &self.epoch_size),
            ("rate", &self.rate),
            ("from", &self.from),
        ];
        for (key, value) in given {
            if let Some(value) = value {
                recipe.set(key, value).map_err(|error| Failure::Usage(format!("--{key}: {error}")))?;
            }
        }
        if self.half {
            recipe.precision = forge::Precision::Half;
        }
        Ok(recipe)
    }

    /// All candidates of a generation.
    pub(super) fn recipes(&self) -> Result<Vec<Recipe>, Failure> {
        let usual = self.recipe()?;
        match &self.candidates {
            Some(path) => Recipe::read_file(path, &usual),
            None => Ok(vec![usual]),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn parse(line: &str) -> Result<Options, String> {
        Line::try_parse_from(line.split_whitespace()).map(|line| line.options).map_err(|error| error.to_string())
    }

    #[test]
    fn options_make_a_candidate() {
        let options =
            parse("evolve --gpu --minutes 9.5 --width 512 --lambda 0:0.4 --epochs 6 --half --keep 2").expect("options");
        let recipes = options.recipes().expect("one");
        assert_eq!(options.minutes, Some(9.5));
        assert_eq!(recipes.len(), 1);
        assert_eq!(
            recipes[0].to_string(),
            "width=512 lambda=0:0.4 epochs=6 keep=2 rate=1e-3 batch=16384 average=3 half=yes seed=1"
        );
        let wrong = parse("evolve --gpu --minutes 1 --width 100").expect("only words").recipes().expect_err("no width");
        assert!(wrong.message().starts_with("--width: "), "{}", wrong.message());
    }

    #[test]
    fn a_run_on_the_gpu_has_an_end() {
        assert!(parse("evolve --gpu").is_err());
        assert!(parse("evolve --minutes 5").is_err());
        assert!(parse("evolve --gpu --minutes -1").is_err());
        assert!(!parse("evolve").expect("nothing").gpu);
    }
}
