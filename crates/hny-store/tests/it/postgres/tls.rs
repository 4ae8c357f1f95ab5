//! Protected connections, as `sslmode` asks for them.

use std::fs;

use hny_store::{OpenError, Store};
use hny_testkit::Postgres;
use tempfile::TempDir;

use crate::database::postgres;

/// Opens with these parameters, and says whether the connections are protected.
async fn is_protected(server: &Postgres, host: &str, parameters: &str) -> Result<bool, OpenError> {
    let url = format!("postgres://postgres@{host}:{}/postgres?{parameters}", server.address().port());
    let store = Store::open(postgres(&url)).await?;
    let sql = "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'hny'";
    let protected = server.run("postgres", sql);
    store.close().await;
    Ok(protected == "t")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_is_protected_as_asked() {
    let server = Postgres::with_tls();
    for (parameters, protected) in
        [("sslmode=disable", false), ("sslmode=prefer", true), ("sslmode=require", true), ("", true)]
    {
        assert_eq!(is_protected(&server, "127.0.0.1", parameters).await.unwrap(), protected, "{parameters}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_shows_who_it_is() {
    let server = Postgres::with_tls();
    let folder = TempDir::new().unwrap();
    let (root, other) = (folder.path().join("root.crt"), folder.path().join("other.crt"));
    fs::copy(server.certificate(), &root).unwrap();
    fs::copy(Postgres::with_tls().certificate(), &other).unwrap();
    let cases = [
        ("127.0.0.1", "verify-full", Some(&root), true),
        ("localhost", "verify-full", Some(&root), false),
        ("localhost", "verify-ca", Some(&root), true),
        ("127.0.0.1", "verify-full", Some(&other), false),
        ("127.0.0.1", "verify-ca", Some(&other), false),
        ("127.0.0.1", "require", Some(&other), false),
        ("127.0.0.1", "verify-full", None, false),
    ];
    for (host, mode, root, accepted) in cases {
        let root = root.map(|path| format!("&sslrootcert={}", path.display())).unwrap_or_default();
        let opened = is_protected(&server, host, &format!("sslmode={mode}{root}")).await;
        match opened {
            Ok(protected) => assert!(accepted && protected, "{host} {mode} {root}"),
            Err(error) => {
                assert!(!accepted && matches!(error, OpenError::Tls { .. }), "{host} {mode} {root}: {error:?}");
            }
        }
    }
}
