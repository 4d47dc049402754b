//! The bytes of a table, wherever they are: in a file that is mapped into memory, or in a buffer.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

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
    /// Maps a file, or reads it where mapping is not compiled in.
    pub(crate) fn of_file(path: &Path) -> io::Result<TableBytes> {
        let file = File::open(path)?;
        #[cfg(feature = "mmap")]
        return Ok(TableBytes::Mapped(Arc::new(crate::mapping::map(&file)?)));
        #[cfg(not(feature = "mmap"))]
        {
            let mut bytes = Vec::new();
            io::Read::read_to_end(&mut { file }, &mut bytes)?;
            Ok(TableBytes::Buffer(bytes.into()))
        }
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
