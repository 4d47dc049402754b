//! What the arena promises, in one program, because linking is what takes long.

mod event;
mod journal;
mod misbehaviour;
mod plot;
mod ratings;
mod referee;
mod selfplay;
mod tuning;
