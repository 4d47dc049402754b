//! Game scores: read into moves that a page can browse, and written from them.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use records::pgn::{self, GameTree, Nag, Node, NodeId, PgnError};
use rules::Position;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ask::Ask;
use crate::place;
use crate::refusal::{Code, ErrorBody, Refusal};
use crate::state::App;
use crate::view::{LineView, MoveView, ScoreView};

/// The most games that are read from one text.
const MOST_GAMES: usize = 200;

/// The most moves of all games together: each is told with the position after it.
const MOST_MOVES: usize = 40_000;

/// A text with games.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadQuestion {
    pgn: String,
}

/// The games of a text, and what could not be read.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReadAnswer {
    games: Vec<PgnGame>,
    errors: Vec<PgnComplaint>,
}

/// A game from a text.
#[derive(Serialize, ToSchema)]
pub(crate) struct PgnGame {
    tags: BTreeMap<String, String>,
    result: String,
    start_fen: String,
    chess960: bool,
    /// What is said before the first move.
    comment: Option<String>,
    moves: Vec<PgnMove>,
}

/// A move from a text, with what is said about it.
#[derive(Serialize, ToSchema)]
pub(crate) struct PgnMove {
    #[serde(flatten)]
    mv: MoveView,
    comment: Option<String>,
    nags: Vec<u8>,
    clock_ms: Option<u64>,
    eval: Option<ScoreView>,
    /// What could have been played instead, in algebraic notation.
    variations: Vec<Vec<String>>,
}

/// Where a game was spoiled.
#[derive(Serialize, ToSchema)]
pub(crate) struct PgnComplaint {
    game: u64,
    line: u64,
    message: String,
}

/// A game to be written.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteQuestion {
    fen: Option<String>,
    moves: Option<Vec<String>>,
    tags: Option<BTreeMap<String, String>>,
    result: Option<String>,
    /// One a move.
    comments: Option<Vec<Option<String>>>,
    /// Some a move.
    nags: Option<Vec<Vec<u8>>>,
}

/// A game as text.
#[derive(Serialize, ToSchema)]
pub(crate) struct WriteAnswer {
    pgn: String,
}

#[utoipa::path(post, path = "/api/pgn/read", tag = "questions", request_body = ReadQuestion,
    responses((status = 200, body = ReadAnswer), (status = "4XX", body = ErrorBody)))]
/// Reads the games of a text.
pub(crate) async fn read(State(app): State<App>, Ask(asked): Ask<ReadQuestion>) -> Result<Json<ReadAnswer>, Refusal> {
    app.think(move |_| read_all(&asked.pgn)).await.map(Json)
}

fn read_all(text: &str) -> Result<ReadAnswer, Refusal> {
    let mut answer = ReadAnswer { games: Vec::new(), errors: Vec::new() };
    let mut moves = 0;
    for game in pgn::games(text.as_bytes()) {
        if answer.games.len() + answer.errors.len() == MOST_GAMES {
            return Err(Refusal::new(Code::TooLarge, format!("there are more than {MOST_GAMES} games in the text")));
        }
        match game {
            Ok(tree) => {
                moves += tree.mainline().count();
                if moves > MOST_MOVES {
                    return Err(Refusal::new(Code::TooLarge, format!("the games have more than {MOST_MOVES} moves")));
                }
                answer.games.push(PgnGame::new(&tree));
            }
            Err(PgnError::Game(problem)) => answer.errors.push(PgnComplaint {
                game: problem.game,
                line: problem.line,
                message: problem.flaw.to_string(),
            }),
            Err(PgnError::Io(error)) => return Err(Refusal::new(Code::BadPgn, error.to_string())),
        }
    }
    Ok(answer)
}

/// The first game of a text.
pub(crate) fn first_game(text: &str) -> Result<GameTree, Refusal> {
    match pgn::games(text.as_bytes()).next() {
        Some(Ok(tree)) => Ok(tree),
        Some(Err(error)) => Err(Refusal::new(Code::BadPgn, error.to_string())),
        None => Err(Refusal::new(Code::BadPgn, "there is no game in the text")),
    }
}

fn joined(comments: &[String]) -> Option<String> {
    (!comments.is_empty()).then(|| comments.join(" "))
}

impl PgnGame {
    fn new(tree: &GameTree) -> PgnGame {
        let tags = tree.tags.roster().chain(tree.tags.others());
        let (mut position, mut moves) = (*tree.start(), Vec::new());
        for id in tree.mainline() {
            let node = tree.node(id);
            let Some(mv) = node.mv() else { continue };
            moves.push(PgnMove::new(tree, &position, id, node, MoveView::new(&position, mv)));
            position = position.play_unchecked(mv);
        }
        PgnGame {
            tags: tags.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            result: tree.result().to_string(),
            start_fen: tree.start().to_string(),
            chess960: pgn::needs_chess960(tree.start()),
            comment: joined(tree.node(NodeId::ROOT).comments()),
            moves,
        }
    }
}

impl PgnMove {
    fn new(tree: &GameTree, position: &Position, id: NodeId, node: &Node, mv: MoveView) -> PgnMove {
        let siblings = node.parent().map_or(&[][..], |parent| tree.node(parent).children());
        let variation = |&first: &NodeId| {
            let line = std::iter::successors(Some(first), |&id| tree.node(id).children().first().copied());
            let moves: Vec<_> = line.filter_map(|id| tree.node(id).mv()).collect();
            LineView::new(position, &moves).san
        };
        PgnMove {
            mv,
            comment: joined(node.comments()),
            nags: node.nags.iter().map(|nag| nag.0).collect(),
            clock_ms: node.clock.and_then(|clock| u64::try_from(clock.as_millis()).ok()),
            eval: node.eval.map(ScoreView::recorded),
            variations: siblings.iter().filter(|&&other| other != id).map(variation).collect(),
        }
    }
}

#[utoipa::path(post, path = "/api/pgn/write", tag = "questions", request_body = WriteQuestion,
    responses((status = 200, body = WriteAnswer), (status = "4XX", body = ErrorBody)))]
/// Writes a game.
pub(crate) async fn write(
    State(app): State<App>,
    Ask(asked): Ask<WriteQuestion>,
) -> Result<Json<WriteAnswer>, Refusal> {
    let game = place::game(asked.fen.as_deref(), asked.moves.as_deref(), app.limits().moves)?;
    let mut tree = GameTree::from(&game);
    for (name, value) in asked.tags.unwrap_or_default() {
        tree.tags.set(&name, &value);
    }
    if let Some(result) = &asked.result {
        let known = ["1-0", "0-1", "1/2-1/2", "*"];
        if !known.contains(&result.as_str()) {
            return Err(Refusal::bad_request(format!("a result is one of {}", known.join(", "))));
        }
        tree.tags.set("Result", result);
    }
    let nodes: Vec<NodeId> = tree.mainline().collect();
    for (&id, comment) in nodes.iter().zip(asked.comments.unwrap_or_default()) {
        if let Some(comment) = comment {
            tree.node_mut(id).add_comment(&comment);
        }
    }
    for (&id, nags) in nodes.iter().zip(asked.nags.unwrap_or_default()) {
        tree.node_mut(id).nags.extend(nags.into_iter().map(Nag));
    }
    Ok(Json(WriteAnswer { pgn: tree.to_string() }))
}
