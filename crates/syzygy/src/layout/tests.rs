//! The numbering is one to one, for all pieces of up to seven and whatever order a table may choose: from an index a
//! position is made by code of its own, and that position has this index, as have its mirror images.

use std::collections::HashMap;
use std::sync::LazyLock;

use rules::{Setup, Square};
use testkit::Random;

use super::*;

/// All material of so many pieces, in one coloring.
fn all_material(pieces: usize) -> Vec<Material> {
    const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let kinds: Vec<Piece> = Color::ALL.into_iter().flat_map(|color| ROLES.map(|role| role.of(color))).collect();
    let mut found = vec![(Material::KINGS, 0)];
    for _ in 2..pieces {
        // Kinds are added in order, so that nothing is found twice.
        let more = found.iter().flat_map(|&(material, least)| {
            kinds
                .iter()
                .enumerate()
                .skip(least)
                .filter_map(move |(at, kind)| Some((material.with(kind.color, kind.role)?, at)))
        });
        found = more.collect();
    }
    found.into_iter().map(|(material, _)| material).filter(|&one| one >= one.flipped()).collect()
}

/// The pieces in an order that a table may have, and the digits of the leading group and of the other pawns.
fn random_order(material: Material, random: &mut Random) -> (Vec<Piece>, [Option<usize>; 2]) {
    let mut kinds: Vec<Piece> = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color))).collect();
    kinds.retain(|piece| material.count(piece.color, piece.role) > 0);
    random.shuffle(&mut kinds);
    let count = |piece: &Piece| material.count(piece.color, piece.role);
    match Lead::of(material) {
        Lead::Kings => kinds.sort_by_key(|piece| piece.role != Role::King),
        Lead::Three => kinds.sort_by_key(|piece| count(piece) != 1),
        Lead::Pawns { leading, .. } => {
            kinds.sort_by_key(|piece| (piece.role != Role::Pawn, count(piece) != leading));
        }
    }
    let lead = Lead::of(material);
    let groups = match lead {
        Lead::Kings => kinds.len() - 2 + 1,
        Lead::Three => kinds.len() - 3 + 1,
        Lead::Pawns { .. } => kinds.len(),
    };
    let order = random.below(groups);
    let order_of_others = (lead.order_bytes() == 2).then(|| (order + 1 + random.below(groups - 1)) % groups);
    let pieces = kinds.iter().flat_map(|piece| vec![*piece; count(piece)]).collect();
    (pieces, [Some(order), order_of_others])
}

/// Three leading pieces by their number.
static THREES: LazyLock<Vec<[u8; 3]>> = LazyLock::new(|| {
    let mut threes = vec![None; TRIPLES as usize];
    let in_triangle = |square: u8| square & 7 < 4 && square >> 3 <= square & 7 && square < 32;
    for first in (0..64).filter(|&square| in_triangle(square)) {
        for second in (0..64).filter(|&square| square != first) {
            for third in (0..64).filter(|&square| square != first && square != second) {
                let steps = [first, second, third].map(above_diagonal);
                if steps.iter().find(|&&steps| steps != 0).is_none_or(|&steps| steps < 0) {
                    let place = &mut threes[number_of_three([first, second, third]) as usize];
                    assert_eq!(*place, None, "no two have the same number");
                    *place = Some([first, second, third]);
                }
            }
        }
    }
    threes.into_iter().map(|three| three.expect("every number is used")).collect()
});

/// The squares of a set among those that are free, by its number.
fn set_of_number(mut number: u64, count: usize, free: &[u8]) -> Vec<u8> {
    let mut squares = Vec::new();
    for nth in (1..=count).rev() {
        let place = (0..free.len()).rev().find(|&place| u64::from(BINOMIAL[nth][place]) <= number).expect("some fits");
        number -= u64::from(BINOMIAL[nth][place]);
        squares.push(free[place]);
    }
    squares
}

/// The squares of the pieces at an index.
fn placement(layout: &Layout, material: Material, file: usize, index: u64) -> Vec<(Piece, Vec<u8>)> {
    let groups = &layout.groups[..layout.group_count];
    // A digit counts for less than the next factor.
    let mut factors: Vec<u64> =
        groups.iter().map(|group| group.factor).chain([layout.lead_factor, layout.size]).collect();
    factors.sort_unstable();
    let digit = |factor: u64| {
        // Factors are equal where a group has one place only, which happens nowhere.
        let next = factors.iter().find(|&&next| next > factor).expect("the size is the greatest");
        index % next / factor
    };
    let mut placed: Vec<(Piece, Vec<u8>)> = Vec::new();
    let mut number = digit(layout.lead_factor);
    match layout.lead {
        Lead::Kings => {
            let pairs = (0..64).flat_map(|first| (0..64).map(move |second| (first, second)));
            let is_right = |&(first, second): &(u8, u8)| {
                let steps = above_diagonal(first);
                first & 7 < 4
                    && first < 32
                    && steps <= 0
                    && (steps < 0 || above_diagonal(second) <= 0)
                    && Square::ALL[usize::from(first)] != Square::ALL[usize::from(second)]
                    && !rules::attacks::king(Square::ALL[usize::from(first)]).contains(Square::ALL[usize::from(second)])
                    && u64::from(KINGS[usize::from(TRIANGLE[usize::from(first)])][usize::from(second)]) == number
            };
            let (first, second) = pairs.into_iter().find(is_right).expect("every number is used");
            placed.extend([(layout.leading[0], vec![first]), (layout.leading[1], vec![second])]);
        }
        Lead::Three => {
            let three = THREES[number as usize];
            placed.extend((0..3).map(|at| (layout.leading[at], vec![three[at]])));
        }
        Lead::Pawns { leading, .. } => {
            let on_file = (1..7).map(|rank| (8 * rank + file) as u8);
            let start = |&square: &u8| u64::from(lead_start(leading, PAWN_LEAD[usize::from(square)]));
            let first = on_file.filter(|square| start(square) <= number).max_by_key(start).expect("one fits");
            number -= start(&first);
            let mut by_lead: Vec<u8> = (8..56).collect();
            by_lead.sort_by_key(|&square| PAWN_LEAD[usize::from(square)]);
            by_lead.retain(|&square| PAWN_LEAD[usize::from(square)] < PAWN_LEAD[usize::from(first)]);
            let mut squares = set_of_number(number, leading - 1, &by_lead);
            squares.push(first);
            placed.push((layout.leading[0], squares));
        }
    }
    for (at, group) in groups.iter().enumerate() {
        let is_other_pawn = at == 0 && group.piece.role == Role::Pawn;
        let taken: Vec<u8> = placed.iter().flat_map(|(_, squares)| squares.clone()).collect();
        let squares = if is_other_pawn { 8..56 } else { 0..64 };
        let free: Vec<u8> = squares.filter(|square| !taken.contains(square)).collect();
        let count = material.count(group.piece.color, group.piece.role);
        placed.push((group.piece, set_of_number(digit(group.factor), count, &free)));
    }
    placed
}

fn position_of(placed: &[(Piece, Vec<u8>)], change: impl Fn(u8) -> u8) -> Option<Position> {
    let mut setup = Setup::empty();
    for (piece, squares) in placed {
        for &square in squares {
            setup.pieces[usize::from(change(square))] = Some(*piece);
        }
    }
    [Color::White, Color::Black].into_iter().find_map(|turn| {
        setup.turn = turn;
        setup.playable_position().ok()
    })
}

fn index_of(layout: &Layout, position: &Position) -> u64 {
    layout.index(&View { position, is_flipped: false })
}

/// Checks some indices of a table, and returns how many made a legal position.
fn check(material: Material, random: &mut Random) -> usize {
    let (pieces, orders) = random_order(material, random);
    let lead = Lead::of(material);
    let file = random.below(lead.files());
    let layout = Layout::new(material, &pieces, file, orders).expect("the order is possible");
    let mut checked = 0;
    for _ in 0..30 {
        let index = random.next_u64() % layout.size;
        let placed = placement(&layout, material, file, index);
        let Some(position) = position_of(&placed, |square| square) else { continue };
        checked += 1;
        assert_eq!(index_of(&layout, &position), index, "{position} {pieces:?} {orders:?}");
        // Where mirror images can be told apart by nothing but the pieces behind the leading ones, both have a number.
        let leading = &placed[0].1;
        let (mirrors, has_pawns) = match lead {
            Lead::Pawns { .. } => {
                assert_eq!(View { position: &position, is_flipped: false }.leading_file(layout.first_piece()), file);
                let is_even = leading.contains(&(leading[leading.len() - 1] ^ 7));
                (if is_even { vec![0] } else { vec![0, 7] }, true)
            }
            Lead::Kings | Lead::Three => (vec![0, 7, 56, 63], false),
        };
        let leading_pieces = if lead == Lead::Kings { 2 } else { 3 };
        let is_on_diagonal =
            has_pawns || placed[..leading_pieces].iter().all(|(_, squares)| above_diagonal(squares[0]) == 0);
        for mirror in mirrors {
            let mirrored = position_of(&placed, |square| square ^ mirror).expect("mirror images are legal, too");
            assert_eq!(index_of(&layout, &mirrored), index, "{mirrored}");
            if !is_on_diagonal {
                let turned = position_of(&placed, |square| transposed(square ^ mirror)).expect("so are these");
                assert_eq!(index_of(&layout, &turned), index, "{turned}");
            }
        }
        // With colors exchanged, and with pawns also the ranks, another player's table is the same.
        let flipped = position.setup().flipped().playable_position().expect("legal for the other player");
        assert_eq!(layout.index(&View { position: &flipped, is_flipped: true }), index, "{flipped}");
    }
    checked
}

#[test]
fn every_index_of_every_table_of_up_to_seven_pieces_is_that_of_its_position() {
    let mut random = Random::new(7);
    let mut tables = HashMap::new();
    for pieces in 3..=MOST_PIECES {
        for material in all_material(pieces) {
            let checked: usize = (0..3).map(|_| check(material, &mut random)).sum();
            assert!(checked > 5, "{material:?}: {checked}");
            *tables.entry(pieces).or_insert(0) += 1;
        }
    }
    assert_eq!(tables, HashMap::from([(3, 5), (4, 30), (5, 110), (6, 365), (7, 1_001)]), "as many as there are tables");
}

#[test]
fn impossible_orders_are_refused() {
    let material = Material::from_name("KPPvKP").expect("a name");
    let piece = |letter: char| {
        let color = if letter.is_uppercase() { Color::White } else { Color::Black };
        let role = Role::ALL.into_iter().find(|role| role.upper_letter() == letter.to_ascii_uppercase());
        role.expect("a letter of a piece").of(color)
    };
    let layout = |letters: &str, orders| {
        let pieces: Vec<Piece> = letters.chars().map(piece).collect();
        Layout::new(material, &pieces, 0, orders).map(|_| ())
    };
    assert_eq!(layout("pPPKk", [Some(0), Some(1)]), Ok(()));
    for letters in ["PPpKk", "pKPPk", "pPKPk", "pPPKK", "pPPKQ", "pPPk", "PPPKk"] {
        assert_eq!(layout(letters, [Some(0), Some(1)]), Err(Damage::Pieces), "{letters}");
    }
    for orders in [[Some(4), Some(1)], [Some(0), Some(4)], [Some(1), Some(1)]] {
        assert_eq!(layout("pPPKk", orders), Err(Damage::Order), "{orders:?}");
    }
}
