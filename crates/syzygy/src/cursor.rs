//! Reading a file from its beginning, never beyond its end.

use std::ops::Range;

use crate::error::{Damage, Part};

/// A place in a file.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0 }
    }

    /// What is left to read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Passes over a part and tells where it was. Sizes come from the file, so that nothing may overflow.
    pub(crate) fn skip(&mut self, count: u64, part: Part) -> Result<Range<usize>, Damage> {
        let end = usize::try_from(count).ok().and_then(|count| self.at.checked_add(count));
        let end = end.filter(|&end| end <= self.bytes.len()).ok_or(Damage::EndsWithin(part))?;
        let range = self.at..end;
        self.at = end;
        Ok(range)
    }

    pub(crate) fn take(&mut self, count: u64, part: Part) -> Result<&'a [u8], Damage> {
        let range = self.skip(count, part)?;
        Ok(&self.bytes[range])
    }

    pub(crate) fn byte(&mut self, part: Part) -> Result<u8, Damage> {
        Ok(self.take(1, part)?[0])
    }

    pub(crate) fn u16(&mut self, part: Part) -> Result<u16, Damage> {
        let bytes = self.take(2, part)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub(crate) fn u32(&mut self, part: Part) -> Result<u32, Damage> {
        let bytes = self.take(4, part)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Goes on to the next multiple of a power of two. The end of the file is no further.
    pub(crate) fn align(&mut self, alignment: usize) {
        self.at = self.at.next_multiple_of(alignment).min(self.bytes.len());
    }
}
