//! A real Apache Kafka.

mod installed;

use std::fs;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use rustix::process::Signal;
use tempfile::TempDir;

use crate::DEADLINE;
use crate::ports::free_port;
use crate::process::Process;
use crate::talk::Silence;
use installed::Installed;
pub(crate) use installed::target;

/// How many ports are tried: between finding a free one and using it somebody else may take it.
const TRIES: u32 = 10;

/// What every server is started with. One that was killed is let in again when its session is over, so that is short. No topic
/// comes into being because somebody asks for it.
const PROPERTIES: &str = "
process.roles=broker,controller
node.id=1
controller.listener.names=CONTROLLER
auto.create.topics.enable=false
num.partitions=3
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
group.initial.rebalance.delay.ms=0
broker.heartbeat.interval.ms=200
broker.session.timeout.ms=2000
log.cleaner.dedupe.buffer.size=4194304
";

/// Waits for the end of its input, and leaves nothing behind.
const KEEPER: &str = r#"
cat >/dev/null
kill -KILL "$(cat "$1/pid" 2>/dev/null)" 2>/dev/null
rm -rf "$1"
"#;

/// A Kafka server, broker and controller in one, on free ports of the loopback address, with its files in a temporary folder.
///
/// It ends, and its folder is removed, when the value is dropped or when the process of the test ends in any way: a keeper waits for
/// that.
pub struct Kafka {
    installed: Installed,
    folder: PathBuf,
    port: u16,
    process: Process,
    keeper: Child,
}

/// A record, as a consumer gets it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Record {
    /// The partition that it was in.
    pub partition: u32,
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: String,
}

impl Kafka {
    /// Starts one with nothing in it.
    pub fn start() -> Self {
        Self::start_with("")
    }

    /// Starts one with more lines in its `server.properties`, such as `transaction.max.timeout.ms=10000`.
    pub fn start_with(properties: &str) -> Self {
        let installed = Installed::find();
        let folder = TempDir::with_prefix("hny-kafka-").unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let folder = folder.keep();
        let keeper = keep(&folder);
        let started = (0..TRIES).find_map(|_| {
            let port = free_port();
            prepare(&installed, &folder, port, properties);
            Some((port, spawn(&installed, &folder)?))
        });
        let (port, process) = started.unwrap_or_else(|| panic!("Kafka did not start on {TRIES} ports"));
        Self { installed, folder, port, process, keeper }
    }

    /// The one that all tests of this process share which do it no harm.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<Kafka> = LazyLock::new(Kafka::start);
        &SHARED
    }

    /// Where it answers.
    pub fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// The URL of one of its topics.
    pub fn url(&self, topic: &str) -> String {
        format!("kafka://{}/{topic}", self.address())
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// Makes a topic.
    pub fn create_topic(&self, topic: &str, partitions: u32) {
        self.ask("create", &[topic, &partitions.to_string()], "");
    }

    /// All that is committed in a topic, of each partition in its order; nothing when nobody has made the topic.
    pub fn read(&self, topic: &str) -> Vec<Record> {
        let lines = self.ask("read", &[topic], "");
        let record = |line: &str| {
            let mut parts = line.splitn(3, '\t');
            let mut part = || parts.next().unwrap_or_else(|| panic!("{line:?} is no record"));
            let partition = part().parse().unwrap_or_else(|_| panic!("{line:?} has no partition"));
            Record { partition, key: part().to_owned(), value: part().to_owned() }
        };
        lines.lines().map(record).collect()
    }

    /// How many bytes the messages of a topic have in its files.
    pub fn bytes(&self, topic: &str) -> u64 {
        let entries = |folder: &Path| {
            let entries =
                fs::read_dir(folder).unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
            entries.flatten().map(|entry| entry.path()).collect::<Vec<_>>()
        };
        let partition = |folder: &PathBuf| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            name.rsplit_once('-').is_some_and(|(name, _)| name == topic)
        };
        let partitions = entries(&self.folder.join("data")).into_iter().filter(partition);
        let files = partitions.flat_map(|folder| entries(&folder));
        let segments = files.filter(|file| file.extension().is_some_and(|end| end == "log"));
        segments.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
    }

    /// Adds records, each a key and a value, to a topic, and returns when they are there.
    pub fn write(&self, topic: &str, records: &[(&str, &str)]) {
        let lines: String = records.iter().flat_map(|(key, value)| [key, "\t", value, "\n"]).collect();
        self.ask("write", &[topic], &lines);
    }

    /// Kills it (SIGKILL), as a crash would, and returns when it is gone.
    pub fn kill(&mut self) {
        self.process.signal(Signal::KILL);
        assert!(self.process.wait(DEADLINE).is_some(), "Kafka still runs after SIGKILL");
        self.forget_process();
    }

    /// Starts it again on the same port after [`kill`](Self::kill), with what it had.
    pub fn start_again(&mut self) {
        self.process = spawn(&self.installed, &self.folder)
            .unwrap_or_else(|| panic!("Kafka did not start again on port {}", self.port));
    }

    /// Freezes it (SIGSTOP) until [`resume`](Self::resume): connections stay open, nothing is answered.
    pub fn pause(&self) {
        self.process.pause();
    }

    /// Lets it go on after [`pause`](Self::pause).
    pub fn resume(&self) {
        self.process.signal(Signal::CONT);
    }

    /// What Kafka's own client has to say.
    fn ask(&self, verb: &str, words: &[&str], input: &str) -> String {
        let mut client = self.installed.client();
        client.args([verb, &self.address().to_string()]).args(words);
        client.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut client = client.spawn().unwrap_or_else(|error| panic!("cannot start a client of Kafka: {error}"));
        let sent = client.stdin.take().map(|mut stdin| stdin.write_all(input.as_bytes()));
        let output = client.wait_with_output().unwrap_or_else(|error| panic!("a client of Kafka is lost: {error}"));
        let is_well = output.status.success() && sent.is_some_and(|sent| sent.is_ok());
        assert!(is_well, "{verb} {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Somebody else may have its number from now on.
    fn forget_process(&self) {
        let _ = fs::remove_file(self.folder.join("pid"));
    }
}

impl Drop for Kafka {
    fn drop(&mut self) {
        self.kill();
        // The end of its input.
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

fn keep(folder: &Path) -> Child {
    let mut keeper = Command::new("sh");
    keeper.args(["-c", KEEPER, "sh"]).arg(folder).stdin(Stdio::piped());
    // Or it would end with the test when somebody stops that at the terminal, or a time limit does.
    keeper.process_group(0).spawn().unwrap_or_else(|error| panic!("no keeper: {error}"))
}

/// Puts into the folder what a server begins with.
fn prepare(installed: &Installed, folder: &Path, port: u16, properties: &str) {
    let (data, controller) = (folder.join("data"), free_port());
    let own = format!(
        "listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}\n\
         controller.quorum.voters=1@127.0.0.1:{controller}\n\
         log.dirs={}\n",
        data.display()
    );
    write(&folder.join("server.properties"), &format!("{PROPERTIES}{own}{properties}\n"));
    installed.copy_formatted(&data);
}

/// Starts it and waits until it is ready; `None` when it ends before that.
fn spawn(installed: &Installed, folder: &Path) -> Option<Process> {
    let process = Process::spawn(&mut installed.server(&folder.join("server.properties")));
    write(&folder.join("pid"), &process.pid().to_string());
    let ready = |line: &str| line.contains("Kafka Server started").then_some(());
    match process.stderr.wait_for(ready, 4 * DEADLINE) {
        Ok(()) => Some(process),
        Err(Silence::Closed) => None,
        Err(Silence::Late) => panic!("Kafka is not ready yet. It said:\n{}", process.stderr.text()),
    }
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_also_after_a_crash() {
        let mut kafka = Kafka::start();
        kafka.create_topic("words", 2);
        kafka.write("words", &[("one", "first"), ("two", "zweites\tWort ä"), ("one", "second")]);
        kafka.pause();
        kafka.resume();
        kafka.kill();
        kafka.start_again();
        kafka.write("words", &[("one", "third")]);
        let records = kafka.read("words");
        let of = |key: &str| -> Vec<&str> {
            records.iter().filter(|record| record.key == key).map(|record| record.value.as_str()).collect()
        };
        assert_eq!((of("one"), of("two")), (vec!["first", "second", "third"], vec!["zweites\tWort ä"]));
        let folder = kafka.folder.clone();
        drop(kafka);
        assert!(!folder.exists(), "its keeper has left something behind");
    }
}
