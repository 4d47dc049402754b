//! The streaming reader: tokens to games, every move checked against the rules.

use std::io::{self, Read};

use rules::{Move, Position, Setup};

use super::lexer::{Context, Lexer, Token};
use super::text::decode;
use super::{CommentText, Flaw, Interest, Nag, PgnResult, Problem, TagText, Visitor};

/// Variations inside variations are followed this far; no annotator goes a tenth of the way.
pub(super) const DEEPEST: usize = 200;

/// The tags that a game may have; large databases write some forty.
pub(super) const MOST_TAGS: usize = 1_000;

/// The bytes that a game may take as a tree. A packed file of a few kilobytes can hold a game of any size, and the
/// longest annotated games are far from this.
pub(super) const LARGEST_GAME: usize = 64 << 20;

/// About what a move takes in a tree, without its comments.
const SIZE_OF_MOVE: usize = 256;

/// About what a comment takes besides its text.
const SIZE_OF_COMMENT: usize = 64;

/// What became of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The game, counted from one.
    pub game: u64,
    /// The line on which it begins.
    pub line: u64,
    /// What spoiled it, if something did; the visitor was told all that came before.
    pub problem: Option<Problem>,
}

/// Reads the games of a stream one by one.
pub struct Reader<R> {
    lexer: Lexer<R>,
    games: u64,
    /// The first token of a game, if it was found at the end of the one before.
    pending: Option<Token>,
    /// The comment before a game without tags, which is about the game.
    leading: Option<Vec<u8>>,
    /// Where most games start.
    initial: Position,
    fen: Option<String>,
    variant: Option<String>,
    /// The main line, and the variations in which the current one lies.
    lines: Vec<Line>,
    attention: Attention,
    /// About the bytes that the game has taken so far as a tree.
    size: usize,
    problem: Option<Problem>,
}

/// Where a line of moves stands, and where its last move was played.
#[derive(Clone, Copy)]
struct Line {
    /// Where it began, until a move is played.
    before: Position,
    now: Position,
    has_moves: bool,
}

impl Line {
    fn new(start: Position) -> Line {
        Line { before: start, now: start, has_moves: false }
    }
}

/// How much of a game is reported to the visitor.
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
    Result(PgnResult),
}

/// How a game goes on after a token.
enum Flow {
    GoOn,
    /// The game ended with its result.
    Result(PgnResult),
    /// The token belongs to the next game.
    NextGame,
    EndOfFile,
}

impl<R: Read> Reader<R> {
    /// A reader of a stream. It buffers by itself; see [`source`](crate::source) for packed files.
    pub fn new(stream: R) -> Reader<R> {
        Reader {
            lexer: Lexer::new(stream),
            games: 0,
            pending: None,
            leading: None,
            initial: Position::initial(),
            fen: None,
            variant: None,
            lines: Vec::new(),
            attention: Attention::Full,
            size: 0,
            problem: None,
        }
    }

    /// Reads the next game; there is none at the end of the stream.
    pub fn read_game(&mut self, visitor: &mut impl Visitor) -> io::Result<Option<Report>> {
        self.lexer.begin_game();
        let Some(first) = self.first_token()? else { return Ok(None) };
        self.games += 1;
        let line = self.lexer.line();
        visitor.begin();
        self.size = 0;
        if let Some(text) = self.leading.take() {
            visitor.comment(CommentText(&text));
        }
        let (first_of_moves, tags) = self.read_tags(first, visitor)?;
        self.begin_moves(tags, visitor);
        if let Some(token) = first_of_moves {
            self.read_moves(token, visitor)?;
        }
        Ok(Some(Report { game: self.games, line, problem: self.problem.take() }))
    }

    /// What was taken from the stream and belongs to no game that has been read.
    pub fn unread(&self) -> &[u8] {
        self.lexer.unread(self.pending)
    }

    /// Passes over whatever cannot begin a game. A comment right before the moves of a game without tags is kept.
    fn first_token(&mut self) -> io::Result<Option<Token>> {
        if let Some(token) = self.pending.take() {
            return Ok(Some(token));
        }
        loop {
            match self.lexer.next(Context::Tags)? {
                Token::End | Token::Unclosed => return Ok(None),
                Token::Word => return Ok(Some(Token::Word)),
                Token::Tag => {
                    self.leading = None;
                    return Ok(Some(Token::Tag));
                }
                Token::Comment => self.leading = Some(self.lexer.text().to_vec()),
                _ => {}
            }
        }
    }

    /// Reads the tags and what lies between them. Returns the first token of the moves, if the game does not end here,
    /// and what is wrong with the tags.
    fn read_tags(&mut self, first: Token, visitor: &mut impl Visitor) -> io::Result<(Option<Token>, Result<(), Flaw>)> {
        (self.fen, self.variant) = (None, None);
        let mut token = first;
        let mut count = 0;
        let mut state = Ok(());
        loop {
            match token {
                Token::Tag => {
                    let (name, value) = split_tag(self.lexer.text());
                    // A game without moves or result may be followed by another, but some files have empty lines
                    // among the tags.
                    if count > 0 && name == b"Event" && self.lexer.follows_empty_line() {
                        self.pending = Some(token);
                        return Ok((None, state));
                    }
                    count += 1;
                    if count > MOST_TAGS {
                        state = Err(Flaw::TooManyTags);
                    }
                    if name == b"FEN" {
                        self.fen = Some(value.decode().into_owned());
                    } else if name == b"Variant" {
                        self.variant = Some(value.decode().into_owned());
                    }
                    if !name.is_empty() && state.is_ok() {
                        visitor.tag(name, value);
                    }
                    state = state.and_then(|()| self.grow(SIZE_OF_COMMENT + self.lexer.text().len()));
                }
                Token::Comment if state.is_ok() => {
                    visitor.comment(CommentText(self.lexer.text()));
                    state = self.grow(SIZE_OF_COMMENT + self.lexer.text().len());
                }
                Token::Comment => {}
                Token::End => return Ok((None, state)),
                _ => return Ok((Some(token), state)),
            }
            token = self.lexer.next(Context::Tags)?;
        }
    }

    /// Finds the start of the game and tells it, if its tags are good.
    fn begin_moves(&mut self, tags: Result<(), Flaw>, visitor: &mut impl Visitor) {
        self.lines.clear();
        self.attention = Attention::Full;
        match tags.and_then(|()| self.start()) {
            Ok(position) => {
                self.lines.push(Line::new(position));
                if visitor.start(&position) == Interest::Skip {
                    self.attention = Attention::GameSkipped(0);
                }
            }
            Err(flaw) => self.give_up(flaw),
        }
    }

    fn start(&mut self) -> Result<Position, Flaw> {
        if let Some(name) = self.variant.take_if(|name| !is_our_variant(name)) {
            return Err(Flaw::Variant(name));
        }
        let Some(fen) = self.fen.take() else { return Ok(self.initial) };
        let position = fen.trim().parse::<Setup>().and_then(|setup| Ok(setup.playable_position()?));
        position.map_err(|error| Flaw::Start(fen, error))
    }

    fn read_moves(&mut self, first: Token, visitor: &mut impl Visitor) -> io::Result<()> {
        let mut token = first;
        loop {
            match self.handle(token, visitor) {
                Ok(Flow::GoOn) => {}
                Ok(Flow::NextGame) => {
                    self.pending = Some(token);
                    return Ok(());
                }
                Ok(Flow::Result(result)) if self.problem.is_none() => {
                    visitor.result(result);
                    while self.lexer.comment_on_this_line()? {
                        visitor.comment(CommentText(self.lexer.text()));
                    }
                    return Ok(());
                }
                Ok(Flow::Result(_) | Flow::EndOfFile) => return Ok(()),
                Err(flaw) => self.give_up(flaw),
            }
            token = self.lexer.next(Context::Moves)?;
        }
    }

    /// Takes note of what is wrong, and passes over the rest of the game.
    fn give_up(&mut self, flaw: Flaw) {
        let problem = Problem { game: self.games, line: self.lexer.line(), flaw };
        self.problem.get_or_insert(problem);
        self.attention = Attention::GameSkipped(self.depth());
        self.lines.truncate(1);
    }

    /// How many variations are open.
    fn depth(&self) -> u64 {
        let followed = self.lines.len().saturating_sub(1) as u64;
        match self.attention {
            Attention::Full => followed,
            Attention::VariationSkipped(depth) | Attention::LineEnded(depth) => followed + depth,
            Attention::GameSkipped(depth) => depth,
        }
    }

    #[inline]
    fn handle(&mut self, token: Token, visitor: &mut impl Visitor) -> Result<Flow, Flaw> {
        let is_attentive = self.attention == Attention::Full;
        match token {
            Token::Word if is_attentive => return self.handle_word(visitor),
            Token::Word => {
                let result = PgnResult::from_bytes(self.lexer.text()).filter(|_| self.depth() == 0);
                return Ok(result.map_or(Flow::GoOn, Flow::Result));
            }
            Token::Comment if is_attentive => {
                self.grow(SIZE_OF_COMMENT + self.lexer.text().len())?;
                visitor.comment(CommentText(self.lexer.text()));
            }
            Token::Nag(nag) if is_attentive => {
                self.grow(1)?;
                visitor.nag(Nag(nag));
            }
            Token::Comment | Token::Nag(_) => {}
            Token::OpenVariation => self.open_variation(visitor)?,
            Token::CloseVariation => self.close_variation(visitor),
            Token::TooLong => return Err(Flaw::TooLong),
            Token::Unclosed => return Err(Flaw::Unfinished),
            Token::Tag => return Ok(Flow::NextGame),
            Token::End => {
                if self.depth() > 0 {
                    self.give_up(Flaw::Unfinished);
                }
                return Ok(Flow::EndOfFile);
            }
        }
        Ok(Flow::GoOn)
    }

    #[inline]
    fn handle_word(&mut self, visitor: &mut impl Visitor) -> Result<Flow, Flaw> {
        match self.word()? {
            Meaning::Move(mv) => {
                self.grow(SIZE_OF_MOVE)?;
                self.play(mv, visitor);
            }
            Meaning::Nothing if self.is_new_start() => return Ok(Flow::NextGame),
            Meaning::Nothing => {}
            Meaning::Nag(nag) => {
                self.grow(1)?;
                visitor.nag(nag);
            }
            // Annotators write in a variation how it would end.
            Meaning::Result(_) if self.lines.len() > 1 => {}
            Meaning::Result(result) => return Ok(Flow::Result(result)),
            Meaning::Pass if self.lines.len() > 1 => self.attention = Attention::LineEnded(0),
            Meaning::Pass => return Err(Flaw::Pass(decode(self.lexer.text()).into_owned())),
        }
        Ok(Flow::GoOn)
    }

    /// Counts what a game takes, and refuses one that takes too much.
    #[inline]
    fn grow(&mut self, size: usize) -> Result<(), Flaw> {
        self.size += size;
        if self.size > LARGEST_GAME { Err(Flaw::TooLarge) } else { Ok(()) }
    }

    #[inline]
    fn play(&mut self, mv: Move, visitor: &mut impl Visitor) {
        let line = self.lines.last_mut().expect("the main line is always there");
        line.before = line.now;
        line.now = line.before.play_unchecked(mv);
        line.has_moves = true;
        visitor.played(mv, &line.before, &line.now);
    }

    fn open_variation(&mut self, visitor: &mut impl Visitor) -> Result<(), Flaw> {
        match &mut self.attention {
            Attention::VariationSkipped(depth) | Attention::LineEnded(depth) | Attention::GameSkipped(depth) => {
                *depth += 1;
            }
            Attention::Full => {
                // Without a move that it could replace, it means nothing.
                let before = self.lines.last().filter(|line| line.has_moves).map(|line| line.before);
                match before {
                    Some(_) if self.lines.len() > DEEPEST => return Err(Flaw::TooDeep),
                    Some(now) if visitor.begin_variation() == Interest::Read => {
                        self.lines.push(Line::new(now));
                    }
                    _ => self.attention = Attention::VariationSkipped(1),
                }
            }
        }
        Ok(())
    }

    fn close_variation(&mut self, visitor: &mut impl Visitor) {
        match &mut self.attention {
            Attention::VariationSkipped(1) => self.attention = Attention::Full,
            Attention::VariationSkipped(depth) | Attention::LineEnded(depth @ 1..) => *depth -= 1,
            Attention::GameSkipped(depth) => *depth = depth.saturating_sub(1),
            Attention::LineEnded(0) | Attention::Full => {
                self.attention = Attention::Full;
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
            && line.has_moves
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
                if let Some(result) = PgnResult::from_bytes(text) {
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
        b"*" => Ok(Meaning::Result(PgnResult::Unknown)),
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
