//! Games on the CPU, by the kernels' own source.

use std::ffi::c_void;
use std::sync::OnceLock;

use nnue::{Layers, Network};
use rules::{Game, Position};
use train::{Filter, Sample};

use super::gpu_search::{Boards, FoundMove, GameSearcher};
use super::layout::{
    GameState, GatherRules, KEYS, LANES, LIST_ROOM, MAX_PLY, NetworkArgument, PLAYER_TABLES_BYTES, Parameters,
    PlayerArgument, WARPS, layout,
};
use super::packing::Packed;
use super::tables::{reductions, tables};
use super::{Capacity, Conditions, PAIRWISE_DEFINITION, Record, SearchParameters, Stored, Visit};
use crate::GpuError;
use crate::emulation::Emulation;

/// The kernels of self-play; none without a compiler.
fn library() -> Option<&'static Emulation> {
    static LIBRARY: OnceLock<Option<Emulation>> = OnceLock::new();
    let compile = || Emulation::of("games_on_cpu.cpp", &layout(), "-O2", &[PAIRWISE_DEFINITION.to_owned()]);
    LIBRARY.get_or_init(compile).as_ref()
}

/// Runs a kernel with as many warps as asked; false where there is no compiler.
fn launch(kernel: &str, warps: usize, arguments: &mut [*mut c_void]) -> bool {
    let Some(library) = library() else { return false };
    // SAFETY: the arguments have the types of the kernel's parameters, and its buffers the sizes it is told.
    unsafe { library.run(kernel, (warps.div_ceil(WARPS) as u32, 1), (WARPS * LANES) as u32, arguments) };
    true
}

fn argument<T>(value: &mut T) -> *mut c_void {
    std::ptr::from_mut(value).cast()
}

fn address<T>(buffer: &[T]) -> u64 {
    buffer.as_ptr() as u64
}

/// Games in the memory of the host.
pub(crate) struct GpuGames {
    pub(super) games: Vec<GameState>,
    pub(super) records: Vec<Record>,
    pub(super) outcomes: Vec<u8>,
    pub(super) log: Vec<Visit>,
    pub(super) keys: Vec<u64>,
    player_tables: Vec<u128>,
    parameters: Parameters,
    /// What the parameters only know by address.
    _kept: Kept,
}

struct Kept {
    tables: Vec<u64>,
    reductions: Vec<i16>,
    start: Vec<Stored>,
    packed: Vec<Packed>,
    // Vectors of four words are loaded at once, and have to lie accordingly.
    rows: Vec<Vec<u128>>,
    outputs: Vec<Vec<u128>>,
    layers: Vec<u128>,
    lists: Vec<u32>,
}

impl GpuGames {
    /// Prepares so many warps for the players.
    pub(crate) fn new(
        players: &[(&Network, SearchParameters)],
        conditions: Conditions,
        warps: usize,
        room: Capacity,
    ) -> GpuGames {
        let Capacity { records, games, log: log_room, .. } = room;
        let is_match = players.len() == 2;
        let packed: Vec<Packed> = players.iter().map(|(network, _)| Packed::new(network)).collect();
        let chunks = packed.iter().map(|packed| packed.chunks).max().expect("there is a player");
        let layer_room = MAX_PLY * 2 * chunks * LANES;
        let kept = Kept {
            tables: tables(),
            reductions: reductions(),
            start: vec![Stored::new(&Position::initial()).expect("the kernels play chess")],
            rows: packed.iter().map(|packed| aligned(&packed.rows)).collect(),
            outputs: packed.iter().map(|packed| aligned(&packed.outputs)).collect(),
            layers: vec![0; warps * layer_room],
            lists: vec![0; warps * LIST_ROOM],
            packed,
        };
        let player_tables = vec![0_u128; warps * players.len() * PLAYER_TABLES_BYTES / 16];
        let keys = vec![0_u64; warps * KEYS];
        let mut games_of_warps = vec![GameState::default(); warps];
        let mut records_of_warps = vec![Record::default(); warps * records];
        let outcomes = vec![0; warps * games];
        let log = vec![Visit::default(); warps * log_room];
        let player = |place: usize| {
            let place = place % players.len();
            let packed = &kept.packed[place];
            let network = NetworkArgument {
                rows: address(&kept.rows[place]),
                outputs: address(&kept.outputs[place]),
                output_biases: address(&packed.output_biases),
                views: address(&packed.views),
                output_by_men: address(&packed.output_by_men),
                chunks: packed.chunks as u32,
                inputs: packed.inputs as u32,
                is_pairwise: u32::from(packed.layers == Layers::Pairwise),
                padding: 0,
            };
            PlayerArgument { network, parameters: players[place].1, reductions: address(&kept.reductions) }
        };
        let parameters = Parameters {
            tables: address(&kept.tables),
            start: address(&kept.start),
            games: games_of_warps.as_mut_ptr() as u64,
            player_tables: address(&player_tables),
            keys: address(&keys),
            lists: address(&kept.lists),
            layers: address(&kept.layers),
            records: records_of_warps.as_mut_ptr() as u64,
            outcomes: address(&outcomes),
            log: address(&log),
            warps: warps as u32,
            record_room: records as u32,
            outcome_room: games as u32,
            log_room: log_room as u32,
            layer_room: layer_room as u32,
            until_records: records as u32,
            until_games: games as u32,
            padding: 0,
            players: [player(0), player(1)],
            conditions: Conditions { is_match: u32::from(is_match), ..conditions },
        };
        let (games, records) = (games_of_warps, records_of_warps);
        GpuGames { games, records, outcomes, log, keys, player_tables, parameters, _kept: kept }
    }

    /// Runs a kernel that takes the parameters, and perhaps more; false where there is no compiler.
    fn launch(&mut self, kernel: &str, more: &[*mut c_void]) -> bool {
        let warps = self.games.len();
        let mut arguments = vec![argument(&mut self.parameters)];
        arguments.extend(more);
        launch(kernel, warps, &mut arguments)
    }
}

impl GpuGames {
    /// The samples that a filter keeps, warp by warp; none where there is no compiler.
    fn gather(&mut self, filter: &Filter, validation_every: u32, is_validation: bool) -> Option<Vec<Vec<Sample>>> {
        let warps = self.games.len();
        let mut rules = GatherRules::new(filter, validation_every, is_validation);
        let (mut room, mut count) = (self.parameters.record_room, warps as u32);
        let counts = vec![0_u64; warps];
        let mut samples = vec![0_u64; Sample::WORDS * self.records.len()];
        // Every warp has as much room as it has records.
        let offsets: Vec<u64> = (0..warps as u64).map(|warp| warp * u64::from(room)).collect();
        let (mut records, mut games) = (address(&self.records), address(&self.games));
        let (mut counts_at, mut offsets_at) = (address(&counts), address(&offsets));
        let mut samples_at = samples.as_mut_ptr() as u64;
        let mut arguments = [
            argument(&mut records),
            argument(&mut room),
            argument(&mut games),
            argument(&mut count),
            argument(&mut rules),
            argument(&mut counts_at),
            argument(&mut offsets_at),
            argument(&mut samples_at),
        ];
        if !launch("gather", warps, &mut arguments) {
            return None;
        }
        let lists = samples.chunks(Sample::WORDS * room as usize).zip(counts);
        let list = |(words, count): (&[u64], u64)| -> Vec<Sample> {
            let words = words.as_chunks().0.iter().take(count as usize);
            words.map(|&words| Sample::from_words(words)).collect()
        };
        Some(lists.map(list).collect())
    }
}

/// Lets so many warps play until each has no more room for records or games.
pub(crate) fn play(
    players: &[(&Network, SearchParameters)],
    conditions: Conditions,
    warps: usize,
    room: Capacity,
) -> Option<GpuGames> {
    let mut emulated = GpuGames::new(players, conditions, warps, room);
    emulated.launch("play", &[]).then_some(emulated)
}

/// A search of the host's games in its own memory.
pub(crate) struct GpuSearch {
    emulated: GpuGames,
    boards: Boards,
}

impl GpuSearch {
    /// Sets up so many boards; none where there is no compiler.
    pub(crate) fn new(network: &Network, parameters: SearchParameters, boards: usize) -> Option<GpuSearch> {
        library()?;
        let room = Capacity { games: 1, ..Boards::room(boards) };
        let emulated = GpuGames::new(&[(network, parameters)], Conditions::default(), boards, room);
        Some(GpuSearch { emulated, boards: Boards::new(boards) })
    }

    /// The keys of the positions on the boards after the moves that were found.
    pub(super) fn keys_afterwards(&self) -> Vec<u64> {
        self.emulated.games.iter().map(|state| state.position.key).collect()
    }
}

impl GameSearcher for GpuSearch {
    fn think(&mut self, games: &[Option<&Game>]) -> Result<Vec<Option<FoundMove>>, GpuError> {
        self.boards.write(games)?;
        self.emulated.games.copy_from_slice(&self.boards.states);
        self.emulated.keys.copy_from_slice(&self.boards.keys);
        assert!(self.emulated.launch("play", &[]), "there was a compiler before");
        self.boards.states.copy_from_slice(&self.emulated.games);
        self.boards.read(games, &self.emulated.records)
    }

    fn forget(&mut self, board: usize) -> Result<(), GpuError> {
        let length = PLAYER_TABLES_BYTES / 16;
        self.emulated.player_tables[board * length..(board + 1) * length].fill(0);
        Ok(())
    }
}

/// A move of a random walk and the evaluation after it, kept up and from scratch.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Pace {
    mv: u32,
    evaluation: i32,
    from_scratch: i32,
}

/// Random walks of so many warps.
fn walk(network: &Network, warps: usize, plies: usize) -> Option<Vec<Pace>> {
    let mut paces = vec![Pace::default(); warps * plies];
    let (mut count, mut place) = (plies as u32, paces.as_mut_ptr() as u64);
    let players = [(network, SearchParameters::default())];
    let mut emulated = GpuGames::new(&players, Conditions::default(), warps, Capacity::default());
    emulated.launch("walk", &[argument(&mut count), argument(&mut place)]).then_some(paces)
}

fn aligned(words: &[u32]) -> Vec<u128> {
    words.chunks(4).map(|four| four.iter().rev().fold(0, |vector, &word| vector << 32 | u128::from(word))).collect()
}

/// The numbers of positions after so many plies.
fn perft(positions: &[Position], depth: u32) -> Option<Vec<u64>> {
    let stored: Vec<Stored> = positions.iter().filter_map(Stored::new).collect();
    assert_eq!(stored.len(), positions.len(), "the kernels play all of these");
    let tables = tables();
    let lists = vec![0_u32; stored.len() * LIST_ROOM];
    let leaves = vec![0_u64; stored.len()];
    let (mut tables, mut positions, mut lists) = (address(&tables), address(&stored), address(&lists));
    let (mut count, mut depth, mut sums) = (stored.len() as u32, depth, address(&leaves));
    let mut arguments = [
        argument(&mut tables),
        argument(&mut positions),
        argument(&mut count),
        argument(&mut depth),
        argument(&mut lists),
        argument(&mut sums),
    ];
    launch("perft", stored.len(), &mut arguments).then_some(leaves)
}

mod tests {
    use super::*;
    use crate::selfplay::{Kernels, layout::move_of, proof};
    use nnue::{Architecture, KingBuckets};
    use records::GameResult;
    use records::packed::{PackedGame, Ply};
    use rules::{Color, Perft};
    use search::AnyEvaluator;
    use testkit::{Variants, random_walks};
    use train::{DataSet, Wdl};

    fn architecture(hidden: usize) -> Architecture {
        Architecture::new(hidden).expect("a width that is allowed")
    }

    fn network(hidden: usize) -> Network {
        Network::random(3, architecture(hidden))
    }

    fn leaves(position: &Position, depth: u32) -> u64 {
        Perft::default().count(position, depth).expect("a small number")
    }

    #[test]
    fn the_kernels_count_moves_as_the_rules_do() {
        let positions = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        ]
        .map(|fen| fen.parse::<Position>().expect("a legal position"));
        let Some(counted) = perft(&positions, 3) else { return };
        assert_eq!(counted, positions.map(|position| leaves(&position, 3)));
    }

    #[test]
    fn the_kernels_count_moves_in_any_position() {
        let mut positions = Vec::new();
        random_walks(5, 30, Variants::Standard, |position| positions.push(*position));
        positions.retain(|position| Stored::new(position).is_some());
        assert!(positions.len() > 1000);
        let Some(counted) = perft(&positions, 2) else { return };
        for (position, counted) in positions.iter().zip(counted) {
            assert_eq!(counted, leaves(position, 2), "{position}");
        }
    }

    #[test]
    fn the_kernels_evaluate_as_the_engine_does() {
        let buckets = |square: usize| (square / 8).min(3) as u8;
        let buckets = KingBuckets::new(std::array::from_fn(buckets)).expect("four buckets");
        let bucketed = architecture(512).with_king_buckets(buckets).with_output_buckets(8).expect("eight buckets");
        let pairwise = |architecture: Architecture| {
            Network::random(5, architecture.with_layers(Layers::Pairwise).expect("a width that can be halved"))
        };
        let straight = [network(64), network(256), network(1024), Network::random(4, bucketed)];
        let pairwise = [architecture(128), architecture(768), architecture(1024), bucketed].map(pairwise);
        for network in straight.into_iter().chain(pairwise) {
            let (warps, plies) = (4, 80);
            let Some(paces) = walk(&network, warps, plies) else { return };
            for paces in paces.chunks(plies) {
                let mut position = Position::initial();
                for pace in paces.iter().take_while(|pace| pace.mv != 0) {
                    position = position.play_unchecked(move_of(pace.mv, &position).expect("a legal move"));
                    let evaluation = network.evaluate(&position);
                    assert_eq!([pace.evaluation, pace.from_scratch], [evaluation; 2], "{position}");
                }
            }
        }
    }

    #[test]
    fn games_follow_the_rules_and_end_as_they_should() {
        let network = network(256);
        let parameters = SearchParameters { nodes: 60, ..SearchParameters::default() };
        let room = Capacity { records: 220, games: 1000, ..Capacity::default() };
        let Some(emulated) = play(&[(&network, parameters)], Conditions::default(), 4, room) else { return };
        let (mut finished, mut ended_by_rule) = (0, 0);
        for (state, records) in emulated.games.iter().zip(emulated.records.chunks(room.records)) {
            for game in records[..state.records as usize].chunk_by(|one, next| one.game() == next.game()) {
                let mut position = game[0].position().expect("a legal position");
                for record in game {
                    let replayed = record.position().map(|position| position.to_string());
                    assert_eq!(replayed, Some(position.to_string()));
                    assert_eq!(record.is_check(), !position.checkers().is_empty());
                    let mv = record.best_move(&position).expect("a legal move");
                    position = position.play_unchecked(mv);
                }
                let mover = !position.turn();
                let winner = |record: &Record| match record.sample().wdl() {
                    Wdl::Draw => None,
                    Wdl::Win => record.position().map(|position| position.turn()),
                    Wdl::Loss => record.position().map(|position| !position.turn()),
                };
                let is_stuck = position.legal_moves().is_empty();
                if !game[0].is_finished() {
                    assert!(!is_stuck);
                    continue;
                }
                finished += 1;
                let first = winner(&game[0]);
                assert!(game.iter().all(|record| winner(record) == first));
                ended_by_rule += usize::from(is_stuck);
                if is_stuck {
                    assert_eq!(first, (!position.checkers().is_empty()).then_some(mover));
                } else if position.is_insufficient_material() || position.halfmove_clock() >= 100 {
                    assert_eq!(first, None::<Color>);
                }
            }
        }
        println!("{finished} games, {ended_by_rule} by mate or stalemate");
        assert!(finished > 3);
    }

    /// A game as it is packed: the positions of all its records.
    fn packed(records: &[Record]) -> PackedGame {
        let start = records[0].position().expect("a legal position");
        let result = match (records[0].sample().wdl(), start.turn()) {
            (Wdl::Draw, _) => GameResult::Draw,
            (Wdl::Win, Color::White) | (Wdl::Loss, Color::Black) => GameResult::WhiteWins,
            (Wdl::Win, Color::Black) | (Wdl::Loss, Color::White) => GameResult::BlackWins,
        };
        let mut position = start;
        let mut plies = Vec::new();
        for record in records {
            let mv = record.best_move(&position).expect("a legal move");
            let score = record.sample().score();
            plies.push(Ply { mv, score: if position.turn() == Color::White { score } else { -score } });
            position = position.play_unchecked(mv);
        }
        PackedGame::new(start, plies, result).expect("the moves are legal")
    }

    #[test]
    fn samples_are_gathered_by_the_filter_of_the_trainer() {
        // A network that has learned: with a random one the captures of a first iteration can take 100,000 nodes.
        let Some(network) = AnyEvaluator::default().network().cloned() else { return };
        let parameters = SearchParameters { nodes: 40, ..SearchParameters::default() };
        let room = Capacity { records: 200, games: 1000, ..Capacity::default() };
        let Some(mut emulated) = play(&[(&network, parameters)], Conditions::default(), 3, room) else { return };
        let filters = [
            Filter::default(),
            Filter { opening: 30, most_score: 400, ..Filter::default() },
            Filter { opening: 0, keeps_checks: true, keeps_tactics: true, most_score: u16::MAX },
        ];
        for filter in filters {
            let mut expected = Vec::new();
            for (state, records) in emulated.games.iter().zip(emulated.records.chunks(room.records)) {
                let finished = records[..state.first_record as usize].chunk_by(|one, next| one.game() == next.game());
                let mut data = Vec::new();
                for game in finished {
                    // The plies of a packed game count from its first record, and those of the kernels from the start.
                    let first = game[0].ply() as usize;
                    let filter = Filter { opening: filter.opening.saturating_sub(first), ..filter };
                    let mut samples = DataSet::new(filter, 0.0, 1);
                    samples.add_game(&packed(game));
                    data.extend_from_slice(samples.samples());
                }
                expected.push(data);
            }
            let count = expected.iter().flatten().count();
            assert!(count > 30, "{count} samples by {filter:?}");
            assert_eq!(emulated.gather(&filter, 0, false).as_ref(), Some(&expected), "{filter:?}");
            let none = emulated.gather(&filter, 0, true).expect("there was a compiler before");
            assert!(none.iter().all(Vec::is_empty), "there is no validation");
            let [learned, validation] = [false, true].map(|is_validation| emulated.gather(&filter, 2, is_validation));
            let counts =
                [learned, validation].map(|lists| lists.expect("there was a compiler").iter().flatten().count());
            assert_eq!(counts[0] + counts[1], count);
        }
    }

    #[test]
    fn the_proof_for_gpus_is_what_the_emulation_computes() {
        for Kernels { chunks, layers } in Kernels::all() {
            let Some(chunks) = chunks else { continue };
            let player = proof::player(chunks, layers);
            let players = [(&*player.network, player.parameters)];
            let Some(emulated) = play(&players, Conditions::default(), proof::WARPS, proof::ROOM) else { return };
            assert!(emulated.games.iter().all(|state| state.records as usize == proof::ROOM.records));
            let found = proof::checksum(emulated.records.iter(), &emulated.log);
            let expected = proof::expected(chunks, layers).play;
            assert_eq!(format!("{found:#x}"), format!("{expected:#x}"), "{layers}, {chunks} chunks");
        }
    }

    #[test]
    fn the_proof_reaches_singular_extensions() {
        let player = proof::player(1, Layers::Straight);
        let without = SearchParameters { singular_depth: i32::MAX, ..player.parameters };
        let [with, without] = [player.parameters, without].map(|parameters| {
            let emulated = play(&[(&*player.network, parameters)], Conditions::default(), proof::WARPS, proof::ROOM)?;
            Some(proof::checksum(emulated.records.iter(), &emulated.log))
        });
        let (Some(with), Some(without)) = (with, without) else { return };
        assert_ne!(with, without);
    }

    #[test]
    fn the_same_seed_plays_the_same_games() {
        let network = network(64);
        let parameters = SearchParameters { nodes: 400, ..SearchParameters::default() };
        let room = Capacity { records: 6, games: 1000, log: 400, warps: None };
        let play = |seed| play(&[(&network, parameters)], Conditions { seed, ..Conditions::default() }, 2, room);
        let (Some(one), Some(again), Some(other)) = (play(1), play(1), play(2)) else { return };
        assert_eq!(one.log, again.log);
        assert_eq!(one.records, again.records);
        assert_ne!(one.log, other.log);
    }
}
