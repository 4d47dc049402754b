//! `cargo xtask adopt FILE`: how a network becomes the engine's own.
//!
//! Each step is named and can be left out or run alone. What takes long (games) is kept in `target/adopt/CHECKSUM`, so
//! that a step that was interrupted goes on where it was. The figures go into the blocks of the documents that name
//! them (see [`blocks`]).

mod blocks;
mod measure;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::{cargo, target_folder};

/// Where the network that is compiled in lies.
const NETWORK: &str = "crates/search/nets/default.nnue";

/// All steps, in their order.
const STEPS: [&str; 7] = ["verify", "copy", "bench", "speed", "wdl", "levels", "league"];

pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let (file, steps) = parse(arguments)?;
    let file = file.map(|file| fs::canonicalize(file).with_context(|| format!("cannot read {file}"))).transpose()?;
    let mut engine = Engine::build()?;
    for step in steps {
        println!("== adopt: {step}");
        let path = file.as_deref().unwrap_or(Path::new(NETWORK));
        match step {
            "verify" => verify(&engine, path)?,
            "copy" => {
                if let Some(file) = &file {
                    fs::copy(file, NETWORK).with_context(|| format!("cannot copy {}", file.display()))?;
                    engine = Engine::build()?;
                }
                println!("   {NETWORK} is in place");
            }
            _ => {
                let is_new = file.as_ref().is_some_and(|file| fs::read(file).ok() != fs::read(NETWORK).ok());
                ensure!(!is_new, "{} is not in place yet: run the step copy before {step}", path.display());
                measure::run(step, &engine)?;
            }
        }
    }
    Ok(())
}

/// The file, and the steps to take.
fn parse<'a>(arguments: &[&'a str]) -> Result<(Option<&'a str>, Vec<&'static str>)> {
    let (mut file, mut steps) = (None, STEPS.to_vec());
    let mut words = arguments.iter();
    while let Some(&word) = words.next() {
        match word {
            "--only" | "--skip" => {
                let names: Vec<&str> =
                    words.next().with_context(|| format!("{word} wants steps"))?.split(',').collect();
                if let Some(unknown) = names.iter().find(|name| !STEPS.contains(name)) {
                    bail!("there is no step {unknown:?}; the steps are {}", STEPS.join(", "));
                }
                steps.retain(|step| names.contains(step) == (word == "--only"));
            }
            option if option.starts_with('-') => bail!("adopt knows no {option}, only --only and --skip"),
            path if file.is_none() => file = Some(path),
            _ => bail!("adopt takes one file"),
        }
    }
    Ok((file, steps))
}

/// The released program, with the network that is in place.
pub(crate) struct Engine {
    program: PathBuf,
}

impl Engine {
    fn build() -> Result<Engine> {
        cargo(&["build", "--release", "--package", "saavedra"])?;
        Ok(Engine { program: target_folder()?.join("release/saavedra") })
    }

    /// Runs a command of the program, shows how far it is, and returns what it prints.
    fn output(&self, arguments: &[&str]) -> Result<String> {
        crate::output(Command::new(&self.program).args(arguments))
    }

    /// What a command prints as its last line of JSON.
    fn json(&self, arguments: &[&str]) -> Result<Value> {
        let text = self.output(arguments)?;
        serde_json::from_str(text.lines().last().unwrap_or_default())
            .with_context(|| format!("saavedra {} printed no JSON", arguments.join(" ")))
    }

    /// What the file of a network says of itself.
    fn network(&self, file: &Path) -> Result<Value> {
        self.json(&["net", "info", &file.display().to_string(), "--json"])
    }
}

/// A network is whole, and every kernel of this CPU agrees on what it says.
fn verify(engine: &Engine, file: &Path) -> Result<()> {
    let (old, new) = (engine.network(Path::new(NETWORK))?, engine.network(file)?);
    let shape = |network: &Value| network["architecture"].as_str().unwrap_or_default().to_owned();
    println!("   {}, {} bytes, checksum {}", shape(&new), new["bytes"], new["checksum"].as_str().unwrap_or_default());
    if shape(&old) != shape(&new) {
        println!(
            "   another architecture than before, {}: speed and strength at equal time have to be measured",
            shape(&old)
        );
    }
    print!("{}", engine.output(&["net", "verify", &file.display().to_string(), "--positions", "10000"])?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_can_be_chosen_and_left_out() {
        assert_eq!(parse(&["net.nnue"]).expect("it is right"), (Some("net.nnue"), STEPS.to_vec()));
        assert_eq!(parse(&["--only", "wdl,bench"]).expect("it is right"), (None, vec!["bench", "wdl"]));
        let (_, steps) = parse(&["net.nnue", "--skip", "levels,league"]).expect("it is right");
        assert_eq!(steps, ["verify", "copy", "bench", "speed", "wdl"]);
        for wrong in [&["--only", "everything"][..], &["--only"], &["a", "b"], &["--fast"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
