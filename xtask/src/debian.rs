//! Programs that tests want and a machine may lack: where there is apt-get and we may, Debian's packages are installed.

use std::process::{Command, Stdio};

/// Installs a package, and answers whether that went well.
pub(crate) fn install(package: &str) -> bool {
    println!("   no {package}: trying to install it");
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--quiet", "--no-install-recommends", package]);
    install.env("DEBIAN_FRONTEND", "noninteractive");
    answers(&mut install)
}

/// Installs the server of the tests of several machines, unless it is there, and answers whether it is now.
pub(crate) fn provide_nats_server() -> bool {
    let is_there = || answers(Command::new("nats-server").arg("--version"));
    is_there() || (install("nats-server") && is_there())
}

/// Whether a program is there and succeeds.
pub(crate) fn answers(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
