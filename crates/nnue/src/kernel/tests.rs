//! Every instruction set says the same as plain loops.

use chance::Chance;

use super::*;
use crate::{ACTIVATION_UNIT, MOST_OUTPUT_WEIGHT};

fn blocks(chance: &mut Chance, count: usize, mut number: impl FnMut(&mut Chance) -> i16) -> Vec<Block> {
    (0..count).map(|_| Block(std::array::from_fn(|_| number(chance)))).collect()
}

/// Any number, extremes more often than not.
fn wild(chance: &mut Chance) -> i16 {
    match chance.below(4) {
        0 => i16::MIN,
        1 => i16::MAX,
        _ => chance.next_u64() as i16,
    }
}

/// Numbers around the bounds of activation.
fn about_active(chance: &mut Chance) -> i16 {
    match chance.below(8) {
        0 => ACTIVATION_UNIT + chance.below(3) as i16 - 1,
        1 => chance.below(3) as i16 - 1,
        2 => wild(chance),
        _ => chance.below(400) as i16 - 70,
    }
}

fn weight(chance: &mut Chance) -> i16 {
    match chance.below(4) {
        0 => MOST_OUTPUT_WEIGHT,
        1 => -MOST_OUTPUT_WEIGHT,
        _ => (chance.next_u64() % 257) as i16 - MOST_OUTPUT_WEIGHT,
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
    unsafe fn run<V: Registers>(self) -> [Vec<Block>; 4] {
        let Updates { source, rows } = self;
        let width = source.len();
        let row = |index: usize| &rows[index * width..][..width];
        let mut targets = [(); 4].map(|()| vec![Block::ZERO; width]);
        targets[3].copy_from_slice(source);
        // SAFETY: our caller promises that the CPU has the instructions.
        unsafe {
            update::<V, 1, 1>(source, &mut targets[0], [row(0)], [row(1)]);
            update::<V, 1, 2>(source, &mut targets[1], [row(2)], [row(3), row(4)]);
            update::<V, 2, 2>(source, &mut targets[2], [row(5), row(6)], [row(7), row(8)]);
            accumulate::<V>(&mut targets[3], rows, &[9, 12, 39, 1], &[0, 3, 20]);
        }
        targets
    }
}

/// Both hidden layers and their weights.
#[derive(Clone, Copy)]
struct Weighing<'a>(&'a [Block], &'a [Block], &'a [Block]);

impl Work for Weighing<'_> {
    type Output = i64;

    #[inline(always)]
    unsafe fn run<V: Registers>(self) -> i64 {
        // SAFETY: our caller promises that the CPU has the instructions.
        unsafe { weigh::<V>(self.0, self.1, self.2) }
    }
}

#[test]
fn all_kernels_update_rows_alike() {
    let mut chance = Chance::new(1);
    for width in [1, 2, 3, 4, 8, 11, 64] {
        let rows = blocks(&mut chance, 40 * width, wild);
        let source = blocks(&mut chance, width, wild);
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
    let mut chance = Chance::new(2);
    for width in [1, 2, 3, 4, 8, 11, 64] {
        for _ in 0..50 {
            let [own, their] = [(); 2].map(|()| blocks(&mut chance, width, about_active));
            let weights = blocks(&mut chance, 2 * width, weight);
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
