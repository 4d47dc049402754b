//! Games and positions in the formats of others.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use records::packed::{Moment, PackedGame, Ply};
use records::pgn::{self, Eval, Evaluation, GameTree, PgnResult};
use records::{GameResult, source};
use rules::Color;
use train::Filter;

use super::{DAMAGE_ADVICE, Files};
use crate::failure::Failure;
use crate::numbers::counted;

/// Write games or their positions for other programs.
#[derive(Args)]
#[command(after_help = "Examples:
  saavedra data export games.svd --format pgn --out games.pgn
  saavedra data export games.svd --format bullet --filter --out positions.data")]
pub(super) struct Export {
    #[command(flatten)]
    files: Files,
    /// The format.
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Format,
    /// Leave out the positions that a training of ours leaves out: checks, captures, great advantages.
    #[arg(long)]
    filter: bool,
}

/// How games or positions are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Games, with the score of each position in `[%eval]` behind the move that led to it.
    Pgn,
    /// Games as Viridithas and others keep them.
    Viriformat,
    /// Positions: 32 bytes each, for the trainer bullet.
    Bullet,
    /// Positions: FEN | score | result, for the trainer bullet and others. Both are White's.
    Text,
    /// Positions: EPD with the move (sm), the score of the player to move (ce) and the result (c9).
    Epd,
}

impl Export {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if self.filter && matches!(self.format, Format::Pgn | Format::Viriformat) {
            return Err(Failure::Usage("--filter is for formats of positions: this one has whole games".to_owned()));
        }
        self.files.create(|file| {
            let mut out = BufWriter::new(file);
            let mut is_first = true;
            self.files.visit(|game| Ok(self.write(&mut out, &game, std::mem::take(&mut is_first))?))?;
            Ok(out.flush()?)
        })
    }

    fn write(&self, out: &mut impl Write, game: &PackedGame, is_first: bool) -> io::Result<()> {
        match self.format {
            Format::Pgn => write!(out, "{}{}", if is_first { "" } else { "\n" }, tree(game)),
            Format::Viriformat => game.write_viriformat(out),
            _ => {
                let filter = Filter::default();
                let mut wanted = game.moments().filter(|moment| !self.filter || filter.keeps(moment));
                wanted.try_for_each(|moment| self.write_position(out, &moment))
            }
        }
    }

    fn write_position(&self, out: &mut impl Write, moment: &Moment) -> io::Result<()> {
        let Moment { position, mv, score, result, .. } = *moment;
        match self.format {
            Format::Text => writeln!(out, "{position} | {score} | {:.1}", f64::from(result as u8) / 2.0),
            Format::Epd => {
                let fen = position.to_string();
                let fields: Vec<&str> = fen.split(' ').take(4).collect();
                let sign = if position.turn() == Color::White { 1 } else { -1 };
                let (played, score) = (position.san(mv), sign * i32::from(score));
                writeln!(out, "{} sm {played}; ce {score}; c9 \"{}\";", fields.join(" "), text(result))
            }
            _ => out.write_all(&moment.sample().to_bullet()),
        }
    }
}

fn text(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "1-0",
        GameResult::Draw => "1/2-1/2",
        GameResult::BlackWins => "0-1",
    }
}

/// A game with its scores behind the moves.
fn tree(game: &PackedGame) -> GameTree {
    let mut tree = GameTree::new(*game.start());
    let moves: Vec<_> = game.plies().iter().map(|ply| ply.mv).collect();
    // They are legal, as all of a packed game are.
    let _ = tree.add_line(pgn::NodeId::ROOT, &moves);
    let nodes: Vec<_> = std::iter::once(pgn::NodeId::ROOT).chain(tree.mainline()).collect();
    for (node, ply) in nodes.into_iter().zip(game.plies()) {
        tree.node_mut(node).eval = Some(Eval { score: Evaluation::Centipawns(ply.score.into()), depth: None });
    }
    if let Some(result) = PgnResult::from_bytes(text(game.result()).as_bytes()) {
        tree.tags.set_result(result);
    }
    tree
}

/// Read games of other programs.
///
/// Of PGN, games are taken that have a result and, behind every move but the last, an evaluation ([%eval]) of the
/// position that it led to, as lichess and the reviews of this program write it. A start without one counts as even.
#[derive(Args)]
#[command(after_help = "Example: saavedra data import games.vf --format viriformat --out games.svd")]
pub(super) struct Import {
    #[command(flatten)]
    files: Files,
    /// The format.
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: ImportFormat,
}

/// What games can be read from. Positions alone are no games.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ImportFormat {
    /// PGN, plain or compressed.
    Pgn,
    /// Games as Viridithas and others keep them.
    Viriformat,
}

impl Import {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (mut taken, mut left_out) = (0_u64, 0);
        self.files.write(|writer| {
            let mut add = |game: &PackedGame| {
                taken += 1;
                Ok(writer.write(game).context("cannot write the games")?)
            };
            self.files.files.iter().try_for_each(|path| match self.format {
                ImportFormat::Pgn => self.read_pgn(path, &mut add, &mut left_out),
                ImportFormat::Viriformat => self.read_viriformat(path, &mut add),
            })?;
            let none = || anyhow!("there is no game with a result and an evaluation of every position");
            if taken > 0 { Ok(()) } else { Err(Failure::Failed(none())) }
        })?;
        if left_out > 0 {
            let games = counted(left_out, "game");
            let _ =
                writeln!(io::stderr(), "saavedra: left out {games}: no result, or a position without an evaluation");
        }
        Ok(())
    }

    fn read_pgn(
        &self,
        path: &Path,
        add: &mut impl FnMut(&PackedGame) -> Result<(), Failure>,
        left_out: &mut u64,
    ) -> Result<(), Failure> {
        let mut games = pgn::games(source::open_input(path).map_err(anyhow::Error::from)?);
        let cannot_read = || format!("cannot read {}", source::input_name(path));
        while let Some((tree, problem)) = games.next_game().with_context(cannot_read)? {
            if let Some(problem) = problem {
                self.damaged(path, &problem)?;
                *left_out += 1;
                continue;
            }
            match packed(&tree) {
                Some(game) => add(&game)?,
                None => *left_out += 1,
            }
        }
        Ok(())
    }

    fn read_viriformat(
        &self,
        path: &Path,
        add: &mut impl FnMut(&PackedGame) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        // The format has no mark of its own: what begins like a compressed file may be a game.
        let file: Box<dyn Read> = if source::is_standard_input(path) {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(path).with_context(|| format!("cannot read {}", path.display()))?)
        };
        let mut file = BufReader::new(file);
        for number in 1.. {
            match PackedGame::read_viriformat(&mut file) {
                Ok(Some(game)) => add(&game)?,
                Ok(None) => break,
                // Without an end of this game there is no beginning of the next.
                Err(error) => return self.damaged(path, &format!("game {number}: {error}")),
            }
        }
        Ok(())
    }

    /// Damage ends the command, or is told.
    fn damaged(&self, path: &Path, what: &impl std::fmt::Display) -> Result<(), Failure> {
        let name = source::input_name(path);
        if !self.files.skip_damage {
            return Err(Failure::Failed(anyhow!("{name}: {what}{DAMAGE_ADVICE}")));
        }
        let _ = writeln!(io::stderr(), "saavedra: {name}: {what}");
        Ok(())
    }
}

/// A game whose moves all have an evaluation, and that was finished.
fn packed(tree: &GameTree) -> Option<PackedGame> {
    let mut before = tree.node(pgn::NodeId::ROOT).eval.or(Some(Eval { score: Evaluation::Centipawns(0), depth: None }));
    let plies = tree.mainline().map(|id| {
        let node = tree.node(id);
        let eval = std::mem::replace(&mut before, node.eval)?;
        Some(Ply { mv: node.mv()?, score: score(eval.score) })
    });
    PackedGame::new(*tree.start(), plies.collect::<Option<_>>()?, tree.result().finished()?).ok()
}

/// Mates are worth more than any advantage, and the sooner the more.
fn score(evaluation: Evaluation) -> i16 {
    const MATE: i32 = 32_000;
    match evaluation {
        Evaluation::Centipawns(value) => value.clamp(1 - MATE, MATE - 1) as i16,
        Evaluation::Mate(moves) => ((MATE - moves.abs().min(MATE)) * if moves < 0 { -1 } else { 1 }) as i16,
    }
}
