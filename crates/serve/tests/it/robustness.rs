//! Bad input of every kind: it is refused in words, and other clients are not disturbed.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Client, PATIENCE, Socket, human};
use crate::test_server::TestServer;
use saavedra_serve::{Server, ServerLimits, ServerOptions, Storage};
use serde_json::{Value, json};

/// The server is still there, and answers.
fn check_alive(host: &TestServer) {
    let position = Client::new(host.address).good("/api/legal", &json!({}));
    assert_eq!(position["legal"].as_array().map(Vec::len), Some(20));
}

#[test]
fn bodies_that_cannot_be_read_are_refused() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    for body in ["", "{", "[]", "nonsense", "{\"fen\": 3}", "{\"fen\": \"x\", \"fen\": \"y\"}", "{\"typo\": 1}", "null"]
    {
        assert_eq!(client.ask("POST", "/api/legal", Some(body), &[]).code(), "bad_request", "{body}");
    }
    let deep = format!("{{\"fen\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(client.ask("POST", "/api/legal", Some(&deep), &[]).code(), "bad_request");
    let form = client.ask("POST", "/api/legal", Some("{}"), &[("Content-Type", "text/plain")]);
    assert_eq!((form.status, form.code()), (415, "unsupported_media_type".to_owned()));
    let moves: Vec<&str> = vec!["Nf3"; 1001];
    assert_eq!(client.post("/api/legal", &json!({"moves": moves})).code(), "too_large");
    for (fen, mv) in [("\u{0}", "e4"), (&"8/".repeat(10_000)[..], "e4"), ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "\u{1f600}")]
    {
        let answer = client.post("/api/move", &json!({"fen": fen, "move": mv}));
        assert_eq!(answer.status, 422, "{answer:?}");
    }
    check_alive(&host);
}

#[test]
fn huge_bodies_are_not_even_read() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let body = json!({"pgn": "x".repeat(2 << 20)}).to_string();
    match client.try_ask("POST", "/api/pgn/read", Some(&body), &[]) {
        Ok(answer) => assert_eq!((answer.status, answer.code()), (413, "too_large".to_owned())),
        // The server may hang up while we still write.
        Err(error) => assert!(error.kind() != std::io::ErrorKind::TimedOut, "{error}"),
    }
    // In pieces, so that the length is not known beforehand.
    let mut stream = TcpStream::connect(host.address).expect("the server listens");
    let head = format!(
        "POST /api/pgn/read HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        host.address
    );
    stream.write_all(head.as_bytes()).expect("it reads");
    let piece = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let _ = (0..40).try_for_each(|_| stream.write_all(piece.as_bytes()));
    let mut answer = [0; 12];
    if stream.read_exact(&mut answer).is_ok() {
        assert_eq!(&answer, b"HTTP/1.1 413");
    }
    check_alive(&host);
}

#[test]
fn requests_by_a_foreign_name_or_from_a_foreign_page_are_refused() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let mut ask = |headers: &[(&str, &str)]| client.ask("GET", "/api/about", None, headers).status;
    assert_eq!(ask(&[("Host", "evil.example")]), 403);
    assert_eq!(ask(&[("Host", &format!("evil.example:{}", host.address.port()))]), 403);
    assert_eq!(ask(&[("Host", "chess.example")]), 200, "a name that was given");
    assert_eq!(ask(&[("Origin", "https://evil.example")]), 403);
    assert_eq!(ask(&[("Origin", "null")]), 403);
    assert_eq!(ask(&[("Origin", &format!("http://localhost:{}", host.address.port()))]), 200);
    assert_eq!(ask(&[("Sec-Fetch-Site", "cross-site")]), 403);
    let own = host.address.to_string();
    assert_eq!(ask(&[("Host", &own), ("Host", "evil.example")]), 403, "two names");
    let page = format!("http://{own}");
    assert_eq!(ask(&[("Origin", &page), ("Origin", "https://evil.example")]), 403, "two pages");
    assert!(Socket::try_new(host.address, Some("http://evil.example")).is_err());
    assert!(Socket::try_new(host.address, Some(&format!("http://{}", host.address))).is_ok());
}

#[test]
fn answers_carry_the_headers_that_keep_a_page_to_itself() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    for (path, status) in [("/api/about", 200), ("/api/nothing", 404), ("/no.file", 404), ("/api/legal", 405)] {
        let answer = client.get(path);
        assert_eq!(answer.status, status, "{path}");
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cross-origin-opener-policy"), Some("same-origin"));
        assert_eq!(answer.header("cross-origin-embedder-policy"), Some("require-corp"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    }
    for path in ["/../Cargo.toml", "/..%2fCargo.toml", "/assets/../../Cargo.toml", "//etc/passwd.txt", "/%00.js"] {
        let answer = client.get(path);
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
    }
    let page = client.get("/");
    assert!(page.status == 200 || page.body.contains("cargo xtask web"), "{page:?}");
}

#[test]
fn a_token_is_asked_for_and_becomes_a_cookie() {
    let host = TestServer::with(ServerLimits::default(), Storage::Memory, Some("swordfish-1"));
    let mut client = Client::new(host.address);
    assert_eq!(client.get("/api/about").status, 401);
    assert_eq!(client.get("/").status, 401);
    assert_eq!(client.get("/?token=swordfish-2").status, 401);
    assert!(Socket::try_new(host.address, None).is_err());
    let welcome = client.get("/?token=swordfish-1");
    assert_eq!((welcome.status, welcome.header("location")), (303, Some("/")));
    let cookie = welcome.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let pair = cookie.split(';').next().expect("a pair");
    assert_eq!(client.ask("GET", "/api/about", None, &[("Cookie", pair)]).status, 200);
    assert_eq!(client.ask("GET", "/api/about", None, &[("Authorization", "Bearer swordfish-1")]).status, 200);
    let everywhere = ServerOptions {
        address: ([0, 0, 0, 0], 0).into(),
        names: Vec::new(),
        token: None,
        storage: Storage::Memory,
        book: None,
        engines: Vec::new(),
        threads: 1,
        limits: ServerLimits::default(),
    };
    let refused = Server::bind(everywhere).err().expect("no server without a token").to_string();
    assert!(refused.contains("needs a token"), "{refused}");
}

#[test]
fn slow_clients_are_left_behind() {
    let limits = ServerLimits { request_time: Duration::from_millis(300), ..ServerLimits::default() };
    let host = TestServer::with(limits, Storage::Memory, None);
    let mut heads: Vec<TcpStream> =
        (0..20).map(|_| TcpStream::connect(host.address).expect("the server listens")).collect();
    for stream in &mut heads {
        stream.write_all(b"GET /api/about HTTP/1.1\r\nHost:").expect("it reads");
    }
    let mut body = TcpStream::connect(host.address).expect("the server listens");
    let head = format!(
        "POST /api/legal HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        host.address
    );
    body.write_all(head.as_bytes()).expect("it reads");
    check_alive(&host);
    body.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let mut answer = [0; 12];
    body.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 400");
    for stream in &mut heads {
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut rest = Vec::new();
        // Whatever is said, the connection ends.
        let _ = stream.read_to_end(&mut rest);
    }
    check_alive(&host);
}

#[test]
fn a_crowd_finds_the_door_shut_and_leaves_others_alone() {
    let limits = ServerLimits { connections: 60, sockets: 20, ..ServerLimits::default() };
    let host = TestServer::with(limits, Storage::Memory, None);
    let mut first = Socket::new(host.address);
    let mut client = Client::new(host.address);
    let mut crowd: Vec<Socket> = Vec::new();
    while let Ok(socket) = Socket::try_new(host.address, None) {
        crowd.push(socket);
        assert!(crowd.len() < 20, "the door stays open");
    }
    assert_eq!(crowd.len(), 19);
    let mut strangers: Vec<TcpStream> =
        (0..1000).filter_map(|_| TcpStream::connect_timeout(&host.address, PATIENCE).ok()).collect();
    let mut last = strangers.pop().expect("a connection");
    last.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let mut answer = Vec::new();
    let _ = last.read_to_end(&mut answer);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 503"), "{answer:?}");
    drop(last);
    // A client that has sent its request reads why it is refused, once the crowd before it was.
    strangers.truncate(60);
    let deadline = Instant::now() + PATIENCE;
    while Client::new(host.address).try_ask("GET", "/api/about", None, &[]).map(|answer| answer.status).ok()
        != Some(503)
    {
        assert!(Instant::now() < deadline, "no refusal came");
    }
    // Those who were there before notice nothing.
    first.send(&json!({"type": "ping"}));
    assert_eq!(first.receive()["type"], "pong");
    assert_eq!(client.get("/api/about").status, 200);
    drop((strangers, crowd));
    let started = Instant::now();
    while Socket::try_new(host.address, None).is_err() {
        assert!(started.elapsed() < PATIENCE, "the door opens again");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn nonsense_on_a_socket_is_answered_and_a_flood_ends_it() {
    let host = TestServer::new();
    let mut socket = Socket::new(host.address);
    for (message, code) in [
        ("{", "bad_request"),
        ("{\"type\": \"dance\"}", "bad_request"),
        ("{\"type\": \"watch\", \"game\": \"nobody\"}", "not_found"),
        ("{\"type\": \"analyse\", \"id\": \"a\", \"fen\": \"8/8/8/8/8/8/8/8 w - - 0 1\"}", "illegal_position"),
        ("{\"type\": \"analyse\", \"id\": \"\"}", "bad_request"),
        ("{\"type\": \"analyse\", \"id\": \"a\", \"lines\": 11}", "bad_request"),
        ("{\"type\": \"analyse\", \"id\": \"a\", \"seconds\": 100000}", "bad_request"),
    ] {
        socket.say_text(message);
        let answer = socket.receive();
        assert_eq!((&answer["type"], &answer["code"]), (&json!("error"), &json!(code)), "{message}");
    }
    let mut flooder = Socket::new(host.address);
    let mut other = Socket::new(host.address);
    // Far more than the limit, because some time passes until they are sent and the limit grows with it.
    for _ in 0..300 {
        flooder.say_text("{\"type\": \"ping\"}");
    }
    let mut last = Value::Null;
    while let Some(message) = flooder.try_hear() {
        last = message;
    }
    assert_eq!(last["code"], "too_many");
    other.send(&json!({"type": "ping"}));
    assert_eq!(other.receive()["type"], "pong");
}

#[test]
fn a_client_that_does_not_read_delays_no_other() {
    let host = TestServer::new();
    let mut client = Client::new(host.address);
    let game = client.good("/api/games", &json!({"white": human("Ada"), "black": human("Bea")}));
    let game = game["id"].as_str().expect("a name").to_owned();
    let mut deaf = Socket::new(host.address);
    deaf.send(&json!({"type": "watch", "game": game}));
    for (index, mv) in ["Nf3", "Nf6", "Ng1", "Ng8"].iter().cycle().take(14).enumerate() {
        let answer = client.post(&format!("/api/games/{game}/move"), &json!({"move": mv}));
        assert_eq!(answer.status, 200, "move {index}: {answer:?}");
    }
    assert_eq!(
        deaf.game_when(|game| game["moves"].as_array().is_some_and(|moves| moves.len() == 14))["status"],
        "playing"
    );
}

/// Reading takes long, so it is no work for the two threads that answer. That all permits are taken is told only while
/// the texts are read: on the threads that answer, no more than two would be read at once, and
/// nothing would be told.
#[test]
fn requests_are_answered_while_large_pgns_are_read() {
    const AT_ONCE: usize = 4;
    const ROUNDS: usize = 20;
    let limits = ServerLimits { tasks: AT_ONCE, ..ServerLimits::default() };
    let host = TestServer::with(limits, Storage::Memory, None);
    let address = host.address;
    let game = format!("[White \"Ada\"]\n\n{} *\n\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(45));
    let request = json!({"pgn": game.repeat(150)});
    let was_told = (0..ROUNDS).any(|_| {
        let read = move |request: Value| {
            loop {
                let answer = Client::new(address).post("/api/pgn/read", &request);
                match answer.status {
                    429 => thread::yield_now(),
                    status => break (status, answer.json()["games"].as_array().map(Vec::len)),
                }
            }
        };
        let readers: Vec<_> =
            (0..AT_ONCE).map(|_| request.clone()).map(|asked| thread::spawn(move || read(asked))).collect();
        let mut client = Client::new(address);
        let mut was_told = false;
        while !was_told && readers.iter().any(|reader| !reader.is_finished()) {
            was_told = client.post("/api/pgn/write", &json!({})).status == 429;
        }
        check_alive(&host);
        for reader in readers {
            assert_eq!(reader.join().expect("an answer"), (200, Some(150)));
        }
        was_told
    });
    assert!(was_told, "the texts were read one after the other");
}
