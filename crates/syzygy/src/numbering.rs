//! How squares are numbered: the tables behind an index, all made at compile time.
//!
//! Squares are counted from a1 to h8, along the ranks. Mirror images of a position have one entry, so the leading piece
//! is brought into the triangle a1, d1, d4 by mirrors, or the leading pawn onto the files a to d.

/// How many ways there are to put two kings on the board, apart from mirror images.
pub(crate) const KING_PAIRS: u64 = 462;

/// How many ways there are to put three different pieces on the board, apart from mirror images.
pub(crate) const TRIPLES: u64 = 31_332;

/// How many pieces of a kind there may be besides the leading one.
const MOST_OF_A_KIND: usize = 6;

/// `BINOMIAL[k][n]`: how many sets of `k` squares there are among `n`.
pub(crate) const BINOMIAL: [[u32; 64]; MOST_OF_A_KIND + 1] = {
    let mut table = [[0; 64]; MOST_OF_A_KIND + 1];
    let mut n = 0;
    while n < 64 {
        table[0][n] = 1;
        let mut k = 1;
        while n > 0 && k <= MOST_OF_A_KIND {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The steps from the diagonal a1–h8: positive above it.
#[inline]
pub(crate) const fn above_diagonal(square: u8) -> i8 {
    (square >> 3) as i8 - (square & 7) as i8
}

/// The mirror image in the diagonal a1–h8.
#[inline]
pub(crate) const fn transposed(square: u8) -> u8 {
    (square >> 3 | square << 3) & 63
}

/// Numbers the squares of the triangle a1, d1, d4: first the six below the diagonal, then the four on it.
pub(crate) const TRIANGLE: [u8; 64] = {
    let mut table = [0; 64];
    let (mut below, mut on) = (0, 6);
    let mut square = 0;
    while square < 28 {
        if square & 7 < 4 && above_diagonal(square) < 0 {
            table[square as usize] = below;
            below += 1;
        } else if above_diagonal(square) == 0 {
            table[square as usize] = on;
            on += 1;
        }
        square += 1;
    }
    table
};

/// Numbers the 28 squares below the diagonal.
pub(crate) const BELOW_DIAGONAL: [u8; 64] = {
    let mut table = [0; 64];
    let mut next = 0;
    let mut square = 0;
    while square < 64 {
        if above_diagonal(square) < 0 {
            table[square as usize] = next;
            next += 1;
        }
        square += 1;
    }
    table
};

/// The number of two kings: the first by its place in the triangle, the second by its square.
///
/// Pairs with both kings on the diagonal come last, because they are their own mirror image. Kings that touch each
/// other have no number of their own; no legal position asks for it.
pub(crate) const KINGS: [[u16; 64]; 10] = {
    let mut table = [[0; 64]; 10];
    let (mut off, mut on) = (0, 441);
    let mut place = 0;
    while place < 10 {
        let first = square_in_triangle(place);
        let mut second = 0;
        while second < 64 {
            let files = ((first & 7) as i8 - (second & 7) as i8).abs();
            let ranks = ((first >> 3) as i8 - (second >> 3) as i8).abs();
            if files > 1 || ranks > 1 {
                let is_first_on_diagonal = above_diagonal(first) == 0;
                if is_first_on_diagonal && above_diagonal(second) == 0 {
                    table[place as usize][second as usize] = on;
                    on += 1;
                } else if !is_first_on_diagonal || above_diagonal(second) < 0 {
                    table[place as usize][second as usize] = off;
                    off += 1;
                }
            }
            second += 1;
        }
        place += 1;
    }
    assert!(off == 441 && on as u64 == KING_PAIRS);
    table
};

const fn square_in_triangle(place: u8) -> u8 {
    let mut square = 0;
    loop {
        if square & 7 < 4 && above_diagonal(square) <= 0 && TRIANGLE[square as usize] == place {
            return square;
        }
        square += 1;
    }
}

/// How far ahead a pawn on each square comes when the leading one is chosen: the highest number leads.
///
/// From the edge to the middle, on each file from the second rank up. Two squares that are mirror images differ in the
/// lowest bit only, which is set on the files a to d.
pub(crate) const PAWN_LEAD: [u8; 64] = {
    let mut table = [0; 64];
    let mut square = 8;
    while square < 56 {
        let file = square & 7;
        let (folded, is_right) = if file < 4 { (file, 0) } else { (7 - file, 1) };
        table[square] = 47 - 12 * folded as u8 - 2 * ((square >> 3) as u8 - 1) - is_right;
        square += 1;
    }
    table
};

/// The file, a to d, of a leading pawn with this lead.
#[inline]
pub(crate) const fn file_of_lead(lead: u8) -> usize {
    (47 - lead as usize) / 12
}

/// For each number of leading pawns: where the numbers of a leading pawn begin, by its lead, and how many there are on
/// each file. The pawns that follow come after it in the order of leads.
const LEADS: ([[u32; 48]; MOST_OF_A_KIND], [[u32; 4]; MOST_OF_A_KIND]) = {
    let mut starts = [[0; 48]; MOST_OF_A_KIND];
    let mut sizes = [[0; 4]; MOST_OF_A_KIND];
    let mut others = 0;
    while others < MOST_OF_A_KIND {
        let mut file = 0;
        while file < 4 {
            let mut sum = 0;
            let mut rank = 1;
            while rank < 7 {
                let lead = PAWN_LEAD[8 * rank + file] as usize;
                starts[others][lead] = sum;
                sum += BINOMIAL[others][lead];
                rank += 1;
            }
            sizes[others][file] = sum;
            file += 1;
        }
        others += 1;
    }
    (starts, sizes)
};

/// Where the numbers of so many pawns begin, by the lead of the first.
#[inline]
pub(crate) fn lead_start(pawns: usize, lead: u8) -> u32 {
    LEAD_STARTS[pawns - 1][lead as usize]
}

static LEAD_STARTS: [[u32; 48]; MOST_OF_A_KIND] = LEADS.0;

/// How many ways there are to place so many pawns with the first of them on this file.
pub(crate) fn lead_size(pawns: usize, file: usize) -> u64 {
    u64::from(LEADS.1[pawns - 1][file])
}
