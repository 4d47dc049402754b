//! A set of tables: which endings are in it, and whether every question about one can be answered.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rules::Position;

use crate::checksum::is_right;
use crate::error::{Damage, DamagedTable};
use crate::material::Material;
use crate::table::{Kind, Table};
use crate::table_bytes::TableBytes;

/// A file that looks like a table. Its parts are found when it is first asked.
pub(crate) struct TableFile {
    path: PathBuf,
    material: Material,
    kind: Kind,
    bytes: TableBytes,
    table: OnceLock<Result<Table, Damage>>,
}

impl TableFile {
    /// Looks at the bytes as far as that is quick.
    pub(crate) fn new(
        path: &Path,
        material: Material,
        kind: Kind,
        bytes: TableBytes,
    ) -> Result<TableFile, DamagedTable> {
        crate::table::check_quickly(&bytes, kind).map_err(|damage| DamagedTable { path: path.to_owned(), damage })?;
        Ok(TableFile { path: path.to_owned(), material, kind, bytes, table: OnceLock::new() })
    }

    /// The table, unless it is damaged.
    #[inline]
    pub(crate) fn table(&self) -> Option<&Table> {
        self.checked().as_ref().ok()
    }

    #[inline]
    fn checked(&self) -> &Result<Table, Damage> {
        self.table.get_or_init(|| Table::read(self.bytes.clone(), self.material, self.kind))
    }

    /// Reads the whole file and compares it with its checksum.
    fn verify(&self) -> Result<(), DamagedTable> {
        let damage = match self.checked() {
            Err(damage) => damage.clone(),
            Ok(_) if !is_right(&self.bytes) => Damage::Checksum,
            Ok(_) => return Ok(()),
        };
        Err(DamagedTable { path: self.path.clone(), damage })
    }
}

/// The tables of one ending.
pub(crate) struct Ending {
    pub(crate) results: TableFile,
    pub(crate) distances: Option<TableFile>,
}

/// Spreads materials, which are small numbers in a few bits, over a hash map.
#[derive(Default)]
struct MaterialHasher(u64);

impl Hasher for MaterialHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        // The map looks at the highest and the lowest bits.
        let spread = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = spread ^ spread >> 32;
    }
}

/// A set of tables.
pub(crate) struct Tables {
    endings: Vec<Ending>,
    /// Both colorings of all endings about which every question can be answered, and whether colors are exchanged.
    known: HashMap<Material, (usize, bool), BuildHasherDefault<MaterialHasher>>,
    pub(crate) most_pieces: usize,
}

impl Tables {
    /// Puts files together. Of two for the same ending the first counts.
    pub(crate) fn new(files: Vec<TableFile>) -> Tables {
        let mut endings: Vec<Ending> = Vec::new();
        let mut places: HashMap<Material, usize> = HashMap::new();
        let (results, distances): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.kind == Kind::Results);
        for results in results {
            places.entry(results.material).or_insert_with(|| {
                endings.push(Ending { results, distances: None });
                endings.len() - 1
            });
        }
        for distances in distances {
            if let Some(&place) = places.get(&distances.material) {
                endings[place].distances.get_or_insert(distances);
            }
        }
        let mut found = HashMap::new();
        for (&material, &place) in &places {
            found.insert(material.flipped(), (place, true));
        }
        for (&material, &place) in &places {
            found.insert(material, (place, false));
        }
        let known = reliable(&found);
        let most_pieces = known.keys().map(|material| material.pieces()).max().unwrap_or(0);
        Tables { endings, known, most_pieces }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.endings.is_empty()
    }

    /// How many tables of results can be relied on: one for both colorings.
    pub(crate) fn count(&self) -> usize {
        self.known.values().filter(|&&(_, is_flipped)| !is_flipped).count()
    }

    /// The tables about positions with this material, and whether colors have to be exchanged.
    #[inline]
    pub(crate) fn ending(&self, material: Material) -> Option<(&Ending, bool)> {
        let &(place, is_flipped) = self.known.get(&material)?;
        Some((&self.endings[place], is_flipped))
    }

    /// Whether a position may be asked about: without castling, and with few enough pieces.
    #[inline]
    pub(crate) fn may_know(&self, position: &Position) -> bool {
        position.castling_rights().rooks().is_empty() && position.occupied().count() as usize <= self.most_pieces
    }

    /// Reads all files whole, and tells which are damaged.
    pub(crate) fn verify(&self) -> Vec<DamagedTable> {
        let files = self.endings.iter().flat_map(|ending| [Some(&ending.results), ending.distances.as_ref()]);
        files.flatten().filter_map(|file| file.verify().err()).collect()
    }
}

/// The endings whose positions can be looked up whatever is captured or promoted on the way.
///
/// A look-up searches captures, and needs the tables of all that they lead to.
fn reliable(
    found: &HashMap<Material, (usize, bool)>,
) -> HashMap<Material, (usize, bool), BuildHasherDefault<MaterialHasher>> {
    let mut by_pieces: Vec<Material> = found.keys().copied().collect();
    // What a move leads to has fewer pieces, or as many and fewer pawns: those are settled first.
    by_pieces.sort_by_key(|material| (material.pieces(), material.pawns()));
    let mut reliable = HashMap::default();
    for material in by_pieces {
        let is_known = |next: &Material| *next == Material::KINGS || reliable.contains_key(next);
        if material.successors().iter().all(is_known) {
            reliable.insert(material, found[&material]);
        }
    }
    reliable
}
