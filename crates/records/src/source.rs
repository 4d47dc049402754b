//! Files and streams, whatever they are wrapped in: plain, gzip, Zstandard or ZIP, recognised by their first bytes.
//!
//! Everything is unwrapped while it is read, so that the size of a file does not matter.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use flate2::bufread::{DeflateDecoder, MultiGzDecoder};
use thiserror::Error;

/// A stream of plain bytes that can be handed to another thread.
pub type Source = Box<dyn BufRead + Send>;

/// Why something cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The file cannot be opened, or its first bytes cannot be read.
    #[error("cannot read {name}: {error}")]
    Unreadable {
        /// The file.
        name: String,
        /// What the system said.
        error: io::Error,
    },
    /// The ZIP archive is of a kind that cannot be read from front to back.
    #[error("cannot unzip {name}: {reason}")]
    Zip {
        /// The file.
        name: String,
        /// What is the matter with it.
        reason: &'static str,
    },
}

/// The same cause, for those whose errors are of input alone.
impl From<SourceError> for io::Error {
    fn from(error: SourceError) -> io::Error {
        match error {
            SourceError::Unreadable { error, .. } => error,
            zip @ SourceError::Zip { .. } => io::Error::new(io::ErrorKind::InvalidData, zip),
        }
    }
}

/// Opens a file. Errors, now and while it is read, name it.
///
/// ```no_run
/// use std::io::BufRead;
///
/// let source = saavedra_records::source::open("games.pgn.zst".as_ref())?;
/// println!("{} lines", source.lines().count());
/// # Ok::<(), saavedra_records::source::SourceError>(())
/// ```
pub fn open(path: &Path) -> Result<Source, SourceError> {
    let name = path.display().to_string();
    let file = File::open(path).and_then(|file| {
        let is_folder = file.metadata()?.is_dir();
        if is_folder { Err(io::Error::from(io::ErrorKind::IsADirectory)) } else { Ok(file) }
    });
    match file {
        Ok(file) => unwrap(&name, file),
        Err(error) => Err(SourceError::Unreadable { name, error }),
    }
}

/// Whether a path that a user gave is a dash, which stands for the standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// What to call an input in messages.
pub fn input_name(path: &Path) -> String {
    if is_standard_input(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens what a user named: a file, or the standard input if it is a dash. That can be read only once.
pub fn open_input(path: &Path) -> Result<Source, SourceError> {
    if is_standard_input(path) { unwrap(&input_name(path), io::stdin()) } else { open(path) }
}

/// Unwraps a stream. It is called by its name in errors.
pub fn unwrap(name: &str, stream: impl Read + Send + 'static) -> Result<Source, SourceError> {
    const BUFFER: usize = 1 << 17;
    let mut stream = BufReader::with_capacity(BUFFER, stream);
    let unreadable = |error| SourceError::Unreadable { name: name.to_owned(), error };
    let mut first = Vec::with_capacity(4);
    stream.by_ref().take(4).read_to_end(&mut first).map_err(unreadable)?;
    let kind = Wrapping::of(&first);
    let stream = Cursor::new(first).chain(stream);
    Ok(match kind {
        Wrapping::None => named(name, stream),
        Wrapping::Gzip => named(name, MultiGzDecoder::new(stream)),
        Wrapping::Zstandard => named(name, zstd::Decoder::with_buffer(stream).map_err(unreadable)?),
        Wrapping::Zip => {
            let zip_error = |reason| SourceError::Zip { name: name.to_owned(), reason };
            let (entry, stream) = ZipEntry::first_file(stream).map_err(unreadable)?.map_err(zip_error)?;
            match entry.method {
                ZipMethod::Stored => named(name, stream.take(entry.size)),
                ZipMethod::Deflated => named(name, DeflateDecoder::new(stream)),
            }
        }
    })
}

fn named(name: &str, stream: impl Read + Send + 'static) -> Source {
    Box::new(BufReader::with_capacity(1 << 16, Named { name: name.to_owned(), stream }))
}

/// A stream whose errors tell its name.
struct Named<R> {
    name: String,
    stream: R,
}

impl<R: Read> Read for Named<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            kind => io::Error::new(kind, format!("cannot read {}: {error}", self.name)),
        })
    }
}

#[derive(Clone, Copy)]
enum Wrapping {
    None,
    Gzip,
    Zstandard,
    Zip,
}

impl Wrapping {
    fn of(first: &[u8]) -> Wrapping {
        match first {
            [0x1f, 0x8b, ..] => Wrapping::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd] => Wrapping::Zstandard,
            // A skippable frame, which may come before the others.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Wrapping::Zstandard,
            b"PK\x03\x04" => Wrapping::Zip,
            _ => Wrapping::None,
        }
    }
}

/// What the header before a file in a ZIP archive says.
struct ZipEntry {
    method: ZipMethod,
    size: u64,
}

enum ZipMethod {
    Stored,
    Deflated,
}

impl ZipEntry {
    /// Reads headers until one of a file, folders being passed over, and leaves the stream where its contents begin.
    fn first_file<R: Read>(mut stream: R) -> io::Result<Result<(ZipEntry, R), &'static str>> {
        loop {
            let mut header = [0; 30];
            stream.read_exact(&mut header)?;
            let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
            let long = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
            if header[..4] != *b"PK\x03\x04" {
                return Ok(Err("there is no file in it"));
            }
            let (flags, method, packed_size) = (short(6), short(8), long(18));
            let mut name = vec![0; usize::from(short(26))];
            stream.read_exact(&mut name)?;
            io::copy(&mut stream.by_ref().take(u64::from(short(28))), &mut io::sink())?;
            if flags & 1 != 0 {
                return Ok(Err("it is encrypted"));
            }
            if name.ends_with(b"/") {
                io::copy(&mut stream.by_ref().take(u64::from(packed_size)), &mut io::sink())?;
                continue;
            }
            let method = match method {
                0 if flags & 8 == 0 && packed_size != u32::MAX => ZipMethod::Stored,
                8 => ZipMethod::Deflated,
                0 => return Ok(Err("its first file does not tell its size")),
                _ => return Ok(Err("its first file is neither stored nor deflated")),
            };
            return Ok(Ok((ZipEntry { method, size: u64::from(packed_size) }, stream)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const TEXT: &[u8] = b"[Event \"?\"]\n\n1. e4 *\n";

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).expect("memory can be written");
        encoder.finish().expect("memory can be written")
    }

    fn zip(method: u16, contents: &[u8]) -> Vec<u8> {
        let header = |method: u16, size: usize, name: &[u8]| {
            let mut bytes = b"PK\x03\x04\x14\0\0\0".to_vec();
            bytes.extend(method.to_le_bytes());
            bytes.extend([0; 8]);
            bytes.extend((size as u32).to_le_bytes());
            bytes.extend([0; 4]);
            bytes.extend((name.len() as u16).to_le_bytes());
            bytes.extend([3, 0]);
            bytes.extend(name);
            bytes.extend(b"xyz");
            bytes
        };
        [
            header(0, 0, b"folder/"),
            header(method, contents.len(), b"folder/a.pgn"),
            contents.to_vec(),
            b"PK\x01\x02".to_vec(),
        ]
        .concat()
    }

    fn read(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        let mut source = unwrap("games", Cursor::new(bytes)).map_err(|error| error.to_string())?;
        let mut text = Vec::new();
        source.read_to_end(&mut text).map_err(|error| error.to_string())?;
        Ok(text)
    }

    #[test]
    fn a_stream_is_read_whatever_it_is_wrapped_in() {
        let deflated = {
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(TEXT).expect("memory can be written");
            encoder.finish().expect("memory can be written")
        };
        let zstandard = || zstd::encode_all(TEXT, 1).expect("memory can be written");
        for (form, bytes) in [
            ("plain", TEXT.to_vec()),
            ("gzip", gzip(TEXT)),
            ("Zstandard", zstandard()),
            ("ZIP, deflated", zip(8, &deflated)),
            ("ZIP, stored", zip(0, TEXT)),
        ] {
            assert_eq!(read(bytes).as_deref(), Ok(TEXT), "{form}");
        }
        let twice = [TEXT, TEXT].concat();
        assert_eq!(read([gzip(TEXT), gzip(TEXT)].concat()).as_deref(), Ok(&twice[..]), "gzip in two members");
        assert_eq!(read([zstandard(), zstandard()].concat()).as_deref(), Ok(&twice[..]), "Zstandard in two frames");
        assert_eq!(read(Vec::new()), Ok(Vec::new()), "an empty stream");
        assert_eq!(read(b"PK".to_vec()), Ok(b"PK".to_vec()), "a stream of two bytes");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = open("/no/such/file.pgn".as_ref()).map(|_| ()).expect_err("there is no such file").to_string();
        assert!(error.starts_with("cannot read /no/such/file.pgn: "), "{error}");
        let cut = gzip(TEXT);
        let error = read(cut[..cut.len() - 9].to_vec()).expect_err("the end is missing");
        assert!(error.starts_with("cannot read games: "), "{error}");
        assert_eq!(
            read(zip(12, TEXT)),
            Err("cannot unzip games: its first file is neither stored nor deflated".to_owned())
        );
        let error = open(".".as_ref()).map(|_| ()).expect_err("a folder is no file").to_string();
        assert!(error.contains("directory"), "{error}");
    }
}
