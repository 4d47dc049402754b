//! Pictures of numbers, as SVG: ratings with their errors, and curves.
//!
//! Nothing is needed to draw them, and any browser shows them, light or dark as the reader likes it.
//!
//! ```
//! use saavedra_arena::plot::{RatingMark, rating_plot};
//!
//! let marks = [RatingMark::new("random", 0.0, Some(0.0)), RatingMark::new("minimax", 812.0, Some(31.5))];
//! let svg = rating_plot("A ladder", &marks);
//! assert!(svg.starts_with("<svg") && svg.contains("minimax"));
//! ```

mod axis;
mod curves;
mod ratings;
mod svg;

pub use curves::{Chart, Curve, CurvePoint};
pub use ratings::{RatingMark, rating_plot};
