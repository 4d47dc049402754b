//! A review written into the game: glyphs, evaluations, words, and the better line as a variation.

use records::pgn::{Eval, GameTree, Nag, NodeId};
use rules::{Color, Move};

use crate::{MoveReview, Reason, Review, Variation};

/// Who is said to have annotated the game.
const ANNOTATOR: &str = "Saavedra";

/// Moves of a better line that are written down. More than a reader follows are no help.
const PLIES_SHOWN: usize = 10;

/// Whether a game has been reviewed before.
pub fn is_reviewed(tree: &GameTree) -> bool {
    tree.tags.get("Annotator") == Some(ANNOTATOR) && Color::ALL.iter().any(|&color| has_accuracy(tree, color))
}

fn has_accuracy(tree: &GameTree, color: Color) -> bool {
    tree.tags.get(accuracy_tag(color)).is_some()
}

fn accuracy_tag(color: Color) -> &'static str {
    match color {
        Color::White => "WhiteAccuracy",
        Color::Black => "BlackAccuracy",
    }
}

/// Writes a review of the moves that were played into their game.
///
/// What people have said stays: comments are added, and of the glyphs only those that judge a move (`$1` to `$6`) are
/// replaced where the review has a judgement of its own. Evaluations are replaced.
pub fn annotate(tree: &mut GameTree, review: &Review) {
    tree.tags.set("Annotator", ANNOTATOR);
    for color in Color::ALL {
        match review.players[color].accuracy {
            Some(accuracy) => tree.tags.set(accuracy_tag(color), &format!("{accuracy:.1}")),
            None => tree.tags.remove(accuracy_tag(color)),
        }
    }
    let nodes: Vec<NodeId> = tree.mainline().collect();
    let mut parent = NodeId::ROOT;
    for (node, review) in nodes.into_iter().zip(&review.moves) {
        annotate_move(tree, parent, node, review);
        parent = node;
    }
}

fn annotate_move(tree: &mut GameTree, parent: NodeId, id: NodeId, review: &MoveReview) {
    let node = tree.node_mut(id);
    if let Some(score) = review.outlook.evaluation() {
        node.eval = Some(Eval { score, depth: None });
    }
    if let Some(nag) = review.nag() {
        const JUDGING: std::ops::RangeInclusive<u8> = 1..=6;
        node.nags.retain(|nag| !JUDGING.contains(&nag.0));
        node.nags.insert(0, Nag(nag));
    }
    if let Some(words) = words(review) {
        let text = match drawings(review) {
            Some(drawings) => format!("{words} {drawings}"),
            None => words,
        };
        // A game that is reviewed again need not say the same twice.
        if !node.comments().contains(&text) {
            node.add_comment(&text);
        }
    }
    if review.judgement.is_error() {
        add_variation(tree, parent, &review.best.moves()[..review.best.moves().len().min(PLIES_SHOWN)]);
    }
}

/// What is said of a move: its name, and the reasons. The better line itself is a variation, and only its worth is
/// told.
fn words(review: &MoveReview) -> Option<String> {
    let mut sentences = Vec::new();
    if review.judgement.is_error() {
        let mut name = review.judgement.name().to_owned();
        name[..1].make_ascii_uppercase();
        let answer = review.answer().map_or_else(String::new, |line| format!(": {line}"));
        sentences.push(format!("{name}{}{answer}.", if review.missed_win { ", a missed win" } else { "" }));
    }
    for reason in &review.reasons {
        let mut text = match (reason, review.best.first()) {
            (Reason::BetterLine(better), Some(best)) => {
                format!("better: {} ({})", review.position.san(best), better.outlook)
            }
            _ => reason.to_string(),
        };
        text[..1].make_ascii_uppercase();
        sentences.push(format!("{text}."));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The reply that shows what is wrong with a move as a red arrow, and the pieces that are attacked as red circles, in
/// the commands that lichess and ChessBase read. They are drawn in the position after the move, so a better move has
/// none.
fn drawings(review: &MoveReview) -> Option<String> {
    let after = review.position.play_unchecked(review.mv);
    let first = |line: Option<Variation>| line.filter(|line| *line.start() == after)?.first();
    let told = review.reasons.iter().find_map(|reason| Some((first(reason.line())?, reason.squares())));
    let (reply, squares) = told.or_else(|| Some((first(review.answer())?, Vec::new())))?;
    let own = after.by_color(review.color());
    let circles: Vec<String> =
        squares.iter().filter(|&&square| own.contains(square)).map(|square| format!("R{square}")).collect();
    let circles = if circles.is_empty() { String::new() } else { format!("[%csl {}] ", circles.join(",")) };
    Some(format!("{circles}[%cal R{}{}]", reply.from(), reply.to()))
}

/// Adds a variation, along one that is there already as far as they agree.
fn add_variation(tree: &mut GameTree, parent: NodeId, moves: &[Move]) {
    let (mut at, mut rest) = (parent, moves);
    while let Some((first, others)) = rest.split_first() {
        let same = tree.node(at).children().iter().copied().find(|&child| tree.node(child).mv() == Some(*first));
        let Some(same) = same else { break };
        (at, rest) = (same, others);
    }
    // The moves are legal: they are a line that was found from this very position.
    let _ = tree.add_line(at, rest);
}
