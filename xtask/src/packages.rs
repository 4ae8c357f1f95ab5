//! What the tests and the benches need from the system, and getting it.

use crate::command::{CommandError, command, run};
use std::io::Write;
use std::process::{Command, Stdio};
use thiserror::Error;

/// A Debian package, why we want it, and how to see that it is there (also where the system is not Debian).
pub(crate) struct Package {
    name: &'static str,
    reason: &'static str,
    present: fn() -> bool,
}

/// What the tests need.
pub(crate) const TESTS: &[Package] = &[
    Package { name: "gcc", reason: "SQLite is compiled from its C source", present: || answers("cc", "--version") },
    Package { name: "libc6-dev", reason: "the headers that SQLite includes", present: compiles_c },
    Package {
        name: "g++",
        reason: "Kafka's client is compiled from its source",
        present: || answers("c++", "--version"),
    },
    Package { name: "make", reason: "likewise", present: || answers("make", "--version") },
    Package {
        name: "strace",
        reason: "tests look at the order of system calls, and break them",
        present: || answers("strace", "-V"),
    },
    Package { name: "openssl", reason: "a test server needs a certificate", present: || answers("openssl", "version") },
    POSTGRES,
    VALGRIND,
    REDIS,
    Package { name: "nginx", reason: "nodes are restarted behind it", present: || answers("nginx", "-v") },
    Package {
        name: "chromium",
        reason: "a real browser sends the password form",
        present: || answers("chromium", "--version"),
    },
    Package {
        name: "openjdk-17-jdk-headless",
        reason: "Kafka runs on it",
        present: || answers("java", "--version") && answers("javac", "--version"),
    },
    Package {
        name: "python3-pip",
        reason: "it gets ClickHouse as a package of Python, which runs it",
        present: || answers("python3", "--version") && pip_answers(),
    },
    Package { name: "maven", reason: "it gets Kafka from Maven Central", present: || answers("mvn", "--version") },
];

const POSTGRES: Package = Package {
    name: "postgresql-15",
    reason: "links are kept there too",
    present: || {
        let there = |program: &str| answers(program, "--version");
        there("postgres") && there("pgbench") || there("/usr/lib/postgresql/15/bin/postgres")
    },
};

const REDIS: Package = Package {
    name: "redis-server",
    reason: "nodes share a cache and limits in a real Redis",
    present: || answers("redis-server", "--version") && answers("redis-cli", "--version"),
};

const VALGRIND: Package = Package {
    name: "valgrind",
    reason: "the instructions of a redirect are counted",
    present: || answers("valgrind", "--version"),
};

/// What counting instructions needs.
pub(crate) const INSTRUCTIONS: &[Package] = &[VALGRIND];

/// What measuring nodes that share a database needs.
pub(crate) const CLUSTER: &[Package] = &[POSTGRES, REDIS];

/// What measuring redirects needs.
pub(crate) const REDIRECT: &[Package] = &[Package {
    name: "nginx",
    reason: "a redirect of ours is compared with one of it",
    present: || answers("nginx", "-v"),
}];

/// Why the machine is not ready, and what would make it so.
#[derive(Debug, Error)]
pub(crate) enum PackageError {
    /// Only root may install.
    #[error("these packages are missing and only root may install them: sudo apt-get install {0}")]
    NotRoot(String),
    /// Some other system.
    #[error("these packages are missing and there is no apt-get; install what your system calls {0}")]
    NotDebian(String),
    /// apt-get has said why.
    #[error("the packages {names} could not be installed: {source}")]
    Apt {
        /// What was to be installed.
        names: String,
        /// The command that failed.
        source: CommandError,
    },
    /// The package is there and what it is for does not work.
    #[error("{0} still does not work after its installation: is an older one before it in PATH?")]
    Useless(String),
}

/// Sees to it that these are there: says what is needed and why, and installs what is missing when it may.
pub(crate) fn ensure(packages: &[Package]) -> Result<(), PackageError> {
    for package in packages {
        let state = if (package.present)() { "is there" } else { "is missing" };
        eprintln!("    {:<23} {state}: {}", package.name, package.reason);
    }
    let missing = missing(packages);
    if missing.is_empty() {
        return Ok(());
    }
    install(&missing)?;
    match self::missing(packages).as_slice() {
        [] => Ok(()),
        still => Err(PackageError::Useless(still.join(" "))),
    }
}

fn missing(packages: &[Package]) -> Vec<&'static str> {
    packages.iter().filter(|package| !(package.present)()).map(|package| package.name).collect()
}

fn install(missing: &[&str]) -> Result<(), PackageError> {
    let names = missing.join(" ");
    if !answers("apt-get", "--version") {
        return Err(PackageError::NotDebian(names));
    }
    if !rustix::process::geteuid().is_root() {
        return Err(PackageError::NotRoot(names));
    }
    let install = [&["apt-get", "install", "--yes", "--no-install-recommends"], missing].concat();
    run(&mut command(&["apt-get", "update"]))
        .and_then(|()| run(command(&install).env("DEBIAN_FRONTEND", "noninteractive")))
        .map_err(|source| PackageError::Apt { names, source })
}

/// Whether a program is there and can be asked for its version.
fn answers(program: &str, version: &str) -> bool {
    let mut asked = Command::new(program);
    asked.arg(version).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    asked.status().is_ok_and(|status| status.success())
}

/// Whether Python has the program that gets packages.
fn pip_answers() -> bool {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "--version"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    pip.status().is_ok_and(|status| status.success())
}

/// Whether a C program with a header of the system compiles.
fn compiles_c() -> bool {
    let arguments = ["-x", "c", "-fsyntax-only", "-"];
    let compiler = Command::new("cc").args(arguments).stdin(Stdio::piped()).stderr(Stdio::null()).spawn();
    compiler.is_ok_and(|mut compiler| {
        // Dropping the input ends it, so the compiler does not wait for more.
        let sent = compiler.stdin.take().map(|mut input| input.write_all(b"#include <stdio.h>\n"));
        sent.is_some_and(|sent| sent.is_ok()) && compiler.wait().is_ok_and(|status| status.success())
    })
}

#[test]
fn only_what_does_not_answer_is_missing() {
    let packages = [
        Package { name: "there", reason: "", present: || answers("true", "--version") },
        Package { name: "gone", reason: "", present: || answers("no-such-program", "--version") },
        Package { name: "broken", reason: "", present: || answers("false", "x") },
    ];
    assert_eq!(missing(&packages), ["gone", "broken"]);
}
