//! Mapping files into memory: the only unsafe code of the crate.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a file for reading.
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is private and only read, as bytes of which any value is valid, and every access is within
    // its length. What cannot be ruled out from here is that another process changes or truncates the file meanwhile:
    // tables are written once, and the documentation asks that those in use are left alone. Without a mapping sets
    // of tables that are larger than the memory could not be used at all.
    let mapped = unsafe { Mmap::map(file) }?;
    // Look-ups jump about, and reading ahead would only push other pages out. Refused advice does no harm.
    #[cfg(unix)]
    let _ = mapped.advise(memmap2::Advice::Random);
    Ok(mapped)
}
