//! Running the real binary, for all tests of it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

pub(crate) fn saavedra(arguments: &[&str]) -> Output {
    // A developer's configuration file must not change what is tested.
    Command::new(env!("CARGO_BIN_EXE_saavedra"))
        .env("SAAVEDRA_CONFIG", "")
        .args(arguments)
        .output()
        .expect("the binary starts")
}

/// What a command does that is given this on its standard input.
pub(crate) fn fed(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_saavedra"))
        .env("SAAVEDRA_CONFIG", "")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // It may refuse to work before everything is read.
    let _ = child.stdin.take().expect("there is a pipe").write_all(input);
    child.wait_with_output().expect("the binary ends")
}

/// What a command prints that goes well.
pub(crate) fn printed(arguments: &[&str]) -> String {
    let output = saavedra(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is text")
}

/// The one line that an error is, after checking that it is one line and that nothing else was printed.
pub(crate) fn complaint(arguments: &[&str], code: i32) -> String {
    let output = saavedra(arguments);
    let message = String::from_utf8(output.stderr).expect("output is text");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert_eq!(message.lines().count(), 1, "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    message.trim_end().to_owned()
}

/// A folder of a test's own, gone when the test ends. Its paths are text, as arguments are.
pub(crate) struct Folder(pub(crate) TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self) -> &str {
        self.0.path().to_str().expect("the path is text")
    }

    /// The path of something in the folder, whether it is there or not.
    pub(crate) fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("the path is text").to_owned()
    }
}
