//! The kernels, run on the CPU from their own source, compute what the reference trainer computes. Where there is no C++
//! compiler this has to be taken on trust.

#![cfg(all(target_os = "linux", target_env = "gnu", target_endian = "little"))]

use std::env;
use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use libloading::Library;
use nnue::{Architecture, Head, Layers};
use rules::Color;
use saavedra_forge::Precision;
use train::adam::{BETA_1, BETA_2, EPSILON, Moments};
use train::{
    FeatureTable, Order, ROUNDS, Reference, Sample, Shape, State, Step, Trainer, Update, Weights, king_buckets,
    synthetic,
};

const CHUNK_WORDS: usize = 64;
const TAIL_SAMPLES: usize = 128;

/// How far gradients may be apart: with half precision, every number that is added was rounded to eleven bits.
fn tolerance(precision: Precision) -> f64 {
    match precision {
        Precision::Single => 1e-4,
        Precision::Half => 3e-4,
    }
}

/// The kernels as a library for the CPU, compiled for one shape; none without a compiler.
fn library(shape: Shape, precision: Precision) -> Option<(Library, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
    let Shape { inputs, hidden, layers, .. } = shape;
    let name = format!("saavedra-kernels-{}-{hidden}-{inputs}-{layers}-{precision}.so", process::id());
    let path = env::temp_dir().join(name);
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let defines = [
        format!("-DHIDDEN={}", shape.hidden),
        format!("-DINPUTS={}", shape.inputs),
        format!("-DBUCKETS={}", shape.output_buckets),
        format!("-DCHUNK_WORDS={CHUNK_WORDS}"),
    ];
    let mut command = Command::new(compiler);
    if layers == Layers::Pairwise {
        command.args([
            "-DPAIRWISE".to_owned(),
            format!("-DSECOND={}", Head::SECOND),
            format!("-DTHIRD={}", Head::THIRD),
        ]);
    }
    if precision == Precision::Half {
        command.arg("-DHALVES");
    }
    // A fortified `longjmp` takes a jump to another fibre's stack for an attack.
    command.args(["-std=c++17", "-O1", "-w", "-U_FORTIFY_SOURCE", "-shared", "-fPIC", "-o"]).arg(&path).args(defines);
    let status = command.arg(folder.join("on_cpu.cpp")).status().ok()?;
    assert!(status.success(), "the kernels do not compile as C++");
    // SAFETY: the library was just made from our own source and has no initialisers but those of C++.
    Some((unsafe { Library::new(&path) }.expect("the library loads"), path))
}

/// The order of an epoch as the kernels take it.
#[repr(C)]
struct OrderArgument {
    length: u64,
    half_bits: u32,
    keys: [u32; ROUNDS],
}

/// What a step does to every weight, as the kernels take it.
#[repr(C)]
struct UpdateArgument([f32; 7]);

/// How far away from the beginning of all samples ours lie: what does not fit 32 bits must not get lost.
const FAR: usize = 5 << 32;

/// Everything the kernels pass on to each other.
struct Emulated {
    library: Library,
    shape: Shape,
    precision: Precision,
    samples: Vec<u64>,
    /// The parts of the samples that are learned from: beginnings and lengths.
    parts: Vec<u64>,
    table: Vec<u16>,
    bucket_table: Vec<u8>,
    state: State,
    losses: Vec<f32>,
    gradient: Vec<f32>,
    total: f64,
}

type Launch = unsafe extern "C" fn(u32, u32, u32, *mut *mut c_void);

/// The library keeps its fibres in global variables, so one test at a time uses any.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

macro_rules! launch {
    ($self:ident, $kernel:literal, $grid:expr, $threads:expr, $($argument:expr),+ $(,)?) => {{
        let mut arguments = [$(ptr::from_mut(&mut $argument).cast::<c_void>()),+];
        let (width, height) = $grid;
        // SAFETY: the library's functions have this type, and take the kernels' arguments by address.
        unsafe {
            let kernel = $self.library.get::<Launch>(concat!("cpu_", $kernel).as_bytes()).expect("the kernel is there");
            kernel(width as u32, height as u32, $threads, arguments.as_mut_ptr());
        }
    }};
}

impl Emulated {
    /// The samples lie with the second half first, as two parts that are the wrong way round.
    fn new(
        (library, precision): (Library, Precision),
        samples: &[Sample],
        table: &FeatureTable,
        state: State,
    ) -> Emulated {
        let (first, second) = samples.split_at(samples.len() / 2);
        let parts = [(FAR + second.len(), first.len()), (FAR, second.len())];
        Emulated {
            parts: parts.iter().flat_map(|&(start, length)| [start as u64, length as u64]).collect(),
            library,
            precision,
            shape: state.shape(),
            samples: second.iter().chain(first).flat_map(|sample| sample.words()).collect(),
            table: [table.inputs(Color::White), table.inputs(Color::Black)].concat(),
            bucket_table: table.buckets().to_vec(),
            state,
            losses: Vec::new(),
            gradient: Vec::new(),
            total: 0.0,
        }
    }

    /// One step, with an update of the weights if one is given.
    fn step(&mut self, mut order: OrderArgument, first: usize, count: usize, lambda: f32, update: Option<Update>) {
        let Shape { inputs, hidden, output_buckets, layers } = self.shape;
        let (mut first, mut samples, mut lambda, mut scale) = (first as u64, count as u32, lambda, 1.0 / count as f32);
        let chunks = (2 * count).div_ceil(32 * CHUNK_WORDS);
        let parts = count.div_ceil(TAIL_SAMPLES);
        let tail = self.shape.tail().len();
        let mut words = (chunks * CHUNK_WORDS) as u32;
        let mut entries = 2 * samples;
        let mut features = vec![u16::MAX; 2 * count * Sample::MOST_PIECES];
        let mut pieces = vec![0_u8; count];
        let mut buckets = vec![0_u8; count];
        let mut targets = vec![f32::NAN; count];
        let mut presence = vec![0_u32; inputs * words as usize];
        // What a kernel forgets to write is not a number, and so is everything computed from it.
        let mut activated = vec![[f32::NAN; 4]; 2 * count * hidden / 4];
        let mut blame = vec![[f32::NAN; 4]; 2 * count * hidden / 4];
        let mut rows = vec![[f32::NAN; 4]; inputs * hidden / 4];
        // A power of two, as the trainer chooses it.
        let mut unit = match (self.precision, layers) {
            (Precision::Single, _) => 1.0_f32,
            (Precision::Half, Layers::Straight) => 1.0 / ((1_u32 << count.ilog2()) as f32 * 4_096.0),
            (Precision::Half, Layers::Pairwise) => 1.0 / ((1_u32 << count.ilog2()) as f32 * 8.0),
        };
        // One slope for each sample of a straight network; a hundred numbers for each of a pairwise one.
        let mut notes = vec![[f32::NAN; 4]; 25 * count];
        let mut partials = vec![[f32::NAN; 4]; chunks * (inputs + 1) * hidden / 4];
        let mut filled = vec![9_u8; chunks * (inputs + 1)];
        let mut tails = vec![f32::NAN; parts * tail];
        let mut totals = [f64::NAN];
        self.losses = vec![f32::NAN; count];
        self.gradient = vec![f32::NAN; self.shape.weight_count()];
        let [mut sample_words, mut sample_parts, mut table, mut bucket_table] = [
            self.samples.as_mut_ptr().wrapping_sub(FAR * Sample::WORDS).cast::<c_void>(),
            self.parts.as_mut_ptr().cast(),
            self.table.as_mut_ptr().cast(),
            self.bucket_table.as_mut_ptr().cast(),
        ];
        let [mut feature_list, mut piece_list, mut bucket_list, mut target_list, mut presence_bits]: [*mut c_void; 5] = [
            features.as_mut_ptr().cast(),
            pieces.as_mut_ptr().cast(),
            buckets.as_mut_ptr().cast(),
            targets.as_mut_ptr().cast(),
            presence.as_mut_ptr().cast(),
        ];
        let State { weights, moments, shared } = &mut self.state;
        let pointers = |moments: &mut Moments| [moments.means.as_mut_ptr(), moments.squares.as_mut_ptr()];
        let (mut weights, [mut means, mut squares]) = (weights.values_mut().as_mut_ptr(), pointers(moments));
        let [mut shared_means, mut shared_squares] = shared.as_mut().map_or([ptr::null_mut(); 2], pointers);
        let [mut activated, mut blame, mut rows, mut partials] =
            [activated.as_mut_ptr(), blame.as_mut_ptr(), rows.as_mut_ptr(), partials.as_mut_ptr()];
        let [mut losses, mut tails, mut gradient] =
            [self.losses.as_mut_ptr(), tails.as_mut_ptr(), self.gradient.as_mut_ptr()];
        let mut notes = notes.as_mut_ptr();
        let (mut filled, mut total, mut slot) = (filled.as_mut_ptr(), totals.as_mut_ptr(), 0_u32);
        let (mut chunk_count, mut part_count) = (chunks as u32, parts as u32);
        let weight_blocks = (self.shape.weight_count().div_ceil(256), 1);

        launch!(
            self,
            "unpack",
            (count.div_ceil(8), 1),
            256,
            sample_words,
            sample_parts,
            order,
            first,
            samples,
            lambda,
            table,
            bucket_table,
            feature_list,
            piece_list,
            bucket_list,
            target_list,
            presence_bits,
            words,
        );
        match self.precision {
            Precision::Single => rows = weights.cast(),
            Precision::Half => {
                launch!(self, "close_rows", ((inputs * hidden).div_ceil(256), 1), 256, weights, rows);
            }
        }
        launch!(
            self,
            "forward",
            (count.div_ceil(4), 1),
            128,
            weights,
            rows,
            feature_list,
            piece_list,
            bucket_list,
            target_list,
            samples,
            scale,
            unit,
            activated,
            blame,
            notes,
            losses,
        );
        match layers {
            Layers::Straight => {
                let grid = (parts, (2 * hidden + 1).div_ceil(128));
                launch!(self, "output_gradient", grid, 128, activated, notes, bucket_list, samples, tails);
            }
            Layers::Pairwise => {
                let grid = (parts, output_buckets * hidden / 128);
                launch!(self, "pair_gradient", grid, 128, activated, notes, bucket_list, samples, tails);
                let grid = (parts, output_buckets * Head::parameters(0).div_ceil(128));
                launch!(self, "later_gradient", grid, 128, notes, bucket_list, samples, tails);
            }
        }
        launch!(
            self,
            "feature_gradient",
            (inputs + 1, chunks),
            256,
            blame,
            presence_bits,
            words,
            entries,
            unit,
            partials,
            filled,
        );
        launch!(self, "tally", (1, 1), 1024, losses, samples, total, slot);
        launch!(self, "gradient", weight_blocks, 256, partials, filled, chunk_count, tails, part_count, gradient,);
        if let Some(Update { rate, root_correction, keep, clip }) = update {
            let [one_minus_beta_1, one_minus_beta_2] = [BETA_1, BETA_2].map(|beta| (1.0 - beta) as f32);
            let mut update =
                UpdateArgument([rate, root_correction, keep, clip, one_minus_beta_1, one_minus_beta_2, EPSILON]);
            let alone = self.shape.weight_count() - self.shape.features().len();
            launch!(
                self,
                "update",
                ((self.shape.shared().len() + alone).div_ceil(256), 1),
                256,
                weights,
                means,
                squares,
                shared_means,
                shared_squares,
                partials,
                filled,
                chunk_count,
                tails,
                part_count,
                update,
            );
        }
        self.total = totals[0];
    }
}

/// How far two lists are apart, as parts of the second one's length and of its largest entry.
fn difference(found: &[f32], expected: &[f32]) -> f64 {
    let length = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|number| number * number).sum::<f64>().sqrt();
    let off = || found.iter().zip(expected).map(|(&found, &expected)| f64::from(found) - f64::from(expected));
    let largest = expected.iter().fold(0.0, |largest, &number| f64::max(largest, f64::from(number).abs()));
    let by_length = length(&mut off()) / length(&mut expected.iter().map(|&number| f64::from(number)));
    let by_largest =
        off().fold(0.0, |worst, off| if off.is_nan() { f64::INFINITY } else { f64::max(worst, off.abs()) });
    by_length.max(by_largest / largest)
}

/// A network that takes a step on a batch.
struct Trial {
    layers: Layers,
    hidden: usize,
    kings: usize,
    outputs: usize,
    batch: usize,
    has_factoriser: bool,
    precision: Precision,
}

const SMALL: Trial = Trial {
    layers: Layers::Straight,
    hidden: 32,
    kings: 1,
    outputs: 1,
    batch: 50,
    has_factoriser: true,
    precision: Precision::Single,
};

/// Compares one step of a network on a batch, and the weights after it.
fn agrees_with_the_reference(trial: Trial) {
    let Trial { layers, hidden, kings, outputs, batch, has_factoriser, precision } = trial;
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let buckets = king_buckets(kings).expect("a number on the list");
    let architecture = Architecture::new(hidden).and_then(|straight| straight.with_layers(layers));
    let architecture = architecture.expect("a width for such layers").with_king_buckets(buckets);
    let architecture = architecture.with_output_buckets(outputs).expect("up to eight");
    let shape = Shape::of(&architecture);
    let Some((library, path)) = library(shape, precision) else {
        eprintln!("no C++ compiler: the kernels are not tested");
        return;
    };
    let table = FeatureTable::new(&architecture);
    let samples = synthetic::samples(hidden as u64, batch + 37);
    let mut weights = Weights::random(shape, 5);
    // Weights that have room in sixteen bits.
    weights.values_mut().iter_mut().for_each(|weight| *weight = (*weight * 1_024.0).round() / 1_024.0);
    let state = State::new(weights);
    let state = if has_factoriser { state } else { state.without_factoriser() };
    let mut emulated = Emulated::new((library, precision), &samples, &table, state.clone());
    let mut reference = Reference::new(&samples, &[], table, state);

    let as_they_lie = OrderArgument { length: samples.len() as u64, half_bits: 0, keys: [0; ROUNDS] };
    emulated.step(as_they_lie, 11, batch, 0.3, None);
    let (loss, gradient) = reference.gradient(&samples[11..11 + batch], 0.3);
    // Part by part, because the gradients of some are far smaller than those of others.
    for part in shape.parts() {
        let off = difference(&emulated.gradient[part.clone()], &gradient[part.clone()]);
        assert!(off < tolerance(precision), "{architecture}, batch {batch}: gradients of {part:?} differ by {off}");
    }
    assert!((emulated.total / batch as f64 - loss).abs() < 1e-6, "{} and {loss}", emulated.total);

    // A large first step, from a shuffled batch: whatever is in the wrong place shows in the weights.
    let order = Order::new(9, 2, samples.len());
    let update = Update::new(1, 1e-2, 0.01, 0.3);
    let shuffled = OrderArgument { length: samples.len() as u64, half_bits: order.half_bits(), keys: order.keys() };
    emulated.step(shuffled, 20, batch, 0.7, Some(update));
    let step = Step { first: 20, count: batch, lambda: 0.7, update };
    let loss = reference.take(&order, &[step]).expect("a CPU does not vanish");
    assert!((emulated.total / batch as f64 - loss).abs() < 1e-6, "{} and {loss}", emulated.total);
    let expected = reference.state().expect("a CPU does not vanish");
    let pairs = [(&emulated.state.moments, &expected.moments)].into_iter();
    for (found, expected) in pairs.chain(emulated.state.shared.as_ref().zip(expected.shared.as_ref())) {
        assert!(difference(&found.means, &expected.means) < tolerance(precision));
        assert!(difference(&found.squares, &expected.squares) < tolerance(precision));
    }
    assert_eq!(emulated.state.shared.is_some(), expected.shared.is_some());
    // The first step of AdamW has the length of the rate in the direction of the gradient's sign, and rounding may turn
    // the sign of a gradient that is nearly zero: nearly all weights must agree, not all.
    let pairs = emulated.state.weights.values().iter().zip(expected.weights.values());
    let needed = if precision == Precision::Single { 999 } else { 990 };
    let right = pairs.filter(|(found, expected)| (*found - *expected).abs() < 1e-4).count();
    assert!(right * 1_000 > shape.weight_count() * needed, "{right} of {} weights agree", shape.weight_count());
    std::fs::remove_file(path).expect("the library can be removed");
}

#[test]
fn a_small_network_and_a_batch_smaller_than_a_chunk() {
    agrees_with_the_reference(SMALL);
}

#[test]
fn king_buckets_output_buckets_and_several_chunks() {
    agrees_with_the_reference(Trial { hidden: 64, kings: 2, outputs: 8, batch: 1_100, ..SMALL });
}

#[test]
fn king_buckets_that_share_nothing() {
    agrees_with_the_reference(Trial { kings: 4, batch: 200, has_factoriser: false, ..SMALL });
}

#[test]
fn widths_that_fill_no_power_of_two() {
    agrees_with_the_reference(Trial { hidden: 96, outputs: 3, batch: 130, ..SMALL });
}

#[test]
fn wide_loads_of_four_numbers() {
    agrees_with_the_reference(Trial { hidden: 256, batch: 260, ..SMALL });
}

#[test]
fn half_precision_is_close_for_loads_of_every_width() {
    for (hidden, kings, batch) in [(32, 1, 130), (64, 2, 300), (256, 1, 260)] {
        agrees_with_the_reference(Trial { hidden, kings, outputs: 2, batch, precision: Precision::Half, ..SMALL });
    }
}

#[test]
fn pairs_and_the_layers_behind_them() {
    for (hidden, kings, outputs, batch) in [(128, 1, 1, 50), (256, 2, 8, 300), (512, 1, 8, 150)] {
        agrees_with_the_reference(Trial { layers: Layers::Pairwise, hidden, kings, outputs, batch, ..SMALL });
    }
}

#[test]
fn pairs_in_half_precision() {
    let pairwise = Trial { layers: Layers::Pairwise, hidden: 128, outputs: 3, batch: 200, ..SMALL };
    agrees_with_the_reference(Trial { precision: Precision::Half, ..pairwise });
    agrees_with_the_reference(Trial { precision: Precision::Half, hidden: 256, kings: 4, ..pairwise });
}
