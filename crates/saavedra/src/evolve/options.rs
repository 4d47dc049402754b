//! Options of a run on a GPU.

use std::path::PathBuf;

use clap::Args;
use evolve::Candidate;
use train::{Key, Recipe};

use crate::failure::Failure;
use crate::numbers::{whole, within};
use crate::recipe::{Keys, RecipeOptions};
use crate::seconds::parse_minutes;

/// The whole loop on a GPU.
#[derive(Args, Clone)]
#[command(next_help_heading = "On a GPU")]
pub(crate) struct Options {
    /// Play, train and match on the GPU, generation after generation, until --minutes have passed.
    #[arg(long, requires = "minutes")]
    pub(crate) gpu: bool,
    /// Time limit of the run. Work that would not finish in time is not started.
    #[arg(long, value_name = "MINUTES", requires = "gpu", value_parser = parse_minutes)]
    pub(super) minutes: Option<f64>,
    /// Most generations (default: as many as fit into the time).
    #[arg(long, value_name = "N", requires = "gpu", value_parser = within::<u32>(1..))]
    pub(super) generations: Option<u32>,
    /// The network that plays the games (default: the champion). A narrower one plays more games.
    #[arg(long, value_name = "FILE", requires = "gpu")]
    pub(super) player: Option<PathBuf>,
    #[command(flatten)]
    recipe: RecipeOptions<OnCommandLine>,
    /// A file of candidates to train in each generation, one per line: name key=value ..., with the options above.
    #[arg(long, value_name = "FILE", requires = "gpu")]
    pub(super) candidates: Option<PathBuf>,
    /// Game pairs per warp of the GPU in a match.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u16>(1..=1000), requires = "gpu")]
    pub(super) match_pairs: u16,
    /// Test what passed the gate while the GPU works, with this many games at once on the CPU (default: none; evolve
    /// --test does it later).
    #[arg(long, value_name = "N", value_parser = within::<u16>(1..=1024), requires = "gpu")]
    pub(super) test_threads: Option<u16>,
    /// Keep the samples of each generation in the folder for a resumed run: 32 bytes each.
    #[arg(long, requires = "gpu")]
    pub(super) keep_samples: bool,
    /// Also train on these samples of another run, or with --positions 0 on them alone. They are dropped like those of
    /// a generation. May be given several times.
    #[arg(long, value_name = "FILE", requires = "gpu")]
    pub(super) samples: Vec<PathBuf>,
    /// Write games of the first generation to a file of packed games.
    #[arg(long, value_name = "FILE", requires = "gpu")]
    pub(super) write_games: Option<PathBuf>,
    /// Most games to write.
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "gpu", value_parser = whole::<usize>)]
    pub(super) most_games: usize,
    /// Print where the time went, at the end.
    #[arg(long, requires = "gpu")]
    pub(super) time_table: bool,
}

/// The keys that are options of their own; --train takes all of them.
#[derive(Clone)]
struct OnCommandLine;

impl Keys for OnCommandLine {
    fn has(key: &Key) -> bool {
        const OPTIONS: [&str; 13] = [
            "from",
            "width",
            "layers",
            "king-buckets",
            "output-buckets",
            "init-scale",
            "lambda",
            "epochs",
            "keep",
            "epoch-size",
            "rate",
            "penalty",
            "half",
        ];
        OPTIONS.contains(&key.name)
    }

    const REQUIRED: Option<&'static str> = Some("gpu");
    const HEADING: Option<&'static str> = Some("On a GPU");
}

impl Options {
    /// All candidates of a generation, which differ from a recipe as the options and the file of candidates say.
    pub(super) fn candidates(&self, train: &str) -> Result<Vec<Candidate>, Failure> {
        let mut usual = Recipe::default();
        // Results count less than in a training from files, whose games were searched with fewer nodes.
        usual.read("lambda=0.1:0.3").expect("a recipe");
        usual.read(train).map_err(|error| Failure::Usage(format!("--train: {error}")))?;
        self.recipe.apply(&mut usual).map_err(Failure::Usage)?;
        match &self.candidates {
            Some(path) => Ok(Candidate::read_file(path, &usual)?),
            None => Ok(vec![Candidate::usual(usual)]),
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
        let candidates = options.candidates("seed=2").expect("one");
        assert_eq!(options.minutes, Some(9.5));
        assert_eq!(candidates.len(), 1);
        assert_eq!(
            candidates[0].recipe.to_string(),
            "width=512 lambda=0:0.4 epochs=6 keep=2 rate=1e-3 batch=16384 average=3 half=yes seed=2"
        );
        assert!(parse("evolve --gpu --minutes 1 --from champion --width 512").is_ok());
        let wrong = parse("evolve --gpu --minutes 1 --width 100").map(|_| ()).expect_err("no width");
        assert!(wrong.contains("--width: "), "{wrong}");
    }

    #[test]
    fn a_run_on_the_gpu_has_an_end() {
        assert!(parse("evolve --gpu").is_err());
        assert!(parse("evolve --minutes 5").is_err());
        assert!(parse("evolve --gpu --minutes -1").is_err());
        assert!(!parse("evolve").expect("nothing").gpu);
    }
}
