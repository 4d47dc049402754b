//! PGN: read into moves that a page can browse, and written from them.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use records::pgn::{self, GameTree, Nag, Node, NodeId, PgnError, PgnResult};
use rules::Position;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::extract::JsonBody;
use crate::parse;
use crate::state::App;
use crate::view::{MoveView, ScoreView};

/// The most games in one PGN.
const MOST_GAMES: usize = 200;

/// The most moves of all games together, including variations: each is sent with the position after it.
const MOST_MOVES: usize = 40_000;

/// The most moves of a game to be written: adding one takes time in proportion to the line before it.
const MOST_WRITTEN: usize = 10_000;

/// A PGN with games.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadPgnRequest {
    pgn: String,
}

/// The games of a PGN, and what could not be read.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReadPgnResponse {
    games: Vec<PgnGame>,
    errors: Vec<PgnProblem>,
}

/// A game of a PGN.
#[derive(Serialize, ToSchema)]
pub(crate) struct PgnGame {
    tags: BTreeMap<String, String>,
    result: String,
    start_fen: String,
    chess960: bool,
    /// The comment before the first move.
    comment: Option<String>,
    /// The main line.
    moves: Vec<PgnMove>,
    /// The variations, line by line. Their moves are numbered on from the main line: the first one here has the number
    /// of moves plus one.
    variations: Vec<PgnMove>,
}

/// A move of a PGN with its annotations.
#[derive(Serialize, ToSchema)]
pub(crate) struct PgnMove {
    #[serde(flatten)]
    mv: MoveView,
    /// The number of the move that it follows: 1 is the first, 0 the start.
    after: usize,
    /// The comment before the move, which only the first move of a variation can have.
    comment_before: Option<String>,
    comment: Option<String>,
    nags: Vec<u8>,
    clock_ms: Option<u64>,
    /// The time that the move took.
    elapsed_ms: Option<u64>,
    eval: Option<ScoreView>,
}

/// Where a game could not be read.
#[derive(Serialize, ToSchema)]
pub(crate) struct PgnProblem {
    game: u64,
    line: u64,
    message: String,
}

/// A game to be written.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WritePgnRequest {
    fen: Option<String>,
    moves: Option<Vec<Written>>,
    tags: Option<BTreeMap<String, String>>,
    /// The result; by default that of the moves.
    result: Option<String>,
    /// The comment before the first move.
    comment: Option<String>,
}

/// A move to be written, in UCI or algebraic notation: alone, or with annotations.
#[derive(Deserialize, ToSchema)]
#[serde(
    untagged,
    expecting = "expected a move, or an object of move, after, comment_before, comment, nags, clock_ms, elapsed_ms and eval"
)]
pub(crate) enum Written {
    Move(String),
    Annotated(Annotated),
}

/// A move with annotations.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Annotated {
    #[serde(rename = "move")]
    mv: String,
    /// The number of the move that it follows: 1 is the first of the list, 0 the start. By default the one
    /// before it. The first move that follows another one continues its line, later ones are variations.
    after: Option<usize>,
    comment_before: Option<String>,
    comment: Option<String>,
    #[serde(default)]
    nags: Vec<u8>,
    clock_ms: Option<u64>,
    elapsed_ms: Option<u64>,
    eval: Option<ScoreView>,
}

/// A game as PGN.
#[derive(Serialize, ToSchema)]
pub(crate) struct WritePgnResponse {
    pgn: String,
}

#[utoipa::path(post, path = "/api/pgn/read", tag = "tools", request_body = ReadPgnRequest,
    responses((status = 200, body = ReadPgnResponse), (status = "4XX", body = ErrorBody)))]
/// Reads the games of a PGN.
pub(crate) async fn read(
    State(app): State<App>,
    JsonBody(asked): JsonBody<ReadPgnRequest>,
) -> Result<Json<ReadPgnResponse>, ApiError> {
    app.compute(move |_| read_all(&asked.pgn)).await.map(Json)
}

fn read_all(text: &str) -> Result<ReadPgnResponse, ApiError> {
    let mut answer = ReadPgnResponse { games: Vec::new(), errors: Vec::new() };
    let mut moves = 0;
    for game in pgn::games(text.as_bytes()) {
        if answer.games.len() + answer.errors.len() == MOST_GAMES {
            return Err(ApiError::new(
                ErrorCode::TooLarge,
                format!("there are more than {MOST_GAMES} games in the text"),
            ));
        }
        match game {
            Ok(tree) => {
                moves += tree.move_count();
                if moves > MOST_MOVES {
                    return Err(ApiError::new(
                        ErrorCode::TooLarge,
                        format!("the games have more than {MOST_MOVES} moves"),
                    ));
                }
                answer.games.push(PgnGame::new(&tree));
            }
            Err(PgnError::Game(problem)) => answer.errors.push(PgnProblem {
                game: problem.game,
                line: problem.line,
                message: problem.flaw.to_string(),
            }),
            Err(PgnError::Io(error)) => return Err(ApiError::new(ErrorCode::BadPgn, error.to_string())),
        }
    }
    Ok(answer)
}

/// The first game of a PGN.
pub(crate) fn first_game(text: &str) -> Result<GameTree, ApiError> {
    match pgn::games(text.as_bytes()).next() {
        Some(Ok(tree)) => Ok(tree),
        Some(Err(error)) => Err(ApiError::new(ErrorCode::BadPgn, error.to_string())),
        None => Err(ApiError::new(ErrorCode::BadPgn, "there is no game in the text")),
    }
}

fn joined(comments: &[String]) -> Option<String> {
    (!comments.is_empty()).then(|| comments.join(" "))
}

impl PgnGame {
    pub(crate) fn new(tree: &GameTree) -> PgnGame {
        let tags = tree.tags.roster().chain(tree.tags.others());
        let (moves, variations) = PgnMove::all(tree);
        PgnGame {
            tags: tags.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            result: tree.result().to_string(),
            start_fen: tree.start().to_string(),
            chess960: tree.start().is_chess960(),
            comment: joined(tree.node(NodeId::ROOT).comments()),
            moves,
            variations,
        }
    }
}

impl PgnMove {
    /// The main line and the variations. Lines are written one after the other, without recursion, because variations
    /// may be nested deeply.
    fn all(tree: &GameTree) -> (Vec<PgnMove>, Vec<PgnMove>) {
        let (mut told, mut played) = (Vec::new(), None);
        let mut lines = VecDeque::from([(NodeId::ROOT, *tree.start(), 0)]);
        while let Some((first, mut position, mut after)) = lines.pop_front() {
            let mut next = Some(first);
            while let Some(id) = next {
                let node = tree.node(id);
                if let Some(mv) = node.mv() {
                    told.push(PgnMove::new(node, MoveView::new(&position, mv), after));
                    position = position.play_unchecked(mv);
                    after = told.len();
                }
                let mut children = node.children().iter().copied();
                next = children.next();
                lines.extend(children.map(|child| (child, position, after)));
            }
            played.get_or_insert(told.len());
        }
        let variations = told.split_off(played.unwrap_or_default());
        (told, variations)
    }

    fn new(node: &Node, mv: MoveView, after: usize) -> PgnMove {
        PgnMove {
            mv,
            after,
            comment_before: joined(node.comments_before()),
            comment: joined(node.comments()),
            nags: node.nags.iter().map(|nag| nag.0).collect(),
            clock_ms: node.clock.and_then(|clock| u64::try_from(clock.as_millis()).ok()),
            elapsed_ms: node.elapsed.and_then(|time| u64::try_from(time.as_millis()).ok()),
            eval: node.eval.map(ScoreView::recorded),
        }
    }
}

#[utoipa::path(post, path = "/api/pgn/write", tag = "tools", request_body = WritePgnRequest,
    responses((status = 200, body = WritePgnResponse), (status = "4XX", body = ErrorBody)))]
/// Writes a game as PGN.
pub(crate) async fn write(
    State(app): State<App>,
    JsonBody(asked): JsonBody<WritePgnRequest>,
) -> Result<Json<WritePgnResponse>, ApiError> {
    app.compute(move |_| Ok(WritePgnResponse { pgn: asked.tree()?.to_string() })).await.map(Json)
}

impl WritePgnRequest {
    pub(crate) fn new(
        fen: Option<String>,
        moves: Option<Vec<Written>>,
        tags: Option<BTreeMap<String, String>>,
        result: Option<String>,
        comment: Option<String>,
    ) -> WritePgnRequest {
        WritePgnRequest { fen, moves, tags, result, comment }
    }

    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.fen.is_none()
            && self.moves.is_none()
            && self.tags.is_none()
            && self.result.is_none()
            && self.comment.is_none()
    }

    pub(crate) fn tree(self) -> Result<GameTree, ApiError> {
        let start = self.fen.as_deref().map_or(Ok(Position::initial()), parse::position)?;
        let moves = self.moves.unwrap_or_default();
        if moves.len() > MOST_WRITTEN {
            return Err(ApiError::new(
                ErrorCode::TooLarge,
                format!("a game is written with at most {MOST_WRITTEN} moves"),
            ));
        }
        let mut tree = GameTree::new(start);
        let mut places: Vec<(NodeId, Position)> = vec![(NodeId::ROOT, start)];
        for (index, written) in moves.into_iter().enumerate() {
            let place = written
                .annotated()
                .add_to(&mut tree, &places)
                .map_err(|error| ApiError { message: format!("move {}: {}", index + 1, error.message), ..error })?;
            places.push(place);
        }
        if let Some(comment) = &self.comment {
            tree.node_mut(NodeId::ROOT).add_comment(comment);
        }
        for (name, value) in self.tags.unwrap_or_default() {
            tree.tags.set(&name, &value);
        }
        let known = ["1-0", "0-1", "1/2-1/2", "*"];
        let result = match self.result {
            Some(result) if known.contains(&result.as_str()) => result,
            Some(_) => return Err(ApiError::bad_request(format!("a result is one of {}", known.join(", ")))),
            None => tree.game().outcome().map_or(PgnResult::Unknown, PgnResult::from).to_string(),
        };
        tree.tags.set("Result", &result);
        Ok(tree)
    }
}

impl Written {
    fn annotated(self) -> Annotated {
        match self {
            Written::Move(mv) => Annotated { mv, ..Annotated::default() },
            Written::Annotated(annotated) => annotated,
        }
    }
}

impl Annotated {
    /// Adds the move after an earlier one. Returns its node and the position after it.
    fn add_to(self, tree: &mut GameTree, places: &[(NodeId, Position)]) -> Result<(NodeId, Position), ApiError> {
        let after = self.after.unwrap_or(places.len() - 1);
        let unknown = || ApiError::bad_request(format!("there is no move {after} before it to follow"));
        let (parent, position) = places.get(after).ok_or_else(unknown)?;
        let mv = parse::mv(position, &self.mv)?;
        let id = tree.add(*parent, mv).map_err(ApiError::illegal_move)?;
        if let Some(comment) = &self.comment_before {
            tree.add_comment_before(id, comment);
        }
        let node = tree.node_mut(id);
        node.nags = self.nags.into_iter().map(Nag).collect();
        node.clock = self.clock_ms.map(Duration::from_millis);
        node.elapsed = self.elapsed_ms.map(Duration::from_millis);
        node.eval = self.eval.map(ScoreView::record);
        if let Some(comment) = &self.comment {
            node.add_comment(comment);
        }
        Ok((id, position.play_unchecked(mv)))
    }
}
