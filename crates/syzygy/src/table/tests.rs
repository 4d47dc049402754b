//! Tables that are made up are read as they were meant: no real ones are needed for that.

use rules::{Role, Setup, Square};
use testkit::Random;
use testkit::tables::{MadeTable, Part as Made};

use super::*;

/// The file with its checksum.
fn file(made: &MadeTable) -> TableBytes {
    let mut bytes = made.content();
    bytes.extend(crate::checksum(&bytes));
    TableBytes::Buffer(bytes.into())
}

fn material(name: &str) -> Material {
    Material::from_name(name).expect("a name")
}

/// Values in runs of all lengths.
fn values(random: &mut Random, count: u64, below: usize) -> Vec<u8> {
    let mut values = Vec::new();
    while values.len() < count as usize {
        let run = 1 << random.below(9);
        values.resize(values.len() + 1 + random.below(run), random.below(below) as u8);
    }
    values.truncate(count as usize);
    values
}

/// Random positions with these pieces.
fn positions(random: &mut Random, pieces: &[(Color, Role)], count: usize) -> Vec<Position> {
    let mut found = Vec::new();
    while found.len() < count {
        let mut setup = Setup::empty();
        for &(color, role) in pieces {
            setup.pieces[random.pick(&Square::ALL).index()] = Some(role.of(color));
        }
        setup.turn = *random.pick(&Color::ALL);
        let position = setup.position().ok();
        found.extend(position.filter(|position| position.occupied().count() as usize == pieces.len()));
    }
    found
}

const RESULTS: [TablebaseResult; 5] = [
    TablebaseResult::Loss,
    TablebaseResult::BlessedLoss,
    TablebaseResult::Draw,
    TablebaseResult::CursedWin,
    TablebaseResult::Win,
];

/// King and rook against king, the kings and the rook leading in this order, and with Black to move in another.
const ROOK: &[u8] = &[0x71, 0xe8, 0x23, 0x5d, 0x31, 0x00, 0xe6, 0x4e, 0x64];

#[test]
fn every_value_of_a_table_is_found_again() {
    let mut random = Random::new(3);
    let sides = [values(&mut random, 31_332, 5), values(&mut random, 31_332, 5)];
    let parts = sides.iter().map(|side| (0, Made::Values(side))).collect();
    let bytes = file(&MadeTable { header: ROOK, parts, lists: &[] });
    let table = Table::read(bytes, material("KRvK"), Kind::Results).expect("a table");
    for (side, section) in sides.iter().zip(&table.sections) {
        for (index, &value) in side.iter().enumerate() {
            assert_eq!(section.pairs.value(&table.bytes, || index as u64), Some(u16::from(value)), "{index}");
        }
        // The last span reaches beyond the last position; what is asked there is not known, or anything.
        section.pairs.value(&table.bytes, || 31_332);
        assert_eq!(section.pairs.value(&table.bytes, || 1 << 40), None);
    }
    let pieces = [(Color::White, Role::King), (Color::Black, Role::King), (Color::White, Role::Rook)];
    for position in positions(&mut random, &pieces, 2_000) {
        let side = usize::from(position.turn() == Color::Black);
        let index = table.sections[side].layout.index(&View { position: &position, is_flipped: false });
        let expected = RESULTS[usize::from(sides[side][index as usize])];
        assert_eq!(table.result(&position, false), Some(expected), "{position}");
        let flipped = position.setup().flipped().position().expect("legal for the other player");
        assert_eq!(table.result(&flipped, true), Some(expected), "{flipped}");
    }
}

#[test]
fn distances_are_looked_up_in_lists_and_counted_in_moves_or_plies() {
    let mut random = Random::new(4);
    let side = values(&mut random, 31_332, 3);
    let header = [&[0xd7, 0x66, 0x0c, 0xa5][..], &ROOK[4..]].concat();
    // Losses are in plies; wins have no list entries beyond the second.
    let narrow = [2, 10, 20, 3, 5, 6, 7, 0, 0];
    let wide = [0, 2, 0, 1, 1, 1, 1, 3, 0, 5, 0, 6, 0, 7, 0, 0, 0, 0, 0];
    for (flags, lists, wins) in
        [(2 | 8, &narrow[..], [Some(20), Some(40), None]), (2 | 8 | 16, &wide[1..], [Some(514), Some(514), None])]
    {
        let made = MadeTable { header: &header, parts: vec![(flags, Made::Values(&side))], lists };
        let table = Table::read(file(&made), material("KRvK"), Kind::Distances).expect("a table");
        let pieces = [(Color::White, Role::King), (Color::Black, Role::King), (Color::White, Role::Rook)];
        for position in positions(&mut random, &pieces, 500) {
            if position.turn() == Color::Black {
                assert_eq!(table.distance(&position, false, TablebaseResult::Loss), Stored::OtherPlayer);
                continue;
            }
            let index = table.sections[0].layout.index(&View { position: &position, is_flipped: false });
            let value = usize::from(side[index as usize]);
            let stored = |plies: Option<i32>| plies.map_or(Stored::Unknown, Stored::Plies);
            assert_eq!(table.distance(&position, false, TablebaseResult::Win), stored(wins[value]), "{position}");
            assert_eq!(table.distance(&position, false, TablebaseResult::Loss), stored([5, 6, 7].get(value).copied()));
            assert_eq!(table.distance(&position, false, TablebaseResult::CursedWin), Stored::Unknown);
        }
    }
}

#[test]
fn tables_of_one_value_are_that() {
    let parts = vec![(0, Made::Constant(2)), (0, Made::Constant(7))];
    let table = Table::read(file(&MadeTable { header: ROOK, parts, lists: &[] }), material("KRvK"), Kind::Results);
    let table = table.expect("a table");
    let pieces = [(Color::White, Role::King), (Color::Black, Role::King), (Color::White, Role::Rook)];
    for position in positions(&mut Random::new(5), &pieces, 100) {
        let expected = (position.turn() == Color::White).then_some(TablebaseResult::Draw);
        assert_eq!(table.result(&position, false), expected, "seven is no result");
    }
}

#[test]
fn what_a_header_must_not_say_is_refused_by_name() {
    let damage = |header: &[u8], name: &str| {
        let parts = vec![(0, Made::Constant(2)), (0, Made::Constant(2))];
        Table::read(file(&MadeTable { header, parts, lists: &[] }), material(name), Kind::Results).map(|_| ()).err()
    };
    let changed = |at: usize, value: u8| {
        let mut header = ROOK.to_vec();
        header[at] = value;
        damage(&header, "KRvK")
    };
    assert_eq!(damage(ROOK, "KRvK"), None);
    assert_eq!(damage(ROOK, "KQvK"), Some(Damage::Pieces));
    assert_eq!(damage(ROOK, "KRvKR"), Some(Damage::Pieces));
    assert_eq!(changed(0, 0), Some(Damage::Magic));
    assert_eq!(changed(4, 0x33), Some(Damage::Pieces), "there are no pawns");
    assert_eq!(changed(4, 0x30), Some(Damage::Pieces), "it has two sides");
    assert_eq!(changed(5, 0x01), Some(Damage::Order));
    assert_eq!(changed(6, 0xe7), Some(Damage::Pieces), "there is no such piece");
    assert_eq!(changed(6, 0xee), Some(Damage::Pieces), "a king too many");
}
