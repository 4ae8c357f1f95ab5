//! From a command to the part that does it.

use thiserror::Error;

use super::Action;
use crate::config::Config;
use crate::exit::Exit;

/// The command's part is not in this build.
#[derive(Debug, Error)]
#[error("'{0}' is not in this build")]
pub struct NotBuilt(&'static str);

/// Does what was asked for.
pub fn run(action: &Action, _config: &Config) -> Result<Exit, NotBuilt> {
    match action {
        Action::Serve => Err(NotBuilt("serve")),
        Action::Shorten(_) => Err(NotBuilt("shorten")),
        Action::Resolve(_) => Err(NotBuilt("resolve")),
        Action::Key(_) => Err(NotBuilt("key")),
        Action::Migrate => Err(NotBuilt("migrate")),
    }
}
