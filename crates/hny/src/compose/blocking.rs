//! Where links may not lead: from the database and from files, and by the word of a provider.

use hny_domain::{Clock, Suspicion};
use hny_guard::{Blocklist, BlocklistFiles, Provider, SafeBrowsing, Verdict};
use hny_service::Screen;

use super::{ComposeError, Verbs};
use crate::config::{self, Config};

/// Who is asked whether a page is harmful, if the settings name somebody.
pub(super) fn safe_browsing(settings: Option<&config::SafeBrowsing>, clock: &Clock) -> Option<SafeBrowsing> {
    let config::SafeBrowsing { service, endpoint, key } = settings?;
    Some(SafeBrowsing::new(Provider::new(*service, endpoint, key), clock.clone()))
}

/// Links are kept from where the list says, and from where a provider says that it is harmful.
pub(super) fn screen(list: &Blocklist, provider: Option<&SafeBrowsing>) -> Screen {
    let list = list.clone();
    let screen = Screen::new(move |target| Ok(list.check(target.as_str())?));
    let Some(provider) = provider.cloned() else { return screen };
    screen.hearing(move |targets| {
        let (provider, urls) = (provider.clone(), targets.iter().map(|target| target.as_str().to_owned()).collect());
        async move { provider.verdicts(urls).await.into_iter().map(suspicion).collect() }
    })
}

fn suspicion(verdict: Verdict) -> Option<Suspicion> {
    match verdict {
        Verdict::Harmful(suspicion) => Some(suspicion),
        Verdict::Harmless | Verdict::Pending => None,
    }
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
