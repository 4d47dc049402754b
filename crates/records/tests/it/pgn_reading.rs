//! Games as they are found in real files, and in broken files.

use std::io::{self, Read};

use rules::{Game, Move, Position};
use saavedra_records::pgn::{self, Flaw, GameTree, Nag, NodeId, PgnError, PgnResult, Reader, Visitor};

fn read(text: impl AsRef<[u8]>) -> Vec<Result<GameTree, String>> {
    pgn::games(text.as_ref()).map(|game| game.map_err(|error| error.to_string())).collect()
}

fn read_one(text: impl AsRef<[u8]>) -> GameTree {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).expect("a game")
}

fn moves(tree: &GameTree) -> String {
    let game = tree.game();
    let sans = game.positions().iter().zip(game.moves()).map(|(position, &mv)| position.san(mv));
    sans.collect::<Vec<_>>().join(" ")
}

#[test]
fn moves_are_understood_in_the_many_ways_people_write_them() {
    let cases = [
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *", "e4 e5 Nf3 Nc6 Bb5 a6 O-O"),
        ("1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.0-0 *", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"),
        ("e4 e5 Nf3", "e4 e5 Nf3"),
        ("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1", "e4 e5 Nf3 Nc6 Bb5 a6 O-O"),
        ("1. e2-e4 e7-e5 2. Ng1-f3", "e4 e5 Nf3"),
        ("7. e4 1... e5 3 Nf3 99... Nc6", "e4 e5 Nf3 Nc6"),
        ("1. e4 1. ... e5 2. Nf3 .. Nc6", "e4 e5 Nf3 Nc6"),
        ("1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6", "e4 a6 e5 d5 exd6 cxd6"),
        ("1. e4 a6 2. e5 d5 3. exd6e.p. cxd6", "e4 a6 e5 d5 exd6 cxd6"),
        ("1. e4 a6 2. e5 d5 3. exd6(e.p.) cxd6", "e4 a6 e5 d5 exd6 cxd6"),
        ("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8Q Qxa8", "a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8=Q Qxa8"),
        ("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8(N)", "a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8=N"),
        ("1. e4! e5!? 2. Nf3!! $1 Nc6?? = 1-0", "e4 e5 Nf3 Nc6"),
        ("1. f3 e5 2. g4 Qh4++ 0-1", "f3 e5 g4 Qh4#"),
        ("1.\te4\r\n\r\n\r\ne5\r\n2.\r\nNf3 *\r\n", "e4 e5 Nf3"),
        ("1. e4 ; the best\ne5 ; and\n2. Nf3", "e4 e5 Nf3"),
        ("% an escaped line\n1. e4\n%2. Nf3 {\ne5 *", "e4 e5"),
        ("1. e4 {one} {two\nthree} e5 {} *", "e4 e5"),
        ("1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4) 1... e5 *", "e4 e5"),
        ("1. e4 > e5 ) *", "e4 e5"),
    ];
    for (text, expected) in cases {
        assert_eq!(moves(&read_one(text)), expected, "{text}");
    }
}

#[test]
fn glyphs_comments_and_variations_go_where_they_belong() {
    let tree =
        read_one("{at first} 1. e4! {after e4} ({before d4} 1. d4 $14 {after d4} d5) {more} e5?! $9 (1... c5 +-) *");
    let root = tree.node(NodeId::ROOT);
    assert_eq!(root.comments(), ["at first"]);
    let [e4, d4] = *root.children() else { panic!("two first moves") };
    assert_eq!(tree.node(e4).comments(), ["after e4", "more"]);
    assert_eq!(tree.node(e4).nags, [Nag(1)]);
    assert_eq!(tree.node(d4).comments_before(), ["before d4"]);
    assert_eq!(tree.node(d4).comments(), ["after d4"]);
    assert_eq!(tree.node(d4).nags, [Nag(14)]);
    assert_eq!(tree.node(d4).children().len(), 1);
    let [e5, c5] = *tree.node(e4).children() else { panic!("two answers") };
    assert_eq!((tree.node(e5).nags.as_slice(), tree.node(c5).nags.as_slice()), (&[Nag(6), Nag(9)][..], &[Nag(18)][..]));
    let tagged = read_one("[Event \"x\"]\n{at first} 1. e4 1-0 {at last}");
    assert_eq!(tagged.node(NodeId::ROOT).comments(), ["at first"]);
    assert_eq!(tagged.node(tagged.mainline().last().expect("a move")).comments(), ["at last"]);
}

#[test]
fn a_bad_move_spoils_one_game_and_says_where() {
    let text = "[Event \"one\"]\n\n1. e4 e5 1-0\n\n[Event \"two\"]\n\n1. e4 e5\n2. Ke3 {)} (2. x) Nf6 0-1\n[Event \"three\"]\n\n1. d4 *\n";
    let games = read(text);
    assert_eq!(games.len(), 3);
    assert_eq!(games[1], Err("game 2, line 8: Ke3 is not a legal move here".to_owned()));
    assert_eq!(games[2].as_ref().map(moves), Ok("d4".to_owned()));
    let mut stream = pgn::games(text.as_bytes());
    let kept: Vec<usize> = std::iter::from_fn(|| stream.next_game().expect("memory can be read"))
        .map(|(tree, _)| tree.game().moves().len())
        .collect();
    assert_eq!(kept, [2, 2, 1], "what came before the bad move is there");
    for (text, expected) in [
        ("1. e4 (1. Nf6) e5", "game 1, line 1: Nf6 is not a legal move here"),
        ("1. Nc3 e6 2. e3 e5 3. Ne2", "game 1, line 1: Ne2 is ambiguous: Nge2 or Nce2"),
        ("\n\nGreetings!\n", "game 1, line 3: \"Greetings\" is not a move: expected something like Nf3, exd5 or O-O"),
        ("1. e4 -- 2. d4", "game 1, line 1: -- is no move: players may not pass"),
        ("[FEN \"8/8 w\"]\n\n1. e4", "game 1, line 3: the tag FEN is \"8/8 w\": "),
        ("[Variant \"Atomic\"]\n1. e4", "game 1, line 2: \"Atomic\" is a variant that we do not play"),
        ("1. e4 {and then", "game 1, line 1: the file ends inside a comment or a variation"),
        ("1. e4 (1. d4", "game 1, line 1: the file ends inside a comment or a variation"),
    ] {
        let error = read(text).remove(0).expect_err("a spoiled game");
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_pass_in_a_variation_ends_its_line() {
    let tree = read_one("1. e4 e5 (1... -- 2. d4 (2. Nf3 Nf6) d5) (1... c5 2. Z0 d6) 2. Nf3 *");
    assert_eq!(moves(&tree), "e4 e5 Nf3");
    assert_eq!(tree.move_count(), 4);
}

#[test]
fn games_are_told_apart_without_empty_lines_results_or_tags() {
    let count = |text: &str| read(text).iter().filter(|game| game.is_ok()).count();
    assert_eq!(count("[Event \"a\"]\n1. e4 1-0\n[Event \"b\"]\n1. d4 0-1\n[Event \"c\"]\n1. c4"), 3);
    assert_eq!(count("[Event \"a\"]\n1. e4\n[Event \"b\"]\n1. d4\n"), 2);
    assert_eq!(count("1. e4 1-0 1. d4 0-1 1. c4 *"), 3);
    assert_eq!(count("1. e4 e5 2. Nf3\n\n1. d4 d5 2. c4\n\n1.c4"), 3);
    assert_eq!(count("[Event \"a\"]\n[Site \"b\"]\n\n[Event \"c\"]\n\n*\n"), 2);
    assert_eq!(count("[Event \"a\"]\n\n[Site \"b\"]\n\n\n1. e4\n\n\n1... e5 *\n"), 1);
    assert_eq!(count("[Event \"a\"] [Site \"b\"] 1. e4 1-0 [Event \"c\"] 1. d4 *"), 2);
    assert_eq!(count(""), 0);
    assert_eq!(count("\u{feff}\n \n{nothing but a comment}\n"), 0);
    assert_eq!(count("1. e4 (1. d4 1-0) e5 1/2-1/2"), 1);
}

#[test]
fn tags_are_read_as_they_are_meant() {
    let tree = read_one(
        b"\xef\xbb\xbf[White \"Jos\xe9\"]\r\n[Black \"A \\\"B\\\" \\\\ C:\\d\"]\r\n[Event \"The \"Big\" One\"]\r\n\
          [Opening  \"no end\r\n[ ECO\"C60\" ]\r\n[Result \"1-0\"]\r\n[Empty]\r\n[WhiteElo \"2800\"]\r\n\r\n1. e4 0-1\r\n",
    );
    let tag = |name| tree.tags.get(name);
    assert_eq!(tag("White"), Some("José"));
    assert_eq!(tag("Black"), Some("A \"B\" \\ C:\\d"));
    assert_eq!(tag("Event"), Some("The \"Big\" One"));
    assert_eq!(tag("Opening"), Some("no end"));
    assert_eq!((tag("ECO"), tag("Site"), tag("Date")), (Some("C60"), Some("?"), Some("????.??.??")));
    assert_eq!(tree.result(), PgnResult::WhiteWins, "the tag is right unless it knows nothing");
    assert_eq!(read_one("[Result \"*\"]\n1. e4 0-1").result(), PgnResult::BlackWins);
    assert_eq!(read_one("[Result \"won\"]\n1. e4").result(), PgnResult::Unknown);
}

#[test]
fn games_start_where_their_tags_say() {
    let fen = "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1";
    let tree = read_one(format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n[Variant \"fischerandom\"]\n\n1. Ne3 Ne6 2. O-O *"));
    assert_eq!(tree.start().to_string(), fen);
    assert_eq!(moves(&tree), "Ne3 Ne6 O-O");
    assert_eq!(tree.tags.get("FEN"), None);
    assert_eq!(tree.tags.get("Variant"), Some("fischerandom"));
    let black = read_one("[FEN \"4k3/8/8/8/8/8/4p3/2K5 b - - 3 40\"]\n40... e1=Q+ 41. Kb2 *");
    assert_eq!(moves(&black), "e1=Q+ Kb2");
}

/// Gives out a text in small pieces, to meet every edge of a buffer.
struct Drip<'a>(&'a [u8], usize);

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

#[test]
fn where_the_buffer_ends_makes_no_difference() {
    let game = "[Event \"a\"]\n\n1. e4 {comment here} e5 (1... c5 $5) 2. Nf3!? Nc6 3. Bb5 a6 4. O-O 1/2-1/2\n\n";
    let text = game.repeat(3_000);
    let whole = read(&text);
    assert_eq!(whole.len(), 3_000);
    for size in [1, 7, 1_000, 65_537] {
        let pieces: Vec<_> = pgn::games(Drip(text.as_bytes(), size)).map(|game| game.expect("a game")).collect();
        assert!(pieces.iter().eq(whole.iter().flatten()), "pieces of {size}");
    }
}

#[test]
fn any_end_of_a_file_is_survived() {
    let text = "\u{feff}[Event \"a\"]\n\n1. e4 {comment} e5 (1... c5 $5) 2. Nf3!? ; so\n 1/2-1/2\n\n[Event \"b\"]\n\n1. d4 *\n";
    for end in 0..text.len() {
        let cut = &text.as_bytes()[..end];
        for game in pgn::games(cut) {
            match game {
                Ok(_) | Err(PgnError::Game(_)) => {}
                Err(PgnError::Io(error)) => panic!("{error}"),
            }
        }
    }
}

#[derive(Default)]
struct Count {
    moves: usize,
    comments: usize,
}

impl Visitor for Count {
    fn played(&mut self, mv: Move, before: &Position, after: &Position) {
        assert_eq!(before.play(mv).expect("a legal move"), *after);
        self.moves += 1;
    }

    fn comment(&mut self, _text: pgn::CommentText<'_>) {
        self.comments += 1;
    }
}

#[test]
fn hostile_input_neither_overflows_nor_fills_memory() {
    let flaw_of = |text: String, follow: &str| {
        let text = format!("{text}\n\n[Event \"next\"]\n\n1. e4 *\n{follow}");
        let mut reader = Reader::new(text.as_bytes());
        let mut count = Count::default();
        let first = reader.read_game(&mut count).expect("memory can be read").expect("a game");
        let mut games = 1;
        while reader.read_game(&mut count).expect("memory can be read").is_some() {
            games += 1;
        }
        (first.problem.map(|problem| problem.flaw), games)
    };
    let million = 1_000_000;
    assert_eq!(flaw_of("1. e4 ".to_owned() + &"(1. d4 ".repeat(million), ""), (Some(Flaw::TooDeep), 2));
    assert_eq!(flaw_of("1. e4 ".to_owned() + &"(".repeat(million), ""), (None, 2), "nothing to replace in a variation");
    assert_eq!(flaw_of("1. e4 ".to_owned() + &")".repeat(million), ""), (None, 2));
    assert_eq!(flaw_of("1. e4 ".to_owned() + &"e".repeat(2 * million) + " 1-0", ""), (Some(Flaw::TooLong), 2));
    assert_eq!(flaw_of("1. e4 {".to_owned() + &"long ".repeat(million) + "} 1-0", ""), (Some(Flaw::TooLong), 2));
    assert_eq!(flaw_of("1. e4 1-0\n".to_owned() + &"{} ".repeat(million), ""), (None, 2));
    assert_eq!(flaw_of("[Event \"a".to_owned() + &"x".repeat(2 * million) + "\"]\n1. e4 1-0", ""), (None, 2));
    assert_eq!(flaw_of("1. e4 $".to_owned() + &"9".repeat(million), ""), (None, 2));
    assert_eq!(flaw_of("1. e4 ".to_owned() + &"!?".repeat(million), ""), (None, 2));
    let tags: String = (0..78_000).map(|number| format!("[Tag{number} \"?\"]\n")).collect();
    assert_eq!(flaw_of(tags + "\n1. e4 1-0", ""), (Some(Flaw::TooManyTags), 2));
    assert_eq!(flaw_of("Nf3 Nf6 Ng1 Ng8 ".repeat(million / 4), ""), (Some(Flaw::TooLarge), 2));
    assert_eq!(flaw_of("1. e4 ".to_owned() + &"{so good}".repeat(million), ""), (Some(Flaw::TooLarge), 2));
}

#[test]
fn a_small_file_that_unpacks_to_an_endless_game_is_read_to_its_end() {
    let endless = "Nf3 Nf6 Ng1 Ng8 ".repeat(1 << 20) + "\n\n[Event \"next\"]\n\n1. e4 *\n";
    let packed = zstd::encode_all(endless.as_bytes(), 1).expect("memory can be written");
    assert!(packed.len() < endless.len() / 1_000, "{} bytes", packed.len());
    let stream = saavedra_records::source::unwrap("bomb.pgn.zst", std::io::Cursor::new(packed)).expect("a stream");
    let mut games = pgn::games(stream);
    let (tree, problem) = games.next_game().expect("a sound stream").expect("a game");
    assert_eq!(
        problem.expect("it is too large").to_string(),
        "game 1, line 1: the game takes more than 64 MiB of memory"
    );
    assert!((100_000..1_000_000).contains(&tree.game().moves().len()), "the good part is kept");
    let (tree, problem) = games.next_game().expect("a sound stream").expect("a game");
    assert_eq!((tree.game().moves().len(), problem), (1, None));
}

#[test]
fn a_stream_that_never_ends_is_given_up_where_no_game_ends() {
    let told = |stream: &mut dyn Read| {
        let mut reader = Reader::new(stream);
        let error = loop {
            match reader.read_game(&mut Count::default()) {
                Ok(Some(_)) => {}
                Ok(None) => panic!("it has no end"),
                Err(error) => break error,
            }
        };
        error.to_string()
    };
    assert_eq!(told(&mut io::repeat(0)), "no game ends within 256 MiB");
    assert_eq!(told(&mut io::repeat(b'x')), "no game ends within 256 MiB");
    let games = "1. e4 *\n".repeat(1_000);
    assert_eq!(told(&mut games.as_bytes().chain(io::repeat(b'{'))), "no game ends within 256 MiB");
}

#[test]
fn a_visitor_may_pass_over_moves_and_variations() {
    struct MainlineOfFirst(u32, Vec<Move>);
    impl Visitor for MainlineOfFirst {
        fn start(&mut self, _position: &Position) -> pgn::Interest {
            self.0 += 1;
            if self.0 == 1 { pgn::Interest::Read } else { pgn::Interest::Skip }
        }
        fn played(&mut self, mv: Move, _before: &Position, _after: &Position) {
            self.1.push(mv);
        }
        fn begin_variation(&mut self) -> pgn::Interest {
            pgn::Interest::Skip
        }
    }
    let mut visitor = MainlineOfFirst(0, Vec::new());
    let text = "1. e4 (1. d4 nonsense (1. c4)) e5 1-0\n\n1. nonsense ({)} (1. d4)) e5 1-0\n\n1. Nf3 1-0";
    let mut reader = Reader::new(text.as_bytes());
    while let Some(report) = reader.read_game(&mut visitor).expect("memory can be read") {
        assert_eq!(report.problem, None);
    }
    let mut expected = Game::default();
    for san in ["e4", "e5"] {
        let mv = expected.position().parse_san(san).expect("legal");
        expected.play(mv).expect("legal");
    }
    assert_eq!((visitor.0, visitor.1.as_slice()), (3, expected.moves()));
}

/// A stream that gives one line at a time, and counts them.
struct Lines<'a>(std::str::SplitInclusive<'a, char>, usize);

impl Read for Lines<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(line) = self.0.next() else { return Ok(0) };
        self.1 += 1;
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

#[test]
fn a_game_with_a_result_takes_no_line_behind_it_from_the_stream() {
    let text = "[Event \"a\"]\n\n1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. d4\n\n[Event \"c\"]\n\n1. c4 *\n";
    struct Ignores;
    impl Visitor for Ignores {}

    let mut lines = Lines(text.split_inclusive('\n'), 0);
    let mut reader = Reader::new(&mut lines);
    reader.read_game(&mut Ignores).expect("memory can be read");
    assert_eq!(reader.unread(), b"\n");
    reader.read_game(&mut Ignores).expect("memory can be read");
    assert_eq!(reader.unread(), b"[Event \"c\"]\n", "the line that ended a game without a result");
    drop(reader);
    assert_eq!(lines.1, 9);
}
