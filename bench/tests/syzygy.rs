//! pyrrhic-rs agrees with our reader of tablebases, on some positions of every table. Without tables the test passes.

use bench::syzygy::{Theirs, may_allow_en_passant, names, positions, same_distances};
use search::Tablebase;
use syzygy::Syzygy;

#[test]
fn pyrrhic_agrees() {
    let Some(folder) = testkit::data_file("syzygy") else { return };
    let text = folder.to_str().expect("the folder's name is text");
    let (ours, theirs) = (Syzygy::open(text).expect("the tables open"), Theirs::open(text).expect("they open"));
    for name in names(&folder).expect("the folder can be read") {
        let mut count = 0;
        positions(&name, 1_009, &mut |position| {
            assert_eq!(ours.result(position), theirs.result(position), "{position}");
            count += 1;
            if count % 10 == 0 && !may_allow_en_passant(position) {
                assert!(same_distances(&ours, &theirs, position), "{position}");
            }
        });
        assert!(count > 50, "{name}: {count}");
    }
}
