//! Every instruction set says the same as plain loops.

use random::Random;

use super::*;
use crate::{ACTIVATION_UNIT, Head, MOST_OUTPUT_WEIGHT};

fn blocks(random: &mut Random, count: usize, mut number: impl FnMut(&mut Random) -> i16) -> Vec<Block> {
    (0..count).map(|_| Block(std::array::from_fn(|_| number(random)))).collect()
}

/// Any number, extremes more often than not.
fn wild(random: &mut Random) -> i16 {
    match random.below(4) {
        0 => i16::MIN,
        1 => i16::MAX,
        _ => random.next_u64() as i16,
    }
}

/// Numbers around the bounds of activation.
fn about_active(random: &mut Random) -> i16 {
    match random.below(8) {
        0 => ACTIVATION_UNIT + random.below(3) as i16 - 1,
        1 => random.below(3) as i16 - 1,
        2 => wild(random),
        _ => random.below(400) as i16 - 70,
    }
}

fn weight(random: &mut Random) -> i16 {
    match random.below(4) {
        0 => MOST_OUTPUT_WEIGHT,
        1 => -MOST_OUTPUT_WEIGHT,
        _ => random.below(2 * MOST_OUTPUT_WEIGHT as usize + 1) as i16 - MOST_OUTPUT_WEIGHT,
    }
}

/// A source, rows, and what comes of them by each kind of change.
struct Updates<'a> {
    source: &'a [Block],
    rows: &'a [Block],
}

impl Work for Updates<'_> {
    type Output = [Vec<Block>; 4];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [Vec<Block>; 4] {
        let Updates { source, rows } = self;
        let width = source.len();
        let row = |index: usize| &rows[index * width..][..width];
        let mut targets = [(); 4].map(|()| vec![Block::ZERO; width]);
        targets[3].copy_from_slice(source);
        update(simd, source, &mut targets[0], [row(0)], [row(1)]);
        update(simd, source, &mut targets[1], [row(2)], [row(3), row(4)]);
        update(simd, source, &mut targets[2], [row(5), row(6)], [row(7), row(8)]);
        accumulate(simd, &mut targets[3], rows, &[9, 12, 39, 1], &[0, 3, 20]);
        targets
    }
}

/// Both hidden layers and their weights.
#[derive(Clone, Copy)]
struct Weighing<'a>(&'a [Block], &'a [Block], &'a [Block]);

impl Work for Weighing<'_> {
    type Output = i64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i64 {
        weigh(simd, self.0, self.1, self.2)
    }
}

#[test]
fn all_kernels_update_rows_alike() {
    let mut random = Random::new(1);
    for width in [1, 2, 3, 4, 8, 11, 64] {
        let rows = blocks(&mut random, 40 * width, wild);
        let source = blocks(&mut random, width, wild);
        let row = |index: usize| &rows[index * width..][..width];
        let run = |kernel: Kernel| kernel.run(Updates { source: &source, rows: &rows });
        let results: Vec<_> = Kernel::available().into_iter().map(run).collect();
        assert!(results.iter().all(|result| *result == results[0]), "{width} blocks");
        let number = |blocks: &[Block]| blocks[width - 1].0[31];
        let by_hand = number(&source).wrapping_add(number(row(2))).wrapping_sub(number(row(3)));
        assert_eq!(number(&results[0][1]), by_hand.wrapping_sub(number(row(4))));
    }
}

#[test]
fn all_kernels_weigh_alike_and_exactly() {
    let mut random = Random::new(2);
    for width in [1, 2, 3, 4, 8, 11, 64] {
        for _ in 0..50 {
            let [own, their] = [(); 2].map(|()| blocks(&mut random, width, about_active));
            let weights = blocks(&mut random, 2 * width, weight);
            let exact: i64 = Block::unpack(&own)
                .chain(Block::unpack(&their))
                .zip(Block::unpack(&weights))
                .map(|(neuron, weight)| i64::from(neuron.clamp(0, ACTIVATION_UNIT)).pow(2) * i64::from(weight))
                .sum();
            for kernel in Kernel::available() {
                assert_eq!(kernel.run(Weighing(&own, &their, &weights)), exact, "{kernel}, {width} blocks");
            }
        }
    }
}

#[test]
fn the_widest_network_at_its_extremes_does_not_overflow() {
    let width = crate::Architecture::HIDDEN.end() / Block::LEN;
    let full = vec![Block([i16::MAX; Block::LEN]); width];
    for most in [MOST_OUTPUT_WEIGHT, -MOST_OUTPUT_WEIGHT] {
        let weights = vec![Block([most; Block::LEN]); 2 * width];
        let exact = 2 * (width * Block::LEN) as i64 * i64::from(ACTIVATION_UNIT).pow(2) * i64::from(most);
        for kernel in Kernel::available() {
            assert_eq!(kernel.run(Weighing(&full, &full, &weights)), exact, "{kernel}");
        }
    }
}

/// A byte, extremes more often than not.
fn byte(random: &mut Random) -> i8 {
    match random.below(4) {
        0 => i8::MIN,
        1 => i8::MAX,
        _ => random.next_u64() as i8,
    }
}

/// A number up to a limit either way, extremes more often than not.
fn limited(random: &mut Random, most: i32) -> i32 {
    match random.below(4) {
        0 => most,
        1 => -most,
        _ => (random.next_u64() % (2 * most as u64 + 1)) as i32 - most,
    }
}

/// A head with numbers of all sizes, but biases small enough for the weights to matter, most of the time.
fn head(random: &mut Random, hidden: usize) -> Head {
    let bias = |random: &mut Random| {
        let most = random.choose(&[1 << 14, 1 << 23, Head::MOST_BIAS]).expect("there are three");
        limited(random, most)
    };
    Head {
        second_weights: (0..Head::SECOND * hidden).map(|_| byte(random)).collect(),
        second_biases: std::array::from_fn(|_| bias(random)),
        third_weights: std::array::from_fn(|_| {
            std::array::from_fn(|_| limited(random, i32::from(Head::MOST_THIRD_WEIGHT)) as i16)
        }),
        third_biases: std::array::from_fn(|_| bias(random)),
        output_weights: std::array::from_fn(|_| limited(random, i32::from(Head::MOST_OUTPUT_WEIGHT)) as i16),
        output_bias: bias(random),
    }
}

/// Compares all kernels with the definition.
fn assert_heads_agree(own: &[Block], their: &[Block], head: &Head) -> i32 {
    let neurons = [own, their].map(|row| Block::unpack(row).collect::<Vec<i16>>());
    let pairs: Vec<u8> = neurons.iter().flat_map(|neurons| Head::pairs(neurons)).collect();
    let (exact, packed) = (head.evaluate(&pairs), PackedHead::new(head));
    for kernel in Kernel::available() {
        let found = kernel.run(HeadJudgement { own, their, packed: &packed });
        assert_eq!(found, exact, "{kernel}, {} blocks", own.len());
    }
    exact
}

#[test]
fn all_kernels_judge_pairs_alike_and_exactly() {
    let mut random = Random::new(3);
    let mut values = std::collections::BTreeSet::new();
    for width in [4, 8, 12, 16, 20, 64] {
        for round in 0..40 {
            let mut neurons = || {
                // A neuron in so many is active, from all of them to very few.
                let share = 1 + round % 5 * 3;
                blocks(&mut random, width, |random| if random.below(share) == 0 { about_active(random) } else { -1 })
            };
            let [own, their] = [neurons(), neurons()];
            values.insert(assert_heads_agree(&own, &their, &head(&mut random, width * Block::LEN)));
        }
    }
    assert!(values.len() > 100, "only {} values", values.len());
}

#[test]
fn pairwise_networks_at_their_extremes_do_not_overflow() {
    let width = crate::Architecture::HIDDEN.end() / Block::LEN;
    let (full, none) = (vec![Block([i16::MAX; Block::LEN]); width], vec![Block([i16::MIN; Block::LEN]); width]);
    let (most_third, most_output) = (Head::MOST_THIRD_WEIGHT, Head::MOST_OUTPUT_WEIGHT);
    let most_bias = Head::MOST_BIAS;
    let mut values = std::collections::BTreeSet::new();
    for (byte, second_bias) in
        [(i8::MAX, most_bias), (i8::MIN, -most_bias), (i8::MAX, -most_bias), (i8::MIN, most_bias)]
    {
        for (third, third_bias) in [(most_third, most_bias), (-most_third, -most_bias), (most_third, 0)] {
            for (output, output_bias) in [(most_output, most_bias), (-most_output, -most_bias)] {
                let head = Head {
                    second_weights: vec![byte; Head::SECOND * width * Block::LEN],
                    second_biases: [second_bias; Head::SECOND],
                    third_weights: [[third; Head::SECOND]; Head::THIRD],
                    third_biases: [third_bias; Head::THIRD],
                    output_weights: [output; Head::THIRD],
                    output_bias,
                };
                for (own, their) in [(&full, &full), (&full, &none), (&none, &none)] {
                    values.insert(assert_heads_agree(own, their, &head));
                }
            }
        }
    }
    // All sums of the layers and the bias: 32 · 15,876 · 2047 + 2³⁰, in units of 255⁸ / 2⁴¹, times 400.
    assert_eq!(values.last(), Some(&103_994));
}

#[test]
fn products_of_neurons_are_rounded_and_end_at_127() {
    assert_eq!(
        [(255, 255), (300, 1_000), (15, 17), (16, 16), (-1, 255)].map(|(a, b)| Head::pair(a, b)),
        [127, 127, 0, 1, 0]
    );
    let exact = |a: i16, b: i16| (f64::from(a) * f64::from(b) / 512.0 + 0.5).floor().min(127.0);
    assert!((0..=255).all(|a| (0..=255).all(|b| f64::from(Head::pair(a, b)) == exact(a, b))));
}
