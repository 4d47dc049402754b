//! The checksum in the last 16 bytes of a table.
//!
//! The content is cut into chunks, each chunk has a hash of 256 bits, and the checksum is the hash of these in 128
//! bits. Both hashes are members of the CityHash family of 2011 that use the CRC-32C of the SSE4.2 instructions. That
//! this is the checksum was found by trying it on real tables, all of one chunk; see [`CHUNK`] about larger ones.

/// How many bytes of a file are its checksum.
pub(crate) const CHECKSUM_BYTES: usize = 16;

/// How many bytes are hashed at once. No table that was at hand when this was written is longer.
const CHUNK: usize = 1 << 24;

/// The checksum that belongs to the content of a table, which is all of it but its last 16 bytes.
///
/// It shows damage; it does not protect from forgery.
pub fn checksum(content: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let hashes: Vec<u8> = content.chunks(CHUNK).flat_map(hash_256).flat_map(u64::to_le_bytes).collect();
    // The family has another function for long inputs than for short ones.
    let [low, high] = if hashes.len() <= 900 {
        hash_128(&hashes)
    } else {
        let [_, _, low, high] = hash_256(&hashes);
        [low, high]
    };
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}

/// Whether a file ends with the checksum of what comes before.
pub(crate) fn is_right(bytes: &[u8]) -> bool {
    bytes.split_last_chunk().is_some_and(|(content, &stored)| checksum(content) == stored)
}

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;

/// The word at a place. Callers know that it is there.
#[inline]
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |&word| u64::from_le_bytes(word))
}

fn shift_mix(value: u64) -> u64 {
    value ^ value >> 47
}

fn mix(low: u64, high: u64) -> u64 {
    const MULTIPLIER: u64 = 0x9ddf_ea08_eb38_2d69;
    let first = shift_mix((low ^ high).wrapping_mul(MULTIPLIER));
    shift_mix((high ^ first).wrapping_mul(MULTIPLIER)).wrapping_mul(MULTIPLIER)
}

/// The state of the long hash: six words that are rotated and added to, and five checks.
struct State {
    words: [u64; 6],
    checks: [u32; 5],
}

impl State {
    /// Takes in 40 bytes.
    #[inline]
    fn add(&mut self, bytes: &[u8], multiplier: u64, twist: u32) {
        let [a, b, c, d, e, t] = self.words;
        let turned = |word: u64, by: u32| word.rotate_right(by ^ twist).wrapping_mul(multiplier);
        let taken = [turned(b, 41), turned(c, 27), turned(d, 41), turned(e, 33), turned(t, 25)];
        let added: [u64; 5] = std::array::from_fn(|at| taken[at].wrapping_add(word(bytes, 8 * at)));
        for (check, &word) in self.checks.iter_mut().zip(&added) {
            *check = crc32c(*check, word);
        }
        self.words = [added[0], added[1], added[2], added[3], added[4], a];
    }
}

/// 256 bits for any number of bytes.
fn hash_256(bytes: &[u8]) -> [u64; 4] {
    const LEAST: usize = 240;
    if bytes.len() < LEAST {
        let mut padded = [0; LEAST];
        padded[..bytes.len()].copy_from_slice(bytes);
        return hash_256_seeded(&padded, !(bytes.len() as u32));
    }
    hash_256_seeded(bytes, 0)
}

fn hash_256_seeded(bytes: &[u8], seed: u32) -> [u64; 4] {
    let length = bytes.len() as u64;
    let b = word(bytes, 96).wrapping_add(K0);
    let c = mix(b, length);
    let d = word(bytes, 120).wrapping_mul(K0).wrapping_add(length);
    let e = word(bytes, 184).wrapping_add(u64::from(seed));
    let start = [word(bytes, 56).wrapping_add(K0), b, c, d, e, c.wrapping_add(d)];
    let mut state = State { words: start, checks: [seed, 0, 0, 0, 0] };
    let (rounds, rest) = bytes.as_chunks::<240>();
    for round in rounds {
        for pair in round.as_chunks::<80>().0 {
            state.add(&pair[..40], 1, 1);
            state.add(&pair[40..], K0, 0);
        }
    }
    let (steps, rest) = rest.as_chunks::<40>();
    for step in steps {
        state.add(step, K0, 0);
    }
    if !rest.is_empty() {
        // The last step overlaps the one before.
        state.add(&bytes[bytes.len() - 40..], K0, 0);
    }
    finish_256(state, [c, d])
}

fn finish_256(state: State, [start_c, start_d]: [u64; 2]) -> [u64; 4] {
    let [a, b, c, d, e, t] = state.words;
    let [f, g, h, i, j] = state.checks.map(u64::from);
    let j = j.wrapping_add(i << 32);
    let a = mix(a, j);
    let h = h.wrapping_add(g << 32);
    let b = b.wrapping_add(h);
    let c = mix(c, f).wrapping_add(i);
    let d = mix(d, e.wrapping_add(start_c));
    let j = j.wrapping_add(e);
    let i = i.wrapping_add(mix(h, t));
    let e = mix(a, d).wrapping_add(j);
    let f = mix(b, c).wrapping_add(a);
    let g = mix(j, i).wrapping_add(c);
    let first = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    let stir = |value: u64| shift_mix(value.wrapping_mul(K0)).wrapping_mul(K0);
    let a = stir(a.wrapping_add(g)).wrapping_add(b);
    let second = start_d.wrapping_add(a).wrapping_add(first);
    let a = stir(a).wrapping_add(c);
    let third = a.wrapping_add(second);
    let a = stir(a.wrapping_add(e));
    [first, second, third, a.wrapping_add(third)]
}

/// 128 bits for the hashes of some chunks: a positive multiple of 32 bytes, at most 900.
fn hash_128(bytes: &[u8]) -> [u64; 2] {
    let seed = [word(bytes, 0) ^ K3, word(bytes, 8)];
    let rest = bytes.get(16..).unwrap_or_default();
    if rest.len() < 128 { hash_short(rest, seed) } else { hash_long(rest, seed) }
}

/// Of 16 bytes, or of more but fewer than 128.
fn hash_short(bytes: &[u8], [mut a, mut b]: [u64; 2]) -> [u64; 2] {
    let length = bytes.len();
    let stir = |value: u64| shift_mix(value.wrapping_mul(K1)).wrapping_mul(K1);
    let (mut c, mut d);
    if length <= 16 {
        let [low, high] = [word(bytes, 0), word(bytes, 8)];
        a = stir(a);
        c = b.wrapping_mul(K1).wrapping_add(mix(low, high.wrapping_add(16).rotate_right(16)) ^ high);
        d = shift_mix(a.wrapping_add(low));
    } else {
        c = mix(word(bytes, length - 8).wrapping_add(K1), a);
        d = mix(b.wrapping_add(length as u64), c.wrapping_add(word(bytes, length - 16)));
        a = a.wrapping_add(d);
        // The last 16 bytes have been taken in already.
        for at in (0..length - 16).step_by(16) {
            a = (a ^ stir(word(bytes, at))).wrapping_mul(K1);
            b ^= a;
            c = (c ^ stir(word(bytes, at + 8))).wrapping_mul(K1);
            d ^= c;
        }
    }
    let [a, b] = [mix(a, c), mix(d, b)];
    [a ^ b, mix(b, a)]
}

/// Two words made of four at a place and of two others.
fn weak_hash(bytes: &[u8], at: usize, [a, b]: [u64; 2]) -> [u64; 2] {
    let [w, x, y, z] = [0, 8, 16, 24].map(|offset| word(bytes, at + offset));
    let a = a.wrapping_add(w);
    let b = b.wrapping_add(a).wrapping_add(z).rotate_right(21);
    let sum = a.wrapping_add(x).wrapping_add(y);
    let b = b.wrapping_add(sum.rotate_right(44));
    [sum.wrapping_add(z), b.wrapping_add(a)]
}

/// Of 128 bytes or more.
fn hash_long(bytes: &[u8], [mut x, mut y]: [u64; 2]) -> [u64; 2] {
    let turned = |value: u64, by: u32, multiplier: u64| value.rotate_right(by).wrapping_mul(multiplier);
    let mut z = (bytes.len() as u64).wrapping_mul(K1);
    let first = turned(y ^ K1, 49, K1).wrapping_add(word(bytes, 0));
    let mut v = [first, turned(first, 42, K1).wrapping_add(word(bytes, 8))];
    let mut w = [turned(y.wrapping_add(z), 35, K1).wrapping_add(x), turned(x.wrapping_add(word(bytes, 88)), 53, K1)];
    let done = bytes.len() / 128 * 128;
    for at in (0..done).step_by(64) {
        x = turned(x.wrapping_add(y).wrapping_add(v[0]).wrapping_add(word(bytes, at + 8)), 37, K1) ^ w[1];
        y = turned(y.wrapping_add(v[1]).wrapping_add(word(bytes, at + 48)), 42, K1);
        y = y.wrapping_add(v[0]).wrapping_add(word(bytes, at + 40));
        z = turned(z.wrapping_add(w[0]), 33, K1);
        v = weak_hash(bytes, at, [v[1].wrapping_mul(K1), x.wrapping_add(w[0])]);
        w = weak_hash(bytes, at + 32, [z.wrapping_add(w[1]), y.wrapping_add(word(bytes, at + 16))]);
        (x, z) = (z, x);
    }
    x = x.wrapping_add(turned(v[0].wrapping_add(z), 49, K0));
    z = z.wrapping_add(turned(w[0], 37, K0));
    // What is left is taken from the end, 32 bytes at a time, the last of them overlapping what came before.
    let left = bytes.len() - done;
    for taken in (32..left + 32).step_by(32) {
        let at = bytes.len() - taken;
        y = turned(x.wrapping_add(y), 42, K0).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(word(bytes, at + 16));
        x = x.wrapping_mul(K0).wrapping_add(w[0]);
        z = z.wrapping_add(w[1]).wrapping_add(word(bytes, at));
        w[1] = w[1].wrapping_add(v[0]);
        v = weak_hash(bytes, at, [v[0].wrapping_add(z), v[1]]);
    }
    x = mix(x, v[0]);
    y = mix(y.wrapping_add(z), w[0]);
    [mix(x.wrapping_add(v[1]), w[1]).wrapping_add(y), mix(x.wrapping_add(w[1]), y.wrapping_add(v[1]))]
}

/// One table for each byte of a word, so that a word takes eight independent look-ups.
static CRC: [[u32; 256]; 8] = {
    let mut tables = [[0_u32; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            value = value >> 1 ^ if value & 1 != 0 { 0x82f6_3b78 } else { 0 };
            bit += 1;
        }
        tables[0][byte] = value;
        byte += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[table - 1][byte];
            tables[table][byte] = before >> 8 ^ tables[0][(before & 255) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
};

/// The CRC-32C of a word, as the instruction computes it.
#[inline]
fn crc32c(check: u32, word: u64) -> u32 {
    let bytes = (word ^ u64::from(check)).to_le_bytes();
    bytes.iter().zip(CRC.iter().rev()).fold(0, |sum, (&byte, table)| sum ^ table[usize::from(byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_every_length_are_those_of_the_reference() {
        // Computed by the reference implementation in C.
        for (length, expected) in [
            (32, [0x67cf_ab84_04ee_c7e9, 0x80cd_3c27_f5bd_61ee]),
            (64, [0xd412_d58e_c143_2aef, 0x5754_630c_bbd8_3214]),
            (128, [0x11d0_0b10_d669_4d31, 0x108f_b9e5_b83f_dff4]),
            (160, [0x0802_69f0_bb80_c8a7, 0x4add_1bc2_8f69_2c5d]),
            (224, [0x1c9a_5085_b092_fcca, 0xc803_2e48_1ac8_577f]),
            (896, [0xd394_fb44_1201_9a9c, 0x15fc_4423_d8ae_116d]),
        ] {
            let bytes: Vec<u8> = (0..length).map(|at: u32| (at * 7 + 3) as u8).collect();
            assert_eq!(hash_128(&bytes), expected, "{length}");
        }
    }

    #[test]
    fn checksums_of_one_and_of_several_chunks_are_those_of_the_reference() {
        for (length, low, high) in [
            (1_000, 0x01ec_ad2f_ee6f_05ad_u64, 0xbec0_2ada_abfb_a764_u64),
            (2 * CHUNK, 0x52cd_d85c_815c_92de, 0x1086_4b90_5476_a952),
        ] {
            let content: Vec<u8> = (0..length).map(|at| ((at.wrapping_mul(at) >> 7) ^ (at * 31)) as u8).collect();
            assert_eq!(checksum(&content), (u128::from(low) | u128::from(high) << 64).to_le_bytes(), "{length}");
        }
    }
}
