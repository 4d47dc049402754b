//! Claims about two plies: a move after which, whatever the reply, a capture wins material.
//!
//! A fork, a pin or a discovered attack is only called one if it is proven here: every legal reply is tried, and after
//! each there must be a capture of the kind the name promises that wins, with all that follows on its square, what is
//! claimed.

use std::fmt;

use rules::{Bitboard, Move, Pin, Position, Role, Square, attacks};

use crate::exchange::{gain, value_of};

/// Less than a minor piece for a pawn is left to the search.
pub(crate) const WORTH_A_NAME: i32 = 200;

/// The kinds of tactics that can be proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TacticKind {
    /// One piece attacks several.
    Fork,
    /// A piece may not leave its line to the king, and is lost.
    Pin,
    /// A piece is attacked with another behind it, which is lost when the first one moves away.
    Skewer,
    /// A move opens the line of a piece behind it.
    DiscoveredAttack,
    /// A piece is attacked and cannot be saved.
    Trap,
}

impl fmt::Display for TacticKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TacticKind::Fork => "fork",
            TacticKind::Pin => "pin",
            TacticKind::Skewer => "skewer",
            TacticKind::DiscoveredAttack => "discovered attack",
            TacticKind::Trap => "trapped piece",
        })
    }
}

/// A move after which a capture wins material, whatever the reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tactic {
    /// What it is called.
    pub kind: TacticKind,
    /// Before the move.
    pub position: Position,
    /// The move.
    pub mv: Move,
    /// The piece that attacks: it has moved, or its line was opened; for a pin, the pinner.
    pub attacker: Square,
    /// What is attacked: the king in check, and whatever is lost after one reply or another.
    pub targets: Vec<(Square, Role)>,
    /// What is won at least, in centipawns, with what the move itself takes.
    pub wins: i32,
}

impl Tactic {
    /// The tactic of a legal move, if it can be proven to be one.
    pub fn of(position: &Position, mv: Move) -> Option<Tactic> {
        let after = position.play_unchecked(mv);
        // Mate and stalemate have better names.
        if !after.has_legal_moves() {
            return None;
        }
        fork(position, mv, &after)
            .or_else(|| skewer(position, mv, &after))
            .or_else(|| discovery(position, mv, &after))
            .or_else(|| pin(position, mv, &after))
            .or_else(|| trap(position, mv, &after))
    }
}

/// What captures of some kind win after every reply.
struct Harvest {
    /// The least, over all replies, that the best of them wins.
    least: i32,
    /// What was taken after one reply or another, and from where.
    used: Vec<Move>,
}

/// Tries every reply in a position, and after each the captures that are asked for. None, if a reply leaves nothing.
fn harvest(position: &Position, is_asked_for: impl Fn(Move) -> bool) -> Option<Harvest> {
    harvest_after(position, |_, capture| is_asked_for(capture))
}

/// The same where it matters what the reply was, which comes first.
fn harvest_after(position: &Position, is_asked_for: impl Fn(Move, Move) -> bool) -> Option<Harvest> {
    let mut harvest = Harvest { least: i32::MAX, used: Vec::new() };
    for &reply in &position.legal_moves() {
        let next = position.play_unchecked(reply);
        let captures = next.captures();
        let wins = captures.iter().filter(|&&mv| is_asked_for(reply, mv) && next.is_capture(mv));
        let (won, capture) = wins.filter_map(|&mv| Some((kept_by(&next, mv)?, mv))).max_by_key(|&(won, _)| won)?;
        let net = won - gain(position, reply);
        if net <= 0 {
            return None;
        }
        harvest.least = harvest.least.min(net);
        harvest.used.push(capture);
    }
    (harvest.least < i32::MAX).then_some(harvest)
}

/// What a capture wins if the opponent either takes back or takes something else.
fn kept_by(position: &Position, capture: Move) -> Option<i32> {
    let won = value_of(position, capture)?;
    let after = position.play_unchecked(capture);
    let replies = after.captures();
    let others = replies.iter().filter(|&&reply| reply.to() != capture.to() && after.is_capture(reply));
    let lost = others.filter_map(|&reply| value_of(&after, reply)).max().unwrap_or(0);
    Some(won.min(gain(position, capture) - lost.max(0)))
}

/// The pieces of the player to move on some squares, the king among them if it is attacked from there.
fn targets(after: &Position, attacker: Square, used: &[Move]) -> Vec<(Square, Role)> {
    let squares =
        used.iter().filter(|mv| mv.from() == attacker).fold(Bitboard::EMPTY, |all, mv| all | mv.to().bitboard());
    let king = after.king(after.turn());
    let checked = if after.checkers().contains(attacker) { king.bitboard() } else { Bitboard::EMPTY };
    let squares = (squares & after.by_color(after.turn())) | checked;
    squares.into_iter().filter_map(|square| Some((square, after.role_at(square)?))).collect()
}

fn fork(position: &Position, mv: Move, after: &Position) -> Option<Tactic> {
    let attacker = mv.to();
    let attacked = attacks::of(after.role_at(attacker)?, !after.turn(), attacker, after.occupied());
    let candidates = attacked & after.by_color(after.turn());
    if !candidates.more_than_one() {
        return None;
    }
    let harvest = harvest(after, |capture| capture.from() == attacker && candidates.contains(capture.to()))?;
    let targets = targets(after, attacker, &harvest.used);
    let wins = harvest.least + gain(position, mv);
    (targets.len() >= 2 && wins >= WORTH_A_NAME).then_some(Tactic {
        kind: TacticKind::Fork,
        position: *position,
        mv,
        attacker,
        targets,
        wins,
    })
}

fn discovery(position: &Position, mv: Move, after: &Position) -> Option<Tactic> {
    let us = position.turn();
    let sliders = [Role::Bishop, Role::Rook, Role::Queen];
    let opened = |slider: &Square| {
        let Some(piece) = position.piece_at(*slider) else { return false };
        let reach = |position: &Position| attacks::of(piece.role, us, *slider, position.occupied());
        // The line goes on where the piece stood that moved away.
        (reach(after) - reach(position)).intersects(after.by_color(!us)) && reach(position).contains(mv.from())
    };
    let ours = sliders.into_iter().fold(Bitboard::EMPTY, |all, role| all | position.pieces(role, us));
    let slider = (ours - mv.from().bitboard()).into_iter().find(opened)?;
    let harvest = harvest(after, |capture| capture.from() == slider || capture.from() == mv.to())?;
    let targets = targets(after, slider, &harvest.used);
    let wins = harvest.least + gain(position, mv);
    (!targets.is_empty() && wins >= WORTH_A_NAME).then_some(Tactic {
        kind: TacticKind::DiscoveredAttack,
        position: *position,
        mv,
        attacker: slider,
        targets,
        wins,
    })
}

fn pin(position: &Position, mv: Move, after: &Position) -> Option<Tactic> {
    let mut pins: Vec<Pin> = after.pins(after.turn()).collect();
    pins.sort_by_key(|pin| pin.pinned);
    for Pin { pinned, pinner } in pins {
        let Some(harvest) = harvest(after, |capture| capture.to() == pinned) else { continue };
        let wins = harvest.least + gain(position, mv);
        if wins >= WORTH_A_NAME {
            let targets = vec![(pinned, after.role_at(pinned)?)];
            return Some(Tactic { kind: TacticKind::Pin, position: *position, mv, attacker: pinner, targets, wins });
        }
    }
    None
}

fn skewer(position: &Position, mv: Move, after: &Position) -> Option<Tactic> {
    let (attacker, them) = (mv.to(), after.turn());
    let role = after.role_at(attacker).filter(|role| matches!(role, Role::Bishop | Role::Rook | Role::Queen))?;
    let reach = |occupied| attacks::of(role, !them, attacker, occupied);
    for front in reach(after.occupied()) & after.by_color(them) {
        let behind = (reach(after.occupied() - front.bitboard()) - reach(after.occupied())) & after.by_color(them);
        let Some(behind) = behind.into_iter().next() else { continue };
        let Some(harvest) =
            harvest(after, |capture| capture.from() == attacker && [front, behind].contains(&capture.to()))
        else {
            continue;
        };
        let wins = harvest.least + gain(position, mv);
        // If the piece behind is never taken, the one in front is simply lost.
        if wins >= WORTH_A_NAME && harvest.used.iter().any(|capture| capture.to() == behind) {
            let targets = vec![(front, after.role_at(front)?), (behind, after.role_at(behind)?)];
            return Some(Tactic { kind: TacticKind::Skewer, position: *position, mv, attacker, targets, wins });
        }
    }
    None
}

fn trap(position: &Position, mv: Move, after: &Position) -> Option<Tactic> {
    // What is lost because a check has to be answered first is not trapped.
    if after.is_check() {
        return None;
    }
    let them = after.turn();
    let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let targets = pieces.into_iter().fold(Bitboard::EMPTY, |all, role| all | after.pieces(role, them));
    for square in targets {
        let attackers = after.attackers(square) & after.by_color(!them);
        let Some(attacker) = attackers.into_iter().next() else { continue };
        // What could be taken before the move was not trapped by it.
        let could_be_taken = position.captures().iter().any(|&capture| {
            capture.to() == square && value_of(position, capture).is_none_or(|value| value >= WORTH_A_NAME)
        });
        if could_be_taken {
            continue;
        }
        // Wherever the piece goes, it is taken there.
        let is_asked_for =
            |reply: Move, capture: Move| capture.to() == if reply.from() == square { reply.to() } else { square };
        let Some(harvest) = harvest_after(after, is_asked_for) else { continue };
        let wins = harvest.least + gain(position, mv);
        if wins >= WORTH_A_NAME {
            let targets = vec![(square, after.role_at(square)?)];
            return Some(Tactic { kind: TacticKind::Trap, position: *position, mv, attacker, targets, wins });
        }
    }
    None
}
