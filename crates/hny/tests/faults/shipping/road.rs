//! The road from a topic to ClickHouse, with everything that is on it.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use hny_domain::{Code, DomainId};
use hny_store::{Settings, Store};
use hny_testkit::{ClickHouse, Kafka, Program, Record, Running};

use crate::clicks::kills::pass;
use crate::clicks::stop;
use crate::program;

/// How long all clicks may take, with all that is in their way: whoever was killed is missed after six seconds, each time.
const LONGEST: Duration = Duration::from_secs(90);

/// Between two looks at the counts, which the engine has to make.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// 2026-01-01T00:00:00Z, when the clicks begin; one comes each minute.
const BEGIN: i64 = 1_767_225_600_000;

pub(crate) struct Road {
    own_kafka: Option<RefCell<Kafka>>,
    topic: String,
    pub(crate) clickhouse: ClickHouse,
    /// With its settings for both.
    pub(crate) program: Program,
    /// A link, and its number.
    pub(crate) code: String,
    link: i64,
    written: Cell<u64>,
}

impl Road {
    /// On the Kafka that all tests share.
    pub(crate) fn of(topic: &str, partitions: u32) -> Self {
        Self::on(None, &format!("shipping-{topic}"), partitions)
    }

    /// On a Kafka that may be killed.
    pub(crate) fn with_own_kafka(topic: &str, partitions: u32) -> Self {
        Self::on(Some(Kafka::start()), topic, partitions)
    }

    fn on(own: Option<Kafka>, topic: &str, partitions: u32) -> Self {
        let kafka = own.as_ref().unwrap_or_else(|| Kafka::shared());
        kafka.create_topic(topic, partitions);
        let clickhouse = ClickHouse::start();
        let program = program().env("HNY_CLICKS_URL", kafka.url(topic)).env("HNY_CLICKHOUSE_URL", clickhouse.url());
        let (code, topic) = ("followed".to_owned(), topic.to_owned());
        let link = new_link(&program, &code);
        Self { own_kafka: own.map(RefCell::new), topic, clickhouse, program, code, link, written: Cell::new(0) }
    }

    fn with_kafka<T>(&self, work: impl FnOnce(&Kafka) -> T) -> T {
        match &self.own_kafka {
            Some(kafka) => work(&kafka.borrow()),
            None => work(Kafka::shared()),
        }
    }

    /// Kills it, and starts it again.
    pub(crate) fn crash_kafka(&self) {
        let mut kafka = self.own_kafka.as_ref().expect("it has its own").borrow_mut();
        kafka.kill();
        kafka.start_again();
    }

    /// Starts a shipper.
    pub(crate) fn ship(&self) -> Running {
        self.program.start_command(["ship-clicks"], "ships clicks")
    }

    /// Has a shipper ship all that is there, and a little more, which comes behind what was under way in each partition; and stops it.
    pub(crate) fn ship_all(&self) {
        self.write(100);
        let shipper = self.ship();
        self.wait_for(self.written());
        stop(shipper);
        self.assert_counted(self.written());
    }

    /// Writes clicks on the link, each another one.
    pub(crate) fn write(&self, count: u64) {
        let first = self.written();
        let messages: Vec<String> = (first..first + count).map(|number| self.message(number)).collect();
        self.write_all(&messages);
        self.written.set(first + count);
    }

    /// Writes clicks on another link, which nothing else here counts.
    pub(crate) fn write_of_other_link(&self, count: u64) -> u64 {
        let other = new_link(&self.program, "other");
        let messages = (0..count).map(|number| message(other, 1_000_000 + number));
        self.write_all(&messages.collect::<Vec<_>>());
        count
    }

    pub(crate) fn write_text(&self, messages: &[&str]) {
        self.write_all(messages);
    }

    fn write_all(&self, messages: &[impl AsRef<str>]) {
        // By key they would all be in one partition.
        let keys: Vec<String> = (0..messages.len()).map(|number| number.to_string()).collect();
        let records: Vec<_> = keys.iter().zip(messages).map(|(key, text)| (key.as_str(), text.as_ref())).collect();
        self.with_kafka(|kafka| kafka.write(&self.topic, &records));
    }

    pub(crate) fn message(&self, number: u64) -> String {
        message(self.link, number)
    }

    /// How many clicks were written.
    pub(crate) fn written(&self) -> u64 {
        self.written.get()
    }

    /// What is in the topic for dead letters.
    pub(crate) fn read_dead(&self) -> Vec<Record> {
        self.with_kafka(|kafka| kafka.read(&format!("{}-dead", self.topic)))
    }

    /// Clicks in the table, clicks behind the first view, clicks that are told apart, visitors behind the second view, and visitors in
    /// the table. Zeros before the tables are there.
    pub(crate) fn counts(&self) -> [String; 5] {
        [
            "SELECT count() FROM clicks",
            "SELECT sum(clicks + robots + prefetches + probes) FROM click_quarters",
            "SELECT uniqExact(id) FROM clicks",
            "SELECT uniqExact(link, day, visitor) FROM click_visitors",
            "SELECT uniqExact(link, toDate(at), visitor) FROM clicks WHERE kind = 'person' AND visitor IS NOT NULL",
        ]
        .map(|sql| self.clickhouse.try_query(sql).unwrap_or_else(|_| "0".to_owned()))
    }

    /// Looks again and again until so many clicks are in the table.
    #[track_caller]
    pub(crate) fn wait_for(&self, clicks: u64) {
        let start = Instant::now();
        while self.counted() != clicks {
            assert!(start.elapsed() < LONGEST, "{} of {clicks} are there after {LONGEST:?}", self.counted());
            pass(BETWEEN_LOOKS);
        }
    }

    fn counted(&self) -> u64 {
        self.clickhouse
            .try_query("SELECT count() FROM clicks")
            .map_or(0, |count| count.parse().expect("it is a number"))
    }

    /// Each click is there, once, and in all that is made of it.
    #[track_caller]
    pub(crate) fn assert_counted(&self, clicks: u64) {
        let [table, quarters, ids, visitors, seen] = self.counts();
        assert_eq!([table, quarters, ids], [(); 3].map(|()| clicks.to_string()));
        assert_eq!(visitors, seen);
    }
}

fn message(link: i64, number: u64) -> String {
    let (at, visitor) = (BEGIN + i64::try_from(number).expect("it is small") * 60_000, number % 50);
    format!(
        r#"{{"schema":1,"id":"{number}","link":"{link}","at":{at},"kind":"person","visitor":"{visitor}","country":"KR","referrer":null,"browser":"Firefox","os":null,"device":"desktop","language":"ko"}}"#
    )
}

/// Makes a link; its number, which only the database knows.
fn new_link(program: &Program, code: &str) -> i64 {
    let made = program.run(["shorten", "--code", code, "https://example.com/"]);
    assert!(made.status.success(), "{made:?}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("there are threads");
    runtime.block_on(async {
        let settings = Settings::Sqlite { path: program.database(), readers: 1 };
        let store = Store::open(settings).await.expect("the database is there");
        let found = store.find_link(DomainId::BASE, &Code::parse(code).expect("it is a code")).await;
        store.close().await;
        found.expect("it can be asked").expect("the link is there").id.0
    })
}
