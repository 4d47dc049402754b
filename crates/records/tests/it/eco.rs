//! Names of openings.

use std::fs;

use saavedra_records::eco::{self, OpeningLine};
use saavedra_records::rules::Position;

const TABLE: &str = include_str!("../../data/eco.tsv");

fn game(moves: &str) -> Vec<Position> {
    let mut positions = vec![Position::initial()];
    for san in moves.split_whitespace() {
        let position = positions.last().expect("there is a start");
        positions.push(position.play_unchecked(position.parse_san(san).expect("a legal move")));
    }
    positions
}

#[test]
fn the_table_is_read_and_written_alike() {
    let lines = eco::parse(TABLE).expect("the table is sound");
    assert!(lines.len() > 3_800, "only {} openings", lines.len());
    assert_eq!(eco::write(lines), TABLE);
}

#[test]
fn every_line_leads_to_its_own_name() {
    for line in eco::parse(TABLE).expect("the table is sound") {
        let positions = game(&line.moves.join(" "));
        assert_eq!(positions.last().and_then(eco::name_of), Some(&line.name), "{:?}", line.moves);
        assert!(positions.iter().all(eco::is_book));
    }
}

#[test]
fn a_game_is_called_by_its_last_named_position() {
    let najdorf = game("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 h3 h5 a4");
    let opening = eco::classify(&najdorf).expect("the Najdorf");
    assert_eq!(opening.name.to_string(), "B90 Sicilian Defense: Najdorf Variation, Adams Attack");
    assert_eq!((opening.named, opening.book), (11, 11));
    assert_eq!(eco::classify(&game("")), None);
    assert_eq!(eco::classify(&game("f3")).map(|opening| opening.name.eco.as_str()), Some("A00"));
}

#[test]
fn another_order_of_moves_has_the_same_name() {
    let straight = eco::classify(&game("d4 Nf6 c4 e6 Nc3 Bb4"));
    let detour = eco::classify(&game("c4 e6 Nc3 Bb4 d4 Nf6"));
    assert!(straight.is_some());
    assert_eq!(straight.map(|opening| opening.name), detour.map(|opening| opening.name));
}

#[test]
fn a_broken_table_is_refused_with_its_line() {
    let refusal = |table| eco::parse(table).expect_err("a broken table").to_string();
    assert_eq!(
        refusal("0 e4\tB00\tKing's Pawn Game\n1 e6 C00"),
        "line 2: expected moves, code and name with tabs between"
    );
    assert_eq!(refusal("7 e4\tB00\tKing's Pawn Game"), "line 1: \"7\" is not a number of moves of the line before");
    assert_eq!(refusal("0 e5\tB00\tNonsense"), "line 1: e5 is not a legal move here");
}

#[test]
fn the_facts_are_those_of_the_source() {
    let Some(folder) = testkit::data_file("openings") else { return };
    let mut rows = 0;
    for volume in ["a", "b", "c", "d", "e"] {
        let text = fs::read_to_string(folder.join(volume).with_extension("tsv")).expect("a volume of the table");
        for row in text.lines().skip(1) {
            let fields: Vec<&str> = row.split('\t').collect();
            let moves: Vec<&str> = fields[2].split(' ').filter(|word| !word.ends_with('.')).collect();
            let line = OpeningLine::new(&moves, fields[0], fields[1]).expect("moves of the source");
            assert_eq!(game(&moves.join(" ")).last().and_then(eco::name_of), Some(&line.name), "{row}");
            rows += 1;
        }
    }
    assert_eq!(rows, TABLE.lines().count());
}
