//! How Kafka is spoken to: what every client of ours is set to.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rdkafka::admin::AdminClient;
use rdkafka::config::{ClientConfig, FromClientConfigAndContext, RDKafkaLogLevel};
use rdkafka::consumer::{BaseConsumer, ConsumerContext};
use rdkafka::error::KafkaError;
use rdkafka::message::DeliveryResult;
use rdkafka::producer::{BaseProducer, ProducerContext};
use rdkafka::types::RDKafkaErrorCode;
use rdkafka::{ClientContext, Message};

use super::address::KafkaAddress;
use super::deadline::Deadline;
use super::failure::KafkaFailure;

/// How long a transaction may stay open whose process is gone. Until then nobody who reads what is committed gets what came later.
/// It is more than what a call may take, which ends each of ours.
const LONGEST_TRANSACTION: Duration = Duration::from_secs(15);

/// How long anybody waits for one answer.
const LONGEST_ANSWER: Duration = Duration::from_secs(5);

/// How much may wait in a producer to be sent; beyond that it is asked again.
const WAITING_KIB: u32 = 64 * 1024;

/// How long a client is listened to at a time, which says nothing otherwise.
pub(super) const LISTENING: Duration = Duration::from_millis(2);

/// How long it is between two looks at something that nobody tells us about.
pub(super) const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Makes clients.
#[derive(Debug, Clone)]
pub(crate) struct Cluster {
    address: KafkaAddress,
}

/// What a client has said last. It says much, and much of it over and over: it is logged only where somebody looks for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<Option<String>>>);

impl Cluster {
    pub(crate) const fn new(address: KafkaAddress) -> Self {
        Self { address }
    }

    /// The topic of the clicks.
    pub(crate) fn topic(&self) -> &str {
        &self.address.topic
    }

    /// A producer whose transactions are those of this name, in which nobody else has any.
    pub(super) fn producer(&self, name: &str, heard: &Heard) -> Result<BaseProducer<Heard>, KafkaFailure> {
        let mut config = self.config();
        config
            .set("transactional.id", name)
            .set("transaction.timeout.ms", millis(LONGEST_TRANSACTION))
            .set("acks", "all")
            .set("compression.type", "lz4")
            // As Kafka's own client chooses partitions.
            .set("partitioner", "murmur2_random")
            .set("queue.buffering.max.kbytes", WAITING_KIB.to_string());
        make(&config, heard)
    }

    /// A consumer of all that is there, or of what is committed. It belongs to no group.
    pub(super) fn consumer(&self, isolation: &str, heard: &Heard) -> Result<BaseConsumer<Heard>, KafkaFailure> {
        let mut config = self.config();
        config
            // The library wants one, and does not use it for partitions that it is given.
            .set("group.id", format!("{}-none", self.address.topic))
            .set("isolation.level", isolation)
            .set("enable.auto.commit", "false")
            .set("enable.partition.eof", "true")
            // Whoever comes to the end is told so at once.
            .set("fetch.wait.max.ms", "10");
        make(&config, heard)
    }

    /// A producer without transactions: what is written again is there twice.
    #[cfg(feature = "clickhouse")]
    pub(crate) fn plain_producer(&self, heard: &Heard) -> Result<BaseProducer<Heard>, KafkaFailure> {
        let mut config = self.config();
        config.set("enable.idempotence", "true").set("acks", "all").set("compression.type", "lz4");
        make(&config, heard)
    }

    /// A consumer that shares the clicks with others, and says itself how far it has come.
    #[cfg(feature = "clickhouse")]
    pub(crate) fn member<C: ConsumerContext + Clone + 'static>(
        &self,
        context: &C,
    ) -> Result<BaseConsumer<C>, KafkaFailure>
    where
        BaseConsumer<C>: FromClientConfigAndContext<C>,
    {
        let mut config = self.config();
        config
            .set("group.id", format!("{}-ship", self.address.topic))
            .set("isolation.level", "read_committed")
            .set("enable.auto.commit", "false")
            .set("enable.auto.offset.store", "false")
            .set("auto.offset.reset", "earliest")
            // Who has died is missed after this time; the servers allow no less by themselves.
            .set("session.timeout.ms", "6000")
            .set("heartbeat.interval.ms", "2000")
            .set("partition.assignment.strategy", "range,roundrobin");
        make(&config, context)
    }

    pub(crate) fn admin(&self, heard: &Heard) -> Result<AdminClient<Heard>, KafkaFailure> {
        make(&self.config(), heard)
    }

    fn config(&self) -> ClientConfig {
        let mut config = ClientConfig::new();
        config
            .set("bootstrap.servers", &self.address.hosts)
            .set("client.id", "hny")
            .set("socket.timeout.ms", millis(LONGEST_ANSWER))
            .set("socket.connection.setup.timeout.ms", millis(LONGEST_ANSWER))
            .set("reconnect.backoff.max.ms", "1000")
            .set_log_level(RDKafkaLogLevel::Warning);
        if let Some(login) = &self.address.login {
            config
                .set("security.protocol", "sasl_plaintext")
                .set("sasl.mechanism", "PLAIN")
                .set("sasl.username", &login.user)
                .set("sasl.password", &login.password);
        }
        config
    }
}

fn make<C: ClientContext + Clone, T: FromClientConfigAndContext<C>>(
    config: &ClientConfig,
    context: &C,
) -> Result<T, KafkaFailure> {
    T::from_config_and_context(config, context.clone()).map_err(|error| {
        let why = match error {
            // It would repeat the value.
            KafkaError::ClientConfig(_, description, key, _) => format!("{key}: {description}"),
            error => error.to_string(),
        };
        KafkaFailure::Refused { what: "a client cannot be made", why }
    })
}

fn millis(time: Duration) -> String {
    time.as_millis().to_string()
}

impl Heard {
    /// What has become of a question, whose answer had to come before the deadline.
    pub(super) fn judge<T>(
        &self,
        what: &'static str,
        answer: Result<T, KafkaError>,
        deadline: &Deadline,
    ) -> Result<T, KafkaFailure> {
        answer.map_err(|error| match self.last() {
            heard if deadline.is_over() => KafkaFailure::Late { what, heard },
            Some(heard) => KafkaFailure::Refused { what, why: format!("{error} ({heard})") },
            None => KafkaFailure::Refused { what, why: error.to_string() },
        })
    }

    pub(super) fn late(&self, what: &'static str) -> KafkaFailure {
        KafkaFailure::Late { what, heard: self.last() }
    }

    pub(super) fn last(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, heard: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(heard);
    }
}

impl ClientContext for Heard {
    fn log(&self, level: RDKafkaLogLevel, part: &str, message: &str) {
        tracing::debug!(?level, part, message, "Kafka's client says something");
    }

    fn error(&self, error: KafkaError, reason: &str) {
        // The end of a partition is one, too; and that all servers are down says nothing that was not said of the last of them.
        use RDKafkaErrorCode::{AllBrokersDown, PartitionEOF};
        if !matches!(error.rdkafka_error_code(), Some(AllBrokersDown | PartitionEOF)) {
            tracing::debug!(%error, reason, "Kafka's client is in trouble");
            self.note(reason.to_owned());
        }
    }
}

impl ConsumerContext for Heard {}

impl ProducerContext for Heard {
    type DeliveryOpaque = ();

    fn delivery(&self, result: &DeliveryResult<'_>, (): ()) {
        if let Err((error, message)) = result {
            self.note(format!("a message for {}: {error}", message.topic()));
        }
    }
}
