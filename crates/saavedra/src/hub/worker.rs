//! `saavedra worker`: this machine plays for coordinators elsewhere.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use ::hub::worker::Worker;
use ::hub::{Address, Hub, Reference};
use arena::event::core_count;
use clap::Args;
use etcetera::BaseStrategy;
use search::Tablebase;
use syzygy::Syzygy;

use super::notice;
use super::via::failed;
use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::{grouped, within};

/// Let this machine play games for coordinators at a hub, until it is interrupted.
///
/// The worker takes units of work from the hub, plays them as the coordinator's machine would, and sends back what came
/// of them. It starts no program but those named here.
#[derive(Args)]
#[command(after_help = "\
Examples:
  saavedra worker nats://hub.example --creds worker.key
  saavedra worker nats://hub.example --creds worker.key --cores 8 --engine new=./new --engine old=./old")]
pub(crate) struct Arguments {
    /// The hub, like nats://host, nats://host:4222 or tls://host.
    hub: Address,
    /// The key of a worker, as `saavedra hub init` wrote it.
    #[arg(long, value_name = "FILE")]
    creds: PathBuf,
    /// The certificate of the authority that signed the hub's, if the system does not know it.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Cores to play on (default: all).
    #[arg(long, value_name = "N", value_parser = within::<u16>(1..=1024))]
    cores: Option<u16>,
    /// A program that may be started, and the name by which events know it: uci:NAME. Repeatable.
    #[arg(long, value_name = "NAME=PROGRAM")]
    engine: Vec<NamedEngine>,
    /// Syzygy tablebases for events that end games by them.
    #[arg(long, value_name = "FOLDER")]
    tablebase: Option<PathBuf>,
    /// What this worker is called, as no other is (default: the machine's name and the number of the process).
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Where networks that arrive are kept (default: saavedra/worker in the user's folder for such files).
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

/// A program with a name.
#[derive(Clone, Debug)]
struct NamedEngine {
    name: String,
    command: String,
}

impl FromStr for NamedEngine {
    type Err = String;

    fn from_str(text: &str) -> Result<NamedEngine, String> {
        let parts = text.split_once('=').filter(|(name, command)| !name.is_empty() && !command.trim().is_empty());
        let (name, command) = parts.ok_or("expected a name, =, and a program, as in new=./new")?;
        Ok(NamedEngine { name: name.to_owned(), command: command.trim().to_owned() })
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let stop = interrupt::flag();
    let cores = arguments.cores.map_or_else(core_count, usize::from);
    let tablebase = match &arguments.tablebase {
        Some(folder) => {
            let tables = Syzygy::open(&folder.display().to_string()).map_err(failed)?;
            Some(Arc::new(tables) as Arc<dyn Tablebase>)
        }
        None => None,
    };
    let reference = Reference::measure(cores);
    let name = arguments.name.clone().unwrap_or_else(|| format!("{}-{}", machine(), std::process::id()));
    let worker = Worker {
        hub: Hub { address: arguments.hub.clone(), key: arguments.creds.clone(), authority: arguments.ca.clone() },
        name,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        cores,
        engines: arguments
            .engine
            .iter()
            .map(|engine| (engine.name.clone(), engine.command.clone()))
            .collect::<BTreeMap<_, _>>(),
        tablebase,
        cache: arguments.cache.clone().map_or_else(usual_cache, Ok)?,
        reference,
        notice: notice(),
    };
    let (plural, speed) = (if cores == 1 { "" } else { "s" }, grouped(reference.speed));
    let name = &worker.name;
    writeln!(
        io::stderr(),
        "saavedra: the worker {name} plays on {cores} core{plural}, {speed} nodes a second on each"
    )?;
    worker.run(&stop).map_err(failed)
}

/// The name of this machine, as far as it can be part of a worker's.
fn machine() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let is_plain = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '-';
    let name: String = name.trim().chars().filter(is_plain).take(40).collect();
    if name.is_empty() { "worker".to_owned() } else { name }
}

fn usual_cache() -> Result<PathBuf, Failure> {
    let folders = etcetera::choose_base_strategy().map_err(failed)?;
    Ok(folders.cache_dir().join("saavedra").join("worker"))
}
