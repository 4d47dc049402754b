//! Which games of a file are wanted, as their tags tell.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// The wanted games. A bound that is not set is kept by every game.
#[derive(Default)]
pub(crate) struct Filter {
    bounds: Vec<Demand>,
    /// A function on the tags, asked last.
    callable: Option<Py<PyAny>>,
}

/// One demand on the tags.
enum Demand {
    /// Both ratings are known and at least this.
    MinElo(i128),
    /// Both ratings are known and at most this.
    MaxElo(i128),
    /// The tag contains the text, whatever its case.
    Contains(Names, String),
    /// One of the results.
    Result(Vec<String>),
    /// The code begins with one of these.
    Eco(Vec<String>),
    /// The date, as far as it is known, is not before this.
    Since(String),
    /// The date, as far as it is known, is not after this.
    Until(String),
}

/// The tags in which a text is looked for.
type Names = &'static [&'static str];

/// The tags of a game, and the first value of one of them.
pub(crate) fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().rev().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
}

impl Filter {
    /// The filter that keyword arguments describe.
    pub(crate) fn new(callable: Option<Bound<'_, PyAny>>, bounds: Option<&Bound<'_, PyDict>>) -> PyResult<Filter> {
        if let Some(callable) = callable.as_ref().filter(|callable| !callable.is_callable()) {
            let kind = callable.get_type().name()?;
            return Err(PyTypeError::new_err(format!("filter must be a function of the headers, not {kind}")));
        }
        let mut filter = Filter { bounds: Vec::new(), callable: callable.map(Bound::unbind) };
        for (name, value) in bounds.into_iter().flat_map(|bounds| bounds.iter()) {
            if !value.is_none() {
                filter.bounds.push(Demand::new(&name.extract::<String>()?, &value)?);
            }
        }
        Ok(filter)
    }

    /// Whether every game is wanted.
    pub(crate) fn is_open(&self) -> bool {
        self.bounds.is_empty() && self.callable.is_none()
    }

    /// Whether a game with these tags is wanted. Only a function that was given can fail.
    pub(crate) fn wants(&self, tags: &[(String, String)]) -> PyResult<bool> {
        if !self.bounds.iter().all(|bound| bound.holds(tags)) {
            return Ok(false);
        }
        let Some(callable) = &self.callable else { return Ok(true) };
        Python::attach(|py| {
            let headers = py.import("saavedra.pgn")?.getattr("Headers")?.call_method1("_of", (tags.to_vec(),))?;
            callable.bind(py).call1((headers,))?.is_truthy()
        })
    }
}

/// One text, or several.
fn texts(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if value.is_instance_of::<PyString>() {
        Ok(vec![value.extract()?])
    } else {
        value.try_iter()?.map(|text| text?.extract()).collect()
    }
}

/// A date as tags write it, from a tag or from a Python `date`.
fn date(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.is_instance_of::<PyString>() {
        let text = value.extract::<String>()?.replace('-', ".");
        let is_date = text
            .split('.')
            .zip([4, 2, 2])
            .all(|(part, length)| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit()));
        return if is_date && text.len() <= 10 {
            Ok(text)
        } else {
            Err(PyValueError::new_err(format!("{text:?} is not a date: expected something like 2024.12.31")))
        };
    }
    value.call_method1("strftime", ("%Y.%m.%d",))?.extract()
}

impl Demand {
    fn new(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Demand> {
        let text = |names| Ok(Demand::Contains(names, value.extract::<String>()?.to_lowercase()));
        match name {
            "min_elo" => Ok(Demand::MinElo(value.extract()?)),
            "max_elo" => Ok(Demand::MaxElo(value.extract()?)),
            "player" => text(&["White", "Black"]),
            "white" => text(&["White"]),
            "black" => text(&["Black"]),
            "event" => text(&["Event"]),
            "site" => text(&["Site"]),
            "result" => Ok(Demand::Result(results(value)?)),
            "eco" => Ok(Demand::Eco(texts(value)?)),
            "since" => Ok(Demand::Since(date(value)?)),
            "until" => Ok(Demand::Until(date(value)?)),
            _ => Err(PyTypeError::new_err(format!(
                "{name:?} is not a bound: they are min_elo, max_elo, player, white, black, event, site, result, eco, \
                 since and until"
            ))),
        }
    }

    fn holds(&self, tags: &[(String, String)]) -> bool {
        let elos = || ["WhiteElo", "BlackElo"].map(|name| tag(tags, name)?.trim().parse::<u32>().ok());
        match self {
            Demand::MinElo(least) => elos().iter().all(|elo| elo.is_some_and(|elo| i128::from(elo) >= *least)),
            Demand::MaxElo(most) => elos().iter().all(|elo| elo.is_some_and(|elo| i128::from(elo) <= *most)),
            Demand::Contains(names, text) => {
                names.iter().filter_map(|name| tag(tags, name)).any(|value| value.to_lowercase().contains(text))
            }
            Demand::Result(results) => {
                let result = tag(tags, "Result").unwrap_or("*");
                results.iter().any(|wanted| wanted == result)
            }
            Demand::Eco(codes) => {
                tag(tags, "ECO").is_some_and(|code| codes.iter().any(|wanted| code.starts_with(wanted.as_str())))
            }
            Demand::Since(first) => {
                known_date(tags).is_some_and(|date| date.as_str() >= &first[..first.len().min(date.len())])
            }
            Demand::Until(last) => {
                known_date(tags).is_some_and(|date| date.as_str() <= &last[..last.len().min(date.len())])
            }
        }
    }
}

/// The results that are wanted, each of which must be one.
fn results(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let results = texts(value)?;
    match results.iter().find(|result| !["1-0", "0-1", "1/2-1/2", "*"].contains(&result.as_str())) {
        Some(result) => {
            Err(PyValueError::new_err(format!("{result:?} is not a result: they are 1-0, 0-1, 1/2-1/2 and *")))
        }
        None => Ok(results),
    }
}

/// The date of a game up to its first unknown part: `1997.05` of `1997.05.??`.
fn known_date(tags: &[(String, String)]) -> Option<String> {
    let text = tag(tags, "Date").filter(|date| !date.starts_with('?')).or_else(|| tag(tags, "UTCDate"))?;
    let known = text.split('?').next().unwrap_or("").trim_end_matches('.');
    (known.len() >= 4).then(|| known.to_owned())
}
