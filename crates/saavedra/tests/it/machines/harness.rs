//! A hub on this machine for tests: a real nats-server, workers and coordinators as processes that can be killed, and a
//! road between them that can stall.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::Folder;

/// Nothing takes as long as this; a test that waits for longer has found a mistake.
const PATIENCE: Duration = Duration::from_secs(300);

/// How often a state is looked at that is waited for.
const LOOK: Duration = Duration::from_millis(20);

/// Waits until something holds.
pub(super) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "waited in vain: {what}");
        thread::sleep(LOOK);
    }
}

/// A process that ends with its test.
pub(super) struct Process(Child);

impl Process {
    pub(super) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    pub(super) fn has_ended(&mut self) -> bool {
        self.0.try_wait().expect("a process").is_some()
    }

    /// Waits for a good end.
    pub(super) fn finish(mut self, what: &str) {
        wait_until(what, || self.has_ended());
        assert!(self.0.wait().expect("a process").success(), "{what}");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A port on which nothing listens.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// A hub.
pub(super) struct Hub {
    pub(super) folder: Folder,
    port: u16,
    server: Option<Process>,
}

impl Hub {
    /// A hub with a server of its own; nothing where there is no nats-server.
    pub(super) fn start() -> Option<Hub> {
        let is_there =
            Command::new("nats-server").arg("--version").output().is_ok_and(|output| output.status.success());
        if !is_there {
            eprintln!("skipped: there is no nats-server on this machine");
            return None;
        }
        let (folder, port) = (Folder::new(), free_port());
        let listen = format!("127.0.0.1:{port}");
        crate::common::printed(&["hub", "init", &folder.file("hub"), "--listen", &listen]);
        let mut hub = Hub { folder, port, server: None };
        hub.start_server();
        Some(hub)
    }

    pub(super) fn start_server(&mut self) {
        let log = fs::OpenOptions::new().create(true).append(true).open(self.folder.file("server.log"));
        let mut command = Command::new("nats-server");
        command.args(["--config", &self.folder.file("hub/nats.conf")]).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(log.expect("a log"));
        self.server = Some(Process(command.spawn().expect("nats-server starts")));
        wait_until("the server listens", || TcpStream::connect(("127.0.0.1", self.port)).is_ok());
    }

    /// Ends the server at once, as a crash does, and starts it again with what is on the disk.
    pub(super) fn kill_server(&mut self) {
        self.server.take().expect("a server").kill();
        self.start_server();
    }

    /// The server's address.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts a worker with two engines' names, connected at a port.
    pub(super) fn worker(&self, name: &str, port: u16) -> Process {
        let engine = format!("ours='{}'", env!("CARGO_BIN_EXE_saavedra"));
        let key = self.folder.file("hub/worker.key");
        let cache = self.folder.file(&format!("cache-{name}"));
        let address = format!("nats://127.0.0.1:{port}");
        let arguments = ["worker", &address, "--creds", &key, "--cores", "1", "--name", name, "--engine", &engine];
        self.process(&arguments, &["--cache", &cache], name)
    }

    /// The options of a command whose units go over this hub.
    pub(super) fn via(&self, port: u16) -> Vec<String> {
        let key = self.folder.file("hub/coordinator.key");
        let address = format!("nats://127.0.0.1:{port}");
        ["--via", &address, "--creds", &key, "--ack-wait", "1"].map(str::to_owned).to_vec()
    }

    /// Starts a command; what it says and prints goes to files of this name.
    pub(super) fn process(&self, arguments: &[&str], more: &[&str], name: &str) -> Process {
        let log = fs::OpenOptions::new().create(true).append(true).open(self.folder.file(&format!("{name}.log")));
        let out = fs::File::create(self.folder.file(&format!("{name}.out"))).expect("a file");
        // Where an engine of a tuning is found by its name.
        let path = format!("{}:{}", self.folder.path(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new(env!("CARGO_BIN_EXE_saavedra"));
        command.args(arguments).args(more).env("SAAVEDRA_CONFIG", "").env("PATH", path).stdin(Stdio::null());
        Process(command.stdout(out).stderr(log.expect("a log")).spawn().expect("the binary starts"))
    }

    /// What a command has printed.
    pub(super) fn printed_by(&self, name: &str) -> String {
        fs::read_to_string(self.folder.file(&format!("{name}.out"))).expect("text")
    }

    /// What a command has said, to be shown where a test fails.
    pub(super) fn log(&self, name: &str) -> String {
        fs::read_to_string(self.folder.file(&format!("{name}.log"))).unwrap_or_default()
    }
}

/// A road to a server that can stall: connections stay, and nothing passes.
pub(super) struct Road {
    pub(super) port: u16,
    is_stalled: Arc<AtomicBool>,
}

impl Road {
    pub(super) fn to(server: u16) -> Road {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let is_stalled = Arc::new(AtomicBool::new(false));
        let stalled = Arc::clone(&is_stalled);
        // The thread ends with the test program.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                for (from, to) in [(&client, &server), (&server, &client)] {
                    let (from, to) = (from.try_clone().expect("a stream"), to.try_clone().expect("a stream"));
                    let stalled = Arc::clone(&stalled);
                    thread::spawn(move || carry(from, to, &stalled));
                }
            }
        });
        Road { port, is_stalled }
    }

    /// Lets nothing pass until something holds.
    pub(super) fn stall_until(&self, what: &str, holds: impl FnMut() -> bool) {
        self.is_stalled.store(true, Ordering::Relaxed);
        wait_until(what, holds);
        self.is_stalled.store(false, Ordering::Relaxed);
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, is_stalled: &AtomicBool) {
    let mut bytes = [0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        while is_stalled.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
        }
        if to.write_all(&bytes[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
