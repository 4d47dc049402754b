//! `saavedra man`: the manual pages, one for every command.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use crate::failure::Failure;

/// Print the manual page, or write the pages of all commands into a folder.
#[derive(Args)]
#[command(after_help = "Examples:
  saavedra man | man -l -
  saavedra man ~/.local/share/man/man1 && man saavedra-match")]
pub(crate) struct Arguments {
    /// The folder to write saavedra.1, saavedra-match.1 and so on into.
    folder: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, command: clap::Command) -> Result<(), Failure> {
    match &arguments.folder {
        Some(folder) => {
            let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
            Ok(written.with_context(|| format!("cannot write {}", folder.display()))?)
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            let mut out = io::stdout().lock();
            out.write_all(&page)?;
            Ok(out.flush()?)
        }
    }
}
