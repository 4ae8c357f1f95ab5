//! Where links may not lead: from the database and from files.

use hny_guard::{Blocklist, BlocklistFiles};
use hny_service::Screen;

use super::{ComposeError, Verbs};
use crate::config::Config;

/// Links are kept from where the list says.
pub(super) fn screen(list: &Blocklist) -> Screen {
    let list = list.clone();
    Screen::new(move |target| Ok(list.check(target.as_str())?))
}

/// Reads everything that is blocked. The answer keeps the files at hand; the database is followed by the verbs on blocks.
///
/// A database that does not answer now is no reason not to start: its rules are read as soon as it does.
pub async fn load_blocklists(config: &Config, verbs: &Verbs) -> Result<BlocklistFiles, ComposeError> {
    let files = BlocklistFiles::open(verbs.blocklist.clone(), config.blocking.files.clone()).await?;
    if let Err(error) = verbs.blocks.catch_up().await {
        tracing::warn!(%error, "what is blocked cannot be read yet");
    }
    Ok(files)
}
