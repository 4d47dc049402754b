//! Does the GPU compute what the reference does, does it do so again, and how fast? To be run on a machine that has
//! one.

use std::time::Instant;

use nnue::{Architecture, Layers};
use train::{
    DeviceError, FeatureTable, Hyperparameters, Objective, Reference, Sample, SampleOrder, Shape, Step, Trainer,
    TrainerState, Update, Weights, king_buckets, synthetic,
};

use crate::{Batches, Gpu, GpuError, GpuSamples, GpuTrainer, Precision};

/// How far the gradients of GPU and CPU may be apart, as shares of its length and of its largest entry, both
/// in the rows and behind them. Both add the
/// same numbers in single precision, in another order; with half precision every number that is added was rounded to
/// eleven bits.
fn tolerance(precision: Precision) -> f64 {
    match precision {
        Precision::Single => 1e-4,
        Precision::Half => 3e-4,
    }
}

/// The networks that are compared: layers, width, king buckets, output buckets, and the size of a batch.
const COMPARED: [(Layers, usize, usize, usize, usize); 11] = [
    (Layers::Straight, 32, 1, 1, 100),
    (Layers::Straight, 64, 2, 1, 1_000),
    (Layers::Straight, 96, 1, 8, 5_000),
    (Layers::Straight, 256, 1, 1, 16_384),
    (Layers::Straight, 512, 4, 8, 16_384),
    (Layers::Straight, 1024, 1, 1, 3_000),
    (Layers::Straight, 256, 32, 4, 16_384),
    (Layers::Pairwise, 128, 1, 1, 100),
    (Layers::Pairwise, 256, 2, 8, 5_000),
    (Layers::Pairwise, 512, 4, 8, 16_384),
    (Layers::Pairwise, 1024, 1, 3, 3_000),
];

/// The networks whose speed is measured: layers, width, king buckets, output buckets.
const MEASURED: [(Layers, usize, usize, usize); 8] = [
    (Layers::Straight, 256, 1, 1),
    (Layers::Straight, 512, 1, 1),
    (Layers::Straight, 1024, 1, 1),
    (Layers::Straight, 512, 4, 1),
    (Layers::Straight, 768, 16, 8),
    (Layers::Pairwise, 512, 1, 8),
    (Layers::Pairwise, 512, 4, 8),
    (Layers::Pairwise, 1024, 1, 8),
];

const BATCH: usize = 16_384;

/// What gradients are compared for. The penalty is as large as the loss's share in a pair, so that a mistake in either
/// shows.
const OBJECTIVE: Objective = Objective { lambda: 0.3, penalty: 1e-3 };

/// What everything is checked with.
struct Material {
    gpu: Gpu,
    samples: Vec<Sample>,
    uploaded: GpuSamples,
}

/// Compares, repeats, measures and trains, and tells all of it line by line. True if everything was as it should be.
pub fn check(tell: &mut dyn FnMut(String)) -> Result<bool, GpuError> {
    let begun = Instant::now();
    measure_reference(tell)?;
    let gpu = Gpu::open()?;
    tell(format!("GPU         {}", gpu.description()?));
    let samples = synthetic::samples(1, 2_000_000);
    tell(format!("samples     {} from random games", samples.len()));
    let uploaded = GpuSamples::upload(&gpu, &samples)?;
    let material = Material { gpu, samples, uploaded };
    let mut is_fine = true;
    for (layers, width, kings, outputs, batch) in COMPARED {
        is_fine &= compare(&material, &architecture(layers, width, kings, outputs), batch, tell)?;
    }
    for precision in Precision::ALL {
        for layers in [Layers::Straight, Layers::Pairwise] {
            is_fine &= repeat(&material, &architecture(layers, 256, 4, 8), precision, tell)?;
        }
        for (layers, width, kings, outputs) in MEASURED {
            measure(&material, &architecture(layers, width, kings, outputs), precision, tell)?;
        }
        for layers in [Layers::Straight, Layers::Pairwise] {
            is_fine &= learn(&material, &architecture(layers, 256, 1, 1), precision, tell)?;
        }
    }
    tell(format!("in all      {:.1} s, {}", begun.elapsed().as_secs_f64(), if is_fine { "fine" } else { "NOT FINE" }));
    Ok(is_fine)
}

fn architecture(layers: Layers, width: usize, kings: usize, outputs: usize) -> Architecture {
    let buckets = king_buckets(kings).expect("a number of king buckets on the list");
    let architecture = Architecture::new(width).and_then(|straight| straight.with_layers(layers));
    let architecture = architecture.expect("a width for such layers").with_king_buckets(buckets);
    architecture.with_output_buckets(outputs).expect("up to eight output buckets")
}

/// The loss and the gradient of a batch, on the GPU and on the CPU.
fn compare(
    material: &Material,
    architecture: &Architecture,
    batch: usize,
    tell: &mut dyn FnMut(String),
) -> Result<bool, GpuError> {
    let mut weights = Weights::random(Shape::of(architecture), 7);
    // Weights that have room in sixteen bits.
    weights.values_mut().iter_mut().for_each(|weight| *weight = (*weight * 1_024.0).round() / 1_024.0);
    let state = TrainerState::new(weights);
    let table = FeatureTable::new(architecture);
    let Material { gpu, samples, uploaded } = material;
    let mut reference = Reference::new(&samples[..batch], &samples[..batch / 2], table.clone(), state.clone());
    let (loss, gradient) = reference.gradient(&samples[..batch], OBJECTIVE);
    let validation = reference.validation_loss(OBJECTIVE.lambda).map_err(other_trouble)?.unwrap_or_default();
    let mut is_all_fine = true;
    for precision in Precision::ALL {
        let begun = Instant::now();
        // The second part first, so that parts are put together; a gradient does not mind.
        let parts = uploaded.parts([batch / 2..batch, 0..batch / 2]);
        let batches = Batches { most: batch, precision };
        let mut gpu = GpuTrainer::new(gpu, parts, uploaded.part(0..batch / 2), &table, &state, batches)?;
        let compiled = begun.elapsed().as_secs_f64();
        let (gpu_loss, gpu_gradient) = gpu.gradient(batch, OBJECTIVE)?;
        let gpu_held_out = gpu.validation_loss(OBJECTIVE.lambda).map_err(other_trouble)?.unwrap_or_default();
        // Rows and what comes behind them, because the gradient of one may be far smaller than that of the other.
        let tail = Shape::of(architecture).tail();
        let off = [0..tail.start, tail].map(|part| difference(&gpu_gradient[part.clone()], &gradient[part]));
        let [length, largest] = [off[0].0.max(off[1].0), off[0].1.max(off[1].1)];
        let losses = ((gpu_loss - loss) / loss).abs().max(((gpu_held_out - validation) / validation).abs());
        let is_fine = length.max(largest) < tolerance(precision) && losses < tolerance(Precision::Single);
        is_all_fine &= is_fine;
        tell(format!(
            "gradient    {architecture}, batch {batch}, {precision}: off by {length:.1e} of the length, {largest:.1e} of the largest, \
             losses {losses:.1e} (compiled and set up in {compiled:.2} s) {}",
            verdict(is_fine),
        ));
    }
    Ok(is_all_fine)
}

/// How far two lists are apart, as parts of the second one's length and of its largest entry.
fn difference(found: &[f32], expected: &[f32]) -> (f64, f64) {
    let [mut squares, mut expected_squares, mut largest, mut expected_largest] = [0.0_f64; 4];
    for (&found, &expected) in found.iter().zip(expected) {
        let off = f64::from(found) - f64::from(expected);
        squares += off * off;
        expected_squares += f64::from(expected).powi(2);
        largest = largest.max(off.abs());
        expected_largest = expected_largest.max(f64::from(expected).abs());
        if off.is_nan() {
            return (f64::INFINITY, f64::INFINITY);
        }
    }
    ((squares / expected_squares).sqrt(), largest / expected_largest)
}

/// Steps over the samples in order, as many as asked for, epoch by epoch.
fn run(trainer: &mut dyn Trainer, settings: &Hyperparameters, steps: u64) -> Result<f64, GpuError> {
    let samples = trainer.sample_count();
    let per_epoch = (samples / settings.batch) as u64;
    let mut loss = 0.0;
    let mut done = 0;
    while done < steps {
        let epoch = (done / per_epoch) as u32;
        let queued: Vec<Step> = (done..steps.min(done + per_epoch))
            .map(|number| Step {
                first: (number % per_epoch) as usize * settings.batch,
                count: settings.batch,
                objective: settings.objective_at(0),
                update: Update::new(number + 1, settings.rate_at(number, steps), settings.decay, settings.clip),
            })
            .collect();
        done += queued.len() as u64;
        loss = trainer.take(&SampleOrder::new(settings.seed, epoch, samples), &queued).map_err(other_trouble)?;
    }
    Ok(loss)
}

/// The same training twice on the GPU, and its beginning on the CPU.
fn repeat(
    material: &Material,
    architecture: &Architecture,
    precision: Precision,
    tell: &mut dyn FnMut(String),
) -> Result<bool, GpuError> {
    let table = FeatureTable::new(architecture);
    let state = TrainerState::new(Weights::random(Shape::of(architecture), 7));
    let layers = architecture.layers();
    let settings = Hyperparameters { batch: 4_096, warm_up: 10, ..Hyperparameters::default() };
    let Material { gpu, samples, uploaded } = material;
    let count = 200_000;
    let batches = Batches { most: settings.batch, precision };
    let trainer = || GpuTrainer::new(gpu, uploaded.part(0..count), uploaded.none(), &table, &state, batches);
    let mut trained = Vec::new();
    for _ in 0..2 {
        let mut gpu = trainer()?;
        let loss = run(&mut gpu, &settings, 100)?;
        trained.push((loss, gpu.state().map_err(other_trouble)?));
    }
    let is_same = trained[0] == trained[1];
    tell(format!(
        "again       {layers}, 100 steps twice, {precision}: {} {}",
        if is_same { "the same bits" } else { "not the same" },
        verdict(is_same)
    ));
    let mut gpu = trainer()?;
    let mut reference = Reference::new(&samples[..count], &[], table.clone(), state.clone());
    let (gpu_loss, loss) = (run(&mut gpu, &settings, 20)?, run(&mut reference, &settings, 20)?);
    let off = ((gpu_loss - loss) / loss).abs();
    let is_fine = off < 10.0 * tolerance(precision);
    tell(format!(
        "together    {layers}, 20 steps on GPU and CPU, {precision}: losses {gpu_loss:.6} and {loss:.6} {}",
        verdict(is_fine)
    ));
    Ok(is_same && is_fine)
}

/// Samples a second on the CPU, for comparison.
fn measure_reference(tell: &mut dyn FnMut(String)) -> Result<(), GpuError> {
    let architecture = architecture(Layers::Straight, 256, 1, 1);
    let samples = synthetic::samples(2, 8 * BATCH);
    let state = TrainerState::new(Weights::random(Shape::of(&architecture), 7));
    let mut reference = Reference::new(&samples, &[], FeatureTable::new(&architecture), state);
    let begun = Instant::now();
    run(&mut reference, &Hyperparameters { batch: BATCH, ..Hyperparameters::default() }, 8)?;
    let speed = samples.len() as f64 / begun.elapsed().as_secs_f64() / 1e6;
    tell(format!("reference   {architecture}: {speed:.2} million samples a second on {}", reference.device()));
    Ok(())
}

/// Samples a second, and where the time goes.
fn measure(
    material: &Material,
    architecture: &Architecture,
    precision: Precision,
    tell: &mut dyn FnMut(String),
) -> Result<(), GpuError> {
    let state = TrainerState::new(Weights::random(Shape::of(architecture), 7));
    let table = FeatureTable::new(architecture);
    let Material { gpu, uploaded, .. } = material;
    let batches = Batches { most: BATCH, precision };
    let mut gpu = GpuTrainer::new(gpu, uploaded.all(), uploaded.none(), &table, &state, batches)?;
    let settings = Hyperparameters { batch: BATCH, ..Hyperparameters::default() };
    run(&mut gpu, &settings, 100)?;
    let steps = 800;
    let begun = Instant::now();
    run(&mut gpu, &settings, steps)?;
    let speed = (steps as usize * BATCH) as f64 / begun.elapsed().as_secs_f64() / 1e6;
    gpu.steps.device.timings.start();
    let timed = 50;
    run(&mut gpu, &settings, timed)?;
    let timings = gpu.steps.device.timings.finish()?;
    let parts: Vec<String> =
        timings.iter().map(|(name, sum)| format!("{name} {:.0}", 1_000.0 * sum / timed as f64)).collect();
    tell(format!(
        "speed       {architecture}, {precision}: {speed:.1} million samples a second; microseconds a step: {}",
        parts.join(", ")
    ));
    Ok(())
}

/// A short training, which has to learn something.
fn learn(
    material: &Material,
    architecture: &Architecture,
    precision: Precision,
    tell: &mut dyn FnMut(String),
) -> Result<bool, GpuError> {
    let table = FeatureTable::new(architecture);
    let state = TrainerState::new(Weights::random(Shape::of(architecture), 7));
    let Material { gpu, samples, uploaded } = material;
    let (validation, learned) = (0..100_000, 100_000..uploaded.count());
    let steps = 8 * (learned.len() / BATCH) as u64;
    let batches = Batches { most: BATCH, precision };
    let (learned, validation) = (uploaded.part(learned), uploaded.part(validation));
    let mut gpu = GpuTrainer::new(gpu, learned, validation, &table, &state, batches)?;
    let settings = Hyperparameters { batch: BATCH, lambda: 0.2, warm_up: 50, ..Hyperparameters::default() };
    let validation_loss = |gpu: &mut GpuTrainer| {
        Ok::<f64, GpuError>(gpu.validation_loss(settings.lambda as f32).map_err(other_trouble)?.unwrap_or_default())
    };
    let before = validation_loss(&mut gpu)?;
    let begun = Instant::now();
    let loss = run(&mut gpu, &settings, steps)?;
    let after = validation_loss(&mut gpu)?;
    let seconds = begun.elapsed().as_secs_f64();
    let is_fine = after < 0.3 * before;
    let weights = gpu.state().map_err(other_trouble)?.weights;
    let pairs = train::active_pairs(&weights, &table, &samples[..2_000]);
    let pairs = pairs.map_or(String::new(), |share| format!(", {:.1} % of pairs active", 100.0 * share));
    tell(format!(
        "training    {}, 8 epochs, {precision}, in {seconds:.2} s: loss {loss:.5}, validation loss {before:.5} before and {after:.5} after{pairs} {}",
        architecture.layers(),
        verdict(is_fine)
    ));
    Ok(is_fine)
}

fn verdict(is_fine: bool) -> &'static str {
    if is_fine { "fine" } else { "NOT FINE" }
}

fn other_trouble(DeviceError(error): DeviceError) -> GpuError {
    GpuError::Driver { doing: "train", error }
}
