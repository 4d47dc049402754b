//! Networks as files: what is written is read again, and what is damaged is refused with a reason.

use saavedra_nnue::{
    Architecture, ArchitectureError, Head, KingBuckets, Layers, Network, NetworkError, Parameters, ReadError, Tail,
    checksum,
};

fn network() -> Network {
    let mut table = [0; 64];
    table[4] = 1;
    let architecture = Architecture::new(32).and_then(|one| one.with_output_buckets(2)).expect("valid");
    let architecture = architecture.with_king_buckets(KingBuckets::new(table).expect("two buckets"));
    Network::random(1, architecture).described("Größe 32, für Tests").expect("short")
}

/// The header of such a network has 100 bytes, and then comes a description of 16.
fn pairwise_network() -> Network {
    let architecture = Architecture::new(128).and_then(|one| one.with_layers(Layers::Pairwise));
    let architecture = architecture.and_then(|one| one.with_output_buckets(2)).expect("valid");
    Network::random(1, architecture).described("pairs, for tests").expect("short")
}

fn error(bytes: &[u8]) -> ReadError {
    Network::read(bytes).expect_err("this is no network")
}

/// The file with some bytes replaced, and a checksum that fits.
fn forged(at: usize, replacement: &[u8]) -> Vec<u8> {
    forged_from(&network(), at, replacement)
}

fn forged_from(network: &Network, at: usize, replacement: &[u8]) -> Vec<u8> {
    let mut bytes = network.write();
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
    let network = pairwise_network();
    let bytes = network.write();
    let head = 16 * 128 + 4 * 16 + 2 * 32 * 16 + 4 * 32 + 2 * 32 + 4;
    assert_eq!(bytes.len(), 100 + 16 + 2 * 769 * 128 + 2 * head + 8);
    assert_eq!(Network::read(&bytes), Ok(network));
}

#[test]
fn every_cut_is_noticed() {
    for bytes in [network().write(), pairwise_network().write()] {
        for length in (0..200).chain((200..bytes.len()).step_by(997)) {
            let expected = if length == 0 { "not a network" } else { "cut short" };
            let message = error(&bytes[..length]).to_string();
            assert!(message.contains(expected), "{length}: {message}");
        }
    }
    let bytes = network().write();
    let longer = [&bytes[..], b"!"].concat();
    assert_eq!(error(&longer), ReadError::TooLong { expected: bytes.len(), found: bytes.len() + 1 });
    let error = error(&bytes[..1_000]).to_string();
    assert_eq!(error, format!("the network is cut short: 1000 of {} bytes", bytes.len()));
}

#[test]
fn every_changed_byte_is_noticed() {
    for bytes in [network().write(), pairwise_network().write()] {
        for at in (0..300).chain((300..bytes.len()).step_by(1_999)).chain(bytes.len() - 8..bytes.len()) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            Network::read(&damaged).expect_err("a changed byte");
        }
    }
    let bytes = network().write();
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
    assert_eq!(error(&forged(18, &[127, 0])), ReadError::Units { found: [127, 64, 400], expected: [255, 64, 400] });
    let description = ReadError::Network(NetworkError::Description { bytes: u32::MAX as usize });
    assert_eq!(error(&forged(24, &[0xff; 4])), description);
    assert!(error(&forged(28, &[200])).to_string().contains("king bucket 200 on a1"));
    assert_eq!(error(&forged(92, &[0xff])), ReadError::Description);
}

#[test]
fn impossible_headers_of_pairwise_networks_are_refused_with_a_reason() {
    let network = pairwise_network();
    let refusal = |at: usize, replacement: &[u8]| error(&forged_from(&network, at, replacement)).to_string();
    assert_eq!(refusal(10, &[3]), "the network has layers of kind 3; this program knows 1 and 2");
    // The width of 192 has whole blocks, but no whole lines of products.
    let width = refusal(12, &[192, 0]);
    assert_eq!(
        width,
        "impossible network: a hidden layer of 192: to be multiplied in pairs it must be a multiple of 128"
    );
    assert_eq!(refusal(20, &[64, 0]), "the network counts in units of [255, 64, 400] instead of [255, 512, 400]");
    let further = |found| format!("the further layers and their units are {found} instead of [16, 32, 64, 512]");
    assert_eq!(refusal(92, &[8, 0]), further("[8, 32, 64, 512]"));
    assert_eq!(refusal(94, &[64, 0]), further("[16, 64, 64, 512]"));
    assert_eq!(refusal(96, &[127, 0]), further("[16, 32, 127, 512]"));
    assert_eq!(refusal(98, &[0, 1]), further("[16, 32, 64, 256]"));
    assert_eq!(refusal(100, &[0xff]), "the description is not text");
    // Read as a straight network, there is too much of it.
    assert!(refusal(10, &[1]).contains("units"));
}

#[test]
fn numbers_of_heads_that_would_overflow_are_refused() {
    let network = pairwise_network();
    // From the end: the checksum, the second head, and so on.
    let end = network.write().len() - 8;
    let head = 16 * 128 + 4 * 16 + 2 * 32 * 16 + 4 * 32 + 2 * 32 + 4;
    let refusal = |at: usize, number: i32, bytes: usize| {
        error(&forged_from(&network, at, &number.to_le_bytes()[..bytes])).to_string()
    };
    let name = |what: &str| format!("impossible network: {what}");
    let most = Head::MOST_BIAS;
    assert_eq!(
        refusal(end - 4, most + 1, 4),
        name("output bias 0 of output bucket 1 is 1073741825, beyond ±1073741824")
    );
    assert_eq!(refusal(end - 4 - 2, -2048, 2), name("output weight 31 of output bucket 1 is -2048, beyond ±2047"));
    let third_biases = end - 4 - 64 - 128;
    assert!(
        refusal(third_biases + 4, i32::MIN, 4).contains("bias of the third layer 1 of output bucket 1 is -2147483648")
    );
    assert!(refusal(third_biases - 2, 4096, 2).contains("weight of the third layer 511 of output bucket 1 is 4096"));
    let second_biases = end - head + 16 * 128;
    assert!(refusal(second_biases, -most - 1, 4).contains("bias of the second layer 0 of output bucket 1"));
    for (at, number, bytes) in
        [(end - 4, most, 4), (end - 6, -2047, 2), (third_biases - 2, 4095, 2), (end - head, -128, 1)]
    {
        assert!(Network::read(&forged_from(&network, at, &number.to_le_bytes()[..bytes])).is_ok());
    }
}

#[test]
fn numbers_of_other_layers_or_widths_are_refused() {
    let pairwise = pairwise_network();
    let (architecture, mut parameters) = (*pairwise.architecture(), pairwise.parameters());
    let straight = architecture.with_layers(Layers::Straight).expect("any width will do");
    let message = |architecture, parameters: &Parameters| {
        Network::new(architecture, "", parameters).expect_err("wrong").to_string()
    };
    assert_eq!(message(straight, &parameters), "the numbers of a pairwise network instead of those of a straight one");
    if let Tail::Pairwise(heads) = &mut parameters.tail {
        heads[1].second_weights.pop();
    }
    assert_eq!(message(architecture, &parameters), "2047 weights of the second layer instead of 2048");
    parameters.tail = Tail::Pairwise(Vec::new());
    assert_eq!(message(architecture, &parameters), "0 heads instead of 2");
}

#[test]
fn output_weights_that_would_overflow_are_refused() {
    let network = network();
    // The second of the output weights, which precede two biases and the checksum.
    let at = network.write().len() - 8 - 4 - 2 * network.architecture().output_weights() + 2;
    let error = error(&forged(at, &128_i16.to_le_bytes()));
    assert_eq!(error, ReadError::Network(NetworkError::OutputWeight { index: 1, value: 128 }));
    assert_eq!(error.to_string(), "impossible network: output weight 1 is 128, beyond ±127");
    assert!(Network::read(&forged(at, &(-127_i16).to_le_bytes())).is_ok());
}

#[test]
fn random_networks_repeat_and_speak_of_pawns_not_of_mountains() {
    let straight = Architecture::new(256).expect("valid");
    for architecture in [straight, straight.with_layers(Layers::Pairwise).expect("wide enough")] {
        let network = Network::random(9, architecture);
        assert_eq!(network, Network::random(9, architecture));
        assert_ne!(network, Network::random(10, architecture));
        let (mut least, mut greatest) = (0, 0);
        testkit::random_walks(1, 8, testkit::Variants::All, |position| {
            let value = network.evaluate(position);
            assert!(value.abs() < 2_000, "{value} for {position:?}");
            (least, greatest) = (least.min(value), greatest.max(value));
        });
        assert!(greatest - least > 50, "{architecture} says {least} to {greatest}");
    }
}
