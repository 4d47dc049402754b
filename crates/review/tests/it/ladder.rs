//! How accuracy follows strength, measured: the table of docs/review.md. It takes minutes, and runs on demand.

use crate::common::review;
use minds::{Allowance, CaptureMind, Choice, Control, Limits, Mind, RandomMind, SearchMind, TreeMind};
use rules::{Color, Game};
use testkit::Random;

type Maker = Box<dyn Fn(u64) -> Box<dyn Mind>>;

/// Two minds of a kind play a game whose first ply is random.
fn play(make: &Maker, number: u64) -> Game {
    let mut players = [make(2 * number), make(2 * number + 1)];
    let mut game = Game::default();
    let first = *Random::new(number).pick(&game.position().legal_moves());
    game.play(first).expect("a legal move");
    for player in &mut players {
        player.new_game(game.start()).expect("a mind of our own");
    }
    while game.outcome().is_none() && game.claimable_draw().is_none() && game.moves().len() < 160 {
        let player = &mut players[usize::from(game.position().turn() == Color::Black)];
        let choice = player.choose(&game, &Allowance::default(), &Control::new(), &mut ()).expect("a move");
        let Choice::Move(mv) = choice else { break };
        game.play(mv).expect("a legal move");
    }
    game
}

#[test]
#[ignore = "minutes"]
fn accuracy_follows_strength() {
    let search = |nodes| -> Maker {
        Box::new(move |_| Box::new(SearchMind::new(Limits { nodes: Some(nodes), ..Limits::default() })))
    };
    let players: Vec<(&str, Maker)> = vec![
        ("random", Box::new(|seed| Box::new(RandomMind::new(seed)))),
        ("capture", Box::new(|seed| Box::new(CaptureMind::new(seed)))),
        ("minimax", Box::new(|seed| Box::new(TreeMind::minimax().with_random_ties(seed)))),
        ("alphabeta", Box::new(|seed| Box::new(TreeMind::alpha_beta().with_random_ties(seed)))),
        ("search:nodes=20", search(20)),
        ("search:nodes=200", search(200)),
        ("search:nodes=1000", search(1_000)),
        ("search:nodes=20000", search(20_000)),
        ("search:nodes=100000", search(100_000)),
    ];
    let mut means = Vec::new();
    for (name, make) in &players {
        let reviews = (0..5).map(|number| review(&play(make, number), 20_000));
        let accuracies: Vec<f64> =
            reviews.flat_map(|review| Color::ALL.map(|color| review.players[color].accuracy)).flatten().collect();
        let mean = accuracies.iter().sum::<f64>() / accuracies.len() as f64;
        let (least, most) = accuracies.iter().fold((100.0_f64, 0.0_f64), |(low, high), &a| (low.min(a), high.max(a)));
        println!("{name:<20} {mean:5.1} {least:5.1} {most:5.1}");
        means.push(mean);
    }
    let [random, capture, minimax, .., thousand, strong, strongest] = means[..] else { panic!("nine players") };
    assert!(random < capture && capture < minimax && minimax < thousand && thousand < strong && strong < strongest);
    assert!(random < 40.0 && strongest > 95.0);
}
