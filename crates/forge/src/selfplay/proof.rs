//! The proof that a card searches as the emulation on the CPU does, node by node. It is asked for before every long run: compilers
//! for cards have been seen to err.

use std::sync::Arc;

use nnue::{Architecture, KingBuckets, Layers, Network};
use rules::Game;

use super::hall::{CardPlayer, Hall, Room};
use super::{Conditions, Exhibition, Exhibitor, Inclination, Record, Visit};
use crate::{Card, Trouble};

/// What the emulation computes: the checksum of the records and of the last searches' nodes.
pub(super) const fn expected(layers: Layers) -> u64 {
    match layers {
        Layers::Straight => 0x478c_265b_8792_346b,
        Layers::Pairwise => 0xfc70_94e5_52ef_bdfd,
    }
}

/// What the emulation finds in an exhibition: the checksum of its moves, scores and nodes.
pub(super) const fn expected_of_exhibition(layers: Layers) -> u64 {
    match layers {
        Layers::Straight => 0xa2ba_2a1e_df46_fe57,
        Layers::Pairwise => 0xfdae_149c_beb1_59e3,
    }
}

/// The boards of the exhibition.
pub(super) const BOARDS: usize = 2;

pub(super) const WARPS: usize = 8;
pub(super) const ROOM: Room = Room { warps: Some(WARPS), records: 4, games: 1000, log: 900 };

/// A player with a random network that has buckets of both kinds.
pub(super) fn player(layers: Layers) -> CardPlayer {
    let buckets = KingBuckets::new(std::array::from_fn(|square| (square / 8).min(3) as u8)).expect("four buckets");
    let architecture = Architecture::new(256).expect("a width that is allowed").with_king_buckets(buckets);
    let architecture = architecture.with_output_buckets(8).expect("eight buckets");
    let architecture = architecture.with_layers(layers).expect("a width that can be halved");
    let inclination = Inclination { nodes: 900, ..Inclination::default() };
    CardPlayer { network: Arc::new(Network::random(9, architecture)), inclination }
}

/// One number for everything that was played and searched.
pub(super) fn checksum<'a>(records: impl Iterator<Item = &'a Record>, log: &[Visit]) -> u64 {
    mixed(records.flat_map(|record| record.words()).chain(log.iter().flat_map(|visit| visit.words())))
}

fn mixed(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0, |sum: u64, word| (sum.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// One number for the moves that an exhibitor finds against itself on one board, and in the same position again and again on the
/// other, which begins anew in between.
pub(super) fn exhibit(exhibitor: &mut dyn Exhibitor) -> Result<u64, Trouble> {
    let (mut game, still) = (Game::default(), Game::default());
    let mut words = Vec::new();
    for ply in 0..6 {
        if ply % 2 == 0 {
            exhibitor.forget(1)?;
        }
        let thoughts = exhibitor.think(&[Some(&game), (ply < 3).then_some(&still)])?;
        for thought in thoughts.iter().flatten() {
            words.extend([u64::from(thought.mv.bits()), thought.score as u64, thought.nodes, thought.depth.into()]);
        }
        if let Some(thought) = thoughts[0] {
            game.play(thought.mv).map_err(|_| Trouble::NoMove(game.position().to_string()))?;
        }
    }
    Ok(mixed(words.into_iter()))
}

/// Lets a card play a few moves with a network of some kind, and complains unless it finds what the emulation finds.
pub fn prove(card: &Card, layers: Layers) -> Result<(), Trouble> {
    let mut hall = Hall::new(card, &[player(layers)], Conditions::default(), ROOM)?;
    hall.begin(Conditions::default().seed)?;
    hall.play(ROOM.records, ROOM.games)?;
    let (records, log) = (hall.records()?, hall.log()?);
    require(checksum(records.iter().flatten(), &log), expected(layers))?;
    require(exhibit(&mut Exhibition::new(card, player(layers), BOARDS)?)?, expected_of_exhibition(layers))
}

fn require(found: u64, expected: u64) -> Result<(), Trouble> {
    if found == expected { Ok(()) } else { Err(Trouble::OtherSearch { found, expected }) }
}
