//! The page, as it was when the binary was built.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::refusal::{Code, Refusal};

/// Everything that `cargo xtask web` builds; nothing if it was not run before.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Files;

/// What is shown where the page should be.
const MISSING: &str = "\
This build of saavedra has no page inside: web/dist was missing or empty when it was built.
Build the page with `cargo xtask web` (it needs Node.js), then build saavedra again; or run `cargo xtask play`, which does both.
The interface for programs works: see /api/openapi.json.
";

/// Whether there is a page in this binary.
pub(crate) fn is_there() -> bool {
    Files::get("index.html").is_some()
}

/// Encodings that a file may be stored in beside itself, the smallest first.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Answers whatever is not of the interface: with a file of the page, or with the page itself.
pub(crate) async fn serve(request: Request) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return Refusal::new(Code::NotFound, "there is nothing of this name: see /api/openapi.json").into_response();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return Refusal::new(Code::MethodNotAllowed, "the page can only be read").into_response();
    }
    let name = path.trim_start_matches('/');
    // What has no dot is a place in the page, which finds its way by itself.
    let is_place = !name.rsplit('/').next().unwrap_or_default().contains('.');
    let name = if is_place { "index.html" } else { name };
    // Compressed twins are not files of their own.
    let found = Files::get(name).filter(|_| !ENCODINGS.iter().any(|(_, suffix)| name.ends_with(suffix)));
    match found {
        Some(file) => send(name, file, request.headers()),
        None if is_place => (StatusCode::SERVICE_UNAVAILABLE, MISSING).into_response(),
        None => Refusal::new(Code::NotFound, "the page has no such file").into_response(),
    }
}

fn send(name: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let tag = file.metadata.sha256_hash().iter().take(12).map(|byte| format!("{byte:02x}")).collect::<String>();
    let tag = format!("\"{tag}\"");
    let caching = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_accepted = |encoding: &str| accepted.split(',').any(|word| is_wanted(word, encoding));
    let twin = ENCODINGS.iter().filter(|(encoding, _)| is_accepted(encoding));
    let twin = twin.filter_map(|(encoding, suffix)| Some((*encoding, Files::get(&format!("{name}{suffix}"))?))).next();
    let is_known = headers.get(IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let (encoding, data) = match twin {
        Some((encoding, twin)) => (Some(encoding), twin.data),
        None => (None, file.data),
    };
    let mut response =
        if is_known { StatusCode::NOT_MODIFIED.into_response() } else { Body::from(data).into_response() };
    let answer = response.headers_mut();
    answer.insert(CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    answer.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    answer.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.insert(ETAG, tag);
    }
    if let Some(encoding) = encoding.filter(|_| !is_known) {
        answer.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Whether a word of `Accept-Encoding` asks for an encoding, and not for anything but it.
fn is_wanted(word: &str, encoding: &str) -> bool {
    let mut parts = word.split(';').map(str::trim);
    let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
    is_named && !parts.any(|part| part == "q=0" || part == "q=0.0")
}

/// The type of a file, by its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "wav" => "audio/wav",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
