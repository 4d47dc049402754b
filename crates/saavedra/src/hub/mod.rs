//! `saavedra hub` and `saavedra worker`, and what `--via` means to the commands that play games.

mod command;
mod status;
mod via;
mod worker;

use std::io::{self, Write};
use std::sync::Arc;

use ::hub::Notice;

pub(crate) use command::{Arguments, run};
pub(crate) use via::Via;
pub(crate) use worker::{Arguments as Worker, run as run_worker};

/// Tells people on standard error what goes on at a hub.
fn notice() -> Notice {
    Arc::new(|line: &str| {
        let _ = writeln!(io::stderr(), "saavedra: {line}");
    })
}
