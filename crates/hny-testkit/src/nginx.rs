//! nginx before the program, with a configuration that is really in use somewhere.

use crate::DEADLINE;
use crate::process::Process;
use crate::talk::Silence;
use rustix::process::{Signal, geteuid};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A site: what stands in the http block of nginx, with the names of its machines replaced.
///
/// ```no_run
/// # let (node, conf) = ("127.0.0.1:1234", "");
/// use hny_testkit::{Client, NginxSite};
///
/// let nginx = NginxSite::new(conf).replace("node-1:8080", node).start("listen 80;");
/// let answer = Client::connect(nginx.address()).get("/");
/// ```
#[derive(Clone, Debug)]
pub struct NginxSite {
    text: String,
}

/// A started nginx. Dropping it stops it, and its workers; when the test has failed, what it said is shown then.
pub struct Nginx {
    process: Process,
    address: SocketAddr,
    _folder: TempDir,
}

/// How often a port that was free is taken by somebody else before nginx has it.
const MOST_TRIES: usize = 5;

impl NginxSite {
    /// A site as it stands in its file.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }

    /// Writes `by` wherever `what` stands; panics when that is nowhere.
    #[must_use]
    pub fn replace(self, what: &str, by: &str) -> Self {
        assert!(self.text.contains(what), "'{what}' is not in the site:\n{}", self.text);
        Self { text: self.text.replace(what, by) }
    }

    /// The site as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Has nginx look at it (`nginx -t`), with `files` beside it under these names. nginx starts nothing, but asks for the
    /// addresses of the names in it.
    pub fn check(&self, files: &[(&str, &[u8])]) -> Output {
        let folder = folder_with(&self.text);
        for (name, bytes) in files {
            write(&folder.path().join(name), bytes);
        }
        let checked = nginx(&folder).arg("-t").stdin(Stdio::null()).output();
        checked.unwrap_or_else(|error| panic!("{MISSING}: {error}"))
    }

    /// Starts nginx with it, on a free port of the loopback address that takes the place of `listen`, a line of the site.
    pub fn start(&self, listen: &str) -> Nginx {
        for _ in 0..MOST_TRIES {
            // It cannot be told to take any free port, so somebody else may take this one before it does.
            let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|free| free.local_addr());
            let address = free.unwrap_or_else(|error| panic!("no free port: {error}"));
            let site = self.clone().replace(listen, &format!("listen {address};"));
            if let Some(nginx) = site.try_start(address) {
                return nginx;
            }
        }
        panic!("each of {MOST_TRIES} ports was taken by somebody else before nginx had it");
    }

    /// `None` when the port is taken.
    fn try_start(&self, address: SocketAddr) -> Option<Nginx> {
        let folder = folder_with(&self.text);
        let mut process = Process::spawn(&mut nginx(&folder));
        let ready = |line: &str| {
            if line.contains("Address already in use") {
                Some(false)
            } else {
                line.contains("start worker process ").then_some(true)
            }
        };
        let is_ready = process.stderr.wait_for(ready, DEADLINE).unwrap_or_else(|silence| {
            let said = process.stderr.text();
            match silence {
                Silence::Closed => panic!("nginx has ended. It said:\n{said}"),
                Silence::Late => panic!("nginx is not ready after {DEADLINE:?}. It said:\n{said}"),
            }
        });
        if !is_ready {
            stop(&mut process);
            return None;
        }
        Some(Nginx { process, address, _folder: folder })
    }
}

impl Nginx {
    /// Where it answers.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it said until now.
    pub fn said(&self) -> String {
        self.process.stderr.text()
    }
}

impl Drop for Nginx {
    #[expect(clippy::print_stderr, reason = "the harness shows it with the failed test")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("nginx on {} said:\n{}", self.address, self.said());
        }
        stop(&mut self.process);
    }
}

/// Ends nginx with its workers, which would outlive a killed parent.
fn stop(process: &mut Process) {
    process.signal(Signal::TERM);
    // Whatever is left then is killed when the value is dropped.
    let _ = process.wait(DEADLINE);
}

const MISSING: &str = "nginx is missing: run `cargo xtask test` as root, or `apt-get install nginx`";

/// What is around the site. Nothing is kept: without these lines nginx would look for folders of the system.
const MAIN: &str = "\
daemon off;
worker_processes 2;
pid nginx.pid;
error_log stderr notice;
events { worker_connections 4096; }
http {
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    include site.conf;
}
";

/// A folder with the site and what is around it.
fn folder_with(site: &str) -> TempDir {
    let folder = TempDir::with_prefix("hny-nginx-").unwrap_or_else(|error| panic!("no temporary folder: {error}"));
    // Workers of root would be nobody, who may not write here.
    let user = if geteuid().is_root() { "user root root;" } else { "" };
    write(&folder.path().join("nginx.conf"), format!("{user}\n{MAIN}").as_bytes());
    write(&folder.path().join("site.conf"), site.as_bytes());
    folder
}

fn nginx(folder: &TempDir) -> Command {
    let mut nginx = Command::new("nginx");
    nginx.arg("-p").arg(folder.path()).args(["-c", "nginx.conf", "-e", "stderr"]);
    nginx
}

fn write(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Client;

    const SITE: &str = "server { listen 80; location / { return 200 \"NAME\"; } }";

    #[test]
    fn a_site_answers_with_what_was_replaced() {
        let nginx = NginxSite::new(SITE).replace("NAME", "here").start("listen 80;");
        let answer = Client::connect(nginx.address()).get("/");
        assert_eq!((answer.status, answer.text()), (200, "here"));
    }

    #[test]
    fn a_site_that_is_none_is_found_out() {
        assert!(NginxSite::new(SITE).check(&[]).status.success());
        let checked = NginxSite::new(SITE).replace("return", "retrun").check(&[]);
        let said = String::from_utf8_lossy(&checked.stderr);
        assert!(!checked.status.success() && said.contains("retrun"), "{said}");
    }

    #[test]
    #[should_panic(expected = "is not in the site")]
    fn what_is_not_there_cannot_be_replaced() {
        let _ = NginxSite::new(SITE).replace("listen 8080;", "");
    }

    #[test]
    fn it_ends_with_its_workers() {
        let nginx = NginxSite::new(SITE).start("listen 80;");
        let address = nginx.address();
        drop(nginx);
        assert!(Client::try_connect(address).is_err());
    }
}
