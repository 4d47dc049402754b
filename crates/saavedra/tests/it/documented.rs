//! Every `saavedra` command that the documentation prints is run as it stands there, by a shell, in a folder that has
//! what readers are told to have. What would take long is made short by [`SHORT`]; nothing else is changed.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::Folder;

/// Options that make a command short: they get this value where they are printed with another, and are added to the
/// commands named here where they are not.
const SHORT: [(&str, &str, &[&str]); 17] = [
    ("--games", "2", &["match", "sprt", "rate", "evolve"]),
    ("--time", "nodes=20", &["match", "sprt", "tournament", "rate", "tune"]),
    ("--longest", "3", &["match", "sprt", "tournament", "rate", "tune"]),
    ("--error", "900", &["rate"]),
    ("--pairs", "1", &["tournament"]),
    ("--iterations", "1", &["tune"]),
    ("--only", "1", &["uci-check"]),
    ("--positions", "400", &["datagen", "evolve"]),
    ("--nodes", "20", &["datagen", "evolve"]),
    ("--sprt-games", "2", &["evolve"]),
    ("--match-nodes", "20", &["evolve"]),
    ("--test-time", "nodes=20", &[]),
    ("--attempts", "1", &[]),
    ("--epochs", "1", &["train"]),
    ("--epoch-size", "500", &[]),
    ("--width", "512", &[]),
    ("--port", "0", &["serve"]),
];

/// Nothing is added to commands with these options: they go on with something, or only report.
const SHORT_ALREADY: [&str; 5] = ["--resume", "--report", "--ladder", "--gpu", "--test "];

/// Commands that say why they cannot do their work here, and what they say.
const REFUSED: [(&str, &str); 8] = [
    // There is no such machine.
    ("nats://", "cannot connect to nats://"),
    ("--gpu", "there is no CUDA GPU here"),
    ("forge ", "there is no CUDA GPU here"),
    // The options of a build for tuning.
    ("tuning-engine", "has no option"),
    ("futility.journal", "cannot be read"),
    ("--all", "there is no parameter to tune"),
    // There is no stand-in for an engine that speaks CECP.
    ("Phalanx=cecp:phalanx", "the player Phalanx cannot play"),
    // The package saavedra is tested as a wheel.
    ("eager.py", "No module named 'saavedra'"),
];

/// Programs that the documentation starts by name. All stand-ins are this engine.
const PROGRAMS: [&str; 7] = ["saavedra", "stockfish", "toga2", "glaurung", "ethereal-chess", "ENGINE", "PROGRAM"];

/// Programs that readers are told to have in their folder.
const BUILDS: [&str; 7] = ["new", "old", "engine", "cand", "base", "tuning-engine", "my-generator"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages of the documentation.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    let mut folders = ["docs", "examples", "crates"].map(|name| root().join(name)).to_vec();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() && !["src", "tests"].map(OsStr::new).contains(&path.file_name().unwrap_or_default()) {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// The commands of a page, in their order, each on one line.
fn commands(page: &str) -> Vec<String> {
    let blocks = page.split("```").skip(1).step_by(2).map(|block| block.replace("\\\n", " "));
    let of_block = |block: String| block.lines().filter_map(command).collect::<Vec<_>>();
    blocks.flat_map(of_block).collect()
}

fn command(line: &str) -> Option<String> {
    let line = line.trim().trim_start_matches("$ ");
    // Three dots stand for more of the same.
    line.starts_with("saavedra ").then(|| line.replace(" ... ", " ").replace(",...:", ":").replace(" --open ", " "))
}

/// The command with less to do.
fn shortened(command: &str) -> String {
    // What follows a comment or a redirection is not for the command.
    let end = command.find(" #").or_else(|| command.find(" >")).unwrap_or(command.len());
    let (mut words, rest) = (command[..end].to_owned(), &command[end..]);
    let verb = command.split_whitespace().nth(1).unwrap_or_default();
    let is_short = SHORT_ALREADY.iter().any(|option| words.contains(option));
    for (option, value, added_to) in SHORT {
        if let Some(at) = words.find(&format!("{option} ")) {
            let from = at + option.len() + 1;
            let to = words[from..].find([' ', '"']).map_or(words.len(), |length| from + length);
            words.replace_range(from..to, value);
        } else if added_to.contains(&verb) && !is_short {
            // Before the arguments, because those of `uci-check` end its options.
            words = words.replacen(verb, &format!("{verb} {option} {value}"), 1);
        }
    }
    format!("{words}{rest}")
}

/// A folder that has what readers are told to have: programs, books, games, networks and journals.
fn readers_folder() -> Folder {
    let folder = Folder::new();
    let binary = env!("CARGO_BIN_EXE_saavedra");
    for name in ["bin", "games", "crates/arena/data"] {
        fs::create_dir_all(folder.file(name)).expect("a folder");
    }
    let programs = PROGRAMS.map(|name| format!("bin/{name}"));
    for name in programs.iter().map(String::as_str).chain(BUILDS) {
        symlink(binary, folder.file(name)).expect("a link");
    }
    let write = |name: &str, text: &str| fs::write(folder.file(name), text).expect("a file");
    write("bin/gnuchess", "#!/bin/sh\nexec saavedra\n");
    fs::set_permissions(folder.file("bin/gnuchess"), fs::Permissions::from_mode(0o755)).expect("a mode");
    symlink(root().join("examples"), folder.file("examples")).expect("a link");
    for book in ["book.epd", "UHO_4060_v4.epd"] {
        write(book, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n");
    }
    for games in ["games.pgn", "8moves_v3.pgn"] {
        write(games, "1. e4 e5 2. Qh5 Nc6 1-0\n");
    }
    write("mymind.py", &first_engine());
    write("candidates.txt", "first width=512\n");
    for command in [
        "saavedra net random champion.nnue --width 32",
        "saavedra datagen games/first.svd --positions 400 --nodes 20",
        "cp games/first.svd fresh.svd",
        "saavedra match random random --games 2 --longest 1 --journal match-20261115-093000.journal",
        "saavedra rate random --games 2 --longest 1 --error 1000 --journal rate-20261115-093000.journal",
    ] {
        let output = run(&folder, command);
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    folder
}

/// The program that README.md shows to those who write their first engine.
fn first_engine() -> String {
    let readme = fs::read_to_string(root().join("README.md")).expect("a page is text");
    let program = readme.split("```python\n").nth(1).expect("README.md has a program in Python");
    program.split("```").next().unwrap_or_default().to_owned()
}

/// A shell in the folder that finds the programs.
fn shell(folder: &Folder, command: &str) -> Command {
    let path = format!("{}:{}", folder.file("bin"), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder.path());
    shell.env("PATH", path).env("TERM", "dumb").env("HOME", folder.path()).env_remove("XDG_DATA_HOME");
    // Where there is a GPU, the commands for it would run for hours.
    shell.env("CUDA_VISIBLE_DEVICES", "").stdin(Stdio::null());
    shell
}

fn run(folder: &Folder, command: &str) -> Output {
    shell(folder, command).output().expect("there is a shell")
}

/// Commands that print the same on every machine.
const REPRODUCIBLE: [&str; 3] = ["board", "see", "tree"];

/// The commands of a page that are shown with what they print, each with its lines. Three dots on a line stand for any
/// number of lines.
fn shown(page: &str) -> Vec<(&str, Vec<&str>)> {
    let mut shown: Vec<(&str, Vec<&str>)> = Vec::new();
    for block in page.split("```").skip(1).step_by(2) {
        let mut is_output = false;
        for line in block.lines().skip(1) {
            if let Some(command) = line.strip_prefix("$ ") {
                let verb = command.strip_prefix("saavedra ").and_then(|rest| rest.split(' ').next());
                is_output = verb.is_some_and(|verb| REPRODUCIBLE.contains(&verb));
                shown.extend(is_output.then(|| (command, Vec::new())));
            } else if let Some((_, lines)) = shown.last_mut().filter(|_| is_output) {
                lines.push(line);
            }
        }
    }
    shown
}

fn is_output(shown: &[&str], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        ["…", rest @ ..] => (0..=printed.len()).any(|left_out| is_output(rest, &printed[left_out..])),
        // No page keeps blanks at the end of a line.
        [line, rest @ ..] => {
            printed.first().is_some_and(|one| one.trim_end() == *line) && is_output(rest, &printed[1..])
        }
    }
}

#[test]
fn what_the_documentation_shows_is_what_is_printed() {
    let folder = readers_folder();
    let mut compared = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page is text");
        for (command, lines) in shown(&text) {
            let output = run(&folder, command);
            let printed = String::from_utf8_lossy(&output.stdout);
            let page = page.display();
            let is_right = is_output(&lines, &printed.lines().collect::<Vec<_>>());
            assert!(is_right, "{page} shows another output of\n{command}\nthan\n{printed}");
            compared.push(command.split(' ').nth(1).unwrap_or_default().to_owned());
        }
    }
    assert!(compared.iter().any(|verb| verb == "tree") && compared.iter().any(|verb| verb == "see"), "{compared:?}");
}

/// Commands that run until they are ended, and a part of the first line that they print.
const SERVERS: [(&str, &str); 3] = [
    ("saavedra serve", "Saavedra serves at http://"),
    ("saavedra worker", "nodes a second on each"),
    // Where it is not installed, this is said.
    ("saavedra hub start", "nats-server"),
];

/// What is wrong with a server that is started by this command, which runs until it is ended.
fn serve(folder: &Folder, command: &str, first: &str) -> Option<String> {
    let mut server =
        shell(folder, &format!("exec 2>&1; exec {command}")).stdout(Stdio::piped()).spawn().expect("a shell");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    server.kill().expect("it can be ended");
    server.wait().expect("it ends");
    (!line.contains(first)).then_some(line)
}

/// What is wrong with a command, run in its shortened form.
fn failure(folder: &Folder, command: &str, short: &str) -> Option<String> {
    if let Some((_, first)) = SERVERS.into_iter().find(|(server, _)| command.starts_with(server)) {
        return serve(folder, short, first);
    }
    let output = run(folder, short);
    let told = String::from_utf8_lossy(&output.stderr);
    let is_refused = |&(part, reason): &(&str, &str)| command.contains(part) && told.contains(reason);
    (!output.status.success() && !REFUSED.iter().any(is_refused)).then(|| told.into_owned())
}

/// Runs the commands of a page in their order, and tells what went wrong.
fn failures(page: &Path) -> Vec<String> {
    let commands = commands(&fs::read_to_string(page).expect("a page is text"));
    if commands.is_empty() {
        return Vec::new();
    }
    let folder = readers_folder();
    let mut failures = Vec::new();
    for command in &commands {
        let short = shortened(command);
        let started = std::time::Instant::now();
        if let Some(told) = failure(&folder, command, &short) {
            failures.push(format!("{}: {command}\n  run as {short}\n  {told}", page.display()));
        }
        eprintln!("{:6.2} {short}", started.elapsed().as_secs_f64());
    }
    failures
}

#[test]
fn every_documented_command_runs() {
    let failures: Vec<String> = pages().iter().flat_map(|page| failures(page)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
