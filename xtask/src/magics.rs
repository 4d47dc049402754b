//! `cargo xtask magics`: the factors of the magic look-up, found by trial.
//!
//! A factor is good if it sends every set of blockers to a slot of the table that holds the right attacks. Sparse
//! random numbers are tried until one is good; the seed is fixed, so that the result is always the same.

use std::fmt::Write;

use testkit::Random;

/// Straight and diagonal steps: the rook's come first.
const STEPS: [[(i32, i32); 4]; 2] = [[(1, 0), (0, 1), (-1, 0), (0, -1)], [(1, 1), (-1, 1), (1, -1), (-1, -1)]];

const SEED: u64 = 0x5AAF_ED8A_1895;

/// The factors as the source of `attacks/magics.rs`.
pub(crate) fn report() -> String {
    let mut random = Random::new(SEED);
    let mut text =
        String::from("//! The factors of the magic look-up, one per square: the output of `cargo xtask magics`.\n");
    for (name, steps) in [("ROOK", &STEPS[0]), ("BISHOP", &STEPS[1])] {
        let _ = write!(text, "\n#[rustfmt::skip]\npub(crate) const {name}_MAGICS: [u64; 64] = [\n");
        for square in 0..64 {
            let factor = find(square, steps, &mut random);
            let start = if square % 4 == 0 { "    " } else { " " };
            let end = if square % 4 == 3 { ",\n" } else { "," };
            let [a, b, c, d] = [48, 32, 16, 0].map(|shift| factor >> shift & 0xffff);
            let _ = write!(text, "{start}0x{a:04x}_{b:04x}_{c:04x}_{d:04x}{end}");
        }
        text.push_str("];\n");
    }
    text
}

fn find(square: i32, steps: &[(i32, i32); 4], random: &mut Random) -> u64 {
    let mask = slide(square, steps, 0, true);
    let mut blockers = Vec::new();
    let mut subset = 0_u64;
    loop {
        blockers.push((subset, slide(square, steps, subset, false)));
        subset = subset.wrapping_sub(mask) & mask;
        if subset == 0 {
            break;
        }
    }
    loop {
        let factor = random.next_u64() & random.next_u64() & random.next_u64();
        // No slider is without attacks, so zero marks a free slot.
        let mut table = vec![0; 1 << mask.count_ones()];
        let is_good = blockers.iter().all(|&(subset, attacks)| {
            let slot = &mut table[(subset.wrapping_mul(factor) >> (64 - mask.count_ones())) as usize];
            let fits = *slot == 0 || *slot == attacks;
            *slot = attacks;
            fits
        });
        if is_good {
            return factor;
        }
    }
}

/// The squares a slider reaches; without the last one of each ray if only those are wanted where blockers matter.
fn slide(square: i32, steps: &[(i32, i32); 4], blockers: u64, without_edge: bool) -> u64 {
    let mut reached = 0;
    for (east, north) in steps {
        let is_inside = |file: i32, rank: i32| (0..8).contains(&file) && (0..8).contains(&rank);
        let (mut file, mut rank) = (square % 8 + east, square / 8 + north);
        while is_inside(file, rank) && (!without_edge || is_inside(file + east, rank + north)) {
            let here = 1 << (8 * rank + file);
            reached |= here;
            if blockers & here != 0 {
                break;
            }
            file += east;
            rank += north;
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_factors_in_the_source_are_the_ones_that_are_found() {
        assert_eq!(super::report(), include_str!("../../crates/rules/src/attacks/magics.rs"));
    }
}
