//! The plain driver: `fuzz [TARGET|all] [SECONDS] [SEED]`. What it feeds repeats from the seed, and the input that
//! broke a promise is printed with it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use fuzz::{TARGETS, Target};
use testkit::Random;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "all".to_owned());
    let number = |text: Option<String>, default: u64, what: &str| -> Result<u64> {
        text.map_or(Ok(default), |text| text.parse().with_context(|| format!("{text:?} is not a number of {what}")))
    };
    let seconds = number(arguments.next(), 60, "seconds")?;
    let seed = number(arguments.next(), 0, "a seed")?;
    let targets: Vec<&Target> = TARGETS.iter().filter(|target| name == "all" || name == target.name).collect();
    if targets.is_empty() {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        bail!("there is no target {name:?}: expected all, {}", names.join(", "));
    }
    let share = Duration::from_secs(seconds) / targets.len() as u32;
    for target in targets {
        feed(target, share, seed)?;
    }
    Ok(())
}

fn feed(target: &Target, time: Duration, seed: u64) -> Result<()> {
    let mut random = Random::new(seed);
    let mut corpus: Vec<Vec<u8>> = target.seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect();
    let ends = Instant::now() + time;
    let mut inputs = 0_u64;
    while Instant::now() < ends {
        let mut input = random.pick(&corpus).clone();
        for _ in 0..=random.below(6) {
            mutate(&mut input, &mut random);
        }
        if catch_unwind(AssertUnwindSafe(|| (target.test)(&input))).is_err() {
            bail!("{} breaks on {:?} (seed {seed}, input {inputs})", target.name, String::from_utf8_lossy(&input));
        }
        // A drifting corpus wanders further than the seeds alone.
        if random.below(50) == 0 && input.len() < 2_000 {
            if corpus.len() < 500 {
                corpus.push(input);
            } else {
                let place = target.seeds.len() + random.below(corpus.len() - target.seeds.len());
                corpus[place] = input;
            }
        }
        inputs += 1;
    }
    println!("{}: {inputs} inputs", target.name);
    Ok(())
}

/// Changes the input in one small way.
fn mutate(input: &mut Vec<u8>, random: &mut Random) {
    const TELLING: &[u8] = b"/ -12345678kqrbnpKQRBNPabcdefghwx+#=O0.e\xff\x00\xc3";
    let at = random.below(input.len() + 1);
    match random.below(6) {
        0 => input.insert(at, *random.pick(TELLING)),
        1 if at < input.len() => input[at] = *random.pick(TELLING),
        2 if at < input.len() => _ = input.remove(at),
        3 if at < input.len() => input[at] = random.next_u64() as u8,
        4 => input.truncate(at),
        _ => {
            // Repeats a piece of the input elsewhere.
            let end = (at + random.below(12)).min(input.len());
            let piece = input[at.min(end)..end].to_vec();
            let place = random.below(input.len() + 1);
            input.splice(place..place, piece);
        }
    }
}
