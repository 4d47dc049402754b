//! Running the real binary, for all tests of it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) fn saavedra(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_saavedra")).args(arguments).output().expect("the binary starts")
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

/// A place of a test's own, for a file or a folder, where nothing is before the test nor after it.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        // Tests of one name run side by side in one process.
        static PLACES: AtomicUsize = AtomicUsize::new(0);
        let number = PLACES.fetch_add(1, Ordering::Relaxed);
        let place = Scratch(std::env::temp_dir().join(format!("saavedra-test-{}-{number}-{name}", std::process::id())));
        place.clear();
        place
    }

    /// With an empty folder there.
    pub(crate) fn folder(name: &str) -> Scratch {
        let place = Scratch::new(name);
        fs::create_dir_all(&place.0).expect("a folder can be made");
        place
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("the path is text")
    }

    /// The path of something in the folder.
    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("the path is text").to_owned()
    }

    fn clear(&self) {
        let _ = fs::remove_file(&self.0);
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.clear();
    }
}
