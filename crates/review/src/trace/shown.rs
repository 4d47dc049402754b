//! Cutting a tree to a size that can be shown: level by level from the root, so that the first moves are always whole.

use rules::Position;
use search::Score;

use super::node::{SkippedMove, TraceNode, VisitKind, ending_name, skip_name};
use super::recorder::{Recorded, Recorder};

impl Recorder {
    /// The first nodes level by level, no more than so many, and how many are left.
    pub(super) fn shown(&self, most: usize) -> (Vec<TraceNode>, u64) {
        let children = self.children();
        let below = self.below();
        let mut shown: Vec<TraceNode> = Vec::new();
        // In the order of the levels: where a node was written down, and the position it is about.
        let mut level = Vec::new();
        if let Some(root) = self.nodes.first() {
            level.push((0_usize, self.root));
            shown.push(told(root, None, 0, &self.root, &self.root));
        }
        let mut next = 0;
        while let Some(&(index, position)) = level.get(next) {
            let ply = shown[next].ply;
            let mut hidden = below[index];
            for &child in &children[index] {
                if shown.len() >= most.max(1) {
                    break;
                }
                let node = &self.nodes[child as usize];
                let after = after(&position, node);
                let ply = ply + usize::from(node.kind != VisitKind::Verification);
                shown.push(told(node, Some(next), ply, &position, &after));
                level.push((child as usize, after));
                hidden -= 1 + below[child as usize];
            }
            // What lies below children that are shown is hidden by them.
            shown[next].hidden = hidden;
            next += 1;
        }
        let hidden = self.nodes.len() - shown.len();
        (shown, hidden as u64)
    }

    /// The children of each node, in the order in which they were searched.
    fn children(&self) -> Vec<Vec<u32>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent as usize].push(index as u32);
            }
        }
        children
    }

    /// How many nodes there are below each.
    fn below(&self) -> Vec<u64> {
        let mut below = vec![0; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                below[parent as usize] += 1 + below[index];
            }
        }
        below
    }
}

/// The position that a node is about.
fn after(before: &Position, node: &Recorded) -> Position {
    match (node.kind, node.mv) {
        (VisitKind::Verification, _) => *before,
        (_, Some(mv)) => before.play_unchecked(mv),
        (_, None) => before.null_move().unwrap_or(*before),
    }
}

fn told(node: &Recorded, parent: Option<usize>, ply: usize, before: &Position, after: &Position) -> TraceNode {
    let finite = |score: Score| (score > -Score::INFINITE && score < Score::INFINITE).then_some(score);
    let skipped = node.skipped.iter().map(|&(mv, why)| SkippedMove {
        san: after.san(mv),
        uci: after.uci(mv),
        why: skip_name(why),
    });
    TraceNode {
        parent,
        san: node.mv.map(|mv| before.san(mv)),
        uci: node.mv.map(|mv| before.uci(mv)),
        kind: node.kind,
        is_again: node.is_again,
        ply,
        depth: node.visit.depth,
        alpha: finite(node.visit.alpha),
        beta: finite(node.visit.beta),
        score: node.score,
        ending: ending_name(node.ending),
        skipped: skipped.collect(),
        never_tried: usize::from(node.never_tried),
        hidden: 0,
    }
}
