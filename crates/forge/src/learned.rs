//! What a trainer has learned, in the memory of a device.

use train::{Moments, Shape, TrainerState, Weights};

use crate::GpuError;
use crate::device::{Argument, Device, NOWHERE};

/// A [`TrainerState`] in the memory of a device.
pub(crate) struct Learned<D: Device> {
    pub(crate) weights: D::Buffer<f32>,
    moments: LearnedMoments<D>,
    shared: Option<LearnedMoments<D>>,
}

/// The means of gradients.
struct LearnedMoments<D: Device> {
    means: D::Buffer<f32>,
    squares: D::Buffer<f32>,
}

impl<D: Device> LearnedMoments<D> {
    fn new(device: &D, Moments { means, squares }: &Moments) -> Result<LearnedMoments<D>, GpuError> {
        Ok(LearnedMoments { means: device.upload(means)?, squares: device.upload(squares)? })
    }

    fn read(&self, device: &D, count: usize) -> Result<Moments, GpuError> {
        Ok(Moments { means: device.download(&self.means, count)?, squares: device.download(&self.squares, count)? })
    }

    fn arguments(&self, device: &D) -> [Argument; 2] {
        [device.address(&self.means), device.address(&self.squares)]
    }
}

impl<D: Device> Learned<D> {
    /// Copies a state to a device.
    pub(crate) fn new(device: &D, state: &TrainerState) -> Result<Learned<D>, GpuError> {
        Ok(Learned {
            weights: device.upload(state.weights.values())?,
            moments: LearnedMoments::new(device, &state.moments)?,
            shared: state.shared.as_ref().map(|shared| LearnedMoments::new(device, shared)).transpose()?,
        })
    }

    /// Copies it back.
    pub(crate) fn read(&self, device: &D, shape: Shape) -> Result<TrainerState, GpuError> {
        let (all, shared) = (shape.weight_count(), shape.shared().len());
        let weights = Weights::from_values(shape, device.download(&self.weights, all)?);
        Ok(TrainerState {
            weights: weights.expect("there are as many weights as before"),
            moments: self.moments.read(device, all)?,
            shared: self.shared.as_ref().map(|moments| moments.read(device, shared)).transpose()?,
        })
    }

    /// Everything that a step changes.
    pub(crate) fn arguments(&self, device: &D) -> [Argument; 5] {
        let [means, squares] = self.moments.arguments(device);
        let [shared_means, shared_squares] = self.shared.as_ref().map_or([NOWHERE; 2], |one| one.arguments(device));
        [device.address(&self.weights), means, squares, shared_means, shared_squares]
    }
}
