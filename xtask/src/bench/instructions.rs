//! `cargo xtask bench instructions`: how many instructions the release build takes for a redirect, and which.

use super::{BenchError, release};
use crate::packages;

/// Builds, counts and prints.
#[expect(clippy::print_stdout, reason = "the figure is the data of this command")]
pub(super) fn run() -> Result<(), BenchError> {
    packages::ensure(packages::INSTRUCTIONS)?;
    let binary = release::hny()?;
    let folder = binary.with_file_name("bench-instructions");
    std::fs::create_dir_all(&folder)
        .map_err(|source| BenchError::Folder { folder: folder.display().to_string(), source })?;
    let (taken, account) = hny_testkit::redirect_instructions(&binary, &folder);
    println!("{taken} instructions for a redirect whose link is in the cache");
    eprintln!("which: callgrind_annotate {}", account.display());
    Ok(())
}
