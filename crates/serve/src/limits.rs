//! The limits on what requests may cost. Everything that a client can make grow has its limit here.

use std::time::Duration;

use serde::Serialize;
use utoipa::ToSchema;

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct ServerLimits {
    /// The longest body of a request and the longest message on a socket, in bytes.
    pub body_bytes: usize,
    /// The most moves in a request, or in a game.
    pub moves: usize,
    /// Games in progress.
    pub running_games: usize,
    /// Stored games.
    pub kept_games: usize,
    /// Imports at once.
    pub imports: usize,
    /// The most text of an import, unpacked, in bytes.
    pub import_bytes: u64,
    /// Connections at once.
    pub connections: usize,
    /// WebSockets at once.
    pub sockets: usize,
    /// Messages a second on a socket, on average; twice as many may come at once.
    pub messages_per_second: u32,
    /// Games that a socket may watch at once.
    pub watched_games: usize,
    /// Live analyses on a socket.
    pub analyses_per_socket: usize,
    /// Live analyses at once.
    pub analyses: usize,
    /// Reviews of games and of single moves at once. A socket may have one.
    pub reviews: usize,
    /// Trees that are counted on a socket at once: one on each of four boards.
    pub counts_per_socket: usize,
    /// Trees that are counted over WebSockets at once.
    pub counts: usize,
    /// Requests that are computed (perft, exchanges, trees, hints, judged moves) at once.
    pub tasks: usize,
    /// Trees that are searched at once, and held in memory meanwhile; other requests for trees wait.
    pub trees: usize,
    /// The longest live analysis.
    pub analysis_time: Duration,
    /// The longest computation of a request.
    pub task_time: Duration,
    /// The longest time for an engine's move.
    pub move_time: Duration,
    /// The time in which a request must arrive.
    pub request_time: Duration,
    /// The transposition table of an engine or an analysis, in MiB, unless another size is asked for.
    pub hash: usize,
    /// The largest table that an analysis may ask for, in MiB.
    pub analysis_hash: usize,
    /// The tables of all analyses together, in MiB.
    pub analysis_memory: usize,
    /// Outside engines that analyse at once.
    pub outside_engines: usize,
    /// Engines that keep their table between moves; others start with an empty one at each move.
    pub kept_engines: usize,
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
            body_bytes: 1 << 20,
            moves: 1000,
            running_games: 500,
            kept_games: 2_000_000,
            imports: 2,
            import_bytes: 64 << 30,
            connections: 800,
            sockets: 256,
            messages_per_second: 30,
            watched_games: 64,
            analyses_per_socket: 4,
            analyses: 40,
            reviews: 8,
            counts_per_socket: 4,
            counts: 8,
            tasks: 32,
            trees: 4,
            analysis_time: Duration::from_secs(600),
            task_time: Duration::from_secs(20),
            move_time: Duration::from_secs(60),
            request_time: Duration::from_secs(15),
            hash: 16,
            analysis_hash: 512,
            analysis_memory: 1024,
            outside_engines: 4,
            kept_engines: 32,
        }
    }
}

/// The limits, as `/api/about` reports them.
#[derive(Serialize, ToSchema)]
pub(crate) struct LimitsView {
    body_bytes: usize,
    moves: usize,
    running_games: usize,
    kept_games: usize,
    sockets: usize,
    messages_per_second: u32,
    analyses_per_socket: usize,
    analyses: usize,
    analysis_hash: usize,
    reviews: usize,
    counts: usize,
    analysis_ms: u64,
    task_ms: u64,
    move_ms: u64,
}

impl From<&ServerLimits> for LimitsView {
    fn from(limits: &ServerLimits) -> LimitsView {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        LimitsView {
            body_bytes: limits.body_bytes,
            moves: limits.moves,
            running_games: limits.running_games,
            kept_games: limits.kept_games,
            sockets: limits.sockets,
            messages_per_second: limits.messages_per_second,
            analyses_per_socket: limits.analyses_per_socket,
            analyses: limits.analyses,
            analysis_hash: limits.analysis_hash,
            reviews: limits.reviews,
            counts: limits.counts,
            analysis_ms: milliseconds(limits.analysis_time),
            task_ms: milliseconds(limits.task_time),
            move_ms: milliseconds(limits.move_time),
        }
    }
}
