use hny_domain::Timestamp;
use hny_testkit::{DEADLINE, Detail, Mood, SafeBrowsing as Server};

use super::*;

const EVIL: &str = "https://www.evil.example/a/page?id=1#top";

/// The numbers of threats on the wire.
const MALWARE: u32 = 1;
const DECEPTION: u32 = 2;

fn asking(server: &Server, service: Service) -> (SafeBrowsing, Clock) {
    let clock = Clock::standing(Timestamp::from_millis(1_800_000_000_000));
    (SafeBrowsing::new(Provider::new(service, &server.endpoint(), server.key()), clock.clone()), clock)
}

fn v5(server: &Server) -> (SafeBrowsing, Clock) {
    asking(server, Service::SafeBrowsing)
}

/// As somebody asks who waits as long as the provider may take: the machine of a test may be busy.
async fn ask(asking: &SafeBrowsing, url: &str) -> Verdict {
    asking.ask(&[Page::new(&asking.0.provider, 0, url.to_owned())]).await[0]
}

fn harmful(threat: Threat) -> Verdict {
    Verdict::Harmful(Suspicion { threat, advisory: Service::SafeBrowsing.advisory() })
}

/// The verdict when the question that a visit put into the queue is answered.
async fn standing_soon(asking: &SafeBrowsing, url: &str, wanted: Verdict) {
    let soon = async {
        while asking.standing(url).verdict != wanted {
            tokio::task::yield_now().await;
        }
    };
    timeout(DEADLINE, soon).await.unwrap();
}

#[tokio::test]
async fn a_page_is_harmful_if_any_of_its_expressions_is_on_a_list() {
    for expression in ["evil.example/", "www.evil.example/a/", "www.evil.example/a/page?id=1", "evil.example/a/page"] {
        let server = Server::start();
        server.list(expression, DECEPTION);
        let (asking, _) = v5(&server);
        let harmful = harmful(Threat::SocialEngineering);
        assert_eq!(ask(&asking, EVIL).await, harmful, "{expression}");
        assert_eq!(asking.standing(EVIL).verdict, harmful);
        assert_eq!(ask(&asking, "https://good.example/").await, Verdict::Harmless);
        assert_eq!(asking.look_ups(), LookUps { answered: 2, ..LookUps::default() });
    }
}

#[tokio::test]
async fn nothing_is_told_but_four_bytes_of_hashes_and_nothing_twice() {
    let server = Server::start();
    let (asking, clock) = v5(&server);
    for _ in 0..3 {
        assert_eq!(ask(&asking, EVIL).await, Verdict::Harmless);
    }
    let [asked] = &server.asked()[..] else { panic!("{:?}", server.asked()) };
    assert_eq!(asked.matches("hashPrefixes=").count(), 8, "two hosts, four paths");
    assert!(!asked.contains("evil") && !asked.contains("page"), "{asked}");
    assert!(server.was_asked_for("evil.example/"));
    // Of another page of this host only what is new is asked for.
    assert_eq!(ask(&asking, "https://www.evil.example/a/other").await, Verdict::Harmless);
    assert_eq!(server.asked()[1].matches("hashPrefixes=").count(), 2);
    clock.advance(Duration::from_secs(301));
    assert_eq!(ask(&asking, EVIL).await, Verdict::Harmless);
    assert_eq!(server.asked().len(), 3, "the answers are too old");
}

#[tokio::test]
async fn what_is_on_a_list_for_another_reason_is_no_threat() {
    for (threat, attributes) in [(MALWARE, vec![1]), (MALWARE, vec![2]), (99, vec![]), (MALWARE, vec![99]), (0, vec![])]
    {
        let server = Server::start();
        server.list_as("evil.example/", &[Detail { threat, attributes: attributes.clone() }]);
        assert_eq!(ask(&v5(&server).0, EVIL).await, Verdict::Harmless, "{threat} {attributes:?}");
        server.list("evil.example/", MALWARE);
        assert_eq!(ask(&v5(&server).0, EVIL).await, harmful(Threat::Malware), "another one is");
    }
}

#[tokio::test]
async fn a_visit_waits_for_nothing_and_the_next_one_knows() {
    let server = Server::start();
    server.list("evil.example/", MALWARE);
    let (asking, _) = v5(&server);
    assert_eq!(asking.standing(EVIL).verdict, Verdict::Pending);
    assert_eq!(asking.standing(EVIL).verdict, Verdict::Pending, "it is in the queue once");
    standing_soon(&asking, EVIL, harmful(Threat::Malware)).await;
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_warning_is_none_after_half_an_hour_unless_it_is_said_again() {
    let server = Server::start();
    server.keep_for(Duration::from_hours(24));
    server.list("evil.example/", MALWARE);
    let (asking, clock) = v5(&server);
    let harmful = harmful(Threat::Malware);
    assert_eq!(ask(&asking, EVIL).await, harmful);
    clock.advance(Duration::from_secs(30 * 60 - 1));
    assert_eq!(asking.standing(EVIL).verdict, harmful);
    clock.advance(Duration::from_secs(1));
    assert_eq!(asking.standing(EVIL).verdict, Verdict::Pending, "the visit goes on");
    standing_soon(&asking, EVIL, harmful).await;
    clock.advance(Duration::from_mins(30));
    server.clear();
    assert_eq!(asking.standing(EVIL).verdict, Verdict::Pending);
    standing_soon(&asking, EVIL, Verdict::Harmless).await;
}

#[tokio::test]
async fn who_makes_links_does_not_wait_for_a_silent_provider_and_its_late_word_counts() {
    let server = Server::start();
    server.set(Mood::Holds);
    server.list("evil.example/", MALWARE);
    let (asking, _) = v5(&server);
    let pages: Vec<_> = (0..1_000).map(|number| format!("https://{number}.example/")).collect();
    let urls: Vec<_> = [EVIL.to_owned()].into_iter().chain(pages).collect();
    let verdicts = asking.verdicts(urls.clone()).await;
    assert_eq!(verdicts, vec![Verdict::Pending; 1_001]);
    server.set(Mood::Answers);
    standing_soon(&asking, EVIL, harmful(Threat::Malware)).await;
    standing_soon(&asking, "https://999.example/", Verdict::Harmless).await;
    // Each page has one expression.
    assert!(server.asked().len() < 10, "a thousand pages are few questions: {}", server.asked().len());
    assert_eq!(asking.verdicts(urls).await[0], harmful(Threat::Malware), "what is known is said at once");
}

#[tokio::test(start_paused = true)]
async fn who_makes_links_waits_for_300_milliseconds_and_no_longer() {
    let server = Server::start();
    server.set(Mood::Holds);
    let (asking, _) = v5(&server);
    let waiting = asking.clone();
    let waiting = tokio::spawn(async move { waiting.verdicts(vec![EVIL.to_owned()]).await });
    // Time stands still but for this: while a question is under way it does not go on by itself.
    let is_waiting_after = async |millis| {
        tokio::task::yield_now().await;
        tokio::time::advance(Duration::from_millis(millis)).await;
        tokio::task::yield_now().await;
        !waiting.is_finished()
    };
    assert!(is_waiting_after(0).await && is_waiting_after(298).await, "298 ms");
    assert!(!is_waiting_after(4).await, "302 ms");
    server.set(Mood::Answers);
    assert_eq!(waiting.await.unwrap(), [Verdict::Pending]);
}

#[tokio::test]
async fn who_asks_the_same_at_the_same_time_shares_the_answer() {
    for (service, questions) in [(Service::WebRisk, 1), (Service::SafeBrowsing, 8)] {
        let server = Server::start();
        server.set(Mood::Holds);
        let (asking, _) = asking(&server, service);
        let first = asking.clone();
        let first = tokio::spawn(async move { ask(&first, EVIL).await });
        tokio::task::yield_now().await;
        assert_eq!(asking.standing(EVIL).verdict, Verdict::Pending, "a visit has it asked about, too");
        let second = asking.clone();
        let second = tokio::spawn(async move { ask(&second, EVIL).await });
        tokio::task::yield_now().await;
        server.set(Mood::Answers);
        assert_eq!((first.await.unwrap(), second.await.unwrap()), (Verdict::Harmless, Verdict::Harmless));
        standing_soon(&asking, EVIL, Verdict::Harmless).await;
        let ended = async {
            while asking.look_ups().waiting > 0 {
                tokio::task::yield_now().await;
            }
        };
        timeout(DEADLINE, ended).await.unwrap();
        assert_eq!(asking.look_ups().answered, 1, "{service:?}");
        let parts = server.asked().concat().matches("hashPrefixes=").count();
        assert_eq!((server.asked().len(), parts), (1, if questions == 1 { 0 } else { questions }), "{service:?}");
    }
}

#[tokio::test]
async fn a_provider_that_fails_is_left_alone_for_a_while() {
    use Mood::{Babbles, Busy, Floods, HangsUp, Status};
    for (mood, rest) in [
        (Status(500), rest::FIRST),
        (Status(503), rest::FIRST),
        (Status(301), rest::FIRST),
        (Status(204), rest::FIRST),
        (Busy(5), rest::FIRST),
        (Busy(90), Duration::from_secs(90)),
        (Babbles, rest::FIRST),
        (Floods, rest::FIRST),
        (HangsUp, rest::FIRST),
    ] {
        let server = Server::start();
        server.set(mood);
        let (asking, clock) = v5(&server);
        assert_eq!(ask(&asking, EVIL).await, Verdict::Pending, "{mood:?}");
        assert_eq!(ask(&asking, EVIL).await, Verdict::Pending);
        let until = asking.now() + rest;
        assert_eq!(asking.standing(EVIL), Standing { verdict: Verdict::Pending, until }, "{mood:?}");
        assert_eq!((server.asked().len(), asking.look_ups().failed), (1, 1), "{mood:?}");
        server.set(Mood::Answers);
        clock.advance(rest);
        assert_eq!(ask(&asking, EVIL).await, Verdict::Harmless, "{mood:?}");
    }
}

#[tokio::test]
async fn an_answer_in_json_will_do() {
    let server = Server::start();
    server.set(Mood::AnswersInJson);
    server.list("evil.example/", MALWARE);
    let (asking, _) = v5(&server);
    assert_eq!(ask(&asking, EVIL).await, harmful(Threat::Malware));
    assert_eq!(ask(&asking, "https://good.example/").await, Verdict::Harmless);
    assert_eq!(asking.standing(EVIL).verdict, harmful(Threat::Malware));
}

#[tokio::test]
async fn a_wrong_key_is_refused_and_told_without_the_key() {
    let server = Server::start();
    let inquiry = Inquiry { url: EVIL.to_owned(), questions: vec![[0; 32]] };
    let now = Timestamp::from_millis(0);
    for service in [Service::SafeBrowsing, Service::WebRisk] {
        let provider = Provider::new(service, &server.endpoint(), "wrong-secret");
        assert!(!format!("{provider:?}").contains("wrong-secret"));
        let error = provider.ask(inquiry.clone(), now).await.unwrap_err();
        assert_eq!(error, ProviderError::Refused { status: 400, retry_after: None });
        let nowhere = Provider::new(service, "http://127.0.0.1:1", "wrong-secret");
        let silent = nowhere.ask(inquiry.clone(), now).await.unwrap_err();
        assert_eq!(silent, ProviderError::Silent);
        assert!(![error, silent].iter().any(|error| error.to_string().contains("secret")));
    }
}

#[tokio::test]
async fn a_url_that_web_risk_does_not_take_keeps_nobody_else_from_asking() {
    let server = Server::start();
    server.set(Mood::Status(414));
    let (asking, _) = asking(&server, Service::WebRisk);
    assert_eq!(ask(&asking, EVIL).await, Verdict::Pending);
    server.set(Mood::Answers);
    assert_eq!(asking.standing(EVIL).verdict, Verdict::Harmless, "it is not asked about again and again");
    server.list_url("https://other.example/");
    assert!(matches!(ask(&asking, "https://other.example/").await, Verdict::Harmful(_)));
    assert_eq!((server.asked().len(), asking.look_ups().failed), (2, 1));
}

#[tokio::test]
async fn web_risk_is_asked_about_the_whole_url() {
    let server = Server::start();
    let whole = "https://www.evil.example/a/page?id=1";
    server.list_url(whole);
    let (asking, clock) = asking(&server, Service::WebRisk);
    let advisory = Service::WebRisk.advisory();
    let harmful = Verdict::Harmful(Suspicion { threat: Threat::Malware, advisory });
    assert_eq!(ask(&asking, EVIL).await, harmful);
    assert_eq!(ask(&asking, "https://www.evil.example/a/page?id=2").await, Verdict::Harmless);
    assert_eq!(ask(&asking, EVIL).await, harmful);
    assert_eq!(server.told(), [whole, "https://www.evil.example/a/page?id=2"], "no fragment is told");
    server.clear();
    clock.advance(Duration::from_mins(30));
    assert_eq!(asking.standing(EVIL).verdict, Verdict::Pending);
    standing_soon(&asking, EVIL, Verdict::Harmless).await;
}
