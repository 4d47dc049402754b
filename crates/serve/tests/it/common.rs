//! A client for the server: plain HTTP over a socket, so that tests can say exactly what they mean, and WebSockets.

#![allow(dead_code, reason = "tests and the example of load take what they need")]

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use crate::schema;

/// Nothing in these tests takes longer, however busy the machine is.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// What the server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {:?}", self.body))
    }

    /// The code of an error.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// A connection that stays open from request to request.
pub(crate) struct Client {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
    token: Option<String>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.set_nodelay(true).expect("no delay");
        Client { address, stream: BufReader::new(stream), token: None }
    }

    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.ask("GET", path, None, &[])
    }

    pub(crate) fn delete(&mut self, path: &str) -> Answer {
        self.ask("DELETE", path, None, &[])
    }

    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, Some(&body.to_string()), &[])
    }

    /// Asks something that must go well.
    pub(crate) fn good(&mut self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body);
        assert!((200..300).contains(&answer.status), "{path} {body}: {answer:?}");
        answer.json()
    }

    pub(crate) fn put(&mut self, path: &str, body: &Value) -> Answer {
        self.ask("PUT", path, Some(&body.to_string()), &[])
    }

    /// Sends a file to be imported, and waits until it was read.
    pub(crate) fn import(&mut self, name: &str, file: &[u8], labels: &[&str]) -> Value {
        let import = self.good("/api/imports", &json!({"name": name, "labels": labels}));
        let path = format!("/api/imports/{}/body", id(&import));
        let answer = self.send("PUT", &path, Some(file), &[("Content-Type", "application/octet-stream")]);
        let answer = answer.expect("an answer");
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    }

    pub(crate) fn ask(&mut self, method: &str, path: &str, body: Option<&str>, headers: &[(&str, &str)]) -> Answer {
        self.try_ask(method, path, body, headers).expect("an answer")
    }

    pub(crate) fn try_ask(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&str>,
        headers: &[(&str, &str)],
    ) -> io::Result<Answer> {
        self.send(method, path, body.map(str::as_bytes), headers)
    }

    fn send(&mut self, method: &str, path: &str, body: Option<&[u8]>, headers: &[(&str, &str)]) -> io::Result<Answer> {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        let mut put = |name: &str, value: &str| head.push_str(&format!("{name}: {value}\r\n"));
        let is_given = |name: &str| headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        if !is_given("host") {
            put("Host", &self.address.to_string());
        }
        if let Some(body) = body {
            if !is_given("content-type") {
                put("Content-Type", "application/json");
            }
            put("Content-Length", &body.len().to_string());
        }
        for (name, value) in headers {
            put(name, value);
        }
        head.push_str("\r\n");
        self.stream.get_mut().write_all(&[head.as_bytes(), body.unwrap_or_default()].concat())?;
        let answer = self.read()?;
        if (200..300).contains(&answer.status) {
            schema::check_response(method, path, &answer.body);
        }
        Ok(answer)
    }

    pub(crate) fn read(&mut self) -> io::Result<Answer> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no answer but {line:?}")))?;
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            match line.trim_end().split_once(": ") {
                Some((name, value)) => headers.push((name.to_owned(), value.to_owned())),
                None => break,
            }
        }
        let mut answer = Answer { status, headers, body: String::new() };
        let length = answer.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        let body = match answer.header("transfer-encoding") {
            Some("chunked") => self.read_chunks()?,
            _ => self.read_bytes(length)?,
        };
        answer.body = String::from_utf8_lossy(&body).into_owned();
        Ok(answer)
    }

    fn read_bytes(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// A body whose length was not known when it began.
    fn read_chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            let length = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
            body.extend(self.read_bytes(length)?);
            self.read_bytes(2)?;
            if length == 0 {
                return Ok(body);
            }
        }
    }
}

/// A WebSocket.
pub(crate) struct Socket {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    pub(crate) fn new(address: SocketAddr) -> Socket {
        Socket::try_new(address, None).expect("a socket")
    }

    pub(crate) fn try_new(address: SocketAddr, origin: Option<&str>) -> Result<Socket, Box<tungstenite::Error>> {
        let mut request = format!("ws://{address}/api/ws").into_client_request().expect("a request");
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().expect("a header"));
        }
        let (socket, _) = tungstenite::connect(request).map_err(Box::new)?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
            stream.set_nodelay(true).expect("no delay");
        }
        Ok(Socket { socket })
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).expect("the server reads");
    }

    pub(crate) fn say_text(&mut self, message: &str) {
        self.socket.send(Message::text(message)).expect("the server reads");
    }

    /// The next message, if the socket is still open and one comes. The server's pings are none.
    pub(crate) fn try_hear(&mut self) -> Option<Value> {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    let message = serde_json::from_str(&text).expect("JSON");
                    schema::check_message(&message);
                    return Some(message);
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
        None
    }

    /// The next message, if one comes within some time. An error means that the socket is closed.
    pub(crate) fn receive_within(&mut self, time: Duration) -> Result<Option<Value>, ()> {
        if let MaybeTlsStream::Plain(stream) = self.socket.get_ref() {
            stream.set_read_timeout(Some(time)).expect("a timeout");
        }
        match self.socket.read() {
            Ok(Message::Text(text)) => Ok(Some(serde_json::from_str(&text).expect("JSON"))),
            Ok(Message::Close(_)) => Err(()),
            Ok(_) => Ok(None),
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
            {
                Ok(None)
            }
            Err(_) => Err(()),
        }
    }

    pub(crate) fn receive(&mut self) -> Value {
        self.try_hear().expect("a message")
    }

    /// The next message of which something is true.
    pub(crate) fn receive_until(&mut self, is_meant: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            let message = self.receive();
            if is_meant(&message) {
                return message;
            }
        }
        panic!("the message does not come");
    }

    /// The game that is watched, once something is true of it.
    pub(crate) fn game_when(&mut self, is_meant: impl Fn(&Value) -> bool) -> Value {
        self.receive_until(|message| message["type"] == "game" && is_meant(&message["game"]))["game"].clone()
    }
}

pub(crate) fn human(name: &str) -> Value {
    json!({"kind": "human", "name": name})
}

pub(crate) fn mind(spec: &str) -> Value {
    json!({"kind": "mind", "mind": spec})
}

/// The name of a game.
pub(crate) fn id(game: &Value) -> &str {
    game["id"].as_str().expect("a name")
}

pub(crate) fn plies(game: &Value) -> usize {
    game["moves"].as_array().expect("moves").len()
}
