//! Damaged tables: with a wrong checksum they are refused by name, and with a right one nothing worse happens than that
//! an answer is missing or wrong.

use std::fs;
use std::sync::Arc;

use rules::{Color, Position, Role};
use saavedra_syzygy::{Damage, OpenError, Syzygy, checksum};
use search::Tablebase;
use testkit::Random;

use crate::random_positions;

type File = (String, Arc<[u8]>);

fn files() -> Option<Vec<File>> {
    let folder = testkit::data_file("syzygy")?;
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("the name is text").to_owned();
        files.push((name, fs::read(&path).expect("the file can be read").into()));
    }
    files.sort();
    Some(files)
}

/// Bits flipped, a part overwritten, cut off at a block, or halves exchanged.
fn damaged(content: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = content.to_vec();
    // Half of the damage is near the beginning, where the code is.
    let near = if random.coin() { bytes.len().min(600) } else { bytes.len() };
    match random.below(4) {
        0 => {
            for _ in 0..=random.below(8) {
                let at = random.below(near);
                bytes[at] ^= 1 << random.below(8);
            }
        }
        1 => {
            let start = random.below(near);
            let end = (start + 1 + random.below(100)).min(bytes.len());
            let value = *random.pick(&[0, 0xff, 0x80, 1]);
            bytes[start..end].fill(value);
        }
        2 => bytes.truncate(64 * random.below(bytes.len() / 64)),
        _ => {
            let middle = random.below(near);
            bytes.rotate_left(middle);
            bytes[..5].copy_from_slice(&content[..5]);
        }
    }
    bytes
}

/// The pieces that the name of a table lists.
fn pieces(name: &str) -> Vec<(Color, Role)> {
    let mut color = Color::Black;
    let roles = name.chars().filter_map(|letter| Role::ALL.into_iter().find(|role| role.upper_letter() == letter));
    roles
        .map(|role| {
            color = if role == Role::King { !color } else { color };
            (color, role)
        })
        .collect()
}

/// The tables that one may need besides itself.
fn others<'a>(files: &'a [File], name: &str) -> Vec<&'a File> {
    let stem = name.split('.').next().unwrap_or(name);
    let has_pawns = stem.contains('P');
    files
        .iter()
        .filter(|(other, _)| other != name && (has_pawns || other.len() <= 10 || other.contains(stem)))
        .collect()
}

fn ask(tables: &Syzygy, positions: &[Position]) {
    for position in positions {
        tables.result(position);
        tables.distance(position);
        let ranked = tables.rank_moves(position, true);
        assert!(ranked.is_none_or(|ranked| ranked.len() == position.legal_moves().len()), "{position}");
    }
}

/// Damages every table so often.
fn damage_all(times: usize) {
    let Some(files) = files() else { return };
    let mut random = Random::new(9);
    let (mut refused, mut opened) = (0, 0);
    for (name, bytes) in &files {
        let others = others(&files, name);
        let positions = random_positions(random.next_u64(), &pieces(name.split('.').next().unwrap_or(name)), 8);
        for _ in 0..times {
            let (content, stored) = bytes.split_last_chunk::<16>().expect("a table has a checksum");
            let mut changed = damaged(content, &mut random);
            if changed == content {
                continue;
            }
            // As a disk would damage it: the checksum is that of what was.
            let found = Syzygy::from_buffers([(name, [&changed[..], stored].concat())]).map(|_| ());
            let is_named = matches!(&found, Err(OpenError::Damaged(damaged)) if damaged.path.ends_with(name)
                && matches!(damaged.damage, Damage::Checksum | Damage::TooShort | Damage::Magic));
            assert!(is_named, "{name}: {found:?}");
            // As an enemy would.
            changed.extend(checksum(&changed));
            let all = others.iter().map(|(name, bytes)| (name, bytes.clone())).chain([(name, changed.into())]);
            match Syzygy::from_buffers(all) {
                Err(_) => refused += 1,
                Ok(tables) => {
                    opened += 1;
                    ask(&tables, &positions);
                }
            }
        }
    }
    assert!(refused < opened, "{refused} refused, {opened} opened");
}

#[test]
fn damaged_tables_are_refused_and_those_with_a_forged_checksum_do_no_harm() {
    damage_all(5);
}

/// A thousand damages of each table take minutes.
#[test]
#[ignore = "takes minutes"]
fn a_thousand_damages_of_each_table_do_no_harm() {
    damage_all(1_000);
}

#[test]
#[cfg(unix)]
fn a_table_that_is_a_pipe_is_refused_and_one_that_is_cut_while_it_is_open_does_no_harm() {
    let Some(files) = files() else { return };
    let (name, bytes) = files.iter().find(|(name, _)| name == "KQvK.rtbw").expect("a table");
    let folder = tempfile::tempdir().expect("a folder");
    let open = || Syzygy::open(folder.path().to_str().expect("text"));
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("a table");
    let tables = open().expect("a sound table");
    fs::File::create(&path).expect("it can be cut");
    ask(&tables, &random_positions(1, &pieces("KQvK"), 100));
    fs::remove_file(&path).expect("it can be removed");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
    assert!(made.success());
    let error = open().map(|_| ()).expect_err("a pipe").to_string();
    assert!(error.contains("it is no file"), "{error}");
}

#[test]
fn intact_tables_pass_verification() {
    let Some(folder) = testkit::data_file("syzygy") else { return };
    let tables = Syzygy::open(folder.to_str().expect("the folder's name is text")).expect("the tables open");
    assert_eq!(tables.verify(), []);
}

#[test]
fn tables_in_memory_answer_like_tables_in_files() {
    let (Some(files), Some(folder)) = (files(), testkit::data_file("syzygy")) else { return };
    let mapped = Syzygy::open(folder.to_str().expect("the folder's name is text")).expect("the tables open");
    let buffered = Syzygy::from_buffers(files).expect("the tables open");
    assert_eq!((buffered.tables(), buffered.most_pieces()), (mapped.tables(), mapped.most_pieces()));
    for position in random_positions(3, &pieces("KQvKP"), 500) {
        assert_eq!(buffered.result(&position), mapped.result(&position), "{position}");
        assert_eq!(buffered.distance(&position), mapped.distance(&position), "{position}");
    }
}
