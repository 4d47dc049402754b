//! The configuration file: values that options have unless they are given.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::builder::OsStr as ClapStr;
use clap::{Args, Command};
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use toml::{Table, Value};

use crate::failure::Failure;

/// The variable that names another file; empty for none.
const VARIABLE: &str = "SAAVEDRA_CONFIG";

/// Show the configuration file: where it is, and what it sets.
///
/// The file sets what options of a command are unless they are given.
#[derive(Args)]
#[command(after_help = "Example, which may be the whole file:
  color = \"never\"

  [review]
  threads = 4
  hash = 256
  tablebase = \"/home/me/syzygy\"

  [serve]
  port = 8000
  engine = [\"Stockfish=/usr/games/stockfish\"]

The variable SAAVEDRA_CONFIG names another file; if it is empty, none is read. `saavedra COMMAND --help` shows what is
set. A UCI engine asks its GUI instead, and reads no file.")]
pub(crate) struct Arguments {
    /// Print only the path of the file.
    #[arg(long)]
    path: bool,
}

/// What the file says.
pub(crate) struct Config {
    path: PathBuf,
    settings: Option<Table>,
}

impl Config {
    /// Reads the file, if there is one.
    pub(crate) fn read() -> Result<Config, Failure> {
        let path = match env::var_os(VARIABLE) {
            Some(path) if path.is_empty() => return Ok(Config { path: PathBuf::new(), settings: None }),
            Some(path) => PathBuf::from(path),
            None => match default_path() {
                Ok(path) => path,
                // Without a home there is no file.
                Err(_) => return Ok(Config { path: PathBuf::new(), settings: None }),
            },
        };
        let text = match read_bounded(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound && env::var_os(VARIABLE).is_none() => {
                return Ok(Config { path, settings: None });
            }
            Err(error) => return Err(anyhow!(error).context(format!("cannot read {}", path.display())).into()),
        };
        let settings = text.parse::<Table>().map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            anyhow!("{}, line {line}: {}", path.display(), error.message().replace('\n', " "))
        })?;
        Ok(Config { path, settings: Some(settings) })
    }

    /// The command line with what the file sets.
    pub(crate) fn apply(&self, command: Command) -> Result<Command, Failure> {
        let Some(settings) = &self.settings else { return Ok(command) };
        let name = || self.path.display().to_string();
        Ok(set(command, settings).with_context(name)?)
    }

    /// What is wrong with a command line that would be right without the file.
    pub(crate) fn blame(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Usage(message) => anyhow!("{}: {message}", self.path.display()).into(),
            other => other,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.settings.as_ref().is_none_or(Table::is_empty)
    }
}

/// The text of a file, if it is no longer than a configuration can be: what never ends must not fill the memory.
fn read_bounded(path: &Path) -> io::Result<String> {
    const MOST: u64 = 1 << 20;
    let mut text = String::new();
    fs::File::open(path)?.take(MOST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST { Err(io::Error::other("it is longer than 1 MiB")) } else { Ok(text) }
}

/// Sets what a table says of a command, and of those below it.
fn set(mut command: Command, settings: &Table) -> anyhow::Result<Command> {
    for (name, value) in settings {
        if let Some(table) = value.as_table() {
            let names = command.get_subcommands().map(Command::get_name);
            let unknown = || anyhow!("there is no command {name:?}{}", hint(name, names));
            let below = set(command.find_subcommand(name).cloned().ok_or_else(unknown)?, table)?;
            command = command.mut_subcommand(name, |_| below);
            continue;
        }
        let values = texts(value).with_context(|| format!("{name:?}"))?;
        let valued = command.get_arguments().filter(|option| option.get_action().takes_values());
        let options: Vec<_> = valued.filter_map(|option| Some((option.get_long()?, option.get_id()))).collect();
        let Some(id) = options.iter().find(|(long, _)| long == name).map(|(_, id)| (*id).clone()) else {
            match command.get_name() {
                "saavedra" => bail!("{name:?} stands above all commands: expected it below one, such as [review]"),
                command => bail!(
                    "{command} has no option --{name} with a value{}",
                    hint(name, options.iter().map(|(long, _)| *long))
                ),
            }
        };
        command = command.mut_arg(id, |option| option.default_values(values.into_iter().map(ClapStr::from)));
    }
    Ok(command)
}

/// What was probably meant.
fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    uci::suggest(name, known).map_or_else(String::new, |meant| format!(": did you mean {meant}?"))
}

/// A value as it would be given: several for a list.
fn texts(value: &Value) -> anyhow::Result<Vec<String>> {
    match value {
        Value::String(text) => Ok(vec![text.clone()]),
        Value::Integer(number) => Ok(vec![number.to_string()]),
        Value::Float(number) => Ok(vec![number.to_string()]),
        Value::Boolean(truth) => Ok(vec![truth.to_string()]),
        Value::Array(values) => Ok(values.iter().map(texts).collect::<Result<Vec<_>, _>>()?.concat()),
        Value::Datetime(_) | Value::Table(_) => bail!("expected a text, a number or a list of them"),
    }
}

fn default_path() -> Result<PathBuf, Failure> {
    let folders = choose_native_strategy().context("there is no home folder to look for a configuration file in")?;
    Ok(folders.config_dir().join("saavedra").join("saavedra.toml"))
}

/// Whether the arguments are those of a UCI engine, which must start whatever the file says.
pub(crate) fn is_engine(mut arguments: impl Iterator<Item = impl AsRef<OsStr>>) -> bool {
    arguments.nth(1).is_none_or(|first| first.as_ref() == "uci")
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = Config::read()?;
    let mut out = io::stdout().lock();
    let path: &Path = &config.path;
    if arguments.path {
        writeln!(out, "{}", path.display())?;
    } else if let Some(settings) = &config.settings {
        writeln!(out, "{} sets:\n", path.display())?;
        write!(out, "{}", settings)?;
    } else if path.as_os_str().is_empty() {
        let why = if env::var_os(VARIABLE).is_some() { "is empty" } else { "is not set, and there is no home folder" };
        writeln!(out, "No file is read, because {VARIABLE} {why}.")?;
    } else {
        writeln!(out, "There is no {}. `saavedra config --help` has an example.", path.display())?;
    }
    Ok(out.flush()?)
}
