//! Accumulators that follow a line say the same as the network does from scratch.

use std::sync::Arc;

use random::Random;
use rules::{Color, MoveKind, Observer, Position, Role, Square};
use saavedra_nnue::{Accumulators, Architecture, Head, Kernel, KingBuckets, Layers, Network, Parameters, Tail};

/// What a wandering search has met.
#[derive(Default, Debug)]
struct Met {
    evaluations: usize,
    castlings: usize,
    promotions: usize,
    en_passants: usize,
    crossings: usize,
    passes: usize,
}

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
];

/// Walks up and down random lines like a search does, evaluates now and then, and compares.
fn wander(network: Network, kernel: Kernel, seed: u64, steps: usize) -> Met {
    let network = Arc::new(network);
    let mut accumulators = Accumulators::with_kernel(Arc::clone(&network), kernel);
    let mut random = Random::new(seed);
    let mut met = Met::default();
    for game in 0..60 {
        let start = match game % 3 {
            0 => Position::chess960(random.below(960) as u16),
            1 => Position::double_chess960(random.below(960) as u16, random.below(960) as u16),
            _ => random.choose(&STARTS).and_then(|fen| fen.parse().ok()),
        };
        // Whether a move led to each position; a pass changes no pieces, and the accumulators do not hear of it.
        let mut path = vec![(start.expect("the starts are legal"), false)];
        accumulators.reset(&path[0].0);
        for _ in 0..steps {
            let (position, _) = path[path.len() - 1];
            if random.below(3) == 0 {
                met.evaluations += 1;
                assert_eq!(accumulators.evaluate(&position), network.evaluate(&position), "{kernel}\n{position:?}");
            }
            let moves = position.legal_moves();
            let special = moves.iter().copied().find(|mv| mv.kind() != MoveKind::Normal && random.coin());
            match random.below(20) {
                0 => {
                    if let Some(next) = position.null_move() {
                        met.passes += 1;
                        path.push((next, false));
                    }
                }
                1..4 => back(&mut path, &mut accumulators, 1),
                4 => back(&mut path, &mut accumulators, random.below(12)),
                _ => match special.or_else(|| random.choose(&moves)) {
                    None => back(&mut path, &mut accumulators, 3),
                    Some(mv) => {
                        match mv.kind() {
                            MoveKind::Castle => met.castlings += 1,
                            MoveKind::EnPassant => met.en_passants += 1,
                            MoveKind::Promotion(_) => met.promotions += 1,
                            MoveKind::Normal => {}
                        }
                        let us = position.turn();
                        let next = position.play_unchecked_observed(mv, accumulators.push());
                        let is_left = |king: Square| king.index() & 4 == 0;
                        met.crossings += usize::from(is_left(position.king(us)) != is_left(next.king(us)));
                        path.push((next, true));
                    }
                },
            }
        }
    }
    met
}

fn back(path: &mut Vec<(Position, bool)>, accumulators: &mut Accumulators, plies: usize) {
    for _ in 0..plies.min(path.len() - 1) {
        if let Some((_, true)) = path.pop() {
            accumulators.pop();
        }
    }
}

fn architectures() -> [Architecture; 5] {
    let narrow = Architecture::new(32).expect("valid");
    // A bucket for each rank, and another in the corner.
    let table = std::array::from_fn(|square| if square == 7 { 8 } else { square as u8 / 8 });
    let buckets = KingBuckets::new(table).expect("nine buckets");
    let many = Architecture::new(96).and_then(|one| one.with_output_buckets(8)).expect("valid");
    let wide = Architecture::new(256).expect("valid");
    let pairwise = wide.with_layers(Layers::Pairwise).expect("valid");
    let widest = Architecture::new(640).and_then(|one| one.with_layers(Layers::Pairwise));
    let widest = widest.and_then(|one| one.with_output_buckets(8)).expect("valid").with_king_buckets(buckets);
    [narrow, many.with_king_buckets(buckets), wide, pairwise, widest]
}

#[test]
fn incremental_accumulators_equal_refreshed_ones_whatever_happens() {
    let mut seed = 0;
    for architecture in architectures() {
        for kernel in Kernel::available() {
            seed += 1;
            let met = wander(Network::random(seed, architecture), kernel, seed, 250);
            assert!(met.evaluations > 2_000 && met.passes > 50 && met.crossings > 50, "{met:?}");
            assert!(met.castlings > 5 && met.promotions > 5 && met.en_passants > 2, "{met:?}");
        }
    }
}

/// A head with numbers at their limits.
fn extreme_head(hidden: usize, draw: &mut impl FnMut(usize, i16) -> Vec<i16>) -> Head {
    let mut next = |most: i16| draw(1, most)[0];
    Head {
        second_weights: (0..Head::SECOND * hidden)
            .map(|_| if next(127) == -127 { i8::MIN } else { next(127) as i8 })
            .collect(),
        second_biases: std::array::from_fn(|_| i32::from(next(i16::MAX)) * 256),
        third_weights: std::array::from_fn(|_| std::array::from_fn(|_| next(Head::MOST_THIRD_WEIGHT))),
        third_biases: std::array::from_fn(|_| i32::from(next(i16::MAX)) * 32_768),
        output_weights: std::array::from_fn(|_| next(Head::MOST_OUTPUT_WEIGHT)),
        output_bias: i32::from(next(i16::MAX)) * 32_768,
    }
}

#[test]
fn extreme_weights_wrap_around_alike_in_all_kernels() {
    let mut random = Random::new(77);
    for architecture in architectures() {
        let mut draw = |count: usize, most: i16| -> Vec<i16> {
            (0..count)
                .map(|_| random.choose(&[most, -most, most - 1, 0, 1, most / 3]).expect("there are six"))
                .collect()
        };
        let parameters = Parameters {
            feature_weights: draw(architecture.feature_weights(), i16::MAX),
            feature_biases: draw(architecture.hidden(), i16::MAX),
            tail: match architecture.layers() {
                Layers::Straight => Tail::Straight {
                    output_weights: draw(architecture.output_weights(), saavedra_nnue::MOST_OUTPUT_WEIGHT),
                    output_biases: draw(architecture.output_buckets(), i16::MAX),
                },
                Layers::Pairwise => {
                    let heads = 0..architecture.output_buckets();
                    Tail::Pairwise(heads.map(|_| extreme_head(architecture.hidden(), &mut draw)).collect())
                }
            },
        };
        let network = Network::new(architecture, "extreme", &parameters).expect("valid");
        for kernel in Kernel::available() {
            wander(network.clone(), kernel, 5, 40);
        }
    }
}

#[test]
fn the_board_may_be_mirrored_or_turned_without_a_difference() {
    let network = Network::random(3, Architecture::new(64).expect("valid"));
    let value = |fen: &str| network.evaluate(&fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")));
    let white = value("4k3/1pp5/8/3N4/8/2q5/5PP1/6K1 w - - 0 1");
    assert_eq!(white, value("3k4/5pp1/8/4N3/8/5q2/1PP5/1K6 w - - 0 1"));
    assert_eq!(white, value("6k1/5pp1/2Q5/8/3n4/8/1PP5/4K3 b - - 0 1"));
    assert_ne!(white, value("4k3/1pp5/8/3N4/8/2q5/5PP1/6K1 b - - 0 1"));
}

#[test]
fn a_piece_may_be_taken_off_the_board_without_a_move() {
    let network = Arc::new(Network::random(4, Architecture::new(64).expect("valid")));
    let mut accumulators = Accumulators::new(Arc::clone(&network));
    let position: Position = "4k3/1pp5/8/3N4/8/2q5/5PP1/6K1 w - - 0 1".parse().expect("legal");
    let without: Position = "4k3/1pp5/8/8/8/2q5/5PP1/6K1 w - - 0 1".parse().expect("legal");
    accumulators.reset(&position);
    accumulators.push().removed(Role::Knight.of(Color::White), Square::D5);
    assert_eq!(accumulators.evaluate(&position), network.evaluate(&without));
    accumulators.pop();
    assert_eq!(accumulators.evaluate(&position), network.evaluate(&position));
}

#[test]
fn a_long_line_finds_room() {
    let network = Arc::new(Network::random(5, Architecture::new(32).expect("valid")));
    let mut accumulators = Accumulators::new(Arc::clone(&network));
    let mut position = Position::initial();
    for san in ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(1_001) {
        let mv = position.parse_san(san).expect("legal");
        position = position.play_unchecked_observed(mv, accumulators.push());
    }
    assert_eq!(accumulators.evaluate(&position), network.evaluate(&position));
}

#[test]
fn positions_one_after_the_other_are_worth_what_each_is_worth_alone() {
    for architecture in architectures() {
        let network = Arc::new(Network::random(6, architecture));
        let mut accumulators = Accumulators::new(Arc::clone(&network));
        testkit::random_walks(6, 4, testkit::Variants::All, |position| {
            assert_eq!(accumulators.restart(position), network.evaluate(position), "{position}");
        });
    }
}
