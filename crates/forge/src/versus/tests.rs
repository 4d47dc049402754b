//! Matches between the CPU and what stands in for the GPU: a player of random moves, or the emulation of the kernels.

use nnue::Architecture;
use random::Random;

use super::*;
use crate::SearchParameters;
use crate::selfplay::emulation;

fn versus(pairs: u64, boards: usize, nodes: u64) -> Versus {
    let network = Network::random(3, Architecture::new(64).expect("a width that is allowed"));
    Versus {
        pairs,
        boards,
        openings: Openings::random_plies(8),
        seed: 7,
        network: Arc::new(network),
        nodes,
        hash: 1,
        threads: 2,
        conditions: Conditions::default(),
    }
}

fn play(versus: &Versus, gpu: &mut dyn GameSearcher) -> VersusResult {
    versus.play(gpu, &Arc::default(), &mut |_| ()).expect("nothing goes wrong")
}

/// Checks that a match is whole, and that both sides had half of all moves.
fn is_whole(versus: &Versus, standing: &VersusResult) -> bool {
    let VersusResult { gpu, cpu, .. } = standing;
    standing.games() as u64 == 2 * versus.pairs && gpu.moves.abs_diff(cpu.moves) <= standing.games() as u64
}

/// Plays random moves, and says that it is lost.
struct RandomMover {
    random: Random,
    forgotten: Vec<usize>,
    shown: usize,
}

impl RandomMover {
    fn new() -> RandomMover {
        RandomMover { random: Random::new(1), forgotten: Vec::new(), shown: 0 }
    }
}

impl GameSearcher for RandomMover {
    fn think(&mut self, games: &[Option<&Game>]) -> Result<Vec<Option<FoundMove>>, GpuError> {
        self.shown += games.iter().flatten().count();
        let random = &mut self.random;
        let mut think = |game: &Game| {
            let mv = random.choose(&game.position().legal_moves()).expect("the game goes on");
            FoundMove { mv, score: -5_000, nodes: 1, depth: 0 }
        };
        Ok(games.iter().map(|game| game.map(&mut think)).collect())
    }

    fn forget(&mut self, board: usize) -> Result<(), GpuError> {
        self.forgotten.push(board);
        Ok(())
    }
}

#[test]
fn a_player_of_random_moves_loses_every_game_with_both_colours() {
    let Some(network) = AnyEvaluator::default().network().cloned() else { return };
    let versus = Versus { network, ..versus(3, 2, 50) };
    let mut random = RandomMover::new();
    let standing = play(&versus, &mut random);
    assert!(is_whole(&versus, &standing));
    assert_eq!(standing.outcomes, [[Some(0); 2]; 3]);
    assert_eq!(random.forgotten.len(), 6, "every game begins with an empty memory");
    assert_eq!(standing.gpu.moves as usize, random.shown);
}

#[test]
fn a_match_that_is_stopped_keeps_what_is_finished() {
    let versus = versus(50, 4, 20);
    let stop = Arc::new(AtomicBool::new(false));
    let standing = versus.play(&mut RandomMover::new(), &stop, &mut |standing| {
        stop.store(standing.games() >= 3, Ordering::Relaxed);
    });
    let standing = standing.expect("nothing goes wrong");
    assert!((3..100).contains(&standing.games()), "{} games", standing.games());
}

#[test]
fn the_emulated_gpu_plays_a_match_by_the_rules_with_as_many_nodes_as_the_cpu() {
    let Some(network) = AnyEvaluator::default().network().cloned() else { return };
    let versus = Versus { network, ..versus(2, 3, 200) };
    let parameters = SearchParameters { nodes: 200, ..SearchParameters::default() };
    let Some(mut gpu) = emulation::GpuSearch::new(&versus.network, parameters, versus.boards) else { return };
    let standing = play(&versus, &mut gpu);
    assert!(is_whole(&versus, &standing));
    for SideStats { moves, nodes, depths, .. } in [standing.gpu, standing.cpu] {
        assert!((180..=220).contains(&(nodes / moves)) && depths > 2 * moves, "{nodes} nodes, {moves} moves");
    }
    println!("{standing:?}");
}
