//! Networks whose bytes were tampered with.

use std::sync::{Arc, LazyLock};

use nnue::{Architecture, Layers, Network};

/// Small networks of each kind as files.
static FILES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let straight = Architecture::new(32).and_then(|one| one.with_output_buckets(2)).expect("valid");
    let pairwise = Architecture::new(128).and_then(|one| one.with_layers(Layers::Pairwise)).expect("valid");
    [straight, pairwise].map(|architecture| Network::random(1, architecture).write())
});

/// Bytes of a network, whose kind depends on the length of the input, are replaced, three bytes of input telling where
/// and by what, and the checksum is made to fit. The result is refused with a one-line reason, or it is a network that
/// is written alike and on which all kernels agree.
pub(crate) fn test(data: &[u8]) {
    let mut bytes = FILES[data.len() % 2].clone();
    let body = bytes.len() - 8;
    for &[low, high, value] in data.as_chunks().0 {
        let place = usize::from(u16::from_le_bytes([low, high]));
        // Half of the places are in or near the header, the others near the end.
        let place = if place < 1 << 15 { place % 128 } else { body - 1 - place % 256 };
        bytes[place] = value;
    }
    if let Some(&cut) = data.first().filter(|_| data.len().is_multiple_of(5)) {
        bytes.truncate(bytes.len() - usize::from(cut));
    } else {
        let checksum = nnue::checksum(&bytes[..body]);
        bytes[body..].copy_from_slice(&checksum.to_le_bytes());
    }
    match Network::read(&bytes) {
        Err(error) => super::assert_is_a_reason(&error.to_string()),
        Ok(network) => {
            assert_eq!(network.write(), bytes);
            nnue::verify(&Arc::new(network), 1, 5, |_, _| ()).expect("all kernels agree");
        }
    }
}

pub(crate) const SEEDS: &[&str] = &[
    "\u{60}\u{0}\u{40}\u{62}\u{0}\u{1}\u{c}\u{0}\u{0}\u{d}\u{0}\u{1}",
    "\u{c}\u{0}\u{40}",
    "\u{10}\u{0}\u{8}\u{1c}\u{0}\u{1}",
    "\u{1}\u{7f}\u{7f}\u{7f}\u{7f}",
];
