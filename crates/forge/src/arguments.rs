//! What the host tells the kernels of a training, laid out as they read it.

use nnue::FEATURES;
use train::adam::{BETA_1, BETA_2, EPSILON};
use train::{ROUNDS, Sample, SampleOrder, Update};

use crate::batch::{PAIRWISE_NOTES, TAIL_SAMPLES};
use crate::shared::{constants, device_structs};

device_structs! {
    /// The order of an epoch, as [`SampleOrder`] computes it; without bits every number stays where it is.
    #[derive(Clone, Copy)]
    pub(crate) struct OrderArgument = "Order" {
        length: u64,
        half_bits: u32,
        keys: [u32; ROUNDS],
        padding: u32,
    }

    /// What a step does to every weight, as [`Update`] and the constants of AdamW say it.
    #[derive(Clone, Copy)]
    pub(crate) struct UpdateArgument = "Update" {
        rate: f32,
        root_correction: f32,
        keep: f32,
        clip: f32,
        one_minus_beta_1: f32,
        one_minus_beta_2: f32,
        epsilon: f32,
    }
}

/// What takes the place of `layout.cuh` in the kernels of a training.
pub(crate) fn layout() -> String {
    let numbers = [
        ("PIECES", Sample::MOST_PIECES),
        ("ROUNDS", ROUNDS),
        ("FEATURES", FEATURES),
        ("TAIL_SAMPLES", TAIL_SAMPLES),
        ("PAIRWISE_NOTES", PAIRWISE_NOTES),
    ];
    constants(&numbers, "") + &OrderArgument::declaration() + &UpdateArgument::declaration()
}

impl OrderArgument {
    /// As the samples lie.
    pub(crate) fn unchanged(length: usize) -> OrderArgument {
        OrderArgument { length: length as u64, half_bits: 0, keys: [0; ROUNDS], padding: 0 }
    }

    pub(crate) fn new(order: &SampleOrder, length: usize) -> OrderArgument {
        OrderArgument { length: length as u64, half_bits: order.half_bits(), keys: order.keys(), padding: 0 }
    }
}

impl From<Update> for UpdateArgument {
    fn from(Update { rate, root_correction, keep, clip }: Update) -> UpdateArgument {
        let [one_minus_beta_1, one_minus_beta_2] = [BETA_1, BETA_2].map(|beta| (1.0 - beta) as f32);
        UpdateArgument { rate, root_correction, keep, clip, one_minus_beta_1, one_minus_beta_2, epsilon: EPSILON }
    }
}
