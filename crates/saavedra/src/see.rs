//! `saavedra see`: an exchange on one square, step by step, by every method we have.

use std::io::{self, Write};

use clap::Args;
use lessons::{ExchangeStep, Explanation};
use rules::see::Values;
use rules::{Bitboard, Color, File, Move, MoveKind, Position, Rank, Role, Square};
use serde::Serialize;

use crate::color::{BAD, MARKED, of_sign, out, paint};
use crate::failure::Failure;
use crate::fen;

/// Show what a move wins or loses by captures on its square.
#[derive(Args)]
#[command(after_help = "Example: saavedra see \"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1\" Nxe5")]
pub(crate) struct Arguments {
    /// The position as FEN, or startpos.
    #[arg(value_name = "FEN", value_parser = fen::parse)]
    position: Position,
    /// The move that opens the exchange, like Nxe5 or d3e5.
    #[arg(value_name = "MOVE")]
    mv: String,
    /// The values of pawn, knight, bishop, rook and queen.
    #[arg(long, value_name = "P,N,B,R,Q", value_parser = parse_values, default_value = "100,300,300,500,1000")]
    values: Values,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

fn parse_values(text: &str) -> Result<Values, String> {
    let numbers: Vec<i32> = text
        .split(',')
        .map(|number| number.trim().parse())
        .collect::<Result<_, _>>()
        .map_err(|_| "expected five whole numbers with commas between".to_owned())?;
    match numbers[..] {
        [pawn, knight, bishop, rook, queen] if numbers.iter().all(|value| (1..=Values::LIMIT).contains(value)) => {
            Ok(Values::new(pawn, knight, bishop, rook, queen))
        }
        [_, _, _, _, _] => Err(format!("a piece is worth between 1 and {}", Values::LIMIT)),
        _ => Err(format!("expected five numbers, found {}", numbers.len())),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let position = &arguments.position;
    let mv = position.parse_san(arguments.mv.trim()).map_err(|error| Failure::Usage(error.to_string()))?;
    let report = Report::new(position, mv, &arguments.values);
    let mut out = out();
    if arguments.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        report.print(&mut out, position)?;
    }
    Ok(out.flush()?)
}

/// The exchange in words and numbers.
#[derive(Serialize)]
struct Report {
    fen: String,
    #[serde(rename = "move")]
    mv: String,
    square: String,
    white: Vec<Attackers>,
    black: Vec<Attackers>,
    xrays: Vec<Xray>,
    pins: Vec<Pin>,
    best_line: Vec<Capture>,
    swap_line: Vec<Capture>,
    verdicts: Verdicts,
    agree: bool,
    #[serde(skip)]
    told: Explanation,
}

/// The pieces of one role that attack the square once the move is made.
#[derive(Serialize)]
struct Attackers {
    role: String,
    squares: Vec<String>,
}

#[derive(Serialize)]
struct Xray {
    slider: String,
    behind: String,
}

#[derive(Serialize)]
struct Pin {
    pinned: String,
    by: String,
}

#[derive(Serialize)]
struct Capture {
    #[serde(rename = "move")]
    mv: String,
    piece: String,
    takes: Option<String>,
    balance: i32,
}

/// What each method says; a look-up says nothing where the values do not suit it.
#[derive(Serialize)]
struct Verdicts {
    oracle: i32,
    swap: i32,
    table: Option<i32>,
    lookup: Option<i32>,
}

impl Report {
    fn new(position: &Position, mv: Move, values: &Values) -> Report {
        let told = Explanation::new(position, mv, values);
        let side = |color: Color| {
            let roles = Role::ALL.into_iter().zip(told.attackers[color]).filter(|(_, squares)| !squares.is_empty());
            roles.map(|(role, squares)| Attackers { role: role.to_string(), squares: names(squares) }).collect()
        };
        let xrays =
            told.xrays.iter().map(|xray| Xray { slider: xray.behind.to_string(), behind: xray.front.to_string() });
        let pins = told.pins.iter().map(|pin| Pin { pinned: pin.pinned.to_string(), by: pin.pinner.to_string() });
        let verdicts = Verdicts { oracle: told.exhaustive, swap: told.swap, table: told.table, lookup: told.lookup };
        let agree =
            [Some(told.swap), told.table, told.lookup].into_iter().flatten().all(|value| value == told.exhaustive);
        Report {
            fen: position.to_string(),
            mv: position.san(mv),
            square: told.square.to_string(),
            white: side(Color::White),
            black: side(Color::Black),
            xrays: xrays.collect(),
            pins: pins.collect(),
            best_line: told.best_line.iter().map(|step| Capture::new(step, position)).collect(),
            swap_line: told.swap_line.iter().map(|step| Capture::new(step, position)).collect(),
            verdicts,
            agree,
            told,
        }
    }

    fn print(&self, out: &mut impl Write, position: &Position) -> io::Result<()> {
        self.draw(out, position)?;
        writeln!(
            out,
            "\n{} opens an exchange on {}. Once it is played, {} is attacked",
            self.mv, self.square, self.square
        )?;
        for (color, attackers) in [(Color::White, &self.white), (Color::Black, &self.black)] {
            let list: Vec<String> =
                attackers.iter().map(|role| format!("{} {}", role.role, role.squares.join(" "))).collect();
            let list = if list.is_empty() { "nothing".to_owned() } else { list.join(", ") };
            writeln!(out, "  by {color}: {list}")?;
        }
        for Xray { slider, behind } in &self.xrays {
            writeln!(out, "  {slider} looks through {behind}")?;
        }
        for Pin { pinned, by } in &self.pins {
            writeln!(out, "  {pinned} is pinned by {by}")?;
        }
        writeln!(out, "\nBest play:")?;
        Capture::print_all(&self.best_line, out)?;
        if self.swap_line.iter().map(|capture| &capture.mv).ne(self.best_line.iter().map(|capture| &capture.mv)) {
            writeln!(out, "\nIf both always capture, the least valuable piece first:")?;
            Capture::print_all(&self.swap_line, out)?;
        }
        self.print_verdicts(out)
    }

    /// The board with the square in brackets, and the pieces that attack it marked.
    fn draw(&self, out: &mut impl Write, position: &Position) -> io::Result<()> {
        let attackers =
            |color: Color| self.told.attackers[color].into_iter().fold(Bitboard::EMPTY, |all, set| all | set);
        let attackers = attackers(Color::White) | attackers(Color::Black);
        for rank in Rank::ALL.into_iter().rev() {
            write!(out, "{rank} ")?;
            for file in File::ALL {
                let square = Square::new(file, rank);
                let letter = position.piece_at(square).map_or('.', rules::Piece::letter);
                let is_opener = self.told.best_line.first().is_some_and(|step| step.mv.from() == square);
                let [left, right] = if square == self.told.square {
                    ['[', ']']
                } else if is_opener {
                    ['>', ' ']
                } else if attackers.contains(square) {
                    ['(', ')']
                } else {
                    [' ', ' ']
                };
                match left {
                    ' ' => write!(out, "{left}{letter}{right}")?,
                    _ => write!(out, "{}", paint(MARKED, format_args!("{left}{letter}{right}")))?,
                }
            }
            writeln!(out)?;
        }
        writeln!(out, "   a  b  c  d  e  f  g  h    [ ] the square, > the move, ( ) attackers")
    }

    fn print_verdicts(&self, out: &mut impl Write) -> io::Result<()> {
        let Verdicts { oracle, swap, table, lookup } = self.verdicts;
        writeln!(out, "\n{:<28}{}", "all legal captures searched", signed(oracle))?;
        for (method, value) in
            [("swap-off", Some(swap)), ("table of 1,575 entries", table), ("improved look-up", lookup)]
        {
            match value {
                Some(value) if value == oracle => writeln!(out, "{method:<28}{}", signed(value))?,
                Some(value) => {
                    let differs = paint(BAD, "differs from the truth");
                    writeln!(out, "{method:<28}{}  {differs}", signed(value))?;
                }
                None => writeln!(out, "{method:<28}{:>6}  cannot be built for these values", "-")?,
            }
        }
        Ok(())
    }
}

impl Capture {
    /// A step of an exchange. Only the first can castle, which is written as the position writes it.
    fn new(step: &ExchangeStep, position: &Position) -> Capture {
        let is_castling = step.mv.kind() == MoveKind::Castle;
        Capture {
            mv: if is_castling { position.uci(step.mv) } else { step.mv.to_string() },
            piece: step.piece.to_string(),
            takes: step.captured.map(|role| role.to_string()),
            balance: step.balance,
        }
    }

    fn print_all(captures: &[Capture], out: &mut impl Write) -> io::Result<()> {
        for Capture { mv, piece, takes, balance } in captures {
            let takes = takes.as_ref().map_or("takes nothing".to_owned(), |role| format!("takes the {role}"));
            writeln!(out, "  {mv:<6} {piece:<13} {takes:<16} {}", signed(*balance))?;
        }
        Ok(())
    }
}

/// A number with its sign, in a column.
fn signed(number: i32) -> String {
    paint(of_sign(&number), format_args!("{number:>+6}"))
}

fn names(squares: Bitboard) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}
