//! Getting Kafka from Maven Central, once, and how its programs are started.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::PROPERTIES;
use crate::process::finish;

/// What is got.
const POM: &str = include_str!("pom.xml");

/// What asks a server in the place of a test.
const CLIENT: &str = include_str!("Client.java");

/// For programs that run for seconds: a simple collector, and no long compilation.
const QUICK: [&str; 2] = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];

/// Only what is amiss is said, and that the server is ready.
const LOG: [&str; 2] =
    ["-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info"];

/// A folder with `jars`, the compiled `client` and the `formatted` storage of a server that has never run.
pub(super) struct Installed {
    folder: PathBuf,
}

impl Installed {
    /// Where Kafka is, beside what cargo builds. Whoever comes first puts it there; the others wait.
    pub(super) fn find() -> Self {
        let target = target();
        let folder = target.join("hny-kafka");
        let lock = File::create(target.join("hny-kafka.lock")).and_then(|lock| lock.lock().map(|()| lock));
        let _lock = lock.unwrap_or_else(|error| panic!("cannot lock {}: {error}", folder.display()));
        let installed = Self { folder };
        if !installed.is_whole() {
            installed.install();
        }
        installed
    }

    /// Whether it is there, and is what this source asks for: its last file says of what it was made.
    fn is_whole(&self) -> bool {
        fs::read_to_string(self.folder.join("made-of")).is_ok_and(|made_of| made_of == made_of_now())
    }

    fn install(&self) {
        let _ = fs::remove_dir_all(&self.folder);
        self.write("pom.xml", POM);
        self.write("Client.java", CLIENT);
        let repository = self.folder.join("repository");
        let mut maven = Command::new("mvn");
        maven.args(["--batch-mode", "--quiet", "dependency:copy-dependencies", "-DincludeScope=runtime"]);
        maven.arg(path_option("-DoutputDirectory=", &self.folder.join("jars")));
        // Its own, as Maven does not let two processes use one.
        maven.arg(path_option("-Dmaven.repo.local=", &repository)).arg("--file").arg(self.folder.join("pom.xml"));
        finish(&mut maven);
        let _ = fs::remove_dir_all(repository);
        let mut javac = Command::new("javac");
        javac.arg("-cp").arg(self.class_path()).arg("-d").arg(self.folder.join("client"));
        finish(javac.arg(self.folder.join("Client.java")));
        self.format();
        self.write("made-of", &made_of_now());
    }

    /// Formats a server's storage, which says nothing about its ports.
    fn format(&self) {
        let formatted = self.folder.join("formatted");
        let places = "listeners=PLAINTEXT://:9092,CONTROLLER://:9093\ncontroller.quorum.voters=1@127.0.0.1:9093";
        self.write("format.properties", &format!("{PROPERTIES}{places}\nlog.dirs={}\n", formatted.display()));
        let mut format = self.java(&[], "kafka.tools.StorageTool");
        format.args(["format", "--cluster-id", "aG55LWtpbmQtb2YtdGVzdA", "--config"]);
        finish(format.arg(self.folder.join("format.properties")));
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        let written = fs::create_dir_all(&self.folder).and_then(|()| fs::write(&path, text));
        written.unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    }

    /// Copies the storage of a server that has never run.
    pub(super) fn copy_formatted(&self, to: &Path) {
        let _ = fs::remove_dir_all(to);
        finish(Command::new("cp").arg("-R").arg(self.folder.join("formatted")).arg(to));
    }

    /// A server.
    pub(super) fn server(&self, properties: &Path) -> Command {
        let mut server = self.java(&["-Xmx512m"], "kafka.Kafka");
        server.arg(properties);
        server
    }

    /// A client.
    pub(super) fn client(&self) -> Command {
        self.java(&["-Xmx256m"], "Client")
    }

    fn java(&self, options: &[&str], class: &str) -> Command {
        let mut java = Command::new("java");
        java.args(QUICK).args(LOG).args(options).arg("-cp").arg(self.class_path()).arg(class);
        java
    }

    fn class_path(&self) -> String {
        format!("{0}/jars/*:{0}/client", self.folder.display())
    }
}

fn made_of_now() -> String {
    format!("{POM}{CLIENT}{PROPERTIES}")
}

/// The folder that cargo builds in, which is marked as one, or else that of temporary files.
pub(crate) fn target() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let marked = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
    marked.map_or_else(std::env::temp_dir, Path::to_owned)
}

fn path_option(option: &str, path: &Path) -> String {
    format!("{option}{}", path.display())
}
