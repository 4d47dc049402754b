//! Opening folders: what is wrong with one is said, and missing tables are lived with.
//!
//! A program of its own, because a process has one set of tables.

use std::fs;
use std::path::{Path, PathBuf};

use rules::Position;
use saavedra_syzygy::{OpenError, Syzygy};
use search::{Tablebase, TablebaseResult};

/// A folder of its own for each test, gone when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("saavedra-syzygy-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        Folder(folder)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the folder's name is text")
    }

    fn copy(&self, tables: &Path, names: &[&str]) {
        for name in names {
            fs::copy(tables.join(name), self.0.join(name)).expect("the table can be copied");
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn complaint(path: &str) -> String {
    Syzygy::open(path).map(|_| ()).expect_err("these cannot be opened").to_string()
}

#[test]
fn what_cannot_be_opened_is_named() {
    assert_eq!(complaint(""), "no folder with tablebases was named");
    assert_eq!(complaint("/no/such/folder"), "there is no folder \"/no/such/folder\"");
    let folder = Folder::new("bad");
    fs::write(folder.0.join("notes.txt"), "no table").expect("a file can be written");
    assert!(complaint(folder.path()).starts_with("there is no tablebase (no .rtbw file) in"));
    let table = folder.0.join("KQvK.rtbw");
    let whole = [&[0x71, 0xe8, 0x23, 0x5d][..], &[0; 76]].concat();
    for (content, reason) in [
        (&b""[..], "it is too short"),
        (&[0; 80], "it does not begin like one"),
        (&whole[..79], "a part is missing, by its length"),
    ] {
        fs::write(&table, content).expect("a file can be written");
        let message = complaint(folder.path());
        assert!(message.contains("KQvK.rtbw") && message.ends_with(reason), "{message}");
    }
}

/// One test, since a process has one set of tables at a time.
#[test]
fn folders_are_shared_exchanged_and_joined() {
    let Some(tables) = testkit::data_file("syzygy") else { return };
    let rook_wins: Position = "8/8/8/8/8/4k3/8/4K2R w - - 0 1".parse().expect("a position");
    let pawn_wins: Position = "8/8/8/7k/P7/8/8/7K w - - 0 1".parse().expect("a position");
    let (few, more) = (Folder::new("few"), Folder::new("more"));
    few.copy(&tables, &["KRvK.rtbw", "KQvK.rtbw", "KPvK.rtbw"]);
    more.copy(&tables, &["KBvK.rtbw", "KNvK.rtbw"]);

    let first = Syzygy::open(few.path()).expect("the tables open");
    assert_eq!((first.tables(), first.most_pieces()), (2, 3), "a pawn may become a bishop, which no table knows here");
    assert_eq!((first.result(&rook_wins), first.result(&pawn_wins)), (Some(TablebaseResult::Win), None));
    let shared = Syzygy::open(few.path()).expect("the same tables can be opened twice");
    drop(first);

    let both = format!("{}{}{}", few.path(), if cfg!(windows) { ";" } else { ":" }, more.path());
    assert!(matches!(Syzygy::open(&both), Err(OpenError::InUse(_))));
    drop(shared);
    let both = Syzygy::open(&both).expect("the old tables are not in use");
    assert_eq!((both.tables(), both.result(&pawn_wins)), (5, Some(TablebaseResult::Win)));

    // Without distances the moves are ranked by their results.
    let ranked = both.rank_moves(&pawn_wins, true).expect("all moves are known");
    let best = ranked[0];
    assert_eq!((pawn_wins.uci(best.mv).as_str(), best.result), ("a4a5", TablebaseResult::Win));
    assert!(ranked[1..].iter().all(|other| other.rank < best.rank), "king moves make no progress: {ranked:?}");
}
