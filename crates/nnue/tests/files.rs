//! Networks as files: what is written is read again, and what is damaged is refused with a reason.

use saavedra_nnue::{Architecture, ArchitectureError, KingBuckets, Network, NetworkError, ReadError, checksum};

fn network() -> Network {
    let mut table = [0; 64];
    table[4] = 1;
    let architecture = Architecture::new(32).and_then(|one| one.with_output_buckets(2)).expect("valid");
    let architecture = architecture.with_king_buckets(KingBuckets::new(table).expect("two buckets"));
    Network::random(1, architecture).described("Größe 32, für Tests").expect("short")
}

fn error(bytes: &[u8]) -> ReadError {
    Network::read(bytes).expect_err("this is no network")
}

/// The file with some bytes replaced, and a checksum that fits.
fn forged(at: usize, replacement: &[u8]) -> Vec<u8> {
    let mut bytes = network().write();
    bytes[at..at + replacement.len()].copy_from_slice(replacement);
    let body = bytes.len() - 8;
    let sum = checksum(&bytes[..body]);
    bytes[body..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn what_is_written_is_read_again() {
    let network = network();
    let bytes = network.write();
    assert_eq!(bytes.len(), 92 + network.description().len() + 2 * network.architecture().parameters() + 8);
    assert_eq!(Network::read(&bytes), Ok(network));
}

#[test]
fn every_cut_is_noticed() {
    let bytes = network().write();
    for length in (0..200).chain((200..bytes.len()).step_by(997)) {
        let expected = if length == 0 { "not a network" } else { "cut short" };
        let message = error(&bytes[..length]).to_string();
        assert!(message.contains(expected), "{length}: {message}");
    }
    let longer = [&bytes[..], b"!"].concat();
    assert_eq!(error(&longer), ReadError::TooLong { expected: bytes.len(), found: bytes.len() + 1 });
    let error = error(&bytes[..1_000]).to_string();
    assert_eq!(error, format!("the network is cut short: 1000 of {} bytes", bytes.len()));
}

#[test]
fn every_changed_byte_is_noticed() {
    let bytes = network().write();
    for at in (0..300).chain((300..bytes.len()).step_by(1_999)).chain(bytes.len() - 8..bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        Network::read(&damaged).expect_err("a changed byte");
    }
    let mut damaged = bytes;
    damaged[5_000] ^= 1;
    assert!(matches!(error(&damaged), ReadError::Checksum { .. }));
}

#[test]
fn impossible_headers_are_refused_with_a_reason() {
    assert_eq!(error(b"not a network, but long enough to be one"), ReadError::NotANetwork);
    assert_eq!(error(&forged(0, b"s")), ReadError::NotANetwork);
    assert_eq!(error(&forged(8, &[2, 0])), ReadError::Version(2));
    assert_eq!(error(&forged(10, &[9, 0])), ReadError::Layers(9));
    let hidden = |hidden| ReadError::Architecture(ArchitectureError::Hidden(hidden));
    assert_eq!(error(&forged(12, &[33, 0, 0, 0])), hidden(33));
    assert_eq!(error(&forged(12, &[0xe0, 0xff, 0xff, 0xff])), hidden(0xffff_ffe0));
    assert!(matches!(error(&forged(12, &[0, 8, 0, 0])), ReadError::Truncated { .. }));
    assert_eq!(error(&forged(16, &[0, 0])), ReadError::Architecture(ArchitectureError::OutputBuckets(0)));
    assert_eq!(error(&forged(18, &[127, 0])), ReadError::Units([127, 64, 400]));
    let description = ReadError::Network(NetworkError::Description { bytes: u32::MAX as usize });
    assert_eq!(error(&forged(24, &[0xff; 4])), description);
    assert!(error(&forged(28, &[200])).to_string().contains("king bucket 200 on a1"));
    assert_eq!(error(&forged(92, &[0xff])), ReadError::Description);
}

#[test]
fn output_weights_that_would_overflow_are_refused() {
    let network = network();
    // The second of the output weights, which precede two biases and the checksum.
    let at = network.write().len() - 8 - 4 - 2 * network.architecture().output_weights() + 2;
    let error = error(&forged(at, &129_i16.to_le_bytes()));
    assert_eq!(error, ReadError::Network(NetworkError::OutputWeight { index: 1, value: 129 }));
    assert_eq!(error.to_string(), "impossible network: output weight 1 is 129, beyond ±128");
    assert!(Network::read(&forged(at, &(-128_i16).to_le_bytes())).is_ok());
}

#[test]
fn random_networks_repeat_and_speak_of_pawns_not_of_mountains() {
    let architecture = Architecture::new(256).expect("valid");
    let network = Network::random(9, architecture);
    assert_eq!(network, Network::random(9, architecture));
    assert_ne!(network, Network::random(10, architecture));
    testkit::random_walks(1, 8, testkit::Variants::All, |position| {
        let value = network.evaluate(position);
        assert!(value.abs() < 2_000, "{value} for {position:?}");
    });
}
