//! What a generation trains: recipes with names, one a line.

use std::path::Path;

use anyhow::Context;
use nnue::Architecture;
use train::{FloatNetwork, Recipe, StartingWeights, Weights};

use crate::{Failure, float_network};

/// A recipe with a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// What the ledger calls it.
    pub name: String,
    /// How it is trained.
    pub recipe: Recipe,
}

impl Candidate {
    /// The only candidate of a generation.
    pub fn usual(recipe: Recipe) -> Candidate {
        Candidate { name: "usual".to_owned(), recipe }
    }

    /// Reads `name key=value …`; what is not said is as usual.
    fn read(line: &str, usual: &Recipe) -> Result<Candidate, String> {
        let (name, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if name.contains('=') {
            return Err(format!("{name}: a candidate begins with its name"));
        }
        let mut recipe = usual.clone();
        recipe.read(words).map_err(|error| error.to_string())?;
        if (recipe.filter, recipe.validation) != (usual.filter, usual.validation) {
            return Err("which positions are learned from is the same for all candidates of a run".to_owned());
        }
        Ok(Candidate { name: name.to_owned(), recipe })
    }

    /// Reads a list of candidates, one a line. Empty lines and what follows a # are left out.
    pub fn read_list(text: &str, usual: &Recipe) -> Result<Vec<Candidate>, String> {
        let mut candidates: Vec<Candidate> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let candidate = Candidate::read(line, usual).map_err(|error| format!("line {}: {error}", number + 1))?;
            if candidates.iter().any(|other| other.name == candidate.name) {
                return Err(format!("line {}: there are two candidates called {}", number + 1, candidate.name));
            }
            candidates.push(candidate);
        }
        if candidates.is_empty() { Err("it lists no candidate".to_owned()) } else { Ok(candidates) }
    }

    /// Reads the file of a list of candidates.
    pub fn read_file(path: &Path, usual: &Recipe) -> Result<Vec<Candidate>, Failure> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Candidate::read_list(&text, usual).map_err(|error| Failure::Usage(format!("{}, {error}", path.display())))
    }

    /// What will be trained on a GPU. What cannot be is an error, before any game is played.
    pub(crate) fn architecture(&self, champion: &FloatNetwork) -> Result<Architecture, Failure> {
        let (architecture, _) = self.start(champion)?;
        if architecture.hidden() > forge::WIDEST {
            let (name, most) = (&self.name, forge::WIDEST);
            return Err(Failure::Usage(format!("{name}: the GPU trains hidden layers of up to {most} neurons")));
        }
        Ok(architecture)
    }

    /// What the training starts from.
    pub(crate) fn start(&self, champion: &FloatNetwork) -> Result<(Architecture, Weights), Failure> {
        start(&self.recipe, Some(champion)).map_err(|failure| match failure {
            Failure::Usage(message) => Failure::Usage(format!("{}: {message}", self.name)),
            failure => failure,
        })
    }
}

/// What a recipe starts from, where there may be a champion.
pub(crate) fn start(recipe: &Recipe, champion: Option<&FloatNetwork>) -> Result<(Architecture, Weights), Failure> {
    let file = match &recipe.from {
        StartingWeights::File(file) => Some(float_network(file)?),
        StartingWeights::Champion if champion.is_none() => {
            return Err(Failure::Usage("there is no champion to start from".to_owned()));
        }
        StartingWeights::Champion | StartingWeights::Random => None,
    };
    let champion = champion.filter(|_| recipe.from == StartingWeights::Champion);
    recipe.start(file.as_ref().or(champion)).map_err(|error| Failure::Usage(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnue::{Layers, Network};
    use train::Precision;

    #[test]
    fn a_list_of_candidates_says_only_what_differs() {
        let mut usual = Recipe::default();
        usual.read("epochs=5").expect("a recipe");
        let list = "# width against speed\nnarrow width=128 lambda=0:0.3\n\nwide width=512 king-buckets=4 output-buckets=8 rows=0.25 half=yes keep=1 # curious\ndeep layers=pairwise\n";
        let candidates = Candidate::read_list(list, &usual).expect("three candidates");
        let [narrow, wide, deep] = &candidates[..] else { panic!("{candidates:?}") };
        assert_eq!((narrow.recipe.width, narrow.recipe.settings.epochs), (Some(128), 5));
        assert_eq!((wide.recipe.width, wide.recipe.keep, wide.recipe.precision), (Some(512), 1, Precision::Half));
        let layers = [narrow, wide, deep].map(|candidate| candidate.recipe.layers == Layers::Pairwise);
        assert_eq!(layers, [false, false, true]);
        for candidate in &candidates {
            let line = format!("{} {}", candidate.name, candidate.recipe);
            assert_eq!(Candidate::read(&line, &Recipe::default()).as_ref(), Ok(candidate), "{line}");
        }
    }

    #[test]
    fn a_slip_in_a_list_is_told_with_its_line() {
        for (list, expected) in [
            ("", "it lists no candidate"),
            ("a width=100", "line 1: width: "),
            ("a\nb epochs=0", "line 2: epochs: expected a whole number from 1 to 10000"),
            ("a half=maybe", "maybe is neither yes nor no"),
            ("a lambda=2:3", "expected a number from 0 to 1"),
            ("a colour=red", "there is no colour; there are from, width, "),
            ("a width", "width: expected key=value"),
            ("width=64", "a candidate begins with its name"),
            ("a\na width=64", "line 2: there are two candidates called a"),
            ("a output-buckets=50", "line 1: output-buckets: "),
            ("a layers=deep", "line 1: layers: expected straight or pairwise"),
            ("a king-buckets=3", "line 1: king-buckets: "),
            ("a\nb skip=8", "line 2: which positions are learned from is the same for all candidates"),
        ] {
            let error = Candidate::read_list(list, &Recipe::default()).expect_err(list);
            assert!(error.contains(expected), "{list:?}: {error}");
        }
    }

    #[test]
    fn a_candidate_starts_at_random_from_the_champion_or_from_a_file() {
        let champion = FloatNetwork::of(&Network::random(1, Architecture::new(64).expect("a width")));
        let candidate = |words: &str| {
            let mut recipe = Recipe::default();
            recipe.read(words).expect(words);
            Candidate::usual(recipe)
        };
        let trained =
            |words: &str| candidate(words).architecture(&champion).map(|architecture| architecture.to_string());
        assert_eq!(trained("width=32 king-buckets=4").expect("random weights"), "(768x4 -> 32)x2 -> 1");
        assert_eq!(trained("from=champion king-buckets=4").expect("the champion"), "(768x4 -> 64)x2 -> 1");
        assert_eq!(trained("from=champion width=128").expect("it grows"), "(768 -> 128)x2 -> 1");
        assert!(trained("from=champion width=32").is_err_and(|failure| failure.message().contains("width 32: ")));
        assert!(trained("from=/nowhere/net.nnue").is_err());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("net.trunk");
        std::fs::write(&path, champion.write()).expect("it can be written");
        let words = format!("from={}", path.display());
        let (_, weights) = candidate(&words).start(&champion).expect("the float weights");
        assert_eq!(weights, *champion.weights());
        std::fs::write(&path, &champion.write()[..50]).expect("it can be written");
        assert!(trained(&words).is_err_and(|failure| failure.message().contains("bytes, expected")));
        assert!(trained("width=2048").is_err_and(|failure| failure.message().contains("up to 1024 neurons")));
        assert!(start(&candidate("from=champion").recipe, None).is_err());
    }
}
