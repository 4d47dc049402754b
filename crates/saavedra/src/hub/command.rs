//! `saavedra hub`: makes a hub, starts its server, and shows what goes on there.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use ::hub::server::{CONFIGURATION, Role, Server};
use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};

use super::status;
use super::via::failed;
use crate::failure::Failure;

/// Make a hub for work on several machines, start its server, and see what goes on there.
#[derive(Args)]
#[command(after_help = "\
The server is nats-server (in Debian: apt-get install nats-server).
Examples: saavedra hub init hub
          saavedra hub start hub
          saavedra hub status nats://localhost --creds hub/viewer.key")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Write the server's configuration and the keys of a coordinator, of workers and of viewers to a folder.
    #[command(after_help = "\
Examples: saavedra hub init hub
          saavedra hub init hub --listen 127.0.0.1:4222")]
    Init(Init),
    /// Start nats-server with the configuration of a folder, until it is interrupted.
    #[command(after_help = "Example: saavedra hub start hub")]
    Start(Start),
    /// Show workers, events and faults.
    #[command(after_help = "Example: saavedra hub status nats://localhost --creds hub/viewer.key")]
    Status(status::Arguments),
}

#[derive(Args)]
struct Init {
    /// The folder, which is made if it is not there.
    folder: PathBuf,
    /// The address and port to listen on.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "0.0.0.0:4222")]
    listen: SocketAddr,
    /// The server's certificate, to speak TLS.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

#[derive(Args)]
struct Start {
    /// The folder that `saavedra hub init` wrote.
    folder: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.action {
        Action::Init(arguments) => init(arguments),
        Action::Start(arguments) => start(&arguments.folder),
        Action::Status(arguments) => status::run(arguments),
    }
}

fn init(arguments: &Init) -> Result<(), Failure> {
    let tls = match (&arguments.tls_cert, &arguments.tls_key) {
        (Some(certificate), Some(key)) => Some((std::path::absolute(certificate)?, std::path::absolute(key)?)),
        _ => None,
    };
    Server { listen: arguments.listen, tls }.write(&arguments.folder).map_err(failed)?;
    let mut out = io::stdout().lock();
    let folder = arguments.folder.display();
    writeln!(out, "{folder}/{CONFIGURATION} is for the server: saavedra hub start {folder}")?;
    for role in Role::ALL {
        writeln!(out, "{folder}/{}.key is the key of a {}", role.name(), role.name())?;
    }
    Ok(out.flush()?)
}

/// Becomes the server where that is possible, so that whatever looks after this process looks after the server.
fn start(folder: &Path) -> Result<(), Failure> {
    let configuration = folder.join(CONFIGURATION);
    if !configuration.is_file() {
        return Err(Failure::Failed(anyhow!("{} holds no hub: saavedra hub init makes one", folder.display())));
    }
    let mut server = Command::new("nats-server");
    server.arg("--config").arg(&configuration);
    #[cfg(unix)]
    let error = std::os::unix::process::CommandExt::exec(&mut server);
    #[cfg(not(unix))]
    let error = match server.status() {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => return Err(Failure::Failed(anyhow!("nats-server ended: {status}"))),
        Err(error) => error,
    };
    Err(error).context("nats-server cannot be started (in Debian: apt-get install nats-server)").map_err(Failure::from)
}
