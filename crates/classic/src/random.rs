//! Numbers that look random, known at compile time: what position keys are made of.

/// The number with this index. The bits are stirred by the last step of MurmurHash3 (Appleby); another generator than
/// the one in the rules crate, so that not even the keys of two boards share an accident.
pub(crate) const fn number(index: u64) -> u64 {
    let mut bits = index.wrapping_add(1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits = (bits ^ bits >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits = (bits ^ bits >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    bits ^ bits >> 33
}
