//! Live analysis: a search that runs while a client follows it, reported at a limited rate.

use std::time::{Duration, Instant};

use rules::{Color, Game, Move};
use search::{AnyEvaluator, Control, Limits, Line, Reporter, Request, SearchStats, Searcher, win_draw_loss};
use tokio::sync::watch;

use super::message::{Analyse, Analysis, AnalysisEnd, AnalysisLine, ServerMessage};
use super::{AbortOnDrop, MESSAGE_INTERVAL, Outbox, check_id};
use crate::error::{ApiError, ErrorCode};
use crate::parse;
use crate::state::{App, StopOnDrop, permit};
use crate::view::{BoundView, LineView, ScoreView};
use crate::worker_pool::Priority;

/// The most lines.
const MAX_LINES: usize = 10;

/// The greatest depth.
const MAX_DEPTH: usize = 100;

/// How many seconds an analysis takes by default.
const DEFAULT_SECONDS: u64 = 60;

/// Starts an analysis. It ends when the returned handle is dropped.
pub(super) fn start(app: &App, asked: Analyse, outbox: Outbox) -> Result<AbortOnDrop, ApiError> {
    let limits = app.limits();
    let game = parse::game(asked.fen.as_deref(), asked.moves.as_deref(), limits.moves)?;
    let lines = within("lines", asked.lines.unwrap_or(1), MAX_LINES)?;
    let depth = asked.depth.map(|depth| within("depth", depth, MAX_DEPTH)).transpose()?;
    let longest = usize::try_from(limits.analysis_time.as_secs()).unwrap_or(usize::MAX);
    let seconds = within("seconds", asked.seconds.unwrap_or(DEFAULT_SECONDS) as usize, longest)?;
    let most = limits.analyses;
    let full = || ApiError::new(ErrorCode::TooMany, format!("{most} analyses are in progress"));
    let permit = permit(&app.shared().analyses, full)?;

    let task = app.task(Priority::Background);
    let (control, stop) = (task.control(), task.stop_on_drop());
    let (send, receive) = watch::channel(None);
    let limits = Limits { depth, move_time: Some(Duration::from_secs(seconds as u64)), ..Limits::default() };
    let (id, hash) = (check_id(&asked.id)?, app.limits().hash);
    let job = move || {
        let mut collector = Collector::new(id, &game, send);
        let mut searcher = Searcher::new(AnyEvaluator::default());
        // If the memory for this table is missing, the default one will do.
        let _ = searcher.set_hash(hash);
        if game.position().has_legal_moves() {
            searcher.search(&Request::new(&game, limits.clone()).with_lines(lines), &control, &mut collector);
        }
        drop(searcher);
        drop(permit);
        collector.finish(&control, limits.move_time);
    };
    app.spawn(&task, job)?;
    let task = tokio::spawn(async move { forward(receive, &outbox, stop).await });
    Ok(AbortOnDrop(task.abort_handle()))
}

fn within(name: &str, value: usize, most: usize) -> Result<usize, ApiError> {
    if (1..=most).contains(&value) {
        return Ok(value);
    }
    Err(ApiError::bad_request(format!("{name} is {value}: expected 1 to {most}")))
}

/// Sends the newest state at a limited rate, and the last one in any case.
async fn forward(mut receive: watch::Receiver<Option<Analysis>>, outbox: &Outbox, stop: StopOnDrop) {
    while receive.changed().await.is_ok() {
        let newest = receive.borrow_and_update().clone();
        let Some(newest) = newest else { continue };
        if !outbox.send(&ServerMessage::Analysis { analysis: &newest }).await || newest.done {
            break;
        }
        tokio::time::sleep(MESSAGE_INTERVAL).await;
    }
    drop(stop);
}

/// Collects what the search reports.
struct Collector<'a> {
    id: String,
    game: &'a Game,
    turn: Color,
    send: watch::Sender<Option<Analysis>>,
    lines: Vec<Line>,
    stats: Option<SearchStats>,
    sent: Option<Instant>,
}

impl<'a> Collector<'a> {
    fn new(id: String, game: &'a Game, send: watch::Sender<Option<Analysis>>) -> Collector<'a> {
        let turn = game.position().turn();
        Collector { id, game, turn, send, lines: Vec::new(), stats: None, sent: None }
    }

    /// Puts a line at its rank. If its move had another rank before, the line it replaces takes that rank, so the
    /// number of lines never shrinks.
    fn take(&mut self, line: &Line) {
        let index = self.lines.iter().position(|known| known.rank == line.rank);
        let before = self.lines.iter().position(|known| known.moves.first() == line.moves.first());
        match (index, before) {
            (Some(index), Some(before)) if index != before => {
                let rank = self.lines[before].rank;
                self.lines[before] = Line { rank, ..self.lines[index].clone() };
                self.lines[index] = line.clone();
            }
            (Some(index), _) => self.lines[index] = line.clone(),
            (None, _) => self.lines.push(line.clone()),
        }
        self.lines.sort_by_key(|line| line.rank);
    }

    /// Sends the current state, unless one was just sent.
    fn report(&mut self) {
        const LEAST: Duration = Duration::from_millis(50);
        if self.sent.is_none_or(|sent| sent.elapsed() >= LEAST) {
            self.sent = Some(Instant::now());
            self.send.send_replace(Some(self.analysis(None)));
        }
    }

    fn finish(&self, control: &Control, time: Option<Duration>) {
        let reason = match (self.game.position().has_legal_moves(), time) {
            (false, _) => AnalysisEnd::Over,
            (true, Some(time)) if control.elapsed() >= time => AnalysisEnd::Time,
            (true, _) => AnalysisEnd::Depth,
        };
        self.send.send_replace(Some(self.analysis(Some(reason))));
    }

    fn analysis(&self, reason: Option<AnalysisEnd>) -> Analysis {
        let first = self.lines.first();
        let stats = self.stats.as_ref();
        Analysis {
            id: self.id.clone(),
            fen: self.game.position().to_string(),
            depth: first.map_or(0, |line| line.depth),
            selective_depth: first.map_or(0, |line| line.selective_depth),
            nodes: stats.map_or(0, |stats| stats.nodes),
            nps: stats.map_or(0, SearchStats::nodes_per_second),
            time_ms: stats.map_or(0, |stats| u64::try_from(stats.time.as_millis()).unwrap_or(u64::MAX)),
            hash_full: stats.map_or(0, |stats| stats.hash_full),
            lines: self.lines.iter().map(|line| self.line_view(line)).collect(),
            done: reason.is_some(),
            reason,
        }
    }

    fn line_view(&self, line: &Line) -> AnalysisLine {
        let position = self.game.position();
        let mut wdl = win_draw_loss(line.score, position);
        if self.turn == Color::Black {
            wdl.reverse();
        }
        let LineView { uci, san } = LineView::new(position, &line.moves);
        AnalysisLine {
            rank: line.rank,
            depth: line.depth,
            score: ScoreView::new(line.score, self.turn),
            bound: BoundView::new(line.bound, self.turn),
            wdl,
            uci,
            san,
        }
    }
}

impl Reporter for Collector<'_> {
    fn line(&mut self, line: &Line, stats: &SearchStats) {
        self.take(line);
        self.stats = Some(*stats);
        self.report();
    }

    fn current_move(&mut self, _mv: Move, _number: usize, _depth: usize, stats: &SearchStats) {
        self.stats = Some(*stats);
        self.report();
    }

    fn pulse(&mut self, stats: &SearchStats) {
        self.stats = Some(*stats);
        self.report();
    }
}
