//! The server of a hub: its configuration, its keys, and what each of them may do.

use std::fs;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use crate::key::inbox_of;
use crate::names::{FILE, RESULT, WORK_STREAM, WORKER_STATUS, WORKERS};
use crate::{HubError, Key};

/// The configuration's file in the folder of a hub.
pub const CONFIGURATION: &str = "nats.conf";

/// What a key is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Gives out work and writes down what comes of it.
    Coordinator,
    /// Plays.
    Worker,
    /// Looks on.
    Viewer,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 3] = [Role::Coordinator, Role::Worker, Role::Viewer];

    /// The name of the role, and of its key's file before the dot.
    pub fn name(self) -> &'static str {
        match self {
            Role::Coordinator => "coordinator",
            Role::Worker => "worker",
            Role::Viewer => "viewer",
        }
    }

    /// What it may publish and hear, as the server writes it.
    fn permissions(self, public_key: &str) -> String {
        let inbox = format!("{}.>", inbox_of(public_key));
        let list = |subjects: &[String]| {
            let quoted: Vec<String> = subjects.iter().map(|subject| format!("{subject:?}")).collect();
            quoted.join(", ")
        };
        let (publish, subscribe) = match self {
            // Its answers arrive at its own inbox; it answers workers at theirs.
            Role::Coordinator => (
                ["saavedra.>", "$JS.API.>", "$JS.ACK.>", "_INBOX.>"].map(str::to_owned).to_vec(),
                vec!["saavedra.>".to_owned(), inbox],
            ),
            Role::Worker => (
                vec![
                    format!("$JS.API.CONSUMER.INFO.{WORK_STREAM}.{WORKERS}"),
                    format!("$JS.API.CONSUMER.MSG.NEXT.{WORK_STREAM}.{WORKERS}"),
                    format!("$JS.ACK.{WORK_STREAM}.{WORKERS}.>"),
                    format!("{RESULT}.*"),
                    format!("{FILE}.*.*.*"),
                    format!("{WORKER_STATUS}.*"),
                ],
                vec![inbox],
            ),
            Role::Viewer => (Vec::new(), vec!["saavedra.status.>".to_owned()]),
        };
        let publish = match publish.is_empty() {
            true => r#"{ deny: ">" }"#.to_owned(),
            false => format!("{{ allow: [{}] }}", list(&publish)),
        };
        format!("{{ publish: {publish}, subscribe: {{ allow: [{}] }} }}", list(&subscribe))
    }
}

/// A server to be written.
pub struct Server {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The server's certificate and its key, if it speaks TLS.
    pub tls: Option<(PathBuf, PathBuf)>,
}

impl Server {
    /// Writes configuration and keys to a folder. One that holds a hub is left alone.
    pub fn write(&self, folder: &Path) -> Result<(), HubError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| HubError::Write { path, source }
        };
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let folder = fs::canonicalize(folder).map_err(failed(folder))?;
        let configuration = folder.join(CONFIGURATION);
        if configuration.exists() {
            return Err(HubError::Exists(configuration));
        }
        let mut users = String::new();
        for role in Role::ALL {
            let key = Key::new()?;
            write_key(&folder.join(format!("{}.key", role.name())), role, &key)?;
            let public = key.public();
            let permissions = role.permissions(&public);
            users += &format!("    # the {}\n    {{ nkey: {public}, permissions: {permissions} }}\n", role.name());
        }
        fs::write(&configuration, self.text(&folder, &users)).map_err(failed(&configuration))
    }

    fn text(&self, folder: &Path, users: &str) -> String {
        let tls = self.tls.as_ref().map_or_else(String::new, |(certificate, key)| {
            format!("tls {{ cert_file: {:?}, key_file: {:?} }}\n", certificate.display(), key.display())
        });
        let store = folder.join("store").display().to_string();
        format!(
            "# The server of a hub, written by `saavedra hub init`. Only those with a key may connect.\n\
             listen: \"{}\"\n\
             max_payload: 8MB\n\
             jetstream {{ store_dir: {store:?} }}\n\
             {tls}authorization {{\n  users = [\n{users}  ]\n}}\n",
            self.listen,
        )
    }
}

/// Writes a key so that only its owner reads it.
fn write_key(path: &Path, role: Role, key: &Key) -> Result<(), HubError> {
    let failed = |source| HubError::Write { path: path.to_owned(), source };
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(failed)?;
    let text = format!("# The key of a {} of a Saavedra hub. Keep it secret.\n{}\n", role.name(), key.seed()?);
    file.write_all(text.as_bytes()).map_err(failed)
}
