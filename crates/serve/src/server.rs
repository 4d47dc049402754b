//! The server: takes connections, within bounds, until it is told to end.

use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::crew::Crew;
use crate::games::Hall;
use crate::guard::{self, Guard};
use crate::keeper::{Keeper, Storage, StorageError};
use crate::limits::Limits;
use crate::router::router;
use crate::state::{App, Shared, ended};

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen. Port 0 takes any that is free.
    pub address: SocketAddr,
    /// Names besides its address that the server answers to.
    pub names: Vec<String>,
    /// What visitors must bring along. Needed everywhere but on loopback.
    pub token: Option<String>,
    /// Where games are kept.
    pub storage: Storage,
    /// How many threads think at once.
    pub threads: usize,
    /// What a request may cost.
    pub limits: Limits,
}

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Anybody could come in.
    #[error("{0} can be reached from other machines: that needs a token (--token)")]
    NoToken(SocketAddr),
    /// The token cannot be sent.
    #[error("a token has 8 to 200 letters, digits and -_.~")]
    BadToken,
    /// Somebody else listens there, or nobody may.
    #[error("cannot listen on {address}: {reason}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        reason: io::Error,
    },
    /// Nothing can be kept.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The system does not give what a server needs.
    #[error("the server cannot run: {0}")]
    Run(io::Error),
    /// What is kept cannot be read.
    #[error("the games cannot be read: {0}")]
    Games(String),
}

/// A server that listens, and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: Options,
    keeper: Keeper,
}

/// How long requests may take to end after the server was told to.
const FAREWELL: Duration = Duration::from_secs(5);

/// How long we wait when no connection can be taken, for want of file handles perhaps.
const BREATH: Duration = Duration::from_millis(50);

/// The longest head of a request, in bytes.
const HEAD_BYTES: usize = 32 << 10;

/// What is said to a connection too many.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n\
                      {\"error\":{\"code\":\"busy\",\"message\":\"there are too many connections\",\"problems\":[]}}";

impl Server {
    /// Listens, and opens what is kept.
    pub fn bind(options: Options) -> Result<Server, ServeError> {
        if !options.address.ip().is_loopback() && options.token.is_none() {
            return Err(ServeError::NoToken(options.address));
        }
        if options.token.as_ref().is_some_and(|token| !guard::is_token(token)) {
            return Err(ServeError::BadToken);
        }
        let failed = |reason| ServeError::Listen { address: options.address, reason };
        let listener = TcpListener::bind(options.address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let keeper = Keeper::open(&options.storage)?;
        Ok(Server { listener, address, options, keeper })
    }

    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether there is a page in this build.
    pub fn has_page() -> bool {
        crate::page::is_there()
    }

    /// Serves until `ended` completes, and then lets everybody finish what they are about.
    pub fn run(self, ended: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        // Thinking is done elsewhere: two threads answer all there is to answer.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("serve")
            .enable_all()
            .build()
            .map_err(ServeError::Run)?;
        let result = runtime.block_on(self.serve(ended));
        runtime.shutdown_timeout(Duration::from_secs(1));
        result
    }

    async fn serve(self, ended: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let Server { listener, address, options, keeper } = self;
        let limits = options.limits;
        let (end, ending) = watch::channel(false);
        let jobs = limits.running_games.min(192) + limits.analyses + limits.reviews + limits.questions;
        let crew = Crew::new(options.threads, jobs);
        let semaphore = |places| Arc::new(Semaphore::new(places));
        let app = App::new(Shared {
            hall: Hall::new(keeper, crew.clone(), limits),
            crew,
            guard: Guard::new(address, &options.names, options.token.clone()),
            threads: options.threads,
            is_memory_only: options.storage == Storage::Memory,
            questions: semaphore(limits.questions),
            trees: semaphore(limits.trees),
            sockets: semaphore(limits.sockets),
            analyses: semaphore(limits.analyses),
            reviews: semaphore(limits.reviews),
            ending: ending.clone(),
            limits,
        });
        app.hall().resume().await.map_err(|refusal| ServeError::Games(refusal.message))?;
        let clock = tokio::spawn({
            let app = app.clone();
            async move { app.hall().tick().await }
        });
        let listener = tokio::net::TcpListener::from_std(listener).map_err(ServeError::Run)?;
        let places = semaphore(limits.connections);
        let router = router(app.clone());
        let accept = async {
            loop {
                let Ok((stream, _)) = listener.accept().await else {
                    tokio::time::sleep(BREATH).await;
                    continue;
                };
                match Arc::clone(&places).try_acquire_owned() {
                    Ok(place) => {
                        tokio::spawn(connection(stream, router.clone(), limits.request_time, ending.clone(), place));
                    }
                    Err(_) => drop(stream.try_write(FULL)),
                }
            }
        };
        tokio::select! {
            () = accept => {}
            () = ended => {}
        }
        end.send_replace(true);
        clock.abort();
        app.hall().rest().await;
        // Whoever still writes or reads gets a moment for it.
        let everybody = u32::try_from(limits.connections).unwrap_or(u32::MAX);
        let _ = tokio::time::timeout(FAREWELL, places.acquire_many(everybody)).await;
        Ok(())
    }
}

/// Waits, without keeping anybody from anything. For whoever decides when a server [ends](Server::run).
pub async fn sleep(time: Duration) {
    tokio::time::sleep(time).await;
}

/// One connection, from the first request to the last.
async fn connection(
    stream: TcpStream,
    router: Router,
    patience: Duration,
    mut ending: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
) {
    // Answers are small, and somebody waits for them.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        () = ended(&mut ending) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}
