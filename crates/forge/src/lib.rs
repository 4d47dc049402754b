//! Training on the GPU.
