//! Prints the OpenAPI document of the server, from which the types of the page are generated:
//!
//! ```text
//! cargo run -p saavedra-serve --example openapi > web/openapi.json
//! ```

fn main() {
    println!("{:#}", saavedra_serve::openapi());
}
