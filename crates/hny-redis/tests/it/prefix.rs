//! Nothing outside of the prefix.

use std::time::Duration;

use hny_domain::{Code, DomainId, Lead, LinkId, Rules, Timestamp, Version};

use crate::{PREFIX, connect};

#[tokio::test]
async fn nothing_outside_of_the_prefix_is_touched_and_everything_ends() {
    let server = hny_testkit::Redis::start();
    // What others have there, under names that ours could be mistaken for.
    let foreign = ["hny:1:link:0:abc", "test", "1:link:0:abc", "limit:a"];
    for key in foreign {
        server.command(&["SET", key, "theirs"]);
    }
    let redis = connect(&server).await;
    let code = Code::parse("abc").unwrap();
    let now = Timestamp::from_millis(0);
    let lead = Lead {
        link: LinkId(1),
        target: "https://example.com/",
        expired_url: None,
        rules: Rules::PLAIN,
        version: Version(1),
    };
    for generation in [1, 2] {
        let links = redis.links(generation, redis.run().unwrap().as_str()).unwrap();
        links.fill(DomainId::BASE, &code, lead, now).await.unwrap();
        links.announce(DomainId::BASE, &code).await.unwrap();
        links.publish(DomainId::BASE, &code, Version(2), None, now).await.unwrap();
    }
    redis.limit("a", 1, Duration::from_mins(1)).await.unwrap();
    let ours = ["probe", "1:link:0:abc", "2:link:0:abc", "limit:a"].map(|key| format!("{PREFIX}{key}"));
    assert_eq!(server.command(&["DBSIZE"]), format!("(integer) {}", foreign.len() + ours.len()));
    for key in foreign {
        assert_eq!(server.command(&["GET", key]), "\"theirs\"");
        assert_eq!(server.command(&["PTTL", key]), "(integer) -1");
    }
    for key in ours {
        let lifetime = server.command(&["PTTL", &key]);
        let lifetime: i64 = lifetime.trim_start_matches("(integer) ").parse().unwrap();
        assert!(lifetime > 0, "{key}: {lifetime}");
    }
}
