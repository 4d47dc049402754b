//! The search in this process.

use engine::{Engine, OptionValue, SearchEngine};
use interface::{Bound, Control, Line, Reporter, Score, SearchStats};
use rules::Position;
use search::win_draw_loss;
use uci::{Castling, EngineOption, Info, suggest};

use super::backend::{Backend, Best, Order};
use super::failure::Failure;
use super::feed::Feed;

/// The search in this process, with the options it has as a UCI engine.
pub(super) struct OwnEngine {
    engine: SearchEngine,
    lines: u32,
}

impl OwnEngine {
    pub(super) fn new(seed: Option<u64>) -> OwnEngine {
        let mut engine = SearchEngine::new();
        if let Some(seed) = seed {
            engine.set_seed(seed);
        }
        OwnEngine { engine, lines: 1 }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let options = self.engine.options();
        let Some(option) = options.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
            let hint = suggest(name, options.iter().map(|option| option.name.as_str()));
            let hint = hint.map_or(String::new(), |close| format!(" (did you mean {close:?}?)"));
            return Err(format!("there is no option {name:?}{hint}"));
        };
        let reading = OptionValue::read(option, value)?;
        // UCI cuts a number to its range and says so; here it is refused.
        match reading.complaints.first() {
            Some(complaint) => {
                Err(complaint.split(':').next().unwrap_or_default().to_owned() + &format!(", not {value}"))
            }
            None => self.engine.set_option(&option.name, reading.value),
        }
    }
}

impl Backend for OwnEngine {
    fn id(&self) -> (String, String) {
        (self.engine.name(), "the Saavedra authors".to_owned())
    }

    fn options(&self) -> Vec<EngineOption> {
        self.engine.options()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        self.set(name, value).map_err(Failure::Refused)
    }

    fn ping(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn evaluate(&mut self, position: &Position) -> Result<i32, Failure> {
        Ok(self.engine.static_evaluation(position))
    }

    fn search(&mut self, order: &Order, control: &Control, feed: &Feed) -> Result<Best, Failure> {
        let root = order.game.position();
        if order.is_new_game {
            self.engine.new_game();
        }
        if !root.has_legal_moves() {
            let (score, wdl) =
                if root.is_check() { (Score::mated_in(0), [0, 0, 1000]) } else { (Score::DRAW, [0, 1000, 0]) };
            feed.tell(Info { depth: Some(0), score: Some(score.to_uci()), wdl: Some(wdl), ..Info::default() });
            return Ok(Best { mv: None, ponder: None });
        }
        if self.lines != order.lines {
            self.set_option("MultiPV", &order.lines.to_string())?;
            self.lines = order.lines;
        }
        let mut teller = Teller { feed, root };
        let answer = self.engine.search(&order.game, &order.limits, control, &mut teller).map_err(Failure::Refused)?;
        // The last line begins with the move to play and tells how much work the whole search was.
        teller.tell(&answer.line, &answer.stats);
        if let Some(best) = answer.best {
            feed.settle_on(&best.to_string());
        }
        Ok(Best { mv: answer.best, ponder: answer.ponder })
    }
}

/// Tells a feed the lines of a search.
struct Teller<'a> {
    feed: &'a Feed,
    root: &'a Position,
}

impl Teller<'_> {
    fn tell(&self, line: &Line, stats: &SearchStats) {
        let wdl = Some(win_draw_loss(line.score, self.root));
        self.feed.tell(Info { wdl, ..Info::of_line(line, stats, self.root, Castling::KingTakesRook) });
    }
}

impl Reporter for Teller<'_> {
    fn line(&mut self, line: &Line, stats: &SearchStats) {
        // Bounds are passing: the exact score of the depth follows.
        if line.bound == Bound::Exact {
            self.tell(line, stats);
        }
    }
}
