//! Runs SQL on a database file that nobody has open: `fill FILE < SQL`. The benches make what would take years to come about.

use rusqlite::{Connection, OpenFlags};
use std::error::Error;
use std::io::read_to_string;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("say which file to fill")?;
    let sql = read_to_string(std::io::stdin())?;
    let file = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    Ok(file.execute_batch(&sql)?)
}
