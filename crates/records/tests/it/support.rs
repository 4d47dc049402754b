//! Random trees: what an annotator could have written, and more.

use std::time::Duration;

use rules::Position;
use saavedra_records::pgn::{Eval, Evaluation, GameTree, Nag, NodeId, PgnResult};
use testkit::Random;

/// Texts that are hard to get through a file unchanged.
const TEXTS: [&str; 14] = [
    "good",
    "a rather long remark that will have to be broken over more than one line because it does not fit into eighty columns",
    "1. e4 e5 (1... c5)",
    "[Event \"?\"]",
    "% percent",
    "; semicolon { brace",
    "1-0",
    "Größe, naïve, 名人",
    "( a",
    ")",
    "$5 !? $",
    "\"quoted\" \\ backslash",
    "[%csl Ga4,Rb5]",
    "a}b",
];

/// A tree with variations, comments, glyphs, clocks and evaluations everywhere.
pub(crate) fn random_tree(seed: u64) -> GameTree {
    let mut random = Random::new(seed);
    let number = |random: &mut Random| random.below(960) as u16;
    let start = match seed % 4 {
        0 => Position::chess960(number(&mut random)).expect("0 to 959 exist"),
        1 => "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17".parse().expect("a position"),
        _ => Position::initial(),
    };
    let mut tree = GameTree::new(start);
    let names = ["Müller, A.", "A \"B\" C", "back\\slash", "?"];
    tree.tags.set("White", names[random.below(names.len())]);
    tree.tags.set("Annotator", "anonymous");
    tree.tags.set("WhiteElo", &random.below(3000).to_string());
    tree.tags.set_result(*random.pick(&[PgnResult::WhiteWins, PgnResult::Draw, PgnResult::Unknown]));
    remark(&mut tree, NodeId::ROOT, &mut random);
    let mut open = vec![(NodeId::ROOT, 60)];
    while let Some((mut node, length)) = open.pop() {
        for _ in 0..length {
            let position = tree.position(node);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let is_variation = !tree.node(node).children().is_empty();
            let child = tree.add(node, *random.pick(&moves)).expect("a legal move");
            if is_variation && random.below(4) == 0 {
                tree.add_comment_before(child, TEXTS[random.below(TEXTS.len())]);
            }
            remark(&mut tree, child, &mut random);
            if random.below(10) == 0 && length > 2 {
                open.push((node, random.below(length / 2) + 1));
            }
            node = child;
        }
    }
    tree
}

fn remark(tree: &mut GameTree, id: NodeId, random: &mut Random) {
    let node = tree.node_mut(id);
    while random.below(5) == 0 {
        node.add_comment(TEXTS[random.below(TEXTS.len())]);
    }
    while random.below(6) == 0 {
        node.nags.push(Nag(random.below(256) as u8));
    }
    if random.below(4) == 0 {
        node.clock = Some(Duration::from_millis(random.below(90_000_000) as u64));
    }
    if random.below(8) == 0 {
        node.elapsed = Some(Duration::from_secs(random.below(100) as u64));
    }
    if random.below(4) == 0 {
        let score = match random.below(3) {
            0 => Evaluation::Mate(random.below(40) as i32 - 20),
            _ => Evaluation::Centipawns(random.below(2_000) as i32 - 1_000),
        };
        let depth = (random.below(2) == 0).then(|| random.below(60) as u32);
        node.eval = Some(Eval { score, depth });
    }
}
