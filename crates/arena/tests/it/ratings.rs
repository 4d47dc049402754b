//! Ratings of many players are right, whatever the order, the size and the holes of what is known.

use random::Random;
use saavedra_arena::statistics::{
    Anchor, CONFIDENCE_95, FirstMove, League, Meeting, Performance, RatingError, RatingKind, Ratings, Trinomial,
    expected_score,
};

fn meeting(white: usize, black: usize, [wins, draws, losses]: [u64; 3]) -> Meeting {
    Meeting { white, black, results: Trinomial::new(wins, draws, losses) }
}

fn fixed(player: usize, rating: f64) -> Anchor {
    Anchor { player, rating, uncertainty: None }
}

/// 492 random games of five players.
fn five() -> Vec<Meeting> {
    [
        (0, 1, [13, 5, 5]),
        (0, 2, [19, 3, 4]),
        (0, 3, [25, 2, 2]),
        (0, 4, [20, 0, 1]),
        (1, 0, [6, 4, 17]),
        (1, 2, [13, 5, 4]),
        (1, 3, [21, 3, 1]),
        (1, 4, [26, 1, 1]),
        (2, 0, [5, 4, 14]),
        (2, 1, [6, 5, 15]),
        (2, 3, [13, 2, 6]),
        (2, 4, [22, 0, 2]),
        (3, 0, [3, 0, 27]),
        (3, 1, [4, 1, 17]),
        (3, 2, [10, 5, 10]),
        (3, 4, [18, 0, 2]),
        (4, 0, [0, 1, 25]),
        (4, 1, [3, 0, 26]),
        (4, 2, [1, 5, 15]),
        (4, 3, [3, 6, 15]),
    ]
    .map(|(white, black, results)| meeting(white, black, results))
    .to_vec()
}

/// One of our Elo in Ordo's: it sets 202 points for a score of 76 %.
fn to_ordo(elo: f64) -> f64 {
    elo * 202.0 / (400.0 * (0.76_f64 / 0.24).log10())
}

fn assert_ordo(ratings: &Ratings, printed: [&str; 5]) {
    let ours: Vec<String> = ratings.players.iter().map(|player| format!("{:.4}", to_ordo(player.rating))).collect();
    assert_eq!(ours, printed);
}

#[test]
fn ordo_prints_the_same_ratings() {
    // Ordo 1.2 (github.com/michiguel/Ordo, commit 17eec77), fed with the same games: ordo -a 0 -N 4 -p games.pgn
    let league = League { players: 5, meetings: five(), ..League::default() };
    assert_ordo(&league.rate().expect("ratings"), ["259.8528", "147.8727", "11.6100", "-88.8307", "-330.5047"]);
    // The same with -A for the third player.
    let league = League { anchors: vec![fixed(2, 0.0)], ..league };
    assert_ordo(&league.rate().expect("ratings"), ["248.2428", "136.2627", "0.0000", "-100.4407", "-342.1147"]);
}

#[test]
fn ordo_prints_the_same_with_several_anchors_firm_or_loose() {
    // With -m -M: the first player at 250, the last at -300. Without -M, Ordo stops before the points agree.
    let (first, last) = (250.0 / to_ordo(1.0), -300.0 / to_ordo(1.0));
    let league =
        League { players: 5, meetings: five(), anchors: vec![fixed(0, first), fixed(4, last)], ..League::default() };
    assert_ordo(&league.rate().expect("ratings"), ["250.0000", "151.3268", "17.4046", "-81.1119", "-300.0000"]);
    // With -y -D: the same, uncertain by 20 and 40. How much a draw tells is another model, so the digits differ.
    let loose = |player, rating, doubt: f64| Anchor { player, rating, uncertainty: Some(doubt / to_ordo(1.0)) };
    let league = League { anchors: vec![loose(0, first, 20.0), loose(4, last, 40.0)], ..league };
    let ordo = [253.7951, 148.6036, 14.0345, -86.3239, -315.1806];
    for (player, ordo) in league.rate().expect("ratings").players.iter().zip(ordo) {
        assert!((to_ordo(player.rating) - ordo).abs() < 0.7, "{player:?} {ordo}");
    }
}

#[test]
fn ordo_estimates_the_same_worth_of_the_first_move() {
    // With -A for the third player, -W and -D -s 2000: white advantage 35.88 with a standard deviation of 19.70, and
    // ratings with their simulated errors.
    let league =
        League { players: 5, meetings: five(), anchors: vec![fixed(2, 0.0)], first_move: FirstMove::Estimated };
    let ratings = league.rate().expect("ratings");
    let (worth, error) = ratings.first_move;
    assert_eq!(format!("{:.2}", to_ordo(worth)), "35.88");
    assert_ordo(&ratings, ["251.0015", "136.9577", "0.0000", "-101.3942", "-345.9356"]);
    // Ordo replays the games at random and we take the information they hold, so errors agree but for luck and
    // curvature.
    let deviation = to_ordo(error.expect("estimated")) / CONFIDENCE_95;
    assert!((deviation / 19.70 - 1.0).abs() < 0.1, "{deviation}");
    for (player, simulated) in ratings.players.iter().zip([73.18, 67.90, 0.0, 69.70, 83.79]) {
        let error = to_ordo(player.error.expect("rated"));
        assert!((error - simulated).abs() <= 0.12 * simulated, "{error} {simulated}");
    }
}

#[test]
fn two_players_get_the_error_of_a_match() {
    let results = Trinomial::new(902, 1493, 789);
    let league = League {
        players: 2,
        meetings: vec![Meeting { white: 0, black: 1, results }],
        anchors: vec![fixed(1, 1000.0)],
        ..League::default()
    };
    let player = league.rate().expect("ratings").players[0];
    let performance = Performance::of(&results).expect("games");
    assert!((player.rating - 1000.0 - performance.elo.value).abs() < 1e-6);
    assert!((player.error.expect("rated") - performance.elo.error()).abs() < 0.02);
    assert_eq!((player.games, player.points), (3184, 1648.5));
}

/// Games between players of known strength: a win, a draw or a loss at random.
fn simulate(
    truth: &[f64],
    pairs: impl Iterator<Item = (usize, usize)>,
    games: u64,
    random: &mut Random,
) -> Vec<Meeting> {
    const DRAWS: f64 = 0.3;
    pairs
        .map(|(white, black)| {
            let score = expected_score(truth[white] - truth[black]);
            let draws = DRAWS * 2.0 * score.min(1.0 - score);
            let mut results = Trinomial::default();
            for _ in 0..games {
                let lot = random.fraction();
                if lot < score - draws / 2.0 {
                    results.wins += 1;
                } else if lot < score + draws / 2.0 {
                    results.draws += 1;
                } else {
                    results.losses += 1;
                }
            }
            Meeting { white, black, results }
        })
        .collect()
}

#[test]
fn the_truth_lies_within_the_error_95_of_100_times() {
    let mut random = Random::new(4);
    let (mut within, mut all) = (0, 0);
    for _ in 0..60 {
        let truth: Vec<f64> = (0..10).map(|_| 200.0 * random.normal()).collect();
        let mean = truth.iter().sum::<f64>() / 10.0;
        let pairs = (0..10).flat_map(|one| (0..10).filter(move |&other| other != one).map(move |other| (one, other)));
        let league = League { players: 10, meetings: simulate(&truth, pairs, 8, &mut random), ..League::default() };
        for (player, truth) in league.rate().expect("ratings").players.iter().zip(&truth) {
            if let Some(error) = player.error {
                within += usize::from((player.rating - (truth - mean)).abs() <= error);
                all += 1;
            }
        }
    }
    let part = within as f64 / all as f64;
    assert!(all > 550 && (0.92..0.98).contains(&part), "{within} of {all}");
}

#[test]
fn neither_the_order_of_meetings_nor_the_numbers_of_players_matter() {
    let mut random = Random::new(6);
    let league = League { players: 5, meetings: five(), ..League::default() };
    let ratings = league.rate().expect("ratings");
    let mut renumbered = [0, 1, 2, 3, 4];
    random.shuffle(&mut renumbered);
    let mut meetings = five();
    random.shuffle(&mut meetings);
    // Meetings may also be told in parts.
    let (halves, rest) = meetings.split_at(10);
    let parts = halves.iter().flat_map(|whole| {
        let results = whole.results;
        [Trinomial::new(results.wins, 0, 0), Trinomial::new(0, results.draws, results.losses)]
            .map(|results| Meeting { results, ..*whole })
    });
    let meetings = parts
        .chain(rest.iter().copied())
        .map(|old| Meeting { white: renumbered[old.white], black: renumbered[old.black], ..old })
        .collect();
    let again = League { meetings, ..league }.rate().expect("ratings");
    for (old, &new) in ratings.players.iter().zip(&renumbered) {
        assert!((old.rating - again.players[new].rating).abs() < 1e-6);
        assert!((old.error.expect("rated") - again.players[new].error.expect("rated")).abs() < 1e-3);
    }
}

#[test]
fn ten_times_the_games_give_the_same_ratings_and_smaller_errors() {
    let league = League { players: 5, meetings: five(), ..League::default() };
    let once = league.rate().expect("ratings");
    let meetings = (0..10).flat_map(|_| five()).collect();
    let often = League { meetings, ..league }.rate().expect("ratings");
    for (once, often) in once.players.iter().zip(&often.players) {
        assert!((once.rating - often.rating).abs() < 1e-6);
        let ratio = once.error.expect("rated") / often.error.expect("rated");
        assert!((ratio - 10_f64.sqrt()).abs() < 0.01, "{ratio}");
    }
}

#[test]
fn a_player_who_won_every_game_gets_a_lower_bound() {
    // As Ordo's manual has it: the rating of a perfect winner is the one with half a point less.
    let mut meetings = five();
    meetings.extend([
        meeting(5, 0, [4, 0, 0]),
        meeting(5, 1, [6, 0, 0]),
        meeting(3, 6, [3, 0, 0]),
        meeting(4, 6, [5, 0, 0]),
    ]);
    let league = League { players: 8, meetings, anchors: vec![fixed(2, 0.0)], ..League::default() };
    let ratings = league.rate().expect("ratings");
    // The others are rated as if those games had not been played.
    let league = League { players: 5, meetings: five(), anchors: vec![fixed(2, 0.0)], ..League::default() };
    for (with, without) in ratings.players.iter().zip(league.rate().expect("ratings").players) {
        assert!((with.rating - without.rating).abs() < 1e-6 && with.standing == RatingKind::Rated);
    }
    let [best, worst, absent] = [5, 6, 7].map(|player| ratings.players[player]);
    let expected = |player: f64, opponents: [(usize, f64); 2]| -> f64 {
        opponents.iter().map(|(other, games)| games * expected_score(player - ratings.players[*other].rating)).sum()
    };
    assert!((expected(best.rating, [(0, 4.0), (1, 6.0)]) - 9.5).abs() < 1e-6);
    assert!((expected(worst.rating, [(3, 3.0), (4, 5.0)]) - 0.5).abs() < 1e-6);
    assert_eq!((best.standing, best.error), (RatingKind::AtLeast, None));
    assert_eq!((worst.standing, worst.error), (RatingKind::AtMost, None));
    assert_eq!((absent.standing, absent.games), (RatingKind::Apart, 0));
}

#[test]
fn groups_that_never_met_are_apart_and_a_chain_of_shutouts_is_placed() {
    let meetings = vec![
        // Three who know each other, and two who know only each other.
        meeting(0, 1, [5, 2, 3]),
        meeting(1, 2, [5, 2, 3]),
        meeting(3, 4, [6, 1, 3]),
        // Six beat five, five beat zero; seven lost to six alone.
        meeting(6, 5, [4, 0, 0]),
        meeting(5, 0, [4, 0, 0]),
        meeting(6, 7, [2, 0, 0]),
    ];
    let ratings = League { players: 8, meetings, ..League::default() }.rate().expect("ratings").players;
    let standings: Vec<RatingKind> = ratings.iter().map(|player| player.standing).collect();
    use RatingKind::{Apart, AtLeast, Rated};
    assert_eq!(standings, [Rated, Rated, Rated, Apart, Apart, AtLeast, AtLeast, Apart]);
    assert!(ratings[6].rating > ratings[5].rating && ratings[5].rating > ratings[0].rating);
    // Apart or not, within their group they are rated.
    assert!((ratings[3].rating - ratings[4].rating - 107.54).abs() < 0.01, "{ratings:?}");
}

#[test]
fn anchors_stay_where_they_are_and_move_everyone_else() {
    let league = |anchors| League { players: 5, meetings: five(), anchors, ..League::default() };
    let low = league(vec![fixed(1, 0.0)]).rate().expect("ratings").players;
    let high = league(vec![fixed(1, 1500.0)]).rate().expect("ratings").players;
    assert_eq!((high[1].rating, high[1].error), (1500.0, Some(0.0)));
    for (low, high) in low.iter().zip(&high) {
        assert!((high.rating - low.rating - 1500.0).abs() < 1e-6);
        assert!((high.error.expect("rated") - low.error.expect("rated")).abs() < 1e-3);
    }
    // A loose anchor passes its own uncertainty on to everyone.
    let loose =
        league(vec![Anchor { player: 1, rating: 0.0, uncertainty: Some(50.0) }]).rate().expect("ratings").players;
    let of_anchor = loose[1].error.expect("rated");
    assert!((of_anchor - 98.0).abs() < 0.1, "{of_anchor}");
    assert!(loose.iter().zip(&low).all(|(loose, firm)| loose.error > firm.error));
}

#[test]
fn three_thousand_players_are_rated() {
    let mut random = Random::new(8);
    let truth: Vec<f64> = (0..3000).map(|_| 300.0 * random.normal()).collect();
    let mean = truth.iter().sum::<f64>() / 3000.0;
    let pairs: Vec<(usize, usize)> = (0..3000)
        .flat_map(|white| (0..8).map(move |round| (white, round)))
        .map(|(white, _)| (white, (white + 1 + random.below(2999)) % 3000))
        .collect();
    let meetings = simulate(&truth, pairs.into_iter(), 4, &mut random);
    let ratings = League { players: 3000, meetings, ..League::default() }.rate().expect("ratings");
    let rated: Vec<usize> = (0..3000).filter(|&player| ratings.players[player].error.is_some()).collect();
    let within = rated.iter().filter(|&&player| {
        let rated = ratings.players[player];
        (rated.rating - (truth[player] - mean)).abs() <= rated.error.expect("filtered")
    });
    let part = within.count() as f64 / rated.len() as f64;
    assert!(rated.len() > 2900 && (0.93..0.97).contains(&part), "{part} of {}", rated.len());
}

#[test]
fn a_chain_of_players_who_met_only_their_neighbours_is_rated() {
    let mut random = Random::new(9);
    let truth: Vec<f64> = (0..400).map(|place| 25.0 * f64::from(place)).collect();
    let meetings = simulate(&truth, (1..400).map(|player| (player, player - 1)), 4000, &mut random);
    let league = League { players: 400, meetings, anchors: vec![fixed(0, 0.0)], ..League::default() };
    let last = league.rate().expect("ratings").players[399];
    assert!((last.rating - truth[399]).abs() < last.error.expect("rated") * 1.5, "{last:?}");
}

#[test]
fn nonsense_is_refused_in_words() {
    let refuse = |league: League| league.rate().expect_err("nonsense");
    let league = || League { players: 2, meetings: vec![meeting(0, 1, [1, 1, 1])], ..League::default() };
    assert_eq!(refuse(League { players: 1, ..league() }).to_string(), "there is no player number 1 among 1");
    assert_eq!(refuse(League { meetings: vec![meeting(1, 1, [1, 1, 1])], ..league() }), RatingError::MetItself(1));
    assert!(matches!(refuse(League { anchors: vec![fixed(0, f64::NAN)], ..league() }), RatingError::BadAnchor { .. }));
    assert_eq!(refuse(League { first_move: FirstMove::Estimated, ..league() }), RatingError::FirstMoveUnknown);
    let always_white = vec![meeting(0, 1, [5, 0, 0]), meeting(1, 0, [5, 0, 0])];
    assert!(League { meetings: always_white, first_move: FirstMove::Estimated, ..league() }.rate().is_err());
    assert!(League::default().rate().expect("nothing to do").players.is_empty());
}
