//! The file of reviewed games.
//!
//! Games are written to `FILE.partial`, one after the other, and the file gets its name when it is complete. A run that
//! was killed leaves its partial file behind; the next run takes the games it has from there.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use records::pgn::{self, GameTree};
use review::is_reviewed;

use crate::failure::Failure;

/// Reads the games of an earlier run in their order.
type Earlier = pgn::Games<BufReader<File>>;

/// The file of reviewed games.
pub(super) struct Output {
    path: PathBuf,
    partial: PathBuf,
    /// What an earlier run had done.
    resumed: PathBuf,
    earlier: Option<Earlier>,
    file: BufWriter<File>,
    is_first: bool,
}

impl Output {
    pub(super) fn create(path: &Path) -> Result<Output, Failure> {
        let cannot_write = || format!("cannot write {}", path.display());
        if path.is_dir() {
            return Err(Failure::Failed(anyhow!("{}: it is a folder", cannot_write())));
        }
        let (partial, resumed) = (beside(path, "partial"), beside(path, "resumed"));
        let size = |path: &Path| fs::metadata(path).map_or(0, |data| data.len());
        // A run that was killed while it still took over games has less than the one before it.
        if size(&partial) > size(&resumed) {
            fs::rename(&partial, &resumed).with_context(cannot_write)?;
        }
        let earlier = File::open(&resumed).ok().map(|file| pgn::games(BufReader::new(file)));
        let file = BufWriter::new(File::create(&partial).with_context(cannot_write)?);
        Ok(Output { path: path.to_owned(), partial, resumed, earlier, file, is_first: true })
    }

    /// The game as an earlier run has reviewed it, if that came so far.
    pub(super) fn earlier(&mut self, tree: &GameTree) -> Option<GameTree> {
        let next = self.earlier.as_mut()?.next_game().ok().flatten();
        let same = next.filter(|(earlier, problem)| problem.is_none() && is_same_game(earlier, tree));
        if same.is_none() {
            // Its last game was cut short, or the games are others: from here on all is done again.
            self.earlier = None;
        }
        same.map(|(earlier, _)| earlier).filter(is_reviewed)
    }

    pub(super) fn write(&mut self, tree: &GameTree) -> Result<(), Failure> {
        let between = if self.is_first { "" } else { "\n" };
        self.is_first = false;
        let written = write!(self.file, "{between}{tree}").and_then(|()| self.file.flush());
        Ok(written.with_context(|| format!("cannot write {}", self.partial.display()))?)
    }

    /// Where the games are while the file is not complete.
    pub(super) fn partial(&self) -> &Path {
        &self.partial
    }

    /// The file is complete.
    pub(super) fn keep(mut self) -> Result<(), Failure> {
        let kept = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        let kept = kept.and_then(|()| fs::rename(&self.partial, &self.path));
        kept.with_context(|| format!("cannot write {}", self.path.display()))?;
        match fs::remove_file(&self.resumed) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Failure::Failed(anyhow!("cannot remove {}: {error}", self.resumed.display())))
            }
            _ => Ok(()),
        }
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

fn is_same_game(one: &GameTree, other: &GameTree) -> bool {
    let moves = |tree: &GameTree| tree.mainline().map(|id| tree.node(id).mv()).collect::<Vec<_>>();
    let names = |tree: &GameTree| ["White", "Black", "Date", "Round"].map(|tag| tree.tags.get(tag).map(str::to_owned));
    one.start() == other.start() && names(one) == names(other) && moves(one) == moves(other)
}
