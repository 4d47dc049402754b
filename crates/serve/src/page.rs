//! The files of the page, embedded when the binary was built.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::error::{ApiError, ErrorCode};

/// What `cargo xtask web` builds; empty if it was not run before.
#[derive(RustEmbed)]
#[folder = "page"]
#[allow_missing = true]
struct Files;

/// What is shown in place of a missing page.
const MISSING: &str = "\
This build of saavedra has no page inside: crates/serve/page was missing or empty when it was built.
Build the page with `cargo xtask web` (it needs Node.js), then build saavedra again; or run `cargo xtask play`, which does both.
The HTTP interface works: see /api/openapi.json.
";

/// Whether this binary contains the page.
pub(crate) fn is_there() -> bool {
    Files::get("index.html").is_some()
}

/// Encodings that a file may be stored in beside itself, the smallest first.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Answers every path outside `/api`: with a file of the page, or with the page itself.
pub(crate) async fn serve(request: Request) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return ApiError::new(ErrorCode::NotFound, "there is nothing of this name: see /api/openapi.json")
            .into_response();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return ApiError::new(ErrorCode::MethodNotAllowed, "the page can only be read").into_response();
    }
    let name = path.trim_start_matches('/');
    // A path without a dot is a view of the page, which has its own router.
    let is_view = !name.rsplit('/').next().unwrap_or_default().contains('.');
    let name = if is_view { "index.html" } else { name };
    // The compressed copies have no address of their own.
    let found = Files::get(name).filter(|_| !ENCODINGS.iter().any(|(_, suffix)| name.ends_with(suffix)));
    match found {
        Some(file) => send(name, file, request.headers()),
        None if is_view => (StatusCode::SERVICE_UNAVAILABLE, MISSING).into_response(),
        None => ApiError::new(ErrorCode::NotFound, "the page has no such file").into_response(),
    }
}

fn send(name: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let content_type = content_type(file.metadata.mimetype());
    let tag = file.metadata.sha256_hash().iter().take(12).map(|byte| format!("{byte:02x}")).collect::<String>();
    let tag = format!("\"{tag}\"");
    let caching = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_accepted = |encoding: &str| accepted.split(',').any(|word| is_wanted(word, encoding));
    let copy = ENCODINGS.iter().filter(|(encoding, _)| is_accepted(encoding));
    let copy = copy.filter_map(|(encoding, suffix)| Some((*encoding, Files::get(&format!("{name}{suffix}"))?))).next();
    let is_known = headers.get(IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let (encoding, data) = match copy {
        Some((encoding, copy)) => (Some(encoding), copy.data),
        None => (None, file.data),
    };
    let mut response =
        if is_known { StatusCode::NOT_MODIFIED.into_response() } else { Body::from(data).into_response() };
    let answer = response.headers_mut();
    if let Ok(content_type) = HeaderValue::from_str(&content_type) {
        answer.insert(CONTENT_TYPE, content_type);
    }
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

/// Whether an element of `Accept-Encoding` accepts an encoding.
fn is_wanted(word: &str, encoding: &str) -> bool {
    let mut parts = word.split(';').map(str::trim);
    let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
    is_named && !parts.any(|part| part == "q=0" || part == "q=0.0")
}

/// The `Content-Type` of a file. Texts of the page are UTF-8.
fn content_type(mime_type: &str) -> String {
    if mime_type.starts_with("text/") { format!("{mime_type}; charset=utf-8") } else { mime_type.to_owned() }
}
