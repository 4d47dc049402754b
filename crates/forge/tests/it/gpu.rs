//! Finding a GPU and compiling for one, also where there is none.

use saavedra_forge::{Gpu, GpuError, Precision, compile};
use train::Shape;

use nnue::Layers;

fn shape(inputs: usize, hidden: usize, output_buckets: usize) -> Shape {
    Shape { inputs, hidden, output_buckets, layers: Layers::Straight }
}

fn pairwise(inputs: usize, hidden: usize, output_buckets: usize) -> Shape {
    Shape { layers: Layers::Pairwise, ..shape(inputs, hidden, output_buckets) }
}

#[test]
fn a_missing_gpu_is_an_error_and_no_panic() {
    match Gpu::open() {
        Ok(gpu) => assert!(!gpu.name().is_empty()),
        Err(error) => assert!(error.to_string().starts_with("there is no CUDA GPU here: "), "{error}"),
    }
}

#[test]
fn kernels_compile_for_every_kind_of_network() {
    for shape in [
        shape(768, 32, 1),
        shape(768, 96, 8),
        shape(768, 256, 1),
        shape(4 * 768, 512, 8),
        shape(32 * 768, 1024, 1),
        pairwise(768, 128, 1),
        pairwise(4 * 768, 512, 8),
        pairwise(32 * 768, 1024, 8),
    ] {
        for precision in [Precision::Single, Precision::Half] {
            match compile(shape, precision, 90) {
                Ok(kernels) => assert!(kernels.to_src().contains(".entry feature_gradient")),
                Err(GpuError::NoLibrary(library)) => return eprintln!("not tested, for want of {library}"),
                Err(error) => panic!("{shape:?} {precision:?}: {error}"),
            }
        }
    }
}

#[test]
fn widths_that_the_kernels_cannot_handle_are_refused() {
    for width in [0, 16, 100, 1056] {
        let refused = GpuError::Width { hidden: width, step: 32 };
        assert_eq!(compile(shape(768, width, 1), Precision::Single, 90).err(), Some(refused));
    }
    let refused = GpuError::Width { hidden: 192, step: 128 };
    assert_eq!(compile(pairwise(768, 192, 1), Precision::Single, 90).err(), Some(refused));
}
