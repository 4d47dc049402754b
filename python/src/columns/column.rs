//! Columns of values that grow game by game, and can be cut and joined.

/// A bit for each value that says whether it is there. As long as all are, only their number is kept.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bits {
    bytes: Vec<u8>,
    len: usize,
    unset: usize,
}

impl Bits {
    #[inline]
    pub(crate) fn push(&mut self, bit: bool) {
        if self.unset == 0 {
            if bit {
                self.len += 1;
                return;
            }
            self.write_ones();
        }
        if self.len.is_multiple_of(8) {
            self.bytes.push(0);
        }
        self.bytes[self.len / 8] |= u8::from(bit) << (self.len % 8);
        self.len += 1;
        self.unset += usize::from(!bit);
    }

    /// Writes down the bits so far, all of which are set.
    #[cold]
    fn write_ones(&mut self) {
        self.bytes = vec![0xff; self.len / 8];
        if !self.len.is_multiple_of(8) {
            self.bytes.push((1 << (self.len % 8)) - 1);
        }
    }

    pub(crate) fn get(&self, index: usize) -> bool {
        self.unset == 0 || self.bytes[index / 8] >> (index % 8) & 1 == 1
    }

    fn extend(&mut self, other: &Bits, from: usize, to: usize) {
        if self.unset == 0 && other.unset == 0 {
            self.len += to - from;
        } else {
            (from..to).for_each(|index| self.push(other.get(index)));
        }
    }

    /// How many values are missing.
    pub(crate) fn unset(&self) -> usize {
        self.unset
    }

    /// The bits, if any value is missing.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Values one behind the other; those that are missing hold a placeholder.
#[derive(Clone, Default, Debug)]
pub(crate) struct Flat<T> {
    pub(crate) values: Vec<T>,
    pub(crate) present: Bits,
}

impl<T: Copy> Flat<T> {
    pub(crate) fn push(&mut self, value: Option<T>, placeholder: T) {
        self.values.push(value.unwrap_or(placeholder));
        self.present.push(value.is_some());
    }

    fn extend(&mut self, other: &Flat<T>, from: usize, to: usize) {
        self.values.extend_from_slice(&other.values[from..to]);
        self.present.extend(&other.present, from, to);
    }
}

/// Lists: where each ends among the values, and whether it is there at all.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// One more than there are lists, from zero on.
    pub(crate) offsets: Vec<i32>,
    pub(crate) present: Bits,
    pub(crate) values: T,
}

impl<T: Default> Default for Lists<T> {
    fn default() -> Lists<T> {
        Lists { offsets: vec![0], present: Bits::default(), values: T::default() }
    }
}

impl<T> Lists<T> {
    fn bounds(&self, row: usize) -> (usize, usize) {
        (self.offsets[row] as usize, self.offsets[row + 1] as usize)
    }

    /// The next list ends where so many values are; `MOST` keeps that within the numbers.
    pub(crate) fn close(&mut self, values: usize, is_present: bool) {
        self.offsets.push(i32::try_from(values).expect("batches are cut long before"));
        self.present.push(is_present);
    }
}

/// One column of a batch.
#[derive(Clone, Debug)]
pub(crate) enum Column {
    Text(Lists<Vec<u8>>),
    I8(Flat<i8>),
    U16(Flat<u16>),
    U32(Flat<u32>),
    Moves(Lists<Vec<u16>>),
    /// Lists of numbers, some of which may be missing.
    Floats(Lists<Flat<f32>>),
}

impl Column {
    /// How much the column holds, as bytes or values: lists must not outgrow their offsets.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Column::Text(lists) => lists.values.len(),
            Column::Moves(lists) => lists.values.len(),
            Column::Floats(lists) => lists.values.values.len(),
            _ => 0,
        }
    }

    /// Adds some rows of another column of the same kind.
    pub(crate) fn extend(&mut self, other: &Column, from: usize, to: usize) {
        match (self, other) {
            (Column::Text(mine), Column::Text(theirs)) => {
                append(mine, theirs, from, to, |values, theirs, a, b| values.extend_from_slice(&theirs[a..b]));
            }
            (Column::Moves(mine), Column::Moves(theirs)) => {
                append(mine, theirs, from, to, |values, theirs, a, b| values.extend_from_slice(&theirs[a..b]));
            }
            (Column::Floats(mine), Column::Floats(theirs)) => {
                append(mine, theirs, from, to, |values, theirs, a, b| values.extend(theirs, a, b));
            }
            (Column::I8(mine), Column::I8(theirs)) => mine.extend(theirs, from, to),
            (Column::U16(mine), Column::U16(theirs)) => mine.extend(theirs, from, to),
            (Column::U32(mine), Column::U32(theirs)) => mine.extend(theirs, from, to),
            _ => unreachable!("columns are joined with those of the same schema"),
        }
    }
}

fn append<T>(mine: &mut Lists<T>, theirs: &Lists<T>, from: usize, to: usize, copy: impl Fn(&mut T, &T, usize, usize)) {
    if from == to {
        return;
    }
    let (first, _) = theirs.bounds(from);
    let shift = mine.offsets[mine.offsets.len() - 1] - theirs.offsets[from];
    copy(&mut mine.values, &theirs.values, first, theirs.offsets[to] as usize);
    mine.offsets.extend(theirs.offsets[from + 1..=to].iter().map(|offset| offset + shift));
    mine.present.extend(&theirs.present, from, to);
}
