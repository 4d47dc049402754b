//! Trees of searches: whole, true to the rules, and no larger than asked for.

use std::collections::BTreeMap;

use crate::common::{START, position};
use review::{Bounds, Method, Outlook, Trace, VisitKind, trace};
use rules::{Game, Perft};
use saavedra_review as review;
use search::Control;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

fn traced(fen: &str, method: Method, bounds: Bounds) -> Trace {
    trace(&Game::new(position(fen)), method, &bounds, &Control::new())
}

fn everything(fen: &str, method: Method, depth: usize) -> Trace {
    traced(fen, method, Bounds { depth, most_searched: 1_000_000, most_shown: 1_000_000 })
}

/// A tree holds together: parents come first, moves are legal where they are played, counts add up.
fn check(trace: &Trace, fen: &str) {
    let mut positions = vec![position(fen)];
    let mut children: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (index, node) in trace.nodes.iter().enumerate().skip(1) {
        let parent = node.parent.expect("only the root has no parent");
        assert!(parent < index);
        let before = positions[parent];
        let after = match (node.kind, &node.uci) {
            (VisitKind::Verification, None) => before,
            (VisitKind::Pass, None) => before.null_move().expect("no null move in check"),
            (_, Some(uci)) => before.play(before.parse_uci(uci).expect("a legal move")).expect("a legal move"),
            (_, None) => panic!("a node without a move: {node:?}"),
        };
        if let (Some(alpha), Some(beta)) = (node.alpha, node.beta) {
            assert!(alpha < beta, "{node:?}");
        }
        positions.push(after);
        if let Some(uci) = node.uci.as_deref().filter(|_| !node.is_again) {
            children.entry(parent).or_default().push(uci);
        }
    }
    assert_eq!(trace.shown, trace.nodes.len());
    assert_eq!(trace.nodes.iter().map(|node| node.hidden).sum::<u64>(), trace.hidden);
    if trace.hidden == 0 {
        for (index, node) in trace.nodes.iter().enumerate().filter(|(_, node)| node.ending != "horizon") {
            let mut known: Vec<&str> = children.get(&index).cloned().unwrap_or_default();
            known.extend(node.skipped.iter().map(|skipped| skipped.uci.as_str()));
            known.sort_unstable();
            known.dedup();
            assert_eq!(known.len() + node.never_tried, positions[index].legal_move_count(), "{node:?}");
        }
    }
}

#[test]
fn minimax_visits_what_perft_counts_and_alpha_beta_finds_the_same_with_less() {
    for (fen, depth) in [(START, 3), (KIWIPETE, 2), (ENDGAME, 3)] {
        let traces = Method::ALL.map(|method| everything(fen, method, depth));
        for trace in &traces {
            check(trace, fen);
            assert!(trace.is_complete && trace.hidden == 0, "{}", trace.method);
            assert_eq!(trace.totals.endings.values().sum::<u64>(), trace.totals.nodes);
        }
        let [minimax, unordered, ordered, full] = &traces;
        let leaves: u64 = (0..=depth)
            .map(|plies| Perft::new().count(&position(fen), plies as u32).expect("no table, no failure"))
            .sum();
        assert_eq!(minimax.totals.nodes, leaves);
        assert_eq!(minimax.totals.never_tried, 0);
        assert_eq!((minimax.score, &minimax.best), (unordered.score, &unordered.best));
        assert_eq!((minimax.score, &minimax.best), (ordered.score, &ordered.best));
        assert!(unordered.totals.nodes < minimax.totals.nodes);
        assert!(ordered.totals.never_tried > 0 && ordered.totals.endings["beta_cutoff"] > 0);
        assert!(full.totals.endings.len() > ordered.totals.endings.len(), "{:?}", full.totals);
    }
    let nodes = |method| everything(KIWIPETE, method, 3).totals.nodes;
    assert!(nodes(Method::AlphaBeta) < nodes(Method::AlphaBetaUnordered), "captures are worth trying first");
}

#[test]
fn a_tree_is_no_larger_than_asked_for_and_its_first_levels_are_whole() {
    let bounds = Bounds { depth: 4, most_searched: 1_000_000, most_shown: 100 };
    for method in Method::ALL {
        // The full search needs more depth to have so much to show.
        let depth = if method == Method::Full { 6 } else { bounds.depth };
        let trace = traced(START, method, Bounds { depth, ..bounds });
        check(&trace, START);
        assert_eq!(trace.shown, 100);
        assert!(trace.hidden > 0);
        // A search that verifies something about a node has its ply, but no move of its own.
        let firsts = trace.nodes.iter().filter(|node| node.ply == 1 && node.kind != VisitKind::Verification);
        assert_eq!(firsts.filter(|node| !node.is_again).count(), 20, "{method}");
    }
    assert_eq!(traced(START, Method::Full, Bounds { most_shown: 0, ..bounds }).shown, 1, "the root is always there");
}

#[test]
fn a_search_that_takes_too_long_is_ended_and_says_so() {
    for method in Method::ALL {
        let trace = traced(KIWIPETE, method, Bounds { depth: 20, most_searched: 5_000, most_shown: 10_000 });
        assert!(!trace.is_complete, "{method}");
        assert!(trace.totals.nodes <= 5_001, "{method}: {}", trace.totals.nodes);
        assert_eq!(trace.nodes.iter().map(|node| node.hidden).sum::<u64>(), trace.hidden);
    }
    let stopped = Control::new();
    stopped.stop();
    let game = Game::new(position(KIWIPETE));
    let bounds = Bounds { depth: 20, most_searched: 100_000_000, most_shown: 10 };
    for method in Method::ALL {
        assert!(!trace(&game, method, &bounds, &stopped).is_complete, "{method}");
    }
}

#[test]
fn without_a_move_the_root_is_mate_or_stalemate() {
    for (fen, ending) in
        [("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "mate"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate")]
    {
        for method in [Method::Minimax, Method::AlphaBeta] {
            let trace = everything(fen, method, 3);
            assert_eq!((trace.nodes.len(), trace.nodes[0].ending), (1, ending));
            assert!(trace.is_complete && trace.best.moves().is_empty());
        }
        let full = everything(fen, Method::Full, 3);
        assert!(full.nodes.is_empty() && full.is_complete, "there is nothing to search");
    }
}

#[test]
fn the_full_search_shows_its_own_reasons() {
    let trace = everything(KIWIPETE, Method::Full, 9);
    check(&trace, KIWIPETE);
    for ending in ["beta_cutoff", "table", "stand_pat", "null_move", "reverse_futility"] {
        assert!(trace.totals.endings.contains_key(ending), "{ending}: {:?}", trace.totals);
    }
    assert!(trace.totals.skips.contains_key("late_move"), "{:?}", trace.totals);
    assert!(trace.totals.quiescence_nodes > 0 && trace.totals.evaluations > 0);
}

#[test]
fn a_trace_is_json_and_a_method_has_a_name() {
    let trace = everything("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", Method::AlphaBeta, 2);
    assert_eq!(trace.score, Some(Outlook::Mate(1)));
    let json = serde_json::to_value(&trace).expect("JSON");
    assert_eq!(json["method"], "alphabeta");
    assert_eq!(json["best"]["san"][0], "Rd8#");
    assert_eq!(json["nodes"][0]["parent"], serde_json::Value::Null);
    for method in Method::ALL {
        assert_eq!(method.to_string().parse(), Ok(method));
    }
    assert!("guessing".parse::<Method>().expect_err("no method").to_string().contains("alphabeta-unordered"));
}
