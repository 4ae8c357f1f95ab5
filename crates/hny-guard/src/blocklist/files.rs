//! Blocklists in files, read again when they change.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use thiserror::Error;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::lines::{self, Column, Line};
use super::{Blocklist, Gathered};

/// How often it is looked whether files have changed.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// How many broken lines are named; all are counted.
const NAMED: usize = 5;

/// A file with rules, as the settings name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlocklistFile {
    path: PathBuf,
    /// Where it is CSV, the column of the rules.
    column: Option<Column>,
}

/// Why a file is of no use.
#[derive(Debug, Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("the blocklist {path:?} cannot be read; it must be there, and this user must be able to read it")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is a web page: an error that was saved in place of the list, most likely.
    #[error("the blocklist {path:?} is an HTML page, not a list; was an error saved in its place?")]
    Page {
        /// The file.
        path: PathBuf,
    },
    /// None of its lines can be used.
    #[error("the blocklist {path:?} has no line that can be used, and {broken} that cannot; is its format right?")]
    Useless {
        /// The file.
        path: PathBuf,
        /// How many lines are broken.
        broken: usize,
    },
}

impl FromStr for BlocklistFile {
    type Err = std::convert::Infallible;

    /// Reads `FILE`, or `FILE#COLUMN` for CSV: the name of the column, or its number from 1 on.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (path, column) = text.rsplit_once('#').map_or((text, None), |(path, column)| (path, Some(column)));
        let column = column.filter(|column| !column.is_empty()).map(|column| match column.parse::<usize>() {
            Ok(number) => Column::At(number.saturating_sub(1)),
            Err(_) => Column::Named(column.to_owned()),
        });
        Ok(Self { path: path.into(), column })
    }
}

/// The files of the settings. All nodes should have the same.
#[derive(Debug)]
pub struct BlocklistFiles {
    list: Blocklist,
    files: Vec<BlocklistFile>,
    /// As they were when they were read last.
    stamps: Vec<Option<Stamp>>,
}

/// By what a change shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
}

/// What is in the files.
#[derive(Debug)]
struct Reading {
    gathered: Gathered,
    stamps: Vec<Option<Stamp>>,
}

impl BlocklistFiles {
    /// Reads all files into `list`. Whoever names a file wants it to be there: one that is not is an error now.
    pub async fn open(list: Blocklist, files: Vec<BlocklistFile>) -> Result<Self, FileError> {
        let mut opened = Self { stamps: vec![None; files.len()], list, files };
        if !opened.files.is_empty() {
            opened.read().await?;
        }
        Ok(opened)
    }

    /// Reads them again whenever one has changed, until dropped. While one is of no use what was read before holds.
    pub async fn follow(mut self) {
        if self.files.is_empty() {
            return;
        }
        loop {
            sleep(BETWEEN_LOOKS).await;
            let files = self.files.clone();
            let stamps = spawn_blocking(move || stamps(&files)).await.unwrap_or_default();
            if stamps != self.stamps
                && let Err(error) = self.read().await
            {
                tracing::warn!(%error, "the rules that were read before stay");
                // Told once; the next look is for another change.
                self.stamps = stamps;
            }
        }
    }

    async fn read(&mut self) -> Result<(), FileError> {
        let (files, gathered) = (self.files.clone(), self.list.gather());
        match spawn_blocking(move || read_all(&files, gathered)).await {
            Ok(reading) => {
                let Reading { gathered, stamps } = reading?;
                self.list.set_files(gathered);
                self.stamps = stamps;
            }
            Err(error) => tracing::error!(%error, "the blocklists were not read"),
        }
        Ok(())
    }
}

fn stamps(files: &[BlocklistFile]) -> Vec<Option<Stamp>> {
    files.iter().map(|file| stamp(&file.path)).collect()
}

fn stamp(path: &Path) -> Option<Stamp> {
    let about = fs::metadata(path).ok()?;
    Some(Stamp { modified: about.modified().ok(), length: about.len() })
}

fn read_all(files: &[BlocklistFile], mut gathered: Gathered) -> Result<Reading, FileError> {
    // Before they are read: what changes meanwhile is seen at the next look.
    let stamps = stamps(files);
    for file in files {
        let before = gathered.len();
        let broken = read(file, &mut gathered)?;
        let rules = gathered.len() - before;
        if rules == 0 && !broken.is_empty() {
            return Err(FileError::Useless { path: file.path.clone(), broken: broken.len() });
        }
        report(&file.path, rules, &broken);
    }
    Ok(Reading { gathered, stamps })
}

/// The numbers of the lines that cannot be used.
fn read(file: &BlocklistFile, gathered: &mut Gathered) -> Result<Vec<usize>, FileError> {
    let unreadable = |source| FileError::Unreadable { path: file.path.clone(), source };
    let mut reader = BufReader::new(File::open(&file.path).map_err(unreadable)?);
    let (mut bytes, mut broken, mut place) = (Vec::new(), Vec::new(), None);
    let mut number = 0;
    loop {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(unreadable)? == 0 {
            return Ok(broken);
        }
        number += 1;
        let line = String::from_utf8_lossy(&bytes);
        if number == 1 && line.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
            return Err(FileError::Page { path: file.path.clone() });
        }
        let line = match &file.column {
            Some(column) => lines::csv(&line, column, &mut place),
            None => lines::plain(&line),
        };
        match line {
            Line::Rules(rules) => rules.iter().for_each(|rule| gathered.push(rule)),
            Line::Nothing => {}
            Line::Broken(_) => broken.push(number),
        }
    }
}

fn report(path: &Path, rules: usize, broken: &[usize]) {
    if broken.is_empty() {
        tracing::info!(path = %path.display(), rules, "a blocklist is read");
    } else {
        let first = &broken[..broken.len().min(NAMED)];
        tracing::warn!(path = %path.display(), rules, skipped = broken.len(), lines = ?first, "a blocklist is read but for lines that cannot be used");
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PrivateTargets, Refusal};
    use super::*;

    fn list_of(text: &str, name: &str) -> (Result<Vec<usize>, FileError>, Blocklist) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        fs::write(&path, text).unwrap();
        let list = Blocklist::new(PrivateTargets::Allowed);
        let mut gathered = list.gather();
        let file = format!("{}{name}", path.display()).parse().unwrap();
        let broken = read(&file, &mut gathered);
        list.set_files(gathered);
        (broken, list)
    }

    #[test]
    fn broken_lines_are_numbered_and_the_rest_is_used() {
        let text =
            "\u{feff}# list\r\nevil.example\r\n\r\nco.uk\ntwo words\n0.0.0.0 worse.example\nhttps://a.example/x\n\u{0}";
        let (broken, list) = list_of(text, "");
        assert_eq!(broken.unwrap(), [4, 5, 8]);
        for target in ["https://evil.example/", "https://www.worse.example/", "http://a.example/x"] {
            assert_eq!(list.check(target), Err(Refusal::Listed), "{target}");
        }
        assert_eq!(list.check("https://example.co.uk/"), Ok(()));
    }

    #[test]
    fn a_column_is_named_or_numbered() {
        for (text, name) in [("id,url\n1,https://evil.example/x\n", "#URL"), ("1,https://evil.example/x", "#2")] {
            let (broken, list) = list_of(text, name);
            assert_eq!(
                (broken.unwrap(), list.check("https://evil.example/x")),
                (vec![], Err(Refusal::Listed)),
                "{name}"
            );
        }
    }

    #[test]
    fn a_page_is_no_list() {
        let (refused, _) = list_of("<!doctype html>\nevil.example", "");
        assert!(matches!(refused, Err(FileError::Page { .. })));
    }

    #[tokio::test]
    async fn what_cannot_be_used_at_all_stops_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let open = |name: &str| {
            let files = vec![folder.path().join(name).display().to_string().parse().unwrap()];
            BlocklistFiles::open(Blocklist::new(PrivateTargets::Allowed), files)
        };
        assert!(matches!(open("absent").await, Err(FileError::Unreadable { .. })));
        fs::write(folder.path().join("wrong"), "id,url\n1,two words\n").unwrap();
        assert!(matches!(open("wrong").await, Err(FileError::Useless { broken: 2, .. })));
        fs::write(folder.path().join("empty"), "# nothing yet\n").unwrap();
        assert!(open("empty").await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_file_that_changes_is_read_again_and_one_that_is_ruined_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        fs::write(&path, "a.example\n").unwrap();
        let list = Blocklist::new(PrivateTargets::Allowed);
        let file = path.display().to_string().parse().unwrap();
        let files = BlocklistFiles::open(list.clone(), vec![file]).await.unwrap();
        tokio::spawn(files.follow());
        let becomes = async |generation: u32| {
            while list.generation() == generation {
                sleep(BETWEEN_LOOKS).await;
            }
        };
        let is_blocked = |host: &str| list.check(&format!("https://{host}/")).is_err();
        let before = list.generation();
        fs::write(&path, "b.example\nlonger.example\n").unwrap();
        becomes(before).await;
        assert!(!is_blocked("a.example") && is_blocked("b.example"));
        fs::write(&path, "<html>an error that is saved</html>").unwrap();
        sleep(3 * BETWEEN_LOOKS).await;
        assert!(is_blocked("b.example"), "the old rules stay");
        let before = list.generation();
        fs::write(&path, "c.example").unwrap();
        becomes(before).await;
        assert!(is_blocked("c.example") && !is_blocked("b.example"));
    }
}
