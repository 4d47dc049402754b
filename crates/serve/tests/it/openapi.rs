//! The OpenAPI document, from which the types of the page are generated.

use std::path::Path;

use serde_json::Value;

#[test]
fn the_document_that_the_page_is_built_from_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/openapi.json");
    // A published crate comes without the page.
    let Ok(text) = std::fs::read_to_string(&path) else { return };
    let stored: Value = serde_json::from_str(&text).expect("JSON");
    let advice = "run `cargo run -p saavedra-serve --example openapi > web/openapi.json`";
    let is_current = without_comments(stored) == without_comments(saavedra_serve::openapi());
    assert!(is_current, "web/openapi.json is stale: {advice}");
}

/// The document without the texts that come from comments: they change no type.
fn without_comments(mut value: Value) -> Value {
    match &mut value {
        Value::Object(map) => {
            map.retain(|key, value| !(matches!(key.as_str(), "description" | "summary") && value.is_string()));
            map.values_mut().for_each(|value| *value = without_comments(value.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = without_comments(item.take())),
        _ => {}
    }
    value
}
