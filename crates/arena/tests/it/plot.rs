//! Plots are valid, complete, and look as they did.

use saavedra_arena::plot::{Chart, Curve, CurvePoint, RatingMark, rating_plot};

fn ladder() -> String {
    let marks = [
        RatingMark::new("random", 0.0, Some(0.0)),
        RatingMark::new("capture", 93.4, Some(21.0)),
        RatingMark::new("search:nodes=5000", 2210.0, Some(64.0)),
        RatingMark::new("<Tom & \"Jerry\">", 2555.0, None),
        RatingMark::new("unknown", f64::NAN, None),
    ];
    rating_plot("Ratings, random = 0", &marks)
}

fn losses() -> String {
    let point = |x: f64, y: f64| CurvePoint { x, y, error: Some(y / 20.0) };
    let curve = |name: &str, factor: f64| Curve {
        name: name.to_owned(),
        points: (0..=10).map(|step| point(f64::from(step) * 1e6, factor / f64::from(step + 1))).collect(),
    };
    let mut broken = curve("with a gap", 0.5);
    broken.points[4].y = f64::NAN;
    Chart {
        title: "Loss".to_owned(),
        x_label: "positions".to_owned(),
        y_label: "loss".to_owned(),
        curves: vec![curve("small", 0.8), curve("large", 0.6), broken],
    }
    .to_svg()
}

/// Reads XML as strictly as is needed here: tags are balanced, attributes quoted and told once, and nothing is left
/// bare.
fn assert_well_formed(xml: &str) {
    let mut open = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        assert_text(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "tags are balanced");
            continue;
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut names = Vec::new();
        let mut attributes = attributes.trim();
        while !attributes.is_empty() {
            let (name, value) = attributes.split_once("=\"").expect("an attribute has a quoted value");
            let (value, after) = value.split_once('"').expect("the quote ends");
            assert!(!names.contains(&name), "{name} twice");
            assert_text(value);
            names.push(name);
            attributes = after.trim_start();
        }
        if !is_empty {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest:?}");
}

fn assert_text(text: &str) {
    for (place, _) in text.match_indices('&') {
        let entity = &text[place + 1..];
        let known = ["amp;", "lt;", "gt;", "quot;", "apos;"];
        assert!(known.iter().any(|name| entity.starts_with(name)), "a bare ampersand in {text:?}");
    }
    assert!(text.chars().all(|letter| letter >= ' ' || letter == '\n'), "{text:?}");
}

#[test]
fn plots_are_well_formed_whatever_the_names_and_numbers() {
    assert_well_formed(&ladder());
    assert_well_formed(&losses());
    assert_well_formed(&rating_plot("]]> & <nothing>\u{0}", &[]));
    assert_well_formed(&Chart::default().to_svg());
    let wild = Curve {
        name: "-->".to_owned(),
        points: [f64::MAX, f64::MIN, f64::INFINITY, 1e-300].map(|y| CurvePoint { x: 1.0, y, error: Some(y) }).to_vec(),
    };
    assert_well_formed(&Chart { curves: vec![wild], ..Chart::default() }.to_svg());
}

#[test]
fn ratings_are_drawn_with_the_strongest_on_top() {
    let svg = ladder();
    let place = |text: &str| svg.find(text).unwrap_or_else(|| panic!("{text} is there"));
    assert!(place("Tom &amp; &quot;Jerry&quot;") < place("search:nodes=5000"));
    assert!(place(">capture<") < place(">random<"));
    assert!(place("2210 ± 64") > 0 && place("about 2555") > 0 && !svg.contains("unknown"));
    assert_eq!(svg.matches("dot s0").count(), 3);
    assert_eq!(svg.matches("open s0").count(), 1);
}

/// The pictures of this test as they were when they were last looked at. After a change that is meant, look at the new
/// ones and write them with UPDATE_GOLDEN=1.
#[test]
fn plots_look_as_they_did() {
    for (name, svg) in [("ladder.svg", ladder()), ("losses.svg", losses())] {
        let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &svg).expect("the golden file can be written");
        }
        let golden = std::fs::read_to_string(&path).expect("the golden file is there").replace("\r\n", "\n");
        assert!(svg == golden, "{name} has changed");
    }
}
