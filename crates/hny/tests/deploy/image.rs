//! The `Dockerfile`, and the images that `deploy/compose.yaml` names.

use std::path::Path;

use hny_testkit::Program;

use crate::COMPOSE;

const DOCKERFILE: &str = include_str!("../../../../Dockerfile");
const TOOLCHAIN: &str = include_str!("../../../../rust-toolchain.toml");

/// What follows a word at the beginning of a line of the `Dockerfile`.
fn instructions(word: &str) -> Vec<&'static str> {
    DOCKERFILE.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' ')).collect()
}

#[test]
fn it_is_built_with_the_toolchain_of_the_repository() {
    let channel = TOOLCHAIN.split("channel = \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a channel");
    assert!(instructions("FROM")[0].starts_with(&format!("rust:{channel}-")), "{channel}");
    assert!(instructions("ENV").contains(&&*format!("RUSTUP_TOOLCHAIN={channel}")), "{channel}");
}

#[test]
fn every_image_has_a_version() {
    let of_services = COMPOSE.lines().filter_map(|line| line.trim_start().strip_prefix("image: "));
    let images: Vec<_> = instructions("FROM").into_iter().chain(of_services).collect();
    assert_eq!(images.len(), 2 + 7, "{images:?}");
    for image in images {
        let tag = image.split(' ').next().and_then(|name| name.split_once(':')).map(|(_, tag)| tag);
        assert!(tag.is_some_and(|tag| tag.starts_with(|c: char| c.is_ascii_digit()) && tag.contains('.')), "{image}");
    }
}

#[test]
fn it_runs_as_nobody_in_particular_and_asks_the_program_for_its_health() {
    assert_eq!(instructions("USER"), ["10001:10001"]);
    assert!(DOCKERFILE.contains("CMD [\"hny\", \"health\"]"));
    assert!(DOCKERFILE.trim_end().ends_with("ENTRYPOINT [\"hny\"]\nCMD [\"serve\"]"));
    let help = Program::new(env!("CARGO_BIN_EXE_hny")).run(["health", "--help"]);
    assert!(help.status.success(), "{help:?}");
}

/// A folder that is left out of the context would be missed by the build, and nothing else would say so.
#[test]
fn all_that_the_program_is_built_from_is_sent_to_the_build() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("it is in the repository");
    let manifest = read("Cargo.toml");
    let members = manifest.split("members = [").nth(1).and_then(|rest| rest.split(']').next()).expect("members");
    let sent = read(".dockerignore");
    let tops = members.split('"').skip(1).step_by(2).filter_map(|member| member.split('/').next());
    for top in tops.chain(["Cargo.lock", "Cargo.toml"]) {
        assert!(sent.lines().any(|line| line.strip_prefix('!') == Some(top)), "{top} is not sent");
    }
}
