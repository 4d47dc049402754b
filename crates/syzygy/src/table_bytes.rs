//! The bytes of a table, wherever they are: in a file that is mapped into memory, or in a buffer.

use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// Larger files are mapped.
#[cfg(feature = "mmap")]
const MAPPED_FROM: u64 = 1 << 20;

/// The whole content of a table's file.
#[derive(Clone)]
pub(crate) enum TableBytes {
    /// A file whose pages the system reads when they are looked at, so that sets larger than the memory can be used.
    #[cfg(feature = "mmap")]
    Mapped(Arc<memmap2::Mmap>),
    /// Bytes in memory, for systems without files.
    Buffer(Arc<[u8]>),
}

impl TableBytes {
    /// Maps a file, or reads it if it is small or mapping is not compiled in.
    ///
    /// What was read cannot change any more. A mapped file can, and if it is cut short, the system ends a program that
    /// looks behind its end.
    pub(crate) fn of_file(path: &Path) -> io::Result<TableBytes> {
        // Asked before it is opened: opening a pipe would wait for its other end.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        let mut file = File::open(path)?;
        #[cfg(feature = "mmap")]
        if file.metadata()?.len() > MAPPED_FROM {
            return Ok(TableBytes::Mapped(Arc::new(crate::mapping::map(&file)?)));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(TableBytes::Buffer(bytes.into()))
    }
}

impl Deref for TableBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            #[cfg(feature = "mmap")]
            TableBytes::Mapped(mapped) => mapped,
            TableBytes::Buffer(bytes) => bytes,
        }
    }
}
