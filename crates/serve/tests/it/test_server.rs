//! A server for a test, in memory and on a port of its own.

#![allow(dead_code, reason = "tests and the example of load take what they need")]

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use saavedra_serve::{Server, ServerLimits, ServerOptions, Storage};

/// A server that ends with the test.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn new() -> TestServer {
        TestServer::with(ServerLimits::default(), Storage::Memory, None)
    }

    pub(crate) fn with(limits: ServerLimits, storage: Storage, token: Option<&str>) -> TestServer {
        TestServer::with_book(limits, storage, token, None)
    }

    pub(crate) fn with_book(
        limits: ServerLimits,
        storage: Storage,
        token: Option<&str>,
        book: Option<PathBuf>,
    ) -> TestServer {
        let options = ServerOptions {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            names: vec!["chess.example".to_owned()],
            token: token.map(str::to_owned),
            storage,
            book,
            engines: Vec::new(),
            threads: 2,
            limits,
        };
        let server = Server::bind(options).expect("a server");
        let (address, is_over) = (server.address(), Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&is_over);
        let ended = async move {
            while !flag.load(Ordering::Relaxed) {
                saavedra_serve::sleep(Duration::from_millis(10)).await;
            }
        };
        let thread = thread::spawn(move || server.run(ended).expect("a good end"));
        TestServer { address, is_over, thread: Some(thread) }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
