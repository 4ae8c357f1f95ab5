//! A real PostgreSQL server, for as long as a value lives.

mod held_table;
mod installed;
mod processes;

pub use held_table::HeldTable;

use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::Signal;

use crate::ports::free_port;
use crate::process::finish;

/// A PostgreSQL server on a free port of the loopback address, in a temporary folder, with the user `postgres` and no password.
///
/// It does not wait for the disk (`fsync` is off), as no test pulls the plug. It ends, and its folder is removed, when the value is
/// dropped or when the process of the test ends in any way: a keeper waits for that.
#[derive(Debug)]
pub struct Postgres {
    folder: PathBuf,
    port: u16,
    keeper: Child,
}

/// What every server is started with. More may be said with [`Postgres::with`].
const SETTINGS: &str = "
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
shared_buffers = '32MB'
fsync = off
full_page_writes = off
autovacuum_naptime = 5
jit = off
";

/// Waits for the end of its input, and leaves nothing behind, also of a server that is frozen.
const KEEPER: &str = r#"
cat >/dev/null
kill -CONT "$(head -n 1 "$2/data/postmaster.pid" 2>/dev/null)" 2>/dev/null
"$1" -D "$2/data" -m immediate -s stop >/dev/null 2>&1
rm -rf "$2"
"#;

/// Runs a command without the files that somebody above has left open: a server would keep a lock of theirs, or a pipe, for as long
/// as it runs.
const BARE: &str = r#"for file in 3 4 5 6 7 8 9; do eval "exec $file>&-"; done; exec "$@""#;

impl Postgres {
    /// A new server.
    pub fn start() -> Self {
        Self::with("")
    }

    /// A new server with more lines in its `postgresql.conf`.
    pub fn with(settings: &str) -> Self {
        let folder = new_folder();
        let data = folder.join("data");
        finish(
            installed::command("initdb")
                .args(["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "-D"])
                .arg(&data),
        );
        Self::launch(folder, &format!("{SETTINGS}{settings}\n"))
    }

    /// A new server that takes connections under TLS, too, with a certificate for `127.0.0.1` that nobody but itself has signed.
    pub fn with_tls() -> Self {
        let server = Self::start();
        let request = [
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=postgres",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        ];
        let mut openssl = installed::as_server_user("openssl");
        openssl.args(request).arg("-keyout").arg(server.folder.join("data/server.key"));
        finish(openssl.arg("-out").arg(server.certificate()));
        server.run("postgres", "ALTER SYSTEM SET ssl = on");
        server.run("postgres", "SELECT pg_reload_conf()");
        server
    }

    /// The certificate of a server [`with_tls`](Self::with_tls), which only its own user may read, and root.
    pub fn certificate(&self) -> PathBuf {
        self.folder.join("data/server.crt")
    }

    /// A streaming replica of this server, with more lines in its `postgresql.conf`, such as `recovery_min_apply_delay = '5s'`.
    /// What the server has now, the replica has too.
    #[must_use]
    pub fn replica(&self, settings: &str) -> Self {
        let folder = new_folder();
        let url = self.url("postgres");
        finish(
            installed::command("pg_basebackup")
                .args(["--write-recovery-conf", "--checkpoint=fast", "--no-sync", "--dbname", &url, "-D"])
                .arg(folder.join("data")),
        );
        Self::launch(folder, &format!("{settings}\n"))
    }

    fn launch(folder: PathBuf, settings: &str) -> Self {
        let port = free_port();
        let data = folder.join("data");
        append(&data.join("postgresql.conf"), &format!("{settings}port = {port}\n"));
        let keeper = installed::as_server_user("sh")
            .args(["-c", KEEPER, "sh"])
            .args([&installed::path("pg_ctl"), &folder])
            .stdin(Stdio::piped())
            // Or it would end with the test when somebody stops that at the terminal, or a time limit does.
            .process_group(0)
            .spawn()
            .unwrap_or_else(|error| panic!("no keeper: {error}"));
        let server = Self { folder, port, keeper };
        server.start_again();
        server
    }

    /// Where it answers.
    pub fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// The URL of one of its databases.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://postgres@{}/{database}", self.address())
    }

    /// The name of a new, empty database.
    pub fn new_database(&self) -> String {
        self.create("")
    }

    /// The name of a new database that has all that this one has. Nobody may have the other one open meanwhile.
    pub fn copy(&self, database: &str) -> String {
        self.create(&format!("TEMPLATE {database}"))
    }

    fn create(&self, with: &str) -> String {
        static LAST: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}_{}", std::process::id(), LAST.fetch_add(1, Ordering::Relaxed));
        self.run("postgres", &format!("CREATE DATABASE {name} {with}"));
        name
    }

    /// `pgbench`, as it came with this server; what to do where is for the caller to say.
    pub fn pgbench() -> Command {
        Command::new(installed::path("pgbench"))
    }

    /// The numbers of all processes of the server, the first of which is the parent of the others.
    pub fn pids(&self) -> Vec<u32> {
        let parent = self.pid();
        let all = std::iter::once(parent).chain(processes::children(parent));
        all.map(i32::cast_unsigned).collect()
    }

    /// What a database answers to SQL: a line for each row, with `|` between the columns.
    pub fn run(&self, database: &str, sql: &str) -> String {
        self.try_run(database, sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// What a database answers to SQL, or what is wrong with that.
    pub fn try_run(&self, database: &str, sql: &str) -> Result<String, String> {
        run_at(&self.url(database), sql)
    }

    /// Has whoever wants to read or write a table wait, until the answer is dropped.
    #[must_use]
    pub fn hold_table(&self, database: &str, table: &str) -> HeldTable<'_> {
        HeldTable::new(self, database, table)
    }

    /// Ends the connections of all clients, as an operator might.
    pub fn terminate_backends(&self) {
        let others = "FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
        self.run("postgres", &format!("SELECT count(pg_terminate_backend(pid)) {others}"));
    }

    /// Stops the server as a crash would: nothing is finished.
    pub fn crash(&self) {
        finish(&mut self.control(&["-m", "immediate", "stop"]));
    }

    /// Stops the server in order.
    pub fn stop(&self) {
        finish(&mut self.control(&["-m", "fast", "stop"]));
    }

    /// Starts a server that was stopped, and waits until it answers.
    pub fn start_again(&self) {
        let log = self.folder.join("log");
        let mut start = installed::as_server_user("sh");
        start.args(["-c", BARE, "sh"]).arg(installed::path("pg_ctl")).args(["-s", "-w", "-t", "60", "start", "-D"]);
        let started = start.arg(self.folder.join("data")).arg("-l").arg(&log).output();
        let started = started.unwrap_or_else(|error| panic!("cannot start PostgreSQL: {error}"));
        assert!(started.status.success(), "PostgreSQL does not start:\n{}", read(&log));
    }

    /// Makes a replica a primary, and waits until it is.
    pub fn promote(&self) {
        finish(&mut self.control(&["-w", "promote"]));
    }

    /// Freezes the server with all its processes until [`resume`](Self::resume).
    pub fn pause(&self) {
        processes::signal_all(self.pid(), Signal::STOP);
    }

    /// Lets it go on after [`pause`](Self::pause).
    pub fn resume(&self) {
        processes::signal_all(self.pid(), Signal::CONT);
    }

    fn pid(&self) -> i32 {
        let first = read(&self.folder.join("data/postmaster.pid")).lines().next().map(str::parse);
        first.and_then(Result::ok).unwrap_or_else(|| panic!("PostgreSQL does not run"))
    }

    fn control(&self, arguments: &[&str]) -> Command {
        let mut command = installed::command("pg_ctl");
        command.arg("-s").arg("-D").arg(self.folder.join("data")).args(arguments);
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if self.folder.join("data/postmaster.pid").exists() {
            processes::signal_all(self.pid(), Signal::CONT);
        }
        // The end of its input.
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// What the database at `url` answers to SQL, or what is wrong with that.
fn run_at(url: &str, sql: &str) -> Result<String, String> {
    let mut psql = installed::command("psql");
    psql.args(["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, url]);
    let output = psql.output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// A folder that belongs to whom the server runs as.
fn new_folder() -> PathBuf {
    let made = finish(installed::as_server_user("mktemp").args(["-d", "-t", "hny-postgres-XXXXXXXX"]));
    PathBuf::from(made.trim_end())
}

fn append(path: &Path, lines: &str) {
    let mut command = installed::as_server_user("sh");
    finish(command.args(["-c", r#"printf '%s' "$2" >>"$1""#, "sh"]).arg(path).arg(lines));
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}
