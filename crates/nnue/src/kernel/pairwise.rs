//! The loops behind the accumulators of a pairwise network.
//!
//! Most products are zero, because both of their neurons have to be active. So the products are looked at in groups of
//! four, and only groups with something in them are weighed: four products at once, for all neurons of the second
//! layer.

use super::{SUMS, Simd, Work};
use crate::Head;
use crate::block::{Block, ByteWeights, GROUPS};

/// Groups of products that are looked at together: as many as a word has bits.
const WORD: usize = 64;

/// The products of so many groups, which fill four cache lines.
#[repr(C, align(64))]
struct Products([[u8; 4]; WORD]);

/// A head in the order of the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PackedHead {
    head: Head,
    /// For each group of own products and then of the other's, the weights of the neurons of the second layer. At the
    /// end of each side zeros may fill up the word.
    second: Vec<[ByteWeights; WORD]>,
    /// For every two neurons of the second layer, the weights of each neuron of the third, one half after the other.
    third: [[Block; 2]; Head::SECOND / 2],
    output: Block,
}

const _: () = assert!(Head::SECOND == SUMS && Head::THIRD == 2 * SUMS && Head::THIRD == Block::LEN);

impl PackedHead {
    pub(crate) fn new(head: &Head) -> PackedHead {
        let pairs = head.second_weights.len() / Head::SECOND;
        let words = (pairs / 2).div_ceil(4 * WORD);
        let second = (0..2 * words).map(|word| -> [ByteWeights; WORD] {
            let (side, word) = (word / words, word % words);
            std::array::from_fn(|group| {
                let first = 4 * WORD * word + place(group);
                let weight = |neuron: usize, index: usize| match first < pairs / 2 {
                    true => head.second_weights[neuron * pairs + side * pairs / 2 + first + index],
                    false => 0,
                };
                ByteWeights(std::array::from_fn(|neuron| std::array::from_fn(|index| weight(neuron, index))))
            })
        });
        let two = |index: usize, half: usize| {
            Block(std::array::from_fn(|place| head.third_weights[SUMS * half + place / 2][2 * index + place % 2]))
        };
        PackedHead {
            second: second.collect(),
            third: std::array::from_fn(|index| [two(index, 0), two(index, 1)]),
            output: Block(head.output_weights),
            head: head.clone(),
        }
    }

    /// The head in the order of its definition.
    pub(crate) fn head(&self) -> &Head {
        &self.head
    }
}

/// Which products are in a group of a word: the first of four.
///
/// Packing registers of 16 bits to bytes takes eight numbers of one block and eight of the next in turn. This order
/// costs nothing, since the weights are in it too.
const fn place(group: usize) -> usize {
    let (line, group) = (group / GROUPS, group % GROUPS);
    2 * Block::LEN * line + group / 2 % 2 * Block::LEN + group / 4 * 8 + group % 2 * 4
}

/// Both hidden layers, and what weighs them.
pub(crate) struct HeadJudgement<'a> {
    pub(crate) own: &'a [Block],
    pub(crate) their: &'a [Block],
    pub(crate) packed: &'a PackedHead,
}

/// What they are worth, in centipawns.
impl Work for HeadJudgement<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        let HeadJudgement { own, their, packed: PackedHead { head, second, third, output } } = self;
        let (own_weights, their_weights) = second.split_at(second.len() / 2);
        let mut products = Products([[0; 4]; WORD]);
        let mut sums = simd.load_sums(&head.second_biases);
        for (neurons, weights) in [(own, own_weights), (their, their_weights)] {
            sums = weigh_products(simd, neurons, weights, &mut products, sums);
        }
        let mut neurons = Block::ZERO;
        simd.store(simd.squares::<0>([sums, simd.no_sums()], Head::SECOND_MOST), &mut neurons);
        let (low, high) = head.third_biases.split_at(SUMS);
        let [low, high] = [low, high].map(|half| half.as_array().expect("two halves make the whole"));
        let mut sums = [simd.load_sums(low), simd.load_sums(high)];
        for (&two, weights) in neurons.0.as_chunks().0.iter().zip(third) {
            let two = simd.splat(two);
            sums = [0, 1].map(|half| simd.dot(two, simd.load(&weights[half]), sums[half]));
        }
        let neurons = simd.squares::<{ Head::THIRD_SHIFT }>(sums, Head::THIRD_MOST);
        head.centipawns(simd.total(simd.dot(neurons, simd.load(output), simd.no_sums())))
    }
}

/// Adds the products of a hidden layer, each times its weights, to the sums. There is room for a word of products.
#[inline(always)]
fn weigh_products<S: Simd>(
    simd: S,
    neurons: &[Block],
    weights: &[[ByteWeights; WORD]],
    room: &mut Products,
    mut sums: S::Sums,
) -> S::Sums {
    /// The lines of a word.
    const LINES: usize = WORD / GROUPS;
    let (first, second) = neurons.split_at(neurons.len() / 2);
    let (first, second) = (first.as_chunks::<2>().0, second.as_chunks::<2>().0);
    for ((first, second), weights) in first.chunks(LINES).zip(second.chunks(LINES)).zip(weights) {
        let mut active = 0_u64;
        let lines = room.0.as_chunks_mut().0;
        for (index, ((first, second), line)) in first.iter().zip(second).zip(lines).enumerate() {
            let [first, second] = [first, second].map(|[one, other]| [simd.load(one), simd.load(other)]);
            let groups = simd.multiply(first, second, line);
            active |= u64::from(groups) << (GROUPS * index);
        }
        while active != 0 {
            let group = active.trailing_zeros() as usize;
            active &= active - 1;
            sums = simd.weigh_group(room.0[group], &weights[group], sums);
        }
    }
    sums
}
