//! Which vector instructions the rules use: the best that the CPU has, asked once.
//!
//! Perft, move generation and exchanges are compiled once for each [`Instructions`], and each call goes to the best of
//! them. So a build for any CPU of its kind is as fast as one for the CPU at hand. All of them give the same answers.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

#[cfg(target_arch = "x86_64")]
use crate::lanes::{avx2, avx512};

/// Instructions that there is code for, from the fewest to the most.
///
/// ```
/// use saavedra_rules::Instructions;
///
/// assert_eq!(Instructions::of_this_cpu().first(), Some(&Instructions::Baseline));
/// assert_eq!(Instructions::of_this_cpu().last(), Some(&Instructions::in_use()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Instructions {
    /// What every CPU of its kind has.
    Baseline = 1,
    /// AVX2, with BMI, LZCNT and POPCNT: x86-64 CPUs since 2013 and 2015.
    Avx2,
    /// AVX-512 with VPOPCNTDQ: x86-64 CPUs since 2019 and 2022.
    Avx512,
}

/// The number of the [`Instructions`] in use; zero before they are asked for.
static IN_USE: AtomicU8 = AtomicU8::new(0);

/// The number of the best that may be used.
static LIMIT: AtomicU8 = AtomicU8::new(Instructions::Avx512 as u8);

impl Instructions {
    /// All that there is code for, the fewest first.
    pub const ALL: [Instructions; 3] = [Instructions::Baseline, Instructions::Avx2, Instructions::Avx512];

    /// Those that this CPU has, the fewest first.
    pub fn of_this_cpu() -> Vec<Instructions> {
        Instructions::ALL.into_iter().filter(|set| set.is_had()).collect()
    }

    fn is_had(self) -> bool {
        match self {
            Instructions::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => avx2::is_available(),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => avx512::is_available() && avx2::is_available(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The best that this CPU has, unless they were [limited](Instructions::limit_to).
    ///
    /// One look at a byte: a search asks this millions of times a second.
    #[inline(always)]
    pub fn in_use() -> Instructions {
        Instructions::numbered(IN_USE.load(Relaxed)).unwrap_or_else(Instructions::ask)
    }

    #[inline(always)]
    fn numbered(number: u8) -> Option<Instructions> {
        match number {
            1 => Some(Instructions::Baseline),
            2 => Some(Instructions::Avx2),
            3 => Some(Instructions::Avx512),
            _ => None,
        }
    }

    #[cold]
    fn ask() -> Instructions {
        let best = Instructions::of_this_cpu().pop().unwrap_or(Instructions::Baseline);
        IN_USE.store(best as u8, Relaxed);
        best
    }

    /// Uses no better ones from now on, in the whole program. Answers stay the same, so this is for tests of that and
    /// for measurements.
    pub fn limit_to(limit: Instructions) {
        LIMIT.store(limit as u8, Relaxed);
        let best = Instructions::of_this_cpu().into_iter().rfind(|&set| set <= limit);
        IN_USE.store(best.unwrap_or(Instructions::Baseline) as u8, Relaxed);
    }

    /// The best that may be used: all, unless they were [limited](Instructions::limit_to). For code that asks the CPU
    /// for other instructions than the rules do: a network needs no VPOPCNTDQ to be evaluated by AVX-512.
    pub fn limit() -> Instructions {
        Instructions::numbered(LIMIT.load(Relaxed)).unwrap_or(Instructions::Avx512)
    }
}

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Instructions::Baseline => "no vector instructions",
            Instructions::Avx2 => "AVX2",
            Instructions::Avx512 => "AVX-512",
        })
    }
}
