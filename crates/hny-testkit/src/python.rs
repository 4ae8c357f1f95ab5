//! Getting packages of Python, once.

use std::fs::File;
use std::path::PathBuf;
use std::process::Command;

use crate::kafka::target;
use crate::process::finish;

/// The folder with a package, beside what cargo builds. Whoever comes first puts it there; the others wait.
pub(crate) fn installed(name: &str, package: &str, options: &[&str]) -> PathBuf {
    let target = target();
    let (folder, lock) = (target.join(name), target.join(format!("{name}.lock")));
    let locked = File::create(&lock).and_then(|lock| lock.lock().map(|()| lock));
    let _locked = locked.unwrap_or_else(|error| panic!("cannot lock {}: {error}", lock.display()));
    let whole = folder.join("whole");
    if !std::fs::read_to_string(&whole).is_ok_and(|made_of| made_of == package) {
        let _ = std::fs::remove_dir_all(&folder);
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--only-binary=:all:"]).args(options).args([package, "--target"]);
        finish(pip.arg(&folder));
        std::fs::write(&whole, package).unwrap_or_else(|error| panic!("cannot write {}: {error}", whole.display()));
    }
    folder
}
