//! Tablebases whose bytes were tampered with.

use std::sync::{Arc, LazyLock};

use ::syzygy::Syzygy;
use rules::Position;
use search::Tablebase;
use testkit::Random;
use testkit::tables::{MadeTable, Part};

/// Made-up tables of all three pieces, of which the first four are tampered with.
static FILES: LazyLock<Vec<(&str, Vec<u8>)>> = LazyLock::new(|| {
    let mut random = Random::new(1);
    let mut side = |count: usize, below: usize| {
        let mut values = Vec::new();
        while values.len() < count {
            values.resize(values.len() + 1 + random.below(100), random.below(below) as u8);
        }
        values.truncate(count);
        values
    };
    let rook = [side(31_332, 5), side(31_332, 5), side(31_332, 3)];
    let pawn: Vec<Vec<u8>> = (0..12).map(|_| side(6 * 63 * 62, 5)).collect();
    let parts = |values: &[Vec<u8>], flags: u8| -> Vec<(u8, Vec<u8>)> {
        values.iter().map(|side| (flags, side.clone())).collect()
    };
    let make = |header: &[u8], parts: &[(u8, Vec<u8>)], lists: &[u8]| {
        let parts = parts.iter().map(|(flags, values)| (*flags, Part::Values(values))).collect();
        MadeTable { header, parts, lists }.content()
    };
    let constant = |pieces: u8| {
        let header = [0x71, 0xe8, 0x23, 0x5d, 0x31, 0, 0xe6, pieces * 17, 0x6e];
        MadeTable { header: &header, parts: vec![(0, Part::Constant(4)), (0, Part::Constant(0))], lists: &[] }.content()
    };
    let order = [0x22, 0x11, 0x66, 0xee].repeat(4);
    vec![
        ("KRvK.rtbw", make(&[0x71, 0xe8, 0x23, 0x5d, 0x31, 0, 0xe6, 0x4e, 0x64], &parts(&rook[..2], 0), &[])),
        (
            "KRvK.rtbz",
            make(&[0xd7, 0x66, 0x0c, 0xa5, 0x31, 0, 0x0e, 0x06, 0x04], &parts(&rook[2..], 2), &[2, 9, 8, 1, 7, 0, 0]),
        ),
        ("KPvK.rtbw", make(&[&[0x71, 0xe8, 0x23, 0x5d, 0x33][..], &order].concat(), &parts(&pawn[..8], 0), &[])),
        ("KPvK.rtbz", make(&[&[0xd7, 0x66, 0x0c, 0xa5, 0x33][..], &order].concat(), &parts(&pawn[8..], 1), &[])),
        ("KQvK.rtbw", constant(5)),
        ("KBvK.rtbw", constant(3)),
        ("KNvK.rtbw", constant(2)),
    ]
});

static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    const FENS: [&str; 6] = [
        "8/8/8/8/8/4k3/8/4K2R w - - 0 1",
        "8/8/3r4/8/1k6/8/5K2/8 w - - 0 1",
        "8/8/2R5/8/8/1k6/8/K7 b - - 0 1",
        "8/8/8/7k/P7/8/8/7K w - - 0 1",
        "8/3k4/8/8/8/5p2/8/6K1 b - - 0 1",
        "8/8/8/3K4/6P1/8/1k6/8 b - - 40 90",
    ];
    FENS.iter().map(|fen| fen.parse().expect("a legal position")).collect()
});

/// Bytes of a table, chosen by the length of the input, are replaced, three bytes of input telling where and by what,
/// and the checksum is made to fit. The result is refused with a one-line reason, or every question gets some answer.
pub(crate) fn test(data: &[u8]) {
    let damaged = data.len() % 4;
    let files = FILES.iter().enumerate().map(|(at, (name, content))| {
        let mut bytes = content.clone();
        if at == damaged {
            tamper(&mut bytes, data);
        }
        bytes.extend(::syzygy::checksum(&bytes));
        (*name, Arc::<[u8]>::from(bytes))
    });
    match Syzygy::from_buffers(files) {
        Err(error) => super::assert_is_a_reason(&error.to_string()),
        Ok(tables) => {
            for position in POSITIONS.iter() {
                tables.result(position);
                tables.distance(position);
                let ranked = tables.rank_moves(position, true);
                assert!(ranked.is_none_or(|ranked| ranked.len() == position.legal_moves().len()));
            }
            tables.verify().iter().for_each(|damaged| super::assert_is_a_reason(&damaged.to_string()));
        }
    }
}

fn tamper(bytes: &mut Vec<u8>, data: &[u8]) {
    let length = bytes.len();
    for &[low, high, value] in data.as_chunks().0 {
        let place = usize::from(u16::from_le_bytes([low, high]));
        // Half of the places are in the header and the code, the others anywhere.
        let place = if place < 1 << 15 { place % 512 } else { place % length };
        bytes[place] = value;
    }
    if let Some(&cut) = data.first().filter(|_| data.len().is_multiple_of(5)) {
        bytes.truncate(length.saturating_sub(64 * usize::from(cut)));
    }
}

pub(crate) const SEEDS: &[&str] = &[
    "\u{a}\u{0}\u{6}\u{10}\u{0}\u{1}\u{2a}\u{0}\u{0}",
    "\u{c}\u{0}\u{40}\u{12}\u{0}\u{7f}",
    "\u{20}\u{0}\u{8}",
    "\u{5}\u{0}\u{22}\u{30}\u{0}\u{1}\u{31}\u{0}\u{0}",
    "\u{1}\u{7f}\u{7f}\u{7f}\u{7f}",
];
