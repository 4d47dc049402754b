//! `saavedra practice`: the mistakes of one's own games, on the terminal or over a pipe.

mod session;

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use ::serve::{Deck, DeckError, StorageError};
use anyhow::anyhow;
use clap::Args;

use crate::failure::Failure;
use crate::numbers::within;
use crate::serve::default_file;
use session::Session;

/// Practise the mistakes of your own games.
///
/// Mistakes become cards when a game is reviewed on the page of `saavedra serve`. Each comes back when it is about to
/// be forgotten, here as there.
#[derive(Args)]
#[command(after_help = "\
Moves are typed as e4, Nf3 or e7e8q; \"help\" lists the other commands. Every answer is stored at once.

Example: saavedra practice --cards 5")]
pub(crate) struct Arguments {
    /// The file with games and cards [default: saavedra.sqlite in the user's data folder]
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Stop after so many cards.
    #[arg(long, value_name = "NUMBER", value_parser = within::<u32>(1..))]
    cards: Option<u32>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let file = arguments.data.clone().map_or_else(default_file, Ok)?;
    let deck = open(&file)?;
    let session = Session::new(&deck, BufReader::new(io::stdin()), io::stdout().lock());
    session.run(arguments.cards.unwrap_or(u32::MAX))
}

/// Opens the cards of a file that is there. To make an empty one would only hide a mistyped name.
fn open(file: &Path) -> Result<Deck, Failure> {
    if !file.is_file() {
        let words = "there are no games in it to practise. Play on the page first: saavedra serve --open";
        return Err(Failure::Failed(anyhow!("{} does not exist: {words}", file.display())));
    }
    Deck::open(file).map_err(|error| match error {
        DeckError::Storage(StorageError::InUse { path }) => Failure::Failed(anyhow!(
            "{} is in use by a running saavedra serve: practise on its page (menu Practice), or stop it first",
            path.display()
        )),
        error => Failure::Failed(error.into()),
    })
}

impl From<DeckError> for Failure {
    fn from(error: DeckError) -> Failure {
        Failure::Failed(error.into())
    }
}
