//! Numbers and times as command lines have them and reports show them.

use std::fmt::Display;
use std::ops::RangeBounds;

pub(crate) use interface::{counted, grouped, hms};
use interface::{parse_count, parse_mebibytes, parse_within};

/// Reads an argument that is a whole number within bounds.
pub(crate) fn within<N: TryFrom<u64> + PartialOrd + Display>(
    bounds: impl RangeBounds<N> + Clone,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| parse_count(text, bounds.clone())
}

/// Reads an argument that is any whole number that fits.
pub(crate) fn whole<N: TryFrom<u64> + PartialOrd + Display>(text: &str) -> Result<N, String> {
    parse_count(text, ..)
}

/// Reads an argument that is a number within bounds, whole or not.
pub(crate) fn number(bounds: impl RangeBounds<f64> + Clone) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| parse_within(text, bounds.clone())
}

/// Reads an argument that is a size in mebibytes, with or without its unit.
pub(crate) fn mebibytes<N: TryFrom<u64> + PartialOrd + Display>(
    bounds: impl RangeBounds<N> + Clone,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| parse_mebibytes(text, bounds.clone())
}
