//! What results say: Elo with its error, the sequential test, ratings of many players.
//!
//! Everything here is a pure function of counted results: nothing is played, read or printed. The formulas are those
//! that fastchess and Ordo publish, so that numbers can be compared to the last digit; where one of them is left, the
//! place says so.
//!
//! ```
//! use saavedra_arena::statistics::{Pentanomial, Performance, Sprt, Decision, EloScale};
//!
//! // Pairs of games that brought 0, ½, 1, 1½ and 2 points.
//! let pairs = Pentanomial([40, 310, 790, 390, 62]);
//! let performance = Performance::of(&pairs).expect("games were played");
//! assert_eq!(performance.elo.to_string(), "13.54 +/- 7.10");
//!
//! let test = Sprt::new(EloScale::Normalised, 0.0, 5.0, 0.05, 0.05)?;
//! assert_eq!(format!("{:.2} {test}", test.llr(&pairs)), "2.70 (-2.94, 2.94) [0.00, 5.00]");
//! assert_eq!(test.decide(test.llr(&pairs)), Decision::GoOn);
//! # Ok::<(), saavedra_arena::statistics::SprtError>(())
//! ```

mod elo;
mod likelihood;
mod normal;
mod performance;
mod ratings;
mod sprt;
mod tally;

pub(crate) use elo::ELO_PER_LOGIT;
pub use elo::{NORMALISED_UNIT, elo_of_score, expected_score};
pub use normal::{CONFIDENCE_95, cumulative, density, quantile};
pub use performance::{Estimate, Performance};
pub use ratings::{Anchor, FirstMove, League, Meeting, Rated, RatingError, RatingKind, Ratings};
pub use sprt::{Decision, EloScale, Sprt, SprtError, UnknownScale};
pub use tally::{Pentanomial, Tally, Trinomial};
