//! Programs that behave, and programs that do not.
#![cfg(unix)]

use std::process::Command;
use std::time::{Duration, Instant};

use saavedra_programs::{CommandLine, LINES_AHEAD, LineError, Program, Voice};

fn script(text: &str) -> CommandLine {
    CommandLine::new("sh").with_arguments(["-c", text])
}

fn start(text: &str) -> Program {
    Program::start(&script(text)).expect("a shell")
}

/// Long enough for a busy machine: only what hangs takes so long.
fn soon() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

fn at_once() -> Instant {
    Instant::now() + Duration::from_millis(50)
}

fn is_alive(id: u32) -> bool {
    Command::new("kill").args(["-0", &id.to_string()]).output().is_ok_and(|output| output.status.success())
}

fn wait_until(happened: impl Fn() -> bool) {
    let deadline = soon();
    while !happened() {
        assert!(Instant::now() < deadline, "it did not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn lines_go_in_and_come_out_with_the_time_at_which_they_came() {
    let mut program = start("while read line; do echo \"<$line>\"; done");
    program.keep_transcript(3);
    let sent = Instant::now();
    program.send("uci").expect("it reads");
    std::thread::sleep(Duration::from_millis(300));
    let line = program.receive(soon()).expect("an echo");
    assert_eq!(line.text, "<uci>");
    assert!(line.at > sent && line.at.elapsed() > Duration::from_millis(1), "it came while we slept");
    program.send_bytes(b"no end").expect("it reads");
    assert_eq!(program.receive(at_once()), Err(LineError::TimeOut));
    program.send("ing").expect("it reads");
    assert_eq!(program.receive(soon()).expect("an echo").text, "<no ending>");
    let said: Vec<_> = program.transcript().entries().map(|entry| (entry.voice, entry.text.as_str())).collect();
    assert_eq!(said, [(Voice::Us, "no end"), (Voice::Us, "ing"), (Voice::Program, "<no ending>")]);
    assert!(program.end(Duration::from_secs(60)).is_some_and(|status| status.success()));
}

#[test]
fn an_end_is_told_with_its_status_and_the_last_complaints() {
    let mut program = start("echo last; echo ouch >&2; exit 3");
    assert_eq!(program.receive(soon()).expect("one line").text, "last");
    let trouble = program.receive(soon()).expect_err("it is gone");
    assert_eq!(trouble.to_string(), "it ended: exit status: 3");
    assert_eq!(program.complaints(), ["ouch"]);
    assert_eq!(program.send("more"), Err(trouble));

    let mut program = start("kill -SEGV $$");
    let Err(LineError::Ended(status)) = program.receive(soon()) else { panic!("it was killed") };
    assert!(status.to_string().contains("signal: 11"), "{status}");
}

#[test]
fn what_was_said_before_the_end_is_heard_before_the_end() {
    for _ in 0..300 {
        let mut program = start("echo last; exit 3");
        let heard = loop {
            match program.receive(Instant::now()) {
                Err(LineError::TimeOut) => std::thread::yield_now(),
                heard => break heard,
            }
        };
        assert_eq!(heard.expect("its last word").text, "last");
    }
}

#[test]
fn closed_pipes_are_told_apart_from_the_end() {
    let mut program = start("exec >&-; sleep 60");
    assert_eq!(program.receive(soon()), Err(LineError::OutputClosed));
    let mut program = start("exec <&-; echo; sleep 60");
    program.receive(soon()).expect("now its input is closed");
    assert_eq!(program.send("hello"), Err(LineError::InputClosed));
}

#[test]
fn a_program_that_does_not_read_does_not_make_us_wait_for_ever() {
    let mut program = start("sleep 60");
    assert_eq!(program.send(&"x".repeat(1 << 20)), Err(LineError::NotReading));
}

#[test]
fn long_input_arrives_in_full() {
    let mut program = start("read line; echo ${#line}");
    program.send(&"x".repeat(300_000)).expect("it reads");
    assert_eq!(program.receive(soon()).expect("a number").text, "300000");
}

#[test]
fn a_flood_waits_for_us_and_a_line_without_end_is_told_once() {
    let mut program = start("while :; do echo flood; done");
    for _ in 0..3 * LINES_AHEAD {
        assert_eq!(program.receive(soon()).expect("a line").text, "flood");
    }
    let command = script("cat /dev/zero").longest_line(1000);
    let mut program = Program::start(&command).expect("a shell");
    assert_eq!(program.receive(soon()), Err(LineError::LineTooLong { limit: 1000 }), "before the line ends");
    assert_eq!(program.receive(at_once()), Err(LineError::TimeOut));
    let command = script("head -c 2000 /dev/zero; echo; echo short").longest_line(1000);
    let mut program = Program::start(&command).expect("a shell");
    assert_eq!(program.receive(soon()), Err(LineError::LineTooLong { limit: 1000 }));
    assert_eq!(program.receive(soon()).expect("the next line").text, "short");
}

#[test]
fn nothing_stays_behind() {
    let mut program = start("sleep 300 & echo $!; wait");
    let child: u32 = program.receive(soon()).expect("a number").text.parse().expect("a number");
    let id = program.id();
    assert!(is_alive(child) && is_alive(id));
    drop(program);
    wait_until(|| !is_alive(child) && !is_alive(id));

    let mut program = start("sleep 300 & echo $!");
    let child: u32 = program.receive(soon()).expect("a number").text.parse().expect("a number");
    assert!(program.wait(soon()).is_some(), "its end is seen although its child holds the pipes");
    wait_until(|| !is_alive(child));
}

#[test]
fn a_program_that_ignores_the_end_of_its_input_is_ended() {
    let program = start("trap '' INT TERM; while :; do sleep 1; done");
    let id = program.id();
    assert_eq!(program.end(Duration::from_millis(50)), None);
    wait_until(|| !is_alive(id));
}

#[test]
fn an_interrupt_and_a_broken_pipe_reach_the_program() {
    // A shell that is interrupted before its child is there waits for that child first, so it does not have one.
    let mut program = start("echo ready; exec sleep 300");
    program.receive(soon()).expect("a line");
    assert!(program.interrupt());
    assert!(program.wait(soon()).is_some_and(|status| status.to_string().contains("signal: 2")));
    let mut program = start("while :; do echo flood; done 2>/dev/null");
    program.receive(soon()).expect("a line");
    program.close_output();
    assert!(program.wait(soon()).is_some());
}

#[test]
fn an_interrupt_reaches_a_program_that_was_started_in_the_background() {
    // There a shell lets everything ignore interrupts.
    let again = "trap '' INT; exec \"$0\" --exact an_interrupt_and_a_broken_pipe_reach_the_program";
    let tests = std::env::current_exe().expect("these tests");
    let output = std::process::Command::new("sh").args(["-c", again]).arg(tests).output().expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn folder_variables_and_memory_are_as_asked_for() {
    let command = script("pwd; echo $TASTE; ulimit -v");
    let command = command.in_folder("/").with_variable("TASTE", "sweet").with_memory(1 << 30);
    let mut program = Program::start(&command).expect("a shell");
    let lines: Vec<String> = (0..3).map(|_| program.receive(soon()).expect("a line").text).collect();
    assert_eq!(lines, ["/", "sweet", "1048576"]);
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let error = Program::start(&CommandLine::new("no-such-program-anywhere")).err().expect("it is not there");
    assert!(error.to_string().starts_with("cannot start no-such-program-anywhere: "), "{error}");
}

/// Whether a process runs. One that ended and waits for its parent does not.
#[cfg(target_os = "linux")]
fn runs(process: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/stat"))
        .is_ok_and(|stat| !stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')))
}

#[test]
#[cfg(target_os = "linux")]
fn a_daemon_that_left_its_group_ends_with_the_program() {
    let mut program = start("setsid sh -c 'echo $$; exec sleep 1000' & wait; sleep 1000");
    let daemon = program.receive(soon()).expect("a line").text;
    assert!(runs(&daemon));
    drop(program);
    wait_until(|| !runs(&daemon));
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_ignores_the_end_of_its_input_ends_when_we_are_killed() {
    if std::env::var_os("KILL_ME").is_some() {
        let mut program = start("echo $$; trap '' HUP INT TERM; while :; do sleep 1; done");
        println!("started {}", program.receive(soon()).expect("a line").text);
        program.wait(soon());
        return;
    }
    let test = "a_program_that_ignores_the_end_of_its_input_ends_when_we_are_killed";
    let mut tests = Command::new(std::env::current_exe().expect("these tests"));
    tests.args(["--exact", test, "--nocapture"]).env("KILL_ME", "yes").stdout(std::process::Stdio::piped());
    let mut us = tests.spawn().expect("these tests");
    let process = told(&mut us, "started ");
    assert!(runs(&process));
    us.kill().expect("it can be killed");
    us.wait().expect("it is gone");
    wait_until(|| !runs(&process));
}

/// What a process says behind a word.
#[cfg(target_os = "linux")]
fn told(process: &mut std::process::Child, word: &str) -> String {
    let output = std::io::BufReader::new(process.stdout.take().expect("a pipe"));
    let mut lines = std::io::BufRead::lines(output).map_while(Result::ok);
    lines.find_map(|line| line.split_once(word).map(|(_, rest)| rest.to_owned())).expect("it says so")
}

#[test]
#[cfg(target_os = "linux")]
fn helpers_and_daemons_of_a_program_end_when_we_are_killed() {
    if std::env::var_os("KILL_ME").is_some() {
        let daemon = "setsid sh -c 'echo $$; exec sleep 1000'";
        let mut program = start(&format!("sleep 1000 & echo $!; {daemon} & cat >/dev/null; wait"));
        let helpers = [(); 2].map(|()| program.receive(soon()).expect("a line").text);
        println!("started {}", helpers.join(" "));
        program.wait(soon());
        return;
    }
    let test = "helpers_and_daemons_of_a_program_end_when_we_are_killed";
    let mut tests = Command::new(std::env::current_exe().expect("these tests"));
    tests.args(["--exact", test, "--nocapture"]).env("KILL_ME", "yes").stdout(std::process::Stdio::piped());
    let mut us = tests.spawn().expect("these tests");
    let helpers = told(&mut us, "started ");
    assert!(helpers.split(' ').all(runs), "{helpers}");
    us.kill().expect("it can be killed");
    us.wait().expect("it is gone");
    wait_until(|| !helpers.split(' ').any(runs));
}
