//! A game of ours as a game score.

use std::time::Duration;

use records::pgn::{self, GameTree, NodeId};

use super::session::Session;

/// The game with its tags and clocks.
pub(crate) fn tree(session: &Session) -> GameTree {
    let record = session.record();
    let mut tree = GameTree::from(session.game());
    tree.tags.set("Event", "Casual game");
    tree.tags.set("Site", "Saavedra");
    tree.tags.set("Date", &pgn::date_of(record.created / 1000));
    tree.tags.set("Round", "-");
    tree.tags.set("White", record.white.name());
    tree.tags.set("Black", record.black.name());
    if let Some(end) = &record.over {
        tree.tags.set("Result", &end.result);
        tree.tags.set("Termination", &end.reason);
    }
    if let Some(time) = record.time {
        let seconds = |milliseconds: u64| milliseconds as f64 / 1000.0;
        let control = format!("{}+{}", seconds(time.base_ms), seconds(time.increment_ms));
        tree.tags.set("TimeControl", &control);
    }
    let nodes: Vec<NodeId> = tree.mainline().collect();
    let timers = record.timers();
    for (index, (&id, played)) in nodes.iter().zip(&record.moves).enumerate().skip(record.opening) {
        let mover = session.game().positions()[index].turn();
        let clock = timers.as_ref().and_then(|timers| timers.get(index + 1)?[mover].clock());
        let node = tree.node_mut(id);
        node.clock = clock.map(|clock| clock.remaining);
        node.elapsed = clock.is_none().then(|| Duration::from_millis(played.ms));
    }
    tree
}
