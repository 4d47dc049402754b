//! The summary of a player as a page: one file that needs nothing else, in the colors of the page of `saavedra serve`.

use std::fmt::{self, Display, Write as _};

use crate::summary::percent;
use crate::{GameScore, Judgement, OpeningSummary, PhaseSummary, PlayerSummary};

const STYLE: &str = include_str!("summary_page.css");

impl PlayerSummary {
    /// The summary as an HTML page.
    pub fn to_html(&self) -> String {
        Page(self).to_string()
    }
}

/// Text in HTML: names come from files, and may hold anything.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '"' => f.write_str("&quot;")?,
                character => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

struct Page<'a>(&'a PlayerSummary);

impl Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = self.0;
        let player = Escaped(&summary.player);
        let GameScore { games, won, drawn, lost } = summary.score;
        writeln!(f, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(f, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(f, "<title>{player} - Saavedra</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>")?;
        writeln!(f, "<h1>{player}</h1>")?;
        let noun = if games == 1 { "game" } else { "games" };
        writeln!(f, "<p class=\"lead\">{games} {noun}: {won} won, {drawn} drawn, {lost} lost.</p>")?;
        writeln!(f, "<p class=\"accuracy\"><strong>{}</strong> accuracy</p>", percent(summary.accuracy))?;
        self.phases(f)?;
        self.judgements(f)?;
        self.reasons(f)?;
        self.openings(f)?;
        self.time(f)?;
        writeln!(f, "<p class=\"note\">Accuracy is relative to the reviewer; it is no rating.</p>")?;
        writeln!(f, "</main>\n</body>\n</html>")
    }
}

impl Page<'_> {
    fn phases(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "<section><h2>Phases</h2>\n<table>\n<tr><th>Phase<th>Moves<th>Accuracy<th>Mistakes and blunders</tr>"
        )?;
        for PhaseSummary { phase, moves, accuracy, serious } in &self.0.phases {
            let meter = accuracy.map_or(String::new(), |accuracy| bar("good", accuracy));
            let (name, accuracy) = (phase.name(), percent(*accuracy));
            writeln!(f, "<tr><th>{name}<td>{moves}<td>{meter} {accuracy}<td>{serious}</tr>")?;
        }
        writeln!(f, "</table></section>")
    }

    fn judgements(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "<section><h2>Moves</h2>\n<table>")?;
        for judgement in Judgement::ALL {
            let name = judgement.name();
            if let Some(&count) = self.0.judgements.get(name) {
                let meter = bar(name, 100.0 * count as f64 / self.0.moves.max(1) as f64);
                writeln!(f, "<tr><th>{name}<td>{count}<td>{meter}</tr>")?;
            }
        }
        writeln!(f, "</table></section>")
    }

    fn reasons(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = self.0.reasons_by_count();
        let Some(&(_, most)) = reasons.first() else { return Ok(()) };
        writeln!(f, "<section><h2>What goes wrong</h2>\n<table>")?;
        for (kind, count) in reasons {
            let meter = bar("mistake", 100.0 * count as f64 / most as f64);
            writeln!(f, "<tr><th>{}<td>{count}<td>{meter}</tr>", crate::Reason::fault(kind))?;
        }
        writeln!(f, "</table></section>")
    }

    fn openings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.openings.is_empty() {
            return Ok(());
        }
        writeln!(f, "<section><h2>Openings</h2>\n<table>")?;
        writeln!(f, "<tr><th>Opening<th>Color<th>Games<th>Won<th>Drawn<th>Lost<th>Accuracy</tr>")?;
        for OpeningSummary { eco, name, color, score, accuracy, .. } in &self.0.openings {
            let GameScore { games, won, drawn, lost } = score;
            let (name, accuracy) = (Escaped(name), percent(*accuracy));
            writeln!(f, "<tr><th>{eco} {name}<td>{color}<td>{games}<td>{won}<td>{drawn}<td>{lost}<td>{accuracy}</tr>")?;
        }
        writeln!(f, "</table></section>")
    }

    fn time(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.time_in_words() {
            Some(words) => writeln!(f, "<section><h2>Time</h2>\n<p>{words}</p></section>"),
            None => Ok(()),
        }
    }
}

/// A bar of so many percent.
fn bar(class: &str, percent: f64) -> String {
    format!("<span class=\"bar\"><span class=\"{class}\" style=\"width:{percent:.0}%\"></span></span>")
}
