//! In which order the pairs of a network lie.
//!
//! The engine multiplies products with weights in groups of four, and skips groups of zeros. Which pairs share a group
//! changes nothing that is said, but how many groups are skipped: pairs that are seldom active belong together, and so
//! do those that are active in the same positions.

use nnue::{Head, Network, Parameters, Tail};
use rules::{Color, Position};

/// How many products lie in a group.
const GROUP: usize = 4;

/// How often each pair looks for a better group.
const SWEEPS: usize = 4;

/// For each pair, in which views of positions it is active: a bit for each.
pub(super) struct Activity {
    pairs: Vec<Vec<u64>>,
    views: usize,
}

impl Activity {
    /// Looks at both players' views of all positions.
    pub(super) fn of(network: &Network, positions: &[Position]) -> Activity {
        let (hidden, parameters) = (network.architecture().hidden(), network.parameters());
        let views = 2 * positions.len();
        let mut pairs = vec![vec![0; views.div_ceil(64)]; hidden / 2];
        let each = positions.iter().flat_map(|position| Color::ALL.map(|player| (position, player)));
        for (number, (position, player)) in each.enumerate() {
            let sums = sums(network, &parameters, position, player);
            for (pair, bits) in pairs.iter_mut().enumerate() {
                let [one, other] = [pair, pair + hidden / 2].map(|neuron| i32::from(sums[neuron].clamp(0, 255)));
                bits[number / 64] |= u64::from((one * other + 256) >> 9 > 0) << (number % 64);
            }
        }
        Activity { pairs, views }
    }

    /// The share of groups in which not all products are zero, if pairs lie in some order.
    pub(super) fn active_groups(&self, order: &[usize]) -> f64 {
        let groups = order.chunks_exact(GROUP);
        let (count, active) = (groups.len(), groups.map(|group| self.union(group.iter().copied())).sum::<u32>());
        f64::from(active) / (count * self.views).max(1) as f64
    }

    /// In how many views any of some pairs is active.
    fn union(&self, pairs: impl Iterator<Item = usize> + Clone) -> u32 {
        (0..self.views.div_ceil(64))
            .map(|word| pairs.clone().fold(0, |bits, pair| bits | self.pairs[pair][word]).count_ones())
            .sum()
    }

    /// The pairs in an order in which groups are zero more often than before: groups are filled one after the other
    /// with what adds least to them, and then pairs change places as long as that helps.
    pub(super) fn best_order(&self) -> Vec<usize> {
        let single: Vec<u32> = (0..self.pairs.len()).map(|pair| self.union([pair].into_iter())).collect();
        let mut free: Vec<usize> = (0..self.pairs.len()).collect();
        free.sort_by_key(|&pair| std::cmp::Reverse(single[pair]));
        let mut groups: Vec<[usize; GROUP]> = Vec::new();
        while free.len() >= GROUP {
            let mut group = vec![free.remove(0)];
            while group.len() < GROUP {
                // What a pair adds here, beside what it would cost alone.
                let added =
                    |pair: usize| i64::from(self.union(group.iter().copied().chain([pair]))) - i64::from(single[pair]);
                let best = (0..free.len()).min_by_key(|&place| added(free[place])).unwrap_or(0);
                group.push(free.remove(best));
            }
            groups.push(std::array::from_fn(|place| group[place]));
        }
        for _ in 0..SWEEPS {
            if !self.exchange(&mut groups) {
                break;
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(self.union(group.iter().copied())));
        groups.into_iter().flatten().collect()
    }

    /// Lets each pair change places with the one of another group where that saves most. False if it saves nothing
    /// anywhere.
    fn exchange(&self, groups: &mut [[usize; GROUP]]) -> bool {
        let mut has_changed = false;
        for here in 0..groups.len() {
            for place in 0..GROUP {
                let own = groups[here];
                let saved = |there: usize, other: usize| {
                    let (mut one, mut two) = (own, groups[there]);
                    std::mem::swap(&mut one[place], &mut two[other]);
                    let count = |group: [usize; GROUP]| i64::from(self.union(group.into_iter()));
                    count(own) + count(groups[there]) - count(one) - count(two)
                };
                let others = (0..groups.len()).filter(|&there| there != here);
                let each = others.flat_map(|there| (0..GROUP).map(move |other| (there, other)));
                let best = each.map(|(there, other)| (saved(there, other), there, other)).max();
                if let Some((_, there, other)) = best.filter(|(saved, ..)| *saved > 0) {
                    let pair = groups[here][place];
                    groups[here][place] = groups[there][other];
                    groups[there][other] = pair;
                    has_changed = true;
                }
            }
        }
        has_changed
    }
}

/// What one player's neurons add up to.
fn sums(network: &Network, parameters: &Parameters, position: &Position, player: Color) -> Vec<i16> {
    let (hidden, buckets) = (network.architecture().hidden(), network.architecture().king_buckets());
    let mut sums = parameters.feature_biases.clone();
    for square in position.occupied() {
        let Some(piece) = position.piece_at(square) else { continue };
        let feature = buckets.feature_index(player, position.king(player), piece, square);
        let row = &parameters.feature_weights[feature * hidden..][..hidden];
        sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
    }
    sums
}

/// The numbers of a pairwise network with its pairs in another order, saying the same; none of a straight one.
pub(super) fn reordered(parameters: &Parameters, hidden: usize, order: &[usize]) -> Option<Parameters> {
    let Tail::Pairwise(heads) = &parameters.tail else { return None };
    // A neuron of each half makes a pair; and in the second layer, each player has a weight for every pair.
    let places: Vec<usize> = order.iter().copied().chain(order.iter().map(|pair| pair + hidden / 2)).collect();
    let heads =
        heads.iter().map(|head| Head { second_weights: reorder(&head.second_weights, &places), ..head.clone() });
    Some(Parameters {
        feature_weights: reorder(&parameters.feature_weights, &places),
        feature_biases: reorder(&parameters.feature_biases, &places),
        tail: Tail::Pairwise(heads.collect()),
    })
}

/// Rows of numbers, each with its numbers in another order.
fn reorder<N: Copy>(rows: &[N], places: &[usize]) -> Vec<N> {
    rows.chunks_exact(places.len()).flat_map(|row| places.iter().map(|&place| row[place])).collect()
}
