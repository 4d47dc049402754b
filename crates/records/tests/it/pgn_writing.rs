//! What is written is exact, and reads back as it was.

use crate::support::random_tree;
use rules::{Game, Position};
use saavedra_records::pgn::{self, GameTree, Nag, NodeId};

fn read_one(text: &str) -> GameTree {
    pgn::games(text.as_bytes()).next().expect("a game").expect("a good one")
}

fn game(moves: &str) -> Game {
    let mut game = Game::default();
    for san in moves.split_whitespace() {
        let mv = game.position().parse_san(san).expect("a legal move");
        game.play(mv).expect("a legal move");
    }
    game
}

#[test]
fn a_game_has_seven_tags_its_moves_and_its_result() {
    let mut tree = GameTree::from(&game("e4 e5 Nf3"));
    tree.tags.set("TimeControl", "300+3");
    tree.tags.set("Event", "A \"casual\" game");
    tree.tags.set("Black", "a\\b\nc");
    assert_eq!(
        tree.to_string(),
        "[Event \"A \\\"casual\\\" game\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
         [White \"?\"]\n[Black \"a\\\\b c\"]\n[Result \"*\"]\n[TimeControl \"300+3\"]\n\n\
         1. e4 e5 2. Nf3 *\n"
    );
    assert!(GameTree::from(&game("f3 e5 g4 Qh4")).to_string().ends_with("2. g4 Qh4# 0-1\n"));
}

#[test]
fn numbers_follow_whatever_breaks_the_line() {
    let text = "1. e4 $1 {a} 1... e5 (1... c5 {b} 2. Nf3 (2. c3 d5) 2... d6) ({c} 1... e6) 2.\nNf3 Nc6 *\n";
    let tree = read_one(text);
    let written = tree.to_string();
    assert_eq!(written.split_once("\n\n").expect("an empty line ends the tags").1, text);
}

#[test]
fn a_game_from_elsewhere_tells_where_it_began() {
    let fen = "4k3/8/8/8/8/8/4p3/2K5 b - - 3 40";
    let mut game = Game::new(fen.parse().expect("a position"));
    for san in ["e1=Q+", "Kb2"] {
        let mv = game.position().parse_san(san).expect("a legal move");
        game.play(mv).expect("a legal move");
    }
    let text = GameTree::from(&game).to_string();
    assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")), "{text}");
    assert!(text.ends_with("\n\n40... e1=Q+ 41. Kb2 *\n"), "{text}");
    let chess960 = GameTree::new(Position::chess960(0).expect("0 to 959 exist")).to_string();
    assert!(chess960.contains("[Variant \"Chess960\"]\n"), "{chess960}");
    assert!(!GameTree::default().to_string().contains("Variant"));
}

#[test]
fn lines_of_moves_end_before_the_eightieth_column() {
    let tree = GameTree::from(&game(&"Nf3 Nf6 Ng1 Ng8 ".repeat(30)));
    let text = tree.to_string();
    let (_, moves) = text.split_once("\n\n").expect("an empty line ends the tags");
    assert!(moves.lines().all(|line| line.len() < 80 && line == line.trim()), "{moves}");
    assert!(moves.lines().rev().skip(1).all(|line| line.len() > 70), "{moves}");
    assert_eq!(moves.split_whitespace().count(), 60 + 120 + 1);
}

#[test]
fn what_is_written_reads_back_as_it_was() {
    let mut file = String::new();
    let trees: Vec<GameTree> = (0..200).map(random_tree).collect();
    for tree in &trees {
        file.push_str(&format!("{tree}\n"));
    }
    assert!(trees.iter().map(GameTree::move_count).sum::<usize>() > 15_000);
    let read: Vec<GameTree> = pgn::games(file.as_bytes()).map(|game| game.expect("a good game")).collect();
    assert_eq!(read.len(), trees.len());
    for (before, after) in trees.iter().zip(&read) {
        assert!(before == after, "{before}\nis not\n{after}");
        assert_eq!(before.to_string(), after.to_string());
    }
    for line in file.lines().filter(|line| !line.starts_with('[')) {
        assert!(line.chars().count() < 80, "{line}");
    }
}

#[test]
fn trees_are_equal_if_they_say_the_same() {
    let start = Position::initial();
    let mv = |san: &str| start.parse_san(san).expect("a legal move");
    let mut one = GameTree::default();
    let e4 = one.add(NodeId::ROOT, mv("e4")).expect("legal");
    one.add(NodeId::ROOT, mv("d4")).expect("legal");
    let reply = one.position(e4).parse_san("e5").expect("a legal move");
    one.add(e4, reply).expect("legal");
    let mut other = GameTree::default();
    other.add_line(NodeId::ROOT, &[mv("e4"), reply]).expect("legal");
    assert_ne!(one, other);
    other.add(NodeId::ROOT, mv("d4")).expect("legal");
    assert_eq!(one, other);
    other.node_mut(NodeId::ROOT).nags.push(Nag(1));
    assert_ne!(one, other);
    assert!(one.add_line(e4, &[reply, reply]).is_err());
    assert_eq!(one.move_count(), 3, "a line that is not legal is not added");
}
