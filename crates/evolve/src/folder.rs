//! The folder of a run: made, locked, and where its networks lie.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};

use crate::{Failure, Ledger, LedgerEntry, float_path};

/// The network of the champion, whatever its number.
const CHAMPION: &str = "champion.nnue";

/// The folder of a run, which no other program works in as long as this value lives.
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Makes the folder if there is none, and locks it.
    pub fn open(path: &Path) -> Result<Folder, Failure> {
        let path = std::path::absolute(path).context("cannot find the folder")?;
        if path.display().to_string().contains(',') {
            return Err(Failure::Usage(format!("{}: the folder's path cannot hold a comma", path.display())));
        }
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        let lock_path = path.join("lock");
        let lock = File::create(&lock_path).with_context(|| format!("cannot write {}", lock_path.display()))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Err(anyhow!("another run uses {}", path.display()).into()),
            Err(TryLockError::Error(error)) => {
                tracing::warn!(folder = %path.display(), %error, "the folder cannot be locked against other programs");
                Ok(Folder { path, _lock: lock })
            }
            Ok(()) => Ok(Folder { path, _lock: lock }),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The network of an attempt.
    pub(crate) fn network_path(&self, entry: &LedgerEntry) -> PathBuf {
        match entry.gpu {
            Some(_) => self.gpu_network_path(entry.attempt),
            None => self.attempt(entry.attempt).join("net.nnue"),
        }
    }

    /// The network of an attempt on a GPU, which has no folder of its own.
    pub(crate) fn gpu_network_path(&self, attempt: u32) -> PathBuf {
        self.path.join(format!("{attempt:03}.nnue"))
    }

    /// The folder of an attempt on the CPU.
    pub(crate) fn attempt(&self, number: u32) -> PathBuf {
        self.path.join(format!("{number:03}"))
    }

    /// Copies the champion of the ledger, and its float weights if there are any, to names that do not change.
    pub(crate) fn keep_champion(&self, ledger: &Ledger) -> Result<(), Failure> {
        let Some(entry) = ledger.champion() else { return Ok(()) };
        let source = self.network_path(entry);
        let bytes = fs::read(&source).with_context(|| format!("cannot read {}", source.display()))?;
        self.write_champion(&bytes)?;
        let (source, kept) = (float_path(&source), float_path(&self.path.join(CHAMPION)));
        match fs::read(&source) {
            Ok(bytes) => write_file(&kept, &bytes),
            // The float weights of an earlier champion are not this one's.
            Err(error) if error.kind() == ErrorKind::NotFound => match fs::remove_file(&kept) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    Err(anyhow!("cannot remove {}: {error}", kept.display()).into())
                }
                _ => Ok(()),
            },
            Err(error) => Err(anyhow!("cannot read {}: {error}", source.display()).into()),
        }
    }

    pub(crate) fn write_champion(&self, bytes: &[u8]) -> Result<(), Failure> {
        write_file(&self.path.join(CHAMPION), bytes)
    }
}

/// Writes a file, whole or not at all.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Ok(records::write_atomically(path, bytes).with_context(|| format!("cannot write {}", path.display()))?)
}

pub(crate) fn read_json<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, Failure> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(serde_json::from_slice(&bytes).with_context(|| format!("cannot read {}", path.display()))?)
}

pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    write_file(path, &text)
}
