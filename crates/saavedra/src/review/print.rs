//! A review as it is read on a terminal, and by programs.

use std::io::{self, Write};

use records::pgn::GameTree;
use review::{Chances, MoveReview, Phase, PlayerReview, Review, ReviewedGameJson};
use rules::Color;

/// Prints a review, in words or as JSON.
pub(super) fn review(
    out: &mut impl Write,
    number: usize,
    tree: &GameTree,
    review: &Review,
    json: bool,
) -> io::Result<()> {
    if json {
        serde_json::to_writer(&mut *out, &ReviewedGameJson::new(number, tree, review))?;
        writeln!(out)?;
        return out.flush();
    }
    let players = ["White", "Black"].map(|tag| tree.tags.get(tag).unwrap_or("?"));
    let result = tree.result().as_str();
    writeln!(out, "Game {number}: {} - {}, {result}", players[0], players[1])?;
    if let Some(opening) = review.opening {
        let left = match review.moves.get(opening.book) {
            Some(judged) => format!(", left by {}", judged.numbered()),
            None => String::new(),
        };
        writeln!(out, "  {}{left}", opening.name)?;
    }
    for color in Color::ALL {
        print_player(out, color, &review.players[color])?;
    }
    for judged in review.moves.iter().filter(|judged| !judged.reasons.is_empty()) {
        print_move(out, judged)?;
    }
    writeln!(out)?;
    out.flush()
}

fn print_player(out: &mut impl Write, color: Color, player: &PlayerReview) -> io::Result<()> {
    let accuracy = player.accuracy.map_or("-".to_owned(), |accuracy| format!("{accuracy:.1} %"));
    write!(out, "  {:<6} accuracy {accuracy:>7}   {} best", color.to_string(), player.best + player.brilliant)?;
    for (count, one, several) in [
        (player.excellent, "excellent", "excellent"),
        (player.good, "good", "good"),
        (player.inaccuracies, "inaccuracy", "inaccuracies"),
        (player.misses, "miss", "misses"),
        (player.mistakes, "mistake", "mistakes"),
        (player.blunders, "blunder", "blunders"),
        (player.missed_wins, "missed win", "missed wins"),
    ] {
        if count > 0 {
            write!(out, ", {count} {}", if count == 1 { one } else { several })?;
        }
    }
    writeln!(out)?;
    let phases =
        Phase::ALL.map(|phase| player.phases.of(phase).map(|accuracy| format!("{} {accuracy:.1} %", phase.name())));
    let phases: Vec<String> = phases.into_iter().flatten().collect();
    if phases.is_empty() { Ok(()) } else { writeln!(out, "         {}", phases.join(", ")) }
}

/// One sentence first, then what else there is to say.
fn print_move(out: &mut impl Write, judged: &MoveReview) -> io::Result<()> {
    let mv = judged.numbered();
    let missed = if judged.missed_win { ", a missed win" } else { "" };
    let mut reasons = judged.reasons.iter();
    let first = reasons.next().map_or_else(String::new, |reason| format!(": {reason}"));
    writeln!(out, "  {mv:<13} {}{missed}{first}", judged.judgement.name())?;
    if judged.judgement.is_error() {
        let percent = |chances: Chances| format!("{:.0} %", 100.0 * chances.points());
        let (before, after) = (percent(judged.chances_before), percent(judged.chances_after));
        let answer = judged.answer().map_or_else(String::new, |line| format!(" after {line}"));
        let (best, outlook) = (judged.outlook_best, judged.outlook);
        writeln!(out, "      winning chances {before} -> {after}, {best} -> {outlook}{answer}")?;
    }
    for reason in reasons {
        writeln!(out, "      {reason}")?;
    }
    Ok(())
}
