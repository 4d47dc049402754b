//! The streaming reader: tokens to games, every move checked against the rules.

use std::io::{self, Read};

use rules::{Move, Position, Setup};

use super::lexer::{Context, Lexer, Token};
use super::text::decode;
use super::{CommentText, Flaw, GameResult, Nag, Problem, TagText};

/// Variations inside variations are followed this far; no annotator goes a tenth of the way.
pub(super) const DEEPEST: usize = 200;

/// Whether a visitor wants to hear what comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Tell me.
    Read,
    /// Pass over it, unchecked.
    Skip,
}

/// Whoever listens to a [`Reader`]. Everything may be ignored.
///
/// ```
/// use saavedra_records::pgn::{Reader, Visitor};
/// use rules::{Move, Position};
///
/// #[derive(Default)]
/// struct Mates(u32);
///
/// impl Visitor for Mates {
///     fn played(&mut self, _mv: Move, _before: &Position, after: &Position) {
///         self.0 += u32::from(after.is_checkmate());
///     }
/// }
///
/// let mut mates = Mates::default();
/// let mut reader = Reader::new("1. f3 e5 2. g4 Qh4# 0-1".as_bytes());
/// while let Some(report) = reader.read_game(&mut mates)? {
///     assert_eq!(report.problem, None);
/// }
/// assert_eq!(mates.0, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Visitor {
    /// A game begins.
    fn begin(&mut self) {}

    /// The game has this tag.
    fn tag(&mut self, _name: &[u8], _value: TagText<'_>) {}

    /// The tags are over, and the game starts from here. Its moves can be passed over.
    fn start(&mut self, _position: &Position) -> Verdict {
        Verdict::Read
    }

    /// A legal move is played.
    fn played(&mut self, _mv: Move, _before: &Position, _after: &Position) {}

    /// A comment on the last move, or on what comes next if there is none.
    fn comment(&mut self, _text: CommentText<'_>) {}

    /// A glyph for the last move.
    fn nag(&mut self, _nag: Nag) {}

    /// Other moves instead of the last one begin.
    fn begin_variation(&mut self) -> Verdict {
        Verdict::Read
    }

    /// The variation is over.
    fn end_variation(&mut self) {}

    /// The moves end with a result.
    fn result(&mut self, _result: GameResult) {}
}

/// What became of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The game, counted from one.
    pub game: u64,
    /// The line on which it begins.
    pub line: u64,
    /// What spoiled it, if something did; the visitor has heard all that came before.
    pub problem: Option<Problem>,
}

/// Reads the games of a stream one by one.
pub struct Reader<R> {
    lexer: Lexer<R>,
    games: u64,
    /// The first token of a game, if it was found at the end of the one before.
    pending: Option<Token>,
    fen: Option<String>,
    variant: Option<String>,
    /// The lines that the current variation lies in.
    lines: Vec<Line>,
}

/// Where a line of moves stands, and where its last move was played.
#[derive(Clone, Copy)]
struct Line {
    before: Option<Position>,
    now: Position,
}

/// How much of a game the visitor hears of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attention {
    Full,
    /// A variation is passed over; so many are open in it, itself included.
    VariationSkipped(u64),
    /// A line ended before its time; so many variations are open in the rest of it.
    LineEnded(u64),
    /// The rest of the game is passed over; so many variations are open.
    GameSkipped(u64),
}

/// What a word turned out to be.
enum Meaning {
    Nothing,
    Move(Move),
    Nag(Nag),
    Pass,
    Result(GameResult),
}

impl<R: Read> Reader<R> {
    /// A reader of a stream. It buffers by itself; see [`source`](crate::source) for packed files.
    pub fn new(stream: R) -> Reader<R> {
        Reader { lexer: Lexer::new(stream), games: 0, pending: None, fen: None, variant: None, lines: Vec::new() }
    }

    /// Reads the next game; there is none at the end of the stream.
    pub fn read_game(&mut self, visitor: &mut impl Visitor) -> io::Result<Option<Report>> {
        let Some(first) = self.first_token()? else { return Ok(None) };
        self.games += 1;
        let line = self.lexer.line();
        visitor.begin();
        let problem = match self.read_tags(first, visitor)? {
            Some(token) => self.read_moves(token, visitor)?,
            None => self.begin_moves(visitor).err().map(|flaw| self.problem(flaw)),
        };
        Ok(Some(Report { game: self.games, line, problem }))
    }

    /// Passes over whatever cannot begin a game.
    fn first_token(&mut self) -> io::Result<Option<Token>> {
        if let Some(token) = self.pending.take() {
            return Ok(Some(token));
        }
        loop {
            match self.lexer.next(Context::Tags)? {
                Token::End | Token::Unclosed => return Ok(None),
                token @ (Token::Tag | Token::Word) => return Ok(Some(token)),
                _ => {}
            }
        }
    }

    /// Reads the tags and what lies between them. Returns the first token of the moves, if the game does not end here.
    fn read_tags(&mut self, first: Token, visitor: &mut impl Visitor) -> io::Result<Option<Token>> {
        (self.fen, self.variant) = (None, None);
        let mut token = first;
        let mut is_first = true;
        loop {
            match token {
                Token::Tag => {
                    let (name, value) = split_tag(self.lexer.text());
                    // A game without moves or result may be followed by another, but some files have empty lines
                    // among the tags.
                    if !is_first && name == b"Event" && self.lexer.follows_empty_line() {
                        self.pending = Some(token);
                        return Ok(None);
                    }
                    if name == b"FEN" {
                        self.fen = Some(value.decode().into_owned());
                    } else if name == b"Variant" {
                        self.variant = Some(value.decode().into_owned());
                    }
                    if !name.is_empty() {
                        visitor.tag(name, value);
                    }
                }
                Token::Comment => visitor.comment(CommentText(self.lexer.text())),
                Token::End => return Ok(None),
                _ => return Ok(Some(token)),
            }
            is_first = false;
            token = self.lexer.next(Context::Tags)?;
        }
    }

    /// Finds the start of the game and tells it.
    fn begin_moves(&mut self, visitor: &mut impl Visitor) -> Result<Attention, Flaw> {
        self.lines.clear();
        if let Some(name) = self.variant.take_if(|name| !is_our_variant(name)) {
            return Err(Flaw::Variant(name));
        }
        let position = match self.fen.take() {
            None => Position::initial(),
            Some(fen) => {
                let position = fen.trim().parse::<Setup>().and_then(|setup| Ok(setup.playable_position()?));
                position.map_err(|error| Flaw::Start(fen, error))?
            }
        };
        self.lines.push(Line { before: None, now: position });
        Ok(match visitor.start(&position) {
            Verdict::Read => Attention::Full,
            Verdict::Skip => Attention::GameSkipped(0),
        })
    }

    fn problem(&self, flaw: Flaw) -> Problem {
        Problem { game: self.games, line: self.lexer.line(), flaw }
    }

    fn read_moves(&mut self, first: Token, visitor: &mut impl Visitor) -> io::Result<Option<Problem>> {
        let mut problem = None;
        let mut attention = match self.begin_moves(visitor) {
            Ok(attention) => attention,
            Err(flaw) => {
                problem = Some(self.problem(flaw));
                Attention::GameSkipped(0)
            }
        };
        let mut token = first;
        loop {
            let flaw = match (token, attention) {
                (Token::End, _) => {
                    let is_open = self.lines.len() > 1 && !matches!(attention, Attention::GameSkipped(_));
                    if is_open && problem.is_none() {
                        problem = Some(self.problem(Flaw::Unfinished));
                    }
                    break;
                }
                (Token::Tag, _) => {
                    self.pending = Some(token);
                    break;
                }
                (Token::Word, Attention::Full) => match self.word() {
                    Ok(Meaning::Move(mv)) => {
                        self.play(mv, visitor);
                        None
                    }
                    Ok(Meaning::Nothing) => {
                        if self.is_new_start() {
                            self.pending = Some(token);
                            break;
                        }
                        None
                    }
                    Ok(Meaning::Nag(nag)) => {
                        visitor.nag(nag);
                        None
                    }
                    Ok(Meaning::Result(result)) => {
                        if self.lines.len() == 1 {
                            visitor.result(result);
                            while self.lexer.comment_on_this_line()? {
                                visitor.comment(CommentText(self.lexer.text()));
                            }
                            break;
                        }
                        None
                    }
                    Ok(Meaning::Pass) if self.lines.len() > 1 => {
                        attention = Attention::LineEnded(0);
                        None
                    }
                    Ok(Meaning::Pass) => Some(Flaw::Pass(decode(self.lexer.text()).into_owned())),
                    Err(flaw) => Some(flaw),
                },
                (Token::Word, _) => {
                    // Results count wherever the game itself goes on.
                    let depth = match attention {
                        Attention::GameSkipped(depth) => depth,
                        Attention::LineEnded(depth) => depth + self.lines.len() as u64 - 1,
                        _ => 1,
                    };
                    if depth == 0
                        && let Some(result) = GameResult::from_bytes(self.lexer.text())
                    {
                        if problem.is_none() {
                            visitor.result(result);
                        }
                        break;
                    }
                    None
                }
                (Token::Comment, Attention::Full) => {
                    visitor.comment(CommentText(self.lexer.text()));
                    None
                }
                (Token::Nag(nag), Attention::Full) => {
                    visitor.nag(Nag(nag));
                    None
                }
                (Token::OpenVariation, _) => self.open_variation(&mut attention, visitor),
                (Token::CloseVariation, _) => {
                    self.close_variation(&mut attention, visitor);
                    None
                }
                (Token::TooLong, _) => Some(Flaw::TooLong),
                (Token::Unclosed, _) => Some(Flaw::Unfinished),
                (Token::Comment | Token::Nag(_), _) => None,
            };
            if let Some(flaw) = flaw
                && problem.is_none()
            {
                problem = Some(self.problem(flaw));
                let open = match attention {
                    Attention::Full => 0,
                    Attention::GameSkipped(depth)
                    | Attention::VariationSkipped(depth)
                    | Attention::LineEnded(depth) => depth,
                };
                attention = Attention::GameSkipped(open + self.lines.len().saturating_sub(1) as u64);
                self.lines.truncate(1);
            }
            token = self.lexer.next(Context::Moves)?;
        }
        Ok(problem)
    }

    #[inline]
    fn play(&mut self, mv: Move, visitor: &mut impl Visitor) {
        let line = self.lines.last_mut().expect("the main line is always there");
        let next = line.now.play_unchecked(mv);
        visitor.played(mv, &line.now, &next);
        *line = Line { before: Some(line.now), now: next };
    }

    fn open_variation(&mut self, attention: &mut Attention, visitor: &mut impl Visitor) -> Option<Flaw> {
        match attention {
            Attention::VariationSkipped(depth) | Attention::LineEnded(depth) | Attention::GameSkipped(depth) => {
                *depth += 1;
            }
            Attention::Full => {
                let before = self.lines.last().and_then(|line| line.before);
                let Some(before) = before else {
                    // There is no move that this could replace.
                    *attention = Attention::VariationSkipped(1);
                    return None;
                };
                if self.lines.len() > DEEPEST {
                    return Some(Flaw::TooDeep);
                }
                match visitor.begin_variation() {
                    Verdict::Skip => *attention = Attention::VariationSkipped(1),
                    Verdict::Read => self.lines.push(Line { before: None, now: before }),
                }
            }
        }
        None
    }

    fn close_variation(&mut self, attention: &mut Attention, visitor: &mut impl Visitor) {
        match attention {
            Attention::VariationSkipped(depth) => {
                *depth -= 1;
                if *depth == 0 {
                    *attention = Attention::Full;
                }
            }
            Attention::GameSkipped(depth) => *depth = depth.saturating_sub(1),
            Attention::LineEnded(depth @ 1..) => *depth -= 1,
            Attention::LineEnded(0) | Attention::Full => {
                *attention = Attention::Full;
                // A bracket that closes nothing is forgiven.
                if self.lines.len() > 1 {
                    self.lines.pop();
                    visitor.end_variation();
                }
            }
        }
    }

    /// Whether the last word numbers the first move of a game, after an empty line and with a game under way: the next
    /// game, if neither has tags and this one no result.
    fn is_new_start(&self) -> bool {
        let [line] = &self.lines[..] else { return false };
        self.lexer.text().starts_with(b"1.")
            && line.before.is_some()
            && line.now.fullmove_number() > 1
            && self.lexer.follows_empty_line()
    }

    /// What the last word means.
    #[inline]
    fn word(&self) -> Result<Meaning, Flaw> {
        let text = self.lexer.text();
        let position = &self.lines[self.lines.len() - 1].now;
        let text = match text {
            [b'0'..=b'9' | b'.', ..] => {
                if let Some(result) = GameResult::from_bytes(text) {
                    return Ok(Meaning::Result(result));
                }
                match without_number(text) {
                    [] => return Ok(Meaning::Nothing),
                    rest if rest.len() < text.len() && self.is_new_start() => return Ok(Meaning::Nothing),
                    rest => rest,
                }
            }
            _ => text,
        };
        match position.read_standard_san(text) {
            Some(mv) => Ok(Meaning::Move(mv)),
            None => unusual_word(text, position),
        }
    }
}

/// A word without the move number at its front: `12.e4`, `12...e5`, or a bare `12`.
#[inline]
fn without_number(text: &[u8]) -> &[u8] {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = text[digits..].iter().take_while(|&&byte| byte == b'.').count();
    if dots > 0 || digits == text.len() { &text[digits + dots..] } else { text }
}

/// What a word means that is not a move as the standard writes it.
#[cold]
fn unusual_word(text: &[u8], position: &Position) -> Result<Meaning, Flaw> {
    let glyph = |nag| Ok(Meaning::Nag(Nag(nag)));
    match text {
        b"--" | b"Z0" | b"z0" | b"0000" | b"@@@@" | b"null" | b"pass" => Ok(Meaning::Pass),
        b"e.p." | b"ep" | b"e.p" | b"+" | b"++" | b"#" | b"-" | b"," | b"ch" | b"dbl" | b"mate" => Ok(Meaning::Nothing),
        b"*" => Ok(Meaning::Result(GameResult::Unknown)),
        b"=" => glyph(10),
        b"~" => glyph(13),
        b"+=" | b"+/=" => glyph(14),
        b"=+" | b"=/+" => glyph(15),
        b"+/-" => glyph(16),
        b"-/+" => glyph(17),
        b"+-" => glyph(18),
        b"-+" => glyph(19),
        _ => position.parse_san(&decode(text)).map(Meaning::Move).map_err(Flaw::Move),
    }
}

/// Name and value of a tag, as far as they can be told apart.
fn split_tag(text: &[u8]) -> (&[u8], TagText<'_>) {
    let text = text.trim_ascii();
    let end = text.iter().position(|&byte| byte.is_ascii_whitespace() || byte == b'"').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_ascii();
    let value = match rest {
        [b'"', value @ .., b'"'] => value,
        // The end of the line came before the end of the tag.
        [b'"', value @ ..] => value,
        _ => rest,
    };
    (name, TagText(value))
}

/// Chess and Chess960, under the names that programs give them.
fn is_our_variant(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    let ours = ["", "standard", "chess", "classic", "classical", "normal", "from position", "frc", "dfrc"];
    ours.contains(&name.as_str()) || name.contains("960") || name.contains("fischer")
}
