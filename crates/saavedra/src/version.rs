//! What `saavedra --version` says: enough to repeat what this binary did.

use std::io::{self, Write};

use crate::{failure::Failure, net};

/// Prints the version and the commit, the network, and the instructions that were chosen for this CPU.
pub(crate) fn print() -> Result<(), Failure> {
    let network = net::network(None)?;
    let bytes = network.write();
    let checksum = nnue::checksum(&bytes[..bytes.len() - 8]);
    let commit = match env!("SAAVEDRA_COMMIT") {
        "" => String::new(),
        commit => format!(" ({commit})"),
    };
    let mut out = io::stdout().lock();
    writeln!(out, "saavedra {}{commit}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "network  {checksum:016x}, {}", network.architecture())?;
    writeln!(out, "CPU      {}", nnue::Kernel::best())?;
    Ok(out.flush()?)
}
