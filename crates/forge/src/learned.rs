//! What a trainer has learned, on the card.

use cudarc::driver::CudaSlice;
use train::{Moments, Shape, State, Weights};

use crate::{Card, Trouble};

/// A [`State`] in the card's memory.
pub(crate) struct Learned {
    pub(crate) weights: CudaSlice<f32>,
    pub(crate) moments: LearnedMoments,
    pub(crate) shared: Option<LearnedMoments>,
}

/// The means of gradients, on the card.
pub(crate) struct LearnedMoments {
    pub(crate) means: CudaSlice<f32>,
    pub(crate) squares: CudaSlice<f32>,
}

impl Learned {
    /// Brings a state onto the card.
    pub(crate) fn new(card: &Card, state: &State) -> Result<Learned, Trouble> {
        let copy = |list: &[f32]| card.stream().clone_htod(list).map_err(Trouble::while_it("take the network"));
        let moments = |Moments { means, squares }: &Moments| {
            Ok::<_, Trouble>(LearnedMoments { means: copy(means)?, squares: copy(squares)? })
        };
        let learned = Learned {
            weights: copy(state.weights.values())?,
            moments: moments(&state.moments)?,
            shared: state.shared.as_ref().map(moments).transpose()?,
        };
        card.stream().synchronize().map_err(Trouble::while_it("take the network"))?;
        Ok(learned)
    }

    /// Brings it back.
    pub(crate) fn read(&self, card: &Card, shape: Shape) -> Result<State, Trouble> {
        let copy = |list: &CudaSlice<f32>| card.stream().clone_dtoh(list).map_err(Trouble::while_it("give it back"));
        let moments = |LearnedMoments { means, squares }: &LearnedMoments| {
            Ok::<_, Trouble>(Moments { means: copy(means)?, squares: copy(squares)? })
        };
        Ok(State {
            weights: Weights::from_values(shape, copy(&self.weights)?).expect("as many came back as were brought"),
            moments: moments(&self.moments)?,
            shared: self.shared.as_ref().map(moments).transpose()?,
        })
    }
}
