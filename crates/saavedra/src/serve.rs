//! `saavedra serve`: the board in the browser.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use ::serve::{Limits, Options, ServeError, Server, Storage};
use anyhow::anyhow;
use clap::Args;

use crate::failure::Failure;
use crate::interrupt;

/// Serve the board to a browser: play, watch, analyse, review, look inside.
///
/// Everything stays on this machine. The server listens on the loopback address, answers only to its own names and to
/// its own page, and keeps games in the user's data folder.
#[derive(Args)]
#[command(after_help = "Example: saavedra serve --open\n         \
                        saavedra serve --bind 0.0.0.0 --token \"$(openssl rand -hex 16)\" --host chess.local")]
pub(crate) struct Arguments {
    /// The port to listen on; 0 takes any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 8964)]
    port: u16,
    /// The address to listen on. Other than loopback, it needs a token.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// What visitors must bring along, as in http://…/?token=TOKEN: 8 to 200 letters, digits and -_.~
    #[arg(long, value_name = "TOKEN", env = "SAAVEDRA_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Another name that the server answers to. May be given several times.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Where games and settings are kept [default: saavedra.sqlite in the user's data folder]
    #[arg(long, value_name = "FILE", conflicts_with = "memory")]
    data: Option<PathBuf>,
    /// Keep games and settings in memory only: they are gone when the server ends.
    #[arg(long)]
    memory: bool,
    /// How many threads think at once [default: one for each processor]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let storage = match (&arguments.data, arguments.memory) {
        (_, true) => Storage::Memory,
        (Some(path), _) => Storage::File(path.clone()),
        (None, _) => Storage::File(usual_file()?),
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let server = Server::bind(Options {
        address: SocketAddr::new(arguments.bind, arguments.port),
        names: arguments.hosts.clone(),
        token: arguments.token.clone(),
        storage: storage.clone(),
        threads: arguments.threads.map_or(processors, usize::from),
        limits: Limits::default(),
    })
    .map_err(|error| match error {
        ServeError::NoToken(_) | ServeError::BadToken => Failure::Usage(error.to_string()),
        error => Failure::Failed(error.into()),
    })?;
    let mut address = format!("http://{}/", server.address());
    // A server serves, whether or not anybody reads what it says.
    let _ = tell(&server, &address, &storage, arguments);
    if arguments.open {
        if let Some(token) = &arguments.token {
            address = format!("{address}?token={token}");
        }
        open(&address);
    }
    let interrupted = interrupt::flag();
    let ended = async move {
        // The flag is set by a signal, and nobody is woken by a flag.
        while !interrupted.load(Ordering::Relaxed) {
            ::serve::sleep(Duration::from_millis(50)).await;
        }
    };
    server.run(ended).map_err(|error| Failure::Failed(error.into()))
}

/// Says where the board is. Programs read the first line.
fn tell(server: &Server, address: &str, storage: &Storage, arguments: &Arguments) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "Saavedra serves at {address}")?;
    match storage {
        Storage::File(path) => writeln!(out, "Games are kept in {}.", path.display())?,
        Storage::Memory => writeln!(out, "Games are kept in memory: they are gone when the server ends.")?,
    }
    if arguments.token.is_some() {
        writeln!(out, "Visitors bring the token along once: {address}?token=TOKEN")?;
    }
    if !server.address().ip().is_loopback() {
        writeln!(out, "Other machines can reach it, without encryption: put a proxy with TLS before it.")?;
    }
    if !Server::has_page() {
        writeln!(
            out,
            "There is no page in this build: run `cargo xtask web` (it needs Node.js) and build again. \
             The interface for programs works; `saavedra play` is the board on the terminal."
        )?;
    }
    writeln!(out, "Ctrl-C ends it; no game is lost.")?;
    out.flush()
}

/// Where games are kept if nobody says otherwise.
fn usual_file() -> Result<PathBuf, Failure> {
    let folders = directories::ProjectDirs::from("", "", "saavedra")
        .ok_or_else(|| anyhow!("there is no home folder to keep games in: use --data FILE or --memory"))?;
    Ok(folders.data_dir().join("saavedra.sqlite"))
}

/// Asks the system to show a page. Where it cannot, the address was printed.
fn open(address: &str) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        thread::spawn(move || child.wait());
    }
}
