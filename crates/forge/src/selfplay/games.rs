//! Games on the GPU: one warp plays one game at a time, thousands of warps at once.

use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute;
use cudarc::driver::{CudaFunction, CudaSlice, DevicePtr, DevicePtrMut, DeviceRepr, LaunchConfig, PushKernelArg};
use nnue::{Architecture, Layers, Network};
use rules::Position;
use train::Filter;

use super::layout::{
    GameState, GatherRules, KEYS, LANES, LIST_ROOM, MAX_PLY, NetworkArgument, PLAYER_TABLES_BYTES, Parameters,
    PlayerArgument, WARPS, layout,
};
use super::packing::{Packed, chunks};
use super::tables::{reductions, tables};
use super::{Conditions, PAIRWISE_DEFINITION, Record, SearchParameters, Stored, Visit};
use crate::gpu::one_text;
use crate::{Gpu, GpuError, GpuSamples};

/// Threads in a block.
const BLOCK: usize = WARPS * LANES;

/// Warps on each multiprocessor: as many as find registers.
const WARPS_PER_PROCESSOR: usize = 32;

/// A player on the GPU: its network and its search parameters.
#[derive(Clone)]
pub struct GpuPlayer {
    /// The network.
    pub network: Arc<Network>,
    /// The numbers of the search.
    pub parameters: SearchParameters,
}

impl GpuPlayer {
    /// An error if the kernels are not made for such a network.
    pub fn check(&self) -> Result<(), GpuError> {
        let width = self.network.architecture().hidden();
        if width <= crate::WIDEST { Ok(()) } else { Err(GpuError::TooWide(width)) }
    }
}

/// Kernels as they are compiled for players: those that know the width of the layers go through them faster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernels {
    /// The width, in chunks; none where the players differ, and the kernels have to ask.
    pub(super) chunks: Option<usize>,
    /// Pairwise if any player's are.
    pub(super) layers: Layers,
}

impl Kernels {
    /// The kernels for players with such networks.
    pub fn of<'a>(architectures: impl IntoIterator<Item = &'a Architecture>) -> Kernels {
        let alone = |architecture: &Architecture| Kernels {
            chunks: Some(chunks(architecture.hidden())),
            layers: architecture.layers(),
        };
        architectures.into_iter().map(alone).reduce(Kernels::together).expect("there is a player")
    }

    fn together(self, other: Kernels) -> Kernels {
        let layers = if self.layers == Layers::Pairwise { self.layers } else { other.layers };
        Kernels { chunks: self.chunks.filter(|_| self.chunks == other.chunks), layers }
    }

    /// All there are.
    pub fn all() -> impl Iterator<Item = Kernels> {
        let widths = (1..=chunks(crate::WIDEST)).map(Some).chain([None]);
        widths.flat_map(|chunks| [Layers::Straight, Layers::Pairwise].map(|layers| Kernels { chunks, layers }))
    }

    /// What the compiler is told.
    fn definitions(self) -> Vec<String> {
        let pairwise = (self.layers == Layers::Pairwise).then(|| PAIRWISE_DEFINITION.to_owned());
        let chunks = self.chunks.map(|chunks| format!("-DCHUNKS={chunks}"));
        pairwise.into_iter().chain(chunks).collect()
    }
}

/// How much room games on the GPU have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Capacity {
    /// How many warps play; as many as the GPU runs at once if none are given.
    pub warps: Option<usize>,
    /// Positions that each warp can write down. None are written in a match, but counted all the same.
    pub records: usize,
    /// Games of a match whose outcomes each warp can write down.
    pub games: usize,
    /// Nodes of a search that each warp notes in the log.
    pub log: usize,
}

/// What has been played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// Games that have come to an end.
    pub games: u64,
    /// Positions in all games, unfinished ones included.
    pub positions: u64,
    /// Positions that were looked at.
    pub nodes: u64,
    /// The depths of all searches, added up.
    pub depths: u64,
    /// Searches.
    pub searches: u64,
    /// Losses, draws and wins: of the first player in a match, of White otherwise.
    pub results: [u64; 3],
}

struct GpuNetwork {
    rows: CudaSlice<u32>,
    outputs: CudaSlice<u32>,
    output_biases: CudaSlice<i32>,
    views: CudaSlice<u32>,
    output_by_men: CudaSlice<u8>,
    sizes: [u32; 2],
    layers: Layers,
}

impl GpuNetwork {
    fn new(gpu: &Gpu, packed: &Packed) -> Result<GpuNetwork, GpuError> {
        Ok(GpuNetwork {
            rows: upload(gpu, &packed.rows)?,
            outputs: upload(gpu, &packed.outputs)?,
            output_biases: upload(gpu, &packed.output_biases)?,
            views: upload(gpu, &packed.views)?,
            output_by_men: upload(gpu, &packed.output_by_men)?,
            sizes: [packed.chunks, packed.inputs].map(|size| size as u32),
            layers: packed.layers,
        })
    }

    fn argument(&self, gpu: &Gpu) -> NetworkArgument {
        let [chunks, inputs] = self.sizes;
        NetworkArgument {
            rows: address(gpu, &self.rows),
            outputs: address(gpu, &self.outputs),
            output_biases: address(gpu, &self.output_biases),
            views: address(gpu, &self.views),
            output_by_men: address(gpu, &self.output_by_men),
            chunks,
            inputs,
            is_pairwise: u32::from(self.layers == Layers::Pairwise),
            padding: 0,
        }
    }
}

fn upload<T: DeviceRepr>(gpu: &Gpu, values: &[T]) -> Result<CudaSlice<T>, GpuError> {
    gpu.stream().clone_htod(values).map_err(GpuError::during("take a player"))
}

/// Where a buffer lies. Everything happens on one stream, in order, so that nothing has to wait.
fn address<T>(gpu: &Gpu, buffer: &CudaSlice<T>) -> u64 {
    buffer.device_ptr(gpu.stream()).0
}

/// Games on the GPU, and all they need.
pub struct GpuGames {
    gpu: Gpu,
    play: CudaFunction,
    gather: CudaFunction,
    parameters: Parameters,
    warps: usize,
    room: Capacity,
    games: CudaSlice<GameState>,
    records: CudaSlice<Record>,
    outcomes: CudaSlice<u8>,
    log: CudaSlice<Visit>,
    /// What the parameters only know by address.
    kept: Kept,
}

struct Kept {
    tables: CudaSlice<u64>,
    start: CudaSlice<Stored>,
    player_tables: CudaSlice<u8>,
    keys: CudaSlice<u64>,
    lists: CudaSlice<u32>,
    layers: CudaSlice<u32>,
    reductions: CudaSlice<i16>,
    networks: Vec<GpuNetwork>,
}

impl GpuGames {
    /// Games of one player against itself, or a match of two.
    pub fn new(gpu: &Gpu, players: &[GpuPlayer], conditions: Conditions, room: Capacity) -> Result<GpuGames, GpuError> {
        let kernels = Kernels::of(players.iter().map(|player| player.network.architecture()));
        GpuGames::with_kernels(gpu, kernels, players, conditions, room)
    }

    /// With kernels that the players may not need, but can play with.
    pub(super) fn with_kernels(
        gpu: &Gpu,
        kernels: Kernels,
        players: &[GpuPlayer],
        conditions: Conditions,
        room: Capacity,
    ) -> Result<GpuGames, GpuError> {
        assert!(matches!(players.len(), 1 | 2), "a player plays itself or another");
        players.iter().try_for_each(GpuPlayer::check)?;
        let packed: Vec<Packed> = players.iter().map(|player| Packed::new(&player.network)).collect();
        let module = gpu.module(&source(), "games.cu", &kernels.definitions())?;
        let kernel = |name| module.load_function(name).map_err(GpuError::during("find a kernel"));
        let processors = gpu.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let warps = room.warps.unwrap_or(processors * WARPS_PER_PROCESSOR);
        let widest = packed.iter().map(|packed| packed.chunks).max().unwrap_or(1);
        let layer_room = MAX_PLY * 2 * widest * LANES;
        let reserving = GpuError::during("find memory for so many games");
        let stream = gpu.stream();
        let start = Stored::new(&Position::initial()).expect("the kernels play chess");
        let kept = Kept {
            tables: upload(gpu, &tables())?,
            start: upload(gpu, &[start])?,
            player_tables: stream.alloc_zeros(warps * players.len() * PLAYER_TABLES_BYTES).map_err(&reserving)?,
            keys: stream.alloc_zeros(warps * KEYS).map_err(&reserving)?,
            lists: stream.alloc_zeros(warps * LIST_ROOM).map_err(&reserving)?,
            layers: stream.alloc_zeros(warps * layer_room * 4).map_err(&reserving)?,
            reductions: upload(gpu, &reductions())?,
            networks: packed.iter().map(|packed| GpuNetwork::new(gpu, packed)).collect::<Result<_, _>>()?,
        };
        let mut games = stream.alloc_zeros(warps).map_err(&reserving)?;
        let mut records = stream.alloc_zeros((warps * room.records).max(1)).map_err(&reserving)?;
        let mut outcomes = stream.alloc_zeros((warps * room.games).max(1)).map_err(&reserving)?;
        let mut log = stream.alloc_zeros((warps * room.log).max(1)).map_err(&reserving)?;
        let player = |place: usize| {
            let place = place % players.len();
            PlayerArgument {
                network: kept.networks[place].argument(gpu),
                parameters: players[place].parameters,
                reductions: address(gpu, &kept.reductions),
            }
        };
        let parameters = Parameters {
            tables: address(gpu, &kept.tables),
            start: address(gpu, &kept.start),
            games: games.device_ptr_mut(stream).0,
            player_tables: address(gpu, &kept.player_tables),
            keys: address(gpu, &kept.keys),
            lists: address(gpu, &kept.lists),
            layers: address(gpu, &kept.layers),
            records: records.device_ptr_mut(stream).0,
            outcomes: outcomes.device_ptr_mut(stream).0,
            log: log.device_ptr_mut(stream).0,
            warps: warps as u32,
            record_room: room.records as u32,
            outcome_room: room.games as u32,
            log_room: room.log as u32,
            layer_room: layer_room as u32,
            until_records: 0,
            until_games: 0,
            padding: 0,
            players: [player(0), player(1)],
            conditions: Conditions { is_match: u32::from(players.len() == 2), ..conditions },
        };
        stream.synchronize().map_err(&reserving)?;
        Ok(GpuGames {
            gpu: gpu.clone(),
            play: kernel("play")?,
            gather: kernel("gather")?,
            parameters,
            warps,
            room,
            games,
            records,
            outcomes,
            log,
            kept,
        })
    }

    /// How many games go on at once.
    pub fn warps(&self) -> usize {
        self.warps
    }

    /// Clears all boards; the next games are those of a seed.
    pub fn begin(&mut self, seed: u64) -> Result<(), GpuError> {
        self.parameters.conditions.seed = seed;
        self.gpu.stream().memset_zeros(&mut self.games).map_err(GpuError::during("clear the boards"))
    }

    /// Lets a player search by other numbers from now on.
    pub fn set_parameters(&mut self, player: usize, parameters: SearchParameters) {
        self.parameters.players[player].parameters = parameters;
    }

    /// Sets up the boards of all warps, and the keys of the positions before.
    pub(super) fn set_up(&mut self, states: &[GameState], keys: &[u64]) -> Result<(), GpuError> {
        let setting_up = GpuError::during("set up the boards");
        self.gpu.stream().memcpy_htod(states, &mut self.games).map_err(&setting_up)?;
        self.gpu.stream().memcpy_htod(keys, &mut self.kept.keys).map_err(&setting_up)
    }

    /// The player of a warp that plays alone forgets what it has learnt.
    pub(super) fn forget(&mut self, warp: usize) -> Result<(), GpuError> {
        let mut memory =
            self.kept.player_tables.slice_mut(warp * PLAYER_TABLES_BYTES..(warp + 1) * PLAYER_TABLES_BYTES);
        self.gpu.stream().memset_zeros(&mut memory).map_err(GpuError::during("forget"))
    }

    /// How the games of all warps stand.
    pub(super) fn states(&self) -> Result<Vec<GameState>, GpuError> {
        let reading = GpuError::during("say how games stand");
        let states = self.gpu.stream().clone_dtoh(&self.games).map_err(&reading)?;
        self.gpu.stream().synchronize().map_err(&reading)?;
        Ok(states)
    }

    /// The room for records as it is, written or not.
    pub(super) fn all_records(&self) -> Result<Vec<Record>, GpuError> {
        let reading = GpuError::during("give the games back");
        let records = self.gpu.stream().clone_dtoh(&self.records).map_err(&reading)?;
        self.gpu.stream().synchronize().map_err(&reading)?;
        Ok(records)
    }

    /// Plays on until every warp has so many records or has finished so many games.
    pub fn play(&mut self, records: usize, games: usize) -> Result<Played, GpuError> {
        self.parameters.until_records = records as u32;
        self.parameters.until_games = games as u32;
        let playing = GpuError::during("play");
        let mut launch = self.gpu.stream().launch_builder(&self.play);
        launch.arg(&self.parameters);
        // SAFETY: the parameters are laid out as the kernel has them, and all buffers have the sizes that they say; the
        // kernel stops before it has no more room.
        unsafe { launch.launch(grid(self.warps)) }.map_err(&playing)?;
        let mut played = Played::default();
        for state in self.states()? {
            played.games += u64::from(state.number);
            played.positions += u64::from(state.records);
            played.nodes += state.nodes;
            played.depths += state.depths;
            played.searches += state.searches;
            for (sum, result) in played.results.iter_mut().zip(state.results) {
                *sum += u64::from(result);
            }
        }
        Ok(played)
    }

    /// Puts the positions of finished games that pass a filter behind the samples: those of one in so many games, which
    /// are kept for validation, or those of all others.
    pub fn gather(
        &mut self,
        filter: &Filter,
        validation_every: u32,
        is_validation: bool,
        into: &mut GpuSamples,
    ) -> Result<usize, GpuError> {
        let rules = GatherRules::new(filter, validation_every, is_validation);
        let gathering = GpuError::during("gather samples");
        let stream = self.gpu.stream().clone();
        let mut counts = stream.alloc_zeros::<u64>(self.warps).map_err(&gathering)?;
        self.launch_gather(rules, &mut counts, None)?;
        let kept: Vec<u64> = stream.clone_dtoh(&counts).map_err(&gathering)?;
        stream.synchronize().map_err(&gathering)?;
        // Every warp's samples lie behind those of the warps before it; the last may find no more room.
        let mut end = into.count() as u64;
        let offsets: Vec<u64> = kept
            .iter()
            .map(|count| {
                let begin = end;
                end += count;
                begin
            })
            .collect();
        let total = (end - into.count() as u64) as usize;
        if total > into.room() {
            return Err(GpuError::NoRoom { samples: total, room: into.room() });
        }
        let offsets = stream.clone_htod(&offsets).map_err(&gathering)?;
        self.launch_gather(rules, &mut counts, Some((&offsets, into.words_mut())))?;
        stream.synchronize().map_err(&gathering)?;
        into.add(total);
        Ok(total)
    }

    fn launch_gather(
        &self,
        rules: GatherRules,
        counts: &mut CudaSlice<u64>,
        into: Option<(&CudaSlice<u64>, &mut CudaSlice<u64>)>,
    ) -> Result<(), GpuError> {
        let (room, warps, nowhere) = (self.room.records as u32, self.warps as u32, 0_u64);
        let mut launch = self.gpu.stream().launch_builder(&self.gather);
        launch.arg(&self.records).arg(&room).arg(&self.games).arg(&warps).arg(&rules).arg(counts);
        match into {
            Some((offsets, words)) => launch.arg(offsets).arg(words),
            None => launch.arg(&nowhere).arg(&nowhere),
        };
        // SAFETY: the arguments have the types of the kernel's parameters; the words have room for all that was
        // counted.
        unsafe { launch.launch(grid(self.warps)) }.map_err(GpuError::during("gather samples"))?;
        Ok(())
    }

    /// All records, a list for every warp.
    pub fn records(&self) -> Result<Vec<Vec<Record>>, GpuError> {
        let (states, records) = (self.states()?, self.all_records()?);
        let lists = records.chunks(self.room.records.max(1)).zip(states);
        Ok(lists.map(|(records, state)| records[..state.records as usize].to_vec()).collect())
    }

    /// The outcomes of a match, a list for every warp: losses, draws and wins of the first player as 0, 1 and 2. It has
    /// White in the even games, and both games of a pair have the same opening.
    pub fn outcomes(&self) -> Result<Vec<Vec<u8>>, GpuError> {
        let reading = GpuError::during("give the outcomes back");
        let states = self.states()?;
        let outcomes = self.gpu.stream().clone_dtoh(&self.outcomes).map_err(&reading)?;
        self.gpu.stream().synchronize().map_err(&reading)?;
        let lists = outcomes.chunks(self.room.games.max(1)).zip(states);
        Ok(lists.map(|(outcomes, state)| outcomes[..(state.number as usize).min(self.room.games)].to_vec()).collect())
    }

    /// The nodes of every warp's last search.
    pub(super) fn log(&self) -> Result<Vec<Visit>, GpuError> {
        let log = self.gpu.stream().clone_dtoh(&self.log).map_err(GpuError::during("give the log back"))?;
        self.gpu.stream().synchronize().map_err(GpuError::during("give the log back"))?;
        Ok(log)
    }
}

fn grid(warps: usize) -> LaunchConfig {
    let blocks = (warps * LANES).div_ceil(BLOCK) as u32;
    LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (BLOCK as u32, 1, 1), shared_mem_bytes: 0 }
}

/// The kernels in one text.
fn source() -> String {
    let headers = [
        ("warp.cuh", include_str!("../../kernels/warp.cuh")),
        // Behind the header that includes it.
        ("layout.cuh", &*layout()),
        ("chess.cuh", include_str!("../../kernels/chess.cuh")),
        ("network.cuh", include_str!("../../kernels/network.cuh")),
        ("player.cuh", include_str!("../../kernels/player.cuh")),
        ("search.cuh", include_str!("../../kernels/search.cuh")),
        ("think.cuh", include_str!("../../kernels/think.cuh")),
    ];
    one_text(include_str!("../../kernels/games.cu"), &headers)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_text_for_the_gpu_is_whole() {
        let text = super::source();
        assert!(!text.contains("#include"), "{:?}", text.lines().find(|line| line.contains("#include")));
        assert!(text.contains("struct Parameters {"));
    }
}
