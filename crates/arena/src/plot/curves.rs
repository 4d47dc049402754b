//! Curves over a common axis, with a legend.

use super::axis::Axis;
use super::svg::{Align, SERIES, Svg, text_width};

/// Curves over a common axis.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Chart {
    /// What is shown.
    pub title: String,
    /// What goes from left to right.
    pub x_label: String,
    /// What goes up.
    pub y_label: String,
    /// What is drawn.
    pub curves: Vec<Curve>,
}

/// A series of points, joined by lines.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Curve {
    /// What it is called in the legend.
    pub name: String,
    /// Its points, from left to right. Where one is not finite, the line has a gap.
    pub points: Vec<CurvePoint>,
}

/// A point of a curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CurvePoint {
    /// How far to the right it lies.
    pub x: f64,
    /// How far up it lies.
    pub y: f64,
    /// How far up and down the truth may lie.
    pub error: Option<f64>,
}

impl CurvePoint {
    fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    fn ends(&self) -> [f64; 2] {
        let error = self.error.filter(|error| error.is_finite()).unwrap_or(0.0);
        [self.y - error, self.y + error]
    }
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 56.0;
const LEFT: f64 = 88.0;
const MARGIN: f64 = 16.0;
/// With more points than this, dots would hide the line.
const FEW: usize = 60;

impl Chart {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let widest = self.curves.iter().map(|curve| text_width(&curve.name)).fold(0.0, f64::max);
        // Room for the legend: a sample of the line and the name.
        let right = MARGIN * 3.0 + 24.0 + widest;
        let (end, floor) = (LEFT + WIDTH - MARGIN, HEIGHT - BOTTOM);
        let points = || self.curves.iter().flat_map(|curve| &curve.points).filter(|point| point.is_finite());
        let x_axis = Axis::around(points().map(|point| point.x), 8, LEFT, end);
        let y_axis = Axis::around(points().flat_map(CurvePoint::ends), 6, floor, TOP);
        let mut svg = Svg::new(end + right, HEIGHT);
        svg.text("title", Align::Middle, [(LEFT + end) / 2.0, 24.0], &self.title);
        for (mark, name) in x_axis.marks() {
            svg.line("grid", [x_axis.place(mark), TOP], [x_axis.place(mark), floor]);
            svg.text("tick", Align::Middle, [x_axis.place(mark), floor + 18.0], &name);
        }
        for (mark, name) in y_axis.marks() {
            svg.line("grid", [LEFT, y_axis.place(mark)], [end, y_axis.place(mark)]);
            svg.text("tick", Align::Right, [LEFT - 8.0, y_axis.place(mark) + 4.5], &name);
        }
        svg.line("axis", [LEFT, floor], [end, floor]);
        svg.line("axis", [LEFT, TOP], [LEFT, floor]);
        svg.text("label", Align::Middle, [(LEFT + end) / 2.0, HEIGHT - 14.0], &self.x_label);
        svg.upright_text([18.0, (TOP + floor) / 2.0], &self.y_label);
        for (number, curve) in self.curves.iter().enumerate() {
            let series = number % SERIES;
            curve.draw(&mut svg, series, &x_axis, &y_axis);
            let y = TOP + 12.0 + 22.0 * number as f64;
            svg.line(&format!("line s{series}"), [end + MARGIN, y], [end + MARGIN + 24.0, y]);
            svg.text("legend", Align::Left, [end + MARGIN + 32.0, y + 4.5], &curve.name);
        }
        svg.finish()
    }
}

impl Curve {
    fn draw(&self, svg: &mut Svg, series: usize, x_axis: &Axis, y_axis: &Axis) {
        let place = |point: &CurvePoint| [x_axis.place(point.x), y_axis.place(point.y)];
        for stretch in self.points.split(|point| !point.is_finite()).filter(|stretch| !stretch.is_empty()) {
            svg.path(&format!("line s{series}"), &stretch.iter().map(place).collect::<Vec<_>>());
        }
        for point in self.points.iter().filter(|point| point.is_finite()) {
            if point.error.is_some_and(|error| error.is_finite() && error > 0.0) {
                let x = x_axis.place(point.x);
                let [low, high] = point.ends().map(|end| y_axis.place(end));
                svg.line(&format!("bar s{series}"), [x, low], [x, high]);
                svg.line(&format!("bar s{series}"), [x - 4.0, low], [x + 4.0, low]);
                svg.line(&format!("bar s{series}"), [x - 4.0, high], [x + 4.0, high]);
            }
            if self.points.len() <= FEW {
                svg.dot(&format!("dot s{series}"), place(point), 3.0);
            }
        }
    }
}
