use cozy_chess::*;
use std::time::Instant;
fn bulk(b: &Board, d: u32) -> u64 {
    let mut n = 0;
    if d == 1 {
        b.generate_moves(|m| {
            n += m.len() as u64;
            false
        });
    } else {
        b.generate_moves(|ms| {
            for m in ms {
                let mut c = b.clone();
                c.play_unchecked(m);
                n += bulk(&c, d - 1);
            }
            false
        });
    }
    n
}
fn walk(b: &Board, d: u32) -> u64 {
    if d == 0 {
        return 1;
    }
    let mut n = 0;
    b.generate_moves(|ms| {
        for m in ms {
            let mut c = b.clone();
            c.play_unchecked(m);
            n += walk(&c, d - 1);
        }
        false
    });
    n
}
fn main() {
    for (f, d) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ] {
        let b: Board = f.parse().unwrap();
        for _ in 0..3 {
            let t = Instant::now();
            let n = bulk(&b, d);
            println!("{n} {:.1} M/s", n as f64 / t.elapsed().as_secs_f64() / 1e6);
        }
        for _ in 0..3 {
            let t = Instant::now();
            let n = walk(&b, d - 1);
            println!("walk {n} {:.1} M/s", n as f64 / t.elapsed().as_secs_f64() / 1e6);
        }
    }
}
