//! Games of the server as PGN.

use records::pgn::{self, GameTree, NodeId};
use rules::Position;

use super::record::{Player, Record};
use super::stored_game::StoredGame;

/// What lists tell of a game before it is over: who plays, since when, and the moves that it began with.
pub(crate) fn begun(record: &Record) -> GameTree {
    let mut tree = GameTree::new(record.start_fen.parse().unwrap_or_else(|_| Position::initial()));
    let mut node = NodeId::ROOT;
    for played in &record.moves {
        let Ok(mv) = tree.position(node).parse_uci(&played.uci) else { break };
        let Ok(next) = tree.add(node, mv) else { break };
        node = next;
    }
    let name = |player: &Player| match player {
        Player::Human { name } | Player::Mind { name, .. } => name.clone(),
    };
    tree.tags.set("Event", "Casual game");
    tree.tags.set("Date", &pgn::date_of(record.created / 1000));
    tree.tags.set("White", &name(&record.white));
    tree.tags.set("Black", &name(&record.black));
    tree
}

/// The game with its tags and clocks; without clocks, with the time that each move took.
pub(crate) fn tree(game: &StoredGame) -> GameTree {
    let (record, session) = (game.record(), game.session());
    let mut tree = session.score_sheet(&pgn::date_of(record.created / 1000));
    tree.tags.set("Site", "Saavedra");
    if let Some(result) = session.result() {
        tree.tags.set("Termination", &result.reason);
    }
    let nodes: Vec<NodeId> = tree.mainline().collect();
    for (ply, id) in nodes.into_iter().enumerate() {
        let Some((timed, clock)) = session.timed_move(ply) else { continue };
        let node = tree.node_mut(id);
        node.clock = clock;
        node.elapsed = clock.is_none().then_some(timed.spent);
    }
    tree
}
