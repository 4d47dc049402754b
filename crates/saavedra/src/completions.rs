//! `saavedra completions`: what a shell needs to complete our commands and options.

use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

use crate::failure::Failure;

/// Print a script that completes commands and options in a shell.
#[derive(Args)]
#[command(after_help = "Examples:
  saavedra completions bash > ~/.local/share/bash-completion/completions/saavedra
  saavedra completions zsh > ~/.zfunc/_saavedra
  saavedra completions fish > ~/.config/fish/completions/saavedra.fish
  saavedra completions powershell >> $PROFILE")]
pub(crate) struct Arguments {
    /// The shell.
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments, mut command: clap::Command) -> Result<(), Failure> {
    // Written at once, because the generator panics where its output is closed.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "saavedra", &mut script);
    let mut out = io::stdout().lock();
    out.write_all(&script)?;
    Ok(out.flush()?)
}
