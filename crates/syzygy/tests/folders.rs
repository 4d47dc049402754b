//! Opening folders: what is wrong with one is said, and missing tables are lived with.

use std::fs;
use std::path::Path;

use rules::Position;
use saavedra_syzygy::Syzygy;
use search::{Tablebase, TablebaseResult};
use tempfile::TempDir;

fn text(folder: &TempDir) -> &str {
    folder.path().to_str().expect("the folder's name is text")
}

/// A folder with these tables, gone when the test ends.
fn copy(tables: &Path, names: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in names {
        fs::copy(tables.join(name), folder.path().join(name)).expect("the table can be copied");
    }
    folder
}

fn complaint(path: &str) -> String {
    Syzygy::open(path).map(|_| ()).expect_err("these cannot be opened").to_string()
}

#[test]
fn what_cannot_be_opened_is_named() {
    assert_eq!(complaint(""), "no folder with tablebases was named");
    assert_eq!(complaint("/no/such/folder"), "there is no folder \"/no/such/folder\"");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("notes.txt"), "no table").expect("a file can be written");
    assert!(complaint(text(&folder)).starts_with("there is no tablebase (no .rtbw file) in"));
    let table = folder.path().join("KQvK.rtbw");
    let whole = [&[0x71, 0xe8, 0x23, 0x5d][..], &[0; 76]].concat();
    for (content, reason) in [
        (&b""[..], "it is too short"),
        (&[0; 80], "it does not begin like one"),
        (&[&whole[..], &[0]].concat(), "a part is missing, by its length"),
        (&whole, "its checksum does not fit its content"),
    ] {
        fs::write(&table, content).expect("a file can be written");
        let message = complaint(text(&folder));
        assert!(message.contains("KQvK.rtbw") && message.ends_with(reason), "{message}");
    }
}

#[test]
fn folders_are_joined_and_several_sets_are_open_at_once() {
    let Some(tables) = testkit::data_file("syzygy") else { return };
    let rook_wins: Position = "8/8/8/8/8/4k3/8/4K2R w - - 0 1".parse().expect("a position");
    let pawn_wins: Position = "8/8/8/7k/P7/8/8/7K w - - 0 1".parse().expect("a position");
    let few = copy(&tables, &["KRvK.rtbw", "KQvK.rtbw", "KPvK.rtbw"]);
    let more = copy(&tables, &["KBvK.rtbw", "KNvK.rtbw"]);

    let first = Syzygy::open(text(&few)).expect("the tables open");
    assert_eq!((first.tables(), first.most_pieces()), (2, 3), "a pawn may become a bishop, which no table knows here");
    assert_eq!((first.result(&rook_wins), first.result(&pawn_wins)), (Some(TablebaseResult::Win), None));

    let both = format!("{}{}{}", text(&few), if cfg!(windows) { ";" } else { ":" }, text(&more));
    let both = Syzygy::open(&both).expect("another set may be open");
    assert_eq!((both.tables(), both.result(&pawn_wins)), (5, Some(TablebaseResult::Win)));
    assert_eq!(first.result(&pawn_wins), None, "the first set is as it was");

    // Without distances the moves are ranked by their results.
    let ranked = both.rank_moves(&pawn_wins, true).expect("all moves are known");
    let best = ranked[0];
    assert_eq!((pawn_wins.uci(best.mv).as_str(), best.result), ("a4a5", TablebaseResult::Win));
    assert!(ranked[1..].iter().all(|other| other.rank < best.rank), "king moves make no progress: {ranked:?}");
}
