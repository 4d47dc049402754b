//! Samples of a round in a file: four words of a head, the words of all samples as they lie on the GPU, and a
//! checksum.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use records::AtomicFile;
use train::{Sample, WordSum};

use crate::Failure;

/// The first word: `SVDSMPL1` as bytes.
const MAGIC: u64 = u64::from_le_bytes(*b"SVDSMPL1");

/// How many samples are moved at once.
const BLOCK: usize = 1 << 20;

/// Words of the head.
const HEAD: usize = 4;

const WORD: usize = size_of::<u64>();

/// What a file holds: samples to train on, and behind them those for validation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub(super) generation: u64,
    pub(super) samples: usize,
    pub(super) validation: usize,
}

/// Where the samples of a round are kept.
pub(super) fn path(folder: &Path, generation: u32, round: u32) -> PathBuf {
    folder.join("samples").join(format!("g{generation:02}-r{round:02}.bin"))
}

fn to_bytes(words: &[u64], bytes: &mut Vec<u8>) {
    bytes.resize(words.len() * WORD, 0);
    for (place, word) in bytes.chunks_exact_mut(WORD).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}

fn to_words(bytes: &[u8], words: &mut Vec<u64>) {
    words.clear();
    words.extend(bytes.as_chunks::<WORD>().0.iter().map(|&bytes| u64::from_le_bytes(bytes)));
}

/// Writes a file, whole or not at all. The words of samples are asked for block by block: those to train on, or those
/// for validation.
pub(super) fn write(
    path: &Path,
    head: Head,
    mut words_of: impl FnMut(bool, Range<usize>) -> Result<Vec<u64>, Failure>,
) -> Result<(), Failure> {
    let context = || format!("cannot write {}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(context)?;
    }
    let mut file = AtomicFile::create(path).with_context(context)?;
    let (mut sum, mut bytes) = (WordSum::default(), Vec::new());
    let mut put = |words: &[u64]| -> io::Result<()> {
        sum.add(words.iter().copied());
        to_bytes(words, &mut bytes);
        file.write_all(&bytes)
    };
    put(&[MAGIC, head.generation, head.samples as u64, head.validation as u64]).with_context(context)?;
    for (is_validation, count) in [(false, head.samples), (true, head.validation)] {
        for first in (0..count).step_by(BLOCK) {
            let words = words_of(is_validation, first..count.min(first + BLOCK))?;
            put(&words).with_context(context)?;
        }
    }
    file.write_all(&sum.0.to_le_bytes()).with_context(context)?;
    Ok(file.commit().with_context(context)?)
}

/// What a file says it holds, if it is as long as that takes.
pub(super) fn head(path: &Path) -> Result<Head, Failure> {
    let mut file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(read_head(path, &mut file)?.0)
}

fn damaged(path: &Path) -> Failure {
    anyhow!("{} is damaged: without it the run can go on", path.display()).into()
}

fn read_head(path: &Path, file: &mut File) -> Result<(Head, WordSum), Failure> {
    let length = file.metadata().with_context(|| format!("cannot read {}", path.display()))?.len();
    let (mut bytes, mut words) = ([0; HEAD * WORD], Vec::new());
    file.read_exact(&mut bytes).map_err(|_| damaged(path))?;
    to_words(&bytes, &mut words);
    let mut sum = WordSum::default();
    sum.add(words.iter().copied());
    let samples = words[2].checked_add(words[3]);
    let expected = samples.and_then(|samples| samples.checked_mul((Sample::WORDS * WORD) as u64));
    let is_whole = expected.and_then(|bytes| bytes.checked_add(((HEAD + 1) * WORD) as u64)) == Some(length);
    if words[0] != MAGIC || !is_whole {
        return Err(damaged(path));
    }
    Ok((Head { generation: words[1], samples: words[2] as usize, validation: words[3] as usize }, sum))
}

/// Reads a file block by block: those to train on, then those for validation. What was handed out counts only if this
/// goes well.
pub(super) fn read(path: &Path, mut take: impl FnMut(bool, &[u64]) -> Result<(), Failure>) -> Result<Head, Failure> {
    let mut file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (head, mut sum) = read_head(path, &mut file)?;
    let mut file = BufReader::with_capacity(1 << 16, file);
    let (mut bytes, mut words) = (Vec::new(), Vec::new());
    for (is_validation, count) in [(false, head.samples), (true, head.validation)] {
        for first in (0..count).step_by(BLOCK) {
            bytes.resize(BLOCK.min(count - first) * Sample::WORDS * WORD, 0);
            file.read_exact(&mut bytes).map_err(|_| damaged(path))?;
            to_words(&bytes, &mut words);
            sum.add(words.iter().copied());
            take(is_validation, &words)?;
        }
    }
    let mut last = [0; WORD];
    file.read_exact(&mut last).map_err(|_| damaged(path))?;
    if u64::from_le_bytes(last) == sum.0 { Ok(head) } else { Err(damaged(path)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(path: &Path, samples: usize, validation: usize) -> [Vec<u64>; 2] {
        let words = |salt: u64, count: usize| (0..(count * Sample::WORDS) as u64).map(|k| k * k + salt).collect();
        let parts: [Vec<u64>; 2] = [words(1, samples), words(2, validation)];
        write(path, Head { generation: 3, samples, validation }, |is_validation, range| {
            Ok(parts[usize::from(is_validation)][range.start * Sample::WORDS..range.end * Sample::WORDS].to_vec())
        })
        .expect("it can be written");
        parts
    }

    #[test]
    fn samples_come_back_as_they_were() {
        let folder = tempfile::tempdir().expect("a folder");
        for (round, (samples, validation)) in [(BLOCK + 5, 700), (3, 0), (0, 0)].into_iter().enumerate() {
            let path = path(&folder.path().join("samples"), 3, round as u32);
            let parts = written(&path, samples, validation);
            let mut found = [Vec::new(), Vec::new()];
            let head = read(&path, |is_validation, words| {
                found[usize::from(is_validation)].extend_from_slice(words);
                Ok(())
            });
            assert_eq!(head.expect("it is sound"), Head { generation: 3, samples, validation });
            assert!(found == parts);
        }
    }

    #[test]
    fn a_damaged_file_of_samples_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = path(&folder.path().join("samples"), 1, 1);
        written(&path, 100, 10);
        let sound = fs::read(&path).expect("a file");
        for place in [0, 20, 40, 2_000, sound.len() - 1] {
            let mut bytes = sound.clone();
            bytes[place] ^= 16;
            fs::write(&path, &bytes).expect("it can be written");
            let message = read(&path, |_, _| Ok(())).expect_err("damaged").message();
            assert!(message.contains("g01-r01.bin is damaged"), "{place}: {message}");
        }
        fs::write(&path, &sound[..sound.len() - 9]).expect("it can be written");
        assert!(head(&path).is_err() && read(&path, |_, _| Ok(())).is_err());
    }
}
