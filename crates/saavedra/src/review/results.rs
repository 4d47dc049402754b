//! The files that a run writes, made of its journal when all games are done.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use records::AtomicFile;

use super::Arguments;
use super::journal::Journal;
use super::puzzles::Format;
use super::summary::Summary;
use crate::failure::Failure;

/// What a run writes.
pub(super) struct Results<'a> {
    out: Option<&'a Path>,
    puzzles: Option<(&'a Path, Format)>,
    player: Option<&'a str>,
    summary: Option<&'a Path>,
}

impl<'a> Results<'a> {
    /// Refuses files that cannot be written, before any work is done.
    pub(super) fn new(arguments: &'a Arguments) -> Result<Results<'a>, Failure> {
        let Arguments { out, puzzles, player, summary, .. } = arguments;
        let path = |path: &'a Option<PathBuf>| path.as_deref();
        let format = path(puzzles).map(Format::of).transpose()?;
        for path in [out, puzzles, summary].into_iter().flatten() {
            begin(path)?;
        }
        Ok(Results {
            out: path(out),
            puzzles: path(puzzles).zip(format),
            player: player.as_deref(),
            summary: path(summary),
        })
    }

    /// The file that the journal lies beside. Without a file there is none: what is only printed is gone.
    pub(super) fn first_file(&self) -> Option<&'a Path> {
        self.out.or(self.puzzles.map(|(path, _)| path)).or(self.summary)
    }

    /// Keeps a file of games that is about to be replaced by one without what could not be read.
    pub(super) fn keep_what_was_not_read(&self) -> Result<(), Failure> {
        let Some(path) = self.out.filter(|path| path.exists()) else { return Ok(()) };
        let mut kept = path.as_os_str().to_owned();
        kept.push(".orig");
        while Path::new(&kept).exists() {
            kept.push("~");
        }
        let kept = Path::new(&kept);
        fs::copy(path, kept).with_context(|| cannot_write(kept))?;
        let (path, kept) = (path.display(), kept.display());
        let _ =
            writeln!(io::stderr(), "saavedra: not all of the games could be read: {path} as it was is kept in {kept}");
        Ok(())
    }

    /// Writes every file.
    pub(super) fn write(&self, journal: &mut Journal) -> Result<(), Failure> {
        if let Some(path) = self.out {
            write(path, |file| {
                for (index, record) in journal.records()?.enumerate() {
                    write!(file, "{}{}", if index == 0 { "" } else { "\n" }, record?.pgn)?;
                }
                Ok(())
            })?;
        }
        if let Some((path, format)) = self.puzzles {
            write(path, |file| {
                format.begin(file)?;
                let mut number = 0;
                for record in journal.records()? {
                    for puzzle in record?.puzzles.iter().flatten() {
                        number += 1;
                        format.write(file, number, puzzle)?;
                    }
                }
                Ok(())
            })?;
        }
        if let Some(player) = self.player {
            let mut summary = Summary::new(player);
            for record in journal.records()? {
                record?.digest.iter().for_each(|game| summary.add(game));
            }
            self.write_summary(&summary)?;
        }
        Ok(())
    }

    /// Writes the summary, or prints it.
    pub(super) fn write_summary(&self, summary: &Summary) -> Result<(), Failure> {
        summary.write(self.summary)
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Begins a file that gets its name when it is complete.
fn begin(path: &Path) -> Result<AtomicFile, Failure> {
    if path.is_dir() {
        return Err(Failure::Failed(anyhow!("{}: it is a folder", cannot_write(path))));
    }
    Ok(AtomicFile::create(path).with_context(|| cannot_write(path))?)
}

fn write(path: &Path, text: impl FnOnce(&mut BufWriter<AtomicFile>) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut file = BufWriter::new(begin(path)?);
    text(&mut file)?;
    let complete = file.into_inner().map_err(io::Error::from).and_then(AtomicFile::commit);
    Ok(complete.with_context(|| cannot_write(path))?)
}
