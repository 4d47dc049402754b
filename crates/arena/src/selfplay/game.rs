//! One game of the search against itself.

use random::Random;
use records::GameResult;
use records::packed::{PackedGame, Ply};
use rules::see::{SeeContext, Values, swap};
use rules::{ByColor, Color, Game, Move, Position};
use search::{AnyEvaluator, Control, Limits, Request, Score, Searcher};

use super::SelfPlaySettings;

/// Plays the game of a number, unless it is stopped.
///
/// The first moves are random and scored by the static evaluation. Training leaves them out.
pub fn play(
    settings: &SelfPlaySettings,
    number: u64,
    searcher: &mut Searcher<AnyEvaluator>,
    is_stopped: &dyn Fn() -> bool,
) -> Option<PackedGame> {
    let mut random = Random::numbered(settings.seed, number);
    loop {
        if is_stopped() {
            return None;
        }
        searcher.clear();
        let Some(opening) = opening(settings, &mut random) else { continue };
        let mut table = SelfPlayGame::new(settings, searcher);
        table.play_opening(&opening);
        if table.result().is_some() {
            continue;
        }
        let (mut mv, mut score) = table.think();
        if score.value().abs() > settings.most_lead {
            continue;
        }
        let result = loop {
            table.make(mv, score.value());
            if let Some(result) = table.result() {
                break result;
            }
            if is_stopped() {
                return None;
            }
            (mv, score) = table.think();
        };
        let SelfPlayGame { game, plies, .. } = table;
        return Some(PackedGame::new(*game.start(), plies, result).expect("only legal moves were played"));
    }
}

/// Random moves from the start, none of which gives a queen away; nothing if they end the game.
fn opening(settings: &SelfPlaySettings, random: &mut Random) -> Option<Vec<Move>> {
    let values = Values::default();
    let mut position = Position::initial();
    let plies = settings.random_plies + usize::from(random.coin());
    (0..plies)
        .map(|_| {
            let mut moves = position.legal_moves();
            let context = SeeContext::new(&position);
            moves.retain(|mv| swap::is_at_least(&context, mv, 1 - settings.random_loss, &values));
            let mv = random.choose(&moves)?;
            position = position.play_unchecked(mv);
            Some(mv)
        })
        .collect()
}

/// A game of self-play that is being played.
struct SelfPlayGame<'a> {
    settings: &'a SelfPlaySettings,
    searcher: &'a mut Searcher<AnyEvaluator>,
    limits: Limits,
    game: Game,
    plies: Vec<Ply>,
    /// For how many plies in a row the score was that of a win for each side, and of a draw.
    won: ByColor<usize>,
    drawn: usize,
}

impl<'a> SelfPlayGame<'a> {
    fn new(settings: &'a SelfPlaySettings, searcher: &'a mut Searcher<AnyEvaluator>) -> SelfPlayGame<'a> {
        let limits = Limits { soft_nodes: Some(settings.nodes), nodes: Some(settings.hard_nodes), ..Limits::default() };
        SelfPlayGame {
            settings,
            searcher,
            limits,
            game: Game::default(),
            plies: Vec::new(),
            won: ByColor::default(),
            drawn: 0,
        }
    }

    fn play_opening(&mut self, moves: &[Move]) {
        for &mv in moves {
            let static_eval = self.searcher.evaluate(self.game.position());
            self.push(mv, Score::new(static_eval).value());
        }
    }

    /// The move of the search and its score.
    fn think(&mut self) -> (Move, Score) {
        let answer = self.searcher.search(&Request::new(&self.game, self.limits.clone()), &Control::new(), &mut ());
        (answer.best.expect("a game that goes on has a move"), answer.line.score)
    }

    /// Plays a move of the search, with its score for the side to move.
    fn make(&mut self, mv: Move, score: i32) {
        let white_score = self.push(mv, score);
        let lengthen = |streak: &mut usize, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
        lengthen(&mut self.won.white, white_score >= self.settings.win_score);
        lengthen(&mut self.won.black, white_score <= -self.settings.win_score);
        lengthen(&mut self.drawn, white_score.abs() <= self.settings.draw_score);
    }

    /// Plays a move. Returns the score as White sees it.
    fn push(&mut self, mv: Move, score: i32) -> i32 {
        let score = if self.game.position().turn() == Color::White { score } else { -score };
        self.plies.push(Ply { mv, score: score as i16 });
        self.game.play(mv).expect("the move is legal");
        score
    }

    /// How the game has ended, by the rules or by adjudication.
    fn result(&self) -> Option<GameResult> {
        if let Some(outcome) = self.game.outcome() {
            return Some(outcome.into());
        }
        let winner = Color::ALL.into_iter().find(|&color| self.won[color] >= self.settings.win_plies);
        let is_drawn = self.drawn >= self.settings.draw_plies && self.plies.len() >= self.settings.draw_from;
        match winner {
            Some(winner) => Some(GameResult::win_of(winner)),
            None => (is_drawn || self.game.claimable_draw().is_some()).then_some(GameResult::Draw),
        }
    }
}
