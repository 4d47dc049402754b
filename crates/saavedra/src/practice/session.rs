//! A session of practice: one card after the other, each asked until it is solved, shown or skipped.

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ::serve::{Deck, DueCard, Grade};
use review::{Effort, Judgement, MoveReview, Reason, Reviewer};
use rules::{Color, Game, Move, Position};

use crate::failure::Failure;
use crate::play::{diagram, read_line};

const HELP: &str = "\
a move   your answer, as in Nf3 or g1f3
show     show the solution
skip     ask this card another time
board    show the position again
quit     stop; what you answered is stored";

/// How a card was answered.
enum Answer {
    /// It was solved at the first attempt.
    Known,
    /// It was solved later, or shown.
    NotKnown,
    Skipped,
    Left,
}

pub(super) struct Session<'a, In, Out> {
    deck: &'a Deck,
    reviewer: Reviewer,
    input: In,
    out: Out,
}

impl<'a, In: BufRead, Out: Write> Session<'a, In, Out> {
    pub(super) fn new(deck: &'a Deck, input: In, out: Out) -> Session<'a, In, Out> {
        Session { deck, reviewer: Reviewer::new(Effort::Quick), input, out }
    }

    /// Asks the cards that are due, at most so many.
    pub(super) fn run(mut self, most: u32) -> Result<(), Failure> {
        let stack = self.deck.stack()?;
        let due = match (stack.total, stack.due) {
            (0, _) => "There are no cards yet: mistakes become cards when a game is reviewed on the page.".to_owned(),
            (_, 0) => "Nothing is due.".to_owned(),
            (_, 1) => "1 mistake is due.".to_owned(),
            (_, due) => format!("{due} mistakes are due."),
        };
        write!(self.out, "{due}")?;
        if stack.streak > 1 {
            write!(self.out, " {} days in a row.", stack.streak)?;
        }
        writeln!(self.out)?;
        let cards = self.deck.due(most)?;
        let (mut answered, mut found) = (0, 0);
        for card in &cards {
            let grade = match self.ask(card)? {
                Answer::Known => {
                    found += 1;
                    self.ask_grade()?
                }
                Answer::NotKnown => Some(Grade::Again),
                Answer::Skipped => continue,
                Answer::Left => break,
            };
            // Without a word on how well it was known, it was known.
            self.deck.grade(card, grade.unwrap_or(Grade::Good))?;
            answered += 1;
            if grade.is_none() {
                break;
            }
        }
        self.end(answered, found)
    }

    /// Says what was done and when to come back.
    fn end(&mut self, answered: u32, found: u32) -> Result<(), Failure> {
        if answered > 0 {
            writeln!(self.out, "\nYou found {found} of {answered} at the first attempt.")?;
        }
        let stack = self.deck.stack()?;
        if let (0, Some(next)) = (stack.due, stack.next) {
            // To the minute, as in 2026-11-18 20:15.
            let next = next.get(..16).unwrap_or(&next).replace('T', " ");
            writeln!(self.out, "The next card is due at {next} UTC.")?;
        }
        Ok(self.out.flush()?)
    }

    /// Asks a card until it is solved, shown or left.
    fn ask(&mut self, card: &DueCard) -> Result<Answer, Failure> {
        let position = &card.position;
        let turn = position.turn();
        writeln!(self.out, "\n{}\n{}\n", card.game, diagram(position, turn, None))?;
        let name = player_name(turn);
        writeln!(self.out, "{} was played. Find a better move for {name}.", numbered(position, card.played))?;
        let mut is_first = true;
        loop {
            let Some(line) = self.prompt("Your move: ")? else { return Ok(Answer::Left) };
            match line.as_str() {
                "" => {}
                "quit" | "exit" => return Ok(Answer::Left),
                "skip" => return Ok(Answer::Skipped),
                "help" | "?" => writeln!(self.out, "{HELP}")?,
                "board" => writeln!(self.out, "{}", diagram(position, turn, None))?,
                "show" => {
                    writeln!(self.out, "The solution is {}.", numbered(position, card.best))?;
                    self.explain(card)?;
                    return Ok(Answer::NotKnown);
                }
                text => {
                    let Some(mv) = self.read_move(position, text)? else { continue };
                    if self.is_right(card, mv)? {
                        self.explain(card)?;
                        return Ok(if is_first { Answer::Known } else { Answer::NotKnown });
                    }
                    is_first = false;
                }
            }
        }
    }

    fn read_move(&mut self, position: &Position, text: &str) -> Result<Option<Move>, Failure> {
        let read = position.parse_san(text).or_else(|error| position.parse_uci(text).map_err(|_| error));
        match read {
            Ok(mv) => Ok(Some(mv)),
            Err(error) => {
                writeln!(self.out, "{error}; \"help\" lists the commands")?;
                Ok(None)
            }
        }
    }

    /// Says whether a move solves the card, judged as on the page: one that loses less than an inaccuracy is right.
    fn is_right(&mut self, card: &DueCard, mv: Move) -> Result<bool, Failure> {
        let (position, san) = (&card.position, card.position.san(mv));
        if mv == card.best {
            writeln!(self.out, "{san} is right: the best move.")?;
            return Ok(true);
        }
        if mv == card.played {
            writeln!(self.out, "This was played in the game.")?;
            return Ok(false);
        }
        let Some(judged) = self.judge(position, mv) else { return Ok(false) };
        if judged.judgement.is_error() {
            let told = judged.reasons.iter().find(|reason| !gives_away(reason));
            writeln!(self.out, "{}{}.", named(&judged), told.map_or(String::new(), |reason| format!(": it {reason}")))?;
            return Ok(false);
        }
        writeln!(self.out, "{san} is right: just as good as {}.", position.san(card.best))?;
        Ok(true)
    }

    fn judge(&mut self, position: &Position, mv: Move) -> Option<MoveReview> {
        let mut game = Game::new(*position);
        game.play(mv).ok()?;
        let never = Arc::new(AtomicBool::new(false));
        self.reviewer.review(&game, &never, &mut |_| {}).ok()?.moves.into_iter().next()
    }

    /// Why the move of the game was a mistake.
    fn explain(&mut self, card: &DueCard) -> Result<(), Failure> {
        if let Some(reason) = &card.reason {
            writeln!(self.out, "{}: it {reason}.", numbered(&card.position, card.played))?;
        }
        Ok(())
    }

    /// How well the answer was known; nothing if the person leaves.
    fn ask_grade(&mut self) -> Result<Option<Grade>, Failure> {
        loop {
            let Some(line) = self.prompt("How was it? hard, good or easy [good]: ")? else { return Ok(None) };
            match line.as_str() {
                "hard" | "h" => return Ok(Some(Grade::Hard)),
                "" | "good" | "g" => return Ok(Some(Grade::Good)),
                "easy" | "e" => return Ok(Some(Grade::Easy)),
                "quit" | "exit" => return Ok(None),
                _ => writeln!(self.out, "Answer hard, good or easy; Enter means good.")?,
            }
        }
    }

    /// The next line; nothing at the end of the input.
    fn prompt(&mut self, words: &str) -> Result<Option<String>, Failure> {
        write!(self.out, "{words}")?;
        self.out.flush()?;
        let line = read_line(&mut self.input)?;
        if line.is_none() {
            writeln!(self.out)?;
        }
        Ok(line.map(|line| line.trim().to_owned()))
    }
}

/// Whether a reason names the move that is to be found.
fn gives_away(reason: &Reason) -> bool {
    matches!(reason, Reason::BetterLine(_) | Reason::OnlyMove(_)) || reason.kind().starts_with("misses_")
}

/// A move with what it is called: `3... Nf6 is a blunder`.
fn named(judged: &MoveReview) -> String {
    let kind = match judged.judgement {
        Judgement::Inaccuracy => "an inaccuracy".to_owned(),
        other => format!("a {}", other.name()),
    };
    format!("{} is {kind}", judged.numbered())
}

fn numbered(position: &Position, mv: Move) -> String {
    let dots = if position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", position.fullmove_number(), position.san(mv))
}

fn player_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
