//! What the host tells the kernels, laid out as they read it.

use cudarc::driver::DeviceRepr;
use train::adam::{BETA_1, BETA_2, EPSILON};
use train::{Order, ROUNDS, Update};

/// No room for something: the kernels leave it out.
pub(crate) const NOWHERE: u64 = 0;

/// The order of an epoch as the kernels take it.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct OrderArgument {
    length: u64,
    half_bits: u32,
    keys: [u32; ROUNDS],
}

// SAFETY: plain numbers laid out as C does, like the kernels' `Order`.
unsafe impl DeviceRepr for OrderArgument {}

impl OrderArgument {
    /// As the samples lie.
    pub(crate) fn unchanged(length: usize) -> OrderArgument {
        OrderArgument { length: length as u64, half_bits: 0, keys: [0; ROUNDS] }
    }

    pub(crate) fn new(order: &Order, length: usize) -> OrderArgument {
        OrderArgument { length: length as u64, half_bits: order.half_bits(), keys: order.keys() }
    }
}

/// What a step does to every weight, as the kernels take it.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct UpdateArgument {
    update: [f32; 4],
    one_minus_betas: [f32; 2],
    epsilon: f32,
}

// SAFETY: plain numbers laid out as C does, like the kernels' `Update`.
unsafe impl DeviceRepr for UpdateArgument {}

impl From<Update> for UpdateArgument {
    fn from(Update { rate, root_correction, keep, clip }: Update) -> UpdateArgument {
        UpdateArgument {
            update: [rate, root_correction, keep, clip],
            one_minus_betas: [BETA_1, BETA_2].map(|beta| (1.0 - beta) as f32),
            epsilon: EPSILON,
        }
    }
}
