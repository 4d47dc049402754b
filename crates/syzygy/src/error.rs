//! What may be wrong with tables and with the folders they are in.

use std::io;
use std::path::PathBuf;

/// Why tables cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// No folder was named.
    #[error("no folder with tablebases was named")]
    NoFolder,
    /// A folder that was named is not there.
    #[error("there is no folder {0:?}")]
    MissingFolder(String),
    /// A folder or a file could not be read.
    #[error("cannot read {path:?}: {error}")]
    Unreadable {
        /// The folder or the file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// None of the folders has a table of results.
    #[error("there is no tablebase (no .rtbw file) in {0:?}")]
    NoTables(String),
    /// A file with the name of a table is not one, or is damaged.
    #[error(transparent)]
    Damaged(#[from] DamagedTable),
}

/// A file that is no table as it should be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{path:?} is not a complete tablebase: {damage}")]
pub struct DamagedTable {
    /// The file, or the name a buffer was given.
    pub path: PathBuf,
    /// How that can be told.
    pub damage: Damage,
}

/// How it can be told that a table is damaged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Damage {
    /// The system could not read it, and said why.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// It has fewer bytes than the smallest table.
    #[error("it is too short")]
    TooShort,
    /// The first four bytes are not those of its kind of table.
    #[error("it does not begin like one")]
    Magic,
    /// Tables are padded to blocks of 64 bytes, and a checksum of 16 bytes follows. This one has another length.
    #[error("a part is missing, by its length")]
    Length,
    /// The checksum at its end is not that of its content.
    #[error("its checksum does not fit its content")]
    Checksum,
    /// It describes another ending than its name does.
    #[error("it has other pieces than its name says")]
    Pieces,
    /// The order in which pieces make up an index is impossible.
    #[error("the order of its pieces is impossible")]
    Order,
    /// A part would begin or end behind the end of the file.
    #[error("it ends within its {0}")]
    EndsWithin(Part),
    /// The sizes of blocks or the lengths of codes are impossible.
    #[error("its {0} is impossible")]
    Impossible(Part),
    /// A symbol is made of itself, of symbols that do not exist, or of too many values.
    #[error("its symbol {0} cannot be expanded")]
    Symbol(usize),
}

/// The parts of a table's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// What comes first: flags and pieces.
    Header,
    /// The code: sizes, lengths of codes, symbols.
    Code,
    /// The four lists that distances are looked up in.
    Distances,
    /// Which block holds an index.
    BlockIndex,
    /// How many values each block holds.
    BlockLengths,
    /// The compressed values.
    Blocks,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Part::Header => "header",
            Part::Code => "code",
            Part::Distances => "list of distances",
            Part::BlockIndex => "index of blocks",
            Part::BlockLengths => "list of block lengths",
            Part::Blocks => "blocks",
        })
    }
}
