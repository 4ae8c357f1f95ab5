//! What the rules read: the files of the repository and the manifests of its crates.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A text file of the repository. Bytes that are not text are left out; such files have a path only.
pub(crate) struct File {
    /// From the root, with slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    /// An example for showing that a rule can fail.
    pub(crate) fn example(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    pub(crate) fn is_rust(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|extension| extension == "rs")
    }

    /// Whether the whole file is a test, or a part of the crate that exists for tests.
    pub(crate) fn is_test(&self) -> bool {
        ["crates/hny-testkit/", "crates/hny-statistics-contract/"].iter().any(|folder| self.path.starts_with(folder))
            || self.path.ends_with("/tests.rs")
            || self.path.split('/').any(|part| matches!(part, "tests" | "benches"))
    }
}

/// A crate of ours and what its manifest asks for.
pub(crate) struct Crate {
    pub(crate) name: String,
    /// From the root, with slashes.
    pub(crate) folder: String,
    pub(crate) dependencies: Vec<Dependency>,
}

pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Whether only tests, examples and benches have it.
    pub(crate) for_tests: bool,
}

impl Crate {
    /// An example for showing that a rule can fail; a `dev:` prefix makes a dependency one for tests.
    pub(crate) fn example(name: &str, dependencies: &[&str]) -> Self {
        let dependency = |text: &&str| match text.strip_prefix("dev:") {
            Some(name) => Dependency { name: name.to_owned(), for_tests: true },
            None => Dependency { name: (*text).to_owned(), for_tests: false },
        };
        let dependencies = dependencies.iter().map(dependency).collect();
        Self { name: name.to_owned(), folder: format!("crates/{name}"), dependencies }
    }
}

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root")
}

/// All files that git tracks or would add; without git, all files but build output.
pub(crate) fn files() -> Vec<File> {
    let paths = listed_by_git().unwrap_or_else(|| walked(root()));
    let read = |path: &String| std::fs::read(root().join(path)).ok();
    let text = |bytes| String::from_utf8(bytes).unwrap_or_default();
    // git lists a removed file until the removal is added.
    paths.iter().filter_map(|path| Some(File { text: text(read(path)?), path: path.clone() })).collect()
}

fn listed_by_git() -> Option<Vec<String>> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(arguments).current_dir(root()).output().ok()?;
    let names = output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())?;
    Some(names.split_terminator('\0').map(str::to_owned).collect())
}

fn walked(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the repository can be read");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let kept = paths.filter(|path| !path.ends_with("target") && !path.ends_with(".git"));
    kept.flat_map(|path| if path.is_dir() { walked(&path) } else { vec![from_root(&path)] }).collect()
}

fn from_root(path: &Path) -> String {
    let path = path.strip_prefix(root()).expect("paths of the repository begin with its root");
    path.to_string_lossy().replace('\\', "/")
}

/// All crates of the workspace.
pub(crate) fn crates() -> Vec<Crate> {
    let arguments = ["metadata", "--offline", "--no-deps", "--format-version", "1"];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    list(&metadata["packages"]).iter().map(to_crate).collect()
}

fn to_crate(package: &Value) -> Crate {
    let manifest = PathBuf::from(text(&package["manifest_path"]));
    let dependencies = list(&package["dependencies"])
        .iter()
        .map(|dependency| Dependency { name: text(&dependency["name"]), for_tests: dependency["kind"] == "dev" });
    Crate {
        name: text(&package["name"]),
        folder: from_root(manifest.parent().expect("a manifest lies in a folder")),
        dependencies: dependencies.collect(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("cargo metadata has this list")
}

fn text(value: &Value) -> String {
    value.as_str().expect("cargo metadata has this text").to_owned()
}
