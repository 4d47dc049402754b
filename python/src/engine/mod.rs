//! Engines: the search in this process and UCI programs outside, behind one class.
//!
//! Every search runs on a thread of its own, which tells a [`Feed`](feed::Feed); Python threads wait at the feed. A
//! thread of ours never runs Python code, so that none can wait for the interpreter or outlive it.

mod backend;
mod core;
mod failure;
mod feed;
mod info;
mod limits;
mod outside;
mod own;
mod search;
mod turns;

pub(crate) use core::EngineCore;
pub(crate) use limits::duration;
pub(crate) use search::Search;
