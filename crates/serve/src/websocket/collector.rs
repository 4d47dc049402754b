//! What an engine reports of an analysis, made into messages at a limited rate.

use std::time::{Duration, Instant};

use rules::{Color, Game, Move};
use search::{Control, Line, Reporter, SearchStats};
use tokio::sync::watch;

use super::message::{Analysis, AnalysisEnd, AnalysisLine};
use crate::error::ApiError;
use crate::view::{BoundView, LineView, ScoreView};

/// What a client is told of an analysis, if there is anything yet.
pub(super) type News = Option<Result<Analysis, ApiError>>;

/// Collects what an engine reports.
pub(super) struct Collector<'a> {
    id: String,
    /// What the engine is called here.
    engine: String,
    game: &'a Game,
    turn: Color,
    send: watch::Sender<News>,
    lines: Vec<Line>,
    stats: Option<SearchStats>,
    sent: Option<Instant>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(id: String, engine: String, game: &'a Game, send: watch::Sender<News>) -> Collector<'a> {
        let turn = game.position().turn();
        Collector { id, engine, game, turn, send, lines: Vec::new(), stats: None, sent: None }
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
            self.send.send_replace(Some(Ok(self.analysis(None))));
        }
    }

    pub(super) fn finish(&self, control: &Control, time: Option<Duration>) {
        let reason = match (self.game.position().has_legal_moves(), time) {
            (false, _) => AnalysisEnd::Over,
            (true, Some(time)) if control.elapsed() >= time => AnalysisEnd::Time,
            (true, _) => AnalysisEnd::Depth,
        };
        self.send.send_replace(Some(Ok(self.analysis(Some(reason)))));
    }

    pub(super) fn fail(&self, error: ApiError) {
        self.send.send_replace(Some(Err(error)));
    }

    fn analysis(&self, reason: Option<AnalysisEnd>) -> Analysis {
        let first = self.lines.first();
        let stats = self.stats.as_ref();
        Analysis {
            id: self.id.clone(),
            engine: self.engine.clone(),
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
        // By the curve of the review, so that the page shows one position with one number.
        let [win, _, loss] = review::win_draw_loss(line.score, position).map(|chance| (1000.0 * chance).round() as u32);
        let mut wdl = [win, 1000_u32.saturating_sub(win + loss), loss];
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
