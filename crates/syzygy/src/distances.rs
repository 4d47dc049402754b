//! From a stored value to a distance: the lists that a table of distances may have, and its units.

use std::ops::Range;

use search::TablebaseResult;

use crate::cursor::Cursor;
use crate::error::{Damage, Part};

/// Whether values are of the second player to move.
const OF_SECOND_PLAYER: u8 = 1;
/// Whether values are places in lists.
const HAS_LISTS: u8 = 2;
/// Whether distances of wins, and of losses, are in plies, not in moves.
const WINS_IN_PLIES: u8 = 4;
const LOSSES_IN_PLIES: u8 = 8;
/// Whether the entries of the lists have two bytes.
const HAS_WIDE_LISTS: u8 = 16;

/// How the values of one file of a table are to be understood.
#[derive(Clone, Debug)]
pub(crate) struct DistanceLists {
    flags: u8,
    /// The lists for wins, losses, cursed wins and blessed losses: more frequent distances first.
    lists: [Range<usize>; 4],
}

impl DistanceLists {
    /// Reads the lists that the flags announce.
    pub(crate) fn read(cursor: &mut Cursor, flags: u8) -> Result<DistanceLists, Damage> {
        let mut lists = [0..0, 0..0, 0..0, 0..0];
        if flags & HAS_LISTS != 0 {
            let is_wide = flags & HAS_WIDE_LISTS != 0;
            if is_wide {
                cursor.align(2);
            }
            for list in &mut lists {
                let bytes = if is_wide {
                    2 * u64::from(cursor.u16(Part::Distances)?)
                } else {
                    u64::from(cursor.byte(Part::Distances)?)
                };
                *list = cursor.skip(bytes, Part::Distances)?;
            }
        }
        Ok(DistanceLists { flags, lists })
    }

    pub(crate) fn is_of_first_player(&self) -> bool {
        self.flags & OF_SECOND_PLAYER == 0
    }

    /// The plies beyond the least that a value stands for, of a position with this result.
    pub(crate) fn plies(&self, bytes: &[u8], value: u16, result: TablebaseResult) -> Option<i32> {
        let (list, are_plies) = match result {
            TablebaseResult::Win => (0, self.flags & WINS_IN_PLIES != 0),
            TablebaseResult::Loss => (1, self.flags & LOSSES_IN_PLIES != 0),
            TablebaseResult::CursedWin => (2, false),
            TablebaseResult::BlessedLoss => (3, false),
            TablebaseResult::Draw => return Some(0),
        };
        let distance = if self.flags & HAS_LISTS == 0 {
            value
        } else {
            let list = bytes.get(self.lists[list].clone())?;
            if self.flags & HAS_WIDE_LISTS == 0 {
                u16::from(*list.get(usize::from(value))?)
            } else {
                u16::from_le_bytes(*list.as_chunks().0.get(usize::from(value))?)
            }
        };
        Some(i32::from(distance) * if are_plies { 1 } else { 2 })
    }
}
