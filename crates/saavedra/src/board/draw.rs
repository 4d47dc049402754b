//! Draws what a board tells about its memory. Nothing here knows one board from another.

use std::io::{self, Write};

use classic::inspect::{
    BitFlip, BoardRecord, BoardStep, BoardTable, CellKind, Inspection, KeyUpdate, KeyWay, Layout, RecordField,
    Snapshot, TableCell,
};

/// Boards of bits that stand side by side.
const BITS_IN_A_ROW: usize = 4;

pub(super) fn inspection(out: &mut impl Write, found: &Inspection) -> io::Result<()> {
    let Inspection { board, about, steps, memory, complaints, flip } = found;
    let title = format!("{board}: {about}, {} bytes", memory.bytes);
    writeln!(out, "{title}\n{}", "=".repeat(title.len()))?;
    for (index, step) in steps.iter().enumerate() {
        draw_step(out, index + 1, step)?;
    }
    snapshot(out, memory, steps.last())?;
    match complaints.is_empty() {
        true => writeln!(out, "\ncheck: all that is kept twice agrees")?,
        false => sentences(out, "\ncheck:", complaints)?,
    }
    flip.as_ref().map_or(Ok(()), |flip| draw_flip(out, flip))
}

fn draw_step(out: &mut impl Write, number: usize, step: &BoardStep) -> io::Result<()> {
    writeln!(out, "\nmove {number}: {}", step.uci)?;
    record(out, &step.mv)?;
    sentences(out, "  lists", &step.notes)?;
    history(out, step)?;
    key(out, &step.key)
}

fn sentences(out: &mut impl Write, title: &str, all: &[String]) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "{title}")?;
    all.iter().try_for_each(|sentence| writeln!(out, "    {sentence}"))
}

/// An integer above the bits of each of its fields, or several integers one below the other.
fn record(out: &mut impl Write, record: &BoardRecord) -> io::Result<()> {
    let BoardRecord { name, integer, bits, fields } = record;
    if let (Some(integer), Some(bits)) = (integer, bits) {
        writeln!(out, "  {name} = {integer} = {integer:#x}\n    {}", pattern(*integer, *bits, u32::MAX))?;
        for field in fields {
            let (mask, shift) = (field.mask.unwrap_or_default(), field.shift.unwrap_or_default());
            let bits = pattern(*integer, *bits, mask);
            let RecordField { name, value, meaning, .. } = field;
            let way = if shift == 0 { String::new() } else { format!(">> {shift} ") };
            writeln!(out, "    {bits}  {name:<14} {value:>3}  {meaning:<20} {way}& {:#x}", mask >> shift)?;
        }
        return Ok(());
    }
    writeln!(out, "  {name}")?;
    for (index, RecordField { name, value, meaning, .. }) in fields.iter().enumerate() {
        writeln!(out, "    [{index}] {name:<14} {value:>3}  {meaning}")?;
    }
    Ok(())
}

/// The bits that a mask lets through, four by four.
fn pattern(integer: u32, bits: u32, mask: u32) -> String {
    let mut text = String::new();
    for bit in (0..bits.next_multiple_of(4)).rev() {
        text.push(match (mask >> bit & 1, integer >> bit & 1) {
            (0, _) => '.',
            (_, 0) => '0',
            _ => '1',
        });
        if bit % 4 == 0 && bit > 0 {
            text.push(' ');
        }
    }
    text
}

/// The last entry of the history before and after the move: side by side where their fields are the same.
fn history(out: &mut impl Write, step: &BoardStep) -> io::Result<()> {
    let Some(after) = &step.history_after else { return Ok(()) };
    let integer =
        |record: &BoardRecord| record.integer.map_or_else(String::new, |integer| format!(" = {integer:#010x}"));
    let title = |record: &BoardRecord| format!("{}{}", record.name, integer(record));
    let before = step.history_before.as_ref();
    let names = |record: &BoardRecord| record.fields.iter().map(|field| field.name).collect::<Vec<_>>();
    writeln!(out, "  history: {} before, {} after", before.map_or("nothing".to_owned(), title), title(after))?;
    let same = before.filter(|before| names(before) == names(after));
    if let (Some(before), None) = (before, same) {
        let line = |field: &RecordField| format!("{} {}", field.name, field.value);
        let line: Vec<String> = before.fields.iter().map(line).collect();
        writeln!(out, "    before: {}", line.join(", "))?;
    }
    let width = |record: &BoardRecord| record.fields.iter().map(|field| field.value.len()).max().unwrap_or_default();
    let widest = width(after).max(same.map_or(1, width));
    for (index, field) in after.fields.iter().enumerate() {
        let old = same.map_or("-", |before| &before.fields[index].value);
        let mark = if old == field.value || old == "-" { ' ' } else { '*' };
        let RecordField { name, value, meaning, .. } = field;
        writeln!(out, "    {name:<14} {old:>widest$} {mark} {value:>widest$}  {meaning}")?;
    }
    Ok(())
}

fn key(out: &mut impl Write, key: &KeyUpdate) -> io::Result<()> {
    writeln!(out, "  key: {}", key.about)?;
    writeln!(out, "    {:<42} {}", "before", key.before)?;
    for part in &key.parts {
        let way = match part.way {
            KeyWay::Out => "^ out",
            KeyWay::In => "^ in ",
            KeyWay::Stirred => "stir ",
        };
        writeln!(out, "    {way} {:<36} {} = {}", part.what, part.number, part.key)?;
    }
    writeln!(out, "    {:<42} {}", "after", key.after)
}

fn snapshot(out: &mut impl Write, memory: &Snapshot, last: Option<&BoardStep>) -> io::Result<()> {
    let marks = last.map_or_else(String::new, |step| format!("  ([ ] {} changed it)", step.uci));
    writeln!(out, "\nmemory of {}{marks}", memory.fen)?;
    let mut tables = &memory.tables[..];
    let mut told = "";
    while let Some((first, rest)) = tables.split_first() {
        let bits = tables.iter().take_while(|table| table.layout == Layout::Bits).take(BITS_IN_A_ROW).count();
        if bits > 1 {
            if first.about != told {
                writeln!(out, "\n  {}", first.about)?;
            }
            told = first.about;
            side_by_side(out, &tables[..bits])?;
            tables = &tables[bits..];
        } else {
            draw_table(out, first)?;
            tables = rest;
        }
    }
    writeln!(out, "\n  state")?;
    let width = memory.state.iter().map(|field| field.value.len()).max().unwrap_or_default();
    for field in &memory.state {
        let was = field.was.as_ref().map_or_else(String::new, |was| format!("  (was {was})"));
        writeln!(out, "    {:<18} {:>width$}  {}{was}", field.name, field.value, field.meaning)?;
    }
    writeln!(out, "    {:<18} {}", "key", memory.key)
}

/// What a cell looks like: in brackets if it has changed, a point for nothing, the rim, or a place not in use.
fn cell_text(cell: &TableCell, width: usize) -> String {
    let value = match cell.kind {
        CellKind::Rim | CellKind::Unused if cell.was.is_none() => ".",
        _ => cell.value.as_str(),
    };
    match (&cell.was, cell.kind) {
        (Some(_), CellKind::Unused) => format!("({value:>width$})"),
        (Some(_), _) => format!("[{value:>width$}]"),
        (None, _) => format!(" {value:>width$} "),
    }
}

fn draw_table(out: &mut impl Write, table: &BoardTable) -> io::Result<()> {
    let cells = || table.rows.iter().flat_map(|row| &row.cells);
    let width = cells().map(|cell| cell.value.len()).max().unwrap_or_default();
    let label_width = table.rows.iter().map(|row| row.label.len()).max().unwrap_or_default();
    writeln!(out, "\n  {}: {}", table.name, table.about)?;
    for row in &table.rows {
        let gap = if table.layout == Layout::Words { "" } else { " " };
        let cells: Vec<String> = row.cells.iter().map(|cell| cell_text(cell, width)).collect();
        let note = row.note.as_ref().map_or_else(String::new, |note| {
            let was = note.was.as_ref().map_or_else(String::new, |was| format!(", was {was}"));
            format!("  {} {}{was}", note.name, note.value)
        });
        writeln!(out, "    {:>label_width$} {}{note}", row.label, cells.join(gap).trim_end())?;
    }
    if table.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.kind == CellKind::Unused && cell.was.is_some()) {
        writeln!(out, "    ( ) lies beyond the end of its list: it is never looked at again")?;
    }
    Ok(())
}

/// Boards of single bits in a row, with the name above each.
fn side_by_side(out: &mut impl Write, tables: &[BoardTable]) -> io::Result<()> {
    let width = |table: &BoardTable| 3 * table.rows.first().map_or(0, |row| row.cells.len()) + 3;
    writeln!(out)?;
    let names: Vec<String> = tables.iter().map(|table| format!("{:<1$}", table.name, width(table))).collect();
    writeln!(out, "      {}", names.join("").trim_end())?;
    for (index, row) in tables[0].rows.iter().enumerate() {
        let line: Vec<String> = tables
            .iter()
            .map(|table| {
                let cells: Vec<String> = table.rows[index].cells.iter().map(bit_text).collect();
                let note = table.rows[index].note.as_ref().map_or("", |note| &note.value);
                format!("{}{note:<3}", cells.join(""))
            })
            .collect();
        writeln!(out, "    {} {}", row.label, line.join("").trim_end())?;
    }
    Ok(())
}

fn bit_text(cell: &TableCell) -> String {
    let value = if cell.value == "0" { "." } else { &cell.value };
    if cell.was.is_some() { format!("[{value}]") } else { format!(" {value} ") }
}

fn draw_flip(out: &mut impl Write, flip: &BitFlip) -> io::Result<()> {
    let BitFlip { place, bit, before, after, fen, complaints, silence } = flip;
    writeln!(out, "\nflipped bit {bit} of {place}: {before} becomes {after}")?;
    writeln!(out, "  the board now believes in {fen}")?;
    match silence {
        Some(silence) => writeln!(out, "  {silence}"),
        None => sentences(out, "  the check says:", complaints),
    }
}
