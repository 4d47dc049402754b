//! The few shapes a plot is made of, written as SVG.

use std::fmt::Write as _;

/// A picture under construction.
pub(super) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub(super) enum Align {
    Left,
    Middle,
    Right,
}

/// Colors of series: readable on white and on black, and told apart by people who see colors differently.
pub(super) const SERIES: usize = 7;

/// How wide a character is, on average, in units of the size of the text.
const CHARACTER: f64 = 0.56;

/// The size of text.
pub(super) const TEXT: f64 = 13.0;

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#333}\
    .title{font-size:16px;font-weight:600}.grid{stroke:#ddd}.axis{stroke:#888}\
    .s0{color:#0072b2}.s1{color:#d55e00}.s2{color:#009e73}.s3{color:#cc79a7}.s4{color:#b8860b}.s5{color:#3d9fd6}\
    .s6{color:#7f7f7f}.line{fill:none;stroke:currentColor;stroke-width:2}.bar{stroke:currentColor;stroke-width:1.5}\
    .dot{fill:currentColor}.open{fill:none;stroke:currentColor;stroke-width:1.5}\
    @media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}.axis{stroke:#999}\
    .s0{color:#4ea3dc}.s1{color:#ff8c42}.s2{color:#2fc59b}.s3{color:#e6a5c9}.s4{color:#e0b040}.s5{color:#85c8f2}\
    .s6{color:#aaa}}";

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Svg {
        Svg { width, height, body: String::new() }
    }

    pub(super) fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(short);
        self.write(format_args!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#));
    }

    pub(super) fn dot(&mut self, class: &str, [x, y]: [f64; 2], radius: f64) {
        let [x, y, radius] = [x, y, radius].map(short);
        self.write(format_args!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#));
    }

    pub(super) fn path(&mut self, class: &str, points: &[[f64; 2]]) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{},{}", short(*x), short(*y))).collect();
        self.write(format_args!(r#"<polyline class="{class}" points="{}"/>"#, points.join(" ")));
    }

    pub(super) fn text(&mut self, class: &str, align: Align, [x, y]: [f64; 2], text: &str) {
        let anchor = match align {
            Align::Left => "start",
            Align::Middle => "middle",
            Align::Right => "end",
        };
        let [x, y] = [x, y].map(short);
        let text = escape(text);
        self.write(format_args!(r#"<text class="{class}" text-anchor="{anchor}" x="{x}" y="{y}">{text}</text>"#));
    }

    /// Text that reads upwards.
    pub(super) fn upright_text(&mut self, [x, y]: [f64; 2], text: &str) {
        let [x, y] = [x, y].map(short);
        let text = escape(text);
        self.write(format_args!(
            r#"<text text-anchor="middle" transform="translate({x} {y}) rotate(-90)">{text}</text>"#
        ));
    }

    fn write(&mut self, shape: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "{shape}");
    }

    pub(super) fn finish(self) -> String {
        let Svg { width, height, body } = self;
        let [width, height] = [width, height].map(short);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<style>{STYLE}</style>\n{body}</svg>\n"
        )
    }
}

/// How wide a text will be, about.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER * TEXT
}

/// A coordinate with at most one decimal.
fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// Text as XML has it: markup escaped, and characters it does not allow at all replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter if letter < ' ' => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_numbers_are_short() {
        assert_eq!(escape("a<b>&\"c'\u{1}\n"), "a&lt;b&gt;&amp;&quot;c&apos;\u{fffd} ");
        assert_eq!([1.0, -0.04, 2.25, -3.5].map(short), ["1", "0", "2.2", "-3.5"]);
    }
}
