//! Colors on terminals. Text is written with them, and [`out`] takes them out where they would not be seen.

use std::fmt::Display;
use std::io::{self, StdoutLock};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;

/// When output has colors.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless the variable `NO_COLOR` is set.
    #[default]
    Auto,
    /// Wherever it goes.
    Always,
    /// Nowhere.
    Never,
}

impl When {
    /// Lets this decide for all output from now on.
    pub(crate) fn apply(self) {
        let choice = match self {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}

pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const MARKED: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Standard output, with colors if there shall be any.
pub(crate) fn out() -> AutoStream<StdoutLock<'static>> {
    AutoStream::auto(io::stdout().lock())
}

/// A text in a style. What is to be aligned must be so before.
pub(crate) fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Good above nothing and bad below it.
pub(crate) fn of_sign<N: PartialOrd + Default>(number: &N) -> Style {
    match number.partial_cmp(&N::default()) {
        Some(std::cmp::Ordering::Greater) => GOOD,
        Some(std::cmp::Ordering::Less) => BAD,
        _ => Style::new(),
    }
}
