//! What a spool looks like from outside.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use hny_testkit::Program;

/// How each block begins, and how many bytes its head takes.
const MARKER: &[u8] = b"hny1";
const HEAD: usize = 20;

/// The folder of the spools beside the database file.
pub(super) struct Spool(PathBuf);

impl Spool {
    pub(super) fn of(program: &Program) -> Self {
        Self(program.folder().join("hny.db-spool"))
    }

    /// The folder of each process.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).expect("the folder is there");
        entries.map(|entry| entry.expect("it can be read").path()).collect()
    }

    fn files(&self) -> Vec<PathBuf> {
        let folders = self.folders().into_iter();
        // They come and go.
        let files = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
        files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|ending| ending == "clicks")).collect()
    }

    /// All of it.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.files().iter().flat_map(|path| fs::read(path).unwrap_or_default()).collect()
    }

    /// How many clicks are in it, counted or not.
    pub(super) fn clicks(&self) -> usize {
        self.files().iter().map(|path| clicks_in(&fs::read(path).unwrap_or_default())).sum()
    }

    /// Adds half a block, as a process does that is killed as it writes.
    pub(super) fn tear(&self) {
        let path = self.files().pop().expect("there is a file");
        let bytes = fs::read(&path).expect("it can be read");
        let mut file = OpenOptions::new().append(true).open(path).expect("it can be written");
        file.write_all(&bytes[..HEAD + 7]).expect("it can be written");
    }
}

/// How many clicks are in a file.
fn clicks_in(bytes: &[u8]) -> usize {
    let (mut rest, mut clicks) = (bytes, 0);
    while let Some((head, behind)) = rest.split_at_checked(HEAD) {
        assert!(head.starts_with(MARKER), "a block begins here");
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        // The last one may be written just now, and nothing in the file comes behind it.
        let Some((records, behind)) = behind.split_at_checked(length) else { break };
        (clicks, rest) = (clicks + count(records), behind);
    }
    clicks
}

/// How many clicks these records are: each begins with its length.
fn count(mut records: &[u8]) -> usize {
    let mut clicks = 0;
    while let Some((length, rest)) = records.split_first_chunk() {
        (clicks, records) = (clicks + 1, &rest[usize::from(u16::from_le_bytes(*length))..]);
    }
    clicks
}
