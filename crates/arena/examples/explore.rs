//! x
use arena::Terms;
use arena::event::*;
use arena::ladder::{self, Ladder};
use saavedra_arena as arena;
use std::path::Path;
use std::sync::{Arc, atomic::AtomicBool};
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (error, pairs): (u32, u64) = (args[0].parse().unwrap(), args[1].parse().unwrap());
    let plan = Ladder::calibration(1, error, pairs);
    let setting = Setting { openings: records::openings::Openings::random_plies(8), terms: Terms::default() };
    let path = Path::new(&args[2]);
    let mut event = if path.exists() {
        Event::resume(Kept::open(path).unwrap(), plan, setting).unwrap()
    } else {
        Event::begin(plan, setting, Some(path)).unwrap()
    };
    let stop = Arc::new(AtomicBool::new(false));
    let f = if args.len() > 3 { Finish::Stopped } else { event.run(1, &stop, &mut ()).unwrap() };
    let c = event.chronicle();
    let r = ladder::ratings(c.plan(), c.scores()).unwrap();
    println!("{f:?} {} games, dispersion {:.2}", c.results().games(), r.dispersion);
    let mut order: Vec<usize> = (0..c.plan().players.len()).collect();
    order.sort_by(|a, b| r.players[*a].rating.total_cmp(&r.players[*b].rating));
    for i in order {
        println!(
            "{:24} {:8.1} {:?} {:?} {}",
            c.plan().players[i].name,
            r.players[i].rating,
            r.players[i].error.map(|e| e.round()),
            r.players[i].standing,
            r.players[i].games
        );
    }
}
