//! Checks what the server sends against its OpenAPI document: no property is missing, and none is undocumented.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::{Map, Value};

fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(saavedra_serve::openapi)
}

/// Checks the body of a successful response to a request.
pub(crate) fn check_response(method: &str, path: &str, body: &str) {
    let path = path.split('?').next().unwrap_or_default();
    let is_same = |template: &str| {
        template.split('/').count() == path.split('/').count()
            && template.split('/').zip(path.split('/')).all(|(known, given)| known.starts_with('{') || known == given)
    };
    let mut paths = document()["paths"].as_object().into_iter().flatten();
    let Some((_, methods)) = paths.find(|(template, _)| is_same(template)) else { return };
    let responses = methods[method.to_lowercase()]["responses"].as_object().into_iter().flatten();
    for (_, response) in responses.filter(|(status, _)| status.starts_with('2')) {
        let schema = &response["content"]["application/json"]["schema"];
        if !schema.is_null() {
            let value = serde_json::from_str(body).expect("JSON");
            check(schema, &value).unwrap_or_else(|problem| panic!("{method} {path}: {problem} in {body}"));
        }
    }
}

/// Checks a message of the server.
pub(crate) fn check_message(message: &Value) {
    let schema = &document()["components"]["schemas"]["ServerMessage"];
    check(schema, message).unwrap_or_else(|problem| panic!("{problem} in {message}"));
}

/// The schema that a reference names.
fn resolved(schema: &Value) -> &Value {
    match schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        Some(name) => &document()["components"]["schemas"][name],
        None => schema,
    }
}

/// The properties of an object, and whether each is required, with those of all its parts.
fn properties<'a>(schema: &'a Value, found: &mut BTreeMap<&'a str, (&'a Value, bool)>) {
    let schema = resolved(schema);
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        found.insert(name, (property, required.iter().any(|required| required == name)));
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        properties(part, found);
    }
}

fn check(schema: &Value, value: &Value) -> Result<(), String> {
    let schema = resolved(schema);
    if let Some(choices) = schema["oneOf"].as_array() {
        let problems: Vec<String> = choices.iter().filter_map(|choice| check(choice, value).err()).collect();
        return if problems.len() < choices.len() { Ok(()) } else { Err(problems.join(", or ")) };
    }
    if let Some(allowed) = schema["enum"].as_array() {
        return if allowed.contains(value) { Ok(()) } else { Err(format!("{value} is none of {allowed:?}")) };
    }
    let is_of = |kind: &str| match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        _ => value.is_object(),
    };
    let is_typed = match &schema["type"] {
        Value::String(kind) => is_of(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(is_of),
        _ => true,
    };
    if !is_typed {
        return Err(format!("{value} is not of type {}", schema["type"]));
    }
    match value {
        Value::Array(items) => items.iter().try_for_each(|item| check(&schema["items"], item)),
        Value::Object(fields) => check_fields(schema, fields),
        _ => Ok(()),
    }
}

fn check_fields(schema: &Value, fields: &Map<String, Value>) -> Result<(), String> {
    let mut known = BTreeMap::new();
    properties(schema, &mut known);
    if known.is_empty() {
        return fields.values().try_for_each(|value| check(&schema["additionalProperties"], value));
    }
    if let Some((missing, _)) = known.iter().find(|(name, (_, required))| *required && !fields.contains_key(**name)) {
        return Err(format!("{missing} is missing"));
    }
    fields.iter().try_for_each(|(name, value)| match known.get(name.as_str()) {
        Some((property, _)) => check(property, value).map_err(|problem| format!("{name}: {problem}")),
        None => Err(format!("{name} is undocumented")),
    })
}
