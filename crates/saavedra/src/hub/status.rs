//! `saavedra hub status`: what goes on at a hub, as its workers and coordinators tell it.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use ::hub::message::{EventStatus, WorkerStatus};
use ::hub::status::Overview;
use ::hub::{Address, Hub};
use clap::Args;

use super::notice;
use super::via::failed;
use crate::failure::Failure;
use crate::numbers::{counted, grouped, within};

/// Show workers, events and faults.
#[derive(Args)]
pub(super) struct Arguments {
    /// The hub, like nats://host, nats://host:4222 or tls://host.
    hub: Address,
    /// The key of a viewer or a coordinator.
    #[arg(long, value_name = "FILE")]
    creds: PathBuf,
    /// The certificate of the authority that signed the hub's, if the system does not know it.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// How many seconds to listen; workers tell of themselves every two.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = within::<u16>(1..=3600))]
    seconds: u16,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { hub, creds, ca, seconds, json } = arguments;
    let hub = Hub { address: hub.clone(), key: creds.clone(), authority: ca.clone() };
    let overview = Overview::listen(&hub, Duration::from_secs(u64::from(*seconds)), &notice()).map_err(failed)?;
    let mut out = io::stdout().lock();
    if *json {
        serde_json::to_writer(&mut out, &overview)?;
        writeln!(out)?;
    } else {
        print(&mut out, &overview)?;
    }
    Ok(out.flush()?)
}

fn print(out: &mut impl Write, overview: &Overview) -> io::Result<()> {
    let cores: usize = overview.workers.values().map(|worker| worker.cores).sum();
    let workers = counted(overview.workers.len() as u64, "worker");
    writeln!(out, "{workers} with {}", counted(cores as u64, "core"))?;
    for WorkerStatus { name, program, cores, playing, finished, speed, .. } in overview.workers.values() {
        let (cores, finished) = (counted(*cores as u64, "core"), counted(*finished, "unit"));
        let (speed, playing) = (grouped(*speed), playing.len());
        writeln!(out, "  {name}: {cores}, {playing} busy, {speed} nodes a second, {finished}, version {program}")?;
    }
    writeln!(out, "{}", counted(overview.events.len() as u64, "event"))?;
    overview.events.values().try_for_each(|event| print_event(out, event))?;
    match overview.refused {
        0 => Ok(()),
        refused => writeln!(out, "{} made no sense", counted(refused, "message")),
    }
}

fn print_event(out: &mut impl Write, event: &EventStatus) -> io::Result<()> {
    let EventStatus { command, name, figures, outstanding, sent_again, checked, refused, workers, .. } = event;
    let of = figures.total.map_or(String::new(), |total| format!(" of {}", grouped(total)));
    let games = grouped(figures.games);
    writeln!(out, "  {command} {name}: {games}{of} games, {:.1} a second", figures.games_per_second)?;
    if let Some([llr, lower, upper]) = figures.llr {
        writeln!(out, "    LLR {llr:.2} ({lower:.2}, {upper:.2})")?;
    }
    let units = counted(*outstanding, "unit");
    writeln!(out, "    {units} out, {sent_again} sent again, {checked} checked, {refused} refused")?;
    for (name, tally) in workers {
        let (units, games) = (counted(tally.units, "unit"), counted(tally.games, "game"));
        let faults = format!("{} lost on time, {} other faults", tally.time_losses, tally.faults);
        let distrust = format!("{} contradicted, {} refused", tally.mismatches, tally.refused);
        writeln!(out, "    {name}: {units}, {games}, {faults}, {distrust}")?;
    }
    Ok(())
}
