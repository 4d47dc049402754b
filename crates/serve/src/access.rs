//! Access control: which requests are answered.
//!
//! Every page in the browser can send requests to a server on loopback. So the host name must be one of the server's
//! own (another name that resolves to this machine is DNS rebinding), a request must not come from a page of another
//! origin, and a body must be JSON, which other origins cannot send without a preflight request.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::{ApiError, ErrorCode};
use crate::state::App;

/// The content security policy of the page: it loads nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      font-src 'self'; media-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; \
                      worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const COOKIE_NAME: &str = "saavedra-token";

/// The rules of access.
pub(crate) struct Access {
    /// Host names of the server, without ports.
    names: Vec<String>,
    port: u16,
    token: Option<String>,
}

impl Access {
    pub(crate) fn new(address: SocketAddr, names: &[String], token: Option<String>) -> Access {
        let mut own: Vec<String> = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).into();
        own.push(match address.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        });
        own.extend(names.iter().map(|name| name.to_ascii_lowercase()));
        Access { names: own, port: address.port(), token }
    }

    /// Whether this is a host name of the server, with its port or, behind a proxy, without one.
    fn is_own(&self, authority: &str) -> bool {
        let authority = authority.to_ascii_lowercase();
        let (name, port) = match authority.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (authority.as_str(), Some(self.port).filter(|_| !self.needs_port(&authority))),
        };
        port == Some(self.port) && self.names.iter().any(|own| own == name)
    }

    /// On loopback the port is always part of the name, unless it is 80.
    fn needs_port(&self, name: &str) -> bool {
        self.port != 80 && (name == "localhost" || name == "127.0.0.1" || name == "[::1]")
    }

    fn check_source(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("\u{fffd}"));
        let refused = |message: &str| Err(ApiError::new(ErrorCode::Forbidden, message));
        // A proxy may look at one of two headers and we at the other.
        for name in [HOST, ORIGIN] {
            if headers.get_all(&name).iter().count() > 1 {
                return refused(&format!("there is more than one {name} header"));
            }
        }
        let host = text(HOST).or_else(|| uri.authority().map(|authority| authority.as_str()));
        if !host.is_some_and(|host| self.is_own(host)) {
            return refused("the server does not answer to this host name; --host adds one");
        }
        if let Some(origin) = text(ORIGIN) {
            let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            if !authority.is_some_and(|authority| self.is_own(authority)) {
                return refused("requests from other origins are not answered");
            }
        }
        if let Some("cross-site" | "same-site") = text(HeaderName::from_static("sec-fetch-site"))
            && text(HeaderName::from_static("sec-fetch-mode")) != Some("navigate")
        {
            return refused("requests from other sites are not answered");
        }
        Ok(())
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let bearer = text(AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let cookies = text(COOKIE).unwrap_or_default().split(';');
        let cookie = cookies.filter_map(|pair| pair.trim().split_once('=')).find(|(name, _)| *name == COOKIE_NAME);
        bearer.into_iter().chain(cookie.map(|(_, value)| value)).any(|given| is_same(given, token))
    }

    /// Turns a token in the address into a cookie and redirects to the address without it.
    fn login(&self, request: &Request) -> Option<Response> {
        let token = self.token.as_ref()?;
        let query = request.uri().query()?;
        let given = query.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        if request.method() != Method::GET || request.uri().path() != "/" || !is_same(given, token) {
            return None;
        }
        let cookie = format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict");
        let cookie = HeaderValue::from_str(&cookie).ok()?;
        let headers = [(SET_COOKIE, cookie), (LOCATION, HeaderValue::from_static("/"))];
        Some((StatusCode::SEE_OTHER, headers).into_response())
    }
}

/// Compares in constant time, so that the time reveals nothing about the token.
fn is_same(given: &str, token: &str) -> bool {
    let differences = given.bytes().zip(token.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    given.len() == token.len() && differences == 0
}

/// Whether a text can be a token: in a header, a cookie and an address.
pub(crate) fn is_token(text: &str) -> bool {
    (8..=200).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
}

/// Checks every request, and sets the security headers of every response.
pub(crate) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let access = &app.shared().access;
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = match access.check_source(request.uri(), request.headers()) {
        Err(error) => error.into_response(),
        Ok(()) => match access.login(&request) {
            Some(response) => response,
            None if access.has_token(request.headers()) => next.run(request).await,
            None => {
                ApiError::new(ErrorCode::Unauthorized, "this server requires a token: open /?token=…").into_response()
            }
        },
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(CONTENT_SECURITY_POLICY, POLICY);
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(X_FRAME_OPTIONS, "DENY");
    set(REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-embedder-policy"), "require-corp");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=(), payment=(), usb=()");
    if is_api {
        set(CACHE_CONTROL, "no-store");
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(address: &str) -> Access {
        Access::new(address.parse().expect("an address"), &["Chess.Example".to_owned()], None)
    }

    #[test]
    fn only_own_names_with_the_own_port_are_answered() {
        let access = access("127.0.0.1:8765");
        for own in ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765", "chess.example"] {
            assert!(access.is_own(own), "{own}");
        }
        for foreign in
            ["evil.example:8765", "127.0.0.1:80", "127.0.0.1", "localhost", "", "127.0.0.1:8765.evil.example", "[::1]"]
        {
            assert!(!access.is_own(foreign), "{foreign}");
        }
    }

    #[test]
    fn foreign_origins_are_refused_and_missing_ones_are_not() {
        let access = access("127.0.0.1:8765");
        let ask = |origin: Option<&str>, site: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static("localhost:8765"));
            let mut put = |name: HeaderName, value: Option<&str>| {
                if let Some(value) = value {
                    headers.insert(name, value.parse().expect("a header"));
                }
            };
            put(ORIGIN, origin);
            put(HeaderName::from_static("sec-fetch-site"), site);
            access.check_source(&Uri::from_static("/api/about"), &headers).is_ok()
        };
        assert!(ask(None, None));
        assert!(ask(Some("http://127.0.0.1:8765"), Some("same-origin")));
        assert!(!ask(Some("http://evil.example"), None));
        assert!(!ask(Some("null"), None));
        assert!(!ask(Some("http://localhost:3000"), None));
        assert!(!ask(None, Some("cross-site")));
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(is_same("swordfish", "swordfish"));
        assert!(!is_same("swordfis", "swordfish"));
        assert!(!is_same("", "swordfish"));
        assert!(is_token("swordfish") && !is_token("short") && !is_token("with blank") && !is_token("a;b=cdefgh"));
    }
}
