//! The proof that a GPU searches as the emulation on the CPU does, node by node. It is asked for before every long
//! run: compilers for GPUs have been seen to err.

use std::sync::Arc;

use nnue::{Architecture, KingBuckets, Layers, Network};
use rules::Game;
use train::WordSum;

use super::games::{Capacity, GpuGames, GpuPlayer, Kernels};
use super::packing::CHUNK;
use super::{Conditions, GameSearcher, GpuSearch, Record, SearchParameters, Visit};
use crate::{Gpu, GpuError};

/// What the emulation computes with a network.
pub(super) struct Expected {
    /// The checksum of the records and of the last searches' nodes.
    pub(super) play: u64,
    /// The checksum of the moves, scores and nodes found for games of the host.
    pub(super) search: u64,
}

/// What it computes with networks so many chunks wide.
pub(super) const fn expected(chunks: usize, layers: Layers) -> Expected {
    let (play, search) = match (layers, chunks) {
        (Layers::Straight, 1) => (0x3780_e581_c78d_2960, 0x60d8_dcba_47cf_c67b),
        (Layers::Straight, 2) => (0x9efe_6735_d6c4_f220, 0x74f1_b823_33fe_cbbd),
        (Layers::Straight, 3) => (0x54c6_6225_c7dd_7809, 0x5285_aadb_ede5_96e8),
        (Layers::Straight, _) => (0x353c_3244_3ba3_b5e9, 0x35d7_459d_e35b_582c),
        (Layers::Pairwise, 1) => (0x6360_66d0_9675_1a49, 0xeecb_b09f_120c_7bf7),
        (Layers::Pairwise, 2) => (0xc6fd_2c60_202c_2074, 0x9674_a9ad_b022_44bb),
        (Layers::Pairwise, 3) => (0x1afb_f656_bb85_2985, 0xb74a_fa35_c3e3_7132),
        (Layers::Pairwise, _) => (0xe11b_ca50_f0d4_0397, 0xcbc4_3598_7149_ca21),
    };
    Expected { play, search }
}

/// How many games of the host there are.
pub(super) const BOARDS: usize = 2;

pub(super) const WARPS: usize = 8;
pub(super) const ROOM: Capacity = Capacity { warps: Some(WARPS), records: 4, games: 1000, log: 900 };

/// A player with a random network that has buckets of both kinds.
pub(super) fn player(chunks: usize, layers: Layers) -> GpuPlayer {
    let buckets = KingBuckets::new(std::array::from_fn(|square| (square / 8).min(3) as u8)).expect("four buckets");
    let architecture = Architecture::new(chunks * CHUNK).expect("a width that is allowed").with_king_buckets(buckets);
    let architecture = architecture.with_output_buckets(8).expect("eight buckets");
    let architecture = architecture.with_layers(layers).expect("a width that can be halved");
    // So few nodes end before moves are usually asked whether they are the only good ones.
    let parameters = SearchParameters { nodes: 900, singular_depth: 4, ..SearchParameters::default() };
    GpuPlayer { network: Arc::new(Network::random(9, architecture)), parameters }
}

/// One number for everything that was played and searched.
pub(super) fn checksum<'a>(records: impl Iterator<Item = &'a Record>, log: &[Visit]) -> u64 {
    WordSum::of(records.flat_map(|record| record.words()).chain(log.iter().flat_map(|visit| visit.words())))
}

/// One number for the moves that a searcher finds against itself on one board, and in the same position again and again
/// on the other, which begins anew in between.
pub(super) fn play_out(searcher: &mut dyn GameSearcher) -> Result<u64, GpuError> {
    let (mut game, still) = (Game::default(), Game::default());
    let mut words = Vec::new();
    for ply in 0..6 {
        if ply % 2 == 0 {
            searcher.forget(1)?;
        }
        let thoughts = searcher.think(&[Some(&game), (ply < 3).then_some(&still)])?;
        for thought in thoughts.iter().flatten() {
            words.extend([u64::from(thought.mv.bits()), thought.score as u64, thought.nodes, thought.depth.into()]);
        }
        if let Some(thought) = thoughts[0] {
            game.play(thought.mv).map_err(|_| GpuError::NoMove(game.position().to_string()))?;
        }
    }
    Ok(WordSum::of(words))
}

/// Lets a GPU play a few moves with some kernels. An error unless it finds what the emulation finds.
pub fn prove(gpu: &Gpu, kernels: Kernels) -> Result<(), GpuError> {
    /// Kernels that ask for the width are asked to cope with more than one chunk.
    const ANY: usize = 2;
    let (chunks, conditions) = (kernels.chunks.unwrap_or(ANY), Conditions::default());
    let (player, expected) = (player(chunks, kernels.layers), expected(chunks, kernels.layers));
    let mut gpu_games = GpuGames::with_kernels(gpu, kernels, std::slice::from_ref(&player), conditions, ROOM)?;
    gpu_games.begin(conditions.seed)?;
    gpu_games.play(ROOM.records, ROOM.games)?;
    let (records, log) = (gpu_games.records()?, gpu_games.log()?);
    require(checksum(records.iter().flatten(), &log), expected.play)?;
    require(play_out(&mut GpuSearch::with_kernels(gpu, kernels, player, BOARDS)?)?, expected.search)
}

fn require(found: u64, expected: u64) -> Result<(), GpuError> {
    if found == expected {
        return Ok(());
    }
    tracing::error!(found, expected, "the GPU searches otherwise than the emulation");
    Err(GpuError::OtherSearch { found, expected })
}
