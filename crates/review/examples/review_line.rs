//! Reviews a short game: `cargo run --release --example review_line -- f3 e5 g4 Qh4`.

use std::error::Error;
use std::sync::Arc;

use saavedra_review::rules::Game;
use saavedra_review::{Effort, Reviewer};

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::default();
    for san in std::env::args().skip(1) {
        let mv = game.position().parse_san(&san)?;
        game.play(mv)?;
    }
    let review = Reviewer::new(Effort::Nodes(20_000)).review(&game, &Arc::default(), &mut |_| {})?;
    for told in &review.moves {
        println!("{:<8} {:?}", told.position.san(told.mv), told.judgement);
        told.reasons.iter().for_each(|reason| println!("         {reason}"));
    }
    Ok(())
}
