//! What a tuning has come to, for people and for programs.

use std::io::{self, Write};

use arena::event::EventLog;
use arena::report::fault_lines;
use arena::schedule::Format;
use arena::tune::{Parameter, Tuner, Tuning};
use serde::Serialize;

use crate::numbers::counted;

/// How far a tuning has come.
#[derive(Serialize)]
pub(crate) struct Report {
    iterations: u64,
    finished: u64,
    pub(crate) games: u64,
    /// What a player did that a player may not do, one line for each kind.
    faults: Vec<String>,
    parameters: Vec<Row>,
}

/// One number.
#[derive(Serialize)]
struct Row {
    name: String,
    start: f64,
    value: f64,
    /// The value as the engine takes it.
    rounded: i64,
    min: i64,
    max: i64,
    step: f64,
}

impl Report {
    /// What a tuning has come to; nothing if the event is none.
    pub(super) fn new(log: &EventLog) -> Option<Report> {
        let Format::Tune(tuning) = &log.plan().schedule else { return None };
        let (values, finished) = Tuner::values(tuning, log.results());
        let (games, faults) = (log.results().games(), fault_lines(log));
        Some(Report { games, faults, ..Report::of(tuning, &values, finished) })
    }

    /// The values that a tuning has come to after so many iterations.
    pub(crate) fn of(tuning: &Tuning, values: &[f64], finished: u64) -> Report {
        let row = |(parameter, &value): (&Parameter, &f64)| {
            let Parameter { name, start, min, max, step } = parameter.clone();
            Row { name, start, value, rounded: value.round() as i64, min, max, step }
        };
        let parameters = tuning.parameters.iter().zip(values).map(row).collect();
        Report { iterations: tuning.iterations, finished, games: 0, faults: Vec::new(), parameters }
    }

    pub(super) fn print(&self, as_json: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if as_json {
            serde_json::to_writer(&mut out, self)?;
            writeln!(out)?;
        } else {
            self.write(&mut out)?;
        }
        out.flush()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{} of {} iterations, {}", self.finished, self.iterations, counted(self.games, "game"))?;
        self.faults.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out)?;
        self.write_table(out)?;
        writeln!(out)?;
        for Row { name, rounded, .. } in &self.parameters {
            writeln!(out, "setoption name {name} value {rounded}")?;
        }
        writeln!(out)?;
        self.write_assignments(out)
    }

    /// How far each number has been moved.
    pub(crate) fn write_table(&self, out: &mut impl Write) -> io::Result<()> {
        let width = self.parameters.iter().map(|row| row.name.len()).max().unwrap_or(0);
        writeln!(out, "{:width$} {:>10} {:>10} {:>9} {:>9}", "", "start", "now", "moved", "steps")?;
        for Row { name, start, value, step, .. } in &self.parameters {
            let moved = value - start;
            writeln!(out, "{name:width$} {start:>10} {value:>10.2} {moved:>+9.2} {:>+9.2}", moved / step)?;
        }
        Ok(())
    }

    /// The numbers as they are written in the source of a search.
    pub(crate) fn write_assignments(&self, out: &mut impl Write) -> io::Result<()> {
        self.parameters.iter().try_for_each(|Row { name, rounded, .. }| writeln!(out, "{name} = {rounded}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_as_a_table_as_options_and_as_assignments() {
        let parameter = |name: &str, start, step| Parameter { name: name.to_owned(), start, min: 0, max: 200, step };
        let parameters = vec![parameter("margin", 100.0, 10.0), parameter("depth", 3.0, 0.5)];
        let tuning = Tuning { parameters, iterations: 50, seed: 1, rate: 0.002, lag: 32 };
        let report = Report { games: 21, ..Report::of(&tuning, &[112.6, 2.75], 10) };
        let mut text = Vec::new();
        report.write(&mut text).expect("memory can be written");
        let expected = "\
10 of 50 iterations, 21 games

            start        now     moved     steps
margin        100     112.60    +12.60     +1.26
depth           3       2.75     -0.25     -0.50

setoption name margin value 113
setoption name depth value 3

margin = 113
depth = 3
";
        assert_eq!(String::from_utf8(text).expect("text"), expected);
    }
}
