//! The OpenAPI document, from which the types of the page are generated.

use std::path::Path;

#[test]
fn the_document_that_the_page_is_built_from_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/openapi.json");
    // A published crate comes without the page.
    let Ok(text) = std::fs::read_to_string(&path) else { return };
    let stored: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let advice = "run `cargo run -p saavedra-serve --example openapi > web/openapi.json`";
    assert!(stored == saavedra_serve::openapi(), "web/openapi.json is stale: {advice}");
}
