//! Games of the server as PGN.

use records::pgn::{self, GameTree, NodeId};

use super::stored_game::StoredGame;

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
