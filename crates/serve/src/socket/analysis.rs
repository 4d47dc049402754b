//! Live analysis: a search that goes on while somebody looks, told at a steady rate.

use std::time::{Duration, Instant};

use rules::{Color, Game, Move};
use search::{AnyEvaluator, Control, Limits, Line, Reporter, Request, SearchStats, Searcher, win_draw_loss};
use tokio::sync::watch;

use super::message::{Analyse, Analysis, AnalysisLine, Reason, Tidings};
use super::{BETWEEN, Following, Outlet, check_id};
use crate::crew::Rank;
use crate::place;
use crate::refusal::{Code, Refusal};
use crate::state::{App, StopOnDrop, one_of};
use crate::view::{BoundView, LineView, ScoreView};

/// The most lines.
const MOST_LINES: usize = 10;

/// The deepest depth that can be asked for.
const DEEPEST: usize = 100;

/// How long an analysis goes on if nobody says otherwise.
const USUAL_TIME: u64 = 60;

/// Starts an analysis. It ends when what is returned is dropped.
pub(super) fn start(app: &App, asked: Analyse, outlet: Outlet) -> Result<Following, Refusal> {
    let limits = app.limits();
    let game = place::game(asked.fen.as_deref(), asked.moves.as_deref(), limits.moves)?;
    let lines = within("lines", asked.lines.unwrap_or(1), MOST_LINES)?;
    let depth = asked.depth.map(|depth| within("depth", depth, DEEPEST)).transpose()?;
    let longest = usize::try_from(limits.analysis_time.as_secs()).unwrap_or(usize::MAX);
    let seconds = within("seconds", asked.seconds.unwrap_or(USUAL_TIME) as usize, longest)?;
    let most = limits.analyses;
    let full = || Refusal::new(Code::TooMany, format!("{most} analyses are going on"));
    let place = one_of(&app.shared().analyses, full)?;

    let task = app.task(Rank::Patient);
    let (control, stop) = (task.control(), task.stop_on_drop());
    let (tell, told) = watch::channel(None);
    let limits = Limits { depth, move_time: Some(Duration::from_secs(seconds as u64)), ..Limits::default() };
    let (id, hash) = (check_id(&asked.id)?, app.limits().hash);
    let job = move || {
        let mut watcher = Watcher::new(id, &game, tell);
        let mut searcher = Searcher::new(AnyEvaluator::default());
        // If a table of this size cannot be had, the usual one will do.
        let _ = searcher.set_hash(hash);
        if game.position().has_legal_moves() {
            searcher.search(&Request::new(&game, limits.clone()).with_lines(lines), &control, &mut watcher);
        }
        drop(searcher);
        drop(place);
        watcher.finish(&control, limits.move_time);
    };
    app.work(&task, job)?;
    let task = tokio::spawn(async move { forward(told, &outlet, stop).await });
    Ok(Following(task.abort_handle()))
}

fn within(name: &str, value: usize, most: usize) -> Result<usize, Refusal> {
    if (1..=most).contains(&value) {
        return Ok(value);
    }
    Err(Refusal::bad_request(format!("{name} is {value}: expected 1 to {most}")))
}

/// Passes on what is newest, at a steady rate, and the end in any case.
async fn forward(mut told: watch::Receiver<Option<Analysis>>, outlet: &Outlet, stop: StopOnDrop) {
    while told.changed().await.is_ok() {
        let newest = told.borrow_and_update().clone();
        let Some(newest) = newest else { continue };
        if !outlet.tell(&Tidings::Analysis(&newest)).await || newest.done {
            break;
        }
        tokio::time::sleep(BETWEEN).await;
    }
    drop(stop);
}

/// Listens to the search and writes down what there is to tell.
struct Watcher<'a> {
    id: String,
    game: &'a Game,
    turn: Color,
    tell: watch::Sender<Option<Analysis>>,
    lines: Vec<Line>,
    stats: Option<SearchStats>,
    told: Option<Instant>,
}

impl<'a> Watcher<'a> {
    fn new(id: String, game: &'a Game, tell: watch::Sender<Option<Analysis>>) -> Watcher<'a> {
        let turn = game.position().turn();
        Watcher { id, game, turn, tell, lines: Vec::new(), stats: None, told: None }
    }

    /// Puts a line at its rank. If its move had another rank, the line that has to give way takes that one: whatever moves
    /// up or down, there are always as many lines as there were.
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

    /// Tells how far it has come, unless it just did.
    fn report(&mut self) {
        const LEAST: Duration = Duration::from_millis(50);
        if self.told.is_none_or(|told| told.elapsed() >= LEAST) {
            self.told = Some(Instant::now());
            self.tell.send_replace(Some(self.analysis(None)));
        }
    }

    fn finish(&self, control: &Control, time: Option<Duration>) {
        let reason = match (self.game.position().has_legal_moves(), time) {
            (false, _) => Reason::Over,
            (true, Some(time)) if control.elapsed() >= time => Reason::Time,
            (true, _) => Reason::Depth,
        };
        self.tell.send_replace(Some(self.analysis(Some(reason))));
    }

    fn analysis(&self, reason: Option<Reason>) -> Analysis {
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

impl Reporter for Watcher<'_> {
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
