//! `saavedra serve`: the board in the browser.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use ::minds::BadCommandLine;
use ::serve::{AllowedEngine, ServeError, Server, ServerLimits, ServerOptions, Storage};
use anyhow::anyhow;
use clap::Args;
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};

use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::{whole, within};

/// Serve the board to a browser: play, watch, analyse, review, explore the search.
///
/// Everything stays on this machine. The server listens on the loopback address, answers only to its own host names and
/// its own page, and stores games in the user's data folder.
#[derive(Args)]
#[command(after_help = "Example: saavedra serve --open\n         \
                        saavedra serve --bind 0.0.0.0 --token \"$(openssl rand -hex 16)\" --host chess.local")]
pub(crate) struct Arguments {
    /// The port to listen on; 0 takes any free port.
    #[arg(long, value_name = "PORT", default_value_t = 8964, value_parser = whole::<u16>)]
    port: u16,
    /// The address to listen on. Any address but loopback needs a token.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// The token that clients must send, as in http://…/?token=TOKEN: 8 to 200 letters, digits and -_.~
    #[arg(long, value_name = "TOKEN", env = "SAAVEDRA_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Another host name that the server answers to. May be given several times.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// The file for games and settings [default: saavedra.sqlite in the user's data folder]
    #[arg(long, value_name = "FILE", conflicts_with = "memory")]
    data: Option<PathBuf>,
    /// Keep games and settings in memory only: they are lost when the server stops.
    #[arg(long)]
    memory: bool,
    /// A Polyglot book that the explorer shows beside the library.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// A UCI engine that may analyse on the page, as in Stockfish=/usr/games/stockfish; its arguments may follow.
    /// May be given several times.
    #[arg(long = "engine", value_name = "NAME=PROGRAM", value_parser = read_engine)]
    engines: Vec<AllowedEngine>,
    /// How many searches run at once [default: one for each processor]
    #[arg(long, value_name = "NUMBER", value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let storage = match (&arguments.data, arguments.memory) {
        (_, true) => Storage::Memory,
        (Some(path), _) => Storage::File(path.clone()),
        (None, _) => Storage::File(default_file()?),
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let server = Server::bind(ServerOptions {
        address: SocketAddr::new(arguments.bind, arguments.port),
        names: arguments.hosts.clone(),
        token: arguments.token.clone(),
        storage: storage.clone(),
        book: arguments.book.clone(),
        engines: arguments.engines.clone(),
        threads: arguments.threads.map_or(processors, usize::from),
        limits: ServerLimits::default(),
    })
    .map_err(|error| match error {
        ServeError::NoToken(_) | ServeError::BadToken | ServeError::Engine(_) => Failure::Usage(error.to_string()),
        error => Failure::Failed(error.into()),
    })?;
    let mut address = format!("http://{}/", server.address());
    // The server runs even if its output cannot be written.
    let _ = announce(&server, &address, &storage, arguments);
    if arguments.open {
        if let Some(token) = &arguments.token {
            address = format!("{address}?token={token}");
        }
        open(&address);
    }
    let interrupted = interrupt::flag();
    let stop = async move {
        // The flag is set by a signal handler, which cannot wake this task.
        while !interrupted.load(Ordering::Relaxed) {
            ::serve::sleep(Duration::from_millis(50)).await;
        }
    };
    server.run(stop).map_err(|error| Failure::Failed(error.into()))
}

/// An engine that may analyse: its name, and how it is started.
fn read_engine(text: &str) -> Result<AllowedEngine, String> {
    let (name, command) = text.split_once('=').ok_or("expected a name, =, and a program")?;
    let command = command.parse().map_err(|error: BadCommandLine| error.to_string())?;
    Ok(AllowedEngine { name: name.trim().to_owned(), command })
}

/// Prints the address. Programs read the first line.
fn announce(server: &Server, address: &str, storage: &Storage, arguments: &Arguments) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "Saavedra serves at {address}")?;
    match storage {
        Storage::File(path) => writeln!(out, "Games are stored in {}.", path.display())?,
        Storage::Memory => writeln!(out, "Games are kept in memory only: they are lost when you stop it.")?,
    }
    if arguments.token.is_some() {
        writeln!(out, "Open it once with the token: {address}?token=TOKEN")?;
    }
    if !server.address().ip().is_loopback() {
        writeln!(out, "Other machines can reach it, and the connection is not encrypted: use a proxy with TLS.")?;
    }
    if !Server::has_page() {
        writeln!(
            out,
            "This build contains no page: run `cargo xtask web` (it needs Node.js) and build again. \
             The HTTP interface works; `saavedra play` is the board in the terminal."
        )?;
    }
    writeln!(out, "Press Ctrl-C to stop.")?;
    out.flush()
}

/// The default file for games.
pub(crate) fn default_file() -> Result<PathBuf, Failure> {
    let folders = choose_native_strategy()
        .map_err(|_| anyhow!("there is no home folder to store games in: use --data FILE or --memory"))?;
    let folder = folders.data_dir().join("saavedra");
    Ok(if cfg!(windows) { folder.join("data") } else { folder }.join("saavedra.sqlite"))
}

/// Asks the system to open a page. If it cannot, the printed address remains.
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
