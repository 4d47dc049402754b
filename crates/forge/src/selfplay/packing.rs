//! A network as the kernels read it.

use nnue::{FEATURES, Network, Tail};

use crate::Trouble;

/// Neurons in a chunk, of which each lane of a warp holds eight.
const CHUNK: usize = 256;

/// A network's numbers in the kernels' order.
pub(super) struct Packed {
    /// The rows of all features, one of zeros, and the biases: two neurons to a word.
    pub(super) rows: Vec<u32>,
    /// The output weights, two to a word.
    pub(super) outputs: Vec<u32>,
    pub(super) output_biases: Vec<i32>,
    pub(super) king_buckets: Vec<u8>,
    /// The output bucket by the number of men.
    pub(super) output_by_men: Vec<u8>,
    pub(super) chunks: usize,
    pub(super) inputs: usize,
}

impl Packed {
    pub(super) fn new(network: &Network) -> Result<Packed, Trouble> {
        let architecture = network.architecture();
        let parameters = network.parameters();
        let Tail::Straight { output_weights, output_biases } = &parameters.tail else {
            return Err(Trouble::Layers(architecture.layers()));
        };
        let hidden = architecture.hidden();
        let chunks = hidden.div_ceil(CHUNK);
        // Neurons share a word as the integer high * 65536 + low, so that words can be added like integers.
        let sums = |row: &[i16]| pairs(row, chunks, |low, high| (i32::from(high) * 65536 + i32::from(low)) as u32);
        let halves = |row: &[i16]| pairs(row, chunks, |low, high| u32::from(low as u16) | u32::from(high as u16) << 16);
        let nothing = vec![0; hidden];
        let features = parameters.feature_weights.chunks(hidden).chain([&nothing[..], &parameters.feature_biases]);
        Ok(Packed {
            rows: features.flat_map(sums).collect(),
            outputs: output_weights.chunks(hidden).flat_map(halves).collect(),
            output_biases: output_biases.iter().map(|&bias| i32::from(bias)).collect(),
            king_buckets: architecture.king_buckets().table().to_vec(),
            output_by_men: (0..=32).map(|men| architecture.output_bucket(men) as u8).collect(),
            chunks,
            inputs: architecture.king_buckets().count() * FEATURES,
        })
    }
}

/// A row as words of two neurons, filled up to whole chunks with neurons that do nothing.
fn pairs(row: &[i16], chunks: usize, join: impl Fn(i16, i16) -> u32) -> Vec<u32> {
    let mut words: Vec<u32> = row.chunks(2).map(|pair| join(pair[0], pair[1])).collect();
    words.resize(chunks * CHUNK / 2, 0);
    words
}

#[cfg(test)]
mod tests {
    use nnue::{Architecture, Layers};

    use super::*;

    #[test]
    fn a_pairwise_network_is_refused_in_one_line() {
        let architecture = Architecture::new(128).and_then(|one| one.with_layers(Layers::Pairwise)).expect("valid");
        let refusal = Packed::new(&Network::random(1, architecture)).map(drop).map_err(|trouble| trouble.to_string());
        assert_eq!(refusal, Err("the card plays straight networks only, and this one is pairwise".to_owned()));
    }
}
