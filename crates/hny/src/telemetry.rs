//! The log: by `tracing`, to stderr, as the settings say.

use std::io::{self, IsTerminal};

use tracing::{Level, Metadata};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{FilterExt, LevelFilter, filter_fn};
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::Registry;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{Log, LogFormat};

/// Starts the log of this process. Where one runs already, as in a test, that one stays.
pub fn start(log: &Log) {
    let in_colour = !log.no_color && io::stderr().is_terminal();
    let _ = Registry::default().with(layer(log, in_colour, io::stderr)).try_init();
}

fn layer<W>(log: &Log, in_colour: bool, writer: W) -> Box<dyn Layer<Registry> + Send + Sync>
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let lines = fmt::layer().with_writer(writer);
    // The migrations talk about themselves at every start, which helps nobody; what fails there is an error of ours.
    let filter = log.filter.clone().with_target("refinery_core", LevelFilter::WARN);
    let filter = filter.and(filter_fn(|event| !is_secret(event)));
    match log.format {
        LogFormat::Text => lines.with_ansi(in_colour).with_filter(filter).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_filter(filter).boxed(),
    }
}

/// Whether libraries repeat in an event what is nobody's business, whatever the settings ask for: below `info` the parameters of every
/// statement (targets, and hashes of passwords), or the URLs of requests (with keys to services).
fn is_secret(event: &Metadata<'_>) -> bool {
    let library = event.target().split("::").next().unwrap_or_default();
    *event.level() > Level::INFO && matches!(library, "tokio_postgres" | "ureq" | "ureq_proto")
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::sync::Arc;

    use tracing_subscriber::filter::Targets;

    use super::*;

    /// What is in the log of somebody who says all that.
    fn told(filter: &Targets, format: LogFormat, say: impl FnOnce()) -> String {
        let path = tempfile::NamedTempFile::new().unwrap();
        let log = Log { filter: filter.clone(), format, no_color: false };
        let file = Arc::new(File::create(path.path()).unwrap());
        tracing::subscriber::with_default(Registry::default().with(layer(&log, false, file)), say);
        std::fs::read_to_string(path.path()).unwrap()
    }

    fn written(format: LogFormat) -> String {
        let filter = Targets::new().with_default(LevelFilter::WARN).with_target("loud", LevelFilter::DEBUG);
        told(&filter, format, || {
            tracing::info!("too quiet");
            tracing::debug!(target: "loud", "heard");
            tracing::warn!(port = 8080, "listening");
        })
    }

    #[test]
    fn text_is_plain_and_filtered_by_part() {
        let text = written(LogFormat::Text);
        assert!(text.contains("listening port=8080") && text.contains("heard"), "{text}");
        assert!(!text.contains("too quiet") && !text.contains('\x1b'), "{text}");
    }

    #[test]
    fn what_libraries_repeat_is_heard_by_nobody() {
        let loud = || {
            tracing::trace!(target: "ureq::run", "GET /?key=secret");
            tracing::debug!(target: "ureq_proto", "secret");
            tracing::debug!(target: "tokio_postgres::query", "secret");
            tracing::info!(target: "ureq::run", "told");
            tracing::trace!(target: "other", "told, too");
        };
        for filter in ["trace", "ureq=trace,ureq::run=trace,tokio_postgres::query=trace,other=trace"] {
            let text = told(&filter.parse::<Targets>().unwrap(), LogFormat::Text, loud);
            assert!(!text.contains("secret"), "{text}");
            assert_eq!(text.matches("told").count(), 2, "{text}");
        }
    }

    #[test]
    fn json_is_one_object_a_line() {
        let text = written(LogFormat::Json);
        let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(
            (&last["level"], &last["message"], &last["port"]),
            (&"WARN".into(), &"listening".into(), &8080.into())
        );
        assert_eq!(text.lines().count(), 2);
    }
}
