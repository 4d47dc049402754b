//! How many bits the numbers have that a trainer gathers from all over its memory.

use std::fmt;

/// How rows of weights and rows of gradients are stored while they are gathered. Weights, moments and all sums have 32
/// bits in both cases. The trainer on the CPU computes in 32 bits only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Precision {
    /// In 32 bits.
    #[default]
    Single,
    /// In 16 bits, which halves what is moved. A network is rounded to fewer bits when it is exported.
    Half,
}

impl Precision {
    /// Both.
    pub const ALL: [Precision; 2] = [Precision::Single, Precision::Half];
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Precision::Single => "single precision",
            Precision::Half => "half precision",
        })
    }
}
