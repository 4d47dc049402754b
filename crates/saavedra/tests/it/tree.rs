//! `saavedra tree`, as a user meets it.

use crate::common::{complaint, printed};

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

#[test]
fn searches_are_compared_side_by_side() {
    let text = printed(&["tree", "--depth", "3"]);
    let nodes: Vec<u64> =
        text.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)?.replace(',', "").parse().ok()).collect();
    assert_eq!(nodes[0], 9_323, "{text}");
    assert!(nodes.is_sorted_by(|more, less| more > less) && nodes.len() == 4, "{text}");
}

#[test]
fn a_tree_is_drawn_with_the_reasons_why_nodes_end() {
    let text = printed(&["tree", BACK_RANK, "--depth", "2", "--method", "alphabeta", "--show", "40"]);
    assert!(text.starts_with("root  depth 2 [open, open] #1 all_moves\n"), "{text}");
    let mate = text.lines().find(|line| line.starts_with("  Rd8#  depth 1 [")).expect("the mate is shown");
    assert!(mate.ends_with("#-1 mate"), "{mate}");
    assert!(text.contains("beta_cutoff") && text.contains("never tried"), "{text}");
    let full = printed(&["tree", "--depth", "4", "--method", "full"]);
    let skipped = full.lines().find(|line| line.starts_with("moves skipped by: ")).expect("some moves are skipped");
    assert!(skipped.contains("late_move "), "{full}");
    // Scores are pawns and mates, never the numbers that the search has for them.
    let mated = printed(&["tree", BACK_RANK, "--depth", "3", "--method", "full"]);
    let root = mated.lines().next().expect("the root");
    assert!(root.starts_with("root  depth 3 [") && root.contains("] #1 "), "{mated}");
    assert!(!mated.contains("3199") && !mated.contains("3200"), "{mated}");
    assert!(full.lines().next().is_some_and(|root| root.contains('.')), "{full}");
}

#[test]
fn json_is_one_object_a_search() {
    let text = printed(&["tree", BACK_RANK, "--depth", "2", "--json", "--show", "10"]);
    let traces: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
    assert_eq!(traces.len(), 4);
    assert_eq!((traces[0]["method"].as_str(), traces[0]["shown"].as_u64()), (Some("minimax"), Some(10)));
}

#[test]
fn what_makes_no_sense_is_refused() {
    assert!(complaint(&["tree", "--method", "guess"], 2).contains("alphabeta-unordered"));
    assert!(complaint(&["tree", "--depth", "0"], 2).contains("--depth"));
    assert!(complaint(&["tree", "nonsense"], 2).contains("nonsense"));
}
