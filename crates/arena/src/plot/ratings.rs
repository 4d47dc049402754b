//! Ratings as dots with error bars, the strongest on top.

use super::axis::Axis;
use super::svg::{Align, Svg, text_width};

/// A rating to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingMark {
    /// Whose it is.
    pub name: String,
    /// The rating.
    pub rating: f64,
    /// How far the truth may be off. Without one the dot is hollow: the rating is a limit, or a guess.
    pub error: Option<f64>,
}

impl RatingMark {
    /// A rating to be drawn.
    pub fn new(name: impl Into<String>, rating: f64, error: Option<f64>) -> RatingMark {
        RatingMark { name: name.into(), rating, error }
    }
}

/// Ratings as dots with error bars, the strongest on top, names on the left and numbers on the right.
pub fn rating_plot(title: &str, marks: &[RatingMark]) -> String {
    const ROW: f64 = 24.0;
    const HEAD: f64 = 40.0;
    const FOOT: f64 = 40.0;
    const SPREAD: f64 = 480.0;
    const MARGIN: f64 = 16.0;
    let mut marks: Vec<&RatingMark> = marks.iter().filter(|mark| mark.rating.is_finite()).collect();
    marks.sort_by(|one, other| other.rating.total_cmp(&one.rating));
    let widest = |texts: &mut dyn Iterator<Item = String>| texts.map(|text| text_width(&text)).fold(0.0, f64::max);
    let left = MARGIN * 2.0 + widest(&mut marks.iter().map(|mark| mark.name.clone()));
    let right = MARGIN * 2.0 + widest(&mut marks.iter().map(|mark| number(mark)));
    let (width, height) = (left + SPREAD + right, HEAD + ROW * marks.len() as f64 + FOOT);
    let ends = marks.iter().flat_map(|mark| {
        let error = mark.error.unwrap_or(0.0);
        [mark.rating - error, mark.rating + error]
    });
    let axis = Axis::around(ends, 8, left, left + SPREAD);
    let mut svg = Svg::new(width, height);
    svg.text("title", Align::Middle, [width / 2.0, 24.0], title);
    let floor = height - FOOT;
    for (mark, name) in axis.marks() {
        svg.line("grid", [axis.place(mark), HEAD], [axis.place(mark), floor]);
        svg.text("tick", Align::Middle, [axis.place(mark), floor + 18.0], &name);
    }
    svg.line("axis", [left, floor], [left + SPREAD, floor]);
    for (row, mark) in marks.into_iter().enumerate() {
        let y = HEAD + ROW * (row as f64 + 0.5);
        let x = axis.place(mark.rating);
        svg.text("name", Align::Right, [left - MARGIN, y + 4.5], &mark.name);
        svg.text("number", Align::Left, [left + SPREAD + MARGIN, y + 4.5], &number(mark));
        if let Some(error) = mark.error.filter(|error| error.is_finite() && *error > 0.0) {
            let [low, high] = [axis.place(mark.rating - error), axis.place(mark.rating + error)];
            svg.line("bar s0", [low, y], [high, y]);
            svg.line("bar s0", [low, y - 4.0], [low, y + 4.0]);
            svg.line("bar s0", [high, y - 4.0], [high, y + 4.0]);
        }
        svg.dot(if mark.error.is_some() { "dot s0" } else { "open s0" }, [x, y], 4.0);
    }
    svg.finish()
}

fn number(mark: &RatingMark) -> String {
    match mark.error {
        Some(error) if error > 0.0 => format!("{:.0} ± {error:.0}", mark.rating),
        Some(_) => format!("{:.0}", mark.rating),
        None => format!("about {:.0}", mark.rating),
    }
}
