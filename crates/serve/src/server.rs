//! The server: accepts connections, up to a limit, until it is told to stop.

use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use records::polyglot::{Book, BookError};
use thiserror::Error;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::access::{self, Access};
use crate::games::GameRegistry;
use crate::library::{self, Imports, SharedBook};
use crate::limits::ServerLimits;
use crate::outside::{AllowedEngine, OutsideEngines, check_engines};
use crate::router::router;
use crate::state::{App, Shared, stopped};
use crate::store::{Storage, StorageError, Store};
use crate::worker_pool::WorkerPool;

/// The options of a server.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The address to listen on. Port 0 takes any free port.
    pub address: SocketAddr,
    /// Host names besides its address that the server answers to.
    pub names: Vec<String>,
    /// The token that clients must send. Required except on loopback.
    pub token: Option<String>,
    /// Where games are stored.
    pub storage: Storage,
    /// The Polyglot book that the explorer shows, if there is one.
    pub book: Option<PathBuf>,
    /// The UCI engines that may analyse. Requests name them; how they are started only the owner says.
    pub engines: Vec<AllowedEngine>,
    /// How many searches run at once.
    pub threads: usize,
    /// The limits on what requests may cost.
    pub limits: ServerLimits,
}

/// Why the server cannot start or run.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address can be reached from other machines and there is no token.
    #[error("{0} can be reached from other machines: that needs a token (--token)")]
    NoToken(SocketAddr),
    /// The token cannot be sent in a header, a cookie and an address.
    #[error("a token has 8 to 200 letters, digits and -_.~")]
    BadToken,
    /// The address is in use or not allowed.
    #[error("cannot listen on {address}: {reason}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        reason: io::Error,
    },
    /// The database cannot be opened.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The opening book cannot be opened.
    #[error("cannot open the book {}: {reason}", path.display())]
    Book {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: BookError,
    },
    /// An engine cannot be offered under its name.
    #[error("{0}")]
    Engine(String),
    /// The system refuses what a server needs.
    #[error("the server cannot run: {0}")]
    Run(io::Error),
    /// The stored games cannot be read.
    #[error("the games cannot be read: {0}")]
    Games(String),
}

/// A server that listens but does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: ServerOptions,
    store: Store,
    book: Option<SharedBook>,
}

/// How long open requests may take after the server was told to stop.
const SHUTDOWN_TIME: Duration = Duration::from_secs(5);

/// How long to wait after a connection could not be accepted, for example for lack of file handles.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// The longest head of a request, in bytes.
const HEAD_BYTES: usize = 32 << 10;

/// How many connections above the limit are answered at a time.
const REFUSALS: usize = 64;

/// How long a connection above the limit may take to read its answer.
const REFUSAL_TIME: Duration = Duration::from_secs(1);

/// The answer to a connection above the limit.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n\
                      {\"error\":{\"code\":\"busy\",\"message\":\"there are too many connections\",\"problems\":[]}}";

impl Server {
    /// Opens the port and the database.
    pub fn bind(options: ServerOptions) -> Result<Server, ServeError> {
        if !options.address.ip().is_loopback() && options.token.is_none() {
            return Err(ServeError::NoToken(options.address));
        }
        if options.token.as_ref().is_some_and(|token| !access::is_token(token)) {
            return Err(ServeError::BadToken);
        }
        check_engines(&options.engines).map_err(ServeError::Engine)?;
        let failed = |reason| ServeError::Listen { address: options.address, reason };
        let listener = TcpListener::bind(options.address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let open = |path: &PathBuf| Book::open(path).map_err(|reason| ServeError::Book { path: path.clone(), reason });
        let book = options.book.as_ref().map(open).transpose()?;
        let store = Store::open(&options.storage)?;
        Ok(Server { listener, address, options, store, book: book.map(|book| Arc::new(Mutex::new(book))) })
    }

    /// The address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether this build contains the page.
    pub fn has_page() -> bool {
        crate::page::is_there()
    }

    /// Serves until `stop` completes, then lets open requests finish.
    pub fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        // Searches run in the worker pool: two threads are enough to answer requests.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("serve")
            .enable_all()
            .build()
            .map_err(ServeError::Run)?;
        let result = runtime.block_on(self.serve(stop));
        runtime.shutdown_timeout(Duration::from_secs(1));
        result
    }

    async fn serve(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let Server { listener, address, options, store, book } = self;
        let limits = options.limits;
        let (end, shutdown) = watch::channel(false);
        let jobs = limits.running_games.min(192) + limits.analyses + limits.reviews + limits.counts + limits.tasks;
        let workers = WorkerPool::new(options.threads, jobs);
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        let app = App::new(Shared {
            games: GameRegistry::new(store, workers.clone(), limits),
            workers,
            access: Access::new(address, &options.names, options.token.clone()),
            threads: options.threads,
            is_memory_only: options.storage == Storage::Memory,
            tasks: semaphore(limits.tasks),
            trees: semaphore(limits.trees),
            sockets: semaphore(limits.sockets),
            analyses: semaphore(limits.analyses),
            reviews: semaphore(limits.reviews),
            counts: semaphore(limits.counts),
            analysis_memory: semaphore(limits.analysis_memory),
            helper_threads: semaphore(options.threads.saturating_sub(1)),
            outside: OutsideEngines::new(options.engines.clone(), limits.outside_engines),
            imports: Imports::default(),
            import_permits: semaphore(limits.imports),
            book,
            shutdown: shutdown.clone(),
            limits,
        });
        app.games().resume().await.map_err(|error| ServeError::Games(error.message))?;
        let clock = tokio::spawn({
            let app = app.clone();
            async move { app.games().tick().await }
        });
        let tidying = tokio::spawn({
            let app = app.clone();
            async move { library::keep_tidy(&app).await }
        });
        let listener = tokio::net::TcpListener::from_std(listener).map_err(ServeError::Run)?;
        let connections = semaphore(limits.connections);
        let refusals = semaphore(REFUSALS);
        let router = router(app.clone());
        let accept = async {
            loop {
                let stream = match listener.accept().await {
                    Ok((stream, _)) => stream,
                    Err(error) => {
                        tracing::warn!(%error, "cannot accept a connection");
                        tokio::time::sleep(ACCEPT_RETRY).await;
                        continue;
                    }
                };
                match Arc::clone(&connections).try_acquire_owned() {
                    Ok(permit) => {
                        tokio::spawn(connection(stream, router.clone(), limits.request_time, shutdown.clone(), permit));
                    }
                    Err(_) => {
                        tracing::warn!(limit = limits.connections, "refused a connection above the limit");
                        // With too many of these, too, the rest is cut off.
                        if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
                            tokio::spawn(refuse(stream, permit));
                        }
                    }
                }
            }
        };
        tokio::select! {
            () = accept => {}
            () = stop => {}
        }
        end.send_replace(true);
        clock.abort();
        tidying.abort();
        app.shared().outside.dismiss();
        app.games().stop_engines().await;
        // Open requests get a moment to finish.
        let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
        if tokio::time::timeout(SHUTDOWN_TIME, connections.acquire_many(all)).await.is_err() {
            tracing::warn!(open = limits.connections - connections.available_permits(), "connections were cut off");
        }
        Ok(())
    }
}

/// Waits without blocking a thread. For the future that [stops](Server::run) a server.
pub async fn sleep(time: Duration) {
    tokio::time::sleep(time).await;
}

/// Answers a connection above the limit. What the client has sent is read, because closing a connection with something
/// unread resets it, and the client may never see the answer.
async fn refuse(mut stream: TcpStream, _permit: OwnedSemaphorePermit) {
    let answer = async {
        stream.write_all(FULL).await?;
        stream.shutdown().await?;
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await
    };
    let _ = tokio::time::timeout(REFUSAL_TIME, answer).await;
}

/// One connection, from the first request to the last.
async fn connection(
    stream: TcpStream,
    router: Router,
    request_time: Duration,
    mut shutdown: watch::Receiver<bool>,
    _permit: OwnedSemaphorePermit,
) {
    // Answers are small, and clients wait for them.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(request_time)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        result = connection.as_mut() => {
            if let Err(error) = result {
                tracing::debug!(%error, "a connection broke");
            }
            return;
        }
        () = stopped(&mut shutdown) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}
