//! A table: the parts of a file, and how to find a position's value in them.

use rules::{Color, Position};
use search::TablebaseResult;

use crate::checksum::{CHECKSUM_BYTES, is_right};
use crate::cursor::Cursor;
use crate::distances::DistanceLists;
use crate::error::{Damage, Part};
use crate::layout::{Half, Layout, Lead, MOST_PIECES, View};
use crate::material::Material;
use crate::pairs::{Pairs, PairsHeader};
use crate::table_bytes::TableBytes;

/// The two kinds of tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    /// Who wins: `.rtbw`.
    Results,
    /// How many plies pass until a capture or a pawn move: `.rtbz`.
    Distances,
}

impl Kind {
    pub(crate) const ALL: [Kind; 2] = [Kind::Results, Kind::Distances];

    /// The end of a file's name.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Kind::Results => "rtbw",
            Kind::Distances => "rtbz",
        }
    }

    /// The four bytes a file begins with.
    fn magic(self) -> [u8; 4] {
        match self {
            Kind::Results => [0x71, 0xe8, 0x23, 0x5d],
            Kind::Distances => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// Files up to this size are compared with their checksum before they are used, which takes about a millisecond.
/// Larger ones are when [`verify`](crate::Syzygy::verify) is called: reading a whole set would take minutes to hours.
const SMALL: usize = 1 << 20;

/// The smallest file: one block and a checksum.
const SHORTEST: usize = 64 + CHECKSUM_BYTES;

/// Looks at what can be told without reading a large file: its beginning, its length, and of small ones the checksum.
pub(crate) fn check_quickly(bytes: &[u8], kind: Kind) -> Result<(), Damage> {
    if bytes.len() < SHORTEST {
        return Err(Damage::TooShort);
    }
    if !bytes.starts_with(&kind.magic()) {
        return Err(Damage::Magic);
    }
    // A table is padded to blocks of 64 bytes, and a checksum of 16 bytes follows.
    if bytes.len() % 64 != CHECKSUM_BYTES {
        return Err(Damage::Length);
    }
    if bytes.len() <= SMALL && !is_right(bytes) {
        return Err(Damage::Checksum);
    }
    Ok(())
}

/// The numbering and the values of one file of the leading pawn, for one player to move.
struct Section {
    layout: Layout,
    pairs: Pairs,
}

/// A file whose every part has been found.
pub(crate) struct Table {
    bytes: TableBytes,
    is_symmetric: bool,
    lead: Lead,
    /// For each file one or two sections: the first player to move, then the second.
    sections: Vec<Section>,
    /// For each file the lists of distances, in tables of distances.
    distances: Vec<DistanceLists>,
}

/// What flags say at the beginning of a file.
const HAS_TWO_SIDES: u8 = 1;
const HAS_PAWNS: u8 = 2;

impl Table {
    /// Finds the parts of a file. Whatever it contains, nothing beyond its end is ever read.
    pub(crate) fn read(bytes: TableBytes, material: Material, kind: Kind) -> Result<Table, Damage> {
        check_quickly(&bytes, kind)?;
        if !(3..=MOST_PIECES).contains(&material.pieces()) {
            return Err(Damage::Pieces);
        }
        let content = &bytes[..bytes.len() - CHECKSUM_BYTES];
        let mut cursor = Cursor::new(content);
        cursor.skip(4, Part::Header)?;
        let flags = cursor.byte(Part::Header)?;
        let lead = Lead::of(material);
        let is_symmetric = material == material.flipped();
        let has_pawns = matches!(lead, Lead::Pawns { .. });
        if (flags & HAS_PAWNS != 0) != has_pawns || (flags & HAS_TWO_SIDES != 0) == is_symmetric {
            return Err(Damage::Pieces);
        }
        let halves: &[Half] =
            if is_symmetric || kind == Kind::Distances { &[Half::Low] } else { &[Half::Low, Half::High] };
        let mut layouts = Vec::with_capacity(lead.files() * halves.len());
        for file in 0..lead.files() {
            for &half in halves {
                layouts.push(Layout::read(cursor.rest(), material, file, half)?);
            }
            cursor.skip((lead.order_bytes() + material.pieces()) as u64, Part::Header)?;
        }
        // The leading pawn is found before it is known which section is asked.
        if has_pawns && layouts.iter().any(|layout| layout.first_piece() != layouts[0].first_piece()) {
            return Err(Damage::Pieces);
        }
        cursor.align(2);
        let mut headers = Vec::with_capacity(layouts.len());
        for layout in &layouts {
            headers.push(PairsHeader::read(&mut cursor, layout.size)?);
        }
        let mut distances = Vec::new();
        if kind == Kind::Distances {
            for header in &mut headers {
                // Where all distances are the same, they are zero: what is stored is not one.
                header.constant = header.constant.map(|_| 0);
                distances.push(DistanceLists::read(&mut cursor, header.flags)?);
            }
            cursor.align(2);
        }
        let pairs = PairsHeader::place(headers, &mut cursor)?;
        let sections = layouts.into_iter().zip(pairs).map(|(layout, pairs)| Section { layout, pairs }).collect();
        Ok(Table { bytes, is_symmetric, lead, sections, distances })
    }

    /// The stored result of a position, which is not higher than the true one: captures may be better.
    #[inline]
    pub(crate) fn result(&self, position: &Position, is_flipped: bool) -> Option<TablebaseResult> {
        let (view, first_moves) = self.view(position, is_flipped);
        let file = self.file(&view);
        let section = if self.is_symmetric { file } else { 2 * file + usize::from(!first_moves) };
        let section = self.sections.get(section)?;
        let value = section.pairs.value(&self.bytes, || section.layout.index(&view))?;
        Some(match value {
            0 => TablebaseResult::Loss,
            1 => TablebaseResult::BlessedLoss,
            2 => TablebaseResult::Draw,
            3 => TablebaseResult::CursedWin,
            4 => TablebaseResult::Win,
            _ => return None,
        })
    }

    /// The stored distance of a position with this result, in plies beyond the least.
    pub(crate) fn distance(&self, position: &Position, is_flipped: bool, result: TablebaseResult) -> Stored {
        let (view, first_moves) = self.view(position, is_flipped);
        let file = self.file(&view);
        let (Some(lists), Some(section)) = (self.distances.get(file), self.sections.get(file)) else {
            return Stored::Unknown;
        };
        if !self.is_symmetric && lists.is_of_first_player() != first_moves {
            return Stored::OtherPlayer;
        }
        let value = section.pairs.value(&self.bytes, || section.layout.index(&view));
        value.and_then(|value| lists.plies(&self.bytes, value, result)).map_or(Stored::Unknown, Stored::Plies)
    }

    /// The position as the table sees it, and whether the first player of the table's name is to move.
    #[inline]
    fn view<'a>(&self, position: &'a Position, is_flipped: bool) -> (View<'a>, bool) {
        let is_white = position.turn() == Color::White;
        // With the same pieces on both sides, the player to move is always the first.
        let is_flipped = if self.is_symmetric { !is_white } else { is_flipped };
        (View { position, is_flipped }, is_white != is_flipped)
    }

    #[inline]
    fn file(&self, view: &View) -> usize {
        match self.lead {
            Lead::Pawns { .. } => view.leading_file(self.sections[0].layout.first_piece()),
            Lead::Kings | Lead::Three => 0,
        }
    }
}

/// What a table of distances has for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stored {
    /// This many plies beyond the least.
    Plies(i32),
    /// Only positions with the other player to move are stored.
    OtherPlayer,
    /// The table is damaged here.
    Unknown,
}

#[cfg(test)]
mod tests;
