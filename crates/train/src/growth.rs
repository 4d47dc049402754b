//! A network that grows: wider, or with more buckets, and saying what it said before.

use nnue::{Architecture, FEATURES, Layers};

use crate::{Shape, Weights, in_other_buckets};

/// New neurons, which differ for each seed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Growth {
    /// What their rows follow from.
    pub seed: u64,
    /// How large their rows are, times the usual.
    pub rows: f32,
}

impl Growth {
    /// The weights of one architecture in another that is at least as wide and has the same layers; none in other
    /// cases.
    ///
    /// Before anything is rounded they say the same of every position to the bit, where the new buckets only divide the
    /// old ones: nothing listens to a new neuron yet. Rows of new neurons are random, as those are that a training
    /// begins with, and the same in all king buckets.
    pub fn grow(self, weights: &Weights, from: &Architecture, to: &Architecture) -> Option<Weights> {
        let narrow = to.with_king_buckets(*from.king_buckets()).with_output_buckets(from.output_buckets()).ok()?;
        let wide = self.widen(weights, Shape::of(&narrow))?;
        in_other_buckets(&wide, &narrow, to)
    }

    /// The same in a wider hidden layer: new neurons behind the old ones or, where neurons are multiplied in pairs,
    /// behind those of each half.
    fn widen(self, weights: &Weights, wide: Shape) -> Option<Weights> {
        let old = weights.shape();
        if wide.hidden < old.hidden || wide != (Shape { hidden: wide.hidden, ..old }) {
            return None;
        }
        if wide.hidden == old.hidden {
            return Some(weights.clone());
        }
        // The neurons of a row lie in so many parts, each of which grows at its end.
        let parts = match old.layers {
            Layers::Straight => 1,
            Layers::Pairwise => 2,
        };
        let mut values = vec![0.0; wide.weight_count()];
        let fresh = Weights::random(Shape { inputs: FEATURES, ..wide }, self.seed).with_rows_times(self.rows);
        for row in 0..=wide.inputs {
            // Behind the rows of all inputs come the biases.
            let new = if row == wide.inputs { fresh.hidden_biases() } else { fresh.feature(row % FEATURES) };
            values[wide.feature(row)].copy_from_slice(new);
            put(&mut values[wide.feature(row)], &weights.values()[old.feature(row)], parts);
        }
        for bucket in 0..old.output_buckets {
            // A row has weights for what is active of the player to move, and behind them those for what is of the
            // other.
            let (places, columns, untouched) = match old.layers {
                Layers::Straight => ([old, wide].map(|shape| shape.output(bucket)), 2, 5..6),
                Layers::Pairwise => ([old, wide].map(|shape| shape.second_weights(bucket)), 1, 1..Shape::TAIL_PARTS),
            };
            let [old_places, wide_places] = places;
            let old_rows = weights.values()[old_places].chunks_exact(columns * old.hidden);
            for (wide_row, old_row) in values[wide_places].chunks_exact_mut(columns * wide.hidden).zip(old_rows) {
                put(wide_row, old_row, 2);
            }
            for part in untouched {
                values[wide.set(part, bucket)].copy_from_slice(&weights.values()[old.set(part, bucket)]);
            }
        }
        Weights::from_values(wide, values)
    }
}

/// Puts each of the parts of a row at the beginning of a wider part.
fn put(wide: &mut [f32], row: &[f32], parts: usize) {
    let (wide_part, part) = (wide.len() / parts, row.len() / parts);
    for (wide, old) in wide.chunks_exact_mut(wide_part).zip(row.chunks_exact(part)) {
        wide[..part].copy_from_slice(old);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{self, Scratch};
    use crate::{FeatureTable, Sample, Wdl, king_buckets, synthetic};

    fn architecture(layers: Layers, hidden: usize, kings: usize, outputs: usize) -> Architecture {
        let architecture = Architecture::new(hidden).and_then(|one| one.with_layers(layers)).expect("a width");
        let architecture = architecture.with_king_buckets(king_buckets(kings).expect("a number on the list"));
        architecture.with_output_buckets(outputs).expect("up to eight")
    }

    const GROWTH: Growth = Growth { seed: 3, rows: 1.0 };

    #[test]
    fn a_grown_network_says_to_the_bit_what_it_said() {
        for (layers, small, large) in [
            (Layers::Pairwise, (128, 1, 2), (256, 1, 2)),
            (Layers::Pairwise, (256, 1, 1), (512, 4, 8)),
            (Layers::Pairwise, (128, 1, 8), (128, 8, 8)),
            (Layers::Straight, (32, 1, 2), (96, 1, 2)),
            (Layers::Straight, (64, 2, 1), (128, 8, 4)),
        ] {
            let [from, to] =
                [small, large].map(|(hidden, kings, outputs)| architecture(layers, hidden, kings, outputs));
            let weights = Weights::random(Shape::of(&from), 5).with_rows_times(4.0);
            let grown = GROWTH.grow(&weights, &from, &to).expect("it is wider");
            assert_eq!(grown.shape(), Shape::of(&to));
            let [small_table, large_table] = [from, to].map(|architecture| FeatureTable::new(&architecture));
            let [mut small_scratch, mut large_scratch] =
                [from, to].map(|architecture| Scratch::new(Shape::of(&architecture)));
            synthetic::walk(3, 400, |position| {
                let sample = Sample::new(position, 0, Wdl::Draw);
                let said = model::forward(&weights, &small_table.features(sample), &mut small_scratch);
                let says = model::forward(&grown, &large_table.features(sample), &mut large_scratch);
                assert_eq!(says.to_bits(), said.to_bits(), "{from} to {to}: {says} and {said} of {position}");
            });
        }
    }

    #[test]
    fn new_neurons_are_alive_and_differ_for_each_seed() {
        let [from, to] = [128, 256].map(|hidden| architecture(Layers::Pairwise, hidden, 2, 1));
        let weights = Weights::random(Shape::of(&from), 5);
        let grown = GROWTH.grow(&weights, &from, &to).expect("it is wider");
        for half in [0, 128] {
            let new = &grown.feature(700)[half + 64..half + 128];
            assert!(new.iter().all(|&weight| weight != 0.0), "{new:?}");
            assert_eq!(new, &grown.feature(768 + 700)[half + 64..half + 128], "king buckets begin alike");
            assert_eq!(grown.feature(700)[half..half + 64], weights.feature(700)[half / 2..half / 2 + 64]);
            assert_eq!(grown.hidden_biases()[half + 64..half + 128], [0.1; 64]);
        }
        let other = Growth { seed: 4, ..GROWTH }.grow(&weights, &from, &to);
        assert_ne!(other, Some(grown.clone()));
        assert_eq!(GROWTH.grow(&weights, &from, &from), Some(weights));
        assert_eq!(GROWTH.grow(&grown, &to, &from), None, "it does not shrink");
        let straight = architecture(Layers::Straight, 256, 2, 1);
        assert_eq!(GROWTH.grow(&grown, &to, &straight), None);
    }
}
