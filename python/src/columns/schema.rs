//! Which columns are made of games, by their names.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::column::{Column, Flat, Lists};

/// What a column holds of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The tag of this name, as text.
    Tag,
    /// The moves that were played, as numbers.
    Moves,
    /// How many they are.
    Plies,
    /// The seconds on the clock after each move.
    Clocks,
    /// The evaluation after each move, in centipawns from White's side.
    Evals,
    /// 1, 0 or -1 as White won, drew or lost.
    Score,
    WhiteElo,
    BlackElo,
    /// The FEN of a game that starts elsewhere.
    Start,
    /// What was wrong with the game.
    Problem,
}

/// A column that is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

const COMPUTED: [(&str, Kind); 9] = [
    ("moves", Kind::Moves),
    ("plies", Kind::Plies),
    ("clocks", Kind::Clocks),
    ("evals", Kind::Evals),
    ("score", Kind::Score),
    ("white_elo", Kind::WhiteElo),
    ("black_elo", Kind::BlackElo),
    ("start", Kind::Start),
    ("problem", Kind::Problem),
];

impl Field {
    /// A name with a capital letter is a tag, any other one of those above.
    pub(crate) fn parse(name: &str) -> PyResult<Field> {
        let kind = if name.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            Some(Kind::Tag)
        } else {
            COMPUTED.iter().find(|(computed, _)| *computed == name).map(|(_, kind)| kind.clone())
        };
        let kind = kind.ok_or_else(|| {
            let names = COMPUTED.map(|(name, _)| name).join(", ");
            PyValueError::new_err(format!(
                "{name:?} is not a column: they are {names}, and the names of tags, such as White"
            ))
        })?;
        Ok(Field { name: name.to_owned(), kind })
    }

    /// The column without any game.
    pub(crate) fn column(&self) -> Column {
        match self.kind {
            Kind::Tag | Kind::Start | Kind::Problem => Column::Text(Lists::default()),
            Kind::Moves => Column::Moves(Lists::default()),
            Kind::Clocks | Kind::Evals => Column::Floats(Lists::default()),
            Kind::Plies => Column::U32(Flat::default()),
            Kind::Score => Column::I8(Flat::default()),
            Kind::WhiteElo | Kind::BlackElo => Column::U16(Flat::default()),
        }
    }
}
