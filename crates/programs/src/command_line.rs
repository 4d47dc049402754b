//! How a program is started: its name, its arguments, and where and under which limits it runs.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

use thiserror::Error;

/// No line of the protocols we speak comes near this length.
const LONGEST_LINE: usize = 16 * 1024;

/// How a program is started.
///
/// Read from text, it is split at blanks; quotes of either kind hold blanks together.
///
/// ```
/// use saavedra_programs::CommandLine;
///
/// let command: CommandLine = r#""C:\Program Files\engine.exe" --hash 16 'two words'"#.parse()?;
/// assert_eq!(command.program(), r"C:\Program Files\engine.exe");
/// assert_eq!(command.arguments(), ["--hash", "16", "two words"]);
/// # Ok::<(), saavedra_programs::BadCommandLine>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandLine {
    program: OsString,
    arguments: Vec<OsString>,
    folder: Option<PathBuf>,
    variables: Vec<(OsString, OsString)>,
    #[cfg_attr(not(unix), allow(dead_code, reason = "only Unix limits memory"))]
    memory: Option<u64>,
    longest_line: usize,
}

impl CommandLine {
    /// A program without arguments.
    pub fn new(program: impl Into<OsString>) -> CommandLine {
        CommandLine {
            program: program.into(),
            arguments: Vec::new(),
            folder: None,
            variables: Vec::new(),
            memory: None,
            longest_line: LONGEST_LINE,
        }
    }

    /// Adds arguments.
    #[must_use]
    pub fn with_arguments<T: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = T>) -> CommandLine {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Starts the program in this folder.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> CommandLine {
        self.folder = Some(folder.into());
        self
    }

    /// Sets a variable of the program's environment.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> CommandLine {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Lets the program have no more than this many bytes of address space, so that asking for more fails in the
    /// program instead of bringing down the machine. Only Unix can do this.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> CommandLine {
        self.memory = Some(bytes);
        self
    }

    /// A longer line, in bytes, is reported as [`LineError::LineTooLong`](crate::LineError::LineTooLong) and
    /// passed over.
    #[must_use]
    pub fn longest_line(mut self, bytes: usize) -> CommandLine {
        self.longest_line = bytes;
        self
    }

    /// What is started.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// What it is given.
    pub fn arguments(&self) -> &[OsString] {
        &self.arguments
    }

    /// What to call the program: its file without the extension, or the script that an interpreter is given.
    ///
    /// ```
    /// use saavedra_programs::CommandLine;
    ///
    /// let command: CommandLine = "python3 -u bots/grabber.py fast".parse()?;
    /// assert_eq!(command.name(), "grabber");
    /// # Ok::<(), saavedra_programs::BadCommandLine>(())
    /// ```
    pub fn name(&self) -> String {
        const INTERPRETERS: [&str; 10] =
            ["bash", "deno", "java", "julia", "lua", "node", "perl", "python", "ruby", "sh"];
        let stem = |path: &OsStr| Path::new(path).file_stem().unwrap_or(path).to_string_lossy().into_owned();
        let program = stem(&self.program);
        // Versions do not matter: python3.11 is a python.
        let kind = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let mut scripts = self.arguments.iter().filter(|argument| !argument.to_string_lossy().starts_with('-'));
        let script = INTERPRETERS.contains(&kind).then(|| scripts.next()).flatten();
        script.map_or(program, |script| stem(script))
    }

    pub(crate) fn longest(&self) -> usize {
        self.longest_line
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // A group of its own lets us end what a wrapper script has started, too.
            command.process_group(0);
            let memory = self.memory;
            // SAFETY: between fork and exec the closure makes two system calls, which are safe to make there, and
            // allocates nothing.
            unsafe { command.pre_exec(move || heed_interrupts().and_then(|()| limit_memory(memory))) };
        }
        command
    }
}

/// What a script runs in the background ignores interrupts, and so would the programs that we start there.
#[cfg(unix)]
fn heed_interrupts() -> std::io::Result<()> {
    use nix::sys::signal::{SigHandler, Signal, signal};
    // SAFETY: no handler of ours is lost, since the program that follows has none yet.
    unsafe { signal(Signal::SIGINT, SigHandler::SigDfl) }.map(drop).map_err(Into::into)
}

#[cfg(unix)]
fn limit_memory(bytes: Option<u64>) -> std::io::Result<()> {
    use nix::sys::resource::{Resource, setrlimit};
    bytes.map_or(Ok(()), |bytes| setrlimit(Resource::RLIMIT_AS, bytes, bytes).map_err(Into::into))
}

/// Why a text is no command line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BadCommandLine {
    /// There is nothing to start.
    #[error("the command line is empty")]
    Empty,
    /// A quote has no partner.
    #[error("the command line {0:?} has a quote {1} that is not closed")]
    OpenQuote(String, char),
}

impl FromStr for CommandLine {
    type Err = BadCommandLine;

    fn from_str(text: &str) -> Result<CommandLine, BadCommandLine> {
        let mut words = split(text)?.into_iter();
        let program = words.next().filter(|program| !program.is_empty()).ok_or(BadCommandLine::Empty)?;
        Ok(CommandLine::new(program).with_arguments(words))
    }
}

/// Splits as shells do, with one difference: a backslash stands for itself unless a blank, a quote or another backslash
/// follows, so that the paths of Windows need no care.
fn split(text: &str) -> Result<Vec<String>, BadCommandLine> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('\\', None | Some('"')) => {
                let escaped = rest.next_if(|&next| match quote {
                    None => matches!(next, ' ' | '\t' | '"' | '\'' | '\\'),
                    Some(_) => matches!(next, '"' | '\\'),
                });
                word.get_or_insert_default().push(escaped.unwrap_or('\\'));
            }
            (_, Some(_)) => word.get_or_insert_default().push(letter),
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            _ if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if let Some(quote) = quote {
        return Err(BadCommandLine::OpenQuote(text.to_owned(), quote));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_words_together_and_backslashes_free_one_letter() {
        let cases: [(&str, &[&str]); 7] = [
            ("  engine  -a\t-b ", &["engine", "-a", "-b"]),
            (r#"'/my engines/e' "a 'b' c" d"#, &["/my engines/e", "a 'b' c", "d"]),
            (r"/my\ engines/e", &["/my engines/e"]),
            (r"C:\engines\e.exe -x", &[r"C:\engines\e.exe", "-x"]),
            (r#"e "say \"hi\"" '' "a"b"#, &["e", r#"say "hi""#, "", "ab"]),
            (r"e 'C:\x\' y", &["e", r"C:\x\", "y"]),
            ("", &[]),
        ];
        for (text, words) in cases {
            assert_eq!(split(text).expect("closed quotes"), words, "{text}");
        }
    }

    #[test]
    fn a_script_is_called_by_its_own_name() {
        let name = |text: &str| text.parse::<CommandLine>().expect("a command line").name();
        assert_eq!(name("/usr/games/stockfish --bench"), "stockfish");
        assert_eq!(name("python3 -u minds/grabber.py fast"), "grabber");
        assert_eq!(name("/bin/sh './my mind.sh'"), "my mind");
        assert_eq!(name("node"), "node");
    }

    #[test]
    fn a_command_line_without_a_program_says_so() {
        for text in ["", "  ", "''"] {
            assert_eq!(text.parse::<CommandLine>(), Err(BadCommandLine::Empty), "{text:?}");
        }
        let error = "e 'x".parse::<CommandLine>().expect_err("an open quote");
        assert_eq!(error.to_string(), r#"the command line "e 'x" has a quote ' that is not closed"#);
    }
}
