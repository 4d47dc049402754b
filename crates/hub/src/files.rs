//! Files that travel: networks. The coordinator's process hands them out by their SHA-256, and only those its event
//! needs; a worker names an event and a checksum, which it knows only if it was given a unit of the event.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena::Participant;
use minds::{EvaluationSpec, MindSpec, ProgramSpec};
use records::write_atomically;

use crate::HubError;
use crate::names::{is_name, sha256};

/// The largest file that travels, in MiB.
const LARGEST: u64 = 512;

/// How much of a file one answer holds.
pub(crate) const CHUNK: usize = 512 << 10;

/// How many files a worker keeps.
const MOST_KEPT: usize = 32;

/// What stands in place of a path while a unit travels, before the checksum.
const MARK: &str = "sha256-";

/// The option of a UCI engine that names a network's file, which is the only option that may name one.
const NET_OPTION: &str = "EvalFile";

/// The files that an event needs on other machines.
#[derive(Clone, Default)]
pub struct Luggage {
    /// By the path that people wrote.
    checksums: BTreeMap<String, String>,
    contents: BTreeMap<String, Arc<Vec<u8>>>,
    /// The checksum of the network of self-play.
    net: Option<String>,
}

impl Luggage {
    /// What players of an event need. Players that cannot play elsewhere are refused.
    pub fn of_players(players: &[Participant]) -> Result<Luggage, HubError> {
        let mut luggage = Luggage::default();
        for Participant { mind, .. } in players {
            match mind {
                MindSpec::Function(_) => return Err(HubError::Stays(mind.to_string())),
                MindSpec::Program(program) => {
                    if !is_name(&program.command) {
                        return Err(HubError::NotAName(mind.to_string()));
                    }
                    let nets = program.options.iter().filter(|(name, _)| is_net_option(name));
                    nets.map(|(_, path)| path).filter(|path| Path::new(path).is_file()).try_for_each(|path| {
                        luggage.add(path)?;
                        Ok::<_, HubError>(())
                    })?;
                }
                MindSpec::Search(search) => {
                    if let Some(EvaluationSpec::File(path)) = &search.net {
                        luggage.add(path)?;
                    }
                }
                _ => {}
            }
        }
        Ok(luggage)
    }

    /// What self-play with this evaluation needs.
    pub fn of_net(net: Option<&EvaluationSpec>) -> Result<Luggage, HubError> {
        let mut luggage = Luggage::default();
        if let Some(EvaluationSpec::File(path)) = net {
            luggage.net = Some(luggage.add(path)?);
        }
        Ok(luggage)
    }

    fn add(&mut self, path: &str) -> Result<String, HubError> {
        if let Some(known) = self.checksums.get(path) {
            return Ok(known.clone());
        }
        let failed = |source| HubError::File { path: PathBuf::from(path), source };
        let mut bytes = Vec::new();
        File::open(path).and_then(|file| file.take((LARGEST << 20) + 1).read_to_end(&mut bytes)).map_err(failed)?;
        if bytes.len() as u64 > LARGEST << 20 {
            return Err(HubError::Large { path: PathBuf::from(path), most: LARGEST });
        }
        let checksum = sha256(&bytes);
        self.checksums.insert(path.to_owned(), checksum.clone());
        self.contents.insert(checksum.clone(), Arc::new(bytes));
        Ok(checksum)
    }

    pub(crate) fn net(&self) -> Option<&str> {
        self.net.as_deref()
    }

    /// A mind as workers read it.
    pub(crate) fn pack(&self, mind: &MindSpec) -> MindSpec {
        let mut mind = mind.clone();
        let packed = |path: &str| self.checksums.get(path).map(|checksum| format!("{MARK}{checksum}"));
        match &mut mind {
            MindSpec::Search(search) => {
                if let Some(EvaluationSpec::File(path)) = &mut search.net {
                    *path = packed(path).unwrap_or_default();
                }
            }
            MindSpec::Program(program) => {
                for (_, path) in program.options.iter_mut().filter(|(name, _)| is_net_option(name)) {
                    *path = packed(path).unwrap_or_else(|| path.clone());
                }
            }
            _ => {}
        }
        mind
    }

    /// A part of a file behind the length of the whole; nothing if there is no such file or part.
    pub(crate) fn chunk(&self, checksum: &str, number: usize) -> Option<Vec<u8>> {
        let bytes = self.contents.get(checksum)?;
        let chunk = bytes.chunks(CHUNK).nth(number)?;
        Some([&(bytes.len() as u64).to_le_bytes(), chunk].concat())
    }
}

fn is_net_option(name: &str) -> bool {
    name.eq_ignore_ascii_case(NET_OPTION)
}

/// The checksum in a text of the form that [`Luggage::pack`] writes.
pub(crate) fn checksum(text: &str) -> Option<&str> {
    text.strip_prefix(MARK).filter(|digits| digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Why a unit's mind cannot play here; otherwise the mind, and the checksums of the files it needs with the places to
/// which their paths belong are resolved by the caller's function.
pub(crate) fn unpack(
    mind: &MindSpec,
    engines: &BTreeMap<String, String>,
    fetch: &mut dyn FnMut(&str) -> Result<PathBuf, String>,
) -> Result<MindSpec, String> {
    let mut mind = mind.clone();
    match &mut mind {
        MindSpec::Function(name) => return Err(format!("the function {name} is in another process")),
        MindSpec::Search(search) => {
            if let Some(EvaluationSpec::File(text)) = &mut search.net {
                let checksum = checksum(text).ok_or("it names a network by a path")?;
                *text = fetch(checksum)?.display().to_string();
            }
        }
        MindSpec::Program(program) => unpack_program(program, engines, fetch)?,
        _ => {}
    }
    Ok(mind)
}

/// What a hub says starts no program and names no file: the command is ours by its name, and an option that could name
/// a file is refused.
fn unpack_program(
    program: &mut ProgramSpec,
    engines: &BTreeMap<String, String>,
    fetch: &mut dyn FnMut(&str) -> Result<PathBuf, String>,
) -> Result<(), String> {
    let command =
        engines.get(&program.command).ok_or_else(|| format!("there is no engine {} here", program.command))?;
    program.command.clone_from(command);
    for (name, value) in &mut program.options {
        if is_net_option(name)
            && let Some(checksum) = checksum(value)
        {
            *value = fetch(checksum)?.display().to_string();
            continue;
        }
        let lower = name.to_lowercase();
        if ["file", "path", "log"].iter().any(|part| lower.contains(part)) || value.contains(['/', '\\']) {
            return Err(format!("the option {name:?} could name a file of this machine"));
        }
    }
    Ok(())
}

/// The files that a worker keeps, by their checksums.
pub(crate) struct FileCache {
    folder: PathBuf,
}

impl FileCache {
    pub(crate) fn open(folder: &Path) -> Result<FileCache, HubError> {
        fs::create_dir_all(folder).map_err(|source| HubError::Write { path: folder.to_owned(), source })?;
        Ok(FileCache { folder: folder.to_owned() })
    }

    fn path(&self, checksum: &str) -> PathBuf {
        self.folder.join(format!("{MARK}{checksum}"))
    }

    /// The path of a file that is here, whole and unchanged.
    pub(crate) fn find(&self, checksum: &str) -> Option<PathBuf> {
        let path = self.path(checksum);
        let bytes = fs::read(&path).ok()?;
        (sha256(&bytes) == checksum).then_some(path)
    }

    /// Keeps a file, if it is what its checksum says. The oldest one makes room.
    pub(crate) fn keep(&self, checksum: &str, bytes: &[u8]) -> Result<PathBuf, String> {
        if sha256(bytes) != checksum {
            return Err("a file arrived with another checksum".to_owned());
        }
        let kept = fs::read_dir(&self.folder).map_err(|error| error.to_string())?;
        let mut kept: Vec<_> = (kept.flatten())
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(MARK))
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        kept.sort();
        for (_, oldest) in kept.iter().take((kept.len() + 1).saturating_sub(MOST_KEPT)) {
            let _ = fs::remove_file(oldest);
        }
        let path = self.path(checksum);
        write_atomically(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }
}

/// How many bytes a file has and how many chunks, as the first answer says; nothing if it is too large or nonsense.
pub(crate) fn measure(answer: &[u8]) -> Option<(usize, usize)> {
    let (length, _) = answer.split_first_chunk::<8>()?;
    let length = u64::from_le_bytes(*length);
    (length > 0 && length <= LARGEST << 20).then(|| (length as usize, (length as usize).div_ceil(CHUNK)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(text: &str) -> Result<String, String> {
        let engines = BTreeMap::from([("ours".to_owned(), "/opt/ours --quiet".to_owned())]);
        let mut fetch = |checksum: &str| Ok(PathBuf::from(format!("/cache/{}", &checksum[..4])));
        unpack(&text.parse().expect("a mind"), &engines, &mut fetch).map(|mind| mind.to_string())
    }

    #[test]
    fn what_a_hub_says_starts_no_program_and_names_no_file() {
        let checksum = "0123456789abcdef".repeat(4);
        let ok = |text: &str| unpacked(text).expect("it can play");
        assert_eq!(ok("uci,Hash=16:ours"), "uci,Hash=16:/opt/ours --quiet");
        assert_eq!(ok(&format!("search:net=sha256-{checksum}")), "search:net=/cache/0123");
        assert_eq!(ok(&format!("uci,EvalFile=sha256-{checksum}:ours")), "uci,EvalFile=/cache/0123:/opt/ours --quiet");
        for (text, reason) in [
            ("uci:/bin/sh", "there is no engine /bin/sh here"),
            ("uci:ours --loud", "there is no engine ours --loud here"),
            ("line:sh", "there is no engine sh here"),
            ("uci,Debug Log File=x:ours", "the option \"Debug Log File\" could name a file"),
            ("uci,SyzygyPath=x:ours", "the option \"SyzygyPath\" could name a file"),
            ("uci,Book=../x:ours", "the option \"Book\" could name a file"),
            ("uci,EvalFile=x:ours", "the option \"EvalFile\" could name a file"),
            ("search:net=/etc/passwd", "it names a network by a path"),
            ("search:net=sha256-../../../etc/passwd", "it names a network by a path"),
            ("function:mine", "the function mine is in another process"),
        ] {
            let refusal = unpacked(text).expect_err("it must not play");
            assert!(refusal.contains(reason), "{text}: {refusal}");
        }
    }

    #[test]
    fn files_arrive_whole_and_the_oldest_make_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("net");
        let bytes: Vec<u8> = (0..CHUNK + 7).map(|number| number as u8).collect();
        fs::write(&path, &bytes).expect("a file");
        let spec = EvaluationSpec::File(path.display().to_string());
        let luggage = Luggage::of_net(Some(&spec)).expect("a file");
        let checksum = luggage.net().expect("a network").to_owned();
        let chunks: Vec<Vec<u8>> = (0..).map_while(|number| luggage.chunk(&checksum, number)).collect();
        assert_eq!(measure(&chunks[0]), Some((bytes.len(), 2)));
        assert!(chunks.iter().flat_map(|chunk| &chunk[8..]).eq(&bytes));
        assert_eq!((luggage.chunk("x", 0), measure(b"short"), measure(&[255; 9])), (None, None, None));

        let cache = FileCache::open(&folder.path().join("cache")).expect("a folder");
        assert!(cache.keep(&checksum, b"something else").is_err());
        assert_eq!(cache.find(&checksum), None);
        let kept = cache.keep(&checksum, &bytes).expect("it is kept");
        assert_eq!(cache.find(&checksum).as_ref(), Some(&kept));
        fs::write(&kept, "changed").expect("a file");
        assert_eq!(cache.find(&checksum), None, "what was changed does not count");
        for number in 0..2 * MOST_KEPT {
            let bytes = number.to_string();
            cache.keep(&sha256(bytes.as_bytes()), bytes.as_bytes()).expect("it is kept");
        }
        assert_eq!(fs::read_dir(folder.path().join("cache")).expect("a folder").count(), MOST_KEPT);
    }
}
