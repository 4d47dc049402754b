//! How the positions of a table are numbered.
//!
//! Pieces come in groups: the leading group, whose mirror images are joined, then the other player's pawns if there are
//! any, then the other pieces, equal ones together. Each group has a number, and the numbers make up the index as
//! digits do, in an order that the maker of the table chose.

use rules::{Bitboard, Color, Piece, Position, Role};

use crate::error::{Damage, Part};
use crate::material::Material;
use crate::numbering::*;

/// The most pieces in a table.
pub(crate) const MOST_PIECES: usize = 7;

/// What leads a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lead {
    /// The two kings, where no other piece is the only one of its kind.
    Kings,
    /// Three pieces that are the only ones of their kind.
    Three,
    /// The pawns of the player who has fewer of them, and how many the other has.
    Pawns { leading: usize, others: usize },
}

impl Lead {
    pub(crate) fn of(material: Material) -> Lead {
        let [white, black] = Color::ALL.map(|color| material.count(color, Role::Pawn));
        if white + black > 0 {
            let (leading, others) =
                if black > 0 && (white == 0 || white > black) { (black, white) } else { (white, black) };
            return Lead::Pawns { leading, others };
        }
        let is_single = |&(color, role): &(Color, Role)| material.count(color, role) == 1;
        let kinds = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| (color, role)));
        let has_third = kinds.filter(|&(_, role)| role != Role::King).any(|kind| is_single(&kind));
        if has_third { Lead::Three } else { Lead::Kings }
    }

    /// How many parts a table has: one for each file of the leading pawn.
    pub(crate) fn files(self) -> usize {
        if matches!(self, Lead::Pawns { .. }) { 4 } else { 1 }
    }

    fn len(self) -> usize {
        match self {
            Lead::Kings => 2,
            Lead::Three => 3,
            Lead::Pawns { leading, .. } => leading,
        }
    }

    /// How many bytes say in which order the groups come.
    pub(crate) fn order_bytes(self) -> usize {
        if matches!(self, Lead::Pawns { others: 1.., .. }) { 2 } else { 1 }
    }
}

/// A position as a table sees it: the first player of the table's name is White.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) position: &'a Position,
    /// Whether White and Black, and with pawns the ranks, are to be exchanged.
    pub(crate) is_flipped: bool,
}

impl View<'_> {
    #[inline]
    fn set(&self, piece: Piece) -> Bitboard {
        let color = if self.is_flipped { !piece.color } else { piece.color };
        self.position.pieces(piece.role, color)
    }

    /// What the numbers of squares are combined with, in tables with pawns.
    #[inline]
    fn rank_flip(&self) -> u8 {
        if self.is_flipped { 56 } else { 0 }
    }

    /// The leads of the leading pawns as a set of numbers.
    #[inline]
    fn leads(&self, pawn: Piece) -> u64 {
        let flip = self.rank_flip();
        self.set(pawn).into_iter().fold(0, |leads, square| leads | 1 << PAWN_LEAD[usize::from(square as u8 ^ flip)])
    }

    /// The file, a to d, of the leading pawn of these.
    #[inline]
    pub(crate) fn leading_file(&self, pawn: Piece) -> usize {
        file_of_lead(highest(self.leads(pawn)))
    }
}

/// The highest lead in a set that is not empty.
#[inline]
fn highest(leads: u64) -> u8 {
    (63 - leads.leading_zeros().min(63)) as u8
}

/// Pieces of one kind, and what their number counts for.
#[derive(Clone, Copy, Debug)]
struct Group {
    piece: Piece,
    factor: u64,
}

/// The numbering of one part of a table.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    lead: Lead,
    /// The leading pieces; of pawns only the first counts.
    leading: [Piece; 3],
    lead_factor: u64,
    /// The groups that follow, the other player's pawns first.
    groups: [Group; MOST_PIECES],
    group_count: usize,
    /// How many positions are numbered.
    pub(crate) size: u64,
}

const NO_PIECE: Piece = Piece { role: Role::King, color: Color::White };

impl Layout {
    /// Reads the order of the groups and the pieces, of which each byte has two: one for each player to move.
    pub(crate) fn read(bytes: &[u8], material: Material, file: usize, half: Half) -> Result<Layout, Damage> {
        let lead = Lead::of(material);
        let count = material.pieces();
        let nibble = |at: usize| -> Result<usize, Damage> {
            let byte = bytes.get(at).ok_or(Damage::EndsWithin(Part::Header))?;
            Ok(usize::from(byte >> half.shift() & 15))
        };
        let order = nibble(0)?;
        let order_of_others = if lead.order_bytes() == 2 { Some(nibble(1)?) } else { None };
        let mut pieces = [NO_PIECE; MOST_PIECES];
        for (at, piece) in pieces[..count].iter_mut().enumerate() {
            *piece = piece_of(nibble(lead.order_bytes() + at)?).ok_or(Damage::Pieces)?;
        }
        Layout::new(material, &pieces[..count], file, [Some(order), order_of_others])
    }

    /// The numbering by pieces in this order, with the leading group and the other pawns at these digits.
    pub(crate) fn new(
        material: Material,
        pieces: &[Piece],
        file: usize,
        [order, order_of_others]: [Option<usize>; 2],
    ) -> Result<Layout, Damage> {
        let lead = Lead::of(material);
        if pieces.len() != material.pieces() {
            return Err(Damage::Pieces);
        }
        let (leading, rest) = pieces.split_at(lead.len());
        check_lead(lead, leading, material)?;
        let groups = groups_of(rest, leading, material)?;
        if let Lead::Pawns { others: 1.., .. } = lead
            && groups.first().map(|&(piece, _)| piece) != Some(Role::Pawn.of(!leading[0].color))
        {
            return Err(Damage::Pieces);
        }
        let mut layout = Layout {
            lead,
            leading: std::array::from_fn(|at| leading.get(at).copied().unwrap_or(NO_PIECE)),
            lead_factor: 0,
            groups: [Group { piece: NO_PIECE, factor: 0 }; MOST_PIECES],
            group_count: groups.len(),
            size: 1,
        };
        layout.assign_factors(&groups, file, [order, order_of_others])?;
        Ok(layout)
    }

    /// Multiplies up what each digit counts for, from the lowest digit.
    fn assign_factors(
        &mut self,
        groups: &[(Piece, usize)],
        file: usize,
        [order, order_of_others]: [Option<usize>; 2],
    ) -> Result<(), Damage> {
        let digits = groups.len() + 1;
        let is_digit = |order: Option<usize>| order.is_none_or(|order| order < digits);
        if !is_digit(order) || !is_digit(order_of_others) || order == order_of_others {
            return Err(Damage::Order);
        }
        let first_ordinary = usize::from(order_of_others.is_some());
        let mut next = first_ordinary;
        let mut free_squares =
            64 - self.lead.len() - groups[..first_ordinary].iter().map(|group| group.1).sum::<usize>();
        for digit in 0..digits {
            let ways = if Some(digit) == order {
                self.lead_factor = self.size;
                match self.lead {
                    Lead::Kings => KING_PAIRS,
                    Lead::Three => TRIPLES,
                    Lead::Pawns { leading, .. } => lead_size(leading, file),
                }
            } else if Some(digit) == order_of_others {
                let (piece, count) = groups[0];
                self.groups[0] = Group { piece, factor: self.size };
                u64::from(BINOMIAL[count][48 - self.lead.len()])
            } else {
                let (piece, count) = groups[next];
                self.groups[next] = Group { piece, factor: self.size };
                let ways = BINOMIAL[count][free_squares];
                free_squares -= count;
                next += 1;
                u64::from(ways)
            };
            self.size = self.size.checked_mul(ways).ok_or(Damage::Order)?;
        }
        Ok(())
    }

    /// The piece that leads: of a table with pawns, the leading pawn.
    pub(crate) fn first_piece(&self) -> Piece {
        self.leading[0]
    }

    /// The index of a position that has the pieces of the table.
    #[inline]
    pub(crate) fn index(&self, view: &View) -> u64 {
        match self.lead {
            Lead::Kings => self.index_of_pieces::<2>(view),
            Lead::Three => self.index_of_pieces::<3>(view),
            Lead::Pawns { leading, others } => self.index_of_pawns(view, leading, others),
        }
    }

    #[inline]
    fn index_of_pieces<const LEADING: usize>(&self, view: &View) -> u64 {
        let mut squares: [u8; LEADING] =
            std::array::from_fn(|at| (view.set(self.leading[at]).0.trailing_zeros() & 63) as u8);
        let mut change = Change { mirror: 0, transposes: false };
        // The first piece goes to the left half, to the lower half, and then below the diagonal. If it is on the
        // diagonal, the next piece that is not decides.
        change.mirror = if squares[0] & 4 != 0 { 7 } else { 0 } | if squares[0] & 32 != 0 { 56 } else { 0 };
        squares = squares.map(|square| square ^ change.mirror);
        let steps = squares.iter().map(|&square| above_diagonal(square)).find(|&steps| steps != 0);
        if steps.is_some_and(|steps| steps > 0) {
            change.transposes = true;
            squares = squares.map(transposed);
        }
        let number = if LEADING == 2 {
            u64::from(KINGS[usize::from(TRIANGLE[usize::from(squares[0])])][usize::from(squares[1])])
        } else {
            u64::from(number_of_three([squares[0], squares[1], squares[LEADING - 1]]))
        };
        let placed = squares.iter().fold(0, |placed, &square| placed | 1_u64 << square);
        number * self.lead_factor + self.index_of_groups(view, change, placed, 0)
    }

    #[inline]
    fn index_of_pawns(&self, view: &View, leading: usize, others: usize) -> u64 {
        const LEFT: u64 = 0xaaaa_aaaa_aaaa_aaaa;
        let flip = view.rank_flip();
        let mut leads = view.leads(self.leading[0]);
        let mut first = highest(leads);
        let mut change = Change { mirror: flip, transposes: false };
        if first & 1 == 0 {
            change.mirror ^= 7;
            leads = (leads & LEFT) >> 1 | (leads & !LEFT) << 1;
            first |= 1;
        }
        let mut number = u64::from(lead_start(leading, first.min(47)));
        leads &= !(1 << first);
        let mut nth = 1;
        while leads != 0 {
            number += u64::from(BINOMIAL[nth][leads.trailing_zeros() as usize]);
            leads &= leads - 1;
            nth += 1;
        }
        let placed = change.set(view.set(self.leading[0]));
        let mut index = number * self.lead_factor;
        let mut done = 0;
        let mut all_placed = placed;
        if others > 0 {
            let set = change.set(view.set(self.groups[0].piece));
            // Pawns have 48 squares, and the first rank is not among them.
            index += number_of_set(set, placed | 0xff) * self.groups[0].factor;
            all_placed |= set;
            done = 1;
        }
        index + self.index_of_groups(view, change, all_placed, done)
    }

    #[inline]
    fn index_of_groups(&self, view: &View, change: Change, mut placed: u64, done: usize) -> u64 {
        let mut index = 0;
        for group in &self.groups[done..self.group_count] {
            let set = change.set(view.set(group.piece));
            index += number_of_set(set, placed) * group.factor;
            placed |= set;
        }
        index
    }
}

/// Which of the two halves of each byte describes a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Half {
    Low,
    High,
}

impl Half {
    fn shift(self) -> u32 {
        match self {
            Half::Low => 0,
            Half::High => 4,
        }
    }
}

/// How squares change so that the leading piece is where it belongs.
#[derive(Clone, Copy)]
struct Change {
    mirror: u8,
    transposes: bool,
}

impl Change {
    /// A set of squares, changed.
    #[inline]
    fn set(self, squares: Bitboard) -> u64 {
        let mut left = squares.0;
        let mut changed = 0;
        while left != 0 {
            let square = left.trailing_zeros() as u8 ^ self.mirror;
            changed |= 1 << if self.transposes { transposed(square) } else { square };
            left &= left - 1;
        }
        changed
    }
}

/// The number of a set of squares among all sets of its size, not counting squares that are taken.
#[inline]
fn number_of_set(mut set: u64, taken: u64) -> u64 {
    let mut number = 0;
    let mut nth = 1;
    while set != 0 {
        let lowest = set & set.wrapping_neg();
        let skipped = (taken & (lowest - 1)).count_ones();
        // Seven pieces are the most, so that the groups behind the leading one have at most five.
        number += u64::from(BINOMIAL[nth % BINOMIAL.len()][(lowest.trailing_zeros() - skipped) as usize % 64]);
        set ^= lowest;
        nth += 1;
    }
    number
}

/// The number of three pieces of which the first is in the triangle.
#[inline]
fn number_of_three([first, second, third]: [u8; 3]) -> u32 {
    let diagonal = |square: u8| u32::from(square >> 3);
    let below = |square: u8| u32::from(BELOW_DIAGONAL[usize::from(square)]);
    let skipped_second = u32::from(second > first);
    let skipped_third = u32::from(third > first) + u32::from(third > second);
    let third_number = u32::from(third) - skipped_third;
    if above_diagonal(first) != 0 {
        let first = u32::from(TRIANGLE[usize::from(first)]);
        (first * 63 + u32::from(second) - skipped_second) * 62 + third_number
    } else if above_diagonal(second) != 0 {
        6 * 63 * 62 + (diagonal(first) * 28 + below(second)) * 62 + third_number
    } else if above_diagonal(third) != 0 {
        6 * 63 * 62 + 4 * 28 * 62 + (diagonal(first) * 7 + diagonal(second) - skipped_second) * 28 + below(third)
    } else {
        6 * 63 * 62
            + 4 * 28 * 62
            + 4 * 7 * 28
            + (diagonal(first) * 7 + diagonal(second) - skipped_second) * 6
            + diagonal(third)
            - skipped_third
    }
}

/// Pieces are 1 to 6 from pawn to king, and Black's are 8 more.
fn piece_of(nibble: usize) -> Option<Piece> {
    let color = if nibble & 8 == 0 { Color::White } else { Color::Black };
    Some(Role::ALL.get((nibble & 7).checked_sub(1)?)?.of(color))
}

/// The leading pieces are those that `Lead` promises.
fn check_lead(lead: Lead, leading: &[Piece], material: Material) -> Result<(), Damage> {
    let count = |piece: &Piece| material.count(piece.color, piece.role);
    let is_right = match lead {
        Lead::Kings => leading.iter().all(|piece| piece.role == Role::King) && leading[0] != leading[1],
        Lead::Three => {
            leading.iter().all(|piece| count(piece) == 1)
                && leading.iter().enumerate().all(|(at, piece)| !leading[..at].contains(piece))
        }
        Lead::Pawns { leading: pawns, .. } => {
            leading.iter().all(|&piece| piece.role == Role::Pawn && piece == leading[0]) && count(&leading[0]) == pawns
        }
    };
    if is_right { Ok(()) } else { Err(Damage::Pieces) }
}

/// The pieces behind the leading ones, equal ones together; each kind must be complete.
fn groups_of(rest: &[Piece], leading: &[Piece], material: Material) -> Result<Vec<(Piece, usize)>, Damage> {
    let mut groups: Vec<(Piece, usize)> = Vec::new();
    for equal in rest.chunk_by(|one, next| one == next) {
        let piece = equal[0];
        let is_complete = material.count(piece.color, piece.role) == equal.len();
        let is_repeated = leading.contains(&piece) || groups.iter().any(|&(earlier, _)| earlier == piece);
        if !is_complete || is_repeated {
            return Err(Damage::Pieces);
        }
        groups.push((piece, equal.len()));
    }
    Ok(groups)
}

#[cfg(test)]
mod tests;
