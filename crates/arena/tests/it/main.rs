//! What the arena promises without starting a program: between fork and exec one would hold the locks of journals.
//! Tests that start programs are programs of their own.

mod journal;
mod plot;
mod ratings;
mod referee;
mod selfplay;
